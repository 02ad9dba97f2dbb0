//! Where there are too many ways: games played under seeds, and how sure one can be.

use std::collections::{BTreeMap, BTreeSet};

use kernel::chance::{BotChance, Chance, HandfulOrder};
use kernel::value::{Name, Value};

use super::answer::{Distribution, How, Outcome, Range};
use super::fraction::Fraction;
use super::ways::{GameWay, NextOnWay, Ways};
use super::{DefaultAnswer, OddsQuery, Unanswered};

/// Sets the dice of samples apart from those of any game; any constant does.
const DOMAIN: u64 = 0x6f64_6473_5f73_6d70;

/// The odds of each outcome in games under one seed after another.
pub(super) fn sampled(
    asked: &OddsQuery<'_>,
    stop: &dyn Fn() -> bool,
) -> Result<Distribution, Unanswered> {
    let (mut ways, start) = Ways::begin(asked, HandfulOrder::default(), asked.limits.work, stop)?;
    let mut counts: BTreeMap<Value, u64> = BTreeMap::new();
    let mut met = MetQuestions::default();
    let mut games = 0;
    while games < asked.limits.samples {
        let seed = asked.limits.seed.wrapping_add(games) ^ DOMAIN;
        match played(&mut ways, start.clone(), seed, &mut met) {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            // What was played so far still tells something.
            Err(Unanswered::Stopped { .. }) if games > 0 => break,
            Err(Unanswered::TooMany { .. }) if games > 0 && ways.is_spent() => break,
            Err(Unanswered::TooMany { .. }) if ways.is_spent() => {
                return Err(Unanswered::TooDear {
                    work: asked.limits.work,
                });
            }
            Err(why) => return Err(why),
        }
        games += 1;
    }
    let outcome = |(value, count): (Value, u64)| Outcome {
        value,
        odds: Fraction::of(u128::from(count), u128::from(games)),
        range: Some(wilson(count, games)),
    };
    let outcomes = counts.into_iter().map(outcome).collect();
    let how = How::Sampled {
        games,
        seed: asked.limits.seed,
    };
    Ok(
        Distribution::new(outcomes, how, met.questions.into_iter().collect())
            .with_seen(met.answered.into_iter().collect(), ways.happened),
    )
}

/// Questions that were asked in games: without an answer that was given, and with one.
#[derive(Default)]
struct MetQuestions {
    questions: BTreeSet<Name>,
    answered: BTreeSet<Name>,
}

/// The outcome of one game.
fn played(
    ways: &mut Ways<'_>,
    mut way: GameWay,
    seed: u64,
    met: &mut MetQuestions,
) -> Result<Value, Unanswered> {
    let mut answers = BotChance::new(seed, 0);
    loop {
        match ways.next(&mut way)? {
            NextOnWay::Ends => return ways.outcome(&mut way),
            NextOnWay::Runs => ways.run(&mut way, Chance::seeded(seed))?,
            NextOnWay::Asks(side, question) => {
                let given = ways.given_to(&way, side, &question);
                if given.is_none() && ways.asked.policy.others != DefaultAnswer::Split {
                    // To find the best answer, all ways must be known.
                    return Err(Unanswered::TooMany {
                        runs: ways.asked.limits.runs,
                    });
                }
                match given {
                    Some((id, _)) => met.answered.insert(id.clone()),
                    None => met.questions.insert(question.id.clone()),
                };
                let mut on = ways.answers(&way, side, &question)?;
                let place = answers.below(u32::try_from(on.len()).unwrap_or(u32::MAX)) as usize;
                way = on.swap_remove(place);
            }
        }
    }
}

/// How many standard deviations are 95 in a hundred.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The range of Wilson's score for so many of so many: 95 times in a hundred the truth lies in it. Only the basic
/// operations are used, which give the same on every machine.
pub fn wilson(count: u64, all: u64) -> Range {
    let (n, p) = (all as f64, count as f64 / all as f64);
    let square = DEVIATIONS * DEVIATIONS;
    let middle = (p + square / (2.0 * n)) / (1.0 + square / n);
    let half =
        DEVIATIONS / (1.0 + square / n) * (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    let millionths = |odds: f64| (odds.clamp(0.0, 1.0) * 1e6).round() as u32;
    Range {
        low: millionths(middle - half),
        high: millionths(middle + half),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of the R package `binom`, `binom.wilson`.
    #[test]
    fn ranges_are_those_of_wilson() {
        assert_eq!(
            wilson(10, 100),
            Range {
                low: 55_229,
                high: 174_366
            }
        );
        assert_eq!(
            wilson(0, 10),
            Range {
                low: 0,
                high: 277_533
            }
        );
        assert_eq!(
            wilson(10, 10),
            Range {
                low: 722_467,
                high: 1_000_000
            }
        );
        assert_eq!(
            wilson(1, 2),
            Range {
                low: 94_531,
                high: 905_469
            }
        );
    }
}
