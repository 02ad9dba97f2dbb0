//! Looks at mods as they are saved, beside the game: what looks wrong in their
//! files is told while it goes on.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

use houserule::kernel::error::Fault;
use houserule::kernel::value::Name;
use houserule::workshop::Workshop;
use houserule::{LintRequest, Looker};

use super::hearing::Signal;
use super::session::Session;
use crate::config::cache;
use crate::desk::Failure;
use crate::diagnostics::Severity;

/// Somebody who looks at mods when asked to.
pub(super) struct BackgroundCheck {
    asked: Sender<Vec<Name>>,
}

impl BackgroundCheck {
    /// Begins to look at the mods in some folders.
    pub fn begin(folders: Vec<PathBuf>, signals: Sender<Signal>) -> BackgroundCheck {
        let (asked, asks) = channel();
        std::thread::spawn(move || look(&folders, &asks, &signals));
        BackgroundCheck { asked }
    }

    /// Asks to look at mods that play together.
    pub fn look(&self, mods: Vec<Name>) {
        // Who has stopped looking is not asked again.
        let _ = self.asked.send(mods);
    }
}

/// Looks until nobody asks any more; tells what has changed since it told last.
fn look(folders: &[PathBuf], asks: &Receiver<Vec<Name>>, signals: &Sender<Signal>) {
    let kept = cache().map(|folder| folder.join("checked"));
    let mut looker = Looker::default();
    let mut told: Vec<Fault> = Vec::new();
    while let Ok(mods) = asks.recv() {
        let mods = asks.try_iter().last().unwrap_or(mods);
        let (workshop, _) = Workshop::open(folders);
        let wanted = LintRequest { file: None, kept_in: kept.as_deref() };
        let found = looker.look(&workshop, &[mods], wanted);
        if found == told {
            continue;
        }
        told.clone_from(&found);
        if signals.send(Signal::Found(found)).is_err() {
            return;
        }
    }
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
