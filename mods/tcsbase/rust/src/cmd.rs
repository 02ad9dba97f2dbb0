//! Command: what units may do without an op sheet, and with one.

use houserule_guest::prelude::*;

use crate::assault;
use crate::bindings::tcsbase::kinds::{Sheet, Unit};
use crate::carry::aboard;
use crate::los::{sees, sees_like};
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

/// [move.who] Of some hexes those to which the orders of a unit let it go, on the ground or in the air.
#[rule]
pub fn goals(_game: &Reads, _unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    hexes.to_vec()
}

/// [overrun.how else {}] Of some hexes of the enemy those that the orders of a unit let it overrun.
#[rule]
pub fn prey(_game: &Reads, _unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    hexes.to_vec()
}

/// [move.who] Where the enemies are to whom its orders let a unit go no nearer, on its way either.
#[rule]
pub fn shunned(_game: &Reads, _unit: Unit) -> Vec<Hex> {
    Vec::new()
}

/// [unassigned] Who has no sheet goes past none whom his side sees,
#[wrap(shunned)]
fn keeps_away(base: shunned::Base, game: &Reads, unit: Unit) -> Vec<Hex> {
    let mut found = base(game, unit);
    if is_unassigned(game, unit) {
        found.extend(known(game, &unit.side()));
    }
    found
}

/// [unassigned] moves no nearer to any,
#[wrap(goals)]
fn no_nearer(base: goals::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let mut found = base(game, unit, hexes);
    if is_unassigned(game, unit) {
        let (at, known) = (unit.at(), known(game, &unit.side()));
        let is_nearer = |hex: Hex, enemy: &Hex| hex.distance(*enemy) < at.distance(*enemy);
        found.retain(|hex| !known.iter().any(|enemy| is_nearer(*hex, enemy)));
    }
    found
}

/// [unassigned] overruns none of them,
#[wrap(prey)]
fn overruns_nobody(base: prey::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let mut found = base(game, unit, hexes);
    if is_unassigned(game, unit) {
        let known = known(game, &unit.side());
        found.retain(|hex| !known.contains(hex));
    }
    found
}

/// [unassigned] and assaults nobody: whoever is beside him is nearer in his own hex.
#[wrap(assault::may)]
fn assaults_nobody(base: assault::may::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_unassigned(game, unit) {
        refuse!("it has no orders to");
    }
    base(game, unit)
}

/// A unit, and those aboard it, who go where it goes.
fn together(game: &Reads, unit: Unit) -> impl Iterator<Item = Unit> {
    std::iter::once(unit).chain(aboard(game, unit))
}

/// Whether a unit, or somebody aboard it, would need an op sheet, and has none.
fn is_unassigned(game: &Reads, unit: Unit) -> bool {
    together(game, unit).any(|one| one.sheet().is_none() && !is_free(game, one))
}

/// The op sheets of a unit and of those aboard it, by which it moves.
pub fn orders(game: &Reads, unit: Unit) -> Vec<Option<Sheet>> {
    together(game, unit).map(Unit::sheet).collect()
}

/// [unassigned else {}] Where the enemies are whom a side sees.
#[rule]
pub fn known(game: &Reads, side: &str) -> Vec<Hex> {
    let eyes = eyes(game, side);
    let seen = against(game, side)
        .into_iter()
        .filter(|enemy| eyes.iter().any(|one| sees(game, *one, *enemy)));
    seen.map(Unit::at).collect()
}

/// Those of a side who look: one of several in a hex who see the same.
fn eyes(game: &Reads, side: &str) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    for unit in of_side(game, side) {
        let mut here = found.iter().filter(|one| one.at() == unit.at());
        if !here.any(|one| sees_like(game, *one, unit)) {
            found.push(unit);
        }
    }
    found
}

/// [opsheet] Who has one does not move away from its objective,
#[wrap(goals)]
fn as_ordered(base: goals::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let (mut found, leashes) = (base(game, unit, hexes), leashes(game, unit));
    found.retain(|hex| leashes.iter().all(|leash| leash.reaches(*hex)));
    found
}

/// [opsheet] nor by an overrun.
#[wrap(prey)]
fn overruns_as_ordered(base: prey::Base, game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    let (mut found, leashes) = (base(game, unit, hexes), leashes(game, unit));
    found.retain(|hex| leashes.iter().all(|leash| leash.reaches(*hex)));
    found
}

/// [opsheet] nor into an assault.
#[wrap(assault::can_enter)]
fn assaults_as_ordered(base: assault::can_enter::Base, game: &Reads, unit: Unit, at: Hex) -> bool {
    let mut leashes = leashes(game, unit).into_iter();
    leashes.all(|leash| leash.reaches(at)) && base(game, unit, at)
}

/// How far a sheet lets somebody go from its objective.
struct Leash {
    goal: Hex,
    most: u32,
}

impl Leash {
    fn reaches(&self, hex: Hex) -> bool {
        hex.distance(self.goal) <= self.most
    }
}

/// The sheets that a unit, and whoever is aboard it, follow where it goes: asked for once for all hexes.
fn leashes(game: &Reads, unit: Unit) -> Vec<Leash> {
    let at = unit.at();
    let bound = together(game, unit).filter(|one| !is_free(game, *one));
    let leash = |sheet: Sheet| {
        let goal = sheet.goal();
        let most = at.distance(goal).max(AREA);
        Leash { goal, most }
    };
    bound.filter_map(Unit::sheet).map(leash).collect()
}

/// [opsheet else {}] The units of a sheet: those who follow it, or for whom it is prepared.
#[rule]
pub fn members(game: &Reads, sheet: Sheet) -> Vec<Unit> {
    match sheet.is_in_force() {
        true => Unit::all_with(game, Unit::SHEET, Some(sheet)),
        false => Unit::all_with(game, Unit::NEXT_SHEET, Some(sheet)),
    }
}
