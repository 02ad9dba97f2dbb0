//! Values as they lie in memory where they cross between a mod and the host:
//! written for the host and read where it has put them, without nodes of the
//! bindings between the two. What goes over the border most often goes this way.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::bindings::houserule::contract::data;
use crate::value::Die;
use crate::{Entity, Hex, Point, Record, Value};

/// What a node is, as the contract numbers it.
mod case {
    pub const NOTHING: u8 = 0;
    pub const TRUTH: u8 = 1;
    pub const WHOLE: u8 = 2;
    pub const TEXT: u8 = 3;
    pub const ENTITY: u8 = 4;
    pub const LENGTH: u8 = 5;
    pub const ANGLE: u8 = 6;
    pub const DIRECTION: u8 = 7;
    pub const POINT: u8 = 8;
    pub const HEX: u8 = 9;
    pub const DIE: u8 = 10;
    pub const ITEMS: u8 = 11;
    pub const FIELDS: u8 = 12;
}

/// A node, as the canonical ABI lays it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Node {
    case: u8,
    held: Held,
}

#[repr(C)]
#[derive(Clone, Copy)]
union Held {
    truth: u8,
    whole: i64,
    entity: u32,
    minutes: i32,
    point: [i64; 2],
    hex: [i32; 2],
    text: Text,
    die: Dice,
    span: [u32; 2],
}

/// Where a text lies, and how long it is.
#[repr(C)]
#[derive(Clone, Copy)]
struct Text {
    at: *mut u8,
    len: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Dice {
    sides: u16,
    shifts: *mut Shift,
    count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Shift {
    by: i8,
    was: u16,
    is: u16,
    reason: Text,
}

#[cfg(target_arch = "wasm32")]
const _: () = assert!(size_of::<Node>() == 24 && size_of::<Shift>() == 16);

impl Node {
    const NOTHING: Node = Node::of(case::NOTHING, Held { whole: 0 });

    const fn of(case: u8, held: Held) -> Node {
        Node { case, held }
    }

    fn span(case: u8, first: usize, count: usize) -> Node {
        let span = [first as u32, count as u32];
        Node::of(case, Held { span })
    }

    fn text(text: &str) -> Node {
        let text = Text::of(text);
        Node::of(case::TEXT, Held { text })
    }
}

impl Text {
    /// Where a text lies: it is only looked at.
    fn of(text: &str) -> Text {
        Text {
            at: text.as_ptr().cast_mut(),
            len: text.len(),
        }
    }

    /// A text that the host has given.
    ///
    /// # Safety
    /// It is taken once.
    unsafe fn take(self) -> String {
        // SAFETY: the host had room made for so many bytes, and wrote a text into it; where it is empty there is no room.
        unsafe {
            match self.len {
                0 => String::new(),
                len => String::from_raw_parts(self.at, len, len),
            }
        }
    }

    /// A text that the host has given, and that stays where it is: it may give the same
    /// place again.
    ///
    /// # Safety
    /// Nobody takes it.
    unsafe fn stay(self) -> &'static str {
        // SAFETY: the host had room made for so many bytes, and wrote a text into it; where it is empty there is no room.
        unsafe {
            match self.len {
                0 => "",
                len => std::str::from_utf8_unchecked(std::slice::from_raw_parts(self.at, len)),
            }
        }
    }
}

std::thread_local! {
    /// Room for the next arena: no two are there at once for long.
    static SPARE: Cell<Vec<Node>> = const { Cell::new(Vec::new()) };
}

/// A value for the host to read, whose texts lie where they are.
pub struct Arena<'v> {
    nodes: Vec<Node>,
    /// What was shifted of the dice in it.
    shifts: Vec<Box<[Shift]>>,
    of: PhantomData<&'v Value>,
}

impl<'v> Arena<'v> {
    pub fn of(value: &'v Value) -> Arena<'v> {
        let mut arena = Arena::new();
        arena.nodes.reserve(parts(value));
        arena.put(0, value);
        arena
    }

    pub fn of_list(items: &'v [Value]) -> Arena<'v> {
        let mut arena = Arena::new();
        arena.nodes.reserve(items.iter().map(parts).sum());
        arena.put_list(0, items);
        arena
    }

    /// One with the first node alone.
    fn new() -> Arena<'v> {
        let mut nodes = SPARE.take();
        nodes.clear();
        nodes.push(Node::NOTHING);
        Arena {
            nodes,
            shifts: Vec::new(),
            of: PhantomData,
        }
    }

    /// Where it lies, and of how many nodes it is.
    pub fn laid(&self) -> (*const Node, usize) {
        (self.nodes.as_ptr(), self.nodes.len())
    }

    /// It for whoever keeps the value himself.
    pub fn unbound(mut self) -> Arena<'static> {
        Arena {
            nodes: std::mem::take(&mut self.nodes),
            shifts: std::mem::take(&mut self.shifts),
            of: PhantomData,
        }
    }

    /// Room for more nodes: where it begins.
    fn more(&mut self, count: usize) -> usize {
        let first = self.nodes.len();
        self.nodes.resize(first + count, Node::NOTHING);
        first
    }

    fn put_list(&mut self, at: usize, items: &'v [Value]) {
        let first = self.more(items.len());
        self.nodes[at] = Node::span(case::ITEMS, first, items.len());
        for (place, item) in items.iter().enumerate() {
            self.put(first + place, item);
        }
    }

    fn put_fields(&mut self, at: usize, record: &'v Record) {
        let count = record.len() * 2;
        let first = self.more(count);
        self.nodes[at] = Node::span(case::FIELDS, first, count);
        for (place, (name, item)) in record.iter().enumerate() {
            self.nodes[first + place * 2] = Node::text(name);
            self.put(first + place * 2 + 1, item);
        }
    }

    fn put(&mut self, at: usize, value: &'v Value) {
        let (case, held) = match value {
            Value::List(items) => return self.put_list(at, items),
            Value::Map(record) => return self.put_fields(at, record),
            Value::Nothing => return,
            Value::Text(text) => (
                case::TEXT,
                Held {
                    text: Text::of(text),
                },
            ),
            Value::Die(die) => (case::DIE, Held { die: self.die(die) }),
            Value::Bool(yes) => (
                case::TRUTH,
                Held {
                    truth: u8::from(*yes),
                },
            ),
            Value::Int(whole) => (case::WHOLE, Held { whole: *whole }),
            Value::Entity(entity) => (case::ENTITY, Held { entity: entity.0 }),
            Value::Length(whole) => (case::LENGTH, Held { whole: *whole }),
            Value::Angle(minutes) => (case::ANGLE, Held { minutes: *minutes }),
            Value::Direction(minutes) => (case::DIRECTION, Held { minutes: *minutes }),
            Value::Point(Point { x, y }) => (case::POINT, Held { point: [*x, *y] }),
            Value::Hex(Hex { q, r }) => (case::HEX, Held { hex: [*q, *r] }),
        };
        self.nodes[at] = Node::of(case, held);
    }

    fn die(&mut self, die: &'v Die) -> Dice {
        let shift = |shift: &data::Shift| Shift {
            by: shift.by,
            was: shift.was,
            is: shift.is,
            reason: Text::of(&shift.reason),
        };
        let shifts: Box<[Shift]> = die.shifts.iter().map(shift).collect();
        let (at, count) = (shifts.as_ptr().cast_mut(), shifts.len());
        self.shifts.push(shifts);
        Dice {
            sides: die.sides,
            shifts: at,
            count,
        }
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        SPARE.set(std::mem::take(&mut self.nodes));
    }
}

/// How many nodes a value is: room for them is made at once, for what is left behind where it grows is written and has
/// to be put back.
fn parts(value: &Value) -> usize {
    match value {
        Value::List(items) => 1 + items.iter().map(parts).sum::<usize>(),
        Value::Map(record) => 1 + record.iter().map(|(_, one)| 1 + parts(one)).sum::<usize>(),
        _ => 1,
    }
}

/// What the host has given as a list: a value, or whole numbers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Given<T> {
    at: *mut T,
    count: usize,
}

impl<T> Default for Given<T> {
    fn default() -> Given<T> {
        Given {
            at: std::ptr::null_mut(),
            count: 0,
        }
    }
}

impl<T> Given<T> {
    pub fn new(at: *mut T, count: usize) -> Given<T> {
        Given { at, count }
    }

    /// The number that lies where the place of a list would.
    pub fn place(&self) -> u32 {
        self.at.addr() as u32
    }

    /// The list.
    ///
    /// # Safety
    /// The host has given it to this instance, and it is taken once.
    pub unsafe fn take(self) -> Vec<T> {
        match self.count {
            0 => Vec::new(),
            // SAFETY: the host had room made for so many, and wrote them into it.
            count => unsafe { Vec::from_raw_parts(self.at, count, count) },
        }
    }
}

impl Given<Node> {
    /// The value.
    ///
    /// # Safety
    /// The host has given it to this instance, and it is taken once.
    pub unsafe fn value(self) -> Value {
        // SAFETY: as above; each node of an arena of the host is held by one other.
        unsafe {
            let nodes = self.take();
            match nodes.first() {
                Some(first) => read(&nodes, first),
                None => Value::Nothing,
            }
        }
    }
}

/// A node that may be missing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Leaf {
    is_there: u8,
    node: Node,
}

impl Leaf {
    pub const NOTHING: Leaf = Leaf {
        is_there: 0,
        node: Node::NOTHING,
    };

    /// Its value, if it is there.
    ///
    /// # Safety
    /// The host has given it to this instance, and it is taken once.
    pub unsafe fn value(self) -> Option<Value> {
        // SAFETY: as above.
        (self.is_there != 0).then(|| unsafe { read(&[], &self.node) })
    }
}

/// A value out of its nodes.
///
/// # Safety
/// The host has written them, and they are read once.
unsafe fn read(nodes: &[Node], node: &Node) -> Value {
    let held = &node.held;
    // SAFETY: a node holds what its case says, in the same order as above.
    unsafe {
        match node.case {
            case::TRUTH => Value::Bool(held.truth != 0),
            case::WHOLE => Value::Int(held.whole),
            case::TEXT => Value::Text(held.text.take()),
            case::ENTITY => Value::Entity(Entity(held.entity)),
            case::LENGTH => Value::Length(held.whole),
            case::ANGLE => Value::Angle(held.minutes),
            case::DIRECTION => Value::Direction(held.minutes),
            case::POINT => {
                let [x, y] = held.point;
                Value::Point(Point { x, y })
            }
            case::HEX => {
                let [q, r] = held.hex;
                Value::Hex(Hex { q, r })
            }
            case::DIE => Value::Die(read_die(held.die)),
            case::ITEMS => Value::List(
                held_by(nodes, held.span)
                    .iter()
                    .map(|one| read(nodes, one))
                    .collect(),
            ),
            case::FIELDS => Value::Map(read_fields(nodes, held.span)),
            _ => Value::Nothing,
        }
    }
}

fn held_by(nodes: &[Node], [first, count]: [u32; 2]) -> &[Node] {
    let first = first as usize;
    &nodes[first..first + count as usize]
}

/// # Safety
/// As of [`read`].
unsafe fn read_fields(nodes: &[Node], span: [u32; 2]) -> Record {
    let pairs = held_by(nodes, span).chunks_exact(2);
    // SAFETY: a key is a text.
    let field = |pair: &[Node]| unsafe {
        let name = pair[0].held.text.stay();
        (name.into(), read(nodes, &pair[1]))
    };
    Record::in_order(pairs.map(field).collect())
}

/// # Safety
/// As of [`read`].
unsafe fn read_die(die: Dice) -> Die {
    let shifts = Given::new(die.shifts, die.count);
    // SAFETY: as above.
    let shift = |shift: Shift| unsafe {
        data::Shift {
            by: shift.by,
            was: shift.was,
            is: shift.is,
            reason: shift.reason.take(),
        }
    };
    // SAFETY: as above.
    let shifts = unsafe { shifts.take() };
    Die {
        sides: die.sides,
        shifts: shifts.into_iter().map(shift).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    /// Which nodes are keys of records.
    fn keys_of(nodes: &[Node]) -> Vec<bool> {
        let mut found = vec![false; nodes.len()];
        for node in nodes.iter().filter(|node| node.case == case::FIELDS) {
            // SAFETY: a node holds what its case says.
            let [first, count] = unsafe { node.held.span };
            for key in (first..first + count).step_by(2) {
                found[key as usize] = true;
            }
        }
        found
    }

    /// An arena as the host gives it: each text has room of its own.
    fn given(value: &Value) -> Given<Node> {
        let arena = Arena::of(value);
        let own = |text: Text| {
            // SAFETY: it is a text of the value.
            let bytes: Box<[u8]> = unsafe { std::slice::from_raw_parts(text.at, text.len) }.into();
            Text {
                at: Box::leak(bytes).as_mut_ptr(),
                len: text.len,
            }
        };
        let mut nodes: Box<[Node]> = arena.nodes.clone().into();
        let is_key: Vec<bool> = keys_of(&nodes);
        for (node, is_key) in nodes.iter_mut().zip(is_key) {
            // SAFETY: a node holds what its case says.
            unsafe {
                match node.case {
                    // A key stays where it is.
                    case::TEXT if is_key => {}
                    case::TEXT => node.held.text = own(node.held.text),
                    case::DIE => {
                        let Dice { shifts, count, .. } = node.held.die;
                        let mut owned: Box<[Shift]> =
                            std::slice::from_raw_parts(shifts, count).into();
                        for shift in &mut owned {
                            shift.reason = own(shift.reason);
                        }
                        node.held.die.shifts = Box::leak(owned).as_mut_ptr();
                    }
                    _ => {}
                }
            }
        }
        let count = nodes.len();
        Given::new(Box::leak(nodes).as_mut_ptr(), count)
    }

    #[test]
    fn a_value_comes_back_from_where_it_lies() {
        let mut die = Die::new(8);
        die.shifts.push(data::Shift {
            by: -1,
            was: 10,
            is: 8,
            reason: "in the dark".into(),
        });
        let inner = record([
            ("a", Value::List(vec![])),
            ("b", Value::from("x")),
            ("c", Value::from("")),
        ]);
        let value = Value::List(vec![
            Value::Bool(true),
            (-1_i64).into(),
            Entity(7).into(),
            Value::Length(1 << 40),
            Value::Angle(-60),
            Value::Direction(90),
            Point { x: -3, y: 1 << 40 }.into(),
            Hex { q: 3, r: -1 }.into(),
            die.into(),
            Value::Nothing,
            Value::List(vec![inner.clone().into(), inner.into()]),
        ]);
        // SAFETY: what was made is taken once.
        assert_eq!(unsafe { given(&value).value() }, value);
        // SAFETY: there is nothing to take.
        assert_eq!(unsafe { Given::default().value() }, Value::Nothing);
    }
}
