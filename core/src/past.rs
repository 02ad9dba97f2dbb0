//! The state as it was: what a step, or an action of a secret phase, is taken
//! back to.
//!
//! It shares with the present all that has not changed since. There is no other
//! way back: nobody notes what is done to undo it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::chits::Pot;
use crate::deck::{Deck, DeckId};
use crate::digest::StateHasher;
use crate::stamp::Stamp;
use crate::value::{Name, Side};
use crate::world::World;

/// What running rules can change of what there is, as it was.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub world: World,
    pub pots: Arc<BTreeMap<Name, Pot>>,
    pub decks: Arc<BTreeMap<DeckId, Deck>>,
    pub decks_at: Stamp,
    /// How far names are counted, by their stem.
    pub named: Arc<BTreeMap<Name, u32>>,
}

impl Past {
    /// Writes what a side owned.
    pub fn write(&self, side: Side, writer: &mut StateHasher) {
        writer.hash(&self.world.digest_of(side));
        for (id, deck) in self.decks.iter().filter(|(id, _)| id.of == Some(side)) {
            writer.text(&id.deck);
            deck.write(writer);
        }
    }
}
