//! Rules that an action, a reaction or an automatic phase brings with it: what each
//! does, and the name by which house rules change it.

use houserule::kernel::book::PhaseBody;
use houserule::kernel::value::Name;
use houserule::rulebook::{Rulebook, member_in_words, name_in_luau};

/// Such a rule.
pub(super) struct OwnRule {
    /// What it does, in a sentence.
    pub doc: String,
    /// How it is written in Luau and in Rust.
    pub name: String,
}

/// What a rule is a part of, if it is.
pub(super) fn of(rulebook: &Rulebook, rule: &Name) -> Option<OwnRule> {
    let book = rulebook.book();
    let (of, word) = rule.rsplit_once('.')?;
    let is_action = book.actions.contains_key(of) || book.reactions.contains_key(of);
    let is_phase = book.phases.get(of).is_some_and(
        |phase| matches!(&phase.body, PhaseBody::Automatic { rule: runs } if runs == rule),
    );
    let is_run = is_phase && word == "run";
    if !is_action && !is_run {
        return None;
    }
    Some(OwnRule {
        doc: format!("{}.", member_in_words(of, word)),
        name: name_of(rule)?,
    })
}

/// How it is written: `skirmish.fire.shoot_perform`, and in Rust
/// `skirmish::fire::shoot_perform`.
fn name_of(rule: &str) -> Option<String> {
    let (of, word) = rule.rsplit_once('.')?;
    let in_rust = format!("{}_{word}", of.replace('.', "::").replace('-', "_"));
    // An action of a mod itself stands in no chapter.
    let is_in_chapter = of.matches('.').count() > 1;
    Some(match name_in_luau(rule).filter(|_| is_in_chapter) {
        Some(in_luau) => format!("`{in_luau}`, in Rust `{in_rust}`"),
        None => format!("in Rust `{in_rust}`"),
    })
}
