//! Sources: what is read, and as what.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed at the end of the test.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("houserule-mods-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn one_file_is_read_as_it_is_now_and_makes_the_mod_that_reading_all_makes() {
    let scratch = Scratch::new();
    let manifest = "Mod(id: \"one\", version: \"1.0.0\", title: \"One\", engine: \"0.1\")";
    scratch.write("mod.ron", manifest);
    scratch.write("rules/a.luau", "-- before");
    let before = Sources::read(&scratch.0).unwrap();
    scratch.write("rules/a.luau", "\u{feff}-- after");
    scratch.write("rules/a.luau~", "-- before");
    let path = |inner: &str| scratch.0.join(inner);
    let (inner, now) = before
        .with_file_now(&path("rules/../rules/a.luau"))
        .unwrap();
    assert_eq!(
        (inner.as_str(), &now),
        ("rules/a.luau", &Sources::read(&scratch.0).unwrap())
    );
    assert_ne!(now.hash(), before.hash());
    scratch.write("rules/b.luau", "-- new");
    for other in [
        "mod.ron",
        "rules/a.luau~",
        "rules/b.luau",
        "rules",
        "../elsewhere",
    ] {
        assert_eq!(before.with_file_now(&path(other)), None, "{other}");
    }
    #[cfg(unix)]
    {
        fs::remove_file(path("rules/a.luau")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", path("rules/a.luau")).unwrap();
        assert_eq!(
            before.with_file_now(&path("rules/a.luau")),
            None,
            "a link that leaves the mod"
        );
    }
}

fn messages<'a>(faults: impl IntoIterator<Item = &'a Fault>) -> Vec<String> {
    faults
        .into_iter()
        .map(|f| format!("{}: {}", f.place.as_ref().unwrap().file, f.message))
        .collect()
}

#[test]
fn only_files_of_a_mod_are_read() {
    let scratch = Scratch::new();
    for path in [
        "mod.ron",
        "README.md",
        "data/a.ron",
        "rules/a.luau",
        "rules/deep/er/b.luau",
        "scenarios/a.ron",
        "tests/x/a.luau",
        "golden/a.snap",
    ] {
        scratch.write(path, "x");
    }
    for path in [
        "data/a.ron~",
        "data/.a.ron",
        "data/deep/a.ron",
        "other/a.ron",
        "rules/a.lua",
        ".git/config",
        "golden/a.snap.new",
        "rules/.luau",
        "a.ron",
    ] {
        scratch.write(path, [0xff]);
    }
    let sources = Sources::read(&scratch.0).unwrap();
    assert_eq!(sources.unread().count(), 0);
    let paths: Vec<&str> = sources.all().into_keys().collect();
    assert_eq!(
        paths,
        [
            "README.md",
            "data/a.ron",
            "golden/a.snap",
            "mod.ron",
            "rules/a.luau",
            "rules/deep/er/b.luau",
            "scenarios/a.ron",
            "tests/x/a.luau"
        ]
    );
    assert_eq!(sources.under("rules").count(), 2);
}

#[test]
fn the_hash_covers_what_can_change_play() {
    let files = |pairs: &[(&str, &str)]| {
        let files = pairs
            .iter()
            .map(|(path, text)| (path.to_string(), Arc::from(*text)));
        Sources::from_memory("m", files.collect()).hash()
    };
    let base = files(&[("mod.ron", "a"), ("data/x.ron", "b")]);
    assert_eq!(
        base,
        files(&[
            ("mod.ron", "a"),
            ("data/x.ron", "b"),
            ("README.md", "c"),
            ("golden/g.snap", "d")
        ])
    );
    assert_ne!(base, files(&[("mod.ron", "a"), ("data/x.ron", "c")]));
    assert_ne!(base, files(&[("mod.ron", "a"), ("data/y.ron", "b")]));
    assert_ne!(
        files(&[("rules/a.luau", "b")]),
        files(&[("rules/a.luau", ""), ("rules/b.luau", "")])
    );
    assert_eq!(
        base.to_hex().as_str(),
        "5da25342989b52ccf7c7a3c4c68508e1533753513b5fad75b95612864e1268b8",
        "records hold this hash: it may not change"
    );
}

#[test]
fn what_cannot_be_read_is_all_reported() {
    let scratch = Scratch::new();
    scratch.write("mod.ron", "Mod(id: \"m\")");
    scratch.write("data/bytes.ron", b"a\n\xffb");
    scratch.write("data/cut.ron", "a\nö".as_bytes().split_last().unwrap().1);
    scratch.write("data/large.ron", vec![b' '; LARGEST_FILE as usize + 1]);
    scratch.write("data/good.ron", "[]");
    scratch.write("scenarios/good.ron", "");
    scratch.write("scenarios/large.ron", vec![b' '; LARGEST_FILE as usize + 1]);
    scratch.write("tests", "not a folder");
    for folder in ["data/folder.ron", "rules/fire.luau"] {
        fs::create_dir_all(scratch.0.join(folder)).unwrap();
    }
    scratch.write("rules/fire.luau/a.luau", "");
    let sources = Sources::read(&scratch.0).unwrap();
    assert_eq!(
        messages(sources.unread()),
        [
            "data/bytes.ron: expected UTF-8, found the byte 0xff in line 2",
            "data/cut.ron: expected UTF-8, found a letter that is cut off at the end, in line 2",
            "data/folder.ron: expected a file, found a folder",
            "data/large.ron: expected a file of at most 4 MiB, found a larger one",
            "rules/fire.luau: expected a file, found a folder",
            "scenarios/large.ron: expected a file of at most 4 MiB, found a larger one",
            "tests: expected a folder, found a file",
        ]
    );
    // The mod is known by its id, whatever its folder is called.
    assert!(
        sources
            .unread()
            .all(|fault| *fault.place.as_ref().unwrap().module == *"m")
    );
    assert_eq!(sources.missing().count(), 5);
    let hints = sources.unread().filter_map(|fault| fault.hint.as_deref());
    assert_eq!(
        hints.collect::<Vec<_>>(),
        ["a folder of such files has no ending: `rules/fire`, for instance"]
    );
    let paths: Vec<&str> = sources.all().into_keys().collect();
    assert_eq!(paths, ["data/good.ron", "mod.ron", "scenarios/good.ron"]);
    assert!(Sources::read(&scratch.0.join("nowhere")).is_err());
    scratch.write("mod.ron", [0xff]);
    assert_eq!(Sources::read(&scratch.0).unwrap_err().len(), 8);
}

#[test]
fn a_mod_has_no_more_files_and_bytes_than_it_may() {
    let scratch = Scratch::new();
    scratch.write("mod.ron", "x");
    let most = LARGEST_MOD / LARGEST_FILE;
    for n in 0..=most {
        scratch.write(
            &format!("tests/{n:02}.luau"),
            vec![b' '; LARGEST_FILE as usize],
        );
    }
    let sources = Sources::read(&scratch.0).unwrap();
    // The manifest comes before the tests, and takes a byte.
    assert_eq!(
        messages(sources.unread()),
        ["tests/15.luau", "tests/16.luau"].map(|path| format!(
            "{path}: expected the files of a mod to have at most 64 MiB, found more"
        ))
    );
    let scratch = Scratch::new();
    scratch.write("mod.ron", "x");
    (0..MOST_FILES).for_each(|n| scratch.write(&format!("tests/{n}.luau"), ""));
    assert_eq!(
        messages(&Sources::read(&scratch.0).unwrap_err()),
        [": expected a mod of at most 10000 files, found more"]
    );
}

#[test]
fn a_mark_of_order_is_passed_over() {
    let scratch = Scratch::new();
    scratch.write("marked/mod.ron", "\u{feff}Mod(id: \"m\")");
    scratch.write("marked/rules/a.luau", "\u{feff}return 1");
    scratch.write("plain/mod.ron", "Mod(id: \"m\")");
    scratch.write("plain/rules/a.luau", "return 1");
    let read = |folder: &str| Sources::read(&scratch.0.join(folder)).unwrap();
    assert_eq!(
        (read("marked").to_files(), read("marked").hash()),
        (read("plain").to_files(), read("plain").hash())
    );
    assert_eq!(&*read("marked").id, "m");
    assert_eq!(
        read_text(&scratch.0.join("marked/rules/a.luau")).unwrap(),
        "return 1"
    );
}

#[cfg(unix)]
#[test]
fn links_may_not_loop_or_leave() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    scratch.write("m/mod.ron", "x");
    scratch.write("m/rules/a.luau", "x");
    scratch.write("secret/a.luau", "x");
    let at = |path: &str| scratch.0.join("m").join(path);
    symlink(at("rules"), at("rules/again")).unwrap();
    symlink("loop.luau", at("rules/loop.luau")).unwrap();
    symlink("nowhere", at("rules/gone.luau")).unwrap();
    symlink(scratch.0.join("secret"), at("rules/out")).unwrap();
    symlink(scratch.0.join("secret/a.luau"), at("rules/b.luau")).unwrap();
    symlink("/dev/zero", at("rules/zero.luau")).unwrap();
    symlink("a.luau", at("rules/same.luau")).unwrap();
    symlink("nowhere", at("tests")).unwrap();
    let sources = Sources::read(&scratch.0.join("m")).unwrap();
    let found = messages(sources.unread());
    assert_eq!(found.len(), 7, "{found:#?}");
    assert!(found[0].starts_with("rules/again: expected a link to somewhere else"));
    assert!(found[1].starts_with("rules/b.luau: expected a link that stays"));
    assert!(found[2].starts_with("rules/gone.luau: expected a file, or a link to one"));
    assert!(found[4].starts_with("rules/out: expected a link that stays"));
    assert!(found[6].starts_with("tests: expected a file, or a link to one"));
    let whole = scratch.0.to_string_lossy();
    assert!(
        sources
            .unread()
            .all(|fault| !fault.to_string().contains(&*whole))
    );
    let paths: Vec<&str> = sources.all().into_keys().collect();
    assert_eq!(
        paths,
        ["mod.ron", "rules/a.luau", "rules/same.luau"],
        "a link within the folder is a file like any"
    );
}

/// What is read could block for ever: a pipe that nobody writes into.
#[cfg(unix)]
#[test]
fn a_pipe_and_a_name_in_other_letters_cost_only_themselves() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let scratch = Scratch::new();
    scratch.write("mod.ron", "x");
    scratch.write("scenarios/good.ron", "");
    let pipe = scratch.0.join("scenarios/pipe.ron");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(pipe)
            .status()
            .unwrap()
            .success()
    );
    fs::write(
        scratch
            .0
            .join("scenarios")
            .join(OsStr::from_bytes(b"\xff.ron")),
        "",
    )
    .unwrap();
    fs::write(
        scratch
            .0
            .join("scenarios")
            .join(OsStr::from_bytes(b"\xff.ron~")),
        "",
    )
    .unwrap();
    let sources = Sources::read(&scratch.0).unwrap();
    assert_eq!(
        messages(sources.unread()),
        [
            "scenarios/pipe.ron: expected a plain file",
            "scenarios/\u{fffd}.ron: expected a file name in UTF-8, found \"\\xFF.ron\"",
        ]
    );
    assert!(sources.has("scenarios/good.ron"));
}

/// A mod with a rule, data, a scenario, cases, and a file of each part that
/// cannot be read.
fn partly_broken() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("mod.ron", "Mod(id: \"m\", version: \"1.0.0\")");
    for path in [
        "README.md",
        "data/a.ron",
        "golden/a.snap",
        "rules/a.luau",
        "scenarios/a.ron",
        "tests/a.luau",
    ] {
        scratch.write(path, "x");
    }
    for path in [
        "data/b.ron",
        "rules/b.luau",
        "scenarios/b.ron",
        "tests/b.luau",
    ] {
        scratch.write(path, [0xff]);
    }
    scratch
}

fn faulty<'a>(faults: impl Iterator<Item = &'a Fault>) -> Vec<&'a str> {
    faults.map(file_of).collect()
}

#[test]
fn who_plays_reads_rules_and_data_when_they_are_asked_for() {
    let scratch = partly_broken();
    let (whole, played) = (
        Sources::read(&scratch.0).unwrap(),
        Sources::read_to_play(&scratch.0).unwrap(),
    );
    assert!(
        played.has("scenarios/a.ron")
            && !played.has("scenarios/c.ron")
            && played.has("rules/a.luau")
            && !played.has("rules/c.luau")
            && !played.has("rules/a.lua")
    );
    assert!(played.get("mod.ron").is_some());
    assert!(
        played.unread_so_far().next().is_none(),
        "to be there is no reading"
    );
    assert_eq!(played.under("scenarios").count(), 1);
    assert_eq!(faulty(played.unread_so_far()), ["scenarios/b.ron"]);

    assert_eq!(played.hash(), whole.hash());
    assert_eq!(
        faulty(played.unread()),
        ["scenarios/b.ron", "data/b.ron", "rules/b.luau"]
    );
    assert_eq!(faulty(played.missing()), ["data/b.ron", "rules/b.luau"]);
    assert_eq!(faulty(whole.missing()), faulty(played.missing()));
    assert!(
        played
            .unread()
            .all(|fault| *fault.place.as_ref().unwrap().module == *"m")
    );
    let paths: Vec<&str> = played.all().into_keys().collect();
    assert_eq!(
        paths,
        ["data/a.ron", "mod.ron", "rules/a.luau", "scenarios/a.ron"]
    );
    for folder in ["data", "rules", "scenarios"] {
        assert!(played.under(folder).eq(whole.under(folder)), "{folder}");
    }
}

#[test]
fn what_was_asked_for_stays_as_it_was_read() {
    let scratch = partly_broken();
    let mut played = Sources::read_to_play(&scratch.0).unwrap();
    let later = Sources::read_to_play(&scratch.0).unwrap();
    let hash = played.hash();
    scratch.write("rules/a.luau", "y");
    assert_eq!(
        (&**played.get("rules/a.luau").unwrap(), played.hash()),
        ("x", hash)
    );
    assert_eq!(&**later.get("rules/a.luau").unwrap(), "y");
    assert_ne!(later.hash(), hash);

    played.put("rules/a.luau", "y");
    played.put("tests/a.luau", "z");
    assert_eq!(played.hash(), later.hash());
    let mut left = Sources::read_to_play(&scratch.0).unwrap();
    left.leave_out("rules");
    assert_eq!(
        (left.under("rules").count(), left.under("data").count()),
        (0, 1)
    );
    assert_eq!(
        faulty(left.missing()),
        ["data/b.ron", "rules/b.luau"],
        "a mod that lacks a file is none, whatever is left out of it"
    );
    assert_eq!(
        (played.under("rules").count(), played.under("tests").count()),
        (1, 1)
    );
}

#[test]
fn a_folder_that_is_gone_before_it_is_played_costs_its_mod() {
    let scratch = partly_broken();
    let played = Sources::read_to_play(&scratch.0).unwrap();
    std::fs::remove_dir_all(&scratch.0).unwrap();
    assert_eq!(played.under("rules").count(), 0);
    assert_eq!(faulty(played.missing()), [""]);
}

#[test]
fn which_mod_it_is_stands_at_the_front_of_its_manifest() {
    let scratch = Scratch::new();
    let long = "x".repeat(3 * FRONT as usize);
    for (text, id) in [
        (format!("// {long}\nMod(id: \"m\", doc: \"x\")"), "m"),
        (format!("Mod(id: \"m\", doc: \"{long}"), "m"),
        (
            format!("// é\n\n  Mod  (\n// id\n id :\n\"m\", doc: \"{long}\")"),
            "m",
        ),
        ("Mod(version: \"1.0.0\", id: \"m\")".into(), "m"),
    ] {
        scratch.write("mod.ron", &text);
        let (whole, played) = (
            Sources::read(&scratch.0).unwrap(),
            Sources::read_to_play(&scratch.0).unwrap(),
        );
        assert_eq!(
            (&*whole.id, &*played.id),
            (id, id),
            "{}",
            &text[..40.min(text.len())]
        );
        assert_eq!(
            played.get("mod.ron").map(|text| &**text),
            Some(text.as_str())
        );
        assert_eq!(played.hash(), whole.hash());
    }
    for text in [
        "Mod(id: \"m",
        "Mod(id: \"\\x6d\")",
        "Mod(id: \"M-1\")",
        "Mod(idea: \"m\")",
        "x",
        "",
    ] {
        scratch.write("mod.ron", text);
        let whole = Sources::read(&scratch.0).unwrap();
        assert_eq!(
            Sources::read_to_play(&scratch.0).unwrap().id,
            whole.id,
            "{text}"
        );
    }
}

#[test]
fn what_is_wrong_behind_the_front_of_a_manifest_is_told_when_it_is_read() {
    let scratch = Scratch::new();
    let mut bytes =
        format!("Mod(id: \"m\", doc: \"{}", "x".repeat(2 * FRONT as usize)).into_bytes();
    bytes.push(0xff);
    scratch.write("mod.ron", bytes);
    let whole = Sources::read(&scratch.0).unwrap_err();
    let played = Sources::read_to_play(&scratch.0).unwrap();
    assert_eq!(
        manifest::Manifest::read(&played).unwrap_err()[0].message,
        whole[0].message
    );
}
