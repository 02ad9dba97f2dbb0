//! A volley in one line, a turn as a story.

use super::*;

/// A declared event that says how it reads in short.
fn brief(id: &str, heading: &str, text: &str, brief: kernel::brief::Brief) -> (Name, EventKind) {
    let (id, kind) = declared(id, heading, text);
    (id, EventKind { brief, ..kind })
}

/// Words of a brief.
fn words(text: &str) -> Option<Name> {
    Some(Name::from(text))
}

/// A volley and what it is made of.
fn volley_events() -> [(Name, EventKind); 3] {
    use kernel::brief::{Brief, Depth};
    let counts = |what: &str| Some((Name::from(what), Name::from("unit")));
    [
        brief(
            "toy.volley",
            "volley",
            "{unit} fires",
            Brief {
                depth: Depth::Volley,
                text: words("{unit}"),
                leads: true,
                ..Brief::default()
            },
        ),
        brief(
            "toy.shot",
            "fire",
            "{firer} fires",
            Brief {
                tally: words("1 shot at {target}, {range}|{count} shots at {target}, {range}"),
                counts: counts("shots"),
                ..Brief::default()
            },
        ),
        brief(
            "toy.hit",
            "hit",
            "hit",
            Brief {
                tally: words("1 hit|{count} hits"),
                counts: counts("hits"),
                ..Brief::default()
            },
        ),
    ]
}

/// What the story of a turn is made of.
fn story_events() -> [(Name, EventKind); 2] {
    use kernel::brief::{Brief, Depth};
    [
        brief(
            "toy.lost",
            "kill",
            "{target} is lost",
            Brief {
                depth: Depth::Story,
                story: words("{target} lost to {who}|{target} lost to {who}"),
                tally: words("{target} lost|{target} lost"),
                ..Brief::default()
            },
        ),
        brief(
            "toy.moved",
            "move",
            "{who} moves",
            Brief {
                depth: Depth::Story,
                leads: true,
                tally: words("1 moves {range}|{count} move {range}"),
                story: words("{by}: {target}|{by}: {target}"),
                ..Brief::default()
            },
        ),
    ]
}

/// A book whose events know their depth.
fn deep_book() -> Arc<Book> {
    let mut book = Book::clone(&book());
    book.events = volley_events()
        .into_iter()
        .chain(story_events())
        .chain([declared("toy.turned", "facing", "turns")])
        .collect();
    Arc::new(book)
}

/// An event of which everything is seen.
fn seen(number: u32, kind: &str, fields: &[(&str, Value)]) -> SeenEvent {
    let fields = fields
        .iter()
        .map(|(name, value)| (Name::from(*name), Some(value.clone())))
        .collect();
    SeenEvent {
        number,
        kind: kind.into(),
        fields,
        remarks: Vec::new(),
        rule: None,
        draws: None,
    }
}

/// What a report of that depth tells of a small fight, and its table.
fn fight(depth: kernel::brief::Depth) -> String {
    let mut report = Abridged::new(depth, Unit::Inches, &deep_book());
    let mut lines = Vec::new();
    let mut number = 0;
    let mut say = |kind: &str, fields: &[(&str, Value)]| {
        number += 1;
        lines.extend(report.event(&seen(number, kind, fields), &names));
    };
    let unit = |id: u32| Value::Entity(EntityId(id));
    let inches = |n: i64| Value::Length(Length::inches(n));
    let act = |actor: u32| {
        [
            ("by", text("red")),
            ("action", text("skirmish.fire.shoot")),
            ("title", text("Fire")),
            ("actor", unit(actor)),
            ("params", Value::None),
        ]
    };
    say(
        "phase",
        &[("phase", text("skirmish.turn")), ("title", text("Turn"))],
    );
    // Nothing comes of this one.
    say("action", &act(2));
    say("toy.turned", &[]);
    say("action", &act(0));
    say("toy.volley", &[("unit", unit(0))]);
    say(
        "toy.shot",
        &[
            ("firer", unit(0)),
            ("target", unit(1)),
            ("range", inches(12)),
        ],
    );
    say("toy.hit", &[("target", unit(1))]);
    say("toy.lost", &[("target", unit(1))]);
    say(
        "toy.shot",
        &[
            ("firer", unit(0)),
            ("target", unit(1)),
            ("range", inches(9)),
        ],
    );
    say("toy.moved", &[("target", unit(0)), ("range", inches(3))]);
    say("toy.turned", &[]);
    say("toy.moved", &[("target", unit(2)), ("range", inches(6))]);
    lines.extend(report.finish());
    let lines = lines
        .iter()
        .chain(&report.score().lines())
        .map(|line| line.plain(0))
        .collect::<Vec<_>>();
    lines.join("\n")
}

#[test]
fn a_volley_is_one_line() {
    insta::assert_snapshot!(fight(kernel::brief::Depth::Volley), @r"
    Turn 1
      Red: Fire — gun-1
        volley    gun-1: 2 shots at rifles-2, 9.0 to 12.0 in, 1 hit, rifles-2 lost
        move      2 move 3.0 to 6.0 in
                shots   hits
      gun-1         2      1
    ");
}

/// Who reacts before anything has come of an action stands under that action, and beside
/// others who react with it; an action of which nothing comes is told nowhere.
#[test]
fn a_reaction_stands_under_what_it_reacts_to() {
    let mut report = Abridged::new(kernel::brief::Depth::Volley, Unit::Inches, &deep_book());
    let unit = |id: u32| Value::Entity(EntityId(id));
    let go = |by: &str, action: &str, title: &str, actor: u32| {
        [
            ("by", text(by)),
            ("action", text(action)),
            ("title", text(title)),
            ("actor", unit(actor)),
            ("params", Value::None),
        ]
    };
    let fires = |actor| go("red", "skirmish.fire.shoot", "Fire", actor);
    let snaps = |actor| go("blue", "watchful.snap_shot", "Snap shot", actor);
    let phase = [("phase", text("skirmish.turn")), ("title", text("Turn"))];
    let told = [
        ("target", unit(1)),
        ("range", Value::Length(Length::inches(3))),
    ];
    let said: [(&str, &[(&str, Value)]); 11] = [
        ("phase", &phase),
        ("action", &fires(2)),
        ("action", &fires(0)),
        ("reaction", &snaps(2)),
        ("reaction", &snaps(1)),
        ("toy.moved", &told),
        ("reaction", &snaps(2)),
        ("toy.moved", &told),
        ("action", &fires(0)),
        ("toy.moved", &told),
        ("action", &fires(2)),
    ];
    let mut lines = Vec::new();
    for (number, (kind, fields)) in (1..).zip(said) {
        lines.extend(report.event(&seen(number, kind, fields), &names));
    }
    lines.extend(report.finish());
    let lines: Vec<String> = lines.iter().map(|line| line.plain(0)).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    Turn 1
      Red: Fire — gun-1
      Blue reacts: Snap shot — colonel
      Blue reacts: Snap shot — rifles-2
        move      1 moves 3.0 in
      Blue reacts: Snap shot — colonel
        move      1 moves 3.0 in
      Red: Fire — gun-1
        move      1 moves 3.0 in
    ");
}

/// A phase that no player acts in and that has no heading brings what it brings after the
/// action before it, not as part of that.
#[test]
fn what_a_phase_brings_by_itself_is_no_part_of_the_action_before_it() {
    let brings = |depth: Option<kernel::brief::Depth>| {
        let book = deep_book();
        let options = ReportOptions {
            causes: false,
            ..ReportOptions::default()
        };
        let mut full = Report::new(options, &book);
        let mut short = depth.map(|depth| Abridged::new(depth, Unit::Inches, &book));
        let fires = [
            ("by", text("red")),
            ("action", text("skirmish.fire.shoot")),
            ("title", text("Fire")),
            ("actor", Value::Entity(EntityId(0))),
            ("params", Value::None),
        ];
        let told = [
            ("who", Value::Entity(EntityId(1))),
            ("range", Value::Length(Length::inches(3))),
        ];
        let by_itself = SeenEvent {
            remarks: Vec::new(),
            rule: Some("skirmish.dusk.run".into()),
            ..seen(3, "toy.moved", &told)
        };
        let events = [
            seen(1, "action", &fires),
            seen(2, "toy.moved", &told),
            by_itself,
            seen(4, "toy.moved", &told),
        ];
        let mut lines = Vec::new();
        for event in &events {
            lines.extend(match &mut short {
                Some(short) => short.event(event, &names),
                None => full.event(event, &names),
            });
        }
        lines.extend(short.iter_mut().flat_map(Abridged::finish));
        let lines: Vec<String> = lines.iter().map(|line| line.plain(0)).collect();
        lines.join("\n")
    };
    insta::assert_snapshot!(brings(None), @r"
      Red: Fire — gun-1
        move      rifles-2 moves
      move      rifles-2 moves
      move      rifles-2 moves
    ");
    insta::assert_snapshot!(brings(Some(kernel::brief::Depth::Volley)), @r"
      Red: Fire — gun-1
        move      1 moves 3.0 in
      move      2 move 3.0 in
    ");
}

#[test]
fn a_story_tells_what_became_of_a_turn() {
    insta::assert_snapshot!(fight(kernel::brief::Depth::Story), @r"
    Turn 1
      kill      rifles-2 lost to gun-1
      move      Red: gun-1 and colonel
                shots   hits
      gun-1         2      1
    ");
}

#[test]
fn a_book_that_says_nothing_of_depths_is_told_in_full() {
    assert!(!can_abridge(&book()));
    assert!(can_abridge(&deep_book()));
}

/// A single shot leads itself: it is told, counted for the unit that it names,
/// and what comes of it is told with it.
#[test]
fn a_single_shot_is_told_and_counted() {
    let mut book = Book::clone(&deep_book());
    book.events.remove("toy.volley");
    let book = Arc::new(book);
    let mut report = Abridged::new(kernel::brief::Depth::Volley, Unit::Inches, &book);
    let mut lines = Vec::new();
    let unit = |id: u32| Value::Entity(EntityId(id));
    let mut say = |number: u32, kind: &str, fields: &[(&str, Value)]| {
        lines.extend(report.event(&seen(number, kind, fields), &names));
    };
    let range = || Value::Length(Length::inches(12));
    let shot = |firer| {
        [
            ("firer", unit(firer)),
            ("unit", unit(firer)),
            ("target", unit(1)),
            ("range", range()),
        ]
    };
    say(1, "toy.shot", &shot(0));
    say(2, "toy.hit", &[("target", unit(1))]);
    say(3, "toy.shot", &shot(2));
    lines.extend(report.finish());
    let lines = lines
        .iter()
        .chain(&report.score().lines())
        .map(|line| line.plain(0))
        .collect::<Vec<_>>();
    insta::assert_snapshot!(lines.join("\n"), @r"
      fire      gun-1: 1 shot at rifles-2, 12.0 in, 1 hit
      fire      colonel: 1 shot at rifles-2, 12.0 in
                shots   hits
      colonel       1      0
      gun-1         1      1
    ");
}

#[test]
fn a_unit_is_named_once_though_it_is_introduced() {
    use kernel::brief::Brief;
    let mut book = Book::clone(&deep_book());
    let role = Some(Name::from("title"));
    book.events.extend([brief(
        "toy.roused",
        "unit",
        "{unit}",
        Brief {
            role,
            ..Brief::default()
        },
    )]);
    let mut report = Abridged::new(kernel::brief::Depth::Story, Unit::Inches, &Arc::new(book));
    let mut say = |number: u32, kind: &str, fields: [(&str, Value); 2]| {
        report.event(&seen(number, kind, &fields), &names);
    };
    let gun = || Value::Entity(EntityId(0));
    say(
        1,
        "toy.roused",
        [("unit", gun()), ("title", text("gun troop"))],
    );
    for number in 2..=3 {
        say(
            number,
            "toy.moved",
            [
                ("target", gun()),
                ("range", Value::Length(Length::inches(3))),
            ],
        );
    }
    let lines: Vec<String> = report.finish().iter().map(|line| line.plain(0)).collect();
    assert_eq!(lines, ["  move      ?: gun-1 (gun troop)"]);
}
