//! The record of a match: inputs as lines of text, each chained to the one
//! before by its hash, so that a changed byte is found and named.
//!
//! ```text
//! 12 3f9a… act red skirmish.fire @gun-1 {target = @rifles-2}
//! ```
//!
//! The kernel writes and reads lines; the host keeps them in files. What a
//! match comes to is more than its state: [`settled`] and [`open`] hash what
//! players were shown, so that a record covers that too.

use std::sync::Arc;

use crate::decision::{Check, Choice, Domain, Input, Question, Region};
use crate::digest::{Names, StateHash, StateHasher};
use crate::event::{Cause, Event, EventField};
use crate::geometry::Point;
use crate::notation::{NotationReader, print, word_or_quoted};
use crate::value::{EntityId, Name, Side, Value};
use crate::world::World;

/// Writes an input as text, without number and hash.
pub fn encode(input: &Input, world: &World) -> String {
    encode_for(input, world, world)
}

/// The same, with entities called as somebody knows them: to be read, not to
/// be decoded.
pub fn encode_for(input: &Input, world: &World, names: &dyn Names) -> String {
    let name = |text: &str| {
        let mut written = String::new();
        word_or_quoted(text, &mut written);
        written
    };
    let side = |side: &Side| name(world.sides().get(side.0 as usize).map_or("?", |side| side));
    let action_line =
        |verb: &str, by: &Side, id: &Name, actor: &Option<EntityId>, params: &Value| {
            let actor = actor.map_or_else(
                || "-".to_string(),
                |actor| print(&Value::Entity(actor), names),
            );
            format!(
                "{verb} {} {} {actor} {}",
                side(by),
                name(id),
                print(params, names)
            )
        };
    match input {
        Input::Act {
            by,
            action,
            actor,
            params,
        } => action_line("act", by, action, actor, params),
        Input::React {
            by,
            reaction,
            actor,
            params,
        } => action_line("react", by, reaction, actor, params),
        Input::Decline {
            by,
            standing: false,
        } => format!("decline {}", side(by)),
        Input::Decline { by, standing: true } => format!("decline-all {}", side(by)),
        Input::Answer {
            by,
            question,
            value,
        } => {
            format!(
                "answer {} {} {}",
                side(by),
                name(question),
                print(value, names)
            )
        }
        Input::Pass { by } => format!("pass {}", side(by)),
        Input::Done { by } => format!("done {}", side(by)),
        Input::TakeBack { by } => format!("take-back {}", side(by)),
    }
}

/// The text of an input with the key that whoever sent it has given it.
///
/// ```
/// use kernel::record::{keyed, unkeyed};
///
/// let text = keyed("c1 7", "pass red");
/// assert_eq!(text, "key \"c1 7\" pass red");
/// assert_eq!(unkeyed(&text), Ok((Some("c1 7".into()), "pass red")));
/// assert_eq!(unkeyed("pass red"), Ok((None, "pass red")));
/// ```
pub fn keyed(key: &str, text: &str) -> String {
    let mut written = String::from("key ");
    word_or_quoted(key, &mut written);
    written.push(' ');
    written.push_str(text);
    written
}

/// The key of a text and the input after it, if it bears one.
///
/// # Errors
/// What was expected, and where.
pub fn unkeyed(text: &str) -> Result<(Option<Name>, &str), String> {
    if !text.starts_with("key ") {
        return Ok((None, text));
    }
    let mut reader = NotationReader::new(text, &|_| None);
    reader.word();
    let key = reader.name()?;
    Ok((Some(key.into()), reader.rest()))
}

/// Reads an input from text.
///
/// # Errors
/// What was expected, and where.
pub fn decode(text: &str, world: &World) -> Result<Input, String> {
    let find = |name: &str| world.find(name);
    let mut reader = NotationReader::new(text, &find);
    let verb = reader.word().to_string();
    let by = {
        let name = reader.name()?;
        match world.side(&name) {
            Some(side) => side,
            None => return Err(format!("expected a side, found `{name}`")),
        }
    };
    let input = match verb.as_str() {
        "act" => {
            let (action, actor, params) = decode_action(&mut reader)?;
            Input::Act {
                by,
                action,
                actor,
                params,
            }
        }
        "react" => {
            let (reaction, actor, params) = decode_action(&mut reader)?;
            Input::React {
                by,
                reaction,
                actor,
                params,
            }
        }
        "decline" => Input::Decline {
            by,
            standing: false,
        },
        "decline-all" => Input::Decline { by, standing: true },
        "answer" => {
            let question = Arc::from(reader.name()?);
            Input::Answer {
                by,
                question,
                value: reader.value(0)?,
            }
        }
        "pass" => Input::Pass { by },
        "done" => Input::Done { by },
        "take-back" => Input::TakeBack { by },
        other => {
            return Err(format!(
                "expected an input such as `act` or `answer`, found `{other}`"
            ));
        }
    };
    reader.space();
    if reader.is_at_end() {
        Ok(input)
    } else {
        reader.fail("nothing more")
    }
}

fn decode_action(
    reader: &mut NotationReader<'_>,
) -> Result<(Name, Option<EntityId>, Value), String> {
    let id = Arc::from(reader.name()?);
    let actor = if reader.eat("- ") {
        None
    } else {
        match reader.value(0)? {
            Value::Entity(actor) => Some(actor),
            _ => return reader.fail("an entity or `-`"),
        }
    };
    Ok((id, actor, reader.value(0)?))
}

/// The hash of all events so far, when some more are settled; before the first
/// it is the default [`StateHash`]. It covers whatever anybody may be shown of them:
/// kinds, fields, values, audiences, causes, draws, actions; not the words beside values.
pub fn settled(before: &StateHash, events: &[Event], world: &World) -> StateHash {
    events.iter().fold(*before, |before, event| {
        let mut writer = StateHasher::new("event");
        writer.hash(&before);
        write_event(&mut writer, event, world);
        writer.sum()
    })
}

/// The same hash with what is shown while a step waits: its events so far,
/// and the question that is open. Without either it is the hash of what is
/// settled.
pub fn open(
    settled: &StateHash,
    events: &[Event],
    question: Option<&Question>,
    world: &World,
) -> StateHash {
    if events.is_empty() && question.is_none() {
        return *settled;
    }
    let mut writer = StateHasher::new("open");
    writer.hash(settled);
    writer.number(events.len() as u64);
    events
        .iter()
        .for_each(|event| write_event(&mut writer, event, world));
    if let Some(Question {
        id,
        text,
        to,
        is_secret,
        about,
        reveals: _,
    }) = question
    {
        writer.text(id);
        writer.text(text);
        writer.number(u64::from(*is_secret));
        writer.number(to.len() as u64);
        for (side, domain) in to {
            writer.number(u64::from(side.0));
            writer.value(&domain_value(domain), world);
        }
        writer.value(
            &Value::list(about.iter().copied().map(Value::Entity)),
            world,
        );
    }
    writer.sum()
}

/// Every field is named here, so that a new one is not forgotten.
fn write_event(writer: &mut StateHasher, event: &Event, world: &World) {
    let Event {
        kind,
        fields,
        // Words for people follow from the rules; journals that were kept without them replay.
        remarks: _,
        audience,
        cause,
        action,
    } = event;
    writer.text(kind);
    writer.number(audience.bits());
    writer.number(u64::from(*action));
    writer.number(fields.len() as u64);
    for EventField {
        name,
        value,
        viewers,
        parts,
    } in fields
    {
        writer.text(name);
        writer.value(value, world);
        writer.number(viewers.bits());
        writer.number(parts.len() as u64);
        for (part, viewers) in parts {
            writer.text(part);
            writer.number(viewers.bits());
        }
    }
    // The rules around the innermost, and what they say that they reveal, are
    // shown to nobody.
    let Cause {
        rule,
        stack: _,
        draws,
        reveals: _,
    } = cause;
    writer.number(u64::from(rule.is_some()));
    writer.text(rule.as_deref().unwrap_or_default());
    let (first, last) = draws.map_or((0, 0), |(first, last)| {
        (u64::from(first) + 1, u64::from(last))
    });
    writer.number(first);
    writer.number(last);
}

/// A domain as a value, which can be written.
fn domain_value(domain: &Domain) -> Value {
    let number = |number: u32| Value::Int(i64::from(number));
    let points = |points: &[Point]| Value::list(points.iter().map(|point| Value::Point(*point)));
    Value::list(match domain {
        Domain::Choices { of, check } => vec![Value::text("choices"), choices(of), checked(check)],
        Domain::Several {
            of,
            min,
            max,
            check,
        } => {
            vec![
                Value::text("several"),
                choices(of),
                number(*min),
                number(*max),
                checked(check),
            ]
        }
        Domain::Integer { min, max } => {
            vec![Value::text("integer"), Value::Int(*min), Value::Int(*max)]
        }
        Domain::Place {
            regions,
            candidates,
            check,
        } => {
            let regions = regions.iter().map(region_value);
            vec![
                Value::text("place"),
                Value::list(regions),
                points(candidates),
                checked(check),
            ]
        }
        Domain::Route {
            from,
            legs,
            candidates,
            check,
        } => {
            let paths = candidates.iter().map(|path| points(path));
            let from = Value::Point(*from);
            vec![
                Value::text("route"),
                from,
                number(*legs),
                Value::list(paths),
                checked(check),
            ]
        }
    })
}

fn choices(of: &[Choice]) -> Value {
    let choice = |Choice { value, label }: &Choice| [value.clone(), Value::Text(label.clone())];
    Value::list(of.iter().flat_map(choice))
}

fn region_value(region: &Region) -> Value {
    Value::list(match region {
        Region::Disc { centre, radius } => vec![Value::Point(*centre), Value::Length(*radius)],
        Region::Rectangle { min, max } => vec![Value::Point(*min), Value::Point(*max)],
    })
}

fn checked(check: &Option<Check>) -> Value {
    let list = |Check { rule, args }: &Check| {
        Value::list(
            [Value::Text(rule.clone())]
                .into_iter()
                .chain(args.iter().cloned()),
        )
    };
    check.as_ref().map_or(Value::None, list)
}

/// The chain of a journal: the hash of a line covers all lines before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashChain {
    number: u32,
    last: StateHash,
}

/// What is wrong with a line of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLine {
    /// The line, from 1.
    pub line: u32,
    /// What was expected, and what was found.
    pub reason: String,
}

impl HashChain {
    /// The beginning of a chain; the header is part of every hash after it.
    pub fn new(header: &str) -> HashChain {
        HashChain {
            number: 0,
            last: StateHash::of(header.as_bytes()),
        }
    }

    /// How many lines there are.
    pub fn len(&self) -> u32 {
        self.number
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.number == 0
    }

    fn link(&self, text: &str) -> StateHash {
        let mut bytes = self.last.bytes().to_vec();
        bytes.extend_from_slice(&u64::from(self.number + 1).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        StateHash::of(&bytes)
    }

    /// The next line for a text, with its number and hash.
    pub fn append(&mut self, text: &str) -> String {
        let link = self.link(text);
        self.number += 1;
        self.last = link;
        format!("{} {} {text}", self.number, link.shown())
    }

    /// Reads the next line and checks it against the chain.
    ///
    /// # Errors
    /// When its number or hash is not the one that must come next.
    pub fn check<'a>(&mut self, line: &'a str) -> Result<&'a str, BrokenLine> {
        let broken = |reason: String| BrokenLine {
            line: self.number + 1,
            reason,
        };
        let mut parts = line.splitn(3, ' ');
        let (Some(number), Some(hash), Some(text)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(broken("expected a number, a hash and an input".into()));
        };
        if number != (self.number + 1).to_string() {
            return Err(broken(format!(
                "expected line {}, found `{number}`",
                self.number + 1
            )));
        }
        let link = self.link(text);
        if link.shown() != hash {
            return Err(broken(
                "its hash does not fit: it or a line before it was changed".into(),
            ));
        }
        self.number += 1;
        self.last = link;
        Ok(text)
    }
}

/// What a journal holds, as far as it can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalLines<'a> {
    /// The text of each input, without number and hash.
    pub inputs: Vec<&'a str>,
    /// Whether a last line was torn off in the middle, and is left out.
    pub is_torn: bool,
}

/// Reads the lines after the header. What follows the last line break was
/// never acknowledged, and is left out.
///
/// # Errors
/// The first line whose number or hash is not the one that must come next.
pub fn read<'a>(chain: &mut HashChain, text: &'a str) -> Result<JournalLines<'a>, BrokenLine> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let lines = text[..whole].split_terminator('\n');
    let inputs = lines
        .map(|line| chain.check(line))
        .collect::<Result<_, _>>()?;
    Ok(JournalLines {
        inputs,
        is_torn: whole < text.len(),
    })
}
