//! Guns and missiles at helicopters.

use houserule_guest::prelude::*;

use crate::bindings::tcs::options;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::spot::cover;
use crate::bindings::tcsbase::terrain::{crossed, hedgerow};
use crate::bindings::tcsbase::unit::from_the_ground;
use crate::bindings::tcsbase::{fire, los};
use crate::bindings::words::{Cover, GroundFire, Hedgerows, Height, Table};
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

/// A hedgerow is so many metres high.
const HEDGEROW: i64 = 5;

/// [helo.low] What is fired from or at a helicopter that is low goes over the hedgerows that are lower than its line.
#[wrap(hedgerow)]
fn over_it(base: hedgerow::Base, game: &Reads, firer: Unit, target: Unit) -> Verdict {
    let is_low = |unit: Unit| is_helicopter(unit) && unit.height() == Height::Low;
    let flies = is_low(firer) || is_low(target);
    if flies && passes_over(game, firer, los::height_of(game, firer), target) {
        return Ok(());
    }
    base(game, firer, target)
}

/// Whether the line from a unit, so many metres above its ground, to another is higher than all hedgerows between them.
pub fn passes_over(game: &Reads, firer: Unit, above: i64, target: Unit) -> bool {
    if game.option(options::helo::HEDGEROWS) == Hedgerows::Always {
        return false;
    }
    let (a, b) = (firer.at(), target.at());
    let far = 2 * i64::from(a.distance(b));
    let from = los::ground(game, a) + above;
    let to = los::ground(game, b) + los::height_of(game, target);
    crossed(game, a, b).into_iter().all(|hedge| {
        // Half-way between the middles of the hexes before and behind it, in halves of hexes.
        let way = i64::from(a.distance(hedge.before) + a.distance(hedge.behind));
        let top = los::ground(game, hedge.before).max(los::ground(game, hedge.behind)) + HEDGEROW;
        from * (far - way) + to * way >= top * far
    })
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
