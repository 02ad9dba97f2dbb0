//! Why something happened in a match.

use rules::types::Unit;

use crate::explain::{Scene, Why, WhyLine};
use crate::play::Match;

impl Match {
    fn scene(&self) -> Scene<'_> {
        Scene {
            explained: &self.explained,
            rulebook: self.rulebook(),
            events: self.settled_events(),
            game: self.game(),
        }
    }

    /// The tree of rules behind an event, by its place in [`Match::events`]. There
    /// is one for what steps told while the rulebook was explaining
    /// ([`rules::rulebook::Rulebook::explain`]).
    pub fn why(&self, event: usize) -> Option<Why> {
        self.explained.why(&self.rulebook, event)
    }

    /// Whether an event is the last that its step told.
    pub fn ends_step(&self, event: usize) -> bool {
        self.explained.ends_step(event)
    }

    /// The tree behind an event, in lines; whole, or only what has dice,
    /// chits, tables, options, clauses or house rules in it. Nothing if no
    /// step told the event.
    pub fn why_lines(&self, event: usize, unit: Unit, is_whole: bool) -> Vec<WhyLine> {
        self.scene().why_lines(event, unit, is_whole)
    }

    /// The same for nothing but the step that told the event.
    pub fn step_lines(&self, event: usize, unit: Unit) -> Vec<WhyLine> {
        self.scene().step_lines(event, unit)
    }

    /// The lines of the report for an event, for the referee.
    pub fn event_text(&self, event: usize, unit: Unit) -> String {
        self.scene().event_text(event, unit)
    }
}
