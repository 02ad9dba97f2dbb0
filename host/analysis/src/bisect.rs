//! The one change among many that makes the difference.
//!
//! Between two selections of rules lie changes: clauses that are on in one of
//! them, and options that have another value. They are put in an order in which
//! what a clause requires comes before it; then half of what is left is tried
//! again and again, so that so many games are played as the number of changes
//! has binary digits.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::{Name, Value};
use matches::odds::By;
use matches::play::{Match, run_script};
use matches::scenario::chance_of;
use matches::tally::{Players, play_out};
use matches::workshop::{Found, Overrides, Workshop};
use rules::modset::manifest::Requirement;
use rules::modset::selector::{Active, Amendment};
use rules::types::{Unit, print_value};

/// One change between two selections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
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

/// What is held to be bad.
pub enum Symptom<'a> {
    /// An expression over the end of a game that comes out yes.
    Holds(&'a str),
    /// That the game tells something else than by the good rules.
    Differs,
}

/// What is looked for.
pub struct Suspicion<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// The scenario.
    pub found: &'a Found,
    /// A selection by which it is well.
    pub good: &'a Overrides,
    /// One by which it is not.
    pub bad: &'a Overrides,
    /// Who decides where there is no script.
    pub players: &'a Players,
    /// What is held to be bad.
    pub symptom: Symptom<'a>,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Culprit {
    /// The change from which on it is bad.
    pub change: Change,
    /// How many changes there were.
    pub changes: usize,
    /// How many games were played between the two ends.
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
}

impl From<Vec<Fault>> for NotFound {
    fn from(faults: Vec<Fault>) -> NotFound {
        NotFound::Faults(faults)
    }
}

/// What was seen of a game: whether it is bad, and in words.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    told: Vec<String>,
    outcome: String,
    is_bad: bool,
}

impl Suspicion<'_> {
    /// Looks for the change; `tried` is told of each game, with how many of the
    /// changes were made and whether it was bad.
    ///
    /// # Errors
    /// Why nothing was found.
    pub fn culprit(&self, tried: &mut dyn FnMut(usize, bool)) -> Result<Culprit, NotFound> {
        let (good, bad) = (self.active(self.good)?, self.active(self.bad)?);
        let changes = self.changes(&good, &bad);
        if changes.is_empty() {
            return Err(NotFound::NoChange);
        }
        let before = self.seen(&changes, 0, &good, None)?;
        if before.is_bad {
            return Err(NotFound::BadBefore(before.outcome));
        }
        let after = self.seen(&changes, changes.len(), &good, Some(&before))?;
        if !after.is_bad {
            return Err(NotFound::WellAfter(after.outcome));
        }
        let (mut low, mut high, mut runs) = (0, changes.len(), 0);
        let mut outcomes = [before.outcome.clone(), after.outcome];
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let seen = self.seen(&changes, middle, &good, Some(&before))?;
            runs += 1;
            tried(middle, seen.is_bad);
            outcomes[usize::from(seen.is_bad)] = seen.outcome;
            if seen.is_bad { high = middle } else { low = middle }
        }
        Ok(Culprit { change: changes[low].clone(), changes: changes.len(), runs, seen: outcomes })
    }

    fn active(&self, wishes: &Overrides) -> Result<Active, Vec<Fault>> {
        self.workshop.request(&self.found.scenario, wishes)?.resolve(self.workshop.manifests())
    }

    /// What is on or set in one of two selections, so that what a clause
    /// requires comes before it.
    fn changes(&self, good: &Active, bad: &Active) -> Vec<Change> {
        let mut changes = Vec::new();
        let title = |id: &Name| {
            let of_all = self.workshop.manifests().values().flat_map(|manifest| manifest.clauses());
            let found = of_all.into_iter().find(|(_, clause)| clause.id == *id);
            found.map_or_else(String::new, |(_, clause)| clause.title.to_string())
        };
        changes.extend(good.clauses.difference(&bad.clauses).map(|id| Change::Off(id.clone(), title(id))));
        for id in self.in_order(&bad.clauses) {
            if !good.clauses.contains(&id) {
                let title = title(&id);
                changes.push(Change::On(id, title));
            }
        }
        for (id, value) in &bad.options {
            let was = good.options.get(id);
            if was.is_some_and(|was| was != value) {
                let was = was.map(option_text).unwrap_or_default();
                changes.push(Change::Set(id.clone(), was, option_text(value)));
            }
        }
        let less = good.amends.iter().filter(|one| !bad.amends.contains(one));
        changes.extend(less.cloned().map(Change::Unamended));
        let more = bad.amends.iter().filter(|one| !good.amends.contains(one));
        changes.extend(more.cloned().map(Change::Amended));
        changes
    }

    /// Clauses so that what each requires comes before it.
    fn in_order(&self, clauses: &BTreeSet<Name>) -> Vec<Name> {
        let manifests = self.workshop.manifests();
        let of_group = |module: &Name, group: &Name| {
            let found = manifests.get(module).and_then(|manifest| manifest.group(group));
            let clauses = found.into_iter().flat_map(|group| &group.clauses);
            clauses.filter(|clause| clause.default).map(|clause| clause.id.clone()).collect::<Vec<_>>()
        };
        let required = |requirement: &Requirement| match requirement {
            Requirement::Clause(id) => vec![id.clone()],
            Requirement::Group { module, group } => of_group(module, group),
        };
        let all = manifests.values().flat_map(|manifest| manifest.clauses());
        let requires: BTreeMap<&Name, Vec<Name>> = all
            .map(|(_, clause)| (&clause.id, clause.requires.iter().flat_map(required).collect()))
            .collect();
        let mut placed: Vec<Name> = Vec::new();
        let mut left: Vec<Name> = clauses.iter().cloned().collect();
        while !left.is_empty() {
            let is_ready = |id: &Name| {
                let required = requires.get(id).into_iter().flatten();
                required.into_iter().all(|other| placed.contains(other) || !clauses.contains(other))
            };
            let (ready, rest): (Vec<Name>, Vec<Name>) = left.iter().cloned().partition(is_ready);
            // Clauses that require each other in a circle come as they are called.
            let (ready, rest) = if ready.is_empty() { (rest, Vec::new()) } else { (ready, rest) };
            placed.extend(ready);
            left = rest;
        }
        placed
    }

    /// The game with the first of the changes.
    fn seen(
        &self,
        changes: &[Change],
        made: usize,
        good: &Active,
        well: Option<&Seen>,
    ) -> Result<Seen, NotFound> {
        let wishes = self.with_changes(changes, made, good);
        let (chosen, mut setup) = self.workshop.prepare(self.found, &wishes)?;
        let script = &self.found.scenario.script;
        if let Some(chance) = chance_of(script) {
            setup.game.set_chance(chance);
        }
        let mut game = match Match::start(chosen.rulebook, setup) {
            Ok(game) => game,
            Err(fault) => return Ok(broken(&fault)),
        };
        let played = match script.is_empty() {
            true => play_out(&mut game, self.found, self.players),
            false => run_script(&mut game, script),
        };
        if let Err(fault) = played {
            return Ok(broken(&fault));
        }
        self.judged(&game, well)
    }

    fn judged(&self, game: &Match, well: Option<&Seen>) -> Result<Seen, NotFound> {
        let told: Vec<String> =
            game.settled_events().iter().map(|event| format!("{} {:?}", event.kind, event.fields)).collect();
        match self.symptom {
            Symptom::Differs => {
                let differs = well.and_then(|well| first_other(&well.told, &told));
                let outcome = match differs {
                    Some(place) if place < told.len() => game.event_text(place, Unit::Inches),
                    Some(_) => "it ends there".into(),
                    None => "as by the good rules".into(),
                };
                Ok(Seen { told, outcome: outcome.trim().to_string(), is_bad: differs.is_some() })
            }
            Symptom::Holds(text) => {
                let find = |name: &str| game.game().world().find(name);
                let by = By::read(text, game.game(), &find);
                let by = by.map_err(|error| NotFound::Expression(error.to_string()))?;
                let found = by.at_end(game.game(), &**game.rulebook(), game.settled_events());
                let found = found.map_err(NotFound::Expression)?;
                let outcome = format!("{text}: {}", print_value(&found, game.game(), Unit::Inches));
                match found {
                    Value::Bool(is_bad) => Ok(Seen { told, outcome, is_bad }),
                    other => Err(NotFound::Expression(format!(
                        "`{text}`: expected yes or no, found {}",
                        other.type_word()
                    ))),
                }
            }
        }
    }

    /// The wishes of the good rules with the first of the changes: all mods of
    /// both, and of their clauses those that are then on.
    fn with_changes(&self, changes: &[Change], made: usize, good: &Active) -> Overrides {
        let mut wishes = Overrides {
            with: self.good.with.iter().chain(&self.bad.with).cloned().collect(),
            turns: self.bad.turns,
            seed: self.bad.seed,
            amends: good.amends.clone(),
            ..Overrides::default()
        };
        for (place, change) in changes.iter().enumerate() {
            let is_made = place < made;
            match change {
                Change::On(id, _) if !is_made => wishes.force_without.push(id.clone()),
                Change::Off(id, _) if is_made => wishes.force_without.push(id.clone()),
                Change::Set(id, was, is) => {
                    wishes.options.push((id.clone(), if is_made { is.clone() } else { was.clone() }));
                }
                Change::Amended(one) if is_made => wishes.amends.push(one.clone()),
                Change::Unamended(one) if is_made => wishes.amends.retain(|there| there != one),
                _ => {}
            }
        }
        // Options of both that do not differ stay as they were said.
        for (id, value) in &good.options {
            let is_said = self.good.options.iter().any(|(said, _)| said == id);
            if is_said && wishes.options.iter().all(|(known, _)| known != id) {
                wishes.options.push((id.clone(), option_text(value)));
            }
        }
        wishes
    }
}

fn broken(fault: &Fault) -> Seen {
    Seen { told: Vec::new(), outcome: fault.to_string(), is_bad: true }
}

/// The place of the first line that is another.
fn first_other(well: &[String], found: &[String]) -> Option<usize> {
    let same = well.iter().zip(found).take_while(|(one, other)| one == other).count();
    (same < well.len().max(found.len())).then_some(same)
}

fn option_text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Bool(yes) => yes.to_string(),
        other => format!("{other:?}"),
    }
}
