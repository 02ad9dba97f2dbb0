//! Dual mode: able to fire accurately on the move.

use houserule_guest::prelude::*;

use crate::atgm;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::mode;
use crate::bindings::words::Mode::{self, Dual, Move};

chapter!(tcs.dual);

fn is_dual(unit: Unit) -> bool {
    unit.mode() == Mode::Dual
}

/// [def] A unit that can has a third mode,
#[wrap(mode::choices)]
fn a_third(base: mode::choices::Base, game: &Reads, unit: Unit) -> Vec<String> {
    let mut modes = base(game, unit);
    if unit.has_dual() {
        modes.push(Dual.to_string());
    }
    modes
}

/// [sides] in the place of move mode.
#[wrap(mode::choices)]
fn instead_of_move(base: mode::choices::Base, game: &Reads, unit: Unit) -> Vec<String> {
    let mut modes = base(game, unit);
    modes.retain(|mode| mode != Move.word() || !unit.has_dual());
    modes
}

/// [owmarked_no_change] One that is marked does not change to it.
#[wrap(mode::choices)]
fn not_when_marked(base: mode::choices::Base, game: &Reads, unit: Unit) -> Vec<String> {
    let mut modes = base(game, unit);
    modes.retain(|mode| mode != Dual.word() || !unit.is_marked());
    modes
}

/// Whether a unit is in dual mode, and nothing carries it.
fn is_free(unit: Unit) -> bool {
    is_dual(unit) && unit.carrier().is_none() && !unit.is_off_map()
}

/// [fire_then_move] It fires, then moves, if nothing carries it.
#[wrap(mode::fires, mode::moves)]
fn both(base: mode::fires::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_free(unit) {
        Ok(())
    } else {
        base(game, unit)
    }
}

/// [as_move] It moves as in move mode, whether it may fire besides or not.
#[wrap(mode::moves)]
fn moves_too(base: mode::moves::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_free(unit) {
        Ok(())
    } else {
        base(game, unit)
    }
}

/// [no_overwatch] It does not watch.
#[wrap(mode::watches)]
fn no_overwatch(base: mode::watches::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_dual(unit) {
        refuse!("nobody fires overwatch in dual mode");
    }
    base(game, unit)
}

/// [as_move] It counts as moving.
#[wrap(mode::is_moving)]
fn as_moving(base: mode::is_moving::Base, game: &Reads, unit: Unit) -> bool {
    is_dual(unit) || base(game, unit)
}

/// [firemode_normal] In fire mode it does not.
#[wrap(mode::is_moving)]
fn still_in_fire_mode(base: mode::is_moving::Base, game: &Reads, unit: Unit) -> bool {
    unit.mode() != Mode::Fire && base(game, unit)
}

/// [no_atgm] It fires no missiles.
#[wrap(atgm::ready)]
fn no_missiles(base: atgm::ready::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_dual(unit) && unit.missile().is_some() {
        refuse!("nobody fires missiles in dual mode");
    }
    base(game, unit)
}
