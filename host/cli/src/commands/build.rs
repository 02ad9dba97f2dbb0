//! `houserule build`: makes the component of a mod.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use houserule::wasm;
use serde_json::Value as Json;

use crate::desk::{Desk, Failure};

const EXAMPLES: &str = "\
Examples:
  houserule build tcs                       the mod's folder `rust`, with cargo
  houserule build mods/echo --module a.wasm --source mods/echo/c
                                            a module that another compiler made
  houserule build tcs --build-std           where rustup has no target: builds the
                                            standard library from its sources too

Cargo and the compiler are those of the path, or of CARGO and RUSTC. Once:
  rustup target add wasm32-unknown-unknown";

/// How cargo builds modules: small, and without what a mod cannot use.
const PROFILE: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s"),
    ("CARGO_PROFILE_RELEASE_LTO", "true"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
    ("CARGO_PROFILE_RELEASE_STRIP", "true"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
];

/// Makes the component of a mod that is written in a compiled language.
///
/// A mod in Rust has its sources in a folder `rust`; cargo builds them. A module
/// of any other compiler is given with `--module`. Either becomes a component
/// that keeps to the contract, `rules/<id>.wasm` in the mod's folder.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BuildArgs {
    /// A mod, or its folder
    #[arg(value_name = "MOD")]
    pub chosen: String,
    /// A module to make the component of, instead of building `rust`
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
    /// The folder with the source of that module
    #[arg(long, value_name = "DIR", requires = "module")]
    pub source: Option<PathBuf>,
    /// Build the standard library from its sources too
    #[arg(long, conflicts_with = "module")]
    pub build_std: bool,
}

/// Runs the command.
///
/// # Errors
/// When the mod is not there, does not compile, or does not keep to the contract.
pub fn run(args: &BuildArgs, desk: &mut Desk) -> Result<(), Failure> {
    let folder = folder_of(&args.chosen, desk)?;
    build(&folder, args.module.as_deref(), args.source.as_deref(), args.build_std, desk)
}

/// Makes the component of the mod in a folder.
///
/// # Errors
/// When it does not compile, or does not keep to the contract.
pub fn build(
    folder: &Path,
    module: Option<&Path>,
    source: Option<&Path>,
    build_std: bool,
    desk: &mut Desk,
) -> Result<(), Failure> {
    let id = match folder.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => return Err(Failure::Usage(format!("`{}` is no folder of a mod", folder.display()))),
    };
    let (module, source) = match module {
        Some(module) => (module.to_path_buf(), source.map_or_else(|| folder.join("c"), Path::to_path_buf)),
        None => (cargo(&folder.join("rust"), build_std)?, folder.join("rust")),
    };
    let plain =
        |path: &Path, error: &dyn std::fmt::Display| Failure::Plain(format!("{}: {error}", path.display()));
    let hash = wasm::source_hash(&source).map_err(|error| plain(&source, &error))?;
    let bytes = std::fs::read(&module).map_err(|error| plain(&module, &error))?;
    let component = wasm::pack(&bytes, &hash)?;
    let target = folder.join("rules").join(format!("{id}.wasm"));
    std::fs::create_dir_all(folder.join("rules")).map_err(|error| plain(folder, &error))?;
    std::fs::write(&target, &component).map_err(|error| plain(&target, &error))?;
    let size = component.len().div_ceil(1000);
    desk.line(format!("{}, {size} kB", target.display()))?;
    Ok(())
}

/// The folder of a mod: one of those that were found, or a path.
fn folder_of(chosen: &str, desk: &Desk) -> Result<PathBuf, Failure> {
    let found = desk.workshop.sources().get(chosen).and_then(|sources| sources.folder.clone());
    let folder = found.unwrap_or_else(|| PathBuf::from(chosen));
    match folder.join("mod.ron").is_file() {
        true => Ok(folder),
        false => Err(Failure::Usage(format!("there is no mod `{chosen}`, nor a folder of one"))),
    }
}

/// Builds a crate; the path of its module.
fn cargo(folder: &Path, build_std: bool) -> Result<PathBuf, Failure> {
    let manifest = folder.join("Cargo.toml");
    if !manifest.is_file() {
        let message =
            format!("expected the rules of the mod in `{}`, found no Cargo.toml there", folder.display());
        return Err(Failure::Plain(message));
    }
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&program);
    command.args([
        "build",
        "--release",
        "--target",
        wasm::TARGET,
        "--message-format",
        "json-render-diagnostics",
    ]);
    command.arg("--manifest-path").arg(&manifest).envs(PROFILE).stderr(Stdio::inherit());
    // No path of this machine is for others to see.
    let here = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let above = here.ancestors().nth(3).unwrap_or(&here);
    command.env("RUSTFLAGS", format!("--remap-path-prefix={}/=", above.display()));
    if build_std {
        // Only compilers that are told so build their own library.
        command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
    }
    let output = command.output().map_err(|error| {
        Failure::Plain(format!("`{}` cannot be started: {error}", program.to_string_lossy()))
    })?;
    if !output.status.success() {
        let hint = "it does not compile; if `core` was not found: rustup target add wasm32-unknown-unknown";
        return Err(Failure::Plain(hint.into()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut made =
        text.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok()).filter_map(|line| {
            let file = line["filenames"]
                .as_array()?
                .iter()
                .filter_map(Json::as_str)
                .find(|file| file.ends_with(".wasm"))?;
            Some(PathBuf::from(file))
        });
    made.next_back().ok_or_else(|| {
        Failure::Plain("expected a module, found none: `crate-type` must contain \"cdylib\"".into())
    })
}
