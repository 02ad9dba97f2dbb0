//! The table as a picture: what a viewer sees, drawn by conventions that hold
//! for any game.
//!
//! | what | drawn as |
//! |---|---|
//! | an attribute `shape`, or another record with `polygon`, `centre` and `radius`, or `line` and `half_width` | an area |
//! | an attribute `at`; of a kind without one, another point | a piece that stands there |
//! | attributes `at` and `to` that are hexes beside each other | the side between them |
//! | a list of hexes, of a kind without `at` | a road from one to the next |
//! | a thing without a place that is called after a hex, `h0304` | what is in that hex: its first word as the ground, its numbers written |
//! | a kind without `at` to which pieces belong, by an attribute that names an entity of it | a group, in the middle of its pieces; if it is an area, its name stands in it |
//! | an attribute `facing`, or another direction | where the piece looks |
//! | the rule `MOD.map.state`, of the mod that declares the kind; without it enums and truth values that are not what they were when the game began, by name | the state of a piece |
//! | the rule `MOD.map.rings` | rings around a chosen piece |
//! | the rule `MOD.map.is_wreck` | a wreck |
//! | the rule `MOD.map.is_marker` | no piece, but a marker: what is fought for |
//!
//! These rules take the piece; `state` gives a list of texts, `rings` one of records
//! with `title` and `radius`. They are called in the eyes of the viewer.
//! Ground looks as printed maps have it, by the word for its sort.

mod ground;
mod hexes;
mod labels;
mod svg;
mod text;

use std::collections::BTreeMap;

use kernel::book::Book;
use kernel::engine::Seen;
use kernel::game::Game;
use kernel::geometry::{Direction, Hex, Length, Point};
use kernel::value::{EntityId, Name, Type, Value, owner_of};
use kernel::world::{Attribute, Kind, Viewer};

use super::catalogue::{Around, RingAbout};
use super::convert::labels_of;
use super::plain::{EntityRef, Plain};
use super::{Tabletop, Trouble};
use crate::printable;
use ground::GroundLook;
use hexes::Layout;

/// No name on a chart has more letters.
const LONGEST: usize = 80;

/// More rings than this tell nothing.
const MOST_RINGS: usize = 32;

/// A shape on the table.
pub(super) enum ChartShape {
    Polygon(Vec<Point>),
    Disc(Point, Length),
    Band(Vec<Point>, Length),
}

/// Terrain, or anything else that covers ground.
pub(super) struct ChartArea {
    pub label: String,
    /// What sort of ground it is, in a word: areas of one sort look alike.
    pub sort: String,
    pub shape: ChartShape,
    /// Whether its name is written into it: pieces are in areas of its kind.
    pub is_named: bool,
}

/// Something that stands at a point.
pub(super) struct ChartPiece {
    pub entity: EntityId,
    pub label: String,
    /// What it is, in words.
    pub title: String,
    /// The place of its side among the sides.
    pub side: Option<usize>,
    pub at: Point,
    /// The hex, of a piece that is in one.
    pub hex: Option<Hex>,
    pub facing: Option<Direction>,
    /// What is not as it was when the game began, in words.
    pub state: Vec<String>,
    /// Whether it lies there as a wreck.
    pub is_wreck: bool,
    /// Whether it is a marker, which nobody moves as a piece.
    pub is_marker: bool,
    /// Whether it is a group, which stands in the middle of its pieces.
    pub is_group: bool,
    /// What is written beside it in a picture, if that is not its name.
    pub caption: Option<String>,
}

/// What a mod says of how something is drawn.
struct DrawingStyle {
    is_wreck: bool,
    is_marker: bool,
    /// What is written beside it, if the mod says so.
    state: Option<Vec<String>>,
}

/// A hex of the table.
pub(super) struct HexCell {
    pub column: i64,
    pub row: i64,
    pub centre: Point,
    pub corners: Vec<Point>,
}

/// What is written into a hex.
pub(super) struct Caption {
    pub at: Point,
    pub text: String,
}

/// A circle around the chosen piece.
pub(super) struct ChartRing {
    pub title: String,
    pub radius: Length,
}

/// The table as a viewer sees it.
pub(super) struct Chart {
    pub width: Length,
    pub depth: Length,
    pub is_metric: bool,
    pub sides: Vec<String>,
    /// All hexes, where there are any.
    pub hexes: Vec<HexCell>,
    pub areas: Vec<ChartArea>,
    pub captions: Vec<Caption>,
    /// The sorts of ground, and how each looks.
    pub sorts: Vec<String>,
    looks: Vec<GroundLook>,
    pub pieces: Vec<ChartPiece>,
    pub chosen: Option<usize>,
    pub rings: Vec<ChartRing>,
}

impl Tabletop {
    /// A map of the table in letters, as a viewer sees it, at most so many
    /// columns wide; with rings around a chosen piece, if one is chosen.
    ///
    /// # Errors
    /// When there is no such viewer or piece, or the rule for rings is broken.
    pub fn map_text(
        &mut self,
        viewer: &str,
        chosen: Option<&EntityRef>,
        columns: usize,
    ) -> Result<String, Trouble> {
        Ok(text::draw(&self.chart(viewer, chosen)?, columns))
    }

    /// The same as a picture in SVG.
    ///
    /// # Errors
    /// As [`Tabletop::map_text`].
    pub fn map_svg(&self, viewer: &str, chosen: Option<&EntityRef>) -> Result<String, Trouble> {
        Ok(svg::draw(&self.chart(viewer, chosen)?))
    }

    fn chart(&self, viewer: &str, chosen: Option<&EntityRef>) -> Result<Chart, Trouble> {
        let viewer = self.viewer(viewer)?;
        let chosen = chosen
            .map(|named| {
                let found = self.find(viewer, named);
                found.ok_or_else(|| Trouble::refusal("the map", "there is no such piece"))
            })
            .transpose()?;
        let rings = chosen.map_or(Ok(Vec::new()), |piece| self.rings(viewer, piece))?;
        let game = self.game.game();
        let labels = labels_of(game, viewer);
        let (width, depth) = game.table();
        let mut chart = Chart {
            width,
            depth,
            is_metric: self.found.scenario.is_metric,
            sides: self.sides().map(|(_, side)| word(side)).collect(),
            hexes: Vec::new(),
            areas: Vec::new(),
            captions: Vec::new(),
            sorts: Vec::new(),
            looks: Vec::new(),
            pieces: Vec::new(),
            chosen: None,
            rings,
        };
        let book = self.game.rulebook().book();
        let layout = Layout::of(book, (width, depth));
        chart.hexes = layout.map_or_else(Vec::new, Layout::hexes);
        let entities = game.view(viewer).entities;
        let first = self.game.game_before(0);
        for seen in &entities {
            let label = word(&labels(seen.entity).1);
            let drawn = self.drawn(viewer, seen)?;
            place(
                &mut chart,
                (book, first, layout),
                (seen, drawn),
                &entities,
                label,
            );
        }
        // Lines lie on the ground, whatever they are called.
        chart
            .areas
            .sort_by_key(|area| matches!(area.shape, ChartShape::Band(..)));
        chart.sort_ground();
        chart
            .pieces
            .sort_by(|a, b| (a.side, &a.label).cmp(&(b.side, &b.label)));
        hexes::spread(&mut chart);
        chart.chosen = chart
            .pieces
            .iter()
            .position(|piece| Some(piece.entity) == chosen);
        Ok(chart)
    }

    /// What the rules draw around a piece, for whoever chooses it.
    ///
    /// # Errors
    /// When there is no such viewer or piece, or the rule for rings is broken.
    pub fn around(&self, viewer: &str, piece: &EntityRef) -> Result<Around, Trouble> {
        let viewer = self.viewer(viewer)?;
        let found = self.find(viewer, piece);
        let piece = found.ok_or_else(|| Trouble::refusal("the map", "there is no such piece"))?;
        self.drawn_around(viewer, piece)
    }

    fn drawn_around(&self, viewer: Viewer, piece: EntityId) -> Result<Around, Trouble> {
        let kind = self.game.game().world().kind(piece)?.id.clone();
        let rule = Name::from(format!("{}.map.rings", owner_of(&kind)));
        if !self.game.rulebook().rules().contains_key(&rule) {
            return Ok(Around::default());
        }
        let found = self.game.reads(viewer, &rule, &[Value::Entity(piece)])?;
        let labels = labels_of(self.game.game(), viewer);
        Ok(match &found {
            Value::List(items) => {
                let some = &items[..items.len().min(MOST_RINGS)];
                Around::of(some, |value| Plain::of(value, &labels), word)
            }
            _ => Around::default(),
        })
    }

    /// What the mod of its kind says of how it is drawn.
    fn drawn(&self, viewer: Viewer, seen: &Seen) -> Result<DrawingStyle, Trouble> {
        let is = |value: Option<Value>| value == Some(Value::Bool(true));
        let state = match self.map_value(viewer, seen, "state")? {
            Some(Value::List(words)) => {
                Some(words.iter().filter_map(Value::as_text).map(word).collect())
            }
            _ => None,
        };
        Ok(DrawingStyle {
            is_wreck: is(self.map_value(viewer, seen, "is_wreck")?),
            is_marker: is(self.map_value(viewer, seen, "is_marker")?),
            state,
        })
    }

    /// What players read in place of attributes of a piece, by name, as its mod
    /// says by `MOD.map.words`.
    ///
    /// # Errors
    /// When there is no such viewer, or the rule is broken.
    pub fn words_for(
        &self,
        viewer: &str,
        piece: &EntityRef,
    ) -> Result<BTreeMap<String, String>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let Some(piece) = self.find(viewer, piece) else {
            return Ok(BTreeMap::new());
        };
        let kind = self.game.game().world().kind(piece)?.id.clone();
        let rule = Name::from(format!("{}.map.words", owner_of(&kind)));
        if !self.game.rulebook().rules().contains_key(&rule) {
            return Ok(BTreeMap::new());
        }
        let Value::List(found) = self.game.reads(viewer, &rule, &[Value::Entity(piece)])? else {
            return Ok(BTreeMap::new());
        };
        let text = |of: &Value, name: &str| match of {
            Value::Map(fields) => fields.get(name).and_then(Value::as_text).map(word),
            _ => None,
        };
        let words = found
            .iter()
            .filter_map(|one| Some((text(one, "attribute")?, text(one, "text")?)));
        Ok(words.collect())
    }

    /// What a rule of the chapter `map` says of a piece, if its mod has that rule.
    fn map_value(&self, viewer: Viewer, seen: &Seen, rule: &str) -> Result<Option<Value>, Trouble> {
        let rule = Name::from(format!("{}.map.{rule}", owner_of(&seen.kind)));
        if !self.game.rulebook().rules().contains_key(&rule) {
            return Ok(None);
        }
        Ok(Some(self.game.reads(
            viewer,
            &rule,
            &[Value::Entity(seen.entity)],
        )?))
    }

    fn rings(&self, viewer: Viewer, piece: EntityId) -> Result<Vec<ChartRing>, Trouble> {
        let ring = |ring: RingAbout| ChartRing {
            title: ring.title,
            radius: Length::from_um(ring.radius),
        };
        Ok(self
            .drawn_around(viewer, piece)?
            .rings
            .into_iter()
            .map(ring)
            .collect())
    }
}

impl Chart {
    /// Decides how each sort of ground looks.
    fn sort_ground(&mut self) {
        for area in &self.areas {
            if !self.sorts.contains(&area.sort) {
                self.sorts.push(area.sort.clone());
            }
        }
        self.looks = ground::looks(self.sorts.iter().map(|sort| &**sort));
    }

    /// The areas with the place of their sort, what lies lowest first.
    fn by_level(&self) -> Vec<(usize, &ChartArea)> {
        let place = |area: &ChartArea| {
            self.sorts
                .iter()
                .position(|sort| *sort == area.sort)
                .unwrap_or(0)
        };
        let mut all: Vec<(usize, &ChartArea)> =
            self.areas.iter().map(|area| (place(area), area)).collect();
        all.sort_by_key(|(place, _)| self.looks[*place].level);
        all
    }
}

/// Puts an entity on the chart, if it has a place there. `first` is the game as
/// it began.
fn place(
    chart: &mut Chart,
    (book, first, layout): (&Book, &Game, Option<Layout>),
    (seen, drawn): (&Seen, DrawingStyle),
    all: &[Seen],
    label: String,
) {
    let values = values_of(seen);
    let Ok(slot) = book.schema.require(&seen.kind) else {
        return;
    };
    let kind = book.schema.kind(slot);
    if let Some(shape) = preferred(&values, "shape", shape_of) {
        let sort = values
            .get("type")
            .and_then(|value| value.as_text())
            .map(word);
        let sort = sort.unwrap_or_else(|| last_part(&seen.kind));
        let is_named = is_group(book, kind);
        chart.areas.push(ChartArea {
            label,
            sort,
            shape,
            is_named,
        });
        return;
    }
    if layout.is_some_and(|layout| layout.place(chart, kind, &values, &label)) {
        return;
    }
    let is_group = is_group(book, kind);
    let spot = |value: &Value| Layout::spot(layout, value);
    let at = match is_group {
        true => middle_of(seen.entity, &kind.id, book, all, &spot),
        // What has a place and is not there is nowhere else.
        false if has_place(kind) => values.get("at").and_then(|at| spot(at)),
        false => preferred(&values, "at", Value::as_point),
    };
    let Some(at) = at else { return };
    let facing = preferred(&values, "facing", |value| match value {
        Value::Direction(direction) => Some(*direction),
        _ => None,
    });
    let side = values.get("side").and_then(|side| side.as_text());
    chart.pieces.push(ChartPiece {
        entity: seen.entity,
        label,
        title: title_of(&values, &seen.kind),
        is_wreck: drawn.is_wreck,
        is_marker: drawn.is_marker,
        side: side.and_then(|side| chart.sides.iter().position(|other| other == side)),
        at,
        hex: values.get("at").and_then(|at| at.as_hex()),
        facing,
        state: drawn
            .state
            .unwrap_or_else(|| state_of(kind, &values, first, seen.entity)),
        is_group,
        caption: values
            .get("title")
            .and_then(|title| title.as_text())
            .filter(|_| drawn.is_marker)
            .map(word),
    });
}

fn values_of(seen: &Seen) -> BTreeMap<&str, &Value> {
    seen.attributes
        .iter()
        .filter_map(|(name, value)| Some((&**name, value.as_ref()?)))
        .collect()
}

pub(super) fn has_place(kind: &Kind) -> bool {
    kind.attributes
        .iter()
        .any(|attribute| &*attribute.name == "at")
}

/// Whether pieces belong to things of a kind, which has no place of its own.
pub(super) fn is_group(book: &Book, kind: &Kind) -> bool {
    let belongs = |other: &Kind| has_place(other) && home_of(other, &kind.id).is_some();
    !has_place(kind) && book.schema.kinds().iter().any(belongs)
}

/// The first attribute of a kind that says to which thing of another it
/// belongs.
pub(super) fn home_of<'a>(kind: &'a Kind, to: &Name) -> Option<&'a Name> {
    let is_home = |ty: &Type| match ty {
        Type::Optional(inner) => matches!(&**inner, Type::Entity(Some(of)) if of == to),
        Type::Entity(Some(of)) => of == to,
        _ => false,
    };
    kind.attributes
        .iter()
        .find(|attribute| is_home(&attribute.ty))
        .map(|attribute| &attribute.name)
}

/// The middle of the pieces that belong to something.
fn middle_of(
    group: EntityId,
    of: &Name,
    book: &Book,
    all: &[Seen],
    spot: &dyn Fn(&Value) -> Option<Point>,
) -> Option<Point> {
    let point = |seen: &Seen| {
        let kind = book.schema.kind(book.schema.require(&seen.kind).ok()?);
        let values = values_of(seen);
        let is_part = values.get(&**home_of(kind, of)?) == Some(&&Value::Entity(group));
        spot(values.get("at").filter(|_| is_part)?)
    };
    let points: Vec<Point> = all.iter().filter_map(point).collect();
    let count = i64::try_from(points.len())
        .ok()
        .filter(|count| *count > 0)?;
    let mean = |of: fn(&Point) -> i64| points.iter().map(of).sum::<i64>() / count;
    Some(Point::new(
        Length::from_um(mean(|at| at.x().um())),
        Length::from_um(mean(|at| at.y().um())),
    ))
}

/// The attribute of that name if it will do, else the first that does.
fn preferred<T>(
    values: &BTreeMap<&str, &Value>,
    name: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Option<T> {
    let named = values.get(name).and_then(|value| read(value));
    named.or_else(|| values.values().find_map(|value| read(value)))
}

fn shape_of(value: &Value) -> Option<ChartShape> {
    let length = |name| match value.field(name) {
        Some(Value::Length(length)) => Some(*length),
        _ => None,
    };
    let points = |name| match value.field(name) {
        Some(Value::List(points)) => Some(
            points
                .iter()
                .filter_map(Value::as_point)
                .collect::<Vec<_>>(),
        ),
        _ => None,
    };
    if let Some(corners) = points("polygon").filter(|corners| corners.len() > 2) {
        return Some(ChartShape::Polygon(corners));
    }
    if let Some(line) = points("line").filter(|line| line.len() > 1) {
        return Some(ChartShape::Band(
            line,
            length("half_width").unwrap_or_default(),
        ));
    }
    let centre = value.field("centre").and_then(Value::as_point)?;
    Some(ChartShape::Disc(centre, length("radius")?))
}

/// What people call a piece: its title, or what it is.
fn title_of(values: &BTreeMap<&str, &Value>, kind: &str) -> String {
    let title = values
        .get("title")
        .and_then(|title| title.as_text())
        .filter(|title| !title.is_empty());
    title.map_or_else(|| last_part(kind), word)
}

/// Enums that are not what they were when the game began, and truth values that
/// hold since then; what rules note for themselves is left out.
fn state_of(
    kind: &Kind,
    values: &BTreeMap<&str, &Value>,
    first: &Game,
    entity: EntityId,
) -> Vec<String> {
    let is_old = |place: usize, attribute: &Attribute, value: &Value| {
        let slot = u16::try_from(place).ok();
        let began = slot.and_then(|slot| first.world().get(entity, slot).ok());
        began.unwrap_or(&attribute.default) == value
    };
    let changed = |(place, attribute): (usize, &Attribute)| {
        if attribute.is_bookkeeping {
            return None;
        }
        let value = values
            .get(&*attribute.name)
            .filter(|value| !is_old(place, attribute, value))?;
        match (&attribute.ty, value) {
            (Type::Enum(_), Value::Text(tag)) => {
                Some(word(&format!("{} {tag}", attribute.name).replace('_', " ")))
            }
            (Type::Bool, Value::Bool(true)) => {
                let name = attribute
                    .name
                    .trim_start_matches("is_")
                    .trim_start_matches("has_");
                Some(name.replace('_', " "))
            }
            _ => None,
        }
    };
    kind.attributes
        .iter()
        .enumerate()
        .filter_map(changed)
        .collect()
}

/// What rules and scenarios wrote, as a chart may show it.
fn word(text: &str) -> String {
    printable::clipped(&printable::line(text), LONGEST).into_owned()
}

pub(super) fn last_part(id: &str) -> String {
    id.rsplit('.').next().unwrap_or(id).replace(['_', '-'], " ")
}

/// A length for people: tenths of an inch or centimetre.
pub(super) fn measure(length: Length, is_metric: bool) -> String {
    let unit = if is_metric { 10_000 } else { 25_400 };
    format!("{:.1}", length.um() as f64 / f64::from(unit))
}

impl ChartArea {
    /// Where its name is written, if it is: over its middle, where its pieces mostly stand.
    pub(super) fn name_at(&self) -> Option<(f64, f64)> {
        let high = |height: f64, middle: (f64, f64)| (middle.0, middle.1 + 0.6 * height);
        match &self.shape {
            _ if !self.is_named => None,
            ChartShape::Disc(centre, radius) => Some(high(radius.um() as f64, floats(*centre))),
            ChartShape::Polygon(corners) => {
                let corners: Vec<(f64, f64)> = corners.iter().map(|at| floats(*at)).collect();
                let count = corners.len().max(1) as f64;
                let x = corners.iter().map(|(x, _)| x).sum::<f64>() / count;
                let y = corners.iter().map(|(_, y)| y).sum::<f64>() / count;
                let top = corners.iter().map(|(_, y)| *y).fold(y, f64::max);
                Some(high((top - y) / 2.0, (x, y)))
            }
            ChartShape::Band(..) => None,
        }
    }
}

impl ChartShape {
    /// Whether it covers a part of the rectangle around a point, half as wide
    /// and high as said, near enough for a picture.
    pub(super) fn meets(&self, x: f64, y: f64, half_width: f64, half_height: f64) -> bool {
        if let ChartShape::Band(line, width) = self {
            let near = width.um() as f64 + half_width.min(half_height);
            let across = [(x, half_width), (y, half_height)];
            return line
                .windows(2)
                .any(|leg| distance(leg, x, y) <= near || crosses(leg, across));
        }
        const ACROSS: [f64; 5] = [-0.9, -0.45, 0.0, 0.45, 0.9];
        let covers = |dx: f64, dy: f64| self.covers(x + dx * half_width, y + dy * half_height);
        ACROSS
            .iter()
            .any(|dx| ACROSS.iter().any(|dy| covers(*dx, *dy)))
    }

    /// Whether it covers a point, near enough for a picture.
    fn covers(&self, x: f64, y: f64) -> bool {
        match self {
            ChartShape::Disc(centre, radius) => {
                let (cx, cy) = floats(*centre);
                (x - cx).hypot(y - cy) <= radius.um() as f64
            }
            ChartShape::Polygon(corners) => {
                let mut is_inside = false;
                let mut before = corners.len() - 1;
                for after in 0..corners.len() {
                    let ((ax, ay), (bx, by)) = (floats(corners[before]), floats(corners[after]));
                    if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                        is_inside = !is_inside;
                    }
                    before = after;
                }
                is_inside
            }
            ChartShape::Band(line, half_width) => line
                .windows(2)
                .any(|leg| distance(leg, x, y) <= half_width.um() as f64),
        }
    }
}

/// How far a point is from a leg of a line.
fn distance(leg: &[Point], x: f64, y: f64) -> f64 {
    let [from, to] = leg else {
        return f64::INFINITY;
    };
    let ((ax, ay), (bx, by)) = (floats(*from), floats(*to));
    let (dx, dy) = (bx - ax, by - ay);
    let square = (dx * dx + dy * dy).max(1.0);
    let along = (((x - ax) * dx + (y - ay) * dy) / square).clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

/// Whether a leg of a line goes through a rectangle, given by the middle and the half of its width and of its height.
/// What lies between two rectangles goes through one of them.
fn crosses(leg: &[Point], rectangle: [(f64, f64); 2]) -> bool {
    let [from, to] = leg else { return false };
    let ((ax, ay), (bx, by)) = (floats(*from), floats(*to));
    let (mut enters, mut leaves): (f64, f64) = (0.0, 1.0);
    for ((start, end), (middle, half)) in [(ax, bx), (ay, by)].into_iter().zip(rectangle) {
        let (low, high, by) = (middle - half, middle + half, end - start);
        if by == 0.0 {
            if start < low || start >= high {
                return false;
            }
        } else {
            let (one, other) = ((low - start) / by, (high - start) / by);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
    }
    enters < leaves
}

pub(super) fn floats(point: Point) -> (f64, f64) {
    (point.x().um() as f64, point.y().um() as f64)
}
