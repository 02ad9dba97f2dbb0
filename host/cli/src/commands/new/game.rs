//! `houserule new NAME --game`: a small game in which bots act and somebody wins.

use std::path::Path;

use houserule::format::formatted;

use super::write;
use crate::failure::Failure;

/// What the game is called in the files that are copied.
const ITS_NAME: &str = "skirmish";

/// Its chapters, as which no mod can be called that has them.
pub(super) const CHAPTERS: &[&str] = &["fire", "turn"];

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("skirmish/", $path)))),*]
    };
}

/// Its files.
const FILES: &[(&str, &str)] = files![
    "mod.ron",
    "data/skirmish.ron",
    "rules/fire.luau",
    "rules/turn.luau",
    "scenarios/skirmish-first.ron",
    "tests/skirmish.luau",
];

/// Writes the files of a game.
///
/// # Errors
/// What cannot be written.
pub(super) fn write_all(folder: &Path, name: &str) -> Result<(), Failure> {
    for (path, text) in FILES {
        let path = path.replace(ITS_NAME, name);
        let text = renamed(text, name);
        // Lines are of other lengths under another name.
        let is_rules = path.ends_with(".luau");
        let text = if is_rules {
            formatted(name, &path, &text)?
        } else {
            text
        };
        write(folder, &path, &text)?;
    }
    let readme = "# NAME\n\nA small game: squads shoot at each other in turns until one side has nobody left.\n";
    write(folder, "README.md", &readme.replace("NAME", name))
}

/// A text in which the game goes by another name, in ids, titles and types.
fn renamed(text: &str, name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let title: String = first.into_iter().chain(letters).collect();
    text.replace(ITS_NAME, name).replace("Skirmish", &title)
}
