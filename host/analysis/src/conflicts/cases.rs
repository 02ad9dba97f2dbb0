//! Cases, each run again with its own scenario and its own dice.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::Name;
use rules::modset::selector::Request;
use testing::{TrialCase, Trials};

use super::{Ground, Outcome, Question, ShownBy};

/// Cases of a mod that show what parties do, and what they came to.
pub(super) struct Cases<'a> {
    question: &'a Question<'a>,
    trials: Trials<'a>,
    cases: Vec<TrialCase>,
    behind: Vec<BTreeSet<usize>>,
    outcomes: Vec<Outcome>,
}

impl<'a> Cases<'a> {
    /// Runs the cases that show what a party does, with all parties; `stop` is asked before each.
    pub fn of(
        question: &'a Question<'a>,
        module: &Name,
        stop: &dyn Fn() -> bool,
    ) -> Result<Cases<'a>, Fault> {
        let mut trials = Trials::new(question.workshop);
        let all = trials.cases(module)?;
        let mut found =
            Cases { question, trials, cases: Vec::new(), behind: Vec::new(), outcomes: Vec::new() };
        let of_parties: BTreeSet<&Name> = question.parties.iter().flat_map(|party| &party.clauses).collect();
        for case in all.into_iter().filter(|case| case.cites().iter().any(|id| of_parties.contains(id))) {
            if stop() {
                break;
            }
            // What does not compose with all of them is told by others.
            let Some((outcome, reached)) = found.tried(&case, &BTreeSet::new()) else { continue };
            found.behind.push(question.parties_of(&reached));
            found.outcomes.push(outcome);
            found.cases.push(case);
        }
        Ok(found)
    }

    /// What a case comes to without some parties, and the clauses that it reaches; nothing where its rules do
    /// not compose.
    fn tried(&mut self, case: &TrialCase, out: &BTreeSet<usize>) -> Option<(Outcome, BTreeSet<Name>)> {
        let house = self.house(out);
        let tried = self.trials.run(case, house).ok()?;
        let (mut told, mut texts): (Vec<String>, Vec<String>) = tried.told.into_iter().unzip();
        let end = tried
            .failure
            .map_or_else(|| "it passes".to_string(), |fault| format!("it fails: {}", fault.message));
        told.push(end.clone());
        texts.push(end);
        Some((Outcome { told, texts }, tried.reached))
    }

    /// What comes to the selection of a case: all parties, and of some no clause.
    fn house(&self, out: &BTreeSet<usize>) -> Request {
        let (wishes, parties) = (self.question.wishes, self.question.parties);
        let mut request = Request::gather(&wishes.with, &wishes.without, []).unwrap_or_default();
        request.options.extend(wishes.options.iter().cloned());
        request.amends.extend(wishes.amends.iter().cloned());
        request.with.extend(parties.iter().map(|party| party.selector.clone()));
        request.force_without.extend(out.iter().flat_map(|party| parties[*party].clauses.iter().cloned()));
        request
    }
}

impl Ground for Cases<'_> {
    fn behind(&self) -> &[BTreeSet<usize>] {
        &self.behind
    }

    fn outcome(&self, place: usize) -> &Outcome {
        &self.outcomes[place]
    }

    fn made_without(&mut self, out: &BTreeSet<usize>, places: &[usize]) -> Option<BTreeMap<usize, Outcome>> {
        let mut made = BTreeMap::new();
        for place in places {
            let case = self.cases[*place].clone();
            made.extend(self.tried(&case, out).map(|(outcome, _)| (*place, outcome)));
        }
        Some(made)
    }

    fn order(&self) -> Vec<Name> {
        let request = self.house(&BTreeSet::new());
        let active = request.resolve_unnamed(self.question.workshop.manifests());
        active.map(|active| active.order.mods).unwrap_or_default()
    }

    fn first_turned(&mut self, first: &Name, then: &Name, places: &[usize]) -> Option<(usize, Outcome)> {
        let turned = self.question.workshop.with_order(first, then);
        let question = Question { workshop: &turned, ..*self.question };
        let mut cases = Cases {
            question: &question,
            trials: Trials::new(&turned),
            cases: Vec::new(),
            behind: Vec::new(),
            outcomes: Vec::new(),
        };
        places.iter().find_map(|place| {
            let (made, _) = cases.tried(&self.cases[*place], &BTreeSet::new())?;
            (made != self.outcomes[*place]).then_some((*place, made))
        })
    }

    /// A case is there for the clauses that it cites: others come up in it by the way.
    fn is_for(&self, place: usize, party: usize) -> bool {
        self.cases[place].cites().iter().any(|id| self.question.parties[party].clauses.contains(id))
    }

    fn shown_by(&self, place: usize) -> ShownBy {
        ShownBy::Case { file: self.cases[place].file(), title: self.cases[place].title().to_string() }
    }
}
