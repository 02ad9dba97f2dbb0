//! Narrating a match to one viewer as a battle report, bit by bit.

use kernel::brief::Depth;
use kernel::engine::SeenEvent;
use kernel::event::Event;
use kernel::game::Game;
use kernel::value::EntityId;
use kernel::world::Viewer;

use super::convert::labels_of;
use super::looking::event_about;
use super::plain::Labels;
use super::{Tabletop, Trouble, WireEvent};
use crate::report::{Narrator, ReportLine, ReportOptions, Score, depth_of};
use crate::types::Unit;

/// How far a match has been told to a viewer.
pub struct Narration {
    narrator: Narrator,
    timeline: u32,
    last: u32,
}

/// An event, and the lines that the report adds for it.
pub struct NarratedEvent {
    /// The event.
    pub event: WireEvent,
    /// The lines.
    pub lines: Vec<ReportLine>,
}

impl Tabletop {
    /// A narration from the beginning, for a viewer.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn narration(&self, viewer: &str) -> Result<Narration, Trouble> {
        self.narration_in(viewer, Depth::Full, true)
    }

    /// The same in a given depth, and with the rule that caused each line
    /// where that is wanted. A game whose mods do not say how it reads in
    /// short is told in full.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn narration_in(
        &self,
        viewer: &str,
        depth: Depth,
        causes: bool,
    ) -> Result<Narration, Trouble> {
        let narrator = self.narrator(self.viewer(viewer)?, causes).in_depth(depth);
        Ok(Narration {
            narrator,
            timeline: self.timeline(),
            last: 0,
        })
    }

    /// What is new in a narration. In the middle of an action nothing is new: a
    /// fault may still undo all of it, and its draws are numbered at its end.
    pub fn tell(&self, narration: &mut Narration) -> Vec<NarratedEvent> {
        let settled = &self.game.settled_events()[..self.settled()];
        let sees = |event: &&Event| event.audience.contains(narration.narrator.viewer());
        let upto = settled.iter().filter(sees).count() as u32;
        self.tell_up_to(narration, upto)
    }

    /// What is new in a narration, even of an action that is not over.
    pub fn tell_all(&self, narration: &mut Narration) -> Vec<NarratedEvent> {
        self.tell_up_to(narration, u32::MAX)
    }

    fn tell_up_to(&self, narration: &mut Narration, last: u32) -> Vec<NarratedEvent> {
        self.catch_up(narration);
        let viewer = narration.narrator.viewer();
        let (mut seen, _) = self.events_after(viewer, narration.last);
        seen.retain(|event| event.number <= last);
        narration.last = seen.last().map_or(narration.last, |event| event.number);
        let labels = labels_of(self.game.game(), viewer);
        seen.iter()
            .map(|event| narrated_by(&mut narration.narrator, event, &labels))
            .collect()
    }

    /// After something was taken back, the narration goes on from there.
    fn catch_up(&self, narration: &mut Narration) {
        narration.narrator.switch_book(self.game.rulebook().book());
        if narration.timeline == self.timeline() {
            return;
        }
        let viewer = narration.narrator.viewer();
        let lost = self
            .game
            .cuts()
            .get(narration.timeline as usize..)
            .unwrap_or_default();
        let left = lost
            .iter()
            .map(|cut| cut.events)
            .min()
            .unwrap_or_default()
            .min(self.game.settled_events().len());
        let sees = |event: &&Event| event.audience.contains(viewer);
        let left = self.game.settled_events()[..left]
            .iter()
            .filter(sees)
            .count() as u32;
        narration.timeline = self.timeline();
        if left >= narration.last {
            return;
        }
        narration.narrator.begin_again();
        let labels = labels_of(self.game.game(), viewer);
        let (seen, _) = self.events_after(viewer, 0);
        for event in seen.iter().take(left as usize) {
            narration
                .narrator
                .narrate(event, &|entity: EntityId| labels(entity).1);
        }
        narration.last = left;
    }

    /// The result of the game for a viewer, in lines; none before its end. Of a game
    /// that ends without a result it is said that there is none.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn result_lines(&self, viewer: &str) -> Result<Vec<ReportLine>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let (game, narrator) = (self.game.game(), self.narrator(viewer, true));
        let result = game.view(viewer).result;
        let lines = result.map_or_else(Vec::new, |result| narrator.result(game, &result));
        if lines.is_empty() && self.standing().over {
            let text = "the game is over, and these rules name no winner";
            return Ok(vec![ReportLine::fact(0, "result".into(), text.into())]);
        }
        Ok(lines)
    }

    /// Tells a viewer of the match, from the beginning and in full.
    pub(super) fn narrator(&self, viewer: Viewer, causes: bool) -> Narrator {
        let options = ReportOptions {
            unit: self.unit(),
            causes,
        };
        Narrator::new(self.game.rulebook().book(), viewer, options)
    }
}

/// Events of a game that nobody plays on, as the referee is told of them.
pub fn narrated_to_referee(game: &Game, events: &[Event], unit: Unit) -> Vec<NarratedEvent> {
    let options = ReportOptions { unit, causes: true };
    let mut narrator = Narrator::new(game.book(), Viewer::Referee, options);
    let labels = labels_of(game, Viewer::Referee);
    let seen = game.show_events(Viewer::Referee, events);
    seen.iter()
        .map(|event| narrated_by(&mut narrator, event, &labels))
        .collect()
}

/// An event as it is told.
pub(super) fn narrated_by(
    narrator: &mut Narrator,
    event: &SeenEvent,
    labels: &Labels<'_>,
) -> NarratedEvent {
    let narrated = narrator.narrate(event, &|entity: EntityId| labels(entity).1);
    let depth = depth_of(narrator.book(), &event.kind);
    NarratedEvent {
        event: event_about(event, &narrated.full, narrator.phase(), depth, labels),
        lines: narrated.lines(),
    }
}

impl Narration {
    /// The lines that a story or a volley still holds back: for the end.
    pub fn finish(&mut self) -> Vec<ReportLine> {
        self.narrator.finish()
    }

    /// The line that is not over, for whoever must decide now; a story goes on
    /// to the end of its turn.
    pub fn pause(&mut self) -> Vec<ReportLine> {
        match self.depth() {
            Depth::Volley => self.finish(),
            _ => Vec::new(),
        }
    }

    /// The heading under which nothing is told yet, for whoever is asked something there.
    pub fn open_heading(&mut self) -> Vec<ReportLine> {
        self.narrator.open_heading()
    }

    /// Who did how much of what, where not everything is told.
    pub fn score(&self) -> Option<&Score> {
        self.narrator.score()
    }

    /// The depth in which it really tells.
    pub fn depth(&self) -> Depth {
        self.narrator.depth()
    }
}
