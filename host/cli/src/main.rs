//! The `houserule` command: plays, tests, checks and explains rules of
//! tabletop wargames.
//!
//! Only this crate turns faults into text for a terminal. It knows the façade
//! and nothing below it. Read [`args`] for what can be said, [`desk`] for what
//! every command works with, then the command that you look for in
//! [`commands`].

mod args;
mod commands;
mod config;
mod desk;
mod detail;
mod diagnostics;
mod globals;
mod interrupt;
mod logging;
mod paint;
mod players;
mod selection;
mod teller;

use std::ffi::OsString;
use std::process::ExitCode;

use anstream::eprintln;
use clap::Parser;
use houserule::printable;

use args::{Cli, Command};
use desk::{Desk, Failure};
use globals::{Format, Globals};

/// Rules make many small things and let go of them soon.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| misused(&error));
    cli.globals.color.apply();
    keep_compiled();
    let _logging = match logging::begin(&cli.globals) {
        Ok(logging) => logging,
        Err(fault) => return Failure::from(fault).told_without_desk(),
    };
    let only_plays = matches!(cli.command, Command::Run(_) | Command::Simulate(_));
    let mut desk = match Desk::open(&cli.globals, only_plays) {
        Ok(desk) => desk,
        Err(failure) => return failure.told_without_desk(),
    };
    let outcome = run(&cli.command, &cli.globals, &mut desk).and_then(|()| Ok(desk.flush()?));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => desk.tell(failure),
    }
}

/// Tells how the command was used wrongly, or what its help says, and ends.
fn misused(error: &clap::Error) -> ! {
    let is_plain = |word: OsString| {
        let word = word.to_string_lossy();
        printable::clipped(&printable::line(&word), LONGEST_WORD) == word
    };
    if std::env::args_os().all(is_plain) {
        error.exit();
    }
    // The words of the command are in the text, in whatever letters they were.
    for line in error.render().to_string().lines() {
        eprintln!("{}", paint::printed(line));
    }
    std::process::exit(error.exit_code())
}

/// A longer word of a command is told in part.
const LONGEST_WORD: usize = 1_000;

fn run(command: &Command, globals: &Globals, desk: &mut Desk) -> Result<(), Failure> {
    let is_counted = matches!(command, Command::Odds(_) | Command::Simulate(_));
    if globals.format == Format::Csv && !is_counted {
        return Err(Failure::Usage(
            "`--format csv` is for `odds` and `simulate`".into(),
        ));
    }
    if globals.format == Format::Svg && !matches!(command, Command::Odds(_)) {
        return Err(Failure::Usage("`--format svg` is for `odds`".into()));
    }
    let is_told = matches!(
        command,
        Command::Run(_) | Command::Replay(_) | Command::Book(_) | Command::Impact(_)
    );
    if detail::is_page(globals.format) && !is_told {
        return Err(Failure::Usage(
            "`--format md` and `--format html` are for `run`, `replay`, `book` and `impact`".into(),
        ));
    }
    match command {
        Command::Run(args) => commands::run::run(args, desk),
        Command::Play(args) => commands::play::run_play(args, desk),
        Command::Watch(args) => commands::play::run_watch(args, desk),
        Command::Scenarios(args) => commands::scenarios::run(args, desk),
        Command::Check(args) => commands::check::run(args, desk),
        Command::Book(args) => commands::book::run(args, desk),
        Command::Rules(args) => commands::rules::run(args, desk),
        #[cfg(feature = "wasm")]
        Command::Build(args) => commands::build::run(args, desk),
        Command::New(args) => commands::new::run(args, desk),
        Command::Fmt(args) => commands::fmt::run(args, desk),
        Command::Test(args) => commands::test::run(args, desk),
        Command::Why(args) => commands::why::run(args, desk),
        Command::Types(args) => commands::types::run(args, desk),
        Command::Lsp(_) => commands::lsp::run(&globals.mods),
        Command::Rpc(args) => commands::rpc::run(args, &globals.mods, desk),
        Command::Serve(args) => commands::serve::run(args, desk),
        Command::Record(args) => commands::record::run(args, desk),
        Command::Replay(args) => commands::replay::run(args, desk),
        Command::Eval(args) => commands::eval::run(args, desk),
        Command::Odds(args) => commands::odds::run(args, desk),
        Command::Compare(args) => commands::compare::run(args, desk),
        Command::Conflicts(args) => commands::conflicts::run(args, desk),
        Command::Simulate(args) => commands::simulate::run(args, desk),
        Command::Health(args) => commands::health::run(args, desk),
        Command::Impact(args) => commands::impact::run(args, desk),
        Command::Bisect(args) => commands::bisect::run(args, desk),
        Command::Design(args) => commands::design::run(args, desk),
    }
}

/// Keeps what rules become in the cache: the code of components, and what was read
/// of texts.
fn keep_compiled() {
    let Some(folder) = config::cache() else {
        return;
    };
    if let Some(program) = config::program() {
        houserule::keep_texts(&folder.join("texts"), &program);
    }
    #[cfg(feature = "wasm")]
    houserule::wasm::keep_compiled(&folder.join("wasm"));
}
