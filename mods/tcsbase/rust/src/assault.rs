//! Close combat: troops go into the hex of the enemy.

use houserule_guest::prelude::*;

use crate::area::{Blow, combined, combined_doubled, doubled, exposed, fpmod, strength, suffer};
use crate::arithmetic::rounded;
use crate::bindings::tcsbase::events::{AssaultRound, MoraleSurrendered};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::options;
use crate::bindings::words::{Class, Overwatch, State};
use crate::carry::{aboard, fighting, in_the_open, put};
use crate::fire::{GUN, Table, apply, gun_ready, modifier, roll, terrain};
use crate::landing::chosen;
use crate::mode::{moves, ready};
use crate::morale::SURRENDER;
use crate::movement::{arrive, caught_leaving, company, ground_costs, watched};
use crate::unit::{is_vehicle, lose, of_side};
use crate::{area, atroll, clock, enemies, friends, morale, ow, point, seq, two_dice, units};

chapter!(tcsbase.assault);

/// An assault lasts so many rounds at most.
const ROUNDS: i64 = 3;

/// Close combat, as a cause of losses and checks.
pub const CLOSE: &str = "close combat";

/// What a player is asked whose unit has several vehicles before it.
pub const AT_WHICH: &str = "At which vehicle?";

/// An attacker, and the hex that it came from.
#[record]
pub struct Attacker {
    pub unit: Unit,
    pub home: Hex,
}

/// [how else nil] Whether a unit may assault a hex beside it. @open
#[rule]
pub fn may(game: &Reads, unit: Unit) -> Verdict {
    ready(unit)?;
    moves(game, unit)?;
    if unit.carrier().is_some() {
        refuse!("it is aboard");
    }
    if unit.class() == Class::Helicopter {
        refuse!("it is not on the ground");
    }
    if unit.has_rolled() && unit.has_fired() {
        refuse!("it has assaulted");
    }
    Ok(())
}

/// The enemies on the ground whose hexes are meant.
fn on_ground(game: &Reads, unit: Unit, is_meant: impl Fn(Hex) -> bool) -> Vec<Unit> {
    let mut found = enemies(game, unit);
    found.retain(|enemy| is_meant(enemy.at()) && enemy.class() != Class::Helicopter);
    found
}

/// The enemies on the ground in a hex.
pub fn held_by(game: &Reads, unit: Unit, at: Hex) -> Vec<Unit> {
    on_ground(game, unit, |hex| hex == at)
}

fn hexes_beside(game: &Reads, unit: Unit) -> Vec<Hex> {
    let at = unit.at();
    // Most have nobody beside them, which is seen for all six hexes at once.
    let beside = on_ground(game, unit, |hex| hex.distance(at) == 1);
    let held: Vec<Hex> = beside.into_iter().map(Unit::at).collect();
    let mut hexes = at.neighbours().to_vec();
    hexes.retain(|hex| held.contains(hex) && can_enter(game, unit, *hex));
    hexes
}

/// [how, terrain.movement else true] Whether the ground, and what a unit is to do, let it into a hex beside it.
#[rule]
pub fn can_enter(game: &Reads, unit: Unit, at: Hex) -> bool {
    Hex::path_cost(&[unit.at(), at], &ground_costs(game, unit)).is_some()
}

// Once the first is begun, nobody of the side moves any more.
/// [how] Assault
#[action(at = seq::action, actor = Unit)]
mod go {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if is_vehicle(game, unit) {
            refuse!("troops lead an assault");
        }
        may(game, unit)?;
        if hexes_beside(game, unit).is_empty() {
            refuse!("no enemy is beside it");
        }
        Ok(())
    }

    /// Into which hex?
    #[param]
    pub fn at(game: &Reads, unit: Unit) -> Domain<Hex> {
        Domain::one_of(hexes_beside(game, unit))
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, unit: Unit, at: Hex) -> Option<Domain<Vec<Unit>>> {
        let able = |other: &Unit| {
            other.at().distance(at) == 1 && may(game, *other).is_ok() && can_enter(game, *other, at)
        };
        let able: Vec<Unit> = friends(game, unit).into_iter().filter(able).collect();
        // Whoever takes the hex stays in it.
        let most = u32::try_from(company(game, unit, at, &able)).unwrap_or(0);
        if most == 0 {
            None
        } else {
            Some(Domain::several(able, 0, Some(most)))
        }
    }

    pub fn score(game: &Reads, unit: Unit, at: Hex, with: Vec<Unit>) -> i64 {
        let theirs: i64 = held_by(game, unit, at)
            .into_iter()
            .map(|enemy| strength(game, enemy))
            .sum();
        let ours: i64 = std::iter::once(unit)
            .chain(with)
            .map(|one| strength(game, one))
            .sum();
        if unit.advances() && 2 * ours > theirs {
            8 + ours - theirs
        } else {
            -1
        }
    }

    pub fn perform(game: &Acts, unit: Unit, at: Hex, with: Vec<Unit>) {
        clock(game).set_assaulting(game, unit.side());
        let all = std::iter::once(unit).chain(with);
        let attackers: Vec<Attacker> = all
            .map(|unit| Attacker {
                unit,
                home: unit.at(),
            })
            .collect();
        for one in &attackers {
            one.unit.set_has_moved(game, true);
            one.unit.set_has_fired(game, true);
            one.unit.set_has_rolled(game, true);
            go_in::push(game, one.clone(), at);
        }
        let carried = with_carried(game, &attackers);
        round::push(game, attackers, at, 1);
        thrown_back::push(game, carried, at);
    }
}

/// Whoever is aboard of attackers, each with the hex that he came from.
fn with_carried(game: &Reads, attackers: &[Attacker]) -> Vec<Attacker> {
    let of = |one: &Attacker| {
        let home = one.home;
        aboard(game, one.unit)
            .into_iter()
            .map(move |unit| Attacker { unit, home })
    };
    attackers.iter().flat_map(of).collect()
}

/// [how else nil] Whoever got off a carrier that was lost in the hex of the enemy does not stay there.
#[step]
pub fn thrown_back(game: &Acts, carried: Vec<Attacker>, at: Hex) {
    for Attacker { unit, home } in carried {
        let is_left = unit.exists(game) && unit.carrier().is_none() && unit.at() == at;
        if is_left && !held_by(game, unit, at).is_empty() {
            go_back(game, unit, home);
        }
    }
}

/// [how] An attacker goes in, if what lies on its way lets it.
#[step]
fn go_in(game: &Acts, attacker: Attacker, at: Hex) {
    let Attacker { unit, home } = attacker;
    if !unit.exists(game) || unit.at() != home || ready(unit).is_err() {
        return;
    }
    if caught_leaving(game, unit) {
        go_in::push(game, attacker, at);
        return;
    }
    put(game, unit, at);
    arrive::push(game, unit, home);
    if game.option(options::assault::OVERWATCH) == Overwatch::Others {
        seen::push(game, unit);
    }
}

/// [how else nil] By an option those who watch it go in may fire, but for the defender: he does as it is fought.
#[step]
fn seen(game: &Acts, unit: Unit) {
    if unit.exists(game) {
        ow::expose(game, unit);
        watched::push(game, unit);
    }
}

/// [how] Whoever is in the hex that is assaulted fires in the rounds of the assault, and no overwatch.
#[wrap(ow::may)]
fn not_who_defends(base: ow::may::Base, game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    is_not_met(game, unit, mover)?;
    base(game, unit, mover)
}

/// [how] Nor does he make AT rolls before.
#[wrap(atroll::ow_may)]
fn no_roll_before(base: atroll::ow_may::Base, game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    is_not_met(game, unit, mover)?;
    base(game, unit, mover)
}

/// Whether a unit is elsewhere than an enemy who has gone into an assault.
fn is_not_met(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if clock(game).assaulting() == mover.side() && unit.at() == mover.at() {
        refuse!("it fires as the assault is fought");
    }
    Ok(())
}

/// Those of some units that are in a hex still.
fn there(game: &Reads, attackers: &[Attacker], at: Hex) -> Vec<Unit> {
    attackers
        .iter()
        .map(|one| one.unit)
        .filter(|unit| unit.exists(game) && unit.at() == at)
        .collect()
}

/// Those of some attackers who are in play still.
fn left_of(game: &Reads, mut attackers: Vec<Attacker>) -> Vec<Attacker> {
    attackers.retain(|one| one.unit.exists(game));
    attackers
}

fn are_ready(units: &[Unit]) -> bool {
    units.iter().any(|unit| unit.state() == State::Ready)
}

/// [how] A round: the defender fires, then the attacker at double, each also by AT rolls; then both check their morale.
#[step]
pub fn round(game: &Acts, attackers: Vec<Attacker>, at: Hex, number: i64) {
    let attackers = left_of(game, attackers);
    let ours = there(game, &attackers, at);
    let Some(first) = ours.first() else {
        judge::push(game, attackers, at, number);
        return;
    };
    let theirs = held_by(game, *first, at);
    defend::push(game, theirs, ours.clone());
    attack::push(game, ours.clone(), at);
    test::push(game, ours, at);
    judge::push(game, attackers, at, number);
}

/// [how] All defenders fire, at attackers who move in the open, or make AT rolls.
#[step]
pub fn defend(game: &Acts, defenders: Vec<Unit>, attackers: Vec<Unit>) {
    let Some(first) = attackers.iter().find(|unit| unit.exists(game)) else {
        return;
    };
    let firing = fighting(game, &defenders, |unit| fights(game, unit));
    let is_on_foot = !soft(game, &attackers, first.at()).is_empty();
    let (rolling, firing) = apart(game, &firing, &attackers, |unit| match is_on_foot {
        true => in_defence(game, unit) > 0,
        false => has_gun_alone(game, unit) && !within(game, unit, &attackers).is_empty(),
    });
    let (guns, others): (Vec<Unit>, Vec<Unit>) = firing
        .iter()
        .copied()
        .filter(|unit| in_defence(game, *unit) > 0)
        .partition(|unit| has_gun_alone(game, *unit));
    let halves: i64 = guns.iter().map(|gun| in_defence(game, *gun)).sum();
    let fp = combined(game, &others) + halves;
    volley(game, &[others, guns].concat(), &attackers, fp, |target| {
        in_the_open(game, Table::Area) - terrain(game, target, Table::Area)
    });
    if !is_on_foot {
        let guns = firing.iter().filter(|unit| has_gun_alone(game, **unit));
        guns.for_each(|gun| point_blank::push(game, *gun, attackers.clone()));
    }
    for unit in rolling {
        tackle::push(game, unit, attackers.clone());
    }
}

/// [how, fire.point.how] What a defender has at those on foot who come in: his small arms, or, where he has none, his gun.
#[rule]
pub fn in_defence(game: &Reads, unit: Unit) -> i64 {
    if has_gun_alone(game, unit) {
        rounded(unit.av(), 2)
    } else {
        strength(game, unit)
    }
}

/// Whether a unit has a gun that it can fire, and no small arms.
fn has_gun_alone(game: &Reads, unit: Unit) -> bool {
    unit.fp() == 0 && unit.state() == State::Ready && gun_ready(game, unit).is_ok()
}

/// Those of some vehicles that a gun can hurt, and that are still there.
fn within(game: &Reads, firer: Unit, targets: &[Unit]) -> Vec<Unit> {
    let is_meant =
        |target: &Unit| target.exists(game) && point::needed(game, firer, *target).is_some();
    targets.iter().copied().filter(is_meant).collect()
}

/// [how, fire.point.how] Where nobody on foot comes in, such a gun fires at a vehicle, which moves in the open: whichever
/// its player chooses.
#[step]
fn point_blank(game: &Acts, firer: Unit, targets: Vec<Unit>) {
    if !firer.exists(game) || firer.state() != State::Ready {
        return;
    }
    let all = within(game, firer, &targets);
    let question = Question::new("tcsbase.assault.aim", AT_WHICH).about(*firer);
    let Some(target) = chosen(game, &firer.side(), question, &all) else {
        return;
    };
    let Some(needed) = point::needed(game, firer, target) else {
        return;
    };
    let mut outcome = roll(game, firer, target, GUN, needed);
    outcome.modifier += in_the_open(game, Table::Point) - terrain(game, target, Table::Point);
    outcome.killed = outcome.dice + outcome.modifier >= needed;
    apply(game, firer, target, GUN, outcome);
}

/// [how] Those attackers who are left fire at double, or make AT rolls.
#[step]
pub fn attack(game: &Acts, attackers: Vec<Unit>, at: Hex) {
    let firing = fighting(game, &attackers, |unit| fights(game, unit));
    let Some(first) = firing.first() else { return };
    let theirs = held_by(game, *first, at);
    let is_soft = !soft(game, &theirs, at).is_empty();
    let (rolling, firing) = apart(game, &firing, &theirs, |unit| {
        is_soft && doubled(game, unit) > 0
    });
    let mut armed = firing;
    armed.retain(|unit| doubled(game, *unit) > 0);
    let fp = combined_doubled(game, &armed);
    volley(game, &armed, &theirs, fp, |_| 0);
    for unit in rolling {
        tackle::push(game, unit, theirs.clone());
    }
}

/// Of some who fight those who make an AT roll, and those who fire: whoever could do either does what his player chooses.
fn apart(
    game: &Acts,
    fighting: &[Unit],
    targets: &[Unit],
    fires: impl Fn(Unit) -> bool,
) -> (Vec<Unit>, Vec<Unit>) {
    let (mut rolling, mut firing) = (Vec::new(), Vec::new());
    for unit in fighting {
        let vehicles = in_hand(game, *unit, targets).len();
        // A bot has one roll for each vehicle, and fires with the others.
        let is_wanted = rolling.len() < vehicles;
        let rolls = vehicles > 0 && (!fires(*unit) || prefers_roll(game, *unit, is_wanted));
        if rolls { &mut rolling } else { &mut firing }.push(*unit);
    }
    (rolling, firing)
}

/// Whether a player has a unit make an AT roll in the place of its fire; a bot takes what stands first.
fn prefers_roll(game: &Acts, unit: Unit, is_wanted: bool) -> bool {
    let question = Question::new(
        "tcsbase.assault.at_roll",
        "An AT roll in the place of its fire?",
    );
    let answers = Domain::one_of([is_wanted, !is_wanted]);
    game.ask(&unit.side(), question.about(*unit), answers)
}

/// The vehicles among some at which a unit can make an AT roll, and that are still there: those first that are hit most
/// easily.
fn in_hand(game: &Reads, unit: Unit, targets: &[Unit]) -> Vec<Unit> {
    let is_meant = |target: &Unit| target.exists(game) && atroll::may(game, unit, *target).is_ok();
    let mut found: Vec<Unit> = targets.iter().copied().filter(is_meant).collect();
    found.sort_by_key(|target| atroll::needed(game, unit, *target));
    found
}

/// [how, fire.atroll.who] An AT roll at one of the vehicles that are left: whichever its player chooses.
#[step]
fn tackle(game: &Acts, unit: Unit, targets: Vec<Unit>) {
    if !unit.exists(game) {
        return;
    }
    let all = in_hand(game, unit, &targets);
    let question = Question::new("tcsbase.assault.aim", AT_WHICH).about(*unit);
    if let Some(target) = chosen(game, &unit.side(), question, &all) {
        atroll::roll::push(game, unit, target);
    }
}

/// Whether a unit still fights.
fn fights(game: &Reads, unit: Unit) -> bool {
    unit.exists(game) && unit.state() != State::Paralyzed
}

/// Whom area fire finds of some units in a hex: those who are soft, and who rides on them.
pub fn soft(game: &Reads, units: &[Unit], at: Hex) -> Vec<Unit> {
    let is_meant =
        |unit: Unit| units.contains(&unit) || unit.carrier().is_some_and(|on| units.contains(&on));
    let mut found = exposed(game, at);
    found.retain(|unit| is_meant(*unit));
    found
}

/// Some units, each with those who ride on it: whom close combat may have hurt, and who check for it.
pub fn with_riders(game: &Reads, units: Vec<Unit>) -> Vec<Unit> {
    let riders = |on: Unit| {
        aboard(game, on)
            .into_iter()
            .filter(|unit| unit.is_outside())
    };
    units
        .into_iter()
        .flat_map(|unit| std::iter::once(unit).chain(riders(unit)))
        .collect()
}

/// Area fire in one hex; at some there is more on the dice.
fn volley(game: &Acts, firing: &[Unit], targets: &[Unit], fp: i64, more: impl Fn(Unit) -> i64) {
    let (Some(first), Some(power)) = (firing.first(), fpmod(game, fp)) else {
        return;
    };
    let Some(at) = targets
        .iter()
        .find(|one| one.exists(game))
        .map(|one| one.at())
    else {
        return;
    };
    firing.iter().for_each(|one| one.set_is_engaged(game, true));
    for target in soft(game, targets, at) {
        let modifier = power + modifier(game, *first, target, Table::Area) + more(target);
        let dice = two_dice(game, &format!("{first} in close combat"));
        suffer::push(
            game,
            target,
            dice,
            Blow {
                power,
                modifier,
                cause: CLOSE.into(),
            },
        );
    }
}

/// [how] Both sides check, riders as well, and whoever got off a carrier that was lost there.
#[step]
pub fn test(game: &Acts, attackers: Vec<Unit>, at: Hex) {
    let Some(first) = attackers.iter().find(|unit| unit.exists(game)) else {
        return;
    };
    let side = first.side();
    let mut all = held_by(game, *first, at);
    all.extend(attackers.into_iter().filter(|unit| unit.exists(game)));
    let beside = of_side(game, &side).into_iter();
    let beside: Vec<Unit> = beside
        .filter(|unit| unit.at() == at && !all.contains(unit))
        .collect();
    all.extend(beside);
    with_riders(game, all)
        .into_iter()
        .filter(|unit| unit.morale() > 0)
        .for_each(|unit| morale::check::push(game, unit, CLOSE));
}

/// [how] Whichever side has nobody standing loses, and gives way, also if both do; after the last round the attackers go
/// back.
#[step]
pub fn judge(game: &Acts, attackers: Vec<Attacker>, at: Hex, number: i64) {
    let tell = |result: &str| AssaultRound { number, at, result }.tell(game);
    let attackers = left_of(game, attackers);
    let Some(side) = attackers.first().map(|one| one.unit.side()) else {
        return tell("the attack is broken");
    };
    let ours = there(game, &attackers, at);
    let others =
        |unit: &Unit| unit.at() == at && unit.side() != side && unit.class() != Class::Helicopter;
    let theirs: Vec<Unit> = units(game).into_iter().filter(others).collect();
    let (is_taken, is_broken) = (!are_ready(&theirs), !are_ready(&ours));
    if ours.is_empty() {
        tell("the attack is broken");
    } else if is_taken || is_broken {
        tell(match (is_taken, is_broken) {
            (true, true) => "both sides are broken",
            (true, false) => "the hex is taken",
            _ => "the attack is broken",
        });
        let broken = [(theirs, is_taken), (ours, is_broken)].into_iter();
        let losers = broken.filter(|(_, has_lost)| *has_lost);
        losers
            .flat_map(|(side, _)| side)
            .for_each(|unit| gives_way(game, unit));
    } else if number >= ROUNDS {
        tell("the attackers go back");
        go_home(game, &attackers, at);
    } else {
        tell("it goes on");
        round::push(game, attackers, at, number + 1);
    }
}

/// Whoever is kept down as the fight is lost falls back; the paralyzed give up, and those aboard them fall back.
pub fn gives_way(game: &Writes, unit: Unit) {
    match unit.state() {
        State::Paralyzed => {
            let carried = aboard(game, unit);
            MoraleSurrendered { unit }.tell(game);
            morale::worsen(game, unit, SURRENDER, CLOSE);
            lose(game, unit, "surrender", None);
            carried
                .into_iter()
                .filter(|one| one.exists(game))
                .for_each(|one| morale::retreat::push(game, one));
        }
        _ => morale::retreat::push(game, unit),
    }
}

fn go_home(game: &Writes, attackers: &[Attacker], at: Hex) {
    for Attacker { unit, home } in attackers {
        if unit.exists(game) && unit.at() == at {
            go_back(game, *unit, *home);
        }
    }
}

/// A unit goes back into the hex that it came from: it enters it like any other.
pub fn go_back(game: &Writes, unit: Unit, home: Hex) {
    let from = unit.at();
    if from != home {
        put(game, unit, home);
        arrive::push(game, unit, from);
    }
}

/// [how] Losses in close combat call for no check of their own: one comes with the round.
#[wrap(area::checks)]
fn with_the_round(base: area::checks::Base, game: &Reads, unit: Unit, cause: &str) -> bool {
    cause != CLOSE && base(game, unit, cause)
}
