//! Ctrl-C: every decision is in the journal before it is made, so there is
//! nothing to save; but the player wants to know.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "when a key was pressed is no part of a game"
)]
use std::time::Instant;

use anstream::eprintln;

use crate::paint::printed;

/// The exit code of a program that was stopped from the keyboard.
pub const STOPPED: u8 = 130;

/// What becomes of the game in play, in words.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// From now on Ctrl-C tells where the game is kept, or that it is not.
pub fn keeps_what_it_has(journal: Option<&Path>) {
    let word = match journal {
        Some(path) => format!("stopped; the game so far is kept in {}", path.display()),
        None => "stopped; this game was kept nowhere".into(),
    };
    let is_first = KEPT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .replace(word)
        .is_none();
    if !is_first {
        return;
    }
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(move || {
        if let Some(word) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            eprintln!("\n{}", printed(word));
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

/// Within this time nobody presses twice: what started the command passes on what
/// the terminal has sent to both.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// From now on Ctrl-C is heard by the command, which stops with what it has;
/// pressed again, it ends the process.
#[expect(clippy::disallowed_types, reason = "see above")]
pub fn interrupted() -> Interrupted {
    let mut first = None;
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(move || {
        PRESSED.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_PRESS {
            std::process::exit(STOPPED.into());
        }
    });
    Interrupted(&PRESSED)
}
