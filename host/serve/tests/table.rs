//! The table in a browser, by its own tests: what node runs without a browser,
//! and with one what a page does with a server that the test plays.
//!
//! Games against the program take minutes, and are left to
//! `npm run test:browser`. What is left out here is said.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests stop where they go wrong"
)]

use std::path::PathBuf;
use std::process::Command;

fn table() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/table"))
}

/// Why the tests cannot be run here, if they cannot.
fn left_out() -> Option<&'static str> {
    let has_node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|ran| ran.status.success());
    match has_node {
        false => Some("there is no node"),
        true if !table().join("node_modules").exists() => {
            Some("`npm ci` was not run in host/serve/table")
        }
        true => None,
    }
}

fn run(words: &[&str]) {
    if let Some(why) = left_out() {
        eprintln!("left out: {why}");
        return;
    }
    let ran = Command::new("node")
        .args(words)
        .current_dir(table())
        .output()
        .unwrap();
    let output = [ran.stdout, ran.stderr].concat();
    let output = String::from_utf8_lossy(&output);
    assert!(ran.status.success(), "node {}:\n{output}", words.join(" "));
    output
        .lines()
        .filter(|line| line.contains("# SKIP"))
        .for_each(|line| eprintln!("left out: {line}"));
}

#[test]
fn what_the_table_knows_without_a_browser() {
    run(&["scripts/test.mjs", "unit"]);
}

#[test]
fn what_the_table_does_in_a_browser() {
    run(&["scripts/test.mjs", "browser", "table"]);
}
