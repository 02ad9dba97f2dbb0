//! Changes to what other mods declare as data: to rows of tables, to what pots and
//! decks are made of, and to templates.
//!
//! ```text
//!   Amend(table: "dsii.fire.ranges", amend: [("RFAC", 1, "10in")])
//!   Amend(pot: "dsii.chit.the_pot", chits: {"BOOM": 4})
//!   Amend(deck: "hearts.deal.pack", cards: {"joker": 2})
//!   Amend(template: "dsii.vehicle.heavy_tank", attributes: {"armour_front": 5})
//! ```

use std::collections::BTreeMap;

use kernel::chits::Composition;
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use serde::Deserialize;

use super::item::{Checked, ItemHeader};
use super::reader::{Datum, Entries, RawRon, integer_of};
use super::table::{Provenance, Stated, in_stated_order};
use super::table_item::{AmendItem, amend_rows};

/// How many chits or cards there are of some sorts in a pot or a deck of any mod.
#[derive(Clone, Debug)]
pub struct MixAmend {
    /// The id of the pot or the deck, clauses and place.
    pub header: ItemHeader,
    /// Which of the two it changes.
    pub mix: MixSort,
    /// How many there are of each sort that it names.
    pub counts: Vec<(Name, u32)>,
}

/// A pot or a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MixSort {
    /// A pot of chits.
    Pot,
    /// A deck of cards.
    Deck,
}

/// Attributes that a template of any mod gives.
#[derive(Clone, Debug)]
pub struct TemplateAmend {
    /// The id of the template, clauses and place.
    pub header: ItemHeader,
    /// Attributes by name.
    pub attributes: BTreeMap<Name, Datum>,
}

/// Who said last how many there are of each sort of a pot or a deck, where that is
/// not the mod that declares it.
pub type MixChanges = BTreeMap<Name, Provenance>;

impl MixSort {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            MixSort::Pot => "pot",
            MixSort::Deck => "deck",
        }
    }

    /// What it holds.
    fn each(self) -> &'static str {
        match self {
            MixSort::Pot => "chits",
            MixSort::Deck => "cards",
        }
    }

    /// How many there are of each sort, as they are written.
    pub(super) fn counts<'a>(
        self,
        entries: Vec<(String, RawRon<'a>)>,
        id: &str,
        checked: &mut Checked<'a, '_>,
    ) -> Vec<(Name, u32)> {
        let mut counts = Vec::new();
        for (name, piece) in entries {
            let Some(datum) = checked.datum(piece) else {
                continue;
            };
            match integer_of(&datum.value).and_then(|n| u32::try_from(n).ok()) {
                Some(count) => counts.push((Name::from(name), count)),
                None => {
                    let (each, word) = (self.each(), self.word());
                    let message = format!(
                        "expected how many {each} `{name}` {word} `{id}` holds, found something else"
                    );
                    checked.fault_at(piece, FaultCode::BadPot, message);
                }
            }
        }
        counts
    }
}

impl MixAmend {
    /// What it then holds: what it held, but for the sorts that are named here.
    ///
    /// # Errors
    /// When another mod named one of them too and no order is stated, or when there are
    /// more than can be counted.
    pub fn apply(
        &self,
        held: &Composition,
        changes: &mut MixChanges,
        stated: Stated<'_>,
    ) -> Result<Composition, Fault> {
        let mut counts: BTreeMap<Name, u32> = held
            .entries()
            .map(|(name, count)| (Name::from(name), count))
            .collect();
        for (name, count) in &self.counts {
            if let Some(last) = changes.get(name) {
                self.check_order(name, &last.place, stated)?;
            }
            counts.insert(name.clone(), *count);
            let (place, cites) = (self.header.place.clone(), self.header.cites.clone());
            changes.insert(name.clone(), Provenance { place, cites });
        }
        Composition::new(counts).map_err(|error| {
            let message = format!("{} `{}`: {error}", self.mix.word(), self.header.id);
            Fault::new(FaultCode::BadPot, message)
        })
    }

    fn check_order(&self, name: &str, first: &Place, stated: Stated<'_>) -> Result<(), Fault> {
        let what = format!(
            "how many {} `{name}` {} `{}` holds",
            self.mix.each(),
            self.mix.word(),
            self.header.id
        );
        in_stated_order(&what, first, &self.header.place, stated)
    }
}

/// What an `Amend` changes.
pub(super) enum Amended {
    Table(AmendItem),
    Mix(MixAmend),
    Template(TemplateAmend),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAmend<'a> {
    #[serde(default)]
    table: Option<String>,
    #[serde(default)]
    pot: Option<String>,
    #[serde(default)]
    deck: Option<String>,
    #[serde(default)]
    template: Option<String>,
    #[serde(default, borrow)]
    cites: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    add: Option<RawRon<'a>>,
    #[serde(default, borrow)]
    amend: Option<RawRon<'a>>,
    #[serde(default, borrow)]
    remove: Option<RawRon<'a>>,
    #[serde(default, borrow)]
    chits: Option<Entries<'a>>,
    #[serde(default, borrow)]
    cards: Option<Entries<'a>>,
    #[serde(default, borrow)]
    attributes: Option<Entries<'a>>,
}

/// Which of the four it changes, and how.
pub(super) fn read_amend<'a>(raw: RawAmend<'a>, checked: &mut Checked<'a, '_>) -> Option<Amended> {
    let has_rows = raw.add.is_some() || raw.amend.is_some() || raw.remove.is_some();
    let named = (raw.table, raw.pot, raw.deck, raw.template);
    let given = (has_rows, raw.chits, raw.cards, raw.attributes);
    match (named, given) {
        ((Some(id), None, None, None), (_, None, None, None)) => {
            let header = checked.header_of(&id, &raw.cites);
            let rows = [raw.add, raw.amend, raw.remove];
            Some(Amended::Table(amend_rows(header, rows, checked)))
        }
        ((None, Some(id), None, None), (false, Some(chits), None, None)) => {
            let header = checked.header_of(&id, &raw.cites);
            Some(Amended::Mix(mix(MixSort::Pot, header, chits, checked)))
        }
        ((None, None, Some(id), None), (false, None, Some(cards), None)) => {
            let header = checked.header_of(&id, &raw.cites);
            Some(Amended::Mix(mix(MixSort::Deck, header, cards, checked)))
        }
        ((None, None, None, Some(id)), (false, None, None, Some(attributes))) => {
            let header = checked.header_of(&id, &raw.cites);
            let attributes = checked.values(attributes, "attributes by name");
            Some(Amended::Template(TemplateAmend {
                header,
                attributes: attributes.into_iter().collect(),
            }))
        }
        _ => {
            let message = "expected one of `table` with `add`, `amend` or `remove`, `pot` with `chits`, `deck` \
                           with `cards` and `template` with `attributes`, found something else";
            checked.fault(FaultCode::BadSignature, message);
            None
        }
    }
}

fn mix<'a>(
    mix: MixSort,
    header: ItemHeader,
    counts: Entries<'a>,
    checked: &mut Checked<'a, '_>,
) -> MixAmend {
    let expected = match mix {
        MixSort::Pot => "chits with their numbers: {\"red\": 15}",
        MixSort::Deck => "cards with their numbers: {\"ace\": 5}",
    };
    let entries = checked.named(counts, expected);
    MixAmend {
        counts: mix.counts(entries, &header.id, checked),
        header,
        mix,
    }
}

#[cfg(test)]
mod tests;
