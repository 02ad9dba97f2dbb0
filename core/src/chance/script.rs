//! Results that a test prescribes.

use std::fmt;
use std::sync::Arc;

use super::ChanceError;

/// The cards that a scripted shuffle brings to the top, the uppermost first.
pub type ScriptedOrder = Arc<[Arc<str>]>;

/// The results of a scripted [`Chance`](super::Chance): dice, chits and shuffles in three queues, each used left
/// to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub(super) dice: Arc<[ScriptedDie]>,
    pub(super) chits: Arc<[Arc<str>]>,
    pub(super) orders: Arc<[ScriptedOrder]>,
}

impl Script {
    /// A script of `dice` and of `chits`, the latter by name.
    #[must_use]
    pub fn new<C: Into<Arc<str>>>(
        dice: impl IntoIterator<Item = ScriptedDie>,
        chits: impl IntoIterator<Item = C>,
    ) -> Self {
        let chits = chits.into_iter().map(Into::into).collect();
        Self {
            dice: dice.into_iter().collect(),
            chits,
            orders: Arc::default(),
        }
    }

    /// The same script, with what shuffles bring about.
    ///
    /// A shuffle takes one order: its cards come to lie on top, all others under them by name.
    #[must_use]
    pub fn with_orders(self, orders: impl IntoIterator<Item = ScriptedOrder>) -> Self {
        Self {
            orders: orders.into_iter().collect(),
            ..self
        }
    }

    /// Puts another script after this one.
    pub(super) fn append(&mut self, more: Script) {
        self.dice = self.dice.iter().chain(more.dice.iter()).copied().collect();
        self.chits = self
            .chits
            .iter()
            .chain(more.chits.iter())
            .cloned()
            .collect();
        self.orders = self
            .orders
            .iter()
            .chain(more.orders.iter())
            .cloned()
            .collect();
    }

    /// The next die less one, as a number below `bound`.
    pub(super) fn next_die(&self, used: &mut usize, bound: u32) -> Result<u32, ChanceError> {
        let found = *self
            .dice
            .get(*used)
            .ok_or(ChanceError::NoDieLeft { sides: bound })?;
        if found.sides.is_some_and(|sides| sides != bound) {
            return Err(ChanceError::WrongDie {
                sides: bound,
                found,
            });
        }
        let below = found.face.checked_sub(1).filter(|below| *below < bound);
        let below = below.ok_or(ChanceError::WrongFace {
            sides: bound,
            found: found.face,
        })?;
        *used += 1;
        Ok(below)
    }

    /// The index among `classes` of the next chit.
    pub(super) fn next_chit<'n>(
        &self,
        used: &mut usize,
        classes: impl Iterator<Item = (&'n str, u32)>,
    ) -> Result<usize, ChanceError> {
        let wanted = self.chits.get(*used).ok_or(ChanceError::NoChitLeft)?;
        let known = classes
            .enumerate()
            .find(|(_, (name, _))| *name == &**wanted);
        let found = wanted.clone();
        match known {
            None => Err(ChanceError::NoSuchChit { found }),
            Some((_, (_, 0))) => Err(ChanceError::NoMoreOfChit { found }),
            Some((index, _)) => {
                *used += 1;
                Ok(index)
            }
        }
    }

    /// Brings the cards of the next order to the top of others, which lie by class.
    pub(super) fn next_order(
        &self,
        used: &mut usize,
        cards: &mut [u32],
        class_of: impl Fn(&str) -> Option<u32>,
    ) -> Result<(), ChanceError> {
        let order = self.orders.get(*used).ok_or(ChanceError::NoOrderLeft)?;
        for (top, card) in order.iter().enumerate() {
            let rest = cards.get_mut(top..).unwrap_or_default();
            let place =
                class_of(card).and_then(|class| rest.iter().position(|other| *other == class));
            let place = place.ok_or_else(|| ChanceError::NoSuchCard {
                found: card.clone(),
            })?;
            rest[..=place].rotate_right(1);
        }
        *used += 1;
        Ok(())
    }
}

/// One scripted die: the face to show and, if the test cares, the type it must be rolled on.
///
/// ```
/// use kernel::chance::ScriptedDie;
///
/// assert_eq!(ScriptedDie::of(8, 5).to_string(), "d8=5");
/// assert_eq!(ScriptedDie::any(6).to_string(), "6");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedDie {
    /// The sides that the rolled die must have; any number if absent.
    pub sides: Option<u32>,
    /// The face it shows, from 1.
    pub face: u32,
}

impl ScriptedDie {
    /// A die that must have `sides` sides.
    #[must_use]
    pub const fn of(sides: u32, face: u32) -> Self {
        Self {
            sides: Some(sides),
            face,
        }
    }

    /// A die of any type that has such a face.
    #[must_use]
    pub const fn any(face: u32) -> Self {
        Self { sides: None, face }
    }
}

impl fmt::Display for ScriptedDie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sides {
            Some(sides) => write!(f, "d{sides}={}", self.face),
            None => write!(f, "{}", self.face),
        }
    }
}

impl fmt::Display for LeftOver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dice = self.dice.iter().map(ToString::to_string);
        let chits = self.chits.iter().map(ToString::to_string);
        let orders = self
            .orders
            .iter()
            .map(|order| format!("[{}]", order.join(" ")));
        let all: Vec<String> = dice.chain(chits).chain(orders).collect();
        f.write_str(&all.join(" "))
    }
}

/// What a script still holds; see [`Chance::left_over`](super::Chance::left_over).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOver<'a> {
    /// The unused dice, in order.
    pub dice: &'a [ScriptedDie],
    /// The unused chits, in order.
    pub chits: &'a [Arc<str>],
    /// The unused orders of shuffles, in order.
    pub orders: &'a [ScriptedOrder],
}

impl LeftOver<'_> {
    /// Whether the script has been used up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dice.is_empty() && self.chits.is_empty() && self.orders.is_empty()
    }

    /// The same as a script of its own.
    #[must_use]
    pub fn to_script(&self) -> Script {
        Script::new(self.dice.iter().copied(), self.chits.iter().cloned())
            .with_orders(self.orders.iter().cloned())
    }
}
