//! Mods that are components: the same rules in two languages leave the same
//! state, rules of three languages wrap each other, and components that mean
//! harm are contained.
#![cfg(feature = "wasm")]

#[path = "components/added.rs"]
mod added;
#[path = "components/by_hand.rs"]
mod by_hand;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::play::{Match, SubmitError};
use houserule::testing::{Filter, run_suite};
use houserule::wasm::{pack, run_whole, source_hash, source_hash_in};
use houserule::workshop::{Found, Overrides, Workshop};
use houserule_tests::{folder, root};
use kernel::decision::Input;
use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Side, Value};
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

type Files = BTreeMap<String, Arc<str>>;

/// The files of the conformance mod, with its rules in Rust.
fn in_rust() -> Files {
    Sources::read(&folder("conformance")).unwrap().to_files()
}

/// The same with its rules in Luau.
fn in_luau() -> Files {
    let mut files = in_rust();
    files.retain(|path, _| !path.ends_with(".wasm"));
    let rules = std::fs::read_to_string(folder("conformance/luau/both.luau")).unwrap();
    files.insert("rules/both.luau".into(), rules.into());
    files
}

fn workshop(mods: impl IntoIterator<Item = Files>) -> Workshop {
    let sources = mods
        .into_iter()
        .map(|files| Sources::from_memory("mod", files));
    let sources: BTreeMap<Name, Sources> = sources
        .map(|sources| (sources.id.clone(), sources))
        .collect();
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn started(workshop: &Workshop, scenario: &str, with: &[&str]) -> Result<Match, Vec<Fault>> {
    let found: Found = workshop.scenario(scenario)?;
    let overrides = Overrides {
        with: with.iter().map(|text| text.to_string()).collect(),
        ..Overrides::default()
    };
    workshop.start(&found, &overrides).map(|(game, _)| game)
}

fn file(path: &str, text: &str) -> (String, Arc<str>) {
    (path.to_string(), Arc::from(text))
}

#[test]
fn both_languages_leave_the_same_state() {
    let hashes = [in_rust(), in_luau()].map(|files| {
        let workshop = workshop([files]);
        let results = run_suite(&workshop, &Filter::default(), None, &|_| ());
        assert!(results.len() >= 3, "cases and a golden");
        for result in &results {
            assert!(result.failure.is_none(), "{:?}", result.failure);
        }
        let mut game = started(&workshop, "both/duel", &[]).unwrap();
        let start = game.hash();
        let waiting = strike(&mut game);
        (start, waiting, game.hash(), format!("{:?}", game.events()))
    });
    assert_eq!(hashes[0].0, hashes[1].0, "at the start");
    assert_eq!(hashes[0].1, hashes[1].1, "in the middle of a question");
    assert_eq!(hashes[0].2, hashes[1].2, "at the end");
    assert_eq!(hashes[0].3, hashes[1].3, "what happened");
}

/// A blow, and the answer to the question that it asks; gives the hash of the
/// state in between.
fn strike(game: &mut Match) -> String {
    let act = |game: &mut Match, input: Input| {
        game.submit(&input)
            .map(|_| ())
            .unwrap_or_else(|no| panic!("{no}"))
    };
    let world = game.game().world();
    let (blue, red) = (world.find("blue-1").unwrap(), world.find("red-1").unwrap());
    let params = Value::record([("target", Value::Entity(red)), ("force", Value::Int(7))]);
    let action = "both.play.strike".into();
    act(
        game,
        Input::Act {
            by: Side(0),
            action,
            actor: Some(blue),
            params,
        },
    );
    let waiting = format!("{:?}", game.hash());
    let Wanted::Answer { question, .. } = game.wanted() else {
        panic!("{:?}", game.wanted())
    };
    act(
        game,
        Input::Answer {
            by: Side(1),
            question: question.id.clone(),
            value: Value::Bool(false),
        },
    );
    waiting
}

/// The functions of the contract that a component imports: `hexes.ring`.
fn imported(bytes: &[u8]) -> BTreeSet<String> {
    let engine = Engine::default();
    let component = Component::new(&engine, bytes).unwrap();
    let ty = component.component_type();
    let mut found = BTreeSet::new();
    for (name, item) in ty.imports(&engine) {
        let ComponentItem::ComponentInstance(instance) = item.ty else {
            continue;
        };
        let interface = name
            .trim_start_matches("houserule:contract/")
            .trim_end_matches("@1.0.0");
        for (function, item) in instance.exports(&engine) {
            if matches!(item.ty, ComponentItem::ComponentFunc(_)) {
                found.insert(format!("{interface}.{function}"));
            }
        }
    }
    found
}

/// The functions that the contract has.
fn published() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("schemas/wit/v1")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut interface = None;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("interface ") {
                interface = rest.split_whitespace().next();
            } else if line.starts_with('}') {
                interface = None;
            } else if let (Some(interface), Some((name, _))) =
                (interface, line.split_once(": func("))
            {
                found.insert(format!(
                    "{interface}.{}",
                    name.trim().trim_start_matches('%')
                ));
            }
        }
    }
    found
}

#[test]
fn the_conformance_mod_leaves_nothing_of_the_contract_out() {
    let mut used = imported(&std::fs::read(folder("conformance/rules/both.wasm")).unwrap());
    // A mod in C cannot run its own functions in the place of a call.
    used.extend(imported(
        &std::fs::read(folder("tally/rules/tally.wasm")).unwrap(),
    ));
    let all = published();
    assert!(all.len() > 80, "{} functions", all.len());
    let left: Vec<&String> = all.difference(&used).collect();
    assert!(left.is_empty(), "not used: {left:?}");
}

/// A mod in Luau that wraps what is under it, with a step that calls it.
const OUTER: &str = r#"
local both = require("@both")
local outer = require("@outer")
local rules = require("@rules")
outer.play.told = rules.event { heading = "told", text = "{n}", fields = "n: integer" }
rules.wrap(both.play.sum, { before = { "tally" } }, function(base, game, a, b)
    return base(game, a, b) + 10
end)
rules.wrap(both.play.asked, { before = { "tally" } }, function(base, game, n)
    return base(game, n) + base(game, n) + 10
end)
outer.play.go = rules.action { phase = "both.play.turn" }
function outer.play.go_perform(game: Acts, _side: string, _params: any)
    game:emit("outer.play.told", { n = game:call("both.play.sum", 1, 2) })
    game:emit("outer.play.told", { n = game:call("both.play.asked", game:call("tally.count.twice", 4)) })
end
"#;

fn outer(rules: &str) -> Files {
    let manifest = r#"Mod(id: "outer", version: "1.0.0", title: "Outer", engine: "0.1", depends: [("both", "1"), ("tally", "1")])"#;
    [file("mod.ron", manifest), file("rules/outer.luau", rules)].into()
}

#[test]
fn three_languages_wrap_each_other_around_a_question() {
    let tally = Sources::read(&folder("tally")).unwrap().to_files();
    let play = |both: Files| {
        let workshop = workshop([both, tally.clone(), outer(OUTER)]);
        let mut game = started(&workshop, "both/field", &["tally", "outer"]).unwrap();
        let params = Value::Map(Arc::default());
        game.submit(&Input::Act {
            by: Side(0),
            action: "outer.play.go".into(),
            actor: None,
            params,
        })
        .unwrap();
        for yes in [true, false] {
            let Wanted::Answer { question, .. } = game.wanted() else {
                panic!("{:?}", game.wanted())
            };
            let answer = Input::Answer {
                by: Side(1),
                question: question.id.clone(),
                value: Value::Bool(yes),
            };
            game.submit(&answer).unwrap();
        }
        let events = game.events();
        let emitted = events
            .iter()
            .filter(|event| &*event.kind == "outer.play.told");
        let numbers: Vec<i64> = emitted
            .filter_map(|event| event.fields[0].value.as_int())
            .collect();
        (numbers, game.hash())
    };
    let (rust, luau) = (play(in_rust()), play(in_luau()));
    // 1 + 2 in the base, one more, ten more in Luau, a hundred more in C; then
    // 8 and -8 in the base.
    assert_eq!(rust.0, [3 + 1 + 10 + 100, 10 + 100]);
    assert_eq!(rust, luau);
}

#[test]
fn components_are_as_new_as_their_sources() {
    let mut seen = 0;
    let mut check = |folder: &Path, source: &str| {
        for entry in std::fs::read_dir(folder.join("rules"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "wasm") {
                let bytes = std::fs::read(&path).unwrap();
                let built_from = source_hash_in(&bytes).unwrap();
                let there = source_hash(&folder.join(source)).unwrap();
                assert_eq!(
                    built_from,
                    there,
                    "{} is older than its source: houserule build",
                    path.display()
                );
                seen += 1;
            }
        }
    };
    check(&folder("conformance"), "rust");
    check(&folder("harm"), "rust");
    check(&folder("tally"), "c");
    check(&root().join("docs/examples/echo"), "rust");
    for entry in std::fs::read_dir(root().join("mods")).unwrap().flatten() {
        check(&entry.path(), "rust");
    }
    assert!(seen >= 2);
}

/// The fault with which a mod `bad` with that component does not load.
fn refused(bytes: &[u8]) -> Fault {
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let manifest = r#"Mod(id: "bad", version: "1.0.0", title: "Bad", engine: "0.1", depends: [("both", "1")])"#;
    let bad = [file("mod.ron", manifest), file("rules/bad.wasm", &text)].into();
    let workshop = workshop([in_luau(), bad]);
    let faults = started(&workshop, "both/field", &["bad"])
        .map(|_| ())
        .unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    let place = faults[0].place.clone().unwrap();
    assert_eq!((&*place.module, &*place.file), ("bad", "rules/bad.wasm"));
    faults[0].clone()
}

#[test]
fn what_is_no_component_of_the_contract_is_refused() {
    let good = std::fs::read(folder("tally/rules/tally.wasm")).unwrap();
    let cases: [(&str, Vec<u8>, &str); 5] = [
        (
            "text",
            b"(component)".to_vec(),
            "expected a WebAssembly component",
        ),
        (
            "a module",
            b"\0asm\x01\0\0\0".to_vec(),
            "expected a WebAssembly component",
        ),
        (
            "cut off",
            good[..good.len() / 2].to_vec(),
            "expected a valid component",
        ),
        (
            "empty",
            b"\0asm\x0d\0\x01\0".to_vec(),
            "keeps to the contract",
        ),
        (
            "another version",
            replaced(&good, b"@1.0.0", b"@7.0.0"),
            "keeps to the contract",
        ),
    ];
    for (name, bytes, expected) in cases {
        let fault = refused(&bytes);
        assert_eq!(fault.code, FaultCode::BadComponent, "{name}: {fault}");
        assert!(fault.message.contains(expected), "{name}: {fault}");
    }
    // What imports something else is no component of ours, nor becomes one.
    let alien = replaced(
        &good,
        b"houserule:contract/calls",
        b"wasi-like:clock/calls-ab",
    );
    assert_eq!(refused(&alien).code, FaultCode::BadComponent);
    assert_eq!(
        pack(b"no module", &source_hash(&folder("tally/c")).unwrap())
            .unwrap_err()
            .code,
        FaultCode::BadComponent
    );
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    bytes
}

/// Takes an action without an actor; the fault if it met one.
fn attack(game: &mut Match, action: &str) -> Option<Fault> {
    let params = Value::Map(Arc::default());
    match game.submit(&Input::Act {
        by: Side(0),
        action: action.into(),
        actor: None,
        params,
    }) {
        Ok(_) => None,
        Err(SubmitError::Fault { fault, .. }) => Some(fault),
        Err(other) => panic!("{action}: {other}"),
    }
}

/// What harm is met with, whatever language the rules are in that it calls.
fn contained(both: Files) {
    let workshop = workshop([both, Sources::read(&folder("harm")).unwrap().to_files()]);
    let mut game = started(&workshop, "both/field", &["harm"]).unwrap();
    let expected = [
        ("harm.do.loop", FaultCode::TooLong),
        ("harm.do.grow", FaultCode::TooMuchMemory),
        ("harm.do.deep", FaultCode::TooDeep),
        ("harm.do.nested", FaultCode::TooDeep),
        ("harm.do.flood", FaultCode::TooLong),
        ("harm.do.huge", FaultCode::Script),
        ("harm.do.parts", FaultCode::WrongType),
        ("harm.do.trap", FaultCode::Script),
        ("harm.do.write_then_trap", FaultCode::Script),
        ("harm.do.forge", FaultCode::NoSuchEntity),
        ("harm.do.late", FaultCode::NotAllowed),
        ("harm.do.base", FaultCode::NotAllowed),
        ("harm.do.leave", FaultCode::NotAllowed),
        ("harm.do.stay", FaultCode::NotAllowed),
        ("harm.do.unknown", FaultCode::UnknownRule),
        ("harm.do.many", FaultCode::WrongType),
        ("harm.do.wrong", FaultCode::WrongType),
        ("harm.do.many_under", FaultCode::WrongType),
        ("harm.do.wrong_under", FaultCode::WrongType),
    ];
    let known = Rc::clone(game.rulebook());
    let own = known
        .book()
        .actions
        .keys()
        .filter(|id| id.starts_with("harm."));
    assert_eq!(own.count(), expected.len());
    for (action, code) in expected {
        let before = (
            game.hash(),
            game.events(),
            game.inputs().to_vec(),
            game.wanted(),
        );
        let fault = attack(&mut game, action).unwrap_or_else(|| panic!("{action} goes through"));
        assert_eq!(fault.code, code, "{action}: {fault}");
        assert_eq!(
            fault.place.as_ref().map(|place| &*place.module),
            Some("harm"),
            "{action}: {fault}"
        );
        let after = (
            game.hash(),
            game.events(),
            game.inputs().to_vec(),
            game.wanted(),
        );
        assert_eq!(before, after, "{action} has changed the match");
    }
}

#[test]
fn harm_is_contained() {
    contained(in_rust());
    contained(in_luau());
}

/// What work gives with components run as they are, and with the module in them
/// run by itself.
fn both_ways<T>(work: impl Fn() -> T) -> [T; 2] {
    let whole = {
        run_whole(true);
        let outcome = work();
        run_whole(false);
        outcome
    };
    [whole, work()]
}

#[test]
fn a_module_by_itself_does_what_its_component_does() {
    let [whole, direct] = both_ways(|| {
        let workshop = workshop([in_rust()]);
        let results = run_suite(&workshop, &Filter::default(), None, &|_| ());
        assert!(results.iter().all(|result| result.failure.is_none()));
        let game = workshop.scenario("both/duel").unwrap();
        let (mut game, _) = workshop.start(&game, &Overrides::default()).unwrap();
        strike(&mut game);
        (game.hash(), format!("{:?}", game.events()))
    });
    assert_eq!(whole, direct);
    run_whole(true);
    contained(in_rust());
    run_whole(false);
}

/// Rules in Luau that hand rules of components other arguments than they take.
const MISCALLS: &str = r#"
local both = require("@both")
local rules = require("@rules")
local call: any = function(game: any, ...: any) return game:call(...) end
local function act(id: string, perform: any)
    rules.action { id = id, phase = "both.play.turn", perform = perform }
end
act("outer.play.many", function(game) call(game, "both.play.sum", 1, 2, 3) end)
act("outer.play.wrong", function(game) call(game, "both.play.sum", 1, "two") end)
rules.wrap(both.play.asked, {}, function(base: any, game, n)
    return if n == 1 then base(game, n, 2) else base(game, "many")
end)
act("outer.play.many_under", function(game) call(game, "both.play.asked", 1) end)
act("outer.play.wrong_under", function(game) call(game, "both.play.asked", 2) end)
"#;

#[test]
fn a_component_gets_what_its_signature_lists_and_nothing_else() {
    let tally = Sources::read(&folder("tally")).unwrap().to_files();
    let workshop = workshop([in_rust(), tally, outer(MISCALLS)]);
    let mut game = started(&workshop, "both/field", &["outer"]).unwrap();
    let start = game.hash();
    for (action, expected) in [
        (
            "outer.play.many",
            "no more than 2 arguments after the game, found one more, the number 3",
        ),
        (
            "outer.play.wrong",
            "argument `b`: expected integer, found the text `two`",
        ),
        (
            "outer.play.many_under",
            "no more than 1 argument after the game, found one more, the number 2",
        ),
        (
            "outer.play.wrong_under",
            "argument `n`: expected integer, found the text `many`",
        ),
    ] {
        let fault = attack(&mut game, action).unwrap_or_else(|| panic!("{action} goes through"));
        assert_eq!(fault.code, FaultCode::WrongType, "{action}: {fault}");
        assert!(fault.message.contains(expected), "{action}: {fault}");
        let place = fault.place.clone().unwrap();
        assert_eq!(
            (&*place.module, &*place.file),
            ("outer", "rules/outer.luau"),
            "{fault}"
        );
        assert_eq!(game.hash(), start);
    }
}
