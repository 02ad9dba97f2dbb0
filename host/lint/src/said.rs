//! Actions of one mod that are called at the table by the word of another's.

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, owner_of};
use rules::registration::RawAction;
use rules::rulebook::Rulebook;

/// Actions and reactions of a mod whose titles are the word by which players say one
/// of another mod: with both in one phase neither of them, or only the new one, is
/// called so. The last part of an id takes no title's word: it is said longer then.
pub(crate) fn taken_words(rulebook: &Rulebook, module: &Name) -> Vec<Fault> {
    let all = &rulebook.registrations().actions;
    let (own, others): (Vec<&RawAction>, Vec<&RawAction>) = all
        .iter()
        .map(|action| &**action)
        .partition(|action| *owner_of(&action.id) == **module);
    let takes = |own: &RawAction, other: &RawAction| {
        let meet = own.at.iter().any(|at| other.at.contains(at));
        meet && title_of(own).is_some_and(|title| title == word_of(other))
    };
    own.into_iter()
        .filter_map(|own| {
            let other = others.iter().find(|other| takes(own, other))?;
            let message = format!(
                "expected a word of its own for `{}`, found that `{}` is said as `{}` in the same place",
                own.id,
                other.id,
                word_of(other)
            );
            let hint = "a title of several words takes no word from others";
            let fault = Fault::new(FaultCode::Duplicate, message).hint(hint);
            Some(fault.at(own.origin.place.clone()))
        })
        .collect()
}

/// What players say for an action: its title, if that is one word, else the last
/// part of its id.
fn word_of(action: &RawAction) -> String {
    title_of(action).unwrap_or_else(|| end_of(action).to_string())
}

fn title_of(action: &RawAction) -> Option<String> {
    let is_word = action.title.chars().all(char::is_alphabetic);
    is_word.then(|| action.title.to_lowercase())
}

fn end_of(action: &RawAction) -> &str {
    action.id.rsplit('.').next().unwrap_or(&action.id)
}
