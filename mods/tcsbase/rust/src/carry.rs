//! Carriers, those aboard, and guns in tow.

use houserule_guest::prelude::*;

use crate::area::{Blow, exposed, suffer};
use crate::arithmetic::{firepower, rounded};
use crate::assault::CLOSE;
use crate::bindings::tcsbase::events::{CarryKeptDown, CarryLoaded, CarryTow, CarryUnloaded};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::words::{State, Terrain};
use crate::fire::{Table, gun_ready, terrain};
use crate::map::effects;
use crate::mode::{self, is_moving, moves, ready};
use crate::movement::{POINT, allowance, still_moves};
use crate::unit::{is_vehicle, lose};
use crate::{area, atroll, friends, seq, two_dice};

chapter!(tcsbase.carry);

/// A vehicle takes so many squads outside.
const RIDERS: i64 = 2;

/// A gun in tow is lost on this.
const TOW_LOST: i64 = 8;

/// Whoever a unit carries.
pub fn aboard(game: &Reads, carrier: Unit) -> Vec<Unit> {
    Unit::all_with(game, Unit::CARRIER, Some(carrier))
}

/// Puts a unit into a hex with all whom it carries. Whoever comes into another hex leaves his holes behind. @never_draws
#[rule]
pub fn put(game: &Writes, unit: Unit, at: Hex) {
    if unit.at() != at {
        unit.set_is_dug_in(game, false);
        unit.set_at(game, at);
    }
    aboard(game, unit)
        .into_iter()
        .for_each(|passenger| put(game, passenger, at));
}

/// [load else nil] Whether a unit can be carried by another: inside, or in tow. @open
#[rule]
pub fn fits_inside(_game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    match unit.is_towed() {
        true if !carrier.tows() => refuse!("it cannot tow"),
        false if unit.bulk() == 0 => refuse!("nothing carries that"),
        false if carrier.room() == 0 => refuse!("it has no room"),
        _ => Ok(()),
    }
}

/// [capacity else false] Whether a carrier takes troops and tows a gun too.
#[rule]
pub fn takes_both(_game: &Reads, _carrier: Unit) -> bool {
    false
}

/// [capacity] So many squads, or one gun.
#[wrap(fits_inside)]
fn while_room_is(base: fits_inside::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    base(game, carrier, unit)?;
    let inside = aboard(game, carrier)
        .into_iter()
        .filter(|one| !one.is_outside());
    let (guns, squads): (Vec<Unit>, Vec<Unit>) = inside.partition(|one| one.is_towed());
    if unit.is_towed() && !guns.is_empty() {
        refuse!("it tows a gun already");
    }
    if !takes_both(game, carrier) && unit.is_towed() && !squads.is_empty() {
        refuse!("it carries troops");
    }
    if !takes_both(game, carrier) && !unit.is_towed() && !guns.is_empty() {
        refuse!("it tows a gun");
    }
    // What is towed hangs behind, however bulky it is.
    if !unit.is_towed() && bulk(&squads) + unit.bulk() > carrier.room() {
        refuse!("it has no room left");
    }
    Ok(())
}

/// [load else nil] Whether a unit can ride outside on another. @open
#[rule]
pub fn fits_outside(_game: &Reads, _carrier: Unit, _unit: Unit) -> Verdict {
    refuse!("nobody rides outside")
}

/// [vehicles] One platoon or two squads ride on a tank or carrier.
#[wrap(fits_outside)]
fn on_top(_base: fits_outside::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if !carrier.takes_riders() || unit.is_towed() || unit.bulk() == 0 {
        refuse!("it cannot ride on that");
    }
    let riders: Vec<Unit> = aboard(game, carrier)
        .into_iter()
        .filter(|one| one.is_outside())
        .collect();
    if bulk(&riders) + unit.bulk() > RIDERS {
        refuse!("no more can ride on it");
    }
    Ok(())
}

fn bulk(units: &[Unit]) -> i64 {
    units.iter().map(|one| one.bulk()).sum()
}

/// [load else nil] Whether a carrier can load a unit beside it. @open
#[rule]
pub fn may_load(game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if unit.at() != carrier.at() || unit.side() != carrier.side() || unit == carrier {
        refuse!("it is not beside the carrier");
    }
    if is_vehicle(game, unit) {
        refuse!("vehicles are not carried");
    }
    if unit.used() > 0 || unit.has_moved() {
        refuse!("it has moved");
    }
    ready(unit)?;
    fits_inside(game, carrier, unit)
        .or_else(|why| fits_outside(game, carrier, unit).map_err(|_| why))
}

/// [load else 0] What a carrier pays in sixths to load or unload a unit: half of its points.
#[rule]
pub fn price(game: &Reads, carrier: Unit, _unit: Unit) -> i64 {
    allowance(game, carrier) * POINT / 2
}

/// [load else nil] Whether a carrier can load or unload now. @open
#[rule]
pub fn may_stop(game: &Reads, carrier: Unit) -> Verdict {
    if !is_vehicle(game, carrier) {
        refuse!("it carries nobody");
    }
    ready(carrier)?;
    moves(game, carrier)
}

/// [load else nil] Whether a carrier can pay for a unit. @open
#[rule]
pub fn may_pay(game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    if carrier.has_moved()
        || carrier.used() + price(game, carrier, unit) > allowance(game, carrier) * POINT
    {
        refuse!("it has not points enough");
    }
    Ok(())
}

/// [load else nil] A carrier pays. @never_draws
#[rule]
pub fn pay(game: &Writes, carrier: Unit, unit: Unit) {
    carrier.set_used(game, carrier.used() + price(game, carrier, unit));
}

/// [load else nil] Whether a unit aboard can get off where its carrier is. @open
#[rule]
pub fn may_leave(_game: &Reads, _carrier: Unit, unit: Unit) -> Verdict {
    if unit.has_moved() {
        refuse!("it has moved");
    }
    ready(unit)
}

/// [mode.move] Whoever gets on or off is in move mode, as his carrier is, or in one that counts as it.
#[wrap(may_load, may_leave)]
fn in_move_mode(base: may_load::Base, game: &Reads, carrier: Unit, unit: Unit) -> Verdict {
    base(game, carrier, unit)?;
    if !is_moving(game, unit) {
        moves(game, unit)?;
    }
    Ok(())
}

/// [load] Load
#[action(at = seq::action, actor = Unit)]
mod load {
    use super::*;

    pub fn allowed(game: &Reads, carrier: Unit) -> Verdict {
        may_stop(game, carrier)?;
        still_moves(game, carrier)?;
        if candidates(game, carrier).is_empty() {
            refuse!("nobody beside it can get aboard");
        }
        Ok(())
    }

    /// Whom? @reveals(who gets on and off is seen)
    #[param(audience = "all")]
    pub fn unit(game: &Reads, carrier: Unit) -> Domain<Unit> {
        Domain::one_of(candidates(game, carrier))
    }

    pub fn score(_game: &Reads, _carrier: Unit) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, carrier: Unit, unit: Unit) {
        get_on::push(game, carrier, unit);
    }
}

/// [load else nil] A unit gets on, and its carrier pays for it.
#[step]
fn get_on(game: &Acts, carrier: Unit, unit: Unit) {
    // Whoever gets aboard leaves his holes, also where nothing drives on.
    unit.set_is_dug_in(game, false);
    unit.set_is_outside(game, fits_inside(game, carrier, unit).is_err());
    unit.set_carrier(game, Some(carrier));
    unit.set_has_moved(game, true);
    pay(game, carrier, unit);
    CarryLoaded { unit, carrier }.tell(game);
}

fn candidates(game: &Reads, carrier: Unit) -> Vec<Unit> {
    let beside = friends(game, carrier)
        .into_iter()
        .filter(|other| other.at() == carrier.at());
    let able = |other: &Unit| {
        may_load(game, carrier, *other).is_ok() && may_pay(game, carrier, *other).is_ok()
    };
    beside.filter(able).collect()
}

/// [load] Unload
#[action(at = seq::action, actor = Unit)]
mod unload {
    use super::*;

    pub fn allowed(game: &Reads, carrier: Unit) -> Verdict {
        may_stop(game, carrier)?;
        still_moves(game, carrier)?;
        if may_get_off(game, carrier).is_empty() {
            refuse!("nobody aboard can get off");
        }
        Ok(())
    }

    /// Whom? @reveals(who gets on and off is seen)
    #[param(audience = "all")]
    pub fn unit(game: &Reads, carrier: Unit) -> Domain<Unit> {
        Domain::one_of(may_get_off(game, carrier))
    }

    pub fn score(game: &Reads, carrier: Unit) -> i64 {
        let near = |enemy: &Unit| enemy.at().distance(carrier.at()) <= 3;
        if crate::enemies(game, carrier).iter().any(near) {
            30
        } else {
            -1
        }
    }

    pub fn perform(game: &Acts, carrier: Unit, unit: Unit) {
        pay(game, carrier, unit);
        get_off::push(game, carrier, unit);
    }
}

/// [load else nil] A unit gets off when its carrier has paid for it, if nothing that comes of that has destroyed them.
#[step]
fn get_off(game: &Acts, carrier: Unit, unit: Unit) {
    if !unit.exists(game) || unit.carrier() != Some(carrier) {
        return;
    }
    unit.set_carrier(game, None);
    unit.set_is_outside(game, false);
    unit.set_has_moved(game, true);
    CarryUnloaded { unit, carrier }.tell(game);
}

fn may_get_off(game: &Reads, carrier: Unit) -> Vec<Unit> {
    let able =
        |one: &Unit| may_leave(game, carrier, *one).is_ok() && may_pay(game, carrier, *one).is_ok();
    aboard(game, carrier).into_iter().filter(able).collect()
}

/// [carry.fire] Passengers do not fire,
#[wrap(mode::fires, mode::watches)]
fn not_aboard(base: mode::fires::Base, game: &Reads, unit: Unit) -> Verdict {
    if unit.carrier().is_some() {
        refuse!("it is aboard");
    }
    base(game, unit)
}

/// [carry.fire] nor do they make AT rolls.
#[wrap(atroll::may)]
fn no_rolls(base: atroll::may::Base, game: &Reads, unit: Unit, target: Unit) -> Verdict {
    if unit.carrier().is_some() {
        refuse!("it is aboard");
    }
    base(game, unit, target)
}

/// [carry.fire else {}] Those aboard of some units who fire with them in close combat: nobody.
#[rule]
pub fn firing_inside(_game: &Reads, _carriers: &[Unit]) -> Vec<Unit> {
    Vec::new()
}

/// Some units, each of which fights still, and those who fire from inside of them.
pub fn fighting(game: &Reads, units: &[Unit], fights: impl Fn(Unit) -> bool) -> Vec<Unit> {
    let mut found: Vec<Unit> = units.iter().copied().filter(|unit| fights(*unit)).collect();
    let inside = firing_inside(game, &found);
    found.extend(inside.into_iter().filter(|unit| fights(*unit)));
    found
}

/// [vehicles] The gun is silent while somebody rides on it.
#[wrap(gun_ready)]
fn not_over_heads(base: gun_ready::Base, game: &Reads, firer: Unit) -> Verdict {
    if aboard(game, firer).into_iter().any(Unit::is_outside) {
        refuse!("troops ride on it");
    }
    base(game, firer)
}

/// [vehicles] Area fire finds those who ride outside, before it destroys what they ride on,
#[wrap(exposed)]
fn riders_too(base: exposed::Base, game: &Reads, at: Hex) -> Vec<Unit> {
    let riders = Unit::all_with(game, Unit::IS_OUTSIDE, true).into_iter();
    let mut found: Vec<Unit> = riders.filter(|rider| rider.at() == at).collect();
    found.extend(base(game, at));
    found
}

/// [vehicles] whatever they ride on,
#[wrap(area::hurts)]
fn those_on_it(base: area::hurts::Base, game: &Reads, target: Unit) -> Verdict {
    if aboard(game, target).into_iter().any(Unit::is_outside) {
        Ok(())
    } else {
        base(game, target)
    }
}

/// [vehicles] as if they moved in the open.
#[wrap(terrain)]
fn on_top_of_it(base: terrain::Base, game: &Reads, target: Unit, table: Table) -> i64 {
    if target.is_outside() {
        in_the_open(game, table)
    } else {
        base(game, target, table)
    }
}

/// What is added to the dice at a target that moves in the open.
pub fn in_the_open(game: &Reads, table: Table) -> i64 {
    let row = effects(game, Terrain::Open);
    if table == Table::Area {
        row.area_moving
    } else {
        row.moving
    }
}

/// [loss] Whoever was aboard is attacked by the same weapon as if he moved in the open, and kept down; a gun in tow is
/// rolled for; a weapon without firepower keeps them down all the same. Soft ground hurts nobody.
#[wrap(lose)]
fn with_passengers(base: lose::Base, game: &Writes, unit: Unit, cause: &str, power: Option<i64>) {
    let passengers = aboard(game, unit);
    base(game, unit, cause, power);
    if power.is_none() && !by_weapon(game, cause) {
        return;
    }
    for passenger in passengers {
        match power {
            _ if !passenger.exists(game) => {}
            _ if passenger.is_towed() => tow::push(game, passenger),
            Some(power) => thrown_out::push(game, passenger, power, cause),
            None => keep_down::push(game, passenger),
        }
    }
}

/// Whether a cause of losses is a weapon, a word as for `tcsbase.unit.lose`.
#[rule]
pub fn by_weapon(_game: &Reads, cause: &str) -> bool {
    ["fire", "shells", "bombs", "mines", CLOSE].contains(&cause)
}

/// [loss] A gun in tow.
#[step]
pub fn tow(game: &Acts, unit: Unit) {
    let dice = two_dice(game, &format!("{unit} in tow"));
    let is_lost = dice >= TOW_LOST;
    CarryTow {
        unit,
        dice,
        result: if is_lost { "destroyed" } else { "spared" },
    }
    .tell(game);
    if is_lost {
        lose(game, unit, "fire", None);
    }
}

/// [loss] A passenger is attacked, and kept down.
#[step]
pub fn thrown_out(game: &Acts, unit: Unit, power: i64, cause: &str) {
    let modifier = power + in_the_open(game, Table::Area);
    let dice = two_dice(game, &format!("{unit} gets out"));
    suffer::push(
        game,
        unit,
        dice,
        Blow {
            power,
            modifier,
            cause: cause.into(),
        },
    );
    keep_down::push(game, unit);
}

/// [loss] Survivors are suppressed at least.
#[step]
pub fn keep_down(game: &Acts, unit: Unit) {
    if unit.exists(game) && unit.state() == State::Ready {
        unit.set_state(game, State::Suppressed);
        CarryKeptDown { unit }.tell(game);
    }
}

/// What the dice of area fire have from half of an attack value.
pub fn half_power(av: i64) -> Option<i64> {
    firepower(rounded(av, 2))
}
