//! What rules ask of the game in every language, in the words of both.

use std::sync::Arc;

use kernel::deck::DeckId;
use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::geometry::Shape;
use kernel::value::{EntityId, Name, Side};
use kernel::world::{Viewers, closest};

use crate::limits::cost;

/// The ids of steps that listen to an event begin with this.
pub fn listener_prefix(event: &str) -> String {
    let mut parts: Vec<&str> = event.split('.').collect();
    parts.truncate(3);
    format!("{}.on-", parts.join("."))
}

/// The steps that listen to an event, in their order: those rules whose id is
/// the event's with the listener's own appended.
pub fn listeners(game: &Game, kind: &str) -> Vec<Name> {
    let prefix = listener_prefix(kind);
    let steps = &game.book().steps;
    let mut found: Vec<Name> = steps
        .range(Arc::from(prefix.as_str())..)
        .map(|(id, _)| id.clone())
        .take_while(|id| id.starts_with(&prefix))
        .collect();
    found.sort();
    found
}

/// The side of a name.
///
/// # Errors
/// When there is none.
pub fn side_named(game: &Game, name: &str) -> Result<Side, Fault> {
    game.world().side(name).ok_or_else(|| {
        Fault::new(
            FaultCode::WrongType,
            format!("expected a side, one of {}, found `{name}`", game.world().sides().join(", ")),
        )
    })
}

/// Who sees an attribute of an entity, or the entity itself.
///
/// # Errors
/// When it is not there, or has no such attribute.
pub fn viewers_of(game: &Game, entity: EntityId, attribute: Option<&str>) -> Result<Viewers, Fault> {
    let row = game.world().row(entity)?;
    Ok(match attribute {
        Some(name) => row.viewers[game.world().attribute(entity, name)? as usize],
        None => row.existence,
    })
}

/// A step that nobody defines, with the one that was meant.
pub fn near_step(fault: Fault, game: &Game, rule: &str) -> Fault {
    match closest(rule, game.book().steps.keys().map(|id| &**id)) {
        Some(near) if fault.code == FaultCode::UnknownRule => fault.hint(format!("did you mean `{near}`?")),
        _ => fault,
    }
}

/// The deck of an id, and of a side where each has its own.
///
/// # Errors
/// When there is no such side.
pub fn deck_named(game: &Game, id: &str, side: Option<&str>) -> Result<DeckId, Fault> {
    let of = side.map(|side| side_named(game, side)).transpose()?;
    Ok(DeckId { deck: Name::from(id), of })
}

/// What it costs to work with a deck: each of its cards is looked at.
///
/// # Errors
/// When there is no such deck.
pub fn cost_of(game: &Game, deck: &DeckId) -> Result<u64, Fault> {
    Ok(cost::items(game.deck(deck)?.made_of().total() as usize))
}

/// How many corners an area has, or bends a line.
pub fn corners(shape: &Shape) -> usize {
    match shape {
        Shape::Polygon(polygon) => polygon.corners().len(),
        Shape::Disc(_) => 1,
        Shape::Ribbon(ribbon) => ribbon.points().len(),
    }
}
