//! Games at a table: driven by a pipe, watched while rules are saved, stopped
//! at any moment.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may unwrap and panic"
)]

#[path = "live/begun.rs"]
mod begun;
#[allow(dead_code, reason = "other tests use the rest")]
mod common;
#[path = "live/declared.rs"]
mod declared;
#[path = "live/folders.rs"]
mod folders;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use common::{Ran, Scratch};
use houserule::embed::Tabletop;

/// A scratch folder with the duel in it.
fn yard() -> Scratch {
    let scratch = Scratch::new();
    let duel = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/duel");
    for file in [
        "mod.ron",
        "data/duel.ron",
        "rules/duel.luau",
        "scenarios/yard.ron",
    ] {
        let text = std::fs::read_to_string(duel.join(file)).unwrap();
        scratch.write(&format!("duel/{file}"), &text);
    }
    scratch
}

/// What a table says to these lines.
fn play(scratch: &Scratch, line: &str, typed: &str) -> Ran {
    let mut child = scratch
        .command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn a_game_by_pipe() {
    let yard = yard();
    let typed = "legal\nstrike\nno\nlook bruno\nmap rufus\nhistory\nundo 2\nstrike\n1\nwhy hits\nsvg table.svg\nsave raid.save\nquit\n";
    let ran = play(
        &yard,
        "--mods duel play yard --view referee --journal a.journal",
        typed,
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran.says(&[
        "strike WHO",
        "blue: Parry?",
        "rufus hits bruno for",
        "bruno (man)",
        "A rufus (red man) at (6.0, 6.0), facing E",
        "   1 Red: Strike — rufus",
        "2 taken back; 0 decisions stand",
        "duel.core.points",
        "drawn into table.svg",
        "saved in raid.save",
        "the game is kept in a.journal",
    ]);
    assert!(yard.read("table.svg").starts_with("<svg"));
    let ran = play(
        &yard,
        "--mods duel play --load raid.save --view referee",
        "why hits\nhistory\nundo\nredo\n",
    );
    ran.says(&[
        "duel.core.points",
        "   2 Blue: Parry? yes",
        "1 taken back; 1 decision stands",
        "again: Blue: Parry? ",
    ]);
    yard.ok("--mods duel replay raid.save --verify");
    yard.ok("--mods duel replay a.journal --verify");
}

#[test]
fn a_game_that_is_loaded_leaves_its_file_as_it_is() {
    let yard = yard();
    let typed = "strike\nno\nsave raid.save\nload raid.save\nstrike\nyes\nquit\n";
    let ran = play(
        &yard,
        "--mods duel play yard --view referee --journal a.journal",
        typed,
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran.says(&["this game goes on in .houserule/yard-1.journal; raid.save stays as it is"]);
    let decisions = |file: &str| {
        Tabletop::load(&yard.0.join(file), &[yard.0.join("duel")], None)
            .unwrap()
            .decisions
    };
    assert_eq!(
        (
            decisions("a.journal"),
            decisions("raid.save"),
            decisions(".houserule/yard-1.journal")
        ),
        (2, 2, 4)
    );
    let ran = play(
        &yard,
        "--mods duel play --load raid.save --view referee",
        "strike\nno\n",
    );
    ran.says(&["this game is kept in .houserule/yard-2.journal"]);
    assert_eq!(
        (
            decisions("raid.save"),
            decisions(".houserule/yard-2.journal")
        ),
        (2, 4)
    );
    play(
        &yard,
        "--mods duel play --load raid.save --view referee --no-journal",
        "strike\nno\n",
    );
    assert_eq!(decisions("raid.save"), 2);
    play(
        &yard,
        "--mods duel play --load raid.save --view referee --in-place",
        "strike\nno\n",
    );
    assert_eq!(decisions("raid.save"), 4);
    yard.ok("--mods duel replay .houserule/yard-2.journal --verify");
}

#[test]
fn a_damaged_game_is_taken_up_where_it_is_good() {
    let yard = yard();
    let typed = "strike\nno\nstrike\nyes\nquit\n";
    play(
        &yard,
        "--mods duel play yard --view referee --journal a.journal",
        typed,
    );
    yard.edit("a.journal", "duel.parry true", "duel.parry false");
    let damaged = yard.read("a.journal");

    let ran = yard.fails(1, "--mods duel replay a.journal --verify");
    ran.says(&[
        "F041",
        "a.journal:",
        "the game up to decision 3 can be played",
    ]);
    ran.says(&["houserule replay a.journal --salvage NEW"]);
    let ran = yard.fails(1, "--mods duel play --load a.journal --view referee");
    ran.says(&["F041", "houserule play --load a.journal --salvage"]);

    let ran = yard.ok("--mods duel replay a.journal --salvage good.journal");
    ran.says(&[
        "F041",
        "lost from decision 4 on",
        "3 decisions saved in good.journal",
    ]);
    yard.ok("--mods duel replay good.journal --verify")
        .says(&["3 decisions, every state and event as recorded"]);
    yard.fails(1, "--mods duel replay a.journal --salvage good.journal")
        .says(&["F043", "good.journal"]);
    let json = yard
        .ok("--mods duel replay a.journal --salvage other.journal --format json")
        .lines();
    let salvaged = json.last().unwrap();
    assert_eq!(
        (&salvaged["inputs"], &salvaged["lost"]["from"]),
        (&3.into(), &4.into())
    );

    let line = "--mods duel play --load a.journal --salvage --view referee --journal b.journal";
    play(&yard, line, "history\nyes\nquit\n")
        .says(&["lost from decision 4 on", "   1 Red: Strike — rufus"]);
    yard.ok("--mods duel replay b.journal --verify")
        .says(&["4 decisions, every state and event as recorded"]);
    assert_eq!(yard.read("a.journal"), damaged);
}

#[test]
fn what_is_told_of_a_piece_is_what_has_changed() {
    let yard = yard();
    let typed = "look bruno\nstrike\nno\nlook bruno\nlook bruno all\nquit\n";
    let ran = play(
        &yard,
        "--mods duel play yard --view referee --no-journal",
        typed,
    );
    ran.says(&[
        "facing",
        "270°",
        "where he looks",
        "what he can take",
        "more: `look bruno all`",
    ]);
    let first = ran.out.split("rufus hits bruno").next().unwrap();
    assert!(!first.contains("what he can take"), "{first}");
    ran.says(&["nerve", "calm"]);
}

#[test]
fn bad_words_are_told_and_change_nothing() {
    let yard = yard();
    let typed = "\u{1b}[Adance\nhelp dance\nhelp strike\nsvg no/where.svg\nstrike bruno\nanswer yes\nstrike rufus too many\nundo\nredo\nlook nobody\nmap nobody\nload nothing\nview green\nbot red clever\nsave\nhelp undo\nstrike rufus\nperhaps\nhistory\nquit\n";
    let ran = play(&yard, "--mods duel play yard --no-journal", typed);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran.says(&[
        "nothing is called `dance` here",
        "strike WHO  Strike",
        "no question waits for an answer from you",
        "one word too many",
        "there is nothing of yours to take back",
        "nothing was taken back",
        "there is no `nobody`",
        "there is no such piece",
        "expected a side",
        "expected random or greedy",
        "take your last decisions back",
        "== blue ==",
        "expected one of `yes`, `no`",
    ]);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert!(
        !ran.out.contains('\u{1b}') && !ran.out.contains("drawn into"),
        "{}",
        ran.out
    );
}

#[test]
fn an_action_that_is_called_like_a_word_of_the_table_has_a_longer_name() {
    let yard = yard();
    let rules = yard
        .read("duel/rules/duel.luau")
        .replace(
            "core.strike = rules.action { title = \"Strike\"",
            "core.load = rules.action { title = \"Load and strike\"",
        )
        .replace("core.strike_", "core.load_");
    yard.write("duel/rules/duel.luau", &rules);
    let typed = "legal\nload bruno\ncore.load rufus\nquit\n";
    let ran = play(&yard, "--mods duel play yard --no-journal", typed);
    ran.says(&["core.load WHO", "No such file", "Parry?"]);
}

#[test]
fn a_side_sees_its_own_screen() {
    let yard = yard();
    let ran = play(
        &yard,
        "--mods duel play yard --no-journal --bot blue=random",
        "strike rufus\nlook bruno\nlook rufus\nquit\n",
    );
    ran.says(&["hidden from you: grudge"]);
    let rufus = ran.out.split("rufus (man)").nth(1).unwrap();
    assert!(!rufus.contains("hidden from you"), "{}", ran.out);
}

/// The worth of markers is drawn before anybody acts: who looks as the attacker
/// reads none of it, in the report or at the piece.
#[test]
fn the_attacker_of_the_raid_reads_no_value_of_a_marker() {
    let scratch = Scratch::new();
    let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    let look = |viewer: &str| {
        let line = format!(
            "--mods {} play border-raid --no-journal --bot red=greedy --view {viewer}",
            mods.display()
        );
        play(&scratch, &line, "report 12\nlook post\nquit\n")
    };
    let values = |ran: &Ran| {
        let is_value = |word: &&str| {
            word.len() == 2 && word.starts_with('V') && word.ends_with(char::is_numeric)
        };
        ran.out.split_whitespace().filter(is_value).count()
    };
    let (blue, referee) = (look("blue"), look("referee"));
    blue.says(&[
        "chits     ?, from the markers",
        "post (objective)",
        "hidden from you: value",
    ]);
    assert_eq!(values(&blue), 0, "{}", blue.out);
    assert!(
        values(&referee) > 0 && !referee.out.contains("hidden from you"),
        "{}",
        referee.out
    );
}

#[test]
fn who_looks_as_one_side_reads_nothing_of_what_the_other_decided() {
    let scratch = Scratch::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let line = format!(
        "--mods {} play drill/range --no-journal --bot red=greedy --view",
        examples.display()
    );
    let typed = "give blue-1 shoot\nhistory\nundo\nredo\nundo 5\nhistory\nquit\n";
    let ran = play(&scratch, &format!("{line} blue"), typed);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran.says(&[
        "0 decisions so far",
        "   1 Blue: Give an order — blue-1",
        "taken back\n",
    ]);
    ran.says(&[
        "again: Blue: Give an order — blue-1",
        "people have decided only once",
    ]);
    for hidden in [
        "decision stands",
        "decisions stand",
        "   2 Red",
        "   1 Red",
        "Red: Give an order",
    ] {
        assert!(!ran.out.contains(hidden), "{hidden}: {}", ran.out);
    }
    // The same for the referee, who may know: red has decided in between.
    let ran = play(&scratch, &format!("{line} referee"), typed);
    ran.says(&[" Red is done", "1 taken back; 1 decision stands"]);
}

/// A table that is watched.
struct Watched {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    received: Vec<String>,
}

impl Watched {
    fn start(scratch: &Scratch, line: &str) -> Watched {
        // Both outputs in one pipe, so that their order is the program's.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 2>&1",
                env!("CARGO_BIN_EXE_houserule"),
            ])
            .args(line.split_whitespace())
            .current_dir(&scratch.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let input = child.stdin.take();
        Watched {
            child,
            input,
            lines,
            received: Vec::new(),
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for a line with this text.
    fn hears(&mut self, wanted: &str) {
        self.hears_each(&[wanted]);
    }

    /// Waits for a line with each of these texts, in whichever order they come.
    fn hears_each(&mut self, wanted: &[&str]) {
        let mut missing = wanted.to_vec();
        while !missing.is_empty() {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => {
                    missing.retain(|wanted| !line.contains(wanted));
                    self.received.push(line);
                }
                Err(_) => panic!("no {missing:?} in\n{}", self.received.join("\n")),
            }
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Saves as a compiler does: the file is emptied, and filled a while later.
fn write_late(path: &Path, content: &[u8]) {
    let mut file = std::fs::File::create(path).unwrap();
    std::thread::sleep(Duration::from_millis(150));
    file.write_all(content).unwrap();
}

#[test]
fn rules_are_taken_over_however_they_are_saved() {
    let yard = yard();
    let mut table = Watched::start(
        &yard,
        "--mods duel play yard --watch --view referee --journal w.journal",
    );
    table.hears("watching duel");
    for line in ["strike rufus", "yes", "strike bruno", "no", "strike rufus"] {
        table.say(line);
    }
    table.hears("bruno hits rufus");
    table.hears("blue: Parry?");
    let rules = yard.read("duel/rules/duel.luau");
    let with = |number: u32| rules.replace("points - 2 else", &format!("points - {number} else"));
    let path = yard.0.join("duel/rules/duel.luau");
    // In place, while a question is open.
    std::fs::write(&path, with(3)).unwrap();
    table.hears("reloaded duel");
    table.hears("changed rule duel.core.points");
    table.hears("first difference in decision 2: Blue: Parry? yes");
    // Beside it, then renamed over it; as most editors do.
    std::fs::write(yard.0.join("duel/rules/.duel.luau.swp"), with(1)).unwrap();
    std::fs::rename(yard.0.join("duel/rules/.duel.luau.swp"), &path).unwrap();
    table.hears("changed rule duel.core.points");
    // Moved away first.
    std::fs::rename(&path, yard.0.join("duel/rules/duel.luau~")).unwrap();
    std::thread::sleep(Duration::from_millis(80));
    std::fs::write(&path, with(3)).unwrap();
    table.hears("changed rule duel.core.points");
    write_late(&path, with(0).as_bytes());
    table.hears("changed rule duel.core.points");
    // Several files at once.
    yard.edit("duel/data/duel.ron", "(\"sword\", 3)", "(\"sword\", 5)");
    std::fs::write(&path, with(2)).unwrap();
    table.hears("changed row duel.blows [sword]: points 3 is 5 now");
    // On a busy machine they may have been two saves.
    std::thread::sleep(Duration::from_millis(300));
    // Broken: told with its line, and the game goes on by the old rules.
    std::fs::write(
        &path,
        rules.replace("man: Man, _params: any)", "man: Man, _params: any"),
    )
    .unwrap();
    table.hears("not taken over; the game goes by the old rules");
    table.hears("duel.luau:");
    table.say("no");
    table.hears("rufus hits bruno");
    std::fs::write(&path, with(2)).unwrap();
    table.hears("again as the game goes by them");
    // The whole folder goes, and comes back other than it was.
    std::fs::rename(yard.0.join("duel"), yard.0.join("elsewhere")).unwrap();
    table.hears("not taken over");
    yard.edit(
        "elsewhere/data/duel.ron",
        "(\"sword\", 5)",
        "(\"sword\", 6)",
    );
    std::fs::rename(yard.0.join("elsewhere"), yard.0.join("duel")).unwrap();
    table.hears("changed row duel.blows [sword]: points 5 is 6 now");
    table.say("history");
    table.hears("Blue: Parry? no");
    table.say("quit");
    table.hears("the game is kept in w.journal");
    drop(table);
    let loaded = Tabletop::load(&yard.0.join("w.journal"), &[yard.0.join("duel")], None).unwrap();
    assert_eq!(loaded.decisions, 6);
}

/// A side that may not know how the others' game goes is told that its own is otherwise, and no more.
#[test]
fn a_side_hears_that_a_save_changed_what_it_was_told() {
    let yard = yard();
    let mut table = Watched::start(
        &yard,
        "--mods duel play yard --watch --view blue --bot red=random --no-journal",
    );
    table.hears("watching duel");
    table.say("no");
    table.hears("rufus hits bruno");
    let points = |number: &str| format!("(\"sword\", {number})");
    yard.edit("duel/data/duel.ron", &points("3"), &points("2"));
    table.hears("changed row duel.blows [sword]");
    table.hears("what you were told or see is otherwise now");
    yard.edit("duel/rules/duel.luau", "\"duel.parry\"", "\"duel.dodge\"");
    table.hears("1 decision of yours is set aside; `redo` tries again");
    table.say("quit");
    let all = table.received.join("\n");
    assert!(!all.contains("first difference"), "{all}");
}

#[test]
fn what_looks_wrong_in_a_saved_file_is_told_while_the_game_goes_on() {
    let scratch = Scratch::new();
    scratch.ok("new yard --game");
    let path = "mods/yard/rules/fire.luau";
    let mut table = Watched::start(
        &scratch,
        "--mods mods play yard-first --watch --view referee --no-journal",
    );
    table.hears("watching mods");
    // Whoever looks at files does so beside the reload, now sooner, now later:
    // a save is answered whole before the next one.
    let taken_over = "comes out the same";
    scratch.edit(path, "squad.has_acted = true", "squad.has_actd = true");
    table.hears_each(&[
        "the game goes on; in the files this looks wrong:",
        // As it was saved, not as the game still has it.
        "squad.has_actd = true",
        "did you mean `has_acted`?",
        taken_over,
    ]);
    scratch.edit(path, "squad.has_actd = true", "squad.has_acted = true");
    table.hears_each(&["nothing looks wrong in the files any more", taken_over]);
    // What is written and changes nothing in play is answered all the same.
    scratch.edit("mods/yard/README.md", "A small game", "A little game");
    table.hears("seen: README.md, with nothing that changes this game");
    scratch.edit(
        path,
        "--- [range] A squad shoots.",
        "--- [range] A squad fires.",
    );
    // What a rule says of itself is part of it.
    table.hears("changed rule yard.fire.shoot");
    // A case changes nothing in play, and is looked at all the same.
    scratch.edit("mods/yard/tests/yard.luau", "t:refuses(", "t:refusess(");
    table.hears("did you mean `refuses`?");
    table.say("quit");
}

#[test]
fn watching_bots_shows_what_a_save_changes_from_now() {
    let yard = yard();
    let mut table = Watched::start(
        &yard,
        "--mods duel watch yard --from-now --person red --journal w.journal",
    );
    table.hears("watching duel");
    table.say("strike rufus");
    table.hears("red may act;");
    yard.edit("duel/data/duel.ron", "(\"sword\", 3)", "(\"sword\", 4)");
    table.hears("points 3 is 4 now");
    table.hears("the game so far stays as it was");
    let second = yard.fails(1, "--mods duel watch --load w.journal --in-place");
    second.says(&["F042", "another match writes it"]);
}

#[cfg(feature = "wasm")]
#[test]
fn a_component_that_is_built_again_is_taken_over() {
    let yard = yard();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let build = |points| houserule_tests::raw::blade(Some(points));
    yard.write(
        "blade/mod.ron",
        &std::fs::read_to_string(tests.join("blade/mod.ron")).unwrap(),
    );
    std::fs::create_dir_all(yard.0.join("blade/rules")).unwrap();
    let path = yard.0.join("blade/rules/blade.wasm");
    std::fs::write(&path, build(3)).unwrap();
    let line =
        "--mods duel --mods blade play yard --with blade --watch --view referee --no-journal";
    let mut table = Watched::start(&yard, line);
    table.hears("watching");
    ["strike rufus", "no", "strike bruno", "no"]
        .iter()
        .for_each(|line| table.say(line));
    table.hears("bruno hits rufus for 3");
    write_late(&path, &build(9));
    table.hears("reloaded blade");
    table.hears("changed component blade/rules/blade.wasm");
    table.hears("first difference in ");
    ["strike rufus", "no"]
        .iter()
        .for_each(|line| table.say(line));
    table.hears("rufus hits bruno for 9");
    std::fs::write(&path, &build(5)[..200]).unwrap();
    table.hears("not taken over; the game goes by the old rules");
    table.hears("rules/blade.wasm");
    ["strike bruno", "no"]
        .iter()
        .for_each(|line| table.say(line));
    table.hears("bruno hits rufus for 9");
    std::fs::write(&path, build(5)).unwrap();
    table.hears("changed component blade/rules/blade.wasm");
}

#[test]
fn ctrl_c_keeps_the_game() {
    let yard = yard();
    let mut table = Watched::start(
        &yard,
        "--mods duel play yard --view referee --journal c.journal",
    );
    for line in ["strike rufus", "yes", "strike bruno"] {
        table.say(line);
    }
    table.hears("red: Parry?");
    let sent = Command::new("kill")
        .args(["-INT", &table.child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    assert_eq!(table.child.wait().unwrap().code(), Some(130));
    table.hears("stopped; the game so far is kept in c.journal");
    let loaded = Tabletop::load(&yard.0.join("c.journal"), &[yard.0.join("duel")], None).unwrap();
    assert_eq!(loaded.decisions, 3);
}

/// Killed at two hundred moments: the journal opens each time, and holds every
/// decision of which the program had told.
#[test]
fn a_killed_game_loses_nothing_that_was_told() {
    let yard = yard();
    let mods: [PathBuf; 1] = [yard.0.join("duel")];
    let mut torn = 0;
    let mut decisions = 0;
    for round in 0..200u64 {
        let journal = format!("k{round}.journal");
        let line = format!("--mods duel run yard --bots random --seed {round} --journal {journal}");
        let mut child = yard
            .command(&line)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Spread over the start and the first hundred milliseconds of play.
        std::thread::sleep(Duration::from_millis(20 + round * 37 % 100));
        child.kill().unwrap();
        let mut out = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        child.wait().unwrap();
        let reported = out.lines().filter(|line| line.contains(" hits ")).count();
        let path = yard.0.join(&journal);
        if std::fs::metadata(&path).map_or(0, |found| found.len()) == 0 {
            assert_eq!(
                reported, 0,
                "round {round}: something was told before the journal was there"
            );
            continue;
        }
        let loaded = match Tabletop::load(&path, &mods, None) {
            Ok(loaded) => loaded,
            Err(trouble) => {
                assert_eq!(reported, 0, "round {round}: {trouble}");
                continue;
            }
        };
        let news = loaded.table.news("referee", 0, 0).unwrap();
        let kept = news
            .events
            .iter()
            .filter(|event| event.kind == "duel.hit")
            .count();
        assert!(
            kept >= reported,
            "round {round}: {reported} told, {kept} kept"
        );
        torn += usize::from(loaded.is_torn);
        decisions += loaded.decisions;
    }
    assert!(
        decisions > 0,
        "every game was killed before its first decision"
    );
    eprintln!("{decisions} decisions in all, {torn} torn lines");
}

/// The tour, word for word: every line that it shows is said, in order.
#[test]
fn the_tour_is_what_the_table_says() {
    let scratch = Scratch::new();
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for file in [
        "mod.ron",
        "data/drill.ron",
        "rules/fire.luau",
        "rules/orders.luau",
        "scenarios/range.ron",
    ] {
        let text = std::fs::read_to_string(book.join("examples/drill").join(file)).unwrap();
        scratch.write(&format!("docs/examples/drill/{file}"), &text);
    }
    let page = std::fs::read_to_string(book.join("tour/live.md")).unwrap();
    let data = "docs/examples/drill/data/drill.ron";
    let mut table = Watched::start(
        &scratch,
        "--mods docs/examples play drill/range --watch --view referee --no-journal",
    );
    let mut shown = 0;
    for part in page.split("<!-- said ").skip(1) {
        let (how, rest) = part.split_once(" -->").unwrap();
        let lines = rest
            .split_once("```text\n")
            .unwrap()
            .1
            .split_once("\n```")
            .unwrap()
            .0;
        match how.split_once(" after ").map_or(how, |(_, what)| what) {
            "to the table" => {
                lines.lines().for_each(|line| table.say(line));
                continue;
            }
            "the die is d12" => scratch.edit(
                data,
                "(\"close\", \"12in\", \"d8\")",
                "(\"close\", \"12in\", \"d12\")",
            ),
            "the quote is gone" => scratch.edit(data, "\"d12\"),", "\"d12),"),
            "the quote is back" => scratch.edit(data, "\"d12),", "\"d12\"),"),
            other => assert_eq!(other, "by the table"),
        }
        for line in lines.lines() {
            table.hears(line.trim_end());
            shown += 1;
        }
    }
    assert!(shown > 15, "the tour shows {shown} lines");
}
