//! The hours of the day.

use houserule_guest::prelude::*;

use crate::clock;

chapter!(tcsbase.r#gen);

const DAY: i64 = 24 * 60;

/// [hour] Minutes since midnight.
#[rule]
pub fn time(game: &Reads) -> i64 {
    clock(game).minutes() % DAY
}
