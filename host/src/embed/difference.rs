//! Where a game that was made again by other rules first takes another course.

use std::collections::{BTreeMap, BTreeSet};

use kernel::engine::{Seen, SeenEvent};
use kernel::event::Event;
use kernel::game::Game;
use kernel::value::{EntityId, Name, Value};
use kernel::world::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{Labelled, fields, labels_of};
use super::narration::narrated_by;
use super::{Plain, Tabletop};
use crate::play::Match;
use crate::report::{Narrator, ReportOptions};
use crate::types::{Unit, print_value};

/// Where two courses of a game part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The decision in which they do; 0 for what happens before the first.
    pub decision: usize,
    /// What was decided, in the form that journals write.
    pub text: Option<String>,
    /// The same in the words of a report.
    pub words: Option<String>,
    /// The turn and phase in which that was, as the heading of a report; nothing before the first.
    pub heading: Option<String>,
    /// How a report went on from there.
    pub before: Vec<String>,
    /// How it goes on now.
    pub after: Vec<String>,
    /// The viewer's last event until then, as it is now: where to look back to.
    pub at: u32,
    /// What that decision left otherwise on the table.
    pub pieces: Vec<EntityDiff>,
}

/// An entity that two courses of a game leave otherwise.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Parted")]
pub struct EntityDiff {
    /// The viewer's own number for it.
    pub entity: u32,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub label: String,
    /// Its attributes as they were, those that are otherwise now; nothing where
    /// it was not there.
    pub before: Option<BTreeMap<String, Plain>>,
    /// The same attributes as they are now; nothing where it is not there now.
    pub after: Option<BTreeMap<String, Plain>>,
}

/// How many lines of each course are shown.
const SHOWN: usize = 4;

impl Tabletop {
    /// Where another course of the game first differs from this one, as a viewer
    /// may know it.
    pub(super) fn first_difference(&self, other: &Match, viewer: Viewer) -> Option<Difference> {
        // Most of a game is the same to the last bit.
        let settled = self.game.settled_events();
        let from = first_of_action(settled, self.game.events_shared(other));
        let (old, new) = (self.game.events_after(from), other.events_after(from));
        let (inputs, others) = (self.game.recorded_inputs(), other.recorded_inputs());
        let unit = self.unit();
        let mut before = CourseText::new(&self.game, viewer, from, &old, unit);
        let mut after = CourseText::new(other, viewer, from, &new, unit);
        let part = part_of(&mut before, &mut after)?;
        // Where one tells no more, the other goes on with the decision that is other.
        let (event, course) = match (before.at(part), after.at(part)) {
            (Some(told), _) => (from + told.event, &self.game),
            (None, Some(told)) => (from + told.event, other),
            (None, None) => (from, &self.game),
        };
        let decision = match before.at(part).is_some() || after.at(part).is_some() {
            true => decision_of(course, event),
            false => inputs.len().min(others.len()),
        };
        let last = decision.checked_sub(1);
        let text = last.and_then(|place| course.recorded_inputs().get(place));
        let words = last.map(|place| course.decision_words(place, unit));
        let (before, after) = parted_lines(&mut before, &mut after, part);
        let made = decision.min(others.len());
        let settled = other.settled_events();
        let at = settled[..other.events_before(made)]
            .iter()
            .filter(|event| event.audience.contains(viewer))
            .count() as u32;
        let pieces = pieces_parted(
            self.game.game_before(decision),
            other.game_before(made),
            viewer,
        );
        let text = text.map(|input| input.text.clone());
        Some(Difference {
            decision,
            text,
            words,
            heading: course.heading_at(event, unit),
            before,
            after,
            at,
            pieces,
        })
    }
}

/// The first place at which two tellings differ, if they do.
fn part_of(before: &mut CourseText<'_>, after: &mut CourseText<'_>) -> Option<usize> {
    let mut part = 0;
    loop {
        match (before.at(part), after.at(part)) {
            (None, None) => return None,
            (Some(old), Some(new)) if old.text == new.text => part += 1,
            _ => return Some(part),
        }
    }
}

/// The lines of two tellings from where they differ up to where both tell the
/// same again; of each as many as are shown.
fn parted_lines(
    before: &mut CourseText<'_>,
    after: &mut CourseText<'_>,
    part: usize,
) -> (Vec<String>, Vec<String>) {
    let mut lines = (Vec::new(), Vec::new());
    for place in part.. {
        let (old, new) = (before.at(place), after.at(place));
        let is_first = place == part;
        let is_parted = matches!((old, new), (Some(old), Some(new)) if old.text != new.text);
        let is_enough = lines.0.len() >= SHOWN && lines.1.len() >= SHOWN;
        let is_over = old.is_none() && new.is_none();
        // What a report has no line for shows only in what comes of it.
        let is_told = !lines.0.is_empty() || !lines.1.is_empty();
        if is_enough || is_over || is_told && !is_first && !is_parted {
            break;
        }
        if !is_first && !is_parted && old.is_some() && new.is_some() {
            continue;
        }
        lines
            .0
            .extend(old.into_iter().flat_map(|told| told.lines.clone()));
        lines
            .1
            .extend(new.into_iter().flat_map(|told| told.lines.clone()));
    }
    let (mut old, mut new) = lines;
    old.truncate(SHOWN);
    new.truncate(SHOWN);
    // What comes again the same after it is no difference.
    while old.last().is_some_and(|last| new.last() == Some(last)) {
        old.pop();
        new.pop();
    }
    (old, new)
}

/// The decision that brought an event about, by its place; 0 for what happens before
/// the first.
fn decision_of(course: &Match, event: usize) -> usize {
    (0..course.recorded_inputs().len())
        .rposition(|decision| course.events_before(decision) <= event)
        .map_or(0, |place| place + 1)
}

/// What two states leave otherwise, as a viewer may know it.
fn pieces_parted(before: &Game, after: &Game, viewer: Viewer) -> Vec<EntityDiff> {
    let changed = after.changed_since(viewer, &before.glance(viewer));
    let old = entities_of(before, viewer, changed.as_deref());
    let new = entities_of(after, viewer, changed.as_deref());
    let handles: BTreeSet<u32> = old.keys().chain(new.keys()).copied().collect();
    let is_other = |handle: &u32| old.get(handle) != new.get(handle);
    let one = |handle: u32| {
        let (was, is) = (old.get(&handle), new.get(&handle));
        let any = is.or(was)?;
        let only = |mine: Option<&SeenEntity>, other: Option<&SeenEntity>| {
            let differs = |name: &String, value: &Plain| {
                other.is_none_or(|other| other.attributes.get(name) != Some(value))
            };
            let mine = mine?
                .attributes
                .iter()
                .filter(|(name, value)| differs(name, value));
            Some(
                mine.map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            )
        };
        let (kind, label) = (any.kind.clone(), any.label.clone());
        Some(EntityDiff {
            entity: handle,
            kind,
            label,
            before: only(was, is),
            after: only(is, was),
        })
    };
    handles
        .into_iter()
        .filter(is_other)
        .filter_map(one)
        .collect()
}

/// An entity as a viewer sees it.
#[derive(PartialEq)]
struct SeenEntity {
    kind: String,
    label: String,
    attributes: BTreeMap<String, Plain>,
}

/// The entities that a viewer sees, or those of them that are asked for.
fn entities_of(
    game: &Game,
    viewer: Viewer,
    only: Option<&[EntityId]>,
) -> BTreeMap<u32, SeenEntity> {
    let labels = labels_of(game, viewer);
    let one = |seen: &Seen| {
        let (attributes, _) = fields(&seen.attributes, &labels);
        let entity = SeenEntity {
            kind: seen.kind.to_string(),
            label: labels(seen.entity).1.to_string(),
            attributes,
        };
        (seen.handle, entity)
    };
    match only {
        Some(entities) => {
            let seen = entities
                .iter()
                .filter_map(|entity| game.seen_one(viewer, *entity));
            seen.map(|seen| one(&seen)).collect()
        }
        None => game.view(viewer).entities.iter().map(one).collect(),
    }
}

/// Where the action of an event begins: its draws are numbered together.
fn first_of_action(events: &[kernel::event::Event], place: usize) -> usize {
    let mut first = place;
    while first > 0 && first < events.len() && events[first - 1].action == events[first].action {
        first -= 1;
    }
    first
}

/// An event as a viewer may know it.
struct EventText {
    /// Which of the events it is.
    event: usize,
    /// All that is in it, as text.
    text: String,
    /// How a report tells it.
    lines: Vec<String>,
}

/// Events as they are told to a viewer, one action after another, as far as
/// somebody asks.
struct CourseText<'a> {
    game: &'a Match,
    viewer: Viewer,
    unit: Unit,
    narrator: Narrator,
    events: &'a [Event],
    /// How many of these were told.
    done: usize,
    told: Vec<EventText>,
}

impl<'a> CourseText<'a> {
    /// Of a game the events from a place on.
    fn new(
        game: &'a Match,
        viewer: Viewer,
        from: usize,
        events: &'a [Event],
        unit: Unit,
    ) -> CourseText<'a> {
        let options = ReportOptions {
            unit,
            causes: false,
        };
        let narrator = Narrator::new(game.rulebook().book(), viewer, options);
        CourseText {
            game,
            viewer,
            unit,
            narrator: narrator.after(&game.phases_before(from, viewer)),
            events,
            done: 0,
            told: Vec::new(),
        }
    }

    /// What is told at a place, if so much is.
    fn at(&mut self, place: usize) -> Option<&EventText> {
        while self.told.len() <= place && self.done < self.events.len() {
            self.tell_action();
        }
        self.told.get(place)
    }

    /// Tells the next action: its draws are numbered together.
    fn tell_action(&mut self) {
        let (first, events) = (self.done, &self.events[self.done..]);
        let action = events.first().map(|event| event.action);
        let is_of_it = |event: &&Event| Some(event.action) == action;
        let events = &events[..events.iter().take_while(is_of_it).count()];
        self.done += events.len();
        let inner = self.game.game();
        let labels = labels_of(inner, self.viewer);
        let names = |entity: EntityId| labels(entity).1;
        let places = (first..).zip(events);
        let places = places.filter(|(_, event)| event.audience.contains(self.viewer));
        let seen = inner.show_events(self.viewer, events);
        for ((place, _), seen) in places.zip(&seen) {
            let lines = narrated_by(&mut self.narrator, seen, &labels).event.text;
            self.told.push(EventText {
                event: place,
                text: text_of(seen, &names, self.unit),
                lines,
            });
        }
    }
}

/// All that is in an event, as text.
fn text_of(event: &SeenEvent, names: &dyn Fn(EntityId) -> Name, unit: Unit) -> String {
    let field = |(name, value): &(Name, Option<Value>)| {
        let value = value
            .as_ref()
            .map(|value| print_value(value, &Labelled(names), unit));
        format!("{name}={}", value.unwrap_or_else(|| "?".into()))
    };
    let fields: Vec<String> = event.fields.iter().map(field).collect();
    format!("{} {} {:?}", event.kind, fields.join(" "), event.draws)
}
