//! What is wrong in the files of a mod by their text alone: names that nothing
//! has, what a rule does that its header does not say, rules that are gone when
//! they are called, lines that nothing reaches, wraps that swallow others, plain
//! numbers where a measure is wanted, locals that hide the module `@list`, state that
//! is kept in tables of the file, comments that were to gate a rule, keys that no table of options has,
//! domains that leave nothing to choose.
//!
//! What a file does not say by its text is passed over, and never guessed.

mod audiences;
mod bounds;
mod cases;
mod chapters;
mod docs;
mod domains;
mod effects;
mod expressions;
mod facts;
mod fields;
mod flow;
mod gates;
mod given;
mod hidden;
mod kept;
mod keys;
mod measures;
mod names;
mod open_wraps;
mod options;
mod origins;
mod outcomes;
mod plain;
mod ranges;
mod reasons;
mod results;
mod slips;
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, owner_of};
use kernel::world::closest;
use luau_syntax::ast::{AstVisitor, Expression, ExpressionKind};
use luau_syntax::location::Position;
use luau_syntax::parser::{ParseOptions, ParsedSource};
use matches::workshop::Workshop;
use rules::hosting::registry::LayerKind;
use rules::modset::files::Sources;
use rules::registration::RawLayer;
use rules::tokens::declared_before;

use crate::built::has_component;
use crate::by_text::ByText;
use crate::scope::Scope;
use crate::typecheck::is_strict;
use crate::types::names::plain;
use crate::types::{KnownRules, uses_chapters};
pub(crate) use expressions::is_game;
use facts::Facts;
pub(crate) use given::is_case;
use hidden::Hidden;
use kept::KeptWrite;
use plain::PlainNumber;
pub(crate) use world::SECTIONS;
use world::WorldOfNames;

/// What files say, by their text.
static READ: ByText<ReadFile> = ByText::new();

/// All that is looked at in a file.
#[derive(Default)]
struct ReadFile {
    facts: Facts,
    plain: Vec<PlainNumber>,
    /// Where lines begin that nothing reaches.
    unreachable: Vec<Position>,
    /// Wraps that can answer without their base: the rule, and where.
    swallowing: Vec<(String, Position)>,
    /// Wraps that never ask their base.
    baseless: Vec<(String, Position)>,
    hidden: Vec<Hidden>,
    /// Rules that write into a table of the file.
    kept: Vec<KeptWrite>,
    /// Keys that no table of the API has.
    fields: Vec<fields::UnknownField>,
    /// Domains that leave nothing to choose.
    ranges: Vec<ranges::EmptyRange>,
    slips: Vec<slips::LuauSlip>,
    /// What is made a measure.
    converted: Vec<plain::ConvertedValue>,
}

/// What a file says; nothing of one that does not parse.
fn read(text: &str) -> Arc<ReadFile> {
    READ.get(&[text], || {
        let Ok(parsed) = ParsedSource::parse(text, ParseOptions::default()) else {
            return ReadFile::default();
        };
        let root = parsed.root();
        let mut wraps = Wraps {
            scope: Scope::read(root),
            swallowing: Vec::new(),
            baseless: Vec::new(),
        };
        root.visit(&mut wraps);
        let (plain, converted) = plain::plain_numbers(root, &wraps.scope);
        ReadFile {
            facts: Facts::read(root),
            plain,
            converted,
            slips: slips::slips(root, &wraps.scope),
            unreachable: flow::unreachable(root),
            hidden: hidden::hidden(root, &wraps.scope),
            kept: kept::kept(root, &wraps.scope),
            fields: fields::unknown(root, &wraps.scope),
            ranges: ranges::empty(root),
            swallowing: wraps.swallowing,
            baseless: wraps.baseless,
        }
    })
}

/// The questions of a mod that its scripts ask, by their ids as far as these stand in the text.
pub fn asked_by_scripts(module: &Name, files: &Sources) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    let scripts = files
        .under("rules")
        .filter(|(path, _)| path.ends_with(".luau"));
    for (_, text) in scripts {
        let read = read(text);
        let ids = read.facts.questions.iter().filter_map(|one| one.id());
        asked.extend(ids.filter(|id| owner_of(id) == &**module).map(String::from));
    }
    asked
}

/// Wraps of a mod that never ask their base, and do not say so: what they go
/// around is not heard any more, and neither is who goes around it from within.
pub(crate) fn baseless(module: &Name, files: &Sources) -> Vec<Fault> {
    let mut found = Vec::new();
    for (path, text) in files
        .under("rules")
        .filter(|(path, _)| path.ends_with(".luau"))
    {
        let mut sink = Sink {
            module,
            path,
            lines: text.lines().collect(),
            found: &mut found,
        };
        for (rule, at) in &read(text).baseless {
            let message =
                format!("this wrap never asks its base, so that `{rule}` is not heard under it");
            let hint = "say that it stands in its place: `{ cites = …, instead = true }`";
            sink.put(Fault::new(FaultCode::Swallowed, message).hint(hint), *at);
        }
    }
    found
}

/// A file with what it says.
struct FileFacts<'a> {
    module: &'a Name,
    path: &'a str,
    is_test: bool,
    facts: &'a Facts,
    plain: &'a [PlainNumber],
    converted: &'a [plain::ConvertedValue],
}

/// Where findings of a file go.
struct Sink<'a> {
    module: &'a Name,
    path: &'a str,
    lines: Vec<&'a str>,
    found: &'a mut Vec<Fault>,
}

impl Sink<'_> {
    fn placed(&self, fault: Fault, at: Position) -> Fault {
        let line = self
            .lines
            .get(at.line as usize)
            .copied()
            .unwrap_or_default();
        let before = declared_before(line);
        let own = line.char_indices().skip_while(|(byte, _)| *byte < before);
        let letters = own
            .take_while(|(byte, _)| *byte < at.column as usize)
            .count();
        let mut place = Place::new(&**self.module, self.path, at.line + 1);
        place.column = letters as u32 + 1;
        fault.at(place)
    }

    /// Something that is wrong.
    fn put(&mut self, fault: Fault, at: Position) {
        let fault = self.placed(fault, at);
        self.found.push(fault);
    }

    fn unknown(&mut self, code: FaultCode, at: Position, message: String, near: Option<&str>) {
        let fault = Fault::new(code, message);
        let fault = near.iter().fold(fault, |fault, near| {
            fault.hint(format!("did you mean `{near}`?"))
        });
        self.put(fault, at);
    }
}

/// All names that the rules have, with those that files give to fields.
fn world_of<'a>(workshop: &Workshop, known: &'a KnownRules<'a>) -> WorldOfNames<'a> {
    let mut world = WorldOfNames::new(known);
    for (_, sources) in workshop
        .sources()
        .iter()
        .filter(|(id, _)| known.rulebook.mods().contains(id))
    {
        for (path, text) in sources.under("rules").chain(sources.under("tests")) {
            if path.ends_with(".luau") {
                world.add_file(&read(text).facts, path.starts_with("rules/"));
            }
        }
    }
    world
}

/// Checks the files of a mod, one of those that are composed, or one of its files.
pub(crate) fn findings(
    workshop: &Workshop,
    known: &KnownRules<'_>,
    module: &Name,
    only: Option<&str>,
) -> Vec<Fault> {
    let world = world_of(workshop, known);
    let mut found = Vec::new();
    if only.is_none_or(|only| only == "mod.ron") {
        found.extend(touched(&world, module));
    }
    keys::check(&world, module, &mut found);
    let Some(sources) = workshop.sources().get(module) else {
        return found;
    };
    let is_new = sources.under("rules").any(|(_, text)| uses_chapters(text));
    // Which fields there are beside those that are declared, only scripts say.
    let is_built = has_component(sources);
    for (path, text) in sources.under("rules").chain(sources.under("tests")) {
        if !path.ends_with(".luau") || only.is_some_and(|only| only != path) {
            continue;
        }
        let read = read(text);
        let file = FileFacts {
            module,
            path,
            is_test: path.starts_with("tests/"),
            facts: &read.facts,
            plain: &read.plain,
            converted: &read.converted,
        };
        let mut sink = Sink {
            module,
            path,
            lines: text.lines().collect(),
            found: &mut found,
        };
        check_any(&world, &read, text, &mut sink);
        if is_new && (file.is_test || uses_chapters(text)) {
            check_calls(&world, &file, &mut sink);
        }
        if is_built && !is_new && file.is_test {
            names::check_ids(&world, &file, &mut sink);
        }
        if uses_chapters(text) {
            effects::check(&world, &file, &mut sink);
            gates::check(&world, &file, &mut sink);
            gates::check_members(&world, &file, &mut sink);
            swallowed(&world, &read.swallowing, &mut sink);
            chapters::check(&world, &file, &mut sink);
            open_wraps::check(&world, &file, &mut sink);
            open_wraps::check_borrowed(&world, &file, &mut sink);
        }
    }
    found
}

/// Checks what a file names and gives, where chapters are known.
fn check_calls(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    names::check(world, file, sink);
    measures::check(world, file, sink);
    bounds::check(world, file.plain, sink);
    domains::check(world, &file.facts.checks, sink);
    given::check(world, file, sink);
    options::check(world, file, sink);
    reasons::check(file, sink);
    results::check(file, sink);
    cases::check(world, file, sink);
    audiences::check(world, file, sink);
}

/// Checks what holds for every file, whether or not it uses chapters.
fn check_any(world: &WorldOfNames<'_>, read: &ReadFile, text: &str, sink: &mut Sink<'_>) {
    for at in &read.unreachable {
        let fault = Fault::new(FaultCode::Unreachable, "nothing reaches this line");
        sink.put(fault.hint("what comes before it leaves in every case"), *at);
    }
    docs::check(world, sink.module, sink);
    fields::check(&read.fields, sink);
    hidden::check(&read.hidden, sink);
    kept::check(&read.kept, sink);
    ranges::check(&read.ranges, sink);
    slips::check(world, &read.slips, sink);
    if !is_strict(text) {
        let fault = Fault::new(FaultCode::WrongType, "nobody checks the types of this file");
        sink.put(
            fault.hint("begin it with `--!strict`"),
            Position { line: 0, column: 0 },
        );
    }
}

/// What clauses say that they touch, and nothing has as its id.
fn touched(world: &WorldOfNames<'_>, module: &Name) -> Vec<Fault> {
    let is_in_play = |id: &&Name| {
        world
            .known
            .rulebook
            .mods()
            .iter()
            .any(|one| **one == *owner_of(id))
    };
    let is_unknown = |id: &&Name| !world.ids.contains_key(&plain(id));
    let clauses = world.known.clauses(module);
    let unknown = clauses.flat_map(|clause| {
        let ids = clause.touches.iter().filter(is_in_play).filter(is_unknown);
        ids.map(|id| (id, clause.place.clone()))
    });
    let fault = |(id, place): (&Name, Place)| {
        let message = format!("nothing has the id `{id}`, which this clause touches");
        let fault = Fault::new(FaultCode::UnknownRule, message).at(place);
        match closest(id, world.ids.values().map(String::as_str)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    };
    unknown.map(fault).collect()
}

/// Wraps that can give something without their base, while another clause wraps
/// the same rule. Mods that depend on this one go around it, and are heard first.
fn swallowed(world: &WorldOfNames<'_>, swallowing: &[(String, Position)], sink: &mut Sink<'_>) {
    for (rule, at) in swallowing {
        let layers = &world.known.rulebook.registrations().layers;
        let wraps: Vec<&RawLayer> = layers
            .iter()
            .map(|raw| &**raw)
            .filter(|raw| raw.kind == LayerKind::Wrap && raw.rule.replace('-', "_") == *rule)
            .collect();
        let is_own = |raw: &&&RawLayer| {
            let place = &raw.origin.place;
            place.module == *sink.module
                && *place.file == *sink.path
                && place.line.abs_diff(at.line + 1) <= 1
        };
        let Some(own) = wraps.iter().find(is_own) else {
            continue;
        };
        let is_outer = |raw: &RawLayer| world.known.rests_on(&raw.origin.place.module, sink.module);
        let other = wraps
            .iter()
            .find(|raw| raw.origin.cites != own.origin.cites && !is_outer(raw));
        if let Some(other) = other {
            let by = other
                .origin
                .cites
                .first()
                .map_or("another wrap", |clause| &**clause);
            let message = format!(
                "this wrap can answer without its base, and `{by}` wraps `{rule}` too: one of them is not heard then"
            );
            let hint = "call `base` in every case, or say `instead = true` beside its clauses: `{ cites = …, instead = true }`";
            sink.put(Fault::new(FaultCode::Swallowed, message).hint(hint), *at);
        }
    }
}

struct Wraps {
    scope: Scope,
    swallowing: Vec<(String, Position)>,
    baseless: Vec<(String, Position)>,
}

impl Wraps {
    /// The rule that a call wraps, by whichever of the two ways.
    fn wrapped(&self, func: Expression<'_>, args: &[Expression<'_>]) -> Option<String> {
        let path = self.scope.path(func)?;
        if path == ["@rules", "wrap"] {
            return Some(self.scope.in_mod(*args.first()?)?.join("."));
        }
        match self.scope.in_mod(func)?.as_slice() {
            [module, over, chapter, name, verb] if over == "over" && verb == "wrap" => {
                Some([module.as_str(), chapter, name].join("."))
            }
            _ => None,
        }
    }
}

impl<'ast> AstVisitor<'ast> for Wraps {
    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::Call { func, args, .. } = expression.kind() else {
            return true;
        };
        let function = args.last().and_then(|last| last.as_function());
        if let (Some(rule), Some(function)) = (self.wrapped(func, args), function)
            && !args.iter().any(|spec| says_instead(*spec))
        {
            let at = expression.location().begin;
            if flow::swallows(function) {
                self.swallowing.push((rule.clone(), at));
            }
            if !flow::asks_base(function) {
                self.baseless.push((rule, at));
            }
        }
        true
    }
}

fn says_instead(spec: Expression<'_>) -> bool {
    let ExpressionKind::Table { items } = spec.kind() else {
        return false;
    };
    items.iter().any(|item| match item {
        luau_syntax::ast::TableItem::Record { key, .. } => {
            crate::scope::word(*key).as_deref() == Some("instead")
        }
        _ => false,
    })
}
