use super::super::manifest::manifest_of;
use super::*;
use proptest::prelude::*;

const DSII: &str = r#"Mod(id: "dsii", version: "1.0.0", title: "D", engine: "0.1",
    groups: [
        Group(id: "turn", title: "Turn", clauses: [
            Clause(id: "dsii.turn.order", title: "t", text: "t", effect: Adds, core: true),
        ]),
        Group(id: "fire", title: "Fire", clauses: [
            Clause(id: "dsii.fire.range", title: "t", text: "t", effect: Adds),
            Clause(id: "dsii.fire.hel_band", title: "t", text: "t", effect: Adds, requires: ["dsii.fire.range"]),
            Clause(id: "dsii.fire.moving", title: "t", text: "t", effect: Adds, default: false),
        ]),
        Group(id: "nuclear", title: "Nuclear", default: false, clauses: [
            Clause(id: "dsii.nuclear.blast", title: "t", text: "t", effect: Adds),
        ]),
    ],
    options: [
        Option(id: "dsii.fire.hel_band", title: "t", type: "close|medium", default: "close"),
        Option(id: "dsii.title", title: "t", type: "text", default: ""),
        Option(id: "dsii.edge", title: "t", type: "list(point)", default: []),
    ])"#;

const ICEBURG: &str = r#"Mod(id: "iceburg", version: "1.0.0", title: "I", engine: "0.1", depends: [("dsii", "^1")],
    groups: [
        Group(id: "rfac", title: "RFAC", clauses: [
            Clause(id: "iceburg.rfac.cost", title: "t", text: "t", effect: Changes),
            Clause(id: "iceburg.rfac.chits", title: "t", text: "t", effect: Changes, requires: ["dsii:fire"]),
            Clause(id: "iceburg.rfac.ads", title: "t", text: "t", effect: Adds, requires: ["iceburg.rfac.chits"]),
        ]),
        Group(id: "sam", title: "SAM", clauses: [
            Clause(id: "iceburg.sam.range", title: "t", text: "t", effect: Adds),
            Clause(id: "iceburg.sam.arms", title: "t", text: "t", effect: Adds, default: false,
                requires: ["iceburg.sam.range", "dsii.nuclear.blast"]),
        ]),
        Group(id: "decoy", title: "Decoy", clauses: [
            Clause(id: "iceburg.decoy.place", title: "t", text: "t", effect: Adds),
            Clause(id: "iceburg.decoy.spot", title: "t", text: "t", effect: Adds),
        ]),
    ])"#;

fn manifests() -> Manifests {
    [DSII, ICEBURG]
        .into_iter()
        .map(|text| manifest_of(text).unwrap())
        .map(|m| (m.id.clone(), m))
        .collect()
}

fn active(line: &str) -> Active {
    Request::parse(line)
        .and_then(|request| request.resolve(&manifests()))
        .unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The line that comes out, and how many clauses of house rules are on.
fn line(asked: &str) -> (String, usize) {
    let active = active(asked);
    let count = active
        .clauses
        .iter()
        .filter(|id| id.starts_with("iceburg."))
        .count();
    (active.line, count)
}

fn faults(line: &str) -> Vec<(FaultCode, String)> {
    let faults = Request::parse(line)
        .and_then(|request| request.resolve(&manifests()))
        .unwrap_err();
    faults
        .into_iter()
        .map(|fault| {
            (
                fault.code,
                fault.hint.clone().unwrap_or(fault.message.clone()),
            )
        })
        .collect()
}

#[test]
fn a_mod_takes_its_defaults_and_those_it_depends_on() {
    let active = active("iceburg");
    assert_eq!(
        active.order.mods.iter().map(|id| &**id).collect::<Vec<_>>(),
        ["dsii", "iceburg"]
    );
    assert_eq!(active.clauses.len(), 9);
    assert!(
        !active.clauses.contains("dsii.fire.moving")
            && !active.clauses.contains("dsii.nuclear.blast")
    );
    assert_eq!(active.line, "dsii iceburg");
    assert_eq!(active.options["dsii.fire.hel_band"], Value::text("close"));
    assert_eq!(active.notes, Vec::<String>::new());
}

#[test]
fn groups_and_clauses_are_taken_alone() {
    assert_eq!(
        line("iceburg:rfac,sam"),
        ("dsii iceburg:rfac,sam".into(), 4)
    );
    assert_eq!(
        line("iceburg:rfac.cost"),
        ("dsii iceburg.rfac.cost".into(), 1)
    );
    assert_eq!(
        line("iceburg.rfac.cost iceburg:sam"),
        ("dsii iceburg:rfac.cost,sam".into(), 2)
    );
    assert_eq!(
        line("iceburg:rfac -iceburg.rfac.cost"),
        ("dsii iceburg.rfac.ads".into(), 2)
    );
    assert_eq!(
        line("iceburg -iceburg:decoy"),
        ("dsii iceburg:rfac,sam".into(), 4)
    );
    assert_eq!(
        line("iceburg -iceburg.decoy.spot"),
        ("dsii iceburg -iceburg.decoy.spot".into(), 5)
    );
    assert_eq!(line("iceburg:rfac,sam,decoy"), ("dsii iceburg".into(), 6));
    assert_eq!(
        line("dsii.fire.range iceburg:sam"),
        ("dsii.fire.range iceburg:sam".into(), 1)
    );
    assert_eq!(
        line("iceburg -iceburg:rfac,sam,decoy"),
        ("dsii iceburg -iceburg:rfac,sam,decoy".into(), 0)
    );
    assert_eq!(line("iceburg dsii -iceburg"), ("dsii".into(), 0));
    assert_eq!(
        line("dsii:nuclear iceburg:decoy dsii.fire.moving").0,
        "dsii:fire.moving,nuclear iceburg:decoy"
    );
    assert_eq!(line("dsii dsii:nuclear").0, "dsii:fire,nuclear");
}

#[test]
fn what_is_required_comes_along_and_is_told() {
    let active = active("dsii.turn.order iceburg.rfac.ads iceburg.sam.arms");
    let on: Vec<&str> = active.clauses.iter().map(|id| &**id).collect();
    assert_eq!(
        on,
        [
            "dsii.fire.hel_band",
            "dsii.fire.range",
            "dsii.nuclear.blast",
            "dsii.turn.order",
            "iceburg.rfac.ads",
            "iceburg.rfac.chits",
            "iceburg.sam.arms",
            "iceburg.sam.range"
        ]
    );
    assert!(
        active
            .notes
            .contains(&"`dsii.nuclear.blast` is on: `iceburg.sam.arms` requires it".to_string())
    );
    assert_eq!(active.line, "dsii iceburg:rfac.ads,sam.arms");
}

#[test]
fn what_requires_what_is_taken_away_goes_too() {
    let active = active("iceburg -dsii.fire.range");
    assert!(
        !active.clauses.contains("dsii.fire.hel_band")
            && !active.clauses.contains("iceburg.rfac.ads")
    );
    assert!(active.clauses.contains("iceburg.rfac.cost"));
    assert_eq!(
        active.notes,
        [
            "`dsii.fire.hel_band` is off: it requires `dsii.fire.range`",
            "`iceburg.rfac.ads` is off: it requires `iceburg.rfac.chits`",
            "`iceburg.rfac.chits` is off: it requires `dsii.fire.range`",
        ]
    );
    assert_eq!(active.line, "dsii iceburg -dsii:fire");
    assert_eq!(self::active(&active.line).clauses, active.clauses);
}

#[test]
fn core_clauses_stay_except_by_force() {
    assert_eq!(
        faults("dsii -dsii.turn.order"),
        [(FaultCode::BadScenario, "it says: t".into())]
    );
    assert_eq!(faults("dsii -dsii:turn").len(), 1);
    let refused = Request::parse("dsii -dsii.turn.order")
        .unwrap()
        .resolve(&manifests())
        .unwrap_err();
    assert_eq!(
        refused[0].message,
        "expected to keep \"t\" (`dsii.turn.order`), without which there is no game, found it left out"
    );
    let forced = active("dsii -!dsii.turn.order");
    assert!(!forced.clauses.contains("dsii.turn.order"));
    assert_eq!(forced.line, "dsii -!dsii.turn.order");
    assert_eq!(
        active("dsii -!dsii.fire.hel_band").line,
        "dsii -!dsii.fire.hel_band"
    );
}

#[test]
fn unknown_names_are_all_told() {
    assert_eq!(
        faults("dsi iceburg:rfak iceburg.sam.rang -dsii.fire.rage -dssi -!iceburg.sam.rnge"),
        [
            (FaultCode::UnknownMod, "did you mean `dsii`?".into()),
            (FaultCode::UnknownMod, "did you mean `rfac`?".into()),
            (
                FaultCode::UnknownClause,
                "did you mean `iceburg.sam.range`?".into()
            ),
            (
                FaultCode::UnknownClause,
                "did you mean `dsii.fire.range`?".into()
            ),
            (FaultCode::UnknownMod, "did you mean `dsii`?".into()),
            (
                FaultCode::UnknownClause,
                "did you mean `iceburg.sam.range`?".into()
            ),
        ]
    );
    assert_eq!(faults("iceburg -dsii")[0].0, FaultCode::BadScenario);
    assert_eq!(
        Request::parse("a..b A: a:b,: =x -! --a :x")
            .unwrap_err()
            .len(),
        7
    );
}

#[test]
fn options_are_checked_and_printed_where_they_differ() {
    let active = active(
        r#"dsii dsii.fire.hel_band=medium dsii.title="a b" dsii.edge=[(0in,0in), (1.5in, 2cm)]"#,
    );
    assert_eq!(active.options["dsii.title"], Value::text("a b"));
    assert_eq!(
        active.line,
        r#"dsii dsii.edge=[(0in,0in),(1.5in,2cm)] dsii.fire.hel_band=medium dsii.title="a b""#
    );
    assert_eq!(self::active(&active.line), active);
    assert_eq!(line("dsii dsii.fire.hel_band=close").0, "dsii");
    let codes: Vec<FaultCode> =
        faults("dsii dsii.fire.hel_band=far dsii.x=1 dsii.title=a dsii.title=b")
            .into_iter()
            .map(|(code, _)| code)
            .collect();
    assert_eq!(
        codes,
        [
            FaultCode::WrongType,
            FaultCode::UnknownOption,
            FaultCode::Duplicate
        ]
    );
}

#[test]
fn the_printed_form_is_the_one_that_is_read() {
    for text in [
        "iceburg",
        "iceburg:rfac",
        "iceburg:rfac,sam.range",
        "iceburg.rfac.cost",
    ] {
        assert_eq!(Selector::parse(text).unwrap().to_string(), text);
    }
    assert_eq!(
        Selector::parse("iceburg:rfac.cost").unwrap(),
        Selector::parse("iceburg.rfac.cost").unwrap()
    );
    assert_eq!(line("iceburg.rfac").0, line("iceburg:rfac").0);
    for text in [
        "",
        ":",
        "a:",
        "a:,",
        "a:b.",
        "1a",
        "a.b.c.d.e.f",
        "a b",
        "a:b:c",
        "-a",
        "é",
    ] {
        assert!(Selector::parse(text).is_err(), "{text}");
    }
}

/// A clause may be called as its group; its id then means the clause, and
/// `mod:group` the group.
#[test]
fn a_clause_may_be_called_as_its_group() {
    let text = r#"Mod(id: "m", version: "1.0.0", title: "M", engine: "0.1", groups: [
        Group(id: "gas", title: "Gas", clauses: [
            Clause(id: "m.gas", title: "t", text: "t", effect: Adds),
            Clause(id: "m.gas.masks", title: "t", text: "t", effect: Adds, requires: ["m.gas"]),
            Clause(id: "m.gas.wind", title: "t", text: "t", effect: Adds),
        ]),
        Group(id: "night", title: "Night", clauses: [
            Clause(id: "m.night.far", title: "t", text: "t", effect: Adds),
        ]),
    ])"#;
    let manifest = manifest_of(text).unwrap();
    let manifests = Manifests::from_iter([(manifest.id.clone(), manifest)]);
    let chosen = |line: &str| Request::parse(line).unwrap().resolve(&manifests).unwrap();
    for (asked, clauses, line) in [
        ("m.gas", 1, "m.gas"),
        ("m:gas", 3, "m:gas"),
        ("m.night", 1, "m:night"),
        ("m -m.gas", 2, "m -m.gas"),
        ("m.gas m:night", 2, "m:night m.gas"),
        ("m -m.gas.masks -m.night", 2, "m:gas -m.gas.masks"),
    ] {
        let active = chosen(asked);
        assert_eq!(
            (active.clauses.len(), active.line.as_str()),
            (clauses, line),
            "{asked}"
        );
        assert_eq!(chosen(&active.line).clauses, active.clauses, "{asked}");
    }
}

/// Two mods whose clauses require each other at random.
fn any_mods() -> impl Strategy<Value = Manifests> {
    let clause = (
        any::<bool>(),
        prop::bool::weighted(0.1),
        prop::collection::vec(0usize..12, 0..2),
    );
    let group = prop::bool::weighted(0.8);
    (prop::collection::vec(clause, 12), prop::collection::vec(group, 4)).prop_map(|(clauses, groups)| {
        let id = |n: usize| format!("{}.g{}.c{n}", if n < 6 { "base" } else { "house" }, n / 3);
        let text_of = |n: usize| {
            let (default, core, requires) = &clauses[n];
            // The base may not require the house.
            let requires: Vec<String> =
                requires.iter().filter(|other| n >= 6 || **other < 6).map(|other| format!("{:?}", id(*other))).collect();
            format!("(id: {:?}, title: \"t\", text: \"t\", effect: Adds, default: {}, core: {core}, requires: [{}])",
                id(n), *default || *core, requires.join(","))
        };
        let group_text = |g: usize| {
            let clauses: Vec<String> = (g * 3..g * 3 + 3).map(text_of).collect();
            format!("(id: \"g{g}\", title: \"t\", default: {}, clauses: [{}])", groups[g], clauses.join(","))
        };
        let mod_text = |name: &str, depends: &str, from: usize| format!(
            "Mod(id: \"{name}\", version: \"1.0.0\", title: \"t\", engine: \"0.1\", depends: [{depends}], groups: [{}, {}])",
            group_text(from), group_text(from + 1));
        let texts = [mod_text("base", "", 0), mod_text("house", "(\"base\", \"^1\")", 2)];
        texts.iter().map(|text| manifest_of(text).unwrap()).map(|m| (m.id.clone(), m)).collect()
    })
}

fn any_part() -> impl Strategy<Value = String> {
    (0usize..12, 0u8..6).prop_map(|(n, form)| {
        let (module, group) = (if n < 6 { "base" } else { "house" }, n / 3);
        match form {
            0 => module.to_string(),
            1 => format!("{module}:g{group}"),
            2 => format!("{module}.g{group}.c{n}"),
            3 => format!("-{module}.g{group}.c{n}"),
            4 => format!("-{module}:g{group}"),
            _ => format!("-!{module}.g{group}.c{n}"),
        }
    })
}

proptest! {
    #[test]
    fn a_line_gives_the_same_again(mods in any_mods(), parts in prop::collection::vec(any_part(), 1..7)) {
        let request = Request::parse(&parts.join(" ")).unwrap();
        if let Ok(first) = request.resolve(&mods) {
            let again = Request::parse(&first.line).unwrap().resolve(&mods);
            let again = again.map_err(|faults| TestCaseError::fail(format!("{}: {faults:?}", first.line)))?;
            prop_assert_eq!(&again.clauses, &first.clauses, "{}", first.line);
            prop_assert_eq!(&again.order, &first.order);
            if request.force_without.is_empty() {
                prop_assert_eq!(&again.line, &first.line);
            }
            for manifest in mods.values().filter(|manifest| first.order.mods.contains(&manifest.id)) {
                for (_, clause) in manifest.clauses().filter(|(_, clause)| first.clauses.contains(&clause.id)) {
                    let is_on = |r: &super::super::manifest::Requirement| match r {
                        super::super::manifest::Requirement::Clause(id) => first.clauses.contains(id),
                        _ => true,
                    };
                    prop_assert!(clause.requires.iter().all(is_on), "{} of {}", clause.id, first.line);
                }
            }
        }
    }

    #[test]
    fn any_line_is_a_request_or_faults(text in "\\PC*|[a-z.:,=!\"\\[ -]*") {
        if let Ok(request) = Request::parse(&text) {
            let _ = request.resolve(&manifests());
            prop_assert_eq!(Request::parse(&request.to_string()), Ok(request));
        }
    }
}

#[test]
fn amended_cells_stand_in_the_line_in_one_order() {
    let active = active("dsii dsii.fire.ranges[RFAC,1].close=10in dsii.fire.dice[\"a b\"].die=d8");
    let line = "dsii dsii.fire.dice[\"a b\"].die=d8 dsii.fire.ranges[RFAC,1].close=10in";
    assert_eq!(active.line, line);
    assert_eq!(Request::parse(line).unwrap().amends, active.amends);
    assert_eq!(active.amends[1].key, ["RFAC", "1"]);
    let twice = self::active(
        "dsii dsii.fire.ranges[RFAC,1].close=10in dsii.fire.ranges[RFAC,1].close=10in",
    );
    assert_eq!(twice.amends.len(), 1);
}

#[test]
fn what_is_no_amended_cell_is_refused_with_its_form() {
    for part in [
        "dsii.fire.ranges[RFAC].=1",
        "ranges[RFAC].close=1",
        "dsii.fire.ranges[].close=1",
        "dsii.a.b[x]=3",
        "dsii.a.b[x].c=",
    ] {
        let found = faults(part);
        assert_eq!(found.len(), 1, "{part}: {found:?}");
        assert_eq!(found[0].0, FaultCode::BadRow, "{part}");
    }
}
