//! Choices as a list to read, and what was typed as one of them.

use houserule::embed::{Plain, WireChoice, WireDomain, WireRegion};
use houserule::kernel::geometry::{Hex, Length};
use houserule::types::{Manner, Unit};

/// More choices than this are counted, not listed.
const LISTED: usize = 24;

/// What there is to choose, in lines; `metric` measures in centimetres.
pub fn lines(domain: &WireDomain, metric: bool) -> Vec<String> {
    match domain {
        WireDomain::Choices { choices } => {
            numbered(choices.iter().map(|choice| choice.label.clone()))
        }
        WireDomain::Several { choices, min, max } => {
            let mut lines = numbered(choices.iter().map(|choice| choice.label.clone()));
            let count = if min == max {
                min.to_string()
            } else {
                format!("{min} to {max}")
            };
            lines.push(format!("     {count} of them, with commas between"));
            lines
        }
        WireDomain::Integer { min, max } => vec![format!("     a number from {min} to {max}")],
        WireDomain::Place {
            regions,
            candidates,
            ..
        } => {
            let mut lines = numbered(candidates.iter().map(|point| point_text(*point, metric)));
            let where_to: Vec<String> = regions
                .iter()
                .map(|region| region_text(region, metric))
                .collect();
            lines.push(format!(
                "     a point such as {} {}",
                example(metric),
                where_to.join(", or ")
            ));
            lines
        }
        WireDomain::Route {
            from,
            legs,
            candidates,
            ..
        } => {
            let path = |points: &Vec<[i64; 2]>| {
                points
                    .iter()
                    .map(|point| point_text(*point, metric))
                    .collect::<Vec<_>>()
                    .join("; ")
            };
            let mut lines = numbered(candidates.iter().map(path));
            let or = if candidates.is_empty() { "" } else { "or " };
            lines.push(format!(
                "     {or}up to {legs} points from {}, with `;` between them, such as {}",
                point_text(*from, metric),
                example(metric),
            ));
            lines
        }
    }
}

/// The values of the choices that [`lines`] numbers, in their order; none where
/// several are chosen at once.
pub fn offered(domain: &WireDomain) -> Vec<Plain> {
    let point = |point: &[i64; 2]| Plain::Point { point: *point };
    match domain {
        WireDomain::Choices { choices } => choices
            .iter()
            .take(LISTED)
            .map(|choice| choice.value.clone())
            .collect(),
        WireDomain::Place { candidates, .. } => candidates.iter().take(LISTED).map(point).collect(),
        WireDomain::Route { candidates, .. } => {
            let paths = candidates.iter().take(LISTED);
            paths
                .map(|path| Plain::List(path.iter().map(point).collect()))
                .collect()
        }
        WireDomain::Several { .. } | WireDomain::Integer { .. } => Vec::new(),
    }
}

fn example(metric: bool) -> &'static str {
    if metric {
        "(25cm, 10cm)"
    } else {
        "(10in, 4in)"
    }
}

fn numbered(labels: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let count = labels.len();
    let mut lines: Vec<String> = labels
        .take(LISTED)
        .enumerate()
        .map(|(place, label)| format!("{:>4} {label}", place + 1))
        .collect();
    if count > LISTED {
        lines.push(format!("     … {} more", count - LISTED));
    }
    lines
}

/// What is measured in at the table.
pub fn unit_of(metric: bool) -> Unit {
    match metric {
        true => Unit::Centimetres,
        false => Unit::Inches,
    }
}

/// A point for people.
pub fn point_text(point: [i64; 2], metric: bool) -> String {
    Manner::Table(unit_of(metric)).point(point.map(Length::from_um))
}

/// A length in micrometres for people, in inches or centimetres.
pub fn measure(um: i64, metric: bool) -> String {
    Manner::Table(unit_of(metric)).length(Length::from_um(um))
}

fn region_text(region: &WireRegion, metric: bool) -> String {
    match region {
        WireRegion::Disc { centre, radius } => {
            format!(
                "within {} of {}",
                measure(*radius, metric),
                point_text(*centre, metric)
            )
        }
        WireRegion::Rectangle { min, max } => {
            format!(
                "between {} and {}",
                point_text(*min, metric),
                point_text(*max, metric)
            )
        }
    }
}

/// What was typed, as a value of a domain: a number from the list, a label or
/// the beginning of one, or a value as it is written. What is none of these is
/// handed on, for the rules to refuse it in their own words.
pub fn resolve(domain: &WireDomain, typed: &str, metric: bool) -> Plain {
    let typed = typed.trim();
    match domain {
        WireDomain::Choices { choices } => choice(choices, typed),
        WireDomain::Several { choices, .. } => match typed {
            "all" => Plain::List(choices.iter().map(|choice| choice.value.clone()).collect()),
            "none" | "" => Plain::List(Vec::new()),
            _ => Plain::List(
                parts(typed)
                    .into_iter()
                    .map(|one| choice(choices, one.trim()))
                    .collect(),
            ),
        },
        WireDomain::Integer { .. } => match typed.parse() {
            Ok(number) => Plain::Int(number),
            Err(_) => Plain::Text(typed.to_string()),
        },
        WireDomain::Place { candidates, .. } => match from_list(candidates, typed) {
            Some(point) => Plain::Point { point: *point },
            None => Plain::Text(with_units(typed, metric)),
        },
        WireDomain::Route { candidates, .. } => match from_list(candidates, typed) {
            Some(path) => Plain::List(
                path.iter()
                    .map(|point| Plain::Point { point: *point })
                    .collect(),
            ),
            None => {
                let points = typed
                    .split(';')
                    .map(str::trim)
                    .filter(|point| !point.is_empty());
                Plain::List(
                    points
                        .map(|point| Plain::Text(with_units(point, metric)))
                        .collect(),
                )
            }
        },
    }
}

/// That a number was meant to take from a list of points or ways, and is not on it.
pub fn beyond(domain: &WireDomain, typed: &str) -> Option<String> {
    let (listed, what) = match domain {
        WireDomain::Place { candidates, .. } => (candidates.len(), "point"),
        WireDomain::Route { candidates, .. } => (candidates.len(), "way"),
        _ => return None,
    };
    let number: usize = typed.trim().parse().ok()?;
    match (number, listed) {
        (number, listed) if (1..=listed).contains(&number) => None,
        (_, 0) => Some(format!(
            "expected a {what} as points, for none is listed to take by number, found {number}"
        )),
        (_, listed) => Some(format!(
            "expected a {what} as points, or one of the list from 1 to {listed}, found {number}"
        )),
    }
}

/// Whether that is the label of something there is to choose.
pub fn is_choice(domain: &WireDomain, typed: &str) -> bool {
    match domain {
        WireDomain::Choices { choices } | WireDomain::Several { choices, .. } => choices
            .iter()
            .any(|choice| choice.label.eq_ignore_ascii_case(typed)),
        _ => false,
    }
}

fn from_list<'a, T>(list: &'a [T], typed: &str) -> Option<&'a T> {
    list.get(typed.parse::<usize>().ok()?.checked_sub(1)?)
}

fn choice(choices: &[WireChoice], typed: &str) -> Plain {
    let is = |choice: &&WireChoice| choice.label.eq_ignore_ascii_case(typed);
    if let Some(found) = choices.iter().find(is) {
        return found.value.clone();
    }
    // Four digits are a hex before they are a number in the list.
    let is_hex = |choice: &WireChoice| matches!(choice.value, Plain::Hex { .. });
    if Hex::named(typed).is_some() && choices.iter().all(is_hex) {
        return Plain::Text(typed.to_string());
    }
    if let Some(found) = from_list(choices, typed) {
        return found.value.clone();
    }
    let typed_low = typed.to_lowercase();
    let mut begin = choices
        .iter()
        .filter(|choice| choice.label.to_lowercase().starts_with(&typed_low));
    match (begin.next(), begin.next()) {
        (Some(one), None) if !typed.is_empty() => one.value.clone(),
        _ => Plain::Text(typed.to_string()),
    }
}

/// What stands between commas, but for those within a hex such as `<3,-1>`.
fn parts(typed: &str) -> Vec<&str> {
    let mut is_within = false;
    let is_between = |letter: char| {
        is_within = match letter {
            '<' => true,
            '>' => false,
            _ => is_within,
        };
        letter == ',' && !is_within
    };
    typed.split(is_between).collect()
}

/// A point that was written without units gets those of the table.
fn with_units(typed: &str, metric: bool) -> String {
    let unit = if metric { "cm" } else { "in" };
    let inner = typed.trim_start_matches('(').trim_end_matches(')');
    let measure = |text: &str| {
        let text = text.trim();
        if text.ends_with(|c: char| c.is_ascii_digit()) {
            format!("{text}{unit}")
        } else {
            text.to_string()
        }
    };
    match inner.split_once(',') {
        Some((x, y)) => format!("({}, {})", measure(x), measure(y)),
        None => typed.to_string(),
    }
}
