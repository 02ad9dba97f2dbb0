//! Views: the only way out. What one viewer may know, and nothing else.
//!
//! Entities carry numbers of the viewer's own, given when it can first look and
//! sees them, so that neither a number nor its place in a list tells anything. Events are
//! redacted field by field and keep their shape.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::deck::{DeckId, Pile};
use crate::digest::{Names, StateHash, StateHasher};
use crate::engine::Wanted;
use crate::engine::remarks::shown_remarks;
use crate::event::{Event, EventField};
use crate::game::Game;
use crate::value::{EntityId, Name, Side, Value};
use crate::world::{FirstViewers, Row, Viewer};

/// An entity as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The viewer's own number for it, from 1 in the order of first sight.
    pub handle: u32,
    /// The entity, for the host; it never leaves the process.
    pub entity: EntityId,
    /// Its kind.
    pub kind: Name,
    /// Its name, if the viewer may know that.
    pub name: Option<Name>,
    /// The attributes that the viewer may see, in the order of the kind;
    /// `None` for one that is hidden.
    pub attributes: Vec<(Name, Option<Value>)>,
}

/// A deck as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenDeck {
    /// The deck.
    pub deck: Name,
    /// The side whose own it is.
    pub of: Option<Name>,
    /// The cards to be drawn.
    pub stock: SeenPile,
    /// The cards laid aside.
    pub discard: SeenPile,
}

/// A pile of cards as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenPile {
    /// How many there are; `None` if that is hidden.
    pub size: Option<u32>,
    /// Which ones, the uppermost first; `None` if that is hidden.
    pub cards: Option<Vec<Name>>,
}

/// An event as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenEvent {
    /// Its number among those that the viewer sees, from 1.
    pub number: u32,
    /// What sort.
    pub kind: Name,
    /// Its fields; `None` for one that is hidden.
    pub fields: Vec<(Name, Option<Value>)>,
    /// Words beside values that it sees, where the viewer may read them: the field, or
    /// `params.` and the name of a parameter, and the words.
    pub remarks: Vec<(Name, Name)>,
    /// The innermost rule that caused it.
    pub rule: Option<Name>,
    /// The first and last draw it used, as numbered for this viewer.
    pub draws: Option<(u32, u32)>,
}

/// The game as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Who looks.
    pub viewer: Viewer,
    /// The phases that are open, outermost first.
    pub phases: Vec<Name>,
    /// Whose go it is, as far as that is public.
    pub turn: Option<Name>,
    /// The entities that the viewer knows of, by handle.
    pub entities: Vec<Seen>,
    /// The decks of the game, by id and side.
    pub decks: Vec<SeenDeck>,
    /// What the viewer must decide: `act`, `react`, `answer`; `wait` while
    /// somebody else decides, whatever it is; `over`.
    pub wanted: &'static str,
    /// The result, once the game is over.
    pub result: Option<Value>,
}

/// What stands around the entities of a view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenFrame {
    /// The phases that are open, outermost first.
    pub phases: Vec<Name>,
    /// Whose go it is, as far as that is public.
    pub turn: Option<Name>,
    /// The decks of the game, by id and side.
    pub decks: Vec<SeenDeck>,
}

impl Game {
    /// The place of a viewer in the lists of sightings.
    pub(super) fn sighting_slot(&self, viewer: Viewer) -> Option<usize> {
        match viewer {
            Viewer::Referee => None,
            Viewer::Side(Side(side)) => Some(side as usize),
            Viewer::Spectator => Some(self.world.sides().len()),
        }
    }

    /// What a viewer has seen so far, in the order of its numbers; `None` for
    /// the referee, who sees all there is.
    pub(super) fn sighted(&self, viewer: Viewer) -> Option<&[EntityId]> {
        match (viewer, self.sighting_slot(viewer)?) {
            (Viewer::Side(_), slot) if slot >= self.world.sides().len() => Some(&[]),
            (_, slot) => Some(self.sightings.get(slot).map_or(&[], |seen| seen)),
        }
    }

    /// The entities of a kind that a viewer knows of, by name: an order that tells
    /// something to whoever does not see the names.
    pub(crate) fn each_known(&self, viewer: Viewer, kind: u16) -> impl Iterator<Item = EntityId> {
        let is_secret = self.flow.is_secret();
        self.world.of_kind(kind).filter(move |entity| {
            self.world.existence(*entity).contains(viewer)
                && !(is_secret && self.is_new_on_a_pad(viewer, *entity))
        })
    }

    /// The entities of a kind that a viewer knows of, in an order that tells
    /// it nothing: by name where it sees that, then by its own numbers.
    pub(crate) fn known_of_kind(&self, viewer: Viewer, kind: u16) -> Vec<EntityId> {
        let mut known: Vec<EntityId> = self.each_known(viewer, kind).collect();
        if viewer != Viewer::Referee && known.iter().any(|entity| !self.sees_name(viewer, *entity))
        {
            known.sort_by_cached_key(|entity| match self.sees_name(viewer, *entity) {
                true => (0, self.world.name(*entity), 0, None),
                false => match self.handle(viewer, *entity) {
                    Some(handle) => (1, Name::from(""), handle, None),
                    None => (1, Name::from(""), u32::MAX, Some(self.tie_break(*entity))),
                },
            });
        }
        known
    }

    /// Whether a viewer knows that an entity exists.
    pub fn is_seen(&self, viewer: Viewer, entity: EntityId) -> bool {
        self.world.row(entity).is_ok()
            && self.world.existence(entity).contains(viewer)
            && !self.is_new_on_a_pad(viewer, entity)
    }

    /// Whether another side made the entity in the secret phase that is open.
    pub(crate) fn is_new_on_a_pad(&self, viewer: Viewer, entity: EntityId) -> bool {
        self.flow.is_secret()
            && self
                .flow
                .is_new_on_a_pad(viewer, entity, self.world.owner(entity))
    }

    /// What an entity looks like to a viewer, as a hash: new entities are
    /// numbered in this order, which what is hidden cannot change. So an input
    /// that shows several rests on what they hold.
    pub(super) fn appearance(&self, viewer: Viewer, entity: EntityId) -> StateHash {
        let handles = Handles { game: self, viewer };
        let mut writer = StateHasher::new("look");
        if let (Ok(kind), Ok(row)) = (self.world.kind(entity), self.world.row(entity)) {
            writer.text(&kind.id);
            if self.sees_name(viewer, entity) {
                writer.text(&self.world.name(entity));
            }
            for (slot, attribute) in kind.attributes.iter().enumerate() {
                writer.text(&attribute.name);
                self.track(entity, slot as u16);
                let value = self.attribute_for(viewer, entity, row, slot);
                write_seen(&mut writer, value, &handles);
            }
        }
        writer.sum()
    }

    /// What decides among entities that look alike to a viewer.
    pub(super) fn tie_break(&self, entity: EntityId) -> StateHash {
        let mut writer = StateHasher::new("lot");
        writer.number(self.salt);
        writer.text(&self.world.name(entity));
        writer.sum()
    }

    /// Whether a viewer knows what an entity is called; of one that is gone,
    /// whether it did when it saw it last.
    pub(crate) fn sees_name(&self, viewer: Viewer, entity: EntityId) -> bool {
        let naming = self.world.last_kind(entity).map(|kind| kind.naming);
        match (naming, viewer) {
            (Some(FirstViewers::All), _) | (_, Viewer::Referee) => true,
            (Some(FirstViewers::Owner), Viewer::Side(side)) => {
                self.world.owner(entity) == Some(side)
            }
            _ => false,
        }
    }

    fn attributes_for(&self, viewer: Viewer, entity: EntityId) -> Vec<(Name, Option<Value>)> {
        let (Ok(kind), Ok(row)) = (self.world.kind(entity), self.world.row(entity)) else {
            return Vec::new();
        };
        let shown = |slot| self.attribute_for(viewer, entity, row, slot).cloned();
        kind.attributes
            .iter()
            .enumerate()
            .map(|(slot, a)| (a.name.clone(), shown(slot)))
            .collect()
    }

    /// An attribute of an entity, as a viewer sees it: nothing where the viewer does not know of the entity or may
    /// not see the attribute, or the entity has none of that name.
    pub fn attribute_seen(&self, viewer: Viewer, entity: EntityId, name: &str) -> Option<Value> {
        self.handle(viewer, entity)?;
        let (kind, row) = (self.world.kind(entity).ok()?, self.world.row(entity).ok()?);
        let slot = usize::from(kind.require(name).ok()?);
        self.attribute_for(viewer, entity, row, slot).cloned()
    }

    /// An attribute as a viewer sees it, by its place.
    fn attribute_for<'a>(
        &'a self,
        viewer: Viewer,
        entity: EntityId,
        row: &'a Row,
        slot: usize,
    ) -> Option<&'a Value> {
        let cell = &row.cells[slot];
        if !cell.viewers.contains(viewer) {
            return None;
        }
        let value = self
            .flow
            .before_pads(viewer, entity, slot as u16)
            .unwrap_or(&cell.value);
        self.names_what_is_known(viewer, value).then_some(value)
    }

    /// A value for a viewer: hidden as a whole if it names an entity that the
    /// viewer does not know of.
    fn redacted(&self, viewer: Viewer, value: &Value) -> Option<Value> {
        self.names_what_is_known(viewer, value)
            .then(|| value.clone())
    }

    fn names_what_is_known(&self, viewer: Viewer, value: &Value) -> bool {
        let mut entities = Vec::new();
        value.entities(&mut entities);
        entities
            .iter()
            .all(|entity| self.handle(viewer, *entity).is_some())
    }

    /// A viewer's own number for an entity; `None` if it has never seen it.
    pub fn handle(&self, viewer: Viewer, entity: EntityId) -> Option<u32> {
        match self.sighted(viewer) {
            None => Some(entity.0.saturating_add(1)),
            Some(seen) => Some(seen.iter().position(|seen| *seen == entity)? as u32 + 1),
        }
    }

    /// The entity that a viewer means by a number.
    pub fn by_handle(&self, viewer: Viewer, handle: u32) -> Option<EntityId> {
        let index = handle.checked_sub(1)?;
        match self.sighted(viewer) {
            None => Some(EntityId(index)).filter(|entity| self.world.row(*entity).is_ok()),
            Some(seen) => seen.get(index as usize).copied(),
        }
    }

    /// What a viewer calls an entity, even one that is gone: its name, or else
    /// its number.
    pub fn label(&self, viewer: Viewer, entity: EntityId) -> Name {
        let is_gone = self.world.row(entity).is_err();
        let saw_it_go = is_gone && self.world.last_existence(entity).contains(viewer);
        if self.sees_name(viewer, entity) && (saw_it_go || self.is_seen(viewer, entity)) {
            return self.world.name(entity);
        }
        match self.handle(viewer, entity) {
            Some(handle) => Arc::from(format!("#{handle}")),
            None => Arc::from("?"),
        }
    }

    /// The game as a viewer may see it.
    pub fn view(&self, viewer: Viewer) -> View {
        let mut known: Vec<(u32, EntityId)> = self
            .world
            .all()
            .filter(|entity| self.is_seen(viewer, *entity))
            .filter_map(|entity| self.handle(viewer, entity).map(|handle| (handle, entity)))
            .collect();
        known.sort_unstable();
        let entities = known
            .into_iter()
            .map(|(handle, entity)| self.seen(viewer, handle, entity))
            .collect();
        let wanted = self.wanted_word(viewer);
        let result = self.flow.finished.as_ref().filter(|_| wanted == "over");
        let SeenFrame {
            phases,
            turn,
            decks,
        } = self.frame_seen(viewer);
        View {
            viewer,
            phases,
            turn,
            entities,
            decks,
            wanted,
            result: result.and_then(|result| self.redacted(viewer, result)),
        }
    }

    /// What stands around the entities of a view.
    pub fn frame_seen(&self, viewer: Viewer) -> SeenFrame {
        SeenFrame {
            phases: self.flow.phases().map(|phase| phase.id.clone()).collect(),
            turn: self.flow.acting().map(|side| self.side_name(side)),
            decks: self
                .decks
                .keys()
                .filter_map(|id| self.seen_deck(viewer, id))
                .collect(),
        }
    }

    /// What a viewer must decide, as far as it may know it: of a question its
    /// own part, of a window the fields that name nothing hidden. `None`
    /// while others decide.
    pub fn prompt(&self, viewer: Viewer) -> Option<Wanted> {
        let wanted = self.wanted();
        let Viewer::Side(me) = viewer else {
            return (viewer == Viewer::Referee || wanted == Wanted::Over).then_some(wanted);
        };
        let is_mine = wanted.sides().contains(&me);
        match wanted {
            Wanted::Over => Some(Wanted::Over),
            _ if !is_mine => None,
            Wanted::Act { phase, .. } => Some(Wanted::Act {
                sides: vec![me],
                phase,
            }),
            Wanted::React { side, window, data } => Some(Wanted::React {
                side,
                window,
                data: self.redacted_fields(viewer, &data),
            }),
            Wanted::Answer { question, .. } => {
                let mut question = (*question).clone();
                question.to.retain(|(side, _)| *side == me);
                question
                    .about
                    .retain(|entity| self.handle(viewer, *entity).is_some());
                Some(Wanted::Answer {
                    sides: vec![me],
                    question: Arc::new(question),
                })
            }
        }
    }

    fn redacted_fields(&self, viewer: Viewer, data: &Value) -> Value {
        match data {
            Value::Map(fields) => {
                let shown = |value| self.redacted(viewer, value).unwrap_or_default();
                Value::Map(Arc::new(
                    fields
                        .iter()
                        .map(|(name, value)| (name.clone(), shown(value)))
                        .collect(),
                ))
            }
            other => self.redacted(viewer, other).unwrap_or_default(),
        }
    }

    pub(super) fn seen(&self, viewer: Viewer, handle: u32, entity: EntityId) -> Seen {
        Seen {
            handle,
            entity,
            kind: self
                .world
                .kind(entity)
                .map_or_else(|_| Arc::from("?"), |kind| kind.id.clone()),
            name: self
                .sees_name(viewer, entity)
                .then(|| self.world.name(entity)),
            attributes: self.attributes_for(viewer, entity),
        }
    }

    fn seen_deck(&self, viewer: Viewer, id: &DeckId) -> Option<SeenDeck> {
        let (kind, deck) = (
            self.deck_kind(id).ok()?,
            self.deck_as_seen(viewer, id).ok()?,
        );
        let pile = |pile: Pile| {
            let cards = kind.viewers(pile, id.of).contains(viewer);
            let size = cards || kind.counters(id.of).contains(viewer);
            SeenPile {
                size: size.then(|| deck.size(pile)),
                cards: cards.then(|| deck.cards(pile).cloned().collect()),
            }
        };
        Some(SeenDeck {
            deck: id.deck.clone(),
            of: id.of.map(|side| self.side_name(side)),
            stock: pile(Pile::Stock),
            discard: pile(Pile::Discard),
        })
    }

    fn wanted_word(&self, viewer: Viewer) -> &'static str {
        let wanted = self.wanted();
        if wanted == Wanted::Over {
            return "over";
        }
        let mine = match viewer {
            Viewer::Side(side) => wanted.sides().contains(&side),
            Viewer::Referee => true,
            Viewer::Spectator => false,
        };
        match wanted {
            _ if !mine => "wait",
            Wanted::Act { .. } => "act",
            Wanted::React { .. } => "react",
            _ => "answer",
        }
    }

    /// The events that a viewer may see, of these, each as far as it may.
    pub fn show_events(&self, viewer: Viewer, events: &[Event]) -> Vec<SeenEvent> {
        let visible: Vec<&Event> = events
            .iter()
            .filter(|event| event.audience.contains(viewer))
            .collect();
        let mut seen = Vec::with_capacity(visible.len());
        for action in visible.chunk_by(|a, b| a.action == b.action) {
            let numbers =
                KnownDraws::of(action.iter().filter_map(|event| shown_draws(viewer, event)));
            for event in action {
                let fields = self.show_fields(viewer, event);
                seen.push(SeenEvent {
                    number: seen.len() as u32 + 1,
                    kind: event.kind.clone(),
                    remarks: shown_remarks(viewer, event, &fields),
                    fields,
                    rule: event.cause.rule.clone(),
                    draws: shown_draws(viewer, event).map(|draws| numbers.shown(draws)),
                });
            }
        }
        seen
    }

    fn show_fields(&self, viewer: Viewer, event: &Event) -> Vec<(Name, Option<Value>)> {
        let mut shown = Vec::with_capacity(event.fields.len());
        for field in &event.fields {
            let visible = field.viewers.contains(viewer);
            match &field.value {
                Value::Map(parts) if visible && !field.parts.is_empty() => {
                    self.show_parts(viewer, field, parts, &mut shown);
                }
                value => {
                    let value = if visible {
                        self.redacted(viewer, value)
                    } else {
                        None
                    };
                    shown.push((field.name.clone(), value));
                }
            }
        }
        shown
    }

    /// A record of which each part has viewers of its own: what the viewer may
    /// see of it, and then each part that it may not, by its full name.
    fn show_parts(
        &self,
        viewer: Viewer,
        field: &EventField,
        parts: &BTreeMap<Name, Value>,
        shown: &mut Vec<(Name, Option<Value>)>,
    ) {
        let mut seen = BTreeMap::new();
        let mut hidden = Vec::new();
        for (name, viewers) in &field.parts {
            let value = parts.get(name);
            let may_see = viewers.contains(viewer);
            match value.map(|value| self.redacted(viewer, value)) {
                Some(Some(value)) if may_see => drop(seen.insert(name.clone(), value)),
                None if may_see => {}
                _ => hidden.push((Name::from(format!("{}.{name}", field.name)), None)),
            }
        }
        shown.push((field.name.clone(), Some(Value::Map(Arc::new(seen)))));
        shown.extend(hidden);
    }

    /// The hash of a view: what a side may compare with other copies of the
    /// game, and which tells it nothing that its view does not.
    pub fn view_hash(&self, viewer: Viewer) -> StateHash {
        self.hash_of_view(viewer, &self.view(viewer))
    }

    /// The same of the viewer's view as it is at hand.
    pub fn hash_of_view(&self, viewer: Viewer, view: &View) -> StateHash {
        let mut writer = StateHasher::new("view");
        let handles = Handles { game: self, viewer };
        writer.number(view.phases.len() as u64);
        view.phases.iter().for_each(|phase| writer.text(phase));
        writer.text(view.turn.as_deref().unwrap_or(""));
        writer.text(view.wanted);
        for seen in &view.entities {
            writer.number(u64::from(seen.handle));
            writer.text(&seen.kind);
            writer.number(u64::from(seen.name.is_some()));
            writer.text(seen.name.as_deref().unwrap_or(""));
            for (name, value) in &seen.attributes {
                writer.text(name);
                write_seen(&mut writer, value.as_ref(), &handles);
            }
        }
        view.decks
            .iter()
            .for_each(|deck| write_deck(&mut writer, deck));
        writer.value(view.result.as_ref().unwrap_or(&Value::None), &handles);
        writer.sum()
    }
}

fn write_deck(writer: &mut StateHasher, seen: &SeenDeck) {
    writer.text(&seen.deck);
    writer.text(seen.of.as_deref().unwrap_or(""));
    for pile in [&seen.stock, &seen.discard] {
        writer.number(pile.size.map_or(0, |size| u64::from(size) + 1));
        writer.number(u64::from(pile.cards.is_some()));
        pile.cards
            .iter()
            .flatten()
            .for_each(|card| writer.text(card));
    }
}

/// Writes what a viewer sees of an attribute; what is hidden is unlike any value.
fn write_seen(writer: &mut StateHasher, value: Option<&Value>, names: &dyn Names) {
    writer.number(u64::from(value.is_some()));
    writer.value(value.unwrap_or(&Value::None), names);
}

/// The draws of an event, for one who may see all that came of them: their
/// number would tell the others how many there were.
fn shown_draws(viewer: Viewer, event: &Event) -> Option<(u32, u32)> {
    let sees_all = event
        .fields
        .iter()
        .all(|field| field.viewers.contains(viewer));
    event.cause.draws.filter(|_| sees_all)
}

/// The draws of an action that a viewer knows of: apart, and in order.
struct KnownDraws(Vec<(u32, u32)>);

impl KnownDraws {
    fn of(spans: impl Iterator<Item = (u32, u32)>) -> KnownDraws {
        let mut spans: Vec<(u32, u32)> = spans.collect();
        spans.sort_unstable();
        let mut apart: Vec<(u32, u32)> = Vec::new();
        for (first, last) in spans {
            let first = apart
                .last()
                .map_or(first, |(_, before)| first.max(before.saturating_add(1)));
            if first <= last {
                apart.push((first, last));
            }
        }
        KnownDraws(apart)
    }

    /// How many known draws there are up to one.
    fn up_to(&self, draw: u32) -> u32 {
        let known = self.0.iter().filter(|(first, _)| *first <= draw);
        known
            .map(|(first, last)| draw.min(*last) - first + 1)
            .fold(0, u32::saturating_add)
    }

    fn shown(&self, (first, last): (u32, u32)) -> (u32, u32) {
        (self.up_to(first), self.up_to(last))
    }
}

/// Names entities by a viewer's own numbers.
struct Handles<'a> {
    game: &'a Game,
    viewer: Viewer,
}

impl Names for Handles<'_> {
    fn name_of(&self, entity: EntityId) -> Name {
        self.game.label(self.viewer, entity)
    }
}
