//! The phases of a turn.

use houserule_guest::prelude::*;
use houserule_guest::register::Acting;

use crate::bindings::tcsbase::events::SeqFirst;
use crate::bindings::tcsbase::kinds::{Battery, Ground, Light, Mission, Sortie, Unit};
use crate::{air, art, clock, die, morale, smoke, time};

chapter!(tcsbase.seq);

/// Game
#[phase]
fn game() -> Phase {
    Phase::rounds(&[turn::ID], Some(over::ID)).root()
}

/// Turn
#[phase]
fn turn() -> Phase {
    Phase::sequence(&[
        command::ID,
        hour::ID,
        mode::ID,
        markers::ID,
        call::ID,
        first_fire::ID,
        sorties::ID,
        missions::ID,
        direct::ID,
        first_action::ID,
        action::ID,
        cleanup::ID,
    ])
    .announced()
}

fn acts(order: Acting) -> Phase {
    Phase::acts(order)
        .announced()
        .may_end(may_end::ID)
        .ends_when_idle()
}

/// [command] Command
#[phase]
pub fn command() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// [command, gen.hour] What the full hour brings
#[automatic]
fn hour(game: &Acts) {
    if time::is_full(game) {
        time::hourly::push(game);
    }
}

/// [mode] Mode Determination
#[phase]
pub fn mode() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// [ow.marker] Overwatch markers come off
#[automatic]
fn markers(game: &Acts) {
    Unit::all(game)
        .into_iter()
        .for_each(|unit| unit.set_is_marked(game, false));
}

/// [call] Call for Fire
#[phase]
pub fn call() -> Phase {
    acts(Acting::OneAfterAnother)
}

/// [sfp] Who fires first
#[automatic(announced)]
fn first_fire(game: &Acts) {
    let side = first(game, "fires");
    clock(game).set_first_fire(game, side);
}

// Of both sides the one that fires first has its sorties and missions before the other.
/// Sorties
#[automatic(announced)]
fn sorties(game: &Acts) {
    let (first, mut all) = (clock(game).first_fire(), Sortie::all(game));
    all.sort_by_key(|sortie| sortie.side() != first);
    all.into_iter()
        .for_each(|sortie| air::come::push(game, sortie));
}

/// Missions
#[automatic(announced)]
fn missions(game: &Acts) {
    let (first, mut all) = (clock(game).first_fire(), Mission::all(game));
    all.sort_by_key(|mission| mission.side() != first);
    all.into_iter()
        .for_each(|mission| art::fire::push(game, mission));
}

/// [sfp, seq.sfp.alternate] Suppressive Fire
#[phase]
pub fn direct() -> Phase {
    acts(Acting::Alternating)
        .may_pass(may_end::ID)
        .ends_after_passes(2)
        .first(fires_first::ID)
}

/// [action] Who moves first
#[automatic(announced)]
fn first_action(game: &Acts) {
    let side = first(game, "moves");
    let clock = clock(game);
    clock.set_first_action(game, side);
    clock.set_assaulting(game, String::new());
}

/// [action] Action
#[phase]
pub fn action() -> Phase {
    acts(Acting::OneAfterAnother).first(moves_first::ID)
}

/// A die names the first player: to 3 the first side, then the other.
fn first(game: &Writes, what: &str) -> String {
    let sides = game.sides();
    let die = die(game, &format!("who {what} first"));
    let side = sides[usize::from(die > 3).min(sides.len() - 1)].clone();
    SeqFirst {
        die,
        side: &side,
        what,
    }
    .tell(game);
    side
}

/// [sfp] The side that the die has named for the Suppressive Fire Phase.
#[rule]
fn fires_first(game: &Reads, _data: Value) -> String {
    clock(game).first_fire()
}

/// [action] The side that the die has named for the Action Phase.
#[rule]
fn moves_first(game: &Reads, _data: Value) -> String {
    clock(game).first_action()
}

/// [cleanup] Clean Up
#[automatic(announced)]
pub fn cleanup(game: &Acts) {
    Unit::all(game)
        .into_iter()
        .for_each(|unit| refresh(game, unit));
    Battery::all(game)
        .into_iter()
        .for_each(|battery| art::refresh(game, battery));
    for ground in Ground::all(game) {
        if ground.smoke() > 0 {
            smoke::clear::push(game, ground);
        }
    }
    smoke::drift::push(game);
    Light::all(game)
        .into_iter()
        .for_each(|light| light.remove(game));
    time::go_on::push(game);
}

/// [cleanup] What the Clean Up Phase does for a unit.
#[rule]
pub fn refresh(game: &Writes, unit: Unit) {
    unit.set_has_fired(game, false);
    unit.set_has_moved(game, false);
    unit.set_used(game, 0);
    unit.set_has_rolled(game, false);
    unit.set_was_engaged(game, unit.is_engaged());
    unit.set_is_engaged(game, false);
    morale::rally(game, unit);
}

#[rule]
fn may_end(_game: &Reads, _side: &str) -> Verdict {
    Ok(())
}

#[rule]
fn over(game: &Reads) -> bool {
    let is_gone = |side: &String| Unit::all_with(game, Unit::SIDE, side.clone()).is_empty();
    is_last(game) || game.sides().iter().any(is_gone)
}

/// Whether the turn is the last that the scenario has.
pub fn is_last(game: &Reads) -> bool {
    game.turns()
        .is_some_and(|turns| game.round(game::ID) >= turns)
}
