//! Games in lockstep: one that is played, and twins that part from it in what
//! somebody may not know. Whatever that viewer gets must be the same, byte for
//! byte, until the rules tell it, or what it may see has become another.

mod branching;
mod excuse;
mod known;
mod moves;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use houserule::workshop::Workshop;
use serde_json::{Value as Json, json};

use self::excuse::{Views, around, is_excused, is_from_what_is_left};
use crate::LEAST;
use crate::door::{Change, Door, HOST, Sent, Spec};
use crate::games::Subject;
use crate::parting::SetUp;
use crate::player::{Line, Player};
use crate::probes::{GRANTED, Given, Names, given};
use crate::tally::Tally;

pub use self::known::Known;

/// What the tally calls that only the host knows of a journal.
pub const JOURNAL: &str = "where the journal is";
/// So many twins go beside a game at once.
const MOST_TWINS: usize = 4;
/// So many more do that part in what has not parted yet.
const MORE_TWINS: usize = 2;
/// So many go beside one of which only the set-up parts.
const MOST_SET_UPS: usize = 12;
/// A twin goes on for so many lines.
const LONGEST: usize = 16;
/// Every so many lines what has parted is looked at.
const LOOKED_AT: usize = 4;

/// How a game is played.
#[derive(Clone)]
pub struct Plan<'a> {
    /// The game.
    pub subject: &'a Subject,
    /// The mods.
    pub workshop: Rc<Workshop>,
    /// The seed, which also says which scenario.
    pub seed: u64,
    /// At most so many pairs.
    pub pairs: usize,
    /// What has parted in games before.
    pub known: Known,
    /// Actions in which something may part that has seldom parted.
    pub sought: Rc<BTreeSet<String>>,
    /// As in a [`Spec`].
    pub is_brief: bool,
    /// Whether one twin keeps a journal, which is the host's affair.
    pub journals: bool,
    /// Whether the set-up parts in a game of its own.
    pub is_set_up_apart: bool,
    /// Whether this is that game: so many more twins go beside it, and for no
    /// longer than each is compared.
    pub is_set_up_only: bool,
}

impl Plan<'_> {
    /// So many twins go beside the game at once.
    fn most_twins(&self) -> usize {
        if self.is_set_up_only {
            MOST_SET_UPS
        } else {
            MOST_TWINS
        }
    }

    /// So many lines are sent.
    fn steps(&self) -> usize {
        if self.is_set_up_only {
            LONGEST + 1
        } else {
            self.subject.steps
        }
    }
}

/// A pair that was compared, so that it can be compared again in other
/// circumstances.
#[derive(Clone, Debug)]
pub struct Pair {
    /// What is played.
    pub spec: Spec,
    /// What the tally calls it.
    pub what: String,
    /// All that has parted, as the tally calls it.
    pub parted: BTreeSet<String>,
    /// What is otherwise from the start.
    pub change: Change,
    /// All lines of the one game, up to where the pair ended.
    pub lines: Vec<Line>,
    /// Lines that are others in the twin, by their place.
    pub instead: BTreeMap<usize, Line>,
    /// Lines that the twin alone gets, each after the one at its place.
    pub also: BTreeMap<usize, Line>,
    /// From which line on it is compared.
    pub born: usize,
    /// Who may not know, and up to which line.
    pub watchers: BTreeMap<String, usize>,
}

impl Pair {
    /// Whether somebody watches it at one of some lines.
    pub fn is_watched_at(&self, lines: &BTreeSet<usize>) -> bool {
        let last = self.watchers.values().max().copied().unwrap_or(0);
        lines.range(self.born..last.max(self.born)).next().is_some()
    }

    /// The words for what has parted: attributes, parameters, rules.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let words = self
            .parted
            .iter()
            .flat_map(|what| what.split(['.', ' ']).skip(1));
        words.filter(|word| !["perform", "veil", "roll", "of"].contains(word))
    }
}

/// A game that has parted from the one that is played.
struct Twin {
    door: Door,
    pair: Pair,
    /// Who must not notice.
    watchers: BTreeSet<String>,
    /// What each of them saw last, as it came.
    views: BTreeMap<String, String>,
    parted: BTreeSet<String>,
    /// Up to which line it was compared.
    compared: usize,
    /// Whether a decision was taken in one of the two games alone, unnoticed: they
    /// count otherwise since, but for those who must not notice.
    is_uneven: bool,
}

impl Twin {
    fn is_called(&mut self, what: String) {
        self.pair.what.clone_from(&what);
        self.parted = BTreeSet::from([what]);
    }
}

/// What came at one step of the game that is played.
struct Step {
    place: usize,
    /// The phase in which the line was sent.
    phase: String,
    line: Line,
    sent: Sent,
    given: BTreeMap<String, Given>,
    names: Names,
}

/// A game that is played, with its twins.
pub struct Lockstep<'a> {
    plan: Plan<'a>,
    spec: Spec,
    player: Player,
    base: Door,
    lines: Vec<Line>,
    /// What each viewer saw last, as it came.
    views: BTreeMap<String, String>,
    /// Who had to decide before the last line, and what it told.
    before: Option<(BTreeSet<String>, Step)>,
    twins: Vec<Twin>,
    /// The side that a bot plays for a moment, and whether it has decided.
    bot: Option<(String, bool)>,
    /// Phases in which several sides were to act at once.
    secret_phases: BTreeSet<String>,
    /// What was parted, and what was found.
    pub tally: Tally,
    /// The pairs that have ended.
    pub ended: Vec<Pair>,
}

impl<'a> Lockstep<'a> {
    /// Plays a game to its end, or as far as the plan goes.
    pub fn play(plan: Plan<'a>) -> Lockstep<'a> {
        let scenario = plan.subject.scenario(plan.seed);
        let spec = Spec {
            scenario: scenario.into(),
            with: Vec::new(),
            options: BTreeMap::new(),
            seed: plan.seed,
            is_agreed: plan.seed.is_multiple_of(2),
            is_brief: plan.is_brief,
        };
        let base = Door::open(&plan.workshop, &spec, None);
        let mut game = Lockstep {
            player: Player::new(plan.seed, 0)
                .seeking((*plan.sought).clone(), !plan.subject.seeks.is_empty()),
            spec,
            base,
            lines: Vec::new(),
            views: BTreeMap::new(),
            before: None,
            twins: Vec::new(),
            bot: None,
            secret_phases: BTreeSet::new(),
            tally: Tally {
                games: 1,
                ..Tally::default()
            },
            ended: Vec::new(),
            plan,
        };
        game.tally.declared.clone_from(&game.base.declared);
        game.part_set_up();
        for _ in 0..game.plan.steps() {
            if !game.step() {
                break;
            }
        }
        for twin in std::mem::take(&mut game.twins) {
            game.end(twin, "with the game");
        }
        game.tally.lines = game.lines.len();
        game
    }

    /// Sends the next line, to all.
    fn step(&mut self) -> bool {
        let waiting = self.waiting();
        let Some(line) = self.next_line(&waiting) else {
            return false;
        };
        let phase = self.phase(&waiting);
        let drawn = self.base.drawn();
        let sent = self
            .base
            .send(&line.seat, &line.method, line.params.clone());
        let place = self.lines.len();
        self.lines.push(line.clone());
        let names = Names::of(&mut self.base);
        let given = self.given_to_all(place, &names);
        let step = Step {
            place,
            phase,
            line,
            sent,
            given,
            names,
        };
        self.note_hidden(&step);
        self.note_granted(&step);
        for twin in std::mem::take(&mut self.twins) {
            self.follow(twin, &step);
        }
        if self.plan.is_set_up_only {
            // Nothing parts any more.
        } else if step.sent.is_granted() {
            self.part_decision(&step);
            self.part_number(&step);
            self.part_order(&waiting, &step);
            self.part_draw(&step, drawn);
        } else {
            self.refused(&step);
        }
        self.views = step
            .given
            .iter()
            .map(|(viewer, given)| (viewer.clone(), view_in(given).to_string()))
            .collect();
        self.before = Some((waiting, step));
        true
    }

    fn waiting(&mut self) -> BTreeSet<String> {
        let standing = self.base.ask(HOST, "standing", json!({}));
        let sides = standing["waiting_for"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        sides
            .iter()
            .filter_map(|side| side.as_str().map(ToString::to_string))
            .collect()
    }

    /// The phase in which somebody acts; one in which several do is secret.
    fn phase(&mut self, waiting: &BTreeSet<String>) -> String {
        let prompt = self.base.ask(HOST, "prompt", json!({ "viewer": HOST }));
        let phase = prompt["phase"].as_str().unwrap_or_default().to_string();
        if prompt["prompt"] == "act" && waiting.len() > 1 {
            self.secret_phases.insert(phase.clone());
        }
        phase
    }

    fn given_to_all(&mut self, place: usize, names: &Names) -> BTreeMap<String, Given> {
        let viewers = self.base.viewers.clone();
        viewers
            .into_iter()
            .map(|viewer| (viewer.clone(), given(&mut self.base, &viewer, place, names)))
            .collect()
    }

    /// What somebody tried in vain is not told to the others.
    fn refused(&mut self, step: &Step) {
        for viewer in &self.base.viewers {
            if *viewer != step.line.seat && !step.sent.to(viewer).is_empty() {
                let lines = step.sent.to(viewer).join("\n");
                self.tally.leaks.push(format!(
                    "{}: {viewer} is told of a refusal: {lines}",
                    self.at(step.place)
                ));
            }
        }
    }

    /// What is forbidden and was granted is a leak, whatever it told.
    fn note_granted(&mut self, step: &Step) {
        for got in step
            .given
            .values()
            .flatten()
            .filter(|got| got.bytes == GRANTED)
        {
            self.tally
                .leaks
                .push(format!("{}: {}", self.at(step.place), got.what));
        }
    }

    /// Notes the attributes that hold something which is hidden from somebody.
    fn note_hidden(&mut self, step: &Step) {
        if !step.place.is_multiple_of(LOOKED_AT) {
            return;
        }
        let mut hidden: BTreeSet<(String, String)> = BTreeSet::new();
        for given in step.given.values() {
            let view = view_of(view_in(given));
            for entity in view["entities"].as_array().into_iter().flatten() {
                let kind = entity["kind"].as_str().unwrap_or_default();
                let names = entity["hidden"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Json::as_str);
                hidden.extend(names.map(|name| (kind.to_string(), name.to_string())));
            }
        }
        let all = self.base.ask(HOST, "view", json!({ "viewer": HOST }));
        for (kind, name) in hidden {
            let default = self.base.default_of(&kind, &name);
            let of_kind = all["entities"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|one| one["kind"] == *kind);
            if of_kind
                .into_iter()
                .any(|one| one["attributes"][name.as_str()] != default)
            {
                self.tally.seen.insert(format!("attribute {kind}.{name}"));
            }
        }
    }

    fn at(&self, place: usize) -> String {
        format!(
            "{} seed {} line {place}",
            self.spec.scenario, self.spec.seed
        )
    }

    // ---- twins ---------------------------------------------------------------

    /// A twin as it is before the line of a place.
    fn twin(&self, change: Change, place: usize, what: &str, watchers: BTreeSet<String>) -> Twin {
        let door = self.base.twin(&self.spec, &change);
        self.twin_of(door, change, place, what, watchers)
    }

    /// The same of a game that has just begun.
    fn twin_of(
        &self,
        mut door: Door,
        change: Change,
        place: usize,
        what: &str,
        watchers: BTreeSet<String>,
    ) -> Twin {
        // What the game that is played has reported so far is reported as there.
        let viewers = door.viewers.clone();
        let report = |door: &mut Door| viewers.iter().for_each(|viewer| drop(door.report(viewer)));
        if !self.lines.is_empty() {
            report(&mut door);
        }
        for line in &self.lines[..place] {
            door.send(&line.seat, &line.method, line.params.clone());
            report(&mut door);
        }
        let pair = Pair {
            spec: self.spec.clone(),
            what: what.to_string(),
            parted: BTreeSet::new(),
            change,
            lines: Vec::new(),
            instead: BTreeMap::new(),
            also: BTreeMap::new(),
            born: place,
            watchers: BTreeMap::new(),
        };
        let views = self.views.clone();
        let parted = BTreeSet::from([what.to_string()]);
        Twin {
            door,
            pair,
            watchers,
            views,
            parted,
            compared: place,
            is_uneven: false,
        }
    }

    /// Sends a line to a twin too, and compares.
    fn follow(&mut self, mut twin: Twin, step: &Step) {
        let line = &step.line;
        if let Some((side, true)) = self.bot.as_ref().filter(|_| line.method == "bot_turn")
            && !twin.watchers.contains(side)
        {
            // A bot that plays a side knows what that side knows.
            return self.end(twin, "a bot decides that knows");
        }
        let other = twin
            .door
            .send(&line.seat, &line.method, line.params.clone());
        if matches!(twin.pair.change, Change::SetUp(_)) && other.is_fault() && !step.sent.is_fault()
        {
            return self.end(twin, "the rules do not know such a set-up");
        }
        if line.method == "undo" && twin.pair.instead.len() > 1 {
            // What is taken back of two that changed places is another's.
            return self.end(twin, "the order is taken back");
        }
        if matches!(twin.pair.change, Change::Draw(_))
            && ["undo", "redo"].contains(&line.method.as_str())
        {
            // What is rolled afterwards may stand in the place of the draw that parted.
            return self.end(twin, "the draw is taken back");
        }
        let is_undone = [&step.sent, &other]
            .iter()
            .any(|sent| sent.result()["undo"] == "done");
        // Who took one more counts otherwise, and wishes to have something else back.
        let counts = |more: &Line| is_undone || (line.method == "undo" && more.seat == line.seat);
        if twin.pair.also.values().any(counts) {
            return self.end(twin, "one decision more is taken back");
        }
        if twin.is_uneven && line.method == "undo" && !twin.watchers.contains(&line.seat) {
            return self.end(twin, "as many taken back are others");
        }
        let differs = other.is_granted() != step.sent.is_granted();
        twin.is_uneven |= differs;
        if differs && !twin.watchers.contains(&line.seat) {
            // Who parted may be allowed less, and so may do what it likes as
            // long as the others do not notice.
            let is_noticed = |sent: &Sent| {
                twin.watchers
                    .iter()
                    .any(|viewer| !sent.to(viewer).is_empty())
            };
            if other.is_granted() || is_noticed(&step.sent) || is_noticed(&other) {
                return self.end(twin, "not legal in both");
            }
        }
        let sent = (&step.sent, &other);
        if let Some(twin) = self.compare(twin, step, sent) {
            match step.place - twin.pair.born >= LONGEST {
                true => self.end(twin, "after so many lines"),
                false => self.twins.push(twin),
            }
        }
    }

    /// Compares what each watcher got at a step. The twin comes back, unless
    /// nobody watches any more.
    fn compare(
        &mut self,
        mut twin: Twin,
        step: &Step,
        (one, other): (&Sent, &Sent),
    ) -> Option<Twin> {
        if one.ends_secrets() != other.ends_secrets() {
            // Whether a side is ready shows when all the others are.
            self.end(twin, "a secret phase is over in one");
            return None;
        }
        twin.compared = step.place + 1;
        for viewer in twin.watchers.clone() {
            self.tally.comparisons += 1;
            let given = given(&mut twin.door, &viewer, step.place, &step.names);
            let ours = got(step, one, &viewer)
                .into_iter()
                .chain(step.given[&viewer].iter().map(pair_of));
            let theirs = got(step, other, &viewer)
                .into_iter()
                .chain(given.iter().map(pair_of));
            let difference = std::iter::zip(ours, theirs).find(|(one, other)| one != other);
            let view = view_in(&given);
            if let Some(((what, one_bytes), (_, other_bytes))) = difference {
                twin.watchers.remove(&viewer);
                twin.pair.watchers.insert(viewer.clone(), step.place);
                let views = Views {
                    before: [&self.views[&viewer], &twin.views[&viewer]].map(|view| view_of(view)),
                    now: [view_in(&step.given[&viewer]), view].map(view_of),
                    is_begin: self.lines.is_empty(),
                    is_over: is_over(&step.given[&viewer]) && is_over(&given),
                };
                let kinds = [one, other].map(|sent| sent.events(&viewer));
                let is_meant = |place: usize, event: &Json| {
                    let door = if place == 0 { &self.base } else { &twin.door };
                    door.is_meant(&viewer, event)
                };
                if !is_excused(&views, &kinds, is_meant)
                    && !is_from_what_is_left(&twin.pair.what, &kinds)
                {
                    let text = format!(
                        "{}: parted in {} at line {}, {viewer} gets otherwise: {what}\n{}",
                        self.at(step.place),
                        twin.pair.what,
                        twin.pair.born,
                        around(&one_bytes, &other_bytes),
                    );
                    self.tally.leaks.push(text);
                }
            }
            twin.views.insert(viewer, view.to_string());
        }
        if twin.watchers.is_empty() {
            self.end(twin, "told by the rules");
            return None;
        }
        if step.place == twin.pair.born || step.place.is_multiple_of(LOOKED_AT) {
            self.look_at(&mut twin);
        }
        Some(twin)
    }

    /// Notes the attributes that are otherwise while nobody has noticed.
    fn look_at(&mut self, twin: &mut Twin) {
        if SetUp::is_concealed(&twin.pair.what) {
            // Whatever it is in: it is the same that all could see where nothing is concealed.
            return;
        }
        let cells = |door: &mut Door| {
            let view = door.ask(HOST, "view", json!({ "viewer": HOST }));
            let entities = view["entities"].as_array().cloned().unwrap_or_default();
            let named = |entity: Json| (entity["label"].to_string(), entity);
            entities
                .into_iter()
                .map(named)
                .collect::<BTreeMap<String, Json>>()
        };
        let one = cells(&mut self.base);
        let mut other = cells(&mut twin.door);
        if let Some(renamed) = twin.door.renamed.as_ref() {
            other = other
                .into_iter()
                .map(|(name, entity)| (renamed.back(&name), entity))
                .collect();
            other.values_mut().for_each(|entity| {
                *entity = serde_json::from_str(&renamed.back(&entity.to_string())).unwrap()
            });
        }
        for (name, entity) in &one {
            let kind = entity["kind"].as_str().unwrap_or_default();
            let Some(theirs) = other.get(name) else {
                twin.parted.insert(format!("existence {kind}"));
                continue;
            };
            // What is as it is when nothing is said stands in neither.
            let attributes = [entity, theirs].map(|one| one["attributes"].as_object());
            for attribute in attributes
                .into_iter()
                .flatten()
                .flat_map(|attributes| attributes.keys())
            {
                if theirs["attributes"][attribute.as_str()]
                    != entity["attributes"][attribute.as_str()]
                {
                    twin.parted.insert(format!("attribute {kind}.{attribute}"));
                }
            }
        }
        for (_, entity) in other.iter().filter(|(name, _)| !one.contains_key(*name)) {
            twin.parted.insert(format!(
                "existence {}",
                entity["kind"].as_str().unwrap_or_default()
            ));
        }
    }

    fn end(&mut self, mut twin: Twin, how: &str) {
        self.tally.pairs += 1;
        for what in &twin.parted {
            self.tally.part(what);
        }
        *self.tally.ends.entry(how.into()).or_default() += 1;
        for viewer in twin.watchers {
            twin.pair.watchers.insert(viewer, twin.compared);
        }
        twin.pair.parted = twin.parted;
        twin.pair.lines = self.lines.clone();
        self.ended.push(twin.pair);
    }

    /// How often something has parted, here and in games before.
    fn count(&self, what: &str) -> usize {
        self.tally.count(what) + self.plan.known.count(what)
    }

    /// The same for what has parted seldom: there is room for some more.
    fn has_room_for(&self, names: &[String]) -> bool {
        let is_seldom = names
            .iter()
            .any(|what| self.tally.count(what) == 0 && self.count(what) < LEAST);
        self.has_room() || (is_seldom && self.twins.len() < self.plan.most_twins() + MORE_TWINS)
    }

    /// Whether another twin may go beside the game.
    fn has_room(&self) -> bool {
        self.twins.len() < self.plan.most_twins()
            && self.tally.pairs + self.twins.len() < self.plan.pairs
    }
}

/// What a viewer was told at a step, and the reply if it was its own line.
fn got(step: &Step, sent: &Sent, viewer: &str) -> Vec<(String, String)> {
    let mut got = vec![("what it is told".to_string(), sent.to(viewer).join("\n"))];
    if step.line.seat == viewer {
        got.push((
            format!("the reply to {}", step.line.params),
            sent.reply.clone(),
        ));
    }
    got
}

fn pair_of(got: &crate::probes::Got) -> (String, String) {
    (got.what.clone(), got.bytes.clone())
}

/// The view among what a viewer was given, as it came.
fn view_in(given: &Given) -> &str {
    let view = given
        .iter()
        .find(|got| got.what.starts_with("view "))
        .unwrap();
    view.bytes.lines().last().unwrap_or_default()
}

/// Whether a viewer was given that the game is over.
fn is_over(given: &Given) -> bool {
    given
        .iter()
        .any(|got| got.what.starts_with("prompt ") && got.bytes.contains("\"prompt\":\"over\""))
}

/// What a view holds.
fn view_of(bytes: &str) -> Json {
    serde_json::from_str::<Json>(bytes).unwrap()["result"].take()
}
