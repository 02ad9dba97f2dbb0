//! What an editor knows by the files that `houserule types` writes: they are read
//! as a language server for Luau reads them, from the folder, by `.luaurc`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use luau_analysis::diagnostics::TypeCheckLimits;
use luau_analysis::frontend::resolver::ModuleInfo;
use luau_analysis::{
    DefinitionEnvironment, FileResolver, Frontend, FrontendOptions, ModuleName, NullConfigResolver,
    SourceCode, SourceCodeType,
};
use luau_common::BString;
use luau_syntax::ast::Expression;
use luau_syntax::location::Position;

use super::common::Scratch;

const DEFINITIONS: &str = ".houserule/types/houserule.d.luau";

/// The checker walks deep trees by recursion.
const STACK: usize = 256 << 20;

/// Files of a folder, one of them as it is being written.
struct Folder {
    root: PathBuf,
    aliases: BTreeMap<String, String>,
    typed: (String, String),
}

impl Folder {
    fn open(root: &Path, typed: (&str, &str)) -> Folder {
        let text = std::fs::read_to_string(root.join(".luaurc")).unwrap();
        let config: serde_json::Value = serde_json::from_str(&text).unwrap();
        let aliases = config["aliases"].as_object().unwrap().iter();
        let alias = |(name, path): (&String, &serde_json::Value)| {
            (format!("@{name}"), path.as_str().unwrap().to_string())
        };
        Folder {
            root: root.to_path_buf(),
            aliases: aliases.map(alias).collect(),
            typed: (typed.0.to_string(), typed.1.to_string()),
        }
    }
}

impl FileResolver for Folder {
    fn read_source(&mut self, name: &ModuleName) -> Option<SourceCode> {
        let name = name.to_string();
        let text = match name == self.typed.0 {
            true => self.typed.1.clone(),
            false => std::fs::read_to_string(self.root.join(name)).ok()?,
        };
        Some(SourceCode { source: BString::from(text), kind: SourceCodeType::Module })
    }

    fn resolve_module(
        &mut self,
        _context: Option<&ModuleInfo>,
        expression: Expression<'_>,
        _limits: &TypeCheckLimits,
    ) -> Option<ModuleInfo> {
        let wanted = expression.as_string()?.value.as_bstr().to_string();
        let name = format!("{}.luau", self.aliases.get(&wanted)?);
        Some(ModuleInfo { name: BString::from(name), optional: false })
    }
}

/// What is offered where a file says `|`: names, and what is written over each in
/// the definitions, which is what editors show of it.
fn offered(root: &Path, path: &str, text: &str) -> BTreeMap<String, String> {
    let (root, path, text) = (root.to_path_buf(), path.to_string(), text.to_string());
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(move || offered_here(&root, &path, &text)).unwrap().join().unwrap()
}

fn offered_here(root: &Path, path: &str, text: &str) -> BTreeMap<String, String> {
    let (before, after) = text.split_once('|').unwrap();
    let line = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let typed = format!("{before}{after}");
    let options = FrontendOptions { retain_full_type_graphs: true, ..FrontendOptions::default() };
    let folder = Folder::open(root, (path, &typed));
    let mut frontend = Frontend::new(folder, NullConfigResolver::default(), options);
    frontend.register_builtin_globals(DefinitionEnvironment::Globals).unwrap();
    let definitions = std::fs::read_to_string(root.join(DEFINITIONS)).unwrap();
    let scope = frontend.global_scope(DefinitionEnvironment::Globals);
    let loaded = frontend.load_definition_file(scope, &definitions, "@houserule", true).unwrap();
    assert!(loaded.success, "the definitions do not load");
    let name = BString::from(path);
    frontend.check(&name, None).unwrap();
    let position = Position { line: line as u32, column: column as u32 };
    let found = frontend.autocomplete(name.as_ref(), position, &mut |_, _, _| None);
    let lines: Vec<&str> = definitions.lines().collect();
    let entries = found.entries.iter();
    let doc = |(name, entry): (&BString, &luau_analysis::autocomplete::AutocompleteEntry)| {
        let at = entry.property.as_ref().and_then(|property| property.location);
        (name.to_string(), at.map(|at| comment_over(&lines, at.begin.line as usize)).unwrap_or_default())
    };
    entries.map(doc).collect()
}

/// The doc comment over a line.
fn comment_over(lines: &[&str], line: usize) -> String {
    let over = lines[..line].iter().rev().map_while(|line| line.trim().strip_prefix("--- "));
    let mut over: Vec<&str> = over.collect();
    over.reverse();
    over.join("\n")
}

/// A folder with a game, and a new mod that changes one of its rules.
fn begun(game: &str, rule: &str) -> Scratch {
    let scratch = Scratch::new();
    let of_repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods").join(game);
    if of_repository.is_dir() {
        super::common::copy(&of_repository, &scratch.0.join("mods").join(game));
    }
    scratch.ok(&format!("new strict --wrap {rule}"));
    scratch.ok("types strict");
    scratch
}

const CHANGE: &str = "mods/strict/rules/change.luau";

/// The change of the new mod with something typed in its wrap.
fn typed_in_wrap(scratch: &Scratch, what: &str) -> String {
    let text = scratch.read(CHANGE);
    let at = text.find("    return base(").unwrap();
    format!("{}    {what}\n{}", &text[..at], &text[at..])
}

#[test]
fn rules_are_completed_and_shown_with_the_sentences_of_their_clauses() {
    let scratch = begun("dsii", "dsii.conf.levels_lost");
    let chapters = offered(&scratch.0, CHANGE, &typed_in_wrap(&scratch, "local wanted = dsii.|"));
    for part in ["conf", "fire", "tables", "kinds", "events", "over"] {
        assert!(chapters.contains_key(part), "{part}: {:?}", chapters.keys());
    }
    let rules = offered(&scratch.0, CHANGE, &typed_in_wrap(&scratch, "local wanted = dsii.conf.|"));
    let shown = rules.get("levels_lost").unwrap();
    assert!(shown.starts_with("Levels that a score costs."), "{shown}");
    assert!(
        shown.contains("`dsii.conf.test`: The quality die must exceed leadership plus threat"),
        "{shown}"
    );
    assert!(!rules.contains_key("hit"), "what another chapter has");
    let tables = offered(&scratch.0, CHANGE, &typed_in_wrap(&scratch, "local wanted = dsii.tables.|"));
    assert!(tables.contains_key("fire_ranges"), "{:?}", tables.keys());
}

#[test]
fn elements_are_completed_with_their_attributes() {
    let scratch = begun("dsii", "dsii.conf.levels_lost");
    let body = "local function any(element: dsii.Element)\n        local wanted = element.|\n    end";
    let found = offered(&scratch.0, CHANGE, &typed_in_wrap(&scratch, body));
    assert!(found.contains_key("armour") && found.contains_key("side"), "{:?}", found.keys());
    assert!(found["title"].contains("what it is, in words"), "{:?}", found["title"]);
    let all = "for _, one in dsii.kinds.Unit.all(game) do\n        local wanted = one.|\n    end";
    let found = offered(&scratch.0, CHANGE, &typed_in_wrap(&scratch, all));
    assert!(found.contains_key("leadership") && !found.contains_key("armour"), "{:?}", found.keys());
}

#[test]
fn a_wrap_knows_what_the_rule_takes() {
    let scratch = begun("duel", "duel.fire.band");
    let found = offered(&scratch.0, CHANGE, &typed_in_wrap(&scratch, "local wanted = game:|"));
    assert!(found.contains_key("round") && !found.contains_key("roll"), "it only reads: {:?}", found.keys());
}
