//! Houserule for programs in Python: a server in this process, and connections
//! to it that messages of JSON-RPC are said on. What the messages say, and types
//! for them, is in `houserule/` beside this.
//!
//! What it refuses to know: the messages, and any game.
//!
//! Read [`PyServer`], then [`Connection`].

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use houserule::embed::rpc::{ConnectionId, Server as Inner};
use pyo3::prelude::*;

/// One match, or none yet, and who is connected to it. It belongs to the thread
/// that made it.
#[pyclass(unsendable, name = "Server")]
struct PyServer(Rc<RefCell<Inner>>);

#[pymethods]
impl PyServer {
    /// For mods in these folders, each of mods or itself one.
    #[new]
    fn new(folders: Vec<PathBuf>) -> PyServer {
        PyServer(Rc::new(RefCell::new(Inner::new(folders))))
    }

    /// Somebody connects: as the host, who may do everything, or as nobody, who
    /// takes a seat by `hello` with a token.
    #[pyo3(signature = (*, as_host=false))]
    fn connect(&self, as_host: bool) -> Connection {
        let mut inner = self.0.borrow_mut();
        let id = if as_host { inner.connect_host() } else { inner.connect() };
        drop(inner);
        Connection { server: Rc::clone(&self.0), id }
    }
}

/// Somebody who is connected, as long as this is there.
#[pyclass(unsendable)]
struct Connection {
    server: Rc<RefCell<Inner>>,
    id: ConnectionId,
}

#[pymethods]
impl Connection {
    /// Says a message. What comes back is what was told since the last one, and
    /// then the reply, if the message is one that gets any.
    fn say(&self, message: &str) -> Vec<String> {
        let mut inner = self.server.borrow_mut();
        inner.line(self.id, message.as_bytes());
        inner.drain(self.id)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.server.borrow_mut().disconnect(self.id);
    }
}

/// The module.
#[pymodule]
fn _houserule(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyServer>()?;
    module.add_class::<Connection>()
}
