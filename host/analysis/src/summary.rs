//! What came of many games.

use std::collections::BTreeMap;

use matches::odds::{Range, wilson};

use crate::simulation::{GameRow, SimulationHead};

/// What came of the games of a variant.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The selector line of its rules.
    pub selector: String,
    /// How many games there were.
    pub games: u64,
    /// How many each side has won, and between which shares the truth lies 95
    /// times in a hundred; nobody where nobody has.
    pub winners: Vec<(String, Proportion)>,
    /// Why they ended, the commonest first.
    pub reasons: Vec<(String, u64)>,
    /// The least, the median and the greatest number of decisions.
    pub decisions: [usize; 3],
    /// The seeds of those that broke off, each with why.
    pub broken: Vec<(u64, String)>,
    /// In how many games of the same seed somebody else won than in the first
    /// variant.
    pub turned: Option<u64>,
}

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proportion {
    /// So many.
    pub count: u64,
    /// Between which shares the truth lies 95 times in a hundred.
    pub range: Range,
}

impl Proportion {
    /// So many of so many.
    pub fn of(count: u64, all: u64) -> Proportion {
        Proportion {
            count,
            range: wilson(count, all.max(1)),
        }
    }
}

/// Millionths as hundredths with a digit after the point.
pub fn percent(millionths: u32) -> String {
    let tenths = (u64::from(millionths) + 500) / 1_000;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// What came of the games, variant by variant.
pub fn summaries(head: &SimulationHead, rows: &[GameRow]) -> Vec<Summary> {
    let by_seed: BTreeMap<u64, &GameRow> = rows
        .iter()
        .filter(|row| row.variant == 0)
        .map(|row| (row.seed, row))
        .collect();
    let of = |(variant, about): (usize, &crate::simulation::VariantHead)| {
        let own: Vec<&GameRow> = rows.iter().filter(|row| row.variant == variant).collect();
        let turned = own.iter().filter(|row| {
            by_seed
                .get(&row.seed)
                .is_some_and(|first| first.winner != row.winner)
        });
        Summary {
            options: about.options.clone(),
            selector: about.selector.clone(),
            games: own.len() as u64,
            winners: winners(&own),
            reasons: counted(
                own.iter()
                    .filter(|row| row.fault.is_none())
                    .map(|row| row.reason.clone()),
            ),
            decisions: spread(own.iter().map(|row| row.decisions).collect()),
            broken: own
                .iter()
                .filter_map(|row| Some((row.seed, row.fault.clone()?)))
                .collect(),
            turned: (variant > 0).then(|| turned.count() as u64),
        }
    };
    head.variants.iter().enumerate().map(of).collect()
}

fn winners(rows: &[&GameRow]) -> Vec<(String, Proportion)> {
    let whole: Vec<&&GameRow> = rows.iter().filter(|row| row.fault.is_none()).collect();
    let name = |row: &&&GameRow| row.winner.clone().unwrap_or_else(|| "nobody".into());
    let all = whole.len() as u64;
    counted(whole.iter().map(name))
        .into_iter()
        .map(|(side, count)| (side, Proportion::of(count, all)))
        .collect()
}

/// How often each comes, the commonest first.
pub(crate) fn counted(items: impl Iterator<Item = String>) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    let mut all: Vec<(String, u64)> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}

/// Least, median and most.
fn spread(mut numbers: Vec<usize>) -> [usize; 3] {
    numbers.sort_unstable();
    let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
    [
        at(0),
        at(numbers.len() / 2),
        at(numbers.len().saturating_sub(1)),
    ]
}
