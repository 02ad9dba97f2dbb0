//! Odds as JSON, CSV and SVG, and the parts of which a front-end makes bars.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::book::Book;
use kernel::digest::Names;
use kernel::value::{Name, Value};
use serde_json::{Value as Json, json};

use super::answer::{Distribution, How, Outcome, PLACES};
use rules::printable::{self, counted};
use rules::types::{Unit, print_value};

/// A bar in SVG is as wide as this at most, its text beside it.
const BAR: u32 = 360;
const TEXT: u32 = 220;
const ROW: u32 = 22;
/// What the next row of a long name takes.
const LINE: u32 = 16;
/// The letters in a row of a name, and in all its rows.
const NAME_ROW: usize = 34;
const LONGEST_NAME: usize = 400;

impl Outcome {
    /// Its odds with six digits after the point.
    pub fn decimal(&self) -> String {
        self.odds.decimal(PLACES)
    }

    /// Between which odds the truth lies, of a sample: `0.41-0.47`, with six digits.
    pub fn range_text(&self) -> Option<String> {
        let millionths = |odds: u32| format!("{}.{:06}", odds / 1_000_000, odds % 1_000_000);
        self.range
            .map(|range| format!("{} to {}", millionths(range.low), millionths(range.high)))
    }
}

impl Distribution {
    /// What each outcome is called, with things as `names` knows them.
    pub fn texts(&self, names: &dyn Names, unit: Unit) -> Vec<String> {
        self.outcomes
            .iter()
            .map(|outcome| outcome_text(&outcome.value, names, unit))
            .collect()
    }

    /// The same for people: where outcomes are told by events, these in the words of a report.
    pub fn readable_texts(&self, words: &EventWords, names: &dyn Names, unit: Unit) -> Vec<String> {
        self.outcomes
            .iter()
            .map(|outcome| {
                words
                    .outcome(&outcome.value)
                    .unwrap_or_else(|| outcome_text(&outcome.value, names, unit))
            })
            .collect()
    }

    /// An expression that asks for a part of what outcomes are: how often one of the events happens, one that does
    /// not happen on every way and is told in the shortest report; or one field of what a rule gives.
    pub fn example(&self, book: &Book) -> Option<String> {
        let counts: Vec<&BTreeMap<Name, Value>> = self
            .outcomes
            .iter()
            .filter_map(|outcome| match &outcome.value {
                Value::Map(fields) => Some(&**fields),
                _ => None,
            })
            .collect();
        if counts.len() < self.outcomes.len() {
            return None;
        }
        let is_open = |name: &&Name| {
            counts
                .iter()
                .any(|one| one.get(*name) != counts[0].get(*name))
        };
        if self.happened.is_empty() {
            let is_plain = |name: &&Name| {
                matches!(
                    counts[0].get(*name),
                    Some(Value::Int(_) | Value::Bool(_) | Value::Text(_))
                )
            };
            let mut fields = counts.first()?.keys().filter(is_plain);
            return Some(format!("result.{}", fields.find(is_open)?));
        }
        let depth = |kind: &&&Name| book.events.get(**kind).map(|event| event.brief.depth);
        let open = self.happened.iter().filter(is_open);
        let kind = open.collect::<Vec<_>>();
        let kind = kind
            .iter()
            .min_by_key(depth)
            .copied()
            .or(self.happened.first())?;
        Some(format!("events({kind})"))
    }

    /// In a sentence, how it was found.
    pub fn how_text(&self) -> String {
        match &self.how {
            How::Exact { runs, nodes } => format!(
                "exact: every way counted, {}, {}",
                counted(*runs as usize, "run"),
                counted(*nodes, "node")
            ),
            How::Once { runs, nodes } => format!(
                "stopped after {}, {}: every way counted once, exact if no rule looks at the order in which chits come",
                counted(*runs as usize, "run"),
                counted(*nodes, "node")
            ),
            How::Partial {
                runs,
                counted: weight,
            } => format!(
                "stopped after {}: ways of weight {} in 1 counted, each outcome is as likely as that at \
                 least",
                counted(*runs as usize, "run"),
                weight.decimal(PLACES)
            ),
            How::Sampled { games, seed } => {
                let last = seed.wrapping_add(games.saturating_sub(1));
                format!(
                    "too many ways to count: {}, seeds {seed} to {last}, 95 % ranges",
                    counted(*games as usize, "game")
                )
            }
        }
    }

    /// As JSON, with what each outcome is called; the mean of lengths in a unit.
    pub fn json(&self, texts: &[String], unit: Unit) -> Json {
        let millionths = |odds: u32| f64::from(odds) / 1e6;
        let outcomes: Vec<Json> = self
            .outcomes
            .iter()
            .zip(texts)
            .map(|(outcome, text)| {
                let mut json = json!({
                    "outcome": text,
                    "odds": outcome.odds.to_string(),
                    "decimal": outcome.decimal(),
                });
                if let Some(range) = outcome.range {
                    json["low"] = json!(millionths(range.low));
                    json["high"] = json!(millionths(range.high));
                }
                json
            })
            .collect();
        let how = match &self.how {
            How::Exact { runs, nodes } => json!({ "exact": true, "runs": runs, "nodes": nodes }),
            How::Once { runs, nodes } => {
                json!({ "exact": false, "runs": runs, "nodes": nodes, "if_order_does_not_matter": true })
            }
            How::Partial { runs, counted } => json!({
                "exact": false,
                "runs": runs,
                "counted": { "odds": counted.to_string(), "decimal": counted.decimal(PLACES) },
            }),
            How::Sampled { games, seed } => json!({ "exact": false, "games": games, "seed": seed }),
        };
        let mut json = json!({ "outcomes": outcomes, "how": how, "questions": self.questions });
        if let Some(mean) = self.mean() {
            let number = mean.number(unit);
            json["mean"] = json!({ "odds": number.to_string(), "decimal": number.decimal(PLACES) });
            if let Some(word) = mean.unit(unit) {
                json["mean"]["unit"] = json!(word);
            }
        }
        json
    }

    /// As CSV, with a heading.
    pub fn csv(&self, texts: &[String]) -> String {
        let mut csv = String::from("outcome,odds,decimal,low,high\n");
        for (outcome, text) in self.outcomes.iter().zip(texts) {
            let range = outcome
                .range_text()
                .map_or(",".to_string(), |range| range.replace(" to ", ","));
            let name = quoted(text);
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{name},{},{},{range}", outcome.odds, outcome.decimal());
        }
        csv
    }

    /// As a picture of bars, with a title.
    pub fn svg(&self, title: &str, texts: &[String]) -> String {
        let names: Vec<Vec<String>> = texts
            .iter()
            .map(|text| printable::wrapped(&printable::clipped(text, LONGEST_NAME), NAME_ROW))
            .collect();
        let more: usize = names.iter().map(|rows| rows.len() - 1).sum();
        let height = ROW * (self.outcomes.len() as u32 + 3) + LINE * more as u32;
        let width = TEXT + BAR + TEXT;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{0}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"8\" y=\"{ROW}\" font-weight=\"bold\">{0}</text>\n",
            printable::markup(title)
        );
        let mut y = ROW;
        for (outcome, name) in self.outcomes.iter().zip(&names) {
            y += ROW;
            let bar = outcome.odds.part_of(BAR).max(1);
            let odds = match outcome.range_text() {
                None => {
                    let odds = outcome.odds.to_string();
                    format!("{}  {odds}", readable_decimal(&outcome.decimal(), &odds))
                }
                Some(range) => format!("{}  {range}", outcome.decimal()),
            };
            let _ = writeln!(
                svg,
                "<rect x=\"{TEXT}\" y=\"{}\" width=\"{bar}\" height=\"{}\" fill=\"#47689a\"/>\
                 <text x=\"{}\" y=\"{y}\">{}</text>",
                y - 13,
                ROW - 6,
                TEXT + bar + 6,
                printable::markup(&printable::clipped(&odds, 34)),
            );
            for (place, row) in name.iter().enumerate() {
                y += if place > 0 { LINE } else { 0 };
                let _ = writeln!(
                    svg,
                    "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
                    TEXT - 8,
                    printable::markup(row)
                );
            }
        }
        y += ROW;
        let _ = write!(
            svg,
            "<text x=\"8\" y=\"{y}\" fill=\"#666\">{}</text>\n</svg>\n",
            printable::markup(&self.how_text())
        );
        svg
    }
}

/// What events are called where outcomes are told by them: by their headings in a report, and by the last word of
/// their ids too where several of them have one heading.
#[derive(Clone, Debug, Default)]
pub struct EventWords(Vec<(Name, String)>);

impl EventWords {
    /// The words for all events that happen in some distributions, in the order in which they happen.
    pub fn of(book: &Book, all: &[&Distribution]) -> EventWords {
        let mut kinds: Vec<&Name> = Vec::new();
        for kind in all.iter().flat_map(|one| &one.happened) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let heading = |kind: &Name| book.events.get(kind).map(|event| event.heading.clone());
        let word = |kind: &&Name| {
            let Some(word) = heading(kind) else {
                return kind.to_string();
            };
            let alike = kinds
                .iter()
                .filter(|other| heading(other).as_ref() == Some(&word));
            match (alike.count(), kind.rsplit('.').next()) {
                (2.., Some(last)) => format!("{word} ({})", last.replace('_', " ")),
                _ => word.to_string(),
            }
        };
        let words = kinds.iter().map(|kind| ((*kind).clone(), word(kind)));
        EventWords(words.collect())
    }

    /// What happened, if that is what an outcome is.
    fn outcome(&self, value: &Value) -> Option<String> {
        let Value::Map(counts) = value else {
            return None;
        };
        let count = |kind: &Name| counts.get(kind).and_then(Value::as_int);
        let told: Vec<String> = self
            .0
            .iter()
            .filter_map(|(kind, word)| match count(kind)? {
                1 => Some(word.clone()),
                count => Some(format!("{count} x {word}")),
            })
            .collect();
        (!counts.is_empty() && told.len() == counts.len()).then(|| told.join(", "))
    }
}

/// A count of events is a list of what happened; anything else is written as
/// anywhere.
fn outcome_text(value: &Value, names: &dyn Names, unit: Unit) -> String {
    let Value::Map(counts) = value else {
        return print_value(value, names, unit);
    };
    if counts.is_empty() {
        return "nothing".into();
    }
    let one = |(kind, count): (&Name, &Value)| match count {
        Value::Int(1) if kind.contains('.') => Some(kind.to_string()),
        Value::Int(count) if kind.contains('.') => Some(format!("{count} x {kind}")),
        _ => None,
    };
    let all: Option<Vec<String>> = counts.iter().map(one).collect();
    all.map_or_else(|| print_value(value, names, unit), |all| all.join(", "))
}

/// Odds with six digits as people read them: what is neither never nor always is not shown as either.
pub fn readable_decimal<'a>(decimal: &'a str, odds: &str) -> &'a str {
    match (decimal, odds) {
        ("0.000000", odds) if odds != "0" => "<.000001",
        ("1.000000", odds) if odds != "1" => ">.999999",
        (decimal, _) => decimal,
    }
}

/// A cell of a table with commas: in quotes where it needs them (RFC 4180).
pub fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}
