//! `houserule eval`: one rule, called over the start of a scenario.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use clap::Args;
use houserule::embed::{Plain, narrated_to_referee};
use houserule::kernel::chance::{Chance, Script, ScriptedDie};
use houserule::kernel::decision::{Domain, Question};
use houserule::kernel::engine::{Play, Wanted};
use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::event::Event;
use houserule::kernel::game::{Game, Guard};
use houserule::kernel::rules::{Rules, Stop};
use houserule::kernel::value::{Field, Name, Type, Value, owner_of};
use houserule::kernel::world::closest;
use houserule::modset::selector::Selector;
use houserule::odds::{GivenAnswer, meant};
use houserule::rulebook::{RuleEntry, Rulebook};
use houserule::scenario::{Scenario, scripted_die};
use houserule::types::{Unit, parse_value, print_value};
use houserule::workshop::{Found, Overrides};
use serde_json::json;

use super::odds::once_each;
use crate::commands::rules::{argument_type, described};
use crate::failure::Failure;
use crate::reporter::{fact, print_line, tell_events};
use crate::selection::{Selection, id_and_value};
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule eval dsii.fire.band_at --arg weapon=HKP --arg class=3 --arg range=20in
  houserule eval dsii.dmg.draw --arg count=3 --arg 'factors={red=2,yellow=2,green=0}' \\
      --chits R2,BOOM,Y1
  houserule eval dsii.slam.catches --in duel --arg element=red-a-1 --arg needed=3 --dice d6=5
  houserule eval dsii.ca.chits --in duel --arg striker=blue-a-1 --with iceburg:commando";

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
    once_each("--arg", &args.arg)?;
    let overrides = Overrides {
        seed: args.seed,
        ..args.selection.overrides()?
    };
    if !args.rule.contains('.') {
        return Err(Failure::Usage(format!(
            "expected the id of a rule, such as `dsii.fire.band_at`, found `{0}`; `houserule rules {0}` says what is \
             called so",
            args.rule
        )));
    }
    let found = match &args.scenario {
        Some(scenario) => ui.workshop.scenario(scenario)?,
        None => empty_table(&args.rule, ui)?,
    };
    let is_metric = found.scenario.is_metric;
    let (chosen, setup) = match ui.workshop.prepare(&found, &overrides) {
        // No scenario has a part in what is wrong with house rules on an empty table.
        Err(faults) if args.scenario.is_none() => {
            let mut request = args.selection.request()?;
            request
                .with
                .insert(0, Selector::parse(owner_of(&args.rule))?);
            ui.workshop.compose(&request)?;
            return Err(faults.into());
        }
        prepared => prepared?,
    };
    let rulebook = chosen.rulebook;
    let Some(entry) = rulebook.rules().get(args.rule.as_str()) else {
        return Err(unknown(&args.rule, &rulebook).into());
    };
    let (entry, rule) = (entry.clone(), entry.id.clone());
    let mut answers = GivenWords::default();
    let done = loop {
        let game = setup.game.clone();
        let outcome = match &args.scenario {
            Some(_) => in_play(args, &rulebook, &entry, game, &answers)?,
            None => on_game(args, &rulebook, &entry, game, &answers)?,
        };
        match outcome {
            EvalOutcome::Done(done) => break *done,
            // What words mean is known by what there is to choose from.
            EvalOutcome::Asked(question) => answers.read(args, &question)?,
        }
    };
    finish(args, &rule, ui, is_metric, done)
}

/// How far a call has come.
enum EvalOutcome {
    Done(Box<(Game, CallOutcome)>),
    Asked(Arc<Question>),
}

/// What the answers of the command line mean, of questions that were asked.
#[derive(Default)]
struct GivenWords(BTreeMap<Name, Value>);

impl GivenWords {
    /// Reads the answer to a question that is open.
    ///
    /// # Errors
    /// When none was given that it takes.
    fn read(&mut self, args: &EvalArgs, question: &Question) -> Result<(), Failure> {
        let mut given = args.answer.iter();
        let given = given.find(|(id, _)| *id == *question.id);
        let Some((id, text)) = given else {
            return Err(Failure::Plain(format!(
                "the rule asks `{}`: {}\n  answer it with `--answer {}=…`{}",
                question.id,
                question.text,
                question.id,
                choices(question)
            )));
        };
        let wrong = |reason: &str| Failure::Usage(format!("`--answer {id}={text}`: {reason}"));
        if self.0.contains_key(&question.id) {
            let choices = choices(question);
            let reason = format!("it is no answer to \"{}\"{choices}", question.text);
            return Err(wrong(&reason));
        }
        let read = parse_value(&Type::Any, text, &|_| None);
        let read = read.unwrap_or_else(|_| Value::text(text));
        let words = GivenAnswer::Words(Name::from(text.as_str()), read);
        let value = match question.to.first() {
            Some((_, domain)) => meant(domain, &words).map_err(|reason| wrong(&reason))?,
            None => Value::text(text),
        };
        self.0.insert(question.id.clone(), value);
        Ok(())
    }
}

/// What there is to choose from, where that is a list.
fn choices(question: &Question) -> String {
    let Some((_, Domain::Choices { of, .. })) = question.to.first() else {
        return String::new();
    };
    let labels: Vec<&str> = of.iter().map(|choice| &*choice.label).collect();
    format!(" (one of {})", labels.join(", "))
}

/// The rule in a game that has begun: the phases before the first decision run.
fn in_play(
    args: &EvalArgs,
    rulebook: &Rulebook,
    entry: &RuleEntry,
    game: Game,
    answers: &GivenWords,
) -> Result<EvalOutcome, Failure> {
    let mut play = Play::start(game, rulebook)?;
    play.take_events();
    let values = values(args, rulebook, entry, play.game())?;
    prepare(args, play.game_mut(), rulebook, answers)?;
    let is_step = rulebook.book().steps.contains_key(&entry.id);
    let value = if is_step {
        play.run_step(rulebook, &entry.id, &values)?;
        if let Wanted::Answer { question, .. } = play.wanted() {
            return Ok(EvalOutcome::Asked(question));
        }
        Value::None
    } else {
        match call(rulebook, play.game_mut(), &entry.id, &values)? {
            Err(question) => return Ok(EvalOutcome::Asked(question)),
            Ok(value) => {
                play.settle(rulebook)?;
                value
            }
        }
    };
    let mut events = play.take_events();
    events.extend(play.game().open_events().iter().cloned());
    let done = (play.game().clone(), CallOutcome { value, events });
    Ok(EvalOutcome::Done(Box::new(done)))
}

/// Without a scenario no phase runs: there is nobody to play.
fn on_game(
    args: &EvalArgs,
    rulebook: &Rulebook,
    rule: &RuleEntry,
    mut game: Game,
    answers: &GivenWords,
) -> Result<EvalOutcome, Failure> {
    let values = values(args, rulebook, rule, &game)?;
    prepare(args, &mut game, rulebook, answers)?;
    Ok(match call(rulebook, &mut game, &rule.id, &values)? {
        Err(question) => EvalOutcome::Asked(question),
        Ok(value) => {
            let events = game.open_events().to_vec();
            EvalOutcome::Done(Box::new((game, CallOutcome { value, events })))
        }
    })
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
    if rulebook.tables().contains_key(rule) {
        return fault.hint(format!("it is a table: `houserule rules {rule}` prints it"));
    }
    match closest(rule, rulebook.rules().keys().map(|id| &**id)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint("`houserule rules` lists every rule"),
    }
}

/// The arguments in the order of the signature.
fn values(
    args: &EvalArgs,
    rulebook: &Rulebook,
    entry: &RuleEntry,
    game: &Game,
) -> Result<Vec<Value>, Failure> {
    let (rule, signature) = (&entry.id, &entry.signature);
    let usage = |message: String| {
        let named = described(entry, rulebook).join("\n  ");
        Failure::Usage(format!("{message}\n  the rule is {named}"))
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
                field.name,
                argument_type(field, entry, rulebook)
            ))),
        }
    };
    signature.args.iter().map(value).collect()
}

/// Puts dice, chits and answers at hand.
fn prepare(
    args: &EvalArgs,
    game: &mut Game,
    rulebook: &Rulebook,
    answers: &GivenWords,
) -> Result<(), Failure> {
    if !args.dice.is_empty() || !args.chits.is_empty() {
        check_chits(args, rulebook)?;
        game.set_chance(Chance::scripted(Script::new(
            args.dice.clone(),
            args.chits.iter().map(String::as_str),
        )));
    }
    let given = args.answer.iter().map(|(question, text)| {
        let question = Name::from(question.as_str());
        let value = match answers.0.get(&question) {
            Some(value) => value.clone(),
            None => {
                let find = |name: &str| game.world().find(name);
                parse_value(&Type::Any, text, &find).unwrap_or_else(|_| Value::text(text))
            }
        };
        (question, value)
    });
    let given: Vec<(Name, Value)> = given.collect();
    game.queue_answers(given);
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

/// What a rule gives, or what it asks.
fn call(
    rulebook: &Rulebook,
    game: &mut Game,
    rule: &Name,
    values: &[Value],
) -> Result<Result<Value, Arc<Question>>, Failure> {
    match rulebook.call(game, rule, values) {
        Ok(value) => Ok(Ok(value)),
        Err(Stop::Fault(fault)) => Err(fault.into()),
        Err(Stop::Asked) => match game.wanted() {
            Wanted::Answer { question, .. } => Ok(Err(question)),
            _ => Err(Failure::Plain("the rule asks a question".into())),
        },
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
