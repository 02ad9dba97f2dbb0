//! Saving a match, and loading it: a save is a journal with all that was
//! decided, so it can be made at any moment, even while a question is open.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kernel::error::{Fault, FaultCode, Place};

use super::acting::MOST_DECISIONS;
use super::former::FormerRules;
use super::numbers::Numbers;
use super::tabletop::{bots, unwritten};
use super::{Tabletop, Trouble, UndoPolicy};
use crate::modset::selector::Request;
use crate::play::{Notes, Replayed, replay_file};
use crate::record::{Durability, FIRST_WORDS, Journal, JournalFile, Store};
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
    /// with the sources of everything that took part beside it. What the file
    /// held before is replaced.
    ///
    /// # Errors
    /// When it cannot be written, or is the journal of a match in play.
    pub fn save(&mut self, path: &Path) -> Result<(), Trouble> {
        let is_own = self
            .game
            .journal()
            .is_some_and(|journal| is_same_file(journal.path(), path));
        if is_own {
            // It is there already, to the last decision.
            return Ok(());
        }
        refuse_busy(path)?;
        refuse_other(path)?;
        let store = Store::beside(path);
        for (id, files) in self.kept.values() {
            store.put(id, files).map_err(unwritten)?;
        }
        let draft = draft_of(path);
        // What an earlier try has left is of no use.
        let _ = std::fs::remove_file(&draft);
        let written = self.write_draft(&draft).and_then(|()| {
            std::fs::rename(&draft, path).map_err(|error| {
                let reason = format!("the save cannot be put in its place: {error}");
                Fault::new(FaultCode::JournalUnwritten, reason).at(Place::new(
                    "",
                    path.display().to_string(),
                    0,
                ))
            })
        });
        if written.is_err() {
            let _ = std::fs::remove_file(&draft);
        }
        written.map_err(unwritten)
    }

    /// Writes what was decided up to a decision into a new file, so that a match
    /// that goes on from there can be played beside this one.
    ///
    /// # Errors
    /// When there are not so many decisions, or the file cannot be written.
    pub fn branch(&self, path: &Path, decisions: usize) -> Result<(), Trouble> {
        let found = self.game.recorded_inputs().len();
        if decisions > found {
            let reason = format!("{found} decisions stand, and not {decisions}");
            return Err(Trouble::refusal("playing on from there", reason));
        }
        let store = Store::beside(path);
        for (id, files) in self.kept.values() {
            store.put(id, files).map_err(unwritten)?;
        }
        self.write_draft(path).map_err(unwritten)?;
        if decisions == found {
            return Ok(());
        }
        let whole = Tabletop::load(path, &self.folders, Some(decisions))?.table;
        std::fs::remove_file(path).map_err(|error| {
            let reason = format!("the new journal cannot be cut: {error}");
            unwritten(Fault::new(FaultCode::JournalUnwritten, reason))
        })?;
        whole.write_draft(path).map_err(unwritten)
    }

    fn write_draft(&self, draft: &Path) -> Result<(), Fault> {
        let mut journal = Journal::create(draft, &self.header, Durability::Process)?;
        journal.write(self.game.lines())
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
            proposal: None,
            numbers: Numbers::default(),
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
    let Ok(file) = std::fs::File::open(path) else {
        return Ok(());
    };
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => {
            let busy = "expected a file that no match writes, found the journal of one";
            let place = Place::new("", path.display().to_string(), 0);
            Err(unwritten(
                Fault::new(FaultCode::JournalBusy, busy)
                    .hint("choose another name")
                    .at(place),
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses to write over what is no record of a match: an earlier save gives way,
/// the notes of a player do not.
fn refuse_other(path: &Path) -> Result<(), Trouble> {
    let is_written = std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0);
    let Some(mut file) = is_written.then(|| std::fs::File::open(path).ok()).flatten() else {
        return Ok(());
    };
    let mut begins = [0; FIRST_WORDS.len()];
    if file.read_exact(&mut begins).is_ok() && begins == *FIRST_WORDS.as_bytes() {
        return Ok(());
    }
    let other = "expected a new file, or an earlier save, found another file";
    let place = Place::new("", path.display().to_string(), 0);
    let fault = Fault::new(FaultCode::JournalUnwritten, other).hint("choose another name");
    Err(unwritten(fault.at(place)))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(format!(".draft-{}", std::process::id()));
    PathBuf::from(name)
}
