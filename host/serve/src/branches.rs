//! Matches that go on from a moment of another, beside it: what if?

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use houserule::embed::rpc::Branched;
use houserule::embed::{Seat, Seats, Tabletop, Trouble, secret_seed};
use houserule::record::FreeJournal;

use crate::hall::Hall;
use crate::room::{BranchOpener, Opening, Room};

/// So many rooms are there beside one; for one more the first goes that nobody is in
/// and whose match is put away. Its journal stays.
const MOST: usize = 64;

/// A branch that nobody uses is put away after this.
const IDLE: Duration = Duration::from_secs(300);

/// How branches of one match are opened: each in a room of its own, with a
/// journal of its own beside that of the match.
pub struct Branches {
    /// Where the rooms are.
    pub hall: Weak<Hall>,
    /// The folders of mods.
    pub folders: Vec<PathBuf>,
    /// The journal of the match.
    pub journal: PathBuf,
}

impl Branches {
    /// It for the room of the match, which knows of no other.
    pub fn opener(self) -> BranchOpener {
        let rooms = Mutex::default();
        Arc::new(move |table, decisions| self.open(&rooms, table, decisions))
    }

    /// Opens a match that goes on from so many decisions of another, beside those in
    /// these rooms: who holds its token plays all sides.
    ///
    /// # Errors
    /// When the journal of the branch cannot be written, or somebody is in each of
    /// too many.
    fn open(
        &self,
        rooms: &Mutex<Vec<String>>,
        table: &Tabletop,
        decisions: usize,
    ) -> Result<Branched, Trouble> {
        let hall = self
            .hall
            .upgrade()
            .ok_or_else(|| refused("the table is being cleared"))?;
        // Whoever panicked has left whole names.
        let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let is_left = |room: &String| hall.room(Some(room)).is_none_or(|room| room.is_left());
        let left = match rooms.len() {
            0..MOST => None,
            _ => {
                let left = rooms.iter().position(is_left);
                Some(left.ok_or_else(|| {
                    refused("there are too many games beside this one, and somebody is in each")
                })?)
            }
        };
        let name = |number| beside(&self.journal, &format!(".{}", name_of(number)));
        let journal = FreeJournal::claim(name)
            .map_err(|error| refused(&format!("its journal cannot be written: {error}")))?;
        table.branch(journal.path(), decisions)?;
        let all = table.about("referee")?.sides.into_iter();
        let sides = all.map(|side| side.id).collect();
        let mut seats = Seats::default();
        let (_, token) = seats.give(Seat::Sides { sides })?;
        // Nobody guesses the room: whether it is there would tell what the referee tries out.
        let room = format!("{}-{:013x}", name_of(journal.number()), secret_seed()?);
        let opening = self.opening(journal.path().to_path_buf());
        hall.add(room.clone(), Room::new(opening, seats));
        if let Some(left) = left {
            hall.remove(&rooms.remove(left));
        }
        rooms.push(room.clone());
        Ok(Branched {
            room,
            token,
            decisions,
        })
    }

    fn opening(&self, journal: PathBuf) -> Opening {
        let folders = self.folders.clone();
        Opening {
            table: Box::new(move || {
                let mut table = Tabletop::resume(&journal, &folders, false)?.table;
                // Whoever asks what would be plays all sides.
                for side in table.about("referee")?.sides {
                    table.set_bot(&side.id, None)?;
                }
                Ok(table)
            }),
            folders: self.folders.clone(),
            watch: None,
            pause: Duration::ZERO,
            idle: Some(IDLE),
            branches: None,
        }
    }
}

fn refused(reason: &str) -> Trouble {
    Trouble::Refusal {
        what: "playing on beside the game".into(),
        reason: reason.into(),
        clause: None,
    }
}

fn name_of(number: u32) -> String {
    format!("what-if-{number}")
}

/// A file beside a journal: its name, and more.
fn beside(journal: &Path, more: &str) -> PathBuf {
    let mut name = OsString::from(journal.as_os_str());
    name.push(more);
    PathBuf::from(name)
}
