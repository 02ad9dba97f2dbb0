//! Houserule for programs in Python: the messages of JSON-RPC as calls. What
//! the messages say, and types for them, is in `houserule/` beside this.
//!
//! What it refuses to know: the messages, and any game.

use std::path::PathBuf;

use houserule::embed::rpc::{ConnectionId, Server as Inner};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use serde_json::Value as Json;

create_exception!(
    _houserule,
    Refused,
    PyException,
    "What was asked was not done. Its arguments are the code, the message, and what is wrong as JSON."
);

/// A match, or none yet, and who is connected to it: the host, to begin with.
/// It belongs to the thread that made it.
#[pyclass(unsendable)]
struct Server {
    inner: Inner,
    host: ConnectionId,
    last: u64,
}

#[pymethods]
impl Server {
    /// For mods in these folders, each of mods or itself one.
    #[new]
    fn new(folders: Vec<PathBuf>) -> Server {
        let mut inner = Inner::new(folders);
        let host = inner.connect_host();
        Server { inner, host, last: 0 }
    }

    /// Asks as the host, or with the token of a seat as that seat. The result
    /// is JSON, and so are the parameters.
    #[pyo3(signature = (method, params, token=None))]
    fn call(&mut self, method: &str, params: &str, token: Option<&str>) -> PyResult<String> {
        let wrong = |error: serde_json::Error| pyo3::exceptions::PyValueError::new_err(error.to_string());
        let params: Json = serde_json::from_str(params).map_err(wrong)?;
        self.last += 1;
        let mut request =
            serde_json::json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        if let Some(token) = token {
            request["token"] = token.into();
        }
        self.inner.line(self.host, request.to_string().as_bytes());
        let reply = self.inner.drain(self.host).pop().unwrap_or_default();
        let mut reply: Json = serde_json::from_str(&reply).map_err(wrong)?;
        match reply.get_mut("error").map(Json::take) {
            None => Ok(reply["result"].to_string()),
            Some(error) => {
                let message = error["message"].as_str().unwrap_or_default().to_string();
                let code = error["code"].as_i64().unwrap_or_default();
                Err(Refused::new_err((code, message, error["data"].to_string())))
            }
        }
    }
}

/// The module.
#[pymodule]
fn _houserule(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Server>()?;
    module.add("Refused", module.py().get_type::<Refused>())
}
