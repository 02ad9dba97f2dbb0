//! Exact odds where handfuls are drawn: by handfuls, or chit by chit where a rule looks at their order.
//!
//! There are far fewer handfuls than orders of them, and hardly a rule cares which chit came first. So every way
//! is walked with handfuls in one order and once more in another. Where both come to the same, the order does
//! not matter; where they do not, each chit is a fork of its own, which is right for every rule, and dearer.

use std::collections::BTreeMap;

use kernel::chance::HandfulOrder;
use kernel::value::Value;

use super::answer::Distribution;
use super::fraction::Fraction;
use super::graph::WayGraph;
use super::{OddsQuery, Unanswered};

/// The odds of each outcome, from every way.
///
/// # Errors
/// Why there is no answer, too many ways among it.
pub(super) fn counted(
    asked: &OddsQuery<'_>,
    stop: &dyn Fn() -> bool,
) -> Result<Distribution, Unanswered> {
    let graph = WayGraph::of(asked, HandfulOrder::ByName, stop)?;
    let by_name = graph.odds(asked)?;
    if !graph.has_mixed_handful || graph.is_stopped {
        return Ok(by_name);
    }
    let turned = WayGraph::of(asked, HandfulOrder::Turned, stop)?;
    if turned.is_stopped {
        return Err(Unanswered::Stopped {
            runs: graph.runs + turned.runs,
        });
    }
    match without_order(&turned.odds(asked)?) == without_order(&by_name) {
        true => Ok(by_name),
        false => WayGraph::of(asked, HandfulOrder::AsDrawn, stop)?.odds(asked),
    }
}

/// The odds of outcomes of which those are one that are the same but for the order of lists: a rule that gives
/// a handful on as it was drawn has not looked at it.
fn without_order(odds: &Distribution) -> BTreeMap<Value, Fraction> {
    let mut known: BTreeMap<Value, Fraction> = BTreeMap::new();
    for outcome in &odds.outcomes {
        let sum = known
            .entry(sorted(&outcome.value))
            .or_insert_with(Fraction::zero);
        *sum = sum.plus(&outcome.odds);
    }
    known
}

/// A value with all lists in it sorted.
fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) => {
            let mut items: Vec<Value> = items.iter().map(sorted).collect();
            items.sort();
            Value::list(items)
        }
        Value::Map(fields) => {
            Value::record(fields.iter().map(|(name, value)| (&**name, sorted(value))))
        }
        other => other.clone(),
    }
}
