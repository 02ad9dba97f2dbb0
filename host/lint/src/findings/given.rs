//! What calls are given as texts and tables that stand in the file: pots, what a
//! window carries, and in cases dice, chits, scenarios, sides, parameters.

use std::collections::BTreeSet;

use kernel::book::Window;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, is_id, owner_of};
use kernel::world::closest;
use luau_syntax::ast::{Expression, ExpressionKind, TableItem};
use luau_syntax::location::Position;

use super::expressions::{PlacedWord, keys_of};
use super::world::WorldOfNames;
use super::{FileFacts, Sink};
use crate::scope::{ModPath, Scope, word};
use crate::types::names::{plain, short};

/// What a method is called on, by the name that everybody gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum On {
    Game,
    Case,
}

/// A call of a method of the game, or of a case.
#[derive(Debug)]
pub(super) struct MethodCall {
    pub on: On,
    pub method: String,
    pub args: Vec<WrittenArgument>,
}

/// An argument, as far as it stands in the text.
#[derive(Debug)]
pub(super) struct WrittenArgument {
    pub at: Position,
    /// If it is a text.
    pub text: Option<String>,
    /// If it is a way into a mod.
    pub path: Option<ModPath>,
    /// The keys of a table, if it is one whose keys are all written out.
    pub keys: Option<Vec<(String, Position)>>,
    /// The texts of a list.
    pub texts: Vec<(String, Position)>,
}

/// A question to players, and whether a side stands first in it.
#[derive(Debug)]
pub(super) struct WrittenQuestion {
    pub has_side: bool,
    pub args: Vec<WrittenArgument>,
}

impl WrittenQuestion {
    /// Its id, if it stands there as a text.
    pub fn id(&self) -> Option<&str> {
        let given = self.args.get(usize::from(self.has_side))?;
        given.text.as_deref().filter(|text| is_id(text))
    }
}

/// In which order a question is given what it wants.
const ORDER: &str = "first the side, then the id of the question, then its text: \
    `ask.yes(unit.side, \"my_mod.fire.again\", \"Fire again?\")`";

/// Methods of the game that take a pot or a deck first.
const OF_POTS: [&str; 3] = ["draw", "take", "put_back"];

/// Methods of a case that take a side first.
const OF_SIDES: [&str; 12] = [
    "act",
    "react",
    "decline",
    "pass",
    "done",
    "take_back",
    "give",
    "refuses",
    "refuses_reaction",
    "legal",
    "may",
    "told",
];

/// Methods of a case that take an action or a reaction, its actor and its
/// parameters after the side.
const OF_ACTIONS: [&str; 4] = ["act", "react", "refuses", "refuses_reaction"];

/// Checks what the calls of a file are given.
pub(super) fn check(world: &WorldOfNames<'_>, file: &FileFacts<'_>, sink: &mut Sink<'_>) {
    for call in &file.facts.methods {
        match (call.on, call.method.as_str()) {
            (On::Game, method) if OF_POTS.contains(&method) => pot(world, call, sink),
            (On::Game, "open") => window(world, call, sink),
            (On::Game, "roll" | "roll_all") => rolled(call, sink),
            (On::Case, method) => of_case(world, call, method, sink),
            _ => {}
        }
    }
    for question in &file.facts.questions {
        asked(world, question, sink);
    }
}

/// A question: a side, or nothing where several are asked, then its id.
fn asked(world: &WorldOfNames<'_>, question: &WrittenQuestion, sink: &mut Sink<'_>) {
    let id = question.args.get(usize::from(question.has_side));
    let side = question.args.first().filter(|_| question.has_side);
    if let Some((given, text)) = side.and_then(|given| Some((given, given.text.as_deref()?)))
        && is_id(text)
    {
        let message = format!("expected the side that is asked, found the id `{text}`");
        sink.put(
            Fault::new(FaultCode::WrongType, message).hint(ORDER),
            given.at,
        );
        return;
    }
    let Some((given, id)) = id.and_then(|given| Some((given, given.text.as_deref()?))) else {
        return;
    };
    if !is_id(id) {
        let message = format!("expected the id of this question, found `{id}`");
        sink.put(
            Fault::new(FaultCode::WrongType, message).hint(ORDER),
            given.at,
        );
        return;
    }
    let mods = world.known.rulebook.mods();
    let owner = owner_of(id);
    if mods.iter().all(|one| **one != *owner) {
        let near = closest(owner, mods.iter().map(|one| &**one));
        let message =
            format!("there is no mod `{owner}`, with which the id of this question begins");
        sink.unknown(FaultCode::UnknownMod, given.at, message, near);
    }
}

fn pot(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let Some((id, at)) = text_at(call, 0) else {
        return;
    };
    let book = world.known.book();
    let all: Vec<&Name> = book.pots.keys().chain(book.decks.keys()).collect();
    if is_id(id) && !all.iter().any(|known| ***known == *id) {
        let near = closest(id, all.iter().map(|known| &***known));
        sink.unknown(
            FaultCode::UnknownPot,
            at,
            format!("there is no pot or deck `{id}`"),
            near,
        );
    }
}

/// Dice that are given as texts.
fn rolled(call: &MethodCall, sink: &mut Sink<'_>) {
    let Some(first) = call.args.first() else {
        return;
    };
    let one = first.text.iter().map(|text| (text, first.at));
    for (text, at) in one.chain(first.texts.iter().map(|(text, at)| (text, *at))) {
        let sides = text
            .strip_prefix('d')
            .and_then(|sides| sides.parse::<u32>().ok());
        if sides.is_none_or(|sides| sides == 0) {
            let fault = Fault::new(
                FaultCode::BadDie,
                format!("expected a die such as `d8`, found `{text}`"),
            );
            let only = text
                .strip_suffix('d')
                .filter(|sides| sides.parse::<u32>().is_ok());
            sink.put(
                only.iter()
                    .fold(fault, |fault, sides| fault.hint(format!("`d{sides}`"))),
                at,
            );
        }
    }
}

/// A window is given all that it carries, and nothing else.
fn window(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let [of, given, ..] = call.args.as_slice() else {
        return;
    };
    let (Some(path), Some(keys)) = (&of.path, &given.keys) else {
        return;
    };
    let Some(window) = window_of(world, path) else {
        return;
    };
    let carries = || window.carries.iter().map(|field| &*field.name);
    for (key, at) in keys {
        if !carries().any(|name| name == key) {
            let message = format!("window `{}` carries no `{key}`", window.id);
            sink.unknown(
                FaultCode::UnknownWindow,
                *at,
                message,
                closest(key, carries()),
            );
        }
    }
    let may_be_nothing = |ty: &Type| matches!(ty, Type::Optional(_) | Type::Any);
    let missing = window.carries.iter().find(|field| {
        !may_be_nothing(&field.ty) && !keys.iter().any(|(key, _)| **key == *field.name)
    });
    if let Some(field) = missing.filter(|_| {
        keys.iter()
            .all(|(key, _)| carries().any(|name| name == key))
    }) {
        let message = format!(
            "window `{}` carries `{}`, which is not given here",
            window.id, field.name
        );
        sink.unknown(FaultCode::UnknownWindow, given.at, message, None);
    }
}

fn window_of<'w>(world: &'w WorldOfNames<'_>, path: &ModPath) -> Option<&'w Window> {
    let [module, section, name] = path.as_slice() else {
        return None;
    };
    let mut windows = world.known.book().windows.values();
    match section.as_str() {
        "windows" => windows.find(|one| owner_of(&one.id) == module && short(&one.id) == *name),
        _ => windows.find(|one| plain(&one.id) == plain(&path.join("."))),
    }
}

fn of_case(world: &WorldOfNames<'_>, call: &MethodCall, method: &str, sink: &mut Sink<'_>) {
    match method {
        "dice" => call
            .args
            .iter()
            .flat_map(|list| &list.texts)
            .for_each(|(text, at)| {
                if let Some(words) = wrong_face(text) {
                    sink.unknown(FaultCode::BadDie, *at, words, None);
                }
            }),
        "chits" => chits(world, call, sink),
        "scenario" => scenario(world, call, sink),
        _ => {}
    }
    if OF_SIDES.contains(&method) {
        side(world, call, sink);
    }
    if OF_ACTIONS.contains(&method) {
        parameters(world, call, sink);
    }
}

/// What is wrong with `d8=9`.
fn wrong_face(text: &str) -> Option<String> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let wrong = || {
        Some(format!(
            "expected a die such as `d8=5` or `5`, found `{text}`"
        ))
    };
    let Some((sides, face)) = text.split_once('=') else {
        return if number(text).is_none() {
            wrong()
        } else {
            None
        };
    };
    let sides = sides.trim().strip_prefix('d').and_then(number);
    let (Some(sides), Some(face)) = (sides, number(face)) else {
        return wrong();
    };
    (face == 0 || face > sides).then(|| format!("a d{sides} never shows {face}"))
}

fn chits(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let pots = world.known.book().pots.values();
    let all: BTreeSet<&str> = pots
        .flat_map(|pot| pot.entries().map(|(chit, _)| chit))
        .collect();
    for (chit, at) in call.args.iter().flat_map(|list| &list.texts) {
        if !all.contains(chit.as_str()) {
            let near = closest(chit, all.iter().copied());
            sink.unknown(
                FaultCode::BadPot,
                *at,
                format!("no pot holds a chit `{chit}`"),
                near,
            );
        }
    }
}

fn scenario(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let Some((id, at)) = text_at(call, 0) else {
        return;
    };
    let all = world.scenarios();
    let is_it = |(module, name): &(String, String)| match id.split_once('/') {
        Some((of, wanted)) => of == module && wanted == name,
        None => name == id,
    };
    if !all.iter().any(is_it) {
        let near = closest(id, all.iter().map(|(_, name)| name.as_str()));
        sink.unknown(
            FaultCode::BadScenario,
            at,
            format!("no mod has a scenario `{id}`"),
            near,
        );
    }
}

fn side(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let (Some((side, at)), Some(all)) = (text_at(call, 0), world.sides()) else {
        return;
    };
    if !all.contains(side) {
        let near = closest(side, all.iter().map(String::as_str));
        sink.unknown(
            FaultCode::BadScenario,
            at,
            format!("no scenario has a side `{side}`"),
            near,
        );
    }
}

fn parameters(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let (Some((id, _)), Some(params)) = (text_at(call, 1), call.args.get(3)) else {
        return;
    };
    let book = world.known.book();
    let Some(action) = book.actions.get(id).or_else(|| book.reactions.get(id)) else {
        return;
    };
    for (key, at) in params.keys.iter().flatten() {
        if action.params.iter().all(|param| *param.name != **key) {
            let near = closest(key, action.params.iter().map(|param| &*param.name));
            sink.unknown(
                FaultCode::UnknownAction,
                *at,
                format!("`{id}` has no parameter `{key}`"),
                near,
            );
        }
    }
}

fn text_at(call: &MethodCall, place: usize) -> Option<(&str, Position)> {
    let WrittenArgument { text, at, .. } = call.args.get(place)?;
    Some((text.as_deref()?, *at))
}

/// Whether it is the local by which everybody calls a case.
pub(crate) fn is_case(expression: Expression<'_>) -> bool {
    matches!(expression.kind(), ExpressionKind::Local { local, .. } if local.name.bytes() == b"t")
}

/// What stands where an argument is given.
pub(super) fn given(scope: &Scope, arg: Expression<'_>) -> WrittenArgument {
    let items: &[TableItem<'_>] = match arg.kind() {
        ExpressionKind::Table { items } => items,
        _ => &[],
    };
    let is_written_out =
        matches!(arg.kind(), ExpressionKind::Table { .. }) && keys_of(arg).len() == items.len();
    let texts = items.iter().filter_map(|item| match item {
        TableItem::List { value } => Some((word(*value)?, value.location().begin)),
        _ => None,
    });
    WrittenArgument {
        at: arg.location().begin,
        text: word(arg),
        path: scope.in_mod(arg),
        keys: is_written_out.then(|| keys_of(arg)),
        texts: texts.collect(),
    }
}

/// What stands as a text under the keys of a table.
pub(super) fn values_of(table: Expression<'_>) -> Vec<(String, PlacedWord)> {
    let ExpressionKind::Table { items } = table.kind() else {
        return Vec::new();
    };
    let value = |item: &TableItem<'_>| match item {
        TableItem::Record { key, value } => {
            Some((word(*key)?, (word(*value)?, value.location().begin)))
        }
        _ => None,
    };
    items.iter().filter_map(value).collect()
}
