//! The sequence of play: phases within phases, and what can be done in them.

use std::collections::BTreeSet;

use kernel::book::{Action, AskOrder, Book, Order, PhaseBody};
use kernel::value::Name;

use super::{Piece, Step};

/// Phases from the first to the last, then those that rules enter, with what can
/// be done in each; then the moments at which others may react.
pub(super) fn of_game(book: &Book) -> Piece {
    let mut steps = Vec::new();
    let mut shown = BTreeSet::new();
    if let Some(root) = &book.root {
        branch(book, root, 0, &mut shown, &mut steps);
    }
    let held: BTreeSet<&Name> = book
        .phases
        .values()
        .flat_map(|phase| phase.body.phases())
        .collect();
    for id in book.phases.keys().filter(|id| !held.contains(id)) {
        if !shown.contains(id) {
            branch(book, id, 0, &mut shown, &mut steps);
        }
    }
    steps.extend(book.windows.values().filter_map(|window| {
        let actions = titles(book.reactions_at(&window.id));
        let how = match window.order {
            AskOrder::OthersFirst => "others may react first",
            AskOrder::ActingFirst => "the acting side may react first",
            AskOrder::OthersOnly => "others may react",
        };
        (!actions.is_empty()).then(|| Step {
            depth: 0,
            title: window.title.to_string(),
            how: how.into(),
            actions,
        })
    }));
    Piece::Steps { steps }
}

fn branch(book: &Book, id: &Name, depth: usize, shown: &mut BTreeSet<Name>, steps: &mut Vec<Step>) {
    let Some(phase) = book.phases.get(id) else {
        return;
    };
    // What runs by itself and is called nothing is nobody's business at the table.
    let is_unnamed = phase.title == *id && matches!(phase.body, PhaseBody::Automatic { .. });
    if is_unnamed {
        return;
    }
    steps.push(Step {
        depth,
        title: phase.title.to_string(),
        how: how(&phase.body).into(),
        actions: titles(book.actions_in(id)),
    });
    // A phase that holds itself is told once.
    if shown.insert(id.clone()) {
        phase
            .body
            .phases()
            .iter()
            .for_each(|inner| branch(book, inner, depth + 1, shown, steps));
    }
}

fn titles<'a>(actions: impl Iterator<Item = &'a Action>) -> Vec<String> {
    actions.map(|action| action.title.to_string()).collect()
}

fn how(body: &PhaseBody) -> &'static str {
    match body {
        PhaseBody::Sequence(_) | PhaseBody::Automatic { .. } => "",
        PhaseBody::Loop { .. } => "again and again",
        PhaseBody::Acts(acts) => match acts.order {
            Order::OneAfterAnother => "one side after another",
            Order::Alternating => "the sides in turns",
            Order::Secret => "all at once, in secret",
            Order::Given => "one side",
        },
    }
}
