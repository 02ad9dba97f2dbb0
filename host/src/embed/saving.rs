//! Saving a match, and loading it: a save is a journal with all that was
//! decided, so it can be made at any moment, even while a question is open.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};
use rules::{alone, whole};

use super::acting::MOST_DECISIONS;
use super::former::FormerRules;
use super::numbers::ViewerNumbers;
use super::tabletop::{bots, unwritten};
use super::undoing::Proposals;
use super::{Tabletop, Trouble, UndoPolicy};
use crate::modset::selector::Request;
use crate::play::{Notes, Replayed, replay_file};
use crate::record::{Durability, FIRST_WORDS, Journal, JournalFile, Store, tidy_beside};
use lint::invalidation::Outlines;

/// A match that was loaded.
pub struct Loaded {
    /// The match.
    pub table: Tabletop,
    /// Whether a last line was torn off in the middle: it was never
    /// acknowledged, and is left out.
    pub is_torn: bool,
    /// How many decisions stand at the end of the record.
    pub decisions: usize,
    /// Whether all of them were loaded. The state after each was checked.
    pub is_whole: bool,
}

impl Tabletop {
    /// Writes all that was decided so far into a file, whole or not at all,
    /// with the sources of everything that took part beside it. An earlier save is
    /// replaced. What is written survives a loss of power.
    ///
    /// # Errors
    /// When it cannot be written, is the journal of a match in play, or is anything
    /// else than a new file or an earlier save: then nothing is written.
    pub fn save(&mut self, path: &Path) -> Result<(), Trouble> {
        let is_own = self
            .game
            .journal()
            .is_some_and(|journal| is_same_file(journal.path(), path));
        if is_own {
            // It is there already, to the last decision.
            return Ok(());
        }
        refuse_other(path)?;
        refuse_busy(path)?;
        let text = self.as_journal(path)?;
        let store = Store::beside(path);
        tidy_beside(path);
        store.put_all(&self.kept).map_err(unwritten)?;
        whole::put_on_disk(path, text.as_bytes())
            .map_err(|error| unwritten_at(path, format!("the save cannot be written: {error}")))
    }

    /// Writes what was decided up to a decision into a new file, so that a match
    /// that goes on from there can be played beside this one.
    ///
    /// # Errors
    /// When there are not so many decisions, or the file holds something or cannot be
    /// written.
    pub fn branch(&self, path: &Path, decisions: usize) -> Result<(), Trouble> {
        let found = self.game.recorded_inputs().len();
        if decisions > found {
            let reason = format!("{found} decisions stand, and not {decisions}");
            return Err(Trouble::refusal("playing on from there", reason));
        }
        let (kept, lines) = (&self.kept, self.game.lines());
        Journal::begin(path, &self.header, kept, lines, Durability::Process).map_err(unwritten)?;
        if decisions == found {
            return Ok(());
        }
        let cut = self.cut(path, decisions);
        if cut.is_err() {
            // What lies there is no journal of what was asked for.
            let _ = std::fs::remove_file(path);
        }
        cut
    }

    /// Leaves of a new journal so many decisions.
    fn cut(&self, path: &Path, decisions: usize) -> Result<(), Trouble> {
        let text = Tabletop::load(path, &self.folders, Some(decisions))?
            .table
            .as_journal(path)?;
        whole::put(path, text.as_bytes())
            .map_err(|error| unwritten_at(path, format!("the new journal cannot be cut: {error}")))
    }

    fn as_journal(&self, path: &Path) -> Result<String, Trouble> {
        Journal::text(path, &self.header, self.game.lines()).map_err(unwritten)
    }

    /// Loads a match from a save or a journal, by the rules that are kept
    /// beside it; a reload looks for newer ones in the folders. The file stays
    /// as it is: [`Tabletop::keep_journal`] keeps what is decided from then on.
    ///
    /// `up_to` stops after so many of the decisions that stand.
    ///
    /// # Errors
    /// A file that is no journal, was changed, or does not replay.
    pub fn load(path: &Path, folders: &[PathBuf], up_to: Option<usize>) -> Result<Loaded, Trouble> {
        let file = JournalFile::read(path)?;
        Tabletop::loaded(path, file, folders, up_to, Notes::None)
    }

    /// Loads a match as [`Tabletop::load`] does, for mods that will be
    /// edited: the first reload too plays only those decisions again whose outcome may
    /// be another. It takes a quarter longer.
    ///
    /// # Errors
    /// As [`Tabletop::load`].
    pub fn load_expecting_reloads(
        path: &Path,
        folders: &[PathBuf],
        up_to: Option<usize>,
    ) -> Result<Loaded, Trouble> {
        let file = JournalFile::read(path)?;
        Tabletop::loaded(path, file, folders, up_to, Notes::Dependencies)
    }

    /// Writes each line of a journal to the disk from now on, or only hands it
    /// to the operating system: for the next journal that is kept.
    pub fn be_durable(&mut self, is_durable: bool) {
        self.durability = Durability::of(is_durable);
    }

    /// Loads a match and goes on with it in the same file: what is decided
    /// from now on is added to it.
    ///
    /// # Errors
    /// As [`Tabletop::load`], and when another process writes the file.
    pub fn resume(path: &Path, folders: &[PathBuf], durable: bool) -> Result<Loaded, Trouble> {
        Tabletop::resumed(path, folders, durable, Notes::None)
    }

    /// Loads a match and goes on with it in the same file, for mods that will
    /// be edited, as [`Tabletop::load_expecting_reloads`] does.
    ///
    /// # Errors
    /// As [`Tabletop::resume`].
    pub fn resume_expecting_reloads(
        path: &Path,
        folders: &[PathBuf],
        durable: bool,
    ) -> Result<Loaded, Trouble> {
        Tabletop::resumed(path, folders, durable, Notes::Dependencies)
    }

    fn resumed(
        path: &Path,
        folders: &[PathBuf],
        durable: bool,
        notes: Notes,
    ) -> Result<Loaded, Trouble> {
        let durability = Durability::of(durable);
        let (journal, file) = Journal::resume(path, durability)?;
        let mut loaded = Tabletop::loaded(path, file, folders, None, notes)?;
        loaded.table.durability = durability;
        loaded.table.game.keep(journal);
        Ok(loaded)
    }

    fn loaded(
        path: &Path,
        file: JournalFile,
        folders: &[PathBuf],
        up_to: Option<usize>,
        notes: Notes,
    ) -> Result<Loaded, Trouble> {
        let mut loaded = Tabletop::from_record(replay_file(path, file, up_to, notes)?, folders)?;
        loaded.table.is_cold = notes == Notes::Dependencies;
        Ok(loaded)
    }

    /// The match of a record that was played again.
    pub(super) fn from_record(replayed: Replayed, folders: &[PathBuf]) -> Result<Loaded, Trouble> {
        let Replayed {
            game,
            workshop,
            selector,
            active,
            mods,
            found,
            kept,
            bots: recorded,
            file,
            is_whole,
        } = replayed;
        let decisions = file.played().len();
        let recorded = recorded
            .into_iter()
            .filter_map(|(side, kind)| Some((side, kind.parse().ok()?)))
            .collect();
        let header = file.header;
        let mut table = Tabletop {
            folders: folders.to_vec(),
            workshop: Rc::new(workshop),
            bots: bots(&game, &recorded)?,
            game,
            found,
            request: Request::parse(&selector)?,
            active,
            mods,
            policy: if header.is_agreed {
                UndoPolicy::Agreed
            } else {
                UndoPolicy::Umpire
            },
            header,
            kept,
            durability: Durability::Process,
            proposals: Proposals::default(),
            numbers: ViewerNumbers::default(),
            most_decisions: MOST_DECISIONS,
            unreported: None,
            redo: Vec::new(),
            set_aside: 0,
            outlines: Outlines::default(),
            retired: Vec::new(),
            former: FormerRules::default(),
            is_cold: false,
        };
        table.count_again();
        Ok(Loaded {
            table,
            is_torn: file.is_torn,
            decisions,
            is_whole,
        })
    }
}

/// Refuses to write over what another match is written to.
fn refuse_busy(path: &Path) -> Result<(), Trouble> {
    if !alone::is_written(path) {
        return Ok(());
    }
    let busy = "expected a file that no match writes, found the journal of one";
    Err(unwritten(
        Fault::new(FaultCode::JournalBusy, busy)
            .hint("choose another name")
            .at(place_of(path)),
    ))
}

/// Refuses to write over what is no record of a match: an earlier save gives way,
/// the notes of a player do not, nor does anything that is no file.
fn refuse_other(path: &Path) -> Result<(), Trouble> {
    let refused = |found: &str| {
        let other = format!("expected a new file, or an earlier save, found {found}");
        let fault = Fault::new(FaultCode::JournalUnwritten, other).hint("choose another name");
        Err(unwritten(fault.at(place_of(path))))
    };
    if path.file_name().is_none() {
        return refused("no name of a file");
    }
    match std::fs::metadata(path) {
        Ok(about) if about.is_dir() => return refused("a folder"),
        Ok(about) if !about.is_file() => return refused("a device"),
        Ok(about) if about.len() == 0 => return Ok(()),
        Ok(_) => {}
        // What is in the way of a new file is told when it is written.
        Err(_) => return Ok(()),
    }
    let mut begins = [0; FIRST_WORDS.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begins));
    match read.is_ok() && begins == *FIRST_WORDS.as_bytes() {
        true => Ok(()),
        false => refused("another file"),
    }
}

fn place_of(path: &Path) -> Place {
    Place::new("", path.display().to_string(), 0)
}

fn unwritten_at(path: &Path, reason: String) -> Trouble {
    unwritten(Fault::new(FaultCode::JournalUnwritten, reason).at(place_of(path)))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
