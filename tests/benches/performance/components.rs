//! Rules in components against bare wasmtime, and how soon their code is there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::modset::selector::Request;
use houserule::rulebook::Rulebook;
use houserule::wasm;
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::folder;
use kernel::game::{Game, Guard};
use kernel::rules::Rules;
use kernel::value::{Name, Value};
use kernel::world::Viewer;
use wasmtime::component::{Component, InstancePre, Linker};
use wasmtime::{Config, Engine, Store};

use crate::clock::{Bound, Table, compare, median, nanoseconds, seconds};

const COUNT: u32 = 5_000;

/// The number of `tally.count.twice` among the functions of its component.
const TWICE: u32 = 0;

mod bare {
    wasmtime::component::bindgen!({ path: "../schemas/wit/v1", world: "module" });
}
use bare::houserule::contract::data::{Node, Span};

/// Rules in Luau that call those of components.
const LOOPS: &str = r#"
local both = require("@both")
local loops = require("@loops")
local tally = require("@tally")
function loops.run.twice(game: Reads, count: Integer): Integer
    local sum = 0
    for i = 1, count do
        sum += tally.count.twice(game, i)
    end
    return sum
end
function loops.run.nothing(_game: Reads, count: Integer): Integer
    return count
end
function loops.run.reads(game: Reads, count: Integer): Integer
    return both.play.reads(game, game:get("blue-1"), count)
end
function loops.run.own_reads(game: Reads, count: Integer): Integer
    local piece, sum = game:get("blue-1"), 0
    for _ = 1, count do
        sum += piece.men
    end
    return sum
end
"#;

const MANIFEST: &str = r#"Mod(id: "loops", version: "1.0.0", title: "Loops", engine: "0.1", depends: [("both", "1"), ("tally", "1")])"#;

pub fn measure(table: &mut Table) {
    calls(table);
    loading(table);
}

fn component(name: &str) -> Vec<u8> {
    let rules = fs::read_dir(folder(name).join("rules")).unwrap();
    let mut files = rules.map(|entry| entry.unwrap().path());
    fs::read(
        files
            .find(|path| path.extension().is_some_and(|ending| ending == "wasm"))
            .unwrap(),
    )
    .unwrap()
}

/// The conformance mod, the one in C, and the loops over both.
fn table_with_pieces() -> (Rc<Rulebook>, Game) {
    let files = [("mod.ron", MANIFEST), ("rules/loops.luau", LOOPS)];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    let mods = [
        Sources::read(&folder("conformance")).unwrap(),
        Sources::read(&folder("tally")).unwrap(),
        Sources::from_memory("loops", files),
    ];
    let mods: BTreeMap<Name, Sources> = mods.into_iter().map(|one| (one.id.clone(), one)).collect();
    let (workshop, faults) = Workshop::from_sources(mods);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("both/field").unwrap();
    let overrides = Overrides {
        with: vec!["loops".into()],
        ..Overrides::default()
    };
    let (_, setup) = workshop.prepare(&found, &overrides).unwrap();
    let rulebook = workshop
        .compose(&Request::parse("loops").unwrap())
        .unwrap()
        .rulebook;
    let mut game = setup.game;
    game.set_guard(Guard::answering(Viewer::Referee));
    (rulebook, game)
}

/// A component in bare wasmtime, counting fuel as ours does.
struct Bare {
    engine: Engine,
    ready: InstancePre<()>,
}

impl Bare {
    fn new(bytes: &[u8]) -> Bare {
        let mut config = Config::new();
        config
            .wasm_component_model(true)
            .consume_fuel(true)
            .cranelift_nan_canonicalization(true);
        let engine = Engine::new(&config).unwrap();
        let component = Component::new(&engine, bytes).unwrap();
        let mut linker = Linker::new(&engine);
        linker.define_unknown_imports_as_traps(&component).unwrap();
        Bare {
            ready: linker.instantiate_pre(&component).unwrap(),
            engine,
        }
    }

    fn instance(&self) -> (Store<()>, bare::Module) {
        let mut store = Store::new(&self.engine, ());
        store.set_fuel(u64::MAX).unwrap();
        let instance = self.ready.instantiate(&mut store).unwrap();
        let module = bare::Module::new(&mut store, &instance).unwrap();
        (store, module)
    }
}

fn twice(store: &mut Store<()>, module: &bare::Module, n: i64) {
    let args = vec![Node::Items(Span { first: 1, count: 1 }), Node::Whole(n)];
    black_box(module.call_call(store, TWICE, &args).unwrap().unwrap());
}

fn call(rules: &dyn Rules, game: &mut Game, rule: &str, n: i64) {
    black_box(
        rules
            .call(game, &Name::from(rule), &[Value::Int(n)])
            .unwrap(),
    );
}

fn calls(table: &mut Table) {
    let whats = [
        "call of a rule in a component",
        "  the same with the instance that a step begins with",
        "attribute read from a component",
    ];
    if !whats.iter().any(|what| table.wants(what)) {
        return;
    }
    let (rulebook, mut game) = table_with_pieces();
    // What a call costs that runs.
    rulebook.keep_answers(false);
    let bare = Bare::new(&component("tally"));
    let (mut store, module) = bare.instance();
    let loop_of = |game: &mut Game, name: &str| {
        call(
            &*rulebook,
            game,
            &format!("loops.run.{name}"),
            i64::from(COUNT),
        );
    };
    let (a, b, ratio) = compare(
        COUNT,
        || (1..=i64::from(COUNT)).for_each(|n| twice(&mut store, &module, n)),
        || loop_of(&mut game, "twice"),
    );
    let note = format!("{b:.0} ns from Luau against {a:.0} ns in wasmtime");
    table.add(whats[0], ratio, "x", Bound::AtMost(3.0), &note);
    let (a, b, ratio) = compare(
        500,
        || {
            for n in 0..500 {
                let (mut store, module) = bare.instance();
                twice(&mut store, &module, n);
            }
        },
        || (0..500).for_each(|n| call(&*rulebook, &mut game, "tally.count.twice", n)),
    );
    let note = format!("{b:.0} ns from the kernel against {a:.0} ns in wasmtime");
    table.add(whats[1], ratio, "x", Bound::AtMost(3.0), &note);
    let read = nanoseconds(COUNT, || loop_of(&mut game, "reads"));
    let own = nanoseconds(COUNT, || loop_of(&mut game, "own_reads"));
    table.add(
        whats[2],
        read,
        "ns",
        Bound::AtMost(100.0),
        &format!("{own:.0} ns from Luau"),
    );
}

/// Loads a component in processes of their own, the code of which one has kept.
fn loading(table: &mut Table) {
    let what = "load of a component whose code is kept";
    if !table.wants(what) {
        return;
    }
    let kept =
        std::env::temp_dir().join(format!("houserule-performance-code-{}", std::process::id()));
    let load = || told_by(&["--load".as_ref(), kept.as_os_str()]);
    let first = load();
    let again = median((0..9).map(|_| load()).collect());
    let size = component("conformance").len() / 1000;
    let note = format!("{size} kB; compiled for the first time {first:.0} ms");
    table.add(what, again, "ms", Bound::AtMost(5.0), &note);
    let _ = fs::remove_dir_all(&kept);
}

/// Loads one component and prints how many milliseconds that took.
pub fn load_alone(kept: &Path) {
    check_alone(kept, "both", &component("conformance"));
}

/// Loads a component whose code may be kept, and prints how many milliseconds that took.
pub fn check_alone(kept: &Path, id: &str, bytes: &[u8]) {
    wasm::keep_compiled(kept);
    let path = format!("rules/{id}.wasm");
    println!(
        "{}",
        seconds(|| wasm::check(id, &path, bytes).unwrap()) * 1e3
    );
}

/// What a process of this program says that is given these arguments: milliseconds.
pub fn told_by(args: &[&OsStr]) -> f64 {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(args)
        .output()
        .unwrap();
    let said = String::from_utf8(child.stdout).unwrap();
    said.trim().parse().unwrap()
}
