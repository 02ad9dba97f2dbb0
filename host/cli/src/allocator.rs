//! The allocator of the tool: mimalloc, asked for memory of an alignment only where what
//! it gives anyway is aligned less.
//!
//! Rules make many small things and let go of them soon. The binding that comes with
//! mimalloc names the alignment each time, which takes nearly twice as long, and more
//! memory than was asked for where a page is begun.
#![expect(unsafe_code, reason = "whoever allocates hands out pointers")]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

/// All that is as large as this is aligned to it, and all that is smaller to the power
/// of two that it has room for: `MI_MAX_ALIGN_SIZE`.
const ALIGNED: usize = 16;

fn is_aligned_anyway(size: usize, align: usize) -> bool {
    align <= ALIGNED && align <= size
}

/// The allocator.
pub struct Allocator;

// Each function hands on to that of mimalloc which has the same contract; what one of
// them gave, any of them takes.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        let given = match is_aligned_anyway(size, align) {
            true => unsafe { libmimalloc_sys::mi_malloc(size) },
            false => unsafe { libmimalloc_sys::mi_malloc_aligned(size, align) },
        };
        given.cast()
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        let given = match is_aligned_anyway(size, align) {
            true => unsafe { libmimalloc_sys::mi_zalloc(size) },
            false => unsafe { libmimalloc_sys::mi_zalloc_aligned(size, align) },
        };
        given.cast()
    }

    unsafe fn dealloc(&self, given: *mut u8, _: Layout) {
        unsafe { libmimalloc_sys::mi_free(given.cast::<c_void>()) }
    }

    unsafe fn realloc(&self, given: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (given, align) = (given.cast::<c_void>(), layout.align());
        let given = match is_aligned_anyway(size, align) {
            true => unsafe { libmimalloc_sys::mi_realloc(given, size) },
            false => unsafe { libmimalloc_sys::mi_realloc_aligned(given, size, align) },
        };
        given.cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds some of each size at once, so that not one place alone is looked at.
    #[test]
    fn all_is_aligned_as_asked_for() {
        for align in [1, 2, 4, 8, 16, 32, 64, 4096] {
            for size in (1..400).chain([1000, 1025, 3000, 4096, 70_000, 5_000_000]) {
                let layout = Layout::from_size_align(size, align).unwrap();
                let held: Vec<*mut u8> =
                    (0..8).map(|_| unsafe { Allocator.alloc(layout) }).collect();
                for given in held {
                    assert!(given.addr().is_multiple_of(align), "{layout:?}");
                    let grown = unsafe { Allocator.realloc(given, layout, size + 40) };
                    assert!(grown.addr().is_multiple_of(align), "{layout:?}");
                    unsafe { Allocator.dealloc(grown, layout) };
                }
                let zeroed = unsafe { Allocator.alloc_zeroed(layout) };
                assert!(zeroed.addr().is_multiple_of(align), "{layout:?}");
                let bytes = unsafe { std::slice::from_raw_parts(zeroed, size) };
                assert!(bytes.iter().all(|byte| *byte == 0), "{layout:?}");
                unsafe { Allocator.dealloc(zeroed, layout) };
            }
        }
    }
}
