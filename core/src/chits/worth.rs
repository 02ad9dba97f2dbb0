//! What chits are worth to a rule, and what a handful of them comes to.
//!
//! A worth is a record; worths are added field by field: whole numbers as numbers, lists to one sorted list, and
//! yes and no to whether there is a yes among them. A rule that is given a sum and no chits treats handfuls
//! of the same sum alike, whatever it says; so there are as many ways on from such a draw as there are sums.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::{ChitError, Composition, Pot};
use crate::chance::ways;
use crate::value::{LARGEST_INT, Name, Value};

/// Where a draw comes to more sums than this, they are not gathered.
const MOST_HEAPS: usize = 50_000;

/// What the lists of a sum may hold together.
pub(super) const MOST_LISTED: usize = 1 << 16;

/// Where the lists of all sums hold more than this, they are not gathered.
const MOST_GATHERED: usize = 1 << 20;

/// What each chit of a pot is worth. Cloning is cheap.
///
/// ```
/// use kernel::chits::Worths;
/// use kernel::value::Value;
///
/// let worth = |points, marks: &[&str]| {
///     let marks = Value::list(marks.iter().map(|mark| Value::text(mark)));
///     Value::record([("points", Value::Int(points)), ("marks", marks)])
/// };
/// let worths = Worths::new([("two", worth(2, &[])), ("fire", worth(0, &["fire"]))])?;
/// assert_eq!(worths.sum(["fire", "two", "two"]), Ok(worth(4, &["fire"])));
/// # Ok::<(), kernel::chits::Uneven>(())
/// ```
#[derive(Clone, Debug)]
pub struct Worths(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The fields that worths have, each with what it is of a handful of nothing.
    fields: WorthFields,
    /// The worth of each chit; what is not listed is worth nothing.
    of: BTreeMap<Name, Arc<WorthFields>>,
    /// The heaps that were reckoned last, the latest at the end: they are the same on every walk of an enumeration.
    known: Mutex<Vec<KnownHeaps>>,
}

/// The heaps of so many draws are kept: of each number of chits that the shots of a volley draw.
const MOST_KNOWN: usize = 8;

/// Worths are equal that say the same of each chit.
impl PartialEq for Worths {
    fn eq(&self, other: &Worths) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.of == other.0.of
    }
}

impl Eq for Worths {}

type WorthFields = BTreeMap<Name, Value>;

#[derive(Debug)]
struct KnownHeaps {
    pot: Composition,
    inside: Vec<u32>,
    n: u32,
    /// Nothing where there are too many: that is known once, not found anew by each walk.
    heaps: Option<Arc<[Heap]>>,
}

/// Handfuls of the same sum.
#[derive(Debug)]
pub(super) struct Heap {
    /// What each of them comes to.
    pub sum: Value,
    /// In how many ways one of them is drawn.
    pub weight: u128,
    /// How many chits of each class are in one of them.
    pub example: Box<[u32]>,
}

/// Worths that cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Uneven {
    /// A worth is no record.
    #[error("expected the worth of `{chit}` as a record, found {found}")]
    NoRecord {
        /// The chit.
        chit: Name,
        /// What it has in place of a record.
        found: &'static str,
    },
    /// A field is nothing that can be added.
    #[error("expected `{field}` of `{chit}` as {expected}, found {found}")]
    Field {
        /// The chit.
        chit: Name,
        /// The field.
        field: Name,
        /// What can be added there.
        expected: &'static str,
        /// What it has there.
        found: &'static str,
    },
}

impl Worths {
    /// The worth of each chit, by name. What a worth leaves out adds nothing.
    ///
    /// # Errors
    /// A worth that is no record of whole numbers, lists, and yes or no, or one of whose fields is of another
    /// sort than that of another chit.
    pub fn new<C: Into<Name>>(
        worths: impl IntoIterator<Item = (C, Value)>,
    ) -> Result<Worths, Uneven> {
        let (mut fields, mut of) = (WorthFields::new(), BTreeMap::new());
        for (chit, worth) in worths {
            let chit = chit.into();
            let Value::Map(worth) = worth else {
                return Err(Uneven::NoRecord {
                    chit,
                    found: worth.type_word(),
                });
            };
            for (field, value) in &*worth {
                note_field(&mut fields, &chit, field, value)?;
            }
            of.insert(chit, worth);
        }
        Ok(Worths(Arc::new(Inner {
            fields,
            of,
            known: Mutex::default(),
        })))
    }

    /// What a handful comes to, whatever came first.
    ///
    /// # Errors
    /// If its lists would hold more than a value can have, or its numbers would be greater than rules can hold.
    pub fn sum<'c>(&self, chits: impl IntoIterator<Item = &'c str>) -> Result<Value, ChitError> {
        // Chits of one sort are added at once, or a large handful would take as long as it is large.
        let mut of_each: BTreeMap<&str, u32> = BTreeMap::new();
        for chit in chits {
            *of_each.entry(chit).or_default() += 1;
        }
        let worths = of_each
            .into_iter()
            .filter_map(|(chit, times)| Some((self.0.of.get(chit)?, times)));
        let mut room = MOST_LISTED;
        self.added(worths, &mut room)
    }

    /// Worths added, each so many times.
    ///
    /// # Errors
    /// Where their lists hold more than there is room for, and as [`Worths::sum`].
    fn added<'w>(
        &self,
        worths: impl Iterator<Item = (&'w Arc<WorthFields>, u32)>,
        room: &mut usize,
    ) -> Result<Value, ChitError> {
        let mut sum = self.0.fields.clone();
        let mut numbers: BTreeMap<&Name, i128> = BTreeMap::new();
        let mut lists: BTreeMap<&Name, Vec<Value>> = BTreeMap::new();
        for (worth, times) in worths.filter(|(_, times)| *times > 0) {
            for (field, value) in &**worth {
                match (sum.get_mut(field), value) {
                    (_, Value::Int(points)) => {
                        *numbers.entry(field).or_default() += many(*points, times);
                    }
                    (Some(Value::Bool(any)), Value::Bool(yes)) => *any |= yes,
                    (_, Value::List(items)) => {
                        let more = items.len().checked_mul(times as usize);
                        let left = more.and_then(|more| room.checked_sub(more));
                        *room = left.ok_or(ChitError::TooMuch)?;
                        let list = lists.entry(field).or_default();
                        (0..times).for_each(|_| list.extend(items.iter().cloned()));
                    }
                    _ => {}
                }
            }
        }
        for (field, number) in numbers {
            let fits = i64::try_from(number)
                .ok()
                .filter(|number| number.unsigned_abs() <= LARGEST_INT.unsigned_abs());
            sum.insert(field.clone(), Value::Int(fits.ok_or(ChitError::TooGreat)?));
        }
        for (field, mut list) in lists {
            list.sort_unstable();
            sum.insert(field.clone(), Value::List(list.into()));
        }
        Ok(Value::Map(Arc::new(sum)))
    }

    /// Every sum that a handful of `n` can come to, with the weight of all handfuls that do; `None` where
    /// numbers do not hold the weights, or there are too many.
    pub(super) fn heaps(&self, pot: &Pot, n: u32) -> Option<Arc<[Heap]>> {
        let inside: Vec<u32> = pot.counts.iter().map(|count| count.inside).collect();
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |known: &&KnownHeaps| {
            let is_of_pot =
                Arc::ptr_eq(&known.pot.0, &pot.composition.0) || known.pot == pot.composition;
            known.n == n && known.inside == inside && is_of_pot
        };
        if let Some(known) = known.iter().find(is_it) {
            return known.heaps.clone();
        }
        let heaps = Gathering::of(self, pot, n).and_then(|all| all.heaps(self));
        if known.len() == MOST_KNOWN {
            known.remove(0);
        }
        known.push(KnownHeaps {
            pot: pot.composition.clone(),
            inside,
            n,
            heaps: heaps.clone(),
        });
        heaps
    }
}

/// Classes of chits that are worth the same.
struct Alike {
    worth: Arc<WorthFields>,
    /// Their places in the pot, each with how many chits are inside.
    classes: Vec<(usize, u32)>,
    inside: u32,
}

/// What some of the chits of a handful come to: the numbers, whether there is a yes, and how many there are of
/// each group of chits with a list.
type Key = (Vec<i128>, Vec<bool>, Vec<u32>);

/// In how many ways it is drawn, and how many chits of each group are in one of them.
type Combination = (u128, Vec<u32>);

/// Handfuls, gathered by what they come to.
struct Gathering {
    groups: Vec<Alike>,
    classes: usize,
    drawn: BTreeMap<Key, Combination>,
}

impl Gathering {
    /// All handfuls of `n`, group by group.
    fn of(worths: &Worths, pot: &Pot, n: u32) -> Option<Gathering> {
        let groups = groups(worths, pot);
        // By how many chits are in it so far, then by what they come to.
        let mut drawn: Vec<BTreeMap<Key, Combination>> = vec![BTreeMap::new(); n as usize + 1];
        drawn[0].insert(
            key_of_nothing(&worths.0.fields, groups.len()),
            (1, Vec::new()),
        );
        for (place, group) in groups.iter().enumerate() {
            drawn = with_group(&worths.0.fields, &drawn, place, group)?;
        }
        Some(Gathering {
            groups,
            classes: pot.counts.len(),
            drawn: drawn.pop()?,
        })
    }

    /// Nothing where they hold too much: then each handful is refused, or not, by itself.
    fn heaps(&self, worths: &Worths) -> Option<Arc<[Heap]>> {
        let mut left = MOST_GATHERED;
        let heap = |(weight, of_each): &Combination| {
            let worth = self
                .groups
                .iter()
                .map(|group| &group.worth)
                .zip(of_each.iter().copied());
            let mut room = left.min(MOST_LISTED);
            let before = room;
            let sum = worths.added(worth, &mut room).ok()?;
            left -= before - room;
            Some(Heap {
                sum,
                weight: *weight,
                example: self.example(of_each),
            })
        };
        self.drawn.values().map(heap).collect()
    }

    /// One of the handfuls with so many chits of each group: how many are of each class.
    fn example(&self, of_each: &[u32]) -> Box<[u32]> {
        let mut example = vec![0; self.classes];
        for (group, taken) in self.groups.iter().zip(of_each) {
            let mut left = *taken;
            for (class, inside) in &group.classes {
                example[*class] = left.min(*inside);
                left -= example[*class];
            }
        }
        example.into()
    }
}

/// The classes of a pot by what they are worth, in the order of the first of each.
fn groups(worths: &Worths, pot: &Pot) -> Vec<Alike> {
    let nothing = Arc::default();
    let mut groups: Vec<Alike> = Vec::new();
    let mut places: BTreeMap<&WorthFields, usize> = BTreeMap::new();
    for (class, (entry, count)) in pot.composition.0.iter().zip(&*pot.counts).enumerate() {
        let worth = worths.0.of.get(&entry.chit).unwrap_or(&nothing);
        let place = *places.entry(worth).or_insert_with(|| {
            groups.push(Alike {
                worth: worth.clone(),
                classes: Vec::new(),
                inside: 0,
            });
            groups.len() - 1
        });
        groups[place].classes.push((class, count.inside));
        groups[place].inside += count.inside;
    }
    groups
}

fn key_of_nothing(fields: &WorthFields, groups: usize) -> Key {
    let count = |is: fn(&Value) -> bool| fields.values().filter(|value| is(value)).count();
    let numbers = vec![0; count(|value| matches!(value, Value::Int(_)))];
    let yeses = vec![false; count(|value| matches!(value, Value::Bool(_)))];
    (numbers, yeses, vec![0; groups])
}

/// What was drawn so far, with every number of chits of one more group.
fn with_group(
    fields: &WorthFields,
    before: &[BTreeMap<Key, Combination>],
    place: usize,
    group: &Alike,
) -> Option<Vec<BTreeMap<Key, Combination>>> {
    let n = before.len() - 1;
    let mut after: Vec<BTreeMap<Key, Combination>> = vec![BTreeMap::new(); before.len()];
    let some = before
        .iter()
        .enumerate()
        .filter(|(_, drawn)| !drawn.is_empty());
    for (so_many, drawn) in some {
        for taken in 0..=group.inside.min((n - so_many) as u32) {
            let ways = ways(group.inside, taken)?;
            for (key, (weight, of_each)) in drawn {
                let weight = weight.checked_mul(ways)?;
                let heap = after[so_many + taken as usize]
                    .entry(key_with(fields, key, place, group, taken));
                let heap = heap.or_insert_with(|| (0, [&of_each[..], &[taken]].concat()));
                heap.0 = heap.0.checked_add(weight)?;
            }
        }
    }
    (after.iter().map(BTreeMap::len).sum::<usize>() <= MOST_HEAPS).then_some(after)
}

fn key_with(fields: &WorthFields, key: &Key, place: usize, group: &Alike, taken: u32) -> Key {
    let (mut numbers, mut yeses, mut lists) = key.clone();
    let (mut number, mut yes) = (numbers.iter_mut(), yeses.iter_mut());
    for (field, nothing) in fields {
        let worth = group.worth.get(field);
        // Each field has its place among those of its sort, also where this worth leaves it out.
        let so_far = match nothing {
            Value::Int(_) => number.next().map(FieldTotal::Number),
            Value::Bool(_) => yes.next().map(FieldTotal::Yes),
            _ => None,
        };
        match (so_far, worth) {
            (Some(FieldTotal::Number(sum)), Some(Value::Int(points))) => {
                *sum += many(*points, taken);
            }
            (Some(FieldTotal::Yes(any)), Some(Value::Bool(true))) => *any |= taken > 0,
            (_, Some(Value::List(items))) if !items.is_empty() => lists[place] = taken,
            _ => {}
        }
    }
    (numbers, yeses, lists)
}

/// A number so many times. A pot has too few chits for it to overflow, or any sum of such.
fn many(number: i64, times: u32) -> i128 {
    i128::from(number) * i128::from(times)
}

/// What a field comes to so far.
enum FieldTotal<'a> {
    Number(&'a mut i128),
    Yes(&'a mut bool),
}

/// Notes what sort of thing a field holds, and that all chits hold the same sort.
fn note_field(
    fields: &mut WorthFields,
    chit: &Name,
    field: &Name,
    value: &Value,
) -> Result<(), Uneven> {
    let nothing = match value {
        Value::Int(_) => Some(Value::Int(0)),
        Value::Bool(_) => Some(Value::Bool(false)),
        Value::List(_) => Some(Value::list([])),
        _ => None,
    };
    let sort = fields.get(field).map(sort_of);
    match nothing {
        Some(nothing) if sort.is_none_or(|sort| sort == sort_of(&nothing)) => {
            fields.entry(field.clone()).or_insert(nothing);
            Ok(())
        }
        _ => Err(Uneven::Field {
            chit: chit.clone(),
            field: field.clone(),
            expected: sort.unwrap_or("a whole number, a list, or yes or no"),
            found: value.type_word(),
        }),
    }
}

fn sort_of(value: &Value) -> &'static str {
    match value {
        Value::Int(_) => "a whole number",
        Value::Bool(_) => "yes or no",
        _ => "a list",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, DrawPosition, Draws, Enumeration, Odds, Script};
    use crate::chits::ChitError;

    fn pot(classes: &[(&str, u32)]) -> Pot {
        Pot::full(Composition::new(classes.iter().copied()).unwrap())
    }

    /// Chits of three sorts: numbers, marks, and one that is worth nothing.
    fn worths() -> Worths {
        let of = |chit: &str| {
            let points = chit.trim_start_matches(['a', 'b']).parse().unwrap_or(0);
            let marks: Vec<Value> = chit
                .strip_prefix("mark")
                .into_iter()
                .map(Value::text)
                .collect();
            let fields = [
                ("points", Value::Int(points)),
                ("marks", Value::list(marks)),
                ("any_b", Value::Bool(chit.starts_with('b'))),
            ];
            (chit.to_string(), Value::record(fields))
        };
        Worths::new(["a1", "a2", "b1", "b2", "mark-x", "mark-y"].map(of)).unwrap()
    }

    /// The odds of each sum, by every walk of what is given.
    fn sums(draw: impl Fn(&mut Draws<'_>) -> Value) -> (BTreeMap<Value, Odds>, usize) {
        let (mut sums, mut walks) = (BTreeMap::new(), 0);
        let mut enumeration = Enumeration::new();
        loop {
            let mut chance = enumeration.chance();
            let sum = draw(&mut Draws::new(&mut chance, DrawPosition::default()));
            let odds = Odds::of(chance.forks()).unwrap();
            let so_far: &mut Odds = sums.entry(sum).or_insert(Odds::ZERO);
            *so_far = so_far.checked_add(odds).unwrap();
            walks += 1;
            if !enumeration.advance(&chance) {
                return (sums, walks);
            }
        }
    }

    #[test]
    fn sums_have_the_odds_of_all_their_handfuls() {
        let classes = [
            ("a1", 4),
            ("a2", 2),
            ("b1", 3),
            ("b2", 1),
            ("blank", 3),
            ("mark-x", 2),
            ("mark-y", 1),
        ];
        let (pot, worths) = (pot(&classes), worths());
        for n in 0..=5 {
            let by_sums = sums(|draws| pot.tally(n, &worths, draws).unwrap().1);
            let by_handfuls = sums(|draws| {
                let drawn = pot.draw_handful(n, draws).unwrap();
                worths.sum(drawn.iter().map(|drawn| &*drawn.chit)).unwrap()
            });
            assert_eq!(by_sums.0, by_handfuls.0, "of {n}");
            assert_eq!(by_sums.1, by_sums.0.len(), "each sum is walked once");
            assert!(
                n < 2 || by_sums.1 < by_handfuls.1,
                "{} of {}",
                by_sums.1,
                by_handfuls.1
            );
        }
    }

    #[test]
    fn an_example_of_a_sum_is_a_handful_that_has_it() {
        let (pot, worths) = (
            pot(&[("a1", 4), ("b1", 3), ("b2", 1), ("mark-x", 2)]),
            worths(),
        );
        sums(|draws| {
            let (drawn, sum) = pot.tally(4, &worths, draws).unwrap();
            assert_eq!(
                drawn.iter().map(|drawn| drawn.draw).collect::<Vec<_>>(),
                [0, 1, 2, 3]
            );
            assert_eq!(
                worths.sum(drawn.iter().map(|drawn| &*drawn.chit)),
                Ok(sum.clone())
            );
            sum
        });
    }

    #[test]
    fn a_sum_in_play_is_that_of_the_handful_that_play_draws() {
        let (pot, worths) = (
            pot(&[("a1", 4), ("b1", 3), ("b2", 1), ("mark-x", 2)]),
            worths(),
        );
        for seed in 0..50 {
            let (mut one, mut other) = (Chance::seeded(seed), Chance::seeded(seed));
            let place = DrawPosition {
                step: 3,
                ..DrawPosition::default()
            };
            let (drawn, sum) = pot
                .tally(3, &worths, &mut Draws::new(&mut one, place))
                .unwrap();
            assert_eq!(
                drawn,
                pot.draw_handful(3, &mut Draws::new(&mut other, place))
                    .unwrap()
            );
            assert_eq!(Ok(sum), worths.sum(drawn.iter().map(|drawn| &*drawn.chit)));
        }
        let mut chance = Chance::scripted(Script::new([], ["mark-x", "b2"]));
        let sum = pot
            .tally(
                2,
                &worths,
                &mut Draws::new(&mut chance, DrawPosition::default()),
            )
            .unwrap()
            .1;
        assert_eq!(Ok(sum), worths.sum(["b2", "mark-x"]));
    }

    #[test]
    fn of_a_pot_of_many_chits_few_sums_are_left() {
        let counts = [5, 20, 15, 10, 3, 10, 7, 5, 3, 10, 7, 5, 5, 7, 5, 2];
        let classes: Vec<(String, u32)> =
            (0..).map(|n: u32| format!("c{n:02}")).zip(counts).collect();
        let worths = Worths::new((0..12).map(|n| {
            (
                format!("c{n:02}"),
                Value::record([("points", Value::Int(n % 4))]),
            )
        }));
        let (pot, worths) = (
            Pot::full(Composition::new(classes).unwrap()),
            worths.unwrap(),
        );
        let (sums, walks) = sums(|draws| pot.tally(5, &worths, draws).unwrap().1);
        assert_eq!((sums.len(), walks), (16, 16));
        let all = sums
            .values()
            .try_fold(Odds::ZERO, |sum, odds| sum.checked_add(*odds));
        assert_eq!(all, Some(Odds::ONE));
    }

    #[test]
    fn a_sum_of_lists_is_no_larger_than_a_value_can_be() {
        let marks = Value::list((0..30_000).map(Value::Int));
        let worths = Worths::new([("a", Value::record([("marks", marks)]))]).unwrap();
        assert!(worths.sum(["a"; 2]).is_ok());
        assert_eq!(worths.sum(["a"; 3]), Err(ChitError::TooMuch));
        let pot = pot(&[("a", 1_000_000)]);
        let mut chance = Chance::seeded(1);
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        let drawn = pot.tally(1_000_000, &worths, &mut draws);
        assert_eq!(drawn.unwrap_err(), ChitError::TooMuch);
        // Where every way is gone through, it is refused as well.
        let mut chance = Enumeration::new().chance();
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        let drawn = pot.tally(3, &worths, &mut draws);
        assert_eq!(drawn.unwrap_err(), ChitError::TooMuch);
    }

    #[test]
    fn a_sum_of_numbers_is_no_greater_than_a_value_can_be() {
        let points = |points: i64| Value::record([("points", Value::Int(points))]);
        let all = [
            ("a", points(LARGEST_INT)),
            ("b", points(-LARGEST_INT)),
            ("c", points(i64::MAX)),
        ];
        let worths = Worths::new(all).unwrap();
        // What is too great on the way is no matter.
        assert_eq!(
            worths.sum(["a", "a", "b", "b", "b"]),
            Ok(points(-LARGEST_INT))
        );
        assert_eq!(worths.sum(["a"; 2]), Err(ChitError::TooGreat));
        assert_eq!(worths.sum(["b"; 2]), Err(ChitError::TooGreat));
        assert_eq!(worths.sum(["c"]), Err(ChitError::TooGreat));
        let pot = pot(&[("a", 999_999), ("c", 1)]);
        for mut chance in [Chance::seeded(1), Enumeration::new().chance()] {
            let mut draws = Draws::new(&mut chance, DrawPosition::default());
            let drawn = pot.tally(2, &worths, &mut draws);
            assert_eq!(drawn.unwrap_err(), ChitError::TooGreat);
        }
    }

    #[test]
    fn many_chits_of_few_sorts_are_added_by_their_sorts() {
        let names: Vec<String> = (0..3000).map(|n| format!("f{n:04}")).collect();
        let fields = names.iter().map(String::as_str).zip((0..).map(Value::Int));
        let worths = Worths::new([("a", Value::record(fields))]).unwrap();
        let pot = pot(&[("a", 1_000_000)]);
        let mut chance = Chance::seeded(1);
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        let Value::Map(sum) = pot.tally(1_000_000, &worths, &mut draws).unwrap().1 else {
            panic!("a sum is a record");
        };
        assert_eq!(sum["f2999"], Value::Int(2_999_000_000));
    }

    #[test]
    fn what_cannot_be_added_is_refused() {
        let of = |worths: [(&str, Value); 2]| Worths::new(worths).unwrap_err().to_string();
        let points = |value: Value| Value::record([("points", value)]);
        assert_eq!(
            of([("a", points(Value::Int(1))), ("b", Value::Int(2))]),
            "expected the worth of `b` as a record, found an integer"
        );
        assert_eq!(
            of([("a", points(Value::Int(1))), ("b", points(Value::list([])))]),
            "expected `points` of `b` as a whole number, found a list"
        );
        assert_eq!(
            of([
                ("a", points(Value::text("one"))),
                ("b", points(Value::Int(2)))
            ]),
            "expected `points` of `a` as a whole number, a list, or yes or no, found a text"
        );
        let (pot, worths) = (pot(&[("a1", 1)]), worths());
        let mut chance = Chance::seeded(1);
        let drawn = pot.tally(
            2,
            &worths,
            &mut Draws::new(&mut chance, DrawPosition::default()),
        );
        assert_eq!(
            drawn.unwrap_err(),
            ChitError::TooFew {
                wanted: 2,
                found: 1
            }
        );
    }
}
