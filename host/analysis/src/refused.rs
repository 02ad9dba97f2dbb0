//! Decisions that no longer fit, and why: for people, who read no records.

use matches::play::Match;
use rules::types::Unit;

/// Why a decision no longer fits: where its text names an entity that is not
/// there any more, that entity is said, not where in the text it stands.
///
/// ```
/// use analysis::refused::in_words;
/// let reason = "expected the name of an entity at character 27, found `green-1 {tar`";
/// assert_eq!(in_words(reason), "`green-1` is no longer there");
/// assert_eq!(in_words("it is out of range"), "it is out of range");
/// ```
pub fn in_words(reason: &str) -> String {
    let gone = reason
        .strip_prefix("expected the name of an entity")
        .and_then(|rest| {
            let found = rest.split_once("found `")?.1;
            found
                .split([' ', '`', '}', ','])
                .next()
                .filter(|name| !name.is_empty())
        });
    gone.map_or_else(
        || reason.to_string(),
        |name| format!("`{name}` is no longer there"),
    )
}

/// A decision that a game does not take, in the words of a report; where it names
/// what is not there any more, in those of the game in which it was made.
pub fn decision(game: &Match, text: &str, unit: Unit, made: impl FnOnce() -> String) -> String {
    let words = game.recorded_words(text, unit);
    if words == text { made() } else { words }
}
