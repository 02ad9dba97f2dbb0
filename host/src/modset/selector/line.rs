//! The shortest selector line for a choice: for each mod either the whole with
//! exceptions or the parts, and nothing that follows from the rest.

use std::collections::{BTreeMap, BTreeSet};

use kernel::digest::Names;
use kernel::value::{EntityId, Name, Value};

use super::choose::{Choice, choose, is_default};
use super::{Pick, Request, Selector};
use crate::modset::manifest::{Clause, Group, Manifest};
use crate::types::write_value;

pub(super) fn shortest(asked: &Request, choice: &Choice, manifests: &BTreeMap<Name, Manifest>) -> Request {
    let mut request = Request::default();
    let forced: BTreeSet<&Name> = asked.force_without.iter().collect();
    for manifest in choice.order.mods.iter().filter_map(|id| manifests.get(id)) {
        let parts = Parts { manifest, active: &choice.clauses, forced: &forced };
        let (whole, by_group) = (parts.whole(), parts.by_group());
        let is_shorter = |other: &Request| other.to_string().len() < whole.to_string().len();
        let best = by_group.filter(is_shorter).unwrap_or(whole);
        request.with.extend(best.with);
        request.without.extend(best.without);
    }
    let in_play = |id: &&Name| choice.order.mods.iter().any(|module| **module == *kernel::value::owner_of(id));
    request.force_without = forced.into_iter().filter(in_play).cloned().collect();
    for option in choice.order.mods.iter().filter_map(|id| manifests.get(id)).flat_map(|manifest| &manifest.options) {
        if let Some(value) = choice.options.get(&option.id).filter(|value| **value != option.default) {
            request.options.push((option.id.clone(), written(value)));
        }
    }
    request.options.sort();
    drop_what_follows(request, choice, manifests)
}

/// Text that looks like nothing for an optional, or is empty, needs its quotes.
fn written(value: &Value) -> String {
    write_value(value, &NoEntities)
}

/// The clauses of one mod.
struct Parts<'m> {
    manifest: &'m Manifest,
    active: &'m BTreeSet<Name>,
    forced: &'m BTreeSet<&'m Name>,
}

impl<'m> Parts<'m> {
    /// Clauses that a player can switch.
    fn free(&self) -> impl Iterator<Item = (&'m Group, &'m Clause)> {
        self.manifest.clauses().filter(|(_, clause)| !clause.core && !self.forced.contains(&clause.id))
    }

    /// The mod as a whole, what it takes more, and what it does without.
    fn whole(&self) -> Request {
        let id = &self.manifest.id;
        let is_on = |clause: &Clause| self.active.contains(&clause.id);
        let more = self.free().filter(|(group, clause)| is_on(clause) && !is_default(group, clause));
        let less: Vec<(&Group, &Clause)> =
            self.free().filter(|(group, clause)| !is_on(clause) && is_default(group, clause)).collect();
        let more = more.map(|(_, clause)| Pick::Clause(clause.id.clone())).collect();
        let with = std::iter::once(Selector::whole(id)).chain(Selector::of(id, more)).collect();
        let without = Selector::of(id, self.away(&less)).into_iter().collect();
        Request { with, without, ..Request::default() }
    }

    /// Only the groups and clauses that are on; `None` where none is.
    fn by_group(&self) -> Option<Request> {
        let id = &self.manifest.id;
        let (mut picks, mut less) = (Vec::new(), Vec::new());
        for group in &self.manifest.groups {
            let (mut on, mut more, mut off) = (Vec::new(), Vec::new(), Vec::new());
            for (_, clause) in self.free().filter(|(of, _)| of.id == group.id) {
                let pick = Pick::Clause(clause.id.clone());
                match (self.active.contains(&clause.id), clause.default) {
                    (true, true) => on.push(pick),
                    (true, false) => more.push(pick),
                    (false, true) => off.push(pick),
                    (false, false) => {}
                }
            }
            if on.is_empty() {
                picks.extend(more);
                continue;
            }
            let single: Vec<Pick> = on.into_iter().chain(more.iter().cloned()).collect();
            let grouped: Vec<Pick> = std::iter::once(Pick::Group(group.name.clone())).chain(more).collect();
            if length(id, &single) < length(id, &grouped) + if off.is_empty() { 0 } else { length(id, &off) } {
                picks.extend(single);
            } else {
                picks.extend(grouped);
                less.extend(off);
            }
        }
        let with = vec![Selector::of(id, picks)?];
        Some(Request { with, without: Selector::of(id, less).into_iter().collect(), ..Request::default() })
    }

    /// What to take away, by group where all of one is off.
    fn away(&self, less: &[(&Group, &Clause)]) -> Vec<Pick> {
        let mut picks = Vec::new();
        for group in &self.manifest.groups {
            let off = || less.iter().filter(|(of, _)| of.id == group.id);
            let is_whole = group.clauses.iter().all(|clause| !clause.core && !self.active.contains(&clause.id));
            if is_whole && off().next().is_some() && group.clauses.iter().all(|c| !self.forced.contains(&c.id)) {
                picks.push(Pick::Group(group.name.clone()));
            } else {
                picks.extend(off().map(|(_, clause)| Pick::Clause(clause.id.clone())));
            }
        }
        picks
    }
}

fn length(module: &Name, picks: &[Pick]) -> usize {
    Selector { module: module.clone(), picks: picks.to_vec() }.to_string().len()
}

/// Leaves out, one after another, what changes nothing when it is left out.
fn drop_what_follows(request: Request, choice: &Choice, manifests: &BTreeMap<Name, Manifest>) -> Request {
    let is_same = |request: &Request| {
        choose(request, manifests).is_ok_and(|other| other.clauses == choice.clauses && other.order == choice.order)
    };
    let mut best = request;
    for list in [|r: &mut Request| &mut r.without, |r: &mut Request| &mut r.with] {
        for i in (0..list(&mut best).len()).rev() {
            let picks = list(&mut best).get(i).map_or(0, |selector| selector.picks.len());
            for pick in (0..picks).rev() {
                let mut shorter = best.clone();
                if let Some(selector) = list(&mut shorter).get_mut(i) {
                    selector.picks.remove(pick);
                }
                // A selector without picks would mean the whole mod.
                list(&mut shorter).retain(|selector| {
                    !selector.picks.is_empty() || best.with.contains(&Selector::whole(&selector.module))
                });
                shorter.with.dedup();
                let is_named = |id: &Name| shorter.with.iter().any(|selector| selector.module == *id);
                if choice.order.mods.iter().all(is_named) && is_same(&shorter) {
                    best = shorter;
                }
            }
        }
    }
    for i in (0..best.force_without.len()).rev() {
        let mut shorter = best.clone();
        shorter.force_without.remove(i);
        if is_same(&shorter) {
            best = shorter;
        }
    }
    best
}

/// Options hold no entities.
struct NoEntities;

impl Names for NoEntities {
    fn name_of(&self, entity: EntityId) -> Name {
        Name::from(entity.0.to_string())
    }
}
