//! Keeping what was played as a test: a scenario with a script.

use analysis::moment::{Keeping, KeptMoment, Moment, NotKept, keep};
use kernel::record::decode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Tabletop, Trouble};
use crate::case::{KeptCase, case_of, title_of};
use crate::play::Match;
use crate::scenario::{Heading, Scenario, line_of, run_script, set_up, with_script};
use crate::types::Unit;

/// What a test is to be called.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestRequest {
    /// Its id: one word of lower case letters, digits, `-` and `_`.
    pub id: String,
    /// Its title; that of the scenario, if it is left out.
    #[serde(default)]
    pub title: Option<String>,
}

/// A game as a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct KeptTest {
    /// Where it belongs in a mod: `scenarios/ID.ron`.
    pub path: String,
    /// The text of that file.
    pub text: String,
    /// How many decisions it makes.
    pub decisions: usize,
}

impl Tabletop {
    /// All that was decided so far, as a scenario whose script does the same by
    /// the rules in force. It was played once, and came to the same state and
    /// told the same.
    ///
    /// # Errors
    /// When it comes out otherwise: since rules were changed and the past left
    /// as it was, or dice were thrown anew. A fault of the rules.
    pub fn as_test(&mut self, wish: &TestRequest) -> Result<KeptTest, Trouble> {
        let script = self.script()?;
        let heading = Heading {
            id: &wish.id,
            title: wish.title.as_deref().unwrap_or(&self.found.scenario.title),
            text: "",
            request: &crate::modset::selector::Request::parse(&self.active.line)?,
            seed: self.header.seed,
            turns: self.game.game().turns(),
            kept: None,
        };
        let text = with_script(&self.found.source, &heading, &script)?;
        let path = format!("scenarios/{}.ron", wish.id);
        let scenario = Scenario::read("", &path, &text)?;
        let mut again = self.begun_anew(&scenario)?;
        run_script(&mut again, &scenario.script)?;
        if again.mark() != self.game.mark() {
            return Err(otherwise());
        }
        Ok(KeptTest { path, text, decisions: script.len() })
    }

    /// An event as a test that shows it, with no more decisions and pieces than
    /// it takes; the last of all without its number, which counts from 1. So
    /// many games are played to shrink it.
    ///
    /// # Errors
    /// When the rules in force do not bring it about again: since rules were
    /// changed on the way. A fault of the rules.
    pub fn record(
        &self,
        wish: &TestRequest,
        event: Option<usize>,
        tries: usize,
    ) -> Result<KeptMoment, Trouble> {
        let moment = self.moment_of(event);
        let title = wish.title.as_deref().unwrap_or(&self.found.scenario.title);
        let keeping = Keeping { id: &wish.id, title, tries, stop: &|| false };
        keep(&moment, &keeping, &mut |_, _, _| ()).map_err(|why| match why {
            NotKept::Faults(faults) => Trouble::from(faults),
            other => Trouble::refusal("recording it", other.to_string()),
        })
    }

    /// An event as a case: the step that brings it about, over the scenario, with what had become otherwise by then
    /// and matters; the last event without its number, which counts from 1.
    ///
    /// # Errors
    /// Why it cannot be a case; a scenario it may be all the same, by [`Tabletop::record`].
    pub fn record_case(
        &self,
        wish: &TestRequest,
        event: Option<usize>,
        tries: usize,
    ) -> Result<KeptCase, String> {
        let moment = self.moment_of(event);
        let title = wish.title.clone().unwrap_or_else(|| title_of(&wish.id, &moment));
        let keeping = Keeping { id: &wish.id, title: &title, tries, stop: &|| false };
        case_of(&self.workshop, None, &moment, &keeping, &mut |_, _| ())
    }

    fn moment_of(&self, event: Option<usize>) -> Moment<'_> {
        let count = self.game.settled_events().len();
        Moment {
            game: &self.game,
            source: &self.found.source,
            selector: &self.active.line,
            turns: self.header.turns,
            event: event.unwrap_or(count).wrapping_sub(1),
            unit: if self.found.scenario.is_metric { Unit::Centimetres } else { Unit::Inches },
        }
    }

    /// The lines that decide what was decided.
    fn script(&self) -> Result<Vec<String>, Trouble> {
        let mut game = self.begun_anew(&self.found.scenario)?;
        let mut lines = Vec::new();
        for said in self.game.said() {
            let input = decode(&said.text, game.game().world()).map_err(|_| otherwise())?;
            lines.push(line_of(&mut game, &input)?);
            game.submit(&input).map_err(|_| otherwise())?;
        }
        Ok(lines)
    }

    fn begun_anew(&self, scenario: &Scenario) -> Result<Match, Trouble> {
        let rulebook = self.game.rulebook().clone();
        let setup = set_up(scenario, &rulebook, self.header.seed, self.header.turns)?;
        Ok(Match::start(rulebook, setup)?)
    }
}

fn otherwise() -> Trouble {
    let reason = "from its first decision on and by the rules in force the game comes out otherwise: rules \
                  were changed on the way and the past was left as it was, or dice were thrown anew";
    Trouble::refusal("keeping it as a test", reason)
}
