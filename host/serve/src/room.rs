//! A room: one match, on a thread of its own, which nothing else touches.
//!
//! Clients come first, each seat in its turn, then one turn of a bot, then files that
//! were saved. A
//! match that nobody has used for a while is put away, and its thread ends: what
//! is left of it is its journal, its seats, and who is connected. It is taken up
//! on a thread of its own again when one of them says something, or somebody
//! comes. So is one whose thread has panicked: its seats stay given, and those who
//! were connected come again.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use houserule::embed::rpc::{Branched, ConnectionId, Server, Sleeping};
use houserule::embed::{ReloadMode, SeatKeys, Seats, Tabletop, Trouble};
use tokio::sync::{mpsc, oneshot};

use crate::turns::{LinePart, Speaker, Turns, WaitingLine};
use crate::watching::{AGAIN, QUIET, SETTLE, watcher};

/// So many messages of clients wait for a match; whoever sends more is told
/// that it is busy.
const MOST_WAITING: usize = 1_024;

/// So many messages wait for a client; one that does not read them loses its
/// connection, and is told everything when it comes back.
pub const MOST_UNREAD: usize = 512;

/// Opens a match in a room of its own that goes on from so many decisions of
/// another.
pub type BranchOpener = Arc<dyn Fn(&Tabletop, usize) -> Result<Branched, Trouble> + Send + Sync>;

/// How a match is opened, again and again: it is put away in between.
pub struct Opening {
    /// Starts it, or takes it up where its journal ends.
    pub table: Box<dyn Fn() -> Result<Tabletop, Trouble> + Send>,
    /// The folders of mods, which are watched if `watch` says so.
    pub folders: Vec<PathBuf>,
    /// What becomes of the game so far when a rule is saved; `None` does not
    /// look at files.
    pub watch: Option<ReloadMode>,
    /// Bots wait so long before each decision, so that people can follow.
    pub pause: Duration,
    /// A match that nobody used for so long is put away; `None` never.
    pub idle: Option<Duration>,
    /// How matches are opened beside it, if they can be.
    pub branches: Option<BranchOpener>,
}

/// What a room is woken by.
enum Wake {
    /// The match is to be taken up, for nobody yet.
    Open(oneshot::Sender<Result<(), RoomError>>),
    Enter(
        mpsc::Sender<String>,
        oneshot::Sender<Result<ConnectionId, RoomError>>,
    ),
    Line(ConnectionId, Vec<u8>),
    Call(ConnectionId, Vec<u8>, oneshot::Sender<Option<String>>),
    TooLong(ConnectionId),
    Leave(ConnectionId),
    Files,
    /// The room is pulled down.
    Close,
}

/// Where a match is.
enum MatchPlace {
    /// Put away: no thread is there for it.
    Asleep(Box<Asleep>),
    /// On its thread, or about to be.
    Awake,
    /// Nowhere: the room is gone.
    Closed,
}

/// What stays of a match that is put away, and of those who are connected.
struct Asleep {
    sleeping: Sleeping,
    wakes: Receiver<Wake>,
    outs: Outs,
    /// Whether it was awake before: files may have changed since.
    was_awake: bool,
}

/// What is to be sent to each client.
type Outs = BTreeMap<ConnectionId, mpsc::Sender<String>>;

/// A match that clients can enter.
pub struct Room {
    shared: Arc<RoomState>,
}

/// What a room, those who are in it and its thread have in common.
struct RoomState {
    opening: Mutex<Opening>,
    /// Held for a moment alone, never while a match is taken up.
    place: Mutex<MatchPlace>,
    door: SyncSender<Wake>,
    /// Whether the match is in memory.
    is_awake: AtomicBool,
    /// Whether the match could not be taken up when it was last called for.
    is_broken: AtomicBool,
    /// Whether tokens open seats of it.
    keys: SeatKeys,
}

/// Why somebody cannot enter a room, or say something in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoomError {
    /// Too much is said there already.
    Busy,
    /// The match cannot be taken up.
    Broken(String),
}

impl RoomError {
    fn ended() -> RoomError {
        RoomError::Broken("the match has ended".into())
    }
}

/// A client in a room: what is for it comes out of `lines`.
pub struct Visit {
    /// What it is to be sent. It ends when the client was too slow, or the room
    /// is gone.
    pub lines: mpsc::Receiver<String>,
    id: ConnectionId,
    shared: Arc<RoomState>,
}

impl Room {
    /// A room that nobody has entered yet.
    pub fn new(opening: Opening, seats: Seats) -> Room {
        let (door, wakes) = sync_channel(MOST_WAITING);
        let keys = seats.keys();
        let sleeping = Server::with_seats(opening.folders.clone(), seats).put_away();
        let asleep = Asleep {
            sleeping,
            wakes,
            outs: Outs::new(),
            was_awake: false,
        };
        let place = Mutex::new(MatchPlace::Asleep(Box::new(asleep)));
        Room {
            shared: Arc::new(RoomState {
                opening: Mutex::new(opening),
                place,
                door,
                is_awake: AtomicBool::new(false),
                is_broken: AtomicBool::new(false),
                keys,
            }),
        }
    }

    /// Whether its match is in memory, and not only in its journal.
    pub fn is_awake(&self) -> bool {
        self.shared.is_awake.load(Ordering::Relaxed)
    }

    /// Whether a token opens a seat at this moment. It is known without the match,
    /// which goes on sleeping.
    pub fn opens(&self, token: &str) -> bool {
        self.shared.keys.opens(token)
    }

    /// Whether its match is put away, and nobody is connected to it.
    pub fn is_left(&self) -> bool {
        let place = lock(&self.shared.place);
        matches!(&*place, MatchPlace::Asleep(asleep) if asleep.outs.is_empty())
    }

    /// Takes the match up before anybody comes, so that the first need not wait.
    /// Bots wait for them.
    ///
    /// # Errors
    /// When the match cannot be taken up.
    pub async fn open(&self) -> Result<(), RoomError> {
        let (given, is_open) = oneshot::channel();
        self.shared.say(Wake::Open(given))?;
        is_open.await.unwrap_or_else(|_| Err(RoomError::ended()))
    }

    /// Enters the room. A match that was put away is taken up when somebody in it shows
    /// a token that opens a seat; that can take seconds, in which other matches are not
    /// kept waiting.
    ///
    /// # Errors
    /// When the room is busy or gone.
    pub async fn enter(&self) -> Result<Visit, RoomError> {
        let (sender, lines) = mpsc::channel(MOST_UNREAD);
        let (given, id) = oneshot::channel();
        self.shared.say(Wake::Enter(sender, given))?;
        let id = id.await.unwrap_or_else(|_| Err(RoomError::ended()))?;
        Ok(Visit {
            lines,
            id,
            shared: self.shared.clone(),
        })
    }
}

impl Drop for Room {
    /// Lets the thread go, and with it the journal; or those who are connected
    /// to a match that sleeps.
    fn drop(&mut self) {
        let mut place = lock(&self.shared.place);
        match *place {
            MatchPlace::Awake => self.shared.knock(Wake::Close),
            MatchPlace::Asleep(_) | MatchPlace::Closed => *place = MatchPlace::Closed,
        }
    }
}

impl RoomState {
    /// Says something to the thread of the match, which is there from then on
    /// if it was not.
    fn say(self: &Arc<Self>, wake: Wake) -> Result<(), RoomError> {
        let mut place = lock(&self.place);
        self.door.try_send(wake).map_err(|error| match error {
            TrySendError::Full(_) => RoomError::Busy,
            TrySendError::Disconnected(_) => RoomError::ended(),
        })?;
        if let MatchPlace::Asleep(_) = *place
            && let MatchPlace::Asleep(asleep) = std::mem::replace(&mut *place, MatchPlace::Awake)
        {
            let shared = self.clone();
            thread::spawn(move || shared.play(*asleep));
        }
        Ok(())
    }

    /// Somebody has gone; a match that sleeps goes on sleeping.
    fn leave(&self, id: ConnectionId) {
        match &mut *lock(&self.place) {
            MatchPlace::Asleep(asleep) => {
                asleep.sleeping.disconnect(id);
                asleep.outs.remove(&id);
            }
            // A busy room learns of it when its line is dry.
            MatchPlace::Awake => self.knock(Wake::Leave(id)),
            MatchPlace::Closed => {}
        }
    }

    /// Says something to a thread that may be busy, without waiting for it.
    fn knock(&self, wake: Wake) {
        if let Err(TrySendError::Full(wake)) = self.door.try_send(wake) {
            let door = self.door.clone();
            thread::spawn(move || door.send(wake));
        }
    }

    /// Plays the match, until it is put away. A panic puts it away too.
    fn play(&self, asleep: Asleep) {
        let opening = lock(&self.opening);
        let mut next = Some((Thread::of(asleep, &opening, self), None));
        while let Some((mut thread, came)) = next.take() {
            // Of what a panic has left, nothing is used but whole seats.
            match catch_unwind(AssertUnwindSafe(|| thread.run(&opening, came))) {
                Ok(RoomEnd::Closed) => return,
                Ok(RoomEnd::Rest) => {}
                Err(_) => thread.turn_out(),
            }
            next = thread.put_away();
        }
    }
}

/// By the clock of this machine, in seconds.
pub fn since_1970() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |passed| passed.as_secs())
}

/// A lock that a thread which panicked held is as good as any: what it guards
/// is replaced whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Visit {
    /// Says a line in the room.
    ///
    /// # Errors
    /// When the room is busy or gone.
    pub fn say(&self, line: Vec<u8>) -> Result<(), RoomError> {
        self.shared.say(Wake::Line(self.id, line))
    }

    /// Says a line in the room and waits until it is done: its reply, if it asks
    /// for one. What else the client is told meanwhile is dropped.
    ///
    /// # Errors
    /// When the room is busy or gone.
    pub async fn call(&self, line: Vec<u8>) -> Result<Option<String>, RoomError> {
        let (given, reply) = oneshot::channel();
        self.shared.say(Wake::Call(self.id, line, given))?;
        reply.await.map_err(|_| RoomError::ended())
    }

    /// Whether the match that the room is for could not be taken up.
    pub fn is_of_a_broken_match(&self) -> bool {
        self.shared.is_broken.load(Ordering::Relaxed)
    }

    /// A line was longer than lines may be.
    ///
    /// # Errors
    /// When the room is busy or gone.
    pub fn too_long(&self) -> Result<(), RoomError> {
        self.shared.say(Wake::TooLong(self.id))
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.shared.leave(self.id);
    }
}

/// The thread of a room.
struct Thread<'a> {
    server: Server,
    wakes: Receiver<Wake>,
    /// What was said and is not done yet.
    turns: Turns,
    outs: Outs,
    /// When somebody was last here.
    used: Instant,
    /// Why the match could not be taken up.
    broken: Option<String>,
    /// Whether what was saved while the match slept is to be taken over.
    was_awake: bool,
    shared: &'a RoomState,
}

/// What a thread does next.
enum Next {
    Wake(Wake),
    Turn,
    Bot,
    Look,
    WarmUp,
    Rest,
    End,
}

/// How a thread ends.
enum RoomEnd {
    /// The match is to be put away.
    Rest,
    /// The room is gone.
    Closed,
}

impl<'a> Thread<'a> {
    fn of(asleep: Asleep, opening: &Opening, shared: &'a RoomState) -> Thread<'a> {
        let Asleep {
            sleeping,
            wakes,
            outs,
            was_awake,
        } = asleep;
        let mut server = sleeping.taken_up();
        if let Some(branches) = opening.branches.clone() {
            server.branch_by(Box::new(move |table, decisions| branches(table, decisions)));
        }
        Thread {
            server,
            wakes,
            turns: Turns::default(),
            outs,
            used: Instant::now(),
            broken: None,
            was_awake,
            shared,
        }
    }

    /// Plays until the match may be put away; first does what has come already.
    fn run(&mut self, opening: &Opening, mut came: Option<Wake>) -> RoomEnd {
        let (mut is_dirty, mut has_bots) = (self.was_awake && opening.watch.is_some(), false);
        let _watcher = opening.watch.and_then(|past| {
            self.server.watch(past);
            let door = self.shared.door.clone();
            // A room that is full looks at its files soon enough.
            watcher(&opening.folders, move || drop(door.try_send(Wake::Files)))
        });
        let mut was_looking = false;
        loop {
            if std::mem::take(&mut was_looking) {
                self.server.tidy();
            }
            let next = match came.take() {
                Some(wake) => Next::Wake(wake),
                None => self.next(opening, is_dirty, has_bots),
            };
            self.server.expire(since_1970());
            match next {
                Next::Wake(Wake::Files) => is_dirty = true,
                Next::Wake(Wake::Close) | Next::End => return RoomEnd::Closed,
                Next::Wake(wake) => {
                    has_bots |= !matches!(wake, Wake::Open(_) | Wake::Enter(..));
                    is_dirty |= self.take(wake, opening) && opening.watch.is_some();
                }
                Next::Turn => self.turn(),
                Next::Bot => has_bots = self.server.bot_turn(),
                Next::Look => {
                    is_dirty = self.server.files_changed();
                    (has_bots, was_looking) = (true, true);
                    if is_dirty {
                        thread::sleep(AGAIN);
                    }
                }
                Next::WarmUp => self.server.warm_up(),
                Next::Rest if self.may_rest(opening) => return RoomEnd::Rest,
                Next::Rest => {}
            }
            self.send();
        }
    }

    fn next(&self, opening: &Opening, is_dirty: bool, has_bots: bool) -> Next {
        match self.turns.len() {
            0 => {}
            // Whoever has spoken meanwhile has a turn too, as long as there is room.
            1..MOST_WAITING => match self.wakes.try_recv() {
                Ok(Wake::Close) => return Next::End,
                Ok(wake) => return Next::Wake(wake),
                Err(_) => return Next::Turn,
            },
            _ => return Next::Turn,
        }
        let is_cold = self.server.is_cold();
        let wait = match (&self.broken, is_dirty, has_bots) {
            (Some(_), ..) => Duration::ZERO,
            (None, true, _) => SETTLE,
            (None, false, true) => opening.pause,
            (None, false, false) if is_cold => QUIET,
            (None, false, false) => opening.idle.unwrap_or(Duration::from_secs(3_600)),
        };
        match self.wakes.recv_timeout(wait) {
            Ok(Wake::Close) => Next::End,
            Ok(wake) => Next::Wake(wake),
            Err(RecvTimeoutError::Timeout) if self.broken.is_some() => Next::Rest,
            Err(RecvTimeoutError::Timeout) if is_dirty => Next::Look,
            Err(RecvTimeoutError::Timeout) if has_bots => Next::Bot,
            Err(RecvTimeoutError::Timeout) if is_cold => Next::WarmUp,
            Err(RecvTimeoutError::Timeout) => Next::Rest,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        }
    }

    /// Does what is asked: whether the match was taken up for it.
    fn take(&mut self, wake: Wake, opening: &Opening) -> bool {
        let is_called_for = match &wake {
            Wake::Open(_) => true,
            Wake::Line(id, line) | Wake::Call(id, line, _) => {
                self.server.is_said_by_a_seat(*id, line)
            }
            // Who comes is nobody until it shows a token.
            Wake::Enter(..) | Wake::TooLong(_) | Wake::Leave(_) | Wake::Files | Wake::Close => {
                false
            }
        };
        if is_called_for {
            self.used = Instant::now();
        }
        let is_roused = is_called_for && self.broken.is_none() && self.take_up(opening);
        match wake {
            // Whoever waited for it may be gone.
            Wake::Open(given) => drop(given.send(self.is_there())),
            Wake::Enter(out, given) => self.enter(out, given),
            // There is nothing to be heard by.
            Wake::Line(id, _) | Wake::Call(id, ..) if self.broken.is_some() => self.leave(id),
            Wake::Line(id, line) => self.hear(WaitingLine::new(id, line, None)),
            Wake::Call(id, line, given) => self.hear(WaitingLine::new(id, line, Some(given))),
            Wake::TooLong(id) => self.server.too_long(id),
            Wake::Leave(id) => self.leave(id),
            Wake::Files | Wake::Close => {}
        }
        is_roused
    }

    /// Somebody is heard when its turn comes. Whoever is not here hears that nobody
    /// answers.
    fn hear(&mut self, said: WaitingLine) {
        if self.outs.contains_key(&said.id) {
            let held = self.server.seat_held(said.id);
            let speaker = held.map_or(Speaker::Stranger(said.id), Speaker::Seat);
            self.turns.push(speaker, said);
        }
    }

    /// Does one message of whoever has its turn.
    fn turn(&mut self) {
        let Some((speaker, mut said)) = self.turns.next() else {
            return;
        };
        let id = said.id;
        let is_answered = match said.next() {
            Some(LinePart::Message(message)) => self.server.one(id, message),
            Some(LinePart::Line(line)) => self.server.line(id, &line),
            None => false,
        };
        let mut told = self.server.drain(id);
        let reply = if is_answered { told.pop() } else { None };
        let (reply, is_done) = (said.replied(reply), said.is_done());
        match said.given.take() {
            // Whoever is gone need not hear it; what else it is told is dropped.
            Some(given) if is_done => drop(given.send(reply)),
            Some(given) => said.given = Some(given),
            None => self.give(id, told.into_iter().chain(reply)),
        }
        if !is_done && self.outs.contains_key(&id) {
            self.turns.put_back(speaker, said);
        }
    }

    /// Gives somebody what is for it; who does not read loses its connection.
    fn give(&mut self, id: ConnectionId, mut lines: impl Iterator<Item = String>) {
        let is_slow = match self.outs.get(&id) {
            Some(out) => lines.any(|line| out.try_send(line).is_err()),
            None => false,
        };
        if is_slow {
            self.leave(id);
        }
    }

    /// Takes the match up, if it was put away and can be.
    fn take_up(&mut self, opening: &Opening) -> bool {
        if self.server.table().is_some() {
            return false;
        }
        match (opening.table)() {
            Ok(table) => self.server.wake(table),
            Err(trouble) => {
                tracing::warn!(target: "houserule::serve", %trouble, "a match cannot be taken up");
                self.broken = Some(trouble.to_string());
                self.shared.is_broken.store(true, Ordering::Relaxed);
                return false;
            }
        }
        self.shared.is_broken.store(false, Ordering::Relaxed);
        self.shared.is_awake.store(true, Ordering::Relaxed);
        true
    }

    fn is_there(&self) -> Result<(), RoomError> {
        match &self.broken {
            Some(reason) => Err(RoomError::Broken(reason.clone())),
            None => Ok(()),
        }
    }

    fn enter(
        &mut self,
        out: mpsc::Sender<String>,
        given: oneshot::Sender<Result<ConnectionId, RoomError>>,
    ) {
        // Whoever comes as a match that cannot be taken up is put away hears of that when it calls for it.
        let id = self.server.connect();
        self.outs.insert(id, out);
        if given.send(Ok(id)).is_err() {
            self.leave(id);
        }
    }

    fn leave(&mut self, id: ConnectionId) {
        self.server.disconnect(id);
        self.turns.forget(id);
        self.outs.remove(&id);
    }

    /// Gives everybody what is for them; those who do not read lose their
    /// connection.
    fn send(&mut self) {
        let all: Vec<ConnectionId> = self.outs.keys().copied().collect();
        for id in all {
            let lines = self.server.drain(id);
            self.give(id, lines.into_iter());
        }
    }

    /// Whether nobody needs the match, and nothing of it is lost.
    fn may_rest(&self, opening: &Opening) -> bool {
        let is_kept = self.server.table().is_none_or(Tabletop::has_journal);
        let is_idle = opening.idle.is_some_and(|idle| self.used.elapsed() >= idle);
        self.broken.is_some() || is_kept && is_idle
    }

    /// After a panic: those who were connected are shown out, for what they were told
    /// last and what they wait for nobody knows. They come back, and are told all.
    fn turn_out(&mut self) {
        tracing::error!(target: "houserule::serve", "the thread of a match has panicked; the match is taken up again from its journal");
        self.turns = Turns::default();
        for id in std::mem::take(&mut self.outs).into_keys() {
            self.server.disconnect(id);
        }
    }

    /// Puts the match away, and the thread ends; it goes on, with what it is to do,
    /// where somebody has come meanwhile.
    fn put_away(mut self) -> Option<(Self, Option<Wake>)> {
        self.server.sleep();
        self.shared.is_awake.store(false, Ordering::Relaxed);
        self.was_awake = true;
        let mut place = lock(&self.shared.place);
        match self.wakes.try_recv() {
            Ok(Wake::Close) => {}
            Ok(wake) => {
                drop(place);
                self.broken = None;
                return Some((self, Some(wake)));
            }
            Err(_) => {
                let Thread {
                    server,
                    wakes,
                    outs,
                    was_awake,
                    ..
                } = self;
                let asleep = Asleep {
                    sleeping: server.put_away(),
                    wakes,
                    outs,
                    was_awake,
                };
                *place = MatchPlace::Asleep(Box::new(asleep));
            }
        }
        None
    }
}
