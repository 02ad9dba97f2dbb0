//! What the engine says about its own work: `--log` for people and machines,
//! `--trace` for a picture of where the time goes.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use houserule::kernel::error::{Fault, FaultCode, Place};
use houserule::printable;
use tracing_chrome::{ChromeLayerBuilder, FlushGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt};

use crate::globals::{Format, Globals};

/// The variable that says what `--log` would.
const VARIABLE: &str = "HOUSERULE_LOG";

type Layer = Box<dyn tracing_subscriber::Layer<Registry> + Send + Sync>;

/// Keeps the trace open: what is in it is written when this goes.
static TRACE: Mutex<Option<FlushGuard>> = Mutex::new(None);

/// Keeps what is logged and traced open: it is written to the end when this goes.
#[must_use]
pub struct Logging(());

impl Drop for Logging {
    fn drop(&mut self) {
        end();
    }
}

/// Writes the trace to its end, for who leaves the process in its middle.
pub fn end() {
    drop(TRACE.lock().unwrap_or_else(PoisonError::into_inner).take());
}

/// Begins to log and to trace, as the flags want it. Without them nothing is
/// set up, and a span costs the reading of one number.
///
/// # Errors
/// A filter that cannot be read, a trace that cannot be written.
pub fn begin(globals: &Globals) -> Result<Logging, Fault> {
    let wanted = globals
        .log
        .clone()
        .map(OsString::from)
        .or_else(|| std::env::var_os(VARIABLE));
    let log = match wanted.filter(|filter| !filter.is_empty()) {
        Some(filter) => Some(log_layer(&filter.to_string_lossy(), globals.format)?),
        None => None,
    };
    let (trace, guard) = match &globals.trace {
        Some(path) => trace_layer(path).map(|(layer, guard)| (Some(layer), Some(guard)))?,
        None => (None, None),
    };
    let layers: Vec<Layer> = log.into_iter().chain(trace).collect();
    if !layers.is_empty() {
        tracing_subscriber::registry().with(layers).init();
    }
    *TRACE.lock().unwrap_or_else(PoisonError::into_inner) = guard;
    Ok(Logging(()))
}

/// Lines of the log on standard error, made printable: what is in them may come
/// from anywhere.
struct Lines {
    format: Format,
}

impl io::Write for Lines {
    /// Writes whole lines: that is how they come.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let shown = match self.format {
            Format::Text | Format::Csv | Format::Svg | Format::Md | Format::Html => {
                printable::lines(&text)
            }
            Format::Json => printable::json(&text),
        };
        io::stderr().write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A trace, made printable: names in it may come from anywhere. What a writer
/// of JSON writes at once is whole letters.
struct Shown<W>(W);

/// A file that may be full: that is said once, and the rest is let go of. Whoever
/// traces a game plays it all the same.
struct ToTheEnd<W> {
    file: W,
    is_full: bool,
}

impl<W: io::Write> ToTheEnd<W> {
    fn tried(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.is_full {
            return;
        }
        if let Err(error) = write(&mut self.file) {
            self.is_full = true;
            let _ = writeln!(io::stderr(), "note: the trace is not whole: {error}");
        }
    }
}

impl<W: io::Write> io::Write for ToTheEnd<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.tried(|file| file.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tried(io::Write::flush);
        Ok(())
    }
}

impl<W: io::Write> io::Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .write_all(printable::json(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Lines on standard error: for people, or one JSON object a line.
fn log_layer(filter: &str, format: Format) -> Result<Layer, Fault> {
    let filter: Targets = filter.parse().map_err(|error| {
        let message = format!("expected a filter for the log, found `{filter}`: {error}");
        Fault::new(FaultCode::Syntax, message)
            .hint("a level such as `debug`, or `houserule=trace,kernel=info`")
    })?;
    let lines = fmt::layer()
        .with_ansi(false)
        .with_writer(move || Lines { format });
    Ok(match format {
        Format::Text | Format::Csv | Format::Svg | Format::Md | Format::Html => lines
            .without_time()
            .with_target(false)
            .with_filter(filter)
            .boxed(),
        Format::Json => lines.json().without_time().with_filter(filter).boxed(),
    })
}

/// A file that Perfetto and its like open: every span with its fields.
fn trace_layer(path: &Path) -> Result<(Layer, FlushGuard), Fault> {
    let file = File::create(path).map_err(|error| {
        Fault::new(
            FaultCode::Unreadable,
            format!("the trace cannot be written: {error}"),
        )
        .at(Place::new("", path.display().to_string(), 0))
    })?;
    let (layer, guard) = ChromeLayerBuilder::new()
        .writer(Shown(ToTheEnd {
            file: BufWriter::new(file),
            is_full: false,
        }))
        .include_args(true)
        .build();
    Ok((layer.with_filter(LevelFilter::TRACE).boxed(), guard))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::Shown;

    #[test]
    fn a_trace_shows_nothing_that_steers() {
        let mut written = Vec::new();
        let steers = "{\"name\":\"a\u{202e}b\u{9b}2J\u{7f}\"}\n";
        Shown(&mut written).write_all(steers.as_bytes()).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert_eq!(written, "{\"name\":\"a\\u202eb\\u009b2J\\u007f\"}\n");
        let [one, other] =
            [steers, &written].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert_eq!(one, other);
    }
}
