//! From a scenario to a game that can start.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::chance::Chance;
use kernel::error::{Fault, FaultCode, Place};
use kernel::game::Game;
use kernel::geometry::{Hex, Length, Point};
use kernel::value::{EntityId, Name, Type, Value};
use kernel::world::closest;

use crate::scenario::{Scenario, no_side};
use rules::data::reader::Datum;
use rules::data::template::{EntityTemplate, PartItem, PartOf};
use rules::rulebook::Rulebook;
use rules::types::{Manner, Unit, from_ron};

/// A game that was set up from a scenario, before its first phase.
#[derive(Debug)]
pub struct Setup {
    /// The scenario's id.
    pub scenario: Name,
    /// Its title.
    pub title: String,
    /// The seed of the game's chance.
    pub seed: u64,
    /// What the sides are called, in order.
    pub side_titles: Vec<String>,
    /// The game.
    pub game: Game,
}

/// One entity to be made, with its attributes as written.
struct EntityDraft {
    name: Name,
    kind: Name,
    side: Option<Name>,
    link: Option<(Name, Name)>,
    attributes: BTreeMap<Name, Datum>,
    place: Place,
}

/// A number of turns that a player asks for, if it is one that a game can last.
///
/// # Errors
/// None at all: whether a turn is the last one is seen when it is over.
pub fn some_turns(turns: Option<u32>) -> Result<Option<u32>, Fault> {
    match turns {
        Some(0) => {
            let message = "expected a number of turns from 1 on, found 0";
            Err(Fault::new(FaultCode::OutOfRange, message))
        }
        turns => Ok(turns),
    }
}

/// Sets a scenario up under a rulebook.
///
/// # Errors
/// Everything that does not fit: unknown templates, kinds, attributes and
/// sides, names used twice, points off the table.
pub fn set_up(
    scenario: &Scenario,
    rulebook: &Rulebook,
    seed: u64,
    turns: Option<u32>,
) -> Result<Setup, Vec<Fault>> {
    let sides: Arc<[Name]> = scenario.sides.iter().map(|side| side.id.clone()).collect();
    let mut game = Game::new(
        rulebook.book().clone(),
        sides,
        scenario.table,
        Chance::seeded(seed),
    );
    game.set_turns(turns.or(scenario.turns));
    game.set_salt(seed);
    let mut faults: Vec<Fault> = without_root(scenario, rulebook).into_iter().collect();
    let pieces = pieces(scenario, rulebook, &mut faults);
    let pieces = make(&mut game, pieces, &mut faults);
    fill(&mut game, &pieces, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Setup {
        scenario: scenario.id.clone(),
        title: scenario.title.clone(),
        seed,
        side_titles: scenario
            .sides
            .iter()
            .map(|side| side.title.clone())
            .collect(),
        game,
    })
}

/// A game whose phases are parts of no whole is over before it has begun. A mod may
/// have such phases for others to hold; it is no game by itself.
fn without_root(scenario: &Scenario, rulebook: &Rulebook) -> Option<Fault> {
    let book = rulebook.book();
    if book.root.is_some() || book.phases.is_empty() {
        return None;
    }
    let message = "expected a phase that is the whole game, found none";
    let fault = Fault::new(FaultCode::UnknownPhase, message)
        .hint("the phase that is the whole game says `root = true`");
    Some(fault.at(scenario.place.clone()))
}

/// The templates that a scenario places, with those of their parts and all that they
/// extend.
pub fn templates_of(scenario: &Scenario, rulebook: &Rulebook) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&Name> = scenario
        .entities
        .iter()
        .filter_map(|item| item.template.as_ref())
        .collect();
    while let Some(id) = left.pop() {
        let Some(template) = rulebook.templates().get(id) else {
            continue;
        };
        if !found.insert(id.clone()) {
            continue;
        }
        found.extend(template.extends.iter().cloned());
        left.extend(template.parts.iter().filter_map(|part| match &part.what {
            PartOf::Template(id) => Some(id),
            PartOf::Kind(_) => None,
        }));
    }
    found
}

fn pieces(scenario: &Scenario, rulebook: &Rulebook, faults: &mut Vec<Fault>) -> Vec<EntityDraft> {
    let mut pieces = Vec::new();
    for item in &scenario.entities {
        if let Some(kind) = &item.kind {
            pieces.push(EntityDraft {
                name: item.name.clone(),
                kind: kind.clone(),
                side: item.side.clone(),
                link: None,
                attributes: item.attributes.clone(),
                place: item.place.clone(),
            });
        } else if let Some(id) = &item.template {
            match rulebook.templates().get(id) {
                Some(template) => {
                    let context = TemplateContext {
                        side: item.side.clone(),
                        place: item.place.clone(),
                        rulebook,
                    };
                    context.expand(&item.name, template, &item.attributes, None, &mut pieces);
                }
                None => faults.push(unknown_template(id, rulebook).at(item.place.clone())),
            }
        }
    }
    pieces
}

fn unknown_template(id: &str, rulebook: &Rulebook) -> Fault {
    let fault = Fault::new(
        FaultCode::UnknownTemplate,
        format!("no mod has the template `{id}`"),
    );
    match closest(id, rulebook.templates().keys().map(|id| &**id)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

/// What a template and all its parts have in common.
struct TemplateContext<'a> {
    side: Option<Name>,
    place: Place,
    rulebook: &'a Rulebook,
}

impl TemplateContext<'_> {
    fn expand(
        &self,
        name: &Name,
        template: &EntityTemplate,
        over: &BTreeMap<Name, Datum>,
        link: Option<(Name, Name)>,
        pieces: &mut Vec<EntityDraft>,
    ) {
        let mut attributes = template.attributes.clone();
        attributes.extend(over.iter().map(|(k, v)| (k.clone(), v.clone())));
        pieces.push(EntityDraft {
            name: name.clone(),
            kind: template.kind.clone(),
            side: self.side.clone(),
            link,
            attributes,
            place: self.place.clone(),
        });
        let mut number = 0;
        for part in &template.parts {
            for _ in 0..part.count {
                number += 1;
                self.part(name, part, number, pieces);
            }
        }
    }

    fn part(&self, whole: &Name, part: &PartItem, number: u32, pieces: &mut Vec<EntityDraft>) {
        let name = part
            .name
            .replace("{name}", whole)
            .replace("{n}", &number.to_string());
        let name: Name = Arc::from(name);
        let link = part
            .link
            .clone()
            .map(|attribute| (attribute, whole.clone()));
        match &part.what {
            PartOf::Template(id) => {
                if let Some(template) = self.rulebook.templates().get(id) {
                    self.expand(&name, template, &part.attributes, link, pieces);
                }
            }
            PartOf::Kind(kind) => pieces.push(EntityDraft {
                name,
                kind: kind.clone(),
                side: self.side.clone(),
                link,
                attributes: part.attributes.clone(),
                place: part.place.clone(),
            }),
        }
    }
}

/// Makes every entity bare, so that attributes may name any of them. Returns
/// those that could be made.
fn make(game: &mut Game, pieces: Vec<EntityDraft>, faults: &mut Vec<Fault>) -> Vec<EntityDraft> {
    let mut made_pieces = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let world = game.world_mut();
        let side: Vec<(Name, Value)> = piece
            .side
            .iter()
            .map(|side| (Arc::from("side"), Value::Text(side.clone())))
            .collect();
        let made = world
            .schema()
            .require(&piece.kind)
            .and_then(|kind| world.create(kind, &piece.name, &side));
        match made {
            Ok(_) => made_pieces.push(piece),
            Err(fault) => {
                let sides = game.world().sides().iter().map(|side| &**side);
                let unknown = piece.side.as_ref().and_then(|side| no_side(side, sides));
                let fault = match unknown.and_then(|unknown| unknown.hint.clone()) {
                    Some(hint) if fault.hint.is_none() => fault.hint(hint),
                    _ => fault,
                };
                faults.push(fault.at(piece.place.clone()));
            }
        }
    }
    made_pieces
}

fn fill(game: &mut Game, pieces: &[EntityDraft], faults: &mut Vec<Fault>) {
    let (width, depth) = game.table();
    for piece in pieces {
        let Some(entity) = game.world().find(&piece.name) else {
            continue;
        };
        for (name, datum) in &piece.attributes {
            let written = write(game, entity, name, datum);
            if let Err(fault) = written.and_then(|()| on_map(game, entity, piece, name)) {
                faults.push(fault.at(datum.place.clone()));
            }
        }
        if let Some((attribute, whole)) = &piece.link
            && let Some(whole) = game.world().find(whole)
        {
            let slot = game.world().attribute(entity, attribute);
            let linked =
                slot.and_then(|slot| game.world_mut().set(entity, slot, Value::Entity(whole)));
            faults.extend(linked.err().map(|fault| fault.at(piece.place.clone())));
        }
        let at = game.world().read(entity, "at");
        let outside = match at.ok().cloned().or_else(|| ground_at(game, piece)) {
            Some(Value::Point(at)) if !is_on_table(at, width, depth) => {
                "at a point outside".to_string()
            }
            Some(Value::Hex(at)) if !is_on_map(at, (width, depth), 0) => {
                format!("in the hex {} outside", at.name())
            }
            _ => continue,
        };
        let message = format!("expected `{}` on the table, found it {outside}", piece.name);
        let fault = Fault::new(FaultCode::BadScenario, message).hint(room(game, width, depth));
        faults.push(fault.at(piece.place.clone()));
    }
}

/// How many hexes beyond the map an attribute may name: a road leads off it, and a river
/// runs along its rim.
const RIM: i64 = 1;

/// That an attribute names no hex farther off the map, such as those of a road or what lies
/// along the side of a hex. Where a piece itself is, is looked at for itself.
fn on_map(game: &Game, entity: EntityId, piece: &EntityDraft, name: &str) -> Result<(), Fault> {
    let (width, depth) = game.table();
    let is_outside = |value: &Value| match value {
        Value::Hex(hex) if name != "at" && !is_on_map(*hex, (width, depth), RIM) => Some(*hex),
        _ => None,
    };
    let outside = match game.world().read(entity, name)? {
        Value::List(all) => all.iter().find_map(is_outside),
        one => is_outside(one),
    };
    let Some(hex) = outside else {
        return Ok(());
    };
    let message = format!(
        "expected `{name}` of `{}` on the table or beside it, found the hex {} outside",
        piece.name,
        hex.name()
    );
    Err(Fault::new(FaultCode::BadScenario, message).hint(room(game, width, depth)))
}

/// The hex of ground, which is called after it and is at no other place.
fn ground_at(game: &Game, piece: &EntityDraft) -> Option<Value> {
    let schema = game.world().schema();
    let is_placed = (schema.require(&piece.kind).ok())
        .is_none_or(|kind| schema.kind(kind).find("at").is_some());
    if is_placed || !schema.has_hexes() {
        return None;
    }
    Hex::named(&piece.name).map(Value::Hex)
}

/// What there is room for on a table.
fn room(game: &Game, width: Length, depth: Length) -> String {
    let last = |length: Length| i32::try_from(length.um() / Length::INCH.um()).unwrap_or(i32::MAX);
    match game.world().schema().has_hexes() {
        true => format!(
            "the map has the hexes from {} to {}: {} columns and {} rows",
            Hex::at(1, 1).name(),
            Hex::at(last(width), last(depth)).name(),
            last(width),
            last(depth)
        ),
        false => {
            let text = |length| Manner::Table(Unit::AsWritten).length(length);
            format!("the table is {} wide and {} deep", text(width), text(depth))
        }
    }
}

fn is_on_table(at: Point, width: Length, depth: Length) -> bool {
    let zero = Length::ZERO;
    (zero..=width).contains(&at.x()) && (zero..=depth).contains(&at.y())
}

/// Whether a hex is one of the map: an inch of the table is a column or a row.
fn is_on_map(at: Hex, (width, depth): (Length, Length), rim: i64) -> bool {
    let (column, row) = at.column_row();
    let last = |length: Length| length.um() / Length::INCH.um();
    let is_within = |number: i32, length| {
        (1 - rim..=last(length).saturating_add(rim)).contains(&i64::from(number))
    };
    is_within(column, width) && is_within(row, depth)
}

fn write(game: &mut Game, entity: EntityId, name: &str, datum: &Datum) -> Result<(), Fault> {
    let kind = game.world().kind(entity)?;
    let slot = kind.require(name)?;
    let (what, ty): (String, Type) = (
        format!("`{}.{name}`", kind.id),
        kind.attributes[slot as usize].ty.clone(),
    );
    let find = |name: &str| game.world().find(name);
    let value = from_ron(&ty, &datum.value, &find).map_err(|m| Fault::mismatch(&what, &m))?;
    game.world_mut().set(entity, slot, value)
}
