//! Which mods change the same thing of another one in their data, so that they
//! may be whole alone and broken together.

use std::collections::BTreeSet;

use kernel::value::{Name, owner_of};
use matches::workshop::Workshop;

/// Pairs of mods of which neither stands on the other, and that extend or amend
/// the same thing of a third.
pub fn meeting(workshop: &Workshop) -> Vec<[Name; 2]> {
    let changing: Vec<(&Name, BTreeSet<&Name>)> = workshop
        .manifests()
        .keys()
        .map(|id| (id, changed_by(workshop, id)))
        .collect();
    let mut pairs = Vec::new();
    for (at, (one, own)) in changing.iter().enumerate() {
        for (other, others) in &changing[at + 1..] {
            let is_alone = !stands_on(workshop, one, other) && !stands_on(workshop, other, one);
            if is_alone && !own.is_disjoint(others) {
                pairs.push([(*one).clone(), (*other).clone()]);
            }
        }
    }
    pairs
}

fn stands_on(workshop: &Workshop, module: &Name, other: &Name) -> bool {
    let manifest = workshop.manifests().get(module).into_iter();
    manifest
        .flat_map(|manifest| &manifest.depends)
        .any(|on| on.id == *other || stands_on(workshop, &on.id, other))
}

/// What a mod changes of others; nothing of one whose data cannot be read, which
/// is told of it alone.
fn changed_by<'a>(workshop: &'a Workshop, module: &Name) -> BTreeSet<&'a Name> {
    let changed = workshop
        .data(module)
        .into_iter()
        .flat_map(|data| data.changed());
    changed.filter(|of| owner_of(of) != &**module).collect()
}
