//! What mods declare beside rules and tables: phases, actions, windows with
//! their reactions, events, kinds, pots. For people and for programs.

use std::collections::BTreeSet;
use std::io;

use houserule::kernel::book::{Action, AskOrder, Book, EventKind, Order, Phase, PhaseBody, Window};
use houserule::kernel::game::Game;
use houserule::kernel::value::{Field, Name, Type, Value};
use houserule::kernel::world::{Attribute, FirstViewers, Kind};
use houserule::types::{natural_zero, write_value};
use serde_json::{Map, Value as Json, json};

use super::as_text::{cell, heading};
use super::is_within;
use super::pages::until_text;
use crate::paint::Paint;
use crate::ui::Ui;

/// Whether something belongs to the mod that is asked for.
fn is_of(id: &str, module: Option<&str>) -> bool {
    module.is_none_or(|module| is_within(id, module))
}

fn fields(fields: &[Field]) -> String {
    let each: Vec<String> = fields
        .iter()
        .map(|field| format!("{}: {}", field.name, field.ty))
        .collect();
    each.join(", ")
}

fn count(list: &[Name]) -> String {
    list.iter().map(|id| &**id).collect::<Vec<_>>().join(", ")
}

fn order_word(order: &Order) -> &'static str {
    match order {
        Order::OneAfterAnother => "one side after another acts",
        Order::Alternating => "the sides act in turns",
        Order::Secret => "all act at once, in secret",
        Order::Given => "the side acts that the phase is given",
    }
}

fn asked_word(order: AskOrder) -> &'static str {
    match order {
        AskOrder::OthersFirst => "others first",
        AskOrder::ActingFirst => "the acting side first",
        AskOrder::OthersOnly => "others only",
    }
}

fn body_word(body: &PhaseBody) -> &'static str {
    match body {
        PhaseBody::Sequence(_) => "in order",
        PhaseBody::Loop { .. } => "again and again",
        PhaseBody::Automatic { .. } => "by itself",
        PhaseBody::Acts(acts) => order_word(&acts.order),
    }
}

// ---- for people ----------------------------------------------------------------

/// Everything that a mod declares; all without one.
pub(super) fn book(book: &Book, module: Option<&str>, ui: &mut Ui) -> io::Result<()> {
    phases(book, module, ui)?;
    let actions: Vec<_> = book
        .actions
        .values()
        .filter(|one| is_of(&one.id, module))
        .collect();
    heading("Actions", actions.len(), ui)?;
    for one in actions {
        action(one, ui)?;
    }
    let touched = |window: &&Window| {
        is_of(&window.id, module)
            || book
                .reactions_at(&window.id)
                .any(|one| is_of(&one.id, module))
    };
    let windows: Vec<_> = book.windows.values().filter(touched).collect();
    heading("Windows", windows.len(), ui)?;
    for one in windows {
        window(book, one, ui)?;
    }
    let events: Vec<_> = book
        .events
        .values()
        .filter(|one| is_of(&one.id, module))
        .collect();
    heading("Events", events.len(), ui)?;
    for one in events {
        event(one, ui)?;
    }
    let kinds: Vec<_> = book
        .schema
        .kinds()
        .iter()
        .filter(|one| is_of(&one.id, module))
        .collect();
    heading("Kinds", kinds.len(), ui)?;
    for one in kinds {
        kind(one, ui)?;
    }
    Ok(())
}

/// The phases of the whole game as a tree, then those that rules enter.
fn phases(book: &Book, module: Option<&str>, ui: &mut Ui) -> io::Result<()> {
    let own = book.phases.keys().filter(|id| is_of(id, module)).count();
    if own == 0 {
        return heading("Phases", 0, ui);
    }
    heading("Phases", own, ui)?;
    let mut printed = BTreeSet::new();
    if let Some(root) = &book.root {
        branch(book, root, 0, &mut printed, ui)?;
    }
    let held: BTreeSet<&Name> = book
        .phases
        .values()
        .flat_map(|phase| phase.body.phases())
        .collect();
    for id in book
        .phases
        .keys()
        .filter(|id| is_of(id, module) && !held.contains(id))
    {
        if !printed.contains(id) {
            ui.line(format!("  {}", "entered by rules:".dimmed()))?;
            branch(book, id, 1, &mut printed, ui)?;
        }
    }
    Ok(())
}

fn branch(
    book: &Book,
    id: &Name,
    depth: usize,
    printed: &mut BTreeSet<Name>,
    ui: &mut Ui,
) -> io::Result<()> {
    let Some(phase) = book.phases.get(id) else {
        return Ok(());
    };
    let about = format!("({})", body_word(&phase.body));
    // Without a title it is called by its id, which stands there already.
    let title = match phase.title == *id {
        true => String::new(),
        false => format!("{}  ", phase.title),
    };
    let indent = " ".repeat(depth * 2);
    ui.line(format!("{indent}{}  {title}{}", id.bold(), about.dimmed()))?;
    // A phase that holds itself is a fault of its own; here it is told once.
    if printed.insert(id.clone()) {
        for id in phase.body.phases() {
            branch(book, id, depth + 1, printed, ui)?;
        }
    }
    Ok(())
}

fn action(action: &Action, ui: &mut Ui) -> io::Result<()> {
    ui.line(format!("{}  {}", action.id.bold(), action.title))?;
    ui.line(format!("    {}  {}", "in      ".cyan(), count(&action.at)))?;
    actor_and_params(action, "    ", ui)?;
    let members = members(action);
    members
        .iter()
        .try_for_each(|(what, rule)| rule_line(what, rule, ui))
}

/// The rules that an action is made of, and what each says or does.
fn members(action: &Action) -> Vec<(String, &Name)> {
    let domains = action.params.iter().map(|param| {
        let what = format!("what `{}` may be", param.name);
        (what, Some(&param.domain))
    });
    let first = (
        "whether it may be done".to_string(),
        action.allowed.as_ref(),
    );
    let rest = [
        ("does it", Some(&action.perform)),
        ("what it is worth to a bot", action.score.as_ref()),
        ("what is said beside it", action.outlook.as_ref()),
    ];
    let rest = rest.map(|(what, rule)| (what.to_string(), rule));
    let all = [first].into_iter().chain(domains).chain(rest);
    all.filter_map(|(what, rule)| Some((what, rule?))).collect()
}

/// The rules that a phase asks or runs, and what each says or does.
fn asked_by(phase: &Phase) -> Vec<(&'static str, &Name)> {
    let all = match &phase.body {
        PhaseBody::Sequence(_) => Vec::new(),
        PhaseBody::Loop { until, .. } => vec![("whether it ends", until.as_ref())],
        PhaseBody::Automatic { rule } => vec![("runs", Some(rule))],
        PhaseBody::Acts(acts) => vec![
            ("who begins", acts.first.as_ref()),
            ("whether a side may pass", acts.may_pass.as_ref()),
            ("whether a side may be done", acts.may_end.as_ref()),
            ("whether it ends", acts.until.as_ref()),
        ],
    };
    all.into_iter()
        .filter_map(|(what, rule)| Some((what, rule?)))
        .collect()
}

fn rule_line(what: &str, rule: &Name, ui: &mut Ui) -> io::Result<()> {
    ui.line(format!(
        "    {}  {rule}  {}",
        "rule    ".cyan(),
        what.dimmed()
    ))
}

/// Who sees it at first, where that is not everybody.
fn seen_by(viewers: FirstViewers) -> Option<&'static str> {
    match viewers {
        FirstViewers::All => None,
        FirstViewers::Owner => Some("seen by its owner"),
        FirstViewers::Nobody => Some("seen by nobody"),
    }
}

/// Who does it, and what is asked for.
fn actor_and_params(action: &Action, indent: &str, ui: &mut Ui) -> io::Result<()> {
    if let Some(actor) = &action.actor {
        let listed = action
            .listed
            .as_ref()
            .map_or(String::new(), |rule| format!(", listed by {rule}"));
        ui.line(format!("{indent}{}  {actor}{listed}", "by      ".cyan()))?;
    }
    for param in &action.params {
        let line = format!("{}: {}  {}", param.name, param.ty, param.title.dimmed());
        ui.line(format!("{indent}{}  {line}", "asks    ".cyan()))?;
    }
    Ok(())
}

fn window(book: &Book, window: &Window, ui: &mut Ui) -> io::Result<()> {
    ui.line(format!(
        "{}  {}  {}",
        window.id.bold(),
        window.text,
        format!("(asks {})", asked_word(window.order)).dimmed()
    ))?;
    ui.line(format!(
        "    {}  {}",
        "carries ".cyan(),
        fields(&window.carries)
    ))?;
    for reaction in book.reactions_at(&window.id) {
        ui.line(format!(
            "    {}  {}  {}",
            "reaction".cyan(),
            reaction.id,
            reaction.title
        ))?;
        actor_and_params(reaction, "              ", ui)?;
    }
    Ok(())
}

fn event(event: &EventKind, ui: &mut Ui) -> io::Result<()> {
    ui.line(format!("{}  {}", event.id.bold(), event.text.dimmed()))?;
    ui.line(format!(
        "    {}  {}",
        "carries ".cyan(),
        fields(&event.fields)
    ))?;
    match &event.reveals {
        Some(reason) => ui.line(format!("    {}  {reason}", "reveals ".cyan())),
        None => Ok(()),
    }
}

fn kind(kind: &Kind, ui: &mut Ui) -> io::Result<()> {
    let known = seen_by(kind.existence).map_or(String::new(), |by| format!("  {by}"));
    ui.line(format!("{}{}", kind.id.bold(), known.dimmed()))?;
    for one in &kind.attributes {
        let said = match says(one) {
            nothing if nothing.is_empty() => nothing,
            said => format!("  {}", said.dimmed()),
        };
        ui.line(format!("    {}: {}{said}", one.name, one.ty))?;
    }
    Ok(())
}

/// What is said of an attribute: what it is, how long it holds, who sees it, and what it
/// is when nothing is said.
fn says(one: &Attribute) -> String {
    let is_zero = natural_zero(&one.ty).is_some_and(|zero| zero == one.default);
    let default = match &one.default {
        Value::None => None,
        _ if is_zero && !matches!(one.ty, Type::Enum(_)) => None,
        value => Some(format!("{} if nothing is said", cell(value))),
    };
    let parts = [Some(one.doc.to_string()).filter(|doc| !doc.is_empty())]
        .into_iter()
        .chain(one.until.iter().map(|until| Some(until_text(until))))
        .chain([seen_by(one.viewers).map(str::to_string), default])
        .chain([one.is_bookkeeping.then(|| "bookkeeping".to_string())]);
    parts.flatten().collect::<Vec<_>>().join(", ")
}

/// The one thing of that id that is declared; whether there is one.
pub(super) fn one(book: &Book, id: &str, ui: &mut Ui) -> io::Result<bool> {
    if let Some(phase) = book.phases.get(id) {
        branch(book, &Name::from(id), 0, &mut BTreeSet::new(), ui)?;
        for (what, rule) in asked_by(phase) {
            rule_line(what, rule, ui)?;
        }
        for action in book.actions_in(id) {
            ui.line(format!(
                "    {}  {}  {}",
                "action  ".cyan(),
                action.id,
                action.title
            ))?;
        }
    } else if let Some(found) = book.actions.get(id).or_else(|| book.reactions.get(id)) {
        action(found, ui)?;
    } else if let Some(found) = book.windows.get(id) {
        window(book, found, ui)?;
    } else if let Some(found) = book.events.get(id) {
        event(found, ui)?;
    } else if let Some(found) = book.schema.kinds().iter().find(|kind| *kind.id == *id) {
        kind(found, ui)?;
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Every id of these, for those who mistype one.
pub(super) fn ids(book: &Book) -> impl Iterator<Item = &str> {
    let actions = book.actions.keys().chain(book.reactions.keys());
    let rest = book
        .phases
        .keys()
        .chain(book.windows.keys())
        .chain(book.events.keys());
    actions
        .chain(rest)
        .map(|id| &**id)
        .chain(book.schema.kinds().iter().map(|kind| &*kind.id))
}

// ---- for programs --------------------------------------------------------------

/// The same as one record.
pub(super) fn as_json(book: &Book, module: Option<&str>) -> Map<String, Json> {
    let sorts = [
        (
            "phases",
            own(book.phases.values(), |one| &one.id, phase_json, module),
        ),
        (
            "actions",
            own(book.actions.values(), |one| &one.id, action_json, module),
        ),
        (
            "reactions",
            own(book.reactions.values(), |one| &one.id, action_json, module),
        ),
        (
            "windows",
            own(book.windows.values(), |one| &one.id, window_json, module),
        ),
        (
            "events",
            own(book.events.values(), |one| &one.id, event_json, module),
        ),
        (
            "kinds",
            own(book.schema.kinds().iter(), |one| &one.id, kind_json, module),
        ),
    ];
    sorts
        .into_iter()
        .map(|(sort, found)| (sort.to_string(), found))
        .collect()
}

/// What the mod that is asked for declares of one sort, each as a record.
fn own<'a, T: 'a>(
    all: impl Iterator<Item = &'a T>,
    id: fn(&T) -> &Name,
    record: fn(&T) -> Json,
    module: Option<&str>,
) -> Json {
    all.filter(|one| is_of(id(one), module))
        .map(record)
        .collect()
}

/// The one thing of that id that is declared, under the word for what it is.
pub(super) fn one_as_json(book: &Book, id: &str) -> Option<(&'static str, Json)> {
    let kind = book.schema.kinds().iter().find(|kind| *kind.id == *id);
    None.or_else(|| Some(("phase", phase_json(book.phases.get(id)?))))
        .or_else(|| Some(("action", action_json(book.actions.get(id)?))))
        .or_else(|| Some(("reaction", action_json(book.reactions.get(id)?))))
        .or_else(|| Some(("window", window_json(book.windows.get(id)?))))
        .or_else(|| Some(("event", event_json(book.events.get(id)?))))
        .or_else(|| Some(("kind", kind_json(kind?))))
}

fn names(list: &[Name]) -> Json {
    list.iter().map(|id| json!(&**id)).collect()
}

fn fields_json(fields: &[Field]) -> Json {
    fields
        .iter()
        .map(|field| json!({ "name": &*field.name, "type": field.ty.to_string() }))
        .collect()
}

fn phase_json(phase: &Phase) -> Json {
    json!({
        "id": &*phase.id,
        "title": &*phase.title,
        "mod": &*phase.module,
        "how": body_word(&phase.body),
        "rules": asked_by(phase).into_iter().map(|(what, rule)| json!({ "rule": &**rule, "what": what })).collect::<Vec<_>>(),
        "phases": names(phase.body.phases()),
    })
}

fn action_json(action: &Action) -> Json {
    let param = |one: &houserule::kernel::book::Param| json!({ "name": &*one.name, "title": &*one.title, "type": one.ty.to_string() });
    json!({
        "id": &*action.id,
        "title": &*action.title,
        "mod": &*action.module,
        "at": names(&action.at),
        "actor": action.actor.as_deref(),
        "listed_by": action.listed.as_deref(),
        "params": action.params.iter().map(param).collect::<Vec<_>>(),
        "rules": members(action).into_iter().map(|(what, rule)| json!({ "rule": &**rule, "what": what })).collect::<Vec<_>>(),
    })
}

fn window_json(window: &Window) -> Json {
    json!({
        "id": &*window.id,
        "mod": &*window.module,
        "text": &*window.text,
        "carries": fields_json(&window.carries),
        "asked": asked_word(window.order),
    })
}

fn event_json(event: &EventKind) -> Json {
    json!({
        "id": &*event.id,
        "mod": &*event.module,
        "text": &*event.text,
        "fields": fields_json(&event.fields),
        "reveals": event.reveals.as_deref(),
    })
}

fn kind_json(kind: &Kind) -> Json {
    let attribute = |one: &Attribute| {
        json!({
            "name": &*one.name,
            "type": one.ty.to_string(),
            "mod": &*one.module,
            "doc": &*one.doc,
            "until": one.until.iter().map(until_text).collect::<Vec<_>>(),
            "viewers": viewers_word(one.viewers),
            "default": write_value(&one.default, &Game::empty()),
            "bookkeeping": one.is_bookkeeping,
        })
    };
    json!({
        "id": &*kind.id,
        "existence": viewers_word(kind.existence),
        "naming": viewers_word(kind.naming),
        "attributes": kind.attributes.iter().map(attribute).collect::<Vec<_>>(),
    })
}

/// Who sees something at first, as data says it.
fn viewers_word(viewers: FirstViewers) -> &'static str {
    match viewers {
        FirstViewers::All => "All",
        FirstViewers::Owner => "Owner",
        FirstViewers::Nobody => "Nobody",
    }
}
