//! Lists of entities that rules are given.
//!
//! Rules ask for the same lists again and again: all terrain, all units of a
//! side. A list is given again as it was, as long as nothing of what it rests on
//! has another stamp; the same stamps tell whether an answer is still good.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Game;
use crate::audience::Cell;
use crate::error::Fault;
use crate::query::Source;
use crate::stamp::Stamp;
use crate::value::{EntityId, Value};
use crate::world::{FirstViewers, Viewer};

/// More lists than this are not kept.
const MOST_LISTS: usize = 1 << 12;

/// Entities, as a list that many may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed(Arc<[Value]>);

impl Listed {
    fn of(entities: Vec<EntityId>) -> Listed {
        Listed(entities.into_iter().map(Value::Entity).collect())
    }

    /// The entities, in order.
    pub fn iter(&self) -> impl Iterator<Item = EntityId> {
        self.0.iter().filter_map(Value::as_entity)
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entities as a value.
    pub fn value(&self) -> Value {
        Value::List(self.0.clone())
    }
}

/// What a list rests on.
type ListSources = [Option<Source>; 3];

/// A list that was given.
#[derive(Debug)]
struct KnownList {
    era: Stamp,
    stamps: [Stamp; 3],
    /// How many of the kind the viewer may know of.
    count: usize,
    list: Listed,
}

/// The lists that were given, by viewer and by what they are lists of.
#[derive(Debug, Default)]
pub(crate) struct Lists(FxHashMap<(Viewer, Source), KnownList>);

impl Game {
    /// The entities of a kind that the rule may know of, sorted by name; those
    /// whose name is hidden come last, by the viewer's own numbers.
    ///
    /// # Errors
    /// When no mod declares the kind.
    pub fn entities(&self, kind: &str) -> Result<Vec<EntityId>, Fault> {
        Ok(self.listed(kind)?.iter().collect())
    }

    /// The same as a list that many may hold.
    ///
    /// # Errors
    /// As [`Game::entities`].
    pub fn listed(&self, kind: &str) -> Result<Listed, Fault> {
        let kind = self.world.schema().require(kind)?;
        let (of, sources) = (Source::Members(kind), self.of_members(kind));
        if let Some((_, list)) = self.given_before(of, sources) {
            return Ok(list);
        }
        let list = Listed::of(self.members(kind));
        self.keep_list(of, sources, list.len(), &list);
        Ok(list)
    }

    /// What the list of all of a kind rests on: where names are hidden, they stand
    /// in the order of the viewer's own numbers.
    fn of_members(&self, kind: u16) -> ListSources {
        let by_number = self.guard.scope != Viewer::Referee && !self.are_named(kind);
        [
            Some(Source::Members(kind)),
            by_number.then_some(Source::Sightings),
            None,
        ]
    }

    /// The entities of a kind that the rule may know of; that is noted.
    fn members(&self, kind: u16) -> Vec<EntityId> {
        self.note_all(self.of_members(kind));
        let known = self.known_of_kind(self.guard.scope, kind);
        if let Some(reads) = &self.reads {
            let cell =
                |entity: &EntityId| (Cell::Existence(*entity), self.world.existence(*entity));
            known
                .iter()
                .map(cell)
                .for_each(|(cell, viewers)| reads.note(cell, viewers));
        }
        known
    }

    /// Whether everybody who knows of an entity of a kind knows its name.
    fn are_named(&self, kind: u16) -> bool {
        self.world.schema().kind(kind).naming == FirstViewers::All
    }

    /// The entities of a kind whose attribute holds a value, in the order of
    /// [`Game::entities`]. First `spend` is told how many of the kind the rule
    /// may know of.
    ///
    /// # Errors
    /// When the attribute is hidden from those in whose eyes the rule looks, of
    /// one that they know of, or when `spend` says so.
    pub fn holders(
        &mut self,
        (kind, slot): (u16, u16),
        wanted: &Value,
        spend: impl FnOnce(usize) -> Result<(), Fault>,
    ) -> Result<Listed, Fault> {
        self.track_kind(kind, slot);
        // Without a graph nothing is noted, and no list is kept.
        let number = self
            .graph()
            .map(|graph| graph.bucket_number(kind, slot, wanted));
        let of = number.map_or(Source::Shown(kind), Source::Bucket);
        let sources = [
            Some(Source::Members(kind)),
            Some(Source::Shown(kind)),
            number.map(Source::Bucket),
        ];
        if let Some((known, list)) = self.given_before(of, sources) {
            spend(known)?;
            return Ok(list);
        }
        if let Some((known, found)) = self.indexed(kind, slot, wanted) {
            self.note_all(sources);
            spend(known)?;
            let list = Listed::of(found);
            self.keep_list(of, sources, known, &list);
            return Ok(list);
        }
        let known = self.members(kind);
        spend(known.len())?;
        let mut found = Vec::new();
        for entity in known {
            if self.get_slot(entity, slot)? == wanted {
                found.push(entity);
            }
        }
        Ok(Listed::of(found))
    }

    /// The same from the index: how many the rule may know of, and those that
    /// hold the value; who asks notes what that rests on. `None` where the index
    /// cannot tell: while pads are open, where names are hidden, and where the rule
    /// may not look.
    fn indexed(&mut self, kind: u16, slot: u16, wanted: &Value) -> Option<(usize, Vec<EntityId>)> {
        let scope = self.guard.scope;
        if self.flow.is_secret() || (scope != Viewer::Referee && !self.are_named(kind)) {
            return None;
        }
        self.world.index(kind, slot);
        let hidden = self.world.hidden_in(kind, slot);
        let knows = |entity: &EntityId| self.world.existence(*entity).contains(scope);
        let sees = |entity: &EntityId| {
            self.world
                .viewers(*entity, slot)
                .is_ok_and(|viewers| viewers.contains(scope))
        };
        if hidden.iter().any(|entity| knows(entity) && !sees(entity)) {
            return None;
        }
        let known =
            self.world.count_of_kind(kind) - hidden.iter().filter(|entity| !knows(entity)).count();
        let held = self.world.held(kind, slot, wanted).iter();
        let found = held
            .filter(|entity| hidden.is_empty() || knows(entity))
            .copied()
            .collect();
        if let Some(reads) = &self.reads {
            self.tell_hidden(reads, scope, kind, slot);
        }
        Some((known, found))
    }

    /// A list that was given before and would be given again, with how many of
    /// the kind the viewer may know of; what it rests on is noted.
    fn given_before(&self, of: Source, sources: ListSources) -> Option<(usize, Listed)> {
        let (era, stamps) = self.stamps(sources)?;
        let found = {
            let lists = self.graph()?.lists.try_borrow().ok()?;
            let known = lists.0.get(&(self.guard.scope, of))?;
            let is_same = known.era == era && known.stamps == stamps;
            is_same.then(|| (known.count, known.list.clone()))?
        };
        self.note_all(sources);
        Some(found)
    }

    fn note_all(&self, sources: ListSources) {
        sources
            .into_iter()
            .flatten()
            .for_each(|source| self.note_source(source));
    }

    fn keep_list(&self, of: Source, sources: ListSources, count: usize, list: &Listed) {
        let (Some((era, stamps)), Some(graph)) = (self.stamps(sources), self.graph()) else {
            return;
        };
        let Ok(mut lists) = graph.lists.try_borrow_mut() else {
            return;
        };
        if lists.0.len() >= MOST_LISTS {
            lists.0.clear();
        }
        lists.0.insert(
            (self.guard.scope, of),
            KnownList {
                era,
                stamps,
                count,
                list: list.clone(),
            },
        );
    }

    /// The stamps that sources have now. `None` where a list may be another at
    /// any moment, and where what is read is told to an audience.
    fn stamps(&self, sources: ListSources) -> Option<(Stamp, [Stamp; 3])> {
        if self.reads.is_some() || self.flow.is_secret() {
            return None;
        }
        let graph = self.graph()?;
        let mut stamps = [Stamp::NONE; 3];
        for (stamp, source) in stamps.iter_mut().zip(sources) {
            if let Some(source) = source {
                *stamp = self.stamp_of(graph, source)?;
            }
        }
        Some((self.era, stamps))
    }
}
