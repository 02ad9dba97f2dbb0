//! Where the mods are: the flags, else `houserule.ron`, else `mods`; and where
//! is kept what can be made again.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use houserule::data::reader::{parted_line, syntax_fault};
use houserule::kernel::error::{Fault, FaultCode, Place};
use houserule::modset::files::read_text;
use houserule::testing::Memory;
use serde::Deserialize;

const FILE: &str = "houserule.ron";

/// The folders that a config file lists, as it writes them.
#[derive(Deserialize)]
#[serde(rename = "Houserule", deny_unknown_fields)]
struct Config {
    #[serde(default = "default_mods")]
    mods: Vec<PathBuf>,
}

fn default_mods() -> Vec<PathBuf> {
    vec![PathBuf::from("mods")]
}

/// The folders of mods.
///
/// # Errors
/// A config file that cannot be read.
pub fn mod_folders(given: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let here = std::env::current_dir().unwrap_or_default();
    match here.ancestors().find(|folder| folder.join(FILE).is_file()) {
        Some(folder) => read(folder, folder == here),
        None => Ok(default_mods()),
    }
}

fn read(folder: &Path, is_here: bool) -> Result<Vec<PathBuf>, Fault> {
    let path = folder.join(FILE);
    let name = path.display().to_string();
    let text = read_text(&path).map_err(|reason| {
        Fault::new(FaultCode::Unreadable, reason).at(Place::new("", name.as_str(), 0))
    })?;
    let config: Config = ron::from_str(&text).map_err(|error| {
        let mut place = Place::new("", name.as_str(), error.span.start.line as u32);
        place.column = error.span.start.col as u32;
        let fault =
            syntax_fault(&error.code, parted_line(&text, place.line, place.column)).at(place);
        fault.hint("it looks like this: Houserule(mods: [\"mods\", \"../my-mods\"])")
    })?;
    let from_here = |dir: PathBuf| if is_here { dir } else { folder.join(dir) };
    Ok(config.mods.into_iter().map(from_here).collect())
}

/// Where things are kept between two runs: where the system keeps such things,
/// or where `HOUSERULE_CACHE` says.
pub fn cache() -> Option<PathBuf> {
    let named = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let folder = named("HOUSERULE_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|folder| folder.join("houserule")))
        .or_else(|| named("LOCALAPPDATA").map(|folder| folder.join("houserule")))
        .or_else(|| named("HOME").map(|folder| folder.join(".cache").join("houserule")));
    folder.filter(|folder| folder.is_absolute())
}

/// The folders of the cache that grow by each edit of a rule.
const GROW: &[&str] = &["audiences", "checked", "texts"];

/// So many files one of them may have; all mods that ship leave some hundreds there.
const MOST_KEPT: usize = 10_000;

/// Removes what was kept long ago, where much is kept.
pub fn tidy_cache() {
    let Some(cache) = cache() else { return };
    for folder in GROW {
        houserule::tidy_texts(&cache.join(folder), MOST_KEPT);
    }
}

/// What tells this program from every other one: where it is, how large it is and
/// when it was built, as far as the system knows.
pub fn program() -> Option<String> {
    let path = std::env::current_exe().ok()?.canonicalize().ok()?;
    let program = std::fs::metadata(&path).ok()?;
    let built = program
        .modified()
        .ok()?
        .duration_since(UNIX_EPOCH)
        .ok()?
        .as_nanos();
    Some(format!(
        "{} {} {built} {}",
        env!("CARGO_PKG_VERSION"),
        program.len(),
        path.display()
    ))
}

/// Where it is kept which tests have passed, if there is a place for it.
pub fn memory() -> Option<Memory> {
    Some(Memory {
        folder: cache()?.join("passed"),
        program: program()?,
    })
}
