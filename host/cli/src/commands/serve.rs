//! `houserule serve`: a table to play at in a browser.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use houserule::embed::{
    BotSort, Others, ReloadMode, Seat, Seats, Start, Tabletop, UndoPolicy, secret_seed,
};
use houserule_serve::guard::{ServerNames, server_name, with_port};
use houserule_serve::{Branches, Hall, Opening, Room, Serving};
use tokio::net::TcpListener;

use crate::commands::play::{JournalPlace, free_journal};
use crate::failure::Failure;
use crate::interrupt::keeps_what_it_has;
use crate::players::side_and_kind;
use crate::selection::Selection;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule serve skirmish                        a link for each seat
  houserule serve skirmish --bot red=greedy       against a bot
  houserule serve border-raid --watch             rules change on the table as you save them
  houserule serve --load raid.journal             go on with a game
  houserule serve skirmish --at 0.0.0.0:4717 --name table.example.org
                                                  for others, behind a proxy that encrypts

Whoever has a link has its seat. Ctrl-C ends it; the game stays in its journal.";

/// Serves a table to play at in a browser, with a link for each seat.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    #[arg(required_unless_present = "load")]
    scenario: Option<String>,
    /// Go on with a game, in its own journal
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "seed", "turns", "journal"])]
    load: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4717")]
    at: String,
    /// A name under which the table is reached too; can be given again
    #[arg(long, value_name = "NAME", value_parser = server_name)]
    name: Vec<String>,
    /// The seed of the game's chance; without it one by lot
    ///
    /// Who knows the seed knows the dice to come and what was drawn in secret, and the one
    /// of the scenario stands in its file.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    seed: Option<u64>,
    /// How many turns the game lasts, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    turns: Option<u32>,
    /// What plays one side, random or greedy; can be given again
    #[arg(long, value_name = "SIDE=KIND", value_parser = side_and_kind)]
    bot: Vec<(String, BotSort)>,
    /// Milliseconds that a bot waits before it decides
    #[arg(long, value_name = "MS", default_value_t = 400)]
    pause: u64,
    /// Keep the journal in this new file
    ///
    /// Without it the game is kept in the folder `.houserule`, under the name
    /// of the scenario and a number.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Take rules over as they are saved
    #[arg(long)]
    watch: bool,
    /// After a save, leave the game so far as it was played
    #[arg(long)]
    from_now: bool,
    /// Players take play back together; without it the referee alone does
    #[arg(long)]
    agreed: bool,
    /// Give new links; those that were given before open nothing any more
    #[arg(long, requires = "load")]
    new_links: bool,
    /// New links open nothing any more after so many hours
    #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..))]
    expire: Option<u32>,
    /// Which house rules to use.
    #[command(flatten)]
    selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario or its mods, an address that is taken, a
/// journal that cannot be written.
pub fn run(args: &ServeArgs, ui: &mut Ui) -> Result<(), Failure> {
    if !args.at.contains(':') {
        return Err(Failure::Usage(format!(
            "expected an address with its port, such as `127.0.0.1:4717`, found `{}`",
            args.at
        )));
    }
    // First, so that no game is begun at an address that is none.
    let listener = std::net::TcpListener::bind(&args.at).map_err(|error| {
        Failure::Plain(format!("nothing can be served at {}: {error}", args.at))
    })?;
    listener.set_nonblocking(true)?;
    let journal = match &args.load {
        Some(path) => path.clone(),
        None => begun(args, ui)?,
    };
    let table = Tabletop::resume(&journal, &ui.folders, false)?.table;
    let about = table.about("referee")?;
    let (seats, links) = seats(args, &table, &journal)?;
    drop(table);
    keeps_what_it_has(Some(&journal));
    let address = listener.local_addr()?;
    ui.line(format!("{} is on the table.", about.title))?;
    let at = reached_at(address, &args.name);
    for (who, token) in &links {
        ui.line(format!("  {who:<10} http://{at}/#{token}"))?;
    }
    if links.is_empty() {
        ui.line(format!(
            "  at http://{at}/ by the links that were given before"
        ))?;
    }
    ui.line(format!(
        "The game is kept in {}. Ctrl-C ends it.",
        journal.display()
    ))?;
    ui.flush()?;
    let hall = Arc::new(Hall::default());
    hall.add("table", Room::new(opening(args, ui, &hall, journal), seats));
    let serving = Arc::new(Serving::new(
        hall,
        ServerNames::of(address.port(), &args.name),
    ));
    Ok(serve(listener, serving)?)
}

/// What browsers are given: nobody reaches an address that stands for all of this machine.
fn reached_at(address: SocketAddr, names: &[String]) -> String {
    match (address.ip().is_unspecified(), names.first()) {
        (false, _) => address.to_string(),
        (true, Some(name)) => with_port(name, address.port()),
        (true, None) => with_port("localhost", address.port()),
    }
}

/// Starts the match, so that its journal is there: the file.
fn begun(args: &ServeArgs, ui: &Ui) -> Result<PathBuf, Failure> {
    let scenario = args.scenario.clone().unwrap_or_default();
    let journal = match &args.journal {
        Some(journal) => JournalPlace::Named(journal.clone()),
        None => JournalPlace::Free(free_journal(&scenario)?),
    };
    let seed = match args.seed {
        Some(seed) => seed,
        None => secret_seed()?,
    };
    let start = Start {
        scenario,
        seed: Some(seed),
        turns: args.turns,
        bots: args.bot.iter().cloned().collect(),
        others: Others::People,
        undo: if args.agreed {
            UndoPolicy::Agreed
        } else {
            UndoPolicy::Umpire
        },
        journal: Some(journal.path().to_path_buf()),
        ..args.selection.start()
    };
    Tabletop::start_in(ui.workshop.clone(), &ui.folders, &start)?;
    Ok(journal.path().to_path_buf())
}

/// A seat for each side that no bot plays, one for those who watch, and the
/// referee's, with their tokens.
///
/// They are kept beside the journal, without the tokens: when the game is taken
/// up again, the links of before hold, and there are none to show.
fn seats(
    args: &ServeArgs,
    table: &Tabletop,
    journal: &Path,
) -> Result<(Seats, Vec<(String, String)>), Failure> {
    let mut file = journal.as_os_str().to_os_string();
    file.push(".seats");
    let mut seats = Seats::kept_in(Path::new(&file))?;
    let mut links = Vec::new();
    let before: Vec<u32> = seats.iter().map(|(number, _)| number).collect();
    if !before.is_empty() && !args.new_links {
        return Ok((seats, links));
    }
    for number in before {
        seats.revoke(number)?;
    }
    let until = args
        .expire
        .map(|hours| houserule_serve::since_1970() + u64::from(hours) * 3_600);
    let is_played = |side: &str| args.bot.iter().any(|(bot, _)| bot == side);
    for side in table.about("referee")?.sides {
        if !is_played(&side.id) && side.bot.is_none() {
            links.push((
                side.id.clone(),
                seats.give_until(Seat::of_side(side.id), until)?.1,
            ));
        }
    }
    links.push((
        "spectator".into(),
        seats.give_until(Seat::Spectator, until)?.1,
    ));
    links.push(("referee".into(), seats.give_until(Seat::Referee, until)?.1));
    Ok((seats, links))
}

fn opening(args: &ServeArgs, ui: &Ui, hall: &Arc<Hall>, journal: PathBuf) -> Opening {
    let folders = ui.folders.clone();
    let branches = Branches {
        hall: Arc::downgrade(hall),
        folders: folders.clone(),
        journal: journal.clone(),
    };
    let bots = args.bot.clone();
    let (opened, is_watched) = (folders.clone(), args.watch);
    let table = move || {
        let mut table = match is_watched {
            true => Tabletop::resume_expecting_reloads(&journal, &opened, false)?.table,
            false => Tabletop::resume(&journal, &opened, false)?.table,
        };
        for (side, sort) in &bots {
            table.set_bot(side, Some(*sort))?;
        }
        Ok(table)
    };
    let past = if args.from_now {
        ReloadMode::FromNow
    } else {
        ReloadMode::AsAlways
    };
    Opening {
        table: Box::new(table),
        folders,
        watch: args.watch.then_some(past),
        pause: Duration::from_millis(args.pause),
        idle: None,
        branches: Some(branches.opener()),
    }
}

/// Serves until the process is stopped.
fn serve(listener: std::net::TcpListener, serving: Arc<Serving>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener)?;
        if let Some(room) = serving.hall.room(None) {
            // What is wrong with it is told to whoever comes.
            tokio::spawn(async move { drop(room.open().await) });
        }
        houserule_serve::serve(listener, serving, std::future::pending()).await
    })
}
