//! The house rules that a command uses: shared by all that play or print.

use clap::Args;
use houserule::embed::Start;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::modset::selector::{Amendment, Request};
use houserule::play::Replayed;
use houserule::record::ModRecord;
use houserule::workshop::{Overrides, Workshop};

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
    /// Change one cell of a table, for instance `dsii.fire.ranges[RFAC,1].close=10in`
    ///
    /// In the brackets stands the key of the row, its fields parted by commas.
    #[arg(long, value_name = "CELL=VALUE", value_parser = amendment)]
    pub amend: Vec<Amendment>,
}

impl Selection {
    /// The same as the beginning of a match.
    pub fn start(&self) -> Start {
        Start {
            with: self
                .with
                .iter()
                .cloned()
                .chain(self.amend.iter().map(Amendment::to_string))
                .collect(),
            without: self.without.clone(),
            options: self.option.iter().cloned().collect(),
            ..Start::default()
        }
    }

    /// The overrides that these flags are.
    ///
    /// # Errors
    /// Selectors that do not parse.
    pub fn overrides(&self) -> Result<Overrides, Vec<Fault>> {
        let mut overrides = overrides(&self.with, &self.without, &self.option)?;
        overrides.amends.extend(self.amend.iter().cloned());
        Ok(overrides)
    }

    /// The same as a request of its own.
    ///
    /// # Errors
    /// Selectors that do not parse.
    pub fn request(&self) -> Result<Request, Vec<Fault>> {
        let mut request = request(&self.with, &self.without, &self.option)?;
        request.amends.extend(self.amend.iter().cloned());
        Ok(request)
    }
}

fn request(
    with: &[String],
    without: &[String],
    options: &[(String, String)],
) -> Result<Request, Vec<Fault>> {
    Request::gather(with, without, options.iter().map(|(id, value)| (id, value)))
}

/// The overrides of lines of what to take, lines of what to leave out, and
/// options.
///
/// # Errors
/// Selectors that do not parse.
pub fn overrides(
    with: &[String],
    without: &[String],
    options: &[(String, String)],
) -> Result<Overrides, Vec<Fault>> {
    let request = request(with, without, options)?;
    Ok(Overrides {
        with: request.with.iter().map(ToString::to_string).collect(),
        without: request.without.iter().map(ToString::to_string).collect(),
        options: request.options,
        amends: request.amends,
        force_without: request.force_without,
        seed: None,
        turns: None,
    })
}

/// Whether the mods that a journal was played by are among those that are here.
///
/// # Errors
/// Those that are not, each with its version, and by which flags they can be named.
pub fn mods_are_here(
    journal: &str,
    replayed: &Replayed,
    workshop: &Workshop,
    flags: &str,
) -> Result<(), Fault> {
    let is_missing = |record: &&ModRecord| !workshop.manifests().contains_key(&record.id);
    let missing: Vec<String> = replayed
        .mods
        .iter()
        .filter(is_missing)
        .map(|record| format!("`{}` {}", record.id, record.version))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "`{journal}` was played with {}, found none in the folders of mods",
        missing.join(" and ")
    );
    let hint = format!("name the folder that has them by {flags}, which can be given again");
    Err(Fault::new(FaultCode::UnknownMod, message).hint(hint))
}

/// A cell of a table and what it is to hold.
pub fn amendment(text: &str) -> Result<Amendment, String> {
    Amendment::parse(text).map_err(|fault| fault.into_message())
}

/// A seed, as it is typed.
///
/// # Errors
/// What is none.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// A number of turns, as it is typed.
///
/// # Errors
/// What is none.
pub fn turns(text: &str) -> Result<u32, String> {
    let turns = text.parse().ok().filter(|turns| *turns > 0);
    turns.ok_or_else(|| format!("expected a whole number from 1 to {}", u32::MAX))
}

/// Parts `id=value`.
pub fn id_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((id, value)) if !id.is_empty() => Ok((id.trim().to_string(), value.to_string())),
        _ => Err("expected `id=value`".into()),
    }
}
