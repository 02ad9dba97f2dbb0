//! The answer: outcomes with their odds, and how they were found.

use kernel::value::{Name, Value};

use rules::types::Unit;

use super::fraction::Fraction;
use super::graph::worth_of;

/// Digits after the point.
pub(super) const PLACES: u32 = 6;

/// What something comes to, and how often.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// Numbers from the least to the greatest, anything else from the likeliest on.
    pub outcomes: Vec<Outcome>,
    /// How it was found.
    pub how: How,
    /// The questions to which no answer was given.
    pub questions: Vec<Name>,
    /// The questions that were asked and to which one was given.
    pub answered: Vec<Name>,
    /// The events that happened on some way, in the order in which they were first seen.
    pub happened: Vec<Name>,
}

/// One outcome.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What it is.
    pub value: Value,
    /// How likely it is: exactly, or the part of a sample.
    pub odds: Fraction,
    /// Between which odds it lies, where not every way was counted.
    pub range: Option<Range>,
}

/// The range of odds which is left open: by a sample, where 95 times in a hundred the truth lies in it by Wilson's
/// score; or by ways that were not counted, where it lies in it for sure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// The least, in millionths.
    pub low: u32,
    /// The greatest, in millionths.
    pub high: u32,
}

/// The mean of outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mean {
    /// Of whole numbers.
    Number(Fraction),
    /// Of lengths, in micrometres.
    Micrometres(Fraction),
}

impl Mean {
    /// As a number, of lengths in a unit.
    pub fn number(&self, unit: Unit) -> Fraction {
        match self {
            Mean::Number(number) => number.clone(),
            Mean::Micrometres(number) => number.over(unit.length().um()),
        }
    }

    /// The unit that the number is in; none of whole numbers.
    pub fn unit(&self, unit: Unit) -> Option<&'static str> {
        match self {
            Mean::Number(_) => None,
            Mean::Micrometres(_) => Some(unit.word()),
        }
    }

    /// With six digits after the point; of lengths with their unit.
    pub fn text(&self, unit: Unit) -> String {
        let number = self.number(unit).decimal(PLACES);
        self.unit(unit)
            .map_or_else(|| number.clone(), |word| format!("{number} {word}"))
    }
}

/// How odds were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// Every way was counted.
    Exact {
        /// The runs of steps that it took.
        runs: u64,
        /// The nodes of the graph.
        nodes: usize,
    },
    /// Every way was counted with handfuls in one order, and somebody stopped it before all were counted in another:
    /// it is exact if no rule looks at which chit came first.
    Once {
        /// The runs of steps that were made.
        runs: u64,
        /// The nodes of the graph.
        nodes: usize,
    },
    /// Somebody stopped it: of these ways it is known what they come to, of the others nothing.
    Partial {
        /// The runs of steps that were made.
        runs: u64,
        /// How likely it is that one of these ways comes about.
        counted: Fraction,
    },
    /// There were too many ways; some games were played.
    Sampled {
        /// So many.
        games: u64,
        /// From this seed on.
        seed: u64,
    },
}

impl Outcome {
    pub(super) fn exact(value: Value, odds: Fraction) -> Outcome {
        Outcome {
            value,
            odds,
            range: None,
        }
    }

    /// An outcome of the ways that were counted, where a part of them was.
    pub(super) fn at_least(value: Value, odds: Fraction, counted: &Fraction) -> Outcome {
        const MILLION: u32 = 1_000_000;
        // What is neither counted nor of this outcome may come to it, but for the other outcomes.
        let others = counted.minus(&odds);
        let low = odds.part_of(MILLION).saturating_sub(1);
        let high = (MILLION + 1)
            .saturating_sub(others.part_of(MILLION))
            .min(MILLION);
        Outcome {
            value,
            odds,
            range: Some(Range { low, high }),
        }
    }
}

impl Distribution {
    pub(super) fn new(mut outcomes: Vec<Outcome>, how: How, questions: Vec<Name>) -> Distribution {
        let are_numbers = outcomes.iter().all(|outcome| is_number(&outcome.value));
        match are_numbers {
            true => outcomes.sort_by(|a, b| a.value.cmp(&b.value)),
            false => {
                outcomes.sort_by(|a, b| b.odds.cmp(&a.odds).then_with(|| a.value.cmp(&b.value)))
            }
        }
        Distribution {
            outcomes,
            how,
            questions,
            answered: Vec::new(),
            happened: Vec::new(),
        }
    }

    /// With the questions that were asked and to which an answer was given, and the events that happened.
    pub(super) fn with_seen(self, answered: Vec<Name>, happened: Vec<Name>) -> Distribution {
        Distribution {
            answered,
            happened,
            ..self
        }
    }

    /// The odds of an outcome; nothing of one that does not come about.
    pub fn of(&self, value: &Value) -> Fraction {
        let found = self.outcomes.iter().find(|outcome| outcome.value == *value);
        found.map_or_else(Fraction::zero, |outcome| outcome.odds.clone())
    }

    /// Whether every way was counted.
    pub fn is_exact(&self) -> bool {
        matches!(self.how, How::Exact { .. })
    }

    /// The mean, where outcomes are whole numbers, or where they are lengths.
    pub fn mean(&self) -> Option<Mean> {
        let are = |is: fn(&Value) -> bool| self.outcomes.iter().all(|outcome| is(&outcome.value));
        let are_lengths = are(|value| matches!(value, Value::Length(_)));
        let are_alike = are_lengths || are(|value| matches!(value, Value::Int(_)));
        let is_whole = !matches!(self.how, How::Partial { .. });
        (is_whole && are_alike && self.outcomes.len() > 1).then(|| {
            let add =
                |sum: Fraction, one: &Outcome| sum.plus(&one.odds.times(&worth_of(&one.value)));
            let sum = self.outcomes.iter().fold(Fraction::zero(), add);
            match are_lengths {
                true => Mean::Micrometres(sum),
                false => Mean::Number(sum),
            }
        })
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Length(_) | Value::Bool(_))
}
