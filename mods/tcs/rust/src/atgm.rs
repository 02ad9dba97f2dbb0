//! Guided missiles.

use houserule_guest::prelude::*;

use crate::arithmetic::{missile_column, missile_row, rounded, tenth};
use crate::armor::{MISSILE, TIP};
use crate::bindings::tcs::events::{AtgmLaunched, AtgmLost};
use crate::bindings::tcs::options;
use crate::bindings::tcs::tables::{AtgmNumbers, AtgmTypes};
use crate::bindings::tcsbase::events::FireVolley;
use crate::bindings::tcsbase::fire::area::{at_movers, attack, fpmod, under_fire};
use crate::bindings::tcsbase::fire::{self as guns, apply, defence, finds, modifier, roll};
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::los::sees;
use crate::bindings::tcsbase::mode::fires;
use crate::bindings::tcsbase::ow::{Entered, Fired};
use crate::bindings::tcsbase::smoke::threat;
use crate::bindings::tcsbase::terrain::past_hedgerows;
use crate::bindings::tcsbase::{ow, seq};
use crate::bindings::words::{State, Table, Target};
use crate::{clock, enemies, is_of_trigger, range, trigger, turns_left};

chapter!(tcs.atgm);

/// The values of a unit's missile, if it has one.
pub fn missile(game: &Reads, unit: Unit) -> Option<AtgmTypes> {
    let name = unit.missile()?;
    let mut row = AtgmTypes::find(game, &name)?;
    if name == "tow_1" {
        row.av = game.option(options::atgm::TOW_1);
    }
    Some(row)
}

/// What reports call the missile of a unit.
fn title(game: &Reads, unit: Unit) -> String {
    missile(game, unit).map_or_else(String::new, |missile| missile.title)
}

/// [values, rows] The row of the ATGM Table by the range; nothing beyond twice the nominal range.
#[rule]
pub fn row(game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    missile_row(range(firer, target), missile(game, firer)?.nominal)
}

/// [minrange] No fire at the minimum range or less.
#[wrap(row)]
fn too_near(base: row::Base, game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    if range(firer, target) <= missile(game, firer)?.minimum {
        None
    } else {
        base(game, firer, target)
    }
}

/// [table, values, cols] What the dice must come to, before modifiers; nothing where there is no shot.
#[rule]
pub fn needed(game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    let missile = missile(game, firer)?;
    let row = row(game, firer, target)?;
    let against = if missile.tip { TIP } else { MISSILE };
    let column = missile_column(missile.av - defence(game, target, against))?;
    AtgmNumbers::find(game, row, column).map(|row| row.needed)
}

/// [table] What the dice must come to for a missile to kill, with all that is added to them; nothing where they cannot.
#[rule]
pub fn chance(game: &Reads, firer: Unit, target: Unit) -> Option<i64> {
    let least = needed(game, firer, target)? - modifier(game, firer, target, Table::Point);
    (least <= MOST).then_some(least)
}

/// The most that two dice come to.
const MOST: i64 = 12;

/// [area] What a missile at troops is worth to a bot: something, if it may well cost them a step.
#[rule]
pub fn spared(game: &Reads, firer: Unit, target: Unit) -> i64 {
    let Some(power) = fpmod(game, area_fp(game, firer)) else {
        return -1;
    };
    let least = STEP - power - modifier(game, firer, target, Table::Area);
    if least < MOST { 1 } else { -1 }
}

/// What the dice come to where area fire costs a step.
const STEP: i64 = 10;

/// [supply] Where missiles are counted they are kept for vehicles, until the last turn.
#[wrap(spared)]
fn kept(base: spared::Base, game: &Reads, firer: Unit, target: Unit) -> i64 {
    if turns_left(game).is_none_or(|left| left > 1) {
        -1
    } else {
        base(game, firer, target)
    }
}

/// [area] The firepower of a missile at troops.
#[rule]
pub fn area_fp(game: &Reads, firer: Unit) -> i64 {
    let least = game.option(options::atgm::AREA_MINIMUM);
    missile(game, firer).map_or(0, |missile| tenth(missile.av, least))
}

/// [limits, values] Whether a unit has a missile that it could fire. @open
#[rule]
pub fn ready(_game: &Reads, firer: Unit) -> Verdict {
    if firer.missile().is_none() {
        refuse!("it has no missiles");
    }
    if firer.is_off_map() {
        refuse!("it is off the map");
    }
    match firer.state() {
        State::Ready => Ok(()),
        state => refuse!("it is {state}"),
    }
}

/// [supply] Each shot is counted.
#[wrap(ready)]
fn supplied(base: ready::Base, game: &Reads, firer: Unit) -> Verdict {
    if firer.missiles() == 0 && firer.missile().is_some() {
        refuse!("its missiles are used up");
    }
    base(game, firer)
}

/// [limits] Whether the missile of a unit can hit another, whatever the phase. @open
#[rule]
pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    ready(game, firer)?;
    if range(firer, target) == 0 {
        refuse!("it is in the same hex");
    }
    hits(game, firer, target)?;
    if !sees(game, firer, target) {
        refuse!("it does not see the target");
    }
    Ok(())
}

/// [table, area] Whether a missile can do something to a target at its range. @open
#[rule]
pub fn hits(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    reaches(game, firer, target)?;
    past_hedgerows(game, firer, target)
}

/// [table, area] The same, whatever stands in its way.
#[rule]
pub fn reaches(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    let found = match target.target() {
        Target::Area => row(game, firer, target),
        _ => needed(game, firer, target),
    };
    match found {
        Some(_) => Ok(()),
        None => why_not(game, firer, target),
    }
}

/// Why the missile of a unit does nothing to a target at its range.
fn why_not(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    let Some(missile) = missile(game, firer) else {
        refuse!("it has no missiles");
    };
    if row(game, firer, target).is_some() {
        refuse!("its missile does nothing to that armour");
    }
    if range(firer, target) <= missile.minimum {
        refuse!("it is too near for the missile");
    }
    refuse!("it is out of range of the missile")
}

/// [table] A missile has been fired, and has not arrived.
#[window(others_only)]
pub struct FiredAt {
    pub firer: Unit,
    pub target: Unit,
}

/// [table, atroll_unchanged] A unit fires its missile, if it still can at that target: who is fired at may answer before
/// it arrives.
#[step]
pub fn announce(game: &Acts, firer: Unit, target: Unit) {
    if firer.exists(game) && target.exists(game) && may(game, firer, target).is_ok() {
        firer.set_has_launched(game, true);
        firer.set_is_engaged(game, true);
        if finds(game, firer, target) {
            if is_answerable(game, firer, target) {
                AtgmLaunched {
                    firer,
                    weapon: &title(game, firer),
                    target,
                }
                .tell(game);
            }
            FiredAt { firer, target }.open(game);
            launch::push(game, firer, target);
        }
    }
}

/// [table] Whether who is fired at can answer a missile before it arrives: then it is told as it is launched, else as it arrives.
#[rule]
pub fn is_answerable(_game: &Reads, _firer: Unit, _target: Unit) -> bool {
    false
}

/// [table, area] The missile arrives.
#[step]
pub fn launch(game: &Acts, firer: Unit, target: Unit) {
    if !firer.exists(game) || !target.exists(game) {
        return;
    }
    if firer.state() != State::Ready {
        AtgmLost { firer }.tell(game);
        return;
    }
    if target.target() == Target::Area {
        fly_at_troops(game, firer, target);
        return;
    }
    let name = title(game, firer);
    if let Some(needed) = needed(game, firer, target) {
        let outcome = roll(game, firer, target, &name, needed);
        apply(game, firer, target, &name, &outcome);
    }
}

/// A missile at troops is area fire at their hex, for all who are exposed there; as units move, it is aimed at one.
fn fly_at_troops(game: &Acts, firer: Unit, target: Unit) {
    let fp = area_fp(game, firer);
    if game.phase(seq::action::ID).is_some() {
        at_movers::push(game, firer, target, fp);
        return;
    }
    FireVolley {
        firers: vec![firer],
        at: target.at(),
        weapon: &title(game, firer),
    }
    .tell(game);
    for one in under_fire(game, firer, target.at()) {
        // Whom it was aimed at had been found before it was fired.
        if one == target || finds(game, firer, one) {
            attack::push(game, firer, one, fp);
        }
    }
}

/// [table] What a missile that kills a vehicle adds to the dice at those aboard it: as a gun of its attack value.
#[wrap(guns::power)]
fn power(base: guns::power::Base, game: &Reads, firer: Unit, weapon: &str) -> Option<i64> {
    match missile(game, firer).filter(|missile| missile.title == weapon) {
        Some(missile) => fpmod(game, rounded(missile.av, 2)),
        None => base(game, firer, weapon),
    }
}

/// [supply] It is counted, also where it is lost.
#[wrap(launch)]
fn counted(base: launch::Base, game: &Acts, firer: Unit, target: Unit) {
    if firer.exists(game) && firer.missiles() > 0 {
        firer.set_missiles(game, firer.missiles() - 1);
        firer.set_missiles_spent(game, firer.missiles_spent() + 1);
    }
    base(game, firer, target);
}

/// [supply else nil] A helicopter that has rested has all of them again.
#[rule]
pub fn rearm(game: &Writes, helicopter: Unit) {
    helicopter.set_missiles(game, helicopter.missiles() + helicopter.missiles_spent());
    helicopter.set_missiles_spent(game, 0);
}

/// [values] A missile is a threat from afar.
#[wrap(threat)]
fn from_afar(base: threat::Base, game: &Reads, unit: Unit) -> i64 {
    let reach = missile(game, unit).map_or(0, |missile| 2 * missile.nominal);
    base(game, unit).max(reach)
}

/// Whether a unit may fire its missile in the Suppressive Fire Phase.
pub fn may_launch(game: &Reads, firer: Unit) -> Verdict {
    ready(game, firer)?;
    if firer.has_launched() {
        refuse!("its missile has been fired");
    }
    fires(game, firer)
}

/// Those whom the missile of a unit can hit.
pub fn targets(game: &Reads, firer: Unit) -> Vec<Unit> {
    let enemies = enemies(game, firer).into_iter();
    enemies
        .filter(|other| may(game, firer, *other).is_ok())
        .collect()
}

/// [extra_fire, split, atgm.split.alternate] Fire missiles
#[action(at = seq::direct, actor = Unit, told)]
mod fire {
    use super::*;

    pub fn allowed(game: &Reads, firer: Unit) -> Verdict {
        may_launch(game, firer)
    }

    /// At what?
    #[param]
    pub fn target(game: &Reads, firer: Unit) -> Domain<Unit> {
        Domain::one_of(targets(game, firer))
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, firer: Unit, target: Unit) -> Option<Domain<Vec<Unit>>> {
        let able = |other: &Unit| {
            *other != firer
                && other.side() == firer.side()
                && allowed(game, *other).is_ok()
                && may(game, *other, target).is_ok()
        };
        // Whoever is at an open hatch is carried.
        Domain::some_of(Unit::all(game).into_iter().filter(able))
    }

    pub fn score(game: &Reads, firer: Unit, target: Unit, with: Vec<Unit>) -> i64 {
        if target.target() == Target::Area {
            return spared(game, firer, target);
        }
        chance(game, firer, target).map_or(-1, |least| 15 - least - with.len() as i64)
    }

    pub fn perform(game: &Acts, firer: Unit, target: Unit, with: Vec<Unit>) {
        announce::push(game, firer, target);
        with.into_iter()
            .for_each(|other| announce::push(game, other, target));
    }
}

/// What a missile out of turn is worth to a bot: the more, the sooner it kills; troops are none.
fn worth(game: &Reads, unit: Unit, target: Unit) -> i64 {
    match target.target() {
        Target::Area => 0,
        _ => chance(game, unit, target).map_or(0, |least| MOST + 1 - least),
    }
}

/// [ow_one_marker, extra_fire] Fire a missile from overwatch
#[reaction(at = Entered, actor = launchers)]
mod overwatch {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, entered: Entered) -> Verdict {
        ow::may(game, unit, entered.mover)?;
        ow_may(game, unit, entered.mover)
    }

    pub fn score(game: &Reads, unit: Unit, entered: Entered) -> i64 {
        worth(game, unit, entered.mover)
    }

    pub fn perform(game: &Acts, unit: Unit, entered: Entered) {
        unit.set_missile_trigger(game, trigger(game));
        if ow::ask(game, unit, entered.mover) {
            announce::push(game, unit, entered.mover);
            ow::answered(game, unit, entered.mover);
        }
    }
}

/// [extra_fire] Return fire, missiles
#[reaction(at = Fired, actor = Unit)]
mod return_missile {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit, fired: Fired) -> Verdict {
        ready(game, unit)?;
        ow::may_return(game, unit, fired.firer)?;
        ow_may(game, unit, fired.firer)
    }

    pub fn score(game: &Reads, unit: Unit, fired: Fired) -> i64 {
        worth(game, unit, fired.firer)
    }

    pub fn perform(game: &Acts, unit: Unit, fired: Fired) {
        clock(game).set_returned(game, trigger(game));
        unit.set_missile_trigger(game, trigger(game));
        announce::push(game, unit, fired.firer);
    }
}

/// [extra_fire] Whether a unit may fire its missile from overwatch at this trigger. @open
#[rule]
pub fn ow_may(game: &Reads, unit: Unit, mover: Unit) -> Verdict {
    if is_of_trigger(game, unit.missile_trigger()) {
        refuse!("it has fired at this trigger");
    }
    may(game, unit, mover)
}

/// [extra_fire] Those of a side whose missiles may be fired from overwatch at whoever has entered a hex: nobody else is
/// asked.
#[rule]
pub fn launchers(game: &Reads, side: &str, entered: &Record) -> Vec<Unit> {
    let watchers = ow::watchers(game, side, &entered.clone().into());
    let armed = watchers
        .into_iter()
        .filter(|unit| ready(game, *unit).is_ok());
    armed
        .filter(|unit| ow_may(game, *unit, entered.get("mover")).is_ok())
        .collect()
}

/// [split] A new turn finds missiles ready.
#[wrap(seq::refresh)]
fn refreshed(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_has_launched(game, false);
}

/// [values] Whether the missile of a unit finds its target by itself.
/// cites: gen.scope, gen.game_over_expansion, gen.steps.chart
#[rule]
pub fn forgets(game: &Reads, firer: Unit) -> bool {
    missile(game, firer).is_some_and(|missile| missile.forgets)
}
