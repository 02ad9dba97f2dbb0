//! Numbers, points and hexes as scripts have them, read where their tables lie.
#![expect(
    unsafe_code,
    reason = "the machine is asked what its safe interface tells at greater cost"
)]

use std::ffi::{c_char, c_int, c_void};

use kernel::geometry::{Hex, Length, Point};
use kernel::value::{LARGEST_INT, Value};
use mlua::Table;

unsafe extern "C-unwind" {
    fn houserule_pair(
        table: *const c_void,
        meta: *const c_void,
        first: c_char,
        second: c_char,
        found: *mut f64,
    ) -> c_int;
    fn houserule_pairs(
        table: *const c_void,
        first: c_char,
        second: c_char,
        found: *mut f64,
        count: usize,
    ) -> c_int;
    fn houserule_entries(table: *const c_void) -> usize;
}

/// How many entries of a table hold something.
///
/// # Safety
/// While the table is there.
pub(crate) unsafe fn entries_at(table: *const c_void) -> usize {
    unsafe { houserule_entries(table) }
}

/// The whole numbers under two letters in each of so many tables of a list.
///
/// # Safety
/// While the table is there.
unsafe fn pairs_at(table: *const c_void, names: [char; 2], count: usize) -> Option<Vec<[i64; 2]>> {
    let [first, second] = names.map(|name| name as c_char);
    let mut found = vec![[0.0; 2]; count];
    // There is room for two numbers of each.
    let are_pairs =
        unsafe { houserule_pairs(table, first, second, found.as_mut_ptr().cast(), count) };
    let whole = |pair: [f64; 2]| match pair.map(whole_number) {
        [Some(first), Some(second)] => Some([first, second]),
        _ => None,
    };
    if are_pairs == 1 {
        found.into_iter().map(whole).collect()
    } else {
        None
    }
}

/// The whole numbers under two letters in a table, if it has that metatable; any,
/// for 0.
///
/// # Safety
/// While the table is there.
pub(crate) unsafe fn pair_at(
    table: *const c_void,
    meta: usize,
    names: [char; 2],
) -> Option<[i64; 2]> {
    let meta = std::ptr::without_provenance(meta);
    let [first, second] = names.map(|name| name as c_char);
    let mut found = [0.0; 2];
    // The metatable is only compared, and there is room for two numbers.
    let is_pair = unsafe { houserule_pair(table, meta, first, second, found.as_mut_ptr()) };
    match found.map(whole_number) {
        [Some(first), Some(second)] if is_pair == 1 => Some([first, second]),
        _ => None,
    }
}

/// A number of the machine as a whole number, if it is one.
pub(crate) fn whole_number(n: f64) -> Option<i64> {
    // What is no number, or too large for one, comes to another one.
    let whole = n as i64;
    (whole as f64 == n && n.abs() <= LARGEST_INT as f64).then_some(whole)
}

/// A point from a table with `x` and `y`.
pub(crate) fn point_of(table: &Table) -> Option<Point> {
    // Whoever holds a table keeps it where it is.
    unsafe { point_at(table.to_pointer()) }
}

/// The same of a table that lies there.
///
/// # Safety
/// While the table is there.
pub(crate) unsafe fn point_at(table: *const c_void) -> Option<Point> {
    unsafe { pair_at(table, 0, ['x', 'y']) }.and_then(point)
}

fn point([x, y]: [i64; 2]) -> Option<Point> {
    Point::checked(Length::from_um(x), Length::from_um(y))
}

/// So many points at the beginning of a list, if it holds nothing else.
///
/// # Safety
/// While the table is there.
pub(crate) unsafe fn points_at(list: *const c_void, count: usize) -> Option<Vec<Value>> {
    let pairs = unsafe { pairs_at(list, ['x', 'y'], count) }?;
    pairs
        .into_iter()
        .map(|pair| point(pair).map(Value::Point))
        .collect()
}

/// A hex from a table with `q` and `r`.
pub(crate) fn hex_of(table: &Table) -> Option<Hex> {
    // Whoever holds a table keeps it where it is.
    unsafe { hex_at(table.to_pointer()) }
}

/// The same of a table that lies there.
///
/// # Safety
/// While the table is there.
pub(crate) unsafe fn hex_at(table: *const c_void) -> Option<Hex> {
    let [q, r] = unsafe { pair_at(table, 0, ['q', 'r']) }?;
    Hex::checked(q, r)
}
