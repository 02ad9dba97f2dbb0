//! The shortest selector line for a choice: for each mod either the whole with
//! exceptions or the parts, and nothing that follows from the rest; and the line of
//! what was asked for.

use std::collections::{BTreeMap, BTreeSet};

use kernel::value::{Name, owner_of};
use kernel::world::NoEntities;

use super::choose::{choose, is_default};
use super::{Active, Pick, Request, Selector};
use crate::modset::manifest::{Clause, Group, Manifest};
use crate::modset::manifests::Manifests;
use crate::types::write_value;

pub(super) fn shortest(asked: &Request, choice: &Active, manifests: &Manifests) -> Request {
    let forced: BTreeSet<&Name> = asked.force_without.iter().collect();
    let parts = || {
        in_play(choice, manifests).map(|manifest| ModClauses {
            manifest,
            active: &choice.clauses,
            forced: &forced,
        })
    };
    let rest = rest(&forced, choice, manifests);
    let wholes: Vec<Request> = parts().map(|parts| parts.whole()).collect();
    if forced.is_empty() && wholes.iter().all(is_plain) {
        // Nothing is shorter than the names of the mods.
        return Request {
            with: wholes.into_iter().flat_map(|whole| whole.with).collect(),
            ..rest
        };
    }
    let groups = parts().map(|parts| parts.by_group());
    let forms: Vec<(Request, Option<Request>)> = wholes.into_iter().zip(groups).collect();
    // Whether each mod is told by its groups; what follows from other mods
    // shows only in the whole line.
    let line = |by_group: &[bool]| {
        let mut request = rest.clone();
        for ((whole, groups), by_group) in forms.iter().zip(by_group) {
            let form = groups.as_ref().filter(|_| *by_group).unwrap_or(whole);
            request.with.extend(form.with.iter().cloned());
            request.without.extend(form.without.iter().cloned());
        }
        drop_what_follows(request, choice, manifests)
    };
    let mut by_group = vec![false; forms.len()];
    let mut best = line(&by_group);
    for i in 0..forms.len() {
        let flipped: Vec<bool> = by_group
            .iter()
            .enumerate()
            .map(|(j, group)| *group != (i == j))
            .collect();
        let other = line(&flipped);
        if other.to_string().len() < best.to_string().len() {
            (by_group, best) = (flipped, other);
        }
    }
    best
}

/// What was asked for of the mods in play. What comes by itself now stays asked
/// for, such as an option that has its default.
pub(super) fn lasting(asked: &Request, choice: &Active) -> Request {
    let is_in_play = |id: &Name| choice.order.mods.contains(id);
    let of_them = |list: &[Selector]| {
        let in_play = list.iter().filter(|one| is_in_play(&one.module));
        in_play.cloned().collect()
    };
    let value = |id: &Name| {
        Some((
            id.clone(),
            write_value(choice.options.get(id)?, &NoEntities),
        ))
    };
    let forced = asked.force_without.iter();
    // In whichever order they were given, it is the same that was asked for.
    let options: BTreeMap<Name, String> = asked
        .options
        .iter()
        .filter_map(|(id, _)| value(id))
        .collect();
    Request {
        with: of_them(&asked.with),
        without: of_them(&asked.without),
        options: options.into_iter().collect(),
        amends: choice.amends.clone(),
        force_without: forced
            .filter(|id| is_in_play(&Name::from(owner_of(id))))
            .cloned()
            .collect(),
    }
}

/// Whether a mod is taken by its name, with nothing more and nothing less.
fn is_plain(whole: &Request) -> bool {
    whole.without.is_empty() && whole.with.iter().all(|selector| selector.picks.is_empty())
}

fn in_play<'m>(choice: &Active, manifests: &'m Manifests) -> impl Iterator<Item = &'m Manifest> {
    choice.order.mods.iter().filter_map(|id| manifests.get(id))
}

/// What does not depend on how the mods are told: force, options and amendments.
fn rest(forced: &BTreeSet<&Name>, choice: &Active, manifests: &Manifests) -> Request {
    let mut rest = Request::default();
    let is_in_play = |id: &&&Name| {
        choice
            .order
            .mods
            .iter()
            .any(|module| **module == *owner_of(id))
    };
    rest.force_without = forced
        .iter()
        .filter(is_in_play)
        .map(|id| (*id).clone())
        .collect();
    for option in in_play(choice, manifests).flat_map(|manifest| &manifest.options) {
        if let Some(value) = choice
            .options
            .get(&option.id)
            .filter(|value| **value != option.default)
        {
            rest.options
                .push((option.id.clone(), write_value(value, &NoEntities)));
        }
    }
    rest.options.sort();
    rest.amends = choice.amends.clone();
    rest
}

/// The clauses of one mod.
struct ModClauses<'m> {
    manifest: &'m Manifest,
    active: &'m BTreeSet<Name>,
    forced: &'m BTreeSet<&'m Name>,
}

impl<'m> ModClauses<'m> {
    /// Clauses that a player can switch.
    fn free(&self) -> impl Iterator<Item = (&'m Group, &'m Clause)> {
        self.manifest
            .clauses()
            .filter(|(_, clause)| !clause.core && !self.forced.contains(&clause.id))
    }

    /// The mod as a whole, what it takes more, and what it does without.
    fn whole(&self) -> Request {
        let id = &self.manifest.id;
        let is_on = |clause: &Clause| self.active.contains(&clause.id);
        let more = self
            .free()
            .filter(|(group, clause)| is_on(clause) && !is_default(group, clause));
        let less: Vec<(&Group, &Clause)> = self
            .free()
            .filter(|(group, clause)| !is_on(clause) && is_default(group, clause))
            .collect();
        let more = more
            .map(|(_, clause)| Pick::Clause(clause.id.clone()))
            .collect();
        let with = std::iter::once(Selector::whole(id))
            .chain(Selector::of(id, more))
            .collect();
        let without = Selector::of(id, self.away(&less)).into_iter().collect();
        Request {
            with,
            without,
            ..Request::default()
        }
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
            let grouped: Vec<Pick> = std::iter::once(Pick::Group(group.name.clone()))
                .chain(more)
                .collect();
            if length(id, &single)
                < length(id, &grouped) + if off.is_empty() { 0 } else { length(id, &off) }
            {
                picks.extend(single);
            } else {
                picks.extend(grouped);
                less.extend(off);
            }
        }
        let with = vec![Selector::of(id, picks)?];
        Some(Request {
            with,
            without: Selector::of(id, less).into_iter().collect(),
            ..Request::default()
        })
    }

    /// What to take away, by group where all of one is off.
    fn away(&self, less: &[(&Group, &Clause)]) -> Vec<Pick> {
        let mut picks = Vec::new();
        for group in &self.manifest.groups {
            let off = || less.iter().filter(|(of, _)| of.id == group.id);
            let is_whole = group
                .clauses
                .iter()
                .all(|clause| !clause.core && !self.active.contains(&clause.id));
            if is_whole
                && off().next().is_some()
                && group.clauses.iter().all(|c| !self.forced.contains(&c.id))
            {
                picks.push(Pick::Group(group.name.clone()));
            } else {
                picks.extend(off().map(|(_, clause)| Pick::Clause(clause.id.clone())));
            }
        }
        picks
    }
}

fn length(module: &Name, picks: &[Pick]) -> usize {
    Selector {
        module: module.clone(),
        picks: picks.to_vec(),
    }
    .to_string()
    .len()
}

type List = fn(&mut Request) -> &mut Vec<Selector>;

fn with(request: &mut Request) -> &mut Vec<Selector> {
    &mut request.with
}

fn without(request: &mut Request) -> &mut Vec<Selector> {
    &mut request.without
}

/// Leaves out, one after another, what changes nothing when it is left out.
fn drop_what_follows(request: Request, choice: &Active, manifests: &Manifests) -> Request {
    let is_same = |request: &Request| {
        choose(request, manifests)
            .is_ok_and(|other| other.clauses == choice.clauses && other.order == choice.order)
    };
    let mut best = request;
    for list in [without as List, with as List] {
        for i in (0..list(&mut best).len()).rev() {
            let picks = list(&mut best)
                .get(i)
                .map_or(0, |selector| selector.picks.len());
            for pick in (0..picks).rev() {
                let mut shorter = best.clone();
                // A selector without picks would mean the whole mod.
                if picks_left(list(&mut shorter), i, pick) == 0 {
                    list(&mut shorter).remove(i);
                }
                let is_named =
                    |id: &Name| shorter.with.iter().any(|selector| selector.module == *id);
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

/// Takes one pick out of a selector and tells how many are left.
fn picks_left(list: &mut [Selector], i: usize, pick: usize) -> usize {
    list.get_mut(i).map_or(1, |selector| {
        selector.picks.remove(pick);
        selector.picks.len()
    })
}
