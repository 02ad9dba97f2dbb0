//! Composing after a save: in the warm host of another rulebook only the files
//! that were saved are run again, and those that required them; only the rules in
//! which these have a part are read and bound anew, and only the tables that are
//! otherwise are put in place.

use std::rc::Rc;

use kernel::value::Name;

use super::{Composer, Recipe};
use crate::registration::{Origin, Registrations};
use crate::rulebook::host::{RulesFiles, SavedFile, ScriptHost};
use crate::rulebook::{Rulebook, WarmHost};

/// What was saved since the rules of a warm host were composed.
pub struct Saved<'a> {
    /// Files of rules.
    pub files: Vec<SavedFile<'a>>,
    /// Whether data of a mod are otherwise; what they declare must have the same
    /// names.
    pub has_data: bool,
}

/// Composes a rulebook in the warm host of one of the same mods, of whose files
/// some were saved since. What comes out is the same as from
/// [`compose`](super::compose). `None` where more than these files would have to
/// be run again, or where something is wrong in them: then it is to be composed
/// anew.
pub fn compose_again(
    warm_host: WarmHost,
    recipe: &Recipe<'_>,
    saved: &Saved<'_>,
) -> Option<Rulebook> {
    if !warm_host.does_for(recipe) {
        return None;
    }
    let WarmHost {
        host,
        registrations: before,
        mut held,
        ..
    } = warm_host;
    host.reselect(&recipe.clauses, &recipe.options).ok()?;
    let (registrations, files) = match saved.files.as_slice() {
        [] => (before, RulesFiles::new()),
        files => run_again(&*host, &before, recipe, files)?,
    };
    if saved.has_data {
        held.rows.clear();
    }
    let mut composer = Composer::new(recipe, host, held);
    composer.run_again = Some(files);
    let registered = composer.in_force(&registrations);
    let templates = composer.read(&registrations, &registered, true).ok()?;
    composer.finish(registrations, registered, templates).ok()
}

/// Runs files again, and those that required them; what all files have registered
/// then, and which were run.
fn run_again(
    host: &dyn ScriptHost,
    before: &Registrations,
    recipe: &Recipe<'_>,
    saved: &[SavedFile<'_>],
) -> Option<(Rc<Registrations>, RulesFiles)> {
    let files = host.reopen(saved)?;
    for module in &recipe.mods {
        for (path, _) in &module.rules {
            if files.contains(&(module.id.clone(), Name::from(*path))) {
                host.run_file(&module.id, path).ok()?;
            }
        }
    }
    let is_again = |origin: &Origin| {
        let place = &origin.place;
        files.contains(&(place.module.clone(), place.file.clone()))
    };
    let registrar = host.registrar().clone();
    let anew = registrar.registrations.take();
    let all = before.run_again(&anew, &is_again)?;
    registrar.registrations.replace(all);
    let registrations = host.close(true);
    if !registrations.faults.is_empty() {
        return None;
    }
    host.freeze(&anew).ok()?;
    Some((registrations, files))
}
