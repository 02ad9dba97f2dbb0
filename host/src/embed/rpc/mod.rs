//! The façade over JSON-RPC 2.0: one message a line, in and out.
//!
//! A [`Server`] takes lines and gives lines; it knows no pipe. What changes the
//! game is told to everybody who subscribed, before the reply is given:
//!
//! ```text
//! -> {"jsonrpc":"2.0","id":1,"method":"start","params":{"scenario":"drill/range","others":"greedy"}}
//! <- {"jsonrpc":"2.0","id":1,"result":{"decisions":0,"timeline":0,"waiting_for":["red"],...}}
//! ```
//!
//! | notification | when |
//! |---|---|
//! | `news` | something happened: the new events of one viewer |
//! | `prompt` | what one viewer must decide is another |
//! | `reloaded` | mods changed in their folders, and the game goes by them |
//! | `fault` | mods changed and are broken: the game goes by the old ones |

mod calls;

use std::path::PathBuf;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use self::calls::{
    Call, File, LoadParams, Look, METHODS, NextParamOf, OfSide, ReloadTo, ResumeParams, SetBot, Since,
    Submit, Undo, Watch, Why,
};
use super::{
    About, Decision, Legal, News, NextParam, Past, Prompt, Reloaded, Standing, Tabletop, Taken, Trouble,
    Undone, View, WhyAbout,
};
use crate::workshop::Workshop;

/// A message may be this long, in bytes: a megabyte.
pub const LONGEST_MESSAGE: usize = 1 << 20;

/// A batch may hold so many messages.
const LARGEST_BATCH: usize = 100;

/// A scenario that can be started.
#[derive(Serialize, JsonSchema)]
struct ScenarioAbout {
    /// The id that `start` takes.
    scenario: String,
    /// Its title; empty if it cannot be read.
    title: String,
}

/// What went wrong with a message, as JSON-RPC numbers it.
struct Problem {
    code: i32,
    message: String,
    data: Json,
}

impl Problem {
    fn new(code: i32, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), data: Json::Null }
    }

    fn json(&self) -> Json {
        let mut error = json!({ "code": self.code, "message": self.message });
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        error
    }
}

/// The codes of errors, and what they mean.
pub const ERRORS: [(i32, &str); 11] = [
    (-32700, "the line is not JSON"),
    (-32600, "the message is no request"),
    (-32601, "there is no such method"),
    (-32602, "the parameters do not fit"),
    (-32000, "the rules do not allow it: `data` says why"),
    (-32001, "a mod or file is broken: `data` has the faults"),
    (-32002, "the game has moved on since the client looked"),
    (-32003, "no match is in play"),
    (-32004, "something was named that is not there"),
    (-32005, "the journal or save could not be written; nothing was done"),
    (-32006, "the message is too long, or the batch too large"),
];

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        let (code, message) = match &trouble {
            Trouble::Refusal { .. } => (-32000, trouble.to_string()),
            Trouble::Faults { faults, .. } => {
                (-32001, faults.first().map_or("a fault".into(), |fault| fault.message.clone()))
            }
            Trouble::Stale { expected, found } => {
                (-32002, format!("expected {expected} decisions, found {found}"))
            }
            Trouble::Unknown { message, .. } => (-32004, message.clone()),
            Trouble::Unwritten { fault } => (-32005, fault.message.clone()),
        };
        Problem { code, message, data: serde_json::to_value(&trouble).unwrap_or_default() }
    }
}

/// Who wants to be told, and how far they have been.
struct Subscription {
    viewer: String,
    timeline: u32,
    since: u32,
    prompt: Option<Prompt>,
}

/// Serves one client: takes lines and gives lines.
pub struct Server {
    folders: Vec<PathBuf>,
    table: Option<Tabletop>,
    subscriptions: Vec<Subscription>,
    watching: Option<Past>,
}

impl Server {
    /// A server for mods in these folders.
    pub fn new(folders: Vec<PathBuf>) -> Server {
        Server { folders, table: None, subscriptions: Vec::new(), watching: None }
    }

    /// The match in play.
    pub fn table(&self) -> Option<&Tabletop> {
        self.table.as_ref()
    }

    /// Whether the client wants mods to be reloaded when they change.
    pub fn is_watching(&self) -> bool {
        self.watching.is_some()
    }

    /// Takes a line, and gives the lines to send: notifications, then the reply.
    pub fn line(&mut self, line: &str) -> Vec<String> {
        let mut out = Vec::new();
        let reply = match serde_json::from_str::<Json>(line) {
            Ok(Json::Array(batch)) => self.batch(batch, &mut out),
            Ok(message) => self.message(message, &mut out),
            Err(error) => Some(failed(&Json::Null, &Problem::new(-32700, format!("not JSON: {error}")))),
        };
        out.extend(reply.map(|reply| reply.to_string()));
        out
    }

    /// The reply to a line that was too long to be read.
    pub fn too_long(&self) -> String {
        let message = format!("expected a line of at most {LONGEST_MESSAGE} bytes");
        failed(&Json::Null, &Problem::new(-32006, message)).to_string()
    }

    /// Files in the folders have changed: reloads, if the client wants that.
    /// True if one of them is only half written, so that it is worth to look
    /// again a moment later.
    pub fn files_changed(&mut self) -> (Vec<String>, bool) {
        let mut out = Vec::new();
        let (Some(past), Some(table)) = (self.watching, self.table.as_mut()) else { return (out, false) };
        let now = table.mods_now();
        if table.is_half_saved(&now) {
            return (out, true);
        }
        if !table.is_outdated(&now) {
            return (out, false);
        }
        match table.reload_to(&now, past, "referee") {
            Ok(reloaded) => out.push(notification("reloaded", &reloaded)),
            Err(trouble) => out.push(notification("fault", &trouble)),
        }
        self.tell(&mut out);
        (out, false)
    }

    fn batch(&mut self, batch: Vec<Json>, out: &mut Vec<String>) -> Option<Json> {
        if batch.is_empty() || batch.len() > LARGEST_BATCH {
            let code = if batch.is_empty() { -32600 } else { -32006 };
            let message = format!("expected a batch of 1 to {LARGEST_BATCH} messages, found {}", batch.len());
            return Some(failed(&Json::Null, &Problem::new(code, message)));
        }
        let replies: Vec<Json> = batch.into_iter().filter_map(|message| self.message(message, out)).collect();
        (!replies.is_empty()).then_some(Json::Array(replies))
    }

    /// The reply to a message; none to a notification.
    fn message(&mut self, message: Json, out: &mut Vec<String>) -> Option<Json> {
        let request = match request_of(message) {
            Ok(request) => request,
            Err((id, problem)) => return Some(failed(&id, &problem)),
        };
        let outcome = request.call.and_then(|call| self.call(call));
        self.tell(out);
        let id = request.id?;
        Some(match outcome {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(problem) => failed(&id, &problem),
        })
    }

    fn call(&mut self, call: Call) -> Result<Json, Problem> {
        match call {
            Call::Scenarios {} => Ok(json(&self.scenarios())),
            Call::Start(start) => {
                let table = Tabletop::start(&self.folders, &start)?;
                self.sit_down(table)
            }
            Call::Load(LoadParams { path, up_to, explain }) => {
                let load = if explain { Tabletop::load_explained } else { Tabletop::load };
                self.sit_down(load(&path, &self.folders, up_to)?.table)
            }
            Call::Resume(ResumeParams { path, durable, explain }) => {
                let resume = if explain { Tabletop::resume_explained } else { Tabletop::resume };
                self.sit_down(resume(&path, &self.folders, durable)?.table)
            }
            Call::Subscribe(Look { viewer }) => self.subscribe(viewer),
            Call::Unsubscribe(Look { viewer }) => {
                self.subscriptions.retain(|one| one.viewer != viewer);
                Ok(json!(true))
            }
            Call::Watch(Watch { on, past }) => {
                self.watching = on.then_some(past);
                Ok(json!(true))
            }
            call => {
                let table = self
                    .table
                    .as_mut()
                    .ok_or_else(|| Problem::new(-32003, "no match is in play: start one"))?;
                at_table(table, call)
            }
        }
    }

    fn scenarios(&self) -> Vec<ScenarioAbout> {
        let (workshop, _) = Workshop::open(&self.folders);
        let about = |(module, path): (kernel::value::Name, String)| {
            let id = path.trim_start_matches("scenarios/").trim_end_matches(".ron");
            let scenario = format!("{module}/{id}");
            let title =
                workshop.scenario(&scenario).map_or_else(|_| String::new(), |found| found.scenario.title);
            ScenarioAbout { scenario, title }
        };
        workshop.scenarios().into_iter().map(about).collect()
    }

    fn sit_down(&mut self, table: Tabletop) -> Result<Json, Problem> {
        let standing = json(&table.standing());
        self.table = Some(table);
        for one in &mut self.subscriptions {
            (one.timeline, one.since, one.prompt) = (0, 0, None);
        }
        Ok(standing)
    }

    fn subscribe(&mut self, viewer: String) -> Result<Json, Problem> {
        if let Some(table) = &self.table {
            table.prompt(&viewer)?;
        }
        if self.subscriptions.iter().all(|one| one.viewer != viewer) {
            self.subscriptions.push(Subscription { viewer, timeline: 0, since: 0, prompt: None });
        }
        Ok(json!(true))
    }

    /// Tells those who subscribed what is new to them.
    fn tell(&mut self, out: &mut Vec<String>) {
        let Some(table) = &self.table else { return };
        for one in &mut self.subscriptions {
            let (Ok(news), Ok(prompt)) =
                (table.news(&one.viewer, one.timeline, one.since), table.prompt(&one.viewer))
            else {
                continue;
            };
            if !news.events.is_empty() || news.timeline != one.timeline {
                out.push(notification("news", &json!({ "viewer": one.viewer, "news": news })));
            }
            (one.timeline, one.since) = (news.timeline, news.last);
            if one.prompt.as_ref() != Some(&prompt) {
                out.push(notification("prompt", &json!({ "viewer": one.viewer, "prompt": prompt })));
                one.prompt = Some(prompt);
            }
        }
    }
}

/// What needs a match in play.
fn at_table(table: &mut Tabletop, call: Call) -> Result<Json, Problem> {
    Ok(match call {
        Call::About(Look { viewer }) => json(&table.about(&viewer)?),
        Call::Standing {} => json(&table.standing()),
        Call::Prompt(Look { viewer }) => json(&table.prompt(&viewer)?),
        Call::Legal(OfSide { side }) => json(&table.legal(&side)?),
        Call::NextParam(NextParamOf { side, action, actor, params }) => {
            json(&table.next_param(&side, &action, actor.as_ref(), &params)?)
        }
        Call::Submit(Submit { after: Some(after), input }) => json(&table.submit_after(after, &input)?),
        Call::Submit(Submit { after: None, input }) => json(&table.submit(&input)?),
        Call::BotTurn {} => json(&table.bot_turn()?),
        Call::Bots {} => {
            while table.bot_turn()?.is_some() {}
            json(&table.standing())
        }
        Call::SetBot(SetBot { side, bot }) => {
            table.set_bot(&side, bot)?;
            json!(true)
        }
        Call::View(Look { viewer }) => json(&table.view(&viewer)?),
        Call::News(Since { viewer, timeline, since }) => json(&table.news(&viewer, timeline, since)?),
        Call::Decisions {} => json(&table.decisions()),
        Call::Undo(Undo { by, keep }) => {
            let Some(keep) = keep.or_else(|| table.decisions_before_last(1)) else {
                let reason = "no person has decided anything; say how many decisions to `keep`";
                return Err(Trouble::refusal("taking back", reason).into());
            };
            json(&table.undo(&by, keep)?)
        }
        Call::Redo {} => json(&table.redo()?),
        Call::Why(Why { event, whole }) => json(&table.why(event, whole)?),
        Call::Reload(ReloadTo { past, viewer }) => json(&table.reload(past, &viewer)?),
        Call::Save(File { path }) => {
            table.save(&path)?;
            json!(true)
        }
        Call::Hash {} => json!(table.hash()),
        _ => Json::Null,
    })
}

/// A message that was read.
struct Request {
    /// What the reply bears; none for a notification.
    id: Option<Json>,
    call: Result<Call, Problem>,
}

fn request_of(message: Json) -> Result<Request, (Json, Problem)> {
    let wrong = |id: Json, text: &str| Err((id, Problem::new(-32600, text)));
    let Json::Object(mut fields) = message else { return wrong(Json::Null, "expected an object") };
    let id = fields.remove("id");
    if id.as_ref().is_some_and(|id| !(id.is_string() || id.is_number() || id.is_null())) {
        return wrong(Json::Null, "expected an id that is a text, a number or null");
    }
    let known = id.clone().unwrap_or_default();
    if fields.remove("jsonrpc") != Some(json!("2.0")) {
        return wrong(known, "expected \"jsonrpc\": \"2.0\"");
    }
    let Some(Json::String(method)) = fields.remove("method") else {
        return wrong(known, "expected a method as text");
    };
    let params = fields.remove("params").unwrap_or_else(|| Json::Object(Map::new()));
    if let Some((other, _)) = fields.iter().next() {
        return wrong(known, &format!("found the unknown member `{other}`"));
    }
    Ok(Request { id, call: call_of(&method, params) })
}

fn call_of(method: &str, params: Json) -> Result<Call, Problem> {
    if !METHODS.contains(&method) {
        let near = kernel::world::closest(method, METHODS.iter().copied());
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(Problem::new(-32601, format!("there is no method `{method}`{hint}")));
    }
    if !params.is_object() {
        return Err(Problem::new(-32602, "expected parameters by name"));
    }
    serde_json::from_value(json!({ "method": method, "params": params }))
        .map_err(|error| Problem::new(-32602, format!("parameters of `{method}`: {error}")))
}

fn failed(id: &Json, problem: &Problem) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": problem.json() })
}

fn notification(method: &str, params: &impl Serialize) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": json(params) }).to_string()
}

fn json(value: &impl Serialize) -> Json {
    // Types of the façade have no keys but texts: they all are JSON.
    serde_json::to_value(value).unwrap_or_default()
}

/// The schema of all messages, as `schemas/json/rpc.json` publishes it.
pub fn schema() -> Json {
    let mut generator = SchemaGenerator::default();
    let calls = generator.subschema_for::<Call>();
    let mut results = Map::new();
    let mut add = |name: &str, schema: schemars::Schema| results.insert(name.into(), json(&schema));
    for name in ["start", "load", "resume", "standing", "bots"] {
        add(name, generator.subschema_for::<Standing>());
    }
    for name in ["set_bot", "save", "subscribe", "unsubscribe", "watch"] {
        add(name, generator.subschema_for::<bool>());
    }
    add("scenarios", generator.subschema_for::<Vec<ScenarioAbout>>());
    add("about", generator.subschema_for::<About>());
    add("prompt", generator.subschema_for::<Prompt>());
    add("legal", generator.subschema_for::<Legal>());
    add("next_param", generator.subschema_for::<Option<NextParam>>());
    add("submit", generator.subschema_for::<Taken>());
    add("bot_turn", generator.subschema_for::<Option<Taken>>());
    add("view", generator.subschema_for::<View>());
    add("news", generator.subschema_for::<News>());
    add("decisions", generator.subschema_for::<Vec<Decision>>());
    add("undo", generator.subschema_for::<Undone>());
    add("redo", generator.subschema_for::<Taken>());
    add("why", generator.subschema_for::<Vec<WhyAbout>>());
    add("reload", generator.subschema_for::<Reloaded>());
    add("hash", generator.subschema_for::<String>());
    let notifications = json!({
        "news": { "viewer": "string", "news": json(&generator.subschema_for::<News>()) },
        "prompt": { "viewer": "string", "prompt": json(&generator.subschema_for::<Prompt>()) },
        "reloaded": json(&generator.subschema_for::<Reloaded>()),
        "fault": json(&generator.subschema_for::<Trouble>()),
    });
    let errors: Vec<Json> = ERRORS.iter().map(|(code, text)| json!({ "code": code, "text": text })).collect();
    let data = generator.subschema_for::<Trouble>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Houserule over JSON-RPC 2.0, version 1",
        "description": "One message a line. `requests` is what `method` and `params` may be; `results` is what each method gives.",
        "requests": json(&calls),
        "results": results,
        "notifications": notifications,
        "errors": { "codes": errors, "data": json(&data) },
        "$defs": generator.take_definitions(true),
    })
}
