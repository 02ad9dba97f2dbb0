//! Decisions of before, made again by the new rules: what was played at some
//! table may be forbidden by now.

use kernel::error::Fault;
use matches::play::{Match, RecordedInput, play_again};
use matches::workshop::{Found, Overrides, Workshop};

use crate::refused;

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

/// A course of decisions that were made in some game.
pub struct MadeBefore<'a> {
    /// Where it comes from.
    pub of: String,
    /// The decisions.
    pub course: &'a [RecordedInput],
    /// What one of them is for people, by its place, in the game in which it was made.
    pub words: &'a dyn Fn(usize) -> String,
}

/// Makes a course of decisions again by other rules.
///
/// # Errors
/// What is wrong in the scenario or its mods.
pub fn again(
    workshop: &Workshop,
    found: &Found,
    overrides: &Overrides,
    made: &MadeBefore<'_>,
) -> Result<ReplayOutcome, Vec<Fault>> {
    let (refused, stands) = match play_again(begun(workshop, found, overrides)?, made.course) {
        Ok(again) => (again.mismatch, Some(again.game)),
        Err((place, fault)) => (Some((place, format!("a rule is broken: {fault}"))), None),
    };
    let unit = found.scenario.unit();
    let refused = refused.map(|(place, reason)| {
        let text = made.course[place].text.clone();
        let words = match &stands {
            Some(game) => refused::decision(game, &text, unit, || (made.words)(place)),
            None => (made.words)(place),
        };
        RefusedDecision {
            decision: place + 1,
            words,
            text,
            reason: refused::in_words(&reason),
        }
    });
    Ok(ReplayOutcome {
        of: made.of.clone(),
        decisions: made.course.len(),
        refused,
    })
}

/// How many decisions of a course some rules take before they refuse one.
///
/// # Errors
/// What is wrong in the scenario or its mods.
pub fn taken(
    workshop: &Workshop,
    found: &Found,
    overrides: &Overrides,
    course: &[RecordedInput],
) -> Result<usize, Vec<Fault>> {
    let all = course.len();
    Ok(
        match play_again(begun(workshop, found, overrides)?, course) {
            Ok(again) => again.mismatch.map_or(all, |(place, _)| place),
            Err((place, _)) => place,
        },
    )
}

/// What a decision of a course is for people by the rules by which it was made; as a
/// journal has it, where these do not bear it.
pub fn words_of(
    workshop: &Workshop,
    found: &Found,
    overrides: &Overrides,
    course: &[RecordedInput],
    place: usize,
) -> String {
    let text = course[place].text.clone();
    let game = begun(workshop, found, overrides).ok();
    let game = game.and_then(|game| play_again(game, &course[..place]).ok());
    game.map_or_else(
        || text.clone(),
        |again| again.game.recorded_words(&text, found.scenario.unit()),
    )
}

fn begun(workshop: &Workshop, found: &Found, overrides: &Overrides) -> Result<Match, Vec<Fault>> {
    let (chosen, setup) = workshop.prepare(found, overrides)?;
    Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])
}
