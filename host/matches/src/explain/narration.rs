//! The tree behind an event in words.

use std::collections::BTreeSet;

use kernel::event::Event;
use kernel::game::Game;
use kernel::value::{Name, Value, owner_of};
use kernel::world::Viewer;

use crate::explain::{TraceItem, TracedCall, Why};
use crate::report::{Narrator, ReportOptions};
use rules::data::table::Table;
use rules::hosting::registry::LayerKind;
use rules::hosting::rows::row_mark;
use rules::rulebook::Rulebook;
use rules::types::{Unit, print_value};

/// One line of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyLine {
    /// How far it is from the root.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// The printed source, or the clauses.
    pub source: String,
    /// Whether it tells only of rules that were asked and decided nothing.
    pub is_idle: bool,
}

/// Values longer than this are cut: a record can hold a whole unit.
const MOST_LETTERS: usize = 56;

/// A match as far as it takes to tell why something happened.
pub struct Scene<'a> {
    /// Its rules.
    pub rulebook: &'a Rulebook,
    /// What has happened.
    pub events: &'a [Event],
    /// Whether that is all since the game began, so that turns can be numbered.
    pub is_from_start: bool,
    /// The game as it stands.
    pub game: &'a Game,
}

impl Scene<'_> {
    /// The tree behind an event, in lines; whole, or only what has dice,
    /// chits, tables, options, clauses or house rules in it.
    pub fn why_lines(&self, why: &Why, unit: Unit, is_whole: bool) -> Vec<WhyLine> {
        let explanation = Explanation {
            scene: self,
            unit,
            is_whole,
            givers: self.givers(why),
        };
        let mut lines = WhyLines {
            lines: vec![explanation.head(why)],
            ..WhyLines::default()
        };
        for step in &why.steps {
            explanation.list(&step.inside, 1, &mut lines);
        }
        lines.whole(1)
    }

    /// The same for nothing but the step that told the event.
    pub fn step_lines(&self, why: &Why, unit: Unit) -> Vec<WhyLine> {
        let explanation = Explanation {
            scene: self,
            unit,
            is_whole: false,
            givers: Vec::new(),
        };
        let mut lines = WhyLines::default();
        if let Some(step) = why.steps.last() {
            explanation.list(&step.inside, 0, &mut lines);
        }
        lines.whole(0)
    }

    /// The rules that gave what an event tells: they are what is asked for, though
    /// they may have reckoned and nothing else.
    fn givers<'w>(&self, why: &'w Why) -> Vec<&'w TracedCall> {
        let (Some(event), Some(step)) = (self.events.get(why.event), why.steps.last()) else {
            return Vec::new();
        };
        let told = event.fields.iter().map(|field| &field.value);
        let mut told: Vec<&Value> = told.filter(|value| says_something(value)).collect();
        let mut givers = Vec::new();
        for call in calls_before(&step.inside, why.event).into_iter().flatten() {
            let result = call.result.as_ref();
            let Some(place) = told.iter().position(|value| result == Some(*value)) else {
                continue;
            };
            told.remove(place);
            givers.extend(down_to_the_giver(call));
        }
        givers
    }

    /// The lines of the report for an event, for the referee.
    pub fn event_text(&self, event: usize, unit: Unit) -> String {
        let Some(event) = self.events.get(event) else {
            return String::new();
        };
        let options = ReportOptions { unit, causes: true };
        let mut narrator = Narrator::new(self.rulebook.book(), Viewer::Referee, options);
        let seen = narrator.show(self.game, std::slice::from_ref(event));
        let lines = seen.iter().flat_map(|event| narrator.lines(event));
        let words = lines.map(|line| match line.heading {
            Some(heading) => format!("{heading}: {}", line.text),
            None => line.text,
        });
        words.collect::<Vec<_>>().join("; ")
    }

    /// What an event tells, for whoever must read something of it: where a report leaves an
    /// action to what happens in it, the first of that which it tells; else the event itself.
    pub fn event_words(&self, event: usize, unit: Unit) -> String {
        let Some(own) = self.events.get(event) else {
            return String::new();
        };
        let is_decided = |kind: &str| matches!(kind, "action" | "reaction" | "pass" | "done");
        let last = match &*own.kind {
            "action" | "reaction" => self.events.len(),
            _ => event + 1,
        };
        let told = (event..last)
            .take_while(|place| *place == event || !is_decided(&self.events[*place].kind))
            .map(|place| self.event_text(place, unit))
            .find(|text| !text.is_empty());
        told.unwrap_or_else(|| self.plainly(event, own, unit))
    }

    /// An event in words that a report leaves to others. Of a phase they say in which turn it begins, which those say
    /// that began before.
    fn plainly(&self, place: usize, own: &Event, unit: Unit) -> String {
        let options = ReportOptions { unit, causes: true };
        let mut narrator = Narrator::new(self.rulebook.book(), Viewer::Referee, options);
        if !self.is_from_start {
            narrator = narrator.without_numbers();
        } else if &*own.kind == "phase" {
            let before = self.events[..place].iter();
            for phase in before.filter(|event| event.kind == own.kind) {
                for seen in narrator.show(self.game, std::slice::from_ref(phase)) {
                    narrator.lines(&seen);
                }
            }
        }
        let seen = narrator.show(self.game, std::slice::from_ref(own));
        let words = seen.iter().map(|event| narrator.plainly(event));
        words.collect::<Vec<_>>().join("; ")
    }
}

/// What is told so far.
#[derive(Default)]
struct WhyLines {
    lines: Vec<WhyLine>,
    /// Rows, clauses and options that were told: once is enough.
    once: BTreeSet<String>,
    /// Clauses that were asked and changed nothing.
    asked: Vec<String>,
}

impl WhyLines {
    fn push(&mut self, depth: usize, text: String, source: String) {
        self.lines.push(WhyLine {
            depth,
            text,
            source,
            is_idle: false,
        });
    }

    /// Tells something that is looked up, if it was not told already.
    fn look_up(&mut self, depth: usize, text: String, source: String, is_whole: bool) {
        if self.once.insert(text.clone()) || is_whole {
            self.push(depth, text, source);
        }
    }

    fn ask(&mut self, who: &str) {
        if !self.asked.iter().any(|known| known == who) {
            self.asked.push(who.to_string());
        }
    }

    /// All lines, with those at the end that changed nothing.
    fn whole(mut self, depth: usize) -> Vec<WhyLine> {
        if !self.asked.is_empty() {
            self.lines.push(WhyLine {
                depth,
                text: format!("also asked, and changed nothing: {}", self.asked.join(", ")),
                source: String::new(),
                is_idle: true,
            });
        }
        self.lines
    }
}

struct Explanation<'a> {
    scene: &'a Scene<'a>,
    unit: Unit,
    is_whole: bool,
    /// Rules that are told although they decided nothing.
    givers: Vec<&'a TracedCall>,
}

impl Explanation<'_> {
    fn head(&self, why: &Why) -> WhyLine {
        let source = match why.input {
            Some(input) => format!("event {}, decision {}", why.event + 1, input + 1),
            None => format!("event {}, before the first decision", why.event + 1),
        };
        WhyLine {
            depth: 0,
            text: self.scene.event_text(why.event, self.unit),
            source,
            is_idle: false,
        }
    }

    fn list(&self, list: &[TraceItem], depth: usize, lines: &mut WhyLines) {
        for one in list {
            match one {
                TraceItem::Call(call) if self.is_whole || matters(call) || self.is_giver(call) => {
                    self.call(call, depth, lines)
                }
                TraceItem::Call(call) => asked(call, lines),
                TraceItem::Push(_) => {}
                TraceItem::Event(event) => {
                    let text = self.scene.event_text(*event, self.unit);
                    if !text.is_empty() {
                        lines.push(depth, text, String::new());
                    }
                }
                TraceItem::Clause(id, is_on) => {
                    let text = format!("{id} is {}", if *is_on { "on" } else { "off" });
                    lines.look_up(depth, text, self.printed(id), self.is_whole);
                }
                TraceItem::Option(id, value) => {
                    let text = format!("option {id} = {}", self.value(value));
                    lines.look_up(depth, text, String::new(), self.is_whole);
                }
                TraceItem::Row(row) => self.row(row, depth, lines),
            }
        }
    }

    fn is_giver(&self, call: &TracedCall) -> bool {
        self.givers.iter().any(|giver| std::ptr::eq(*giver, call))
    }

    fn row(&self, row: &Name, depth: usize, lines: &mut WhyLines) {
        let id = row.split('[').next().unwrap_or_default();
        let Some(table) = self.scene.rulebook.tables().get(id) else {
            return;
        };
        let changed = changed_by(table, row);
        let by = if changed.is_empty() {
            String::new()
        } else {
            format!(", as {} has it", changed.join(", "))
        };
        lines.look_up(
            depth,
            format!("table {row}{by}"),
            table.source.to_string(),
            self.is_whole,
        );
    }

    fn call(&self, call: &TracedCall, depth: usize, lines: &mut WhyLines) {
        if !self.is_whole && is_unchanged(call) {
            lines.ask(call.cites.first().unwrap_or(&call.module));
            return self.list(&call.inside, depth, lines);
        }
        lines.push(depth, self.call_text(call), self.sources(call));
        self.list(&call.inside, depth + 1, lines);
    }

    fn call_text(&self, call: &TracedCall) -> String {
        let result = call.result.as_ref().map(|value| self.value(value));
        if call.kind == LayerKind::Define {
            let args = call.args.iter().filter(|(_, value)| !value.is_none());
            let args: Vec<String> = args
                .map(|(name, value)| format!("{name} = {}", self.value(value)))
                .collect();
            let args = if args.is_empty() {
                String::new()
            } else {
                format!("({})", args.join(", "))
            };
            return match (result, &call.result) {
                (Some(result), Some(value)) if !value.is_none() => {
                    format!("{}{args} = {result}", call.rule)
                }
                _ => format!("{}{args}", call.rule),
            };
        }
        let who = call.cites.first().unwrap_or(&call.module);
        if matches!(call.kind, LayerKind::Line | LayerKind::Lines) {
            let whose = if call.kind == LayerKind::Line {
                format!("{who} in ")
            } else {
                String::new()
            };
            return match result {
                Some(result) if call.result.as_ref().is_some_and(|value| !value.is_none()) => {
                    format!("{whose}{}: {result}", call.rule)
                }
                _ => format!("{whose}{}", call.rule),
            };
        }
        let verb = if call.kind == LayerKind::Wrap {
            "changes"
        } else {
            "replaces"
        };
        let base = call.base().and_then(|base| base.result.as_ref());
        match (&call.result, base) {
            (Some(now), Some(before)) if now == before && call.kind == LayerKind::Wrap => {
                format!("{who} leaves {} at {}", call.rule, self.value(now))
            }
            (Some(now), Some(before)) => {
                format!(
                    "{who} {verb} {}: {} -> {}",
                    call.rule,
                    self.value(before),
                    self.value(now)
                )
            }
            (Some(now), None) if !now.is_none() => {
                format!("{who} {verb} {}: {}", call.rule, self.value(now))
            }
            _ => format!("{who} {verb} {}", call.rule),
        }
    }

    fn sources(&self, call: &TracedCall) -> String {
        let mut list: Vec<String> = Vec::new();
        for source in call.cites.iter().map(|clause| self.printed(clause)) {
            if !source.is_empty() && !list.contains(&source) {
                list.push(source);
            }
        }
        list.join(", ")
    }

    fn printed(&self, clause: &Name) -> String {
        self.scene
            .rulebook
            .printed(clause)
            .map_or(String::new(), |source| source.to_string())
    }

    fn value(&self, value: &Value) -> String {
        let text = print_value(value, self.scene.game, self.unit);
        match text.char_indices().nth(MOST_LETTERS) {
            Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
            None => text,
        }
    }
}

/// Who other than the mod of the table has written a row or a cell of it: the
/// clause, or the mod where no clause is cited, or the amendment.
fn changed_by(table: &Table, row: &Name) -> Vec<String> {
    let Some((_, found)) = table.rows().find(|(key, _)| row_mark(table, key) == *row) else {
        return Vec::new();
    };
    let origins = std::iter::once(&found.origin).chain(found.changes.iter().flatten());
    let mut list: Vec<String> = Vec::new();
    for origin in origins.filter(|origin| *origin.place.module != *owner_of(&table.id)) {
        let who = match origin.cites.first() {
            Some(clause) => clause,
            // An amendment belongs to no mod: its place is how it was asked for.
            None if origin.place.module.is_empty() => &*origin.place.file,
            None => &*origin.place.module,
        };
        if !list.iter().any(|known| known == who) {
            list.push(who.to_string());
        }
    }
    list
}

/// Whether a value is one that is asked for: which rule said yes, or nothing, is
/// told by what it looked at.
fn says_something(value: &Value) -> bool {
    !matches!(
        value,
        Value::None | Value::Bool(_) | Value::Int(0) | Value::Entity(_)
    )
}

/// The calls of the functions in which an event was told, up to it: the nearest
/// first. Nothing where it was not told in any of these.
fn calls_before(list: &[TraceItem], event: usize) -> Option<Vec<&TracedCall>> {
    let mut calls: Vec<&TracedCall> = Vec::new();
    for one in list {
        match one {
            TraceItem::Event(told) if *told == event => {
                calls.reverse();
                return Some(calls);
            }
            TraceItem::Call(call) => {
                if let Some(mut nearer) = calls_before(&call.inside, event) {
                    nearer.extend(calls.into_iter().rev());
                    return Some(nearer);
                }
                calls.push(call);
            }
            _ => {}
        }
    }
    None
}

/// A call, and those under it in the same rule down to the one that nobody left as
/// it was.
fn down_to_the_giver(call: &TracedCall) -> Vec<&TracedCall> {
    let mut all = vec![call];
    let mut last = call;
    while let Some(base) = last.base().filter(|_| is_unchanged(last)) {
        all.push(base);
        last = base;
    }
    all
}

/// Notes the house rules that were asked in what is not told.
fn asked(call: &TracedCall, lines: &mut WhyLines) {
    if is_unchanged(call) {
        lines.ask(call.cites.first().unwrap_or(&call.module));
    }
    for one in &call.inside {
        if let TraceItem::Call(inner) = one {
            asked(inner, lines);
        }
    }
}

/// Whether a line held, though it may have made no difference.
fn has_line(call: &TracedCall) -> bool {
    call.inside
        .iter()
        .any(|one| matches!(one, TraceItem::Call(inner) if inner.kind == LayerKind::Line))
}

/// Whether it is a house rule that left what it was given as it was.
fn is_unchanged(call: &TracedCall) -> bool {
    let is_over = matches!(call.kind, LayerKind::Wrap | LayerKind::Lines) && !has_line(call);
    is_over && call.base().is_some_and(|base| base.result == call.result)
}

/// Whether a call is more than plain reckoning: it drew, looked something up,
/// asked for a clause or option, or was changed by somebody.
fn matters(call: &TracedCall) -> bool {
    let is_changed = match (call.kind, call.base()) {
        (LayerKind::Define, _) => false,
        (LayerKind::Wrap, Some(base)) => base.result != call.result,
        (LayerKind::Lines, Some(base)) => has_line(call) || base.result != call.result,
        _ => true,
    };
    is_changed
        || call.inside.iter().any(|one| match one {
            TraceItem::Call(inner) => matters(inner),
            TraceItem::Push(_) => false,
            _ => true,
        })
}
