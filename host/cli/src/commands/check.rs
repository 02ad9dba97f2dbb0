//! `houserule check`: every problem of every mod.

use clap::Args;
use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::modset::selector::{Request, Selector};
use houserule::workshop::Workshop;
use houserule::{LintRequest, Looker, meeting, unused};
use serde_json::{Value as Json, json};

use super::audiences;
use crate::config::{cache, tidy_cache};
use crate::diagnostics::{Severity, fault_json, in_files, shown};
use crate::failure::Failure;
use crate::ui::Ui;
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule check                  all mods, each by itself with what it stands on
  houserule check iceburg          one mod, with all that it stands on
  houserule check iceburg club     two house rules, each alone and both together
  houserule check mods/iceburg/rules/cb.luau   one file, without its scenarios
  houserule check --format json    for an editor or a pipeline";

/// Reports every problem of every mod.
///
/// Two house rules that get in each other's way are found where both are named,
/// and where they extend the same enum, kind, record or table.
///
/// Reads manifests and data, composes the rules (with the defaults, and with
/// every clause on; several mods also together), looks at names, effects and
/// types in every file, sets each scenario up and starts it, and plays the cases
/// to see whether anything is told to more than may see what it rests on; a mod
/// that has passed is not played again until a file of it changes. Whether cases
/// come out as they say is for `houserule test`.
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
pub fn run(args: &CheckArgs, ui: &mut Ui) -> Result<(), Failure> {
    if let Some((module, file)) = file_of(&args.chosen, &ui.workshop) {
        let (problems, mut warnings) = of_file(ui, &module, &file);
        let is_there = |fault: &Fault| {
            fault
                .place
                .as_ref()
                .is_some_and(|place| *place.file == *file)
        };
        let unused = unused(&ui.workshop, &module);
        warnings.extend(unused.into_iter().filter(is_there));
        tidy_cache();
        return tell(ui, &[module], problems, warnings);
    }
    let mods = chosen(&args.chosen, ui)?;
    let mut problems: Vec<Fault> = Vec::new();
    let broken = std::mem::take(&mut ui.broken);
    problems.extend(
        broken
            .into_iter()
            .filter(|fault| concerns(fault, &args.chosen)),
    );
    let mut sets: Vec<Vec<Name>> = mods.iter().map(|id| vec![id.clone()]).collect();
    if args.chosen.len() > 1 {
        sets.push(mods.clone());
    }
    sets.retain(|set| {
        set.iter()
            .all(|id| ui.workshop.manifests().contains_key(id))
    });
    let whole = sets.iter().filter(|set| {
        let found = composed(&ui.workshop, set);
        problems.extend(found.iter().cloned());
        // Nothing that stands on broken rules can be told from them.
        found.is_empty()
    });
    let whole: Vec<Vec<Name>> = whole.cloned().collect();
    if args.chosen.is_empty() {
        problems.extend(of_meeting(&ui.workshop, &whole));
    }
    for set in whole.iter().filter(|set| set.len() == 1) {
        problems.extend(set.iter().flat_map(|id| of_scenarios(&ui.workshop, id)));
        problems.extend(
            set.iter()
                .flat_map(|id| audiences::disclosed_too_widely(&ui.workshop, id)),
        );
    }
    let (found, mut warnings) = looked(ui, &whole, None);
    problems.extend(found);
    warnings.extend(outdated(&ui.workshop, &mods));
    warnings.extend(mods.iter().flat_map(|id| unused(&ui.workshop, id)));
    tidy_cache();
    tell(ui, &mods, problems, warnings)
}

fn tell(
    ui: &mut Ui,
    mods: &[Name],
    mut problems: Vec<Fault>,
    warnings: Vec<Fault>,
) -> Result<(), Failure> {
    problems.sort_by(|a, b| (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message)));
    problems.dedup();
    let summary = summary(mods.len(), &problems);
    if ui.is_json() {
        let problems = problems
            .iter()
            .map(|fault| fault_json(fault, Severity::Error));
        let warnings = warnings
            .iter()
            .map(|fault| fault_json(fault, Severity::Warning));
        let list: Vec<Json> = problems.chain(warnings).collect();
        let mods: Vec<&str> = mods.iter().map(|id| &**id).collect();
        ui.document(&json!({ "mods": mods, "problems": list }))?;
    } else {
        for (faults, severity) in [(&problems, Severity::Error), (&warnings, Severity::Warning)] {
            for picture in shown(faults, severity, &ui.workshop, ui.width) {
                ui.picture(&picture)?;
            }
        }
        ui.line(summary)?;
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

/// What is wrong with two mods together that change the same thing of a third,
/// where each by itself is whole.
fn of_meeting(workshop: &Workshop, whole: &[Vec<Name>]) -> Vec<Fault> {
    let is_whole = |id: &Name| {
        whole
            .iter()
            .any(|set| set.as_slice() == std::slice::from_ref(id))
    };
    let pairs = meeting(workshop)
        .into_iter()
        .filter(|pair| pair.iter().all(is_whole));
    pairs.flat_map(|pair| composed(workshop, &pair)).collect()
}

/// What looks wrong in the files of mods, without playing them, and what could be
/// better.
fn looked(ui: &Ui, sets: &[Vec<Name>], file: Option<&str>) -> (Vec<Fault>, Vec<Fault>) {
    let mut looker = Looker::default();
    let found = looked_again(&mut looker, &ui.workshop, sets, file);
    (found, looker.warnings().to_vec())
}

/// The same by somebody who has looked before.
pub(super) fn looked_again(
    looker: &mut Looker,
    workshop: &Workshop,
    sets: &[Vec<Name>],
    file: Option<&str>,
) -> Vec<Fault> {
    let kept = cache().map(|folder| folder.join("checked"));
    let wanted = LintRequest {
        file,
        kept_in: kept.as_deref(),
    };
    looker.look(workshop, sets, wanted)
}

/// The mod that a file is of, and its path there.
fn file_of(asked: &[String], workshop: &Workshop) -> Option<(Name, String)> {
    let [path] = asked else { return None };
    let path = std::path::Path::new(path).canonicalize().ok()?;
    workshop.sources().iter().find_map(|(id, sources)| {
        let folder = sources.folder.as_ref()?.canonicalize().ok()?;
        let path = path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
        sources.has(&path).then(|| (id.clone(), path))
    })
}

/// The faults of one file: those of composing its mod, and what looks wrong; and what
/// could be better.
fn of_file(ui: &mut Ui, module: &Name, file: &str) -> (Vec<Fault>, Vec<Fault>) {
    let broken = std::mem::take(&mut ui.broken);
    let mut problems = faults_of_mod(&ui.workshop, &broken, module);
    problems.retain(|fault| {
        fault
            .place
            .as_ref()
            .is_none_or(|place| *place.file == *file)
    });
    match problems.is_empty() {
        true => looked(ui, &[vec![module.clone()]], Some(file)),
        false => (problems, Vec::new()),
    }
}

/// What breaks a mod: faults of reading it, and of composing it.
pub(super) fn faults_of_mod(workshop: &Workshop, broken: &[Fault], module: &Name) -> Vec<Fault> {
    let own = broken
        .iter()
        .filter(|fault| concerns(fault, &[module.to_string()]));
    let mut faults: Vec<Fault> = own.cloned().collect();
    faults.extend(composed(workshop, std::slice::from_ref(module)));
    faults
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
fn chosen(asked: &[String], ui: &Ui) -> Result<Vec<Name>, Failure> {
    if asked.is_empty() {
        return Ok(ui.workshop.sources().keys().cloned().collect());
    }
    let mut faults = Vec::new();
    let mut mods = Vec::new();
    for id in asked {
        match ui.workshop.sources().get_key_value(id.as_str()) {
            Some((id, _)) => mods.push(id.clone()),
            None => faults.extend(ui.workshop.manifest(id).err()),
        }
    }
    if faults.is_empty() {
        Ok(mods)
    } else {
        Err(faults.into())
    }
}

fn concerns(fault: &Fault, asked: &[String]) -> bool {
    let module = fault.place.as_ref().map(|place| &place.module);
    asked.is_empty() || module.is_none_or(|module| asked.iter().any(|one| **one == **module))
}

/// What is wrong in the scenarios of a mod.
fn of_scenarios(workshop: &Workshop, id: &Name) -> Vec<Fault> {
    let scenarios = workshop.scenarios_of(id).into_iter();
    scenarios
        .flat_map(|(_, found)| {
            found.map_or_else(|faults| faults, |found| workshop.trouble_of(&found))
        })
        .collect()
}

/// What is wrong when the rules of some mods are put together.
fn composed(workshop: &Workshop, set: &[Name]) -> Vec<Fault> {
    let whole: Vec<Selector> = set
        .iter()
        .map(|id| Selector {
            module: id.clone(),
            picks: Vec::new(),
        })
        .collect();
    let off = clauses_off(workshop, set);
    let compose = |with: Vec<Selector>| {
        let request = Request {
            with,
            ..Request::default()
        };
        workshop.compose(&request).err().unwrap_or_default()
    };
    let mut problems = compose(whole.clone());
    if !off.is_empty() {
        problems.extend(compose([whole, off].concat()));
    }
    problems
}

/// The clauses that naming some mods leaves off.
fn clauses_off(workshop: &Workshop, set: &[Name]) -> Vec<Selector> {
    let manifests = set.iter().filter_map(|id| workshop.manifests().get(id));
    let clauses = manifests.flat_map(|manifest| manifest.clauses());
    let off = clauses.filter(|(group, clause)| !(group.default && clause.default));
    off.filter_map(|(_, clause)| Selector::parse(&clause.id).ok())
        .collect()
}

fn summary(mods: usize, problems: &[Fault]) -> String {
    let mods = counted(mods, "mod");
    match problems.len() {
        0 => format!("{mods}, no problems"),
        1 => format!("{mods}, 1 problem"),
        many => format!(
            "{mods}, {}",
            in_files(&format!("{many} problems"), problems)
        ),
    }
}
