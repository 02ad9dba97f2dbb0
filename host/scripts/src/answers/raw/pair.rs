//! Points and hexes, read where their tables lie.

use std::ffi::{c_char, c_int, c_void};

use mlua::Table;

use crate::values::whole_number;

unsafe extern "C-unwind" {
    fn houserule_pair(
        table: *const c_void,
        meta: *const c_void,
        first: c_char,
        second: c_char,
        found: *mut f64,
    ) -> c_int;
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
