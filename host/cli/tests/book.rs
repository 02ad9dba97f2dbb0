//! What README and the first tour show is what the tool prints.

#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code, reason = "other tests use the rest")]
mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Scratch;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command prints in the book's folder of mods, with the tour's own mod;
/// behind `<` stands the file that it reads.
fn output(line: &str) -> String {
    let (line, read) = line.split_once(" < ").unwrap_or((line, "/dev/null"));
    let examples = root().join("docs/examples");
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command
        .arg("--mods")
        .arg(root().join("mods"))
        .arg("--mods")
        .arg(examples)
        .args(words(line));
    let read = std::fs::File::open(root().join(read)).unwrap();
    let out = command.current_dir(root()).stdin(read).output().unwrap();
    // A scenario that is not well is shown as well.
    let is_shown = out.status.success() || line.starts_with("health ");
    assert!(is_shown, "{line}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The words of a command line; what stands in quotes is one.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

/// The blocks of a page that show the output of a command: the command, and
/// the lines in their order.
fn shown(page: &str) -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let block = |part: &str| {
        let (command, rest) = part.split_once(" -->").unwrap();
        let lines = rest
            .split_once("```text\n")
            .unwrap()
            .1
            .split_once("\n```")
            .unwrap()
            .0;
        let lines = lines
            .lines()
            .map(str::trim_end)
            .filter(|line| !matches!(*line, "…" | ""));
        let command = command
            .trim_start_matches("cargo run -- ")
            .trim_start_matches("houserule ");
        (command.to_string(), lines.map(str::to_string).collect())
    };
    text.split("<!-- output of: ").skip(1).map(block).collect()
}

/// What a page writes in the place of a function of an example.
fn instead(page: &str, of: &str) -> String {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let (_, rest) = text
        .split_once(&format!("<!-- instead of what {of} says -->"))
        .unwrap();
    rest.split_once("```lua\n")
        .unwrap()
        .1
        .split_once("```")
        .unwrap()
        .0
        .to_string()
}

/// The page on secrets shows a rule that gives something away, and what `check`
/// says of it.
#[test]
fn what_check_says_of_secrets_is_as_the_book_shows_it() {
    let page = "docs/modding/secrets.md";
    let scratch = Scratch::new();
    let read =
        |path: &str| std::fs::read_to_string(root().join("docs/examples").join(path)).unwrap();
    for path in [
        "mod.ron",
        "scenarios/range.ron",
        "rules/fire.luau",
        "tests/drill.luau",
    ] {
        scratch.write(
            &format!("book/drill/{path}"),
            &read(&format!("drill/{path}")),
        );
    }
    let (rules, function) = (
        read("drill/rules/orders.luau"),
        instead(page, "examples/drill/rules/orders.luau"),
    );
    let head = function.lines().next().unwrap();
    let (before, rest) = rules.split_once(head).unwrap();
    let (_, after) = rest.split_once("\nend\n").unwrap();
    scratch.write(
        "book/drill/rules/orders.luau",
        &format!("{before}{function}{after}"),
    );
    let fidget = "[\n    Event(id: \"drill.orders.fidget\", heading: \"order\", text: \"{squad} fidgets\", fields: \"squad: entity\"),";
    scratch.write(
        "book/drill/data/drill.ron",
        &read("drill/data/drill.ron").replacen('[', fidget, 1),
    );
    let (command, lines) = shown(page).pop().unwrap();
    let ran = scratch.fails(1, &format!("--mods book {command}"));
    let printed: Vec<&str> = ran
        .out
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(printed, lines);
}

/// What is left of a game, by the command of the page, line for line.
#[test]
fn what_is_kept_of_an_evening_is_as_the_book_shows_it() {
    let page = std::fs::read_to_string(root().join("docs/playing/record.md")).unwrap();
    let (line, rest) = page
        .split_once("<!-- kept by: ")
        .unwrap()
        .1
        .split_once(" -->")
        .unwrap();
    let lines = rest
        .split_once("```lua\n")
        .unwrap()
        .1
        .split_once("\n```")
        .unwrap()
        .0;
    let scratch = Scratch::new();
    let with_mods = |line: &str| format!("--mods {} {line}", root().join("mods").display());
    scratch.ok(&with_mods("run skirmish --quiet --journal evening.journal"));
    let kept = scratch.ok(&with_mods(line)).out;
    assert!(kept.contains(lines), "no\n{lines}\nin\n{kept}");
}

/// A mod that hears of something.
const EARS: &str = r#"Mod(id: "ears", version: "0.1.0", title: "Ears", engine: "0.1", depends: [("dsii", "^0.1")],
    groups: [Group(id: "all", title: "Ears", clauses: [
        Clause(id: "ears.all.hear", title: "Hearing", text: "Somebody hears of each shot.", source: "house rule", effect: Adds),
    ])])"#;

/// Who hears of shots and does nothing puts a silent step before the dice, and Iceburg is asked in vain beside:
/// neither is a reason.
#[test]
fn games_part_by_the_same_rules_whatever_else_was_asked() {
    let scratch = Scratch::new();
    scratch.write("ears/mod.ron", EARS);
    scratch.write(
        "ears/rules/hear.luau",
        "--!strict\nrules.on(dsii.events.fire_fired, \"ears.all.hear\", function() end)\n",
    );
    let with_mods = |line: &str| {
        let mods = root().join("mods");
        format!("--mods {} --mods ears {line}", mods.display())
    };
    scratch.ok(&with_mods("run volley --quiet --journal volley.journal"));
    let said = scratch
        .ok(&with_mods("compare volley.journal --b iceburg --b ears"))
        .out;
    assert!(
        said.contains("by the same rules on both sides") && !said.contains("changed nothing"),
        "{said}"
    );
}

/// The tables that other tools print of forty skirmishes, held against the games themselves.
#[test]
fn forty_skirmishes_are_as_the_book_counts_them() {
    let page = std::fs::read_to_string(root().join("docs/playing/many-games.md")).unwrap();
    let games = forty_skirmishes();
    let shown: BTreeMap<(String, String), (usize, String)> = page
        .lines()
        .filter(|line| line.starts_with("│ "))
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('│').map(str::trim).collect();
            let count = cells.get(3)?.parse::<usize>().ok()?;
            let mean = cells[4].to_string();
            Some(((cells[1].to_string(), cells[2].to_string()), (count, mean)))
        })
        .collect();
    let mut ends: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for game in &games {
        let end = (game["winner"].clone(), game["reason"].clone());
        let decisions = game["decisions"].parse().unwrap();
        ends.entry(end).or_default().push(decisions);
    }
    let played = ends
        .into_iter()
        .map(|(end, all)| (end, (all.len(), mean(&all))));
    assert_eq!(shown, played.collect());
}

/// What each side does in the games that it wins, as the page has it.
#[test]
fn what_is_done_in_forty_skirmishes_is_as_the_book_has_it() {
    let page = std::fs::read_to_string(root().join("docs/playing/many-games.md")).unwrap();
    let games = forty_skirmishes();
    let shown = page.lines().skip_while(|line| !line.starts_with("winner "));
    let shown: Vec<Vec<&str>> = shown
        .take_while(|line| !line.starts_with("```"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let winners = &shown[0][1..];
    let acts = games[0].keys().filter(|name| name.contains('.'));
    assert_eq!(shown.len() - 1, acts.count());
    for row in &shown[1..] {
        let done = winners.iter().map(|winner| {
            let won = games.iter().filter(|game| game["winner"] == *winner);
            let times: Vec<u32> = won.map(|game| game[row[0]].parse().unwrap()).collect();
            mean(&times)
        });
        assert_eq!(row[1..], done.collect::<Vec<_>>(), "{}", row[0]);
    }
}

/// The rows of a table of forty skirmishes, each by the names of its columns.
fn forty_skirmishes() -> Vec<BTreeMap<String, String>> {
    let table = output("simulate skirmish --games 40 --format csv");
    let mut lines = table.lines().map(|line| line.split(','));
    let names: Vec<&str> = lines.next().unwrap().collect();
    lines
        .map(|cells| {
            let cells = names.iter().zip(cells);
            let mut game: BTreeMap<String, String> = cells
                .map(|(name, cell)| (name.to_string(), cell.to_string()))
                .collect();
            if game["winner"].is_empty() {
                game.insert("winner".into(), "nobody".into());
            }
            game
        })
        .collect()
}

/// The mean, with one digit after the point.
fn mean(all: &[u32]) -> String {
    let sum: u32 = all.iter().sum();
    format!("{:.1}", f64::from(sum) / all.len() as f64)
}

/// The examples below a help can be typed as they are, but for those that a line breaks, and for journals.
#[test]
fn examples_of_the_help_run() {
    let mut run = 0;
    for command in ["odds", "bisect"] {
        let help = output(&format!("{command} --help"));
        let begin = format!("houserule {command} ");
        let examples = help.lines().map(str::trim);
        for line in examples.filter(|line| line.starts_with(&begin)) {
            let example = line.split("   ").next().unwrap();
            let is_whole =
                !example.ends_with('\\') && example.matches('\'').count().is_multiple_of(2);
            if is_whole && !example.contains(".journal") && !example.contains('…') {
                output(example.trim_start_matches("houserule "));
                run += 1;
            }
        }
    }
    assert!(run >= 4, "{run} examples");
}

/// The commands whose output pages show.
const SHOWN: [&str; 11] = [
    "run",
    "play",
    "rules",
    "odds",
    "simulate",
    "health",
    "compare",
    "bisect",
    "book",
    "conflicts",
    "impact",
];

#[test]
fn the_raid_and_its_rules_are_as_the_book_shows_them() {
    let mut checked = 0;
    let mut outputs: BTreeMap<String, String> = BTreeMap::new();
    for page in [
        "README.md",
        "docs/tour/first-house-rule.md",
        "docs/playing/by-hand.md",
        "docs/playing/odds.md",
        "docs/playing/many-games.md",
        "docs/playing/two-sets.md",
        "docs/playing/impact.md",
        "docs/playing/record.md",
        "docs/playing/book.md",
        "docs/playing/prohibitions.md",
        "docs/playing/reports.md",
        "docs/playing/why.md",
    ] {
        for (command, lines) in shown(page) {
            if !SHOWN
                .iter()
                .any(|known| command.split(' ').next() == Some(known))
            {
                continue;
            }
            let printed = outputs
                .entry(command.clone())
                .or_insert_with(|| output(&command));
            let mut left = printed.lines().map(str::trim_end);
            for line in &lines {
                assert!(
                    left.any(|found| found == line),
                    "{page}, `{command}` does not print:\n{line}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked} lines are shown");
}
