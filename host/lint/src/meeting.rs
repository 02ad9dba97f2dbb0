//! Which mods change the same thing of another one in their data, so that they
//! may be whole alone and broken together.

use std::collections::BTreeSet;

use kernel::value::{Name, owner_of};
use matches::workshop::Workshop;

/// Pairs of mods of which neither stands on the other, and that extend or amend
/// the same thing of a third.
pub fn meeting(workshop: &Workshop) -> Vec<[Name; 2]> {
    let changing: Vec<(&Name, BTreeSet<&str>)> = workshop
        .sources()
        .iter()
        .filter(|(id, _)| workshop.manifests().contains_key(*id))
        .map(|(id, sources)| {
            let texts = sources.under("data").filter(|(path, _)| path.ends_with(".ron"));
            (id, texts.flat_map(|(_, text)| changed_in(text)).filter(|of| owner_of(of) != &**id).collect())
        })
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

/// The ids after `Extend(enum:`, `Amend(table:` and their like.
fn changed_in<'a>(text: &'a str) -> Vec<&'a str> {
    let starts = ["Extend(", "Amend("].into_iter().flat_map(|word| text.split(word).skip(1));
    // The first field says what is changed.
    let id = |rest: &'a str| {
        let (field, rest) = rest.split_once('"')?;
        let (id, _) = rest.split_once('"')?;
        (field.trim_end().ends_with(':') && !field.contains([',', ')'])).then_some(id)
    };
    starts.filter_map(id).collect()
}

#[cfg(test)]
mod tests {
    use super::changed_in;

    #[test]
    fn what_is_extended_and_amended_is_read_from_the_text() {
        let text = "[\n Extend(enum: \"a.quality\", values: [(name: \"elite\")]),\n Table(id: \"b.own\"),\n Amend(\n  table: \"a.fire\", add: [(\"elite\", 1)])]";
        assert_eq!(changed_in(text), ["a.quality", "a.fire"]);
    }
}
