//! Weather.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::WeatherChanged;
use crate::bindings::tcsbase::tables::WeatherHourly;
use crate::bindings::words::Sky;
use crate::{clock, die, two_dice};

chapter!(tcsbase.weather);

/// [tcsbase.weather] The hourly look at the weather, where a game has it change.
#[step]
pub fn look(game: &Acts) {
    let clock = clock(game);
    if !clock.is_changeable() {
        return;
    }
    let dice = two_dice(game, "weather");
    let rows = WeatherHourly::all(game);
    let Some(row) = rows.iter().rev().find(|row| row.from <= dice) else {
        return;
    };
    let limit = if row.sky == Sky::Fog {
        die(game, "fog")
    } else {
        row.limit
    };
    clock.set_sky(game, row.sky);
    clock.set_weather(game, limit);
    // A limit of nothing is none.
    let sight = match limit {
        0 => "any".to_string(),
        hexes => hexes.to_string(),
    };
    WeatherChanged {
        dice,
        sky: row.sky.word(),
        limit,
        sight: &sight,
    }
    .tell(game);
}
