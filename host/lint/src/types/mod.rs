//! Types of the rules of some mods, as Luau writes them: what `require` gives,
//! for the checker and for editors.
//!
//! Everything is an extern type, and nothing is generic: the checker gives up
//! on tables as large as a mod, and what it gives up on it takes for anything.

mod api;
mod chapters;
pub(crate) mod headers;
pub(crate) mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kernel::book::Book;
use kernel::game::Effects;
use kernel::value::{Name, Type, owner_of};
use luau_syntax::parser::{ParseOptions, ParsedSource};
use matches::scenario::Scenario;
use matches::workshop::Workshop;
use rules::hosting::registry::{Returns, Signature};
use rules::lines::Law;
use rules::modset::manifest::{Clause, ModOption};
use rules::modset::manifests::Manifests;
use rules::rulebook::{Rulebook, Tables};

use crate::built::holds;
use crate::by_text::ByText;
pub(crate) use chapters::CONDITION;
pub(crate) use chapters::way as way_of;
use chapters::{ModTypes, way};
use headers::{FileDeclarations, RuleHeader};
use names::{KindNames, camel};

/// The modules of the host, and the types of what they give.
const OF_THE_HOST: [(&str, &str); 5] = [
    ("rules", "Rules"),
    ("ask", "Ask"),
    ("domain", "Domains"),
    ("list", "Lists"),
    ("test", "Test"),
];

/// What files give to chapters, by their mods and texts.
static DECLARATIONS: ByText<FileDeclarations> = ByText::new();

/// The sides of a scenario, and its entities.
type ScenarioNames = [Vec<String>; 2];

/// Those of scenarios, by their texts; of one that cannot be read there are none.
static SCENARIO_NAMES: ByText<Option<ScenarioNames>> = ByText::new();

/// What an editor or the checker loads of some mods.
pub struct Types {
    /// Definitions, to be loaded in this order.
    pub definitions: Vec<String>,
    /// What `require("@name")` gives, by name, as files.
    pub modules: BTreeMap<String, String>,
}

impl Types {
    /// The same for the checker, which writes the types of a wrap into the file,
    /// and gives up on many that are found out by what they go around.
    pub(crate) fn for_checker(known: &KnownRules<'_>) -> Types {
        let mut types = Types::with(known);
        if let Some(api) = types.definitions.first_mut() {
            *api = api::loosened(api);
        }
        types
    }

    /// The names that the files of a mod have without declaring them, as an
    /// editor wants them.
    pub fn own_names(&self, module: &str) -> String {
        let mut text =
            String::from("-- Names that a file of the mod has without declaring them.\n");
        for (name, ty) in OF_THE_HOST {
            let _ = writeln!(text, "declare {name}: {ty}");
        }
        let prefix = camel(module);
        let _ = writeln!(text, "declare {module}: {prefix}_module_");
        let is_part =
            |line: &str| line.starts_with(&format!("declare extern type {prefix}_module_ "));
        let all = || self.definitions.iter().flat_map(|part| part.lines());
        let members = all()
            .skip_while(|line| !is_part(line))
            .skip(1)
            .take_while(|line| *line != "end");
        for line in members.filter_map(|line| line.trim().strip_prefix("read ")) {
            let Some((name, ty)) = line.split_once(": ") else {
                continue;
            };
            if ty == format!("{prefix}_{name}") || ty == format!("{prefix}_{name}_") {
                let _ = writeln!(text, "declare {name}: {ty}");
            }
        }
        let exports = self
            .modules
            .get(module)
            .into_iter()
            .flat_map(|text| text.lines());
        let published = self.definitions.first().map_or("", String::as_str);
        for line in exports.filter(|line| line.starts_with("export type ")) {
            let head = line.split('=').next().unwrap_or(line);
            if !published.contains(head) {
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }

    /// The types of a rulebook.
    pub fn of(workshop: &Workshop, rulebook: &Rulebook) -> Types {
        Types::with(&KnownRules::new(workshop, rulebook))
    }

    pub(crate) fn with(known: &KnownRules<'_>) -> Types {
        let mut definitions = vec![api::api(), known.named()];
        let mut modules: BTreeMap<String, String> = BTreeMap::new();
        for (name, ty) in OF_THE_HOST {
            modules.insert(
                name.into(),
                format!("--!strict\nlocal module: {ty} = nil :: any\nreturn module\n"),
            );
        }
        for id in known.rulebook.mods() {
            let of_mod = ModTypes { known, id };
            definitions.extend(of_mod.definitions());
            modules.insert(id.to_string(), of_mod.module());
        }
        Types {
            definitions,
            modules,
        }
    }
}

/// A rule as its callers see it.
pub(crate) struct RuleType {
    /// Its id.
    pub id: Name,
    /// What it takes and gives.
    pub header: RuleHeader,
    /// Whether it is a function of a chapter.
    pub is_new: bool,
    /// How lines combine in it, if it takes some.
    pub law: Option<Law>,
}

/// Mod, chapter and name.
pub(crate) type MemberWay = [String; 3];

/// What is known of the rules of some mods.
pub(crate) struct KnownRules<'a> {
    workshop: &'a Workshop,
    pub rulebook: &'a Rulebook,
    pub kinds: KindNames,
    rules: BTreeMap<MemberWay, RuleType>,
    things: BTreeMap<MemberWay, String>,
    exported: BTreeMap<Name, Vec<(String, String)>>,
}

impl<'a> KnownRules<'a> {
    /// Whether a mod depends on another, by however many others.
    pub fn rests_on(&self, module: &Name, other: &Name) -> bool {
        let manifest = self.workshop.manifests().get(module).into_iter();
        manifest
            .flat_map(|manifest| &manifest.depends)
            .any(|on| on.id == *other || self.rests_on(&on.id, other))
    }

    /// Whether a component of the mod that an id is of holds it as a text, as that
    /// of a question: components register none.
    pub fn is_in_component(&self, id: &str) -> bool {
        let sources = self.workshop.sources().get(owner_of(id));
        sources.is_some_and(|sources| holds(sources, id))
    }

    pub fn new(workshop: &'a Workshop, rulebook: &'a Rulebook) -> KnownRules<'a> {
        let kinds = KindNames::new(rulebook.book().schema.kinds());
        let mut known = KnownRules {
            workshop,
            rulebook,
            kinds,
            rules: BTreeMap::new(),
            things: BTreeMap::new(),
            exported: BTreeMap::new(),
        };
        for id in rulebook.mods() {
            known.read_files(id);
        }
        known.add_registered();
        known
    }

    fn read_files(&mut self, id: &Name) {
        let Some(sources) = self.workshop.sources().get(id) else {
            return;
        };
        for (_, text) in sources
            .under("rules")
            .filter(|(path, _)| path.ends_with(".luau"))
        {
            let declared = DECLARATIONS.get(&[&**id, &**text], || {
                let parsed = ParsedSource::parse(&**text, ParseOptions::default());
                parsed
                    .map(|parsed| FileDeclarations::read(id, parsed.root()))
                    .unwrap_or_default()
            });
            self.exported
                .entry(id.clone())
                .or_default()
                .extend(declared.exported.iter().cloned());
            for (chapter, name, header) in &declared.rules {
                let rule = Name::from(format!("{id}.{chapter}.{name}"));
                let way = [id.to_string(), chapter.clone(), name.clone()];
                let header = header.clone();
                self.rules.insert(
                    way,
                    RuleType {
                        id: rule,
                        header,
                        is_new: true,
                        law: None,
                    },
                );
            }
            for (chapter, name, word) in &declared.things {
                self.things.insert(
                    [id.to_string(), chapter.clone(), name.clone()],
                    word.clone(),
                );
            }
        }
    }

    /// Rules that are registered by their ids, and the laws of all.
    fn add_registered(&mut self) {
        let kinds = KindNames::new(self.rulebook.book().schema.kinds());
        for (id, entry) in self.rulebook.rules() {
            if let Some(way) = way(id) {
                self.rules.entry(way).or_insert_with(|| RuleType {
                    id: id.clone(),
                    header: header_of(&entry.signature, &kinds),
                    is_new: false,
                    law: None,
                });
            }
        }
        for (id, (_, is_reason), _) in &self.rulebook.registrations().opened {
            let law = self
                .rulebook
                .rules()
                .get(id)
                .map(|entry| Law::of(&entry.signature.returns, *is_reason));
            if let Some(rule) = way(id).and_then(|way| self.rules.get_mut(&way)) {
                rule.law = law;
            }
        }
    }

    pub fn book(&self) -> &Book {
        self.rulebook.book()
    }

    pub fn tables(&self) -> &Tables {
        self.rulebook.tables()
    }

    pub fn rules(&self) -> impl Iterator<Item = (&MemberWay, &RuleType)> {
        self.rules.iter()
    }

    pub fn rule(&self, way: &MemberWay) -> Option<&RuleType> {
        self.rules.get(way)
    }

    pub fn things(&self) -> impl Iterator<Item = (&MemberWay, &String)> {
        self.things.iter()
    }

    /// All scenarios: their mods, and what they are called there.
    pub fn scenarios(&self) -> Vec<(String, String)> {
        let stem = |path: &str| {
            path.trim_start_matches("scenarios/")
                .trim_end_matches(".ron")
                .to_string()
        };
        self.workshop
            .scenarios()
            .iter()
            .map(|(id, path)| (id.to_string(), stem(path)))
            .collect()
    }

    /// The sides of all scenarios; `None` if one of them cannot be read.
    pub fn sides(&self) -> Option<BTreeSet<String>> {
        self.listed(0)
    }

    /// The names of the entities of all scenarios; `None` if one of them cannot be read.
    pub fn entities(&self) -> Option<BTreeSet<String>> {
        self.listed(1)
    }

    fn listed(&self, which: usize) -> Option<BTreeSet<String>> {
        let mut all = BTreeSet::new();
        for (id, sources) in self.workshop.sources() {
            for (path, text) in sources.under("scenarios") {
                let listed = SCENARIO_NAMES.get(&[&**id, path, text], || {
                    let scenario = Scenario::read(id, path, text).ok()?;
                    let sides = scenario
                        .sides
                        .iter()
                        .map(|side| side.id.to_string())
                        .collect();
                    Some([
                        sides,
                        scenario
                            .entities
                            .iter()
                            .map(|one| one.name.to_string())
                            .collect(),
                    ])
                });
                all.extend(listed.as_ref().as_ref()?[which].iter().cloned());
            }
        }
        Some(all)
    }

    /// The manifests of all mods at hand.
    pub fn manifests(&self) -> &Manifests {
        self.workshop.manifests()
    }

    pub fn options(&self, module: &Name) -> impl Iterator<Item = &ModOption> {
        self.workshop
            .manifests()
            .get(module)
            .into_iter()
            .flat_map(|manifest| &manifest.options)
    }

    pub fn clauses(&self, module: &Name) -> impl Iterator<Item = &Clause> {
        let manifest = self.workshop.manifests().get(module).into_iter();
        manifest.flat_map(|manifest| manifest.clauses().map(|(_, clause)| clause))
    }

    /// The clauses of a group that are on where it is taken.
    pub fn default_clauses(&self, module: &str, group: &str) -> Vec<Name> {
        let groups = self
            .workshop
            .manifests()
            .get(module)
            .into_iter()
            .flat_map(|manifest| &manifest.groups);
        let clauses = groups
            .filter(|one| *one.name == *group)
            .flat_map(|one| &one.clauses);
        clauses
            .filter(|clause| clause.default)
            .map(|clause| clause.id.clone())
            .collect()
    }

    /// What an editor shows of a rule: its sentence, and those of its clauses.
    pub fn doc(&self, id: &str) -> String {
        let Some(entry) = self.rulebook.rules().get(id) else {
            return String::new();
        };
        let cites = entry
            .layers
            .first()
            .map(|layer| layer.cites.as_slice())
            .unwrap_or_default();
        let clause = |id: &Name| {
            let module = Name::from(owner_of(id));
            let found = self.clauses(&module).find(|clause| clause.id == *id)?;
            Some(format!("`{id}`: {}", found.text.replace('\n', " ")))
        };
        let lines =
            std::iter::once(entry.doc.replace('\n', " ")).chain(cites.iter().filter_map(clause));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The names of the types of a mod.
    pub fn types_of(&self, module: &Name) -> BTreeSet<String> {
        let own = |id: &&Name| owner_of(id) == &**module;
        let rest = |id: &Name| camel(id.split_once('.').map_or(id, |(_, rest)| rest));
        let kinds = self
            .book()
            .schema
            .kinds()
            .iter()
            .map(|kind| &kind.id)
            .filter(own)
            .map(rest);
        let records = self.rulebook.records().keys().filter(own).map(rest);
        let exported = self
            .exported
            .get(module)
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone());
        kinds.chain(records).chain(exported).collect()
    }

    /// Definitions of all kinds, records and exported types.
    fn named(&self) -> String {
        let kinds = self.book().schema.kinds();
        let mut text: String = kinds.iter().map(|kind| self.kinds.kind(kind)).collect();
        let mut names: BTreeSet<String> = kinds
            .iter()
            .map(|kind| self.kinds.of(&kind.id).to_string())
            .collect();
        let records = self
            .rulebook
            .records()
            .iter()
            .map(|(id, ty)| (camel(id), self.kinds.exact(ty)));
        let exported = self.exported.iter().flat_map(|(module, all)| {
            all.iter()
                .map(move |(name, ty)| (format!("{}{name}", camel(module)), ty.clone()))
        });
        for (name, ty) in records.chain(exported) {
            if names.insert(name.clone()) {
                text.push_str(&format!("export type {name} = {ty}\n"));
            }
        }
        text
    }
}

/// The header of a rule that is registered by its id.
fn header_of(signature: &Signature, kinds: &KindNames) -> RuleHeader {
    let args = signature.args.iter().enumerate().map(|(place, field)| {
        let name = if names::is_name(&field.name) {
            field.name.to_string()
        } else {
            format!("a{place}")
        };
        (name, kinds.taken(&field.ty))
    });
    let returns = match &signature.returns {
        Returns::Value(Type::Verdict) => "(boolean, string?)".into(),
        // Whether such a text is why not, a signature does not say.
        Returns::Value(Type::Optional(inner)) if **inner == Type::Text => "any".into(),
        Returns::Value(ty) => kinds.read(ty),
        Returns::Domain(_) => "Domain?".into(),
        Returns::Nothing => "()".into(),
    };
    RuleHeader {
        handle: handle_of(signature.effects).into(),
        args: args.collect(),
        returns,
    }
}

/// Whether a file requires the chapters of a mod; others have no headers.
pub(crate) fn uses_chapters(source: &str) -> bool {
    source.split("require(\"").skip(1).any(|rest| {
        let wanted = rest.split('"').next().unwrap_or_default();
        crate::scope::module_of(wanted.trim_end_matches('?')).is_some()
    })
}

/// The least handle that has these effects.
pub(crate) fn handle_of(effects: Effects) -> &'static str {
    if effects.include(Effects::ASKS) {
        "Acts"
    } else if effects.include(Effects::WRITES) {
        "Writes"
    } else if effects.include(Effects::DRAWS) {
        "Draws"
    } else {
        "Reads"
    }
}
