//! `houserule types`: what an editor can know of the rules.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use houserule::bindings::bindings_of;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::modset::selector::{Request, Selector};
use houserule::printable;
use houserule::script_types::Types;
use serde_json::{Map, Value as Json, json};

use crate::commands::new::Language;
use crate::failure::Failure;
use crate::selection::Selection;
use crate::ui::Ui;

/// Where the types are, beside the file that says so to editors.
const FOLDER: &str = ".houserule/types";

/// Where editors read what `require("@dsii")` means.
const ALIASES: &str = ".luaurc";

const EXAMPLES: &str = "\
Examples:
  houserule types my_rules             of your mod and all that it depends on
  houserule types dsii -o ~/my_game    into the folder that your mods stand in
  houserule types tcs --lang rust      what rules in Rust can name: `rust/src/bindings.rs`

An editor with luau-lsp finds `require(\"@dsii\")` by `.luaurc`, and the rest in
`.houserule/types/houserule.d.luau`; docs/modding/editor.md shows how.";

/// Writes the types of the whole API, and of the rules, kinds, tables, options
/// and events of some mods, for editors.
///
/// With them an editor completes `element.armour` and `dsii.fire.band`, and
/// underlines what does not fit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TypesArgs {
    /// Mods by id; without it all mods, where they are of one game
    #[arg(value_name = "MOD")]
    pub what: Vec<String>,
    /// The folder above your mods; with `--lang rust`, the file to write
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// The language of the rules: `rust` writes what they can name
    #[arg(long, value_name = "LANGUAGE", default_value = "luau")]
    pub lang: Language,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// Mods that do not compose, or a file that cannot be written.
pub fn run(args: &TypesArgs, ui: &mut Ui) -> Result<(), Failure> {
    if let Language::Rust = args.lang {
        return bindings(args, ui);
    }
    let mut request: Request = args.selection.request()?;
    let all = || {
        ui.workshop
            .manifests()
            .keys()
            .map(ToString::to_string)
            .collect()
    };
    let mods: Vec<String> = if args.what.is_empty() {
        all()
    } else {
        args.what.clone()
    };
    for module in &mods {
        ui.workshop.manifest(module)?;
        request.with.push(Selector::parse(module)?);
    }
    // Each of two games claims to be the whole game.
    let is_conflict = |fault: &Fault| fault.code == FaultCode::Conflict;
    let is_of_games = args.what.is_empty() && super::rules::games(&ui.workshop) > 1;
    let chosen = match ui.workshop.compose(&request) {
        Err(faults) if is_of_games && faults.iter().all(is_conflict) => {
            let text = "these mods are of several games: which of them? `houserule types MOD`";
            return Err(Failure::Usage(text.into()));
        }
        chosen => chosen?,
    };
    let types = Types::of(&ui.workshop, &chosen.rulebook);
    let above = args.output.as_deref().unwrap_or(Path::new("."));
    let folder = above.join(FOLDER);
    let cannot = |error: std::io::Error| {
        Failure::Plain(format!("cannot write `{}`: {error}", folder.display()))
    };
    fs::create_dir_all(&folder).map_err(cannot)?;
    // What mods say of their kinds is in it: it is the same wherever it goes.
    let mut definitions = types.definitions.concat();
    // A file has the names of its own mod; of two mods they would be at odds.
    if let [only] = mods.as_slice() {
        definitions.push_str(&types.own_names(only));
    }
    let definitions = printable::lines(&definitions).into_owned();
    fs::write(folder.join("houserule.d.luau"), definitions).map_err(cannot)?;
    for (name, text) in &types.modules {
        fs::write(folder.join(format!("{name}.luau")), text).map_err(cannot)?;
    }
    write_aliases(above, types.modules.keys())?;
    ui.note(&format!("wrote {} and {ALIASES}", folder.display()));
    Ok(())
}

/// Says to editors where modules are, and leaves what else is said there.
fn write_aliases<'a>(
    folder: &Path,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), Failure> {
    let path = folder.join(ALIASES);
    let cannot =
        |what: String| Failure::Plain(format!("cannot write `{}`: {what}", path.display()));
    let mut config: Map<String, Json> = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| cannot(format!("what is there is not JSON: {error}")))?,
        Err(_) => Map::new(),
    };
    let aliases = config.entry("aliases").or_insert_with(|| json!({}));
    for name in names {
        aliases[name] = json!(format!("{FOLDER}/{name}"));
    }
    let text = serde_json::to_string_pretty(&config).map_err(|error| cannot(error.to_string()))?;
    fs::write(&path, text + "\n").map_err(|error| cannot(error.to_string()))
}

/// Writes `rust/src/bindings.rs` of mods, or another file for one.
fn bindings(args: &TypesArgs, ui: &mut Ui) -> Result<(), Failure> {
    if args.what.is_empty() || args.output.is_some() && args.what.len() > 1 {
        return Err(Failure::Usage(
            "which mod? `houserule types MOD --lang rust`".into(),
        ));
    }
    for module in &args.what {
        let id = ui.workshop.manifest(module)?.id.clone();
        let text = printable::lines(&bindings_of(&ui.workshop, &id)?).into_owned();
        let folder = ui
            .workshop
            .sources()
            .get(&id)
            .and_then(|sources| sources.folder.clone());
        let beside = folder.unwrap_or_default().join("rust/src/bindings.rs");
        let path = args.output.clone().unwrap_or(beside);
        std::fs::write(&path, text).map_err(|error| {
            Failure::Plain(format!("cannot write `{}`: {error}", path.display()))
        })?;
        ui.note(&format!("wrote {}", path.display()));
    }
    Ok(())
}
