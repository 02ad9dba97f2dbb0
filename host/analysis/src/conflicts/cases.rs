//! Cases, each run again with its own scenario and its own dice.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::Name;
use matches::workers::share_out;
use rules::modset::selector::Request;
use testing::{TrialCase, Trials};

use crate::outcome::OutcomePart;

use super::{
    ConflictMonitor, ConflictQuery, DecisionOutcome, Ground, Job, JobOutcomes, NotComparable,
    ShownBy, Stage, Turned,
};

/// Cases of a mod that show what parties do, and what they came to.
pub(super) struct Cases<'a> {
    question: &'a ConflictQuery<'a>,
    cases: Vec<TrialCase>,
    behind: Vec<BTreeSet<usize>>,
    outcomes: Vec<DecisionOutcome>,
    /// Cases that cannot be run with all parties, with why.
    pub not_run: Vec<(String, Fault)>,
}

impl<'a> Cases<'a> {
    /// Runs the cases that show what a party does, with all parties.
    pub fn of(
        question: &'a ConflictQuery<'a>,
        module: &Name,
        watch: ConflictMonitor<'_>,
    ) -> Result<Cases<'a>, Fault> {
        let mut all = Trials::new(question.workshop).cases(module)?;
        let of_parties: BTreeSet<&Name> = question
            .parties
            .iter()
            .flat_map(|party| &party.clauses)
            .collect();
        all.retain(|case| case.cites().iter().any(|id| of_parties.contains(id)));
        (watch.begins)(Stage::All, all.len());
        let tried = share_out(
            &all,
            || Trials::new(question.workshop),
            |trials, case| {
                let tried =
                    (!(watch.stop)()).then(|| question.tried(trials, case, &BTreeSet::new()));
                (watch.done)();
                tried
            },
        );
        let mut found = Cases {
            question,
            cases: Vec::new(),
            behind: Vec::new(),
            outcomes: Vec::new(),
            not_run: Vec::new(),
        };
        for (case, tried) in all.into_iter().zip(tried) {
            // Of those that somebody did not wait for nothing is known.
            let Some(tried) = tried else { continue };
            let (outcome, reached) = match tried {
                Ok(tried) => tried,
                Err(fault) => {
                    let name = format!("{}: {}", case.file(), case.title());
                    found.not_run.push((name, fault));
                    continue;
                }
            };
            found.behind.push(question.parties_of(&reached));
            found.outcomes.push(outcome);
            found.cases.push(case);
        }
        Ok(found)
    }
}

impl ConflictQuery<'_> {
    /// What a case comes to without some parties, and the clauses that it reaches.
    ///
    /// # Errors
    /// Why its rules do not compose.
    fn tried(
        &self,
        trials: &mut Trials<'_>,
        case: &TrialCase,
        out: &BTreeSet<usize>,
    ) -> Result<(DecisionOutcome, BTreeSet<Name>), Fault> {
        let tried = trials.run(case, self.house(out))?;
        let events = tried.events.into_iter();
        let (mut said, mut texts): (Vec<OutcomePart>, Vec<String>) = events
            .map(|(event, text)| (OutcomePart::Event(event), text))
            .unzip();
        let end = tried.failure.map_or_else(
            || "it passes".to_string(),
            |fault| format!("it fails: {}", fault.message),
        );
        said.push(OutcomePart::Words(end.clone()));
        texts.push(end);
        Ok((DecisionOutcome { said, texts }, tried.reached))
    }

    /// What comes to the selection of a case: all parties, and of some no clause.
    fn house(&self, out: &BTreeSet<usize>) -> Request {
        let (overrides, parties) = (self.overrides, self.parties);
        let mut request =
            Request::gather(&overrides.with, &overrides.without, []).unwrap_or_default();
        let settings = self.settings_without(out);
        request.options.extend(settings.options);
        request.amends.extend(settings.amends);
        request
            .with
            .extend(parties.iter().map(|party| party.selector.clone()));
        request.force_without.extend(
            out.iter()
                .flat_map(|party| parties[*party].clauses.iter().cloned()),
        );
        request
    }
}

impl Ground for Cases<'_> {
    fn behind(&self) -> &[BTreeSet<usize>] {
        &self.behind
    }

    fn outcome(&self, place: usize) -> &DecisionOutcome {
        &self.outcomes[place]
    }

    fn made(&mut self, jobs: &[Job], watch: ConflictMonitor<'_>) -> Vec<JobOutcomes> {
        share_out(
            jobs,
            || Trials::new(self.question.workshop),
            |trials, job| {
                let mut made = BTreeMap::new();
                for place in &job.places {
                    if (watch.stop)() {
                        return None;
                    }
                    let tried = self.question.tried(trials, &self.cases[*place], &job.out);
                    made.extend(tried.ok().map(|(outcome, _)| (*place, outcome)));
                }
                (watch.done)();
                Some(made)
            },
        )
    }

    fn order(&self) -> Vec<Name> {
        let request = self.question.house(&BTreeSet::new());
        let active = request.resolve_unnamed(self.question.workshop.manifests());
        active.map(|active| active.order.mods).unwrap_or_default()
    }

    fn first_turned(
        &mut self,
        orders: &[Vec<Name>; 2],
        places: &[usize],
    ) -> Result<Option<Turned>, NotComparable> {
        let workshops = [0, 1].map(|place| self.question.workshop.with_order(&orders[place]));
        let house = self.question.house(&BTreeSet::new());
        let mut composed = workshops
            .iter()
            .map(|workshop| house.resolve_unnamed(workshop.manifests()));
        if composed.any(|active| active.is_err()) {
            return Err(NotComparable);
        }
        let mut trials = [0, 1].map(|place| Trials::new(&workshops[place]));
        Ok(places.iter().find_map(|place| {
            let case = &self.cases[*place];
            let mut made = [0, 1].map(|at| {
                let question = ConflictQuery {
                    workshop: &workshops[at],
                    ..*self.question
                };
                let tried = question.tried(&mut trials[at], case, &BTreeSet::new());
                tried.ok().map(|(outcome, _)| outcome)
            });
            let both = [made[0].take()?, made[1].take()?];
            (both[0] != both[1]).then_some((*place, both))
        }))
    }

    /// A case is there for the clauses that it cites: others come up in it by the way.
    fn is_for(&self, place: usize, party: usize) -> bool {
        self.cases[place]
            .cites()
            .iter()
            .any(|id| self.question.parties[party].clauses.contains(id))
    }

    /// A case has the dice that were written for it.
    fn has_other_dice(&self) -> bool {
        false
    }

    fn differs_by_luck(&mut self, _place: usize, _out: &BTreeSet<usize>) -> bool {
        false
    }

    fn shown_by(&self, place: usize) -> ShownBy {
        ShownBy::Case {
            file: self.cases[place].file(),
            title: self.cases[place].title().to_string(),
        }
    }
}
