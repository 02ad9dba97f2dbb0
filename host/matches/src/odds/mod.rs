//! Exact odds: what an action or a rule comes to, and how often.
//!
//! The rules themselves are run, over copies of the game, under a source of chance that goes through every way
//! that dice and chits can fall. There is no second model of any rule: what is counted is what would be
//! played.
//!
//! The ways form a graph. A node is a game between two steps; its edges are the ways in which the next step
//! that draws can go, with their exact weights. Games that are alike, so that the same follows from them, are
//! one node, so that a volley of ten shots costs ten times one shot. Where a question is asked a node has an
//! edge for each answer, and a [`Policy`] says which is given. Nodes whose outcome is the same end in one.
//!
//! | read | for |
//! |---|---|
//! | [`OddsQuery`] | what is asked |
//! | [`By`] | outcomes: an expression over what it comes to |
//! | `ways` | one copy of a game, run step by step |
//! | `graph` | nodes and edges, and the weights of ends |
//! | `handfuls` | whether a rule looks at the order in which chits are drawn |
//! | `sample` | what is done where there are too many ways |
//! | [`Distribution`] | the answer, and how it is written |
//!
//! Absent on purpose: script engines, files, terminals, the clock.

mod answer;
mod by;
mod expression;
mod fraction;
mod graph;
mod handfuls;
mod likeness;
mod sample;
mod ways;
mod written;

use std::fmt;

use kernel::decision::Input;
use kernel::error::{Fault, Refusal};
use kernel::game::Game;
use kernel::rules::Rules;
use kernel::value::{Name, Side, Value};

pub use answer::{Distribution, How, Mean, Outcome, Range};
pub use by::{By, ByError};
pub use fraction::Fraction;
pub use sample::wilson;
pub use ways::meant;
pub use written::{EventWords, quoted, readable_decimal};

/// What runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// An action or a reaction, with all that follows from it of itself.
    Input(Input),
    /// A rule with its arguments; of a step also what it pushes.
    Rule(Name, Vec<Value>),
}

/// How a question is answered that no answer was given to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DefaultAnswer {
    /// Each answer is as likely as another.
    #[default]
    Split,
    /// The answer from which the outcome is greatest, in the mean.
    Best,
    /// The answer from which it is least.
    Worst,
}

impl DefaultAnswer {
    /// The words for all of them.
    pub const WORDS: [&'static str; 3] = ["split", "best", "worst"];

    /// The one that a word means.
    pub fn from_word(word: &str) -> Option<DefaultAnswer> {
        match word {
            "split" => Some(DefaultAnswer::Split),
            "best" => Some(DefaultAnswer::Best),
            "worst" => Some(DefaultAnswer::Worst),
            _ => None,
        }
    }
}

impl fmt::Display for DefaultAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DefaultAnswer::Split => "split",
            DefaultAnswer::Best => "best",
            DefaultAnswer::Worst => "worst",
        })
    }
}

/// An answer that is given before anybody asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenAnswer {
    /// A value; a text may be the label of a choice.
    Value(Value),
    /// Words of a player, with the value that they are read as where nothing is known of the question. What they
    /// mean is decided by what there is to choose from.
    Words(Name, Value),
}

impl From<Value> for GivenAnswer {
    fn from(value: Value) -> GivenAnswer {
        GivenAnswer::Value(value)
    }
}

/// How questions are answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// Answers that are given, by question, however often it is asked; a choice by its value or its label. The answer
    /// of one side alone has it before the question: `blue:drill.fire.sure`.
    pub given: Vec<(Name, GivenAnswer)>,
    /// How all others are.
    pub others: DefaultAnswer,
}

impl Policy {
    /// The answer that is given to a question of a side, under its name: that of the side alone goes before that of
    /// everybody.
    pub fn given_to(&self, side: &str, question: &str) -> Option<&(Name, GivenAnswer)> {
        let own = |(id, _): &&(Name, GivenAnswer)| {
            let (by, to) = id.split_once(':').unwrap_or_default();
            by == side && to == question
        };
        let of_all = |(id, _): &&(Name, GivenAnswer)| **id == *question;
        let given = self.given.iter();
        given
            .clone()
            .find(own)
            .or_else(|| given.clone().find(of_all))
    }
}

/// How far to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// More runs of steps than this are not walked: games are sampled instead.
    pub runs: u64,
    /// Nor is more work done than this to count, and no more again to sample, in checks:
    /// what rules cost, and beside them a copy of the game for each way and each answer.
    pub work: u64,
    /// So many of them.
    pub samples: u64,
    /// From this seed on.
    pub seed: u64,
}

impl Limits {
    /// So many runs are walked if nobody says how many.
    const RUNS: u64 = 200_000;

    /// So much work is done for that, in checks: some minutes of one core.
    const WORK: u64 = 10_000 * Limits::RUNS;

    /// What somebody asks for who can wait: so many runs, and so many games where those
    /// are too few, with the work that goes with either.
    pub fn of(runs: u64, samples: u64, seed: u64) -> Limits {
        let times = (runs / Limits::RUNS).max(samples / 10_000).max(1);
        Limits {
            runs,
            work: Limits::WORK.saturating_mul(times),
            samples,
            seed,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::of(Limits::RUNS, 10_000, 1)
    }
}

/// What is asked.
pub struct OddsQuery<'a> {
    /// The game from which it is asked; nothing happens to it.
    pub game: &'a Game,
    /// The rules.
    pub rules: &'a dyn Rules,
    /// What runs.
    pub what: What,
    /// What counts as its outcome.
    pub by: By,
    /// How questions are answered.
    pub policy: Policy,
    /// Only as far as this side may know it; everything, if it is left out.
    pub eyes: Option<Side>,
    /// How far to look.
    pub limits: Limits,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Unanswered {
    /// The rules do not allow it.
    Refused(Refusal),
    /// The odds rest on what the side that asks may not know. It is said in the same words whatever that is,
    /// and whatever else may be wrong.
    Hidden,
    /// A rule is broken on one of the ways.
    Fault {
        /// What is broken.
        fault: Fault,
        /// The dice and chits that led there.
        trail: Vec<String>,
    },
    /// It does not end, or asks for ever.
    Endless {
        /// What comes next, again and again.
        next: String,
        /// The last dice and chits before it was given up.
        trail: Vec<String>,
    },
    /// The outcome cannot be told at one of the ends.
    Outcome {
        /// Why not.
        reason: String,
        /// The dice and chits that led there.
        trail: Vec<String>,
    },
    /// A question has no answer that can be tried.
    Question {
        /// The question.
        id: Name,
        /// Why not.
        reason: String,
    },
    /// There are too many ways to weigh the best answer, or they go on for as long as chance has it.
    TooMany {
        /// The runs that were made.
        runs: u64,
    },
    /// Not even one game could be played with the work that may be done.
    TooDear {
        /// So many checks.
        work: u64,
    },
    /// Somebody stopped it.
    Stopped {
        /// The runs that were made.
        runs: u64,
    },
}

impl Unanswered {
    /// The dice and chits that led there, first to last.
    pub fn trail(&self) -> &[String] {
        match self {
            Unanswered::Fault { trail, .. }
            | Unanswered::Endless { trail, .. }
            | Unanswered::Outcome { trail, .. } => trail,
            _ => &[],
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Refused(refusal) => refusal.fmt(f)?,
            Unanswered::Hidden => {
                f.write_str("no odds can be told of that from what this side may know")?
            }
            Unanswered::Fault { fault, .. } => fault.fmt(f)?,
            Unanswered::Endless { next, .. } => {
                write!(
                    f,
                    "expected it to come to an end, found that it goes on with `{next}` again and again"
                )?;
            }
            Unanswered::Outcome { reason, .. } => f.write_str(reason)?,
            Unanswered::Question { id, reason } => write!(f, "the question `{id}`: {reason}")?,
            Unanswered::TooMany { runs } => write!(
                f,
                "too many ways to find the best or worst answer, after {runs} runs; give answers, or split them"
            )?,
            Unanswered::TooDear { work } => write!(
                f,
                "expected one game to take at most {work} loop turns and calls of rules, or work worth as much, found more; \
                 ask for less, or give answers"
            )?,
            Unanswered::Stopped { runs } => {
                write!(f, "stopped after {runs} runs, before all ways were counted")?
            }
        }
        if self.trail().is_empty() {
            return Ok(());
        }
        write!(f, "\n  after: {}", in_words(self.trail()))
    }
}

/// Dice and chits in a row; what falls again and again is said once.
fn in_words(trail: &[String]) -> String {
    let words = |run: &[String]| match run {
        [one] => one.clone(),
        [one, ..] => format!("{one} {} times", run.len()),
        [] => String::new(),
    };
    let runs = trail.chunk_by(|one, next| one == next).map(words);
    runs.collect::<Vec<_>>().join(", ")
}

impl OddsQuery<'_> {
    /// The odds of each outcome: exact, or from a sample where there are too many ways. `stop` is asked now
    /// and then whether somebody has had enough; a sample is then as large as it has become.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn answer(&self, stop: &dyn Fn() -> bool) -> Result<Distribution, Unanswered> {
        let before = self.rules.spent();
        let answer = match handfuls::counted(self, stop) {
            Err(Unanswered::TooMany { .. }) => sample::sampled(self, stop),
            answer => answer,
        };
        let spent = self.rules.spent().wrapping_sub(before);
        tracing::debug!(target: "houserule::odds", spent, "what the rules took for odds, in checks");
        answer.map_err(|why| self.reported(why))
    }

    /// What a side may hear of it: that the rules forbid it, what is wrong with its own words, or nothing.
    fn reported(&self, why: Unanswered) -> Unanswered {
        match why {
            Unanswered::Fault { .. }
            | Unanswered::Endless { .. }
            | Unanswered::Outcome { .. }
            | Unanswered::Question { .. }
                if self.eyes.is_some() =>
            {
                // For whoever runs the process; the side is told nothing of it.
                tracing::debug!(target: "houserule::odds", why = %rules::printable::line(&why.to_string()), "no odds for a side");
                Unanswered::Hidden
            }
            other => other,
        }
    }
}
