//! Illumination rounds.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Light;

chapter!(tcsbase.illum);

/// [light] Whether an illumination round lights a hex.
#[rule]
pub fn lit(game: &Reads, at: Hex) -> bool {
    Light::all(game).into_iter().any(|light| light.at().distance(at) <= 3)
}
