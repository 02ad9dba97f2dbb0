//! Numbers of each viewer's own: of its decisions, its prompts, its events.
//!
//! None of them moves with what a viewer may not know: decisions are counted
//! for the side that takes them, the number of a prompt changes with that
//! prompt, and a timeline only with what its viewer was told.
//!
//! The number of a prompt is made of what is asked and of what the viewer has
//! decided before it: so it is the same when the match is taken up again by
//! another process, and that of no other prompt.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kernel::digest::{Names, StateHash, StateHasher};
use kernel::engine::{SeenEvent, Wanted};
use kernel::event::Event;
use kernel::game::Game;
use kernel::stamp::Stamp;
use kernel::value::{EntityId, Name, Side, Value};
use kernel::world::Viewer;

use super::{Prompt, Tabletop};
use crate::play::Match;

/// How far each viewer has counted.
pub(super) struct ViewerNumbers {
    /// Stands for all that anybody may be told: another after each change.
    moment: Stamp,
    /// The decisions that were counted.
    taken: Vec<Taken>,
    /// How many cuts of the match were noticed.
    cuts: usize,
    /// The prompt of each viewer, by its place.
    asks: Vec<Ask>,
    /// What each viewer was told, by its place; counted when somebody looks.
    histories: RefCell<Vec<ViewerHistory>>,
    /// Which events each viewer sees, by its place; looked through when somebody asks.
    visible: RefCell<Vec<VisibleEvents>>,
}

impl Default for ViewerNumbers {
    fn default() -> ViewerNumbers {
        let (histories, visible) = (RefCell::default(), RefCell::default());
        ViewerNumbers {
            moment: Stamp::fresh(),
            taken: Vec::new(),
            cuts: 0,
            asks: Vec::new(),
            histories,
            visible,
        }
    }
}

/// A decision that was counted.
struct Taken {
    by: Side,
    /// Stands for all that its side had decided then.
    own: blake3::Hash,
    /// Stands for all that anybody had.
    all: blake3::Hash,
}

/// What stands for decisions to which one is added.
fn added(before: Option<blake3::Hash>, text: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_ref().map_or(&[], |before| before.as_bytes()));
    hasher.update(text.as_bytes());
    hasher.finalize()
}

#[derive(Clone, Default)]
struct Ask {
    number: u32,
    /// How often each prompt was asked after the same decisions: those that were
    /// taken back are asked anew.
    asked: BTreeMap<u64, u32>,
    /// What the engine wants, to see at once that nothing is new.
    wanted: Option<Wanted>,
    prompt: Option<Prompt>,
}

impl Ask {
    /// The number of the prompt, after what the viewer has decided.
    fn count(&mut self, decided: Option<blake3::Hash>) {
        // A prompt is texts, numbers and lists of them: it can always be written.
        let prompt = serde_json::to_string(&self.prompt).unwrap_or_default();
        let key = start_of(added(decided, &prompt));
        let times = self.asked.entry(key).or_insert(0);
        *times += 1;
        let number = start_of(added(decided, &format!("{times} {prompt}")));
        // Whole numbers of every language hold 31 bits, those with a sign too.
        self.number = (number >> 33) as u32;
    }
}

/// The beginning of a hash.
fn start_of(hash: blake3::Hash) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|at| hash.as_bytes()[at]))
}

/// What a viewer was told so far.
#[derive(Default)]
pub(super) struct ViewerHistory {
    /// How often some of it was taken back.
    pub timeline: u32,
    /// How many events were left each time.
    cuts: Vec<u32>,
    /// How many cuts of the match were noticed.
    noticed: usize,
    /// How many events of the match were over and done then.
    done: usize,
    /// The events, by their places in the match, and what was told of each.
    events: Vec<(usize, StateHash)>,
}

impl ViewerHistory {
    /// How many events there are.
    pub fn len(&self) -> u32 {
        self.events.len() as u32
    }

    /// The place in the match of an event, from 0; that of an open step is
    /// behind all that the match tells.
    pub fn place(&self, index: usize) -> Option<usize> {
        self.events.get(index).map(|(place, _)| *place)
    }

    /// How many of the events come before a place in the match.
    pub fn before(&self, place: usize) -> usize {
        self.events.partition_point(|(at, _)| *at < place)
    }

    /// How many events stand of those that a client has from a timeline.
    pub fn left(&self, timeline: u32, since: u32) -> u32 {
        // Of a timeline that never was nothing is known: all is new.
        let known = if timeline > self.timeline { 0 } else { since };
        let lost = self.cuts.get(timeline as usize..).unwrap_or_default();
        lost.iter().copied().fold(known, u32::min).min(self.len())
    }

    /// Takes in what has happened, and what was taken back.
    fn catch_up(&mut self, game: &Match, viewer: Viewer) {
        let settled = game.settled_events();
        let cut = game
            .cuts()
            .get(self.noticed..)
            .unwrap_or_default()
            .iter()
            .map(|cut| cut.events)
            .min();
        self.noticed = game.cuts().len();
        let event = |place: usize| event_at(game, place);
        // What was told of an open step may have been told otherwise since.
        let firm = self.done.min(cut.unwrap_or(usize::MAX)).min(settled.len());
        self.done = settled.len();
        let mut from = self.events.partition_point(|(place, _)| *place < firm);
        let open = game.game().open_events();
        let mut fresh: Vec<usize> = (firm..settled.len() + open.len())
            .filter(|place| event(*place).is_some_and(|event| event.audience.contains(viewer)))
            .collect();
        if fresh.is_empty() && from == self.events.len() {
            return;
        }
        // The draws of an action are numbered together.
        let action = |place: usize| event(place).map(|event| event.action);
        if let Some(first) = fresh.first().copied() {
            while from > 0 && action(self.events[from - 1].0) == action(first) {
                from -= 1;
            }
        }
        let again = self.events[from..]
            .iter()
            .map(|(place, _)| *place)
            .filter(|place| *place < firm);
        fresh.splice(0..0, again.collect::<Vec<_>>());
        let events: Vec<Event> = fresh
            .iter()
            .filter_map(|place| event(*place).cloned())
            .collect();
        let names = OwnNumbers {
            game: game.game(),
            viewer,
        };
        let seen = game.game().show_events(viewer, &events);
        let now: Vec<(usize, StateHash)> = std::iter::zip(fresh, &seen)
            .map(|(place, seen)| (place, mark(seen, &names)))
            .collect();
        let before = self.events.split_off(from);
        let same = std::iter::zip(&before, &now)
            .take_while(|(a, b)| a.1 == b.1)
            .count();
        if same < before.len() {
            self.timeline += 1;
            self.cuts.push((from + same) as u32);
        }
        self.events.extend(now);
    }
}

/// The events that a viewer sees of those that are over and done.
#[derive(Default)]
struct VisibleEvents {
    /// How many cuts of the match were noticed.
    noticed: usize,
    /// How many events were looked at.
    looked: usize,
    /// Those that it sees, by their places in the match.
    places: Vec<usize>,
}

impl VisibleEvents {
    /// Looks at what has happened, and at what was taken back.
    fn catch_up(&mut self, game: &Match, viewer: Viewer) {
        let settled = game.settled_events();
        let cuts = game.cuts().get(self.noticed..).unwrap_or_default();
        let left = cuts.iter().map(|cut| cut.events).min();
        self.noticed = game.cuts().len();
        let firm = self
            .looked
            .min(left.unwrap_or(usize::MAX))
            .min(settled.len());
        self.places
            .truncate(self.places.partition_point(|place| *place < firm));
        let fresh = (firm..settled.len()).filter(|place| settled[*place].audience.contains(viewer));
        self.places.extend(fresh);
        self.looked = settled.len();
    }
}

/// An event of a match by its place; those of an open step come last.
pub(super) fn event_at(game: &Match, place: usize) -> Option<&Event> {
    let settled = game.settled_events();
    settled.get(place).or_else(|| {
        game.game()
            .open_events()
            .get(place.checked_sub(settled.len())?)
    })
}

/// What a viewer was told of an event.
fn mark(event: &SeenEvent, names: &dyn Names) -> StateHash {
    let mut writer = StateHasher::new("seen-event");
    writer.text(&event.kind);
    for (name, value) in &event.fields {
        writer.text(name);
        writer.number(u64::from(value.is_some()));
        writer.value(value.as_ref().unwrap_or(&Value::None), names);
    }
    writer.number(event.remarks.len() as u64);
    for (place, words) in &event.remarks {
        writer.text(place);
        writer.text(words);
    }
    writer.text(event.rule.as_deref().unwrap_or(""));
    let (first, last) = event.draws.unwrap_or_default();
    writer.number(u64::from(first));
    writer.number(u64::from(last));
    writer.sum()
}

/// Names entities by a viewer's own numbers, which stay when a name comes out.
struct OwnNumbers<'a> {
    game: &'a Game,
    viewer: Viewer,
}

impl Names for OwnNumbers<'_> {
    fn name_of(&self, entity: EntityId) -> Name {
        let handle = self.game.handle(self.viewer, entity);
        handle.map_or_else(|| "?".into(), |handle| format!("#{handle}").into())
    }
}

impl ViewerNumbers {
    /// How many of the first decisions are a viewer's own.
    pub fn own(&self, viewer: Viewer, upto: usize) -> usize {
        match viewer {
            Viewer::Referee => upto.min(self.taken.len()),
            Viewer::Side(side) => {
                let first = self.taken.iter().take(upto);
                first.filter(|taken| taken.by == side).count()
            }
            Viewer::Spectator => 0,
        }
    }

    /// The place of a viewer's own decision, both from 0.
    pub fn place_of(&self, viewer: Viewer, own: usize) -> Option<usize> {
        match viewer {
            Viewer::Referee => (own < self.taken.len()).then_some(own),
            Viewer::Side(side) => {
                let all = self.taken.iter().enumerate();
                let places = all.filter(|(_, taken)| taken.by == side);
                places.map(|(place, _)| place).nth(own)
            }
            Viewer::Spectator => None,
        }
    }

    /// What stands for all that a viewer has decided.
    fn decided(&self, viewer: Viewer) -> Option<blake3::Hash> {
        match viewer {
            Viewer::Referee => self.taken.last().map(|taken| taken.all),
            Viewer::Side(side) => {
                let own = self.taken.iter().rfind(|taken| taken.by == side);
                own.map(|taken| taken.own)
            }
            Viewer::Spectator => None,
        }
    }

    /// Counts the decisions again: the sides of whose own some came or went.
    fn count(&mut self, game: &Match) -> u32 {
        let recorded = game.recorded_inputs();
        let cuts = game.cuts().get(self.cuts..).unwrap_or_default();
        let left = cuts
            .iter()
            .map(|cut| cut.decisions)
            .min()
            .unwrap_or(usize::MAX);
        let left = left.min(self.taken.len()).min(recorded.len());
        self.cuts = game.cuts().len();
        let gone: Vec<Side> = self.taken.drain(left..).map(|taken| taken.by).collect();
        for input in &recorded[left..] {
            let own = added(self.decided(Viewer::Side(input.by)), &input.text);
            let all = added(self.decided(Viewer::Referee), &input.text);
            let by = input.by;
            self.taken.push(Taken { by, own, all });
        }
        let fresh: Vec<Side> = recorded[left..].iter().map(|input| input.by).collect();
        // What stands again after a reload, for all that others lost, has not moved.
        let count = |all: &[Side], side: Side| all.iter().filter(|by| **by == side).count();
        let is_moved = |side: &&Side| count(&gone, **side) != count(&fresh, **side);
        gone.iter()
            .chain(&fresh)
            .filter(is_moved)
            .fold(0, |moved, side| moved | 1 << side.0)
    }
}

impl Tabletop {
    /// All viewers, by their places.
    fn viewers(&self) -> Vec<Viewer> {
        let sides = self.sides().map(|(side, _)| Viewer::Side(side));
        sides.chain([Viewer::Spectator, Viewer::Referee]).collect()
    }

    fn place_of_viewer(&self, viewer: Viewer) -> usize {
        let sides = self.sides().count();
        match viewer {
            Viewer::Side(side) => side.0 as usize,
            Viewer::Spectator => sides,
            Viewer::Referee => sides + 1,
        }
    }

    /// Stands for all that anybody may be told: as long as it is the same,
    /// there is nothing new for anybody.
    pub(super) fn moment(&self) -> Stamp {
        self.numbers.moment
    }

    /// After anything that somebody may be told and that is no decision.
    pub(super) fn has_moved(&mut self) {
        self.numbers.moment = Stamp::fresh();
    }

    /// After anything that may have changed who must decide what.
    pub(super) fn count_again(&mut self) {
        self.has_moved();
        let moved = self.numbers.count(&self.game);
        let viewers = self.viewers();
        self.numbers.asks.resize(viewers.len(), Ask::default());
        for (place, viewer) in viewers.into_iter().enumerate() {
            let is_moved = match viewer {
                Viewer::Side(side) => moved & 1 << side.0 != 0,
                Viewer::Spectator => false,
                Viewer::Referee => moved != 0,
            };
            let wanted = self.game.game().prompt(viewer);
            let ask = &self.numbers.asks[place];
            let fresh = match ask.prompt.is_none() || ask.wanted != wanted {
                true => Some(self.prompt_of(viewer))
                    .filter(|prompt| ask.prompt.as_ref() != Some(prompt)),
                false => None,
            };
            let is_another = is_moved || fresh.is_some();
            let ask = &mut self.numbers.asks[place];
            ask.wanted = wanted;
            ask.prompt = fresh.or(ask.prompt.take());
            if is_another {
                let decided = self.numbers.decided(viewer);
                self.numbers.asks[place].count(decided);
            }
        }
        let stand = self.game.recorded_inputs().len();
        self.proposals.lapse_at(stand);
    }

    /// The number of a viewer's prompt, which changes with nothing else.
    pub(super) fn ask_of(&self, viewer: Viewer) -> u32 {
        self.numbers
            .asks
            .get(self.place_of_viewer(viewer))
            .map_or(0, |ask| ask.number)
    }

    /// The places of all events that a viewer sees, those of an open step last.
    pub(super) fn visible<T>(
        &self,
        viewer: Viewer,
        get: impl FnOnce(&[usize], &[usize]) -> T,
    ) -> T {
        let place = self.place_of_viewer(viewer);
        let mut all = self.numbers.visible.borrow_mut();
        if all.len() <= place {
            all.resize_with(place + 1, VisibleEvents::default);
        }
        all[place].catch_up(&self.game, viewer);
        let (settled, open) = (self.game.settled_events(), self.game.game().open_events());
        let seen = (0..open.len()).filter(|at| open[*at].audience.contains(viewer));
        let open: Vec<usize> = seen.map(|at| settled.len() + at).collect();
        get(&all[place].places, &open)
    }

    /// What a viewer was told, up to now.
    pub(super) fn history<T>(&self, viewer: Viewer, get: impl FnOnce(&ViewerHistory) -> T) -> T {
        let place = self.place_of_viewer(viewer);
        let mut all = self.numbers.histories.borrow_mut();
        if all.len() <= place {
            all.resize_with(place + 1, ViewerHistory::default);
        }
        all[place].catch_up(&self.game, viewer);
        get(&all[place])
    }
}
