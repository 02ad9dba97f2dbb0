//! From what is asked for to the clauses that are on.
//!
//! Of what is asked for, first everything goes that is taken away or requires
//! something that is; then everything comes that the rest requires.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value, owner_of};
use kernel::world::closest;

use super::{Pick, Request, Selector};
use crate::modset::manifest::{
    Clause, Group, Manifest, Requirement, hinted, require_clause, require_group,
};
use crate::modset::manifests::Manifests;
use crate::modset::order::{self, LoadOrder};
use crate::types::{no_entities, parse_value};

/// What a request comes to.
pub(super) struct Selected {
    pub order: LoadOrder,
    pub clauses: BTreeSet<Name>,
    pub options: BTreeMap<Name, Value>,
    pub notes: Vec<String>,
}

/// The mods in play.
type Mods<'m> = BTreeMap<&'m Name, &'m Manifest>;

pub(super) fn choose(request: &Request, manifests: &Manifests) -> Result<Selected, Vec<Fault>> {
    let mut faults = check_names(request, manifests);
    if !faults.is_empty() {
        return Err(faults);
    }
    let order = order_of(request, manifests)?;
    let taken = order.mods.iter().filter_map(|id| manifests.get(id));
    let mods: Mods<'_> = taken.map(|manifest| (&manifest.id, manifest)).collect();
    let options = options_of(request, &mods, manifests, &mut faults);
    let clauses = Clauses::new(mods);
    let (active, notes) = clauses.choose(request, &mut faults);
    if faults.is_empty() {
        Ok(Selected {
            order,
            clauses: active,
            options,
            notes,
        })
    } else {
        Err(faults)
    }
}

/// Whether a clause is taken with its group and mod when nothing more is said.
pub(super) fn is_default(group: &Group, clause: &Clause) -> bool {
    clause.core || (group.default && clause.default)
}

/// Everything that is named must be there, in play or not.
fn check_names(request: &Request, manifests: &Manifests) -> Vec<Fault> {
    let mut faults = Vec::new();
    for selector in request.with.iter().chain(&request.without) {
        let Some(manifest) = manifests.get(&selector.module) else {
            let fault = Fault::new(
                FaultCode::UnknownMod,
                format!("expected a mod, found `{}`", selector.module),
            );
            faults.push(fault.hint(manifests.why_absent(&selector.module)));
            continue;
        };
        for pick in &selector.picks {
            faults.extend(match pick {
                Pick::Group(name) => require_group(manifest, name).err(),
                Pick::Clause(id) => require_clause(manifests, id).err(),
            });
        }
    }
    faults.extend(
        request
            .force_without
            .iter()
            .filter_map(|id| require_clause(manifests, id).err()),
    );
    faults
}

fn order_of(request: &Request, manifests: &Manifests) -> Result<LoadOrder, Vec<Fault>> {
    let gone: BTreeSet<&Name> = request
        .without
        .iter()
        .filter(|selector| selector.picks.is_empty())
        .map(|selector| &selector.module)
        .collect();
    let wanted = request
        .with
        .iter()
        .map(|selector| selector.module.clone())
        .filter(|id| !gone.contains(id))
        .collect();
    let order = order::resolve(manifests, &wanted)?;
    let needs = |id: &Name| {
        let mut mods = order.mods.iter().filter_map(|other| manifests.get(other));
        mods.find(|other| other.depends.iter().any(|dependency| dependency.id == *id))
    };
    let fault = |id: &&Name| {
        let needed = needs(id)?;
        let message = format!(
            "expected to do without the mod `{id}`, found that `{}` depends on it",
            needed.id
        );
        Some(Fault::new(FaultCode::BadScenario, message))
    };
    let faults: Vec<Fault> = gone.iter().filter_map(fault).collect();
    if faults.is_empty() {
        Ok(order)
    } else {
        Err(faults)
    }
}

fn options_of(
    request: &Request,
    mods: &Mods<'_>,
    manifests: &Manifests,
    faults: &mut Vec<Fault>,
) -> BTreeMap<Name, Value> {
    let all = || mods.values().flat_map(|manifest| manifest.options.iter());
    let mut options: BTreeMap<Name, Value> = all()
        .map(|option| (option.id.clone(), option.default.clone()))
        .collect();
    let mut set: BTreeSet<&Name> = BTreeSet::new();
    for (id, text) in &request.options {
        let Some(option) = all().find(|option| option.id == *id) else {
            faults.push(unknown_option(id, mods, manifests));
            continue;
        };
        if !set.insert(id) {
            faults.push(Fault::new(
                FaultCode::Duplicate,
                format!("expected the option `{id}` once, found it twice"),
            ));
        }
        match parse_value(&option.ty, text, &no_entities) {
            Ok(value) => {
                options.insert(id.clone(), value);
            }
            Err(m) => faults.push(Fault::mismatch(&format!("option `{id}`"), &m)),
        }
    }
    options
}

fn unknown_option(id: &Name, mods: &Mods<'_>, manifests: &Manifests) -> Fault {
    let fault = Fault::new(
        FaultCode::UnknownOption,
        format!("expected an option of the mods in play, found `{id}`"),
    );
    let owner = Name::from(owner_of(id));
    if !mods.contains_key(&owner)
        && manifests
            .get(&owner)
            .is_some_and(|manifest| manifest.option(id).is_some())
    {
        return fault.hint(format!("the mod `{owner}` is not in play"));
    }
    let known = mods
        .values()
        .flat_map(|manifest| manifest.options.iter())
        .map(|option| &*option.id);
    hinted(fault, closest(id, known))
}

/// The clauses of the mods in play, and what they require of each other.
struct Clauses<'m> {
    mods: Mods<'m>,
    core: BTreeSet<&'m Name>,
    requires: BTreeMap<&'m Name, Vec<&'m Name>>,
}

impl<'m> Clauses<'m> {
    fn new(mods: Mods<'m>) -> Clauses<'m> {
        let mut clauses = Clauses {
            mods,
            core: BTreeSet::new(),
            requires: BTreeMap::new(),
        };
        for (_, clause) in clauses
            .mods
            .clone()
            .into_values()
            .flat_map(Manifest::clauses)
        {
            let required = clause
                .requires
                .iter()
                .flat_map(|requirement| clauses.required(requirement))
                .collect();
            clauses.requires.insert(&clause.id, required);
            if clause.core {
                clauses.core.insert(&clause.id);
            }
        }
        clauses
    }

    fn required(&self, requirement: &'m Requirement) -> Vec<&'m Name> {
        match requirement {
            Requirement::Clause(id) => vec![id],
            Requirement::Group { module, group } => {
                let group = self
                    .mods
                    .get(module)
                    .and_then(|manifest| manifest.group(group));
                let clauses = group.into_iter().flat_map(|group| &group.clauses);
                clauses
                    .filter(|clause| clause.default)
                    .map(|clause| &clause.id)
                    .collect()
            }
        }
    }

    fn choose(&self, request: &Request, faults: &mut Vec<Fault>) -> (BTreeSet<Name>, Vec<String>) {
        let seeds = self.seeds(request);
        let forced: BTreeSet<&Name> = request
            .force_without
            .iter()
            .filter_map(|id| self.requires.get_key_value(id))
            .map(|(id, _)| *id)
            .collect();
        let removed: BTreeSet<&Name> = request
            .without
            .iter()
            .flat_map(|selector| self.removed(selector))
            .collect();
        self.check_core(&removed, &forced, faults);
        let off = self.blocked(&removed.union(&forced).copied().collect());
        let with_all = self.closed(seeds.clone());
        let active = self.closed(
            seeds
                .difference(&off.keys().copied().collect())
                .copied()
                .collect(),
        );
        let mut notes = Vec::new();
        for (id, why) in off.iter().filter(|(id, _)| with_all.contains(**id)) {
            if let Some(why) = why {
                notes.push(format!("`{id}` is off: it requires `{why}`"));
            }
        }
        for id in active.difference(&seeds) {
            let by = self
                .requires
                .iter()
                .find(|(other, required)| active.contains(*other) && required.contains(id));
            notes.extend(by.map(|(other, _)| format!("`{id}` is on: `{other}` requires it")));
        }
        (active.into_iter().cloned().collect(), notes)
    }

    /// What is asked for, before anything is taken away or comes along.
    fn seeds(&self, request: &Request) -> BTreeSet<&'m Name> {
        let mut seeds = self.core.clone();
        for (id, manifest) in &self.mods {
            let named: Vec<&Selector> = request
                .with
                .iter()
                .filter(|selector| selector.module == **id)
                .collect();
            if named.is_empty() || named.iter().any(|selector| selector.picks.is_empty()) {
                let default = manifest
                    .clauses()
                    .filter(|(group, clause)| is_default(group, clause));
                seeds.extend(default.map(|(_, clause)| &clause.id));
            }
            for pick in named.iter().flat_map(|selector| &selector.picks) {
                seeds.extend(
                    picked(manifest, pick)
                        .filter(|clause| clause.default || is_clause(pick))
                        .map(|c| &c.id),
                );
            }
        }
        seeds
    }

    fn removed(&self, selector: &Selector) -> Vec<&'m Name> {
        let Some(manifest) = self.mods.get(&selector.module) else {
            return Vec::new();
        };
        selector
            .picks
            .iter()
            .flat_map(|pick| picked(manifest, pick))
            .map(|clause| &clause.id)
            .collect()
    }

    /// Those taken away and all that requires them, each with what it misses.
    fn blocked(&self, removed: &BTreeSet<&'m Name>) -> BTreeMap<&'m Name, Option<&'m Name>> {
        let mut off: BTreeMap<&Name, Option<&Name>> =
            removed.iter().map(|id| (*id, None)).collect();
        loop {
            let more: Vec<(&Name, &Name)> = self
                .requires
                .iter()
                .filter(|(id, _)| !off.contains_key(*id))
                .filter_map(|(id, required)| {
                    Some((*id, *required.iter().find(|id| off.contains_key(**id))?))
                })
                .collect();
            if more.is_empty() {
                return off;
            }
            off.extend(more.into_iter().map(|(id, why)| (id, Some(why))));
        }
    }

    /// These and all that they require.
    fn closed(&self, seeds: BTreeSet<&'m Name>) -> BTreeSet<&'m Name> {
        let mut open: Vec<&Name> = seeds.iter().copied().collect();
        let mut closed = seeds;
        while let Some(id) = open.pop() {
            for required in self.requires.get(id).into_iter().flatten() {
                if closed.insert(required) {
                    open.push(required);
                }
            }
        }
        closed
    }

    fn clause(&self, id: &Name) -> Option<&'m Clause> {
        self.mods
            .values()
            .flat_map(|manifest| manifest.clauses())
            .map(|(_, clause)| clause)
            .find(|one| one.id == *id)
    }

    /// A clause as players know it: its title, and its id.
    fn named(&self, id: &Name) -> String {
        self.clause(id).map_or_else(
            || format!("`{id}`"),
            |clause| format!("\"{}\" (`{id}`)", clause.title),
        )
    }

    /// No core clause may go because of what players take away.
    fn check_core(
        &self,
        removed: &BTreeSet<&'m Name>,
        forced: &BTreeSet<&'m Name>,
        faults: &mut Vec<Fault>,
    ) {
        let gone = self.blocked(forced);
        let is_kept = |id: &Name| self.core.contains(id) && !gone.contains_key(id);
        for (id, why) in self
            .blocked(removed)
            .into_iter()
            .filter(|(id, _)| is_kept(id))
        {
            let named = self.named(id);
            let message = match why {
                None => {
                    format!(
                        "expected to keep {named}, without which there is no game, found it left out"
                    )
                }
                Some(why) => {
                    let lost = self.named(why);
                    format!(
                        "expected to keep {named}, without which there is no game, found {lost} left out, which it needs"
                    )
                }
            };
            let fault = Fault::new(FaultCode::BadScenario, message);
            faults.push(match self.clause(id) {
                Some(clause) => fault.hint(format!("it says: {}", clause.text)),
                None => fault,
            });
        }
    }
}

fn is_clause(pick: &Pick) -> bool {
    matches!(pick, Pick::Clause(_))
}

fn picked<'m>(manifest: &'m Manifest, pick: &Pick) -> impl Iterator<Item = &'m Clause> {
    manifest
        .clauses()
        .filter(move |(group, clause)| is_in(pick, group, clause))
        .map(|(_, clause)| clause)
}

fn is_in(pick: &Pick, group: &Group, clause: &Clause) -> bool {
    match pick {
        Pick::Group(name) => group.name == *name,
        Pick::Clause(id) => clause.id == *id,
    }
}
