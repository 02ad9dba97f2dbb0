//! Makes components of the modules that compilers build.

use std::path::Path;

use kernel::error::{Fault, FaultCode, Place};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use rules::modset::files::Sources;

/// The target for which mods in Rust are compiled.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The section that holds the hash of what a component was built from.
const SOURCE: &str = "houserule:source";

/// The contract as it is published, by file.
const CONTRACT: [(&str, &str); 5] = [
    ("data.wit", include_str!("../../../schemas/wit/v1/data.wit")),
    ("game.wit", include_str!("../../../schemas/wit/v1/game.wit")),
    (
        "geometry.wit",
        include_str!("../../../schemas/wit/v1/geometry.wit"),
    ),
    (
        "hexes.wit",
        include_str!("../../../schemas/wit/v1/hexes.wit"),
    ),
    (
        "registration.wit",
        include_str!("../../../schemas/wit/v1/registration.wit"),
    ),
];

/// Whether bytes begin as a component does (and not as a module).
pub fn is_component(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm\x0d\0\x01\0")
}

fn bad(message: String) -> Fault {
    Fault::new(FaultCode::BadComponent, message)
}

/// Makes a component of a module; `source` is the hash of what the module was
/// built from. Modules of compilers that know nothing of components will do,
/// if they import and export what the contract says under its names.
///
/// # Errors
/// When it is no module, or does not fit the contract.
pub fn pack(module: &[u8], source: &blake3::Hash) -> Result<Vec<u8>, Fault> {
    let mut module = module.to_vec();
    if !has_section(&module, b"component-type") {
        let mut resolve = Resolve::default();
        let mut files = wit_parser::SourceMap::new();
        CONTRACT
            .iter()
            .for_each(|(path, text)| files.push_str(path, *text));
        let package = files
            .parse()
            .map_err(|(_, error)| bad(format!("expected the contract, found: {error:?}")))
            .and_then(|group| {
                resolve
                    .push_group(group)
                    .map_err(|error| bad(format!("expected the contract, found: {error:?}")))
            })?;
        let world = resolve
            .select_world(&[package], Some("module"))
            .map_err(|error| bad(format!("expected the world `module`, found: {error:#}")))?;
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
            .map_err(|error| bad(format!("expected a WebAssembly module, found: {error:#}")))?;
    }
    let packed = ComponentEncoder::default()
        .validate(true)
        .module(&module)
        .and_then(|mut encoder| encoder.encode());
    let mut component = packed.map_err(|error| {
        let text = format!("{error:#}");
        let first = text.lines().next().unwrap_or("").to_string();
        bad(format!(
            "expected a module that keeps to the contract, found: {first}"
        ))
        .hint("see `schemas/wit/v1`")
    })?;
    append_section(&mut component, source.as_bytes());
    Ok(component)
}

/// Whether a module has a custom section whose name begins so.
fn has_section(module: &[u8], name: &[u8]) -> bool {
    sections(module)
        .any(|(id, body)| id == 0 && named(body).is_some_and(|(found, _)| found.starts_with(name)))
}

/// The hash of what a component was built from, if it says so.
pub fn source_hash_in(component: &[u8]) -> Option<blake3::Hash> {
    sections(component)
        .filter(|(id, _)| *id == 0)
        .filter_map(|(_, body)| named(body))
        .find(|(name, _)| *name == SOURCE.as_bytes())
        .and_then(|(_, hash)| Some(blake3::Hash::from_bytes(hash.try_into().ok()?)))
}

/// The sections of a module or component: number and body.
pub(crate) fn sections(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = bytes.get(8..).unwrap_or(&[]);
    std::iter::from_fn(move || {
        let (&id, more) = rest.split_first()?;
        let (size, more) = number(more)?;
        let body = more.get(..size)?;
        rest = &more[size..];
        Some((id, body))
    })
}

/// The name of a custom section, and what it holds.
fn named(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let (size, rest) = number(body)?;
    Some((rest.get(..size)?, rest.get(size..)?))
}

/// A number in seven bits a byte, and what follows it.
pub(crate) fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0usize;
    for (i, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (i * 7);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[i + 1..]));
        }
    }
    None
}

fn append_section(component: &mut Vec<u8>, content: &[u8]) {
    let size = 1 + SOURCE.len() + content.len();
    // Both lengths are below 128: one byte each.
    component.extend([0, size as u8, SOURCE.len() as u8]);
    component.extend(SOURCE.as_bytes());
    component.extend(content);
}

/// The hash of the files that a mod's component is built from: `Cargo.toml`
/// and everything under `src` of its `rust` folder, or the single source of
/// another language. Line ends do not count.
///
/// # Errors
/// In words, when they cannot be read.
pub fn source_hash(folder: &Path) -> Result<blake3::Hash, String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for path in files {
        let text = rules::modset::files::read_text(&path)?.replace("\r\n", "\n");
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        for part in [name.as_str(), text.as_str()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    Ok(hasher.finalize())
}

/// The components of a mod that were built from another source than the one
/// that lies beside them, in the folder `rust` or `c`: each is a warning.
pub fn outdated(sources: &Sources) -> Vec<Fault> {
    let Some(folder) = &sources.folder else {
        return Vec::new();
    };
    let beside = ["rust", "c"]
        .map(|name| folder.join(name))
        .into_iter()
        .find(|source| source.is_dir());
    let Some(beside) = beside else {
        return Vec::new();
    };
    let Ok(now) = source_hash(&beside) else {
        return Vec::new();
    };
    let is_old = |path: &&str| {
        let built_from = std::fs::read(folder.join(path))
            .ok()
            .and_then(|bytes| source_hash_in(&bytes));
        path.ends_with(".wasm") && built_from.is_some_and(|hash| hash != now)
    };
    let fault = |path: &str| {
        let message = "expected a component built from the source beside it, found one that is older or newer";
        Fault::new(FaultCode::BadComponent, message)
            .at(Place::new(&*sources.id, path, 0))
            .hint(format!("`houserule build {}`", sources.id))
    };
    sources
        .all()
        .into_keys()
        .filter(is_old)
        .map(fault)
        .collect()
}

/// What counts as source.
const ENDINGS: [&str; 8] = [".rs", ".toml", ".c", ".cc", ".cpp", ".h", ".wat", ".zig"];

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result<(), String> {
    let unreadable =
        |error: std::io::Error| format!("expected a readable folder, found {}", error.kind());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                collect(&path, files)?;
            }
        } else if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    Ok(())
}
