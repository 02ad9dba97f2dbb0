//! Decisions of before, made again by the new rules: what was played at some
//! table may be forbidden by now.

use kernel::error::Fault;
use matches::play::{Match, RecordedInput, play_again};
use matches::workshop::{Found, Overrides, Workshop};

/// A course of decisions by the new rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayOutcome {
    /// Where it comes from: a seed, or the name of a journal.
    pub of: String,
    /// How many decisions it has.
    pub decisions: usize,
    /// The first that the new rules do not take.
    pub refused: Option<RefusedDecision>,
}

/// A decision that the new rules do not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedDecision {
    /// Its number, from 1.
    pub decision: usize,
    /// What it was, as a journal has it.
    pub text: String,
    /// The same, for people.
    pub words: String,
    /// Why not.
    pub reason: String,
}

/// Makes a course of decisions again by other rules.
///
/// # Errors
/// What is wrong in the scenario or its mods.
pub fn again(
    workshop: &Workshop,
    found: &Found,
    overrides: &Overrides,
    of: String,
    course: &[RecordedInput],
) -> Result<ReplayOutcome, Vec<Fault>> {
    let (chosen, setup) = workshop.prepare(found, overrides)?;
    let game = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
    let (refused, stands) = match play_again(game, course) {
        Ok(again) => (again.mismatch, Some(again.game)),
        Err((place, fault)) => (Some((place, format!("a rule is broken: {fault}"))), None),
    };
    let unit = found.scenario.unit();
    let refused = refused.map(|(place, reason)| {
        let text = course[place].text.clone();
        let words = stands.map(|game| game.recorded_words(&text, unit));
        RefusedDecision {
            decision: place + 1,
            words: words.unwrap_or_else(|| text.clone()),
            text,
            reason,
        }
    });
    Ok(ReplayOutcome {
        of,
        decisions: course.len(),
        refused,
    })
}
