//! What more may see before a step than where a game begins.

use std::collections::BTreeMap;

use kernel::game::Game;
use kernel::value::{EntityId, Name, Side};
use kernel::world::{Viewer, Viewers};

/// Something of things of one kind that had been revealed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Revealed {
    /// The kind.
    pub kind: Name,
    /// The attribute; none where it is that the things are there.
    pub attribute: Option<Name>,
    /// To which sides; to everybody where there is none.
    pub to: Vec<Name>,
    /// Of which things.
    pub things: Vec<Name>,
    /// Whether there are no others of the kind.
    pub is_all: bool,
}

impl Revealed {
    /// Whether it is said of all things of the kind at once.
    pub fn is_in_a_row(&self) -> bool {
        self.is_all && self.things.len() > 1
    }

    /// Whether it is among what is found to be told too widely, by its name there.
    pub fn is_named(&self, why: &str) -> bool {
        match &self.attribute {
            Some(attribute) => why.contains(&format!("`{}.{attribute}`", self.kind)),
            // What is not known to be there hides all that it has.
            None => {
                why.contains(&format!("`that there is a {}`", self.kind))
                    || why.contains(&format!("`{}.", self.kind))
            }
        }
    }
}

/// A kind, an attribute of it or none, and the sides to which it had been revealed.
type RevealedTo = (Name, Option<Name>, Vec<Name>);

/// What had been revealed in a later state of a game, and is not in an earlier one.
pub(super) fn revealed(before: &Game, after: &Game) -> Vec<Revealed> {
    let mut found: BTreeMap<RevealedTo, Vec<Name>> = BTreeMap::new();
    for entity in before.world().all() {
        for to in of_thing(before, after, entity).unwrap_or_default() {
            let things = found.entry(to).or_default();
            things.push(before.world().name(entity));
        }
    }
    let all_of = |kind: &Name| before.entities(kind).map_or(0, |all| all.len());
    let group = |((kind, attribute, to), things): (RevealedTo, Vec<Name>)| Revealed {
        is_all: things.len() == all_of(&kind),
        kind,
        attribute,
        to,
        things,
    };
    found.into_iter().map(group).collect()
}

fn of_thing(before: &Game, after: &Game, entity: EntityId) -> Option<Vec<RevealedTo>> {
    let then = after.world().find(&before.world().name(entity))?;
    let kind = before.world().kind(entity).ok()?;
    let (was, is) = (
        before.world().row(entity).ok()?,
        after.world().row(then).ok()?,
    );
    let mut found = Vec::new();
    if let Some(to) = more(was.existence, is.existence, after) {
        found.push((kind.id.clone(), None, to));
    }
    let cells = was.cells.iter().zip(is.cells.iter());
    for (attribute, (was, is)) in kind.attributes.iter().zip(cells) {
        if let Some(to) = more(was.viewers, is.viewers, after) {
            found.push((kind.id.clone(), Some(attribute.name.clone()), to));
        }
    }
    Some(found)
}

/// The sides that have come to see something, none where everybody has; nothing where nobody has.
fn more(was: Viewers, is: Viewers, game: &Game) -> Option<Vec<Name>> {
    let new = is.without(was);
    if is == Viewers::ALL {
        return (new != Viewers::NONE).then(Vec::new);
    }
    let sides = (0..).zip(game.world().sides().iter());
    let to: Vec<Name> = sides
        .filter(|(side, _)| new.contains(Viewer::Side(Side(*side))))
        .map(|(_, name)| name.clone())
        .collect();
    (!to.is_empty()).then_some(to)
}
