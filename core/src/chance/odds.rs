//! Exact fractions.

use std::fmt;

use super::Fork;

/// An exact probability: a fraction in lowest terms.
///
/// Arithmetic gives `None` where a result would not fit; a caller that walks so deep multiplies the
/// [`Fork`]s in numbers of its own.
///
/// ```
/// use kernel::chance::Odds;
///
/// let half = Odds::new(3, 6).unwrap();
/// assert_eq!(half.to_string(), "1/2");
/// assert_eq!(half.checked_add(half), Some(Odds::ONE));
/// assert_eq!(half.checked_mul(half), Odds::new(1, 4));
/// assert_eq!(Odds::new(1, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odds {
    numerator: u128,
    denominator: u128,
}

impl Odds {
    /// What never happens.
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };
    /// What always happens.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// `numerator` in `denominator`; `None` if the latter is 0.
    #[must_use]
    pub fn new(numerator: u128, denominator: u128) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator, denominator);
        (denominator != 0).then(|| Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    /// The odds of a path that takes all of `forks`.
    #[must_use]
    pub fn of(forks: &[Fork]) -> Option<Self> {
        forks.iter().try_fold(Self::ONE, |odds, fork| {
            odds.checked_mul(Self::new(fork.weight(), fork.total())?)
        })
    }

    /// The part above the line, in lowest terms.
    #[must_use]
    pub fn numerator(self) -> u128 {
        self.numerator
    }

    /// The part below the line, in lowest terms; never 0.
    #[must_use]
    pub fn denominator(self) -> u128 {
        self.denominator
    }

    /// The odds that one of two things happens which exclude each other.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let shared = greatest_common_divisor(self.denominator, other.denominator);
        let (scale, other_scale) = (other.denominator / shared, self.denominator / shared);
        let numerator = self
            .numerator
            .checked_mul(scale)?
            .checked_add(other.numerator.checked_mul(other_scale)?)?;
        Self::new(numerator, self.denominator.checked_mul(scale)?)
    }

    /// The odds that two independent things both happen.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        // Cancelling crosswise first, so that only what is truly too large overflows.
        let left = Self::new(self.numerator, other.denominator)?;
        let right = Self::new(other.numerator, self.denominator)?;
        Self::new(
            left.numerator.checked_mul(right.numerator)?,
            left.denominator.checked_mul(right.denominator)?,
        )
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
