//! Mods that are saved while a match goes on.

use super::Server;

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
            return false;
        }
        match table.reload_to(&now, past, "referee") {
            Ok(reloaded) => self.tell_reloaded(&reloaded, None),
            Err(trouble) => self.tell_trouble(&trouble, true),
        }
        self.tell();
        false
    }
    /// Lets go of what a reload has left: for when those who are connected have
    /// been sent what it did.
    pub fn tidy(&mut self) {
        if let Some(table) = &mut self.table {
            table.tidy();
        }
    }
}
