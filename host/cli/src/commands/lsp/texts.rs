//! Files as an editor names them, and places in them as it counts.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use houserule::cursor::At;
use houserule::kernel::error::Place;
use houserule::kernel::value::Name;
use houserule::workshop::Workshop;
use lsp_types::{Position, Range, Uri};

/// The file that an editor means.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri
        .scheme()
        .is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("file"));
    let path = uri.path().as_estr().decode().into_string().ok()?;
    let path = if cfg!(windows) {
        path.trim_start_matches('/')
    } else {
        &*path
    };
    is_file.then(|| PathBuf::from(path))
}

/// What an editor calls a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let mut text = String::from(if path.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

/// The mod that a file is of, and its path there.
pub(super) fn file_of(path: &Path, workshop: &Workshop) -> Option<(Name, String)> {
    let path = path.canonicalize().ok()?;
    workshop.sources().iter().find_map(|(id, sources)| {
        let folder = sources.folder.as_ref()?.canonicalize().ok()?;
        let path = path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
        Some((id.clone(), path))
    })
}

/// The file of a place, as it was saved.
pub(super) fn file_at(place: &Place, workshop: &Workshop) -> Option<(PathBuf, String)> {
    let sources = workshop.sources().get(&place.module)?;
    let text = sources
        .get(&place.file)
        .map(ToString::to_string)
        .unwrap_or_default();
    let folder = sources.folder.as_ref()?;
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    Some((folder.join(&*place.file), text))
}

/// A place that an editor counts in units of UTF-16.
pub(super) fn at(text: &str, position: Position) -> At {
    let line = position.line as usize;
    let mut left = position.character as usize;
    let mut byte = 0;
    for letter in text.lines().nth(line).unwrap_or_default().chars() {
        if left < letter.len_utf16() {
            break;
        }
        left -= letter.len_utf16();
        byte += letter.len_utf8();
    }
    At { line, byte }
}

/// The same for an editor; what is beyond the line is at its end.
pub(super) fn position(text: &str, at: At) -> Position {
    let line = text.lines().nth(at.line).unwrap_or_default();
    let before = line.char_indices().take_while(|(byte, _)| *byte < at.byte);
    let character = before.map(|(_, letter)| letter.len_utf16() as u32).sum();
    Position {
        line: at.line as u32,
        character,
    }
}

/// The word at a place, or the line if only that is known.
pub(super) fn range(text: &str, place: &Place) -> Range {
    let number = place.line.saturating_sub(1) as usize;
    let line = text.lines().nth(number).unwrap_or_default();
    let (start, end) = match place.column {
        0 => (line.len() - line.trim_start().len(), line.trim_end().len()),
        column => word(line, byte_of(place, line, column)),
    };
    let to = |byte| position(text, At { line: number, byte });
    Range {
        start: to(start),
        end: to(end.max(start)),
    }
}

/// Luau counts bytes, the readers of data count letters.
fn byte_of(place: &Place, line: &str, column: u32) -> usize {
    let before = column.saturating_sub(1) as usize;
    match place.file.ends_with(".luau") {
        true => before.min(line.len()),
        false => line
            .char_indices()
            .nth(before)
            .map_or(line.len(), |(byte, _)| byte),
    }
}

fn word(line: &str, start: usize) -> (usize, usize) {
    let rest = line.get(start..).unwrap_or_default();
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    (
        start,
        start + length.max(rest.chars().next().map_or(0, char::len_utf8)),
    )
}

/// Where a name stands in the line of a place; the place without it.
pub(super) fn range_of(text: &str, place: &Place, id: &str) -> Range {
    let line = text
        .lines()
        .nth(place.line.saturating_sub(1) as usize)
        .unwrap_or_default();
    let last = id.rsplit('.').next().unwrap_or(id);
    let found = [id, last]
        .into_iter()
        .find_map(|name| Some((line.find(name)?, name)));
    match found {
        Some((byte, name)) => {
            let to = |byte| {
                position(
                    text,
                    At {
                        line: place.line.saturating_sub(1) as usize,
                        byte,
                    },
                )
            };
            Range {
                start: to(byte),
                end: to(byte + name.len()),
            }
        }
        None => range(text, place),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use houserule::cursor::At;
    use houserule::kernel::error::Place;
    use lsp_types::{Position, Range};

    use super::{at, path_of, position, range, range_of, uri_of};

    #[test]
    fn files_are_named_so_that_they_are_found_again() {
        for path in ["/mods/a b/ä#%.luau", "/mods/plain.ron"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert!(uri.as_str().is_ascii(), "{}", uri.as_str());
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)));
        }
        assert_eq!(path_of(&"untitled:one".parse().unwrap()), None);
    }

    #[test]
    fn places_are_counted_as_editors_do() {
        let text = "one\nä😀b";
        for (character, byte) in [(0, 0), (1, 2), (3, 6), (4, 7)] {
            let there = Position { line: 1, character };
            assert_eq!(at(text, there), At { line: 1, byte });
            assert_eq!(position(text, At { line: 1, byte }), there);
        }
        assert_eq!(
            at(
                text,
                Position {
                    line: 1,
                    character: 99
                }
            ),
            At { line: 1, byte: 7 }
        );
        assert_eq!(
            at(
                text,
                Position {
                    line: 9,
                    character: 9
                }
            ),
            At { line: 9, byte: 0 }
        );
    }

    #[test]
    fn a_place_is_its_word_or_its_line() {
        let of = |line, from, to| Range {
            start: Position {
                line,
                character: from,
            },
            end: Position {
                line,
                character: to,
            },
        };
        let text = "one\n  two.three four  \n";
        let place = Place::new("m", "rules/a.luau", 2);
        assert_eq!(range(text, &place), of(1, 2, 16));
        assert_eq!(
            range(
                text,
                &Place {
                    column: 3,
                    ..place.clone()
                }
            ),
            of(1, 2, 11)
        );
        assert_eq!(
            range(
                text,
                &Place {
                    column: 90,
                    ..place.clone()
                }
            ),
            of(1, 18, 18)
        );
        assert_eq!(
            range(
                text,
                &Place {
                    line: 9,
                    ..place.clone()
                }
            ),
            of(8, 0, 0)
        );
        assert_eq!(range_of(text, &place, "m.two.three"), of(1, 6, 11));
        assert_eq!(range_of(text, &place, "m.two.five"), of(1, 2, 16));
    }
}
