//! The record of a match: inputs as lines of text, each chained to the one
//! before by its hash, so that a changed byte is found and named.
//!
//! ```text
//! 12 3f9a… act red skirmish.fire @gun-1 {target = @rifles-2}
//! ```
//!
//! The kernel writes and reads lines; the host keeps them in files.

use std::sync::Arc;

use crate::decision::Input;
use crate::digest::{Names, Sum};
use crate::notation::{Reader, print, word_or_quoted};
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
    let deed = |verb: &str, by: &Side, id: &Name, actor: &Option<EntityId>, params: &Value| {
        let actor = actor.map_or_else(|| "-".to_string(), |actor| print(&Value::Entity(actor), names));
        format!("{verb} {} {} {actor} {}", side(by), name(id), print(params, names))
    };
    match input {
        Input::Act { by, action, actor, params } => deed("act", by, action, actor, params),
        Input::React { by, reaction, actor, params } => deed("react", by, reaction, actor, params),
        Input::Decline { by, standing: false } => format!("decline {}", side(by)),
        Input::Decline { by, standing: true } => format!("decline-all {}", side(by)),
        Input::Answer { by, question, value } => {
            format!("answer {} {} {}", side(by), name(question), print(value, names))
        }
        Input::Pass { by } => format!("pass {}", side(by)),
        Input::Done { by } => format!("done {}", side(by)),
        Input::TakeBack { by } => format!("take-back {}", side(by)),
    }
}

/// Reads an input from text.
///
/// # Errors
/// What was expected, and where.
pub fn decode(text: &str, world: &World) -> Result<Input, String> {
    let find = |name: &str| world.find(name);
    let mut reader = Reader::new(text, &find);
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
            let (action, actor, params) = decode_deed(&mut reader)?;
            Input::Act { by, action, actor, params }
        }
        "react" => {
            let (reaction, actor, params) = decode_deed(&mut reader)?;
            Input::React { by, reaction, actor, params }
        }
        "decline" => Input::Decline { by, standing: false },
        "decline-all" => Input::Decline { by, standing: true },
        "answer" => {
            let question = Arc::from(reader.name()?);
            Input::Answer { by, question, value: reader.value(0)? }
        }
        "pass" => Input::Pass { by },
        "done" => Input::Done { by },
        "take-back" => Input::TakeBack { by },
        other => return Err(format!("expected an input such as `act` or `answer`, found `{other}`")),
    };
    reader.space();
    if reader.is_at_end() { Ok(input) } else { reader.fail("nothing more") }
}

fn decode_deed(reader: &mut Reader<'_>) -> Result<(Name, Option<EntityId>, Value), String> {
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

/// The chain of a journal: the hash of a line covers all lines before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chain {
    number: u32,
    last: Sum,
}

/// What is wrong with a line of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLine {
    /// The line, from 1.
    pub line: u32,
    /// What was expected, and what was found.
    pub reason: String,
}

impl Chain {
    /// The beginning of a chain; the header is part of every hash after it.
    pub fn new(header: &str) -> Chain {
        Chain { number: 0, last: Sum::of(header.as_bytes()) }
    }

    /// How many lines there are.
    pub fn len(&self) -> u32 {
        self.number
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.number == 0
    }

    fn link(&self, text: &str) -> Sum {
        let mut bytes = self.last.bytes().to_vec();
        bytes.extend_from_slice(&u64::from(self.number + 1).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
        Sum::of(&bytes)
    }

    /// The next line for a text, with its number and hash.
    pub fn append(&mut self, text: &str) -> String {
        let link = self.link(text);
        self.number += 1;
        self.last = link;
        format!("{} {} {text}", self.number, short(&link))
    }

    /// Reads the next line and checks it against the chain.
    ///
    /// # Errors
    /// When its number or hash is not the one that must come next.
    pub fn check<'a>(&mut self, line: &'a str) -> Result<&'a str, BrokenLine> {
        let broken = |reason: String| BrokenLine { line: self.number + 1, reason };
        let mut parts = line.splitn(3, ' ');
        let (Some(number), Some(hash), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(broken("expected a number, a hash and an input".into()));
        };
        if number != (self.number + 1).to_string() {
            return Err(broken(format!("expected line {}, found `{number}`", self.number + 1)));
        }
        let link = self.link(text);
        if short(&link) != hash {
            return Err(broken("its hash does not fit: it or a line before it was changed".into()));
        }
        self.number += 1;
        self.last = link;
        Ok(text)
    }
}

/// As much of a hash as a line shows.
fn short(link: &Sum) -> String {
    link.to_string().chars().take(16).collect()
}

/// What a journal holds, as far as it can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines<'a> {
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
pub fn read<'a>(chain: &mut Chain, text: &'a str) -> Result<Lines<'a>, BrokenLine> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let lines = text[..whole].split_terminator('\n');
    let inputs = lines.map(|line| chain.check(line)).collect::<Result<_, _>>()?;
    Ok(Lines { inputs, is_torn: whole < text.len() })
}
