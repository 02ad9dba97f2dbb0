//! What one request may use: a budget that all its rules share, and behind it
//! the watchdog.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use houserule::limits::PATIENCE;
use houserule::play::{Match, Refused, ReplayWishes, replay};
use houserule::record::Durability;
use houserule::workshop::{Wishes, Workshop};
use houserule_tests::{Fixture, folder};
use kernel::decision::Input;
use kernel::error::{Fault, FaultCode};
use kernel::value::Value;

const HEAD: &str = "local rules = require(\"@rules\")\nlocal ask = require(\"@ask\")\n\
    local function busy()\n    local n = 0\n    for i = 1, 1000000 do\n        n += i\n    end\n    return n\nend\n";

/// Forty actions, each of which takes its time to say that it is allowed.
fn slow_actions() -> String {
    let action = |i: u32| {
        format!(
            "rules.action {{ id = \"m.slow{i}\", title = \"Slow\", phase = \"base.turn\",\n    \
             allowed = function() return busy() > 0 end, perform = function() end }}\n"
        )
    };
    HEAD.to_string() + &(0..40).map(action).collect::<String>()
}

/// What is charged, and takes longer than a watchdog without patience allows.
const WATCHED: &str = r#"
rules.action { id = "m.busy", title = "Busy", phase = "base.turn", perform = function(game, side)
    busy()
    game:emit("base.note", { text = "done" })
end }
rules.action { id = "m.asks", title = "Asks", phase = "base.turn", perform = function(game, side)
    if ask.yes(side, "m.sure", "Sure?") then
        busy()
    end
end }
"#;

fn workshop(rules: String) -> Workshop {
    let texts = BTreeMap::from([(("m".to_string(), "rules/x.luau".to_string()), rules)]);
    let fixture = Fixture { path: folder("requests"), settings: Vec::new(), texts, expected: Vec::new() };
    let (workshop, faults) = fixture.workshop();
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn wishes() -> Wishes {
    Wishes { with: vec!["m".into()], ..Wishes::default() }
}

fn act(game: &mut Match, action: &str) -> Result<(), Refused> {
    let by = game.wanted().sides()[0];
    game.submit(&Input::Act {
        by,
        action: Arc::from(action),
        actor: None,
        params: Value::Map(Arc::default()),
    })
}

fn fault_of(outcome: Result<(), Refused>) -> (Fault, u32) {
    match outcome {
        Err(Refused::Fault { fault, undone }) => (*fault, undone),
        other => panic!("expected a fault, found {other:?}"),
    }
}

#[test]
fn all_that_one_question_asks_shares_a_budget() {
    let workshop = workshop(slow_actions());
    let found = workshop.scenario("base/field").unwrap();
    let (mut game, _) = workshop.start(&found, &wishes()).unwrap();
    let side = game.wanted().sides()[0];
    let fault = game.legal(side).unwrap_err();
    assert_eq!(fault.code, FaultCode::TooLong, "{fault}");
    // One alone is well within it, asked as often as anybody likes.
    for _ in 0..3 {
        game.next_param(side, "m.slow3", None, &BTreeMap::new()).unwrap();
        act(&mut game, "m.slow3").unwrap();
    }
}

#[test]
fn the_watchdog_undoes_an_input_and_the_journal_says_so() {
    let workshop = workshop(HEAD.to_string() + WATCHED);
    let found = workshop.scenario("base/field").unwrap();
    let (mut game, active) = workshop.start(&found, &wishes()).unwrap();
    let folder = std::env::temp_dir().join(format!("houserule-watchdog-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path: PathBuf = folder.join("game.journal");
    workshop.record(&mut game, &found, &active, &path, Durability::Process).unwrap();
    act(&mut game, "base.work").unwrap();
    let before = (game.hash(), game.events(), game.wanted());

    game.watch(Some(Duration::ZERO));
    let (fault, undone) = fault_of(act(&mut game, "m.busy"));
    assert_eq!((fault.code, undone), (FaultCode::TooSlow, 0), "{fault}");
    assert!(fault.place.is_some_and(|place| &*place.file == "rules/x.luau"));
    assert_eq!(before, (game.hash(), game.events(), game.wanted()));

    // In the middle of an action all of it is undone.
    act(&mut game, "m.asks").unwrap();
    let by = game.wanted().sides()[0];
    let answer = Input::Answer { by, question: Arc::from("m.sure"), value: Value::Bool(true) };
    let (fault, undone) = fault_of(game.submit(&answer));
    assert_eq!((fault.code, undone), (FaultCode::TooSlow, 1));
    assert_eq!(before, (game.hash(), game.events(), game.wanted()));

    // With patience the same is taken: it was charged, and within its budget.
    game.watch(Some(PATIENCE));
    act(&mut game, "m.busy").unwrap();
    act(&mut game, "base.work").unwrap();
    let broken: Vec<&String> = game.lines().iter().filter(|line| line.starts_with("fault F058")).collect();
    assert_eq!(broken.len(), 2, "{:?}", game.lines());

    let (end, lines, wanted) = (game.hash(), game.lines().to_vec(), game.wanted());
    drop(game);
    let mut again = replay(&path, ReplayWishes::default()).unwrap().game;
    assert_eq!((again.hash(), again.lines()), (end, lines.as_slice()));
    assert_eq!(again.wanted(), wanted);
    std::fs::remove_dir_all(&folder).unwrap();
}
