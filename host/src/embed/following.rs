//! Following a match as one viewer: first all of it, then what has changed.
//!
//! What is told is made from the entities whose rows are other objects than
//! before, never by comparing whole views; and only from what the viewer may
//! see, so that a change that is hidden tells nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::book::Book;
use kernel::engine::{Glance, Seen as InnerSeen};
use kernel::value::{Name, Value};
use kernel::world::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{fields, labels_of};
use super::looking::deck_about;
use super::plain::Labels;
use super::{Asking, News, PhaseAbout, Plain, SeenDeck, Tabletop, Trouble, UndoWish};

/// With a whole match so many of its last events are told; earlier ones are
/// asked for by `news`.
const LAST_EVENTS: u32 = 200;

/// A change tells at most so many events; more come in the next.
const MOST_EVENTS: u32 = 500;

/// What has changed for a viewer. What is not there is as it was.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Change {
    /// Whether this is all there is: what was told before is to be forgotten.
    /// Attributes that hold what their kind says are left out then, as they
    /// are of entities that are new.
    #[serde(skip_serializing_if = "is_false")]
    pub whole: bool,
    /// Entities that are new or look otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<Moved>,
    /// Entities that are gone from the viewer's sight, by its numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<u32>,
    /// The phases that are open, outermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<Vec<PhaseAbout>>,
    /// Whose go it is, as far as that is public; null if it is nobody's.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some")]
    pub turn: Option<Option<String>>,
    /// The decks of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decks: Option<Vec<SeenDeck>>,
    /// What has happened: events with numbers from `from` on replace those
    /// that were told before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub news: Option<News>,
    /// What the viewer must decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<Asking>,
    /// What a side has asked to take back; null if none does any more.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some")]
    pub wish: Option<Option<UndoWish>>,
}

/// An entity that is new or looks otherwise.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Moved {
    /// The viewer's own number for it.
    pub entity: u32,
    /// Its kind, of one that is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its name, or `#` and the number, where it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The attributes that hold something else now.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, Plain>,
    /// All attributes that are hidden from the viewer, where these are others
    /// than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Vec<String>>,
}

/// The attributes of an entity that are hidden from the viewer.
fn hidden_of(seen: &InnerSeen) -> Vec<String> {
    let hidden = seen.attributes.iter().filter(|(_, value)| value.is_none());
    hidden.map(|(name, _)| name.to_string()).collect()
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What is there is something, even null.
fn some<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// How far a viewer has followed a match.
pub struct Following {
    viewer: Viewer,
    name: String,
    book: Option<Arc<Book>>,
    glance: Glance,
    /// What was told of each entity, by the viewer's number.
    seen: BTreeMap<u32, InnerSeen>,
    phases: Vec<Name>,
    turn: Option<Name>,
    decks: Vec<SeenDeck>,
    timeline: u32,
    last: u32,
    ask: Option<Asking>,
    wish: Option<UndoWish>,
}

impl Tabletop {
    /// Follows the match from now on, as a viewer: the first change is all of it.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn following(&self, viewer: &str) -> Result<Following, Trouble> {
        Ok(Following {
            viewer: self.viewer(viewer)?,
            name: viewer.to_string(),
            book: None,
            glance: Glance::default(),
            seen: BTreeMap::new(),
            phases: Vec::new(),
            turn: None,
            decks: Vec::new(),
            timeline: 0,
            last: 0,
            ask: None,
            wish: None,
        })
    }
}

impl Following {
    /// What has changed since this was last asked; `None` if nothing that the
    /// viewer may know.
    ///
    /// # Errors
    /// When the viewer is no longer there.
    pub fn next(&mut self, table: &Tabletop) -> Result<Option<Change>, Trouble> {
        let book = table.game.rulebook().book();
        let is_whole = !self.book.as_ref().is_some_and(|known| Arc::ptr_eq(known, book));
        if is_whole {
            self.book = Some(book.clone());
            return self.whole(table).map(Some);
        }
        let mut change = Change::default();
        self.entities(table, &mut change);
        self.frame(table, &mut change);
        let news = table.some_news(&self.name, self.timeline, self.last, Some(MOST_EVENTS))?;
        if !news.events.is_empty() || news.timeline != self.timeline {
            (self.timeline, self.last) = (news.timeline, news.last);
            change.news = Some(news);
        }
        self.asked(table, &mut change)?;
        Ok((change != Change::default()).then_some(change))
    }

    /// All there is, for one who knows nothing: what [`Following::next`] told
    /// stays told.
    ///
    /// # Errors
    /// When the viewer is no longer there.
    pub fn whole(&mut self, table: &Tabletop) -> Result<Change, Trouble> {
        self.seen.clear();
        (self.phases, self.turn, self.decks) = (Vec::new(), None, Vec::new());
        (self.ask, self.wish) = (None, None);
        let mut change = Change { whole: true, ..Change::default() };
        self.compared(table, &mut change);
        self.frame(table, &mut change);
        let upto = table.some_news(&self.name, 0, 0, Some(0))?;
        let told = table.heard(self.viewer, |heard| heard.len());
        let news = table.some_news(&self.name, upto.timeline, told.saturating_sub(LAST_EVENTS), None)?;
        (self.timeline, self.last) = (news.timeline, news.last);
        change.news = Some(news);
        self.asked(table, &mut change)?;
        Ok(change)
    }

    /// The entities that look otherwise.
    fn entities(&mut self, table: &Tabletop, change: &mut Change) {
        let game = table.game.game();
        let Some(candidates) = game.changed_since(self.viewer, &self.glance) else {
            return self.compared(table, change);
        };
        if candidates.is_empty() {
            return;
        }
        let labels = labels_of(game, self.viewer);
        for entity in candidates {
            let Some(handle) = game.handle(self.viewer, entity) else { continue };
            let now = game.seen_one(self.viewer, entity);
            self.tell(handle, now, &labels, change);
        }
        self.glance = game.glance(self.viewer);
    }

    /// The same, where anything may look otherwise.
    fn compared(&mut self, table: &Tabletop, change: &mut Change) {
        let game = table.game.game();
        let labels = labels_of(game, self.viewer);
        let now: BTreeMap<u32, InnerSeen> =
            game.view(self.viewer).entities.into_iter().map(|seen| (seen.handle, seen)).collect();
        let gone: Vec<u32> = self.seen.keys().filter(|handle| !now.contains_key(handle)).copied().collect();
        gone.into_iter().for_each(|handle| self.tell(handle, None, &labels, change));
        now.into_iter().for_each(|(handle, seen)| self.tell(handle, Some(seen), &labels, change));
        self.glance = game.glance(self.viewer);
    }

    fn tell(&mut self, handle: u32, now: Option<InnerSeen>, labels: &Labels<'_>, change: &mut Change) {
        let before = self.seen.remove(&handle);
        let Some(now) = now else {
            change.gone.extend(before.map(|_| handle));
            return;
        };
        let moved = self.moved(before.as_ref(), &now, labels);
        change.set.extend(moved);
        self.seen.insert(handle, now);
    }

    /// How an entity looks otherwise than before; `None` if it does not.
    fn moved(&self, before: Option<&InnerSeen>, now: &InnerSeen, labels: &Labels<'_>) -> Option<Moved> {
        // A number that means another entity since play was taken back.
        let before = before.filter(|before| before.entity == now.entity && before.kind == now.kind);
        if before == Some(now) {
            return None;
        }
        let hidden = hidden_of(now);
        let is_new = |slot: usize, value: &Option<Value>| match before {
            Some(before) => before.attributes.get(slot).map(|(_, value)| value) != Some(value),
            None => value.as_ref().is_some_and(|value| !self.is_default(&now.kind, slot, value)),
        };
        let changed: Vec<(Name, Option<Value>)> = now
            .attributes
            .iter()
            .enumerate()
            .filter(|(slot, (_, value))| value.is_some() && is_new(*slot, value))
            .map(|(_, attribute)| attribute.clone())
            .collect();
        let was_hidden = before.map(hidden_of).unwrap_or_default();
        let is_renamed = before.is_none_or(|before| before.name != now.name);
        let moved = Moved {
            entity: now.handle,
            kind: before.is_none().then(|| now.kind.to_string()),
            label: is_renamed.then(|| labels(now.entity).1.to_string()),
            attributes: fields(&changed, labels).0,
            hidden: (hidden != was_hidden).then_some(hidden),
        };
        (moved != Moved { entity: now.handle, ..Moved::default() }).then_some(moved)
    }

    fn is_default(&self, kind: &str, slot: usize, value: &Value) -> bool {
        let Some(book) = &self.book else { return false };
        let kind = book.schema.require(kind).map(|slot| book.schema.kind(slot));
        kind.is_ok_and(|kind| kind.attributes.get(slot).is_some_and(|found| found.default == *value))
    }

    /// Phases, whose go it is, and decks.
    fn frame(&mut self, table: &Tabletop, change: &mut Change) {
        let game = table.game.game();
        let frame = game.frame_seen(self.viewer);
        if change.whole || frame.phases != self.phases {
            change.phases = Some(frame.phases.iter().map(|id| table.phase_about(id)).collect());
            self.phases = frame.phases;
        }
        if change.whole || frame.turn != self.turn {
            change.turn = Some(frame.turn.as_ref().map(ToString::to_string));
            self.turn = frame.turn;
        }
        let decks: Vec<SeenDeck> = frame.decks.iter().map(deck_about).collect();
        if decks != self.decks {
            change.decks = Some(decks.clone());
            self.decks = decks;
        }
    }

    fn asked(&mut self, table: &Tabletop, change: &mut Change) -> Result<(), Trouble> {
        let ask = table.asking(&self.name)?;
        if self.ask.as_ref() != Some(&ask) {
            change.ask = Some(ask.clone());
            self.ask = Some(ask);
        }
        let wish = table.undo_wish(&self.name)?;
        if change.whole || self.wish != wish {
            change.wish = Some(wish.clone());
            self.wish = wish;
        }
        Ok(())
    }
}
