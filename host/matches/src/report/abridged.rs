//! Reports that do not tell everything: a line for each thing done, or a
//! story of each turn.
//!
//! ```text
//! Turn 1
//!   Blue: Activate — blue-a
//!     volley    blue-a: 3 shots at red-hq-1, 38.5 to 38.6 in, long, 3 misses
//!     move      4 elements move 5.9 to 11.9 in
//! ```
//!
//! It knows no event by name: mods declare for each how deep it belongs, how
//! it reads in short and what it adds to a line that another event began
//! ([`kernel::brief::Brief`]). It sees the same events as the full report and
//! adds nothing to them. Lines come when they are whole, so that the last one
//! needs [`Abridged::finish`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::book::{Book, EventKind};
use kernel::brief::{Brief, Depth};
use kernel::engine::SeenEvent;
use kernel::value::{EntityId, Name, Value};

use super::group::{EventGroup, Sayer, gather, gather_at_end};
use super::line::{LineKind, ReportLine};
use super::phrases::{capital, spaced};
use super::score::Score;
use super::{Phrases, Report, ReportOptions, last_part};
use rules::types::Unit;

/// How deep an event belongs: the kernel's own by what they are, all others as
/// their mods say.
pub fn depth_of(book: &Book, kind: &str) -> Depth {
    match kind {
        "phase" => Depth::Story,
        "action" | "reaction" | "taken_back" => Depth::Volley,
        _ => book
            .events
            .get(kind)
            .map_or(Depth::Full, |kind| kind.brief.depth),
    }
}

/// Whether any mod says how its events read in short. Where none does, only
/// the full report tells a game.
pub fn can_abridge(book: &Book) -> bool {
    book.events
        .values()
        .any(|kind| kind.brief.depth != Depth::Full)
}

/// What a side does just now.
#[derive(Clone, Default)]
struct OpenAction {
    /// The lines of what it reacts to, and of others that reacted before, if nothing that came of them is told yet: in
    /// some windows all react before anything happens.
    before: Vec<ReportLine>,
    /// Its line, until something that came of it is told.
    line: Option<ReportLine>,
    who: Option<Value>,
    by: Option<Value>,
}

/// A line that is not over.
#[derive(Clone)]
struct OpenLine {
    kind: Name,
    heading: String,
    /// What it begins with; a line of one sort of event begins with none.
    lead: Option<String>,
    groups: Vec<EventGroup>,
}

/// A report in a shorter form, which grows with the game.
pub struct Abridged {
    depth: Depth,
    unit: Unit,
    book: Arc<Book>,
    /// The full report, for its headings and actions.
    full: Report,
    /// A heading under which nothing is told yet.
    heading: Option<ReportLine>,
    is_begun: bool,
    action: OpenAction,
    open: Option<OpenLine>,
    /// The event that began the line, whose fields those after it rest on.
    lead: Option<SeenEvent>,
    /// Whether it is a single shot or the like, which nothing leads.
    is_single: bool,
    /// What a story has to tell of this turn.
    turn: Vec<EventGroup>,
    roles: BTreeMap<EntityId, String>,
    introduced: BTreeSet<EntityId>,
    score: Score,
}

impl Abridged {
    /// A report of that depth, story or volley.
    pub fn new(depth: Depth, unit: Unit, book: &Arc<Book>) -> Abridged {
        Abridged {
            depth,
            unit,
            book: book.clone(),
            full: Report::new(
                ReportOptions {
                    unit,
                    causes: false,
                },
                book,
            ),
            heading: None,
            is_begun: false,
            action: OpenAction::default(),
            open: None,
            lead: None,
            is_single: false,
            turn: Vec::new(),
            roles: BTreeMap::new(),
            introduced: BTreeSet::new(),
            score: Score::default(),
        }
    }

    /// Goes on with another book, after a reload.
    pub fn switch_book(&mut self, book: &Arc<Book>) {
        self.full.switch_book(book);
        self.book = book.clone();
    }

    /// Who did how much of what, so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// The lines that are whole with one more event.
    pub fn event(
        &mut self,
        event: &SeenEvent,
        names: &dyn Fn(EntityId) -> Name,
    ) -> Vec<ReportLine> {
        let was_in_action = self.full.is_in_action();
        let full = self.full.event(event, names);
        let is_over = was_in_action && !self.full.is_in_action();
        let heading = full.iter().find(|line| line.sort == LineKind::Section);
        let mut lines = heading.map_or_else(Vec::new, |heading| self.begin(heading));
        let action = full.iter().find(|line| line.sort == LineKind::Action);
        match (&*event.kind, self.book.events.get(&event.kind).cloned()) {
            ("phase", _) => {}
            ("action" | "reaction" | "pass" | "done" | "revealed" | "taken_back", _) => {
                if let Some(action) = action {
                    lines.extend(self.close());
                    self.begin_action(event, action);
                } else if &*event.kind == "action" && !self.full.is_in_action() {
                    lines.extend(self.end_action());
                }
            }
            (_, kind) => {
                if is_over {
                    lines.extend(self.end_action());
                }
                if let Some(kind) = kind {
                    lines.extend(self.declared(event, &kind, names));
                }
            }
        }
        lines
    }

    /// What is told of the action that is over.
    fn end_action(&mut self) -> Vec<ReportLine> {
        let lines = self.close();
        self.action = OpenAction::default();
        self.lead = None;
        lines
    }

    /// The lines that were not over.
    pub fn finish(&mut self) -> Vec<ReportLine> {
        match self.depth {
            Depth::Story => self.end_turn(),
            _ => self.close(),
        }
    }

    fn begin(&mut self, heading: &ReportLine) -> Vec<ReportLine> {
        let mut heading = heading.clone();
        let lines = match self.depth {
            Depth::Story => {
                // A story has a part for each turn, not for each phase of it.
                heading.text = heading
                    .text
                    .split(" / ")
                    .next()
                    .unwrap_or_default()
                    .to_string();
                if self
                    .heading
                    .as_ref()
                    .is_some_and(|old| old.text == heading.text)
                {
                    return Vec::new();
                }
                self.end_turn()
            }
            _ => self.close(),
        };
        self.heading = Some(heading);
        self.action = OpenAction::default();
        self.lead = None;
        lines
    }

    fn begin_action(&mut self, event: &SeenEvent, line: &ReportLine) {
        let is_action = matches!(&*event.kind, "action" | "reaction");
        let line = is_action.then(|| line.clone());
        let who = field(event, "actor").filter(|who| matches!(who, Value::Entity(_)));
        let interrupted = std::mem::take(&mut self.action);
        let mut before = interrupted.before;
        before.extend(interrupted.line);
        if &*event.kind != "reaction" {
            before.clear();
        }
        self.action = OpenAction {
            before,
            line,
            who: who.cloned(),
            by: field(event, "by").cloned(),
        };
        self.lead = None;
    }

    fn declared(
        &mut self,
        event: &SeenEvent,
        kind: &EventKind,
        names: &dyn Fn(EntityId) -> Name,
    ) -> Vec<ReportLine> {
        if kind.brief.leads {
            self.lead = None;
        }
        let is_single = self.is_single_lead(event, &kind.brief);
        if is_single {
            (self.lead, self.is_single) = (Some(event.clone()), true);
        }
        self.learn_role(event, &kind.brief);
        self.count(event, &kind.brief, names);
        let lines = match self.depth {
            Depth::Story => {
                self.tell_in_story(event, kind, names);
                Vec::new()
            }
            _ if is_single => self.tell_single(event, kind, names),
            _ => self.tell_in_line(event, kind, names),
        };
        if kind.brief.leads {
            (self.lead, self.is_single) =
                (kind.brief.tally.is_none().then(|| event.clone()), false);
        } else if kind.brief.tally.is_none() && kind.brief.depth <= Depth::Volley {
            // Something else has happened: what follows is not of that line.
            self.lead = None;
        }
        lines
    }

    /// Whether something that is counted, and says for whom, happens where
    /// nothing leads it: it begins a line itself.
    fn is_single_lead(&self, event: &SeenEvent, brief: &Brief) -> bool {
        let Some((_, by)) = &brief.counts else {
            return false;
        };
        let is_led = self.lead.is_some() && !self.is_single;
        !brief.leads && !is_led && brief.tally.is_some() && field(event, by).is_some()
    }

    /// Begins a line with what nothing leads: `tank-1: 1 shot at tank-2`.
    fn tell_single(
        &mut self,
        event: &SeenEvent,
        kind: &EventKind,
        names: &dyn Fn(EntityId) -> Name,
    ) -> Vec<ReportLine> {
        let Some(tally) = &kind.brief.tally else {
            return Vec::new();
        };
        let group = self.group(event, kind, tally, names);
        let who = first_entity(event).map(|who| {
            Phrases {
                unit: self.unit,
                names,
            }
            .value(who)
        });
        self.open(OpenLine {
            kind: kind.id.clone(),
            heading: group.heading.clone(),
            lead: who,
            groups: vec![group],
        })
    }

    fn tell_in_story(
        &mut self,
        event: &SeenEvent,
        kind: &EventKind,
        names: &dyn Fn(EntityId) -> Name,
    ) {
        let brief = &kind.brief;
        if brief.depth == Depth::Story {
            let text = brief
                .story
                .as_ref()
                .or(brief.text.as_ref())
                .unwrap_or(&kind.text);
            let group = self.group(event, kind, text, names);
            gather_at_end(&mut self.turn, group);
        }
    }

    fn tell_in_line(
        &mut self,
        event: &SeenEvent,
        kind: &EventKind,
        names: &dyn Fn(EntityId) -> Name,
    ) -> Vec<ReportLine> {
        let brief = &kind.brief;
        if let Some(tally) = &brief.tally {
            let group = self.group(event, kind, tally, names);
            if let Some(open) = &mut self.open
                && if brief.leads {
                    open.kind == kind.id
                } else {
                    open.lead.is_some()
                }
            {
                gather(&mut open.groups, group);
                return Vec::new();
            }
            if brief.leads {
                return self.open(OpenLine {
                    kind: kind.id.clone(),
                    heading: group.heading.clone(),
                    lead: None,
                    groups: vec![group],
                });
            }
        }
        if brief.depth > Depth::Volley {
            return Vec::new();
        }
        let group = self.group(
            event,
            kind,
            brief.text.as_ref().unwrap_or(&kind.text),
            names,
        );
        let (heading, lead) = (group.heading.clone(), Some(self.group_text(&group)));
        let mut lines = self.open(OpenLine {
            kind: kind.id.clone(),
            heading,
            lead,
            groups: Vec::new(),
        });
        if !brief.leads {
            lines.extend(self.close());
        }
        lines
    }

    fn open(&mut self, open: OpenLine) -> Vec<ReportLine> {
        let lines = self.close();
        self.open = Some(open);
        lines
    }

    /// The line that is open, under its heading and its action.
    fn close(&mut self) -> Vec<ReportLine> {
        let Some(open) = self.open.take() else {
            return Vec::new();
        };
        let tallies: Vec<String> = open
            .groups
            .iter()
            .map(|group| self.group_text(group))
            .collect();
        let parts = open
            .lead
            .into_iter()
            .chain((!tallies.is_empty()).then(|| tallies.join(", ")));
        let text = parts.collect::<Vec<_>>().join(": ");
        let mut lines = self.take_heading();
        let indent = if self.action.by.is_some() && self.action.who.is_some() {
            2
        } else {
            1
        };
        lines.append(&mut self.action.before);
        lines.extend(self.action.line.take());
        lines.push(ReportLine::fact(indent, open.heading, text));
        lines
    }

    /// What a story tells of a turn.
    fn end_turn(&mut self) -> Vec<ReportLine> {
        let turn = std::mem::take(&mut self.turn);
        if turn.is_empty() {
            return Vec::new();
        }
        let mut lines = self.take_heading();
        let line =
            |group: &EventGroup| ReportLine::fact(1, group.heading.clone(), self.group_text(group));
        lines.extend(turn.iter().map(line));
        lines
    }

    fn take_heading(&mut self) -> Vec<ReportLine> {
        let Some(heading) = self.heading.take() else {
            return Vec::new();
        };
        let blank = self.is_begun.then(ReportLine::blank);
        self.is_begun = true;
        blank.into_iter().chain([heading]).collect()
    }

    fn group_text(&self, group: &EventGroup) -> String {
        let say = Phrases {
            unit: self.unit,
            names: &|_| Name::from("?"),
        };
        group.text(&|length| say.value(&Value::Length(length)))
    }

    fn group(
        &mut self,
        event: &SeenEvent,
        kind: &EventKind,
        template: &Name,
        names: &dyn Fn(EntityId) -> Name,
    ) -> EventGroup {
        let heading = match &*kind.heading {
            "" => spaced(last_part(&event.kind)),
            heading => heading.to_string(),
        };
        let mut sayer = InEvent {
            report: self,
            event,
            names,
        };
        EventGroup::new(&event.kind, heading, template, &mut sayer)
    }

    /// Who does it: who began the line, or else the action.
    fn who(&self) -> Option<Value> {
        let lead = self.lead.as_ref().and_then(first_entity);
        lead.cloned().or_else(|| self.action.who.clone())
    }

    fn count(&mut self, event: &SeenEvent, brief: &Brief, names: &dyn Fn(EntityId) -> Name) {
        let Some((what, by)) = &brief.counts else {
            return;
        };
        let of_lead = || self.lead.as_ref().and_then(|lead| field(lead, by));
        let whose = field(event, by).or_else(of_lead).cloned();
        if let Some(whose) = whose {
            let whose = Phrases {
                unit: self.unit,
                names,
            }
            .value(&whose);
            self.score.add(&whose, what);
        }
    }

    fn learn_role(&mut self, event: &SeenEvent, brief: &Brief) {
        let role = brief
            .role
            .as_ref()
            .and_then(|role| field(event, role))
            .and_then(Value::as_text);
        if let (Some(role), Some(Value::Entity(entity))) = (role, first_entity(event)) {
            self.roles
                .entry(*entity)
                .or_insert_with(|| role.to_string());
        }
    }
}

/// The values of one event, said as the report says them.
struct InEvent<'a> {
    report: &'a mut Abridged,
    event: &'a SeenEvent,
    names: &'a dyn Fn(EntityId) -> Name,
}

impl Sayer for InEvent<'_> {
    fn value(&mut self, name: &str) -> Option<Value> {
        if let Some((_, value)) = self.event.fields.iter().find(|(field, _)| &**field == name) {
            return Some(value.clone().unwrap_or_else(|| Value::text("?")));
        }
        match name {
            "who" => self.report.who().or_else(|| Some(Value::text("?"))),
            "by" => {
                let by = self
                    .report
                    .action
                    .by
                    .as_ref()
                    .and_then(Value::as_text)
                    .map(capital);
                Some(Value::text(by.as_deref().unwrap_or("?")))
            }
            _ => None,
        }
    }

    fn name(&self, value: &Value) -> String {
        Phrases {
            unit: self.report.unit,
            names: self.names,
        }
        .value(value)
    }

    fn led(&self, name: &str) -> Option<Value> {
        let of_lead = || self.report.lead.as_ref().and_then(|lead| field(lead, name));
        field(self.event, name).or_else(of_lead).cloned()
    }

    fn say(&mut self, value: &Value) -> String {
        let text = Phrases {
            unit: self.report.unit,
            names: self.names,
        }
        .value(value);
        let Value::Entity(entity) = value else {
            return text;
        };
        // A story says once of each unit what it is.
        match self.report.roles.get(entity) {
            Some(role)
                if self.report.depth == Depth::Story
                    && !self.report.introduced.contains(entity) =>
            {
                let text = format!("{text} ({role})");
                self.report.introduced.insert(*entity);
                text
            }
            _ => text,
        }
    }
}

fn field<'a>(event: &'a SeenEvent, name: &str) -> Option<&'a Value> {
    event
        .fields
        .iter()
        .find(|(field, _)| &**field == name)
        .and_then(|(_, value)| value.as_ref())
}

fn first_entity(event: &SeenEvent) -> Option<&Value> {
    let values = event.fields.iter().filter_map(|(_, value)| value.as_ref());
    values
        .into_iter()
        .find(|value| matches!(value, Value::Entity(_)))
}
