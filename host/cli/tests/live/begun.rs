//! What is begun at the table and not finished, and how far play is taken back.

use super::common::Scratch;
use super::{Watched, play, yard};

/// An action waits for its next choice, and the rules behind it change: whoever chose is told that nothing is open.
#[test]
fn an_action_that_was_begun_is_left_by_a_reload_and_it_is_said() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let mut table = Watched::start(
        &scratch,
        "--mods mods play yard-first --watch --view referee --no-journal",
    );
    table.hears("watching mods");
    table.say("aim");
    table.hears("At whom?");
    scratch.edit(
        "mods/yard/rules/fire.luau",
        "then 1 else 0",
        "then 2 else 0",
    );
    table.hears("reloaded yard");
    table.hears("what you began is left, and nothing of it is done: begin it again");
    scratch.edit(
        "mods/yard/rules/fire.luau",
        "then 2 else 0",
        "then 3 else 0",
    );
    table.hears("reloaded yard");
    table.say("legal");
    table.hears("Shoot");
    let times = table
        .received
        .iter()
        .filter(|line| line.contains("what you began is left"));
    assert_eq!(times.count(), 1, "where nothing was begun, nothing is left");
}

/// More than there is to take back is refused with how much there is.
#[test]
fn how_often_people_have_decided_is_told_as_it_is() {
    for (decisions, told) in [
        (0, "there is nothing of yours to take back"),
        (1, "people have decided only once"),
        (2, "people have decided only 2 times"),
        (3, "people have decided only 3 times"),
    ] {
        let made = ["strike rufus", "yes", "strike bruno"][..decisions].join("\n");
        let typed = format!("{made}\nundo 9\nquit\n");
        let ran = play(
            &yard(),
            "--mods duel play yard --view referee --no-journal",
            &typed,
        );
        ran.says(&[told]);
    }
}

/// A word that is no number of decisions or lines changes nothing, and is not taken for the usual number.
#[test]
fn how_many_is_a_number_or_nothing() {
    let typed = "strike rufus\nyes\nundo 2\nredo x\nredo -1\nredo 0\nreport x\nreload later\nhistory\nredo 2\nhistory\nquit\n";
    let ran = play(
        &yard(),
        "--mods duel play yard --view referee --no-journal",
        typed,
    );
    let (before, after) = ran.out.split_once("again: ").unwrap();
    assert_eq!(
        before
            .matches("no: say how many to make again, such as `redo 2`")
            .count(),
        3,
        "{before}"
    );
    for told in [
        "no: say how many lines, such as `report 5`",
        "no: expected `reload` or `reload now`, found `later`",
    ] {
        assert!(before.contains(told), "{told}: {before}");
    }
    assert!(!before.contains("reloaded"), "{before}");
    assert!(after.contains("   2 "), "{after}");
}
