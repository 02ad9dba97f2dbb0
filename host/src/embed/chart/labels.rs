//! Where names are written on a picture: beside what they name, where nothing
//! else stands.

/// A letter is about so wide, in parts of the height of its font.
const LETTER: f64 = 0.56;
/// So many of the places around a point touch what is there.
const NEAR: usize = 8;

/// Where a text is written: the middle of its base line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TextAnchor {
    pub x: f64,
    pub y: f64,
    /// Whether it touches what it names; else a line has to lead there.
    pub is_near: bool,
}

/// A rectangle on the picture.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Patch {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Patch {
    fn meets(&self, other: &Patch) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// What is taken on a picture.
#[derive(Default)]
pub(super) struct TakenSpace {
    taken: Vec<Patch>,
    width: f64,
    height: f64,
}

impl TakenSpace {
    /// A picture of that size on which nothing is taken.
    pub fn on(width: f64, height: f64) -> TakenSpace {
        TakenSpace {
            taken: Vec::new(),
            width,
            height,
        }
    }

    /// Keeps a circle free of names.
    pub fn keep_free(&mut self, (x, y): (f64, f64), radius: f64) {
        self.taken.push(Patch {
            left: x - radius,
            top: y - radius,
            right: x + radius,
            bottom: y + radius,
        });
    }

    /// Where a text about a point is written, so far from it; nothing where
    /// everything around is taken.
    pub fn place(&mut self, at: (f64, f64), gap: f64, text: &str, font: f64) -> Option<TextAnchor> {
        self.first_free(at, gap, text, font, usize::MAX)
    }

    /// The same for what means nothing away from its piece.
    pub fn place_near(
        &mut self,
        at: (f64, f64),
        gap: f64,
        text: &str,
        font: f64,
    ) -> Option<TextAnchor> {
        self.first_free(at, gap, text, font, NEAR)
    }

    fn first_free(
        &mut self,
        (x, y): (f64, f64),
        gap: f64,
        text: &str,
        font: f64,
        most: usize,
    ) -> Option<TextAnchor> {
        let half = text.chars().count() as f64 * font * LETTER / 2.0;
        let beside = gap + half + 2.0;
        let tries = [
            (0.0, gap + font),
            (0.0, -gap - 3.0),
            (beside, font * 0.35),
            (-beside, font * 0.35),
            (beside, gap + font),
            (-beside, gap + font),
            (beside, -gap),
            (-beside, -gap),
            (0.0, gap + 2.2 * font),
            (0.0, -gap - 1.3 * font),
            (beside, gap + 2.2 * font),
            (-beside, gap + 2.2 * font),
            (0.0, gap + 3.4 * font),
            (0.0, -gap - 2.5 * font),
        ];
        for (number, (dx, dy)) in tries.into_iter().take(most).enumerate() {
            let (x, y) = (x + dx, y + dy);
            if let Some(patch) = self.free((x, y), half, font) {
                self.taken.push(patch);
                return Some(TextAnchor {
                    x,
                    y,
                    is_near: number < NEAR,
                });
            }
        }
        None
    }

    fn free(&self, (x, y): (f64, f64), half: f64, font: f64) -> Option<Patch> {
        let wanted = Patch {
            left: x - half,
            top: y - font * 0.8,
            right: x + half,
            bottom: y + font * 0.25,
        };
        let is_inside = wanted.left >= 0.0
            && wanted.right <= self.width
            && wanted.top >= 0.0
            && wanted.bottom <= self.height;
        let is_free = is_inside && self.taken.iter().all(|other| !wanted.meets(other));
        is_free.then_some(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_written_over_each_other() {
        let mut labels = TakenSpace::on(200.0, 200.0);
        let points = [(100.0, 100.0), (104.0, 100.0), (100.0, 106.0), (96.0, 98.0)];
        points
            .iter()
            .for_each(|point| labels.keep_free(*point, 7.0));
        let placed = points
            .iter()
            .filter_map(|point| labels.place(*point, 7.0, "blue-a-1", 9.0))
            .count();
        assert!(placed >= 3, "{placed}");
        let names = &labels.taken[points.len()..];
        for (place, one) in names.iter().enumerate() {
            assert!(
                names[..place].iter().all(|other| !one.meets(other)),
                "{names:?}"
            );
        }
    }

    #[test]
    fn a_name_stays_on_the_picture() {
        let mut labels = TakenSpace::on(200.0, 200.0);
        let TextAnchor { x, y, .. } = labels.place((2.0, 198.0), 7.0, "blue-a-1", 9.0).unwrap();
        assert!(x > 20.0 && y < 200.0, "{x} {y}");
    }

    #[test]
    fn what_has_no_room_near_its_piece_says_so() {
        let mut labels = TakenSpace::on(200.0, 200.0);
        let at = (100.0, 100.0);
        while labels.place_near(at, 7.0, "blue-a-1", 9.0).is_some() {}
        let far = labels.place(at, 7.0, "blue-a-1", 9.0).unwrap();
        assert!(!far.is_near && (far.y - at.1).abs() > 15.0, "{far:?}");
    }
}
