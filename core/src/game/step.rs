//! A step between its start and its end: what it is taken back to when it waits
//! for an answer, and what it has done so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cells::CellSet;
use crate::chance::ChanceMark;
use crate::decision::Question;
use crate::digest::StateHash;
use crate::event::Event;
use crate::game::Game;
use crate::past::Past;
use crate::sequence::Frame;
use crate::stamp::Stamp;
use crate::value::{EntityId, Side, Value};
use crate::world::{Row, World};

/// A question that was answered in the step that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answered {
    pub question: Question,
    pub values: Vec<Value>,
}

/// A step between its start and its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunningStep {
    /// Questions answered so far, over all runs of this step.
    pub answers: Vec<Answered>,
    /// The question that waits, with the answers given to it so far.
    pub asking: Option<(Question, Vec<Option<Value>>)>,
    /// The side whose action or reaction it belongs to.
    pub by: Option<Side>,
    /// Where it began.
    pub start: Option<Box<StepStart>>,
    /// How many questions this run has come to.
    pub asked: usize,
    /// How many draws this run has made.
    pub draws: u32,
    /// How many shuffles it has made.
    pub shuffles: u32,
    /// What happened in this run.
    pub events: Vec<Event>,
    /// What this run has pushed, in the order written.
    pub pushed: Vec<Frame>,
}

/// What entities look like, as hashes, by the places of viewers.
pub(crate) type Looks = BTreeMap<(EntityId, usize), StateHash>;

/// Everything that a rule can change, as it was when its step began.
#[derive(Clone, Debug)]
pub(crate) struct StepStart {
    past: Past,
    chance: ChanceMark,
    finished: Option<Value>,
    sightings: Vec<Arc<Vec<EntityId>>>,
    sighted_at: Stamp,
    unnoticed: Vec<EntityId>,
    drawn: u32,
    /// What entities looked like there, as far as that was found out and hangs on
    /// nothing but their rows, those of whom they name, and what was seen before.
    pub looks: Arc<Looks>,
}

impl StepStart {
    /// The attributes in which it differs from that of another course; `None`
    /// where more is another.
    pub(crate) fn differing_cells(&self, other: &StepStart) -> Option<CellSet> {
        let (mine, theirs) = (&self.past, &other.past);
        let is_alike = (&mine.pots, &mine.decks) == (&theirs.pots, &theirs.decks)
            && mine.named == theirs.named
            && (self.chance, self.drawn) == (other.chance, other.drawn)
            && (&self.finished, &self.unnoticed) == (&other.finished, &other.unnoticed)
            && self.sightings == other.sightings;
        is_alike
            .then(|| mine.world.differing_cells(&theirs.world, None))
            .flatten()
    }

    /// Whether the viewer of a place had seen just these.
    pub(crate) fn has_seen(&self, slot: usize, seen: &Arc<Vec<EntityId>>) -> bool {
        self.sightings.get(slot) == Some(seen)
    }

    /// Whether an entity has the row that it had there: nothing of it was written.
    pub(crate) fn holds(&self, entity: EntityId, row: &Row) -> bool {
        let then = self.past.world.row(entity);
        then.is_ok_and(|then| std::ptr::eq(then, row))
    }

    /// Puts a world in place of its own that has changed from `now` on as its own
    /// has from `then` on; `None` where that has no room.
    pub(crate) fn stand_in(&mut self, now: &World, then: &World) -> Option<()> {
        let mut world = now.clone();
        if !world.can_grow_as(then, &self.past.world) {
            return None;
        }
        world.follow(then, &self.past.world);
        self.past.world = world;
        self.looks = Arc::default();
        Some(())
    }
}

impl Game {
    pub(crate) fn begin_step(&mut self) {
        match self.running.start.take() {
            Some(start) => {
                self.rewind(&start);
                self.running.start = Some(start);
            }
            None => self.running.start = Some(Box::new(self.step_start())),
        }
        self.begin_reads();
        self.running.asking = None;
        self.running.asked = 0;
        self.running.draws = 0;
        self.running.shuffles = 0;
        self.running.events.clear();
        self.running.pushed.clear();
    }

    /// What there is now, to be taken back to.
    pub(crate) fn past(&self) -> Past {
        Past {
            world: World::clone(&self.world),
            pots: self.pots.clone(),
            decks: self.decks.clone(),
            decks_at: self.decks_at,
            named: self.named.clone(),
        }
    }

    pub(crate) fn step_start(&self) -> StepStart {
        StepStart {
            past: self.past(),
            chance: self.chance.mark(),
            finished: self.flow.finished.clone(),
            sightings: self.sightings.clone(),
            sighted_at: self.sighted_at,
            unnoticed: self.unnoticed.clone(),
            drawn: self.flow.drawn,
            looks: Arc::default(),
        }
    }

    /// Goes back to where a step began. Stamps come back with the values that
    /// they stand for.
    pub(crate) fn rewind(&mut self, start: &StepStart) {
        let Past {
            world,
            pots,
            decks,
            decks_at,
            named,
        } = start.past.clone();
        (*self.world, self.pots, self.named) = (world, pots, named);
        (self.decks, self.decks_at) = (decks, decks_at);
        (self.sightings, self.sighted_at) = (start.sightings.clone(), start.sighted_at);
        self.unnoticed.clone_from(&start.unnoticed);
        self.chance.rewind(start.chance);
        self.flow.finished.clone_from(&start.finished);
        self.flow.drawn = start.drawn;
        self.forget_answers();
    }

    pub(crate) fn end_step(&mut self) -> Vec<Frame> {
        let running = std::mem::take(&mut *self.running);
        self.happened.extend(running.events);
        running.pushed
    }
}
