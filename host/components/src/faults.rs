//! What ends a call into a component, in words.

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use rules::hosting::Running;
use rules::limits::{DEEPEST_COMPONENTS, with_hint};

/// What the machine says, in one line.
pub(crate) fn first_line(error: &wasmtime::Error) -> String {
    let text = format!("{error:#}");
    text.lines().next().unwrap_or("").trim().to_string()
}

pub(crate) fn too_deep() -> Fault {
    let message =
        format!("expected at most {DEEPEST_COMPONENTS} nested calls of components, found more");
    with_hint(Fault::new(FaultCode::TooDeep, message))
}

pub(crate) fn too_much_memory() -> Fault {
    let message = "expected at most 64 MiB of memory in an instance and 256 MiB in all, found more";
    with_hint(Fault::new(FaultCode::TooMuchMemory, message))
}

/// A fault over a word that another mod adds to an enum, with that mod: a
/// component knows the words that its bindings were made with.
pub(crate) fn with_word(running: &Running, fault: Fault, module: &Name) -> Fault {
    if fault.code != FaultCode::WrongType || !fault.message.starts_with("expected one of `") {
        return fault;
    }
    let found = fault.message.rsplit_once("found `");
    let word = found.and_then(|(_, rest)| rest.strip_suffix('`'));
    let added = running.added_words.borrow();
    let Some((word, (id, by))) = word.and_then(|word| added.get_key_value(word)) else {
        return fault;
    };
    let hint = format!(
        "mod `{by}` adds `{word}` to `{id}`; the component of `{module}` knows only the words that its bindings were made with"
    );
    fault.hint(hint)
}
