//! The battle report: events as lines that a player likes to read.
//!
//! ```text
//! Turn 1 / Fire
//!   Red: Fire — gun-1, target rifles-2
//!     range     11.0 in, medium                          skirmish.fire.range
//!     roll      to hit: d8=5, d6=3                      skirmish.fire.to_hit  draws 1-2
//! ```
//!
//! It is fed with what [`kernel::game::Game::show_events`] lets a viewer see,
//! and so cannot tell more than that. It knows the kernel's own events; all
//! others read as their mods declare them. Lines keep their parts apart, so
//! that whoever prints them may colour them.

mod abridged;
mod group;
mod line;
mod narrator;
mod outcome;
mod phrases;
mod plain;
mod score;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::book::{Action, Book, Order, PhaseBody};
use kernel::dice::Die;
use kernel::engine::SeenEvent;
use kernel::value::{EntityId, Name, Value};

pub use abridged::{Abridged, can_abridge, depth_of};
pub use line::{LineKind, Part, ReportLine, ScreenRow};
pub use narrator::{Narrated, Narrator, label};
pub use outcome::result_lines;
pub use phrases::Phrases;
pub use plain::decision_words;
pub use score::Score;

use phrases::{capital, spaced};
use rules::types::Unit;

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportOptions {
    /// What it measures in.
    pub unit: Unit,
    /// Whether lines say which rule caused them, and with which draws.
    pub causes: bool,
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            unit: Unit::Inches,
            causes: true,
        }
    }
}

/// A report that grows with the game.
#[derive(Clone, Debug)]
pub struct Report {
    options: ReportOptions,
    book: Arc<Book>,
    /// The phase that each phase is part of.
    within: BTreeMap<Name, Name>,
    /// The rules of phases that no player acts in.
    automatic: BTreeSet<Name>,
    /// How often each numbered phase has begun.
    counts: BTreeMap<Name, u32>,
    /// Whether that is not known.
    is_uncounted: bool,
    /// The announced phases that are open, outermost first: id and heading.
    open: Vec<(Name, String)>,
    /// A heading under which nothing has happened yet.
    pending: Option<ReportLine>,
    /// Whether it is that of a go of one side, which the first thing in it names.
    is_go: bool,
    /// Whether what happens belongs to an action.
    is_in_action: bool,
    is_begun: bool,
}

/// How deep phases may nest before a report loses count.
const DEEPEST: usize = 32;

impl Report {
    /// A report on a game that is played by this book.
    pub fn new(options: ReportOptions, book: &Arc<Book>) -> Report {
        Report {
            options,
            book: book.clone(),
            within: outer_phases(book),
            automatic: automatic_rules(book),
            counts: BTreeMap::new(),
            is_uncounted: false,
            open: Vec::new(),
            pending: None,
            is_go: false,
            is_in_action: false,
            is_begun: false,
        }
    }

    /// Goes on after phases that are told already, so that turns are counted from the first.
    pub fn begin_after(&mut self, phases: &[SeenEvent]) {
        let nobody = |_: EntityId| Name::from("?");
        let say = Phrases {
            unit: self.options.unit,
            names: &nobody,
        };
        for event in phases.iter().filter(|event| &*event.kind == "phase") {
            self.begin_phase(&NarratedParts { event, say });
        }
        self.pending = None;
        self.is_go = false;
    }

    /// The phase that began last, with the number of its turn where it is counted; nothing before the first.
    pub fn phase(&self) -> Option<&str> {
        self.open.last().map(|(_, heading)| &**heading)
    }

    /// The phases that are open, as the heading of what happens in them; nothing before the first.
    pub fn heading(&self) -> Option<String> {
        let path: Vec<&str> = self.open.iter().map(|(_, heading)| &**heading).collect();
        (!path.is_empty()).then(|| path.join(" / "))
    }

    /// The same on a game that began before, so that nobody knows how many turns are over.
    #[must_use]
    fn without_numbers(mut self) -> Report {
        self.is_uncounted = true;
        self
    }

    /// Whether what happens now is part of an action that has a line.
    pub fn is_in_action(&self) -> bool {
        self.is_in_action
    }

    /// Goes on with another book, after a reload.
    pub fn switch_book(&mut self, book: &Arc<Book>) {
        self.within = outer_phases(book);
        self.automatic = automatic_rules(book);
        self.book = book.clone();
    }

    /// The lines that one more event adds. The heading of a phase comes with
    /// the first thing that happens in it.
    pub fn event(
        &mut self,
        event: &SeenEvent,
        names: &dyn Fn(EntityId) -> Name,
    ) -> Vec<ReportLine> {
        let seen = NarratedParts {
            event,
            say: Phrases {
                unit: self.options.unit,
                names,
            },
        };
        self.name_go(&seen);
        // What a phase brings by itself is no part of the action before it.
        self.is_in_action &= !self.is_of_phase(event);
        let lines = match &*event.kind {
            "phase" => {
                self.begin_phase(&seen);
                return Vec::new();
            }
            "action" | "reaction" if seen.is_narrated(&self.book) => {
                // What tells itself stands under no action but its own, unless it is part of one.
                self.is_in_action &= seen.is_part_of_go(&self.book);
                Vec::new()
            }
            "done" if seen.is_inner(&self.book) => Vec::new(),
            "action" | "reaction" => {
                self.is_in_action = true;
                vec![ReportLine::action(seen.action(&self.book))]
            }
            "pass" | "done" | "taken_back" | "revealed" => {
                self.is_in_action = false;
                vec![ReportLine::action(seen.stop())]
            }
            "roll" => self.caused(&seen, seen.roll()),
            "chits" => self.caused(&seen, vec![("chits".into(), seen.chits(&self.book))]),
            "cards" => self.caused(&seen, vec![("cards".into(), seen.cards(&self.book))]),
            "shuffled" => self.caused(&seen, vec![("shuffle".into(), seen.deck())]),
            "answer" => self.caused(&seen, vec![("answer".into(), seen.answer())]),
            _ => self.caused(&seen, vec![seen.declared(&self.book)]),
        };
        self.under_heading(lines)
    }

    /// Whether a phase that no player acts in brings it.
    fn is_of_phase(&self, event: &SeenEvent) -> bool {
        let rule = event.rule.as_ref();
        rule.is_some_and(|rule| self.automatic.contains(rule))
    }

    /// A go that is announced is of the side that does the first thing in it.
    fn name_go(&mut self, seen: &NarratedParts<'_>) {
        let is_own = matches!(&*seen.event.kind, "action" | "done");
        if let Some(heading) = &mut self.pending
            && std::mem::take(&mut self.is_go)
            && is_own
        {
            heading.text = format!("{}: {}", heading.text, seen.by());
        }
    }

    /// Facts; the last one names their cause.
    fn caused(&self, seen: &NarratedParts<'_>, facts: Vec<(String, String)>) -> Vec<ReportLine> {
        let indent = if self.is_in_action { 2 } else { 1 };
        let last = facts.len().saturating_sub(1);
        let line = |(at, (heading, text)): (usize, (String, String))| {
            let mut line = ReportLine::fact(indent, heading, text);
            if self.options.causes && at == last {
                line.cause = seen.event.rule.as_ref().map(ToString::to_string);
                line.draws = seen.event.draws;
            }
            line
        };
        facts.into_iter().enumerate().map(line).collect()
    }

    /// The heading under which nothing has happened yet, for whoever must decide what does;
    /// it is not told again.
    pub fn open_heading(&mut self) -> Vec<ReportLine> {
        // A go of one side is named after the first thing in it.
        match self.pending.is_some() && !self.is_go {
            true => self.under_heading(Vec::new()),
            false => Vec::new(),
        }
    }

    fn under_heading(&mut self, lines: Vec<ReportLine>) -> Vec<ReportLine> {
        let Some(heading) = self.pending.take() else {
            self.is_begun = true;
            return lines;
        };
        let blank = self.is_begun.then(ReportLine::blank);
        self.is_begun = true;
        blank.into_iter().chain([heading]).chain(lines).collect()
    }

    fn begin_phase(&mut self, seen: &NarratedParts<'_>) {
        let Some(id) = seen.field("phase").and_then(Value::as_text).map(Name::from) else {
            return;
        };
        let title = match seen.field("title").and_then(Value::as_text) {
            Some(title) if !title.is_empty() => title.to_string(),
            _ => capital(&spaced(last_part(&id))),
        };
        while self
            .open
            .last()
            .is_some_and(|(outer, _)| !self.is_within(&id, outer))
        {
            self.open.pop();
        }
        let is_numbered = is_numbered(&self.book, &id, &title);
        let heading = if is_numbered {
            self.counts
                .retain(|inner, _| !is_part_of(&self.within, inner, &id));
            let round = seen
                .field("round")
                .and_then(Value::as_int)
                .and_then(|n| u32::try_from(n).ok());
            let count = self.counts.entry(id.clone()).or_default();
            *count = round.unwrap_or_else(|| count.saturating_add(1));
            match self.is_uncounted {
                true => title,
                false => format!("{title} {count}"),
            }
        } else {
            title
        };
        let is_whole_game = self.book.root.as_ref() == Some(&id) && !is_numbered;
        let path = self
            .open
            .iter()
            .map(|(_, heading)| &**heading)
            .chain([&*heading]);
        self.pending = Some(ReportLine::section(path.collect::<Vec<_>>().join(" / ")));
        self.is_go = is_given(&self.book, &id);
        self.is_in_action = false;
        // The name of the whole game would only repeat itself in each heading.
        if !is_whole_game {
            self.open.push((id, heading));
        }
    }

    fn is_within(&self, inner: &Name, outer: &Name) -> bool {
        is_part_of(&self.within, inner, outer)
    }
}

/// Whether a phase comes again and again, and reads best with a number.
pub fn is_numbered(book: &Book, id: &str, title: &str) -> bool {
    let is_only_one =
        |phases: &[Name]| phases.len() == 1 && phases.iter().all(|phase| **phase == *id);
    let is_round = book.phases.values().any(|outer| match &outer.body {
        PhaseBody::Loop { phases, .. } => is_only_one(phases),
        _ => false,
    });
    let is_turn =
        |word: &str| word.eq_ignore_ascii_case("turn") || word.eq_ignore_ascii_case("round");
    is_round || is_turn(title) || is_turn(last_part(id))
}

/// The phase that each phase is part of.
fn outer_phases(book: &Book) -> BTreeMap<Name, Name> {
    let mut outer = BTreeMap::new();
    for phase in book.phases.values() {
        if let PhaseBody::Sequence(inner) | PhaseBody::Loop { phases: inner, .. } = &phase.body {
            for id in inner {
                outer.entry(id.clone()).or_insert_with(|| phase.id.clone());
            }
        }
    }
    outer
}

/// The rules of phases that no player acts in.
fn automatic_rules(book: &Book) -> BTreeSet<Name> {
    let rules = book.phases.values().filter_map(|phase| match &phase.body {
        PhaseBody::Automatic { rule } => Some(rule.clone()),
        _ => None,
    });
    rules.collect()
}

/// Whether a phase is part of another, by however many steps.
fn is_part_of(within: &BTreeMap<Name, Name>, inner: &Name, outer: &Name) -> bool {
    let mut at = inner;
    for _ in 0..DEEPEST {
        match within.get(at) {
            Some(next) if next == outer => return true,
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

/// Whether in a phase only the side acts to which it is given.
fn is_given(book: &Book, id: &str) -> bool {
    let body = book.phases.get(id).map(|phase| &phase.body);
    matches!(body, Some(PhaseBody::Acts(acts)) if acts.order == Order::Given)
}

/// A word of the rules as it was offered, without what only explained it: `steady`, and not
/// `steady: it will use at most half its movement`.
fn offered_as(words: &str, word: &str) -> String {
    let read = word_as_read(word);
    let explained = words.strip_prefix(&*read);
    match words == word || explained.is_some_and(|rest| rest.starts_with(':')) {
        true => read,
        false => words.to_string(),
    }
}

/// A word of the rules as people read it, `first fire` for `first_fire`; any other text as it is.
fn word_as_read(word: &str) -> String {
    let is_of_word = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    match word.chars().all(is_of_word) {
        true => spaced(word),
        false => word.to_string(),
    }
}

fn last_part(id: &str) -> &str {
    id.rsplit('.').next().unwrap_or(id)
}

/// An event, and how to say what is in it.
struct NarratedParts<'a> {
    event: &'a SeenEvent,
    say: Phrases<'a>,
}

impl NarratedParts<'_> {
    /// A field that is there and not hidden.
    fn field(&self, name: &str) -> Option<&Value> {
        let found = self.event.fields.iter().find(|(field, _)| &**field == name);
        found.and_then(|(_, value)| value.as_ref())
    }

    /// A field for people; `?` if it is hidden.
    fn text(&self, name: &str) -> String {
        self.field(name)
            .map_or_else(|| "?".into(), |value| self.say.value(value))
    }

    fn by(&self) -> String {
        capital(&self.text("by"))
    }

    /// Whether the action's own events tell it.
    fn is_narrated(&self, book: &Book) -> bool {
        let id = self
            .field("action")
            .and_then(Value::as_text)
            .unwrap_or_default();
        let actions = if &*self.event.kind == "reaction" {
            &book.reactions
        } else {
            &book.actions
        };
        actions.get(id).is_some_and(|action| action.is_narrated)
    }

    /// Whether what is done is part of something else that is done: a reaction to it, or an action in a phase that is
    /// given to a side.
    fn is_part_of_go(&self, book: &Book) -> bool {
        let id = self.field("action").and_then(Value::as_text);
        let action = id.and_then(|id| book.actions.get(id));
        action.is_none_or(|action| action.at.iter().any(|phase| is_given(book, phase)))
    }

    /// Whether the phase that a side is done with is its own alone, within
    /// something that it does: not worth a line, unless it has a heading.
    fn is_inner(&self, book: &Book) -> bool {
        let id = self
            .field("phase")
            .and_then(Value::as_text)
            .unwrap_or_default();
        let is_announced = book.phases.get(id).is_some_and(|phase| phase.is_announced);
        is_given(book, id) && !is_announced
    }

    /// Who does what, with whom, how.
    fn action(&self, book: &Book) -> String {
        let is_reaction = &*self.event.kind == "reaction";
        let by = format!("{}{}", self.by(), if is_reaction { " reacts" } else { "" });
        let Some(title) = self.field("title").map(|title| self.say.value(title)) else {
            return format!("{by}: something unseen");
        };
        let id = self
            .field("action")
            .and_then(Value::as_text)
            .unwrap_or_default();
        let actions = if is_reaction {
            &book.reactions
        } else {
            &book.actions
        };
        let actor = match self.field("actor") {
            Some(Value::None) => None,
            _ => Some(self.text("actor")),
        };
        let params = match self.field("params") {
            Some(Value::Map(params)) => self.params(params, actions.get(id)),
            Some(Value::None) => Vec::new(),
            Some(other) => vec![self.say.value(other)],
            None => vec!["?".into()],
        };
        let details: Vec<String> = actor.into_iter().chain(params).collect();
        let dash = if details.is_empty() { "" } else { " — " };
        format!("{by}: {title}{dash}{}", details.join(", "))
    }

    /// Parameters in the order in which they are asked for.
    fn params(&self, params: &BTreeMap<Name, Value>, action: Option<&Action>) -> Vec<String> {
        let asked = action.map_or(&[][..], |action| &action.params);
        let is_asked = |name: &Name| asked.iter().any(|param| param.name == *name);
        let first = asked
            .iter()
            .filter_map(|param| params.get_key_value(&param.name));
        let rest = params.iter().filter(|(name, _)| !is_asked(name));
        let given = first.chain(rest).filter(|(_, value)| !value.is_none());
        let mut words: Vec<String> = given
            .map(|(name, value)| {
                let chosen = self.chosen(&format!("params.{name}"), value);
                format!("{} {chosen}", spaced(name))
            })
            .collect();
        let hidden = self
            .event
            .fields
            .iter()
            .filter(|(_, value)| value.is_none());
        let hidden = hidden.filter_map(|(name, _)| name.strip_prefix("params."));
        words.extend(hidden.map(|name| format!("{} ?", spaced(name))));
        words
    }

    fn stop(&self) -> String {
        match &*self.event.kind {
            "pass" => format!("{} passes", self.by()),
            "done" => format!("{} is done", self.by()),
            "taken_back" => format!("{} takes the last action back", self.by()),
            _ => "What was done in secret is revealed".into(),
        }
    }

    fn answer(&self) -> String {
        let value = self.field("value");
        let chosen = value.map_or_else(|| "?".into(), |value| self.chosen("value", value));
        format!("{}: {} {chosen}", self.by(), self.text("text"))
    }

    /// The words beside a value, where they may be read.
    fn remark(&self, place: &str) -> Option<&str> {
        let found = self.event.remarks.iter().find(|(at, _)| &**at == place);
        found.map(|(_, words)| &**words)
    }

    /// What somebody chose: in the words in which it was offered, as far as they may be read.
    fn chosen(&self, place: &str, value: &Value) -> String {
        match (self.remark(place), value) {
            (Some(words), Value::Text(word)) => offered_as(words, word),
            (Some(words), _) => words.to_string(),
            (None, side) if self.field("by") == Some(side) => self.by(),
            (None, Value::Text(word)) => word_as_read(word),
            (None, _) => self.say.value(value),
        }
    }

    /// Why the dice are what they are, and what they show.
    fn roll(&self) -> Vec<(String, String)> {
        let purpose = match self.field("purpose").and_then(Value::as_text) {
            Some("") | None => String::new(),
            Some(purpose) => format!("{purpose}: "),
        };
        let (Some(Value::List(dice)), Some(Value::List(faces))) =
            (self.field("dice"), self.field("faces"))
        else {
            return vec![("roll".into(), format!("{purpose}{}", self.text("faces")))];
        };
        let rolled: Vec<(&Die, String)> = dice
            .iter()
            .enumerate()
            .filter_map(|(at, die)| match die {
                Value::Die(die) => Some((
                    die,
                    faces
                        .get(at)
                        .map_or_else(|| "?".into(), |face| self.say.value(face)),
                )),
                _ => None,
            })
            .collect();
        let mut shifts: Vec<String> = Vec::new();
        for shift in rolled.iter().flat_map(|(die, _)| die.reasons()) {
            let text = match shift.from == shift.to {
                true => format!("d{} stays: {}", shift.from, shift.reason),
                false => format!("d{} -> d{}: {}", shift.from, shift.to, shift.reason),
            };
            if !shifts.contains(&text) {
                shifts.push(text);
            }
        }
        let mut facts: Vec<(String, String)> = shifts
            .into_iter()
            .map(|text| ("die".into(), text))
            .collect();
        facts.push(("roll".into(), format!("{purpose}{}", faces_text(&rolled))));
        facts
    }

    fn chits(&self, book: &Book) -> String {
        let drawn = match self.field("chits") {
            Some(Value::List(chits)) if chits.is_empty() => "none".into(),
            Some(Value::List(chits)) => self.listed(chits),
            _ => self.text("chits"),
        };
        match self.field("pot").and_then(Value::as_text) {
            Some(pot) if book.pots.len() > 1 => format!("{drawn}, from {}", spaced(last_part(pot))),
            _ => drawn,
        }
    }

    /// Which cards are drawn, or as much of that as may be known.
    fn cards(&self, book: &Book) -> String {
        let drawn = match (
            self.field("cards"),
            self.field("count").and_then(Value::as_int),
        ) {
            (Some(Value::List(cards)), _) if cards.is_empty() => "none".into(),
            (Some(Value::List(cards)), _) => self.listed(cards),
            (_, Some(1)) => "1 card".into(),
            (_, Some(count)) => format!("{count} cards"),
            _ => "some cards".into(),
        };
        format!("{drawn}{}{}", self.pile_of(book), self.only_one())
    }

    /// Where cards come from; nothing where there is one deck, and they are the uppermost.
    fn pile_of(&self, book: &Book) -> String {
        let from = match self.field("from").and_then(Value::as_text) {
            Some("bottom") => "from the bottom of ",
            Some("search") => "searched for in ",
            _ if book.decks.len() == 1 && self.field("of").is_none_or(Value::is_none) => {
                return String::new();
            }
            _ => "from ",
        };
        format!(", {from}{}", self.deck())
    }

    /// Whose cards they are, where nobody else sees them and the deck does not say so.
    fn only_one(&self) -> String {
        match self
            .remark("cards")
            .filter(|side| self.field("of").and_then(Value::as_text) != Some(side))
        {
            Some(side) => format!(", for {}", capital(side)),
            None => String::new(),
        }
    }

    /// The deck that it is about, and whose it is.
    fn deck(&self) -> String {
        let deck = self
            .field("deck")
            .and_then(Value::as_text)
            .map_or_else(String::new, |id| spaced(last_part(id)));
        match self.field("of").and_then(Value::as_text) {
            Some(side) => format!("{deck} of {side}"),
            None => deck,
        }
    }

    fn listed(&self, items: &[Value]) -> String {
        let each: Vec<String> = items.iter().map(|item| self.say.value(item)).collect();
        each.join(if each.iter().any(|item| item.contains(' ')) {
            ", "
        } else {
            " "
        })
    }

    /// An event of a mod, as the mod says that it reads.
    fn declared(&self, book: &Book) -> (String, String) {
        let kind = book.events.get(&self.event.kind);
        let heading = match kind.map(|kind| &*kind.heading) {
            Some(heading) if !heading.is_empty() => heading.to_string(),
            _ => spaced(last_part(&self.event.kind)),
        };
        match kind.map(|kind| &*kind.text) {
            Some(text) if !text.is_empty() => (heading, self.filled(text)),
            Some(_) => (heading, self.fields()),
            None => (heading, format!("{}: {}", self.event.kind, self.fields())),
        }
    }

    fn fields(&self) -> String {
        let field = |(name, _): &(Name, Option<Value>)| format!("{name}={}", self.text(name));
        self.event
            .fields
            .iter()
            .map(field)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// A text with its `{field}`s filled in; what is no field stays.
    fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let known = after
                .split_once('}')
                .filter(|(name, _)| self.event.fields.iter().any(|(field, _)| &**field == *name));
            match known {
                Some((name, after)) => {
                    filled.push_str(&self.text(name));
                    rest = after;
                }
                None => {
                    filled.push('{');
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled
    }
}

/// Dice and what they show: `d8=5, d6=3`; many of one sort together.
fn faces_text(rolled: &[(&Die, String)]) -> String {
    const MANY: usize = 4;
    let groups = rolled
        .chunk_by(|(a, _), (b, _)| a.sides() == b.sides())
        .map(|group| match group {
            [(die, _), ..] if group.len() >= MANY => {
                let faces: Vec<&str> = group.iter().map(|(_, face)| &**face).collect();
                format!("{}{die}={}", group.len(), faces.join(" "))
            }
            _ => group
                .iter()
                .map(|(die, face)| format!("{die}={face}"))
                .collect::<Vec<_>>()
                .join(", "),
        });
    match groups.collect::<Vec<_>>() {
        groups if groups.is_empty() => "no dice".into(),
        groups => groups.join(", "),
    }
}
