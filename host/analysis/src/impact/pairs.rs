//! Pairs of games: under each seed the game without a house rule, and then the one
//! with it, so that whoever stops it has pairs that are whole.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::Name;
use matches::play::Invalidation;
use matches::tally::Series;
use matches::workshop::Overrides;

use super::{Baseline, Games, ImpactQuery, MOST_COURSES, PairedGame};
use crate::series::{Seeded, SeriesError, in_turn};

/// One side of all pairs.
#[derive(Clone, Copy)]
pub struct PairSide<'a> {
    /// Its rules.
    pub overrides: &'a Overrides,
    /// Games by them that need not be played again.
    pub known: Option<Baseline<'a>>,
    /// Whether it is noted what its games reach, so that they can be known in turn.
    pub notes: bool,
}

/// Pairs that are to be played.
#[derive(Clone, Copy)]
pub struct PairQuery<'a> {
    /// The scenario, who decides, and how many.
    pub question: &'a ImpactQuery<'a>,
    /// Without the house rule.
    pub before: PairSide<'a>,
    /// With it.
    pub after: PairSide<'a>,
    /// What is other by the house rule: where a game without it has reached nothing
    /// of that, the game with it is the same. Nothing is taken over if it is left out.
    pub beside: Option<&'a Invalidation>,
}

/// Pairs that were played: as many games on both sides.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairs {
    /// The games without the house rule.
    pub before: Games,
    /// Those with it.
    pub after: Games,
}

/// Why pairs cannot be played.
#[derive(Debug)]
pub enum PairError {
    /// Something is wrong in the scenario or its mods without the house rule.
    Before(Vec<Fault>),
    /// Something is wrong with it.
    After(Vec<Fault>),
}

impl From<SeriesError> for PairError {
    fn from(error: SeriesError) -> PairError {
        PairError::After(match error {
            SeriesError::Faults(faults) => faults,
            SeriesError::Unwritten(_) => Vec::new(),
        })
    }
}

/// A game of a pair, and whether it was not played again.
type Had = (PairedGame, bool);

/// The rules of both sides, composed once for each worker.
#[derive(Default)]
struct BothSeries<'a> {
    before: Option<Series<'a>>,
    after: Option<Series<'a>>,
}

impl<'a> PairQuery<'a> {
    /// Plays the pairs, both games of one after the other. `done` is told of each
    /// game; `stop` is asked before each pair, and those that are begun are played
    /// to their end. What came of it does not depend on how many are played at once.
    ///
    /// # Errors
    /// What is wrong in the scenario or its mods on either side.
    pub fn play(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        done: &(dyn Fn() + Sync),
    ) -> Result<Pairs, PairError> {
        let question = self.question;
        let mut pairs = Pairs {
            before: self.nothing_yet(&self.before).map_err(PairError::Before)?,
            after: self.nothing_yet(&self.after).map_err(PairError::After)?,
        };
        let known = |side: &PairSide<'_>| side.known.map(Baseline::spared).unwrap_or_default();
        let (before, after) = (known(&self.before), known(&self.after));
        let seeds: Vec<u64> = (0..question.games)
            .map(|game| question.seed.wrapping_add(game))
            .collect();
        let mut names = [BTreeSet::new(), BTreeSet::new()];
        let one = |both: &mut BothSeries<'a>, seed: &u64| {
            let first = match before.get(seed) {
                Some(game) => (game.clone(), true),
                None => (
                    self.game(&self.before, &mut both.before, *seed)
                        .map_err(PairError::Before)?,
                    false,
                ),
            };
            done();
            let second = match self.taken_over(&first.0, &after, *seed) {
                Some(game) => (game, true),
                None => (
                    self.game(&self.after, &mut both.after, *seed)
                        .map_err(PairError::After)?,
                    false,
                ),
            };
            done();
            Ok((first, second))
        };
        // Pairs are told by their places: after one that was not played there is none.
        in_turn(question.jobs, &seeds, &one, stop, &mut |(first, second)| {
            pairs.before.take(first, &mut names[0]);
            pairs.after.take(second, &mut names[1]);
            Ok(())
        })
        .map_err(|error: PairError| error)?;
        Ok(pairs)
    }

    fn nothing_yet(&self, side: &PairSide<'_>) -> Result<Games, Vec<Fault>> {
        Ok(Games {
            selector: self.question.selector(side.overrides)?,
            games: Vec::new(),
            reused: 0,
        })
    }

    /// The game with the house rule that need not be played: one that is known, or
    /// the one without it, if nothing that it has reached is other.
    fn taken_over(
        &self,
        first: &PairedGame,
        known: &BTreeMap<u64, PairedGame>,
        seed: u64,
    ) -> Option<PairedGame> {
        if let Some(game) = known.get(&seed) {
            return Some(game.clone());
        }
        let is_same = self.after.known.is_none()
            && self
                .beside
                .is_some_and(|other| other.spares(first.reached.as_deref()));
        is_same.then(|| first.clone())
    }

    /// Plays a game of one side.
    fn game(
        &self,
        side: &PairSide<'a>,
        series: &mut Option<Series<'a>>,
        seed: u64,
    ) -> Result<PairedGame, Vec<Fault>> {
        let question = self.question;
        let series = match series {
            Some(series) => series,
            None => series.insert(Series::of(
                question.workshop,
                question.found,
                side.overrides,
                question.players,
            )?),
        };
        let played = match side.notes {
            true => series.play_noting(seed)?,
            false => series.play(seed)?,
        };
        let is_early = seed.wrapping_sub(question.seed) < MOST_COURSES;
        Ok(PairedGame::of(
            &Seeded { variant: 0, seed },
            &played,
            is_early,
        ))
    }
}

impl Games {
    /// Adds the next game.
    fn take(&mut self, (mut game, is_known): Had, names: &mut BTreeSet<Name>) {
        game.share_names(names);
        self.games.push(game);
        self.reused += u64::from(is_known);
    }
}
