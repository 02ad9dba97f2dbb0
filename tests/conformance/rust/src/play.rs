//! Declarations, sums, a strike and what answers it.

use houserule_guest::prelude::*;
use houserule_guest::register::End;

use crate::bindings::both::kinds::{Piece, PiecePlan};
use crate::bindings::both::tables::PlayCosts;
use crate::bindings::both::{clauses, options, pots};
use crate::bindings::words::Mood;

chapter!(both.play);

/// What came of a strike.
#[record]
pub struct Outcome {
    pub hit: bool,
    pub fallen: i64,
    pub chit: Option<String>,
}

/// [core]
#[event("strike", "{piece} strikes {target}: {fallen} fall")]
pub struct Struck<'t> {
    pub piece: Entity,
    pub target: Entity,
    pub fallen: i64,
    pub why: &'t str,
}

/// [core]
#[event("note", "{text}")]
pub struct Noted<'t> {
    pub text: &'t str,
}

/// [core] A piece takes aim.
#[window(others_only)]
pub struct Aimed {
    pub piece: Piece,
    pub target: Piece,
}

/// [core]
#[register]
fn dice(rules: &Registrar) {
    let best = if rules.option(options::play::MOST) < 10 {
        10
    } else {
        12
    };
    rules.ladder("both.play.dice", &[4, 6, 8, best], End::Stop, End::Convert);
}

/// [core]
#[register]
fn costs(rules: &Registrar) {
    rules.amend_rows(
        PlayCosts::ID,
        [record([("ground", "wood".into()), ("cost", 3.into())])],
    );
    if rules.active(clauses::play::NIGHT) {
        rules.remove_rows(PlayCosts::ID, [record([("ground", "lake".into())])]);
    }
}

/// Game
#[phase]
pub fn game() -> Phase {
    Phase::rounds(&[start::ID, turn::ID, extra::ID], Some(over::ID)).root()
}

/// Turn
#[phase]
pub fn turn() -> Phase {
    Phase::acts(Acting::OneAfterAnother)
        .announced()
        .first(first::ID)
        .may_end(may_end::ID)
        .ends_when_idle()
}

#[phase]
fn extra() -> Phase {
    Phase::sequence(&[])
}

#[register]
fn no_extra(rules: &Registrar) {
    rules.remove_phase(extra::ID);
}

#[automatic(after = turn)]
fn dusk(game: &Acts) {
    let round = game.round(self::game::ID);
    Noted {
        text: &format!("dusk of round {round}"),
    }
    .tell(game);
    if round >= 2 {
        let men = Piece::named(game, "blue-1").men();
        game.finish(record([("winner", "blue".into()), ("men", men.into())]));
    }
}

#[automatic]
pub fn start(game: &Acts) {
    Piece::all(game)
        .into_iter()
        .for_each(|piece| piece.set_has_acted(game, false));
}

#[rule]
fn over(game: &Reads) -> bool {
    game.turns()
        .is_some_and(|turns| game.round(self::game::ID) > turns)
}

#[rule]
fn first(game: &Reads) -> String {
    game.sides().swap_remove(0)
}

#[rule]
pub fn may_end(_game: &Reads, side: &str) -> Verdict {
    if side.is_empty() {
        refuse!("nobody");
    }
    Ok(())
}

/// A sum. @open(cap 99)
#[rule]
fn sum(_game: &Reads, a: i64, b: i64) -> i64 {
    a + b
}

/// [luck]
#[wrap(sum)]
fn lucky(base: sum::Base, game: &Reads, a: i64, b: i64) -> i64 {
    base(game, a, b) + 1
}

#[rule]
fn reads(_game: &Reads, piece: Piece, count: i64) -> i64 {
    (0..count).map(|_| piece.men()).sum()
}

/// @never_draws
#[rule]
fn asked(game: &Acts, n: i64) -> i64 {
    let question = Question::new("both.play.really", "Really?");
    if game.ask(&game.sides()[1], question, Domain::yes()) {
        n
    } else {
        -n
    }
}

/// [core, night else 0] Stars by night.
/// cites: luck
#[rule]
fn stars(game: &Reads) -> i64 {
    if game.clause(clauses::play::NIGHT) {
        7
    } else {
        0
    }
}

#[rule]
fn names(_game: &Reads) -> String {
    "base".into()
}

#[replace(names)]
fn other_names(_game: &Reads) -> String {
    "replaced".into()
}

/// [core]
#[rule]
fn resolve(game: &Draws, piece: Piece, _target: Piece, force: i64) -> Outcome {
    let face = game.roll(&piece.die(), "the strike");
    let (better, surplus) = game.shift(&piece.die(), 1, "it is close", None);
    let second = game.roll_all(&[better], "")[0];
    let chit = game.draw(pots::play::CHITS, 1).swap_remove(0);
    let total = sum(game, face + second, force + i64::from(surplus));
    let hit = total >= game.option(options::play::MOST);
    Outcome {
        hit,
        fallen: total.div_euclid(4),
        chit: Some(chit),
    }
}

/// [core]
#[step]
pub fn land(game: &Acts, piece: Piece, target: Piece, force: i64) {
    let outcome = resolve(game, piece, target, force);
    let question = Question::new("both.play.give_way", "Give way?").about(*target);
    let gives_way = game.ask(&target.side(), question, Domain::yes());
    let fallen = outcome.fallen / if gives_way { 2 } else { 1 };
    target.set_men(game, target.men() - fallen);
    let word = if outcome.hit { "hit" } else { "missed" };
    target.set_notes(
        game,
        vec![outcome.chit.unwrap_or_default(), word.to_string()],
    );
    target.set_plan(
        game,
        Some(PiecePlan {
            to: Some(Hex::new(1, 1)),
            how: Some("back".into()),
        }),
    );
    target.set_mood(game, Mood::Angry);
    let why = names(game);
    let struck = Struck {
        piece: *piece,
        target: *target,
        fallen,
        why: &why,
    };
    struck.tell_to(game, None, &[("why", &[&target.side()])]);
    Aimed { piece, target }.open(game);
}

/// [core]
#[on(Struck)]
fn noted(game: &Acts, struck: Struck<'_>) {
    Noted {
        text: &format!("{} fell", struck.fallen),
    }
    .tell(game);
}

/// [core] Strike
#[action(at = turn, actor = Piece)]
mod strike {
    use super::*;

    pub fn allowed(_game: &Reads, piece: Piece) -> Verdict {
        if piece.has_acted() {
            refuse!("it has acted");
        }
        Ok(())
    }

    /// Whom?
    #[param]
    pub fn target(game: &Reads, piece: Piece) -> Domain<Piece> {
        Domain::one_of(
            Piece::all(game)
                .into_iter()
                .filter(|other| other.side() != piece.side()),
        )
    }

    /// How hard?
    #[param]
    pub fn force(_game: &Reads, _piece: Piece) -> Domain<i64> {
        Domain::between(1, 9)
    }

    pub fn score(_game: &Reads, _piece: Piece, force: i64) -> i64 {
        force
    }

    pub fn perform(game: &Acts, piece: Piece, target: Piece, force: i64) {
        piece.set_has_acted(game, true);
        piece.set_target(game, Some(target));
        land::push(game, piece, target, force);
    }
}

#[words]
enum How {
    Hard,
    Soft,
}

/// [core] Counter
#[reaction(at = Aimed, actor = Piece)]
mod counter {
    use super::*;

    pub fn allowed(_game: &Reads, piece: Piece, aimed: Aimed) -> Verdict {
        if piece != aimed.target {
            refuse!("it was not struck");
        }
        if piece.mood() != Mood::Angry {
            refuse!("it is calm");
        }
        Ok(())
    }

    #[param]
    pub fn how(_game: &Reads, _piece: Piece, _aimed: Aimed) -> Domain<How> {
        Domain::one_of([How::Hard, How::Soft])
    }

    pub fn perform(game: &Acts, piece: Piece, aimed: Aimed, how: How) {
        piece.set_mood(game, Mood::Calm);
        let by = aimed.piece;
        by.set_men(game, by.men() - if how == How::Hard { 2 } else { 1 });
        piece.reveal(game, Some(Piece::SECRET.name()), None);
        let attributes = [
            Piece::SIDE.is(piece.side()),
            Piece::HEX.is(Hex::new(5, 5)),
            Piece::MEN.is(1),
        ];
        let spare = Piece::create(game, Some("spare"), attributes);
        if Piece::find(game, "spare") == Some(spare) && spare.exists(game) {
            spare.remove(game);
        }
    }
}
