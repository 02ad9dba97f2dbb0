//! Modern warfare over the series rules, in the order of its chapters: dual
//! mode; rounds, launchers, counterbattery; missiles; helicopters; chemicals;
//! night; mechanized infantry; armour.

mod aa;
mod arithmetic;
mod armor;
mod arms;
mod at8;
mod atgm;
#[rustfmt::skip]
mod bindings;
mod bomblets;
mod cb;
mod chem;
mod copperhead;
mod dedicated;
mod dual;
mod fascam;
mod flight;
mod guns;
mod helo;
mod lift;
mod micv;
mod mlrs;
mod mopp;
mod night;
mod overruns;
mod rounds;
mod shown;
mod sorties;
mod split;
mod station;

use bindings::tcsbase::events::CarryLost;
use bindings::tcsbase::kinds::{Clock, Unit};
use bindings::tcsbase::seq;
use bindings::tcsbase::unit::{against, units};
use bindings::tcsbase::victory;
use bindings::words::Class;
use houserule_guest::INCH;
use houserule_guest::prelude::*;

houserule_guest::module!();

fn range(a: Unit, b: Unit) -> i64 {
    i64::from(a.at().distance(b.at()))
}

fn is_helicopter(unit: Unit) -> bool {
    unit.class() == Class::Helicopter
}

fn enemies(game: &Reads, unit: Unit) -> Vec<Unit> {
    against(game, &unit.side())
}

/// Whoever a unit carries.
fn aboard(game: &Reads, carrier: Unit) -> Vec<Unit> {
    Unit::all_with(game, Unit::CARRIER, Some(carrier))
}

/// A unit goes that is lost with what it was aboard of.
fn perish(game: &Writes, unit: Unit) {
    if let Some(carrier) = unit.carrier() {
        CarryLost { unit, carrier }.tell(game);
    }
    victory::count(game, unit, unit.steps() - unit.lost());
    unit.remove(game);
}

/// Columns and rows of the map.
fn extent(game: &Reads) -> (i64, i64) {
    let (width, depth) = game.size();
    (width / INCH, depth / INCH)
}

/// All hexes of the map.
fn hexes(game: &Reads) -> Vec<Hex> {
    let (columns, rows) = extent(game);
    let column = |column: i64| (1..=rows).map(move |row| Hex::at(column as i32, row as i32));
    (1..=columns).flat_map(column).collect()
}

fn on_map(game: &Reads, hex: Hex) -> bool {
    is_within(extent(game), hex)
}

fn is_within((columns, rows): (i64, i64), hex: Hex) -> bool {
    let (column, row) = hex.column_row();
    (1..=columns).contains(&i64::from(column)) && (1..=rows).contains(&i64::from(row))
}

/// Whether a hex lies at the edge of the map.
fn at_edge(game: &Reads, hex: Hex) -> bool {
    let extent = extent(game);
    !hex.neighbours()
        .into_iter()
        .all(|next| is_within(extent, next))
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

/// How many turns are left with the present one; nothing where the scenario says no number.
fn turns_left(game: &Reads) -> Option<i64> {
    let turns = i64::from(game.turns()?);
    Some(turns - i64::from(game.round(seq::game::ID)) + 1)
}

/// Two dice, one after the other.
fn two_dice(game: &Draws, purpose: &str) -> i64 {
    game.roll_all(&[Die::new(6), Die::new(6)], purpose)
        .iter()
        .sum()
}
