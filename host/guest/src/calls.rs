//! Calls of rules from rules.

use crate::Value;
use crate::bindings::houserule::contract::game as wit;
use crate::border::{Went, enter, enter_base, leave};

pub(crate) fn called(rule: &str, args: Vec<Value>) -> Value {
    outcome(enter(rule, &args), args)
}

pub(crate) fn under(args: Vec<Value>) -> Value {
    outcome(enter_base(&args), args)
}

/// What a rule gives: what the host says, or what the function gives that the
/// host leaves to this instance.
fn outcome(went: Went, mut args: Vec<Value>) -> Value {
    let function = match went {
        Went::Done(value) => return value,
        Went::Here(function) => function,
    };
    let given = match crate::parts::run(function, &mut args) {
        Ok(given) => given,
        Err(fault) => {
            wit::fail(&fault.into_wit());
            unreachable!("a rule that has failed does not go on")
        }
    };
    leave(&given).unwrap_or(given)
}
