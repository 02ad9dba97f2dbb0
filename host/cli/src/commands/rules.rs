//! `houserule rules`: the composed rulebook.

mod actions;
mod as_json;
mod as_text;
mod called;
mod declared;
mod find;
mod index;
mod left_out;
mod member;
mod named;
mod options;
pub(super) mod pages;
mod prohibitions;
mod questions;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use houserule::data::template::EntityTemplate;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::value::{Field, Name, Type, owner_of};
use houserule::kernel::world::closest;
use houserule::modset::manifest::{Clause, Effect, ModOption};
use houserule::modset::selector::Selector;
use houserule::rulebook::{Returns, RuleEntry, Rulebook};
use houserule::testing::{ClauseCoverage, Filter, coverage, run_suite};
use houserule::workshop::{ComposedRules, Workshop};
use serde_json::{Value as Json, json};

use crate::failure::Failure;
use crate::selection::Selection;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule rules                                   all of one game; of several, what there is
  houserule rules dsii                              the chapters of one mod; a small mod whole
  houserule rules dsii fire                         one chapter: its clauses, rules and tables
  houserule rules dsii vehicle                      the vehicles that a scenario can place
  houserule rules dsii --all                        all of one mod
  houserule rules dsii.fire.hit --with iceburg      one rule, and who wraps it
  houserule rules dsii move.go                      what a game calls so: an action, by its name or title
  houserule rules dsii.fire.ranges --with iceburg   one table, and who changed which cell
  houserule rules dsii.move.leg                     one window, and who reacts in it
  houserule rules iceburg.rfac.chits                one clause, and where it is carried out
  houserule rules dsii --open                       the rules that are open for lines, and for which
  houserule rules dsii --find \"assault attacker test\"  the rules that carry out words of the book
  houserule rules dsii --pages reference            its reference, a page a chapter
  houserule rules dsii --prohibitions               who may do what in which state, and why not
  houserule rules dsii --questions                  what its rules ask players, and in which words
  houserule rules dsii --coverage --format json     what the tests reach, clause by clause";

/// Prints the composed rulebook: phases, actions, windows and their reactions,
/// events, kinds; every rule with its signature, who defines it, who wraps it, in
/// order, and the printed source; every table with its rows; every clause.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RulesArgs {
    /// A mod, the id of anything that mods declare, or what games call it; without it
    /// everything, or which mods there are if they make several games
    #[arg(value_name = "MOD|ID")]
    pub what: Option<String>,
    /// Only this chapter of the mod, or what games call something of it
    #[arg(requires = "what", conflicts_with_all = ["coverage", "find"])]
    pub chapter: Option<String>,
    /// All of a large mod, not only which chapters it has
    #[arg(long, conflicts_with_all = ["coverage", "find", "chapter"])]
    pub all: bool,
    /// Say of each clause whether it is implemented, cited, and shown by which cases
    ///
    /// Runs the tests of the mod.
    #[arg(long)]
    pub coverage: bool,
    /// What each state leaves a piece to do, of all actions, and the clause that forbids the rest
    ///
    /// Runs the cases of the mod that set such a state up: panicked, routed, in
    /// travel mode, with its systems down; with house rules on, by those.
    #[arg(long, conflicts_with_all = ["coverage", "find", "chapter", "all", "pages"])]
    pub prohibitions: bool,
    /// The questions that its rules ask of players: how they are put, to whom, and what was answered
    ///
    /// Runs the cases of the mod: rules say what can be answered when they ask.
    #[arg(long, requires = "what", conflicts_with_all = ["coverage", "find", "chapter", "all", "pages", "prohibitions"])]
    pub questions: bool,
    /// Only the rules that are open for lines, and for which
    #[arg(long, conflicts_with_all = ["coverage", "find", "all", "pages", "prohibitions", "questions"])]
    pub open: bool,
    /// The rules whose ids, sentences or clauses have most of these words, and the tables that have all
    #[arg(long, value_name = "WORDS", conflicts_with = "coverage")]
    pub find: Option<String>,
    /// Write the reference of a mod into a folder, in Markdown, a page a chapter
    #[arg(long, value_name = "DIR", requires = "what", conflicts_with_all = ["coverage", "find"])]
    pub pages: Option<PathBuf>,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// A rulebook, and the clauses of all mods to say what it cites.
pub(super) struct ClauseLibrary<'a> {
    chosen: ComposedRules,
    clauses: BTreeMap<&'a Name, &'a Clause>,
    options: BTreeMap<&'a Name, &'a ModOption>,
    /// Of each clause, the title of its chapter.
    headings: BTreeMap<&'a Name, &'a str>,
}

impl<'a> ClauseLibrary<'a> {
    /// The words of the lines that a rule is open for.
    pub fn verbs_of(&self, rule: &RuleEntry) -> Vec<&'static str> {
        let verbs = self.chosen.rulebook.verbs_of(&rule.id);
        verbs.iter().map(|verb| verb.word()).collect()
    }

    /// Of what was chosen.
    pub fn new(workshop: &'a Workshop, chosen: ComposedRules) -> ClauseLibrary<'a> {
        let all = || {
            workshop
                .manifests()
                .values()
                .flat_map(|manifest| manifest.clauses())
        };
        let options = workshop
            .manifests()
            .values()
            .flat_map(|manifest| &manifest.options);
        ClauseLibrary {
            chosen,
            options: options.map(|option| (&option.id, option)).collect(),
            clauses: all().map(|(_, clause)| (&clause.id, clause)).collect(),
            headings: all()
                .map(|(group, clause)| (&clause.id, &*group.title))
                .collect(),
        }
    }

    /// The rules that a mod defines, wraps or replaces, or those of a chapter;
    /// all without one.
    fn rules_of(&self, module: Option<&str>) -> Vec<&RuleEntry> {
        let is_of = |entry: &&RuleEntry| {
            let of = |module: &str| {
                is_within(&entry.id, module)
                    || entry.layers.iter().any(|layer| &*layer.module == module)
            };
            module.is_none_or(of)
        };
        self.chosen
            .rulebook
            .rules()
            .values()
            .map(|entry| &**entry)
            .filter(is_of)
            .collect()
    }

    /// The tables of which a mod wrote something; all without one.
    fn tables_of(&self, module: Option<&str>) -> Vec<&houserule::data::table::Table> {
        let is_of = |table: &&houserule::data::table::Table| {
            let wrote = |module: &str| {
                table.rows().any(|(_, row)| {
                    let changes = row.changes.iter().flatten();
                    changes
                        .chain([&row.origin])
                        .any(|origin| *origin.place.module == *module)
                })
            };
            module.is_none_or(|module| is_within(&table.id, module) || wrote(module))
        };
        self.chosen
            .rulebook
            .tables()
            .values()
            .map(AsRef::as_ref)
            .filter(is_of)
            .collect()
    }

    /// The templates of a mod or a chapter; all without one.
    fn templates_of(&self, module: Option<&str>) -> Vec<&EntityTemplate> {
        let all = self.chosen.rulebook.templates().values();
        all.filter(|one| module.is_none_or(|module| is_within(&one.id, module)))
            .collect()
    }

    /// The clauses of a mod; all that are in play without one.
    fn clauses_of(&self, module: Option<&str>) -> Vec<&'a Clause> {
        let known = self.chosen.rulebook.clauses();
        let is_of = |clause: &&&Clause| {
            known.contains_key(&clause.id)
                && module.is_none_or(|module| is_within(&clause.id, module))
        };
        self.clauses.values().filter(is_of).copied().collect()
    }
}

/// Whether an id belongs to a mod (`dsii`) or to a chapter of one (`dsii.fire`).
fn is_within(id: &str, what: &str) -> bool {
    id.strip_prefix(what)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// A mod with more rules than this is told by its chapters.
const MOST_AT_ONCE: usize = 80;

/// Runs the command.
///
/// # Errors
/// Mods that do not compose, or an id that is not there.
pub fn run(args: &RulesArgs, ui: &mut Ui) -> Result<(), Failure> {
    if args.coverage {
        return print_coverage(args, ui);
    }
    if args.prohibitions {
        return prohibitions::print(args, ui);
    }
    if args.questions {
        return questions::print(args, ui);
    }
    let mut request = args.selection.request()?;
    ui.note_broken();
    if let Some(name) = a_name(args, &ui.workshop)
        && called::anywhere(args, name, ui)?
    {
        return Ok(());
    }
    match &args.what {
        Some(what) => request.with.insert(0, whole(&ui.workshop, owner_of(what))?),
        None if ui.workshop.is_empty() && !ui.is_json() => {
            return Ok(ui.line("there is no mod here; `--mods` names another folder of mods")?);
        }
        None if request.with.is_empty() && games(&ui.workshop) > 1 => {
            return of_no_game(args, ui);
        }
        None => {}
    }
    let workshop = ui.workshop.clone();
    let chosen = match request.with.is_empty() {
        true => left_out::compose_what_can_be(&workshop, request, ui)?,
        false => workshop.compose(&request)?,
    };
    let library = ClauseLibrary::new(&workshop, chosen);
    if let Some(words) = &args.find {
        return Ok(find::find(&library, words, ui)?);
    }
    if let (Some(folder), Some(what)) = (&args.pages, &args.what) {
        return pages::pages(&library, workshop.manifest(owner_of(what))?, folder, ui);
    }
    if args.open {
        let parts: Vec<&str> = args
            .what
            .iter()
            .chain(&args.chapter)
            .map(String::as_str)
            .collect();
        return open_rules(&library, &parts.join("."), ui);
    }
    match (&args.what, &args.chapter) {
        (Some(id), None) if id.contains('.') => one(&library, id, ui),
        (Some(module), Some(chapter)) => index::chapter(&library, module, chapter, ui),
        (Some(module), None)
            if !args.all
                && !ui.is_json()
                && library.rules_of(Some(module.as_str())).len() > MOST_AT_ONCE =>
        {
            Ok(index::index(&library, module, ui)?)
        }
        (what, _) => whole_book(&library, what.as_deref(), ui),
    }
}

/// What is asked for by a name, not by a mod or an id that begins with one.
fn a_name<'a>(args: &'a RulesArgs, workshop: &Workshop) -> Option<&'a str> {
    let is_of_one = !args.open && args.find.is_none() && args.pages.is_none();
    let name = args
        .what
        .as_deref()
        .filter(|_| is_of_one && args.chapter.is_none())?;
    workshop
        .manifests()
        .get(owner_of(name))
        .is_none()
        .then_some(name)
}

fn whole(workshop: &Workshop, id: &str) -> Result<Selector, Failure> {
    Ok(Selector {
        module: workshop.manifest(id)?.id.clone(),
        picks: Vec::new(),
    })
}

/// How many mods stand on no other: each of them may be a game of its own.
pub(super) fn games(workshop: &Workshop) -> usize {
    workshop
        .manifests()
        .values()
        .filter(|manifest| manifest.depends.is_empty())
        .count()
}

/// Of several games, which to look in must be said.
fn of_no_game(args: &RulesArgs, ui: &mut Ui) -> Result<(), Failure> {
    match &args.find {
        Some(words) => {
            let text = format!("in which game? `houserule rules MOD --find '{words}'`");
            Err(Failure::Usage(text))
        }
        None => list_mods(ui),
    }
}

/// The mods that there are: several games have no rulebook in common.
fn list_mods(ui: &mut Ui) -> Result<(), Failure> {
    let workshop = ui.workshop.clone();
    if ui.is_json() {
        let json: Vec<Json> = workshop
            .manifests()
            .values()
            .map(as_json::manifest)
            .collect();
        return Ok(ui.document(&json!({ "mods": json }))?);
    }
    Ok(as_text::manifests(workshop.manifests().values(), ui)?)
}

fn whole_book(
    library: &ClauseLibrary<'_>,
    module: Option<&str>,
    ui: &mut Ui,
) -> Result<(), Failure> {
    if ui.is_json() {
        let json = as_json::book(library, module);
        return Ok(ui.document(&json)?);
    }
    Ok(as_text::book(library, module, ui)?)
}

fn one(library: &ClauseLibrary<'_>, id: &str, ui: &mut Ui) -> Result<(), Failure> {
    let rulebook = &library.chosen.rulebook;
    let (rule, table) = (rulebook.rules().get(id), rulebook.tables().get(id));
    let clause = library.clauses.get(&Name::from(id)).copied();
    let declared = declared::one_as_json(rulebook.book(), id);
    let named = named::of(rulebook, id);
    let option = options::of(library, id);
    if rule.is_none()
        && table.is_none()
        && clause.is_none()
        && declared.is_none()
        && named.is_none()
        && option.is_none()
    {
        return match ids(library).any(|known| is_within(known, id)) {
            true => whole_book(library, Some(id), ui),
            false => Err(unknown(library, id).into()),
        };
    }
    if ui.is_json() {
        let json = json!({
            "rule": rule.map(|rule| as_json::rule(library, rule)),
            "table": table.map(|table| as_json::table(rulebook, table)),
            "clause": clause.map(|clause| as_json::clause(library, clause)),
            "option": option.map(|option| options::one_as_json(library, option)),
        });
        let found = json
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, value)| !value.is_null());
        let json: Json = found
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain(declared.map(|(name, value)| (name.to_string(), value)))
            .chain(
                named
                    .map(|named| named::as_json(&named, rulebook))
                    .map(|(name, json)| (name.to_string(), json)),
            )
            .collect::<serde_json::Map<_, _>>()
            .into();
        return Ok(ui.document(&json)?);
    }
    declared::one(rulebook.book(), id, ui)?;
    if let Some(named) = &named {
        named::print(named, rulebook, ui)?;
    }
    if let Some(option) = option {
        options::print(library, option, ui)?;
    }
    if let Some(rule) = rule {
        as_text::rule_in_full(library, rule, ui)?;
    }
    if let Some(table) = table {
        as_text::table(rulebook, table, ui)?;
    }
    if let Some(clause) = clause {
        as_text::clause(library, clause, ui)?;
    }
    Ok(())
}

/// The ids of all that can be asked for.
fn ids<'a>(library: &'a ClauseLibrary<'_>) -> impl Iterator<Item = &'a str> {
    let rulebook = &library.chosen.rulebook;
    let rules = rulebook.rules().keys().chain(rulebook.tables().keys());
    rules
        .chain(library.clauses.keys().copied())
        .chain(library.options.keys().copied())
        .map(|id| &**id)
        .chain(declared::ids(rulebook.book()))
        .chain(named::ids(rulebook))
}

fn unknown(library: &ClauseLibrary<'_>, id: &str) -> Fault {
    let fault = Fault::new(
        FaultCode::UnknownRule,
        format!("expected the id of something that mods declare, found `{id}`"),
    );
    // What ids begin with can be asked for, too.
    let beginnings = ids(library).flat_map(|id| {
        let dots = id.match_indices('.').skip(1);
        dots.map(move |(at, _)| &id[..at])
    });
    match closest(id, ids(library).chain(beginnings)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint(format!(
            "`houserule rules {}` lists what there is",
            owner_of(id)
        )),
    }
}

/// The rules of a mod or a chapter that are open for lines.
fn open_rules(library: &ClauseLibrary<'_>, of: &str, ui: &mut Ui) -> Result<(), Failure> {
    let rules = library.rules_of(None).into_iter();
    let rules = rules.filter(|rule| of.is_empty() || is_within(&rule.id, of));
    let open: Vec<&RuleEntry> = rules
        .filter(|rule| !library.verbs_of(rule).is_empty())
        .collect();
    if ui.is_json() {
        let rules: Vec<Json> = open
            .iter()
            .map(|rule| as_json::rule(library, rule))
            .collect();
        return Ok(ui.document(&json!({ "rules": rules }))?);
    }
    if open.is_empty() {
        let of = match of {
            "" => String::new(),
            of => format!(" of `{of}`"),
        };
        return Ok(ui.line(format!("no rule{of} is open for lines"))?);
    }
    Ok(open
        .into_iter()
        .try_for_each(|rule| as_text::open_rule(library, rule, ui))?)
}

/// A rule as it is called: `dsii.fire.band(weapon: text, range: length) -> text?`.
pub fn signature_text(rule: &RuleEntry) -> String {
    signature_with(rule, &|ty| ty.to_string())
}

/// What an argument of a rule is, by its name if it has one.
pub(super) fn argument_type(field: &Field, rule: &RuleEntry, rulebook: &Rulebook) -> String {
    type_text(&field.ty, owner_of(&rule.id), rulebook)
}

/// A rule as it is called, with records by their names, and what each of these holds.
pub(super) fn described(rule: &RuleEntry, rulebook: &Rulebook) -> Vec<String> {
    let records = records_of(rule, rulebook).into_iter();
    let records = records.map(|(name, ty)| format!("{name} is {ty}"));
    std::iter::once(named_signature(rule, rulebook))
        .chain(records)
        .collect()
}

/// The same with records by their names, where they have one.
fn named_signature(rule: &RuleEntry, rulebook: &Rulebook) -> String {
    signature_with(rule, &|ty| type_text(ty, owner_of(&rule.id), rulebook))
}

fn signature_with(rule: &RuleEntry, written: &dyn Fn(&Type) -> String) -> String {
    let signature = &rule.signature;
    let args: Vec<String> = signature
        .args
        .iter()
        .map(|field| format!("{}: {}", field.name, written(&field.ty)))
        .collect();
    let gives = match &signature.returns {
        // A reason is a text with its clause, which no other text has.
        Returns::Value(_) if rule.is_reason => " -> Reason?".to_string(),
        Returns::Value(ty) => format!(" -> {}", written(ty)),
        Returns::Domain(ty) => format!(" -> domain of {}", written(ty)),
        Returns::Nothing => String::new(),
    };
    format!("{}({}){gives}", rule.id, args.join(", "))
}

fn type_text(ty: &Type, owner: &str, rulebook: &Rulebook) -> String {
    match ty {
        Type::Optional(inner) => format!("{}?", type_text(inner, owner, rulebook)),
        Type::List(inner) => format!("list({})", type_text(inner, owner, rulebook)),
        Type::Map(inner) => format!("map({})", type_text(inner, owner, rulebook)),
        Type::Record(fields) => match name_of(ty, owner, rulebook) {
            Some(name) => name.to_string(),
            None => {
                let field = |field: &Field| {
                    format!("{}: {}", field.name, type_text(&field.ty, owner, rulebook))
                };
                format!(
                    "{{{}}}",
                    fields.iter().map(field).collect::<Vec<_>>().join(", ")
                )
            }
        },
        ty => ty.to_string(),
    }
}

/// What a record is called, by the mod of a rule or else by another.
fn name_of<'a>(ty: &Type, owner: &str, rulebook: &'a Rulebook) -> Option<&'a Name> {
    let mut names = rulebook
        .records()
        .iter()
        .filter(|(_, known)| *known == ty)
        .map(|(id, _)| id);
    let first = names.next()?;
    Some(if owner_of(first) == owner {
        first
    } else {
        names.find(|id| owner_of(id) == owner).unwrap_or(first)
    })
}

/// The records that a rule takes or gives, with their names, each once.
fn records_of<'a>(rule: &'a RuleEntry, rulebook: &'a Rulebook) -> Vec<(&'a Name, &'a Type)> {
    let mut found = Vec::new();
    let taken = rule.signature.args.iter().map(|field| &field.ty);
    let given = match &rule.signature.returns {
        Returns::Value(ty) | Returns::Domain(ty) => Some(ty),
        Returns::Nothing => None,
    };
    for mut ty in taken.chain(given) {
        while let Type::Optional(inner) | Type::List(inner) | Type::Map(inner) = ty {
            ty = inner;
        }
        if !matches!(ty, Type::Record(_)) || found.iter().any(|(_, known)| *known == ty) {
            continue;
        }
        found.extend(name_of(ty, owner_of(&rule.id), rulebook).map(|name| (name, ty)));
    }
    found
}

/// A signature for a list: records without a name are told by short fields only.
fn short_signature(rule: &RuleEntry, rulebook: &Rulebook) -> String {
    let whole = named_signature(rule, rulebook);
    let (mut text, mut depth, mut inside) = (String::new(), 0u32, String::new());
    for c in whole.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c, depth) {
            ('}', 0) => {
                let is_short = inside.chars().count() <= SHORT_RECORD;
                text.push_str(if is_short { &inside } else { "{ … " });
                text.push('}');
                inside.clear();
            }
            (c, 0) => text.push(c),
            (c, _) => inside.push(c),
        }
    }
    text
}

/// Records of so many letters are told whole in a list.
const SHORT_RECORD: usize = 16;

fn returns_text(returns: &Returns) -> Option<String> {
    match returns {
        Returns::Value(ty) => Some(ty.to_string()),
        Returns::Domain(ty) => Some(format!("domain of {ty}")),
        Returns::Nothing => None,
    }
}

fn effect_word(effect: Effect) -> &'static str {
    match effect {
        Effect::Adds => "adds",
        Effect::Changes => "changes",
        Effect::Confirms => "confirms",
        Effect::Advises => "advises",
    }
}

// ---- coverage ----------------------------------------------------------------

fn print_coverage(args: &RulesArgs, ui: &mut Ui) -> Result<(), Failure> {
    let what = args.what.as_deref();
    let mods: Vec<Name> = match what {
        Some(what) => vec![ui.workshop.manifest(owner_of(what))?.id.clone()],
        None => ui.workshop.manifests().keys().cloned().collect(),
    };
    ui.note_broken();
    // It is said from what runs now.
    let results = run_suite(
        &ui.workshop,
        &Filter {
            mods: mods.clone(),
            text: None,
        },
        None,
        &|_| (),
    );
    let mut found: Vec<ClauseCoverage> = Vec::new();
    let mut broken = left_out::Broken::default();
    for module in &mods {
        let of_mod: Vec<_> = results
            .iter()
            .filter(|result| result.module == *module)
            .cloned()
            .collect();
        match coverage(&ui.workshop, module, &of_mod) {
            Ok(clauses) => found.extend(clauses),
            Err(faults) if what.is_none() => broken.add(module, faults),
            Err(faults) => return Err(faults.into()),
        }
    }
    broken.tell(ui);
    let is_asked = |clause: &str| match what {
        Some(what) if what.contains('.') => {
            clause == what || clause.starts_with(&format!("{what}."))
        }
        _ => true,
    };
    found.retain(|one| is_asked(&one.clause));
    if ui.is_json() {
        let json: Vec<Json> = found.iter().map(as_json::coverage).collect();
        return Ok(ui.document(&json!(json))?);
    }
    Ok(as_text::coverage(&found, ui)?)
}
