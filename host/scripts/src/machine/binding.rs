//! Binding: composed rules become functions that other rules call.
//!
//! A machine that is made ready for another selection keeps every function whose
//! layers are the same there; most are.

use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type};
use mlua::{Function, Table, Value as LuaValue};

use super::LuaHost;
use crate::answers::EnteredRule;
use crate::chain::component_function;
use crate::layer::LayerShape;
use crate::registrar::function_of;
use crate::taking::{describe, whole};
use crate::vm::{Shared, fault_of};
use crate::{answers, load};
use rules::hosting::calls::too_many_arguments;
use rules::hosting::chain::{Chain, Link};
use rules::hosting::layer_mark;
use rules::hosting::registry::{Layer, LayerBody, Returns, Signature};
use rules::lines::Line;
use rules::rulebook::{RuleEntries, RuleEntry};

/// A rule that can be called.
pub(super) struct Bound {
    pub function: Function,
    /// The same for the kernel, which enters its outermost layer.
    pub entered: EnteredRule,
    pub entry: Rc<RuleEntry>,
    pub chain: Rc<Chain>,
    /// The number by which its answers are told from those of others.
    pub number: Option<u32>,
    /// The addresses of what runs, by which the stack tells it.
    addresses: Vec<usize>,
}

impl Bound {
    /// Whether a composed rule is this one.
    fn is(&self, rule: &Rc<RuleEntry>) -> bool {
        let mine = &self.entry;
        let is_same = |(mine, other): (&Layer, &Layer)| LayerKey::of(mine) == LayerKey::of(other);
        Rc::ptr_eq(mine, rule)
            || mine.signature == rule.signature
                && mine.functions.len() == rule.functions.len()
                && mine.functions.iter().zip(&rule.functions).all(is_same)
    }
}

/// What tells one layer from another in the same machine: its place among all,
/// and what runs, which is another thing when its file was run again.
#[derive(PartialEq, Eq)]
struct LayerKey<'l> {
    registered: usize,
    body: Option<usize>,
    cites: &'l [Name],
    /// The lines that are folded, if that is what it is.
    lines: Vec<(usize, usize)>,
}

/// Where something of a script is kept, as long as a layer holds it.
fn address(kept: &Rc<dyn Any>) -> usize {
    Rc::as_ptr(kept).addr()
}

impl LayerKey<'_> {
    fn of(layer: &Layer) -> LayerKey<'_> {
        let lines = match &layer.body {
            LayerBody::Lines(column) => {
                let key = |line: &Line| (line.registered, address(&line.spec));
                column.lines.iter().map(key).collect()
            }
            _ => Vec::new(),
        };
        let body = match &layer.body {
            LayerBody::Script(function) => Some(address(function)),
            _ => None,
        };
        LayerKey {
            registered: layer.registered,
            body,
            cites: &layer.cites,
            lines,
        }
    }
}

impl LuaHost {
    /// Binds composed rules: from now on they can be called.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    pub fn bind(&mut self, rules: &RuleEntries) -> Result<(), Fault> {
        let called = || rules.values().filter(|rule| !rule.functions.is_empty());
        // How many of those that are bound are called no more.
        let mut left = self.bound.len();
        let is_changed = |rule: &&Rc<RuleEntry>| {
            let bound = self.bound.get(&rule.id);
            left -= usize::from(bound.is_some());
            !bound.is_some_and(|bound| bound.is(rule))
        };
        let changed: Vec<&Rc<RuleEntry>> = called().filter(is_changed).collect();
        let gone = match left {
            0 => Vec::new(),
            _ => self.without(rules),
        };
        if gone.is_empty() && changed.is_empty() && !self.is_unfilled.get() {
            return Ok(());
        }
        self.shared.answers.clear();
        let ids = called().map(|rule| rule.id.clone()).collect();
        self.shared.known.borrow_mut().insert("rule", ids);
        let others = || gone.iter().chain(changed.iter().map(|rule| &rule.id));
        for id in others() {
            self.unbind(id).map_err(|error| fault_of(&error))?;
        }
        for rule in &changed {
            self.bind_rule(rule).map_err(|error| fault_of(&error))?;
        }
        self.fill_chapters(others())
            .map_err(|error| fault_of(&error))?;
        self.is_unfilled.set(false);
        Ok(())
    }

    /// The rules that are bound and are not among these, or have nothing that runs.
    fn without(&self, rules: &RuleEntries) -> Vec<Name> {
        let is_there = |id: &Name| rules.get(id).is_some_and(|rule| !rule.functions.is_empty());
        let bound = self.bound.keys();
        bound.filter(|id| !is_there(id)).cloned().collect()
    }

    /// Forgets a rule that was bound: the stack tells its functions no more.
    fn unbind(&mut self, rule: &Name) -> mlua::Result<()> {
        let Some(bound) = self.bound.remove(rule) else {
            return Ok(());
        };
        self.unbind_lines(rule);
        let mut layers = self.shared.layers.borrow_mut();
        for address in &bound.addresses {
            self.shared.by_function.borrow_mut().remove(address);
        }
        for link in &bound.chain.links {
            self.shared.built.borrow_mut().remove(&link.number);
            // Others keep their numbers: its own stand for no rule.
            let layer = &mut layers[link.number as usize];
            (layer.rule, layer.body) = (Arc::from(""), LayerBody::Nothing);
        }
        self.shared.chains.borrow_mut().remove(rule);
        self.prelude
            .get::<Table>("bound")?
            .raw_set(&**rule, LuaValue::Nil)
    }

    fn bind_rule(&mut self, rule: &Rc<RuleEntry>) -> mlua::Result<()> {
        let mut function: Option<Function> = None;
        let mut entered = None;
        let (mut links, mut addresses) = (Vec::new(), Vec::new());
        let kept = match answers::is_keepable(&rule.signature) {
            true => answers::numbered(&self.shared, &mut self.numbers, &rule.id),
            false => None,
        };
        for (i, layer) in rule.functions.iter().enumerate() {
            let (number, body) = self.numbered(layer, rule, i)?;
            addresses.push(body.to_pointer().addr());
            // The outermost layer asks for an answer, and offers its own.
            let kept = kept.filter(|_| i + 1 == rule.functions.len());
            let shape = || LayerShape::of(&rule.signature, function.is_some(), kept.is_some());
            let build = self.layer_builder(shape())?;
            let outermost = EnteredRule {
                body: body.clone(),
                base: function.clone(),
                shape: shape(),
                returns: rule.signature.returns.clone(),
                number: kept,
            };
            let mark = layer_mark(number);
            let built: Function = match kept {
                Some(kept) => {
                    let (ask, keep) = self.tables.of_rule(&self.lua, kept, &rule.id)?;
                    build.call((body, function, mark, number, ask, keep))?
                }
                None => build.call((body, function, mark, number))?,
            };
            links.push(Link {
                number,
                body: layer.body.clone(),
            });
            self.shared.built.borrow_mut().insert(number, built.clone());
            (function, entered) = (Some(built), Some(outermost));
        }
        let (Some(function), Some(entered)) = (function, entered) else {
            return Ok(());
        };
        let bound: Table = self.prelude.get("bound")?;
        bound.raw_set(&*rule.id, &function)?;
        let chain = Rc::new(Chain {
            rule: rule.id.clone(),
            signature: rule.signature.clone(),
            links,
            number: kept,
        });
        self.shared
            .chains
            .borrow_mut()
            .insert(rule.id.clone(), chain.clone());
        let bound = Bound {
            function,
            entered,
            entry: rule.clone(),
            chain,
            number: kept,
            addresses,
        };
        self.bound.insert(rule.id.clone(), bound);
        Ok(())
    }

    /// Gives a layer its number, and the function by which scripts run it.
    fn numbered(
        &mut self,
        layer: &Layer,
        rule: &RuleEntry,
        level: usize,
    ) -> mlua::Result<(u32, Function)> {
        if let LayerBody::Component(_) = layer.body {
            let number = self.shared.layers.borrow().len() as u32;
            self.shared.layers.borrow_mut().push(layer.clone());
            self.shared
                .signatures
                .borrow_mut()
                .push(rule.signature.clone());
            return Ok((
                number,
                component_function(&self.lua, &self.shared, &rule.id, level)?,
            ));
        }
        if let LayerBody::Lines(column) = &layer.body {
            let function = self.fold(column, rule)?;
            return Ok((self.number(layer, &rule.signature, &function), function));
        }
        let function = match function_of(&layer.body) {
            Some(function) => self.own_function(function.clone())?,
            None => self.lua.create_function(|_, ()| Ok(()))?,
        };
        Ok((self.number(layer, &rule.signature, &function), function))
    }

    /// A function that no other layer has: by it the stack tells which rule
    /// runs, and what that rule may do.
    fn own_function(&self, body: Function) -> mlua::Result<Function> {
        let is_taken = self
            .shared
            .by_function
            .borrow()
            .contains_key(&body.to_pointer().addr());
        if is_taken {
            body.deep_clone()
        } else {
            Ok(body)
        }
    }

    /// What builds layers of a shape: compiled once for each.
    fn layer_builder(&mut self, shape: LayerShape) -> mlua::Result<Function> {
        if let Some(builder) = self.layer_builders.get(&shape) {
            return Ok(builder.clone());
        }
        let (game, tracing): (Table, Table) =
            (self.prelude.get("game")?, self.prelude.get("tracing")?);
        let (bad_argument, bad_result) = self.bad_values()?;
        let builder = self.builder(shape.source(), (game, tracing, bad_argument, bad_result))?;
        self.layer_builders.insert(shape, builder.clone());
        Ok(builder)
    }

    /// What a piece of code gives that is our own: compiled once.
    fn builder(
        &mut self,
        source: String,
        given: impl mlua::IntoLuaMulti,
    ) -> mlua::Result<Function> {
        if let Some(builder) = self.builders.get(&source) {
            return Ok(builder.clone());
        }
        let builder: Function =
            load::chunk(&self.lua, &source, "=[houserule]/layer.luau".into()).call(given)?;
        self.builders.insert(source, builder.clone());
        Ok(builder)
    }

    /// Gives a layer its number, by which the stack tells it.
    pub(super) fn number(&self, layer: &Layer, signature: &Signature, body: &Function) -> u32 {
        let mut layers = self.shared.layers.borrow_mut();
        let number = layers.len() as u32;
        layers.push(layer.clone());
        self.shared.signatures.borrow_mut().push(signature.clone());
        self.shared
            .by_function
            .borrow_mut()
            .insert(body.to_pointer().addr(), number);
        number
    }

    /// What layers call, with their numbers, when an argument or the result has
    /// the wrong type.
    fn bad_values(&mut self) -> mlua::Result<(Function, Function)> {
        if let Some(made) = &self.bad_values {
            return Ok(made.clone());
        }
        let shared = self.shared.clone();
        let bad_argument = self.lua.create_function(
            move |lua, (layer, i, found): (usize, usize, LuaValue)| -> mlua::Result<()> {
                let fault = bad_argument(&shared, layer, i, &found);
                Err(shared.fault(lua, fault))
            },
        )?;
        let shared = self.shared.clone();
        let bad_result = self.lua.create_function(
            move |lua, (layer, found): (usize, LuaValue)| -> mlua::Result<()> {
                let mut fault = bad_result(&shared, layer, &found);
                fault.caller = shared.called_by(lua, fault.rule.as_ref());
                Err(shared.fault(lua, fault))
            },
        )?;
        Ok(self.bad_values.insert((bad_argument, bad_result)).clone())
    }
}

/// The fault of an argument of the wrong type, counted from one.
fn bad_argument(shared: &Shared, layer: usize, i: usize, found: &LuaValue) -> Fault {
    let rule = shared.layers.borrow()[layer].rule.clone();
    let signatures = shared.signatures.borrow();
    let args = &signatures[layer].args;
    let Some(field) = args.get(i - 1) else {
        return too_many_arguments(&rule, args.len(), &describe(found));
    };
    let message = format!(
        "`{rule}`, argument `{}`: expected {}, found {}",
        field.name,
        field.ty,
        describe(found)
    );
    let is_range = matches!(field.ty, Type::Int { .. }) && whole(found).is_some();
    Fault::new(
        if is_range {
            FaultCode::OutOfRange
        } else {
            FaultCode::WrongType
        },
        message,
    )
}

/// The fault of a result of the wrong type.
pub(super) fn bad_result(shared: &Shared, layer: usize, found: &LuaValue) -> Fault {
    let (rule, clause, place, lines) = {
        let layer = &shared.layers.borrow()[layer];
        let lines = match &layer.body {
            LayerBody::Lines(column) => Some(column.origins()),
            _ => None,
        };
        let clause = layer.cites.first().filter(|clause| **clause != layer.rule);
        (
            layer.rule.clone(),
            clause.cloned(),
            layer.place.clone(),
            lines,
        )
    };
    let ty = match &shared.signatures.borrow()[layer].returns {
        Returns::Value(ty) | Returns::Domain(ty) => ty.to_string(),
        Returns::Nothing => "nothing".to_string(),
    };
    let message = format!("`{rule}` returns: expected {ty}, found {}", describe(found));
    let mut fault = Fault::new(FaultCode::BadReturn, message).at(place);
    fault.clause = clause;
    let fault = fault.in_rule(&rule);
    match (lines, hint_of_result(found, &ty)) {
        (Some(lines), _) => fault.hint(lines),
        (None, Some(hint)) => fault.hint(hint),
        (None, None) => fault,
    }
}

/// What to do about a result that is of another type than the signature says.
pub(super) fn hint_of_result(found: &LuaValue, expected: &str) -> Option<&'static str> {
    match found {
        LuaValue::Nil => Some(
            "a way through it ends without `return`; where nothing is a result too, say `?` behind the type in its header",
        ),
        LuaValue::Number(number) if !number.is_finite() => Some(
            "something was divided by zero: ask first whether what stands behind `//`, `/` or `%` is 0",
        ),
        LuaValue::Number(number) if number.fract() != 0.0 && expected.starts_with("integer") => {
            Some("it is a fraction: `//` divides to a whole number, `/` may not")
        }
        LuaValue::Table(table) if expected.is_empty() && table.raw_len() > 0 => {
            Some("`domain.choices(list)` makes a domain of a list")
        }
        _ => None,
    }
}
