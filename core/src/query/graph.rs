//! The graph: of each answer, what was read for it.

use std::cell::{Cell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};

use super::states::StateNumbers;
use super::{Revision, Source, SourceRead};
use crate::game::Lists;
use crate::groups::{GroupStamps, ReadGroups};
use crate::stamp::Stamp;
use crate::value::{Name, Value};
use crate::world::{SIDE, Viewer, Viewers};

/// Rules that call each other deeper than this are asked anew, so that a limit
/// of depth is met whoever asked before.
const DEEPEST: u32 = 64;

/// So few notes are kept as they are: hardly one of them is there twice, for what was
/// noted last is remembered.
const FEW_NOTES: usize = 1 << 6;

/// More notes than this of one answer are not kept.
const MOST_READS: usize = 1 << 14;

/// Room for more reads than this is not held for the next answer.
const MOST_ROOM: usize = 1 << 9;

/// How many notes are remembered, as a power of two.
const RECENT_BITS: u32 = 8;

/// More numbers for values and phases than this are not given.
const MOST_NUMBERS: usize = 1 << 14;

/// The number of an answer in its graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Answer(pub u32);

/// An answer that was noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Closed {
    /// Its number.
    pub answer: Answer,
    /// What it rests on has this version.
    pub version: Stamp,
    /// It is good for who has it computed apart alone: what ran for it would
    /// depend on what ran before, had anything run.
    pub is_lone: bool,
}

/// What one answer rests on, as far as it is looked at whenever somebody asks for it: one
/// line of the cache.
#[derive(Debug)]
#[repr(align(64))]
struct Node {
    /// What was read, in order; none of a number that is free.
    reads: Box<[SourceRead]>,
    /// A new one each time the answer is found anew.
    version: Stamp,
    /// The groups of all that it rests on, through other answers too.
    groups: ReadGroups,
    /// What the answer cost.
    cost: u64,
    /// The last state in which it was found valid, by its number, and that in which it
    /// was not.
    verified: Cell<u64>,
    refuted: Cell<u64>,
    /// When it was last used, in turns of the graph.
    used: Cell<u32>,
    /// How many answers lie under it, one within the other.
    height: u32,
}

const _: () = assert!(size_of::<Node>() == 64);

/// What else is known of an answer: in which era it was found, and for whom what it
/// rests on was told again.
#[derive(Debug)]
struct Retold {
    era: Stamp,
    viewer: Viewer,
    /// For whom its reads were noted again last.
    noted_epoch: Cell<Stamp>,
    /// For whom they were tracked again last.
    tracked_epoch: Cell<Stamp>,
    /// Who may see all that it rests on, once somebody wanted to know.
    narrowest: Cell<Option<Viewers>>,
}

/// The state in which a rule is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosingState {
    pub revision: Revision,
    /// Its number.
    pub number: u64,
    pub era: Stamp,
}

/// A rule that runs, whose answer is to be kept.
#[derive(Clone, Copy, Debug)]
struct OpenRule {
    /// Where its notes begin.
    start: usize,
    /// What tells it from all that were open before.
    serial: u32,
    revision: Revision,
    viewer: Viewer,
    /// The greatest height of the answers that it rests on so far.
    height: u32,
    /// Whether what it gives depends on what ran before it, and may not be kept.
    is_nested: bool,
    /// Whether that holds for something below it, which is computed apart with it.
    is_lone: bool,
}

/// What answers rest on. See [the module](super).
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    retold: Vec<Retold>,
    states: StateNumbers,
    free: Vec<Answer>,
    notes: RefCell<Vec<SourceRead>>,
    /// What was noted last, each at a place of its number, and by which rule.
    recent: RecentNotes,
    serials: u32,
    open: RefCell<Vec<OpenRule>>,
    /// How many of the open rules run outside of the call that runs.
    outside: Cell<usize>,
    /// How many are noting: those that run within the call.
    within: Cell<usize>,
    /// Of this many open rules, the outermost, the answers may not be kept.
    spoiled: Cell<usize>,
    buckets: RefCell<FxHashMap<(u16, u16, Value), u32>>,
    bucket_of: RefCell<Vec<(u16, u16, Value)>>,
    phases: RefCell<FxHashMap<Name, u32>>,
    phase_of: RefCell<Vec<Name>>,
    names: RefCell<FxHashMap<Name, u32>>,
    name_of: RefCell<Vec<Name>>,
    turn: u32,
    /// Lists of entities that rules were given.
    pub(crate) lists: RefCell<Lists>,
    /// How many reads all answers hold.
    size: usize,
    /// Room to find out which reads come again; empty between two uses.
    seen: FxHashSet<u64>,
}

/// Remembers some of what was noted, so that what is read again and again is
/// noted once.
#[derive(Debug)]
struct RecentNotes(Box<[Cell<(u64, u32)>]>);

impl Default for RecentNotes {
    fn default() -> RecentNotes {
        // No rule has the serial number 0 while its notes are kept.
        RecentNotes(vec![Cell::new((0, 0)); 1 << RECENT_BITS].into())
    }
}

impl RecentNotes {
    /// Whether a rule is known to have noted something; from now on it is.
    fn has(&self, number: u64, serial: u32) -> bool {
        let place = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT_BITS);
        let Some(cell) = self.0.get(place as usize) else {
            return false;
        };
        cell.replace((number, serial)) == (number, serial)
    }
}

impl Graph {
    /// Whether a rule is open whose answer is to be kept.
    pub(crate) fn is_noting(&self) -> bool {
        self.within.get() > 0
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many reads all answers hold.
    pub fn reads(&self) -> usize {
        self.size
    }

    /// What an answer cost.
    pub fn cost(&self, answer: Answer) -> u64 {
        self.nodes
            .get(answer.0 as usize)
            .map_or(0, |node| node.cost)
    }

    /// Whether an answer lies so deep that its rule must run.
    pub fn is_too_deep(&self, answer: Answer) -> bool {
        let height = self
            .nodes
            .get(answer.0 as usize)
            .map_or(0, |node| node.height);
        self.open.borrow().len() as u32 + height > DEEPEST
    }

    /// The version of an answer.
    pub fn version(&self, answer: Answer) -> Option<Stamp> {
        self.nodes.get(answer.0 as usize).map(|node| node.version)
    }

    /// The number of the state in which a game is, whose groups were last changed
    /// then.
    pub(crate) fn state(&self, now: Revision, stamps: impl FnOnce() -> GroupStamps) -> u64 {
        self.states.of(now, stamps)
    }

    /// Whether what an answer rests on has the stamps that it had, in a state by its
    /// number and its era, by what says which one a source has now.
    pub(crate) fn is_valid(
        &self,
        answer: Answer,
        (now, era): (u64, Stamp),
        stamp_of: &impl Fn(Source) -> Option<Stamp>,
    ) -> bool {
        let place = answer.0 as usize;
        let Some(node) = self.nodes.get(place) else {
            return false;
        };
        if node.verified.get() == now {
            return true;
        }
        if node.refuted.get() == now || node.version == Stamp::NONE {
            return false;
        }
        let is_same = |read: &SourceRead| match read.source() {
            Source::Answer(under) => {
                self.version(under) == Some(read.stamp)
                    && self.is_valid(under, (now, era), stamp_of)
            }
            source => stamp_of(source) == Some(read.stamp),
        };
        let is_of_era = || self.retold.get(place).is_some_and(|one| one.era == era);
        let is_valid = self.states.are_as_in(node.verified.get(), node.groups)
            || is_of_era() && node.reads.iter().all(is_same);
        if is_valid {
            node.verified.set(now);
            node.used.set(self.turn);
        } else {
            node.refuted.set(now);
        }
        is_valid
    }

    pub(crate) fn note(&self, read: SourceRead) {
        let serial = self.open.borrow().last().map_or(0, |open| open.serial);
        if !self.recent.has(read.number, serial) {
            self.notes.borrow_mut().push(read);
        }
    }

    pub(crate) fn note_answer(&self, answer: Answer) {
        if !self.is_noting() {
            return;
        }
        let Some(node) = self.nodes.get(answer.0 as usize) else {
            return;
        };
        if let Some(open) = self.open.borrow_mut().last_mut() {
            open.height = open.height.max(node.height);
        }
        self.note(SourceRead::new(Source::Answer(answer), node.version));
    }

    /// Tells again what was read for an answer, and in whose eyes, once for each
    /// time that somebody wants to know.
    pub(crate) fn tell_again(&self, answer: Answer, epoch: Stamp, tell: &impl Fn(Viewer, Source)) {
        self.each_read(answer, epoch, |retold| &retold.noted_epoch, tell);
    }

    /// The same for who tracks what is read, once for each time that it is tracked.
    pub(crate) fn track_again(&self, answer: Answer, epoch: Stamp, track: &impl Fn(Source)) {
        let tell = |_: Viewer, source: Source| track(source);
        self.each_read(answer, epoch, |retold| &retold.tracked_epoch, &tell);
    }

    /// All that was read for an answer and for those under it, but of those for
    /// which it was told in this epoch already.
    fn each_read(
        &self,
        answer: Answer,
        epoch: Stamp,
        told: fn(&Retold) -> &Cell<Stamp>,
        tell: &impl Fn(Viewer, Source),
    ) {
        let place = answer.0 as usize;
        let (Some(node), Some(retold)) = (self.nodes.get(place), self.retold.get(place)) else {
            return;
        };
        if told(retold).replace(epoch) == epoch {
            return;
        }
        for read in &node.reads {
            match read.source() {
                Source::Answer(under) => self.each_read(under, epoch, told, tell),
                source => tell(retold.viewer, source),
            }
        }
    }

    /// Who may see all that a valid answer rests on, by what says it of one source. It is
    /// found once: with other viewers a source has another stamp.
    pub(crate) fn narrowest(
        &self,
        answer: Answer,
        narrowest_of: &impl Fn(Viewer, Source) -> Viewers,
    ) -> Viewers {
        let place = answer.0 as usize;
        let (Some(node), Some(retold)) = (self.nodes.get(place), self.retold.get(place)) else {
            return Viewers::ALL;
        };
        if let Some(known) = retold.narrowest.get() {
            return known;
        }
        let each = node.reads.iter().map(|read| match read.source() {
            Source::Answer(under) => self.narrowest(under, narrowest_of),
            source => narrowest_of(retold.viewer, source),
        });
        let found = each.fold(Viewers::ALL, Viewers::both);
        retold.narrowest.set(Some(found));
        found
    }

    pub(crate) fn open(&mut self, revision: Revision, viewer: Viewer) -> usize {
        let depth = self.open.get_mut().len();
        let start = self.notes.get_mut().len();
        self.serials = self.serials.wrapping_add(1);
        let serial = self.serials;
        let open = OpenRule {
            start,
            serial,
            revision,
            viewer,
            height: 0,
            is_nested: false,
            is_lone: false,
        };
        self.open.get_mut().push(open);
        self.within.set(self.within.get() + 1);
        depth
    }

    /// Nothing that is open may be kept: it did something besides reading.
    pub(crate) fn spoil(&self) {
        self.spoiled.set(self.open.borrow().len());
    }

    /// Of what is open only the outermost so many may be kept: the last of these
    /// is computed apart, and the rest depends on what ran before it in there.
    pub(crate) fn spoil_nested(&self, kept: usize) {
        let mut open = self.open.borrow_mut();
        let kept = kept.min(open.len());
        let (outer, nested) = open.split_at_mut(kept);
        nested.iter_mut().for_each(|open| open.is_nested = true);
        if let Some(apart) = outer.last_mut() {
            apart.is_lone = true;
        }
    }

    /// How many rules are open.
    pub fn open_rules(&self) -> usize {
        self.open.borrow().len()
    }

    pub(crate) fn close(
        &mut self,
        depth: usize,
        now: ClosingState,
        cost: u64,
        epoch: Stamp,
        place: Option<Answer>,
    ) -> Option<Closed> {
        let open = *self.open.get_mut().get(depth)?;
        // What lies above it was broken off, by an error that somebody caught.
        if self.open.get_mut().len() > depth + 1 {
            self.spoil();
        }
        let is_spoiled = depth < self.spoiled.get() || open.is_nested;
        let is_lone = open.is_lone;
        let is_whole = !is_spoiled && now.revision == open.revision && open.height < DEEPEST;
        self.fall_back(depth);
        let notes = self.notes.get_mut();
        let start = open.start.min(notes.len());
        let count = match is_whole {
            true => distinct(&mut notes[start..], &mut self.seen),
            false => None,
        };
        let Some(count) = count else {
            // What it has read, whoever called it has read too.
            self.carry(open.height);
            return None;
        };
        let before = place.and_then(|place| self.nodes.get_mut(place.0 as usize));
        let before = before.map(|node| std::mem::take(&mut node.reads));
        let before = before.unwrap_or_default();
        self.size = self.size + count - before.len();
        let reads = written_over(before, &notes[start..start + count]);
        notes.truncate(open.start);
        let groups = self.groups_of(&reads);
        let version = Stamp::fresh();
        let node = Node {
            reads,
            version,
            groups,
            cost,
            height: open.height + 1,
            verified: Cell::new(now.number),
            refuted: Cell::new(0),
            used: Cell::new(self.turn),
        };
        let retold = Retold {
            era: now.era,
            viewer: open.viewer,
            noted_epoch: Cell::new(epoch),
            tracked_epoch: Cell::new(Stamp::NONE),
            narrowest: Cell::new(None),
        };
        let answer = self.put(node, retold, place);
        self.note_answer(answer);
        Some(Closed {
            answer,
            version,
            is_lone,
        })
    }

    /// The groups of what was read.
    fn groups_of(&self, reads: &[SourceRead]) -> ReadGroups {
        let mut groups = ReadGroups::NONE;
        for read in reads {
            groups |= match read.source() {
                Source::Attribute(entity, slot) => ReadGroups::of_attribute(entity, slot),
                Source::Owner(entity) => ReadGroups::of_attribute(entity, SIDE),
                Source::Bucket(number) => self.groups_of_bucket(number),
                Source::Answer(under) => self.groups_under(under, read.stamp),
                Source::Existence(_)
                | Source::Naming(_)
                | Source::Presence(_)
                | Source::Nobody(_)
                | Source::Members(_)
                | Source::Shown(_) => ReadGroups::BEINGS,
                Source::Phase(_) => ReadGroups::PHASES,
                Source::Sightings => ReadGroups::SIGHTINGS,
                Source::Pile(_) => ReadGroups::DECKS,
            };
        }
        groups
    }

    fn groups_of_bucket(&self, number: u32) -> ReadGroups {
        let list = self.bucket_of.borrow();
        let bucket = list.get(number as usize);
        bucket.map_or(ReadGroups::ALL, |(_, slot, _)| ReadGroups::of_slot(*slot))
    }

    /// The groups of an answer, if it has that version still.
    fn groups_under(&self, answer: Answer, version: Stamp) -> ReadGroups {
        let node = self.nodes.get(answer.0 as usize);
        node.filter(|node| node.version == version)
            .map_or(ReadGroups::ALL, |node| node.groups)
    }

    pub(crate) fn drop_open(&mut self, depth: usize) {
        let Some(open) = self.open.get_mut().get(depth).copied() else {
            return;
        };
        if self.open.get_mut().len() > depth + 1 {
            self.spoil();
        }
        self.fall_back(depth);
        self.carry(open.height);
    }

    /// What is not kept is part of what is open around it.
    fn carry(&mut self, height: u32) {
        match self.open.get_mut().last_mut() {
            Some(outer) => outer.height = outer.height.max(height),
            None => self.notes.get_mut().clear(),
        }
    }

    /// Breaks off all but the outermost so many.
    fn fall_back(&mut self, depth: usize) {
        self.open.get_mut().truncate(depth);
        self.within.set(depth.saturating_sub(self.outside.get()));
        self.spoiled.set(self.spoiled.get().min(depth));
    }

    fn put(&mut self, node: Node, retold: Retold, place: Option<Answer>) -> Answer {
        // A number that was forgotten while its rule ran is free: others may have it.
        let is_taken = |place: &Answer| {
            let old = self.nodes.get(place.0 as usize);
            old.is_some_and(|old| old.version != Stamp::NONE)
        };
        match place.filter(is_taken).or_else(|| self.free.pop()) {
            Some(place) => {
                self.nodes[place.0 as usize] = node;
                self.retold[place.0 as usize] = retold;
                place
            }
            None => {
                self.nodes.push(node);
                self.retold.push(retold);
                Answer(self.nodes.len() as u32 - 1)
            }
        }
    }

    /// A call from outside begins: what is open waits, and rests on nothing
    /// that the call reads. Gives how to go on with it.
    pub fn enter(&mut self) -> (usize, usize) {
        let depth = self.open.get_mut().len();
        self.spoil();
        (self.outside.replace(depth), self.within.replace(0))
    }

    /// The call is over; what it left open was broken off.
    pub fn leave(&mut self, (outside, within): (usize, usize)) {
        let depth = self.outside.get();
        if let Some(open) = self.open.get_mut().get(depth) {
            let start = open.start;
            self.notes.get_mut().truncate(start);
        }
        self.fall_back(depth);
        self.outside.set(outside);
        self.within.set(within);
        if depth == 0 {
            self.notes.get_mut().clear();
        }
    }

    /// Forgets one answer: what rests on it must be asked anew.
    pub fn forget(&mut self, answer: Answer) {
        if let Some(node) = self.nodes.get_mut(answer.0 as usize)
            && node.version != Stamp::NONE
        {
            self.size -= node.reads.len();
            node.reads = Box::default();
            node.version = Stamp::NONE;
            node.verified.set(0);
            self.free.push(answer);
            // What rests on it is no longer known to be valid.
            self.states.forget();
        }
    }

    /// Forgets all of them. Nothing may be open.
    pub fn clear(&mut self) {
        let (outside, within) = (self.outside.get(), self.within.get());
        // A serial number never comes again: what is open keeps its own.
        let (open, serials) = (std::mem::take(&mut self.open), self.serials);
        // The next answers take their room: to find some for each anew costs more.
        let (mut nodes, mut retold) = (
            std::mem::take(&mut self.nodes),
            std::mem::take(&mut self.retold),
        );
        nodes.clear();
        retold.clear();
        *self = Graph {
            nodes,
            retold,
            open,
            serials,
            ..Graph::default()
        };
        self.outside.set(outside);
        self.within.set(within);
        self.spoil();
    }

    /// A new turn begins: what was last used in this one is told apart from
    /// what was used before.
    pub fn turn(&mut self) {
        self.turn = self.turn.wrapping_add(1);
    }

    /// The answers that were not looked at in the last so many turns. One may lie
    /// under another that was, where nothing has changed since: that one is then
    /// found anew.
    pub fn idle(&self, turns: u32) -> Vec<Answer> {
        let is_idle = |node: &Node| {
            node.version != Stamp::NONE && self.turn.wrapping_sub(node.used.get()) > turns
        };
        let all = (0u32..).zip(&self.nodes);
        all.filter(|(_, node)| is_idle(node))
            .map(|(place, _)| Answer(place))
            .collect()
    }

    /// Whether there are so many numbers that it is better to begin anew.
    pub fn is_full(&self) -> bool {
        let names = self.phase_of.borrow().len() + self.name_of.borrow().len();
        self.bucket_of.borrow().len() + names > MOST_NUMBERS
    }

    pub(crate) fn bucket_number(&self, kind: u16, slot: u16, value: &Value) -> u32 {
        let key = (kind, slot, value.clone());
        let mut list = self.bucket_of.borrow_mut();
        *self
            .buckets
            .borrow_mut()
            .entry(key)
            .or_insert_with_key(|key| {
                list.push(key.clone());
                list.len() as u32 - 1
            })
    }

    pub(crate) fn bucket(
        &self,
        number: u32,
        stamp_of: impl FnOnce(u16, u16, &Value) -> Option<Stamp>,
    ) -> Option<Stamp> {
        let list = self.bucket_of.borrow();
        let (kind, slot, value) = list.get(number as usize)?;
        stamp_of(*kind, *slot, value)
    }

    pub(crate) fn phase_number(&self, id: &str) -> u32 {
        numbered(&self.phases, &self.phase_of, id)
    }

    pub(crate) fn name_number(&self, name: &str) -> u32 {
        numbered(&self.names, &self.name_of, name)
    }

    pub(crate) fn name(&self, number: u32, stamp_of: impl FnOnce(&str) -> Stamp) -> Option<Stamp> {
        self.name_of
            .borrow()
            .get(number as usize)
            .map(|name| stamp_of(name))
    }

    pub(crate) fn phase(&self, number: u32, stamp_of: impl FnOnce(&str) -> Stamp) -> Option<Stamp> {
        self.phase_of
            .borrow()
            .get(number as usize)
            .map(|id| stamp_of(id))
    }
}

/// The number of a text, the next one where it has none yet.
fn numbered(
    numbers: &RefCell<FxHashMap<Name, u32>>,
    texts: &RefCell<Vec<Name>>,
    text: &str,
) -> u32 {
    if let Some(number) = numbers.borrow().get(text) {
        return *number;
    }
    let mut texts = texts.borrow_mut();
    let (name, number) = (Name::from(text), texts.len() as u32);
    texts.push(name.clone());
    numbers.borrow_mut().insert(name, number);
    number
}

/// The reads of an answer, in the room of those that it had if there are as many:
/// what is found anew has mostly read the same things.
fn written_over(mut before: Box<[SourceRead]>, reads: &[SourceRead]) -> Box<[SourceRead]> {
    if before.len() != reads.len() {
        return reads.into();
    }
    before.copy_from_slice(reads);
    before
}

/// Moves each read up to the front once, in the order in which they came first, where
/// there are many, and tells how many there are; `None` if there are too many. Within
/// one answer everything that is read has one stamp.
fn distinct(notes: &mut [SourceRead], seen: &mut FxHashSet<u64>) -> Option<usize> {
    if notes.len() <= FEW_NOTES {
        return Some(notes.len());
    }
    let mut count = 0;
    for place in 0..notes.len() {
        let read = notes[place];
        if seen.insert(read.number) {
            notes[count] = read;
            count += 1;
        }
    }
    // To empty much room takes long: what one large answer took is given back.
    match seen.capacity() > MOST_ROOM {
        true => *seen = FxHashSet::default(),
        false => seen.clear(),
    }
    (count <= MOST_READS).then_some(count)
}
