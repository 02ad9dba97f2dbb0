//! `houserule bisect`: the clause or option that makes the difference.

use clap::Args;
use houserule::analysis::bisect::{Change, Culprit, NotFound, Suspicion, Symptom};
use houserule::workshop::Overrides;
use serde_json::json;

use crate::desk::{Desk, Failure};
use crate::paint::{Paint, counted};
use crate::players::Bots;
use crate::selection::{id_and_value, wishes};
use crate::teller::{fact, print_line, section};

const EXAMPLES: &str = "\
Examples:
  houserule bisect street-sweep --good-without iceburg --if 'red-team-1.status = knocked_out'
  houserule bisect border-raid --bad iceburg
  houserule bisect border-raid --bad iceburg --if 'count(dsii.element, it.status = knocked_out) > 20'

Without `--if` it is bad that the game tells something else than by the good
rules. Expressions are those of `houserule odds`, over the end of the game.";

/// Finds which of many changes of the rules makes the difference.
///
/// Between the good and the bad rules lie clauses that are on in one of them and
/// options that have another value. The scenario is played, by its script or by
/// bots, with half of what is left again and again: with 200 changes eight times,
/// and once with each end.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BisectArgs {
    /// The id of a scenario over all mods, `mod/id`, or a `.ron` file
    pub scenario: String,
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
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many turns they last, instead of the scenario's number
    #[arg(long, value_name = "N")]
    pub turns: Option<u32>,
    /// Who decides, where the scenario has no script.
    #[command(flatten)]
    pub players: Bots,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario or its mods; ends that are not good and bad.
pub fn run(args: &BisectArgs, desk: &mut Desk) -> Result<(), Failure> {
    let broken = std::mem::take(&mut desk.broken);
    desk.note_left_out(&broken);
    let workshop = desk.workshop.clone();
    let found = workshop.scenario(&args.scenario)?;
    let players = args.players.of(&found)?;
    let with_game = |wishes: Overrides| Overrides { seed: args.seed, turns: args.turns, ..wishes };
    let suspicion = Suspicion {
        workshop: &workshop,
        found: &found,
        good: &with_game(wishes(&args.good, &args.good_without, &args.good_option)?),
        bad: &with_game(wishes(&args.bad, &args.bad_without, &args.bad_option)?),
        players: &players,
        symptom: args.symptom.as_deref().map_or(Symptom::Differs, Symptom::Holds),
    };
    let mut tried = Vec::new();
    let culprit = suspicion.culprit(&mut |changes, is_bad| tried.push((changes, is_bad)));
    let culprit = culprit.map_err(failure)?;
    let told = match desk.is_json() {
        true => desk.document(&as_json(&culprit, &tried)),
        false => print(&found.scenario.title, &culprit, &tried, desk),
    };
    told.map_err(Failure::from)
}

fn failure(why: NotFound) -> Failure {
    match why {
        NotFound::Faults(faults) => Failure::Faults(faults),
        NotFound::NoChange => Failure::Usage("expected two sets of rules, found the same twice".into()),
        NotFound::BadBefore(seen) => {
            Failure::Plain(format!("expected the good rules to be good, found that they are bad: {seen}"))
        }
        NotFound::WellAfter(seen) => {
            Failure::Plain(format!("expected the bad rules to be bad, found that they are good: {seen}"))
        }
        NotFound::Expression(reason) => Failure::Plain(reason),
    }
}

/// A change in words.
fn words(change: &Change) -> String {
    match change {
        Change::On(id, title) => format!("{id} is on ({title})"),
        Change::Off(id, title) => format!("{id} is off ({title})"),
        Change::Set(id, was, is) => format!("{id} is {is}, was {was}"),
        Change::Amended(one) => format!("{one} is amended"),
        Change::Unamended(one) => format!("{one} is not amended"),
    }
}

fn print(title: &str, culprit: &Culprit, tried: &[(usize, bool)], desk: &mut Desk) -> std::io::Result<()> {
    print_line(&section(title), desk)?;
    for (changes, is_bad) in tried {
        let of = culprit.changes;
        desk.line(format!("  {changes:>4} of {of} changes: {}", if *is_bad { "bad" } else { "good" }))?;
    }
    desk.line("")?;
    desk.line(words(&culprit.change).bold())?;
    print_line(&fact("before", &culprit.seen[0]), desk)?;
    print_line(&fact("with it", &culprit.seen[1]), desk)?;
    let games = counted(culprit.runs, "game");
    desk.line(format!("found in {games} among {}", counted(culprit.changes, "change")).dimmed())
}

fn as_json(culprit: &Culprit, tried: &[(usize, bool)]) -> serde_json::Value {
    let change = match &culprit.change {
        Change::On(id, title) => json!({ "clause": &**id, "title": title, "on": true }),
        Change::Off(id, title) => json!({ "clause": &**id, "title": title, "on": false }),
        Change::Set(id, was, is) => json!({ "option": &**id, "from": was, "to": is }),
        Change::Amended(one) => json!({ "amend": one.to_string(), "on": true }),
        Change::Unamended(one) => json!({ "amend": one.to_string(), "on": false }),
    };
    let tried = tried.iter().map(|(changes, is_bad)| json!({ "changes": changes, "bad": is_bad }));
    json!({
        "change": change,
        "changes": culprit.changes,
        "runs": culprit.runs,
        "before": culprit.seen[0],
        "after": culprit.seen[1],
        "tried": tried.collect::<Vec<_>>(),
    })
}
