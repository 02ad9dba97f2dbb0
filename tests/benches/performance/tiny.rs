//! The tiny ruleset, composed, with a game on it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::play::Setup;
use houserule::rulebook::Rulebook;
use houserule::workshop::Workshop;
use kernel::chance::Chance;
use kernel::game::Game;
use kernel::geometry::{Length, Point};
use kernel::value::{Name, Value};

/// The rules.
pub fn rulebook() -> Rc<Rulebook> {
    let files = [
        ("mod.ron", include_str!("tiny/mod.ron")),
        ("data/units.ron", include_str!("tiny/units.ron")),
        ("rules/play.luau", include_str!("tiny/rules.luau")),
    ];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    let sources = Sources::from_memory("tiny", files);
    let (workshop, faults) =
        Workshop::from_sources(BTreeMap::from([(sources.id.clone(), sources)]));
    assert!(faults.is_empty(), "{faults:?}");
    let request = houserule::modset::selector::Request::parse("tiny").unwrap();
    workshop.compose(&request).unwrap().rulebook
}

/// A game with this many units, before its first phase.
pub fn setup(rulebook: &Rulebook, units: u32) -> Setup {
    let sides: Arc<[Name]> = [Name::from("blue"), Name::from("red")].into();
    let table = (Length::from_um(1_000_000), Length::from_um(1_000_000));
    let mut game = Game::new(rulebook.book().clone(), sides, table, Chance::seeded(1996));
    for i in 1..=units {
        let attributes = [
            (Name::from("side"), Value::text("blue")),
            (
                Name::from("at"),
                Value::Point(Point::from_um(i64::from(i) * 1000, 5000)),
            ),
        ];
        let kind = game.world().schema().require("tiny.unit").unwrap();
        game.world_mut()
            .create(kind, &format!("unit-{i}"), &attributes)
            .unwrap();
    }
    Setup {
        scenario: Name::from("tiny"),
        title: "Tiny".into(),
        seed: 1996,
        side_titles: vec!["Blue".into(), "Red".into()],
        game,
    }
}
