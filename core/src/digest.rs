//! Hashes of the state.
//!
//! A [`StateHasher`] turns a part of the state into bytes in one fixed way and
//! hashes them with BLAKE3. A [`StateHash`] adds such hashes up, in 256 bits, so
//! that the hash of many entities can be kept up by taking one out and
//! putting one in; the order of the parts does not matter to it.

use std::fmt;

use crate::value::{EntityId, Name, Value};
use crate::world::{NoEntities, World};

/// So many hexadecimal digits of a hash a line of a journal shows.
pub const SHOWN_DIGITS: usize = 16;

/// 256 bits: a hash, or a sum of hashes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StateHash([u64; 4]);

impl StateHash {
    /// Adds a hash.
    pub fn add(&mut self, other: &StateHash) {
        let mut carry = false;
        for (word, more) in self.0.iter_mut().zip(other.0) {
            let (a, first) = word.overflowing_add(more);
            let (b, second) = a.overflowing_add(u64::from(carry));
            *word = b;
            carry = first | second;
        }
    }

    /// Takes a hash out.
    pub fn subtract(&mut self, other: &StateHash) {
        let mut borrow = false;
        for (word, less) in self.0.iter_mut().zip(other.0) {
            let (a, first) = word.overflowing_sub(less);
            let (b, second) = a.overflowing_sub(u64::from(borrow));
            *word = b;
            borrow = first | second;
        }
    }

    /// The bytes, least significant word first.
    pub fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> StateHash {
        StateHash::from_bytes(blake3::hash(bytes).as_bytes())
    }

    fn from_bytes(bytes: &[u8; 32]) -> StateHash {
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            *word = u64::from_le_bytes(eight);
        }
        StateHash(words)
    }

    /// The first eight hexadecimal digits, as reports print them.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_string()
    }

    /// The first [`SHOWN_DIGITS`], as a line of a journal shows them.
    pub fn shown(&self) -> String {
        self.to_string()[..SHOWN_DIGITS].to_string()
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.bytes() {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// Gives the name of an entity: its identity in every hash and record.
pub trait Names {
    /// The name of an entity.
    fn name_of(&self, entity: EntityId) -> Name;
}

impl Names for World {
    fn name_of(&self, entity: EntityId) -> Name {
        self.name(entity)
    }
}

impl Names for NoEntities {
    fn name_of(&self, entity: EntityId) -> Name {
        entity.0.to_string().into()
    }
}

/// Writes parts of the state as bytes for hashing. Every part is written with
/// its length or a tag, so that no two different states give the same bytes.
#[derive(Debug)]
pub struct StateHasher {
    bytes: Vec<u8>,
}

impl StateHasher {
    /// A writer for one sort of thing; the sort is part of the hash.
    pub fn new(sort: &str) -> StateHasher {
        let mut writer = StateHasher {
            bytes: Vec::with_capacity(256),
        };
        writer.text(sort);
        writer
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes a number.
    pub fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Writes a signed number.
    pub fn signed(&mut self, number: i64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Writes a hash.
    pub fn hash(&mut self, sum: &StateHash) {
        self.bytes.extend_from_slice(&sum.bytes());
    }

    /// Writes a value, with entities by name.
    pub fn value(&mut self, value: &Value, names: &dyn Names) {
        match value {
            Value::None => self.tag(0),
            Value::Bool(yes) => self.tag(if *yes { 2 } else { 1 }),
            Value::Int(n) => self.tagged(3, *n),
            Value::Text(text) => {
                self.tag(4);
                self.text(text);
            }
            Value::Entity(entity) => {
                self.tag(5);
                self.text(&names.name_of(*entity));
            }
            Value::Length(length) => self.tagged(6, length.um()),
            Value::Angle(angle) => self.tagged(7, i64::from(angle.minutes())),
            Value::Direction(direction) => self.tagged(8, i64::from(direction.minutes())),
            Value::Point(point) => {
                self.tagged(9, point.x().um());
                self.signed(point.y().um());
            }
            Value::Hex(hex) => {
                self.tagged(13, i64::from(hex.q()));
                self.signed(i64::from(hex.r()));
            }
            Value::Die(die) => self.tagged(10, i64::from(die.sides())),
            Value::List(items) => {
                self.tagged(11, items.len() as i64);
                items.iter().for_each(|item| self.value(item, names));
            }
            Value::Map(map) => {
                self.tagged(12, map.len() as i64);
                for (key, item) in map.iter() {
                    self.text(key);
                    self.value(item, names);
                }
            }
        }
    }

    /// The hash of all that was written.
    pub fn sum(&self) -> StateHash {
        StateHash::of(&self.bytes)
    }

    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn tagged(&mut self, tag: u8, number: i64) {
        self.tag(tag);
        self.signed(number);
    }
}
