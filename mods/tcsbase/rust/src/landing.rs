//! Where rounds fall, and what they do.

use std::collections::BTreeMap;

use houserule_guest::prelude::*;

use crate::area::{fpmod, suffer};
use crate::art::spend;
use crate::bindings::tcsbase::events::{ArtDesignated, ArtFell, ArtVehicleHit};
use crate::bindings::tcsbase::kinds::{Battery, Unit};
use crate::bindings::tcsbase::tables::{ArtPattern, ArtPointNumbers, ArtRounds};
use crate::bindings::words::{Armour, Class, Rounds, State, System, Target};
use crate::fire::{Table, terrain};
use crate::los;
use crate::map::is_on_map;
use crate::mode::is_moving;
use crate::{clock, signed, smoke, two_dice};

chapter!(tcsbase.art);

/// More rounds than this in a hex add nothing.
const MOST_MORE: i64 = 3;

/// [designator] Whether the rounds of a battery need no designator.
#[rule]
pub fn exact(_game: &Reads, battery: Battery, _rounds: Rounds) -> bool {
    battery.system() == System::Launcher
}

/// [observer, night.observe] Whether a unit observes the fall of shot in a hex.
#[rule]
pub fn sees(game: &Reads, unit: Unit, at: Hex) -> bool {
    let from = unit.at();
    let clock = clock(game);
    let limit = if clock.is_night() { clock.limit() } else { 30 };
    unit.state() == State::Ready
        && i64::from(from.distance(at)) <= limit
        && los::clear(game, from, los::height_of(game, unit), at, 0)
}

/// [designator, adjust] The designator falls, and the fire for effect follows it, or not.
#[step]
pub fn land(game: &Acts, battery: Battery, rounds: Rounds, size: i64, at: Hex) {
    let is_exact = exact(game, battery, rounds);
    // Fire that is checked costs nothing.
    let Some(centre) = (if is_exact { Some(at) } else { aimed(game, battery, at) }) else { return };
    scatter::push(game, battery, rounds, size * battery.tubes(), centre);
    spend::push(game, battery, rounds, size);
}

/// The designator round, and the adjustment: where the fire for effect falls,
/// or nothing where it is checked.
fn aimed(game: &Acts, battery: Battery, at: Hex) -> Option<Hex> {
    let faces = game.roll_all(&[Die::new(6), Die::new(6)], "designator");
    let distance = [1, 1, 2, 2, 3, 4][faces[1] as usize - 1];
    let mut fell = at;
    for _ in 0..distance {
        fell = fell.neighbours()[faces[0] as usize - 1];
    }
    let own = Unit::all(game).into_iter().filter(|unit| unit.side() == battery.side());
    let observer = own.into_iter().find(|unit| sees(game, *unit, fell));
    let tell = |result: &str| {
        let observer = observer.map(|unit| *unit);
        ArtDesignated { battery, at: fell, observer, result }.tell(game);
    };
    if observer.is_none() {
        tell("nobody sees it");
        return kept(game, battery, fell);
    }
    let needed = 5 + i64::from(at.distance(fell));
    let dice = two_dice(game, "adjustment");
    if dice >= needed {
        tell(&format!("adjusted, {dice} against {needed}"));
        return Some(at);
    }
    tell(&format!("not adjusted, {dice} against {needed}"));
    kept(game, battery, fell)
}

/// Whether the fire for effect follows the designator.
fn kept(game: &Acts, battery: Battery, fell: Hex) -> Option<Hex> {
    let question = Question::new("tcsbase.art.check_fire", "Fire for effect where the designator fell?");
    game.ask(&battery.side(), question.about(*battery), Domain::yes()).then_some(fell)
}

/// [patterns, smoke.mission] Each round falls by the pattern; hexes with two or more smoke.
#[step]
pub fn scatter(game: &Acts, battery: Battery, rounds: Rounds, count: i64, at: Hex) {
    let dice = vec![Die::new(6); usize::try_from(count).unwrap_or(0)];
    let distances = game.roll_all(&dice, "pattern, distances");
    let pattern: Vec<i64> = ArtPattern::all(game).iter().map(|row| row.b).collect();
    let row: Vec<i64> = distances.iter().map(|face| pattern[*face as usize - 1]).collect();
    let astray = row.iter().filter(|distance| **distance > 0).count();
    let mut ways = match astray {
        0 => Vec::new(),
        _ => game.roll_all(&vec![Die::new(6); astray], "pattern, directions"),
    }
    .into_iter();
    let mut struck: BTreeMap<Hex, i64> = BTreeMap::new();
    for distance in row {
        let way = if distance > 0 { ways.next().unwrap_or(1) } else { 1 };
        let hex = (0..distance).fold(at, |hex, _| hex.neighbours()[way as usize - 1]);
        if is_on_map(game, hex) {
            *struck.entry(hex).or_default() += 1;
        }
    }
    let list: Vec<String> = struck.iter().map(|(hex, count)| format!("{count} at {hex}")).collect();
    ArtFell { battery, hexes: &list.join(", ") }.tell(game);
    for (hex, count) in &struck {
        hit::push(game, battery, rounds, *count, *hex);
    }
    for (hex, count) in struck {
        if count >= 2 {
            smoke::place::push(game, hex);
        }
    }
}

/// [area, fire.area.rounds] One attack on each soft unit of a hex, and one round after the other on vehicles.
#[step]
pub fn hit(game: &Acts, battery: Battery, rounds: Rounds, count: i64, at: Hex) {
    let fp = ArtRounds::find(game, rounds, &battery.caliber()).map_or(0, |row| row.fp);
    let power = fpmod(game, fp);
    let here = Unit::all(game).into_iter().filter(|unit| unit.at() == at);
    let (soft, hard): (Vec<Unit>, Vec<Unit>) =
        here.filter(|unit| unit.class() != Class::Helicopter).partition(|unit| unit.target() == Target::Area);
    if let Some(power) = power {
        for unit in soft {
            let more = (count - 1).min(MOST_MORE);
            let terrain = terrain(game, unit, Table::Area);
            let dice = two_dice(game, &format!("shells on {unit}"));
            suffer::push(game, unit, dice, power + more + terrain, true);
        }
    }
    for round in 0..if hard.is_empty() { 0 } else { count } {
        let chosen = match hard.len() {
            1 => 0,
            all => game.roll(&Die::new(all as u16), &format!("which vehicle, round {}", round + 1)) - 1,
        };
        vehicle::push(game, battery, rounds, hard[chosen as usize]);
    }
}

/// [art.point.table] One round at a vehicle.
#[step]
pub fn vehicle(game: &Acts, battery: Battery, rounds: Rounds, target: Unit) {
    if !target.exists(game) {
        return;
    }
    let armour = if target.dv() <= 1 { Armour::Light } else { Armour::Heavy };
    let row = ArtPointNumbers::find(game, &battery.caliber(), armour);
    let modifier = vehicle_modifier(game, rounds, target);
    let (Some(needed), Some(modifier)) = (row.and_then(|row| row.needed), modifier) else { return };
    let dice = two_dice(game, &format!("a round at {target}"));
    let is_lost = dice + modifier >= needed;
    let result = if is_lost { "destroyed" } else { "no effect" };
    ArtVehicleHit { battery, target, dice, modifier: &signed(modifier), needed, result }.tell(game);
    if is_lost {
        target.remove(game);
    }
}

/// [art.point.table] What is added to the dice of a round against a vehicle; nothing where it cannot hurt it.
#[rule]
pub fn vehicle_modifier(game: &Reads, _rounds: Rounds, target: Unit) -> Option<i64> {
    Some(i64::from(is_moving(game, target)))
}
