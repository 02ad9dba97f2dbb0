//! Every way that a run can go, one path after another.

use std::iter::once;
use std::sync::Arc;

use super::{Chance, ChanceError, Source};

/// Visits every way that a run can go, each once, with its exact odds.
///
/// Run once with [`Enumeration::chance`], read the outcome and the odds, then [`advance`](Self::advance) past
/// the path just walked, until there is none left. The run must be a pure function of what it draws.
///
/// ```
/// use kernel::chance::{Draws, Enumeration, Odds, Place};
///
/// let mut sevens = Odds::ZERO;
/// let mut enumeration = Enumeration::new();
/// loop {
///     let mut chance = enumeration.chance();
///     let mut draws = Draws::new(&mut chance, Place::default());
///     let sum = draws.die(6)? + draws.die(6)?;
///     let odds = Odds::of(chance.forks()).unwrap();
///     if sum == 7 {
///         sevens = sevens.checked_add(odds).unwrap();
///     }
///     if !enumeration.advance(&chance) {
///         break;
///     }
/// }
/// assert_eq!(sevens.to_string(), "1/6");
/// # Ok::<(), kernel::chance::ChanceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    prescribed: Arc<[Prescribed]>,
}

impl Enumeration {
    /// An enumeration that stands before its first path.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Chance for the path to walk now: the choices prescribed so far, then the first one of every fork.
    #[must_use]
    pub fn chance(&self) -> Chance {
        Chance(Source::Enumerating(Path { prescribed: self.prescribed.clone(), taken: Vec::new() }))
    }

    /// Moves on to the path after `walked`; false if that was the last.
    pub fn advance(&mut self, walked: &Chance) -> bool {
        let forks = walked.forks();
        let Some((last, next)) = forks.iter().enumerate().rev().find_map(|(at, fork)| Some((at, fork.next?)))
        else {
            return false;
        };
        let kept = forks[..last].iter().map(|fork| Prescribed { choice: fork.chosen, total: fork.total });
        let turn = Prescribed { choice: next, total: forks[last].total };
        self.prescribed = kept.chain(once(turn)).collect();
        true
    }
}

/// One walk: the choices that it has to take, and the forks that it has come to.
#[derive(Clone, Debug)]
pub(super) struct Path {
    prescribed: Arc<[Prescribed]>,
    taken: Vec<Fork>,
}

impl Path {
    pub(super) fn taken(&self) -> &[Fork] {
        &self.taken
    }

    /// Goes back to where only `depth` forks were taken. What was prescribed for those after stays so.
    pub(super) fn rewind(&mut self, depth: usize) {
        self.taken.truncate(depth);
    }

    /// Takes a fork of `total` equally likely choices.
    pub(super) fn uniform(&mut self, total: u32) -> Result<u32, ChanceError> {
        let chosen = self.prescribed(total)?.unwrap_or(0);
        let rest = total.checked_sub(chosen).and_then(|rest| rest.checked_sub(1));
        let rest = rest.ok_or(ChanceError::Diverged { expected: total, found: total })?;
        self.taken.push(Fork { chosen, weight: 1, total, next: (rest > 0).then_some(chosen + 1) });
        Ok(chosen)
    }

    /// Takes a fork of choices with `weights`, of which those of weight 0 do not count.
    pub(super) fn weighted(
        &mut self,
        weights: impl Iterator<Item = u32>,
        total: u32,
    ) -> Result<usize, ChanceError> {
        let mut possible = (0..).zip(weights).filter(|(_, weight)| *weight > 0);
        let fork = match self.prescribed(total)? {
            Some(choice) => possible.find(|(index, _)| *index == choice),
            None => possible.next(),
        };
        let (chosen, weight) = fork.ok_or(ChanceError::Diverged { expected: total, found: total })?;
        let next = possible.next().map(|(index, _)| index);
        self.taken.push(Fork { chosen, weight, total, next });
        Ok(chosen as usize)
    }

    fn prescribed(&self, total: u32) -> Result<Option<u32>, ChanceError> {
        match self.prescribed.get(self.taken.len()) {
            None => Ok(None),
            Some(next) if next.total == total => Ok(Some(next.choice)),
            Some(next) => Err(ChanceError::Diverged { expected: next.total, found: total }),
        }
    }
}

/// A choice that the next walk has to take; the total tells whether it came to the same fork.
#[derive(Clone, Copy, Debug)]
struct Prescribed {
    choice: u32,
    total: u32,
}

/// One draw on a path of an [`Enumeration`]: what was chosen, and its weight among all that could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    chosen: u32,
    weight: u32,
    total: u32,
    next: Option<u32>,
}

impl Fork {
    /// The index of the choice taken.
    #[must_use]
    pub fn chosen(&self) -> u32 {
        self.chosen
    }

    /// The weight of the choice taken; the odds of it are `weight` in `total`.
    #[must_use]
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// The weights of all choices together.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }
}
