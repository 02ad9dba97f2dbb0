//! Version 1 of the contract: `schemas/wit/v1`.

mod game;
mod geometry;
mod hexes;
mod registration;

use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::dice::{Die, Shift};
use kernel::error::{Fault, FaultCode, Place};
use kernel::geometry::{Angle, Direction, Hex, Length, Point};
use kernel::value::{EntityId, LARGEST_INT, Name, Value};
use wasmtime::component::{HasSelf, Linker, WasmStr};
use wasmtime::{AsContext, StoreContextMut};

use crate::faults::{first_line, too_deep};
use crate::limits::{DEEPEST_HERE, HOST_CALL};
use crate::state::{Export, InstanceState, grant, layer_entered, layer_left, settle, stopped};
use rules::hosting::calls::{fitted, fitting, invoke, invoke_fitted, is_apart};
use rules::hosting::chain::{Chain, Stopped};
use rules::hosting::registry::LayerBody;
use rules::limits::DEEPEST_COMPONENTS;
use rules::printable::{cut_off, one_line};

pub(crate) mod bindings {
    #![allow(
        missing_docs,
        reason = "generated from the contract, which explains everything"
    )]
    wasmtime::component::bindgen!({
        path: "../../schemas/wit/v1",
        world: "module",
        imports: { default: trappable },
    });
}

use bindings::houserule::contract::calls::Entered;
use bindings::houserule::contract::data::{self, Node, Span};
pub(crate) use bindings::{Module, ModulePre};

/// The imports that a component gets.
///
/// # Errors
/// Never, unless the contract names something twice.
pub(crate) fn link(linker: &mut Linker<InstanceState>) -> wasmtime::Result<()> {
    use bindings::houserule::contract as imports;
    imports::data::add_to_linker::<_, HasSelf<InstanceState>>(linker, |state| state)?;
    imports::registration::add_to_linker::<_, HasSelf<InstanceState>>(linker, |state| state)?;
    imports::game::add_to_linker::<_, HasSelf<InstanceState>>(linker, |state| state)?;
    imports::geometry::add_to_linker::<_, HasSelf<InstanceState>>(linker, |state| state)?;
    imports::hexes::add_to_linker::<_, HasSelf<InstanceState>>(linker, |state| state)?;
    // The commonest call of all: the name is looked up where it lies in the guest, without a copy of it.
    linker.allow_shadowing(true);
    let mut game = linker.instance("houserule:contract/game@1.0.0")?;
    game.func_wrap(
        "leaf",
        |store: StoreContextMut<'_, InstanceState>, (of, attribute): (u32, WasmStr)| {
            let name = attribute.to_str(store.as_context())?;
            store.data().leaf_of(of, &name).map(|leaf| (leaf,))
        },
    )?;
    linker.allow_shadowing(false);
    let mut calls = linker.instance("houserule:contract/calls@1.0.0")?;
    calls.func_wrap(
        "call",
        |mut store: StoreContextMut<'_, InstanceState>, (rule, args): (String, Vec<Node>)| {
            call(&mut store, &rule, args_of(args)).map(|given| (given.nodes(),))
        },
    )?;
    calls.func_wrap(
        "base",
        |mut store: StoreContextMut<'_, InstanceState>, (args,): (Vec<Node>,)| {
            call_base(&mut store, args_of(args)).map(|given| (given.nodes(),))
        },
    )?;
    calls.func_wrap(
        "enter",
        |mut store: StoreContextMut<'_, InstanceState>, (rule, args): (String, Vec<Node>)| {
            enter(&mut store, &rule, args_of(args)).map(|went| (went.entered(),))
        },
    )?;
    calls.func_wrap(
        "enter-base",
        |mut store: StoreContextMut<'_, InstanceState>, (args,): (Vec<Node>,)| {
            enter_base(&mut store, args_of(args)).map(|went| (went.entered(),))
        },
    )?;
    calls.func_wrap(
        "leave",
        |mut store: StoreContextMut<'_, InstanceState>, (given,): (Vec<Node>,)| {
            left(&mut store, GuestValue::of(given))
                .map(|fitted| (fitted.map(|given| given.nodes()),))
        },
    )
}

/// What comes of a call between a component and the host, or of a part of it; or
/// why the call ends.
pub(crate) type CallResult<T> = wasmtime::Result<T>;

/// A value as a component gives or gets it; why it is none, if it is none.
pub(crate) struct GuestValue(pub Result<Value, Fault>);

impl GuestValue {
    pub fn of(nodes: Vec<Node>) -> GuestValue {
        GuestValue(value_of(nodes))
    }

    fn nodes(&self) -> Vec<Node> {
        nodes_of(self.0.as_ref().unwrap_or(&Value::None))
    }
}

/// Arguments as a component gives them; why they are none, if they are none.
pub(crate) type GuestArgs = Result<Vec<Value>, Fault>;

fn args_of(nodes: Vec<Node>) -> GuestArgs {
    value_of(nodes).map(list_of)
}

/// What became of a call.
pub(crate) enum Went {
    /// It gave this.
    Done(GuestValue),
    /// It is this function of the instance that calls.
    Here(u32),
}

impl Went {
    fn entered(&self) -> Entered {
        match self {
            Went::Done(given) => Entered::Done(given.nodes()),
            Went::Here(function) => Entered::Here(*function),
        }
    }
}

/// `call` of the contract.
fn call(
    store: &mut StoreContextMut<'_, InstanceState>,
    rule: &str,
    args: GuestArgs,
) -> CallResult<GuestValue> {
    let (chain, last) = store.data().chain(rule)?;
    nested(store, &chain, last, args)
}

/// `base` of the contract.
fn call_base(
    store: &mut StoreContextMut<'_, InstanceState>,
    args: GuestArgs,
) -> CallResult<GuestValue> {
    let (chain, level) = store.data().under()?;
    nested(store, &chain, level, args)
}

/// `enter` of the contract.
fn enter(
    store: &mut StoreContextMut<'_, InstanceState>,
    rule: &str,
    args: GuestArgs,
) -> CallResult<Went> {
    let (chain, last) = store.data().chain(rule)?;
    entered(store, &chain, last, args)
}

/// `enter-base` of the contract.
fn enter_base(store: &mut StoreContextMut<'_, InstanceState>, args: GuestArgs) -> CallResult<Went> {
    let (chain, level) = store.data().under()?;
    entered(store, &chain, level, args)
}

/// Calls a rule from within a component.
pub(crate) fn nested(
    store: &mut StoreContextMut<'_, InstanceState>,
    chain: &Rc<Chain>,
    level: usize,
    args: GuestArgs,
) -> CallResult<GuestValue> {
    settle(store);
    let state = store.data();
    state.stopped()?;
    let args = args.map_err(|fault| state.fault(fault))?;
    let shared = state.shared.clone();
    let outcome = invoke(&shared, chain, level, args);
    grant(store);
    outcome
        .map(|value| GuestValue(Ok(value)))
        .map_err(|Stopped| stopped())
}

/// Calls a rule from within a component that can run its own functions: what
/// the rule gives, or its function, if that is one of this component.
pub(crate) fn entered(
    store: &mut StoreContextMut<'_, InstanceState>,
    chain: &Rc<Chain>,
    level: usize,
    args: GuestArgs,
) -> CallResult<Went> {
    let state = store.data();
    state.stopped()?;
    let args = args.map_err(|fault| state.fault(fault))?;
    let shared = state.shared.clone();
    let fit = match is_apart(chain, level) {
        true => fitted(&shared, chain, args).map_err(|Stopped| stopped())?,
        false => {
            let fit = fitted(&shared, chain, args.clone()).map_err(|Stopped| stopped())?;
            // It runs with the arguments that it has.
            let is_same = args.len() <= fit.len() && fit.starts_with(&args);
            if is_same && let Some(function) = here(state, chain, level)? {
                store.data_mut().current.push((chain.clone(), level));
                return Ok(Went::Here(function));
            }
            fit
        }
    };
    settle(store);
    let outcome = invoke_fitted(&shared, chain, level, &fit);
    grant(store);
    outcome
        .map(|value| Went::Done(GuestValue(Ok(value))))
        .map_err(|Stopped| stopped())
}

/// The function of a layer, if the instance that calls it can run it itself:
/// from then on it runs.
///
/// # Errors
/// When too many run already.
fn here(state: &InstanceState, chain: &Chain, level: usize) -> CallResult<Option<u32>> {
    let shared = &state.shared;
    let link = &chain.links[level];
    let LayerBody::Component(function) = &link.body else {
        return Ok(None);
    };
    let function: &dyn Any = &**function;
    let own = function
        .downcast_ref::<Export>()
        .filter(|own| Rc::ptr_eq(&own.source, &state.source));
    // What is noted for those who ask why is noted by the machine.
    let is_noted = shared.recorder.is_running();
    let Some(own) = own.filter(|_| !is_noted && state.current.len() < DEEPEST_HERE) else {
        return Ok(None);
    };
    if shared.frames.borrow().len() >= DEEPEST_COMPONENTS {
        return Err(state.fault(too_deep()));
    }
    layer_entered(shared, link.number);
    let frames = shared.push_frame(link.number);
    if let Some(instances) = shared.instances() {
        instances.entered(frames);
    }
    Ok(Some(own.function))
}

/// The function is over that ran within this instance; what it gave, where the
/// signature makes another value of it.
pub(crate) fn left(
    store: &mut StoreContextMut<'_, InstanceState>,
    given: GuestValue,
) -> CallResult<Option<GuestValue>> {
    let state = store.data_mut();
    state.stopped()?;
    let given = state.given(given)?;
    // The outermost is not its own to leave.
    let chain = match state.current.len() {
        0 | 1 => None,
        _ => state.current.pop(),
    };
    let Some((chain, level)) = chain else {
        let message = "expected `leave` after a rule that was entered here, found it without one";
        return Err(state.fault(Fault::new(FaultCode::NotAllowed, message)));
    };
    let fit = fitting(&state.shared, &chain, given.clone()).map_err(|Stopped| stopped())?;
    state.shared.frames.borrow_mut().pop();
    layer_left(&state.shared, chain.links[level].number);
    Ok((fit != given).then_some(GuestValue(Ok(fit))))
}

impl InstanceState {
    /// What it was given, if that is a value.
    pub(crate) fn given(&self, given: GuestValue) -> CallResult<Value> {
        given.0.map_err(|fault| self.fault(fault))
    }

    fn value(&self, nodes: Vec<Node>) -> wasmtime::Result<Value> {
        self.charge(nodes.len() as u64)?;
        value_of(nodes).map_err(|fault| self.fault(fault))
    }
}

impl data::Host for InstanceState {}

/// The arguments in a list.
fn list_of(value: Value) -> Vec<Value> {
    match value {
        Value::List(items) => items.to_vec(),
        Value::None => Vec::new(),
        Value::Map(map) if map.is_empty() => Vec::new(),
        other => vec![other],
    }
}

/// Values nested deeper than this are no data.
const DEEPEST: u32 = 30;

/// More parts than this one value cannot have.
const MOST_PARTS: usize = 1 << 16;

/// A value as an arena.
pub(crate) fn nodes_of(value: &Value) -> Vec<Node> {
    let mut nodes = vec![Node::Nothing];
    put(&mut nodes, 0, value);
    nodes
}

/// A list of values as an arena.
pub(crate) fn nodes_of_list(items: &[Value]) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(items.len() + 1);
    nodes.push(Node::Nothing);
    put_list(&mut nodes, 0, items);
    nodes
}

fn put_list(nodes: &mut Vec<Node>, at: usize, items: &[Value]) {
    let first = nodes.len();
    nodes.resize(first + items.len(), Node::Nothing);
    for (i, item) in items.iter().enumerate() {
        put(nodes, first + i, item);
    }
    nodes[at] = Node::Items(Span {
        first: first as u32,
        count: items.len() as u32,
    });
}

fn put(nodes: &mut Vec<Node>, at: usize, value: &Value) {
    nodes[at] = match value {
        Value::List(items) => return put_list(nodes, at, items),
        Value::Map(map) => {
            let first = nodes.len();
            nodes.resize(first + map.len() * 2, Node::Nothing);
            for (i, (key, item)) in map.iter().enumerate() {
                nodes[first + i * 2] = Node::Text(key.to_string());
                put(nodes, first + i * 2 + 1, item);
            }
            Node::Fields(Span {
                first: first as u32,
                count: map.len() as u32 * 2,
            })
        }
        leaf => leaf_of(leaf),
    };
}

/// What holds nothing else as a node; lists and records are nothing here.
pub(crate) fn leaf_of(value: &Value) -> Node {
    match value {
        Value::None | Value::List(_) | Value::Map(_) => Node::Nothing,
        Value::Bool(yes) => Node::Truth(*yes),
        Value::Int(n) => Node::Whole(*n),
        Value::Text(text) => Node::Text(text.to_string()),
        Value::Entity(entity) => Node::Entity(entity.0),
        Value::Length(length) => Node::Length(length.um()),
        Value::Angle(angle) => Node::Angle(angle.minutes()),
        Value::Direction(direction) => Node::Direction(direction.minutes()),
        Value::Point(point) => Node::Point(point_out(*point)),
        Value::Hex(hex) => Node::Hex(hex_out(*hex)),
        Value::Die(die) => Node::Die(die_out(die)),
    }
}

/// The value of an arena.
///
/// # Errors
/// When a node lies outside, before the one that holds it, too deep, or when
/// there are too many. Nodes that are held by several others count once for each.
pub(crate) fn value_of(nodes: Vec<Node>) -> Result<Value, Fault> {
    if nodes.is_empty() {
        return Ok(Value::None);
    }
    Arena::new(&nodes).whole().map_err(|wrong| match wrong {
        ArenaError::Value(fault) => fault,
        ArenaError::Machine(error) => Fault::new(FaultCode::Script, first_line(&error)),
    })
}

/// Why an arena holds no value.
pub(crate) enum ArenaError {
    Value(Fault),
    /// It is none.
    Machine(wasmtime::Error),
}

impl From<Fault> for ArenaError {
    fn from(fault: Fault) -> ArenaError {
        ArenaError::Value(fault)
    }
}

impl From<wasmtime::Error> for ArenaError {
    fn from(error: wasmtime::Error) -> ArenaError {
        ArenaError::Machine(error)
    }
}

/// A node, as it is read.
pub(crate) enum ArenaNode<'a> {
    Leaf(Value),
    Text(&'a str),
    Items(Span),
    Fields(Span),
}

/// Nodes, wherever they lie.
pub(crate) trait Nodes {
    /// How many there are.
    fn count(&self) -> usize;

    /// One of them.
    ///
    /// # Errors
    /// When it holds what is no value.
    fn part(&self, at: usize) -> Result<ArenaNode<'_>, ArenaError>;
}

impl Nodes for Vec<Node> {
    fn count(&self) -> usize {
        self.len()
    }

    fn part(&self, at: usize) -> Result<ArenaNode<'_>, ArenaError> {
        Ok(ArenaNode::Leaf(match &self[at] {
            Node::Nothing => Value::None,
            Node::Truth(yes) => Value::Bool(*yes),
            Node::Whole(n) => whole(*n)?,
            Node::Text(text) => return Ok(ArenaNode::Text(text)),
            Node::Entity(entity) => Value::Entity(EntityId(*entity)),
            Node::Length(um) => Value::Length(length(*um)?),
            Node::Angle(minutes) => Value::Angle(Angle::from_minutes(*minutes)),
            Node::Direction(minutes) => Value::Direction(Direction::from_minutes(*minutes)),
            Node::Point(point) => Value::Point(point_in(*point)?),
            Node::Hex(hex) => Value::Hex(hex_in(*hex)?),
            Node::Die(die) => Value::Die(die_in(die.clone())?),
            Node::Items(span) => return Ok(ArenaNode::Items(*span)),
            Node::Fields(span) => return Ok(ArenaNode::Fields(*span)),
        }))
    }
}

/// Reads a value out of nodes.
pub(crate) struct Arena<'a, N> {
    nodes: &'a N,
    /// So many parts there may be yet: no more than there are nodes, which whoever
    /// wrote them has paid for.
    left: usize,
    /// So many bytes of text.
    bytes: usize,
    /// The first keys that were met, by where they lie: records of a list have the
    /// same, and those of rules in Rust lie in one place.
    keys: [Option<(&'a str, Name)>; KEYS],
}

/// So many keys are remembered.
const KEYS: usize = 6;

fn bad(expected: impl Into<String>) -> ArenaError {
    ArenaError::Value(Fault::new(FaultCode::WrongType, expected))
}

impl<'a, N: Nodes> Arena<'a, N> {
    pub fn new(nodes: &'a N) -> Arena<'a, N> {
        Arena {
            nodes,
            left: nodes.count().min(MOST_PARTS),
            bytes: HOST_CALL,
            keys: Default::default(),
        }
    }

    /// The value; there is a first node.
    ///
    /// # Errors
    /// When it is none.
    pub fn whole(mut self) -> Result<Value, ArenaError> {
        self.value(0, 0)
    }

    /// The arguments: the items of a list, which is not made for them.
    ///
    /// # Errors
    /// When they are none.
    pub fn args(mut self) -> Result<Vec<Value>, ArenaError> {
        match self.nodes.part(0)? {
            ArenaNode::Items(span) => {
                self.count()?;
                self.items(0, span, 0)
            }
            _ => self.value(0, 0).map(list_of),
        }
    }

    fn value(&mut self, at: usize, depth: u32) -> Result<Value, ArenaError> {
        if depth > DEEPEST {
            return Err(bad(format!(
                "expected a value nested at most {DEEPEST} deep, found a deeper one"
            )));
        }
        self.count()?;
        match self.nodes.part(at)? {
            ArenaNode::Leaf(value) => Ok(value),
            ArenaNode::Text(text) => self.text(text).map(Value::Text),
            ArenaNode::Items(span) => {
                let items = self.items(at, span, depth)?;
                Ok(Value::List(items.into()))
            }
            ArenaNode::Fields(span) => self.map(at, span, depth),
        }
    }

    /// One part more.
    fn count(&mut self) -> Result<(), ArenaError> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or_else(|| self.has_too_many())?;
        Ok(())
    }

    fn items(&mut self, at: usize, span: Span, depth: u32) -> Result<Vec<Value>, ArenaError> {
        let places = self.places(at, span)?;
        // No more than may follow, whatever the list says of itself.
        let mut items = Vec::with_capacity(places.len().min(self.left));
        for place in places {
            items.push(self.value(place, depth + 1)?);
        }
        Ok(items)
    }

    fn map(&mut self, at: usize, span: Span, depth: u32) -> Result<Value, ArenaError> {
        let mut map = BTreeMap::new();
        for key in self.places(at, span)?.step_by(2) {
            let name = match self.nodes.part(key)? {
                ArenaNode::Text(name) if span.count.is_multiple_of(2) => self.key(name)?,
                _ => {
                    return Err(bad(
                        "expected keys that are texts, each with a value, found something else",
                    ));
                }
            };
            let value = self.value(key + 1, depth + 1)?;
            if !value.is_none() {
                map.insert(name, value);
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn has_too_many(&self) -> ArenaError {
        if self.nodes.count() < MOST_PARTS {
            return bad(
                "expected a value of no more parts than nodes, found nodes that several others hold",
            );
        }
        bad(format!(
            "expected a value of at most {MOST_PARTS} parts, found a larger one"
        ))
    }

    /// A text of the value's own.
    fn text(&mut self, text: &str) -> Result<Name, ArenaError> {
        self.spend(text)?;
        Ok(Name::from(text))
    }

    fn spend(&mut self, text: &str) -> Result<(), ArenaError> {
        self.bytes = self.bytes.checked_sub(text.len()).ok_or_else(|| {
            bad(format!(
                "expected a value of at most {HOST_CALL} bytes of text, found a larger one"
            ))
        })?;
        Ok(())
    }

    /// A text that is a key.
    fn key(&mut self, text: &'a str) -> Result<Name, ArenaError> {
        let known = self.keys.iter().map_while(Option::as_ref);
        let same = known
            .clone()
            .find(|(other, _)| std::ptr::eq(*other, text))
            .map(|(_, name)| name.clone());
        if let Some(same) = same {
            self.spend(text)?;
            return Ok(same);
        }
        let place = known.count();
        let name = self.text(text)?;
        if let Some(free) = self.keys.get_mut(place) {
            *free = Some((text, name.clone()));
        }
        Ok(name)
    }

    fn places(&self, at: usize, span: Span) -> Result<std::ops::Range<usize>, ArenaError> {
        let first = span.first as usize;
        let end = first.saturating_add(span.count as usize);
        if (first > at || span.count == 0) && end <= self.nodes.count() {
            return Ok(first..end);
        }
        Err(bad(
            "expected nodes behind the one that holds them, found others",
        ))
    }
}

/// A whole number.
///
/// # Errors
/// When it is larger than one may be.
pub(crate) fn whole(n: i64) -> Result<Value, Fault> {
    if n.unsigned_abs() <= LARGEST_INT.unsigned_abs() {
        return Ok(Value::Int(n));
    }
    Err(Fault::new(
        FaultCode::OutOfRange,
        format!("expected a whole number within 2^53, found {n}"),
    ))
}

pub(crate) fn length(um: i64) -> Result<Length, Fault> {
    if um.unsigned_abs() <= LARGEST_INT.unsigned_abs() {
        return Ok(Length::from_um(um));
    }
    Err(Fault::new(
        FaultCode::OutOfRange,
        format!("expected a length within 2^53 micrometres, found {um}"),
    ))
}

pub(crate) fn point_out(point: Point) -> data::Point {
    data::Point {
        x: point.x().um(),
        y: point.y().um(),
    }
}

pub(crate) fn point_in(point: data::Point) -> Result<Point, Fault> {
    Point::checked(Length::from_um(point.x), Length::from_um(point.y)).ok_or_else(|| {
        let message = format!(
            "expected a point of the table, found ({}, {})",
            point.x, point.y
        );
        Fault::new(FaultCode::BadGeometry, message)
    })
}

pub(crate) fn hex_out(hex: Hex) -> data::Hex {
    data::Hex {
        q: hex.q(),
        r: hex.r(),
    }
}

pub(crate) fn hex_in(hex: data::Hex) -> Result<Hex, Fault> {
    Hex::checked(i64::from(hex.q), i64::from(hex.r)).ok_or_else(|| {
        let message = format!("expected a hex of the map, found <{},{}>", hex.q, hex.r);
        Fault::new(FaultCode::BadGeometry, message)
    })
}

pub(crate) fn die_out(die: &Die) -> data::Die {
    let shift = |shift: &Shift| data::Shift {
        by: shift.by,
        was: shift.from,
        is: shift.to,
        reason: shift.reason.to_string(),
    };
    data::Die {
        sides: die.sides(),
        shifts: die.reasons().iter().map(shift).collect(),
    }
}

pub(crate) fn die_in(die: data::Die) -> Result<Die, Fault> {
    let found =
        Die::new(die.sides).map_err(|error| Fault::new(FaultCode::BadDie, error.to_string()))?;
    let shift = |shift: data::Shift| Shift {
        by: shift.by,
        from: shift.was,
        to: shift.is,
        reason: Arc::from(shift.reason),
    };
    Ok(found.with_reasons(die.shifts.into_iter().map(shift)))
}

/// A place in the source of a mod, within its folder: a compiler tells the file from where it was called, which is the
/// folder of the crate or one far above it.
pub(super) fn source_place(module: &str, file: &str, line: u32) -> Place {
    let file = file.replace('\\', "/");
    let within = match file.find("rust/src/") {
        Some(at) => file[at..].to_string(),
        None if file.starts_with("src/") => format!("rust/{file}"),
        None => file,
    };
    Place::new(module, within, line)
}

/// A fault that a component raised.
pub(crate) fn fault_of(fault: data::Fault, module: &Name) -> Fault {
    let code = FaultCode::ALL
        .get(fault.code as usize)
        .copied()
        .unwrap_or(FaultCode::Script);
    let text = cut_off(&fault.message, 400);
    let mut made = Fault::new(code, one_line(&text));
    made.hint = fault.hint;
    match fault.at {
        Some(at) => made.at(source_place(module, &at.file, at.line)),
        None => made,
    }
}

#[cfg(test)]
mod tests {
    use super::source_place;

    #[test]
    fn source_is_told_within_the_folder_of_its_mod() {
        for file in [
            "mods/echo/rust/src/fire.rs",
            "src/fire.rs",
            "C:\\mods\\echo\\rust\\src\\fire.rs",
        ] {
            assert_eq!(&*source_place("echo", file, 3).file, "rust/src/fire.rs");
        }
    }
}
