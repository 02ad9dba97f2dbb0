//! `houserule play` and `houserule watch`: a game at a terminal, or driven by
//! a pipe, whose rules may change under it.
//!
//! [`session`] is the loop; [`words`] what can be said; [`actions`] turns words
//! into decisions and [`commands`] does the rest; [`domains`] lists choices and reads them; [`screen`] prints;
//! [`outlooks`] says beside each choice what a player should know;
//! [`together`] takes play back where players agree on it;
//! [`hearing`] hears what is said and saved;
//! [`reloads`] takes saved mods over, [`watcher`] notices them, and [`looking`] looks at them.

pub(super) mod actions;
mod commands;
pub(super) mod domains;
pub mod hearing;
mod looking;
mod odds;
mod outlooks;
mod reloads;
mod screen;
mod seen;
mod session;
mod together;
pub mod watcher;
pub(super) mod words;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use houserule::embed::{BotSort, Loaded, Others, ReloadMode, Salvage, Start, Tabletop, UndoPolicy};
use houserule::kernel::brief::Depth;
use houserule::record::FreeJournal;

use crate::commands::replay;
use crate::detail::DetailArgs;
use crate::failure::Failure;
use crate::interrupt::keeps_what_it_has;
use crate::players::side_and_kind;
use crate::selection::Selection;
use crate::ui::Ui;
use session::Session;

const PLAY_EXAMPLES: &str = "\
Examples:
  houserule play border-raid                          two people at one keyboard
  houserule play border-raid --bot red=greedy         against a bot
  houserule play border-raid --watch                  rules change as you save them
  houserule play --load raid.journal                  go on with a game, which stays as it is
  houserule play --load raid.journal --in-place       go on with it in the same file
  houserule play --load raid.journal --salvage        go on with what of it is good
  houserule play border-raid --view referee < moves   an open table, from a file

In the game, `help` lists what can be said.";

const WATCH_EXAMPLES: &str = "\
Examples:
  houserule watch border-raid                   bots play; save a rule, and see what differs
  houserule watch border-raid --from-now        leave the past as it was
  houserule watch border-raid --afresh          let bots decide anew where a rule makes a difference
  houserule watch --load raid.journal           a game that was played before
  houserule watch border-raid --person blue     play a side yourself";

/// Who may take play back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum UndoRight {
    /// The referee, who is whoever sits at the keyboard, with the same dice.
    Umpire,
    /// All players together; the dice after that are new.
    Agreed,
}

/// What playing and watching have in common.
#[derive(Args)]
pub struct Common {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    #[arg(required_unless_present = "load")]
    scenario: Option<String>,
    /// Go on with a game from its journal, or from what `save` wrote
    ///
    /// The file stays as it is; what is decided from then on is in a journal of
    /// its own.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "seed", "turns"])]
    load: Option<PathBuf>,
    /// Go on in the very file that is loaded: what is decided is added to it
    #[arg(long, requires = "load", conflicts_with_all = ["journal", "no_journal"])]
    in_place: bool,
    /// Go on with what can be played of a damaged journal
    ///
    /// It is taken up before the first decision that was changed, cannot be
    /// played, or comes out otherwise than it was recorded.
    #[arg(long, requires = "load", conflicts_with = "in_place")]
    salvage: bool,
    /// The seed of the game's chance, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    seed: Option<u64>,
    /// How many turns the game lasts, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    turns: Option<u32>,
    /// What plays one side, random or greedy; can be given again
    #[arg(long, value_name = "SIDE=KIND", value_parser = side_and_kind)]
    bot: Vec<(String, BotSort)>,
    /// Keep the journal in this new file
    ///
    /// Without it the game is kept in the folder `.houserule`, under the name
    /// of the scenario and a number.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Keep no journal: nothing is left of the game unless it is saved
    #[arg(long, conflicts_with = "journal")]
    no_journal: bool,
    /// Write each line of the journal to the disk before the game goes on
    #[arg(long)]
    durable: bool,
    /// Look as this side, the spectator or the referee all the time
    ///
    /// Without it whoever must decide looks, and the screen is handed over.
    #[arg(long, value_name = "VIEWER")]
    view: Option<String>,
    /// Draw the table into this SVG file after every decision
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Who may take play back
    #[arg(long, value_name = "POLICY", default_value = "umpire")]
    undo: UndoRight,
    /// After a save, leave the game so far as it was played
    #[arg(long)]
    from_now: bool,
    /// How much is told.
    #[command(flatten)]
    detail: DetailArgs,
    /// Which house rules to use.
    #[command(flatten)]
    selection: Selection,
}

/// Plays a scenario at a terminal, or as a pipe says.
#[derive(Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct PlayArgs {
    /// What it has in common with watching.
    #[command(flatten)]
    common: Common,
    /// Take rules over as they are saved
    #[arg(long)]
    watch: bool,
}

/// Takes rules over as they are saved, and shows what they change in a game.
///
/// Bots play the scenario; whenever a file of a mod in play is saved, the game
/// so far is played again by the new rules, and the first difference is shown.
#[derive(Args)]
#[command(after_help = WATCH_EXAMPLES)]
pub struct WatchArgs {
    /// What it has in common with playing.
    #[command(flatten)]
    common: Common,
    /// Play this side yourself; can be given again
    #[arg(long, value_name = "SIDE")]
    person: Vec<String>,
    /// After a save, bots decide afresh from where it first makes a difference
    #[arg(long, conflicts_with = "from_now")]
    afresh: bool,
}

/// Runs `play`.
///
/// # Errors
/// What is wrong with the scenario, its mods, or the journal.
pub fn run_play(args: &PlayArgs, ui: &mut Ui) -> Result<(), Failure> {
    let table = table(&args.common, Others::People, args.watch, ui)?;
    let watching = args.watch.then(Watching::default);
    sit(&args.common, table, watching, ui)
}

/// Runs `watch`.
///
/// # Errors
/// As [`run_play`].
pub fn run_watch(args: &WatchArgs, ui: &mut Ui) -> Result<(), Failure> {
    let mut table = table(&args.common, Others::Scenario, true, ui)?;
    for side in &args.person {
        table.set_bot(side, None)?;
    }
    sit(
        &args.common,
        table,
        Some(Watching {
            is_afresh: args.afresh,
            depth: Some(Depth::Volley),
        }),
        ui,
    )
}

fn table(
    args: &Common,
    others: Others,
    is_watched: bool,
    ui: &mut Ui,
) -> Result<Tabletop, Failure> {
    if let Some(path) = &args.load {
        let Loaded {
            mut table, is_torn, ..
        } = loaded(args, path, is_watched, ui)?;
        if !args.in_place {
            table.be_durable(args.durable);
            let scenario = table.about("referee")?.scenario;
            if let Some(journal) = journal(args, &scenario)? {
                table.keep_journal(journal.path())?;
            }
        }
        if is_torn {
            ui.note(replay::TORN);
        }
        for (side, sort) in &args.bot {
            table.set_bot(side, Some(*sort))?;
        }
        return Ok(table);
    }
    let scenario = args.scenario.clone().unwrap_or_default();
    let journal = journal(args, &scenario)?;
    let start = Start {
        journal: journal.as_ref().map(|place| place.path().to_path_buf()),
        scenario,
        seed: args.seed,
        turns: args.turns,
        bots: args.bot.iter().cloned().collect(),
        others,
        durable: args.durable,
        undo: match args.undo {
            UndoRight::Umpire => UndoPolicy::Umpire,
            UndoRight::Agreed => UndoPolicy::Agreed,
        },
        ..args.selection.start()
    };
    Ok(Tabletop::start_in(
        ui.workshop.clone(),
        &ui.folders,
        &start,
    )?)
}

/// The game of a journal; of a damaged one what can be played, if that is
/// asked for.
fn loaded(args: &Common, path: &Path, is_watched: bool, ui: &mut Ui) -> Result<Loaded, Failure> {
    if args.salvage {
        let Salvage { loaded, lost } = Tabletop::salvage(path, &ui.folders)?;
        if let Some(lost) = &lost {
            replay::tell_lost(lost, ui)?;
        }
        return Ok(loaded);
    }
    let loaded = match (args.in_place, is_watched) {
        (true, true) => Tabletop::resume_expecting_reloads(path, &ui.folders, args.durable),
        (true, false) => Tabletop::resume(path, &ui.folders, args.durable),
        (false, true) => Tabletop::load_expecting_reloads(path, &ui.folders, None),
        (false, false) => Tabletop::load(path, &ui.folders, None),
    };
    loaded.map_err(|trouble| replay::unloaded(path, trouble, "play --load {} --salvage", ui))
}

/// Where a journal goes.
pub(crate) enum JournalPlace {
    /// Where somebody said.
    Named(PathBuf),
    /// In a new file, which is gone again if nothing comes into it.
    Free(FreeJournal),
}

impl JournalPlace {
    pub(crate) fn path(&self) -> &Path {
        match self {
            JournalPlace::Named(path) => path,
            JournalPlace::Free(free) => free.path(),
        }
    }
}

/// Where the journal goes, if one is kept.
fn journal(args: &Common, scenario: &str) -> Result<Option<JournalPlace>, Failure> {
    match (&args.journal, args.no_journal) {
        (Some(path), _) => Ok(Some(JournalPlace::Named(path.clone()))),
        (None, true) => Ok(None),
        (None, false) => Ok(Some(JournalPlace::Free(free_journal(scenario)?))),
    }
}

/// A new file for the journal of a scenario: the first free name.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn free_journal(scenario: &str) -> Result<FreeJournal, Failure> {
    let folder = Path::new(".houserule");
    let stem = Path::new(scenario)
        .file_stem()
        .map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
    std::fs::create_dir_all(folder)
        .and_then(|()| FreeJournal::claim(|number| folder.join(format!("{stem}-{number}.journal"))))
        .map_err(|error| {
            Failure::Plain(format!(
                "cannot keep a journal in {}: {error}",
                folder.display()
            ))
        })
}

/// How saves are watched.
#[derive(Default)]
struct Watching {
    /// Whether bots decide afresh.
    is_afresh: bool,
    /// How much is told, if nothing else is said.
    depth: Option<Depth>,
}

fn sit(
    args: &Common,
    table: Tabletop,
    watching: Option<Watching>,
    ui: &mut Ui,
) -> Result<(), Failure> {
    keeps_what_it_has(table.about("referee")?.journal.as_deref());
    ui.tell_left_out()?;
    let mut table = table;
    if watching.is_some() {
        table.expect_reloads()?;
    }
    let past = if args.from_now {
        ReloadMode::FromNow
    } else {
        ReloadMode::AsAlways
    };
    let mut session = Session::new(table, args.view.clone(), args.svg.clone(), past, ui)?;
    session.keeps_journals = !args.no_journal;
    let depth = watching
        .as_ref()
        .and_then(|watching| watching.depth)
        .unwrap_or(Depth::Full);
    session.detail = (
        args.detail.depth(depth, session.ui.format)?,
        args.detail.causes(),
    );
    session.is_afresh = watching.as_ref().is_some_and(|watching| watching.is_afresh);
    session.play(watching.is_some())
}
