//! The house rules that a command uses: shared by all that play or print.

use clap::Args;
use houserule::embed::Start;
use houserule::kernel::error::Fault;
use houserule::modset::selector::Request;
use houserule::workshop::Wishes;

/// Which house rules to use.
#[derive(Args)]
#[command(next_help_heading = "House rules")]
pub struct Selection {
    /// Use a mod, some groups or clauses of it, or a whole selector line
    ///
    /// For instance `iceburg`, `iceburg:rfac,sam`, `iceburg.rfac.points`, or the
    /// line that a report ends with, in quotes. Can be given again.
    #[arg(long, value_name = "SELECTOR")]
    pub with: Vec<String>,
    /// Leave a mod, group or clause out
    #[arg(long, value_name = "SELECTOR")]
    pub without: Vec<String>,
    /// Set an option of a mod
    #[arg(long, value_name = "ID=VALUE", value_parser = id_and_value)]
    pub option: Vec<(String, String)>,
}

impl Selection {
    /// The same as the beginning of a match.
    pub fn start(&self) -> Start {
        Start {
            with: self.with.clone(),
            without: self.without.clone(),
            options: self.option.iter().cloned().collect(),
            ..Start::default()
        }
    }

    /// The wishes that these flags are.
    ///
    /// # Errors
    /// Selectors that do not parse.
    pub fn wishes(&self) -> Result<Wishes, Vec<Fault>> {
        wishes(&self.with, &self.without, &self.option)
    }

    /// The same as a request of its own.
    ///
    /// # Errors
    /// Selectors that do not parse.
    pub fn request(&self) -> Result<Request, Vec<Fault>> {
        request(&self.with, &self.without, &self.option)
    }
}

fn request(with: &[String], without: &[String], options: &[(String, String)]) -> Result<Request, Vec<Fault>> {
    Request::gather(with, without, options.iter().map(|(id, value)| (id, value)))
}

/// What is wished by lines of what to take, lines of what to leave out, and
/// options.
///
/// # Errors
/// Selectors that do not parse.
pub fn wishes(
    with: &[String],
    without: &[String],
    options: &[(String, String)],
) -> Result<Wishes, Vec<Fault>> {
    let request = request(with, without, options)?;
    Ok(Wishes {
        with: request.with.iter().map(ToString::to_string).collect(),
        without: request.without.iter().map(ToString::to_string).collect(),
        options: request.options,
        force_without: request.force_without,
        seed: None,
        turns: None,
    })
}

/// Parts `id=value`.
pub fn id_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((id, value)) if !id.is_empty() => Ok((id.trim().to_string(), value.to_string())),
        _ => Err("expected `id=value`".into()),
    }
}
