//! Rules in a chapter whose name was misspelt: any name makes a chapter, and of
//! this one nobody uses anything.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, owner_of};
use kernel::world::closest;

use super::facts::UnitSort;
use super::world::WorldOfNames;
use super::{FileFacts, Sink};

/// Checks the rules that a file gives.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let known = known_chapters(world, file.module);
    for unit in &file.facts.units {
        let UnitSort::Rule(path) = &unit.sort else {
            continue;
        };
        let [module, chapter, name] = path.as_slice() else {
            continue;
        };
        let is_used = || {
            world
                .used_chapters
                .contains(&(module.clone(), chapter.clone()))
        };
        if **file.module != *module || known.contains(chapter) || is_used() {
            continue;
        }
        let Some(near) = closest(chapter, known.iter().map(String::as_str)) else {
            continue;
        };
        let message =
            format!("`{chapter}` is no group of clauses, and nothing uses a rule of that chapter");
        let fault = Fault::new(FaultCode::UnknownRule, message);
        sink.put(
            fault.hint(format!("did you mean `{near}.{name}`?")),
            unit.at.begin,
        );
    }
}

/// The groups of a mod, and the chapters of which something is used.
fn known_chapters(world: &WorldOfNames<'_>, module: &Name) -> BTreeSet<String> {
    let chapter = |id: &Name| {
        id.split('.')
            .nth(1)
            .map(|chapter| chapter.replace('-', "_"))
    };
    let of_clauses = world
        .known
        .clauses(module)
        .filter_map(|clause| chapter(&clause.id));
    let used = world
        .used_chapters
        .iter()
        .filter(|(owner, _)| *owner_of(owner) == **module);
    let declared = world
        .known
        .things()
        .filter(|([owner, ..], _)| **module == **owner);
    let declared = declared.map(|([_, chapter, _], _)| chapter.clone());
    of_clauses
        .chain(used.map(|(_, chapter)| chapter.clone()))
        .chain(declared)
        .collect()
}
