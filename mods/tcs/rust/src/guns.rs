//! Guns and missiles at helicopters.

use houserule_guest::prelude::*;

use crate::bindings::tcs::options;
use crate::bindings::tcsbase::fire;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::spot::cover;
use crate::bindings::tcsbase::unit::from_the_ground;
use crate::bindings::words::{Cover, GroundFire, Height, Table};
use crate::{atgm, is_helicopter};

chapter!(tcs.helo);

/// [aa_how] Units on the ground have nothing but their fire at aircraft for helicopters, unless the option says
/// otherwise.
#[wrap(from_the_ground)]
fn at_aircraft(base: from_the_ground::Base, game: &Reads, target: Unit) -> Verdict {
    let never = game.option(options::helo::GROUND_FIRE) == GroundFire::Never;
    if never && is_helicopter(target) {
        refuse!("that is for fire at aircraft");
    }
    base(game, target)
}

/// [aa_how] The same for AT rolls and missiles.
#[wrap(fire::atroll::may, atgm::hits)]
fn not_from_the_ground(base: atgm::hits::Base, game: &Reads, firer: Unit, target: Unit) -> Verdict {
    if !is_helicopter(firer) {
        from_the_ground(game, target)?;
    }
    base(game, firer, target)
}

/// [helo.air.helo] Three less on the dice, whatever the ground.
#[wrap(fire::modifier)]
fn in_the_air(
    base: fire::modifier::Base,
    game: &Reads,
    firer: Unit,
    target: Unit,
    table: Table,
) -> i64 {
    let under = base(game, firer, target, table);
    if is_helicopter(target) && is_helicopter(firer) {
        under - 3 - fire::terrain(game, target, table)
    } else {
        under
    }
}

/// [helo.low] Nor does it hide one that is low,
#[wrap(cover)]
fn in_view(base: cover::Base, game: &Reads, target: Unit) -> Cover {
    if is_helicopter(target) && target.height() == Height::Low {
        Cover::None
    } else {
        base(game, target)
    }
}

/// [helo.low] nor is the ground anything to one; in its nap the terrain counts.
#[wrap(fire::terrain)]
fn above_the_ground(base: fire::terrain::Base, game: &Reads, target: Unit, table: Table) -> i64 {
    if is_helicopter(target) && target.height() == Height::Low {
        0
    } else {
        base(game, target, table)
    }
}
