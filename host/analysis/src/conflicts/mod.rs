//! Conflicts that matter: pairs of house rules of which one leaves nothing of the other, or that come out
//! otherwise in another order.
//!
//! Decisions of games (`games`) and cases (`cases`) are made with all of them, and then again by the rules without
//! one of them, without the other, and without both. A decision is made again from the very state in which it was
//! made, with the same dice, so what differs there has its cause in these two, and in nothing that happened before;
//! a case has its own state and its own dice. Only pairs are looked at of which both stand behind what was reached.

mod cases;
mod games;
mod together;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kernel::error::Fault;
use kernel::value::{Name, owner_of};
use matches::tally::Players;
use matches::workshop::{Found, Overrides, Workshop, asked_for};
use rules::modset::manifest::{require_clause, require_group};
use rules::modset::selector::{Amendment, Pick, Request, Selector};

pub use together::Apart;

use crate::outcome::OutcomePart;

/// For each pair and scenario no more decisions than this are looked at.
const MOST_DECISIONS: usize = 4;

/// One of the house rules that may be in conflict: a mod, a group or a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// As it is selected.
    pub selector: Selector,
    /// Its clauses.
    pub clauses: BTreeSet<Name>,
    /// Options that are set with it, and not without it.
    pub options: Vec<(Name, String)>,
    /// Cells of tables that are changed with it, and not without it.
    pub amends: Vec<Amendment>,
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = Request {
            with: vec![self.selector.clone()],
            options: self.options.clone(),
            amends: self.amends.clone(),
            ..Request::default()
        };
        line.fmt(f)
    }
}

/// Whether what is wrong with a selector is told with all that its line says: a mod or a clause
/// alone is.
fn is_told_whole(selector: &Selector, line: &str) -> bool {
    match selector.picks.as_slice() {
        [] => *selector.module == *line,
        [Pick::Clause(id)] => **id == *line,
        _ => false,
    }
}

impl Party {
    /// The party of a line: a selector, and options and cells of tables that go with it.
    ///
    /// # Errors
    /// A line of another form; when there is no such mod, group or clause.
    pub fn read(workshop: &Workshop, line: &str) -> Result<Party, Vec<Fault>> {
        let request = Request::parse(line)?;
        let is_plain = request.without.is_empty() && request.force_without.is_empty();
        let [selector] = request.with.as_slice() else {
            return Err(Selector::parse(line).err().into_iter().collect());
        };
        if !is_plain {
            return Err(Selector::parse(line).err().into_iter().collect());
        }
        let party = Party::of(workshop, selector).map_err(|fault| {
            vec![match is_told_whole(selector, line) {
                true => fault,
                false => asked_for(fault, &format!("`{line}`")),
            }]
        })?;
        Ok(Party {
            options: request.options,
            amends: request.amends,
            ..party
        })
    }

    /// The party of a selector.
    ///
    /// # Errors
    /// When there is no such mod, group or clause.
    pub fn of(workshop: &Workshop, selector: &Selector) -> Result<Party, Fault> {
        let manifest = workshop.manifest(&selector.module)?;
        for pick in &selector.picks {
            match pick {
                Pick::Group(name) => _ = require_group(manifest, name)?,
                // A group is said by its id as well.
                Pick::Clause(id) if manifest.groups.iter().any(|group| group.id == *id) => {}
                Pick::Clause(id) => _ = require_clause(workshop.manifests(), id)?,
            }
        }
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
        Ok(Party {
            selector: selector.clone(),
            clauses,
            options: Vec::new(),
            amends: Vec::new(),
        })
    }

    /// Each clause of this party that can be left out, as a party of its own.
    pub fn parts(&self, workshop: &Workshop) -> Vec<Party> {
        let manifest = workshop.manifests().get(&self.selector.module);
        let of_mod = manifest.into_iter().flat_map(|manifest| manifest.clauses());
        let is_here = |clause: &rules::modset::manifest::Clause| {
            self.clauses.contains(&clause.id) && !clause.core
        };
        of_mod
            .filter(|(_, clause)| is_here(clause))
            .map(|(_, clause)| Party {
                selector: Selector {
                    module: self.selector.module.clone(),
                    picks: vec![Pick::Clause(clause.id.clone())],
                },
                clauses: BTreeSet::from([clause.id.clone()]),
                options: self.options.clone(),
                amends: self.amends.clone(),
            })
            .collect()
    }
}

/// How two of them are in conflict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ConflictKind {
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
    pub sort: ConflictKind,
    /// The two, by their places.
    pub parties: [usize; 2],
    /// What shows it.
    pub place: ShownBy,
    /// By which rules it was made, and the first thing that then differs.
    pub tales: Vec<(Made, String)>,
}

/// What shows a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShownBy {
    /// A decision of a scenario.
    Decision {
        /// The scenario.
        scenario: String,
        /// The number of the decision, from 1.
        number: usize,
        /// The decision, as a journal has it.
        input: String,
        /// The same, for people.
        words: String,
    },
    /// A case.
    Case {
        /// The mod and the file.
        file: String,
        /// Its title.
        title: String,
    },
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
pub struct ConflictQuery<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// What may be in conflict.
    pub parties: &'a [Party],
    /// The rules beside them.
    pub overrides: &'a Overrides,
    /// Who decides in scenarios without a script.
    pub players: &'a Players,
}

/// What was looked at in a scenario, or in the cases of a mod.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inspection {
    /// Decisions that were made in it, or cases that were run.
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
    /// What broke the game off that was played with all of them: nothing after that was looked at.
    pub broken: Option<Fault>,
    /// Where the script of a scenario does not fit by all of them: nothing after that was looked at.
    pub cut: Option<CutScript>,
    /// Cases that cannot be run with all of them, each by its file and title, with why.
    pub not_run: Vec<(String, Fault)>,
}

/// A script that was played as far as it fits: its dice are not those that it names, but those of the seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutScript {
    /// How many of its lines were played.
    pub taken: usize,
    /// How many there are.
    pub lines: usize,
    /// Why the next one does not fit.
    pub reason: String,
}

/// What a decision came to: what was told, or why it could not be made. Words
/// name reasons too, which make no outcome another.
#[derive(Clone, Debug)]
struct DecisionOutcome {
    /// What is said, for comparison.
    said: Vec<OutcomePart>,
    /// The same in words.
    texts: Vec<String>,
}

impl PartialEq for DecisionOutcome {
    fn eq(&self, other: &DecisionOutcome) -> bool {
        self.said == other.said
    }
}

impl Eq for DecisionOutcome {}

impl DecisionOutcome {
    fn stopped(reason: String) -> DecisionOutcome {
        DecisionOutcome {
            said: vec![OutcomePart::Words(reason.clone())],
            texts: vec![reason],
        }
    }

    /// The place of the first thing told that another does not tell there.
    fn first_difference(&self, other: &DecisionOutcome) -> usize {
        self.said
            .iter()
            .zip(&other.said)
            .take_while(|(a, b)| a == b)
            .count()
    }

    /// What is told at a place.
    fn at(&self, place: usize) -> String {
        self.texts
            .get(place)
            .map_or_else(|| "nothing more".into(), |text| text.trim().to_string())
    }
}

/// How far it has come, and whether somebody has had enough; asked and told from many threads.
#[derive(Clone, Copy)]
pub struct ConflictMonitor<'a> {
    /// Whether it is to stop with what it has.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told of what is being done, of how many pieces of that work, and whenever one of them is done.
    pub begins: &'a (dyn Fn(Stage, usize) + Sync),
    /// Told of each piece that is done.
    pub done: &'a (dyn Fn() + Sync),
}

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Cases are run with all house rules.
    All,
    /// Something is made again without one of them.
    WithoutOne,
    /// Something is made again without two of them.
    WithoutTwo,
}

/// What is to be made again: without which parties, and which of all.
struct Job {
    out: BTreeSet<usize>,
    places: Vec<usize>,
}

/// What came of a job, by place: of nothing that no state fits. Nothing at all where somebody has had enough.
type JobOutcomes = Option<BTreeMap<usize, DecisionOutcome>>;

/// What is made again by other rules: the decisions of a game, or cases.
trait Ground {
    /// Which parties stood behind each with all of them.
    fn behind(&self) -> &[BTreeSet<usize>];

    /// What one of them came to with all parties.
    fn outcome(&self, place: usize) -> &DecisionOutcome;

    /// What comes of some jobs, in their order; nothing where the rules do not compose.
    fn made(&mut self, jobs: &[Job], watch: ConflictMonitor<'_>) -> Vec<JobOutcomes>;

    /// The mods in the order in which they take part.
    fn order(&self) -> Vec<Name>;

    /// The first of some that comes out otherwise by mods in the second order than by
    /// mods in the first, with both outcomes.
    ///
    /// # Errors
    /// When mods may not stand in one of these orders.
    fn first_turned(
        &mut self,
        orders: &[Vec<Name>; 2],
        places: &[usize],
    ) -> Result<Option<Turned>, NotComparable>;

    /// Whether one is there to show what a party does, so that it counts if nothing of that is left.
    fn is_for(&self, place: usize, party: usize) -> bool;

    /// Whether one may be made by other dice than those that it met.
    fn has_other_dice(&self) -> bool;

    /// Whether one comes out otherwise without some parties by any of some dice that it might have met.
    fn differs_by_luck(&mut self, place: usize, out: &BTreeSet<usize>) -> bool;

    /// What is told of one of them.
    fn shown_by(&self, place: usize) -> ShownBy;
}

impl ConflictQuery<'_> {
    /// Looks at one scenario.
    ///
    /// # Errors
    /// What is wrong in the scenario or its mods with all parties together.
    pub fn look(
        &self,
        found: &Found,
        watch: ConflictMonitor<'_>,
    ) -> Result<Inspection, Vec<Fault>> {
        let mut course = games::TracedCourse::of(self, found)?;
        let (broken, cut) = (course.broken.take(), course.cut.take());
        let looked = self.search(&mut course, watch);
        Ok(Inspection {
            broken,
            cut,
            ..looked
        })
    }

    /// Looks at the cases of a mod.
    ///
    /// # Errors
    /// A file of cases that does not load.
    pub fn look_at_cases(
        &self,
        module: &Name,
        watch: ConflictMonitor<'_>,
    ) -> Result<Inspection, Fault> {
        let mut cases = cases::Cases::of(self, module, watch)?;
        let not_run = std::mem::take(&mut cases.not_run);
        let looked = self.search(&mut cases, watch);
        Ok(Inspection { not_run, ..looked })
    }

    fn search(&self, ground: &mut dyn Ground, watch: ConflictMonitor<'_>) -> Inspection {
        let behind = ground.behind().to_vec();
        let mut looked = Inspection {
            decisions: behind.len(),
            ..Inspection::default()
        };
        let alone = without_each(ground, &behind, watch, &mut looked);
        let mut found = Vec::new();
        for [one, other] in pairs(&behind) {
            looked.pairs += 1;
            let places = worth_a_look(ground, [one, other], &behind, &alone);
            if !places.is_empty() {
                found.push(([one, other], places));
            }
        }
        let job = |(parties, places): &([usize; 2], Vec<usize>)| Job {
            out: BTreeSet::from(*parties),
            places: places.clone(),
        };
        let jobs: Vec<Job> = found.iter().map(job).collect();
        (watch.begins)(Stage::WithoutTwo, jobs.len());
        for ((parties, places), neither) in found.iter().zip(ground.made(&jobs, watch)) {
            let Some(neither) = neither else { continue };
            match pair(ground, *parties, places, &alone, &neither) {
                Ok(conflict) => looked.conflicts.extend(conflict),
                Err(NotComparable) => looked.unfit += 1,
            }
        }
        self.orders(ground, &behind, watch.stop, &mut looked);
        looked
            .conflicts
            .sort_by_key(|conflict| (conflict.sort, conflict.parties));
        looked
    }

    /// The overrides with all parties but some.
    fn overrides_without(&self, out: &BTreeSet<usize>) -> Overrides {
        let mut overrides = self.overrides.clone();
        overrides
            .with
            .extend(self.parties.iter().map(|party| party.selector.to_string()));
        overrides.without.extend(
            out.iter()
                .map(|party| self.parties[*party].selector.to_string()),
        );
        let settings = self.settings_of_the_rest(out);
        (overrides.options, overrides.amends) = (settings.options, settings.amends);
        overrides
    }

    /// The options that are set and the cells of tables that are changed without some parties: what is said with one
    /// that is there counts for more than what is said of all.
    fn settings_without(&self, out: &BTreeSet<usize>) -> Settings {
        let mut settings = Settings {
            options: self.overrides.options.clone(),
            amends: self.overrides.amends.clone(),
        };
        let there = (0..self.parties.len()).filter(|place| !out.contains(place));
        for party in there.map(|place| &self.parties[place]) {
            let is_other = |id: &Name| party.options.iter().all(|(own, _)| own != id);
            settings.options.retain(|(id, _)| is_other(id));
            settings.options.extend(party.options.iter().cloned());
            let is_other = |one: &Amendment| party.amends.iter().all(|own| !own.is_of_cell(one));
            settings.amends.retain(is_other);
            settings.amends.extend(party.amends.iter().cloned());
        }
        settings
    }

    /// The same where nothing is there of some parties: what is said of a mod goes with it.
    fn settings_of_the_rest(&self, out: &BTreeSet<usize>) -> Settings {
        let mut settings = self.settings_without(out);
        let selectors = out.iter().map(|party| &self.parties[*party].selector);
        let gone: BTreeSet<&str> = selectors
            .filter(|selector| selector.picks.is_empty())
            .map(|selector| &*selector.module)
            .collect();
        let stays = |id: &str| !gone.contains(owner_of(id));
        settings.options.retain(|(id, _)| stays(id));
        settings.amends.retain(|one| stays(&one.table));
        settings
    }

    /// The parties of which a clause is among some.
    fn parties_of(&self, clauses: &BTreeSet<Name>) -> BTreeSet<usize> {
        let is_behind = |place: &usize| !self.parties[*place].clauses.is_disjoint(clauses);
        (0..self.parties.len()).filter(is_behind).collect()
    }

    /// Pairs of mods without a stated order, in the order that they do not have.
    fn orders(
        &self,
        ground: &mut dyn Ground,
        behind: &[BTreeSet<usize>],
        stop: &dyn Fn() -> bool,
        looked: &mut Inspection,
    ) {
        let order = ground.order();
        let place = |id: &Name| order.iter().position(|known| known == id);
        let mods: BTreeSet<&Name> = self
            .parties
            .iter()
            .map(|party| &party.selector.module)
            .collect();
        let mut mods: Vec<&Name> = mods.into_iter().filter(|id| place(id).is_some()).collect();
        mods.sort_by_key(|id| place(id));
        for (at, earlier) in mods.iter().enumerate() {
            for later in &mods[at + 1..] {
                if stop() {
                    return;
                }
                let conflict = self.turned(ground, behind, &order, [earlier, later]);
                looked.conflicts.extend(conflict);
            }
        }
    }

    /// The first that comes out otherwise where the order of two mods is turned round.
    fn turned(
        &self,
        ground: &mut dyn Ground,
        behind: &[BTreeSet<usize>],
        order: &[Name],
        [earlier, later]: [&Name; 2],
    ) -> Option<Conflict> {
        let of = |module: &Name, place: usize| {
            behind[place]
                .iter()
                .copied()
                .find(|party| self.parties[*party].selector.module == *module)
        };
        let places: Vec<usize> = (0..behind.len())
            .filter(|place| of(earlier, *place).is_some() && of(later, *place).is_some())
            .collect();
        let turned = neighbours(order, [earlier, later])
            .iter()
            .find_map(|orders| ground.first_turned(orders, &places).ok())??;
        let (place, [straight, made]) = turned;
        let (one, other) = (of(earlier, place)?, of(later, place)?);
        let differs = straight.first_difference(&made);
        let tales = vec![
            (Made::Both, straight.at(differs)),
            (Made::Turned, made.at(differs)),
        ];
        Some(Conflict {
            sort: ConflictKind::Order,
            parties: [one, other],
            place: ground.shown_by(place),
            tales,
        })
    }
}

/// A place that comes out otherwise in another order, with what it comes to in both.
type Turned = (usize, [DecisionOutcome; 2]);

/// Orders in which two mods are neighbours, each with the one in which these are turned round: all others
/// stand before them or after them in both, so that nothing but the two can make a difference.
fn neighbours(order: &[Name], [earlier, later]: [&Name; 2]) -> Vec<[Vec<Name>; 2]> {
    let is_of_pair = |id: &&Name| *id == earlier || *id == later;
    let outer = order
        .iter()
        .position(|id| id == earlier)
        .unwrap_or_default();
    let inner = order.iter().position(|id| id == later).unwrap_or_default();
    let of = |first: &Name, then: &Name, place: usize| {
        let mut all: Vec<Name> = order.iter().filter(|id| !is_of_pair(id)).cloned().collect();
        all.splice(place..place, [first.clone(), then.clone()]);
        all
    };
    // Without the two, those between them begin where the first of them stood.
    let mut places = vec![inner.saturating_sub(1), outer];
    places.dedup();
    let both = |place| [of(earlier, later, place), of(later, earlier, place)];
    places.into_iter().map(both).collect()
}

/// Options that are set, and cells of tables that are changed.
struct Settings {
    options: Vec<(Name, String)>,
    amends: Vec<Amendment>,
}

/// What is made without each party alone.
type Alone = BTreeMap<usize, BTreeMap<usize, DecisionOutcome>>;

/// The rules do not compose without a pair, or no state fits those.
struct NotComparable;

/// Makes everything again without each party that stands behind it.
fn without_each(
    ground: &mut dyn Ground,
    behind: &[BTreeSet<usize>],
    watch: ConflictMonitor<'_>,
    looked: &mut Inspection,
) -> Alone {
    let present: BTreeSet<usize> = behind.iter().flatten().copied().collect();
    let job = |party: &usize| Job {
        out: BTreeSet::from([*party]),
        places: (0..behind.len())
            .filter(|place| behind[*place].contains(party))
            .collect(),
    };
    let jobs: Vec<Job> = present.iter().map(job).collect();
    (watch.begins)(Stage::WithoutOne, jobs.len());
    let mut alone = Alone::new();
    for (party, made) in present.iter().zip(ground.made(&jobs, watch)) {
        let Some(made) = made else { continue };
        looked.unfit += usize::from(made.is_empty());
        if made
            .iter()
            .any(|(place, outcome)| outcome != ground.outcome(*place))
        {
            looked.matter.insert(*party);
        }
        alone.insert(*party, made);
    }
    alone
}

/// Where a pair may show a conflict, as far as what is made without each of them tells: somewhere both make a
/// difference, or one does and the other, which does not, is what it is there to show.
fn worth_a_look(
    ground: &dyn Ground,
    [one, other]: [usize; 2],
    behind: &[BTreeSet<usize>],
    alone: &Alone,
) -> Vec<usize> {
    let differs = |party: usize, place: usize| {
        let made = alone.get(&party)?.get(&place)?;
        Some(made != ground.outcome(place))
    };
    let is_worth = |place: &usize| match (differs(one, *place), differs(other, *place)) {
        (Some(true), Some(true)) => true,
        (Some(false), Some(true)) => ground.is_for(*place, one),
        (Some(true), Some(false)) => ground.is_for(*place, other),
        _ => false,
    };
    let is_shared =
        |place: &usize| behind[*place].contains(&one) && behind[*place].contains(&other);
    (0..behind.len())
        .filter(is_shared)
        .filter(is_worth)
        .take(MOST_DECISIONS)
        .collect()
}

/// How a pair is in conflict, if it is.
fn pair(
    ground: &mut dyn Ground,
    [one, other]: [usize; 2],
    places: &[usize],
    alone: &Alone,
    neither: &BTreeMap<usize, DecisionOutcome>,
) -> Result<Option<Conflict>, NotComparable> {
    for place in places.iter().copied() {
        let Some(bare) = neither.get(&place) else {
            return Err(NotComparable);
        };
        let (without_one, without_other) = (&alone[&one][&place], &alone[&other][&place]);
        let both = ground.outcome(place);
        let sort = match (without_one != both, without_other != both) {
            (true, true) if bare == both => Some((ConflictKind::Cancel, [one, other])),
            // What makes no difference beside the other makes one alone.
            (false, true) if without_other != bare => Some((ConflictKind::Hides, [one, other])),
            (true, false) if without_one != bare => Some((ConflictKind::Hides, [other, one])),
            _ => None,
        };
        let Some((sort, parties)) = sort.filter(|(sort, [hidden, _])| {
            *sort != ConflictKind::Hides || ground.is_for(place, *hidden)
        }) else {
            continue;
        };
        if ground.has_other_dice() && differs_elsewhere(ground, (sort, parties), place, alone) {
            return Ok(None);
        }
        let both = ground.outcome(place);
        let (without_first, without_second) = match parties[0] == one {
            true => (without_one, without_other),
            false => (without_other, without_one),
        };
        let differs = match sort {
            ConflictKind::Hides => without_second.first_difference(bare),
            _ => both.first_difference(without_first),
        };
        let tales = vec![
            (Made::Both, both.at(differs)),
            (Made::WithoutFirst, without_first.at(differs)),
            (Made::WithoutSecond, without_second.at(differs)),
            (Made::Neither, bare.at(differs)),
        ];
        return Ok(Some(Conflict {
            sort,
            parties,
            place: ground.shown_by(place),
            tales,
        }));
    }
    Ok(None)
}

/// Whether what makes no difference at a place makes one at another, or at this one by other dice.
fn differs_elsewhere(
    ground: &mut dyn Ground,
    (sort, [one, other]): (ConflictKind, [usize; 2]),
    place: usize,
    alone: &Alone,
) -> bool {
    if sort != ConflictKind::Hides {
        return ground.differs_by_luck(place, &BTreeSet::from([one, other]));
    }
    let shared = alone[&one]
        .iter()
        .filter(|(place, _)| alone[&other].contains_key(place));
    shared
        .into_iter()
        .any(|(place, made)| made != ground.outcome(*place))
        || ground.differs_by_luck(place, &BTreeSet::from([one]))
}

/// Each two that stand behind something together.
fn pairs(behind: &[BTreeSet<usize>]) -> BTreeSet<[usize; 2]> {
    let of = |parties: &BTreeSet<usize>| {
        let each = parties
            .iter()
            .flat_map(|one| parties.range(one + 1..).map(move |other| [*one, *other]));
        each.collect::<Vec<_>>()
    };
    behind.iter().flat_map(of).collect()
}
