//! A room: one match, on a thread of its own, which nothing else touches.
//!
//! Clients come first, then one turn of a bot, then files that were saved. A
//! match that nobody has used for a while is put away: what is left of it is its
//! journal and its seats, from which it is taken up when somebody comes. Where
//! somebody is connected still, the connections stay, and the match is taken up
//! when one of them says something.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{Past, Seats, Tabletop, Trouble};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::{mpsc, oneshot};

use crate::branches::Branches;

/// So many messages of clients wait for a match; whoever sends more is told
/// that it is busy.
const MOST_WAITING: usize = 1_024;

/// So many messages wait for a client; one that does not read them loses its
/// connection, and is told everything when it comes back.
pub const MOST_UNREAD: usize = 512;

/// Files that change come in bursts; after this they are looked at.
const SETTLE: Duration = Duration::from_millis(15);

/// A file that is half written is looked at again after this.
const AGAIN: Duration = Duration::from_millis(60);

/// How a match is opened, again and again: it is put away in between.
pub struct Opening {
    /// Starts it, or takes it up where its journal ends.
    pub table: Box<dyn Fn() -> Result<Tabletop, Trouble> + Send>,
    /// The folders of mods, which are watched if `watch` says so.
    pub folders: Vec<PathBuf>,
    /// What becomes of the game so far when a rule is saved; `None` does not
    /// look at files.
    pub watch: Option<Past>,
    /// Bots wait so long before each decision, so that people can follow.
    pub pause: Duration,
    /// A match that nobody used for so long is put away; `None` never.
    pub idle: Option<Duration>,
    /// How matches are opened beside it, if they can be.
    pub branches: Option<Branches>,
}

/// What a room is woken by.
enum Wake {
    Enter(mpsc::Sender<String>, oneshot::Sender<ConnectionId>),
    Line(ConnectionId, Vec<u8>),
    Call(ConnectionId, Vec<u8>, oneshot::Sender<Option<String>>),
    TooLong(ConnectionId),
    Leave(ConnectionId),
    Files,
    /// The room is pulled down.
    Close,
}

/// Where a match is: on its thread, or put away.
enum Place {
    Awake(SyncSender<Wake>),
    Asleep(Seats),
}

/// A match that clients can enter.
pub struct Room {
    opening: Arc<Mutex<Opening>>,
    place: Arc<Mutex<Place>>,
    /// Whether the match is in memory.
    is_awake: Arc<AtomicBool>,
}

/// Why somebody cannot enter a room, or say something in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Too much is said there already.
    Busy,
    /// The match cannot be taken up.
    Broken(String),
}

/// A client in a room: what is for it comes out of `lines`.
pub struct Visit {
    /// What it is to be sent. It ends when the client was too slow, or the room
    /// is gone.
    pub lines: mpsc::Receiver<String>,
    id: ConnectionId,
    door: SyncSender<Wake>,
}

impl Room {
    /// A room that nobody has entered yet.
    pub fn new(opening: Opening, seats: Seats) -> Room {
        Room {
            opening: Arc::new(Mutex::new(opening)),
            place: Arc::new(Mutex::new(Place::Asleep(seats))),
            is_awake: Arc::default(),
        }
    }

    /// Whether its match is in memory, and not only in its journal.
    pub fn is_awake(&self) -> bool {
        self.is_awake.load(Ordering::Relaxed)
    }

    /// Takes the match up before anybody comes, so that the first need not wait.
    /// Bots wait for them.
    ///
    /// # Errors
    /// When the match cannot be taken up.
    pub async fn open(self: &Arc<Room>) -> Result<(), Closed> {
        self.door().await.map(drop)
    }

    /// Enters the room; its match is taken up if it was put away.
    ///
    /// # Errors
    /// When the room is busy, or its match cannot be taken up.
    pub async fn enter(self: &Arc<Room>) -> Result<Visit, Closed> {
        let (told, lines) = mpsc::channel(MOST_UNREAD);
        let (given, id) = oneshot::channel();
        let door = self.door().await?;
        door.try_send(Wake::Enter(told, given)).map_err(|_| Closed::Busy)?;
        let id = id.await.map_err(|_| Closed::Broken("the match has ended".into()))?;
        Ok(Visit { lines, id, door })
    }

    /// The door of the thread that plays the match. To take a match up can take
    /// seconds, in which other matches are not kept waiting.
    async fn door(self: &Arc<Room>) -> Result<SyncSender<Wake>, Closed> {
        if let Ok(place) = self.place.try_lock()
            && let Place::Awake(door) = &*place
        {
            return Ok(door.clone());
        }
        let room = self.clone();
        let woken = tokio::task::spawn_blocking(move || room.woken()).await;
        woken.unwrap_or_else(|error| Err(Closed::Broken(error.to_string())))
    }

    fn woken(&self) -> Result<SyncSender<Wake>, Closed> {
        let mut place = lock(&self.place);
        let seats = match &mut *place {
            Place::Awake(door) => return Ok(door.clone()),
            Place::Asleep(seats) => std::mem::take(seats),
        };
        let (door, wakes) = sync_channel(MOST_WAITING);
        let (ready, is_ready) = std::sync::mpsc::channel();
        let (opening, whereabouts, own) = (self.opening.clone(), self.place.clone(), door.clone());
        let is_awake = self.is_awake.clone();
        thread::spawn(move || {
            let opening = lock(&opening);
            match (opening.table)() {
                Ok(table) => {
                    let mut server = Server::with_seats(opening.folders.clone(), seats);
                    if let Some(branches) = opening.branches.clone() {
                        server.branch_by(Box::new(move |table, decisions| branches.open(table, decisions)));
                    }
                    server.serve(table);
                    // Nobody waits for it any more if the hall is gone.
                    let _ = ready.send(Ok(()));
                    let thread =
                        Thread { server, wakes, outs: BTreeMap::new(), used: Instant::now(), is_awake };
                    thread.run(&opening, own, &whereabouts);
                }
                Err(trouble) => drop(ready.send(Err((trouble.to_string(), seats)))),
            }
        });
        match is_ready.recv() {
            Ok(Ok(())) => {
                *place = Place::Awake(door.clone());
                Ok(door)
            }
            Ok(Err((reason, seats))) => {
                *place = Place::Asleep(seats);
                Err(Closed::Broken(reason))
            }
            Err(_) => Err(Closed::Broken("the match cannot be taken up".into())),
        }
    }
}

impl Drop for Room {
    /// Lets the thread go, and with it the journal.
    fn drop(&mut self) {
        if let Place::Awake(door) = &*lock(&self.place) {
            knock(door, Wake::Close);
        }
    }
}

/// Says something to a thread that may be busy, without waiting for it.
fn knock(door: &SyncSender<Wake>, wake: Wake) {
    if let Err(TrySendError::Full(wake)) = door.try_send(wake) {
        let door = door.clone();
        thread::spawn(move || door.send(wake));
    }
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
    pub fn say(&self, line: Vec<u8>) -> Result<(), Closed> {
        self.send(Wake::Line(self.id, line))
    }

    /// Says a line in the room and waits until it is done: its reply, if it asks
    /// for one. What else the client is told meanwhile is dropped.
    ///
    /// # Errors
    /// When the room is busy or gone.
    pub async fn call(&self, line: Vec<u8>) -> Result<Option<String>, Closed> {
        let (given, reply) = oneshot::channel();
        self.send(Wake::Call(self.id, line, given))?;
        reply.await.map_err(|_| Closed::Broken("the match has ended".into()))
    }

    /// A line was longer than lines may be.
    ///
    /// # Errors
    /// When the room is busy or gone.
    pub fn too_long(&self) -> Result<(), Closed> {
        self.send(Wake::TooLong(self.id))
    }

    fn send(&self, wake: Wake) -> Result<(), Closed> {
        self.door.try_send(wake).map_err(|error| match error {
            TrySendError::Full(_) => Closed::Busy,
            TrySendError::Disconnected(_) => Closed::Broken("the match has ended".into()),
        })
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        // A busy room learns of it when its line is dry.
        knock(&self.door, Wake::Leave(self.id));
    }
}

/// The thread of a room.
struct Thread {
    server: Server,
    wakes: Receiver<Wake>,
    outs: BTreeMap<ConnectionId, mpsc::Sender<String>>,
    /// When somebody was last here.
    used: Instant,
    is_awake: Arc<AtomicBool>,
}

/// What a thread does next.
enum Next {
    Wake(Wake),
    Bot,
    Look,
    Rest,
    End,
}

impl Thread {
    fn run(mut self, opening: &Opening, door: SyncSender<Wake>, place: &Mutex<Place>) {
        self.is_awake.store(true, Ordering::Relaxed);
        let _watcher = opening.watch.and_then(|past| {
            self.server.watch(past);
            watcher(&opening.folders, door)
        });
        let (mut is_dirty, mut has_bots) = (false, false);
        loop {
            match self.next(opening, is_dirty, has_bots) {
                Next::Wake(Wake::Files) => is_dirty = true,
                Next::Wake(wake) => {
                    // What was saved while the match slept is taken over now.
                    is_dirty |= self.take(wake, opening) && opening.watch.is_some();
                    has_bots = true;
                }
                Next::Bot => has_bots = self.server.bot_turn(),
                Next::Look => {
                    is_dirty = self.server.files_changed();
                    has_bots = true;
                    if is_dirty {
                        thread::sleep(AGAIN);
                    }
                }
                Next::Rest => {
                    if self.put_away(opening, place) {
                        return;
                    }
                }
                Next::End => return,
            }
            self.send();
        }
    }

    fn next(&self, opening: &Opening, is_dirty: bool, has_bots: bool) -> Next {
        let wait = match (is_dirty, has_bots) {
            (true, _) => SETTLE,
            (false, true) => opening.pause,
            (false, false) => opening.idle.unwrap_or(Duration::from_secs(3_600)),
        };
        match self.wakes.recv_timeout(wait) {
            Ok(Wake::Close) => Next::End,
            Ok(wake) => Next::Wake(wake),
            Err(RecvTimeoutError::Timeout) if is_dirty => Next::Look,
            Err(RecvTimeoutError::Timeout) if has_bots => Next::Bot,
            Err(RecvTimeoutError::Timeout) => Next::Rest,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        }
    }

    /// Does what is asked: whether the match was taken up for it.
    fn take(&mut self, wake: Wake, opening: &Opening) -> bool {
        self.used = Instant::now();
        let is_roused = !matches!(wake, Wake::Leave(_) | Wake::Files) && self.rouse(opening);
        match wake {
            Wake::Enter(out, given) => {
                let id = self.server.connect();
                self.outs.insert(id, out);
                if given.send(id).is_err() {
                    self.leave(id);
                }
            }
            Wake::Line(id, line) => {
                self.server.line(id, &line);
            }
            Wake::Call(id, line, given) => {
                let is_answered = self.server.line(id, &line);
                let reply = self.server.drain(id).pop().filter(|_| is_answered);
                // Whoever is gone need not hear it.
                let _ = given.send(reply);
            }
            Wake::TooLong(id) => self.server.too_long(id),
            Wake::Leave(id) => self.leave(id),
            Wake::Files | Wake::Close => {}
        }
        is_roused
    }

    /// Takes the match up, if it was put away and can be.
    fn rouse(&mut self, opening: &Opening) -> bool {
        if self.server.table().is_some() {
            return false;
        }
        match (opening.table)() {
            Ok(table) => self.server.wake(table),
            Err(trouble) => {
                tracing::warn!(%trouble, "a match cannot be taken up");
                return false;
            }
        }
        self.is_awake.store(true, Ordering::Relaxed);
        true
    }

    fn leave(&mut self, id: ConnectionId) {
        self.server.disconnect(id);
        self.outs.remove(&id);
    }

    /// Gives everybody what is for them; those who do not read lose their
    /// connection.
    fn send(&mut self) {
        let mut slow = Vec::new();
        for (id, out) in &self.outs {
            for line in self.server.drain(*id) {
                if out.try_send(line).is_err() {
                    slow.push(*id);
                    break;
                }
            }
        }
        slow.into_iter().for_each(|id| self.leave(id));
    }

    /// Puts the match away, if it may be; and the room with it, if nobody is
    /// there or at the door: whether it did so.
    fn put_away(&mut self, opening: &Opening, place: &Mutex<Place>) -> bool {
        let is_kept = self.server.table().is_none_or(Tabletop::has_journal);
        let is_idle = opening.idle.is_some_and(|idle| self.used.elapsed() >= idle);
        if !is_kept || !is_idle {
            return false;
        }
        self.server.sleep();
        self.is_awake.store(false, Ordering::Relaxed);
        if !self.outs.is_empty() {
            return false;
        }
        let mut place = lock(place);
        match self.wakes.try_recv() {
            Ok(Wake::Close) => return true,
            Ok(wake) => {
                drop(place);
                self.take(wake, opening);
                return false;
            }
            Err(_) => {}
        }
        *place = Place::Asleep(self.server.take_seats());
        true
    }
}

/// Tells a room when anything in the folders changes. Where that cannot be
/// watched, rules are taken over by `reload` alone.
fn watcher(folders: &[PathBuf], door: SyncSender<Wake>) -> Option<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // A room that is full looks at its files soon enough.
            let _ = door.try_send(Wake::Files);
        }
    })
    .ok()?;
    for folder in folders {
        watcher.watch(folder, RecursiveMode::Recursive).ok()?;
    }
    Some(watcher)
}
