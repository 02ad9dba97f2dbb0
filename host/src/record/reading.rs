//! Reading a journal: what it holds, or the first line that cannot be right.

use std::fs::File;
use std::path::Path;

use kernel::digest::Sum;
use kernel::error::{Fault, FaultCode, Place};
use kernel::record::Chain;

use super::header::{FIRST_LINE, mod_record};
use super::{JournalHeader, ModRecord, one_line, read_all, state_mark};

/// A line of a journal, after its header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// An input that was taken.
    Input {
        /// The input, for [`kernel::record::decode`].
        text: String,
        /// The first 16 digits of the hash of the state after it.
        state: String,
    },
    /// A fault that undid the last inputs.
    Fault {
        /// Its code, `F030`.
        code: String,
        /// How many inputs it undid.
        undone: u32,
        /// What was wrong.
        message: String,
    },
    /// The last inputs were taken back.
    Undo {
        /// How many.
        undone: u32,
        /// How often that was agreed between players: it changes all dice.
        epoch: u32,
        /// The first 16 digits of the hash of the state after it.
        state: String,
    },
    /// Other rules from here on.
    Reload {
        /// How many inputs were played again by them; `None` where the past
        /// was left as it was.
        kept: Option<u32>,
        /// The mods, in order.
        mods: Vec<ModRecord>,
        /// The first 16 digits of the hash of the state after it.
        state: String,
    },
    /// The end of the game.
    End {
        /// The hash of its last state, whole.
        state: String,
    },
}

/// An input that still stands when all of a journal is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played<'a> {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The input, for [`kernel::record::decode`].
    pub text: &'a str,
    /// The first 16 digits of the hash of the state after it.
    pub state: &'a str,
}

/// What a journal holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalFile {
    /// What the match was made from.
    pub header: JournalHeader,
    /// Its lines, all checked against the chain.
    pub lines: Vec<Line>,
    /// Whether a last line was torn off in the middle, and is left out.
    pub is_torn: bool,
    /// The line of the file on which the first of `lines` stands, from 1.
    pub first_line: u32,
    pub(super) chain: Chain,
    /// How long the file is up to the end of its last whole line.
    pub(super) length: u64,
}

impl JournalFile {
    /// Reads a journal from a file.
    ///
    /// # Errors
    /// When it cannot be read, is no journal, or was changed; with the line.
    pub fn read(path: &Path) -> Result<JournalFile, Fault> {
        let name = path.display().to_string();
        let unreadable =
            |reason: String| Fault::new(FaultCode::Unreadable, reason).at(Place::new("", name.clone(), 0));
        // A pipe would wait for a writer for ever: look before opening.
        let found = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
        if !found.is_file() {
            return Err(unreadable("expected a file, found a folder or a device".into()));
        }
        let mut file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
        JournalFile::parse(&read_all(&mut file).map_err(unreadable)?, &name)
    }

    /// Reads a journal from its bytes; the name is for faults.
    ///
    /// # Errors
    /// When it is no journal, or was changed; with the line.
    pub fn parse(bytes: &[u8], name: &str) -> Result<JournalFile, Fault> {
        let bad = |line: usize, reason: String| {
            let place = Place::new("", name, u32::try_from(line).unwrap_or(u32::MAX));
            Fault::new(FaultCode::BadJournal, reason).at(place)
        };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        check_first_line(bytes).map_err(|fault| fault.at(Place::new("", name, 1)))?;
        let mut lines: Vec<&str> = Vec::new();
        for line in bytes[..whole].split(|byte| *byte == b'\n') {
            let text = std::str::from_utf8(line);
            lines.push(text.map_err(|_| bad(lines.len() + 1, "it was changed: it is not UTF-8".into()))?);
        }
        // What follows the last line break is not a line.
        lines.pop();
        let Some(end) = lines.iter().position(|line| line.starts_with("---")) else {
            return Err(bad(
                lines.len() + 1,
                "expected a line of dashes after the header, found the end".into(),
            ));
        };
        let header_text: String = lines[..end].iter().flat_map(|line| [*line, "\n"]).collect();
        let header = JournalHeader::from_lines(&lines[1..end]).map_err(|(at, reason)| bad(at + 2, reason))?;
        if lines[end] != header_end(&header_text) {
            return Err(bad(end + 1, "its hash does not fit: it or a line before it was changed".into()));
        }
        let mut chain = Chain::new(&header_text);
        let mut read = Vec::with_capacity(lines.len() - end);
        let mut standing = 0;
        for (at, line) in lines.iter().enumerate().skip(end + 1) {
            let text = chain.check(line).map_err(|broken| bad(at + 1, broken.reason))?;
            let line = Line::parse(text).map_err(|reason| bad(at + 1, reason))?;
            standing = line.count(standing).map_err(|reason| bad(at + 1, reason))?;
            read.push(line);
        }
        Ok(JournalFile {
            header,
            lines: read,
            is_torn: whole < bytes.len(),
            first_line: u32::try_from(end + 2).unwrap_or(u32::MAX),
            chain,
            length: whole as u64,
        })
    }

    /// The inputs that stand: those that no later fault undid. A replay takes
    /// these, so that it obeys the journal even where a limit was hit.
    pub fn played(&self) -> Vec<Played<'_>> {
        let mut played = Vec::new();
        for (line, number) in self.lines.iter().zip(self.first_line..) {
            match line {
                Line::Input { text, state } => played.push(Played { line: number, text, state }),
                Line::Fault { undone, .. } | Line::Undo { undone, .. } => {
                    played.truncate(played.len().saturating_sub(*undone as usize));
                }
                Line::Reload { kept: Some(kept), .. } => played.truncate(*kept as usize),
                Line::Reload { kept: None, .. } | Line::End { .. } => {}
            }
        }
        played
    }

    /// The hash of the last state, if the game was over.
    pub fn end(&self) -> Option<&str> {
        match self.lines.last() {
            Some(Line::End { state }) => Some(state),
            _ => None,
        }
    }
}

impl Line {
    fn parse(text: &str) -> Result<Line, String> {
        let is_hash = |text: &str, digits: usize| {
            text.len() == digits && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        };
        if let Some(state) = text.strip_prefix("end ") {
            return match is_hash(state, 64) {
                true => Ok(Line::End { state: state.into() }),
                false => Err("expected the hash of the last state after `end`".into()),
            };
        }
        if let Some(rest) = text.strip_prefix("fault ") {
            let parts: Vec<&str> = rest.splitn(4, ' ').collect();
            return match parts[..] {
                [code, "undone", undone, message] if undone.parse::<u32>().is_ok() => Ok(Line::Fault {
                    code: code.into(),
                    undone: undone.parse().unwrap_or_default(),
                    message: message.into(),
                }),
                _ => Err("expected `fault`, its code, `undone`, a number and a message".into()),
            };
        }
        match text.rsplit_once(" = ") {
            Some((said, state)) if is_hash(state, 16) => match said.split_once(' ') {
                Some(("undo", rest)) => Line::undo(rest, state),
                Some(("reload", rest)) => Line::reload(rest, state),
                _ => Ok(Line::Input { text: said.into(), state: state.into() }),
            },
            _ => Err("expected an input, ` = ` and the hash of the state after it".into()),
        }
    }

    fn undo(text: &str, state: &str) -> Result<Line, String> {
        let parts: Vec<&str> = text.split(' ').collect();
        match parts[..] {
            [undone, "epoch", epoch] if undone.parse::<u32>().is_ok() && epoch.parse::<u32>().is_ok() => {
                Ok(Line::Undo {
                    undone: undone.parse().unwrap_or_default(),
                    epoch: epoch.parse().unwrap_or_default(),
                    state: state.into(),
                })
            }
            _ => Err("expected `undo`, a number, `epoch` and a number".into()),
        }
    }

    fn reload(text: &str, state: &str) -> Result<Line, String> {
        let expected = || "expected `reload`, `now` or `always` and a number, and mods".to_string();
        let (kept, mods) = match text.split_once(' ').ok_or_else(expected)? {
            ("now", mods) => (None, mods),
            ("always", rest) => {
                let (kept, mods) = rest.split_once(' ').ok_or_else(expected)?;
                (Some(kept.parse().map_err(|_| expected())?), mods)
            }
            _ => return Err(expected()),
        };
        let mods = mods.split(", ").map(mod_record).collect::<Result<_, _>>()?;
        Ok(Line::Reload { kept, mods, state: state.into() })
    }

    /// How many inputs stand after this line, if so many did before it.
    fn count(&self, standing: u32) -> Result<u32, String> {
        match self {
            Line::Input { .. } => Ok(standing.saturating_add(1)),
            Line::Fault { undone, .. } | Line::Undo { undone, .. } => standing
                .checked_sub(*undone)
                .ok_or_else(|| format!("expected at most {standing} inputs to be undone, found {undone}")),
            Line::Reload { kept: Some(kept), .. } if *kept > standing => {
                Err(format!("expected at most {standing} inputs to be played again, found {kept}"))
            }
            Line::Reload { kept: Some(kept), .. } => Ok(*kept),
            Line::Reload { kept: None, .. } | Line::End { .. } => Ok(standing),
        }
    }
}

/// The line that ends a header: dashes, and a hash that covers the header, so
/// that a change is found even before the first input.
pub(super) fn header_end(header: &str) -> String {
    format!("--- {}", state_mark(&Sum::of(header.as_bytes())))
}

/// Tells a journal from other files, and from journals of other formats.
fn check_first_line(bytes: &[u8]) -> Result<(), Fault> {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if first == FIRST_LINE.as_bytes() {
        return Ok(());
    }
    let shown: String = one_line(&String::from_utf8_lossy(&first[..first.len().min(60)]));
    let fault = Fault::new(FaultCode::BadJournal, format!("expected `{FIRST_LINE}`, found `{shown}`"));
    Err(match first {
        [] => fault.hint("the file is empty"),
        [before @ .., b'\r'] if before == FIRST_LINE.as_bytes() => {
            fault.hint("its line breaks were changed; keep journals as binary files")
        }
        _ if first.starts_with(b"houserule journal ") => fault.hint("another version of the engine wrote it"),
        _ => fault.hint("this is no journal"),
    })
}
