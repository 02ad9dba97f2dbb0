//! A game written as a scenario with a script: what was decided, to be played
//! again as a test.

use std::collections::BTreeMap;

use kernel::decision::{Choice, Domain, Input};
use kernel::engine::Wanted;
use kernel::error::Fault;
use kernel::game::Game;
use kernel::value::{EntityId, Name, Side, Value};
use rules::data::reader::{RawRon, RonReader};
use rules::modset::selector::Request;
use rules::types::write_value;
use serde::Deserialize;

use crate::play::Match;
use crate::scenario::read::FORMAT;

/// What a scenario is to be called, and by which rules and dice it is played.
pub struct Heading<'a> {
    /// Its id: one word.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// What it shows; nothing if that is not said.
    pub text: &'a str,
    /// Mods, clauses and options.
    pub request: &'a Request,
    /// The seed of its chance.
    pub seed: u64,
    /// How many turns it lasts, if that is said.
    pub turns: Option<u32>,
    /// Which of the pieces of the other scenario stand here too; all without it.
    pub kept: Option<&'a [bool]>,
}

/// The parts that stay as they are written.
#[derive(Deserialize)]
#[serde(rename = "Scenario")]
struct WrittenParts<'a> {
    #[serde(borrow)]
    table: RawRon<'a>,
    #[serde(borrow)]
    sides: RawRon<'a>,
    #[serde(default, borrow)]
    entities: Option<RawRon<'a>>,
}

/// How many pieces a scenario lists.
///
/// # Errors
/// When it does not parse.
pub fn count_entities(source: &str) -> Result<usize, Fault> {
    let reader = RonReader::new("", "scenario.ron", source);
    let parts: WrittenParts<'_> = reader.whole()?;
    Ok(pieces_of(&reader, &parts)?.len())
}

/// The pieces of a scenario, as they are written.
fn pieces_of<'a>(
    reader: &RonReader<'a>,
    parts: &WrittenParts<'a>,
) -> Result<Vec<RawRon<'a>>, Fault> {
    parts
        .entities
        .map_or_else(|| Ok(Vec::new()), |entities| reader.part(entities))
}

/// The list of pieces, all as it is written or those that are kept.
fn entities<'a>(
    reader: &RonReader<'a>,
    parts: &WrittenParts<'a>,
    kept: Option<&[bool]>,
) -> Result<String, Fault> {
    let Some(kept) = kept else {
        return Ok(parts
            .entities
            .map_or("[]", |entities| entities.get_ron().trim())
            .to_string());
    };
    let all = pieces_of(reader, parts)?;
    let kept = all.iter().zip(kept).filter(|(_, is_kept)| **is_kept);
    let lines: Vec<String> = kept
        .map(|(piece, _)| format!("        {},\n", piece.get_ron().trim()))
        .collect();
    Ok(format!("[\n{}    ]", lines.concat()))
}

/// The text of a scenario that sets up what another one does, and does what
/// these lines say.
///
/// # Errors
/// When the other one does not parse.
pub fn with_script(
    source: &str,
    heading: &Heading<'_>,
    script: &[String],
) -> Result<String, Fault> {
    let reader = RonReader::new("", "scenario.ron", source);
    let parts: WrittenParts<'_> = reader.whole()?;
    let words = |selectors: &[rules::modset::selector::Selector]| {
        let words: Vec<String> = selectors
            .iter()
            .map(|one| quoted(&one.to_string()))
            .collect();
        format!("[{}]", words.join(", "))
    };
    let options: Vec<String> = (heading.request.options.iter())
        .map(|(id, value)| format!("{}: {}", quoted(id), quoted(value)))
        .collect();
    let amends: Vec<String> = heading
        .request
        .amends
        .iter()
        .map(|one| quoted(&one.to_string()))
        .collect();
    let mut fields = vec![
        ("format", FORMAT.to_string()),
        ("id", quoted(heading.id)),
        ("title", quoted(heading.title)),
        ("mods", words(&heading.request.with)),
        ("without", words(&heading.request.without)),
        ("options", format!("{{{}}}", options.join(", "))),
        ("amends", format!("[{}]", amends.join(", "))),
        ("seed", heading.seed.to_string()),
        ("table", parts.table.get_ron().trim().to_string()),
        ("sides", parts.sides.get_ron().trim().to_string()),
        ("entities", entities(&reader, &parts, heading.kept)?),
    ];
    if !heading.text.is_empty() {
        fields.insert(3, ("text", quoted(heading.text)));
    }
    fields.extend(heading.turns.map(|turns| ("turns", turns.to_string())));
    let lines: Vec<String> = script
        .iter()
        .map(|line| format!("        {line},\n"))
        .collect();
    fields.push(("script", format!("[\n{}    ]", lines.concat())));
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("    {name}: {value},\n"))
        .collect();
    Ok(format!(
        "#![enable(implicit_some)]\nScenario(\n{})\n",
        fields.concat()
    ))
}

/// The line of a script that makes a decision in a match as it stands, before
/// it is made.
///
/// # Errors
/// A fault of the rules that say what may be chosen.
pub fn line_of(game: &mut Match, input: &Input) -> Result<String, Fault> {
    let by = quoted(&game.game().side_name(input.by()));
    let alone = |sort: &str| Ok(format!("{sort}(by: {by})"));
    match input {
        Input::Act {
            action,
            actor,
            params,
            ..
        } => action_line(game, "Act", input.by(), action, *actor, params),
        Input::React {
            reaction,
            actor,
            params,
            ..
        } => action_line(game, "React", input.by(), reaction, *actor, params),
        Input::Answer {
            by: side,
            question,
            value,
        } => {
            let domain = match game.wanted() {
                Wanted::Answer { question, .. } => question
                    .to
                    .iter()
                    .find(|(asked, _)| asked == side)
                    .map(|(_, domain)| domain.clone()),
                _ => None,
            };
            let value = datum(value, domain.as_ref(), game.game());
            Ok(format!(
                "Answer(by: {by}, to: {}, value: {value})",
                quoted(question)
            ))
        }
        Input::Decline { .. } => alone("Decline"),
        Input::Pass { .. } => alone("Pass"),
        Input::Done { .. } => alone("Done"),
        Input::TakeBack { .. } => alone("TakeBack"),
    }
}

fn action_line(
    game: &mut Match,
    sort: &str,
    by: Side,
    id: &Name,
    actor: Option<EntityId>,
    params: &Value,
) -> Result<String, Fault> {
    let mut args = Vec::new();
    let mut given = BTreeMap::new();
    while let Some((name, _, domain)) = game.next_param(by, id, actor, &given)? {
        let Some(value) = params.field(&name) else {
            break;
        };
        args.push(format!(
            "{}: {}",
            quoted(&name),
            datum(value, Some(&domain), game.game())
        ));
        given.insert(name, value.clone());
    }
    let named = |entity| game.game().world().name(entity);
    let actor = actor.map_or(String::new(), |actor| {
        format!(", actor: {}", quoted(&named(actor)))
    });
    let args = if args.is_empty() {
        String::new()
    } else {
        format!(", args: {{{}}}", args.join(", "))
    };
    let by = quoted(&game.game().side_name(by));
    Ok(format!(
        "{sort}(by: {by}, action: {}{actor}{args})",
        quoted(id)
    ))
}

/// A value as a script writes it: what has no form of its own there by the
/// label of the choice that it is.
fn datum(value: &Value, domain: Option<&Domain>, game: &Game) -> String {
    let choices: &[Choice] = match domain {
        Some(Domain::Choices { of, .. } | Domain::Several { of, .. }) => of,
        _ => &[],
    };
    let label = || {
        choices
            .iter()
            .find(|choice| choice.value == *value)
            .map(|choice| quoted(&choice.label))
    };
    match value {
        Value::None => "None".into(),
        Value::Bool(yes) => yes.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Text(text) => quoted(text),
        Value::Entity(entity) => quoted(&game.world().name(*entity)),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| datum(item, domain, game)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => label().unwrap_or_else(|| quoted(&write_value(value, game))),
    }
}

/// A text as RON writes it.
fn quoted(text: &str) -> String {
    ron::to_string(text).unwrap_or_default()
}
