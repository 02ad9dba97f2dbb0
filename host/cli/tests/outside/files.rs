//! Files that cannot be read, and files that change under a game.

use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use super::clean;
use super::common::{Ran, Scratch};

// ---- one bad file ----------------------------------------------------------------

/// Every way in which a file can be bad, under a name.
fn spoil(path: &Path, how: &str) {
    let _ = std::fs::remove_file(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    match how {
        "large" => std::fs::write(path, vec![b' '; 5 << 20]).unwrap(),
        "bytes" => std::fs::write(path, b"\n\xff\n").unwrap(),
        "dangling" => symlink("nowhere", path).unwrap(),
        "loop" => symlink(path, path).unwrap(),
        "leaves" => symlink("/etc/hostname", path).unwrap(),
        "zero" => symlink("/dev/zero", path).unwrap(),
        "folder" => std::fs::create_dir_all(path).unwrap(),
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        other => panic!("{other}"),
    }
}

const WAYS: [&str; 8] = [
    "large", "bytes", "dangling", "loop", "leaves", "zero", "folder", "pipe",
];

#[test]
fn a_scenario_that_cannot_be_read_costs_only_itself() {
    for how in WAYS {
        let scratch = Scratch::new();
        spoil(&scratch.0.join("mods/duel/scenarios/bad.ron"), how);
        let named = "mod `duel`, scenarios/bad.ron: expected ";
        scratch
            .ok("scenarios")
            .says(&["noon", "note: left out: F001", named]);
        let json = scratch.ok("scenarios --format json").document();
        assert_eq!(
            json["left_out"][0]["file"], "scenarios/bad.ron",
            "{how}: {json}"
        );
        assert!(
            json["scenarios"]
                .as_array()
                .unwrap()
                .iter()
                .any(|one| one["id"] == "noon")
        );
        let ran = scratch.ok("run noon");
        ran.says(&["victor"]);
        assert!(
            !ran.out.contains("left out") && !ran.err.contains(named),
            "who plays reads what is played: {how}: {}",
            ran.err
        );
        scratch.ok("play noon --no-journal").says(&[named]);
        scratch
            .fails(1, "run bad")
            .says(&["F001", "scenarios/bad.ron"]);
        scratch
            .fails(1, "check")
            .says(&["F001", named, "2 mods, 1 problem\n"]);
        scratch.ok("check snipers");
        // What is tested cannot be told to pass while a part of it is not read.
        scratch
            .fails(1, "test duel")
            .says(&["F001", named, "5 passed"]);
        scratch.ok("test snipers").says(&["left out: F001", named]);
    }
}

#[test]
fn rules_that_cannot_be_read_cost_their_mod() {
    for path in ["rules/bad.luau", "data/bad.ron"] {
        // A folder of any name may hold rules.
        for how in WAYS
            .iter()
            .filter(|how| **how != "folder" || path.starts_with("data"))
        {
            let scratch = Scratch::new();
            spoil(&scratch.0.join("mods/snipers").join(path), how);
            let named = format!("mod `snipers`, {path}: expected ");
            // Of a mod that takes no part only what it offers is read.
            let ran = scratch.ok("run noon");
            ran.says(&["victor"]);
            assert!(!ran.err.contains("snipers"), "{}", ran.err);
            scratch
                .fails(1, "run noon --with snipers")
                .says(&["F001", path]);
            scratch
                .fails(1, "check")
                .says(&["F001", &named, "2 mods, 1 problem\n"]);
            scratch.ok("check duel");
        }
    }
}

#[test]
fn a_manifest_that_cannot_be_read_costs_its_mod_and_is_told() {
    for how in WAYS {
        let scratch = Scratch::new();
        spoil(&scratch.0.join("mods/snipers/mod.ron"), how);
        scratch
            .ok("run noon")
            .says(&["victor", "mod `snipers`, mod.ron: expected "]);
        scratch
            .fails(1, "check")
            .says(&["F001", "mod.ron: expected "]);
        scratch
            .fails(1, "run noon --with snipers")
            .says(&["F001", "F010"]);
    }
}

#[test]
fn marks_of_order_and_line_ends_of_others_are_passed_over() {
    let scratch = Scratch::new();
    let before = scratch.ok("run noon").out;
    for path in [
        "mod.ron",
        "data/guns.ron",
        "rules/fire.luau",
        "rules/turn.luau",
        "scenarios/noon.ron",
        "tests/fire.luau",
    ] {
        let path = format!("mods/duel/{path}");
        let text = scratch.read(&path);
        scratch.write(&path, &format!("\u{feff}{}", text.replace('\n', "\r\n")));
    }
    scratch.write("houserule.ron", "\u{feff}Houserule(mods: [\"mods\"])\r\n");
    scratch.ok("check");
    // One of its scenarios has no golden.
    scratch.fails(1, "test duel").says(&["5 passed, 1 failed"]);
    let without_mods = |text: &str| {
        text.lines()
            .filter(|line| !line.contains("mods  "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        without_mods(&scratch.ok("run noon").out),
        without_mods(&before)
    );
    // A fault is still at its line, and nothing of the line's end is shown.
    scratch.edit("mods/duel/data/guns.ron", "\"12in\"", "\"12ni\"");
    let ran = scratch.fails(1, "check duel");
    ran.says(&["duel/data/guns.ron:", "12ni"]);
    clean("check", ran.out.as_bytes());
}

// ---- mods that change under a game ---------------------------------------------------

/// A game whose mods are cut off, emptied, moved and removed while it is played.
#[test]
fn whatever_becomes_of_the_files_the_game_goes_on() {
    let scratch = Scratch::new();
    let (rules, data) = ("mods/duel/rules/fire.luau", "mods/duel/data/guns.ron");
    let (whole_rules, whole_data) = (scratch.read(rules), scratch.read(data));
    // A line that is so long that the place of the cut is far to the right.
    let long = whole_data.replace('\n', &" ".repeat(70_000));
    let mut child = scratch
        .command("play noon --watch --view referee --journal w.journal")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let wait = || std::thread::sleep(std::time::Duration::from_millis(450));
    wait();
    // Cut inside of a rule, or what is left of the file would be whole.
    let cut = |at: &str| {
        (
            rules,
            whole_rules[..whole_rules.find(at).unwrap() + 8].to_string(),
        )
    };
    let mut steps: Vec<(&str, String)> =
        ["return if found", "local foe = game", "gun.fired = game"]
            .map(cut)
            .into();
    steps.push((data, long[..long.len() - long.len() / 8].to_string()));
    steps.push((data, "\u{feff}".to_string()));
    for (path, text) in &steps {
        scratch.write(path, text);
        wait();
        writeln!(input, "legal").unwrap();
    }
    scratch.write(data, &whole_data);
    scratch.write(rules, &whole_rules);
    std::fs::write(scratch.0.join(rules), &whole_rules.as_bytes()[..9]).unwrap();
    std::fs::remove_file(scratch.0.join(data)).unwrap();
    wait();
    std::fs::rename(
        scratch.0.join("mods/duel/rules"),
        scratch.0.join("mods/duel/laws"),
    )
    .unwrap();
    wait();
    std::fs::remove_dir_all(scratch.0.join("mods")).unwrap();
    wait();
    writeln!(input, "legal\nshoot sheriff\n1\nhistory\nquit").unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    ran.says(&[
        "not taken over; the game goes by the old rules",
        "shoot WHO",
        "the game is kept in w.journal",
    ]);
    assert!(ran.out.len() + ran.err.len() < 100_000);
    clean("play", ran.out.as_bytes());
    clean("play", ran.err.as_bytes());
}

#[test]
fn what_is_kept_of_texts_is_followed_only_while_it_is_right() {
    let scratch = Scratch::new();
    let cache = scratch.0.join("kept");
    let run = || {
        let ran = Ran::of(
            scratch
                .command("run noon")
                .env("HOUSERULE_CACHE", &cache)
                .output()
                .unwrap(),
        );
        assert_eq!((ran.code, &*ran.err), (0, ""));
        ran.out
    };
    let first = run();
    let kept = || {
        std::fs::read_dir(cache.join("texts"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let whole: Vec<(std::path::PathBuf, Vec<u8>)> = kept()
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    let written = || {
        kept()
            .map(|path| path.metadata().unwrap().modified().unwrap())
            .collect::<Vec<_>>()
    };
    let before = written();
    assert_eq!(
        (whole.len(), run()),
        (2, first.clone()),
        "texts, and the names in front of them"
    );
    assert_eq!(written(), before, "what is read is not written again");
    for cut in [0, 31, 40, 1000] {
        whole.iter().for_each(|(path, bytes)| {
            std::fs::write(path, &bytes[..cut.min(bytes.len() - 1)]).unwrap()
        });
        assert_eq!(run(), first);
    }
    whole.iter().for_each(|(path, bytes)| {
        assert_eq!(&std::fs::read(path).unwrap(), bytes, "{}", path.display())
    });
    scratch.edit("mods/duel/rules/fire.luau", "rules.die(6)", "rules.die(8)");
    assert!(first.contains(": d6=") && run().contains(": d8="));
}

// ---- what is written beside a game -------------------------------------------------

/// What a player types, line by line.
fn typed(scratch: &Scratch, lines: &str) -> Ran {
    let mut child = scratch
        .command("play noon")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn what_somebody_else_has_written_is_not_written_over() {
    let scratch = Scratch::new();
    scratch.write("notes.txt", "where the guns stand");
    let ran = typed(
        &scratch,
        "save notes.txt\nsvg notes.txt\nsvg map.svg nobody\nsave a.save\nsave a.save\nsvg map.svg\nsvg map.svg\nquit\n",
    );
    assert_eq!(scratch.read("notes.txt"), "where the guns stand");
    ran.says(&[
        "expected a new file, or an earlier save, found another file",
        "cannot draw into notes.txt: it is there already, and is no picture",
        "no: there is no `nobody`",
    ]);
    assert_eq!(ran.out.matches("saved in a.save").count(), 2, "{}", ran.out);
    assert_eq!(
        ran.out.matches("drawn into map.svg").count(),
        2,
        "{}",
        ran.out
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_may_go_into_a_pipe() {
    let scratch = Scratch::new();
    typed(&scratch, "svg /dev/stdout\nquit\n").says(&["<svg xmlns", "drawn into /dev/stdout"]);
}

/// A mod without its component would be played as one without rules.
#[test]
fn source_without_a_component_is_told_and_not_played() {
    let scratch = Scratch::new();
    let told = &[
        "expected a component in `rules`, built from what lies in `rust`, found none",
        "houserule build snipers",
    ];
    scratch.write("mods/snipers/rust/README.md", "one day");
    scratch.ok("run noon --with snipers --quiet");
    scratch.write("mods/snipers/rust/Cargo.toml", "[package]");
    for line in [
        "check snipers",
        "run noon --with snipers",
        "simulate noon --with snipers --games 2",
    ] {
        scratch.fails(1, line).says(told);
    }
    scratch.run("test snipers").says(told);
    scratch.ok("run noon --quiet");
}

#[test]
fn a_trace_is_whole_when_the_command_is_ended() {
    let scratch = Scratch::new();
    let mut child = scratch
        .command("simulate noon --games 1000000 --jobs 1 --out many.jsonl --trace trace.json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let has_begun =
        || std::fs::metadata(scratch.0.join("many.jsonl")).is_ok_and(|m| m.len() > 4_000);
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 143, "{}\n{}", ran.out, ran.err);
    ran.says(&["stopped"]);
    // The seeds that are told are those of the games that were played.
    let lines = scratch.read("many.jsonl").lines().count() as u64;
    let last = 7 + lines - 2;
    ran.says(&[
        &format!("seeds     7 to {last}\n"),
        &format!("stopped after {} of 1000000 games", lines - 1),
    ]);
    let trace: serde_json::Value = serde_json::from_str(&scratch.read("trace.json")).unwrap();
    assert!(trace.as_array().is_some_and(|events| events.len() > 10));
}

#[cfg(target_os = "linux")]
#[test]
fn a_trace_for_which_there_is_no_room_stops_no_game() {
    let scratch = Scratch::new();
    let ran = scratch.ok("run noon --quiet --trace /dev/full");
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert_eq!(
        ran.err.matches("the trace is not whole").count(),
        1,
        "{}",
        ran.err
    );
}

/// Each looks for a free name and has it for itself.
#[test]
fn games_that_are_begun_at_once_have_a_journal_each() {
    let scratch = Scratch::new();
    let begun: Vec<_> = (0..4)
        .map(|_| {
            let mut play = scratch.command("play noon");
            play.stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            play.spawn().unwrap()
        })
        .collect();
    for play in begun {
        let ran = Ran::of(play.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
    for number in 1..=4 {
        let path = format!(".houserule/noon-{number}.journal");
        assert!(scratch.read(&path).starts_with("houserule journal"));
    }
    // A name that is claimed for nothing is free again.
    assert_ne!(scratch.run("play noon --with no-such-mod").code, 0);
    assert!(!scratch.0.join(".houserule/noon-5.journal").exists());
}
