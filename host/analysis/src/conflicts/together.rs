//! House rules that cannot be put together at all, before anything is played by them.

use std::collections::BTreeSet;

use kernel::error::Fault;
use rules::modset::selector::{Request, Selector};

use super::ConflictQuery;

/// House rules that cannot be put together, though all but one of them can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Which they are, by their places.
    pub parties: Vec<usize>,
    /// Why not.
    pub faults: Vec<Fault>,
}

impl ConflictQuery<'_> {
    /// The house rules that cannot be put together, as few of them each time as do
    /// not fit; none where all of them can, or where it is not for them that the
    /// rules do not compose. `stop` is asked now and then.
    pub fn apart(&self, stop: &dyn Fn() -> bool) -> Vec<Apart> {
        let mut left: Vec<usize> = (0..self.parties.len()).collect();
        let mut found = Vec::new();
        if self.faults_of(&[]).is_some() {
            return found;
        }
        while !stop() && self.faults_of(&left).is_some() {
            let mut parties = self.least(&[], &left);
            parties.sort_unstable();
            let Some((last, faults)) = parties.last().copied().zip(self.faults_of(&parties)) else {
                break;
            };
            // The others may fit each other, or not.
            left.retain(|party| *party != last);
            found.push(Apart { parties, faults });
        }
        found
    }

    /// The fewest of some that do not compose beside those that are kept; together
    /// with all of them nothing composes.
    fn least(&self, keep: &[usize], of: &[usize]) -> Vec<usize> {
        if !keep.is_empty() && self.faults_of(keep).is_some() {
            return Vec::new();
        }
        if of.len() < 2 {
            return of.to_vec();
        }
        let (first, second) = of.split_at(of.len() / 2);
        let of_second = self.least(&[keep, first].concat(), second);
        let of_first = self.least(&[keep, &of_second].concat(), first);
        [of_first, of_second].concat()
    }

    /// Why some of them do not compose over the mods that all of them build on.
    fn faults_of(&self, some: &[usize]) -> Option<Vec<Fault>> {
        let (workshop, overrides) = (self.workshop, self.overrides);
        let mut request =
            Request::gather(&overrides.with, &overrides.without, []).unwrap_or_default();
        request.options.extend(overrides.options.iter().cloned());
        request.amends.extend(overrides.amends.iter().cloned());
        let modules: BTreeSet<_> = self
            .parties
            .iter()
            .map(|party| &party.selector.module)
            .collect();
        let manifests = modules.iter().filter_map(|id| workshop.manifests().get(id));
        let bases: BTreeSet<_> = manifests
            .flat_map(|manifest| manifest.depends.iter().map(|on| on.id.clone()))
            .filter(|id| !modules.contains(id))
            .collect();
        request
            .with
            .extend(bases.into_iter().map(|module| Selector {
                module,
                picks: Vec::new(),
            }));
        let chosen = some
            .iter()
            .map(|party| self.parties[*party].selector.clone());
        request.with.extend(chosen);
        if request.with.is_empty() {
            return None;
        }
        workshop.compose_alone(&request).err()
    }
}
