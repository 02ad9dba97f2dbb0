//! Looks at mods as they are saved, beside the game: what looks wrong in their
//! files is told while it goes on.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::workshop::Workshop;
use houserule::{LintRequest, Looker};

use super::hearing::Signal;
use super::session::Session;
use crate::config::cache;
use crate::desk::Failure;
use crate::diagnostics::Severity;

/// How long a save is not taken over for what the saved file alone has wrong.
const FIRST_WORD: Duration = Duration::from_millis(100);

/// What somebody who looks at mods is asked.
enum Asked {
    /// To look at mods that play together.
    Whole(Vec<Name>),
    /// What is wrong in the one file that was saved, at once, if that can be told.
    First(SyncSender<Vec<Fault>>),
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
    fn first_word(&self) -> Option<Vec<Fault>> {
        // Nothing is left in between: what comes too late was not told.
        let (told, telling) = sync_channel(0);
        self.asked.send(Asked::First(told)).ok()?;
        telling.recv_timeout(FIRST_WORD).ok()
    }
}

/// Who looks, with what there was to be seen.
struct Eyes {
    folders: Vec<PathBuf>,
    kept_in: Option<PathBuf>,
    looker: Looker,
    /// The mods that are looked at, and all as they were looked at last.
    seen: Option<(Vec<Name>, Workshop)>,
    told: Vec<Fault>,
}

impl Eyes {
    fn new(folders: Vec<PathBuf>) -> Eyes {
        let kept_in = cache().map(|folder| folder.join("checked"));
        Eyes { folders, kept_in, looker: Looker::default(), seen: None, told: Vec::new() }
    }

    /// Looks until nobody asks any more; tells what has changed since it told last.
    fn look(&mut self, asks: &Receiver<Asked>, signals: &Sender<Signal>) {
        while let Ok(asked) = asks.recv() {
            match asks.try_iter().last().unwrap_or(asked) {
                Asked::First(telling) => self.first(&telling),
                Asked::Whole(mods) => {
                    let Some(found) = self.whole(mods) else { continue };
                    self.told.clone_from(&found);
                    if signals.send(Signal::Found(found)).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// What looks wrong in all of the mods, if that is other than was told.
    fn whole(&mut self, mods: Vec<Name>) -> Option<Vec<Fault>> {
        let again = self.seen.as_ref().filter(|(seen, _)| *seen == mods);
        let again = again.and_then(|(_, workshop)| workshop.read_again(&mods));
        let workshop = again.unwrap_or_else(|| Workshop::open(&self.folders).0);
        let wanted = LintRequest { file: None, kept_in: self.kept_in.as_deref() };
        let found = self.looker.look(&workshop, std::slice::from_ref(&mods), wanted);
        self.seen = Some((mods, workshop));
        (found != self.told).then_some(found)
    }

    /// Tells what looks wrong after a save of one file, unless others must be
    /// read for that.
    fn first(&mut self, telling: &SyncSender<Vec<Fault>>) {
        let Some((mods, before)) = &self.seen else { return };
        let Some(workshop) = before.read_again(mods) else { return };
        let Some((module, file)) = saved(mods, before, &workshop) else { return };
        let found = self.looker.look_first(&workshop, [&module, &file], self.kept_in.as_deref());
        let Some(found) = found.filter(|found| *found != self.told) else { return };
        if telling.send(found.clone()).is_ok() {
            self.told = found;
        }
    }
}

/// The one file that is another now.
fn saved(mods: &[Name], before: &Workshop, now: &Workshop) -> Option<(Name, Name)> {
    let mut saved = mods.iter().flat_map(|id| {
        let files = |workshop: &'_ Workshop| workshop.sources().get(id).map(|sources| sources.files.clone());
        let (old, new) = (files(before).unwrap_or_default(), files(now).unwrap_or_default());
        let paths: BTreeSet<_> = old.keys().chain(new.keys()).cloned().collect();
        let other = paths.into_iter().filter(move |path| old.get(path) != new.get(path));
        other.map(move |path| (id.clone(), Name::from(&*path)))
    });
    let first = saved.next()?;
    saved.next().is_none().then_some(first)
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
    pub(super) fn first_word(&mut self) -> Result<(), Failure> {
        match self.looking.as_ref().and_then(BackgroundCheck::first_word) {
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
            self.desk.line("nothing looks wrong in the files any more")?;
        } else {
            self.desk.line("the game goes on; in the files this looks wrong:")?;
            self.desk.faults(faults, Severity::Warning)?;
        }
        Ok(self.desk.flush()?)
    }
}
