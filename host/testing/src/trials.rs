//! Cases run again and again by rules that somebody else chooses: for those who look for what makes them fail.

use std::collections::BTreeSet;

use kernel::error::Fault;
use kernel::event::{Event, EventContent};
use kernel::game::Game;
use kernel::value::Name;
use matches::explain::Scene;
use matches::workshop::Workshop;
use rules::modset::selector::{Active, Request};
use rules::rulebook::Rulebook;
use rules::types::Unit;

use crate::books::{Books, CaseAt};
use crate::case::CaseRun;
use crate::coverage::clauses_reached;

/// A case that can be run.
#[derive(Clone, Debug)]
pub struct TrialCase(CaseAt);

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What went wrong, if anything.
    pub failure: Option<Fault>,
    /// What happened in it: what each event tells, and that in words.
    pub events: Vec<(EventContent, String)>,
    /// The clauses that it reached.
    pub reached: BTreeSet<Name>,
}

/// The cases of a workshop, with the rules that were composed for the last of them.
pub struct Trials<'w> {
    workshop: &'w Workshop,
    books: Books<'w>,
}

impl TrialCase {
    /// Its title.
    pub fn title(&self) -> &str {
        &self.0.head.title
    }

    /// Its mod and its file, `mod/tests/file.luau`.
    pub fn file(&self) -> String {
        format!("{}/{}", self.0.module, self.0.file)
    }

    /// The clauses that it shows.
    pub fn cites(&self) -> &[Name] {
        &self.0.head.cites
    }
}

impl<'w> Trials<'w> {
    /// Without any rules yet.
    pub fn new(workshop: &'w Workshop) -> Trials<'w> {
        Trials {
            workshop,
            books: Books::new(workshop),
        }
    }

    /// The cases of a mod, file by file.
    ///
    /// # Errors
    /// When a file does not load, or the mod does not compose.
    pub fn cases(&mut self, module: &Name) -> Result<Vec<TrialCase>, Fault> {
        let Some(sources) = self.workshop.sources().get(module) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for (file, _) in sources.under("tests") {
            found.extend(self.cases_of(module, file)?);
        }
        Ok(found)
    }

    /// The cases of a file of a mod.
    ///
    /// # Errors
    /// When it does not load, or the mod does not compose.
    pub fn cases_of(&mut self, module: &Name, file: &str) -> Result<Vec<TrialCase>, Fault> {
        let listed = self.books.under(Request::default()).listed(module, file)?;
        Ok(listed.into_iter().map(TrialCase).collect())
    }

    /// What is chosen for a case if house rules come to what it selects itself.
    ///
    /// # Errors
    /// When something that is selected is not there, or cannot be.
    pub fn active(&mut self, case: &TrialCase, house: Request) -> Result<Active, Vec<Fault>> {
        self.books.under(house).active(&case.0)
    }

    /// Runs a case under house rules.
    ///
    /// # Errors
    /// When its rules do not compose; when the watchdog broke it off.
    pub fn run(&mut self, case: &TrialCase, house: Request) -> Result<Tried, Fault> {
        let (rulebook, run) = self.books.under(house).run(&case.0)?;
        let happened = run.event_kinds.union(&run.kinds).cloned().collect();
        let reached = clauses_reached(&rulebook, &run.reached, &happened);
        Ok(Tried {
            events: events_of(&rulebook, &run),
            reached,
            failure: run.fault,
        })
    }

    /// Runs a case under house rules, and looks at what happened in it.
    ///
    /// # Errors
    /// As [`Trials::run`].
    pub(crate) fn seen<T: Default>(
        &mut self,
        case: &TrialCase,
        house: Request,
        look: impl Fn(&[Event], &Game) -> T,
    ) -> Result<T, Fault> {
        let (_, run) = self.books.under(house).run(&case.0)?;
        let play = run.play.as_ref();
        Ok(play.map_or_else(T::default, |play| look(&run.events, play.game())))
    }
}

/// What happened in a case, as the game knows it in the end.
fn events_of(rulebook: &Rulebook, run: &CaseRun) -> Vec<(EventContent, String)> {
    let Some(play) = &run.play else {
        return Vec::new();
    };
    let scene = Scene {
        rulebook,
        events: &run.events,
        is_from_start: true,
        game: play.game(),
    };
    let one =
        |(place, event): (usize, &Event)| (event.content(), scene.event_words(place, Unit::Inches));
    run.events.iter().enumerate().map(one).collect()
}
