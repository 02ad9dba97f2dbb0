//! Which name was meant by one that is not there.

/// The name among many that is nearest in spelling, if it is near at all:
/// at most a third of its letters differ.
pub fn closest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = wanted.chars().collect();
    let mut nearest: Option<(usize, &str)> = None;
    for name in names {
        let near = name.len().max(wanted.len()) / 3;
        // What is further than another one need not be looked at to its end.
        let most = nearest.map_or(near, |(distance, _)| near.min(distance));
        let found = edits(&letters, name, most).map(|distance| (distance, name));
        nearest = [nearest, found].into_iter().flatten().min();
    }
    nearest.map(|(_, name)| name)
}

/// Whether two names have the same letters in another order, and the same numbers: of
/// all slips the one that nobody makes on purpose.
pub fn is_exchanged(one: &str, other: &str) -> bool {
    let letters =
        |name: &str| -> Vec<char> { name.chars().filter(|c| c.is_alphabetic()).collect() };
    let others = |name: &str| -> String { name.chars().filter(|c| !c.is_alphabetic()).collect() };
    let sorted = |mut letters: Vec<char>| {
        letters.sort_unstable();
        letters
    };
    letters(one).len() > 2
        && others(one) == others(other)
        && sorted(letters(one)) == sorted(letters(other))
}

/// Longer names are like no other.
const LONGEST_NEAR: usize = 256;

/// How many letters must be put in, left out, changed, or taken the other way
/// round with the next (Levenshtein, with neighbours that were exchanged), if
/// that are no more than so many.
fn edits(a: &[char], b: &str, most: usize) -> Option<usize> {
    let length = b.chars().count();
    // Where the lengths alone differ too much, letters need no look; and nobody
    // slips in a name of a thousand letters.
    if a.len().max(length) > LONGEST_NEAR || a.len().abs_diff(length) > most {
        return None;
    }
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=length).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(length + 1);
        next.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = row[j] + usize::from(x != y);
            let mut least = change.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
        // What follows is reached from one of these two rows.
        if row.iter().chain(&before).all(|distance| *distance > most) {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance <= most)
}
