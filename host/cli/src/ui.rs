//! What every command works with: the mods, and where to print.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use anstream::eprintln;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::printable;
use houserule::workshop::Workshop;
use serde_json::{Value as Json, json};

use crate::config::mod_folders;
use crate::diagnostics::{Picture, Severity, fault_json, one_line, pictures};
use crate::failure::Failure;
use crate::globals::{Format, Globals};
use crate::interrupt;
use crate::paint::{Paint, printed, rows};

/// Lines are this wide where nobody looks, so that the same game gives the
/// same bytes anywhere.
const PLAIN_WIDTH: usize = 110;

/// In a terminal of fewer columns lines are broken by the terminal itself, and in a wider one they are no longer
/// than this.
const NARROWEST: usize = 32;
const WIDEST: usize = 140;

/// How wide lines are in a terminal of so many columns: its last one stays free.
fn line_of(columns: u16) -> usize {
    usize::from(columns)
        .saturating_sub(1)
        .clamp(NARROWEST, WIDEST)
}

/// Of what is left out so much is told; the rest is counted.
const MOST_LEFT_OUT: usize = 8;

impl Failure {
    /// Tells it before there is a `Ui`.
    pub fn report_without_ui(self, format: Format) -> ExitCode {
        let faults = match &self {
            Failure::Faults(faults) => faults,
            Failure::Usage(text) => {
                match format {
                    Format::Json => print_misuse(text),
                    _ => eprintln!("{}", printed(&error_text(text))),
                }
                return ExitCode::from(2);
            }
            _ => return ExitCode::FAILURE,
        };
        for fault in faults {
            match format {
                Format::Json => print_json(&fault_json(fault, Severity::Error)),
                _ => {
                    eprintln!("{}", printed(&one_line(fault)));
                    if let Some(hint) = &fault.hint {
                        eprintln!("{}", printed(&format!("  hint: {hint}")));
                    }
                }
            }
        }
        ExitCode::FAILURE
    }
}

/// What went wrong, as it is told.
fn error_text(text: &str) -> String {
    format!("{} {}", "error:".red().bold(), printable::lines(text))
}

/// Tells how the command was used wrongly, to a program.
pub fn print_misuse(message: &str) {
    print_json(&json!({ "type": "usage", "message": message }));
}

/// A line of JSON before there is a `Ui`; who has stopped reading misses it.
fn print_json(json: &Json) {
    let text = json.to_string();
    let _ = writeln!(io::stdout(), "{}", printable::json(&text));
}

/// The mods, and where to print.
pub struct Ui {
    /// All mods that were found.
    pub workshop: Rc<Workshop>,
    /// The folders that they were found in.
    pub folders: Vec<PathBuf>,
    /// What is wrong with mods and files that are left out.
    pub broken: Vec<Fault>,
    /// How to print.
    pub format: Format,
    /// How wide lines are: a letter less than the terminal, which else breaks
    /// a full line on some.
    pub width: usize,
    /// The same where somebody looks at a terminal: there lines are broken between words.
    columns: Option<usize>,
    out: BufWriter<anstream::AutoStream<io::Stdout>>,
}

impl Ui {
    /// Reads all mods; of those that take no part only what they offer, where
    /// somebody `only_plays`.
    ///
    /// # Errors
    /// A config file that cannot be read.
    pub fn open(globals: &Globals, only_plays: bool) -> Result<Ui, Failure> {
        let folders = mod_folders(&globals.mods)?;
        let open = if only_plays {
            Workshop::open_to_play
        } else {
            Workshop::open
        };
        let (workshop, broken) = open(&folders);
        let is_terminal = io::stdout().is_terminal();
        let terminal = terminal_size::terminal_size().filter(|_| is_terminal);
        let columns = terminal.map(|(width, _)| line_of(width.0));
        let out = BufWriter::new(anstream::AutoStream::auto(io::stdout()));
        Ok(Ui {
            workshop: Rc::new(workshop),
            folders,
            broken,
            format: globals.format,
            width: columns.unwrap_or(PLAIN_WIDTH),
            columns: columns.filter(|_| globals.format == Format::Text),
            out,
        })
    }

    /// How wide lines are on a terminal that somebody looks at; nothing elsewhere.
    pub fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Whether output is for programs.
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints a line, on a terminal in as many rows as it takes. Colours are our
    /// own; whatever else is in it is made printable.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn line(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        match self.columns {
            None => self.drawn(line),
            Some(columns) => rows(&line.to_string(), columns)
                .iter()
                .try_for_each(|row| writeln!(self.out, "{row}")),
        }
    }

    /// Prints a line in one row, however long: of a map, or of a table, whose columns stand below each other.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn drawn(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{}", printed(&line.to_string()))
    }

    /// Prints a text of several lines, each in one row.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn lines(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        let text = text.to_string();
        let mut lines = text
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line));
        lines.try_for_each(|line| self.drawn(line.replace('\t', "    ")))
    }

    /// Prints what is printable already.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn picture(&mut self, picture: &Picture) -> io::Result<()> {
        writeln!(self.out, "{picture}\n")
    }

    /// Prints a part of a page, however long its lines are.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn page(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", printable::lines(text))
    }

    /// Hands a file to the program that asks for it, letter for letter; on a terminal, where
    /// people look at it, it is printed as a page.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn file(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() {
            return self.page(text.strip_suffix('\n').unwrap_or(text));
        }
        self.out.flush()?;
        io::stdout().write_all(text.as_bytes())
    }

    /// Prints a page in Markdown; where somebody reads it on a terminal, with those lines
    /// broken that are no rows of a table.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn markdown(&mut self, text: &str) -> io::Result<()> {
        if self.columns.is_none() {
            return self.page(text);
        }
        text.lines()
            .try_for_each(|line| match line.starts_with('|') {
                true => self.drawn(line),
                false => self.line(line),
            })
    }

    /// Prints JSON on a line of its own.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn json(&mut self, json: &Json) -> io::Result<()> {
        writeln!(self.out, "{}", printable::json(&json.to_string()))
    }

    /// Prints JSON for programs that people look at too.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn document(&mut self, json: &Json) -> io::Result<()> {
        writeln!(self.out, "{}", printable::json(&format!("{json:#}")))
    }

    /// Hands everything printed so far over.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// A remark beside the output.
    pub fn note(&mut self, text: &str) {
        // Order between the two outputs matters to who reads both.
        let _ = self.flush();
        told_beside(&format!("{} {text}", "note:".cyan().bold()));
    }

    /// Prints faults beside the output, or as JSON in it.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn faults(&mut self, faults: &[Fault], severity: Severity) -> io::Result<()> {
        if self.is_json() {
            return faults
                .iter()
                .try_for_each(|fault| self.json(&fault_json(fault, severity)));
        }
        self.flush()?;
        for picture in pictures(faults, severity, &self.workshop, self.width) {
            eprintln!("{picture}");
        }
        Ok(())
    }

    /// Says what is left out because it cannot be read, once: a line for each,
    /// beside the output, or as JSON in it.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell_left_out(&mut self) -> io::Result<()> {
        if self.is_json() {
            let broken = std::mem::take(&mut self.broken);
            return self.faults(&broken, Severity::Warning);
        }
        self.note_broken();
        Ok(())
    }

    /// The same for a command that prints one document.
    pub fn note_broken(&mut self) {
        let broken = std::mem::take(&mut self.broken);
        self.note_left_out(&broken);
    }

    /// Notes that something is left out for these faults.
    pub fn note_left_out(&mut self, broken: &[Fault]) {
        for fault in broken.iter().take(MOST_LEFT_OUT) {
            self.note(&format!("left out: {}", one_line(fault)));
        }
        let rest = broken.len().saturating_sub(MOST_LEFT_OUT);
        if rest > 0 {
            self.note(&format!(
                "and {rest} more are left out: `houserule check` tells of each"
            ));
        }
    }

    /// Tells a failure, and which code to exit with.
    pub fn tell(&mut self, failure: Failure) -> ExitCode {
        let outcome = match failure {
            Failure::Output(error) => Err(error),
            Failure::Faults(faults) => {
                // What could not be read may be why something is not there.
                let mut broken = std::mem::take(&mut self.broken);
                broken.extend(self.workshop.manifests().faults().cloned());
                let faults = without_what_follows(&self.workshop, &broken, faults);
                broken.retain(|fault| !faults.contains(fault));
                let severity = match faults.is_empty() {
                    true => Severity::Error,
                    false => Severity::Warning,
                };
                self.faults(&broken, severity)
                    .and_then(|()| self.faults(&faults, Severity::Error))
            }
            Failure::Plain(text) => self.say("error", &text),
            Failure::Usage(text) => {
                let _ = self.say("usage", &text);
                return ExitCode::from(2);
            }
            Failure::Reported => Ok(()),
            Failure::Stopped => {
                let _ = self.flush();
                return ExitCode::from(interrupt::exit_code());
            }
        };
        match outcome.and_then(|()| self.flush()) {
            Ok(()) => ExitCode::FAILURE,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}", printed(&format!("error: cannot print: {error}")));
                ExitCode::FAILURE
            }
        }
    }

    fn say(&mut self, kind: &str, text: &str) -> io::Result<()> {
        if self.is_json() {
            return self.json(&json!({ "type": kind, "message": text }));
        }
        self.flush()?;
        error_text(text).split('\n').for_each(told_beside);
        Ok(())
    }
}

/// Tells a line beside the output, on a terminal in as many rows as it takes.
fn told_beside(line: &str) {
    match terminal_size::terminal_size_of(io::stderr()) {
        None => eprintln!("{}", printed(line)),
        Some((width, _)) => rows(line, line_of(width.0))
            .iter()
            .for_each(|row| eprintln!("{row}")),
    }
}

/// Without faults which say no more than that something is in no mod, where there
/// is no mod at all, for a reason that is told.
pub fn without_what_follows(
    workshop: &Workshop,
    reasons: &[Fault],
    mut faults: Vec<Fault>,
) -> Vec<Fault> {
    if workshop.is_empty() && !reasons.is_empty() {
        let is_missing = [FaultCode::BadScenario, FaultCode::UnknownMod];
        faults.retain(|fault| fault.place.is_some() || !is_missing.contains(&fault.code));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_into_a_narrow_terminal() {
        let widths = [0, 33, 40, 80, 500].map(line_of);
        assert_eq!(widths, [32, 32, 39, 79, 140]);
    }
}
