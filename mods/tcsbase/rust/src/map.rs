//! The map: what is in a hex.

use houserule_guest::INCH;
use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Ground;
use crate::bindings::tcsbase::tables::TerrainEffects;
use crate::bindings::words::{EffectsTerrain, Terrain};

/// What is in a hex; open ground at level 0 where nothing is listed.
pub struct Place {
    pub terrain: Terrain,
    pub level: i64,
    pub smoke: i64,
}

pub fn place(game: &Reads, hex: Hex) -> Place {
    match Ground::find(game, &name_of(hex)) {
        Some(ground) => Place { terrain: ground.terrain(), level: ground.level(), smoke: ground.smoke() },
        None => Place { terrain: Terrain::Open, level: 0, smoke: 0 },
    }
}

/// What the ground of a hex is called.
pub fn name_of(hex: Hex) -> String {
    let (column, row) = hex.column_row();
    format!("h{column:02}{row:02}")
}

/// The hex of a ground, by its name.
pub fn hex_of(ground: Ground) -> Hex {
    let name = ground.name();
    let number = |from: usize| name.get(from..from + 2).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    Hex::at(number(1), number(3))
}

/// Whether a hex is on the map: columns and rows are numbered from 1 on, and an
/// inch of the table is a hex.
pub fn is_on_map(game: &Reads, hex: Hex) -> bool {
    let (width, depth) = game.size();
    let (column, row) = hex.column_row();
    (1..=width / INCH).contains(&i64::from(column)) && (1..=depth / INCH).contains(&i64::from(row))
}

/// The row of a terrain.
pub fn effects(game: &Reads, terrain: Terrain) -> TerrainEffects {
    let listed = match terrain {
        Terrain::Open => EffectsTerrain::Open,
        Terrain::Orchard => EffectsTerrain::Orchard,
        Terrain::Woods => EffectsTerrain::Woods,
        Terrain::Forest => EffectsTerrain::Forest,
        Terrain::Village => EffectsTerrain::Village,
        Terrain::Buildings => EffectsTerrain::Buildings,
        Terrain::SlowGo => EffectsTerrain::SlowGo,
        Terrain::Cutting => EffectsTerrain::Cutting,
        Terrain::Embankment => EffectsTerrain::Embankment,
    };
    TerrainEffects::get(game, listed)
}

/// The row of those who are dug in, besides that of their terrain.
pub fn dug_in(game: &Reads) -> TerrainEffects {
    TerrainEffects::get(game, EffectsTerrain::DugIn)
}

/// All hexes of the map.
pub fn hexes(game: &Reads) -> Vec<Hex> {
    let (width, depth) = game.size();
    let rows = |column: i64| (1..=depth / INCH).map(move |row| Hex::at(column as i32, row as i32));
    (1..=width / INCH).flat_map(rows).collect()
}
