//! Folders of mods that go and come back while a game is watched, and what is asked
//! of it afterwards.

use super::common::Scratch;
use super::{Watched, play, yard};

#[test]
fn a_game_keeps_to_the_folder_that_it_began_with() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let mut table = Watched::start(
        &scratch,
        "--mods mods play yard-first --watch --view referee --no-journal",
    );
    table.hears("watching mods");
    let (own, away) = (
        scratch.0.join("mods/yard"),
        scratch.0.join("mods/elsewhere"),
    );
    for _ in 0..2 {
        std::fs::rename(&own, &away).unwrap();
        table.hears("not taken over; the game goes by the old rules");
        table.hears("which is in play, in `mods/yard`, found it gone");
        table.hears("does not take `mods/elsewhere` in its place");
        std::fs::rename(&away, &own).unwrap();
        table.hears("again as the game goes by them");
    }
    scratch.edit(
        "mods/yard/rules/fire.luau",
        "squad.has_acted = true",
        "squad.has_acted = 1 == 1",
    );
    table.hears("reloaded yard");
    table.say("quit");
}

#[test]
fn the_rule_that_gave_what_an_event_tells_is_told() {
    let yard = yard();
    let path = "duel/rules/duel.luau";
    yard.edit(
        path,
        "core.strike = rules.action",
        "function core.weight(_game: Reads, points: Integer): Integer\n    return 10 * points\nend\n\ncore.strike = rules.action",
    );
    yard.edit(
        path,
        "local points = core.points(",
        "local points = core.weight(game, core.points(",
    );
    yard.edit(path, "\"blow\"), parried)", "\"blow\"), parried))");
    play(
        &yard,
        "--mods duel play yard --view referee --journal w.journal",
        "strike rufus\nno\nquit\n",
    );
    let hit = yard.ok("--mods duel why w.journal hits");
    let points = hit.out.split("for ").nth(1).unwrap();
    let points = points.split_whitespace().next().unwrap();
    hit.says(&[&format!(
        "duel.core.weight(points = {}) = {points}",
        points.strip_suffix('0').unwrap()
    )]);
}

#[test]
fn odds_of_an_action_name_the_question_that_waits() {
    let yard = yard();
    play(
        &yard,
        "--mods duel play yard --view referee --journal w.journal",
        "strike rufus\nno\nquit\n",
    );
    yard.fails(1, "--mods duel odds w.journal --at 2 --act blue")
        .says(&["before decision 2 blue answers the question `duel.parry`, and can do nothing else (Parry?); found `blue`"]);
}

/// Nothing is hidden at first, so whoever must decide looks at the same screen.
#[test]
fn the_screen_is_handed_over_once_a_save_hides_something() {
    let yard = yard();
    let file = "duel/data/duel.ron";
    yard.edit(file, "viewers: Owner", "viewers: All");
    let mut table = Watched::start(&yard, "--mods duel play yard --watch --no-journal");
    table.hears("watching duel");
    table.say("strike");
    table.hears("Parry?");
    table.say("no");
    table.hears("rufus hits bruno");
    assert!(!table.received.iter().any(|line| line.contains("== blue")));
    yard.edit(
        file,
        "default: 0, viewers: All",
        "default: 0, viewers: Owner",
    );
    table.hears("reloaded duel");
    table.say("strike");
    table.hears("== red ==");
}
