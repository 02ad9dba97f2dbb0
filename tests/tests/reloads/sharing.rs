//! What one decision shares with another: what it reads of what the other has
//! written, in each of the ways in which something can be read.

use std::collections::BTreeMap;

use houserule::embed::{EntityRef, Plain, ReloadMode, Start, Tabletop, WireInput};

use super::{Yard, are_alike_all_the_way_back, outcome};

const DATA: &str = r#"[
    Kind(id: "purse.man", title: "Man", existence: All, naming: All, attributes: [
        (name: "coins", type: "integer", default: 0, viewers: All, doc: "what he has"),
        (name: "mood", type: "calm|angry", default: "calm", viewers: All, doc: "how he feels"),
        (name: "debt", type: "integer", default: 0, viewers: All, doc: "what he owes for a turn", until: (ends: "purse.core.turn")),
        (name: "luck", type: "integer", default: 0, viewers: All, doc: "what he has found out"),
        (name: "steps", type: "integer", default: 0, viewers: All, doc: "how far he has gone"),
    ]),
]"#;

const SCENARIO: &str = r#"Scenario(
    format: 1, id: "street", title: "In the street", text: "Two men stroll.", mods: ["purse"], seed: 3,
    table: (width: "24in", depth: "12in"),
    sides: [(id: "red", title: "Red"), (id: "blue", title: "Blue")],
    entities: [
        (kind: "purse.man", id: "ann", side: "red", attributes: {}),
        (kind: "purse.man", id: "bob", side: "blue", attributes: {}),
    ],
)"#;

const GIFT: &str = r#"--!strict
--- What a gift is worth.
function gift.amount(_game: Reads): Integer
    return 1
end
"#;

const CORE: &str = r#"--!strict
core.turn = rules.phase { title = "Turn", acts = { order = "alternating" } }
core.game = rules.phase { title = "Street", root = true, loop = { core.turn } }

--- What a man is worth.
function core.wealth(_game: Reads, man: Man): Integer
    return man.coins * 10
end

core.give = rules.action { title = "Give", phase = core.turn, actor = kinds.Man }
function core.give_perform(game: Acts, man: Man, _params: any)
    local amount = gift.amount(game)
    man.coins = man.coins + amount
    man.mood = if amount > 1 then "angry" else "calm"
    man.debt = amount - 1
end

core.stroll = rules.action { title = "Stroll", phase = core.turn, actor = kinds.Man }
function core.stroll_perform(_game: Acts, man: Man, _params: any)
    man.steps = man.steps + 1
end

core.reckon = rules.action { title = "Reckon", phase = core.turn, actor = kinds.Man }
function core.reckon_perform(_game: Acts, man: Man, _params: any)
    man.luck = man.coins * 2
end

core.soothe = rules.action { title = "Soothe", phase = core.turn, actor = kinds.Man }
function core.soothe_perform(_game: Acts, man: Man, _params: any)
    man.mood = "calm"
end

core.tally = rules.action { title = "Tally", phase = core.turn, actor = kinds.Man }
function core.tally_perform(game: Acts, man: Man, _params: any)
    man.luck = #kinds.Man.where(game, "coins", 1)
end

core.boast = rules.action { title = "Boast", phase = core.turn, actor = kinds.Man }
function core.boast_perform(game: Acts, man: Man, _params: any)
    man.luck = core.wealth(game, man) + core.wealth(game, man)
end

core.trust = rules.action { title = "Trust", phase = core.turn, actor = kinds.Man }
function core.trust_perform(_game: Acts, man: Man, _params: any)
    man.steps = man.steps + 1
    if ask.yes(man, "purse.core.far", "Does he go far?") then
        man.steps = man.steps + 5
    end
    if ask.yes(man, "purse.core.counts", "Does he count it?") then
        man.luck = man.coins
    end
end

core.wager = rules.action { title = "Wager", phase = core.turn, actor = kinds.Man }
function core.wager_perform(_game: Acts, man: Man, _params: any)
    local had = man.coins
    man.coins = 0
    man.mood = "calm"
    man.debt = 0
    if ask.yes(man, "purse.core.sure", "Is he sure?") then
        man.luck = had
    end
end

core.wander = rules.action { title = "Wander", phase = core.turn, actor = kinds.Man }
function core.wander_perform(game: Acts, man: Man, _params: any)
    man.steps = man.steps + 7
    push.core.rest(game, man)
end

function core.rest(_game: Acts, man: Man)
    man.steps = man.steps + 20
    if ask.yes(man, "purse.core.looks", "Does he look into his purse?") then
        man.luck = man.coins + man.steps
    end
end

core.beg = rules.action { title = "Beg", phase = core.turn, actor = kinds.Man }
function core.beg_allowed(game: Reads, man: Man): Reason?
    return rules.refuse(core.wealth(game, man) > 20, "he has enough")
end
function core.beg_perform(_game: Acts, man: Man, _params: any)
    man.steps = man.steps + 10
end
"#;

fn purse() -> Yard {
    let yard = Yard::new();
    yard.write(
        "purse/mod.ron",
        "Mod(id: \"purse\", version: \"1.0.0\", title: \"Purse\", authors: [], engine: \"0.1\", groups: [])",
    );
    yard.write("purse/data/purse.ron", DATA);
    yard.write("purse/scenarios/street.ron", SCENARIO);
    yard.write("purse/rules/gift.luau", GIFT);
    yard.write("purse/rules/core.luau", CORE);
    yard
}

fn act(table: &mut Tabletop, by: &str, who: &str, action: &str) {
    let act = WireInput::Act {
        by: by.into(),
        action: format!("purse.core.{action}"),
        actor: Some(EntityRef::from(who)),
        params: BTreeMap::new(),
    };
    table.submit(&act).unwrap();
}

fn answer(table: &mut Tabletop, question: &str, yes: bool) {
    let answer = WireInput::Answer {
        by: "red".into(),
        question: format!("purse.core.{question}"),
        value: Plain::Bool(yes),
    };
    table.submit(&answer).unwrap();
}

/// How many decisions are made again where a gift is worth more, out of the gift,
/// of blue's strolls, and of what red decides last.
fn made_again(last: impl Fn(&mut Tabletop)) -> usize {
    made_again_before(last, |_| {})
}

/// The same, where play goes on after it in the same way in all courses.
fn made_again_before(last: impl Fn(&mut Tabletop), then: impl Fn(&mut Tabletop)) -> usize {
    let yard = purse();
    let start = Start {
        scenario: "purse/street".into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&yard.folders(), &start).unwrap();
    table.expect_reloads().unwrap();
    act(&mut table, "red", "ann", "give");
    for _ in 0..3 {
        act(&mut table, "blue", "bob", "stroll");
        act(&mut table, "red", "ann", "stroll");
    }
    act(&mut table, "blue", "bob", "stroll");
    last(&mut table);
    let mut whole = yard.copy(&mut table);
    yard.edit(("purse/rules/gift.luau", "return 1", "return 3"));
    let all = whole.reload(ReloadMode::AsAlways, "referee").unwrap();
    let some = table.reload(ReloadMode::AsAlways, "referee").unwrap();
    assert_eq!(
        all.made_again,
        all.decisions + all.set_aside.as_ref().map_or(0, |aside| aside.count)
    );
    let made = some.made_again;
    assert_eq!(outcome(Ok(some)), outcome(Ok(all)));
    for table in [&mut table, &mut whole] {
        then(table);
    }
    are_alike_all_the_way_back(table, whole);
    made
}

fn red(action: &'static str) -> impl Fn(&mut Tabletop) {
    move |table| act(table, "red", "ann", action)
}

#[test]
fn what_shares_nothing_is_left_as_it_was() {
    assert_eq!(made_again(red("stroll")), 1);
}

#[test]
fn what_reads_an_attribute_is_made_again() {
    assert_eq!(made_again(red("reckon")), 2);
}

#[test]
fn what_writes_in_vain_is_made_again() {
    assert_eq!(made_again(red("soothe")), 2);
}

#[test]
fn what_looks_for_who_holds_a_value_is_made_again() {
    assert_eq!(made_again(red("tally")), 2);
}

#[test]
fn what_rests_on_an_answer_that_is_kept_is_made_again() {
    let boasts = |table: &mut Tabletop| {
        act(table, "red", "ann", "boast");
        act(table, "blue", "bob", "stroll");
        act(table, "red", "ann", "boast");
    };
    assert_eq!(made_again(boasts), 3);
}

#[test]
fn what_is_no_longer_allowed_is_set_aside() {
    assert_eq!(made_again(red("beg")), 2);
}

#[test]
fn what_ends_with_a_phase_is_taken_back_in_the_other_course_too() {
    let ends = |table: &mut Tabletop| {
        for by in ["red", "blue"] {
            table.submit(&WireInput::Done { by: by.into() }).unwrap();
        }
        act(table, "red", "ann", "stroll");
    };
    assert_eq!(made_again(ends), 2);
}

#[test]
fn what_waits_for_an_answer_is_left_as_it_was() {
    let trusts = |table: &mut Tabletop| {
        act(table, "red", "ann", "trust");
        answer(table, "far", true);
        answer(table, "counts", false);
        act(table, "blue", "bob", "stroll");
    };
    assert_eq!(made_again(trusts), 1);
}

#[test]
fn an_answer_goes_on_from_where_its_step_began_in_its_own_course() {
    let trusts = |table: &mut Tabletop| {
        act(table, "red", "ann", "trust");
        answer(table, "far", true);
        answer(table, "counts", true);
    };
    assert_eq!(made_again(trusts), 2);
    let wanders = |table: &mut Tabletop| {
        act(table, "red", "ann", "wander");
        answer(table, "looks", true);
    };
    assert_eq!(made_again(wanders), 2);
}

#[test]
fn a_question_that_is_open_is_answered_in_the_course_that_is_another() {
    let counts = |table: &mut Tabletop| answer(table, "counts", true);
    let trusts = |table: &mut Tabletop| {
        act(table, "red", "ann", "trust");
        answer(table, "far", true);
    };
    assert_eq!(made_again_before(trusts, counts), 1);
    let looks = |table: &mut Tabletop| answer(table, "looks", true);
    assert_eq!(made_again_before(red("wander"), looks), 1);
}

#[test]
fn what_a_step_has_written_over_before_it_asks_counts() {
    let wagers = |table: &mut Tabletop| {
        act(table, "red", "ann", "wager");
        answer(table, "sure", true);
    };
    assert_eq!(made_again(wagers), 3);
}
