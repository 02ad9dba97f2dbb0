//! Tables of fields that are handed over: to an event that is told, a window that is
//! opened, an entity that is made, an action that a case takes. To the checker each
//! field is anything; here it is held against its type, as far as the sort of a value
//! is beyond doubt, and what must be there is missed.

mod acting;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kernel::value::{Field, Name, Type, owner_of};
use luau_analysis::SemanticModel;
use luau_analysis::types::{SingletonValue, TypeId, TypeKind};
use luau_syntax::ast::{
    AstVisitor, Expression, ExpressionKind, Statement, StatementView, TableItem,
};
use luau_syntax::location::{Location, Position};

use super::words::NeverWord;
use crate::findings::{is_case, is_game};
use crate::scope::{Scope, text_of, word};
use crate::types::KnownRules;
use crate::types::names::{KindNames, camel, plain, short};

/// Deeper than this no type is looked at.
const DEEPEST: usize = 16;

/// Methods of a case that take an action: the side, its id, who does it, and its
/// parameters.
const ACTING: [&str; 4] = ["act", "react", "refuses", "refuses_reaction"];

/// What a value is, whatever is in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ValueSort {
    Entity,
    Text,
    Number,
    Bool,
    Table,
}

impl ValueSort {
    /// Nothing of what the host takes in several forms.
    fn of(ty: &Type) -> Option<ValueSort> {
        Some(match ty {
            Type::Entity(_) => ValueSort::Entity,
            Type::Text | Type::Id | Type::Enum(_) => ValueSort::Text,
            Type::Int { .. } | Type::Length | Type::Angle | Type::Direction => ValueSort::Number,
            Type::Bool => ValueSort::Bool,
            Type::Point | Type::Hex | Type::Path => ValueSort::Table,
            Type::List(_) | Type::Map(_) | Type::Record(_) => ValueSort::Table,
            Type::Optional(inner) => return ValueSort::of(inner),
            Type::Any | Type::Die | Type::Verdict => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            ValueSort::Entity => "an entity",
            ValueSort::Text => "a text",
            ValueSort::Number => "a number",
            ValueSort::Bool => "true or false",
            ValueSort::Table => "a table",
        }
    }
}

/// An action, as far as it says more than its parameters.
struct ActionTaker {
    /// The kind of who does it, if somebody does.
    actor: Option<Name>,
}

/// What takes fields, and which.
struct FieldTaker {
    /// It, as messages call it.
    what: String,
    /// The fields in their order, by name, each with its type.
    fields: Vec<(String, Type)>,
    /// Whether those that may not be nothing must be given.
    wants_all: bool,
    /// The action whose parameters they are, if they are such.
    action: Option<ActionTaker>,
}

impl FieldTaker {
    fn new<'f>(what: String, fields: impl Iterator<Item = &'f Field>, wants_all: bool) -> Self {
        FieldTaker {
            what,
            fields: fields
                .map(|field| (field.name.to_string(), field.ty.clone()))
                .collect(),
            wants_all,
            action: None,
        }
    }

    fn type_of(&self, name: &str) -> Option<&Type> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, ty)| ty)
    }

    fn missing(&self, given: &BTreeSet<String>) -> Option<&str> {
        let is_known = |name: &String| self.type_of(name).is_some();
        if !self.wants_all || !given.iter().all(is_known) {
            return None;
        }
        let must_be = |ty: &Type| !matches!(ty, Type::Optional(_) | Type::Any | Type::Verdict);
        let mut missing = self
            .fields
            .iter()
            .filter(|(name, ty)| must_be(ty) && !given.contains(name));
        missing.next().map(|(name, _)| name.as_str())
    }
}

/// Everything that takes fields, by how it is called.
#[derive(Default)]
pub(super) struct FieldTakers {
    all: BTreeMap<String, FieldTaker>,
    /// The kinds, by what their entities are called in the types.
    kinds: BTreeMap<String, Name>,
}

impl FieldTakers {
    pub fn new(known: &KnownRules<'_>) -> FieldTakers {
        let mut all = FieldTakers::default();
        let book = known.book();
        let names = KindNames::new(book.schema.kinds());
        let kinds = book.schema.kinds().iter();
        all.kinds = kinds
            .map(|kind| (names.of(&kind.id).to_string(), kind.id.clone()))
            .collect();
        for (id, event) in &book.events {
            let key = format!("{}.events.{}", owner_of(id), short(id));
            all.put(key, format!("event `{id}`"), event.fields.iter(), true);
        }
        for (id, window) in &book.windows {
            let what = format!("window `{id}`");
            let in_section = format!("{}.windows.{}", owner_of(id), short(id));
            for key in [in_section, id.to_string()] {
                let key = format!("open {}", plain(&key));
                all.put(key, what.clone(), window.carries.iter(), true);
            }
        }
        for kind in book.schema.kinds() {
            let name = camel(kind.id.split_once('.').map_or(&*kind.id, |(_, rest)| rest));
            let key = format!("{}.kinds.{name}.create", owner_of(&kind.id));
            let field = |name: &kernel::value::Name, ty: &Type| Field {
                name: name.clone(),
                ty: ty.clone(),
            };
            let fields = kind.attributes.iter().map(|one| field(&one.name, &one.ty));
            let fields: Vec<Field> = fields.collect();
            all.put(key, format!("kind `{}`", kind.id), fields.iter(), false);
        }
        for action in book.actions.values().chain(book.reactions.values()) {
            let field = |param: &kernel::book::Param| Field {
                name: param.name.clone(),
                ty: param.ty.clone(),
            };
            let fields: Vec<Field> = action.params.iter().map(field).collect();
            let taker = FieldTaker {
                action: Some(ActionTaker {
                    actor: action.actor.clone(),
                }),
                ..FieldTaker::new(format!("`{}`", action.id), fields.iter(), false)
            };
            all.all.insert(format!("act {}", action.id), taker);
            // Who shows that something is refused may mean what is wrong.
            let key = format!("refuse {}", action.id);
            all.put(key, format!("`{}`", action.id), fields.iter(), false);
        }
        all
    }

    fn put<'f>(
        &mut self,
        key: String,
        what: String,
        fields: impl Iterator<Item = &'f Field>,
        wants_all: bool,
    ) {
        self.all
            .insert(key, FieldTaker::new(what, fields, wants_all));
    }

    /// All of it as a text, which is another where one of them is.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (key, taker) in &self.all {
            let _ = write!(text, "{key}:");
            for (name, ty) in &taker.fields {
                let _ = write!(text, " {name}: {ty},");
            }
            if let Some(actor) = taker.action.as_ref().and_then(|one| one.actor.as_ref()) {
                let _ = write!(text, " by {actor}");
            }
            text.push('\n');
        }
        text
    }
}

/// All that is wrong in what a file hands over.
pub(super) fn wrong_fields(model: &SemanticModel<'_>, takers: &FieldTakers) -> Vec<NeverWord> {
    let Some(root) = model.module().root() else {
        return Vec::new();
    };
    let mut reader = HandedReader {
        model,
        takers,
        scope: Scope::read(root),
        tables: BTreeMap::new(),
        found: Vec::new(),
    };
    root.visit(&mut reader);
    reader.found
}

/// A table of fields that is made where it stands.
#[derive(Default)]
struct WrittenTable {
    /// Its fields as they are written, with their values.
    fields: Vec<(String, WrittenValue)>,
    /// Fields that are given to it later on.
    later: BTreeSet<String>,
    /// Whether these are all that it has.
    is_whole: bool,
}

/// The value of a field.
#[derive(Clone)]
struct WrittenValue {
    at: Position,
    sorts: BTreeSet<ValueSort>,
    /// Of which local it is a part, and the sorts of that.
    parted: Option<(String, BTreeSet<ValueSort>)>,
    name: Option<String>,
    /// The text, where it is written out.
    word: Option<String>,
    /// The kind of an entity, where the types say it.
    kind: Option<Name>,
}

struct HandedReader<'m, 'f> {
    model: &'m SemanticModel<'f>,
    takers: &'m FieldTakers,
    scope: Scope,
    /// By the local that holds it.
    tables: BTreeMap<u64, WrittenTable>,
    found: Vec<NeverWord>,
}

impl HandedReader<'_, '_> {
    /// The sorts that a value may be of; none where it may be anything.
    fn sorts(&self, value: Expression<'_>) -> BTreeSet<ValueSort> {
        let mut sorts = BTreeSet::new();
        let ty = self.model.expression_type(value).map(|ty| ty.id());
        match ty.is_some_and(|ty| self.take_sorts(ty, &mut sorts, 0)) {
            true => sorts,
            false => BTreeSet::new(),
        }
    }

    /// Whether all that a type may be is of a plain sort.
    fn take_sorts(&self, ty: TypeId, sorts: &mut BTreeSet<ValueSort>, depth: usize) -> bool {
        let graph = self.model.graph();
        let ty = graph.follow_type(ty);
        let sort = match graph.kind(ty) {
            _ if depth > DEEPEST => return false,
            TypeKind::Primitive(_) => match graph.stringify_type(ty).to_string().as_str() {
                "string" => ValueSort::Text,
                "number" => ValueSort::Number,
                "boolean" => ValueSort::Bool,
                other => return other == "nil",
            },
            TypeKind::Singleton(singleton) => match &singleton.value {
                SingletonValue::String(_) => ValueSort::Text,
                SingletonValue::Boolean(_) => ValueSort::Bool,
            },
            TypeKind::Extern(_) if self.is_entity(ty, depth) => ValueSort::Entity,
            TypeKind::Table(_) => ValueSort::Table,
            TypeKind::Union(union) => {
                let mut options = union.options.iter();
                return options.all(|option| self.take_sorts(*option, sorts, depth + 1));
            }
            // `string & ~"none"`, `Unit & { read order: ~"hold" }`: what is known of a
            // field beside the type itself.
            TypeKind::Intersection(both) => {
                return both.parts.iter().any(|part| {
                    let mut own = BTreeSet::new();
                    let is_plain = self.take_sorts(*part, &mut own, depth + 1);
                    let is_itself = is_plain && !own.contains(&ValueSort::Table);
                    sorts.extend(own.into_iter().filter(|_| is_itself));
                    is_itself
                });
            }
            _ => return false,
        };
        sorts.insert(sort);
        true
    }

    fn is_entity(&self, ty: TypeId, depth: usize) -> bool {
        let graph = self.model.graph();
        match graph.kind(graph.follow_type(ty)) {
            TypeKind::Extern(own) => {
                let is_child = |parent| self.is_entity(parent, depth + 1);
                graph.stringify_type(ty) == "Entity"
                    || (depth < DEEPEST && own.parent.is_some_and(is_child))
            }
            _ => false,
        }
    }

    fn value(&self, value: Expression<'_>) -> WrittenValue {
        let name = |value: Expression<'_>| match value.kind() {
            ExpressionKind::Local { local, .. } => Some(text_of(local.name.bytes())),
            _ => None,
        };
        let parted = match value.kind() {
            ExpressionKind::IndexName { expr, .. } => name(expr).map(|of| (of, self.sorts(expr))),
            _ => None,
        };
        WrittenValue {
            at: value.location().begin,
            sorts: self.sorts(value),
            parted,
            name: name(value),
            word: word(value),
            kind: self.kind(value),
        }
    }

    fn table(&self, items: &[TableItem<'_>]) -> WrittenTable {
        let mut table = WrittenTable {
            is_whole: true,
            ..WrittenTable::default()
        };
        for item in items {
            match item {
                TableItem::Record { key, value } => match word(*key) {
                    Some(name) => table.fields.push((name, self.value(*value))),
                    None => table.is_whole = false,
                },
                _ => table.is_whole = false,
            }
        }
        table
    }

    /// What takes fields in a call, and where the table of them stands.
    fn taker(
        &self,
        func: Expression<'_>,
        args: &[Expression<'_>],
        is_method: bool,
    ) -> Option<(&FieldTaker, usize)> {
        let taker = |key: &str| self.takers.all.get(key);
        if let Some(path) = self.scope.in_mod(func) {
            return Some((taker(&path.join("."))?, 1));
        }
        let ExpressionKind::IndexName { expr, index, .. } = func.kind() else {
            return None;
        };
        let method = text_of(index.bytes());
        if is_method && is_game(expr) && method == "open" {
            let path = self.scope.in_mod(*args.first()?).map(|path| path.join("."));
            let id = path.or_else(|| word(args[0]))?;
            return Some((taker(&format!("open {}", plain(&id)))?, 1));
        }
        if is_method && is_case(expr) && ACTING.contains(&method.as_str()) {
            let id = word(*args.get(1)?)?;
            let verb = match method.starts_with("refuses") {
                true => "refuse",
                false => "act",
            };
            return Some((taker(&format!("{verb} {id}"))?, 3));
        }
        None
    }

    /// Holds a table against what takes it.
    fn held(&self, taker: &FieldTaker, table: &WrittenTable, at: Position) -> Vec<NeverWord> {
        let mut found = Vec::new();
        for (name, value) in &table.fields {
            let Some((ty, sort)) = taker
                .type_of(name)
                .and_then(|ty| Some((ty, ValueSort::of(ty)?)))
            else {
                continue;
            };
            if table.later.contains(name) {
                continue;
            }
            if taker.action.is_some() {
                found.extend(self.wrong_for_action(
                    &format!("{}: `{name}`", taker.what),
                    ty,
                    value,
                ));
            }
            if value.sorts.is_empty() || value.sorts.contains(&sort) {
                continue;
            }
            let words: Vec<&str> = value.sorts.iter().map(|sort| sort.word()).collect();
            let (what, ty) = (&taker.what, ty.to_string());
            let ty = ty.trim_end_matches('?');
            found.push(NeverWord {
                at: value.at,
                message: format!(
                    "{what}: `{name}`: expected {ty}, found {}",
                    words.join(" or ")
                ),
                hint: value.meant(sort),
            });
        }
        let written = table.fields.iter().map(|(name, _)| name.clone());
        let given: BTreeSet<String> = written.chain(table.later.iter().cloned()).collect();
        if let Some(name) = taker.missing(&given).filter(|_| table.is_whole) {
            found.push(NeverWord {
                at,
                message: format!("{} has `{name}`, which is not given here", taker.what),
                hint: None,
            });
        }
        found
    }

    /// What is wrong with the table that a call is given; where it is given none, with
    /// that.
    fn called(
        &self,
        at: Location,
        taker: &FieldTaker,
        table: Option<&Expression<'_>>,
    ) -> Vec<NeverWord> {
        let Some(table) = table else {
            let none = WrittenTable {
                is_whole: true,
                ..WrittenTable::default()
            };
            return self.held(taker, &none, at.begin);
        };
        let begin = table.location().begin;
        if taker.action.is_some() && self.sorts(*table) == BTreeSet::from([ValueSort::Entity]) {
            return vec![taker.not_a_table(begin)];
        }
        match table.kind() {
            ExpressionKind::Table { items } => self.held(taker, &self.table(items), begin),
            ExpressionKind::Local { local, .. } => {
                match self.tables.get(&local.identity().as_u64()) {
                    Some(known) => self.held(taker, known, begin),
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// `drill.kinds.Squad.where(game, "side", side)`: what the attribute is never.
    fn asked_of_kind(&mut self, func: Expression<'_>, args: &[Expression<'_>]) {
        let [_, attribute, value, ..] = args else {
            return;
        };
        let Some(path) = self.scope.in_mod(func) else {
            return;
        };
        let [module, kinds, kind, verb] = path.as_slice() else {
            return;
        };
        let key = format!("{module}.{kinds}.{kind}.create");
        let taker = self.takers.all.get(&key).filter(|_| verb == "where");
        if let (Some(taker), Some(attribute)) = (taker, word(*attribute)) {
            let table = WrittenTable {
                fields: vec![(attribute, self.value(*value))],
                ..WrittenTable::default()
            };
            let found = self.held(taker, &table, value.location().begin);
            self.found.extend(found);
        }
    }

    /// The table of a local, if that is one.
    fn kept(&mut self, expression: Expression<'_>) -> Option<&mut WrittenTable> {
        match expression.kind() {
            ExpressionKind::Local { local, .. } => self.tables.get_mut(&local.identity().as_u64()),
            _ => None,
        }
    }
}

impl WrittenValue {
    /// What was meant where something of another sort is wanted.
    fn meant(&self, wanted: ValueSort) -> Option<String> {
        match (&self.parted, &self.name) {
            (Some((of, sorts)), _) if *sorts == BTreeSet::from([wanted]) => {
                Some(format!("did you mean `{of}`?"))
            }
            (None, Some(name))
                if wanted == ValueSort::Text
                    && self.sorts == BTreeSet::from([ValueSort::Entity]) =>
            {
                Some(format!("did you mean `{name}.name`, or `{name}.side`?"))
            }
            _ => None,
        }
    }
}

impl<'ast> AstVisitor<'ast> for HandedReader<'_, '_> {
    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                if let ExpressionKind::Table { items } = value.kind() {
                    let table = self.table(items);
                    self.tables.insert(binding.identity().as_u64(), table);
                }
            }
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            assign.values.iter().for_each(|value| value.visit(self));
            for to in assign.vars {
                match to.kind() {
                    ExpressionKind::IndexName { expr, index, .. } => match self.kept(expr) {
                        Some(table) => drop(table.later.insert(text_of(index.bytes()))),
                        None => to.visit(self),
                    },
                    // It holds something else from here.
                    _ => to.visit(self),
                }
            }
        }
        false
    }

    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::Call {
            func,
            args,
            self_call,
            ..
        } = expression.kind()
        else {
            return true;
        };
        self.asked_of_kind(func, args);
        let taken = self.taker(func, args, self_call).map(|(taker, place)| {
            let mut found = self.called(expression.location(), taker, args.get(place));
            let actor = args.get(2);
            found.extend(actor.and_then(|actor| self.wrong_actor(taker, *actor)));
            (found, place)
        });
        let Some((found, place)) = taken else {
            return true;
        };
        self.found.extend(found);
        for (number, arg) in args.iter().enumerate() {
            // What is told is not changed by that.
            if number != place || !matches!(arg.kind(), ExpressionKind::Local { .. }) {
                arg.visit(self);
            }
        }
        false
    }

    fn visit_index_name_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::IndexName { expr, .. } = expression.kind() else {
            return true;
        };
        // Who reads a field of it adds none.
        self.kept(expr).is_none()
    }

    fn visit_local_expression(&mut self, expression: Expression<'ast>) -> bool {
        // Whoever else has the table may put more into it.
        if let Some(table) = self.kept(expression) {
            table.is_whole = false;
        }
        true
    }
}
