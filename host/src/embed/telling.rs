//! Telling a match to one viewer as a battle report, bit by bit.

use std::sync::Arc;

use kernel::book::Book;
use kernel::brief::Depth;
use kernel::value::EntityId;
use kernel::world::Viewer;

use super::convert::labels_of;
use super::looking::event_about;
use super::{Event, Tabletop, Trouble};
use crate::report::{
    Abridged, Phrases, Report, ReportLine, ReportOptions, Score, can_abridge, depth_of, result_lines,
};

/// How far a match has been told to a viewer.
pub struct Telling {
    viewer: Viewer,
    report: Report,
    causes: bool,
    /// What is told instead of the full report.
    short: Option<(Depth, Abridged)>,
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
        Ok(Telling {
            viewer,
            report: self.report(true),
            causes: true,
            short: None,
            book: self.book(),
            timeline: self.timeline(),
            last: 0,
        })
    }

    /// The same in a given depth, and with the rule that caused each line
    /// where that is wanted. A game whose mods do not say how it reads in
    /// short is told in full.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn telling_in(&self, viewer: &str, depth: Depth, causes: bool) -> Result<Telling, Trouble> {
        let telling = self.telling(viewer)?;
        let is_short = depth != Depth::Full && can_abridge(&telling.book);
        let short = is_short.then(|| (depth, Abridged::new(depth, self.unit(), &telling.book)));
        Ok(Telling { report: self.report(causes), causes, short, ..telling })
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
            let names = |entity: EntityId| labels(entity).1;
            let lines = telling.report.event(&event, &names);
            let depth = depth_of(&telling.book, &event.kind);
            let about = event_about(&event, &lines, depth, &labels);
            let lines = match &mut telling.short {
                Some((_, short)) => short.event(&event, &names),
                None => lines,
            };
            told.push(Told { event: about, lines });
        }
        told
    }

    /// After something was taken back, the telling goes on from there.
    fn catch_up(&self, telling: &mut Telling) {
        if !Arc::ptr_eq(&telling.book, &self.book()) {
            telling.book = self.book();
            telling.report.switch_book(&telling.book);
            if let Some((_, short)) = &mut telling.short {
                short.switch_book(&telling.book);
            }
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
        telling.report = self.report(telling.causes);
        if let Some((depth, short)) = &mut telling.short {
            *short = Abridged::new(*depth, self.unit(), &telling.book);
        }
        let labels = labels_of(self.game.game(), telling.viewer);
        let (seen, _) = self.events_after(telling.viewer, 0);
        for event in seen.iter().take(left as usize) {
            let names = |entity: EntityId| labels(entity).1;
            telling.report.event(event, &names);
            if let Some((_, short)) = &mut telling.short {
                short.event(event, &names);
            }
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

    fn report(&self, causes: bool) -> Report {
        Report::new(ReportOptions { unit: self.unit(), causes }, &self.book())
    }

    fn book(&self) -> Arc<Book> {
        self.game.rulebook().book().clone()
    }
}

impl Telling {
    /// The lines that a story or a volley still holds back: for the end.
    pub fn finish(&mut self) -> Vec<ReportLine> {
        self.short.as_mut().map_or_else(Vec::new, |(_, short)| short.finish())
    }

    /// The line that is not over, for whoever must decide now; a story goes on
    /// to the end of its turn.
    pub fn pause(&mut self) -> Vec<ReportLine> {
        match self.depth() {
            Depth::Volley => self.finish(),
            _ => Vec::new(),
        }
    }

    /// Who did how much of what, where not everything is told.
    pub fn score(&self) -> Option<&Score> {
        self.short.as_ref().map(|(_, short)| short.score())
    }

    /// The depth in which it really tells.
    pub fn depth(&self) -> Depth {
        self.short.as_ref().map_or(Depth::Full, |(depth, _)| *depth)
    }
}
