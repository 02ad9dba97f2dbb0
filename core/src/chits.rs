//! Pots of chits: a handful drawn and returned, or chits taken and kept out.
//!
//! What a pot holds at first is data, its [`Composition`]; what the chits mean is up to the rules. Equal
//! chits are a class with a count, and draws choose among classes, weighted by count. Chits never appear or
//! vanish: of each class, those in the pot and those out of it add up to the composition.

use std::sync::Arc;

use thiserror::Error;

mod left;
mod worth;

pub use worth::{Uneven, Worths};

use left::ChitsLeft;

use crate::chance::{ChanceError, Draws};
use crate::value::{LARGEST_INT, Value};

/// No composition has more chits than this.
pub const MOST_CHITS: u32 = 1_000_000;

/// Nor more sorts of them: what takes one chit out goes by all of them.
pub const MOST_SORTS: usize = 10_000;

/// A pot: how many chits of each class are in it, and how many were taken out.
///
/// Cloning is cheap: pots share their counts until one of them changes.
///
/// ```
/// use kernel::chance::{Chance, Draws, DrawPosition};
/// use kernel::chits::{ChitError, Composition, Pot};
///
/// let mut pot = Pot::full(Composition::new([("a", 3), ("b", 2)])?);
/// let mut chance = Chance::seeded(2026);
/// let mut draws = Draws::new(&mut chance, DrawPosition::default());
///
/// let handful = pot.draw_handful(5, &mut draws)?;
/// assert_eq!(handful.iter().filter(|drawn| &*drawn.chit == "a").count(), 3);
/// assert_eq!((pot.inside(), pot.outside()), (5, 0));
///
/// let taken = pot.take(1, &mut draws)?;
/// assert_eq!((pot.inside(), pot.outside()), (4, 1));
/// pot.put_back(&taken[0].chit)?;
/// assert!(pot.conserved());
/// # Ok::<(), ChitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pot {
    composition: Composition,
    counts: Arc<[Count]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    inside: u32,
    outside: u32,
}

/// Turns a handful by as many places as it has chits of one sort at most: so each place holds another chit than
/// before, but where one sort is more than half of it.
fn turn(drawn: &mut [Drawn], of_each: &[u32]) {
    let most = of_each.iter().max().map_or(0, |most| *most as usize);
    let names: Vec<_> = drawn.iter().map(|drawn| drawn.chit.clone()).collect();
    let turned = names.iter().cycle().skip(most);
    for (drawn, chit) in drawn.iter_mut().zip(turned) {
        drawn.chit = chit.clone();
    }
}

impl Pot {
    /// A pot with every chit of `composition` in it.
    #[must_use]
    pub fn full(composition: Composition) -> Self {
        let counts = composition
            .0
            .iter()
            .map(|class| Count {
                inside: class.count,
                outside: 0,
            })
            .collect();
        Self {
            composition,
            counts,
        }
    }

    /// The pot made of other chits, with those that were taken still out.
    ///
    /// # Errors
    /// The first chit of which more are out than it would have.
    pub fn remade(&self, composition: Composition) -> Result<Self, Arc<str>> {
        let mut new = Pot::full(composition);
        let mut counts = new.counts.to_vec();
        for (chit, _, out) in self.entries().filter(|(_, _, out)| *out > 0) {
            let place = new
                .composition
                .0
                .iter()
                .position(|class| &*class.chit == chit);
            match place.map(|place| &mut counts[place]) {
                Some(count) if count.inside >= out => {
                    *count = Count {
                        inside: count.inside - out,
                        outside: out,
                    };
                }
                _ => return Err(Arc::from(chit)),
            }
        }
        new.counts = counts.into();
        Ok(new)
    }

    /// Draws `n` chits without replacement, then returns them all: the pot is as it was.
    ///
    /// # Errors
    /// If the pot holds fewer, or if the script or the enumeration does not fit one of the draws.
    pub fn draw_handful(&self, n: u32, draws: &mut Draws<'_>) -> Result<Vec<Drawn>, ChitError> {
        self.clone().take(n, draws)
    }

    /// Draws `n` chits without replacement and keeps them out, until they are put back.
    ///
    /// # Errors
    /// If the pot holds fewer, or if the script or the enumeration does not fit one of the draws. The pot is
    /// then as it was.
    pub fn take(&mut self, n: u32, draws: &mut Draws<'_>) -> Result<Vec<Drawn>, ChitError> {
        let found = self.inside();
        if n > found {
            return Err(ChitError::TooFew { wanted: n, found });
        }
        let inside: Vec<u32> = self.counts.iter().map(|count| count.inside).collect();
        let first = draws.place().draw;
        if let Some(of_each) = draws.handful(&inside, n)? {
            let mut drawn = self.take_out(&of_each, first);
            if draws.turns_handfuls() {
                turn(&mut drawn, &of_each);
            }
            return Ok(drawn);
        }
        let mut left = ChitsLeft::of(inside);
        let drawn = (0..n)
            .map(|_| self.draw_one(&mut left, draws))
            .collect::<Result<_, _>>()?;
        let both = self.counts.iter().zip(&left.of_each);
        self.counts = both
            .map(|(count, inside)| Count {
                inside: *inside,
                outside: count.outside + count.inside - inside,
            })
            .collect();
        Ok(drawn)
    }

    /// Draws a handful, returns it, and gives what its chits are worth together.
    ///
    /// Who is told only a sum cannot tell handfuls of the same sum apart; so an enumeration goes through sums,
    /// each with the weight of all its handfuls and one of them for an example.
    ///
    /// # Errors
    /// As for [`Pot::draw_handful`].
    pub fn tally(
        &self,
        n: u32,
        worths: &Worths,
        draws: &mut Draws<'_>,
    ) -> Result<(Vec<Drawn>, Value), ChitError> {
        let found = self.inside();
        if n > found {
            return Err(ChitError::TooFew { wanted: n, found });
        }
        let first = draws.place().draw;
        if draws.goes_through_all()
            && let Some(heaps) = worths.heaps(self, n)
            && let Some(chosen) = draws.heap(heaps.iter().map(|heap| heap.weight), n)?
        {
            let heap = &heaps[chosen];
            return Ok((
                self.clone().take_out(&heap.example, first),
                heap.sum.clone(),
            ));
        }
        let drawn = self.draw_handful(n, draws)?;
        let sum = worths.sum(drawn.iter().map(|drawn| &*drawn.chit))?;
        Ok((drawn, sum))
    }

    /// Takes so many chits of each class out, in the order of the classes.
    fn take_out(&mut self, of_each: &[u32], first: u32) -> Vec<Drawn> {
        let mut drawn = Vec::new();
        let mut counts = self.counts.to_vec();
        for ((class, count), taken) in self.composition.0.iter().zip(&mut counts).zip(of_each) {
            *count = Count {
                inside: count.inside - taken,
                outside: count.outside + taken,
            };
            drawn.extend((0..*taken).map(|_| class.chit.clone()));
        }
        self.counts = counts.into();
        drawn
            .into_iter()
            .zip(first..)
            .map(|(chit, draw)| Drawn { chit, draw })
            .collect()
    }

    /// Returns one chit that was taken.
    ///
    /// # Errors
    /// If the pot never had such a chit, or if none like it is out.
    pub fn put_back(&mut self, chit: &str) -> Result<(), ChitError> {
        let index = self.composition.index_of(chit)?;
        let count = &mut Arc::make_mut(&mut self.counts)[index];
        if count.outside == 0 {
            return Err(ChitError::NotOut { chit: chit.into() });
        }
        *count = Count {
            inside: count.inside + 1,
            outside: count.outside - 1,
        };
        Ok(())
    }

    /// Returns every chit that was taken.
    pub fn put_back_all(&mut self) {
        *self = Self::full(self.composition.clone());
    }

    /// The number of chits in the pot.
    #[must_use]
    pub fn inside(&self) -> u32 {
        self.counts.iter().map(|count| count.inside).sum()
    }

    /// The number of chits taken out.
    #[must_use]
    pub fn outside(&self) -> u32 {
        self.counts.iter().map(|count| count.outside).sum()
    }

    /// Each class with its chits in the pot and out of it, sorted by name.
    ///
    /// The order depends neither on that of the data nor on what was drawn when, so that equal pots hash
    /// alike.
    ///
    /// ```
    /// use kernel::chits::{Composition, Pot};
    ///
    /// let pot = Pot::full(Composition::new([("b", 1), ("a", 2)])?);
    /// assert_eq!(pot.entries().collect::<Vec<_>>(), [("a", 2, 0), ("b", 1, 0)]);
    /// # Ok::<(), kernel::chits::ChitError>(())
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = (&str, u32, u32)> {
        let names = self.composition.0.iter().map(|class| &*class.chit);
        names
            .zip(&*self.counts)
            .map(|(name, count)| (name, count.inside, count.outside))
    }

    /// What the pot holds when nothing is out.
    #[must_use]
    pub fn composition(&self) -> &Composition {
        &self.composition
    }

    /// Whether of each class the chits in and out add up to the composition. Every operation keeps this.
    #[must_use]
    pub fn conserved(&self) -> bool {
        let classes = self.composition.0.iter().map(|class| Some(class.count));
        classes.eq(self
            .counts
            .iter()
            .map(|count| count.inside.checked_add(count.outside)))
    }

    fn draw_one(&self, left: &mut ChitsLeft, draws: &mut Draws<'_>) -> Result<Drawn, ChitError> {
        let classes = &self.composition.0;
        let draw = draws.place().draw;
        let class = match draws.ticket(left.total)? {
            Some(ticket) => left.class_of(ticket),
            None => draws.chit(
                classes
                    .iter()
                    .zip(&left.of_each)
                    .map(|(class, inside)| (&*class.chit, *inside)),
            )?,
        };
        // Only a class with a chit inside is ever chosen.
        left.take_one(class);
        Ok(Drawn {
            chit: classes[class].chit.clone(),
            draw,
        })
    }
}

/// What a pot holds when nothing is out: how many chits there are of each class.
///
/// Shared by all pots made from it, and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition(Arc<[Class]>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    chit: Arc<str>,
    count: u32,
}

impl Composition {
    /// A composition of classes of chits, in any order; a class may have no chits.
    ///
    /// ```
    /// use kernel::chits::Composition;
    ///
    /// let composition = Composition::new([("b", 20), ("a", 16)])?;
    /// assert_eq!(composition.total(), 36);
    /// assert_eq!(composition.entries().next(), Some(("a", 16)));
    /// assert!(Composition::new([("a", 1), ("a", 2)]).is_err());
    /// # Ok::<(), kernel::chits::ChitError>(())
    /// ```
    ///
    /// # Errors
    /// If a class is given twice, or if there are more than [`MOST_SORTS`], or more than [`MOST_CHITS`] in all.
    pub fn new<C: Into<Arc<str>>>(
        classes: impl IntoIterator<Item = (C, u32)>,
    ) -> Result<Self, ChitError> {
        let classes = classes.into_iter().map(|(chit, count)| Class {
            chit: chit.into(),
            count,
        });
        let mut classes: Vec<Class> = classes.collect();
        classes.sort_by(|a, b| a.chit.cmp(&b.chit));
        if let Some(pair) = classes.windows(2).find(|pair| pair[0].chit == pair[1].chit) {
            return Err(ChitError::Twice {
                chit: pair[0].chit.clone(),
            });
        }
        if classes.len() > MOST_SORTS {
            return Err(ChitError::TooManySorts {
                found: classes.len(),
            });
        }
        let found: u64 = classes.iter().map(|class| u64::from(class.count)).sum();
        if found > u64::from(MOST_CHITS) {
            return Err(ChitError::TooMany { found });
        }
        Ok(Self(classes.into()))
    }

    /// Each class with its count, sorted by name.
    pub fn entries(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|class| (&*class.chit, class.count))
    }

    /// The number of chits in all.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().map(|class| class.count).sum()
    }

    fn index_of(&self, chit: &str) -> Result<usize, ChitError> {
        let index = self.0.binary_search_by(|class| (*class.chit).cmp(chit));
        index.map_err(|_| ChitError::Unknown { chit: chit.into() })
    }

    /// The place of a class among all, by name.
    pub(crate) fn place_of(&self, chit: &str) -> Option<u32> {
        self.index_of(chit)
            .ok()
            .and_then(|place| u32::try_from(place).ok())
    }

    /// The class at a place.
    pub(crate) fn name_at(&self, place: u32) -> Option<&Arc<str>> {
        self.0.get(place as usize).map(|class| &class.chit)
    }
}

/// A chit that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    /// Its class.
    pub chit: Arc<str>,
    /// The number of the draw in its step.
    pub draw: u32,
}

/// Why a pot cannot be made, or chits not drawn or put back.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChitError {
    /// A composition that gives a class twice. Add the counts up.
    #[error("expected each chit once in a composition, found `{chit}` twice")]
    Twice {
        /// The class.
        chit: Arc<str>,
    },
    /// A composition of more than [`MOST_CHITS`].
    #[error("expected a composition of at most {MOST_CHITS} chits, found {found}")]
    TooMany {
        /// The chits in all.
        found: u64,
    },
    /// A composition of more sorts than [`MOST_SORTS`].
    #[error("expected a composition of at most {MOST_SORTS} sorts, found {found}")]
    TooManySorts {
        /// The classes.
        found: usize,
    },
    /// A tally whose lists would hold more than a value can have. Add up numbers, or draw fewer.
    #[error(
        "expected lists of at most {} entries of what chits are worth together, found more",
        worth::MOST_LISTED
    )]
    TooMuch,
    /// A tally whose numbers are greater than rules can hold. Count in larger parts, or draw fewer.
    #[error(
        "expected a sum of what chits are worth between -{LARGEST_INT} and {LARGEST_INT}, found one beyond"
    )]
    TooGreat,
    /// A draw of more chits than are in the pot. Ask first how many there are.
    #[error("expected a pot that holds {wanted} or more, found {found} in it")]
    TooFew {
        /// The chits to be drawn.
        wanted: u32,
        /// The chits in the pot.
        found: u32,
    },
    /// A chit put back that the pot never had. It is misspelt, or from another pot.
    #[error("expected a chit of this pot, found `{chit}`")]
    Unknown {
        /// The class.
        chit: Arc<str>,
    },
    /// A chit put back of a class of which none is out. It was put back before, or never taken.
    #[error("expected a chit that is out of the pot, found `{chit}`, of which none is")]
    NotOut {
        /// The class.
        chit: Arc<str>,
    },
    /// A draw failed.
    #[error(transparent)]
    Chance(#[from] ChanceError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, DrawPosition, Enumeration, Odds, Script};
    use proptest::prelude::*;

    fn pot(classes: &[(&str, u32)]) -> Pot {
        Pot::full(Composition::new(classes.iter().copied()).unwrap())
    }

    fn names(drawn: &[Drawn]) -> Vec<&str> {
        drawn.iter().map(|drawn| &*drawn.chit).collect()
    }

    /// The odds that a handful of `n` holds exactly `k` chits of class "a", by walking every draw of classes.
    fn odds_by_enumeration(pot: &Pot, n: u32, k: usize) -> Odds {
        let (mut hits, mut all) = (Odds::ZERO, Odds::ZERO);
        let mut enumeration = Enumeration::new();
        loop {
            let mut chance = enumeration.chance();
            let drawn = pot
                .draw_handful(n, &mut Draws::new(&mut chance, DrawPosition::default()))
                .unwrap();
            let odds = Odds::of(chance.forks()).unwrap();
            all = all.checked_add(odds).unwrap();
            if names(&drawn).iter().filter(|chit| **chit == "a").count() == k {
                hits = hits.checked_add(odds).unwrap();
            }
            if !enumeration.advance(&chance) {
                assert_eq!(all, Odds::ONE);
                return hits;
            }
        }
    }

    /// The same by looking at every set of `n` single chits, of which the first `a` are of class "a".
    fn odds_by_brute_force(a: u32, total: u32, n: u32, k: usize) -> Odds {
        let of_class_a = (1u32 << a) - 1;
        let handfuls = (0..1u32 << total).filter(|handful| handful.count_ones() == n);
        let (all, hits) = handfuls.fold((0, 0), |(all, hits), handful| {
            let is_hit = (handful & of_class_a).count_ones() as usize == k;
            (all + 1, hits + u128::from(is_hit))
        });
        Odds::new(hits, all).unwrap()
    }

    /// A pot of so many sorts with so many chits each.
    fn wide(sorts: usize, of_each: u32) -> Result<Pot, ChitError> {
        let classes = (0..sorts).map(|class| (format!("c{class:05}"), of_each));
        Composition::new(classes).map(Pot::full)
    }

    #[test]
    fn a_pot_of_many_sorts_is_drawn_in_time() {
        assert_eq!(
            wide(10_001, 1).unwrap_err(),
            ChitError::TooManySorts { found: 10_001 }
        );
        let mut pot = wide(10_000, 100).unwrap();
        let mut chance = Chance::seeded(1);
        let drawn = pot.take(
            1_000_000,
            &mut Draws::new(&mut chance, DrawPosition::default()),
        );
        assert_eq!(drawn.unwrap().len(), 1_000_000);
        assert!(pot.inside() == 0 && pot.conserved());
    }

    #[test]
    fn odds_of_a_handful_are_hypergeometric() {
        let pot = pot(&[("a", 4), ("b", 5), ("c", 2)]);
        for n in 0..=4 {
            for k in 0..=4 {
                let expected = odds_by_brute_force(4, 11, n, k);
                assert_eq!(odds_by_enumeration(&pot, n, k), expected, "{k} of {n}");
            }
        }
    }

    #[test]
    fn every_handful_is_walked_once() {
        let counts = [5, 20, 15, 10, 3, 10, 7, 5, 3, 10, 7, 5, 5, 7, 5, 2];
        let classes: Vec<(String, u32)> =
            (0..).map(|n: u32| format!("c{n:02}")).zip(counts).collect();
        let pot = Pot::full(Composition::new(classes).unwrap());
        let (mut walks, mut all) = (0, 0);
        let mut enumeration = Enumeration::new();
        loop {
            let mut chance = enumeration.chance();
            let drawn = pot
                .draw_handful(5, &mut Draws::new(&mut chance, DrawPosition::default()))
                .unwrap();
            assert_eq!(drawn.len(), 5);
            let odds = Odds::of(chance.forks()).unwrap();
            assert_eq!(182_637_273 % odds.denominator(), 0);
            all += odds.numerator() * (182_637_273 / odds.denominator());
            walks += 1;
            if !enumeration.advance(&chance) {
                break;
            }
        }
        // There would be 15,504 if there were five or more of each class.
        assert_eq!((walks, all), (15_336, 182_637_273));
    }

    #[test]
    fn a_handful_goes_back() {
        let before = pot(&[("a", 3), ("b", 2)]);
        let pot = before.clone();
        let mut chance = Chance::seeded(1);
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        let drawn = pot.draw_handful(5, &mut draws).unwrap();
        assert_eq!(
            drawn.iter().map(|drawn| drawn.draw).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4]
        );
        assert_eq!(pot, before);
        assert_eq!(draws.place().draw, 5);
    }

    #[test]
    fn what_is_taken_stays_out_until_put_back() {
        let mut pot = pot(&[("a", 1), ("b", 2)]);
        let mut chance = Chance::scripted(Script::new([], ["b", "a"]));
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        assert_eq!(names(&pot.take(2, &mut draws).unwrap()), ["b", "a"]);
        assert_eq!(
            pot.entries().collect::<Vec<_>>(),
            [("a", 0, 1), ("b", 1, 1)]
        );
        assert_eq!(
            pot.take(2, &mut draws),
            Err(ChitError::TooFew {
                wanted: 2,
                found: 1
            })
        );

        assert_eq!(pot.put_back("b"), Ok(()));
        assert_eq!(
            pot.put_back("b"),
            Err(ChitError::NotOut { chit: "b".into() })
        );
        assert_eq!(
            pot.put_back("c"),
            Err(ChitError::Unknown { chit: "c".into() })
        );
        pot.put_back_all();
        assert_eq!((pot.inside(), pot.outside()), (3, 0));
        assert!(pot.conserved());
    }

    #[test]
    fn a_draw_that_fails_leaves_the_pot_as_it_was() {
        let mut pot = pot(&[("a", 1), ("b", 2)]);
        let before = pot.clone();
        let mut chance = Chance::scripted(Script::new([], ["a", "a"]));
        let error = pot
            .take(2, &mut Draws::new(&mut chance, DrawPosition::default()))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a scripted chit that is in the pot, found `a`, of which none is left"
        );
        assert_eq!(pot, before);
    }

    #[test]
    fn a_changed_pot_leaves_its_clones_alone() {
        let mut pot = pot(&[("a", 2)]);
        let clone = pot.clone();
        pot.take(
            1,
            &mut Draws::new(&mut Chance::seeded(1), DrawPosition::default()),
        )
        .unwrap();
        assert_eq!((pot.inside(), clone.inside()), (1, 2));
    }

    #[test]
    fn an_empty_pot_gives_an_empty_handful_only() {
        let pot = pot(&[("a", 0)]);
        let mut chance = Chance::seeded(1);
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        assert_eq!(pot.draw_handful(0, &mut draws), Ok(vec![]));
        assert_eq!(
            pot.draw_handful(1, &mut draws),
            Err(ChitError::TooFew {
                wanted: 1,
                found: 0
            })
        );
    }

    #[test]
    fn the_order_of_the_data_does_not_matter() {
        let forwards = pot(&[("a", 5), ("b", 3), ("c", 4)]);
        let backwards = pot(&[("c", 4), ("b", 3), ("a", 5)]);
        assert_eq!(forwards, backwards);
        let draw = |pot: &Pot| {
            pot.draw_handful(
                6,
                &mut Draws::new(&mut Chance::seeded(9), DrawPosition::default()),
            )
        };
        assert_eq!(draw(&forwards), draw(&backwards));
    }

    #[test]
    fn a_composition_has_a_most() {
        let new = |classes: [(&str, u32); 2]| Composition::new(classes).map(|c| c.total());
        assert_eq!(new([("a", MOST_CHITS), ("b", 0)]), Ok(MOST_CHITS));
        let found = u64::from(MOST_CHITS) + 1;
        assert_eq!(
            new([("a", MOST_CHITS), ("b", 1)]),
            Err(ChitError::TooMany { found })
        );
        assert_eq!(
            new([("a", 1), ("a", 1)]),
            Err(ChitError::Twice { chit: "a".into() })
        );
    }

    proptest! {
        #[test]
        fn a_chit_is_found_as_by_going_from_class_to_class(
            seed: u64,
            counts in proptest::collection::vec(0u32..4, 1..40),
        ) {
            let classes = counts.iter().enumerate().map(|(i, n)| (format!("c{i:02}"), *n));
            let pot = Pot::full(Composition::new(classes).unwrap());
            let (mut one, mut other) = (Chance::seeded(seed), Chance::seeded(seed));
            let mut draws = Draws::new(&mut one, DrawPosition::default());
            let drawn = pot.draw_handful(pot.inside(), &mut draws).unwrap();
            let (mut left, mut draws) = (counts, Draws::new(&mut other, DrawPosition::default()));
            for (place, drawn) in (0..).zip(drawn) {
                let classes = left.iter().map(|inside| ("", *inside));
                let class = draws.chit(classes).unwrap();
                left[class] -= 1;
                prop_assert_eq!((&*drawn.chit, drawn.draw), (&*format!("c{class:02}"), place));
            }
        }

        #[test]
        fn chits_are_conserved(
            seed: u64,
            counts in proptest::collection::vec(0u32..6, 1..6),
            acts in proptest::collection::vec((0u8..4, 0u32..8), 0..40),
        ) {
            let name = |index: usize| ["a", "b", "c", "d", "e", "f"][index];
            let composition = Composition::new(counts.iter().enumerate().map(|(i, n)| (name(i), *n))).unwrap();
            let total = composition.total();
            let mut pot = Pot::full(composition);
            let mut chance = Chance::seeded(seed);
            let mut draws = Draws::new(&mut chance, DrawPosition::default());
            for (act, n) in acts {
                let (before, held) = (pot.clone(), pot.inside());
                match act {
                    0 => {
                        let drawn = pot.draw_handful(n, &mut draws);
                        prop_assert_eq!(drawn.is_ok(), n <= held);
                        prop_assert_eq!(&pot, &before);
                    }
                    1 => {
                        let taken = pot.take(n, &mut draws);
                        prop_assert_eq!(taken.is_ok(), n <= held);
                        prop_assert_eq!(pot.inside(), if n <= held { held - n } else { held });
                        let mut undone = pot.clone();
                        for drawn in taken.unwrap_or_default() {
                            undone.put_back(&drawn.chit).unwrap();
                        }
                        prop_assert_eq!(undone, before);
                    }
                    2 => {
                        let is_back = pot.put_back(name(n as usize % 6)).is_ok();
                        prop_assert_eq!(pot.inside(), held + u32::from(is_back));
                    }
                    _ => pot.put_back_all(),
                }
                prop_assert!(pot.conserved());
                prop_assert_eq!(pot.inside() + pot.outside(), total);
            }
        }
    }
}
