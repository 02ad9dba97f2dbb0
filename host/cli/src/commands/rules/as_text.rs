//! The rulebook for people.

use std::io;

use houserule::data::table::{Provenance, Table};
use houserule::kernel::error::Place;
use houserule::kernel::game::Game;
use houserule::kernel::value::{Name, Value};
use houserule::modset::manifest::{Clause, Manifest, Requirement};
use houserule::printable::{self, clipped, counted};
use houserule::rulebook::{LayerKind, RuleEntry, Rulebook};
use houserule::testing::ClauseCoverage;
use houserule::types::{Unit, print_value};

use super::actions::actions;
use super::as_json::reveals;
use super::{
    ClauseLibrary, declared, effect_word, member, named_signature, options, records_of,
    short_signature,
};
use crate::paint::Paint;
use crate::ui::Ui;

pub(super) fn book(
    library: &ClauseLibrary<'_>,
    module: Option<&str>,
    ui: &mut Ui,
) -> io::Result<()> {
    let active = &library.chosen.active;
    ui.line(format!("{}  {}", "rules".cyan(), active.line.bold()))?;
    for note in &active.notes {
        ui.line(format!("{}   {note}", "note".cyan()))?;
    }
    declared::book(library.chosen.rulebook.book(), module, ui)?;
    let templates = library.templates_of(module);
    heading("Templates", templates.len(), ui)?;
    for one in templates {
        let about = format!("({})", one.kind);
        ui.line(format!(
            "{}  {}  {}",
            one.id.bold(),
            one.title,
            about.dimmed()
        ))?;
    }
    let rules = library.rules_of(module);
    heading("Rules", rules.len(), ui)?;
    for entry in rules {
        rule(
            library,
            entry,
            &short_signature(entry, &library.chosen.rulebook),
            ui,
        )?;
    }
    options::list(library, module, ui)?;
    let tables = library.tables_of(module);
    heading("Tables", tables.len(), ui)?;
    for one in tables {
        table(&library.chosen.rulebook, one, ui)?;
    }
    let clauses = library.clauses_of(module);
    heading("Clauses", clauses.len(), ui)?;
    for one in clauses {
        short_clause(library, one, ui)?;
        touched(library, one, ui)?;
    }
    Ok(())
}

pub(super) fn heading(text: &str, count: usize, ui: &mut Ui) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    ui.line("")?;
    ui.line(format!("{} ({count})", text.yellow().bold()))?;
    ui.line("")
}

/// The mods that there are, at a glance.
pub(super) fn manifests<'a>(
    all: impl Iterator<Item = &'a Manifest>,
    ui: &mut Ui,
) -> io::Result<()> {
    for one in all {
        let over: Vec<&str> = one.depends.iter().map(|on| &*on.id).collect();
        let over = if over.is_empty() {
            String::new()
        } else {
            format!(", over {}", over.join(", "))
        };
        ui.line(format!(
            "{} {}  {}{over}",
            one.id.bold(),
            one.version,
            one.title
        ))?;
        ui.line(format!(
            "    {}, {}",
            counted(one.clauses().count(), "clause"),
            counted(one.options.len(), "option")
        ))?;
    }
    ui.line("")?;
    ui.line("`houserule rules MOD` prints what a mod holds.".dimmed())
}

fn rule(
    library: &ClauseLibrary<'_>,
    rule: &RuleEntry,
    signature: &str,
    ui: &mut Ui,
) -> io::Result<()> {
    ui.line(signature.bold())?;
    let member = member::of(&library.chosen.rulebook, &rule.id);
    match &member {
        Some(member) if rule.doc.is_empty() => ui.line(format!("    {}", member.doc))?,
        _ if rule.doc.is_empty() => {}
        _ => ui.line(format!("    {}", rule.doc))?,
    }
    if let Some(member) = &member {
        ui.line(format!("    {}  {}", "name    ".cyan(), member.name))?;
    }
    ui.line(format!(
        "    {}  {}",
        "effects ".cyan(),
        rule.signature.effects.words()
    ))?;
    let verbs = library.verbs_of(rule);
    if !verbs.is_empty() {
        let words = library.chosen.rulebook.open_words(rule);
        let words = match words.is_empty() {
            true => words,
            false => format!("  ({words})"),
        };
        let line = format!("    {}  {}", "open for".cyan(), verbs.join(", "));
        ui.line(format!("{line}{}", words.dimmed()))?;
    }
    for reason in reveals(rule) {
        ui.line(format!("    {}  {reason}", "reveals ".cyan()))?;
    }
    for layer in &rule.layers {
        let word = match layer.kind {
            LayerKind::Define => "defined ",
            LayerKind::Wrap => "wrapped ",
            LayerKind::Replace => "replaced",
            LayerKind::Lines | LayerKind::Line => "line    ",
        };
        ui.line(format!("    {}  {}", word.cyan(), at(&layer.place)))?;
        for clause in &layer.cites {
            ui.line(format!("              {}", cite(library, clause).dimmed()))?;
        }
        if layer.kind == LayerKind::Replace {
            given_up(library, rule, ui)?;
        }
    }
    Ok(())
}

/// A rule that is open for lines, and for which.
pub(super) fn open_rule(
    library: &ClauseLibrary<'_>,
    rule: &RuleEntry,
    ui: &mut Ui,
) -> io::Result<()> {
    ui.line(short_signature(rule, &library.chosen.rulebook).bold())?;
    if !rule.doc.is_empty() {
        ui.line(format!("    {}", rule.doc))?;
    }
    ui.line(format!(
        "    {}  {}",
        "open for".cyan(),
        library.verbs_of(rule).join(", ")
    ))
}

/// What a replacement takes the place of, and which clauses of it nothing else
/// carries out.
fn given_up(library: &ClauseLibrary<'_>, rule: &RuleEntry, ui: &mut Ui) -> io::Result<()> {
    let rulebook = &library.chosen.rulebook;
    let layers = &rulebook.registrations().layers;
    for raw in layers
        .iter()
        .filter(|raw| raw.rule == rule.id && raw.kind == LayerKind::Define)
    {
        ui.line(format!(
            "    {}  {}",
            "instead ".cyan(),
            at(&raw.origin.place)
        ))?;
        for clause in raw.origin.cites.iter() {
            let mut places = rulebook.cited().get(clause).into_iter().flatten();
            let is_left = places.all(|place| *place == raw.origin.place);
            let left = if is_left { ", left to nobody" } else { "" };
            ui.line(format!(
                "              {}",
                format!("{}{left}", cite(library, clause)).dimmed()
            ))?;
        }
    }
    Ok(())
}

/// A rule with what the clauses behind it say.
pub(super) fn rule_in_full(
    library: &ClauseLibrary<'_>,
    entry: &RuleEntry,
    ui: &mut Ui,
) -> io::Result<()> {
    let rulebook = &library.chosen.rulebook;
    rule(library, entry, &named_signature(entry, rulebook), ui)?;
    for (name, ty) in records_of(entry, rulebook) {
        ui.line(format!("    {}  {name} {ty}", "record  ".cyan()))?;
    }
    let mut cited: Vec<&Name> = Vec::new();
    for clause in entry.layers.iter().flat_map(|layer| &layer.cites) {
        if !cited.contains(&clause) {
            cited.push(clause);
        }
    }
    for one in cited.into_iter().filter_map(|id| library.clauses.get(id)) {
        ui.line("")?;
        short_clause(library, one, ui)?;
    }
    Ok(())
}

/// The clause and its printed source.
fn cite(library: &ClauseLibrary<'_>, clause: &Name) -> String {
    match library.clauses.get(clause) {
        Some(found) if !found.source.is_empty() => format!("{clause} ({})", found.source),
        _ => clause.to_string(),
    }
}

/// The tables with words in a column that are keys of this one.
fn tables_by_keys<'a>(
    rulebook: &'a Rulebook,
    table: &'a Table,
) -> impl Iterator<Item = (&'a Name, &'a Name)> {
    let of_one = move |one: &'a Table| {
        one.keys_of
            .iter()
            .find(|keys| keys.table == table.id)
            .map(|keys| (&one.id, &keys.column))
    };
    rulebook
        .tables()
        .values()
        .map(AsRef::as_ref)
        .filter_map(of_one)
}

/// A table: its rows in columns; changed cells bear the number of who changed
/// them.
pub(super) fn table(rulebook: &Rulebook, table: &Table, ui: &mut Ui) -> io::Result<()> {
    let source = if table.source.is_empty() {
        String::new()
    } else {
        format!(" ({})", table.source)
    };
    ui.line(format!(
        "{}  {}{}",
        table.id.bold(),
        table.title,
        source.dimmed()
    ))?;
    for (by, column) in tables_by_keys(rulebook, table) {
        ui.line(format!("    {}  {by}, by {column}", "rows in ".cyan()))?;
    }
    let mut origins: Vec<&Provenance> = Vec::new();
    let mut number = |origin| {
        let place = origins.iter().position(|there| *there == origin);
        place.unwrap_or_else(|| {
            origins.push(origin);
            origins.len() - 1
        }) + 1
    };
    let key = table
        .key
        .iter()
        .map(|field| format!("{} (key)", field.name));
    let header = key.chain(table.columns.iter().map(|field| field.name.to_string()));
    let mut grid: Vec<Vec<String>> = vec![header.chain(["".to_string()]).collect()];
    for (key, row) in table.rows() {
        let mut line: Vec<String> = key.iter().map(cell).collect();
        for (held, change) in row.cells.iter().zip(&row.changes) {
            let mark = change
                .as_ref()
                .map_or(String::new(), |change| format!(" [{}]", number(change)));
            line.push(format!("{}{mark}", cell(held)));
        }
        // Only rows that others added need a name.
        let is_own = *row.origin.place.module == *houserule::kernel::value::owner_of(&table.id);
        line.push(if is_own {
            String::new()
        } else {
            format!("[{}]", number(&row.origin))
        });
        grid.push(line);
    }
    print_grid(&grid, ui)?;
    for (i, origin) in origins.iter().enumerate() {
        let cites: Vec<&str> = origin.cites.iter().map(|id| &**id).collect();
        ui.line(format!(
            "    [{}] {}  {}",
            i + 1,
            at(&origin.place),
            cites.join(", ").dimmed()
        ))?;
    }
    ui.line("")
}

/// A value as a cell of a table shows it.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::None => "-".to_string(),
        other => print_value(other, &Game::empty(), Unit::AsWritten),
    }
}

/// A cell is shown up to here.
const WIDEST: usize = 120;

/// Prints rows in columns, each as wide as its widest cell.
fn print_grid(grid: &[Vec<String>], ui: &mut Ui) -> io::Result<()> {
    let shown = |cell: &String| clipped(&printable::line(cell), WIDEST).into_owned();
    let grid: Vec<Vec<String>> = grid
        .iter()
        .map(|row| row.iter().map(shown).collect())
        .collect();
    let count = grid.iter().map(Vec::len).max().unwrap_or_default();
    let wide = |column: usize| {
        grid.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| printable::width(cell))
            .max()
    };
    let widths: Vec<usize> = (0..count)
        .map(|column| wide(column).unwrap_or_default())
        .collect();
    for (i, row) in grid.iter().enumerate() {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| printable::padded(cell, *width))
            .collect();
        let line = format!("    {}", cells.join("  "));
        let line = line.trim_end();
        if i == 0 {
            ui.drawn(line.cyan())?
        } else {
            ui.drawn(line)?
        }
    }
    Ok(())
}

fn short_clause(library: &ClauseLibrary<'_>, clause: &Clause, ui: &mut Ui) -> io::Result<()> {
    let is_on = library
        .chosen
        .rulebook
        .clauses()
        .get(&clause.id)
        .copied()
        .unwrap_or_default();
    let state = if is_on { "" } else { ", off" };
    let about = format!(
        "({}{state}; {})",
        effect_word(clause.effect),
        source(clause)
    );
    ui.line(format!(
        "{}  {}  {}",
        clause.id.bold(),
        clause.title,
        about.dimmed()
    ))?;
    ui.line(format!("    {}", clause.text))
}

/// The clauses of its base that a clause touches, and what it does to its
/// rules and tables.
fn touched(library: &ClauseLibrary<'_>, clause: &Clause, ui: &mut Ui) -> io::Result<()> {
    let touches: Vec<&str> = clause.touches.iter().map(|id| &**id).collect();
    if !touches.is_empty() {
        ui.line(format!("    {}  {}", "touches ".cyan(), touches.join(", ")))?;
    }
    for (how, what) in actions(library, clause) {
        ui.line(format!("    {}  {what}", format!("{how:8}").cyan()))?;
    }
    Ok(())
}

fn source(clause: &Clause) -> &str {
    if clause.source.is_empty() {
        "no printed source"
    } else {
        &clause.source
    }
}

/// A clause, with what it needs and where it is carried out.
pub(super) fn clause(library: &ClauseLibrary<'_>, clause: &Clause, ui: &mut Ui) -> io::Result<()> {
    short_clause(library, clause, ui)?;
    let core = if clause.core {
        "cannot be left out"
    } else {
        "can be left out"
    };
    let default = if clause.default {
        "on by default"
    } else {
        "off by default"
    };
    ui.line(format!("    {}  {default}, {core}", "default ".cyan()))?;
    let required = |requirement: &Requirement| match requirement {
        Requirement::Clause(id) => id.to_string(),
        Requirement::Group { module, group } => format!("{module}:{group}"),
    };
    let requires: Vec<String> = clause.requires.iter().map(required).collect();
    if !requires.is_empty() {
        ui.line(format!(
            "    {}  {}",
            "requires".cyan(),
            requires.join(", ")
        ))?;
    }
    touched(library, clause, ui)?;
    for place in library
        .chosen
        .rulebook
        .cited()
        .get(&clause.id)
        .into_iter()
        .flatten()
    {
        ui.line(format!("    {}  {}", "cited   ".cyan(), at(place)))?;
    }
    Ok(())
}

pub(super) fn coverage(found: &[ClauseCoverage], ui: &mut Ui) -> io::Result<()> {
    let wide = found
        .iter()
        .map(|one| one.clause.len())
        .max()
        .unwrap_or_default()
        .min(WIDEST);
    for one in found {
        let cases = match one.cases.len() {
            0 => "no case".red().to_string(),
            1 => "1 case".to_string(),
            many => format!("{many} cases"),
        };
        let state = if one.implemented {
            "implemented"
        } else {
            "missing    "
        };
        let cited = if one.cited { "cited  " } else { "uncited" };
        ui.line(format!(
            "{:wide$}  {:8}  {state}  {cited}  {cases}",
            one.clause, one.effect
        ))?;
        for case in &one.cases {
            ui.line(format!("{:wide$}    {}", "", case.dimmed()))?;
        }
    }
    let count = |test: fn(&ClauseCoverage) -> bool| found.iter().filter(|one| test(one)).count();
    let (implemented, shown) = (
        count(|one| one.implemented),
        count(|one| !one.cases.is_empty()),
    );
    ui.line(format!(
        "{}, {implemented} implemented, {shown} shown by cases",
        counted(found.len(), "clause")
    ))
}

pub(super) fn at(place: &Place) -> String {
    let line = if place.line > 0 {
        format!(":{}", place.line)
    } else {
        String::new()
    };
    match place.module.is_empty() {
        true => format!("{}{line}", place.file),
        false => format!("{}/{}{line}", place.module, place.file),
    }
}
