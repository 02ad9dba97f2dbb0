//! Exact places along a segment.

use std::cmp::Ordering;

use super::wide::Wide;

/// How far along a segment: 0 at its start, 1 at its end.
///
/// Numerator and denominator stay below 2^84, since both are cross or dot
/// products of vectors between points of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    numerator: i128,
    denominator: u128,
}

impl Ratio {
    pub(super) const START: Ratio = Ratio {
        numerator: 0,
        denominator: 1,
    };
    pub(super) const END: Ratio = Ratio {
        numerator: 1,
        denominator: 1,
    };

    /// `numerator / denominator`, whose denominator is not zero.
    pub(super) fn new(numerator: i128, denominator: i128) -> Ratio {
        let numerator = if denominator < 0 {
            -numerator
        } else {
            numerator
        };
        Ratio {
            numerator,
            denominator: denominator.unsigned_abs(),
        }
    }

    pub(super) fn numerator(self) -> i128 {
        self.numerator
    }

    pub(super) fn denominator(self) -> i128 {
        self.denominator as i128
    }

    pub(super) fn is_on_segment(self) -> bool {
        self.numerator >= 0 && self.numerator.unsigned_abs() <= self.denominator
    }

    /// So far along a segment of that many micrometres, to the nearest
    /// micrometre, halves up; the ends where it lies outside.
    pub(super) fn of(self, length: i64) -> i64 {
        if self.numerator <= 0 {
            return 0;
        }
        if self.numerator.unsigned_abs() >= self.denominator {
            return length;
        }
        // The length of a segment is below 2^42, so the doubled product is below 2^127.
        let doubled = 2 * self.numerator * i128::from(length) + self.denominator();
        (doubled / (2 * self.denominator())) as i64
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let left = Wide::product(self.numerator.unsigned_abs(), other.denominator);
        let right = Wide::product(other.numerator.unsigned_abs(), self.denominator);
        match (self.numerator < 0, other.numerator < 0) {
            (false, false) => left.cmp(&right),
            (true, true) => right.cmp(&left),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn order_is_that_of_cross_products(a in -99_i128..99, b in 1_i128..99, c in -99_i128..99, d in -99_i128..-1) {
            prop_assert_eq!(Ratio::new(a, b).cmp(&Ratio::new(c, d)), (a * -d).cmp(&(-c * b)));
        }

        #[test]
        fn place_is_rounded_half_up(a in 0_i128..=50, b in 50_i128..99, length in 0_i64..1000) {
            let rounded = i128::from(Ratio::new(a, b).of(length));
            let exact = 2 * a * i128::from(length);
            prop_assert!(2 * rounded * b - b <= exact && exact < 2 * rounded * b + b);
        }
    }
}
