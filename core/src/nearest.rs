//! Which name was meant by one that is not there.

/// The name among many that is nearest in spelling, if it is near at all:
/// at most a third of its letters differ.
pub fn closest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    names
        .filter(|name| {
            // Where the lengths alone differ too much, letters need no look;
            // and nobody slips in a name of a thousand letters.
            let other = name.chars().count();
            length.max(other) <= LONGEST_NEAR && length.abs_diff(other) * 3 <= name.len().max(wanted.len())
        })
        .map(|name| (edits(wanted, name), name))
        .filter(|(distance, name)| *distance * 3 <= name.len().max(wanted.len()))
        .min()
        .map(|(_, name)| name)
}

/// Longer names are like no other.
const LONGEST_NEAR: usize = 256;

/// How many letters must be put in, left out or changed (Levenshtein).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
