//! Whether house rules can be taken in parts: the cases of a mod, and games
//! between bots, under subsets of the clauses of another.
//!
//! A case that comes out otherwise must have reached a clause of the house rules,
//! and a clause that it reached must be what makes the difference; a game must
//! come to its end.

use std::collections::{BTreeMap, BTreeSet};

use kernel::chance::BotChance;
use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Side, owner_of};
use serde::Serialize;

use crate::books::{Books, CaseAt};
use crate::coverage::clauses_reached;
use crate::runner::Filter;
use matches::play::{Bot, BotKind, Match};
use matches::workers::share_out;
use matches::workshop::{Found, Overrides, Workshop};
use rules::modset::selector::{Pick, Request, Selector};

/// More inputs than this are a game that does not end.
const MOST_INPUTS: usize = 20_000;

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Random subsets, beside each group alone, each clause alone, and all;
    /// none for the selection as it is.
    pub random: Option<usize>,
    /// What the random subsets and the games are drawn from.
    pub seed: u64,
    /// Games for each subset, of one scenario after the other.
    pub games: usize,
    /// Games are no longer than this many turns.
    pub turns: u32,
}

/// Clauses of house rules that are on together, closed under what they require.
#[derive(Clone, Debug)]
pub struct Subset {
    /// What it is: `all`, `group sam`, `clause iceburg.cb.offtable_radar`, `random 7`.
    pub name: String,
    /// What selects it, with the options that were asked for.
    pub request: Request,
    /// The clauses of the house rules that are on.
    pub clauses: BTreeSet<Name>,
}

/// A case that comes out otherwise under house rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CaseDifference {
    /// The case.
    pub case: String,
    /// Its file.
    pub file: String,
    /// What it says now.
    pub says: String,
    /// The clauses of the house rules that it reached.
    pub reached: Vec<String>,
    /// Those of them that make the difference; none is a fault of the house rules.
    pub made_by: Vec<String>,
}

/// A game between bots under house rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GamePlayed {
    /// The mod and the scenario.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// How many decisions there were.
    pub decisions: usize,
    /// What broke it off, if anything.
    pub fault: Option<String>,
}

/// What came of one subset.
#[derive(Clone, Debug, Serialize)]
pub struct SubsetResult {
    /// What it is.
    pub name: String,
    /// What selects it, to be pasted.
    pub line: String,
    /// How many clauses are on.
    pub clauses: usize,
    /// How many cases were run.
    pub cases: usize,
    /// Those that came out otherwise.
    pub differences: Vec<CaseDifference>,
    /// The games.
    pub games: Vec<GamePlayed>,
    /// Why it does not even compose, if so.
    pub fault: Option<String>,
}

impl SubsetResult {
    /// Whether every difference has a clause that makes it, and every game its
    /// end.
    pub fn is_sound(&self) -> bool {
        self.fault.is_none()
            && self.differences.iter().all(|one| !one.made_by.is_empty())
            && self.games.iter().all(|game| game.fault.is_none())
    }
}

/// The subsets that a plan wants of house rules, of one mod or of several, each once.
///
/// # Errors
/// When the request names what is not there.
pub fn subsets_of(workshop: &Workshop, house: &Request, plan: &Plan) -> Result<Vec<Subset>, Fault> {
    let whole = closed(workshop, house.clone(), "all".into())?;
    let Some(random) = plan.random else {
        return Ok(vec![whole]);
    };
    let mut found = Vec::new();
    for module in modules_of(house) {
        for group in &workshop.manifest(module)?.groups {
            let ids = group.clauses.iter().map(|clause| &clause.id);
            let ids = ids.filter(|id| whole.clauses.contains(*id));
            let ids: Vec<Name> = ids.cloned().collect();
            if !ids.is_empty() {
                let name = format!("group {}", group.name);
                found.push(closed(workshop, of(house, &ids), name)?);
            }
        }
    }
    let all: Vec<Name> = whole.clauses.iter().cloned().collect();
    for id in &all {
        let name = format!("clause {id}");
        found.push(closed(workshop, of(house, std::slice::from_ref(id)), name)?);
    }
    let mut chance = BotChance::new(plan.seed, 0);
    for number in 1..=random {
        let ids = drawn(&all, &mut chance);
        let name = format!("random {number}");
        found.push(closed(workshop, of(house, &ids), name)?);
    }
    found.insert(0, whole);
    Ok(found)
}

/// The mods of house rules, each once, in the order in which they are asked for.
fn modules_of(house: &Request) -> Vec<&Name> {
    let mut modules: Vec<&Name> = Vec::new();
    for Selector { module, .. } in &house.with {
        if !modules.contains(&module) {
            modules.push(module);
        }
    }
    modules
}

/// Some of the clauses, at least one: sometimes few, sometimes most.
fn drawn(all: &[Name], chance: &mut BotChance) -> Vec<Name> {
    let density = 1 + chance.below(7);
    let mut ids: Vec<Name> = all
        .iter()
        .filter(|_| chance.below(8) < density)
        .cloned()
        .collect();
    if ids.is_empty() {
        ids.extend(all.get(chance.below(all.len() as u32) as usize).cloned());
    }
    ids
}

/// These clauses of house rules, with the options that are asked for of mods that
/// are there with them.
fn of(house: &Request, ids: &[Name]) -> Request {
    let modules = modules_of(house);
    let picked = |module: &&Name| -> Option<Selector> {
        let own = ids.iter().filter(|id| *owner_of(id) == ***module);
        let picks: Vec<Pick> = own.cloned().map(Pick::Clause).collect();
        let module = (*module).clone();
        (!picks.is_empty()).then_some(Selector { module, picks })
    };
    let with: Vec<Selector> = modules.iter().filter_map(picked).collect();
    let is_there = |(id, _): &&(Name, String)| {
        let owner = owner_of(id);
        let is_house = modules.iter().any(|module| ***module == *owner);
        !is_house || with.iter().any(|one| *one.module == *owner)
    };
    let options = house.options.iter().filter(is_there).cloned().collect();
    Request {
        with,
        options,
        amends: house.amends.clone(),
        ..Request::default()
    }
}

/// A selection with all that it requires.
fn closed(workshop: &Workshop, request: Request, name: String) -> Result<Subset, Fault> {
    let modules = modules_of(&request);
    let own = |id: &Name| modules.iter().any(|module| ***module == *owner_of(id));
    let clauses = clauses_with(workshop, &request)?;
    let clauses = clauses.into_iter().filter(own).collect();
    Ok(Subset {
        name,
        request,
        clauses,
    })
}

/// All clauses that are on with a selection.
fn clauses_with(workshop: &Workshop, request: &Request) -> Result<BTreeSet<Name>, Fault> {
    let active = request.resolve_unnamed(workshop.manifests());
    Ok(active.map_err(first)?.clauses.iter().cloned().collect())
}

/// The clauses behind which a difference may stand: those of the subset, and those of other house rules that come
/// along with it.
fn on_trial(workshop: &Workshop, module: &Name, subset: &Subset) -> BTreeSet<Name> {
    let of_base = Request {
        with: vec![Selector {
            module: module.clone(),
            picks: Vec::new(),
        }],
        ..Request::default()
    };
    let all = clauses_with(workshop, &subset.request).unwrap_or_default();
    let base = clauses_with(workshop, &of_base).unwrap_or_default();
    let come_along = all.difference(&base).cloned();
    come_along.chain(subset.clauses.iter().cloned()).collect()
}

fn first(faults: Vec<Fault>) -> Fault {
    faults
        .into_iter()
        .next()
        .unwrap_or_else(|| Fault::new(FaultCode::BadManifest, "it does not compose"))
}

/// Runs the cases of a mod that pass by themselves, and games, under subsets of
/// house rules. `done` is told of each subset.
///
/// # Errors
/// When the mod or the house rules are not there, a test file does not load, or
/// the watchdog broke a case off.
pub fn audit_subsets(
    workshop: &Workshop,
    filter: &Filter,
    module: &Name,
    house: &Request,
    plan: &Plan,
    done: &(dyn Fn(&str) + Sync),
) -> Result<Vec<SubsetResult>, Fault> {
    let subsets = subsets_of(workshop, house, plan)?;
    let cases = cases_that_pass(workshop, filter, module)?;
    let scenarios = scenarios(workshop, module, &modules_of(house));
    let numbered: Vec<(usize, &Subset)> = subsets.iter().enumerate().collect();
    let try_one = |books: &mut Books<'_>, (number, subset): &(usize, &Subset)| {
        let mut ran = run_cases(books, subset, &on_trial(workshop, module, subset), &cases);
        ran.games = play_games(workshop, subset, &scenarios, plan, *number);
        done(&subset.name);
        ran
    };
    let ran = share_out(&numbered, || Books::new(workshop), try_one);
    let alone = Alone::of(workshop, house, &subsets, &ran)?;
    let others: Vec<(&Subset, &Other)> = subsets
        .iter()
        .zip(&ran)
        .flat_map(|(subset, ran)| ran.others.iter().map(move |other| (subset, other)))
        .collect();
    let explain = |books: &mut Books<'_>, (subset, other): &(&Subset, &Other)| {
        explained(books, subset, &alone, &cases[other.case], other)
    };
    let differences: Result<Vec<CaseDifference>, Fault> =
        share_out(&others, || Books::new(workshop), explain)
            .into_iter()
            .collect();
    let mut differences = differences?.into_iter();
    let results = subsets.iter().zip(ran).map(|(subset, ran)| SubsetResult {
        name: subset.name.clone(),
        line: subset.request.to_string(),
        clauses: subset.clauses.len(),
        cases: cases.len(),
        differences: differences.by_ref().take(ran.others.len()).collect(),
        games: ran.games,
        fault: ran.fault,
    });
    Ok(results.collect())
}

// ---- cases -------------------------------------------------------------------

/// The cases of a mod that pass by themselves, those of one selection together.
fn cases_that_pass(
    workshop: &Workshop,
    filter: &Filter,
    module: &Name,
) -> Result<Vec<CaseAt>, Fault> {
    let Some(sources) = workshop.sources().get(module) else {
        return Ok(Vec::new());
    };
    let files: Vec<&str> = sources.under("tests").map(|(file, _)| file).collect();
    let passing = |books: &mut Books<'_>, file: &&str| {
        let mut found = Vec::new();
        for at in books
            .listed(module, file)?
            .into_iter()
            .filter(|at| filter.takes(&at.head.title, file))
        {
            if books.run(&at)?.1.fault.is_none() {
                found.push((books.selection(&at)?, at));
            }
        }
        Ok(found)
    };
    let each = share_out(&files, || Books::new(workshop), passing);
    let each: Result<Vec<Vec<(String, CaseAt)>>, Fault> = each.into_iter().collect();
    let mut cases: Vec<(String, CaseAt)> = each?.into_iter().flatten().collect();
    cases.sort_by(|a, b| (&a.0, &a.1.file, a.1.index).cmp(&(&b.0, &b.1.file, b.1.index)));
    Ok(cases.into_iter().map(|(_, at)| at).collect())
}

/// A case that failed under a subset.
struct Other {
    case: usize,
    says: String,
    reached: BTreeSet<Name>,
}

/// What came of a subset before anybody asked why.
struct SubsetOutcome {
    others: Vec<Other>,
    games: Vec<GamePlayed>,
    fault: Option<String>,
}

fn run_cases(
    books: &mut Books<'_>,
    subset: &Subset,
    on_trial: &BTreeSet<Name>,
    cases: &[CaseAt],
) -> SubsetOutcome {
    books.under(subset.request.clone());
    let mut others = Vec::new();
    for (case, at) in cases.iter().enumerate() {
        match books.run(at) {
            Ok((rulebook, run)) => {
                let Some(fault) = run.fault else { continue };
                let happened = run.event_kinds.union(&run.kinds).cloned().collect();
                let reached = clauses_reached(&rulebook, &run.reached, &happened);
                let reached = reached.intersection(on_trial).cloned().collect();
                others.push(Other {
                    case,
                    says: fault.into_message(),
                    reached,
                });
            }
            Err(fault) => {
                return SubsetOutcome {
                    others,
                    games: Vec::new(),
                    fault: Some(fault.to_string()),
                };
            }
        }
    }
    SubsetOutcome {
        others,
        games: Vec::new(),
        fault: None,
    }
}

/// Which cases each clause changes by itself, as far as that is known.
struct Alone {
    closed: BTreeMap<Name, BTreeSet<Name>>,
    /// By clause and case, what the case says.
    changes: BTreeMap<Name, BTreeMap<usize, String>>,
}

impl Alone {
    fn of(
        workshop: &Workshop,
        house: &Request,
        subsets: &[Subset],
        ran: &[SubsetOutcome],
    ) -> Result<Alone, Fault> {
        let mut alone = Alone {
            closed: BTreeMap::new(),
            changes: BTreeMap::new(),
        };
        for id in subsets
            .iter()
            .flat_map(|subset| &subset.clauses)
            .collect::<BTreeSet<_>>()
        {
            let clauses =
                closed(workshop, of(house, std::slice::from_ref(id)), String::new())?.clauses;
            if let Some(place) = subsets.iter().position(|subset| subset.clauses == clauses) {
                let cases = ran[place]
                    .others
                    .iter()
                    .map(|other| (other.case, other.says.clone()))
                    .collect();
                alone.changes.insert(id.clone(), cases);
            }
            alone.closed.insert(id.clone(), clauses);
        }
        Ok(alone)
    }

    /// The clauses that a case reached which make it say the same by themselves,
    /// and not merely because they require one that does.
    fn makers(&self, other: &Other) -> BTreeSet<Name> {
        let changes = |id: &Name| {
            let says = self
                .changes
                .get(id)
                .and_then(|cases| cases.get(&other.case));
            says.is_some_and(|says| *says == other.says)
        };
        let found: BTreeSet<&Name> = other.reached.iter().filter(|id| changes(id)).collect();
        let is_first = |id: &&&Name| {
            let required = self.closed.get(**id).into_iter().flatten();
            required
                .filter(|other| *other != **id)
                .all(|other| !found.contains(other))
        };
        found
            .iter()
            .filter(is_first)
            .map(|id| (*id).clone())
            .collect()
    }

    /// The fewest of some clauses with which a case still says the same: one
    /// after the other is left out, those first that require others. None if it
    /// says so without any of them.
    fn fewest(
        &self,
        reached: &BTreeSet<Name>,
        mut says_so: impl FnMut(&[Name]) -> bool,
    ) -> BTreeSet<Name> {
        let requires = |id: &Name| self.closed.get(id).map_or(0, BTreeSet::len);
        let mut order: Vec<&Name> = reached.iter().collect();
        order.sort_by_key(|id| std::cmp::Reverse(requires(id)));
        let (mut off, mut needed) = (Vec::new(), BTreeSet::new());
        for id in order {
            off.push(id.clone());
            if !says_so(&off) {
                off.pop();
                needed.insert(id.clone());
            }
        }
        // What a needed clause requires is needed too, and would not do alone.
        let is_required = |id: &Name| {
            needed.iter().any(|other| {
                other != id && self.closed.get(other).is_some_and(|all| all.contains(id))
            })
        };
        needed
            .iter()
            .filter(|id| !is_required(id))
            .cloned()
            .collect()
    }
}

/// Says which of the clauses that a case reached make it come out as it does: those
/// that do so by themselves, or else the fewest that do so together.
fn explained(
    books: &mut Books<'_>,
    subset: &Subset,
    alone: &Alone,
    at: &CaseAt,
    other: &Other,
) -> Result<CaseDifference, Fault> {
    let mut makers = alone.makers(other);
    let mut broken_off = None;
    if makers.is_empty() {
        // Without a clause it may well fail farther on, because of another.
        let mut says_so = |off: &[Name]| {
            let one = |id: &Name| Selector {
                module: owner_of(id).into(),
                picks: vec![Pick::Clause(id.clone())],
            };
            let without = off.iter().map(one).collect();
            let house = Request {
                without,
                ..subset.request.clone()
            };
            match books.under(house).run(at) {
                Ok((_, run)) => run.fault.is_some_and(|fault| fault.message == other.says),
                Err(fault) => {
                    broken_off = broken_off
                        .take()
                        .or((fault.code == FaultCode::TooSlow).then_some(fault));
                    true
                }
            }
        };
        makers = alone.fewest(&other.reached, &mut says_so);
    }
    if let Some(fault) = broken_off {
        return Err(fault);
    }
    let texts = |ids: &BTreeSet<Name>| ids.iter().map(ToString::to_string).collect();
    Ok(CaseDifference {
        case: at.head.title.clone(),
        file: at.file.clone(),
        says: other.says.clone(),
        reached: texts(&other.reached),
        made_by: texts(&makers),
    })
}

// ---- games -------------------------------------------------------------------

/// The scenarios of a mod and of house rules, in order.
fn scenarios(workshop: &Workshop, module: &Name, house: &[&Name]) -> Vec<(String, Found)> {
    let of = |id: &Name| {
        let found = workshop.scenarios_of(id);
        let named =
            |(name, found): (String, Result<Found, _>)| Some((format!("{id}/{name}"), found.ok()?));
        found.into_iter().filter_map(named).collect::<Vec<_>>()
    };
    let of_house = house.iter().copied().flat_map(of);
    of(module).into_iter().chain(of_house).collect()
}

/// Plays the next scenarios in turn, each with another seed.
fn play_games(
    workshop: &Workshop,
    subset: &Subset,
    scenarios: &[(String, Found)],
    plan: &Plan,
    number: usize,
) -> Vec<GamePlayed> {
    let mut games = Vec::new();
    let from = number * plan.games;
    let mut turn = scenarios
        .iter()
        .cycle()
        .skip(from % scenarios.len().max(1))
        .take(scenarios.len());
    while games.len() < plan.games
        && let Some((name, found)) = turn.next()
    {
        let seed = plan.seed.wrapping_add((from + games.len()) as u64);
        games.extend(play_game(workshop, subset, name, found, plan, seed));
    }
    games
}

/// Plays a scenario with a subset in place of all else that it takes of the
/// house rules; none if there is something in it that they would have to give.
fn play_game(
    workshop: &Workshop,
    subset: &Subset,
    name: &str,
    found: &Found,
    plan: &Plan,
    seed: u64,
) -> Option<GamePlayed> {
    let modules = modules_of(&subset.request);
    let is_other =
        |text: &String| Selector::parse(text).is_ok_and(|one| !modules.contains(&&one.module));
    let mut found = found.clone();
    let is_of_house = !found.scenario.with.iter().all(is_other);
    found.scenario.with.retain(is_other);
    found.scenario.without.retain(is_other);
    let overrides = Overrides {
        with: subset
            .request
            .with
            .iter()
            .map(Selector::to_string)
            .collect(),
        options: subset.request.options.clone(),
        seed: Some(seed),
        turns: Some(
            found
                .scenario
                .turns
                .map_or(plan.turns, |turns| turns.min(plan.turns)),
        ),
        ..Overrides::default()
    };
    let mut game = GamePlayed {
        scenario: name.to_string(),
        seed,
        decisions: 0,
        fault: None,
    };
    match workshop.prepare(&found, &overrides) {
        Err(_) if is_of_house => return None,
        Err(faults) => game.fault = Some(first(faults).to_string()),
        Ok((chosen, setup)) => match Match::start(chosen.rulebook, setup) {
            Err(fault) => game.fault = Some(fault.to_string()),
            Ok(mut played) => {
                game.fault = play_out(&mut played, seed)
                    .err()
                    .map(|fault| fault.to_string());
                game.decisions = played.inputs().len();
            }
        },
    }
    Some(game)
}

/// One side plays at random, which tries everything, the others by score.
fn play_out(game: &mut Match, seed: u64) -> Result<(), Fault> {
    let count = game.header().side_titles.len() as u64;
    let kind = |side: u64| {
        if side == seed % count.max(1) {
            BotKind::Random
        } else {
            BotKind::Greedy
        }
    };
    let side = |number: u64| u8::try_from(number).ok().map(Side);
    let mut bots: BTreeMap<Side, Bot> = (0..count)
        .filter_map(|n| Some((side(n)?, Bot::new(kind(n), seed, side(n)?))))
        .collect();
    game.play_bots(&mut bots, |game| game.inputs().len() >= MOST_INPUTS)?;
    match game.wanted() {
        Wanted::Over => Ok(()),
        _ => {
            let message = format!(
                "expected the game to end, found that it goes on after {MOST_INPUTS} decisions"
            );
            Err(Fault::new(FaultCode::TooManySteps, message))
        }
    }
}
