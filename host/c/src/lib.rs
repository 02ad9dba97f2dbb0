//! Houserule for programs in C, and in all languages that can call it: a
//! handful of functions over the messages of JSON-RPC.
//!
//! What it refuses to know: the messages. A line goes in as it is, lines come
//! out as they are; `docs/embedding/rpc.md` says what stands in them.
//!
//! Read [`HouseruleServer`], then the functions that take one, in their order.
//!
//! It is one of the few places of unsafe code: pointers come in from outside.
//! Nothing unwinds out of it, and a server that broke down stays closed.

#![expect(unsafe_code, reason = "pointers come from C")]

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread::ThreadId;

use houserule::embed::rpc::{ConnectionId, Server};

/// A match, or none yet, and all who are connected to it.
pub struct HouseruleServer {
    thread: ThreadId,
    /// Nothing once it has broken down.
    inner: RefCell<Option<Inner>>,
}

struct Inner {
    server: Server,
    connections: BTreeMap<u64, Connection>,
    last: u64,
}

struct Connection {
    id: ConnectionId,
    lines: VecDeque<String>,
}

impl HouseruleServer {
    /// Does something with the server; nothing in another thread, while it is
    /// busy already, and once it has broken down.
    fn with<T>(&self, get: impl FnOnce(&mut Inner) -> Option<T>) -> Option<T> {
        if std::thread::current().id() != self.thread {
            return None;
        }
        let mut inner = self.inner.try_borrow_mut().ok()?;
        let outcome = catch_unwind(AssertUnwindSafe(|| get(inner.as_mut()?)));
        outcome.unwrap_or_else(|_| {
            *inner = None;
            None
        })
    }
}

/// The server behind a pointer; nothing for null.
///
/// # Safety
/// The pointer is null, or came from `houserule_open` and was not closed.
unsafe fn of<'a>(server: *const HouseruleServer) -> Option<&'a HouseruleServer> {
    // SAFETY: as the caller promises.
    unsafe { server.as_ref() }
}

/// Opens a server for the mods in these folders, each of mods or itself one:
/// `count` paths in UTF-8. NULL if a path is none. Close it with
/// houserule_close.
///
/// # Safety
/// `folders` points to `count` texts that end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_open(
    folders: *const *const c_char,
    count: usize,
) -> *mut HouseruleServer {
    let path = |at: usize| {
        // SAFETY: the caller promises that there are so many.
        let text = unsafe { folders.add(at).read() };
        if text.is_null() {
            return None;
        }
        // SAFETY: the caller promises that each is a text that ends with a zero.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_str().ok().map(PathBuf::from)
    };
    let folders: Option<Vec<PathBuf>> = if folders.is_null() {
        None
    } else {
        (0..count).map(path).collect()
    };
    let Some(folders) = folders else {
        return std::ptr::null_mut();
    };
    let opened = catch_unwind(|| HouseruleServer {
        thread: std::thread::current().id(),
        inner: RefCell::new(Some(Inner {
            server: Server::new(folders),
            connections: BTreeMap::new(),
            last: 0,
        })),
    });
    opened.map_or(std::ptr::null_mut(), |server| {
        Box::into_raw(Box::new(server))
    })
}

/// Somebody connects: as the host, who may do everything, or as nobody, who
/// takes a seat by `hello` with a token. The number of the connection; 0 if
/// there is no server.
///
/// # Safety
/// `server` is null, or came from `houserule_open` and was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_connect(server: *const HouseruleServer, as_host: bool) -> u64 {
    // SAFETY: as the caller promises.
    let Some(server) = (unsafe { of(server) }) else {
        return 0;
    };
    let number = server.with(|inner| {
        let id = if as_host {
            inner.server.connect_host()
        } else {
            inner.server.connect()
        };
        inner.last += 1;
        inner.connections.insert(
            inner.last,
            Connection {
                id,
                lines: VecDeque::new(),
            },
        );
        Some(inner.last)
    });
    number.unwrap_or_default()
}

/// Says a message on a connection: `length` bytes of JSON. It is done when this
/// returns; what is told of it, to whomever, is there for houserule_next.
/// False if there is no such connection.
///
/// # Safety
/// `server` is null, or came from `houserule_open` and was not closed; `message`
/// points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_say(
    server: *const HouseruleServer,
    connection: u64,
    message: *const c_char,
    length: usize,
) -> bool {
    // SAFETY: as the caller promises.
    let Some(server) = (unsafe { of(server) }) else {
        return false;
    };
    if message.is_null() {
        return false;
    }
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts(message.cast::<u8>(), length) };
    let handled = server.with(|inner| {
        let id = inner.connections.get(&connection)?.id;
        inner.server.line(id, bytes);
        Some(())
    });
    handled.is_some()
}

/// The next message for a connection, in order: what is told comes before the
/// reply to what brought it about. NULL if there is none now. Free it with
/// houserule_free.
///
/// # Safety
/// `server` is null, or came from `houserule_open` and was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_next(
    server: *const HouseruleServer,
    connection: u64,
) -> *mut c_char {
    // SAFETY: as the caller promises.
    let Some(server) = (unsafe { of(server) }) else {
        return std::ptr::null_mut();
    };
    let line = server.with(|inner| {
        let connection = inner.connections.get_mut(&connection)?;
        connection.lines.extend(inner.server.drain(connection.id));
        connection.lines.pop_front()
    });
    let text = line.and_then(|line| CString::new(line).ok());
    text.map_or(std::ptr::null_mut(), CString::into_raw)
}

/// Looks whether mods have changed in their folders, if the host has said
/// `watch`: true if one is only half saved, so that it is worth to look again a
/// moment later.
///
/// # Safety
/// `server` is null, or came from `houserule_open` and was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_look(server: *const HouseruleServer) -> bool {
    // SAFETY: as the caller promises.
    let Some(server) = (unsafe { of(server) }) else {
        return false;
    };
    server
        .with(|inner| Some(inner.server.files_changed()))
        .unwrap_or_default()
}

/// Somebody leaves. A seat that was held stays given.
///
/// # Safety
/// `server` is null, or came from `houserule_open` and was not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_disconnect(server: *const HouseruleServer, connection: u64) {
    // SAFETY: as the caller promises.
    let Some(server) = (unsafe { of(server) }) else {
        return;
    };
    server.with(|inner| {
        let gone = inner.connections.remove(&connection)?;
        inner.server.disconnect(gone.id);
        Some(())
    });
}

/// Frees a message.
///
/// # Safety
/// `message` is null, or came from `houserule_next` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_free(message: *mut c_char) {
    if !message.is_null() {
        // SAFETY: it came from `CString::into_raw`, as the caller promises.
        drop(unsafe { CString::from_raw(message) });
    }
}

/// Closes a server. A match with a journal is in it, to the last decision.
/// False, and nothing is done, in another thread than the one that opened it.
///
/// # Safety
/// `server` is null, or came from `houserule_open` and was not closed; it is
/// not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn houserule_close(server: *mut HouseruleServer) -> bool {
    // SAFETY: as the caller promises.
    let is_own =
        unsafe { of(server) }.is_some_and(|server| std::thread::current().id() == server.thread);
    if is_own {
        // SAFETY: it came from `Box::into_raw`, as the caller promises.
        let server = unsafe { Box::from_raw(server) };
        return catch_unwind(AssertUnwindSafe(|| drop(server))).is_ok();
    }
    false
}
