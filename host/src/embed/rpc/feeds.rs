//! What those are told who follow a match: each change is made once for each
//! viewer, however many connections follow as it, and kept for a while for
//! those whose line breaks.

use std::collections::{BTreeMap, VecDeque};

use kernel::stamp::Stamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::calls::Follow;
use super::messages::{Problem, notification};
use super::{ConnectionId, Right, Server};
use crate::embed::{Detail, Following, Tabletop, ViewChange};

/// So many changes are kept for those who come back.
const MOST_KEPT: usize = 256;

/// A change as it is told: whose it is, of which game, and its number.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChangeNotice")]
pub(super) struct Notice<'a> {
    /// As whom it is seen; not there where that is the viewer that `hello` told this
    /// connection before it followed, unless this is everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    viewer: Option<&'a str>,
    /// The game, with everything: later changes are of the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a str>,
    /// Its number, from 1: the next one is one more, or whole.
    seq: u64,
    /// What has changed.
    #[serde(flatten)]
    change: &'a ViewChange,
}

/// One who follows, and how far it was told.
pub(super) struct Follower {
    pub viewer: String,
    pub right: Right,
    /// How much it wants to be told of what has happened.
    pub detail: Detail,
    /// Whether `hello` told its connection that it looks as this viewer.
    pub is_first: bool,
    /// The last change that it has; `None` if it knows nothing of this game.
    pub has: Option<u64>,
}

impl Follower {
    /// Another game begins.
    pub fn begin(&mut self) {
        self.has = None;
    }
}

/// A change that is kept, and the lines that were made of it.
struct KeptChange {
    seq: u64,
    change: ViewChange,
    lines: BTreeMap<(Detail, bool), String>,
}

impl KeptChange {
    /// The change as a follower is told of it.
    fn line(&mut self, follower: &Follower) -> String {
        let KeptChange { seq, change, lines } = self;
        let line = lines
            .entry((follower.detail, follower.is_first))
            .or_insert_with(|| {
                let viewer = (!follower.is_first).then_some(&*follower.viewer);
                let change = &change.in_detail(follower.detail);
                notification(
                    "change",
                    &Notice {
                        viewer,
                        game: None,
                        seq: *seq,
                        change,
                    },
                )
            });
        line.clone()
    }
}

/// The changes of one viewer.
#[derive(Default)]
struct Feed {
    /// Nothing while the match sleeps.
    following: Option<Following>,
    /// When it was last brought up to date.
    moment: Stamp,
    seq: u64,
    kept: VecDeque<KeptChange>,
}

/// The changes of all viewers that somebody follows.
#[derive(Default)]
pub(super) struct Feeds {
    games: u32,
    /// Of this server alone: one that goes on after it, or after a sleep of the
    /// match, counts changes anew.
    own: u32,
    feeds: BTreeMap<String, Feed>,
}

impl Feeds {
    /// Another game begins.
    pub fn begin(&mut self) {
        self.games += 1;
        // Where there is no randomness, processes differ by their numbers.
        self.own = getrandom::u32().unwrap_or_else(|_| std::process::id());
        self.feeds.clear();
    }

    /// The game that was begun is taken up again; the first one begins.
    pub fn wake(&mut self) {
        if self.games == 0 {
            self.begin();
        }
    }

    /// What the game is called in changes: no other is, of this server or of
    /// one before it.
    pub fn game(&self) -> String {
        format!("g{}-{:08x}", self.games, self.own)
    }

    /// Tells a follower what it does not have yet.
    pub fn tell(&mut self, follower: &mut Follower, table: &Tabletop, out: &mut Vec<String>) {
        let game = self.game();
        let Some(feed) = self.feed(&follower.viewer, table) else {
            return;
        };
        feed.catch_up(table);
        let oldest = feed.seq - feed.kept.len() as u64;
        match follower.has {
            Some(has) if (oldest..=feed.seq).contains(&has) => {
                let missed = feed.kept.range_mut((has - oldest) as usize..);
                out.extend(missed.map(|kept| kept.line(follower)));
            }
            _ => {
                let whole = feed
                    .following
                    .as_mut()
                    .map(|following| following.whole(table));
                let Some(Ok(change)) = whole else { return };
                let (viewer, game) = (Some(&*follower.viewer), Some(&*game));
                let change = &change.in_detail(follower.detail);
                out.push(notification(
                    "change",
                    &Notice {
                        viewer,
                        game,
                        seq: feed.seq,
                        change,
                    },
                ));
            }
        }
        follower.has = Some(feed.seq);
    }

    fn feed(&mut self, viewer: &str, table: &Tabletop) -> Option<&mut Feed> {
        if self
            .feeds
            .get(viewer)
            .is_none_or(|feed| feed.following.is_none())
        {
            let following = table.following(viewer).ok()?;
            let feed = self.feeds.entry(viewer.to_string()).or_default();
            feed.following = Some(following);
            feed.moment = Stamp::NONE;
        }
        self.feeds.get_mut(viewer)
    }

    /// The match is put away; its changes are counted on when it comes back.
    pub fn sleep(&mut self) {
        for feed in self.feeds.values_mut() {
            *feed = Feed {
                seq: feed.seq,
                ..Feed::default()
            };
        }
    }

    /// What of them outlasts a sleep: how far each viewer was told.
    pub fn counts(&self) -> Counts {
        let seqs = self
            .feeds
            .iter()
            .map(|(viewer, feed)| (viewer.clone(), feed.seq))
            .collect();
        Counts {
            games: self.games,
            own: self.own,
            seqs,
        }
    }

    /// The changes of a match that is taken up again.
    pub fn from(counts: Counts) -> Feeds {
        let feed = |(viewer, seq)| {
            (
                viewer,
                Feed {
                    seq,
                    ..Feed::default()
                },
            )
        };
        Feeds {
            games: counts.games,
            own: counts.own,
            feeds: counts.seqs.into_iter().map(feed).collect(),
        }
    }
}

/// How many changes of which game were told to each viewer.
pub(super) struct Counts {
    games: u32,
    own: u32,
    seqs: BTreeMap<String, u64>,
}

impl Feed {
    fn catch_up(&mut self, table: &Tabletop) {
        if self.moment == table.moment() {
            return;
        }
        self.moment = table.moment();
        while let Some(Ok(Some(change))) = self
            .following
            .as_mut()
            .map(|following| following.next(table))
        {
            self.seq += 1;
            if change.whole {
                self.kept.clear();
            } else {
                self.kept.push_back(KeptChange {
                    seq: self.seq,
                    change,
                    lines: BTreeMap::new(),
                });
            }
            if self.kept.len() > MOST_KEPT {
                self.kept.pop_front();
            }
        }
    }
}

impl Server {
    /// Somebody follows from now on, or anew.
    pub(super) fn follow(
        &mut self,
        from: ConnectionId,
        right: Right,
        follow: Follow,
    ) -> Result<Json, Problem> {
        let seat = self.seat(right);
        let viewer = seat.viewer(follow.viewer.as_deref())?;
        let detail = follow.events;
        if let Some(table) = &self.table {
            table.standing_of(&viewer)?;
        }
        let has = follow
            .have
            .filter(|have| have.game == self.feeds.game())
            .map(|have| have.seq);
        if let Some(connection) = self.connections.get_mut(&from) {
            connection
                .follows
                .retain(|one| one.viewer != viewer || one.right != right);
            let is_first = connection.told.as_deref() == Some(&*viewer);
            connection.follows.push(Follower {
                viewer,
                right,
                detail,
                is_first,
                has,
            });
        }
        Ok(json!(true))
    }

    /// Somebody follows no longer.
    pub(super) fn unfollow(
        &mut self,
        from: ConnectionId,
        right: Right,
        viewer: Option<&str>,
    ) -> Result<Json, Problem> {
        let viewer = self.seat(right).viewer(viewer)?;
        if let Some(connection) = self.connections.get_mut(&from) {
            connection
                .follows
                .retain(|one| one.viewer != viewer || one.right != right);
        }
        Ok(json!(true))
    }
}
