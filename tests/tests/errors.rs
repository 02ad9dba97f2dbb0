//! What an author sees after a mistake: every fixture in `errors/` says in
//! comments which faults its mods must give, none missing, none extra.

use houserule::play::Match;
use houserule::scenario::{chance_of, run_script};
use houserule::testing::{Filter, TestKind, run_suite};
use houserule::workshop::Overrides;
use houserule_tests::{Fixture, check_all};
use kernel::error::Fault;

/// Composes the mods, then plays their scenarios and runs their cases.
fn faults_of(fixture: &Fixture) -> Vec<Fault> {
    let (workshop, mut faults) = fixture.workshop();
    if !faults.is_empty() {
        return faults;
    }
    match fixture
        .request()
        .map_err(|fault| vec![fault])
        .and_then(|request| workshop.compose(&request))
    {
        Ok(_) => {}
        Err(found) => return found,
    }
    for (_, scenario) in workshop.scenarios_of(&"m".into()) {
        let outcome = scenario.and_then(|found| {
            let (chosen, mut setup) = workshop.prepare(&found, &Overrides::default())?;
            if let Some(chance) = chance_of(&found.scenario.script) {
                setup.game.set_chance(chance);
            }
            let mut game = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
            game.check_twice();
            run_script(&mut game, &found.scenario.script).map_err(|fault| vec![fault])
        });
        faults.extend(outcome.err().unwrap_or_default());
    }
    if fixture
        .texts
        .keys()
        .any(|(_, path)| path.starts_with("tests/"))
    {
        let filter = Filter {
            mods: vec!["m".into()],
            text: None,
        };
        let results = run_suite(&workshop, &filter, None, &|_| {});
        faults.extend(
            results
                .into_iter()
                .filter(|one| one.file.starts_with("tests/") || one.sort == TestKind::Audience)
                .filter_map(|one| one.failure),
        );
    }
    faults
}

#[test]
fn every_mistake_is_reported_where_it_is() {
    if let Err(text) = check_all("errors", |fixture| fixture.compare(&faults_of(fixture))) {
        panic!("{text}");
    }
}

#[test]
fn the_base_of_the_tests_is_sound() {
    let fixture = Fixture::read(&houserule_tests::folder("base/README.txt")).unwrap();
    let (workshop, faults) = fixture.workshop();
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("field").unwrap();
    workshop.start(&found, &Overrides::default()).unwrap();
}
