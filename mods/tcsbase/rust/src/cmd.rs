//! Command: what units may do without an op sheet, and with one.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::{Sheet, Unit};
use crate::los::sees;
use crate::movement::stops;
use crate::unit::{against, of_side};

chapter!(tcsbase.cmd);

/// Units on a sheet may go wherever they like so near to its objective.
const AREA: u32 = 3;

/// [unassigned else true] Whether a unit needs no op sheet for what it does.
#[rule]
pub fn is_free(_game: &Reads, _unit: Unit) -> bool {
    false
}

/// [off] Nobody does.
#[wrap(is_free)]
fn nobody_needs_one(_base: is_free::Base, _game: &Reads, _unit: Unit) -> bool {
    true
}

/// [unassigned] Who has no sheet moves no nearer to an enemy whom his side sees.
#[wrap(stops)]
fn no_nearer(base: stops::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let mut found = base(game, unit, hexes);
    if unit.sheet().is_none() && !is_free(game, unit) {
        let known = known(game, &unit.side());
        let nearest = |hex: Hex| known.iter().map(|enemy| hex.distance(*enemy)).min();
        let now = nearest(unit.at());
        found.retain(|hex| nearest(*hex) >= now);
    }
    found
}

/// [unassigned else {}] Where the enemies are whom a side sees.
#[rule]
pub fn known(game: &Reads, side: &str) -> Vec<Hex> {
    let own = of_side(game, side);
    let seen = against(game, side)
        .into_iter()
        .filter(|enemy| own.iter().any(|one| sees(game, *one, *enemy)));
    seen.map(Unit::at).collect()
}

/// [opsheet] Who has one does not move away from its objective.
#[wrap(stops)]
fn as_ordered(base: stops::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let mut found = base(game, unit, hexes);
    if let Some(sheet) = unit.sheet().filter(|_| !is_free(game, unit)) {
        let (goal, now) = (sheet.goal(), unit.at().distance(sheet.goal()));
        found.retain(|hex| hex.distance(goal) <= now.max(AREA));
    }
    found
}

/// [opsheet else {}] The units of a sheet: those who follow it, or for whom it is prepared.
#[rule]
pub fn members(game: &Reads, sheet: Sheet) -> Vec<Unit> {
    match sheet.is_in_force() {
        true => Unit::all_with(game, Unit::SHEET, Some(sheet)),
        false => Unit::all_with(game, Unit::NEXT_SHEET, Some(sheet)),
    }
}
