//! A rulebook that is composed in the warm host of another one is the rulebook
//! that is composed anew.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::Fault;
use kernel::value::{Name, Side};

use crate::play::{Bot, BotKind, Match};
use crate::scenario::set_up;
use crate::workshop::Workshop;
use rules::modset::Library;
use rules::modset::files::Sources;
use rules::modset::selector::{Request, Selector};
use rules::rulebook::{Rulebook, WarmHost};

/// Every so many clauses one is switched off.
const STRIDE: usize = 23;

/// So many decisions are made by each rulebook.
const DECISIONS: usize = 40;

fn workshop() -> Workshop {
    let mods = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    let (workshop, faults) = Workshop::open(&[mods]);
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn request(off: &[Name], options: &[(&str, &str)]) -> Request {
    Request {
        with: vec![Selector::parse("iceburg").unwrap()],
        force_without: off.to_vec(),
        options: options
            .iter()
            .map(|(id, value)| (Name::from(*id), value.to_string()))
            .collect(),
        ..Request::default()
    }
}

/// Everything that a rulebook says, and what a host would do by it.
fn all_of(rulebook: &Rulebook) -> String {
    let declared = format!(
        "{:#?}\n{:#?}\n{:#?}",
        rulebook.book(),
        rulebook.rules(),
        rulebook.tables()
    );
    let marks = format!(
        "{:#?}\n{:#?}\n{:#?}",
        rulebook.templates(),
        rulebook.cited(),
        rulebook.marks()
    );
    format!(
        "{declared}\n{marks}\n{:#?}\n{:#?}",
        rulebook.clauses(),
        rulebook.options()
    )
}

/// What comes of a request: the rulebook, or what is wrong.
fn anew(workshop: &Workshop, request: &Request) -> Result<Rulebook, Vec<Fault>> {
    workshop.compose_alone(request)
}

/// The first line in which two texts differ.
fn first_difference(a: &str, b: &str) -> String {
    let mut pairs = a.lines().zip(b.lines()).enumerate();
    match pairs.find(|(_, (a, b))| a != b) {
        Some((line, (a, b))) => format!("line {line}: {a} | {b}"),
        None => format!("{} and {} lines", a.lines().count(), b.lines().count()),
    }
}

/// Plays the first decisions of a scenario.
fn played(workshop: &Workshop, rulebook: Rulebook) -> (String, WarmHost) {
    let found = workshop.scenario("dsii/meeting").unwrap();
    let rulebook = Rc::new(rulebook);
    let setup = set_up(&found.scenario, &rulebook, 7, None).unwrap();
    let mut game = Match::start(rulebook.clone(), setup).unwrap();
    let bot = |side: u8| (Side(side), Bot::new(BotKind::Random, 7, Side(side)));
    let mut bots: BTreeMap<Side, Bot> = [bot(0), bot(1)].into();
    game.play_bots(&mut bots, |game| game.inputs().len() >= DECISIONS)
        .unwrap();
    let outcome = format!("{} {:?}", game.hash(), game.inputs());
    drop(game);
    (outcome, Rc::into_inner(rulebook).unwrap().into_warm_host())
}

#[test]
fn a_rulebook_in_the_warm_host_of_another_is_the_same() {
    let workshop = workshop();
    let whole = anew(&workshop, &request(&[], &[])).unwrap();
    let all: Vec<Name> = whole.clauses().keys().cloned().collect();
    let mut warm_host = Some(whole.into_warm_host());
    let mut whole_ones = 0;
    for (place, clause) in all.iter().enumerate().step_by(STRIDE) {
        // Sometimes another one too, so that what was off comes back.
        let other = all[(place * 7) % all.len()].clone();
        let off = if place % 2 == 0 {
            vec![clause.clone()]
        } else {
            vec![clause.clone(), other]
        };
        let request = request(&off, &[]);
        let fresh = anew(&workshop, &request);
        let from = match warm_host.take() {
            Some(warm_host) => warm_host,
            None => anew(&workshop, &self::request(&[], &[]))
                .unwrap()
                .into_warm_host(),
        };
        match (workshop.compose_in(from, &request), fresh) {
            (Ok(turned), Ok(fresh)) => {
                let (turned_text, fresh_text) = (all_of(&turned), all_of(&fresh));
                let difference = || first_difference(&turned_text, &fresh_text);
                assert!(
                    turned_text == fresh_text,
                    "without {off:?}: {}",
                    difference()
                );
                let (turned, used) = played(&workshop, turned);
                assert_eq!(turned, played(&workshop, fresh).0, "without {off:?}");
                warm_host = Some(used);
                whole_ones += 1;
            }
            (Err(broken), Err(faults)) => {
                assert_eq!(broken.faults, faults, "without {off:?}");
                warm_host = broken.warm_host.map(|warm_host| *warm_host);
            }
            (turned, fresh) => {
                let turned = turned.map_err(|broken| broken.faults);
                panic!(
                    "without {off:?}: {:?} in a warm host, {:?} anew",
                    turned.err(),
                    fresh.err()
                );
            }
        }
    }
    assert!(whole_ones > 5, "{whole_ones} rulebooks compared");
}

#[test]
fn what_files_asked_while_they_were_loaded_binds_a_warm_host() {
    let workshop = workshop();
    let whole = anew(&workshop, &request(&[], &[])).unwrap();
    let warm_host = whole.into_warm_host();
    let registrations = warm_host.registrations().clone();
    let same = workshop.compose_in(
        warm_host,
        &request(&[], &[("dsii.fire.moving_of", "present")]),
    );
    let same = same.map_err(|broken| broken.faults).unwrap();
    assert!(
        same.is_of(&registrations),
        "no file asks for that option while it is loaded"
    );
    // Lengths are made while files are loaded.
    let fine = request(&[], &[("dsii.scale.inch", "fifty")]);
    let other = workshop.compose_in(same.into_warm_host(), &fine);
    let other = other.map_err(|broken| broken.faults).unwrap();
    assert!(
        !other.is_of(&registrations),
        "ranges would be of the other scale"
    );
    let fresh = anew(&workshop, &fine).unwrap();
    let (other, fresh) = (all_of(&other), all_of(&fresh));
    assert!(other == fresh, "{}", first_difference(&other, &fresh));
}

/// The workshop with a file of a mod as somebody has saved it.
fn with_saved(workshop: &Workshop, module: &Name, path: &str, text: String) -> Workshop {
    let mut files: BTreeMap<String, Arc<str>> = workshop.sources()[module]
        .all()
        .iter()
        .map(|(path, text)| (path.to_string(), Arc::clone(text)))
        .collect();
    files.insert(path.to_string(), Arc::from(text));
    let mut sources = workshop.sources().clone();
    sources.insert(module.clone(), Sources::from_memory(module, files));
    let library = Library {
        sources,
        manifests: workshop.library.manifests.clone(),
    };
    workshop
        .with_library(library, std::slice::from_ref(module))
        .unwrap()
}

/// The same rule with other numbers and other lines: every place in the file moves,
/// and one comparison of whole numbers comes out otherwise.
fn saved_text(text: &str) -> String {
    let moved = text.replacen('\n', "\n-- saved\n", 1);
    moved.replacen(" >= 1 ", " >= 2 ", 1)
}

/// The same data with another number in it.
fn saved_data(text: &str) -> String {
    for (from, to) in [(", 2)", ", 3)"), (", 3,", ", 4,"), (",2\n", ",3\n")] {
        if text.contains(from) {
            return text.replacen(from, to, 1);
        }
    }
    format!("{text}\n")
}

/// Saves each file in a folder of both mods in turn, and compares what is composed
/// after it with what is composed anew: how many were taken in so, of how many.
fn after_saves(folder: &str, save: fn(&str) -> String) -> (usize, usize) {
    let mut before = workshop();
    let request = request(&[], &[]);
    let composed = before.compose(&request).unwrap();
    let active = composed.active;
    let mut warm_host = Rc::into_inner(composed.rulebook).unwrap().into_warm_host();
    let (mut again, mut all) = (0, 0);
    for module in ["dsii", "iceburg"].map(Name::from) {
        let texts: Vec<(String, String)> = before.sources()[&module]
            .under(folder)
            .map(|(path, text)| (path.to_string(), text.to_string()))
            .collect();
        for (path, text) in texts {
            let saved = with_saved(&before, &module, &path, save(&text));
            let Ok(fresh) = saved.compose_alone(&request) else {
                continue;
            };
            all += 1;
            warm_host = match saved.compose_saved(warm_host, &before, &active) {
                Some(composed) => {
                    again += 1;
                    let rulebook = Rc::into_inner(composed.rulebook).unwrap();
                    let (turned, fresh_text) = (all_of(&rulebook), all_of(&fresh));
                    let difference = || first_difference(&turned, &fresh_text);
                    assert!(turned == fresh_text, "{path}: {}", difference());
                    // Games cost more than composing.
                    match again % 8 {
                        0 => {
                            let (played_on, used) = played(&saved, rulebook);
                            assert_eq!(played_on, played(&saved, fresh).0, "{path}");
                            used
                        }
                        _ => rulebook.into_warm_host(),
                    }
                }
                None => fresh.into_warm_host(),
            };
            before = saved;
        }
    }
    (again, all)
}

#[test]
fn a_rulebook_after_a_save_is_the_one_that_is_composed_anew() {
    let (again, all) = after_saves("rules", saved_text);
    assert!(again * 10 > all * 9, "{again} of {all} files run again");
}

#[test]
fn a_rulebook_after_a_save_of_data_is_the_one_that_is_composed_anew() {
    let (again, all) = after_saves("data", saved_data);
    assert!(all > 20, "{all} files of data that compose");
    assert!(again * 10 > all * 8, "{again} of {all} files taken in");
}
