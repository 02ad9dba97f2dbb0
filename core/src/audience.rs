//! Audiences: to whom something is told, and what that gives away.
//!
//! What is told rests on what was read. Where that was hidden from somebody
//! who is told, whoever declares it says what it reveals, and that the printed
//! rule means it to; a test that traces what is read finds the rest.

use std::cell::{self, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::deck::Pile;
use crate::stamp::Stamp;
use crate::value::{EntityId, Name, Side};
use crate::world::Viewers;

/// To whom a roll, a draw or an event is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audience {
    /// Who learns of it at all.
    pub to: Viewers,
    /// Fields that only these of them see.
    pub only: BTreeMap<Name, Viewers>,
    /// What it gives away of what others may not see, by the printed rule.
    pub reveals: Option<Name>,
}

impl Default for Audience {
    fn default() -> Audience {
        Audience::to(Viewers::ALL)
    }
}

impl Audience {
    /// These, who see all of it.
    pub fn to(viewers: Viewers) -> Audience {
        Audience {
            to: viewers,
            only: BTreeMap::new(),
            reveals: None,
        }
    }

    /// The same, where only these see a field.
    #[must_use]
    pub fn only(mut self, field: &str, viewers: Viewers) -> Audience {
        self.only.insert(Name::from(field), viewers);
        self
    }

    /// Who sees a field.
    pub fn of(&self, field: &str) -> Viewers {
        self.only.get(field).copied().unwrap_or(Viewers::ALL)
    }
}

/// To whom an action or a parameter of it is told, as its declaration says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// All who know of the one who acts.
    All,
    /// The side that acts.
    Owner,
    /// Nobody but the referee.
    Nobody,
}

impl Share {
    /// The words for all of them.
    pub const WORDS: [&'static str; 3] = ["all", "owner", "nobody"];

    /// Those whom it means where a side acts.
    pub fn viewers(self, by: Side) -> Viewers {
        match self {
            Share::All => Viewers::ALL,
            Share::Owner => Viewers::side(by),
            Share::Nobody => Viewers::NONE,
        }
    }

    /// The one that a word means.
    pub fn from_word(word: &str) -> Option<Share> {
        match word {
            "all" => Some(Share::All),
            "owner" => Some(Share::Owner),
            "nobody" => Some(Share::Nobody),
            _ => None,
        }
    }
}

/// Something that a rule reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// That an entity exists.
    Existence(EntityId),
    /// What it is called.
    Naming(EntityId),
    /// An attribute, by slot.
    Attribute(EntityId, u16),
    /// The cards of a pile of a deck, by its place among all decks.
    Cards(usize, Pile),
    /// How many cards lie there.
    Count(usize, Pile),
}

impl Cell {
    /// The number of a pile, by which an answer keeps that it was looked at.
    pub(crate) fn pile_number(place: usize, pile: Pile, is_counted: bool) -> u32 {
        // There are at most as many decks as sides and declarations.
        (place as u32) << 2 | u32::from(pile == Pile::Discard) << 1 | u32::from(is_counted)
    }

    /// The pile of a number.
    pub(crate) fn of_pile(number: u32) -> Cell {
        let place = (number >> 2) as usize;
        let pile = match number & 2 {
            0 => Pile::Stock,
            _ => Pile::Discard,
        };
        match number & 1 {
            0 => Cell::Cards(place, pile),
            _ => Cell::Count(place, pile),
        }
    }
}

/// Those who may see all that was read; while somebody watches, also the cells that
/// were read and that not everybody may see, with those who could when they were read.
///
/// Whoever keeps answers of rules must note their reads again, once for each of
/// these: see `query`.
#[derive(Clone, Debug)]
pub(crate) struct Reads {
    narrowest: cell::Cell<Viewers>,
    /// What is public is not worth a note.
    cells: Option<RefCell<BTreeMap<Cell, Viewers>>>,
    epoch: Stamp,
}

impl Reads {
    /// Nothing was read yet. The cells are kept if somebody watches.
    pub fn begun(is_watched: bool) -> Reads {
        Reads {
            narrowest: cell::Cell::new(Viewers::ALL),
            cells: is_watched.then(RefCell::default),
            epoch: Stamp::fresh(),
        }
    }

    /// Whether the cells are kept.
    pub fn keeps_cells(&self) -> bool {
        self.cells.is_some()
    }

    /// Notes that a cell was read which these may see.
    pub fn note(&self, cell: Cell, viewers: Viewers) {
        if viewers == Viewers::ALL {
            return;
        }
        self.narrow(viewers);
        if let Some(cells) = &self.cells {
            cells.borrow_mut().insert(cell, viewers);
        }
    }

    /// Notes that something was read all of which these may see.
    pub fn narrow(&self, viewers: Viewers) {
        self.narrowest.set(self.narrowest.get().both(viewers));
    }

    /// Those who may see all that was read.
    pub fn narrowest(&self) -> Viewers {
        self.narrowest.get()
    }

    /// By which these are told from others.
    pub fn epoch(&self) -> Stamp {
        self.epoch
    }

    /// What was read, while somebody watches.
    pub fn cells(&self) -> Vec<(Cell, Viewers)> {
        let cells = self.cells.as_ref().map(RefCell::borrow);
        let cells = cells.iter().flat_map(|cells| cells.iter());
        cells.map(|(cell, viewers)| (*cell, *viewers)).collect()
    }
}

/// Something that is told to more than may see what it rests on, where no
/// declaration says what it reveals.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Widening {
    /// The step, or the action whose parameter it is.
    pub step: Name,
    /// The innermost rule or clause that ran.
    pub rule: Name,
    /// What is told: the kind of the event, or the parameter.
    pub subject: Name,
    /// What was read that not all of them may see: `skirmish.gun.ammo`.
    pub cells: BTreeSet<Name>,
}

/// The widenings that were met while a game was watched.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideningWatch {
    pub found: BTreeSet<Widening>,
}
