//! `houserule compare`: the same decisions by two sets of rules.

mod revision;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use houserule::analysis::compare::{
    Compared, Course, Divergence, IllegalInput, PlayedBy, Ruled, Tale, compare,
};
use houserule::explain::WhyLine;
use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::modset::selector::Amendment;
use houserule::play::{Replayed, replay};
use houserule::workshop::{Found, Overrides, Workshop};
use serde_json::{Value as Json, json};

use super::replay::TORN;
use crate::failure::Failure;
use crate::interrupt::{interrupted, stops_with};
use crate::paint::Paint;
use crate::players::Bots;
use crate::reporter::{fact, print_line, section};
use crate::selection::{amendment, id_and_value, mods_are_here, overrides};
use crate::ui::{Ui, without_what_follows};
use houserule::printable::counted;
use revision::TakenFolder;

const EXAMPLES: &str = "\
Examples:
  houserule compare street-sweep --a-without iceburg:rfac
  houserule compare border-raid --b iceburg:rfac --seed 7
  houserule compare duel --b-option dsii.dmg.firer_multi=rest
  houserule compare border-raid --b-mods ../other/mods
  houserule compare border-raid --a-rev HEAD~3          the mods as they were
  houserule compare raid.journal --b iceburg
  houserule compare raid.journal --b iceburg --whole    with every rule behind the event";

/// What is said when it is stopped.
const STOPPED: &str = "stopped; where two games part is known when both are played";

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
    /// Show every rule that stands behind one side alone, not only what names the difference
    #[arg(long)]
    pub whole: bool,
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
    stops_with(STOPPED);
    let journal = recorded(args)?;
    if journal.as_ref().is_some_and(|journal| journal.file.is_torn) {
        ui.note(TORN);
    }
    let (a, b) = both_sides(args, journal.as_ref(), ui)?;
    let compared = match &journal {
        Some(journal) => compare(&a.ruled(), &b.ruled(), &Course::Recorded(&journal.game)),
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
        true => ui.document(&as_json(&compared, [&a, &b])),
        false => print(&compared, [&a, &b], args.whole, ui),
    };
    printed.map_err(Failure::from)
}

/// Both sides. Mods of another time lie in a folder of ours while they are read: until
/// then Ctrl-C is heard, so that nothing is left there.
fn both_sides(
    args: &CompareArgs,
    journal: Option<&Replayed>,
    ui: &mut Ui,
) -> Result<(ComparedSide, ComparedSide), Failure> {
    let stop = interrupted();
    let both = ComparedSide::a(args, journal, ui)
        .and_then(|a| Ok((a, ComparedSide::b(args, journal, ui)?)));
    stops_with(STOPPED);
    // Why git could not go on that was stopped with it is no news.
    if stop.is_set() {
        ui.note(STOPPED);
        return Err(Failure::Stopped);
    }
    both
}

/// The journal, if what is named is one.
fn recorded(args: &CompareArgs) -> Result<Option<Replayed>, Failure> {
    let path = Path::new(&args.scenario);
    if !path.is_file() || args.scenario.ends_with(".ron") {
        return Ok(None);
    }
    let has_bots = args.players.bots.is_some() || !args.players.bot.is_empty();
    if args.seed.is_some() || args.turns.is_some() || has_bots {
        let message = "a journal has its seed, its turns and its decisions: `--seed`, `--turns`, `--bots` and \
                       `--bot` are for scenarios";
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
    /// Where its mods were taken from, where they are those of another time.
    taken: Vec<TakenFolder>,
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
        let mut overrides = asked.overrides(Some(journal))?;
        overrides.turns = journal.file.header.turns;
        Ok(ComparedSide {
            workshop,
            found: journal.found.clone(),
            overrides,
            taken: Vec::new(),
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
        let (workshop, broken, taken) = match asked.rev {
            Some(rev) => {
                let past = revision::open(rev, &ui.folders, asked.name)?;
                (past.workshop, past.broken, past.taken)
            }
            None => {
                let is_elsewhere = !asked.mods.is_empty();
                let folders = if is_elsewhere {
                    asked.mods
                } else {
                    &ui.folders
                };
                let (workshop, broken) = Workshop::open(folders);
                (workshop, broken, Vec::new())
            }
        };
        if let Some(journal) = journal {
            let flags = format!("`--{}-mods` or `--mods`", asked.name);
            mods_are_here(&args.scenario, journal, &workshop, &flags)?;
        }
        let found = match journal {
            Some(journal) => Ok(workshop.at_home(&journal.found)),
            None => workshop.scenario(&args.scenario),
        };
        let found = found.map_err(|faults| {
            let follows = without_what_follows(&workshop, &broken, faults);
            [broken, follows].concat()
        })?;
        overrides.turns = match journal {
            Some(journal) => journal.file.header.turns,
            None => args.turns,
        };
        Ok(ComparedSide {
            workshop,
            found,
            overrides,
            taken,
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

fn print(
    compared: &Compared,
    sides: [&ComparedSide; 2],
    is_whole: bool,
    ui: &mut Ui,
) -> std::io::Result<()> {
    print_line(&section(&sides[0].found.scenario.title), ui)?;
    print_line(&fact("a", &compared.a.line), ui)?;
    print_line(&fact("b", &compared.b.line), ui)?;
    for (name, side) in ["mods of a", "mods of b"].iter().zip(sides) {
        let taken: Vec<String> = side.taken.iter().map(TakenFolder::text).collect();
        if !taken.is_empty() {
            print_line(&fact(name, taken.join(", ")), ui)?;
        }
    }
    ui.line("")?;
    match &compared.parting {
        Some(parting) => {
            let behind = match is_whole {
                true => Behind::All,
                false => Behind::Differing(compared.differing()),
            };
            print_parting(parting, &behind, ui)?;
        }
        None => ui.line(format!(
            "both tell the same: {} of {}",
            counted(compared.a.game.settled_events().len(), "event"),
            counted(compared.decisions, "decision")
        ))?,
    }
    for (name, illegal) in [("a", &compared.illegal_before), ("b", &compared.illegal)] {
        if let Some(illegal) = illegal {
            print_illegal(name, illegal, ui)?;
        }
    }
    if let Some(recorded) = compared.recorded {
        let decisions = counted(recorded, "decision");
        ui.line("")?;
        ui.line(format!(
            "the journal ends after {decisions}; bots go on from there"
        ))?;
    }
    if is_one_game(compared) {
        return print_end("both end", &compared.a, ui);
    }
    print_end("a ends", &compared.a, ui)?;
    print_end("b ends", &compared.b, ui)
}

/// Whether both came to the same from the first decision to the last.
fn is_one_game(compared: &Compared) -> bool {
    let (a, b) = (&compared.a, &compared.b);
    let is_as_far = a.game.inputs().len() == b.game.inputs().len();
    let is_whole = compared.parting.is_none() && a.fault.is_none() && b.fault.is_none();
    is_whole && is_as_far && a.ending() == b.ending()
}

fn print_parting(parting: &Divergence, behind: &Behind, ui: &mut Ui) -> std::io::Result<()> {
    let when = match &parting.heading {
        Some(heading) => format!("in {heading}"),
        None => "before the first turn".to_string(),
    };
    let decisions = counted(parting.decision, "decision");
    let number = format!("at event {}, after {decisions}", parting.event);
    ui.line(format!("they part {when}, {number}:").bold())?;
    if let Some(words) = &parting.words {
        ui.line(format!("   {words}"))?;
    }
    let (a, b) = (parting.a.as_ref(), parting.b.as_ref());
    print_tale("a", a, b, behind, ui)?;
    print_tale("b", b, a, behind, ui)?;
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
    behind: &Behind,
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
    let own = own_lines(tale, other);
    let shown = behind.shown(&own);
    for (depth, line) in &shown {
        let indent = "  ".repeat(depth + 2);
        let source = if line.source.is_empty() {
            String::new()
        } else {
            format!("  ({})", line.source)
        };
        ui.line(format!("{indent}{}{source}", line.text).dimmed())?;
    }
    match own.len() - shown.len() {
        0 => Ok(()),
        left => {
            let left = format!(
                "    and {} more: `--whole` shows all",
                counted(left, "line")
            );
            ui.line(left.dimmed())
        }
    }
}

/// How much is shown of the rules that stand behind one side alone.
enum Behind {
    /// All of them.
    All,
    /// Where they are many, those that name one of these clauses and options, by which
    /// the two sets of rules differ.
    Differing(BTreeSet<Name>),
}

/// So many lines are not too many.
const FEW_LINES: usize = 6;

impl Behind {
    /// Those that are shown, and how far in each stands.
    fn shown<'t>(&self, own: &[&'t WhyLine]) -> Vec<(usize, &'t WhyLine)> {
        let Behind::Differing(ids) = self else {
            return own.iter().map(|line| (line.depth, *line)).collect();
        };
        if own.len() <= FEW_LINES {
            return own.iter().map(|line| (line.depth, *line)).collect();
        }
        let mut texts = BTreeSet::new();
        let telling = own
            .iter()
            .filter(|line| ids.iter().any(|id| has_word(&line.text, id)))
            .filter(|line| texts.insert(line.text.trim()));
        let telling: Vec<(usize, &WhyLine)> =
            telling.take(FEW_LINES).map(|line| (1, *line)).collect();
        match telling.is_empty() {
            true => own
                .iter()
                .take(FEW_LINES)
                .map(|line| (line.depth, *line))
                .collect(),
            false => telling,
        }
    }
}

/// Whether an id stands in a text, and not as a part of a longer one.
fn has_word(text: &str, id: &str) -> bool {
    let goes_on =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-');
    text.match_indices(id).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let after = text[place + id.len()..].chars().next();
        !before.is_some_and(goes_on) && !after.is_some_and(goes_on)
    })
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

fn print_illegal(name: &str, illegal: &IllegalInput, ui: &mut Ui) -> std::io::Result<()> {
    let decisions = illegal.decision - 1 + illegal.left;
    ui.line("")?;
    ui.line(
        format!(
            "decision {} of {decisions} does not fit by {name}:",
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

/// How a game ends; `which` says that it does, and by which rules.
fn print_end(which: &str, played: &PlayedBy, ui: &mut Ui) -> std::io::Result<()> {
    ui.line("")?;
    let decisions = counted(played.game.inputs().len(), "decision");
    ui.line(format!("{} after {decisions}", which.bold()))?;
    if let Some(fault) = &played.fault {
        ui.line(format!("   broke off: {fault}"))?;
    }
    played
        .ending()
        .iter()
        .try_for_each(|line| ui.line(format!("   {line}")))
}

fn as_json(compared: &Compared, sides: [&ComparedSide; 2]) -> Json {
    let tale = |tale: &Option<Tale>| match tale {
        None => Json::Null,
        Some(tale) => {
            let why = tale.why.iter().map(
                |line| json!({ "depth": line.depth, "text": line.text, "source": line.source }),
            );
            json!({ "text": tale.text, "why": why.collect::<Vec<_>>() })
        }
    };
    let played = |played: &PlayedBy, side: &ComparedSide| {
        json!({
            "selector": played.line,
            "folders": side.taken.iter().map(TakenFolder::json).collect::<Vec<_>>(),
            "decisions": played.game.inputs().len(),
            "events": played.game.settled_events().len(),
            "end": played.ending(),
            "fault": played.fault.as_ref().map(ToString::to_string),
        })
    };
    let parting = compared.parting.as_ref().map(|parting| {
        json!({
            "event": parting.event, "decision": parting.decision,
            "heading": parting.heading, "words": parting.words,
            "a": tale(&parting.a), "b": tale(&parting.b),
        })
    });
    let illegal = |illegal: &Option<IllegalInput>| {
        illegal.as_ref().map(|illegal| {
            json!({
                "decision": illegal.decision, "text": illegal.text, "reason": illegal.reason, "left": illegal.left,
            })
        })
    };
    json!({
        "decisions": compared.decisions,
        "parting": parting,
        "illegal": illegal(&compared.illegal),
        "illegal_by_a": illegal(&compared.illegal_before),
        "recorded": compared.recorded,
        "a": played(&compared.a, sides[0]),
        "b": played(&compared.b, sides[1]),
    })
}
