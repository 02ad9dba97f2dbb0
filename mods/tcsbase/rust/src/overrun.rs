//! Overruns: vehicles drive over the enemy.

use houserule_guest::prelude::*;

use crate::area::{Blow, combined_doubled, fpmod, strength, suffer};
use crate::assault::{
    AT_WHICH, Attacker, CLOSE, gives_way, go_back, held_by, soft, thrown_back, with_riders,
};
use crate::bindings::tcsbase::events::OverrunDone;
use crate::bindings::tcsbase::kinds::{Road, Unit};
use crate::bindings::words::{Class, Cover, State, Target};
use crate::carry::{aboard, fighting};
use crate::fire::{Table, gun, gun_ready, may as may_hit, modifier};
use crate::landing::chosen;
use crate::map::{effects, terrain_of};
use crate::mode::ready;
use crate::movement::{
    self, POINT, Reached, allowance, arrive, caught_leaving, ground_costs, reach, step_cost, walk,
    watched, way_to,
};
use crate::unit::is_vehicle;
use crate::{area, cmd, enemies, is_of_trigger, morale, ow, point, seq, two_dice};

chapter!(tcsbase.overrun);

/// [how else 0] What an overrun costs in sixths besides the hex.
#[rule]
pub fn price(_game: &Reads, _unit: Unit) -> i64 {
    3 * POINT
}

/// [how else nil] Whether a unit may overrun anybody. @open
#[rule]
pub fn may(game: &Reads, unit: Unit) -> Verdict {
    if !is_vehicle(game, unit) || unit.class() == Class::Helicopter {
        refuse!("it is no vehicle on the ground");
    }
    ready(unit)?;
    movement::may(game, unit)
}

/// [how else nil] Whether an enemy can be overrun where it is. @open
#[rule]
pub fn may_target(_game: &Reads, _unit: Unit, _target: Unit) -> Verdict {
    Ok(())
}

/// [terrain] Troops only in the open or on a road.
#[wrap(may_target)]
fn in_the_open(base: may_target::Base, game: &Reads, unit: Unit, target: Unit) -> Verdict {
    let at = target.at();
    let is_open = effects(game, terrain_of(game, at)).cover == Cover::None;
    if !is_vehicle(game, target)
        && !is_open
        && !Road::all(game)
            .iter()
            .any(|road| road.along().contains(&at))
    {
        refuse!("it has cover there");
    }
    base(game, unit, target)
}

/// [how else {}] The enemies in a hex whom a unit drives over, if they can be overrun at all.
#[rule]
pub fn victims(game: &Reads, unit: Unit, at: Hex) -> Vec<Unit> {
    held_by(game, unit, at)
}

/// Those of them who can be.
fn prey(game: &Reads, unit: Unit, at: Hex) -> Vec<Unit> {
    victims(game, unit, at)
        .into_iter()
        .filter(|enemy| may_target(game, unit, *enemy).is_ok())
        .collect()
}

/// [how else {}] Of some hexes those from which a unit may drive in: one that is stopped ends its move there.
#[rule]
pub fn posts(_game: &Reads, _unit: Unit, hexes: &[Hex]) -> Vec<Hex> {
    hexes.to_vec()
}

/// A hex of the enemy that can be overrun, from where, and what it costs.
#[record]
pub struct Chance {
    pub at: Hex,
    pub from: Hex,
    pub cost: i64,
}

/// [how else {}] The hexes that a unit can reach and overrun.
#[rule]
pub fn chances(game: &Reads, unit: Unit) -> Vec<Chance> {
    let mut hexes: Vec<Hex> = enemies(game, unit).into_iter().map(Unit::at).collect();
    hexes.sort();
    hexes.dedup();
    hexes.retain(|at| !prey(game, unit, *at).is_empty());
    if !hexes.is_empty() {
        hexes = cmd::prey(game, unit, &hexes);
    }
    if hexes.is_empty() {
        return Vec::new();
    }
    let (mut found, costs) = (reach(game, unit), ground_costs(game, unit));
    let (here, is_beside) = (unit.at(), |hex: &Hex| {
        hexes.iter().any(|at| hex.distance(*at) == 1)
    });
    let beside = found
        .iter()
        .map(|one| one.hex)
        .filter(|hex| *hex != here && is_beside(hex));
    let posts = posts(game, unit, &beside.collect::<Vec<Hex>>());
    found.retain(|one| one.hex == here || posts.contains(&one.hex));
    let left = allowance(game, unit) * POINT - unit.used() - price(game, unit);
    let from = |one: &Reached, at: Hex| {
        let last = step_cost(&costs, one.hex, at)?;
        Some(Chance {
            at,
            from: one.hex,
            cost: one.cost + i64::from(last),
        })
    };
    let best = |at: Hex| {
        let beside = found.iter().filter(|one| one.hex.distance(at) == 1);
        beside
            .filter_map(|one| from(one, at))
            .filter(|chance| chance.cost <= left)
            .min_by_key(|chance| (chance.cost, chance.from))
    };
    hexes.into_iter().filter_map(best).collect()
}

/// [how] Overrun
#[action(at = seq::action, actor = Unit)]
mod go {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        may(game, unit)?;
        if chances(game, unit).is_empty() {
            refuse!("it reaches nobody whom it can overrun");
        }
        Ok(())
    }

    /// Which hex? @reveals(it is fought for at once)
    #[param(audience = "all")]
    pub fn at(game: &Reads, unit: Unit) -> Domain<Hex> {
        Domain::one_of(chances(game, unit).into_iter().map(|chance| chance.at))
    }

    pub fn score(game: &Reads, unit: Unit, at: Hex) -> i64 {
        let is_soft = held_by(game, unit, at)
            .iter()
            .all(|enemy| enemy.state() != State::Ready);
        if unit.advances() && is_soft { 120 } else { -1 }
    }

    pub fn perform(game: &Acts, unit: Unit, at: Hex) {
        let Some(chance) = chances(game, unit)
            .into_iter()
            .find(|chance| chance.at == at)
        else {
            return;
        };
        if chance.from != unit.at() {
            let way = way_to(unit, &reach(game, unit), chance.from);
            walk::push(game, unit, &way);
        }
        unit.set_used(game, unit.used() + chance.cost + price(game, unit));
        drive_in::push(game, unit, chance.from, at);
    }
}

/// [how] Whoever has come to the side of the enemy drives in: the defender fires, then the attacker.
#[step]
pub fn drive_in(game: &Acts, unit: Unit, from: Hex, at: Hex) {
    if !unit.exists(game) || unit.state() != State::Ready || unit.at() != from {
        return;
    }
    if caught_leaving(game, unit) {
        drive_in::push(game, unit, from, at);
        return;
    }
    ow::enter(game, unit, at);
    arrive::push(game, unit, from);
    watched::push(game, unit);
    defend::push(game, unit, at);
    attack::push(game, unit, at);
    check::push(game, unit, at);
    settle::push(game, unit, from, at);
    let home = from;
    let carried = aboard(game, unit)
        .into_iter()
        .map(|unit| Attacker { unit, home });
    thrown_back::push(game, carried.collect(), at);
}

/// [how] Defender's Fire Segment: all in the hex fire, whatever their mode; not those who have fired from overwatch as it
/// came in.
#[step]
pub fn defend(game: &Acts, unit: Unit, at: Hex) {
    if !unit.exists(game) {
        return;
    }
    let fires = |enemy: &Unit| {
        enemy.state() != State::Paralyzed && !is_of_trigger(game, enemy.gun_trigger())
    };
    let theirs = held_by(game, unit, at);
    for enemy in fighting(game, &theirs, |enemy| fires(&enemy)) {
        let is_ready = enemy.state() == State::Ready && gun_ready(game, enemy).is_ok();
        if is_ready && may_hit(game, enemy, unit).is_ok() {
            gun::push(game, enemy, unit);
        } else if area::may(game, enemy, unit).is_ok() {
            area::at_movers::push(game, enemy, unit, strength(game, enemy));
        }
    }
}

/// [how else nil] Attacker's Fire Segment: area fire at double, then the gun at one vehicle.
#[step]
pub fn attack(game: &Acts, unit: Unit, at: Hex) {
    if !unit.exists(game) || unit.state() != State::Ready {
        return;
    }
    let theirs = prey(game, unit, at);
    let carried: Vec<Unit> = theirs.iter().flat_map(|one| aboard(game, *one)).collect();
    let firing = fighting(game, &[unit], |one| one.state() != State::Paralyzed);
    let fp = combined_doubled(game, &firing);
    if let Some(power) = fpmod(game, fp) {
        for enemy in soft(game, &theirs, at) {
            firing.iter().for_each(|one| one.set_is_engaged(game, true));
            let modifier = power + modifier(game, unit, enemy, Table::Area);
            let dice = two_dice(game, &format!("{unit} in an overrun"));
            suffer::push(
                game,
                enemy,
                dice,
                Blow {
                    power,
                    modifier,
                    cause: CLOSE.into(),
                },
            );
        }
    }
    shaken::push(game, unit, at, carried);
    aim::push(game, unit, at);
}

/// [how else nil] Whoever got off a carrier that the area fire has destroyed checks his morale, also where he has cover
/// and could not be overrun himself: else he does with the other defenders.
#[step]
fn shaken(game: &Acts, unit: Unit, at: Hex, carried: Vec<Unit>) {
    let is_out = |one: &Unit| one.exists(game) && one.carrier().is_none() && one.at() == at;
    let hidden = carried
        .into_iter()
        .filter(|one| is_out(one) && one.morale() > 0)
        .filter(|one| may_target(game, unit, *one).is_err());
    hidden.for_each(|one| morale::check::push(game, one, CLOSE));
}

/// [how else nil] The gun, at one of the vehicles that the area fire has left: whichever its player chooses.
#[step]
fn aim(game: &Acts, unit: Unit, at: Hex) {
    if !unit.exists(game) || gun_ready(game, unit).is_err() {
        return;
    }
    let mut hard = prey(game, unit, at);
    hard.retain(|enemy| enemy.target() != Target::Area && may_hit(game, unit, *enemy).is_ok());
    // A bot takes what stands first.
    hard.sort_by_key(|enemy| point::needed(game, unit, *enemy).unwrap_or(i64::MAX));
    let question = Question::new("tcsbase.overrun.aim", AT_WHICH).about(*unit);
    if let Some(enemy) = chosen(game, &unit.side(), question, &hard) {
        gun::push(game, unit, enemy);
    }
}

/// [how else nil] The defenders check their morale, riders as well, if it has not been driven out of their hex.
#[step]
fn check(game: &Acts, unit: Unit, at: Hex) {
    if unit.exists(game) && unit.at() == at {
        let theirs = with_riders(game, prey(game, unit, at))
            .into_iter()
            .filter(|enemy| enemy.morale() > 0);
        theirs.for_each(|enemy| morale::check::push(game, enemy, CLOSE));
    }
}

/// [how] If a defender is left standing, in cover or not, the attacker stops where it came from; else it may go on, and
/// whoever is kept down in the hex falls back.
#[step]
fn settle(game: &Acts, unit: Unit, from: Hex, at: Hex) {
    if !unit.exists(game) {
        return;
    }
    let theirs = held_by(game, unit, at);
    let is_held =
        theirs.iter().any(|enemy| enemy.state() == State::Ready) || unit.state() != State::Ready;
    let is_gone = unit.at() != at;
    let tell = |result: &str| OverrunDone { unit, at, result }.tell(game);
    if is_gone {
        tell("it has fallen back");
        // Where it has fallen back to is where it stops.
        stop(game, unit, unit.at());
    } else if is_held {
        tell("it is stopped");
        stop(game, unit, from);
    } else {
        tell("it goes on");
        theirs.into_iter().for_each(|enemy| gives_way(game, enemy));
    }
}

/// [how else nil] A unit that was stopped is where it came from, and moves no more. @never_draws
#[rule]
pub fn stop(game: &Writes, unit: Unit, from: Hex) {
    go_back(game, unit, from);
    unit.set_has_moved(game, true);
}
