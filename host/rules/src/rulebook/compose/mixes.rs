//! What pots and decks are made of, once all mods have changed them.

use kernel::chits::Composition;
use kernel::deck::DeckKind;
use kernel::error::{Fault, FaultCode};
use kernel::world::closest;

use super::Composer;
use crate::data::Data;
use crate::data::amended::{MixAmend, MixSort};

impl Composer<'_> {
    /// Changes what pots and decks are made of, in the order of the mods.
    pub(super) fn amend_mixes(&mut self, mods: &[&Data]) {
        for item in mods.iter().flat_map(|data| &data.mix_amends) {
            if !self.is_on(&item.header.cites) {
                continue;
            }
            let amended = self.amend_mix(item);
            self.keep(&item.header.place, amended);
        }
    }

    fn amend_mix(&mut self, item: &MixAmend) -> Result<(), Fault> {
        let id = &item.header.id;
        let held = match item.mix {
            MixSort::Pot => self.book.pots.get(id),
            MixSort::Deck => self.book.decks.get(id).map(DeckKind::cards),
        };
        let held = held.ok_or_else(|| self.no_such_mix(item))?.clone();
        let changes = self.mix_changes.entry(id.clone()).or_default();
        let made = item.apply(&held, changes, self.recipe.stated)?;
        match item.mix {
            MixSort::Pot => drop(self.book.pots.insert(id.clone(), made)),
            MixSort::Deck => self.remake_deck(item, made)?,
        }
        Ok(())
    }

    fn remake_deck(&mut self, item: &MixAmend, cards: Composition) -> Result<(), Fault> {
        let id = &item.header.id;
        let mut made = DeckKind::new(cards)
            .map_err(|error| Fault::new(FaultCode::BadPot, format!("deck `{id}`: {error}")))?;
        if let Some(deck) = self.book.decks.get_mut(id) {
            made.is_each = deck.is_each;
            (made.stock, made.discard, made.size) = (deck.stock, deck.discard, deck.size);
            *deck = made;
        }
        Ok(())
    }

    fn no_such_mix(&self, item: &MixAmend) -> Fault {
        let (word, id) = (item.mix.word(), &item.header.id);
        let fault = Fault::new(
            FaultCode::UnknownPot,
            format!("no mod declares the {word} `{id}`"),
        );
        let near = match item.mix {
            MixSort::Pot => closest(id, self.book.pots.keys().map(|id| &**id)),
            MixSort::Deck => closest(id, self.book.decks.keys().map(|id| &**id)),
        };
        match near {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    }
}
