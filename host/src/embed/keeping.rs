//! Keeping what was played as a test: a scenario with a script.

use analysis::moment::{Keeping, KeptMoment, Moment, NotKept, keep};
use kernel::record::decode;
use kernel::value::is_word;
use kernel::world::Viewer;
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

/// A moment that is to be kept as a case.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseRequest {
    /// Its id: one word of lower case letters, digits, `-` and `_`.
    pub id: String,
    /// Its title; the id and what it shows, if it is left out.
    #[serde(default)]
    pub title: Option<String>,
    /// The event that it must show, by the referee's own number; the last one,
    /// if it is left out.
    #[serde(default)]
    pub event: Option<u32>,
    /// The mod whose test it becomes; that of the scenario, if it is left out.
    #[serde(default, rename = "mod")]
    pub module: Option<String>,
}

/// A moment as a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct KeptAsCase {
    /// Where it belongs in a mod: `tests/ID.luau`.
    pub path: String,
    /// The text of that file.
    pub text: String,
    /// The event, as a report tells it.
    pub shows: String,
    /// How much it sets that had become otherwise since the game began.
    pub changes: usize,
    /// The clauses without which it fails.
    pub cites: Vec<String>,
}

/// So many times a step is run at most to make a case smaller, while the table
/// waits.
const MOST_RUNS: usize = 1_000;

impl Tabletop {
    /// A moment as a case: see [`Tabletop::record_case`]. It passed once, by the
    /// mods as they are now.
    ///
    /// # Errors
    /// Why it cannot be a case; the whole game it may be all the same, by
    /// [`Tabletop::as_test`].
    pub fn as_case(&self, request: &CaseRequest) -> Result<KeptAsCase, Trouble> {
        let not_kept = |why: String| Trouble::refusal("keeping it as a test", why);
        if !is_word(&request.id) {
            let expected = "expected one word of lower case letters, digits, `-` and `_`";
            return Err(not_kept(format!("{expected}, found `{}`", request.id)));
        }
        let index = |number: u32| (number as usize).checked_sub(1);
        let place = |number| {
            index(number)
                .and_then(|index| self.history(Viewer::Referee, |history| history.place(index)))
        };
        let event = match request.event {
            Some(number) => Some(
                place(number).ok_or_else(|| not_kept(format!("there is no event {number}")))? + 1,
            ),
            None => None,
        };
        if event.unwrap_or_default() > self.game.settled_events().len() {
            return Err(not_kept(
                "what has happened is part of a step that still goes on".into(),
            ));
        }
        let home = request.module.as_deref();
        let kept = self.case(
            &request.id,
            request.title.as_deref(),
            home,
            event,
            MOST_RUNS,
        );
        let KeptCase {
            path,
            text,
            shows,
            changes,
            cites,
            ..
        } = kept.map_err(not_kept)?;
        let cites = cites.iter().map(ToString::to_string).collect();
        Ok(KeptAsCase {
            path,
            text,
            shows,
            changes: changes[0],
            cites,
        })
    }

    /// All that was decided so far, as a scenario whose script does the same by
    /// the rules in force. It was played once, and came to the same state and
    /// told the same.
    ///
    /// # Errors
    /// When it comes out otherwise: since rules were changed and the past left
    /// as it was, or dice were thrown anew. A fault of the rules.
    pub fn as_test(&mut self, request: &TestRequest) -> Result<KeptTest, Trouble> {
        let script = self.script()?;
        let heading = Heading {
            id: &request.id,
            title: request
                .title
                .as_deref()
                .unwrap_or(&self.found.scenario.title),
            text: "",
            request: &crate::modset::selector::Request::parse(&self.active.line)?,
            seed: self.header.seed,
            turns: self.game.game().turns(),
            kept: None,
        };
        let text = with_script(&self.found.source, &heading, &script)?;
        let path = format!("scenarios/{}.ron", request.id);
        let scenario = Scenario::read("", &path, &text)?;
        let mut again = self.begun_anew(&scenario)?;
        run_script(&mut again, &scenario.script)?;
        if again.mark() != self.game.mark() {
            return Err(otherwise());
        }
        Ok(KeptTest {
            path,
            text,
            decisions: script.len(),
        })
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
        request: &TestRequest,
        event: Option<usize>,
        tries: usize,
    ) -> Result<KeptMoment, Trouble> {
        let moment = self.moment_of(event);
        let title = request
            .title
            .as_deref()
            .unwrap_or(&self.found.scenario.title);
        let keeping = Keeping {
            id: &request.id,
            title,
            tries,
            stop: &|| false,
        };
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
        request: &TestRequest,
        event: Option<usize>,
        tries: usize,
    ) -> Result<KeptCase, String> {
        self.case(&request.id, request.title.as_deref(), None, event, tries)
    }

    fn case(
        &self,
        id: &str,
        title: Option<&str>,
        home: Option<&str>,
        event: Option<usize>,
        tries: usize,
    ) -> Result<KeptCase, String> {
        let moment = self.moment_of(event);
        let title = title.map_or_else(|| title_of(id, &moment), ToString::to_string);
        let keeping = Keeping {
            id,
            title: &title,
            tries,
            stop: &|| false,
        };
        case_of(&self.workshop, home, &moment, &keeping, &mut |_, _| ())
    }

    fn moment_of(&self, event: Option<usize>) -> Moment<'_> {
        let count = self.game.settled_events().len();
        Moment {
            game: &self.game,
            source: &self.found.source,
            selector: &self.active.line,
            turns: self.header.turns,
            event: event.unwrap_or(count).wrapping_sub(1),
            unit: if self.found.scenario.is_metric {
                Unit::Centimetres
            } else {
                Unit::Inches
            },
        }
    }

    /// The lines that decide what was decided.
    fn script(&self) -> Result<Vec<String>, Trouble> {
        let mut game = self.begun_anew(&self.found.scenario)?;
        let mut lines = Vec::new();
        for recorded in self.game.recorded_inputs() {
            let input = decode(&recorded.text, game.game().world()).map_err(|_| otherwise())?;
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
