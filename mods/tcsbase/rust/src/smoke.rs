//! Smoke in a hex.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::SmokeDrifted;
use crate::bindings::tcsbase::kinds::Ground;
use crate::map::{hex_of, is_on_map, name_of};
use crate::{clock, die};

chapter!(tcsbase.smoke);

/// [mission, art.smoke_from_he] A marker of smoke.
#[step]
pub fn place(game: &Acts, at: Hex) {
    more(game, at, 1);
}

/// Puts markers into a hex.
fn more(game: &Writes, at: Hex, markers: i64) {
    let ground = ground_of(game, at);
    ground.set_smoke(game, (ground.smoke() + markers).min(9));
}

/// The ground of a hex, made if there is none yet.
pub fn ground_of(game: &Writes, at: Hex) -> Ground {
    let name = name_of(at);
    Ground::find(game, &name).unwrap_or_else(|| Ground::create(game, Some(&name), []))
}

/// [remove] Each marker goes on a die of 4 or more.
#[step]
pub fn clear(game: &Acts, at: Ground) {
    let dice = vec![Die::new(6); usize::try_from(at.smoke()).unwrap_or(0)];
    let faces = game.roll_all(&dice, &format!("smoke at {at}"));
    at.set_smoke(
        game,
        faces.into_iter().filter(|face| *face < 4).count() as i64,
    );
}

/// [advanced else nil] What all dice have left drifts on a 5, where there is a wind; off the map it is lost.
#[step]
pub fn drift(game: &Acts) {
    let wind = clock(game).wind();
    if wind == 0 {
        return;
    }
    let mut drifting = Vec::new();
    for at in Ground::all(game).into_iter().filter(|at| at.smoke() > 0) {
        let (from, die) = (hex_of(at), die(game, &format!("smoke at {at} drifts")));
        if die >= 5 {
            let to = from.neighbours()[wind as usize - 1];
            drifting.push((to, at.smoke()));
            at.set_smoke(game, 0);
            SmokeDrifted { die, at: from, to }.tell(game);
        }
    }
    // What has drifted into a hex does not drift on with what was there.
    for (to, markers) in drifting {
        if is_on_map(game, to) {
            more(game, to, markers);
        }
    }
}
