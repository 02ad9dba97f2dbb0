//! Which rules have answers that are kept, and by which numbers they are told apart.

use kernel::game::Effects;
use kernel::value::Name;
use rustc_hash::FxHashMap;

use super::MOST_RULES;
use crate::vm::Shared;
use rules::hosting::registry::{Returns, Signature};

/// Whether a rule is one whose answers are kept: it only reads, and tells
/// something.
pub(crate) fn is_keepable(signature: &Signature) -> bool {
    Effects::READS.include(signature.effects) && signature.returns != Returns::Nothing
}

/// The number by which calls of a rule are told from those of others.
pub(crate) fn numbered(
    shared: &Shared,
    numbers: &mut FxHashMap<Name, u32>,
    rule: &Name,
) -> Option<u32> {
    let next = numbers.len() as u32;
    let number = *numbers.entry(rule.clone()).or_insert(next);
    shared.profiler.number(rule, number);
    (number < MOST_RULES).then_some(number)
}
