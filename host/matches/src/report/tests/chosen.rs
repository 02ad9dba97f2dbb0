//! What somebody chose, as it was offered.

use super::*;

/// The line of an event with words beside some of its values.
fn line(kind: &str, fields: &[(&str, Value)], remarks: &[(&str, &str)]) -> String {
    let field = |(name, value): &(&str, Value)| (Name::from(*name), Some(value.clone()));
    let remark = |(place, words): &(&str, &str)| (Name::from(*place), Name::from(*words));
    let event = SeenEvent {
        number: 1,
        kind: kind.into(),
        fields: fields.iter().map(field).collect(),
        remarks: remarks.iter().map(remark).collect(),
        rule: None,
        draws: None,
    };
    let mut report = Report::new(ReportOptions::default(), &book());
    report.event(&event, &names)[0].text.clone()
}

#[test]
fn an_answer_reads_as_it_was_offered() {
    let answer = |value: Value, words: Option<&str>| {
        let fields = [
            ("by", text("red")),
            ("text", text("With what?")),
            ("value", value),
        ];
        let remarks: Vec<_> = words.map(|words| ("value", words)).into_iter().collect();
        line("answer", &fields, &remarks)
    };
    let gun = Some("the long gun");
    assert_eq!(answer(Value::Int(2), gun), "Red: With what? the long gun");
    assert_eq!(answer(Value::Int(2), None), "Red: With what? 2");
    let title = Some("First Fire");
    let word = || text("first_fire");
    assert_eq!(answer(word(), title), "Red: With what? First Fire");
    let unwritten = "Red: With what? first fire";
    assert_eq!(answer(word(), None), unwritten, "nobody reads lines");
    assert_eq!(answer(word(), Some("first_fire")), unwritten);
    let explained = Some("steady: it will use at most half its movement");
    assert_eq!(answer(text("steady"), explained), "Red: With what? steady");
    assert_eq!(answer(text("red"), None), "Red: With what? Red", "itself");
    let name = || text("B_2 of Ann");
    assert_eq!(answer(name(), None), "Red: With what? B_2 of Ann");
}

#[test]
fn parameters_read_as_they_were_offered() {
    let params = Value::record([("gun", Value::Int(1)), ("pace", text("at_the_halt"))]);
    let fields = [
        ("by", text("red")),
        ("action", text("skirmish.fire")),
        ("title", text("Fire")),
        ("actor", Value::None),
        ("params", params),
    ];
    assert_eq!(
        line("action", &fields, &[("params.gun", "the long gun")]),
        "Red: Fire — gun the long gun, pace at the halt"
    );
}

#[test]
fn cards_say_for_whom_they_are() {
    let dealt = |of: Value, whose: Option<&str>| {
        let fields = [
            ("deck", text("skirmish.events")),
            ("of", of),
            ("cards", Value::list([text("rain"), text("fog")])),
        ];
        let remarks: Vec<_> = whose.map(|side| ("cards", side)).into_iter().collect();
        line("cards", &fields, &remarks)
    };
    assert_eq!(
        dealt(Value::None, Some("red")),
        "rain fog, from events, for Red"
    );
    assert_eq!(dealt(Value::None, None), "rain fog, from events");
    assert_eq!(
        dealt(text("red"), Some("red")),
        "rain fog, from events of red",
        "the deck says so"
    );
}
