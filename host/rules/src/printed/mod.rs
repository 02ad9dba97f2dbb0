//! The printed book: what a composed rulebook says, as a page that people read.
//!
//! Everything in it is taken from what was composed and from the manifests; it
//! lists nothing of its own. [`book`] puts the page together, [`sheet`] the one
//! page to play by, [`changes`] what differs between two rulebooks; [`html`] and
//! [`markdown`] write it.

mod book;
mod changes;
mod grid;
pub mod html;
pub mod markdown;
mod mixes;
mod sequence;
mod sheet;

use kernel::value::Value;
use serde::Serialize;

use crate::data::table::Table;
use crate::modset::manifest::{Clause, Group, Manifest, ModOption};
use crate::modset::manifests::Manifests;
use crate::modset::selector::Active;
use crate::rulebook::Rulebook;

pub use book::book;
pub use changes::changes;
pub use sheet::sheet;

/// A page: its title, and what stands on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// The selector line of the rules.
    pub selector: String,
    /// What stands on it, in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Piece {
    /// A heading.
    Heading {
        /// 1 begins a part, 2 a chapter, 3 what belongs together.
        level: u8,
        /// What it says.
        text: String,
    },
    /// Some words.
    Words {
        /// What they say.
        text: String,
    },
    /// A clause.
    Clause(PrintedClause),
    /// A table.
    Grid(Grid),
    /// What comes one after another, some of it within other.
    Steps {
        /// In order.
        steps: Vec<Step>,
    },
    /// What stood there before, and what stands there now.
    Change {
        /// What it is.
        what: String,
        /// Before; nothing where it is new.
        was: Option<String>,
        /// Now; nothing where it is gone.
        is: Option<String>,
        /// The clauses that make it so.
        by: Vec<String>,
    },
    /// A picture.
    Picture {
        /// As SVG.
        svg: String,
        /// What it shows.
        text: String,
    },
    /// Begins the page that is cut out and laid beside the table.
    Sheet {
        /// What stands on it.
        pieces: Vec<Piece>,
    },
}

/// A clause, as it is printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PrintedClause {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// Its sentence.
    pub text: String,
    /// The printed source.
    pub source: String,
    /// What other clauses in force say of it.
    pub notes: Vec<String>,
}

/// A table, as it is printed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Grid {
    /// The id of the table or the rule; empty where it is of neither.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// The printed source.
    pub source: String,
    /// The heads of its columns.
    pub head: Vec<String>,
    /// How many columns, from the left, say which row it is.
    pub keys: usize,
    /// Its rows.
    pub rows: Vec<Vec<PrintedCell>>,
    /// What the numbers at its cells mean, from 1.
    pub notes: Vec<String>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PrintedCell {
    /// What it says.
    pub text: String,
    /// The number of the note that it bears.
    pub note: Option<usize>,
}

impl PrintedCell {
    /// A cell without a note.
    fn plain(text: impl Into<String>) -> PrintedCell {
        PrintedCell {
            text: text.into(),
            note: None,
        }
    }
}

/// A step of the sequence of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// How deep it lies within others.
    pub depth: usize,
    /// What players call it.
    pub title: String,
    /// How it is played.
    pub how: String,
    /// What can be done in it.
    pub actions: Vec<String>,
}

/// Rules in force: what was chosen, and what it was composed to.
#[derive(Clone, Copy)]
pub struct RulesInForce<'a> {
    /// The manifests of all mods.
    pub manifests: &'a Manifests,
    /// What was chosen.
    pub active: &'a Active,
    /// What it was composed to.
    pub rulebook: &'a Rulebook,
}

impl<'a> RulesInForce<'a> {
    /// The mods that take part, those that others stand on first.
    fn mods(self) -> impl Iterator<Item = &'a Manifest> {
        self.active
            .order
            .mods
            .iter()
            .filter_map(|id| self.manifests.get(id))
    }

    /// The clauses of a group that are in force, as they are printed.
    fn clauses_of(self, group: &'a Group) -> impl Iterator<Item = &'a Clause> {
        group
            .clauses
            .iter()
            .filter(|clause| self.active.clauses.contains(&clause.id))
    }

    /// What an option is set to; nothing where it has no meaning, since its clause is off.
    fn option(self, option: &ModOption) -> Option<&'a Value> {
        let is_of_use = option
            .clause
            .as_ref()
            .is_none_or(|clause| self.active.clauses.contains(clause));
        self.active.options.get(&option.id).filter(|_| is_of_use)
    }

    /// The tables in which something stands. A table can be there without a row, where each of its rows belongs
    /// to a clause that is off.
    fn tables(self) -> impl Iterator<Item = &'a Table> {
        let all = self.rulebook.tables().values();
        all.map(|table| &**table)
            .filter(|table| table.rows().next().is_some())
    }

    /// The clause of an id, of whatever mod.
    fn clause(self, id: &str) -> Option<&'a Clause> {
        self.mods().find_map(|manifest| manifest.clause(id))
    }

    /// What people call a clause, with its id.
    fn named(self, id: &str) -> String {
        match self.clause(id) {
            Some(clause) => format!("{} ({id})", clause.title),
            None => id.to_string(),
        }
    }

    /// What people call these rules.
    fn title(self) -> String {
        let titles: Vec<&str> = self.mods().map(|manifest| &*manifest.title).collect();
        match titles.as_slice() {
            [] => "No rules".into(),
            [one] => (*one).to_string(),
            [base, rest @ ..] => format!("{base} with {}", rest.join(", ")),
        }
    }
}

fn heading(level: u8, text: impl Into<String>) -> Piece {
    Piece::Heading {
        level,
        text: text.into(),
    }
}

fn words(text: impl Into<String>) -> Piece {
    Piece::Words { text: text.into() }
}
