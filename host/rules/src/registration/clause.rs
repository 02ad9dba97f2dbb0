//! Clauses that nobody knows.

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, is_id, owner_of};
use kernel::world::closest;

/// The fault of a clause that is not among those of the mods that take part.
pub fn unknown_clause<'c>(clause: &str, known: impl Iterator<Item = &'c Name> + Clone) -> Fault {
    let owner = owner_of(clause);
    if is_id(clause) && known.clone().all(|id| owner_of(id) != owner) {
        let message =
            format!("the clause `{clause}` is of mod `{owner}`, which does not take part");
        let fault = Fault::new(FaultCode::UnknownClause, message);
        // One that is said without its mod where that must stand before it.
        let mut whole = known.clone().filter(|id| {
            let rest = id.split_once('.').map(|(_, rest)| rest);
            rest == Some(clause)
        });
        if let Some(whole) = whole.next() {
            return fault.hint(format!("did you mean `{whole}`?"));
        }
        return match closest(owner, known.map(|id| owner_of(id))) {
            Some(near) => fault.hint(format!("did you mean a clause of `{near}`?")),
            None => fault.hint(format!("list `{owner}` under `depends` in `mod.ron`")),
        };
    }
    let fault = Fault::new(
        FaultCode::UnknownClause,
        format!("no manifest lists the clause `{clause}`"),
    );
    match closest(clause, known.map(|id| &**id)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint("list it in a group of `mod.ron`"),
    }
}
