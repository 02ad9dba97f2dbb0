//! The trace of what runs: the functions that it enters and leaves, with what
//! they were given and gave back, the clauses, options and rows that they look
//! up, and the events that they bring about.
//!
//! There is one trace, told where things happen: by the watcher of the machine
//! of scripts, and by `Call::trace` in the contract. What anybody wants to know
//! is a fold over it, and nothing is told that nobody wants:
//!
//! | who wants to know | keeps |
//! |---|---|
//! | why, and which function refused | all notes of a step, in order |
//! | coverage, a reload, what a clause changes | the marks, each once |
//! | what rules cost | sums, by rule, clause and table |
//!
//! What answers rest on is no part of it: the kernel notes each read of the game
//! with its stamp, for every rule that only reads, always ([`kernel::query`]).

use std::cell::{Cell, RefCell};
use std::mem;

use kernel::value::{Name, Value};

/// One thing that a step did.
#[derive(Clone, PartialEq, Debug)]
pub enum Note {
    /// A function of a rule was entered, by its number in the rulebook.
    Enter {
        /// The function.
        layer: u32,
        /// What it was given, in the order of the signature.
        args: Vec<Value>,
    },
    /// The function entered last came to its end.
    Leave {
        /// What it gave; a refusal as its reason, an allowance as true.
        result: Value,
    },
    /// An event: how many the game had noted before it.
    Event(usize),
    /// A clause was asked for.
    Clause(Name, bool),
    /// An option was read.
    Option(Name, Value),
    /// A row of a table was read: the table and the key.
    Row(Name),
    /// A step was put on the agenda.
    Push(Name),
    /// A window was opened.
    Open(Name),
    /// A die was shifted on a ladder.
    Ladder(Name),
}

impl Note {
    /// The mark of what was reached by it, if it has one.
    pub fn mark(&self) -> Option<Name> {
        match self {
            Note::Clause(mark, _) | Note::Row(mark) | Note::Ladder(mark) => Some(mark.clone()),
            Note::Open(window) => Some(Name::from(format!("window {window}"))),
            Note::Enter { .. }
            | Note::Leave { .. }
            | Note::Event(_)
            | Note::Option(..)
            | Note::Push(_) => None,
        }
    }
}

/// A step that ran to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct StepTrace {
    /// The rule that it ran.
    pub rule: Name,
    /// What it did, in order.
    pub notes: Vec<Note>,
}

/// Notes what steps do, while somebody wants to know.
#[derive(Debug, Default)]
pub struct Recorder {
    is_wanted: Cell<bool>,
    running: RefCell<Option<StepTrace>>,
    done: RefCell<Vec<StepTrace>>,
}

impl Recorder {
    /// Whether steps are noted from now on.
    pub fn want(&self, is_wanted: bool) {
        self.is_wanted.set(is_wanted);
    }

    /// Whether steps are noted.
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.get()
    }

    /// Whether a step is being noted.
    pub fn is_running(&self) -> bool {
        self.running.borrow().is_some()
    }

    /// A step begins, or begins again with one more answer.
    pub fn begin(&self, rule: &Name) {
        *self.running.borrow_mut() = Some(StepTrace {
            rule: rule.clone(),
            notes: Vec::new(),
        });
    }

    /// The step is over; one that did not come to its end is forgotten.
    pub fn end(&self, is_done: bool) {
        let step = self.running.borrow_mut().take();
        if is_done {
            self.done.borrow_mut().extend(step);
        }
    }

    /// The step is over, and was noted only to be looked at now.
    pub fn cut(&self) -> Vec<Note> {
        self.running
            .borrow_mut()
            .take()
            .map(|step| step.notes)
            .unwrap_or_default()
    }

    /// Notes what the running step does.
    pub fn note(&self, note: Note) {
        if let Some(step) = self.running.borrow_mut().as_mut() {
            step.notes.push(note);
        }
    }

    /// The steps that were noted since this was last called.
    pub fn take(&self) -> Vec<StepTrace> {
        mem::take(&mut self.done.borrow_mut())
    }
}

/// The innermost function that gave a reason, of those whose reason went all
/// the way out, by its number.
pub fn innermost_of_reason(notes: &[Note], reason: &str) -> Option<u32> {
    // Of each function that is running: itself, and the last that it called and
    // that gave the reason.
    let mut running: Vec<(u32, Option<u32>)> = Vec::new();
    let mut outermost = None;
    for note in notes {
        match note {
            Note::Enter { layer, .. } => running.push((*layer, None)),
            Note::Leave { result } => {
                let (layer, inner) = running.pop()?;
                if result.as_text().is_some_and(|text| *text == *reason) {
                    let source = Some(inner.unwrap_or(layer));
                    match running.last_mut() {
                        Some((_, last)) => *last = source,
                        None => outermost = source,
                    }
                }
            }
            _ => {}
        }
    }
    outermost
}

#[cfg(test)]
mod tests {
    use super::{Note, innermost_of_reason};
    use kernel::value::Value;

    fn enter(layer: u32) -> Note {
        Note::Enter {
            layer,
            args: Vec::new(),
        }
    }

    fn leave(reason: &str) -> Note {
        Note::Leave {
            result: if reason.is_empty() {
                Value::None
            } else {
                Value::text(reason)
            },
        }
    }

    #[test]
    fn the_reason_is_of_the_function_in_which_it_began() {
        let notes = [
            enter(1),
            enter(2),
            leave("too far"),
            enter(3),
            enter(4),
            leave("too far"),
            leave("too far"),
            leave("too far"),
        ];
        assert_eq!(innermost_of_reason(&notes, "too far"), Some(4));
    }

    #[test]
    fn a_reason_that_somebody_swallowed_is_nobodys() {
        let notes = [enter(1), enter(2), leave("too far"), leave("not its turn")];
        assert_eq!(innermost_of_reason(&notes, "too far"), None);
        assert_eq!(innermost_of_reason(&notes, "not its turn"), Some(1));
    }
}
