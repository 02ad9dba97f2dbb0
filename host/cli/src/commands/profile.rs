//! `--profile`: the dearest rules, tables and clauses of what was run.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use houserule::kernel::value::Name;
use houserule::profile::{self, Cost};
use serde_json::{Value as Json, json};

use crate::reporter::{print_line, section};
use crate::ui::Ui;

/// So many of each are printed; all are in the JSON.
const MOST_SHOWN: usize = 20;

/// Prints what was counted.
///
/// # Errors
/// When nobody reads it.
pub fn tell(ui: &mut Ui) -> io::Result<()> {
    let found = profile::take();
    let by_time = |cost: &Cost| (cost.own, cost.calls);
    let all = [
        ("rules", dearest(found.rules, by_time)),
        ("clauses", dearest(found.clauses, by_time)),
        (
            "tables",
            dearest(found.tables, |cost| (Duration::ZERO, cost.calls)),
        ),
    ];
    if ui.is_json() {
        let mut json = json!({ "type": "profile" });
        for (name, costs) in &all {
            json[*name] = costs.iter().map(|(id, cost)| as_json(id, cost)).collect();
        }
        return ui.json(&json);
    }
    for (name, costs) in &all {
        if !costs.is_empty() {
            ui.line("")?;
            print_line(&section(*name), ui)?;
            costs
                .iter()
                .take(MOST_SHOWN)
                .try_for_each(|(id, cost)| ui.line(row(id, cost)))?;
        }
    }
    Ok(())
}

/// Costs, the dearest first.
fn dearest<K: Ord>(costs: BTreeMap<Name, Cost>, key: impl Fn(&Cost) -> K) -> Vec<(Name, Cost)> {
    let mut costs: Vec<(Name, Cost)> = costs.into_iter().collect();
    // Of equals the order of their names stays.
    costs.sort_by_key(|(_, cost)| Reverse(key(cost)));
    costs
}

fn row(id: &Name, cost: &Cost) -> String {
    let mut text = format!("  {id:<44} {:>9} calls", cost.calls);
    if cost.hits > 0 {
        text += &format!(" {:>9} kept", cost.hits);
    }
    if !cost.own.is_zero() {
        text += &format!("  {:>9.1} ms", cost.own.as_secs_f64() * 1e3);
    }
    if cost.whole > cost.own {
        text += &format!(
            "  {:>9.1} ms with what it called",
            cost.whole.as_secs_f64() * 1e3
        );
    }
    text
}

fn as_json(id: &Name, cost: &Cost) -> Json {
    json!({
        "id": &**id,
        "calls": cost.calls,
        "hits": cost.hits,
        "own_us": cost.own.as_micros() as u64,
        "whole_us": cost.whole.as_micros() as u64,
    })
}
