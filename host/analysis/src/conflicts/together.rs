//! House rules that cannot be put together at all, before anything is played by them.

use std::collections::BTreeSet;

use kernel::error::Fault;
use kernel::value::Name;
use matches::workshop::Found;
use rules::modset::selector::{Request, Selector};

use super::{ConflictQuery, Party};

/// House rules that cannot be put together, though all but one of them can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Which they are, by their places.
    pub parties: Vec<usize>,
    /// Why not.
    pub faults: Vec<Fault>,
}

/// On what house rules stand where they are put together.
#[derive(Clone, Copy)]
struct PartyFooting<'a> {
    /// A scenario in which they are looked at.
    found: Option<&'a Found>,
    /// Whether they stand on the mods alone that they need themselves, and not on those
    /// that any of all needs.
    is_own: bool,
}

impl ConflictQuery<'_> {
    /// The house rules that cannot be put together, as few of them each time as do
    /// not fit; none where all of them can, or where it is not for them that the
    /// rules do not compose. What of their mods is on in a scenario stays on. `stop`
    /// is asked now and then.
    pub fn apart(&self, found: Option<&Found>, stop: &dyn Fn() -> bool) -> Vec<Apart> {
        let mut left: Vec<usize> = (0..self.parties.len()).collect();
        let mut apart = Vec::new();
        let all = PartyFooting {
            found,
            is_own: false,
        };
        // The games that they stand on may be two that do not fit each other.
        let is_own = self.faults_of(&[], all).is_some();
        let on = PartyFooting { found, is_own };
        if is_own && self.faults_of(&[], on).is_some() {
            return apart;
        }
        while !stop() && self.faults_of(&left, on).is_some() {
            let mut parties = self.least(&[], &left, on);
            parties.sort_unstable();
            let Some((last, faults)) = parties.last().copied().zip(self.faults_of(&parties, on))
            else {
                break;
            };
            // The others may fit each other, or not.
            left.retain(|party| *party != last);
            apart.push(Apart { parties, faults });
        }
        apart
    }

    /// The fewest of some that do not compose beside those that are kept; together
    /// with all of them nothing composes.
    fn least(&self, keep: &[usize], of: &[usize], on: PartyFooting<'_>) -> Vec<usize> {
        if !keep.is_empty() && self.faults_of(keep, on).is_some() {
            return Vec::new();
        }
        if of.len() < 2 {
            return of.to_vec();
        }
        let (first, second) = of.split_at(of.len() / 2);
        let of_second = self.least(&[keep, first].concat(), second, on);
        let of_first = self.least(&[keep, &of_second].concat(), first, on);
        [of_first, of_second].concat()
    }

    /// Why some of them do not compose over what they stand on.
    fn faults_of(&self, some: &[usize], on: PartyFooting<'_>) -> Option<Vec<Fault>> {
        let (workshop, overrides) = (self.workshop, self.overrides);
        let mut request =
            Request::gather(&overrides.with, &overrides.without, []).unwrap_or_default();
        let out = (0..self.parties.len()).filter(|place| !some.contains(place));
        let settings = self.settings_of_the_rest(&out.collect());
        request.options.extend(settings.options);
        request.amends.extend(settings.amends);
        request.with.extend(self.bases(some, on));
        let chosen = some
            .iter()
            .map(|party| self.parties[*party].selector.clone());
        request.with.extend(chosen);
        if request.with.is_empty() {
            return None;
        }
        workshop.compose_alone(&request).err()
    }

    /// What house rules stand on: whole games and mods that some of them need, also where
    /// others are a part of these; and what of their mods is on in the scenario.
    fn bases(&self, some: &[usize], on: PartyFooting<'_>) -> Vec<Selector> {
        let manifests = self.workshop.manifests();
        let parties: Vec<&Party> = match on.is_own {
            true => some.iter().map(|party| &self.parties[*party]).collect(),
            false => self.parties.iter().collect(),
        };
        let modules: BTreeSet<&Name> = parties.iter().map(|one| &one.selector.module).collect();
        let mut bases: BTreeSet<Name> = BTreeSet::new();
        for Selector { module, picks } in parties.iter().map(|one| &one.selector) {
            let Some(manifest) = manifests.get(module) else {
                continue;
            };
            bases.extend(manifest.depends.iter().map(|needed| needed.id.clone()));
            let is_part_of_game = manifest.depends.is_empty() && !picks.is_empty();
            bases.extend(is_part_of_game.then(|| module.clone()));
        }
        let there = on.found.and_then(|found| {
            let request = self.workshop.request(&found.scenario, self.overrides);
            request.ok()
        });
        let there = there.into_iter().flat_map(|request| request.with);
        let is_meant =
            |one: &Selector| modules.contains(&one.module) && !bases.contains(&one.module);
        let mut all: Vec<Selector> = there.filter(is_meant).collect();
        all.extend(bases.into_iter().map(|module| Selector {
            module,
            picks: Vec::new(),
        }));
        all
    }
}
