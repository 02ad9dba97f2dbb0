//! How much a world holds, so that many inputs that each add a little cannot
//! fill the memory.

use crate::error::{Fault, FaultCode};
use crate::value::Value;

/// A world holds no more parts than this: entities, their attributes, and what
/// is in lists and maps. A text counts one for each sixteen bytes.
pub const MOST_PARTS: u64 = 2_000_000;

/// How many parts a value has.
pub(super) fn parts_of(value: &Value) -> u64 {
    match value {
        Value::Text(text) => 1 + text.len() as u64 / 16,
        Value::List(items) => 1 + items.iter().map(parts_of).sum::<u64>(),
        Value::Map(map) => {
            let inner = |(key, value): (_, &Value)| 1 + str::len(key) as u64 / 16 + parts_of(value);
            1 + map
                .iter()
                .map(|(key, value)| inner((&**key, value)))
                .sum::<u64>()
        }
        _ => 1,
    }
}

/// # Errors
/// When there would be more parts than a world may hold, and more than before.
pub(super) fn check_size(before: u64, after: u64) -> Result<(), Fault> {
    if after <= MOST_PARTS || after <= before {
        return Ok(());
    }
    let message = format!(
        "expected a game that holds at most {MOST_PARTS} values, found one that holds more"
    );
    Err(Fault::new(FaultCode::TooMuchMemory, message)
        .hint("remove entities that are not needed any more, and keep no lists that only grow"))
}
