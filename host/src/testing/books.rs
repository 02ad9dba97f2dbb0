//! Rulebooks for cases: composed by what each case selects, and kept while
//! cases of one selection follow each other.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use crate::modset::selector::{Request, Selector};
use crate::rulebook::Rulebook;
use crate::testing::case::{Case, CaseHead, CaseRun, cases_of, run_case};
use crate::workshop::Workshop;

/// So many rulebooks are kept: each takes some megabytes.
const MOST_KEPT: usize = 3;

/// A case by its file and its place there.
#[derive(Clone, Debug)]
pub(super) struct CaseAt {
    /// The file.
    pub file: String,
    /// Its place in the file.
    pub index: usize,
    /// What it says of itself.
    pub head: CaseHead,
}

/// A rulebook, and the cases that were loaded into its machine, by file.
struct Kept {
    selection: String,
    rulebook: Rc<Rulebook>,
    files: BTreeMap<String, Rc<[Case]>>,
}

/// The rulebooks of one worker, for the cases of one mod.
pub(super) struct Books<'w> {
    workshop: &'w Workshop,
    module: &'w Name,
    /// What comes to the selection of every case.
    under: Request,
    /// Those used last, the latest at the end.
    kept: Vec<Kept>,
}

impl<'w> Books<'w> {
    /// Without any rulebook yet.
    pub fn new(workshop: &'w Workshop, module: &'w Name) -> Books<'w> {
        Books { workshop, module, under: Request::default(), kept: Vec::new() }
    }

    /// The same, under house rules: what they take and leave out comes to what
    /// each case selects itself.
    pub fn under(workshop: &'w Workshop, module: &'w Name, house: Request) -> Books<'w> {
        Books { under: house, ..Books::new(workshop, module) }
    }

    /// What the rules of a case are selected by: cases of one selection share
    /// a rulebook.
    ///
    /// # Errors
    /// When something that it selects does not parse.
    pub fn selection(&self, at: &CaseAt) -> Result<String, Fault> {
        request_of(self.workshop, self.module, Some(&at.head), None).map(|request| request.to_string())
    }

    /// The cases of a file, as the defaults of the mod list them.
    ///
    /// # Errors
    /// When the file does not load, or the mod does not compose.
    pub fn listed(&mut self, file: &str) -> Result<Vec<CaseAt>, Fault> {
        let cases = self.cases(None, None, file)?.1;
        let at = |(index, case): (usize, &Case)| CaseAt { file: file.into(), index, head: case.head.clone() };
        Ok(cases.iter().enumerate().map(at).collect())
    }

    /// Runs a case under its own selection, or with a clause off.
    ///
    /// # Errors
    /// When its rules do not compose.
    pub fn run(&mut self, at: &CaseAt, off: Option<&Name>) -> Result<(Rc<Rulebook>, CaseRun), Fault> {
        let (rulebook, cases) = self.cases(Some(&at.head), off, &at.file)?;
        let Some(case) = cases.get(at.index) else {
            let message = format!("expected the case `{}` under its own selection too", at.head.title);
            return Err(Fault::new(FaultCode::BadCase, message).at(at.head.place.clone()));
        };
        let run = run_case(self.workshop, &rulebook, self.module, case);
        Ok((rulebook, run))
    }

    /// Whether a case fails with another value in one cell of a table.
    ///
    /// # Errors
    /// When its rules do not compose.
    pub fn fails_with(
        &mut self,
        at: &CaseAt,
        table: &Name,
        key: &[Value],
        column: usize,
        to: &Value,
    ) -> Result<bool, Fault> {
        let (rulebook, _) = self.cases(Some(&at.head), None, &at.file)?;
        rulebook.try_cell(table, key, column, Some(to))?;
        let run = self.run(at, None);
        rulebook.try_cell(table, key, column, None)?;
        Ok(run?.1.fault.is_some())
    }

    fn cases(
        &mut self,
        head: Option<&CaseHead>,
        off: Option<&Name>,
        file: &str,
    ) -> Result<(Rc<Rulebook>, Rc<[Case]>), Fault> {
        let mut request = request_of(self.workshop, self.module, head, off)?;
        request.with.extend(self.under.with.iter().cloned());
        request.without.extend(self.under.without.iter().cloned());
        let (workshop, module) = (self.workshop, self.module);
        let kept = self.kept(&request)?;
        if let Some(cases) = kept.files.get(file) {
            return Ok((kept.rulebook.clone(), cases.clone()));
        }
        let cases: Rc<[Case]> = cases_of(workshop, &kept.rulebook, module, file)?.into();
        kept.files.insert(file.to_string(), cases.clone());
        Ok((kept.rulebook.clone(), cases))
    }

    fn kept(&mut self, request: &Request) -> Result<&mut Kept, Fault> {
        let selection = request.to_string();
        match self.kept.iter().position(|kept| kept.selection == selection) {
            Some(place) => self.kept[place..].rotate_left(1),
            None => {
                if self.kept.len() >= MOST_KEPT {
                    self.kept.remove(0);
                }
                let rulebook = compose(self.workshop, request)?;
                self.kept.push(Kept { selection, rulebook, files: BTreeMap::new() });
            }
        }
        let last = self.kept.len() - 1;
        Ok(&mut self.kept[last])
    }
}

/// A mod with its defaults, as its cases have it.
///
/// # Errors
/// When it does not compose.
pub(super) fn whole(workshop: &Workshop, module: &Name) -> Result<Rc<Rulebook>, Fault> {
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
                manifest.clauses().any(|(group, known)| known.id == *clause && group.default && known.default)
            });
            if !is_default && case.without.is_empty() {
                request.with.push(Selector::parse(clause)?);
            }
        }
        for text in &case.with {
            request.with.push(Selector::parse(text)?);
        }
        for text in &case.without {
            request.without.push(Selector::parse(text)?);
        }
        request.options = case.options.clone();
    }
    request.force_without.extend(off.cloned());
    Ok(request)
}

fn compose(workshop: &Workshop, request: &Request) -> Result<Rc<Rulebook>, Fault> {
    let first = |faults: Vec<Fault>| {
        faults.into_iter().next().unwrap_or_else(|| Fault::new(FaultCode::BadManifest, "it does not compose"))
    };
    workshop.compose_unnamed(request).map(|chosen| chosen.rulebook).map_err(first)
}
