//! Reading a journal: what it holds, or the first line that cannot be right.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use kernel::digest::StateHash;
use kernel::error::{Fault, FaultCode, Place};
use kernel::record::{HashChain, unkeyed};
use kernel::value::Name;

use super::header::{EARLIER, FIRST_WORDS, FORMAT, first_line, mod_record};
use super::journal::PEOPLE;
use super::{JournalHeader, ModRecord, ShownMark, is_hash, one_line, read_all};

/// A line of a journal, after its header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JournalLine {
    /// The match before its first input.
    Begin {
        /// What it has come to.
        mark: ShownMark,
    },
    /// An input that was taken.
    Input {
        /// The key that its sender gave it.
        key: Option<Name>,
        /// The input, for [`kernel::record::decode`].
        text: String,
        /// What it came to.
        mark: ShownMark,
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
        /// What the match has come to then.
        mark: ShownMark,
    },
    /// Other rules from here on.
    Reload {
        /// How many inputs were played again by them; `None` where the past
        /// was left as it was.
        kept: Option<u32>,
        /// The mods, in order.
        mods: Vec<ModRecord>,
        /// The clauses and options, where others were chosen.
        selector: Option<String>,
        /// What the match has come to then.
        mark: ShownMark,
    },
    /// Who decides for a side from here on.
    Player {
        /// The side.
        side: String,
        /// How its bot decides; `None` for people.
        bot: Option<String>,
    },
    /// The end of the game.
    End {
        /// All that it has come to: the hash of its last state, whole.
        state: String,
        /// The hash of its events, whole.
        events: String,
    },
}

/// An input that still stands when all of a journal is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played<'a> {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The input, for [`kernel::record::decode`].
    pub text: &'a str,
    /// What it came to.
    pub mark: &'a ShownMark,
}

/// What a journal holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalFile {
    /// What the match was made from.
    pub header: JournalHeader,
    /// Its lines, all checked against the chain.
    pub lines: Vec<JournalLine>,
    /// Whether a last line was torn off in the middle, and is left out.
    pub is_torn: bool,
    /// The line of the file on which the first of `lines` stands, from 1.
    pub first_line: u32,
    pub(super) chain: HashChain,
    /// How long the file is up to the end of its last whole line.
    pub(super) length: u64,
}

impl JournalFile {
    /// Reads a journal from a file.
    ///
    /// # Errors
    /// When it cannot be read, is no journal, or was changed; with the line.
    pub fn read(path: &Path) -> Result<JournalFile, Fault> {
        let (file, damage) = JournalFile::read_good(path)?;
        damage.map_or(Ok(file), Err)
    }

    /// Reads a journal from a file up to the first line that was changed, if
    /// there is one; and what is wrong there.
    ///
    /// # Errors
    /// When it cannot be read or is no journal, or its head was changed.
    pub fn read_good(path: &Path) -> Result<(JournalFile, Option<Fault>), Fault> {
        let name = path.display().to_string();
        let unreadable = |reason: String| {
            Fault::new(FaultCode::Unreadable, reason).at(Place::new("", name.clone(), 0))
        };
        // A pipe would wait for a writer for ever: look before opening.
        let found = std::fs::metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => unreadable(error.to_string())
                .hint("`run` and `play` write a journal with `--journal FILE`"),
            _ => unreadable(error.to_string()),
        })?;
        if !found.is_file() {
            return Err(unreadable(
                "expected a file, found a folder or a device".into(),
            ));
        }
        let mut file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
        JournalFile::parse_good(&read_all(&mut file).map_err(unreadable)?, &name)
    }

    /// Reads a journal from its bytes; the name is for faults.
    ///
    /// # Errors
    /// When it is no journal, or was changed; with the line.
    pub fn parse(bytes: &[u8], name: &str) -> Result<JournalFile, Fault> {
        let (file, damage) = JournalFile::parse_good(bytes, name)?;
        damage.map_or(Ok(file), Err)
    }

    /// Reads a journal from its bytes, as [`JournalFile::read_good`].
    ///
    /// # Errors
    /// When it is no journal, or its head was changed.
    pub fn parse_good(bytes: &[u8], name: &str) -> Result<(JournalFile, Option<Fault>), Fault> {
        let bad = |line: usize, reason: String| {
            let place = Place::new("", name, u32::try_from(line).unwrap_or(u32::MAX));
            Fault::new(FaultCode::BadJournal, reason).at(place)
        };
        check_first_line(bytes).map_err(|fault| fault.at(Place::new("", name, 1)))?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let lines: Vec<&[u8]> = bytes[..whole]
            .split_inclusive(|byte| *byte == b'\n')
            .collect();
        let text_of = |at: usize| {
            let line = lines[at].strip_suffix(b"\n").unwrap_or(lines[at]);
            std::str::from_utf8(line)
                .map_err(|_| bad(at + 1, "it was changed: it is not UTF-8".into()))
        };
        let Some(end) = lines.iter().position(|line| line.starts_with(b"---")) else {
            let reason = "expected a line of dashes after the header, found the end";
            return Err(bad(lines.len() + 1, reason.into()));
        };
        let head = (0..=end)
            .map(text_of)
            .collect::<Result<Vec<&str>, Fault>>()?;
        let header_text: String = head[..end].iter().flat_map(|line| [*line, "\n"]).collect();
        let header =
            JournalHeader::from_lines(&head[1..end]).map_err(|(at, reason)| bad(at + 2, reason))?;
        if head[end] != header_end(&header_text) {
            return Err(bad(
                end + 1,
                "its hash does not fit: it or a line before it was changed".into(),
            ));
        }
        let mut file = JournalFile {
            header,
            lines: Vec::with_capacity(lines.len() - end),
            is_torn: whole < bytes.len(),
            first_line: u32::try_from(end + 2).unwrap_or(u32::MAX),
            chain: HashChain::new(&header_text),
            length: lines[..=end].iter().map(|line| line.len() as u64).sum(),
        };
        let mut standing = 0;
        for (at, line) in lines.iter().enumerate().skip(end + 1) {
            let taken = text_of(at).and_then(|text| {
                file.take(text, &mut standing)
                    .map_err(|reason| bad(at + 1, reason))
            });
            if let Err(fault) = taken {
                return Ok((file, Some(fault)));
            }
            file.length += line.len() as u64;
        }
        Ok((file, None))
    }

    /// Takes the next line, if it is whole and may come there.
    fn take(&mut self, text: &str, standing: &mut u32) -> Result<(), String> {
        let mut chain = self.chain;
        let line = JournalLine::parse(chain.check(text).map_err(|broken| broken.reason)?)?;
        if self.lines.is_empty() != matches!(line, JournalLine::Begin { .. }) {
            return Err(
                "expected `begin` on the first line after the header, and only there".into(),
            );
        }
        *standing = line.count(*standing)?;
        self.chain = chain;
        self.lines.push(line);
        Ok(())
    }

    /// The inputs that stand: those that no later fault undid. A replay takes
    /// these, so that it obeys the journal even where a limit was hit.
    pub fn played(&self) -> Vec<Played<'_>> {
        let mut played = Vec::new();
        for (line, number) in self.lines.iter().zip(self.first_line..) {
            match line {
                JournalLine::Input { text, mark, .. } => played.push(Played {
                    line: number,
                    text,
                    mark,
                }),
                JournalLine::Fault { undone, .. } | JournalLine::Undo { undone, .. } => {
                    played.truncate(played.len().saturating_sub(*undone as usize));
                }
                JournalLine::Reload {
                    kept: Some(kept), ..
                } => played.truncate(*kept as usize),
                JournalLine::Reload { kept: None, .. }
                | JournalLine::Player { .. }
                | JournalLine::Begin { .. }
                | JournalLine::End { .. } => {}
            }
        }
        played
    }

    /// The bots that decide after so many lines: those of the head, and what was
    /// said since. Each side with how its bot decides.
    pub fn bots_after(&self, lines: usize) -> BTreeMap<String, String> {
        let mut bots: BTreeMap<String, String> = self.header.bots.iter().cloned().collect();
        for line in self.lines.iter().take(lines) {
            match line {
                JournalLine::Player {
                    side,
                    bot: Some(bot),
                } => {
                    bots.insert(side.clone(), bot.clone());
                }
                JournalLine::Player { side, bot: None } => {
                    bots.remove(side);
                }
                _ => {}
            }
        }
        bots
    }
}

impl JournalLine {
    fn parse(text: &str) -> Result<JournalLine, String> {
        if let Some(marks) = text.strip_prefix("end ") {
            return match marks.split_once(' ') {
                Some((state, events)) if is_hash(state, 64) && is_hash(events, 64) => {
                    Ok(JournalLine::End {
                        state: state.into(),
                        events: events.into(),
                    })
                }
                _ => Err(
                    "expected the hashes of the last state and of all events after `end`".into(),
                ),
            };
        }
        if let Some(rest) = text.strip_prefix("fault ") {
            let expected = "expected `fault`, its code, `undone`, a number and a message";
            let parts: Vec<&str> = rest.splitn(4, ' ').collect();
            return match parts[..] {
                [code, "undone", undone, message] => Ok(JournalLine::Fault {
                    code: code.into(),
                    undone: undone.parse().map_err(|_| expected)?,
                    message: message.into(),
                }),
                _ => Err(expected.into()),
            };
        }
        if let Some(rest) = text.strip_prefix("player ") {
            let (side, kind) = rest
                .split_once(' ')
                .ok_or("expected `player`, a side, and a sort of bot or `people`")?;
            return Ok(JournalLine::Player {
                side: side.into(),
                bot: (kind != PEOPLE).then(|| kind.to_string()),
            });
        }
        let expected = "expected an input, ` = ` and the hashes of state and events after it";
        let (input, mark) = text.rsplit_once(" = ").ok_or(expected)?;
        let mark = mark.parse().map_err(|()| expected)?;
        match input.split_once(' ') {
            None if input == "begin" => Ok(JournalLine::Begin { mark }),
            Some(("undo", rest)) => JournalLine::undo(rest, mark),
            Some(("reload", rest)) => JournalLine::reload(rest, mark),
            _ => {
                let (key, text) = unkeyed(input)?;
                Ok(JournalLine::Input {
                    key,
                    text: text.into(),
                    mark,
                })
            }
        }
    }

    fn undo(text: &str, mark: ShownMark) -> Result<JournalLine, String> {
        let expected = "expected `undo`, a number, `epoch` and a number";
        let (undone, epoch) = text.split_once(" epoch ").ok_or(expected)?;
        Ok(JournalLine::Undo {
            undone: undone.parse().map_err(|_| expected)?,
            epoch: epoch.parse().map_err(|_| expected)?,
            mark,
        })
    }

    fn reload(text: &str, mark: ShownMark) -> Result<JournalLine, String> {
        let expected = || "expected `reload`, `now` or `always` and a number, and mods".to_string();
        let (kept, mods) = match text.split_once(' ').ok_or_else(expected)? {
            ("now", mods) => (None, mods),
            ("always", rest) => {
                let (kept, mods) = rest.split_once(' ').ok_or_else(expected)?;
                (Some(kept.parse().map_err(|_| expected())?), mods)
            }
            _ => return Err(expected()),
        };
        let (mods, selector) = match mods.split_once(" by ") {
            Some((mods, selector)) => (mods, Some(selector.to_string())),
            None => (mods, None),
        };
        let mods = mods.split(", ").map(mod_record).collect::<Result<_, _>>()?;
        Ok(JournalLine::Reload {
            kept,
            mods,
            selector,
            mark,
        })
    }

    /// How many inputs stand after this line, if so many did before it.
    fn count(&self, standing: u32) -> Result<u32, String> {
        match self {
            JournalLine::Input { .. } => Ok(standing.saturating_add(1)),
            JournalLine::Fault { undone, .. } | JournalLine::Undo { undone, .. } => {
                standing.checked_sub(*undone).ok_or_else(|| {
                    format!("expected at most {standing} inputs to be undone, found {undone}")
                })
            }
            JournalLine::Reload {
                kept: Some(kept), ..
            } if *kept > standing => Err(format!(
                "expected at most {standing} inputs to be played again, found {kept}"
            )),
            JournalLine::Reload {
                kept: Some(kept), ..
            } => Ok(*kept),
            JournalLine::Reload { kept: None, .. }
            | JournalLine::Player { .. }
            | JournalLine::Begin { .. }
            | JournalLine::End { .. } => Ok(standing),
        }
    }
}

/// The line that ends a header: dashes, and a hash that covers the header, so
/// that a change is found even before the first input.
pub(super) fn header_end(header: &str) -> String {
    format!("--- {}", StateHash::of(header.as_bytes()).shown())
}

/// Tells a journal from other files, and from journals of other formats.
fn check_first_line(bytes: &[u8]) -> Result<(), Fault> {
    let first = bytes
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let expected = first_line();
    if first == expected.as_bytes() {
        return Ok(());
    }
    let format = first
        .strip_prefix(FIRST_WORDS.as_bytes())
        .and_then(|rest| std::str::from_utf8(rest).ok());
    if let Some(format) = format
        .and_then(|format| format.trim_end().parse().ok())
        .filter(|one| *one != FORMAT)
    {
        return Err(other_format(format, bytes));
    }
    let shown: String = one_line(&String::from_utf8_lossy(&first[..first.len().min(60)]));
    let fault = Fault::new(
        FaultCode::BadJournal,
        format!("expected `{expected}`, found `{shown}`"),
    );
    Err(match first {
        [] => fault.hint("the file is empty"),
        [before @ .., b'\r'] if before == expected.as_bytes() => {
            fault.hint("its line breaks were changed; keep journals as binary files")
        }
        _ => fault.hint("this is no journal"),
    })
}

/// The fault of a journal of another format: which version plays it.
fn other_format(format: u32, bytes: &[u8]) -> Fault {
    let reason = format!("expected a journal of format {FORMAT}, found one of format {format}");
    let fault = Fault::new(FaultCode::OldJournal, reason);
    if let Some((_, last)) = EARLIER.iter().find(|(earlier, _)| *earlier == format) {
        return fault.hint(format!(
            "houserule {last} is the last version that plays it"
        ));
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(64 << 10)]);
    let engine = text.lines().take_while(|line| !line.starts_with("---"));
    let engine = engine
        .filter_map(|line| line.strip_prefix("engine "))
        .next();
    match engine {
        Some(version) => fault.hint(format!(
            "houserule {} wrote it: play it with that",
            one_line(version)
        )),
        None => fault.hint("a later version wrote it: play it with that"),
    }
}
