//! `houserule new NAME --game`: the small game of the book under another name.

use std::path::Path;

use houserule::format::formatted;

use super::write;
use crate::desk::Failure;

/// What the game of the book is called, which its files say everywhere.
const ITS_NAME: &str = "drill";

/// And its scenario.
const ITS_SCENARIO: &str = "range";

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../../docs/examples/drill/", $path)))),*]
    };
}

/// Its files.
const FILES: &[(&str, &str)] = files![
    "mod.ron",
    "data/drill.ron",
    "rules/fire.luau",
    "rules/orders.luau",
    "scenarios/range.ron",
    "tests/drill.luau",
];

/// Writes the files of a game.
///
/// # Errors
/// What cannot be written.
pub(super) fn write_all(folder: &Path, name: &str) -> Result<(), Failure> {
    for (path, text) in FILES {
        let path = path.replace(&format!("/{ITS_SCENARIO}."), &format!("/{name}-first."));
        let path = path.replace(ITS_NAME, name);
        let text = renamed(text, name);
        // Lines are of other lengths under another name.
        let is_rules = path.ends_with(".luau");
        let text = if is_rules { formatted(name, &path, &text)? } else { text };
        write(folder, &path, &text)?;
    }
    let readme = "# NAME\n\nA small game: squads take secret orders, then shoot at each other in turns.\n";
    write(folder, "README.md", &readme.replace("NAME", name))
}

/// A text in which the game goes by another name, in ids, titles and types.
fn renamed(text: &str, name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let title: String = first.into_iter().chain(letters).collect();
    let text = text.replace("    authors: [\"The Houserule book\"],\n", "");
    let text = text.replace(&format!("\"{ITS_SCENARIO}\""), &format!("\"{name}-first\""));
    text.replace(ITS_NAME, name).replace("Drill", &title)
}
