//! Any span of writes can be taken back exactly, and the hash that is kept up
//! is the hash from nothing.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use proptest::prelude::*;

use kernel::error::FaultCode;
use kernel::value::{EntityId, Side, Type, Value};
use kernel::world::{
    Attribute, FirstViewers, Kind, MOST_ATTRIBUTES, MOST_KINDS, MOST_PARTS, Schema, Viewers, World,
};

use support::{name, set_up};

#[derive(Clone, Debug)]
enum Act {
    Create(u8),
    Remove(u8),
    Set(u8, u8, i64),
    Show(u8, u8, u64),
    Hide(u8, u8),
    Mark,
    Rewind,
    Hash,
    Snapshot,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        any::<u8>().prop_map(Act::Create),
        any::<u8>().prop_map(Act::Remove),
        (any::<u8>(), any::<u8>(), 0i64..1000).prop_map(|(e, a, v)| Act::Set(e, a, v)),
        (any::<u8>(), any::<u8>(), any::<u64>()).prop_map(|(e, a, v)| Act::Show(e, a, v)),
        (any::<u8>(), any::<u8>()).prop_map(|(e, v)| Act::Hide(e, v)),
        Just(Act::Mark),
        Just(Act::Rewind),
        Just(Act::Hash),
        Just(Act::Snapshot),
    ]
}

/// All that there is to know of a world, as text.
fn picture(world: &World) -> String {
    let mut text = String::new();
    for entity in world.all() {
        let row = world.row(entity).unwrap();
        text += &format!(
            "{entity:?} {:?} {} {:?}",
            row.name,
            row.kind,
            row.existence.bits()
        );
        for cell in row.cells.iter() {
            text += &format!(" {:?} {:?}", cell.value, cell.viewers);
        }
        text += "\n";
    }
    let kinds = world.schema().kinds().len() as u16;
    for kind in 0..kinds {
        text += &format!("{:?}\n", world.of_kind(kind).collect::<Vec<_>>());
    }
    text
}

fn run(world: &mut World, act: &Act) {
    let all: Vec<EntityId> = world.all().collect();
    let pick = |e: &u8| all.get(usize::from(*e) % all.len().max(1)).copied();
    match act {
        Act::Create(n) => {
            let side = (
                name("side"),
                Value::text(if n % 2 == 0 { "red" } else { "blue" }),
            );
            let _ = world.create(u16::from(n % 3), &format!("new-{}", n % 7), &[side]);
        }
        Act::Remove(e) => {
            let _ = pick(e).map(|e| world.remove(e));
        }
        Act::Set(e, a, v) => {
            let _ = pick(e).map(|e| {
                let attributes = world.kind(e).unwrap().attributes.len() as u16;
                world.set(e, u16::from(*a) % attributes, Value::Int(*v))
            });
        }
        Act::Show(e, a, v) => {
            let _ = pick(e).map(|e| {
                let attributes = world.kind(e).unwrap().attributes.len() as u16;
                let viewers = Viewers::side(Side((v % 2) as u8)).and(Viewers::NONE);
                world.set_viewers(e, Some(u16::from(*a) % attributes), viewers)
            });
        }
        Act::Hide(e, v) => {
            let viewers = if v % 2 == 0 {
                Viewers::ALL
            } else {
                Viewers::NONE
            };
            let _ = pick(e).map(|e| world.set_viewers(e, None, viewers));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_taken_back_never_was(acts in prop::collection::vec(act(), 0..120)) {
        let mut world = set_up(1, 2).world().clone();
        let mut marks = Vec::new();
        let mut snapshots = Vec::new();
        for act in &acts {
            match act {
                Act::Mark => marks.push((world.clone(), picture(&world), world.digest_afresh())),
                Act::Rewind => {
                    if let Some((earlier, before, digest)) = marks.pop() {
                        world = earlier;
                        prop_assert_eq!(picture(&world), before);
                        prop_assert_eq!(world.digest(), digest);
                    }
                }
                Act::Hash => {
                    prop_assert_eq!(world.digest(), world.digest_afresh());
                    world.keep_digests();
                }
                Act::Snapshot => snapshots.push((world.clone(), picture(&world))),
                write => run(&mut world, write),
            }
        }
        prop_assert_eq!(world.digest(), world.digest_afresh());
        prop_assert_eq!(world.parts(), world.parts_afresh());
        while let Some((earlier, before, digest)) = marks.pop() {
            prop_assert_eq!(picture(&earlier), before);
            prop_assert_eq!(earlier.digest(), digest);
        }
        for (snapshot, then) in snapshots {
            prop_assert_eq!(picture(&snapshot), then);
            prop_assert_eq!(snapshot.digest(), snapshot.digest_afresh());
        }
    }

    /// The order in which entities were made leaves no trace in the hash.
    #[test]
    fn the_hash_knows_names_not_slots(order in Just((0..6u8).collect::<Vec<_>>()).prop_shuffle()) {
        let build = |order: &[u8]| {
            let mut world = set_up(1, 2).world().clone();
            for n in order {
                world.create(0, &format!("p{n}"), &[(name("at"), Value::Int(i64::from(*n)))]).unwrap();
            }
            let first = world.find("p0").unwrap();
            let last = world.find("p5").unwrap();
            let foe = world.attribute(first, "foe").unwrap();
            world.set(first, foe, Value::Entity(last)).unwrap();
            world.digest()
        };
        prop_assert_eq!(build(&order), build(&[0, 1, 2, 3, 4, 5]));
    }
}

#[test]
fn a_side_that_no_game_can_have_sees_nothing() {
    use kernel::world::Viewer;
    for side in [32, 40, 64, 200, 255] {
        let viewer = Viewer::Side(Side(side));
        assert!(!Viewers::ALL.contains(viewer) || side < 32);
        assert!(!Viewers::side(Side(side)).contains(Viewer::Side(Side(side % 32))));
        let game = set_up(1, 2);
        assert!(game.view(viewer).entities.is_empty());
        assert_eq!(game.by_handle(viewer, 1), None);
        assert_eq!(game.handle(viewer, EntityId(0)), None);
    }
    let game = set_up(1, 2);
    for handle in [0, 1_000_000, u32::MAX] {
        for viewer in support::viewers(&game) {
            assert_eq!(game.by_handle(viewer, handle), None);
        }
    }
    let _ = game.handle(Viewer::Referee, EntityId(u32::MAX));
    assert_eq!(&*game.world().name(EntityId(u32::MAX)), "?");
}

/// Many writes that each add a little do not fill the memory: what is too much
/// is a fault, and changes nothing.
#[test]
fn a_world_holds_so_much_and_no_more() {
    let mut world = set_up(1, 2).world().clone();
    let piece = world.all().next().unwrap();
    let kind = world.row(piece).unwrap().kind;
    let mut number = 0;
    let fault = loop {
        number += 1;
        let name = "n".repeat(8) + &number.to_string();
        if let Err(fault) = world.create(kind, &name, &[]) {
            break fault;
        }
    };
    assert_eq!(fault.code, FaultCode::TooMuchMemory, "{fault}");
    assert!(world.parts() <= MOST_PARTS);
    assert_eq!(world.parts(), world.parts_afresh());
    assert!(world.find(&("n".repeat(8) + &number.to_string())).is_none());
    // What does not grow is written as ever.
    let foe = world.attribute(piece, "foe").unwrap();
    world.set(piece, foe, Value::Entity(piece)).unwrap();
}

/// Attributes and kinds are numbered: more than there are numbers for are refused.
#[test]
fn kinds_and_their_attributes_have_a_most() {
    let attribute = |number: usize| Attribute {
        name: format!("a{number}").as_str().into(),
        ty: Type::INT,
        default: Value::Int(0),
        viewers: FirstViewers::All,
        doc: "".into(),
        is_bookkeeping: false,
        until: [].into(),
        module: "toy".into(),
    };
    let mut kind = Kind::new("toy.large", "toy");
    for number in 1..MOST_ATTRIBUTES {
        kind.extend(attribute(number)).unwrap();
    }
    let fault = kind.extend(attribute(MOST_ATTRIBUTES)).unwrap_err();
    assert_eq!(fault.code, FaultCode::OutOfRange);
    let mut schema = Schema::default();
    for number in 0..MOST_KINDS {
        schema
            .declare(Kind::new(&format!("toy.k{number}"), "toy"))
            .unwrap();
    }
    let fault = schema.declare(kind).unwrap_err();
    assert_eq!(fault.code, FaultCode::OutOfRange);
}
