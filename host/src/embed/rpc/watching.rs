//! Mods that are saved while a match goes on.

use super::Server;
use crate::embed::Tabletop;

/// A save that is half done is looked at again so often before it is taken as
/// it is.
const MOST_LOOKS: u32 = 6;

impl Server {
    /// Files in the folders have changed: reloads, if the host wants that.
    /// True if one of them is only half written, so that it is worth to look
    /// again a moment later. What stays so is taken as it is.
    pub fn files_changed(&mut self) -> bool {
        let (Some(past), Some(table)) = (self.watching, self.table.as_mut()) else {
            return false;
        };
        let now = table.mods_now();
        if self.looks < MOST_LOOKS && table.is_half_saved(&now) {
            self.looks += 1;
            return true;
        }
        self.looks = 0;
        if !table.is_outdated(&now) {
            if std::mem::take(&mut self.is_behind) {
                let as_before = table.as_before(past);
                self.tell_reloaded(&as_before, None);
            }
            return false;
        }
        let outcome = table.reload_to(&now, past, "referee");
        self.is_behind = outcome.is_err();
        match outcome {
            Ok(reloaded) => self.tell_reloaded(&reloaded, None),
            Err(trouble) => self.tell_trouble(&trouble, true),
        }
        self.tell();
        false
    }

    /// Lets the match note what saves are held against, where any are watched for.
    pub(super) fn expect_saves(&mut self) {
        if let (Some(_), Some(table)) = (self.watching, &mut self.table) {
            // Where its beginning breaks off by now, the next save plays all again.
            let _ = table.expect_reloads();
        }
    }

    /// Whether the next save would take longer than it must: see [`Server::warm_up`].
    pub fn is_cold(&self) -> bool {
        self.watching.is_some() && self.table.as_ref().is_some_and(Tabletop::is_cold)
    }

    /// Makes the match ready for the next save: for when nobody waits.
    pub fn warm_up(&mut self) {
        if let (Some(_), Some(table)) = (self.watching, &mut self.table) {
            table.warm_up();
        }
    }

    /// Lets go of what a reload has left: for when those who are connected have
    /// been sent what it did.
    pub fn tidy(&mut self) {
        if let Some(table) = &mut self.table {
            table.tidy();
        }
    }
}
