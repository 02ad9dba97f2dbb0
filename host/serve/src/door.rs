//! The door: the page, WebSockets, and plain HTTP for programs that have none.
//!
//! | path | what |
//! |---|---|
//! | `GET /` | the page |
//! | `GET /ws`, `/ws/ROOM` | messages both ways, a text frame each |
//! | `POST /rpc`, `/rpc/ROOM` | one message, with `Authorization: Bearer TOKEN`; its reply, or 204 if it asks for none |
//! | `GET /events`, `/events/ROOM` | changes as server-sent events, with the same header; `Last-Event-ID` goes on, `?events=lines` is as in `follow` |

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::{AUTHORIZATION, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use houserule::embed::Detail;
use houserule::embed::rpc::LONGEST_MESSAGE;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;

use crate::guard::{Rate, ServerNames};
use crate::hall::Hall;
use crate::page;
use crate::room::{Room, RoomError, Visit};

/// So many connections are held at once.
const MOST_CONNECTIONS: usize = 1_024;

/// Who shows no token within this time leaves, and so does who takes nothing of
/// what it is sent for so long.
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
    pub const BROKEN: u16 = 1011;
}

/// What is served, and to whom.
pub struct Serving {
    /// The rooms.
    pub hall: Arc<Hall>,
    /// The names under which the server is reached.
    pub names: ServerNames,
    /// Who shows no token within this time leaves, and so does who takes nothing
    /// of what it is sent for so long.
    pub patience: Duration,
    connections: AtomicUsize,
    /// What was posted from each seat of each room.
    posted: Mutex<BTreeMap<String, Rate>>,
}

impl Serving {
    /// These rooms, under these names.
    pub fn new(hall: Arc<Hall>, names: ServerNames) -> Serving {
        Serving {
            hall,
            names,
            patience: PATIENCE,
            connections: AtomicUsize::new(0),
            posted: Mutex::default(),
        }
    }

    /// How many are connected, or wait for a reply.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Whether one more message from a seat of a room is within bounds.
    fn admits(&self, seat: &str) -> bool {
        // Whoever panicked has left a whole rate.
        let mut posted = self.posted.lock().unwrap_or_else(PoisonError::into_inner);
        posted
            .entry(seat.to_string())
            .or_default()
            .admit(Instant::now())
    }
}

/// Serves until `end` comes.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    serving: Arc<Serving>,
    end: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let routes = Router::new()
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
        .with_state(serving);
    // Messages are small and come in twos, a reply and a change: the second must
    // not wait until the first was acknowledged, which takes 40 ms.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(target: "houserule::serve", %error, "a connection waits before it sends");
        }
    });
    let service = routes.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service)
        .with_graceful_shutdown(end)
        .await
}

/// Turns away what is meant for somebody else, or comes from somebody else's
/// page.
async fn turn_away(
    State(serving): State<Arc<Serving>>,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    match serving.names.admit(request.headers()) {
        true => next.run(request).await,
        false => (
            StatusCode::FORBIDDEN,
            "this page or name is not of this table\n",
        )
            .into_response(),
    }
}

/// The place of one connection among all.
struct Held(Arc<Serving>);

impl Held {
    fn new(serving: &Arc<Serving>) -> Option<Held> {
        let before = serving.connections.fetch_add(1, Ordering::Relaxed);
        let held = Held(serving.clone());
        (before < MOST_CONNECTIONS).then_some(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
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
    let Some(held) = Held::new(&serving) else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "too many are here already\n",
        )
            .into_response();
    };
    let visit = match room_of(&serving, &name) {
        Ok(room) => room.enter().await,
        Err(response) => return response,
    };
    match visit {
        Ok(visit) => upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .read_buffer_size(READ_AT_ONCE)
            .on_upgrade(async move |socket| {
                talk(socket, visit, serving.patience).await;
                drop(held);
            }),
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
                    if !rate.admit(Instant::now()) {
                        break Some((closing::TOO_MUCH, "too many messages"));
                    }
                    let sent = match message {
                        Message::Text(text) => visit.say(text.as_bytes().to_vec()),
                        Message::Binary(bytes) => visit.say(bytes.to_vec()),
                        Message::Close(_) => break None,
                        Message::Ping(_) | Message::Pong(_) => Ok(()),
                    };
                    match sent {
                        Ok(()) => {}
                        Err(RoomError::Busy) => break Some((closing::BUSY, "the room is busy")),
                        Err(RoomError::Broken(_)) => break Some((closing::BROKEN, "the match has ended")),
                    }
                }
                Some(Err(_)) | None => break None,
            },
            line = visit.lines.recv() => match line {
                Some(line) => {
                    is_known = is_known || knows(&line);
                    if !give(&mut socket, Message::Text(line.into()), patience).await {
                        break None;
                    }
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

/// Whether a line shows that the client holds a seat: its `hello` was taken.
fn knows(line: &str) -> bool {
    seat_in(line).is_some()
}

/// As whom the client looks, by the reply to its `hello`.
fn seat_in(line: &str) -> Option<String> {
    let reply = serde_json::from_str::<Json>(line).ok()?;
    let is_seat = reply["result"]["role"]
        .as_str()
        .is_some_and(|role| role != "public");
    is_seat.then(|| {
        reply["result"]["viewer"]
            .as_str()
            .unwrap_or_default()
            .to_string()
    })
}

// ---- plain HTTP -------------------------------------------------------------

fn token_of(headers: &HeaderMap) -> Option<String> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    header
        .strip_prefix("Bearer ")
        .map(|token| token.trim().to_string())
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

/// One message and its reply. What the match tells by itself is for `/events`.
async fn call(
    State(serving): State<Arc<Serving>>,
    name: RoomName,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(why) if why.status() == StatusCode::PAYLOAD_TOO_LARGE => return too_long(),
        Err(why) => return why.into_response(),
    };
    let Some(_held) = Held::new(&serving) else {
        return closed(&RoomError::Busy);
    };
    let Some(token) = token_of(&headers) else {
        return unauthorized();
    };
    let room = match room_of(&serving, &name) {
        Ok(room) => room,
        Err(response) => return response,
    };
    let visit = match room.enter().await {
        Ok(visit) => visit,
        Err(why) => return closed(&why),
    };
    let seat = match seated(&visit, &token).await {
        Ok(viewer) => format!(
            "{viewer}/{}",
            name.map(|Path(name)| name).unwrap_or_default()
        ),
        Err(response) => return response,
    };
    if !serving.admits(&seat) {
        return too_much();
    }
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

/// Takes the seat that a token opens: as whom it looks.
async fn seated(visit: &Visit, token: &str) -> Result<String, Response> {
    let hello =
        json!({ "jsonrpc": "2.0", "id": "hello", "method": "hello", "params": { "token": token } });
    let reply = visit
        .call(hello.to_string().into_bytes())
        .await
        .map_err(|why| closed(&why))?;
    let seat = reply.and_then(|line| seat_in(&line));
    seat.ok_or_else(|| (StatusCode::FORBIDDEN, "the token opens no seat\n").into_response())
}

/// Changes of the seat's own view, each with its number as id: `GAME/SEQ`.
async fn events(
    State(serving): State<Arc<Serving>>,
    name: RoomName,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let Some(held) = Held::new(&serving) else {
        return closed(&RoomError::Busy);
    };
    let Some(token) = token_of(&headers) else {
        return unauthorized();
    };
    let Some(detail) = detail_in(&uri) else {
        return (
            StatusCode::BAD_REQUEST,
            "expected `?events=none`, `lines` or `whole`\n",
        )
            .into_response();
    };
    let room = match room_of(&serving, &name) {
        Ok(room) => room,
        Err(response) => return response,
    };
    let visit = match room.enter().await {
        Ok(visit) => visit,
        Err(why) => return closed(&why),
    };
    if let Err(response) = seated(&visit, &token).await {
        return response;
    }
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .and_then(|id| id.split_once('/'));
    let have =
        last.and_then(|(game, seq)| Some(json!({ "game": game, "seq": seq.parse::<u64>().ok()? })));
    let game = last.map(|(game, _)| game.to_string()).unwrap_or_default();
    let follow = json!({ "jsonrpc": "2.0", "method": "follow", "params": { "have": have, "events": detail } });
    if let Err(why) = visit.say(follow.to_string().into_bytes()) {
        return closed(&why);
    }
    let stream =
        futures_util::stream::unfold((visit, held, game), async |(mut visit, held, mut game)| {
            let line = visit.lines.recv().await?;
            Some((
                Ok::<Event, Infallible>(event(&line, &mut game)),
                (visit, held, game),
            ))
        });
    Sse::new(stream)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// How much is to be told of what has happened, by the request.
fn detail_in(uri: &Uri) -> Option<Detail> {
    match uri.query() {
        None => Some(Detail::None),
        Some(query) => serde_json::from_value(json!(query.strip_prefix("events=")?)).ok(),
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
