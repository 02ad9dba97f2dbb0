//! Type checking of `--!strict` files of mods, against the published
//! definitions in `schemas/luau/v1`.
//!
//! Findings are warnings: they never keep a mod from loading, and a mod that
//! does not compose has none, for its faults come first.
//!
//! What is checked is each file as its mod will run it, with what the rulebook
//! knows written in:
//!
//! | in the file | taken as |
//! |---|---|
//! | a parameter of a rule, step, wrap, action, reaction or listener | its type in the signature |
//! | `game:call("skirmish.damage", …)`, `base(…)` | what the rule returns |
//! | `game:entities("skirmish.unit")`, `all`, `create` | entities of that kind |
//! | what a rule gives back | the type in its signature |
//! | another parameter without a type; `game`, and `t` in tests | `any`; `Game`, `Case` |
//! | what another function without a type gives back | `any` |
//!
//! So `element.armuor` is found in a rule without a single annotation, and a
//! file that handles entities of unknown kind stays quiet: `Entity`, which
//! `game:get` gives, has every attribute, as `any`. A mod may write the names
//! of kinds itself (`houserule types` prints them): `skirmish.unit` is
//! `SkirmishUnit`.
//!
//! Two things are let go on purpose. An attribute that may be nil reads as if
//! it were there, for rules know from the state of the game which ones are. An
//! entity of unknown kind may be given where one of a kind is wanted.
//!
//! The checker is experimental (`docs/decisions/0020-typecheck.md`). It runs
//! with a stack of its own, and a file on which it breaks is left unchecked.

mod annotate;
mod kept;
mod resolver;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kernel::error::Place;
use kernel::value::Name;
use kernel::world::closest;
use luau_analysis::diagnostics::{TypeError, TypeErrorData};
use luau_analysis::{
    AnalysisResult, DefinitionEnvironment, Frontend, FrontendOptions, NullConfigResolver, SemanticModel,
};
use luau_common::BString;

use crate::found::Wanted;
use crate::types::{self, Types};
use matches::workshop::Workshop;
use resolver::Files;
use rules::modset::selector::{Request, Selector};
use rules::rulebook::Rulebook;

/// The checker walks deep trees by recursion.
const STACK: usize = 256 << 20;

/// Seconds after which a file is given up.
const LONGEST: f64 = 30.0;

/// Something that looks wrong in a file of a mod.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What, in the words of the checker.
    pub message: String,
    /// What was meant, if that can be guessed.
    pub hint: Option<String>,
}

/// Checks every `--!strict` file in `rules/` and `tests/` of a mod, with all of
/// its clauses on; by place.
///
/// A mod that is not there, or does not compose, has no findings.
pub fn typecheck(workshop: &Workshop, module: &Name) -> Vec<Finding> {
    let Some(rulebook) = compose(workshop, module) else { return Vec::new() };
    typecheck_known(workshop, module, &types::Known::new(workshop, &rulebook), Wanted::default())
}

/// The same of some files, with what is known of the rules.
pub(crate) fn typecheck_known(
    workshop: &Workshop,
    module: &Name,
    known: &types::Known<'_>,
    wanted: Wanted<'_>,
) -> Vec<Finding> {
    let Types { definitions, modules } = Types::for_checker(known);
    let base = kept::hash(definitions.iter().chain(modules.values()).map(String::as_str));
    let files = Files::new(workshop, &annotate::Known::new(known), modules);
    let mut findings = Vec::new();
    let mut left = Vec::new();
    for (module, path) in strict_files(workshop, module) {
        if wanted.file.is_some_and(|file| file != path) {
            continue;
        }
        let place = Place::new(&*module, path.as_str(), 0);
        let key = kept::hash(files.read_by(&place).into_iter().chain([base.as_str()]));
        match wanted.kept_in.and_then(|folder| kept::read(folder, &key, &place)) {
            Some(found) => findings.extend(found),
            None => left.push((place, key)),
        }
    }
    let checked = check_in_thread(&files, definitions, left.iter().map(|(place, _)| place.clone()).collect());
    for ((_, key), found) in left.iter().zip(checked) {
        if let Some(folder) = wanted.kept_in {
            kept::write(folder, key, &found);
        }
        findings.extend(found);
    }
    add_hints(&mut findings, known);
    findings.sort();
    findings.dedup();
    findings
}

fn check_in_thread(files: &Arc<Files>, definitions: Vec<String>, wanted: Vec<Place>) -> Vec<Vec<Finding>> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let files = files.clone();
    let work = move || check_all(&files, &definitions, &wanted);
    let thread = std::thread::Builder::new().name("typecheck".into()).stack_size(STACK).spawn(work);
    thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
}

/// What was meant by an attribute that a kind does not have.
fn add_hints(findings: &mut [Finding], known: &types::Known<'_>) {
    for finding in findings {
        let Some(rest) = finding.message.strip_prefix("Key '") else { continue };
        let Some((key, rest)) = rest.split_once('\'') else { continue };
        let ty = rest.split('\'').nth(1).unwrap_or_default();
        let kinds = known.book().schema.kinds();
        let Some(kind) = kinds.iter().find(|kind| known.kinds.of(&kind.id) == ty) else { continue };
        let near = closest(key, kind.attributes.iter().map(|attribute| &*attribute.name));
        finding.hint = near.map(|near| format!("did you mean `{near}`?"));
    }
}

/// With every clause on if that goes together, else as the mod is by default.
pub(crate) fn compose(workshop: &Workshop, module: &Name) -> Option<std::rc::Rc<Rulebook>> {
    let manifest = workshop.manifests().get(module)?;
    let whole = Selector { module: module.clone(), picks: Vec::new() };
    let off = manifest.clauses().filter(|(group, clause)| !(group.default && clause.default));
    let mut all: Vec<Selector> = off.filter_map(|(_, clause)| Selector::parse(&clause.id).ok()).collect();
    all.insert(0, whole.clone());
    let compose = |with| workshop.compose(&Request { with, ..Request::default() }).ok();
    Some(compose(all).or_else(|| compose(vec![whole]))?.rulebook)
}

fn strict_files(workshop: &Workshop, module: &Name) -> Vec<(Name, String)> {
    let Some(sources) = workshop.sources().get(module) else { return Vec::new() };
    let files = sources.under("rules").chain(sources.under("tests"));
    let strict = files.filter(|(_, text)| is_strict(text));
    strict.map(|(path, _)| (module.clone(), path.to_string())).collect()
}

/// Whether the directive stands among the comments that open the file.
fn is_strict(text: &str) -> bool {
    let opening = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with("--"));
    opening.into_iter().any(|line| line == "--!strict")
}

fn check_all(files: &Arc<Files>, definitions: &[String], wanted: &[Place]) -> Vec<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut checker = None;
    for place in wanted {
        let outcome = catch_unwind(AssertUnwindSafe(|| -> AnalysisResult<Vec<Finding>> {
            let checker = match &mut checker {
                Some(checker) => checker,
                none => none.insert(Checker::new(files.clone(), definitions)?),
            };
            checker.check(place)
        }));
        match outcome {
            Ok(Ok(found)) => findings.push(found),
            _ => {
                // What it holds may be broken as well.
                checker = None;
                let message = "the type checker failed on this file, so that it was not checked".to_string();
                findings.push(vec![Finding { place: place.clone(), message, hint: None }]);
            }
        }
    }
    findings
}

struct Checker {
    files: Arc<Files>,
    frontend: Frontend<resolver::Resolver, NullConfigResolver>,
    complaint: Option<String>,
}

impl Checker {
    fn new(files: Arc<Files>, definitions: &[String]) -> AnalysisResult<Checker> {
        let options = FrontendOptions {
            retain_full_type_graphs: true,
            module_time_limit_sec: Some(LONGEST),
            ..FrontendOptions::default()
        };
        let resolver = resolver::Resolver::new(files.clone());
        let mut frontend = Frontend::new(resolver, NullConfigResolver::default(), options);
        frontend.register_builtin_globals(DefinitionEnvironment::Globals)?;
        let mut complaint = None;
        for text in definitions {
            let scope = frontend.global_scope(DefinitionEnvironment::Globals);
            let loaded = frontend.load_definition_file(scope, text, "@houserule", false)?;
            if !loaded.success {
                let syntax = loaded.source_module.parse_errors.first().map(ToString::to_string);
                let types = loaded.semantic_model(&frontend).and_then(|model| first_message(&model));
                complaint = complaint.or_else(|| Some(syntax.or(types).unwrap_or_default()));
            }
        }
        Ok(Checker { files, frontend, complaint })
    }

    fn check(&mut self, place: &Place) -> AnalysisResult<Vec<Finding>> {
        if let Some(complaint) = &self.complaint {
            let message = format!("the type definitions do not load: {complaint}");
            return Ok(vec![Finding { place: place.clone(), message, hint: None }]);
        }
        let name = BString::from(resolver::module_name(&place.module, &place.file));
        let result = self.frontend.check(&name, None)?;
        let Some(model) = self.frontend.semantic_model(&name) else { return Ok(Vec::new()) };
        let own = result.errors.iter().filter(|error| error.module_name == name);
        Ok(own.filter_map(|error| self.finding(place, &model, error)).collect())
    }

    fn finding(&self, place: &Place, model: &SemanticModel<'_>, error: &TypeError) -> Option<Finding> {
        let message = model.error_message(error).to_string();
        if is_silent(&error.data, &message) {
            return None;
        }
        let message = missing_key(&message).unwrap_or(message);
        let (line, column) = self.files.origin(place, error.location.begin);
        let place = Place { line, column, ..place.clone() };
        Some(Finding { place, message, hint: None })
    }
}

fn first_message(model: &SemanticModel<'_>) -> Option<String> {
    let module = model.module();
    let error = module.errors().first()?;
    let line = error.location.begin.line + 1;
    Some(format!("line {line}: {}", model.error_message(error)))
}

/// What it says where it lost the type of what anything may be.
const UNFOLLOWED: [&str; 6] = [
    "Expected this to be 'boolean, ",
    "*error-type*",
    "Type 'any &",
    "Available overloads: <V>({V}, V)",
    "None of the overloads for function",
    "Expected type table, got",
];

/// What the checker says about correct rules: advice on annotations, the use
/// of an entity of unknown kind or of a list of one kind, a literal table that
/// is read by a key or over all of them, a field that is written in a record of
/// the rule's own making, and what follows from a type that it could not find.
fn is_silent(data: &TypeErrorData, message: &str) -> bool {
    // `(list or {}).key`: there may be nothing under the key.
    if message.contains("is missing from '{  }'")
        || message.contains("is missing from '{ }'")
        || UNFOLLOWED.iter().any(|known| message.contains(known))
    {
        return true;
    }
    match data {
        TypeErrorData::ExplicitFunctionAnnotationRecommended(_) => true,
        TypeErrorData::UnknownSymbol(_) | TypeErrorData::UnknownProperty(_) => false,
        TypeErrorData::TypeMismatch(_) => {
            message.ends_with("but got 'Entity'") || message.contains("is not exactly `Entity`")
        }
        TypeErrorData::PropertyAccessViolation(_) => message.contains("of table '"),
        TypeErrorData::CannotExtendTable(_) if message.starts_with("Cannot add indexer") => true,
        TypeErrorData::GenericError(_) if message.starts_with("Cannot iterate over a table") => true,
        _ => message.contains("types unknown") || message.contains("'unknown'"),
    }
}

/// The checker calls it read-only when a rule writes an attribute that a kind
/// does not have; none of them is.
fn missing_key(message: &str) -> Option<String> {
    let (key, ty) =
        message.strip_prefix("Property ")?.strip_suffix(" is read-only")?.split_once(" of type ")?;
    Some(format!("Key '{key}' not found in external type {ty}"))
}

#[cfg(test)]
mod tests;
