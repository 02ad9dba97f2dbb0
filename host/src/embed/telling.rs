//! Telling a match to one viewer as a battle report, bit by bit.

use std::sync::Arc;

use kernel::book::Book;
use kernel::value::EntityId;
use kernel::world::Viewer;

use super::convert::labels_of;
use super::looking::event_about;
use super::{Event, Tabletop, Trouble};
use crate::report::{Phrases, Report, ReportLine, ReportOptions, result_lines};

/// How far a match has been told to a viewer.
pub struct Telling {
    viewer: Viewer,
    report: Report,
    book: Arc<Book>,
    timeline: u32,
    last: u32,
}

/// An event, and the lines that the report adds for it.
pub struct Told {
    /// The event.
    pub event: Event,
    /// The lines.
    pub lines: Vec<ReportLine>,
}

impl Tabletop {
    /// A telling from the beginning, for a viewer.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn telling(&self, viewer: &str) -> Result<Telling, Trouble> {
        let viewer = self.viewer(viewer)?;
        Ok(Telling { viewer, report: self.report(), book: self.book(), timeline: self.timeline(), last: 0 })
    }

    /// What is new in a telling. In the middle of an action nothing is new: a
    /// fault may still undo all of it, and its draws are numbered at its end.
    pub fn tell(&self, telling: &mut Telling) -> Vec<Told> {
        let settled = &self.game.told()[..self.settled()];
        let sees = |event: &&kernel::event::Event| event.audience.contains(telling.viewer);
        let upto = settled.iter().filter(sees).count() as u32;
        self.tell_up_to(telling, upto)
    }

    /// What is new in a telling, even of an action that is not over.
    pub fn tell_all(&self, telling: &mut Telling) -> Vec<Told> {
        self.tell_up_to(telling, u32::MAX)
    }

    fn tell_up_to(&self, telling: &mut Telling, last: u32) -> Vec<Told> {
        self.catch_up(telling);
        let (mut seen, _) = self.events_after(telling.viewer, telling.last);
        seen.retain(|event| event.number <= last);
        let labels = labels_of(self.game.game(), telling.viewer);
        let mut told = Vec::with_capacity(seen.len());
        for event in seen {
            telling.last = event.number;
            let lines = telling.report.event(&event, &|entity: EntityId| labels(entity).1);
            told.push(Told { event: event_about(&event, &lines, &labels), lines });
        }
        told
    }

    /// After something was taken back, the telling goes on from there.
    fn catch_up(&self, telling: &mut Telling) {
        if !Arc::ptr_eq(&telling.book, &self.book()) {
            telling.book = self.book();
            telling.report.switch_book(&telling.book);
        }
        if telling.timeline == self.timeline() {
            return;
        }
        let lost = self.game.cuts().get(telling.timeline as usize..).unwrap_or_default();
        let left = lost.iter().map(|cut| cut.events).min().unwrap_or_default().min(self.game.told().len());
        let sees = |event: &&kernel::event::Event| event.audience.contains(telling.viewer);
        let left = self.game.told()[..left].iter().filter(sees).count() as u32;
        telling.timeline = self.timeline();
        if left >= telling.last {
            return;
        }
        // Headings and numbers of turns depend on all that came before.
        telling.report = self.report();
        let labels = labels_of(self.game.game(), telling.viewer);
        let (seen, _) = self.events_after(telling.viewer, 0);
        for event in seen.iter().take(left as usize) {
            telling.report.event(event, &|entity: EntityId| labels(entity).1);
        }
        telling.last = left;
    }

    /// The result of the game for a viewer, in lines; none before its end.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn result_lines(&self, viewer: &str) -> Result<Vec<ReportLine>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let game = self.game.game();
        let labels = labels_of(game, viewer);
        let names = |entity: EntityId| labels(entity).1;
        let say = Phrases { unit: self.unit(), names: &names };
        Ok(game.view(viewer).result.map_or_else(Vec::new, |result| result_lines(&result, &say)))
    }

    fn report(&self) -> Report {
        Report::new(ReportOptions { unit: self.unit(), causes: true }, &self.book())
    }

    fn book(&self) -> Arc<Book> {
        self.game.rulebook().book().clone()
    }
}
