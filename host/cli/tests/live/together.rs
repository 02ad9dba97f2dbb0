//! Play that is taken back where players agree on it, and what those who look on are told.

use super::declared::example;
use super::{play, yard};

/// Whoever asks may withdraw, whoever is asked reads what would go, and agrees or declines.
#[test]
fn what_is_asked_to_be_taken_back_is_read_and_declined_or_withdrawn() {
    let typed = "view red\nstrike rufus\nview blue\nyes\nundo no\nview red\nundo\nundo no\nundo no\nundo\nview blue\n\
                 undo no\nview red\nundo\nview blue\nlook\nundo\nview spectator\nundo no\nview referee\nhistory\nquit\n";
    let ran = play(
        &yard(),
        "--mods duel play yard --undo agreed --view red --no-journal",
        typed,
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let told = [
        "nobody asks for that any longer",
        "blue must agree, by the same word; `undo no` withdraws it",
        "withdrawn: nobody is asked any longer",
        "nobody asks for that any longer",
        "blue must agree",
        "red asks to take back:\n  Red: Strike — rufus",
        "\n  `undo` agrees, `undo no` declines\n",
        "declined: all stands as it was",
        "blue must agree",
        "red asks to take back:",
        "taken back; 0 decisions stand",
        "no: nobody asks you to take anything back",
    ];
    let mut rest = &*ran.out;
    for one in told {
        let (_, after) = rest
            .split_once(one)
            .unwrap_or_else(|| panic!("{one}: {}", ran.out));
        rest = after;
    }
    assert_eq!(
        ran.out.matches("red asks to take back").count(),
        2,
        "each is told once: {}",
        ran.out
    );
}

/// A window that asks everybody says so to whoever can do nothing in it, and to nobody else.
#[test]
fn who_is_asked_and_can_do_nothing_is_not_said_to_be_able_to_react() {
    let scratch = example("drill");
    let rules = "own/drill/rules/fire.luau";
    scratch.edit(
        rules,
        "order = \"others_only\"",
        "order = \"others_only\", uniform = true",
    );
    let typed = "give blue-1 shoot\ndone\ndone\naim blue-1 red-1\nview spectator\nview red\nquit\n";
    let line = "--mods own play drill/range --view referee --no-journal";
    play(&scratch, line, typed).says(&["red may react", "  duck"]);
    scratch.edit(
        rules,
        "return if squad.has_ducked or",
        "return if true or squad.has_ducked or",
    );
    let ran = play(&scratch, line, typed);
    ran.says(&["red is asked, and can do nothing here", "  decline"]);
    let (_, at_red) = ran.out.split_once("is asked").unwrap();
    assert!(!at_red.contains("red may react"), "{}", ran.out);
}

/// Who looks on has decided nothing, and is not told that nothing was decided.
#[test]
fn a_spectator_is_told_no_number_of_decisions_where_something_is_hidden() {
    let scratch = example("drill");
    let line = |viewer: &str| {
        format!(
            "--mods own play drill/range --view {viewer} --no-journal --bot red=greedy --bot blue=greedy"
        )
    };
    let seen = play(&scratch, &line("spectator"), "quit\n");
    seen.says(&["\nEnd\n", "\nstate     "]);
    assert!(!seen.out.contains("decisions"), "{}", seen.out);
    play(&scratch, &line("referee"), "quit\n").says(&["\ndecisions "]);
}
