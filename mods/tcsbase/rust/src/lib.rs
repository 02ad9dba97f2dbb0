//! The series rules: the map, the turn, modes, fire, morale, overwatch,
//! missions.

mod area;
mod arithmetic;
mod art;
mod atroll;
#[rustfmt::skip]
mod bindings;
mod fire;
mod illum;
mod landing;
mod los;
mod map;
mod mode;
mod morale;
mod movement;
mod ow;
mod point;
mod seq;
mod smoke;
mod spot;
mod time;

use bindings::tcsbase::kinds::{Clock, Unit};
use houserule_guest::prelude::*;

houserule_guest::module!();

fn range(a: Unit, b: Unit) -> i64 {
    i64::from(a.at().distance(b.at()))
}

fn enemies(game: &Reads, unit: Unit) -> Vec<Unit> {
    let side = unit.side();
    Unit::all(game).into_iter().filter(|other| other.side() != side).collect()
}

fn friends(game: &Reads, unit: Unit) -> Vec<Unit> {
    let side = unit.side();
    Unit::all(game).into_iter().filter(|other| *other != unit && other.side() == side).collect()
}

fn clock(game: &Reads) -> Clock {
    Clock::named(game, "clock")
}

/// The number of the present trigger of overwatch.
fn trigger(game: &Reads) -> i64 {
    clock(game).trigger()
}

/// Two dice, one after the other.
fn two_dice(game: &Draws, purpose: &str) -> i64 {
    game.roll_all(&[Die::new(6), Die::new(6)], purpose).iter().sum()
}

/// A number with its sign, as people write modifiers.
fn signed(n: i64) -> String {
    format!("{n:+}")
}
