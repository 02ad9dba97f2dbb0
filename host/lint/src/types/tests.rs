//! What an editor shows, asked of the checker as the server of an editor asks it,
//! with the files that `houserule types` writes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::value::Name;
use luau_analysis::diagnostics::TypeCheckLimits;
use luau_analysis::frontend::resolver::ModuleInfo;
use luau_analysis::{
    DefinitionEnvironment, FileResolver, Frontend, FrontendOptions, ModuleName, NullConfigResolver,
    SourceCode, SourceCodeType,
};
use luau_common::{BStr, BString};
use luau_syntax::ast::Expression;
use luau_syntax::location::Position;
use matches::workshop::Workshop;
use rules::modset::files::Sources;
use rules::modset::selector::Request;

use super::Types;

const MANIFEST: &str = r#"Mod(id: "club", version: "1.0.0", title: "Club", engine: "0.1", depends: [("drill", "*")],
    groups: [Group(id: "change", title: "Change", clauses: [
        Clause(id: "club.change.rule", title: "Rule", text: "It is otherwise.", effect: Changes),
    ])])"#;

/// A rules file as `houserule new --wrap` begins one, with a little more.
const RULES: &str = r#"--!strict
local drill = require("@drill")
local rules = require("@rules")

rules.wrap(drill.fire.band, "change.rule", function(base, game, squad, target)
    local needed = drill.options.fire_needed(game)
    return if squad.is_down or needed > 5 then nil else base(game, squad, target)
end)
"#;

const FILE: &str = "club/rules/change.luau";

struct Served(BTreeMap<String, String>);

impl FileResolver for Served {
    fn read_source(&mut self, name: &ModuleName) -> Option<SourceCode> {
        let text = self.0.get(&name.to_string())?;
        Some(SourceCode { source: BString::from(text.clone()), kind: SourceCodeType::Module })
    }

    fn resolve_module(
        &mut self,
        _context: Option<&ModuleInfo>,
        expression: Expression<'_>,
        _limits: &TypeCheckLimits,
    ) -> Option<ModuleInfo> {
        let wanted = expression.as_string()?.value.as_bstr().to_string();
        let name = wanted.strip_prefix('@')?;
        Some(ModuleInfo { name: BString::from(name.to_string()), optional: false })
    }
}

/// The server of an editor in which the file is open.
struct Editor {
    frontend: Frontend<Served, NullConfigResolver>,
    definitions: String,
}

impl Editor {
    fn open(rules: &str) -> Editor {
        let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
        let files = [("mod.ron", MANIFEST), ("rules/change.luau", rules)];
        let files = files.into_iter().map(|(path, text)| (path.to_string(), Arc::from(text))).collect();
        let sources = BTreeMap::from([
            (Name::from("drill"), Sources::read(&examples.join("drill")).unwrap()),
            (Name::from("club"), Sources::from_memory("club", files)),
        ]);
        let (workshop, faults) = Workshop::from_sources(sources);
        assert_eq!(faults, []);
        let rulebook = workshop.compose(&Request::parse("club").unwrap()).unwrap().rulebook;
        let types = Types::of(&workshop, &rulebook);
        let mut texts = types.modules;
        texts.insert(FILE.into(), rules.into());
        let options = FrontendOptions { retain_full_type_graphs: true, ..FrontendOptions::default() };
        let mut frontend = Frontend::new(Served(texts), NullConfigResolver::default(), options);
        frontend.register_builtin_globals(DefinitionEnvironment::Globals).unwrap();
        let scope = frontend.global_scope(DefinitionEnvironment::Globals);
        let definitions = types.definitions.concat();
        let loaded = frontend.load_definition_file(scope, &definitions, "@houserule", true).unwrap();
        assert!(loaded.success);
        let result = frontend.check(&BString::from(FILE), None).unwrap();
        let model = frontend.semantic_model(&BString::from(FILE)).unwrap();
        let underlined: Vec<String> =
            result.errors.iter().map(|error| model.error_message(error).to_string()).collect();
        assert_eq!(underlined, Vec::<String>::new(), "an editor underlines nothing");
        Editor { frontend, definitions }
    }

    /// The place right after a text in the file.
    fn after(rules: &str, text: &str) -> Position {
        let at = rules.find(text).unwrap() + text.len();
        let before = &rules[..at];
        let line = before.matches('\n').count() as u32;
        let column = before.rsplit('\n').next().unwrap().len() as u32;
        Position { line, column }
    }

    /// What is completed there, each with the comment above its declaration.
    fn completed(&self, at: Position) -> BTreeMap<String, String> {
        let found = self.frontend.autocomplete(BStr::new(FILE), at, &mut |_, _, _| None);
        let lines: Vec<&str> = self.definitions.lines().collect();
        let doc = |line: usize| {
            let above = lines[..line].iter().rev().map(|line| line.trim());
            let mut doc: Vec<&str> =
                above.map_while(|line| line.strip_prefix("---")).map(str::trim).collect();
            doc.reverse();
            doc.join("\n")
        };
        let entry = |(name, entry): (&BString, &luau_analysis::autocomplete::AutocompleteEntry)| {
            let place = entry.property.as_ref().and_then(|property| property.location);
            (name.to_string(), place.map(|place| doc(place.begin.line as usize)).unwrap_or_default())
        };
        found.entries.iter().map(entry).collect()
    }

    /// The type that is shown over a place.
    fn hovered(&self, at: Position) -> String {
        let name = BString::from(FILE);
        let model = self.frontend.semantic_model(&name).unwrap();
        model.type_at(at).unwrap().to_string()
    }
}

#[test]
fn an_editor_completes_rules_options_and_attributes() {
    let editor = Editor::open(RULES);
    let at = |text: &str| editor.completed(Editor::after(RULES, text));
    let rules = at("rules.wrap(drill.fire.");
    assert!(rules.contains_key("band") && rules.contains_key("barred"), "{rules:?}");
    let options = at("drill.options.");
    assert!(options.contains_key("fire_needed"), "{options:?}");
    let squad = at("if squad.");
    assert!(squad.contains_key("is_down") && squad.contains_key("rounds"), "{squad:?}");
}

#[test]
fn a_rule_is_shown_with_its_types_its_sentence_and_those_of_its_clauses() {
    let editor = Editor::open(RULES);
    let shown = editor.hovered(Editor::after(RULES, "rules.wrap(drill.fire.ba"));
    assert_eq!(shown, "(game: Reads, squad: DrillSquad, target: DrillSquad) -> (\"close\" | \"far\")?");
    let docs = editor.completed(Editor::after(RULES, "rules.wrap(drill.fire."));
    let doc = &docs["band"];
    assert!(doc.starts_with("The range band of a shot, or nothing if it cannot reach."), "{doc}");
    assert!(doc.contains("`drill.fire.range`: "), "{doc}");
}
