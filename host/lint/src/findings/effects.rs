//! What rules do, against what their headers say: through the functions of the
//! file that they call, and through other rules.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use luau_syntax::location::Position;

use super::facts::{CodeUnit, RuleEffect, UnitSort};
use super::world::WorldOfNames;
use super::{FileFacts, Sink};

/// What is done, and where in the file it says so.
type DoneEffects = BTreeMap<RuleEffect, String>;

/// Checks every rule, wrap and line of a file.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let helpers = of_helpers(world, file);
    let mut reported = BTreeSet::new();
    for (effect, at, what) in effects_of(world, file, &helpers) {
        let Some(unit) = owner(file, at) else {
            continue;
        };
        let Some((name, allowed)) = allowed(world, unit) else {
            continue;
        };
        if may(allowed, effect) || !reported.insert((unit.at.begin, effect, at)) {
            continue;
        }
        let message = format!(
            "expected `{name}` {}, found that it {}: `{what}`",
            words(allowed),
            verb(effect)
        );
        sink.put(
            Fault::new(FaultCode::NotAllowed, message).hint(hint(unit, effect)),
            at,
        );
    }
}

/// The least that each function of a file has to be handed.
pub(super) fn of_helpers(
    world: &WorldOfNames<'_>,
    file: &FileFacts<'_>,
) -> BTreeMap<u64, DoneEffects> {
    let mut all: BTreeMap<u64, DoneEffects> = BTreeMap::new();
    loop {
        let before: usize = all.values().map(BTreeMap::len).sum();
        for (effect, at, what) in effects_of(world, file, &all) {
            if let Some(CodeUnit {
                sort: UnitSort::Helper(id),
                ..
            }) = owner(file, at)
            {
                all.entry(*id).or_default().entry(effect).or_insert(what);
            }
        }
        if all.values().map(BTreeMap::len).sum::<usize>() == before {
            return all;
        }
    }
}

/// The rule, wrap, line or function of the file that a place belongs to.
fn owner<'f>(file: &'f FileFacts<'_>, at: Position) -> Option<&'f CodeUnit> {
    file.facts
        .around(at)
        .into_iter()
        .find(|unit| !matches!(unit.sort, UnitSort::Inner))
}

/// Everything that is done somewhere in a file.
fn effects_of(
    world: &WorldOfNames<'_>,
    file: &FileFacts<'_>,
    helpers: &BTreeMap<u64, DoneEffects>,
) -> Vec<(RuleEffect, Position, String)> {
    let mut all: Vec<(RuleEffect, Position, String)> = Vec::new();
    for (effect, at, what) in &file.facts.effects {
        // A field that no kind has is a table's.
        let field = what
            .rsplit_once('.')
            .filter(|_| *effect == RuleEffect::Writes && !what.contains(':'));
        let is_field = field
            .is_some_and(|(root, name)| !root.contains('.') && !world.attributes.contains(name));
        if !is_field {
            all.push((*effect, *at, what.clone()));
        }
    }
    for named in &file.facts.named {
        let effects = world.effects(&named.path).unwrap_or(Effects::READS);
        for (effect, flag) in [
            (RuleEffect::Draws, Effects::DRAWS),
            (RuleEffect::Writes, Effects::WRITES),
            (RuleEffect::Asks, Effects::ASKS),
        ] {
            if effects.include(flag) && named.call.is_some() {
                all.push((effect, named.at.begin, named.path.join(".")));
            }
        }
    }
    for (id, at) in &file.facts.helpers {
        for (effect, what) in helpers.get(id).into_iter().flatten() {
            all.push((*effect, *at, what.clone()));
        }
    }
    all
}

fn allowed(world: &WorldOfNames<'_>, unit: &CodeUnit) -> Option<(String, Effects)> {
    match &unit.sort {
        UnitSort::Rule(path) | UnitSort::Wrap(path) => {
            Some((path[1..].join("."), world.effects(path)?))
        }
        UnitSort::Line(path, verb) if verb != "after" => {
            Some((format!("a line of {}", path[1..].join(".")), Effects::READS))
        }
        _ => None,
    }
}

fn may(allowed: Effects, effect: RuleEffect) -> bool {
    allowed.include(match effect {
        RuleEffect::Draws => Effects::DRAWS,
        RuleEffect::Writes => Effects::WRITES,
        RuleEffect::Asks => Effects::ASKS,
    })
}

fn words(effects: Effects) -> String {
    let all = [
        (Effects::DRAWS, "draw"),
        (Effects::WRITES, "write"),
        (Effects::ASKS, "ask"),
    ];
    let may: Vec<&str> = all
        .iter()
        .filter(|(effect, _)| effects.include(*effect))
        .map(|(_, word)| *word)
        .collect();
    match may.is_empty() {
        true => "to read only".into(),
        false => format!("to read and {} only", may.join(" and ")),
    }
}

fn verb(effect: RuleEffect) -> &'static str {
    match effect {
        RuleEffect::Draws => "draws",
        RuleEffect::Writes => "writes",
        RuleEffect::Asks => "asks",
    }
}

fn hint(unit: &CodeUnit, effect: RuleEffect) -> String {
    let handle = match effect {
        RuleEffect::Draws => "Draws",
        RuleEffect::Writes => "Writes",
        RuleEffect::Asks => "Acts",
    };
    match unit.sort {
        UnitSort::Rule(_) => format!("say `game: {handle}` in its header, or let a step do it"),
        _ => "let a step do it, after what the rule gives".into(),
    }
}
