//! Audiences that stand in the text: sides that no scenario has.

use kernel::error::FaultCode;
use kernel::world::closest;

use super::expressions::PlacedWord;
use super::given::On;
use super::world::WorldOfNames;
use super::{FileFacts, Sink};

/// The functions of the game that tell something, each with the place of whom it is told
/// to among its arguments.
const TELLING: [(&str, usize); 6] = [
    ("roll", 2),
    ("roll_all", 2),
    ("draw", 2),
    ("take", 2),
    ("emit", 2),
    ("tally", 3),
];

/// Checks to whom a file tells something.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    let Some(sides) = world.sides().filter(|sides| !sides.is_empty()) else {
        return;
    };
    let mut told: Vec<&PlacedWord> = Vec::new();
    for call in file.facts.methods.iter().filter(|call| call.on == On::Game) {
        let place = TELLING.iter().find(|(method, _)| *method == call.method);
        let Some(how) = place.and_then(|(_, place)| call.args.get(*place)) else {
            continue;
        };
        let to = how.values.iter().filter(|(key, _)| key == "to");
        told.extend(to.map(|(_, side)| side));
        for (key, table) in &how.inside {
            match key.as_deref() {
                Some("to") => told.extend(&table.texts),
                Some("only") => {
                    told.extend(table.values.iter().map(|(_, side)| side));
                    told.extend(table.inside.iter().flat_map(|(_, sides)| &sides.texts));
                }
                _ => {}
            }
        }
    }
    for named in &file.facts.named {
        let is_event = named.path.get(1).is_some_and(|section| section == "events");
        let how = named.call.as_ref().and_then(|call| call.values.get(2));
        let to = how.into_iter().flatten().filter(|(key, _)| key == "to");
        told.extend(to.filter(|_| is_event).map(|(_, side)| side));
    }
    for (side, at) in told {
        if !sides.contains(side) {
            let near = closest(side, sides.iter().map(String::as_str));
            let message = format!("no scenario has a side `{side}`");
            sink.unknown(FaultCode::WrongType, *at, message, near);
        }
    }
}
