//! One entity's attributes.

use crate::digest::StateHash;
use crate::stamp::Stamp;
use crate::value::{Name, Side, Value};
use crate::world::size::parts_of;
use crate::world::{FirstViewers, Kind, Pieces, Viewers};

/// One attribute of an entity. All of it lies together: who reads the value asks
/// who sees it, and notes the stamp.
#[derive(Clone, Debug)]
pub struct RowCell {
    /// What it holds.
    pub value: Value,
    /// Who sees it.
    pub viewers: Viewers,
    /// Of its value, and of who sees it.
    pub(crate) stamp: Stamp,
}

/// In the place of the slot of a kind: that of an entity that is gone, and whose
/// kind no rules declare any more. No kind has it.
pub(crate) const NO_KIND: u16 = u16::MAX;

/// The attributes of one entity, and who sees them.
#[derive(Clone, Debug)]
pub struct Row {
    /// The slot of its kind; none that any kind has where the entity is gone and its
    /// kind is declared no more.
    pub kind: u16,
    /// Its name, which is its identity.
    pub name: Name,
    /// Whether it is in the world.
    pub is_alive: bool,
    /// Its attributes, by slot. Of the hundred that a kind may have few are written at a
    /// time, and only the pieces in which those lie are copied for it.
    pub cells: Pieces<RowCell, 8>,
    /// Who sees that it exists.
    pub existence: Viewers,
    /// Its digest, while that is fresh.
    pub(crate) digest: Option<StateHash>,
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
        let cell = |(value, viewers)| RowCell {
            value,
            viewers,
            stamp: being,
        };
        let viewers = kind.attributes.iter().map(|a| Row::first(a.viewers, owner));
        Row {
            being,
            kind: slot,
            name,
            is_alive: true,
            cells: values.into_iter().zip(viewers).map(cell).collect(),
            existence: Row::first(kind.existence, owner),
            digest: None,
        }
    }

    /// How much it holds.
    pub(super) fn parts(&self) -> u64 {
        let cells = self.cells.iter().map(|cell| parts_of(&cell.value));
        1 + cells.sum::<u64>()
    }

    pub(super) fn first(viewers: FirstViewers, owner: Option<Side>) -> Viewers {
        match (viewers, owner) {
            (FirstViewers::All, _) => Viewers::ALL,
            (FirstViewers::Owner, Some(side)) => Viewers::side(side),
            (FirstViewers::Owner, None) | (FirstViewers::Nobody, _) => Viewers::NONE,
        }
    }
}
