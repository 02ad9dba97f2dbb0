//! Sources by their numbers.

use proptest::prelude::*;

use super::{Answer, Source};
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
