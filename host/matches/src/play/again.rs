//! A match played again by other rules, where it is known what each decision
//! has reached: only those are made again that may come out in another way.
//!
//! As long as what is made again comes out the same, the match goes along the
//! course of before. Where it has come to something else, those decisions need
//! not be made again either that have read and written nothing of what is
//! another: they do what they did. What is made again may come to the same as
//! before, and the match goes along once more.

use std::rc::Rc;

use kernel::cells::CellSet;
use kernel::engine::{Play, Wanted};
use kernel::error::Fault;
use kernel::record::{decode, settled};
use kernel::value::Name;

use crate::play::game_match::LeftPast;
use crate::play::history::{Before, History};
use crate::play::{Cut, Invalidation, Match, RecordedInput, SubmitError};
use crate::record::{RulesRecord, reload_line};
use rules::rulebook::Rulebook;

impl Match {
    /// The decisions of a course, of which those so far are the first, made
    /// again by other rules, as [`crate::play::play_again`] makes them.
    /// `None` when all must be made again from the start. `made` counts them.
    pub fn made_again(
        &mut self,
        rulebook: &Rc<Rulebook>,
        course: &[RecordedInput],
        invalidation: &Invalidation,
        made: &mut usize,
    ) -> Option<Result<PlayedAgain, (usize, Fault)>> {
        let affected = self.dependencies.as_ref()?.affected_by(invalidation);
        if affected.is_start {
            return None;
        }
        let mut other = self.begun_by(rulebook);
        let mut parting = CourseParting::Nothing;
        for (place, recorded) in course.iter().enumerate() {
            let is_known = place < self.inputs.len();
            let is_same = is_known && !affected.may_differ(place);
            if is_same && other.takes_over(self, place, &parting) {
                continue;
            }
            if parting == CourseParting::Nothing {
                other.stand_as(self, place);
            }
            *made += 1;
            match other.repeat(recorded) {
                Ok(None) => {}
                Ok(Some(reason)) => {
                    return Some(PlayedAgain::without(other, course, place, reason));
                }
                Err(fault) => return Some(Err((place, fault))),
            }
            parting = match is_known && !affected.is_stale(place) {
                true => other.parting_from(self, place, &parting),
                false => CourseParting::Anything,
            };
        }
        if parting == CourseParting::Nothing {
            other.stand_as(self, course.len());
        }
        Some(Ok(PlayedAgain {
            game: other,
            mismatch: None,
            left: Vec::new(),
        }))
    }

    /// Whether nothing that has happened can come out in another way.
    pub fn stands(&self, invalidation: &Invalidation) -> bool {
        self.dependencies.as_ref().is_some_and(|log| {
            let affected = log.affected_by(invalidation);
            !affected.is_start
                && affected.stale.is_none()
                && affected.decisions.iter().all(|may_differ| !may_differ)
        })
    }

    /// Goes on by other rules under which nothing of the past is another.
    ///
    /// # Errors
    /// A journal that cannot be written.
    pub fn stand_by(
        &mut self,
        rulebook: Rc<Rulebook>,
        rules: RulesRecord<'_>,
    ) -> Result<(), SubmitError> {
        let mark = self.mark();
        self.write(reload_line(Some(self.inputs.len()), rules, &mark))?;
        self.cuts.push(Cut {
            events: self.events.len(),
            decisions: self.recorded_inputs.len(),
        });
        self.play.rebind(rulebook.book());
        self.rulebook = rulebook;
        self.left = LeftPast::default();
        if let Some(log) = &mut self.dependencies {
            log.changes_rulebook();
        }
        Ok(())
    }

    /// The same match before its first decision, under other rules.
    fn begun_by(&self, rulebook: &Rc<Rulebook>) -> Match {
        Match {
            rulebook: rulebook.clone(),
            setup: self.setup.clone(),
            play: self.play.clone(),
            events: self.events[..self.events_before(0)]
                .iter()
                .cloned()
                .collect(),
            events_hash: self.events_hash_before(0),
            inputs: Vec::new(),
            recorded_inputs: Vec::new(),
            history: History::default(),
            keeps_past: true,
            lines: Vec::new(),
            journal: None,
            // No line of it would be kept: `put_in_place` writes what is new.
            is_recorded: false,
            epochs: 0,
            cuts: Vec::new(),
            checks_twice: false,
            is_without_past: self.is_without_past,
            causes: self.causes.begun(),
            dependencies: self.dependencies.as_ref().map(|log| log.begun()),
            left: LeftPast::default(),
        }
    }

    /// Takes a decision over as it came out in another match, if it would come
    /// out so here, where the two have parted so far. Where they have not, the
    /// state is put right by the caller.
    fn takes_over(&mut self, from: &Match, place: usize, parting: &CourseParting) -> bool {
        let Some(before) = from.history.get(place) else {
            return false;
        };
        let after = from
            .history
            .get(place + 1)
            .map_or(&from.play, |next| &next.play);
        let play = match parting {
            CourseParting::Nothing => before.play.clone(),
            CourseParting::In(cells) if from.is_clear_of(cells, place) => {
                let play = self.play.clone();
                if !self.play.follow(&before.play, after) {
                    return false;
                }
                play
            }
            CourseParting::In(_) | CourseParting::Anything => return false,
        };
        if *parting == CourseParting::Nothing {
            self.causes.take_over(&from.causes, Some(place));
        }
        let (events, events_hash) = (self.events.len(), self.events_hash);
        self.history.push(Before {
            play,
            events,
            events_hash,
        });
        let new = &from.events[before.events..from.events_before(place + 1)];
        self.events_hash = match events_hash == before.events_hash {
            true => from.events_hash_before(place + 1),
            false => settled(&events_hash, new, after.game().world()),
        };
        self.events.extend(new.iter().cloned());
        self.inputs.push(from.inputs[place].clone());
        self.recorded_inputs
            .push(from.recorded_inputs[place].clone());
        if let (Some(log), Some(known)) = (&mut self.dependencies, &from.dependencies) {
            log.decisions.extend(known.decisions.get(place).cloned());
        }
        true
    }

    /// Whether a decision has read and written none of these cells.
    fn is_clear_of(&self, cells: &CellSet, place: usize) -> bool {
        let log = self.dependencies.as_ref();
        log.is_some_and(|log| log.is_clear_of(cells, place))
    }

    /// Puts the state of another match before a decision in place, brought
    /// under the rules of this one, which declare the same.
    fn stand_as(&mut self, from: &Match, place: usize) {
        self.play = from
            .history
            .get(place)
            .map_or(&from.play, |before| &before.play)
            .clone();
        self.play.rebind(self.rulebook.book());
    }

    /// Where the two have parted after a decision that was just made, by where
    /// they had before it.
    fn parting_from(&self, from: &Match, place: usize, before: &CourseParting) -> CourseParting {
        let next = from
            .history
            .get(place + 1)
            .map_or(&from.play, |before| &before.play);
        let none = CellSet::default();
        let cells = match before {
            CourseParting::Nothing => Some(&none),
            CourseParting::In(cells) => Some(cells),
            CourseParting::Anything => None,
        };
        let since = cells.and_then(|cells| {
            let (mine, theirs) = (self.history.get(place)?, from.history.get(place)?);
            Some((&mine.play, &theirs.play, cells))
        });
        match self.play.differing_cells(next, since) {
            Some(cells) if cells.is_empty() => CourseParting::Nothing,
            Some(cells) => CourseParting::In(cells),
            None if self.stands_at(next) => CourseParting::Nothing,
            None => CourseParting::Anything,
        }
    }

    /// Whether the match stands where another does. The hash says nothing of what
    /// a step that waits is taken back to.
    fn stands_at(&self, next: &Play) -> bool {
        let (now, then) = (self.play.game().wanted(), next.game().wanted());
        now == then && !matches!(now, Wanted::Answer { .. }) && self.play.hash() == next.hash()
    }
}

/// Where two courses of a game have parted.
#[derive(PartialEq, Eq, Debug)]
enum CourseParting {
    /// Nowhere: they stand at the same.
    Nothing,
    /// In these attributes alone.
    In(CellSet),
    /// It may be anywhere.
    Anything,
}

/// A match in which decisions were made again, and what did not fit.
pub struct PlayedAgain {
    /// The match.
    pub game: Match,
    /// The first that did not fit: its place, from 0, and why.
    pub mismatch: Option<(usize, String)>,
    /// Those that are left out, in order.
    pub left: Vec<RecordedInput>,
}

impl PlayedAgain {
    /// Leaves out a decision that does not fit, and all after it. But where
    /// sides decide at once, what the others have decided stays: whether what
    /// one decides in secret fits is nothing that they may learn.
    fn without(
        mut game: Match,
        course: &[RecordedInput],
        place: usize,
        reason: String,
    ) -> Result<PlayedAgain, (usize, Fault)> {
        let mut left = vec![course[place].clone()];
        let mut rest = (place + 1..).zip(&course[place + 1..]);
        while is_at_once(&game)
            && let Some((next, recorded)) = rest.next()
        {
            let is_out = left.iter().any(|other| other.by == recorded.by);
            if is_out
                || game
                    .repeat(recorded)
                    .map_err(|fault| (next, fault))?
                    .is_some()
            {
                left.push(recorded.clone());
            }
        }
        left.extend(rest.map(|(_, recorded)| recorded.clone()));
        Ok(PlayedAgain {
            game,
            mismatch: Some((place, reason)),
            left,
        })
    }
}

/// Whether several sides decide at once, each for itself.
fn is_at_once(game: &Match) -> bool {
    let is_vote = matches!(game.wanted(), Wanted::Answer { question, .. } if question.to.len() > 1);
    is_vote
        || game
            .game()
            .flow()
            .phases()
            .any(kernel::sequence::PhaseFrame::is_secret)
}

/// Decisions made again in a match that has just begun, as far as they fit.
///
/// # Errors
/// The place of a decision in which a rule breaks, and its fault.
pub fn play_again(
    mut game: Match,
    course: &[RecordedInput],
) -> Result<PlayedAgain, (usize, Fault)> {
    for (place, recorded) in course.iter().enumerate() {
        match game.repeat(recorded) {
            Ok(None) => {}
            Ok(Some(reason)) => return PlayedAgain::without(game, course, place, reason),
            Err(fault) => return Err((place, fault)),
        }
    }
    Ok(PlayedAgain {
        game,
        mismatch: None,
        left: Vec::new(),
    })
}

impl Match {
    /// Makes a recorded decision again, or tells why it does not fit: whatever
    /// plays a record again, or a course of decisions, does it by this.
    ///
    /// # Errors
    /// The fault of a rule that breaks in it.
    pub fn repeat(&mut self, recorded: &RecordedInput) -> Result<Option<String>, Fault> {
        if self.game().epoch() != recorded.epoch {
            self.set_epoch(recorded.epoch);
        }
        self.repeat_text(&recorded.text, recorded.key.as_ref())
    }

    /// The same of a decision as a record writes it, in the epoch that is on.
    ///
    /// # Errors
    /// As [`Match::repeat`].
    pub fn repeat_text(&mut self, text: &str, key: Option<&Name>) -> Result<Option<String>, Fault> {
        let input = match decode(text, self.game().world()) {
            Ok(input) => input,
            Err(reason) => return Ok(Some(reason)),
        };
        match self.submit_keyed(&input, key) {
            Ok(()) => Ok(None),
            Err(SubmitError::Refusal(refusal)) => Ok(Some(refusal.to_string())),
            Err(SubmitError::Fault { fault, .. } | SubmitError::Unwritten(fault)) => Err(fault),
        }
    }
}
