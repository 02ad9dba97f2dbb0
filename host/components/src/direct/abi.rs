//! How values of the contract lie in the memory of a module and go through its
//! functions: the canonical ABI of components, for the types that the contract
//! has. What a module gives is checked as it is read.

use std::cell::Cell;

use kernel::value::Name;
use wasmtime::{Error, StoreContextMut, Val, ValType};

use super::room::FreeRoom;
use super::shapes::flat_count;
use crate::limits::HOST_CALL;
use crate::state::{Ends, InstanceState};
use crate::v1::CallResult;

/// What a function of the host takes and gives beyond so many numbers lies in
/// memory.
const MOST_FLAT: usize = 16;

/// So many keys are remembered that an instance was given: more than records of one
/// game have.
const MOST_KEYS: usize = 64;

/// A type of the contract.
pub(crate) trait Abi: Sized {
    /// Bytes in memory.
    const SIZE: usize;
    /// Its place is a multiple of this.
    const ALIGN: usize;

    /// The numbers by which it is handed over.
    fn flat(into: &mut Vec<ValType>);

    /// It, by those numbers.
    ///
    /// # Errors
    /// When they are none of it.
    fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<Self>;

    /// It, from its place.
    ///
    /// # Errors
    /// When it is not there.
    fn load(from: &Lift<'_>, at: usize) -> CallResult<Self>;

    /// Writes it to its place.
    ///
    /// # Errors
    /// When the module makes no room for what it holds.
    fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()>;

    /// It as the one number by which it is handed over.
    fn single(&self) -> Val {
        Val::I32(0)
    }
}

pub(super) fn bad(message: &'static str) -> Error {
    Error::msg(message)
}

/// Numbers that were handed over.
pub(crate) struct Flat<'a>(&'a [Val]);

impl<'a> Flat<'a> {
    pub fn new(values: &'a [Val]) -> Flat<'a> {
        Flat(values)
    }

    /// The next; a smaller one in a larger has nothing above it.
    fn next(&mut self) -> CallResult<u64> {
        let (first, rest) = self
            .0
            .split_first()
            .ok_or_else(|| bad("too few numbers were handed over"))?;
        self.0 = rest;
        match first {
            Val::I32(n) => Ok(u64::from(n.cast_unsigned())),
            Val::I64(n) => Ok(n.cast_unsigned()),
            _ => Err(bad("expected whole numbers")),
        }
    }

    pub(super) fn next_32(&mut self) -> CallResult<u32> {
        // What is smaller than its place fills the lower half of it.
        self.next().map(|n| n as u32)
    }

    /// Apart, the next so many.
    pub(super) fn part(&mut self, count: usize) -> CallResult<Flat<'a>> {
        let (part, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| bad("too few numbers were handed over"))?;
        self.0 = rest;
        Ok(Flat(part))
    }
}

/// The memory of a module, to be read.
pub(crate) struct Lift<'a> {
    memory: &'a [u8],
    left: Cell<usize>,
}

impl<'a> Lift<'a> {
    pub fn new(memory: &'a [u8]) -> Lift<'a> {
        Lift {
            memory,
            left: Cell::new(HOST_CALL),
        }
    }

    fn bytes<const N: usize>(&self, at: usize) -> CallResult<[u8; N]> {
        let found = self
            .memory
            .get(at..)
            .and_then(|rest| rest.first_chunk::<N>());
        found
            .copied()
            .ok_or_else(|| bad("pointer out of bounds of memory"))
    }

    pub(super) fn byte(&self, at: usize) -> CallResult<u8> {
        self.memory
            .get(at)
            .copied()
            .ok_or_else(|| bad("pointer out of bounds of memory"))
    }

    fn word(&self, at: usize) -> CallResult<u32> {
        self.bytes(at).map(u32::from_le_bytes)
    }

    /// One call may be given so much.
    fn spend(&self, bytes: usize) -> CallResult<()> {
        let left = self.left.get().checked_sub(bytes);
        self.left
            .set(left.ok_or_else(|| bad("too much data is handed to the host in one call"))?);
        Ok(())
    }

    /// What lies there, of that type.
    ///
    /// # Errors
    /// When it does not, or lies crooked.
    pub fn read<T: Abi>(&self, at: u32) -> CallResult<T> {
        T::load(self, placed::<T>(at)?)
    }

    /// A text where it lies.
    ///
    /// # Errors
    /// When it is none.
    pub fn text(&self, at: u32, len: u32) -> CallResult<&'a str> {
        self.spend(len as usize)?;
        let bytes = self
            .memory
            .get(at as usize..)
            .and_then(|rest| rest.get(..len as usize));
        let bytes = bytes.ok_or_else(|| bad("string pointer/length out of bounds of memory"))?;
        std::str::from_utf8(bytes).map_err(Error::from)
    }

    /// The text whose place and length lie there.
    ///
    /// # Errors
    /// When it is none.
    pub fn text_at(&self, at: usize) -> CallResult<&'a str> {
        self.text(self.word(at)?, self.word(at + 4)?)
    }

    /// So many items of a size, if they lie there: where, and how many.
    ///
    /// # Errors
    /// When they do not, or lie crooked.
    pub fn items(
        &self,
        at: u32,
        len: usize,
        size: usize,
        align: usize,
    ) -> CallResult<(usize, usize)> {
        let at = at as usize;
        let end = len.checked_mul(size).and_then(|size| size.checked_add(at));
        if end.is_none_or(|end| end > self.memory.len()) {
            return Err(bad("list pointer/length out of bounds of memory"));
        }
        if at.is_multiple_of(align) {
            Ok((at, len))
        } else {
            Err(bad("list pointer is not aligned"))
        }
    }

    fn list<T: Abi>(&self, at: u32, len: u32) -> CallResult<Vec<T>> {
        let (at, len) = self.items(at, len as usize, T::SIZE, T::ALIGN)?;
        self.spend(len.saturating_mul(size_of::<T>()))?;
        (0..len)
            .map(|place| T::load(self, at + place * T::SIZE))
            .collect()
    }
}

/// A place, if it is one for that type.
///
/// # Errors
/// When it is crooked.
pub(super) fn placed<T: Abi>(at: u32) -> CallResult<usize> {
    let at = at as usize;
    if at.is_multiple_of(T::ALIGN) {
        Ok(at)
    } else {
        Err(bad("pointer not aligned"))
    }
}

/// The memory of a module, to be written.
pub(crate) struct Lower<'a, 'b> {
    store: &'a mut StoreContextMut<'b, InstanceState>,
    ends: &'a Ends,
}

impl<'a, 'b> Lower<'a, 'b> {
    pub fn new(store: &'a mut StoreContextMut<'b, InstanceState>, ends: &'a Ends) -> Lower<'a, 'b> {
        Lower { store, ends }
    }

    /// Room that the module makes.
    fn room(&mut self, align: usize, size: usize) -> CallResult<usize> {
        if size == 0 {
            return Ok(align);
        }
        if let Some(at) = self.found(align, size) {
            return Ok(at);
        }
        let asked = u32::try_from(size).map_err(|_| bad("more than a module can hold"))?;
        let at = self.ends.room(&mut *self.store, align as u32, asked)? as usize;
        if !at.is_multiple_of(align) {
            return Err(bad("realloc return: result not aligned"));
        }
        let memory = self.ends.memory.data(&*self.store);
        if memory.len().checked_sub(at).is_none_or(|rest| rest < size) {
            return Err(bad("realloc return: beyond end of memory"));
        }
        Ok(at)
    }

    /// Room that the module would find itself, where it says what of it is free.
    fn found(&mut self, align: usize, size: usize) -> Option<usize> {
        let table = self.ends.table?;
        let memory = self.ends.memory.data_mut(&mut *self.store);
        FreeRoom { memory, table }.take(size.max(align))
    }

    /// Bytes in room that the module makes: where they lie.
    ///
    /// # Errors
    /// When it makes none.
    pub fn bytes(&mut self, align: usize, bytes: &[u8]) -> CallResult<u32> {
        let at = self.room(align, bytes.len())?;
        self.put(at, bytes)?;
        Ok(at as u32)
    }

    /// The key of a record: where it lies. A module that has a table of its room lets
    /// keys lie where they are, so it gets each of them once, until it is put back.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn key(&mut self, key: &Name) -> CallResult<u32> {
        let mut known = self.store.data().keys.iter();
        let is_it = |(other, _): &&(Name, u32)| Name::ptr_eq(other, key) || other == key;
        if let Some((_, at)) = known.find(is_it) {
            return Ok(*at);
        }
        let at = self.bytes(1, key.as_bytes())?;
        let keys = &mut self.store.data_mut().keys;
        if self.ends.table.is_some() && keys.len() < MOST_KEYS {
            keys.push((key.clone(), at));
        }
        Ok(at)
    }

    /// Writes bytes to a place.
    ///
    /// # Errors
    /// When it is outside of the memory.
    pub fn put(&mut self, at: usize, bytes: &[u8]) -> CallResult<()> {
        let memory = self.ends.memory.data_mut(&mut *self.store);
        let place = memory
            .get_mut(at..)
            .and_then(|rest| rest.get_mut(..bytes.len()));
        place
            .ok_or_else(|| bad("pointer out of bounds of memory"))?
            .copy_from_slice(bytes);
        Ok(())
    }

    /// Writes to a place that the module has chosen.
    ///
    /// # Errors
    /// When it is none for that type.
    pub fn write<T: Abi>(&mut self, at: u32, what: &T) -> CallResult<()> {
        what.store(self, placed::<T>(at)?)
    }

    /// A list with its members: where it lies.
    ///
    /// # Errors
    /// When the module makes no room for it.
    pub fn list<T: Abi>(&mut self, items: &[T]) -> CallResult<u32> {
        let at = self.room(T::ALIGN, items.len() * T::SIZE)?;
        for (place, item) in items.iter().enumerate() {
            item.store(self, at + place * T::SIZE)?;
        }
        Ok(at as u32)
    }

    /// Where something lies, and how long it is.
    ///
    /// # Errors
    /// When the place for it is outside of the memory.
    pub fn pair(&mut self, at: usize, place: u32, len: usize) -> CallResult<()> {
        let pair = u64::from(place) | (len as u64) << 32;
        self.put(at, &pair.to_le_bytes())
    }
}

/// Whole numbers: how many bits they are handed over in.
macro_rules! number {
    ($($name:ident as $wide:ident in $val:ident;)*) => {
        $(impl Abi for $name {
            const SIZE: usize = size_of::<$name>();
            const ALIGN: usize = size_of::<$name>();

            fn flat(into: &mut Vec<ValType>) {
                into.push(ValType::$val);
            }

            fn lift(_: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<$name> {
                flat.next().map(|n| n as $name)
            }

            fn load(from: &Lift<'_>, at: usize) -> CallResult<$name> {
                from.bytes(at).map($name::from_le_bytes)
            }

            fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
                to.put(at, &self.to_le_bytes())
            }

            fn single(&self) -> Val {
                Val::$val($wide::from(*self) as _)
            }
        })*
    };
}

number! {
    u8 as u32 in I32;
    i8 as i32 in I32;
    u16 as u32 in I32;
    i32 as i32 in I32;
    u32 as u32 in I32;
    i64 as i64 in I64;
}

impl Abi for bool {
    const SIZE: usize = 1;
    const ALIGN: usize = 1;

    fn flat(into: &mut Vec<ValType>) {
        into.push(ValType::I32);
    }

    fn lift(_: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<bool> {
        flat.next_32().map(|n| n != 0)
    }

    fn load(from: &Lift<'_>, at: usize) -> CallResult<bool> {
        from.byte(at).map(|n| n != 0)
    }

    fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
        to.put(at, &[u8::from(*self)])
    }

    fn single(&self) -> Val {
        Val::I32(i32::from(*self))
    }
}

impl Abi for String {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn flat(into: &mut Vec<ValType>) {
        into.extend([ValType::I32, ValType::I32]);
    }

    fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<String> {
        let (at, len) = (flat.next_32()?, flat.next_32()?);
        from.text(at, len).map(str::to_string)
    }

    fn load(from: &Lift<'_>, at: usize) -> CallResult<String> {
        from.text_at(at).map(str::to_string)
    }

    fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
        let place = to.bytes(1, self.as_bytes())?;
        to.pair(at, place, self.len())
    }
}

impl<T: Abi> Abi for Vec<T> {
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn flat(into: &mut Vec<ValType>) {
        into.extend([ValType::I32, ValType::I32]);
    }

    fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<Vec<T>> {
        let (at, len) = (flat.next_32()?, flat.next_32()?);
        from.list(at, len)
    }

    fn load(from: &Lift<'_>, at: usize) -> CallResult<Vec<T>> {
        from.list(from.word(at)?, from.word(at + 4)?)
    }

    fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
        let place = to.list(self)?;
        to.pair(at, place, self.len())
    }
}

/// The numbers that a function takes and gives.
pub(super) fn signature<A: Abi, R: Abi>() -> (Vec<ValType>, Vec<ValType>) {
    let (mut takes, mut gives) = (Vec::new(), Vec::new());
    A::flat(&mut takes);
    R::flat(&mut gives);
    if takes.len() > MOST_FLAT {
        takes = vec![ValType::I32];
    }
    if gives.len() > 1 {
        takes.push(ValType::I32);
        gives.clear();
    }
    (takes, gives)
}

/// What a function was handed.
pub(super) fn handed<A: Abi>(from: &Lift<'_>, values: &[Val]) -> CallResult<A> {
    if flat_count::<A>() > MOST_FLAT {
        return from.read(Flat::new(values).next_32()?);
    }
    A::lift(from, &mut Flat::new(values))
}

/// Where a function is to write what it gives: the last number of all.
pub(super) fn place_of_result(values: &[Val]) -> CallResult<u32> {
    Flat::new(values.last().map(std::slice::from_ref).unwrap_or_default()).next_32()
}
