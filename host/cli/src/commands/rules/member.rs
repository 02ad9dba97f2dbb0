//! Rules that an action, a reaction or an automatic phase brings with it: what each
//! does, and the name by which house rules change it.

use houserule::kernel::book::PhaseBody;
use houserule::kernel::value::Name;
use houserule::rulebook::Rulebook;

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
    let doc = match word {
        "run" if is_phase => format!("Runs `{of}`."),
        _ if !is_action => return None,
        "perform" => format!("Does `{of}`."),
        "allowed" => format!("Why `{of}` may not be done, if it may not."),
        "score" => format!("What `{of}` is worth to a bot."),
        "outlook" => format!("What there is to know before `{of}` is done."),
        param => format!("What can be chosen as `{param}` of `{of}`."),
    };
    Some(OwnRule {
        doc,
        name: name_of(rule)?,
    })
}

/// How it is written: `skirmish.fire.shoot_perform`, and in Rust
/// `skirmish::fire::shoot_perform`.
fn name_of(rule: &str) -> Option<String> {
    let (of, word) = rule.rsplit_once('.')?;
    let plain = |text: &str| text.replace('-', "_");
    let in_rust = format!("{}_{word}", plain(&of.replace('.', "::")));
    let mut parts = of.splitn(3, '.');
    let (module, chapter) = (parts.next()?, parts.next()?);
    Some(match parts.next() {
        Some(name) => {
            let name = plain(&name.replace('.', "_"));
            let in_luau = format!("{module}.{}.{name}_{word}", plain(chapter));
            format!("`{in_luau}`, in Rust `{in_rust}`")
        }
        None => format!("in Rust `{in_rust}`"),
    })
}
