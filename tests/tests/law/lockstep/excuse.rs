//! When a difference is no leak.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

/// What a viewer saw before a step and after it, in both games.
pub struct Views {
    /// Before, in the one game and in the other.
    pub before: [Json; 2],
    /// After.
    pub now: [Json; 2],
    /// Whether nobody has decided anything yet: nothing was hidden before.
    pub is_begin: bool,
    /// Whether the game is over.
    pub is_over: bool,
}

/// Whether a difference is no leak: the rules have told a secret, a secret
/// phase has ended and what both may see since is another, something was
/// shown that was hidden before, or the game is over and its result rests on
/// what is turned up at its end.
pub fn is_excused(
    views: &Views,
    events: &[Vec<Json>; 2],
    is_meant: impl Fn(usize, &Json) -> bool,
) -> bool {
    let content = |event: &Json| {
        json!([
            event["kind"],
            event["fields"],
            event["rule"],
            event["draws"]
        ])
    };
    let same = std::iter::zip(&events[0], &events[1])
        .take_while(|(a, b)| content(a) == content(b))
        .count();
    let is_first_meant = (0..2).any(|place| {
        events[place]
            .get(same)
            .is_some_and(|event| is_meant(place, event))
    });
    let has_parted = views.now[0]["entities"] != views.now[1]["entities"];
    let any = |wanted: &dyn Fn(usize, &Json) -> bool| {
        (0..2).any(|place| events[place].iter().any(|event| wanted(place, event)))
    };
    let is_end_of_secrets = any(&|_, event| event["kind"] == "revealed");
    let is_any_meant = any(&is_meant);
    let is_counted = views.is_over && is_any_meant;
    is_first_meant
        || (!views.is_begin && is_shown(views))
        || is_counted
        || (has_parted && (is_end_of_secrets || is_any_meant))
}

/// Whether what is told otherwise first is a draw from a pot, in two games that
/// parted in a draw from one: each draws from what the other has left.
pub fn is_from_what_is_left(parted: &str, events: &[Vec<Json>; 2]) -> bool {
    let Some(sort) = parted
        .strip_prefix("draw ")
        .and_then(|rest| rest.split(' ').next())
    else {
        return false;
    };
    let [one, other] = events;
    let first = std::iter::zip(one, other).find(|(one, other)| one["fields"] != other["fields"]);
    ["chits", "cards"].contains(&sort)
        && first.is_some_and(|(one, other)| {
            let is_alike = |field: &str| one["fields"][field] == other["fields"][field];
            one["kind"] == sort && other["kind"] == sort && is_alike("pot")
        })
}

/// Whether an attribute, or an entity, that was hidden before is shown now in
/// one of two games, and is not the same in the other.
fn is_shown(views: &Views) -> bool {
    let cells = |view: &Json| {
        let mut cells: BTreeMap<(String, String), Json> = BTreeMap::new();
        for entity in view["entities"].as_array().into_iter().flatten() {
            let handle = entity["handle"].to_string();
            cells.insert((handle.clone(), String::new()), entity["label"].clone());
            let hidden = entity["hidden"].as_array().cloned().unwrap_or_default();
            for (name, value) in entity["attributes"].as_object().into_iter().flatten() {
                if !hidden.iter().any(|hidden| hidden == name.as_str()) {
                    cells.insert((handle.clone(), name.clone()), value.clone());
                }
            }
        }
        cells
    };
    let before = views.before.each_ref().map(cells);
    let now = views.now.each_ref().map(cells);
    (0..2).any(|place| {
        let fresh = now[place]
            .iter()
            .filter(|(cell, _)| !before[place].contains_key(*cell));
        let mut other = fresh.map(|(cell, value)| now[1 - place].get(cell) != Some(value));
        other.any(|is_other| is_other)
    })
}

/// Where two texts part.
pub fn around(one: &str, other: &str) -> String {
    let same = std::iter::zip(one.chars(), other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let from = same.saturating_sub(160);
    let cut = |text: &str| text.chars().skip(from).take(400).collect::<String>();
    format!("  in one:   {}\n  in other: {}", cut(one), cut(other))
}
