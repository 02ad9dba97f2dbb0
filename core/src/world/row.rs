//! One entity's attributes.

use crate::digest::StateHash;
use crate::stamp::Stamp;
use crate::value::{Name, Side, Value};
use crate::world::{FirstViewers, Kind, Viewers};

/// The attributes of one entity, and who sees them.
#[derive(Clone, Debug)]
pub struct Row {
    /// The slot of its kind.
    pub kind: u16,
    /// Its name, which is its identity.
    pub name: Name,
    /// Whether it is in the world.
    pub is_alive: bool,
    /// Its attributes, by slot.
    pub values: Vec<Value>,
    /// Who sees each attribute, by slot.
    pub viewers: Vec<Viewers>,
    /// Who sees that it exists.
    pub existence: Viewers,
    /// Its digest, while that is fresh.
    pub(crate) digest: Option<StateHash>,
    /// The stamp of each attribute: of its value, and of who sees it.
    pub(crate) stamps: Vec<Stamp>,
    /// The stamp of its being there, and of who knows of it.
    pub(crate) being: Stamp,
}

impl Row {
    pub(super) fn new(
        kind: &Kind,
        slot: u16,
        name: Name,
        values: Vec<Value>,
        owner: Option<Side>,
    ) -> Row {
        let being = Stamp::fresh();
        Row {
            stamps: vec![being; values.len()],
            being,
            kind: slot,
            name,
            is_alive: true,
            values,
            viewers: kind
                .attributes
                .iter()
                .map(|a| Row::first(a.viewers, owner))
                .collect(),
            existence: Row::first(kind.existence, owner),
            digest: None,
        }
    }

    pub(super) fn first(viewers: FirstViewers, owner: Option<Side>) -> Viewers {
        match (viewers, owner) {
            (FirstViewers::All, _) => Viewers::ALL,
            (FirstViewers::Owner, Some(side)) => Viewers::side(side),
            (FirstViewers::Owner, None) | (FirstViewers::Nobody, _) => Viewers::NONE,
        }
    }
}
