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

/// A hex that is typed is one, however it is written, and whoever knows says why it is not to be chosen.
#[test]
fn a_hex_that_is_typed_is_looked_at_as_a_hex() {
    let yard = yard();
    let rules = yard.read("duel/rules/duel.luau");
    let row = "\ncore.row = rules.action {\n    title = \"Row\",\n    phase = core.turn,\n    params = { { name = \"to\", \
               title = \"Where to?\", type = \"hex\" } },\n}\nfunction core.ashore(_game: Reads, to: Hex): Reason?\n    \
               return rules.refuse(to == rules.hex_at(4, 3), \"an island lies there\")\nend\nfunction \
               core.row_to_domain(_game: Reads, _side: string, _params: any): Domain\n    return domain.choices({ \
               rules.hex_at(3, 4), rules.hex_at(3, 5) }, { check = core.ashore })\nend\nfunction \
               core.row_perform(_game: Acts, _side: string, _params: any) end\n";
    yard.write("duel/rules/duel.luau", &format!("{rules}{row}"));
    let ran = play(
        &yard,
        "--mods duel play yard --view referee --no-journal",
        "row h0403\nrow 0403\nrow <4,1>\nrow 0304\nhistory\nquit\n",
    );
    let refused = ran.out.matches("an island lies there").count();
    assert_eq!(refused, 3, "{}", ran.out);
    ran.says(&["   1 Red: Row — to h0304"]);
}

#[test]
fn an_action_that_was_begun_is_left_by_undo_as_by_cancel() {
    let mods = concat!(env!("CARGO_MANIFEST_DIR"), "/../../mods");
    let typed = "Blue\nactivate blue-a\nfire blue-a-1\nundo\ncancel\nfire blue-a-1\ncancel\nundo\nhistory\nquit\n";
    let ran = play(
        &yard(),
        &format!("--mods {mods} play wooded-vale --no-journal"),
        typed,
    );
    assert_eq!(
        ran.out.matches("With which weapon?").count(),
        2,
        "{}",
        ran.out
    );
    let after = ran.out.split("With which weapon?").nth(1).unwrap();
    assert!(
        after.contains("left") && after.contains("nothing was begun"),
        "{after}"
    );
    ran.says(&["taken back; "]);
}

/// Whoever only looks on is told so, and how to take a seat.
#[test]
fn a_spectator_decides_nothing() {
    let ran = play(
        &yard(),
        "--mods duel play yard --view spectator --no-journal",
        "legal\nstrike rufus\nhistory\nquit\n",
    );
    let told = "no: whoever looks on decides nothing; `view SIDE` takes a seat";
    assert_eq!(ran.out.matches(told).count(), 2, "{}", ran.out);
}

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
