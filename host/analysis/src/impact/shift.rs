//! How much something shifted between the games of pairs, and how sure that is.
//!
//! Games of one seed are alike as long as the rules let them be; so what counts
//! is how the two games of each pair differ, and not how two heaps of games do.

use serde::{Serialize, Serializer};

/// How much something shifted.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MeasuredShift {
    /// What it is.
    pub name: String,
    /// Without the house rule: a share or a mean.
    pub before: f64,
    /// With it.
    pub after: f64,
    /// Between which shifts the truth lies.
    pub interval: Interval,
}

/// A range.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The least; where it is open, the least number there is, and nothing for programs.
    #[serde(serialize_with = "bound")]
    pub low: f64,
    /// The greatest; where it is open, the greatest number there is.
    #[serde(serialize_with = "bound")]
    pub high: f64,
}

fn bound<S: Serializer>(at: &f64, out: S) -> Result<S::Ok, S::Error> {
    match *at {
        f64::MIN | f64::MAX => out.serialize_none(),
        at => out.serialize_f64(at),
    }
}

impl MeasuredShift {
    /// Whether anything shifted.
    pub fn is_other(&self) -> bool {
        self.before != self.after || self.interval.low != self.interval.high
    }

    /// Whether it is sure that it shifted at all: chance alone would not do it.
    pub fn is_sure(&self) -> bool {
        self.interval.low > 0.0 || self.interval.high < 0.0
    }

    /// How many times half of its interval the shift is long.
    pub fn sureness(&self) -> f64 {
        let half = (self.interval.high - self.interval.low) / 2.0;
        let shift = (self.after - self.before).abs();
        if half > 0.0 { shift / half } else { shift }
    }
}

/// How many standard deviations hold 95 in a hundred, if so many things are
/// asked at once that each of them may fail only that much more seldom
/// (Bonferroni).
pub fn deviations(asked: usize) -> f64 {
    quantile(1.0 - 0.05 / (2.0 * asked.max(1) as f64))
}

/// The shift of a share between pairs. One pair more each way is counted than
/// there was, so that few pairs without a difference are not held to be sure
/// (Agresti and Min, 2005).
pub fn of_shares(name: &str, pairs: impl Iterator<Item = (bool, bool)>, z: f64) -> MeasuredShift {
    let (mut all, mut before, mut after, mut lost, mut won) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (one, other) in pairs {
        all += 1.0;
        before += f64::from(u8::from(one));
        after += f64::from(u8::from(other));
        lost += f64::from(u8::from(one && !other));
        won += f64::from(u8::from(!one && other));
    }
    let share = |count: f64| if all > 0.0 { count / all } else { 0.0 };
    let (n, b, c): (f64, f64, f64) = (all + 2.0, lost + 0.5, won + 0.5);
    let middle = (c - b) / n;
    let half = z * ((b + c) - (c - b) * (c - b) / n).max(0.0).sqrt() / n;
    MeasuredShift {
        name: name.to_string(),
        before: share(before),
        after: share(after),
        interval: Interval {
            low: (middle - half).max(-1.0),
            high: (middle + half).min(1.0),
        },
    }
}

/// The shift of a mean between pairs, if so many things are asked at once. How
/// far the mean may be off is reckoned by Student's distribution; where only a
/// few pairs differ, it may be nothing however alike these few are.
pub fn of_means(
    name: &str,
    pairs: impl Iterator<Item = (f64, f64)>,
    asked: usize,
) -> MeasuredShift {
    let pairs: Vec<(f64, f64)> = pairs.collect();
    let n = pairs.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| {
        if pairs.is_empty() {
            0.0
        } else {
            pairs.iter().map(of).sum::<f64>() / n
        }
    };
    let shift = mean(&|(before, after)| after - before);
    let spread = mean(&|(before, after)| (after - before - shift) * (after - before - shift));
    let differing = pairs.iter().filter(|(one, other)| one != other).count();
    let interval = if pairs.len() < 2 || (spread == 0.0 && pairs.len() < few(asked)) {
        Interval {
            low: f64::MIN,
            high: f64::MAX,
        }
    } else {
        let half = deviations_of_means(asked, pairs.len()) * (spread / (n - 1.0)).sqrt();
        let edge = if differing < few(asked) { 0.0 } else { shift };
        Interval {
            low: (shift - half).min(edge),
            high: (shift + half).max(edge),
        }
    };
    MeasuredShift {
        name: name.to_string(),
        before: mean(&|pair| pair.0),
        after: mean(&|pair| pair.1),
        interval,
    }
}

/// How many pairs must differ the same way before chance alone would hardly do
/// it, by the test of signs, if so many things are asked at once.
fn few(asked: usize) -> usize {
    (2..)
        .find(|pairs| 0.5_f64.powi(pairs - 1) <= 0.05 / asked.max(1) as f64)
        .map_or(2, |pairs| pairs as usize)
}

/// How many standard errors of a mean over so many pairs hold 95 in a hundred,
/// if so many things are asked at once (Student's distribution).
fn deviations_of_means(asked: usize, pairs: usize) -> f64 {
    let freedom = pairs.saturating_sub(1).max(1) as f64;
    if freedom >= 200.0 {
        let z = deviations(asked);
        return z + (z * z * z + z) / (4.0 * freedom);
    }
    // What lies between the middle and the root of the freedom times a tangent is
    // a part of the integral of a power of the cosine.
    let power = |at: f64| at.cos().max(0.0).powf(freedom - 1.0);
    let right = std::f64::consts::FRAC_PI_2;
    let wanted = (1.0 - 0.05 / asked.max(1) as f64) * area(&power, right);
    let (mut low, mut high) = (0.0, right);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if area(&power, middle) < wanted {
            low = middle
        } else {
            high = middle
        }
    }
    freedom.sqrt() * low.tan()
}

/// The standard normal distribution's quantile, by bisection of its integral.
fn quantile(of: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 8.0_f64);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(middle) < of {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

/// How much of the standard normal distribution lies below, for what is not
/// negative.
fn below(x: f64) -> f64 {
    let height = |at: f64| (-at * at / 2.0).exp();
    0.5 + area(&height, x) / (2.0 * std::f64::consts::PI).sqrt()
}

/// The area under a curve between nothing and a place (by Simpson's rule).
fn area(height: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    const STEPS: u32 = 400;
    let width = x / f64::from(STEPS);
    let inner = (1..STEPS).map(|step| {
        let weight = if step % 2 == 1 { 4.0 } else { 2.0 };
        weight * height(f64::from(step) * width)
    });
    (height(0.0) + inner.sum::<f64>() + height(x)) * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 5e-4, "{found} is not {wanted}");
    }

    /// Figures of the printed tables of the normal distribution.
    #[test]
    fn more_questions_ask_for_more_deviations() {
        close(deviations(1), 1.95996);
        close(deviations(5), 2.57583);
        close(deviations(50), 3.29053);
    }

    /// The worked example of Agresti and Min: 10 and 2 of 50 pairs differ.
    #[test]
    fn a_share_shifts_as_in_pairs() {
        let pairs = (0..50).map(|n| (!(10..40).contains(&n), (10..12).contains(&n) || n >= 40));
        let shift = of_shares("won", pairs, deviations(1));
        close(shift.before, 0.4);
        close(shift.after, 0.24);
        // (2.5 - 10.5) / 52, and 1.96 * sqrt(13 - 64 / 52) / 52 to either side.
        close(shift.interval.low, -0.28307);
        close(shift.interval.high, -0.02462);
        assert!(shift.is_sure());
        let none = of_shares("won", (0..3).map(|_| (true, true)), deviations(1));
        assert!(!none.is_sure() && none.interval.low < 0.0);
    }

    /// Figures of the printed tables of Student's distribution: 1, 9, 39 and
    /// 1,000 degrees of freedom.
    #[test]
    fn few_pairs_ask_for_more_deviations() {
        close(deviations_of_means(1, 2), 12.7062);
        close(deviations_of_means(1, 10), 2.26216);
        close(deviations_of_means(50, 10), 4.78091);
        close(deviations_of_means(1, 40), 2.02269);
        close(deviations_of_means(1, 1001), 1.96234);
    }

    #[test]
    fn a_mean_shifts_as_in_pairs() {
        let pairs = || (0..6).map(|n| (1.0, 2.0 + f64::from(n % 3)));
        let shift = of_means("length", pairs(), 1);
        close(shift.after - shift.before, 2.0);
        // The differences 1, 2 and 3 twice over: a variance of 0.8, and six pairs.
        close(shift.interval.high - 2.0, 2.57058 * (0.8_f64 / 6.0).sqrt());
        assert!(shift.is_sure());
        assert!(!of_means("length", pairs(), 2000).is_sure());
        assert!(!of_means("length", [(1.0, 2.0)].into_iter(), 1).is_sure());
    }

    /// Four of forty differ the same way: signs fall so in one of eight games
    /// without a reason. And two that are alike prove nothing.
    #[test]
    fn a_few_pairs_that_differ_are_never_sure() {
        let four = (0..40).map(|n| (2.0, if n % 10 == 0 { 0.0 } else { 2.0 }));
        assert!(!of_means("evasions", four, 1).is_sure());
        let alike = |pairs: u32| of_means("length", (0..pairs).map(|_| (1.0, 2.0)), 1);
        assert!(!alike(5).is_sure());
        assert!(alike(6).is_sure());
        let none = of_means("length", (0..2).map(|_| (1.0, 1.0)), 1);
        assert!(none.interval.low < 0.0 && none.interval.high > 0.0);
    }
}
