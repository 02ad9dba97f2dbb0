//! Once more.

use houserule_guest::prelude::*;

use crate::bindings::drill::fire::{Outcome, resolve};
use crate::bindings::drill::kinds::Squad;

chapter!(echo.fire);

/// [again] A squad that misses shoots once more.
#[wrap(resolve)]
fn once_more(base: resolve::Base, game: &Draws, squad: Squad, target: Squad) -> Outcome {
    let first = base(game, squad, target);
    if first.is_hit {
        first
    } else {
        base(game, squad, target)
    }
}
