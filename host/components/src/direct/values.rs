//! Values between a module and the kernel, without nodes of their own between
//! the two: the arena is read and written where it lies.

use kernel::error::Fault;
use kernel::geometry::{Angle, Direction};
use kernel::value::{EntityId, Value};
use wasmtime::{Val, ValType};

use super::abi::{Abi, Flat, Lift, Lower};
use super::shapes::{joined, laid, no_case, parted, variant};
use crate::v1::bindings::houserule::contract::data::{self, Die, Hex, Point, Span};
use crate::v1::{
    Arena, ArenaError, ArenaNode, CallResult, GuestArgs, GuestValue, Nodes, Went, die_in, die_out,
    hex_in, hex_out, length, point_in, point_out, whole,
};

/// Bytes of a node, and where in them that lies which it holds.
const NODE: usize = 24;
const HELD: usize = 8;

const _: () = assert!(<data::Node as Abi>::SIZE == NODE && <data::Node as Abi>::ALIGN == HELD);

/// An arena in the memory of a module.
struct Laid<'a> {
    from: &'a Lift<'a>,
    at: usize,
    count: usize,
}

impl Nodes for Laid<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn part(&self, node: usize) -> Result<ArenaNode<'_>, ArenaError> {
        let at = self.at + node * NODE;
        let held = at + HELD;
        let from = self.from;
        Ok(ArenaNode::Leaf(match from.case(at)? {
            0 => Value::None,
            1 => Value::Bool(bool::load(from, held)?),
            2 => whole(i64::load(from, held)?)?,
            3 => return Ok(ArenaNode::Text(from.text_at(held)?)),
            4 => Value::Entity(EntityId(u32::load(from, held)?)),
            5 => Value::Length(length(i64::load(from, held)?)?),
            6 => Value::Angle(Angle::from_minutes(i32::load(from, held)?)),
            7 => Value::Direction(Direction::from_minutes(i32::load(from, held)?)),
            8 => Value::Point(point_in(Point::load(from, held)?)?),
            9 => Value::Hex(hex_in(Hex::load(from, held)?)?),
            10 => Value::Die(die_in(Die::load(from, held)?)?),
            11 => return Ok(ArenaNode::Items(Span::load(from, held)?)),
            12 => return Ok(ArenaNode::Fields(Span::load(from, held)?)),
            _ => return Err(no_case().into()),
        }))
    }
}

impl Lift<'_> {
    /// The value of an arena, by where it lies and how many nodes it has.
    ///
    /// # Errors
    /// When it is not there.
    pub(super) fn data(&self, place: (u32, u32)) -> CallResult<GuestValue> {
        self.laid(place, Value::None, |arena| arena.whole())
            .map(GuestValue)
    }

    /// The arguments in an arena.
    ///
    /// # Errors
    /// When it is not there.
    pub(super) fn args(&self, place: (u32, u32)) -> CallResult<GuestArgs> {
        self.laid(place, Vec::new(), |arena| arena.args())
    }

    fn laid<T>(
        &self,
        (at, len): (u32, u32),
        nothing: T,
        read: impl FnOnce(Arena<'_, Laid<'_>>) -> Result<T, ArenaError>,
    ) -> CallResult<Result<T, Fault>> {
        if len == 0 {
            return Ok(Ok(nothing));
        }
        let (at, count) = self.items(at, len as usize, NODE, HELD)?;
        let nodes = Laid {
            from: self,
            at,
            count,
        };
        match read(Arena::new(&nodes)) {
            Ok(value) => Ok(Ok(value)),
            Err(ArenaError::Value(fault)) => Ok(Err(fault)),
            Err(ArenaError::Machine(error)) => Err(error),
        }
    }
}

impl Abi for GuestValue {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn flat(into: &mut Vec<ValType>) {
        into.extend([ValType::I32, ValType::I32]);
    }

    fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<GuestValue> {
        from.data((u32::lift(from, flat)?, u32::lift(from, flat)?))
    }

    fn load(from: &Lift<'_>, at: usize) -> CallResult<GuestValue> {
        from.data((u32::load(from, at)?, u32::load(from, at + 4)?))
    }

    fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
        let value = self.0.as_ref().unwrap_or(&Value::None);
        if !matches!(value, Value::List(_) | Value::Map(_)) {
            let node = leaf_node(to, value)?;
            let place = to.bytes(HELD, &node)?;
            return to.pair(at, place, 1);
        }
        let mut nodes = vec![[0; NODE]];
        put(to, &mut nodes, 0, value)?;
        let place = to.bytes(HELD, nodes.as_flattened())?;
        to.pair(at, place, nodes.len())
    }
}

variant!(Went { 0 => Went::Done(held: GuestValue), 1 => Went::Here(held: u32) });

/// A list of values as an arena: where it lies, and how many nodes it has.
pub(super) fn list(to: &mut Lower<'_, '_>, items: &[Value]) -> CallResult<(u32, u32)> {
    let mut nodes = Vec::with_capacity(items.len() + 1);
    nodes.push([0; NODE]);
    put_list(to, &mut nodes, 0, items)?;
    Ok((to.bytes(HELD, nodes.as_flattened())?, nodes.len() as u32))
}

/// What holds nothing else, to a place for a node or nothing; a list or a record
/// is nothing.
pub(super) fn leaf(to: &mut Lower<'_, '_>, at: usize, value: &Value) -> CallResult<()> {
    if matches!(value, Value::List(_) | Value::Map(_)) {
        return to.put_case(at, 0);
    }
    let mut made = [0; HELD + NODE];
    made[0] = 1;
    made[HELD..].copy_from_slice(&leaf_node(to, value)?);
    to.put(at, &made)
}

type Node = [u8; NODE];

fn put(to: &mut Lower<'_, '_>, nodes: &mut Vec<Node>, at: usize, value: &Value) -> CallResult<()> {
    match value {
        Value::List(items) => put_list(to, nodes, at, items),
        Value::Map(map) => {
            let first = nodes.len();
            nodes.resize(first + map.len() * 2, [0; NODE]);
            nodes[at] = node(12, &span(first, map.len() * 2));
            for (place, (key, item)) in map.iter().enumerate() {
                let at = to.key(key)?;
                nodes[first + place * 2] = node(3, &two(at, key.len() as u32));
                put(to, nodes, first + place * 2 + 1, item)?;
            }
            Ok(())
        }
        other => {
            nodes[at] = leaf_node(to, other)?;
            Ok(())
        }
    }
}

fn put_list(
    to: &mut Lower<'_, '_>,
    nodes: &mut Vec<Node>,
    at: usize,
    items: &[Value],
) -> CallResult<()> {
    let first = nodes.len();
    nodes.resize(first + items.len(), [0; NODE]);
    nodes[at] = node(11, &span(first, items.len()));
    for (place, item) in items.iter().enumerate() {
        put(to, nodes, first + place, item)?;
    }
    Ok(())
}

/// A node by its number in the contract, and the bytes of what it holds.
fn node(case: u8, held: &[u8]) -> Node {
    let mut made = [0; NODE];
    made[0] = case;
    made[HELD..HELD + held.len()].copy_from_slice(held);
    made
}

fn span(first: usize, count: usize) -> [u8; 8] {
    two(first as u32, count as u32)
}

fn two(first: u32, second: u32) -> [u8; 8] {
    (u64::from(first) | u64::from(second) << 32).to_le_bytes()
}

fn text(to: &mut Lower<'_, '_>, text: &str) -> CallResult<Node> {
    let place = to.bytes(1, text.as_bytes())?;
    Ok(node(3, &two(place, text.len() as u32)))
}

fn leaf_node(to: &mut Lower<'_, '_>, value: &Value) -> CallResult<Node> {
    Ok(match value {
        Value::None | Value::List(_) | Value::Map(_) => node(0, &[]),
        Value::Bool(yes) => node(1, &[u8::from(*yes)]),
        Value::Int(n) => node(2, &n.to_le_bytes()),
        Value::Text(name) => return text(to, name),
        Value::Entity(entity) => node(4, &entity.0.to_le_bytes()),
        Value::Length(length) => node(5, &length.um().to_le_bytes()),
        Value::Angle(angle) => node(6, &angle.minutes().to_le_bytes()),
        Value::Direction(direction) => node(7, &direction.minutes().to_le_bytes()),
        Value::Point(point) => {
            let point = point_out(*point);
            node(
                8,
                &(u128::from(point.x.cast_unsigned()) | u128::from(point.y.cast_unsigned()) << 64)
                    .to_le_bytes(),
            )
        }
        Value::Hex(hex) => {
            let hex = hex_out(*hex);
            node(9, &two(hex.q.cast_unsigned(), hex.r.cast_unsigned()))
        }
        Value::Die(die) => {
            let die = die_out(die);
            let shifts = to.list(&die.shifts)?;
            let mut held = [0; 12];
            held[..2].copy_from_slice(&die.sides.to_le_bytes());
            held[4..].copy_from_slice(&two(shifts, die.shifts.len() as u32));
            node(10, &held)
        }
    })
}
