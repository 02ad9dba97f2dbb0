//! Ctrl-C: every decision is in the journal before it is made, so there is
//! nothing to save; but the player wants to know. It is heard from the start of
//! the process on, so that no command is ended without a word while it reads mods.
//! Whoever runs many commands ends them by `SIGTERM`: that is heard in the same way,
//! and the exit code says which of the two it was.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "when a key was pressed is no part of a game"
)]
use std::time::Instant;

use anstream::eprintln;
#[cfg(unix)]
use signal_hook::consts::{SIGTERM, SIGXFSZ};
#[cfg(unix)]
use signal_hook::iterator::Signals;

use crate::logging;
use crate::paint::printed;

/// The exit code of a program that was stopped from the keyboard, by the signal SIGINT.
const BY_KEY: u8 = 128 + 2;

/// The exit code of one that was stopped by SIGTERM.
#[cfg(unix)]
const BY_SIGNAL: u8 = 128 + 15;

/// The exit code by which shells know what has stopped the process.
static CODE: AtomicU8 = AtomicU8::new(BY_KEY);

/// The exit code of a command that was stopped.
pub fn exit_code() -> u8 {
    CODE.load(Ordering::Relaxed)
}

/// What Ctrl-C does now.
enum OnInterrupt {
    /// It ends the process with a word.
    Says(String),
    /// The command hears of it and stops with what it has; pressed again, it ends the process.
    IsHeard,
}

static NOW: Mutex<OnInterrupt> = Mutex::new(OnInterrupt::Says(String::new()));

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Within this time nobody presses twice: what started the command passes on what
/// the terminal has sent to both.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// From now on Ctrl-C ends the process with a word, until a command says what else it does.
pub fn begin() {
    stops_with("stopped before it was done");
    // Without a handler the process stops as well, only without a word.
    let _ = ctrlc::set_handler(presses(BY_KEY));
    #[cfg(unix)]
    // A file that may grow no further is told where it is written, like a full disk.
    if let Ok(mut signals) = Signals::new([SIGTERM, SIGXFSZ]) {
        let mut ended = presses(BY_SIGNAL);
        std::thread::spawn(move || {
            let wanted = signals.forever().filter(|signal| *signal == SIGTERM);
            wanted.for_each(|_| ended());
        });
    }
}

/// What becomes of the process each time somebody wants it to stop; it then ends with
/// that code.
#[expect(clippy::disallowed_types, reason = "see above")]
fn presses(code: u8) -> impl FnMut() + Send + 'static {
    let mut first = None;
    move || {
        CODE.store(code, Ordering::Relaxed);
        if let OnInterrupt::Says(word) = &*NOW.lock().unwrap_or_else(PoisonError::into_inner) {
            eprintln!("\n{}", printed(word));
            logging::end();
            std::process::exit(code.into());
        }
        PRESSED.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_PRESS {
            logging::end();
            std::process::exit(code.into());
        }
    }
}

fn from_now_on(what: OnInterrupt) {
    *NOW.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

/// From now on Ctrl-C tells where the game is kept, or that it is not.
pub fn keeps_what_it_has(journal: Option<&Path>) {
    stops_with(&match journal {
        Some(path) => format!("stopped; the game so far is kept in {}", path.display()),
        None => "stopped; this game was kept nowhere".into(),
    });
}

/// From now on Ctrl-C ends the process with a word: for what has nothing to show
/// before its end.
pub fn stops_with(word: &str) {
    from_now_on(OnInterrupt::Says(word.into()));
}

/// Whether Ctrl-C was pressed since somebody listens for it.
pub struct Interrupted(&'static AtomicBool);

impl Interrupted {
    /// Whether it was.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// From now on Ctrl-C is heard by the command, which stops with what it has;
/// pressed again, it ends the process.
pub fn interrupted() -> Interrupted {
    from_now_on(OnInterrupt::IsHeard);
    Interrupted(&PRESSED)
}
