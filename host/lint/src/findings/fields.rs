//! Keys of tables that are handed to the API, and that no such table has: the
//! host passes them over, and so does the checker. Which keys there are, the
//! published types say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use kernel::error::FaultCode;
use kernel::world::closest;
use luau_syntax::ast::{
    AstVisitor, Block, Expression, ExpressionKind, Statement, StatementView, TableItem, Type,
    TypeKind, TypeOrPack,
};
use luau_syntax::location::Position;
use luau_syntax::parser::{ParseOptions, ParsedSource};

use super::Sink;
use super::expressions::{PlacedWord, is_game, keys_of};
use super::given::is_case;
use super::world::PUBLISHED;
use crate::scope::{Scope, text_of, word};

/// The modules of the host, by the types of what they give.
const MODULES: [(&str, &str); 5] = [
    ("@rules", "Rules"),
    ("@ask", "Ask"),
    ("@domain", "Domains"),
    ("@list", "Lists"),
    ("@test", "Test"),
];

/// A key that nothing has.
#[derive(Debug)]
pub(super) struct UnknownField {
    message: String,
    near: Option<String>,
    at: Position,
}

/// What a value may be, as far as the keys of tables go.
#[derive(Debug)]
enum ValueShape {
    /// No table, or one of which nothing is said.
    Other,
    Any,
    Named(String),
    Table(TableShape),
    OneOf(Vec<ValueShape>),
    Function(Vec<ValueShape>),
}

#[derive(Debug, Default)]
struct TableShape {
    fields: BTreeMap<String, ValueShape>,
    /// What stands under any name.
    names: Option<Box<ValueShape>>,
    /// What stands in a list.
    items: Option<Box<ValueShape>>,
}

/// The types of the API by name; those of what has methods hold these as fields.
struct Api(BTreeMap<String, ValueShape>);

static API: LazyLock<Api> = LazyLock::new(|| {
    let mut api = Api(BTreeMap::new());
    let options = ParseOptions::default().with_declaration_syntax(true);
    if let Ok(parsed) = ParsedSource::parse(PUBLISHED, options) {
        parsed.root().visit(&mut api);
    }
    // Beside a value alone there may be one with what the player reads.
    api.0.insert("Choice".into(), ValueShape::Any);
    api
});

impl<'ast> AstVisitor<'ast> for Api {
    fn visit_type_alias_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::TypeAlias(alias) = statement.view() {
            self.0.insert(text_of(alias.name.bytes()), shape(alias.ty));
        }
        false
    }

    fn visit_declare_extern_type_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::DeclareExternType(declared) = statement.view() {
            let methods = declared.props.iter().filter(|prop| prop.is_method);
            let fields = methods
                .map(|prop| (text_of(prop.name.bytes()), shape(prop.ty)))
                .collect();
            let table = TableShape {
                fields,
                ..TableShape::default()
            };
            self.0.insert(
                format!("{}:", text_of(declared.name.bytes())),
                ValueShape::Table(table),
            );
        }
        false
    }
}

/// What a type says of tables.
fn shape(ty: Type<'_>) -> ValueShape {
    match ty.kind() {
        TypeKind::Reference {
            prefix: None,
            name,
            parameters,
            ..
        } => match (text_of(name.bytes()).as_str(), parameters) {
            ("any", _) => ValueShape::Any,
            ("string" | "number" | "boolean" | "nil", _) => ValueShape::Other,
            ("List", [TypeOrPack::Type(item)]) => list_of(shape(*item)),
            (name, _) => ValueShape::Named(name.into()),
        },
        TypeKind::Group { ty } => shape(ty),
        TypeKind::Union { types } => ValueShape::OneOf(types.iter().map(|ty| shape(*ty)).collect()),
        TypeKind::Function { arg_types, .. } => {
            ValueShape::Function(arg_types.types.iter().map(|ty| shape(*ty)).collect())
        }
        TypeKind::Table { props, indexer } => {
            let fields = props
                .iter()
                .map(|prop| (text_of(prop.name.bytes()), shape(prop.ty)))
                .collect();
            let mut table = TableShape {
                fields,
                ..TableShape::default()
            };
            if let Some(indexer) = indexer {
                let result = Some(Box::new(shape(indexer.result_type)));
                match indexer.index_type.kind() {
                    TypeKind::Reference { name, .. } if name == *"number" => table.items = result,
                    _ => table.names = result,
                }
            }
            ValueShape::Table(table)
        }
        _ => ValueShape::Other,
    }
}

fn list_of(item: ValueShape) -> ValueShape {
    ValueShape::Table(TableShape {
        items: Some(Box::new(item)),
        ..TableShape::default()
    })
}

impl Api {
    /// The tables that a value may be; `None` if it may be anything.
    fn tables<'a>(&'a self, shape: &'a ValueShape, depth: u32) -> Option<Vec<&'a TableShape>> {
        match shape {
            ValueShape::Any => None,
            ValueShape::Other | ValueShape::Function(_) => Some(Vec::new()),
            ValueShape::Table(table) => Some(vec![table]),
            ValueShape::Named(name) => match self.0.get(name) {
                Some(shape) if depth < 8 => self.tables(shape, depth + 1),
                // What has methods is no table; of the rest nothing is known.
                _ => self.0.contains_key(&format!("{name}:")).then(Vec::new),
            },
            ValueShape::OneOf(all) => {
                let all: Option<Vec<_>> =
                    all.iter().map(|one| self.tables(one, depth + 1)).collect();
                Some(all?.concat())
            }
        }
    }

    /// The arguments of a function, by the type that has it and its name.
    fn arguments(&self, ty: &str, name: &str) -> &[ValueShape] {
        let Some(ValueShape::Table(table)) = self.0.get(ty) else {
            return &[];
        };
        match table.fields.get(name) {
            Some(ValueShape::Function(args)) => args,
            _ => &[],
        }
    }
}

struct FieldReader<'a> {
    scope: &'a Scope,
    found: Vec<UnknownField>,
}

impl FieldReader<'_> {
    /// What a call is handed, and by which function of the API it is.
    fn called(&mut self, func: Expression<'_>, args: &[Expression<'_>], is_method: bool) {
        let Some((ty, name)) = self.function(func, is_method) else {
            return;
        };
        for (wanted, arg) in API.arguments(ty, &name).iter().zip(args) {
            self.fits(&[wanted], *arg, &name);
        }
        if ty == "Domains" && matches!(name.as_str(), "choices" | "several") {
            args.first()
                .into_iter()
                .for_each(|list| self.choices(*list));
        }
    }

    /// The type of the API that has a function, and its name there.
    fn function(&self, func: Expression<'_>, is_method: bool) -> Option<(&'static str, String)> {
        if let Some(path) = self.scope.path(func) {
            let [module, name] = path.as_slice() else {
                return of_table(&path);
            };
            let (_, ty) = MODULES.iter().find(|(id, _)| id == module)?;
            return Some((ty, name.clone()));
        }
        let ExpressionKind::IndexName { expr, index, .. } = func.kind() else {
            return None;
        };
        let name = text_of(index.bytes());
        match expr.kind() {
            _ if !is_method => None,
            _ if is_game(expr) => Some(("Game:", name)),
            _ if is_case(expr) => Some(("Case:", name)),
            // `game:deck("hearts.deal.cards"):draw(1, { to = side })`
            ExpressionKind::Call {
                func,
                self_call: true,
                ..
            } => match func.kind() {
                ExpressionKind::IndexName { expr, index, .. }
                    if is_game(expr) && index == *"deck" =>
                {
                    Some(("Deck:", name))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Holds a value against what it may be.
    fn fits(&mut self, wanted: &[&ValueShape], value: Expression<'_>, of: &str) {
        let ExpressionKind::Table { items } = value.kind() else {
            return;
        };
        let tables: Option<Vec<_>> = wanted.iter().map(|shape| API.tables(shape, 0)).collect();
        let Some(tables) = tables
            .map(|tables| tables.concat())
            .filter(|tables| !tables.is_empty())
        else {
            return;
        };
        for item in items {
            match item {
                TableItem::List { value } => {
                    let wanted: Vec<&ValueShape> = tables
                        .iter()
                        .filter_map(|table| table.items.as_deref())
                        .collect();
                    self.fits(&wanted, *value, of);
                }
                TableItem::Record { key, value } | TableItem::General { key, value } => {
                    if let Some(name) = word(*key) {
                        self.field(&tables, (&name, key.location().begin), *value, of);
                    }
                }
            }
        }
    }

    fn field(
        &mut self,
        tables: &[&TableShape],
        (name, at): (&str, Position),
        value: Expression<'_>,
        of: &str,
    ) {
        let wanted: Vec<&ValueShape> = tables
            .iter()
            .filter_map(|table| table.fields.get(name).or(table.names.as_deref()))
            .collect();
        if !wanted.is_empty() {
            self.fits(&wanted, value, name);
            return;
        }
        let known: BTreeSet<&str> = tables
            .iter()
            .flat_map(|table| table.fields.keys().map(String::as_str))
            .collect();
        if !known.is_empty() {
            let near = closest(name, known.iter().copied());
            self.put(format!("`{of}` takes no `{name}`"), near, at);
        }
    }

    /// What is chosen from: of a value with what the player reads, both.
    fn choices(&mut self, list: Expression<'_>) {
        let ExpressionKind::Table { items } = list.kind() else {
            return;
        };
        for item in items {
            let TableItem::List { value } = item else {
                continue;
            };
            let keys = keys_of(*value);
            let has = |wanted: &str| keys.iter().any(|(key, _)| key == wanted);
            let missing = match (has("value"), has("label")) {
                (true, false) => Some("label"),
                (false, true) => Some("value"),
                _ => None,
            };
            let is_other = |(key, _): &&PlacedWord| !matches!(key.as_str(), "value" | "label");
            if let (2, Some(missing), Some((key, at))) =
                (keys.len(), missing, keys.iter().find(is_other))
            {
                self.put(
                    format!("a choice has a `value` and a `label`, and no `{key}`"),
                    Some(missing),
                    *at,
                );
            }
        }
    }

    fn put(&mut self, message: String, near: Option<&str>, at: Position) {
        self.found.push(UnknownField {
            message,
            near: near.map(String::from),
            at,
        });
    }
}

/// `drill.tables.fire_dice:amend(rows, how)`.
fn of_table(path: &[String]) -> Option<(&'static str, String)> {
    let [_, section, _, name] = path else {
        return None;
    };
    (section == "tables").then(|| ("Table:", name.clone()))
}

impl<'ast> AstVisitor<'ast> for FieldReader<'_> {
    fn visit_call_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Call {
            func,
            args,
            self_call,
            ..
        } = expression.kind()
        {
            self.called(func, args, self_call);
        }
        true
    }
}

/// All such keys of a file.
pub(super) fn unknown(root: Block<'_>, scope: &Scope) -> Vec<UnknownField> {
    let mut reader = FieldReader {
        scope,
        found: Vec::new(),
    };
    root.visit(&mut reader);
    reader.found
}

/// Tells them.
pub(super) fn check(found: &[UnknownField], sink: &mut Sink<'_>) {
    for UnknownField { message, near, at } in found {
        sink.unknown(
            FaultCode::BadSignature,
            *at,
            message.clone(),
            near.as_deref(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a text, with what was meant.
    fn found(text: &str) -> Vec<(String, Option<String>)> {
        let text = format!("local game, t = nil, nil {text}");
        let parsed = ParsedSource::parse(text, ParseOptions::default()).unwrap();
        let all = unknown(parsed.root(), &Scope::read(parsed.root()));
        all.into_iter()
            .map(|field| (field.message, field.near))
            .collect()
    }

    fn meant(text: &str) -> Option<String> {
        let all = found(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        all.into_iter().next().and_then(|(_, near)| near)
    }

    #[test]
    fn a_key_that_an_option_table_does_not_have_is_found() {
        let ask = "local ask = require('@ask') ";
        assert_eq!(
            meant(&format!("{ask} ask.yes(s, 'a.b.c', 'x', {{ abuot = l }})")).as_deref(),
            Some("about")
        );
        let domain = "local domain = require('@domain') ";
        assert_eq!(
            meant(&format!(
                "{domain} domain.place {{ center = p, radius = r }}"
            ))
            .as_deref(),
            Some("centre")
        );
        assert_eq!(
            meant(&format!(
                "{domain} domain.choices {{ {{ value = 1, lable = 'x' }} }}"
            ))
            .as_deref(),
            Some("label")
        );
        assert_eq!(
            meant("game:roll('d6', 'x', { too = side })").as_deref(),
            Some("to")
        );
        assert_eq!(
            meant("game:emit('a.b', { any = 1 }, { only = { x = s }, reveal = 'x' })").as_deref(),
            Some("reveals")
        );
        assert_eq!(
            meant("game:deck('a.b'):draw(1, { form = 'top' })").as_deref(),
            Some("from")
        );
        assert_eq!(
            meant("t:odds({ rule = 'a.b.c', arg = {} })").as_deref(),
            Some("args")
        );
        let rules = "local rules = require('@rules') local m = require('@m') ";
        assert_eq!(
            meant(&format!("{rules} rules.wrap(m.a.b, {{ cite = {{}} }}, f)")).as_deref(),
            Some("cites")
        );
        assert_eq!(
            meant(&format!(
                "{rules} m.a.b = rules.action {{ phase = p, params = {{ {{ nmae = 'x' }} }} }}"
            ))
            .as_deref(),
            Some("name")
        );
        assert_eq!(
            meant(&format!(
                "{rules} m.tables.x:amend({{ {{ a = 1 }} }}, {{ cite = {{}} }})"
            ))
            .as_deref(),
            Some("cites")
        );
        let test = "local test = require('@test') ";
        assert_eq!(
            meant(&format!("{test} test.case('x', {{ cite = {{ 'a' }} }}, f)")).as_deref(),
            Some("cites")
        );
    }

    #[test]
    fn what_may_have_any_key_is_passed_over() {
        let none: [&str; 6] = [
            "local ask = require('@ask') ask.all('a.b.c', 'x', { red = d, blue = d })",
            "local domain = require('@domain') domain.choices({ 'a', { value = 1, label = 'x' }, { a = 1 } })",
            "game:create('a.b', { anything = 1 }) game:finish({ winner = 'red' })",
            "t:act('red', 'a.b.c', unit, { target = foe })",
            "game:near({ centre = a, radius = r }, at, reach) game:covers({ origin = a, direction = d, half_angle = h, length = l }, at)",
            "local rules = require('@rules') rules.wrap(m, { 'a', 'b' }, f)",
        ];
        for text in none {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
