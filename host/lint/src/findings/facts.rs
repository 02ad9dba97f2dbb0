//! What the text of one file says: functions, what they name, what they do,
//! and under which conditions.

use std::collections::{BTreeMap, BTreeSet};

use luau_syntax::ast::{
    AstVisitor, BinaryOp, Block, Expression, ExpressionKind, Statement, StatementIf, StatementView,
    UnaryOp,
};
use luau_syntax::location::{Location, Position};

use super::cases::{cited, selectors};
use super::domains::{DomainCheck, domain_check};
use super::expressions::{PlacedWord, is_game, is_made_here, keys_of, root_local};
use super::given::{MethodCall, On, WrittenQuestion, given, is_case, values_of};
use super::options::{OptionChoice, choices};
use super::origins::{Origins, ValueOrigin};
use super::reasons::{Reason, reason};
use super::results::{given_back, gives_nothing};
use crate::scope::{ModPath, Scope, text_of, word};

/// What the host lets a rule do with the game, by method.
const WRITES: [&str; 10] = [
    "create", "remove", "emit", "push", "open", "enter", "leave", "finish", "reveal", "hide",
];
const DRAWS: [&str; 5] = ["roll", "roll_all", "draw", "take", "put_back"];

/// What a rule may need to say of itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum RuleEffect {
    Draws,
    Writes,
    Asks,
}

/// A function of the file, or a call that registers something.
#[derive(Debug)]
pub(super) struct CodeUnit {
    pub at: Location,
    pub sort: UnitSort,
}

/// What a unit is.
#[derive(Debug)]
pub(super) enum UnitSort {
    /// A rule by its header.
    Rule(ModPath),
    /// A function of the file alone, by the local that holds it.
    Helper(u64),
    /// A wrap of a rule.
    Wrap(ModPath),
    /// A line of a rule, and its verb.
    Line(ModPath, String),
    /// What is declared.
    Thing,
    /// A function within another.
    Inner,
}

/// A name that leads into a mod, and how it is called, if it is.
#[derive(Debug)]
pub(super) struct NamedPath {
    pub path: ModPath,
    pub at: Location,
    pub call: Option<CallArguments>,
}

/// The arguments of a call, as far as they stand in the text.
#[derive(Debug, Default)]
pub(super) struct CallArguments {
    pub texts: Vec<Option<PlacedWord>>,
    /// The keys of tables, with their places.
    pub keys: Vec<Vec<PlacedWord>>,
    /// What stands as a text under keys of tables.
    pub values: Vec<Vec<(String, PlacedWord)>>,
}

/// A field of something that is not known by the text alone.
#[derive(Debug)]
pub(super) struct FieldUse {
    pub name: String,
    pub at: Position,
    /// The text that it is compared with, or that is written to it.
    pub text: Option<String>,
    pub is_method: bool,
    /// What it is a field of, where the text says it.
    pub owner: Option<ValueOrigin>,
}

/// A global, or a field of one: `math.random`.
#[derive(Debug)]
pub(super) struct GlobalUse {
    pub name: String,
    pub at: Position,
}

/// Where something holds: a clause is on.
#[derive(Debug)]
pub(super) struct ClauseSpan {
    pub clause: ModPath,
    pub from: Position,
    pub to: Position,
}

/// All of it.
#[derive(Default, Debug)]
pub(super) struct Facts {
    pub units: Vec<CodeUnit>,
    pub named: Vec<NamedPath>,
    pub effects: Vec<(RuleEffect, Position, String)>,
    /// Functions of the file that are called or handed on.
    pub helpers: Vec<(u64, Position)>,
    pub fields: Vec<FieldUse>,
    pub globals: Vec<GlobalUse>,
    /// Names that the file itself gives to fields.
    pub own_fields: BTreeSet<String>,
    pub texts: Vec<(String, Position)>,
    pub guards: Vec<ClauseSpan>,
    pub methods: Vec<MethodCall>,
    /// The options that cases set.
    pub choices: Vec<OptionChoice>,
    /// Wraps that say in a table which clauses gate them, be it none.
    pub says_cites: Vec<Location>,
    /// What cases take and leave out.
    pub selectors: Vec<PlacedWord>,
    /// What cases say that they show.
    pub cited: Vec<PlacedWord>,
    /// Rules without a result that give something back, and where.
    pub given_back: Vec<(ModPath, Position)>,
    /// Functions of lines that never give anything: the verb, the rule, and where.
    pub silent_lines: Vec<(String, ModPath, Position)>,
    /// Reasons, with what fills the places in them.
    pub reasons: Vec<Reason>,
    /// Rules that have the last word over what is chosen.
    pub checks: Vec<DomainCheck>,
    /// What is asked of players.
    pub questions: Vec<WrittenQuestion>,
    /// What a rule, an option or a pot gives, and the text that it is compared with.
    pub compared: Vec<(ValueOrigin, String, Position)>,
}

impl Facts {
    /// Reads a file.
    pub fn read(root: Block<'_>) -> Facts {
        let scope = Scope::read(root);
        let mut reader = FactReader {
            origins: Origins::read(root, &scope),
            scope,
            facts: Facts::default(),
            fresh: BTreeSet::new(),
            clause_locals: BTreeMap::new(),
            known: BTreeSet::new(),
            block_ends: Vec::new(),
        };
        root.visit(&mut reader);
        reader.facts
    }

    /// The units around a place, the innermost first.
    pub fn around(&self, at: Position) -> Vec<&CodeUnit> {
        let mut found: Vec<&CodeUnit> = self
            .units
            .iter()
            .filter(|unit| unit.at.begin <= at && at < unit.at.end)
            .collect();
        found.sort_by_key(|unit| std::cmp::Reverse(unit.at.begin));
        found
    }
}

struct FactReader {
    scope: Scope,
    origins: Origins,
    facts: Facts,
    /// Locals that hold a table which the function itself made.
    fresh: BTreeSet<u64>,
    /// Locals that hold whether a clause is on.
    clause_locals: BTreeMap<u64, ModPath>,
    /// Functions that have a unit of their own already.
    known: BTreeSet<Position>,
    block_ends: Vec<(Position, Position)>,
}

impl FactReader {
    fn unit(&mut self, at: Location, sort: UnitSort) {
        self.facts.units.push(CodeUnit { at, sort });
    }

    fn function(&mut self, expression: Expression<'_>, sort: UnitSort) {
        self.known.insert(expression.location().begin);
        self.unit(expression.location(), sort);
    }

    fn clause(&self, condition: Expression<'_>) -> Option<ModPath> {
        if let ExpressionKind::Local { local, .. } = condition.kind() {
            return self.clause_locals.get(&local.identity().as_u64()).cloned();
        }
        let ExpressionKind::Call { func, .. } = condition.kind() else {
            return None;
        };
        let path = self.scope.in_mod(func)?;
        (path.len() == 3 && path[1] == "clauses").then_some(path)
    }

    /// Clauses that are on if a condition holds, or if it does not.
    fn clauses(&self, condition: Expression<'_>, holds: bool) -> Vec<ModPath> {
        match condition.kind() {
            ExpressionKind::Grouped(inner) => self.clauses(inner, holds),
            ExpressionKind::Unary {
                op: UnaryOp::Not,
                rhs,
            } => self.clauses(rhs, !holds),
            ExpressionKind::Binary { lhs, op, rhs }
                if (op == BinaryOp::And && holds) || (op == BinaryOp::Or && !holds) =>
            {
                [self.clauses(lhs, holds), self.clauses(rhs, holds)].concat()
            }
            _ if holds => self.clause(condition).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn guard(&mut self, condition: Expression<'_>, holds: bool, from: Position, to: Position) {
        for clause in self.clauses(condition, holds) {
            self.facts.guards.push(ClauseSpan { clause, from, to });
        }
    }

    fn if_statement(&mut self, at: Location, one: &StatementIf<'_>) {
        let body = one.then_body;
        self.guard(
            one.condition,
            true,
            body.location().begin,
            body.location().end,
        );
        if let Some(other) = one.else_body {
            self.guard(
                one.condition,
                false,
                other.location().begin,
                other.location().end,
            );
        } else if super::flow::leaves(body) {
            let end = self
                .block_ends
                .iter()
                .rfind(|(from, to)| *from <= at.begin && at.end <= *to);
            if let Some((_, end)) = end.copied() {
                self.guard(one.condition, false, at.end, end);
            }
        }
    }

    fn call(
        &mut self,
        at: Location,
        func: Expression<'_>,
        args: &[Expression<'_>],
        is_method: bool,
    ) {
        if let Some(path) = self.scope.in_mod(func) {
            self.call_in_mod(at, func.location(), path, args);
        } else if let Some(path) = self.scope.path(func) {
            self.call_of_host(at, &path, args);
        } else if let ExpressionKind::IndexName { expr, index, .. } = func.kind() {
            let method = text_of(index.bytes());
            if is_method && is_game(expr) {
                self.effect_of_game(&method, at.begin);
            }
            let on = if is_game(expr) {
                Some(On::Game)
            } else {
                is_case(expr).then_some(On::Case)
            };
            if let (Some(On::Case), "eq", [one, other, ..]) = (on, method.as_str(), args) {
                self.compared(*one, *other);
                self.compared(*other, *one);
            }
            if let Some(on) = on.filter(|_| is_method) {
                let args = args.iter().map(|arg| given(&self.scope, *arg)).collect();
                self.facts.methods.push(MethodCall { on, method, args });
            }
        }
    }

    /// A call of something that mods give, by a name that stands at `named`.
    fn call_in_mod(
        &mut self,
        at: Location,
        named: Location,
        path: ModPath,
        args: &[Expression<'_>],
    ) {
        self.registered_by_line(at, &path, args);
        self.effect_by_name(&path, at.begin);
        let texts = args
            .iter()
            .map(|arg| Some((word(*arg)?, arg.location().begin)))
            .collect();
        let keys = args.iter().map(|arg| keys_of(*arg)).collect();
        let values = args.iter().map(|arg| values_of(*arg)).collect();
        let call = Some(CallArguments {
            texts,
            keys,
            values,
        });
        self.facts.named.push(NamedPath {
            path,
            at: named,
            call,
        });
    }

    /// A call of something that the host gives: `rules.wrap`, `test.case`, `ask.yes`.
    fn call_of_host(&mut self, at: Location, path: &ModPath, args: &[Expression<'_>]) {
        self.registration(at, path, args);
        match path
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["@rules", verb] => self.facts.reasons.extend(reason(verb, args)),
            ["@domain", verb] => {
                let check = domain_check(&self.scope, verb, args);
                self.facts.checks.extend(check);
            }
            ["@test", "case"] => {
                self.facts
                    .choices
                    .extend(args.iter().flat_map(|spec| choices(*spec)));
                self.facts
                    .selectors
                    .extend(args.iter().flat_map(|spec| selectors(*spec)));
                self.facts
                    .cited
                    .extend(args.iter().flat_map(|spec| cited(*spec)));
            }
            _ => {}
        }
        if path[0] == "@ask" {
            self.note_effect(
                RuleEffect::Asks,
                at.begin,
                path.join(".").replacen('@', "", 1),
            );
            let has_side = path.last().is_some_and(|verb| verb != "all");
            let args = args.iter().map(|arg| given(&self.scope, *arg)).collect();
            self.facts
                .questions
                .push(WrittenQuestion { has_side, args });
        }
    }

    fn effect_of_game(&mut self, method: &str, at: Position) {
        let effect = if WRITES.contains(&method) {
            RuleEffect::Writes
        } else if DRAWS.contains(&method) {
            RuleEffect::Draws
        } else {
            return;
        };
        self.note_effect(effect, at, format!("game:{method}"));
    }

    fn note_effect(&mut self, effect: RuleEffect, at: Position, what: String) {
        self.facts.effects.push((effect, at, what));
    }

    fn effect_by_name(&mut self, path: &ModPath, at: Position) {
        let is_emitted = path.len() == 3 && path[1] == "events";
        let is_pushed = path.len() == 4 && path[1] == "push";
        let is_made = path.len() == 4 && path[1] == "kinds" && path[3] == "create";
        if is_emitted || is_pushed || is_made {
            self.note_effect(RuleEffect::Writes, at, path.join("."));
        }
    }

    fn registration(&mut self, at: Location, path: &ModPath, args: &[Expression<'_>]) {
        let [rules, verb] = path.as_slice() else {
            return;
        };
        if rules != "@rules" {
            return;
        }
        let rule = args.first().and_then(|rule| self.scope.in_mod(*rule));
        match (verb.as_str(), rule) {
            ("wrap" | "replace", Some(rule)) => {
                let says_clauses = |spec| keys_of(spec).iter().any(|(key, _)| key == "cites");
                if args.get(1).is_some_and(|spec| says_clauses(*spec)) {
                    self.facts.says_cites.push(at);
                }
                self.unit(at, UnitSort::Wrap(rule));
                args.last().into_iter().for_each(|last| {
                    self.known.insert(last.location().begin);
                });
            }
            ("action" | "reaction" | "phase" | "on", _) => self.unit(at, UnitSort::Thing),
            _ => {}
        }
    }

    fn registered_by_line(&mut self, at: Location, path: &ModPath, args: &[Expression<'_>]) {
        let [module, over, chapter, name, verb] = path.as_slice() else {
            return;
        };
        if over != "over" {
            return;
        }
        let rule = vec![module.clone(), chapter.clone(), name.clone()];
        // What comes after a rule is a step, and the type checker sees to wraps.
        if verb != "after" && verb != "wrap" {
            let functions = args
                .iter()
                .filter_map(|arg| Some((arg, arg.as_function()?)));
            let silent = functions.filter(|(_, function)| gives_nothing(function));
            let silent = silent.map(|(arg, _)| (verb.clone(), rule.clone(), arg.location().begin));
            self.facts.silent_lines.extend(silent);
        }
        let sort = if verb == "wrap" {
            UnitSort::Wrap(rule)
        } else {
            UnitSort::Line(rule, verb.clone())
        };
        self.unit(at, sort);
        for arg in args.iter().filter(|arg| arg.as_function().is_some()) {
            self.known.insert(arg.location().begin);
        }
    }

    fn write(&mut self, to: Expression<'_>, value: Option<Expression<'_>>) {
        let ExpressionKind::IndexName {
            expr,
            index,
            index_location,
            ..
        } = to.kind()
        else {
            return;
        };
        let name = text_of(index.bytes());
        let Some(root) = root_local(expr) else { return };
        if self.scope.in_mod(to).is_some() {
            return;
        }
        if self.fresh.contains(&root.identity().as_u64()) {
            self.facts.own_fields.insert(name);
            return;
        }
        let what = format!("{}.{name}", text_of(root.name.bytes()));
        self.note_effect(RuleEffect::Writes, to.location().begin, what);
        let (text, owner) = (value.and_then(word), self.origins.of(&self.scope, expr));
        self.facts.fields.push(FieldUse {
            name,
            at: index_location.begin,
            text,
            is_method: false,
            owner,
        });
    }

    fn compared(&mut self, field: Expression<'_>, with: Expression<'_>) {
        let Some(text) = word(with) else { return };
        if let Some(origin) = self
            .origins
            .of(&self.scope, field)
            .filter(ValueOrigin::is_no_field)
        {
            self.facts
                .compared
                .push((origin, text, with.location().begin));
            return;
        }
        let (name, at, owner) = match field.kind() {
            ExpressionKind::IndexName {
                expr,
                index,
                index_location,
                ..
            } => (
                text_of(index.bytes()),
                index_location.begin,
                self.origins.of(&self.scope, expr),
            ),
            // A local that holds a field.
            ExpressionKind::Local { .. } => {
                let origin = self.origins.of(&self.scope, field);
                let Some((owner, name)) = origin.as_ref().and_then(ValueOrigin::parted) else {
                    return;
                };
                (name.to_string(), field.location().begin, Some(owner))
            }
            _ => return,
        };
        self.facts.fields.push(FieldUse {
            name,
            at,
            text: Some(text),
            is_method: false,
            owner,
        });
    }
}

impl<'ast> AstVisitor<'ast> for FactReader {
    fn visit_block(&mut self, block: Block<'ast>) -> bool {
        let at = block.location();
        self.block_ends.push((at.begin, at.end));
        true
    }

    fn visit_local_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Local(local) = statement.view() {
            for (binding, value) in local.bindings.iter().zip(local.values) {
                if let Some(clause) = self.clause(*value) {
                    self.clause_locals
                        .insert(binding.identity().as_u64(), clause);
                }
                if is_made_here(*value) {
                    self.fresh.insert(binding.identity().as_u64());
                }
                if value.as_function().is_some() {
                    self.function(*value, UnitSort::Helper(binding.identity().as_u64()));
                }
            }
        }
        true
    }

    fn visit_local_function_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::LocalFunction(local) = statement.view() {
            self.function(
                local.function,
                UnitSort::Helper(local.name.identity().as_u64()),
            );
        }
        true
    }

    fn visit_function_declaration_statement(&mut self, statement: Statement<'ast>) -> bool {
        let StatementView::FunctionDeclaration(declared) = statement.view() else {
            return true;
        };
        match self.scope.in_mod(declared.name) {
            Some(path) if path.len() == 3 => {
                let function = declared.function.as_function();
                let given_back = function.and_then(given_back).map(|at| (path.clone(), at));
                self.facts.given_back.extend(given_back);
                self.function(declared.function, UnitSort::Rule(path));
                declared.function.visit(self);
                return false;
            }
            _ => {
                if let ExpressionKind::IndexName { index, .. } = declared.name.kind() {
                    self.facts.own_fields.insert(text_of(index.bytes()));
                }
            }
        }
        true
    }

    fn visit_function_literal_expression(&mut self, expression: Expression<'ast>) -> bool {
        if !self.known.contains(&expression.location().begin) {
            self.unit(expression.location(), UnitSort::Inner);
        }
        true
    }

    fn visit_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::Assign(assign) = statement.view() {
            for (place, to) in assign.vars.iter().enumerate() {
                self.write(*to, assign.values.get(place).copied());
                match self.scope.in_mod(*to) {
                    // What is given to a chapter is no use of it.
                    Some(_) => {}
                    None => to.visit(self),
                }
            }
            assign.values.iter().for_each(|value| value.visit(self));
        }
        false
    }

    fn visit_compound_assign_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::CompoundAssign(assign) = statement.view() {
            self.write(assign.var, None);
        }
        true
    }

    fn visit_if_statement(&mut self, statement: Statement<'ast>) -> bool {
        if let StatementView::If(one) = statement.view() {
            self.if_statement(statement.location(), one);
        }
        true
    }

    fn visit_if_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::If {
            condition,
            then_expression,
            else_expression,
            ..
        } = expression.kind()
        {
            let (then, other) = (then_expression.location(), else_expression.location());
            self.guard(condition, true, then.begin, then.end);
            self.guard(condition, false, other.begin, other.end);
        }
        true
    }

    fn visit_binary_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Binary { lhs, op, rhs } = expression.kind() {
            let at = rhs.location();
            match op {
                BinaryOp::And => self.guard(lhs, true, at.begin, at.end),
                BinaryOp::Or => self.guard(lhs, false, at.begin, at.end),
                BinaryOp::Equal | BinaryOp::NotEqual => {
                    self.compared(lhs, rhs);
                    self.compared(rhs, lhs);
                }
                _ => {}
            }
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
        self.call(expression.location(), func, args, self_call);
        if self.scope.path(func).is_none() {
            if let ExpressionKind::IndexName {
                expr,
                index,
                index_location,
                ..
            } = func.kind()
            {
                if self_call {
                    let name = text_of(index.bytes());
                    self.facts.fields.push(FieldUse {
                        name,
                        at: index_location.begin,
                        text: None,
                        is_method: true,
                        owner: None,
                    });
                    expr.visit(self);
                } else {
                    func.visit(self);
                }
            } else {
                func.visit(self);
            }
        }
        args.iter().for_each(|arg| arg.visit(self));
        false
    }

    fn visit_index_name_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let Some(path) = self.scope.in_mod(expression) {
            self.facts.named.push(NamedPath {
                path,
                at: expression.location(),
                call: None,
            });
            return false;
        }
        if self.scope.path(expression).is_some() {
            return false;
        }
        let ExpressionKind::IndexName {
            expr,
            index,
            index_location,
            ..
        } = expression.kind()
        else {
            return true;
        };
        let name = text_of(index.bytes());
        if let ExpressionKind::Global(global) = expr.kind() {
            let name = format!("{}.{name}", text_of(global.bytes()));
            self.facts.globals.push(GlobalUse {
                name,
                at: expr.location().begin,
            });
        } else {
            let (at, owner) = (index_location.begin, self.origins.of(&self.scope, expr));
            self.facts.fields.push(FieldUse {
                name,
                at,
                text: None,
                is_method: false,
                owner,
            });
        }
        true
    }

    fn visit_global_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Global(global) = expression.kind() {
            let (name, at) = (text_of(global.bytes()), expression.location().begin);
            self.facts.globals.push(GlobalUse { name, at });
        }
        true
    }

    fn visit_local_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let ExpressionKind::Local { local, .. } = expression.kind() {
            let id = local.identity().as_u64();
            match self.scope.in_mod(expression) {
                Some(path) if path.len() >= 3 => {
                    self.facts.named.push(NamedPath {
                        path,
                        at: expression.location(),
                        call: None,
                    });
                }
                _ => self.facts.helpers.push((id, expression.location().begin)),
            }
        }
        true
    }

    fn visit_table_expression(&mut self, expression: Expression<'ast>) -> bool {
        let keys = keys_of(expression).into_iter().map(|(key, _)| key);
        self.facts.own_fields.extend(keys);
        true
    }

    fn visit_string_expression(&mut self, expression: Expression<'ast>) -> bool {
        if let Some(text) = word(expression) {
            self.facts.texts.push((text, expression.location().begin));
        }
        true
    }
}
