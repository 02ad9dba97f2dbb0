//! The checker in threads of its own, which keep what they have loaded: after
//! an edit of one file only that is checked again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use kernel::error::Place;
use luau_analysis::diagnostics::TypeError;
use luau_analysis::{
    AnalysisResult, DefinitionEnvironment, Frontend, FrontendOptions, NullConfigResolver,
    SemanticModel,
};
use luau_common::BString;
use luau_syntax::location::Position;

use super::handed::{FieldTakers, wrong_fields};
use super::resolver::{AnnotatedFiles, Resolver, module_name};
use super::words::{NeverWord, never_words};
use super::{CheckJob, CheckerSetup, Finding, is_silent, missing_key};

/// The checker walks deep trees by recursion.
const STACK: usize = 256 << 20;

/// Seconds after which a file is given up.
const LONGEST: f64 = 30.0;

/// No more threads than this check at once: each loads all definitions.
const MOST_THREADS: usize = 4;

/// How much there is to do before the first file, as if it were so many letters.
const LOADING: usize = 200_000;

/// What is handed back: a job that is done.
type FinishedCheck = CheckJob;

/// Threads that check, each with what it has loaded last.
#[derive(Default)]
pub(crate) struct Checkers {
    threads: Vec<Thread>,
}

struct Thread {
    jobs: Sender<(CheckJob, Sender<FinishedCheck>)>,
    /// The definitions that it has loaded, or will have.
    base: String,
    /// What it has been given to do in this round.
    load: usize,
}

impl Checkers {
    /// Checks the files of jobs while more of them are made. In no order.
    pub fn check_all(&mut self, jobs: impl Iterator<Item = CheckJob>) -> Vec<Finding> {
        let (done, all_done) = channel();
        self.threads.iter_mut().for_each(|thread| thread.load = 0);
        let mut findings = Vec::new();
        for job in jobs {
            if job.left.is_empty() {
                findings.extend(job.findings());
            } else {
                self.give(job, &done);
            }
        }
        drop(done);
        findings.extend(all_done.into_iter().flat_map(CheckJob::findings));
        findings.sort();
        findings.dedup();
        findings
    }

    /// Whether a thread has loaded, or will have, what files are checked by.
    pub fn are_ready(&self, prepared: &CheckerSetup) -> bool {
        self.threads
            .iter()
            .any(|thread| thread.base == prepared.base)
    }

    /// Has a thread load what a job goes by, for the jobs to come.
    pub fn make_ready(&mut self, job: CheckJob) {
        self.threads.iter_mut().for_each(|thread| thread.load = 0);
        self.give(job, &channel().0);
    }

    /// A job goes to the thread that knows its definitions, or else to that with
    /// the least to do.
    fn give(&mut self, job: CheckJob, done: &Sender<FinishedCheck>) {
        let known = self
            .threads
            .iter()
            .position(|thread| thread.base == job.base);
        let Some(place) = known.or_else(|| self.idlest()) else {
            return;
        };
        let Some(thread) = self.threads.get_mut(place) else {
            return;
        };
        thread.load += LOADING
            + job
                .left
                .iter()
                .map(|(place, _)| job.files.size(place))
                .sum::<usize>();
        thread.base.clone_from(&job.base);
        if let Err(unsent) = thread.jobs.send((job, done.clone())) {
            // The thread is gone with what it could not check.
            self.threads.remove(place);
            let (mut job, done) = unsent.0;
            job.give_up();
            let _ = done.send(job);
        }
    }

    fn idlest(&mut self) -> Option<usize> {
        let idlest = || {
            self.threads
                .iter()
                .enumerate()
                .min_by_key(|(_, thread)| thread.load)
        };
        let is_busy = idlest().is_none_or(|(_, thread)| thread.load > 0 || !thread.base.is_empty());
        let most = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MOST_THREADS);
        if is_busy && self.threads.len() < most {
            self.threads.extend(Thread::spawn());
            return self.threads.len().checked_sub(1);
        }
        idlest().map(|(place, _)| place)
    }
}

impl Thread {
    fn spawn() -> Option<Thread> {
        let (jobs, given) = channel();
        let thread = std::thread::Builder::new()
            .name("typecheck".into())
            .stack_size(STACK);
        thread.spawn(move || work(&given)).ok()?;
        Some(Thread {
            jobs,
            base: String::new(),
            load: 0,
        })
    }
}

impl CheckJob {
    /// Says of every file that is left that it was not checked.
    fn give_up(&mut self) {
        let all = self
            .left
            .iter()
            .map(|(place, _)| unchecked(place))
            .collect();
        self.kept_in = None;
        self.take_found(all);
    }
}

fn unchecked(place: &Place) -> Vec<Finding> {
    let message = "the type checker failed on this file, so that it was not checked".to_string();
    vec![Finding {
        place: place.clone(),
        message,
        hint: None,
    }]
}

fn work(given: &Receiver<(CheckJob, Sender<FinishedCheck>)>) {
    let mut checker: Option<Checker> = None;
    for (mut job, done) in given {
        let mut found = Vec::new();
        if job.left.is_empty()
            && !matches!(caught(|| ready(&mut checker, &job).map(|_| ())), Ok(Ok(())))
        {
            checker = None;
        }
        for (place, _) in &job.left {
            let outcome = caught(|| ready(&mut checker, &job)?.check(place));
            match outcome {
                Ok(Ok(findings)) => found.push(findings),
                _ => {
                    // What it holds may be broken as well.
                    checker = None;
                    found.push(unchecked(place));
                }
            }
        }
        job.take_found(found);
        let _ = done.send(job);
    }
}

fn caught<T>(what: impl FnOnce() -> T) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(what))
}

/// A checker that has loaded what a job goes by, and knows its files as they are.
fn ready<'a>(kept: &'a mut Option<Checker>, job: &CheckJob) -> AnalysisResult<&'a mut Checker> {
    let checker = match kept.take().filter(|checker| checker.base == job.base) {
        Some(known) => kept.insert(known),
        None => kept.insert(Checker::new(job)?),
    };
    checker.take_over(&job.files);
    Ok(checker)
}

struct Checker {
    files: Arc<AnnotatedFiles>,
    base: String,
    takers: Arc<FieldTakers>,
    frontend: Frontend<Resolver, NullConfigResolver>,
    complaint: Option<String>,
}

impl Checker {
    fn new(job: &CheckJob) -> AnalysisResult<Checker> {
        let options = FrontendOptions {
            retain_full_type_graphs: true,
            module_time_limit_sec: Some(LONGEST),
            ..FrontendOptions::default()
        };
        let resolver = Resolver::new(job.files.clone());
        let mut frontend = Frontend::new(resolver, NullConfigResolver::default(), options);
        frontend.register_builtin_globals(DefinitionEnvironment::Globals)?;
        let mut complaint = None;
        for text in job.definitions.iter() {
            let scope = frontend.global_scope(DefinitionEnvironment::Globals);
            let loaded = frontend.load_definition_file(scope, text, "@houserule", false)?;
            if !loaded.success {
                let syntax = loaded
                    .source_module
                    .parse_errors
                    .first()
                    .map(ToString::to_string);
                let types = loaded
                    .semantic_model(&frontend)
                    .and_then(|model| first_message(&model));
                complaint = complaint.or_else(|| Some(syntax.or(types).unwrap_or_default()));
            }
        }
        Ok(Checker {
            files: job.files.clone(),
            base: job.base.clone(),
            takers: job.takers.clone(),
            frontend,
            complaint,
        })
    }

    /// Goes on with the files as they are now.
    fn take_over(&mut self, files: &Arc<AnnotatedFiles>) {
        if Arc::ptr_eq(&self.files, files) {
            return;
        }
        for name in files.other_than(&self.files) {
            self.frontend.mark_dirty(&BString::from(name), None);
        }
        *self.frontend.file_resolver_mut() = Resolver::new(files.clone());
        self.files = files.clone();
    }

    fn check(&mut self, place: &Place) -> AnalysisResult<Vec<Finding>> {
        if let Some(complaint) = &self.complaint {
            let message = format!("the type definitions do not load: {complaint}");
            return Ok(vec![Finding {
                place: place.clone(),
                message,
                hint: None,
            }]);
        }
        let name = BString::from(module_name(&place.module, &place.file));
        let result = self.frontend.check(&name, None)?;
        let Some(model) = self.frontend.semantic_model(&name) else {
            return Ok(Vec::new());
        };
        let own = result
            .errors
            .iter()
            .filter(|error| error.module_name == name);
        let mut found: Vec<Finding> = own
            .filter_map(|error| self.finding(place, &model, error))
            .collect();
        let more = never_words(&model).into_iter();
        let more = more.chain(wrong_fields(&model, &self.takers));
        found.extend(more.map(|word| {
            let NeverWord { at, message, hint } = word;
            Finding {
                place: self.placed(place, at),
                message,
                hint,
            }
        }));
        Ok(found)
    }

    /// The place of the author's text.
    fn placed(&self, place: &Place, at: Position) -> Place {
        let (line, column) = self.files.origin(place, at);
        Place {
            line,
            column,
            ..place.clone()
        }
    }

    fn finding(
        &self,
        place: &Place,
        model: &SemanticModel<'_>,
        error: &TypeError,
    ) -> Option<Finding> {
        let message = model.error_message(error).to_string();
        if is_silent(&error.data, &message) {
            return None;
        }
        let begin = error.location.begin;
        if message.starts_with("Expected this to be") && self.files.is_misjudged(place, begin) {
            return None;
        }
        if let Some(finding) = self.files.misspelt(place, error.location.begin, &message) {
            return Some(finding);
        }
        let message = missing_key(&message).unwrap_or(message);
        Some(Finding {
            place: self.placed(place, begin),
            hint: hint_for(&message),
            message,
        })
    }
}

/// What helps where the words of the checker say little.
fn hint_for(message: &str) -> Option<String> {
    let is_read_only = message.starts_with("Expected this to be") && message.contains("{ read ");
    is_read_only.then(|| {
        "what rules give is read-only: say `read` before the fields of your type, or name it with `rules.record`".into()
    })
}

fn first_message(model: &SemanticModel<'_>) -> Option<String> {
    let module = model.module();
    let error = module.errors().first()?;
    let line = error.location.begin.line + 1;
    Some(format!("line {line}: {}", model.error_message(error)))
}
