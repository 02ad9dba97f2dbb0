//! Mistakes that people make, planted one at a time in copies of real mods: each
//! is found before anything is played, in its line, with what was meant.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::modset::selector::{Request, Selector};
use houserule::workshop::Workshop;
use houserule::{LintRequest, Looker, unused};
use houserule_tests::{folder, plays, root};
use kernel::error::Fault;
use kernel::value::Name;

/// One mistake: where, what stood there, what stands there now, and what must
/// be said of it.
#[derive(Default)]
struct Mistake {
    title: String,
    module: String,
    file: String,
    /// Where the file stands now, if it was moved.
    moved: String,
    /// The file in which it is found, if that is another one.
    elsewhere: String,
    right: String,
    wrong: String,
    /// A part of the line in which it is found, if that is another one.
    line: String,
    /// Code, then parts of the message and of the hint.
    says: Vec<String>,
}

/// Reads `mistakes.txt`, which says how it is written.
fn mistakes() -> Vec<Mistake> {
    let text = std::fs::read_to_string(folder("mistakes.txt")).unwrap();
    let mut all: Vec<Mistake> = Vec::new();
    for line in text.lines() {
        let Some((mark, rest)) = line.split_once(' ') else {
            continue;
        };
        match (mark, all.last_mut()) {
            ("##", _) => all.push(Mistake {
                title: rest.into(),
                ..Mistake::default()
            }),
            ("in", Some(last)) => {
                let (module, file) = rest.split_once(' ').unwrap();
                (last.module, last.file) = (module.into(), file.into());
            }
            ("to", Some(last)) => last.moved = rest.into(),
            ("at", Some(last)) => last.elsewhere = rest.into(),
            ("-", Some(last)) => last.right = rest.into(),
            ("+", Some(last)) => last.wrong = rest.into(),
            ("@", Some(last)) => last.line = rest.into(),
            (">", Some(last)) => last.says.push(rest.into()),
            _ => {}
        }
    }
    all
}

/// The mods of the repository, and those of the book.
fn sources() -> BTreeMap<Name, Sources> {
    let (whole, faults) = Workshop::open(&[root().join("mods"), root().join("docs/examples")]);
    assert!(faults.is_empty(), "{faults:?}");
    whole.sources().clone()
}

/// What is wrong in a mod, as `check` says it, without playing; by one who has
/// looked at it before, as an editor has.
fn problems(
    sources: BTreeMap<Name, Sources>,
    mistake: &Mistake,
    looker: &mut Looker,
) -> Vec<Fault> {
    let (workshop, faults) = Workshop::from_sources(sources);
    if !faults.is_empty() {
        return faults;
    }
    let module = Name::from(mistake.module.as_str());
    let with = vec![Selector {
        module: module.clone(),
        picks: Vec::new(),
    }];
    if let Err(faults) = workshop.compose(&Request {
        with,
        ..Request::default()
    }) {
        return faults;
    }
    let file = mistake.file.as_str();
    if file.starts_with("scenarios/") {
        let is_it = |path: &str| file.contains(path.trim_end_matches(".ron"));
        let scenarios = workshop
            .scenarios_of(&module)
            .into_iter()
            .filter(|(path, _)| is_it(path));
        return scenarios
            .flat_map(|(_, found)| {
                found.map_or_else(|faults| faults, |found| workshop.trouble_of(&found))
            })
            .collect();
    }
    let mut found = looker.look(
        &workshop,
        &[vec![module.clone()]],
        LintRequest {
            file: Some(file),
            ..LintRequest::default()
        },
    );
    found.extend(unused(&workshop, &module));
    found
}

/// The lines in which it may be found, and the text with the mistake.
fn planted(text: &str, mistake: &Mistake) -> Option<(std::ops::RangeInclusive<u32>, String)> {
    let (right, wrong) = (
        mistake.right.replace("\\n", "\n"),
        mistake.wrong.replace("\\n", "\n"),
    );
    let at = text.find(&right)?;
    let line = |text: &str, at: usize| text[..at].matches('\n').count() as u32 + 1;
    let planted = text.replacen(&right, &wrong, 1);
    let first = match mistake.line.is_empty() {
        true => line(&planted, at),
        false => line(&planted, planted.find(&mistake.line)?),
    };
    let last = if mistake.line.is_empty() {
        first + wrong.matches('\n').count() as u32
    } else {
        first
    };
    Some((first..=last, planted))
}

fn is_met(mistake: &Mistake, lines: &std::ops::RangeInclusive<u32>, fault: &Fault) -> bool {
    let place = fault.place.clone().unwrap_or_default();
    let is_there = match (mistake.moved.as_str(), mistake.elsewhere.as_str()) {
        ("", "") => *place.file == *mistake.file && lines.contains(&place.line),
        ("", elsewhere) => *place.file == *elsewhere && place.line > 0,
        (moved, _) => moved.starts_with(&*place.file),
    };
    let text = format!(
        "{} {} {}",
        fault.code,
        fault.message,
        fault.hint.as_deref().unwrap_or_default()
    );
    is_there && mistake.says.iter().all(|part| text.contains(part.as_str()))
}

#[test]
fn nothing_is_found_in_any_mod() {
    let (workshop, faults) = Workshop::from_sources(sources());
    assert!(faults.is_empty(), "{faults:?}");
    let sets: Vec<Vec<Name>> = workshop
        .sources()
        .keys()
        .map(|id| vec![id.clone()])
        .collect();
    let found = Looker::default().look(&workshop, &sets, LintRequest::default());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn mistakes_are_found_in_their_lines_with_what_was_meant() {
    let whole = sources();
    let mut all = mistakes();
    if !plays("tcs") {
        all.retain(|mistake| mistake.module != "tcs");
    }
    assert!(all.len() >= 40, "{} mistakes", all.len());
    let mut report = String::new();
    let mut lookers: BTreeMap<&str, Looker> = BTreeMap::new();
    for mistake in &all {
        let mut sources = whole.clone();
        let mut files = sources[mistake.module.as_str()].to_files();
        let Some((lines, text)) = files
            .get(&mistake.file)
            .and_then(|text| planted(text, mistake))
        else {
            let _ = writeln!(
                report,
                "{}: `{}` is not in {}",
                mistake.title, mistake.right, mistake.file
            );
            continue;
        };
        files.insert(mistake.file.clone(), Arc::from(text));
        if !mistake.moved.is_empty() {
            let text = files.remove(&mistake.file).unwrap();
            files.insert(mistake.moved.clone(), text);
        }
        sources.insert(
            Name::from(mistake.module.as_str()),
            Sources::from_memory(&mistake.module, files),
        );
        let looker = lookers.entry(&mistake.module).or_default();
        let found = problems(sources, mistake, looker);
        if !found.iter().any(|fault| is_met(mistake, &lines, fault)) {
            let _ = writeln!(
                report,
                "{} ({}:{lines:?}): not found, but {:#?}",
                mistake.title,
                mistake.file,
                found.iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn what_is_wrong_with_a_rule_is_not_told_of_who_names_it() {
    let of = |right: &str, wrong: &str| {
        let mistake = Mistake {
            module: "drill".into(),
            file: "rules/fire.luau".into(),
            ..Mistake::default()
        };
        let mut sources = sources();
        let mut files = sources["drill"].to_files();
        let text = files[&mistake.file].replacen(right, wrong, 1);
        assert_ne!(*text, *files[&mistake.file], "{right}");
        files.insert(mistake.file.clone(), Arc::from(text));
        sources.insert(Name::from("drill"), Sources::from_memory("drill", files));
        problems(sources, &mistake, &mut Looker::default())
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    for (right, wrong) in [
        (
            "fire.may_aim(_game: Reads, squad: Squad)",
            "fire.may_aim(_game: Reads, squad)",
        ),
        ("fire.declare(game: Acts,", "fire.declare(game: Act,"),
        (
            "fire.targets(game: Reads, squad: Squad,",
            "fire.targets(game: Reads, squad: Squd,",
        ),
        ("allowed = fire.may_aim,", "allowed = fire.may_aimm,"),
    ] {
        let found = of(right, wrong);
        assert_eq!(found.len(), 1, "{wrong}: {found:#?}");
    }
}
