//! Dice and chits.

use kernel::chits::Worths;
use kernel::dice::{Die, Ladder, Shifted};
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use super::function::{Call, Entry, Function, spec};
use super::places::Paid;
use super::types::{ChitCount, Give, Given, Id, Names, Steps, Sum, Told};
use crate::limits::cost;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] =
    &[&ROLL, &ROLL_ALL, &SHIFT, &CAN_SHIFT, &DRAW, &TALLY, &TAKE, &PUT_BACK];

/// `game:roll`.
pub const ROLL: Function<(Die, Option<Name>, Option<Told>), u16> = Function {
    spec: spec(
        "game:roll",
        "",
        &["die", "purpose", "how"],
        "Rolls one die and gives its face, from 1. Scripts may give the die as a text such as `d8` or as its number of sides. It is told to everybody, or to the audience, by the fields `dice`, `faces` and `purpose`.",
    )
    .draws("rolls dice")
    .costs("24"),
    run: |call, (die, purpose, told)| {
        call.spend(cost::rows(1))?;
        Ok(rolled(call, &[die], purpose, told)?.first().copied().unwrap_or_default())
    },
};

type RollAll = (Paid<Die>, Option<Name>, Option<Told>);

/// `game:roll_all`.
pub const ROLL_ALL: Function<RollAll, Vec<u16>> = Function {
    spec: spec(
        "game:roll_all",
        "game.roll-to",
        &["dice", "purpose", "how"],
        "Rolls dice in order and gives their faces.",
    )
    .draws("rolls dice")
    .costs("24 for each die"),
    run: |call, (dice, purpose, told)| rolled(call, dice.all(), purpose, told),
};

fn rolled(
    call: &mut Call<'_>,
    dice: &[Die],
    purpose: Option<Name>,
    told: Option<Told>,
) -> Result<Vec<u16>, Fault> {
    let cause = call.cause();
    let audience = call.audience(told)?;
    call.game.roll(dice, purpose.as_deref().unwrap_or(""), &audience, cause)
}

/// `game:draw`.
pub const DRAW: Function<(Id, ChitCount, Option<Told>), Vec<Name>> = Function {
    spec: spec(
        "game:draw",
        "game.draw-to",
        &["pot", "count", "how"],
        "Draws chits and puts them all back at once. F019 for an unknown pot, F038 if it holds too few. It is told to everybody, or to the audience, by the fields `pot` and `chits`.",
    )
    .draws("draws chits")
    .costs("1 for each chit"),
    run: |call, (pot, count, told)| drawn(call, &pot, count, told, false),
};

/// `game:tally`.
pub const TALLY: Function<(Id, ChitCount, Worths, Option<Told>), Sum> = Function {
    spec: spec(
        "game:tally",
        "",
        &["pot", "count", "worths", "how"],
        "Draws chits, puts them all back at once, and gives what they are worth together. `worths` says of each chit, by its name, a record of what it is worth; records are added field by field: whole numbers as numbers, lists to one sorted list, booleans to whether one is true. What is left out adds nothing. A rule that looks at chits only so has odds that are counted fast, for handfuls of the same sum are one. It is told as by `game:draw`.",
    )
    .draws("draws chits")
    .costs("1 for each chit"),
    run: |call, (Id(pot), ChitCount(count), worths, told)| {
        let cause = call.cause();
        let audience = call.audience(told)?;
        call.spend(cost::chits(count))?;
        call.game.tally(&pot, count, &worths, &audience, cause).map(Sum)
    },
};

/// `game:take`.
pub const TAKE: Function<(Id, ChitCount, Option<Told>), Vec<Name>> = Function {
    spec: spec(
        "game:take",
        "game.take-to",
        &["pot", "count", "how"],
        "Draws chits and keeps them out of the pot. F027 in a secret phase.",
    )
    .draws("draws chits")
    .costs("1 for each chit"),
    run: |call, (pot, count, told)| drawn(call, &pot, count, told, true),
};

fn drawn(
    call: &mut Call<'_>,
    Id(pot): &Id,
    ChitCount(count): ChitCount,
    told: Option<Told>,
    keep: bool,
) -> Result<Vec<Name>, Fault> {
    let cause = call.cause();
    let audience = call.audience(told)?;
    call.spend(cost::chits(count))?;
    call.game.draw(pot, count, keep, &audience, cause)
}

/// `game:put_back`.
pub const PUT_BACK: Function<(Id, Name), ()> = Function {
    spec: spec(
        "game:put_back",
        "game.put-back",
        &["pot", "chit"],
        "Puts back a chit that was taken. F038 if none of these is out.",
    )
    .draws("puts chits back"),
    run: |call, (Id(pot), chit)| call.game.put_back(&pot, &chit),
};

/// `die:up`.
pub const SHIFT: Function<(Die, Steps, Name, Option<Id>), Shifted> = Function {
    spec: spec(
        "die:up",
        "game.shift",
        &["die", "steps", "reason", "ladder"],
        "The die so many steps up a ladder that a mod declares; without an id, the first one declared. The reason is told in reports. What happens past the end, the ladder says: it stops; it is a fault; or it stops and the second result counts the steps that were too many (else that is 0). F037 for a die that is not on the ladder, without a reason, or without a ladder.",
    )
    .native(),
    run: |call, (die, Steps(steps), reason, ladder)| {
        let ladder = ladder_of(call, ladder)?;
        let by = i8::try_from(steps).unwrap_or(if steps < 0 { i8::MIN } else { i8::MAX });
        ladder.shift(&die, by, reason).map_err(|error| bad_die(error.to_string()))
    },
};

/// `die:can_shift`.
pub const CAN_SHIFT: Function<(Die, Steps, Option<Id>), bool> = Function {
    spec: spec(
        "die:can_shift",
        "game.can-shift",
        &["die", "steps", "ladder"],
        "Whether so many steps (below 0: down) stay on the ladder.",
    )
    .native(),
    run: |call, (die, Steps(steps), ladder)| {
        let ladder = ladder_of(call, ladder)?;
        let Ok(place) = ladder.rungs().binary_search(&die.sides()) else {
            return Err(bad_die(format!("expected a die of the ladder, found {die}")));
        };
        let reached = (place as i64).saturating_add(steps);
        Ok(reached >= 0 && reached < ladder.rungs().len() as i64)
    },
};

fn bad_die(message: String) -> Fault {
    Fault::new(FaultCode::BadDie, message)
}

/// The ladder of an id; the first one declared without an id.
fn ladder_of(call: &Call<'_>, id: Option<Id>) -> Result<Ladder, Fault> {
    let ladders = call.running.ladders.borrow();
    let found = match &id {
        Some(Id(id)) => ladders.iter().find(|(name, _)| name == id),
        None => ladders.first(),
    };
    let Some((name, ladder)) = found else {
        return Err(bad_die(match id {
            Some(Id(id)) => format!("no mod declares the ladder \"{id}\""),
            None => "no mod declares a ladder of dice".into(),
        }));
    };
    call.reach(name);
    Ok(ladder.clone())
}

impl Give for Shifted {
    fn result() -> Option<Names> {
        Some(Names { luau: "(Die, number)".to_string(), wit: "tuple<die, s32>".to_string() })
    }

    fn give(self) -> Given {
        let surplus = Value::Int(i64::from(self.surplus));
        Given::Both(Box::new((Given::Value(Value::Die(self.die)), Given::Value(surplus))))
    }
}
