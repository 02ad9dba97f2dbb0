//! Runs cases and scenarios of mods, side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Value};
use rayon::prelude::*;

use crate::modset::manifest::Effect;
use crate::modset::selector::{Request, Selector};
use crate::rulebook::Rulebook;
use crate::testing::case::{Case, CaseRun, cases_of, run_case};
use crate::testing::coverage::clauses_reached;
use crate::testing::golden::{Golden, compare, golden_file, golden_text, play, replay, view_file};
use crate::workshop::Workshop;

/// What sort of test it was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A file that must load.
    File,
    /// A case.
    Case,
    /// A case with one of its clauses off, which must fail.
    ClauseOff,
    /// A scenario.
    Scenario,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The mod.
    pub module: Name,
    /// What sort.
    pub sort: Sort,
    /// The file it is in.
    pub file: String,
    /// Its name, unique within the mod.
    pub name: String,
    /// What is wrong, if anything.
    pub failure: Option<Fault>,
    /// The golden that differs, if that is what is wrong.
    pub golden: Option<Golden>,
    /// The clauses that it cites.
    pub cites: BTreeSet<Name>,
    /// The clauses that it reached.
    pub reached: BTreeSet<Name>,
}

/// Which tests to run.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these mods; all if empty.
    pub mods: Vec<Name>,
    /// Only tests whose name or file holds this.
    pub text: Option<String>,
}

impl Filter {
    fn takes_mod(&self, module: &Name) -> bool {
        self.mods.is_empty() || self.mods.contains(module)
    }

    fn takes(&self, name: &str, file: &str) -> bool {
        self.text.as_ref().is_none_or(|text| name.contains(text.as_str()) || file.contains(text.as_str()))
    }
}

/// One unit of work: it builds its own machine.
enum Job {
    Cases { module: Name, file: String },
    Scenario { module: Name, id: String },
    StrayGolden { module: Name, file: String },
}

/// Runs the tests of a workshop; `done` is told of each result.
pub fn run_suite(
    workshop: &Workshop,
    filter: &Filter,
    done: &(dyn Fn(&TestResult) + Sync),
) -> Vec<TestResult> {
    let jobs = jobs(workshop, filter);
    let run = |job: &Job| {
        let results = match job {
            Job::Cases { module, file } => return run_file(workshop, filter, done, module, file),
            Job::Scenario { module, id } => run_scenario(workshop, filter, module, id),
            Job::StrayGolden { module, file } => vec![stray(module, file)],
        };
        results.iter().for_each(done);
        results
    };
    let mut results: Vec<TestResult> = jobs.par_iter().flat_map_iter(run).collect();
    results.sort_by(|a, b| (&a.module, a.sort, &a.file, &a.name).cmp(&(&b.module, b.sort, &b.file, &b.name)));
    name_twice(&mut results);
    results
}

fn jobs(workshop: &Workshop, filter: &Filter) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (module, sources) in workshop.sources().iter().filter(|(module, _)| filter.takes_mod(module)) {
        for (file, _) in sources.under("tests") {
            jobs.push(Job::Cases { module: module.clone(), file: file.to_string() });
        }
        let mut goldens = BTreeSet::new();
        for (path, _) in sources.under("scenarios") {
            let id = path.trim_start_matches("scenarios/").trim_end_matches(".ron").to_string();
            goldens.insert(golden_file(&id));
            if let Ok(found) = workshop.scenario(&format!("{module}/{id}")) {
                goldens.extend(found.scenario.views.iter().map(|view| view_file(&id, view)));
            }
            jobs.push(Job::Scenario { module: module.clone(), id });
        }
        for (path, _) in sources.under("golden") {
            if !goldens.contains(path) {
                jobs.push(Job::StrayGolden { module: module.clone(), file: path.to_string() });
            }
        }
    }
    jobs
}

fn result(module: &Name, sort: Sort, file: &str, name: &str, failure: Option<Fault>) -> TestResult {
    TestResult {
        module: module.clone(),
        sort,
        file: file.to_string(),
        name: name.to_string(),
        failure,
        golden: None,
        cites: BTreeSet::new(),
        reached: BTreeSet::new(),
    }
}

fn stray(module: &Name, file: &str) -> TestResult {
    let fault =
        Fault::new(FaultCode::BadGolden, format!("expected a scenario for the golden `{file}`, found none"));
    result(module, Sort::Scenario, file, file, Some(fault))
}

/// Every test has a name of its own within its mod.
fn name_twice(results: &mut [TestResult]) {
    let mut seen: BTreeSet<(Name, Sort, String)> = BTreeSet::new();
    for one in results.iter_mut() {
        if !seen.insert((one.module.clone(), one.sort, one.name.clone())) && one.failure.is_none() {
            let message = format!("expected a name of its own, found `{}` twice", one.name);
            one.failure =
                Some(Fault::new(FaultCode::BadCase, message).at(Place::new(&*one.module, &one.file, 0)));
        }
    }
}

// ---- cases -------------------------------------------------------------------

/// The rules under which a case runs: its mod's defaults, the clauses that it
/// cites, and what it asks for.
fn request_of(
    workshop: &Workshop,
    module: &Name,
    case: Option<&Case>,
    off: Option<&Name>,
) -> Result<Request, Fault> {
    let mut request = Request::default();
    request.with.push(Selector::parse(module)?);
    if let Some(case) = case {
        for clause in &case.cites {
            let is_default = workshop.manifests().values().any(|manifest| {
                manifest.clauses().any(|(group, known)| known.id == *clause && group.default && known.default)
            });
            if !is_default && case.without.is_empty() {
                request.with.push(Selector::parse(clause)?);
            }
        }
        for text in &case.with {
            request.with.push(Selector::parse(text)?);
        }
        for text in &case.without {
            request.without.push(Selector::parse(text)?);
        }
        request.options = case.options.clone();
    }
    request.force_without.extend(off.cloned());
    Ok(request)
}

fn compose(workshop: &Workshop, request: &Request) -> Result<Rc<Rulebook>, Fault> {
    let first = |faults: Vec<Fault>| {
        faults.into_iter().next().unwrap_or_else(|| Fault::new(FaultCode::BadManifest, "it does not compose"))
    };
    workshop.compose(request).map(|chosen| chosen.rulebook).map_err(first)
}

type Loaded = Result<(Rc<Rulebook>, Vec<Case>), Fault>;

/// The rulebooks of one test file, by the selection that they come from, each
/// with the cases of the file loaded in its machine.
struct Books<'w> {
    workshop: &'w Workshop,
    module: &'w Name,
    file: String,
    loaded: BTreeMap<String, Loaded>,
}

impl Books<'_> {
    fn load(&mut self, case: Option<&Case>, off: Option<&Name>) -> Loaded {
        let request = request_of(self.workshop, self.module, case, off)?;
        let key = request.to_string();
        if let Some(loaded) = self.loaded.get(&key) {
            return loaded.clone();
        }
        let loaded = compose(self.workshop, &request).and_then(|rulebook| {
            let cases = cases_of(self.workshop, &rulebook, self.module, &self.file)?;
            Ok((rulebook, cases))
        });
        self.loaded.insert(key, loaded.clone());
        loaded
    }

    /// Runs a case under its own selection, or with a clause off.
    fn run(
        &mut self,
        index: usize,
        case: &Case,
        off: Option<&Name>,
    ) -> Result<(Rc<Rulebook>, CaseRun), Fault> {
        let (rulebook, cases) = self.load(Some(case), off)?;
        let case = cases.get(index).unwrap_or(case);
        let run = run_case(self.workshop, &rulebook, self.module, case);
        Ok((rulebook, run))
    }
}

/// A test file with its cases under the selection of each, for those who run
/// single cases.
pub(super) struct SuiteFile<'w> {
    books: Books<'w>,
    cases: Vec<Case>,
}

/// Loads a test file.
///
/// # Errors
/// When it does not load, or the mod does not compose.
pub(super) fn suite_file<'w>(
    workshop: &'w Workshop,
    module: &'w Name,
    file: &str,
) -> Result<SuiteFile<'w>, Fault> {
    let mut books = Books { workshop, module, file: file.to_string(), loaded: BTreeMap::new() };
    let (_, cases) = books.load(None, None)?;
    Ok(SuiteFile { books, cases })
}

/// A mod with its defaults, as its cases have it.
///
/// # Errors
/// When it does not compose.
pub(super) fn whole(workshop: &Workshop, module: &Name) -> Result<Rc<Rulebook>, Fault> {
    compose(workshop, &request_of(workshop, module, None, None)?)
}

impl SuiteFile<'_> {
    /// How many cases it has.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// Runs a case.
    pub fn run(&mut self, index: usize) -> Result<CaseRun, Fault> {
        self.books.run(index, &self.cases[index].clone(), None).map(|(_, run)| run)
    }

    /// Runs a case with a cell of a table changed; its title if it fails.
    pub fn run_changed(
        &mut self,
        index: usize,
        table: &Name,
        key: &[Value],
        column: usize,
        to: &Value,
    ) -> Result<Option<String>, Fault> {
        let case = self.cases[index].clone();
        let (rulebook, _) = self.books.load(Some(&case), None)?;
        rulebook.try_cell(table, key, column, Some(to))?;
        let run = self.books.run(index, &case, None);
        rulebook.try_cell(table, key, column, None)?;
        Ok(run?.1.fault.map(|_| case.title))
    }
}

/// Runs the cases of a file, and tells of each as it ends.
fn run_file(
    workshop: &Workshop,
    filter: &Filter,
    done: &(dyn Fn(&TestResult) + Sync),
    module: &Name,
    file: &str,
) -> Vec<TestResult> {
    let mut books = Books { workshop, module, file: file.to_string(), loaded: BTreeMap::new() };
    let cases = match books.load(None, None) {
        Ok((_, cases)) => cases,
        Err(fault) => {
            let failed = result(module, Sort::File, file, file, Some(fault));
            done(&failed);
            return vec![failed];
        }
    };
    let mut results = Vec::new();
    let mut passed = Vec::new();
    for (index, case) in cases.iter().enumerate().filter(|(_, case)| filter.takes(&case.title, file)) {
        let one = run_one(&mut books, index, case);
        if one.failure.is_none() {
            passed.push((index, case));
        }
        done(&one);
        results.push(one);
    }
    for clause in clauses_that_matter(&books, &passed) {
        for (index, case) in passed.iter().filter(|(_, case)| shows(case, &clause)) {
            let off = clause_off(&mut books, *index, case, &clause);
            done(&off);
            results.push(off);
        }
        // Rulebooks without a clause are for its cases alone; together they
        // would fill the memory.
        books.loaded.retain(|line, _| !line.contains("-!"));
    }
    results
}

fn run_one(books: &mut Books<'_>, index: usize, case: &Case) -> TestResult {
    let mut one = result(books.module, Sort::Case, &books.file, &case.title, None);
    one.cites = case.cites.iter().cloned().collect();
    match books.run(index, case, None) {
        Ok((rulebook, run)) => {
            let happened = run.events.union(&run.kinds).cloned().collect();
            one.reached = clauses_reached(&rulebook, &run.reached, &happened);
            one.failure = run.fault;
            let unknown = case.cites.iter().find(|clause| !rulebook.clauses().contains_key(*clause));
            if let (None, Some(clause)) = (&one.failure, unknown) {
                let message = format!("it cites `{clause}`, which no manifest of these rules lists");
                one.failure = Some(Fault::new(FaultCode::UnknownClause, message).at(case.place.clone()));
            }
        }
        Err(fault) => one.failure = Some(fault),
    }
    one
}

/// The clauses that these cases cite, of those that add or change something.
fn clauses_that_matter(books: &Books<'_>, cases: &[(usize, &Case)]) -> BTreeSet<Name> {
    let manifests = books.workshop.manifests().values();
    let all = manifests.flat_map(|manifest| manifest.clauses()).map(|(_, clause)| clause);
    let matter = all.filter(|clause| matches!(clause.effect, Effect::Adds | Effect::Changes));
    let is_shown = |id: &Name| cases.iter().any(|(_, case)| shows(case, id));
    matter.map(|clause| clause.id.clone()).filter(is_shown).collect()
}

/// Whether a case claims that a clause makes it pass.
fn shows(case: &Case, clause: &Name) -> bool {
    case.cites.contains(clause) && !case.without.iter().any(|text| **text == **clause)
}

/// A case for a clause that adds or changes something must fail without it.
fn clause_off(books: &mut Books<'_>, index: usize, case: &Case, clause: &Name) -> TestResult {
    let still_passes = matches!(books.run(index, case, Some(clause)), Ok((_, run)) if run.fault.is_none());
    let name = format!("{} (without {clause})", case.title);
    let failure = still_passes.then(|| {
        let message = format!("expected the case to fail with `{clause}` off, found that it passes");
        Fault::new(FaultCode::BadCase, message)
            .at(case.place.clone())
            .hint("let the case show what the clause does, or cite another clause")
    });
    result(books.module, Sort::ClauseOff, &books.file, &name, failure)
}

// ---- scenarios ---------------------------------------------------------------

fn run_scenario(workshop: &Workshop, filter: &Filter, module: &Name, id: &str) -> Vec<TestResult> {
    let file = format!("scenarios/{id}.ron");
    if !filter.takes(id, &file) {
        return Vec::new();
    }
    let one = result(module, Sort::Scenario, &file, id, None);
    match scenario_outcome(workshop, module, id) {
        Ok(goldens) if goldens.is_empty() => vec![one],
        Ok(goldens) => goldens.into_iter().map(|(view, golden)| differs(&one, &view, golden)).collect(),
        Err(fault) => vec![TestResult { failure: Some(fault), ..one }],
    }
}

/// The result for the golden of one view; the referee's bears the scenario's
/// own name.
fn differs(one: &TestResult, view: &str, golden: Option<Golden>) -> TestResult {
    let mut one = one.clone();
    if !view.is_empty() {
        one.name = format!("{} (view of {view})", one.name);
    }
    if let Some(golden) = &golden {
        let message = match golden.accepted {
            Some(_) => "it plays otherwise than its golden says",
            None => "it has no golden yet",
        };
        one.failure = Some(
            Fault::new(FaultCode::BadGolden, message)
                .hint("read what is played, then accept it with `houserule test --review`"),
        );
    }
    one.golden = golden;
    one
}

/// What differs in the golden of each view, the referee's first, under no name.
type Goldens = Vec<(String, Option<Golden>)>;

fn scenario_outcome(workshop: &Workshop, module: &Name, id: &str) -> Result<Goldens, Fault> {
    let found = workshop.scenario(&format!("{module}/{id}"));
    let found = found.map_err(|mut faults| faults.swap_remove(0))?;
    let accepted = |file: &str| workshop.sources().get(module).and_then(|sources| sources.get(file)).cloned();
    let file = golden_file(id);
    let has_golden =
        accepted(&file).is_some() || !found.scenario.script.is_empty() || !found.scenario.views.is_empty();
    if !has_golden {
        let started = workshop.start(&found, &Default::default());
        started.map_err(|mut faults| faults.swap_remove(0))?;
        return Ok(Vec::new());
    }
    let (mut game, line) = play(workshop, &found)?;
    let views = replay(workshop, &found, &mut game)?;
    let text = golden_text(&mut game, &line, &found.scenario);
    let mut goldens = vec![(String::new(), compare(accepted(&file).as_deref(), &text, PathBuf::from(file)))];
    for (view, text) in found.scenario.views.iter().zip(views) {
        let file = view_file(id, view);
        goldens.push((view.clone(), compare(accepted(&file).as_deref(), &text, PathBuf::from(file))));
    }
    Ok(goldens)
}
