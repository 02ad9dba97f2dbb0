//! Rulebooks for cases: composed by what each case selects, and kept while
//! cases of one selection follow each other.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use crate::case::{
    Case, CaseHead, CaseNotes, CaseRun, ScenarioTexts, cases_of, run_case, scenarios_of,
};
use crate::openings::Openings;
use matches::workers::on_each_thread;
use matches::workshop::{ComposedRules, Workshop};
use rules::limits::too_slow;
use rules::modset::selector::{Active, Pick, Request, Selector};
use rules::rulebook::{Rulebook, WarmHost};

/// A case by its file and its place there.
#[derive(Clone, Debug)]
pub(super) struct CaseAt {
    /// The mod.
    pub module: Name,
    /// The file.
    pub file: String,
    /// Its place in the file.
    pub index: usize,
    /// What it says of itself.
    pub head: CaseHead,
}

/// What comes of a case without a clause that it cites.
pub(super) enum ClauseOff {
    /// It fails, or its own selection stands on the clause.
    Fails,
    /// It passes all the same.
    Passes,
    /// The clause may be left out, and the rules do not compose without it.
    Broken(Fault),
}

/// The cases of files that were loaded into a machine, by mod and file.
type CasesByFile = BTreeMap<(Name, String), Rc<[Case]>>;

/// What a request comes to.
struct Chosen {
    /// One text for all that ask for the same rules in other words.
    selection: Rc<str>,
    /// The mods, in order.
    mods: Vec<Name>,
    /// All of it, until it is composed.
    active: Option<Active>,
}

/// A rulebook, and the cases that were loaded into its machine.
struct KeptBook {
    selection: Rc<str>,
    rulebook: Rc<Rulebook>,
    listed: CasesByFile,
    openings: Rc<Openings>,
    /// How many rulebooks were composed in its machine.
    composed: usize,
}

impl KeptBook {
    /// Its machine, if nobody else plays by it.
    fn into_machine(self) -> Option<SpareMachine> {
        let loaded = LoadedFor::of(&self.rulebook);
        Some(SpareMachine {
            warm: Rc::into_inner(self.rulebook)?.into_warm_host(),
            listed: self.listed,
            composed: self.composed,
            loaded,
        })
    }
}

/// A machine between two rulebooks.
struct SpareMachine {
    warm: WarmHost,
    listed: CasesByFile,
    composed: usize,
    /// What it was loaded for.
    loaded: LoadedFor,
}

/// A suite whose workers hand machines on from one round of jobs to the next. A machine
/// cannot change hands, so each stays with its thread.
pub(super) struct HandingOn(u64);

/// The suites that have begun.
static SUITES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The machine that was left on this thread, and by which suite.
    static LEFT: RefCell<Option<(u64, SpareMachine)>> = const { RefCell::new(None) };
}

impl HandingOn {
    pub fn begin() -> HandingOn {
        HandingOn(SUITES.fetch_add(1, Ordering::Relaxed))
    }
}

/// What nobody has taken up goes away.
impl Drop for HandingOn {
    fn drop(&mut self) {
        on_each_thread(|| drop(LEFT.take()));
    }
}

/// What the files of a machine were loaded for: others can be composed in it that
/// have the same mods, and the same of all that the files asked as they were loaded.
struct LoadedFor {
    mods: Vec<Name>,
    /// Clauses, and whether they are on; nothing where more was asked than is known.
    clauses: Option<BTreeMap<Name, bool>>,
    options: BTreeMap<Name, Value>,
}

impl LoadedFor {
    fn of(rulebook: &Rulebook) -> LoadedFor {
        let asked = rulebook.running().asked.borrow();
        let is_on = |id: &Name| Some((id.clone(), *rulebook.clauses().get(id)?));
        let value = |id: &Name| Some((id.clone(), rulebook.options().get(id)?.clone()));
        let options = asked.iter().flatten().filter_map(value);
        LoadedFor {
            mods: rulebook.mods().to_vec(),
            clauses: asked
                .as_ref()
                .map(|ids| ids.iter().filter_map(is_on).collect()),
            options: options.collect(),
        }
    }

    fn does_for(&self, active: &Active) -> bool {
        let Some(clauses) = &self.clauses else {
            return false;
        };
        let mut clauses = clauses.iter();
        let mut options = self.options.iter();
        self.mods == active.order.mods
            && clauses.all(|(id, is_on)| active.clauses.contains(id) == *is_on)
            && options.all(|(id, value)| active.options.get(id) == Some(value))
    }
}

/// The cases of a file under a rulebook.
struct ReadyCases {
    rulebook: Rc<Rulebook>,
    cases: Rc<[Case]>,
    openings: Rc<Openings>,
}

/// The rulebooks of one worker.
pub(super) struct Books<'w> {
    workshop: &'w Workshop,
    /// What comes to the selection of every case.
    house: Request,
    /// What requests come to, by their text.
    lines: BTreeMap<String, Chosen>,
    /// The mods of all that was asked for since somebody asked for these.
    used: BTreeSet<Name>,
    /// The scenarios that the cases of a mod may name.
    scenarios: BTreeMap<Name, Rc<ScenarioTexts>>,
    /// Those used last, the latest at the end.
    kept: Vec<KeptBook>,
    /// So many are kept, and one more where none of them does for what is asked: each
    /// takes some megabytes, and is composed from nothing.
    most: usize,
    /// A machine in which nothing could be composed the last time.
    spare: Option<SpareMachine>,
    /// What could not be composed the last time, and why: many cases may ask for it.
    broken: Option<(Rc<str>, Fault)>,
    /// What requests of scenarios came to, by their text.
    chosen: BTreeMap<String, Active>,
}

impl<'w> Books<'w> {
    /// Without any rulebook yet; some are kept, for those who go back and forth.
    pub fn new(workshop: &'w Workshop) -> Books<'w> {
        Books::keeping(3, workshop)
    }

    /// Without any rulebook yet; so many are kept, at least one.
    pub fn keeping(most: usize, workshop: &'w Workshop) -> Books<'w> {
        Books {
            workshop,
            house: Request::default(),
            lines: BTreeMap::new(),
            used: BTreeSet::new(),
            scenarios: BTreeMap::new(),
            kept: Vec::new(),
            most: most.max(1),
            spare: None,
            broken: None,
            chosen: BTreeMap::new(),
        }
    }

    /// Goes on with the machine that was left on this thread.
    pub fn taking_up(mut self, suite: &HandingOn) -> Books<'w> {
        self.spare = LEFT
            .take()
            .and_then(|(by, machine)| (by == suite.0).then_some(machine));
        self
    }

    /// Leaves the machine that was of the most use on this thread.
    pub fn leave(self, suite: &HandingOn) {
        let most = self.kept.into_iter().max_by_key(|kept| kept.composed);
        let machine = most.and_then(KeptBook::into_machine).or(self.spare);
        LEFT.set(machine.map(|machine| (suite.0, machine)));
    }

    /// From now on under house rules: what they take, leave out and set comes to
    /// what each case selects itself.
    pub fn under(&mut self, house: Request) -> &mut Books<'w> {
        self.house = house;
        self
    }

    /// What the rules of a case are selected by: cases of one selection share
    /// a rulebook.
    ///
    /// # Errors
    /// When something that it selects does not parse.
    pub fn selection(&self, at: &CaseAt) -> Result<String, Fault> {
        request_of(self.workshop, &at.module, Some(&at.head), None)
            .map(|request| request.to_string())
    }

    /// The cases of a file, as the defaults of the mod list them.
    ///
    /// # Errors
    /// When the file does not load, or the mod does not compose.
    pub fn listed(&mut self, module: &Name, file: &str) -> Result<Vec<CaseAt>, Fault> {
        let request = request_of(self.workshop, module, None, None)?;
        let cases = self.cases(request, module, file)?.cases;
        let at = |(index, case): (usize, &Case)| CaseAt {
            module: module.clone(),
            file: file.into(),
            index,
            head: case.head.clone(),
        };
        Ok(cases.iter().enumerate().map(at).collect())
    }

    /// The rules of a scenario.
    ///
    /// # Errors
    /// Everything that is wrong in the mods that it takes, or between them.
    pub fn of_scenario(&mut self, request: &Request) -> Result<ComposedRules, Vec<Fault>> {
        let asked = request.to_string();
        let active = match self.chosen.get(&asked) {
            Some(active) => active.clone(),
            None => request.resolve(self.workshop.manifests())?,
        };
        self.chosen.insert(asked, active.clone());
        match self.kept(request) {
            Ok(kept) => Ok(ComposedRules {
                rulebook: kept.rulebook.clone(),
                active,
            }),
            // What else is wrong is told as well.
            Err(_) => self.workshop.compose(request),
        }
    }

    /// Runs a case under its own selection.
    ///
    /// # Errors
    /// When its rules do not compose; when the watchdog broke it off.
    pub fn run(&mut self, at: &CaseAt) -> Result<(Rc<Rulebook>, CaseRun), Fault> {
        let ready = self.cases_as(at, None)?;
        self.run_as(at, ready, CaseNotes::All)
    }

    /// What comes of a case with a clause off.
    ///
    /// # Errors
    /// When the watchdog broke it off.
    pub fn run_without(&mut self, at: &CaseAt, clause: &Name) -> Result<ClauseOff, Fault> {
        let ready = match self.cases_as(at, Some(clause)) {
            Ok(ready) => ready,
            Err(fault) if self.is_chosen(at, clause) => return Ok(ClauseOff::Broken(fault)),
            Err(_) => return Ok(ClauseOff::Fails),
        };
        match self.run_as(at, ready, CaseNotes::Nothing) {
            Ok((_, run)) if run.fault.is_none() => Ok(ClauseOff::Passes),
            // What was broken off has not failed by what the clause does.
            Err(fault) if fault.code == FaultCode::TooSlow => Err(fault),
            Ok(_) | Err(_) => Ok(ClauseOff::Fails),
        }
    }

    /// Whether the clauses that a case selects may be played without one of them.
    fn is_chosen(&self, at: &CaseAt, off: &Name) -> bool {
        let manifests = self.workshop.manifests();
        let mut all = manifests.values().flat_map(|one| one.clauses());
        let is_core = all.any(|(_, clause)| clause.id == *off && clause.core);
        let request = request_of(self.workshop, &at.module, Some(&at.head), Some(off));
        let chosen = request.map(|mut request| {
            self.add_house(&mut request);
            request.resolve_unnamed(manifests)
        });
        !is_core && matches!(chosen, Ok(Ok(_)))
    }

    fn run_as(
        &mut self,
        at: &CaseAt,
        ready: ReadyCases,
        notes: CaseNotes,
    ) -> Result<(Rc<Rulebook>, CaseRun), Fault> {
        let ReadyCases {
            rulebook,
            cases,
            openings,
        } = ready;
        let Some(case) = cases.get(at.index) else {
            let message = format!(
                "expected the case `{}` under its own selection too",
                at.head.title
            );
            return Err(Fault::new(FaultCode::BadCase, message).at(at.head.place.clone()));
        };
        let workshop = self.workshop;
        let scenarios = self.scenarios.entry(at.module.clone());
        let scenarios = scenarios.or_insert_with(|| Rc::new(scenarios_of(workshop, &at.module)));
        let run = run_case(&rulebook, scenarios, &openings, case, notes);
        match rulebook.running().was_broken_off() {
            true => Err(too_slow().at(at.head.place.clone())),
            false => Ok((rulebook, run)),
        }
    }

    /// Whether a case fails with another value in one cell of a table.
    ///
    /// # Errors
    /// As [`Books::run`].
    pub fn fails_with(
        &mut self,
        at: &CaseAt,
        table: &Name,
        key: &[Value],
        column: usize,
        to: &Value,
    ) -> Result<bool, Fault> {
        let mut ready = self.cases_as(at, None)?;
        let rulebook = ready.rulebook.clone();
        // What has begun has done so by the table as it is.
        ready.openings = Rc::default();
        rulebook.try_cell(table, key, column, Some(to))?;
        let run = self.run_as(at, ready, CaseNotes::Nothing);
        rulebook.try_cell(table, key, column, None)?;
        Ok(run?.1.fault.is_some())
    }

    fn cases_as(&mut self, at: &CaseAt, off: Option<&Name>) -> Result<ReadyCases, Fault> {
        // What is selected and not there has no place of its own: it stands in the case.
        let in_case = |fault: Fault| fault.at(at.head.place.clone());
        let request = request_of(self.workshop, &at.module, Some(&at.head), off);
        self.cases(request.map_err(in_case)?, &at.module, &at.file)
            .map_err(in_case)
    }

    fn cases(
        &mut self,
        mut request: Request,
        module: &Name,
        file: &str,
    ) -> Result<ReadyCases, Fault> {
        self.add_house(&mut request);
        let workshop = self.workshop;
        let kept = self.kept(&request)?;
        let key = (module.clone(), file.to_string());
        let cases = match kept.listed.get(&key) {
            Some(cases) => cases.clone(),
            None => {
                let cases: Rc<[Case]> = cases_of(workshop, &kept.rulebook, module, file)?.into();
                kept.listed.insert(key, cases.clone());
                cases
            }
        };
        Ok(ReadyCases {
            rulebook: kept.rulebook.clone(),
            cases,
            openings: kept.openings.clone(),
        })
    }

    /// What comes to the selection of a case; options and cells that both set are as the house has them.
    fn add_house(&self, request: &mut Request) {
        let house = &self.house;
        request.with.extend(house.with.iter().cloned());
        request.without.extend(house.without.iter().cloned());
        request
            .force_without
            .extend(house.force_without.iter().cloned());
        request
            .options
            .retain(|(id, _)| house.options.iter().all(|(known, _)| known != id));
        request.options.extend(house.options.iter().cloned());
        request.amends.extend(house.amends.iter().cloned());
    }

    /// What is chosen for a case, with the house rules.
    ///
    /// # Errors
    /// When something that is selected is not there, or cannot be.
    pub fn active(&self, at: &CaseAt) -> Result<Active, Vec<Fault>> {
        let mut request = request_of(self.workshop, &at.module, Some(&at.head), None)
            .map_err(|fault| vec![fault])?;
        self.add_house(&mut request);
        request.resolve(self.workshop.manifests())
    }

    /// What a request comes to, by the text of it.
    fn chosen(&mut self, asked: &str, request: &Request) -> Rc<str> {
        if !self.lines.contains_key(asked) {
            let active = request.resolve_unnamed(self.workshop.manifests()).ok();
            let (selection, mods) = match &active {
                Some(Active {
                    order,
                    clauses,
                    options,
                    amends,
                    ..
                }) => (
                    format!("{:?} {clauses:?} {options:?} {amends:?}", order.mods),
                    order.mods.clone(),
                ),
                // Whoever composes it says why not.
                None => (asked.to_string(), Vec::new()),
            };
            let chosen = Chosen {
                selection: Rc::from(selection),
                mods,
                active,
            };
            self.lines.insert(asked.to_string(), chosen);
        }
        self.lines[asked].selection.clone()
    }

    /// One text for all that select the same rules as a case does, or as the defaults of
    /// a mod do; nothing where something that it selects does not parse.
    fn selected(
        &mut self,
        module: &Name,
        case: Option<&CaseHead>,
        off: Option<&Name>,
    ) -> Option<Rc<str>> {
        let mut request = request_of(self.workshop, module, case, off).ok()?;
        self.add_house(&mut request);
        Some(self.chosen(&request.to_string(), &request))
    }

    /// Whether a case is played by the defaults of its mod.
    pub fn is_by_defaults(&mut self, at: &CaseAt) -> bool {
        let selected = self.selected(&at.module, Some(&at.head), None);
        selected.is_some() && selected == self.selected(&at.module, None, None)
    }

    /// The places of cases without a clause, those of one selection one after the other:
    /// each rulebook is composed once for all of them.
    pub fn by_selection(&mut self, cases: &[CaseAt], off: &Name) -> Vec<usize> {
        let mut places: BTreeMap<Rc<str>, usize> = BTreeMap::new();
        let mut turns: Vec<(usize, usize)> = Vec::new();
        for (place, at) in cases.iter().enumerate() {
            let turn = match self.selected(&at.module, Some(&at.head), Some(off)) {
                Some(selection) => *places.entry(selection).or_insert(place),
                None => place,
            };
            turns.push((turn, place));
        }
        turns.sort_unstable();
        turns.into_iter().map(|(_, place)| place).collect()
    }

    /// Cases with what belongs to them, in groups of one selection each.
    pub fn of_one_selection<T>(&mut self, cases: Vec<(T, CaseAt)>) -> Vec<Vec<(T, CaseAt)>> {
        let mut groups: BTreeMap<Option<Rc<str>>, Vec<(T, CaseAt)>> = BTreeMap::new();
        for (of, at) in cases {
            let selected = self.selected(&at.module, Some(&at.head), None);
            groups.entry(selected).or_default().push((of, at));
        }
        groups.into_values().collect()
    }

    /// The mods by whose rules something was run since this was asked last.
    pub fn take_used(&mut self) -> BTreeSet<Name> {
        std::mem::take(&mut self.used)
    }

    fn kept(&mut self, request: &Request) -> Result<&mut KeptBook, Fault> {
        let asked = request.to_string();
        let selection = self.chosen(&asked, request);
        let mut active = None;
        if let Some(chosen) = self.lines.get_mut(&asked) {
            self.used.extend(chosen.mods.iter().cloned());
            active = chosen.active.take();
        }
        let is_it = |kept: &KeptBook| kept.selection == selection;
        match self.kept.iter().position(is_it) {
            Some(place) => self.kept[place..].rotate_left(1),
            None => {
                if let Some((_, fault)) = self
                    .broken
                    .as_ref()
                    .filter(|(broken, _)| *broken == selection)
                {
                    return Err(fault.clone());
                }
                let resolved = || {
                    request
                        .resolve_unnamed(self.workshop.manifests())
                        .map_err(first)
                };
                let active = active.map_or_else(resolved, Ok)?;
                let composed = self.compose(&active);
                let (rulebook, listed, composed) = composed.inspect_err(|fault| {
                    self.broken = Some((selection.clone(), fault.clone()));
                })?;
                self.kept.push(KeptBook {
                    selection,
                    rulebook: Rc::new(rulebook),
                    listed,
                    openings: Rc::default(),
                    composed,
                });
            }
        }
        let last = self.kept.len() - 1;
        Ok(&mut self.kept[last])
    }

    /// Composes a rulebook, if it can be in a machine that is there, with the cases that
    /// need not be loaded into that again, and how many it has seen.
    fn compose(&mut self, active: &Active) -> Result<(Rulebook, CasesByFile, usize), Fault> {
        let Some(machine) = self.machine_for(active) else {
            let rulebook = self.workshop.compose_chosen(active).map_err(first)?;
            return Ok((rulebook, CasesByFile::new(), 1));
        };
        let SpareMachine {
            warm,
            listed,
            composed,
            loaded,
        } = machine;
        let registrations = warm.registrations().clone();
        match self.workshop.compose_chosen_in(warm, active) {
            Ok(rulebook) if rulebook.is_of(&registrations) => Ok((rulebook, listed, composed + 1)),
            Ok(rulebook) => Ok((rulebook, CasesByFile::new(), 1)),
            Err(broken) => {
                self.spare = broken.warm_host.map(|warm| SpareMachine {
                    warm: *warm,
                    listed,
                    composed,
                    loaded,
                });
                Err(first(broken.faults))
            }
        }
    }

    /// The machine in which a selection is to be composed: of those that do for it that of
    /// the rulebook which was used longest ago, if there are as many as may be. Where none
    /// does and there are more, the one goes that was of the least use.
    fn machine_for(&mut self, active: &Active) -> Option<SpareMachine> {
        let does = |loaded: &LoadedFor| loaded.does_for(active);
        if self.spare.as_ref().is_some_and(|spare| does(&spare.loaded)) {
            return self.spare.take();
        }
        let machines = self.kept.len() + usize::from(self.spare.is_some());
        if machines < self.most {
            return None;
        }
        let mut kept = self.kept.iter();
        if let Some(place) = kept.position(|kept| does(&LoadedFor::of(&kept.rulebook))) {
            return self.kept.remove(place).into_machine();
        }
        if machines > self.most && self.spare.take().is_none() {
            let least = self.kept.iter().enumerate();
            let least = least.min_by_key(|(_, kept)| kept.composed);
            let least = least.map(|(place, _)| place);
            self.kept.remove(least.unwrap_or_default());
        }
        None
    }
}

/// A mod with its defaults, as its cases have it.
///
/// # Errors
/// When it does not compose.
pub(super) fn whole(workshop: &Workshop, module: &Name) -> Result<Rulebook, Fault> {
    compose(workshop, &request_of(workshop, module, None, None)?)
}

/// The rules under which a case runs: its mod's defaults, the clauses that it
/// cites, and what it asks for.
fn request_of(
    workshop: &Workshop,
    module: &Name,
    case: Option<&CaseHead>,
    off: Option<&Name>,
) -> Result<Request, Fault> {
    let mut request = Request::default();
    request.with.push(Selector::parse(module)?);
    if let Some(case) = case {
        for clause in &case.cites {
            let is_default = workshop.manifests().values().any(|manifest| {
                manifest
                    .clauses()
                    .any(|(group, known)| known.id == *clause && group.default && known.default)
            });
            let is_off = case.without.iter().any(|text| **text == **clause);
            if !is_default && !is_off {
                request.with.push(Selector::parse(clause)?);
            }
        }
        for text in &case.with {
            request.with.push(Selector::parse(text)?);
        }
        request
            .with
            .extend(named_by_clauses(workshop, module, &request));
        for text in &case.without {
            request.without.push(Selector::parse(text)?);
        }
        request.options = case.options.clone();
    }
    request.force_without.extend(off.cloned());
    Ok(request)
}

/// The mods on which a mod stands and of which a request names clauses alone: they keep
/// their defaults beside these.
fn named_by_clauses(workshop: &Workshop, module: &Name, request: &Request) -> Vec<Selector> {
    let mut found: BTreeSet<Name> = BTreeSet::new();
    let mut left = vec![module.clone()];
    while let Some(id) = left.pop() {
        let manifest = workshop.manifests().get(&id);
        for under in manifest.iter().flat_map(|manifest| &manifest.depends) {
            if found.insert(under.id.clone()) {
                left.push(under.id.clone());
            }
        }
    }
    let is_clauses = |one: &Selector| {
        let mut picks = one.picks.iter();
        !one.picks.is_empty() && picks.all(|pick| matches!(pick, Pick::Clause(_)))
    };
    found.retain(|id| {
        let mut of_it = request
            .with
            .iter()
            .filter(|one| one.module == *id)
            .peekable();
        of_it.peek().is_some() && of_it.all(is_clauses)
    });
    let whole = |module| Selector {
        module,
        picks: Vec::new(),
    };
    found.into_iter().map(whole).collect()
}

fn compose(workshop: &Workshop, request: &Request) -> Result<Rulebook, Fault> {
    workshop.compose_alone(request).map_err(first)
}

fn first(faults: Vec<Fault>) -> Fault {
    faults
        .into_iter()
        .next()
        .unwrap_or_else(|| Fault::new(FaultCode::BadManifest, "it does not compose"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use kernel::error::Place;

    use super::*;

    fn case(without: &[&str], options: &[(&str, &str)]) -> CaseAt {
        let option = |(id, value): &(&str, &str)| (Name::from(*id), (*value).to_string());
        let head = CaseHead {
            title: String::new(),
            cites: Vec::new(),
            with: Vec::new(),
            without: without.iter().map(ToString::to_string).collect(),
            options: options.iter().map(option).collect(),
            situation: None,
            place: Place::default(),
        };
        CaseAt {
            module: Name::from("dsii"),
            file: "tests/any.luau".into(),
            index: 0,
            head,
        }
    }

    #[test]
    fn machines_are_turned_that_do_for_a_selection() {
        let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods/dsii");
        let (workshop, faults) = Workshop::open(&[mods]);
        assert!(faults.is_empty(), "{faults:?}");
        let cases = [
            case(&[], &[]),
            case(&["dsii.smoke.fire"], &[]),
            // Files ask for it while they are loaded.
            case(&[], &[("dsii.scale.inch", "fifty")]),
            case(&[], &[]),
            case(&["dsii.smoke.fire"], &[]),
        ];
        let mut books = Books::keeping(1, &workshop);
        let off = Name::from("dsii.act.priority");
        assert_eq!(books.by_selection(&cases, &off), [0, 3, 1, 4, 2]);
        let is_by_defaults = cases.each_ref().map(|at| books.is_by_defaults(at));
        assert_eq!(is_by_defaults, [true, false, false, true, false]);
        let groups = books.of_one_selection((0..).zip(cases.clone()).collect());
        let numbers = |group: Vec<(usize, CaseAt)>| group.into_iter().map(|(number, _)| number);
        let mut places: Vec<Vec<usize>> = groups
            .into_iter()
            .map(|group| numbers(group).collect())
            .collect();
        places.sort();
        assert_eq!(places, [vec![0, 3], vec![1, 4], vec![2]]);
        let mut machine_of = |at: &CaseAt| {
            let request = request_of(&workshop, &at.module, Some(&at.head), None).unwrap();
            let rulebook = &books.kept(&request).unwrap().rulebook;
            std::ptr::from_ref(rulebook.registrations())
        };
        let machines = cases.each_ref().map(&mut machine_of);
        assert_eq!(machines[0], machines[1]);
        assert_ne!(machines[0], machines[2]);
        assert_eq!([machines[0]; 2], machines[3..]);
    }
}
