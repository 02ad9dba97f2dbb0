//! The memory of an instance, which lives for one call from the kernel.
//!
//! It begins with room of its own, so that most instances never ask the host
//! for pages: making them usable and unusable again costs more than what many
//! rules compute. What is freed is kept for what is wanted next: by its size in
//! powers of two, or in pages where it is large. Nothing is given back, for all
//! of it ends with the call.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;

/// Bytes that an instance begins with.
const ROOM: usize = 256 << 10;

/// The smallest block.
const SMALLEST: usize = 16;

/// Bytes of a page.
const PAGE: usize = 64 << 10;

/// What is larger takes whole pages.
const LARGE: usize = 32 << 10;

/// Classes of small blocks: one for each logarithm.
const CLASSES: usize = 16;

/// Where there is room, and what was freed: by the logarithm of its size, and
/// in a list of large blocks, which say how large they are.
///
/// The host takes room for what it gives out of this itself, by the name of
/// [`MEMORY`] that it knows (`host/components/src/direct/room.rs`): another order of
/// fields, or other sizes of blocks, need another name. By the same name it knows that
/// keys of records stay where they are (`Text::stay`).
#[repr(C)]
struct Heap {
    next: usize,
    end: usize,
    freed: [usize; CLASSES],
    large: usize,
}

/// What stands in a large block while it is free.
struct Free {
    next: usize,
    size: usize,
}

impl Heap {
    const fn new() -> Heap {
        Heap {
            next: 0,
            end: 0,
            freed: [0; CLASSES],
            large: 0,
        }
    }

    /// A block of a class: 0 if there is none.
    #[inline(always)]
    fn take(&mut self, class: usize, more: impl FnOnce(usize) -> Option<(usize, usize)>) -> usize {
        let freed = self.freed[class % CLASSES];
        if freed != 0 {
            // SAFETY: what is freed is a block, and holds the next one.
            let next = unsafe { *std::ptr::with_exposed_provenance::<usize>(freed) };
            self.freed[class % CLASSES] = next;
            return freed;
        }
        let size = 1 << class;
        // The end is the end of memory at most, and no block is as large as half of it.
        let at = self.next.wrapping_add(size - 1) & !(size - 1);
        if at.wrapping_add(size) <= self.end {
            self.next = at + size;
            return at;
        }
        self.take_new(size, more)
    }

    #[cold]
    #[inline(never)]
    fn take_new(
        &mut self,
        size: usize,
        more: impl FnOnce(usize) -> Option<(usize, usize)>,
    ) -> usize {
        let Some((start, end)) = more(size) else {
            return 0;
        };
        // What is left before it is lost: an instance does not live long.
        self.next = start + size;
        self.end = end;
        start
    }

    /// A large block: 0 if there is none. What is left of a larger one stays free.
    fn take_large(
        &mut self,
        size: usize,
        more: impl FnOnce(usize) -> Option<(usize, usize)>,
    ) -> usize {
        let mut link: *mut usize = &raw mut self.large;
        // SAFETY: what is freed is a block of at least a page, and says where the next one is.
        unsafe {
            while *link != 0 {
                let block = *link;
                let free = std::ptr::with_exposed_provenance_mut::<Free>(block);
                let left = (*free).size.checked_sub(size);
                match left {
                    Some(0) => *link = (*free).next,
                    Some(left) => {
                        let rest = Free {
                            next: (*free).next,
                            size: left,
                        };
                        std::ptr::with_exposed_provenance_mut::<Free>(block + size).write(rest);
                        *link = block + size;
                    }
                    None => {
                        link = &raw mut (*free).next;
                        continue;
                    }
                }
                return block;
            }
        }
        more(size).map_or(0, |(start, _)| start)
    }

    fn give_large(&mut self, size: usize, block: usize) {
        // SAFETY: a block is as large as it was asked for, which is at least a page.
        unsafe {
            std::ptr::with_exposed_provenance_mut::<Free>(block).write(Free {
                next: self.large,
                size,
            })
        };
        self.large = block;
    }

    #[inline(always)]
    fn give(&mut self, class: usize, block: usize) {
        let place = std::ptr::with_exposed_provenance_mut::<usize>(block);
        // SAFETY: a block is as large as its class, and no class is smaller than an address.
        unsafe { *place = self.freed[class % CLASSES] };
        self.freed[class % CLASSES] = block;
    }
}

/// The block that something needs.
#[derive(PartialEq)]
enum Class {
    /// The logarithm of its size.
    Small(usize),
    /// Its size, in whole pages.
    Large(usize),
}

#[inline(always)]
fn class_of(layout: Layout) -> Class {
    let size = layout.size().max(layout.align()).max(SMALLEST);
    match size > LARGE {
        true => Class::Large(size.next_multiple_of(PAGE)),
        false => Class::Small((usize::BITS - (size - 1).leading_zeros()) as usize),
    }
}

#[repr(C, align(16))]
struct Room(UnsafeCell<[u8; ROOM]>);

/// The memory that rules in Rust take.
#[repr(C)]
pub(crate) struct Memory {
    heap: UnsafeCell<Heap>,
    room: Room,
}

// SAFETY: an instance has one thread.
unsafe impl Sync for Memory {}

impl Memory {
    pub(crate) const fn new() -> Memory {
        Memory {
            heap: UnsafeCell::new(Heap::new()),
            room: Room(UnsafeCell::new([0; ROOM])),
        }
    }

    /// More room, of so many bytes at least: the first is there already.
    fn more(&self, is_first: bool, size: usize) -> Option<(usize, usize)> {
        if is_first {
            let start = self.room.0.get().expose_provenance().next_multiple_of(size);
            return Some((start, self.room.0.get().addr() + ROOM));
        }
        grown(PAGE * 16)
    }
}

/// Pages of the host.
#[cfg(target_arch = "wasm32")]
fn grown(size: usize) -> Option<(usize, usize)> {
    let pages = size / PAGE;
    let before = core::arch::wasm32::memory_grow(0, pages);
    (before != usize::MAX).then(|| (before * PAGE, (before + pages) * PAGE))
}

/// Only instances have pages.
#[cfg(not(target_arch = "wasm32"))]
fn grown(_: usize) -> Option<(usize, usize)> {
    None
}

// SAFETY: blocks are as large as their class, begin at a multiple of their size
// or of a page (nothing is aligned to more), and are in one list only while
// they are free.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: one thread, and nothing here calls back.
        let heap = unsafe { &mut *self.heap.get() };
        let is_first = heap.end == 0;
        let block = match class_of(layout) {
            Class::Small(class) => heap.take(class, |size| self.more(is_first, size)),
            Class::Large(size) => heap.take_large(size, grown),
        };
        std::ptr::with_exposed_provenance_mut(block)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: one thread, and nothing here calls back.
        let heap = unsafe { &mut *self.heap.get() };
        match class_of(layout) {
            Class::Small(class) => heap.give(class, block.expose_provenance()),
            Class::Large(size) => heap.give_large(size, block.expose_provenance()),
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps to what `Layout` asks for.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if class_of(new) == class_of(layout) {
            return block;
        }
        // SAFETY: two blocks, each as large as its layout.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(block, moved, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(target_arch = "wasm32")]
#[global_allocator]
#[unsafe(export_name = "houserule_room")]
static MEMORY: Memory = Memory::new();

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_do_not_meet_and_lie_as_they_should() {
        let memory = Memory::new();
        let mut blocks: Vec<(usize, usize)> = Vec::new();
        for (size, align) in [
            (1, 1),
            (16, 8),
            (17, 16),
            (300, 4),
            (64, 64),
            (5000, 8),
            (24, 8),
            (1, 256),
        ] {
            // SAFETY: no layout is empty.
            let block = unsafe { memory.alloc(layout(size, align)) }.addr();
            assert!(block != 0 && block % align == 0, "{size} bytes at {align}");
            assert!(
                blocks
                    .iter()
                    .all(|(start, end)| block >= *end || block + size <= *start)
            );
            blocks.push((block, block + size));
        }
    }

    #[test]
    fn what_was_freed_is_given_again() {
        let memory = Memory::new();
        // SAFETY: each block is freed once, by its layout.
        unsafe {
            let (first, second) = (memory.alloc(layout(40, 8)), memory.alloc(layout(40, 8)));
            memory.dealloc(first, layout(40, 8));
            memory.dealloc(second, layout(40, 8));
            assert_eq!(memory.alloc(layout(33, 8)), second);
            assert_eq!(memory.alloc(layout(64, 8)), first);
        }
    }

    #[test]
    fn what_grows_keeps_what_it_holds() {
        let memory = Memory::new();
        // SAFETY: the block is written within its layout.
        unsafe {
            let small = memory.alloc(layout(20, 4));
            small.write_bytes(7, 20);
            assert_eq!(memory.realloc(small, layout(20, 4), 32), small);
            let large = memory.realloc(small, layout(32, 4), 1000);
            assert_ne!(large, small);
            assert!((0..20).all(|i| *large.add(i) == 7));
        }
    }

    #[test]
    fn large_blocks_are_parted_and_found_again() {
        let room: Vec<u64> = vec![0; 4 * PAGE / 8];
        let start = room.as_ptr().expose_provenance();
        let (mut heap, none) = (Heap::new(), |_| None);
        heap.give_large(3 * PAGE, start);
        let first = heap.take_large(PAGE, none);
        let second = heap.take_large(2 * PAGE, none);
        assert_eq!((first, second), (start, start + PAGE));
        assert_eq!(heap.take_large(PAGE, none), 0);
        heap.give_large(PAGE, first);
        heap.give_large(2 * PAGE, second);
        assert_eq!(heap.take_large(2 * PAGE, none), second);
        assert_eq!(heap.take_large(2 * PAGE, none), 0);
        assert_eq!(heap.take_large(PAGE, none), first);
    }

    #[test]
    fn where_no_room_is_left_nothing_is_given() {
        let memory = Memory::new();
        // SAFETY: no layout is empty.
        let blocks = std::iter::from_fn(|| {
            let block = unsafe { memory.alloc(layout(4096, 8)) };
            (!block.is_null()).then_some(block)
        });
        let room = ROOM / 4096;
        assert!((room - 1..=room).contains(&blocks.count()));
    }
}
