//! A long run that can be broken off and taken up again: what has parted how
//! often, and which games were played, kept in a file; and which games are
//! worth playing next.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::LEAST;
use crate::games::Subject;
use crate::tally::Tally;

/// What has not come up anywhere is looked for in so many games of each
/// scenario.
const LOOKED_FOR: usize = 3;
/// In one of so many games it is expected.
const RARE: f64 = 40.0;
/// Of what a subject seeks, or has come up in it, and has never parted in it, so
/// much is expected of all its games together.
const SOUGHT: f64 = 1.0;
const SEEN: f64 = 0.5;

/// How the tally calls what is otherwise from the start.
const SET_UP: &str = "set-up ";

/// Whether something may part in how a game is set up: what is there, and what it
/// holds, is otherwise as long as that parts.
fn parts_from_the_start(what: &str) -> bool {
    [SET_UP, "existence ", "attribute "]
        .iter()
        .any(|sort| what.starts_with(sort))
}

/// A game to play.
#[derive(Clone, Copy)]
pub struct Next {
    /// Of what.
    pub subject: &'static Subject,
    /// Its seed, which also says which scenario.
    pub seed: u64,
    /// Whether what is decided and drawn in it is worth parting in.
    pub is_for_play: bool,
    /// Whether its set-up is.
    pub is_for_set_up: bool,
}

impl Next {
    fn stage(&self) -> String {
        stage(self.subject, self.seed)
    }
}

/// What a scenario is called as a game of a subject.
fn stage(subject: &Subject, seed: u64) -> String {
    format!("{} {}", subject.name, subject.scenario(seed))
}

/// The games of one scenario, as a game of one subject.
#[derive(Clone, Default)]
struct Stage {
    seeds: BTreeSet<u64>,
    tally: Tally,
}

impl Stage {
    /// In how many pairs of a game of a subject something is likely to part that
    /// has to part so many times more: as often as it did, and a little more
    /// where that is what the subject seeks, or is looked for.
    fn rate(&self, subject: &Subject, what: &str, need: f64) -> f64 {
        let (games, parted) = (self.seeds.len(), self.tally.count(what));
        let is_new = games < LOOKED_FOR && self.tally.declared.contains(what);
        let hoped = match parted {
            _ if need <= 0.0 => return 0.0,
            0 if subject.seeks.iter().any(|id| what.contains(id)) => SOUGHT,
            0 if self.tally.seen.contains(what) => SEEN,
            0 if is_new && need >= LEAST as f64 => 1.0 / RARE,
            0 => 0.0,
            _ => parted as f64,
        };
        hoped / games as f64
    }

    /// How much of what has to part a game is likely to bring, for what is
    /// compared in it.
    fn worth(&self, subject: &Subject, needs: &BTreeMap<&str, f64>) -> f64 {
        let gain: f64 = needs
            .iter()
            .map(|(what, need)| self.rate(subject, what, *need).min(*need))
            .sum();
        gain * self.seeds.len() as f64 / self.tally.cost()
    }
}

/// What was played so far.
#[derive(Clone, Default)]
pub struct Run {
    /// All that parted, and all that was found.
    pub all: Tally,
    stages: BTreeMap<String, Stage>,
    path: Option<PathBuf>,
}

impl Run {
    /// What a file holds of a run that was broken off; a run from the beginning
    /// where there is none yet. Where something leaked is played again.
    pub fn taken_up(path: Option<PathBuf>) -> Run {
        let text = path
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        let mut run = Run {
            path,
            ..Run::default()
        };
        let Some(text) = text else { return run };
        let mut json: Json = serde_json::from_str(&text).unwrap();
        for (name, stage) in json["stages"].as_object_mut().into_iter().flatten() {
            let seeds = serde_json::from_value(stage["seeds"].take()).unwrap();
            let tally = Tally::from_json(&stage["tally"]);
            if !tally.leaks.is_empty() {
                continue;
            }
            run.all = run.all.and(tally.clone());
            run.stages.insert(name.clone(), Stage { seeds, tally });
        }
        run
    }

    /// Notes what came of a game, in the file too.
    pub fn note(&mut self, game: &Next, tally: Tally) {
        let stage = self.stages.entry(game.stage()).or_default();
        stage.seeds.insert(game.seed);
        stage.tally = std::mem::take(&mut stage.tally).and(tally.clone());
        self.all = std::mem::take(&mut self.all).and(tally);
        let Some(path) = &self.path else { return };
        let of = |stage: &Stage| json!({ "seeds": stage.seeds, "tally": stage.tally.to_json() });
        let stages: BTreeMap<&String, Json> = self
            .stages
            .iter()
            .map(|(name, it)| (name, of(it)))
            .collect();
        // One that is broken off while it is written leaves the one before.
        let fresh = path.with_extension("fresh");
        std::fs::write(
            &fresh,
            serde_json::to_string_pretty(&json!({ "stages": stages })).unwrap(),
        )
        .unwrap();
        std::fs::rename(&fresh, path).unwrap();
    }

    /// How often that parts which is meant, in games of a subject, for what they
    /// cost.
    pub fn brings(&self, subject: &Subject, is_meant: impl Fn(&str) -> bool) -> f64 {
        let is_of_it = |stage: &str| stage.split(' ').next() == Some(subject.name);
        let of = self
            .stages
            .iter()
            .filter(|(stage, _)| is_of_it(stage))
            .map(|(_, stage)| &stage.tally);
        let (parted, cost) = of.fold((0, 1.0), |(parted, cost), tally| {
            let meant = tally
                .parted
                .iter()
                .filter(|(what, _)| is_meant(what))
                .map(|(_, count)| count);
            (parted + meant.sum::<usize>(), cost + tally.cost())
        });
        parted as f64 / cost
    }

    /// What has parted in fewer pairs than it should, and in how many.
    pub fn seldom(&self) -> Vec<(&str, usize)> {
        self.all.seldom(LEAST)
    }

    /// So many games to play next, none of a seed outside of a range. Each
    /// scenario is played once, the shortest first; then those in which most
    /// parts that has seldom parted, for what they cost.
    pub fn next(
        &self,
        subjects: &[&'static Subject],
        seeds: &Range<u64>,
        most: usize,
    ) -> Vec<Next> {
        let of = |subject: &'static Subject| seeds.clone().map(move |seed| (subject, seed));
        let mut free: Vec<_> = subjects.iter().copied().flat_map(of).collect();
        free.retain(|(subject, seed)| {
            self.stages
                .get(&stage(subject, *seed))
                .is_none_or(|stage| !stage.seeds.contains(seed))
        });
        free.sort_by_key(|(subject, seed)| (subject.steps, *seed));
        let mut chosen = self.one_of_each(&free, most);
        let mut needs: BTreeMap<&str, f64> = self
            .seldom()
            .into_iter()
            .map(|(what, count)| (what, (LEAST - count) as f64))
            .collect();
        free.retain(|(subject, seed)| self.stages.contains_key(&stage(subject, *seed)));
        while chosen.len() < most {
            let worth = |(subject, seed): &(&Subject, u64)| {
                self.stages[&stage(subject, *seed)].worth(subject, &needs)
            };
            let best = free
                .iter()
                .map(worth)
                .enumerate()
                .rev()
                .max_by(|(_, a), (_, b)| a.total_cmp(b));
            let Some((place, _)) = best.filter(|(_, worth)| *worth > 0.0) else {
                break;
            };
            let (subject, seed) = free.remove(place);
            let of = &self.stages[&stage(subject, seed)];
            let likely = |set_up: bool| {
                let is_of_it = |what: &str| {
                    if set_up {
                        parts_from_the_start(what)
                    } else {
                        !what.starts_with(SET_UP)
                    }
                };
                let mut all = needs.iter().filter(|(what, _)| is_of_it(what));
                all.any(|(what, need)| of.rate(subject, what, *need) > 0.0)
            };
            chosen.push(Next {
                subject,
                seed,
                is_for_play: likely(false),
                is_for_set_up: likely(true),
            });
            needs
                .iter_mut()
                .for_each(|(what, need)| *need -= of.rate(subject, what, *need));
        }
        chosen
    }

    /// The first game of each scenario that was not played yet, so many of them
    /// at most.
    fn one_of_each(&self, free: &[(&'static Subject, u64)], most: usize) -> Vec<Next> {
        let mut chosen: Vec<Next> = Vec::new();
        for (subject, seed) in free {
            let stage = stage(subject, *seed);
            let is_new = !self.stages.contains_key(&stage)
                && chosen.iter().all(|game| game.stage() != stage);
            if is_new && chosen.len() < most {
                chosen.push(Next {
                    subject,
                    seed: *seed,
                    is_for_play: true,
                    is_for_set_up: true,
                });
            }
        }
        chosen
    }
}
