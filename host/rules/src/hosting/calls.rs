//! Calls from the kernel and between languages: arguments and results are
//! brought to the signature of the rule on the way.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Field, Mismatch, Name, Value};

use crate::hosting::Running;
use crate::hosting::chain::{Chain, Stopped};
use crate::hosting::registry::{LayerBody, Returns, Signature};
use crate::types::{found_words, typed, typed_domain};

/// Calls a rule from the kernel, without the machine of scripts where its
/// outermost layer is a function of a component.
///
/// # Errors
/// When it was stopped; [`Running::stop`] says why.
pub fn run_outermost(
    shared: &Rc<Running>,
    chain: &Rc<Chain>,
    args: &[Value],
) -> Result<Value, Stopped> {
    let args = arguments(chain, args.to_vec());
    let args = args.map_err(|fault| shared.stop_with(fault.in_rule(&chain.rule)))?;
    direct(shared, chain, chain.links.len().saturating_sub(1), &args)
}

/// Calls a layer of a rule, in whatever language it is, from a component.
///
/// # Errors
/// When it was stopped; [`Running::stop`] says why.
pub fn invoke(
    shared: &Rc<Running>,
    chain: &Rc<Chain>,
    level: usize,
    args: Vec<Value>,
) -> Result<Value, Stopped> {
    invoke_fitted(shared, chain, level, &fitted(shared, chain, args)?)
}

/// Arguments of a call from a component, brought to the signature of the rule.
///
/// # Errors
/// When they do not fit; [`Running::stop`] says why.
pub fn fitted(shared: &Running, chain: &Chain, args: Vec<Value>) -> Result<Vec<Value>, Stopped> {
    arguments(chain, args).map_err(|fault| shared.stop_with(in_running(shared, fault)))
}

/// [`invoke`] with arguments that fit. A rule that only reads is computed
/// apart, so that what it gives depends on what it reads alone, and is kept.
///
/// # Errors
/// When it was stopped; [`Running::stop`] says why.
pub fn invoke_fitted(
    shared: &Rc<Running>,
    chain: &Rc<Chain>,
    level: usize,
    args: &[Value],
) -> Result<Value, Stopped> {
    let run = || noted(shared, chain, level, args);
    if !is_apart(chain, level) {
        return run();
    }
    let apart = || shared.sealed(run);
    match shared.scripts() {
        Some(scripts) => scripts.apart(chain, args, &apart),
        None => apart(),
    }
}

/// Whether a layer of a rule is computed apart where a component calls it: the
/// outermost of one that only reads. A rule under its own wrap is part of what
/// was asked.
pub fn is_apart(chain: &Chain, level: usize) -> bool {
    level + 1 == chain.links.len() && chain.only_reads()
}

/// [`direct`]; what is noted for those who ask why is noted by the machine.
fn noted(
    shared: &Rc<Running>,
    chain: &Rc<Chain>,
    level: usize,
    args: &[Value],
) -> Result<Value, Stopped> {
    if shared.recorder.is_running() {
        let value = call_script(shared, chain, level, args)?;
        return fitting(shared, chain, value);
    }
    direct(shared, chain, level, args)
}

/// The same with arguments that fit, without the machine where it is not needed.
///
/// # Errors
/// When it was stopped; [`Running::stop`] says why.
pub fn direct(
    shared: &Rc<Running>,
    chain: &Rc<Chain>,
    level: usize,
    args: &[Value],
) -> Result<Value, Stopped> {
    let value = match &chain.links[level].body {
        LayerBody::Script(_) | LayerBody::Lines(_) | LayerBody::Nothing => {
            call_script(shared, chain, level, args)
        }
        LayerBody::Component(function) => function.run(shared, chain, level, args),
    };
    fitting(shared, chain, value?)
}

/// What a layer of a rule gives, brought to the signature of the rule.
///
/// # Errors
/// When it does not fit; [`Running::stop`] says why.
pub fn fitting(shared: &Running, chain: &Chain, value: Value) -> Result<Value, Stopped> {
    outcome(shared, &chain.rule, &chain.signature, value)
}

fn call_script(
    shared: &Running,
    chain: &Chain,
    level: usize,
    args: &[Value],
) -> Result<Value, Stopped> {
    shared.scripts().ok_or(Stopped)?.call(chain, level, args)
}

/// A fault of an argument that does not fit.
pub fn bad_argument(chain: &Chain, field: &Field, mismatch: &Mismatch) -> Fault {
    Fault::mismatch(
        &format!("`{}`, argument `{}`", chain.rule, field.name),
        mismatch,
    )
}

/// What is wrong with a call that hands a rule more than its signature lists.
pub fn too_many_arguments(rule: &Name, most: usize, found: &str) -> Fault {
    let most = match most {
        0 => "nothing".into(),
        1 => "1 argument".into(),
        many => format!("{many} arguments"),
    };
    let message =
        format!("`{rule}`: expected no more than {most} after the game, found one more, {found}");
    Fault::new(FaultCode::WrongType, message)
        .hint("a rule gets what its signature lists and nothing else")
}

/// A fault with the place and the rule of the component that runs.
pub fn in_running(shared: &Running, fault: Fault) -> Fault {
    let Some(layer) = shared.frames.borrow().last().map(|frame| frame.layer) else {
        return fault;
    };
    let layer = &shared.layers.borrow()[layer as usize];
    fault.at(layer.place.clone()).in_rule(&layer.rule)
}

/// Arguments by the signature of a rule: what is left out at the end is
/// nothing, and there are no more than it lists.
fn arguments(chain: &Chain, mut args: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let fields = &chain.signature.args;
    if let Some(extra) = args.iter().skip(fields.len()).find(|arg| !arg.is_none()) {
        return Err(too_many_arguments(
            &chain.rule,
            fields.len(),
            &found_words(extra),
        ));
    }
    args.resize(fields.len(), Value::None);
    for (arg, field) in args.iter_mut().zip(fields.iter()) {
        let value = typed(std::mem::take(arg), &field.ty);
        *arg = value.map_err(|mismatch| bad_argument(chain, field, &mismatch))?;
    }
    Ok(args)
}

/// What a rule gives back, by its signature.
fn outcome(
    shared: &Running,
    rule: &Name,
    signature: &Signature,
    value: Value,
) -> Result<Value, Stopped> {
    let checked = match &signature.returns {
        Returns::Nothing => Ok(Value::None),
        Returns::Value(ty) => typed(value, ty).map_err(|mismatch| mismatch.to_string()),
        Returns::Domain(ty) => typed_domain(value, ty),
    };
    checked.map_err(|message| {
        let fault =
            Fault::new(FaultCode::BadReturn, format!("`{rule}` returns: {message}")).in_rule(rule);
        let layers = shared.layers.borrow();
        let place = layers
            .iter()
            .rfind(|layer| layer.rule == *rule)
            .map(|layer| layer.place.clone());
        shared.stop_with(match place {
            Some(place) => fault.at(place),
            None => fault,
        })
    })
}

/// The rule of an id, with its wraps.
///
/// # Errors
/// When no mod defines it.
pub fn chain_of(shared: &Running, rule: &str) -> Result<Rc<Chain>, Fault> {
    shared.chains.borrow().get(rule).cloned().ok_or_else(|| {
        if let Some(fault) = shared.off_rule(rule) {
            return fault;
        }
        let fault = Fault::new(
            FaultCode::UnknownRule,
            format!("no mod defines the rule `{rule}`"),
        );
        match shared.nearest("rule", rule) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    })
}
