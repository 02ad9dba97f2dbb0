//! `houserule new`: a mod with one clause that works, or a game of one's own.

mod change;
mod game;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use houserule::analysis::opening::ScenarioOpening;
#[cfg(feature = "wasm")]
use houserule::bindings::bindings_of;
use houserule::format::formatted;
#[cfg(feature = "wasm")]
use houserule::kernel::value::Name;
use houserule::kernel::value::owner_of;
use houserule::modset::files::is_mod_id;
use houserule::modset::manifest::Manifest;
use houserule::testing::{Filter, accept, run_suite};
use houserule::whole;
use houserule::workshop::Workshop;
use serde_json::json;

use crate::failure::Failure;
use crate::interrupt;
use crate::ui::Ui;
use change::ChangeKind;

const EXAMPLES: &str = "\
Examples:
  houserule new steady --extends dsii               a rule of its own
  houserule new steady --extends dsii --lang rust   the same in Rust
  houserule new nerve --wrap dsii.conf.levels_lost  a rule of the game, changed
  houserule new nerve --line dsii.ca.chits          the same by a line, of a rule that is open
  houserule new skirmish --game                     a small game of your own

In each of them change what stands there, and go on.";

/// Makes a mod with one clause that works, its case and its golden.
///
/// It stands beside the mod that it extends, and passes `check` and `test` as it
/// is. With `--wrap` or `--line` it changes a rule, and its case fails without the
/// change. With `--game` it is a small game that runs, and extends nothing.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct NewArgs {
    /// The id of the new mod: one lower case word
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The mod whose rules it changes
    #[arg(long, value_name = "MOD")]
    pub extends: Option<String>,
    /// Change this rule by a wrap around it
    #[arg(long, value_name = "RULE", conflicts_with_all = ["line", "game", "extends"])]
    pub wrap: Option<String>,
    /// Change this rule by a line, which it must be open for
    #[arg(long, value_name = "RULE", conflicts_with_all = ["game", "extends"])]
    pub line: Option<String>,
    /// Make a small game, which extends nothing
    #[arg(long, conflicts_with = "extends")]
    pub game: bool,
    /// The language of its rules
    #[arg(long, value_name = "LANGUAGE", default_value = "luau")]
    pub lang: Language,
    /// The folder to put it in; that of the mod it extends without it
    #[arg(long = "in", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// What rules are written in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Scripts, loaded as they are.
    Luau,
    /// A component, built by cargo.
    Rust,
}

/// Runs the command.
///
/// # Errors
/// When there is such a mod already, none to extend, or it cannot be written.
pub fn run(args: &NewArgs, ui: &mut Ui) -> Result<(), Failure> {
    if !is_mod_id(&args.name) {
        let text = format!(
            "`{}` is no id of a mod: lower case letters, digits, `_`, beginning with a letter",
            args.name
        );
        return Err(Failure::Usage(text));
    }
    is_free_name(&args.name)?;
    says_what(args)?;
    has_language(args)?;
    if args.game {
        if game::CHAPTERS.contains(&&*args.name) {
            let text = format!(
                "`{}` is a chapter of that game already: choose another name",
                args.name
            );
            return Err(Failure::Usage(text));
        }
        let folder = free(args, None, ui)?;
        return whole_or_none(&folder, args, ui, |_| game::write_all(&folder, &args.name));
    }
    if let Some((rule, way)) = rule(args) {
        return changing(args, rule, way, ui);
    }
    let base = ui
        .workshop
        .manifest(args.extends.as_deref().unwrap_or_default())?
        .clone();
    let folder = free(args, Some(&base), ui)?;
    if let Language::Rust = args.lang {
        can_build()?;
    }
    let (begun, scenario) = scenario(&args.name, &base, None, &ui.workshop)?;
    let opening = opening(&base.id, &begun, &ui.workshop);
    let case = formatted(
        &args.name,
        "tests/first.luau",
        &case(&args.name, args.lang, &opening),
    )?;
    whole_or_none(&folder, args, ui, |ui| {
        write(&folder, "mod.ron", &manifest(&args.name, &base, &BONUS))?;
        write(&folder, "README.md", &readme(&args.name, &base, BONUS.text))?;
        write(
            &folder,
            &format!("scenarios/{}-first.ron", args.name),
            &scenario,
        )?;
        write(&folder, "tests/first.luau", &case)?;
        match args.lang {
            Language::Luau => write(
                &folder,
                "rules/first.luau",
                &RULE.replace("NAME", &args.name),
            ),
            Language::Rust => rust(&folder, &args.name, ui),
        }
    })
}

/// Whether it is said what is to be made.
fn says_what(args: &NewArgs) -> Result<(), Failure> {
    let is_change = args.extends.is_some() || args.wrap.is_some() || args.line.is_some();
    if args.game || is_change {
        return Ok(());
    }
    Err(Failure::Usage(
        "expected what it is: `--extends MOD`, a mod with a rule of its own; `--wrap RULE` or `--line RULE`, a \
         change of a rule; `--game`, a game"
            .into(),
    ))
}

/// Whether what is to be made is made in that language.
fn has_language(args: &NewArgs) -> Result<(), Failure> {
    let name = &args.name;
    let (option, instead) = match (args.lang, &args.wrap, &args.line) {
        (Language::Rust, Some(rule), _) => ("--wrap", format!("--extends {}", owner_of(rule))),
        (Language::Rust, _, Some(rule)) => ("--line", format!("--extends {}", owner_of(rule))),
        (Language::Rust, None, None) if args.game => ("--game", "--extends MOD".into()),
        _ => return Ok(()),
    };
    Err(Failure::Usage(format!(
        "`{option}` makes a mod in Luau: `houserule new {name} {instead} --lang rust` makes one in Rust \
         (docs/modding/components.md shows wraps, game-in-rust.md a game); lines are written in Luau alone"
    )))
}

/// What Luau and its modules mean by a word, so that no mod can be called so.
const TAKEN: &[&str] = &[
    "and", "break", "continue", "do", "else", "elseif", "end", "export", "false", "for",
    "function", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true",
    "type", "until", "while", "ask", "clauses", "domain", "events", "game", "kinds", "list",
    "options", "over", "phases", "push", "rules", "tables", "test", "windows", "bit32", "buffer",
    "math", "string", "table", "utf8", "vector",
];

/// Whether rules can say the name of a mod, which they do as a name of Luau.
fn is_free_name(name: &str) -> Result<(), Failure> {
    if name.contains('-') {
        let plain = name.replace('-', "_");
        return Err(Failure::Usage(format!(
            "`{name}` has a `-`, which rules in Luau cannot say in a name: say `{plain}`"
        )));
    }
    if TAKEN.contains(&name) {
        return Err(Failure::Usage(format!(
            "`{name}` means something in rules already: choose another name"
        )));
    }
    Ok(())
}

/// Makes a mod in a folder that was not there; where something goes wrong, no
/// part of it stays. One that was stopped in the middle is gone on with, and what
/// lies there stays as it is.
fn whole_or_none(
    folder: &Path,
    args: &NewArgs,
    ui: &mut Ui,
    made: impl FnOnce(&mut Ui) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_new = !folder.exists();
    write(folder, BEGUN, "")?;
    interrupt::stops_with(&format!(
        "stopped; the same command goes on with {}",
        folder.display()
    ));
    let outcome = made(ui)
        .and_then(|()| golden(folder, args, ui))
        .and_then(|()| taken_away(&folder.join(BEGUN)))
        .and_then(|()| finished(folder, args, ui));
    if outcome.is_err() && is_new {
        // What went wrong is told; that it could not be taken away as well is seen.
        let _ = std::fs::remove_dir_all(folder);
    }
    outcome
}

/// The rule that is to be changed, and how.
fn rule(args: &NewArgs) -> Option<(&str, ChangeKind)> {
    let wrap = args.wrap.as_deref().map(|rule| (rule, ChangeKind::Wrap));
    wrap.or_else(|| args.line.as_deref().map(|rule| (rule, ChangeKind::Line)))
}

/// A mod that changes a rule, with a case that fails without it.
fn changing(args: &NewArgs, rule: &str, way: ChangeKind, ui: &mut Ui) -> Result<(), Failure> {
    let change = change::find(&ui.workshop, rule, way)?;
    let base = ui.workshop.manifest(owner_of(rule))?.clone();
    let folder = free(args, Some(&base), ui)?;
    let name = &args.name;
    let (_, scenario) = scenario(name, &base, Some(&change.scenario), &ui.workshop)?;
    let clause = First {
        group: "change",
        id: "rule",
        title: "A change",
        text: &change.text,
        effect: "Changes",
    };
    let case = |opening: &[String]| {
        let case = format!(
            "--!strict\n-- What the change of `{rule}` comes to.\n\n\
             test.case(\"the rule is changed\", {{ cites = {{ \"{name}.change.rule\" }} }}, function(t)\n{}    \
             local game = t:scenario(\"{name}-first\")\n{}end)\n",
            lines_of(opening),
            change.case
        );
        formatted(name, "tests/change.luau", &case)
    };
    let rules = formatted(name, "rules/change.luau", &change.rules)?;
    whole_or_none(&folder, args, ui, |ui| {
        write(&folder, "mod.ron", &manifest(name, &base, &clause))?;
        write(&folder, "README.md", &readme(name, &base, &change.text))?;
        write(&folder, &format!("scenarios/{name}-first.ron"), &scenario)?;
        write(&folder, "rules/change.luau", &rules)?;
        // By the changed rule other dice may fall before the first decision.
        let (changed, _) = Workshop::open(&folders_with(&folder, ui));
        let opening = opening(name, &format!("{name}-first"), &changed);
        write(&folder, "tests/change.luau", &case(&opening)?)
    })
}

/// The folder of the new mod, in which nothing is yet.
fn free(args: &NewArgs, base: Option<&Manifest>, ui: &Ui) -> Result<PathBuf, Failure> {
    let sources = base.and_then(|base| ui.workshop.sources().get(&base.id));
    let beside = sources.and_then(|sources| sources.folder.clone());
    let above = args
        .folder
        .clone()
        .or_else(|| beside.and_then(|folder| folder.parent().map(Path::to_path_buf)))
        .or_else(|| ui.folders.first().cloned());
    let folder = above.unwrap_or_default().join(&args.name);
    match folder.exists() && !is_begun(&folder) {
        true => Err(Failure::Usage(format!(
            "`{}` is there already",
            folder.display()
        ))),
        false => Ok(folder),
    }
}

/// What lies in a folder as long as its mod is not made to the end.
const BEGUN: &str = ".unfinished";

/// Whether a mod was begun there and not made to its end.
fn is_begun(folder: &Path) -> bool {
    folder.join(BEGUN).is_file()
}

fn taken_away(path: &Path) -> Result<(), Failure> {
    std::fs::remove_file(path)
        .map_err(|error| Failure::Plain(format!("{}: {error}", path.display())))
}

/// Everything is written.
fn finished(folder: &Path, args: &NewArgs, ui: &mut Ui) -> Result<(), Failure> {
    if ui.is_json() {
        return Ok(
            ui.document(&json!({ "mod": args.name, "folder": folder.display().to_string() }))?
        );
    }
    ui.line(format!(
        "{}: change the rule, then `houserule test {}`",
        folder.display(),
        args.name
    ))?;
    Ok(())
}

/// The clause of a new mod.
struct First<'a> {
    group: &'a str,
    id: &'a str,
    title: &'a str,
    text: &'a str,
    effect: &'a str,
}

const BONUS: First<'static> = First {
    group: "first",
    id: "bonus",
    title: "A bonus",
    text: "A number is one more.",
    effect: "Adds",
};

/// Writes a file, whole or not at all, unless it is there: then the mod was begun
/// before.
fn write(folder: &Path, path: &str, text: &str) -> Result<(), Failure> {
    let path = folder.join(path);
    if path.exists() {
        return Ok(());
    }
    whole::put(&path, text.as_bytes()).map_err(|error| Failure::unwritten(&path, &error))
}

fn manifest(name: &str, base: &Manifest, clause: &First<'_>) -> String {
    let version = format!("^{}.{}", base.version.major, base.version.minor);
    let (extends, title) = (&base.id, &base.title);
    let First {
        group,
        id,
        title: called,
        text,
        effect,
    } = clause;
    format!(
        r#"// House rules for {title}.
Mod(
    id: "{name}",
    version: "0.1.0",
    title: "{name}",
    engine: "0.1",
    doc: "House rules for {title}.",
    depends: [("{extends}", "{version}")],
    groups: [
        Group(id: "{group}", title: "House rules", clauses: [
            // Players read this: say here what your rule does once you have changed it.
            Clause(id: "{name}.{group}.{id}", title: "{called}",
                text: "{text}", source: "house rule", effect: {effect}),
        ]),
    ],
)
"#
    )
}

fn readme(name: &str, base: &Manifest, text: &str) -> String {
    format!("# {name}\n\nHouse rules for {}.\n{text}\n", base.title)
}

const RULE: &str = r#"--!strict
-- A bonus: a number is one more. `houserule rules` lists the rules of the game: write lines on them, or wrap them.

--- [bonus] A number and one more. @open
function first.bonus(_game: Reads, n: Integer): Integer
    return n + 1
end
"#;

/// The case of a new mod: chapters of a component are said with their mod, for
/// no text tells which there are.
fn case(name: &str, lang: Language, opening: &[String]) -> String {
    let called = match lang {
        Language::Luau => "first",
        Language::Rust => "NAME.first",
    };
    let case = CASE.replace("CHAPTER", called).replace("NAME", name);
    case.replace("OPENING", &lines_of(opening))
}

fn lines_of(all: &[String]) -> String {
    all.iter().map(|line| format!("    {line}\n")).collect()
}

/// What falls before the first decision of a scenario of a mod, as lines of a case.
fn opening(module: &str, id: &str, workshop: &Workshop) -> Vec<String> {
    let all = workshop.scenarios_of(&module.into()).into_iter();
    let found = all
        .filter(|(path, _)| path == id)
        .find_map(|(_, found)| found.ok());
    let opening = found.and_then(|found| ScenarioOpening::of(workshop, &found));
    opening.map_or_else(Vec::new, |opening| opening.lines)
}

const CASE: &str = r#"--!strict
-- The bonus.

test.case("a number is one more", { cites = { "NAME.first.bonus" } }, function(t)
OPENING    local game = t:scenario("NAME-first")
    t:eq(CHAPTER.bonus(game, 2), 3)
end)
"#;

/// The name and the text of a scenario of the mod that is extended and by its rules, or else the smallest
/// of these in which something is played, with the new mod in it.
fn scenario(
    name: &str,
    base: &Manifest,
    wanted: Option<&str>,
    workshop: &Workshop,
) -> Result<(String, String), Failure> {
    let sources = workshop.sources().get(&base.id);
    let is_wanted = |path: &str| wanted.is_none_or(|id| path == format!("scenarios/{id}.ron"));
    let all = sources
        .into_iter()
        .flat_map(|sources| sources.under("scenarios"));
    let base_id = format!("\"{}\"", base.id);
    let is_by_it = |text: &str| mods_in(text).is_some_and(|mods| text[mods].contains(&base_id));
    let all = all.filter(|(path, text)| is_wanted(path) && is_by_it(text));
    let Some((path, text)) =
        all.min_by_key(|(path, text)| (!text.contains("Act("), text.len(), path.to_string()))
    else {
        return Err(Failure::Plain(format!(
            "`{}` has no scenario to begin with",
            base.id
        )));
    };
    let id = path
        .trim_start_matches("scenarios/")
        .trim_end_matches(".ron");
    // What was decided may not go any more once a rule is changed.
    let text = if wanted.is_some() {
        without_script(text)
    } else {
        text.to_string()
    };
    let text = text.replacen(
        &format!("id: \"{id}\""),
        &format!("id: \"{name}-first\""),
        1,
    );
    match mods_in(&text) {
        Some(mods) => {
            let (before, after) = text.split_at(mods.end);
            let text = format!("{}, \"{name}\"{after}", before.trim_end_matches([',', ' ']));
            Ok((id.to_string(), text))
        }
        None => Err(Failure::Plain(format!("`{path}` lists no mods"))),
    }
}

/// Where in a scenario its mods stand.
fn mods_in(text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.find("mods: [")? + "mods: [".len();
    Some(start..start + text[start..].find(']')?)
}

/// A scenario that only begins: what tells of the script goes with it.
fn without_script(text: &str) -> String {
    let text = match text.find("script: [") {
        Some(start) => {
            let (mut depth, mut is_quoted) = (0usize, false);
            let end = text[start..].char_indices().find_map(|(at, letter)| {
                match letter {
                    '"' => is_quoted = !is_quoted,
                    '[' if !is_quoted => depth += 1,
                    ']' if !is_quoted => depth -= 1,
                    _ => {}
                }
                (letter == ']' && depth == 0 && !is_quoted).then_some(start + at + 1)
            });
            let rest = text[end.unwrap_or(text.len())..]
                .trim_start_matches(',')
                .trim_start();
            format!("{}\n{rest}", text[..start].trim_end())
        }
        None => text.to_string(),
    };
    let says_nothing = |line: &str| {
        let line = line.trim();
        line.starts_with("//") || ["options: {},", "bots: {},"].contains(&line)
    };
    text.lines()
        .filter(|line| !says_nothing(line))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The folders of all mods, and that of the new one, which is among them if it was
/// begun before.
fn folders_with(folder: &Path, ui: &Ui) -> Vec<PathBuf> {
    let all = ui.workshop.sources().values();
    let real = std::fs::canonicalize(folder).ok();
    let mut folders: Vec<PathBuf> = all
        .filter_map(|sources| sources.folder.clone())
        .filter(|other| std::fs::canonicalize(other).ok() != real)
        .collect();
    folders.push(folder.to_path_buf());
    folders
}

/// Plays the scenario once; its report is the golden.
fn golden(folder: &Path, args: &NewArgs, ui: &Ui) -> Result<(), Failure> {
    let (workshop, faults) = Workshop::open(&folders_with(folder, ui));
    let own = |fault: &&houserule::kernel::error::Fault| {
        fault
            .place
            .as_ref()
            .is_some_and(|place| *place.module == *args.name)
    };
    if let Some(fault) = faults.iter().find(own) {
        return Err(fault.clone().into());
    }
    let filter = Filter {
        mods: vec![args.name.as_str().into()],
        text: None,
    };
    for result in run_suite(&workshop, &filter, None, &|_| ()) {
        match (&result.golden, &result.failure) {
            (Some(golden), _) => accept(folder, golden, &format!("{}-first", args.name))
                .map_err(|error| Failure::unwritten(folder, &error))?,
            (None, Some(fault)) => return Err(fault.clone().into()),
            (None, None) => {}
        }
    }
    Ok(())
}

#[cfg(not(feature = "wasm"))]
fn can_build() -> Result<(), Failure> {
    Err(Failure::Usage(
        "this build has no machine for components: choose `--lang luau`".into(),
    ))
}

/// Before anything is written: whether there is a compiler that can.
#[cfg(feature = "wasm")]
fn can_build() -> Result<(), Failure> {
    crate::commands::build::Toolchain::find(Path::new(".")).map(|_| ())
}

#[cfg(not(feature = "wasm"))]
fn rust(_: &Path, _: &str, _: &mut Ui) -> Result<(), Failure> {
    can_build()
}

#[cfg(feature = "wasm")]
fn rust(folder: &Path, name: &str, ui: &mut Ui) -> Result<(), Failure> {
    let guest = guest(folder)?;
    let manifest = CARGO
        .replace("NAME", name)
        .replace("GUEST", &guest.path)
        .replace("WORKSPACE", guest.workspace);
    write(folder, "rust/Cargo.toml", &manifest)?;
    // `cargo test` leaves what it builds there.
    write(folder, "rust/.gitignore", "/target\n")?;
    write(folder, "rust/src/lib.rs", RUST)?;
    write(folder, "rust/src/first.rs", &FIRST.replace("NAME", name))?;
    let (workshop, _) = Workshop::open(&folders_with(folder, ui));
    write(
        folder,
        "rust/src/bindings.rs",
        &bindings_of(&workshop, &Name::from(name))?,
    )?;
    let built = crate::commands::build::build(folder, None, None, false)?;
    match ui.is_json() {
        true => Ok(()),
        false => built.tell(ui),
    }
}

#[cfg(feature = "wasm")]
const CARGO: &str = r#"[package]
name = "NAME"
version = "0.1.0"
edition = "2024"
publish = false

[lib]
crate-type = ["cdylib", "rlib"]

[dependencies]
houserule-guest = { path = "GUEST" }
WORKSPACE"#;

#[cfg(feature = "wasm")]
const RUST: &str = r#"//! The rules, a chapter a file. What they can name is in `bindings.rs`, which `houserule types` writes.

#[rustfmt::skip]
mod bindings;
mod first;

houserule_guest::module!();
"#;

#[cfg(feature = "wasm")]
const FIRST: &str = r#"//! A bonus: a number is one more. `#[wrap(rule)]` changes a rule of the game; `houserule rules` lists them.

use houserule_guest::prelude::*;

chapter!(NAME.first);

/// [bonus] A number and one more.
#[rule]
pub fn bonus(_game: &Reads, n: i64) -> i64 {
    with_bonus(n)
}

/// What needs no game is a function like any, and is tested like any.
fn with_bonus(n: i64) -> i64 {
    n + 1
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bonus_is_one() {
        assert_eq!(super::with_bonus(2), 3);
    }
}
"#;

/// Where the crate is that mods link to.
#[cfg(feature = "wasm")]
struct GuestCrate {
    path: String,
    workspace: &'static str,
}

/// The crate that mods link to: that of the repository that the mod is in, or
/// else a copy inside the mod.
#[cfg(feature = "wasm")]
fn guest(folder: &Path) -> Result<GuestCrate, Failure> {
    let real = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    for (up, above) in real.ancestors().enumerate() {
        if above.join("host/guest/Cargo.toml").is_file() {
            return Ok(GuestCrate {
                path: format!("{}host/guest", "../".repeat(up + 1)),
                workspace: "",
            });
        }
    }
    for (path, text) in GUEST {
        write(folder, &format!("rust/houserule/{path}"), text)?;
    }
    Ok(GuestCrate {
        path: "houserule/host/guest".into(),
        workspace: "\n[workspace]\n",
    })
}

#[cfg(feature = "wasm")]
macro_rules! copied {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../../../../", $path)))),*] };
}

/// The crate with the contract beside it, as they stand in the repository.
#[cfg(feature = "wasm")]
const GUEST: &[(&str, &str)] = copied![
    "host/guest/Cargo.toml",
    "host/guest/src/arena.rs",
    "host/guest/src/border.rs",
    "host/guest/src/calls.rs",
    "host/guest/src/convert.rs",
    "host/guest/src/domain.rs",
    "host/guest/src/game.rs",
    "host/guest/src/geometry.rs",
    "host/guest/src/hex.rs",
    "host/guest/src/lib.rs",
    "host/guest/src/memory.rs",
    "host/guest/src/parts.rs",
    "host/guest/src/register.rs",
    "host/guest/src/value.rs",
    "host/macros/Cargo.toml",
    "host/macros/src/action.rs",
    "host/macros/src/doc.rs",
    "host/macros/src/fields.rs",
    "host/macros/src/header.rs",
    "host/macros/src/lib.rs",
    "host/macros/src/phase.rs",
    "host/macros/src/rule.rs",
    "schemas/wit/v1/data.wit",
    "schemas/wit/v1/game.wit",
    "schemas/wit/v1/geometry.wit",
    "schemas/wit/v1/hexes.wit",
    "schemas/wit/v1/registration.wit",
];

#[cfg(all(test, feature = "wasm"))]
mod copies {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::GUEST;

    /// What the crates of mods in Rust are made of, as it lies in the repository.
    #[test]
    fn all_that_a_mod_in_rust_links_to_is_copied() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let in_folder = |folder: &&str| {
            let files = std::fs::read_dir(root.join(folder)).unwrap();
            let name = |file: std::io::Result<std::fs::DirEntry>| file.unwrap().file_name();
            let path = |name: std::ffi::OsString| format!("{folder}/{}", name.to_str().unwrap());
            files.map(name).map(path).collect::<Vec<_>>()
        };
        let folders = ["host/guest/src", "host/macros/src", "schemas/wit/v1"];
        let mut there: BTreeSet<String> = folders.iter().flat_map(in_folder).collect();
        there.extend(["host/guest/Cargo.toml", "host/macros/Cargo.toml"].map(str::to_string));
        let copied: BTreeSet<String> = GUEST.iter().map(|(path, _)| path.to_string()).collect();
        assert_eq!(copied, there);
    }
}
