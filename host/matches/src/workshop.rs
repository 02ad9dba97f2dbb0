//! The workshop: all mods at hand, and what can be made of them: rulebooks,
//! scenarios, matches.

#[cfg(test)]
mod answers_tests;
mod at_home;
#[cfg(test)]
mod hidden_state;
#[cfg(test)]
mod registered;
mod saved;
mod standing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unwritten;
pub use self::standing::asked_for;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, owner_of};
use kernel::world::closest;

use crate::play::Match;
use crate::scenario::{Scenario, unknown_in};
use rules::data::Data;
use rules::limits::PATIENCE;
use rules::modset::Library;
use rules::modset::files::Sources;
use rules::modset::manifest::{Effect, Manifest};
use rules::modset::manifests::Manifests;
use rules::modset::selector::{Active, Amendment, Request, Selector};
use rules::printable;
use rules::rulebook::compose::{
    ComposeError, Ingredient, Recipe, compose, compose_awaiting, compose_in,
};
use rules::rulebook::host::Languages;
use rules::rulebook::{Rulebook, WarmHost};

/// All mods that were found.
pub struct Workshop {
    library: Library,
    /// What rules can be written in.
    languages: &'static dyn Languages,
    /// What their files of data say; read when a mod first takes part, so that
    /// a start costs by what is played, not by what lies in the folders.
    data: BTreeMap<Name, Arc<OnceLock<DataOfMod>>>,
    /// Cells of tables that are changed in whatever is composed.
    amends: Vec<Amendment>,
    /// How long requests may take by the clock.
    patience: Duration,
}

/// What the files of data of a mod say, or everything that is wrong in them.
type DataOfMod = Result<Data, Vec<Fault>>;

/// So many names are offered for one that is not there.
const MOST_NEAR: usize = 3;

/// A scenario and the mod that it belongs to; none for a file of its own.
#[derive(Clone, Debug)]
pub struct Found {
    /// The mod.
    pub module: Option<Name>,
    /// The scenario.
    pub scenario: Scenario,
    /// Its text, for the record.
    pub source: Arc<str>,
}

/// A rulebook and the selection that it was composed from.
pub struct ComposedRules {
    /// The rulebook.
    pub rulebook: Rc<Rulebook>,
    /// Mods, clauses, options, and the selector line.
    pub active: Active,
}

/// What a player says beside the scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// House rules to add.
    pub with: Vec<String>,
    /// What to leave out.
    pub without: Vec<String>,
    /// Options to set.
    pub options: Vec<(Name, String)>,
    /// Cells of tables to change.
    pub amends: Vec<Amendment>,
    /// Clauses to switch off although they are core: for tests.
    pub force_without: Vec<Name>,
    /// Another seed than the scenario's.
    pub seed: Option<u64>,
    /// Another number of turns.
    pub turns: Option<u32>,
}

impl Workshop {
    /// Reads every mod in these folders.
    pub fn open(dirs: &[PathBuf]) -> (Workshop, Vec<Fault>) {
        let _span = tracing::info_span!(target: "houserule::workshop", "load").entered();
        let (library, faults) = Library::read(dirs);
        (Workshop::of(library), faults)
    }

    /// The same for who only plays: of mods that take no part nothing is read but
    /// which they are, and nothing that mods are tested by. What is wrong with a
    /// manifest is [told](Manifests::faults) when somebody asks.
    pub fn open_to_play(dirs: &[PathBuf]) -> (Workshop, Vec<Fault>) {
        let _span = tracing::info_span!(target: "houserule::workshop", "load").entered();
        let (library, faults) = Library::read_to_play(dirs);
        (Workshop::of(library), faults)
    }

    /// A workshop with mods that are in memory.
    pub fn from_sources(sources: BTreeMap<Name, Sources>) -> (Workshop, Vec<Fault>) {
        let (library, faults) = Library::of(sources);
        (Workshop::of(library), faults)
    }

    fn of(library: Library) -> Workshop {
        let data = library
            .sources
            .keys()
            .map(|id| (id.clone(), Arc::default()))
            .collect();
        Workshop {
            library,
            languages: languages::ALL,
            data,
            amends: Vec::new(),
            patience: PATIENCE,
        }
    }

    /// The same with cells of tables changed wherever their mod is in play: for
    /// tests, which choose for themselves what they are played by.
    ///
    /// # Errors
    /// When there is no such mod.
    pub fn amended(&self, amends: Vec<Amendment>) -> Result<Workshop, Fault> {
        for amendment in &amends {
            self.manifest(owner_of(&amendment.table))
                .map_err(|fault| fault.at(amendment.place()))?;
        }
        Ok(Workshop {
            library: self.library.clone(),
            data: self.data.clone(),
            amends,
            ..*self
        })
    }

    /// The same with other script hosts for rules to run in.
    pub fn with_languages(self, languages: &'static dyn Languages) -> Workshop {
        Workshop { languages, ..self }
    }

    /// The same with rules that may take so long by the clock for a request,
    /// instead of [`PATIENCE`].
    pub fn with_patience(self, patience: Duration) -> Workshop {
        Workshop { patience, ..self }
    }

    /// Reads some of its mods again, from where they were found: what has not
    /// changed is not parsed again. `None` if everything must be read.
    pub fn read_again(&self, ids: &[Name]) -> Option<Workshop> {
        self.with_library(self.library.read_again(ids)?, ids)
    }

    /// All mods as they are in these folders now. Some are in play, and come from where
    /// they were found: while one of those is gone, no other takes its place.
    pub fn read_in_place(&self, in_play: &[Name], dirs: &[PathBuf]) -> (Workshop, Vec<Fault>) {
        let folder = |id: &Name| {
            let folder = self.library.sources.get(id)?.folder.clone()?;
            Some((id.clone(), folder))
        };
        let in_play = in_play.iter().filter_map(folder).collect();
        let (library, faults) = Library::read_in_place(dirs, &in_play);
        (Workshop::of(library), faults)
    }

    /// The same with one file of some of its mods as it is now, by its path; with
    /// the mod and the path there. `None` where that is no file of theirs, or more
    /// may have changed with it.
    pub fn with_file_now(&self, ids: &[Name], path: &Path) -> Option<(Workshop, Name, String)> {
        let (library, id, inner) = self.library.with_file_now(ids, path)?;
        let workshop = self.with_library(library, std::slice::from_ref(&id))?;
        Some((workshop, id, inner))
    }

    /// The same with files of some mods that may be other than they were.
    fn with_library(&self, library: Library, ids: &[Name]) -> Option<Workshop> {
        let mut data = self.data.clone();
        for id in ids {
            let (old, new) = (self.library.sources.get(id)?, library.sources.get(id)?);
            if !old.under("data").eq(new.under("data")) {
                data.insert(id.clone(), Arc::default());
            }
        }
        Some(Workshop {
            library,
            data,
            amends: self.amends.clone(),
            ..*self
        })
    }

    /// Whether the manifests of all mods are those of another workshop, so that the
    /// same request chooses the same.
    pub fn has_manifests_of(&self, other: &Workshop) -> bool {
        let text = |(id, sources): (&Name, &Sources)| (id.clone(), sources.get("mod.ron").cloned());
        let texts = |workshop: &Workshop| {
            workshop
                .library
                .sources
                .iter()
                .map(text)
                .collect::<Vec<_>>()
        };
        Arc::ptr_eq(&self.library.manifests, &other.library.manifests)
            || texts(self) == texts(other)
    }

    /// The same as [`Workshop::compose`] of a request for which another
    /// workshop has chosen already: what it chose is right here too, if no
    /// manifest has changed.
    ///
    /// # Errors
    /// As [`Workshop::compose`].
    pub fn compose_after(
        &self,
        request: &Request,
        other: &Workshop,
        chosen: &Active,
    ) -> Result<ComposedRules, Vec<Fault>> {
        match self.has_manifests_of(other) {
            true => self.compose_active(chosen.clone()),
            false => self.compose(request),
        }
    }

    /// The same where mods come in an order, as if the manifest of each said that
    /// it comes after the one before it.
    pub fn with_order(&self, order: &[Name]) -> Workshop {
        let mut library = self.library.clone();
        let manifests = Arc::make_mut(&mut library.manifests);
        for pair in order.windows(2) {
            if let Some(manifest) = manifests.get_mut(&pair[1]) {
                manifest.after.push(pair[0].clone());
            }
        }
        Workshop {
            library,
            data: self.data.clone(),
            amends: self.amends.clone(),
            ..*self
        }
    }

    /// The manifests, by mod.
    pub fn manifests(&self) -> &Manifests {
        &self.library.manifests
    }

    /// The files, by mod.
    pub fn sources(&self) -> &BTreeMap<Name, Sources> {
        &self.library.sources
    }

    /// The mod of that id.
    ///
    /// # Errors
    /// When there is none, or it has no readable manifest.
    pub fn manifest(&self, id: &str) -> Result<&Manifest, Fault> {
        self.library.manifests.get(id).ok_or_else(|| {
            let fault = Fault::new(FaultCode::UnknownMod, format!("there is no mod `{id}`"));
            fault.hint(self.library.manifests.why_absent(id))
        })
    }

    /// What a mod says in data, if that can be read.
    pub fn data(&self, id: &str) -> Option<&Data> {
        let data = self.data.get(id)?.get_or_init(|| {
            let sources = self.library.sources.get(id);
            sources.map_or_else(|| Ok(Data::default()), data_of)
        });
        data.as_ref().ok()
    }

    /// Composes the rulebook of a request.
    ///
    /// # Errors
    /// Everything that is wrong in the mods it takes, or between them.
    pub fn compose(&self, request: &Request) -> Result<ComposedRules, Vec<Fault>> {
        self.compose_active(request.resolve(&self.library.manifests)?)
    }

    /// The same without the selector line, which takes most of the time of
    /// choosing: for those who compose hundreds of times.
    ///
    /// # Errors
    /// As [`Workshop::compose`].
    pub fn compose_alone(&self, request: &Request) -> Result<Rulebook, Vec<Fault>> {
        self.compose_chosen(&request.resolve_unnamed(&self.library.manifests)?)
    }

    /// The same where rules are left out that may declare phases and types of
    /// these ids.
    ///
    /// # Errors
    /// As [`Workshop::compose`].
    pub(crate) fn compose_awaiting(
        &self,
        request: &Request,
        awaited: BTreeSet<Name>,
    ) -> Result<Rulebook, Vec<Fault>> {
        let active = request.resolve_unnamed(&self.library.manifests)?;
        self.with_recipe(&active, |recipe| compose_awaiting(recipe, awaited))
    }

    /// The same of what a request came to.
    ///
    /// # Errors
    /// As [`Workshop::compose`].
    pub fn compose_chosen(&self, active: &Active) -> Result<Rulebook, Vec<Fault>> {
        self.with_recipe(active, compose)
    }

    /// The same in the warm host of another rulebook of this workshop, if that is
    /// of the same mods: it is much quicker.
    ///
    /// # Errors
    /// As [`Workshop::compose`]; the warm host, if it can be used again.
    pub fn compose_in(&self, host: WarmHost, request: &Request) -> Result<Rulebook, ComposeError> {
        match request.resolve_unnamed(&self.library.manifests) {
            Ok(active) => self.compose_chosen_in(host, &active),
            Err(faults) => Err(ComposeError {
                faults,
                warm_host: Some(Box::new(host)),
            }),
        }
    }

    /// The same of what a request came to.
    ///
    /// # Errors
    /// As [`Workshop::compose_in`].
    pub fn compose_chosen_in(
        &self,
        host: WarmHost,
        active: &Active,
    ) -> Result<Rulebook, ComposeError> {
        self.with_recipe(active, |recipe| compose_in(host, recipe))
    }

    fn compose_active(&self, active: Active) -> Result<ComposedRules, Vec<Fault>> {
        let _span = tracing::info_span!(target: "houserule::workshop", "compose", line = %printable::line(&active.line)).entered();
        tracing::debug!(target: "houserule::workshop", mods = active.order.mods.len(), "composing a rulebook");
        let rulebook = self.with_recipe(&active, compose)?;
        tracing::debug!(target: "houserule::workshop", rules = rulebook.rules().len(), tables = rulebook.tables().len(), "composed");
        Ok(ComposedRules {
            rulebook: Rc::new(rulebook),
            active,
        })
    }

    /// Composes by what a request came to.
    fn with_recipe<E: From<Vec<Fault>>>(
        &self,
        active: &Active,
        compose: impl FnOnce(&Recipe<'_>) -> Result<Rulebook, E>,
    ) -> Result<Rulebook, E> {
        let mut faults = Vec::new();
        let mut mods = Vec::new();
        let mut clauses = BTreeMap::new();
        let mut printed = BTreeMap::new();
        let mut confirming = BTreeSet::new();
        for id in &active.order.mods {
            let (Some(sources), Some(manifest)) =
                (self.library.sources.get(id), self.library.manifests.get(id))
            else {
                continue;
            };
            for (_, clause) in manifest.clauses() {
                clauses.insert(clause.id.clone(), active.clauses.contains(&clause.id));
                printed.insert(clause.id.clone(), clause.source.clone());
                if clause.effect == Effect::Confirms {
                    confirming.insert(clause.id.clone());
                }
            }
            faults.extend(sources.missing().cloned());
            faults.extend(sources.unbuilt());
            match self
                .data
                .get(id)
                .map(|data| data.get_or_init(|| data_of(sources)))
            {
                Some(Ok(data)) => mods.push(Ingredient {
                    id: id.clone(),
                    data,
                    rules: sources.under("rules").collect(),
                    exports: &manifest.exports,
                    depends: &manifest.depends,
                }),
                Some(Err(found)) => faults.extend(found.iter().cloned()),
                None => {}
            }
        }
        if !faults.is_empty() {
            return Err(faults.into());
        }
        let stated = |earlier: &str, later: &str| active.order.is_stated(earlier, later);
        let options = active.options.clone();
        let languages = self.languages;
        let amends = &self.amends_for(active);
        let recipe = Recipe {
            mods,
            clauses,
            confirming,
            printed,
            options,
            amends,
            stated: &stated,
            languages,
        };
        let rulebook = compose(&recipe)?;
        rulebook.running().watch(Some(self.patience));
        Ok(rulebook)
    }

    /// The cells that a request changes, and those that are changed everywhere
    /// as far as their mods take part.
    fn amends_for(&self, active: &Active) -> Vec<Amendment> {
        let is_in_play = |one: &&Amendment| {
            active
                .order
                .mods
                .iter()
                .any(|id| **id == *owner_of(&one.table))
        };
        let everywhere = self.amends.iter().filter(is_in_play);
        active.amends.iter().chain(everywhere).cloned().collect()
    }

    /// Whether there is no mod in it.
    pub fn is_empty(&self) -> bool {
        self.library.sources.is_empty()
    }

    /// Every scenario of every mod: mod, path, id.
    pub fn scenarios(&self) -> Vec<(Name, String)> {
        let mut found = Vec::new();
        for (id, sources) in &self.library.sources {
            for (path, _) in sources.under("scenarios") {
                found.push((id.clone(), path.to_string()));
            }
        }
        found
    }

    /// The scenario of an id (over all mods, or `mod/id`), or in a file.
    ///
    /// # Errors
    /// When there is none, when several mods have one, or when it is wrong.
    pub fn scenario(&self, wanted: &str) -> Result<Found, Vec<Fault>> {
        if wanted.ends_with(".ron") {
            return scenario_file(Path::new(wanted));
        }
        let (module, id) = match wanted.split_once('/') {
            Some((module, id)) => (Some(module), id),
            None => (None, wanted),
        };
        let path = format!("scenarios/{id}.ron");
        // Those of a mod are read only where it is there.
        let fits = |(owner, sources): &(&Name, &Sources)| {
            module.is_none_or(|module| module == &***owner)
                && sources.has(&path)
                && sources.get(&path).is_some()
        };
        let all = self.library.sources.iter();
        let found: Vec<&Name> = all.filter(fits).map(|(owner, _)| owner).collect();
        match found.as_slice() {
            [owner] => self.scenario_of(owner, &path),
            [] => Err(self
                .unread_scenario(module, id)
                .unwrap_or_else(|| vec![self.unknown_scenario(wanted, &self.scenarios())])),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|owner| format!("`{owner}/{id}`"))
                    .collect();
                let message = format!("several mods have a scenario `{id}`: {}", names.join(", "));
                Err(vec![
                    Fault::new(FaultCode::BadScenario, message)
                        .hint(format!("say which: {}", names[0])),
                ])
            }
        }
    }

    /// What is wrong with scenarios of a mod that cannot be read at all.
    pub fn unread_scenarios(&self, module: &Name) -> impl Iterator<Item = &Fault> {
        let unread = self.library.sources.get(module).into_iter();
        unread.flat_map(Sources::unread).filter(|fault| {
            let place = fault.place.as_ref();
            place.is_some_and(|place| place.file.starts_with("scenarios/"))
        })
    }

    /// Why a scenario is left out, if its file is there and cannot be read.
    fn unread_scenario(&self, module: Option<&str>, id: &str) -> Option<Vec<Fault>> {
        let of_module =
            |(owner, _): &(&Name, &Sources)| module.is_none_or(|module| module == &***owner);
        let unread = self
            .library
            .sources
            .iter()
            .filter(of_module)
            .flat_map(|(_, sources)| sources.unread());
        let is_it = |fault: &&Fault| {
            let file = fault
                .place
                .as_ref()
                .and_then(|place| place.file.strip_prefix("scenarios/"));
            file.is_some_and(|file| stem(file) == id)
        };
        let found: Vec<Fault> = unread.filter(is_it).cloned().collect();
        (!found.is_empty()).then_some(found)
    }

    fn unknown_scenario(&self, wanted: &str, all: &[(Name, String)]) -> Fault {
        let fault = Fault::new(
            FaultCode::BadScenario,
            format!("no mod has a scenario `{wanted}`"),
        );
        let id = wanted.rsplit('/').next().unwrap_or(wanted);
        let mut near: Vec<&str> = closest(id, all.iter().map(|(_, path)| stem(path)))
            .into_iter()
            .collect();
        for (_, path) in all {
            let known = stem(path);
            let is_part = id.len() > 2 && (known.contains(id) || id.contains(known));
            if is_part && near.len() < MOST_NEAR && !near.contains(&known) {
                near.push(known);
            }
        }
        let near: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
        if Path::new(wanted).is_file() {
            return fault.hint(
                "it is a file that does not end in `.ron`: a journal is for `replay`, `compare`, `odds`, `why` and \
                 `record`, whose `--golden` makes a scenario of it",
            );
        }
        match near.is_empty() {
            true => fault
                .hint("`houserule scenarios` lists them; the path of a `.ron` file does as well"),
            false => fault.hint(format!(
                "did you mean {}? `houserule scenarios` lists all",
                near.join(" or ")
            )),
        }
    }

    fn scenario_of(&self, module: &Name, path: &str) -> Result<Found, Vec<Fault>> {
        let source = self
            .library
            .sources
            .get(module)
            .and_then(|sources| sources.get(path));
        let Some(source) = source else {
            return Err(vec![self.unknown_scenario(path, &self.scenarios())]);
        };
        let scenario = Scenario::read(module, path, source)?;
        if *scenario.id != *stem(path) {
            let message = format!(
                "expected the id `{}`, as the file is called, found `{}`",
                stem(path),
                scenario.id
            );
            return Err(vec![
                Fault::new(FaultCode::BadScenario, message).at(scenario.place),
            ]);
        }
        Ok(Found {
            module: Some(module.clone()),
            scenario,
            source: source.clone(),
        })
    }

    /// Reads every scenario of a mod.
    pub fn scenarios_of(&self, module: &Name) -> Vec<(String, Result<Found, Vec<Fault>>)> {
        let list = self
            .scenarios()
            .into_iter()
            .filter(|(owner, _)| owner == module);
        list.map(|(owner, path)| (stem(&path).to_string(), self.scenario_of(&owner, &path)))
            .collect()
    }

    /// The request that a scenario and a player's overrides make together.
    ///
    /// # Errors
    /// Selectors that do not parse.
    pub fn request(
        &self,
        scenario: &Scenario,
        overrides: &Overrides,
    ) -> Result<Request, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut parse = |texts: &mut dyn Iterator<Item = &String>| {
            let mut list = Vec::new();
            for text in texts {
                match Selector::parse(text) {
                    Ok(selector) => list.push(selector),
                    Err(fault) => faults.push(fault),
                }
            }
            list
        };
        let wanted = parse(&mut overrides.with.iter());
        let left_out = parse(&mut scenario.without.iter());
        let mut without: Vec<Selector> = left_out
            .into_iter()
            .filter_map(|selector| selector.but_for(&wanted))
            .collect();
        without.extend(parse(&mut overrides.without.iter()));
        let mut with = parse(&mut scenario.with.iter());
        with.extend(wanted);
        let mut options: Vec<(Name, String)> = Vec::new();
        for (id, datum) in &scenario.options {
            options.push((id.clone(), option_text(&datum.value)));
        }
        options.retain(|(id, _)| {
            overrides
                .options
                .iter()
                .all(|(overridden, _)| overridden != id)
        });
        options.extend(overrides.options.iter().cloned());
        let mut amends = Vec::new();
        for text in &scenario.amends {
            match Amendment::parse(text) {
                Ok(amendment) => amends.push(amendment),
                Err(fault) => faults.push(fault),
            }
        }
        amends.retain(|one| {
            overrides
                .amends
                .iter()
                .all(|amendment| !amendment.is_of_cell(one))
        });
        amends.extend(overrides.amends.iter().cloned());
        if !faults.is_empty() {
            return Err(faults);
        }
        let force_without = overrides.force_without.clone();
        Ok(Request {
            with,
            without,
            options,
            amends,
            force_without,
        })
    }

    /// What is wrong with a scenario before anybody plays it: whether it is set up
    /// and begins, and what its script names.
    pub fn trouble_of(&self, found: &Found) -> Vec<Fault> {
        match self.start(found, &Overrides::default()) {
            Ok((started, _)) => unknown_in(&found.scenario, started.game()),
            Err(faults) => faults,
        }
    }

    /// Starts a match of a scenario.
    ///
    /// # Errors
    /// As [`Workshop::prepare`], or a fault of the rules that run at once.
    pub fn start(
        &self,
        found: &Found,
        overrides: &Overrides,
    ) -> Result<(Match, Active), Vec<Fault>> {
        let (chosen, setup) = self.prepare(found, overrides)?;
        let started = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
        Ok((started, chosen.active))
    }
}

fn data_of(sources: &Sources) -> DataOfMod {
    let files = sources.under("data").map(|(path, text)| (path, &**text));
    Data::read(&sources.id, files).map_err(|faults| {
        faults
            .into_iter()
            .map(|fault| of_unread(fault, sources))
            .collect()
    })
}

/// Rows that are missing because their file could not be read: why it could not.
fn of_unread(fault: Fault, sources: &Sources) -> Fault {
    let is_asked = |unread: &&Fault| {
        let file = unread.place.as_ref().map_or("", |place| &*place.file);
        file.ends_with(".csv")
            && fault
                .message
                .starts_with(&format!("expected a file `{file}` with rows"))
    };
    sources.unread().find(is_asked).cloned().unwrap_or(fault)
}

fn option_text(value: &ron::Value) -> String {
    match value {
        ron::Value::String(text) => text.clone(),
        ron::Value::Bool(yes) => yes.to_string(),
        other => rules::data::reader::integer_of(other).map_or_else(String::new, |n| n.to_string()),
    }
}

fn stem(path: &str) -> &str {
    path.rsplit('/')
        .next()
        .unwrap_or(path)
        .trim_end_matches(".ron")
}

fn scenario_file(path: &Path) -> Result<Found, Vec<Fault>> {
    let name = path.display().to_string();
    let text = rules::modset::files::read_text(path).map_err(|reason| {
        let fault = Fault::new(
            FaultCode::Unreadable,
            format!("cannot read the scenario: {reason}"),
        );
        vec![fault.at(Place::new("", &*name, 0))]
    })?;
    let scenario = Scenario::read("", &name, &text)?;
    Ok(Found {
        module: None,
        scenario,
        source: Arc::from(text),
    })
}
