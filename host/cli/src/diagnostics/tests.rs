//! Any fault in any file is shown, and shown small.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use houserule::embed::{Prompt, ReloadMode, Start, Tabletop, Trouble, WireInput};
use houserule::kernel::error::FaultCode;
use houserule::modset::files::Sources;
use houserule::printable::is_hidden;
use proptest::prelude::*;

use super::*;

/// Nothing that is shown of one fault is larger.
const LARGEST_PICTURE: usize = 100_000;

/// A workshop with one file of a mod.
fn workshop(text: &str) -> Workshop {
    let files = [("mod.ron", "Mod(id: \"m\")"), ("tests/x.luau", text)];
    let files = files.map(|(path, text)| (path.to_string(), Arc::from(text)));
    let sources = Sources::from_memory("m", BTreeMap::from(files));
    Workshop::from_sources(BTreeMap::from([("m".into(), sources)])).0
}

fn fault(message: &str, line: u32, column: u32) -> Fault {
    let mut place = Place::new("m", "tests/x.luau", line);
    place.column = column;
    Fault::new(FaultCode::Script, message).at(place)
}

/// The picture without its colours; nothing else in it steers a terminal.
fn plain(picture: &Picture) -> String {
    let text = picture.to_string();
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap();
        assert!(
            code.chars().all(|c| c.is_ascii_digit() || c == ';'),
            "{code:?}"
        );
        plain.push_str(rest);
    }
    let mut before = ' ';
    for letter in plain.chars() {
        // Where a long word is broken, a joiner may begin a line.
        let may_join = !before.is_ascii() || before.is_whitespace();
        let is_joined = may_join
            && matches!(letter,
            '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
        assert!(
            letter == '\n' || !is_hidden(letter) || is_joined,
            "{letter:?} in {plain}"
        );
        before = letter;
    }
    plain
}

/// Pieces of which files are made: lines that are long, wide, empty, of letters
/// that join, that are nothing, or that steer.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "\\PC{0,30}",
        2 => Just("\n".to_string()),
        1 => Just("\r\n".to_string()),
        1 => (1usize..5).prop_map(|count| "\t".repeat(count)),
        1 => (1usize..90_000).prop_map(|count| "x".repeat(count)),
        1 => (1usize..200).prop_map(|count| "戦車".repeat(count)),
        1 => (1usize..200).prop_map(|count| format!("e{}", "\u{301}".repeat(count))),
        1 => (1usize..20).prop_map(|count| "\u{200b}\u{200d}\u{202e}\u{feff}".repeat(count)),
        1 => Just("\u{1b}[31m\u{9b}2J\u{0}\u{7}\"".to_string()),
        1 => Just("👩\u{200d}🚀\u{fe0f}\"q\"".to_string()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_fault_in_any_file_is_shown(
        text in text(),
        message in text(),
        line in prop_oneof![0u32..12, Just(u32::MAX)],
        column in prop_oneof![0u32..200, 60_000u32..200_000, Just(u32::MAX)],
        width in prop_oneof![0usize..20, 40usize..200],
        is_in_rule in any::<bool>(),
    ) {
        let workshop = workshop(&text);
        let mut fault = fault(&message, line, column).hint(message.clone());
        if is_in_rule {
            fault.rule = Some(message.as_str().into());
        }
        let picture = render(&fault, Severity::Error, &workshop, width);
        prop_assert!(plain(&picture).starts_with("F029 script"));
        prop_assert!(picture.to_string().len() < LARGEST_PICTURE, "{}", picture.to_string().len());
        let line = one_line(&fault);
        prop_assert!(!line.contains('\n') && line.chars().count() < LONGEST_NAME + 40);
    }
}

fn shown_at(text: &str, line: u32, column: u32, width: usize) -> String {
    plain(&render(
        &fault("it is wrong", line, column),
        Severity::Error,
        &workshop(text),
        width,
    ))
}

#[test]
fn a_long_line_is_clipped_around_its_place() {
    let text = format!(
        "before\n{}oops{}\nafter\n",
        "x, ".repeat(40_000),
        ", x".repeat(3_000_000)
    );
    let shown = shown_at(&text, 2, 120_001, 80);
    assert!(shown.contains("[m/tests/x.luau:2:120001]"), "{shown}");
    assert!(
        shown.contains(" 2 │ … x, x, ") && shown.contains(", oops, x, x") && shown.contains("x, …"),
        "{shown}"
    );
    assert!(
        shown.lines().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
    // Its mark stands below it.
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines.iter().position(|line| line.contains("oops")).unwrap();
    let column = |line: &str, text: &str| line.find(text).map(|at| line[..at].chars().count());
    assert_eq!(
        column(lines[at], "oops"),
        column(lines[at + 1], "─"),
        "{shown}"
    );
    // The word itself may be the long one.
    let shown = shown_at(&format!("local {} = 1", "x".repeat(1 << 20)), 1, 7, 80);
    assert!(
        shown.contains(" 1 │ local xxx") && shown.contains("xxx…\n") && shown.len() < 2_000,
        "{shown}"
    );
}

#[test]
fn the_lines_around_a_place_are_shown_as_they_are() {
    let text = "\tone\r\n\tlocal x = \"two\" + 3\r\n\tthree\r\n";
    let shown = shown_at(text, 2, 12, 80);
    for line in [
        "  × it is wrong",
        "   ╭─[m/tests/x.luau:2:12]",
        " 1 │     one",
        " 2 │     local x = \"two\" + 3",
        "   ·               ──┬──",
        " 3 │     three",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    assert!(!shown.contains(" 4 │"), "{shown}");
}

#[test]
fn what_has_no_lines_is_told_by_its_place() {
    for (text, line) in [("", 2), ("one", 3), ("one\n", 0), ("a\nb\n", u32::MAX)] {
        let shown = shown_at(text, line, 70_000, 80);
        assert!(shown.contains("mod `m`, tests/x.luau"), "{shown}");
        assert!(!shown.contains('│'), "{shown}");
    }
    // At the end of a file that was cut off.
    assert!(shown_at("one\n", 2, 1, 80).contains("[m/tests/x.luau:2:1]"));
    assert!(shown_at("", 1, 1, 80).contains("[m/tests/x.luau:1:1]"));
}

#[test]
fn a_list_says_how_many_there_are_in_how_many_files() {
    let workshop = workshop("one\n");
    let faults: Vec<Fault> = (0..8_000)
        .map(|n| fault(&format!("row {n}"), 1, 1))
        .collect();
    let list = |faults: &[Fault]| {
        let shown = pictures(faults, Severity::Error, &workshop, 80);
        shown.iter().map(plain).collect::<Vec<_>>()
    };
    let shown = list(&faults);
    assert_eq!(
        shown[shown.len() - 2..],
        ["… and 7,960 more", "8,000 faults in 1 file"]
    );
    assert!(shown.concat().len() < 20_000);
    assert_eq!(list(&faults[..1]).len(), 1);
    let other = Fault::new(FaultCode::Syntax, "x").at(Place::new("m", "data/y.ron", 1));
    let three = [faults[0].clone(), faults[1].clone(), other];
    assert_eq!(
        list(&three).last().map(String::as_str),
        Some("3 faults in 2 files")
    );
    assert_eq!(thousands(1_234_567), "1,234,567");
}

// ---- files that are cut off in mid-write -----------------------------------------

/// A folder that goes when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The duel of the tests, in a folder of its own.
fn duel() -> Scratch {
    let scratch =
        Scratch(std::env::temp_dir().join(format!("houserule-cut-{}", std::process::id())));
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/duel");
    for file in FILES {
        let to = scratch.0.join("duel").join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from.join(file), to).unwrap();
    }
    scratch
}

const FILES: [&str; 4] = [
    "mod.ron",
    "data/duel.ron",
    "rules/duel.luau",
    "scenarios/yard.ron",
];

/// Cut at any place, a file is taken over or refused; the game is as it was
/// where it is refused, and what is wrong can be shown.
#[test]
fn a_save_cut_off_anywhere_ends_no_game() {
    let scratch = duel();
    let folder = scratch.0.join("duel");
    let start = Start {
        scenario: "yard".into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(std::slice::from_ref(&folder), &start).unwrap();
    table.expect_reloads().unwrap();
    act(&mut table);
    let (mut refused, mut taken) = (0, 0);
    for file in FILES {
        let path = folder.join(file);
        let whole = std::fs::read_to_string(&path).unwrap();
        // As it is, and as one line far to the right.
        let line = if file.starts_with("data") {
            whole.replace('\n', " ")
        } else {
            whole.clone()
        };
        let wide = format!("{}{line}", " ".repeat(66_000));
        for (text, step) in [(&whole, 1), (&wide, 97)] {
            let skipped = text.len() - whole.len();
            for cut in (skipped..text.len()).step_by(step) {
                std::fs::write(&path, &text.as_bytes()[..cut]).unwrap();
                let before = table.hash();
                let now = table.mods_now();
                match table.reload_to(&now, ReloadMode::AsAlways, "referee") {
                    Ok(_) => taken += 1,
                    Err(Trouble::Faults { faults, .. }) => {
                        refused += 1;
                        assert_eq!(table.hash(), before, "{file} cut at {cut}");
                        let faults: Vec<Fault> = faults.iter().map(Fault::from).collect();
                        for picture in pictures(&faults, Severity::Error, &now.workshop, 100) {
                            assert!(plain(&picture).len() < LARGEST_PICTURE);
                        }
                    }
                    Err(other) => panic!("{file} cut at {cut}: {other}"),
                }
            }
            std::fs::write(&path, text.as_bytes()).unwrap();
        }
        std::fs::write(&path, &whole).unwrap();
    }
    assert!(
        refused > 1_900 && taken > 100,
        "{refused} refused, {taken} taken over"
    );
    // And the game goes on.
    let now = table.mods_now();
    table
        .reload_to(&now, ReloadMode::AsAlways, "referee")
        .unwrap();
    act(&mut table);
}

/// Whoever may act does the first thing that is allowed.
fn act(table: &mut Tabletop) {
    let Prompt::Act { sides, .. } = table.prompt("referee").unwrap() else {
        panic!("nobody may act")
    };
    let legal = table.legal(&sides[0]).unwrap();
    let action = legal
        .actions
        .iter()
        .find(|action| action.refused.is_none())
        .unwrap();
    table
        .submit(&legal.input(&sides[0], action, BTreeMap::new()))
        .unwrap();
    if let Prompt::Answer { question } = table.prompt("referee").unwrap() {
        let by = question.asked[0].side.clone();
        let value = houserule::embed::Plain::Bool(false);
        table
            .submit(&WireInput::Answer {
                by,
                question: question.id,
                value,
            })
            .unwrap();
    }
}
