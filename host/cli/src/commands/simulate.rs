//! `houserule simulate`: many games, kept one a line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use houserule::alone::{self, NotAlone};
use houserule::analysis::series::{Programme, Reached, SeriesError, variants_of};
use houserule::analysis::simulation::{
    GameRow, MOST_GAMES, Shard, SimulationFile, SimulationHead, Unfit, csv, merge,
};
use houserule::analysis::summary::{Proportion, Summary, percent, summaries};
use houserule::kernel::value::Name;
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::globals::Format;
use crate::interrupt::{Interrupted, interrupted};
use crate::paint::Paint;
use crate::players::Bots;
use crate::progress::bar;
use crate::reporter::{fact, print_line, section};
use crate::selection::{Selection, id_and_value};
use crate::ui::Ui;
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule simulate border-raid --games 200
  houserule simulate duel --games 1000 --jobs 2 --out duel.jsonl
  houserule simulate duel --games 1000 --out duel.jsonl --resume     after Ctrl-C
  houserule simulate skirmish --games 400 --vary dsii.fire.front_arc=30,60
  houserule simulate duel --games 1000 --shard 1/4 --out part-1.jsonl
  houserule simulate --merge part-1.jsonl part-2.jsonl part-3.jsonl part-4.jsonl --out duel.jsonl
  houserule simulate duel --games 100 --format csv > duel.csv";

/// Plays many games between bots, on all cores, and counts what came of them.
///
/// A file of games has one line of JSON a game, in order, after a line that says
/// what is played. The same question gives the same bytes, whether it is played
/// at once, stopped and gone on with, or in shards that are put together.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    #[arg(required_unless_present = "merge")]
    pub scenario: Option<String>,
    /// How many games, with one seed after another; of each variant so many
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: u64,
    /// How many games at once; without it, as many as there are cores
    #[arg(long, value_name = "N", value_parser = count_of_jobs)]
    pub jobs: Option<usize>,
    /// The seed of the first game, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// How many turns games last, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    pub turns: Option<u32>,
    /// Play all games with each of these values of an option; with several
    /// options, with each combination
    #[arg(long, value_name = "OPTION=A,B", value_parser = id_and_value)]
    pub vary: Vec<(String, String)>,
    /// Play one part of the games alone: the first of four is `1/4`
    #[arg(long, value_name = "PART/OF", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Keep the games in this file: a line of JSON each, or a table if it is
    /// called `.csv`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with that file where it was stopped
    #[arg(long, requires = "out", conflicts_with = "merge")]
    pub resume: bool,
    /// Put shards together, instead of playing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = OF_PLAY)]
    pub merge: Vec<PathBuf>,
    /// Who decides.
    #[command(flatten)]
    pub players: Bots,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// What says how games are played, and nothing of those that were.
const OF_PLAY: [&str; 13] = [
    "scenario", "shard", "vary", "games", "jobs", "seed", "turns", "bots", "bot", "with",
    "without", "option", "amend",
];

/// A number of games at once.
///
/// # Errors
/// None at all, and more than any machine has cores.
pub fn count_of_jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| (1..=1024).contains(jobs));
    jobs.ok_or_else(|| "expected a number from 1 to 1024".into())
}

fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || "expected a part and the number of parts, such as `1/4`".to_string();
    let (part, of) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    let (part, of) = (number(part)?, number(of)?);
    if (1..=of).contains(&part) {
        Ok(Shard { part, of })
    } else {
        Err(wrong())
    }
}

/// Runs the command.
///
/// # Errors
/// What is wrong with a scenario, its mods or a file; a game that broke off.
pub fn run(args: &SimulateArgs, ui: &mut Ui) -> Result<(), Failure> {
    let broken = std::mem::take(&mut ui.broken);
    if !args.merge.is_empty() {
        return put_together(args, ui);
    }
    ui.note_left_out(&broken);
    let stop = interrupted();
    let workshop = ui.workshop.clone();
    let found = workshop.scenario(args.scenario.as_deref().unwrap_or_default())?;
    let players = args.players.of(&found)?;
    let mut overrides = args.selection.overrides()?;
    overrides.turns = args.turns;
    let variants = variants_of(&varied(&args.vary)?);
    let programme = Programme {
        workshop: &workshop,
        found: &found,
        overrides: &overrides,
        players: &players,
        variants: &variants,
        jobs: args.jobs,
        notes: false,
    };
    let seed = args.seed.unwrap_or(found.scenario.seed);
    let head = SimulationHead::of(&programme, seed, args.games, args.shard)?;
    let mut kept = KeptGames::open(args, &head)?;
    let reached = play(&programme, &head, &mut kept, &stop, ui)?;
    let finished = kept.finish(&head);
    if !kept.rows.is_empty() || ui.format != Format::Text {
        print(&found.scenario.title, &head, &kept.rows, ui)?;
    }
    finished?;
    if reached == Reached::Stopped {
        ui.note(&kept.stopped_at(head.count()));
        return Err(Failure::Stopped);
    }
    if head.count() == 0 {
        ui.note("this shard has none of the games: there are fewer games than shards");
    }
    unbroken(&kept.rows)
}

/// A game that broke off was told, and makes the command fail.
fn unbroken(rows: &[GameRow]) -> Result<(), Failure> {
    match rows.iter().any(|row| row.fault.is_some()) {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}

fn varied(vary: &[(String, String)]) -> Result<Vec<(Name, Vec<String>)>, Failure> {
    let mut varied: Vec<(Name, Vec<String>)> = Vec::new();
    for (option, values) in vary {
        let values: Vec<String> = values
            .split(',')
            .map(|value| value.trim().to_string())
            .collect();
        if values.iter().any(String::is_empty)
            || varied.iter().any(|(known, _)| **known == **option)
        {
            let message = format!(
                "`--vary {option}=…`: expected values with commas between them, once for an option"
            );
            return Err(Failure::Usage(message));
        }
        if let Some(twice) =
            (1..values.len()).find(|place| values[..*place].contains(&values[*place]))
        {
            let value = &values[twice];
            let message = format!("`--vary {option}=…`: `{value}` stands there twice");
            return Err(Failure::Usage(message));
        }
        varied.push((Name::from(option.as_str()), values));
    }
    Ok(varied)
}

/// Plays what is left of the games, and keeps each.
fn play(
    programme: &Programme<'_>,
    head: &SimulationHead,
    kept: &mut KeptGames,
    stop: &Interrupted,
    ui: &Ui,
) -> Result<Reached, Failure> {
    let all: Vec<_> = head.seeded().collect();
    let left = &all[kept.rows.len()..];
    let bar = bar(ui, all.len() as u64);
    bar.set_position(kept.rows.len() as u64);
    bar.reset_eta();
    let reached = programme.play(left, &GameRow::of, &|| stop.is_set(), &mut |row| {
        bar.inc(1);
        kept.keep(row)
    });
    bar.finish_and_clear();
    reached.map_err(|broken| match broken {
        SeriesError::Faults(faults) => Failure::Faults(faults),
        SeriesError::Unwritten(error) => kept.full(&error),
    })
}

/// The games so far, and where they are kept.
struct KeptGames {
    rows: Vec<GameRow>,
    /// The file that each game is added to, and where it is.
    lines: Option<(File, PathBuf)>,
    /// The table that is written at the end.
    table: Option<PathBuf>,
}

impl KeptGames {
    fn open(args: &SimulateArgs, head: &SimulationHead) -> Result<KeptGames, Failure> {
        let Some(path) = &args.out else {
            return Ok(KeptGames {
                rows: Vec::new(),
                lines: None,
                table: None,
            });
        };
        let cannot = |error: io::Error| Failure::unwritten(path, &error);
        may_keep(path, args.resume)?;
        if is_table(path) {
            can_be_written(path)?;
            return Ok(KeptGames {
                rows: Vec::new(),
                lines: None,
                table: Some(path.clone()),
            });
        }
        let mut rows = Vec::new();
        let mut options = OpenOptions::new();
        // A file that is only added to cannot be made shorter on Windows.
        options.create(true).read(true).write(true).truncate(false);
        let mut file = match alone::open(&mut options, path) {
            // Where a disk knows no locks there is nothing to wait for.
            Ok(file) | Err(NotAlone::Unlocked(file, _)) => file,
            Err(NotAlone::Unopened(error)) => return Err(cannot(error)),
            Err(NotAlone::Taken) => {
                let path = path.display();
                return Err(Failure::Plain(format!(
                    "{path} is being written by another run"
                )));
            }
        };
        let known = read(path, &mut file)?;
        match known {
            Some(known) => {
                if let Some(difference) = head.difference(&known.head) {
                    let path = path.display();
                    let message = format!("{path} holds games of another question: {difference}");
                    return Err(Failure::Plain(message));
                }
                // What was broken off in the middle of a line is played again.
                file.set_len(known.good as u64).map_err(cannot)?;
                file.seek(SeekFrom::End(0)).map_err(cannot)?;
                rows = known.rows;
            }
            None => {
                file.set_len(0).map_err(cannot)?;
                file.rewind().map_err(cannot)?;
                file.write_all(head.line().as_bytes()).map_err(cannot)?;
            }
        }
        Ok(KeptGames {
            rows,
            lines: Some((file, path.clone())),
            table: None,
        })
    }

    fn keep(&mut self, row: GameRow) -> io::Result<()> {
        if let Some((file, _)) = &mut self.lines {
            file.write_all(row.line().as_bytes())?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// No game can be added any more.
    fn full(&self, error: &io::Error) -> Failure {
        match &self.lines {
            Some((_, path)) => Failure::Plain(format!(
                "cannot write {}: {error}; it holds the games before that, and `--resume` goes on with it",
                path.display()
            )),
            None => Failure::Plain(format!("cannot write: {error}")),
        }
    }

    /// How far it had come when it was stopped.
    fn stopped_at(&self, all: u64) -> String {
        let games = match self.rows.len() {
            0 => "stopped before a game was over: there is nothing to tell yet".to_string(),
            over => format!("stopped after {over} of {all} games"),
        };
        match &self.lines {
            Some(_) => format!("{games}; `--resume` goes on with it"),
            None => games,
        }
    }

    fn finish(&self, head: &SimulationHead) -> Result<(), Failure> {
        match &self.table {
            Some(path) => fs::write(path, csv(head, &self.rows))
                .map_err(|error| Failure::unwritten(path, &error)),
            None => Ok(()),
        }
    }
}

/// Whether a file can be written whose contents are known when all is over: to find that
/// out only then would be late.
///
/// # Errors
/// Why not.
pub fn can_be_written(path: &Path) -> Result<(), Failure> {
    let is_there = path.exists();
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(|error| Failure::unwritten(path, &error))?;
    if !is_there {
        // It may be gone already, which is as well.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// Whether games can be kept in a file: it is new, or is gone on with.
fn may_keep(path: &Path, resume: bool) -> Result<(), Failure> {
    if is_table(path) && resume {
        return Err(Failure::Usage(no_table_goes_on(path)));
    }
    if path.exists() && !resume {
        let what_to_do = match is_table(path) {
            true => "a table is not gone on with, choose another name",
            false => "`--resume` goes on with it",
        };
        let path = path.display();
        return Err(Failure::Plain(format!(
            "{path} is there already: {what_to_do}"
        )));
    }
    Ok(())
}

/// What to do instead of going on with a table, which has no place for what was asked.
fn no_table_goes_on(path: &Path) -> String {
    let (table, lines) = (path.display(), path.with_extension("jsonl"));
    let lines = lines.display();
    format!(
        "`{table}` is a table, which does not say what is played, so that nothing can go on with it: \
         keep the games with `--out {lines} --resume`, and make a table of them when they are over \
         with `houserule simulate --merge {lines} --out {table}`"
    )
}

fn is_table(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// A file of games; `None` if not even its first line is whole.
fn read(path: &Path, file: &mut File) -> Result<Option<SimulationFile>, Failure> {
    let failed = |reason: String| Failure::Plain(format!("{}: {reason}", path.display()));
    let about = file.metadata().map_err(|error| failed(error.to_string()))?;
    if !about.is_file() {
        // Of some devices there is no end.
        return Err(failed("expected a file, found a folder or a device".into()));
    }
    games_in(path, file)
}

/// The same of what is only read, once: it may come through a pipe.
fn read_once(path: &Path) -> Result<Option<SimulationFile>, Failure> {
    let failed = |error: io::Error| Failure::Plain(format!("{}: {error}", path.display()));
    let mut file = File::open(path).map_err(failed)?;
    if !is_pipe(&file.metadata().map_err(failed)?) {
        return read(path, &mut file);
    }
    let mut piped = file.take(MOST_PIPED);
    let games = games_in(path, &mut piped)?;
    match piped.limit() {
        0 => Err(Failure::Plain(format!(
            "{}: expected at most {} MiB through a pipe, found more",
            path.display(),
            MOST_PIPED >> 20
        ))),
        _ => Ok(games),
    }
}

/// So much is read from a pipe, of which nobody can tell where it ends.
const MOST_PIPED: u64 = 1 << 30;

#[cfg(unix)]
fn is_pipe(about: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&about.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

fn games_in(path: &Path, file: &mut impl Read) -> Result<Option<SimulationFile>, Failure> {
    let failed = |reason: String| Failure::Plain(format!("{}: {reason}", path.display()));
    let mut bytes = Vec::new();
    // What does not begin as one is no file of games, however long it goes on.
    let beginning = &mut file.by_ref().take(BEGINNING.len() as u64);
    beginning
        .read_to_end(&mut bytes)
        .map_err(|error| failed(error.to_string()))?;
    if !BEGINNING.starts_with(&bytes) {
        return Err(failed(NO_GAMES.into()));
    }
    file.read_to_end(&mut bytes)
        .map_err(|error| failed(error.to_string()))?;
    // A line that was broken off may end in the middle of a letter.
    let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&bytes[..=end]).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let breaks = before.iter().filter(|byte| **byte == b'\n').count();
        failed(match u32::try_from(breaks) {
            Ok(breaks @ 1..) => Unfit::no_game(breaks + 1, "what is no text").to_string(),
            _ => NO_GAMES.into(),
        })
    })?;
    SimulationFile::read(text)
        .map(Some)
        .map_err(|unfit| failed(unfit.to_string()))
}

/// How the first line of a file of games begins.
const BEGINNING: &[u8] = b"{\"format\":";

/// What is told of a file that is none.
const NO_GAMES: &str = "expected a file that `simulate --out` has written, found something else";

/// Puts shards together to what one run would have written.
fn put_together(args: &SimulateArgs, ui: &mut Ui) -> Result<(), Failure> {
    let mut shards = Vec::new();
    for path in &args.merge {
        let shard = read_once(path)?;
        let shard =
            shard.ok_or_else(|| Failure::Plain(format!("{}: it has no games", path.display())))?;
        shards.push((path.display().to_string(), shard));
    }
    let whole = merge(shards).map_err(|unfit| Failure::Plain(unfit.to_string()))?;
    if let Some(path) = &args.out {
        if path.exists() {
            return Err(Failure::Plain(format!(
                "{} is there already",
                path.display()
            )));
        }
        let text = match is_table(path) {
            true => csv(&whole.head, &whole.rows),
            false => whole.head.line() + &whole.rows.iter().map(GameRow::line).collect::<String>(),
        };
        fs::write(path, text).map_err(|error| Failure::unwritten(path, &error))?;
    }
    let title = whole.head.scenario.clone();
    print(&title, &whole.head, &whole.rows, ui)?;
    unbroken(&whole.rows)
}

fn print(title: &str, head: &SimulationHead, rows: &[GameRow], ui: &mut Ui) -> io::Result<()> {
    let summaries = summaries(head, rows);
    match ui.format {
        Format::Json => {
            let variants: Vec<Json> = summaries.iter().map(summary_json).collect();
            ui.document(&json!({ "run": head, "variants": variants }))
        }
        Format::Csv => ui.lines(csv(head, rows).trim_end()),
        _ => {
            print_line(
                &section(format!("{title}: {}", counted(rows.len(), "game"))),
                ui,
            )?;
            print_line(&fact("seeds", seeds_text(head, rows)), ui)?;
            if let Some(Shard { part, of }) = head.shard {
                print_line(&fact("shard", format!("{part} of {of}")), ui)?;
            }
            summaries
                .iter()
                .try_for_each(|summary| print_summary(summary, ui))
        }
    }
}

/// The seeds that were played: of games that were stopped not those that were asked for.
fn seeds_text(head: &SimulationHead, rows: &[GameRow]) -> String {
    let place = |row: &GameRow| row.seed.wrapping_sub(head.seed);
    let played = match rows.len() as u64 == head.count() {
        true => Some((0, head.games - 1)),
        false => rows
            .iter()
            .map(place)
            .min()
            .zip(rows.iter().map(place).max()),
    };
    match played {
        Some((first, last)) => {
            let [first, last] = [first, last].map(|place| head.seed.wrapping_add(place));
            format!("{first} to {last}")
        }
        None => "none".into(),
    }
}

/// A share with the range of the truth behind it.
pub fn share_text(share: &Proportion) -> String {
    format!(
        "{} to {}",
        percent(share.range.low),
        percent(share.range.high)
    )
}

fn print_summary(summary: &Summary, ui: &mut Ui) -> io::Result<()> {
    ui.line("")?;
    print_line(&fact("rules", &summary.selector), ui)?;
    for (option, value) in &summary.options {
        print_line(&fact("varied", format!("{option}={value}")), ui)?;
    }
    let [least, median, most] = summary.decisions;
    print_line(
        &fact(
            "decisions",
            format!("{least} to {most}, half of the games up to {median}"),
        ),
        ui,
    )?;
    for (place, (side, share)) in summary.winners.iter().enumerate() {
        let heading = if place == 0 { "won by" } else { "" };
        ui.line(format!(
            "{:<9} {:>6}  {side}, {}",
            heading.cyan(),
            share.count,
            share_text(share)
        ))?;
    }
    for (place, (reason, count)) in summary.reasons.iter().enumerate() {
        let heading = if place == 0 { "ended by" } else { "" };
        ui.line(format!("{:<9} {count:>6}  {reason}", heading.cyan()))?;
    }
    if let Some(turned) = summary.turned {
        let of = summary.games;
        print_line(
            &fact(
                "turned",
                format!("{turned} of {of} seeds were won by another side than at first"),
            ),
            ui,
        )?;
    }
    for (seed, fault) in &summary.broken {
        ui.note(&format!("the game of seed {seed} broke off: {fault}"));
    }
    Ok(())
}

fn summary_json(summary: &Summary) -> Json {
    let winner = |(side, share): &(String, Proportion)| {
        let range = [share.range.low, share.range.high].map(|odds| f64::from(odds) / 1e6);
        (
            side.clone(),
            json!({ "games": share.count, "range": range }),
        )
    };
    let [least, median, most] = summary.decisions;
    json!({
        "options": summary.options,
        "selector": summary.selector,
        "games": summary.games,
        "winners": summary.winners.iter().map(winner).collect::<serde_json::Map<_, _>>(),
        "reasons": summary.reasons.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "decisions": { "least": least, "median": median, "most": most },
        "turned": summary.turned,
        "broken": summary.broken.iter().map(|(seed, fault)| json!({ "seed": seed, "fault": fault })).collect::<Vec<_>>(),
    })
}
