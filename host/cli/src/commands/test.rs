//! `houserule test`: the cases and goldens of mods.

mod subsets;

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::value::Name;
use houserule::modset::files::Sources;
use houserule::modset::selector::Amendment;
use houserule::testing::{
    CellResult, Filter, TestKind, TestResult, accept, audit_rows, run_suite, unnoticed_rows,
};
use houserule::workshop::Workshop;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::config::memory;
use crate::diagnostics::{Severity, fault_json, render};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::selection::{amendment, id_and_value};
use crate::ui::Ui;
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule test                        every mod
  houserule test iceburg --filter sam   cases and scenarios with `sam` in name or file
  houserule test mods/dsii/tests/fire.luau
  houserule test --again                also what passed before, though nothing has changed since
  houserule test --review               read each difference, then say yes or no
  houserule test dsii --accept          accept them all
  houserule test dsii --amend 'dsii.fire.ranges[RFAC,1].close=10in'   which cases rest on a figure
  houserule test dsii --rows            which figures of tables no case checks
  houserule test dsii --with iceburg    which cases house rules change, and by which clause
  houserule test dsii --with iceburg --without iceburg:sam   the same without some of them
  houserule test dsii --with iceburg --subsets 100   the same for parts of them, with games";

/// Runs the cases and goldens of mods.
///
/// A case must pass, and fail with the clause off that it shows; a scenario
/// must play as its golden says.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TestArgs {
    /// Mods by id, or folders and files of mods; all mods without it
    #[arg(value_name = "MOD|PATH")]
    pub what: Vec<String>,
    /// Run all tests, also those that passed before with everything that they rest on
    #[arg(long)]
    pub again: bool,
    /// Only tests with this in their name or file
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Write every golden that differs or is missing
    #[arg(long, conflicts_with = "review")]
    pub accept: bool,
    /// Show each golden that differs or is missing, and ask
    #[arg(long)]
    pub review: bool,
    /// Change each cell of each table in turn, and tell which no case notices
    #[arg(long, conflicts_with_all = ["accept", "review", "filter"])]
    pub rows: bool,
    /// Change one cell of a table, for instance `dsii.fire.ranges[RFAC,1].close=10in`
    #[arg(long, value_name = "CELL=VALUE", value_parser = amendment)]
    #[arg(conflicts_with_all = ["accept", "review", "rows"])]
    pub amend: Vec<Amendment>,
    /// Count what rules cost, and print the dearest at the end: calls, time
    #[arg(long, conflicts_with_all = ["rows", "with"])]
    pub profile: bool,
    /// Run the cases under house rules too: tell which come out otherwise, and which clause makes them
    #[arg(long, value_name = "SELECTOR", conflicts_with_all = ["accept", "review", "rows"])]
    pub with: Vec<String>,
    /// Set an option of these house rules, or of what they stand on
    #[arg(long, value_name = "ID=VALUE", value_parser = id_and_value, requires = "with")]
    pub option: Vec<(String, String)>,
    /// Leave a group or a clause of these house rules out
    #[arg(long, value_name = "SELECTOR", requires = "with")]
    pub without: Vec<String>,
    /// Under each group of them alone, each clause alone, all, and so many random subsets
    #[arg(long, value_name = "N", requires = "with")]
    pub subsets: Option<usize>,
    /// Games between bots for each of these, of one scenario after the other
    #[arg(long, value_name = "N", requires = "with", default_value_t = 1)]
    pub games: usize,
    /// How many turns these games last at most
    #[arg(long, value_name = "N", requires = "with", default_value_t = 2, value_parser = crate::selection::turns)]
    pub turns: u32,
    /// What random subsets and games are drawn from
    #[arg(long, value_name = "N", requires = "with", default_value_t = 1996)]
    pub seed: u64,
}

/// Runs the command.
///
/// # Errors
/// When a test fails.
pub fn run(args: &TestArgs, ui: &mut Ui) -> Result<(), Failure> {
    if (args.accept || args.review) && is_ci() {
        let text =
            "goldens are read by a person: `--accept` and `--review` do nothing where CI is set";
        return Err(Failure::Usage(text.into()));
    }
    if !args.amend.is_empty() {
        ui.workshop = Rc::new(ui.workshop.amended(args.amend.clone())?);
    }
    let filters = filters(args, ui)?;
    let tested: Vec<Name> = filters
        .iter()
        .flat_map(|filter| filter.mods.iter().cloned())
        .collect();
    let broken = left_out(&tested, ui)?;
    let tested = if tested.is_empty() {
        ui.workshop.sources().keys().cloned().collect()
    } else {
        tested
    };
    let mut warnings = super::check::outdated(&ui.workshop, &tested);
    // Where nothing is tested nothing else would say it.
    let sources = tested.iter().filter_map(|id| ui.workshop.sources().get(id));
    warnings.extend(sources.filter_map(Sources::unbuilt));
    ui.faults(&warnings, Severity::Warning)?;
    if args.rows {
        return audit(&filters, ui);
    }
    if !args.with.is_empty() {
        return subsets::audit(args, &filters, ui);
    }
    if args.profile {
        houserule::profile::begin();
    }
    let mut results = run_tests(args, &filters, ui);
    settle_goldens(args, &mut results, ui)?;
    for result in &results {
        tell(result, ui)?;
    }
    if let (true, Some(text)) = (results.is_empty() && broken.is_empty(), &args.filter) {
        return Err(Failure::Usage(format!(
            "expected a test with `{text}` in its name, found none"
        )));
    }
    let failed = results
        .iter()
        .filter(|result| result.failure.is_some())
        .count();
    tell_sum(&results, failed, ui)?;
    if args.profile {
        super::profile::tell(ui)?;
    }
    if failed + broken.len() == 0 {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

/// Runs the tests that some filters let through, but for those that are remembered.
fn run_tests(args: &TestArgs, filters: &[Filter], ui: &Ui) -> Vec<TestResult> {
    // What is changed on the command line, and what is to be measured, must run.
    let is_remembered = !args.again && !args.profile && args.amend.is_empty();
    let memory = if is_remembered { memory() } else { None };
    let bar = bar(ui, "tests");
    let mut results: Vec<TestResult> = Vec::new();
    for filter in filters {
        results.extend(run_suite(&ui.workshop, filter, memory.as_ref(), &|_| {
            bar.inc(1)
        }));
    }
    bar.finish_and_clear();
    results
}

/// What is left out of the mods that are tested, or of all: a test that cannot
/// be read has failed. Of other mods it is only a remark.
fn left_out(tested: &[Name], ui: &mut Ui) -> Result<Vec<Fault>, Failure> {
    let is_tested = |fault: &Fault| {
        let module = fault
            .place
            .as_ref()
            .map(|place| &place.module)
            .filter(|module| !module.is_empty());
        tested.is_empty() || module.is_some_and(|module| tested.contains(module))
    };
    let (own, others) = std::mem::take(&mut ui.broken)
        .into_iter()
        .partition(is_tested);
    ui.broken = others;
    ui.tell_left_out()?;
    ui.faults(&own, Severity::Error)?;
    Ok(own)
}

/// Whether nobody is there to read: this alone is taken from the environment,
/// because pipelines say it nowhere else.
fn is_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

fn bar(ui: &Ui, what: &str) -> ProgressBar {
    if ui.is_json() || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template(&format!("{{spinner:.cyan}} {{pos}} {what}")) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(80));
    bar
}

// ---- rows of tables ---------------------------------------------------------

/// Changes each cell of the tables of the mods, and tells which no case notices.
fn audit(filters: &[Filter], ui: &mut Ui) -> Result<(), Failure> {
    let mut mods: Vec<Name> = filters
        .iter()
        .flat_map(|filter| filter.mods.clone())
        .collect();
    if mods.is_empty() {
        mods = ui.workshop.sources().keys().cloned().collect();
    }
    let bar = bar(ui, "cells");
    let mut cells: Vec<CellResult> = Vec::new();
    for module in &mods {
        cells.extend(audit_rows(&ui.workshop, module, &|_| bar.inc(1)).map_err(Failure::from)?);
    }
    bar.finish_and_clear();
    let unnoticed = cells.iter().filter(|cell| cell.noticed.is_none()).count();
    for cell in &cells {
        if ui.is_json() {
            ui.json(&json!({ "type": "cell", "cell": cell }))?;
        } else if cell.noticed.is_none() {
            let change = format!("{} -> {}", cell.holds, cell.changed);
            ui.line(format!(
                "{}  {}.{}  {}",
                "UNNOTICED".red().bold(),
                cell.row,
                cell.column,
                change.dimmed()
            ))?;
        }
    }
    let rows = unnoticed_rows(&cells).len();
    if ui.is_json() {
        ui.json(&json!({ "type": "summary", "cells": cells.len(), "unnoticed": unnoticed, "rows": rows }))?;
    } else {
        ui.line(format!(
            "{} changed, {unnoticed} unnoticed; {} of which no cell is noticed",
            counted(cells.len(), "cell"),
            counted(rows, "row")
        ))?;
    }
    if unnoticed == 0 {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

// ---- what to run -----------------------------------------------------------

/// One filter for mods as wholes, and one for each path.
fn filters(args: &TestArgs, ui: &mut Ui) -> Result<Vec<Filter>, Failure> {
    let mut mods: Vec<Name> = Vec::new();
    let mut filters = Vec::new();
    for what in &args.what {
        if let Some((id, _)) = ui.workshop.sources().get_key_value(what.as_str()) {
            mods.push(id.clone());
            continue;
        }
        if !Path::new(what).exists() {
            return Err(ui
                .workshop
                .manifest(what)
                .err()
                .map_or(Failure::Reported, Failure::from));
        }
        filters.extend(of_path(what, args, ui)?);
    }
    if args.what.is_empty() {
        filters.push(Filter {
            mods,
            text: args.filter.clone(),
        });
    } else if !mods.is_empty() {
        filters.insert(
            0,
            Filter {
                mods,
                text: args.filter.clone(),
            },
        );
    }
    Ok(filters)
}

/// The tests in a folder or file: of the mods that are known, or else of those
/// that are found there.
fn of_path(what: &str, args: &TestArgs, ui: &mut Ui) -> Result<Vec<Filter>, Failure> {
    let path = Path::new(what)
        .canonicalize()
        .unwrap_or_else(|_| PathBuf::from(what));
    let mut found = inside(&ui.workshop, &path, args.filter.as_ref());
    if found.is_empty() && path.is_dir() {
        let (workshop, broken) = Workshop::open(std::slice::from_ref(&path));
        found = inside(&workshop, &path, args.filter.as_ref());
        let is_alone = ui.workshop.sources().is_empty() && !found.is_empty();
        if is_alone {
            ui.workshop = Rc::new(workshop);
            ui.broken = broken;
        } else if !found.is_empty() {
            let text = format!(
                "`{what}` is not among the mods at hand: give its folder with `--mods` too"
            );
            return Err(Failure::Plain(text));
        }
    }
    match found.is_empty() {
        false => Ok(found),
        true => Err(Fault::new(
            FaultCode::UnknownMod,
            format!("expected a mod, or a file of one, at `{what}`"),
        )
        .into()),
    }
}

fn inside(workshop: &Workshop, path: &Path, text: Option<&String>) -> Vec<Filter> {
    let mut found = Vec::new();
    for (id, sources) in workshop.sources() {
        let Some(folder) = sources
            .folder
            .as_ref()
            .and_then(|folder| folder.canonicalize().ok())
        else {
            continue;
        };
        if folder.starts_with(path) {
            found.push(Filter {
                mods: vec![id.clone()],
                text: text.cloned(),
            });
        } else if let Ok(file) = path.strip_prefix(&folder) {
            let file = file.to_string_lossy().replace('\\', "/");
            // A golden is the test of its scenario.
            let file = match file.strip_prefix("golden/") {
                Some(golden) => format!(
                    "scenarios/{}.ron",
                    golden.split('.').next().unwrap_or_default()
                ),
                None => file,
            };
            found.push(Filter {
                mods: vec![id.clone()],
                text: Some(file),
            });
        }
    }
    found
}

// ---- goldens ---------------------------------------------------------------

fn settle_goldens(args: &TestArgs, results: &mut [TestResult], ui: &mut Ui) -> Result<(), Failure> {
    if !args.accept && !args.review {
        return Ok(());
    }
    let mut input = io::stdin().lock();
    for result in results.iter_mut().filter(|result| result.golden.is_some()) {
        if args.accept || ask(result, ui, &mut input)? {
            write(result, ui)?;
        }
    }
    Ok(())
}

/// Shows what differs, and asks; after `q` the rest is left as it is.
fn ask(result: &TestResult, ui: &mut Ui, input: &mut impl BufRead) -> Result<bool, Failure> {
    head(result, ui)?;
    diff(result, ui)?;
    loop {
        ui.line("accept it? [y/n/q] ")?;
        ui.flush()?;
        let mut answer = String::new();
        let is_end = input.read_line(&mut answer)? == 0;
        match answer.trim() {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            "q" | "quit" => {
                return Err(Failure::Plain(
                    "stopped; what was accepted so far is written".into(),
                ));
            }
            _ if is_end => {
                return Err(Failure::Plain(
                    "nobody answers: run it at a terminal".into(),
                ));
            }
            _ => {}
        }
    }
}

fn write(result: &mut TestResult, ui: &mut Ui) -> Result<(), Failure> {
    let Some(golden) = &result.golden else {
        return Ok(());
    };
    let sources = ui.workshop.sources().get(&result.module);
    let Some(folder) = sources.and_then(|sources| sources.folder.clone()) else {
        return Ok(());
    };
    let id = result
        .file
        .trim_start_matches("scenarios/")
        .trim_end_matches(".ron");
    let title = ui.workshop.scenario(&format!("{}/{id}", result.module));
    let title = title.map_or_else(|_| id.to_string(), |found| found.scenario.title);
    accept(&folder, golden, &title).map_err(|error| {
        Failure::Plain(format!(
            "cannot write `{}`: {error}",
            folder.join(&golden.file).display()
        ))
    })?;
    if !ui.is_json() {
        ui.line(format!(
            "{} {}",
            "wrote".green(),
            folder.join(&golden.file).display()
        ))?;
    }
    result.golden = None;
    result.failure = None;
    Ok(())
}

// ---- reporting --------------------------------------------------------------

fn tell(result: &TestResult, ui: &mut Ui) -> io::Result<()> {
    if ui.is_json() {
        return ui.json(&json!({
            "type": "test",
            "mod": &*result.module,
            "sort": sort_word(result.sort),
            "file": result.file,
            "name": result.name,
            "passed": result.failure.is_none(),
            "failure": result.failure.as_ref().map(|fault| fault_json(fault, Severity::Error)),
            "diff": result.golden.as_ref().map(|golden| &golden.diff),
        }));
    }
    let Some(fault) = &result.failure else {
        return Ok(());
    };
    head(result, ui)?;
    diff(result, ui)?;
    ui.picture(&render(fault, Severity::Error, &ui.workshop, ui.width))
}

/// How many tests have passed, and how many of them were not run again.
fn tell_sum(results: &[TestResult], failed: usize, ui: &mut Ui) -> io::Result<()> {
    let passed = results.len() - failed;
    let remembered = results.iter().filter(|result| result.is_remembered).count();
    if ui.is_json() {
        let summary = json!({ "type": "summary", "passed": passed, "failed": failed, "remembered": remembered });
        ui.json(&summary)?;
    } else {
        ui.line(format!("{passed} passed, {failed} failed"))?;
        if remembered > 0 {
            let words = "passed before, and nothing has changed since that they rest on: `--again` runs all";
            ui.line(format!("{remembered} of them {words}").dimmed())?;
        }
    }
    Ok(())
}

fn sort_word(sort: TestKind) -> &'static str {
    match sort {
        TestKind::File => "file",
        TestKind::Case => "case",
        TestKind::ClauseOff => "clause-off",
        TestKind::Scenario => "scenario",
        TestKind::Audience => "audience",
    }
}

fn head(result: &TestResult, ui: &mut Ui) -> io::Result<()> {
    let place = format!("{}/{}", result.module, result.file);
    ui.line(format!(
        "{}  {}  {}",
        "FAILED".red().bold(),
        place.dimmed(),
        result.name.bold()
    ))
}

fn diff(result: &TestResult, ui: &mut Ui) -> io::Result<()> {
    let Some(golden) = &result.golden else {
        return Ok(());
    };
    for line in golden.diff.lines() {
        match line.chars().next() {
            Some('+') => ui.line(line.green())?,
            Some('-') => ui.line(line.red())?,
            Some('@') => ui.line(line.cyan())?,
            _ => ui.line(line)?,
        }
    }
    Ok(())
}
