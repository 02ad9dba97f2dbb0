//! The `houserule` command: plays, tests, checks and explains rules of
//! tabletop wargames.
//!
//! Only this crate turns faults into text for a terminal.
//!
//! What it refuses to know: anything below the façade.
//!
//! Read [`args`] for what can be said, [`ui`] for what
//! every command works with, then the command that you look for in
//! [`commands`].

mod allocator;
mod args;
mod commands;
mod config;
mod detail;
mod diagnostics;
mod failure;
mod globals;
mod interrupt;
mod logging;
mod paint;
mod players;
mod progress;
mod reporter;
mod selection;
mod ui;

use std::ffi::OsString;
use std::process::ExitCode;

use anstream::eprintln;
use clap::Parser;
use houserule::printable;

use args::{Cli, Command};
use failure::Failure;
use globals::{Format, Globals};
use ui::Ui;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| misused(&error));
    cli.globals.color.apply();
    interrupt::begin();
    keep_compiled();
    let _logging = match logging::begin(&cli.globals) {
        Ok(logging) => logging,
        Err(failure) => return failure.report_without_ui(cli.globals.format),
    };
    let only_plays = matches!(cli.command, Command::Run(_) | Command::Simulate(_));
    let mut ui = match Ui::open(&cli.globals, only_plays) {
        Ok(ui) => ui,
        Err(failure) => return failure.report_without_ui(cli.globals.format),
    };
    let outcome = run(&cli.command, &cli.globals, &mut ui).and_then(|()| Ok(ui.flush()?));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ui.tell(failure),
    }
}

/// Tells how the command was used wrongly, or what its help says, and ends.
fn misused(error: &clap::Error) -> ! {
    if error.use_stderr() && asks_for_json(std::env::args_os()) {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let told = text.split_once("\n\nFor more information");
        ui::print_misuse(told.map_or(text, |(told, _)| told));
        std::process::exit(error.exit_code())
    }
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

/// Whether a command that could not be read asks for JSON.
fn asks_for_json(words: impl Iterator<Item = OsString>) -> bool {
    let words: Vec<OsString> = words.take_while(|word| word != "--").collect();
    let parted = words
        .windows(2)
        .any(|two| two[0] == "--format" && two[1] == "json");
    parted || words.iter().any(|word| word == "--format=json")
}

/// A longer word of a command is told in part.
const LONGEST_WORD: usize = 1_000;

fn run(command: &Command, globals: &Globals, ui: &mut Ui) -> Result<(), Failure> {
    let is_counted = matches!(command, Command::Odds(_) | Command::Simulate(_));
    if globals.format == Format::Csv && !is_counted {
        return Err(Failure::Usage(
            "`--format csv` is for `odds` and `simulate`".into(),
        ));
    }
    if globals.format == Format::Svg && !matches!(command, Command::Odds(_)) {
        return Err(Failure::Usage("`--format svg` is for `odds`".into()));
    }
    let is_narrated = matches!(
        command,
        Command::Run(_) | Command::Replay(_) | Command::Book(_) | Command::Impact(_)
    );
    if detail::is_page(globals.format) && !is_narrated {
        return Err(Failure::Usage(
            "`--format md` and `--format html` are for `run`, `replay`, `book` and `impact`".into(),
        ));
    }
    match command {
        Command::Run(args) => commands::run::run(args, ui),
        Command::Play(args) => commands::play::run_play(args, ui),
        Command::Watch(args) => commands::play::run_watch(args, ui),
        Command::Scenarios(args) => commands::scenarios::run(args, ui),
        Command::Check(args) => commands::check::run(args, ui),
        Command::Book(args) => commands::book::run(args, ui),
        Command::Rules(args) => commands::rules::run(args, ui),
        #[cfg(feature = "wasm")]
        Command::Build(args) => commands::build::run(args, ui),
        Command::New(args) => commands::new::run(args, ui),
        Command::Fmt(args) => commands::fmt::run(args, ui),
        Command::Test(args) => commands::test::run(args, ui),
        Command::Why(args) => commands::why::run(args, ui),
        Command::Types(args) => commands::types::run(args, ui),
        Command::Lsp(_) => commands::lsp::run(&globals.mods),
        Command::Rpc(args) => commands::rpc::run(args, &globals.mods, ui),
        Command::Serve(args) => commands::serve::run(args, ui),
        Command::Record(args) => commands::record::run(args, ui),
        Command::Replay(args) => commands::replay::run(args, ui),
        Command::Eval(args) => commands::eval::run(args, ui),
        Command::Odds(args) => commands::odds::run(args, ui),
        Command::Compare(args) => commands::compare::run(args, ui),
        Command::Conflicts(args) => commands::conflicts::run(args, ui),
        Command::Simulate(args) => commands::simulate::run(args, ui),
        Command::Health(args) => commands::health::run(args, ui),
        Command::Impact(args) => commands::impact::run(args, ui),
        Command::Bisect(args) => commands::bisect::run(args, ui),
        Command::Design(args) => commands::design::run(args, ui),
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
