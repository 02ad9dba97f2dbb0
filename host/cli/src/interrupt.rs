//! Ctrl-C: every decision is in the journal before it is made, so there is
//! nothing to save; but the player wants to know.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anstream::eprintln;

use crate::paint::printed;

/// The exit code of a program that was stopped from the keyboard.
pub const STOPPED: u8 = 130;

/// Where the game in play is kept.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// From now on Ctrl-C tells where the game is kept.
pub fn keeps_what_it_has(journal: &Path) {
    let path = journal.display().to_string();
    let is_first = KEPT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .replace(path)
        .is_none();
    if !is_first {
        return;
    }
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(move || {
        if let Some(path) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            eprintln!(
                "\n{}",
                printed(&format!("stopped; the game so far is kept in {path}"))
            );
        }
        std::process::exit(STOPPED.into());
    });
}

/// From now on Ctrl-C ends the process with a word: for what has nothing to show
/// before its end.
pub fn stops_with(word: &'static str) {
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(move || {
        eprintln!("\n{word}");
        std::process::exit(STOPPED.into());
    });
}

/// Whether Ctrl-C was pressed since somebody listens for it.
pub struct Interrupted(&'static AtomicBool);

static PRESSED: AtomicBool = AtomicBool::new(false);

impl Interrupted {
    /// Whether it was.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// From now on Ctrl-C is heard by the command, which stops with what it has;
/// pressed again, it ends the process.
pub fn interrupted() -> Interrupted {
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(|| {
        if PRESSED.swap(true, Ordering::Relaxed) {
            std::process::exit(STOPPED.into());
        }
    });
    Interrupted(&PRESSED)
}
