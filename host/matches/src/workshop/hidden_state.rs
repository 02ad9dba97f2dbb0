//! What a script keeps between two calls is found: when its mod is composed,
//! when it writes, or when an input is taken twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use kernel::decision::Input;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use rules::modset::files::Sources;
use rules::rulebook::host::{Languages, ScriptHost};
use scripts::LuaHost;

use crate::play::{Match, SubmitError};
use crate::workshop::{Overrides, Workshop};

/// Scripts whose values nobody freezes: what else finds hidden state is tested so.
struct LeftOpen;

impl Languages for LeftOpen {
    fn scripts(
        &self,
        clauses: BTreeMap<Name, bool>,
        confirming: BTreeSet<Name>,
        options: &BTreeMap<Name, Value>,
    ) -> Result<Box<dyn ScriptHost>, Fault> {
        let mut host = LuaHost::new(clauses, confirming, options)?;
        host.leave_open();
        Ok(Box::new(host))
    }

    fn run_component(
        &self,
        _: &dyn ScriptHost,
        _: &Name,
        path: &str,
        _: &[u8],
    ) -> Result<(), Fault> {
        Err(Fault::new(
            FaultCode::BadComponent,
            format!("expected no component, found {path}"),
        ))
    }
}

/// A match of the field of `base` with one action, `m.core.act`.
pub(super) fn started(
    languages: &'static dyn Languages,
    state: &str,
    act: &str,
) -> Result<Match, Vec<Fault>> {
    let manifest = "Mod(id: \"m\", version: \"1.0.0\", title: \"M\", authors: [], engine: \"0.1\", groups: [], depends: [(\"base\", \"^1\")])";
    let rules = format!(
        "-- One action.\n{state}\ncore.act = rules.action {{ title = \"Act\", phase = \"base.core.turn\" }}\nfunction core.act_perform(game: Acts, _side: string, _params: any)\n{act}\nend\n"
    );
    let files = [("mod.ron", manifest), ("rules/x.luau", &rules)];
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
    let workshop = workshop.with_languages(languages);
    let found = workshop.scenario("base/field").unwrap();
    let overrides = Overrides {
        with: vec!["m".into()],
        ..Overrides::default()
    };
    Ok(workshop.start(&found, &overrides)?.0)
}

fn act(game: &mut Match) -> Result<(), FaultCode> {
    let by = game.wanted().sides()[0];
    let input = Input::Act {
        by,
        action: "m.core.act".into(),
        actor: None,
        params: Value::Map(Arc::default()),
    };
    match game.submit(&input) {
        Ok(()) => Ok(()),
        Err(SubmitError::Fault { fault, .. }) => Err(fault.code),
        Err(other) => panic!("{other}"),
    }
}

const COUNTS: (&str, &str) = (
    "local count = 0",
    "count += 1\ngame:emit(\"base.note\", { text = `{count}` })",
);
const FILLS: (&str, &str) = (
    "local seen = {}",
    "table.insert(seen, 1)\ngame:get(\"r1\").hp = #seen",
);

#[test]
fn what_a_script_keeps_is_found_before_it_does_harm() {
    let faults = started(languages::ALL, COUNTS.0, COUNTS.1).err().unwrap();
    assert_eq!((faults.len(), faults[0].code), (1, FaultCode::HiddenState));
    assert_eq!(faults[0].place.as_ref().unwrap().line, 5);
    let mut game = started(languages::ALL, FILLS.0, FILLS.1).unwrap();
    let before = game.mark();
    assert_eq!(act(&mut game), Err(FaultCode::Script));
    assert_eq!(game.mark(), before);
}

#[test]
fn what_was_not_found_before_is_found_when_an_input_is_taken_twice() {
    for (state, text) in [COUNTS, FILLS] {
        let mut game = started(&LeftOpen, state, text).unwrap();
        assert_eq!(act(&mut game), Ok(()));
        game.check_twice();
        let before = game.mark();
        assert_eq!(act(&mut game), Err(FaultCode::HiddenState));
        assert_eq!(game.mark(), before);
    }
}
