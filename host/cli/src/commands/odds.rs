//! `houserule odds`: what an action or a rule comes to, and how often.

use std::collections::BTreeSet;
use std::path::Path;

use clap::{Args, ValueEnum};
use houserule::embed::{
    LegalMoves, OddsAbout, OddsAnswer, OddsSubject, Others as Bots, OutcomeAbout, Prompt, Start,
    Tabletop, Trouble,
};
use houserule::kernel::value::{Name, Value};
use houserule::odds::{DefaultAnswer, Limits, Outcome, Policy, readable_decimal};
use houserule::printable::{self, clipped, wrapped};
use houserule::scenario::chance_of;

use super::play::actions::{Progress, action_called, begin};
use super::play::domains;
use super::play::words::parts;
use crate::failure::Failure;
use crate::globals::Format;
use crate::interrupt::interrupted;
use crate::paint::Paint;
use crate::selection::{Selection, id_and_value};
use crate::ui::Ui;

/// A bar is as wide as this at most.
const BAR: usize = 40;
/// In a narrow terminal a bar is shorter, and one shorter than this is left out.
const LEAST_BAR: usize = 8;
/// The space before, between and after the columns.
const GAPS: usize = 8;
/// A longer name of an outcome takes several rows, and is shown in part at last.
const NAME_ROW: usize = 60;
const LONGEST_NAME: usize = 400;

const EXAMPLES: &str = "\
Examples:
  houserule odds duel --rule dsii.dmg.draw --arg count=3 \\
      --arg 'factors={red=2,yellow=2,green=0}' --by 'result.halves'
  houserule odds drill/range --at 4 --act 'aim blue-1 red-1' --by 'red-1.strength'
  houserule odds volley --at 4 --act 'volley blue-a' --by 'red-a-2.status'
  houserule odds evening.journal --at 5 --act 'volley blue-a' --by 'red-a-2.status'
  houserule odds street-sweep --rule dsii.inf.shoot … --set 'red-team-1.at=(24in,25in)'
  houserule odds volley --at 4 --act 'volley blue-a' --format svg

An outcome is an expression over what it comes to:
  red-1.status                                 an attribute of a thing
  red-1.status = knocked_out and not blue-1.is_moved
  result.hits >= 2                             of what the rule gives
  count(dsii.element, it.status = fit)         things of a kind, of which something holds
  events(dsii.dmg.suffered, it.target = red-1) events, of which something holds
  last(dsii.dmg.suffered).result               a field of the last one
  dsii.conf.is_headless(red-a)                 what a rule says that only reads";

/// Counts every way in which an action or a rule can go, and prints the exact
/// odds of what it comes to.
///
/// The rules are run as they are played, with every fall of the dice and every
/// handful of chits. Where there are too many ways, games are sampled instead,
/// and it is said so.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct OddsArgs {
    /// The id of a scenario over all mods, `mod/id`, a `.ron` file, or a journal
    #[arg(value_name = "SCENARIO|JOURNAL")]
    pub scenario: String,
    /// Ask before this decision, from 1, of the script, of bots, or of the journal
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub at: u32,
    /// The action, as it is said in `play`, and all of it: `aim blue-1 red-1`
    #[arg(long, value_name = "ACTION WHO …", conflicts_with = "rule")]
    pub act: Option<String>,
    /// The id of a rule
    #[arg(long, value_name = "RULE")]
    pub rule: Option<String>,
    /// An argument of the rule; can be given again
    #[arg(
        long,
        value_name = "NAME=VALUE",
        requires = "rule",
        conflicts_with = "act"
    )]
    #[arg(value_parser = id_and_value)]
    pub arg: Vec<(String, String)>,
    /// What counts as the outcome: see below
    ///
    /// Without it, what the rule gives; of an action, which events happen, in the
    /// words of a report, and for programs by their ids.
    #[arg(long, value_name = "EXPRESSION")]
    pub by: Option<String>,
    /// The answer to a question that is asked; can be given again
    #[arg(long, value_name = "QUESTION=VALUE", value_parser = id_and_value)]
    pub answer: Vec<(String, String)>,
    /// How other questions are answered
    #[arg(long, value_name = "HOW", default_value = "split")]
    pub others: OthersArg,
    /// Another value of an attribute; can be given again
    #[arg(long, value_name = "THING.ATTRIBUTE=VALUE", value_parser = id_and_value)]
    pub set: Vec<(String, String)>,
    /// Sample games where more runs of steps than this are needed, or more work than goes with them
    #[arg(long, value_name = "N", default_value_t = Limits::default().runs)]
    pub runs: u64,
    /// How many games to sample
    #[arg(long, value_name = "N", default_value_t = Limits::default().samples)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub samples: u64,
    /// The seed of the first of them
    #[arg(long, value_name = "N", default_value_t = Limits::default().seed)]
    pub sample_seed: u64,
    /// The seed of the game, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// How questions are answered.
#[derive(Clone, Copy, ValueEnum)]
pub enum OthersArg {
    /// Each answer is as likely as another.
    Split,
    /// The answer from which the outcome is greatest, in the mean.
    Best,
    /// The answer from which it is least.
    Worst,
}

impl From<OthersArg> for DefaultAnswer {
    fn from(others: OthersArg) -> DefaultAnswer {
        match others {
            OthersArg::Split => DefaultAnswer::Split,
            OthersArg::Best => DefaultAnswer::Best,
            OthersArg::Worst => DefaultAnswer::Worst,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// What cannot be set up or asked, what the rules refuse, a rule that is
/// broken on one of the ways.
pub fn run(args: &OddsArgs, ui: &mut Ui) -> Result<(), Failure> {
    if args.act.is_none() && args.rule.is_none() {
        let text =
            "the odds of what? `--act 'ACTION WHO …'` counts an action, `--rule RULE` a rule";
        return Err(Failure::Usage(text.into()));
    }
    let mut table = table(args, ui)?;
    ui.note_broken();
    let subject = match (&args.act, &args.rule) {
        (Some(act), _) => OddsSubject::Input(input_of(&mut table, act)?),
        (None, rule) => OddsSubject::Rule {
            rule: rule.clone().unwrap_or_default(),
            args: args.arg.clone(),
        },
    };
    let policy = policy(args, &table)?;
    let given: Vec<Name> = policy.given.iter().map(|(id, _)| id.clone()).collect();
    let by_chance = Policy {
        others: DefaultAnswer::Split,
        ..policy.clone()
    };
    let limits = Limits::of(args.runs, args.samples, args.sample_seed);
    let stop = interrupted();
    let answer = table.odds_of(
        "referee",
        &subject,
        args.by.as_deref(),
        policy,
        limits,
        &args.set,
        &|| stop.is_set(),
    );
    let is_stopped = stop.is_set();
    let answer = match answer {
        Err(why) if is_stopped => {
            ui.note(&format!("{why}: there is nothing to tell yet"));
            return Err(Failure::Stopped);
        }
        Err(Trouble::Unsaid { message }) => {
            let rule = args.rule.as_deref().unwrap_or_default();
            let hint = format!("say it with `--arg`; `houserule rules {rule}` prints its type");
            return Err(Failure::Usage(format!("{message}; {hint}")));
        }
        Err(why) => return Err(unanswered(why, args, &table, &subject, by_chance)),
        Ok(answer) => answer,
    };
    let idle = idle(&given, &answer);
    let example = answer.example.clone();
    tell(&title(args), answer, ui)?;
    if is_stopped {
        ui.note("stopped: told is what was counted until then");
        return Err(Failure::Stopped);
    }
    if let (Format::Text, Some(example)) = (ui.format, example) {
        ui.note(&hint(&example));
    }
    if let Some(idle) = idle {
        ui.note(&idle);
    }
    Ok(())
}

/// How questions are answered.
fn policy(args: &OddsArgs, table: &Tabletop) -> Result<Policy, Trouble> {
    let answers = args.answer.iter();
    let given = answers.map(|(question, text)| table.typed_answer("referee", question, text));
    Ok(Policy {
        given: given.collect::<Result<_, _>>()?,
        others: args.others.into(),
    })
}

/// Says which questions are asked on no way, though an answer was given.
fn idle(given: &[Name], answer: &OddsAnswer) -> Option<String> {
    let idle = given.iter().filter(|id| !answer.odds.answered.contains(id));
    let idle: Vec<String> = idle.map(|id| format!("`{id}`")).collect();
    let names = idle.join(", ");
    (!idle.is_empty())
        .then(|| format!("{names} is not asked on any way: its answer changes nothing"))
}

/// Why there are no odds; where words have no best and no worst, with what has.
fn unanswered(
    why: Trouble,
    args: &OddsArgs,
    table: &Tabletop,
    subject: &OddsSubject,
    by_chance: Policy,
) -> Failure {
    let (Some(by), false) = (&args.by, matches!(args.others, OthersArg::Split)) else {
        return why.into();
    };
    // One game tells what an outcome is called.
    let limits = Limits::of(1_000, 1, args.sample_seed);
    let none = || false;
    let some = table.odds_of(
        "referee",
        subject,
        Some(by),
        by_chance,
        limits,
        &args.set,
        &none,
    );
    let outcome = some.ok().and_then(|some| {
        let is_word = |one: &Outcome| matches!(one.value, Value::Text(_));
        let place = some.odds.outcomes.iter().position(is_word)?;
        some.texts.get(place).cloned()
    });
    match outcome {
        Some(word) => Failure::Plain(format!(
            "{why}\n  hint: whether it is one of them is yes or no: `--by '{by} = {word}'`"
        )),
        None => why.into(),
    }
}

/// Nothing is given two values, of which one would count.
///
/// # Errors
/// What is given twice.
pub(super) fn once_each(flag: &str, given: &[(String, String)]) -> Result<(), Failure> {
    let mut before = BTreeSet::new();
    match given.iter().find(|(name, _)| !before.insert(name)) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::Usage(format!(
            "expected `{flag} {name}=…` once, found it twice"
        ))),
    }
}

/// How to ask for less than all that happens.
pub fn hint(example: &str) -> String {
    format!("`--by EXPRESSION` asks for an outcome, such as `--by '{example}'`")
}

/// Prints the odds as they are asked for.
fn tell(title: &str, answer: OddsAnswer, ui: &mut Ui) -> std::io::Result<()> {
    match ui.format {
        Format::Text | Format::Md | Format::Html => print(title, &answer.into(), ui),
        Format::Json => {
            let mut json = answer.odds.json(&answer.texts, answer.unit);
            json["of"] = serde_json::json!(title);
            ui.document(&json)
        }
        Format::Csv => ui.lines(answer.odds.csv(&answer.texts).trim_end()),
        Format::Svg => ui.lines(answer.odds.svg(title, &answer.told).trim_end()),
    }
}

fn title(args: &OddsArgs) -> String {
    let what = args.act.clone().or(args.rule.clone()).unwrap_or_default();
    match &args.by {
        Some(by) => format!("{what}: {by}"),
        None => what,
    }
}

/// The match as it stands before the decision, if the command says nothing twice.
fn table(args: &OddsArgs, ui: &Ui) -> Result<Tabletop, Failure> {
    once_each("--arg", &args.arg)?;
    once_each("--answer", &args.answer)?;
    once_each("--set", &args.set)?;
    let before = args.at as usize - 1;
    let path = Path::new(&args.scenario);
    if path.is_file() && !args.scenario.ends_with(".ron") {
        let selection = &args.selection;
        let is_as_played = selection.with.is_empty()
            && selection.without.is_empty()
            && selection.option.is_empty()
            && selection.amend.is_empty()
            && args.seed.is_none();
        if !is_as_played {
            let message = "a journal is played by the rules that are kept beside it, and by its seed: `--with`, \
                           `--without`, `--option`, `--amend` and `--seed` are for scenarios";
            return Err(Failure::Usage(message.into()));
        }
        let table = Tabletop::load(path, &ui.folders, Some(before))?.table;
        let stand = table.standing().decisions;
        return match stand == before {
            true => Ok(table),
            false => Err(Failure::Usage(format!(
                "`--at {}`: the journal holds {stand} decisions",
                args.at
            ))),
        };
    }
    let start = Start {
        scenario: args.scenario.clone(),
        seed: args.seed,
        others: Bots::Scenario,
        ..args.selection.start()
    };
    let chance = chance_of(&ui.workshop.scenario(&args.scenario)?.scenario.script);
    let mut table = Tabletop::start_changed(ui.workshop.clone(), &ui.folders, &start, |setup| {
        if let Some(chance) = chance {
            setup.game.set_chance(chance);
        }
    })?;
    table.play_to(before)?;
    Ok(table)
}

/// The action that is said, of the side that decides.
fn input_of(table: &mut Tabletop, act: &str) -> Result<houserule::embed::WireInput, Failure> {
    let words = parts(act);
    let Some(by) = table.standing().waiting_for.first().cloned() else {
        return Err(Failure::Plain("the game is over: nobody can act".into()));
    };
    let (Some(name), legal) = (words.first(), table.legal(&by)?) else {
        return Err(Failure::Usage(
            "expected an action, as it is said in `play`".into(),
        ));
    };
    let Some(id) = action_called(&legal, name) else {
        return Err(Failure::Plain(no_action(table, &by, &legal, name)?));
    };
    let metric = table.about("referee")?.metric;
    match begin(table, &by, legal, &id, &words[1..], metric)? {
        Progress::Whole(input) => Ok(input),
        Progress::Begun(begun) => {
            let next = &begun.next;
            let missing = format!(
                "expected the whole action, found that `{}` is missing: {}",
                next.name, next.title
            );
            let choices = domains::lines(&next.domain, metric);
            let lines: Vec<String> = std::iter::once(missing).chain(choices).collect();
            Err(Failure::Usage(lines.join("\n")))
        }
        Progress::Unclear(reason) => Err(Failure::Plain(reason)),
    }
}

/// Why nothing of that name can be done: what can be, or what waits for an answer.
fn no_action(
    table: &Tabletop,
    by: &str,
    legal: &LegalMoves,
    name: &str,
) -> Result<String, Failure> {
    let decision = table.standing().decisions + 1;
    if let Prompt::Answer { question } = table.prompt(by)? {
        return Ok(format!(
            "before decision {decision} {by} answers the question `{}`, and can do nothing else ({}); found `{name}`",
            question.id, question.text
        ));
    }
    let names = super::play::actions::short_names(legal);
    let names: Vec<&str> = names.iter().map(|(_, name)| &**name).collect();
    let there = if names.is_empty() {
        "nothing".to_string()
    } else {
        names.join(", ")
    };
    Ok(format!(
        "before decision {decision} {by} can do {there}; found `{name}`"
    ))
}

/// Prints odds as bars.
///
/// # Errors
/// When nobody reads it.
pub fn print(title: &str, odds: &OddsAbout, ui: &mut Ui) -> std::io::Result<()> {
    let columns = ui.columns();
    let most = columns.map_or(NAME_ROW, |columns| NAME_ROW.min(columns / 2));
    let rows = |text: &str| wrapped(&clipped(text, LONGEST_NAME), most);
    let names: Vec<Vec<String>> = odds.outcomes.iter().map(|one| rows(&one.outcome)).collect();
    let all_rows = names.iter().flatten();
    let width = all_rows.map(|row| printable::width(row)).max();
    let width = width.unwrap_or_default();
    let figures: Vec<(&str, &str)> = odds.outcomes.iter().map(figures).collect();
    let all_wide = figures
        .iter()
        .map(|(decimal, exact)| printable::width(decimal) + printable::width(exact));
    let taken = width + GAPS + all_wide.max().unwrap_or_default();
    let room = columns.map_or(BAR, |columns| columns.saturating_sub(taken).min(BAR));
    ui.line(title.bold())?;
    for ((one, name), (decimal, exact)) in odds.outcomes.iter().zip(&names).zip(&figures) {
        let bar = match room < LEAST_BAR {
            true => String::new(),
            false => format!("{}  ", bar(&one.decimal, room).green()),
        };
        ui.line(format!(
            "  {}  {}  {bar}{exact}",
            printable::padded(&name[0], width),
            decimal.cyan()
        ))?;
        for more in &name[1..] {
            ui.line(format!("  {more}"))?;
        }
    }
    if let Some(mean) = &odds.mean {
        ui.line(format!("  {:<width$}  {}", "mean", mean.cyan()))?;
    }
    for question in &odds.questions {
        ui.line(format!("  asked on the way: {question}"))?;
    }
    ui.line(odds.how.dimmed())
}

/// The odds of an outcome: with digits after the point, and exactly or within which limits.
fn figures(one: &OutcomeAbout) -> (&str, &str) {
    let decimal = readable_decimal(&one.decimal, &one.odds);
    (decimal, one.range.as_ref().unwrap_or(&one.odds))
}

/// A bar for odds with digits after the point, in eighths of a letter, in so much room.
fn bar(decimal: &str, room: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let millionths: usize = decimal.replace('.', "").parse().unwrap_or_default();
    let eighths = (millionths * 8 * room + 500_000) / 1_000_000;
    let bar = format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8]);
    format!("{bar:<room$}")
}
