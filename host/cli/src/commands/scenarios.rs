//! `houserule scenarios`: what there is to play.

use clap::Args;
use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::printable::clipped;
use houserule::workshop::Found;
use serde_json::{Value as Json, json};

use crate::desk::{Desk, Failure};
use crate::diagnostics::{Severity, fault_json};
use crate::paint::Paint;

const EXAMPLES: &str = "\
Examples:
  houserule scenarios                 what every mod has
  houserule scenarios dsii            what one mod has
  houserule scenarios --format json   the same for programs";

/// A title is shown up to here.
const LONGEST_TITLE: usize = 200;

/// Lists scenarios: the id to give to `run` and `play`, the title, who fights
/// whom, by which mods.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ScenariosArgs {
    /// Only those of this mod
    #[arg(value_name = "MOD")]
    pub module: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When there is no such mod. A scenario that cannot be read is told and left
/// out.
pub fn run(args: &ScenariosArgs, desk: &mut Desk) -> Result<(), Failure> {
    let workshop = desk.workshop.clone();
    let mods: Vec<Name> = match &args.module {
        Some(id) => vec![workshop.manifest(id)?.id.clone()],
        None => workshop.manifests().keys().cloned().collect(),
    };
    let mut left_out = std::mem::take(&mut desk.broken);
    if !desk.is_json() {
        desk.note_left_out(&left_out);
    }
    let mut found: Vec<(Name, Found)> = Vec::new();
    let mut wrong: Vec<Fault> = Vec::new();
    for module in mods {
        for (_, scenario) in workshop.scenarios_of(&module) {
            match scenario {
                Ok(scenario) => found.push((module.clone(), scenario)),
                Err(faults) => wrong.extend(faults),
            }
        }
    }
    if desk.is_json() {
        let all: Vec<Json> = found.iter().map(|(module, found)| as_json(module, found)).collect();
        left_out.extend(wrong);
        let left_out = left_out.iter().map(|fault| fault_json(fault, Severity::Warning));
        return Ok(desk.document(&json!({ "scenarios": all, "left_out": left_out.collect::<Vec<_>>() }))?);
    }
    desk.faults(&wrong, Severity::Warning)?;
    let ids: Vec<String> = found.iter().map(|(module, one)| name_of(module, one, &found)).collect();
    let width = ids.iter().map(|id| id.chars().count()).max().unwrap_or_default();
    let mut before: Option<&Name> = None;
    for ((module, one), id) in found.iter().zip(&ids) {
        if before != Some(module) {
            if before.is_some() {
                desk.line("")?;
            }
            desk.line(module.yellow().bold())?;
            before = Some(module);
        }
        let gap = " ".repeat(width - id.chars().count());
        desk.line(format!("  {}{gap}  {}", id.bold(), clipped(&one.scenario.title, LONGEST_TITLE)))?;
        desk.line(format!("  {}  {}", " ".repeat(width), who(one).dimmed()))?;
    }
    desk.line("")?;
    Ok(desk.line("`houserule play ID` and `houserule run ID` begin one.".dimmed())?)
}

/// The id, with the mod before it where another mod has a scenario of that id.
fn name_of(module: &Name, one: &Found, all: &[(Name, Found)]) -> String {
    let is_shared = all.iter().filter(|(_, other)| other.scenario.id == one.scenario.id).count() > 1;
    if is_shared { format!("{module}/{}", one.scenario.id) } else { one.scenario.id.to_string() }
}

/// Who fights whom, and by which house rules.
fn who(found: &Found) -> String {
    let sides: Vec<&str> = found.scenario.sides.iter().map(|side| &*side.title).collect();
    let rules = found.scenario.with.join(", ");
    format!("{}; {rules}", sides.join(" against "))
}

fn as_json(module: &Name, found: &Found) -> Json {
    let scenario = &found.scenario;
    let sides: Vec<Json> =
        scenario.sides.iter().map(|side| json!({ "id": &*side.id, "title": side.title })).collect();
    json!({
        "id": &*scenario.id,
        "mod": &**module,
        "title": scenario.title,
        "text": scenario.text,
        "sides": sides,
        "mods": scenario.with,
        "turns": scenario.turns,
    })
}
