//! Every harm that a component could try to do.

use std::hint::black_box;

use houserule_guest::bindings::houserule::contract::{calls, game as raw, registration};
use houserule_guest::parts::{announced, called, under};
use houserule_guest::prelude::*;

#[rustfmt::skip]
mod bindings;

use bindings::both;
use bindings::both::kinds::Piece;
use bindings::both::play::{asked, first, land, turn};

houserule_guest::module!();
chapter!(harm.r#do);

/// An action that does it.
macro_rules! harm {
    ($name:ident, $game:ident, $perform:expr) => {
        #[action(at = turn)]
        mod $name {
            use super::*;

            pub fn perform($game: &Acts) {
                $perform
            }
        }
    };
}

harm!(
    r#loop,
    _game,
    while black_box(true) {
        black_box(0);
    }
);
harm!(grow, _game, {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    while black_box(true) {
        kept.push(vec![1; 1 << 20]);
    }
    black_box(kept);
});
harm!(deep, _game, {
    black_box(sum(black_box(1 << 30)));
});
harm!(nested, game, again(game, 0));
harm!(
    flood,
    game,
    while black_box(true) {
        game.sides();
    }
);
harm!(huge, game, {
    let text = "x".repeat(30 << 20);
    announced(
        game,
        "both.play.noted",
        record([("text", text.into())]),
        None,
        &[],
    );
});
harm!(parts, game, {
    let many = vec![String::new(); 70_000];
    Piece::named(game, "blue-1").set_notes(game, many);
});
harm!(trap, _game, panic!("this mod gives up"));
harm!(write_then_trap, game, {
    let (blue, red) = (Piece::named(game, "blue-1"), Piece::named(game, "red-1"));
    blue.set_men(game, 77);
    land::push(game, blue, red, 1);
    panic!("half of it is done");
});
harm!(forge, _game, {
    black_box(raw::get(4_000_000, "men"));
});
harm!(late, _game, {
    black_box(registration::active("both.play.core"));
});
harm!(base, _game, {
    black_box(calls::base(&[]));
});
harm!(leave, _game, {
    black_box(calls::leave(&[]));
});
harm!(stay, game, {
    black_box(calls::enter("harm.do.kept", &[]));
    Piece::named(game, "blue-1").set_men(game, 77);
});
harm!(unknown, game, call(game, "both.play.summ", vec![]));
harm!(
    many,
    game,
    call(game, "both.play.sum", vec![1.into(), 2.into(), 3.into()])
);
harm!(
    wrong,
    game,
    call(game, "both.play.sum", vec![1.into(), "two".into()])
);
harm!(many_under, game, {
    Piece::named(game, "blue-1").set_men(game, 77);
    black_box(first(game));
});
harm!(wrong_under, game, {
    black_box(asked(game, 1));
});

#[rule]
fn kept(_game: &Acts) -> i64 {
    1
}

/// Asks twice for what another component counts.
#[rule]
fn twice(game: &Reads) -> i64 {
    let first = both::play::sum(game, 1, 2);
    1000 * first + both::play::sum(game, 1, 2)
}

/// Goes so far down, a function for each step.
#[rule]
fn down(game: &Reads, n: i64) -> i64 {
    if n == 0 { 0 } else { 1 + down(game, n - 1) }
}

/// The same, with much memory held at each.
#[rule]
fn hold(game: &Reads, n: i64) -> i64 {
    let held: Vec<u8> = black_box(Vec::with_capacity(40 << 20));
    let below = if n == 0 { 0 } else { hold(game, n - 1) };
    drop(black_box(held));
    1 + below
}

/// How many pieces whoever asks may know of, as another rule counts them.
#[rule]
fn knows(game: &Reads) -> i64 {
    known(game)
}

#[rule]
fn known(game: &Reads) -> i64 {
    Piece::all(game).len() as i64
}

#[rule]
fn again(game: &Acts, n: i64) {
    again(game, n + 1);
}

#[wrap(first)]
fn too_many(base: first::Base, game: &Reads) -> String {
    if Piece::named(game, "blue-1").men() == 77 {
        under(game, vec![1.into()])
    } else {
        base(game)
    }
}

#[wrap(asked)]
fn a_text(_base: asked::Base, game: &Acts, _n: i64) -> i64 {
    under(game, vec!["many".into()])
}

/// Calls a rule as nobody should.
fn call(game: &Reads, rule: &str, args: Vec<Value>) {
    black_box(called::<Value>(game, rule, args));
}

/// Not a loop: what comes back is used.
fn sum(n: u64) -> u64 {
    if n == 0 {
        0
    } else {
        sum(black_box(n - 1)).wrapping_mul(black_box(3)) + n
    }
}
