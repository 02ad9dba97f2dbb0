//! What a component registers is checked as what a script says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use kernel::book::{Acts, Order};
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Value};
use rules::modset::files::Sources;
use rules::modset::selector::{Request, Selector};
use rules::registration::{Origin, Placement, RawBody, RawPhase};
use rules::rulebook::host::{Languages, ScriptHost};

use crate::workshop::Workshop;

/// Components that register a phase which ends after so many passes as their bytes say.
struct Passing;

impl Languages for Passing {
    fn scripts(
        &self,
        clauses: BTreeMap<Name, bool>,
        confirming: BTreeSet<Name>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<Box<dyn ScriptHost>, Fault> {
        languages::ALL.scripts(clauses, confirming, options)
    }

    fn run_component(
        &self,
        host: &dyn ScriptHost,
        module: &Name,
        path: &str,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        let times = std::str::from_utf8(bytes).unwrap().trim();
        let acts = Acts {
            order: Order::Alternating,
            first: None,
            may_pass: None,
            may_end: None,
            until: None,
            ends_when_idle: true,
            ends_after_passes: Some(times.parse().unwrap()),
        };
        let phase = RawPhase {
            id: "m.core.parley".into(),
            title: "Parley".into(),
            body: RawBody::Acts(acts),
            is_root: false,
            is_announced: false,
            reveals: None,
            placement: Some(Placement::Before("base.core.turn".into())),
            origin: Origin {
                module: module.clone(),
                place: Place::new(module.clone(), path, 1),
                cites: Rc::new([]),
                stays: false,
                mentions: Rc::new([]),
            },
        };
        let registered = &host.registrar().registrations;
        registered.borrow_mut().phases.push(Rc::new(phase));
        Ok(())
    }
}

/// The bytes of a component as a mod in memory has them.
fn as_text(bytes: &str) -> String {
    bytes.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// What is wrong with a component whose phase ends after so many passes.
fn wrong_with(times: u32) -> Vec<Fault> {
    let manifest = "Mod(id: \"m\", version: \"1.0.0\", title: \"M\", authors: [], engine: \"0.1\", groups: [], depends: [(\"base\", \"^1\")])";
    let files = [
        ("mod.ron", manifest.to_string()),
        ("rules/x.wasm", as_text(&times.to_string())),
    ];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    let base = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/base");
    let sources = BTreeMap::from([
        ("base".into(), Sources::read(&base).unwrap()),
        ("m".into(), Sources::from_memory("m", files)),
    ]);
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let request = Request {
        with: vec![Selector::parse("m").unwrap()],
        ..Request::default()
    };
    let composed = workshop.with_languages(&Passing).compose(&request);
    composed.err().unwrap_or_default()
}

#[test]
fn a_phase_of_a_component_ends_after_as_many_passes_as_one_of_a_script_may() {
    for times in [1, 2, 1000] {
        assert_eq!(wrong_with(times), [], "{times}");
    }
    for times in [0, 1001, u32::MAX] {
        let faults = wrong_with(times);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].code, FaultCode::OutOfRange);
        assert_eq!(
            faults[0].message,
            format!("`ends_after_passes`: expected a whole number from 1 to 1000, found {times}")
        );
        assert_eq!(
            faults[0].place.as_ref().unwrap().file,
            "rules/x.wasm".into()
        );
    }
}
