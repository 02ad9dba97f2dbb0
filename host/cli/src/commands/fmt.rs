//! `houserule fmt`: the Luau files of mods, laid out as everybody's are.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use houserule::format::{LaidOut, laid_out};
use houserule::kernel::error::Fault;
use houserule::modset::files::LARGEST_FILE;
use houserule::printable;
use serde_json::json;

use crate::diagnostics::Severity;
use crate::failure::Failure;
use crate::ui::Ui;
use houserule::printable::counted;

/// Folders nested deeper than this are passed over.
const DEEPEST: usize = 32;

const EXAMPLES: &str = "\
Examples:
  houserule fmt                       all mods
  houserule fmt iceburg               one mod
  houserule fmt --check mods tests    changes nothing; fails if a file is laid out otherwise
  houserule fmt - < fire.luau         for an editor: prints it as it should be";

/// Lays out the Luau files of mods, in one way for everybody.
///
/// Lines are broken before column 100 where they can be. Comments and the words
/// of texts stay as they are, and so does a statement that cannot be laid out, of
/// which a warning tells. There is nothing to set.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct FmtArgs {
    /// Mods by id, files, folders, or `-` for standard input; all mods without it
    #[arg(value_name = "WHAT")]
    pub what: Vec<String>,
    /// Change nothing; list the files that would change, and fail if there are some
    #[arg(long)]
    pub check: bool,
}

/// Runs the command.
///
/// # Errors
/// When a file is no Luau, cannot be read or written, or with `--check` is laid
/// out otherwise.
pub fn run(args: &FmtArgs, ui: &mut Ui) -> Result<(), Failure> {
    if args.what.iter().any(|what| what == "-") {
        return from_input(args, ui);
    }
    let mut files = Vec::new();
    for folder in wanted(&args.what, ui)? {
        collect(&folder, 0, &mut files);
    }
    files.sort();
    files.dedup();
    let mut found = LaidOutFiles::default();
    for path in &files {
        match of_file(path, args.check)? {
            Ok((is_other, left)) => {
                let path = is_other.then(|| printable::line(&path.to_string_lossy()).into_owned());
                found.changed.extend(path);
                found.left.extend(left);
            }
            Err(fault) => found.faults.push(fault),
        }
    }
    tell(args, files.len(), &found, ui)
}

/// What was found in all files.
#[derive(Default)]
struct LaidOutFiles {
    /// The files that are laid out otherwise.
    changed: Vec<String>,
    /// What was left as it is of files that were laid out.
    left: Vec<Fault>,
    /// Of files that could not be.
    faults: Vec<Fault>,
}

fn tell(args: &FmtArgs, files: usize, found: &LaidOutFiles, ui: &mut Ui) -> Result<(), Failure> {
    let LaidOutFiles {
        changed,
        left,
        faults,
    } = found;
    let is_bad = !faults.is_empty() || args.check && !changed.is_empty();
    ui.faults(faults, Severity::Error)?;
    ui.faults(left, Severity::Warning)?;
    if ui.is_json() {
        ui.json(&json!({ "type": "formatted", "files": files, "changed": changed, "check": args.check }))?;
    } else {
        changed.iter().try_for_each(|path| ui.line(path))?;
        let what = if args.check {
            "laid out otherwise"
        } else {
            "laid out"
        };
        let beside = match left.len() {
            0 => String::new(),
            parts => format!(", {} left as written", counted(parts, "statement")),
        };
        let files = counted(files, "file");
        ui.line(format!("{files}, {} {what}{beside}", changed.len()))?;
    }
    if is_bad {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

/// The files and folders that are meant.
fn wanted(asked: &[String], ui: &Ui) -> Result<Vec<PathBuf>, Failure> {
    let sources = ui.workshop.sources();
    if asked.is_empty() {
        return Ok(sources
            .values()
            .filter_map(|sources| sources.folder.clone())
            .collect());
    }
    let one = |what: &String| {
        let module = sources
            .get(what.as_str())
            .and_then(|sources| sources.folder.clone());
        let path = module.unwrap_or_else(|| PathBuf::from(what));
        match path.exists() {
            true => Ok(path),
            false => Err(Failure::Usage(format!(
                "`{what}` is no mod, file or folder"
            ))),
        }
    };
    asked.iter().map(one).collect()
}

/// The Luau files in a folder; definitions of types are no rules.
fn collect(path: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy())
            .unwrap_or_default();
        if depth == 0 || name.ends_with(".luau") && !name.ends_with(".d.luau") {
            files.push(path.to_path_buf());
        }
        return;
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = !name.starts_with('.') && name != "target" && name != "node_modules";
        if is_ours && depth < DEEPEST && !entry.file_type().is_ok_and(|ty| ty.is_symlink()) {
            collect(&entry.path(), depth + 1, files);
        }
    }
}

/// Lays out a file; whether it changes, and what was left of it.
fn of_file(path: &Path, is_check: bool) -> Result<Result<(bool, Vec<Fault>), Fault>, Failure> {
    let cannot = |error: std::io::Error| Failure::Plain(format!("{}: {error}", path.display()));
    if fs::metadata(path).map_err(cannot)?.len() > LARGEST_FILE {
        return Err(Failure::Plain(format!(
            "{}: too large to be a file of rules",
            path.display()
        )));
    }
    let text = fs::read_to_string(path).map_err(cannot)?;
    let found = match laid_out("", &path.to_string_lossy(), &text) {
        Ok(found) => found,
        Err(fault) => return Ok(Err(fault)),
    };
    let is_other = found.text != text;
    if is_other && !is_check {
        fs::write(path, found.text).map_err(cannot)?;
    }
    Ok(Ok((is_other, found.left)))
}

/// For editors: the text comes in, and goes out as it should be.
fn from_input(args: &FmtArgs, ui: &mut Ui) -> Result<(), Failure> {
    if args.what.len() > 1 {
        return Err(Failure::Usage("`-` stands alone".into()));
    }
    let mut text = String::new();
    std::io::stdin()
        .take(LARGEST_FILE)
        .read_to_string(&mut text)?;
    let LaidOut { text: found, left } = laid_out("", "-", &text)?;
    if !ui.is_json() {
        ui.faults(&left, Severity::Warning)?;
    }
    if args.check {
        return if found == text {
            Ok(())
        } else {
            Err(Failure::Reported)
        };
    }
    ui.file(&found)?;
    Ok(())
}
