//! Looks at mods as they are saved, beside the game: what looks wrong in their
//! files is told while it goes on.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::workshop::Workshop;
use houserule::{LintRequest, Looker};

use super::hearing::Signal;
use super::session::Session;
use crate::config::cache;
use crate::diagnostics::Severity;
use crate::ui::Failure;

/// How long a save is not taken over for what the saved file alone has wrong.
const FIRST_WORD: Duration = Duration::from_millis(100);

/// What somebody who looks at mods is asked.
enum Asked {
    /// To look at mods that play together.
    Whole(Vec<Name>),
    /// What is wrong in the one file that was saved, one of these, at once, if that
    /// can be told.
    First(Vec<PathBuf>, SyncSender<Vec<Fault>>),
}

/// Somebody who looks at mods when asked to.
pub(super) struct BackgroundCheck {
    asked: Sender<Asked>,
}

impl BackgroundCheck {
    /// Begins to look at the mods in some folders.
    pub fn begin(folders: Vec<PathBuf>, signals: Sender<Signal>) -> BackgroundCheck {
        let (asked, asks) = channel();
        std::thread::spawn(move || Eyes::new(folders).look(&asks, &signals));
        BackgroundCheck { asked }
    }

    /// Asks to look at mods that play together.
    pub fn look(&self, mods: Vec<Name>) {
        // Who has stopped looking is not asked again.
        let _ = self.asked.send(Asked::Whole(mods));
    }

    /// What looks wrong in the mods now that one file was saved, if that is other
    /// than it was and soon told.
    fn first_word(&self, files: Vec<PathBuf>) -> Option<Vec<Fault>> {
        // Nothing is left in between: what comes too late is told on its own.
        let (sender, answer) = sync_channel(0);
        self.asked.send(Asked::First(files, sender)).ok()?;
        answer.recv_timeout(FIRST_WORD).ok()
    }
}

/// Who looks, with what there was to be seen.
struct Eyes {
    folders: Vec<PathBuf>,
    kept_in: Option<PathBuf>,
    looker: Looker,
    /// The mods that are looked at, and all as they were looked at last.
    seen: Option<(Vec<Name>, Workshop)>,
    reported: Vec<Fault>,
}

impl Eyes {
    fn new(folders: Vec<PathBuf>) -> Eyes {
        let kept_in = cache().map(|folder| folder.join("checked"));
        Eyes {
            folders,
            kept_in,
            looker: Looker::default(),
            seen: None,
            reported: Vec::new(),
        }
    }

    /// Looks until nobody asks any more; tells what has changed since it told last.
    fn look(&mut self, asks: &Receiver<Asked>, signals: &Sender<Signal>) {
        while let Ok(asked) = asks.recv() {
            match asks.try_iter().last().unwrap_or(asked) {
                Asked::First(files, sender) => {
                    let Some(found) = self.first(&files) else {
                        continue;
                    };
                    self.reported.clone_from(&found);
                    // Who asked may have waited long enough; it is told all the same.
                    if let Err(SendError(found)) = sender.send(found)
                        && signals.send(Signal::Found(found)).is_err()
                    {
                        return;
                    }
                }
                Asked::Whole(mods) => {
                    if let Some(found) = self.whole(mods) {
                        self.reported.clone_from(&found);
                        if signals.send(Signal::Found(found)).is_err() {
                            return;
                        }
                    }
                    self.make_ready();
                }
            }
        }
    }

    /// What looks wrong in all of the mods, if that is other than was told.
    fn whole(&mut self, mods: Vec<Name>) -> Option<Vec<Fault>> {
        let again = self.seen.as_ref().filter(|(seen, _)| *seen == mods);
        let again = again.and_then(|(_, workshop)| workshop.read_again(&mods));
        let workshop = again.unwrap_or_else(|| Workshop::open(&self.folders).0);
        let wanted = LintRequest {
            file: None,
            kept_in: self.kept_in.as_deref(),
        };
        let found = self
            .looker
            .look(&workshop, std::slice::from_ref(&mods), wanted);
        self.seen = Some((mods, workshop));
        (found != self.reported).then_some(found)
    }

    /// Loads what the next save is checked by, while nobody waits.
    fn make_ready(&mut self) {
        if let Some((mods, workshop)) = &self.seen {
            self.looker.make_ready(workshop, mods);
        }
    }

    /// What looks wrong after a save of one file, if that is other than was told,
    /// unless others must be read for that.
    fn first(&mut self, files: &[PathBuf]) -> Option<Vec<Fault>> {
        let (mods, before) = self.seen.as_ref()?;
        let (workshop, module, file) = saved(mods, before, files)?;
        let found = self
            .looker
            .look_first(&workshop, [&module, &file], self.kept_in.as_deref());
        found.filter(|found| *found != self.reported)
    }
}

/// The one file that is another now, of those that were written, and the mods with
/// it. What else an editor leaves beside it is none of the mods'.
fn saved(mods: &[Name], before: &Workshop, files: &[PathBuf]) -> Option<(Workshop, Name, Name)> {
    let mut found = None;
    for path in files {
        let Some((now, id, file)) = before.with_file_now(mods, path) else {
            continue;
        };
        let text = |workshop: &Workshop| workshop.sources().get(&id)?.get(&file).cloned();
        if text(&now) == text(before) {
            continue;
        }
        if found.replace((now, id, Name::from(file))).is_some() {
            return None;
        }
    }
    found
}

impl Session<'_> {
    /// Has the mods in play looked at.
    ///
    /// # Errors
    /// When the table cannot say which they are.
    pub(super) fn look_at_mods(&self) -> Result<(), Failure> {
        if let Some(looking) = &self.looking {
            let mods = self.table.about("referee")?.mods;
            looking.look(mods.iter().map(|one| Name::from(&*one.id)).collect());
        }
        Ok(())
    }

    /// Tells what looks wrong in the one file that was saved, before it is taken
    /// over.
    ///
    /// # Errors
    /// When nobody reads it.
    pub(super) fn first_word(&mut self, files: Vec<PathBuf>) -> Result<(), Failure> {
        match self
            .looking
            .as_ref()
            .and_then(|looking| looking.first_word(files))
        {
            Some(found) => self.found(&found),
            None => Ok(()),
        }
    }

    /// Tells what looks wrong in the files.
    ///
    /// # Errors
    /// When nobody reads it.
    pub(super) fn found(&mut self, faults: &[Fault]) -> Result<(), Failure> {
        if faults.is_empty() {
            self.ui.line("nothing looks wrong in the files any more")?;
        } else {
            self.ui
                .line("the game goes on; in the files this looks wrong:")?;
            self.report_as_saved(faults)?;
        }
        Ok(self.ui.flush()?)
    }

    /// Tells faults of files with their lines as they are saved: the game may
    /// still go by what they were before.
    fn report_as_saved(&mut self, faults: &[Fault]) -> io::Result<()> {
        let mut mods: Vec<Name> = faults
            .iter()
            .filter_map(|one| Some(one.place.as_ref()?.module.clone()))
            .collect();
        mods.sort();
        mods.dedup();
        let in_play = Rc::clone(&self.ui.workshop);
        if let Some(now) = in_play.read_again(&mods) {
            self.ui.workshop = Rc::new(now);
        }
        let printed = self.ui.faults(faults, Severity::Warning);
        self.ui.workshop = in_play;
        printed
    }
}
