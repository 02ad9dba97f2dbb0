//! `houserule scenarios`: what there is to play.

use clap::Args;
use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::printable::clipped;
use houserule::scenario::{EntityItem, Scenario};
use houserule::workshop::Found;
use serde_json::{Value as Json, json};

use crate::diagnostics::{Severity, fault_json};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;
use houserule::printable::counted;

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
pub fn run(args: &ScenariosArgs, ui: &mut Ui) -> Result<(), Failure> {
    let workshop = ui.workshop.clone();
    let mods: Vec<Name> = match &args.module {
        Some(id) => vec![workshop.manifest(id)?.id.clone()],
        None => workshop.manifests().keys().cloned().collect(),
    };
    let mut left_out = std::mem::take(&mut ui.broken);
    if !ui.is_json() {
        ui.note_left_out(&left_out);
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
    if ui.is_json() {
        left_out.extend(wrong);
        return Ok(ui.document(&all_as_json(&found, &left_out))?);
    }
    ui.faults(&wrong, Severity::Warning)?;
    if found.is_empty() {
        let none = match &args.module {
            Some(id) => {
                format!("`{id}` has no scenario; `houserule scenarios` lists those of all mods")
            }
            None => "no mod here has a scenario; `--mods` names another folder of mods".into(),
        };
        return Ok(ui.line(none)?);
    }
    shelves(&found, ui)?;
    Ok(ui.line("`houserule play ID` and `houserule run ID` begin one.".dimmed())?)
}

/// Prints the scenarios, mod by mod: games first.
fn shelves(found: &[(Name, Found)], ui: &mut Ui) -> std::io::Result<()> {
    let ids: Vec<String> = found
        .iter()
        .map(|(module, one)| name_of(module, one, found))
        .collect();
    let width = ids
        .iter()
        .map(|id| id.chars().count())
        .max()
        .unwrap_or_default();
    let named: Vec<(&Name, &Found, &String)> = found
        .iter()
        .zip(&ids)
        .map(|((module, one), id)| (module, one, id))
        .collect();
    let mut before: Option<&Name> = None;
    for (module, ..) in &named {
        if before.replace(*module) == Some(*module) {
            continue;
        }
        let of_mod = |is_wanted: bool| {
            let fits = move |one: &&(&Name, &Found, &String)| {
                one.0 == *module && is_game(one.1) == is_wanted
            };
            named.iter().filter(fits)
        };
        shelf(&format!("{module}: games"), of_mod(true), width, ui)?;
        shelf(
            &format!("{module}: demonstrations and exercises"),
            of_mod(false),
            width,
            ui,
        )?;
    }
    Ok(())
}

/// Games of fewer turns are exercises, unless they say how even they are.
const SHORTEST_GAME: u32 = 3;

/// Whether a scenario is there to be played: nothing in it is laid down
/// beforehand, and it lasts.
fn is_game(found: &Found) -> bool {
    let scenario = &found.scenario;
    let lasts = scenario.turns.is_none_or(|turns| turns >= SHORTEST_GAME);
    scenario.script.is_empty() && (lasts || scenario.balance.is_some())
}

/// Scenarios of one sort under a heading.
fn shelf<'a>(
    title: &str,
    all: impl Iterator<Item = &'a (&'a Name, &'a Found, &'a String)>,
    width: usize,
    ui: &mut Ui,
) -> std::io::Result<()> {
    let mut all = all.peekable();
    if all.peek().is_none() {
        return Ok(());
    }
    ui.line(title.yellow().bold())?;
    for (_, one, id) in all {
        let gap = " ".repeat(width - id.chars().count());
        ui.line(format!(
            "  {}{gap}  {}",
            id.bold(),
            clipped(&one.scenario.title, LONGEST_TITLE)
        ))?;
        ui.line(format!("  {}  {}", " ".repeat(width), size(one).dimmed()))?;
    }
    ui.line("")
}

/// The id, with the mod before it where another mod has a scenario of that id.
fn name_of(module: &Name, one: &Found, all: &[(Name, Found)]) -> String {
    let is_shared = all
        .iter()
        .filter(|(_, other)| other.scenario.id == one.scenario.id)
        .count()
        > 1;
    if is_shared {
        format!("{module}/{}", one.scenario.id)
    } else {
        one.scenario.id.to_string()
    }
}

/// Who fights whom and with how much, on which table, how long, by which rules.
fn size(found: &Found) -> String {
    let scenario = &found.scenario;
    let sides: Vec<String> = scenario
        .sides
        .iter()
        .map(|side| format!("{}{}", side.title, force(scenario, &side.id)))
        .collect();
    let (unit, word) = if scenario.is_metric {
        (10_000, "cm")
    } else {
        (25_400, "in")
    };
    let (width, depth) = scenario.table;
    let table = format!("{} by {} {word}", width.um() / unit, depth.um() / unit);
    let turns = scenario.turns.map_or(String::new(), |turns| {
        format!(", {}", counted(turns as usize, "turn"))
    });
    format!(
        "{}; {table}{turns}; {}",
        sides.join(" against "),
        scenario.with.join(", ")
    )
}

/// How many pieces or whole units a side places: what comes from templates,
/// which markers and the like do not.
fn force(scenario: &Scenario, side: &Name) -> String {
    let is_placed =
        |item: &&EntityItem| item.side.as_ref() == Some(side) && item.template.is_some();
    match scenario.entities.iter().filter(is_placed).count() {
        0 => String::new(),
        count => format!(" ({count})"),
    }
}

/// All scenarios, and what cannot be read of mods and scenarios.
fn all_as_json(found: &[(Name, Found)], left_out: &[Fault]) -> Json {
    let all: Vec<Json> = found
        .iter()
        .map(|(module, found)| as_json(module, found))
        .collect();
    let left_out: Vec<Json> = left_out
        .iter()
        .map(|fault| fault_json(fault, Severity::Warning))
        .collect();
    json!({ "scenarios": all, "left_out": left_out })
}

fn as_json(module: &Name, found: &Found) -> Json {
    let scenario = &found.scenario;
    let sides: Vec<Json> = scenario
        .sides
        .iter()
        .map(|side| json!({ "id": &*side.id, "title": side.title }))
        .collect();
    json!({
        "id": &*scenario.id,
        "mod": &**module,
        "title": scenario.title,
        "text": scenario.text,
        "sides": sides,
        "mods": scenario.with,
        "turns": scenario.turns,
        "game": is_game(found),
    })
}
