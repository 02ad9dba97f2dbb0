//! The book and its examples: what it shows must run, what it names must be
//! there, and every page must be listed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may unwrap and panic"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use houserule::modset::selector::Request;
use houserule::testing::{Filter, run_suite};
use houserule::workshop::Workshop;
use houserule_tests::ships;
use kernel::error::FaultCode;

/// The mods in Rust, which may come and go.
const MAY_BE_ABSENT: [&str; 2] = ["tcs", "tcsbase"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn docs() -> PathBuf {
    root().join("docs")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files under a folder with an ending, relative to it, with `/`.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    fn walk(folder: &Path, prefix: &str, ending: &str, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{name}/"), ending, found);
            } else if name.ends_with(ending) {
                found.insert(name);
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(folder, "", ending, &mut found);
    found
}

/// Every page of the book; the examples are mods, not pages.
fn pages() -> Vec<String> {
    files(&docs(), ".md")
        .into_iter()
        .filter(|page| !page.starts_with("examples/"))
        .collect()
}

/// The targets of the links in a page, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        for part in line.split("](").skip(1) {
            found.extend(part.split_once(')').map(|(target, _)| target.to_string()));
        }
    }
    found
}

/// The anchors of the headings of a page, as mdBook makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title = line
            .strip_prefix('#')?
            .trim_start_matches('#')
            .trim()
            .to_lowercase();
        Some(
            title
                .chars()
                .filter_map(|c| match c {
                    ' ' => Some('-'),
                    c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                    _ => None,
                })
                .collect(),
        )
    };
    text.lines().filter_map(heading).collect()
}

#[test]
fn the_examples_of_the_book_compose_and_pass() {
    let (workshop, faults) = Workshop::open(&[root().join("mods"), docs().join("examples")]);
    assert!(faults.is_empty(), "{faults:#?}");
    // The one in Rust, and the one over rules in Rust, need a machine for components.
    let has_ground = |id: &&str| match *id {
        "echo" => cfg!(feature = "wasm"),
        "foxholes" => cfg!(feature = "wasm") && ships("tcsbase"),
        _ => true,
    };
    let examples = [
        "drill",
        "hearts",
        "runners",
        "my_rules",
        "warning_shots",
        "old_guard",
        "echo",
        "foxholes",
    ];
    for id in examples.into_iter().filter(has_ground) {
        let request = Request::parse(id).unwrap();
        if let Err(faults) = workshop.compose(&request) {
            panic!("{faults:#?}");
        }
        let filter = Filter {
            mods: vec![id.into()],
            text: None,
        };
        let results = run_suite(&workshop, &filter, None, &|_| {});
        assert!(
            results.len() >= 2,
            "{id} has too few tests: {}",
            results.len()
        );
        for result in results {
            if let Some(fault) = result.failure {
                panic!(
                    "{id}, {}: {fault}\n{}",
                    result.name,
                    result.golden.map_or_else(String::new, |g| g.diff)
                );
            }
        }
    }
}

/// Code under `<!-- from … -->` is part of that file, letter for letter.
#[test]
fn code_in_pages_is_that_of_the_examples() {
    let mut shown = 0;
    let mut readers: Vec<(PathBuf, PathBuf)> = pages()
        .iter()
        .map(|page| (docs().join(page), docs()))
        .collect();
    readers.push((root().join("README.md"), root()));
    for (page, base) in readers {
        let text = read(&page);
        for part in text.split("<!-- from ").skip(1) {
            let (file, rest) = part.split_once(" -->").unwrap();
            let code = rest
                .split_once("```")
                .and_then(|(_, fenced)| fenced.split_once('\n'))
                .unwrap()
                .1;
            let code = code.split_once("\n```").unwrap().0;
            let source = read(&base.join(file));
            assert!(
                source.contains(code),
                "{} shows what is not in {file}:\n{code}",
                page.display()
            );
            shown += 1;
        }
    }
    assert!(shown > 10, "only {shown} examples are shown");
}

#[test]
fn every_fault_has_a_page_and_every_page_a_fault() {
    let pages = files(&docs().join("errors"), ".md");
    let mut expected: BTreeSet<String> = FaultCode::ALL
        .iter()
        .map(|code| format!("{code}.md"))
        .collect();
    expected.insert("index.md".into());
    assert_eq!(pages, expected);
    let index = read(&docs().join("errors/index.md"));
    for code in FaultCode::ALL {
        let page = read(&docs().join(format!("errors/{code}.md")));
        assert!(
            page.contains(code.meaning()),
            "the page of {code} does not say: {}",
            code.meaning()
        );
        assert!(
            page.contains("## How to mend it"),
            "the page of {code} does not say how to mend it"
        );
        assert!(
            index.contains(code.meaning()),
            "the list of faults does not say {code}"
        );
    }
}

/// Whether a link leads to a page of a mod that is absent.
fn leads_to_an_absent_mod(link: &str) -> bool {
    MAY_BE_ABSENT
        .iter()
        .any(|id| link.contains(&format!("mods/{id}/")) && !ships(id))
}

#[test]
fn every_link_leads_somewhere() {
    let mut readers: Vec<PathBuf> = pages().iter().map(|page| docs().join(page)).collect();
    readers.push(root().join("README.md"));
    for file in readers {
        let text = read(&file);
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") || leads_to_an_absent_mod(&link)
            {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let target = if path.is_empty() {
                file.clone()
            } else {
                file.parent().unwrap().join(path)
            };
            assert!(
                target.exists(),
                "{}: the link `{link}` leads nowhere",
                file.display()
            );
            if !anchor.is_empty() {
                let anchors = anchors(&read(&target));
                assert!(
                    anchors.contains(anchor),
                    "{}: no heading for `{link}`",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_summary_lists_every_page_once() {
    let listed = links(&read(&docs().join("SUMMARY.md")));
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "SUMMARY.md lists a page twice");
    for page in pages().iter().filter(|page| *page != "SUMMARY.md") {
        assert!(listed.contains(page), "SUMMARY.md does not list {page}");
    }
}

/// One sentence, one line: a diff then shows the sentence that changed.
#[test]
fn prose_has_one_sentence_a_line() {
    for page in pages() {
        let text = read(&docs().join(&page));
        let mut is_code = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            }
            let is_prose = !is_code && !line.starts_with(['|', '#', '<', ' ', '-']);
            let mut ends = line.match_indices(". ").filter(|(at, _)| {
                line[at + 2..].starts_with(|c: char| c.is_ascii_uppercase())
                    && !line[..*at].ends_with(|c: char| c == 'p' || c.is_ascii_digit())
            });
            assert!(
                !(is_prose && ends.next().is_some()),
                "{page}: two sentences on one line: {line}"
            );
        }
    }
}

/// What stands between two texts.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    Some(text.split_once(from)?.1.split_once(to)?.0)
}

#[test]
fn leaflets_have_every_clause_in_its_own_words() {
    for id in MAY_BE_ABSENT.into_iter().filter(|id| ships(id)) {
        let folder = root().join("mods").join(id);
        let (manifest, leaflet) = (
            read(&folder.join("mod.ron")),
            read(&folder.join("README.md")),
        );
        let mut clauses = 0;
        for line in manifest
            .lines()
            .filter(|line| line.trim_start().starts_with("Clause("))
        {
            let clause = between(line, "id: \"", "\"").unwrap();
            let text = between(line, "text: \"", "\",").unwrap();
            let optional = if line.contains("default: false") {
                " Optional."
            } else {
                ""
            };
            let expected = format!("- `{clause}`: {text}{optional}\n");
            assert!(
                leaflet.contains(&expected),
                "{id}: expected in its page: {expected}"
            );
            clauses += 1;
        }
        assert_eq!(
            leaflet.matches("- `").count(),
            clauses,
            "{id}: clauses in its page"
        );
    }
}

/// The cells of the rows of a table in data, as they stand there.
fn rows_of(data: &str, table: &str) -> Vec<Vec<String>> {
    let rows = between(data, &format!("Table(id: \"{table}\""), "]),").unwrap();
    let rows = rows.split_once("rows: [").unwrap().1;
    let rows: Vec<&str> = rows
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let cells = |row: &str| {
        row.split(',')
            .map(|cell| cell.trim().trim_matches('"').to_string())
            .collect::<Vec<String>>()
    };
    rows.join("\n")
        .split('(')
        .skip(1)
        .map(|row| cells(row.split_once(')').unwrap().0))
        .collect()
}

/// What a page says of a row.
fn printed(cells: &[&str]) -> String {
    let shown = |cell: &&str| match *cell {
        "None" => "-".to_string(),
        other => other.replace('_', " "),
    };
    cells.iter().map(shown).collect::<Vec<String>>().join(" | ")
}

#[test]
fn leaflets_have_the_numbers_of_their_tables() {
    if !ships("tcs") || !ships("tcsbase") {
        return;
    }
    let leaflet = |id: &str| read(&root().join("mods").join(id).join("README.md"));
    let (base, modern) = (leaflet("tcsbase"), leaflet("tcs"));
    let of_base = read(&root().join("mods/tcsbase/data/tables.ron"));
    let of_modern = read(&root().join("mods/tcs/data/modern.ron"));
    // Numbers by range and column, a row for each range.
    for (page, data, table) in [
        (&base, &of_base, "tcsbase.fire.point.numbers"),
        (&modern, &of_modern, "tcs.atgm.numbers"),
    ] {
        for row in rows_of(data, table).chunks(4) {
            let numbers: Vec<&str> = row.iter().map(|cells| &*cells[2]).collect();
            assert!(
                page.contains(&format!("| {} |", printed(&numbers))),
                "{table}: {numbers:?}"
            );
        }
    }
    for cells in rows_of(&of_base, "tcsbase.terrain.effects") {
        let expected = printed(&[&cells[2], &cells[3], &cells[4]]);
        // Buildings cost what lies between them, and nobody moves through holes.
        if !["buildings", "dug_in"].contains(&&*cells[0]) {
            let name = cells[0].replace('_', " ");
            assert!(
                base.contains(&format!("{name} | {expected} |")),
                "{name}: {expected}"
            );
        }
    }
    for cells in rows_of(&of_base, "tcsbase.morale.results").iter().skip(1) {
        let is_there = |line: &str| {
            line.starts_with(&format!("| {}", cells[0]))
                && line.ends_with(&format!("| {} |", cells[1]))
        };
        assert!(base.lines().any(is_there), "{cells:?}");
    }
    for cells in rows_of(&of_modern, "tcs.atgm.types") {
        let expected = format!(
            "| {} | {} | {} | {} |",
            cells[0], cells[1], cells[2], cells[3]
        );
        assert!(modern.contains(&expected), "{expected}");
    }
}

#[test]
fn the_leaflet_of_the_series_says_what_terrain_scatter_and_command_need() {
    if !ships("tcsbase") {
        return;
    }
    let folder = root().join("mods/tcsbase");
    let (base, of_base) = (
        read(&folder.join("README.md")),
        read(&folder.join("data/tables.ron")),
    );
    // What it adds to dice, by kind of fire: at those in fire mode, and at all others.
    for cells in rows_of(&of_base, "tcsbase.terrain.effects") {
        let signed = |n: &String| match &**n {
            "0" => n.clone(),
            minus if minus.starts_with('-') => n.clone(),
            plus => format!("+{plus}"),
        };
        let both =
            |still: usize| format!("{} / {}", signed(&cells[still]), signed(&cells[still + 1]));
        let expected = printed(&[&both(5), &both(7), &both(9), &cells[11]]);
        let name = cells[0].replace('_', " ");
        let is_there =
            |line: &str| line.contains(&name) && line.ends_with(&format!("| {expected} |"));
        assert!(base.lines().any(is_there), "{name}: {expected}");
    }
    for cells in rows_of(&of_base, "tcsbase.cmd.numbers") {
        let cells: Vec<&str> = cells.iter().map(|cell| &**cell).collect();
        assert!(
            base.contains(&format!("| {} |", printed(&cells))),
            "{cells:?}"
        );
    }
    let columns = rows_of(&of_base, "tcsbase.cmd.thresholds");
    for (place, mission) in ["prepared defence", "attack", "hasty defence", "move"]
        .iter()
        .enumerate()
    {
        let turns: Vec<&str> = columns.iter().map(|cells| &*cells[place + 1]).collect();
        let expected = format!("| {mission} | {} |", printed(&turns));
        assert!(base.contains(&expected), "{expected}");
    }
    let strays = rows_of(&of_base, "tcsbase.art.strays");
    for (stray, cells) in strays.iter().zip(rows_of(&of_base, "tcsbase.art.pattern")) {
        let expected = printed(&[&cells[0], &stray[1], &cells[1], &cells[2], &cells[3]]);
        assert!(base.contains(&format!("| {expected} |")), "{expected}");
    }
}
