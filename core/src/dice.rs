//! Dice: single dice and pools, ladders of die types, opposed rolls.
//!
//! A [`Die`] remembers why it is the die it is, so that a transcript can say it. A [`Ladder`] moves a die to
//! a better or worse type, with a stated rule for each end. Randomness comes from [`Draws`] alone.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

use crate::chance::{ChanceError, Draws};

/// How many sides the dice have that are made and sold. The kernel rolls any die; whoever finds another in a rule
/// may ask whether it was meant.
pub const DICE_MADE: [u16; 22] = [
    2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 30, 34, 48, 50, 60, 100, 120, 1000,
];

/// A die with faces from 1 to its number of sides, and the shifts that led to it.
///
/// Two dice are equal if they have equally many sides: the reasons take no part in comparison, order or hash.
///
/// ```
/// use kernel::dice::{Die, LadderEnd, Ladder};
///
/// let ladder = Ladder::new([4, 6, 8, 10, 12], LadderEnd::Stop, LadderEnd::Stop)?;
/// let die = ladder.shift(&Die::new(8)?, 1, "on high ground")?.die;
/// assert_eq!(die.to_string(), "d10");
/// assert_eq!(die, Die::new(10)?);
/// assert_eq!(&*die.reasons()[0].reason, "on high ground");
/// # Ok::<(), kernel::dice::DiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Die {
    sides: u16,
    reasons: Arc<[Shift]>,
}

impl Die {
    /// A die of `sides` sides that has not been shifted.
    ///
    /// # Errors
    /// If `sides` is 0.
    pub fn new(sides: u16) -> Result<Self, DiceError> {
        if sides == 0 {
            return Err(DiceError::NoSides);
        }
        Ok(Self {
            sides,
            reasons: Arc::default(),
        })
    }

    /// The number of sides, at least 1.
    #[must_use]
    pub fn sides(&self) -> u16 {
        self.sides
    }

    /// The shifts made so far, first to last.
    #[must_use]
    pub fn reasons(&self) -> &[Shift] {
        &self.reasons
    }

    /// The same die with these shifts as its reasons: for a die that was
    /// shifted elsewhere, such as in a script.
    #[must_use]
    pub fn with_reasons(mut self, shifts: impl IntoIterator<Item = Shift>) -> Self {
        self.reasons = shifts.into_iter().collect();
        self
    }

    /// Rolls the die once.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition, Script, ScriptedDie};
    /// use kernel::dice::Die;
    ///
    /// let mut chance = Chance::scripted(Script::new([ScriptedDie::of(8, 5)], [""; 0]));
    /// let roll = Die::new(8).unwrap().roll(&mut Draws::new(&mut chance, DrawPosition::default()))?;
    /// assert_eq!((roll.face, roll.draw), (5, 0));
    /// # Ok::<(), kernel::chance::ChanceError>(())
    /// ```
    ///
    /// # Errors
    /// If the script or the enumeration does not fit this draw.
    pub fn roll(&self, draws: &mut Draws<'_>) -> Result<Roll, ChanceError> {
        let draw = draws.place().draw;
        let face = draws.die(self.sides)?;
        Ok(Roll {
            die: self.clone(),
            face,
            draw,
        })
    }
}

impl PartialEq for Die {
    fn eq(&self, other: &Self) -> bool {
        self.sides == other.sides
    }
}

impl Eq for Die {}

impl Hash for Die {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sides.hash(state);
    }
}

impl PartialOrd for Die {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Die {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sides.cmp(&other.sides)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.sides)
    }
}

/// One move along a ladder, and why it was made.
///
/// It is kept even if it changed nothing, at an end that stops: that the rule applied is worth telling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shift {
    /// The steps asked for: up if positive.
    pub by: i8,
    /// The sides before.
    pub from: u16,
    /// The sides after.
    pub to: u16,
    /// The rule's reason.
    pub reason: Arc<str>,
}

/// Die types from worst to best, and what happens beyond either end.
///
/// ```
/// use kernel::dice::{Die, DiceError, LadderEnd, Ladder};
///
/// let ladder = Ladder::new([4, 6, 8, 10, 12], LadderEnd::Refuse, LadderEnd::Convert)?;
/// let shifted = ladder.shift(&Die::new(10)?, 3, "a steady aim")?;
/// assert_eq!((shifted.die, shifted.surplus), (Die::new(12)?, 2));
///
/// let refusal = ladder.shift(&Die::new(4)?, -1, "in the dark").unwrap_err();
/// assert_eq!(refusal.to_string(), "expected a die that can shift by -1 (in the dark), found d4, 1 past the end");
/// # Ok::<(), DiceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    rungs: Arc<[u16]>,
    bottom: LadderEnd,
    top: LadderEnd,
}

impl Ladder {
    /// A ladder of dice with the given sides, worst first, and the rules for its two ends.
    ///
    /// # Errors
    /// If there is no die, one without sides, or one that has not more sides than the die before it.
    pub fn new(
        rungs: impl IntoIterator<Item = u16>,
        bottom: LadderEnd,
        top: LadderEnd,
    ) -> Result<Self, DiceError> {
        let rungs: Arc<[u16]> = rungs.into_iter().collect();
        match rungs.first() {
            None => return Err(DiceError::NoRungs),
            Some(0) => return Err(DiceError::NoSides),
            Some(_) => {}
        }
        match rungs.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err(DiceError::NotAscending {
                before: pair[0],
                found: pair[1],
            }),
            None => Ok(Self { rungs, bottom, top }),
        }
    }

    /// The sides of its dice, worst first.
    #[must_use]
    pub fn rungs(&self) -> &[u16] {
        &self.rungs
    }

    /// Moves `die` by so many steps, up if positive, and remembers the reason.
    ///
    /// # Errors
    /// If the die is not on the ladder, or if the shift runs past an end that refuses.
    pub fn shift(
        &self,
        die: &Die,
        by: i8,
        reason: impl Into<Arc<str>>,
    ) -> Result<Shifted, DiceError> {
        self.shift_together(die, i32::from(by), &[(by, reason.into())])
    }

    /// Moves `die` by so many steps at once, for several reasons with the steps
    /// that each asks for: it meets an end with all of them, not with each.
    /// `steps` is their sum, or what a rule makes of it.
    ///
    /// # Errors
    /// If the die is not on the ladder, or if all steps run past an end that refuses.
    pub fn shift_together(
        &self,
        die: &Die,
        steps: i32,
        reasons: &[(i8, Arc<str>)],
    ) -> Result<Shifted, DiceError> {
        let at = self.rung_of(die)?;
        // A ladder has fewer than 2^16 rungs, so its indices fit.
        let wanted = (at as i32).saturating_add(steps);
        let surplus = wanted - self.nearest(wanted) as i32;
        let end = if surplus < 0 { self.bottom } else { self.top };
        if surplus != 0 && end == LadderEnd::Refuse {
            let words: Vec<&str> = reasons.iter().map(|(_, reason)| &**reason).collect();
            let (reason, past) = (words.join(", ").into(), surplus.unsigned_abs());
            return Err(DiceError::Refused {
                die: die.clone(),
                by: steps,
                reason,
                past,
            });
        }
        let sides = self.rungs[self.nearest(wanted)];
        let shifts = die
            .reasons
            .iter()
            .cloned()
            .chain(self.walk(at, reasons))
            .collect();
        let die = Die {
            sides,
            reasons: shifts,
        };
        Ok(Shifted {
            die,
            surplus: if end == LadderEnd::Convert {
                surplus
            } else {
                0
            },
        })
    }

    /// Whether so many steps stay on the ladder.
    ///
    /// # Errors
    /// If the die is not on the ladder.
    pub fn can_shift(&self, die: &Die, steps: i32) -> Result<bool, DiceError> {
        let wanted = (self.rung_of(die)? as i32).saturating_add(steps);
        Ok(self.nearest(wanted) as i32 == wanted)
    }

    fn rung_of(&self, die: &Die) -> Result<usize, DiceError> {
        let off = || DiceError::NotOnLadder {
            ladder: self.clone(),
            found: die.clone(),
        };
        self.rungs.binary_search(&die.sides).map_err(|_| off())
    }

    /// The rung nearest to a place that may be past an end.
    fn nearest(&self, place: i32) -> usize {
        place.clamp(0, self.rungs.len() as i32 - 1) as usize
    }

    /// The shifts on the way from a rung, one after another.
    fn walk(&self, at: usize, reasons: &[(i8, Arc<str>)]) -> impl Iterator<Item = Shift> {
        reasons.iter().scan(at as i32, |place, (by, reason)| {
            let from = self.rungs[self.nearest(*place)];
            *place += i32::from(*by);
            let to = self.rungs[self.nearest(*place)];
            Some(Shift {
                by: *by,
                from,
                to,
                reason: reason.clone(),
            })
        })
    }
}

impl fmt::Display for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.rungs.split_first().unwrap_or((&0, &[]));
        write!(f, "d{first}")?;
        rest.iter().try_for_each(|sides| write!(f, "-{sides}"))
    }
}

/// What happens to a shift that runs past the end of a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LadderEnd {
    /// The die stays at the end; the steps beyond it are lost.
    Stop,
    /// The whole shift is impossible.
    Refuse,
    /// The die stays at the end; the steps beyond it come back as [`Shifted::surplus`].
    Convert,
}

/// The outcome of a shift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shifted {
    /// The die now.
    pub die: Die,
    /// The steps past an end that converts: positive past the top, negative past the bottom, else 0.
    pub surplus: i32,
}

/// A die that was rolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    /// The die.
    pub die: Die,
    /// What it shows, from 1 to its sides.
    pub face: u16,
    /// The number of the draw in its step.
    pub draw: u32,
}

/// Dice rolled together, of any types, in a fixed order.
///
/// ```
/// use kernel::chance::{Chance, Draws, DrawPosition, Script, ScriptedDie};
/// use kernel::dice::{Die, Pool};
///
/// let faces = [2, 6, 4].map(ScriptedDie::any);
/// let mut chance = Chance::scripted(Script::new(faces, [""; 0]));
/// let pool = Pool::of(3, &Die::new(6).unwrap());
/// let rolls = pool.roll(&mut Draws::new(&mut chance, DrawPosition::default()))?;
/// assert_eq!(rolls.sum(), 12);
/// assert_eq!(rolls.highest().unwrap().face, 6);
/// assert_eq!(rolls.lowest().unwrap().draw, 0);
/// assert_eq!(rolls.at_least(4), 2);
/// # Ok::<(), kernel::chance::ChanceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pool(Vec<Die>);

impl Pool {
    /// A pool of these dice, to be rolled in this order; it may be empty.
    #[must_use]
    pub fn new(dice: impl IntoIterator<Item = Die>) -> Self {
        Self(dice.into_iter().collect())
    }

    /// A pool of `count` dice like `die`.
    #[must_use]
    pub fn of(count: usize, die: &Die) -> Self {
        Self(vec![die.clone(); count])
    }

    /// The dice, in order.
    #[must_use]
    pub fn dice(&self) -> &[Die] {
        &self.0
    }

    /// Rolls each die once, in order.
    ///
    /// # Errors
    /// If the script or the enumeration does not fit one of the draws.
    pub fn roll(&self, draws: &mut Draws<'_>) -> Result<Rolls, ChanceError> {
        self.0
            .iter()
            .map(|die| die.roll(draws))
            .collect::<Result<_, _>>()
            .map(Rolls)
    }
}

/// What a [`Pool`] shows, in the order of its dice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rolls(Vec<Roll>);

impl Rolls {
    /// The single rolls, in the order of the dice.
    #[must_use]
    pub fn as_slice(&self) -> &[Roll] {
        &self.0
    }

    /// All faces added up.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.0.iter().map(|roll| u64::from(roll.face)).sum()
    }

    /// The first of the rolls with the highest face; absent if nothing was rolled.
    #[must_use]
    pub fn highest(&self) -> Option<&Roll> {
        // `max_by_key` gives the last of equals; looking from the back makes that the first.
        self.0.iter().rev().max_by_key(|roll| roll.face)
    }

    /// The first of the rolls with the lowest face; absent if nothing was rolled.
    #[must_use]
    pub fn lowest(&self) -> Option<&Roll> {
        self.0.iter().min_by_key(|roll| roll.face)
    }

    /// How many faces are `face` or higher.
    #[must_use]
    pub fn at_least(&self, face: u16) -> usize {
        self.0.iter().filter(|roll| roll.face >= face).count()
    }
}

impl FromIterator<Roll> for Rolls {
    fn from_iter<I: IntoIterator<Item = Roll>>(rolls: I) -> Self {
        Self(rolls.into_iter().collect())
    }
}

/// Compares the single highest face of either side; a side without dice scores 0.
///
/// ```
/// use kernel::dice::{Die, Opposed, Roll, Tie, opposed};
///
/// let show = |face| Roll { die: Die::new(8).unwrap(), face, draw: 0 };
/// assert_eq!(opposed(&[show(5)], &[show(2), show(4)], Tie::ActiveLoses), Opposed::Active);
/// assert_eq!(opposed(&[show(5)], &[show(5)], Tie::ActiveLoses), Opposed::Passive);
/// assert_eq!(opposed(&[], &[show(1)], Tie::Draw), Opposed::Passive);
/// ```
#[must_use]
pub fn opposed(active: &[Roll], passive: &[Roll], tie: Tie) -> Opposed {
    let score = |rolls: &[Roll]| rolls.iter().map(|roll| roll.face).max().unwrap_or(0);
    match (score(active).cmp(&score(passive)), tie) {
        (Ordering::Greater, _) | (Ordering::Equal, Tie::ActiveWins) => Opposed::Active,
        (Ordering::Less, _) | (Ordering::Equal, Tie::ActiveLoses) => Opposed::Passive,
        (Ordering::Equal, Tie::Draw) => Opposed::Drawn,
    }
}

/// Who wins an opposed roll when the scores are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tie {
    /// The passive side.
    ActiveLoses,
    /// The active side.
    ActiveWins,
    /// Nobody.
    Draw,
}

/// The outcome of an opposed roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opposed {
    /// The active side won.
    Active,
    /// The passive side won.
    Passive,
    /// Nobody won.
    Drawn,
}

/// Why a die or a ladder cannot be made, or a die not shifted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DiceError {
    /// A die with 0 sides. The smallest die has 1.
    #[error("expected a die with at least 1 side, found 0")]
    NoSides,
    /// A ladder without dice. Give it at least one.
    #[error("expected a ladder with at least 1 die, found none")]
    NoRungs,
    /// A ladder whose dice are not in order, or with a die twice. List them from fewest sides to most.
    #[error("expected a die with more sides than d{before} next on the ladder, found d{found}")]
    NotAscending {
        /// The sides of the die before.
        before: u16,
        /// The sides of the die that does not fit.
        found: u16,
    },
    /// A shift of a die that the ladder does not have. Shift it on its own ladder.
    #[error("expected a die on the ladder {ladder}, found {found}")]
    NotOnLadder {
        /// The ladder.
        ladder: Ladder,
        /// The die.
        found: Die,
    },
    /// A shift past an end that refuses. This is the rule speaking rather than a mistake: what needs the
    /// shift cannot be done.
    #[error("expected a die that can shift by {by} ({reason}), found {die}, {past} past the end")]
    Refused {
        /// The die, not shifted.
        die: Die,
        /// The steps asked for.
        by: i32,
        /// The rule's reason for the shift.
        reason: Arc<str>,
        /// How many steps lie past the end.
        past: u32,
    },
}

#[cfg(test)]
mod tests;
