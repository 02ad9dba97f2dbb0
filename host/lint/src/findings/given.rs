//! What calls are given as texts and tables that stand in the file: pots, what a
//! window carries, and in cases dice, chits, scenarios, sides, parameters.

use std::collections::BTreeSet;

use kernel::book::Window;
use kernel::dice::DICE_MADE;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, is_id, owner_of};
use kernel::world::closest;
use luau_syntax::ast::{Expression, ExpressionKind, TableItem};
use luau_syntax::location::Position;
use matches::scenario::scripted_die;

use super::expressions::{PlacedWord, keys_of};
use super::world::WorldOfNames;
use super::{FileFacts, Sink, outcomes};
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
    /// The numbers in it, or itself if it is one.
    pub numbers: Vec<(f64, Position)>,
    /// What stands as a text under the keys of a table.
    pub values: Vec<(String, PlacedWord)>,
    /// The tables in it, under their keys or in its list.
    pub inside: Vec<(Option<String>, WrittenArgument)>,
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
            (On::Game, "roll" | "roll_all") => rolled(world, call, sink),
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

/// A die that nobody has: somebody meant another, or several at once. What stands on
/// a ladder of the game is meant.
fn not_made(world: &WorldOfNames<'_>, sides: u32) -> Option<Fault> {
    let ladders = world.known.rulebook.running().ladders.borrow();
    let mut rungs = ladders.iter().flat_map(|(_, ladder)| ladder.rungs());
    let is_it = |made: &u16| u32::from(*made) == sides;
    if DICE_MADE.iter().any(is_it) || rungs.any(is_it) {
        return None;
    }
    let message = format!("expected a die that there is, found a d{sides}");
    let hint = match sides {
        66 | 666 => "roll several d6 and put their faces together".into(),
        _ => format!("where players have one, it is `rules.die({sides})`"),
    };
    Some(Fault::new(FaultCode::BadDie, message).hint(hint))
}

/// The sides of `d8`.
fn sides_of(die: &str) -> Option<u32> {
    die.strip_prefix('d')?.parse().ok()
}

/// Dice that are given as texts or numbers.
fn rolled(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let not_made = |sides| not_made(world, sides);
    let Some(first) = call.args.first() else {
        return;
    };
    let one = first.text.iter().map(|text| (text, first.at));
    for (text, at) in one.chain(first.texts.iter().map(|(text, at)| (text, *at))) {
        let sides = sides_of(text);
        if let Some(fault) = sides.filter(|sides| *sides > 0).and_then(not_made) {
            sink.put(fault, at);
        } else if sides.is_none_or(|sides| sides == 0) {
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
    for (number, at) in &first.numbers {
        let sides = (number.fract() == 0.0 && *number > 0.0).then_some(*number as u32);
        if let Some(fault) = sides.and_then(not_made) {
            sink.put(fault, *at);
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
        "dice" => dice(world, call, sink),
        "chits" => chits(world, call, sink),
        "shuffle" => cards(world, call, sink),
        "scenario" => scenario(world, call, sink),
        "faults" => code(call, sink),
        "eq" => compared(call, sink),
        "odds" => outcome(world, call, sink),
        _ => {}
    }
    if OF_SIDES.contains(&method) {
        side(world, call, sink);
    }
    if OF_ACTIONS.contains(&method) {
        kind_of_action(world, call, method, sink);
        parameters(world, call, sink);
    }
}

/// What scripts say that dice show: with a die, or the face alone.
fn dice(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    for (text, at) in call.args.iter().flat_map(|list| &list.texts) {
        if let Err(words) = scripted_die(text) {
            sink.unknown(FaultCode::BadDie, *at, words, None);
        } else if let Some((die, _)) = text.split_once('=') {
            let fault = sides_of(die.trim()).and_then(|sides| not_made(world, sides));
            fault.into_iter().for_each(|fault| sink.put(fault, *at));
        }
    }
    for (face, at) in call.args.iter().flat_map(|list| &list.numbers) {
        if let Err(words) = scripted_die(&face.to_string()) {
            sink.unknown(FaultCode::BadDie, *at, words, None);
        }
    }
}

/// What scripts say that a shuffle brings to the top.
fn cards(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let decks = world.known.book().decks.values();
    let all: BTreeSet<&str> = decks
        .flat_map(|deck| deck.cards().entries().map(|(card, _)| card))
        .collect();
    for (card, at) in call.args.iter().flat_map(|list| &list.texts) {
        if !all.contains(card.as_str()) {
            let near = closest(card, all.iter().copied());
            let message = format!("no deck holds a card `{card}`");
            sink.unknown(FaultCode::BadPot, *at, message, near);
        }
    }
}

/// The code of a fault that a case runs into.
fn code(call: &MethodCall, sink: &mut Sink<'_>) {
    let Some((text, at)) = text_at(call, 0) else {
        return;
    };
    let mut all = FaultCode::ALL.iter();
    if all.clone().any(|code| code.to_string() == text) {
        return;
    }
    let meant = all
        .find(|code| code.slug() == text)
        .map(ToString::to_string);
    let message = format!("there is no fault `{text}`");
    sink.unknown(FaultCode::BadCase, at, message, meant.as_deref());
}

/// What counts as an outcome.
fn outcome(world: &WorldOfNames<'_>, call: &MethodCall, sink: &mut Sink<'_>) {
    let Some(spec) = call.args.first() else {
        return;
    };
    outcomes::check_arguments(world, spec, sink);
    let under = |wanted: &str| {
        let found = spec.values.iter().find(|(key, _)| key == wanted);
        found.map(|(_, word)| word)
    };
    let Some((text, at)) = under("by") else {
        return;
    };
    let of_result = || outcomes::unknown_field(world, &under("rule")?.0, text);
    if let Some(fault) = outcomes::unknown_in(world, text).or_else(of_result) {
        sink.put(fault, *at);
    }
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

/// An action where a reaction is to be taken, the other way round, or something else
/// that has an id.
fn kind_of_action(world: &WorldOfNames<'_>, call: &MethodCall, method: &str, sink: &mut Sink<'_>) {
    let Some((id, at)) = text_at(call, 1) else {
        return;
    };
    let book = world.known.book();
    let (is_action, is_reaction) = (
        book.actions.contains_key(id),
        book.reactions.contains_key(id),
    );
    let wants_reaction = matches!(method, "react" | "refuses_reaction");
    let is_right = if wants_reaction {
        is_reaction
    } else {
        is_action
    };
    // Of an id that nothing has, that is told already.
    if is_right || !world.ids.contains_key(&plain(id)) {
        return;
    }
    let word = if wants_reaction { "reaction" } else { "action" };
    let other = match method {
        "act" => "react",
        "react" => "act",
        "refuses" => "refuses_reaction",
        _ => "refuses",
    };
    let fault = Fault::new(FaultCode::UnknownAction, format!("`{id}` is no {word}"));
    sink.put(
        match is_action || is_reaction {
            true => fault.hint(format!("did you mean `t:{other}`?")),
            false => fault,
        },
        at,
    );
}

/// A comparison without the other side.
fn compared(call: &MethodCall, sink: &mut Sink<'_>) {
    if let [found] = call.args.as_slice() {
        let message = "expected what there should be beside what there is, found one value";
        let fault = Fault::new(FaultCode::BadCase, message);
        sink.put(
            fault.hint("`t:eq(found, expected)`; for nothing, `nil`"),
            found.at,
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
    outcomes::check_parameters(action, params, sink);
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
    let listed = items.iter().filter_map(|item| match item {
        TableItem::List { value } => Some(*value),
        _ => None,
    });
    let number = |value: Expression<'_>| match value.kind() {
        ExpressionKind::Number { value: number, .. } => Some((number, value.location().begin)),
        _ => None,
    };
    let numbers = listed.chain([arg]).filter_map(number).collect();
    WrittenArgument {
        at: arg.location().begin,
        text: word(arg),
        path: scope.in_mod(arg),
        keys: is_written_out.then(|| keys_of(arg)),
        texts: texts.collect(),
        numbers,
        values: values_of(arg),
        inside: items
            .iter()
            .filter_map(|item| inside(scope, item))
            .collect(),
    }
}

/// A table in a table, under its key if it has one.
fn inside(scope: &Scope, item: &TableItem<'_>) -> Option<(Option<String>, WrittenArgument)> {
    let (key, value) = match item {
        TableItem::Record { key, value } => (Some(word(*key)?), *value),
        TableItem::List { value } => (None, *value),
        _ => return None,
    };
    let is_table = matches!(value.kind(), ExpressionKind::Table { .. });
    is_table.then(|| (key, given(scope, value)))
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
