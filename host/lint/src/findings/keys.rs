//! Cells of tables that are to be keys of another table, and are none.

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use kernel::world::closest;
use rules::data::keys::unknown_keys;
use rules::data::table::KeysOf;

use super::world::WorldOfNames;

/// Checks what a mod has written into the tables of all mods.
pub(super) fn check(world: &WorldOfNames<'_>, module: &Name, found: &mut Vec<Fault>) {
    for table in world.known.tables().values() {
        for keys in &table.keys_of {
            match world.known.tables().get(&keys.table) {
                Some(other) => {
                    let is_own = |fault: &Fault| {
                        let place = fault.place.as_ref();
                        place.is_some_and(|place| place.module == *module)
                    };
                    let unknown = unknown_keys(table, keys, other).into_iter();
                    found.extend(unknown.filter(is_own));
                }
                None if keys.place.module == *module => found.extend(unknown_table(world, keys)),
                None => {}
            }
        }
    }
}

/// One that is nearly another; what is not in play may be there at other times.
fn unknown_table(world: &WorldOfNames<'_>, keys: &KeysOf) -> Option<Fault> {
    let near = closest(&keys.table, world.known.tables().keys().map(|id| &**id))?;
    let message = format!(
        "there is no table `{}`, of which `{}` is to hold keys",
        keys.table, keys.column
    );
    let fault = Fault::new(FaultCode::UnknownTable, message).at(keys.place.clone());
    Some(fault.hint(format!("did you mean `{near}`?")))
}
