//! Products too long for 128 bits, for exact comparison and nothing else.

use std::cmp::Ordering;

/// An unsigned integer of 256 bits.
///
/// Every caller states why its values fit; what would not is a mistake of
/// ours, and would wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide {
    high: u128,
    low: u128,
}

const HALF: u32 = 64;
const LOW: u128 = (1 << HALF) - 1;

impl Wide {
    /// The product of two numbers; always fits.
    pub(super) fn product(a: u128, b: u128) -> Wide {
        let (a1, a0, b1, b0) = (a >> HALF, a & LOW, b >> HALF, b & LOW);
        let low = a0 * b0;
        let middle = a1 * b0 + (low >> HALF);
        let other = a0 * b1 + (middle & LOW);
        Wide {
            high: a1 * b1 + (middle >> HALF) + (other >> HALF),
            low: (other << HALF) | (low & LOW),
        }
    }

    /// The square of a number; always fits.
    pub(super) fn square(a: i128) -> Wide {
        Wide::product(a.unsigned_abs(), a.unsigned_abs())
    }

    /// The sum, which must be below 2^256.
    pub(super) fn plus(self, other: Wide) -> Wide {
        let (low, carry) = self.low.overflowing_add(other.low);
        Wide {
            high: self
                .high
                .wrapping_add(other.high)
                .wrapping_add(u128::from(carry)),
            low,
        }
    }

    /// The difference, if it is not below zero.
    pub(super) fn checked_minus(self, other: Wide) -> Option<Wide> {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self
            .high
            .checked_sub(other.high)?
            .checked_sub(u128::from(borrow))?;
        Some(Wide { high, low })
    }

    /// The product, which must be below 2^256.
    pub(super) fn times(self, factor: u128) -> Wide {
        let low = Wide::product(self.low, factor);
        Wide {
            high: low.high.wrapping_add(self.high.wrapping_mul(factor)),
            low: low.low,
        }
    }

    fn limbs(self) -> [u64; 4] {
        let part = |n: u128| (n & LOW) as u64;
        [
            part(self.low),
            part(self.low >> HALF),
            part(self.high),
            part(self.high >> HALF),
        ]
    }
}

/// How `a * b` compares with `c * d`, all 512 bits of them.
pub(super) fn compare_products(a: Wide, b: Wide, c: Wide, d: Wide) -> Ordering {
    long_product(a, b)
        .iter()
        .rev()
        .cmp(long_product(c, d).iter().rev())
}

/// The product in 64-bit limbs, lowest first.
fn long_product(a: Wide, b: Wide) -> [u64; 8] {
    let mut limbs = [0_u64; 8];
    for (i, x) in a.limbs().into_iter().enumerate() {
        let mut carry = 0;
        for (j, y) in b.limbs().into_iter().enumerate() {
            let sum = u128::from(x) * u128::from(y) + u128::from(limbs[i + j]) + carry;
            limbs[i + j] = (sum & LOW) as u64;
            carry = sum >> HALF;
        }
        limbs[i + 4] = carry as u64;
    }
    limbs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Schoolbook multiplication of bits: slow and obvious.
    fn slow(a: u128, b: u128) -> Wide {
        let mut sum = Wide { high: 0, low: 0 };
        for bit in (0..128).rev() {
            sum = sum.plus(sum);
            if b >> bit & 1 == 1 {
                sum = sum.plus(Wide { high: 0, low: a });
            }
        }
        sum
    }

    proptest! {
        #[test]
        fn product_agrees_with_adding_bit_by_bit(a: u128, b: u128) {
            prop_assert_eq!(Wide::product(a, b), slow(a, b));
        }

        #[test]
        fn minus_undoes_plus(a: u128, b: u128, c in 0..u128::MAX >> 1, d in 0..u128::MAX >> 1) {
            let (x, y) = (Wide { high: c, low: a }, Wide { high: d, low: b });
            prop_assert_eq!(x.plus(y).checked_minus(y), Some(x));
            prop_assert_eq!(x.checked_minus(y).is_some(), x >= y);
        }

        #[test]
        fn long_products_order_as_short_ones_do(a: u64, b: u64, c: u64, d: u64, shift in 0_u32..64) {
            let grow = |n: u64| Wide::product(u128::from(n), 1 << 64 << shift);
            let exact = (u128::from(a) * u128::from(b)).cmp(&(u128::from(c) * u128::from(d)));
            prop_assert_eq!(compare_products(grow(a), grow(b), grow(c), grow(d)), exact);
            prop_assert_eq!(Wide::product(1, u128::from(a)).times(u128::from(b)), Wide::product(a.into(), b.into()));
        }
    }
}
