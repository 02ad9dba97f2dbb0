//! Room in a module that the host finds without asking it.
//!
//! Nearly each value that the host gives holds a text, and each text needs room. A
//! module that exports [`TABLE`] says by it where there is some; the host takes it
//! as the module would, and the module frees it as its own. What is wanted and not
//! found there is asked for by `cabi_realloc`.
//!
//! Such a module neither frees nor changes the keys of records that it is given, so
//! that each of them is given once.
//!
//! The table is of words: where room begins that was never used, where that ends,
//! and for each logarithm of a size the first block that was freed, which begins
//! with the place of the next one. A block is as large as a power of two, and lies at
//! a multiple of that. `host/guest/src/memory.rs` writes it.

/// The name of the global that says where the table lies.
pub(super) const TABLE: &str = "houserule_room";

const WORD: usize = 4;

/// The sizes of blocks that are in it.
const SMALLEST: usize = 16;
const LARGEST: usize = 32 << 10;

/// The room of a module.
pub(super) struct FreeRoom<'a> {
    pub memory: &'a mut [u8],
    /// Where its table lies.
    pub table: usize,
}

impl FreeRoom<'_> {
    /// A block of so many bytes at least, if there is one: where it lies, which is
    /// within the memory, whatever the table says.
    pub fn take(&mut self, size: usize) -> Option<usize> {
        if size > LARGEST {
            return None;
        }
        let size = size.max(SMALLEST).next_power_of_two();
        let first = self.table + (2 + size.ilog2() as usize) * WORD;
        let freed = self.word(first)?;
        if freed != 0 {
            self.within(freed, size)?;
            let next = self.word(freed)?;
            self.put(first, next)?;
            return Some(freed);
        }
        let at = self.word(self.table)?.next_multiple_of(size);
        if at + size > self.word(self.table + WORD)? {
            return None;
        }
        self.within(at, size)?;
        self.put(self.table, at + size)?;
        Some(at)
    }

    /// Whether a block lies in the memory as blocks do.
    fn within(&self, at: usize, size: usize) -> Option<()> {
        (at.is_multiple_of(size) && at + size <= self.memory.len()).then_some(())
    }

    fn word(&self, at: usize) -> Option<usize> {
        let word = self.memory.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*word) as usize)
    }

    fn put(&mut self, at: usize, word: usize) -> Option<()> {
        let place = self.memory.get_mut(at..)?.first_chunk_mut()?;
        *place = u32::try_from(word).ok()?.to_le_bytes();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::FreeRoom;

    /// A memory with a table at 8: room from 1000 to 2000, and a freed block of 32 at 96.
    fn memory() -> Vec<u8> {
        let mut memory = vec![0; 2048];
        let mut put =
            |at: usize, word: u32| memory[at..at + 4].copy_from_slice(&word.to_le_bytes());
        put(8, 1000);
        put(12, 2000);
        put(8 + (2 + 5) * 4, 96);
        memory
    }

    fn taken(memory: &mut [u8], sizes: &[usize]) -> Vec<Option<usize>> {
        let mut room = FreeRoom { memory, table: 8 };
        sizes.iter().map(|size| room.take(*size)).collect()
    }

    #[test]
    fn room_is_what_was_freed_and_then_what_was_never_used() {
        let found = taken(&mut memory(), &[20, 20, 3, 200, 500, 40_000]);
        let places = [Some(96), Some(1024), Some(1056), Some(1280), None, None];
        assert_eq!(found, places);
    }

    #[test]
    fn a_table_that_is_wrong_gives_no_room_outside_of_the_memory() {
        for (at, word) in [
            (8 + 7 * 4, 4096),
            (8 + 7 * 4, 97),
            (8 + 7 * 4, u32::MAX - 31),
        ] {
            let mut memory = memory();
            memory[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
            assert_eq!(taken(&mut memory, &[20]), [None]);
        }
        let mut memory = memory();
        memory[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(
            taken(&mut memory, &[512, 512, 512]),
            [Some(1024), Some(1536), None]
        );
        assert_eq!(
            FreeRoom {
                memory: &mut memory,
                table: 4096
            }
            .take(16),
            None
        );
    }
}
