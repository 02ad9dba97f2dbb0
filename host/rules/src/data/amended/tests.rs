use std::collections::BTreeMap;

use kernel::error::FaultCode;
use kernel::world::Schema;

use crate::data::amended::MixChanges;
use crate::data::reader::integer_of;
use crate::data::template::{EntityTemplate, resolve};
use crate::data::{Data, records};

const GAME: &str = r#"[
    Record(id: "dsii.fit", fields: "type: text, class: integer"),
    Record(id: "dsii.design", fields: "armour: integer, systems: map(text), weapons: list(dsii.fit)"),
    Kind(id: "dsii.element", attributes: [(name: "design", type: "dsii.design"), (name: "crew", type: "integer")]),
    Pot(id: "dsii.pot", chits: {"R": 3, "BOOM": 5}),
    Template(id: "dsii.tank", kind: "dsii.element", attributes: {"crew": 3,
        "design": (armour: 4, systems: {"ecm": "basic", "firecon": "basic"}, weapons: [(type: "HKP", class: 3)])}),
    Template(id: "dsii.heavy", extends: "dsii.tank", attributes: {"crew": 4}),
]"#;

fn data(module: &str, text: &str) -> Data {
    Data::read(module, [("data/a.ron", text)].into_iter())
        .unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// Everybody comes after dsii, and `c` after `b`.
fn stated(earlier: &str, later: &str) -> bool {
    earlier == "dsii" || (earlier, later) == ("b", "c")
}

fn resolved(
    others: &[&Data],
) -> Result<BTreeMap<kernel::value::Name, EntityTemplate>, Vec<kernel::error::Fault>> {
    let game = data("dsii", GAME);
    let records = records([&game].into_iter()).unwrap();
    let mut schema = Schema::default();
    schema.declare(game.kinds[0].build(&records).0).unwrap();
    let amends: Vec<_> = others
        .iter()
        .flat_map(|data| &data.template_amends)
        .collect();
    resolve(&[&game], &amends, &stated, &schema)
}

/// How an attribute of a template is written.
fn written(template: &EntityTemplate, attribute: &str) -> String {
    format!("{:?}", template.attributes[attribute].value)
}

#[test]
fn of_a_design_what_is_not_named_stays() {
    let mine = data(
        "b",
        r#"[Amend(template: "dsii.tank", attributes: {"crew": 2, "design": (systems: {"ecm": "superior"})})]"#,
    );
    let templates = resolved(&[&mine]).unwrap();
    let design = written(&templates["dsii.tank"], "design");
    let whole = data(
        "dsii",
        r#"[Template(id: "dsii.x", kind: "dsii.element", attributes: {
            "design": (armour: 4, systems: {"ecm": "superior", "firecon": "basic"}, weapons: [(type: "HKP", class: 3)])})]"#,
    );
    let expected = format!("{:?}", whole.templates[0].attributes["design"].value);
    assert_eq!(design, expected);
    assert_eq!(
        written(&templates["dsii.heavy"], "design"),
        expected,
        "who extends it has it too"
    );
    let crew = |id: &str| integer_of(&templates[id].attributes["crew"].value);
    assert_eq!(crew("dsii.tank"), Some(2));
    assert_eq!(crew("dsii.heavy"), Some(4));
    let place = &templates["dsii.tank"].attributes["crew"].place;
    assert_eq!(&*place.module, "b");
}

#[test]
fn a_list_is_another_list() {
    let mine = data(
        "b",
        r#"[Amend(template: "dsii.tank", attributes: {"design": (weapons: [])})]"#,
    );
    let templates = resolved(&[&mine]).unwrap();
    let design = written(&templates["dsii.tank"], "design");
    assert!(!design.contains("HKP"), "{design}");
    assert!(design.contains("armour"), "{design}");
}

#[test]
fn what_is_wrong_in_a_changed_template_is_told_where_it_is_changed() {
    let mine = data(
        "b",
        "[\n Amend(template: \"dsii.tank\", attributes: {\"crew\": \"two\", \"crow\": 1}),\n \
         Amend(template: \"dsii.tonk\", attributes: {\"crew\": 1}),\n]",
    );
    let faults = resolved(&[&mine]).unwrap_err();
    let found: Vec<(FaultCode, u32)> = faults
        .iter()
        .map(|fault| (fault.code, fault.place.as_ref().unwrap().line))
        .collect();
    for expected in [
        (FaultCode::UnknownTemplate, 3),
        (FaultCode::UnknownAttribute, 2),
        (FaultCode::WrongType, 2),
    ] {
        assert!(found.contains(&expected), "{faults:#?}");
    }
    let near = faults.iter().find_map(|fault| fault.hint.as_deref());
    assert_eq!(near, Some("did you mean `dsii.tank`?"));
}

#[test]
fn mods_that_meet_in_an_attribute_need_a_stated_order() {
    let crew = |module: &str| {
        data(
            module,
            r#"[Amend(template: "dsii.tank", attributes: {"crew": 2})]"#,
        )
    };
    let (b, c, d) = (crew("b"), crew("c"), crew("d"));
    assert!(resolved(&[&b, &c]).is_ok());
    let faults = resolved(&[&b, &d]).unwrap_err();
    assert_eq!(faults[0].code, FaultCode::Conflict);
    assert!(
        faults[0]
            .message
            .contains("attribute `crew` of template `dsii.tank`"),
        "{}",
        faults[0]
    );
}

#[test]
fn a_pot_holds_what_the_last_mod_says() {
    let game = data("dsii", GAME);
    let pot = |module: &str, chits: &str| {
        data(
            module,
            &format!("[Amend(pot: \"dsii.pot\", chits: {chits})]"),
        )
    };
    let mut changes = MixChanges::new();
    let mut held = game.pots[0].chits.clone();
    for (module, chits) in [
        ("b", r#"{"BOOM": 4, "DUD": 1}"#),
        ("c", r#"{"BOOM": 2, "R": 0}"#),
    ] {
        let mine = pot(module, chits);
        held = mine.mix_amends[0]
            .apply(&held, &mut changes, &stated)
            .unwrap();
    }
    let counts: Vec<(&str, u32)> = held.entries().collect();
    assert_eq!(counts, [("BOOM", 2), ("DUD", 1), ("R", 0)]);
    let by = |chit: &str| changes[chit].place.module.to_string();
    assert_eq!([by("BOOM"), by("DUD"), by("R")], ["c", "b", "c"]);

    let other = pot("d", r#"{"BOOM": 1}"#);
    let conflict = other.mix_amends[0]
        .apply(&held, &mut changes, &stated)
        .unwrap_err();
    assert_eq!(conflict.code, FaultCode::Conflict);
    assert!(
        conflict
            .message
            .contains("how many chits `BOOM` pot `dsii.pot` holds"),
        "{conflict}"
    );
    let too_many = pot("d", r#"{"MANY": 4294967295}"#);
    let fault = too_many.mix_amends[0]
        .apply(&held, &mut changes, &stated)
        .unwrap_err();
    assert_eq!(fault.code, FaultCode::BadPot);
}

#[test]
fn an_amend_changes_one_thing_in_its_own_words() {
    for text in [
        r#"Amend(pot: "dsii.pot", deck: "dsii.deck", chits: {"R": 1})"#,
        r#"Amend(pot: "dsii.pot", cards: {"R": 1})"#,
        r#"Amend(pot: "dsii.pot")"#,
        r#"Amend(deck: "dsii.deck", chits: {"R": 1})"#,
        r#"Amend(table: "dsii.t", chits: {"R": 1})"#,
        r#"Amend(template: "dsii.tank", add: [])"#,
        r#"Amend(attributes: {"crew": 1})"#,
        "Amend()",
    ] {
        let text = format!("[{text}]");
        let faults = Data::read("b", [("data/a.ron", text.as_str())].into_iter()).unwrap_err();
        assert_eq!(faults[0].code, FaultCode::BadSignature, "{text}");
        assert!(faults[0].message.contains("`pot` with `chits`"), "{text}");
    }
    let text = r#"[Amend(pot: "dsii.pot", chits: {"R": -1})]"#;
    let faults = Data::read("b", [("data/a.ron", text)].into_iter()).unwrap_err();
    assert_eq!(faults[0].code, FaultCode::BadPot);
}

#[test]
fn what_an_amend_cites_is_behind_what_it_changes() {
    let mine = data(
        "b",
        r#"[
            Amend(pot: "dsii.pot", cites: ["b.stores.duds"], chits: {"DUD": 1}),
            Amend(template: "dsii.tank", cites: ["b.stores.crew"], attributes: {"crew": 2}),
        ]"#,
    );
    let marked: Vec<(&str, &str)> = mine
        .cited()
        .marked
        .iter()
        .map(|(id, cites)| (&**id, &*cites[0]))
        .collect();
    assert_eq!(
        marked,
        [
            ("dsii.pot", "b.stores.duds"),
            ("dsii.tank", "b.stores.crew")
        ]
    );
    assert_eq!(mine.changed().count(), 2);
}
