//! The series rules, chapter by chapter: the turn, units and modes, carrying,
//! the map and what is seen on it, fire, overwatch, missions, mines, morale,
//! movement and close combat, aircraft, command, night and weather.

mod air;
mod area;
mod arithmetic;
mod art;
mod assault;
mod atroll;
#[rustfmt::skip]
mod bindings;
mod carry;
mod cmd;
mod fire;
mod illum;
mod landing;
mod los;
mod map;
mod mines;
mod mode;
mod morale;
mod movement;
mod overrun;
mod ow;
mod point;
mod seq;
mod sheets;
mod shown;
mod smoke;
mod spot;
mod stack;
mod terrain;
mod time;
mod unit;
mod victory;
mod weather;

use bindings::tcsbase::kinds::{Clock, Unit};
use houserule_guest::prelude::*;
use unit::units;

houserule_guest::module!();

fn range(a: Unit, b: Unit) -> i64 {
    i64::from(a.at().distance(b.at()))
}

fn enemies(game: &Reads, unit: Unit) -> Vec<Unit> {
    unit::against(game, &unit.side())
}

fn friends(game: &Reads, unit: Unit) -> Vec<Unit> {
    unit::of_side(game, &unit.side())
        .into_iter()
        .filter(|other| *other != unit)
        .collect()
}

fn clock(game: &Reads) -> Clock {
    Clock::named(game, "clock")
}

/// The number of the present trigger of overwatch.
fn trigger(game: &Reads) -> i64 {
    clock(game).trigger()
}

/// Whether what was done last at a trigger, -1 if never, was done at the present one: what was never done rests on no
/// trigger.
fn is_of_trigger(game: &Reads, last: i64) -> bool {
    last >= 0 && last == trigger(game)
}

fn die(game: &Draws, purpose: &str) -> i64 {
    game.roll(&Die::new(6), purpose)
}

/// Two dice, one after the other.
fn two_dice(game: &Draws, purpose: &str) -> i64 {
    game.roll_all(&[Die::new(6), Die::new(6)], purpose)
        .iter()
        .sum()
}

/// A number with its sign, as people write modifiers.
fn signed(n: i64) -> String {
    format!("{n:+}")
}
