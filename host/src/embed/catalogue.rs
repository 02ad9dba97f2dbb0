//! What a front-end must know once to read and draw everything that it is told
//! later: the kinds of things, how each is drawn, and what things are called.

use std::collections::BTreeMap;

use kernel::value::{EntityId, Name, Type, Value};
use kernel::world::{Attribute, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::chart::{has_place, home_of, is_group, last_part};
use super::plain::Labels;
use super::{AttributeAbout, Plain, SideAbout, Tabletop, Trouble, UndoPolicy};

/// The words and shapes of a match. It changes only when its mods do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Catalogue {
    /// The scenario's title.
    pub title: String,
    /// What it shows.
    pub text: String,
    /// The mods and clauses in use, in one line.
    pub selector: String,
    /// The sides, in order.
    pub sides: Vec<SideAbout>,
    /// The table: width and depth in micrometres, from its lower left corner.
    pub table: [i64; 2],
    /// Whether players measure in centimetres.
    pub metric: bool,
    /// How hexes lie, if the mods have any.
    pub hexes: Option<HexLayout>,
    /// How many turns the game is to last, if it is said.
    pub turns: Option<u32>,
    /// Whether sides may have secrets from each other.
    pub secrets: bool,
    /// Who may take play back.
    pub undo: UndoPolicy,
    /// The kinds of things, by id.
    pub kinds: BTreeMap<String, KindAbout>,
    /// What phases are called, by id.
    pub phases: BTreeMap<String, String>,
    /// What actions and reactions are called, by id.
    pub actions: BTreeMap<String, String>,
}

/// How the hexes of a map lie: `q` grows to the south-east, `r` to the south.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HexLayout {
    /// With a flat side to the north.
    Flat,
}

/// A kind of things.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct KindAbout {
    /// What players call one of them.
    pub title: String,
    /// How it is drawn.
    #[serde(flatten)]
    pub role: DrawingRole,
    /// Its attributes, by name.
    pub attributes: BTreeMap<String, AttributeAbout>,
}

/// How things of a kind are drawn, and from which attributes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum DrawingRole {
    /// Ground: a record with `polygon`, with `centre` and `radius`, or with
    /// `line` and `half_width`.
    Area {
        /// The attribute that holds the shape.
        shape: String,
        /// The attribute that says what sort of ground it is, if one does.
        sort: Option<String>,
    },
    /// Something that stands at a point or on a hex.
    Piece {
        /// The attribute that says where.
        at: String,
        /// The attribute that says where it looks, if one does.
        facing: Option<String>,
        /// The attributes that name what it belongs to, with the kind of that.
        home: BTreeMap<String, String>,
    },
    /// What pieces belong to; it lies in the middle of them.
    Group,
    /// Nothing of it is drawn.
    None,
}

impl AttributeAbout {
    /// What a mod says about an attribute.
    pub(super) fn of(attribute: &Attribute, labels: &Labels<'_>) -> AttributeAbout {
        AttributeAbout {
            ty: attribute.ty.to_string(),
            doc: attribute.doc.to_string(),
            default: Plain::of(&attribute.default, labels),
            is_bookkeeping: attribute.is_bookkeeping,
        }
    }
}

impl Tabletop {
    /// The words and shapes of the match, as a viewer may know them.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn catalogue(&self, viewer: &str) -> Result<Catalogue, Trouble> {
        let about = self.about(viewer)?;
        let book = self.game.rulebook().book();
        let titled = |id: &Name, title: &Name| {
            let title = if title.is_empty() {
                last_part(id)
            } else {
                title.to_string()
            };
            (id.to_string(), title)
        };
        let actions = book.actions.values().chain(book.reactions.values());
        let kinds = book.schema.kinds();
        let has_hexes = |kind: &Kind| {
            kind.attributes
                .iter()
                .any(|attribute| is(&attribute.ty, &Type::Hex))
        };
        Ok(Catalogue {
            title: about.title,
            text: about.text,
            selector: about.selector,
            sides: about.sides,
            table: about.table,
            metric: about.metric,
            hexes: kinds.iter().any(has_hexes).then_some(HexLayout::Flat),
            turns: about.turns,
            secrets: about.secrets,
            undo: about.undo,
            kinds: kinds
                .iter()
                .map(|kind| (kind.id.to_string(), self.kind_about(kind)))
                .collect(),
            phases: book
                .phases
                .values()
                .map(|phase| titled(&phase.id, &phase.title))
                .collect(),
            actions: actions
                .map(|action| titled(&action.id, &action.title))
                .collect(),
        })
    }

    fn kind_about(&self, kind: &Kind) -> KindAbout {
        let nobody = |_: EntityId| (None, Name::from("?"));
        let all = kind.attributes.iter();
        KindAbout {
            title: last_part(&kind.id),
            role: self.role_of(kind),
            attributes: all
                .map(|attribute| {
                    (
                        attribute.name.to_string(),
                        AttributeAbout::of(attribute, &nobody),
                    )
                })
                .collect(),
        }
    }

    fn role_of(&self, kind: &Kind) -> DrawingRole {
        let book = self.game.rulebook().book();
        if let Some(shape) = preferred(kind, "shape", holds_shape) {
            let sort = kind
                .attributes
                .iter()
                .find(|attribute| &*attribute.name == "type");
            return DrawingRole::Area {
                shape,
                sort: sort.map(|attribute| attribute.name.to_string()),
            };
        }
        let stands = |ty: &Type| is(ty, &Type::Point) || is(ty, &Type::Hex);
        match preferred(kind, "at", stands) {
            _ if is_group(book, kind) => DrawingRole::Group,
            Some(at) if has_place(kind) || at != "at" => DrawingRole::Piece {
                at,
                facing: preferred(kind, "facing", |ty| is(ty, &Type::Direction)),
                home: self.homes_of(kind),
            },
            _ => DrawingRole::None,
        }
    }

    /// The groups to which things of a kind belong, by the attribute that says so.
    fn homes_of(&self, kind: &Kind) -> BTreeMap<String, String> {
        let book = self.game.rulebook().book();
        let groups = book
            .schema
            .kinds()
            .iter()
            .filter(|other| is_group(book, other));
        let home =
            |group: &Kind| Some((home_of(kind, &group.id)?.to_string(), group.id.to_string()));
        groups.filter_map(home).collect()
    }
}

/// Whether a type is another, or optionally that.
fn is(ty: &Type, wanted: &Type) -> bool {
    match ty {
        Type::Optional(inner) => is(inner, wanted),
        ty => ty == wanted,
    }
}

/// Whether a type is a record that can be drawn as ground.
fn holds_shape(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => holds_shape(inner),
        Type::Record(fields) => {
            let has = |name: &str| fields.iter().any(|field| &*field.name == name);
            has("polygon") || (has("centre") && has("radius")) || has("line")
        }
        _ => false,
    }
}

/// The attribute of that name if its type will do, else the first whose does.
fn preferred(kind: &Kind, name: &str, will_do: impl Fn(&Type) -> bool) -> Option<String> {
    let fits = |attribute: &&Attribute| will_do(&attribute.ty);
    let named = kind
        .attributes
        .iter()
        .filter(fits)
        .find(|attribute| &*attribute.name == name);
    named
        .or_else(|| kind.attributes.iter().find(fits))
        .map(|attribute| attribute.name.to_string())
}

/// What a rule draws around a piece that is chosen.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Around {
    /// Circles around it.
    pub rings: Vec<RingAbout>,
    /// Parts of circles around it.
    pub arcs: Vec<ArcAbout>,
    /// Ground that matters to it.
    pub areas: Vec<ReachAbout>,
}

/// A circle around a piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RingAbout {
    /// What it means.
    pub title: String,
    /// Its radius in micrometres.
    pub radius: i64,
}

/// A part of a circle around a piece, clockwise from one direction to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArcAbout {
    /// What it means.
    pub title: String,
    /// Its radius in micrometres.
    pub radius: i64,
    /// Where it begins, in minutes of arc clockwise from north.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
}

/// Ground that matters to a piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReachAbout {
    /// What it means.
    pub title: String,
    /// A shape, as areas have it.
    pub shape: Plain,
}

impl Around {
    /// Reads what a rule for rings gave: a list of records, each with a title
    /// and a radius, which is an arc if it has directions `from` and `to`, or
    /// with a title and a shape.
    pub(super) fn of(
        items: &[Value],
        plain: impl Fn(&Value) -> Plain,
        word: impl Fn(&str) -> String,
    ) -> Around {
        let mut around = Around::default();
        for item in items {
            let title = word(
                item.field("title")
                    .and_then(Value::as_text)
                    .unwrap_or_default(),
            );
            let radius = match item.field("radius") {
                Some(Value::Length(radius)) => Some(radius.um()),
                Some(Value::Int(um)) => Some(*um),
                _ => None,
            };
            let end = |name| match item.field(name) {
                Some(Value::Direction(direction)) => Some(direction.minutes()),
                _ => None,
            };
            match (radius, end("from"), end("to"), item.field("shape")) {
                (Some(radius), Some(from), Some(to), _) => {
                    around.arcs.push(ArcAbout {
                        title,
                        radius,
                        from,
                        to,
                    });
                }
                (Some(radius), ..) => around.rings.push(RingAbout { title, radius }),
                (None, _, _, Some(shape)) => around.areas.push(ReachAbout {
                    title,
                    shape: plain(shape),
                }),
                _ => {}
            }
        }
        around
    }
}
