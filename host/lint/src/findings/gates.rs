//! Rules that are gone when a clause is off, and are called then.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use luau_syntax::location::Position;
use rules::registration::{Origin, RawBody};

use super::facts::{CodeUnit, UnitSort};
use super::world::WorldOfNames;
use super::{FileFacts, Sink};
use crate::types::{MemberWay, way_of};

/// A clause that must be on, the rule that says so, and where it is used.
type Need = (Name, String, Position);

/// Checks every use of a rule in a file.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let helpers = of_helpers(world, file);
    let mut reported = BTreeSet::new();
    for (clause, rule, at) in needs(world, file, &helpers) {
        let Some(unit) = owner(file, at) else {
            continue;
        };
        let Some(own) = clauses_of(world, file, unit) else {
            continue;
        };
        let on = world.with_required(own.into_iter());
        if on.contains(&clause) || !reported.insert((rule.clone(), at)) {
            continue;
        }
        let message =
            format!("`{rule}` is not there when `{clause}` is off, and is used here all the same");
        let short = world
            .clauses
            .iter()
            .find(|(_, id)| **id == clause)
            .map(|((module, short), _)| format!("{module}.clauses.{short}(game)"));
        let hint = format!(
            "ask `{}` first, or let its header say what it gives then: `[… else nil]`",
            short.unwrap_or_default()
        );
        sink.put(Fault::new(FaultCode::UnknownRule, message).hint(hint), at);
    }
}

/// Checks what the actions, reactions and phases of a file are made of: all of it
/// is to be there whenever they are.
pub(super) fn check_members(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let registered = world.known.rulebook.registrations();
    for action in &registered.actions {
        let domains = action.params.iter().map(|param| &param.domain);
        let more = [
            &action.allowed,
            &action.score,
            &action.outlook,
            &action.actor,
        ];
        let rules = std::iter::once(&action.perform)
            .chain(more.into_iter().flatten())
            .chain(domains);
        check_all_there(world, file, (&action.id, &action.origin), rules, sink);
    }
    for phase in &registered.phases {
        let rule = match &phase.body {
            RawBody::Automatic(rule) | RawBody::Loop(_, Some(rule)) => Some(rule),
            _ => None,
        };
        check_all_there(
            world,
            file,
            (&phase.id, &phase.origin),
            rule.into_iter(),
            sink,
        );
    }
}

/// Rules that are gone when a clause is off without which something is there.
fn check_all_there<'r>(
    world: &WorldOfNames<'_>,
    file: &FileFacts<'_>,
    (id, origin): (&Name, &Origin),
    rules: impl Iterator<Item = &'r Name>,
    sink: &mut Sink<'_>,
) {
    if origin.place.module != *file.module || *origin.place.file != *file.path {
        return;
    }
    let on = world.with_required(origin.cites.iter().cloned());
    let mut reported = BTreeSet::new();
    for rule in rules {
        let gates = way_of(rule)
            .and_then(|way| world.gates.get(&way))
            .into_iter()
            .flatten();
        for clause in gates.filter(|clause| !on.contains(*clause) && !world.core.contains(*clause))
        {
            if !reported.insert((rule, clause)) {
                continue;
            }
            let message =
                format!("`{id}` needs `{rule}`, which is not there when `{clause}` is off");
            let hint = format!(
                "cite `{clause}` over `{id}` too, or give the rule what it gives without it: `[… else nil]`"
            );
            let at = Position {
                line: origin.place.line.saturating_sub(1),
                column: 0,
            };
            sink.put(Fault::new(FaultCode::UnknownRule, message).hint(hint), at);
        }
    }
}

fn owner<'f>(file: &'f FileFacts<'_>, at: Position) -> Option<&'f CodeUnit> {
    file.facts
        .around(at)
        .into_iter()
        .find(|unit| !matches!(unit.sort, UnitSort::Inner))
}

/// What functions of the file need of whoever calls them.
fn of_helpers(
    world: &WorldOfNames<'_>,
    file: &FileFacts<'_>,
) -> BTreeMap<u64, BTreeSet<(Name, String)>> {
    let mut all: BTreeMap<u64, BTreeSet<(Name, String)>> = BTreeMap::new();
    loop {
        let before: usize = all.values().map(BTreeSet::len).sum();
        for (clause, rule, at) in needs(world, file, &all) {
            if let Some(CodeUnit {
                sort: UnitSort::Helper(id),
                ..
            }) = owner(file, at)
            {
                all.entry(*id).or_default().insert((clause, rule));
            }
        }
        if all.values().map(BTreeSet::len).sum::<usize>() == before {
            return all;
        }
    }
}

/// Everything that a file uses which is not always there, where nothing asks
/// for its clause.
fn needs(
    world: &WorldOfNames<'_>,
    file: &FileFacts<'_>,
    helpers: &BTreeMap<u64, BTreeSet<(Name, String)>>,
) -> Vec<Need> {
    let mut all = Vec::new();
    for named in &file.facts.named {
        let Ok(way) = MemberWay::try_from(named.path.clone()) else {
            continue;
        };
        // A wrap is gone with the rule that it goes around.
        let wraps =
            |unit: &CodeUnit| matches!(&unit.sort, UnitSort::Wrap(rule) if *rule == named.path);
        if named.call.is_none() && owner(file, named.at.begin).is_some_and(wraps) {
            continue;
        }
        for clause in world.gates.get(&way).into_iter().flatten() {
            all.push((clause.clone(), way[1..].join("."), named.at.begin));
        }
    }
    for (id, at) in &file.facts.helpers {
        for (clause, rule) in helpers.get(id).into_iter().flatten() {
            all.push((clause.clone(), rule.clone(), *at));
        }
    }
    all.retain(|(clause, _, at)| {
        !world.core.contains(clause) && !is_guarded(world, file, clause, *at)
    });
    all
}

fn is_guarded(world: &WorldOfNames<'_>, file: &FileFacts<'_>, clause: &Name, at: Position) -> bool {
    let around = file
        .facts
        .guards
        .iter()
        .filter(|guard| guard.from <= at && at < guard.to);
    let on = around.filter_map(|guard| {
        let [module, _, name] = guard.clause.as_slice() else {
            return None;
        };
        world.clauses.get(&(module.clone(), name.clone())).cloned()
    });
    world.with_required(on).contains(clause)
}

/// The clauses under which a unit is there.
fn clauses_of(
    world: &WorldOfNames<'_>,
    file: &FileFacts<'_>,
    unit: &CodeUnit,
) -> Option<Vec<Name>> {
    let registered = world.known.rulebook.registrations();
    let lines = unit.at.begin.line + 1..=unit.at.end.line + 1;
    let is_here = |place: &kernel::error::Place| {
        place.module == *file.module && *place.file == *file.path && lines.contains(&place.line)
    };
    match &unit.sort {
        UnitSort::Rule(path) | UnitSort::Wrap(path) => {
            let id = path.join(".");
            let own = registered
                .layers
                .iter()
                .filter(|raw| raw.rule.replace('-', "_") == id && is_here(&raw.origin.place));
            Some(
                own.flat_map(|raw| raw.origin.cites.iter().cloned())
                    .collect(),
            )
        }
        UnitSort::Line(..) => {
            let own = registered
                .lines
                .iter()
                .find(|raw| is_here(&raw.origin.place))?;
            Some(own.origin.cites.to_vec())
        }
        UnitSort::Helper(_) | UnitSort::Thing | UnitSort::Inner => None,
    }
}
