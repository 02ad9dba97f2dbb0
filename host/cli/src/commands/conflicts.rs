//! `houserule conflicts`: house rules that undo each other.

use std::collections::BTreeSet;

use clap::Args;
use houserule::analysis::conflicts::{
    Apart, Conflict, ConflictKind, ConflictMonitor, ConflictQuery, Inspection, Made, Party,
    ShownBy, Stage,
};
use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::play::Players;
use houserule::workshop::{Found, Overrides, Workshop};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use crate::diagnostics::{Severity, fault_json};
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::paint::Paint;
use crate::players::Bots;
use crate::progress::{bar, tells};
use crate::selection::Selection;
use crate::ui::Ui;
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule conflicts iceburg                             each clause with each other
  houserule conflicts iceburg:rfac our_club               two house rules
  houserule conflicts 'my_rules my_rules.levels=2' iceburg  one with an option of it
  houserule conflicts iceburg --scenario street-sweep     in one scenario
  houserule conflicts iceburg --cases                     in its cases alone
  houserule conflicts iceburg our_club --clauses --format json";

/// Finds house rules of which one leaves nothing of the other, or that come out
/// otherwise in another order.
///
/// Scenarios are played, and cases are run, with all of them. Each decision that two
/// of them stand behind is then made again, from the same state and with the same
/// dice, without the one, the other, and both; and so is each case. Nothing is
/// printed of pairs that only work side by side.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ConflictsArgs {
    /// Mods, groups or clauses, in quotes also with options of them; of one alone, each of its clauses with each other
    #[arg(value_name = "SELECTOR", required = true)]
    pub parties: Vec<String>,
    /// Look at each clause of them, not at each as a whole
    #[arg(long)]
    pub clauses: bool,
    /// A scenario to play, and nothing else; can be given again. Without it, the scenarios and cases of the mods
    #[arg(long, value_name = "SCENARIO")]
    pub scenario: Vec<String>,
    /// Run the cases of the mods, and play no scenario
    #[arg(long, conflicts_with = "scenario")]
    pub cases: bool,
    /// The seed of all games, instead of the scenarios'
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// How many turns they last, instead of the scenarios' numbers
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    pub turns: Option<u32>,
    /// Who decides, where a scenario has no script.
    #[command(flatten)]
    pub players: Bots,
    /// Which other house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// A scenario, or a mod with its cases, and what was looked at in it.
struct Inspected {
    id: String,
    is_cases: bool,
    looked: Inspection,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the house rules together, or with a scenario.
pub fn run(args: &ConflictsArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    let workshop = ui.workshop.clone();
    let parties = parties(args, &workshop)?;
    let scenarios = if args.cases {
        Vec::new()
    } else {
        scenarios(args, &workshop, ui)?
    };
    let mods = if args.scenario.is_empty() {
        modules(args, &workshop)?
    } else {
        Vec::new()
    };
    let overrides = Overrides {
        seed: args.seed,
        turns: args.turns,
        ..args.selection.overrides()?
    };
    let stop = interrupted();
    let bar = progress(ui);
    let begins = |stage: Stage, count: usize| begin(&bar, stage, count);
    let (is_stopped, done) = (|| stop.is_set(), || bar.inc(1));
    let watch = ConflictMonitor {
        stop: &is_stopped,
        begins: &begins,
        done: &done,
    };
    let players = Players::default();
    let question = ConflictQuery {
        workshop: &workshop,
        parties: &parties,
        overrides: &overrides,
        players: &players,
    };
    let apart = question.apart(scenarios.first(), &is_stopped);
    if !apart.is_empty() {
        bar.finish_and_clear();
        return told_apart(&parties, &apart, ui);
    }
    let mut seen = seen_in_scenarios(args, &scenarios, &question, watch)?;
    seen.extend(seen_in_cases(&mods, &question, watch)?);
    bar.finish_and_clear();
    let is_stopped = stop.is_set();
    match ui.is_json() {
        true => ui.document(&as_json(&parties, &seen, is_stopped))?,
        false => print(&parties, &seen, is_stopped, ui)?,
    }
    note_not_run(&seen, ui);
    if is_stopped {
        ui.note("stopped: told is what was found until then");
        return Err(Failure::Stopped);
    }
    match broken_off(&seen) {
        faults if faults.is_empty() => Ok(()),
        // The document has them.
        _ if ui.is_json() => Err(Failure::Reported),
        faults => Err(Failure::Faults(faults)),
    }
}

/// Tells of house rules that cannot be put together, so that nothing is played by all of them.
fn told_apart(parties: &[Party], apart: &[Apart], ui: &mut Ui) -> Result<(), Failure> {
    let names = |one: &Apart| -> Vec<String> {
        let places = one.parties.iter();
        places.map(|place| name_of(parties, *place)).collect()
    };
    if ui.is_json() {
        let each = apart.iter().map(|one| {
            let faults = one
                .faults
                .iter()
                .map(|fault| fault_json(fault, Severity::Error));
            json!({ "parties": names(one), "faults": faults.collect::<Vec<_>>() })
        });
        let json = json!({
            "stopped": false, "conflicts": [], "apart": each.collect::<Vec<_>>(), "scenarios": [], "cases": [],
        });
        ui.document(&json)?;
        return Err(Failure::Reported);
    }
    for one in apart {
        ui.line(cannot_be_put_together(&names(one)).bold())?;
        ui.faults(&one.faults, Severity::Error)?;
        ui.line("")?;
    }
    ui.line("nothing was played: leave one of them out, and ask again".dimmed())?;
    Err(Failure::Reported)
}

/// What a house rule is called: with what is said with it, where that is not said with all.
fn name_of(parties: &[Party], place: usize) -> String {
    let party = &parties[place];
    let is_said_alike =
        |other: &Party| other.options == party.options && other.amends == party.amends;
    match parties.iter().all(is_said_alike) {
        true => party.selector.to_string(),
        false => party.to_string(),
    }
}

fn cannot_be_put_together(names: &[String]) -> String {
    match names {
        [one] => format!("{one} cannot be put together by itself"),
        [others @ .., last] => format!("{} and {last} cannot be put together", others.join(", ")),
        [] => String::new(),
    }
}

/// Says which cases cannot be run with all house rules, and which scripts were played in part.
fn note_not_run(seen: &[Inspected], ui: &mut Ui) {
    for one in seen {
        if let Some(cut) = &one.looked.cut {
            ui.note(&format!(
                "by the dice of its seed the script of `{}` fits for {} of {}, and no more of it was looked at: {}",
                one.id,
                cut.taken,
                counted(cut.lines, "line"),
                cut.reason
            ));
        }
        let Some((name, fault)) = one.looked.not_run.first() else {
            continue;
        };
        let cases = counted(one.looked.not_run.len(), "case");
        ui.note(&format!(
            "{cases} of `{}` cannot be run with all of them: {name}: {fault}",
            one.id
        ));
    }
}

/// What broke games off that were played with all house rules, each once: they may not bear each other at all.
fn broken_off(seen: &[Inspected]) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    for one in seen {
        let Some(fault) = &one.looked.broken else {
            continue;
        };
        if found.iter().any(|known| known.message == fault.message) {
            continue;
        }
        let decisions = counted(one.looked.decisions, "decision");
        let place = format!("with all of them `{}` breaks off after {decisions}", one.id);
        let mut fault = fault.clone();
        fault.hint = Some(match fault.hint.take() {
            Some(hint) => format!("{hint}; {place}"),
            None => place,
        });
        found.push(fault);
    }
    found
}

/// Looks at one scenario after the other, each with its own players, until
/// somebody has had enough.
fn seen_in_scenarios(
    args: &ConflictsArgs,
    scenarios: &[Found],
    question: &ConflictQuery<'_>,
    watch: ConflictMonitor<'_>,
) -> Result<Vec<Inspected>, Failure> {
    let mut seen = Vec::new();
    for found in scenarios {
        if (watch.stop)() {
            break;
        }
        let players = args.players.of(found)?;
        let question = ConflictQuery {
            players: &players,
            ..*question
        };
        let looked = question.look(found, watch)?;
        seen.push(Inspected {
            id: found.scenario.id.to_string(),
            is_cases: false,
            looked,
        });
    }
    Ok(seen)
}

/// Looks at the cases of one mod after the other, until somebody has had enough.
fn seen_in_cases(
    mods: &[Name],
    question: &ConflictQuery<'_>,
    watch: ConflictMonitor<'_>,
) -> Result<Vec<Inspected>, Failure> {
    let mut seen = Vec::new();
    for module in mods {
        if (watch.stop)() {
            break;
        }
        let looked = question.look_at_cases(module, watch)?;
        seen.push(Inspected {
            id: module.to_string(),
            is_cases: true,
            looked,
        });
    }
    Ok(seen)
}

/// A bar for what is being done at the moment.
fn progress(ui: &Ui) -> ProgressBar {
    let bar = bar(ui, 0);
    tells(&bar, "{pos} of {len} {msg}, {eta} left");
    bar
}

fn begin(bar: &ProgressBar, stage: Stage, count: usize) {
    bar.reset();
    bar.set_length(count as u64);
    bar.set_message(match stage {
        Stage::All => "with all",
        Stage::WithoutOne => "without one",
        Stage::WithoutTwo => "without two",
    });
}

fn parties(args: &ConflictsArgs, workshop: &Workshop) -> Result<Vec<Party>, Failure> {
    let mut found: Vec<Party> = Vec::new();
    for text in &args.parties {
        let party = Party::read(workshop, text)?;
        if let Some(before) = found.iter().find(|before| before.clauses == party.clauses) {
            return Err(Failure::Usage(format!(
                "expected house rules that differ, found `{text}` beside `{}`",
                before.selector
            )));
        }
        if party.clauses.is_empty() {
            return Err(Failure::Plain(format!(
                "expected house rules, found that no clause of `{text}` is on by default: name those that are meant"
            )));
        }
        found.push(party);
    }
    if args.clauses || found.len() == 1 {
        found = found
            .iter()
            .flat_map(|party| party.parts(workshop))
            .collect();
        // A clause of two of them is one.
        let mut clauses = BTreeSet::new();
        found.retain(|party| clauses.insert(party.clauses.clone()));
    }
    match found.len() {
        0 | 1 => Err(Failure::Usage(
            "expected two house rules, or one of several clauses".into(),
        )),
        _ => Ok(found),
    }
}

/// The mods of the house rules, each once.
fn modules(args: &ConflictsArgs, workshop: &Workshop) -> Result<Vec<Name>, Failure> {
    let mut modules: Vec<Name> = Vec::new();
    for text in &args.parties {
        let module = Party::read(workshop, text)?.selector.module;
        if !modules.contains(&module) {
            modules.push(module);
        }
    }
    Ok(modules)
}

/// The scenarios that are played: those that are named, or those of the mods; where they have none, those of the
/// mods that they build on.
fn scenarios(
    args: &ConflictsArgs,
    workshop: &Workshop,
    ui: &mut Ui,
) -> Result<Vec<Found>, Failure> {
    if !args.scenario.is_empty() {
        let named = args.scenario.iter().map(|id| workshop.scenario(id));
        return Ok(named.collect::<Result<_, _>>()?);
    }
    let modules = modules(args, workshop)?;
    let mut found = of_mods(workshop, &modules, ui)?;
    if found.is_empty() {
        let bases = modules.iter().filter_map(|id| workshop.manifests().get(id));
        let bases: Vec<Name> = bases
            .flat_map(|one| one.depends.iter().map(|on| on.id.clone()))
            .collect();
        found = of_mods(workshop, &bases, ui)?;
    }
    let has_cases = |id: &Name| {
        workshop
            .sources()
            .get(id)
            .is_some_and(|all| all.under("tests").next().is_some())
    };
    match found.is_empty() && !modules.iter().any(has_cases) {
        true => Err(Failure::Plain(
            "these mods have no scenario and no case: name one with `--scenario`".into(),
        )),
        false => Ok(found),
    }
}

fn of_mods(workshop: &Workshop, modules: &[Name], ui: &mut Ui) -> Result<Vec<Found>, Failure> {
    let mut scenarios = Vec::new();
    for (id, found) in modules
        .iter()
        .flat_map(|module| workshop.scenarios_of(module))
    {
        match found {
            Ok(found) => scenarios.push(found),
            Err(_) => ui.note(&format!("left out: the scenario `{id}` cannot be read")),
        }
    }
    Ok(scenarios)
}

/// House rules without which something came out otherwise somewhere.
fn that_matter(seen: &[Inspected]) -> BTreeSet<usize> {
    let all = seen.iter().flat_map(|one| &one.looked.matter);
    all.copied().collect()
}

/// Each pair once, where it is seen first. Of what makes a difference in another scenario
/// or case something is left.
fn each_once(seen: &[Inspected]) -> Vec<&Conflict> {
    let matter = that_matter(seen);
    let mut found: Vec<&Conflict> = Vec::new();
    for conflict in seen.iter().flat_map(|one| &one.looked.conflicts) {
        let is_known =
            |known: &&Conflict| known.sort == conflict.sort && known.parties == conflict.parties;
        let is_left = conflict.sort == ConflictKind::Hides && matter.contains(&conflict.parties[0]);
        if !is_left && !found.iter().any(is_known) {
            found.push(conflict);
        }
    }
    found.sort_by_key(|conflict| (conflict.sort, conflict.parties));
    found
}

fn words(sort: ConflictKind, first: &str, second: &str) -> String {
    match sort {
        ConflictKind::Order => {
            format!("{first} and {second}: which of their mods comes first makes a difference")
        }
        ConflictKind::Cancel => {
            format!("{first} and {second}: both together make no difference, each alone does")
        }
        ConflictKind::Hides => format!("{second} leaves nothing of {first}"),
    }
}

fn print(
    parties: &[Party],
    seen: &[Inspected],
    is_stopped: bool,
    ui: &mut Ui,
) -> std::io::Result<()> {
    for conflict in each_once(seen) {
        print_conflict(conflict, parties, ui)?;
    }
    ui.line(summary(parties, seen, is_stopped).dimmed())
}

/// Which two are in conflict, what shows it, and what comes of it by which rules.
fn print_conflict(conflict: &Conflict, parties: &[Party], ui: &mut Ui) -> std::io::Result<()> {
    let name = |place: usize| name_of(parties, place);
    let (first, second) = (name(conflict.parties[0]), name(conflict.parties[1]));
    ui.line(words(conflict.sort, &first, &second).bold())?;
    ui.line(match &conflict.place {
        ShownBy::Decision {
            scenario,
            number,
            words,
            ..
        } => {
            format!("    {scenario}, decision {number}: {words}")
        }
        ShownBy::Case { file, title } => format!("    {file}: {title}"),
    })?;
    for (made, text) in &conflict.tales {
        let by = match made {
            Made::Both => "with both".to_string(),
            Made::WithoutFirst => format!("without {first}"),
            Made::WithoutSecond => format!("without {second}"),
            Made::Neither => "without both".to_string(),
            Made::Turned => format!("{second} first"),
        };
        let mut lines = text.lines();
        ui.line(format!(
            "    {}  {}",
            by.cyan(),
            lines.next().unwrap_or_default().trim()
        ))?;
        lines.try_for_each(|line| ui.line(format!("        {}", line.trim())))?;
    }
    ui.line("")
}

/// How much was looked at, and what was found in it.
fn summary(parties: &[Party], seen: &[Inspected], is_stopped: bool) -> String {
    let sum = |of: fn(&Inspection) -> usize| seen.iter().map(|one| of(&one.looked)).sum::<usize>();
    let unfit = match sum(|looked| looked.unfit) {
        0 => String::new(),
        some => {
            format!("; of {some} it cannot be told, since no state fits the rules without them")
        }
    };
    let matter = that_matter(seen);
    let count = |is_cases: bool| seen.iter().filter(|one| one.is_cases == is_cases).count();
    let made = |is_cases: bool| {
        let of = seen.iter().filter(|one| one.is_cases == is_cases);
        of.map(|one| one.looked.decisions).sum::<usize>()
    };
    let (mut places, mut all) = (Vec::new(), Vec::new());
    if count(false) > 0 {
        places.push(counted(count(false), "scenario"));
        all.push(counted(made(false), "decision"));
    }
    if count(true) > 0 {
        places.push(format!("the cases of {}", counted(count(true), "mod")));
        all.push(counted(made(true), "case"));
    }
    let is_broken = seen.iter().any(|one| one.looked.broken.is_some());
    let found = if is_stopped {
        " found before all was tried"
    } else if is_broken {
        " found until play broke off"
    } else {
        ""
    };
    if places.is_empty() {
        return format!(
            "{}{found}: nothing was played yet{unfit}",
            counted(each_once(seen).len(), "conflict")
        );
    }
    format!(
        "{}{found} in {}: {}, {} that met, {} of {} that made a difference{unfit}",
        counted(each_once(seen).len(), "conflict"),
        places.join(" and "),
        all.join(" and "),
        counted(sum(|looked| looked.pairs), "pair"),
        matter.len(),
        counted(parties.len(), "house rule"),
    )
}

fn as_json(parties: &[Party], seen: &[Inspected], is_stopped: bool) -> Json {
    let name = |place: usize| name_of(parties, place);
    let conflicts = each_once(seen).into_iter().map(|conflict| {
        let tales: Vec<Json> = conflict.tales.iter().map(|(made, text)| {
            let by = match made {
                Made::Both => "both",
                Made::WithoutFirst => "without_first",
                Made::WithoutSecond => "without_second",
                Made::Neither => "neither",
                Made::Turned => "turned",
            };
            json!({ "by": by, "text": text })
        }).collect();
        let sort = match conflict.sort {
            ConflictKind::Order => "order",
            ConflictKind::Cancel => "cancel",
            ConflictKind::Hides => "hides",
        };
        let mut json = json!({
            "sort": sort, "first": name(conflict.parties[0]), "second": name(conflict.parties[1]), "tales": tales,
        });
        match &conflict.place {
            ShownBy::Decision { scenario, number, input, .. } => {
                json["scenario"] = json!(scenario);
                json["decision"] = json!(number);
                json["input"] = json!(input);
            }
            ShownBy::Case { file, title } => {
                json["file"] = json!(file);
                json["case"] = json!(title);
            }
        }
        json
    });
    let looked_at = |is_cases: bool| {
        seen.iter().filter(move |one| one.is_cases == is_cases).map(move |one| {
            let (what, made) = if is_cases { ("mod", "cases") } else { ("scenario", "decisions") };
            json!({
                what: one.id, made: one.looked.decisions, "pairs": one.looked.pairs,
                "unplayed": one.looked.cut.as_ref().map(|cut| cut.lines - cut.taken), "unfit": one.looked.unfit, "broken": one.looked.broken.as_ref().map(Fault::to_string),
                "matter": one.looked.matter.iter().map(|place| name(*place)).collect::<Vec<_>>(),
            })
        })
    };
    json!({
        "stopped": is_stopped,
        "conflicts": conflicts.collect::<Vec<_>>(),
        "scenarios": looked_at(false).collect::<Vec<_>>(),
        "cases": looked_at(true).collect::<Vec<_>>(),
    })
}
