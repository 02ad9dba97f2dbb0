//! `houserule types`: what an editor can know of the rules.

use std::path::PathBuf;

use clap::Args;
use houserule::definitions::editor_types;
use houserule::modset::selector::{Request, Selector};
use houserule::printable;

use crate::desk::{Desk, Failure};
use crate::selection::Selection;

const EXAMPLES: &str = "\
Examples:
  houserule types dsii -o dsii.d.luau       the API, and the kinds and rules of dsii
  houserule types my_rules                  of your mod and all that it depends on

Give the file to luau-lsp (`luau-lsp.types.definitionFiles`), or to
`luau-lsp analyze --definitions=dsii.d.luau`; docs/modding/editor.md shows how.";

/// Prints the types of the whole API with the kinds and rules of some mods, as
/// one file of Luau definitions.
///
/// With it an editor completes `element.armour` and `game:call(\"dsii.fire.band\", …)`,
/// and underlines what does not fit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TypesArgs {
    /// Mods by id; all mods without it
    #[arg(value_name = "MOD")]
    pub what: Vec<String>,
    /// Write it to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// Mods that do not compose, or a file that cannot be written.
pub fn run(args: &TypesArgs, desk: &mut Desk) -> Result<(), Failure> {
    let mut request: Request = args.selection.request()?;
    let all = || desk.workshop.manifests().keys().map(ToString::to_string).collect();
    let mods: Vec<String> = if args.what.is_empty() { all() } else { args.what.clone() };
    for module in &mods {
        desk.workshop.manifest(module)?;
        request.with.push(Selector::parse(module)?);
    }
    // What mods say of their kinds is in it: it is the same wherever it goes.
    let text = printable::lines(&editor_types(&desk.workshop.compose(&request)?.rulebook)).into_owned();
    let Some(path) = &args.output else { return Ok(desk.lines(text.trim_end())?) };
    std::fs::write(path, text)
        .map_err(|error| Failure::Plain(format!("cannot write `{}`: {error}", path.display())))?;
    desk.note(&format!("wrote {}", path.display()));
    Ok(())
}
