//! `houserule eval`: one rule, called over the start of a scenario.

use std::io;

use clap::Args;
use houserule::embed::{Plain, narrated_to_referee};
use houserule::kernel::chance::{Chance, Script, ScriptedDie};
use houserule::kernel::engine::{Play, Wanted};
use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::event::Event;
use houserule::kernel::game::{Game, Guard};
use houserule::kernel::rules::{Rules, Stop};
use houserule::kernel::value::{Field, Name, Type, Value, owner_of};
use houserule::kernel::world::closest;
use houserule::rulebook::{RuleEntry, Rulebook};
use houserule::scenario::{Scenario, scripted_die};
use houserule::types::{Unit, parse_value, print_value};
use houserule::workshop::{Found, Overrides};
use serde_json::json;

use crate::commands::rules::signature_text;
use crate::failure::Failure;
use crate::reporter::{fact, print_line, tell_events};
use crate::selection::{Selection, id_and_value};
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule eval dsii.fire.band_at --arg weapon=HKP --arg class=3 --arg range=20in
  houserule eval dsii.fire.resolve --in duel --arg shooter=blue-1 --arg target=red-1 \\
      --dice d8=5,d6=3 --chits R2,BOOM
  houserule eval dsii.fire.band_at --in duel --with iceburg:rfac --arg weapon=RFAC ...";

/// Calls one rule and prints what it gives, the dice it used, and what
/// happened.
///
/// Arguments are typed by the rule's signature: `3`, `12in`, `30deg`,
/// `(10in, 8in)`, `d8`, `[1, 2]`, `{name = 3}`, the name of an entity.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct EvalArgs {
    /// The id of the rule
    pub rule: String,
    /// The scenario over whose start it is called; without it, an empty table
    #[arg(long = "in", value_name = "SCENARIO")]
    pub scenario: Option<String>,
    /// An argument of the rule; can be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = id_and_value)]
    pub arg: Vec<(String, String)>,
    /// The dice that it rolls, in order; all must be used
    #[arg(long, value_name = "d8=5,…", value_delimiter = ',', value_parser = scripted_die)]
    pub dice: Vec<ScriptedDie>,
    /// The chits that it draws, in order; all must be used
    #[arg(long, value_name = "R2,…", value_delimiter = ',')]
    pub chits: Vec<String>,
    /// The answer to a question that it asks; can be given again
    #[arg(long, value_name = "QUESTION=VALUE", value_parser = id_and_value)]
    pub answer: Vec<(String, String)>,
    /// The seed of the dice that are not given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// What came of a call.
struct CallOutcome {
    value: Value,
    events: Vec<Event>,
}

/// Runs the command.
///
/// # Errors
/// An unknown rule, arguments that do not fit, a fault of the rule.
pub fn run(args: &EvalArgs, ui: &mut Ui) -> Result<(), Failure> {
    let overrides = Overrides {
        seed: args.seed,
        ..args.selection.overrides()?
    };
    let found = match &args.scenario {
        Some(scenario) => ui.workshop.scenario(scenario)?,
        None => empty_table(&args.rule, ui)?,
    };
    let is_metric = found.scenario.is_metric;
    let (chosen, setup) = ui.workshop.prepare(&found, &overrides)?;
    let rulebook = chosen.rulebook;
    let Some(entry) = rulebook.rules().get(args.rule.as_str()) else {
        return Err(unknown(&args.rule, &rulebook).into());
    };
    let (entry, rule) = (entry.clone(), entry.id.clone());
    // A match, to let the phases before the first decision run.
    let mut play = match &args.scenario {
        Some(_) => Play::start(setup.game, &*rulebook)?,
        None => {
            return finish(
                args,
                &rule,
                ui,
                is_metric,
                on_game(args, &rulebook, &entry, setup.game)?,
            );
        }
    };
    play.take_events();
    let values = values(args, &entry, play.game())?;
    prepare(args, play.game_mut(), &rulebook)?;
    let is_step = rulebook.book().steps.contains_key(&rule);
    let value = if is_step {
        play.run_step(&*rulebook, &rule, &values)?;
        waits(&play.wanted())?;
        Value::None
    } else {
        let value = call(&rulebook, play.game_mut(), &rule, &values)?;
        play.settle(&*rulebook)?;
        value
    };
    let mut events = play.take_events();
    events.extend(play.game().open_events().iter().cloned());
    let game = play.game().clone();
    finish(
        args,
        &rule,
        ui,
        is_metric,
        (game, CallOutcome { value, events }),
    )
}

/// Without a scenario no phase runs: there is nobody to play.
fn on_game(
    args: &EvalArgs,
    rulebook: &Rulebook,
    rule: &RuleEntry,
    mut game: Game,
) -> Result<(Game, CallOutcome), Failure> {
    let values = values(args, rule, &game)?;
    prepare(args, &mut game, rulebook)?;
    let value = call(rulebook, &mut game, &rule.id, &values)?;
    let events = game.open_events().to_vec();
    Ok((game, CallOutcome { value, events }))
}

/// A table with nothing on it, for two sides.
fn empty_table(rule: &str, ui: &Ui) -> Result<Found, Failure> {
    let owner = owner_of(rule);
    ui.workshop.manifest(owner)?;
    let text = format!(
        "Scenario(format: 1, id: \"empty-table\", title: \"An empty table\", mods: [\"{owner}\"], seed: 1, \
         table: (width: \"72in\", depth: \"48in\"), sides: [(id: \"blue\"), (id: \"red\")])"
    );
    let scenario = Scenario::read("", "empty-table.ron", &text)?;
    Ok(Found {
        module: None,
        scenario,
        source: text.into(),
    })
}

fn unknown(rule: &str, rulebook: &Rulebook) -> Fault {
    let fault = Fault::new(
        FaultCode::UnknownRule,
        format!("no mod defines the rule `{rule}`"),
    );
    match closest(rule, rulebook.rules().keys().map(|id| &**id)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint("`houserule rules` lists every rule"),
    }
}

/// The arguments in the order of the signature.
fn values(args: &EvalArgs, entry: &RuleEntry, game: &Game) -> Result<Vec<Value>, Failure> {
    let (rule, signature) = (&entry.id, &entry.signature);
    let usage = |message: String| {
        Failure::Usage(format!(
            "{message}\n  the rule is {}",
            signature_text(entry)
        ))
    };
    let is_known = |name: &str| signature.args.iter().any(|field| *field.name == *name);
    if let Some((name, _)) = args.arg.iter().find(|(name, _)| !is_known(name)) {
        let near = closest(name, signature.args.iter().map(|field| &*field.name));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(usage(format!("`{rule}` takes no argument `{name}`{hint}")));
    }
    let find = |name: &str| game.world().find(name);
    let value = |field: &Field| {
        let given = args.arg.iter().rev().find(|(name, _)| *name == *field.name);
        match given {
            Some((name, text)) => parse_value(&field.ty, text, &find)
                .map_err(|mismatch| usage(format!("`--arg {name}={text}`: {mismatch}"))),
            None if matches!(field.ty, Type::Optional(_)) => Ok(Value::None),
            None => Err(usage(format!(
                "expected `--arg {}=…`, a value of {}",
                field.name, field.ty
            ))),
        }
    };
    signature.args.iter().map(value).collect()
}

/// Puts dice, chits and answers at hand.
fn prepare(args: &EvalArgs, game: &mut Game, rulebook: &Rulebook) -> Result<(), Failure> {
    if !args.dice.is_empty() || !args.chits.is_empty() {
        check_chits(args, rulebook)?;
        game.set_chance(Chance::scripted(Script::new(
            args.dice.clone(),
            args.chits.iter().map(String::as_str),
        )));
    }
    let mut answers = Vec::new();
    for (question, text) in &args.answer {
        let find = |name: &str| game.world().find(name);
        let value = parse_value(&Type::Any, text, &find).map_err(|mismatch| {
            Failure::Usage(format!("`--answer {question}={text}`: {mismatch}"))
        })?;
        answers.push((Name::from(question.as_str()), value));
    }
    game.queue_answers(answers);
    game.set_guard(Guard::STEP);
    Ok(())
}

fn check_chits(args: &EvalArgs, rulebook: &Rulebook) -> Result<(), Failure> {
    let all: Vec<&str> = rulebook
        .book()
        .pots
        .values()
        .flat_map(|pot| pot.entries().map(|(chit, _)| chit))
        .collect();
    match args.chits.iter().find(|chit| !all.contains(&chit.as_str())) {
        None => Ok(()),
        Some(chit) => {
            let near = closest(chit, all.iter().copied());
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Err(Failure::Usage(format!(
                "no pot holds a chit `{chit}`{hint}"
            )))
        }
    }
}

fn call(
    rulebook: &Rulebook,
    game: &mut Game,
    rule: &Name,
    values: &[Value],
) -> Result<Value, Failure> {
    match rulebook.call(game, rule, values) {
        Ok(value) => Ok(value),
        Err(Stop::Fault(fault)) => Err(fault.into()),
        Err(Stop::Asked) => {
            waits(&game.wanted())?;
            Err(Failure::Plain("the rule asks a question".into()))
        }
    }
}

/// A question that is open is one that was not answered on the command line.
fn waits(wanted: &Wanted) -> Result<(), Failure> {
    match wanted {
        Wanted::Answer { question, .. } => Err(Failure::Plain(format!(
            "the rule asks `{}`: {}\n  answer it with `--answer {}=…`",
            question.id, question.text, question.id
        ))),
        _ => Ok(()),
    }
}

fn finish(
    args: &EvalArgs,
    rule: &Name,
    ui: &mut Ui,
    is_metric: bool,
    (game, outcome): (Game, CallOutcome),
) -> Result<(), Failure> {
    tell(rule, ui, is_metric, &game, &outcome)?;
    let left = game.chance().left_over();
    if (args.dice.is_empty() && args.chits.is_empty()) || left.is_empty() {
        return Ok(());
    }
    let message = format!("expected every die and chit to be used, found left over: {left}");
    Err(Fault::new(FaultCode::ScriptedDice, message).into())
}

fn tell(
    rule: &Name,
    ui: &mut Ui,
    is_metric: bool,
    game: &Game,
    outcome: &CallOutcome,
) -> io::Result<()> {
    let unit = if is_metric {
        Unit::Centimetres
    } else {
        Unit::Inches
    };
    if ui.is_json() {
        let narrated = narrated_to_referee(game, &outcome.events, unit);
        return ui.document(&json!({
            "rule": &**rule,
            "result": Plain::of_referee(&outcome.value, game),
            "events": narrated.iter().map(|one| &one.event).collect::<Vec<_>>(),
        }));
    }
    tell_events(game, &outcome.events, unit, ui)?;
    print_line(&fact("result", print_value(&outcome.value, game, unit)), ui)
}
