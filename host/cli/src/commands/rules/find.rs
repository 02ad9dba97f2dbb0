//! `houserule rules --find`: what carries out words of a printed page.

use std::io;

use houserule::data::table::Table;
use houserule::kernel::value::Name;
use houserule::printable;
use houserule::rulebook::RuleEntry;
use serde_json::{Value as Json, json};

use super::as_text::at;
use super::{ClauseLibrary, short_signature};
use crate::paint::Paint;
use crate::ui::Ui;

/// So many are listed; the rest is counted.
const MOST: usize = 12;

/// How much a word counts where it stands.
const IN_ID: u32 = 6;
const IN_DOC: u32 = 5;
const IN_TITLE: u32 = 4;
const IN_CLAUSE: u32 = 2;

const IN_HEADING: u32 = 1;

/// How much it counts that all words name one clause under the heading of its
/// chapter: whoever looks for a printed rule looks for that.
const IS_CLAUSE: u32 = 24;

/// How the names end of what belongs to an action: what may be chosen for it, why
/// not, what bots think of it. Each counts half.
const PARTS: [&str; 5] = ["_domain", "_allowed", "_score", "_outlook", "_listed"];

/// Endings that a word may have or not: `tests` finds `test`, `firing` finds `fire`.
const ENDINGS: [&str; 7] = ["ing", "ers", "er", "ed", "es", "s", "e"];

/// A rule that was found, and how well it fits.
struct FoundRule<'a> {
    rule: &'a RuleEntry,
    /// How many of the words it has.
    words: usize,
    score: u32,
}

/// Prints the rules that have most of some words, and the tables that have all.
///
/// # Errors
/// When nobody reads it.
pub(super) fn find(library: &ClauseLibrary<'_>, words: &str, ui: &mut Ui) -> io::Result<()> {
    let wanted = stems(words);
    let rules = library.chosen.rulebook.rules().values();
    let mut found: Vec<FoundRule<'_>> = rules
        .filter_map(|rule| fit(library, rule, &wanted))
        .collect();
    found.sort_by(|a, b| (b.words, b.score, &a.rule.id).cmp(&(a.words, a.score, &b.rule.id)));
    let tables = tables_with(library, &wanted);
    if ui.is_json() {
        let all: Vec<Json> = found
            .iter()
            .take(MOST)
            .map(|one| as_json(one.rule))
            .collect();
        let tables: Vec<&str> = tables.iter().map(|table| &*table.id).collect();
        return ui.document(
            &json!({ "words": words, "found": found.len(), "rules": all, "tables": tables }),
        );
    }
    for one in found.iter().take(MOST) {
        tell(library, one.rule, ui)?;
    }
    for table in &tables {
        ui.line(format!("table {}", table.id).bold())?;
        ui.line(format!(
            "    {}: {}",
            table.title,
            fields_of(table).join(", ")
        ))?;
    }
    match found.len() {
        0 if !tables.is_empty() => Ok(()),
        0 => ui.line(format!(
            "no rule, table, clause or title has the words `{}`",
            printable::line(words)
        )),
        many if many > MOST => {
            ui.line(format!("… {} more have some of the words", many - MOST).dimmed())
        }
        _ => Ok(()),
    }
}

/// The tables that have all of some words in their id, their title or the names of their
/// columns.
fn tables_with<'a>(library: &'a ClauseLibrary<'_>, wanted: &[String]) -> Vec<&'a Table> {
    let has_all = |table: &&Table| {
        let names = fields_of(table).join(" ");
        let all = stems(&format!("{} {} {names}", table.id, table.title));
        !wanted.is_empty() && wanted.iter().all(|word| all.contains(word))
    };
    let tables = library.chosen.rulebook.tables().values();
    tables.map(|table| &**table).filter(has_all).collect()
}

/// The names of the key and the columns.
fn fields_of(table: &Table) -> Vec<&str> {
    let fields = table.key.iter().chain(table.columns.iter());
    fields.map(|field| &*field.name).collect()
}

fn tell(library: &ClauseLibrary<'_>, rule: &RuleEntry, ui: &mut Ui) -> io::Result<()> {
    ui.line(short_signature(rule, &library.chosen.rulebook).bold())?;
    if !rule.doc.is_empty() {
        ui.line(format!("    {}", rule.doc))?;
    }
    ui.line(format!("    {}", at(&rule.place).dimmed()))?;
    for clause in cited(rule).filter_map(|id| library.clauses.get(id)) {
        ui.line(format!("    {} {} ({})", clause.id, clause.title, clause.source).dimmed())?;
    }
    Ok(())
}

fn as_json(rule: &RuleEntry) -> Json {
    let cites: Vec<&str> = cited(rule).map(|id| &**id).collect();
    json!({
        "id": &*rule.id, "doc": &*rule.doc, "cites": cites,
        "mod": &*rule.place.module, "file": &*rule.place.file, "line": rule.place.line,
    })
}

fn cited(rule: &RuleEntry) -> impl Iterator<Item = &Name> {
    rule.layers
        .first()
        .into_iter()
        .flat_map(|layer| layer.cites.iter())
}

fn fit<'a>(
    library: &ClauseLibrary<'_>,
    rule: &'a RuleEntry,
    wanted: &[String],
) -> Option<FoundRule<'a>> {
    let clauses: Vec<_> = cited(rule)
        .filter_map(|id| library.clauses.get(id))
        .collect();
    let mut places = vec![(stems(&rule.id), IN_ID), (stems(&rule.doc), IN_DOC)];
    let mut names_a_clause = false;
    for clause in clauses {
        let heading = stems(
            library
                .headings
                .get(&clause.id)
                .copied()
                .unwrap_or_default(),
        );
        let title = stems(&clause.title);
        let name = [stems(&clause.id), title.clone(), heading.clone()].concat();
        names_a_clause |= wanted.iter().all(|word| name.contains(word));
        places.push((title, IN_TITLE));
        places.push((
            stems(&format!("{} {} {}", clause.id, clause.text, clause.source)),
            IN_CLAUSE,
        ));
        places.push((heading, IN_HEADING));
    }
    let best = |word: &String| {
        let there = places.iter().filter(|(stems, _)| stems.contains(word));
        there.map(|(_, score)| *score).max()
    };
    let scores: Vec<u32> = wanted.iter().filter_map(best).collect();
    let sum = scores.iter().sum::<u32>() + if names_a_clause { IS_CLAUSE } else { 0 };
    let is_part = PARTS.iter().any(|part| rule.id.ends_with(part));
    let (words, score) = (scores.len(), if is_part { sum / 2 } else { sum });
    (words > 0).then_some(FoundRule { rule, words, score })
}

/// The words of a text without their endings.
fn stems(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let is_letter = |c: char| c.is_alphanumeric() || c == '\'';
    let words = lower
        .split(|c: char| !is_letter(c))
        .filter(|word| !word.is_empty());
    words.map(|word| stem(word).to_string()).collect()
}

/// A word without the last of its endings.
fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let without = |ending: &&str| word.strip_suffix(ending).filter(|rest| rest.len() > 2);
    ENDINGS.iter().find_map(without).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::stems;

    #[test]
    fn words_are_found_with_other_endings() {
        assert_eq!(
            stems("Close assault, attacker's tests"),
            ["clos", "assault", "attack", "test"]
        );
        assert_eq!(
            stems("dsii.ca.attackers_test: closing"),
            ["dsii", "ca", "attack", "test", "clos"]
        );
    }
}
