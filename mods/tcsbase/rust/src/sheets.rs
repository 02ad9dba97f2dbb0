//! Op sheets: written, prepared, brought into force.

use std::collections::BTreeSet;

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::{CmdReserveCalled, CmdTried};
use crate::bindings::tcsbase::kinds::{Sheet, Unit};
use crate::bindings::tcsbase::options;
use crate::bindings::tcsbase::tables::{CmdNumbers, CmdThresholds};
use crate::bindings::words::SheetMission;
use crate::cmd::{is_free, members};
use crate::map::hexes;
use crate::unit::is_vehicle;
use crate::{clock, die, seq, units};

chapter!(tcsbase.cmd);

/// A reserve comes into force on this.
const RESERVE: i64 = 5;

/// [missions else nil] Whether a unit may be put on a sheet that is written now. @open
#[rule]
pub fn may_join(_game: &Reads, _unit: Unit) -> Verdict {
    Ok(())
}

/// [missions] A unit is on one sheet that is prepared, and on no other.
#[wrap(may_join)]
fn one_at_a_time(base: may_join::Base, game: &Reads, unit: Unit) -> Verdict {
    if unit.next_sheet().is_some_and(|sheet| sheet.exists(game)) {
        refuse!("a sheet is prepared for it");
    }
    base(game, unit)
}

/// [seq.command, opsheet] Write an op sheet
#[action(at = seq::command)]
mod write {
    use super::*;

    pub fn allowed(game: &Reads) -> Verdict {
        if candidates(game, &game.acting()).is_empty() {
            refuse!("there is nobody to put on it");
        }
        Ok(())
    }

    /// For what?
    #[param]
    pub fn mission(_game: &Reads) -> Domain<SheetMission> {
        Domain::one_of([
            SheetMission::Attack,
            SheetMission::Move,
            SheetMission::Hasty,
            SheetMission::Prepared,
        ])
    }

    /// With which objective?
    #[param]
    pub fn goal(game: &Reads) -> Domain<Hex> {
        let side = game.acting();
        let enemies = units(game).into_iter().filter(|unit| unit.side() != side);
        let mut found: Vec<Hex> = enemies.map(Unit::at).collect();
        found.extend(
            hexes(game)
                .into_iter()
                .filter(|hex| !found.contains(hex))
                .collect::<Vec<Hex>>(),
        );
        Domain::one_of(found)
    }

    /// Who is on it?
    #[param]
    pub fn members(game: &Reads) -> Domain<Vec<Unit>> {
        Domain::several(candidates(game, &game.acting()), 1, None)
    }

    /// A bot writes one sheet for whoever has none, though more may be written.
    pub fn score(game: &Reads, mission: SheetMission, members: Vec<Unit>) -> i64 {
        let has_none = |unit: &Unit| unit.sheet().is_none() && unit.next_sheet().is_none();
        let is_wanted = |unit: &Unit| unit.advances() && has_none(unit) && !is_free(game, *unit);
        let wanted = members.iter().filter(|unit| is_wanted(unit)).count() as i64;
        if mission == SheetMission::Attack && wanted == members.len() as i64 {
            wanted
        } else {
            -1
        }
    }

    pub fn perform(game: &Acts, mission: SheetMission, goal: Hex, members: Vec<Unit>) {
        let made = Sheet::create(
            game,
            None,
            [Sheet::SIDE.is(game.acting()), Sheet::GOAL.is(goal)],
        );
        made.set_mission(game, mission);
        if let Some(staff) = members
            .iter()
            .find_map(|unit| unit.sheet())
            .map(Sheet::staff)
        {
            made.set_staff(game, staff);
        }
        members
            .into_iter()
            .for_each(|unit| unit.set_next_sheet(game, Some(made)));
    }
}

/// [opsheet else {}] Those of a side who may be put on a sheet that is written now, those who are carried too.
#[rule]
pub fn candidates(game: &Reads, side: &str) -> Vec<Unit> {
    let is_here =
        |unit: Unit| !unit.is_off_map() && unit.carrier().is_none_or(|on| !on.is_off_map());
    let own = Unit::all(game)
        .into_iter()
        .filter(|unit| unit.side() == side && is_here(*unit));
    own.filter(|unit| !is_free(game, *unit) && may_join(game, *unit).is_ok())
        .collect()
}

/// [seq.command, opsheet] Cancel an op sheet
#[action(at = seq::command, actor = Sheet)]
mod cancel {
    use super::*;

    pub fn score(_game: &Reads, _sheet: Sheet) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, sheet: Sheet) {
        drop(game, sheet);
    }
}

/// Takes a sheet away from its units.
fn drop(game: &Writes, sheet: Sheet) {
    for unit in Unit::all(game) {
        if unit.sheet() == Some(sheet) {
            unit.set_sheet(game, None);
        }
        if unit.next_sheet() == Some(sheet) {
            unit.set_next_sheet(game, None);
        }
    }
    sheet.remove(game);
}

/// [weighted else 0] What a sheet gains in a turn: three; two if a unit of it follows another or at night; one if a unit of it
/// has fired or was fired at in the last turn.
#[rule]
pub fn gain(game: &Reads, sheet: Sheet) -> i64 {
    let members = members(game, sheet);
    let turns = match () {
        () if members.iter().any(|unit| unit.was_engaged()) => 1,
        () if clock(game).is_night() || members.iter().any(|unit| unit.sheet().is_some()) => 2,
        () => 3,
    };
    let all_drive = !members.is_empty() && members.iter().all(|unit| is_vehicle(game, *unit));
    if all_drive {
        turns * game.option(options::cmd::VEHICLE_TURNS)
    } else {
        turns
    }
}

/// [weighted] Sheets that are prepared gain weighted turns.
#[step]
fn accrue(game: &Acts) {
    for sheet in Sheet::all(game) {
        if !sheet.is_in_force() {
            sheet.set_turns(game, sheet.turns() + gain(game, sheet));
        }
    }
}

/// [opsheet] What was tried may be tried anew. A sheet is done when one of its units holds the objective of its attack or
/// move: its units are free for another. One whose units are all gone is dropped.
#[step]
fn review(game: &Acts) {
    for sheet in Sheet::all(game) {
        if members(game, sheet).is_empty() {
            drop(game, sheet);
        }
    }
    for sheet in Sheet::all(game) {
        sheet.set_has_tried(game, false);
    }
    for sheet in Sheet::all(game)
        .into_iter()
        .filter(|sheet| sheet.is_in_force())
    {
        let leads = [SheetMission::Attack, SheetMission::Move].contains(&sheet.mission());
        let has_arrived = |unit: &Unit| !unit.is_off_map() && unit.at() == sheet.goal();
        if leads && sheet.reserve().is_none() && members(game, sheet).iter().any(has_arrived) {
            drop(game, sheet);
        }
    }
}

/// [opsheet] Op sheets in force
#[automatic(before = seq::command)]
fn reviewed(game: &Acts) {
    review::push(game);
}

/// [weighted] Op sheets that are prepared
#[automatic(before = seq::command)]
fn accrued(game: &Acts) {
    accrue::push(game);
}

/// [implement] How large a sheet is: one for a company, two for more, three for a battalion.
#[rule]
pub fn size(game: &Reads, sheet: Sheet) -> i64 {
    let members = members(game, sheet);
    let companies: BTreeSet<Option<String>> = members
        .iter()
        .map(|unit| unit.company().map(|company| company.name()))
        .collect();
    (companies.len() as i64).clamp(1, 3)
}

/// [implement] What the dice, read as tens and units, must come to; nothing where it is impossible.
#[rule]
pub fn needed(game: &Reads, sheet: Sheet) -> Option<i64> {
    let threshold = |row: &CmdThresholds| match sheet.mission() {
        SheetMission::Prepared => row.prepared,
        SheetMission::Attack => row.attack,
        SheetMission::Hasty => row.hasty,
        SheetMission::Move => row.r#move,
    };
    let columns = CmdThresholds::all(game);
    let column = columns
        .iter()
        .rposition(|row| threshold(row) <= sheet.turns())?;
    let row = CmdNumbers::get(game, (sheet.staff() + size(game, sheet)).min(9));
    let (c6, c7, c8, c9, c10, c11) = (row.c6, row.c7, row.c8, row.c9, row.c10, row.c11);
    let late = [c6, c7, c8, c9, c10, c11].map(Some);
    [row.c1, row.c2, row.c3, row.c4, row.c5]
        .into_iter()
        .chain(late)
        .nth(column)?
}

/// [implement] Implement an op sheet
#[action(at = seq::command, actor = Sheet)]
mod implement {
    use super::*;

    pub fn allowed(game: &Reads, sheet: Sheet) -> Verdict {
        if sheet.is_in_force() {
            refuse!("it is in force");
        }
        if sheet.has_tried() {
            refuse!("it has been tried in this turn");
        }
        if members(game, sheet).is_empty() {
            refuse!("nobody is on it");
        }
        if needed(game, sheet).is_none() {
            refuse!("it is not prepared enough");
        }
        Ok(())
    }

    pub fn score(_game: &Reads, _sheet: Sheet) -> i64 {
        10
    }

    pub fn perform(game: &Acts, sheet: Sheet) {
        sheet.set_has_tried(game, true);
        let Some(needed) = needed(game, sheet) else {
            return;
        };
        let faces = game.roll_all(
            &[Die::new(6), Die::new(6)],
            &format!("implementing {sheet}"),
        );
        let roll = 10 * faces[0] + faces[1];
        let comes = roll >= needed;
        let result = if comes { "in force" } else { "not yet" };
        CmdTried {
            sheet,
            turns: sheet.turns(),
            roll,
            needed: &needed.to_string(),
            result,
        }
        .tell(game);
        if comes {
            bring_into_force(game, sheet);
        }
    }
}

/// [implement else nil] A sheet comes into force: its units leave those that they followed. @never_draws
#[rule]
pub fn bring_into_force(game: &Writes, sheet: Sheet) {
    for unit in members(game, sheet) {
        unit.set_sheet(game, Some(sheet));
        unit.set_next_sheet(game, None);
    }
    sheet.set_is_in_force(game, true);
    let is_empty = |other: &Sheet| other.is_in_force() && members(game, *other).is_empty();
    Sheet::all(game)
        .into_iter()
        .filter(is_empty)
        .for_each(|other| other.remove(game));
}

/// [reserve] Call for the reserve
#[action(at = seq::command, actor = Sheet)]
mod call_reserve {
    use super::*;

    pub fn allowed(_game: &Reads, sheet: Sheet) -> Verdict {
        if !sheet.is_in_force() || sheet.reserve().is_none() {
            refuse!("it has no reserve mission");
        }
        if sheet.has_tried() {
            refuse!("it has been tried in this turn");
        }
        Ok(())
    }

    pub fn score(_game: &Reads, _sheet: Sheet) -> i64 {
        2
    }

    pub fn perform(game: &Acts, sheet: Sheet) {
        sheet.set_has_tried(game, true);
        let die = die(game, &format!("the reserve of {sheet}"));
        let comes = die >= RESERVE;
        CmdReserveCalled {
            sheet,
            die,
            result: if comes { "in force" } else { "not yet" },
        }
        .tell(game);
        if let Some(goal) = sheet.reserve().filter(|_| comes) {
            sheet.set_goal(game, goal);
            sheet.set_reserve(game, None);
        }
    }
}
