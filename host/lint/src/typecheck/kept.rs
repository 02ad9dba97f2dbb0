//! What the checker found in a file, kept by everything that it read for it.

use std::fs;
use std::path::Path;

use kernel::error::Place;
use rules::kept;

use super::Finding;

/// What changes when the same text would be checked otherwise.
const CHECKER: &str = concat!(
    "luau-analysis 0.739.0, houserule ",
    env!("CARGO_PKG_VERSION"),
    ", 5"
);

/// The last line of what is kept: a file that was cut off says nothing.
const END: &str = "end\n";

/// The name under which something is kept.
pub(super) fn hash<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(CHECKER.as_bytes());
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// What was found in a file, if that is kept.
pub(super) fn read(folder: &Path, key: &str, file: &Place) -> Option<Vec<Finding>> {
    let text = fs::read_to_string(folder.join(key)).ok()?;
    let found = text.strip_suffix(END)?;
    found.lines().map(|line| finding(line, file)).collect()
}

fn finding(line: &str, file: &Place) -> Option<Finding> {
    let mut parts = line.splitn(3, ' ');
    let (line, column) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let text = parts.next()?.replace('\u{1f}', "\n");
    let (message, hint) = match text.split_once('\u{1e}') {
        Some((message, hint)) => (message.to_string(), Some(hint.to_string())),
        None => (text, None),
    };
    Some(Finding {
        place: Place {
            line,
            column,
            ..file.clone()
        },
        message,
        hint,
    })
}

/// Keeps what was found; what cannot be kept is found again.
pub(super) fn write(folder: &Path, key: &str, found: &[Finding]) {
    let line = |one: &Finding| {
        let message = one.message.replace('\n', "\u{1f}");
        let hint = one
            .hint
            .as_ref()
            .map_or(String::new(), |hint| format!("\u{1e}{hint}"));
        format!("{} {} {message}{hint}\n", one.place.line, one.place.column)
    };
    let text: String = found.iter().map(line).collect();
    kept::replace(&folder.join(key), format!("{text}{END}").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("houserule-checked-{}", std::process::id()));
        let file = Place::new("m", "rules/fire.luau", 0);
        let one = |line| Finding {
            place: Place {
                line,
                column: 3,
                ..file.clone()
            },
            message: "expected one\nfound two".into(),
            hint: Some("say one".into()),
        };
        for found in [vec![], vec![one(1), one(20)]] {
            write(&folder, "key", &found);
            assert_eq!(read(&folder, "key", &file), Some(found));
            let whole = fs::read_to_string(folder.join("key")).unwrap();
            for end in 0..whole.len() {
                fs::write(folder.join("key"), &whole[..end]).unwrap();
                assert_eq!(read(&folder, "key", &file), None, "cut at {end}");
            }
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
