//! Calls of rules from rules.

use crate::Value;
use crate::bindings::houserule::contract::{calls, game as wit};
use crate::value::{nodes, read};

pub(crate) fn called(rule: &str, args: Vec<Value>) -> Value {
    let args = Value::List(args);
    outcome(calls::enter(rule, &nodes(&args)), args)
}

pub(crate) fn under(args: Vec<Value>) -> Value {
    let args = Value::List(args);
    outcome(calls::enter_base(&nodes(&args)), args)
}

/// What a rule gives: what the host says, or what the function gives that the
/// host leaves to this instance.
fn outcome(entered: calls::Entered, args: Value) -> Value {
    let function = match entered {
        calls::Entered::Done(value) => return read(value),
        calls::Entered::Here(function) => function,
    };
    let Value::List(mut args) = args else {
        return Value::Nothing;
    };
    let given = match crate::parts::run(function, &mut args) {
        Ok(given) => given,
        Err(fault) => {
            wit::fail(&fault.into_wit());
            unreachable!("a rule that has failed does not go on")
        }
    };
    match calls::leave(&nodes(&given)) {
        Some(fitted) => read(fitted),
        None => given,
    }
}
