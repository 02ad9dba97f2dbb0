//! Exact fractions of any size, and how they are written.

use std::fmt;

use kernel::chance::Fork;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

/// An exact number, in lowest terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fraction(BigRational);

impl Fraction {
    /// Nothing.
    pub fn zero() -> Fraction {
        Fraction::of(0, 1)
    }

    /// A whole.
    pub fn one() -> Fraction {
        Fraction::of(1, 1)
    }

    /// So many of so many; a whole number where there is nothing below the line.
    pub fn of(above: u128, below: u128) -> Fraction {
        Fraction(BigRational::new(
            BigInt::from(above),
            BigInt::from(below.max(1)),
        ))
    }

    /// A whole number.
    pub fn whole(number: i64) -> Fraction {
        Fraction(BigRational::from_integer(BigInt::from(number)))
    }

    /// Reads `127/288`, or a whole number.
    pub fn read(text: &str) -> Option<Fraction> {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let (above, below): (BigUint, BigUint) =
            (above.trim().parse().ok()?, below.trim().parse().ok()?);
        (below != BigUint::default())
            .then(|| Fraction(BigRational::new(BigInt::from(above), BigInt::from(below))))
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 + &other.0)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 - &other.0)
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Fraction) -> Fraction {
        Fraction(&self.0 * &other.0)
    }

    /// How often a whole number goes into it; itself where that is nothing.
    #[must_use]
    pub fn over(&self, number: i64) -> Fraction {
        match number {
            0 => self.clone(),
            number => Fraction(&self.0 / BigInt::from(number)),
        }
    }

    /// One of so many equal parts; the whole where there are none.
    #[must_use]
    pub fn shared_by(&self, parts: usize) -> Fraction {
        Fraction(&self.0 / BigInt::from(parts.max(1)))
    }

    /// With so many digits after the point, the last one rounded half up.
    pub fn decimal(&self, places: u32) -> String {
        let scale = BigInt::from(10).pow(places);
        let half = BigRational::new(BigInt::from(1), BigInt::from(2));
        let scaled = (&self.0 * BigRational::from_integer(scale) + half)
            .floor()
            .to_integer();
        let sign = if scaled < BigInt::default() { "-" } else { "" };
        let digits = scaled.magnitude().to_string();
        let width = places as usize + 1;
        let digits = format!("{digits:0>width$}");
        let (whole, rest) = digits.split_at(digits.len() - places as usize);
        if places == 0 {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{rest}")
        }
    }

    /// So many of `parts` equal parts of a whole, rounded to the nearest: for bars.
    pub fn part_of(&self, parts: u32) -> u32 {
        let half = BigRational::new(BigInt::from(1), BigInt::from(2));
        let scaled = &self.0 * BigRational::from_integer(BigInt::from(parts)) + half;
        u32::try_from(scaled.floor().to_integer()).unwrap_or_default()
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Weights that are added up before they are made a fraction: those of one fork mostly share what is below the
/// line.
#[derive(Clone, Debug, Default)]
pub(super) struct Weight {
    same: Vec<(u128, u128)>,
    others: Option<Fraction>,
}

impl Weight {
    /// Adds the odds of a path of forks.
    pub fn add(&mut self, forks: &[Fork]) {
        let product = forks
            .iter()
            .try_fold((1u128, 1u128), |(above, below), fork| {
                Some((
                    above.checked_mul(fork.weight())?,
                    below.checked_mul(fork.total())?,
                ))
            });
        let Some((above, below)) = product else {
            let of = |fork: &Fork| Fraction::of(fork.weight(), fork.total());
            return self.add_fraction(
                forks
                    .iter()
                    .fold(Fraction::one(), |all, fork| all.times(&of(fork))),
            );
        };
        for known in &mut self.same {
            if known.1 == below
                && let Some(sum) = known.0.checked_add(above)
            {
                known.0 = sum;
                return;
            }
        }
        self.same.push((above, below));
    }

    fn add_fraction(&mut self, more: Fraction) {
        self.others = Some(
            self.others
                .take()
                .map_or(more.clone(), |others| others.plus(&more)),
        );
    }

    /// All of it.
    pub fn fraction(&self) -> Fraction {
        let others = self.others.clone().unwrap_or_else(Fraction::zero);
        self.same.iter().fold(others, |all, (above, below)| {
            all.plus(&Fraction::of(*above, *below))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_half_up() {
        assert_eq!(Fraction::of(127, 288).decimal(6), "0.440972");
        assert_eq!(Fraction::of(1, 16).decimal(3), "0.063");
        assert_eq!(Fraction::of(2, 3).decimal(0), "1");
        assert_eq!(Fraction::whole(-3).decimal(2), "-3.00");
        assert_eq!(Fraction::one().decimal(6), "1.000000");
    }

    #[test]
    fn fractions_are_read_as_they_are_written() {
        for text in ["127/288", "0", "1", "7"] {
            assert_eq!(
                Fraction::read(text).map(|read| read.to_string()).as_deref(),
                Some(text)
            );
        }
        assert_eq!(Fraction::read("2/4"), Some(Fraction::of(1, 2)));
        for text in ["1/0", "half", "-1/2", "1/2/3", ""] {
            assert_eq!(Fraction::read(text), None, "{text}");
        }
    }
}
