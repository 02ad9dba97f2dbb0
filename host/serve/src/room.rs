//! A room: one match, on a thread of its own, which nothing else touches.
//!
//! Clients come first, then one turn of a bot, then files that were saved. A
//! match that nobody has used for a while is put away, and its thread ends: what
//! is left of it is its journal, its seats, and who is connected. It is taken up
//! on a thread of its own again when one of them says something, or somebody
//! comes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use houserule::embed::rpc::{Branched, ConnectionId, Server, Sleeping};
use houserule::embed::{ReloadMode, Seats, Tabletop, Trouble};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::{mpsc, oneshot};

/// So many messages of clients wait for a match; whoever sends more is told
/// that it is busy.
const MOST_WAITING: usize = 1_024;

/// So many messages wait for a client; one that does not read them loses its
/// connection, and is told everything when it comes back.
pub const MOST_UNREAD: usize = 512;

/// Files that change come in bursts; after this they are looked at.
const SETTLE: Duration = Duration::from_millis(15);

/// When nobody has asked for anything so long, the first save is made ready for.
const QUIET: Duration = Duration::from_millis(200);

/// A file that is half written is looked at again after this.
const AGAIN: Duration = Duration::from_millis(60);

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
    shared: Arc<Shared>,
}

/// What a room, those who are in it and its thread have in common.
struct Shared {
    opening: Mutex<Opening>,
    /// Held for a moment alone, never while a match is taken up.
    place: Mutex<MatchPlace>,
    door: SyncSender<Wake>,
    /// Whether the match is in memory.
    is_awake: AtomicBool,
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
    shared: Arc<Shared>,
}

impl Room {
    /// A room that nobody has entered yet.
    pub fn new(opening: Opening, seats: Seats) -> Room {
        let (door, wakes) = sync_channel(MOST_WAITING);
        let sleeping = Server::with_seats(opening.folders.clone(), seats).put_away();
        let asleep = Asleep {
            sleeping,
            wakes,
            outs: Outs::new(),
            was_awake: false,
        };
        let place = Mutex::new(MatchPlace::Asleep(Box::new(asleep)));
        let (opening, is_awake) = (Mutex::new(opening), AtomicBool::new(false));
        Room {
            shared: Arc::new(Shared {
                opening,
                place,
                door,
                is_awake,
            }),
        }
    }

    /// Whether its match is in memory, and not only in its journal.
    pub fn is_awake(&self) -> bool {
        self.shared.is_awake.load(Ordering::Relaxed)
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

    /// Enters the room; its match is taken up if it was put away. That can take
    /// seconds, in which other matches are not kept waiting.
    ///
    /// # Errors
    /// When the room is busy, or its match cannot be taken up.
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

impl Shared {
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

    /// Plays the match, until it is put away.
    fn play(&self, asleep: Asleep) {
        let opening = lock(&self.opening);
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
        let thread = Thread {
            server,
            wakes,
            outs,
            used: Instant::now(),
            broken: None,
            shared: self,
        };
        thread.run(&opening, was_awake);
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
    outs: Outs,
    /// When somebody was last here.
    used: Instant,
    /// Why the match could not be taken up.
    broken: Option<String>,
    shared: &'a Shared,
}

/// What a thread does next.
enum Next {
    Wake(Wake),
    Bot,
    Look,
    WarmUp,
    Rest,
    End,
}

impl Thread<'_> {
    fn run(mut self, opening: &Opening, was_awake: bool) {
        // What was saved while the match slept is taken over now.
        let (mut is_dirty, mut has_bots) = (was_awake && opening.watch.is_some(), false);
        self.take_up(opening);
        let _watcher = opening.watch.and_then(|past| {
            self.server.watch(past);
            watcher(&opening.folders, self.shared.door.clone())
        });
        let (mut was_looking, mut came) = (false, None);
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
                Next::Wake(wake) => {
                    has_bots |= !matches!(wake, Wake::Open(_));
                    is_dirty |= self.take(wake, opening) && opening.watch.is_some();
                }
                Next::Bot => has_bots = self.server.bot_turn(),
                Next::Look => {
                    is_dirty = self.server.files_changed();
                    (has_bots, was_looking) = (true, true);
                    if is_dirty {
                        thread::sleep(AGAIN);
                    }
                }
                Next::WarmUp => self.server.warm_up(),
                Next::Rest => match self.put_away(opening) {
                    Some(awake) => (self, came) = awake,
                    None => return,
                },
                Next::End => return,
            }
            self.send();
        }
    }

    fn next(&self, opening: &Opening, is_dirty: bool, has_bots: bool) -> Next {
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
        self.used = Instant::now();
        let is_quiet = matches!(wake, Wake::Leave(_) | Wake::Files);
        let is_roused = !is_quiet && self.broken.is_none() && self.take_up(opening);
        match wake {
            // Whoever waited for it may be gone.
            Wake::Open(given) => drop(given.send(self.is_there())),
            Wake::Enter(out, given) => self.enter(out, given),
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
    fn take_up(&mut self, opening: &Opening) -> bool {
        if self.server.table().is_some() {
            return false;
        }
        match (opening.table)() {
            Ok(table) => self.server.wake(table),
            Err(trouble) => {
                tracing::warn!(target: "houserule::serve", %trouble, "a match cannot be taken up");
                self.broken = Some(trouble.to_string());
                return false;
            }
        }
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
        if let Err(closed) = self.is_there() {
            drop(given.send(Err(closed)));
            return;
        }
        let id = self.server.connect();
        self.outs.insert(id, out);
        if given.send(Ok(id)).is_err() {
            self.leave(id);
        }
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

    /// Puts the match away, if it may be, and the thread ends; it goes on, with
    /// what it is to do, where somebody has come meanwhile.
    fn put_away(mut self, opening: &Opening) -> Option<(Self, Option<Wake>)> {
        let is_kept = self.server.table().is_none_or(Tabletop::has_journal);
        let is_idle = opening.idle.is_some_and(|idle| self.used.elapsed() >= idle);
        if self.broken.is_none() && !(is_kept && is_idle) {
            return Some((self, None));
        }
        self.server.sleep();
        self.shared.is_awake.store(false, Ordering::Relaxed);
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
                    ..
                } = self;
                let asleep = Asleep {
                    sleeping: server.put_away(),
                    wakes,
                    outs,
                    was_awake: true,
                };
                *place = MatchPlace::Asleep(Box::new(asleep));
            }
        }
        None
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
