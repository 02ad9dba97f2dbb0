//! Ctrl-C: every decision is in the journal before it is made, so there is
//! nothing to save; but the player wants to know.

use std::path::Path;

use anstream::eprintln;

/// The exit code of a program that was stopped from the keyboard.
const STOPPED: i32 = 130;

/// From now on Ctrl-C tells where the game is kept.
pub fn keeps_what_it_has(journal: &Path) {
    let path = journal.display().to_string();
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(move || {
        eprintln!("\nstopped; the game so far is kept in {path}");
        std::process::exit(STOPPED);
    });
}
