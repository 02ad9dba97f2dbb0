//! The sequence of play, sides and the table, and what is told.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::value::{Field, Type, Value, is_word};
use kernel::world::closest;

use super::function::{Call, Entry, Function, spec};
use super::types::{AudienceSpec, Id, OtherSide, PhaseData, Record, Rest, SideName, Untyped};
use crate::hosting::listeners::listeners;
use crate::trace::Note;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[
    &SIDES, &OPPONENT, &OPPONENTS, &TURNS, &WIDTH, &DEPTH, &EMIT, &PUSH, &OPEN, &ENTER, &LEAVE,
    &FINISH, &PHASE, &ROUND,
];

/// `game:sides`.
pub const SIDES: Function<(), Vec<SideName>> = Function {
    spec: spec(
        "game:sides",
        "game.sides",
        &[],
        "All sides, in the order of the scenario.",
    ),
    run: |call, ()| {
        Ok(call
            .game
            .world()
            .sides()
            .iter()
            .cloned()
            .map(SideName)
            .collect())
    },
};

/// `game:opponent`.
pub const OPPONENT: Function<(SideName,), OtherSide> = Function {
    spec: spec(
        "game:opponent",
        "game.opponent",
        &["side"],
        "The other side; with more than two, the first of the others.",
    ),
    run: |call, (side,)| {
        Ok(OtherSide(
            others(call, &side)?.into_iter().next().map(|side| side.0),
        ))
    },
};

/// `game:opponents`.
pub const OPPONENTS: Function<(SideName,), Vec<SideName>> = Function {
    spec: spec(
        "game:opponents",
        "game.opponents",
        &["side"],
        "All other sides.",
    ),
    run: |call, (side,)| others(call, &side),
};

fn others(call: &Call<'_>, SideName(side): &SideName) -> Result<Vec<SideName>, Fault> {
    call.side(side)?;
    let others = call
        .game
        .world()
        .sides()
        .iter()
        .filter(|other| *other != side);
    Ok(others.cloned().map(SideName).collect())
}

/// `game:turns`.
pub const TURNS: Function<(), Option<u32>> = Function {
    spec: spec(
        "game:turns",
        "game.turns",
        &[],
        "How many turns the scenario gives the game; nothing if it does not say. What happens then is for the rules.",
    ),
    run: |call, ()| Ok(call.game.turns()),
};

/// `game:width`.
pub const WIDTH: Function<(), Length> = Function {
    spec: spec(
        "game:width",
        "game.width",
        &[],
        "The width of the table: points have x from 0 to it.",
    ),
    run: |call, ()| Ok(call.game.table().0),
};

/// `game:depth`.
pub const DEPTH: Function<(), Length> = Function {
    spec: spec(
        "game:depth",
        "game.depth",
        &[],
        "The depth of the table: points have y from 0 to it.",
    ),
    run: |call, ()| Ok(call.game.table().1),
};

/// `game:emit`.
pub const EMIT: Function<(Id, Record, Option<AudienceSpec>), ()> = Function {
    spec: spec(
        "game:emit",
        "game.emit",
        &["event", "fields", "how"],
        "Tells that something happened, to everybody or to the audience. F014 for an unknown event, F022 for a field that does not fit. Fields left out hold nothing.",
    )
    .writes("emits an event"),
    run: |call, (Id(kind), Record(fields), how)| {
        let cause = call.cause();
        let declared = call.game.book().event(&kind)?.fields.clone();
        let record = fields.fit(&Type::Record(declared), format_args!("event `{kind}`"))?;
        let audience = call.audience(how)?;
        let fields = match &record {
            Value::Map(fields) => (**fields).clone(),
            _ => BTreeMap::new(),
        };
        call.game.emit(&kind, fields, &audience, cause)?;
        for listener in listeners(call.game, &kind) {
            call.game.push(&listener, vec![record.clone()])?;
        }
        Ok(())
    },
};

/// `game:push`.
pub const PUSH: Function<(Id, Rest), ()> = Function {
    spec: spec(
        "game:push",
        "game.push",
        &["step", "args"],
        "Pushes a step with its arguments: it runs after this step, in the order written. F021 for a rule that is no step.",
    )
    .writes("pushes a step"),
    run: |call, (Id(step), Rest(args))| {
        let fields: Arc<[Field]> = call.game.book().steps.get(&*step).cloned().unwrap_or_default();
        let args = fitted(&fields, args, &step)?;
        call.game.push(&step, args).map_err(|fault| near_step(fault, call.game, &step))?;
        call.trace(Note::Push(step));
        Ok(())
    },
};

/// Arguments by the types of their fields; what is left out is nothing, and
/// what is too much the game refuses.
fn fitted(fields: &[Field], args: Vec<Untyped>, step: &str) -> Result<Vec<Value>, Fault> {
    let mut args = args.into_iter();
    let mut fitted = Vec::with_capacity(fields.len());
    for field in fields {
        let arg = args.next().unwrap_or_else(|| Value::None.into());
        fitted.push(arg.fit(
            &field.ty,
            format_args!("step `{step}`, argument `{}`", field.name),
        )?);
    }
    for arg in args {
        fitted.push(arg.fit(&Type::Any, format_args!("step `{step}`"))?);
    }
    while fitted.len() > fields.len() && fitted.last().is_some_and(Value::is_none) {
        fitted.pop();
    }
    Ok(fitted)
}

/// A step that nobody defines, with the one that was meant.
fn near_step(fault: Fault, game: &Game, step: &str) -> Fault {
    match closest(step, game.book().steps.keys().map(|id| &**id)) {
        Some(near) if fault.code == FaultCode::UnknownRule => {
            fault.hint(format!("did you mean `{near}`?"))
        }
        _ => fault,
    }
}

/// `game:open`.
pub const OPEN: Function<(Id, Record), ()> = Function {
    spec: spec(
        "game:open",
        "game.open",
        &["window", "data"],
        "Opens a window after this step. F017 for an unknown window, F022 for data that does not fit. F027 in a secret phase.",
    )
    .writes("opens a window"),
    run: |call, (Id(window), Record(data))| {
        call.trace(Note::Open(window.clone()));
        let ty = Type::Record(call.game.book().window(&window)?.carries.clone());
        let data = data.fit(&ty, format_args!("window `{window}`"))?;
        call.game.open(&window, data)
    },
};

/// `game:enter`.
pub const ENTER: Function<(Id, Record), ()> = Function {
    spec: spec(
        "game:enter",
        "game.enter",
        &["phase", "data"],
        "Enters a phase after this step, with data for its rules. F016 for an unknown phase. F027 in a secret phase.",
    )
    .writes("enters a phase"),
    run: |call, (Id(phase), Record(data))| {
        let data = data.fit(&Type::Any, format_args!("phase `{phase}`"))?;
        call.game.enter(&phase, data)
    },
};

/// `game:leave`.
pub const LEAVE: Function<(Id,), ()> = Function {
    spec: spec(
        "game:leave",
        "game.leave",
        &["phase"],
        "Leaves an open phase, with all that lies above it, after this step. F016 if it is not open. F027 in a secret phase.",
    )
    .writes("leaves a phase"),
    run: |call, (Id(phase),)| call.game.leave(&phase),
};

/// `game:finish`.
pub const FINISH: Function<(Record,), ()> = Function {
    spec: spec(
        "game:finish",
        "game.finish",
        &["result"],
        "Ends the game after this step, with a result. F027 in a secret phase.",
    )
    .writes("ends the game"),
    run: |call, (Record(result),)| {
        let result = result.fit(&Type::Any, format_args!("the result of the game"))?;
        has_counted_fields(&result, call.game)?;
        call.game.finish(result)
    },
};

/// What those who count games read of a result is what they can count: a side, or a
/// word such as `draw`, and a text.
fn has_counted_fields(result: &Value, game: &Game) -> Result<(), Fault> {
    for field in ["winner", "victor"] {
        let found = match result.field(field) {
            None | Some(Value::None) => continue,
            Some(Value::Text(word)) if is_word(word) => continue,
            Some(Value::Text(text)) => format!("the text `{text}`"),
            Some(other) => other.type_word().to_string(),
        };
        let sides = game.world().sides().join("`, `");
        let message =
            format!("`{field}` of the result: expected the id of a side, `{sides}`, found {found}");
        return Err(Fault::new(FaultCode::WrongType, message)
            .hint("what a side is called is not its id; without a winner leave the field out"));
    }
    match result.field("reason") {
        None | Some(Value::None | Value::Text(_)) => Ok(()),
        Some(other) => {
            let found = other.type_word();
            let message = format!("`reason` of the result: expected a text, found {found}");
            Err(Fault::new(FaultCode::WrongType, message))
        }
    }
}

/// `game:phase`.
pub const PHASE: Function<(Id,), Option<PhaseData>> = Function {
    spec: spec(
        "game:phase",
        "game.phase",
        &["phase"],
        "The data of an open phase; an empty record if it was given none, nothing if it is not open.",
    ),
    run: |call, (Id(phase),)| {
        call.game.note_phase(&phase);
        Ok(call
            .game
            .flow()
            .phase(&phase)
            .map(|phase| PhaseData(phase.data.clone())))
    },
};

/// `game:round`.
pub const ROUND: Function<(Id,), u32> = Function {
    spec: spec(
        "game:round",
        "game.round",
        &["phase"],
        "How many rounds an open loop has begun; 0 if it is not open.",
    ),
    run: |call, (Id(phase),)| {
        call.game.note_phase(&phase);
        Ok(call
            .game
            .flow()
            .phase(&phase)
            .map_or(0, |phase| phase.rounds))
    },
};
