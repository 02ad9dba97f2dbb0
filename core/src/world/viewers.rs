//! Sets of viewers: who may see a thing.

use crate::value::Side;

/// Somebody who looks at the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Viewer {
    /// Sees everything.
    Referee,
    /// A side.
    Side(Side),
    /// Sees what all may see.
    Spectator,
}

/// A set of viewers. The referee is always in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Viewers(u64);

const SPECTATOR: u32 = 63;

impl Viewers {
    /// Everybody.
    pub const ALL: Viewers = Viewers(u64::MAX);
    /// Nobody but the referee.
    pub const NONE: Viewers = Viewers(0);

    /// Those who only look on.
    pub const SPECTATOR: Viewers = Viewers(1 << SPECTATOR);

    /// One side alone.
    pub fn side(side: Side) -> Viewers {
        Viewers(Viewers::bit(side))
    }

    /// These and those.
    #[must_use]
    pub fn and(self, other: Viewers) -> Viewers {
        Viewers(self.0 | other.0)
    }

    /// These without those.
    #[must_use]
    pub fn without(self, other: Viewers) -> Viewers {
        Viewers(self.0 & !other.0)
    }

    /// Those who are in both sets.
    #[must_use]
    pub fn both(self, other: Viewers) -> Viewers {
        Viewers(self.0 & other.0)
    }

    /// Whether a viewer is among them.
    pub fn contains(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Referee => true,
            Viewer::Side(side) => self.0 & Viewers::bit(side) != 0,
            Viewer::Spectator => self.0 & (1 << SPECTATOR) != 0,
        }
    }

    /// The bit of a side; none for a side that no game can have.
    fn bit(side: Side) -> u64 {
        if side.0 < 32 { 1 << side.0 } else { 0 }
    }

    /// The set as a number, for hashing.
    pub fn bits(self) -> u64 {
        self.0
    }
}
