//! `houserule health`: a scenario held to what it says of itself.

use clap::Args;
use houserule::analysis::health::{Health, Sign, Verdict, health};
use houserule::analysis::series::{Programme, Reached, SeriesError};
use serde_json::json;

use super::simulate::count_of_jobs;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::paint::Paint;
use crate::players::Bots;
use crate::progress::bar;
use crate::reporter::{print_line, section};
use crate::selection::Selection;
use crate::ui::Ui;
use houserule::printable::counted;

const EXAMPLES: &str = "\
Examples:
  houserule health border-raid
  houserule health dsii/duel --games 400 --jobs 2
  houserule health border-raid --with iceburg --format json

A scenario says of itself how even it is and how it can end:
  balance: Even,                            each side wins 35 to 65 % of the games that are won
  balance: Edge(side: \"blue\", from: 55, to: 80),
  ends: [\"the garrison has fled\"],";

/// Plays a scenario under many seeds, and holds it to what it says of itself.
///
/// The range in which the odds of a win lie 95 times in a hundred is within what
/// it claims; each end that it names occurs; less than 15 % of the chances to
/// act are let go by; no opening of a side, its first five decisions, is played
/// in more than half of the games; and everything that is made of a template
/// acts in one of them. `open` is what so few games neither show nor rule out.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct HealthArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    pub scenario: String,
    /// How many games, with one seed after another
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// How many games at once; without it, as many as there are cores
    #[arg(long, value_name = "N", value_parser = count_of_jobs)]
    pub jobs: Option<usize>,
    /// The seed of the first game, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// Who decides.
    #[command(flatten)]
    pub players: Bots,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with a scenario or its mods; a scenario that is not as it says.
pub fn run(args: &HealthArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    let stop = interrupted();
    let workshop = ui.workshop.clone();
    let found = workshop.scenario(&args.scenario)?;
    let players = args.players.of(&found)?;
    let overrides = args.selection.overrides()?;
    let variants = [Vec::new()];
    let programme = Programme {
        workshop: &workshop,
        found: &found,
        overrides: &overrides,
        players: &players,
        variants: &variants,
        jobs: args.jobs,
        notes: false,
    };
    let bar = bar(ui, args.games);
    let seed = args.seed.unwrap_or(found.scenario.seed);
    let looked = health(&programme, seed, args.games, &|| stop.is_set(), &mut || {
        bar.inc(1)
    });
    bar.finish_and_clear();
    let (health, reached) = looked.map_err(|broken| match broken {
        SeriesError::Faults(faults) => Failure::Faults(faults),
        SeriesError::Unwritten(error) => Failure::Output(error),
    })?;
    print(&found.scenario.title, seed, &health, ui)?;
    if reached == Reached::Stopped {
        ui.note(&format!(
            "stopped after {} of {} games",
            health.games, args.games
        ));
        return Err(Failure::Stopped);
    }
    if health.is_well() {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

fn print(title: &str, seed: u64, health: &Health, ui: &mut Ui) -> Result<(), Failure> {
    if ui.is_json() {
        let sign = |sign: &Sign| json!({ "about": sign.about, "well": known(sign.verdict), "verdict": sign.verdict.word(), "found": sign.found });
        let signs: Vec<_> = health.signs.iter().map(sign).collect();
        let json = json!({ "seed": seed, "games": health.games, "well": health.is_well(), "signs": signs });
        return Ok(ui.document(&json)?);
    }
    let games = counted(usize::try_from(health.games).unwrap_or(usize::MAX), "game");
    print_line(
        &section(format!("{title}: {games} from seed {seed} on")),
        ui,
    )?;
    for sign in &health.signs {
        let word = sign.verdict.word();
        let mark = match sign.verdict {
            Verdict::Well => word.green().to_string(),
            Verdict::Unwell => word.red().to_string(),
            Verdict::Open | Verdict::Unclaimed => word.to_string(),
        };
        let pad = " ".repeat(5 - word.len());
        ui.line(format!("  {mark}{pad} {:<9} {}", sign.about, sign.found))?;
    }
    Ok(())
}

/// Whether it is known to be as it should be; nothing where nothing is claimed.
fn known(verdict: Verdict) -> Option<bool> {
    (verdict != Verdict::Unclaimed).then_some(verdict == Verdict::Well)
}
