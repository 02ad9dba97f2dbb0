//! Smoke in a hex.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Ground;
use crate::map::name_of;

chapter!(tcsbase.smoke);

/// [art.smoke_from_he] A marker of smoke.
#[step]
pub fn place(game: &Acts, at: Hex) {
    let name = name_of(at);
    let ground = Ground::find(game, &name).unwrap_or_else(|| Ground::create(game, Some(&name), []));
    ground.set_smoke(game, (ground.smoke() + 1).min(9));
}

/// [remove] Each marker goes on a die of 4 or more.
#[step]
pub fn clear(game: &Acts, at: Ground) {
    let dice = vec![Die::new(6); usize::try_from(at.smoke()).unwrap_or(0)];
    let faces = game.roll_all(&dice, &format!("smoke at {at}"));
    at.set_smoke(game, faces.into_iter().filter(|face| *face < 4).count() as i64);
}
