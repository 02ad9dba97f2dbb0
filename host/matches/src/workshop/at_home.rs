//! A scenario that came with a journal, where a mod has it too.

use kernel::value::Name;

use super::{Found, Workshop};
use crate::scenario::Scenario;

impl Workshop {
    /// A scenario of no mod, read from the file in which a mod has it with the same text, so
    /// that what is wrong with it is told with that file; any other as it is.
    pub fn at_home(&self, found: &Found) -> Found {
        let home = self.home_of(found).filter(|_| found.module.is_none());
        let read = home.and_then(|(id, path)| Scenario::read(id, path, &found.source).ok());
        Found {
            scenario: read.unwrap_or_else(|| found.scenario.clone()),
            ..found.clone()
        }
    }

    fn home_of(&self, found: &Found) -> Option<(&Name, &str)> {
        self.sources().iter().find_map(|(id, sources)| {
            let mut scenarios = sources.under("scenarios");
            let (path, _) = scenarios.find(|(_, text)| ***text == *found.source)?;
            Some((id, path))
        })
    }
}
