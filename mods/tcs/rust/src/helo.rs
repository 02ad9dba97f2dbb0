//! Helicopters: modes, pop-ups, and those that answer them.

use houserule_guest::prelude::*;

use crate::aa::{aa, aa_modifier};
use crate::arithmetic::ways;
use crate::arms::{Arms, AtWhom, chosen, fire_all, has_anything_left, sets, unfired, use_up};
use crate::atgm::{self, reaches, ready};
use crate::bindings::tcs::events::{HeloRose, HeloSank};
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::r#gen::go_on;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::ow::Entered;
use crate::bindings::tcsbase::terrain::past_hedgerows;
use crate::bindings::tcsbase::{fire, los, mode, ow, seq};
use crate::bindings::words::{
    CounterPermission, Forgetful, Height, Mode, Soviet, State, Table, Target,
};
use crate::{clock, is_helicopter, is_of_trigger, range, trigger, units};

chapter!(tcs.helo);

/// Metres above the ground of a helicopter that is low.
pub const LOW: i64 = 100;

/// [modes, low, noe] Low is 100 m up, the nap of the earth as if on the ground.
#[wrap(los::height_of)]
fn in_the_air(base: los::height_of::Base, game: &Reads, unit: Unit) -> i64 {
    if is_helicopter(unit) && unit.height() == Height::Low {
        LOW
    } else {
        base(game, unit)
    }
}

/// [modes, move_and_fire] Its modes are heights, and it moves and fires in either.
#[wrap(mode::choices)]
fn no_modes(base: mode::choices::Base, game: &Reads, unit: Unit) -> Vec<String> {
    if is_helicopter(unit) {
        vec![unit.mode().to_string()]
    } else {
        base(game, unit)
    }
}

/// [modes, move_and_fire] It is in none of the ground, whatever a scenario says: nothing of it keeps it from firing.
#[wrap(mode::fires, mode::watches)]
fn in_any_mode(base: mode::fires::Base, game: &Reads, unit: Unit) -> Verdict {
    let is_held = unit.is_off_map() || unit.carrier().is_some() || unit.has_countered_up();
    if is_helicopter(unit) && unit.mode() != Mode::Fire && !is_held && unit.state() == State::Ready
    {
        Ok(())
    } else {
        base(game, unit)
    }
}

/// [modes, move_and_fire] Nor does it count as moving.
#[wrap(mode::is_moving)]
fn never_moving(base: mode::is_moving::Base, game: &Reads, unit: Unit) -> bool {
    !is_helicopter(unit) && base(game, unit)
}

/// [helo.popup.when] Whether a helicopter may pop up to fire at a target, with whatever weapon. @open
#[rule]
pub fn may_pop(game: &Reads, helicopter: Unit, target: Unit) -> Verdict {
    if !is_helicopter(helicopter) {
        refuse!("it is no helicopter");
    }
    if helicopter.side() == target.side() {
        refuse!("that is a friend");
    }
    if target.carrier().is_some() || target.is_off_map() {
        refuse!("that is not on the map");
    }
    if helicopter.is_off_map() {
        refuse!("it is off the map");
    }
    if helicopter.height() != Height::Noe {
        refuse!("it is up already");
    }
    if helicopter.has_popped() {
        refuse!("it has popped up in this phase");
    }
    if sets(game, helicopter, target).is_empty() {
        ready(game, helicopter)?;
        reaches(game, helicopter, target)?;
        past_hedgerows(game, helicopter, target)?;
    }
    if !sees_from_above(game, helicopter, target) {
        refuse!("it would not see the target");
    }
    Ok(())
}

fn sees_from_above(game: &Reads, helicopter: Unit, target: Unit) -> bool {
    let (from, to) = (helicopter.at(), target.at());
    let height = los::height_of(game, target);
    let range = i64::from(from.distance(to));
    range <= los::night_limit(game, helicopter, target)
        && range <= los::weather_limit(game, helicopter)
        && los::through_smoke(game, helicopter, target)
        && los::clear(game, from, LOW, to, height)
}

/// [ow] Whether a helicopter may pop up at this trigger. @open
#[rule]
pub fn ow_may(game: &Reads, helicopter: Unit, target: Unit) -> Verdict {
    let fired = [helicopter.missile_trigger(), helicopter.gun_trigger()];
    if fired.into_iter().any(|last| is_of_trigger(game, last)) {
        refuse!("it has fired at this trigger");
    }
    may_pop(game, helicopter, target)
}

/// [ow] The helicopters of a side that may pop up at whoever has entered a hex: no others are asked.
#[rule]
pub fn risers(game: &Reads, side: &str, entered: &Record) -> Vec<Unit> {
    // Most sides have none, and then it does not matter who watches.
    if !units(game)
        .into_iter()
        .any(|unit| unit.side() == side && is_helicopter(unit))
    {
        return Vec::new();
    }
    let watchers = ow::watchers(game, side, &entered.clone().into());
    let able = watchers.into_iter().filter(|unit| is_helicopter(*unit));
    able.filter(|unit| ow_may(game, *unit, entered.get("mover")).is_ok())
        .collect()
}

/// [helo.popup.soviet] Soviet crews learn it late, or never.
#[wrap(may_pop)]
fn has_learned(base: may_pop::Base, game: &Reads, helicopter: Unit, target: Unit) -> Verdict {
    let never = game.option(options::helo::SOVIET) == Soviet::Never;
    if helicopter.is_soviet() && (never || clock(game).conflict() < 12 * 60) {
        refuse!("its crew has not learned it");
    }
    base(game, helicopter, target)
}

/// [helo.popup.seq] What comes off all dice of a helicopter that fires in a pop-up.
#[rule]
pub fn unsteadiness(_game: &Reads, _helicopter: Unit) -> i64 {
    0
}

/// [helo.popup.soviet] Two, of Soviet crews.
#[wrap(unsteadiness)]
fn of_soviet_crews(base: unsteadiness::Base, game: &Reads, helicopter: Unit) -> i64 {
    base(game, helicopter) + if helicopter.is_soviet() { 2 } else { 0 }
}

/// [helo.popup.seq] That comes off its dice on every table, as long as it is up.
#[wrap(fire::modifier)]
fn unsteady(
    base: fire::modifier::Base,
    game: &Reads,
    firer: Unit,
    target: Unit,
    table: Table,
) -> i64 {
    let under = base(game, firer, target, table);
    match firer.is_up() {
        true => under - unsteadiness(game, firer),
        false => under,
    }
}

/// [helo.popup.soviet] The hours of the conflict are counted.
#[wrap(go_on)]
fn counted(base: go_on::Base, game: &Acts) {
    let clock = clock(game);
    let before = clock.minutes();
    base(game);
    clock.set_conflict(game, clock.conflict() + clock.minutes() - before);
}

/// [helo.popup.seq] Helicopters are up, at a target.
#[window(others_only)]
pub struct Up {
    pub helicopters: Vec<Unit>,
    pub target: Unit,
}

/// Helicopters rise, may be answered, are fired at, fire and go down.
fn pop_up(game: &Acts, all: &[(Unit, Arms)], target: Unit, at_whom: AtWhom) {
    for (helicopter, arms) in all {
        helicopter.set_has_popped(game, true);
        helicopter.set_keeps_missile(game, !arms.has_missile());
        rise::push(game, *helicopter);
    }
    Up {
        helicopters: all.iter().map(|(helicopter, _)| *helicopter).collect(),
        target,
    }
    .open(game);
    all.iter()
        .for_each(|(helicopter, _)| aa::push(game, *helicopter));
    for (helicopter, arms) in all {
        shoot::push(game, *helicopter, target, *arms, at_whom);
    }
}

/// The friends that may pop up together with a helicopter.
fn together(game: &Reads, unit: Unit, may: impl Fn(Unit) -> Verdict) -> Option<Domain<Vec<Unit>>> {
    let friends = units(game)
        .into_iter()
        .filter(|other| *other != unit && other.side() == unit.side());
    Domain::some_of(friends.filter(|other| may(*other).is_ok()))
}

/// [helo.popup.seq, helo.popup.counter] In how many of 36 ways a helicopter that pops up is lost before it fires, at most: to whoever
/// can fire at it up there, and to the enemy's helicopters where they may answer.
#[rule]
pub fn peril(game: &Reads, helicopter: Unit, is_answer: bool) -> i64 {
    let at = helicopter.at();
    let fire = |enemy: &Unit| match is_helicopter(*enemy) {
        true if is_answer || forgets(game, helicopter) => 0,
        true => answer(game, *enemy, helicopter),
        false => {
            let is_able = enemy.aa() > 0
                && enemy.carrier().is_none()
                && enemy.state() != State::Paralyzed
                && range(*enemy, helicopter) <= enemy.aa_reach()
                && los::clear(game, at, LOW, enemy.at(), los::height_of(game, *enemy));
            match is_able {
                true => ways(enemy.aa() - aa_modifier(game, *enemy, helicopter)),
                false => 0,
            }
        }
    };
    let enemies = crate::enemies(game, helicopter);
    let survived = enemies
        .iter()
        .map(fire)
        .fold(1296, |left, lost| left * (36 - lost) / 36);
    36 - survived / 36
}

/// In how many of 36 ways a helicopter that pops up in answer hits one that is up.
fn answer(game: &Reads, enemy: Unit, helicopter: Unit) -> i64 {
    let is_able = ready(game, enemy).is_ok()
        && !enemy.has_popped()
        && !enemy.has_launched()
        && enemy.height() == Height::Noe
        && los::clear(game, enemy.at(), LOW, helicopter.at(), LOW);
    match least(game, enemy, helicopter) {
        Some(least) if is_able => ways(least),
        _ => 0,
    }
}

/// What the dice of a helicopter that is not up yet must come to for the missile of its pop-up to kill; nothing where
/// they cannot.
fn least(game: &Reads, helicopter: Unit, target: Unit) -> Option<i64> {
    let least = atgm::chance(game, helicopter, target)? + unsteadiness(game, helicopter);
    (ways(least) > 0).then_some(least)
}

/// What its missile is worth to a bot: nothing at troops, nor where it would sooner be lost itself than hit.
fn odds(game: &Reads, helicopter: Unit, target: Unit, is_answer: bool) -> i64 {
    let Some(least) = least(game, helicopter, target) else {
        return 0;
    };
    let lost = peril(game, helicopter, is_answer);
    if target.target() == Target::Area || ways(least) * (36 - lost) < 36 * lost {
        0
    } else {
        14 - least
    }
}

/// [helo.popup.seq, helo.popup.onetarget, ow] Pop up and fire
#[reaction(at = Entered, actor = risers)]
mod popup {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, entered: Entered) -> Verdict {
        ow::may(game, unit, entered.mover)?;
        ow_may(game, unit, entered.mover)
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, unit: Unit, entered: Entered) -> Option<Domain<Vec<Unit>>> {
        together(game, unit, |other| allowed(game, other, entered.clone()))
    }

    pub fn score(game: &Reads, unit: Unit, entered: Entered, with: Vec<Unit>) -> i64 {
        odds(game, unit, entered.mover, false) - with.len() as i64
    }

    pub fn perform(game: &Acts, unit: Unit, entered: Entered, with: Vec<Unit>) {
        let mut all = vec![unit];
        all.extend(with);
        all.retain(|helicopter| {
            helicopter.set_missile_trigger(game, trigger(game));
            ow::ask(game, *helicopter, entered.mover)
        });
        let armed = |one: Unit| Some((one, chosen(game, one, &sets(game, one, entered.mover))?));
        let all: Vec<(Unit, Arms)> = all.into_iter().filter_map(armed).collect();
        for (helicopter, arms) in &all {
            if arms.has_gun() {
                helicopter.set_gun_trigger(game, trigger(game));
            }
        }
        if !all.is_empty() {
            pop_up(game, &all, entered.mover, AtWhom::Mover);
        }
    }
}

/// [helo.popup.when, helo.popup.seq, fires] Pop up and fire
#[action(at = seq::direct, actor = Unit)]
mod popup_fire {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        if !is_helicopter(unit) {
            refuse!("it is no helicopter");
        }
        has_anything_left(game, unit)?;
        if unit.has_popped() {
            refuse!("it has popped up in this phase");
        }
        Ok(())
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, unit: Unit) -> Domain<Unit> {
        let enemies = crate::enemies(game, unit).into_iter();
        Domain::one_of(enemies.filter(|other| may_suppress(game, unit, *other).is_ok()))
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, unit: Unit, target: Unit) -> Option<Domain<Vec<Unit>>> {
        together(game, unit, |other| may_suppress(game, other, target))
    }

    pub fn score(game: &Reads, unit: Unit, target: Unit, with: Vec<Unit>) -> i64 {
        odds(game, unit, target, false) - with.len() as i64
    }

    pub fn perform(game: &Acts, unit: Unit, target: Unit, with: Vec<Unit>) {
        let armed = |one: Unit| Some((one, chosen(game, one, &unfired(game, one, target))?));
        let all = std::iter::once(unit).chain(with);
        let all: Vec<(Unit, Arms)> = all.filter_map(armed).collect();
        all.iter().for_each(|(one, arms)| use_up(game, *one, *arms));
        pop_up(game, &all, target, AtWhom::Hex);
    }
}

fn may_suppress(game: &Reads, unit: Unit, target: Unit) -> Verdict {
    may_pop(game, unit, target)?;
    if !unfired(game, unit, target).is_empty() {
        return Ok(());
    }
    match sets(game, unit, target).as_slice() {
        [Arms::Missile] => refuse!("its missile has been fired"),
        _ => refuse!("its weapons have been fired"),
    }
}

/// [helo.popup.counter] Whether a helicopter may pop up in answer to one that has. @open
#[rule]
pub fn may_counter(game: &Reads, helicopter: Unit, target: Unit) -> Verdict {
    may_suppress(game, helicopter, target)?;
    match game.option(options::helo::COUNTER_PERMISSION) {
        CounterPermission::Overwatch => mode::watches(game, helicopter),
        CounterPermission::None => Ok(()),
    }
}

/// [helo.popup.ff] Not to one whose missile needs no aim.
#[wrap(may_counter)]
fn still_there(base: may_counter::Base, game: &Reads, unit: Unit, enemy: Unit) -> Verdict {
    if forgets(game, enemy) {
        refuse!("its missile needs no aim");
    }
    base(game, unit, enemy)
}

/// [helo.popup.seq] Whether a helicopter may be gone before its missile arrives: if it fires that.
#[rule]
pub fn forgets(game: &Reads, helicopter: Unit) -> bool {
    let is_hellfire = helicopter.missile().as_deref() == Some("hellfire");
    let all = game.option(options::helo::FORGETFUL) == Forgetful::Flagged;
    atgm::forgets(game, helicopter) && (all || is_hellfire) && !helicopter.keeps_missile()
}

/// [helo.popup.counter, helo.popup.counter.seq] Counter-pop up
#[reaction(at = Up, actor = Unit)]
mod counter {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, up: Up) -> Verdict {
        if able(game, unit, up).is_empty() {
            refuse!("it can answer none of them");
        }
        Ok(())
    }

    /// At which?
    #[param]
    pub fn target(game: &Reads, unit: Unit, up: Up) -> Domain<Unit> {
        Domain::one_of(able(game, unit, up))
    }

    pub fn score(game: &Reads, unit: Unit, _up: Up, target: Unit) -> i64 {
        odds(game, unit, target, true)
    }

    pub fn perform(game: &Acts, unit: Unit, _up: Up, target: Unit) {
        let counts = game.option(options::helo::COUNTER_PERMISSION) == CounterPermission::Overwatch;
        let Some(arms) = chosen(game, unit, &unfired(game, unit, target)) else {
            return;
        };
        unit.set_has_popped(game, true);
        unit.set_has_launched(game, true);
        unit.set_has_countered_up(game, true);
        unit.set_keeps_missile(game, !arms.has_missile());
        unit.set_is_marked(game, counts || unit.is_marked());
        rise::push(game, unit);
        aa::push(game, unit);
        shoot::push(game, unit, target, arms, AtWhom::Mover);
    }

    fn able(game: &Reads, unit: Unit, up: Up) -> Vec<Unit> {
        let is_up = |enemy: &Unit| enemy.exists(game) && enemy.is_up();
        let able = |enemy: &Unit| may_counter(game, unit, *enemy).is_ok();
        up.helicopters
            .into_iter()
            .filter(is_up)
            .filter(able)
            .collect()
    }
}

/// [helo.popup.counter] Whoever has answered so fires no more in this phase, with whatever weapon.
#[wrap(mode::fires, mode::watches)]
fn has_answered(base: mode::fires::Base, game: &Reads, unit: Unit) -> Verdict {
    if unit.has_countered_up() {
        refuse!("it has answered a pop-up in this phase");
    }
    base(game, unit)
}

/// [helo.popup.seq] Up.
#[step]
fn rise(game: &Acts, helicopter: Unit) {
    if helicopter.exists(game) {
        helicopter.set_height(game, Height::Low);
        helicopter.set_is_up(game, true);
        HeloRose { helicopter }.tell(game);
    }
}

/// [helo.popup.seq] Down again.
#[step]
fn sink(game: &Acts, helicopter: Unit) {
    if helicopter.exists(game) {
        helicopter.set_height(game, Height::Noe);
        helicopter.set_is_up(game, false);
        helicopter.set_keeps_missile(game, false);
        HeloSank { helicopter }.tell(game);
    }
}

/// [helo.popup.seq, helo.popup.onetarget] Its fire, if its target is still there: counter-pop-ups come first.
#[step]
fn shoot(game: &Acts, helicopter: Unit, target: Unit, arms: Arms, at_whom: AtWhom) {
    if helicopter.exists(game) {
        if target.exists(game) {
            fire_all(game, helicopter, target, arms, at_whom);
        }
        sink::push(game, helicopter);
    }
}

/// [helo.popup.when] Once in each phase in which there is fire: as units move, all are down again.
#[wrap(seq::refresh)]
fn refreshed(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_has_popped(game, false);
    unit.set_has_countered_up(game, false);
}

/// [helo.popup.when] Missiles, pop-ups and the guns of helicopters are free again
#[automatic(before = seq::action)]
fn settle(game: &Acts) {
    for unit in Unit::all(game) {
        unit.set_has_popped(game, false);
        unit.set_has_countered_up(game, false);
        unit.set_has_launched(game, false);
        unit.set_has_fired(game, unit.has_fired() && !is_helicopter(unit));
    }
}
