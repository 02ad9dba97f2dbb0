//! `houserule bisect`: the clause or option that makes the difference.

use clap::Args;
use houserule::analysis::bisect::{
    CaseTrial, Culprit, GameTrial, GoldenTrial, NotFound, SelectionChange, Suspicion, Symptom,
    Trial,
};
use houserule::workshop::Overrides;
use serde_json::json;

use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::paint::Paint;
use crate::players::Bots;
use crate::reporter::{fact, print_line, section};
use crate::selection::{id_and_value, overrides};
use crate::ui::Ui;
use houserule::printable::counted;

/// Of a search that was stopped so many changes are told one by one.
const MOST_TOLD: usize = 16;

const EXAMPLES: &str = "\
Examples:
  houserule bisect border-raid --bad iceburg
  houserule bisect border-raid --bad iceburg \\
      --if 'count(dsii.element, it.status = knocked_out) > 13'
  houserule bisect --case 'dsii/draw at infantry' --bad iceburg   which clause makes the case fail
  houserule bisect --golden air-strike --bad iceburg              which makes the golden differ

Without `--if` it is bad that the game tells something else than by the good
rules. Expressions are those of `houserule odds`, over the end of the game.";

/// Finds which of many changes of the rules makes the difference.
///
/// Between the good and the bad rules lie clauses that are on in one of them and
/// options that have another value. The scenario is played, by its script or by
/// bots, with half of what is left again and again: with 200 changes eight times,
/// and once with each end. In the place of a scenario a case is run, of which it is
/// bad that it fails, or a golden, of which it is bad that the game is told otherwise.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BisectArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    #[arg(required_unless_present_any = ["case", "golden"], conflicts_with_all = ["case", "golden"])]
    pub scenario: Option<String>,
    /// A case: its mod, and words of its title
    #[arg(long, value_name = "MOD/WORDS", conflicts_with_all = ["golden", "symptom", "seed", "turns"])]
    pub case: Option<String>,
    /// The scenario of a golden
    #[arg(long, value_name = "SCENARIO", conflicts_with_all = ["symptom", "seed", "turns"])]
    pub golden: Option<String>,
    /// House rules of the bad set, beside the scenario's; can be given again
    #[arg(long, value_name = "SELECTOR")]
    pub bad: Vec<String>,
    /// House rules of the good set, beside the scenario's
    #[arg(long, value_name = "SELECTOR")]
    pub good: Vec<String>,
    /// What the bad set leaves out
    #[arg(long, value_name = "SELECTOR")]
    pub bad_without: Vec<String>,
    /// What the good set leaves out
    #[arg(long, value_name = "SELECTOR")]
    pub good_without: Vec<String>,
    /// An option of the bad set
    #[arg(long, value_name = "ID=VALUE", value_parser = id_and_value)]
    pub bad_option: Vec<(String, String)>,
    /// An option of the good set
    #[arg(long, value_name = "ID=VALUE", value_parser = id_and_value)]
    pub good_option: Vec<(String, String)>,
    /// What is bad: an expression that comes out yes
    #[arg(long = "if", value_name = "EXPRESSION")]
    pub symptom: Option<String>,
    /// The seed of all games, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// How many turns they last, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    pub turns: Option<u32>,
    /// Who decides, where the scenario has no script.
    #[command(flatten)]
    pub players: Bots,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario or its mods; ends that are not good and bad.
pub fn run(args: &BisectArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    // What is heard from now on is asked for before each trial.
    interrupted();
    let workshop = ui.workshop.clone();
    let with_game = |overrides: Overrides| Overrides {
        seed: args.seed,
        turns: args.turns,
        ..overrides
    };
    let suspicion = Suspicion {
        workshop: &workshop,
        good: &with_game(overrides(
            &args.good,
            &args.good_without,
            &args.good_option,
        )?),
        bad: &with_game(overrides(&args.bad, &args.bad_without, &args.bad_option)?),
    };
    if let Some(case) = &args.case {
        let mut trial = CaseTrial::find(&workshop, case).map_err(failure)?;
        let title = trial.title().to_string();
        return look(&suspicion, &mut trial, &title, ui);
    }
    if let Some(golden) = &args.golden {
        let found = workshop.scenario(golden)?;
        let mut trial = GoldenTrial::of(&workshop, &found).map_err(failure)?;
        return look(&suspicion, &mut trial, &found.scenario.title, ui);
    }
    let found = workshop.scenario(args.scenario.as_deref().unwrap_or_default())?;
    let players = args.players.of(&found)?;
    let symptom = args
        .symptom
        .as_deref()
        .map_or(Symptom::Differs, Symptom::Holds);
    let mut trial = GameTrial {
        workshop: &workshop,
        found: &found,
        players: &players,
        symptom,
    };
    look(&suspicion, &mut trial, &found.scenario.title, ui)
}

/// Looks for the change, and tells of it.
fn look(
    suspicion: &Suspicion<'_>,
    trial: &mut dyn Trial,
    title: &str,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let stop = interrupted();
    let mut tried = Vec::new();
    let culprit = suspicion.culprit(
        trial,
        &mut |changes, is_bad| tried.push((changes, is_bad)),
        &|| stop.is_set(),
    );
    let culprit = match culprit {
        Err(NotFound::Stopped { changes, among }) => {
            return Err(stopped(changes, &among, &tried, ui));
        }
        outcome => outcome.map_err(failure)?,
    };
    let printed = match ui.is_json() {
        true => ui.document(&as_json(&culprit, &tried)),
        false => print(title, &culprit, &tried, ui),
    };
    printed.map_err(Failure::from)
}

fn failure(why: NotFound) -> Failure {
    match why {
        NotFound::Faults(faults) => Failure::Faults(faults),
        NotFound::NoChange => {
            Failure::Usage("expected two sets of rules, found the same twice".into())
        }
        NotFound::BadBefore(seen) => Failure::Plain(format!(
            "it is bad by the good rules already, so that no change can be found: {seen}"
        )),
        NotFound::WellAfter(seen) => Failure::Plain(format!(
            "it is well by the bad rules too, so that no change can be found: {seen}"
        )),
        NotFound::Expression(reason) | NotFound::NoTrial(reason) => Failure::Plain(reason),
        NotFound::Stopped { .. } => Failure::Stopped,
    }
}

/// Tells what was tried until it was stopped, and what is left.
fn stopped(
    changes: usize,
    among: &[SelectionChange],
    tried: &[(usize, bool)],
    ui: &mut Ui,
) -> Failure {
    let left: Vec<String> = among.iter().map(words).collect();
    let printed = match ui.is_json() {
        true => {
            let json = json!({
                "stopped": true, "changes": changes, "among": left, "tried": tried_as_json(tried),
            });
            ui.document(&json)
        }
        false => print_tried(changes, tried, ui).and_then(|()| match left.len() {
            0 => Ok(()),
            some if some > MOST_TOLD => Ok(()),
            _ => ui.lines(left.join("\n")),
        }),
    };
    if let Err(error) = printed {
        return error.into();
    }
    ui.note(&match among.len() {
        0 => "stopped before both sets of rules were tried: nothing is known yet".to_string(),
        some => format!("stopped: it is one of {}", counted(some, "change")),
    });
    Failure::Stopped
}

fn print_tried(changes: usize, tried: &[(usize, bool)], ui: &mut Ui) -> std::io::Result<()> {
    tried.iter().try_for_each(|(made, is_bad)| {
        let outcome = if *is_bad { "bad" } else { "good" };
        ui.line(format!("  {made:>4} of {changes} changes: {outcome}"))
    })
}

fn tried_as_json(tried: &[(usize, bool)]) -> Vec<serde_json::Value> {
    let each = tried
        .iter()
        .map(|(changes, is_bad)| json!({ "changes": changes, "bad": is_bad }));
    each.collect()
}

/// A change in words.
fn words(change: &SelectionChange) -> String {
    match change {
        SelectionChange::On(id, title) => format!("{id} is on ({title})"),
        SelectionChange::Off(id, title) => format!("{id} is off ({title})"),
        SelectionChange::Set(id, was, is) => format!("{id} is {is}, was {was}"),
        SelectionChange::Amended(one) => format!("{one} is amended"),
        SelectionChange::Unamended(one) => format!("{one} is not amended"),
    }
}

fn print(
    title: &str,
    culprit: &Culprit,
    tried: &[(usize, bool)],
    ui: &mut Ui,
) -> std::io::Result<()> {
    print_line(&section(title), ui)?;
    print_tried(culprit.changes, tried, ui)?;
    ui.line("")?;
    ui.line(words(&culprit.change).bold())?;
    print_line(&fact("before", &culprit.seen[0]), ui)?;
    print_line(&fact("with it", &culprit.seen[1]), ui)?;
    let runs = counted(culprit.runs, "run");
    ui.line(
        format!(
            "found in {runs} among {}",
            counted(culprit.changes, "change")
        )
        .dimmed(),
    )
}

fn as_json(culprit: &Culprit, tried: &[(usize, bool)]) -> serde_json::Value {
    let change = match &culprit.change {
        SelectionChange::On(id, title) => json!({ "clause": &**id, "title": title, "on": true }),
        SelectionChange::Off(id, title) => json!({ "clause": &**id, "title": title, "on": false }),
        SelectionChange::Set(id, was, is) => json!({ "option": &**id, "from": was, "to": is }),
        SelectionChange::Amended(one) => json!({ "amend": one.to_string(), "on": true }),
        SelectionChange::Unamended(one) => json!({ "amend": one.to_string(), "on": false }),
    };
    json!({
        "change": change,
        "changes": culprit.changes,
        "runs": culprit.runs,
        "before": culprit.seen[0],
        "after": culprit.seen[1],
        "tried": tried_as_json(tried),
    })
}
