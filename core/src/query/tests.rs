//! Sources by their numbers, and what is told of groups.

use proptest::prelude::*;

use super::states::StateNumbers;
use super::{Answer, Revision, Source};
use crate::groups::{GroupStamps, ReadGroups};
use crate::stamp::Stamp;
use crate::value::EntityId;

proptest! {
    #[test]
    fn a_source_is_known_by_its_number(sort in 0u32..13, what in any::<u32>(), slot in any::<u16>()) {
        let entity = EntityId(what);
        let source = match sort {
            0 => Source::Attribute(entity, slot),
            1 => Source::Existence(entity),
            2 => Source::Naming(entity),
            3 => Source::Presence(entity),
            4 => Source::Owner(entity),
            5 => Source::Nobody(what),
            6 => Source::Members(slot),
            7 => Source::Shown(slot),
            8 => Source::Bucket(what),
            9 => Source::Phase(what),
            10 => Source::Sightings,
            11 => Source::Pile(what),
            _ => Source::Answer(Answer(what)),
        };
        prop_assert_eq!(Source::of(source.number()), source);
    }
}

/// The groups as they are after an attribute has changed, and in which they differ then.
fn changed(before: &GroupStamps, entity: u32, slot: u16) -> (GroupStamps, ReadGroups) {
    let mut now = *before;
    now.world
        .change_attribute(EntityId(entity), slot, Stamp::fresh());
    (now, now.other_than(before))
}

fn of(entity: u32, slot: u16) -> ReadGroups {
    ReadGroups::of_attribute(EntityId(entity), slot)
}

proptest! {
    #[test]
    fn what_has_changed_may_differ(entity in any::<u32>(), slot in any::<u16>()) {
        let (_, changed) = changed(&GroupStamps::default(), entity, slot);
        prop_assert!(of(entity, slot).may_differ(changed));
        prop_assert!(ReadGroups::of_slot(slot).may_differ(changed));
        prop_assert!(!ReadGroups::BEINGS.may_differ(changed));
    }
}

#[test]
fn other_attributes_are_as_they_were() {
    let (_, changed) = changed(&GroupStamps::default(), 1, 2);
    for (entity, slot) in [(1, 3), (2, 2), (2, 3)] {
        assert!(!of(entity, slot).may_differ(changed), "{entity} {slot}");
    }
    assert!(!ReadGroups::of_slot(3).may_differ(changed));
}

#[test]
fn in_another_era_nothing_is_known() {
    let states = StateNumbers::default();
    let era = || GroupStamps {
        era: Stamp::fresh(),
        ..GroupStamps::default()
    };
    let before = states.of(revision(), era);
    assert!(states.are_as_in(before, ReadGroups::NONE));
    let now = states.of(revision(), era);
    assert!(!states.are_as_in(before, ReadGroups::NONE));
    assert!(states.are_as_in(now, ReadGroups::NONE));
}

fn revision() -> Revision {
    Revision {
        world: Stamp::fresh(),
        game: Stamp::fresh(),
    }
}

#[test]
fn of_a_state_is_known_what_has_changed_since() {
    let mut states = StateNumbers::default();
    let mut stamps = GroupStamps::default();
    let (one, other) = (revision(), revision());
    let first = states.of(one, || stamps);
    assert!(states.are_as_in(first, of(1, 2)));
    let mut go_to = |states: &StateNumbers, to: Revision| {
        stamps = changed(&stamps, 1, 2).0;
        states.of(to, || stamps)
    };
    let second = go_to(&states, other);
    assert!(first != second);
    assert!(!states.are_as_in(first, of(1, 2)) && states.are_as_in(first, of(2, 3)));
    assert!(states.are_as_in(second, of(1, 2)));
    // Met again, the first has its number, and what has changed between counts.
    assert_eq!(go_to(&states, one), first);
    assert!(!states.are_as_in(first, of(1, 2)) && !states.are_as_in(second, of(1, 2)));
    // Of states that are long past, and of none, nothing is known.
    (0..40).for_each(|_| assert!(go_to(&states, revision()) > second));
    assert!(!states.are_as_in(second, of(2, 3)) && !states.are_as_in(0, of(2, 3)));
    let last = go_to(&states, revision());
    assert!(states.are_as_in(last, of(2, 3)));
    states.forget();
    assert!(!states.are_as_in(last, of(2, 3)));
}
