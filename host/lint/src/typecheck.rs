//! Type checking of `--!strict` files of mods, against the published
//! definitions in `schemas/luau/v1`.
//!
//! Findings are problems like any; a mod that does not compose has none, for
//! its faults come first.
//!
//! What is checked is each file as its mod will run it, with what the rulebook
//! knows written in:
//!
//! | in the file | taken as |
//! |---|---|
//! | a parameter of a wrap, a line, a listener, or of a function in an action or reaction | its type in the header or signature |
//! | `game:call("skirmish.damage", …)`, `base(…)` | what the rule returns |
//! | `game:entities("skirmish.unit")`, `all`, `create` | entities of that kind |
//! | the parameter of a function that is asked of each item: `list.any(guns, function(gun) … end)` | what is in the list |
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
mod checkers;
mod handed;
mod kept;
mod members;
mod misjudged;
mod resolver;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::Place;
use kernel::value::Name;
use kernel::world::{Kind, closest};
use luau_analysis::diagnostics::TypeErrorData;

pub(crate) use checkers::Checkers;

use crate::findings;
use crate::types::{self, Types};
use crate::wanted::LintRequest;
use handed::FieldTakers;
use matches::workshop::{ComposedRules, Workshop};
use resolver::AnnotatedFiles;
use rules::modset::selector::{Request, Selector};
use rules::rulebook::Rulebook;

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
    let set = std::slice::from_ref(module);
    let Some(rulebook) = compose(workshop, set) else {
        return Vec::new();
    };
    let known = types::KnownRules::new(workshop, &rulebook);
    let job = CheckJob::new(
        workshop,
        set,
        &rulebook,
        &CheckerSetup::new(&known),
        LintRequest::default(),
    );
    let mut findings = Checkers::default().check_all(std::iter::once(job));
    findings.sort();
    findings
}

/// What the checker goes by in every file of some mods: the same as long as no
/// header, no line and no data of them is another.
pub(crate) struct CheckerSetup {
    definitions: Arc<[String]>,
    /// What `require("@name")` gives.
    modules: BTreeMap<String, String>,
    base: String,
    annotating: annotate::KnownNames,
    takers: Arc<FieldTakers>,
    attributes: BTreeMap<String, Vec<Name>>,
    /// Names that files have without declaring them, by their mods.
    own_names: Arc<BTreeMap<Name, BTreeSet<String>>>,
}

impl CheckerSetup {
    pub fn new(known: &types::KnownRules<'_>) -> CheckerSetup {
        let Types {
            definitions,
            modules,
        } = Types::for_checker(known);
        let takers = FieldTakers::new(known);
        let base = kept::hash(
            definitions
                .iter()
                .chain(modules.values())
                .chain([&takers.text()])
                .map(String::as_str),
        );
        let kinds = known.book().schema.kinds().iter();
        let names = |kind: &Kind| {
            kind.attributes
                .iter()
                .map(|attribute| attribute.name.clone())
                .collect()
        };
        CheckerSetup {
            attributes: kinds
                .map(|kind| (known.kinds.of(&kind.id).to_string(), names(kind)))
                .collect(),
            annotating: annotate::KnownNames::new(known),
            takers: Arc::new(takers),
            definitions: definitions.into(),
            own_names: Arc::new(own_names(known, &modules)),
            modules,
            base,
        }
    }
}

/// The files of some mods that are to be checked, with all that the checker
/// reads for them.
pub(crate) struct CheckJob {
    files: Arc<AnnotatedFiles>,
    definitions: Arc<[String]>,
    takers: Arc<FieldTakers>,
    /// What changes when the definitions do, or what takes fields.
    base: String,
    /// Each with the name under which what is found in it is kept.
    left: Vec<(Place, String)>,
    kept_in: Option<PathBuf>,
    /// What was kept of the others.
    found: Vec<Finding>,
    /// Attributes by what the checker calls their kinds.
    attributes: BTreeMap<String, Vec<Name>>,
    own_names: Arc<BTreeMap<Name, BTreeSet<String>>>,
}

impl CheckJob {
    pub fn new(
        workshop: &Workshop,
        set: &[Name],
        rulebook: &Rulebook,
        prepared: &CheckerSetup,
        wanted: LintRequest<'_>,
    ) -> CheckJob {
        let mut job = CheckJob {
            attributes: prepared.attributes.clone(),
            own_names: prepared.own_names.clone(),
            kept_in: wanted.kept_in.map(Path::to_path_buf),
            files: AnnotatedFiles::new(workshop, rulebook.mods(), prepared),
            definitions: prepared.definitions.clone(),
            takers: prepared.takers.clone(),
            base: prepared.base.clone(),
            left: Vec::new(),
            found: Vec::new(),
        };
        for (module, path) in set.iter().flat_map(|module| strict_files(workshop, module)) {
            if wanted.file.is_none_or(|file| file == path) {
                job.take(Place::new(&*module, path.as_str(), 0));
            }
        }
        job
    }

    /// A file is checked if nothing is kept of it as it is.
    fn take(&mut self, place: Place) {
        let key = kept::hash(
            self.files
                .read_by(&place)
                .into_iter()
                .chain([self.base.as_str()]),
        );
        match self
            .kept_in
            .as_ref()
            .and_then(|folder| kept::read(folder, &key, &place))
        {
            Some(found) => self.found.extend(found),
            None => self.left.push((place, key)),
        }
    }

    /// Takes what was found in the files that were left.
    fn take_found(&mut self, found: Vec<Vec<Finding>>) {
        for ((_, key), found) in self.left.iter().zip(found) {
            if let Some(folder) = &self.kept_in {
                kept::write(folder, key, &found);
            }
            self.found.extend(found);
        }
        self.left.clear();
    }

    /// Everything that was found, with what was meant.
    fn findings(mut self) -> Vec<Finding> {
        self.found
            .retain(|finding| !compares_entities(&finding.message, &self.attributes));
        add_hints(&mut self.found, &self.attributes);
        add_names(&mut self.found, &self.own_names);
        self.found
    }
}

/// Whether it objects to a comparison of an entity of whatever kind with one of some
/// kind: the checker takes kinds for types whose values are never the same.
fn compares_entities(message: &str, kinds: &BTreeMap<String, Vec<Name>>) -> bool {
    let Some((left, right)) = message
        .strip_prefix("Types ")
        .and_then(|rest| rest.split_once(" cannot be compared with "))
        .filter(|(_, rest)| rest.starts_with("== ") || rest.starts_with("~= "))
        .and_then(|(types, _)| types.split_once(" and "))
    else {
        return false;
    };
    let names = |side: &str| -> Vec<String> {
        side.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty() && *word != "nil")
            .map(String::from)
            .collect()
    };
    let (left, right) = (names(left), names(right));
    let is_entity = |name: &String| name == "Entity" || kinds.contains_key(name);
    let is_any = |side: &[String]| side.iter().any(|name| name == "Entity");
    (is_any(&left) || is_any(&right)) && left.iter().chain(&right).all(is_entity)
}

/// What helps where the checker says only what it wanted, by a part of its words.
const HINTS: [(&str, &str); 6] = [
    (
        "Expected this to be 'Reason?', but got 'string'",
        "why not is `rules.reason(\"…\")`, with values by name: `rules.reason(\"{unit} is pinned\", { unit = unit })`",
    ),
    (
        "Expected this to be 'Reason?', but got 'boolean'",
        "a condition stands behind a text that says why not, or gives `rules.refuse(is_so, \"why not\")`",
    ),
    (
        "Operator '+' could not be applied to operands of types string",
        "texts are joined by `..`, or what is in braces stands in one: `{unit.name} halts` in backticks",
    ),
    (
        "Expected this to be 'Case', but got",
        "a method is called with a colon: `t:act(…)`",
    ),
    (
        "Operator '..' could not be applied",
        "an entity is no text: its name is `unit.name`",
    ),
    (
        "Not all codepaths in this function return",
        "a `return` is missing where it ends",
    ),
];

/// What was meant by an attribute that a kind does not have.
fn add_hints(findings: &mut [Finding], attributes: &BTreeMap<String, Vec<Name>>) {
    for finding in findings {
        if let Some((_, hint)) = HINTS
            .iter()
            .find(|(part, _)| finding.message.contains(part))
            .filter(|(part, _)| {
                let mut kinds = attributes.keys().map(String::as_str).chain(["Entity"]);
                !part.starts_with("Operator '..'")
                    || kinds.any(|kind| finding.message.contains(kind))
            })
        {
            finding.hint = Some((*hint).into());
        }
        let Some(rest) = finding.message.strip_prefix("Key '") else {
            continue;
        };
        let Some((key, rest)) = rest.split_once('\'') else {
            continue;
        };
        let ty = rest.split('\'').nth(1).unwrap_or_default();
        let names = attributes.get(ty).into_iter().flatten().map(|name| &**name);
        finding.hint = closest(key, names).map(|near| format!("did you mean `{near}`?"));
    }
}

/// What was meant by a name that a file does not have.
fn add_names(findings: &mut [Finding], own_names: &BTreeMap<Name, BTreeSet<String>>) {
    for finding in findings {
        let Some(rest) = finding.message.strip_prefix("Unknown global '") else {
            continue;
        };
        let Some((name, _)) = rest.split_once('\'') else {
            continue;
        };
        let names = own_names
            .get(&finding.place.module)
            .into_iter()
            .flatten()
            .map(String::as_str);
        let near = || closest(name, names).map(|near| format!("did you mean `{near}`?"));
        let meant = meant_by(name).map(String::from);
        (finding.hint, finding.message) = (
            meant
                .or_else(|| chapter_of_other(own_names, name))
                .or_else(near),
            // Nothing can be assigned to globals.
            format!("nothing is called `{name}` here"),
        );
    }
}

/// A chapter of another mod, which is called with that.
fn chapter_of_other(own_names: &BTreeMap<Name, BTreeSet<String>>, name: &str) -> Option<String> {
    let (module, _) = own_names.iter().find(|(_, names)| names.contains(name))?;
    Some(format!("did you mean `{module}.{name}`?"))
}

/// What is meant by a name that other languages have, or that a function must take to have it.
fn meant_by(name: &str) -> Option<&'static str> {
    Some(match name {
        "null" | "None" | "undefined" | "NULL" => "`nil`",
        "True" | "TRUE" => "`true`",
        "False" | "FALSE" => "`false`",
        "t" => "a case takes it: `test.case(\"…\", function(t) … end)`",
        "game" => "whoever is called takes it, in a wrap behind its base",
        "base" => "a wrap takes it first: `function(base, game, …) … end`",
        _ => return None,
    })
}

/// What every file of a mod has: the modules of the host, mods, what each of them
/// has, and its chapters.
fn own_names(
    known: &types::KnownRules<'_>,
    modules: &BTreeMap<String, String>,
) -> BTreeMap<Name, BTreeSet<String>> {
    let sections = findings::SECTIONS
        .into_iter()
        .chain(["push", "over"])
        .map(String::from);
    let shared: BTreeSet<String> = modules.keys().cloned().chain(sections).collect();
    let chapters = |module: &Name| {
        let ways = known
            .rules()
            .map(|(way, _)| way)
            .chain(known.things().map(|(way, _)| way));
        let own = ways
            .filter(|[owner, ..]| **module == **owner)
            .map(|[_, chapter, _]| chapter.clone());
        own.chain(shared.iter().cloned()).collect()
    };
    known
        .rulebook
        .mods()
        .iter()
        .map(|module| (module.clone(), chapters(module)))
        .collect()
}

/// Mods together, with every clause on if that goes, else as they are by default.
pub(crate) fn compose(workshop: &Workshop, set: &[Name]) -> Option<Rc<Rulebook>> {
    Some(with_all_clauses(workshop, set)?.rulebook)
}

/// The same with what was chosen. Mods that do not compose give nothing.
pub fn with_all_clauses(workshop: &Workshop, set: &[Name]) -> Option<ComposedRules> {
    let selector = |module: &Name| Selector {
        module: module.clone(),
        picks: Vec::new(),
    };
    let whole: Vec<Selector> = set.iter().map(selector).collect();
    let mut all = whole.clone();
    for module in set {
        let clauses = workshop.manifests().get(module)?.clauses();
        let off = clauses.filter(|(group, clause)| !(group.default && clause.default));
        all.extend(off.filter_map(|(_, clause)| Selector::parse(&clause.id).ok()));
    }
    let compose = |with| {
        workshop
            .compose(&Request {
                with,
                ..Request::default()
            })
            .ok()
    };
    compose(all).or_else(|| compose(whole))
}

fn strict_files(workshop: &Workshop, module: &Name) -> Vec<(Name, String)> {
    let Some(sources) = workshop.sources().get(module) else {
        return Vec::new();
    };
    let files = sources.under("rules").chain(sources.under("tests"));
    let strict = files.filter(|(_, text)| is_strict(text));
    strict
        .map(|(path, _)| (module.clone(), path.to_string()))
        .collect()
}

/// Whether the directive stands among the comments that open the file.
pub(crate) fn is_strict(text: &str) -> bool {
    let opening = text
        .lines()
        .map(str::trim)
        .take_while(|line| line.is_empty() || line.starts_with("--"));
    opening.into_iter().any(|line| line == "--!strict")
}

/// What it says where it lost the type of what anything may be.
const UNFOLLOWED: [&str; 9] = [
    "Expected this to be 'boolean, ",
    "*error-type*",
    "Type 'any &",
    "Available overloads: <V>({V}, V)",
    "None of the overloads for function",
    "Expected type table, got",
    "(unknown & ~(false?))",
    "'boolean?', but got 'unknown'",
    // What gives nothing at its end is as good as `nil`.
    "Not all codepaths in this function return 'boolean?'",
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
            (message.ends_with("but got 'Entity'") && !wants_plain(message))
                || message.contains("is not exactly `Entity`")
                || differs_by_writing(message)
        }
        TypeErrorData::PropertyAccessViolation(_) => message.contains("of table '"),
        TypeErrorData::CannotExtendTable(_) if message.starts_with("Cannot add indexer") => true,
        TypeErrorData::GenericError(_) if message.starts_with("Cannot iterate over a table") => {
            true
        }
        _ => message.contains("types unknown") || message.contains("'unknown'"),
    }
}

/// Whether it wants what no entity is, of whatever kind.
fn wants_plain(message: &str) -> bool {
    let wanted = message
        .strip_prefix("Expected this to be '")
        .and_then(|rest| rest.split('\'').next());
    matches!(wanted, Some("string" | "number" | "boolean"))
}

/// Whether two types are the same but for who may write their fields, which a
/// record that the rule has made itself does not mind.
fn differs_by_writing(message: &str) -> bool {
    let is_same = |reason: &str| {
        let names = reason
            .rsplit_once("and `")
            .and_then(|(_, names)| names.split_once("` is not exactly `"));
        names.is_some_and(|(one, other)| other.trim_end_matches('`') == one)
    };
    let mut reasons = message
        .lines()
        .filter(|line| line.starts_with("\t * "))
        .peekable();
    reasons.peek().is_some() && reasons.all(is_same)
}

/// The checker calls it read-only when a rule writes an attribute that a kind
/// does not have; none of them is.
fn missing_key(message: &str) -> Option<String> {
    let (key, ty) = message
        .strip_prefix("Property ")?
        .strip_suffix(" is read-only")?
        .split_once(" of type ")?;
    Some(format!("Key '{key}' not found in external type {ty}"))
}

#[cfg(test)]
mod tests;
