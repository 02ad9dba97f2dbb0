//! What is meant by a name that is no id: as reports and lists of what can be done print it.

use std::collections::BTreeMap;

use houserule::kernel::book::Book;
use houserule::kernel::value::{Name, owner_of};
use houserule::modset::selector::Request;
use houserule::workshop::Workshop;

use super::{ClauseLibrary, RulesArgs, ids, is_within, one, whole};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;

/// What may be meant: each id, with its title if it has one.
type MeantIds = BTreeMap<String, String>;

/// Prints what a name means that begins with no mod: `Fire`, `move.go`. Nothing, and no, where it means nothing.
///
/// # Errors
/// When it may mean several things.
pub(super) fn anywhere(args: &RulesArgs, name: &str, ui: &mut Ui) -> Result<bool, Failure> {
    let workshop = ui.workshop.clone();
    let mut found = MeantIds::new();
    for module in workshop.manifests().keys() {
        // What is wrong with a mod is told to those who ask for it.
        if let Ok(library) = library_of(&workshop, module, args) {
            found.extend(meant(&library, module, name));
        }
    }
    let Some(id) = only(&found, name, ui)? else {
        return Ok(false);
    };
    let library = library_of(&workshop, owner_of(&id), args)?;
    one(&library, &id, ui)?;
    Ok(true)
}

/// The same of one mod: `rules dsii move.go`.
///
/// # Errors
/// When it may mean several things.
pub(super) fn in_mod(
    library: &ClauseLibrary<'_>,
    module: &str,
    name: &str,
    ui: &mut Ui,
) -> Result<bool, Failure> {
    match only(&meant(library, module, name), name, ui)? {
        Some(id) => one(library, &id, ui).map(|()| true),
        None => Ok(false),
    }
}

fn library_of<'a>(
    workshop: &'a Workshop,
    module: &str,
    args: &RulesArgs,
) -> Result<ClauseLibrary<'a>, Failure> {
    let mut request: Request = args.selection.request()?;
    request.with.insert(0, whole(workshop, module)?);
    let chosen = workshop.compose(&request)?;
    Ok(ClauseLibrary::new(workshop, chosen))
}

/// What of a mod ends with a name, at a dot, or has it as its title.
fn meant(library: &ClauseLibrary<'_>, module: &str, name: &str) -> MeantIds {
    let titles = titles(library.chosen.rulebook.book());
    let title_of = |id: &str| titles.get(id).map_or("", |title| title);
    let is_meant = |id: &str| {
        let is_its_end = id
            .strip_suffix(name)
            .is_some_and(|rest| rest.ends_with('.'));
        is_its_end || title_of(id).eq_ignore_ascii_case(name)
    };
    let own = ids(library).filter(|id| is_within(id, module) && is_meant(id));
    own.map(|id| (id.to_string(), title_of(id).to_string()))
        .collect()
}

/// What reports call what is done and when.
fn titles(book: &Book) -> BTreeMap<&str, &Name> {
    let done = book.actions.values().chain(book.reactions.values());
    let phases = book.phases.values().map(|one| (&*one.id, &one.title));
    done.map(|one| (&*one.id, &one.title))
        .chain(phases)
        .collect()
}

/// The one thing that is meant; of several, which they are.
fn only(found: &MeantIds, name: &str, ui: &mut Ui) -> Result<Option<String>, Failure> {
    if found.len() < 2 {
        return Ok(found.keys().next().cloned());
    }
    if !ui.is_json() {
        for (id, title) in found {
            ui.line(format!("{}  {title}", id.bold()))?;
        }
    }
    let count = found.len();
    Err(Failure::Usage(format!(
        "`{name}` may mean {count} things: give the id of one"
    )))
}
