//! Writing a journal.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use kernel::error::{Fault, FaultCode, Place};
use kernel::record::{HashChain, keyed};
use rules::alone::{self, NotAlone};
use rules::whole;

use super::reading::{JournalFile, header_end};
use super::{JournalHeader, KeptSources, Mark, ModRecord, Store, one_line, read_all, tidy_beside};

/// How far a line has gone before its input is acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// To the operating system: it survives a crash of this process.
    #[default]
    Process,
    /// To the disk: it survives a loss of power. So does the file itself, by its name.
    Disk,
}

impl Durability {
    /// To the disk, if that is asked for.
    pub fn of(is_durable: bool) -> Durability {
        match is_durable {
            true => Durability::Disk,
            false => Durability::Process,
        }
    }
}

/// A journal that is being written. It is locked while it is open.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    chain: HashChain,
    /// How long the file is up to the end of its last whole line.
    length: u64,
    /// Whether there may be a torn line after that.
    is_ragged: bool,
    /// Lines about what has happened already, that could not be written yet.
    owed: Vec<String>,
    durability: Durability,
}

impl Journal {
    /// Begins a journal in a file that is new or empty.
    ///
    /// # Errors
    /// When the file holds something or is no file, another process writes it, or it
    /// cannot be written.
    pub fn create(
        path: &Path,
        header: &JournalHeader,
        durability: Durability,
    ) -> Result<Journal, Fault> {
        let mut journal = Journal::open_new(path, durability)?;
        journal.write_header(header)?;
        Ok(journal)
    }

    /// Begins the journal of a match that has come so far already, in a file that is
    /// new or empty, and keeps beside it the sources that the match is played by.
    /// Folders that are not there are made.
    ///
    /// # Errors
    /// As [`Journal::create`], and when the sources cannot be kept: a file that was
    /// not there is not there then either, and beside one that is no place for a
    /// journal nothing is kept.
    pub fn begin<T: AsRef<str>>(
        path: &Path,
        header: &JournalHeader,
        kept: &KeptSources,
        lines: &[T],
        durability: Durability,
    ) -> Result<Journal, Fault> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| unwritten(path, &error))?;
        }
        let was_there = path.exists();
        let mut journal = Journal::open_new(path, durability)?;
        let store = Store::beside(path);
        tidy_beside(path);
        let begun = store
            .put_all(kept)
            .and_then(|()| journal.write_header(header))
            .and_then(|()| journal.write(lines));
        if begun.is_err() && !was_there {
            // That it cannot go either is no other fault.
            let _ = std::fs::remove_file(path);
        }
        begun.map(|()| journal)
    }

    /// All of a journal as text, as [`Journal::begin`] would write it at `path`.
    ///
    /// # Errors
    /// When a name in the header cannot be read back.
    pub fn text<T: AsRef<str>>(
        path: &Path,
        header: &JournalHeader,
        lines: &[T],
    ) -> Result<String, Fault> {
        let mut text = head(path, header)?;
        let mut chain = HashChain::new(&text);
        text.push_str(&header_end(&text));
        text.push('\n');
        for line in lines {
            text.push_str(&chain.append(line.as_ref()));
            text.push('\n');
        }
        Ok(text)
    }

    fn open_new(path: &Path, durability: Durability) -> Result<Journal, Fault> {
        let journal = Journal::open(path, durability, true)?;
        let found = journal
            .file
            .metadata()
            .map_err(|error| unwritten(path, &error))?;
        match found.len() {
            0 => Ok(journal),
            _ => Err(Fault::new(
                FaultCode::JournalUnwritten,
                "expected a new file, found one that holds something",
            )
            .hint("choose another name, or go on with the match that it holds")
            .at(place(path, 0))),
        }
    }

    pub(super) fn write_header(&mut self, header: &JournalHeader) -> Result<(), Fault> {
        let text = head(&self.path, header)?;
        self.chain = HashChain::new(&text);
        self.hand_over(&format!("{text}{}\n", header_end(&text)))?;
        match self.durability {
            Durability::Process => Ok(()),
            Durability::Disk => {
                whole::sync_folder_of(&self.path).map_err(|error| unwritten(&self.path, &error))
            }
        }
    }

    /// Opens a journal to go on with it, and reads what it holds; a torn line
    /// at its end goes when the next one is written, and what was half written beside it
    /// goes at once.
    ///
    /// # Errors
    /// When another process writes it, or it cannot be read.
    pub fn resume(path: &Path, durability: Durability) -> Result<(Journal, JournalFile), Fault> {
        let mut journal = Journal::open(path, durability, false)?;
        tidy_beside(path);
        let bytes = read_all(&mut journal.file)
            .map_err(|reason| Fault::new(FaultCode::Unreadable, reason).at(place(path, 0)))?;
        let read = JournalFile::parse(&bytes, &path.display().to_string())?;
        journal.chain = read.chain;
        journal.length = read.length;
        journal.is_ragged = true;
        if durability == Durability::Disk {
            // It may have been begun without.
            whole::sync_folder_of(path).map_err(|error| unwritten(path, &error))?;
        }
        Ok((journal, read))
    }

    /// Writes lines of the match, from [`input_line`] and its like: all of them,
    /// after those that are owed, or none.
    ///
    /// # Errors
    /// When they cannot be handed to the operating system. The journal is then as
    /// it was, and what the lines say must not be done.
    pub fn write<T: AsRef<str>>(&mut self, texts: &[T]) -> Result<(), Fault> {
        let mut chain = self.chain;
        let mut lines = String::new();
        let owed = self.owed.iter().map(String::as_str);
        for text in owed.chain(texts.iter().map(AsRef::as_ref)) {
            lines.push_str(&chain.append(text));
            lines.push('\n');
        }
        self.hand_over(&lines)?;
        self.chain = chain;
        self.owed.clear();
        Ok(())
    }

    /// Writes a line about what has happened already. If it cannot be written
    /// now it comes before the next line, so that no journal leaves it out.
    ///
    /// # Errors
    /// When the line cannot be handed to the operating system.
    pub fn owe(&mut self, text: &str) -> Result<(), Fault> {
        let written = self.write(&[text]);
        if written.is_err() {
            self.owed.push(text.to_string());
        }
        written
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn open(path: &Path, durability: Durability, is_new: bool) -> Result<Journal, Fault> {
        let code = if is_new {
            FaultCode::JournalUnwritten
        } else {
            FaultCode::Unreadable
        };
        let failed = |reason: String| Fault::new(code, reason).at(place(path, 0));
        if path.file_name().is_none() {
            return Err(failed("expected the name of a file, found none".into()));
        }
        if let Ok(found) = std::fs::metadata(path)
            && !found.is_file()
        {
            let other = if found.is_dir() { "folder" } else { "device" };
            return Err(failed(format!("expected a file, found a {other}")));
        }
        let mut options = OpenOptions::new();
        options
            .read(true)
            .write(true)
            .create(is_new)
            .truncate(false);
        let file = alone::open(&mut options, path).map_err(|error| match error {
            NotAlone::Taken => {
                let busy = "expected to be its only writer, found that another match writes it";
                Fault::new(FaultCode::JournalBusy, busy)
                    .hint("end the other match, or choose another file")
                    .at(place(path, 0))
            }
            NotAlone::Unopened(error) => failed(format!("it cannot be opened: {error}")),
            NotAlone::Unlocked(_, error) => failed(format!("it cannot be locked: {error}")),
        })?;
        Ok(Journal::writing(file, path, durability))
    }

    /// A journal on a file that is empty so far.
    pub(super) fn writing(file: File, path: &Path, durability: Durability) -> Journal {
        Journal {
            file,
            path: path.to_path_buf(),
            chain: HashChain::new(""),
            length: 0,
            is_ragged: false,
            owed: Vec::new(),
            durability,
        }
    }

    /// Appends whole lines, or leaves the file as it was. There is no buffer:
    /// when this returns, the operating system has them.
    fn hand_over(&mut self, lines: &str) -> Result<(), Fault> {
        if self.is_ragged {
            self.cut_back()
                .map_err(|error| unwritten(&self.path, &error))?;
        }
        let written = self
            .file
            .write_all(lines.as_bytes())
            .and_then(|()| match self.durability {
                Durability::Process => Ok(()),
                Durability::Disk => self.file.sync_data(),
            });
        if let Err(error) = written {
            // If it cannot be cut now, it is before the next line.
            self.is_ragged = true;
            let _ = self.cut_back();
            return Err(unwritten(&self.path, &error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    /// Cuts the file after its last whole line.
    fn cut_back(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.is_ragged = false;
        Ok(())
    }
}

/// The header as text, if all of it can be read back.
fn head(path: &Path, header: &JournalHeader) -> Result<String, Fault> {
    let text = header.to_text();
    let lines: Vec<&str> = text.split_terminator('\n').skip(1).collect();
    match JournalHeader::from_lines(&lines).as_ref() == Ok(header) {
        true => Ok(text),
        false => {
            let reason = "expected a header of plain words, found a line break or space in a name";
            Err(Fault::new(FaultCode::BadJournal, reason).at(place(path, 0)))
        }
    }
}

/// Who decides for a side that is no bot's.
pub(super) const PEOPLE: &str = "people";

/// The first line: what the match has come to before the first input.
pub fn begin_line(mark: &Mark) -> String {
    format!("begin = {}", mark.shown())
}

/// The line of an input, encoded in the state before it, with the key that its
/// sender gave it and what it came to.
pub fn input_line(input: &str, key: Option<&str>, mark: &Mark) -> String {
    let input = key.map_or_else(|| input.to_string(), |key| keyed(key, input));
    format!("{input} = {}", mark.shown())
}

/// The line of a fault that undid the last inputs.
pub fn fault_line(fault: &Fault, undone: u32) -> String {
    let place = fault
        .place
        .as_ref()
        .map(|place| format!("in {place}: "))
        .unwrap_or_default();
    fault_line_of(
        &fault.code.to_string(),
        undone,
        &format!("{place}{}", fault.message),
    )
}

/// The same line by what it says.
pub fn fault_line_of(code: &str, undone: u32, message: &str) -> String {
    one_line(&format!("fault {code} undone {undone} {message}"))
}

/// The line of who decides for a side from here on: a bot, or people.
pub fn player_line(side: &str, bot: Option<&str>) -> String {
    format!("player {side} {}", bot.unwrap_or(PEOPLE))
}

/// The line of the last inputs taken back, with how often that was agreed
/// between players, and what the match has come to then.
pub fn undo_line(undone: usize, epoch: u32, mark: &Mark) -> String {
    format!("undo {undone} epoch {epoch} = {}", mark.shown())
}

/// The rules that a match goes by from some point on, as a record names them.
#[derive(Clone, Copy, Debug)]
pub struct RulesRecord<'a> {
    /// The mods.
    pub mods: &'a [ModRecord],
    /// The clauses and options, as a selector line, where others were chosen.
    pub selector: Option<&'a str>,
}

/// The line of other rules from here on, with what the match has come to then.
/// `kept` is how many inputs were played again by them, if they were.
pub fn reload_line(kept: Option<usize>, rules: RulesRecord<'_>, mark: &Mark) -> String {
    let how = kept.map_or("now".to_string(), |kept| format!("always {kept}"));
    let mods: Vec<String> = rules.mods.iter().map(ToString::to_string).collect();
    let chosen = rules
        .selector
        .map_or(String::new(), |selector| format!(" by {selector}"));
    format!(
        "reload {how} {}{chosen} = {}",
        mods.join(", "),
        mark.shown()
    )
}

/// The line of the end of a game, with all that it has come to.
pub fn end_line(mark: &Mark) -> String {
    format!("end {mark}")
}

/// A place in a journal: its line, or 0 for the whole file.
pub(super) fn place(path: &Path, line: u32) -> Place {
    Place::new("", path.display().to_string(), line)
}

fn unwritten(path: &Path, error: &std::io::Error) -> Fault {
    let reason = format!("the journal cannot be written, so the input was not taken: {error}");
    let fault = Fault::new(FaultCode::JournalUnwritten, reason).at(place(path, 0));
    match error.kind() {
        std::io::ErrorKind::StorageFull => {
            fault.hint("free some space and try again; nothing is lost")
        }
        _ => fault,
    }
}

#[cfg(test)]
impl Journal {
    pub(super) fn input(
        &mut self,
        input: &kernel::decision::Input,
        world: &kernel::world::World,
        mark: &Mark,
    ) -> Result<(), Fault> {
        let input = kernel::record::encode(input, world);
        self.write(&[input_line(&input, None, mark)])
    }

    pub(super) fn fault(&mut self, fault: &Fault, undone: u32) -> Result<(), Fault> {
        self.owe(&fault_line(fault, undone))
    }

    pub(super) fn end(&mut self, mark: &Mark) -> Result<(), Fault> {
        self.write(&[end_line(mark)])
    }

    /// From now on every write fails, as on a disk that is gone.
    pub(crate) fn break_for_test(&mut self) {
        self.file = File::open(&self.path).unwrap();
    }

    /// The disk is back.
    pub(super) fn mend_for_test(&mut self, path: &Path) {
        self.file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .unwrap();
    }
}
