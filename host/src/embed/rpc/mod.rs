//! The façade over JSON-RPC 2.0: one message a line, in and out.
//!
//! A [`Server`] takes lines and gives lines; it knows no pipe. Each connection
//! holds a seat: the host connects by itself, others show a token that the host
//! gave them. What changes the game is told to everybody who subscribed, each
//! as its seat may know it, before the reply is given:
//!
//! ```
//! use houserule::embed::rpc::Server;
//! # let mods = vec!["../mods".into(), "../docs/examples".into()];
//! let mut server = Server::new(mods);
//! let host = server.connect_host();
//! server.line(host, br#"{"jsonrpc":"2.0","id":1,"method":"start","params":{"scenario":"drill/range"}}"#);
//! assert!(server.drain(host)[0].contains(r#""waiting_for":["blue","red"]"#));
//! let guest = server.connect();
//! server.line(guest, br#"{"jsonrpc":"2.0","id":1,"method":"view"}"#);
//! assert!(server.drain(guest)[0].contains("-32007"), "a guest has no seat yet");
//! ```
//!
//! | notification | when |
//! |---|---|
//! | `news` | something happened: the new events of one viewer |
//! | `change` | what somebody who follows may know has changed: state, events, prompt |
//! | `prompt` | what one viewer must decide is another |
//! | `undo` | a side asks to take play back, or does so no longer |
//! | `reloaded` | the game goes by other mods |
//! | `fault` | mods are broken: nothing was done, or the game goes by the old ones |
//! | `revoked` | a seat was taken away, or its time is over: to who held it, or is told nothing more as it |

mod branching;
mod calls;
mod feeds;
mod messages;
mod naming;
mod scenarios;
mod schema;
mod seating;
mod sleeping;
mod subscriptions;
mod taking_turns;
#[cfg(test)]
mod tests;
mod watching;
mod welcome;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use self::calls::{
    DeclineUndoParams, LegalOf, LoadParams, Look, LookBack, NewsParams, NextParamOf, OddsAs,
    PieceOf, ReloadTo, ResumeParams, RpcCall, SaveParams, SeatNumber, SetBot, UndoParams,
    WatchParams, WhyParams,
};
use self::feeds::{Feeds, Follower};
use self::messages::{Problem, failed, json, notification, reply, request_of};
use super::{
    Loaded, MatchStatus, ReloadMode, Reloaded, Role, Seat, Seated, Seats, Tabletop, Trouble,
};

use self::subscriptions::Subscription;

pub use self::branching::{Branched, Branching};
pub use self::messages::{ERRORS, LARGEST_BATCH, LONGEST_MESSAGE};
pub use self::schema::schema;
pub use self::sleeping::Sleeping;

/// Where a match stands that was loaded.
#[derive(Serialize, JsonSchema)]
struct LoadedAbout {
    #[serde(flatten)]
    status: MatchStatus,
    /// Whether the file breaks off in the middle of a line: what was written there was
    /// never acknowledged, or the file was cut, and is left out.
    torn: bool,
}

/// One who is connected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ConnectionId(u64);

/// By what right somebody speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Right {
    /// By none.
    Nobody,
    /// As the host.
    Host,
    /// By a seat that was given, by its number.
    Given(u32),
}

struct Connection {
    right: Right,
    /// As whom it looks if a change does not say: what `hello` told it.
    told: Option<String>,
    subscriptions: Vec<Subscription>,
    follows: Vec<Follower>,
    /// Whether it asked to be told of mods that change.
    watches: bool,
    out: Vec<String>,
}

/// Serves a match to those who are connected: takes their lines, and keeps for
/// each the lines that it is to be sent.
pub struct Server {
    folders: Vec<PathBuf>,
    table: Option<Tabletop>,
    seats: Seats,
    connections: BTreeMap<ConnectionId, Connection>,
    last: u64,
    watching: Option<ReloadMode>,
    /// How often a save that is half done was looked at.
    looks: u32,
    /// Whether it was told that saved mods are broken.
    is_behind: bool,
    feeds: Feeds,
    branching: Option<Branching>,
}

impl Server {
    /// A server for mods in these folders.
    pub fn new(folders: Vec<PathBuf>) -> Server {
        Server {
            folders,
            table: None,
            seats: Seats::default(),
            connections: BTreeMap::new(),
            last: 0,
            watching: None,
            looks: 0,
            is_behind: false,
            feeds: Feeds::default(),
            branching: None,
        }
    }

    /// The same, with seats that were given before.
    pub fn with_seats(folders: Vec<PathBuf>, seats: Seats) -> Server {
        Server {
            seats,
            ..Server::new(folders)
        }
    }

    /// From now on mods that change in their folders are taken over.
    pub fn watch(&mut self, past: ReloadMode) {
        self.watching = Some(past);
        self.expect_saves();
    }

    /// Somebody connects, who has no seat yet: `hello` takes one.
    pub fn connect(&mut self) -> ConnectionId {
        self.connect_as(Right::Nobody)
    }

    /// The host connects: whoever started the process.
    pub fn connect_host(&mut self) -> ConnectionId {
        self.connect_as(Right::Host)
    }

    fn connect_as(&mut self, right: Right) -> ConnectionId {
        self.last += 1;
        let id = ConnectionId(self.last);
        let connection = Connection {
            right,
            told: None,
            subscriptions: Vec::new(),
            follows: Vec::new(),
            watches: false,
            out: Vec::new(),
        };
        self.connections.insert(id, connection);
        id
    }

    /// Somebody leaves. The seat stays given.
    pub fn disconnect(&mut self, connection: ConnectionId) {
        self.connections.remove(&connection);
    }

    /// Serves a match that the host has started itself.
    pub fn serve(&mut self, table: Tabletop) {
        self.table = Some(table);
        self.expect_saves();
        self.feeds.begin();
        for connection in self.connections.values_mut() {
            connection.follows.iter_mut().for_each(Follower::begin);
        }
        let all = self
            .connections
            .values_mut()
            .flat_map(|connection| &mut connection.subscriptions);
        all.for_each(Subscription::begin);
    }

    /// The match in play.
    pub fn table(&self) -> Option<&Tabletop> {
        self.table.as_ref()
    }

    /// Whether the host wants mods to be reloaded when they change.
    pub fn is_watching(&self) -> bool {
        self.watching.is_some()
    }

    /// The lines that a connection is to be sent, in order: notifications come
    /// before the reply to what brought them about.
    pub fn drain(&mut self, connection: ConnectionId) -> Vec<String> {
        self.connections
            .get_mut(&connection)
            .map(|found| std::mem::take(&mut found.out))
            .unwrap_or_default()
    }

    /// Takes a line of a connection, of at most [`LONGEST_MESSAGE`] bytes without its
    /// end. Afterwards there may be lines for any of them: see [`Server::drain`].
    /// Whether the last of those for this connection is a reply: a notification gets
    /// none.
    pub fn line(&mut self, connection: ConnectionId, line: &[u8]) -> bool {
        if !self.connections.contains_key(&connection) {
            return false;
        }
        if line.strip_suffix(b"\n").unwrap_or(line).len() > LONGEST_MESSAGE {
            self.too_long(connection);
            return true;
        }
        let reply = match serde_json::from_slice::<Json>(line) {
            Ok(Json::Array(batch)) => self.batch(connection, batch),
            Ok(message) => self.message(connection, message),
            Err(error) => Some(failed(
                &Json::Null,
                &Problem::new(-32700, format!("not JSON: {error}")),
            )),
        };
        let is_answered = reply.is_some();
        if let Some(reply) = reply {
            self.send(connection, reply.to_string());
        }
        is_answered
    }

    /// A line of a connection was too long to be read.
    pub fn too_long(&mut self, connection: ConnectionId) {
        let message = format!("expected a line of at most {LONGEST_MESSAGE} bytes");
        self.send(
            connection,
            failed(&Json::Null, &Problem::new(-32006, message)).to_string(),
        );
    }

    fn send(&mut self, connection: ConnectionId, line: String) {
        if let Some(connection) = self.connections.get_mut(&connection) {
            connection.out.push(line);
        }
    }

    fn batch(&mut self, connection: ConnectionId, batch: Vec<Json>) -> Option<Json> {
        if batch.is_empty() || batch.len() > LARGEST_BATCH {
            let code = if batch.is_empty() { -32600 } else { -32006 };
            let message = format!(
                "expected a batch of 1 to {LARGEST_BATCH} messages, found {}",
                batch.len()
            );
            return Some(failed(&Json::Null, &Problem::new(code, message)));
        }
        let replies: Vec<Json> = batch
            .into_iter()
            .filter_map(|message| self.message(connection, message))
            .collect();
        (!replies.is_empty()).then_some(Json::Array(replies))
    }

    /// The reply to a message; none to a notification.
    fn message(&mut self, connection: ConnectionId, message: Json) -> Option<Json> {
        let request = match request_of(message) {
            Ok(request) => request,
            Err((id, problem)) => return Some(failed(&id, &problem)),
        };
        let token = request.token;
        let outcome = request
            .call
            .and_then(|call| self.call(connection, token.as_deref(), call));
        if let Some(trouble) = self.table.as_mut().and_then(Tabletop::unreported) {
            self.tell_trouble(&trouble, false);
        }
        self.tell();
        Some(reply(&request.id?, outcome))
    }

    // ---- who may -----------------------------------------------------------

    /// By what right a message of a connection is said.
    fn right(&self, connection: ConnectionId, token: Option<&str>) -> Result<Right, Problem> {
        match token {
            Some(token) => self
                .seats
                .opened_by(token)
                .map(Right::Given)
                .ok_or_else(Problem::no_seat),
            None => Ok(self
                .connections
                .get(&connection)
                .map_or(Right::Nobody, |found| found.right)),
        }
    }

    fn seat(&self, right: Right) -> Seat {
        match right {
            Right::Nobody => Seat::Nobody,
            Right::Host => Seat::Host,
            Right::Given(number) => self.seats.get(number).cloned().unwrap_or_default(),
        }
    }

    fn call(
        &mut self,
        from: ConnectionId,
        token: Option<&str>,
        call: RpcCall,
    ) -> Result<Json, Problem> {
        let _span =
            tracing::info_span!(target: "houserule::embed", "request", method = call.name())
                .entered();
        let right = self.right(from, token)?;
        let seat = self.seat(right);
        seat.needs(call.role())?;
        match call {
            RpcCall::Hello(hello) if token.is_some() => self.hello_in_passing(from, right, hello),
            RpcCall::Hello(hello) => self.hello(from, right, hello),
            RpcCall::GiveSeat(seat) => self.give_seat(seat),
            RpcCall::RevokeSeat(SeatNumber { number }) => Ok(json!(self.revoke_seat(number)?)),
            RpcCall::Seats {} => Ok(json(&self.seats_given())),
            RpcCall::Scenarios {} => Ok(json(&self.scenarios())),
            RpcCall::Start(start) => {
                let table = Tabletop::start(&self.folders, &start)?;
                self.sit_down(table)
            }
            RpcCall::Load(load) => self.load(load),
            RpcCall::Resume(resume) => self.resume(resume),
            RpcCall::Subscribe(Look { viewer }) => self.subscribe(from, right, viewer.as_deref()),
            RpcCall::Unsubscribe(Look { viewer }) => {
                self.unsubscribe(from, right, viewer.as_deref())
            }
            RpcCall::Follow(follow) => self.follow(from, right, follow),
            RpcCall::Unfollow(Look { viewer }) => self.unfollow(from, right, viewer.as_deref()),
            RpcCall::Watch(WatchParams { on, past }) => {
                self.watching = on.then_some(past);
                self.expect_saves();
                if let Some(connection) = self.connections.get_mut(&from) {
                    connection.watches = on;
                }
                Ok(json!(true))
            }
            RpcCall::Reload(ReloadTo { past, viewer }) => {
                let reloaded = self
                    .table_in_play()?
                    .seated(&seat)
                    .reload(past, viewer.as_deref())?;
                self.tell_reloaded(&reloaded, Some(from));
                Ok(json(&reloaded))
            }
            RpcCall::Choose(choosing) => {
                let reloaded = self.table_in_play()?.seated(&seat).choose(&choosing)?;
                self.tell_reloaded(&reloaded, Some(from));
                Ok(json(&reloaded))
            }
            RpcCall::Branch(LookBack { viewer, at }) => self.branch(&seat, viewer.as_deref(), at),
            call => Ok(at_table(self.table_in_play()?, &seat, call)?),
        }
    }

    /// Sits down to the match of a save or a journal.
    fn load(&mut self, LoadParams { path, up_to }: LoadParams) -> Result<Json, Problem> {
        let loaded = match self.is_watching() {
            true => Tabletop::load_expecting_reloads(&path, &self.folders, up_to),
            false => Tabletop::load(&path, &self.folders, up_to),
        };
        self.sit_down_again(loaded?)
    }

    /// The same of a journal, which is written on from there.
    fn resume(&mut self, ResumeParams { path, durable }: ResumeParams) -> Result<Json, Problem> {
        let loaded = match self.is_watching() {
            true => Tabletop::resume_expecting_reloads(&path, &self.folders, durable),
            false => Tabletop::resume(&path, &self.folders, durable),
        };
        self.sit_down_again(loaded?)
    }

    fn table_in_play(&mut self) -> Result<&mut Tabletop, Problem> {
        self.table
            .as_mut()
            .ok_or_else(|| Problem::new(-32003, "no match is in play: start one"))
    }

    fn sit_down_again(&mut self, loaded: Loaded) -> Result<Json, Problem> {
        let standing = json(&LoadedAbout {
            status: loaded.table.standing(),
            torn: loaded.is_torn,
        });
        self.serve(loaded.table);
        Ok(standing)
    }

    fn sit_down(&mut self, table: Tabletop) -> Result<Json, Problem> {
        let standing = json(&table.standing());
        self.serve(table);
        Ok(standing)
    }

    // ---- notifications -----------------------------------------------------

    fn subscribe(
        &mut self,
        from: ConnectionId,
        right: Right,
        viewer: Option<&str>,
    ) -> Result<Json, Problem> {
        let viewer = self.seat(right).viewer(viewer)?;
        if let Some(table) = &self.table {
            table.standing_of(&viewer)?;
        }
        if let Some(connection) = self.connections.get_mut(&from) {
            let is_this = |one: &Subscription| one.viewer == viewer && one.right == right;
            if !connection.subscriptions.iter().any(is_this) {
                connection
                    .subscriptions
                    .push(Subscription::new(viewer, right));
            }
        }
        Ok(json!(true))
    }

    fn unsubscribe(
        &mut self,
        from: ConnectionId,
        right: Right,
        viewer: Option<&str>,
    ) -> Result<Json, Problem> {
        let viewer = self.seat(right).viewer(viewer)?;
        if let Some(connection) = self.connections.get_mut(&from) {
            connection
                .subscriptions
                .retain(|one| one.viewer != viewer || one.right != right);
        }
        Ok(json!(true))
    }

    /// Tells those who subscribed or follow what is new to them.
    fn tell(&mut self) {
        let Some(table) = &self.table else { return };
        for connection in self.connections.values_mut() {
            let Connection {
                subscriptions,
                follows,
                out,
                ..
            } = connection;
            subscriptions
                .iter_mut()
                .for_each(|one| one.tell(table, out));
            follows
                .iter_mut()
                .for_each(|one| self.feeds.tell(one, table, out));
        }
    }

    /// Lets a bot decide, if one must, and tells everybody: whether one did.
    pub fn bot_turn(&mut self) -> bool {
        let Some(table) = &mut self.table else {
            return false;
        };
        match table.bot_turn() {
            Ok(taken) => {
                self.tell();
                taken.is_some()
            }
            Err(trouble) => {
                self.tell_trouble(&trouble, true);
                self.tell();
                false
            }
        }
    }

    /// Tells everybody who is told anything that the game goes by other mods:
    /// what came of it is for those who may know.
    fn tell_reloaded(&mut self, reloaded: &Reloaded, except: Option<ConnectionId>) {
        let (whole, rules) = (
            notification("reloaded", reloaded),
            notification("reloaded", &reloaded.rules_alone()),
        );
        self.tell_all(except, |role| {
            Some(if role >= Role::Referee {
                whole.clone()
            } else {
                rules.clone()
            })
        });
    }

    /// Tells that something is broken to those who can mend it, and to everybody
    /// that it is, if that is why the game goes by the old mods.
    fn tell_trouble(&mut self, trouble: &Trouble, to_all: bool) {
        let line = |seat: &Seat| notification("fault", &seat.may_hear(trouble.clone()));
        let (host, referee, others) = (
            line(&Seat::Host),
            line(&Seat::Referee),
            line(&Seat::Spectator),
        );
        self.tell_all(None, |role| match role {
            Role::Host => Some(host.clone()),
            Role::Referee => Some(referee.clone()),
            Role::Seat | Role::Public => to_all.then(|| others.clone()),
        });
    }

    fn tell_all(&mut self, except: Option<ConnectionId>, line: impl Fn(Role) -> Option<String>) {
        let is_recipient = |(id, connection): &(&ConnectionId, &mut Connection)| {
            let is_recipient = connection.watches
                || !connection.subscriptions.is_empty()
                || !connection.follows.is_empty();
            is_recipient && Some(**id) != except
        };
        let Server {
            connections, seats, ..
        } = self;
        for (_, connection) in connections.iter_mut().filter(is_recipient) {
            let role = match connection.right {
                Right::Nobody => Role::Public,
                Right::Host => Role::Host,
                Right::Given(number) => seats.get(number).map_or(Role::Public, Seat::role),
            };
            connection.out.extend(line(role));
        }
    }
}

/// What needs a match in play, from a seat: here what tells of it.
fn at_table(table: &mut Tabletop, seat: &Seat, call: RpcCall) -> Result<Json, Trouble> {
    let mut table = table.seated(seat);
    Ok(match call {
        RpcCall::About(Look { viewer }) => json(&table.about(viewer.as_deref())?),
        RpcCall::Standing(Look { viewer }) => json(&table.standing(viewer.as_deref())?),
        RpcCall::Prompt(Look { viewer }) => json(&table.asking(viewer.as_deref())?),
        RpcCall::Catalogue(Look { viewer }) => json(&table.catalogue(viewer.as_deref())?),
        RpcCall::View(LookBack { viewer, at: None }) => json(&table.view(viewer.as_deref())?),
        RpcCall::View(LookBack {
            viewer,
            at: Some(event),
        }) => json(&table.view_at(viewer.as_deref(), event)?),
        RpcCall::Chart(PieceOf { viewer, piece }) => {
            json(&table.around(viewer.as_deref(), &piece)?)
        }
        RpcCall::News(NewsParams {
            viewer,
            timeline,
            since,
            limit,
        }) => json(&table.news(
            viewer.as_deref(),
            timeline,
            since,
            limit.map(NonZeroU32::get),
        )?),
        RpcCall::Decisions(Look { viewer }) => json(&table.decisions(viewer.as_deref())?),
        RpcCall::Why(WhyParams {
            viewer,
            event,
            whole,
        }) => json(&table.why(viewer.as_deref(), event, whole)?),
        RpcCall::Rules {} => json(&table.rules()?),
        RpcCall::Hash {} => json!(table.hash()?),
        call => deciding(&mut table, call)?,
    })
}

/// What a side decides with: what it might do, what comes of that, and doing it.
fn deciding(table: &mut Seated<'_>, call: RpcCall) -> Result<Json, Trouble> {
    Ok(match call {
        RpcCall::Legal(LegalOf {
            side,
            actor,
            allowed,
        }) => json(&table.some_legal(side.as_deref(), actor.as_ref(), allowed)?),
        RpcCall::NextParam(NextParamOf {
            side,
            action,
            actor,
            params,
        }) => json(&table.next_param(side.as_deref(), &action, actor.as_ref(), &params)?),
        RpcCall::Outlook(NextParamOf {
            side,
            action,
            actor,
            params,
        }) => json(&table.outlook(side.as_deref(), &action, actor.as_ref(), &params)?),
        RpcCall::Odds(OddsAs { viewer, of }) => json(&table.odds(viewer.as_deref(), &of)?),
        RpcCall::Submit(submission) => json(&table.submit(&submission)?),
        RpcCall::Undo(UndoParams { by, keep, number }) => json(&match number {
            None => table.undo(by.as_deref(), keep)?,
            // Together with a number nothing else is said: what reads the call holds to that.
            Some(number) => table.agree_to_undo(by.as_deref(), number)?,
        }),
        RpcCall::DeclineUndo(DeclineUndoParams { by, number }) => {
            table.decline_undo(by.as_deref(), number)?;
            json!(true)
        }
        call => running(table, call)?,
    })
}

/// What whoever runs the match does with it. Every method that is left is named
/// here, so that a new one that nobody has taken up does not compile.
fn running(table: &mut Seated<'_>, call: RpcCall) -> Result<Json, Trouble> {
    Ok(match call {
        RpcCall::AsTest(request) => json(&table.as_test(&request)?),
        RpcCall::AsCase(request) => json(&table.as_case(&request)?),
        RpcCall::Redo {} => json(&table.redo()?),
        RpcCall::BotTurn {} => json(&table.bot_turn()?),
        RpcCall::Bots {} => json(&table.bots()?),
        RpcCall::SetBot(SetBot { side, bot }) => {
            table.set_bot(&side, bot)?;
            json!(true)
        }
        RpcCall::Save(SaveParams { path }) => {
            table.save(&path)?;
            json!(true)
        }
        RpcCall::About(_)
        | RpcCall::Standing(_)
        | RpcCall::Prompt(_)
        | RpcCall::Catalogue(_)
        | RpcCall::View(_)
        | RpcCall::Chart(_)
        | RpcCall::News(_)
        | RpcCall::Decisions(_)
        | RpcCall::Why(_)
        | RpcCall::Rules {}
        | RpcCall::Hash {}
        | RpcCall::Legal(_)
        | RpcCall::NextParam(_)
        | RpcCall::Outlook(_)
        | RpcCall::Odds(_)
        | RpcCall::Submit(_)
        | RpcCall::Undo(_)
        | RpcCall::DeclineUndo(_)
        | RpcCall::Hello(_)
        | RpcCall::GiveSeat(_)
        | RpcCall::RevokeSeat(_)
        | RpcCall::Seats {}
        | RpcCall::Scenarios {}
        | RpcCall::Start(_)
        | RpcCall::Load(_)
        | RpcCall::Resume(_)
        | RpcCall::Subscribe(_)
        | RpcCall::Unsubscribe(_)
        | RpcCall::Follow(_)
        | RpcCall::Unfollow(_)
        | RpcCall::Watch(_)
        | RpcCall::Choose(_)
        | RpcCall::Branch(_)
        | RpcCall::Reload(_) => return Err(Trouble::Forbidden {}),
    })
}
