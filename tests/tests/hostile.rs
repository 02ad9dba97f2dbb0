//! Mods that mean harm, or err as if they did: each is stopped with the right
//! fault, not a bit of the match changes, and the match goes on.
//!
//! A fixture in `hostile/` is played on the field of `base`: every action of
//! the mod `m` is taken once, in the order of their ids. Those whose line
//! announces no fault must be taken.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use houserule::modset::files::Sources;
use houserule::play::{Match, SubmitError};
use houserule::rulebook::Rulebook;
use houserule::workshop::{Found, Overrides, Workshop};
use houserule_tests::{Fixture, check_all, folder};
use kernel::decision::{Domain, Input};
use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Side, Value};

fn overrides() -> Overrides {
    Overrides {
        with: vec!["m".into()],
        ..Overrides::default()
    }
}

fn started(workshop: &Workshop, found: &Found, checks_twice: bool) -> Result<Match, Vec<Fault>> {
    let (mut game, _) = workshop.start(found, &overrides())?;
    if checks_twice {
        game.check_twice();
    }
    Ok(game)
}

fn act(game: &mut Match, action: &Name) -> Result<(), SubmitError> {
    let by = game.wanted().sides().first().copied().unwrap_or(Side(0));
    let params = Value::Map(Arc::default());
    game.submit(&Input::Act {
        by,
        action: action.clone(),
        actor: None,
        params,
    })?;
    // Whatever is asked is answered with the first thing there is.
    for _ in 0..100 {
        let Wanted::Answer { sides, question } = game.wanted() else {
            break;
        };
        let asked = question.to.iter().find(|(side, _)| *side == sides[0]);
        let Some((_, domain)) = asked else { break };
        let value = match domain {
            Domain::Choices { of: choices, .. } => choices[0].value.clone(),
            Domain::Integer { min, .. } => Value::Int(*min),
            _ => break,
        };
        game.submit(&Input::Answer {
            by: sides[0],
            question: question.id.clone(),
            value,
        })?;
    }
    Ok(())
}

/// Takes every action of the mod; the faults, and the hash at the end.
fn attack(game: &mut Match) -> Result<(Vec<Fault>, String), String> {
    let rulebook: Rc<Rulebook> = game.rulebook().clone();
    let actions: Vec<Name> = rulebook
        .book()
        .actions
        .keys()
        .filter(|id| id.starts_with("m."))
        .cloned()
        .collect();
    let mut faults = Vec::new();
    for action in actions {
        let before = (
            game.hash(),
            game.events(),
            game.inputs().to_vec(),
            game.wanted(),
        );
        let views: Vec<_> = [0, 1]
            .map(|side| game.view(kernel::world::Viewer::Side(Side(side))))
            .into();
        match act(game, &action) {
            Ok(()) => {}
            Err(SubmitError::Fault { fault, .. }) => {
                faults.push(fault);
                let after = (
                    game.hash(),
                    game.events(),
                    game.inputs().to_vec(),
                    game.wanted(),
                );
                if before != after {
                    return Err(format!("{action} has changed the match"));
                }
                let again: Vec<_> = [0, 1]
                    .map(|side| game.view(kernel::world::Viewer::Side(Side(side))))
                    .into();
                if views != again {
                    return Err(format!("{action} has changed what is seen"));
                }
            }
            Err(other) => return Err(format!("{action}: {other}")),
        }
        act(game, &"base.core.work".into())
            .map_err(|refused| format!("after {action}: {refused}"))?;
    }
    Ok((faults, format!("{:?}", game.hash())))
}

/// Five times what a request may take. That an attack is charged, and stopped for what
/// it has cost, holds on every machine; how soon, on a quick one alone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays a fixture: how many attacks were stopped in it.
fn check(fixture: &Fixture) -> Result<usize, String> {
    let (workshop, faults) = fixture.workshop();
    let workshop = workshop.with_patience(PATIENCE);
    if !faults.is_empty() {
        return fixture.compare(&faults).map(|()| faults.len());
    }
    let found = workshop
        .scenario("base/field")
        .map_err(|faults| format!("{faults:?}"))?;
    let checks_twice = fixture.settings.iter().any(|line| line == "check_twice");
    let mut game = match started(&workshop, &found, checks_twice) {
        Ok(game) => game,
        Err(faults) => return fixture.compare(&faults).map(|()| faults.len()),
    };
    let failed = |text: String| format!("{}: {text}", fixture.path.display());
    let (faults, hash) = attack(&mut game).map_err(failed)?;
    fixture.compare(&faults)?;
    let stopped = faults.len();
    if fixture.settings.iter().any(|line| line == "once") {
        return Ok(stopped);
    }
    // In another machine it comes out the same.
    let mut game =
        started(&workshop, &found, checks_twice).map_err(|faults| format!("{faults:?}"))?;
    let again = attack(&mut game).map_err(failed)?;
    match again == (faults, hash) {
        true => Ok(stopped),
        false => Err(failed("a second time it goes otherwise".into())),
    }
}

/// So many attacks are made at the least, each by a rule of its own.
const ATTACKS: usize = 350;

#[test]
fn harm_is_contained() {
    let stopped = Cell::new(0);
    let counted =
        |fixture: &Fixture| check(fixture).map(|count| stopped.set(stopped.get() + count));
    if let Err(text) = check_all("hostile", counted) {
        panic!("{text}");
    }
    assert!(
        stopped.get() >= ATTACKS,
        "{} attacks were stopped",
        stopped.get()
    );
}

const HOARDS: &str = r#"--!strict
local base = require("@base")
local rules = require("@rules")
local domain = require("@domain")

-- So many texts of 64 kilobytes, each another.
local function texts(many: number): { string }
    local all: any = {}
    for i = 1, many do
        local word = tostring(i) .. "-"
        all[i] = string.rep(word, 65536 // #word)
    end
    return all
end
rules.action {
    id = "m.hold", title = "Hold", phase = "base.core.turn",
    params = { { name = "many", title = "How many?", type = "integer", domain = function()
        return domain.integer(0, 4000)
    end } },
    perform = function(game, _side, params)
        base.events.note(game, { text = `held {#texts(params.many)}` })
    end,
}
rules.action {
    id = "m.waste", title = "Waste", phase = "base.core.turn",
    allowed = function(_game: any): any
        return if #texts(900) > 0 then nil else rules.reason("no")
    end,
    perform = function(game)
        base.events.note(game, { text = "wasted" })
    end,
}
"#;

/// A game over `base` with a mod that holds many texts at once.
fn hoarding() -> Match {
    let manifest = r#"Mod(id: "m", version: "1.0.0", title: "M", engine: "0.1", depends: [("base", "*")], groups: [])"#;
    let files = [("mod.ron", manifest), ("rules/hoards.luau", HOARDS)];
    let files = files.map(|(path, text)| (path.to_string(), Arc::from(text)));
    let sources = [
        ("base", Sources::read(&folder("base")).unwrap()),
        ("m", Sources::from_memory("m", BTreeMap::from(files))),
    ];
    let sources = sources.map(|(id, sources)| (Name::from(id), sources));
    let (workshop, faults) = Workshop::from_sources(BTreeMap::from(sources));
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("base/field").unwrap();
    started(&workshop, &found, false).unwrap()
}

/// Whether so many texts may be held.
fn may_hold(game: &mut Match, many: i64) -> bool {
    let by = game.wanted().sides().first().copied().unwrap_or(Side(0));
    let params = BTreeMap::from([(Name::from("many"), Value::Int(many))]);
    let taken = game.submit(&Input::Act {
        by,
        action: "m.hold".into(),
        actor: None,
        params: Value::Map(Arc::new(params)),
    });
    match taken {
        Ok(()) => true,
        Err(SubmitError::Fault { fault, .. }) => {
            assert_eq!(fault.code, FaultCode::TooMuchMemory, "{fault}");
            false
        }
        Err(other) => panic!("{other}"),
    }
}

/// What earlier requests left lying about in the machine decides nothing: a journal
/// that was played is played again. The machine itself may have grown by a little.
#[test]
fn whether_memory_suffices_does_not_depend_on_what_was_asked_before() {
    let (mut fits, mut fails) = (1_000, 2_100);
    while fails - fits > 1 {
        let middle = (fits + fails) / 2;
        match may_hold(&mut hoarding(), middle) {
            true => fits = middle,
            false => fails = middle,
        }
    }
    assert!(fits > 1_500, "{fits}");
    let mut asked = hoarding();
    let legal = |game: &Match| game.legal(Side(0)).unwrap();
    for _ in 0..3 {
        legal(&asked);
        assert!(may_hold(&mut asked, fits - 1), "{fits}");
        legal(&asked);
        assert!(!may_hold(&mut asked, fails + 1), "{fails}");
        assert!(may_hold(&mut asked, fits - 1), "{fits}");
    }
}

/// The names of fixtures are what the list of codes refers to.
#[test]
fn fixtures_have_sections() {
    let mut seen = BTreeMap::new();
    for path in houserule_tests::files_under(&houserule_tests::folder("hostile"), &[".txt"]) {
        let fixture = Fixture::read(&path).unwrap();
        assert!(!fixture.texts.is_empty(), "{}", path.display());
        assert!(
            seen.insert(path.file_name().unwrap().to_owned(), ())
                .is_none()
        );
    }
}
