//! What can be said at the table, and how a line is taken apart.

/// Something that can be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// What can be said.
    Help,
    /// What is legal now.
    Legal,
    /// Does something that is legal.
    Do,
    /// Answers the question that is open.
    Answer,
    /// Lets the go pass.
    Pass,
    /// Is done with the phase.
    Done,
    /// Lets a reaction go by.
    Decline,
    /// Takes the last action of a secret phase back.
    Back,
    /// Leaves what was begun and not finished.
    Cancel,
    /// Takes decisions back.
    Undo,
    /// Makes decisions again.
    Redo,
    /// The decisions so far.
    History,
    /// The map.
    Map,
    /// The map as a picture.
    Svg,
    /// What is known of a piece.
    Look,
    /// What has happened.
    Report,
    /// Why something happened.
    Why,
    /// What an action would come to, and how often.
    Odds,
    /// Keeps a moment as a test.
    Record,
    /// Looks as somebody else.
    View,
    /// What plays a side.
    Bot,
    /// Takes the mods over as they are now.
    Reload,
    /// Saves the game.
    Save,
    /// Loads a game.
    Load,
    /// What is played, by which rules.
    About,
    /// Leaves.
    Quit,
}

/// Each word with its spellings, what follows it, and what it does.
pub const WORDS: [(Word, &[&str], &str, &str); 26] = [
    (
        Word::Help,
        &["help", "?"],
        "[WORD]",
        "what can be said, or one word of it",
    ),
    (
        Word::Legal,
        &["legal", "l"],
        "[all]",
        "what you may do now; `all` also what not, and why",
    ),
    (
        Word::Do,
        &["do"],
        "ACTION [WHO] [WITH …]",
        "do something; `do` can be left out",
    ),
    (
        Word::Answer,
        &["answer", "a"],
        "ANSWER",
        "answer the question; the answer alone does as well",
    ),
    (Word::Pass, &["pass"], "", "let your go pass"),
    (Word::Done, &["done"], "", "be done with this phase"),
    (
        Word::Decline,
        &["decline", "no"],
        "[all]",
        "let a reaction go by; `all` for the rest of this action",
    ),
    (
        Word::Back,
        &["back"],
        "",
        "take your last action of a secret phase back",
    ),
    (
        Word::Cancel,
        &["cancel"],
        "",
        "leave what you began, before its last choice",
    ),
    (
        Word::Undo,
        &["undo", "u"],
        "[COUNT or no]",
        "take your last decisions back, with what bots did after them; `no` to what is asked for",
    ),
    (
        Word::Redo,
        &["redo", "r"],
        "[COUNT]",
        "make decisions again that were taken back",
    ),
    (Word::History, &["history"], "", "the decisions so far"),
    (
        Word::Map,
        &["map", "m"],
        "[PIECE]",
        "the table; with a piece, its ranges",
    ),
    (Word::Svg, &["svg"], "FILE [PIECE]", "the same as a picture"),
    (
        Word::Look,
        &["look"],
        "[PIECE [all]]",
        "what you know of a piece, or which there are",
    ),
    (
        Word::Report,
        &["report"],
        "[COUNT]",
        "the last lines of the report",
    ),
    (
        Word::Why,
        &["why"],
        "[EVENT or TEXT]",
        "what brought something about",
    ),
    (
        Word::Odds,
        &["odds"],
        "ACTION [WHO] [WITH …] [by OUTCOME]",
        "what an action would come to, and how often",
    ),
    (
        Word::Record,
        &["record", "k"],
        "NAME [EVENT]",
        "keep the last event, or one by number, as a test",
    ),
    (
        Word::View,
        &["view"],
        "SIDE",
        "hand the screen over: a side, `spectator` or `referee`",
    ),
    (
        Word::Bot,
        &["bot"],
        "SIDE KIND",
        "let a side be played by `random`, `greedy` or `nobody`",
    ),
    (
        Word::Reload,
        &["reload"],
        "[now]",
        "take the mods over as they are; `now` leaves the past alone",
    ),
    (Word::Save, &["save"], "FILE", "save the game"),
    (
        Word::Load,
        &["load"],
        "FILE",
        "go on with another game; the file stays as it is",
    ),
    (
        Word::About,
        &["about"],
        "",
        "what is played, and by which rules",
    ),
    (
        Word::Quit,
        &["quit", "q", "exit"],
        "",
        "leave; the game is kept",
    ),
];

/// The word that is spelt so, in full or as its only beginning.
pub fn word(text: &str) -> Option<Word> {
    let spelt = |(_, spellings, _, _): &&(Word, &[&str], &str, &str)| spellings.contains(&text);
    WORDS.iter().find(spelt).map(|(word, ..)| *word)
}

/// Whether a word only shows something: it can be said in the middle of an action.
pub fn is_looking(word: Word) -> bool {
    use Word::{About, Help, History, Legal, Look, Map, Odds, Report, Svg, Why};
    matches!(
        word,
        About | Help | History | Legal | Look | Map | Odds | Report | Svg | Why
    )
}

/// The only word that begins so. What changes the game is said in full, or a
/// slip would do it.
pub fn word_beginning(text: &str) -> Option<Word> {
    let begins = |(word, spellings, _, _): &&(Word, &[&str], &str, &str)| {
        spellings[0].starts_with(text) && (is_looking(*word) || *word == Word::Cancel)
    };
    let mut found = WORDS.iter().filter(begins);
    match (found.next(), found.next()) {
        (Some((word, ..)), None) if text.len() > 1 => Some(*word),
        _ => None,
    }
}

/// A line in parts: at spaces that are not within quotes or brackets. Quotes
/// around a whole part are left out.
pub fn parts(line: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut depth, mut is_quoted) = (0u32, false);
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            '(' | '[' | '{' if !is_quoted => depth += 1,
            ')' | ']' | '}' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && !is_quoted && depth == 0 {
            if !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
        } else if c != '"' {
            part.push(c);
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_apart_at_spaces_outside_of_brackets() {
        assert_eq!(
            parts("move tank-1 (10in, 4in)  to=\"the hill\""),
            ["move", "tank-1", "(10in, 4in)", "to=the hill"]
        );
        assert_eq!(parts("  "), Vec::<String>::new());
        assert_eq!(parts("a)b c"), ["a)b", "c"]);
    }

    #[test]
    fn words_are_known_by_their_beginning() {
        assert_eq!(word("u"), Some(Word::Undo));
        assert_eq!(word("hist"), None);
        assert_eq!(word_beginning("hist"), Some(Word::History));
        assert_eq!(word_beginning("l"), None, "legal and look begin so");
        assert_eq!(word_beginning("red"), None, "a side, and no slip of `redo`");
        let mut spellings: Vec<&str> = WORDS
            .iter()
            .flat_map(|(_, spellings, ..)| spellings.iter().copied())
            .collect();
        spellings.sort_unstable();
        spellings.dedup();
        assert_eq!(
            spellings.len(),
            WORDS
                .iter()
                .map(|(_, spellings, ..)| spellings.len())
                .sum::<usize>()
        );
    }
}
