//! What can happen while the table waits: lines that are said, saves, and what
//! was found in them.

use std::io::{self, BufRead, Read as _};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use houserule::modset::files::MARK_OF_ORDER;
use houserule_serve::watching::{AGAIN, QUIET};

use super::looking::Findings;

/// What can happen while the table waits.
pub enum Signal {
    /// Somebody said something.
    Line(String),
    /// Nobody will say anything any more.
    End,
    /// Something was written in the folders of mods: these files, as far as that
    /// was noticed.
    Saved(Vec<PathBuf>),
    /// What looks wrong in their files is other than it was.
    Found(Findings),
}

impl Signal {
    /// Whether it is heeded between two decisions of bots.
    pub(super) fn is_urgent(&self) -> bool {
        matches!(self, Signal::Saved(_) | Signal::Found(_))
    }
}

/// The next thing that happens; none when nothing ever will. A doubtful save
/// is looked at again after a while.
pub(super) fn next_signal(signals: &Receiver<Signal>, is_doubtful: bool) -> Option<Signal> {
    match is_doubtful {
        false => signals.recv().ok(),
        true => match signals.recv_timeout(AGAIN) {
            Ok(signal) => Some(signal),
            Err(RecvTimeoutError::Timeout) => Some(Signal::Saved(Vec::new())),
            Err(RecvTimeoutError::Disconnected) => None,
        },
    }
}

/// A signal that comes soon.
pub(super) fn soon(signals: &Receiver<Signal>) -> Option<Signal> {
    signals.recv_timeout(QUIET).ok()
}

/// A line without what keys such as the arrows send, which a terminal would
/// obey again where the line is quoted.
fn typed(line: &str) -> String {
    let mut text = String::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' && letters.next_if_eq(&'[').is_some() {
            // Up to the letter that ends it.
            letters
                .by_ref()
                .find(|letter| letter.is_ascii_alphabetic() || *letter == '~');
        } else if !letter.is_control() || letter == '\t' {
            text.push(letter);
        }
    }
    text
}

/// No line that is said is longer; the rest of one is another line.
const LONGEST_LINE: u64 = 64 << 10;

/// Hears what is said, line by line, to the end of the input. Bytes that are no
/// text are no reason to stop listening.
pub(super) fn listen(signals: Sender<Signal>) {
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        let mut is_first = true;
        loop {
            let mut bytes = Vec::new();
            match input
                .by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut bytes)
            {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = if is_first {
                line.strip_prefix(MARK_OF_ORDER).unwrap_or(&line)
            } else {
                &line
            };
            is_first = false;
            if signals
                .send(Signal::Line(typed(line.trim_end_matches(['\r', '\n']))))
                .is_err()
            {
                return;
            }
        }
        // Whoever listened may have left already.
        let _ = signals.send(Signal::End);
    });
}
