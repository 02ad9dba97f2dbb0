//! Where a value comes from, as far as the text of a file says it: an argument
//! with its type, what a rule gives, a field of one of them.

use std::collections::{BTreeMap, BTreeSet};

use kernel::value::{Name, Type as ValueType, owner_of};
use luau_syntax::ast::{
    AstVisitor, Block, Expression, ExpressionKind, Function, Local, Statement, StatementView, Type,
    TypeKind,
};
use rules::hosting::registry::Returns;

use super::expressions::is_game;
use super::world::WorldOfNames;
use crate::scope::{ModPath, Scope, text_of, word};
use crate::types::MemberWay;
use crate::types::names::{camel, short};

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ValueOrigin {
    root: Root,
    steps: Vec<OriginStep>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Root {
    /// A kind or a record of a mod, by the name of its type.
    Type(String, String),
    /// What a rule gives.
    Rule(ModPath),
    /// What is drawn from a pot or a deck.
    Drawn(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum OriginStep {
    Field(String),
    /// One of a list.
    Each,
}

impl ValueOrigin {
    fn then(&self, step: OriginStep) -> ValueOrigin {
        let mut longer = self.clone();
        longer.steps.push(step);
        longer
    }

    /// What it is a field of, and the name of the field.
    pub fn parted(&self) -> Option<(ValueOrigin, &str)> {
        let (OriginStep::Field(name), steps) = self.steps.split_last()? else {
            return None;
        };
        Some((
            ValueOrigin {
                root: self.root.clone(),
                steps: steps.to_vec(),
            },
            name,
        ))
    }

    /// Whether it is what a rule, an option or a pot gives, or one of that, and no
    /// field of something.
    pub fn is_no_field(&self) -> bool {
        let is_each = |step: &OriginStep| *step == OriginStep::Each;
        self.steps.iter().all(is_each) && !matches!(self.root, Root::Type(..))
    }

    /// The type of a field of it, if all on the way there is known.
    pub fn type_of(&self, world: &WorldOfNames<'_>, field: &str) -> Option<ValueType> {
        field_of(world, &self.own_type(world)?, field)
    }

    /// The names of its fields, as far as they are known.
    pub fn fields(&self, world: &WorldOfNames<'_>) -> BTreeSet<String> {
        self.own_type(world)
            .map(|ty| fields_in(world, &ty))
            .unwrap_or_default()
    }

    /// Its type, if all on the way there is known.
    pub fn own_type(&self, world: &WorldOfNames<'_>) -> Option<ValueType> {
        let mut ty = self.root.type_in(world)?;
        for step in &self.steps {
            ty = match step {
                OriginStep::Field(name) => field_of(world, &ty, name)?,
                OriginStep::Each => element_of(&ty)?,
            };
        }
        Some(ty)
    }
}

impl Root {
    fn type_in(&self, world: &WorldOfNames<'_>) -> Option<ValueType> {
        let rulebook = world.known.rulebook;
        match self {
            Root::Type(module, name) => {
                let is_it = |id: &Name| {
                    owner_of(id) == module
                        && camel(id.split_once('.').map_or(id, |(_, rest)| rest)) == *name
                };
                let kinds = world.known.book().schema.kinds();
                if let Some(kind) = kinds.iter().find(|kind| is_it(&kind.id)) {
                    return Some(ValueType::Entity(Some(kind.id.clone())));
                }
                rulebook
                    .records()
                    .iter()
                    .find(|(id, _)| is_it(id))
                    .map(|(_, ty)| ty.clone())
            }
            Root::Drawn(id) => drawn_from(world, id),
            Root::Rule(path) => {
                let way: MemberWay = path.clone().try_into().ok()?;
                if way[1] == "options" {
                    let module = Name::from(way[0].as_str());
                    let found = world
                        .known
                        .options(&module)
                        .find(|one| short(&one.id) == way[2]);
                    return found.map(|one| one.ty.clone());
                }
                let rule = world.known.rule(&way)?;
                match &rulebook.rules().get(&rule.id)?.signature.returns {
                    Returns::Value(ty) => Some(ty.clone()),
                    _ => None,
                }
            }
        }
    }
}

fn field_of(world: &WorldOfNames<'_>, ty: &ValueType, name: &str) -> Option<ValueType> {
    match ty {
        ValueType::Optional(inner) => field_of(world, inner, name),
        ValueType::Record(fields) => fields
            .iter()
            .find(|field| *field.name == *name)
            .map(|field| field.ty.clone()),
        ValueType::Entity(Some(kind)) => {
            let kinds = world.known.book().schema.kinds();
            let attributes = &kinds.iter().find(|one| one.id == *kind)?.attributes;
            attributes
                .iter()
                .find(|attribute| *attribute.name == *name)
                .map(|attribute| attribute.ty.clone())
        }
        _ => None,
    }
}

fn fields_in(world: &WorldOfNames<'_>, ty: &ValueType) -> BTreeSet<String> {
    match ty {
        ValueType::Optional(inner) => fields_in(world, inner),
        ValueType::Record(fields) => fields.iter().map(|field| field.name.to_string()).collect(),
        ValueType::Entity(Some(kind)) => {
            let kinds = world.known.book().schema.kinds();
            let attributes = kinds
                .iter()
                .find(|one| one.id == *kind)
                .map(|kind| &kind.attributes);
            attributes
                .into_iter()
                .flatten()
                .map(|attribute| attribute.name.to_string())
                .collect()
        }
        _ => BTreeSet::new(),
    }
}

fn element_of(ty: &ValueType) -> Option<ValueType> {
    match ty {
        ValueType::Optional(inner) => element_of(inner),
        ValueType::List(inner) | ValueType::Map(inner) => Some(ValueType::clone(inner)),
        _ => None,
    }
}

/// Where the locals of a file come from.
#[derive(Default)]
pub(super) struct Origins {
    of: BTreeMap<u64, ValueOrigin>,
}

impl Origins {
    /// Reads a file.
    pub fn read(root: Block<'_>, scope: &Scope) -> Origins {
        let mut reader = OriginReader {
            scope,
            aliases: BTreeMap::new(),
            origins: Origins::default(),
        };
        root.visit(&mut reader);
        reader.origins
    }

    /// Where the value of an expression comes from.
    pub fn of(&self, scope: &Scope, expression: Expression<'_>) -> Option<ValueOrigin> {
        match expression.kind() {
            ExpressionKind::Local { local, .. } => self.of.get(&local.identity().as_u64()).cloned(),
            ExpressionKind::Grouped(inner) => self.of(scope, inner),
            ExpressionKind::IndexName { expr, index, .. } => Some(
                self.of(scope, expr)?
                    .then(OriginStep::Field(text_of(index.bytes()))),
            ),
            ExpressionKind::IndexExpr { expr, .. } => {
                Some(self.of(scope, expr)?.then(OriginStep::Each))
            }
            ExpressionKind::Call { func, args, .. } => {
                let rule = scope.in_mod(func).filter(|path| path.len() == 3);
                let root = match rule {
                    Some(path) => Root::Rule(path),
                    None => Root::Drawn(drawn(func, args)?),
                };
                Some(ValueOrigin {
                    root,
                    steps: Vec::new(),
                })
            }
            _ => None,
        }
    }
}

/// The pot or deck of `game:draw("drill.fire.chits", 1)` and of
/// `game:deck("hearts.deal.pack"):draw(1)`.
fn drawn(func: Expression<'_>, args: &[Expression<'_>]) -> Option<String> {
    let ExpressionKind::IndexName { expr, index, .. } = func.kind() else {
        return None;
    };
    if index != *"draw" {
        return None;
    }
    match expr.kind() {
        _ if is_game(expr) => word(*args.first()?),
        ExpressionKind::Call { func, args, .. } => match func.kind() {
            ExpressionKind::IndexName { expr, index, .. } if is_game(expr) && index == *"deck" => {
                word(*args.first()?)
            }
            _ => None,
        },
        _ => None,
    }
}

/// What is drawn from a pot or a deck: a list of what is in it.
fn drawn_from(world: &WorldOfNames<'_>, id: &str) -> Option<ValueType> {
    let book = world.known.book();
    let deck = || book.decks.get(id).map(|deck| deck.cards());
    let held = book.pots.get(id).or_else(deck)?;
    let names = held.entries().map(|(name, _)| Name::from(name)).collect();
    Some(ValueType::List(ValueType::Enum(names).into()))
}

struct OriginReader<'a> {
    scope: &'a Scope,
    /// Types that the file gives names of its own.
    aliases: BTreeMap<String, ValueOrigin>,
    origins: Origins,
}

impl OriginReader<'_> {
    fn of_type(&self, ty: Type<'_>) -> Option<ValueOrigin> {
        match ty.kind() {
            TypeKind::Reference {
                prefix: Some(prefix),
                name,
                ..
            } => {
                let [module] =
                    <[String; 1]>::try_from(self.scope.named(&text_of(prefix.bytes()))?).ok()?;
                Some(ValueOrigin {
                    root: Root::Type(module, text_of(name.bytes())),
                    steps: Vec::new(),
                })
            }
            TypeKind::Reference {
                prefix: None, name, ..
            } => self.aliases.get(&text_of(name.bytes())).cloned(),
            TypeKind::Group { ty } => self.of_type(ty),
            // `Unit?` is a union with nothing.
            TypeKind::Union {
                types: [one, other],
            } if matches!(other.kind(), TypeKind::Optional) => self.of_type(*one),
            _ => None,
        }
    }

    /// One of a list that is written as a type, or what stands there.
    fn each_of_type(&self, ty: Type<'_>) -> Option<ValueOrigin> {
        match ty.kind() {
            TypeKind::Table {
                props: [],
                indexer: Some(indexer),
            } => self.of_type(indexer.result_type),
            _ => None,
        }
    }

    fn know(&mut self, local: &Local<'_>, origin: Option<ValueOrigin>) {
        if let Some(origin) = origin {
            self.origins.of.insert(local.identity().as_u64(), origin);
        }
    }

    fn arguments(&mut self, function: &Function<'_>) {
        for local in function.args {
            self.know(local, local.annotation.and_then(|ty| self.of_type(ty)));
        }
    }
}

impl<'ast> AstVisitor<'ast> for OriginReader<'_> {
    fn visit_type_alias_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::TypeAlias(alias) = statement.view()
            && let Some(origin) = self.of_type(alias.ty)
        {
            self.aliases.insert(text_of(alias.name.bytes()), origin);
        }
        false
    }

    fn visit_function_literal_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::FunctionLiteral(function) = expression.kind() {
            self.arguments(function);
        }
        true
    }

    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (place, binding) in local.bindings.iter().enumerate() {
                let by_type = binding.annotation.and_then(|ty| self.of_type(ty));
                let value = local.values.get(place);
                let by_value = || value.and_then(|value| self.origins.of(self.scope, *value));
                let origin = match binding.annotation {
                    Some(_) => by_type,
                    None => by_value(),
                };
                self.know(binding, origin);
            }
        }
        true
    }

    fn visit_generic_for_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::GenericFor(each) = statement.view()
            && let ([_, element], [list]) = (each.names, each.values)
        {
            let by_type = element.annotation.and_then(|ty| self.of_type(ty));
            let of_list = || Some(self.origins.of(self.scope, *list)?.then(OriginStep::Each));
            let by_argument = || match list.kind() {
                ExpressionKind::Local { local, .. } => {
                    local.annotation.and_then(|ty| self.each_of_type(ty))
                }
                _ => None,
            };
            self.know(element, by_type.or_else(of_list).or_else(by_argument));
        }
        true
    }
}
