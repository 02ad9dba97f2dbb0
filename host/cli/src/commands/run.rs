//! `houserule run`: a scenario played by bots, with its battle report.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use clap::Args;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::value::{Name, Side};
use houserule::kernel::world::Viewer;
use houserule::play::{Bot, BotKind, Match, Recording, mod_records};
use houserule::record::{Durability, ModRecord};
use houserule::workshop::{Found, Wishes};
use serde_json::{Value as Json, json};

use crate::desk::{Desk, Failure};
use crate::diagnostics::Severity;
use crate::selection::{Selection, id_and_value};
use crate::teller::{Teller, fact, print_line, section, side_of, viewer_of};

/// A game with more decisions than this does not end.
const MOST_INPUTS: usize = 100_000;

const EXAMPLES: &str = "\
Examples:
  houserule run border-raid
  houserule run border-raid --seed 7 --turns 4 --quiet
  houserule run dsii/border-raid --with iceburg:rfac --without iceburg.rfac.cost
  houserule run border-raid --bots random --bot blue=greedy
  houserule run my-scenario.ron --journal raid.journal --durable
  houserule run ambush --why                      with the rules behind each roll
  houserule run border-raid --view blue --format json";

/// Plays a scenario with bots, and prints the battle report as it happens.
///
/// The same mods, scenario and seed give the same bytes.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    pub scenario: String,
    /// The seed of the game's chance, instead of the scenario's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many turns the game lasts, instead of the scenario's number
    #[arg(long, value_name = "N")]
    pub turns: Option<u32>,
    /// What plays every side: random or greedy
    ///
    /// Without it, what the scenario says; where it says nothing, greedy.
    #[arg(long, value_name = "KIND")]
    pub bots: Option<BotKind>,
    /// What plays one side; can be given again
    #[arg(long, value_name = "SIDE=KIND", value_parser = side_and_kind)]
    pub bot: Vec<(String, BotKind)>,
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
    /// Tell only what this side, the spectator or the referee may know
    #[arg(long, value_name = "VIEWER", default_value = "referee")]
    pub view: String,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

fn side_and_kind(text: &str) -> Result<(String, BotKind), String> {
    let (side, kind) =
        id_and_value(text).map_err(|_| "expected `side=random` or `side=greedy`".to_string())?;
    Ok((side, kind.parse()?))
}

/// What the beginning and the end of a report say of a match.
pub struct About<'a> {
    /// What the scenario is called.
    pub title: &'a str,
    /// The selector line.
    pub line: &'a str,
    /// The mods that take part.
    pub mods: Vec<ModRecord>,
    /// Who plays what.
    pub bots: Vec<(String, String)>,
    /// Who is told.
    pub viewer: Viewer,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario, its mods, or the journal.
pub fn run(args: &RunArgs, desk: &mut Desk) -> Result<(), Failure> {
    let wishes = Wishes { seed: args.seed, turns: args.turns, ..args.selection.wishes()? };
    let found = desk.workshop.scenario(&args.scenario)?;
    let (chosen, setup) = desk.workshop.prepare(&found, &wishes)?;
    chosen.rulebook.explain(args.why);
    let mut game = Match::start(chosen.rulebook, setup)?;
    let active = chosen.active;
    let viewer = viewer_of(game.game(), &args.view)?;
    let mut bots = bots(args, &found, &game)?;
    let kinds: Vec<(Name, BotKind)> =
        bots.iter().map(|(side, bot)| (game.game().side_name(*side), bot.kind())).collect();
    if let Some(path) = &args.journal {
        let durability = if args.durable { Durability::Disk } else { Durability::Process };
        let recording = Recording { path, durability, bots: kinds.clone(), turns: args.turns };
        desk.workshop.record(&mut game, &found, &active, &recording)?;
    }
    let about = About {
        title: &found.scenario.title,
        line: &active.line,
        mods: mod_records(&desk.workshop, &active),
        bots: kinds.iter().map(|(side, kind)| (side.to_string(), kind.to_string())).collect(),
        viewer,
    };
    let mut teller = Teller::new(&game, viewer, found.scenario.is_metric, args.quiet);
    teller.explain(args.why);
    if !args.quiet {
        begin(&about, &game, desk)?;
        active.notes.iter().for_each(|note| desk.note(note));
    }
    teller.tell(&game, desk)?;
    let outcome = play(&mut game, &mut bots, &mut teller, desk);
    match outcome {
        Ok(()) => end(&about, &mut game, &teller, desk),
        Err(Failure::Faults(faults)) => broke_off(args, &faults, &game, &mut teller, desk),
        Err(failure) => Err(failure),
    }
}

fn bots(args: &RunArgs, found: &Found, game: &Match) -> Result<BTreeMap<Side, Bot>, Failure> {
    let mut named: BTreeMap<Side, BotKind> = BTreeMap::new();
    for (side, kind) in &args.bot {
        named.insert(side_of(game.game(), side)?, *kind);
    }
    let seed = game.header().seed;
    let sides = game.game().world().sides();
    let kind = |(side, name): (Side, &Name)| {
        let of_scenario = found.scenario.bots.get(name).copied();
        let kind = named.get(&side).copied().or(args.bots).or(of_scenario).unwrap_or(BotKind::Greedy);
        (side, Bot::new(kind, seed, side))
    };
    Ok((0u8..).map(Side).zip(sides.iter()).map(kind).collect())
}

/// Lets the bots play, and tells what happens after each input.
fn play(
    game: &mut Match,
    bots: &mut BTreeMap<Side, Bot>,
    teller: &mut Teller,
    desk: &mut Desk,
) -> Result<(), Failure> {
    let mut printed: io::Result<()> = Ok(());
    let mut is_endless = false;
    let played = game.play_bots(bots, |game| {
        printed = teller.tell(game, desk);
        is_endless = game.inputs().len() >= MOST_INPUTS;
        printed.is_err() || is_endless
    });
    printed?;
    played?;
    if is_endless {
        let message =
            format!("expected the game to end, found that it goes on after {MOST_INPUTS} decisions");
        let fault = Fault::new(FaultCode::TooManySteps, message);
        return Err(fault.hint("give it an end with `--turns`, if the rules count turns").into());
    }
    Ok(())
}

fn broke_off(
    args: &RunArgs,
    faults: &[Fault],
    game: &Match,
    teller: &mut Teller,
    desk: &mut Desk,
) -> Result<(), Failure> {
    teller.tell_all(game, desk)?;
    desk.faults(faults, Severity::Error)?;
    let count = game.inputs().len();
    desk.note(&format!("the game broke off after {count} decisions"));
    if let Some(path) = &args.journal {
        desk.note(&format!("the journal is kept in {}", path.display()));
    }
    Err(Failure::Told)
}

/// Prints who fights whom.
///
/// # Errors
/// When nobody reads it.
pub fn begin(about: &About<'_>, game: &Match, desk: &mut Desk) -> io::Result<()> {
    let header = game.header();
    if desk.is_json() {
        let sides: Vec<Json> = std::iter::zip(game.game().world().sides().iter(), &header.side_titles)
            .map(|(id, title)| json!({ "id": &**id, "title": title }))
            .collect();
        let mut json = about_json(about, game);
        json["type"] = json!("game");
        json["title"] = json!(about.title);
        json["sides"] = json!(sides);
        return desk.json(&json);
    }
    print_line(&section(about.title), desk)?;
    let player = |(title, (_, kind)): (&String, &(String, String))| format!("{title} ({kind})");
    let sides: Vec<String> = match about.bots.is_empty() {
        true => header.side_titles.clone(),
        false => std::iter::zip(&header.side_titles, &about.bots).map(player).collect(),
    };
    print_line(&fact("sides", sides.join(" against ")), desk)?;
    print_line(&fact("rules", about.line), desk)?;
    desk.line("")
}

/// Prints how it ended.
///
/// # Errors
/// When nobody reads it.
pub fn end(about: &About<'_>, game: &mut Match, teller: &Teller, desk: &mut Desk) -> Result<(), Failure> {
    let result = game.view(about.viewer).result;
    let is_over = game.wanted().sides().is_empty();
    let hash = match about.viewer {
        Viewer::Referee => game.hash(),
        viewer => game.game().view_hash(viewer),
    };
    if desk.is_json() {
        let mut json = about_json(about, game);
        json["type"] = json!("end");
        json["over"] = json!(is_over);
        json["result"] = result.map_or(Json::Null, |result| teller.result_json(game.game(), &result));
        json["inputs"] = json!(game.inputs().len());
        json["state"] = json!(hash.to_string());
        return Ok(desk.json(&json)?);
    }
    desk.line("")?;
    print_line(&section(if is_over { "End" } else { "So far" }), desk)?;
    for line in result.iter().flat_map(|result| teller.result(game.game(), result)) {
        print_line(&line, desk)?;
    }
    desk.line("")?;
    print_line(&fact("scenario", &*game.header().scenario), desk)?;
    print_line(&fact("rules", about.line), desk)?;
    let each = |record: &ModRecord| format!("{} {} {}", record.id, record.version, short(&record.hash));
    print_line(&fact("mods", about.mods.iter().map(each).collect::<Vec<_>>().join(", ")), desk)?;
    if about.viewer == Viewer::Referee {
        // A side that knows the seed knows the dice to come.
        print_line(&fact("seed", game.header().seed.to_string()), desk)?;
    }
    print_line(&fact("decisions", game.inputs().len().to_string()), desk)?;
    Ok(print_line(&fact("state", hash.to_string()), desk)?)
}

fn about_json(about: &About<'_>, game: &Match) -> Json {
    let each = |record: &ModRecord| json!({ "id": record.id, "version": record.version, "hash": record.hash.to_string() });
    let bots: serde_json::Map<String, Json> =
        about.bots.iter().map(|(side, kind)| (side.clone(), json!(kind))).collect();
    let mut json = json!({
        "scenario": &*game.header().scenario,
        "selector": about.line,
        "mods": about.mods.iter().map(each).collect::<Vec<_>>(),
        "bots": bots,
    });
    if about.viewer == Viewer::Referee {
        json["seed"] = json!(game.header().seed);
    }
    json
}

fn short(hash: &impl ToString) -> String {
    hash.to_string().chars().take(8).collect()
}
