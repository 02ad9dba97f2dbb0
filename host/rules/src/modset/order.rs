//! The order of mods: after what they depend on, then after what they say they
//! come after, then by id.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use semver::Version;

use super::manifest::Manifest;
use super::manifests::Manifests;

/// Mods in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoadOrder {
    /// The mods, first to last.
    pub mods: Vec<Name>,
    /// For each mod, all that come before it by a stated order.
    earlier: BTreeMap<Name, BTreeSet<Name>>,
}

impl LoadOrder {
    /// Whether it is stated, in one step or many, that a mod comes before
    /// another. Where it is not, their order is only that of their ids.
    pub fn is_stated(&self, earlier: &str, later: &str) -> bool {
        self.earlier
            .get(later)
            .is_some_and(|before| before.contains(earlier))
    }
}

/// Why one mod comes after another.
#[derive(Clone, Copy)]
enum Because {
    Depends,
    After,
}

/// Puts mods and all that they depend on in order.
///
/// # Errors
/// Mods that are not there, or in a version that will not do; mods that cannot
/// be used together; circles, each named in full.
pub fn resolve(manifests: &Manifests, wanted: &BTreeSet<Name>) -> Result<LoadOrder, Vec<Fault>> {
    let mut faults = Vec::new();
    let needed = needed(manifests, wanted, &mut faults);
    conflicts(&needed, &mut faults);
    let edges = edges(&needed);
    circles(&needed, &edges, &mut faults);
    if faults.is_empty() {
        Ok(sorted(&needed, &edges))
    } else {
        Err(faults)
    }
}

type Needed<'m> = BTreeMap<&'m Name, &'m Manifest>;
/// For each mod, the mods just before it.
type Edges<'m> = BTreeMap<&'m Name, BTreeMap<&'m Name, Because>>;

/// The mods wanted and what they depend on.
fn needed<'m>(
    manifests: &'m Manifests,
    wanted: &BTreeSet<Name>,
    faults: &mut Vec<Fault>,
) -> Needed<'m> {
    let mut needed = Needed::new();
    let mut open: Vec<&Manifest> = Vec::new();
    for id in wanted {
        match manifests.get(id) {
            Some(manifest) => open.push(manifest),
            None => {
                let fault = Fault::new(
                    FaultCode::UnknownMod,
                    format!("expected a mod, found `{id}`"),
                );
                faults.push(fault.hint(manifests.why_absent(id)));
            }
        }
    }
    while let Some(manifest) = open.pop() {
        if needed.insert(&manifest.id, manifest).is_some() {
            continue;
        }
        for dependency in &manifest.depends {
            let (id, version) = (&dependency.id, &dependency.version);
            let fault = |found: String| {
                let message = format!(
                    "expected the mod `{id}` {version} for `{}`, found {found}",
                    manifest.id
                );
                Fault::new(FaultCode::MissingDependency, message).at(dependency.place.clone())
            };
            match manifests.get(id) {
                Some(other) if version.matches(&other.version) => open.push(other),
                Some(other) => {
                    let hint = would_do(id, &other.version);
                    faults.push(fault(other.version.to_string()).hint(hint));
                }
                None => faults.push(fault("none".into()).hint(manifests.why_absent(id))),
            }
        }
    }
    faults.sort_by(|a, b| a.place.cmp(&b.place));
    needed
}

/// What `depends` says of a mod where the version that is there will do.
fn would_do(id: &str, there: &Version) -> String {
    let wanted = match (there.major, there.minor) {
        (0, minor) => format!("^0.{minor}"),
        (major, _) => format!("^{major}"),
    };
    format!(
        "`(\"{id}\", \"{wanted}\")` takes the version that is there, if the mod goes with it; else `--mods` names a \
         folder with another"
    )
}

fn conflicts(needed: &Needed<'_>, faults: &mut Vec<Fault>) {
    let mut pairs: BTreeSet<(&Name, &Name)> = BTreeSet::new();
    for (id, manifest) in needed {
        for other in manifest
            .conflicts
            .iter()
            .filter(|other| needed.contains_key(other))
        {
            if pairs.insert((*id.min(&other), *id.max(&other))) {
                let message =
                    format!("expected `{id}` and `{other}` not to be used together, found both");
                faults.push(
                    Fault::new(FaultCode::Conflict, message).at(Place::new(&***id, "mod.ron", 0)),
                );
            }
        }
    }
}

fn edges<'m>(needed: &Needed<'m>) -> Edges<'m> {
    let mut edges = Edges::new();
    for (id, manifest) in needed {
        let before: &mut BTreeMap<&Name, Because> = edges.entry(id).or_default();
        for other in manifest
            .after
            .iter()
            .filter(|other| needed.contains_key(other))
        {
            before.insert(other, Because::After);
        }
        for dependency in manifest
            .depends
            .iter()
            .filter(|dependency| needed.contains_key(&dependency.id))
        {
            before.insert(&dependency.id, Because::Depends);
        }
    }
    edges
}

fn circles(needed: &Needed<'_>, edges: &Edges<'_>, faults: &mut Vec<Fault>) {
    let mut graph: DiGraph<&Name, ()> = DiGraph::new();
    let nodes: BTreeMap<&Name, NodeIndex> =
        needed.keys().map(|id| (*id, graph.add_node(id))).collect();
    for (id, before) in edges {
        for other in before.keys() {
            if let (Some(from), Some(to)) = (nodes.get(id), nodes.get(other)) {
                graph.add_edge(*from, *to, ());
            }
        }
    }
    let mut knots: Vec<BTreeSet<&Name>> = tarjan_scc(&graph)
        .into_iter()
        .map(|knot| {
            knot.into_iter()
                .filter_map(|node| graph.node_weight(node).copied())
                .collect()
        })
        .collect();
    knots.sort();
    for knot in knots {
        let is_own = |id: &&Name| edges.get(id).is_some_and(|before| before.contains_key(id));
        if knot.len() > 1 || knot.iter().any(is_own) {
            faults.extend(circle(&knot, edges));
        }
    }
}

/// One way round in a knot of mods, told in full.
fn circle(knot: &BTreeSet<&Name>, edges: &Edges<'_>) -> Option<Fault> {
    let mut path: Vec<&Name> = vec![knot.first()?];
    let start = loop {
        let before = edges.get(path.last()?)?;
        // In a knot every mod has one before it that is in the knot too.
        let next = before.keys().find(|id| knot.contains(**id))?;
        match path.iter().position(|id| id == next) {
            Some(start) => break start,
            None => path.push(next),
        }
    };
    let round = path.get(start..)?;
    let steps: Vec<String> = round
        .iter()
        .zip(round.iter().cycle().skip(1))
        .map(
            |(id, other)| match edges.get(id).and_then(|before| before.get(other)) {
                Some(Because::After) => format!("`{id}` comes after `{other}`"),
                _ => format!("`{id}` depends on `{other}`"),
            },
        )
        .collect();
    let message = format!(
        "expected mods that can be put in order, found a circle: {}",
        steps.join(", ")
    );
    let place = Place::new(&***round.first()?, "mod.ron", 0);
    Some(Fault::new(FaultCode::Cycle, message).at(place))
}

/// The first mod by id with none left before it.
fn ready<'m>(left: &BTreeSet<&'m Name>, edges: &Edges<'m>) -> Option<&'m Name> {
    let is_ready = |id: &&'m Name| {
        edges
            .get(*id)
            .is_none_or(|before| before.keys().all(|other| !left.contains(other)))
    };
    left.iter().copied().find(is_ready)
}

fn sorted(needed: &Needed<'_>, edges: &Edges<'_>) -> LoadOrder {
    let mut order = LoadOrder::default();
    let mut left: BTreeSet<&Name> = needed.keys().copied().collect();
    while let Some(id) = ready(&left, edges) {
        left.remove(id);
        let mut earlier: BTreeSet<Name> = BTreeSet::new();
        for before in edges.get(id).into_iter().flat_map(BTreeMap::keys) {
            earlier.insert((*before).clone());
            earlier.extend(order.earlier.get(*before).into_iter().flatten().cloned());
        }
        order.earlier.insert(id.clone(), earlier);
        order.mods.push(id.clone());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::super::manifest::manifest_of;
    use super::*;
    use proptest::prelude::*;

    fn mods(list: &[(&str, &str)]) -> Manifests {
        let manifest = |(id, rest): &(&str, &str)| {
            let text = format!(
                "Mod(id: \"{id}\", version: \"1.2.3\", title: \"t\", engine: \"0.1\", {rest})"
            );
            manifest_of(&text).unwrap_or_else(|faults| panic!("{faults:?}"))
        };
        list.iter()
            .map(|entry| (Name::from(entry.0), manifest(entry)))
            .collect()
    }

    fn order(list: &[(&str, &str)], wanted: &[&str]) -> Result<LoadOrder, Vec<Fault>> {
        resolve(
            &mods(list),
            &wanted.iter().map(|id| Name::from(*id)).collect(),
        )
    }

    fn ids(order: &LoadOrder) -> Vec<&str> {
        order.mods.iter().map(|id| &**id).collect()
    }

    #[test]
    fn dependencies_then_after_then_id() {
        let list = [
            ("a", r#"depends: [("z", "^1")], after: ["m"]"#),
            ("b", ""),
            ("m", ""),
            ("z", "after: [\"absent\"]"),
            ("unused", ""),
        ];
        let order = order(&list, &["m", "a", "b"]).unwrap();
        assert_eq!(ids(&order), ["b", "m", "z", "a"]);
        assert!(order.is_stated("z", "a") && order.is_stated("m", "a"));
        assert!(
            !order.is_stated("b", "m") && !order.is_stated("a", "z") && !order.is_stated("a", "a")
        );
    }

    #[test]
    fn what_is_missing_or_does_not_fit_is_all_named() {
        let list = [
            (
                "a",
                r#"depends: [("dssi", "^1"), ("b", "^2")], conflicts: ["b2"]"#,
            ),
            ("b", ""),
            ("b2", "conflicts: [\"a\"]"),
            ("dsii", ""),
        ];
        let faults = order(&list, &["a", "b2", "nothing"]).unwrap_err();
        let found: Vec<(FaultCode, &str)> = faults
            .iter()
            .map(|fault| (fault.code, fault.message.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (FaultCode::UnknownMod, "expected a mod, found `nothing`"),
                (
                    FaultCode::MissingDependency,
                    "expected the mod `dssi` ^1 for `a`, found none"
                ),
                (
                    FaultCode::MissingDependency,
                    "expected the mod `b` ^2 for `a`, found 1.2.3"
                ),
                (
                    FaultCode::Conflict,
                    "expected `a` and `b2` not to be used together, found both"
                ),
            ]
        );
    }

    #[test]
    fn a_circle_is_told_in_full() {
        let list = [
            ("a", r#"depends: [("b", "^1")]"#),
            ("b", r#"depends: [("c", "^1")]"#),
            ("c", "after: [\"a\"]"),
            ("x", r#"depends: [("a", "^1"), ("x", "^1")]"#),
        ];
        let faults = order(&list, &["x"]).unwrap_err();
        assert_eq!(
            faults
                .iter()
                .map(|fault| fault.message.as_str())
                .collect::<Vec<_>>(),
            [
                "expected mods that can be put in order, found a circle: \
                 `a` depends on `b`, `b` depends on `c`, `c` comes after `a`",
                "expected mods that can be put in order, found a circle: `x` depends on `x`",
            ]
        );
    }

    proptest! {
        /// Every mod comes after what it depends on, whatever the graph.
        #[test]
        fn an_order_keeps_what_is_stated(edges in prop::collection::vec((0u8..7, 0u8..7, any::<bool>()), 0..14)) {
            let mut list: BTreeMap<u8, (Vec<String>, Vec<String>)> = (0..7).map(|n| (n, Default::default())).collect();
            for (from, to, is_after) in &edges {
                let (depends, after) = list.get_mut(from).unwrap();
                let dependency = format!("(\"m{to}\", \"^1\")");
                match is_after {
                    true if from != to => after.push(format!("\"m{to}\"")),
                    false if !depends.contains(&dependency) => depends.push(dependency),
                    _ => {}
                }
            }
            let texts: Vec<(String, String)> = list.iter().map(|(n, (depends, after))| {
                (format!("m{n}"), format!("depends: [{}], after: [{}]", depends.join(","), after.join(",")))
            }).collect();
            let texts: Vec<(&str, &str)> = texts.iter().map(|(id, rest)| (id.as_str(), rest.as_str())).collect();
            let wanted: Vec<&str> = texts.iter().map(|(id, _)| *id).collect();
            match order(&texts, &wanted) {
                Ok(order) => {
                    let place = |n: u8| ids(&order).iter().position(|id| *id == format!("m{n}")).unwrap();
                    prop_assert_eq!(order.mods.len(), 7);
                    for (from, to, _) in edges.iter().filter(|(from, to, _)| from != to) {
                        prop_assert!(place(*to) < place(*from));
                    }
                }
                Err(faults) => prop_assert!(faults.iter().all(|fault| fault.code == FaultCode::Cycle)),
            }
        }
    }
}
