//! What ends a call into a component, in words.

use kernel::error::{Fault, FaultCode};
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
