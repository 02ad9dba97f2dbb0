//! Runs cases and scenarios of mods, side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kernel::audience::Widening;
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;

use crate::audiences;
use crate::books::{Books, CaseAt, ClauseOff, HandingOn};
use crate::coverage::clauses_reached;
use crate::golden::{Golden, compare, golden_file, golden_text, play_in, replay_in, view_file};
use crate::outcome::{TestKind, TestResult, result};
use crate::remembered::{Memory, Passed};
use crate::waiting::with_waiting;
use matches::play::Match;
use matches::workers::{share_out, share_out_and_leave};
use matches::workshop::{Overrides, Workshop};
use rules::modset::manifest::Effect;

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

    pub(super) fn takes(&self, name: &str, file: &str) -> bool {
        self.text
            .as_ref()
            .is_none_or(|text| name.contains(text.as_str()) || file.contains(text.as_str()))
    }
}

/// One unit of work: it builds its own machine.
enum Job {
    Cases { module: Name, file: String },
    Scenario { module: Name, id: String },
    StrayGolden { module: Name, file: String },
}

impl Job {
    /// The mod and the file that its tests are in.
    fn file(&self) -> (&Name, String) {
        match self {
            Job::Cases { module, file } | Job::StrayGolden { module, file } => {
                (module, file.clone())
            }
            Job::Scenario { module, id } => (module, format!("scenarios/{id}.ron")),
        }
    }
}

/// The rulebooks of one worker, and those of other machines in which scenarios
/// are played again.
struct Shelf<'w> {
    books: Books<'w>,
    again: Books<'w>,
}

/// What came of one unit of work.
struct JobResult {
    module: Name,
    /// The file that its tests are in.
    file: String,
    results: Vec<CaseResult>,
    /// The mods by whose rules they were run.
    used: BTreeSet<Name>,
    /// Cases of other rules than the defaults of their mod, which have not been run.
    left: Vec<CaseAt>,
}

/// What came of a test, and the case, if it is one.
type CaseResult = (TestResult, Option<CaseAt>);

/// Runs the tests of a workshop, but for those which are remembered to have
/// passed with everything that they rest on; `done` is told of each result.
pub fn run_suite(
    workshop: &Workshop,
    filter: &Filter,
    memory: Option<&Memory>,
    done: &(dyn Fn(&TestResult) + Sync),
) -> Vec<TestResult> {
    let passed = memory.map(|memory| Passed::new(workshop, memory));
    let handing_on = HandingOn::begin();
    let ran = run_on(workshop, filter, passed.as_ref(), done, &handing_on);
    let jobs = off_jobs(workshop, &ran);
    // One clause after the other is left out.
    let books = || Books::keeping(1, workshop).taking_up(&handing_on);
    let off = share_out(&jobs, books, |books, off| {
        (run_off(books, off, done), books.take_used())
    });
    drop(handing_on);
    if let Some(passed) = passed.filter(|_| filter.text.is_none()) {
        remember(&passed, &ran, &off);
    }
    let mut results: Vec<TestResult> = off.into_iter().flat_map(|(results, _)| results).collect();
    results.extend(
        ran.into_iter()
            .flat_map(|ran| ran.results)
            .map(|(one, _)| one),
    );
    results.extend(audiences::findings(&results));
    results.sort_by(|a, b| {
        (&a.module, a.sort, &a.file, &a.name).cmp(&(&b.module, b.sort, &b.file, &b.name))
    });
    name_twice(&mut results);
    results
}

/// Keeps the tests of each file that was run if all of them have passed.
fn remember(passed: &Passed<'_>, ran: &[JobResult], off: &[(Vec<TestResult>, BTreeSet<Name>)]) {
    for one in ran.iter().filter(|one| !one.used.is_empty()) {
        let (mut used, mut tests) = (one.used.clone(), Vec::new());
        tests.extend(one.results.iter().map(|(result, _)| result));
        for (results, mods) in off {
            let before = tests.len();
            tests.extend(
                results
                    .iter()
                    .filter(|test| test.module == one.module && test.file == one.file),
            );
            if tests.len() > before {
                used.extend(mods.iter().cloned());
            }
        }
        if tests
            .iter()
            .all(|test| test.failure.is_none() && test.widenings.is_empty())
        {
            passed.keep(&one.module, &one.file, &used, &tests);
        }
    }
}

/// What the cases and scenarios of mods tell to more than may see what it
/// rests on, the files of tests that do not load, and what the watchdog broke
/// off; whether a case passes is another matter.
pub fn run_for_audiences(workshop: &Workshop, filter: &Filter) -> Vec<TestResult> {
    let ran = run_on(workshop, filter, None, &|_| (), &HandingOn::begin());
    let mut results: Vec<TestResult> = ran
        .into_iter()
        .flat_map(|ran| ran.results)
        .map(|(one, _)| one)
        .collect();
    let found = audiences::findings(&results);
    let is_too_slow = |fault: &Fault| fault.code == FaultCode::TooSlow;
    results
        .retain(|one| one.sort == TestKind::File || one.failure.as_ref().is_some_and(is_too_slow));
    results.extend(found);
    results
}

/// Runs cases and scenarios with all of their clauses on: the cases of each file that
/// are played by the defaults of their mod as the file is heard, and all others, one
/// selection after the other, when all files have been.
fn run_on(
    workshop: &Workshop,
    filter: &Filter,
    passed: Option<&Passed<'_>>,
    done: &(dyn Fn(&TestResult) + Sync),
    suite: &HandingOn,
) -> Vec<JobResult> {
    let jobs = jobs(workshop, filter);
    let run = |shelf: &mut Shelf<'_>, job: &Job| {
        let (module, file) = job.file();
        if let Some(tests) = passed.and_then(|passed| passed.of(module, &file)) {
            let results = tests
                .into_iter()
                .filter(|one| filter.takes(&one.name, &file));
            let results: Vec<_> = results.inspect(done).map(|one| (one, None)).collect();
            return JobResult {
                module: module.clone(),
                file,
                results,
                used: BTreeSet::new(),
                left: Vec::new(),
            };
        }
        let mut left = Vec::new();
        let results = match job {
            Job::Cases { .. } => {
                run_file(&mut shelf.books, filter, done, (module, &file), &mut left)
            }
            Job::Scenario { id, .. } => {
                alone(run_scenario(workshop, shelf, filter, module, id), done)
            }
            Job::StrayGolden { .. } => alone(vec![stray(module, &file)], done),
        };
        let mut used = shelf.books.take_used();
        used.append(&mut shelf.again.take_used());
        JobResult {
            module: module.clone(),
            file,
            results,
            used,
            left,
        }
    };
    let shelf = || Shelf {
        books: Books::keeping(1, workshop),
        again: Books::keeping(1, workshop),
    };
    let leave = |shelf: Shelf<'_>| shelf.books.leave(suite);
    let mut ran = share_out_and_leave(&jobs, shelf, run, leave);
    run_left(workshop, &mut ran, done, suite);
    ran
}

/// Runs the cases that were left: each selection is composed once for those of all files.
fn run_left(
    workshop: &Workshop,
    ran: &mut [JobResult],
    done: &(dyn Fn(&TestResult) + Sync),
    suite: &HandingOn,
) {
    let mut left: Vec<(usize, CaseAt)> = Vec::new();
    for (place, one) in ran.iter_mut().enumerate() {
        left.extend(one.left.drain(..).map(|at| (place, at)));
    }
    let groups = Books::keeping(1, workshop).of_one_selection(left);
    let run = |books: &mut Books<'_>, group: &Vec<(usize, CaseAt)>| {
        let results: Vec<TestResult> = group.iter().map(|(_, at)| run_one(books, at)).collect();
        results.iter().for_each(done);
        (results, books.take_used())
    };
    let books = || Books::keeping(1, workshop).taking_up(suite);
    let results = share_out_and_leave(&groups, books, run, |books| books.leave(suite));
    for (group, (results, used)) in groups.into_iter().zip(results) {
        for ((place, at), one) in group.into_iter().zip(results) {
            ran[place].results.push((one, Some(at)));
            ran[place].used.extend(used.iter().cloned());
        }
    }
}

/// Results of tests that are no cases.
fn alone(results: Vec<TestResult>, done: &(dyn Fn(&TestResult) + Sync)) -> Vec<CaseResult> {
    results.iter().for_each(done);
    results.into_iter().map(|one| (one, None)).collect()
}

fn jobs(workshop: &Workshop, filter: &Filter) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (module, sources) in workshop
        .sources()
        .iter()
        .filter(|(module, _)| filter.takes_mod(module))
    {
        for (file, _) in sources.under("tests") {
            jobs.push(Job::Cases {
                module: module.clone(),
                file: file.to_string(),
            });
        }
        let mut goldens = BTreeSet::new();
        for (path, _) in sources.under("scenarios") {
            let id = path
                .trim_start_matches("scenarios/")
                .trim_end_matches(".ron")
                .to_string();
            goldens.insert(golden_file(&id));
            if let Ok(found) = workshop.scenario(&format!("{module}/{id}")) {
                goldens.extend(found.scenario.views.iter().map(|view| view_file(&id, view)));
            }
            jobs.push(Job::Scenario {
                module: module.clone(),
                id,
            });
        }
        for (path, _) in sources.under("golden") {
            if !goldens.contains(path) {
                jobs.push(Job::StrayGolden {
                    module: module.clone(),
                    file: path.to_string(),
                });
            }
        }
    }
    jobs
}

fn stray(module: &Name, file: &str) -> TestResult {
    let fault = Fault::new(
        FaultCode::BadGolden,
        format!("expected a scenario for the golden `{file}`, found none"),
    );
    result(module, TestKind::Scenario, file, file, Some(fault))
}

/// Every test has a name of its own within its mod.
fn name_twice(results: &mut [TestResult]) {
    let mut seen: BTreeSet<(Name, TestKind, String)> = BTreeSet::new();
    for one in results.iter_mut() {
        if !seen.insert((one.module.clone(), one.sort, one.name.clone())) && one.failure.is_none() {
            let message = format!("expected a name of its own, found `{}` twice", one.name);
            one.failure = Some(Fault::new(FaultCode::BadCase, message).at(Place::new(
                &*one.module,
                &*one.file,
                0,
            )));
        }
    }
}

// ---- cases -------------------------------------------------------------------

/// Runs the cases of a file that are played by the defaults of their mod, and tells of
/// each as it ends; what else it has is left.
fn run_file(
    books: &mut Books<'_>,
    filter: &Filter,
    done: &(dyn Fn(&TestResult) + Sync),
    (module, file): (&Name, &str),
    left: &mut Vec<CaseAt>,
) -> Vec<CaseResult> {
    let cases = match books.listed(module, file) {
        Ok(cases) => cases,
        Err(fault) => {
            let failed = result(module, TestKind::File, file, file, Some(fault));
            done(&failed);
            return vec![(failed, None)];
        }
    };
    let is_taken = |at: &CaseAt| filter.takes(&at.head.title, file);
    let cases = cases.into_iter().filter(is_taken);
    let (mine, others): (Vec<CaseAt>, _) = cases.partition(|at| books.is_by_defaults(at));
    left.extend(others);
    let run = |at: CaseAt| {
        let one = run_one(books, &at);
        done(&one);
        (one, Some(at))
    };
    mine.into_iter().map(run).collect()
}

/// Runs cases without a clause, those of one selection one after the other; what comes
/// of them is in their order.
fn in_turn<'w, R>(
    books: &mut Books<'w>,
    cases: &[CaseAt],
    off: &Name,
    run: impl Fn(&mut Books<'w>, &CaseAt) -> R,
) -> Vec<R> {
    let places = books.by_selection(cases, off);
    let mut results: Vec<(usize, R)> = places
        .into_iter()
        .map(|place| (place, run(books, &cases[place])))
        .collect();
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

fn run_one(books: &mut Books<'_>, at: &CaseAt) -> TestResult {
    let head = &at.head;
    let mut one = result(&at.module, TestKind::Case, &at.file, &head.title, None);
    one.cites = head.cites.iter().cloned().collect();
    match books.run(at) {
        Ok((rulebook, run)) => {
            let happened = run.event_kinds.union(&run.kinds).cloned().collect();
            one.reached = clauses_reached(&rulebook, &run.reached, &happened);
            one.widenings = audiences::placed(&rulebook, run.widenings);
            let told = |fault| with_waiting(fault, &head.place, run.play.as_ref(), &rulebook);
            one.failure = run.fault.map(told);
            let unknown = head
                .cites
                .iter()
                .find(|clause| !rulebook.clauses().contains_key(*clause));
            if let (None, Some(clause)) = (&one.failure, unknown) {
                let message =
                    format!("it cites `{clause}`, which no manifest of these rules lists");
                one.failure =
                    Some(Fault::new(FaultCode::UnknownClause, message).at(head.place.clone()));
            }
        }
        Err(fault) => one.failure = Some(fault),
    }
    one
}

/// A clause to be switched off, and the cases that must fail then.
struct Off {
    clause: Name,
    cases: Vec<CaseAt>,
}

/// The clauses that cases which passed claim to need, each with those cases:
/// one rulebook without the clause serves them all.
fn off_jobs(workshop: &Workshop, ran: &[JobResult]) -> Vec<Off> {
    let manifests = workshop.manifests().values();
    let all = manifests
        .flat_map(|manifest| manifest.clauses())
        .map(|(_, clause)| clause);
    let matter = all.filter(|clause| matches!(clause.effect, Effect::Adds | Effect::Changes));
    let matter: BTreeSet<&Name> = matter.map(|clause| &clause.id).collect();
    // By mod too, for a machine is quickly turned only among the same mods.
    let mut jobs: BTreeMap<(&Name, &Name), Vec<CaseAt>> = BTreeMap::new();
    let ran = ran.iter().flat_map(|ran| &ran.results);
    for (one, at) in ran.filter(|(one, _)| one.failure.is_none()) {
        let Some(at) = at else { continue };
        let is_shown = |clause: &&Name| {
            matter.contains(*clause) && !at.head.without.iter().any(|text| **text == ***clause)
        };
        for clause in one.cites.iter().filter(is_shown) {
            jobs.entry((&one.module, clause))
                .or_default()
                .push(at.clone());
        }
    }
    let job = |((_, clause), cases): ((&Name, &Name), _)| Off {
        clause: clause.clone(),
        cases,
    };
    jobs.into_iter().map(job).collect()
}

/// Runs cases without the clause that they claim to need: they must fail.
fn run_off(
    books: &mut Books<'_>,
    off: &Off,
    done: &(dyn Fn(&TestResult) + Sync),
) -> Vec<TestResult> {
    let clause = &off.clause;
    in_turn(books, &off.cases, clause, |books, at| {
        let failure = match books.run_without(at, clause) {
            Ok(ClauseOff::Fails) => None,
            Ok(ClauseOff::Passes) => Some(passes_without(clause, at)),
            Ok(ClauseOff::Broken(fault)) => Some(broken_without(clause, fault)),
            Err(too_slow) => Some(too_slow),
        };
        let name = format!("{} (without {clause})", at.head.title);
        let one = result(&at.module, TestKind::ClauseOff, &at.file, &name, failure);
        done(&one);
        one
    })
}

fn passes_without(clause: &Name, at: &CaseAt) -> Fault {
    let message = format!("expected the case to fail with `{clause}` off, found that it passes");
    Fault::new(FaultCode::BadCase, message)
        .at(at.head.place.clone())
        .hint(format!("let the case show what the clause does, or cite another clause; `houserule rules {clause}` shows what hangs on it"))
}

/// The rules are told as they are with the clause off: that no case fails there for what the clause does.
fn broken_without(clause: &Name, mut fault: Fault) -> Fault {
    let message = format!(
        "the rules do not compose without `{clause}`: {}",
        fault.message
    );
    fault.message = message;
    // A phase in a list needs no other clause: it can say itself where it goes.
    let is_listed = |hint: &String| fault.code == FaultCode::UnknownPhase && hint.contains(" = \"");
    if fault.hint.as_ref().is_some_and(is_listed) {
        return fault;
    }
    fault.hint(format!(
        "where a rule of another clause needs what `{clause}` brings, let that clause say `requires: [\"{clause}\"]`"
    ))
}

// ---- scenarios ---------------------------------------------------------------

fn run_scenario(
    workshop: &Workshop,
    shelf: &mut Shelf<'_>,
    filter: &Filter,
    module: &Name,
    id: &str,
) -> Vec<TestResult> {
    let file = format!("scenarios/{id}.ron");
    if !filter.takes(id, &file) {
        return Vec::new();
    }
    let mut one = result(module, TestKind::Scenario, &file, id, None);
    match scenario_outcome(workshop, shelf, module, id, &mut one.widenings) {
        Ok(goldens) if goldens.is_empty() => vec![one],
        Ok(goldens) => goldens
            .into_iter()
            .map(|(view, golden)| differs(&one, &view, golden))
            .collect(),
        Err(fault) => vec![TestResult {
            failure: Some(fault),
            ..one
        }],
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

fn scenario_outcome(
    workshop: &Workshop,
    shelf: &mut Shelf<'_>,
    module: &Name,
    id: &str,
    widenings: &mut Vec<(Place, Widening)>,
) -> Result<Goldens, Fault> {
    let found = workshop.scenario(&format!("{module}/{id}"));
    let found = found.map_err(|mut faults| faults.swap_remove(0))?;
    let accepted = |file: &str| {
        workshop
            .sources()
            .get(module)
            .and_then(|sources| sources.get(file))
            .cloned()
    };
    let file = golden_file(id);
    let has_golden = accepted(&file).is_some()
        || !found.scenario.script.is_empty()
        || !found.scenario.views.is_empty();
    let overrides = Overrides::default();
    let prepared = workshop.prepare_by(&found, &overrides, |request| {
        shelf.books.of_scenario(request)
    });
    if !has_golden {
        let (chosen, setup) = prepared.map_err(|mut faults| faults.swap_remove(0))?;
        Match::start(chosen.rulebook, setup)?;
        return Ok(Vec::new());
    }
    let (game, line) = play_in(&found, prepared)?;
    widenings.extend(audiences::placed(
        game.rulebook(),
        game.game().widenings().cloned().collect(),
    ));
    let prepared = workshop.prepare_by(&found, &overrides, |request| {
        shelf.again.of_scenario(request)
    });
    let views = replay_in(&found, prepared, &game)?;
    let text = golden_text(&game, &line, &found.scenario);
    let mut goldens = vec![(
        String::new(),
        compare(accepted(&file).as_deref(), &text, PathBuf::from(file)),
    )];
    for (view, text) in found.scenario.views.iter().zip(views) {
        let file = view_file(id, view);
        goldens.push((
            view.clone(),
            compare(accepted(&file).as_deref(), &text, PathBuf::from(file)),
        ));
    }
    Ok(goldens)
}
