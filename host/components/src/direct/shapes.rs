//! How types of the contract are made of others: with fields, with cases, and
//! several together.

use wasmtime::{Error, Val, ValType};

use super::abi::{Abi, Flat, Lift, Lower, bad};
use crate::v1::CallResult;

/// The greatest of some numbers.
pub(super) const fn most(of: &[usize]) -> usize {
    let (mut most, mut i) = (0, 0);
    while i < of.len() {
        most = if of[i] > most { of[i] } else { most };
        i += 1;
    }
    most
}

/// Where what a variant holds lies in it, and how large it is.
pub(super) const fn laid(sizes: &[usize], aligns: &[usize]) -> (usize, usize, usize) {
    let align = most(&[1, most(aligns)]);
    (
        (1_usize).next_multiple_of(align),
        ((1_usize).next_multiple_of(align) + most(sizes)).next_multiple_of(align),
        align,
    )
}

/// The numbers of a variant: what it is, and then those of each case, one upon
/// the other.
pub(super) fn joined(into: &mut Vec<ValType>, cases: &[fn(&mut Vec<ValType>)]) {
    let mut all: Vec<ValType> = Vec::new();
    for case in cases {
        let mut own = Vec::new();
        case(&mut own);
        for (place, ty) in own.into_iter().enumerate() {
            match all.get_mut(place) {
                None => all.push(ty),
                Some(there) if ValType::eq(there, &ty) => {}
                Some(there) => *there = ValType::I64,
            }
        }
    }
    into.push(ValType::I32);
    into.append(&mut all);
}

/// How many numbers a type is handed over in.
pub(super) fn flat_count<T: Abi>() -> usize {
    let mut all = Vec::new();
    T::flat(&mut all);
    all.len()
}

/// What a variant is, and the numbers of what it holds.
pub(super) fn parted<'a, T: Abi>(flat: &mut Flat<'a>) -> CallResult<(u32, Flat<'a>)> {
    let what = flat.next_32()?;
    Ok((what, flat.part(flat_count::<T>() - 1)?))
}

/// What is no case of a variant.
pub(super) fn no_case() -> Error {
    bad("unexpected discriminant")
}

impl Lift<'_> {
    /// What a variant is.
    pub(super) fn case(&self, at: usize) -> CallResult<u32> {
        self.byte(at).map(u32::from)
    }
}

impl Lower<'_, '_> {
    pub(super) fn put_case(&mut self, at: usize, case: u8) -> CallResult<()> {
        self.put(at, &[case])
    }
}

/// A type with cases, by number, most of which hold something.
macro_rules! variant {
    ([$($param:ident)*] $name:ty { $($number:literal => $($path:ident)::+ $(($held:ident: $ty:ty))?),* $(,)? }) => {
        impl<$($param: Abi),*> Abi for $name {
            const SIZE: usize = laid(&[$($(<$ty>::SIZE,)?)*], &[$($(<$ty>::ALIGN,)?)*]).1;
            const ALIGN: usize = laid(&[$($(<$ty>::SIZE,)?)*], &[$($(<$ty>::ALIGN,)?)*]).2;

            fn flat(into: &mut Vec<ValType>) {
                joined(into, &[$($(<$ty as Abi>::flat,)?)*]);
            }

            #[allow(unused_variables, unused_mut, reason = "where no case holds anything")]
            fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<$name> {
                let (what, mut held) = parted::<$name>(flat)?;
                match what {
                    $($number => Ok($($path)::+ $((<$ty as Abi>::lift(from, &mut held)?))?),)*
                    _ => Err(no_case()),
                }
            }

            #[allow(unused_variables, reason = "where no case holds anything")]
            fn load(from: &Lift<'_>, at: usize) -> CallResult<$name> {
                let inner = at + laid(&[$($(<$ty>::SIZE,)?)*], &[$($(<$ty>::ALIGN,)?)*]).0;
                match from.case(at)? {
                    $($number => Ok($($path)::+ $((<$ty as Abi>::load(from, inner)?))?),)*
                    _ => Err(no_case()),
                }
            }

            #[allow(unused_variables, reason = "where no case holds anything")]
            fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
                let inner = at + laid(&[$($(<$ty>::SIZE,)?)*], &[$($(<$ty>::ALIGN,)?)*]).0;
                match self {
                    $($($path)::+ $(($held))? => {
                        to.put_case(at, $number)?;
                        $($held.store(to, inner)?;)?
                    })*
                }
                Ok(())
            }

            #[allow(unused_variables, reason = "where a case holds something, nobody asks")]
            fn single(&self) -> Val {
                match self {
                    $($($path)::+ $(($held))? => Val::I32($number),)*
                }
            }
        }
    };
    ($name:ty { $($case:tt)* }) => { variant!([] $name { $($case)* }); };
}

/// A type with fields, in their order.
macro_rules! record {
    ($name:ty { $($field:ident: $ty:ty),* $(,)? }) => {
        impl Abi for $name {
            const SIZE: usize = {
                let mut end = 0_usize;
                $(end = end.next_multiple_of(<$ty>::ALIGN) + <$ty>::SIZE;)*
                end.next_multiple_of(<$name as Abi>::ALIGN)
            };
            const ALIGN: usize = most(&[$(<$ty>::ALIGN),*]);

            fn flat(into: &mut Vec<ValType>) {
                $(<$ty as Abi>::flat(into);)*
            }

            fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<Self> {
                Ok(Self { $($field: <$ty as Abi>::lift(from, flat)?),* })
            }

            #[allow(unused_assignments, reason = "nothing follows the last field")]
            fn load(from: &Lift<'_>, at: usize) -> CallResult<Self> {
                let mut end = at;
                $(
                    let Placed(place, next) = next_place::<$ty>(end);
                    end = next;
                    let $field = <$ty as Abi>::load(from, place)?;
                )*
                Ok(Self { $($field),* })
            }

            #[allow(unused_assignments, reason = "nothing follows the last field")]
            fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
                let mut end = at;
                $(
                    let Placed(place, next) = next_place::<$ty>(end);
                    end = next;
                    self.$field.store(to, place)?;
                )*
                Ok(())
            }
        }
    };
}

/// Some values together, as a function takes them.
macro_rules! tuple {
    ($($param:ident $held:ident $place:tt),*) => {
        impl<$($param: Abi),*> Abi for ($($param,)*) {
            const SIZE: usize = {
                #[allow(unused_mut, reason = "where there is no field")]
                let mut end = 0_usize;
                $(end = end.next_multiple_of($param::ALIGN) + $param::SIZE;)*
                end.next_multiple_of(<Self as Abi>::ALIGN)
            };
            const ALIGN: usize = most(&[1, $($param::ALIGN),*]);

            #[allow(unused_variables, reason = "where there is no field")]
            fn flat(into: &mut Vec<ValType>) {
                $($param::flat(into);)*
            }

            #[allow(unused_variables, clippy::unused_unit, reason = "where there is no field")]
            fn lift(from: &Lift<'_>, flat: &mut Flat<'_>) -> CallResult<Self> {
                Ok(($($param::lift(from, flat)?,)*))
            }

            #[allow(unused_variables, unused_mut, unused_assignments, reason = "where there is no field more")]
            fn load(from: &Lift<'_>, at: usize) -> CallResult<Self> {
                let mut end = at;
                $(
                    let Placed(place, next) = next_place::<$param>(end);
                    end = next;
                    let $held = $param::load(from, place)?;
                )*
                Ok(($($held,)*))
            }

            #[allow(unused_variables, unused_mut, unused_assignments, reason = "where there is no field more")]
            fn store(&self, to: &mut Lower<'_, '_>, at: usize) -> CallResult<()> {
                let mut end = at;
                $(
                    let Placed(place, next) = next_place::<$param>(end);
                    end = next;
                    self.$place.store(to, place)?;
                )*
                Ok(())
            }
        }
    };
}

/// Where the next field lies, and where it ends.
pub(super) struct Placed(pub usize, pub usize);

pub(super) fn next_place<T: Abi>(from: usize) -> Placed {
    let place = from.next_multiple_of(T::ALIGN);
    Placed(place, place + T::SIZE)
}

tuple!();
tuple!(A a 0);
tuple!(A a 0, B b 1);
tuple!(A a 0, B b 1, C c 2);
tuple!(A a 0, B b 1, C c 2, D d 3);
tuple!(A a 0, B b 1, C c 2, D d 3, E e 4);
tuple!(A a 0, B b 1, C c 2, D d 3, E e 4, F f 5);

variant!([T] Option<T> { 0 => None, 1 => Some(held: T) });
variant!([T E] Result<T, E> { 0 => Ok(held: T), 1 => Err(held: E) });

pub(super) use {record, variant};
