//! What house rules do to games: what is taken over is what would have been played.

#![allow(clippy::unwrap_used, reason = "tests stop where they go wrong")]

use houserule::analysis::conflicts::Party;
use houserule::analysis::impact::{Baseline, Games, ImpactQuery};
use houserule::invalidation::{Edition, selected};
use houserule::modset::selector::Selector;
use houserule::play::{Invalidation, Players};
use houserule::workshop::{ComposedRules, Overrides, Workshop};
use houserule_tests::folder;

/// One clause in so many is asked of: each takes some games.
const ONE_IN: usize = 8;

/// What is told of games.
fn outcomes(games: &Games) -> Vec<String> {
    let one = |game: &houserule::analysis::impact::PairedGame| {
        format!("{:?} {:?} {:?}", game.row, game.numbers, game.happened)
    };
    games.games.iter().map(one).collect()
}

/// The rules that some overrides come to.
fn composed(question: &ImpactQuery<'_>, overrides: &Overrides) -> ComposedRules {
    let workshop = question.workshop;
    let request = workshop.request(&question.found.scenario, overrides);
    workshop.compose(&request.unwrap()).unwrap()
}

/// Games by some overrides: those that are known to be the same are taken over.
fn play(
    question: &ImpactQuery<'_>,
    overrides: &Overrides,
    known: Option<Baseline<'_>>,
    notes: bool,
) -> Games {
    question
        .play(overrides, known, notes, &|| false, &|| ())
        .unwrap()
}

/// What may be another by other rules of one workshop.
fn invalidation(workshop: &Workshop, base: &ComposedRules, house: &ComposedRules) -> Invalidation {
    let old = Edition {
        workshop,
        active: &base.active,
        rulebook: &base.rulebook,
    };
    let new = Edition {
        workshop,
        active: &house.active,
        rulebook: &house.rulebook,
    };
    selected(&old, &new)
}

/// The games with a house rule, as far as can be taken over from those without
/// it; nothing where any of them may be another.
fn taken_over(question: &ImpactQuery<'_>, party: &Party) -> Option<Games> {
    let (without, with) = (
        question.overrides_with(party, false),
        question.overrides_with(party, true),
    );
    let (base, house) = (composed(question, &without), composed(question, &with));
    let invalidation = invalidation(question.workshop, &base, &house);
    if invalidation == Invalidation::Everything {
        return None;
    }
    let before = play(question, &without, None, true);
    let known = Baseline {
        games: &before,
        invalidation: &invalidation,
    };
    Some(play(question, &with, Some(known), false))
}

#[test]
fn games_that_are_taken_over_are_those_that_would_be_played() {
    let (workshop, faults) = Workshop::open(&[folder("../mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("iceburg/street-sweep").unwrap();
    let overrides = Overrides {
        turns: Some(2),
        ..Overrides::default()
    };
    let question = ImpactQuery {
        workshop: &workshop,
        found: &found,
        overrides: &overrides,
        players: &Players::default(),
        jobs: Some(1),
        seed: 5,
        games: 2,
    };
    let house = Party::of(&workshop, &Selector::parse("iceburg").unwrap()).unwrap();
    let (mut spared, mut played) = (0, 0);
    for party in house.parts(&workshop).iter().step_by(ONE_IN) {
        let Some(taken) = taken_over(&question, party) else {
            continue;
        };
        let with = question.overrides_with(party, true);
        assert_eq!(
            outcomes(&taken),
            outcomes(&play(&question, &with, None, false)),
            "{}",
            party.selector
        );
        spared += taken.reused;
        played += taken.games.len() as u64 - taken.reused;
    }
    assert!(
        spared > 0 && played > 0,
        "{spared} were taken over, {played} were played"
    );
}
