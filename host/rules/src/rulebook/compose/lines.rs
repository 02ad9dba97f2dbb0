//! Lines of rules, put in order and checked against the law of their rule.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::value::Name;
use kernel::world::closest;

use super::held::Concerned;
use super::{Composer, Recipe};
use crate::data::placeholders;
use crate::hosting::registry::{Layer, LayerBody, LayerKind};
use crate::lines::{Column, Law, Line, Open, Verb, effects_of, set_at_once};
use crate::registration::{RawLine, Registrations};
use crate::rulebook::LayerEntry;

impl Composer<'_> {
    /// Folds the lines in force into their rules, between what a rule is by
    /// itself and what wraps it.
    pub(super) fn lines(&mut self, registered: &Registrations, concerned: &Concerned) {
        let opened: BTreeMap<&Name, &(Open, bool)> = registered
            .opened
            .iter()
            .map(|(rule, open, _)| (rule, open))
            .collect();
        let mut by_rule: BTreeMap<&Name, Vec<&RawLine>> = BTreeMap::new();
        let lines = registered.lines.iter();
        for line in lines.filter(|line| concerned.has(&line.rule)) {
            by_rule.entry(&line.rule).or_default().push(line);
        }
        for (rule, lines) in by_rule {
            let Some(entry) = self.rules.get(rule) else {
                self.no_rule_for(rule, &lines);
                continue;
            };
            let Some((open, is_reason)) = opened.get(rule) else {
                let is_named = |line: &&RawLine| {
                    Fault::new(
                        FaultCode::BadSignature,
                        format!("`{rule}` is not open for lines"),
                    )
                    .at(line.origin.place.clone())
                };
                let hint = "its mod opens it with `@open` in its header; every rule can be wrapped";
                self.faults
                    .extend(lines.iter().map(|line| is_named(line).hint(hint)));
                continue;
            };
            let law = Law::of(&entry.signature.returns, *is_reason);
            let args: Vec<Name> = entry
                .signature
                .args
                .iter()
                .map(|arg| arg.name.clone())
                .collect();
            self.check_reasons(rule, &args, &lines);
            if self.fit(rule, law, &lines) {
                self.add_column(rule, law, open, lines);
            }
        }
    }

    fn no_rule_for(&mut self, rule: &Name, lines: &[&RawLine]) {
        let (why, hint) = self.why_not_there(rule);
        for line in lines {
            let message = format!("cannot add a line to `{rule}`: {why}");
            let fault = Fault::new(FaultCode::UnknownRule, message);
            let fault = hint.iter().fold(fault, Fault::hint);
            self.faults.push(fault.at(line.origin.place.clone()));
        }
    }

    /// In a reason stand names of what the rule takes.
    fn check_reasons(&mut self, rule: &Name, args: &[Name], lines: &[&RawLine]) {
        for line in lines
            .iter()
            .filter(|line| matches!(line.verb, Verb::Refuse | Verb::Shift))
        {
            let reason = line.words.reason.as_deref().unwrap_or_default();
            for name in placeholders(reason)
                .into_iter()
                .filter(|name| args.iter().all(|arg| **arg != **name))
            {
                let message = format!(
                    "expected an argument of `{rule}` in the reason of a line, found `{{{name}}}`"
                );
                let fault =
                    Fault::new(FaultCode::BadSignature, message).at(line.origin.place.clone());
                let near = closest(name, args.iter().map(|arg| &**arg));
                let hint = near.map_or_else(
                    || format!("it takes `{}`", args.join("`, `")),
                    |near| format!("did you mean `{{{near}}}`?"),
                );
                self.faults.push(fault.hint(hint));
            }
        }
    }

    /// Whether all lines are of kinds that the law of the rule knows.
    fn fit(&mut self, rule: &Name, law: Law, lines: &[&RawLine]) -> bool {
        let mut is_whole = true;
        for line in lines
            .iter()
            .filter(|line| !law.verbs().contains(&line.verb))
        {
            is_whole = false;
            let words: Vec<&str> = law.verbs().iter().map(|verb| verb.word()).collect();
            let message = format!(
                "expected a line that fits what `{rule}` gives, one of `{}`, found `{}`",
                words.join("`, `"),
                line.verb.word()
            );
            let fault = Fault::new(FaultCode::BadSignature, message).at(line.origin.place.clone());
            self.faults.push(fault.hint("what fits no line is a wrap"));
        }
        is_whole
    }

    fn add_column(&mut self, rule: &Name, law: Law, open: &Open, lines: Vec<&RawLine>) {
        let Some(entry) = self.rules.get_mut(rule).map(Rc::make_mut) else {
            return;
        };
        let Some(base) = entry.functions.first().cloned() else {
            return;
        };
        let recipe = self.recipe;
        let all = in_order(recipe, lines);
        let effects = entry.signature.effects;
        let made = all.iter().map(|raw| line_of(recipe, raw, &all, effects));
        let column = Column {
            law,
            open: open.clone(),
            lines: made.collect(),
        };
        self.faults.extend(contradictions(&column.lines));
        let entries = column.lines.iter().map(entry_of);
        entry.layers.splice(1..1, entries.collect::<Vec<_>>());
        let layer = Layer {
            kind: LayerKind::Lines,
            cites: Rc::from([]),
            body: LayerBody::Lines(Rc::new(column)),
            registered: usize::MAX,
            reveals: None,
            ..base
        };
        entry.functions.insert(1, layer);
    }
}

/// Lines that say, each in every case, another thing than one beside which nobody has said where they go.
fn contradictions(lines: &[Line]) -> Vec<Fault> {
    // What ignores lines may leave one of them.
    if lines.iter().any(|line| line.verb == Verb::Ignore) {
        return Vec::new();
    }
    let said = |line: &Line| match (line.verb, line.words.is_always) {
        (Verb::Set, true) => line.words.value.clone(),
        _ => None,
    };
    let rivals = lines.iter().enumerate().flat_map(|(place, line)| {
        let later = line.rivals.iter().filter(move |other| **other > place);
        later.map(move |other| (line, &lines[*other]))
    });
    let differ = |(first, second): &(&Line, &Line)| match (said(first), said(second)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    };
    let fault = |(first, second): (&Line, &Line)| set_at_once(&first.layer, &second.layer);
    rivals.filter(differ).map(fault).collect()
}

fn is_deciding(line: &RawLine) -> bool {
    matches!(line.verb, Verb::Set | Verb::Case)
}

/// What decides goes from the mods that stand on others to those; all else
/// commutes, and stands as it is printed.
fn in_order<'l>(recipe: &Recipe<'_>, mut lines: Vec<&'l RawLine>) -> Vec<&'l RawLine> {
    let rank = |line: &RawLine| {
        let mods = &recipe.mods;
        mods.iter()
            .position(|module| module.id == line.origin.module)
            .unwrap_or(mods.len())
    };
    lines.sort_by_key(|line| (rank(line), line.registered));
    let mut deciding: Vec<&'l RawLine> = lines
        .iter()
        .copied()
        .filter(|line| is_deciding(line))
        .collect();
    deciding.sort_by_key(|line| (usize::MAX - rank(line), line.registered));
    put_before(&mut deciding);
    let others = lines.into_iter().filter(|line| !is_deciding(line));
    deciding.into_iter().chain(others).collect()
}

/// A line as it runs. Its rivals are those that decide too, while nobody says
/// which of the two goes first.
fn line_of(recipe: &Recipe<'_>, raw: &RawLine, all: &[&RawLine], effects: Effects) -> Line {
    let is_stated = |other: &RawLine| {
        let (a, b) = (&raw.origin.module, &other.origin.module);
        a == b || (recipe.stated)(a, b) || (recipe.stated)(b, a)
    };
    let is_rival = |other: &RawLine| {
        is_deciding(other)
            && !is_stated(other)
            && !goes_before(raw, other)
            && !goes_before(other, raw)
    };
    let rivals = all
        .iter()
        .enumerate()
        .filter(|(_, other)| is_rival(other))
        .map(|(place, _)| place);
    Line {
        layer: Layer {
            rule: raw.rule.clone(),
            kind: LayerKind::Line,
            cites: raw.origin.cites.clone(),
            module: raw.origin.module.clone(),
            place: raw.origin.place.clone(),
            effects: effects_of(raw.verb, effects),
            reveals: None,
            body: LayerBody::Nothing,
            registered: raw.registered,
        },
        verb: raw.verb,
        words: raw.words.clone(),
        spec: raw.spec.clone(),
        rivals: rivals.collect(),
        registered: raw.registered,
    }
}

/// A line as the rulebook prints it.
fn entry_of(line: &Line) -> LayerEntry {
    LayerEntry {
        kind: LayerKind::Line,
        module: line.layer.module.clone(),
        place: line.layer.place.clone(),
        cites: line.layer.cites.to_vec(),
        line: Some((line.verb, line.words.clone())),
    }
}

/// Whether a line says that it goes before another one.
fn goes_before(line: &RawLine, other: &RawLine) -> bool {
    line.over
        .iter()
        .any(|over| *over == other.origin.module || other.origin.cites.contains(over))
}

/// Moves lines before those which they say that they go before.
fn put_before(lines: &mut Vec<&RawLine>) {
    for place in 0..lines.len() {
        let first = (0..place).find(|earlier| goes_before(lines[place], lines[*earlier]));
        if let Some(first) = first {
            let line = lines.remove(place);
            lines.insert(first, line);
        }
    }
}
