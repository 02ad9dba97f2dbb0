//! Times and the table that they end in.

use std::hint::black_box;
use std::time::Instant;

/// Rounds of each measurement; the median of them counts.
const ROUNDS: usize = 15;

/// How a figure must lie to its target.
#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// Shown for comparison.
    None,
}

/// The rows measured so far.
pub struct Table {
    wanted: Option<String>,
    rows: Vec<[String; 5]>,
}

impl Table {
    pub fn new(wanted: Option<String>) -> Table {
        Table {
            wanted,
            rows: Vec::new(),
        }
    }

    /// Whether a row is asked for.
    pub fn wants(&self, what: &str) -> bool {
        self.wanted
            .as_ref()
            .is_none_or(|wanted| what.contains(wanted.as_str()))
    }

    /// Adds a figure that is held against its target.
    pub fn add(&mut self, what: &str, figure: f64, unit: &str, bound: Bound, note: &str) {
        let number = |n: f64| {
            if n < 100.0 {
                format!("{n:.2} {unit}")
            } else {
                format!("{n:.0} {unit}")
            }
        };
        let (target, verdict) = match bound {
            Bound::AtMost(most) => (format!("<= {}", number(most)), figure <= most),
            Bound::AtLeast(least) => (format!(">= {}", number(least)), figure >= least),
            Bound::None => (String::new(), true),
        };
        let verdict = match (bound, verdict) {
            (Bound::None, _) => "",
            (_, true) => "met",
            (_, false) => "missed",
        };
        self.rows.push([
            what.into(),
            target,
            number(figure),
            note.into(),
            verdict.into(),
        ]);
    }

    /// Prints the table.
    pub fn print(&self) {
        let heads = ["what", "target", "measured", "from", ""].map(String::from);
        let width = |i: usize| {
            self.rows
                .iter()
                .chain([&heads])
                .map(|row| row[i].chars().count())
                .max()
        };
        let widths: Vec<usize> = (0..5).map(|i| width(i).unwrap_or(0)).collect();
        for row in [&heads].into_iter().chain(&self.rows) {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, w)| format!("{cell:<w$}"))
                .collect();
            println!("{}", cells.join("  ").trim_end());
        }
    }
}

/// Seconds that something takes.
pub fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

pub fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

/// Nanoseconds of one of many, as the median of several rounds.
pub fn nanoseconds(count: u32, mut work: impl FnMut()) -> f64 {
    work();
    median(
        (0..ROUNDS)
            .map(|_| seconds(&mut work) * 1e9 / f64::from(count))
            .collect(),
    )
}

/// The two in turns: nanoseconds of each, and the median of their ratios.
pub fn compare(count: u32, mut bare: impl FnMut(), mut ours: impl FnMut()) -> (f64, f64, f64) {
    bare();
    ours();
    let rounds: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| (seconds(&mut bare), seconds(&mut ours)))
        .collect();
    let each = |time: f64| time * 1e9 / f64::from(count);
    (
        median(rounds.iter().map(|(bare, _)| each(*bare)).collect()),
        median(rounds.iter().map(|(_, ours)| each(*ours)).collect()),
        median(rounds.iter().map(|(bare, ours)| ours / bare).collect()),
    )
}
