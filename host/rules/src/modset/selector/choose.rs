//! From what is asked for to the clauses that are on.
//!
//! Of what is asked for, first everything goes that is taken away or requires
//! something that is; then everything comes that the rest requires.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::zip;

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

/// The clauses of the mods in play, each with a number, in the order of their ids.
struct Clauses<'m> {
    mods: Mods<'m>,
    all: Vec<ListedClause<'m>>,
    /// What each requires.
    requires: Vec<Vec<usize>>,
}

/// A clause of a mod in play.
struct ListedClause<'m> {
    module: &'m Name,
    group: &'m Group,
    clause: &'m Clause,
}

impl ListedClause<'_> {
    /// Whether a selector names it, by itself or with its group, in a way that counts.
    fn is_named(&self, selector: &Selector, counts: impl Fn(&Pick) -> bool) -> bool {
        let is_it = |pick: &&Pick| is_in(pick, self.group, self.clause);
        selector.module == *self.module && selector.picks.iter().filter(is_it).any(counts)
    }
}

/// A set of clauses, by their numbers.
type ClauseSet = Vec<bool>;

/// Why a clause is off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absence {
    Not,
    /// It is taken away.
    Taken,
    /// It requires this one, which is off.
    Lacks(usize),
}

impl<'m> Clauses<'m> {
    fn new(mods: Mods<'m>) -> Clauses<'m> {
        let of_mod = |(module, manifest): (&&'m Name, &&'m Manifest)| {
            let module = *module;
            let clauses = manifest.clauses();
            clauses.map(move |(group, clause)| ListedClause {
                module,
                group,
                clause,
            })
        };
        let mut all: Vec<ListedClause<'_>> = mods.iter().flat_map(of_mod).collect();
        all.sort_by_key(|one| &one.clause.id);
        let mut clauses = Clauses {
            mods,
            all,
            requires: Vec::new(),
        };
        let required = |one: &ListedClause<'_>| {
            let required = one.clause.requires.iter();
            required.flat_map(|one| clauses.required(one)).collect()
        };
        clauses.requires = clauses.all.iter().map(required).collect();
        clauses
    }

    /// What is required and in play; whoever checks requirements tells of the rest.
    fn required(&self, requirement: &Requirement) -> Vec<usize> {
        match requirement {
            Requirement::Clause(id) => self.number(id).into_iter().collect(),
            Requirement::Group { module, group } => {
                let manifest = self.mods.get(module);
                let group = manifest.and_then(|manifest| manifest.group(group));
                let clauses = group.into_iter().flat_map(|group| &group.clauses);
                let default = clauses.filter(|clause| clause.default);
                default
                    .filter_map(|clause| self.number(&clause.id))
                    .collect()
            }
        }
    }

    fn number(&self, id: &Name) -> Option<usize> {
        let found = self.all.binary_search_by_key(&id, |one| &one.clause.id);
        found.ok()
    }

    fn set_of(&self, is_in: impl Fn(&ListedClause<'m>) -> bool) -> ClauseSet {
        self.all.iter().map(is_in).collect()
    }

    fn choose(&self, request: &Request, faults: &mut Vec<Fault>) -> (BTreeSet<Name>, Vec<String>) {
        let seeds = self.seeds(request);
        let forced = self.set_of(|one| request.force_without.contains(&one.clause.id));
        let removed = self.set_of(|one| {
            let mut without = request.without.iter();
            without.any(|selector| one.is_named(selector, |_| true))
        });
        self.check_core(&removed, &forced, faults);
        let both = zip(&removed, &forced).map(|(one, other)| *one || *other);
        let off = self.blocked(&both.collect());
        let open = zip(&seeds, &off).map(|(is_asked, off)| *is_asked && *off == Absence::Not);
        let active = self.closed(open.collect());
        let notes = self.notes(seeds, &off, &active);
        let ids = members(&active).map(|number| self.all[number].clause.id.clone());
        (ids.collect(), notes)
    }

    /// What is off or on though nobody has said so, and why.
    fn notes(&self, seeds: ClauseSet, off: &[Absence], active: &ClauseSet) -> Vec<String> {
        let id = |number: usize| &self.all[number].clause.id;
        let comes = |number: &usize| active[*number] && !seeds[*number];
        let brings = |number: usize| {
            let mut by = members(active);
            let by = by.find(|other| self.requires[*other].contains(&number))?;
            Some(format!("`{}` is on: `{}` requires it", id(number), id(by)))
        };
        let on: Vec<String> = (0..active.len()).filter(comes).filter_map(brings).collect();
        let mut notes = Vec::new();
        if off.iter().any(|off| matches!(off, Absence::Lacks(_))) {
            let with_all = self.closed(seeds);
            for number in members(&with_all) {
                if let Absence::Lacks(why) = off[number] {
                    notes.push(format!(
                        "`{}` is off: it requires `{}`",
                        id(number),
                        id(why)
                    ));
                }
            }
        }
        notes.extend(on);
        notes
    }

    /// What is asked for, before anything is taken away or comes along.
    fn seeds(&self, request: &Request) -> ClauseSet {
        let is_whole = |module: &Name| {
            let mut named = request.with.iter().filter(|one| one.module == *module);
            let first = named.next();
            first
                .is_none_or(|first| first.picks.is_empty() || named.any(|one| one.picks.is_empty()))
        };
        let whole: Vec<&Name> = self
            .mods
            .keys()
            .copied()
            .filter(|id| is_whole(id))
            .collect();
        self.set_of(|one| {
            let counts = |pick: &Pick| one.clause.default || is_clause(pick);
            one.clause.core
                || is_default(one.group, one.clause) && whole.contains(&one.module)
                || request.with.iter().any(|with| one.is_named(with, counts))
        })
    }

    /// Those taken away and all that requires them.
    fn blocked(&self, removed: &ClauseSet) -> Vec<Absence> {
        let taken = |is_removed: &bool| {
            if *is_removed {
                Absence::Taken
            } else {
                Absence::Not
            }
        };
        let mut off: Vec<Absence> = removed.iter().map(taken).collect();
        loop {
            let is_off = |number: &&usize| off[**number] != Absence::Not;
            let lacks = |number: usize| {
                let why = self.requires[number].iter().find(is_off)?;
                Some((number, Absence::Lacks(*why)))
            };
            let is_on = |number: &usize| off[*number] == Absence::Not;
            let more: Vec<(usize, Absence)> =
                (0..off.len()).filter(is_on).filter_map(lacks).collect();
            if more.is_empty() {
                return off;
            }
            more.into_iter().for_each(|(number, why)| off[number] = why);
        }
    }

    /// These and all that they require.
    fn closed(&self, seeds: ClauseSet) -> ClauseSet {
        let mut open: Vec<usize> = members(&seeds).collect();
        let mut closed = seeds;
        while let Some(number) = open.pop() {
            for required in &self.requires[number] {
                if !std::mem::replace(&mut closed[*required], true) {
                    open.push(*required);
                }
            }
        }
        closed
    }

    /// A clause as players know it: its title, and its id.
    fn named(&self, number: usize) -> String {
        let clause = self.all[number].clause;
        format!("\"{}\" (`{}`)", clause.title, clause.id)
    }

    /// No core clause may go because of what players take away.
    fn check_core(&self, removed: &ClauseSet, forced: &ClauseSet, faults: &mut Vec<Fault>) {
        let gone = self.blocked(forced);
        let lost = self.blocked(removed);
        let is_kept = |number: usize| self.all[number].clause.core && gone[number] == Absence::Not;
        for number in (0..lost.len()).filter(|number| is_kept(*number)) {
            let why = match lost[number] {
                Absence::Not => continue,
                Absence::Taken => "it left out".to_string(),
                Absence::Lacks(why) => format!("{} left out, which it needs", self.named(why)),
            };
            let message = format!(
                "expected to keep {}, without which there is no game, found {why}",
                self.named(number)
            );
            let fault = Fault::new(FaultCode::BadScenario, message);
            faults.push(fault.hint(format!("it says: {}", self.all[number].clause.text)));
        }
    }
}

/// The numbers in a set, in order.
fn members(set: &ClauseSet) -> impl Iterator<Item = usize> {
    (0..set.len()).filter(|number| set[*number])
}

fn is_clause(pick: &Pick) -> bool {
    matches!(pick, Pick::Clause(_))
}

fn is_in(pick: &Pick, group: &Group, clause: &Clause) -> bool {
    match pick {
        Pick::Group(name) => group.name == *name,
        Pick::Clause(id) => clause.id == *id,
    }
}
