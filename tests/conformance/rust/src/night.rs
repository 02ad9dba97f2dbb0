//! By night sides talk: a phase that is entered and left, places, routes, a
//! secret, chits that stay out.

use houserule_guest::prelude::*;
use houserule_guest::{Path, Region};

use crate::bindings::both::kinds::Piece;
use crate::bindings::both::pots;
use crate::play::{Noted, may_end, start, turn};

chapter!(both.play);

/// [night]
#[phase]
fn dawn() -> Phase {
    Phase::sequence(&[cockcrow::ID, start::ID]).around(start::ID)
}

/// [night]
#[automatic]
fn cockcrow(game: &Acts) {
    Noted {
        text: "the cock crows",
    }
    .tell(game);
}

/// [night]
#[phase]
fn council() -> Phase {
    Phase::acts(Acting::Alternating)
        .may_pass(may_end::ID)
        .ends(settled::ID)
        .ends_after_passes(3)
}

/// [night]
#[rule]
fn settled(_game: &Reads, data: &Record) -> bool {
    data.get::<i64>("words") == 0
}

/// [night]
#[rule]
fn mighty(game: &Reads, side: &str) -> Vec<Piece> {
    let mut idle = Piece::all_with(game, Piece::HAS_ACTED, false);
    idle.retain(|piece| piece.side() == side);
    idle
}

/// [night]
#[rule]
fn short(_game: &Reads, most: i64, way: Path) -> Verdict {
    if way.0.len() as i64 > most {
        refuse!("it is too long");
    }
    Ok(())
}

/// [night] Parley @reveals(who parleys shows what it has in mind)
#[action(at = turn, actor = mighty, told)]
mod parley {
    use super::*;

    /// Where?
    #[param]
    pub fn r#where(_game: &Reads, piece: Piece) -> Domain<Point> {
        let at = piece.at().unwrap_or_default();
        let far = Point {
            x: at.x + 9 * INCH,
            y: at.y + 9 * INCH,
        };
        Domain::place(
            [Region::Disc(at, INCH), Region::Rectangle(at, far)],
            vec![at],
        )
    }

    /// Which way?
    #[param(audience = "owner")]
    pub fn way(_game: &Reads, piece: Piece, r#where: Point) -> Domain<Path> {
        let from = piece.at().unwrap_or_default();
        Domain::route(from, 4, vec![vec![r#where]]).checked(short::ID, vec![2.into()])
    }

    pub fn perform(game: &Acts, piece: Piece, way: Path) {
        let (side, die) = (piece.side(), piece.die());
        let face = game.roll_to(&[die], "a whisper", Audience::to(&[&side]))[0];
        let peek = Audience::to(&[&side]).reveals("it is a peek");
        let seen = game.draw_to(pots::play::CHITS, 1, peek).swap_remove(0);
        let of_each = [("red", 1), ("blue", 4)]
            .map(|(chit, points)| (chit, record([("points", points.into())]).into()));
        let worth: i64 = game
            .tally(pots::play::CHITS, 2, record(of_each))
            .get("points");
        let held = Audience::everybody().only("chits", &[&side]);
        let chit = game.take_to(pots::play::CHITS, 1, held).swap_remove(0);
        let spare = game.take(pots::play::CHITS, 1).swap_remove(0);
        game.put_back(pots::play::CHITS, &spare);
        piece.hide(game, Some(Piece::MEN.name()));
        let asked = Question::new("both.play.whisper", "How many come?").secret();
        let answer = game.ask(&game.opponent(&side), asked, Domain::between(1, 3));
        game.put_back(pots::play::CHITS, &chit);
        let text = format!(
            "{chit} for {}: {answer}, {face}, {seen}, {worth}",
            way.0.len()
        );
        Noted { text: &text }.tell_to(game, Some(&["blue"]), &[]);
        game.enter(council::ID, record([("words", answer.into())]));
    }
}

/// [night]
#[action(at = council)]
mod speak {
    use super::*;

    pub fn perform(game: &Acts) {
        let data = game.phase(council::ID).unwrap_or_default();
        let text = format!("{} hears {}", game.acting(), data.get::<i64>("words"));
        Noted { text: &text }.tell(game);
        game.leave(council::ID);
    }
}
