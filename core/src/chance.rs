//! Where every random number of a game comes from.
//!
//! Chance is counter-based: a draw is a pure function of the seed and of its [`DrawPosition`], that is of who
//! draws, in which action, in which step, and for the how-manieth time. Nothing is carried over from one
//! draw to the next, so a rule that draws once more in a step changes nothing in the steps that follow.
//!
//! A [`Chance`] has one of four sources: a seed; a script, for tests; an [`Enumeration`], for exact odds; or
//! a function of the place, for games that are to part in one draw. Rules cannot tell which, since they only
//! ever hold [`Draws`].
//!
//! Absent on purpose: any state that would have to be saved with a game (a seeded `Chance` has none), and
//! floating point.

use std::num::NonZeroU32;
use std::sync::Arc;

use thiserror::Error;

mod enumeration;
mod given;
mod odds;
mod philox;
mod script;

use enumeration::ForkWalk;
use given::GivenNumbers;
use philox::{below, key_of};

pub(crate) use enumeration::ways;
pub use enumeration::{Enumeration, Fork, HandfulOrder};
pub use odds::Odds;
pub use script::{LeftOver, Script, ScriptedDie, ScriptedOrder};

/// Where a draw stands in its game; with the seed, this alone decides its value.
///
/// ```
/// use std::num::NonZeroU32;
/// use kernel::chance::{DrawPosition, uniform};
///
/// let six = NonZeroU32::new(6).unwrap();
/// let place = DrawPosition { action: 12, step: 3, ..DrawPosition::default() };
/// assert_eq!(uniform(7, place, six), uniform(7, place, six));
/// assert!(uniform(7, place, six) < 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DrawPosition {
    /// The action's number in the game; in a secret phase, its number on that side's pad.
    pub action: u32,
    /// Who draws: 0 for the table, `1 + s` for side `s` in a secret phase.
    pub lane: u8,
    /// How often play was rewound between players, so that nobody rewinds to peek. Counts modulo 2^24.
    pub epoch: u32,
    /// The step's number in its action.
    pub step: u16,
    /// The draw's number in its step.
    pub draw: u32,
}

/// Where a shuffle stands. One of fewer than two cards takes no draw, so that the next stands at the same draw:
/// its number in the step tells them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShufflePosition {
    /// Where its first draw stands, if it takes any.
    pub draw: DrawPosition,
    /// How many shuffles came before it in its step.
    pub shuffle: u32,
}

/// The number in `0..bound` that `seed` holds at `place`, each equally likely.
///
/// Without bias: a block that would favour some numbers is rejected and the place tried again under the next
/// retry number, which belongs to this place alone. What the next draw gives never depends on it.
#[must_use]
pub fn uniform(seed: u64, place: DrawPosition, bound: NonZeroU32) -> u32 {
    below(key_of(seed), bound, |retry| place.counter(retry))
}

/// The source of a game's random numbers: a seed, a script, one path of an [`Enumeration`], or a function.
///
/// Cloning is cheap. Only a script and an enumeration have a position; see [`Chance::mark`].
#[derive(Clone, Debug)]
pub struct Chance(ChanceSource);

/// How much of each queue of a script was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Used {
    dice: usize,
    chits: usize,
    orders: usize,
}

#[derive(Clone, Debug)]
enum ChanceSource {
    Seeded { seed: u64 },
    Scripted { script: Script, used: Used },
    Enumerating(ForkWalk),
    Given(GivenNumbers),
}

impl Chance {
    /// Chance for play: every draw follows from `seed` and its place.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self(ChanceSource::Seeded { seed })
    }

    /// Whether every draw follows from a seed, and from the same as in another.
    #[must_use]
    pub fn is_seeded_as(&self, other: &Chance) -> bool {
        match (&self.0, &other.0) {
            (ChanceSource::Seeded { seed: mine }, ChanceSource::Seeded { seed: theirs }) => {
                mine == theirs
            }
            _ => false,
        }
    }

    /// Chance for tests: every draw takes the next scripted result, whatever its place.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition, Script, ScriptedDie};
    ///
    /// let script = Script::new([ScriptedDie::of(8, 5), ScriptedDie::any(6)], ["a"]);
    /// let mut chance = Chance::scripted(script);
    /// let mut draws = Draws::new(&mut chance, DrawPosition::default());
    /// assert_eq!(draws.die(8), Ok(5));
    /// assert_eq!(draws.die(6), Ok(6));
    /// assert!(draws.die(6).is_err());
    ///
    /// let left_over = chance.left_over();
    /// assert!(left_over.dice.is_empty());
    /// assert_eq!(left_over.chits.len(), 1);
    /// ```
    #[must_use]
    pub fn scripted(script: Script) -> Self {
        Self(ChanceSource::Scripted {
            script,
            used: Used::default(),
        })
    }

    /// Chance that a function gives: a number in `0..bound` for each place, the same whenever it is asked for
    /// the same place and bound. A number that is not below the bound is taken modulo the bound.
    ///
    /// It serves to play two games that part in one draw and in nothing else:
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition, uniform};
    ///
    /// let other = DrawPosition { action: 3, ..DrawPosition::default() };
    /// let parted = move |place, bound| uniform(if place == other { 8 } else { 7 }, place, bound);
    /// let (mut one, mut two) = (Chance::seeded(7), Chance::given(parted));
    /// let mut die = |chance: &mut Chance, action| {
    ///     Draws::new(chance, DrawPosition { action, ..DrawPosition::default() }).uniform(1_000_000)
    /// };
    /// assert_eq!(die(&mut one, 2), die(&mut two, 2));
    /// assert_ne!(die(&mut one, 3), die(&mut two, 3));
    /// ```
    #[must_use]
    pub fn given(by: impl Fn(DrawPosition, NonZeroU32) -> u32 + Send + Sync + 'static) -> Self {
        Self(ChanceSource::Given(GivenNumbers {
            by: Arc::new(by),
            orders: None,
        }))
    }

    /// The same chance, which tells in which order each shuffle has put a deck, and where that shuffle stands: for
    /// who writes a script of what came up. A step that is run again tells its orders again. Of any other source
    /// nothing is told.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use kernel::chance::{Chance, Draws, DrawPosition, uniform};
    /// use kernel::chits::Composition;
    /// use kernel::deck::{Deck, DeckKind, Pile};
    ///
    /// let told = Arc::new(Mutex::new(Vec::new()));
    /// let notes = told.clone();
    /// let chance = Chance::given(|place, bound| uniform(7, place, bound));
    /// let mut chance = chance.telling_orders(move |_, order| notes.lock().unwrap().push(order));
    /// let mut deck = Deck::full(&DeckKind::new(Composition::new([("ace", 4), ("king", 4)])?)?);
    /// deck.shuffle(&mut Draws::new(&mut chance, DrawPosition::default()))?;
    /// let told = told.lock().unwrap();
    /// assert!(deck.cards(Pile::Stock).eq(told[0].iter()));
    /// # Ok::<(), kernel::deck::DeckError>(())
    /// ```
    #[must_use]
    pub fn telling_orders(
        mut self,
        orders: impl Fn(ShufflePosition, ScriptedOrder) + Send + Sync + 'static,
    ) -> Self {
        if let ChanceSource::Given(given) = &mut self.0 {
            given.orders = Some(Arc::new(orders));
        }
        self
    }

    /// The position, to come back to with [`Chance::rewind`] when a step is rolled back.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition, Script, ScriptedDie};
    ///
    /// let dice = [ScriptedDie::any(4), ScriptedDie::any(2)];
    /// let mut chance = Chance::scripted(Script::new(dice, [""; 0]));
    /// let start = chance.mark();
    /// assert_eq!(Draws::new(&mut chance, DrawPosition::default()).die(6), Ok(4));
    /// chance.rewind(start);
    /// assert_eq!(Draws::new(&mut chance, DrawPosition::default()).die(6), Ok(4));
    /// ```
    #[must_use]
    pub fn mark(&self) -> ChanceMark {
        match &self.0 {
            ChanceSource::Seeded { .. } | ChanceSource::Given(_) => ChanceMark::default(),
            ChanceSource::Scripted { used, .. } => ChanceMark {
                used: *used,
                depth: 0,
            },
            ChanceSource::Enumerating(path) => ChanceMark {
                depth: path.taken().len(),
                ..ChanceMark::default()
            },
        }
    }

    /// Goes back to a position marked earlier on this chance or on the one it was cloned from.
    ///
    /// The same draws then give the same results again. Only the position changes: the place belongs to
    /// whoever makes the [`Draws`].
    pub fn rewind(&mut self, mark: ChanceMark) {
        match &mut self.0 {
            ChanceSource::Seeded { .. } | ChanceSource::Given(_) => {}
            ChanceSource::Scripted { used, .. } => *used = mark.used,
            ChanceSource::Enumerating(path) => path.rewind(mark.depth),
        }
    }

    /// Adds results to the end of a script; those that were used stay used.
    /// Any other source becomes a script of these alone.
    pub fn extend(&mut self, more: Script) {
        match &mut self.0 {
            ChanceSource::Scripted { script, .. } => script.append(more),
            other => {
                *other = ChanceSource::Scripted {
                    script: more,
                    used: Used::default(),
                }
            }
        }
    }

    /// The scripted results that no draw has taken yet; empty for any other source.
    #[must_use]
    pub fn left_over(&self) -> LeftOver<'_> {
        match &self.0 {
            ChanceSource::Scripted { script, used } => LeftOver {
                dice: script.dice.get(used.dice..).unwrap_or_default(),
                chits: script.chits.get(used.chits..).unwrap_or_default(),
                orders: script.orders.get(used.orders..).unwrap_or_default(),
            },
            _ => LeftOver {
                dice: &[],
                chits: &[],
                orders: &[],
            },
        }
    }

    /// The forks taken so far on this path of an enumeration, first to last; empty for any other source.
    ///
    /// Their weights multiplied are the odds of the path: [`Odds::of`].
    #[must_use]
    pub fn forks(&self) -> &[Fork] {
        match &self.0 {
            ChanceSource::Enumerating(path) => path.taken(),
            _ => &[],
        }
    }

    /// In which order an enumeration hands handfuls over.
    pub(crate) fn handful_order(&self) -> HandfulOrder {
        match &self.0 {
            ChanceSource::Enumerating(path) => path.order(),
            _ => HandfulOrder::default(),
        }
    }

    /// Whether an enumeration has handed a handful over on this path in which not all chits are the same, so
    /// that somebody may have looked at their order; false for any other source.
    #[must_use]
    pub fn has_mixed_handful(&self) -> bool {
        matches!(&self.0, ChanceSource::Enumerating(path) if path.is_mixed())
    }

    fn uniform(&mut self, place: DrawPosition, bound: u32) -> Result<u32, ChanceError> {
        let some = NonZeroU32::new(bound).ok_or(ChanceError::NoOutcome)?;
        match &mut self.0 {
            ChanceSource::Seeded { seed } => Ok(uniform(*seed, place, some)),
            ChanceSource::Scripted { script, used } => script.next_die(&mut used.dice, bound),
            ChanceSource::Enumerating(path) => path.uniform(bound),
            ChanceSource::Given(given) => Ok((given.by)(place, some) % some),
        }
    }

    fn weighted(
        &mut self,
        place: DrawPosition,
        weights: impl Iterator<Item = u32> + Clone,
    ) -> Result<usize, ChanceError> {
        let total = total_of(weights.clone())?;
        if let ChanceSource::Enumerating(path) = &mut self.0 {
            return path.weighted(weights.map(u128::from), u128::from(total));
        }
        let mut ticket = self.uniform(place, total)?;
        for (index, weight) in weights.enumerate() {
            match ticket.checked_sub(weight) {
                Some(rest) => ticket = rest,
                None => return Ok(index),
            }
        }
        Err(ChanceError::NoOutcome)
    }

    fn chit<'n>(
        &mut self,
        place: DrawPosition,
        classes: impl Iterator<Item = (&'n str, u32)> + Clone,
    ) -> Result<usize, ChanceError> {
        let weights = classes.clone().map(|(_, count)| count);
        let ChanceSource::Scripted { script, used } = &mut self.0 else {
            return self.weighted(place, weights);
        };
        total_of(weights)?;
        script.next_chit(&mut used.chits, classes)
    }

    /// Which of the cards, by class and sorted, comes next in a shuffle. Equal cards are one choice of an
    /// enumeration, which keeps it small.
    fn next_card(&mut self, place: DrawPosition, rest: &[u32]) -> Result<usize, ChanceError> {
        let bound = u32::try_from(rest.len()).unwrap_or(u32::MAX);
        let ChanceSource::Enumerating(path) = &mut self.0 else {
            return self.uniform(place, bound).map(|card| card as usize);
        };
        let classes: Vec<&[u32]> = rest.chunk_by(|a, b| a == b).collect();
        let weights = classes.iter().map(|class| class.len() as u128);
        let chosen = path.weighted(weights, u128::from(bound))?;
        Ok(classes[..chosen].iter().map(|class| class.len()).sum())
    }
}

/// What a rule draws from: a chance, and the place of the next draw.
///
/// Every successful draw takes exactly one draw number, even if there was only one way it could go.
///
/// ```
/// use kernel::chance::{Chance, Draws, DrawPosition};
///
/// let mut chance = Chance::seeded(2026);
/// let mut draws = Draws::new(&mut chance, DrawPosition { action: 1, ..DrawPosition::default() });
/// let face = draws.die(6)?;
/// assert!((1..=6).contains(&face));
/// assert_eq!(draws.place().draw, 1);
/// # Ok::<(), kernel::chance::ChanceError>(())
/// ```
#[derive(Debug)]
pub struct Draws<'a> {
    chance: &'a mut Chance,
    place: DrawPosition,
    shuffles: u32,
}

impl<'a> Draws<'a> {
    /// Draws from `chance`, the first one at `place`.
    pub fn new(chance: &'a mut Chance, place: DrawPosition) -> Self {
        Self {
            chance,
            place,
            shuffles: 0,
        }
    }

    /// The same, after so many shuffles in the same step: their number is part of where the next one stands.
    #[must_use]
    pub fn after_shuffles(self, shuffles: u32) -> Self {
        Self { shuffles, ..self }
    }

    /// Where the next draw stands.
    #[must_use]
    pub fn place(&self) -> DrawPosition {
        self.place
    }

    /// Where the next shuffle stands.
    #[must_use]
    pub fn shuffle_place(&self) -> ShufflePosition {
        ShufflePosition {
            draw: self.place,
            shuffle: self.shuffles,
        }
    }

    /// A number in `0..bound`, each equally likely.
    ///
    /// A script answers with its next die, read as a die of `bound` sides, less one.
    ///
    /// # Errors
    /// If `bound` is 0, or if the script or the enumeration does not fit this draw.
    pub fn uniform(&mut self, bound: u32) -> Result<u32, ChanceError> {
        let drawn = self.chance.uniform(self.place, bound)?;
        self.count();
        Ok(drawn)
    }

    /// The face, from 1, of a die of `sides` sides.
    ///
    /// # Errors
    /// If `sides` is 0, or if the script or the enumeration does not fit this draw.
    pub fn die(&mut self, sides: u16) -> Result<u16, ChanceError> {
        let below = self.uniform(u32::from(sides))?;
        // Below `sides`, so one more still fits.
        Ok(u16::try_from(below).map_or(sides, |below| below.saturating_add(1)))
    }

    /// The index of one of `weights`, each as likely as its weight.
    ///
    /// A script answers with its next die, read as a die of as many sides as the weights add up to.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition};
    ///
    /// let mut chance = Chance::seeded(5);
    /// let mut draws = Draws::new(&mut chance, DrawPosition::default());
    /// assert_eq!(draws.choose_weighted(&[0, 3, 0]), Ok(1));
    /// ```
    ///
    /// # Errors
    /// If the weights add up to 0 or to more than a `u32` holds, or if the script or the enumeration does not
    /// fit this draw.
    pub fn choose_weighted(&mut self, weights: &[u32]) -> Result<usize, ChanceError> {
        let index = self.chance.weighted(self.place, weights.iter().copied())?;
        self.count();
        Ok(index)
    }

    /// The index of a class of equal chits, each as likely as the number of its chits.
    ///
    /// `classes` gives the name and the count of each class. Drawing among classes rather than single chits
    /// is what keeps an enumeration small.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition, Script};
    ///
    /// let mut chance = Chance::scripted(Script::new([], ["b"]));
    /// let mut draws = Draws::new(&mut chance, DrawPosition::default());
    /// assert_eq!(draws.chit([("a", 4), ("b", 1)].into_iter()), Ok(1));
    /// ```
    ///
    /// # Errors
    /// As for [`Draws::choose_weighted`], and if the script names a chit of which there is none.
    pub fn chit<'n>(
        &mut self,
        classes: impl Iterator<Item = (&'n str, u32)> + Clone,
    ) -> Result<usize, ChanceError> {
        let index = self.chance.chit(self.place, classes)?;
        self.count();
        Ok(index)
    }

    /// One of so many chits in a row, where chance goes by numbers alone. A script and an enumeration go by what
    /// the chits are, and give `None`: ask [`Draws::chit`].
    pub(crate) fn ticket(&mut self, total: u32) -> Result<Option<u32>, ChanceError> {
        if !matches!(
            self.chance.0,
            ChanceSource::Seeded { .. } | ChanceSource::Given(_)
        ) {
            return Ok(None);
        }
        let ticket = self.chance.uniform(self.place, total)?;
        self.count();
        Ok(Some(ticket))
    }

    /// How many chits of each class are in a handful of `n` that goes together, for an enumeration: it varies
    /// handfuls and not the order in which their chits came. Any other source gives `None`, and so does a pot
    /// with more handfuls than numbers hold: then draw one chit after another.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, Enumeration, Odds, DrawPosition};
    ///
    /// let mut chance = Enumeration::new().chance();
    /// let handful = Draws::new(&mut chance, DrawPosition::default()).handful(&[3, 2], 2)?;
    /// assert_eq!(handful, Some(vec![0, 2]));
    /// assert_eq!(Odds::of(chance.forks()), Odds::new(1, 10));
    /// let mut chance = Chance::seeded(1);
    /// assert_eq!(Draws::new(&mut chance, DrawPosition::default()).handful(&[3, 2], 2), Ok(None));
    /// # Ok::<(), kernel::chance::ChanceError>(())
    /// ```
    ///
    /// # Errors
    /// If the enumeration does not fit.
    pub fn handful(&mut self, counts: &[u32], n: u32) -> Result<Option<Vec<u32>>, ChanceError> {
        let ChanceSource::Enumerating(path) = &mut self.chance.0 else {
            return Ok(None);
        };
        let drawn = path.handful(counts, n)?;
        if drawn.is_some() {
            (0..n).for_each(|_| self.count());
        }
        Ok(drawn)
    }

    /// Whether handfuls are handed over [turned](HandfulOrder::Turned).
    pub(crate) fn turns_handfuls(&self) -> bool {
        self.chance.handful_order() == HandfulOrder::Turned
    }

    /// Whether every way is gone through, one after another.
    #[must_use]
    pub fn goes_through_all(&self) -> bool {
        matches!(self.chance.0, ChanceSource::Enumerating(_))
    }

    /// Which of some heaps of handfuls of `n` is drawn from, each as likely as its weight, for an enumeration.
    /// Any other source gives `None`.
    ///
    /// # Errors
    /// If the enumeration does not fit, or the weights add up to more than numbers hold.
    pub fn heap(
        &mut self,
        weights: impl Iterator<Item = u128> + Clone,
        n: u32,
    ) -> Result<Option<usize>, ChanceError> {
        let ChanceSource::Enumerating(path) = &mut self.chance.0 else {
            return Ok(None);
        };
        let Some(total) = weights.clone().try_fold(0u128, u128::checked_add) else {
            return Ok(None);
        };
        let chosen = path.weighted(weights, total)?;
        (0..n).for_each(|_| self.count());
        Ok(Some(chosen))
    }

    /// Puts cards, given by class, in an order that does not depend on the one before, each equally likely.
    /// Takes one draw fewer than there are cards.
    ///
    /// A script answers with its next order, in which `class_of` finds the classes of cards.
    ///
    /// ```
    /// use kernel::chance::{Chance, Draws, DrawPosition};
    ///
    /// let shuffled = |mut cards: [u32; 4]| {
    ///     let mut chance = Chance::seeded(5);
    ///     Draws::new(&mut chance, DrawPosition::default()).shuffle(&mut cards, |_| None).map(|()| cards)
    /// };
    /// assert_eq!(shuffled([1, 2, 3, 4]), shuffled([4, 2, 1, 3]));
    /// ```
    ///
    /// # Errors
    /// If the script or the enumeration does not fit.
    pub fn shuffle(
        &mut self,
        cards: &mut [u32],
        class_of: impl Fn(&str) -> Option<u32>,
    ) -> Result<(), ChanceError> {
        cards.sort_unstable();
        if let ChanceSource::Scripted { script, used } = &mut self.chance.0 {
            script.next_order(&mut used.orders, cards, class_of)?;
            (1..cards.len()).for_each(|_| self.count());
            self.shuffles += 1;
            return Ok(());
        }
        for top in 0..cards.len().saturating_sub(1) {
            let rest = &mut cards[top..];
            let chosen = self.chance.next_card(self.place, rest)?;
            // The rest stays sorted.
            rest[..=chosen].rotate_right(1);
            self.count();
        }
        self.shuffles += 1;
        Ok(())
    }

    /// Tells who wants to know of orders that a shuffle has brought one, and where it stands.
    pub(crate) fn tell_order(&self, place: ShufflePosition, order: impl FnOnce() -> ScriptedOrder) {
        if let ChanceSource::Given(GivenNumbers {
            orders: Some(tell), ..
        }) = &self.chance.0
        {
            tell(place, order());
        }
    }

    fn count(&mut self) {
        // A step is stopped by its limits long before four thousand million draws.
        self.place.draw = self.place.draw.wrapping_add(1);
    }
}

/// A position of a [`Chance`]; made by [`Chance::mark`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChanceMark {
    used: Used,
    depth: usize,
}

/// Random numbers for a bot; they share nothing with those of the game.
///
/// A bot that thinks longer thus never changes the dice.
///
/// ```
/// use kernel::chance::BotChance;
///
/// let mut bot = BotChance::new(2026, 0);
/// let picks: Vec<u32> = (0..4).map(|_| bot.below(10)).collect();
/// let mut again = BotChance::new(2026, 0);
/// assert!(picks.iter().all(|pick| *pick < 10 && *pick == again.below(10)));
/// ```
#[derive(Clone, Debug)]
pub struct BotChance {
    key: [u32; 2],
    side: u8,
    drawn: u64,
}

impl BotChance {
    /// Sets the keys of bots apart from those of games; any constant other than 0 does.
    const DOMAIN: u64 = 0x626f_745f_6368_6e63;

    /// The numbers of the bot that plays the side with index `side` in the game with this `seed`.
    #[must_use]
    pub fn new(seed: u64, side: u8) -> Self {
        Self {
            key: key_of(seed ^ Self::DOMAIN),
            side,
            drawn: 0,
        }
    }

    /// The next number in `0..bound`, each equally likely; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        let Some(bound) = NonZeroU32::new(bound) else {
            return 0;
        };
        let [low, high] = key_of(self.drawn);
        self.drawn = self.drawn.wrapping_add(1);
        let counter = |retry: u16| [low, u32::from(retry), high, u32::from(self.side)];
        below(self.key, bound, counter)
    }
}

/// Why a draw could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChanceError {
    /// A die without sides, an empty pot, or weights that are all 0. Ask first whether there is anything to
    /// draw.
    #[error("expected something to draw from, found no outcome")]
    NoOutcome,
    /// Weights that add up to more than 2^32 - 1. Divide them by what they share.
    #[error("expected weights of at most {max} in all, found {found}", max = u32::MAX)]
    TooManyOutcomes {
        /// What the weights add up to.
        found: u64,
    },
    /// The rules rolled more dice than the script holds. Script one more, or find out why.
    #[error("expected a scripted result for a d{sides}, found none left")]
    NoDieLeft {
        /// The sides of the die that was rolled.
        sides: u32,
    },
    /// The rules rolled another type of die than the script says.
    #[error("expected a scripted result for a d{sides}, found `{found}`")]
    WrongDie {
        /// The sides of the die that was rolled.
        sides: u32,
        /// The next result in the script.
        found: ScriptedDie,
    },
    /// The script shows a face that the rolled die does not have.
    #[error("expected a scripted face from 1 to {sides}, found {found}")]
    WrongFace {
        /// The sides of the die that was rolled.
        sides: u32,
        /// The next face in the script.
        found: u32,
    },
    /// The rules drew more chits than the script holds. Script one more, or find out why.
    #[error("expected a scripted chit, found none left")]
    NoChitLeft,
    /// The script names a chit that the pot has none of.
    #[error("expected a scripted chit that is in the pot, found `{found}`")]
    NoSuchChit {
        /// The next chit in the script.
        found: Arc<str>,
    },
    /// The script names a chit oftener than there are such chits in the pot.
    #[error("expected a scripted chit that is in the pot, found `{found}`, of which none is left")]
    NoMoreOfChit {
        /// The next chit in the script.
        found: Arc<str>,
    },
    /// The rules shuffled oftener than the script says. Script one more order, or find out why.
    #[error("expected a scripted order for a shuffle, found none left")]
    NoOrderLeft,
    /// A scripted order names a card that is not among those shuffled, or oftener than it is.
    #[error("expected a scripted order of cards that are shuffled, found `{found}`")]
    NoSuchCard {
        /// The card.
        found: Arc<str>,
    },
    /// Two walks of an enumeration came to different forks after the same choices. What is enumerated must
    /// start from the same state each time and depend on nothing but its draws.
    #[error(
        "expected a draw among {expected} as on the walk before, found another draw, among {found}"
    )]
    Diverged {
        /// The total weight of the fork on the walk before.
        expected: u128,
        /// The total weight of the fork on this walk.
        found: u128,
    },
}

fn total_of(weights: impl Iterator<Item = u32>) -> Result<u32, ChanceError> {
    let found = weights.map(u64::from).sum();
    match u32::try_from(found) {
        Ok(0) => Err(ChanceError::NoOutcome),
        Ok(total) => Ok(total),
        Err(_) => Err(ChanceError::TooManyOutcomes { found }),
    }
}

impl DrawPosition {
    fn counter(self, retry: u16) -> [u32; 4] {
        let epoch = self.epoch & 0x00ff_ffff;
        [
            self.draw,
            u32::from(retry) << 16 | u32::from(self.step),
            self.action,
            u32::from(self.lane) << 24 | epoch,
        ]
    }
}

#[cfg(test)]
mod tests;
