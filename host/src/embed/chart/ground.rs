//! How ground looks, by the word for it: as on printed maps where the word is
//! one that maps know, else like nothing else on this map.

use std::cmp::Reverse;

/// How one sort of ground looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GroundLook {
    /// In letters.
    pub letter: char,
    /// In a picture.
    pub colour: &'static str,
    /// What lies above what: water under roads, walls over both.
    pub level: u8,
}

/// What maps know, by words that the sort of ground may contain.
const KNOWN: [(&[&str], GroundLook); 10] = [
    (
        &["hill", "ridge", "rise", "slope", "crest", "mountain"],
        look('^', "#d9c08f", 0),
    ),
    (&["field", "cultivated", "crop"], look(',', "#e6dc94", 1)),
    (
        &["rough", "broken", "rock", "crater", "rubble", "scree"],
        look(':', "#c9b9a0", 1),
    ),
    (&["swamp", "marsh", "bog"], look('%', "#9db8a0", 1)),
    (
        &["wood", "forest", "tree", "jungle"],
        look('"', "#8dbb74", 2),
    ),
    (
        &["urban", "town", "village", "city"],
        look('H', "#cfc4c0", 2),
    ),
    (
        &[
            "water", "river", "lake", "sea", "stream", "channel", "canal",
        ],
        look('~', "#8fbbe0", 3),
    ),
    (
        &["road", "track", "bridge", "runway", "street"],
        look('=', "#b98a5a", 4),
    ),
    (&["trench", "dug", "ditch", "mine"], look('v', "#a58a6a", 5)),
    (
        &[
            "wall", "hedge", "fence", "building", "house", "ruin", "bunker",
        ],
        look('#', "#6b625c", 6),
    ),
];

/// What no map knows, one after another.
const OTHERS: [(char, &str); 8] = [
    ('*', "#c8c8d8"),
    (';', "#d8b9c9"),
    ('|', "#b9d8d4"),
    ('-', "#d8d0b9"),
    ('`', "#c4c9b0"),
    ('!', "#e0b8a8"),
    ('$', "#b7a9c9"),
    ('&', "#b9c7d6"),
];

/// The same ground in another density is a shade darker and another letter.
const SECOND: [(char, char, &str); 2] = [('"', '%', "#5f9652"), ('#', '@', "#8a4b3c")];

const fn look(letter: char, colour: &'static str, level: u8) -> GroundLook {
    GroundLook {
        letter,
        colour,
        level,
    }
}

/// How each of these sorts looks, in their order: no two the same in letters.
pub(super) fn looks<'a>(sorts: impl Iterator<Item = &'a str>) -> Vec<GroundLook> {
    let mut given: Vec<GroundLook> = Vec::new();
    for sort in sorts {
        let is_free =
            |letter: char, given: &[GroundLook]| given.iter().all(|other| other.letter != letter);
        let known = known(sort).map(|known| {
            match SECOND.iter().find(|(first, ..)| *first == known.letter) {
                Some((_, letter, colour)) if !is_free(known.letter, &given) => GroundLook {
                    letter: *letter,
                    colour,
                    ..known
                },
                _ => known,
            }
        });
        let found = known
            .filter(|found| is_free(found.letter, &given))
            .unwrap_or_else(|| {
                let level = known.map_or(1, |known| known.level);
                let other = OTHERS
                    .iter()
                    .find(|(letter, _)| is_free(*letter, &given))
                    .unwrap_or(&OTHERS[0]);
                GroundLook {
                    letter: other.0,
                    colour: known.map_or(other.1, |known| known.colour),
                    level,
                }
            });
        given.push(found);
    }
    given
}

/// Whether maps know ground of that sort.
pub(super) fn is_known(sort: &str) -> bool {
    known(sort).is_some()
}

/// What maps know by that sort: by the longest word in it that they know, for a bridge is no ridge.
fn known(sort: &str) -> Option<GroundLook> {
    let sort = sort.to_lowercase();
    KNOWN
        .iter()
        .flat_map(|(words, look)| words.iter().map(move |word| (*word, *look)))
        .filter(|(word, _)| sort.contains(word))
        .min_by_key(|(word, _)| Reverse(word.len()))
        .map(|(_, look)| look)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_looks_as_maps_know_it_and_never_like_other_ground() {
        let sorts = [
            "light woods",
            "road",
            "dense woods",
            "ice",
            "woods",
            "wall",
            "lava",
            "building",
        ];
        let looks = looks(sorts.into_iter());
        assert_eq!(
            (looks[0].letter, looks[1].letter, looks[5].letter),
            ('"', '=', '#')
        );
        let mut letters: Vec<char> = looks.iter().map(|look| look.letter).collect();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), sorts.len());
        assert!(looks[5].level > looks[1].level && looks[1].level > looks[0].level);
    }

    #[test]
    fn a_bridge_is_no_ridge() {
        let looks = looks(["ridge", "stone bridge", "stream"].into_iter());
        let letters: String = looks.iter().map(|look| look.letter).collect();
        assert_eq!(letters, "^=~");
        assert!(looks[1].level > looks[2].level, "it lies over the water");
    }
}
