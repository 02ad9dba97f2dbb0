//! Whether it is worth keeping what a rule answers.
//!
//! Some rules are hardly ever asked the same twice: what is seen along a line
//! between two points that nobody stands on for long, who could fire at a piece
//! that moves. To keep their answers costs more than it spares, and takes room
//! from those that are asked for again. So each rule is watched for a while, and
//! where too few of its answers were asked for, it simply runs for a while.
//!
//! What comes of a rule is the same either way, and is charged the same: a rule
//! that is not kept runs within whoever called it, who then rests on what it
//! has read.

/// So often a rule is asked before it is judged.
const WATCHED: u32 = 128;

/// Of so many, one must have been kept already.
const ONE_OF: u32 = 16;

/// So often a rule that is not worth it runs before it is watched again.
const LEFT_ALONE: u32 = 4096;

/// How one rule fares.
#[derive(Clone, Copy, Debug, Default)]
struct RuleTrial {
    asked: u32,
    hits: u32,
    /// So often it is not kept yet.
    alone: u32,
}

/// How the rules fare, by their numbers.
#[derive(Debug, Default)]
pub(super) struct RuleTrials(Vec<RuleTrial>);

impl RuleTrials {
    /// A rule is asked: whether its answer is worth looking for and keeping.
    pub fn is_worth(&mut self, rule: u32) -> bool {
        let trial = self.of(rule);
        if trial.alone > 0 {
            trial.alone -= 1;
            return false;
        }
        trial.asked += 1;
        if trial.asked > WATCHED {
            let alone = if trial.hits * ONE_OF < WATCHED {
                LEFT_ALONE
            } else {
                0
            };
            *trial = RuleTrial {
                alone,
                ..RuleTrial::default()
            };
        }
        true
    }

    /// An answer of a rule was there.
    pub fn hit(&mut self, rule: u32) {
        self.of(rule).hits += 1;
    }

    fn of(&mut self, rule: u32) -> &mut RuleTrial {
        let place = rule as usize;
        if place >= self.0.len() {
            self.0.resize(place + 1, RuleTrial::default());
        }
        &mut self.0[place]
    }
}

#[cfg(test)]
mod tests {
    use super::{LEFT_ALONE, RuleTrials, WATCHED};

    /// How many of so many calls are worth looking for, of which each `one_of` is there.
    fn worth(trials: &mut RuleTrials, calls: u32, one_of: u32) -> u32 {
        let mut found = 0;
        for call in 1..=calls {
            if trials.is_worth(7) {
                found += 1;
                if call % one_of == 0 {
                    trials.hit(7);
                }
            }
        }
        found
    }

    #[test]
    fn a_rule_that_is_asked_the_same_again_is_kept_for_good() {
        assert_eq!(
            worth(&mut RuleTrials::default(), 10 * WATCHED, 8),
            10 * WATCHED
        );
    }

    #[test]
    fn a_rule_that_never_is_runs_most_of_the_time() {
        let calls = 10 * (WATCHED + 1 + LEFT_ALONE);
        assert_eq!(
            worth(&mut RuleTrials::default(), calls, u32::MAX),
            10 * (WATCHED + 1)
        );
    }

    #[test]
    fn a_rule_that_is_asked_the_same_later_is_found_out() {
        let mut trials = RuleTrials::default();
        worth(&mut trials, WATCHED + 1 + LEFT_ALONE, u32::MAX);
        assert_eq!(worth(&mut trials, 4 * WATCHED, 2), 4 * WATCHED);
    }
}
