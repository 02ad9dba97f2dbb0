//! Fire at helicopters.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::HeloAaFire;
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::los::sees;
use crate::bindings::tcsbase::seq;
use crate::bindings::tcsbase::spot::show;
use crate::bindings::tcsbase::unit::lose;
use crate::bindings::words::{AaSuppressive, State};
use crate::helo::forgets;
use crate::{enemies, is_helicopter, range, two_dice};

chapter!(tcs.helo);

/// [aa_how] Whether a unit can fire at a helicopter, in whatever mode. @open
#[rule]
pub fn aa_may(game: &Reads, unit: Unit, helicopter: Unit) -> Verdict {
    if unit.side() == helicopter.side() {
        refuse!("that is a friend");
    }
    if unit.carrier().is_some() {
        refuse!("it is aboard");
    }
    if is_helicopter(unit) {
        refuse!("helicopters fire at helicopters with their own weapons");
    }
    if unit.aa() == 0 {
        refuse!("it has nothing to fire at aircraft with");
    }
    if helicopter.is_off_map() {
        refuse!("it is off the map");
    }
    if unit.state() == State::Paralyzed {
        refuse!("it is paralyzed");
    }
    if range(unit, helicopter) > unit.aa_reach() {
        refuse!("it is out of range");
    }
    if !aims(game, unit, helicopter) {
        refuse!("it does not see the helicopter");
    }
    Ok(())
}

/// [aa_how] Whether a unit can aim at a helicopter in range: if it sees it.
#[rule]
pub fn aims(game: &Reads, unit: Unit, helicopter: Unit) -> bool {
    sees(game, unit, helicopter)
}

/// [helo.overrun.aa] Some weapons need no line of sight.
#[wrap(aims)]
fn by_wire(base: aims::Base, game: &Reads, unit: Unit, helicopter: Unit) -> bool {
    unit.aims_unseeing() || base(game, unit, helicopter)
}

/// [aa_how] What is added to the dice of a unit against a helicopter. @open
#[rule]
pub fn aa_modifier(_game: &Reads, _unit: Unit, _helicopter: Unit) -> i64 {
    0
}

/// [helo.aa.def] Its defence comes off the dice.
#[wrap(aa_modifier)]
fn armoured(base: aa_modifier::Base, game: &Reads, unit: Unit, helicopter: Unit) -> i64 {
    base(game, unit, helicopter) - helicopter.dv()
}

/// [helo.popup.ff] One that is gone before its missile arrives is harder to hit.
#[wrap(aa_modifier)]
fn hidden(base: aa_modifier::Base, game: &Reads, unit: Unit, helicopter: Unit) -> i64 {
    let hides = helicopter.is_up() && forgets(game, helicopter);
    base(game, unit, helicopter) - i64::from(hides)
}

/// [aa_how] Everybody who can fires at a helicopter.
#[step]
pub fn aa(game: &Acts, helicopter: Unit) {
    if helicopter.exists(game) {
        shoot_down(game, &able(game, helicopter), helicopter);
    }
}

/// [aa_how] These fire at a helicopter.
#[step]
pub fn aa_by(game: &Acts, units: &[Unit], helicopter: Unit) {
    shoot_down(game, units, helicopter);
}

/// Those who can fire at a helicopter.
pub fn able(game: &Reads, helicopter: Unit) -> Vec<Unit> {
    enemies(game, helicopter)
        .into_iter()
        .filter(|unit| aa_may(game, *unit, helicopter).is_ok())
        .collect()
}

/// All of them roll, also when it is hit already.
fn shoot_down(game: &Acts, units: &[Unit], helicopter: Unit) {
    if !helicopter.exists(game) {
        return;
    }
    let mut is_lost = false;
    for unit in units {
        unit.set_is_engaged(game, true);
        helicopter.set_is_engaged(game, true);
        let needed = unit.aa();
        let modifier = aa_modifier(game, *unit, helicopter);
        let dice = two_dice(game, &format!("{unit} at {helicopter}"));
        let hits = dice + modifier >= needed;
        is_lost |= hits;
        HeloAaFire {
            unit: *unit,
            helicopter,
            dice,
            modifier: &format!("{modifier:+}"),
            needed,
            result: if hits { "shot down" } else { "missed" },
        }
        .tell(game);
        show(game, *unit);
    }
    if is_lost {
        lose(game, helicopter, "aa", None);
    }
}

/// [aa_how] Fire at a helicopter
#[action(at = seq::direct, actor = Unit, told)]
mod aa_shoot {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        let once = game.option(options::helo::AA_SUPPRESSIVE) == AaSuppressive::Once;
        if once && !unit.fired_up_at().is_empty() {
            refuse!("it has fired at a helicopter");
        }
        if unit.aa() == 0 {
            refuse!("it has nothing to fire at aircraft with");
        }
        Ok(())
    }

    /// At which?
    #[param]
    pub fn helicopter(game: &Reads, unit: Unit) -> Domain<Unit> {
        let all = enemies(game, unit)
            .into_iter()
            .filter(|other| is_helicopter(*other));
        Domain::one_of(all.filter(|other| may_at(game, unit, *other).is_ok()))
    }

    /// Together with whom?
    #[param]
    pub fn with(game: &Reads, unit: Unit, helicopter: Unit) -> Option<Domain<Vec<Unit>>> {
        let able = |other: &Unit| {
            *other != unit
                && allowed(game, *other).is_ok()
                && may_at(game, *other, helicopter).is_ok()
        };
        Domain::some_of(enemies(game, helicopter).into_iter().filter(able))
    }

    pub fn score(_game: &Reads, _unit: Unit, with: Vec<Unit>) -> i64 {
        3 + with.len() as i64
    }

    pub fn perform(game: &Acts, unit: Unit, helicopter: Unit, with: Vec<Unit>) {
        let mut all = vec![unit];
        all.extend(with);
        for one in &all {
            // Those that were shot down are no more to be remembered.
            let mut fired = one.fired_up_at();
            fired.retain(|other| other.exists(game));
            fired.push(helicopter);
            one.set_fired_up_at(game, fired);
        }
        aa_by::push(game, &all, helicopter);
    }

    fn may_at(game: &Reads, unit: Unit, helicopter: Unit) -> Verdict {
        if unit.fired_up_at().contains(&helicopter) {
            refuse!("it has fired at that helicopter");
        }
        aa_may(game, unit, helicopter)
    }
}

/// [aa_how] A new turn.
#[wrap(seq::refresh)]
fn refreshed(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_fired_up_at(game, Vec::new());
}
