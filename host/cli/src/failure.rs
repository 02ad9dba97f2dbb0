//! Why a command failed: how that is told, and which code the program ends with, says
//! what tells it.

use std::io;
use std::path::Path;

use houserule::embed::Trouble;
use houserule::kernel::error::Fault;

/// Why a command did not do what was asked.
pub enum Failure {
    /// Something is broken, or not there.
    Faults(Vec<Fault>),
    /// Something else failed, in words.
    Plain(String),
    /// The command was used wrongly.
    Usage(String),
    /// It was told already.
    Reported,
    /// It was stopped from the keyboard, which was told already.
    Stopped,
    /// Nothing can be printed.
    Output(io::Error),
}

impl Failure {
    /// A file that cannot be written, and why.
    pub fn unwritten(path: &Path, error: &io::Error) -> Failure {
        Failure::Plain(format!("cannot write {}: {error}", path.display()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<Vec<Fault>> for Failure {
    fn from(faults: Vec<Fault>) -> Failure {
        Failure::Faults(faults)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Faults(vec![fault])
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        match trouble {
            Trouble::Faults { faults, .. } => {
                Failure::Faults(faults.iter().map(Fault::from).collect())
            }
            Trouble::Unwritten { fault } => Failure::Faults(vec![Fault::from(&fault)]),
            other => Failure::Plain(other.to_string()),
        }
    }
}
