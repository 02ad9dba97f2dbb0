use super::*;
use kernel::value::Field;
use proptest::prelude::*;

struct Tanks;

impl kernel::digest::Names for Tanks {
    fn name_of(&self, entity: EntityId) -> Name {
        Arc::from(format!("tank-{}", entity.0))
    }
}

fn tank(name: &str) -> Option<EntityId> {
    name.strip_prefix("tank-")?.parse().ok().map(EntityId)
}

fn ty(text: &str) -> Type {
    parse_type(text, &Records::new()).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn read(ty_text: &str, text: &str) -> Result<Value, String> {
    parse_value(&ty(ty_text), text, &tank).map_err(|m| m.to_string())
}

fn um(n: i64) -> Value {
    Value::Length(Length::from_um(n))
}

#[test]
fn types_print_as_they_are_written() {
    for text in [
        "any",
        "bool",
        "integer",
        "integer -3..5",
        "text",
        "id",
        "close|medium|long",
        "entity",
        "entity(dsii.element)",
        "length?",
        "list(map(die))",
        "{shots: integer 0..9, at: point?}",
        "list({at: list(path)}?)",
        "verdict",
        "HVC/3|HKP",
    ] {
        assert_eq!(ty(text).to_string(), text);
    }
    assert_eq!(ty(" list( a | b ) ?").to_string(), "list(a|b)?");
    assert_eq!(ty("domain"), Type::Any);
}

#[test]
fn broken_types_say_what_was_expected() {
    let fail = |text: &str| parse_type(text, &Records::new()).unwrap_err().to_string();
    assert_eq!(
        fail("lenght"),
        "fault F024: expected a type, found `lenght` in the type `lenght`\n  hint: did you mean `length`?"
    );
    for (elsewhere, here) in [
        ("boolean", "bool"),
        ("list(String)", "text"),
        ("Int", "integer"),
    ] {
        assert!(
            fail(elsewhere).ends_with(&format!("hint: it is called `{here}` here")),
            "{elsewhere}"
        );
    }
    for text in [
        "",
        "integer 5..0",
        "list(",
        "list(text",
        "a|",
        "a|a",
        "{x: }",
        "{x: text, x: text}",
        "text text",
        "text??",
        "entity(x)",
        "dsii.shot",
        "integer 1..",
        "integer 99999999999999999999..2",
        "{X: text}",
        "|a",
    ] {
        fail(text);
    }
    let deep = "list(".repeat(5000);
    assert!(fail(&deep).contains("less deep"));
}

#[test]
fn fields_keep_their_order() {
    let fields = parse_fields(
        " mover : entity(dsii.element), leg: integer,by: a|b",
        &Records::new(),
    )
    .unwrap();
    let names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
    assert_eq!(names, ["mover", "leg", "by"]);
    assert_eq!(parse_fields("  ", &Records::new()), Ok(vec![]));
    for text in [
        "a",
        "a: text b: text",
        "a: text,",
        ", a: text",
        "a: text, a: text",
    ] {
        assert!(parse_fields(text, &Records::new()).is_err(), "{text}");
    }
}

#[test]
fn records_may_name_each_other_in_any_order() {
    let volley: (Name, &str) = ("dsii.volley".into(), "shots: list(dsii.shot)");
    let shot: (Name, &str) = ("dsii.shot".into(), "weapon: text");
    let records = named_records(&[volley, shot.clone()], Records::new()).unwrap();
    assert_eq!(
        records["dsii.volley"].to_string(),
        "{shots: list({weapon: text})}"
    );
    let looped = ("dsii.loop".into(), "again: dsii.loop?");
    let faults = named_records(&[looped, shot], Records::new()).unwrap_err();
    assert_eq!(faults.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [0]);
}

#[test]
fn effects_always_include_reading() {
    assert_eq!(parse_effects("").unwrap().words(), "reads");
    assert_eq!(
        parse_effects("writes  asks,draws").unwrap().words(),
        "reads, draws, writes, asks"
    );
    assert!(
        parse_effects("write")
            .unwrap_err()
            .to_string()
            .ends_with("did you mean `writes`?")
    );
}

#[test]
fn lengths_are_exact() {
    assert_eq!(read("length", "12in"), Ok(um(304_800)));
    assert_eq!(read("length", " 3.5in "), Ok(um(88_900)));
    assert_eq!(read("length", "3.5 in"), Ok(um(88_900)));
    assert_eq!(read("length", "-0.25in"), Ok(um(-6_350)));
    assert_eq!(read("length", "2.5400mm"), Ok(um(2_540)));
    assert_eq!(read("length", "254000um"), Ok(um(254_000)));
    for text in [
        "12",
        "in",
        "1.in",
        ".5in",
        "0.5um",
        "0.00001in",
        "12 in x",
        "1e3in",
        "99999999999999999999in",
        "9223372036854775807in",
        "--1in",
        "١in",
    ] {
        assert!(read("length", text).is_err(), "{text}");
    }
}

#[test]
fn angles_directions_points_and_dice_are_read() {
    assert_eq!(read("angle", "30deg"), Ok(Value::Angle(Angle::degrees(30))));
    assert_eq!(
        read("angle", "-22.5deg"),
        Ok(Value::Angle(Angle::from_minutes(-1350)))
    );
    assert_eq!(
        read("angle", "22°30'"),
        Ok(Value::Angle(Angle::from_minutes(1350)))
    );
    assert_eq!(
        read("angle", "90'"),
        Ok(Value::Angle(Angle::from_minutes(90)))
    );
    assert_eq!(
        read("direction", "sw"),
        Ok(Value::Direction(Direction::degrees(225)))
    );
    assert_eq!(
        read("direction", "-45deg"),
        Ok(Value::Direction(Direction::degrees(315)))
    );
    assert_eq!(
        read("point", "( 10in ,8cm)"),
        Ok(Value::Point(Point::from_um(254_000, 80_000)))
    );
    assert_eq!(read("die", "d12"), Ok(Value::Die(Die::new(12).unwrap())));
}

#[test]
fn entities_and_texts_are_read() {
    assert_eq!(read("entity", "@tank-7"), Ok(Value::Entity(EntityId(7))));
    assert_eq!(
        read("entity(dsii.element)", "tank-7"),
        Ok(Value::Entity(EntityId(7)))
    );
    assert_eq!(
        read("text", "any, [thing]"),
        Ok(Value::text("any, [thing]"))
    );
    assert_eq!(read("text", r#""a \"b\"""#), Ok(Value::text("a \"b\"")));
    assert_eq!(read("close|long?", "nil"), Ok(Value::None));
    assert_eq!(
        read("verdict", "it is pinned"),
        Ok(Value::text("it is pinned"))
    );
}

#[test]
fn lists_are_read() {
    assert_eq!(
        read("list(text)", r#"[one two, "a, b"]"#)
            .unwrap()
            .to_owned(),
        Value::list([Value::text("one two"), Value::text("a, b")])
    );
    assert_eq!(
        read("any", "[1, d6, close, 2in, 3', @tank-1, nil]").unwrap(),
        Value::list([
            Value::Int(1),
            Value::Die(Die::new(6).unwrap()),
            Value::text("close"),
            um(50_800),
            Value::Angle(Angle::from_minutes(3)),
            Value::Entity(EntityId(1)),
            Value::None
        ])
    );
    assert_eq!(
        read("path", "[(0in,0in), (1in,0in)]").unwrap(),
        Value::list([
            Value::Point(Point::ORIGIN),
            Value::Point(Point::from_um(25_400, 0))
        ])
    );
}

#[test]
fn records_are_checked_field_by_field() {
    let shot = "{weapon: text, band: close|long, at: list(integer 0..5)?}";
    let full = read(shot, r#"{weapon = HEL, band=close, at = [1, 2]}"#).unwrap();
    assert_eq!(
        full.field("at"),
        Some(&Value::list([Value::Int(1), Value::Int(2)]))
    );
    let short = read(shot, r#"{weapon = "HEL", band = long, at = nil}"#).unwrap();
    assert_eq!(
        short,
        Value::record([
            ("weapon", Value::text("HEL")),
            ("band", Value::text("long"))
        ])
    );
    let fail = |text: &str| read(shot, text).unwrap_err();
    assert_eq!(
        fail("{weapon = HEL}"),
        "`band`: expected close|long, found nothing"
    );
    assert_eq!(
        fail("{weapon = HEL, band = far}"),
        "`band`: expected close|long, found `far`"
    );
    assert_eq!(
        fail("{at = [1, 7]}"),
        "`at[2]`: expected integer 0..5, found `7`"
    );
    assert!(fail("{what = 1}").contains("the unknown field `what`"));
    assert!(fail("{weapon = a, weapon = b}").contains("twice"));
}

#[test]
fn hostile_values_are_refused() {
    for (ty, text) in [
        ("integer", "9007199254740992"),
        ("integer 0..5", "6"),
        ("integer", "1.0"),
        ("die", "d0"),
        ("die", "d+8"),
        ("die", "d70000"),
        ("path", "[(0in,0in)]"),
        ("point", "(1,2)"),
        ("bool", "yes"),
        ("id", "fire"),
        ("entity", "ghost"),
        ("point", "(9999999999in, 0in)"),
        ("text", "\"open"),
        ("list(integer)", "[1 2]"),
        ("angle", "1deg60'"),
        ("angle", "99999999999deg"),
        ("direction", "^99999999999"),
    ] {
        assert!(read(ty, text).is_err(), "{ty} {text}");
    }
    assert!(read("any", &"[".repeat(10_000)).is_err());
}

fn from(ty_text: &str, ron_text: &str) -> Result<Value, String> {
    from_ron(&ty(ty_text), &ron::from_str(ron_text).unwrap(), &tank).map_err(|m| m.to_string())
}

#[test]
fn ron_values_take_the_type_of_their_place() {
    assert_eq!(from("integer 0..9", "9"), Ok(Value::Int(9)));
    assert_eq!(
        from("integer 0..9", "10").unwrap_err(),
        "expected integer 0..9, found the integer 10"
    );
    assert!(
        from("integer", "1.5").is_err()
            && from("integer", "\"1\"").is_err()
            && from("bool", "1").is_err()
    );
    assert_eq!(from("length", "\"2in\""), Ok(um(50_800)));
    assert_eq!(from("text", "\"2in\""), Ok(Value::text("2in")));
    assert_eq!(from("any", "\"2in\""), Ok(Value::text("2in")));
    assert_eq!(
        from("point", r#"("1in", "2in")"#),
        Ok(Value::Point(Point::from_um(25_400, 50_800)))
    );
    assert_eq!(from("die?", "None"), Ok(Value::None));
    assert_eq!(
        from("die?", "Some(\"d6\")"),
        Ok(Value::Die(Die::new(6).unwrap()))
    );
    assert_eq!(
        from("map(length)", r#"{"long": "2in"}"#),
        Ok(Value::record([("long", um(50_800))]))
    );
    assert_eq!(
        from("{a: integer}", "(a: 1)"),
        Ok(Value::record([("a", Value::Int(1))]))
    );
    assert!(
        from("{a: integer}", "(b: 1)")
            .unwrap_err()
            .contains("unknown field `b`")
    );
    assert!(from("{a: integer}", "()").is_err());
    assert_eq!(
        from("list(entity)", r#"["tank-1"]"#),
        Ok(Value::list([Value::Entity(EntityId(1))]))
    );
    assert_eq!(
        from("list(entity)", r#"["tank-1", "x"]"#).unwrap_err(),
        "`[2]`: expected entity, found `x`"
    );
}

#[test]
fn zeros_fit_their_types() {
    assert_eq!(natural_zero(&ty("integer -9..-3")), Some(Value::Int(-3)));
    assert_eq!(
        natural_zero(&ty("{a: integer, b: text?}")),
        Some(Value::record([("a", Value::Int(0))]))
    );
    assert_eq!(natural_zero(&ty("{a: die}")), None);
    let strange = Type::Int { min: 5, max: 1 };
    assert_eq!(natural_zero(&strange), Some(Value::Int(5)));
}

fn any_type() -> impl Strategy<Value = Type> {
    let word = "[a-z][a-z0-9_]{0,6}";
    let leaf = prop_oneof![
        Just(Type::Any),
        Just(Type::Bool),
        Just(Type::INT),
        (-9i64..9, 0i64..9).prop_map(|(min, more)| Type::Int {
            min,
            max: min + more
        }),
        Just(Type::Text),
        Just(Type::Entity(Some("dsii.element".into()))),
        Just(Type::Length),
        Just(Type::Path),
        prop::collection::btree_set(word, 2..4)
            .prop_map(|tags| Type::Enum(tags.into_iter().map(Name::from).collect())),
    ];
    leaf.prop_recursive(4, 16, 3, move |inner| {
        let field = inner.clone();
        prop_oneof![
            inner.clone().prop_map(|ty| Type::List(Arc::new(ty))),
            inner.clone().prop_map(|ty| Type::Map(Arc::new(ty))),
            inner
                .prop_filter("one `?` is enough", |ty| !matches!(ty, Type::Optional(_)))
                .prop_map(|ty| Type::Optional(Arc::new(ty))),
            prop::collection::btree_map(word, field, 0..4).prop_map(|fields| {
                Type::Record(
                    fields
                        .into_iter()
                        .map(|(name, ty)| Field {
                            name: name.into(),
                            ty,
                        })
                        .collect(),
                )
            }),
        ]
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        (-kernel::value::LARGEST_INT..kernel::value::LARGEST_INT).prop_map(Value::Int),
        "\\PC*|[a-z.]*|nil|d8|12in".prop_map(|text| Value::text(&text)),
        (0u32..9).prop_map(|n| Value::Entity(EntityId(n))),
        any::<i64>().prop_map(um),
        (-40i64..40).prop_map(|n| um(n * 2_540)),
        any::<i32>().prop_map(|n| Value::Angle(Angle::from_minutes(n))),
        (1u16..).prop_map(|n| Value::Die(Die::new(n).unwrap())),
        (-9_999i64..9_999, -99i64..99)
            .prop_map(|(q, r)| Value::Hex(kernel::geometry::Hex::new(q, r))),
        (-9_999i64..9_999, any::<i32>())
            .prop_map(|(x, y)| Value::Point(Point::from_um(x, i64::from(y)))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::btree_map("\\PC+", inner, 0..4).prop_map(|map| Value::Map(Arc::new(
                map.into_iter()
                    .map(|(key, value)| (Name::from(key), value))
                    .collect()
            ))),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_a_type_or_a_fault(text in "\\PC*|[a-z{}():,|?. 0-9-]*") {
        let _ = parse_type(&text, &Records::new());
        let _ = parse_fields(&text, &Records::new());
        let _ = parse_effects(&text);
    }

    #[test]
    fn any_text_is_a_value_or_a_mismatch(ty in any_type(), text in "\\PC*|[a-z@\\[\\]{}()=,.\"' 0-9-]*") {
        let _ = parse_value(&ty, &text, &tank);
    }

    #[test]
    fn a_printed_type_reads_as_the_same(ty in any_type()) {
        prop_assert_eq!(parse_type(&ty.to_string(), &Records::new()).unwrap(), ty);
    }

    #[test]
    fn a_written_value_reads_as_the_same(value in any_value()) {
        let text = write_value(&value, &Tanks);
        let read = parse_value(&Type::Any, &text, &tank);
        prop_assert_eq!(read, Ok(value), "{}", text);
        print_value(&Value::text(&text), &Tanks, Unit::Inches);
    }
}
