//! What rules in Rust can name is what the mods declare now.
#![cfg(feature = "wasm")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use houserule::bindings::bindings_of;
use houserule::modset::files::Sources;
use houserule::workshop::Workshop;
use houserule_tests::{folder, root};
use kernel::value::Name;

fn workshop(folders: &[PathBuf]) -> Workshop {
    let sources = folders.iter().map(|folder| Sources::read(folder).unwrap());
    let sources: BTreeMap<Name, Sources> = sources
        .map(|sources| (sources.id.clone(), sources))
        .collect();
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

/// The folders of all mods in Rust, with those that they depend on.
fn mods() -> Vec<PathBuf> {
    let shipped = std::fs::read_dir(root().join("mods"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let examples = ["docs/examples/drill", "docs/examples/echo"].map(|path| root().join(path));
    shipped
        .chain(examples)
        .chain(["conformance", "harm"].map(folder))
        .collect()
}

#[test]
fn bindings_are_what_would_be_written_now() {
    let folders = mods();
    let workshop = workshop(&folders);
    let mut seen = 0;
    for folder in folders.iter().filter(|folder| folder.join("rust").is_dir()) {
        let id = Sources::read(folder).unwrap().id;
        let there = std::fs::read_to_string(folder.join("rust/src/bindings.rs")).unwrap();
        let now = bindings_of(&workshop, &id).unwrap();
        assert!(
            there == now,
            "bindings of {id} are stale: houserule types {id} --lang rust"
        );
        seen += 1;
    }
    assert!(seen >= 3, "{seen} mods in Rust");
}

#[test]
fn bindings_follow_what_is_declared() {
    let drill = Sources::read(&root().join("docs/examples/drill")).unwrap();
    let echo = Sources::read(&root().join("docs/examples/echo")).unwrap();
    let id = echo.id.clone();
    let written = |drill: &Sources| {
        let sources = [drill.clone(), echo.clone()].map(|sources| (sources.id.clone(), sources));
        bindings_of(&Workshop::from_sources(sources.into()).0, &id).unwrap()
    };
    let before = written(&drill);
    for part in [
        "    strength: i64,",
        "    order: Order,",
        "pub fn resolve(game: &Draws, squad: Squad, target: Squad) -> crate::bindings::drill::fire::Outcome;",
        "pub const NEEDED: Setting<i64> = Setting::new(\"drill.fire.needed\");",
        "pub const FALL_IN: Clause = Clause::new(\"echo.rally.fall-in\");",
    ] {
        assert!(before.contains(part), "{part}: {before}");
    }
    let mut renamed = drill.clone();
    let data = renamed
        .as_written("data/drill.ron")
        .unwrap()
        .replace("\"strength\"", "\"men\"")
        .replace("strength:", "men:");
    let rules = |path: &str| {
        renamed
            .as_written(path)
            .unwrap()
            .replace(".strength", ".men")
            .replace("strength =", "men =")
    };
    let files = [
        ("rules/fire.luau", rules("rules/fire.luau")),
        ("rules/orders.luau", rules("rules/orders.luau")),
    ];
    files
        .iter()
        .for_each(|(path, text)| renamed.put(path, text));
    renamed.put("data/drill.ron", &data);
    let after = written(&renamed);
    assert!(
        after.contains("    men: i64,") && !after.contains("strength"),
        "{after}"
    );
}

/// Records that belong to no chapter stand where the mod begins.
#[test]
fn records_of_a_whole_mod_find_what_they_are_made_of() {
    let text = bindings_of(&workshop(&mods()), &"iceburg".into()).unwrap();
    let (_, dsii) = text.split_once("\npub mod dsii {\n").unwrap();
    let (before, _) = dsii.split_once("    pub mod ").unwrap();
    assert!(
        before.contains("#[record(\"dsii."),
        "no record of the mod itself: {before}"
    );
    assert!(
        before.starts_with("    use crate::bindings::known::*;\n"),
        "{before}"
    );
}

/// What only the rules of a mod declare is not needed for its bindings, and its
/// types are those of Rust.
#[test]
fn bindings_come_before_the_rules() {
    let [drill, mut echo] = ["drill", "echo"]
        .map(|name| Sources::read(&root().join("docs/examples").join(name)).unwrap());
    echo.put(
        "data/post.ron",
        r#"[
    Kind(id: "echo.post", title: "Post", attributes: [
        (name: "is_manned", type: "bool", doc: "somebody is there", until: (begins: "echo.rally.muster")),
        (name: "last", type: "echo.rally.tally?", doc: "what was counted last"),
        (name: "all", type: "list(echo.rally.tally)", doc: "what was counted"),
    ]),
    Event(id: "echo.rally.counted", heading: "count", text: "{post} is counted", fields: "post: entity(echo.post), tally: echo.rally.tally"),
]"#,
    );
    let id = echo.id.clone();
    let sources = [drill, echo].map(|sources| (sources.id.clone(), sources));
    let text = bindings_of(&Workshop::from_sources(sources.into()).0, &id).unwrap();
    for part in [
        "    is_manned: bool,",
        "    last: Option<crate::rally::Tally>,",
        "    all: Vec<crate::rally::Tally>,",
        "    pub tally: crate::rally::Tally,",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// House rules in Rust change what actions, reactions and automatic phases do.
#[test]
fn rules_of_actions_and_phases_have_names() {
    let mut sources: BTreeMap<Name, Sources> = BTreeMap::new();
    let both = Sources::read(&folder("conformance")).unwrap();
    sources.insert(both.id.clone(), both);
    let manifest = r#"Mod(id: "club", version: "1.0.0", title: "Club", engine: "0.1", depends: [("both", "1")])"#;
    let club = [("mod.ron".to_string(), manifest.into())].into();
    sources.insert("club".into(), Sources::from_memory("club", club));
    let text = bindings_of(&Workshop::from_sources(sources).0, &"club".into()).unwrap();
    for part in [
        "#[rule(\"both.play.strike.perform\")]",
        "pub fn strike_perform(game: &Acts, actor: Piece, params: &Record);",
        "pub fn strike_allowed(game: &Reads, actor: Piece) -> Verdict;",
        "pub fn counter_perform(game: &Acts, actor: Piece, window: &crate::bindings::both::play::Aimed, params: &Record);",
        "pub fn dusk_run(game: &Acts);",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
