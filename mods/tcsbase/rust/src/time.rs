//! The hours of the day.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Company;
use crate::{clock, morale, weather};

chapter!(tcsbase.r#gen);

const DAY: i64 = 24 * 60;

/// [hour] Minutes since midnight.
#[rule]
pub fn time(game: &Reads) -> i64 {
    clock(game).minutes() % DAY
}

/// A minute as people say it: the time of day, and which day it is after the first.
#[rule]
pub fn clock_time(_game: &Reads, minutes: i64) -> String {
    let (day, minute) = (minutes.div_euclid(DAY), minutes.rem_euclid(DAY));
    let time = format!("{:02}:{:02}", minute / 60, minute % 60);
    match day {
        0 => time,
        _ => format!("{time} on day {}", day + 1),
    }
}

/// [hour] Whether the present turn is one of the full hour, which has hourly checks.
#[rule]
pub fn is_full(game: &Reads) -> bool {
    clock(game).minutes() % 60 == 0
}

/// [night_turn] The clock goes on: to the next full hour by night, by day to the next third of one.
/// So a night that falls at any minute has its full hours, and its midnight.
///
/// cites: gen.scale
#[step]
pub fn go_on(game: &Acts) {
    let clock = clock(game);
    let length = if clock.is_night() { 60 } else { 20 };
    clock.set_minutes(game, (clock.minutes() / length + 1) * length);
    if clock.dusk() != clock.dawn() {
        let (now, dusk, dawn) = (time(game), clock.dusk(), clock.dawn());
        let is_night = if dusk > dawn {
            now >= dusk || now < dawn
        } else {
            (dusk..dawn).contains(&now)
        };
        clock.set_is_night(game, is_night);
    }
}

/// [hour] Companies recover, and the weather is looked at.
#[step]
pub fn hourly(game: &Acts) {
    Company::all(game)
        .into_iter()
        .for_each(|company| morale::recover(game, company));
    weather::look::push(game);
}
