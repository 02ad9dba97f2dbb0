//! `houserule design`: the record card of what a player designed.

use std::io;
use std::path::Path;

use clap::Args;
use houserule::design::{Card, Design, card, file_place, read_designs, template_cards};
use houserule::embed::Plain;
use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::value::{Value, owner_of};
use houserule::modset::files::read_text;
use houserule::modset::selector::Request;
use serde_json::json;

use crate::failure::Failure;
use crate::paint::Paint;
use crate::selection::Selection;
use crate::ui::Ui;

const EXAMPLES: &str = "\
Examples:
  houserule design dsii.vehicle.deimos        a template, as its mod designed it
  houserule design my-tank.ron                a design of your own
  houserule design my-force.ron --with iceburg:rfac

A file holds one design, or a list of them:
  Design(mods: [\"dsii\"], count: 4, design: (name: \"Medium tank\", size: 3, ...))";

/// Prints the record card of a design: what it holds, each violation with its
/// clause, each line of its cost, the total.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct DesignArgs {
    /// A file, or the id of a template
    #[arg(value_name = "FILE|TEMPLATE")]
    pub what: String,
    /// Which house rules to use.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// A design that cannot be read, or that its rules do not allow.
pub fn run(args: &DesignArgs, ui: &mut Ui) -> Result<(), Failure> {
    let path = Path::new(&args.what);
    let is_design = args.what.ends_with(".ron");
    if path.is_file() && !is_design {
        return Err(Failure::Usage(format!(
            "expected a file that ends in `.ron`, or the id of a template, found `{}`",
            args.what
        )));
    }
    let cards = if is_design {
        of_file(args, ui)?
    } else {
        of_template(args, ui)?
    };
    if ui.is_json() {
        let list: Vec<_> = cards
            .iter()
            .map(|card| json!({ "count": card.count, "card": Plain::of_data(&card.card) }))
            .collect();
        ui.document(&json!({ "cards": list }))?;
    } else {
        for card in &cards {
            print(card, ui)?;
        }
        sums(&cards, ui)?;
    }
    let is_fine = cards
        .iter()
        .all(|card| items(&card.card, "violations").is_empty());
    if is_fine {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

fn of_file(args: &DesignArgs, ui: &Ui) -> Result<Vec<Card>, Failure> {
    let path = Path::new(&args.what);
    let there = std::fs::metadata(path).map_err(|error| error.to_string());
    let text = there.and_then(|_| read_text(path)).map_err(|reason| {
        let fault = Fault::new(
            FaultCode::Unreadable,
            format!("cannot read the design: {reason}"),
        );
        Failure::from(fault.at(file_place(&args.what)))
    })?;
    let designs = read_designs(&args.what, &text)?;
    designs
        .iter()
        .map(|design| of_design(design, args, ui))
        .collect()
}

fn of_design(design: &Design, args: &DesignArgs, ui: &Ui) -> Result<Card, Failure> {
    let mut request = args.selection.request()?;
    for line in &design.mods {
        request.with.extend(Request::parse(line)?.with);
    }
    let first = design.mods.first().map_or("", String::as_str);
    let module = first.split([':', '.']).next().unwrap_or_default();
    let rulebook = ui.workshop.compose(&request)?.rulebook;
    Ok(card(&rulebook, module, design)?)
}

fn of_template(args: &DesignArgs, ui: &Ui) -> Result<Vec<Card>, Failure> {
    let owner = owner_of(&args.what);
    ui.workshop.manifest(owner)?;
    let mut request = args.selection.request()?;
    request.with.extend(Request::parse(owner)?.with);
    let rulebook = ui.workshop.compose(&request)?.rulebook;
    Ok(
        template_cards(&rulebook, &args.what).map_err(|fault| match fault.hint {
            None if !rulebook.templates().contains_key(args.what.as_str()) => fault.hint(format!(
                "`houserule rules {owner}` says which chapters have templates"
            )),
            _ => fault,
        })?,
    )
}

// ---- printing ----------------------------------------------------------------

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value
        .field(field)
        .and_then(Value::as_text)
        .map_or("", |text| text)
}

fn number(value: &Value, field: &str) -> Option<i64> {
    match value.field(field) {
        Some(Value::Int(n)) => Some(*n),
        _ => None,
    }
}

fn items<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    match value.field(field) {
        Some(Value::List(list)) => list,
        _ => &[],
    }
}

fn print(card: &Card, ui: &mut Ui) -> io::Result<()> {
    let of = &card.card;
    let count = if card.count > 1 {
        format!("{} x ", card.count)
    } else {
        String::new()
    };
    ui.line(format!(
        "{count}{}  {}",
        text(of, "title").bold(),
        text(of, "kind")
    ))?;
    let names = items(of, "facts").iter().map(|fact| text(fact, "item"));
    let longest = names.map(|name| name.chars().count()).max();
    let width = longest.unwrap_or_default().max(11) + 1;
    for fact in items(of, "facts") {
        let (name, told) = (text(fact, "item"), text(fact, "text"));
        ui.line(format!("  {name:<width$}{told}"))?;
    }
    let mut sections: Vec<&str> = Vec::new();
    for line in items(of, "lines").iter().chain(items(of, "totals")) {
        if !sections.contains(&text(line, "section")) {
            sections.push(text(line, "section"));
        }
    }
    for section in sections {
        ui.line("")?;
        ui.line(format!("  {}", section.to_uppercase().bold()))?;
        let here = |line: &&Value| text(line, "section") == section;
        for line in items(of, "lines").iter().filter(here) {
            entry(line, ui)?;
        }
        for total in items(of, "totals").iter().filter(here) {
            let value = number(total, "value").unwrap_or_default();
            let value = match number(total, "limit") {
                Some(limit) => format!("{value:>6} of {limit}"),
                None => format!("{value:>6}"),
            };
            ui.line(format!(
                "  {:<34}{}",
                text(total, "title").bold(),
                value.bold()
            ))?;
        }
    }
    verdicts(of, ui)
}

fn entry(line: &Value, ui: &mut Ui) -> io::Result<()> {
    let row = format!(
        "  {:<34}{:>6}   {:<32}",
        text(line, "item"),
        number(line, "value").unwrap_or_default(),
        text(line, "note")
    );
    ui.line(format!("{row} {}", text(line, "clause").dimmed()).trim_end())
}

fn verdicts(card: &Value, ui: &mut Ui) -> io::Result<()> {
    ui.line("")?;
    for one in items(card, "violations") {
        let clause = text(one, "clause");
        ui.line(format!(
            "  {} {}: {}",
            "x".red().bold(),
            clause.red(),
            text(one, "text")
        ))?;
    }
    for one in items(card, "warnings") {
        ui.line(format!(
            "  {} {}: {}",
            "!".yellow().bold(),
            text(one, "clause"),
            text(one, "text")
        ))?;
    }
    if items(card, "violations").is_empty() {
        ui.line("  no violations")?;
    }
    ui.line("")
}

/// The sum of each last total over all cards, if there are several.
fn sums(cards: &[Card], ui: &mut Ui) -> io::Result<()> {
    let many: u32 = cards.iter().map(|card| card.count).sum();
    if many < 2 {
        return Ok(());
    }
    let mut sum = 0;
    for card in cards {
        let Some(total) = items(&card.card, "totals").last() else {
            continue;
        };
        let value = number(total, "value").unwrap_or_default();
        let all = value * i64::from(card.count);
        sum += all;
        ui.line(format!(
            "  {:<34}{:>3} x {value:>6} = {all:>6}",
            text(&card.card, "title"),
            card.count
        ))?;
    }
    ui.line(format!("  {:<34}{sum:>21}", "together".bold()))
}
