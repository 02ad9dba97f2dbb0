//! Illumination rounds.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Light;

chapter!(tcsbase.illum);

/// [tcsbase.illum] Whether an illumination round lights a hex.
#[rule]
pub fn lit(game: &Reads, at: Hex) -> bool {
    Light::all(game)
        .into_iter()
        .any(|light| light.at().distance(at) <= 3)
}

/// [tcsbase.illum] A round burns over a hex.
#[step]
pub fn burn(game: &Acts, at: Hex) {
    Light::create(game, None, [Light::AT.is(at)]);
}
