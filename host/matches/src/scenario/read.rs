//! Reading a scenario file, every problem at its own line.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::geometry::Length;
use kernel::value::{Name, is_word};
use serde::Deserialize;

use crate::bot::BotKind;
use crate::scenario::script::{Act, read_act};
use rules::data::reader::{Datum, Entries, RawRon, RonReader};
use rules::data::whole::{Count32, Whole64};
use rules::types::{Unit, parse_length};

/// The scenario format that this version reads.
pub const FORMAT: u32 = 1;

/// A side of a scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideItem {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: String,
}

/// An entity, or a group of them, that the scenario places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntityItem {
    /// Its name.
    pub name: Name,
    /// Its kind, if it is placed as such.
    pub kind: Option<Name>,
    /// Its template, if it is made from one.
    pub template: Option<Name>,
    /// The side that owns it and its parts.
    pub side: Option<Name>,
    /// Its attributes.
    pub attributes: BTreeMap<Name, Datum>,
    /// Where it is written.
    pub place: Place,
}

/// How even a scenario says that it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Balance {
    /// Each side wins as often as another.
    Even,
    /// A side wins so often: from and to, in hundredths of the games that are won.
    Edge(Name, u32, u32),
}

/// A scenario as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Its id.
    pub id: Name,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub text: String,
    /// Selectors of the mods it is played with.
    pub with: Vec<String>,
    /// Selectors of what is left out.
    pub without: Vec<String>,
    /// Options that it sets, as text or numbers.
    pub options: BTreeMap<Name, Datum>,
    /// Cells of tables that it changes: `table[key].column=value`.
    pub amends: Vec<String>,
    /// The seed, if nothing else is said.
    pub seed: u64,
    /// Width and depth of the table.
    pub table: (Length, Length),
    /// Whether reports print centimetres.
    pub is_metric: bool,
    /// The sides, in order.
    pub sides: Vec<SideItem>,
    /// What stands on the table.
    pub entities: Vec<EntityItem>,
    /// Who plays which side, if nothing else is said.
    pub bots: BTreeMap<Name, BotKind>,
    /// Who else has a golden, beside the referee: sides, or `spectator`.
    pub views: Vec<String>,
    /// How many turns it lasts.
    pub turns: Option<u32>,
    /// How even it says that it is.
    pub balance: Option<Balance>,
    /// The ends that it says it can come to, in the words of the rules.
    pub ends: Vec<String>,
    /// What is done in it, for a golden.
    pub script: Vec<Act>,
    /// Where the file is.
    pub place: Place,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario")]
struct RawScenario<'a> {
    format: u32,
    id: String,
    title: String,
    #[serde(default)]
    text: String,
    mods: Vec<String>,
    #[serde(default)]
    without: Vec<String>,
    #[serde(default, borrow)]
    options: Entries<'a>,
    #[serde(default)]
    amends: Vec<String>,
    seed: Whole64,
    table: RawTableSize,
    #[serde(borrow)]
    sides: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    entities: Vec<RawRon<'a>>,
    #[serde(default)]
    bots: BTreeMap<String, String>,
    #[serde(default)]
    views: Vec<String>,
    #[serde(default)]
    turns: Option<Count32>,
    #[serde(default)]
    balance: Option<RawBalance>,
    #[serde(default)]
    ends: Vec<String>,
    #[serde(default, borrow)]
    script: Vec<RawRon<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
enum RawBalance {
    Even,
    Edge { side: String, from: u32, to: u32 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTableSize {
    width: String,
    depth: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSide {
    id: String,
    #[serde(default)]
    title: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntity<'a> {
    id: String,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    template: Option<String>,
    #[serde(default)]
    side: Option<String>,
    #[serde(default, borrow)]
    attributes: Entries<'a>,
}

/// Collects what is wrong while a scenario is read.
pub(super) struct ScenarioReading<'a, 'r> {
    pub reader: &'r RonReader<'a>,
    pub faults: Vec<Fault>,
}

impl<'a> ScenarioReading<'a, '_> {
    pub fn keep<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.faults.push(fault)).ok()
    }

    pub fn bad(&mut self, place: Place, message: String) {
        self.faults
            .push(Fault::new(FaultCode::BadScenario, message).at(place));
    }

    /// Named values, whatever their types are.
    pub fn values(&mut self, entries: Entries<'a>, place: &Place) -> BTreeMap<Name, Datum> {
        let named = match entries {
            Entries::Named(named) => named,
            Entries::Listed(list) if list.is_empty() => Vec::new(),
            Entries::Listed(_) => {
                self.bad(
                    place.clone(),
                    "expected values by name, found a list".into(),
                );
                Vec::new()
            }
        };
        let mut values = BTreeMap::new();
        for (name, piece) in named {
            let datum = self.reader.datum(piece);
            if let Some(datum) = self.keep(datum) {
                values.insert(Arc::from(name), datum);
            }
        }
        values
    }
}

impl Scenario {
    /// In what its lengths are told.
    pub fn unit(&self) -> Unit {
        match self.is_metric {
            true => Unit::Centimetres,
            false => Unit::Inches,
        }
    }

    /// Reads a scenario from the text of a file.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn read(module: &str, path: &str, text: &str) -> Result<Scenario, Vec<Fault>> {
        let reader = RonReader::new(module, path, text);
        let raw: RawScenario<'_> = reader.whole().map_err(|fault| vec![fault])?;
        let mut reading = ScenarioReading {
            reader: &reader,
            faults: Vec::new(),
        };
        let scenario = read_raw(raw, &mut reading, Place::new(module, path, 1));
        if reading.faults.is_empty() {
            Ok(scenario)
        } else {
            Err(reading.faults)
        }
    }

    /// Where in its text stands what a fault of its selection tells of: an option,
    /// or a line of mods and cells that has the last word of it.
    pub fn place_of(&self, text: &str, fault: &Fault) -> Place {
        let quoted: Vec<&str> = fault.message.split('`').skip(1).step_by(2).collect();
        if let Some((_, datum)) = self.options.iter().find(|(id, _)| quoted.contains(&&***id)) {
            return datum.place.clone();
        }
        let reader = RonReader::new(&self.place.module, &self.place.file, text);
        let lines = self.with.iter().chain(&self.without).chain(&self.amends);
        let is_meant = |line: &&String| quoted.last().is_some_and(|word| line.contains(word));
        let found = lines.into_iter().find(is_meant);
        found.map_or_else(
            || self.place.clone(),
            |line| reader.locate_behind("mods:", line),
        )
    }
}

fn read_raw<'a>(
    raw: RawScenario<'a>,
    reading: &mut ScenarioReading<'a, '_>,
    place: Place,
) -> Scenario {
    if raw.format != FORMAT {
        let place = reading.reader.locate("format");
        reading.bad(
            place,
            format!("expected format {FORMAT}, found {}", raw.format),
        );
    }
    let at_id = reading.reader.locate(&raw.id);
    if !is_word(&raw.id) {
        reading.bad(
            at_id,
            format!(
                "expected an id of lower case letters, digits, `-` and `_`, found `{}`",
                raw.id
            ),
        );
    }
    let width = length(&raw.table.width, reading);
    let depth = length(&raw.table.depth, reading);
    let sides = read_sides(&raw.sides, reading);
    let bots = read_bots(&raw.bots, &sides, reading);
    check_views(&raw.views, &sides, reading);
    let balance = raw
        .balance
        .and_then(|raw| read_balance(raw, &sides, reading));
    let entities = raw
        .entities
        .iter()
        .filter_map(|piece| read_entity(piece, reading))
        .collect();
    let script = raw
        .script
        .iter()
        .filter_map(|piece| read_act(piece, reading))
        .collect();
    Scenario {
        id: Arc::from(raw.id),
        title: raw.title,
        text: raw.text,
        with: raw.mods,
        without: raw.without,
        options: reading.values(raw.options, &place),
        amends: raw.amends,
        seed: raw.seed.0,
        table: (width, depth),
        is_metric: raw.table.width.trim_end().ends_with("cm"),
        sides,
        entities,
        bots,
        views: raw.views,
        turns: raw.turns.map(Count32::small),
        balance,
        ends: raw.ends,
        script,
        place,
    }
}

fn length(text: &str, reading: &mut ScenarioReading<'_, '_>) -> Length {
    match parse_length(text) {
        Ok(length) if length > Length::ZERO => length,
        Ok(_) => {
            let place = reading.reader.locate(text);
            reading.bad(
                place,
                format!("expected a table with some size, found `{text}`"),
            );
            Length::ZERO
        }
        Err(mismatch) => {
            let place = reading.reader.locate(text);
            reading.bad(place, format!("size of the table: {mismatch}"));
            Length::ZERO
        }
    }
}

/// Who looks at a game without a side: what a side is called tells it from them.
const WATCHERS: [&str; 2] = ["referee", "spectator"];

/// Whether a name is that of something which belongs to a side, by how it begins.
fn belongs_to(side: &str, name: &str) -> bool {
    name.strip_prefix(side)
        .is_some_and(|rest| rest.starts_with('-'))
}

fn read_sides(pieces: &[RawRon<'_>], reading: &mut ScenarioReading<'_, '_>) -> Vec<SideItem> {
    let mut sides: Vec<SideItem> = Vec::new();
    for piece in pieces {
        let raw: Result<RawSide, Fault> = reading.reader.part(piece);
        let Some(raw) = reading.keep(raw) else {
            continue;
        };
        let place = reading.reader.place(piece);
        if !is_word(&raw.id) {
            reading.bad(
                place.clone(),
                format!(
                    "expected the id of a side as one lower case word, found `{}`",
                    raw.id
                ),
            );
        }
        if WATCHERS.contains(&raw.id.as_str()) {
            let message = format!(
                "expected another id of a side than `{}`, which is somebody who only looks",
                raw.id
            );
            reading.bad(place.clone(), message);
        }
        let is_named_like =
            |side: &&SideItem| belongs_to(&side.id, &raw.id) || belongs_to(&raw.id, &side.id);
        if sides.iter().any(|side| *side.id == *raw.id) {
            reading.bad(place, format!("side `{}` is listed twice", raw.id));
        } else if let Some(other) = sides.iter().find(is_named_like) {
            // What a side makes in secret is named by its id with `-` behind it.
            let message = format!(
                "expected ids of sides of which none is another with `-` and more behind it, found `{}` and `{}`",
                other.id, raw.id
            );
            reading.bad(place, message);
        }
        let title = raw.title.unwrap_or_else(|| raw.id.clone());
        sides.push(SideItem {
            id: Arc::from(raw.id),
            title,
        });
    }
    if sides.is_empty() || sides.len() > 32 {
        let place = reading.reader.locate("sides");
        reading.bad(
            place,
            format!("expected 1 to 32 sides, found {}", sides.len()),
        );
    }
    sides
}

fn read_bots(
    raw: &BTreeMap<String, String>,
    sides: &[SideItem],
    reading: &mut ScenarioReading<'_, '_>,
) -> BTreeMap<Name, BotKind> {
    let mut bots = BTreeMap::new();
    for (side, kind) in raw {
        let place = reading.reader.locate_behind("bots:", side);
        if sides.iter().all(|known| *known.id != **side) {
            reading.bad(
                place.clone(),
                format!("a bot is given to `{side}`, which is no side"),
            );
        }
        match kind.parse() {
            Ok(kind) => {
                bots.insert(Arc::from(side.as_str()), kind);
            }
            Err(message) => {
                let place = reading.reader.locate_behind("bots:", kind);
                reading.bad(place, format!("bot of `{side}`: {message}"));
            }
        }
    }
    bots
}

fn read_balance(
    raw: RawBalance,
    sides: &[SideItem],
    reading: &mut ScenarioReading<'_, '_>,
) -> Option<Balance> {
    let RawBalance::Edge { side, from, to } = raw else {
        return Some(Balance::Even);
    };
    let place = reading.reader.locate("balance");
    if sides.iter().all(|known| *known.id != *side) {
        reading.bad(
            place.clone(),
            format!("expected a side that has the edge, found `{side}`"),
        );
    }
    if from >= to || to > 100 {
        let message =
            format!("expected an edge from less to more, of 100 at most, found {from} to {to}");
        reading.bad(place, message);
        return None;
    }
    Some(Balance::Edge(Arc::from(side), from, to))
}

fn check_views(views: &[String], sides: &[SideItem], reading: &mut ScenarioReading<'_, '_>) {
    for (i, view) in views.iter().enumerate() {
        let place = reading.reader.locate(view);
        if view != "spectator" && sides.iter().all(|side| *side.id != **view) {
            reading.bad(
                place,
                format!("expected a side or `spectator` in `views`, found `{view}`"),
            );
        } else if views[..i].contains(view) {
            reading.bad(place, format!("the view of `{view}` is listed twice"));
        }
    }
}

fn read_entity<'a>(
    piece: &RawRon<'a>,
    reading: &mut ScenarioReading<'a, '_>,
) -> Option<EntityItem> {
    let raw: Result<RawEntity<'a>, Fault> = reading.reader.part(piece);
    let raw = reading.keep(raw)?;
    let place = reading.reader.place(piece);
    if !is_word(&raw.id) {
        reading.bad(
            place.clone(),
            format!(
                "expected the id of an entity as one lower case word, found `{}`",
                raw.id
            ),
        );
    }
    if raw.kind.is_some() == raw.template.is_some() {
        reading.bad(
            place.clone(),
            format!("`{}`: expected either `kind` or `template`", raw.id),
        );
    }
    let attributes = reading.values(raw.attributes, &place);
    Some(EntityItem {
        name: Arc::from(raw.id),
        kind: raw.kind.map(Arc::from),
        template: raw.template.map(Arc::from),
        side: raw.side.map(Arc::from),
        attributes,
        place,
    })
}
