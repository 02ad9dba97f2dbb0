//! Journals that do not come out as they were recorded: each difference is
//! found and named at the first decision that differs, and what comes before
//! it can be saved.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::embed::{BotSort, Start, Submission, Tabletop, Trouble, WireInput};
use houserule::modset::files::Sources;
use houserule::play::{Match, Salvaged, SubmitError, replay, salvage, store_of};
use houserule::record::{Durability, JournalFile, JournalLine, Mark};
use houserule::workshop::{Found, Overrides, Workshop};
use houserule_tests::folder;
use kernel::decision::Input;
use kernel::error::{Fault, FaultCode};
use kernel::record::HashChain;
use kernel::value::Value;
use serde_json::{Value as Json, json};

/// A folder that is removed at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("houserule-journals-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The mod `base`, some text in its rules replaced.
fn base(from: &str, to: &str) -> (Workshop, Found) {
    let read = Sources::read(&folder("base")).unwrap();
    let files: BTreeMap<String, Arc<str>> = read
        .to_files()
        .iter()
        .map(|(path, text)| (path.clone(), Arc::from(text.replace(from, to))))
        .collect();
    assert!(
        from == to || files != read.to_files(),
        "`{from}` is nowhere"
    );
    let sources = Sources::from_memory("base", files);
    let (workshop, faults) = Workshop::from_sources(BTreeMap::from([("base".into(), sources)]));
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("field").unwrap();
    (workshop, found)
}

fn work(game: &mut Match) -> Result<(), SubmitError> {
    let by = game.wanted().sides()[0];
    let params = Value::Map(Arc::default());
    game.submit(&Input::Act {
        by,
        action: "base.core.work".into(),
        actor: None,
        params,
    })
}

/// A journal of five decisions.
fn recorded(path: &Path) -> Match {
    let (workshop, found) = base("", "");
    let (mut game, active) = workshop.start(&found, &Overrides::default()).unwrap();
    workshop
        .record(&mut game, &found, &active, path, Durability::default())
        .unwrap();
    for _ in 0..5 {
        work(&mut game).unwrap();
    }
    game
}

/// Changes lines of a journal, by their number, and chains them anew: as if it
/// had been recorded so.
fn forged(path: &Path, change: impl Fn(usize, &str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let (head, lines) = text.split_once("--- ").unwrap();
    let (mark, lines) = lines.split_once('\n').unwrap();
    let mut chain = HashChain::new(head);
    let lines: String = lines
        .lines()
        .enumerate()
        .map(|(number, line)| {
            let content = line.splitn(3, ' ').nth(2).unwrap();
            chain.append(&change(number, content)) + "\n"
        })
        .collect();
    fs::write(path, format!("{head}--- {mark}\n{lines}")).unwrap();
}

/// The same for one line.
fn forged_at(path: &Path, number: usize, change: impl Fn(&str) -> String) {
    forged(path, |at, line| {
        if at == number {
            change(line)
        } else {
            line.to_string()
        }
    });
}

/// A line with another mark: of the state (0) or of what was told (1).
fn remarked(line: &str, which: usize) -> String {
    let (input, marks) = line.rsplit_once(" = ").unwrap();
    let mut marks: Vec<&str> = marks.split(' ').collect();
    marks[which] = "0123456789abcdef";
    format!("{input} = {}", marks.join(" "))
}

fn fault_of(path: &Path) -> Fault {
    let Err(mut faults) = replay(path, None) else {
        panic!("expected a fault")
    };
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}

/// What of a journal can be saved without any mods beside it.
fn saved_of(path: &Path) -> Result<Salvaged, Vec<Fault>> {
    salvage(path, &[])
}

/// What a match has come to after its third decision.
fn third_of(path: &Path) -> Mark {
    replay(path, Some(3)).unwrap().game.mark()
}

fn line_of(fault: &Fault) -> u32 {
    fault.place.as_ref().unwrap().line
}

#[test]
fn games_that_tell_something_else_have_other_marks_in_the_same_state() {
    let played = |from: &str, to: &str| {
        let (workshop, found) = base(from, to);
        let (mut game, _) = workshop.start(&found, &Overrides::default()).unwrap();
        for _ in 0..3 {
            work(&mut game).unwrap();
        }
        game.mark()
    };
    let plain = played("", "");
    assert_eq!(played("", ""), plain);
    let others = [
        ("{side} works", "{side} works!"),
        ("{side} works", "somebody works"),
        (
            "text = `{side} works` }",
            "text = `{side} works`, unit = game:get(\"r1\") }",
        ),
    ];
    let mut seen = vec![plain.events];
    for (from, to) in others {
        let mark = played(from, to);
        assert_eq!(mark.state, plain.state, "{to}");
        assert!(!seen.contains(&mark.events), "{to}");
        seen.push(mark.events);
    }
}

/// A line whose mark is changed, which of its marks, and what is said of it.
const OTHER_MARKS: [(usize, usize, &str); 4] = [
    (
        0,
        0,
        "the rules in force come to another state: expected 0123456789abcdef before the first decision, found ",
    ),
    (
        0,
        1,
        "the rules in force tell something else: expected events 0123456789abcdef before the first decision, found ",
    ),
    (
        3,
        0,
        "the rules in force come to another state: expected 0123456789abcdef after decision 3, found ",
    ),
    (
        3,
        1,
        "the rules in force tell something else: expected events 0123456789abcdef after decision 3, found ",
    ),
];

#[test]
fn the_first_decision_that_differs_is_named() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let first = JournalFile::read(&path).unwrap().first_line;
    let whole = fs::read(&path).unwrap();
    for (number, which, reason) in OTHER_MARKS {
        fs::write(&path, &whole).unwrap();
        forged_at(&path, number, |line| remarked(line, which));
        let fault = fault_of(&path);
        assert_eq!(fault.code, FaultCode::PlaysOtherwise);
        assert!(fault.message.starts_with(reason), "{fault}");
        assert_eq!(line_of(&fault), first + number as u32, "{fault}");
        let hint = fault.hint.as_deref();
        let has_hint = which == 1 && number > 0;
        assert_eq!(
            hint.is_some_and(|hint| hint.starts_with("what is told there now: `")
                && hint.contains("`base.note`")),
            has_hint,
            "{hint:?}"
        );
    }
}

#[test]
fn an_input_that_is_not_taken_is_named() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let first = JournalFile::read(&path).unwrap().first_line;
    forged_at(&path, 4, |line| line.replace("base.core.work", "base.play"));
    let fault = fault_of(&path);
    assert_eq!(
        (fault.code, line_of(&fault)),
        (FaultCode::PlaysOtherwise, first + 4)
    );
    assert!(
        fault.message.starts_with("the input is not taken: "),
        "{fault}"
    );
}

#[test]
fn undone_decisions_and_reloads_come_out_as_they_were_told() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    let mut game = recorded(&path);
    game.undo(3, 0).unwrap();
    work(&mut game).unwrap();
    game.undo(1, 1).unwrap();
    work(&mut game).unwrap();
    let mark = game.mark();
    drop(game);
    let again = replay(&path, None).unwrap().game;
    assert_eq!(again.mark(), mark);
    let lines = JournalFile::read(&path).unwrap().lines;
    assert_eq!(
        lines
            .iter()
            .filter(|line| matches!(line, JournalLine::Undo { .. }))
            .count(),
        2
    );
    forged(&path, |_, line| {
        if line.starts_with("undo 2") {
            remarked(line, 1)
        } else {
            line.to_string()
        }
    });
    assert!(
        fault_of(&path)
            .message
            .contains("after what was taken back")
    );
}

/// A side that was given back to people is not a bot's again when the match is taken
/// up by another process, nor the other way round.
#[test]
fn who_decides_for_a_side_is_the_same_when_a_match_is_taken_up() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let taken_up = || Tabletop::resume(&path, &[], false).unwrap().table;
    let bot_of = |table: &Tabletop| table.about("referee").unwrap().sides[0].bot;
    let side = taken_up().about("referee").unwrap().sides[0].id.clone();
    for bot in [Some(BotSort::Greedy), None, Some(BotSort::Random)] {
        let mut table = taken_up();
        assert_ne!(bot_of(&table), bot);
        table.set_bot(&side, bot).unwrap();
        table.set_bot(&side, bot).unwrap();
        drop(table);
        assert_eq!(bot_of(&taken_up()), bot);
    }
    let lines = JournalFile::read(&path).unwrap().lines;
    let said = lines
        .iter()
        .filter(|line| matches!(line, JournalLine::Player { .. }));
    assert_eq!(said.count(), 3);
    assert!(replay(&path, None).is_ok());
    let early = Tabletop::load(&path, &[], Some(1)).unwrap().table;
    assert_eq!(bot_of(&early), None, "nobody had said so by then");
}

/// A client decides while its server is away: what it sends then is taken where it is
/// asked the same as before, and never for another prompt.
#[test]
fn the_number_of_a_prompt_is_the_same_when_a_match_is_taken_up() {
    let scratch = Scratch::new();
    let folders = [folder("../docs/examples")];
    let start = Start {
        scenario: "drill/range".into(),
        journal: Some(scratch.file("drill.journal")),
        ..Start::default()
    };
    let taken_up = || {
        let path = scratch.file("drill.journal");
        Tabletop::resume(&path, &folders, false).unwrap().table
    };
    let ask_of = |table: &Tabletop| table.asking("blue").unwrap().ask;
    let submission = |ask: u32, input: Json| -> Submission {
        serde_json::from_value(json!({ "ask": ask, "input": input })).unwrap()
    };
    let order = json!({ "input": "act", "by": "blue", "action": "drill.orders.give", "actor": "blue-1",
        "params": { "order": "shoot" } });
    let done = |by: &str| json!({ "input": "done", "by": by });

    let mut table = Tabletop::start(&folders, &start).unwrap();
    let first = ask_of(&table);
    table.submit_as(&submission(first, order)).unwrap();
    let second = ask_of(&table);
    assert_ne!(first, second);
    drop(table);

    let mut table = taken_up();
    assert_eq!(ask_of(&table), second, "it is asked the same");
    let stale = submission(first, done("blue"));
    assert!(matches!(
        table.submit_as(&stale),
        Err(Trouble::Stale { .. })
    ));
    table.submit_as(&submission(second, done("blue"))).unwrap();
    for late in [
        submission(first, done("blue")),
        submission(second, done("blue")),
    ] {
        assert!(matches!(table.submit_as(&late), Err(Trouble::Stale { .. })));
    }
}

/// What was taken back is asked anew, though it reads as it did before.
#[test]
fn the_number_of_a_prompt_is_another_after_an_undo() {
    let start = Start {
        scenario: "drill/range".into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&[folder("../docs/examples")], &start).unwrap();
    let first = table.asking("blue").unwrap();
    for by in ["blue", "red"] {
        table.submit(&WireInput::Done { by: by.into() }).unwrap();
    }
    table.undo("referee", 0).unwrap();
    let again = table.asking("blue").unwrap();
    assert_eq!(again.prompt, first.prompt);
    assert_ne!(again.ask, first.ask);
}

#[test]
fn of_a_journal_in_which_nothing_is_wrong_nothing_is_lost() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let saved = saved_of(&path).unwrap();
    assert_eq!(
        (
            saved.parting,
            saved.decisions,
            saved.replayed.game.recorded_inputs().len()
        ),
        (None, 5, 5)
    );
}

#[test]
fn what_comes_before_a_decision_that_differs_can_be_saved() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let third = third_of(&path);
    let first = JournalFile::read(&path).unwrap().first_line;
    forged_at(&path, 4, |line| remarked(line, 1));
    let saved = saved_of(&path).unwrap();
    let parting = saved.parting.unwrap();
    assert_eq!(
        (parting.decision, parting.line, saved.decisions),
        (4, first + 4, 5)
    );
    assert_eq!(parting.faults[0].code, FaultCode::PlaysOtherwise);
    assert_eq!(saved.replayed.game.mark(), third);
}

/// What comes after a byte that was changed cannot be read.
#[test]
fn what_comes_before_a_changed_byte_can_be_saved() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let third = third_of(&path);
    let first = JournalFile::read(&path).unwrap().first_line;
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().nth((first + 3) as usize).unwrap();
    fs::write(
        &path,
        text.replace(line, &line.replace("base.core.work", "base.wOrk")),
    )
    .unwrap();
    let saved = saved_of(&path).unwrap();
    let parting = saved.parting.unwrap();
    assert_eq!(
        (parting.decision, parting.line, saved.decisions),
        (4, first + 4, 3)
    );
    assert_eq!(parting.faults[0].code, FaultCode::BadJournal);
    assert_eq!(saved.replayed.game.mark(), third);
}

#[test]
fn of_a_changed_head_and_of_what_parts_at_once_nothing_can_be_saved() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    drop(recorded(&path));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("seed ", "seed 9", 1)).unwrap();
    assert_eq!(
        saved_of(&path).err().unwrap()[0].code,
        FaultCode::BadJournal
    );
    fs::write(&path, &text).unwrap();
    forged_at(&path, 0, |line| remarked(line, 0));
    assert_eq!(
        saved_of(&path).err().unwrap()[0].code,
        FaultCode::PlaysOtherwise
    );
}

#[test]
fn what_was_saved_is_a_journal_that_goes_on() {
    let scratch = Scratch::new();
    let (path, good) = (scratch.file("match.journal"), scratch.file("good.journal"));
    drop(recorded(&path));
    forged_at(&path, 4, |line| remarked(line, 0));
    let mut saved = Tabletop::salvage(&path, &[]).unwrap();
    let lost = saved.lost.unwrap();
    assert_eq!((lost.decision, lost.decisions), (4, 2));
    saved.loaded.table.save(&good).unwrap();
    let loaded = Tabletop::resume(&good, &[], false).unwrap();
    assert_eq!(
        (loaded.decisions, loaded.is_whole, loaded.is_torn),
        (3, true, false)
    );
    // It is the very beginning of the damaged one.
    assert!(
        fs::read(&path)
            .unwrap()
            .starts_with(&fs::read(&good).unwrap())
    );
}

#[test]
fn sources_that_are_gone_are_looked_for_among_the_mods() {
    let scratch = Scratch::new();
    let path = scratch.file("match.journal");
    let mark = recorded(&path).mark();
    let (workshop, _) = base("", "");
    let (other, _) = base("{side} works", "{side} rests");
    let sources = |workshop: &Workshop| {
        workshop
            .sources()
            .values()
            .cloned()
            .collect::<Vec<Sources>>()
    };
    // The sources of the mod are gone, those of the scenario are there.
    let mods = houserule_tests::files_under(&store_of(&path), &[""]);
    let of_mod = |path: &&PathBuf| fs::read_to_string(path).unwrap().contains("of base");
    fs::remove_file(mods.iter().find(of_mod).unwrap()).unwrap();
    let fault = fault_of(&path);
    assert_eq!(fault.code, FaultCode::Unreadable);
    assert!(
        fault.message.starts_with("the sources of mod `base` "),
        "{fault}"
    );
    assert!(
        fault.hint.as_ref().unwrap().contains("match.journal.mods"),
        "{fault}"
    );

    let mods = sources(&other);
    let faults = salvage(&path, &mods.iter().collect::<Vec<_>>())
        .err()
        .unwrap();
    assert_eq!(faults, [fault]);
    let mods = sources(&workshop);
    let saved = salvage(&path, &mods.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(saved.parting, None);
    assert_eq!(saved.replayed.game.mark(), mark);

    // The whole folder is gone, and the scenario is one of the mod's.
    fs::remove_dir_all(store_of(&path)).unwrap();
    let fault = fault_of(&path);
    assert_eq!(fault.code, FaultCode::Unreadable);
    let saved = salvage(&path, &mods.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(saved.parting, None);
    assert_eq!(saved.replayed.game.mark(), mark);
}
