//! Protection against chemicals, and its price.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::MoppChanged;
use crate::bindings::tcs::options;
use crate::bindings::tcs::tables::MoppRows;
use crate::bindings::tcsbase::fire::area::divisor;
use crate::bindings::tcsbase::kinds::{Company, Sheet, Unit};
use crate::bindings::tcsbase::unit::is_vehicle;
use crate::bindings::tcsbase::{cmd, morale, r#move as movement, seq};
use crate::bindings::words::{Mopp, Recovery};
use crate::chem::{ALONE, Resolved};

chapter!(tcs.mopp);

/// [levels else "low"] The level of a unit.
#[rule]
pub fn level(_game: &Reads, unit: Unit) -> Mopp {
    unit.mopp()
}

pub fn row(game: &Reads, level: Mopp) -> MoppRows {
    MoppRows::get(game, level)
}

/// The friends of a unit that may change together with it.
fn friends(game: &Reads, unit: Unit) -> Vec<Unit> {
    let side = unit.side();
    let own = Unit::all(game)
        .into_iter()
        .filter(|other| *other != unit && other.side() == side);
    own.filter(|other| other.force() == unit.force()).collect()
}

fn others(game: &Reads, unit: Unit) -> Vec<Mopp> {
    let now = level(game, unit);
    Mopp::ALL
        .iter()
        .copied()
        .filter(|level| *level != now)
        .collect()
}

fn change(game: &Writes, unit: Unit, with: Vec<Unit>, level: Mopp) {
    let mut all = vec![unit];
    all.extend(with);
    all.iter().for_each(|one| one.set_mopp(game, level));
    MoppChanged {
        units: all,
        level: level.word(),
    }
    .tell(game);
}

/// [levels, mopp.change] Change MOPP
#[action(at = seq::command, actor = Unit)]
mod set {
    use super::*;

    /// To which level?
    #[param]
    pub fn to(game: &Reads, unit: Unit) -> Domain<Mopp> {
        Domain::one_of(others(game, unit))
    }

    /// Together with whom of its force?
    #[param]
    pub fn with(game: &Reads, unit: Unit) -> Option<Domain<Vec<Unit>>> {
        Domain::some_of(friends(game, unit))
    }

    pub fn score(_game: &Reads, _unit: Unit) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, unit: Unit, to: Mopp, with: Vec<Unit>) {
        change(game, unit, with, to);
    }
}

/// [levels, mopp.change, chem.plot] Change MOPP after the attack
#[reaction(at = Resolved, actor = Unit)]
mod react {
    use super::*;

    /// To which level?
    #[param]
    pub fn to(game: &Reads, unit: Unit, _resolved: Resolved) -> Domain<Mopp> {
        Domain::one_of(others(game, unit))
    }

    /// Together with whom of its force?
    #[param]
    pub fn with(game: &Reads, unit: Unit, _resolved: Resolved) -> Option<Domain<Vec<Unit>>> {
        Domain::some_of(friends(game, unit))
    }

    /// Whoever has been attacked unprotected wants to be protected better.
    pub fn score(game: &Reads, unit: Unit, resolved: Resolved, to: Mopp, with: Vec<Unit>) -> i64 {
        let is_hit = resolved.hexes.contains(&unit.at()) && with.is_empty();
        if is_hit && level(game, unit) == Mopp::Low && to == Mopp::Medium {
            3
        } else {
            -1
        }
    }

    pub fn perform(game: &Acts, unit: Unit, _resolved: Resolved, to: Mopp, with: Vec<Unit>) {
        change(game, unit, with, to);
    }
}

/// [effects, tbl.mopp] Sheets gain so many weighted turns at most, by the highest level on them.
#[wrap(cmd::gain)]
fn capped(base: cmd::gain::Base, game: &Reads, sheet: Sheet) -> i64 {
    let gained = base(game, sheet);
    let levels = cmd::members(game, sheet)
        .into_iter()
        .map(|unit| level(game, unit));
    let caps = levels.filter_map(|level| row(game, level).turns);
    caps.min().map_or(gained, |most| gained.min(most))
}

/// [effects] Movement on foot is divided, down to one point.
#[wrap(movement::allowance)]
fn slow(base: movement::allowance::Base, game: &Reads, unit: Unit) -> i64 {
    let under = base(game, unit);
    if is_vehicle(game, unit) || under == 0 {
        return under;
    }
    (under / row(game, level(game, unit)).movement).max(1)
}

/// [effects] So are the weapons of troops.
#[wrap(divisor)]
fn masked(base: divisor::Base, game: &Reads, firer: Unit) -> i64 {
    let under = base(game, firer);
    if is_vehicle(game, firer) {
        under
    } else {
        under * row(game, level(game, firer)).fire
    }
}

/// Whether a unit is on the map, and what carries it too.
fn is_here(unit: Unit) -> bool {
    !unit.is_off_map() && unit.carrier().is_none_or(|carrier| !carrier.is_off_map())
}

/// [effects] Companies recover by a smaller share.
#[wrap(morale::share)]
fn slowly(base: morale::share::Base, game: &Reads, company: Company) -> i64 {
    let here = Unit::all_with(game, Unit::COMPANY, Some(company))
        .into_iter()
        .filter(|unit| is_here(*unit));
    let levels = here.map(|unit| level(game, unit));
    let decides = match game.option(options::mopp::RECOVERY) {
        Recovery::Highest => levels.max(),
        Recovery::Lowest => levels.min(),
    };
    decides.map_or_else(|| base(game, company), |level| row(game, level).recovery)
}

/// [effects] Checks that chemicals alone have not caused are harder.
#[wrap(morale::modifier)]
fn uneasy(base: morale::modifier::Base, game: &Reads, unit: Unit, cause: &str) -> i64 {
    let more = if cause == ALONE {
        0
    } else {
        row(game, level(game, unit)).other_check
    };
    base(game, unit, cause) + more
}
