//! The commonest functions of the contract, called by their numbers and places in
//! memory, and the one function that the host calls.

use std::alloc::Layout;
use std::cell::RefCell;

pub use crate::arena::Node;
use crate::arena::{Arena, Given, Leaf};
use crate::bindings::houserule::contract::data;
use crate::{Fault, Value};

/// Functions of the host; only instances have one.
macro_rules! imports {
    ($module:literal { $($name:literal => $function:ident($($arg:ident: $ty:ty),*);)* }) => {
        #[cfg(target_arch = "wasm32")]
        #[link(wasm_import_module = $module)]
        unsafe extern "C" {
            $(#[link_name = $name] fn $function($($arg: $ty),*);)*
        }

        $(#[cfg(not(target_arch = "wasm32"))]
        unsafe fn $function($(_: $ty),*) {
            unreachable!("only an instance has a host")
        })*
    };
}

imports!("houserule:contract/calls@1.0.0" {
    "enter" => enter_rule(rule: *const u8, len: usize, args: *const Node, count: usize, to: *mut Entered);
    "enter-base" => enter_under(args: *const Node, count: usize, to: *mut Entered);
    "leave" => leave_rule(given: *const Node, count: usize, to: *mut Maybe);
});

imports!("houserule:contract/game@1.0.0" {
    "leaf" => game_leaf(of: u32, name: *const u8, len: usize, to: *mut Leaf);
    "get" => game_get(of: u32, name: *const u8, len: usize, to: *mut Given<Node>);
    "row" => game_row(table: *const u8, len: usize, key: *const Node, count: usize, to: *mut Maybe);
    "rows" => game_rows(table: *const u8, len: usize, to: *mut Given<Node>);
    "option-value" => game_option(id: *const u8, len: usize, to: *mut Given<Node>);
    "all-with" => game_all_with(
        kind: *const u8, kind_len: usize,
        name: *const u8, name_len: usize,
        holds: *const Node, count: usize,
        to: *mut Given<u32>
    );
});

/// What became of a call: `Done` with a value, or `Here` with a number, which
/// lies where the place of the value would.
#[repr(C)]
struct Entered {
    is_here: u8,
    given: Given<Node>,
}

/// A value that may be missing.
#[repr(C)]
#[derive(Default)]
struct Maybe {
    is_there: u8,
    given: Given<Node>,
}

impl Maybe {
    /// # Safety
    /// The host has written it, and it is taken once.
    unsafe fn take(self) -> Option<Value> {
        // SAFETY: as above.
        (self.is_there != 0).then(|| unsafe { self.given.value() })
    }
}

/// What became of a call of a rule.
pub enum Went {
    /// It gave this.
    Done(Value),
    /// It is this function of the instance that calls.
    Here(u32),
}

fn went(enter: impl FnOnce(*mut Entered)) -> Went {
    let mut entered = Entered {
        is_here: 0,
        given: Given::default(),
    };
    enter(&raw mut entered);
    match entered.is_here {
        // SAFETY: the host has written it.
        0 => Went::Done(unsafe { entered.given.value() }),
        _ => Went::Here(entered.given.place()),
    }
}

pub fn enter(rule: &str, args: &[Value]) -> Went {
    let args = Arena::of_list(args);
    let (at, count) = args.laid();
    // SAFETY: all of it lies there until the host has read it.
    went(|to| unsafe { enter_rule(rule.as_ptr(), rule.len(), at, count, to) })
}

pub fn enter_base(args: &[Value]) -> Went {
    let args = Arena::of_list(args);
    let (at, count) = args.laid();
    // SAFETY: all of it lies there until the host has read it.
    went(|to| unsafe { enter_under(at, count, to) })
}

/// A rule is over that ran here; what the host makes of what it gave, if that is
/// another value.
pub fn leave(given: &Value) -> Option<Value> {
    let given = Arena::of(given);
    let (at, count) = given.laid();
    let mut fitted = Maybe::default();
    // SAFETY: all of it lies there until the host has read it, and what it writes is taken once.
    unsafe {
        leave_rule(at, count, &raw mut fitted);
        fitted.take()
    }
}

pub fn attribute(of: u32, name: &str) -> Value {
    let mut leaf = Leaf::NOTHING;
    // SAFETY: the name lies there until the host has read it, and what it writes is taken once.
    unsafe {
        game_leaf(of, name.as_ptr(), name.len(), &raw mut leaf);
        match leaf.value() {
            Some(value) => value,
            None => {
                let mut given = Given::default();
                game_get(of, name.as_ptr(), name.len(), &raw mut given);
                given.value()
            }
        }
    }
}

pub fn row(table: &str, key: &[Value]) -> Option<Value> {
    let key = Arena::of_list(key);
    let (at, count) = key.laid();
    let mut row = Maybe::default();
    // SAFETY: all of it lies there until the host has read it, and what it writes is taken once.
    unsafe {
        game_row(table.as_ptr(), table.len(), at, count, &raw mut row);
        row.take()
    }
}

pub fn rows(table: &str) -> Value {
    let mut rows = Given::default();
    // SAFETY: the name lies there until the host has read it, and what it writes is taken once.
    unsafe {
        game_rows(table.as_ptr(), table.len(), &raw mut rows);
        rows.value()
    }
}

pub fn option(id: &str) -> Value {
    let mut value = Given::default();
    // SAFETY: the id lies there until the host has read it, and what it writes is taken once.
    unsafe {
        game_option(id.as_ptr(), id.len(), &raw mut value);
        value.value()
    }
}

pub fn all_with(kind: &str, name: &str, holds: &Value) -> Vec<u32> {
    let holds = Arena::of(holds);
    let (at, count) = holds.laid();
    let mut found = Given::default();
    // SAFETY: all of it lies there until the host has read it, and what it writes is taken once.
    unsafe {
        game_all_with(
            kind.as_ptr(),
            kind.len(),
            name.as_ptr(),
            name.len(),
            at,
            count,
            &raw mut found,
        );
        found.take()
    }
}

/// What a function gives: a value or a fault, as the contract lays it.
#[repr(C)]
pub struct Outcome {
    is_fault: u8,
    parts: OutcomeParts,
}

#[repr(C)]
union OutcomeParts {
    value: Given<Node>,
    fault: FaultParts,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct FaultParts {
    code: u8,
    message: Given<u8>,
    has_hint: u8,
    hint: Given<u8>,
    has_place: u8,
    file: Given<u8>,
    line: u32,
}

#[cfg(target_arch = "wasm32")]
const _: () = assert!(size_of::<Outcome>() == 44 && size_of::<Entered>() == 12);

/// What a function gave, until the next one runs in this instance: by then the
/// host has read it.
struct Last {
    outcome: Outcome,
    _given: Result<(Value, Arena<'static>), data::Fault>,
}

std::thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// Runs what the host calls, with a list of arguments that lies there; where what
/// it gives lies.
///
/// # Safety
/// The host has given the arguments to this instance.
pub unsafe fn run(
    args: *mut Node,
    count: usize,
    work: impl FnOnce(&mut [Value]) -> Result<Value, Fault>,
) -> *const Outcome {
    LAST.take();
    // SAFETY: as above.
    let args = unsafe { Given::new(args, count).value() };
    let mut args = match args {
        Value::List(args) => args,
        _ => Vec::new(),
    };
    let last = match work(&mut args) {
        Ok(value) => last_value(value),
        Err(fault) => last_fault(fault),
    };
    LAST.with_borrow_mut(|kept| &raw const kept.insert(last).outcome)
}

fn last_value(value: Value) -> Last {
    // Its texts stay where they are, wherever the value goes.
    let arena = Arena::of(&value).unbound();
    let (at, count) = arena.laid();
    Last {
        outcome: Outcome {
            is_fault: 0,
            parts: OutcomeParts {
                value: Given::new(at.cast_mut(), count),
            },
        },
        _given: Ok((value, arena)),
    }
}

fn last_fault(fault: Fault) -> Last {
    let fault = fault.into_wit();
    let laid = |text: &str| Given::new(text.as_ptr().cast_mut(), text.len());
    let maybe = |text: Option<&str>| text.map(laid).unwrap_or_default();
    let at = fault.at.as_ref();
    let parts = FaultParts {
        code: fault.code as u8,
        message: laid(&fault.message),
        has_hint: u8::from(fault.hint.is_some()),
        hint: maybe(fault.hint.as_deref()),
        has_place: u8::from(at.is_some()),
        file: maybe(at.map(|at| &*at.file)),
        line: at.map_or(0, |at| at.line),
    };
    Last {
        outcome: Outcome {
            is_fault: 1,
            parts: OutcomeParts { fault: parts },
        },
        _given: Err(fault),
    }
}

/// Room for what the host writes. It asks for new room alone, and what was given
/// ends as what it becomes ends.
///
/// # Safety
/// What is there already was given here.
pub unsafe fn room(old: *mut u8, old_size: usize, align: usize, size: usize) -> *mut u8 {
    if size == 0 {
        return std::ptr::without_provenance_mut(align);
    }
    // SAFETY: the alignment is that of a type, and no layout is empty.
    unsafe {
        let layout = |size| Layout::from_size_align_unchecked(size, align);
        let place = match old_size {
            0 => std::alloc::alloc(layout(size)),
            _ => std::alloc::realloc(old, layout(old_size), size),
        };
        if place.is_null() {
            std::alloc::handle_alloc_error(layout(size));
        }
        place
    }
}
