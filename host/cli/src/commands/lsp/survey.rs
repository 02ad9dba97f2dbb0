//! What is known of the mods, as they were when they last composed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use houserule::cursor::{Places, with_bases};
use houserule::kernel::value::Name;
use houserule::with_all_clauses;
use houserule::workshop::{ComposedRules, Workshop};

use crate::commands::rules::ClauseLibrary;

/// A mod with all that it stands on, and what stands on it.
pub(super) struct Survey {
    pub workshop: Rc<Workshop>,
    pub chosen: ComposedRules,
    pub places: Places,
}

impl Survey {
    /// The same as the reference reads it.
    pub fn library(&self) -> ClauseLibrary<'_> {
        let ComposedRules { rulebook, active } = &self.chosen;
        ClauseLibrary::new(
            &self.workshop,
            ComposedRules {
                rulebook: rulebook.clone(),
                active: active.clone(),
            },
        )
    }
}

/// The mods in some folders.
pub(super) struct Surveys {
    folders: Vec<PathBuf>,
    workshop: Rc<Workshop>,
    /// Whether something was saved since they were read.
    is_stale: bool,
    by_mod: BTreeMap<Name, SurveyEntry>,
}

struct SurveyEntry {
    survey: Option<Rc<Survey>>,
    is_stale: bool,
}

impl Surveys {
    pub fn new(folders: Vec<PathBuf>) -> Surveys {
        let workshop = Rc::new(Workshop::open(&folders).0);
        Surveys {
            folders,
            workshop,
            is_stale: false,
            by_mod: BTreeMap::new(),
        }
    }

    /// Something was saved: everything is read again when it is asked for.
    pub fn saved(&mut self) {
        self.is_stale = true;
    }

    /// The mods as they are saved.
    pub fn workshop(&mut self) -> Rc<Workshop> {
        if std::mem::take(&mut self.is_stale) {
            self.workshop = Rc::new(Workshop::open(&self.folders).0);
            self.by_mod
                .values_mut()
                .for_each(|entry| entry.is_stale = true);
        }
        self.workshop.clone()
    }

    /// What is known where a mod is looked at; while it is broken, what was
    /// known before.
    pub fn of(&mut self, module: &Name) -> Option<Rc<Survey>> {
        let workshop = self.workshop();
        let entry = self
            .by_mod
            .entry(module.clone())
            .or_insert_with(|| SurveyEntry {
                survey: None,
                is_stale: true,
            });
        if std::mem::take(&mut entry.is_stale)
            && let Some(chosen) = chosen(&workshop, module)
        {
            let places = Places::new(&workshop, &chosen.rulebook);
            entry.survey = Some(Rc::new(Survey {
                workshop,
                chosen,
                places,
            }));
        }
        entry.survey.clone()
    }
}

/// A mod with all house rules over it, if they go together, else alone; where it
/// is broken, the next of those that it stands on.
fn chosen(workshop: &Workshop, module: &Name) -> Option<ComposedRules> {
    let over = |id: &&Name| with_bases(workshop, id).contains(module);
    let all: Vec<Name> = workshop.manifests().keys().filter(over).cloned().collect();
    let together = (all.len() > 1)
        .then(|| with_all_clauses(workshop, &all))
        .flatten();
    let alone = |id: &Name| with_all_clauses(workshop, std::slice::from_ref(id));
    together.or_else(|| with_bases(workshop, module).iter().find_map(alone))
}
