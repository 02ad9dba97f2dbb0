//! What a map draws round about a piece, and what is said of it in words.

use houserule_guest::prelude::*;
use houserule_guest::{INCH, Length};

use crate::bindings::tcsbase::kinds::{Clock, Unit};
use crate::fire::{Weapon, reach};
use crate::time::clock_time;

chapter!(tcsbase.map);

/// A ring round about a piece.
#[record]
pub struct Ring {
    pub title: String,
    pub radius: Length,
}

/// What players read in place of an attribute.
#[record]
pub struct Words {
    pub attribute: String,
    pub text: String,
}

/// [unit.values] How far the weapons of a unit reach: its gun to a quarter and a half of its
/// range, too. A hex is an inch.
#[rule]
pub fn rings(game: &Reads, piece: Entity) -> Vec<Ring> {
    if piece.kind() != Unit::ID {
        return Vec::new();
    }
    let unit = Unit::of(piece);
    let gun = reach(game, unit, Weapon::Gun);
    let aa = if unit.aa() > 0 { unit.aa_reach() } else { 0 };
    let all = [
        ("gun, a quarter", gun / 4),
        ("gun, half", gun / 2),
        ("gun", gun),
        ("area fire", reach(game, unit, Weapon::Area)),
        ("fire at aircraft", aa),
    ];
    let reaching = all.into_iter().filter(|(_, hexes)| *hexes > 0);
    reaching
        .map(|(title, hexes)| Ring {
            title: title.into(),
            radius: Length(hexes * INCH),
        })
        .collect()
}

/// What players read in place of the minutes of the clock: times of the day.
#[rule]
pub fn words(game: &Reads, piece: Entity) -> Vec<Words> {
    if piece.kind() != Clock::ID {
        return Vec::new();
    }
    let clock = Clock::of(piece);
    let mut found = vec![("minutes", clock.minutes())];
    if clock.dusk() != clock.dawn() {
        found.extend([("dusk", clock.dusk()), ("dawn", clock.dawn())]);
    }
    let word = |(attribute, minutes): (&str, i64)| Words {
        attribute: attribute.into(),
        text: clock_time(game, minutes),
    };
    found.into_iter().map(word).collect()
}
