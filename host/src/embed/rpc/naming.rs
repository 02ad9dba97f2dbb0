//! Which member of parameters does not fit.
//!
//! What reads parameters says what it expected and what it found, and not where. So
//! it reads them again: without a member, and with something else in its place. The
//! member without which it finds nothing or something else, and in whose place it
//! expects the same of whatever stands there, is the one that it meant; or else the
//! one without which all is well.

use serde_json::{Value as Json, json};

/// Parameters that are longer are not read again, in bytes; nor those that hold more
/// values. Whoever sends such ones must not be given so much work.
const LONGEST: usize = 1 << 12;
const MOST_VALUES: usize = 64;

/// What stands in the place of a member: of each sort, for one of them at least is wrong there.
fn others() -> [Json; 3] {
    [json!([]), json!("?"), json!(1.5)]
}

/// A step into a value.
#[derive(Clone, PartialEq, Debug)]
enum ParamStep {
    Member(String),
    Entry(usize),
}

type ParamPath = Vec<ParamStep>;

/// The member of parameters that `said` is about, as `input.by` or `with[0]`; `read`
/// says what is wrong with others. `None` where it is about no single member, or says itself which.
pub(super) fn member_meant(
    params: &Json,
    said: &str,
    read: impl Fn(Json) -> Option<String>,
) -> Option<String> {
    let says_itself = said.starts_with("missing field") || said.starts_with("unknown field");
    if says_itself || params.to_string().len() > LONGEST {
        return None;
    }
    let mut ways = Vec::new();
    add_ways(params, &mut Vec::new(), &mut ways);
    if ways.len() > MOST_VALUES {
        return None;
    }
    // What is within a member comes before the member itself.
    ways.sort_by_key(|way| std::cmp::Reverse(way.len()));
    let mends = |way: &&ParamPath| {
        let mut without = params.clone();
        take_out(&mut without, way);
        match (read(without), way.last()) {
            (None, _) => true,
            (Some(now), Some(ParamStep::Member(name))) => now == format!("missing field `{name}`"),
            (Some(_), _) => false,
        }
    };
    let is_meant = |way: &&ParamPath| {
        let mut without = params.clone();
        take_out(&mut without, way);
        if read(without).as_deref() == Some(said) {
            return false;
        }
        others().into_iter().any(|other| {
            let mut with = params.clone();
            if let Some(place) = place_of(&mut with, way) {
                *place = other;
            }
            with != *params && read(with).is_some_and(|now| wanted(&now) == wanted(said))
        })
    };
    let meant = ways.iter().find(is_meant);
    meant
        .or_else(|| ways.iter().find(mends))
        .map(|way| written(way))
}

/// What was expected, of what is said.
fn wanted(said: &str) -> &str {
    said.find("expected").map_or(said, |at| &said[at..])
}

/// Every way to something within a value.
fn add_ways(value: &Json, so_far: &mut ParamPath, ways: &mut Vec<ParamPath>) {
    let inside: Vec<(ParamStep, &Json)> = match value {
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| (ParamStep::Member(name.clone()), value))
            .collect(),
        Json::Array(entries) => entries
            .iter()
            .enumerate()
            .map(|(place, value)| (ParamStep::Entry(place), value))
            .collect(),
        _ => Vec::new(),
    };
    for (step, value) in inside {
        so_far.push(step);
        ways.push(so_far.clone());
        add_ways(value, so_far, ways);
        so_far.pop();
    }
}

fn place_of<'v>(value: &'v mut Json, way: &[ParamStep]) -> Option<&'v mut Json> {
    way.iter().try_fold(value, |value, step| match step {
        ParamStep::Member(name) => value.get_mut(name),
        ParamStep::Entry(place) => value.get_mut(place),
    })
}

fn take_out(value: &mut Json, way: &[ParamStep]) {
    let Some((last, before)) = way.split_last() else {
        return;
    };
    match (place_of(value, before), last) {
        (Some(Json::Object(members)), ParamStep::Member(name)) => drop(members.remove(name)),
        (Some(Json::Array(entries)), ParamStep::Entry(place)) => drop(entries.remove(*place)),
        _ => {}
    }
}

fn written(way: &[ParamStep]) -> String {
    way.iter().fold(String::new(), |so_far, step| match step {
        ParamStep::Member(name) if so_far.is_empty() => name.clone(),
        ParamStep::Member(name) => format!("{so_far}.{name}"),
        ParamStep::Entry(place) => format!("{so_far}[{place}]"),
    })
}
