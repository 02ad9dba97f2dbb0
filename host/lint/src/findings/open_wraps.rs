//! Wraps of what another mod gives that no clause gates, in a mod whose others
//! are gated: their clause was forgotten, so that they cannot be turned off.

use kernel::error::{Fault, FaultCode};
use kernel::value::owner_of;
use luau_syntax::location::Position;
use rules::hosting::registry::LayerKind;
use rules::registration::RawLayer;

use super::world::WorldOfNames;
use super::{FileFacts, Sink};

/// Checks the wraps of a file.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let registered = world.known.rulebook.registrations();
    let of_others = |raw: &RawLayer| {
        raw.kind == LayerKind::Wrap
            && raw.origin.place.module == *file.module
            && *owner_of(&raw.rule) != **file.module
    };
    let wraps: Vec<&RawLayer> = registered
        .layers
        .iter()
        .map(|raw| &**raw)
        .filter(|raw| of_others(raw))
        .collect();
    let of_lines = registered
        .lines
        .iter()
        .filter(|raw| raw.origin.place.module == *file.module);
    let gated = wraps.iter().flat_map(|raw| raw.origin.cites.first());
    let Some(clause) = gated
        .chain(of_lines.flat_map(|raw| raw.origin.cites.first()))
        .next()
    else {
        return;
    };
    let is_open =
        |raw: &&&RawLayer| raw.origin.cites.is_empty() && *raw.origin.place.file == *file.path;
    for wrap in wraps
        .iter()
        .filter(is_open)
        .filter(|raw| !says_so(file, raw))
    {
        let message = format!(
            "this wrap of `{}` names no clause, so that nothing turns it off",
            wrap.rule
        );
        let hint = format!(
            "the clause stands after the rule, as `{clause}` does elsewhere; `{{ cites = {{}} }}` says that none is meant"
        );
        let at = Position {
            line: wrap.origin.place.line.saturating_sub(1),
            column: 0,
        };
        sink.put(Fault::new(FaultCode::UnknownClause, message).hint(hint), at);
    }
}

/// Checks the wraps and lines of a file that only clauses of other mods gate: they come
/// and go with those, whatever clauses of its own the mod has.
pub(super) fn check_borrowed(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let Some(own) = world.known.clauses(file.module).next() else {
        return;
    };
    let registered = world.known.rulebook.registrations();
    let wraps = registered.layers.iter().map(|raw| (raw.kind, &raw.origin));
    let wraps = wraps.filter(|(kind, _)| *kind == LayerKind::Wrap);
    let lines = registered.lines.iter().map(|raw| &raw.origin);
    for origin in wraps.map(|(_, origin)| origin).chain(lines) {
        let is_here = origin.place.module == *file.module && *origin.place.file == *file.path;
        let is_other = |clause: &kernel::value::Name| *owner_of(clause) != **file.module;
        let Some(clause) = origin.cites.first().filter(|_| is_here) else {
            continue;
        };
        if !origin.cites.iter().all(is_other) {
            continue;
        }
        let message = format!(
            "only `{clause}` of another mod gates this, so that no clause of `{}` turns it off",
            file.module
        );
        let hint = format!(
            "name the clause of `{0}` that it belongs to; where it needs both: `{{ \"{1}\", \"{clause}\" }}`",
            file.module, own.id
        );
        let at = Position {
            line: origin.place.line.saturating_sub(1),
            column: 0,
        };
        sink.put(Fault::new(FaultCode::UnknownClause, message).hint(hint), at);
    }
}

/// Whether a wrap has an empty list of clauses on purpose.
fn says_so(file: &FileFacts<'_>, raw: &RawLayer) -> bool {
    let line = raw.origin.place.line;
    file.facts
        .says_cites
        .iter()
        .any(|at| (at.begin.line + 1..=at.end.line + 1).contains(&line))
}
