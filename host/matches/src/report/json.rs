//! Events and views as JSON, for programs.
//!
//! Plain things are plain: numbers, texts, truth values, lists, and `null`
//! for an optional that is absent. All else is an object whose one key says
//! what it is:
//!
//! | value | JSON |
//! |---|---|
//! | entity | `{"entity": 3, "label": "gun-1"}`, by the viewer's own number |
//! | length | `{"length": 254000}`, in micrometres |
//! | angle, direction | `{"angle": 90}`, `{"direction": 2700}`, in minutes |
//! | point | `{"point": [254000, 127000]}`, in micrometres |
//! | hex | `{"hex": [3, -1]}`, its axial coordinates |
//! | die | `{"die": 8, "shifts": [{"by": 1, "from": 6, "to": 8, "reason": "…"}]}` |
//! | map, record | `{"record": {…}}` |
//!
//! What is hidden is `null`, and named in `hidden`.

use std::collections::BTreeMap;

use kernel::engine::{Seen, SeenDeck, SeenEvent, SeenPile, View};
use kernel::value::{EntityId, Name, Side, Value};
use kernel::world::Viewer;
use serde_json::{Map, Value as Json, json};

/// What a viewer calls an entity: its number, if it has one, and its label.
pub type Labels<'a> = dyn Fn(EntityId) -> (Option<u32>, Name) + 'a;

/// An event as JSON: `number`, `kind`, `rule`, `draws` (first and last, or
/// `null`), `fields`, `hidden`.
pub fn event_json(event: &SeenEvent, labels: &Labels<'_>) -> Json {
    let (fields, hidden) = fields_json(&event.fields, labels);
    json!({
        "number": event.number,
        "kind": &*event.kind,
        "rule": event.rule.as_deref(),
        "draws": event.draws.map(|(first, last)| [first, last]),
        "fields": fields,
        "hidden": hidden,
    })
}

/// A view as JSON: `viewer`, `phases`, `turn`, `wanted`, `result`;
/// `entities`, each with `handle`, `kind`, `name`, `attributes`, `hidden`; and
/// `decks`, each with `deck`, `of`, `stock`, `discard`.
pub fn view_json(view: &View) -> Json {
    let known: BTreeMap<EntityId, &Seen> = view.entities.iter().map(|seen| (seen.entity, seen)).collect();
    let labels = |entity: EntityId| match known.get(&entity) {
        Some(seen) => {
            let name = seen.name.clone();
            (Some(seen.handle), name.unwrap_or_else(|| format!("#{}", seen.handle).into()))
        }
        // It was in play once, and is gone.
        None => (None, Name::from("?")),
    };
    let entity = |seen: &Seen| {
        let (attributes, hidden) = fields_json(&seen.attributes, &labels);
        json!({
            "handle": seen.handle,
            "kind": &*seen.kind,
            "name": seen.name.as_deref(),
            "attributes": attributes,
            "hidden": hidden,
        })
    };
    json!({
        "viewer": viewer_json(view.viewer),
        "phases": view.phases.iter().map(|phase| &**phase).collect::<Vec<_>>(),
        "turn": view.turn.as_deref(),
        "wanted": view.wanted,
        "result": view.result.as_ref().map(|result| value_json(result, &labels)),
        "entities": view.entities.iter().map(entity).collect::<Vec<_>>(),
        "decks": view.decks.iter().map(deck_json).collect::<Vec<_>>(),
    })
}

/// A deck as JSON: of each pile `size` and `cards`, `null` where it is hidden.
fn deck_json(seen: &SeenDeck) -> Json {
    let pile = |pile: &SeenPile| {
        let cards = pile.cards.as_ref().map(|cards| cards.iter().map(|card| &**card).collect::<Vec<_>>());
        json!({ "size": pile.size, "cards": cards })
    };
    let (deck, of) = (&*seen.deck, seen.of.as_deref());
    json!({ "deck": deck, "of": of, "stock": pile(&seen.stock), "discard": pile(&seen.discard) })
}

/// A value as JSON.
pub fn value_json(value: &Value, labels: &Labels<'_>) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(yes) => json!(yes),
        Value::Int(n) => json!(n),
        Value::Text(text) => json!(&**text),
        Value::Entity(entity) => {
            let (handle, label) = labels(*entity);
            json!({ "entity": handle, "label": &*label })
        }
        Value::Length(length) => json!({ "length": length.um() }),
        Value::Angle(angle) => json!({ "angle": angle.minutes() }),
        Value::Direction(direction) => json!({ "direction": direction.minutes() }),
        Value::Point(point) => json!({ "point": [point.x().um(), point.y().um()] }),
        Value::Hex(hex) => json!({ "hex": [hex.q(), hex.r()] }),
        Value::Die(die) => {
            let shift = |shift: &kernel::dice::Shift| json!({ "by": shift.by, "from": shift.from, "to": shift.to, "reason": &*shift.reason });
            json!({ "die": die.sides(), "shifts": die.reasons().iter().map(shift).collect::<Vec<_>>() })
        }
        Value::List(items) => items.iter().map(|item| value_json(item, labels)).collect(),
        Value::Map(map) => {
            let fields: Map<String, Json> =
                map.iter().map(|(name, value)| (name.to_string(), value_json(value, labels))).collect();
            json!({ "record": fields })
        }
    }
}

/// Fields by name, and the names of those that are hidden.
fn fields_json(fields: &[(Name, Option<Value>)], labels: &Labels<'_>) -> (Json, Vec<String>) {
    let shown = |value: &Option<Value>| value.as_ref().map_or(Json::Null, |value| value_json(value, labels));
    let all: Map<String, Json> =
        fields.iter().map(|(name, value)| (name.to_string(), shown(value))).collect();
    let hidden = fields.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.to_string());
    (Json::Object(all), hidden.collect())
}

fn viewer_json(viewer: Viewer) -> Json {
    match viewer {
        Viewer::Referee => json!("referee"),
        Viewer::Spectator => json!("spectator"),
        Viewer::Side(Side(side)) => json!({ "side": side }),
    }
}
