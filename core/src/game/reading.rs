//! What is noted of what rules read: the graph that is lent to a game, and the
//! stamps that things have there.

#[cfg(test)]
mod tests;

use super::Game;
use crate::audience::{Cell, Reads};
use crate::cells::CellTracker;
use crate::groups::GroupStamps;
use crate::query::{Answer, Closed, ClosingState, Graph, Revision, Source, SourceRead};
use crate::stamp::Stamp;
use crate::value::EntityId;
use crate::world::{SIDE, Viewer, Viewers};

impl Game {
    /// Gives the game what notes what rules read, or takes it away. It is no
    /// part of the game: a copy has none.
    pub fn lend_graph(&mut self, graph: Option<Box<Graph>>) -> Option<Box<Graph>> {
        std::mem::replace(&mut self.graph.0, graph)
    }

    /// What notes what rules read, if the game has one.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.0.as_deref()
    }

    /// The same, to be changed.
    pub fn graph_mut(&mut self) -> Option<&mut Graph> {
        self.graph.0.as_deref_mut()
    }

    /// The state as far as rules can read it.
    pub fn revision(&self) -> Revision {
        Revision {
            world: self.world.revision(),
            game: self.answers.stamp(),
        }
    }

    /// When all that rules can read has changed last, in groups.
    fn group_stamps(&self) -> GroupStamps {
        GroupStamps {
            era: self.era,
            world: self.world.groups(),
            phases: self.phases_at(),
            sightings: self.sighted_at,
            decks: self.decks_at,
        }
    }

    /// The number of the state in a graph.
    fn state_in(&self, graph: &Graph) -> u64 {
        graph.state(self.revision(), || self.group_stamps())
    }

    /// Whether an answer is still what its rule would give, in this game.
    pub fn is_answer_valid(&self, graph: &Graph, answer: Answer) -> bool {
        graph.is_valid(
            answer,
            (self.state_in(graph), self.era),
            &|source| match source {
                // Nearly all of them are.
                Source::Attribute(entity, slot) => self.world.cell_stamp(entity, slot),
                other => self.stamp_of(graph, other),
            },
        )
    }

    /// Uses an answer that is valid: what is open rests on it, and what was
    /// read for it counts as read.
    pub fn use_answer(&self, graph: &Graph, answer: Answer) {
        graph.note_answer(answer);
        if let Some(tracker) = &self.tracked.0 {
            graph.track_again(answer, tracker.epoch(), &|source| {
                track_source(tracker, graph, source);
            });
        }
        match self.reads.as_deref() {
            Some(reads) if reads.keeps_cells() => {
                graph.tell_again(answer, reads.epoch(), &|viewer, source| {
                    self.tell_source(reads, graph, viewer, source);
                });
            }
            Some(reads) => reads.narrow(graph.narrowest(answer, &|viewer, source| {
                self.narrowest_of(graph, viewer, source)
            })),
            None => {}
        }
    }

    /// Those who may see something that was read in the eyes of a viewer.
    fn narrowest_of(&self, graph: &Graph, viewer: Viewer, source: Source) -> Viewers {
        let reads = Reads::begun(false);
        self.tell_source(&reads, graph, viewer, source);
        reads.narrowest()
    }

    /// A rule begins whose answer is to be kept: how many were open before.
    pub fn begin_answer(&mut self) -> usize {
        let (revision, viewer) = (self.revision(), self.guard.scope);
        self.graph_mut()
            .map_or(0, |graph| graph.open(revision, viewer))
    }

    /// The rule is over that began when so many were open. What it has read is
    /// kept under the number that is given, or under a new one; `None` if its
    /// answer may not be kept.
    pub fn end_answer(&mut self, depth: usize, cost: u64, place: Option<Answer>) -> Option<Closed> {
        let now = ClosingState {
            revision: self.revision(),
            number: self.state_in(self.graph()?),
            era: self.era,
        };
        let epoch = self
            .reads
            .as_ref()
            .map_or(Stamp::NONE, |reads| reads.epoch());
        self.graph_mut()?.close(depth, now, cost, epoch, place)
    }

    /// The same, where the answer may not be kept.
    pub fn drop_answer(&mut self, depth: usize) {
        if let Some(graph) = self.graph_mut() {
            graph.drop_open(depth);
        }
    }

    /// Notes for whoever tracks them that an attribute is read or written.
    pub(crate) fn track(&self, entity: EntityId, slot: u16) {
        if let Some(tracker) = &self.tracked.0 {
            tracker.note(entity, slot);
        }
    }

    /// The same of an attribute of all entities of a kind.
    pub(crate) fn track_kind(&self, kind: u16, slot: u16) {
        if let Some(tracker) = &self.tracked.0 {
            tracker.note_kind(kind, slot);
        }
    }

    /// Notes that something is read that has this stamp.
    pub(crate) fn note_read(&self, source: Source, stamp: Stamp) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            graph.note(SourceRead::new(source, stamp));
        }
    }

    /// Notes that something is read, if a rule is open whose answer is kept.
    pub(crate) fn note_source(&self, source: Source) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            match self.stamp_of(graph, source) {
                Some(stamp) => graph.note(SourceRead::new(source, stamp)),
                None => graph.spoil(),
            }
        }
    }

    /// Notes that the rule that runs looks for the innermost phase of an id.
    pub fn note_phase(&self, id: &str) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            self.note_source(Source::Phase(graph.phase_number(id)));
        }
    }

    /// Notes that the rule that runs finds out whether an entity is there.
    pub fn note_presence(&self, entity: EntityId) {
        self.note_source(Source::Presence(entity));
    }

    /// Notes that the rule that runs looks for an entity by name, and finds it
    /// or not. An entity has its name as long as it is there.
    pub fn note_named(&self, name: &str, found: Option<EntityId>) {
        if let Some(graph) = &self.graph.0
            && graph.is_noting()
        {
            self.note_source(match found {
                Some(entity) => Source::Presence(entity),
                None => Source::Nobody(graph.name_number(name)),
            });
        }
    }

    /// Notes that the rule that runs shows what its viewer calls an entity.
    pub fn note_label(&self, entity: EntityId) {
        self.note_source(Source::Presence(entity));
        self.note_source(Source::Owner(entity));
        self.note_source(Source::Sightings);
    }

    /// What the rules that are open do may not be kept.
    pub fn spoil_answers(&self) {
        if let Some(graph) = &self.graph.0 {
            graph.spoil();
        }
    }

    /// What runs depends on what ran before it: of the rules that are open only
    /// the answers of the outermost so many may be kept, the last of which is
    /// computed apart.
    pub fn spoil_nested(&self, kept: usize) {
        if let Some(graph) = &self.graph.0 {
            graph.spoil_nested(kept);
        }
    }

    /// The stamp that something has now; `None` if it has none, and nothing can
    /// be said of it.
    pub(super) fn stamp_of(&self, graph: &Graph, source: Source) -> Option<Stamp> {
        match source {
            Source::Attribute(entity, slot) => self.world.cell_stamp(entity, slot),
            Source::Existence(entity) | Source::Naming(entity) | Source::Presence(entity) => {
                Some(self.world.being_stamp(entity))
            }
            Source::Owner(entity) => self.world.cell_stamp(entity, SIDE),
            Source::Nobody(number) => graph.name(number, |name| {
                self.world
                    .find(name)
                    .map_or(Stamp::NONE, |entity| self.world.being_stamp(entity))
            }),
            Source::Members(kind) => self.world.members_stamp(kind),
            Source::Shown(kind) => self.world.shown_stamp(kind),
            Source::Bucket(number) => graph.bucket(number, |kind, slot, value| {
                self.world.bucket_stamp(kind, slot, value)
            }),
            Source::Phase(number) => graph.phase(number, |id| {
                self.flow
                    .phase(id)
                    .map_or(Stamp::NONE, |phase| phase.stamp.0)
            }),
            Source::Sightings => Some(self.sighted_at),
            Source::Pile(_) => Some(self.decks_at),
            Source::Answer(answer) => graph.version(answer),
        }
    }

    /// Notes for audiences what was read in the eyes of a viewer, as it was
    /// noted then.
    fn tell_source(&self, reads: &Reads, graph: &Graph, viewer: Viewer, source: Source) {
        match source {
            Source::Attribute(entity, slot) => self.tell_attribute(reads, entity, slot),
            Source::Existence(entity) => {
                reads.note(Cell::Existence(entity), self.world.existence(entity))
            }
            Source::Naming(entity) => reads.note(Cell::Naming(entity), self.named_for(entity)),
            Source::Members(kind) => {
                for entity in self.each_known(viewer, kind) {
                    reads.note(Cell::Existence(entity), self.world.existence(entity));
                }
            }
            Source::Bucket(number) => {
                graph.bucket(number, |kind, slot, _| {
                    self.tell_hidden(reads, viewer, kind, slot);
                    None
                });
            }
            Source::Pile(number) => self.tell_pile(reads, Cell::of_pile(number)),
            // Whoever may not know of these is not told what rests on them.
            Source::Presence(_)
            | Source::Owner(_)
            | Source::Nobody(_)
            | Source::Shown(_)
            | Source::Phase(_)
            | Source::Sightings
            | Source::Answer(_) => {}
        }
    }
}

/// Tracks what was read for an answer, as far as it is attributes.
fn track_source(tracker: &CellTracker, graph: &Graph, source: Source) {
    match source {
        Source::Attribute(entity, slot) => tracker.note(entity, slot),
        Source::Bucket(number) => {
            graph.bucket(number, |kind, slot, _| {
                tracker.note_kind(kind, slot);
                None
            });
        }
        _ => {}
    }
}
