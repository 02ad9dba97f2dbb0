//! Which questions the rules of a mod ask, as its cases come to them: rules register
//! none, and what can be answered is known when they ask.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::event::Event;
use kernel::game::Game;
use kernel::value::{Name, Value, owner_of};
use matches::workers::share_out;
use matches::workshop::Workshop;
use rules::modset::selector::Request;
use rules::types::{Unit, print_value};
use serde::Serialize;

use crate::trials::{TrialCase, Trials};

/// A question, with what was seen of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SeenQuestion {
    /// Its id.
    pub id: String,
    /// How it was put first.
    pub text: String,
    /// The sides that it was put to.
    pub sides: BTreeSet<String>,
    /// What was answered, each answer once.
    pub answers: BTreeSet<String>,
    /// In how many cases.
    pub cases: usize,
}

/// The questions of a mod that its cases come to, by their ids.
///
/// # Errors
/// A file of cases that does not load.
pub fn questions(
    workshop: &Workshop,
    module: &Name,
    house: &Request,
) -> Result<Vec<SeenQuestion>, Fault> {
    let cases = Trials::new(workshop).cases(module)?;
    let seen_in = |trials: &mut Trials<'_>, case: &TrialCase| {
        // A case that cannot be run by these rules shows nothing.
        let seen = trials.seen(case, house.clone(), of_mod(module));
        seen.unwrap_or_default()
    };
    let mut found: BTreeMap<String, SeenQuestion> = BTreeMap::new();
    for seen in share_out(&cases, || Trials::new(workshop), seen_in) {
        for (id, seen) in seen {
            let known = found.entry(id.clone()).or_insert_with(|| SeenQuestion {
                id,
                text: seen.text,
                ..SeenQuestion::default()
            });
            known.sides.extend(seen.sides);
            known.answers.extend(seen.answers);
            known.cases += 1;
        }
    }
    Ok(found.into_values().collect())
}

/// The questions of a mod among the events of a case.
fn of_mod(module: &Name) -> impl Fn(&[Event], &Game) -> BTreeMap<String, SeenQuestion> {
    move |events, game| {
        let mut found: BTreeMap<String, SeenQuestion> = BTreeMap::new();
        for event in events.iter().filter(|event| &*event.kind == "answer") {
            let text = |name: &str| event.field(name).and_then(Value::as_text);
            let Some(id) = text("question").filter(|id| owner_of(id) == &**module) else {
                continue;
            };
            let seen = found.entry(id.to_string()).or_default();
            if seen.text.is_empty() {
                seen.text = text("text").map(ToString::to_string).unwrap_or_default();
            }
            seen.sides.extend(text("by").map(ToString::to_string));
            let answer = event.field("value").cloned().unwrap_or_default();
            seen.answers.insert(match answer {
                Value::Bool(true) => "yes".into(),
                Value::Bool(false) => "no".into(),
                answer => print_value(&answer, game, Unit::AsWritten),
            });
        }
        found
    }
}
