//! Whole numbers of a file that say in which bounds they lie.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// A whole number from `LEAST` to `MOST`, both included. One that lies beyond is told with these bounds, which what reads
/// RON does not name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whole<const MOST: u64, const LEAST: u64 = 0>(pub u64);

/// A whole number of 64 bits.
pub type Whole64 = Whole<{ u64::MAX }>;

/// How many of something that is there at least once.
pub type Count32 = Whole<{ u32::MAX as u64 }, 1>;

impl Count32 {
    /// The number.
    pub fn small(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

impl<'de, const MOST: u64, const LEAST: u64> Deserialize<'de> for Whole<MOST, LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor::<MOST, LEAST>)
    }
}

struct WholeVisitor<const MOST: u64, const LEAST: u64>;

impl<const MOST: u64, const LEAST: u64> Visitor<'_> for WholeVisitor<MOST, LEAST> {
    type Value = Whole<MOST, LEAST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST} to {MOST}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole<MOST, LEAST>, E> {
        match (LEAST..=MOST).contains(&number) {
            true => Ok(Whole(number)),
            false => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole<MOST, LEAST>, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    /// What no whole number of this program holds is read as a decimal.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole<MOST, LEAST>, E> {
        let is_beyond = number.fract() == 0.0 && number.abs() >= u64::MAX as f64;
        match is_beyond {
            true => Err(E::invalid_value(
                Unexpected::Other("a number far beyond"),
                &self,
            )),
            false => Err(E::invalid_value(Unexpected::Float(number), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ron_words::message_of;
    use super::*;

    fn read_whole<const MOST: u64>(text: &str) -> Result<u64, String> {
        match ron::from_str::<Whole<MOST>>(text) {
            Ok(Whole(number)) => Ok(number),
            Err(error) => Err(message_of(&error.code)),
        }
    }

    #[test]
    fn a_number_beyond_its_bounds_is_told_with_them() {
        const SMALL: u64 = u32::MAX as u64;
        assert_eq!(
            read_whole::<{ u64::MAX }>("18446744073709551615"),
            Ok(u64::MAX),
            "the largest"
        );
        assert_eq!(read_whole::<SMALL>("0x10"), Ok(16));
        let seeds = "expected a whole number from 0 to 18446744073709551615";
        for (text, found) in [
            ("-1", "the number `-1`"),
            ("18446744073709551616", "a number far beyond"),
            ("99999999999999999999999", "a number far beyond"),
            ("1.5", "the decimal `1.5`"),
            ("\"7\"", "the text \"7\""),
        ] {
            assert_eq!(
                read_whole::<{ u64::MAX }>(text),
                Err(format!("{seeds}, found {found}")),
                "{text}"
            );
        }
        assert_eq!(
            read_whole::<SMALL>("4294967296"),
            Err(
                "expected a whole number from 0 to 4294967295, found the number `4294967296`"
                    .into()
            )
        );
    }
}
