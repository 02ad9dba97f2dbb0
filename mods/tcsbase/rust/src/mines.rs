//! Minefields.

use houserule_guest::prelude::*;

use crate::area::{Blow, suffer};
use crate::bindings::tcsbase::events::{MinesBreached, MinesWentOff};
use crate::bindings::tcsbase::kinds::{Field, Unit};
use crate::bindings::words::Class;
use crate::mode::ready;
use crate::movement::{self, POINT, allowance, arrive, watched};
use crate::unit::{is_vehicle, lose};
use crate::{die, seq, two_dice};

chapter!(tcsbase.mines);

/// Mines, as a cause of losses.
pub const MINES: &str = "mines";

/// What dice must come to against a vehicle.
const KILLS: i64 = 9;

/// What ten points of firepower add to the dice.
const POWER: i64 = 1;

/// What a hex with mines costs a unit in sixths, which costs so much without them; a lane costs a point.
#[rule]
pub fn cost(_game: &Reads, _unit: Unit, field: Field, without: i64) -> i64 {
    if field.has_lane() { POINT } else { without }
}

/// [mines.cost] One more on foot, two more in vehicles.
#[wrap(cost)]
fn dearer(base: cost::Base, game: &Reads, unit: Unit, field: Field, without: i64) -> i64 {
    let more = if is_vehicle(game, unit) { 2 } else { 1 };
    let under = base(game, unit, field, without);
    if field.has_lane() {
        under
    } else {
        under + more * POINT
    }
}

/// [friendly] The own side pays double instead.
#[wrap(cost)]
fn own(base: cost::Base, game: &Reads, unit: Unit, field: Field, without: i64) -> i64 {
    match is_own(game, unit, field) && !field.has_lane() {
        true => 2 * without,
        false => base(game, unit, field, without),
    }
}

/// [attack else false] Whether a field attacks a unit.
#[rule]
pub fn harms(_game: &Reads, unit: Unit, field: Field) -> bool {
    !field.has_lane() && unit.class() != Class::Helicopter
}

/// [friendly] Not its own side.
#[wrap(harms)]
fn harms_others(base: harms::Base, game: &Reads, unit: Unit, field: Field) -> bool {
    !is_own(game, unit, field) && base(game, unit, field)
}

/// [friendly else false] Whether a field is one that the side of a unit has laid itself.
#[rule]
pub fn is_own(_game: &Reads, unit: Unit, field: Field) -> bool {
    field.side() == unit.side()
}

/// The fields in a hex: several may overlap.
fn fields_at(game: &Reads, at: Hex) -> impl Iterator<Item = Field> {
    Field::all(game)
        .into_iter()
        .filter(move |field| field.at() == at)
}

/// [attack] Whoever enters mines is attacked. @reveals(a field that goes off)
#[wrap(arrive)]
fn entered(base: arrive::Base, game: &Acts, unit: Unit, from: Hex) {
    base(game, unit, from);
    if unit.exists(game)
        && let Some(field) = fields_at(game, unit.at()).find(|field| harms(game, unit, *field))
    {
        attack::push(game, unit, field);
    }
}

/// [attack else nil] Vehicles by dice, troops on the Area Fire Table without modifiers of terrain. @reveals(a field that goes off)
#[step]
pub fn attack(game: &Acts, unit: Unit, field: Field) {
    if !unit.exists(game) || !field.exists(game) {
        return;
    }
    field.set_is_known(game, true);
    field.reveal(game, None, None);
    let dice = two_dice(game, &format!("mines under {unit}"));
    if !is_vehicle(game, unit) {
        suffer::push(
            game,
            unit,
            dice,
            Blow {
                power: POWER,
                modifier: POWER,
                cause: MINES.into(),
            },
        );
        return;
    }
    let is_lost = dice >= KILLS;
    MinesWentOff {
        unit,
        dice,
        result: if is_lost { "destroyed" } else { "passes" },
    }
    .tell(game);
    if is_lost {
        lose(game, unit, MINES, Some(POWER));
    }
}

// Fields that have not gone off yet are known to their own side alone.
/// [hidden] Hidden fields
#[automatic(before = seq::command)]
fn buried(game: &Acts) {
    bury::push(game);
}

/// [hidden else nil] Hides them.
#[step]
fn bury(game: &Acts) {
    let own = Field::all(game)
        .into_iter()
        .filter(|field| !field.side().is_empty() && !field.is_known());
    own.for_each(|field| field.hide(game, None));
}

/// [breach] Open a lane
#[action(at = seq::action, actor = Unit)]
mod open_lane {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if !unit.is_engineer() {
            refuse!("it has no engineers");
        }
        movement::may(game, unit)?;
        if unit.used() > 0 {
            refuse!("it has no points left");
        }
        ready(unit)?;
        if beside(game, unit).is_empty() {
            refuse!("no mines are beside it");
        }
        Ok(())
    }

    /// In which hex?
    #[param]
    pub fn at(game: &Reads, unit: Unit) -> Domain<Hex> {
        Domain::one_of(beside(game, unit))
    }

    pub fn score(_game: &Reads, unit: Unit) -> i64 {
        if unit.advances() { 20 } else { -1 }
    }

    pub fn perform(game: &Acts, unit: Unit, at: Hex) {
        unit.set_has_moved(game, true);
        unit.set_used(game, allowance(game, unit) * POINT);
        crate::ow::expose(game, unit);
        watched::push(game, unit);
        clear_lane::push(game, unit, at);
    }
}

fn beside(game: &Reads, unit: Unit) -> Vec<Hex> {
    let fields = Field::all(game)
        .into_iter()
        .filter(|field| !field.has_lane());
    fields
        .map(Field::at)
        .filter(|at| at.distance(unit.at()) == 1)
        .collect()
}

/// [breach] Engineers who are still there open it on a 5.
#[step]
fn clear_lane(game: &Acts, unit: Unit, at: Hex) {
    if !unit.exists(game) || ready(unit).is_err() {
        return;
    }
    let die = die(game, &format!("breaching by {unit}"));
    let is_open = die >= 5;
    MinesBreached {
        unit,
        at,
        die,
        result: if is_open { "a lane" } else { "nothing" },
    }
    .tell(game);
    if let Some(field) = fields_at(game, at).find(|field| is_open && !field.has_lane()) {
        field.set_has_lane(game, true);
    }
}
