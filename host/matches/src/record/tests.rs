use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use kernel::decision::Input;
use kernel::digest::StateHash;
use kernel::error::{Fault, FaultCode};
use kernel::record::decode;
use kernel::value::{Name, Side, Value};
use kernel::world::World;
use proptest::prelude::*;

use super::*;

/// A folder that goes when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("houserule-record-{}-{count}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
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

fn files() -> Files {
    Files::from([
        ("mod.ron".to_string(), Arc::from("Mod(id: \"skirmish\")\n")),
        ("rules/fire.luau".to_string(), Arc::from("file 3 4\nend\n")),
        ("empty".to_string(), Arc::from("")),
    ])
}

fn header() -> JournalHeader {
    let hash = content_hash(&files());
    JournalHeader {
        selector: "skirmish --without skirmish.smoke".into(),
        scenario: "colonel_on_the_hill".into(),
        scenario_hash: hash,
        seed: 1996,
        turns: Some(6),
        mods: vec![ModRecord {
            id: "skirmish".into(),
            version: "1.0.0".into(),
            hash,
        }],
        engine: "0.1.0".into(),
        bots: vec![("red".into(), "greedy".into())],
        is_agreed: false,
    }
}

fn world() -> World {
    World::new(
        Arc::default(),
        Arc::from([Name::from("red"), Name::from("blue")]),
    )
}

fn say(text: &str) -> Input {
    Input::Answer {
        by: Side(1),
        question: "skirmish.withdraw.hold".into(),
        value: Value::text(text),
    }
}

fn mark(n: u8) -> Mark {
    Mark {
        state: StateHash::of(&[n]),
        events: StateHash::of(&[n, n]),
    }
}

/// A journal with its first line.
fn begun(path: &Path, header: &JournalHeader, durability: Durability) -> Journal {
    let mut journal = Journal::create(path, header, durability).unwrap();
    journal.write(&[begin_line(&mark(0))]).unwrap();
    journal
}

/// A journal of a beginning, three inputs, of which a fault undid the last, and
/// an end.
fn written(path: &Path) -> String {
    let (header, world) = (header(), world());
    let mut journal = begun(path, &header, Durability::Disk);
    journal.input(&say("hold"), &world, &mark(1)).unwrap();
    journal
        .input(&say("a = b\n\"c\""), &world, &mark(2))
        .unwrap();
    journal
        .input(&Input::Pass { by: Side(0) }, &world, &mark(3))
        .unwrap();
    let fault = Fault::new(FaultCode::TooLong, "ran\ntoo long");
    journal.fault(&fault, 1).unwrap();
    journal.end(&mark(2)).unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn what_is_written_is_read() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    let text = written(&path);
    let read = JournalFile::read(&path).unwrap();
    assert_eq!(read.header, header());
    assert!(!read.is_torn);
    assert_eq!(read.lines.len(), 6);
    assert_eq!(
        read.lines[0],
        JournalLine::Begin {
            mark: mark(0).shown()
        }
    );
    let whole = mark(2);
    let end = JournalLine::End {
        state: whole.state.to_string(),
        events: whole.events.to_string(),
    };
    assert_eq!(read.lines[5], end);
    assert_eq!(
        read.lines[4],
        JournalLine::Fault {
            code: "F030".into(),
            undone: 1,
            message: "ran too long".into()
        }
    );
    let played = read.played();
    assert_eq!(played.len(), 2);
    assert_eq!(decode(played[1].text, &world()), Ok(say("a = b\n\"c\"")));
    assert_eq!(*played[1].mark, mark(2).shown());
    let line = text.lines().nth(played[1].line as usize - 1).unwrap();
    assert!(
        line.ends_with(&played[1].mark.to_string()) && line.contains(played[1].text),
        "{line}"
    );
}

#[test]
fn the_text_of_a_journal() {
    let scratch = Scratch::new();
    insta::assert_snapshot!(written(&scratch.file("game.journal")), @r#"
    houserule journal 2
    selector skirmish --without skirmish.smoke
    scenario colonel_on_the_hill e41e803a30c758604f40ffc2dc9a302826d6f8b7560c45bb1de09b50bb328389
    seed 1996
    turns 6
    mod skirmish 1.0.0 e41e803a30c758604f40ffc2dc9a302826d6f8b7560c45bb1de09b50bb328389
    engine 0.1.0
    bot red greedy
    --- d93f8f6cb25ac1e4
    1 facec433ab5b32cc begin = 2d3adedff11b61f1 1ad48f49627079d8
    2 57dfe37a44dbf556 answer blue skirmish.withdraw.hold "hold" = 48fc721fbbc172e0 2022ec9d571ba774
    3 92c0f31933bc0498 answer blue skirmish.withdraw.hold "a = b\n\"c\"" = ab13bedf42e84bae 68c201ce98647196
    4 e1ba5538db39d922 pass red = e1e0e81d6ea39b0c f6843120b667e045
    5 458afffed623622d fault F030 undone 1 ran too long
    6 d8a600dba3056744 end ab13bedf42e84bae0f7c62c7dd6a8ada571e8829bed6ea558217f0361b5e25d0 68c201ce98647196e5d4d27fd06622d48d930afc1e4b2faed07047b8d512eccd
    "#);
}

#[test]
fn every_line_is_in_the_file_before_the_next() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    let mut journal = begun(&path, &header(), Durability::Process);
    for n in 1..=5 {
        journal.input(&say("hold"), &world(), &mark(n)).unwrap();
        assert_eq!(
            JournalFile::read(&path).unwrap().lines.len(),
            usize::from(n) + 1
        );
    }
}

#[test]
fn one_journal_has_one_writer() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    let first = Journal::create(&path, &header(), Durability::Process).unwrap();
    for second in [
        Journal::create(&path, &header(), Durability::Process).map(|_| ()),
        Journal::resume(&path, Durability::Process).map(|_| ()),
    ] {
        assert_eq!(second.unwrap_err().code, FaultCode::JournalBusy);
    }
    drop(first);
    Journal::resume(&path, Durability::Process).unwrap();
}

#[test]
fn a_file_that_holds_something_is_not_overwritten() {
    let scratch = Scratch::new();
    let path = scratch.file("letter.txt");
    fs::write(&path, "dear colonel").unwrap();
    let fault = Journal::create(&path, &header(), Durability::Process).unwrap_err();
    assert_eq!(fault.code, FaultCode::JournalUnwritten);
    assert_eq!(fs::read_to_string(&path).unwrap(), "dear colonel");
    let fault = Journal::resume(&path, Durability::Process).unwrap_err();
    assert_eq!(fault.code, FaultCode::BadJournal);
    assert_eq!(fs::read_to_string(&path).unwrap(), "dear colonel");
}

#[test]
fn a_header_that_would_not_be_read_back_is_refused() {
    let scratch = Scratch::new();
    let mut bad = header();
    bad.selector = "skirmish\nseed 7".into();
    let fault =
        Journal::create(&scratch.file("game.journal"), &bad, Durability::Process).unwrap_err();
    assert_eq!(fault.code, FaultCode::BadJournal);
}

#[test]
fn a_torn_line_is_dropped_and_the_chain_goes_on() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    let text = written(&path);
    // In the middle of a line, and in the middle of a letter of two bytes.
    let mut torn = text.clone().into_bytes();
    torn.extend_from_slice(b"7 0123456789abcdef answer blue \"\xc3");
    fs::write(&path, &torn).unwrap();
    let (mut journal, read) = Journal::resume(&path, Durability::Process).unwrap();
    assert!(read.is_torn);
    assert_eq!(read.lines.len(), 6);
    assert_eq!(
        fs::read(&path).unwrap(),
        torn,
        "resuming alone changes nothing"
    );
    journal.input(&say("hold"), &world(), &mark(9)).unwrap();
    let after = JournalFile::read(&path).unwrap();
    assert!(!after.is_torn);
    assert_eq!(after.lines.len(), 7);
    assert!(fs::read_to_string(&path).unwrap().starts_with(&text));
}

#[test]
fn a_changed_line_is_named() {
    let scratch = Scratch::new();
    let text = written(&scratch.file("game.journal"));
    let fault = |text: &str| {
        JournalFile::parse(text.as_bytes(), "game.journal")
            .unwrap_err()
            .to_string()
    };
    insta::assert_snapshot!(fault(&text.replacen("hold\" =", "fold\" =", 1)), @"fault F041 in game.journal:11: its hash does not fit: it or a line before it was changed");
    insta::assert_snapshot!(fault(&text.replacen("seed 1996", "seed 1997", 1)), @"fault F041 in game.journal:9: its hash does not fit: it or a line before it was changed");
    insta::assert_snapshot!(fault(&text.replacen("seed 1996", "seed many", 1)), @"fault F041 in game.journal:4: expected a number after `seed`, found `many`");
    insta::assert_snapshot!(fault(&text.replacen("seed 1996\n", "", 1)), @"fault F041 in game.journal:8: expected a line `seed`, found none");
    insta::assert_snapshot!(fault(&text.replacen("turns 6", "colour red", 1)), @"fault F041 in game.journal:5: expected selector, scenario, seed, turns, mod, engine, bot or undo, found `colour`");
    let without_third: String = text
        .lines()
        .enumerate()
        .filter(|(at, _)| *at != 12)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(fault(&without_third), @"fault F041 in game.journal:13: expected line 4, found `5`");
    insta::assert_snapshot!(fault(&text.replace('\n', "\r\n")), @r"
    fault F041 in game.journal:1: expected `houserule journal 2`, found `houserule journal 2 `
      hint: its line breaks were changed; keep journals as binary files
    ");
    insta::assert_snapshot!(fault(&text.replacen("journal 2", "journal 3", 1)), @r"
    fault F056 in game.journal:1: expected a journal of format 2, found one of format 3
      hint: houserule 0.1.0 wrote it: play it with that
    ");
    insta::assert_snapshot!(fault("houserule journal 2\nseed 1\n"), @"fault F041 in game.journal:3: expected a line of dashes after the header, found the end");
    insta::assert_snapshot!(fault(""), @r"
    fault F041 in game.journal:1: expected `houserule journal 2`, found ``
      hint: the file is empty
    ");
    insta::assert_snapshot!(fault("\u{1b}[2Jdear colonel"), @r"
    fault F041 in game.journal:1: expected `houserule journal 2`, found ` [2Jdear colonel`
      hint: this is no journal
    ");
    let mut bytes = text.into_bytes();
    let last = bytes.len() - 10;
    bytes[last] = 0xff;
    insta::assert_snapshot!(JournalFile::parse(&bytes, "game.journal").unwrap_err(), @"fault F041 in game.journal:15: it was changed: it is not UTF-8");
}

#[test]
fn journals_of_other_formats_name_the_version_that_plays_them() {
    let scratch = Scratch::new();
    let text = written(&scratch.file("game.journal"));
    let fault = |text: &str| {
        let fault = JournalFile::parse(text.as_bytes(), "game.journal").unwrap_err();
        assert_eq!(fault.code, FaultCode::OldJournal);
        fault.to_string()
    };
    insta::assert_snapshot!(fault(&text.replacen("journal 2", "journal 1", 1)), @r"
    fault F056 in game.journal:1: expected a journal of format 2, found one of format 1
      hint: houserule 0.1.0 as it was on 22 November 2026 is the last version that plays it
    ");
    insta::assert_snapshot!(fault(&text.replacen("journal 2", "journal 3", 1)), @r"
    fault F056 in game.journal:1: expected a journal of format 2, found one of format 3
      hint: houserule 0.1.0 wrote it: play it with that
    ");
    insta::assert_snapshot!(fault("houserule journal 4\n"), @r"
    fault F056 in game.journal:1: expected a journal of format 2, found one of format 4
      hint: a later version wrote it: play it with that
    ");
}

#[test]
fn a_match_begins_once_and_first() {
    let text = header().to_text();
    let journal = |lines: &[&str]| {
        let mut chain = kernel::record::HashChain::new(&text);
        let lines: String = lines.iter().map(|line| chain.append(line) + "\n").collect();
        let journal = format!("{text}{}\n{lines}", reading::header_end(&text));
        JournalFile::parse(journal.as_bytes(), "game.journal")
            .map(|read| read.lines.len())
            .map_err(|fault| fault.to_string())
    };
    let (begin, pass) = (begin_line(&mark(0)), input_line("pass red", None, &mark(1)));
    assert_eq!(journal(&[]), Ok(0));
    assert_eq!(journal(&[&begin, &pass]), Ok(2));
    let expected = "expected `begin` on the first line after the header, and only there";
    assert_eq!(
        journal(&[&pass]),
        Err(format!("fault F041 in game.journal:10: {expected}"))
    );
    assert_eq!(
        journal(&[&begin, &begin]),
        Err(format!("fault F041 in game.journal:11: {expected}"))
    );
}

#[test]
fn what_is_good_before_a_change_can_be_read() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    let text = written(&path);
    let whole = JournalFile::read(&path).unwrap();
    let good = |text: &str| {
        fs::write(&path, text).unwrap();
        let (file, damage) = JournalFile::read_good(&path).unwrap();
        assert!(whole.lines.starts_with(&file.lines));
        let line = damage
            .and_then(|fault| fault.place.clone())
            .map(|place| place.line);
        (file.lines.len(), line, file.is_torn)
    };
    assert_eq!(good(&text), (6, None, false));
    assert_eq!(
        good(&text.replacen("pass red", "pass blue", 1)),
        (3, Some(13), false)
    );
    assert_eq!(
        good(&text.replacen("begin", "began", 1)),
        (0, Some(10), false)
    );
    assert_eq!(good(&text[..text.len() - 3]), (5, None, true));
    fs::write(&path, text.replacen("seed 1996", "seed 1997", 1)).unwrap();
    assert_eq!(
        JournalFile::read_good(&path).unwrap_err().code,
        FaultCode::BadJournal
    );
}

#[test]
fn more_inputs_undone_than_there_are() {
    let text = header().to_text();
    let mut chain = kernel::record::HashChain::new(&text);
    let begin = chain.append(&begin_line(&mark(0)));
    let line = chain.append("fault F030 undone 1 too long");
    let journal = format!("{text}{}\n{begin}\n{line}\n", reading::header_end(&text));
    insta::assert_snapshot!(JournalFile::parse(journal.as_bytes(), "game.journal").unwrap_err(), @"fault F041 in game.journal:11: expected at most 0 inputs to be undone, found 1");
}

#[test]
fn what_is_no_file_is_told() {
    let scratch = Scratch::new();
    let fault = |path: &Path| JournalFile::read(path).unwrap_err().code;
    assert_eq!(fault(&scratch.0), FaultCode::Unreadable);
    assert_eq!(fault(&scratch.file("nothing")), FaultCode::Unreadable);
    assert_eq!(
        Journal::resume(&scratch.0, Durability::Process)
            .unwrap_err()
            .code,
        FaultCode::Unreadable
    );
    let create = Journal::create(
        &scratch.file("no/such/folder"),
        &header(),
        Durability::Process,
    );
    assert_eq!(create.unwrap_err().code, FaultCode::JournalUnwritten);
    let huge = scratch.file("huge");
    fs::File::create(&huge)
        .unwrap()
        .set_len(MOST_BYTES + 1)
        .unwrap();
    assert_eq!(fault(&huge), FaultCode::Unreadable);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_back_to_itself() {
    let scratch = Scratch::new();
    let link = scratch.file("loop");
    std::os::unix::fs::symlink(&link, &link).unwrap();
    assert_eq!(
        JournalFile::read(&link).unwrap_err().code,
        FaultCode::Unreadable
    );
}

#[cfg(target_os = "linux")]
mod full_disk {
    use super::*;

    #[test]
    fn a_full_device_takes_no_header_and_no_input() {
        let full = Path::new("/dev/full");
        let file = fs::OpenOptions::new().write(true).open(full).unwrap();
        let mut journal = Journal::writing(file, full, Durability::Process);
        let fault = journal.write_header(&header()).unwrap_err();
        assert_eq!(fault.code, FaultCode::JournalUnwritten);
        insta::assert_snapshot!(fault, @r"
        fault F043 in /dev/full: the journal cannot be written, so the input was not taken: No space left on device (os error 28)
          hint: free some space and try again; nothing is lost
        ");

        for _ in 0..2 {
            let fault = journal.input(&say("hold"), &world(), &mark(1)).unwrap_err();
            assert_eq!(fault.code, FaultCode::JournalUnwritten);
        }
    }

    #[test]
    fn a_device_is_no_place_for_a_journal() {
        let scratch = Scratch::new();
        let device = scratch.file("device");
        std::os::unix::fs::symlink("/dev/full", &device).unwrap();
        let begun = Journal::begin(&device, &header(), &kept(), &[""], Durability::Process);
        let fault = begun.unwrap_err();
        assert_eq!(fault.code, FaultCode::JournalUnwritten);
        assert_eq!(fault.message, "expected a file, found a device");
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
    }

    /// Where the limited process below finds its journal.
    const PLACE: &str = "HOUSERULE_TEST_LIMITED_JOURNAL";

    /// A process that may write a kilobyte or two to a file meets the same as a
    /// full disk: the first part of a line fits, the rest does not.
    #[test]
    fn a_line_that_fits_in_part_is_taken_back() {
        if let Some(path) = std::env::var_os(PLACE) {
            return write_until_full(Path::new(&path));
        }
        let scratch = Scratch::new();
        let path = scratch.file("game.journal");
        let limited = std::process::Command::new("sh")
            .args([
                "-c",
                "trap '' XFSZ; ulimit -f 2 || exit 9; exec \"$0\" \"$@\"",
            ])
            .arg(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "record::tests::full_disk::a_line_that_fits_in_part_is_taken_back",
            ])
            .env(PLACE, &path)
            .output()
            .unwrap();
        assert!(
            limited.status.success(),
            "{}",
            String::from_utf8_lossy(&limited.stdout)
        );
        // With room again, the match goes on where it was.
        let (mut journal, read) = Journal::resume(&path, Durability::Process).unwrap();
        assert!(!read.is_torn && !read.lines.is_empty());
        journal.input(&say("hold"), &world(), &mark(1)).unwrap();
        assert_eq!(
            JournalFile::read(&path).unwrap().lines.len(),
            read.lines.len() + 1
        );
    }

    fn write_until_full(path: &Path) {
        let mut journal = begun(path, &header(), Durability::Process);
        let mut whole = fs::read(path).unwrap();
        for _ in 0..100 {
            match journal.input(&say("hold"), &world(), &mark(1)) {
                Ok(()) => whole = fs::read(path).unwrap(),
                Err(fault) => {
                    assert_eq!(fault.code, FaultCode::JournalUnwritten);
                    assert_eq!(fs::read(path).unwrap(), whole);
                    return;
                }
            }
        }
        panic!("expected the limit to be met, found {} bytes", whole.len());
    }
}

#[test]
fn a_fault_that_could_not_be_written_comes_before_the_next_line() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    drop(begun(&path, &header(), Durability::Process));
    let (mut journal, _) = Journal::resume(&path, Durability::Process).unwrap();
    journal.input(&say("hold"), &world(), &mark(1)).unwrap();
    journal.break_for_test();
    journal
        .fault(&Fault::new(FaultCode::Script, "oh"), 1)
        .unwrap_err();
    journal.mend_for_test(&path);
    journal.input(&say("fold"), &world(), &mark(2)).unwrap();
    let read = JournalFile::read(&path).unwrap();
    assert!(matches!(
        read.lines[2],
        JournalLine::Fault { undone: 1, .. }
    ));
    assert_eq!(read.played().len(), 1);
}

#[test]
fn several_lines_are_written_all_or_none() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    drop(begun(&path, &header(), Durability::Process));
    let (mut journal, _) = Journal::resume(&path, Durability::Process).unwrap();
    let both = [input_line("pass red", None, &mark(1)), end_line(&mark(1))];
    journal.break_for_test();
    journal.write(&both).unwrap_err();
    journal.mend_for_test(&path);
    assert_eq!(JournalFile::read(&path).unwrap().lines.len(), 1);
    journal.write(&both).unwrap();
    let read = JournalFile::read(&path).unwrap();
    assert!(matches!(
        read.lines[1..],
        [JournalLine::Input { .. }, JournalLine::End { .. }]
    ));
}

fn kept() -> KeptSources {
    KeptSources::from([(content_hash(&files()), ("skirmish".to_string(), files()))])
}

#[test]
fn a_journal_is_begun_with_its_sources_or_not_at_all() {
    let scratch = Scratch::new();
    let lines = [begin_line(&mark(0)), end_line(&mark(0))];
    let begin = |path: &Path, durability| {
        Journal::begin(path, &header(), &kept(), &lines, durability).map(drop)
    };
    let path = scratch.file("new/folder/game.journal");
    begin(&path, Durability::Disk).unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        Journal::text(&path, &header(), &lines).unwrap()
    );
    assert_eq!(JournalFile::read(&path).unwrap().lines.len(), 2);
    let [hash] = Vec::from_iter(kept().into_keys())[..] else {
        panic!("one mod")
    };
    assert_eq!(Store::beside(&path).get(&hash).unwrap(), files());

    // Beside what is no place for a journal nothing is kept.
    let notes = scratch.file("notes");
    fs::write(&notes, "mine").unwrap();
    for wrong in [&*notes, &scratch.0, Path::new(""), Path::new("/")] {
        let fault = begin(wrong, Durability::Process).unwrap_err();
        assert_eq!(fault.code, FaultCode::JournalUnwritten, "{fault}");
        let store = Store::beside(wrong);
        assert!(!store.folder().exists(), "{}", wrong.display());
    }
    // Nor does a journal stay whose sources cannot be kept.
    let path = scratch.file("game.journal");
    fs::write(Store::beside(&path).folder(), "in the way").unwrap();
    begin(&path, Durability::Process).unwrap_err();
    assert!(!path.exists());
}

#[test]
fn who_goes_on_with_a_journal_tidies_what_was_half_written_beside_it() {
    let scratch = Scratch::new();
    let path = scratch.file("game.journal");
    let lines = [begin_line(&mark(0))];
    Journal::begin(&path, &header(), &kept(), &lines, Durability::Process).unwrap();
    let folder = Store::beside(&path).folder().to_path_buf();
    let [hash] = Vec::from_iter(kept().into_keys())[..] else {
        panic!("one mod")
    };
    // A process that is gone has left one, another writes one now; and one is not ours.
    let file = |process: u32| folder.join(format!(".{hash}.draft-{process}-0"));
    fs::write(file(1), "half").unwrap();
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let written = rules::alone::open(&mut options, &file(2)).unwrap();
    fs::write(folder.join(".notes.draft-1-0"), "mine").unwrap();
    let cut = scratch.file(".game.journal.draft-1-0");
    fs::write(&cut, "half").unwrap();
    Journal::resume(&path, Durability::Process).unwrap();
    let found = |path: &Path| path.exists();
    assert_eq!([found(&file(1)), found(&file(2))], [false, true]);
    assert!(!found(&cut), "nor of the journal itself");
    assert!(found(&folder.join(".notes.draft-1-0")) && found(&folder.join(hash.to_string())));
    drop(written);
    Journal::resume(&path, Durability::Process).unwrap();
    assert!(!found(&file(2)));
}

#[test]
fn the_store_gives_back_what_it_was_given() {
    let scratch = Scratch::new();
    let store = Store::beside(&scratch.file("game.journal"));
    assert_eq!(store.folder(), scratch.file("game.journal.mods"));
    let hash = store.put("skirmish", &files()).unwrap();
    assert_eq!(store.put("another name", &files()).unwrap(), hash);
    assert_eq!(store.get(&hash).unwrap(), files());
    assert_eq!(
        fs::read_dir(store.folder()).unwrap().count(),
        1,
        "no draft is left"
    );
    assert_eq!(hash.to_string().parse(), Ok(hash));

    let path = store.folder().join(hash.to_string());
    let text = fs::read_to_string(&path).unwrap();
    insta::assert_snapshot!(text, @r#"
    houserule content 1
    of skirmish
    file 5 0
    empty

    file 7 20
    mod.ron
    Mod(id: "skirmish")

    file 15 13
    rules/fire.luau
    file 3 4
    end

    end
    "#);
    for changed in [
        text.replace("id: ", "id: _"),
        text.replace("skirmish\"", "skirmisH\""),
        String::new(),
    ] {
        fs::write(&path, changed).unwrap();
        assert_eq!(store.get(&hash).unwrap_err().code, FaultCode::BadJournal);
    }
    assert_eq!(store.put("skirmish", &files()).unwrap(), hash);
    assert_eq!(
        store.get(&hash).unwrap(),
        files(),
        "what was damaged is written again"
    );
    let missing = content_hash(&Files::new());
    assert_eq!(store.get(&missing).unwrap_err().code, FaultCode::Unreadable);
}

proptest! {
    /// Whatever happens to a journal: it is refused, or what is read of it is
    /// what was written, up to where it was cut.
    #[test]
    fn a_damaged_journal_is_refused_or_cut(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..4)
    ) {
        let scratch = Scratch::new();
        let text = written(&scratch.file("game.journal"));
        let whole = JournalFile::parse(text.as_bytes(), "game.journal").unwrap();
        let mut bytes = text.into_bytes();
        for (at, byte, how) in damage {
            let at = at.index(bytes.len().max(1));
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at.min(bytes.len()), byte),
                _ => bytes.truncate(at),
            }
        }
        if let Ok(read) = JournalFile::parse(&bytes, "game.journal") {
            prop_assert_eq!(&read.header, &whole.header);
            prop_assert!(whole.lines.starts_with(&read.lines));
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = JournalFile::parse(&bytes, "noise");
        let mut after = b"houserule journal 2\n".to_vec();
        after.extend(bytes);
        let _ = JournalFile::parse(&after, "noise");
    }

    #[test]
    fn any_files_come_back(files in prop::collection::btree_map(".{0,8}", ".{0,20}", 0..4)) {
        let scratch = Scratch::new();
        let files: Files = files.into_iter().map(|(path, content)| (path, Arc::from(content))).collect();
        let store = Store::beside(&scratch.file("game.journal"));
        let hash = store.put("any", &files).unwrap();
        prop_assert_eq!(store.get(&hash).unwrap(), files);
    }
}
