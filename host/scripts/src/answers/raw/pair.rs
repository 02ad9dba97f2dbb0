//! Points and hexes, and lists of them, read where their tables lie.

use std::ffi::{c_char, c_int, c_void};

use mlua::Table;

use crate::coordinates::whole_number;

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
pub(crate) fn entries_of(table: &Table) -> usize {
    // Whoever holds a table keeps it where it is.
    unsafe { houserule_entries(table.to_pointer()) }
}

/// The whole numbers under two letters in each of so many tables of a list.
pub(crate) fn pairs_of(table: &Table, names: [char; 2], count: usize) -> Option<Vec<[i64; 2]>> {
    let [first, second] = names.map(|name| name as c_char);
    let mut found = vec![[0.0; 2]; count];
    // The table is held, and there is room for two numbers of each.
    let are_pairs = unsafe {
        houserule_pairs(table.to_pointer(), first, second, found.as_mut_ptr().cast(), count)
    };
    let whole = |pair: [f64; 2]| match pair.map(whole_number) {
        [Some(first), Some(second)] => Some([first, second]),
        _ => None,
    };
    if are_pairs == 1 { found.into_iter().map(whole).collect() } else { None }
}

/// The whole numbers under two letters in a table.
pub(crate) fn pair_of(table: &Table, names: [char; 2]) -> Option<[i64; 2]> {
    // Whoever holds a table keeps it where it is.
    unsafe { pair_at(table.to_pointer(), 0, names) }
}

/// The same of a table that lies there, if it has that metatable; any, for 0.
///
/// # Safety
/// While the table is there.
pub(super) unsafe fn pair_at(table: *const c_void, meta: usize, names: [char; 2]) -> Option<[i64; 2]> {
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
