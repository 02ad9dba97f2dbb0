//! Conflicts that matter: pairs of house rules of which one leaves nothing of the
//! other, or that come out otherwise in another order.
//!
//! A game is played with all of them. Each of its decisions is then made again
//! from the very state in which it was made, with the same dice, by the rules
//! without one of them, without the other, and without both; so what differs
//! there has its cause in these two, and in nothing that happened before. Only
//! pairs are looked at of which both stand behind what the decision reached.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kernel::error::Fault;
use kernel::value::Name;
use matches::play::{Match, Said, clauses_behind, take_line};
use matches::tally::{Players, play_out};
use matches::workshop::{Found, Overrides, Workshop};
use rules::modset::selector::{Pick, Selector};
use rules::rulebook::{Machine, Rulebook};
use rules::types::Unit;

/// For each pair and scenario no more decisions than this are looked at.
const MOST_DECISIONS: usize = 4;

/// One of the house rules that may be in conflict: a mod, a group or a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// As it is selected.
    pub selector: Selector,
    /// Its clauses.
    pub clauses: BTreeSet<Name>,
}

impl Party {
    /// The party of a selector.
    ///
    /// # Errors
    /// When there is no such mod, group or clause.
    pub fn of(workshop: &Workshop, selector: &Selector) -> Result<Party, Fault> {
        let manifest = workshop.manifest(&selector.module)?;
        let mut clauses = BTreeSet::new();
        for (group, clause) in manifest.clauses() {
            let is_taken = match selector.picks.is_empty() {
                true => group.default && clause.default,
                false => selector.picks.iter().any(|pick| match pick {
                    Pick::Group(name) => *name == group.name && clause.default,
                    Pick::Clause(id) => *id == clause.id || (*id == group.id && clause.default),
                }),
            };
            if is_taken {
                clauses.insert(clause.id.clone());
            }
        }
        Ok(Party { selector: selector.clone(), clauses })
    }

    /// Each clause of this party that can be left out, as a party of its own.
    pub fn parts(&self, workshop: &Workshop) -> Vec<Party> {
        let manifest = workshop.manifests().get(&self.selector.module);
        let of_mod = manifest.into_iter().flat_map(|manifest| manifest.clauses());
        let is_here =
            |clause: &rules::modset::manifest::Clause| self.clauses.contains(&clause.id) && !clause.core;
        of_mod
            .filter(|(_, clause)| is_here(clause))
            .map(|(_, clause)| Party {
                selector: Selector {
                    module: self.selector.module.clone(),
                    picks: vec![Pick::Clause(clause.id.clone())],
                },
                clauses: BTreeSet::from([clause.id.clone()]),
            })
            .collect()
    }
}

/// How two of them are in conflict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// The decision comes out otherwise where their mods are in the other order.
    Order,
    /// Each makes a difference, and both together make none.
    Cancel,
    /// The first makes a difference only where the second is off.
    Hides,
}

/// A conflict, with the first decision that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// How they are in conflict.
    pub sort: Sort,
    /// The two, by their places.
    pub parties: [usize; 2],
    /// The scenario.
    pub scenario: String,
    /// The number of the decision, from 1.
    pub decision: usize,
    /// The decision, as a journal has it.
    pub input: String,
    /// By which rules it was made, and the first thing that then differs.
    pub tales: Vec<(Made, String)>,
}

/// By which rules a decision was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Made {
    /// With both.
    Both,
    /// Without the first.
    WithoutFirst,
    /// Without the second.
    WithoutSecond,
    /// Without both.
    Neither,
    /// With both, in the other order.
    Turned,
}

/// What is asked.
pub struct Question<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// What may be in conflict.
    pub parties: &'a [Party],
    /// The rules beside them.
    pub wishes: &'a Overrides,
    /// Who decides in scenarios without a script.
    pub players: &'a Players,
}

/// What was looked at in a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Looked {
    /// Decisions that were made in it.
    pub decisions: usize,
    /// Pairs that stood behind one of them together.
    pub pairs: usize,
    /// Parties without which some decision comes out otherwise.
    pub matter: BTreeSet<usize>,
    /// Parties and pairs of which it cannot be told, since the rules do not compose
    /// without them, or no state fits those.
    pub unfit: usize,
    /// The conflicts, in order.
    pub conflicts: Vec<Conflict>,
}

/// What a decision came to: what was told, or why it could not be made.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Outcome {
    /// Events with their fields, for comparison.
    told: Vec<String>,
    /// The same as a report has them.
    texts: Vec<String>,
}

impl Outcome {
    fn of(told: Vec<String>, texts: Vec<String>) -> Outcome {
        Outcome { told, texts }
    }

    fn stopped(reason: String) -> Outcome {
        Outcome { told: vec![reason.clone()], texts: vec![reason] }
    }

    /// The place of the first thing told that another does not tell there.
    fn first_difference(&self, other: &Outcome) -> usize {
        self.told.iter().zip(&other.told).take_while(|(a, b)| a == b).count()
    }

    /// What is told at a place.
    fn at(&self, place: usize) -> String {
        self.texts.get(place).map_or_else(|| "nothing more".into(), |text| text.trim().to_string())
    }
}

/// The course of a game: each decision, which parties stood behind it, and what
/// it came to.
struct Course {
    game: Match,
    behind: Vec<BTreeSet<usize>>,
    outcomes: Vec<Outcome>,
    unit: Unit,
}

impl Question<'_> {
    /// Looks at one scenario; `stop` is asked before each pair.
    ///
    /// # Errors
    /// What is wrong in the scenario or its mods with all parties together.
    pub fn look(&self, found: &Found, stop: &dyn Fn() -> bool) -> Result<Looked, Vec<Fault>> {
        let all = self.wishes_without(&BTreeSet::new());
        let rulebook = self.workshop.prepare(found, &all)?.0.rulebook;
        let course = self.course(found, &all, &rulebook)?;
        let mut looked = Looked { decisions: course.outcomes.len(), ..Looked::default() };
        let mut machine = None;
        let present: BTreeSet<usize> = course.behind.iter().flatten().copied().collect();
        let mut alone: BTreeMap<usize, BTreeMap<usize, Outcome>> = BTreeMap::new();
        for party in &present {
            if stop() {
                return Ok(looked);
            }
            let where_it_is = (0..course.behind.len()).filter(|place| course.behind[*place].contains(party));
            let made = self.made(found, &course, &BTreeSet::from([*party]), &mut machine, where_it_is);
            looked.unfit += usize::from(made.as_ref().is_none_or(BTreeMap::is_empty));
            let made = made.unwrap_or_default();
            if made.iter().any(|(place, outcome)| *outcome != course.outcomes[*place]) {
                looked.matter.insert(*party);
            }
            alone.insert(*party, made);
        }
        for (one, other) in pairs(&present) {
            if stop() {
                break;
            }
            let places = |place: &usize| {
                let behind = &course.behind[*place];
                behind.contains(&one) && behind.contains(&other)
            };
            let shared: Vec<usize> = (0..course.behind.len()).filter(places).collect();
            if shared.is_empty() {
                continue;
            }
            looked.pairs += 1;
            match self.pair(found, &course, [one, other], &shared, &alone, &mut machine) {
                Ok(conflict) => looked.conflicts.extend(conflict),
                Err(()) => looked.unfit += 1,
            }
        }
        self.orders(found, &course, &mut looked);
        looked.conflicts.sort_by_key(|conflict| (conflict.sort, conflict.parties));
        Ok(looked)
    }

    /// The wishes with all parties but some.
    fn wishes_without(&self, out: &BTreeSet<usize>) -> Overrides {
        let mut wishes = self.wishes.clone();
        wishes.with.extend(self.parties.iter().map(|party| party.selector.to_string()));
        wishes.without.extend(out.iter().map(|party| self.parties[*party].selector.to_string()));
        wishes
    }

    /// Plays the game with all parties: its script, or by bots.
    fn course(&self, found: &Found, all: &Overrides, rulebook: &Rc<Rulebook>) -> Result<Course, Vec<Fault>> {
        let begun = || -> Result<Match, Vec<Fault>> {
            let seed = all.seed.unwrap_or(found.scenario.seed);
            let setup = matches::scenario::set_up(&found.scenario, rulebook, seed, all.turns)?;
            Match::start(rulebook.clone(), setup).map_err(|fault| vec![fault])
        };
        let mut first = begun()?;
        if found.scenario.script.is_empty() {
            // What breaks the game off is told by others; what was played stands.
            let _ = play_out(&mut first, found, self.players);
        } else {
            // Its dice are those of the seed: with other house rules there are others.
            let lines = found.scenario.script.iter();
            let _ = lines.map(|act| take_line(&mut first, act)).take_while(Result::is_ok).count();
        }
        let said: Vec<Said> = first.said().to_vec();
        let mut course = Course {
            game: begun()?,
            behind: Vec::new(),
            outcomes: Vec::new(),
            unit: if found.scenario.is_metric { Unit::Centimetres } else { Unit::Inches },
        };
        for said in &said {
            let from = course.game.settled_events().len();
            let (taken, clauses) = clauses_behind(rulebook, || course.game.repeat(said));
            if !matches!(taken, Ok(None)) {
                break;
            }
            let is_behind = |place: &usize| !self.parties[*place].clauses.is_disjoint(&clauses);
            course.behind.push((0..self.parties.len()).filter(is_behind).collect());
            course.outcomes.push(told_from(&course.game, from, course.unit));
        }
        Ok(course)
    }

    /// What some decisions come to without some parties; nothing where the rules
    /// do not compose, or no state fits them.
    fn made(
        &self,
        found: &Found,
        course: &Course,
        out: &BTreeSet<usize>,
        machine: &mut Option<Machine>,
        places: impl Iterator<Item = usize>,
    ) -> Option<BTreeMap<usize, Outcome>> {
        let request = self.workshop.request(&found.scenario, &self.wishes_without(out)).ok()?;
        let composed = match machine.take() {
            Some(warm) => self.workshop.compose_in(warm, &request).map_err(|broken| broken.machine),
            None => self.workshop.compose_alone(&request).map_err(|_| None),
        };
        let rulebook = match composed {
            Ok(rulebook) => Rc::new(rulebook),
            Err(left) => {
                *machine = left.map(|left| *left);
                return None;
            }
        };
        let made = places.filter_map(|place| Some((place, course.again(place, &rulebook)?))).collect();
        *machine = Rc::try_unwrap(rulebook).ok().map(Rulebook::into_machine);
        Some(made)
    }

    /// How a pair is in conflict, if it is.
    fn pair(
        &self,
        found: &Found,
        course: &Course,
        [one, other]: [usize; 2],
        shared: &[usize],
        alone: &BTreeMap<usize, BTreeMap<usize, Outcome>>,
        machine: &mut Option<Machine>,
    ) -> Result<Option<Conflict>, ()> {
        let differs = |party: usize, place: usize| {
            let made = alone.get(&party)?.get(&place)?;
            Some(*made != course.outcomes[place])
        };
        let is_worth = |place: &usize| {
            let both = (differs(one, *place), differs(other, *place));
            matches!(both, (Some(true), Some(_)) | (Some(_), Some(true)))
        };
        let places: Vec<usize> = shared.iter().copied().filter(is_worth).take(MOST_DECISIONS).collect();
        if places.is_empty() {
            return Ok(None);
        }
        let out = BTreeSet::from([one, other]);
        let neither = self.made(found, course, &out, machine, places.iter().copied()).ok_or(())?;
        for place in places {
            let Some(bare) = neither.get(&place) else { return Err(()) };
            let (without_one, without_other) = (&alone[&one][&place], &alone[&other][&place]);
            let both = &course.outcomes[place];
            let sort = match (without_one != both, without_other != both) {
                (true, true) if bare == both => Some((Sort::Cancel, [one, other])),
                // What makes no difference beside the other makes one alone.
                (false, true) if without_other != bare => Some((Sort::Hides, [one, other])),
                (true, false) if without_one != bare => Some((Sort::Hides, [other, one])),
                _ => None,
            };
            if let Some((sort, parties)) = sort {
                let (without_first, without_second) = match parties[0] == one {
                    true => (without_one, without_other),
                    false => (without_other, without_one),
                };
                let differs = match sort {
                    Sort::Hides => without_second.first_difference(bare),
                    _ => both.first_difference(without_first),
                };
                let tales = vec![
                    (Made::Both, both.at(differs)),
                    (Made::WithoutFirst, without_first.at(differs)),
                    (Made::WithoutSecond, without_second.at(differs)),
                    (Made::Neither, bare.at(differs)),
                ];
                return Ok(Some(course.conflict(sort, parties, found, place, tales)));
            }
        }
        Ok(None)
    }

    /// Pairs of mods without a stated order, in the order that they do not have.
    fn orders(&self, found: &Found, course: &Course, looked: &mut Looked) {
        let mods: BTreeSet<&Name> = self.parties.iter().map(|party| &party.selector.module).collect();
        let mods: Vec<&Name> = mods.into_iter().collect();
        for (place, first) in mods.iter().enumerate() {
            for second in &mods[place + 1..] {
                looked.conflicts.extend(self.turned(found, course, first, second));
            }
        }
    }

    /// The first decision that comes out otherwise where the order of two mods is
    /// turned round.
    fn turned(&self, found: &Found, course: &Course, first: &Name, second: &Name) -> Option<Conflict> {
        let order = &course.game.rulebook().mods();
        let place = |id: &Name| order.iter().position(|known| known == id);
        let (earlier, later) = if place(first)? < place(second)? { (first, second) } else { (second, first) };
        let turned = self.workshop.with_order(later, earlier);
        let rulebook = turned.prepare(found, &self.wishes_without(&BTreeSet::new())).ok()?.0.rulebook;
        let of = |module: &Name, behind: &BTreeSet<usize>| {
            behind.iter().copied().find(|party| self.parties[*party].selector.module == *module)
        };
        for (place, behind) in course.behind.iter().enumerate() {
            let (Some(one), Some(other)) = (of(earlier, behind), of(later, behind)) else { continue };
            let Some(made) = course.again(place, &rulebook) else { continue };
            let both = &course.outcomes[place];
            if made != *both {
                let differs = both.first_difference(&made);
                let tales = vec![(Made::Both, both.at(differs)), (Made::Turned, made.at(differs))];
                return Some(course.conflict(Sort::Order, [one, other], found, place, tales));
            }
        }
        None
    }
}

fn pairs(present: &BTreeSet<usize>) -> Vec<(usize, usize)> {
    let each = present.iter().flat_map(|one| present.iter().map(move |other| (*one, *other)));
    each.filter(|(one, other)| one < other).collect()
}

/// What was told since so many events.
fn told_from(game: &Match, from: usize, unit: Unit) -> Outcome {
    let events = game.settled_events().iter().enumerate().skip(from);
    let (told, texts) = events
        .map(|(place, event)| (format!("{} {:?}", event.kind, event.fields), game.event_text(place, unit)))
        .unzip();
    Outcome::of(told, texts)
}

impl Course {
    /// What a decision comes to by other rules; nothing if its state does not fit
    /// them.
    fn again(&self, place: usize, rulebook: &Rc<Rulebook>) -> Option<Outcome> {
        let mut game = self.game.beside(place, rulebook).ok()?;
        Some(match game.repeat(self.game.said().get(place)?) {
            Ok(None) => told_from(&game, 0, self.unit),
            Ok(Some(reason)) => Outcome::stopped(format!("refused: {reason}")),
            Err(fault) => Outcome::stopped(format!("broke: {fault}")),
        })
    }

    fn conflict(
        &self,
        sort: Sort,
        parties: [usize; 2],
        found: &Found,
        place: usize,
        tales: Vec<(Made, String)>,
    ) -> Conflict {
        Conflict {
            sort,
            parties,
            scenario: found.scenario.id.to_string(),
            decision: place + 1,
            input: self.game.said().get(place).map(|said| said.text.clone()).unwrap_or_default(),
            tales,
        }
    }
}
