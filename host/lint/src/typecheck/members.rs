//! What the members of actions and reactions take that their headers leave open:
//! what a window carries, and the parameters.

use std::collections::BTreeMap;

use kernel::book::{Action, Book};
use kernel::value::{Field, Name};

use crate::types::names::KindNames;
use crate::types::{MemberWay, way_of};

/// By the rule, and by the place of the argument: its type.
pub(super) type ArgumentTypes = BTreeMap<MemberWay, BTreeMap<usize, String>>;

/// Of all actions and reactions. A rule that is a member of several of them takes
/// what they agree on.
pub(super) fn members(book: &Book, kinds: &KindNames) -> ArgumentTypes {
    let mut found: BTreeMap<MemberWay, BTreeMap<usize, Option<String>>> = BTreeMap::new();
    let mut take = |rule: Option<&Name>, place: usize, ty: &str| {
        let Some(way) = rule.and_then(way_of) else {
            return;
        };
        let there = found
            .entry(way)
            .or_default()
            .entry(place)
            .or_insert_with(|| Some(ty.into()));
        if there.as_deref() != Some(ty) {
            *there = None;
        }
    };
    for action in book.actions.values() {
        let params = params(action, kinds);
        let all = [
            Some(&action.perform),
            action.score.as_ref(),
            action.outlook.as_ref(),
        ];
        all.into_iter().for_each(|rule| take(rule, 2, &params));
        action
            .params
            .iter()
            .for_each(|param| take(Some(&param.domain), 2, &params));
    }
    for reaction in book.reactions.values() {
        let window = window(reaction, book, kinds);
        let params = params(reaction, kinds);
        let whole = [
            Some(&reaction.perform),
            reaction.score.as_ref(),
            reaction.outlook.as_ref(),
        ];
        let domains = reaction.params.iter().map(|param| Some(&param.domain));
        for rule in whole.into_iter().chain(domains) {
            take(rule, 2, &window);
            take(rule, 3, &params);
        }
        take(reaction.allowed.as_ref(), 2, &window);
    }
    let agreed = |all: BTreeMap<usize, Option<String>>| {
        all.into_iter()
            .filter_map(|(place, ty)| Some((place, ty?)))
            .filter(|(_, ty)| ty != "any")
            .collect()
    };
    found
        .into_iter()
        .map(|(way, all)| (way, agreed(all)))
        .collect()
}

/// The parameters: those that are not asked for are nothing, which rules know.
fn params(action: &Action, kinds: &KindNames) -> String {
    let field = |param: &kernel::book::Param| Field {
        name: param.name.clone(),
        ty: param.ty.clone(),
    };
    kinds.fields(&action.params.iter().map(field).collect::<Vec<_>>())
}

/// What the windows carry in which a reaction can be taken, if that is the same.
fn window(reaction: &Action, book: &Book, kinds: &KindNames) -> String {
    let mut windows = reaction.at.iter().filter_map(|id| book.windows.get(id));
    match (windows.next(), windows.next()) {
        (Some(only), None) => kinds.fields(&only.carries),
        _ => "any".into(),
    }
}
