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

/// How many letters must be put in, left out, changed, or taken the other way
/// round with the next (Levenshtein, with neighbours that were exchanged).
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let change = row[j] + usize::from(x != y);
            let mut least = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}
