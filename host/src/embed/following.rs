//! Following a match as one viewer: first all of it, then what has changed.
//!
//! What is told is made from the entities whose rows are other objects than
//! before, never by comparing whole views; and only from what the viewer may
//! see, so that a change that is hidden tells nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::book::Book;
use kernel::engine::{Glance, Seen};
use kernel::value::{EntityId, Name, Value};
use kernel::world::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{fields, labels_of};
use super::looking::deck_about;
use super::plain::Labels;
use super::{
    BotSort, EventDepth, News, NumberedPrompt, Plain, ProposalEnd, Tabletop, Trouble, UndoProposal,
    WireDeck, WireEvent,
};

/// With a whole match so many of its last events are told; earlier ones are
/// asked for by `news`.
const LAST_EVENTS: u32 = 200;

/// A change tells at most so many events; more come in the next.
const MOST_EVENTS: u32 = 500;

/// What has changed for a viewer. What is not there is as it was.
///
/// Values name entities by their numbers alone: `called` has told how they are
/// called.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "Change")]
pub struct ViewChange {
    /// Whether this is all there is: what was told before is to be forgotten.
    /// Attributes that hold what their kind says are left out then, as they
    /// are of entities that are new.
    #[serde(skip_serializing_if = "is_false")]
    pub whole: bool,
    /// Entities that are new, or called otherwise, by the viewer's numbers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub called: BTreeMap<u32, Called>,
    /// The attributes that hold something else now, by entity and name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<u32, BTreeMap<String, Plain>>,
    /// All attributes of an entity that are hidden from the viewer, where these
    /// are others than before.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hidden: BTreeMap<u32, Vec<String>>,
    /// Entities that are gone from the viewer's sight, by its numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<u32>,
    /// Which phases are over, and which are open instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<PhaseChange>,
    /// Whose go it is, as far as that is public; null if it is nobody's.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some")]
    pub turn: Option<Option<String>>,
    /// The decks of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decks: Option<Vec<WireDeck>>,
    /// The timeline of what has happened, where it is another: some of what
    /// was told was taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<u32>,
    /// The number of the last event that the viewer was told of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
    /// The last events up to `last`, if the client asked for them: they replace
    /// all that had their numbers, or larger ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventDetail>,
    /// Which sides bots play, and how these decide; people play all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bots: Option<BTreeMap<String, BotSort>>,
    /// What the viewer must decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<AskChange>,
    /// What a side has asked to take back; null if none does any more.
    #[serde(
        rename = "wish",
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some"
    )]
    pub proposal: Option<Option<UndoProposal>>,
    /// How what was asked to be taken back came to its end, with a `wish` that
    /// is null.
    #[serde(rename = "wish_ended", skip_serializing_if = "Option::is_none")]
    pub proposal_end: Option<ProposalEnd>,
}

/// What an entity is called.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Called {
    /// Its kind, of one that is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its name, or `#` and the number.
    pub label: String,
}

/// How the phases that are open have changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PhaseChange {
    /// So many are over, innermost first.
    #[serde(skip_serializing_if = "is_none")]
    pub closed: u32,
    /// Then these are open, outermost first, by their ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<String>,
    /// Which round it is of those among them that come again and again, as a
    /// turn does, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rounds: BTreeMap<String, u32>,
}

/// How much changes tell of what has happened.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Up to which number there is something: `news` tells it.
    #[default]
    None,
    /// What a log shows.
    Lines,
    /// All of it, as `news` does.
    Whole,
}

/// An event in a change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum EventDetail {
    /// All of it.
    Whole(WireEvent),
    /// What a log shows of it.
    Line(EventLine),
}

/// What a log shows of an event. Of one without words there is the sort alone.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EventLine {
    /// What sort.
    pub kind: String,
    /// How a battle report tells it, in lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// The shortest report that tells it, if that is not the full one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<EventDepth>,
    /// The innermost rule or clause that caused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The entities that it is about, by the viewer's numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<u32>,
}

/// What the viewer must decide, as far as that is new.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AskChange {
    /// Something else.
    Other(NumberedPrompt),
    /// The same once more.
    Again {
        /// The number that it has now.
        ask: u32,
    },
}

impl ViewChange {
    /// The same with as much of what has happened as somebody wants.
    #[must_use]
    pub fn in_detail(&self, detail: Detail) -> ViewChange {
        let line = |event: &EventDetail| match event {
            EventDetail::Whole(event) => EventDetail::Line(EventLine::of(event)),
            line @ EventDetail::Line(_) => line.clone(),
        };
        let events = match detail {
            Detail::None => Vec::new(),
            Detail::Lines => self.events.iter().map(line).collect(),
            Detail::Whole => self.events.clone(),
        };
        ViewChange {
            events,
            ..self.clone()
        }
    }
}

impl EventLine {
    fn of(event: &WireEvent) -> EventLine {
        let kind = event.kind.clone();
        if event.text.is_empty() {
            return EventLine {
                kind,
                ..EventLine::default()
            };
        }
        let mut of = BTreeSet::new();
        event
            .fields
            .values()
            .for_each(|value| entities_in(value, &mut of));
        EventLine {
            kind,
            text: event.text.clone(),
            depth: (event.depth != EventDepth::Full).then_some(event.depth),
            rule: event.rule.clone(),
            of: of.into_iter().collect(),
        }
    }
}

/// The numbers of the entities that a value names.
fn entities_in(value: &Plain, found: &mut BTreeSet<u32>) {
    match value {
        Plain::Entity { entity, .. } => found.extend(entity),
        Plain::List(items) => items.iter().for_each(|item| entities_in(item, found)),
        Plain::Record { record } => record.values().for_each(|item| entities_in(item, found)),
        _ => {}
    }
}

/// The attributes of an entity that are hidden from the viewer.
fn hidden_of(seen: &Seen) -> Vec<String> {
    let hidden = seen.attributes.iter().filter(|(_, value)| value.is_none());
    hidden.map(|(name, _)| name.to_string()).collect()
}

pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

/// What is there is something, even null.
pub(super) fn some<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
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
    seen: BTreeMap<u32, Seen>,
    /// Of which entities it was told what they are called.
    named: BTreeSet<u32>,
    phases: Vec<(Name, Option<u32>)>,
    turn: Option<Name>,
    decks: Vec<WireDeck>,
    bots: BTreeMap<String, BotSort>,
    timeline: u32,
    last: u32,
    ask: Option<NumberedPrompt>,
    proposal: Option<UndoProposal>,
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
            named: BTreeSet::new(),
            phases: Vec::new(),
            turn: None,
            decks: Vec::new(),
            bots: BTreeMap::new(),
            timeline: 0,
            last: 0,
            ask: None,
            proposal: None,
        })
    }
}

impl Following {
    /// What has changed since this was last asked; `None` if nothing that the
    /// viewer may know.
    ///
    /// # Errors
    /// When the viewer is no longer there.
    pub fn next(&mut self, table: &Tabletop) -> Result<Option<ViewChange>, Trouble> {
        let book = table.game.rulebook().book();
        let is_whole = !self
            .book
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, book));
        if is_whole {
            self.book = Some(book.clone());
            return self.whole(table).map(Some);
        }
        let mut change = ViewChange::default();
        self.entities(table, &mut change);
        self.frame(table, &mut change);
        let news = table.some_news(&self.name, self.timeline, self.last, Some(MOST_EVENTS))?;
        if !news.events.is_empty() || news.timeline != self.timeline {
            self.happened(news, &mut change);
        }
        self.asked(table, &mut change)?;
        Ok((change != ViewChange::default()).then_some(change))
    }

    /// All there is, for one who knows nothing: what [`Following::next`] told
    /// stays told.
    ///
    /// # Errors
    /// When the viewer is no longer there.
    pub fn whole(&mut self, table: &Tabletop) -> Result<ViewChange, Trouble> {
        self.seen.clear();
        self.named.clear();
        (self.phases, self.turn, self.decks) = (Vec::new(), None, Vec::new());
        (self.bots, self.ask, self.proposal) = (BTreeMap::new(), None, None);
        let mut change = ViewChange {
            whole: true,
            ..ViewChange::default()
        };
        self.compared(table, &mut change);
        self.frame(table, &mut change);
        let upto = table.some_news(&self.name, 0, 0, Some(0))?;
        let count = table.history(self.viewer, |history| history.len());
        let news = table.some_news(
            &self.name,
            upto.timeline,
            count.saturating_sub(LAST_EVENTS),
            None,
        )?;
        self.happened(news, &mut change);
        self.asked(table, &mut change)?;
        Ok(change)
    }

    fn happened(&mut self, news: News, change: &mut ViewChange) {
        change.timeline = (change.whole || news.timeline != self.timeline).then_some(news.timeline);
        change.last = Some(news.last);
        change.events = news.events.into_iter().map(EventDetail::Whole).collect();
        (self.timeline, self.last) = (news.timeline, news.last);
    }

    /// The entities that look otherwise.
    fn entities(&mut self, table: &Tabletop, change: &mut ViewChange) {
        let game = table.game.game();
        let Some(candidates) = game.changed_since(self.viewer, &self.glance) else {
            return self.compared(table, change);
        };
        if candidates.is_empty() {
            return;
        }
        let labels = labels_of(game, self.viewer);
        let numbered = candidates.into_iter().filter_map(|entity| {
            Some((
                game.handle(self.viewer, entity)?,
                game.seen_one(self.viewer, entity),
            ))
        });
        let now: Vec<(u32, Option<Seen>)> = numbered.collect();
        self.named.extend(
            now.iter()
                .filter(|(_, seen)| seen.is_some())
                .map(|(handle, _)| handle),
        );
        now.into_iter()
            .for_each(|(handle, seen)| self.tell(handle, seen, &labels, change));
        self.glance = game.glance(self.viewer);
    }

    /// The same, where anything may look otherwise.
    fn compared(&mut self, table: &Tabletop, change: &mut ViewChange) {
        let game = table.game.game();
        let labels = labels_of(game, self.viewer);
        let now: BTreeMap<u32, Seen> = game
            .view(self.viewer)
            .entities
            .into_iter()
            .map(|seen| (seen.handle, seen))
            .collect();
        self.named.extend(now.keys());
        let gone: Vec<u32> = self
            .seen
            .keys()
            .filter(|handle| !now.contains_key(handle))
            .copied()
            .collect();
        gone.into_iter()
            .for_each(|handle| self.tell(handle, None, &labels, change));
        now.into_iter()
            .for_each(|(handle, seen)| self.tell(handle, Some(seen), &labels, change));
        self.glance = game.glance(self.viewer);
    }

    fn tell(
        &mut self,
        handle: u32,
        now: Option<Seen>,
        labels: &Labels<'_>,
        change: &mut ViewChange,
    ) {
        let before = self.seen.remove(&handle);
        let Some(now) = now else {
            change.gone.extend(before.map(|_| handle));
            return;
        };
        self.compare(before.as_ref(), &now, labels, change);
        self.seen.insert(handle, now);
    }

    /// How an entity looks otherwise than before.
    fn compare(
        &self,
        before: Option<&Seen>,
        now: &Seen,
        labels: &Labels<'_>,
        change: &mut ViewChange,
    ) {
        // A number that means another entity since play was taken back.
        let before = before.filter(|before| before.entity == now.entity && before.kind == now.kind);
        if before == Some(now) {
            return;
        }
        let is_new = |slot: usize, value: &Option<Value>| match before {
            Some(before) => before.attributes.get(slot).map(|(_, value)| value) != Some(value),
            None => value
                .as_ref()
                .is_some_and(|value| !self.is_default(&now.kind, slot, value)),
        };
        let attributes = now.attributes.iter().enumerate();
        let changed: Vec<(Name, Option<Value>)> = attributes
            .filter(|(slot, (_, value))| value.is_some() && is_new(*slot, value))
            .map(|(_, attribute)| attribute.clone())
            .collect();
        if !changed.is_empty() {
            change.set.insert(
                now.handle,
                fields(&changed, &|entity| self.number_of(entity, labels)).0,
            );
        }
        if before.is_none_or(|before| before.name != now.name) {
            let kind = before.is_none().then(|| now.kind.to_string());
            change.called.insert(
                now.handle,
                Called {
                    kind,
                    label: labels(now.entity).1.to_string(),
                },
            );
        }
        let hidden = hidden_of(now);
        if hidden != before.map(hidden_of).unwrap_or_default() {
            change.hidden.insert(now.handle, hidden);
        }
    }

    /// An entity by its number alone, where the viewer was told what it is called.
    fn number_of(&self, entity: EntityId, labels: &Labels<'_>) -> (Option<u32>, Name) {
        let (handle, label) = labels(entity);
        let is_named = handle.is_some_and(|handle| self.named.contains(&handle));
        (handle, if is_named { Name::from("") } else { label })
    }

    fn is_default(&self, kind: &str, slot: usize, value: &Value) -> bool {
        let Some(book) = &self.book else { return false };
        let kind = book.schema.require(kind).map(|slot| book.schema.kind(slot));
        kind.is_ok_and(|kind| {
            kind.attributes
                .get(slot)
                .is_some_and(|found| found.default == *value)
        })
    }

    /// Phases, whose go it is, decks, and whom bots play.
    fn frame(&mut self, table: &Tabletop, change: &mut ViewChange) {
        let game = table.game.game();
        let frame = game.frame_seen(self.viewer);
        let phases = table.open_phases(game);
        if change.whole || phases != self.phases {
            let same = std::iter::zip(&self.phases, &phases)
                .take_while(|(a, b)| a == b)
                .count();
            let opened = &phases[same..];
            let round = |(id, round): &(Name, Option<u32>)| Some((id.to_string(), (*round)?));
            change.phases = Some(PhaseChange {
                closed: (self.phases.len() - same) as u32,
                opened: opened.iter().map(|(id, _)| id.to_string()).collect(),
                rounds: opened.iter().filter_map(round).collect(),
            });
            self.phases = phases;
        }
        if change.whole || frame.turn != self.turn {
            change.turn = Some(frame.turn.as_ref().map(ToString::to_string));
            self.turn = frame.turn;
        }
        let decks: Vec<WireDeck> = frame.decks.iter().map(deck_about).collect();
        if decks != self.decks {
            change.decks = Some(decks.clone());
            self.decks = decks;
        }
        let bots = table.sides_of_bots();
        if bots != self.bots {
            change.bots = Some(bots.clone());
            self.bots = bots;
        }
    }

    fn asked(&mut self, table: &Tabletop, change: &mut ViewChange) -> Result<(), Trouble> {
        let ask = table.asking(&self.name)?;
        if self.ask.as_ref() != Some(&ask) {
            let is_same = self
                .ask
                .as_ref()
                .is_some_and(|before| before.prompt == ask.prompt);
            change.ask = Some(match is_same {
                true => AskChange::Again { ask: ask.ask },
                false => AskChange::Other(ask.clone()),
            });
            self.ask = Some(ask);
        }
        let proposal = table.undo_proposal(&self.name)?;
        if change.whole || self.proposal != proposal {
            change.proposal = Some(proposal.clone());
            let is_over = self.proposal.is_some() && proposal.is_none();
            change.proposal_end = table.undo_proposal_end().filter(|_| is_over).cloned();
            self.proposal = proposal;
        }
        Ok(())
    }
}
