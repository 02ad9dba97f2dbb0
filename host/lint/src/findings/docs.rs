//! Comments over rules that were to gate them, and gate nothing: a dash or the
//! brackets were forgotten, or something stands between them and the rule.

use kernel::error::{Fault, FaultCode};
use kernel::value::is_word;
use luau_syntax::location::Position;
use rules::tokens::declared_before;

use super::Sink;
use super::world::WorldOfNames;

/// Checks the comments of a file.
pub(super) fn check(world: &WorldOfNames<'_>, module: &str, sink: &mut Sink<'_>) {
    let lines: Vec<&str> = sink
        .lines
        .iter()
        .map(|line| &line[declared_before(line)..])
        .collect();
    let is_clause = |word: &str| is_clause(world, module, word);
    for place in 0..lines.len() {
        let is_first = place == 0 || !lines[place - 1].starts_with("---");
        let found = match lines[place].strip_prefix("---") {
            Some(text) if is_first => unbracketed(&lines[place..], text, &is_clause)
                .or_else(|| apart(&lines[place..], text, &is_clause)),
            Some(_) => None,
            None => half(&lines[place..], &is_clause),
        };
        if let Some((message, hint)) = found {
            let at = Position {
                line: place as u32,
                column: 0,
            };
            sink.put(Fault::new(FaultCode::BadSignature, message).hint(hint), at);
        }
    }
}

/// Whether a word is the id of a clause of the mod, or the end of one.
fn is_clause(world: &WorldOfNames<'_>, module: &str, word: &str) -> bool {
    let module = kernel::value::Name::from(module);
    world.known.clauses(&module).any(|clause| {
        clause
            .id
            .strip_suffix(word)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// What is wrong, and what was meant.
type Slip = (String, String);

/// `-- [range] Why not`: a dash is missing.
fn half(lines: &[&str], is_clause: &impl Fn(&str) -> bool) -> Option<Slip> {
    let (tag, _) = lines.first()?.strip_prefix("-- [")?.split_once(']')?;
    let words = tag.split(" else ").next().unwrap_or_default();
    let after = lines.iter().find(|line| !line.starts_with("--"))?;
    let is_meant = declares(after) && words.split(',').all(|word| is_clause(word.trim()));
    let message = "this comment gates nothing: over a rule it begins with three dashes";
    is_meant.then(|| (message.into(), format!("`--- [{tag}]`")))
}

/// `--- range Why not`: the brackets are missing, or are others.
fn unbracketed(lines: &[&str], text: &str, is_clause: &impl Fn(&str) -> bool) -> Option<Slip> {
    let after = lines.iter().find(|line| !line.starts_with("---"))?;
    let (words, rest) = words_before(text.trim())?;
    let is_meant = declares(after) && !words.is_empty() && words.iter().all(|word| is_clause(word));
    let is_sentence = rest.starts_with(|c: char| c.is_lowercase()) && !rest.starts_with("else ");
    // No word of a sentence has one of these in it.
    let is_plain = words.len() == 1 && !words[0].contains(['_', '.']);
    if !is_meant || is_sentence && is_plain {
        return None;
    }
    let words = words.join(", ");
    let message =
        format!("this comment gates nothing: the clause `{words}` stands in brackets over a rule");
    Some((message, format!("`--- [{words}]`")))
}

/// The words at the front of a comment that may be clauses, and what follows.
fn words_before(text: &str) -> Option<(Vec<&str>, &str)> {
    if text.starts_with('[') {
        return None;
    }
    let mut rest = text.trim_start_matches(['(', '{', '<', '`']);
    let mut words = Vec::new();
    loop {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let word = word.trim_end_matches('.');
        if !word.split('.').all(is_word) {
            return None;
        }
        words.push(word);
        match after.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => {
                return Some((
                    words,
                    after.trim_start_matches([')', '}', '>', ']', '`', ':', ' ']),
                ));
            }
        }
    }
}

/// `--- [range] Why not`, an empty line or another comment, and then the rule.
fn apart(lines: &[&str], text: &str, is_clause: &impl Fn(&str) -> bool) -> Option<Slip> {
    let (tag, _) = text.trim().strip_prefix('[')?.split_once(']')?;
    let words = tag.split(" else ").next().unwrap_or_default();
    let is_tag = words.split(',').all(|word| is_clause(word.trim()));
    let after = lines.iter().skip_while(|line| line.starts_with("---"));
    let between = after
        .clone()
        .take_while(|line| line.trim().is_empty() || line.starts_with("--"))
        .count();
    let is_meant = is_tag
        && between > 0
        && after
            .clone()
            .nth(between)
            .is_some_and(|line| declares(line));
    // Another comment over the rule is its own.
    let has_own = after.take(between).any(|line| line.starts_with("---"));
    let message = "this comment gates nothing: something stands between it and the rule under it";
    (is_meant && !has_own).then(|| (message.into(), "leave out the lines between them".into()))
}

/// Whether a line gives something to a chapter.
fn declares(line: &str) -> bool {
    line.starts_with("function ") || line.contains(" = rules.")
}
