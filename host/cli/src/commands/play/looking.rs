//! Looks at mods as they are saved, beside the game: what looks wrong in their
//! files is told while it goes on.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::modset::files::read_text;
use houserule::workshop::Workshop;
use houserule::{LintRequest, Looker};

use super::hearing::Signal;
use super::session::Session;
use crate::config::cache;
use crate::diagnostics::Severity;
use crate::failure::Failure;

/// How long a save is not taken over for what the saved file alone has wrong.
const FIRST_WORD: Duration = Duration::from_millis(100);

/// What somebody who looks at mods is asked.
enum LookRequest {
    /// To look at mods that play together.
    Whole(Vec<Name>),
    /// What is wrong in the one file that was saved, one of these, at once, if that
    /// can be told.
    First(Vec<PathBuf>, SyncSender<Findings>),
}

/// What looks wrong in some files, and what stood in them when they were looked at.
pub struct Findings {
    faults: Vec<Fault>,
    texts: Vec<(PathBuf, Arc<str>)>,
}

impl Findings {
    fn of(faults: Vec<Fault>, mods: &[Name], workshop: &Workshop) -> Findings {
        let sources = mods.iter().filter_map(|id| workshop.sources().get(id));
        let texts = sources.flat_map(|sources| {
            let folder = sources.folder.iter();
            folder.flat_map(|folder| {
                // What is no text is not shown by its lines.
                let all = sources.to_files().into_iter();
                let texts = all.filter(|(path, _)| !path.ends_with(".wasm"));
                texts.map(|(path, text)| (folder.join(path), text))
            })
        });
        let texts = texts.collect();
        Findings { faults, texts }
    }

    /// Whether something else stands in one of the files by now: then they are about
    /// lines that are no longer there.
    fn are_stale(&self) -> bool {
        let mut texts = self.texts.iter();
        texts.any(|(path, text)| !read_text(path).is_ok_and(|now| *now == **text))
    }
}

/// What was told last, by whoever tells it.
type Reported = Arc<Mutex<Vec<Fault>>>;

/// Somebody who looks at mods when asked to.
pub(super) struct BackgroundCheck {
    asked: Sender<LookRequest>,
    reported: Reported,
}

impl BackgroundCheck {
    /// Begins to look at the mods in some folders.
    pub fn begin(folders: Vec<PathBuf>, signals: Sender<Signal>) -> BackgroundCheck {
        let (asked, asks) = channel();
        let reported = Reported::default();
        let of_eyes = reported.clone();
        std::thread::spawn(move || Eyes::new(folders, of_eyes).look(&asks, &signals));
        BackgroundCheck { asked, reported }
    }

    /// Notes what is told now; whether it is other than what was told before.
    fn is_news(&self, found: &[Fault]) -> bool {
        let mut told = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = *told != *found;
        *told = found.to_vec();
        is_news
    }

    /// Asks to look at mods that play together.
    pub fn look(&self, mods: Vec<Name>) {
        // Who has stopped looking is not asked again.
        let _ = self.asked.send(LookRequest::Whole(mods));
    }

    /// What looks wrong in the mods now that one file was saved, if that is other
    /// than it was and soon told.
    fn first_word(&self, files: Vec<PathBuf>) -> Option<Findings> {
        // Nothing is left in between: what comes too late is told on its own.
        let (sender, answer) = sync_channel(0);
        self.asked.send(LookRequest::First(files, sender)).ok()?;
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
    reported: Reported,
}

impl Eyes {
    fn new(folders: Vec<PathBuf>, reported: Reported) -> Eyes {
        let kept_in = cache().map(|folder| folder.join("checked"));
        Eyes {
            folders,
            kept_in,
            looker: Looker::default(),
            seen: None,
            reported,
        }
    }

    /// Looks until nobody asks any more; tells what has changed since it told last.
    fn look(&mut self, asks: &Receiver<LookRequest>, signals: &Sender<Signal>) {
        while let Ok(asked) = asks.recv() {
            match asks.try_iter().last().unwrap_or(asked) {
                LookRequest::First(files, sender) => {
                    let Some(found) = self.first(&files) else {
                        continue;
                    };
                    // Who asked may have waited long enough; it is told all the same.
                    if let Err(SendError(found)) = sender.send(found)
                        && signals.send(Signal::Found(found)).is_err()
                    {
                        return;
                    }
                }
                LookRequest::Whole(mods) => {
                    if let Some(found) = self.whole(mods)
                        && signals.send(Signal::Found(found)).is_err()
                    {
                        return;
                    }
                    self.make_ready();
                }
            }
        }
    }

    /// What looks wrong in all of the mods, if that is other than was told.
    fn whole(&mut self, mods: Vec<Name>) -> Option<Findings> {
        let workshop = match self.seen.as_ref().filter(|(seen, _)| *seen == mods) {
            Some((_, seen)) => seen
                .read_again(&mods)
                .unwrap_or_else(|| seen.read_in_place(&mods, &self.folders).0),
            None => Workshop::open(&self.folders).0,
        };
        let wanted = LintRequest {
            file: None,
            kept_in: self.kept_in.as_deref(),
        };
        let found = self
            .looker
            .look(&workshop, std::slice::from_ref(&mods), wanted);
        let is_news = self.is_news(&found);
        let found = is_news.then(|| Findings::of(found, &mods, &workshop));
        self.seen = Some((mods, workshop));
        found
    }

    fn is_news(&self, found: &[Fault]) -> bool {
        *self.reported.lock().unwrap_or_else(PoisonError::into_inner) != *found
    }

    /// Loads what the next save is checked by, while nobody waits.
    fn make_ready(&mut self) {
        if let Some((mods, workshop)) = &self.seen {
            self.looker.make_ready(workshop, mods);
        }
    }

    /// What looks wrong after a save of one file, if that is other than was told,
    /// unless others must be read for that.
    fn first(&mut self, files: &[PathBuf]) -> Option<Findings> {
        let (mods, before) = self.seen.as_ref()?;
        let (workshop, module, file) = saved(mods, before, files)?;
        let found = self
            .looker
            .look_first(&workshop, [&module, &file], self.kept_in.as_deref());
        let found = found.filter(|found| self.is_news(found))?;
        Some(Findings::of(found, mods, &workshop))
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
            Some(found) => self.found(found),
            None => Ok(()),
        }
    }

    /// Tells what looks wrong in the files, unless something else stands in them by
    /// now: then they are looked at again.
    ///
    /// # Errors
    /// When nobody reads it.
    pub(super) fn found(&mut self, found: Findings) -> Result<(), Failure> {
        if found.are_stale() {
            return self.look_at_mods();
        }
        let faults = &found.faults;
        let is_news = |looking: &BackgroundCheck| looking.is_news(faults);
        if !self.looking.as_ref().is_some_and(is_news) {
            return Ok(());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_in_other_text_is_not_told() {
        let name = format!("houserule-looking-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let write = |path: &str, text: &str| {
            let path = folder.join("m").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "mod.ron",
            "Mod(id: \"m\", version: \"1.0.0\", title: \"t\", engine: \"0.1\")",
        );
        // It does not ask for strict types.
        write("rules/a.luau", "local a = 1\nreturn a\n");
        let reported = Reported::default();
        let mut eyes = Eyes::new(vec![folder.clone()], reported.clone());
        let mods = || vec![Name::from("m")];
        let found = eyes.whole(mods()).unwrap();
        assert!(!found.faults.is_empty() && !found.are_stale());
        write("rules/a.luau", "local b = 1\nreturn b\n");
        assert!(found.are_stale());
        let again = eyes.whole(mods()).unwrap();
        assert!(!again.are_stale(), "what was not told is found again");
        *reported.lock().unwrap() = again.faults;
        assert!(eyes.whole(mods()).is_none(), "what was told is not");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
