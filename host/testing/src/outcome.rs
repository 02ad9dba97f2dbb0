//! What comes of a test.

use std::collections::BTreeSet;

use kernel::audience::Widening;
use kernel::error::{Fault, Place};
use kernel::value::Name;
use serde::{Deserialize, Serialize};

use crate::golden::Golden;

/// What sort of test it was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum TestKind {
    /// A file that must load.
    File,
    /// A case.
    Case,
    /// A case with one of its clauses off, which must fail.
    ClauseOff,
    /// A scenario.
    Scenario,
    /// Something that cases or scenarios tell to somebody: only to those who
    /// may see what it rests on, or with a word on what it reveals.
    Audience,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The mod.
    pub module: Name,
    /// What sort.
    pub sort: TestKind,
    /// The file it is in.
    pub file: String,
    /// Its name, unique within the mod.
    pub name: String,
    /// What is wrong, if anything.
    pub failure: Option<Fault>,
    /// The golden that differs, if that is what is wrong.
    pub golden: Option<Golden>,
    /// The clauses that it cites.
    pub cites: BTreeSet<Name>,
    /// The clauses that it reached.
    pub reached: BTreeSet<Name>,
    /// Whether it passed before, and nothing has changed that it rests on.
    pub is_remembered: bool,
    /// What it told too widely, and where that is written.
    pub(super) widenings: Vec<(Place, Widening)>,
}

/// What came of a test that cites and reaches nothing.
pub(super) fn result(
    module: &Name,
    sort: TestKind,
    file: &str,
    name: &str,
    failure: Option<Fault>,
) -> TestResult {
    TestResult {
        module: module.clone(),
        sort,
        file: file.to_string(),
        name: name.to_string(),
        failure,
        golden: None,
        cites: BTreeSet::new(),
        reached: BTreeSet::new(),
        is_remembered: false,
        widenings: Vec::new(),
    }
}
