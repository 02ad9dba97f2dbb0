//! The record of a match in files: the journal, line by line, and beside it
//! the sources of everything that the match was played by.
//!
//! ```text
//! houserule journal 2
//! selector skirmish
//! scenario hill 5b0c…
//! seed 1996
//! mod skirmish 1.0.0 91e2…
//! engine 0.1.0
//! --- 77ab01c2d3e4f506
//! 1 8d20b7… begin = 51ee… 90ab…
//! 2 3f9a0c… act red skirmish.fire @gun-1 {target = @rifles-2} = 0c44… 7f31…
//! ```
//!
//! What stands after ` = ` is a [`Mark`]: it covers the state that the line
//! came to, and the events that were told until then.
//!
//! The kernel encodes inputs and chains lines; this module keeps them in
//! files and knows no rule. Read [`JournalHeader`], [`Journal`] (writing),
//! [`JournalFile`] (reading), [`Store`] (sources).

mod free;
mod header;
mod journal;
mod mark;
mod reading;
mod store;
#[cfg(test)]
mod tests;

pub use free::FreeJournal;
pub use header::{ENGINE, FIRST_WORDS, JournalHeader, ModRecord};
pub use journal::{
    Durability, Journal, RulesRecord, begin_line, end_line, fault_line, fault_line_of, input_line,
    player_line, reload_line, undo_line,
};
pub use mark::{Mark, ShownMark};
pub use reading::{JournalFile, JournalLine, Played};
pub use store::{ContentHash, Files, KeptSources, Store, content_hash};

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rules::printable::one_line;
use rules::whole;

/// Takes away what somebody who was killed has left half written of a journal or a save:
/// of the file itself, and of what is kept beside it.
pub fn tidy_beside(path: &Path) {
    whole::tidy_beside(path);
    Store::beside(path).tidy();
}

/// Larger files than this are not what they claim to be.
const MOST_BYTES: u64 = 256 << 20;

/// All bytes of a file, or in words why not.
fn read_all(file: &mut File) -> Result<Vec<u8>, String> {
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("expected a file, found a folder or a device".into());
    }
    let too_large = || {
        format!(
            "expected at most {} MiB, found a larger file",
            MOST_BYTES >> 20
        )
    };
    if metadata.len() > MOST_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        Err(too_large())
    } else {
        Ok(bytes)
    }
}

/// Whether a text is so many hexadecimal digits in lower case.
fn is_hash(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}
