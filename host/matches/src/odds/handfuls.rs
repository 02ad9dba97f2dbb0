//! Exact odds where handfuls are drawn: by handfuls, or chit by chit where a rule looks at their order.
//!
//! There are far fewer handfuls than orders of them, and hardly a rule cares which chit came first. So every way
//! is walked with handfuls in one order and once more in another. Where both come to the same, the order does
//! not matter; where they do not, each chit is a fork of its own, which is right for every rule, and dearer.

use std::collections::BTreeMap;

use kernel::chance::HandfulOrder;
use kernel::value::Value;

use super::answer::{Distribution, How};
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
    let graph = WayGraph::of(asked, HandfulOrder::ByName, 0, stop)?;
    let by_name = graph.odds(asked)?;
    if !graph.has_mixed_handful || graph.is_stopped {
        return Ok(by_name);
    }
    let turned = WayGraph::of(asked, HandfulOrder::Turned, graph.work, stop)?;
    if turned.is_stopped {
        return unconfirmed(by_name, &graph, &turned, asked);
    }
    match without_order(&turned.odds(asked)?) == without_order(&by_name) {
        true => Ok(by_name),
        false => WayGraph::of(asked, HandfulOrder::AsDrawn, turned.work, stop)?.odds(asked),
    }
}

/// What is known where the second count was stopped: what the first came to, unless the ways that were counted
/// again already say otherwise.
fn unconfirmed(
    by_name: Distribution,
    graph: &WayGraph,
    turned: &WayGraph,
    asked: &OddsQuery<'_>,
) -> Result<Distribution, Unanswered> {
    let runs = graph.runs + turned.runs;
    let first = without_order(&by_name);
    let is_other =
        |(value, least): (&Value, &Fraction)| first.get(value).is_none_or(|odds| odds < least);
    // Where nothing was counted again, nothing speaks against it.
    let again = turned.odds(asked).map(|again| without_order(&again));
    if again.is_ok_and(|again| again.iter().any(is_other)) {
        return Err(Unanswered::Stopped { runs });
    }
    Ok(Distribution {
        how: How::Once {
            runs,
            nodes: graph.nodes(),
        },
        ..by_name
    })
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
