//! `houserule check`: every problem of every mod.

use clap::Args;
use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::modset::selector::{Request, Selector};
use houserule::testing::{Filter, run_for_audiences};
use houserule::workshop::{Overrides, Workshop};
use houserule::{Looked, Wanted, look};
use serde_json::{Value as Json, json};

use crate::config::cache;
use crate::desk::{Desk, Failure};
use crate::diagnostics::{Severity, fault_json, in_files, shown};
use crate::paint::counted;

const EXAMPLES: &str = "\
Examples:
  houserule check                  all mods
  houserule check iceburg          one mod, with all that it stands on
  houserule check mods/iceburg/rules/cb.luau   one file, without playing anything
  houserule check --format json    for an editor or a pipeline";

/// Reports every problem of every mod.
///
/// Reads manifests and data, composes the rules (with the defaults, and with
/// every clause on), sets each scenario up and starts it, and loads the files of
/// tests. It runs the tests only to see what they tell to more than may see what
/// it rests on; whether they pass is for `houserule test`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// Which mods, or one file of a mod; all mods without it
    #[arg(value_name = "MOD")]
    pub chosen: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When there is a problem.
pub fn run(args: &CheckArgs, desk: &mut Desk) -> Result<(), Failure> {
    if let Some((module, file)) = file_of(&args.chosen, &desk.workshop) {
        let looked = of_file(desk, &module, &file);
        return tell(desk, &[module], looked.problems, looked.advice);
    }
    let mods = chosen(&args.chosen, desk)?;
    let mut problems: Vec<Fault> = Vec::new();
    let broken = std::mem::take(&mut desk.broken);
    problems.extend(broken.into_iter().filter(|fault| concerns(fault, &args.chosen)));
    for id in &mods {
        if desk.workshop.manifests().contains_key(id) {
            problems.extend(of_mod(&desk.workshop, id));
        }
    }
    let looked = looked(desk, &mods, None);
    problems.extend(looked.problems);
    let mut warnings = outdated(&desk.workshop, &mods);
    warnings.extend(looked.advice);
    tell(desk, &mods, problems, warnings)
}

fn tell(
    desk: &mut Desk,
    mods: &[Name],
    mut problems: Vec<Fault>,
    warnings: Vec<Fault>,
) -> Result<(), Failure> {
    problems.sort_by(|a, b| (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message)));
    problems.dedup();
    let summary = summary(mods.len(), &problems);
    if desk.is_json() {
        let problems = problems.iter().map(|fault| fault_json(fault, Severity::Error));
        let warnings = warnings.iter().map(|fault| fault_json(fault, Severity::Warning));
        let list: Vec<Json> = problems.chain(warnings).collect();
        let mods: Vec<&str> = mods.iter().map(|id| &**id).collect();
        desk.document(&json!({ "mods": mods, "problems": list }))?;
    } else {
        for (faults, severity) in [(&problems, Severity::Error), (&warnings, Severity::Warning)] {
            for picture in shown(faults, severity, &desk.workshop, desk.width) {
                desk.picture(&picture)?;
            }
        }
        desk.line(summary)?;
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Told) }
}

/// What looks wrong in the files of mods, without playing them.
fn looked(desk: &Desk, mods: &[Name], file: Option<&str>) -> Looked {
    let kept = cache().map(|folder| folder.join("checked"));
    let wanted = Wanted { file, kept_in: kept.as_deref() };
    let mut all = Looked::default();
    for id in mods {
        let one = look(&desk.workshop, id, wanted);
        all.problems.extend(one.problems);
        all.advice.extend(one.advice);
    }
    all
}

/// The mod that a file is of, and its path there.
fn file_of(asked: &[String], workshop: &Workshop) -> Option<(Name, String)> {
    let [path] = asked else { return None };
    let path = std::path::Path::new(path).canonicalize().ok()?;
    workshop.sources().iter().find_map(|(id, sources)| {
        let folder = sources.folder.as_ref()?.canonicalize().ok()?;
        let path = path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
        sources.files.contains_key(&path).then(|| (id.clone(), path))
    })
}

/// The faults of one file: those of composing its mod, and what looks wrong.
fn of_file(desk: &mut Desk, module: &Name, file: &str) -> Looked {
    let broken = std::mem::take(&mut desk.broken);
    let mut problems: Vec<Fault> =
        broken.into_iter().filter(|fault| concerns(fault, &[module.to_string()])).collect();
    problems.extend(composed(&desk.workshop, module));
    problems.retain(|fault| fault.place.as_ref().is_none_or(|place| *place.file == *file));
    if problems.is_empty() {
        return looked(desk, std::slice::from_ref(module), Some(file));
    }
    Looked { problems, ..Looked::default() }
}

/// Components that are not built from the source beside them: they play by
/// rules that the author does not see any more.
pub(super) fn outdated(workshop: &Workshop, mods: &[Name]) -> Vec<Fault> {
    #[cfg(feature = "wasm")]
    return mods
        .iter()
        .filter_map(|id| workshop.sources().get(id))
        .flat_map(houserule::wasm::outdated)
        .collect();
    #[cfg(not(feature = "wasm"))]
    return {
        let _ = (workshop, mods);
        Vec::new()
    };
}

/// The mods that were asked for; those without a good manifest too.
fn chosen(asked: &[String], desk: &Desk) -> Result<Vec<Name>, Failure> {
    if asked.is_empty() {
        return Ok(desk.workshop.sources().keys().cloned().collect());
    }
    let mut faults = Vec::new();
    let mut mods = Vec::new();
    for id in asked {
        match desk.workshop.sources().get_key_value(id.as_str()) {
            Some((id, _)) => mods.push(id.clone()),
            None => faults.extend(desk.workshop.manifest(id).err()),
        }
    }
    if faults.is_empty() { Ok(mods) } else { Err(faults.into()) }
}

fn concerns(fault: &Fault, asked: &[String]) -> bool {
    let module = fault.place.as_ref().map(|place| &place.module);
    asked.is_empty() || module.is_none_or(|module| asked.iter().any(|one| **one == **module))
}

fn of_mod(workshop: &Workshop, id: &Name) -> Vec<Fault> {
    let mut problems = composed(workshop, id);
    if !problems.is_empty() {
        // Nothing that stands on these rules can be told from them.
        return problems;
    }
    for (_, found) in workshop.scenarios_of(id) {
        let started = found.and_then(|found| workshop.start(&found, &Overrides::default()).map(|_| ()));
        problems.extend(started.err().unwrap_or_default());
    }
    let filter = Filter { mods: vec![id.clone()], text: None };
    problems.extend(run_for_audiences(workshop, &filter).into_iter().filter_map(|result| result.failure));
    problems
}

/// What is wrong when the rules of a mod are put together.
fn composed(workshop: &Workshop, id: &Name) -> Vec<Fault> {
    let mut problems = Vec::new();
    let whole =
        Request { with: vec![Selector { module: id.clone(), picks: Vec::new() }], ..Request::default() };
    problems.extend(workshop.compose(&whole).err().unwrap_or_default());
    if let Some(everything) = everything(workshop, id) {
        problems.extend(workshop.compose(&everything).err().unwrap_or_default());
    }
    problems
}

/// A mod with the clauses that naming it leaves off, if it has some.
fn everything(workshop: &Workshop, id: &Name) -> Option<Request> {
    let manifest = workshop.manifests().get(id)?;
    let off = manifest.clauses().filter(|(group, clause)| !(group.default && clause.default));
    let mut with: Vec<Selector> = off.filter_map(|(_, clause)| Selector::parse(&clause.id).ok()).collect();
    if with.is_empty() {
        return None;
    }
    with.insert(0, Selector { module: id.clone(), picks: Vec::new() });
    Some(Request { with, ..Request::default() })
}

fn summary(mods: usize, problems: &[Fault]) -> String {
    let mods = counted(mods, "mod");
    match problems.len() {
        0 => format!("{mods}, no problems"),
        1 => format!("{mods}, 1 problem"),
        many => format!("{mods}, {}", in_files(&format!("{many} problems"), problems)),
    }
}
