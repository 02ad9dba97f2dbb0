//! Composing after a save: what else is loaded stays as it is.

use std::rc::Rc;
use std::sync::Arc;

use kernel::error::Fault;
use kernel::value::Name;

use super::{ComposedRules, Workshop};
use rules::modset::files::Sources;
use rules::modset::selector::Active;
use rules::rulebook::compose::{Recipe, Saved, compose_again};
use rules::rulebook::host::SavedFile;
use rules::rulebook::{Rulebook, WarmHost};

impl Workshop {
    /// The rulebook of what was chosen, composed in the warm host of one that
    /// another workshop has composed of the same choice: only files of rules that
    /// are otherwise here are run again, and only tables that are otherwise put in
    /// place. What comes out is the same as from [`Workshop::compose_after`], and
    /// much quicker. `None` where anything else is otherwise too, or something is
    /// wrong: then all is to be composed anew.
    pub fn compose_saved(
        &self,
        warm_host: WarmHost,
        other: &Workshop,
        chosen: &Active,
    ) -> Option<ComposedRules> {
        if !self.has_manifests_of(other) || self.amends != other.amends {
            return None;
        }
        let mut saved = Saved {
            files: Vec::new(),
            has_data: false,
        };
        for id in &chosen.order.mods {
            let (sources, known) = (
                self.library.sources.get(id)?,
                other.library.sources.get(id)?,
            );
            saved.files.extend(saved_rules(id, sources, known)?);
            if !Arc::ptr_eq(self.data.get(id)?, other.data.get(id)?) {
                let (now, before) = (self.data(id)?, other.data(id)?);
                if !now.named().eq(before.named()) {
                    return None;
                }
                saved.has_data = true;
            }
        }
        let again = |recipe: &Recipe<'_>| -> Result<Rulebook, Vec<Fault>> {
            compose_again(warm_host, recipe, &saved).ok_or_else(Vec::new)
        };
        let rulebook = self.with_recipe(chosen, again).ok()?;
        Some(ComposedRules {
            rulebook: Rc::new(rulebook),
            active: chosen.clone(),
        })
    }
}

/// The files of rules of a mod that say something else than another reading of
/// it; `None` where there are others, or one is no script.
fn saved_rules<'a>(
    module: &'a Name,
    sources: &'a Sources,
    known: &'a Sources,
) -> Option<Vec<SavedFile<'a>>> {
    let mut saved = Vec::new();
    let (mut now, mut before) = (sources.under("rules"), known.under("rules"));
    loop {
        let ((path, text), (old_path, old_text)) = match (now.next(), before.next()) {
            (None, None) => return Some(saved),
            (now, before) => (now?, before?),
        };
        if path != old_path {
            return None;
        }
        if text != old_text {
            let file = SavedFile { module, path, text };
            saved.push(Some(file).filter(|_| path.ends_with(".luau"))?);
        }
    }
}
