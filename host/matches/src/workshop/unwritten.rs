//! A fault on a disk that takes nothing any more.

use std::sync::Arc;

use kernel::decision::Input;
use kernel::error::FaultCode;
use kernel::value::{Name, Value};

use super::hidden_state::started;
use crate::play::SubmitError;
use crate::record::{Durability, Journal, JournalHeader, content_hash};

/// Asks, and breaks by the answer.
const ASKS: (&str, &str) = (
    "local ask = require(\"@ask\")",
    "if ask.yes(_side, \"m.sure\", \"Sure?\") then error(\"it broke\") end",
);

fn header() -> JournalHeader {
    JournalHeader {
        selector: "m".into(),
        scenario: "field".into(),
        scenario_hash: content_hash(&Default::default()),
        seed: 1,
        turns: None,
        mods: Vec::new(),
        engine: "0.1.0".into(),
        bots: Vec::new(),
        is_agreed: false,
    }
}

#[test]
fn a_fault_is_told_though_the_journal_cannot_say_so_yet() {
    let path = std::env::temp_dir().join(format!("houserule-unwritten-{}", std::process::id()));
    let mut game = started(languages::ALL, ASKS.0, ASKS.1).unwrap();
    let before = game.mark();
    let by = game.wanted().sides()[0];
    let act = Input::Act {
        by,
        action: "m.core.act".into(),
        actor: None,
        params: Value::Map(Arc::default()),
    };
    game.submit(&act).unwrap();
    let mut journal = Journal::create(&path, &header(), Durability::Process).unwrap();
    journal.break_for_test();
    game.keep(journal);

    // What could not be written was not done, and only that.
    let answer = |value| Input::Answer {
        by,
        question: Name::from("m.sure"),
        value: Value::Bool(value),
    };
    let asked = game.mark();
    let unwritten = game.submit(&answer(false)).unwrap_err();
    assert!(
        matches!(unwritten, SubmitError::Unwritten(_)),
        "{unwritten}"
    );
    assert_eq!(game.mark(), asked);
    // A fault undoes the action, whatever becomes of its line.
    match game.submit(&answer(true)).unwrap_err() {
        SubmitError::Fault { fault, undone: 1 } => {
            assert_eq!(fault.code, FaultCode::Script);
            assert!(fault.message.contains("it broke"), "{fault}");
        }
        other => panic!("expected the fault and one input undone, found {other:?}"),
    }
    assert_eq!(game.mark(), before);
    std::fs::remove_file(&path).unwrap();
}
