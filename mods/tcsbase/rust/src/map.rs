//! The map: what is in a hex.

use houserule_guest::INCH;
use houserule_guest::prelude::*;

use crate::bindings::tcsbase::kinds::Ground;
use crate::bindings::tcsbase::tables::TerrainEffects;
use crate::bindings::words::{EffectsTerrain, Terrain};

/// What is listed of a hex.
pub fn ground_of(game: &Reads, hex: Hex) -> Option<Ground> {
    Ground::find(game, &name_of(hex))
}

/// The terrain of a hex; open ground where nothing is listed.
pub fn terrain_of(game: &Reads, hex: Hex) -> Terrain {
    ground_of(game, hex).map_or(Terrain::Open, Ground::terrain)
}

/// Its level; 0 where nothing is listed.
pub fn level_of(game: &Reads, hex: Hex) -> i64 {
    ground_of(game, hex).map_or(0, Ground::level)
}

/// The markers of smoke in it.
pub fn smoke_of(game: &Reads, hex: Hex) -> i64 {
    ground_of(game, hex).map_or(0, Ground::smoke)
}

/// What the ground of a hex is called.
pub fn name_of(hex: Hex) -> String {
    match hex.column_row() {
        // As it is written; nobody else is asked for as many names.
        (0..100, 0..100) => hex.to_string(),
        (column, row) => format!("h{column:02}{row:02}"),
    }
}

/// The hex of a ground, by its name.
pub fn hex_of(ground: Ground) -> Hex {
    let name = ground.name();
    let number = |from: usize| {
        name.get(from..from + 2)
            .and_then(|digits| digits.parse().ok())
            .unwrap_or(0)
    };
    Hex::at(number(1), number(3))
}

/// Whether a hex is on the map.
pub fn is_on_map(game: &Reads, hex: Hex) -> bool {
    on_map(game)(&hex)
}

/// Whether hexes are on the map: columns and rows are numbered from 1 on, and an
/// inch of the table is a hex.
pub fn on_map(game: &Reads) -> impl Fn(&Hex) -> bool {
    let (width, depth) = game.size();
    move |hex| {
        let (column, row) = hex.column_row();
        (1..=width / INCH).contains(&i64::from(column))
            && (1..=depth / INCH).contains(&i64::from(row))
    }
}

/// Where something falls, in words: hexes that no map has have no name.
pub fn place_of(game: &Reads, hex: Hex) -> String {
    match is_on_map(game, hex) {
        true => format!("at {hex}"),
        false => "off the map".into(),
    }
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

/// The hexes right beyond its edge.
pub fn beyond_edge(game: &Reads) -> Vec<Hex> {
    let (width, depth) = game.size();
    let (last, low) = ((width / INCH) as i32, (depth / INCH) as i32);
    let across = (0..=last + 1).flat_map(|column| [(column, 0), (column, low + 1)]);
    let down = (1..=low).flat_map(|row| [(0, row), (last + 1, row)]);
    across
        .chain(down)
        .map(|(column, row)| Hex::at(column, row))
        .collect()
}
