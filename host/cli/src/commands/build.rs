//! `houserule build`: makes the component of a mod.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use houserule::modset::files::Sources;
use houserule::{wasm, whole};
use serde_json::{Value as Json, json};

use crate::config;
use crate::failure::Failure;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule build tcs                       the mod's folder `rust`, with cargo
  houserule build tests/tally               its folder `c`, with clang and lld
  houserule build mods/echo --module a.wasm --source mods/echo/zig
                                            a module that another compiler made

Cargo and the compilers are those of the path, or of CARGO, RUSTC and CC. Once:
  rustup target add wasm32-unknown-unknown
A compiler with the sources of its standard library builds that too.";

/// How cargo builds modules: small, and without what a mod cannot use.
const PROFILE: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s"),
    ("CARGO_PROFILE_RELEASE_LTO", "true"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
    ("CARGO_PROFILE_RELEASE_STRIP", "true"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
];

/// What every call of a rule goes through is small, and made quick instead.
const GUEST: &str = "profile.release.package.houserule-guest.opt-level=3";

/// Makes the component of a mod that is written in a compiled language.
///
/// A mod in Rust has its sources in a folder `rust`; cargo builds them. One in C
/// has them in a folder `c`; clang builds those. A module of any other compiler
/// is given with `--module`. Each becomes a component that keeps to the
/// contract, `rules/<id>.wasm` in the mod's folder.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BuildArgs {
    /// A mod, or its folder
    #[arg(value_name = "MOD")]
    pub chosen: String,
    /// A module to make the component of, instead of building `rust` or `c`
    #[arg(long, value_name = "FILE")]
    pub module: Option<PathBuf>,
    /// The folder with the source of that module, if it is not `c`
    #[arg(long, value_name = "DIR", requires = "module")]
    pub source: Option<PathBuf>,
    /// Build the standard library from its sources, even if it is there
    #[arg(long, conflicts_with = "module")]
    pub build_std: bool,
}

/// Runs the command.
///
/// # Errors
/// When the mod is not there, does not compile, or does not keep to the contract.
pub fn run(args: &BuildArgs, ui: &mut Ui) -> Result<(), Failure> {
    let folder = folder_of(&args.chosen, ui)?;
    let built = build(
        &folder,
        args.module.as_deref(),
        args.source.as_deref(),
        args.build_std,
    )?;
    if ui.is_json() {
        let BuiltComponent { id, file, bytes } = built;
        let json = json!({ "mod": id, "file": file.display().to_string(), "bytes": bytes });
        return Ok(ui.document(&json)?);
    }
    built.tell(ui)
}

/// A component that was made.
pub struct BuiltComponent {
    id: String,
    file: PathBuf,
    bytes: usize,
}

impl BuiltComponent {
    /// Says where it is, and how large.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn tell(&self, ui: &mut Ui) -> Result<(), Failure> {
        let size = self.bytes.div_ceil(1000);
        Ok(ui.line(format!("{}, {size} kB", self.file.display()))?)
    }
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
) -> Result<BuiltComponent, Failure> {
    let id = Sources::read(folder)?.id;
    let (rust, c) = (folder.join("rust"), folder.join("c"));
    let plain = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::Plain(format!("{}: {error}", path.display()))
    };
    let read = |path: &Path| std::fs::read(path).map_err(|error| plain(path, &error));
    let (bytes, source) = match module {
        Some(module) => (read(module)?, source.map_or(c, Path::to_path_buf)),
        None if c.is_dir() && !rust.is_dir() => (clang(&c)?, c),
        None => (read(&cargo(&rust, build_std)?)?, rust),
    };
    let hash = wasm::source_hash(&source).map_err(|error| plain(&source, &error))?;
    let component = wasm::pack(&bytes, &hash)?;
    let rules = folder.join("rules");
    let target = rules.join(format!("{id}.wasm"));
    wasm::check(&id, &format!("rules/{id}.wasm"), &component)?;
    // A game that watches the folder sees it whole or not at all.
    whole::put(&target, &component).map_err(|error| Failure::unwritten(&target, &error))?;
    Ok(BuiltComponent {
        id: id.to_string(),
        file: target,
        bytes: component.len(),
    })
}

/// The folder of a mod: one of those that were found, or a path.
fn folder_of(chosen: &str, ui: &Ui) -> Result<PathBuf, Failure> {
    let found = ui
        .workshop
        .sources()
        .get(chosen)
        .and_then(|sources| sources.folder.clone());
    let folder = found.unwrap_or_else(|| PathBuf::from(chosen));
    match folder.join("mod.ron").is_file() {
        true => Ok(folder),
        false => Err(Failure::Usage(format!(
            "there is no mod `{chosen}`, nor a folder of one"
        ))),
    }
}

/// Builds a crate; the path of its module.
fn cargo(folder: &Path, build_std: bool) -> Result<PathBuf, Failure> {
    let manifest = folder.join("Cargo.toml");
    if !manifest.is_file() {
        let message = format!(
            "expected the rules of the mod in `{}`, found no Cargo.toml there",
            folder.display()
        );
        return Err(Failure::Plain(message));
    }
    let toolchain = Toolchain::find(folder)?;
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&program);
    command.args(["build", "--release", "--target", wasm::TARGET]);
    command.args(["--config", GUEST]);
    command.args([
        "--message-format",
        "json-render-diagnostics",
        "--manifest-path",
    ]);
    command
        .arg(&manifest)
        .envs(PROFILE)
        .stderr(Stdio::inherit());
    command.env("RUSTFLAGS", flags(folder));
    // What compilers leave is large: it is not for the folder of a mod.
    if let Some(cache) = config::cache() {
        command.arg("--target-dir").arg(cache.join("build"));
    }
    if build_std || !toolchain.has_library {
        // Only compilers that are told so build their own library.
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1");
    }
    if let Some(linker) = toolchain.linker {
        command.env(LINKER, linker);
    }
    let output = command
        .output()
        .map_err(|error| unstarted(&program, &error))?;
    if !output.status.success() {
        return Err(Failure::Plain("the rules do not compile, see above".into()));
    }
    module_in(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| {
        Failure::Plain("expected a module, found none: `crate-type` must contain \"cdylib\"".into())
    })
}

/// How clang builds modules: nothing but what the sources say, and small.
const CLANG: [&str; 7] = [
    "--target=wasm32-unknown-unknown",
    "-O2",
    "-nostdlib",
    "-ffreestanding",
    "-fuse-ld=lld",
    "-Wl,--no-entry",
    "-Wl,--strip-all",
];

/// Builds the module of a folder with sources in C.
fn clang(folder: &Path) -> Result<Vec<u8>, Failure> {
    let plain = |error: std::io::Error| Failure::Plain(format!("{}: {error}", folder.display()));
    let files = std::fs::read_dir(folder)
        .map_err(plain)?
        .collect::<Result<Vec<_>, _>>()
        .map_err(plain)?;
    let mut sources: Vec<PathBuf> = files.into_iter().map(|file| file.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    sources.sort();
    let named = std::env::var_os("CC").map(PathBuf::from);
    let Some(program) = named.or_else(|| newest("clang")) else {
        let message = "expected clang on the path, or a compiler for WebAssembly in CC, found none: \
                       apt install clang lld";
        return Err(Failure::Plain(message.into()));
    };
    let made = std::env::temp_dir().join(format!("houserule-{}.wasm", std::process::id()));
    let mut command = Command::new(&program);
    command
        .args(CLANG)
        .arg("-o")
        .arg(&made)
        .args(&sources)
        .stderr(Stdio::inherit());
    let status = command
        .status()
        .map_err(|error| unstarted(program.as_os_str(), &error))?;
    let module = std::fs::read(&made);
    let _ = std::fs::remove_file(&made);
    match (status.success(), module) {
        (true, Ok(module)) => Ok(module),
        _ => Err(Failure::Plain(
            "the rules do not compile, see above; clang needs its linker lld".into(),
        )),
    }
}

fn unstarted(program: &OsStr, error: &std::io::Error) -> Failure {
    Failure::Plain(format!(
        "`{}` cannot be started: {error}",
        program.to_string_lossy()
    ))
}

/// The last module that cargo says it has made.
fn module_in(messages: &str) -> Option<PathBuf> {
    let lines = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let mut made = lines.filter_map(|line| {
        let files = line["filenames"].as_array()?;
        files
            .iter()
            .filter_map(Json::as_str)
            .find(|file| file.ends_with(".wasm"))
            .map(PathBuf::from)
    });
    made.next_back()
}

/// Flags of the compiler: no path of this machine is for others to see.
fn flags(folder: &Path) -> String {
    let here = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    // The workspace, if it is in one; the folder of the mods otherwise.
    let workspace = here
        .ancestors()
        .skip(1)
        .filter(|above| above.join("Cargo.toml").is_file())
        .last();
    let above = workspace
        .or_else(|| here.ancestors().nth(3))
        .unwrap_or(&here);
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let hidden = home.map(|home| format!(" --remap-path-prefix={}=cargo", home.display()));
    format!(
        "{STACK} --remap-path-prefix={}/={}",
        above.display(),
        hidden.unwrap_or_default()
    )
}

/// The stack of an instance: as deep as the host lets functions be nested, and
/// little to look through when an instance ends.
const STACK: &str = "-Clink-arg=-zstack-size=262144";

/// The variable by which cargo is told which linker to use.
const LINKER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER";

/// What the compiler has for modules.
pub struct Toolchain {
    /// Whether it has the standard library built; if not, it has the sources.
    has_library: bool,
    /// A linker, where it has none of its own.
    linker: Option<PathBuf>,
}

impl Toolchain {
    /// What the compiler has that cargo will use in a folder.
    ///
    /// # Errors
    /// When there is none, or it has neither library nor sources.
    pub fn find(folder: &Path) -> Result<Toolchain, Failure> {
        let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(&program);
        let output = command
            .args(["--print", "sysroot"])
            .current_dir(folder)
            .output();
        let output = output.map_err(|error| unstarted(&program, &error))?;
        let root =
            PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).join("lib/rustlib");
        let has_library = root.join(wasm::TARGET).join("lib").is_dir();
        if !has_library && !root.join("src/rust/library/Cargo.toml").is_file() {
            let message = format!(
                "the compiler has no library for {0}: rustup target add {0}; where that cannot be had, \
                 a compiler with the sources of its library will do, see docs/modding/components.md",
                wasm::TARGET
            );
            return Err(Failure::Plain(message));
        }
        let has_linker = std::env::var_os(LINKER).is_some() || own_linker(&root);
        Ok(Toolchain {
            has_library,
            linker: if has_linker { None } else { newest("wasm-ld") },
        })
    }
}

/// Whether the compiler came with a linker for modules, or finds one.
fn own_linker(root: &Path) -> bool {
    let hosts = std::fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"));
    hosts
        .chain(search_path())
        .any(|folder| folder.join("rust-lld").is_file() || folder.join("rust-lld.exe").is_file())
}

fn search_path() -> Vec<PathBuf> {
    std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default()
}

/// A tool of LLVM, as distributions name it: the plain one, or the newest.
fn newest(tool: &str) -> Option<PathBuf> {
    let files = search_path()
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten());
    let version = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        match name.strip_prefix(tool)? {
            "" => Some(u32::MAX),
            rest => rest.strip_prefix('-')?.parse().ok(),
        }
    };
    files
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| version(path).is_some())
        .max_by_key(version)
}
