//! The door: the page, WebSockets, and plain HTTP for programs that have none.
//!
//! | path | what |
//! |---|---|
//! | `GET /` | the page |
//! | `GET /ws`, `/ws/ROOM` | messages both ways, a text frame each |
//! | `POST /rpc`, `/rpc/ROOM` | one message, with `Authorization: Bearer TOKEN`; its reply, or 204 if it asks for none |
//! | `GET /events`, `/events/ROOM` | changes as server-sent events, with the same header; `Last-Event-ID` goes on, `?events=lines` and `?viewer=blue` are as in `follow` |

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::header::{AUTHORIZATION, CONNECTION, HOST, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::Listener;
use houserule::embed::Detail;
use houserule::embed::rpc::LONGEST_MESSAGE;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::guard::{Rate, Rates, ServerNames};
use crate::hall::Hall;
use crate::held::{ConnectionPlaces, HeldConnection};
use crate::page;
use crate::room::{Room, RoomError, Visit};

/// So many connections are held at once.
const MOST_CONNECTIONS: usize = 1_024;

/// Who has not sent a whole request within this time leaves, or shows no token on
/// a WebSocket, or takes nothing of what it is sent for so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A line that is still there is asked whether it is, so often.
const PULSE: Duration = Duration::from_secs(25);

/// So many bytes are read of a line at once, and kept for it as long as it is
/// there: what clients say is short.
const READ_AT_ONCE: usize = 4 * 1_024;

/// Closing codes of WebSockets.
mod closing {
    pub const BUSY: u16 = 1013;
    pub const TOO_MUCH: u16 = 1008;
    pub const TOO_LONG: u16 = 1009;
    pub const BROKEN: u16 = 1011;
    pub const NO_FRAME: u16 = 1002;
    pub const NO_TEXT: u16 = 1007;
}

/// What is served, and to whom.
pub struct Serving {
    /// The rooms.
    pub hall: Arc<Hall>,
    /// The names under which the server is reached.
    pub names: ServerNames,
    /// Who has not sent a whole request within this time leaves, or shows no token
    /// on a WebSocket, or takes nothing of what it is sent for so long.
    pub patience: Duration,
    /// So many connections are held at once, with those that have said nothing yet.
    pub most_connections: usize,
    places: ConnectionPlaces,
    /// What was posted from each seat of each room: by the address of the room and
    /// the token.
    posted: Rates<(usize, String)>,
    /// What was asked with tokens that open no seat, by all together: whoever guesses
    /// has no name.
    strangers: Rates<()>,
}

impl Serving {
    /// These rooms, under these names.
    pub fn new(hall: Arc<Hall>, names: ServerNames) -> Serving {
        Serving {
            hall,
            names,
            patience: PATIENCE,
            most_connections: MOST_CONNECTIONS,
            places: ConnectionPlaces::default(),
            posted: Rates::default(),
            strangers: Rates::default(),
        }
    }

    /// How many are connected, whether or not they have said anything.
    pub fn connections(&self) -> usize {
        self.places.taken()
    }
}

/// Serves until `end` comes, and then until all that was asked before is answered.
///
/// # Errors
/// None as yet: a listener that fails is tried again.
pub async fn serve(
    mut listener: TcpListener,
    serving: Arc<Serving>,
    end: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let routes = routes(&serving);
    // Without a timer of its own it waits for the head of a request for ever.
    let mut http = http1::Builder::new();
    // Who has said all may close its half of the line and wait for the answer.
    http.timer(TokioTimer::new())
        .header_read_timeout(serving.patience)
        .half_close(true);
    let (ending, ended) = watch::channel(());
    let mut end = pin!(end);
    loop {
        let (stream, _) = tokio::select! {
            taken = Listener::accept(&mut listener) => taken,
            () = &mut end => break,
        };
        let (most, patience) = (serving.most_connections, serving.patience);
        let Some(connection) = HeldConnection::new(stream, &serving.places, most, patience) else {
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        let answered = http
            .serve_connection(TokioIo::new(connection), service)
            .with_upgrades();
        let mut ended = ended.clone();
        tokio::spawn(async move {
            let mut answered = pin!(answered);
            let done = tokio::select! {
                done = answered.as_mut() => done,
                _ = ended.changed() => {
                    answered.as_mut().graceful_shutdown();
                    answered.await
                }
            };
            if let Err(error) = done {
                tracing::debug!(target: "houserule::serve", %error, "a connection has failed");
            }
        });
    }
    drop((listener, ended));
    ending.send_replace(());
    ending.closed().await;
    Ok(())
}

fn routes(serving: &Arc<Serving>) -> Router {
    Router::new()
        .route("/", get(async || page::INDEX))
        .route("/table.js", get(async || page::SCRIPT))
        .route("/table.css", get(async || page::STYLE))
        .route("/ws", get(socket))
        .route("/ws/{room}", get(socket))
        .route("/rpc", post(call))
        .route("/rpc/{room}", post(call))
        .route("/events", get(events))
        .route("/events/{room}", get(events))
        .layer(DefaultBodyLimit::max(LONGEST_MESSAGE))
        .layer(axum::middleware::from_fn_with_state(
            serving.clone(),
            turn_away,
        ))
        .with_state(serving.clone())
}

/// Turns away what is meant for somebody else, or comes from somebody else's
/// page.
async fn turn_away(
    State(serving): State<Arc<Serving>>,
    request: Request,
    next: axum::middleware::Next,
) -> Response {
    let headers = request.headers();
    // Of two that differ, a proxy and we might each heed another.
    if let Some(name) = [HOST, AUTHORIZATION]
        .into_iter()
        .find(|name| headers.get_all(name).iter().nth(1).is_some())
    {
        return (
            StatusCode::BAD_REQUEST,
            format!("expected one header `{name}`, found several\n"),
        )
            .into_response();
    }
    match serving.names.admit(headers) {
        true => next.run(request).await,
        false => (
            StatusCode::FORBIDDEN,
            "this page or name is not of this table\n",
        )
            .into_response(),
    }
}

type RoomName = Option<Path<String>>;

fn room_of(serving: &Serving, name: &RoomName) -> Result<Arc<Room>, Response> {
    let found = serving
        .hall
        .room(name.as_ref().map(|Path(name)| name.as_str()));
    found.ok_or_else(|| (StatusCode::NOT_FOUND, "there is no such room\n").into_response())
}

fn closed(why: &RoomError) -> Response {
    match why {
        RoomError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "the room is busy\n").into_response(),
        RoomError::Broken(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the match cannot be taken up\n",
        )
            .into_response(),
    }
}

// ---- WebSockets -------------------------------------------------------------

async fn socket(
    State(serving): State<Arc<Serving>>,
    name: RoomName,
    upgrade: WebSocketUpgrade,
) -> Response {
    let visit = match room_of(&serving, &name) {
        Ok(room) => room.enter().await,
        Err(response) => return response,
    };
    match visit {
        Ok(visit) => upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .read_buffer_size(READ_AT_ONCE)
            .on_upgrade(async move |socket| talk(socket, visit, serving.patience).await),
        Err(why) => closed(&why),
    }
}

/// Sends a message to one who takes it: whether it did, in time.
async fn give(socket: &mut WebSocket, message: Message, patience: Duration) -> bool {
    tokio::time::timeout(patience, socket.send(message))
        .await
        .is_ok_and(|sent| sent.is_ok())
}

/// Carries messages both ways until one of both is gone.
async fn talk(mut socket: WebSocket, mut visit: Visit, patience: Duration) {
    let (mut rate, mut is_known) = (Rate::default(), false);
    let shown = tokio::time::sleep(patience);
    tokio::pin!(shown);
    let mut pulse = tokio::time::interval(PULSE);
    pulse.reset();
    let end = loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(message)) => {
                    if !rate.admit(messages_in(text_of(&message)), Instant::now()) {
                        break Some((closing::TOO_MUCH, "too many messages"));
                    }
                    let sent = match message {
                        Message::Text(text) => visit.say(text.as_bytes().to_vec()),
                        Message::Binary(bytes) => visit.say(bytes.to_vec()),
                        Message::Close(_) => {
                            // It is answered by what reads on, whatever comes.
                            let _ = tokio::time::timeout(patience, socket.recv()).await;
                            break None;
                        }
                        Message::Ping(_) | Message::Pong(_) => Ok(()),
                    };
                    match sent {
                        Ok(()) => {}
                        Err(RoomError::Busy) => break Some((closing::BUSY, "the room is busy")),
                        Err(RoomError::Broken(_)) => break Some((closing::BROKEN, "the match has ended")),
                    }
                }
                Some(Err(why)) => break unreadable(why),
                None => break None,
            },
            line = visit.lines.recv() => match line {
                Some(line) => {
                    is_known = is_known || knows(&line);
                    if !give(&mut socket, Message::Text(line.into()), patience).await {
                        break None;
                    }
                }
                None if visit.is_of_a_broken_match() => {
                    break Some((closing::BROKEN, "the match cannot be taken up"));
                }
                None => break Some((closing::BUSY, "what was sent was not read")),
            },
            _ = pulse.tick() => if !give(&mut socket, Message::Ping(Bytes::new()), patience).await {
                break None;
            },
            () = &mut shown, if !is_known => break Some((closing::TOO_MUCH, "no token was shown")),
        }
    };
    if let Some((code, reason)) = end {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        give(&mut socket, Message::Close(Some(frame)), patience).await;
    }
}

/// With what a connection is closed whose messages cannot be read; nothing where it is
/// gone already.
fn unreadable(why: axum::Error) -> Option<(u16, &'static str)> {
    match *why.into_inner().downcast::<tungstenite::Error>().ok()? {
        tungstenite::Error::Capacity(_) => Some((closing::TOO_LONG, "the message is too long")),
        tungstenite::Error::Protocol(_) => Some((closing::NO_FRAME, "the frame is none")),
        tungstenite::Error::Utf8(_) => Some((closing::NO_TEXT, "the message is not UTF-8")),
        _ => None,
    }
}

/// Whether a line shows that the client has shown a token: its `hello` was taken, or
/// it is told what is for a seat alone. One that has shown none gets errors, and of
/// `hello` that it is nobody.
fn knows(line: &str) -> bool {
    let is_for_a_seat = |message: &Json| {
        let result = message.get("result");
        message["method"].is_string() || result.is_some_and(|result| result["role"] != "public")
    };
    match serde_json::from_str::<Json>(line) {
        Ok(Json::Array(batch)) => batch.iter().any(is_for_a_seat),
        Ok(message) => is_for_a_seat(&message),
        Err(_) => false,
    }
}

/// What a message of a WebSocket says.
fn text_of(message: &Message) -> &[u8] {
    match message {
        Message::Text(text) => text.as_bytes(),
        Message::Binary(bytes) => bytes,
        _ => b"",
    }
}

// ---- plain HTTP -------------------------------------------------------------

fn token_of(headers: &HeaderMap) -> Option<String> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    // The word of a scheme is the same in small letters and in large ones.
    let (scheme, token) = header.split_once(' ')?;
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    is_bearer.then(|| token.trim().to_string())
}

fn unauthorized() -> Response {
    (
        StatusCode::UNAUTHORIZED,
        "expected `Authorization: Bearer TOKEN`\n",
    )
        .into_response()
}

fn too_long() -> Response {
    (
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("expected a message of at most {LONGEST_MESSAGE} bytes\n"),
    )
        .into_response()
}

fn too_slow() -> Response {
    (
        StatusCode::REQUEST_TIMEOUT,
        [(CONNECTION, "close")],
        "expected the whole message sooner\n",
    )
        .into_response()
}

/// What was posted, if all of it comes in time.
async fn posted(request: Request, patience: Duration) -> Result<Bytes, Response> {
    let whole = Bytes::from_request(request, &());
    match tokio::time::timeout(patience, whole).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(why)) if why.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(too_long()),
        Ok(Err(_)) => {
            Err((StatusCode::BAD_REQUEST, "expected the whole message\n").into_response())
        }
        Err(_) => Err(too_slow()),
    }
}

/// One message and its reply. What the match tells by itself is for `/events`.
async fn call(
    State(serving): State<Arc<Serving>>,
    name: RoomName,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let body = match posted(request, serving.patience).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let Some(token) = token_of(&headers) else {
        return unauthorized();
    };
    let visit = match seated(&serving, &name, token, messages_in(&body)).await {
        Ok((visit, _)) => visit,
        Err(response) => return response,
    };
    match visit.call(body.to_vec()).await {
        Ok(Some(reply)) => ([("content-type", "application/json")], reply).into_response(),
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => closed(&why),
    }
}

fn too_much() -> Response {
    (
        StatusCode::TOO_MANY_REQUESTS,
        [(RETRY_AFTER, "1")],
        "too many messages\n",
    )
        .into_response()
}

/// How many messages a text is: a batch is as many as are in it.
fn messages_in(text: &[u8]) -> u32 {
    let is_batch = text.trim_ascii_start().starts_with(b"[");
    let batch = is_batch.then(|| serde_json::from_slice::<Vec<Json>>(text).ok());
    let count = batch.flatten().map_or(1, |batch| batch.len());
    u32::try_from(count.max(1)).unwrap_or(u32::MAX)
}

/// Takes the seat that a token opens, to say so many messages: who has come, and as
/// whom it looks if it does not say. A match that sleeps is taken up for nobody else.
async fn seated(
    serving: &Serving,
    name: &RoomName,
    token: String,
    messages: u32,
) -> Result<(Visit, Json), Response> {
    let room = room_of(serving, name)?;
    let no_seat = || (StatusCode::FORBIDDEN, "the token opens no seat\n").into_response();
    if !room.opens(&token) {
        return Err(match serving.strangers.admit((), 1) {
            true => no_seat(),
            false => too_much(),
        });
    }
    let hello =
        json!({ "jsonrpc": "2.0", "id": "hello", "method": "hello", "params": { "token": token } });
    // A token is that of one seat, and a room has one address, by whatever path it is reached.
    if !serving
        .posted
        .admit((Arc::as_ptr(&room).addr(), token), messages)
    {
        return Err(too_much());
    }
    let visit = room.enter().await.map_err(|why| closed(&why))?;
    let reply = visit
        .call(hello.to_string().into_bytes())
        .await
        .map_err(|why| closed(&why))?;
    // It may have been taken away by now.
    match reply.filter(|line| knows(line)) {
        Some(line) => {
            let hello = serde_json::from_str::<Json>(&line).unwrap_or_default();
            Ok((visit, hello["result"]["viewer"].clone()))
        }
        None => Err(no_seat()),
    }
}

/// Changes of the seat's own view, each with its number as id: `GAME/SEQ`.
async fn events(
    State(serving): State<Arc<Serving>>,
    name: RoomName,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let Some(token) = token_of(&headers) else {
        return unauthorized();
    };
    let Some(asked) = EventsQuery::of(&uri) else {
        return (
            StatusCode::BAD_REQUEST,
            "expected `?events=none`, `lines` or `whole`, or `?viewer=` and a side\n",
        )
            .into_response();
    };
    let (visit, first) = match seated(&serving, &name, token, 1).await {
        Ok(seated) => seated,
        Err(response) => return response,
    };
    let viewer = match may_look(&visit, asked.viewer).await {
        Ok(viewer) => viewer.map_or(first, Json::from),
        Err(response) => return response,
    };
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .and_then(|id| id.split_once('/'));
    let have =
        last.and_then(|(game, seq)| Some(json!({ "game": game, "seq": seq.parse::<u64>().ok()? })));
    let game = last.map(|(game, _)| game.to_string()).unwrap_or_default();
    let follow = json!({ "jsonrpc": "2.0", "method": "follow", "params": { "viewer": viewer, "have": have, "events": asked.events } });
    if let Err(why) = visit.say(follow.to_string().into_bytes()) {
        return closed(&why);
    }
    let stream = futures_util::stream::unfold((visit, game), async |(mut visit, mut game)| {
        let line = visit.lines.recv().await?;
        Some((
            Ok::<Event, Infallible>(event(&line, &mut game)),
            (visit, game),
        ))
    });
    Sse::new(stream)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// What a request for changes asks for.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EventsQuery {
    /// How much is to be told of what has happened.
    events: Detail,
    /// As whom, where a seat is at several sides or may look as anybody.
    viewer: Option<String>,
}

impl EventsQuery {
    /// What stands behind the question mark; names of sides have no letters that are
    /// written otherwise there.
    fn of(uri: &Uri) -> Option<EventsQuery> {
        let Some(query) = uri.query() else {
            return Some(EventsQuery::default());
        };
        let pairs = query.split('&').map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((name.to_string(), json!(value)))
        });
        let members = pairs.collect::<Option<serde_json::Map<_, _>>>()?;
        serde_json::from_value(Json::Object(members)).ok()
    }
}

/// Whether a seat may look as the one that is asked for, before anything is told.
async fn may_look(visit: &Visit, viewer: Option<String>) -> Result<Option<String>, Response> {
    let Some(viewer) = viewer else {
        return Ok(None);
    };
    let standing = json!({ "jsonrpc": "2.0", "id": "standing", "method": "standing", "params": { "viewer": viewer } });
    let reply = visit
        .call(standing.to_string().into_bytes())
        .await
        .map_err(|why| closed(&why))?;
    let reply = serde_json::from_str::<Json>(&reply.unwrap_or_default()).unwrap_or_default();
    match reply["error"]["message"].as_str() {
        None => Ok(Some(viewer)),
        Some(why) => Err((StatusCode::FORBIDDEN, format!("{why}\n")).into_response()),
    }
}

/// A line as an event. Changes name their game when they tell everything, and
/// not again.
fn event(line: &str, game: &mut String) -> Event {
    let message = serde_json::from_str::<Json>(line).unwrap_or_default();
    let params = &message["params"];
    if let Some(named) = params["game"].as_str() {
        *game = named.to_string();
    }
    let event = Event::default().data(params.to_string());
    let event = event.event(message["method"].as_str().unwrap_or("message"));
    match params["seq"].as_u64() {
        Some(seq) => event.id(format!("{game}/{seq}")),
        None => event,
    }
}
