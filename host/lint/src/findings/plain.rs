//! Plain numbers, and what they are held against: an argument, a field, the
//! other side of a comparison. What that wants of them, `measures` knows.

use std::collections::{BTreeMap, BTreeSet};

use luau_syntax::ast::{
    AstVisitor, BinaryOp, Block, Expression, ExpressionKind, Function, Local, Statement,
    StatementView, TableItem, Type, TypeKind, TypePackKind, UnaryOp,
};
use luau_syntax::location::Position;

use super::expressions::is_game;
use super::origins::{Origins, ValueOrigin};
use crate::scope::{ModPath, Scope, text_of, word};

/// What a number is held against.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Against {
    /// A type, by the name that the file gives it.
    Named(String),
    /// An argument of a function of the game.
    GameArgument(String, usize),
    /// What a function of the game gives.
    GameResult(String),
    /// An argument of a rule.
    Argument(ModPath, usize),
    /// What a rule gives.
    Result(ModPath),
    /// A term of a line of a rule.
    Term(ModPath),
    /// Whatever counts: a fraction of a line, or its steps.
    Count,
    /// The value of an option.
    Choice(ModPath),
    /// A field, and what it is a field of, where the text says it.
    Field(String, Option<ValueOrigin>),
    /// An attribute or a field, by its kind or event.
    Key(ModPath, String),
}

/// A plain number, where it stands, and what it is held against.
#[derive(Debug)]
pub(super) struct PlainNumber {
    pub number: f64,
    pub at: Position,
    pub against: Against,
    pub used: NumberUse,
}

/// What is done with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberUse {
    /// It is given to what it is held against.
    Given,
    /// It is compared with just that, which stands before the sign.
    Compared(BinaryOp),
    /// Something else: the other is a sum, or this is one of its terms.
    Other,
}

/// Lines whose terms are of the type that their rule gives.
const TERMS: [&str; 5] = ["add", "least", "most", "set", "case"];

/// Keys of shapes and templates, which have one of the first.
const OF_SHAPES: [&str; 5] = ["centre", "origin", "line", "from", "polygon"];
const MEASURES_OF_SHAPES: [(&str, &str); 6] = [
    ("radius", "Length"),
    ("inner", "Length"),
    ("half_width", "Length"),
    ("length", "Length"),
    ("half_angle", "Angle"),
    ("direction", "Direction"),
];

/// A value that is made a measure, as if it were a number: `rules.inches(reach)`.
pub(super) struct ConvertedValue {
    /// The function that makes it one.
    pub by: String,
    pub at: Position,
    /// What it is; nothing where it comes from such a function itself.
    pub value: Option<Against>,
}

/// The functions of `@rules` that make a measure of a number.
const MAKING: [&str; 3] = ["inches", "cm", "degrees"];

/// All of a file, and what is made a measure in it.
pub(super) fn plain_numbers(
    root: Block<'_>,
    scope: &Scope,
) -> (Vec<PlainNumber>, Vec<ConvertedValue>) {
    let mut assigned = Assigned::default();
    root.visit(&mut assigned);
    let mut reader = NumberReader {
        scope,
        origins: Origins::read(root, scope),
        assigned: assigned.0,
        numbers: BTreeMap::new(),
        held: BTreeMap::new(),
        sums: BTreeSet::new(),
        used: NumberUse::Other,
        results: Vec::new(),
        found: Vec::new(),
        converted: Vec::new(),
    };
    root.visit(&mut reader);
    (reader.found, reader.converted)
}

/// Locals that are given something later on.
#[derive(Default)]
struct Assigned(BTreeSet<u64>);

impl Assigned {
    fn take(&mut self, to: Expression<'_>) {
        if let ExpressionKind::Local { local, .. } = to.kind() {
            self.0.insert(local.identity().as_u64());
        }
    }
}

impl<'ast> AstVisitor<'ast> for Assigned {
    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            assign.vars.iter().for_each(|to| self.take(*to));
        }
        true
    }

    fn visit_compound_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::CompoundAssign(assign) = statement.view() {
            self.take(assign.var);
        }
        true
    }
}

struct NumberReader<'a> {
    scope: &'a Scope,
    origins: Origins,
    assigned: BTreeSet<u64>,
    /// Locals that are plain numbers.
    numbers: BTreeMap<u64, f64>,
    /// Locals that hold something else.
    held: BTreeMap<u64, Against>,
    /// Those of them that hold more than just that.
    sums: BTreeSet<u64>,
    /// What is done with the numbers that are put.
    used: NumberUse,
    /// What the function that is read gives.
    results: Vec<String>,
    found: Vec<PlainNumber>,
    converted: Vec<ConvertedValue>,
}

impl NumberReader<'_> {
    /// The number that an expression is, if nothing else goes into it.
    fn number(&self, expression: Expression<'_>) -> Option<f64> {
        match expression.kind() {
            ExpressionKind::Number { value, .. } => Some(value),
            ExpressionKind::Grouped(inner) => self.number(inner),
            ExpressionKind::Unary {
                op: UnaryOp::Negate,
                rhs,
            } => Some(-self.number(rhs)?),
            ExpressionKind::Local { local, .. } => {
                self.numbers.get(&local.identity().as_u64()).copied()
            }
            ExpressionKind::Binary { lhs, op, rhs } => {
                let (one, other) = (self.number(lhs)?, self.number(rhs)?);
                match op {
                    BinaryOp::Add => Some(one + other),
                    BinaryOp::Subtract => Some(one - other),
                    BinaryOp::Multiply => Some(one * other),
                    BinaryOp::Divide => Some(one / other),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What an expression is that is no plain number, where the text says it.
    fn against(&self, expression: Expression<'_>) -> Option<Against> {
        match expression.kind() {
            ExpressionKind::Grouped(inner)
            | ExpressionKind::Unary {
                op: UnaryOp::Negate,
                rhs: inner,
            } => self.against(inner),
            ExpressionKind::Local { local, .. } => {
                self.held.get(&local.identity().as_u64()).cloned()
            }
            ExpressionKind::Call {
                func,
                args,
                self_call,
                ..
            } => self.result_of(func, args, self_call),
            ExpressionKind::IndexName { expr, index, .. }
                if self.scope.path(expression).is_none() =>
            {
                Some(Against::Field(
                    text_of(index.bytes()),
                    self.origins.of(self.scope, expr),
                ))
            }
            ExpressionKind::Binary {
                lhs,
                op: BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Or,
                rhs,
            } => self.against(lhs).or_else(|| self.against(rhs)),
            // A measure times a number, or parted by one; parted by a measure it is a number.
            ExpressionKind::Binary {
                lhs,
                op: BinaryOp::Multiply,
                rhs,
            } => match self.number(lhs) {
                Some(_) => self.against(rhs),
                None => self.against(lhs).filter(|_| self.number(rhs).is_some()),
            },
            ExpressionKind::Binary {
                lhs,
                op: BinaryOp::Divide | BinaryOp::FloorDivide,
                rhs,
            } => self.against(lhs).filter(|_| self.number(rhs).is_some()),
            _ => None,
        }
    }

    fn result_of(
        &self,
        func: Expression<'_>,
        args: &[Expression<'_>],
        is_method: bool,
    ) -> Option<Against> {
        if let Some(path) = self.scope.in_mod(func) {
            return match path.as_slice() {
                [_, section, _] if section == "options" => Some(Against::Choice(path)),
                [_, _, _] => Some(Against::Result(path)),
                _ => None,
            };
        }
        if is_least_or_most(func) {
            return args.iter().find_map(|arg| self.against(*arg));
        }
        method_of_game(func, is_method).map(Against::GameResult)
    }

    fn put(&mut self, value: Expression<'_>, against: Against) {
        match value.kind() {
            ExpressionKind::If {
                then_expression,
                else_expression,
                ..
            } => {
                self.put(then_expression, against.clone());
                self.put(else_expression, against);
            }
            ExpressionKind::Binary {
                lhs,
                op: BinaryOp::Or,
                rhs,
            } => {
                self.put(lhs, against.clone());
                self.put(rhs, against);
            }
            _ => {
                if let Some(number) = self.number(value) {
                    self.found.push(PlainNumber {
                        number,
                        at: value.location().begin,
                        against,
                        used: self.used,
                    });
                }
            }
        }
    }

    /// Two that are added to each other: `reach - 1` is just less than a reach.
    fn summed(&mut self, lhs: Expression<'_>, rhs: Expression<'_>) {
        if self.number(rhs) != Some(1.0) {
            self.alike(&[lhs, rhs]);
        }
    }

    /// Several that are compared, or added to each other: of one measure.
    fn alike(&mut self, all: &[Expression<'_>]) {
        if let Some(against) = all.iter().find_map(|one| self.against(*one)) {
            all.iter().for_each(|one| self.put(*one, against.clone()));
        }
    }

    /// The function that makes a measure, if it is one.
    fn making(&self, func: Expression<'_>) -> Option<String> {
        match self.scope.path(func)?.as_slice() {
            [rules, name] if rules == "@rules" && MAKING.contains(&name.as_str()) => {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// What is no number any more, and is made a measure once more.
    fn converted(&mut self, by: String, value: Expression<'_>) {
        let is_made = matches!(value.kind(), ExpressionKind::Call { func, .. } if self.making(func).is_some());
        let of = self.against(value);
        if is_made || (of.is_some() && !self.is_sum(value)) {
            self.converted.push(ConvertedValue {
                by,
                at: value.location().begin,
                value: of,
            });
        }
    }

    /// Two that are compared.
    fn compared(&mut self, lhs: Expression<'_>, op: BinaryOp, rhs: Expression<'_>) {
        let (one, against, op, other) = match (self.against(lhs), self.against(rhs)) {
            (Some(against), _) => (lhs, against, op, rhs),
            (None, Some(against)) => (rhs, against, turned(op), lhs),
            (None, None) => return,
        };
        self.put(one, against.clone());
        let used = match self.is_sum(one) {
            true => NumberUse::Other,
            false => NumberUse::Compared(op),
        };
        self.put_as(used, other, against);
    }

    fn put_as(&mut self, used: NumberUse, value: Expression<'_>, against: Against) {
        let before = std::mem::replace(&mut self.used, used);
        self.put(value, against);
        self.used = before;
    }

    /// Whether an expression is more than just what it is held against.
    fn is_sum(&self, expression: Expression<'_>) -> bool {
        match expression.kind() {
            ExpressionKind::Grouped(inner) => self.is_sum(inner),
            ExpressionKind::Local { local, .. } => self.sums.contains(&local.identity().as_u64()),
            ExpressionKind::IndexName { .. } => false,
            ExpressionKind::Call { func, .. } => is_least_or_most(func),
            _ => true,
        }
    }

    fn arguments(&mut self, args: &[Expression<'_>], against: impl Fn(usize) -> Against) {
        for (place, arg) in args.iter().enumerate() {
            self.put_as(NumberUse::Given, *arg, against(place));
        }
    }

    fn call_in_mod(&mut self, path: &ModPath, args: &[Expression<'_>]) {
        // The game comes first.
        let after = args.get(1..).unwrap_or_default();
        match path
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            [_, "over", _, _, verb] if TERMS.contains(verb) => {
                let rule = vec![path[0].clone(), path[2].clone(), path[3].clone()];
                args.iter()
                    .for_each(|arg| self.put(*arg, Against::Term(rule.clone())));
            }
            [_, "over", _, _, "scale" | "shift"] => self.arguments(args, |_| Against::Count),
            [_, "push", _, _] => {
                let rule = vec![path[0].clone(), path[2].clone(), path[3].clone()];
                self.arguments(after, |place| Against::Argument(rule.clone(), place));
            }
            [_, "kinds", _, "create"] | [_, "events", _] => {
                for (key, value) in after
                    .first()
                    .map(|table| fields_of(*table))
                    .unwrap_or_default()
                {
                    self.put_as(NumberUse::Given, value, Against::Key(path.clone(), key));
                }
            }
            [_, _, _] => self.arguments(after, |place| Against::Argument(path.clone(), place)),
            _ => {}
        }
    }

    fn know(&mut self, local: &Local<'_>, value: Option<Expression<'_>>) {
        let id = local.identity().as_u64();
        if let Some(ty) = local.annotation.and_then(named) {
            value
                .into_iter()
                .for_each(|value| self.put(value, Against::Named(ty.clone())));
            self.held.insert(id, Against::Named(ty));
        } else if let Some(value) = value.filter(|_| !self.assigned.contains(&id)) {
            if let Some(number) = self.number(value) {
                self.numbers.insert(id, number);
            } else if let Some(against) = self.against(value) {
                if self.is_sum(value) {
                    self.sums.insert(id);
                }
                self.held.insert(id, against);
            }
        }
    }

    fn function(&mut self, function: &Function<'_>) {
        function
            .args
            .iter()
            .for_each(|local| self.know(local, None));
        let results = match function.return_annotation.map(|pack| pack.kind()) {
            Some(TypePackKind::Explicit { type_list }) => type_list
                .types
                .iter()
                .map(|ty| named(*ty).unwrap_or_default())
                .collect(),
            _ => Vec::new(),
        };
        let outer = std::mem::replace(&mut self.results, results);
        function.body.visit(self);
        self.results = outer;
    }
}

/// The sign of the same comparison with its sides exchanged.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// The name of a type that has one, whether it may be nothing or not.
fn named(ty: Type<'_>) -> Option<String> {
    match ty.kind() {
        TypeKind::Reference {
            prefix: None, name, ..
        } => Some(text_of(name.bytes())),
        TypeKind::Group { ty } => named(ty),
        TypeKind::Union {
            types: [one, other],
        } if matches!(other.kind(), TypeKind::Optional) => named(*one),
        _ => None,
    }
}

fn fields_of<'ast>(table: Expression<'ast>) -> Vec<(String, Expression<'ast>)> {
    let ExpressionKind::Table { items } = table.kind() else {
        return Vec::new();
    };
    let field = |item: &TableItem<'ast>| match item {
        TableItem::Record { key, value } => Some((word(*key)?, *value)),
        _ => None,
    };
    items.iter().filter_map(field).collect()
}

fn method_of_game(func: Expression<'_>, is_method: bool) -> Option<String> {
    let ExpressionKind::IndexName { expr, index, .. } = func.kind() else {
        return None;
    };
    (is_method && is_game(expr)).then(|| text_of(index.bytes()))
}

fn is_least_or_most(func: Expression<'_>) -> bool {
    let ExpressionKind::IndexName { expr, index, .. } = func.kind() else {
        return false;
    };
    matches!(expr.kind(), ExpressionKind::Global(name) if name == *"math")
        && matches!(index.bytes(), b"min" | b"max" | b"clamp")
}

impl<'ast> AstVisitor<'ast> for NumberReader<'_> {
    fn visit_function_literal_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let Some(function) = expression.as_function() {
            self.function(function);
        }
        false
    }

    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (place, binding) in local.bindings.iter().enumerate() {
                self.know(binding, local.values.get(place).copied());
            }
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            for (to, value) in assign.vars.iter().zip(assign.values) {
                if let Some(against) = self.against(*to) {
                    self.put_as(NumberUse::Given, *value, against);
                }
            }
        }
        true
    }

    fn visit_compound_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::CompoundAssign(assign) = statement.view()
            && matches!(assign.op, BinaryOp::Add | BinaryOp::Subtract)
            && let Some(against) = self.against(assign.var)
        {
            self.put(assign.value, against);
        }
        true
    }

    fn visit_return_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Return(returned) = statement.view() {
            for (ty, value) in self.results.clone().into_iter().zip(returned.expressions) {
                self.put(*value, Against::Named(ty));
            }
        }
        true
    }

    fn visit_binary_expression(&mut self, expression: Expression<'ast>) -> bool {
        let ExpressionKind::Binary { lhs, op, rhs } = expression.kind() else {
            return true;
        };
        match op {
            BinaryOp::Add | BinaryOp::Subtract => self.summed(lhs, rhs),
            BinaryOp::Equal | BinaryOp::NotEqual => self.compared(lhs, op, rhs),
            BinaryOp::Less | BinaryOp::LessEqual => self.compared(lhs, op, rhs),
            BinaryOp::Greater | BinaryOp::GreaterEqual => self.compared(lhs, op, rhs),
            _ => {}
        }
        true
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
        if let Some(path) = self.scope.in_mod(func) {
            self.call_in_mod(&path, args);
        } else if let (Some(by), [value]) = (self.making(func), args) {
            self.converted(by, *value);
        } else if is_least_or_most(func) {
            self.alike(args);
        } else if let Some(method) = method_of_game(func, self_call) {
            self.arguments(args, |place| Against::GameArgument(method.clone(), place));
        }
        true
    }

    fn visit_table_expression(&mut self, expression: Expression<'ast>) -> bool {
        let fields = fields_of(expression);
        if fields
            .iter()
            .any(|(key, _)| OF_SHAPES.contains(&key.as_str()))
        {
            for (key, value) in fields {
                let known = MEASURES_OF_SHAPES.iter().find(|(name, _)| *name == key);
                known
                    .into_iter()
                    .for_each(|(_, ty)| self.put(value, Against::Named((*ty).into())));
            }
        }
        true
    }
}
