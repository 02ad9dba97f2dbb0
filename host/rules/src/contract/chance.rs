//! Dice and chits.

use std::sync::Arc;

use kernel::chits::Worths;
use kernel::dice::{DiceError, Die, Ladder, Shifted};
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use super::function::{Call, Entry, Function, spec};
use super::places::Paid;
use super::types::{
    AudienceSpec, ChitCount, ContractName, Give, Given, Id, ShiftReason, Steps, TallyWorth,
};
use crate::hosting::Running;
use crate::limits::cost;
use crate::trace::Note;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[
    &ROLL, &ROLL_ALL, &SHIFT, &CAN_SHIFT, &DRAW, &TALLY, &TAKE, &PUT_BACK,
];

/// `game:roll`.
pub const ROLL: Function<(Die, Option<Name>, Option<AudienceSpec>), u16> = Function {
    spec: spec(
        "game:roll",
        "game.roll",
        &["die", "purpose", "how"],
        "Rolls one die and gives its face, from 1. Scripts may give the die as a text such as `d8` or as its number of sides. It is told to everybody, or to the audience, by the fields `dice`, `faces` and `purpose`.",
    )
    .draws("rolls dice")
    .costs("24"),
    run: |call, (die, purpose, how)| {
        call.spend(cost::rows(1))?;
        Ok(rolled(call, &[die], purpose, how)?.first().copied().unwrap_or_default())
    },
};

type RollAll = (Paid<Die>, Option<Name>, Option<AudienceSpec>);

/// `game:roll_all`.
pub const ROLL_ALL: Function<RollAll, Vec<u16>> = Function {
    spec: spec(
        "game:roll_all",
        "game.roll-all",
        &["dice", "purpose", "how"],
        "Rolls dice in order and gives their faces.",
    )
    .draws("rolls dice")
    .costs("24 for each die"),
    run: |call, (dice, purpose, how)| rolled(call, dice.all(), purpose, how),
};

fn rolled(
    call: &mut Call<'_>,
    dice: &[Die],
    purpose: Option<Name>,
    how: Option<AudienceSpec>,
) -> Result<Vec<u16>, Fault> {
    let cause = call.cause();
    let audience = call.audience(how)?;
    call.game
        .roll(dice, purpose.as_deref().unwrap_or(""), &audience, cause)
}

/// `game:draw`.
pub const DRAW: Function<(Id, ChitCount, Option<AudienceSpec>), Vec<Name>> = Function {
    spec: spec(
        "game:draw",
        "game.draw",
        &["pot", "count", "how"],
        "Draws chits and puts them all back at once. F019 for an unknown pot, F038 if it holds too few. It is told to everybody, or to the audience, by the fields `pot` and `chits`.",
    )
    .draws("draws chits")
    .costs("1 for each chit"),
    run: |call, (pot, count, how)| drawn(call, &pot, count, how, false),
};

/// `game:tally`.
pub const TALLY: Function<(Id, ChitCount, Worths, Option<AudienceSpec>), TallyWorth> = Function {
    spec: spec(
        "game:tally",
        "game.tally",
        &["pot", "count", "worths", "how"],
        "Draws chits, puts them all back at once, and gives what they are worth together. `worths` says of each chit, by its name, a record of what it is worth; records are added field by field: whole numbers as numbers, lists to one sorted list, booleans to whether one is true. What is left out adds nothing. A rule that looks at chits only so has odds that are counted fast, for handfuls of the same sum are one. It is told as by `game:draw`.",
    )
    .draws("draws chits")
    .costs("1 for each chit"),
    run: |call, (Id(pot), ChitCount(count), worths, how)| {
        let cause = call.cause();
        let audience = call.audience(how)?;
        call.spend(cost::chits(count))?;
        call.game.tally(&pot, count, &worths, &audience, cause).map(TallyWorth)
    },
};

/// `game:take`.
pub const TAKE: Function<(Id, ChitCount, Option<AudienceSpec>), Vec<Name>> = Function {
    spec: spec(
        "game:take",
        "game.take",
        &["pot", "count", "how"],
        "Draws chits and keeps them out of the pot. F027 in a secret phase.",
    )
    .draws("draws chits")
    .costs("1 for each chit"),
    run: |call, (pot, count, how)| drawn(call, &pot, count, how, true),
};

fn drawn(
    call: &mut Call<'_>,
    Id(pot): &Id,
    ChitCount(count): ChitCount,
    how: Option<AudienceSpec>,
    keep: bool,
) -> Result<Vec<Name>, Fault> {
    let cause = call.cause();
    let audience = call.audience(how)?;
    call.spend(cost::chits(count))?;
    call.game.draw(pot, count, keep, &audience, cause)
}

/// `game:put_back`.
pub const PUT_BACK: Function<(Id, Name), ()> = Function {
    spec: spec(
        "game:put_back",
        "game.put-back",
        &["pot", "chit"],
        "Puts back a chit that was taken. F038 if none of these is out. F027 in a secret phase.",
    )
    .draws("puts chits back"),
    run: |call, (Id(pot), chit)| call.game.put_back(&pot, &chit),
};

/// `die:up`.
pub const SHIFT: Function<(Die, Steps, ShiftReason, Option<Id>), Shifted> = Function {
    spec: spec(
        "die:up",
        "game.shift",
        &["die", "steps", "reason", "ladder"],
        "The die so many steps up a ladder that a mod declares; without an id, the first one declared. The reason is told in reports. What happens past the end, the ladder says: it stops; it is a fault; or it stops and the second result counts the steps that were too many (else that is 0). F037 for a die that is not on the ladder, without a reason, or without a ladder.",
    ),
    run: |call, (die, Steps(steps), ShiftReason(reason), ladder)| {
        ladder_of(call.running, ladder.as_ref())?
            .shift(&die, few(steps), reason)
            .map_err(bad_die)
    },
};

/// `die:can_shift`.
pub const CAN_SHIFT: Function<(Die, Steps, Option<Id>), bool> = Function {
    spec: spec(
        "die:can_shift",
        "game.can-shift",
        &["die", "steps", "ladder"],
        "Whether so many steps (below 0: down) stay on the ladder.",
    ),
    run: |call, (die, Steps(steps), ladder)| {
        ladder_of(call.running, ladder.as_ref())?
            .can_shift(&die, many(steps))
            .map_err(bad_die)
    },
};

/// A die shifted by lines, which meet the end of the ladder together; nothing
/// where the end refuses and there may be no die.
///
/// # Errors
/// F037 as `die:up`.
pub fn shift_by_lines(
    running: &Running,
    die: &Die,
    steps: i64,
    lines: &[(i64, Name)],
    (ladder, may_be_none): (Option<&Id>, bool),
) -> Result<Option<Die>, Fault> {
    let reasons: Vec<(i8, Arc<str>)> = lines
        .iter()
        .map(|(by, reason)| (few(*by), reason.clone()))
        .collect();
    match ladder_of(running, ladder)?.shift_together(die, many(steps), &reasons) {
        Ok(shifted) => Ok(Some(shifted.die)),
        Err(DiceError::Refused { .. }) if may_be_none => Ok(None),
        Err(error) => Err(bad_die(error)),
    }
}

/// A number of steps; past every ladder where it would not fit.
fn few(steps: i64) -> i8 {
    i8::try_from(steps).unwrap_or(if steps < 0 { i8::MIN } else { i8::MAX })
}

/// The same for steps of which several are added.
fn many(steps: i64) -> i32 {
    i32::try_from(steps).unwrap_or(if steps < 0 { i32::MIN } else { i32::MAX })
}

fn bad_die(error: DiceError) -> Fault {
    Fault::new(FaultCode::BadDie, error.to_string())
}

/// The ladder of an id; the first one declared without an id.
fn ladder_of(running: &Running, id: Option<&Id>) -> Result<Ladder, Fault> {
    let ladders = running.ladders.borrow();
    let found = match &id {
        Some(Id(id)) => ladders.iter().find(|(name, _)| name == id),
        None => ladders.first(),
    };
    let Some((name, ladder)) = found else {
        let message = match id {
            Some(Id(id)) => format!("no mod declares the ladder \"{id}\""),
            None => "no mod declares a ladder of dice".into(),
        };
        return Err(Fault::new(FaultCode::BadDie, message));
    };
    running.trace(Note::Ladder(name.clone()));
    Ok(ladder.clone())
}

impl Give for Shifted {
    fn result() -> Option<ContractName> {
        Some(ContractName {
            luau: "(Die, number)".to_string(),
            wit: "tuple<die, s32>".to_string(),
        })
    }

    fn give(self) -> Given {
        let surplus = Value::Int(i64::from(self.surplus));
        Given::Both(Box::new((
            Given::Value(Value::Die(self.die)),
            Given::Value(surplus),
        )))
    }
}
