//! What a map draws and says of what is new here.

use houserule_guest::prelude::*;
use houserule_guest::{INCH, Length};

use crate::atgm::missile;
use crate::bindings::tcsbase::r#gen::clock_time;
use crate::bindings::tcsbase::kinds::{Clock, Field, Unit};
use crate::bindings::tcsbase::map::{self, Ring, Words};

chapter!(tcs.map);

/// [atgm.values] How far missiles reach, and within which range they do not.
#[wrap(map::rings)]
fn of_missiles(base: map::rings::Base, game: &Reads, piece: Entity) -> Vec<Ring> {
    let mut found = base(game, piece);
    if piece.kind() != Unit::ID {
        return found;
    }
    let unit = Unit::of(piece);
    if let Some(row) = missile(game, unit) {
        let name = row.title.clone();
        let bounds = [
            ("beyond", row.minimum),
            ("to half of nominal", row.nominal / 2),
            ("to nominal", row.nominal),
            ("to twice nominal", 2 * row.nominal),
        ];
        found.extend(bounds.map(|(bound, hexes)| Ring {
            title: format!("{name}, {bound}"),
            radius: Length(hexes * INCH),
        }));
    }
    found
}

/// [fascam.destruct] When scattered mines destroy themselves; and how long a conflict is under way.
#[wrap(map::words)]
fn in_hours(base: map::words::Base, game: &Reads, piece: Entity) -> Vec<Words> {
    let mut found = base(game, piece);
    let more = match piece.kind().as_str() {
        Field::ID => Some(("expires", expiry(game, Field::of(piece)))),
        Clock::ID => Some(("conflict", hours(Clock::of(piece).conflict()))),
        _ => None,
    };
    found.extend(more.map(|(attribute, text)| Words {
        attribute: attribute.into(),
        text,
    }));
    found
}

fn expiry(game: &Reads, field: Field) -> String {
    if field.is_scattered() {
        clock_time(game, field.expires())
    } else {
        String::new()
    }
}

fn hours(minutes: i64) -> String {
    format!("{} h {} min", minutes / 60, minutes % 60)
}
