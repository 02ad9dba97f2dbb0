//! What is compiled for the commands of the README.

use std::collections::BTreeMap;
use std::process::Command;

use houserule_tests::root;

/// What cargo would compile for a command: one name a unit, which tells its
/// package, its features, how it is compiled, and the same of all below it.
///
/// The same package with the same features is still compiled twice where what it
/// is built on differs. Only the graph of units tells that, which cargo shows to
/// those who ask as its own developers do.
fn units(arguments: &[&str]) -> BTreeMap<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).args([
        "--locked",
        "--offline",
        "--unit-graph",
        "-Z",
        "unstable-options",
    ]);
    command.env("RUSTC_BOOTSTRAP", "1").current_dir(root());
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let graph: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let graph = graph["units"].as_array().unwrap();
    let mut names = BTreeMap::new();
    for unit in 0..graph.len() {
        unit_name(graph, unit, &mut names);
    }
    let described = |unit: usize| format!("{} {}", graph[unit]["pkg_id"], graph[unit]["features"]);
    names
        .into_iter()
        .map(|(unit, name)| (name, described(unit)))
        .collect()
}

/// The name of one unit of the graph, made of what it is and the names below it.
fn unit_name(
    graph: &[serde_json::Value],
    unit: usize,
    names: &mut BTreeMap<usize, String>,
) -> String {
    if let Some(name) = names.get(&unit) {
        return name.clone();
    }
    let mut content = graph[unit].clone();
    // Two profiles of other names that ask the same give the same.
    content["profile"]["name"] = serde_json::Value::Null;
    for below in content["dependencies"].as_array_mut().unwrap() {
        let index = below["index"].as_u64().unwrap() as usize;
        below["index"] = unit_name(graph, index, names).into();
    }
    let name = blake3::hash(content.to_string().as_bytes()).to_string();
    names.insert(unit, name.clone());
    name
}

/// `cargo run` compiles nothing that `cargo test --workspace` has not compiled,
/// or wasmtime would be compiled twice.
#[test]
fn what_runs_is_compiled_for_the_tests_already() {
    let run = units(&["build"]);
    let tests = units(&["test", "--workspace", "--no-run"]);
    let others: Vec<_> = run
        .iter()
        .filter(|(name, _)| !tests.contains_key(*name))
        .collect();
    assert!(
        others.is_empty(),
        "compiled for `cargo run` alone: {others:#?}"
    );
    assert!(run.len() > 300, "{} units", run.len());
}
