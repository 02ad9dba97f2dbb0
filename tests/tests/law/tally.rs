//! What was parted, and how often; what came up and never was.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value as Json, json};

/// So many viewers ask at each line, in the game beside which the others are.
const VIEWERS: usize = 4;

/// The count of pairs.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Games that were played.
    pub games: usize,
    /// Lines that were sent in them.
    pub lines: usize,
    /// Pairs of games that were compared.
    pub pairs: usize,
    /// Comparisons of all that one viewer got at one step.
    pub comparisons: usize,
    /// How many pairs parted in each hidden thing.
    pub parted: BTreeMap<String, usize>,
    /// At how many places nothing else could have been decided than what was.
    pub forced: BTreeMap<String, usize>,
    /// The hidden things that came up.
    pub seen: BTreeSet<String>,
    /// What is declared to be hidden, whether it ever came up or not.
    pub declared: BTreeSet<String>,
    /// How pairs ended.
    pub ends: BTreeMap<String, usize>,
    /// What was found, in words; each once.
    pub leaks: Vec<String>,
}

impl Tally {
    /// These and those.
    #[must_use]
    pub fn and(mut self, other: Tally) -> Tally {
        self.games += other.games;
        self.lines += other.lines;
        self.pairs += other.pairs;
        self.comparisons += other.comparisons;
        for (what, count) in other.parted {
            *self.parted.entry(what).or_default() += count;
        }
        for (how, count) in other.ends {
            *self.ends.entry(how).or_default() += count;
        }
        for (what, count) in other.forced {
            *self.forced.entry(what).or_default() += count;
        }
        self.seen.extend(other.seen);
        self.declared.extend(other.declared);
        self.leaks.extend(other.leaks);
        self
    }

    /// How often something was parted.
    pub fn count(&self, what: &str) -> usize {
        self.parted.get(what).copied().unwrap_or(0)
    }

    /// What it took: all that viewers asked for, at each line and in each pair.
    pub fn cost(&self) -> f64 {
        (1 + self.comparisons + VIEWERS * self.lines) as f64
    }

    /// Notes a pair that parts in something.
    pub fn part(&mut self, what: &str) {
        self.seen.insert(what.to_string());
        *self.parted.entry(what.to_string()).or_default() += 1;
    }

    /// The hidden things that came up, or are declared, and parted in fewer pairs
    /// than so many, though they could have.
    pub fn seldom(&self, least: usize) -> Vec<(&str, usize)> {
        let counted = self
            .seen
            .union(&self.declared)
            .map(|what| (what.as_str(), self.count(what)));
        counted
            .filter(|(what, count)| *count < least && !self.cannot_part(what, least))
            .collect()
    }

    /// Whether something never parted, and at so many places nothing else could
    /// have been decided.
    pub fn cannot_part(&self, what: &str, least: usize) -> bool {
        self.count(what) == 0 && self.forced.get(what).is_some_and(|forced| *forced >= least)
    }

    /// The actions in which something parts that has parted in fewer pairs than
    /// so many: in what they are given, or in what they draw.
    pub fn sought(&self, least: usize) -> BTreeSet<String> {
        let ids = self
            .seldom(least)
            .into_iter()
            .filter_map(|(what, _)| what.rsplit(' ').next());
        let parent = |id: &str| id.rsplit_once('.').map(|(parent, _)| parent.to_string());
        ids.flat_map(|id| [Some(id.to_string()), parent(id)])
            .flatten()
            .collect()
    }

    /// All of it, to be kept in a file.
    pub fn to_json(&self) -> Json {
        json!({
            "counts": [self.games, self.lines, self.pairs, self.comparisons],
            "parted": self.parted,
            "forced": self.forced,
            "seen": self.seen,
            "declared": self.declared,
            "ends": self.ends,
            "leaks": self.leaks,
        })
    }

    /// What a file holds.
    pub fn from_json(json: &Json) -> Tally {
        let of = |name: &str| json[name].clone();
        let [games, lines, pairs, comparisons] = serde_json::from_value(of("counts")).unwrap();
        Tally {
            games,
            lines,
            pairs,
            comparisons,
            parted: serde_json::from_value(of("parted")).unwrap(),
            forced: serde_json::from_value(of("forced")).unwrap_or_default(),
            seen: serde_json::from_value(of("seen")).unwrap(),
            declared: serde_json::from_value(of("declared")).unwrap(),
            ends: serde_json::from_value(of("ends")).unwrap(),
            leaks: serde_json::from_value(of("leaks")).unwrap(),
        }
    }

    /// All of it, for people; of what is never parted, whether it could be.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} games, {} lines, {} pairs, {} comparisons\n",
            self.games, self.lines, self.pairs, self.comparisons
        );
        for (how, count) in &self.ends {
            let _ = writeln!(text, "  {count:6} pairs ended: {how}");
        }
        for what in self.seen.union(&self.declared) {
            let _ = writeln!(text, "  {:6} pairs parted in {what}", self.count(what));
        }
        for what in self
            .seen
            .union(&self.declared)
            .filter(|what| self.count(what) == 0)
        {
            let forced = self.forced.get(what).copied().unwrap_or(0);
            let _ = writeln!(
                text,
                "never parted: {what}; at {forced} places nothing else could be decided"
            );
        }
        text
    }
}
