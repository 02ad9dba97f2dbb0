//! What differs between two rulebooks, as a page.

use std::collections::{BTreeMap, BTreeSet};

use kernel::book::Book;
use kernel::value::{Name, Value};

use super::book::printed;
use super::grid::{cell_text, key_text, line_cells, of_table, spoken};
use super::mixes::Mix;
use super::{Page, Piece, RulesInForce, heading, mixes};
use crate::data::table::{Provenance, Table};
use crate::modset::manifest::{Clause, Effect};

/// The rules in force as changes against others.
pub fn changes(rules: RulesInForce<'_>, base: RulesInForce<'_>) -> Page {
    let mut pieces = Vec::new();
    part("Options", options(rules, base), &mut pieces);
    part("Clauses", clauses(rules, base), &mut pieces);
    part("Tables", tables(rules, base), &mut pieces);
    part("Chits and cards", mixes(rules, base), &mut pieces);
    part("Modifiers", modifiers(rules, base), &mut pieces);
    part(
        "Sequence of play",
        sequence(rules.rulebook.book(), base.rulebook.book()),
        &mut pieces,
    );
    if pieces.is_empty() {
        pieces.push(super::words("Nothing is different."));
    }
    let title = format!("{}: changes against {}", rules.title(), base.title());
    Page {
        title,
        selector: rules.active.line.clone(),
        pieces,
    }
}

fn part(title: &str, found: Vec<Piece>, pieces: &mut Vec<Piece>) {
    if !found.is_empty() {
        pieces.push(heading(1, title));
        pieces.extend(found);
    }
}

fn change(
    what: impl Into<String>,
    was: Option<String>,
    is: Option<String>,
    by: Vec<String>,
) -> Piece {
    Piece::Change {
        what: what.into(),
        was,
        is,
        by,
    }
}

fn options(rules: RulesInForce<'_>, base: RulesInForce<'_>) -> Vec<Piece> {
    let all = rules.mods().flat_map(|manifest| &manifest.options);
    let changed = all.filter_map(|option| {
        let (is, was) = (rules.option(option)?, base.option(option));
        (Some(is) != was).then(|| {
            let what = format!("{} ({})", option.title, option.id);
            change(what, was.map(cell_text), Some(cell_text(is)), Vec::new())
        })
    });
    changed.collect()
}

/// Clauses that are new, with those of the base that they change, and those
/// that are gone.
fn clauses(rules: RulesInForce<'_>, base: RulesInForce<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for manifest in rules.mods() {
        for group in &manifest.groups {
            let is_new = |clause: &&Clause| !base.active.clauses.contains(&clause.id);
            let new: Vec<&Clause> = rules.clauses_of(group).filter(is_new).collect();
            if !new.is_empty() {
                pieces.push(heading(2, format!("{}: {}", manifest.title, group.title)));
            }
            pieces.extend(
                new.into_iter()
                    .map(|clause| new_clause(rules, base, clause)),
            );
        }
    }
    let gone = base
        .active
        .clauses
        .difference(&rules.active.clauses)
        .filter_map(|id| base.clause(id));
    let gone = gone.map(|clause| {
        let what = format!("{} ({})", clause.title, clause.id);
        change(what, Some(clause.text.to_string()), None, Vec::new())
    });
    let gone: Vec<Piece> = gone.collect();
    if !gone.is_empty() {
        pieces.push(heading(2, "Left out"));
        pieces.extend(gone);
    }
    pieces
}

/// A clause that is new: beside what it changes, if it changes clauses.
fn new_clause(rules: RulesInForce<'_>, base: RulesInForce<'_>, clause: &Clause) -> Piece {
    let touched = clause
        .touches
        .iter()
        .filter(|id| base.active.clauses.contains(*id));
    let touched: Vec<String> = touched
        .filter_map(|id| base.clause(id))
        .map(|was| format!("changes {} ({}): {}", was.title, was.id, was.text))
        .collect();
    if clause.effect != Effect::Changes || touched.is_empty() {
        return Piece::Clause(printed(rules, clause));
    }
    let what = format!("{} ({})", clause.title, clause.id);
    // What it changes holds in all that it does not speak of.
    change(what, None, Some(clause.text.to_string()), touched)
}

fn tables(rules: RulesInForce<'_>, base: RulesInForce<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (id, table) in rules.rulebook.tables() {
        let Some(was) = base.rulebook.tables().get(id) else {
            if table.rows().next().is_some() {
                pieces.push(Piece::Grid(of_table(rules, table)));
            }
            continue;
        };
        let rows = rows(table, was);
        if !rows.is_empty() {
            pieces.push(heading(2, format!("{} ({id})", table.title)));
            pieces.extend(rows);
        }
    }
    let gone = base
        .rulebook
        .tables()
        .iter()
        .filter(|(id, _)| !rules.rulebook.tables().contains_key(*id));
    pieces.extend(gone.map(|(id, table)| {
        change(
            format!("{} ({id})", table.title),
            Some("a table".into()),
            None,
            Vec::new(),
        )
    }));
    pieces
}

/// The rows of a table that are not as they were.
fn rows(table: &Table, was: &Table) -> Vec<Piece> {
    let by = |origin: &Provenance| {
        origin
            .cites
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let written = |cells: &[Value]| {
        let each = table
            .columns
            .iter()
            .zip(cells)
            .filter(|(_, value)| !value.is_none());
        let each: Vec<String> = each
            .map(|(field, value)| format!("{} {}", spoken(&field.name), cell_text(value)))
            .collect();
        each.join(", ")
    };
    let mut pieces = Vec::new();
    for (key, row) in table.rows_as_added() {
        let Some(before) = was.get(key) else {
            pieces.push(change(
                key_text(key),
                None,
                Some(written(&row.cells)),
                by(&row.origin),
            ));
            continue;
        };
        let cells = table
            .columns
            .iter()
            .zip(before.cells.iter().zip(row.cells.iter().zip(&row.changes)));
        for (field, (before, (now, changed))) in
            cells.filter(|(_, (before, (now, _)))| before != now)
        {
            let what = format!("{}: {}", key_text(key), spoken(&field.name));
            let by = changed.as_ref().map(by).unwrap_or_default();
            pieces.push(change(
                what,
                Some(cell_text(before)),
                Some(cell_text(now)),
                by,
            ));
        }
    }
    let gone = was.rows().filter(|(key, _)| table.get(key).is_none());
    pieces.extend(
        gone.map(|(key, row)| change(key_text(key), Some(written(&row.cells)), None, Vec::new())),
    );
    pieces
}

/// Pots and decks that are new, that hold something else, or that are gone.
fn mixes(rules: RulesInForce<'_>, base: RulesInForce<'_>) -> Vec<Piece> {
    let (now, before) = (mixes::all(rules), mixes::all(base));
    let among = |all: &[Mix<'_>], one: &Mix<'_>| all.iter().position(|mix| mix.id() == one.id());
    let title = |of: RulesInForce<'_>, mix: &Mix<'_>| format!("{} ({})", mix.title(of), mix.id());
    let mut pieces = Vec::new();
    for mix in &now {
        let Some(was) = among(&before, mix).map(|place| before[place].counts()) else {
            pieces.push(Piece::Grid(mix.grid(rules)));
            continue;
        };
        let is = mix.counts();
        let names: BTreeSet<&str> = was.keys().chain(is.keys()).copied().collect();
        let changed: Vec<Piece> = names
            .into_iter()
            .filter(|name| was.get(name) != is.get(name))
            .map(|name| {
                let count = |of: &BTreeMap<&str, u32>| of.get(name).map(u32::to_string);
                change(name, count(&was), count(&is), Vec::new())
            })
            .collect();
        if !changed.is_empty() {
            pieces.push(heading(2, title(rules, mix)));
            pieces.extend(changed);
        }
    }
    let gone = before.iter().filter(|mix| among(&now, mix).is_none());
    pieces.extend(gone.map(|mix| {
        let was = format!("{} in all", mix.counts().values().sum::<u32>());
        change(title(base, mix), Some(was), None, Vec::new())
    }));
    pieces
}

/// Lines of rules that came or went.
fn modifiers(rules: RulesInForce<'_>, base: RulesInForce<'_>) -> Vec<Piece> {
    let lines = |of: RulesInForce<'_>| {
        let mut found: BTreeMap<(Name, String), BTreeSet<[String; 3]>> = BTreeMap::new();
        for rule in of.rulebook.rules().values() {
            let key = (rule.id.clone(), rule.doc.to_string());
            let lines = rule
                .layers
                .iter()
                .filter_map(|layer| line_cells(of, rule, layer));
            found.entry(key).or_default().extend(lines);
        }
        found
    };
    let (now, before) = (lines(rules), lines(base));
    let none = BTreeSet::new();
    let mut pieces = Vec::new();
    let sentence = |[effect, when, _]: &[String; 3]| Some(format!("{effect} ({when})"));
    let by = |[_, _, who]: &[String; 3]| vec![who.clone()];
    for (rule, lines) in &now {
        let was = before.get(rule).unwrap_or(&none);
        let what = || format!("{} ({})", rule.1.trim_end_matches('.'), rule.0);
        pieces.extend(
            lines
                .difference(was)
                .map(|line| change(what(), None, sentence(line), by(line))),
        );
        pieces.extend(
            was.difference(lines)
                .map(|line| change(what(), sentence(line), None, by(line))),
        );
    }
    pieces
}

/// Phases, actions and reactions that came or went.
fn sequence(book: &Book, base: &Book) -> Vec<Piece> {
    let all = |book: &Book| {
        let phases = book
            .phases
            .values()
            .map(|one| (one.id.clone(), ("phase", one.title.to_string())));
        let actions = book
            .actions
            .values()
            .map(|one| (one.id.clone(), ("action", one.title.to_string())));
        let reactions = book.reactions.values();
        let reactions = reactions.map(|one| (one.id.clone(), ("reaction", one.title.to_string())));
        phases
            .chain(actions)
            .chain(reactions)
            .collect::<BTreeMap<_, _>>()
    };
    let (now, before) = (all(book), all(base));
    let entry =
        |(id, (word, title)): (&Name, &(&str, String))| (format!("{word} ({id})"), title.clone());
    let new = now
        .iter()
        .filter(|(id, _)| !before.contains_key(*id))
        .map(entry);
    let gone = before
        .iter()
        .filter(|(id, _)| !now.contains_key(*id))
        .map(entry);
    let new = new.map(|(what, title)| change(what, None, Some(title), Vec::new()));
    new.chain(gone.map(|(what, title)| change(what, Some(title), None, Vec::new())))
        .collect()
}
