//! The record: what is written reads back the same, and what was changed is
//! found.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use kernel::decision::{Choice, Domain, Input, Question, Region};
use kernel::dice::Die;
use kernel::digest::StateHash;
use kernel::event::{Cause, Event, EventField};
use kernel::geometry::{Angle, Direction, Length, Point};
use kernel::notation::{parse, print};
use kernel::record::{HashChain, decode, encode, open, read, settled};
use kernel::value::{EntityId, LARGEST_INT, Side, Value};
use kernel::world::{Viewers, World};

use support::{name, set_up};

/// A world whose names are hard to write.
fn world() -> World {
    let mut world = set_up(1, 2).world().clone();
    for hard in ["a b", "", "\"", "\\\n", "-", "ö.x", "@", "{}"] {
        world.create(0, hard, &[]).unwrap();
    }
    world
}

fn value() -> impl Strategy<Value = Value> {
    let entities = world().all().count() as u32;
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        (-LARGEST_INT..=LARGEST_INT).prop_map(Value::Int),
        any::<String>().prop_map(|text| Value::text(&text)),
        (0..entities).prop_map(|slot| Value::Entity(EntityId(slot))),
        any::<i64>().prop_map(|um| Value::Length(Length::from_um(um))),
        any::<i32>().prop_map(|minutes| Value::Angle(Angle::from_minutes(minutes))),
        any::<i32>().prop_map(|minutes| Value::Direction(Direction::from_minutes(minutes))),
        any::<(i64, i64)>().prop_map(|(x, y)| Value::Point(Point::from_um(x, y))),
        (1u16..).prop_map(|sides| Value::Die(Die::new(sides).unwrap())),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::list),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|map| {
                let map: BTreeMap<_, _> = map.into_iter().map(|(k, v)| (name(&k), v)).collect();
                Value::Map(Arc::new(map))
            }),
        ]
    })
}

fn input() -> impl Strategy<Value = Input> {
    let entities = world().all().count() as u32;
    let actor = prop::option::of((0..entities).prop_map(EntityId));
    (0u8..2, any::<String>(), actor, value(), 0u8..8).prop_map(|(by, id, actor, value, sort)| {
        let (by, id) = (Side(by), name(&id));
        match sort {
            0 => Input::Act {
                by,
                action: id,
                actor,
                params: value,
            },
            1 => Input::React {
                by,
                reaction: id,
                actor,
                params: value,
            },
            2 => Input::Answer {
                by,
                question: id,
                value,
            },
            3 => Input::Decline { by, standing: true },
            4 => Input::Decline {
                by,
                standing: false,
            },
            5 => Input::Pass { by },
            6 => Input::Done { by },
            _ => Input::TakeBack { by },
        }
    })
}

proptest! {
    #[test]
    fn a_value_reads_back_the_same(value in value()) {
        let world = world();
        let text = print(&value, &world);
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(parse(&text, &|name| world.find(name)), Ok(value), "{}", text);
    }

    #[test]
    fn an_input_reads_back_the_same(input in input()) {
        let world = world();
        let text = encode(&input, &world);
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(decode(&text, &world), Ok(input), "{}", text);
    }

    #[test]
    fn hostile_text_is_an_error_and_no_panic(text in any::<String>(), cut in any::<prop::sample::Index>()) {
        let world = world();
        let _ = parse(&text, &|name| world.find(name));
        let _ = decode(&text, &world);
        let _ = HashChain::new(&text).check(&text);
        let _ = read(&mut HashChain::new("x"), &text);
        let own = "act red toy.walk @red-1 {to = [(-1,2), 3um, 4', ^5, d6, \"é\\\"\"], x = nil}";
        let at = cut.index(own.len());
        if own.is_char_boundary(at) {
            let mixed = format!("{}{text}{}", &own[..at], &own[at..]);
            let _ = decode(&mixed, &world);
            let _ = decode(&own[..at], &world);
        }
    }

    /// Text made of the tokens of the notation comes further than noise.
    #[test]
    fn hostile_tokens_are_an_error_and_no_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", "(", ")", ",", "=", "\"", "\\", "@", "^", "'", "um", "-", "9223372036854775808",
                "-9223372036854775808", "9007199254740992", "d0", "d65536", "d6", "nil", "act", "red", "é", " ", "- ",
            ]),
            0..30,
        ),
    ) {
        let world = world();
        let text = tokens.concat();
        let _ = parse(&text, &|name| world.find(name));
        let _ = decode(&text, &world);
        let _ = decode(&format!("act red x - {text}"), &world);
    }

    #[test]
    fn a_changed_byte_is_found_and_named(
        texts in prop::collection::vec("[a-z ]{0,12}", 1..8),
        at in any::<prop::sample::Index>(),
        byte in 0u8..128,
    ) {
        let mut chain = HashChain::new("header");
        let journal: String = texts.iter().map(|text| chain.append(text) + "\n").collect();
        let whole = read(&mut HashChain::new("header"), &journal).unwrap();
        prop_assert_eq!(&whole.inputs, &texts);
        prop_assert!(!whole.is_torn);

        let at = at.index(journal.len());
        let line = journal[..at].matches('\n').count() as u32 + 1;
        let mut bytes = journal.clone().into_bytes();
        prop_assume!(bytes[at] != byte);
        let was_last = at == journal.len() - 1;
        bytes[at] = byte;
        let changed = String::from_utf8(bytes).unwrap();
        match read(&mut HashChain::new("header"), &changed) {
            Err(broken) => prop_assert_eq!(broken.line, line),
            // The last line break is what makes a line whole.
            Ok(lines) => prop_assert!(was_last && lines.is_torn),
        }
        prop_assert!(read(&mut HashChain::new("other"), &journal).is_err());
    }

    #[test]
    fn a_torn_tail_is_left_out(texts in prop::collection::vec("[a-z ]{1,12}", 1..6), cut in any::<prop::sample::Index>()) {
        let mut chain = HashChain::new("h");
        let journal: String = texts.iter().map(|text| chain.append(text) + "\n").collect();
        let cut = cut.index(journal.len());
        let mut again = HashChain::new("h");
        let lines = read(&mut again, &journal[..cut]).unwrap();
        let whole = journal[..cut].matches('\n').count();
        prop_assert_eq!(lines.inputs.len(), whole);
        prop_assert_eq!(lines.is_torn, !journal[..cut].ends_with('\n') && cut > 0);
        // From there the journal goes on.
        let rest: String = texts[whole..].iter().map(|text| again.append(text) + "\n").collect();
        prop_assert!(journal.ends_with(&rest));
    }

    #[test]
    fn domains_take_what_they_offer_and_nothing_else(min in -50i64..50, size in 0i64..50, n in any::<i64>()) {
        let domain = Domain::Integer { min, max: min + size };
        prop_assert_eq!(domain.accepts(&Value::Int(n)).is_ok(), (min..=min + size).contains(&n));
        prop_assert!(domain.accepts(&Value::Int(min)).is_ok() && domain.accepts(&Value::None).is_err());
    }

    #[test]
    fn any_value_is_a_domain_or_a_fault(value in value(), sort in 0usize..6) {
        let sorts = ["choices", "several", "integer", "place", "route", "nonsense"];
        let fields = [
            "choices", "min", "max", "regions", "candidates", "from", "legs", "check", "check_args",
        ];
        for field in fields {
            let record = Value::record([("domain", Value::text(sorts[sort])), (field, value.clone())]);
            if let Ok(domain) = Domain::from_value(&record) {
                let _ = domain.accepts(&value);
                let _ = domain.is_empty();
            }
        }
        prop_assert!(Domain::from_value(&value).is_err());
    }
}

#[test]
fn values_nested_too_deep_are_refused() {
    let world = world();
    let find = |name: &str| world.find(name);
    let nest = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nest(30), &find).is_ok());
    assert!(parse(&nest(40), &find).unwrap_err().contains("less deep"));
    assert!(parse(&"[".repeat(1_000_000), &find).is_err());
    assert!(parse(&"{a=".repeat(1_000_000), &find).is_err());
    assert!(decode(&format!("act red x - {}", nest(5000)), &world).is_err());
}

#[test]
fn errors_say_what_was_expected_and_where() {
    let world = world();
    let find = |name: &str| world.find(name);
    for (text, expected) in [
        (
            "@nobody",
            "expected the name of an entity at character 2, found `nobody`",
        ),
        (
            "{a = 1, a = 2}",
            "expected a key that was not there before at character 9, found `a = 2}`",
        ),
        ("[1 2]", "expected `,` at character 4, found `2]`"),
        (
            "9007199254740992",
            "expected a number within 2^53 at character 17, found the end",
        ),
        (
            "\"open",
            "expected a closing quote at character 2, found `open`",
        ),
        ("", "expected a value at character 1, found the end"),
    ] {
        assert_eq!(parse(text, &find).unwrap_err(), expected);
    }
    assert_eq!(
        decode("act nobody x - nil", &world).unwrap_err(),
        "expected a side, found `nobody`"
    );
}

/// An event with something in each of its fields.
fn shot() -> Event {
    let field = |name: &str, value| EventField::new(name, value, Viewers::ALL);
    Event {
        kind: name("a.shot"),
        fields: vec![
            field("who", Value::Entity(EntityId(0))),
            field("text", Value::text("it hits")),
        ],
        remarks: Vec::new(),
        audience: Viewers::ALL,
        cause: Cause {
            rule: Some(name("a.fire")),
            stack: Arc::from([name("a.act")]),
            draws: Some((1, 2)),
            ..Cause::default()
        },
        action: 3,
    }
}

#[test]
fn whatever_is_told_otherwise_has_another_hash() {
    let world = world();
    type Otherwise = (&'static str, fn(&mut Event));
    let other: [Otherwise; 15] = [
        ("kind", |event| event.kind = name("a.shop")),
        ("entity", |event| {
            event.fields[0].value = Value::Entity(EntityId(1))
        }),
        ("type", |event| event.fields[0].value = Value::text("u0")),
        ("text", |event| {
            event.fields[1].value = Value::text("it hit")
        }),
        ("name", |event| event.fields[1].name = name("words")),
        ("viewers", |event| {
            event.fields[1].viewers = Viewers::side(Side(0))
        }),
        ("parts", |event| {
            event.fields[1].parts.push((name("words"), Viewers::NONE))
        }),
        ("order", |event| event.fields.reverse()),
        ("fewer", |event| drop(event.fields.pop())),
        ("audience", |event| event.audience = Viewers::NONE),
        ("rule", |event| event.cause.rule = Some(name("a.aim"))),
        ("no rule", |event| event.cause.rule = None),
        ("draws", |event| event.cause.draws = Some((1, 3))),
        ("no draws", |event| event.cause.draws = None),
        ("action", |event| event.action = 4),
    ];
    let hash = |events: &[Event]| settled(&StateHash::default(), events, &world);
    let mut seen = vec![hash(&[]), hash(&[shot()]), hash(&[shot(), shot()])];
    for (what, change) in other {
        let mut event = shot();
        change(&mut event);
        seen.push(hash(&[event.clone(), shot()]));
        seen.push(hash(&[shot(), event]));
        let again = seen.len() - 2;
        assert!(
            !seen[..again].contains(&seen[again]) && !seen[..=again].contains(&seen[again + 1]),
            "{what}"
        );
    }
    // How events are grouped makes no difference.
    assert_eq!(
        settled(&hash(&[shot()]), &[shot()], &world),
        hash(&[shot(), shot()])
    );
}

fn question(text: &str, to: Vec<(Side, Domain)>) -> Question {
    Question {
        id: name("a.hold"),
        text: name(text),
        to,
        is_secret: false,
        about: Vec::new(),
        reveals: None,
    }
}

/// What may be answered: each of these is another one.
fn domains() -> Vec<Domain> {
    let choice = |label: &str| Choice {
        value: Value::Bool(true),
        label: name(label),
    };
    let several = |min| Domain::Several {
        of: Arc::from([choice("no")]),
        min,
        max: 1,
        check: None,
    };
    let point = |x| Point::from_um(x, 0);
    let place = |radius| Domain::Place {
        regions: Arc::from([Region::Disc {
            centre: point(0),
            radius: Length::from_um(radius),
        }]),
        candidates: Arc::default(),
        check: None,
    };
    let route = |legs| Domain::Route {
        from: point(0),
        legs,
        candidates: Arc::default(),
        check: None,
    };
    vec![
        Domain::yes_no(),
        Domain::choices_of([choice("yes")]),
        Domain::choices_of([choice("no")]),
        several(0),
        several(1),
        Domain::Integer { min: 0, max: 1 },
        Domain::Integer { min: 0, max: 2 },
        place(1),
        place(2),
        route(1),
        route(2),
    ]
}

#[test]
fn what_is_asked_otherwise_has_another_hash() {
    let world = world();
    let of = |domain: Domain| question("Hold?", vec![(Side(0), domain)]);
    let mut questions: Vec<Question> = domains().into_iter().map(of).collect();
    questions.extend([
        question("Hold on?", vec![(Side(0), Domain::yes_no())]),
        question("Hold?", vec![(Side(1), Domain::yes_no())]),
        question(
            "Hold?",
            vec![(Side(0), Domain::yes_no()), (Side(1), Domain::yes_no())],
        ),
    ]);
    questions.push(Question {
        is_secret: true,
        ..questions[0].clone()
    });
    questions.push(Question {
        about: vec![EntityId(0)],
        ..questions[0].clone()
    });
    let base = StateHash::of(b"so far");
    assert_eq!(open(&base, &[], None, &world), base);
    let mut seen = vec![base, open(&base, &[shot()], None, &world)];
    for question in &questions {
        for events in [vec![], vec![shot()]] {
            let hash = open(&base, &events, Some(question), &world);
            assert!(!seen.contains(&hash), "{question:?}");
            seen.push(hash);
        }
    }
}
