//! Files that are not as they should be: unreadable, changed, written by
//! others, or on a disk that is full.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::play::{Match, SubmitError, replay};
use houserule::record::{Durability, Journal, JournalFile};
use houserule::workshop::{Found, Overrides, Workshop};
use houserule_tests::folder;
use kernel::decision::Input;
use kernel::error::FaultCode;
use kernel::value::Value;

/// A folder that is removed at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-files-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const MANIFEST: &str =
    "Mod(id: \"m\", version: \"1.0.0\", title: \"M\", authors: [], engine: \"0.1\", groups: [])";

#[test]
fn what_cannot_be_read_is_all_told() {
    let scratch = Scratch::new();
    scratch.write("mods/m/mod.ron", MANIFEST);
    scratch.write("mods/m/rules/bytes.luau", [0x2d, 0x2d, 0xff]);
    scratch.write("mods/m/rules/huge.luau", vec![b' '; (4 << 20) + 1]);
    let locked = scratch.write("mods/m/rules/locked.luau", "return 1");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let folder = scratch.0.join("mods/m");
    symlink(folder.join("rules"), folder.join("rules/loop")).unwrap();
    symlink(
        folder.join("rules/itself.luau"),
        folder.join("rules/itself.luau"),
    )
    .unwrap();
    symlink("/dev/zero", folder.join("rules/zero.luau")).unwrap();
    scratch.write("mods/other/mod.ron", MANIFEST.replace("\"m\"", "\"other\""));
    let (workshop, faults) = Workshop::open(&[scratch.0.join("mods")]);
    let found: Vec<&str> = faults
        .iter()
        .map(|fault| &*fault.place.as_ref().unwrap().file)
        .collect();
    // Whoever may read everything can read the locked one too.
    let is_root = fs::read(&locked).is_ok();
    assert!(
        workshop.manifest("m").is_ok(),
        "what cannot be read of a mod hides the rest of it"
    );
    let expected: Vec<&str> = [
        "rules/bytes.luau",
        "rules/huge.luau",
        "rules/itself.luau",
        "rules/locked.luau",
        "rules/loop",
        "rules/zero.luau",
    ]
    .into_iter()
    .filter(|path| !(is_root && path.contains("locked")))
    .collect();
    assert_eq!(found, expected, "{faults:#?}");
    assert!(
        faults
            .iter()
            .all(|fault| fault.code == FaultCode::Unreadable)
    );
    assert!(
        workshop.manifest("other").is_ok(),
        "one broken mod hides the others"
    );
}

#[test]
fn folders_and_scenarios_that_are_not_there() {
    let scratch = Scratch::new();
    let (workshop, faults) = Workshop::open(&[scratch.0.join("nowhere")]);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, FaultCode::Unreadable);
    let huge = scratch.write("huge.ron", vec![b' '; (4 << 20) + 1]);
    let bytes = scratch.write("bytes.ron", [0xff]);
    for path in [
        scratch.0.join("none.ron"),
        huge,
        bytes,
        PathBuf::from("/dev/zero.ron"),
    ] {
        let faults = workshop.scenario(&path.to_string_lossy()).unwrap_err();
        assert_eq!(faults[0].code, FaultCode::Unreadable, "{faults:?}");
    }
    symlink("/dev/zero", scratch.0.join("zero.ron")).unwrap();
    let faults = workshop
        .scenario(&scratch.0.join("zero.ron").to_string_lossy())
        .unwrap_err();
    assert_eq!(faults[0].code, FaultCode::Unreadable, "{faults:?}");
}

fn base() -> (Workshop, Found) {
    let (workshop, faults) = Workshop::open(&[folder("base")]);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("field").unwrap();
    (workshop, found)
}

fn work(game: &mut Match) -> Result<(), SubmitError> {
    let by = game.wanted().sides()[0];
    game.submit(&Input::Act {
        by,
        action: "base.core.work".into(),
        actor: None,
        params: Value::Map(Arc::default()),
    })
}

fn recorded(path: &Path) -> Match {
    let (workshop, found) = base();
    let (mut game, active) = workshop.start(&found, &Overrides::default()).unwrap();
    workshop
        .record(&mut game, &found, &active, path, Durability::default())
        .unwrap();
    game
}

#[test]
fn a_journal_plays_again() {
    let scratch = Scratch::new();
    let path = scratch.0.join("match.journal");
    let mut game = recorded(&path);
    for _ in 0..5 {
        work(&mut game).unwrap();
    }
    let again = replay(&path, None).unwrap().game;
    assert_eq!(again.hash(), game.hash());
    assert_eq!(again.events(), game.events());
}

#[test]
fn a_journal_that_was_cut_or_edited_is_told() {
    let scratch = Scratch::new();
    let path = scratch.0.join("match.journal");
    let mut game = recorded(&path);
    for _ in 0..5 {
        work(&mut game).unwrap();
    }
    drop(game);
    let whole = fs::read(&path).unwrap();
    // Cut anywhere: what is whole is read, or the cut is told; never a panic.
    for length in 0..whole.len() {
        if let Ok(file) = JournalFile::parse(&whole[..length], "cut") {
            assert!(file.lines.len() <= 6);
        }
    }
    // Changed anywhere: it is always noticed.
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        let read = JournalFile::parse(&changed, "changed");
        let is_noticed = match &read {
            // A change of the number in the first line names another format.
            Err(fault) => {
                let is_code = matches!(fault.code, FaultCode::BadJournal | FaultCode::OldJournal);
                is_code && fault.place.is_some()
            }
            // The last line break, or within the last line: it is torn then.
            Ok(file) => file.is_torn,
        };
        assert!(is_noticed, "byte {place}: {read:?}");
    }
}

#[test]
fn a_journal_of_other_mods_is_told() {
    let scratch = Scratch::new();
    let path = scratch.0.join("match.journal");
    let mut game = recorded(&path);
    work(&mut game).unwrap();
    drop(game);
    // What is kept of the mods is gone, or is no longer what it was.
    let store = houserule::play::store_of(&path);
    let mut files = houserule_tests::files_under(&store, &[""]);
    files.retain(|path| path.is_file());
    assert!(!files.is_empty());
    for file in &files {
        let before = fs::read(file).unwrap();
        fs::write(file, "something else").unwrap();
        assert!(replay(&path, None).is_err(), "{}", file.display());
        fs::remove_file(file).unwrap();
        assert!(replay(&path, None).is_err(), "{}", file.display());
        fs::write(file, before).unwrap();
    }
    replay(&path, None).unwrap();
}

#[test]
fn one_journal_has_one_writer() {
    let scratch = Scratch::new();
    let path = scratch.0.join("match.journal");
    let mut game = recorded(&path);
    work(&mut game).unwrap();
    let fault = Journal::resume(&path, Durability::default()).err().unwrap();
    assert_eq!(fault.code, FaultCode::JournalBusy);
    work(&mut game).unwrap();
    drop(game);
    let (_, file) = Journal::resume(&path, Durability::default()).unwrap();
    assert_eq!(file.played().len(), 2);
}

#[test]
fn a_full_disk_takes_no_input() {
    let (workshop, found) = base();
    let (mut game, active) = workshop.start(&found, &Overrides::default()).unwrap();
    let full = PathBuf::from("/dev/full");
    let before = game.hash();
    let fault = workshop
        .record(&mut game, &found, &active, &full, Durability::default())
        .unwrap_err();
    assert!(matches!(fault.code, FaultCode::JournalUnwritten), "{fault}");
    assert_eq!(game.hash(), before);
    work(&mut game).unwrap();
}
