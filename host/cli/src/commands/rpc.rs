//! `houserule rpc`: the façade for programs, over standard input and output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;

use clap::Args;
use houserule::embed::rpc::{LONGEST_MESSAGE, Server, schema};
use houserule::printable;
use houserule_serve::watching::{AGAIN, QUIET, SETTLE, watcher};

use crate::config::mod_folders;
use crate::failure::Failure;
use crate::interrupt::stops_with;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule rpc                  a front-end writes requests, one a line, and reads replies
  houserule rpc --schema         the schema of every message
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"scenarios\"}' | houserule rpc

docs/embedding/rpc.md tells each method, with a client of a hundred lines.";

/// Serves a front-end: JSON-RPC 2.0, one message a line, until its input ends.
///
/// Whoever starts it is the host, and may give seats away.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct RpcArgs {
    /// Print the schema of every message, and end
    #[arg(long)]
    pub schema: bool,
}

/// What the server is woken by.
enum Wake {
    Line(Vec<u8>),
    TooLong,
    Files,
    End,
}

/// Runs the command.
///
/// # Errors
/// When nobody reads what it writes.
pub fn run(args: &RpcArgs, folders: &[PathBuf], ui: &mut Ui) -> Result<(), Failure> {
    if args.schema {
        return Ok(ui.document(&schema())?);
    }
    let folders = mod_folders(folders)?;
    let (sender, wakes) = mpsc::channel();
    let changed = sender.clone();
    // When the server is gone there is nobody to tell.
    let watcher = watcher(&folders, move || drop(changed.send(Wake::Files)));
    thread::spawn(move || read(&sender));
    let mut server = Server::new(folders);
    let host = server.connect_host();
    let mut is_dirty = false;
    loop {
        match next(&wakes, is_dirty, server.is_cold()) {
            Ok(Wake::Line(line)) if line.trim_ascii().is_empty() => {}
            Ok(Wake::Line(line)) => {
                stops_with("stopped before all requests were answered");
                server.line(host, &line);
            }
            Ok(Wake::TooLong) => server.too_long(host),
            Ok(Wake::Files) => is_dirty = server.is_watching(),
            Err(RecvTimeoutError::Timeout) if !is_dirty => server.warm_up(),
            Err(RecvTimeoutError::Timeout) => {
                is_dirty = server.files_changed();
                if is_dirty {
                    thread::sleep(AGAIN);
                }
            }
            Ok(Wake::End) | Err(RecvTimeoutError::Disconnected) => break,
        }
        send(&server.drain(host))?;
    }
    drop(watcher);
    Ok(())
}

/// What comes next. Who stops it while nothing is there leaves nothing undone.
fn next(wakes: &Receiver<Wake>, is_dirty: bool, is_cold: bool) -> Result<Wake, RecvTimeoutError> {
    if let Ok(wake) = wakes.try_recv() {
        return Ok(wake);
    }
    stops_with("stopped; all requests were answered");
    match (is_dirty, is_cold) {
        (true, _) => wakes.recv_timeout(SETTLE),
        (false, true) => wakes.recv_timeout(QUIET),
        (false, false) => wakes.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

fn send(lines: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{}", printable::json(line))?;
    }
    out.flush()
}

/// Reads lines to the end of the input; those that are too long are passed
/// over without being kept.
fn read(sender: &Sender<Wake>) {
    let mut input = BufReader::new(io::stdin());
    loop {
        let mut line = Vec::new();
        let most = LONGEST_MESSAGE as u64 + 1;
        let wake = match input.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Wake::End,
            Ok(read) if read as u64 == most && line.last() != Some(&b'\n') => {
                pass_over(&mut input);
                Wake::TooLong
            }
            Ok(_) => Wake::Line(line),
        };
        let is_end = matches!(wake, Wake::End);
        if sender.send(wake).is_err() || is_end {
            return;
        }
    }
}

fn pass_over(input: &mut impl BufRead) {
    loop {
        let (used, is_end) = match input.fill_buf() {
            Ok([]) | Err(_) => return,
            Ok(bytes) => match bytes.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (bytes.len(), false),
            },
        };
        input.consume(used);
        if is_end {
            return;
        }
    }
}
