//! How a game is drawn, as text and as a picture.

use houserule::embed::{BotSort, EntityRef, Start, Tabletop};
use houserule_tests::folder;
#[cfg(feature = "wasm")]
use houserule_tests::ships;

use super::{Yard, is_refusal};

#[test]
fn a_unit_stands_among_its_pieces() {
    let start = Start {
        scenario: "dsii/skirmish".into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&[folder("../mods/dsii")], &start).unwrap();
    let map = table.map_text("referee", None, 80).unwrap();
    let line = |label: &str| {
        map.lines()
            .find(|line| line.contains(label))
            .unwrap_or_else(|| panic!("{map}"))
    };
    let measures = map.lines().find(|line| line.ends_with(" in")).unwrap();
    assert_eq!(
        measures.len(),
        line("+--").len(),
        "they end with the frame: {map}"
    );
    assert!(
        line("blue-a (blue tank troop)").contains(" round ("),
        "{map}"
    );
    let svg = table.map_svg("referee", None).unwrap();
    assert_eq!(
        svg.matches("<path d=\"M 0 -8 L 8 0 L 0 8").count(),
        1,
        "one marker: {svg}"
    );
    let x = |line: &str| -> f64 {
        let (_, at) = line
            .split_once('(')
            .and_then(|(_, rest)| rest.split_once('('))
            .unwrap();
        at.split(',').next().unwrap().parse().unwrap()
    };
    let (first, second) = (
        x(line("blue-a-1 (blue medium tank)")),
        x(line("blue-a-2 (blue medium tank)")),
    );
    assert!(
        (x(line("blue-a (blue tank troop)")) - (first + second) / 2.0).abs() < 0.11,
        "{map}"
    );
    assert!(
        !map.contains("firecon"),
        "what it is from the start is no state of it: {map}"
    );
    let wood: usize = map
        .lines()
        .filter(|line| line.contains('"') && line.contains('|'))
        .count();
    assert!(wood >= 6, "{map}");
    let wall = map
        .lines()
        .find(|line| line.contains("##"))
        .unwrap_or_else(|| panic!("{map}"));
    let (from, to) = (wall.find('#').unwrap(), wall.rfind('#').unwrap());
    assert!(
        to - from >= 12 && !wall[from..to].contains(' '),
        "no holes in the wall: {map}"
    );
}

#[test]
#[cfg(feature = "wasm")]
fn hexes_are_drawn_with_their_sides_and_roads() {
    if !ships("tcs") {
        return;
    }
    let start = Start {
        scenario: "tcs/bridgehead".into(),
        ..Start::default()
    };
    let folders = ["../mods/tcsbase", "../mods/tcs"].map(folder);
    let mut table = Tabletop::start(&folders, &start).unwrap();
    let map = table.map_text("referee", None, 100).unwrap();
    for expected in [
        "rifles-1 (a unit) in h0705",
        "a-company (company) round h",
        " village: h0705, h0805",
        " primary road: road",
        " stream: brook",
    ] {
        assert!(map.contains(expected), "{expected}:\n{map}");
    }
    // Columns are numbered along the near edge, rows at the first of them, and hexes have dots.
    assert!(
        map.lines().any(|line| line
            .split_whitespace()
            .eq((1..=13).map(|n| format!("{n:02}")))),
        "{map}"
    );
    assert!(
        (1..=20).all(|n| map
            .lines()
            .any(|line| line.starts_with(&format!("  {n:02} |")))),
        "{map}"
    );
    assert!(map.matches('\u{b7}').count() > 150, "{map}");
    // A hexside is seen however wide the map is, also where it lies between two lines of letters.
    for columns in (60..=160).step_by(4) {
        let map = table.map_text("referee", None, columns).unwrap();
        let is_drawn = map
            .lines()
            .any(|line| line.contains('|') && line.contains('~'));
        assert!(is_drawn, "{columns}:\n{map}");
    }
    let svg = table.map_svg("referee", None).unwrap();
    assert_eq!(
        svg.matches("fill=\"none\" stroke=\"#bbb\"").count(),
        13 * 20
    );
    assert!(svg.contains(">0101<") && svg.contains(">1320<"), "{svg}");
    assert!(svg.contains("<title>brook (stream)</title>"), "{svg}");
    let road = svg
        .lines()
        .find(|line| line.contains("<title>road (primary road)</title>"))
        .unwrap();
    assert!(
        road.contains("stroke=\"#b98a5a\""),
        "as maps draw roads: {road}"
    );
    assert!(svg.contains(">rifles-1<"), "{svg}");
}

#[test]
#[cfg(feature = "wasm")]
fn what_rules_note_for_themselves_is_not_written_beside_a_piece() {
    if !ships("tcs") {
        return;
    }
    let start = Start {
        scenario: "tcs/bridgehead".into(),
        bots: [("a".into(), BotSort::Greedy), ("b".into(), BotSort::Greedy)].into(),
        ..Start::default()
    };
    let folders = ["../mods/tcsbase", "../mods/tcs"].map(folder);
    let mut table = Tabletop::start(&folders, &start).unwrap();
    while table.bot_turn().unwrap().is_some() {}
    let map = table.map_text("referee", None, 100).unwrap();
    assert!(map.contains(": was engaged"), "{map}");
    for noted in ["may again", "trigger given", "trigger refused"] {
        assert!(!map.contains(noted), "{noted}:\n{map}");
    }
}

#[test]
fn bots_play_and_the_map_is_drawn() {
    let yard = Yard::new();
    let bots = [
        ("red".into(), BotSort::Random),
        ("blue".into(), BotSort::Random),
    ]
    .into();
    let mut table = yard.start(&Start {
        bots,
        ..Start::default()
    });
    for _ in 0..6 {
        assert!(table.bot_turn().unwrap().is_some());
    }
    let map = table
        .map_text("red", Some(&EntityRef::from("rufus")), 60)
        .unwrap();
    assert!(
        map.contains("A rufus (red man) at (6.0, 6.0), facing E"),
        "{map}"
    );
    assert!(map.contains("a bruno"), "{map}");
    let svg = table.map_svg("spectator", None).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains(">bruno<"), "{svg}");
    assert!(is_refusal(
        &table
            .map_text("red", Some(&EntityRef::from("nobody")), 60)
            .unwrap_err()
    ));
}

/// A game of three areas, of which one has an army in it.
const ISLES: [(&str, &str); 4] = [
    (
        "mod.ron",
        r#"Mod(id: "isles", version: "1.0.0", title: "Isles", engine: "0.1", groups: [Group(id: "sea", title: "Sea", clauses: [])])"#,
    ),
    (
        "data/isles.ron",
        r#"[
            Kind(id: "isles.area", attributes: [
                (name: "shape", type: "{centre: point, radius: length}?"),
                (name: "coast", type: "{polygon: list(point)}?"),
                (name: "type", type: "land|sea"),
            ]),
            Kind(id: "isles.rock", attributes: [(name: "shape", type: "{centre: point, radius: length}?")]),
            Kind(id: "isles.army", attributes: [(name: "at", type: "point"), (name: "area", type: "entity(isles.area)?")]),
        ]"#,
    ),
    (
        "rules/sea.luau",
        "--!strict\n-- A game.\n\nsea.game = rules.phase { title = \"Game\", root = true, acts = { order = \"alternating\" } }\n",
    ),
    (
        "scenarios/strait.ron",
        r#"Scenario(format: 1, id: "strait", title: "Strait", mods: ["isles"], seed: 1, table: (width: "24in", depth: "12in"),
            sides: [(id: "blue"), (id: "red")], entities: [
            (kind: "isles.area", id: "thule", attributes: {"shape": (centre: "(4in, 6in)", radius: "3in")}),
            (kind: "isles.area", id: "sound", attributes: {"shape": (centre: "(12in, 6in)", radius: "3in"), "type": "sea"}),
            (kind: "isles.area", id: "fyn", attributes: {"coast": (polygon: ["(17in, 3in)", "(23in, 3in)", "(23in, 9in)", "(17in, 9in)"])}),
            (kind: "isles.rock", id: "skerry", attributes: {"shape": (centre: "(12in, 1in)", radius: "1in")}),
            (kind: "isles.army", id: "blue-1", side: "blue", attributes: {"at": "(4in, 6in)", "area": "thule"}),
        ])"#,
    ),
];

#[test]
fn areas_that_pieces_are_in_bear_their_names() {
    let yard = Yard::new();
    let folder = yard.0.join("isles");
    for (path, text) in ISLES {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let start = Start {
        scenario: "isles/strait".into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&[folder], &start).unwrap();
    let map = table.map_text("spectator", None, 80).unwrap();
    let rows = map.lines().filter(|line| line.contains('|'));
    let rows: Vec<&str> = rows.collect();
    let row_of = |text: &str| rows.iter().position(|row| row.contains(text));
    for name in [" thule ", " sound ", " fyn "] {
        let named = row_of(name).unwrap_or_else(|| panic!("{name}: {map}"));
        assert!(named < row_of("A").unwrap(), "over the middle: {map}");
    }
    assert_eq!(row_of("skerry"), None, "nobody is in a rock: {map}");
    let svg = table.map_svg("spectator", None).unwrap();
    for name in ["thule", "sound", "fyn"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}: {svg}");
    }
    assert!(!svg.contains(">skerry</text>"), "{svg}");
}
