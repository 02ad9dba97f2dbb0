//! Taking up the good part of a journal that does not load as a whole.

use std::path::{Path, PathBuf};

use kernel::error::Fault;

use super::{Loaded, Tabletop, Trouble};
use crate::play::{Salvaged, salvage};
use crate::workshop::Workshop;

/// A match as far as its journal comes out as it was recorded.
pub struct Salvage {
    /// The match.
    pub loaded: Loaded,
    /// What is lost; `None` if all of it was loaded.
    pub lost: Option<Lost>,
}

/// What of a journal cannot be played again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The number of the first decision that is lost, from 1.
    pub decision: usize,
    /// How many decisions that stood are lost, as far as they can be read.
    pub decisions: usize,
    /// Why, with the line of the journal.
    pub faults: Vec<Fault>,
}

impl Tabletop {
    /// Loads a match up to the first decision of its journal that was changed
    /// or comes out otherwise. Sources that are not kept beside the journal are
    /// looked for in the folders. The file stays as it is: [`Tabletop::save`]
    /// writes the good part into another, [`Tabletop::keep_journal`] goes on
    /// there.
    ///
    /// # Errors
    /// When nothing can be saved.
    pub fn salvage(path: &Path, folders: &[PathBuf]) -> Result<Salvage, Trouble> {
        let (workshop, _) = Workshop::open(folders);
        let mods: Vec<_> = workshop.sources().values().collect();
        let Salvaged {
            replayed,
            parting,
            decisions,
        } = salvage(path, &mods)?;
        let loaded = Tabletop::from_record(replayed, folders)?;
        let lost = parting.map(|parting| Lost {
            decision: parting.decision,
            decisions: decisions.saturating_sub(loaded.table.standing().decisions),
            faults: parting.faults,
        });
        Ok(Salvage { loaded, lost })
    }
}
