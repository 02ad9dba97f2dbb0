//! Everything that has a name in the rules of some mods.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use kernel::book::Param;
use kernel::game::Effects;
use kernel::value::{Field, Name, Type, is_id, owner_of};
use rules::hosting::registry::LayerKind;
use rules::modset::manifest::Requirement;

use super::facts::Facts;
use super::measures::Measure;
use crate::types::names::{camel, plain, short};
use crate::types::{KnownRules, MemberWay};

/// The published definitions, for the names in them.
pub(super) const PUBLISHED: &str = include_str!("../../../../schemas/luau/v1/houserule.d.luau");

/// Methods of texts.
const OF_TEXTS: [&str; 12] = [
    "sub", "gsub", "match", "find", "format", "rep", "upper", "lower", "len", "byte", "split",
    "gmatch",
];

/// What a mod has beside chapters.
pub(crate) const SECTIONS: [&str; 7] = [
    "tables", "options", "clauses", "kinds", "events", "phases", "windows",
];

/// All names.
pub(super) struct WorldOfNames<'a> {
    pub known: &'a KnownRules<'a>,
    /// What stands in the sections of mods.
    pub sections: BTreeMap<(String, &'static str), BTreeSet<String>>,
    /// Which attributes some kind has.
    pub attributes: BTreeSet<String>,
    /// Every name of a field of anything.
    pub fields: BTreeSet<String>,
    pub methods: BTreeSet<String>,
    /// The tags that fields of a name can hold, if they hold nothing else.
    pub tags: BTreeMap<String, Option<BTreeSet<String>>>,
    /// What all fields of a name measure, if they agree.
    pub measures: BTreeMap<String, Option<Measure>>,
    /// Every id, by what it is with one separator.
    pub ids: BTreeMap<String, String>,
    /// Mods and chapters of which something is used somewhere.
    pub used_chapters: BTreeSet<(String, String)>,
    /// The clauses without which a rule is gone.
    pub gates: BTreeMap<MemberWay, Vec<Name>>,
    /// Clauses by mod and short name.
    pub clauses: BTreeMap<(String, String), Name>,
    /// Clauses that are always on.
    pub core: BTreeSet<Name>,
    requires: BTreeMap<Name, BTreeSet<Name>>,
    scenarios: OnceCell<Vec<(String, String)>>,
    sides: OnceCell<Option<BTreeSet<String>>>,
    entities: OnceCell<Option<BTreeSet<String>>>,
}

impl<'a> WorldOfNames<'a> {
    pub fn new(known: &'a KnownRules<'a>) -> WorldOfNames<'a> {
        let mut world = WorldOfNames {
            known,
            sections: BTreeMap::new(),
            attributes: BTreeSet::new(),
            fields: BTreeSet::new(),
            methods: OF_TEXTS.iter().map(ToString::to_string).collect(),
            tags: BTreeMap::new(),
            measures: BTreeMap::new(),
            ids: BTreeMap::new(),
            used_chapters: BTreeSet::new(),
            gates: BTreeMap::new(),
            clauses: BTreeMap::new(),
            core: BTreeSet::new(),
            requires: BTreeMap::new(),
            scenarios: OnceCell::new(),
            sides: OnceCell::new(),
            entities: OnceCell::new(),
        };
        world.add_sections();
        world.add_fields();
        world.add_published();
        world.add_gates();
        world
    }

    /// All scenarios: their mods, and what they are called there.
    pub fn scenarios(&self) -> &[(String, String)] {
        self.scenarios.get_or_init(|| self.known.scenarios())
    }

    /// The sides of all scenarios; `None` if one of them cannot be read.
    pub fn sides(&self) -> Option<&BTreeSet<String>> {
        self.sides.get_or_init(|| self.known.sides()).as_ref()
    }

    /// The entities of all scenarios; `None` if one of them cannot be read.
    pub fn entities(&self) -> Option<&BTreeSet<String>> {
        self.entities.get_or_init(|| self.known.entities()).as_ref()
    }

    /// Names that files give themselves.
    pub fn add_file(&mut self, facts: &Facts, is_rules: bool) {
        self.fields.extend(facts.own_fields.iter().cloned());
        self.methods.extend(facts.own_fields.iter().cloned());
        self.used_chapters.extend(
            facts
                .named
                .iter()
                .filter_map(|named| chapter_of(&named.path)),
        );
        self.used_chapters.extend(
            facts
                .texts
                .iter()
                .filter_map(|(text, _)| chapter_of_id(text)),
        );
        if is_rules {
            for (text, _) in facts.texts.iter().filter(|(text, _)| is_id(text)) {
                self.ids.entry(plain(text)).or_insert_with(|| text.clone());
            }
        }
    }

    fn put(&mut self, id: &str, section: &'static str) {
        let name = if section == "kinds" {
            camel(id.split_once('.').map_or(id, |(_, rest)| rest))
        } else {
            short(id)
        };
        self.sections
            .entry((owner_of(id).to_string(), section))
            .or_default()
            .insert(name);
        self.ids.insert(plain(id), id.to_string());
    }

    fn add_sections(&mut self) {
        let known = self.known;
        let (book, registered) = (known.book(), known.rulebook.registrations());
        known.tables().keys().for_each(|id| self.put(id, "tables"));
        book.schema
            .kinds()
            .iter()
            .for_each(|kind| self.put(&kind.id, "kinds"));
        book.events.keys().for_each(|id| self.put(id, "events"));
        registered
            .events
            .iter()
            .for_each(|raw| self.put(&raw.id, "events"));
        book.phases.keys().for_each(|id| self.put(id, "phases"));
        registered
            .phases
            .iter()
            .for_each(|raw| self.put(&raw.id, "phases"));
        book.windows.keys().for_each(|id| self.put(id, "windows"));
        registered
            .windows
            .iter()
            .for_each(|raw| self.put(&raw.id, "windows"));
        for module in known.rulebook.mods() {
            known
                .options(module)
                .for_each(|option| self.put(&option.id, "options"));
            for clause in known.clauses(module) {
                self.put(&clause.id, "clauses");
                self.clauses
                    .insert((module.to_string(), short(&clause.id)), clause.id.clone());
            }
        }
        let more = known
            .rulebook
            .templates()
            .keys()
            .chain(book.pots.keys())
            .chain(book.decks.keys());
        let more = more
            .chain(known.rulebook.records().keys())
            .chain(registered.ladders.iter().map(|(id, _)| id));
        let more = more.chain(registered.actions.iter().map(|raw| &raw.id));
        let more = more.chain(registered.signatures.iter().map(|raw| &raw.rule));
        self.ids.extend(more.map(|id| (plain(id), id.to_string())));
    }

    fn add_field(&mut self, name: &str, ty: &Type) {
        self.fields.insert(name.to_string());
        let tags = tags_of(ty);
        match self.tags.get_mut(name) {
            None => drop(self.tags.insert(name.to_string(), tags)),
            Some(Some(there)) if tags.is_some() => there.extend(tags.into_iter().flatten()),
            Some(there) => *there = None,
        }
        let measure = Measure::of(ty);
        let there = self.measures.entry(name.to_string()).or_insert(measure);
        *there = there.filter(|there| Some(*there) == measure);
        self.add_inner(ty);
    }

    fn add_inner(&mut self, ty: &Type) {
        match ty {
            Type::Record(fields) => fields
                .iter()
                .for_each(|field| self.add_field(&field.name, &field.ty)),
            Type::List(inner) | Type::Map(inner) | Type::Optional(inner) => self.add_inner(inner),
            _ => {}
        }
    }

    fn add_fields(&mut self) {
        let known = self.known;
        let book = known.book();
        for attribute in book.schema.kinds().iter().flat_map(|kind| &kind.attributes) {
            self.attributes.insert(attribute.name.to_string());
            self.add_field(&attribute.name, &attribute.ty);
        }
        let of_tables = known
            .tables()
            .values()
            .flat_map(|table| table.key.iter().chain(table.columns.iter()));
        let of_events = book.events.values().flat_map(|event| event.fields.iter());
        let of_windows = book
            .windows
            .values()
            .flat_map(|window| window.carries.iter());
        let rules = known.rulebook.rules().values();
        let of_rules = rules.flat_map(|entry| entry.signature.args.iter());
        let all: Vec<&Field> = of_tables
            .chain(of_events)
            .chain(of_windows)
            .chain(of_rules)
            .collect();
        all.into_iter()
            .for_each(|field| self.add_field(&field.name, &field.ty));
        let actions = book.actions.values().chain(book.reactions.values());
        let params: Vec<&Param> = actions.flat_map(|action| &action.params).collect();
        params
            .into_iter()
            .for_each(|param| self.add_field(&param.name, &param.ty));
        known
            .rulebook
            .records()
            .values()
            .for_each(|ty| self.add_inner(ty));
        let results = known
            .rulebook
            .rules()
            .values()
            .map(|entry| &entry.signature.returns);
        for returns in results {
            if let rules::hosting::registry::Returns::Value(ty) = returns {
                self.add_inner(ty);
            }
        }
    }

    fn add_published(&mut self) {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for (at, _) in PUBLISHED.match_indices([':', '?', '(']) {
            let before = &PUBLISHED[..at];
            let start = before.rfind(|c| !is_letter(c)).map_or(0, |at| at + 1);
            let name = &before[start..];
            if before[..start].ends_with("function ") {
                self.methods.insert(name.to_string());
            }
            self.fields.insert(name.to_string());
        }
        // What kinds and tables have by name.
        self.fields
            .extend(["id", "all", "where", "create", "get", "find", "rows"].map(String::from));
        self.methods
            .extend(rules::lines::VERBS.iter().map(|(word, _)| word.to_string()));
        self.methods.insert("wrap".into());
    }

    fn add_gates(&mut self) {
        let known = self.known;
        for raw in known
            .rulebook
            .registrations()
            .layers
            .iter()
            .filter(|raw| raw.kind == LayerKind::Define)
        {
            let Some(way) = crate::types::way_of(&raw.rule) else {
                continue;
            };
            let gates = self
                .gates
                .entry(way)
                .or_insert_with(|| raw.origin.cites.to_vec());
            // What is there without its clauses gives something else then.
            if raw.origin.cites.is_empty() || raw.origin.stays {
                gates.clear();
            }
        }
        for clause in known
            .rulebook
            .mods()
            .iter()
            .flat_map(|module| known.clauses(module))
        {
            if clause.core {
                self.core.insert(clause.id.clone());
            }
            let mut needed = BTreeSet::new();
            for requirement in &clause.requires {
                match requirement {
                    Requirement::Clause(id) => drop(needed.insert(id.clone())),
                    Requirement::Group { module, group } => {
                        needed.extend(known.default_clauses(module, group))
                    }
                }
            }
            self.requires.insert(clause.id.clone(), needed);
        }
    }

    /// Clauses that are on when these are.
    pub fn with_required(&self, clauses: impl Iterator<Item = Name>) -> BTreeSet<Name> {
        let mut all: BTreeSet<Name> = BTreeSet::new();
        let mut left: Vec<Name> = clauses.collect();
        while let Some(clause) = left.pop() {
            left.extend(self.requires.get(&clause).into_iter().flatten().cloned());
            if !all.insert(clause) && left.len() > 10_000 {
                break;
            }
            left.retain(|clause| !all.contains(clause));
        }
        all
    }

    /// What a rule may do.
    pub fn effects(&self, way: &[String]) -> Option<Effects> {
        let way: MemberWay = way.to_vec().try_into().ok()?;
        let rule = self.known.rule(&way)?;
        let entry = self.known.rulebook.rules().get(&rule.id);
        entry.map(|entry| entry.signature.effects)
    }

    /// Whether a chapter of a mod has something of that name.
    pub fn has(&self, way: &[String]) -> bool {
        let Ok(way) = MemberWay::try_from(way.to_vec()) else {
            return false;
        };
        self.known.rule(&way).is_some() || self.known.things().any(|(thing, _)| *thing == way)
    }
}

/// The mod and the chapter in a way to a rule.
fn chapter_of(path: &[String]) -> Option<(String, String)> {
    match path {
        [module, push, chapter, ..] if matches!(push.as_str(), "push" | "over") => {
            Some((module.clone(), chapter.clone()))
        }
        [module, chapter, _, ..] => Some((module.clone(), chapter.clone())),
        _ => None,
    }
}

fn chapter_of_id(text: &str) -> Option<(String, String)> {
    let (module, rest) = text.split_once('.').filter(|_| is_id(text))?;
    Some((
        module.to_string(),
        rest.split('.').next()?.replace('-', "_"),
    ))
}

/// The tags of an enum, be it optional or not.
pub(super) fn tags_of(ty: &Type) -> Option<BTreeSet<String>> {
    match ty {
        Type::Enum(tags) => Some(tags.iter().map(ToString::to_string).collect()),
        Type::Optional(inner) => tags_of(inner),
        _ => None,
    }
}
