//! Point fire: the number.

use houserule_guest::prelude::*;

use crate::arithmetic::{point_column, point_row};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::tables::FirePointNumbers;
use crate::fire::{POINT, Weapon, defence, reach};
use crate::range;

chapter!(tcsbase.fire.point);

/// [how, table] Whether the gun of a unit can hurt another at any range.
#[rule]
pub fn pierces(game: &Reads, firer: Unit, target: Unit) -> bool {
    point_column(firer.av() - defence(game, target, POINT)).is_some()
}

/// [how, table] What the dice must come to, before modifiers; nothing where there is no shot.
#[rule]
pub fn needed(game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    let reach = reach(game, firer, Weapon::Gun);
    let row = point_row(range(firer, target), reach).filter(|_| reach > 0)?;
    let column = point_column(firer.av() - defence(game, target, POINT))?;
    FirePointNumbers::find(game, row, column).map(|row| row.needed)
}
