//! The numbers that viewers have for entities: given when somebody first sees them, in
//! an order that tells nothing of what is hidden.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::digest::StateHash;
use crate::game::{Game, StepStart};
use crate::stamp::Stamp;
use crate::value::{EntityId, Side};
use crate::world::Viewer;

/// What fresh entities look like, while viewers number them one after another.
struct Appearances {
    /// What each viewer had seen before, by slot.
    before: Vec<Arc<Vec<EntityId>>>,
    /// What was found for somebody: for whom, and their slot.
    found: BTreeMap<EntityId, (Viewer, usize, StateHash)>,
    /// What was not known before.
    new: Vec<((EntityId, usize), StateHash)>,
}

impl Game {
    /// Gives numbers to entities that somebody sees for the first time.
    pub(crate) fn notice(&mut self) {
        if self.unnoticed.is_empty() {
            return;
        }
        let mut fresh = std::mem::take(&mut self.unnoticed);
        fresh.sort_unstable();
        fresh.dedup();
        let mut appearances = Appearances {
            before: self.sightings.clone(),
            found: BTreeMap::new(),
            new: Vec::new(),
        };
        let sides = (0..self.world.sides().len() as u8).map(|side| Viewer::Side(Side(side)));
        for viewer in sides.chain([Viewer::Spectator]) {
            let Some(slot) = self.sighting_slot(viewer) else {
                continue;
            };
            let is_new = |entity: &EntityId| {
                self.is_seen(viewer, *entity) && !self.sightings[slot].contains(entity)
            };
            let new: Vec<EntityId> = fresh.iter().copied().filter(is_new).collect();
            if !new.is_empty() {
                let new = if new.len() > 1 {
                    self.by_appearance((viewer, slot), &new, &mut appearances)
                } else {
                    new
                };
                Arc::make_mut(&mut self.sightings[slot]).extend(new);
                self.sighted_at = Stamp::fresh();
                self.forget_answers();
            }
        }
        self.keep_looks(appearances.new, &appearances.before);
    }

    /// Keeps what entities look like that hangs on nothing which has changed since the
    /// step that runs began: where it waits for answers it runs from there again with
    /// each.
    fn keep_looks(
        &mut self,
        found: Vec<((EntityId, usize), StateHash)>,
        before: &[Arc<Vec<EntityId>>],
    ) {
        let Some(start) = self.running.start.as_deref() else {
            return;
        };
        if found.is_empty() || self.flow.is_secret() {
            return;
        }
        let stays = |((entity, slot), _): &((EntityId, usize), StateHash)| {
            self.looks_as_then(start, *entity, (*slot, &before[*slot]))
        };
        let kept: Vec<_> = found.into_iter().filter(stays).collect();
        if let Some(start) = self.running.start.as_deref_mut() {
            Arc::make_mut(&mut start.looks).extend(kept);
        }
    }

    /// What an entity looked like to the viewer of a place in another run of the step
    /// that runs, if it looks like that still.
    fn look_kept(&self, slot: usize, entity: EntityId) -> Option<StateHash> {
        let start = self.running.start.as_deref()?;
        let known = *start.looks.get(&(entity, slot))?;
        // Who tracks what is read, and who writes on a pad, must look anew.
        let may_be = self.tracked.0.is_none() && !self.flow.is_secret();
        let seen = (slot, self.sightings.get(slot)?);
        (may_be && self.looks_as_then(start, entity, seen)).then_some(known)
    }

    /// Whether an entity looks as it did when a step began to who has seen these, the
    /// viewer of a place: nothing of it was written since, nor of those that it names,
    /// of whom is shown what that viewer calls them.
    fn looks_as_then(
        &self,
        start: &StepStart,
        entity: EntityId,
        (slot, seen): (usize, &Arc<Vec<EntityId>>),
    ) -> bool {
        let unwritten = |entity: EntityId| {
            let row = self.world.row(entity).ok()?;
            start.holds(entity, row).then_some(row)
        };
        let Some(row) = unwritten(entity) else {
            return false;
        };
        let mut named = Vec::new();
        let values = row.cells.iter().map(|cell| &cell.value);
        values.for_each(|value| value.entities(&mut named));
        let are_unwritten = || named.iter().all(|entity| unwritten(*entity).is_some());
        named.is_empty() || start.has_seen(slot, seen) && are_unwritten()
    }

    /// Entities in the order in which a viewer numbers them: by what they look
    /// like, and of those that look alike by the tie-break key.
    fn by_appearance(
        &self,
        viewer: (Viewer, usize),
        new: &[EntityId],
        appearances: &mut Appearances,
    ) -> Vec<EntityId> {
        let mut seen: Vec<(StateHash, EntityId)> = new
            .iter()
            .map(|entity| (self.appearance_once(viewer, *entity, appearances), *entity))
            .collect();
        seen.sort_unstable();
        for alike in seen
            .chunk_by_mut(|one, other| one.0 == other.0)
            .filter(|alike| alike.len() > 1)
        {
            alike.sort_by_cached_key(|(_, entity)| (self.tie_break(*entity), *entity));
        }
        seen.into_iter().map(|(_, entity)| entity).collect()
    }

    /// What an entity looks like to a viewer, which is often what it looked like
    /// to the one before.
    fn appearance_once(
        &self,
        (viewer, slot): (Viewer, usize),
        entity: EntityId,
        appearances: &mut Appearances,
    ) -> StateHash {
        if let Some((other, theirs, known)) = appearances.found.get(&entity)
            && appearances.before[slot] == appearances.before[*theirs]
            && self.appears_alike(viewer, *other, entity)
        {
            self.check_look(viewer, entity, *known);
            return *known;
        }
        let found = match self.look_kept(slot, entity) {
            Some(known) => {
                self.check_look(viewer, entity, known);
                known
            }
            None => {
                let found = self.appearance(viewer, entity);
                appearances.new.push(((entity, slot), found));
                found
            }
        };
        appearances.found.insert(entity, (viewer, slot, found));
        found
    }

    /// Where assertions are on: what an entity is known to look like is what it looks like.
    /// Of sixteen one is looked at, for that costs what is spared.
    fn check_look(&self, viewer: Viewer, entity: EntityId, known: StateHash) {
        debug_assert!(
            !entity.0.is_multiple_of(16) || known == self.appearance(viewer, entity),
            "it looks the same"
        );
    }

    /// Whether an entity looks the same to two viewers who have seen the same
    /// before: they see the same of it, and of whom it names.
    fn appears_alike(&self, one: Viewer, other: Viewer, entity: EntityId) -> bool {
        let Ok(row) = self.world.row(entity) else {
            return false;
        };
        let mut named = vec![entity];
        let shown = row.cells.iter().all(|cell| {
            if cell.viewers.contains(one) {
                cell.value.entities(&mut named);
            }
            cell.viewers.contains(one) == cell.viewers.contains(other)
        });
        let is_alike = |entity: &EntityId| {
            let saw_it_last = |viewer| self.world.last_existence(*entity).contains(viewer);
            self.sees_name(one, *entity) == self.sees_name(other, *entity)
                && self.is_seen(one, *entity) == self.is_seen(other, *entity)
                && saw_it_last(one) == saw_it_last(other)
        };
        // On pads lies what one side alone sees changed.
        !self.flow.is_secret() && shown && named.iter().all(is_alike)
    }
}
