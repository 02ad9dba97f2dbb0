//! What a request costs does not depend on what is kept, and what is kept does
//! not show.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use kernel::decision::Input;
use kernel::value::{Side, Value};

use crate::play::Match;
use crate::workshop::{Overrides, Workshop};
use rules::limits::REQUEST_BUDGET;
use rules::modset::files::Sources;

/// Rules with loops, texts, lists, records and an index; those who may work are
/// listed by a rule that others ask too.
const RULES: &str = r#"
local base = require("@base")
local m = require("@m")
local rules = require("@rules")
function m.core.strong(game: Reads, least: Integer): { base.Unit }
    local found = {}
    for _, unit in game:entities("base.unit") do
        if unit.hp >= least then
            table.insert(found, unit)
        end
    end
    return found
end
function m.core.joined(game: Reads, words: { string }): string
    local text = ""
    for i, word in words do
        text ..= string.rep(word, 40 + i)
    end
    return text
end
function m.core.weight(game: Reads, of: any): Integer
    local sum = #m.core.joined(game, { "a", of.side or "none" })
    for _, unit in m.core.strong(game, 1) do
        sum += unit.hp + #m.core.strong(game, unit.hp) + #game:all("base.unit", "hp", unit.hp)
    end
    return sum
end
function m.core.many(game: Reads, from: Integer): { Integer }
    return table.create(4000, from)
end
function m.core.much(game: Reads, from: Integer): Integer
    local sum = 0
    for n = 1, 250 do
        sum += #m.core.many(game, from + n)
    end
    return sum
end
m.core.fill = rules.action { title = "Fill", phase = "base.core.turn" }
function m.core.fill_perform(game: Acts, side: string, _params: any)
    local unit = game:all("base.unit", "side", side)[1]
    unit.hp = unit.hp % 10 + 1
    game:emit("base.note", { text = `{m.core.much(game, 1000 * unit.hp)}` })
end
function m.core.pair(_game: Reads, n: Integer): { Integer }
    return { n, n + 1 }
end
m.core.pairs = rules.action { title = "Pairs", phase = "base.core.turn" }
function m.core.pairs_perform(game: Acts, _side: string, _params: any)
    local sum = 0
    for n = 1, 4400 do
        sum += m.core.pair(game, n)[1] * m.core.pair(game, n)[2]
    end
    game:emit("base.note", { text = `{sum}` })
end
function m.core.in_order(_game: Reads, of: any): string
    local text = ""
    for name in of do
        text ..= name .. " "
    end
    return text
end
m.core.turn_round = rules.action { title = "Turn round", phase = "base.core.turn" }
function m.core.turn_round_perform(game: Acts, _side: string, _params: any)
    local names = { "k30", "k12", "k7", "k25", "k1", "k2", "k3" }
    local there, back, less = {}, {}, { k8 = 1, k9 = 1, k31 = 1 }
    for n, name in names do
        there[name] = 1
        back[names[#names + 1 - n]] = 1
        less[name] = 1
    end
    less.k8, less.k9, less.k31 = nil, nil, nil
    local mixed, list = { k1 = 1, k2 = 1, [2] = 1, [1] = 1 }, { 1, 1, k1 = 1, k2 = 1 }
    for _, of in { there, back, less, mixed, list } :: { any } do
        game:emit("base.note", { text = m.core.in_order(game, of) })
    end
end
function m.core.are_one(_game: Reads, a: any, b: any): boolean
    return rawequal(a, b)
end
function m.core.is_frozen(_game: Reads, of: any): boolean
    return table.isfrozen(of)
end
m.core.tell_apart = rules.action { title = "Tell apart", phase = "base.core.turn" }
function m.core.tell_apart_perform(game: Acts, _side: string, _params: any)
    local one, pair, again = { 1 }, m.core.pair(game, 1), m.core.pair(game, 1)
    for _, is_so in {
        m.core.are_one(game, one, one),
        m.core.are_one(game, { 1 }, { 1 }),
        m.core.is_frozen(game, { 1 }),
        m.core.is_frozen(game, table.freeze({ 1 })),
        pair == again,
        rawequal(pair, again),
        table.find({ pair }, again) == 1,
    } do
        game:emit("base.note", { text = `{is_so}` })
    end
end
local function down(n: number): number
    return if n == 0 then 0 else 1 + down(n - 1)
end
function m.core.deep(_game: Reads, n: Integer): Integer
    return down(n)
end
function m.core.large(_game: Reads, n: Integer): Integer
    return #table.create(n, "x")
end
local function below(game: any, n: number): number
    return if n == 0 then m.core.deep(game, 12000) else 0 + below(game, n - 1)
end
m.core.sink = rules.action { title = "Sink", phase = "base.core.turn" }
function m.core.sink_perform(game: Acts, _side: string, _params: any)
    game:emit("base.note", { text = `{m.core.deep(game, 12000)}` })
    game:emit("base.note", { text = `{below(game, 12000)}` })
end
m.core.hold = rules.action { title = "Hold", phase = "base.core.turn" }
function m.core.hold_perform(game: Acts, _side: string, _params: any)
    game:emit("base.note", { text = `{m.core.large(game, 2000000)}` })
    local held = {}
    for n = 1, 5 do
        held[n] = table.create(1400000, n)
    end
    game:emit("base.note", { text = `{m.core.large(game, 2000000) + #held}` })
end
m.core.act = rules.action { title = "Act", phase = "base.core.turn", actor = "base.unit" }
function m.core.act_allowed(game: Reads, unit: base.Unit): Reason?
    local weight = m.core.weight(game, { side = unit.side, unit = unit })
    return rules.refuse(weight % 2 ~= 0, "it is odd")
end
function m.core.act_perform(game: Acts, unit: base.Unit, _params: any)
    unit.hp = math.max(1, unit.hp - 1)
    game:emit("base.note", { text = `{m.core.weight(game, { side = unit.side })}` })
end
m.core.wait = rules.action { title = "Wait", phase = "base.core.turn" }
function m.core.wait_perform(game: Acts, side: string, _params: any)
    for _, unit in game:all("base.unit", "side", side) do
        unit.hp = math.min(10, unit.hp + m.core.weight(game, {}) % 3)
    end
end
"#;

fn started() -> Match {
    let manifest = "Mod(id: \"m\", version: \"1.0.0\", title: \"M\", authors: [], engine: \"0.1\", groups: [], depends: [(\"base\", \"^1\")])";
    let files = [("mod.ron", manifest), ("rules/x.luau", RULES)];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    let base = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/base");
    let sources = BTreeMap::from([
        ("base".into(), Sources::read(&base).unwrap()),
        ("m".into(), Sources::from_memory("m", files)),
    ]);
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("base/field").unwrap();
    let overrides = Overrides {
        with: vec!["m".into()],
        ..Overrides::default()
    };
    workshop.start(&found, &overrides).unwrap().0
}

/// What it costs to ask what is legal, and what is.
fn asked(game: &mut Match) -> (u64, String) {
    let rulebook = game.rulebook().clone();
    let request = rulebook.running().request();
    let mut text = String::new();
    for side in [Side(0), Side(1)] {
        text += &format!("{:?}", game.legal(side).unwrap());
    }
    let left = rulebook.running().pool.get().unwrap();
    drop(request);
    (REQUEST_BUDGET - left, text)
}

/// Takes an input, and tells what it cost.
fn taken(game: &mut Match, input: &Input) -> (u64, bool) {
    let rulebook = game.rulebook().clone();
    let request = rulebook.running().request();
    let is_taken = game.submit(input).is_ok();
    let left = rulebook.running().pool.get().unwrap();
    drop(request);
    (REQUEST_BUDGET - left, is_taken)
}

fn inputs(game: &Match, round: u32) -> Vec<Input> {
    let by = game.wanted().sides()[0];
    let nothing = || Value::Map(Arc::default());
    let world = game.game().world();
    let units: Vec<_> = world
        .all()
        .filter(|unit| world.owner(*unit) == Some(by))
        .collect();
    let unit = units.get(round as usize % units.len().max(1)).copied();
    let act = |action: &str, actor| Input::Act {
        by,
        action: action.into(),
        actor,
        params: nothing(),
    };
    vec![
        act("m.core.act", unit),
        act("base.core.rest", unit),
        act("m.core.wait", None),
    ]
}

#[test]
fn a_request_costs_the_same_whoever_asked_before() {
    let (mut kept, mut anew, mut dropped) = (started(), started(), started());
    anew.rulebook().keep_answers(false);
    dropped.rulebook().drop_answers(Some(3));
    kept.rulebook().count_answers(true);
    for round in 0..24 {
        let first = asked(&mut kept);
        // Asking again and again is for the one that keeps alone.
        for _ in 0..round % 3 {
            assert_eq!(asked(&mut kept), first, "round {round}");
        }
        assert_eq!(asked(&mut anew), first, "round {round}");
        assert_eq!(asked(&mut dropped), first, "round {round}");
        for input in inputs(&kept, round) {
            let outcome = taken(&mut kept, &input);
            assert_eq!(
                taken(&mut anew, &input),
                outcome,
                "round {round}, {input:?}"
            );
            assert_eq!(
                taken(&mut dropped, &input),
                outcome,
                "round {round}, {input:?}"
            );
        }
        assert_eq!(
            (kept.mark(), kept.lines()),
            (anew.mark(), anew.lines()),
            "round {round}"
        );
        assert_eq!(kept.mark(), dropped.mark(), "round {round}");
    }
    let counts = kept.rulebook().answer_counts();
    assert!(counts.hits * 2 > counts.calls, "{counts:?}");
}

#[test]
fn an_answer_that_cannot_be_paid_meets_the_limit_where_it_is_met() {
    let mut game = started();
    asked(&mut game);
    let (cost, _) = asked(&mut game);
    let rulebook = game.rulebook().clone();
    for pool in [cost / 3, cost / 2, cost - 1] {
        let fault = |game: &mut Match| {
            let request = rulebook.running().request();
            rulebook.running().pool.set(Some(pool));
            let found = [Side(0), Side(1)].map(|side| game.legal(side).err());
            drop(request);
            found
        };
        let kept = fault(&mut game);
        rulebook.keep_answers(false);
        let anew = fault(&mut game);
        rulebook.keep_answers(true);
        assert!(kept.iter().any(Option::is_some), "{pool} of {cost}");
        assert_eq!(kept, anew, "{pool} of {cost}");
        asked(&mut game);
    }
}

#[test]
fn answers_are_as_many_as_there_is_room_for() {
    let mut game = started();
    for round in 0..200 {
        asked(&mut game);
        for input in inputs(&game, round) {
            taken(&mut game, &input);
        }
    }
    let kept = game.rulebook().host().answers().kept();
    assert!(kept > 0 && kept <= scripts::MOST_ANSWERS, "{kept}");
}

#[test]
fn what_is_kept_takes_no_memory_from_rules() {
    // Each input leaves 16 megabytes of answers.
    let (mut kept, mut anew) = (started(), started());
    anew.rulebook().keep_answers(false);
    for _ in 0..12 {
        let by = kept.wanted().sides()[0];
        let input = Input::Act {
            by,
            action: "m.core.fill".into(),
            actor: None,
            params: Value::Map(Arc::default()),
        };
        assert!(kept.submit(&input).is_ok());
        assert!(anew.submit(&input).is_ok());
        assert_eq!(kept.mark(), anew.mark());
    }
}

#[test]
fn an_answer_that_finds_no_room_is_found_anew_and_kept_later() {
    // While a rule runs the machine makes no room: at first there is some for 4096.
    const PAIRS: usize = 4400;
    let (mut kept, mut anew) = (started(), started());
    anew.rulebook().keep_answers(false);
    kept.rulebook().count_answers(true);
    let mut counts = Vec::new();
    for _ in 0..3 {
        let by = kept.wanted().sides()[0];
        let input = Input::Act {
            by,
            action: "m.core.pairs".into(),
            actor: None,
            params: Value::Map(Arc::default()),
        };
        assert_eq!(taken(&mut kept, &input), taken(&mut anew, &input));
        assert_eq!((kept.mark(), kept.lines()), (anew.mark(), anew.lines()));
        let answers = kept.rulebook().host().answers();
        counts.push((answers.kept(), answers.counts().hits));
    }
    let [first, second, third] = counts[..] else {
        panic!("{counts:?}")
    };
    assert!((4000..PAIRS).contains(&first.0), "{counts:?}");
    assert!(second.0 >= PAIRS, "{counts:?}");
    assert!(third.1 - second.1 >= 2 * PAIRS as u64, "{counts:?}");
}

/// Who walks over a table meets its names in the order in which they lie: two that are equal and do not lie
/// alike are not one argument.
#[test]
fn tables_that_lie_otherwise_are_other_arguments() {
    let (mut kept, mut anew) = (started(), started());
    anew.rulebook().keep_answers(false);
    for _ in 0..2 {
        let by = kept.wanted().sides()[0];
        let input = Input::Act {
            by,
            action: "m.core.turn_round".into(),
            actor: None,
            params: Value::Map(Arc::default()),
        };
        assert_eq!(taken(&mut kept, &input), taken(&mut anew, &input));
        assert_eq!((kept.mark(), kept.lines()), (anew.mark(), anew.lines()));
    }
    let events = kept.events();
    let texts = events.iter().filter_map(|event| event.field("text"));
    let told: BTreeSet<String> = texts.map(|text| format!("{text:?}")).collect();
    assert!(told.len() >= 4, "no two of them lay otherwise: {told:?}");
}

/// What rules meet of a limit does not depend on what is kept: neither how deep calls go nor what memory is in
/// use.
#[test]
fn an_answer_is_given_only_where_its_rule_would_meet_no_limit() {
    for action in ["m.core.sink", "m.core.hold"] {
        let (mut warm, mut cold) = (started(), started());
        cold.rulebook().keep_answers(false);
        let by = warm.wanted().sides()[0];
        let act = |action: &str| Input::Act {
            by,
            action: action.into(),
            actor: None,
            params: Value::Map(Arc::default()),
        };
        // What a step asks where there is room is kept, and asked again where there is none.
        let outcomes = [&mut warm, &mut cold].map(|game| {
            let fault = game.submit(&act(action)).unwrap_err();
            format!("{fault:?}")
        });
        assert_eq!(outcomes[0], outcomes[1]);
    }
}

/// Two tables that hold the same are told apart as the rules do it, and what rules have given by what is in it.
#[test]
fn tables_are_one_whatever_is_kept() {
    let (mut kept, mut anew) = (started(), started());
    anew.rulebook().keep_answers(false);
    let by = kept.wanted().sides()[0];
    let input = Input::Act {
        by,
        action: "m.core.tell_apart".into(),
        actor: None,
        params: Value::Map(Arc::default()),
    };
    for game in [&mut kept, &mut anew] {
        game.submit(&input).unwrap();
        let events = game.events();
        let told: Vec<&str> = (events.iter())
            .filter_map(|event| event.field("text")?.as_text())
            .collect();
        assert_eq!(
            told,
            ["true", "false", "false", "true", "true", "true", "true"]
        );
    }
}
