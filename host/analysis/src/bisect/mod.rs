//! The one change among many that makes the difference.
//!
//! Between two selections of rules lie changes: clauses that are on in one of
//! them, and options that have another value. They are put in an order in which
//! what a clause requires comes before it; then half of what is left is tried
//! again and again, so that so many games are played as the number of changes
//! has binary digits. What is tried is a scenario, a case or a golden.

mod trials;

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::event::EventContent;
use kernel::value::{Name, Value, owner_of};
use kernel::world::NoEntities;
use matches::workshop::{Overrides, Workshop};
use rules::modset::manifest::Requirement;
use rules::modset::selector::{Active, Amendment};
use rules::types::write_value;

use trials::is_of_script;
pub use trials::{CaseTrial, GameTrial, GoldenTrial, Symptom};

/// One change between two selections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SelectionChange {
    /// A clause that is on, with its title.
    On(Name, String),
    /// A clause that is off.
    Off(Name, String),
    /// An option with another value: what it was, and what it is.
    Set(Name, String, String),
    /// A cell of a table that is amended.
    Amended(Amendment),
    /// A cell of a table that is no longer amended.
    Unamended(Amendment),
}

/// What is tried by one selection of rules after another.
pub trait Trial {
    /// what is chosen by some overrides.
    ///
    /// # Errors
    /// What is wrong with them.
    fn active(&mut self, overrides: &Overrides) -> Result<Active, Vec<Fault>>;

    /// What is seen by some rules; `well` is what was seen by the good ones, once that is known.
    ///
    /// # Errors
    /// Why it cannot be told whether it is bad.
    fn seen(
        &mut self,
        overrides: &Overrides,
        well: Option<&Observation>,
    ) -> Result<Observation, NotFound>;
}

/// What is looked for.
pub struct Suspicion<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// A selection by which it is well.
    pub good: &'a Overrides,
    /// One by which it is not.
    pub bad: &'a Overrides,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Culprit {
    /// The change from which on it is bad.
    pub change: SelectionChange,
    /// How many changes there were.
    pub changes: usize,
    /// How many games were played, one by each end among them.
    pub runs: usize,
    /// What was seen by the good rules, by the changes before this one, and
    /// with it.
    pub seen: [String; 2],
}

/// Why nothing was found.
#[derive(Debug)]
pub enum NotFound {
    /// Something is wrong with one of the two selections.
    Faults(Vec<Fault>),
    /// The two are the same.
    NoChange,
    /// It is bad by the good rules too.
    BadBefore(String),
    /// It is well by the bad rules too.
    WellAfter(String),
    /// The expression cannot be read or told.
    Expression(String),
    /// There is nothing to be tried, in words.
    NoTrial(String),
    /// Somebody stopped it.
    Stopped {
        /// How many changes there are.
        changes: usize,
        /// Those that are left, one of which it is; none where not even both ends were tried.
        among: Vec<SelectionChange>,
    },
}

impl From<Vec<Fault>> for NotFound {
    fn from(faults: Vec<Fault>) -> NotFound {
        NotFound::Faults(faults)
    }
}

/// What was seen: whether it is bad, and in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// What the events of a game tell, for comparison with another game.
    pub told: Vec<EventContent>,
    /// What came of it.
    pub outcome: String,
    /// Whether it is bad.
    pub is_bad: bool,
}

impl Observation {
    /// What broke off is bad.
    pub fn broken(fault: &Fault) -> Observation {
        let outcome = match is_of_script(fault) {
            true => format!("its script cannot be played to its end: {}", fault.message),
            false => fault.to_string(),
        };
        Observation {
            told: Vec::new(),
            outcome,
            is_bad: true,
        }
    }
}

impl Suspicion<'_> {
    /// Looks for the change; `tried` is told of each trial, with how many of the
    /// changes were made and whether it was bad, `stop` asked before each.
    ///
    /// # Errors
    /// Why nothing was found.
    pub fn culprit(
        &self,
        trial: &mut dyn Trial,
        tried: &mut dyn FnMut(usize, bool),
        stop: &dyn Fn() -> bool,
    ) -> Result<Culprit, NotFound> {
        let (good, bad) = (trial.active(self.good)?, trial.active(self.bad)?);
        let changes = self.changes(&good, &bad);
        if changes.is_empty() {
            return Err(NotFound::NoChange);
        }
        let unless_stopped = |among: &[SelectionChange]| match stop() {
            true => Err(NotFound::Stopped {
                changes: changes.len(),
                among: among.to_vec(),
            }),
            false => Ok(()),
        };
        unless_stopped(&[])?;
        let before = trial.seen(&self.with_changes(&changes, 0, &good), None)?;
        if before.is_bad {
            return Err(NotFound::BadBefore(before.outcome));
        }
        let mut with =
            |made: usize| trial.seen(&self.with_changes(&changes, made, &good), Some(&before));
        unless_stopped(&[])?;
        let after = with(changes.len())?;
        if !after.is_bad {
            return Err(NotFound::WellAfter(after.outcome));
        }
        // Each end has been tried.
        let (mut low, mut high, mut runs) = (0, changes.len(), 2);
        let mut outcomes = [before.outcome.clone(), after.outcome];
        while high - low > 1 {
            unless_stopped(&changes[low..high])?;
            let middle = low + (high - low) / 2;
            let seen = with(middle)?;
            runs += 1;
            tried(middle, seen.is_bad);
            outcomes[usize::from(seen.is_bad)] = seen.outcome;
            if seen.is_bad {
                high = middle
            } else {
                low = middle
            }
        }
        Ok(Culprit {
            change: changes[low].clone(),
            changes: changes.len(),
            runs,
            seen: outcomes,
        })
    }

    /// What is on or set in one of two selections, so that what a clause
    /// requires comes before it.
    fn changes(&self, good: &Active, bad: &Active) -> Vec<SelectionChange> {
        let mut changes = Vec::new();
        let title = |id: &Name| {
            let of_all = self
                .workshop
                .manifests()
                .values()
                .flat_map(|manifest| manifest.clauses());
            let found = of_all.into_iter().find(|(_, clause)| clause.id == *id);
            found.map_or_else(String::new, |(_, clause)| clause.title.to_string())
        };
        changes.extend(
            good.clauses
                .difference(&bad.clauses)
                .map(|id| SelectionChange::Off(id.clone(), title(id))),
        );
        for id in self.in_order(&bad.clauses) {
            if !good.clauses.contains(&id) {
                let title = title(&id);
                changes.push(SelectionChange::On(id, title));
            }
        }
        for (id, value) in &bad.options {
            // A mod that only the bad rules have is there all along, with its options as usual.
            let was = good.options.get(id).or_else(|| self.usual(id));
            if let Some(was) = was.filter(|was| *was != value) {
                let (was, is) = (option_text(was), option_text(value));
                changes.push(SelectionChange::Set(id.clone(), was, is));
            }
        }
        let less = good.amends.iter().filter(|one| !bad.amends.contains(one));
        changes.extend(less.cloned().map(SelectionChange::Unamended));
        let more = bad.amends.iter().filter(|one| !good.amends.contains(one));
        changes.extend(more.cloned().map(SelectionChange::Amended));
        changes
    }

    /// What an option is when nothing is said.
    fn usual(&self, id: &Name) -> Option<&Value> {
        let manifest = self.workshop.manifests().get(owner_of(id))?;
        Some(&manifest.option(id)?.default)
    }

    /// Clauses so that what each requires comes before it.
    fn in_order(&self, clauses: &BTreeSet<Name>) -> Vec<Name> {
        let manifests = self.workshop.manifests();
        let of_group = |module: &Name, group: &Name| {
            let found = manifests
                .get(module)
                .and_then(|manifest| manifest.group(group));
            let clauses = found.into_iter().flat_map(|group| &group.clauses);
            clauses
                .filter(|clause| clause.default)
                .map(|clause| clause.id.clone())
                .collect::<Vec<_>>()
        };
        let required = |requirement: &Requirement| match requirement {
            Requirement::Clause(id) => vec![id.clone()],
            Requirement::Group { module, group } => of_group(module, group),
        };
        let all = manifests.values().flat_map(|manifest| manifest.clauses());
        let requires: BTreeMap<&Name, Vec<Name>> = all
            .map(|(_, clause)| {
                (
                    &clause.id,
                    clause.requires.iter().flat_map(required).collect(),
                )
            })
            .collect();
        let mut placed: Vec<Name> = Vec::new();
        let mut left: Vec<Name> = clauses.iter().cloned().collect();
        while !left.is_empty() {
            let is_ready = |id: &Name| {
                let required = requires.get(id).into_iter().flatten();
                required
                    .into_iter()
                    .all(|other| placed.contains(other) || !clauses.contains(other))
            };
            let (ready, rest): (Vec<Name>, Vec<Name>) = left.iter().cloned().partition(is_ready);
            // Clauses that require each other in a circle come as they are called.
            let (ready, rest) = if ready.is_empty() {
                (rest, Vec::new())
            } else {
                (ready, rest)
            };
            placed.extend(ready);
            left = rest;
        }
        placed
    }

    /// The overrides of the good rules with the first of the changes: all mods of
    /// both, and of their clauses those that are then on.
    fn with_changes(&self, changes: &[SelectionChange], made: usize, good: &Active) -> Overrides {
        let mut overrides = Overrides {
            with: self
                .good
                .with
                .iter()
                .chain(&self.bad.with)
                .cloned()
                .collect(),
            turns: self.bad.turns,
            seed: self.bad.seed,
            amends: good.amends.clone(),
            ..Overrides::default()
        };
        for (place, change) in changes.iter().enumerate() {
            let is_made = place < made;
            match change {
                SelectionChange::On(id, _) if !is_made => overrides.force_without.push(id.clone()),
                SelectionChange::Off(id, _) if is_made => overrides.force_without.push(id.clone()),
                SelectionChange::Set(id, was, is) => {
                    overrides
                        .options
                        .push((id.clone(), if is_made { is.clone() } else { was.clone() }));
                }
                SelectionChange::Amended(one) if is_made => overrides.amends.push(one.clone()),
                SelectionChange::Unamended(one) if is_made => {
                    overrides.amends.retain(|there| there != one)
                }
                _ => {}
            }
        }
        // Options of both that do not differ stay as they were said.
        for (id, value) in &good.options {
            let is_given = self.good.options.iter().any(|(given, _)| given == id);
            if is_given && overrides.options.iter().all(|(known, _)| known != id) {
                overrides.options.push((id.clone(), option_text(value)));
            }
        }
        overrides
    }
}

/// A value as it is typed after `=`.
fn option_text(value: &Value) -> String {
    write_value(value, &NoEntities)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use matches::tally::Players;

    use super::*;

    #[test]
    fn a_search_that_is_stopped_says_what_is_left() {
        let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/fixtures");
        let (workshop, faults) = Workshop::open(&[mods]);
        assert!(faults.is_empty(), "{faults:?}");
        let found = workshop.scenario("noon").unwrap();
        let needed = |with: &[&str]| Overrides {
            with: with.iter().map(ToString::to_string).collect(),
            options: vec![("duel.fire.needed".into(), "6".into())],
            ..Overrides::default()
        };
        let suspicion = Suspicion {
            workshop: &workshop,
            good: &needed(&[]),
            bad: &needed(&["snipers"]),
        };
        let stopped_after = |most: u32| {
            let mut trial = GameTrial {
                workshop: &workshop,
                found: &found,
                players: &Players::default(),
                symptom: Symptom::Differs,
            };
            let (asked, mut tried) = (Cell::new(0), 0);
            let stop = || asked.replace(asked.get() + 1) >= most;
            match suspicion.culprit(&mut trial, &mut |_, _| tried += 1, &stop) {
                Err(NotFound::Stopped { changes, among }) => (changes, among.len(), tried),
                other => panic!("{other:?}"),
            }
        };
        // Before both ends were tried nothing is known.
        assert_eq!(stopped_after(0), (2, 0, 0));
        assert_eq!(stopped_after(1), (2, 0, 0));
        assert_eq!(stopped_after(2), (2, 2, 0));
    }
}
