//! What is fixed while a game runs: rules, clauses, options, tables.

use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, Value};

use super::function::{Call, Entry, Function, spec};
use super::types::{AttributeValue, Id, MaybeRow, Rest, Rows};
use crate::hosting::Lookup;
use crate::hosting::rows::{RowIndex, ScriptRow};
use crate::limits::cost;
use crate::trace::Note;
use crate::types::typed;

/// The functions, in the order in which they are explained.
pub(super) const ALL: &[&dyn Entry] = &[&CLAUSE, &OPTION, &ROW, &ROWS];

/// `game:clause`.
pub const CLAUSE: Function<(Id,), bool> = Function {
    spec: spec(
        "game:clause",
        "game.clause",
        &["clause"],
        "Whether a clause is on. F009 for a clause that no manifest lists.",
    )
    .native(),
    run: |call, (Id(id),)| {
        let found = call.running.clauses.borrow().get(&id).copied();
        let is_on = found.ok_or_else(|| {
            let fault = Fault::new(
                FaultCode::UnknownClause,
                format!("no mod lists the clause `{id}`"),
            );
            call.nearest(fault, "clause", &id)
        })?;
        call.running.looked_up(Lookup::Clause, &id);
        call.trace(Note::Clause(id, is_on));
        Ok(is_on)
    },
};

/// `game:option`.
pub const OPTION: Function<(Id,), AttributeValue> = Function {
    spec: spec(
        "game:option",
        "game.option-value",
        &["option"],
        "The value of an option. F011 for an option that no manifest lists.",
    )
    .native(),
    run: |call, (Id(id),)| {
        let found = call.running.options.borrow().get(&id).cloned();
        let value = found.ok_or_else(|| {
            let fault = Fault::new(
                FaultCode::UnknownOption,
                format!("no mod lists the option `{id}`"),
            );
            call.nearest(fault, "option", &id)
        })?;
        call.trace(Note::Option(id, value.clone()));
        Ok(AttributeValue(value))
    },
};

/// `Table:get`.
pub const ROW: Function<(Id, Rest), MaybeRow> = Function {
    spec: spec(
        "table:get",
        "game.row",
        &["table", "key"],
        "The row of a key (a `Row`), its fields in order. Where there is none, F025 in Luau, whose `find` gives nothing; \
         components get nothing. F015 for an unknown table.",
    )
    .native(),
    run: |call, (Id(table), Rest(key))| {
        let index = index(call, &table)?;
        call.running.looked_up(Lookup::Table, &table);
        let Some(first) = index.rows.first() else { return Ok(MaybeRow(None)) };
        let key: Result<Vec<Value>, Fault> =
            key.iter().map(|part| part.fit(&Type::Any, format_args!("key of `{table}`"))).collect();
        let place = index.by_key.get(&like(key?, &first.key)).copied();
        Ok(MaybeRow(place.map(|place| {
            let row = &index.rows[place];
            call.trace(Note::Row(row.mark.clone()));
            value_of(row)
        })))
    },
};

/// `Table:rows`.
pub const ROWS: Function<(Id,), Rows> = Function {
    spec: spec("table:rows", "game.rows", &["table"], "All rows, by key.")
        .costs("4 for each row")
        .native(),
    run: |call, (Id(table),)| {
        let index = index(call, &table)?;
        call.running.looked_up(Lookup::Table, &table);
        call.spend(cost::places(index.rows.len()))?;
        index
            .rows
            .iter()
            .for_each(|row| call.running.reach(&row.mark));
        Ok(Rows(index.rows.iter().map(value_of).collect()))
    },
};

fn index(call: &Call<'_>, table: &Name) -> Result<Rc<RowIndex>, Fault> {
    let found = call.running.rows.borrow().get(table).cloned();
    found.ok_or_else(|| {
        let fault = Fault::new(
            FaultCode::UnknownTable,
            format!("no mod declares the table `{table}`"),
        );
        call.nearest(fault, "table", table)
    })
}

fn value_of(row: &ScriptRow) -> Value {
    let cells = row.cells.iter().filter(|(_, cell)| !cell.is_none());
    Value::Map(Arc::new(
        cells
            .map(|(name, cell)| (name.clone(), cell.clone()))
            .collect(),
    ))
}

/// A key as the table has it: a number stands for a length, a text for a die.
fn like(key: Vec<Value>, model: &[Value]) -> Vec<Value> {
    let one = |(value, model): (Value, &Value)| {
        let ty = match model {
            Value::Length(_) => Type::Length,
            Value::Angle(_) => Type::Angle,
            Value::Direction(_) => Type::Direction,
            Value::Die(_) => Type::Die,
            Value::Int(_) => Type::INT,
            _ => return value,
        };
        typed(value.clone(), &ty).unwrap_or(value)
    };
    key.into_iter()
        .zip(model.iter().chain(std::iter::repeat(&Value::None)))
        .map(one)
        .collect()
}
