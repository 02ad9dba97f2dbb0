//! Who has won, where a scenario says what counts.

use std::collections::BTreeSet;

use houserule_guest::prelude::*;
use houserule_guest::record;

use crate::bindings::tcsbase::events::{VictoryEnded, VictoryTaken};
use crate::bindings::tcsbase::kinds::{Objective, Unit};
use crate::bindings::words::Class;
use crate::{clock, seq, units};

chapter!(tcsbase.victory);

/// [objectives else nil] An objective goes to the side that is alone in it, and stays with it until the other is.
#[rule]
pub fn take(game: &Writes, objective: Objective) {
    let at = objective.at();
    let inside = units(game)
        .into_iter()
        .filter(|unit| unit.at() == at && unit.class() != Class::Helicopter);
    let sides: BTreeSet<String> = inside.map(|unit| unit.side()).collect();
    let mut sides = sides.into_iter();
    let (Some(side), None) = (sides.next(), sides.next()) else {
        return;
    };
    if side != objective.holder() {
        VictoryTaken {
            objective,
            at,
            side: &side,
        }
        .tell(game);
        objective.set_holder(game, side);
    }
}

/// [objectives else 0] What the objectives are worth that a side holds.
#[rule]
pub fn held(game: &Reads, side: &str) -> i64 {
    Objective::all(game)
        .into_iter()
        .filter(|one| one.holder() == side)
        .map(Objective::worth)
        .sum()
}

/// [losses else 0] What a side has for the steps that its enemy has lost.
#[rule]
pub fn toll(game: &Reads, side: &str) -> i64 {
    let clock = clock(game);
    let enemy = clock
        .losses()
        .into_iter()
        .filter(|(whose, _)| whose != side);
    let steps: i64 = enemy.map(|(_, steps)| steps).sum();
    steps.checked_div(clock.steps_a_point()).unwrap_or(0)
}

/// [losses else nil] Steps that a unit loses count, where losses do.
#[rule]
pub fn count(game: &Writes, unit: Unit, steps: i64) {
    let clock = clock(game);
    if clock.steps_a_point() > 0 {
        let mut losses = clock.losses();
        *losses.entry(unit.side()).or_insert(0) += steps;
        clock.set_losses(game, losses);
    }
}

/// Whether the scenario says what counts.
fn is_counted(game: &Reads) -> bool {
    !Objective::all(game).is_empty() || clock(game).steps_a_point() > 0
}

// In the Clean Up Phase it shows who holds what, and whether the battle is over.
/// [objectives] Victory
#[automatic(after = seq::cleanup)]
fn decide(game: &Acts) {
    if !is_counted(game) {
        return;
    }
    Objective::all(game)
        .into_iter()
        .for_each(|objective| take(game, objective));
    let (alive, gone): (Vec<String>, Vec<String>) = game
        .sides()
        .into_iter()
        .partition(|side| !Unit::all_with(game, Unit::SIDE, side.clone()).is_empty());
    match (alive.as_slice(), gone.first()) {
        ([winner], Some(loser)) => end(
            game,
            Some(winner),
            &format!("{} has no unit left", title(loser)),
        ),
        ([], _) => end(game, None, "nobody has a unit left"),
        _ if seq::is_last(game) => end(game, leader(game).as_deref(), "the last turn is over"),
        _ => {}
    }
}

/// The side with most points, if one has more than all others.
fn leader(game: &Reads) -> Option<String> {
    let points = |side: &String| held(game, side) + toll(game, side);
    let sides = game.sides();
    let most = sides.iter().map(points).max()?;
    let mut best = sides.iter().filter(|side| points(side) == most);
    best.next().filter(|_| best.next().is_none()).cloned()
}

fn end(game: &Acts, winner: Option<&str>, reason: &str) {
    let sides = game.sides();
    let points: Vec<i64> = sides
        .iter()
        .map(|side| held(game, side) + toll(game, side))
        .collect();
    let each = sides
        .iter()
        .zip(&points)
        .map(|(side, points)| format!("{} {points}", title(side)));
    let score = each.collect::<Vec<String>>().join(", ");
    let result = winner.map_or("a draw".into(), |side| format!("{} wins", title(side)));
    VictoryEnded {
        reason,
        score: &score,
        result: &result,
    }
    .tell(game);
    game.finish(record([
        ("winner", winner.unwrap_or("draw").into()),
        ("reason", reason.into()),
    ]));
}

/// A side as it stands at the head of a sentence.
fn title(side: &str) -> String {
    let mut letters = side.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
