//! What mods add to enums and records that a component was built without, and
//! what it asks: told of who adds it.

use std::collections::BTreeMap;
use std::sync::Arc;

use houserule::{LintRequest, Looker};
use kernel::error::{Fault, FaultCode};
use kernel::value::Name;

use super::{Files, attack, file, in_rust, started, workshop};

/// The mod in Rust, with the words of its table as an enum that others extend.
fn with_enum() -> Files {
    let mut files = in_rust();
    let data = files["data/both.ron"].replace("\"open|wood|lake\"", "\"both.ground\"");
    let data = data.replacen(
        '[',
        "[\n    Enum(id: \"both.ground\", values: [\"open\", \"wood\", \"lake\"]),",
        1,
    );
    files.insert("data/both.ron".into(), data.into());
    files
}

fn over(id: &str, more: &[(&str, &str)]) -> Files {
    let manifest = format!(
        "Mod(id: \"{id}\", version: \"1.0.0\", title: \"{id}\", engine: \"0.1\", depends: [(\"both\", \"1\")])"
    );
    let mut files: Files = [file("mod.ron", &manifest)].into();
    files.extend(more.iter().map(|(path, text)| file(path, text)));
    files
}

const MUD: &str = "[
    Extend(enum: \"both.ground\", values: [(name: \"mud\")]),
    Amend(table: \"both.play.costs\", add: [(\"mud\", 3, \"2in\")]),
]";

const LOOK: &str = r#"--!strict
local both = require("@both")
local bog = require("@bog")
local rules = require("@rules")
bog.play.look = rules.action { phase = "both.play.turn" }
function bog.play.look_perform(game: Acts, _side: string, _params: any)
    local all = both.kinds.Piece.all(game)
    both.play.survey(game, all[1], all[2])
end
"#;

/// What a look at mods finds: what is wrong, and what could be better.
fn looked(mods: Vec<Files>, module: &str) -> (Vec<Fault>, Vec<Fault>) {
    let workshop = workshop(mods);
    let mut looker = Looker::default();
    let set = vec![vec![Name::from(module)]];
    let found = looker.look(&workshop, &set, LintRequest::default());
    (found, looker.warnings().to_vec())
}

#[test]
fn a_word_that_a_component_does_not_know_is_told_with_its_mod() {
    let bog = over("bog", &[("data/mud.ron", MUD), ("rules/bog.luau", LOOK)]);
    let table = workshop([with_enum(), bog.clone()]);
    let mut game = started(&table, "both/field", &["bog"]).unwrap();
    let fault = attack(&mut game, "bog.play.look").unwrap();
    assert_eq!(fault.code, FaultCode::WrongType, "{fault}");
    let place = fault.place.clone().unwrap();
    assert_eq!(
        (&*place.module, &*place.file),
        ("both", "rust/src/survey.rs"),
        "{fault}"
    );
    let hint = fault.hint.clone().unwrap_or_default();
    assert!(
        hint.contains("mod `bog` adds `mud` to `both.ground`"),
        "{hint}"
    );
    let (_, warnings) = looked(vec![with_enum(), bog], "bog");
    let told: Vec<&Fault> = warnings
        .iter()
        .filter(|fault| fault.code == FaultCode::WrongType)
        .collect();
    assert_eq!(told.len(), 1, "{warnings:?}");
    assert!(told[0].message.contains("`both.ground`") && told[0].message.contains("`mud`"));
}

#[test]
fn a_field_that_a_component_drops_is_told() {
    let data = "[Extend(record: \"both.play.outcome\", fields: \"lucky: bool?\")]";
    let (_, warnings) = looked(
        vec![in_rust(), over("luck", &[("data/luck.ron", data)])],
        "luck",
    );
    assert!(
        warnings
            .iter()
            .any(|fault| fault.message.contains("`both.play.outcome`")
                && fault.message.contains("`both.play.resolve`")),
        "{warnings:?}"
    );
}

const SUM: &str = "--!strict
-- One more.
rules.wrap(both.play.sum, {}, function(base, game, a, b)
    return base(game, a, b) + 1
end)
";

#[test]
fn questions_of_a_component_are_known_and_others_are_not() {
    let case = |id: &str| {
        format!(
            "--!strict\n\ntest.case(\"x\", {{ cites = {{}} }}, function(t)\n    t:scenario(\"both/field\")\n    \
             t:give(\"red\", \"{id}\", true)\nend)\n"
        )
    };
    let found = |id: &str| {
        let files = over(
            "club",
            &[("rules/sum.luau", SUM), ("tests/x.luau", &case(id))],
        );
        let own = in_rust()
            .into_iter()
            .chain([file("tests/x.luau", &case(id))]);
        [
            looked(vec![in_rust(), files], "club").0,
            looked(vec![own.collect::<BTreeMap<String, Arc<str>>>()], "both").0,
        ]
    };
    let is_unknown = |fault: &Fault| fault.code == FaultCode::UnknownRule;
    for found in found("both.play.give_way") {
        assert!(!found.iter().any(is_unknown), "{found:?}");
    }
    for found in found("both.play.give_wy") {
        assert!(found.iter().any(is_unknown), "{found:?}");
    }
}

const GATED: &str = r#"--!strict
local gate = require("@gate")
local rules = require("@rules")

--- [bonus]
function gate.play.extra(_game: Reads): Integer
    return 1
end

function gate.play.begin(_game: Acts)
end

--- [bonus]
gate.play.early = rules.phase { automatic = gate.play.begin }
gate.play.start = rules.phase { automatic = gate.play.begin }
gate.play.all = rules.phase { root = true, sequence = { gate.play.start, gate.play.early } }

rules.wrap(gate.play.extra, "play.always", function(base, game)
    return base(game) + 1
end)
"#;

#[test]
fn what_is_named_while_its_clause_is_off_is_told_by_the_clause() {
    let manifest = r#"Mod(id: "gate", version: "1.0.0", title: "Gate", engine: "0.1", groups: [
        Group(id: "play", title: "Play", clauses: [
            Clause(id: "gate.play.always", title: "Always", text: "Always.", source: "p. 1", effect: Adds),
            Clause(id: "gate.play.bonus", title: "Bonus", text: "More.", source: "p. 2", effect: Adds, default: false),
        ]),
    ])"#;
    let files: Files = [file("mod.ron", manifest), file("rules/play.luau", GATED)].into();
    let workshop = workshop([files]);
    let request = houserule::modset::selector::Request::parse("gate").unwrap();
    let faults = workshop.compose(&request).map(|_| ()).unwrap_err();
    let told = |code: FaultCode| {
        let fault = faults.iter().find(|fault| fault.code == code);
        let fault = fault.unwrap_or_else(|| panic!("{faults:?}"));
        (
            fault.message.clone(),
            fault.hint.clone().unwrap_or_default(),
        )
    };
    let (message, hint) = told(FaultCode::UnknownPhase);
    assert!(message.contains("`gate.play.bonus`"), "{message}");
    assert!(hint.contains("after = \"gate.play.start\""), "{hint}");
    let (message, hint) = told(FaultCode::UnknownRule);
    assert!(
        message.contains("cannot wrap `gate.play.extra`") && message.contains("`gate.play.bonus`"),
        "{message}"
    );
    assert!(hint.contains("[gate.play.bonus else …]"), "{hint}");
}

#[test]
fn the_id_of_a_rule_of_an_action_is_told_its_name() {
    let wrapped = |named: &str| {
        let rules = format!(
            "--!strict\nlocal both = require(\"@both\")\nlocal rules = require(\"@rules\")\n\
             rules.wrap({named}, {{}}, function(base, game, actor, params)\n    base(game, actor, params)\nend)\n"
        );
        let table = workshop([in_rust(), over("again", &[("rules/again.luau", &rules)])]);
        let faults = started(&table, "both/field", &["again"]).map(|_| ());
        let faults = faults.err().unwrap_or_default();
        let hints = faults.iter().filter_map(|fault| fault.hint.clone());
        hints.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(wrapped("both.play.strike_perform"), "");
    for named in ["both.play.strike.perform", "\"both.play.strike.perform\""] {
        let hint = wrapped(named);
        assert!(
            hint.contains("`both.play.strike_perform`"),
            "{named}: {hint}"
        );
    }
}
