//! The whole book: the options that are not as usual, the sequence of play, and mod
//! by mod the groups of clauses in the order of their manifests, each with its
//! options, tables, pots, decks and modifiers.

use std::collections::BTreeSet;

use kernel::value::Name;

use super::grid::{cell_text, chapter_of, of_lines, of_table};
use super::{
    Grid, Page, Piece, PrintedCell, PrintedClause, RulesInForce, heading, mixes, sequence, sheet,
    words,
};
use crate::modset::manifest::{Clause, Effect, Group, Manifest, ModOption};

/// The book of exactly the rules in force.
pub fn book(rules: RulesInForce<'_>) -> Page {
    let mut pieces = Vec::new();
    pieces.extend(taken(rules));
    pieces.push(heading(1, "Sequence of play"));
    pieces.push(sequence::of_game(rules.rulebook.book()));
    let mut placed = BTreeSet::new();
    for manifest in rules.mods() {
        pieces.extend(of_mod(rules, manifest, &mut placed));
    }
    pieces.extend(others(rules, &placed));
    pieces.push(Piece::Sheet {
        pieces: sheet::pieces(rules),
    });
    Page {
        title: rules.title(),
        selector: rules.active.line.clone(),
        pieces,
    }
}

/// The options that are set to something else than usual: what these players have
/// agreed on comes first, and all that goes as ever stands in its chapter.
fn taken(rules: RulesInForce<'_>) -> Vec<Piece> {
    let is_taken = |option: &ModOption| {
        rules
            .option(option)
            .is_some_and(|value| *value != option.default)
    };
    match options(rules, is_taken) {
        Some(grid) => vec![heading(1, "Options taken"), Piece::Grid(grid)],
        None => Vec::new(),
    }
}

/// Some of the options, with what they are set to.
fn options(rules: RulesInForce<'_>, is_wanted: impl Fn(&ModOption) -> bool) -> Option<Grid> {
    let all = rules.mods().flat_map(|manifest| &manifest.options);
    let rows: Vec<Vec<PrintedCell>> = all
        .filter(|option| is_wanted(option))
        .filter_map(|option| option_row(rules, option))
        .collect();
    (!rows.is_empty()).then(|| Grid {
        id: String::new(),
        title: "Options".into(),
        source: String::new(),
        head: ["Option", "Is", "Usually", "What it says"]
            .map(String::from)
            .to_vec(),
        keys: 1,
        rows,
        notes: Vec::new(),
    })
}

/// An option as a row; none where it has no meaning.
fn option_row(rules: RulesInForce<'_>, option: &ModOption) -> Option<Vec<PrintedCell>> {
    let value = rules.option(option)?;
    let usual = if *value == option.default {
        String::new()
    } else {
        cell_text(&option.default)
    };
    let cells = [
        option.title.to_string(),
        cell_text(value),
        usual,
        option.text.to_string(),
    ];
    Some(cells.map(PrintedCell::plain).to_vec())
}

fn of_mod(rules: RulesInForce<'_>, manifest: &Manifest, placed: &mut BTreeSet<Name>) -> Vec<Piece> {
    let mut pieces = vec![heading(
        1,
        format!("{} {}", manifest.title, manifest.version),
    )];
    if !manifest.doc.is_empty() {
        pieces.push(words(&*manifest.doc));
    }
    for group in &manifest.groups {
        let clauses: Vec<&Clause> = rules.clauses_of(group).collect();
        if clauses.is_empty() {
            continue;
        }
        pieces.push(heading(2, &*group.title));
        if !group.doc.is_empty() {
            pieces.push(words(&*group.doc));
        }
        pieces.extend(
            clauses
                .into_iter()
                .map(|clause| Piece::Clause(printed(rules, clause))),
        );
        let of_group = options(rules, |option| chapter_of(&option.id) == group.id);
        pieces.extend(of_group.map(Piece::Grid));
        pieces.extend(grids(rules, group));
        placed.insert(group.id.clone());
    }
    pieces
}

/// What stands with the clauses of a group.
fn grids(rules: RulesInForce<'_>, group: &Group) -> Vec<Piece> {
    let found = of_chapters(rules, &|id| *id == group.id);
    found.into_iter().map(Piece::Grid).collect()
}

/// The tables and modifiers whose ids are of some chapters, and the pots and decks that
/// belong there.
fn of_chapters(rules: RulesInForce<'_>, is_wanted: &dyn Fn(&Name) -> bool) -> Vec<Grid> {
    let is_here = |id: &Name| is_wanted(&chapter_of(id));
    let tables = rules.tables().filter(|table| is_here(&table.id));
    let tables = tables.map(|table| of_table(rules, table));
    let mixes = mixes::all(rules);
    let mixes = mixes
        .iter()
        .filter(|mix| is_wanted(&mix.chapter(rules)))
        .map(|mix| mix.grid(rules));
    let all = rules.rulebook.rules().values();
    let lines = all.filter(|rule| is_here(&rule.id));
    let lines = lines.filter_map(|rule| of_lines(rules, rule));
    tables.chain(mixes).chain(lines).collect()
}

/// What belongs to no group that was printed.
fn others(rules: RulesInForce<'_>, placed: &BTreeSet<Name>) -> Vec<Piece> {
    let is_left = |chapter: &Name| !placed.contains(chapter);
    let options = options(rules, |option| is_left(&chapter_of(&option.id)));
    let found: Vec<Piece> = options
        .into_iter()
        .chain(of_chapters(rules, &is_left))
        .map(Piece::Grid)
        .collect();
    if found.is_empty() {
        return found;
    }
    [heading(1, "Other tables")]
        .into_iter()
        .chain(found)
        .collect()
}

/// A clause, and which others in force change it.
pub(super) fn printed(rules: RulesInForce<'_>, clause: &Clause) -> PrintedClause {
    let of_all = rules
        .mods()
        .flat_map(Manifest::clauses)
        .map(|(_, other)| other);
    let changes = of_all.filter(|other| {
        let is_change = matches!(other.effect, Effect::Changes | Effect::Adds);
        is_change && rules.active.clauses.contains(&other.id) && other.touches.contains(&clause.id)
    });
    let notes = changes.map(|other| {
        let how = if other.effect == Effect::Changes {
            "Changed by"
        } else {
            "See also"
        };
        format!("{how} {} ({}): {}", other.title, other.id, other.text)
    });
    PrintedClause {
        id: clause.id.to_string(),
        title: clause.title.to_string(),
        text: clause.text.to_string(),
        source: clause.source.to_string(),
        notes: notes.collect(),
    }
}
