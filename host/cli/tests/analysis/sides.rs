//! What is said of one of two sides belongs to that side: options of mods that only one
//! has, journals that were played with a house rule, revisions that only one repository
//! has, decisions about what is no longer there.

use std::process::Command;

use super::common::{Ran, Scratch, copy};

/// A house rule with options of its own: shots miss where the bonus is too great, or far
/// is too near.
fn lucky(scratch: &Scratch, folder: &str) {
    scratch.write(
        &format!("{folder}/lucky/mod.ron"),
        "Mod(id: \"lucky\", version: \"1.0.0\", title: \"Lucky\", engine: \"0.1\", depends: [(\"duel\", \"^1\")], \
         groups: [Group(id: \"aim\", title: \"Aim\", clauses: [Clause(id: \"lucky.aim.luck\", title: \"Luck\", \
         text: \"It is so.\", source: \"us\", effect: Changes)])], options: [\
         Option(id: \"lucky.aim.bonus\", title: \"Bonus\", text: \"How much.\", type: \"integer 0..3\", default: 1), \
         Option(id: \"lucky.aim.far\", title: \"Far\", text: \"How far.\", type: \"length\", default: \"10in\")])",
    );
    scratch.write(
        &format!("{folder}/lucky/rules/aim.luau"),
        "--!strict\nlocal duel = require(\"@duel\")\nlocal rules = require(\"@rules\")\n\
         rules.wrap(duel.fire.hits, \"aim.luck\", function(base, game, shooter, target)\n    \
         local hit = base(game, shooter, target)\n    \
         if game:option(\"lucky.aim.bonus\") > 1 or game:option(\"lucky.aim.far\") < rules.inches(2) then\n        \
         return false\n    end\n    return hit\nend)\n",
    );
}

/// Runs a command with one more argument that has spaces in it.
fn with_words(scratch: &Scratch, line: &str, words: &str) -> Ran {
    Ran::of(scratch.command(line).arg(words).output().unwrap())
}

// ---- bisect --------------------------------------------------------------------

#[test]
fn options_of_a_mod_that_only_the_bad_rules_have_are_a_change_too() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch
        .ok("bisect --case duel/four --bad lucky --bad-option lucky.aim.bonus=2")
        .says(&[
            "lucky.aim.bonus is 2, was 1",
            "it passes",
            "found in 3 runs among 2 changes",
        ]);
    // What is as usual is no change.
    scratch
        .fails(
            1,
            "bisect --case duel/four --bad lucky --bad-option lucky.aim.bonus=1",
        )
        .says(&["found that they are good: it passes"]);
}

#[test]
fn an_option_that_is_a_length_is_tried_as_it_is_typed() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch
        .ok("bisect --case duel/four --good lucky --bad lucky --bad-option lucky.aim.far=3cm")
        .says(&["lucky.aim.far is 3cm, was 10in", "it passes"]);
}

// ---- done before it is known that it is in vain ------------------------------------

#[test]
fn what_cannot_be_kept_is_not_played_first() {
    let scratch = Scratch::new();
    // So many games would take hours.
    scratch
        .fails(1, "simulate noon --games 1000000 --out nowhere/x.csv")
        .says(&["cannot write nowhere/x.csv"]);
    scratch
        .fails(
            1,
            "impact snipers --scenario noon --games 1000000 --out nowhere/x.html",
        )
        .says(&["cannot write nowhere/x.html"]);
    assert!(!scratch.0.join("nowhere").exists());
    // Before the journal is read which is not there either.
    scratch
        .fails(
            1,
            "record none.journal --at 1 --as noon --mod duel --golden",
        )
        .says(&["there is such a file already"]);
    scratch
        .fails(1, "record none.journal --at 1 --as fire --mod duel")
        .says(&["there is such a file already"]);
}

#[test]
fn shards_of_broken_games_fail_as_their_run_does() {
    let scratch = Scratch::new();
    lucky(&scratch, "mods");
    scratch.edit("mods/lucky/rules/aim.luau", "return hit", "error(\"boom\")");
    scratch.fails(1, "simulate noon --with lucky --games 2 --out x.jsonl");
    scratch
        .fails(1, "simulate --merge x.jsonl")
        .says(&["broke off"]);
    for more in [
        "--games 3",
        "--seed 3",
        "--with lucky",
        "--turns 3",
        "--bot blue=greedy",
    ] {
        scratch
            .fails(2, &format!("simulate --merge x.jsonl {more}"))
            .says(&["cannot be used with"]);
    }
}
