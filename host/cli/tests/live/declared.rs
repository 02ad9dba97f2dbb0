//! Saves of what is no rule: what they change is told, though no decision comes out otherwise. And what whoever is asked
//! in a window, or looks on, is told of it.

use std::path::Path;
use std::time::Duration;

use super::common::{Scratch, copy};
use super::{Watched, play};

/// An example of the book in a folder of its own.
fn example(name: &str) -> Scratch {
    let scratch = Scratch::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    copy(&examples.join(name), &scratch.0.join("own").join(name));
    scratch
}

#[test]
fn what_a_template_gives_now_is_told() {
    let scratch = example("drill");
    let mut table = Watched::start(
        &scratch,
        "--mods own play drill/range --watch --view referee --no-journal",
    );
    table.hears("watching own");
    scratch.edit(
        "own/drill/data/drill.ron",
        "attributes: {\"strength\": 3}",
        "attributes: {\"strength\": 7}",
    );
    table.hears("changed template drill.rifles: strength 3 is 7 now");
}

#[test]
fn the_steps_of_a_ladder_are_told() {
    let scratch = example("drill");
    let ladder = "own/drill/rules/ladder.luau";
    scratch.write(
        ladder,
        "--!strict\nfire.dice = rules.ladder { steps = { 4, 6, 8 } }\n",
    );
    let mut table = Watched::start(
        &scratch,
        "--mods own play drill/range --watch --view referee --no-journal",
    );
    table.hears("watching own");
    scratch.edit(ladder, "{ 4, 6, 8 }", "{ 6, 8, 10 }");
    table.hears("changed ladder drill.fire.dice: d4-6-8 is d6-8-10 now");
}

/// Another deck is shuffled before the first decision: what follows from it is told, or in which pieces it shows.
#[test]
fn a_game_that_differs_from_its_beginning_says_in_what() {
    let scratch = example("hearts");
    let mut table = Watched::start(
        &scratch,
        "--mods own play hearts/table --watch --view referee --no-journal",
    );
    table.hears("watching own");
    scratch.edit(
        "own/hearts/rules/deal.luau",
        "pack:draw(HAND,",
        "pack:draw(HAND - 1,",
    );
    table.hears("the game differs from its beginning");
    let next = table.lines.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(
        ["before", "now", "on the table:"]
            .iter()
            .any(|said| next.contains(said)),
        "{next}"
    );
}

/// What an outlook says that nobody shows is told when it is shown.
#[test]
fn an_outlook_says_nothing_that_nobody_shows() {
    for (gives, told) in [
        ("note = \"close\"", "found `note`"),
        (
            "odds = { rule = \"drill.fire.resolv\", args = {}, by = \"result\" }",
            "did you mean `drill.fire.resolve`?",
        ),
        (
            "odds = { rule = \"drill.fire.resolve\", args = { squad }, by = \"result\" }",
            "`drill.fire.resolve`, argument `target`",
        ),
    ] {
        let scratch = example("drill");
        scratch.edit(
            "own/drill/rules/orders.luau",
            "--- [secret]\norders.give",
            &format!(
                "--- [secret] What to know.\nfunction orders.give_outlook(_game: Reads, squad: Squad, _params: any): Outlook?\n    \
                 local _ = squad\n    return {{ {gives} }} :: any\nend\n\n--- [secret]\norders.give"
            ),
        );
        let ran = play(
            &scratch,
            "--mods own play drill/range --view referee --no-journal",
            "give blue-1\nquit\n",
        );
        ran.says(&[told, "drill/rules/orders.luau"]);
    }
}

/// The moment at which somebody may react reads as its rule says, as far as that somebody may know it.
#[test]
fn a_moment_reads_as_its_title_says() {
    let typed = "give blue-1 shoot\ndone\ndone\naim blue-1 red-1\nview red\nquit\n";
    let title = "title = \"A squad takes aim\"";
    let says = |saved: &str, is_secret: bool, told: &str| {
        let scratch = example("drill");
        let saved = format!("title = \"{saved}\"");
        scratch.edit("own/drill/rules/fire.luau", title, &saved);
        if is_secret {
            let reveals = "game:reveal(squad, \"order\")";
            scratch.edit(
                "own/drill/rules/orders.luau",
                reveals,
                "local _ = game, squad",
            );
        }
        let line = "--mods own play drill/range --view referee --no-journal";
        play(&scratch, line, typed).says(&[told]);
    };
    // Without a word of the rule: the entities that it carries, and nothing else.
    says(
        "A squad takes aim",
        false,
        "[A squad takes aim: blue-1, red-1] red may react",
    );
    let told = "A squad takes aim[: {squad} at {target}][, told to {squad.order}]";
    says(
        told,
        false,
        "[A squad takes aim: blue-1 at red-1, told to shoot] red may react",
    );
    // An order that is not turned up is the side's own: the referee has read it, and Red has not.
    says(
        told,
        true,
        "[A squad takes aim: blue-1 at red-1] red may react",
    );
    says(
        "{squad} takes aim",
        false,
        "expected a field of `drill.fire.aimed` in brackets",
    );
    says(
        "Aim[: {squd}]",
        false,
        "expected a field that `drill.fire.aimed` carries in its title, found `{squd}`",
    );
    says("Aim[: {squad.ordr}]", false, "did you mean `order`?");
    says("Aim[: {squad}", false, "to have its `]`");
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
