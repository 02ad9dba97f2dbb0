//! `houserule book`: the rules in force, to be printed.

use std::path::{Path, PathBuf};

use clap::Args;
use houserule::modset::selector::{Request, Selector};
use houserule::printed::{self, Page, RulesInForce, html, markdown};
use houserule::workshop::{ComposedRules, Workshop};
use serde_json::json;

use crate::failure::Failure;
use crate::globals::Format;
use crate::selection::Selection;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule book dsii --out dirtside.html                       then print it from a browser
  houserule book dsii --with iceburg:rfac,sam --out ours.html   with house rules
  houserule book dsii --with iceburg --diff dsii                the house rules alone, as changes
  houserule book dsii --sheet --out sheet.html                  one page to lay beside the table
  houserule book dsii --sheet --format md                       the same as Markdown
  houserule book tcs --format json                              for programs";

/// Prints the rulebook of exactly the rules in force.
///
/// Options that are not as usual, the sequence of play, every clause in force with its
/// sentence in the order of its book, options and tables with who changed which cell,
/// modifiers, and a play sheet of one page. As HTML it has a style for print: any browser makes a PDF.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BookArgs {
    /// The mods whose rules are printed; what they stand on comes along
    #[arg(value_name = "MOD")]
    pub printed: Vec<String>,
    /// Print only what differs from these rules, such as `dsii`
    #[arg(long, value_name = "SELECTOR", conflicts_with = "sheet")]
    pub diff: Option<String>,
    /// Print the play sheet alone
    #[arg(long)]
    pub sheet: bool,
    /// Write a file: `.html`, `.md` or `.json`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// Mods that do not compose, or a file that cannot be written.
pub fn run(args: &BookArgs, ui: &mut Ui) -> Result<(), Failure> {
    let format = format_of(args.out.as_deref(), ui)?;
    ui.note_broken();
    let workshop = ui.workshop.clone();
    let mut request = args.selection.request()?;
    for module in args.printed.iter().rev() {
        request.with.insert(0, Selector::parse(module)?);
    }
    if request.with.is_empty() {
        return Err(Failure::Usage(
            "expected a mod whose rules are printed: `houserule book dsii`".into(),
        ));
    }
    let chosen = workshop.compose(&request)?;
    let rules = rules_of(&workshop, &chosen);
    let page = match &args.diff {
        Some(base) => {
            let base = workshop.compose(&Request::parse(base)?)?;
            printed::changes(rules, rules_of(&workshop, &base))
        }
        None if args.sheet => printed::sheet(rules),
        None => printed::book(rules),
    };
    tell(&page, format, args, ui)
}

fn rules_of<'a>(workshop: &'a Workshop, chosen: &'a ComposedRules) -> RulesInForce<'a> {
    RulesInForce {
        manifests: workshop.manifests(),
        active: &chosen.active,
        rulebook: &chosen.rulebook,
    }
}

/// How it is printed: as the ending of the file says, or else as is asked.
///
/// # Errors
/// An ending that says nothing.
pub(super) fn format_of(out: Option<&Path>, ui: &Ui) -> Result<Format, Failure> {
    let Some(path) = out else {
        return Ok(ui.format);
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => Ok(Format::Html),
        Some("md") => Ok(Format::Md),
        Some("json") => Ok(Format::Json),
        _ => Err(Failure::Usage(format!(
            "expected a file that ends in `.html`, `.md` or `.json`, found `{}`",
            path.display()
        ))),
    }
}

fn tell(page: &Page, format: Format, args: &BookArgs, ui: &mut Ui) -> Result<(), Failure> {
    let text = match format {
        Format::Json => format!("{:#}\n", json!(page)),
        Format::Html => html::write(page),
        _ => markdown::write(page),
    };
    put(&text, args.out.as_deref(), ui)
}

/// Writes a page into a file, or prints it.
///
/// # Errors
/// A file that cannot be written.
pub(super) fn put(text: &str, out: Option<&Path>, ui: &mut Ui) -> Result<(), Failure> {
    let Some(path) = out else {
        return Ok(ui.markdown(text.trim_end())?);
    };
    std::fs::write(path, text).map_err(|error| Failure::unwritten(path, &error))?;
    ui.note(&format!("wrote {}", path.display()));
    Ok(())
}
