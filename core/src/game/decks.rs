//! Decks as a running rule meets them: it draws, looks, searches, puts back, shuffles.
//!
//! In a secret phase a side works with decks of its own alone. From one that it shares, the order in which the
//! sides come would decide who gets what, and how many cards are left would tell what the others did.

use super::{Effects, Game, known_fields};
use crate::audience::Audience;
use crate::deck::{Deck, DeckError, DeckId, DeckKind, End, Pile};
use crate::error::{Fault, FaultCode};
use crate::event::{Cause, EventField, Remark};
use crate::stamp::Stamp;
use crate::value::{Name, Side, Value};
use crate::world::{Viewer, Viewers, closest};

use std::collections::BTreeMap;
use std::sync::Arc;

/// Which of the cards of a deck are taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardPick<'a> {
    /// So many from an end of the stock.
    Drawn(u32, End),
    /// The uppermost of that name.
    Found(&'a str),
}

/// Where cards go that were out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Onto {
    /// Into the stock, at an end.
    Stock(End),
    /// On the discard pile.
    Discard,
}

fn bad(error: &DeckError) -> Fault {
    let code = match error {
        DeckError::Chance(_) => FaultCode::ScriptedDice,
        _ => FaultCode::BadPot,
    };
    let fault = Fault::new(code, error.to_string());
    match error {
        DeckError::TooFew { .. } => fault.hint(
            "ask first how many there are; `gather` puts the discard pile back into the stock",
        ),
        _ => fault,
    }
}

impl Game {
    /// A deck as it lies, without a guard: for whoever embeds the kernel.
    ///
    /// # Errors
    /// When no mod declares it, or no such side has one.
    pub fn deck(&self, id: &DeckId) -> Result<&Deck, Fault> {
        self.decks.get(id).ok_or_else(|| self.no_deck(id))
    }

    /// Puts a deck down as it shall lie, before the first phase: for setting up, and for probes.
    ///
    /// # Errors
    /// When no mod declares it, or it is made of other cards.
    pub fn set_deck(&mut self, id: &DeckId, deck: Deck) -> Result<(), Fault> {
        if self.deck(id)?.made_of() != deck.made_of() {
            let message = format!("expected the cards of the deck `{}`, found others", id.deck);
            return Err(Fault::new(FaultCode::BadPot, message));
        }
        self.begin_era();
        Arc::make_mut(&mut self.decks).insert(id.clone(), deck);
        Ok(())
    }

    /// Every deck of the game, by id.
    pub fn decks(&self) -> impl Iterator<Item = (&DeckId, &Deck)> {
        self.decks.iter()
    }

    /// How many cards lie on a pile.
    ///
    /// # Errors
    /// When there is no such deck, or the number is hidden from those in whose eyes the rule looks.
    pub fn deck_size(&self, id: &DeckId, pile: Pile) -> Result<u32, Fault> {
        self.deck(id)?;
        let viewers = self.pile_viewers(id, pile, true)?;
        self.note_pile(id, pile, true);
        self.check_visible(id, viewers, "how many cards there are")?;
        Ok(self.deck_as_seen(self.guard.scope, id)?.size(pile))
    }

    /// The cards of a pile, the uppermost first.
    ///
    /// # Errors
    /// When there is no such deck, or the cards are hidden from those in whose eyes the rule looks.
    pub fn deck_cards(&mut self, id: &DeckId, pile: Pile) -> Result<Vec<Name>, Fault> {
        self.deck(id)?;
        let viewers = self.pile_viewers(id, pile, false)?;
        self.note_pile(id, pile, false);
        self.check_visible(id, viewers, "the cards that lie there")?;
        if !viewers.contains(self.guard.scope) && self.guard.owner.is_some() {
            // Who has looked at what was hidden cannot go back to before.
            self.spoil_answers();
            self.note_draws(1);
        }
        Ok(self
            .deck_as_seen(self.guard.scope, id)?
            .cards(pile)
            .cloned()
            .collect())
    }

    /// Takes cards out of a deck, which is an event (`deck`, `of`, `from`, `count`, `cards`) for its audience. Who
    /// sees which cards: those whom it names for that field, or else for all, or else who sees the stock; where that
    /// is one side alone, it is said beside the cards. Others learn how many, if they may know how many there are.
    ///
    /// # Errors
    /// When the rule may not draw, there is no such deck, it does not hold them, or in a secret phase it is not
    /// the side's own.
    pub fn take_cards(
        &mut self,
        id: &DeckId,
        taken: CardPick<'_>,
        audience: &Audience,
        cause: Cause,
    ) -> Result<Vec<Name>, Fault> {
        known_fields("cards", audience, &["deck", "of", "from", "count", "cards"])?;
        let mut deck = self.open_deck(id, "draws cards")?;
        let (cards, from) = match taken {
            CardPick::Drawn(count, End::Top) => (deck.draw(count, End::Top), "top"),
            CardPick::Drawn(count, End::Bottom) => (deck.draw(count, End::Bottom), "bottom"),
            CardPick::Found(card) => (deck.search(card).map(|()| vec![Name::from(card)]), "search"),
        };
        let cards = cards.map_err(|error| bad(&error))?;
        self.close_deck(id, deck);
        self.note_draws(cards.len());
        let kind = self.deck_kind(id)?;
        let (viewers, counters) = (kind.viewers(Pile::Stock, id.of), kind.counters(id.of));
        let knowing = if audience.to == Viewers::ALL {
            viewers
        } else {
            audience.to
        };
        let to = audience.only.get("cards").copied().unwrap_or(knowing);
        let mut fields = self.deck_fields(id);
        fields
            .iter_mut()
            .for_each(|field| field.viewers = audience.of(&field.name));
        let drawn = Value::list(cards.iter().cloned().map(Value::Text));
        fields.extend([
            EventField::new("from", Value::text(from), audience.of("from")),
            EventField::new(
                "count",
                Value::Int(cards.len() as i64),
                counters.and(to).both(audience.of("count")),
            ),
            EventField::new("cards", drawn, to),
        ]);
        let remark = self.only_side_of(to).map(|side| Remark {
            place: Name::from("cards"),
            words: side,
            viewers: to,
        });
        let told = (fields, remark.into_iter().collect());
        self.announce_remarked("cards", told, cause, audience);
        Ok(cards)
    }

    /// Puts cards that are out back; the first of them comes to lie uppermost.
    ///
    /// # Errors
    /// When the rule may not draw, there is no such deck, they are not out, or in a secret phase it is not the
    /// side's own.
    pub fn put_cards(&mut self, id: &DeckId, cards: &[Name], onto: Onto) -> Result<(), Fault> {
        let mut deck = self.open_deck(id, "puts cards back")?;
        let put = match onto {
            Onto::Stock(end) => deck.put(cards, end),
            Onto::Discard => deck.discard(cards),
        };
        put.map_err(|error| bad(&error))?;
        self.close_deck(id, deck);
        Ok(())
    }

    /// Puts the discard pile under the stock, as it lies.
    ///
    /// # Errors
    /// When the rule may not draw, there is no such deck, or in a secret phase it is not the side's own.
    pub fn gather_cards(&mut self, id: &DeckId) -> Result<(), Fault> {
        let mut deck = self.open_deck(id, "gathers a discard pile")?;
        deck.gather();
        self.close_deck(id, deck);
        Ok(())
    }

    /// Shuffles the stock.
    ///
    /// # Errors
    /// When the rule may not draw, there is no such deck, a script does not fit, or in a secret phase it is not
    /// the side's own.
    pub fn shuffle_deck(&mut self, id: &DeckId, mut cause: Cause) -> Result<(), Fault> {
        let mut deck = self.open_deck(id, "shuffles a deck")?;
        deck.shuffle(&mut self.draws())
            .map_err(|error| bad(&error))?;
        let count = deck.size(Pile::Stock).saturating_sub(1);
        self.close_deck(id, deck);
        self.running.draws += count;
        self.running.shuffles += 1;
        self.note_draws(1);
        // Where the size is hidden, the numbers of draws must not tell it.
        if count > 0 && self.deck_kind(id)?.counters(id.of) == Viewers::ALL {
            cause.draws = Some((self.flow.drawn + 1, self.flow.drawn + count));
            self.flow.drawn += count;
        }
        let fields = self.deck_fields(id);
        self.announce_fields("shuffled", fields, cause, &Audience::default());
        Ok(())
    }

    /// The side that is alone among viewers, if one is.
    fn only_side_of(&self, viewers: Viewers) -> Option<Name> {
        let sides = (0..self.world.sides().len() as u8).map(Side);
        let mut found = sides.filter(|side| viewers.contains(Viewer::Side(*side)));
        let is_alone = !viewers.contains(Viewer::Spectator);
        match (found.next(), found.next()) {
            (Some(side), None) if is_alone => Some(self.side_name(side)),
            _ => None,
        }
    }

    fn deck_fields(&self, id: &DeckId) -> Vec<EventField> {
        let of = id
            .of
            .map_or(Value::None, |side| Value::Text(self.side_name(side)));
        let deck = Value::Text(id.deck.clone());
        vec![
            EventField::new("deck", deck, Viewers::ALL),
            EventField::new("of", of, Viewers::ALL),
        ]
    }

    /// Who sees the cards of a pile, or how many there are: those too who see the cards.
    pub(crate) fn pile_viewers(
        &self,
        id: &DeckId,
        pile: Pile,
        is_counted: bool,
    ) -> Result<Viewers, Fault> {
        let kind = self.deck_kind(id)?;
        let cards = kind.viewers(pile, id.of);
        Ok(match is_counted {
            true => kind.counters(id.of).and(cards),
            false => cards,
        })
    }

    /// How a deck is declared.
    pub(crate) fn deck_kind(&self, id: &DeckId) -> Result<&DeckKind, Fault> {
        self.book
            .decks
            .get(&id.deck)
            .ok_or_else(|| self.no_deck(id))
    }

    /// A deck as it lies for a viewer: what another side does to its own in a secret phase that is open does
    /// not show.
    pub(crate) fn deck_as_seen(&self, viewer: Viewer, id: &DeckId) -> Result<&Deck, Fault> {
        let before = self
            .flow
            .foreign_pads(viewer)
            .find_map(|(side, pad)| pad.deck_before(side, id));
        before.map_or_else(|| self.deck(id), Ok)
    }

    /// Whether the rule that runs may look: at what all see that it answers for, or in a secret phase at what
    /// its side owns.
    fn check_visible(&self, id: &DeckId, viewers: Viewers, what: &str) -> Result<(), Fault> {
        let scope = self.guard.scope;
        let is_own = self.guard.owner.is_some() && self.guard.owner == id.of;
        if is_own || viewers.contains(scope) {
            return Ok(());
        }
        let message = format!(
            "expected only what {} may see, found a look at the deck `{}`: {what}",
            self.viewer_word(scope),
            id.deck
        );
        Err(Fault::new(FaultCode::HiddenRead, message)
            .hint("ask in a step, which may read everything, or declare who sees it"))
    }

    /// A deck to be changed, if the rule that runs may.
    fn open_deck(&mut self, id: &DeckId, what: &str) -> Result<Deck, Fault> {
        self.permit(Effects::DRAWS, what)?;
        let deck = self.deck(id)?.clone();
        match self.guard.owner {
            Some(side) if id.of != Some(side) => {
                let whose = id.of.map_or("the table's".into(), |side| {
                    self.viewer_word(Viewer::Side(side))
                });
                let message = format!(
                    "expected a deck of side `{}` in its secret phase, found `{}`, which is {whose}",
                    self.side_name(side),
                    id.deck
                );
                Err(Fault::new(FaultCode::NotYours, message).hint(
                    "deal from a deck that is shared before the phase or after it, or declare one for each \
                     side: `of: Side`",
                ))
            }
            _ => Ok(deck),
        }
    }

    fn close_deck(&mut self, id: &DeckId, deck: Deck) {
        self.stamp_decks();
        Arc::make_mut(&mut self.decks).insert(id.clone(), deck);
    }

    /// The decks lie otherwise than before.
    pub(super) fn stamp_decks(&mut self) {
        self.decks_at = Stamp::fresh();
        self.forget_answers();
    }

    fn no_deck(&self, id: &DeckId) -> Fault {
        let unknown = |message| Fault::new(FaultCode::UnknownPot, message);
        match (self.book.decks.get(&id.deck), id.of) {
            (Some(kind), None) if kind.is_each => unknown(format!(
                "expected the side whose deck `{}` is meant, for each has its own, found none",
                id.deck
            )),
            (Some(kind), Some(side)) if kind.is_each => unknown(format!(
                "expected a side of the game, one of {}, to have a deck `{}`, found number {}",
                self.world.sides().join(", "),
                id.deck,
                side.0
            )),
            (Some(_), _) => unknown(format!(
                "expected no side, for the deck `{}` is the table's, found one",
                id.deck
            )),
            (None, _) => {
                let fault = unknown(format!("no mod declares the deck `{}`", id.deck));
                match closest(&id.deck, self.book.decks.keys().map(|id| &**id)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                }
            }
        }
    }
}

/// The decks that a game begins with.
pub(super) fn full_decks(kinds: &BTreeMap<Name, DeckKind>, sides: usize) -> BTreeMap<DeckId, Deck> {
    ids(kinds, sides)
        .map(|(id, kind)| (id, Deck::full(kind)))
        .collect()
}

/// The decks that a game of so many sides has.
pub(crate) fn ids(
    kinds: &BTreeMap<Name, DeckKind>,
    sides: usize,
) -> impl Iterator<Item = (DeckId, &DeckKind)> {
    kinds.iter().flat_map(move |(deck, kind)| {
        let all = (0..sides)
            .filter_map(|side| u8::try_from(side).ok())
            .map(|side| Some(Side(side)));
        let owners: Vec<Option<Side>> = if kind.is_each {
            all.collect()
        } else {
            vec![None]
        };
        owners.into_iter().map(move |of| {
            (
                DeckId {
                    deck: deck.clone(),
                    of,
                },
                kind,
            )
        })
    })
}
