//! Names of entities: what those are called that are given no name, and who may
//! know an entity by its name.
//!
//! A name tells whoever reads it. So where not all may know of an entity, its
//! name must not count what others have of its kind, and a rule that answers for
//! a side finds by name only what that side knows by that name.

use std::sync::Arc;

use super::Game;
use crate::digest::StateHasher;
use crate::error::{Fault, FaultCode};
use crate::value::{EntityId, Name, Side, Value};
use crate::world::{FirstViewers, Viewer};

impl Game {
    /// The name of an entity, as far as the rule that runs may know it.
    ///
    /// # Errors
    /// When it is hidden from those in whose eyes the rule looks.
    pub fn known_name(&self, entity: EntityId) -> Result<Name, Fault> {
        let scope = self.guard.scope;
        self.note_naming(entity);
        if scope == Viewer::Referee
            || (self.is_seen(scope, entity) && self.sees_name(scope, entity))
        {
            return Ok(self.world.name(entity));
        }
        Err(Fault::new(
            FaultCode::HiddenRead,
            format!(
                "expected only what {} may see, found a read of a name that is hidden from them",
                self.viewer_word(scope)
            ),
        ))
    }

    /// Whether the rule that runs may know of an entity, and what it is called.
    pub fn knows_by_name(&self, entity: EntityId) -> bool {
        let scope = self.guard.scope;
        let is_known = self.knows_of(entity);
        if !is_known || scope == Viewer::Referee {
            return is_known;
        }
        self.note_naming(entity);
        self.sees_name(scope, entity)
    }

    /// In a secret phase each side has names of its own, so that a name that
    /// is taken tells nothing of the other side's pad.
    pub(super) fn free_to_use(&self, name: &str) -> Result<String, Fault> {
        let Some(side) = self.guard.owner else {
            return Ok(name.to_string());
        };
        let side = self.side_name(side);
        match name.strip_prefix(&*side) {
            Some(rest) if rest.starts_with('-') => Ok(name.to_string()),
            _ => Err(Fault::new(
                FaultCode::NotAllowed,
                format!(
                    "expected a name that begins with `{side}-` in a secret phase, found `{name}`"
                ),
            )),
        }
    }

    /// The name of an entity that is given none. Where no side counts by itself and yet not all may know, the
    /// number is drawn by lot: it tells nobody how many others there are.
    pub(super) fn next_name(
        &mut self,
        slot: u16,
        kind: &str,
        attributes: &[(Name, Value)],
    ) -> String {
        let word = kind.rsplit('.').next().unwrap_or(kind);
        let numbering = self.numbering(slot, attributes);
        let stem = match numbering {
            Numbering::OfSide(side) => format!("{}-{word}", self.side_name(side)),
            Numbering::OfAll | Numbering::ByLot => word.to_string(),
        };
        let stem: Name = Arc::from(stem);
        let salt = self.salt;
        let count = Arc::make_mut(&mut self.named)
            .entry(stem.clone())
            .or_insert(0);
        loop {
            *count += 1;
            let number = match numbering {
                Numbering::OfSide(_) | Numbering::OfAll => u64::from(*count),
                Numbering::ByLot => lot(salt, &stem, u64::from(*count)),
            };
            let name = format!("{stem}-{number}");
            if self.world.find(&name).is_none() {
                return name;
            }
        }
    }

    /// How the things of a kind are numbered. A side counts what it has by itself where not all may know of it, so
    /// that the number in a name tells nobody how many there are of which he may not know.
    fn numbering(&self, kind: u16, attributes: &[(Name, Value)]) -> Numbering {
        let declared = self.world.schema().kind(kind);
        let is_open =
            declared.existence == FirstViewers::All && declared.naming == FirstViewers::All;
        let owner = || {
            let (_, side) = attributes.iter().find(|(name, _)| &**name == "side")?;
            self.world.side(side.as_text()?)
        };
        let side = match self.guard.owner {
            None if !is_open => owner(),
            acting => acting,
        };
        match side {
            Some(side) => Numbering::OfSide(side),
            None if is_open => Numbering::OfAll,
            None => Numbering::ByLot,
        }
    }
}

/// How things that are given no name are numbered.
#[derive(Clone, Copy)]
enum Numbering {
    /// One after another.
    OfAll,
    /// One after another of those that a side has.
    OfSide(Side),
    /// In no order.
    ByLot,
}

/// Lots have four digits.
const LEAST_LOT: u64 = 1_000;
const LOTS: u64 = 9_000;

/// A number for the one that is made so many a time: the same in the same game, and in no order. The more were
/// made, the more numbers there are to draw from, so that one is free.
fn lot(salt: u64, stem: &str, count: u64) -> u64 {
    let mut writer = StateHasher::new("name by lot");
    writer.number(salt);
    writer.text(stem);
    writer.number(count);
    let drawn = writer.sum().bytes();
    let drawn = drawn[..8]
        .iter()
        .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    LEAST_LOT + drawn % LOTS.saturating_mul(1 + count / 1_000)
}
