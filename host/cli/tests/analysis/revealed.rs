//! What is hidden when a game begins and was revealed before a moment of it.

use std::path::Path;

use super::common::{Scratch, copy};

/// What a step reads of all, though it is as it was, is revealed too.
#[test]
fn a_case_reveals_what_all_have_and_the_game_had_revealed() {
    let scratch = Scratch::new();
    let drill = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/drill");
    copy(&drill, &scratch.0.join("own/drill"));
    scratch.edit(
        "own/drill/rules/fire.luau",
        "    local face = game:roll",
        "    local hold = list.count(kinds.Squad.all(game), function(squad)\n        \
         return squad.order == \"hold\"\n    end)\n    local face = hold + game:roll",
    );
    let options = "--bot blue=random --bot red=random --turns 9 --seed 6 --quiet";
    scratch.ok(&format!(
        "--mods own run drill/range {options} --journal e.journal"
    ));
    let said = scratch.run("--mods own record e.journal --at shoots --as shot");
    let event = said
        .out
        .split_whitespace()
        .find_map(|word| word.parse::<u32>().ok())
        .unwrap_or_else(|| panic!("{} {}", said.out, said.err));
    let line = format!("--mods own record e.journal --at {event} --as shot --mod drill");
    let said = scratch.ok(&line);
    assert!(!said.err.contains("no case"), "{}", said.err);
    let case = scratch.read("own/drill/tests/shot.luau");
    let words: Vec<&str> = case.split_whitespace().collect();
    let all = "for _, other in game:entities(\"drill.squad\") do game:reveal(other, \"order\") end";
    assert!(words.join(" ").contains(all), "{case}");
    scratch.ok("--mods own test drill --filter tests/shot.luau");
}

/// A case that set a hidden order and did not reveal it would tell a shot that rests
/// on it to the other side.
#[test]
fn a_case_reveals_what_the_game_had_revealed() {
    let scratch = Scratch::new();
    let drill = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/drill");
    copy(&drill, &scratch.0.join("own/drill"));
    scratch.edit(
        "own/drill/rules/fire.luau",
        "if target.is_down or face",
        "if squad.order == \"hold\" or face",
    );
    let options = "--bot blue=random --bot red=random --turns 9 --seed 6 --quiet";
    scratch.ok(&format!(
        "--mods own run drill/range {options} --journal e.journal"
    ));
    let said = scratch.run("--mods own record e.journal --at fall --as fell");
    let event = said
        .out
        .split_whitespace()
        .find_map(|word| word.parse::<u32>().ok())
        .unwrap_or_else(|| panic!("{} {}", said.out, said.err));
    scratch.ok(&format!(
        "--mods own record e.journal --at {event} --as fell --mod drill"
    ));
    let case = scratch.read("own/drill/tests/fell.luau");
    assert!(case.contains("game:reveal("), "{case}");
    scratch.ok("--mods own test drill --filter tests/fell.luau");
}
