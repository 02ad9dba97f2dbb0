//! What house rules do to games: what is taken over is what would have been played, and who
//! stops half-way has the same pairs as who does not.

#![allow(clippy::unwrap_used, reason = "tests stop where they go wrong")]

use std::sync::atomic::{AtomicUsize, Ordering};

use houserule::analysis::conflicts::Party;
use houserule::analysis::impact::{Baseline, Games, ImpactQuery, PairQuery, PairSide, Pairs};
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

/// Pairs of games, of which those without the house rule may be known; those with it that are
/// known to be the same are taken over.
fn play(
    question: &ImpactQuery<'_>,
    party: &Party,
    known: Option<&Games>,
    beside: Option<&Invalidation>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Pairs {
    let (without, with) = (
        question.overrides_with(party, false),
        question.overrides_with(party, true),
    );
    let query = PairQuery {
        question,
        before: PairSide {
            overrides: &without,
            known: known.map(|games| Baseline {
                games,
                invalidation: None,
            }),
            notes: true,
        },
        after: PairSide {
            overrides: &with,
            known: None,
            notes: false,
        },
        beside,
    };
    query.play(stop, &|| ()).unwrap()
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

/// Pairs with what can be taken over; nothing where any game may be another.
fn taken_over(question: &ImpactQuery<'_>, party: &Party) -> Option<Pairs> {
    let (without, with) = (
        question.overrides_with(party, false),
        question.overrides_with(party, true),
    );
    let (base, house) = (composed(question, &without), composed(question, &with));
    let invalidation = invalidation(question.workshop, &base, &house);
    let is_some_same = invalidation != Invalidation::Everything;
    is_some_same.then(|| play(question, party, None, Some(&invalidation), &|| false))
}

/// Asks of each of some clauses of Iceburg: so many pairs of short games, so many at once.
fn of_each(games: u64, jobs: usize, look: &mut dyn FnMut(&ImpactQuery<'_>, &Party)) {
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
        jobs: Some(jobs),
        seed: 5,
        games,
    };
    let house = Party::of(&workshop, &Selector::parse("iceburg").unwrap()).unwrap();
    for party in house.parts(&workshop).iter().step_by(ONE_IN) {
        look(&question, party);
    }
}

#[test]
fn games_that_are_taken_over_are_those_that_would_be_played() {
    let (mut spared, mut played) = (0, 0);
    of_each(2, 1, &mut |question, party| {
        let Some(taken) = taken_over(question, party) else {
            return;
        };
        let fresh = play(question, party, Some(&taken.before), None, &|| false);
        assert_eq!(
            outcomes(&taken.after),
            outcomes(&fresh.after),
            "{}",
            party.selector
        );
        assert_eq!((fresh.before.reused, fresh.after.reused), (2, 0));
        assert_eq!(outcomes(&fresh.before), outcomes(&taken.before));
        spared += taken.after.reused;
        played += taken.after.games.len() as u64 - taken.after.reused;
    });
    assert!(
        spared > 0 && played > 0,
        "{spared} were taken over, {played} were played"
    );
}

#[test]
fn whoever_stops_has_pairs_that_are_whole() {
    let mut is_asked = false;
    of_each(5, 1, &mut |question, party| {
        if std::mem::replace(&mut is_asked, true) {
            return;
        }
        let all = play(question, party, None, None, &|| false);
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 3;
        let some = play(question, party, None, None, &stop);
        for (all, some) in [(&all.before, &some.before), (&all.after, &some.after)] {
            assert_eq!((all.games.len(), some.games.len()), (5, 3));
            assert_eq!(outcomes(all)[..3], outcomes(some));
        }
        let at_once = ImpactQuery {
            jobs: Some(4),
            ..*question
        };
        assert_eq!(play(&at_once, party, None, None, &|| false), all);
    });
    assert!(is_asked);
}
