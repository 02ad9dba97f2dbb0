//! Lengths in whole micrometres.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

/// A length, height or coordinate in whole micrometres.
///
/// Inches, their tenths and quarters, and centimetres are all exact.
/// Operators saturate at the ends of `i64`, some nine million kilometres; the
/// `checked_` forms tell when they would.
///
/// ```
/// use kernel::geometry::Length;
/// let range = Length::inches(12) - Length::tenths_of_inch(5);
/// assert_eq!(range.um(), 292_100);
/// assert_eq!(range.in_inches_text(), "11.5 in");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(i64);

impl Length {
    /// No length at all.
    pub const ZERO: Length = Length(0);
    /// One inch: 25,400 micrometres.
    pub const INCH: Length = Length(25_400);
    /// One centimetre: 10,000 micrometres.
    pub const CM: Length = Length(10_000);
    /// One millimetre: 1,000 micrometres.
    pub const MM: Length = Length(1_000);
    /// The longest length, where sums saturate.
    pub const MAX: Length = Length(i64::MAX);

    /// So many micrometres.
    pub const fn from_um(um: i64) -> Length {
        Length(um)
    }

    /// So many inches, saturating.
    pub const fn inches(n: i64) -> Length {
        Length(n.saturating_mul(Self::INCH.0))
    }

    /// So many tenths of an inch, saturating.
    pub const fn tenths_of_inch(n: i64) -> Length {
        Length(n.saturating_mul(Self::INCH.0 / 10))
    }

    /// So many centimetres, saturating.
    pub const fn centimetres(n: i64) -> Length {
        Length(n.saturating_mul(Self::CM.0))
    }

    /// So many millimetres, saturating.
    pub const fn millimetres(n: i64) -> Length {
        Length(n.saturating_mul(Self::MM.0))
    }

    /// The length in micrometres.
    pub const fn um(self) -> i64 {
        self.0
    }

    /// Whether it is below zero.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The same length without its sign, saturating.
    pub const fn abs(self) -> Length {
        Length(self.0.saturating_abs())
    }

    /// The sum, or `None` if it does not fit.
    pub fn checked_add(self, other: Length) -> Option<Length> {
        self.0.checked_add(other.0).map(Length)
    }

    /// The difference, or `None` if it does not fit.
    pub fn checked_sub(self, other: Length) -> Option<Length> {
        self.0.checked_sub(other.0).map(Length)
    }

    /// The multiple, or `None` if it does not fit.
    pub fn checked_mul(self, factor: i64) -> Option<Length> {
        self.0.checked_mul(factor).map(Length)
    }

    /// `numerator / denominator` of the length, rounded down to the micrometre,
    /// saturating; `None` for a denominator of zero or less.
    ///
    /// ```
    /// use kernel::geometry::Length;
    /// assert_eq!(Length::from_um(7).part_down(1, 2), Some(Length::from_um(3)));
    /// assert_eq!(Length::from_um(7).part_up(1, 2), Some(Length::from_um(4)));
    /// ```
    pub fn part_down(self, numerator: i64, denominator: i64) -> Option<Length> {
        (denominator > 0).then(|| {
            let product = i128::from(self.0) * i128::from(numerator);
            Length(saturate(product.div_euclid(i128::from(denominator))))
        })
    }

    /// `numerator / denominator` of the length, rounded up to the micrometre,
    /// saturating; `None` for a denominator of zero or less.
    pub fn part_up(self, numerator: i64, denominator: i64) -> Option<Length> {
        (denominator > 0).then(|| {
            let product = i128::from(self.0) * i128::from(numerator);
            Length(saturate(-(-product).div_euclid(i128::from(denominator))))
        })
    }

    /// The length as text in inches: exact to the thousandth, rounded up there,
    /// with at least one decimal.
    ///
    /// ```
    /// use kernel::geometry::Length;
    /// assert_eq!(Length::inches(11).in_inches_text(), "11.0 in");
    /// assert_eq!((Length::INCH * 29).part_down(1, 4).unwrap().in_inches_text(), "7.25 in");
    /// assert_eq!((Length::inches(3) + Length::from_um(1)).in_inches_text(), "3.001 in");
    /// ```
    pub fn in_inches_text(self) -> String {
        format!("{} in", thousandths_text(self.0, Self::INCH.0))
    }

    /// The length as text in centimetres: exact to the thousandth, rounded up
    /// there, with at least one decimal.
    ///
    /// ```
    /// use kernel::geometry::Length;
    /// assert_eq!((Length::centimetres(25) + Length::MM * 5).in_cm_text(), "25.5 cm");
    /// ```
    pub fn in_cm_text(self) -> String {
        format!("{} cm", thousandths_text(self.0, Self::CM.0))
    }

    /// The length held between zero and what no distance on the table exceeds,
    /// so that a product with it keeps within stated bounds.
    pub(super) fn reach(self) -> Length {
        Length(self.0.clamp(0, 1 << 42))
    }
}

fn saturate(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

fn thousandths_text(um: i64, unit: i64) -> String {
    let thousandths = -(-(i128::from(um) * 1000)).div_euclid(i128::from(unit));
    let sign = if thousandths < 0 { "-" } else { "" };
    let whole = thousandths.unsigned_abs() / 1000;
    let decimals = format!("{:03}", thousandths.unsigned_abs() % 1000);
    let kept = decimals.trim_end_matches('0');
    format!("{sign}{whole}.{}", if kept.is_empty() { "0" } else { kept })
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}um", self.0)
    }
}

impl Add for Length {
    type Output = Length;
    fn add(self, other: Length) -> Length {
        Length(self.0.saturating_add(other.0))
    }
}

impl Sub for Length {
    type Output = Length;
    fn sub(self, other: Length) -> Length {
        Length(self.0.saturating_sub(other.0))
    }
}

impl Mul<i64> for Length {
    type Output = Length;
    fn mul(self, factor: i64) -> Length {
        Length(self.0.saturating_mul(factor))
    }
}

impl Neg for Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length(self.0.saturating_neg())
    }
}

impl Sum for Length {
    fn sum<I: Iterator<Item = Length>>(lengths: I) -> Length {
        lengths.fold(Length::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_one_decimal_and_rounds_up() {
        assert_eq!(Length::ZERO.in_inches_text(), "0.0 in");
        assert_eq!(Length::tenths_of_inch(75).in_inches_text(), "7.5 in");
        assert_eq!(Length::from_um(-1).in_inches_text(), "0.0 in");
        assert_eq!(Length::inches(-2).in_inches_text(), "-2.0 in");
        assert_eq!(Length::from_um(1).in_cm_text(), "0.001 cm");
        assert_eq!(Length::MAX.in_cm_text(), "922337203685477.581 cm");
    }

    #[test]
    fn operators_saturate_where_checked_forms_refuse() {
        assert_eq!(Length::MAX + Length::INCH, Length::MAX);
        assert_eq!(Length::MAX.checked_add(Length::INCH), None);
        assert_eq!(-Length::from_um(i64::MIN), Length::MAX);
        assert_eq!(Length::inches(i64::MAX), Length::MAX);
        assert_eq!(
            Length::from_um(i64::MIN).part_up(i64::MIN, 1),
            Some(Length::MAX)
        );
        assert_eq!(Length::INCH.part_down(1, 0), None);
    }
}
