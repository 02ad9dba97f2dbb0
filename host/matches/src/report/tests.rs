mod chosen;
mod depths;

use kernel::book::{Acts, EventKind, Order, Param, Phase, PhaseBody};
use kernel::chits::Composition;
use kernel::dice::Shift;
use kernel::geometry::{Angle, Direction, Length, Point};
use kernel::value::Type;
use proptest::prelude::*;

use super::*;

const UNITS: [&str; 4] = ["gun-1", "rifles-2", "colonel", "#7"];

fn names(entity: EntityId) -> Name {
    UNITS
        .get(entity.0 as usize)
        .map_or_else(|| Name::from("?"), |name| Name::from(*name))
}

fn phase(id: &str, title: &str, body: PhaseBody) -> (Name, Phase) {
    let (id, title, module) = (Name::from(id), Name::from(title), Name::from("skirmish"));
    (
        id.clone(),
        Phase {
            id,
            title,
            body,
            is_announced: true,
            module,
        },
    )
}

fn acts() -> PhaseBody {
    acts_in(Order::Alternating)
}

fn acts_in(order: Order) -> PhaseBody {
    PhaseBody::Acts(Acts {
        order,
        first: None,
        may_pass: None,
        may_end: None,
        until: None,
        ends_when_idle: true,
        ends_after_passes: None,
    })
}

fn declared(id: &str, heading: &str, text: &str) -> (Name, EventKind) {
    let kind = EventKind {
        id: id.into(),
        fields: [].into(),
        text: text.into(),
        heading: heading.into(),
        reveals: None,
        brief: kernel::brief::Brief::default(),
        module: "skirmish".into(),
    };
    (kind.id.clone(), kind)
}

fn action(id: &str, title: &str, params: &[&str]) -> (Name, Action) {
    let param = |name: &&str| Param {
        name: Name::from(*name),
        title: "?".into(),
        ty: Type::Any,
        domain: "skirmish.any".into(),
        share: None,
        reveals: None,
    };
    let action = Action {
        id: id.into(),
        title: title.into(),
        at: Vec::new(),
        actor: None,
        listed: None,
        params: params.iter().map(param).collect(),
        allowed: None,
        perform: "skirmish.any".into(),
        score: None,
        outlook: None,
        is_compulsory: false,
        is_narrated: false,
        share: None,
        module: "skirmish".into(),
    };
    (action.id.clone(), action)
}

fn book() -> Arc<Book> {
    let until = None;
    Arc::new(Book {
        phases: [
            phase(
                "skirmish.game",
                "Skirmish",
                PhaseBody::Sequence(vec!["skirmish.set_up".into(), "skirmish.battle".into()]),
            ),
            phase("skirmish.set_up", "Set-up", acts()),
            phase(
                "skirmish.battle",
                "",
                PhaseBody::Loop {
                    phases: vec!["skirmish.turn".into()],
                    until,
                },
            ),
            phase(
                "skirmish.turn",
                "Turn",
                PhaseBody::Sequence(vec!["skirmish.move".into(), "skirmish.fire".into()]),
            ),
            phase("skirmish.move", "Movement", acts()),
            phase("skirmish.fire", "Fire", acts()),
            phase("skirmish.go", "A go", acts_in(Order::Given)),
            phase(
                "skirmish.dusk",
                "Dusk",
                PhaseBody::Automatic {
                    rule: "skirmish.dusk.run".into(),
                },
            ),
        ]
        .into(),
        root: Some("skirmish.game".into()),
        actions: [
            action("skirmish.fire.shoot", "Fire", &["target", "at"]),
            action("skirmish.move.go", "Move", &[]),
        ]
        .into(),
        reactions: [action("watchful.snap_shot", "Snap shot", &["at"])].into(),
        events: [
            declared("skirmish.fire.range", "range", "{range}, {band}"),
            declared("skirmish.damage.done", "damage", "{target} is {result}"),
            declared("skirmish.morale.tested", "", "{unit} is {result} {or not}"),
            declared("skirmish.smoke.laid", "", ""),
        ]
        .into(),
        ..Book::default()
    })
}

/// Feeds a report event by event.
struct Reporter {
    report: Report,
    number: u32,
    output: String,
}

impl Reporter {
    fn new(options: ReportOptions) -> Reporter {
        Reporter {
            report: Report::new(options, &book()),
            number: 0,
            output: String::new(),
        }
    }

    fn tell(&mut self, event: SeenEvent) {
        for line in self.report.event(&event, &names) {
            self.output.push_str(&line.plain(96));
            self.output.push('\n');
        }
    }

    fn say(&mut self, kind: &str, fields: &[(&str, Value)]) {
        self.say_caused(kind, fields, None, None);
    }

    fn say_caused(
        &mut self,
        kind: &str,
        fields: &[(&str, Value)],
        rule: Option<&str>,
        draws: Option<(u32, u32)>,
    ) {
        self.number += 1;
        self.tell(SeenEvent {
            number: self.number,
            kind: kind.into(),
            fields: fields
                .iter()
                .map(|(name, value)| (Name::from(*name), Some(value.clone())))
                .collect(),
            remarks: Vec::new(),
            rule: rule.map(Name::from),
            draws,
        });
    }

    fn phase(&mut self, id: &str, title: &str) {
        self.say("phase", &[("phase", text(id)), ("title", text(title))]);
    }

    fn action(&mut self, kind: &str, by: &str, id: &str, title: &str, actor: u32, params: Value) {
        let actor = Value::Entity(EntityId(actor));
        self.say(
            kind,
            &[
                ("by", text(by)),
                ("action", text(id)),
                ("title", text(title)),
                ("actor", actor),
                ("params", params),
            ],
        );
    }
}

fn text(text: &str) -> Value {
    Value::text(text)
}

fn at(x: i64, y: i64) -> Value {
    Value::Point(Point::new(
        Length::tenths_of_inch(x),
        Length::tenths_of_inch(y),
    ))
}

fn die(sides: u16, shifts: &[(u16, u16, &str)]) -> Value {
    let shift = |(from, to, reason): &(u16, u16, &str)| Shift {
        by: 1,
        from: *from,
        to: *to,
        reason: (*reason).into(),
    };
    Value::Die(
        Die::new(sides)
            .unwrap()
            .with_reasons(shifts.iter().map(shift)),
    )
}

fn faces(faces: &[i64]) -> Value {
    Value::list(faces.iter().map(|face| Value::Int(*face)))
}

/// Two turns of a small battle.
fn battle(options: ReportOptions) -> String {
    let mut reporter = Reporter::new(options);
    let one = |name: &str, value: Value| Value::record([(name, value)]);
    reporter.phase("skirmish.game", "Skirmish");
    reporter.phase("skirmish.set_up", "Set-up");
    reporter.phase("skirmish.turn", "Turn");
    reporter.phase("skirmish.move", "Movement");
    let route = Value::list([at(100, 190), at(110, 170), at(120, 150), at(120, 85)]);
    reporter.action(
        "action",
        "red",
        "skirmish.move.go",
        "Move",
        0,
        one("path", route),
    );
    reporter.action(
        "reaction",
        "blue",
        "watchful.snap_shot",
        "Snap shot",
        1,
        one("at", at(110, 170)),
    );
    let dice = Value::list([die(8, &[(6, 8, "commander within 6 inches")]), die(6, &[])]);
    reporter.say_caused(
        "roll",
        &[
            ("dice", dice),
            ("faces", faces(&[3, 5])),
            ("purpose", text("to hit")),
        ],
        Some("skirmish.fire.to_hit"),
        Some((1, 2)),
    );
    reporter.say(
        "done",
        &[("by", text("red")), ("phase", text("skirmish.move"))],
    );
    reporter.say("pass", &[("by", text("blue"))]);
    fire(&mut reporter);
    reporter.output
}

/// The rest of the first turn, and the second.
fn fire(reporter: &mut Reporter) {
    reporter.phase("skirmish.fire", "Fire");
    let target = Value::record([("at", Value::None), ("target", Value::Entity(EntityId(1)))]);
    reporter.action("action", "red", "skirmish.fire.shoot", "Fire", 0, target);
    let range = Value::Length(Length::inches(11) + Length::from_um(1));
    reporter.say_caused(
        "skirmish.fire.range",
        &[("range", range), ("band", text("medium"))],
        Some("skirmish.fire.range"),
        None,
    );
    let chits = Value::list([text("R2"), text("Y0"), text("BOOM")]);
    reporter.say_caused(
        "chits",
        &[("pot", text("skirmish.pot")), ("chits", chits)],
        Some("skirmish.damage.chits"),
        Some((3, 5)),
    );
    let hit = Value::Entity(EntityId(1));
    reporter.say_caused(
        "skirmish.damage.done",
        &[
            ("target", hit.clone()),
            (
                "result",
                text("destroyed, and its wreck blocks the lane that the colonel wants to take"),
            ),
        ],
        Some("skirmish.damage.apply"),
        None,
    );
    reporter.phase("skirmish.turn", "Turn");
    reporter.phase("skirmish.move", "Movement");
    reporter.phase("skirmish.fire", "Fire");
    reporter.say_caused(
        "skirmish.morale.tested",
        &[("unit", hit), ("result", text("steady"))],
        Some("skirmish.morale.test"),
        None,
    );
    let question = [
        ("by", text("blue")),
        ("question", text("skirmish.withdraw.hold")),
        ("text", text("Hold or withdraw?")),
        ("value", text("hold")),
    ];
    reporter.say("answer", &question);
}

#[test]
fn a_battle_reads_like_one() {
    insta::assert_snapshot!(battle(ReportOptions::default()), @r"
    Turn 1 / Movement
      Red: Move — gun-1, path 3 legs to (12.0, 8.5)
      Blue reacts: Snap shot — rifles-2, at (11.0, 17.0)
        die       d6 -> d8: commander within 6 inches
        roll      to hit: d8=3, d6=5                               skirmish.fire.to_hit  draws 1-2
      Red is done
      Blue passes

    Turn 1 / Fire
      Red: Fire — gun-1, target rifles-2
        range     just over 11.0 in, medium                         skirmish.fire.range
        chits     R2 Y0 BOOM                                      skirmish.damage.chits  draws 3-5
        damage    rifles-2 is destroyed, and its wreck blocks the lane that the colonel wants to
                  take                                            skirmish.damage.apply

    Turn 2 / Fire
      tested    rifles-2 is steady {or not}                        skirmish.morale.test
      answer    Blue: Hold or withdraw? hold
    ");
}

/// Each go that is announced is told with its side, also one in which nothing is done.
#[test]
fn a_go_is_of_the_side_that_has_it() {
    let mut reporter = Reporter::new(ReportOptions::default());
    let nothing = Value::Map(Arc::default());
    reporter.phase("skirmish.go", "A go");
    reporter.action("action", "red", "skirmish.move.go", "Move", 0, nothing);
    let done = |by: &str| [("by", text(by)), ("phase", text("skirmish.go"))];
    reporter.say("done", &done("red"));
    reporter.phase("skirmish.go", "A go");
    reporter.say("done", &done("blue"));
    let told = reporter.output;
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    assert_eq!(lines[0], "A go: Red", "{told}");
    assert_eq!(
        lines[2..],
        ["Red is done", "", "A go: Blue", "Blue is done"],
        "{told}"
    );
}

#[test]
fn centimetres_and_no_causes() {
    let report = battle(ReportOptions {
        unit: Unit::Centimetres,
        causes: false,
    });
    assert!(report.contains("range     27.9 cm, medium\n"), "{report}");
    assert!(report.contains("3 legs to (30.5, 21.6)\n"), "{report}");
    assert!(
        !report.contains("draws") && !report.contains("skirmish.fire.to_hit"),
        "{report}"
    );
}

#[test]
fn just_beyond_a_whole_inch_never_reads_as_on_it() {
    let say = Phrases {
        unit: Unit::Inches,
        names: &names,
    };
    let shown = |um: i64| say.value(&Value::Length(Length::inches(6) + Length::from_um(um)));
    let all = [-900, -1, 0, 1, 900, 1300, 2540].map(shown);
    assert_eq!(
        all,
        [
            "6.0 in",
            "6.0 in",
            "6.0 in",
            "just over 6.0 in",
            "just over 6.0 in",
            "6.1 in",
            "6.1 in"
        ]
    );
}

#[test]
fn a_row_is_its_pieces() {
    let mut line = ReportLine::fact(1, "roll".into(), "d8=5".into());
    line.cause = Some("skirmish.fire.to_hit".into());
    line.draws = Some((1, 1));
    let pieces = line.rows(60).remove(0).pieces;
    let parts: Vec<Part> = pieces
        .iter()
        .map(|(part, _)| *part)
        .filter(|part| *part != Part::Space)
        .collect();
    assert_eq!(parts, [Part::Heading, Part::Text, Part::Cause, Part::Draws]);
    insta::assert_snapshot!(line.plain(0), @"  roll      d8=5   skirmish.fire.to_hit  draw 1");
    insta::assert_snapshot!(line.plain(60), @"  roll      d8=5           skirmish.fire.to_hit  draw 1");
    insta::assert_snapshot!(line.plain(30), @r"
      roll      d8=5
    skirmish.fire.to_hit  draw 1
    ");
}

#[test]
fn what_is_hidden_reads_as_such() {
    let mut reporter = Reporter::new(ReportOptions::default());
    let hidden = |kind: &str, shown: &[(&str, Value)], hidden: &[&str]| SeenEvent {
        number: 1,
        kind: kind.into(),
        fields: shown
            .iter()
            .map(|(name, value)| (Name::from(*name), Some(value.clone())))
            .chain(hidden.iter().map(|name| (Name::from(*name), None)))
            .collect(),
        remarks: Vec::new(),
        rule: None,
        draws: None,
    };
    reporter.tell(hidden(
        "action",
        &[("by", text("red"))],
        &["action", "title", "actor", "params"],
    ));
    reporter.tell(hidden(
        "action",
        &[
            ("by", text("red")),
            ("title", text("Fire")),
            ("actor", Value::None),
        ],
        &["params"],
    ));
    reporter.tell(hidden(
        "skirmish.damage.done",
        &[("result", text("destroyed"))],
        &["target"],
    ));
    reporter.tell(hidden(
        "roll",
        &[("purpose", text("to hit"))],
        &["dice", "faces"],
    ));
    insta::assert_snapshot!(reporter.output, @r"
    Red: something unseen
    Red: Fire — ?
      damage    ? is destroyed
      roll      to hit: ?
    ");
}

#[test]
fn what_nobody_declared_is_told_all_the_same() {
    let mut reporter = Reporter::new(ReportOptions::default());
    reporter.say(
        "other.thing_done",
        &[
            ("count", Value::Int(3)),
            ("facing", Value::Direction(Direction::degrees(90))),
        ],
    );
    reporter.say(
        "skirmish.smoke.laid",
        &[("at", at(5, -25)), ("lasts", Value::Bool(true))],
    );
    reporter.say("taken_back", &[("by", text("red"))]);
    reporter.say("revealed", &[("phase", text("skirmish.orders"))]);
    let dice = Value::list((0..5).map(|_| die(6, &[(6, 6, "at the end of the ladder")])));
    reporter.say(
        "roll",
        &[
            ("dice", dice),
            ("faces", faces(&[1, 2, 2, 6, 3])),
            ("purpose", text("")),
        ],
    );
    reporter.say(
        "chits",
        &[("pot", text("skirmish.pot")), ("chits", Value::list([]))],
    );
    reporter.say("\u{1b}[2J\nline", &[]);
    insta::assert_snapshot!(reporter.output, @r"
    thing done other.thing_done: count=3 facing=90°
    laid      at=(0.5, -2.5) lasts=yes
    Red takes the last action back
    What was done in secret is revealed
    die       d6 stays: at the end of the ladder
    roll      5d6=1 2 2 6 3
    chits     none
    \u{1b}[2J line \u{1b}[2J line:
    ");
}

#[test]
fn chits_name_their_pot_where_there_are_two() {
    let mut book = Book::clone(&book());
    for pot in ["skirmish.pot", "skirmish.events_pot"] {
        book.pots
            .insert(pot.into(), Composition::new([("R2", 1)]).unwrap());
    }
    let event = SeenEvent {
        number: 1,
        kind: "chits".into(),
        fields: vec![
            ("pot".into(), Some(text("skirmish.events_pot"))),
            (
                "chits".into(),
                Some(Value::list([text("air raid"), text("rain")])),
            ),
        ],
        remarks: Vec::new(),
        rule: None,
        draws: None,
    };
    let lines = Report::new(ReportOptions::default(), &Arc::new(book)).event(&event, &names);
    assert_eq!(lines[0].text, "air raid, rain, from events pot");
}

#[test]
fn a_result_is_told_in_order() {
    let units = |ids: &[u32]| Value::list(ids.iter().map(|id| Value::Entity(EntityId(*id))));
    let result = Value::record([
        (
            "losses",
            Value::record([("blue", units(&[])), ("red", units(&[0, 2]))]),
        ),
        ("victor", text("blue")),
        ("reason", text("the raiders left the table")),
        ("turns_played", Value::Int(6)),
        ("tie_break", Value::None),
    ]);
    let say = Phrases {
        unit: Unit::Inches,
        names: &names,
    };
    let lines: Vec<String> = result_lines(&result, &say)
        .iter()
        .map(|line| line.plain(80))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    victor       blue
    reason       the raiders left the table
    losses       blue: none
                 red: gun-1, colonel
    turns played 6
    ");
    assert_eq!(
        result_lines(&text("draw"), &say)[0].plain(80),
        "result    draw"
    );
    assert_eq!(result_lines(&Value::None, &say), []);
}

/// As much of a draw as a viewer may know, and from where it is.
#[test]
fn cards_are_told_as_far_as_they_are_known() {
    let line = |kind: &str, fields: &[(&str, Option<Value>)]| {
        let fields = fields
            .iter()
            .map(|(name, value)| (Name::from(*name), value.clone()))
            .collect();
        let event = SeenEvent {
            number: 1,
            kind: kind.into(),
            fields,
            remarks: Vec::new(),
            rule: None,
            draws: None,
        };
        let mut report = Report::new(ReportOptions::default(), &book());
        report.event(&event, &names)[0].text.clone()
    };
    let deck = |from: &str, of: Option<&str>, count: Option<i64>, cards: Option<&[&str]>| {
        line(
            "cards",
            &[
                ("deck", Some(text("skirmish.events"))),
                ("of", Some(of.map_or(Value::None, text))),
                ("from", Some(text(from))),
                ("count", count.map(Value::Int)),
                (
                    "cards",
                    cards.map(|cards| Value::list(cards.iter().map(|card| text(card)))),
                ),
            ],
        )
    };
    assert_eq!(
        deck("top", None, Some(2), Some(&["rain", "air raid"])),
        "rain, air raid, from events"
    );
    assert_eq!(
        deck("top", Some("red"), Some(1), None),
        "1 card, from events of red"
    );
    assert_eq!(
        deck("bottom", None, Some(3), None),
        "3 cards, from the bottom of events"
    );
    assert_eq!(
        deck("search", None, None, None),
        "some cards, searched for in events"
    );
    assert_eq!(deck("top", None, Some(0), Some(&[])), "none, from events");
    let shuffled = [
        ("deck", Some(text("skirmish.events"))),
        ("of", Some(text("red"))),
    ];
    assert_eq!(line("shuffled", &shuffled), "events of red");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        ".{0,12}".prop_map(|text| Value::text(&text)),
        (0..6u32).prop_map(|id| Value::Entity(EntityId(id))),
        any::<i64>().prop_map(|um| Value::Length(Length::from_um(um))),
        any::<i32>().prop_map(|minutes| Value::Angle(Angle::from_minutes(minutes))),
        (any::<i64>(), any::<i64>()).prop_map(|(x, y)| Value::Point(Point::from_um(x, y))),
        (1..200u16, ".{0,8}").prop_map(|(sides, reason)| die(sides, &[(sides, 6, &reason)])),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::list),
            prop::collection::btree_map("[a-z_]{0,6}", inner, 0..4).prop_map(|map| Value::Map(
                Arc::new(map.into_iter().map(|(k, v)| (k.into(), v)).collect())
            )),
        ]
    })
}

fn any_event() -> impl Strategy<Value = SeenEvent> {
    const KINDS: [&str; 16] = [
        "phase",
        "action",
        "reaction",
        "pass",
        "done",
        "answer",
        "roll",
        "chits",
        "cards",
        "shuffled",
        "revealed",
        "taken_back",
        "skirmish.fire.range",
        "skirmish.smoke.laid",
        "other.kind",
        "",
    ];
    const FIELDS: [&str; 20] = [
        "phase", "title", "by", "action", "actor", "params", "question", "text", "value", "dice",
        "faces", "purpose", "pot", "chits", "range", "deck", "of", "from", "count", "cards",
    ];
    let field = (
        prop::sample::select(&FIELDS[..]),
        prop::option::of(any_value()),
    );
    let phases = prop::sample::select(vec![
        "skirmish.turn",
        "skirmish.move",
        "skirmish.game",
        "nowhere",
    ]);
    (
        prop::sample::select(&KINDS[..]),
        prop::collection::vec(field, 0..8),
        phases,
        prop::option::of(any::<(u32, u32)>()),
    )
        .prop_map(|(kind, fields, phase, draws)| SeenEvent {
            number: 1,
            kind: kind.into(),
            fields: fields
                .into_iter()
                .map(|(name, value)| (Name::from(name), value))
                .chain([("phase".into(), Some(text(phase)))])
                .collect(),
            remarks: Vec::new(),
            rule: draws.map(|_| "skirmish.any".into()),
            draws,
        })
}

proptest! {
    /// Whatever comes: no panic, no control character, no letters lost.
    #[test]
    fn any_event_can_be_told(events in prop::collection::vec(any_event(), 1..8), width in 0..200usize) {
        let mut report = Report::new(ReportOptions::default(), &book());
        for event in &events {
            for line in report.event(event, &names) {
                let shown = line.plain(width);
                prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
                // A row may end within a word, beside a wide letter.
                let letters = |text: &str| text.split_whitespace().collect::<String>();
                prop_assert!(letters(&shown).contains(&letters(&line.text)), "{shown:?}");
            }
        }
        let say = Phrases { unit: Unit::Centimetres, names: &names };
        for (_, value) in events.iter().flat_map(|event| &event.fields) {
            result_lines(value.as_ref().unwrap_or(&Value::None), &say);
        }
    }
}

#[test]
fn wide_letters_take_two_columns_of_a_row() {
    let text = "戦車小隊 moves 4.9 in and stands behind the hill";
    let line = ReportLine::fact(1, "戦車".into(), text.into());
    let rows = [
        "  戦車      戦車小隊 moves 4.9 in and",
        "            stands behind the hill",
    ];
    assert_eq!(line.plain(40), rows.join("\n"));
}
