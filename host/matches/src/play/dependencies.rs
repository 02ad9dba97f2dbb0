//! What each decision of a match has reached: the rules that were called, the
//! rows that were read, the windows that were open. After a change of mods it
//! tells which decisions may come out in another way.
//!
//! Only taking an input counts: whether it was allowed, and all that followed.
//! What somebody looked at before they decided changes no decision that was
//! made.

use std::collections::BTreeSet;
use std::rc::Rc;

use kernel::cells::CellSet;
use kernel::value::Name;
use rustc_hash::FxHashMap;

use rules::rulebook::Rulebook;
use rules::rulebook::host::Marks;

/// What the things that can be reached are called.
pub mod mark {
    use std::sync::Arc;

    use kernel::value::Name;

    /// A rule that was called.
    pub fn rule(id: &str) -> Name {
        Arc::from(format!("rule {id}"))
    }

    /// All rows of a table.
    pub fn rows(table: &str) -> Name {
        Arc::from(format!("rows {table}"))
    }

    /// A row that a table does not have.
    pub fn miss(table: &str) -> Name {
        Arc::from(format!("miss {table}"))
    }

    /// A window that was open.
    pub fn window(id: &str) -> Name {
        Arc::from(format!("window {id}"))
    }
}

/// What a change of mods may have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invalidation {
    /// It cannot be told: everything.
    Everything,
    /// What has one of these marks.
    These(BTreeSet<Name>),
}

/// Does some work, and notes what it reaches if the rulebook is to.
pub(super) fn noting<T>(rulebook: &Rulebook, work: impl FnOnce() -> T) -> (T, Option<Marks>) {
    match rulebook.notes_dependencies() {
        true => reaching(rulebook, work),
        false => (work(), None),
    }
}

/// Does some work, and notes what it reaches; nothing where that cannot be told.
pub(super) fn reaching<T>(rulebook: &Rulebook, work: impl FnOnce() -> T) -> (T, Option<Marks>) {
    let is_started = rulebook.host().start_reaching().is_ok();
    let result = work();
    let marks = rulebook.host().stop_reaching().ok();
    (result, marks.filter(|_| is_started))
}

/// Does some work, and tells the marks of all that it reached; nothing where that cannot be told. What somebody
/// looked at before they decided counts too.
pub fn marks_behind<T>(
    rulebook: &Rulebook,
    work: impl FnOnce() -> T,
) -> (T, Option<BTreeSet<Name>>) {
    let (result, notes) = reaching(rulebook, work);
    let marks = notes.and_then(|notes| {
        let marks = notes.iter().map(|note| mark_of(rulebook, note));
        marks.collect::<Option<BTreeSet<_>>>()
    });
    (result, marks)
}

/// The mark of what the host of a rulebook notes.
fn mark_of(rulebook: &Rulebook, note: &[u8]) -> Option<Name> {
    let text = std::str::from_utf8(note).ok()?;
    Some(match rulebook.running().marked_layer(text) {
        Some(layer) => mark::rule(&layer.rule),
        None => Name::from(text),
    })
}

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct NumberSet(Vec<u64>);

impl Invalidation {
    /// Whether nothing that has these marks is other than it was; what is not known may be.
    pub fn spares(&self, dependencies: Option<&BTreeSet<Name>>) -> bool {
        match (self, dependencies) {
            (Invalidation::These(marks), Some(dependencies)) => marks.is_disjoint(dependencies),
            _ => false,
        }
    }
}

impl NumberSet {
    fn insert(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    fn intersects(&self, other: &NumberSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// What one decision has reached; `None` if it was not noted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Dependencies {
    /// Of the rules.
    marks: Option<NumberSet>,
    /// Of the state.
    cells: Option<Rc<CellSet>>,
}

impl Dependencies {
    fn intersects(&self, invalidated: &NumberSet) -> bool {
        self.marks
            .as_ref()
            .is_none_or(|numbers| numbers.intersects(invalidated))
    }

    /// Of the state, too.
    pub fn and_cells(self, cells: Option<CellSet>) -> Dependencies {
        Dependencies {
            cells: cells.map(Rc::new),
            ..self
        }
    }
}

/// What the decisions of a match have reached.
#[derive(Debug, Default)]
pub(super) struct DependencyLog {
    /// The number of each mark.
    numbers: FxHashMap<Name, usize>,
    /// The numbers of what the host of the rulebook in force notes.
    by_note: FxHashMap<Box<[u8]>, usize>,
    /// Before the first decision.
    pub start: Dependencies,
    /// In each decision.
    pub decisions: Vec<Dependencies>,
    /// From this decision on, from 1, what was reached was reached under other
    /// rules than those in force; 0 for the beginning.
    pub stale: Option<usize>,
}

impl DependencyLog {
    /// Of so many decisions nothing is known.
    pub fn unknown(decisions: usize) -> DependencyLog {
        DependencyLog {
            decisions: vec![Dependencies::default(); decisions],
            ..DependencyLog::default()
        }
    }

    /// Without decisions, but with all numbers.
    pub fn begun(&self) -> DependencyLog {
        DependencyLog {
            numbers: self.numbers.clone(),
            start: self.start.clone(),
            ..DependencyLog::default()
        }
    }

    /// Another rulebook is in force, whose host has notes of its own.
    pub fn changes_rulebook(&mut self) {
        self.by_note.clear();
    }

    /// What a host has noted, with windows that were open already.
    pub fn noted<'a>(
        &mut self,
        rulebook: &Rulebook,
        notes: Option<Marks>,
        windows: impl Iterator<Item = &'a Name>,
    ) -> Dependencies {
        let Some(notes) = notes else {
            return Dependencies::default();
        };
        let mut numbers = NumberSet::default();
        for note in &notes {
            match self.number_of(rulebook, note) {
                Some(number) => numbers.insert(number),
                None => return Dependencies::default(),
            }
        }
        for window in windows {
            numbers.insert(self.number(mark::window(window)));
        }
        Dependencies {
            marks: Some(numbers),
            cells: None,
        }
    }

    /// The number of what the host of the rulebook in force notes.
    fn number_of(&mut self, rulebook: &Rulebook, note: &[u8]) -> Option<usize> {
        if let Some(number) = self.by_note.get(note) {
            return Some(*number);
        }
        let number = self.number(mark_of(rulebook, note)?);
        self.by_note.insert(Box::from(note), number);
        Some(number)
    }

    fn number(&mut self, name: Name) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name).or_insert(next)
    }

    /// Whether a decision has read and written none of these cells.
    pub fn is_clear_of(&self, cells: &CellSet, decision: usize) -> bool {
        let known = self.decisions.get(decision);
        known
            .and_then(|known| known.cells.as_ref())
            .is_some_and(|touched| !touched.meets(cells))
    }

    /// Forgets all decisions after the first so many.
    pub fn truncate(&mut self, keep: usize) {
        self.decisions.truncate(keep);
        // What is gone cannot be out of date.
        self.stale = self.stale.filter(|stale| *stale <= keep);
    }

    /// Which decisions may come out in another way.
    pub fn affected_by(&self, invalidation: &Invalidation) -> Affected {
        let Invalidation::These(marks) = invalidation else {
            return Affected {
                is_start: true,
                decisions: vec![true; self.decisions.len()],
                stale: Some(0),
            };
        };
        let mut numbers = NumberSet::default();
        marks
            .iter()
            .filter_map(|name| self.numbers.get(name))
            .for_each(|number| numbers.insert(*number));
        Affected {
            is_start: self.stale == Some(0) || self.start.intersects(&numbers),
            decisions: self
                .decisions
                .iter()
                .map(|dependencies| dependencies.intersects(&numbers))
                .collect(),
            stale: self.stale,
        }
    }

    /// The rules have changed, and the past stays as it was.
    pub fn leave_past(&mut self, invalidation: &Invalidation) {
        let affected = self.affected_by(invalidation);
        let first = match affected.is_start {
            true => Some(0),
            false => affected
                .decisions
                .iter()
                .position(|may_differ| *may_differ)
                .map(|place| place + 1),
        };
        self.stale = [self.stale, first].into_iter().flatten().min();
    }
}

/// Which decisions may come out in another way.
pub(super) struct Affected {
    /// Whether what comes before the first may.
    pub is_start: bool,
    /// Each decision.
    pub decisions: Vec<bool>,
    /// From which on, from 1, all may, whatever they come to.
    pub stale: Option<usize>,
}

impl Affected {
    /// Whether all from this decision on may, from 0.
    pub fn is_stale(&self, decision: usize) -> bool {
        self.stale.is_some_and(|stale| decision + 1 >= stale)
    }

    /// Whether a decision may, from 0.
    pub fn may_differ(&self, decision: usize) -> bool {
        self.is_stale(decision) || self.decisions.get(decision).copied().unwrap_or(true)
    }
}
