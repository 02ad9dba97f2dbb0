use super::*;
use kernel::value::Value;
use kernel::world::{FirstViewers, Schema};
use proptest::prelude::*;
use table::{Cells, Provenance, Table};

fn read(text: &str) -> Result<Data, Vec<Fault>> {
    Data::read("dsii", [("data/units.ron", text)].into_iter())
}

fn good(text: &str) -> Data {
    read(text).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn faults(text: &str) -> Vec<String> {
    read(text)
        .expect_err("it should fail")
        .iter()
        .map(ToString::to_string)
        .collect()
}

const UNITS: &str = r#"#![enable(implicit_some)]
// Vehicles of the game.
[
    Record(id: "dsii.shot", fields: "weapon: text, band: close|long"),
    Kind(
        id: "dsii.element",
        title: "Element",
        doc: "a vehicle or a team",
        existence: Owner,
        cites: ["dsii.units.element"],
        attributes: [
            (name: "armour", type: "integer 1..7", doc: "rated armour"),
            (name: "at", type: "point?", viewers: Nobody),
            (name: "die", type: "die", default: "d8"),
            (name: "last_shot", type: "dsii.shot?"),
            (name: "unit", type: "entity(dsii.unit)?"),
        ],
    ),
    Kind(id: "dsii.unit"),
    Table(
        id: "dsii.fire.ranges", title: "Ranges", source: "p.28", cites: ["dsii.fire.ranges"],
        key: [("weapon", "text"), ("band", "close|long")],
        columns: [("limit", "length"), ("note", "text?")],
        rows: [
            (weapon: "HEL", band: "close", limit: "60in", cites: ["dsii.fire.hel_band"]),
            ["HVC/3", "close", "16in", None],
            ("HVC/3", "long", "32in", "far"),
            {"weapon": "MDC/1", "band": "long", "limit": "24in"},
        ],
    ),
    Pot(id: "dsii.pot", title: "Chits", chits: {"R2": 15, "Y1": 3}),
    Event(id: "dsii.hit", heading: "damage", text: "{target} takes {points}", fields: "target: entity, points: integer"),
    Template(id: "dsii.tank", kind: "dsii.element", attributes: {"armour": 4}),
    Template(id: "dsii.heavy", extends: "dsii.tank", attributes: (armour: 6, die: "d6")),
    Template(
        id: "dsii.platoon", kind: "dsii.unit",
        parts: [(template: "dsii.heavy", name: "tank", count: 4, link: "unit", attributes: {"at": "(1in, 2in)"})],
    ),
]
"#;

fn schema(data: &Data) -> Schema {
    let records = records([data].into_iter()).unwrap();
    let mut schema = Schema::default();
    for kind in &data.kinds {
        schema.declare(kind.build(&records).0).unwrap();
    }
    schema
}

#[test]
fn a_good_file_builds_whole() {
    let data = good(UNITS);
    let schema = schema(&data);
    let kind = schema.kind(schema.require("dsii.element").unwrap());
    assert_eq!(kind.naming, FirstViewers::Owner);
    let default = |name: &str| {
        kind.attributes[usize::from(kind.require(name).unwrap())]
            .default
            .clone()
    };
    assert_eq!(default("armour"), Value::Int(1));
    assert_eq!(default("at"), Value::None);
    assert!(matches!(default("die"), Value::Die(die) if die.sides() == 8));
    assert_eq!(data.pots[0].chits.total(), 18);
    assert_eq!(
        data.events[0].build(&Records::new()).unwrap().fields.len(),
        2
    );
    assert_eq!(
        data.cites()
            .map(|(clause, _)| &**clause)
            .collect::<Vec<_>>(),
        [
            "dsii.units.element",
            "dsii.fire.ranges",
            "dsii.fire.hel_band"
        ]
    );
}

#[test]
fn templates_take_over_from_others() {
    let data = good(UNITS);
    let templates = template::resolve(&[&data], &[], &stated, &schema(&data)).unwrap();
    let heavy = &templates["dsii.heavy"];
    assert_eq!(&*heavy.kind, "dsii.element");
    assert_eq!(
        heavy.attributes["armour"].value,
        ron::Value::Number(6i64.into())
    );
    assert_eq!(heavy.attributes["die"].place.line, 34);
    assert_eq!(templates["dsii.platoon"].parts[0].count, 4);
}

#[test]
fn broken_templates_are_all_named() {
    let data = good(&UNITS.replace("]\n\"", "").trim_end().trim_end_matches(']').to_string().add_items(
        r#"
        Template(id: "dsii.a", extends: "dsii.b"),
        Template(id: "dsii.b", extends: "dsii.a"),
        Template(id: "dsii.c", extends: "dsii.tonk"),
        Template(id: "dsii.d", kind: "dsii.unit", attributes: {"armor": 1}),
        Template(id: "dsii.e", kind: "dsii.element", attributes: {"armour": 9}),
        Template(id: "dsii.f", kind: "dsii.unit", parts: [(template: "dsii.f", name: "f")]),
        Template(id: "dsii.g", kind: "dsii.unit", parts: [(kind: "dsii.element", name: "f", link: "armour")]),
    "#,
    ));
    let found = template::resolve(&[&data], &[], &stated, &schema(&data)).unwrap_err();
    let found: Vec<String> = found.iter().map(|fault| fault.message.clone()).collect();
    assert_eq!(
        found,
        [
            "expected templates that end somewhere, found dsii.a -> dsii.b -> dsii.a",
            "expected templates that end somewhere, found dsii.b -> dsii.a -> dsii.b",
            "expected a template, found `dsii.tonk`",
            "expected an attribute of `dsii.unit`, found `armor`",
            "attribute `armour` of `dsii.element`: expected integer 1..7, found the integer 9",
            "expected parts other than the whole, found `dsii.f` in itself",
            "expected an attribute of type entity as the link, found `armour`: integer 1..7",
        ]
    );
}

trait AddItems {
    fn add_items(self, items: &str) -> String;
}

impl AddItems for String {
    fn add_items(self, items: &str) -> String {
        format!("{self}{items}]")
    }
}

#[test]
fn every_problem_of_a_file_is_reported_at_its_line() {
    let found = faults(
        r#"[
    Kind(id: "iceburg.x"),
    Kind(id: "dsii.element", attributes: [
        (name: "Armour", type: "text"),
        (name: "speed", typ: "text"),
    ]),
    Kidn(id: "dsii.b"),
    Pot(id: "dsii.pot", chits: {"R2": 1.5, "Y": -1}),
    Kind(id: "dsii.element"),
    Event(id: "dsii.hit", heading: "two words", text: "", cites: ["dsii"]),
    Table(id: "dsii.t", key: [], rows: [(a: close)]),
]"#,
    );
    assert_eq!(
        found,
        [
            "fault F007 in mod `dsii`, data/units.ron:2:5: expected an id that begins with `dsii.`, found `iceburg.x`",
            "fault F024 in mod `dsii`, data/units.ron:4:9: expected an attribute, found the name `Armour`: use lower case letters, digits, `_`",
            "fault F002 in mod `dsii`, data/units.ron:5:25: expected one of `name`, `type`, `default`, `viewers`, `doc`, `bookkeeping`, `until`, found the unknown field `typ`\n  hint: did you mean `type`?",
            "fault F002 in mod `dsii`, data/units.ron:7:5: expected one of `Kind`, `Extend`, `Record`, `Enum`, `Table`, `Amend`, `Pot`, `Deck`, `Event`, `Template`, found `Kidn`\n  hint: did you mean `Kind`?",
            "fault F002 in mod `dsii`, data/units.ron:8:39: expected a whole number, or text with a unit such as \"3.5in\", found a decimal",
            "fault F038 in mod `dsii`, data/units.ron:8:49: expected how many chits `Y` pot `dsii.pot` holds, found something else",
            "fault F008 in mod `dsii`, data/units.ron:9:5: expected each kind once, found `dsii.element` again; the first is in mod `dsii`, data/units.ron:3:5",
            "fault F024 in mod `dsii`, data/units.ron:10:5: expected one lower case word as the heading of `dsii.hit`, found `two words`",
            "fault F009 in mod `dsii`, data/units.ron:10:67: expected the id of a clause such as `skirmish.fire.range`, found `dsii`",
            "fault F025 in mod `dsii`, data/units.ron:11:5: expected a key that finds the rows of `dsii.t`, found none",
            "fault F002 in mod `dsii`, data/units.ron:11:45: expected a value, found a bare name or `()`; texts and tags stand in quotes",
        ]
    );
}

#[test]
fn hostile_files_are_faults() {
    let deep = format!("[Pot(id: \"dsii.p\", chits: {})]", "[".repeat(10_000));
    for text in [
        "",
        "[",
        "Kind(id: 1)",
        "[Kind]",
        "[Kind()]",
        "[Kind(id: \"dsii.a\", id: \"dsii.b\")]",
        "[Pot(id: \"dsii.p\", chits: {\"a\": 1, \"a\": 2})]",
        "[Pot(id: \"dsii.p\", chits: [1])]",
        "[Kind(\"dsii.a\")]",
        "[Pot(id: \"dsii.p\", chits: {\"a\": 99999999999999999999})]",
        "\u{feff}[] []",
        "[/* ]",
        &deep,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    assert!(read("[]").is_ok() && read("[ /* a /* b */ */ Kind(id: \"dsii.a\") // x\n]").is_ok());
}

fn ranges() -> Table {
    good(UNITS).tables[0]
        .build(
            &Records::new(),
            &BTreeSet::from(["dsii.fire.hel_band".into()]),
        )
        .0
}

fn cells<const N: usize>(cells: [(&str, Value); N]) -> Cells {
    cells
        .into_iter()
        .map(|(name, value)| (Name::from(name), value))
        .collect()
}

fn inches(n: i64) -> Value {
    Value::Length(kernel::geometry::Length::inches(n))
}

fn by(module: &str, line: u32) -> Provenance {
    Provenance {
        place: Place::new(module, "data/x.ron", line),
        cites: Arc::default(),
    }
}

/// Everybody comes after dsii, and `c` after `b`.
fn stated(earlier: &str, later: &str) -> bool {
    earlier == "dsii" || (earlier, later) == ("b", "c")
}

#[test]
fn rows_know_where_they_are_from() {
    let table = ranges();
    let key = [Value::text("HEL"), Value::text("close")];
    assert_eq!(table.cell(&key, "limit"), Some(&inches(60)));
    let row = table.require(&key).unwrap();
    assert_eq!(
        (row.origin.place.line, &*row.origin.cites[0]),
        (25, "dsii.fire.hel_band")
    );
    assert_eq!(table.rows().count(), 4);
    assert_eq!(table.record(&key, row).field("note"), None);
    let plain = good(UNITS).tables[0]
        .build(&Records::new(), &BTreeSet::new())
        .0;
    assert_eq!(
        plain.rows().count(),
        3,
        "the row of a clause that is off is left out"
    );
}

#[test]
fn a_mod_says_whether_it_adds_or_amends() {
    let mut table = ranges();
    let hel = || {
        cells([
            ("weapon", Value::text("HEL")),
            ("band", Value::text("close")),
            ("limit", inches(50)),
        ])
    };
    let gun = || {
        cells([
            ("weapon", Value::text("GUN")),
            ("band", Value::text("close")),
            ("limit", inches(5)),
        ])
    };
    let fault = table.add(&hel(), by("b", 1), &stated).unwrap_err();
    assert_eq!(fault.code, FaultCode::BadRow);
    assert!(fault.hint.clone().unwrap().contains("use `amend`"));
    assert_eq!(
        table.amend(&gun(), by("b", 2), &stated).unwrap_err().code,
        FaultCode::BadRow
    );
    table.add(&gun(), by("b", 3), &stated).unwrap();
    table.amend(&hel(), by("b", 4), &stated).unwrap();
    let row = table
        .get(&[Value::text("HEL"), Value::text("close")])
        .unwrap();
    assert_eq!(
        row.changes[0].as_ref().map(|change| change.place.line),
        Some(4)
    );
    assert_eq!(row.changes[1], None);
    let short = cells([
        ("weapon", Value::text("HEX")),
        ("band", Value::text("close")),
    ]);
    assert!(
        table
            .add(&short, by("b", 5), &stated)
            .unwrap_err()
            .message
            .contains("expected length, found nothing")
    );
    let typo = cells([
        ("weapon", Value::text("HEL")),
        ("band", Value::text("close")),
        ("limmit", inches(1)),
    ]);
    assert_eq!(
        table
            .amend(&typo, by("b", 6), &stated)
            .unwrap_err()
            .hint
            .clone()
            .unwrap(),
        "did you mean `limit`?"
    );
}

#[test]
fn mods_that_meet_in_a_cell_need_a_stated_order() {
    let hel = |n| {
        cells([
            ("weapon", Value::text("HEL")),
            ("band", Value::text("close")),
            ("limit", inches(n)),
        ])
    };
    let key = || {
        cells([
            ("weapon", Value::text("HEL")),
            ("band", Value::text("close")),
        ])
    };
    let note = || {
        let mut cells = key();
        cells.insert("note".into(), Value::text("x"));
        cells
    };
    let mut table = ranges();
    table.amend(&hel(1), by("b", 1), &stated).unwrap();
    table.amend(&hel(2), by("c", 2), &stated).unwrap();
    let conflict = table.amend(&hel(3), by("d", 3), &stated).unwrap_err();
    assert_eq!(conflict.code, FaultCode::Conflict);
    assert!(conflict.message.contains("`c` and `d`"), "{conflict}");
    table.amend(&note(), by("d", 4), &stated).unwrap();
    assert_eq!(
        table.remove(&key(), by("c", 5), &stated).unwrap_err().code,
        FaultCode::Conflict
    );

    let mut table = ranges();
    table.remove(&key(), by("b", 1), &stated).unwrap();
    assert_eq!(
        table.amend(&hel(1), by("d", 2), &stated).unwrap_err().code,
        FaultCode::Conflict
    );
    assert_eq!(
        table.add(&hel(1), by("d", 3), &stated).unwrap_err().code,
        FaultCode::Conflict
    );
    assert!(
        table
            .amend(&hel(1), by("c", 4), &stated)
            .unwrap_err()
            .hint
            .clone()
            .unwrap()
            .starts_with("it was removed by")
    );
    table.add(&hel(1), by("c", 5), &stated).unwrap();
    assert_eq!(
        table.amend(&hel(2), by("b", 6), &stated).unwrap_err().code,
        FaultCode::Conflict
    );
}

#[test]
fn amendments_in_data_report_every_row() {
    let text = r#"[Amend(table: "dsii.fire.ranges", cites: ["iceburg.rfac.range"],
        add: [["GUN", "close", "5in", None]],
        amend: [(weapon: "HEL", band: "close", limit: "50in"), (weapon: "XYZ", band: "close", limit: "1in"),
                (weapon: "HEL", band: "closer", limit: 3)],
        remove: [["HVC/3", "long"]],
    )]"#;
    let data = Data::read("iceburg", [("data/rfac.ron", text)].into_iter()).unwrap();
    let mut table = ranges();
    let active = BTreeSet::from(["iceburg.rfac.range".into()]);
    let faults = data.amends[0]
        .apply(&mut table, &active, &stated)
        .unwrap_err();
    let lines: Vec<(u32, FaultCode)> = faults
        .iter()
        .map(|f| (f.place.as_ref().unwrap().line, f.code))
        .collect();
    assert_eq!(
        lines,
        [
            (3, FaultCode::BadRow),
            (4, FaultCode::WrongType),
            (4, FaultCode::WrongType)
        ]
    );
    assert_eq!(
        table.cell(&[Value::text("HEL"), Value::text("close")], "limit"),
        Some(&inches(50))
    );
    assert_eq!(table.rows().count(), 4);
    assert!(is_in_force(&data.amends[0].header.cites, &active));
}

#[test]
fn extensions_add_to_a_kind_of_another_mod() {
    let data = good(UNITS);
    let records = records([&data].into_iter()).unwrap();
    let mut schema = schema(&data);
    let text = r#"[Extend(kind: "dsii.element", attributes: [
        (name: "rfac", type: "integer 0..3"),
        (name: "armour", type: "integer"),
        (name: "shot", type: "dsii.shoot"),
        (name: "unit_2", type: "entity"),
    ])]"#;
    let more = Data::read("iceburg", [("data/a.ron", text)].into_iter()).unwrap();
    let kind = schema.require_mut("dsii.element").unwrap();
    let faults = more.extensions[0].apply(kind, &records).unwrap_err();
    let lines: Vec<(u32, FaultCode)> = faults
        .iter()
        .map(|f| (f.place.as_ref().unwrap().line, f.code))
        .collect();
    assert_eq!(
        lines,
        [
            (3, FaultCode::Duplicate),
            (4, FaultCode::BadSignature),
            (5, FaultCode::WrongType)
        ]
    );
    assert!(kind.find("rfac").is_some());
}

#[test]
fn an_event_may_only_print_its_fields() {
    let data = good(
        r#"[Event(id: "dsii.hit", heading: "damage", text: "{target} {point}", fields: "target: entity")]"#,
    );
    assert!(
        data.events[0]
            .build(&Records::new())
            .unwrap_err()
            .message
            .contains("`{point}`")
    );
}

#[test]
fn a_text_is_located_by_its_quotes() {
    let reader = reader::RonReader::new("dsii", "data/units.ron", UNITS);
    assert_eq!(reader.locate("dsii.pot").line, 31);
    assert_eq!(reader.locate("nowhere").line, 1);
}

proptest! {
    #[test]
    fn any_text_is_data_or_faults(text in "\\PC*|\\[[A-Z][a-z]*\\([a-z:\"., \\[\\]{}()/*#!0-9\n-]*\\)\\]") {
        let _ = read(&text);
    }

    #[test]
    fn a_cut_or_changed_file_never_panics(at in 0..UNITS.len(), other in "\\PC{0,2}", len in 0usize..4) {
        let end = (at + len).min(UNITS.len());
        let mut text = UNITS.to_string();
        text.replace_range(at..end, &other);
        if let Err(faults) = read(&text) {
            prop_assert!(faults.iter().all(|fault| fault.place.as_ref().is_some_and(|place| place.line > 0)));
        }
        let _ = read(&UNITS[..at]);
    }
}

#[test]
fn of_a_template_is_left_aside_what_is_off() {
    let data = good(UNITS);
    let more = r#"[
        Extend(kind: "dsii.element", cites: ["m.a.on"], attributes: [(name: "banner", type: "text")]),
        Kind(id: "m.horse", cites: ["m.a.on"]),
        Template(id: "m.bearer", extends: "dsii.tank", cites: ["m.a.on"], attributes: {"banner": "red"}),
        Template(id: "m.pair", kind: "dsii.unit",
            parts: [(template: "m.bearer", count: 2, link: "unit", attributes: {"banner": "blue", "armour": 5})]),
        Template(id: "m.rider", kind: "m.horse"),
    ]"#;
    let more = Data::read("m", [("data/a.ron", more)].into_iter()).unwrap();
    let templates = template::resolve(&[&data, &more], &[], &stated, &schema(&data)).unwrap();
    let names = |attributes: &BTreeMap<Name, reader::Datum>| -> Vec<String> {
        attributes.keys().map(ToString::to_string).collect()
    };
    assert_eq!(names(&templates["m.bearer"].attributes), ["armour"]);
    assert_eq!(names(&templates["m.pair"].parts[0].attributes), ["armour"]);
    assert!(!templates.contains_key("m.rider"), "there are no horses");
}
