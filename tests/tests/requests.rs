//! What one request may use: a budget that all its rules share, and behind it
//! the watchdog.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use houserule::limits::PATIENCE;
use houserule::odds::{By, Limits, Policy, Unanswered, What};
use houserule::play::{BotKind, Match, OddsOf, Players, SubmitError, Tally, replay, tally};
use houserule::record::Durability;
use houserule::rulebook::Rulebook;
use houserule::testing::{Filter, TestKind, run_for_audiences, run_suite};
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::{Fixture, folder};
use kernel::decision::Input;
use kernel::error::{Fault, FaultCode};
use kernel::game::{Game, Guard};
use kernel::rules::Rules as _;
use kernel::value::{Name, Value};
use kernel::world::Viewer;

const HEAD: &str = "local m = require(\"@m\")\nlocal rules = require(\"@rules\")\nlocal ask = require(\"@ask\")\n\
    local function busy()\n    local n = 0\n    for i = 1, 1000000 do\n        n += i\n    end\n    return n\nend\n";

/// Forty actions, each of which takes its time to say that it is allowed.
fn slow_actions() -> String {
    let action = |i: u32| {
        format!(
            "rules.action {{ id = \"m.slow{i}\", title = \"Slow\", phase = \"base.core.turn\",\n    \
             allowed = function() return busy() > 0 end, perform = function() end }}\n"
        )
    };
    HEAD.to_string() + &(0..40).map(action).collect::<String>()
}

/// What is charged, and takes longer than a watchdog without patience allows.
const WATCHED: &str = r#"
m.core.busy = rules.action { title = "Busy", phase = "base.core.turn" }
function m.core.busy_perform(game: Acts, _side: string, _params: any)
    busy()
    game:emit("base.note", { text = "done" })
end
m.core.asks = rules.action { title = "Asks", phase = "base.core.turn" }
function m.core.asks_perform(_game: Acts, side: string, _params: any)
    if ask.yes(side, "m.sure", "Sure?") then
        busy()
    end
end
"#;

fn workshop(rules: String) -> Workshop {
    workshop_of(&[("rules/x.luau", &rules)])
}

fn workshop_of(files: &[(&str, &str)]) -> Workshop {
    let texts = files
        .iter()
        .map(|(path, text)| (("m".to_string(), path.to_string()), text.to_string()));
    let texts = texts.collect::<BTreeMap<_, _>>();
    let fixture = Fixture {
        path: folder("requests"),
        settings: Vec::new(),
        texts,
        expected: Vec::new(),
    };
    let (workshop, faults) = fixture.workshop();
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn overrides() -> Overrides {
    Overrides {
        with: vec!["m".into()],
        ..Overrides::default()
    }
}

fn act(game: &mut Match, action: &str) -> Result<(), SubmitError> {
    let by = game.wanted().sides()[0];
    game.submit(&Input::Act {
        by,
        action: Arc::from(action),
        actor: None,
        params: Value::Map(Arc::default()),
    })
}

fn agree(game: &mut Match) -> Result<(), SubmitError> {
    let by = game.wanted().sides()[0];
    game.submit(&Input::Answer {
        by,
        question: Arc::from("m.sure"),
        value: Value::Bool(true),
    })
}

fn fault_of(outcome: Result<(), SubmitError>) -> (Fault, u32) {
    match outcome {
        Err(SubmitError::Fault { fault, undone }) => (fault, undone),
        other => panic!("expected a fault, found {other:?}"),
    }
}

#[test]
fn all_that_one_question_asks_shares_a_budget() {
    let workshop = workshop(slow_actions());
    let found = workshop.scenario("base/field").unwrap();
    let (mut game, _) = workshop.start(&found, &overrides()).unwrap();
    let side = game.wanted().sides()[0];
    let fault = game.legal(side).unwrap_err();
    assert_eq!(fault.code, FaultCode::TooLong, "{fault}");
    // One alone is well within it, asked as often as anybody likes.
    for _ in 0..3 {
        game.next_param(side, "m.slow3", None, &BTreeMap::new())
            .unwrap();
        act(&mut game, "m.slow3").unwrap();
    }
}

#[test]
fn the_watchdog_undoes_an_input_and_the_journal_says_so() {
    let workshop = workshop(HEAD.to_string() + WATCHED);
    let found = workshop.scenario("base/field").unwrap();
    let (mut game, active) = workshop.start(&found, &overrides()).unwrap();
    let folder = std::env::temp_dir().join(format!("houserule-watchdog-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path: PathBuf = folder.join("game.journal");
    workshop
        .record(&mut game, &found, &active, &path, Durability::Process)
        .unwrap();
    act(&mut game, "base.core.work").unwrap();
    let before = (game.hash(), game.events(), game.wanted());

    game.watch(Some(Duration::ZERO));
    let (fault, undone) = fault_of(act(&mut game, "m.core.busy"));
    assert_eq!((fault.code, undone), (FaultCode::TooSlow, 0), "{fault}");
    assert!(
        fault
            .place
            .as_ref()
            .is_some_and(|place| &*place.file == "rules/x.luau")
    );
    assert_eq!(before, (game.hash(), game.events(), game.wanted()));

    // In the middle of an action all of it is undone.
    act(&mut game, "m.core.asks").unwrap();
    let (fault, undone) = fault_of(agree(&mut game));
    assert_eq!((fault.code, undone), (FaultCode::TooSlow, 1));
    assert_eq!(before, (game.hash(), game.events(), game.wanted()));

    // With patience the same is taken: it was charged, and within its budget.
    game.watch(Some(PATIENCE));
    act(&mut game, "m.core.busy").unwrap();
    act(&mut game, "base.core.work").unwrap();
    let broken: Vec<&String> = game
        .lines()
        .iter()
        .filter(|line| line.starts_with("fault F058"))
        .collect();
    assert_eq!(broken.len(), 2, "{:?}", game.lines());

    let (end, lines, wanted) = (game.hash(), game.lines().to_vec(), game.wanted());
    drop(game);
    let again = replay(&path, None).unwrap().game;
    assert_eq!((again.hash(), again.lines()), (end, lines.as_slice()));
    assert_eq!(again.wanted(), wanted);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_match_that_keeps_no_past_is_taken_back_to_where_its_action_began() {
    let workshop = workshop(HEAD.to_string() + WATCHED);
    let found = workshop.scenario("base/field").unwrap();
    let (mut game, _) = workshop.start(&found, &overrides()).unwrap();
    game.keep_no_past();
    act(&mut game, "base.core.work").unwrap();
    act(&mut game, "base.core.work").unwrap();
    let stand = |game: &Match| (game.hash(), game.events(), game.inputs().to_vec());
    let before = stand(&game);
    act(&mut game, "m.core.asks").unwrap();
    game.watch(Some(Duration::ZERO));
    assert_eq!(fault_of(agree(&mut game)).1, 1);
    assert_eq!(stand(&game), before);
    // What came before is gone.
    assert!(matches!(game.undo(0, 1), Err(SubmitError::Refusal(_))));
}

/// What is broken off on the way to a result: a game that ends, a rule that
/// gives something, an error that is caught.
const ON_THE_WAY: &str = r#"
--- [end]
m.core.stop = rules.action { title = "End", phase = "base.core.turn" }
function m.core.stop_perform(game: Acts, _side: string, _params: any)
    pcall(busy)
    game:finish({ winner = "red", reason = "done" })
end
function m.core.stop_score(_game: Reads, _side: string, _params: any): Integer
    return 9
end
function m.core.gives(_game: Reads): Integer
    pcall(busy)
    return 1
end
"#;

const MANIFEST: &str = r#"Mod(id: "m", version: "1.0.0", title: "M", engine: "0.1", depends: [("base", "*")],
    groups: [Group(id: "core", title: "Core", clauses: [
        Clause(id: "m.core.end", title: "End", text: "It ends.", source: "none", effect: Adds),
        Clause(id: "m.core.slow", title: "Slow", text: "It takes its time.", source: "none", effect: Adds),
    ])])"#;

/// The second passes at once with its clause on, and takes long with it off.
const CASES: &str = r#"--!strict
local m = require("@m")
local test = require("@test")
test.case("it gives one", { cites = { "m.core.end" } }, function(t)
    local game = t:scenario("base/field")
    t:eq(m.core.gives(game), 1)
end)
test.case("only with its clause it is quick", { cites = { "m.core.slow" } }, function(t)
    local game = t:scenario("base/field")
    t:eq(m.core.quick(game), 1)
end)
"#;

const QUICK: &str = r#"
function m.core.quick(game: Reads): Integer
    return if m.clauses.core_slow(game) then 1 else busy()
end
"#;

/// With patience it comes to something, without it to nothing but the fault.
fn on_the_way(patience: Duration) -> Workshop {
    let rules = format!("{HEAD}{ON_THE_WAY}{QUICK}");
    let files = [
        ("mod.ron", MANIFEST),
        ("rules/x.luau", &rules),
        ("tests/m.luau", CASES),
    ];
    workshop_of(&files).with_patience(patience)
}

#[test]
fn a_game_that_the_watchdog_breaks_off_is_not_counted() {
    let (calm, hasty) = (on_the_way(PATIENCE), on_the_way(Duration::ZERO));
    let found = calm.scenario("base/field").unwrap();
    let players = Players {
        every: Some(BotKind::Greedy),
        ..Players::default()
    };
    let counted_until = |workshop: &Workshop, is_stopped: bool| {
        let stop = || is_stopped;
        tally(
            workshop,
            &found,
            &overrides(),
            &[1, 2],
            &players,
            &stop,
            &|| (),
        )
    };
    let counted = |workshop: &Workshop| counted_until(workshop, false);
    assert_eq!(counted(&calm).unwrap().winners[&Some("red".to_string())], 2);
    assert_eq!(counted_until(&calm, true).unwrap(), Tally::default());
    assert_eq!(codes(&counted(&hasty).unwrap_err()), [FaultCode::TooSlow]);
}

#[test]
fn what_the_watchdog_breaks_off_has_no_odds() {
    let (calm, hasty) = (on_the_way(PATIENCE), on_the_way(Duration::ZERO));
    let found = calm.scenario("base/field").unwrap();
    let odds = |workshop: &Workshop, limits: Limits| {
        let (game, _) = workshop.start(&found, &overrides()).unwrap();
        let of = OddsOf {
            what: What::Rule(Name::from("m.core.gives"), Vec::new()),
            by: By::result(),
            policy: Policy::default(),
            eyes: None,
            limits,
        };
        game.odds(None, of, &|| false)
    };
    for limits in [
        Limits::default(),
        Limits {
            runs: 0,
            samples: 3,
            ..Limits::default()
        },
    ] {
        assert_eq!(
            odds(&calm, limits).unwrap().of(&Value::Int(1)).to_string(),
            "1"
        );
        match odds(&hasty, limits) {
            Err(Unanswered::Fault { fault, .. }) => assert_eq!(fault.code, FaultCode::TooSlow),
            other => panic!("expected a fault, found {other:?}"),
        }
    }
}

#[test]
fn a_case_that_the_watchdog_breaks_off_fails_for_that_alone() {
    let (calm, hasty) = (on_the_way(PATIENCE), on_the_way(Duration::ZERO));
    let filter = Filter {
        mods: vec!["m".into()],
        text: None,
    };
    let failures = |workshop: &Workshop| {
        let results = run_suite(workshop, &filter, None, &|_| ());
        let failures = results
            .into_iter()
            .filter_map(|one| Some((one.sort, one.failure?.code)));
        failures.collect::<Vec<_>>()
    };
    // That the first case does not need its clause is found, and nothing else.
    assert_eq!(failures(&calm), [(TestKind::ClauseOff, FaultCode::BadCase)]);
    let both = [
        (TestKind::Case, FaultCode::TooSlow),
        (TestKind::ClauseOff, FaultCode::TooSlow),
    ];
    assert_eq!(failures(&hasty), both);
    let checked = run_for_audiences(&hasty, &filter);
    assert_eq!(
        checked.iter().filter(|one| one.failure.is_some()).count(),
        1,
        "{checked:?}"
    );
}

fn codes(faults: &[Fault]) -> Vec<FaultCode> {
    faults.iter().map(|fault| fault.code).collect()
}

/// A rule whose answers are kept, one whose are not, and what calls the first so often.
const COSTS: &str = r#"
function m.core.doubled(_game: Reads, n: Integer): Integer
    return n * 2
end
function m.core.tripled(_game: Writes, n: Integer): Integer
    return n * 3
end
function m.core.all_doubled(game: Reads, count: Integer): Integer
    local sum = 0
    for _ = 1, count do
        sum += m.core.doubled(game, 5)
    end
    return sum
end
"#;

/// What it costs to call a rule with a number.
fn cost(rulebook: &Rulebook, game: &mut Game, rule: &str, n: i64) -> u64 {
    let before = rulebook.spent();
    let rule = Name::from(format!("m.core.{rule}"));
    rulebook.call(game, &rule, &[Value::Int(n)]).unwrap();
    rulebook.spent() - before
}

#[test]
fn a_rule_costs_the_same_whether_the_kernel_calls_it_or_a_rule() {
    let workshop = workshop(HEAD.to_string() + COSTS);
    let found = workshop.scenario("base/field").unwrap();
    let (chosen, mut setup) = workshop.prepare(&found, &overrides()).unwrap();
    let (rulebook, game) = (chosen.rulebook, &mut setup.game);
    game.set_guard(Guard::STEP);
    // The call of the function, its return, and that of what is around it.
    assert_eq!(cost(&rulebook, game, "tripled", 5), 3);
    game.set_guard(Guard::answering(Viewer::Referee));
    for are_kept in [false, true] {
        rulebook.keep_answers(are_kept);
        // With it, asking for an answer and keeping it.
        assert_eq!(cost(&rulebook, game, "doubled", 5), 5);
    }
    // What an answer costs that is kept does not hang on who called for it first.
    let after_kernel = cost(&rulebook, game, "all_doubled", 100);
    rulebook.forget_answers();
    assert_eq!(cost(&rulebook, game, "all_doubled", 100), after_kernel);
}
