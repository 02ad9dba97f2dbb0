//! What a change of mods may have changed in what has happened: the rules,
//! rows and windows that are other than they were.
//!
//! A rule is other than it was if its signature is, if its functions are not
//! the same ones in the same order, or if the text of one of them is another,
//! or of anything that it uses. Whatever cannot be told apart touches
//! everything ([why](../../../../docs/decisions/0060-reached.md)).

mod outline;
mod statements;

use std::collections::BTreeSet;

use kernel::book::Action;
use kernel::error::Place;
use kernel::value::{Name, Value};

use matches::play::{Invalidation, mark};
use matches::workshop::Workshop;
use rules::data::table::Table;
use rules::hosting::rows::row_mark;
use rules::modset::selector::Active;
use rules::rulebook::{LayerEntry, RuleEntry, Rulebook};
pub use statements::Outlines;
use statements::Statements;

/// A rulebook with what it was made from.
pub struct Edition<'a> {
    /// The mods that it was chosen from.
    pub workshop: &'a Workshop,
    /// What was chosen.
    pub active: &'a Active,
    /// The rulebook.
    pub rulebook: &'a Rulebook,
}

/// What is other in one edition than in another.
pub fn invalidation(old: &Edition<'_>, new: &Edition<'_>, outlines: &mut Outlines) -> Invalidation {
    if has_component(old) || has_component(new) || !is_same_frame(old, new) {
        return Invalidation::Everything;
    }
    let Some(statements) = Statements::compare(old, new, outlines) else {
        return Invalidation::Everything;
    };
    let mut marks = BTreeSet::new();
    tables(old.rulebook, new.rulebook, &mut marks);
    reactions(old.rulebook, new.rulebook, &mut marks);
    let is_same_text = |before: &Place, now: &Place| statements.is_same(before, now);
    match rules(old.rulebook, new.rulebook, &is_same_text, &mut marks) {
        true => Invalidation::These(marks),
        false => Invalidation::Everything,
    }
}

/// What is other by one selection of the same files than by another. Clauses that are on by one of them
/// alone are marks too, for whoever asks whether they are on.
pub fn selected(old: &Edition<'_>, new: &Edition<'_>) -> Invalidation {
    if has_component(old) || has_component(new) || !is_same_play(old, new) {
        return Invalidation::Everything;
    }
    let mut marks: BTreeSet<Name> = old
        .active
        .clauses
        .symmetric_difference(&new.active.clauses)
        .cloned()
        .collect();
    tables(old.rulebook, new.rulebook, &mut marks);
    reactions(old.rulebook, new.rulebook, &mut marks);
    match rules(
        old.rulebook,
        new.rulebook,
        &|before, now| before == now,
        &mut marks,
    ) {
        true => Invalidation::These(marks),
        false => Invalidation::Everything,
    }
}

/// Components are not looked into.
fn has_component(edition: &Edition<'_>) -> bool {
    let sources = edition
        .active
        .order
        .mods
        .iter()
        .filter_map(|id| edition.workshop.sources().get(id));
    sources.into_iter().any(|sources| {
        sources
            .under("rules")
            .any(|(path, _)| path.ends_with(".wasm"))
    })
}

/// Whether everything is the same that a game is set up by and runs in: what
/// is chosen, kinds, templates, phases, actions, windows, events, pots, decks, dice.
fn is_same_frame(old: &Edition<'_>, new: &Edition<'_>) -> bool {
    old.active.order.mods == new.active.order.mods
        && old.active.clauses == new.active.clauses
        && old.active.options == new.active.options
        && is_same_file(old, new, "mod.ron")
        && (is_same_data(old, new) || is_same_built(old.rulebook, new.rulebook))
        && is_same_book(old.rulebook, new.rulebook)
}

/// The same of two selections: the options of both have the same values, and what one of them has alone is
/// asked for by nobody whose rules are the same.
fn is_same_play(old: &Edition<'_>, new: &Edition<'_>) -> bool {
    let (before, after) = (&old.active.options, &new.active.options);
    before
        .iter()
        .all(|(id, value)| after.get(id).is_none_or(|other| other == value))
        && is_same_built(old.rulebook, new.rulebook)
        && is_same_book(old.rulebook, new.rulebook)
}

fn is_same_book(old: &Rulebook, new: &Rulebook) -> bool {
    let (before, after) = (old.book(), new.book());
    let ladders = |rulebook: &Rulebook| format!("{:?}", rulebook.running().ladders.borrow());
    (before.root == after.root && before.phases == after.phases && before.actions == after.actions)
        && (before.windows == after.windows && before.events == after.events && before.pots == after.pots)
        && before.decks == after.decks
        // A step that is new is not on any agenda; one that is gone may be.
        && before.steps.iter().all(|(id, args)| after.steps.get(id) == Some(args))
        && ladders(old) == ladders(new)
}

fn is_same_file(old: &Edition<'_>, new: &Edition<'_>, path: &str) -> bool {
    let text =
        |edition: &Edition<'_>, id: &Name| edition.workshop.sources().get(id)?.get(path).cloned();
    new.active
        .order
        .mods
        .iter()
        .all(|id| text(old, id) == text(new, id))
}

fn is_same_data(old: &Edition<'_>, new: &Edition<'_>) -> bool {
    let data = |edition: &Edition<'_>, id: &Name| {
        let sources = edition.workshop.sources().get(id);
        let files = sources
            .into_iter()
            .flat_map(|sources| sources.under("data"));
        files
            .map(|(path, text)| (path.to_string(), text.clone()))
            .collect::<Vec<_>>()
    };
    new.active
        .order
        .mods
        .iter()
        .all(|id| data(old, id) == data(new, id))
}

/// Whether kinds and templates are the same, by all that is in them.
fn is_same_built(old: &Rulebook, new: &Rulebook) -> bool {
    let kinds = |rulebook: &Rulebook| {
        let kinds = rulebook.book().schema.kinds().iter();
        let all = kinds.map(|kind| {
            (
                kind.id.clone(),
                kind.attributes.clone(),
                kind.existence,
                kind.naming,
            )
        });
        format!("{:?}", all.collect::<Vec<_>>())
    };
    kinds(old) == kinds(new) && format!("{:?}", old.templates()) == format!("{:?}", new.templates())
}

// ---- tables ------------------------------------------------------------------

fn tables(old: &Rulebook, new: &Rulebook, marks: &mut BTreeSet<Name>) {
    let ids: BTreeSet<&Name> = old.tables().keys().chain(new.tables().keys()).collect();
    for id in ids {
        match (old.tables().get(id), new.tables().get(id)) {
            (Some(before), Some(after)) if is_same_shape(before, after) => {
                rows(before, after, marks)
            }
            (before, after) => {
                marks.extend([mark::rows(id), mark::miss(id)]);
                for table in before.into_iter().chain(after) {
                    marks.extend(table.rows().map(|(key, _)| row_mark(table, key)));
                }
            }
        }
    }
}

fn is_same_shape(before: &Table, after: &Table) -> bool {
    before.key == after.key && before.columns == after.columns
}

fn rows(before: &Table, after: &Table, marks: &mut BTreeSet<Name>) {
    let cells = |table: &Table, key: &[Value]| table.get(key).map(|row| row.cells.clone());
    let mut is_other = false;
    for (key, row) in before.rows() {
        if cells(after, key).as_ref() != Some(&row.cells) {
            marks.insert(row_mark(before, key));
            is_other = true;
        }
    }
    if after.rows().any(|(key, _)| before.get(key).is_none()) {
        marks.insert(mark::miss(&after.id));
        is_other = true;
    }
    if is_other {
        marks.insert(mark::rows(&after.id));
    }
}

// ---- reactions and rules -------------------------------------------------------

/// A reaction hangs on the windows in which it can be taken.
fn reactions(old: &Rulebook, new: &Rulebook, marks: &mut BTreeSet<Name>) {
    let (before, after) = (&old.book().reactions, &new.book().reactions);
    let ids: BTreeSet<&Name> = before.keys().chain(after.keys()).collect();
    for id in ids {
        let both: [Option<&Action>; 2] = [before.get(id), after.get(id)];
        if both[0] != both[1] {
            let windows = both.into_iter().flatten().flat_map(|reaction| &reaction.at);
            marks.extend(windows.map(|window| mark::window(window)));
        }
    }
}

/// Whether it can be told which rules are other than they were.
fn rules(
    old: &Rulebook,
    new: &Rulebook,
    is_same_text: &SameText<'_>,
    marks: &mut BTreeSet<Name>,
) -> bool {
    let ids: BTreeSet<&Name> = old.rules().keys().chain(new.rules().keys()).collect();
    for id in ids {
        let is_same = match (old.rules().get(id), new.rules().get(id)) {
            (Some(before), Some(after)) => is_same_rule(before, after, is_same_text),
            // Nobody calls those who listen: they hang on events.
            _ if id.contains(".on-") => return false,
            _ => false,
        };
        if !is_same {
            marks.insert(mark::rule(id));
        }
    }
    true
}

/// Whether what was registered in one place is what is registered in another now.
type SameText<'a> = dyn Fn(&Place, &Place) -> bool + 'a;

fn is_same_rule(before: &RuleEntry, after: &RuleEntry, is_same_text: &SameText<'_>) -> bool {
    let is_same = |(a, b): (&LayerEntry, &LayerEntry)| {
        a.kind == b.kind
            && a.module == b.module
            && a.cites == b.cites
            && is_same_text(&a.place, &b.place)
    };
    before.signature == after.signature
        && before.layers.len() == after.layers.len()
        && std::iter::zip(&before.layers, &after.layers).all(is_same)
}
