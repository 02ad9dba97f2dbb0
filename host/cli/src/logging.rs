//! What the engine says about its own work: `--log` for people and machines,
//! `--trace` for a picture of where the time goes.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use houserule::kernel::error::{Fault, FaultCode, Place};
use houserule::kernel::world::closest;
use houserule::printable;
use tracing::Level;
use tracing_chrome::{ChromeLayerBuilder, FlushGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt};

use crate::failure::Failure;
use crate::globals::{Format, Globals};

/// The variable that says what `--log` would.
const VARIABLE: &str = "HOUSERULE_LOG";

type LogLayer = Box<dyn tracing_subscriber::Layer<Registry> + Send + Sync>;

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
/// A filter that cannot be read is wrong usage; a trace that cannot be written a fault.
pub fn begin(globals: &Globals) -> Result<Logging, Failure> {
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
    let layers: Vec<LogLayer> = log.into_iter().chain(trace).collect();
    if !layers.is_empty() {
        tracing_subscriber::registry().with(layers).init();
    }
    *TRACE.lock().unwrap_or_else(PoisonError::into_inner) = guard;
    Ok(Logging(()))
}

/// Lines of the log on standard error, made printable: what is in them may come
/// from anywhere.
struct LogLines {
    format: Format,
}

impl io::Write for LogLines {
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
struct PrintableTrace<W>(W);

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

impl<W: io::Write> io::Write for PrintableTrace<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .write_all(printable::json(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The parts of the engine that say something of their work.
const PARTS: &[&str] = &[
    "houserule::embed",
    "houserule::odds",
    "houserule::play",
    "houserule::rulebook",
    "houserule::serve",
    "houserule::workshop",
];

/// The libraries that may say something of theirs.
const LIBRARIES: &[&str] = &[
    "cranelift_codegen",
    "cranelift_frontend",
    "geo",
    "jiff",
    "jiff_core",
    "lsp_server",
    "mio",
    "notify",
    "pulley_interpreter",
    "regalloc2",
    "tokio_tungstenite",
    "tungstenite",
    "wasmtime",
    "wasmtime_environ",
    "wasmtime_internal_cache",
    "wasmtime_internal_cranelift",
    "wasmtime_internal_unwinder",
    "wit_component",
    "wit_parser",
];

/// The libraries that write whole messages.
const SOCKETS: &[&str] = &["tokio_tungstenite", "tungstenite"];

/// How much is said, from nothing on.
const LEVELS: &[&str] = &["off", "error", "warn", "info", "debug", "trace"];

/// What a filter says, if all in it is something: levels, and parts that say
/// something.
///
/// # Errors
/// The first word of it that is neither, with what may have been meant.
fn filter_of(filter: &str) -> Result<Targets, String> {
    let targets: Targets = filter.parse().map_err(|error| {
        let level = filter.rsplit('=').next().unwrap_or_default();
        let hint = meant(level, LEVELS.iter().copied());
        format!("expected a filter for the log, found `{filter}`: {error}; {hint}")
    })?;
    // An empty name stands for all that is not named.
    let unknown = targets
        .iter()
        .map(|(name, _)| name)
        .find(|name| !name.is_empty() && !is_part(name));
    match unknown {
        None => Ok(without_messages(targets)),
        Some(name) => {
            let names = [LEVELS, &["houserule"], PARTS, LIBRARIES].concat();
            let hint = meant(name, names.into_iter());
            Err(format!("nothing writes to the log as `{name}`; {hint}"))
        }
    }
}

/// What `targets` lets through, without what sockets write of each message at `trace`:
/// in these stand the tokens of seats.
fn without_messages(targets: Targets) -> Targets {
    let is_socket = |target: &str| {
        let library = target.split("::").next();
        library.is_some_and(|library| SOCKETS.contains(&library))
    };
    let named: Vec<String> = targets
        .iter()
        .map(|(target, _)| target.to_string())
        .filter(|target| is_socket(target))
        .collect();
    let sockets = SOCKETS.iter().map(ToString::to_string).chain(named);
    sockets.fold(targets, |targets, socket| {
        match targets.would_enable(&socket, &Level::TRACE) {
            true => targets.with_target(socket, LevelFilter::DEBUG),
            false => targets,
        }
    })
}

/// Whether a name of a filter is that of something which writes to the log: one
/// of our parts, all of them, or a library or a part of one.
fn is_part(name: &str) -> bool {
    let library = name.split("::").next().unwrap_or_default();
    name == "houserule" || PARTS.contains(&name) || LIBRARIES.contains(&library)
}

/// The name that was meant, and how a filter is written.
fn meant<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let form = "a level such as `debug`, or of a part as in `houserule::play=trace,wasmtime=info`";
    match closest(name, names) {
        Some(near) => format!("did you mean `{near}`? A filter is {form}"),
        None => format!("a filter is {form}"),
    }
}

/// Lines on standard error: for people, or one JSON object a line.
fn log_layer(filter: &str, format: Format) -> Result<LogLayer, Failure> {
    let filter = filter_of(filter).map_err(Failure::Usage)?;
    let lines = fmt::layer()
        .with_ansi(false)
        .with_writer(move || LogLines { format });
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
fn trace_layer(path: &Path) -> Result<(LogLayer, FlushGuard), Fault> {
    let file = File::create(path).map_err(|error| {
        Fault::new(
            FaultCode::Unreadable,
            format!("the trace cannot be written: {error}"),
        )
        .at(Place::new("", path.display().to_string(), 0))
    })?;
    let (layer, guard) = ChromeLayerBuilder::new()
        .writer(PrintableTrace(ToTheEnd {
            file: BufWriter::new(file),
            is_full: false,
        }))
        .include_args(true)
        .build();
    let all = Targets::new().with_default(LevelFilter::TRACE);
    Ok((layer.with_filter(without_messages(all)).boxed(), guard))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use tracing::Level;

    use super::{LIBRARIES, PARTS, PrintableTrace, filter_of};

    /// Where the repository is.
    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// The Rust files under a folder.
    fn files_under(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files_under(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    #[test]
    fn a_word_that_is_no_level_and_no_part_is_told_with_the_nearest() {
        for (filter, found, near) in [
            ("debgu", "`debgu`", "`debug`"),
            (
                "houserule::plya=info",
                "`houserule::plya`",
                "`houserule::play`",
            ),
            ("wasmtme=info", "`wasmtme`", "`wasmtime`"),
            ("houserule=debgu", "`houserule=debgu`", "`debug`"),
            ("kernel=info", "`kernel`", "a filter is a level"),
        ] {
            let wrong = filter_of(filter).unwrap_err();
            assert!(wrong.contains(found), "{filter}: {wrong}");
            assert!(wrong.contains(near), "{filter}: {wrong}");
        }
        let fine = "TRACE,houserule=info,houserule::odds,cranelift_codegen::context=2,geo=off";
        for filter in fine.split(',').chain([fine]) {
            assert!(filter_of(filter).is_ok(), "{filter}");
        }
    }

    /// In the messages stand the tokens of seats.
    #[test]
    fn no_filter_lets_through_whole_messages_of_sockets() {
        for filter in [
            "trace",
            "tungstenite=trace",
            "debug,tokio_tungstenite=trace",
        ] {
            let targets = filter_of(filter).unwrap();
            for socket in ["tungstenite::protocol", "tokio_tungstenite::compat"] {
                assert!(!targets.would_enable(socket, &Level::TRACE), "{filter}");
            }
        }
        let targets = filter_of("trace").unwrap();
        assert!(targets.would_enable("tungstenite::protocol", &Level::DEBUG));
        assert!(targets.would_enable("houserule::play", &Level::TRACE));
    }

    /// A part that is not listed could not be asked for by name.
    #[test]
    fn every_part_that_writes_to_the_log_is_listed() {
        let mut files = Vec::new();
        files_under(&root().join("host"), &mut files);
        let (mut found, mut calls) = (BTreeSet::new(), 0);
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for level in ["error", "warn", "info", "debug", "trace"] {
                for call in [
                    format!("tracing::{level}!("),
                    format!("tracing::{level}_span!("),
                ] {
                    for rest in text.split(&call).skip(1) {
                        calls += 1;
                        let target = rest.trim_start().strip_prefix("target: \"");
                        let target = target.and_then(|rest| rest.split('"').next());
                        let place = file.display();
                        found.insert(
                            target
                                .unwrap_or_else(|| panic!("{place}: no target"))
                                .to_string(),
                        );
                    }
                }
            }
        }
        assert!(calls > 10, "{calls}");
        assert_eq!(found, PARTS.iter().map(ToString::to_string).collect());
    }

    #[test]
    fn every_library_that_writes_to_the_log_is_listed() {
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
        let mut found = BTreeSet::new();
        for package in lock.split("[[package]]\n").skip(1) {
            let name = package.split('"').nth(1).unwrap();
            let speaks = ["\n \"log\"", "\n \"tracing\""]
                .iter()
                .any(|line| package.contains(line));
            // What carries the words of others says none itself.
            if speaks && !name.starts_with("houserule") && !name.starts_with("tracing") {
                found.insert(name.replace('-', "_"));
            }
        }
        assert_eq!(found, LIBRARIES.iter().map(ToString::to_string).collect());
    }

    #[test]
    fn a_trace_shows_nothing_that_steers() {
        let mut written = Vec::new();
        let steers = "{\"name\":\"a\u{202e}b\u{9b}2J\u{7f}\"}\n";
        PrintableTrace(&mut written)
            .write_all(steers.as_bytes())
            .unwrap();
        let written = String::from_utf8(written).unwrap();
        assert_eq!(written, "{\"name\":\"a\\u202eb\\u009b2J\\u007f\"}\n");
        let [one, other] =
            [steers, &written].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert_eq!(one, other);
    }
}
