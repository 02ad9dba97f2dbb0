//! What can be said to every command: where mods are, and how to print.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What every command takes.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// A folder of mods, or one mod; can be given again
    ///
    /// Without it, the folders that `houserule.ron` lists, in this folder or the
    /// nearest one above that has such a file; without that, `mods`.
    #[arg(long, value_name = "DIR", global = true)]
    pub mods: Vec<PathBuf>,
    /// How to print
    ///
    /// As JSON, what happens over time (`run`, `test`, `replay`) is one object a
    /// line, and everything else one document.
    #[arg(long, value_name = "FORMAT", default_value = "text", global = true)]
    pub format: Format,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,
    /// Say what the engine does, on standard error: `debug`, `houserule=trace`
    ///
    /// With `--format json` one object a line. `HOUSERULE_LOG` says the same for
    /// every command.
    #[arg(long, value_name = "FILTER", global = true)]
    pub log: Option<String>,
    /// Write where the time goes to a file that Perfetto opens
    #[arg(long, value_name = "FILE", global = true)]
    pub trace: Option<PathBuf>,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// As a table, for `odds` and `simulate`.
    Csv,
    /// As a picture, for `odds`.
    Svg,
    /// The story of a game as Markdown, with maps, for `run` and `replay`.
    Md,
    /// The same as a page of HTML.
    Html,
}

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Even into a file.
    Always,
    /// Not even on a terminal.
    Never,
}

impl Color {
    /// Sets it for everything that is printed from now on.
    pub fn apply(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}
