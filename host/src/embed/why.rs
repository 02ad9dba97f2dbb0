//! Why something came out as it did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Tabletop, Trouble};
use crate::explain::WhyLine;

/// One line of the tree behind an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WhyAbout {
    /// How far it is from the root.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// The printed source, or nothing.
    pub source: String,
}

impl From<WhyLine> for WhyAbout {
    fn from(line: WhyLine) -> WhyAbout {
        WhyAbout { depth: line.depth, text: line.text, source: line.source }
    }
}

impl Tabletop {
    /// From now on what rules do is noted, or no longer.
    pub fn explain(&mut self, is_wanted: bool) {
        self.is_explaining = is_wanted;
        self.game.rulebook().explain(is_wanted);
    }

    /// The tree behind an event, by its number for the referee: rules with
    /// what they were given and gave, clauses that changed them, tables,
    /// options, dice and chits. `whole` shows every rule that was called.
    ///
    /// It may tell what a side may not know: it is for the referee.
    ///
    /// # Errors
    /// When there is no such event, or nothing was noted as it happened.
    pub fn why(&self, event: u32, whole: bool) -> Result<Vec<WhyAbout>, Trouble> {
        let place = (event as usize).checked_sub(1).filter(|place| *place < self.game.told().len());
        let Some(place) = place else {
            let count = self.game.told().len();
            return Err(Trouble::refusal(
                "why",
                format!("expected an event from 1 to {count}, found {event}"),
            ));
        };
        let lines = self.game.why_lines(place, self.unit(), whole);
        if lines.is_empty() {
            let text = self.game.event_text(place, self.unit());
            let reason = match self.is_explaining {
                true => format!("no rule told event {event}, the game itself did: {text}"),
                false => "nothing was noted: the match was started without explaining".to_string(),
            };
            return Err(Trouble::refusal("why", reason));
        }
        Ok(lines.into_iter().map(WhyAbout::from).collect())
    }

    /// The tree behind the step that told an event, if that was its last one.
    pub fn why_step(&self, event: u32) -> Vec<WhyAbout> {
        let Some(place) = (event as usize).checked_sub(1) else { return Vec::new() };
        if place >= self.game.told().len() || !self.game.ends_step(place) {
            return Vec::new();
        }
        self.game.step_lines(place, self.unit()).into_iter().map(WhyAbout::from).collect()
    }
}
