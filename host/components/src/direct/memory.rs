//! The memory of an instance, put back to what it was at first.
//!
//! The system says which pages may have been written since the memory was
//! mapped: those that are no longer a view of a file, nor absent. Only these are
//! copied. Once a page was written it counts as written for ever, which is right
//! too: an instance writes mostly the same ones.
//!
//! To ask for that takes longer than many calls. But a page becomes one that was
//! written by a fault alone, and the system counts the faults of a thread: while
//! none came to those of the last time, the pages are those of the last time. Only
//! where the system makes no large pages for the process is that known so well, for
//! these it may make at any time, of pages that were never written.
//!
//! Where the system says nothing, no memory is put back, and instances are made
//! anew.

use std::cell::RefCell;
use std::ffi::c_long;
use std::fs::File;
use std::sync::OnceLock;

/// Most calls write three pages or four. After one that has written many an
/// instance is made anew: else all of them would be looked at each time.
const MOST_PAGES: usize = 16;

/// Memory as it was at first.
pub(crate) struct Pristine {
    memory: Box<[u8]>,
    /// A page with nothing in it, as most of them are: it is at hand, where each of
    /// them would have to be fetched.
    nothing: Box<[u8]>,
    /// Which pages are like that.
    is_empty: Vec<bool>,
}

impl Pristine {
    /// Memory of so many bytes with data in it; nothing if that does not fit. It
    /// is not taken from an instance: a page that was read counts as written.
    pub fn of(size: usize, data: &[(u32, &[u8])]) -> Option<Pristine> {
        let mut memory = vec![0; size];
        for (at, bytes) in data {
            memory
                .get_mut(*at as usize..)?
                .get_mut(..bytes.len())?
                .copy_from_slice(bytes);
        }
        let nothing = vec![0; system().map_or(0, |system| system.page)];
        let pages = memory.chunks(nothing.len().max(4096));
        Some(Pristine {
            is_empty: pages.map(|page| nothing.starts_with(page)).collect(),
            nothing: nothing.into(),
            memory: memory.into(),
        })
    }

    /// Puts memory back; whether it is as it was at first. Memory that has grown
    /// does not shrink.
    pub fn put_back(&self, memory: &mut [u8], written: &WrittenPages) -> bool {
        let Some(system) = system() else { return false };
        if memory.len() != self.memory.len() {
            return false;
        }
        let faults = faults();
        let mut known = written.known.borrow_mut();
        if known.faults != faults || faults.is_none() || !written.has_small_pages {
            let Some(pages) = system.written(memory) else {
                return false;
            };
            known.pages = pages;
        }
        if known.pages.len() > MOST_PAGES {
            return false;
        }
        for page in &known.pages {
            let range = page * system.page..((page + 1) * system.page).min(memory.len());
            let first = match self.is_empty[*page] {
                true => &self.nothing[..range.len()],
                false => &self.memory[range.clone()],
            };
            // Most of what was ever written is as it was: to see that costs less than to write it.
            if memory[range.clone()] != *first {
                memory[range].copy_from_slice(first);
            }
        }
        known.faults = faults;
        true
    }
}

/// The pages of an instance that may have been written, as they were asked for
/// last, and how many faults its thread had had before: an instance stays with
/// its thread.
pub(crate) struct WrittenPages {
    known: Box<RefCell<KnownPages>>,
    /// Whether each page is written by a fault of its own.
    has_small_pages: bool,
}

impl WrittenPages {
    /// Those of an instance of which nothing is known yet.
    pub fn unknown() -> WrittenPages {
        WrittenPages {
            known: Box::default(),
            has_small_pages: has_small_pages(),
        }
    }
}

#[derive(Default)]
struct KnownPages {
    pages: Vec<usize>,
    faults: Option<(c_long, c_long)>,
}

/// How many faults this thread has had, where the system counts them: those for
/// which something had to be read, and others.
#[cfg(target_os = "linux")]
fn faults() -> Option<(c_long, c_long)> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    Some((usage.major_page_faults(), usage.minor_page_faults()))
}

#[cfg(not(target_os = "linux"))]
fn faults() -> Option<(c_long, c_long)> {
    None
}

/// Whether the system never makes one large page of several for this process.
#[cfg(target_os = "linux")]
fn has_small_pages() -> bool {
    nix::sys::prctl::get_thp_disable().unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
fn has_small_pages() -> bool {
    false
}

/// What tells which pages were written.
struct System {
    pages: File,
    /// Of this process: a child has other memory behind the same file.
    process: u32,
    /// Bytes of a page.
    page: usize,
}

fn system() -> Option<&'static System> {
    static SYSTEM: OnceLock<Option<System>> = OnceLock::new();
    let system = SYSTEM.get_or_init(|| {
        let pages = File::open("/proc/self/pagemap").ok()?;
        Some(System {
            pages,
            process: std::process::id(),
            page: page_size()?,
        })
    });
    system
        .as_ref()
        .filter(|system| system.process == std::process::id())
}

/// Bytes of a page, as the system tells programs that it starts.
fn page_size() -> Option<usize> {
    const PAGE_SIZE: usize = 6;
    let words = std::fs::read("/proc/self/auxv").ok()?;
    let mut pairs = words.chunks_exact(2 * size_of::<usize>()).map(|pair| {
        let (key, value) = pair.split_at(size_of::<usize>());
        (word(key), word(value))
    });
    pairs
        .find(|(key, _)| *key == Some(PAGE_SIZE))
        .and_then(|(_, value)| value)
}

fn word(bytes: &[u8]) -> Option<usize> {
    bytes.try_into().ok().map(usize::from_ne_bytes)
}

impl System {
    /// The pages of some memory that may have been written; nothing where that is
    /// not known. The entry of a page says in its highest bits whether it is
    /// there, whether it was moved to a disk, and whether it is a view of a file.
    #[cfg(target_os = "linux")]
    fn written(&self, memory: &[u8]) -> Option<Vec<usize>> {
        use std::os::unix::fs::FileExt;
        const ENTRY: usize = 8;
        let (there, moved, of_a_file) = (1_u64 << 63, 1_u64 << 62, 1_u64 << 61);
        let start = memory.as_ptr().addr();
        if !start.is_multiple_of(self.page) {
            return None;
        }
        let mut entries = vec![0; memory.len().div_ceil(self.page) * ENTRY];
        self.pages
            .read_exact_at(&mut entries, (start / self.page * ENTRY) as u64)
            .ok()?;
        let is_written = |entry: &[u8]| {
            let entry = entry.try_into().map_or(there, u64::from_ne_bytes);
            entry & (there | moved) != 0 && entry & of_a_file == 0
        };
        let pages = entries.chunks_exact(ENTRY).enumerate();
        Some(
            pages
                .filter(|(_, entry)| is_written(entry))
                .map(|(page, _)| page)
                .collect(),
        )
    }

    #[cfg(not(target_os = "linux"))]
    fn written(&self, _: &[u8]) -> Option<Vec<usize>> {
        None
    }
}
