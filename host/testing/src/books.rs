//! Rulebooks for cases: composed by what each case selects, and kept while
//! cases of one selection follow each other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use crate::case::{
    Case, CaseHead, CaseNotes, CaseRun, ScenarioTexts, cases_of, run_case, scenarios_of,
};
use crate::openings::Openings;
use matches::workshop::{ComposedRules, Workshop};
use rules::limits::too_slow;
use rules::modset::selector::{Active, Pick, Request, Selector};
use rules::rulebook::{Rulebook, WarmHost};

/// A case by its file and its place there.
#[derive(Clone, Debug)]
pub(super) struct CaseAt {
    /// The mod.
    pub module: Name,
    /// The file.
    pub file: String,
    /// Its place in the file.
    pub index: usize,
    /// What it says of itself.
    pub head: CaseHead,
}

/// What comes of a case without a clause that it cites.
pub(super) enum ClauseOff {
    /// It fails, or its own selection stands on the clause.
    Fails,
    /// It passes all the same.
    Passes,
    /// The clause may be left out, and the rules do not compose without it.
    Broken(Fault),
}

/// The cases of files that were loaded into a machine, by mod and file.
type CasesByFile = BTreeMap<(Name, String), Rc<[Case]>>;

/// What a request comes to.
struct Chosen {
    /// One text for all that ask for the same rules in other words.
    selection: String,
    /// The mods, in order.
    mods: Vec<Name>,
}

/// A rulebook, and the cases that were loaded into its machine.
struct KeptBook {
    selection: String,
    rulebook: Rc<Rulebook>,
    listed: CasesByFile,
    openings: Rc<Openings>,
}

/// The cases of a file under a rulebook.
struct ReadyCases {
    rulebook: Rc<Rulebook>,
    cases: Rc<[Case]>,
    openings: Rc<Openings>,
}

/// The rulebooks of one worker.
pub(super) struct Books<'w> {
    workshop: &'w Workshop,
    /// What comes to the selection of every case.
    house: Request,
    /// What requests come to, by their text.
    lines: BTreeMap<String, Chosen>,
    /// The mods of all that was asked for since somebody asked for these.
    used: BTreeSet<Name>,
    /// The scenarios that the cases of a mod may name.
    scenarios: BTreeMap<Name, Rc<ScenarioTexts>>,
    /// Those used last, the latest at the end.
    kept: Vec<KeptBook>,
    /// So many are kept: each takes some megabytes, and is composed from nothing.
    most: usize,
    /// A warm host in which nothing could be composed the last time.
    spare: Option<(WarmHost, CasesByFile)>,
    /// What could not be composed the last time, and why: many cases may ask for it.
    broken: Option<(String, Fault)>,
    /// What requests of scenarios came to, by their text.
    chosen: BTreeMap<String, Active>,
}

impl<'w> Books<'w> {
    /// Without any rulebook yet; some are kept, for those who go back and forth.
    pub fn new(workshop: &'w Workshop) -> Books<'w> {
        Books::keeping(3, workshop)
    }

    /// Without any rulebook yet; so many are kept, at least one.
    pub fn keeping(most: usize, workshop: &'w Workshop) -> Books<'w> {
        Books {
            workshop,
            house: Request::default(),
            lines: BTreeMap::new(),
            used: BTreeSet::new(),
            scenarios: BTreeMap::new(),
            kept: Vec::new(),
            most: most.max(1),
            spare: None,
            broken: None,
            chosen: BTreeMap::new(),
        }
    }

    /// From now on under house rules: what they take, leave out and set comes to
    /// what each case selects itself.
    pub fn under(&mut self, house: Request) -> &mut Books<'w> {
        self.house = house;
        self
    }

    /// What the rules of a case are selected by: cases of one selection share
    /// a rulebook.
    ///
    /// # Errors
    /// When something that it selects does not parse.
    pub fn selection(&self, at: &CaseAt) -> Result<String, Fault> {
        request_of(self.workshop, &at.module, Some(&at.head), None)
            .map(|request| request.to_string())
    }

    /// The cases of a file, as the defaults of the mod list them.
    ///
    /// # Errors
    /// When the file does not load, or the mod does not compose.
    pub fn listed(&mut self, module: &Name, file: &str) -> Result<Vec<CaseAt>, Fault> {
        let request = request_of(self.workshop, module, None, None)?;
        let cases = self.cases(request, module, file)?.cases;
        let at = |(index, case): (usize, &Case)| CaseAt {
            module: module.clone(),
            file: file.into(),
            index,
            head: case.head.clone(),
        };
        Ok(cases.iter().enumerate().map(at).collect())
    }

    /// The rules of a scenario.
    ///
    /// # Errors
    /// Everything that is wrong in the mods that it takes, or between them.
    pub fn of_scenario(&mut self, request: &Request) -> Result<ComposedRules, Vec<Fault>> {
        let asked = request.to_string();
        let active = match self.chosen.get(&asked) {
            Some(active) => active.clone(),
            None => request.resolve(self.workshop.manifests())?,
        };
        self.chosen.insert(asked, active.clone());
        match self.kept(request) {
            Ok(kept) => Ok(ComposedRules {
                rulebook: kept.rulebook.clone(),
                active,
            }),
            // What else is wrong is told as well.
            Err(_) => self.workshop.compose(request),
        }
    }

    /// Runs a case under its own selection.
    ///
    /// # Errors
    /// When its rules do not compose; when the watchdog broke it off.
    pub fn run(&mut self, at: &CaseAt) -> Result<(Rc<Rulebook>, CaseRun), Fault> {
        let ready = self.cases_as(at, None)?;
        self.run_as(at, ready, CaseNotes::All)
    }

    /// What comes of a case with a clause off.
    ///
    /// # Errors
    /// When the watchdog broke it off.
    pub fn run_without(&mut self, at: &CaseAt, clause: &Name) -> Result<ClauseOff, Fault> {
        let ready = match self.cases_as(at, Some(clause)) {
            Ok(ready) => ready,
            Err(fault) if self.is_chosen(at, clause) => return Ok(ClauseOff::Broken(fault)),
            Err(_) => return Ok(ClauseOff::Fails),
        };
        match self.run_as(at, ready, CaseNotes::Nothing) {
            Ok((_, run)) if run.fault.is_none() => Ok(ClauseOff::Passes),
            // What was broken off has not failed by what the clause does.
            Err(fault) if fault.code == FaultCode::TooSlow => Err(fault),
            Ok(_) | Err(_) => Ok(ClauseOff::Fails),
        }
    }

    /// Whether the clauses that a case selects may be played without one of them.
    fn is_chosen(&self, at: &CaseAt, off: &Name) -> bool {
        let manifests = self.workshop.manifests();
        let mut all = manifests.values().flat_map(|one| one.clauses());
        let is_core = all.any(|(_, clause)| clause.id == *off && clause.core);
        let request = request_of(self.workshop, &at.module, Some(&at.head), Some(off));
        let chosen = request.map(|mut request| {
            self.add_house(&mut request);
            request.resolve_unnamed(manifests)
        });
        !is_core && matches!(chosen, Ok(Ok(_)))
    }

    fn run_as(
        &mut self,
        at: &CaseAt,
        ready: ReadyCases,
        notes: CaseNotes,
    ) -> Result<(Rc<Rulebook>, CaseRun), Fault> {
        let ReadyCases {
            rulebook,
            cases,
            openings,
        } = ready;
        let Some(case) = cases.get(at.index) else {
            let message = format!(
                "expected the case `{}` under its own selection too",
                at.head.title
            );
            return Err(Fault::new(FaultCode::BadCase, message).at(at.head.place.clone()));
        };
        let workshop = self.workshop;
        let scenarios = self.scenarios.entry(at.module.clone());
        let scenarios = scenarios.or_insert_with(|| Rc::new(scenarios_of(workshop, &at.module)));
        let run = run_case(&rulebook, scenarios, &openings, case, notes);
        match rulebook.running().was_broken_off() {
            true => Err(too_slow().at(at.head.place.clone())),
            false => Ok((rulebook, run)),
        }
    }

    /// Whether a case fails with another value in one cell of a table.
    ///
    /// # Errors
    /// As [`Books::run`].
    pub fn fails_with(
        &mut self,
        at: &CaseAt,
        table: &Name,
        key: &[Value],
        column: usize,
        to: &Value,
    ) -> Result<bool, Fault> {
        let mut ready = self.cases_as(at, None)?;
        let rulebook = ready.rulebook.clone();
        // What has begun has done so by the table as it is.
        ready.openings = Rc::default();
        rulebook.try_cell(table, key, column, Some(to))?;
        let run = self.run_as(at, ready, CaseNotes::Nothing);
        rulebook.try_cell(table, key, column, None)?;
        Ok(run?.1.fault.is_some())
    }

    fn cases_as(&mut self, at: &CaseAt, off: Option<&Name>) -> Result<ReadyCases, Fault> {
        // What is selected and not there has no place of its own: it stands in the case.
        let in_case = |fault: Fault| fault.at(at.head.place.clone());
        let request = request_of(self.workshop, &at.module, Some(&at.head), off);
        self.cases(request.map_err(in_case)?, &at.module, &at.file)
            .map_err(in_case)
    }

    fn cases(
        &mut self,
        mut request: Request,
        module: &Name,
        file: &str,
    ) -> Result<ReadyCases, Fault> {
        self.add_house(&mut request);
        let workshop = self.workshop;
        let kept = self.kept(&request)?;
        let key = (module.clone(), file.to_string());
        let cases = match kept.listed.get(&key) {
            Some(cases) => cases.clone(),
            None => {
                let cases: Rc<[Case]> = cases_of(workshop, &kept.rulebook, module, file)?.into();
                kept.listed.insert(key, cases.clone());
                cases
            }
        };
        Ok(ReadyCases {
            rulebook: kept.rulebook.clone(),
            cases,
            openings: kept.openings.clone(),
        })
    }

    /// What comes to the selection of a case; options and cells that both set are as the house has them.
    fn add_house(&self, request: &mut Request) {
        let house = &self.house;
        request.with.extend(house.with.iter().cloned());
        request.without.extend(house.without.iter().cloned());
        request
            .force_without
            .extend(house.force_without.iter().cloned());
        request
            .options
            .retain(|(id, _)| house.options.iter().all(|(known, _)| known != id));
        request.options.extend(house.options.iter().cloned());
        request.amends.extend(house.amends.iter().cloned());
    }

    /// What is chosen for a case, with the house rules.
    ///
    /// # Errors
    /// When something that is selected is not there, or cannot be.
    pub fn active(&self, at: &CaseAt) -> Result<Active, Vec<Fault>> {
        let mut request = request_of(self.workshop, &at.module, Some(&at.head), None)
            .map_err(|fault| vec![fault])?;
        self.add_house(&mut request);
        request.resolve(self.workshop.manifests())
    }

    /// What a request comes to, and that itself where it was asked for the first time.
    fn chosen(&mut self, request: &Request) -> (String, Option<Active>) {
        let asked = request.to_string();
        let mut active = None;
        let chosen = self.lines.entry(asked.clone()).or_insert_with(|| {
            active = request.resolve_unnamed(self.workshop.manifests()).ok();
            match &active {
                Some(Active {
                    order,
                    clauses,
                    options,
                    amends,
                    ..
                }) => Chosen {
                    selection: format!("{:?} {clauses:?} {options:?} {amends:?}", order.mods),
                    mods: order.mods.clone(),
                },
                // Whoever composes it says why not.
                None => Chosen {
                    selection: asked,
                    mods: Vec::new(),
                },
            }
        });
        self.used.extend(chosen.mods.iter().cloned());
        (chosen.selection.clone(), active)
    }

    /// The mods by whose rules something was run since this was asked last.
    pub fn take_used(&mut self) -> BTreeSet<Name> {
        std::mem::take(&mut self.used)
    }

    fn kept(&mut self, request: &Request) -> Result<&mut KeptBook, Fault> {
        let (selection, active) = self.chosen(request);
        match self
            .kept
            .iter()
            .position(|kept| kept.selection == selection)
        {
            Some(place) => self.kept[place..].rotate_left(1),
            None => {
                if let Some((_, fault)) = self
                    .broken
                    .as_ref()
                    .filter(|(broken, _)| *broken == selection)
                {
                    return Err(fault.clone());
                }
                let resolved = || {
                    request
                        .resolve_unnamed(self.workshop.manifests())
                        .map_err(first)
                };
                let active = active.map_or_else(resolved, Ok)?;
                let (rulebook, listed) = self.compose(&active).inspect_err(|fault| {
                    self.broken = Some((selection.clone(), fault.clone()));
                })?;
                self.kept.push(KeptBook {
                    selection,
                    rulebook: Rc::new(rulebook),
                    listed,
                    openings: Rc::default(),
                });
            }
        }
        let last = self.kept.len() - 1;
        Ok(&mut self.kept[last])
    }

    /// Composes a rulebook, if it can be in a warm host that is there; the cases
    /// that were loaded into that need not be loaded again.
    fn compose(&mut self, active: &Active) -> Result<(Rulebook, CasesByFile), Fault> {
        let Some((warm, listed)) = self.spare.take().or_else(|| self.oldest()) else {
            return Ok((
                self.workshop.compose_chosen(active).map_err(first)?,
                CasesByFile::new(),
            ));
        };
        let registrations = warm.registrations().clone();
        match self.workshop.compose_chosen_in(warm, active) {
            Ok(rulebook) if rulebook.is_of(&registrations) => Ok((rulebook, listed)),
            Ok(rulebook) => Ok((rulebook, CasesByFile::new())),
            Err(broken) => {
                self.spare = broken.warm_host.map(|warm| (*warm, listed));
                Err(first(broken.faults))
            }
        }
    }

    /// The host of the rulebook that was used longest ago, if there are as
    /// many as may be.
    fn oldest(&mut self) -> Option<(WarmHost, CasesByFile)> {
        let oldest = (self.kept.len() >= self.most).then(|| self.kept.remove(0))?;
        Some((
            Rc::into_inner(oldest.rulebook)?.into_warm_host(),
            oldest.listed,
        ))
    }
}

/// A mod with its defaults, as its cases have it.
///
/// # Errors
/// When it does not compose.
pub(super) fn whole(workshop: &Workshop, module: &Name) -> Result<Rulebook, Fault> {
    compose(workshop, &request_of(workshop, module, None, None)?)
}

/// The rules under which a case runs: its mod's defaults, the clauses that it
/// cites, and what it asks for.
fn request_of(
    workshop: &Workshop,
    module: &Name,
    case: Option<&CaseHead>,
    off: Option<&Name>,
) -> Result<Request, Fault> {
    let mut request = Request::default();
    request.with.push(Selector::parse(module)?);
    if let Some(case) = case {
        for clause in &case.cites {
            let is_default = workshop.manifests().values().any(|manifest| {
                manifest
                    .clauses()
                    .any(|(group, known)| known.id == *clause && group.default && known.default)
            });
            let is_off = case.without.iter().any(|text| **text == **clause);
            if !is_default && !is_off {
                request.with.push(Selector::parse(clause)?);
            }
        }
        for text in &case.with {
            request.with.push(Selector::parse(text)?);
        }
        request
            .with
            .extend(named_by_clauses(workshop, module, &request));
        for text in &case.without {
            request.without.push(Selector::parse(text)?);
        }
        request.options = case.options.clone();
    }
    request.force_without.extend(off.cloned());
    Ok(request)
}

/// The mods on which a mod stands and of which a request names clauses alone: they keep
/// their defaults beside these.
fn named_by_clauses(workshop: &Workshop, module: &Name, request: &Request) -> Vec<Selector> {
    let mut found: BTreeSet<Name> = BTreeSet::new();
    let mut left = vec![module.clone()];
    while let Some(id) = left.pop() {
        let manifest = workshop.manifests().get(&id);
        for under in manifest.iter().flat_map(|manifest| &manifest.depends) {
            if found.insert(under.id.clone()) {
                left.push(under.id.clone());
            }
        }
    }
    let is_clauses = |one: &Selector| {
        let mut picks = one.picks.iter();
        !one.picks.is_empty() && picks.all(|pick| matches!(pick, Pick::Clause(_)))
    };
    found.retain(|id| {
        let mut of_it = request
            .with
            .iter()
            .filter(|one| one.module == *id)
            .peekable();
        of_it.peek().is_some() && of_it.all(is_clauses)
    });
    let whole = |module| Selector {
        module,
        picks: Vec::new(),
    };
    found.into_iter().map(whole).collect()
}

fn compose(workshop: &Workshop, request: &Request) -> Result<Rulebook, Fault> {
    workshop.compose_alone(request).map_err(first)
}

fn first(faults: Vec<Fault>) -> Fault {
    faults
        .into_iter()
        .next()
        .unwrap_or_else(|| Fault::new(FaultCode::BadManifest, "it does not compose"))
}
