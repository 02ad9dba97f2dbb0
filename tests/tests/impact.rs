//! What house rules do to games: what is taken over is what would have been played.

#![allow(clippy::unwrap_used, reason = "tests stop where they go wrong")]

use houserule::analysis::conflicts::Party;
use houserule::analysis::impact::{Baseline, Games, ImpactQuery};
use houserule::modset::selector::Selector;
use houserule::play::{Invalidation, Players};
use houserule::touched::{Edition, selected};
use houserule::workshop::{ComposedRules, Overrides, Workshop};
use houserule_tests::folder;

/// One clause in so many is asked of: each takes some games.
const ONE_IN: usize = 8;

/// What is told of games.
fn told(games: &Games) -> Vec<String> {
    let one = |game: &houserule::analysis::impact::PairedGame| {
        format!("{:?} {:?} {:?}", game.row, game.numbers, game.happened)
    };
    games.games.iter().map(one).collect()
}

#[test]
fn games_that_are_taken_over_are_those_that_would_be_played() {
    let (workshop, faults) = Workshop::open(&[folder("../mods")]);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("iceburg/street-sweep").unwrap();
    let (overrides, players) = (
        Overrides {
            turns: Some(2),
            ..Overrides::default()
        },
        Players::default(),
    );
    let (found, overrides, players) = (&found, &overrides, &players);
    let question = ImpactQuery {
        workshop: &workshop,
        found,
        overrides,
        players,
        jobs: Some(1),
        seed: 5,
        games: 2,
    };
    let composed = |overrides: &Overrides| -> ComposedRules {
        workshop
            .compose(&workshop.request(&found.scenario, overrides).unwrap())
            .unwrap()
    };
    let play = |overrides: &Overrides, known: Option<Baseline<'_>>, notes: bool| {
        question
            .play(overrides, known, notes, &|| false, &|| ())
            .unwrap()
    };
    let house = Party::of(&workshop, &Selector::parse("iceburg").unwrap()).unwrap();
    let (mut spared, mut played) = (0, 0);
    for party in house.parts(&workshop).iter().step_by(ONE_IN) {
        let (without, with) = (
            question.wishes_with(party, false),
            question.wishes_with(party, true),
        );
        let (base, house) = (composed(&without), composed(&with));
        let touched = {
            let old = Edition {
                workshop: &workshop,
                active: &base.active,
                rulebook: &base.rulebook,
            };
            let new = Edition {
                workshop: &workshop,
                active: &house.active,
                rulebook: &house.rulebook,
            };
            selected(&old, &new)
        };
        if touched == Invalidation::Everything {
            continue;
        }
        let before = play(&without, None, true);
        let taken = play(
            &with,
            Some(Baseline {
                games: &before,
                touched: &touched,
            }),
            false,
        );
        assert_eq!(
            told(&taken),
            told(&play(&with, None, false)),
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
