//! What has changed for a viewer since it last looked, without making two
//! whole views and comparing them.
//!
//! A row that nobody has written since is the same object, so only rows that
//! are another object are looked at. Whoever begins to see more, or plays a
//! secret phase, gets everything compared.

use crate::engine::Seen;
use crate::game::Game;
use crate::value::EntityId;
use crate::world::{EntityRows, Viewer};

/// What a game was like when a viewer looked at it.
#[derive(Clone, Debug, Default)]
pub struct Glance {
    rows: EntityRows,
    sighted: Vec<EntityId>,
    is_secret: bool,
}

impl Game {
    /// What the game is like now, to be compared with later.
    pub fn glance(&self, viewer: Viewer) -> Glance {
        Glance {
            rows: self.world.rows().clone(),
            sighted: self
                .sighted(viewer)
                .map(<[EntityId]>::to_vec)
                .unwrap_or_default(),
            is_secret: self.flow.is_secret(),
        }
    }

    /// The entities that may look otherwise to a viewer than they did before,
    /// or are new, or gone; `None` if all may.
    pub fn changed_since(&self, viewer: Viewer, before: &Glance) -> Option<Vec<EntityId>> {
        let sighted = self.sighted(viewer).unwrap_or_default();
        if self.flow.is_secret() || before.is_secret || *sighted != before.sighted {
            return None;
        }
        let slots = self.world.rows().other_than(&before.rows);
        Some(
            slots
                .into_iter()
                .map(|slot| EntityId(slot as u32))
                .collect(),
        )
    }

    /// One entity as a viewer sees it; `None` if it does not.
    pub fn seen_one(&self, viewer: Viewer, entity: EntityId) -> Option<Seen> {
        let handle = self.handle(viewer, entity)?;
        self.is_seen(viewer, entity)
            .then(|| self.seen(viewer, handle, entity))
    }
}
