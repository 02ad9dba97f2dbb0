//! Modern warfare over the series rules.

mod aa;
mod arithmetic;
mod at8;
mod atgm;
#[rustfmt::skip]
mod bindings;
mod cb;
mod dual;
mod flight;
mod guns;
mod helo;
mod night;
mod rounds;
mod split;

use bindings::tcsbase::kinds::{Clock, Unit};
use bindings::words::Class;
use houserule_guest::prelude::*;

houserule_guest::module!();

fn range(a: Unit, b: Unit) -> i64 {
    i64::from(a.at().distance(b.at()))
}

fn is_helicopter(unit: Unit) -> bool {
    unit.class() == Class::Helicopter
}

fn enemies(game: &Reads, unit: Unit) -> Vec<Unit> {
    let side = unit.side();
    Unit::all(game).into_iter().filter(|other| other.side() != side).collect()
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
