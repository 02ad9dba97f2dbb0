//! Words as decisions: which action is meant, who does it, and its parameters,
//! given in one line or one after another.

use std::collections::BTreeMap;

use houserule::embed::{
    LegalAction, LegalMoves, NextParam, Outlook, Plain, Tabletop, Trouble, WireDomain, WireInput,
};

use super::domains::{beyond, is_choice, resolve};
use super::screen;

/// An action of which not everything is said yet.
#[derive(Clone)]
pub struct Begun {
    by: String,
    legal: LegalMoves,
    action: LegalAction,
    params: BTreeMap<String, Plain>,
    /// What is asked for next.
    pub next: NextParam,
}

impl Begun {
    /// What a player should know of a value for what is asked for next.
    ///
    /// # Errors
    /// A rule that tells it is broken.
    pub fn outlook(&self, table: &Tabletop, value: &Plain) -> Result<Option<Outlook>, Trouble> {
        let mut params = self.params.clone();
        params.insert(self.next.name.clone(), value.clone());
        table.outlook(
            &self.by,
            &self.action.id,
            self.action.actor_ref().as_ref(),
            &params,
        )
    }
}

/// How far words have come.
pub enum Progress {
    /// They are a whole decision.
    Whole(WireInput),
    /// Something is left to say.
    Begun(Box<Begun>),
    /// They make no sense here, for this reason.
    Unclear(String),
}

/// The short name of each action by its id: its title, if that is one word and no
/// other action begins with it; else the last part of the id, or as many as tell
/// it from the others, and from what else can be said.
pub fn short_names(legal: &LegalMoves) -> Vec<(String, String)> {
    let by_id = names_by_id(legal);
    let title_of = |id: &str| {
        legal
            .actions
            .iter()
            .find(|action| action.id == *id)
            .map(|action| action.title.to_lowercase())
    };
    let titles: Vec<Option<String>> = by_id.iter().map(|(id, _)| title_of(id)).collect();
    let is_free = |title: &String, id: &str| {
        let is_word = title.chars().all(char::is_alphabetic) && !screen::is_word(title);
        let is_others = by_id
            .iter()
            .any(|(other, name)| other != id && name == title);
        is_word
            && !is_others
            && titles
                .iter()
                .flatten()
                .filter(|other| *other == title)
                .count()
                == 1
    };
    let named = by_id.iter().zip(&titles).map(|((id, name), title)| {
        let title = title.clone().filter(|title| is_free(title, id));
        (id.clone(), title.unwrap_or_else(|| name.clone()))
    });
    named.collect()
}

/// The last part of the id of each action, or as many as tell it from the others,
/// from their titles that are a word, and from the words of the table.
fn names_by_id(legal: &LegalMoves) -> Vec<(String, String)> {
    let mut ids: Vec<&str> = legal.actions.iter().map(|action| &*action.id).collect();
    ids.dedup();
    ids.sort_unstable();
    ids.dedup();
    let end = |id: &str, parts: usize| {
        let all: Vec<&str> = id.split('.').collect();
        all[all.len().saturating_sub(parts)..].join(".")
    };
    let is_title = |name: &str, id: &str| {
        let mut others = legal.actions.iter().filter(|action| action.id != id);
        others.any(|action| action.title.to_lowercase() == name)
    };
    let short = |id: &&str| {
        let is_own = |parts: &usize| {
            let name = end(id, *parts);
            let is_shared = ids
                .iter()
                .any(|other| other != id && end(other, *parts) == name);
            !is_shared && !is_title(&name, id) && !screen::is_word(&name)
        };
        let parts = (1..5).find(is_own).unwrap_or(5);
        (id.to_string(), end(id, parts))
    };
    ids.iter().map(short).collect()
}

/// Who would do an action.
pub fn label_of(action: &LegalAction) -> Option<&str> {
    match &action.actor {
        Some(Plain::Entity { label, .. }) => Some(label),
        _ => None,
    }
}

/// The id of the action that is called so: by its short name, in full, by the
/// only beginning, by its title, or by a part of its id that no other has that
/// somebody may do now.
pub fn action_called(legal: &LegalMoves, word: &str) -> Option<String> {
    let names = short_names(legal);
    let by_id = names_by_id(legal);
    if let Some((id, _)) = names
        .iter()
        .chain(&by_id)
        .find(|(id, name)| id == word || name == word)
    {
        return Some(id.clone());
    }
    let ids = || names.iter().map(|(id, _)| id.as_str());
    let begins = names
        .iter()
        .filter(|(_, name)| word.len() > 1 && name.starts_with(word));
    let is_titled = |id: &&str| {
        let mut actions = legal.actions.iter().filter(|action| action.id == *id);
        actions.any(|action| action.title.to_lowercase() == word)
    };
    let is_allowed = |id: &&str| {
        legal
            .actions
            .iter()
            .any(|action| action.id == *id && action.refused.is_none())
    };
    let has_part = |id: &&str| id.split('.').any(|part| part == word);
    only(ids().filter(is_titled))
        .or_else(|| only(begins.map(|(id, _)| id.as_str())))
        .or_else(|| only(ids().filter(has_part).filter(is_allowed)))
        .map(ToString::to_string)
}

/// The one that there is.
fn only<'a>(mut ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    ids.next().filter(|_| ids.next().is_none())
}

/// Begins an action with what was said of it.
///
/// # Errors
/// A rule that tells what there is to choose is broken.
pub fn begin(
    table: &mut Tabletop,
    by: &str,
    legal: LegalMoves,
    id: &str,
    words: &[String],
    metric: bool,
) -> Result<Progress, Trouble> {
    let actions: Vec<&LegalAction> = legal
        .actions
        .iter()
        .filter(|action| action.id == id)
        .collect();
    let said = words.len();
    let (action, words) = match who(&actions, words) {
        Ok(found) => found,
        Err(reason) => return Ok(Progress::Unclear(reason)),
    };
    let is_implied = words.len() == said;
    if let Some(reason) = &action.refused {
        return why_refused(
            table,
            &legal.input(by, action, BTreeMap::new()),
            &action.title,
            reason,
        );
    }
    let mut named = BTreeMap::new();
    let mut in_order = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((name, value)) if action.params.iter().any(|param| param.name == name) => {
                named.insert(name.to_string(), value.to_string());
            }
            _ => in_order.push(word.clone()),
        }
    }
    let unused = UnusedWords {
        named,
        in_order,
        is_implied,
    };
    let (by, action) = (by.to_string(), action.clone());
    go_on(table, by, legal, action, BTreeMap::new(), unused, metric)
}

/// Why an action is refused: as the rules say when it is tried, with the clause,
/// where that is the reason on the list.
fn why_refused(
    table: &mut Tabletop,
    input: &WireInput,
    title: &str,
    listed: &str,
) -> Result<Progress, Trouble> {
    match table.submit(input) {
        Err(trouble @ Trouble::Refusal { .. }) if matches!(&trouble, Trouble::Refusal { reason, .. } if reason == listed) => {
            Err(trouble)
        }
        _ => Ok(Progress::Unclear(format!("{title}: {listed}"))),
    }
}

/// Goes on with what was asked for.
///
/// # Errors
/// As [`begin`].
pub fn continue_with(
    table: &mut Tabletop,
    begun: Begun,
    typed: &str,
    metric: bool,
) -> Result<Progress, Trouble> {
    let Begun {
        by,
        legal,
        action,
        mut params,
        next,
    } = begun;
    if let Some(reason) = beyond(&next.domain, typed) {
        return Ok(Progress::Unclear(reason));
    }
    params.insert(next.name, resolve(&next.domain, typed, metric));
    go_on(
        table,
        by,
        legal,
        action,
        params,
        UnusedWords::default(),
        metric,
    )
}

/// What was said of parameters and is not used yet.
#[derive(Default)]
struct UnusedWords {
    named: BTreeMap<String, String>,
    in_order: Vec<String>,
    /// Whether nobody was named who does it: the only one who may does.
    is_implied: bool,
}

fn go_on(
    table: &mut Tabletop,
    by: String,
    legal: LegalMoves,
    action: LegalAction,
    mut params: BTreeMap<String, Plain>,
    mut unused: UnusedWords,
    metric: bool,
) -> Result<Progress, Trouble> {
    while let Some(next) =
        table.next_param(&by, &action.id, action.actor_ref().as_ref(), &params)?
    {
        let typed = match unused.named.remove(&next.name) {
            Some(typed) => typed,
            None if unused.in_order.is_empty() => {
                return Ok(Progress::Begun(Box::new(Begun {
                    by,
                    legal,
                    action,
                    params,
                    next,
                })));
            }
            None if takes_many(&next.domain) => {
                unused.in_order.drain(..).collect::<Vec<_>>().join(" ")
            }
            None => choice_said(&next.domain, &mut unused.in_order),
        };
        if let Some(reason) = beyond(&next.domain, &typed) {
            return Ok(Progress::Unclear(format!("{} {reason}", next.title)));
        }
        params.insert(next.name, resolve(&next.domain, &typed, metric));
    }
    if let Some(word) = unused.in_order.first().or(unused.named.keys().next()) {
        // Where it was meant for somebody, it is said who would act.
        let by = match &action.actor {
            Some(Plain::Entity { label, .. }) if unused.is_implied => {
                format!(" by {label}, who alone may do it now")
            }
            Some(Plain::Entity { label, .. }) => format!(" by {label}"),
            _ => String::new(),
        };
        return Ok(Progress::Unclear(format!(
            "`{word}` is one word too many for {}{by}",
            action.title
        )));
    }
    Ok(Progress::Whole(legal.input(&by, &action, params)))
}

/// The words that say what is asked for: as many as the longest label that they begin with has, `march 3` for
/// instance, or one.
fn choice_said(domain: &WireDomain, words: &mut Vec<String>) -> String {
    let is_label = |count: &usize| is_choice(domain, &words[..*count].join(" "));
    let count = (2..=words.len()).rev().find(is_label).unwrap_or(1);
    words.drain(..count).collect::<Vec<_>>().join(" ")
}

/// Whether a value of it may be said in several words.
fn takes_many(domain: &WireDomain) -> bool {
    matches!(
        domain,
        WireDomain::Several { .. } | WireDomain::Route { .. }
    )
}

/// The one who does it: as said, or the only one who may.
fn who<'a, 'w>(
    actions: &[&'a LegalAction],
    words: &'w [String],
) -> Result<(&'a LegalAction, &'w [String]), String> {
    if let [only] = actions
        && only.actor.is_none()
    {
        return Ok((only, words));
    }
    if let Some(first) = words.first()
        && let Some(action) = actions
            .iter()
            .find(|action| label_of(action) == Some(first))
    {
        return Ok((action, &words[1..]));
    }
    let allowed: Vec<&&LegalAction> = actions
        .iter()
        .filter(|action| action.refused.is_none())
        .collect();
    match allowed.as_slice() {
        [only] => Ok((only, words)),
        [] => Err(
            match actions.first().and_then(|action| action.refused.as_deref()) {
                Some(reason) => format!("nobody can do that now: {reason}"),
                None => "nobody can do that now".into(),
            },
        ),
        several => {
            let names: Vec<&str> = several
                .iter()
                .filter_map(|action| label_of(action))
                .collect();
            Err(format!("say who: {}", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use houserule::embed::WireChoice;

    use super::*;

    #[test]
    fn a_choice_of_several_words_is_said_in_several() {
        let choice = |label: &str| WireChoice {
            label: label.into(),
            value: Plain::Text(label.into()),
        };
        let choices = ["march", "march 3", "fall back"].map(choice).into();
        let domain = WireDomain::Choices { choices };
        let mut words: Vec<String> = ["March", "3", "march", "fall"].map(String::from).into();
        assert_eq!(choice_said(&domain, &mut words), "March 3");
        assert_eq!(choice_said(&domain, &mut words), "march");
        assert_eq!(choice_said(&domain, &mut words), "fall");
        assert!(words.is_empty());
    }
}
