//! Matches that go on from a moment of another, beside it: what if?

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use houserule::embed::rpc::Branched;
use houserule::embed::{Seat, Seats, Tabletop, Trouble, secret_seed};

use crate::hall::Hall;
use crate::room::{BranchOpener, Opening, Room};

/// So many rooms are opened beside one.
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
        Arc::new(move |table, decisions| self.open(table, decisions))
    }

    /// Opens a match that goes on from so many decisions of another: who holds
    /// its token plays all sides.
    ///
    /// # Errors
    /// When the journal of the branch cannot be written, or there are too many.
    fn open(&self, table: &Tabletop, decisions: usize) -> Result<Branched, Trouble> {
        let refuse = |reason: &str| Trouble::Refusal {
            what: "playing on beside the game".into(),
            reason: reason.into(),
            clause: None,
        };
        let hall = self
            .hall
            .upgrade()
            .ok_or_else(|| refuse("the table is being cleared"))?;
        let free = (1..=MOST).find(|number| !self.path(*number).exists());
        let number =
            free.ok_or_else(|| refuse("there are too many games beside this one already"))?;
        let journal = self.path(number);
        table.branch(&journal, decisions)?;
        let sides = table
            .about("referee")?
            .sides
            .into_iter()
            .map(|side| side.id)
            .collect();
        let mut seats = Seats::default();
        let (_, token) = seats.give(Seat::Sides { sides })?;
        // Nobody guesses the room: whether it is there would tell what the referee tries out.
        let room = format!("{}-{:013x}", name_of(number), secret_seed()?);
        hall.add(room.clone(), Room::new(self.opening(journal), seats));
        Ok(Branched {
            room,
            token,
            decisions,
        })
    }

    fn path(&self, number: usize) -> PathBuf {
        beside(&self.journal, &format!(".{}", name_of(number)))
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

fn name_of(number: usize) -> String {
    format!("what-if-{number}")
}

/// A file beside a journal: its name, and more.
fn beside(journal: &Path, more: &str) -> PathBuf {
    let mut name = OsString::from(journal.as_os_str());
    name.push(more);
    PathBuf::from(name)
}
