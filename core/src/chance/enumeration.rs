//! Every way that a run can go, one path after another.

use std::iter::once;
use std::sync::Arc;

use super::{Chance, ChanceError, ChanceSource};

/// In which order the chits of a handful are handed over while every way is gone through.
///
/// A handful has no order, and there are far fewer handfuls than orders of them. But a rule may look at the
/// order, and then it matters: what comes out otherwise in another order is to be gone through chit by chit.
///
/// ```
/// use kernel::chance::{Draws, Enumeration, DrawPosition, HandfulOrder};
/// use kernel::chits::{Composition, Pot};
///
/// let pot = Pot::full(Composition::new([("a", 2), ("b", 1)])?);
/// let first = |order| {
///     let mut chance = Enumeration::in_order(order).chance();
///     let drawn = pot.draw_handful(3, &mut Draws::new(&mut chance, DrawPosition::default()));
///     drawn.map(|drawn| drawn[0].chit.to_string())
/// };
/// assert_eq!(first(HandfulOrder::ByName)?, "a");
/// assert_eq!(first(HandfulOrder::Turned)?, "b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HandfulOrder {
    /// By name; each handful is one way.
    #[default]
    ByName,
    /// By name, turned so far that there are other chits in most places; each handful is one way.
    Turned,
    /// As the chits are drawn, each of them a fork of its own.
    AsDrawn,
}

/// Visits every way that a run can go, each once, with its exact odds.
///
/// Run once with [`Enumeration::chance`], read the outcome and the odds, then [`advance`](Self::advance) past
/// the path just walked, until there is none left. The run must be a pure function of what it draws.
///
/// ```
/// use kernel::chance::{Draws, Enumeration, Odds, DrawPosition};
///
/// let mut sevens = Odds::ZERO;
/// let mut enumeration = Enumeration::new();
/// loop {
///     let mut chance = enumeration.chance();
///     let mut draws = Draws::new(&mut chance, DrawPosition::default());
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
    order: HandfulOrder,
    prescribed: Arc<[Prescribed]>,
    /// So many of the first choices are the same on every path.
    fixed: usize,
}

impl Enumeration {
    /// An enumeration that stands before its first path.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with handfuls in another order.
    #[must_use]
    pub fn in_order(order: HandfulOrder) -> Self {
        Self {
            order,
            ..Self::default()
        }
    }

    /// An enumeration of the ways on which a walk goes that has come so far: the forks that it has taken are
    /// taken again on every path, and only those after them are varied.
    ///
    /// ```
    /// use kernel::chance::{Draws, Enumeration, DrawPosition};
    ///
    /// let mut walked = Enumeration::new().chance();
    /// Draws::new(&mut walked, DrawPosition::default()).die(6)?;
    /// let mut on = Enumeration::after(&walked);
    /// let mut chance = on.chance();
    /// let mut draws = Draws::new(&mut chance, DrawPosition::default());
    /// let faces = (draws.die(6)?, draws.die(4)?);
    /// assert_eq!(faces, (1, 1));
    /// assert!((0..3).all(|_| on.advance(&chance) && { chance = on.chance(); walk(&mut chance).is_ok() }));
    /// assert!(!on.advance(&chance), "the first die stays as it fell");
    /// # fn walk(chance: &mut kernel::chance::Chance) -> Result<(), kernel::chance::ChanceError> {
    /// #     let mut draws = Draws::new(chance, DrawPosition::default());
    /// #     draws.die(6)?;
    /// #     draws.die(4).map(|_| ())
    /// # }
    /// # Ok::<(), kernel::chance::ChanceError>(())
    /// ```
    #[must_use]
    pub fn after(walked: &Chance) -> Self {
        let forks = walked.forks();
        let prescribed = forks.iter().map(|fork| Prescribed {
            choice: fork.chosen,
            total: fork.total,
        });
        Self {
            order: walked.handful_order(),
            prescribed: prescribed.collect(),
            fixed: forks.len(),
        }
    }

    /// How many of the forks of each path are the same on all of them.
    #[must_use]
    pub fn fixed(&self) -> usize {
        self.fixed
    }

    /// Chance for the path to walk now: the choices prescribed so far, then the first one of every fork.
    #[must_use]
    pub fn chance(&self) -> Chance {
        Chance(ChanceSource::Enumerating(ForkWalk {
            order: self.order,
            is_mixed: false,
            prescribed: self.prescribed.clone(),
            taken: Vec::new(),
        }))
    }

    /// Moves on to the path after `walked`; false if that was the last.
    pub fn advance(&mut self, walked: &Chance) -> bool {
        let forks = walked.forks();
        let free = forks.iter().enumerate().skip(self.fixed);
        let Some((last, next)) = free.rev().find_map(|(at, fork)| Some((at, fork.next?))) else {
            return false;
        };
        let kept = forks[..last].iter().map(|fork| Prescribed {
            choice: fork.chosen,
            total: fork.total,
        });
        let turn = Prescribed {
            choice: next,
            total: forks[last].total,
        };
        self.prescribed = kept.chain(once(turn)).collect();
        true
    }
}

/// One walk: the choices that it has to take, and the forks that it has come to.
#[derive(Clone, Debug)]
pub(super) struct ForkWalk {
    order: HandfulOrder,
    /// Whether a handful was handed over in which not all chits are the same.
    is_mixed: bool,
    prescribed: Arc<[Prescribed]>,
    taken: Vec<Fork>,
}

impl ForkWalk {
    pub(super) fn order(&self) -> HandfulOrder {
        self.order
    }

    pub(super) fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    pub(super) fn taken(&self) -> &[Fork] {
        &self.taken
    }

    /// Goes back to where only `depth` forks were taken. What was prescribed for those after stays so.
    pub(super) fn rewind(&mut self, depth: usize) {
        self.taken.truncate(depth);
    }

    /// Takes a fork of `total` equally likely choices.
    pub(super) fn uniform(&mut self, total: u32) -> Result<u32, ChanceError> {
        let weight_of_all = u128::from(total);
        let chosen = self.prescribed(weight_of_all)?.unwrap_or(0);
        let rest = total
            .checked_sub(chosen)
            .and_then(|rest| rest.checked_sub(1));
        let rest = rest.ok_or_else(|| diverged(weight_of_all, weight_of_all))?;
        let next = (rest > 0).then_some(chosen + 1);
        self.taken.push(Fork {
            chosen,
            weight: 1,
            total: weight_of_all,
            next,
            paths: weight_of_all,
        });
        Ok(chosen)
    }

    /// Takes a fork of choices with `weights`, of which those of weight 0 do not count.
    pub(super) fn weighted(
        &mut self,
        weights: impl Iterator<Item = u128>,
        total: u128,
    ) -> Result<usize, ChanceError> {
        let mut possible = (0..).zip(weights).filter(|(_, weight)| *weight > 0);
        let fork = match self.prescribed(total)? {
            Some(choice) => possible.find(|(index, _)| *index == choice),
            None => possible.next(),
        };
        let (chosen, weight) = fork.ok_or_else(|| diverged(total, total))?;
        let next = possible.next().map(|(index, _)| index);
        self.taken.push(Fork {
            chosen,
            weight,
            total,
            next,
            paths: 1,
        });
        Ok(chosen as usize)
    }

    /// Takes a handful of `n` out of classes with so many chits each: how many of each class are in it. Which
    /// came first is no fork, for a handful has no order. `None` where each chit is to be drawn by itself, and
    /// where there are more handfuls than numbers hold.
    pub(super) fn handful(
        &mut self,
        counts: &[u32],
        n: u32,
    ) -> Result<Option<Vec<u32>>, ChanceError> {
        let mut rest: u32 = counts.iter().sum();
        if self.order == HandfulOrder::AsDrawn || ways(rest, n).is_none() {
            return Ok(None);
        }
        let (first, mut left) = (self.taken.len(), n);
        let is_new = self.prescribed.len() <= first;
        let mut drawn = Vec::with_capacity(counts.len());
        for count in counts.iter().copied() {
            let all = ways(rest, left).unwrap_or_default();
            rest -= count;
            // Each is a factor of a number that fits.
            let weight = |k: u32| {
                ways(count, k)
                    .zip(ways(rest, left - k))
                    .map_or(0, |(a, b)| a * b)
            };
            let most = count.min(left);
            let is_settled = left == 0 || rest == 0;
            let taken = match is_settled {
                true => most,
                false => self.weighted((0..=most).map(weight), all)? as u32,
            };
            left -= taken;
            drawn.push(taken);
        }
        if is_new && let Some(fork) = self.taken.get_mut(first) {
            fork.paths = handfuls(counts, n);
        }
        self.is_mixed |= drawn.iter().filter(|taken| **taken > 0).count() > 1;
        Ok(Some(drawn))
    }

    fn prescribed(&self, total: u128) -> Result<Option<u32>, ChanceError> {
        match self.prescribed.get(self.taken.len()) {
            None => Ok(None),
            Some(next) if next.total == total => Ok(Some(next.choice)),
            Some(next) => Err(diverged(next.total, total)),
        }
    }
}

fn diverged(expected: u128, found: u128) -> ChanceError {
    ChanceError::Diverged { expected, found }
}

/// In how many ways `n` can be taken out of `count`; `None` if a number does not hold it.
pub(crate) fn ways(count: u32, n: u32) -> Option<u128> {
    if n > count {
        return Some(0);
    }
    let n = n.min(count - n);
    (0..n).try_fold(1u128, |ways, taken| {
        Some(ways.checked_mul(u128::from(count - taken))? / u128::from(taken + 1))
    })
}

/// How many handfuls of `n` can be told apart, with so many chits of each class; as many as a number holds.
fn handfuls(counts: &[u32], n: u32) -> u128 {
    let all: u32 = counts.iter().sum();
    // There are as many of what stays behind; the smaller of both is small, or a
    // number would not hold the ways to draw it.
    let n = n.min(all - n) as usize;
    // How many there are of each size from the classes so far.
    let mut of_size = vec![0u128; n + 1];
    of_size[0] = 1;
    for count in counts {
        for size in (1..=n).rev() {
            let fewest = size.saturating_sub(*count as usize);
            let sums = of_size[fewest..=size].iter();
            of_size[size] = sums.fold(0, |sum, more| sum.saturating_add(*more));
        }
    }
    of_size[n]
}

/// A choice that the next walk has to take; the total tells whether it came to the same fork.
#[derive(Clone, Copy, Debug)]
struct Prescribed {
    choice: u32,
    total: u128,
}

/// One draw on a path of an [`Enumeration`]: what was chosen, and its weight among all that could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    chosen: u32,
    weight: u128,
    total: u128,
    next: Option<u32>,
    paths: u128,
}

impl Fork {
    /// The index of the choice taken.
    #[must_use]
    pub fn chosen(&self) -> u32 {
        self.chosen
    }

    /// The weight of the choice taken; the odds of it are `weight` in `total`.
    #[must_use]
    pub fn weight(&self) -> u128 {
        self.weight
    }

    /// The weights of all choices together.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.total
    }

    /// So many paths part from here on at least, as far as it is known when it is first come to: each face of a
    /// die, each handful that can be drawn. Where the forks before it are kept, an enumeration walks as many.
    #[must_use]
    pub fn paths(&self) -> u128 {
        self.paths
    }
}
