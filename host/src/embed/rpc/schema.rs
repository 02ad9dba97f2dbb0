//! The schema of all messages, as `schemas/json/rpc.json` publishes it.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value as Json, json};

use super::calls::{METHODS, RpcCall};
use super::feeds::Notice;
use super::messages::{ERRORS, json};
use super::scenarios::ScenarioAbout;
use super::seating::{GivenSeat, SeatAbout};
use super::welcome::Welcome;
use super::{Branched, LoadedAbout};
use crate::embed::{
    About, Accepted, Around, Catalogue, Decision, KeptAsCase, KeptTest, LegalMoves, MatchStatus,
    ModRules, News, NextParam, NumberedPrompt, OddsAbout, Outlook, ProposalEnd, Reloaded, Trouble,
    UndoProposal, Undone, WhyAbout, WireView,
};

/// What each method gives.
fn results(generator: &mut SchemaGenerator) -> Map<String, Json> {
    fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Json {
        json(&generator.subschema_for::<T>())
    }
    let mut results = Map::new();
    let mut add = |name: &str, schema: Json| results.insert(name.into(), schema);
    for name in ["start", "standing", "bots"] {
        add(name, of::<MatchStatus>(generator));
    }
    for name in ["load", "resume"] {
        add(name, of::<LoadedAbout>(generator));
    }
    for name in [
        "set_bot",
        "save",
        "subscribe",
        "unsubscribe",
        "follow",
        "unfollow",
        "watch",
        "revoke_seat",
        "decline_undo",
    ] {
        add(name, of::<bool>(generator));
    }
    for name in ["submit", "redo"] {
        add(name, of::<Accepted>(generator));
    }
    add("hello", of::<Welcome>(generator));
    add("scenarios", of::<Vec<ScenarioAbout>>(generator));
    add("about", of::<About>(generator));
    add("prompt", of::<NumberedPrompt>(generator));
    add("catalogue", of::<Catalogue>(generator));
    add("legal", of::<LegalMoves>(generator));
    add("chart", of::<Around>(generator));
    add("next_param", of::<Option<NextParam>>(generator));
    add("outlook", of::<Option<Outlook>>(generator));
    add("odds", of::<OddsAbout>(generator));
    add("bot_turn", of::<Option<Accepted>>(generator));
    add("view", of::<WireView>(generator));
    add("news", of::<News>(generator));
    add("decisions", of::<Vec<Decision>>(generator));
    add("undo", of::<Undone>(generator));
    add("why", of::<Vec<WhyAbout>>(generator));
    add("reload", of::<Reloaded>(generator));
    add("choose", of::<Reloaded>(generator));
    add("rules", of::<Vec<ModRules>>(generator));
    add("as_test", of::<KeptTest>(generator));
    add("as_case", of::<KeptAsCase>(generator));
    add("branch", of::<Branched>(generator));
    add("hash", of::<String>(generator));
    add("seats", of::<Vec<SeatAbout>>(generator));
    add("give_seat", of::<GivenSeat>(generator));
    results
}

/// What is told to one viewer.
fn notice(what: &str, schema: &Schema) -> Json {
    let viewer = json!({ "type": "string" });
    json!({ "type": "object", "properties": { "viewer": viewer, what: schema }, "required": ["viewer", what] })
}

/// The schema of all messages.
pub fn schema() -> Json {
    let mut generator = SchemaGenerator::default();
    let calls = generator.subschema_for::<RpcCall>();
    let results = results(&mut generator);
    let roles: Map<String, Json> = METHODS
        .iter()
        .map(|(name, role)| ((*name).to_string(), json(role)))
        .collect();
    let notifications = json!({
        "news": notice("news", &generator.subschema_for::<News>()),
        "change": json(&generator.subschema_for::<Notice>()),
        "prompt": notice("prompt", &generator.subschema_for::<NumberedPrompt>()),
        "undo": {
            "type": "object",
            "properties": {
                "viewer": { "type": "string" },
                "wish": json(&generator.subschema_for::<Option<UndoProposal>>()),
                "ended": json(&generator.subschema_for::<Option<ProposalEnd>>()),
            },
            "required": ["viewer", "wish"],
        },
        "reloaded": json(&generator.subschema_for::<Reloaded>()),
        "fault": json(&generator.subschema_for::<Trouble>()),
        "revoked": {
            "type": "object",
            "properties": { "number": { "type": "integer", "description": "The number of the seat." } },
            "required": ["number"],
        },
    });
    let errors: Vec<Json> = ERRORS
        .iter()
        .map(|(code, text)| json!({ "code": code, "text": text }))
        .collect();
    let data = generator.subschema_for::<Trouble>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Houserule over JSON-RPC 2.0, version 1",
        "description": "One message a line. `requests` is what `method` and `params` may be; `roles` is what each method takes of whoever calls it: public, seat, referee or host, in this order; `results` is what it gives.",
        "requests": json(&calls),
        "roles": roles,
        "results": results,
        "notifications": notifications,
        "errors": { "codes": errors, "data": json(&data) },
        "$defs": generator.take_definitions(true),
    })
}
