//! `houserule run`: a scenario played by bots, with its battle report.

use std::io;
use std::path::PathBuf;

use clap::Args;
use houserule::embed::{
    About, BotSort, ModAbout, Others, Prompt, SideAbout, Start, Tabletop, Trouble,
};
use houserule::kernel::brief::Depth;
use houserule::kernel::error::Fault;
use houserule::printable::clipped;
use houserule::report::ReportLine;
use serde_json::{Value as Json, json};

use crate::commands::{profile, tally};
use crate::detail::{self, DetailArgs};
use crate::diagnostics::Severity;
use crate::failure::Failure;
use crate::interrupt::keeps_what_it_has;
use crate::players::side_and_kind;
use crate::reporter::{Reporter, fact, print_line, section};
use crate::selection::Selection;
use crate::ui::Ui;
use houserule::printable::counted;

/// A title is shown up to here.
const LONGEST_TITLE: usize = 200;

const EXAMPLES: &str = "\
Examples:
  houserule run border-raid
  houserule run border-raid --seed 7 --turns 4 --quiet
  houserule run dsii/border-raid --with iceburg:rfac --without iceburg.rfac.cost
  houserule run border-raid --detail story        half a page a turn
  houserule run border-raid --format html > raid.html
  houserule run border-raid --rules               everything, and the rule behind each line
  houserule run border-raid --bots random --bot blue=greedy
  houserule run my-scenario.ron --journal raid.journal --durable
  houserule run ambush --why                      with the rules behind each roll
  houserule run border-raid --quiet --profile     which rules take the time
  houserule run border-raid --view blue --format json
  houserule run skirmish --games 100 --tally      who wins, why it ends, what is done how often
  houserule run 'dsii/*' --games 3 --tally --bots random";

/// Plays a scenario with bots, and prints the battle report as it happens.
///
/// The same mods, scenario and seed give the same bytes.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file; to count
    /// games also `mod/*`, all scenarios of a mod
    pub scenario: String,
    /// Play this many games, with one seed after another, on all cores, and
    /// count as with `--tally`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["journal", "durable", "quiet", "why", "view", "profile"])]
    pub games: Option<u32>,
    /// Print who won how often, why games ended, how long they were, and how
    /// often each action and reaction was taken
    #[arg(long, conflicts_with_all = ["journal", "durable", "quiet", "why", "view"])]
    pub tally: bool,
    /// The seed of the game's chance, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// How many turns the game lasts, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    pub turns: Option<u32>,
    /// What plays every side: random or greedy
    ///
    /// Without it, what the scenario says; where it says nothing, greedy.
    #[arg(long, value_name = "KIND")]
    pub bots: Option<BotSort>,
    /// What plays one side; can be given again
    #[arg(long, value_name = "SIDE=KIND", value_parser = side_and_kind)]
    pub bot: Vec<(String, BotSort)>,
    /// Keep a journal in this new file, from which the game can be replayed
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Write each line of the journal to the disk before the game goes on
    #[arg(long, requires = "journal")]
    pub durable: bool,
    /// Print only how it ended
    #[arg(long, short)]
    pub quiet: bool,
    /// Show below what each step told the rules, tables, dice and chits behind it
    #[arg(long, conflicts_with_all = ["quiet", "view"])]
    pub why: bool,
    /// Count what rules cost, and print the dearest at the end: calls, answers
    /// that were kept, time
    #[arg(long, conflicts_with = "tally")]
    pub profile: bool,
    /// Tell only what this side, the spectator or the referee may know
    #[arg(long, value_name = "VIEWER", default_value = "referee")]
    pub view: String,
    /// How much is told.
    #[command(flatten)]
    pub detail: DetailArgs,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario, its mods, or the journal.
pub fn run(args: &RunArgs, ui: &mut Ui) -> Result<(), Failure> {
    // Of many games nothing is told but what they came to.
    if args.tally || args.games.is_some() {
        ui.note_broken();
        return tally::run(args, args.games.unwrap_or(1), ui);
    }
    let depth = args.detail.depth(
        if args.why { Depth::Full } else { Depth::Volley },
        ui.format,
    )?;
    let start = Start {
        scenario: args.scenario.clone(),
        seed: args.seed,
        turns: args.turns,
        bots: args.bot.iter().cloned().collect(),
        others: args.bots.map_or(Others::Scenario, others),
        journal: args.journal.clone(),
        durable: args.durable,
        ..args.selection.start()
    };
    if args.profile {
        houserule::profile::begin();
    }
    let mut table = Tabletop::start_in(ui.workshop.clone(), &ui.folders, &start)?;
    match &args.journal {
        Some(path) => keeps_what_it_has(Some(path)),
        None => table.stop_recording(),
    }
    let about = table.about(&args.view)?;
    let mut reporter =
        Reporter::in_depth(&table, &args.view, args.quiet, depth, args.detail.causes())?;
    reporter.explain(args.why);
    ui.tell_left_out()?;
    if !args.quiet {
        begin(&about, ui)?;
        about.notes.iter().for_each(|note| ui.note(note));
    }
    reporter.tell(&table, ui)?;
    match play(&mut table, &mut reporter, ui) {
        Ok(()) => {
            reporter.finish(&mut table, ui)?;
            end(&about, &args.view, &mut table, ui)?;
            if args.profile {
                profile::tell(ui)?;
            }
            if args.journal.is_none() {
                // The process ends: the system lets go of it all at once.
                std::mem::forget(table);
            }
            Ok(())
        }
        Err(Failure::Faults(faults)) => broke_off(args, &faults, &mut table, &mut reporter, ui),
        Err(failure) => Err(failure),
    }
}

fn others(sort: BotSort) -> Others {
    match sort {
        BotSort::Random => Others::Random,
        BotSort::Greedy => Others::Greedy,
    }
}

/// Lets the bots play, and tells what happens after each decision.
fn play(table: &mut Tabletop, reporter: &mut Reporter, ui: &mut Ui) -> Result<(), Failure> {
    if reporter.is_quiet() {
        table.bots()?;
    }
    while table.bot_turn()?.is_some() {
        reporter.tell(table, ui)?;
        reporter.draw(table, ui)?;
    }
    Ok(())
}

fn broke_off(
    args: &RunArgs,
    faults: &[Fault],
    table: &mut Tabletop,
    reporter: &mut Reporter,
    ui: &mut Ui,
) -> Result<(), Failure> {
    reporter.tell_all(table, ui)?;
    reporter.finish(table, ui)?;
    ui.faults(faults, Severity::Error)?;
    let count = table.standing_of(&args.view)?.decisions;
    ui.note(&format!(
        "the game broke off after {}",
        counted(count, "decision")
    ));
    if let Some(path) = &args.journal {
        ui.note(&format!("the journal is kept in {}", path.display()));
    }
    Err(Failure::Reported)
}

/// Prints who fights whom.
///
/// # Errors
/// When nobody reads it.
pub fn begin(about: &About, ui: &mut Ui) -> io::Result<()> {
    open(about, &[], ui)
}

/// A side by its title, with the id by which the report calls it, where that does not
/// show in the title, and with its bot.
fn player(side: &SideAbout) -> String {
    let id = (!is_in_title(side)).then(|| side.id.to_string());
    let more: Vec<String> = id
        .into_iter()
        .chain(side.bot.map(|bot| bot.to_string()))
        .collect();
    match more.is_empty() {
        true => side.title.clone(),
        false => format!("{} ({})", side.title, more.join(", ")),
    }
}

/// Whether the id of a side is a word of its title, as that of `red` is of `Red garrison`.
fn is_in_title(side: &SideAbout) -> bool {
    let mut words = side.title.split(|letter: char| !letter.is_alphanumeric());
    side.title.eq_ignore_ascii_case(&side.id)
        || words.any(|word| word.eq_ignore_ascii_case(&side.id))
}

/// A line of the result in which a side that is called by its id is named by its title too,
/// where that does not show it.
fn named_sides(line: &ReportLine, about: &About) -> ReportLine {
    let named = |side: &SideAbout| {
        let rest = line.text.strip_prefix(&*side.id)?;
        let is_whole = rest.is_empty() || rest.starts_with(": ");
        let title = clipped(&side.title, LONGEST_TITLE);
        let title = houserule::printable::line(&title);
        (is_whole && !is_in_title(side)).then(|| format!("{} ({title}){rest}", side.id))
    };
    ReportLine {
        text: about
            .sides
            .iter()
            .find_map(named)
            .unwrap_or_else(|| line.text.clone()),
        ..line.clone()
    }
}

fn open(about: &About, facts: &[(&str, String)], ui: &mut Ui) -> io::Result<()> {
    if ui.is_json() {
        let sides: Vec<Json> = about
            .sides
            .iter()
            .map(|side| json!({ "id": side.id, "title": side.title }))
            .collect();
        let mut json = about_json(about);
        json["type"] = json!("game");
        json["title"] = json!(about.title);
        json["sides"] = json!(sides);
        return ui.json(&json);
    }
    detail::open(&clipped(&about.title, LONGEST_TITLE), ui)?;
    print_line(&section(clipped(&about.title, LONGEST_TITLE)), ui)?;
    let sides: Vec<String> = about.sides.iter().map(player).collect();
    print_line(&fact("sides", sides.join(" against ")), ui)?;
    print_line(&fact("rules", &about.selector), ui)?;
    facts
        .iter()
        .try_for_each(|(heading, text)| print_line(&fact(heading, text.as_str()), ui))?;
    ui.line("")
}

/// The same for players: also what the game is about, and how long it is.
///
/// # Errors
/// When nobody reads it.
pub fn introduce(about: &About, ui: &mut Ui) -> io::Result<()> {
    let turns = about.turns.map(|turns| ("turns", turns.to_string()));
    let text = Some(("about", about.text.clone())).filter(|(_, text)| !text.is_empty());
    open(
        about,
        &text.into_iter().chain(turns).collect::<Vec<_>>(),
        ui,
    )
}

/// Prints how it ended.
///
/// # Errors
/// When nobody reads it.
pub fn end(about: &About, viewer: &str, table: &mut Tabletop, ui: &mut Ui) -> Result<(), Failure> {
    let standing = table.standing_of(viewer)?;
    let decisions = decisions_of(table, viewer, about.secrets)?;
    let is_referee = viewer == "referee";
    let hash = if is_referee {
        table.hash()
    } else {
        table.view(viewer)?.hash
    };
    if ui.is_json() {
        let mut json = about_json(about);
        json["type"] = json!("end");
        json["over"] = json!(standing.over);
        json["result"] = match table.prompt(viewer)? {
            Prompt::Over { result } => serde_json::to_value(result).map_err(io::Error::other)?,
            _ => Json::Null,
        };
        json["inputs"] = json!(decisions);
        json["state"] = json!(hash);
        if is_referee {
            json["events"] = json!(table.events_hash());
        }
        return Ok(ui.json(&json)?);
    }
    ui.line("")?;
    print_line(&section(if standing.over { "End" } else { "So far" }), ui)?;
    for line in table.result_lines(viewer)? {
        print_line(&named_sides(&line, about), ui)?;
    }
    ui.line("")?;
    print_line(&fact("scenario", &about.scenario), ui)?;
    print_line(&fact("rules", &about.selector), ui)?;
    let each = |it: &ModAbout| format!("{} {} {}", it.id, it.version, short(&it.hash));
    print_line(
        &fact(
            "mods",
            about.mods.iter().map(each).collect::<Vec<_>>().join(", "),
        ),
        ui,
    )?;
    if let Some(seed) = about.seed {
        // Told to nobody but the referee: who knows it knows the dice to come.
        print_line(&fact("seed", seed.to_string()), ui)?;
    }
    if let Some(decisions) = decisions {
        print_line(&fact("decisions", decisions.to_string()), ui)?;
    }
    print_line(&fact("state", hash), ui)?;
    if is_referee {
        // Of two games in the same state one may have told something else.
        print_line(&fact("events", table.events_hash()), ui)?;
    }
    detail::close(ui).map_err(Failure::from)
}

/// How many decisions stand, as far as a viewer may count them: of a side its own. A spectator
/// has none of its own, and where anything is hidden knows nothing of the others'.
pub(super) fn decisions_of(
    table: &Tabletop,
    viewer: &str,
    has_secrets: bool,
) -> Result<Option<usize>, Trouble> {
    let counted = match (viewer, has_secrets) {
        ("spectator", true) => return Ok(None),
        ("spectator", false) => "referee",
        (viewer, _) => viewer,
    };
    Ok(Some(table.standing_of(counted)?.decisions))
}

fn about_json(about: &About) -> Json {
    let bots = about
        .sides
        .iter()
        .filter_map(|side| Some((side.id.clone(), json!(side.bot?.to_string()))));
    let mut json = json!({
        "scenario": about.scenario,
        "selector": about.selector,
        "mods": about.mods,
        "bots": bots.collect::<serde_json::Map<String, Json>>(),
    });
    if let Some(seed) = about.seed {
        json["seed"] = json!(seed);
    }
    json
}

fn short(hash: &str) -> String {
    hash.chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_a_title_stands_the_id_that_it_does_not_say() {
        let side = |id: &str, title: &str| SideAbout {
            id: id.into(),
            title: title.into(),
            bot: None,
        };
        assert_eq!(player(&side("gold", "Smugglers")), "Smugglers (gold)");
        assert_eq!(player(&side("blue", "Blue brigade")), "Blue brigade");
    }
}
