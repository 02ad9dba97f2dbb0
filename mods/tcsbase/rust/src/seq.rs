//! The phases of a turn.

use houserule_guest::prelude::*;
use houserule_guest::register::Acting;

use crate::bindings::tcsbase::kinds::{Battery, Company, Ground, Light, Unit};
use crate::{art, clock, morale, smoke};

chapter!(tcsbase.seq);

/// Game
#[phase]
fn game() -> Phase {
    let turn =
        [command::ID, mode::ID, markers::ID, call::ID, missions::ID, direct::ID, action::ID, cleanup::ID];
    Phase::rounds(&turn, Some(over::ID)).root()
}

fn acts(order: Acting) -> Phase {
    Phase::acts(order).announced().may_end(may_end::ID).ends_when_idle()
}

/// [command] Command
#[phase]
pub fn command() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// [mode] Mode Determination
#[phase]
pub fn mode() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// [ow.marker]
#[automatic]
fn markers(game: &Acts) {
    Unit::all(game).into_iter().for_each(|unit| unit.set_is_marked(game, false));
}

/// [call] Call for Fire
#[phase]
pub fn call() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// Missions
#[automatic(announced)]
fn missions(game: &Acts) {
    Battery::all(game).into_iter().for_each(|battery| art::fire::push(game, battery));
}

/// [sfp, seq.sfp.alternate] Suppressive Fire
#[phase]
pub fn direct() -> Phase {
    acts(Acting::Alternating).may_pass(may_end::ID)
}

/// [action] Action
#[phase]
pub fn action() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// [cleanup] Clean Up
#[automatic(announced)]
fn cleanup(game: &Acts) {
    Unit::all(game).into_iter().for_each(|unit| refresh(game, unit));
    Battery::all(game).into_iter().for_each(|battery| art::refresh(game, battery));
    for ground in Ground::all(game) {
        if ground.smoke() > 0 {
            smoke::clear::push(game, ground);
        }
    }
    Light::all(game).into_iter().for_each(|light| light.remove(game));
    hour::push(game);
}

/// [cleanup] What the Clean Up Phase does for a unit.
#[rule]
pub fn refresh(game: &Writes, unit: Unit) {
    unit.set_has_fired(game, false);
    unit.set_has_moved(game, false);
    unit.set_has_rolled(game, false);
    morale::rally(game, unit);
}

/// [gen.hour, gen.night_turn] The clock goes on; companies recover on the full hour.
#[step]
pub fn hour(game: &Acts) {
    let clock = clock(game);
    let length = if clock.is_night() { 60 } else { 20 };
    let time = clock.minutes() + length;
    clock.set_minutes(game, time);
    if time % 60 == 0 {
        Company::all(game).into_iter().for_each(|company| morale::recover(game, company));
    }
}

#[rule]
fn may_end(_game: &Reads, _side: &str) -> Verdict {
    Ok(())
}

#[rule]
fn over(game: &Reads) -> bool {
    let is_gone = |side: &String| Unit::all_with(game, Unit::SIDE, side.clone()).is_empty();
    game.turns().is_some_and(|turns| game.round(game::ID) >= turns) || game.sides().iter().any(is_gone)
}
