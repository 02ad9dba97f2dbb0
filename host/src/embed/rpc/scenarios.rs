//! What can be started.

use schemars::JsonSchema;
use serde::Serialize;

use super::Server;
use crate::workshop::Workshop;

/// A scenario that can be started.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScenarioAbout {
    /// The id that `start` takes.
    scenario: String,
    /// Its title; empty if it cannot be read.
    title: String,
}

impl Server {
    /// Every scenario that can be started.
    pub(super) fn scenarios(&self) -> Vec<ScenarioAbout> {
        let (workshop, _) = Workshop::open(&self.folders);
        let about = |(module, path): (kernel::value::Name, String)| {
            let id = path
                .trim_start_matches("scenarios/")
                .trim_end_matches(".ron");
            let scenario = format!("{module}/{id}");
            let title = workshop
                .scenario(&scenario)
                .map_or_else(|_| String::new(), |found| found.scenario.title);
            ScenarioAbout { scenario, title }
        };
        workshop.scenarios().into_iter().map(about).collect()
    }
}
