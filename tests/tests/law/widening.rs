//! Each audience that a mod declares, made wider: for each a game is sought in
//! which somebody learns more by it than it may.
//!
//! What a line is about is told by its words, and by the rules that it calls or that
//! write what it shows; games are played in which that is parted rather than anything else, those first in which it has parted most for
//! what they cost. Where something was found it is looked for first the next time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Mutex;

use houserule::testing::{Filter, TestKind, run_for_audiences};
use houserule::workshop::Workshop;
use kernel::value::Name;
use rayon::prelude::*;

use crate::about::Lines;
use crate::again;
use crate::games::Subject;
use crate::keep::Run;
use crate::lockstep::{Known, Lockstep, Pair, Plan};
use crate::mutations::{Widened, widened};
use crate::{
    Leaky, PAIRS, is_noticed, pairs_of_veil, plan, requested, requested_name, sources, subject,
    workshop,
};

/// The suite widens one of so many audiences of the small game.
const PART: usize = 5;
/// Games of each subject in which what a line is about is parted.
const AIMED: u64 = 3;
/// Games of each in which anything is.
const AT_LARGE: u64 = 1;
/// So many answers show that all are told what was answered.
const ANSWERS: usize = 4;
/// In so many games of pairs, the longest, it is looked for whether anybody is
/// shown more at all.
const LONGEST: usize = 4;

/// So many pairs of a game are compared again.
const COMPARED: usize = 10;

/// A game to look in: its subject and seed, and whether what a line is about is
/// parted rather than anything else.
type Game = (&'static Subject, u64, bool);

/// What was found where, kept from run to run beside the tally.
struct Found {
    path: Option<PathBuf>,
    games: Mutex<BTreeMap<String, (String, u64, bool)>>,
}

impl Found {
    fn taken_up(keep: Option<&PathBuf>) -> Found {
        let path = keep.map(|path| path.with_extension("found.json"));
        let text = path
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        let games = text
            .map(|text| serde_json::from_str(&text).unwrap())
            .unwrap_or_default();
        Found {
            path,
            games: Mutex::new(games),
        }
    }

    fn of(&self, wide: &Widened) -> Option<Game> {
        let games = self.games.lock().unwrap();
        games
            .get(&key(wide))
            .map(|(name, seed, is_aimed)| (subject(name), *seed, *is_aimed))
    }

    fn note(&self, wide: &Widened, (subject, seed, is_aimed): Game) {
        let mut games = self.games.lock().unwrap();
        games.insert(key(wide), (subject.name.to_string(), seed, is_aimed));
        if let Some(path) = &self.path {
            std::fs::write(path, serde_json::to_string_pretty(&*games).unwrap()).unwrap();
        }
    }
}

fn key(wide: &Widened) -> String {
    format!("{}: {}", wide.place, wide.line)
}

/// Where audiences of a mod are looked for.
struct Search {
    subjects: Vec<&'static Subject>,
    run: Run,
    found: Found,
}

impl Search {
    fn over(subjects: &[&str]) -> Search {
        let keep = std::env::var_os("HOUSERULE_LAW_KEEP").map(PathBuf::from);
        let subjects = subjects.iter().map(|name| subject(name)).collect();
        Search {
            subjects,
            found: Found::taken_up(keep.as_ref()),
            run: Run::taken_up(keep),
        }
    }

    /// The games to look in, in order.
    fn games(&self, wide: &Widened, lines: &Lines) -> Vec<Game> {
        let mut subjects = self.subjects.clone();
        let worth = |subject: &&Subject| self.run.brings(subject, |what| lines.are_about(what));
        subjects.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
        let of = |seeds: u64, is_aimed: bool| {
            let subjects = &subjects;
            (0..seeds).flat_map(move |seed| {
                subjects
                    .iter()
                    .map(move |subject| (*subject, seed, is_aimed))
            })
        };
        self.found
            .of(wide)
            .into_iter()
            .chain(of(AIMED, true))
            .chain(of(AT_LARGE, false))
            .collect()
    }

    /// What becomes of a widened audience.
    fn sought(&self, wide: &Widened) -> Outcome {
        let lines = Rc::new(Lines::of(wide));
        let workshop = workshop(wide.sources.clone());
        let beside = wide.beside.clone().map(crate::workshop);
        let leaky = Leaky {
            beside: beside.as_ref(),
            ..Leaky::mods(&workshop)
        };
        let mut answers = Vec::new();
        for game in self.games(wide, &lines) {
            // What a line of a rule tells is seldom reached from the set-up.
            let is_rule = wide.place.contains("/rules/");
            for is_set_up_only in [!is_rule, is_rule] {
                let mut pairs = pairs_of((game, is_set_up_only), &lines);
                let without = beside.clone().unwrap_or_else(crate::honest);
                let mut longest: Vec<&Pair> = pairs.iter().collect();
                longest.sort_by_key(|pair| std::cmp::Reverse(pair.lines.len()));
                let shown = longest
                    .iter()
                    .take(LONGEST)
                    .map(|pair| again::shows_otherwise(pair, [&without, &workshop]));
                let Some(shown) = shown.into_iter().find(|shown| !shown.is_empty()) else {
                    continue;
                };
                // Whoever watches when more is shown may learn something by it.
                pairs.sort_by_key(|pair| !pair.is_watched_at(&shown));
                pairs.truncate(COMPARED);
                if pairs.iter().any(|pair| leaky.betrays(pair)) {
                    self.found.note(wide, game);
                    return Outcome::Noticed(game);
                }
                let question = wide.question(pairs.iter().filter_map(asked));
                let is_answer = |pair: &&Pair| question.is_some() && asked(pair) == question;
                answers.extend(
                    pairs
                        .iter()
                        .filter(is_answer)
                        .filter_map(again::is_disclosed_with_the_answer),
                );
                if answers.len() >= ANSWERS && answers.iter().all(|is_disclosed| *is_disclosed) {
                    return Outcome::Disclosed(answers.len());
                }
            }
        }
        Outcome::Missed
    }
}

/// The question in whose answer a pair parts.
fn asked(pair: &Pair) -> Option<&str> {
    pair.what.strip_prefix("answer ")
}

/// What becomes of an audience that is widened.
enum Outcome {
    /// Somebody learns in a game what it may not know.
    Noticed(Game),
    /// What is answered in secret all are told with the answer, by the rules: in
    /// so many pairs.
    Disclosed(usize),
    /// Nobody notices.
    Missed,
}

/// The pairs of a game, those first that have most to do with some lines; where
/// it is aimed at them, those alone.
fn pairs_of(
    ((subject, seed, is_aimed), is_set_up_only): (Game, bool),
    lines: &Rc<Lines>,
) -> Vec<Pair> {
    let known = if is_aimed {
        Known::AllBut(lines.clone())
    } else {
        Known::Nothing
    };
    let game = Lockstep::play(Plan {
        known,
        is_set_up_only,
        is_brief: true,
        ..plan(subject, seed, PAIRS[1])
    });
    let near = |pair: &Pair| {
        pair.parted
            .iter()
            .map(|what| lines.words_in_common(what))
            .max()
            .unwrap_or(0)
    };
    let mut pairs = game.ended;
    pairs.retain(|pair| !is_aimed || near(pair) > 0);
    pairs.sort_by_key(|pair| std::cmp::Reverse(near(pair)));
    pairs
}

/// The games in which audiences of the small one are looked for.
const OF_VEIL: &[&str] = &["hoards", "signs", "plots", "votes", "streets", "veil"];

/// A mod that declares a wider audience than it should is noticed.
#[test]
fn every_audience_that_is_widened_is_noticed() {
    let is_long = requested().is_some();
    let all = widened(&sources(), "veil");
    let search = Search::over(OF_VEIL);
    let is_found = |wide: &Widened| match is_long {
        true => matches!(search.sought(wide), Outcome::Noticed(_)),
        false => is_noticed(
            pairs_of_veil(),
            &wide.near,
            &Leaky::mods(&workshop(wide.sources.clone())),
        ),
    };
    let looked_at: Vec<&Widened> = all.iter().step_by(if is_long { 1 } else { PART }).collect();
    let missed = looked_at.into_par_iter().filter(|wide| !is_found(wide));
    let missed: Vec<String> = missed.map(key).collect();
    assert!(
        missed.is_empty(),
        "{} of these are not noticed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// The games whose audiences are widened too, and what is played of them.
const WIDENED: &[(&str, &[&str])] = &[
    ("hearts", &["passes", "hearts"]),
    (
        "iceburg",
        &["inbound", "salvo", "mortars", "strike", "missiles"],
    ),
    (
        "netepic",
        &[
            "nest", "pickets", "drills", "crossing", "marksmen", "blips", "volleys", "scrum",
            "netepic",
        ],
    ),
    (
        "dsii",
        &[
            "sorties",
            "landings",
            "strafers",
            "returns",
            "schooling",
            "coffers",
            "dummies",
            "trenches",
            "wagons",
            "fuses",
            "reviews",
            "mournings",
            "calls",
            "letters",
            "successions",
            "remnants",
            "radars",
            "assaults",
            "raid",
            "ambush",
        ],
    ),
];

/// What shows nothing more to anybody when it is widened, and why.
const WIDENS_NOTHING: &[(&str, &str, &str)] = &[
    (
        "hearts/data/hearts.ron",
        "\"passing\"",
        "cards are laid down in a secret phase, and are with who takes them when it is over",
    ),
    (
        "netepic/data/force.ron",
        "\"has_fired\", type: \"bool\", viewers: Owner",
        "it stands on a sheet that only its owner knows of, and rules find sheets by whose they are alone",
    ),
];

/// Whether it is said that a line shows nothing more when it is widened.
fn widens_nothing(wide: &Widened) -> bool {
    let is_listed = |(file, word, _): &(&str, &str, &str)| {
        wide.place.starts_with(file) && wide.line.contains(word)
    };
    WIDENS_NOTHING.iter().any(is_listed)
}

/// Whether tests of a mod find something to be told too widely.
fn is_checked(module: &str, workshop: &Workshop) -> bool {
    let filter = Filter {
        mods: vec![Name::from(module)],
        text: None,
    };
    run_for_audiences(workshop, &filter)
        .iter()
        .any(|one| one.sort == TestKind::Audience)
}

/// What the suite widens of them: a word of the line in which an audience is
/// declared.
const SAMPLES: &[(&str, &str)] = &[("hearts", "\"hand\""), ("iceburg", "existence")];

/// So is a game that ships, by the law or by what `houserule check` finds in
/// its tests. The suite looks at one audience of two of them.
#[test]
fn every_audience_of_the_games_that_is_widened_is_found() {
    let is_long = requested().is_some();
    let of = requested_name();
    let mut missed = Vec::new();
    for (module, subjects) in WIDENED {
        let sample = SAMPLES.iter().find(|(of, _)| of == module);
        let is_meant = |wide: &&Widened| match sample {
            _ if is_long => wide.place.contains(&of),
            Some((_, word)) => wide.line.contains(word),
            None => false,
        };
        let all = widened(&sources(), module);
        let looked_at: Vec<&Widened> = all
            .iter()
            .filter(is_meant)
            .filter(|wide| !widens_nothing(wide))
            .collect();
        if looked_at.is_empty() {
            continue;
        }
        let search = Search::over(subjects);
        println!(
            "{module}: {} audiences, {} looked at",
            all.len(),
            looked_at.len()
        );
        let few = if is_long { looked_at.len() } else { 1 };
        let look = |wide: &Widened| {
            let how = match search.sought(wide) {
                Outcome::Noticed((subject, seed, _)) => {
                    format!("the law, in {} {seed},", subject.name)
                }
                Outcome::Disclosed(times) => format!("who is told it anyway, in {times} answers,"),
                _ if is_long && is_checked(module, &workshop(wide.sources.clone())) => {
                    "a check".into()
                }
                _ => "nobody".into(),
            };
            println!("{how} finds {}", key(wide));
            (how == "nobody").then(|| key(wide))
        };
        missed.extend(
            looked_at
                .into_par_iter()
                .take(few)
                .filter_map(look)
                .collect::<Vec<_>>(),
        );
    }
    assert!(
        missed.is_empty(),
        "{} of these are not found:\n{}",
        missed.len(),
        missed.join("\n")
    );
}
