//! Lines of sight past obstacles with height.

use super::fraction::Ratio;
use super::length::Length;
use super::point::{COORDINATE_LIMIT, Point};
use super::segment::{Contact, Segment};
use super::shape::Shape;

/// Where somebody looks from, or what they look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Eye {
    /// The place on the table.
    pub at: Point,
    /// The height above the table's zero, held within [`COORDINATE_LIMIT`].
    pub height: Length,
}

/// Something that may stand in the way: an area, from one height to another.
/// Heights are held within [`COORDINATE_LIMIT`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Obstacle {
    /// What it covers of the table.
    pub shape: Shape,
    /// Its lower side; a line that passes below is clear of it.
    pub base: Length,
    /// Its upper side; a line that passes above is clear of it.
    pub top: Length,
}

/// An obstacle that a line of sight meets, seen from above.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Met {
    /// Which of the obstacles, by index.
    pub obstacle: usize,
    /// How the line meets its area as seen from above: `Touches` or `Crosses`.
    pub plan: Contact,
    /// How the line meets the obstacle itself: `Crosses` if somewhere within the
    /// area it passes strictly between base and top, `Touches` if it only grazes
    /// a side, the base or the top, `Apart` if it passes over or under.
    pub solid: Contact,
    /// The stretches inside the area, rounded as [`Shape::inner_ranges`] does.
    pub inside: Vec<(Length, Length)>,
}

impl Met {
    /// How much of the line lies inside the area.
    pub fn length_inside(&self) -> Length {
        self.inside.iter().map(|&(from, to)| to - from).sum()
    }
}

/// The obstacles that the straight line between two eyes meets.
///
/// ```text
///    a .                 top ---- .-----.
///        ' - .                    |     |
///              ' - . solid:       |     |
///                    ' Crosses - -|- - -|- . b
///    -----------------------------+-----+-------
/// ```
///
/// Whether and how each is met is exact, and is the same from `a` to `b` as from
/// `b` to `a`. They come in the order in which the line enters them, to the
/// micrometre; those that it enters at one place, or only touches, in the order
/// given, the touched ones last.
///
/// ```
/// use kernel::geometry::{Contact, Disc, Eye, Length, Obstacle, Point, sight};
/// let eye = |x, height| Eye { at: Point::from_um(x, 0), height: Length::from_um(height) };
/// let hill = Obstacle {
///     shape: Disc::new(Point::from_um(50, 0), Length::from_um(10)).into(),
///     base: Length::ZERO,
///     top: Length::from_um(20),
/// };
/// let met = sight(eye(0, 15), eye(100, 15), std::slice::from_ref(&hill));
/// assert_eq!((met[0].plan, met[0].solid), (Contact::Crosses, Contact::Crosses));
/// let met = sight(eye(0, 40), eye(100, 15), &[hill]);
/// assert_eq!((met[0].plan, met[0].solid), (Contact::Crosses, Contact::Apart));
/// ```
pub fn sight(a: Eye, b: Eye, obstacles: &[Obstacle]) -> Vec<Met> {
    let line = Segment::new(a.at, b.at);
    let meet = |(index, obstacle): (usize, &Obstacle)| {
        let plan = obstacle.shape.meets(line);
        plan.is_any().then(|| Met {
            obstacle: index,
            plan,
            solid: solid_contact(a, b, obstacle),
            inside: obstacle.shape.inner_ranges(line),
        })
    };
    let mut met: Vec<Met> = obstacles.iter().enumerate().filter_map(meet).collect();
    met.sort_by_key(|met| met.inside.first().map_or(Length::MAX, |first| first.0));
    met
}

/// Whether any obstacle blocks the line of sight: whether the line passes
/// strictly between its base and top somewhere within its area. Grazing does
/// not block. The same from `a` to `b` as from `b` to `a`.
///
/// ```
/// use kernel::geometry::{Eye, Length, Obstacle, Point, Polygon, is_blocked};
/// let eye = |x, y| Eye { at: Point::from_um(x, y), height: Length::from_um(10) };
/// let house = Obstacle {
///     shape: Polygon::rectangle(Point::from_um(40, 0), Point::from_um(60, 20))?.into(),
///     base: Length::ZERO,
///     top: Length::from_um(30),
/// };
/// assert!(is_blocked(eye(0, 10), eye(100, 10), std::slice::from_ref(&house)));
/// assert!(!is_blocked(eye(0, 20), eye(100, 20), &[house]));
/// # Ok::<(), kernel::geometry::PolygonError>(())
/// ```
pub fn is_blocked(a: Eye, b: Eye, obstacles: &[Obstacle]) -> bool {
    obstacles
        .iter()
        .any(|obstacle| solid_contact(a, b, obstacle) == Contact::Crosses)
}

fn solid_contact(a: Eye, b: Eye, obstacle: &Obstacle) -> Contact {
    let line = Segment::new(a.at, b.at);
    match level_part(a, b, obstacle) {
        None => Contact::Apart,
        Some(part) => {
            let contact = obstacle.shape.contact(line, part.from, part.to);
            if part.is_grazing {
                contact.min(Contact::Touches)
            } else {
                contact
            }
        }
    }
}

/// The part of a line that is level with an obstacle: not above, not below.
struct LevelPart {
    from: Ratio,
    to: Ratio,
    /// Whether none of it is strictly between base and top.
    is_grazing: bool,
}

fn level_part(a: Eye, b: Eye, obstacle: &Obstacle) -> Option<LevelPart> {
    let held = |height: Length| i128::from(height.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT).um());
    let (start, end) = (held(a.height), held(b.height));
    let (base, top) = (held(obstacle.base), held(obstacle.top));
    if base > top {
        return None;
    }
    let rise = end - start;
    if rise == 0 {
        let is_grazing = start == base || start == top;
        return (base..=top).contains(&start).then_some(LevelPart {
            from: Ratio::START,
            to: Ratio::END,
            is_grazing,
        });
    }
    let (one, other) = (
        Ratio::new(base - start, rise),
        Ratio::new(top - start, rise),
    );
    let from = one.min(other).max(Ratio::START);
    let to = one.max(other).min(Ratio::END);
    (from <= to).then(|| LevelPart {
        from,
        to,
        is_grazing: from == to,
    })
}
