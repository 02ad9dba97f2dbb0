//! Decks of cards.

use std::sync::Arc;

use kernel::chits::Composition;
use kernel::deck::{DeckError, DeckKind};
use kernel::error::FaultCode;
use kernel::value::Name;
use kernel::world::FirstViewers;
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::amended::MixSort;
use super::item::{Checked, ItemHeader};
use super::kind::RawViewers;
use super::reader::{Entries, RawRon};

/// A deck of cards.
#[derive(Clone, Debug)]
pub struct DeckItem {
    /// Id, clauses and place.
    pub header: ItemHeader,
    /// What people call it.
    pub title: Name,
    /// What it is made of, whose it is, and who sees what of it.
    pub deck: DeckKind,
}

/// Whose a deck is.
#[derive(Deserialize, Clone, Copy, Default)]
enum RawOf {
    #[default]
    Table,
    Side,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDeck<'a> {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(borrow)]
    cards: Entries<'a>,
    #[serde(default)]
    of: RawOf,
    #[serde(default = "nobody")]
    stock: RawViewers,
    #[serde(default)]
    discard: RawViewers,
    #[serde(default)]
    size: RawViewers,
}

fn nobody() -> RawViewers {
    RawViewers::Nobody
}

pub(super) fn read_deck<'a>(raw: RawDeck<'a>, checked: &mut Checked<'a, '_>) -> Option<DeckItem> {
    let header = checked.header(&raw.id, &raw.cites);
    let id = &header.id;
    let cards = cards(raw.cards, id, checked);
    let made = Composition::new(cards)
        .map_err(DeckError::from)
        .and_then(DeckKind::new);
    let mut deck = match made {
        Ok(deck) => deck,
        Err(error) => {
            checked.fault(FaultCode::BadPot, format!("deck `{id}`: {error}"));
            return None;
        }
    };
    deck.is_each = matches!(raw.of, RawOf::Side);
    (deck.stock, deck.discard, deck.size) = (raw.stock.into(), raw.discard.into(), raw.size.into());
    let owned = [
        ("stock", deck.stock),
        ("discard", deck.discard),
        ("size", deck.size),
    ];
    for (field, _) in owned
        .iter()
        .filter(|(_, viewers)| *viewers == FirstViewers::Owner && !deck.is_each)
    {
        checked.fault(
            FaultCode::BadPot,
            format!("expected `All` or `Nobody` to see the {field} of deck `{id}`, which is the table's, found `Owner`"),
        );
    }
    Some(DeckItem {
        header,
        title: raw.title.into(),
        deck,
    })
}

/// A list of cards, in which one may come again, or cards with their numbers.
fn cards<'a>(raw: Entries<'a>, id: &Name, checked: &mut Checked<'a, '_>) -> Vec<(Arc<str>, u32)> {
    let mut cards: Vec<(Arc<str>, u32)> = Vec::new();
    match raw {
        Entries::Listed(items) => {
            let mut places: FxHashMap<String, usize> = FxHashMap::default();
            for card in items
                .into_iter()
                .filter_map(|item| checked.read::<String>(item))
            {
                match places.get(&card).and_then(|place| cards.get_mut(*place)) {
                    Some((_, count)) => *count = count.saturating_add(1),
                    None => {
                        cards.push((card.as_str().into(), 1));
                        places.insert(card, cards.len() - 1);
                    }
                }
            }
        }
        Entries::Named(entries) => return MixSort::Deck.counts(entries, id, checked),
    }
    cards
}
