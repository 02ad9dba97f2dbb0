//! `houserule compare`: the same decisions by two sets of rules.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use houserule::analysis::compare::{
    Compared, Course, Divergence, IllegalInput, PlayedBy, Ruled, Tale, compare,
};
use houserule::explain::WhyLine;
use houserule::kernel::error::Fault;
use houserule::modset::selector::Amendment;
use houserule::play::{Replayed, replay};
use houserule::workshop::{Found, Overrides, Workshop};
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::interrupt::stops_with;
use crate::paint::Paint;
use crate::players::Bots;
use crate::reporter::{fact, print_line, section};
use crate::selection::{amendment, id_and_value, mods_are_here, overrides};
use crate::ui::{Ui, without_what_follows};
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule compare street-sweep --a-without iceburg:rfac
  houserule compare border-raid --b iceburg:rfac --seed 7
  houserule compare duel --b-option dsii.dmg.firer_multi=rest
  houserule compare border-raid --b-mods ../other/mods
  houserule compare border-raid --a-rev HEAD~3          the mods as they were
  houserule compare raid.journal --b iceburg";

/// Plays the same decisions by two sets of rules, and shows where they part.
///
/// The first set of rules is played by bots, or by the decisions of a journal;
/// the second with the same seed and the same decisions, as far as they fit.
/// Told are the first event that differs, with the rules behind it on both
/// sides, the first decision that does not fit, and how both end.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// The id of a scenario over all mods, `mod/id`, a `.ron` file, or a journal
    #[arg(value_name = "SCENARIO|JOURNAL")]
    pub scenario: String,
    /// House rules of the first set; can be given again
    #[arg(long, value_name = "SELECTOR")]
    pub a: Vec<String>,
    /// House rules of the second set; can be given again
    #[arg(long, value_name = "SELECTOR")]
    pub b: Vec<String>,
    /// What the first leaves out
    #[arg(long, value_name = "SELECTOR")]
    pub a_without: Vec<String>,
    /// What the second leaves out
    #[arg(long, value_name = "SELECTOR")]
    pub b_without: Vec<String>,
    /// An option of the first
    #[arg(long, value_name = "ID=VALUE", value_parser = id_and_value)]
    pub a_option: Vec<(String, String)>,
    /// An option of the second
    #[arg(long, value_name = "ID=VALUE", value_parser = id_and_value)]
    pub b_option: Vec<(String, String)>,
    /// A cell of a table that the first changes
    #[arg(long, value_name = "CELL=VALUE", value_parser = amendment)]
    pub a_amend: Vec<Amendment>,
    /// A cell of a table that the second changes
    #[arg(long, value_name = "CELL=VALUE", value_parser = amendment)]
    pub b_amend: Vec<Amendment>,
    /// The folder in which the mods of the first are
    #[arg(long, value_name = "DIR", conflicts_with = "a_rev")]
    pub a_mods: Vec<PathBuf>,
    /// The folder in which the mods of the second are
    #[arg(long, value_name = "DIR", conflicts_with = "b_rev")]
    pub b_mods: Vec<PathBuf>,
    /// The mods of the first as they were in this revision of git
    #[arg(long, value_name = "REV")]
    pub a_rev: Option<String>,
    /// The mods of the second as they were in this revision of git
    #[arg(long, value_name = "REV")]
    pub b_rev: Option<String>,
    /// The seed of both, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// How many turns both last, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    pub turns: Option<u32>,
    /// Who decides.
    #[command(flatten)]
    pub players: Bots,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario, the journal, or the mods of either side.
pub fn run(args: &CompareArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    stops_with("stopped; where two games part is known when both are played");
    let journal = recorded(args)?;
    let (a, b) = (
        ComparedSide::a(args, journal.as_ref(), ui)?,
        ComparedSide::b(args, journal.as_ref(), ui)?,
    );
    let compared = match &journal {
        Some(journal) => {
            let course =
                Course::Recorded(journal.game.recorded_inputs(), journal.game.header().seed);
            compare(&a.ruled(), &b.ruled(), &course)
        }
        None => {
            let players = args.players.of(&a.found)?;
            let seed = args.seed.unwrap_or(a.found.scenario.seed);
            compare(&a.ruled(), &b.ruled(), &Course::Bots(&players, seed))
        }
    };
    let compared = compared.map_err(|(side, faults)| {
        ui.note(&format!("by the rules of {side}:"));
        Failure::Faults(faults)
    })?;
    let printed = match ui.is_json() {
        true => ui.document(&as_json(&compared)),
        false => print(&a.found.scenario.title, &compared, ui),
    };
    printed.map_err(Failure::from)
}

/// The journal, if what is named is one.
fn recorded(args: &CompareArgs) -> Result<Option<Replayed>, Failure> {
    let path = Path::new(&args.scenario);
    if !path.is_file() || args.scenario.ends_with(".ron") {
        return Ok(None);
    }
    if args.seed.is_some() || args.turns.is_some() || args.players.bots.is_some() {
        let message = "a journal has its seed, its turns and its decisions: `--seed`, `--turns` and `--bots` are \
                       for scenarios";
        return Err(Failure::Usage(message.into()));
    }
    Ok(Some(replay(path, None)?))
}

/// What the command says of one of the two.
struct AskedSide<'a> {
    name: &'a str,
    with: &'a [String],
    without: &'a [String],
    options: &'a [(String, String)],
    amends: &'a [Amendment],
    mods: &'a [PathBuf],
    rev: Option<&'a str>,
}

impl AskedSide<'_> {
    /// Whether it says nothing.
    fn is_nothing(&self) -> bool {
        let is_chosen = !self.with.is_empty() || !self.without.is_empty();
        let is_set = !self.options.is_empty() || !self.amends.is_empty();
        let is_elsewhere = !self.mods.is_empty() || self.rev.is_some();
        !is_chosen && !is_set && !is_elsewhere
    }

    /// The overrides that it comes to; of a journal beside what that was played by.
    fn overrides(&self, journal: Option<&Replayed>) -> Result<Overrides, Vec<Fault>> {
        let recorded = journal.map(|journal| journal.active.line.clone());
        let mut all = overrides(recorded.as_slice(), &[], &[])?;
        let asked = overrides(self.with, self.without, self.options)?;
        all.options
            .retain(|(id, _)| asked.options.iter().all(|(asked, _)| asked != id));
        let amends: Vec<&Amendment> = asked.amends.iter().chain(self.amends).collect();
        all.amends
            .retain(|one| !amends.iter().any(|amendment| amendment.is_of_cell(one)));
        all.with.extend(asked.with);
        all.without.extend(asked.without);
        all.options.extend(asked.options);
        all.amends.extend(amends.into_iter().cloned());
        Ok(all)
    }
}

/// One of the two: its mods, the scenario as they have it, and its overrides.
struct ComparedSide {
    workshop: Workshop,
    found: Found,
    overrides: Overrides,
    /// Where mods of another time lie as long as they are read.
    _extracted: Option<Extracted>,
}

impl ComparedSide {
    fn a(args: &CompareArgs, journal: Option<&Replayed>, ui: &Ui) -> Result<ComparedSide, Failure> {
        let asked = AskedSide {
            name: "a",
            with: &args.a,
            without: &args.a_without,
            options: &args.a_option,
            amends: &args.a_amend,
            mods: &args.a_mods,
            rev: args.a_rev.as_deref(),
        };
        let Some(journal) = journal.filter(|_| asked.is_nothing()) else {
            return ComparedSide::of(args, journal, ui, asked);
        };
        // By the sources that are kept beside it.
        let (workshop, _) = Workshop::from_sources(journal.workshop.sources().clone());
        Ok(ComparedSide {
            workshop,
            found: journal.found.clone(),
            overrides: asked.overrides(Some(journal))?,
            _extracted: None,
        })
    }

    fn b(args: &CompareArgs, journal: Option<&Replayed>, ui: &Ui) -> Result<ComparedSide, Failure> {
        let asked = AskedSide {
            name: "b",
            with: &args.b,
            without: &args.b_without,
            options: &args.b_option,
            amends: &args.b_amend,
            mods: &args.b_mods,
            rev: args.b_rev.as_deref(),
        };
        ComparedSide::of(args, journal, ui, asked)
    }

    fn of(
        args: &CompareArgs,
        journal: Option<&Replayed>,
        ui: &Ui,
        asked: AskedSide<'_>,
    ) -> Result<ComparedSide, Failure> {
        let mut overrides = asked.overrides(journal)?;
        let extracted = asked.rev.map(|rev| Extracted::of(rev, &ui.folders));
        let extracted = extracted.transpose()?;
        let folders = match &extracted {
            Some(extracted) => extracted.folders.clone(),
            None if asked.mods.is_empty() => ui.folders.clone(),
            None => asked.mods.to_vec(),
        };
        let (workshop, broken) = Workshop::open(&folders);
        if let Some(journal) = journal {
            let flags = format!("`--{}-mods` or `--mods`", asked.name);
            mods_are_here(&args.scenario, journal, &workshop, &flags)?;
        }
        let found = match journal {
            Some(journal) => Ok(journal.found.clone()),
            None => workshop.scenario(&args.scenario),
        };
        let found = found.map_err(|faults| {
            let follows = without_what_follows(&workshop, &broken, faults);
            [broken, follows].concat()
        })?;
        overrides.turns = args.turns;
        Ok(ComparedSide {
            workshop,
            found,
            overrides,
            _extracted: extracted,
        })
    }

    fn ruled(&self) -> Ruled<'_> {
        Ruled {
            workshop: &self.workshop,
            found: &self.found,
            overrides: &self.overrides,
        }
    }
}

/// Mods as they were in a revision, in a folder that goes when it is dropped.
struct Extracted {
    root: PathBuf,
    folders: Vec<PathBuf>,
}

impl Extracted {
    fn of(rev: &str, folders: &[PathBuf]) -> Result<Extracted, Failure> {
        if rev.starts_with('-') {
            return Err(Failure::Usage(format!(
                "expected a revision of git, found `{rev}`"
            )));
        }
        let name = format!("houserule-compare-{}-{}", std::process::id(), rev.len());
        let mut extracted = Extracted {
            root: std::env::temp_dir().join(name),
            folders: Vec::new(),
        };
        for (place, folder) in folders.iter().enumerate() {
            let to = (0..)
                .map(|n| extracted.root.join(format!("{place}-{n}")))
                .find(|to| !to.exists());
            let to = to.unwrap_or_else(|| extracted.root.clone());
            extract(rev, folder, &to)?;
            extracted.folders.push(to);
        }
        Ok(extracted)
    }
}

impl Drop for Extracted {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// Writes a folder as it was in a revision into a new one.
fn extract(rev: &str, folder: &Path, to: &Path) -> Result<(), Failure> {
    let failed =
        |what: &str| Failure::Plain(format!("{} at revision `{rev}`: {what}", folder.display()));
    std::fs::create_dir_all(to).map_err(|error| failed(&error.to_string()))?;
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(folder)
        .args(["archive", "--format=tar", rev, "."]);
    let mut git = git
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("cannot run git: {error}")))?;
    let archive = git.stdout.take().map_or_else(Stdio::null, Stdio::from);
    let tar = Command::new("tar")
        .arg("-xf")
        .arg("-")
        .arg("-C")
        .arg(to)
        .stdin(archive)
        .output();
    let archived = git
        .wait_with_output()
        .map_err(|error| failed(&error.to_string()))?;
    if !archived.status.success() {
        return Err(failed(String::from_utf8_lossy(&archived.stderr).trim()));
    }
    let tar = tar.map_err(|error| failed(&format!("cannot run tar: {error}")))?;
    match tar.status.success() {
        true => Ok(()),
        false => Err(failed(String::from_utf8_lossy(&tar.stderr).trim())),
    }
}

fn print(title: &str, compared: &Compared, ui: &mut Ui) -> std::io::Result<()> {
    print_line(&section(title), ui)?;
    print_line(&fact("a", &compared.a.line), ui)?;
    print_line(&fact("b", &compared.b.line), ui)?;
    ui.line("")?;
    match &compared.parting {
        Some(parting) => print_parting(parting, ui)?,
        None => ui.line(format!(
            "both tell the same: {} of {}",
            counted(compared.a.game.settled_events().len(), "event"),
            counted(compared.decisions, "decision")
        ))?,
    }
    if let Some(illegal) = &compared.illegal {
        print_illegal(illegal, compared.decisions, ui)?;
    }
    print_end("a", &compared.a, ui)?;
    print_end("b", &compared.b, ui)
}

fn print_parting(parting: &Divergence, ui: &mut Ui) -> std::io::Result<()> {
    let decisions = counted(parting.decision, "decision");
    ui.line(format!("they part at event {}, after {decisions}:", parting.event).bold())?;
    let (a, b) = (parting.a.as_ref(), parting.b.as_ref());
    print_tale("a", a, b, ui)?;
    print_tale("b", b, a, ui)?;
    match a.zip(b) {
        Some((a, b)) if own_lines(a, Some(b)).is_empty() && own_lines(b, Some(a)).is_empty() => {
            ui.line("   by the same rules on both sides: something that is not told came before")
        }
        _ => Ok(()),
    }
}

/// An event, with what stands behind it on this side alone.
fn print_tale(
    name: &str,
    tale: Option<&Tale>,
    other: Option<&Tale>,
    ui: &mut Ui,
) -> std::io::Result<()> {
    let Some(tale) = tale else {
        return ui.line(format!("{}  tells no more", name.cyan()));
    };
    for (place, line) in tale.text.lines().enumerate() {
        ui.line(format!(
            "{}  {line}",
            if place == 0 {
                name.cyan().to_string()
            } else {
                " ".into()
            }
        ))?;
    }
    for line in own_lines(tale, other) {
        let indent = "  ".repeat(line.depth + 2);
        let source = if line.source.is_empty() {
            String::new()
        } else {
            format!("  ({})", line.source)
        };
        ui.line(format!("{indent}{}{source}", line.text).dimmed())?;
    }
    Ok(())
}

/// The lines of a tree that the other does not have, but for its root, which
/// says the event again, and for rules that were asked and decided nothing.
fn own_lines<'t>(tale: &'t Tale, other: Option<&Tale>) -> Vec<&'t WhyLine> {
    let is_there = |line: &WhyLine| {
        other.is_some_and(|other| {
            other
                .why
                .iter()
                .any(|known| known.text.trim() == line.text.trim())
        })
    };
    // The event itself stands above, and its number differs only by what came before.
    let tells = |line: &WhyLine| {
        tale.text
            .lines()
            .any(|text| line.text.contains(text.trim()))
    };
    tale.why
        .iter()
        .skip(1)
        .filter(|line| !line.is_idle && !is_there(line) && !tells(line))
        .collect()
}

fn print_illegal(illegal: &IllegalInput, decisions: usize, ui: &mut Ui) -> std::io::Result<()> {
    ui.line("")?;
    ui.line(
        format!(
            "decision {} of {decisions} does not fit by b:",
            illegal.decision
        )
        .bold(),
    )?;
    ui.line(format!("   {}", illegal.words))?;
    ui.line(format!("   {}", illegal.reason))?;
    ui.line(format!(
        "   {} left out; bots go on from there",
        counted(illegal.left, "decision")
    ))
}

fn print_end(name: &str, played: &PlayedBy, ui: &mut Ui) -> std::io::Result<()> {
    ui.line("")?;
    let decisions = counted(played.game.inputs().len(), "decision");
    ui.line(format!(
        "{} after {decisions}",
        format!("{name} ends").bold()
    ))?;
    if let Some(fault) = &played.fault {
        ui.line(format!("   broke off: {fault}"))?;
    }
    played
        .ending()
        .iter()
        .try_for_each(|line| ui.line(format!("   {line}")))
}

fn as_json(compared: &Compared) -> Json {
    let tale = |tale: &Option<Tale>| match tale {
        None => Json::Null,
        Some(tale) => {
            let why = tale.why.iter().map(
                |line| json!({ "depth": line.depth, "text": line.text, "source": line.source }),
            );
            json!({ "text": tale.text, "why": why.collect::<Vec<_>>() })
        }
    };
    let played = |played: &PlayedBy| {
        json!({
            "selector": played.line,
            "decisions": played.game.inputs().len(),
            "events": played.game.settled_events().len(),
            "end": played.ending(),
            "fault": played.fault.as_ref().map(ToString::to_string),
        })
    };
    let parting = compared.parting.as_ref().map(|parting| {
        json!({
            "event": parting.event, "decision": parting.decision,
            "a": tale(&parting.a), "b": tale(&parting.b),
        })
    });
    let illegal = compared.illegal.as_ref().map(|illegal| {
        json!({ "decision": illegal.decision, "text": illegal.text, "reason": illegal.reason, "left": illegal.left })
    });
    json!({
        "decisions": compared.decisions,
        "parting": parting,
        "illegal": illegal,
        "a": played(&compared.a),
        "b": played(&compared.b),
    })
}
