//! Composition: from what all mods registered to one rulebook.
//!
//! Order is dependency order, then stated `before` and `after`, then id.
//! Whatever two mods claim without a stated order is a fault that names both.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::book::{Action, Book, EventKind, Param, Phase, PhaseBody, Window};
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Type, Value, owner_of};
use kernel::world::{Schema, closest};
use rustc_hash::FxHashSet;

use crate::data::amended::MixChanges;
use crate::data::template;
use crate::data::{Data, EventItem, check_text, is_in_force, moment};
use crate::hosting::registry::{Layer, LayerKind, Returns, Signature};
use crate::modset::manifest::Dependency;
use crate::modset::selector::Amendment;
use crate::registration::{
    Origin, Placement, RawAction, RawBody, RawEvent, RawLayer, RawPhase, RawSignature, RawWindow,
    Registrations, unknown_clause,
};
use crate::rulebook::citations::Citations;
use crate::rulebook::compose::held::Concerned;
use crate::rulebook::compose::names::TypeNames;
use crate::rulebook::host::{Languages, MOST_ARGUMENTS, RulesFiles, ScriptHost};
use crate::rulebook::{
    Held, LayerEntry, RuleEntries, RuleEntry, Rulebook, Tables, Templates, WarmHost,
};
use crate::types::{Records, parse_effects, parse_fields, parse_type};
pub use again::{Saved, compose_again};

mod again;
mod held;
mod kinds;
mod lines;
mod members;
mod mixes;
mod names;
mod off;
mod sequence;
mod tables;

/// One mod, ready to be composed.
pub struct Ingredient<'a> {
    /// Its id.
    pub id: Name,
    /// Its data.
    pub data: &'a Data,
    /// Its rules files: path and text, in order.
    pub rules: Vec<(&'a str, &'a Arc<str>)>,
    /// The rules files that other mods may require.
    pub exports: &'a [Name],
    /// The mods that it stands on.
    pub depends: &'a [Dependency],
}

/// What is composed: mods in their order, clauses, options.
pub struct Recipe<'a> {
    /// The mods, each after those that it depends on.
    pub mods: Vec<Ingredient<'a>>,
    /// Every clause of these mods, and whether it is on.
    pub clauses: BTreeMap<Name, bool>,
    /// Those of them that only confirm what holds anyway: what cites them is
    /// made even when they are off.
    pub confirming: BTreeSet<Name>,
    /// The printed source of each clause.
    pub printed: BTreeMap<Name, Name>,
    /// Every option of these mods, with its value.
    pub options: BTreeMap<Name, Value>,
    /// Cells of tables that a player changes.
    pub amends: &'a [Amendment],
    /// Whether a mod comes before another by a stated order.
    pub stated: &'a dyn Fn(&str, &str) -> bool,
    /// What rules can be written in.
    pub languages: &'a dyn Languages,
}

/// Composes a rulebook.
///
/// # Errors
/// Everything that is wrong in the mods, or between them.
pub fn compose(recipe: &Recipe<'_>) -> Result<Rulebook, Vec<Fault>> {
    compose_awaiting(recipe, BTreeSet::new())
}

/// The same where rules are left out that may declare phases and types of these
/// ids: that these are not there is no fault.
///
/// # Errors
/// As [`compose`].
pub fn compose_awaiting(
    recipe: &Recipe<'_>,
    awaited: BTreeSet<Name>,
) -> Result<Rulebook, Vec<Fault>> {
    let host = recipe.languages.scripts(
        recipe.clauses.clone(),
        recipe.confirming.clone(),
        &recipe.options,
    );
    let mut composer = Composer::new(recipe, host.map_err(|fault| vec![fault])?, Held::default());
    composer.awaited = awaited;
    composer.run_files();
    // Half a file registers half of what others count on.
    let has_whole_files = composer.faults.is_empty();
    let registrations = composer.host.close(has_whole_files);
    if let Err(faults) = composer.host.freeze(&registrations) {
        composer.faults.extend(faults);
    }
    let registered = composer.in_force(&registrations);
    let templates = composer.read(&registrations, &registered, has_whole_files)?;
    composer.finish(registrations, registered, templates)
}

/// Composes a rulebook in the warm host of another one. If that is of the same
/// mods, it has loaded all files and holds most rules as they shall be: the
/// other clauses and options are selected in it. What comes out is the same
/// as from [`compose`]. If it is nothing, the warm host can be used again.
///
/// # Errors
/// As [`compose`].
pub fn compose_in(warm_host: WarmHost, recipe: &Recipe<'_>) -> Result<Rulebook, ComposeError> {
    if !warm_host.does_for(recipe) {
        drop(warm_host);
        return Ok(compose(recipe)?);
    }
    let WarmHost {
        host,
        registrations,
        held,
        ..
    } = warm_host;
    host.reselect(&recipe.clauses, &recipe.options)
        .map_err(|fault| vec![fault])?;
    let mut composer = Composer::new(recipe, host, held);
    let registered = composer.in_force(&registrations);
    match composer.read(&registrations, &registered, true) {
        Ok(templates) => Ok(composer.finish(registrations, registered, templates)?),
        Err(faults) => {
            let warm_host = WarmHost::new(recipe, composer.host, registrations, composer.held);
            Err(ComposeError {
                faults,
                warm_host: Some(Box::new(warm_host)),
            })
        }
    }
}

/// What is wrong with what was to be composed, and the warm host in which it
/// was to be, if that can be used again.
pub struct ComposeError {
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
    /// The warm host.
    pub warm_host: Option<Box<WarmHost>>,
}

impl From<Vec<Fault>> for ComposeError {
    fn from(faults: Vec<Fault>) -> ComposeError {
        ComposeError {
            faults,
            warm_host: None,
        }
    }
}

struct Composer<'a> {
    recipe: &'a Recipe<'a>,
    active: BTreeSet<Name>,
    host: Box<dyn ScriptHost>,
    faults: Vec<Fault>,
    records: Records,
    /// Whether these are the types of the selection before.
    has_held_records: bool,
    schema: Arc<Schema>,
    /// Which data of all mods are in force, without tables.
    data_in_force: Vec<bool>,
    book: Book,
    tables: Tables,
    /// Which rows of its own each table has, if nobody else has a part in it.
    table_rows: BTreeMap<Name, Vec<bool>>,
    rules: RuleEntries,
    names: TypeNames,
    /// Rules that are not there, which is told where that shows best.
    reported: BTreeSet<Name>,
    /// Who changed pots and decks.
    mix_changes: BTreeMap<Name, MixChanges>,
    /// All phases that mods register, whether their clauses are on or off.
    registered_phases: BTreeSet<Name>,
    /// What is not there because clauses of it are off, and which.
    off: BTreeMap<Name, Vec<Name>>,
    /// Phases and types that rules may declare which are left out.
    awaited: BTreeSet<Name>,
    /// What actions and phases give away, by the rule that carries them out.
    revealing: BTreeMap<Name, Name>,
    /// What the host holds of the selection before.
    held: Held,
    /// The files that were run again in it since, by mod and path; nothing where it
    /// is not composed after a save.
    run_again: Option<RulesFiles>,
}

impl<'a> Composer<'a> {
    fn new(recipe: &'a Recipe<'a>, host: Box<dyn ScriptHost>, held: Held) -> Composer<'a> {
        let active = recipe
            .clauses
            .iter()
            .filter(|(_, on)| **on)
            .map(|(id, _)| id);
        let active = active.chain(&recipe.confirming).cloned().collect();
        Composer {
            recipe,
            active,
            host,
            faults: Vec::new(),
            reported: BTreeSet::new(),
            records: Records::new(),
            has_held_records: false,
            schema: Arc::default(),
            data_in_force: Vec::new(),
            book: Book::default(),
            tables: Tables::new(),
            table_rows: BTreeMap::new(),
            rules: BTreeMap::new(),
            names: TypeNames::default(),
            mix_changes: BTreeMap::new(),
            registered_phases: BTreeSet::new(),
            off: BTreeMap::new(),
            awaited: BTreeSet::new(),
            revealing: BTreeMap::new(),
            held,
            run_again: None,
        }
    }

    /// What was registered, as far as its clauses are on.
    fn in_force(&mut self, registrations: &Registrations) -> Registrations {
        self.registered_phases = registrations
            .phases
            .iter()
            .map(|raw| raw.id.clone())
            .collect();
        // Asked thousands of times, of a few hundred.
        let active: FxHashSet<&Name> = self.active.iter().collect();
        let holds = |clause: &Name| active.contains(clause);
        let registered = registrations.in_force(&holds);
        self.off = off::left_out(registrations, &holds);
        self.host.running().off.replace(self.off.clone());
        self.revealing = revealing(&registered);
        registered
    }

    /// Reads everything that is in force, of all that was registered; the host
    /// stays as it is.
    fn read(
        &mut self,
        all: &Registrations,
        registered: &Registrations,
        has_whole_files: bool,
    ) -> Result<Rc<Templates>, Vec<Fault>> {
        self.faults.extend(registered.faults.iter().cloned());
        self.reported.clone_from(&registered.reported);
        self.check_data_cites();
        if !self.records(registered) || !has_whole_files {
            self.stop_if_broken()?;
        }
        self.kinds();
        self.pots_and_events(registered);
        self.counted(registered);
        self.tables(&registered.edits);
        // What was read of signatures was read by the types of before.
        if self.run_again.is_some() && !self.is_read_by_held_types() {
            return Err(Vec::new());
        }
        let concerned = self.take_held_rules(all);
        self.signatures(&registered.signatures, &concerned);
        self.layers(&registered.layers, &concerned);
        self.lines(registered, &concerned);
        self.windows(registered);
        self.phases(registered);
        self.lifetimes();
        self.actions(&registered.actions);
        self.check_listeners(registered);
        self.stop_if_broken()?;
        self.templates()
    }

    fn templates(&self) -> Result<Rc<Templates>, Vec<Fault>> {
        if self.has_held_data() {
            return Ok(self.held.templates.clone());
        }
        let mods: Vec<&Data> = self.recipe.mods.iter().map(|module| module.data).collect();
        let amends = mods.iter().flat_map(|data| &data.template_amends);
        let amends: Vec<_> = amends
            .filter(|item| self.is_on(&item.header.cites))
            .collect();
        template::resolve(&mods, &amends, self.recipe.stated, &self.schema).map(Rc::new)
    }

    fn stop_if_broken(&mut self) -> Result<(), Vec<Fault>> {
        if self.faults.is_empty() {
            return Ok(());
        }
        let mut faults = std::mem::take(&mut self.faults);
        faults.sort_by(|a, b| (&a.place, a.code, &a.message).cmp(&(&b.place, b.code, &b.message)));
        faults.dedup();
        Err(faults)
    }

    fn fault(&mut self, place: &Place, code: FaultCode, message: impl Into<String>) {
        self.faults
            .push(Fault::new(code, message).at(place.clone()));
    }

    fn keep<T>(&mut self, place: &Place, result: Result<T, Fault>) -> Option<T> {
        result
            .map_err(|fault| self.faults.push(fault.at(place.clone())))
            .ok()
    }

    fn is_on(&self, cites: &[Name]) -> bool {
        is_in_force(cites, &self.active)
    }

    // ---- files and data ----------------------------------------------------

    fn run_files(&mut self) {
        for module in &self.recipe.mods {
            let depends: Vec<&Name> = module.depends.iter().map(|other| &other.id).collect();
            let data: Vec<(&'static str, &Name)> = module.data.named().collect();
            self.host.introduce(&module.id, &depends, &data);
        }
        let texts = self.recipe.mods.iter().flat_map(|module| &module.rules);
        let scripts = texts
            .filter(|(path, _)| path.ends_with(".luau"))
            .map(|(_, text)| *text);
        self.host.look_ahead(&scripts.collect::<Vec<_>>());
        for module in &self.recipe.mods {
            for (path, text) in module
                .rules
                .iter()
                .filter(|(path, _)| path.ends_with(".luau"))
            {
                let stem = path.trim_end_matches(".luau");
                let is_exported = module
                    .exports
                    .iter()
                    .any(|export| export.trim_end_matches(".luau") == stem);
                self.host.add_file(&module.id, path, text, is_exported);
            }
        }
        for module in &self.recipe.mods {
            for (path, text) in &module.rules {
                let outcome = match path.ends_with(".wasm") {
                    true => self.run_component(&module.id, path, text),
                    false => self.host.run_file(&module.id, path),
                };
                if let Err(fault) = outcome {
                    self.faults.push(fault);
                }
            }
        }
    }

    fn run_component(&self, module: &Name, path: &str, text: &str) -> Result<(), Fault> {
        let bytes = crate::modset::files::bytes_of(text)
            .map_err(|fault| fault.at(Place::new(&**module, path, 0)))?;
        self.recipe
            .languages
            .run_component(&*self.host, module, path, &bytes)
    }

    fn check_data_cites(&mut self) {
        for module in &self.recipe.mods {
            for (clause, place) in module.data.cites() {
                if !self.recipe.clauses.contains_key(clause) {
                    let fault = unknown_clause(clause, self.recipe.clauses.keys());
                    self.faults.push(fault.at(place.clone()));
                }
            }
        }
    }

    fn pots_and_events(&mut self, registered: &Registrations) {
        let mods: Vec<&Data> = self.recipe.mods.iter().map(|module| module.data).collect();
        for item in mods.iter().flat_map(|data| &data.pots) {
            if self.is_on(&item.header.cites) {
                self.book
                    .pots
                    .insert(item.header.id.clone(), item.chits.clone());
                self.titled(&item.header.id, &item.title);
            }
        }
        for item in mods.iter().flat_map(|data| &data.decks) {
            if self.is_on(&item.header.cites) {
                self.book
                    .decks
                    .insert(item.header.id.clone(), item.deck.clone());
                self.titled(&item.header.id, &item.title);
            }
        }
        self.amend_mixes(&mods);
        for item in mods.iter().flat_map(|data| &data.events) {
            if self.is_on(&item.header.cites) {
                self.event_of_data(item);
            }
        }
        for raw in &registered.events {
            self.event_of_rules(raw);
        }
    }

    fn titled(&mut self, id: &Name, title: &Name) {
        if !title.is_empty() {
            self.book.titles.insert(id.clone(), title.clone());
        }
    }

    fn event_of_data(&mut self, item: &EventItem) {
        let id = &item.header.id;
        let there = self.held.book.events.get(id);
        let event = match there.filter(|_| self.has_held_data()) {
            Some(there) => Ok(there.clone()),
            None => item.build(&self.records),
        };
        if let Some(event) = self.keep(&item.header.place, event) {
            self.book.events.insert(id.clone(), event);
        }
    }

    /// An event that a rules file declares: its fields, its texts, its id.
    fn event_of_rules(&mut self, raw: &RawEvent) {
        let place = raw.origin.place.clone();
        let fields = parse_fields(&raw.fields, &self.records);
        let Some(fields) = self.keep(&place, fields) else {
            return;
        };
        fields
            .iter()
            .for_each(|field| self.knows_kinds(&field.ty, &place));
        let brief = raw.brief.build(&fields).map_err(|words| {
            Fault::new(
                FaultCode::BadSignature,
                format!("event `{}`: {words}", raw.id),
            )
            .at(place.clone())
        });
        let Some(brief) = self.keep(&place, brief) else {
            return;
        };
        let text = check_text(&raw.id, &raw.text, &fields).map_err(|fault| fault.at(place.clone()));
        if self.keep(&place, text).is_none() {
            return;
        }
        let event = EventKind {
            id: raw.id.clone(),
            fields: fields.into(),
            text: Arc::from(raw.text.as_str()),
            heading: Arc::from(raw.heading.as_str()),
            reveals: raw.reveals.clone(),
            brief,
            module: raw.origin.module.clone(),
        };
        if self.book.events.insert(raw.id.clone(), event).is_some() {
            self.fault(
                &place,
                FaultCode::Duplicate,
                format!("event `{}` is declared twice", raw.id),
            );
        }
    }

    /// What is counted by a field is one of the event itself, or of that which
    /// began its line: of some event, in any case.
    fn counted(&mut self, registered: &Registrations) {
        let data = self
            .recipe
            .mods
            .iter()
            .flat_map(|module| &module.data.events);
        let places: BTreeMap<&Name, &Place> = data
            .map(|item| (&item.header.id, &item.header.place))
            .chain(
                registered
                    .events
                    .iter()
                    .map(|raw| (&raw.id, &raw.origin.place)),
            )
            .collect();
        let events = self.book.events.values();
        let fields: BTreeSet<&Name> = events
            .flat_map(|event| event.fields.iter())
            .map(|field| &field.name)
            .collect();
        let mut faults = Vec::new();
        for event in self.book.events.values() {
            let Some((_, by)) = event
                .brief
                .counts
                .as_ref()
                .filter(|(_, by)| !fields.contains(by))
            else {
                continue;
            };
            let message = format!(
                "event `{}`: `counts`: no event has a field `{by}`",
                event.id
            );
            let fault = Fault::new(FaultCode::BadSignature, message);
            let fault = fault.at(places
                .get(&event.id)
                .map(|place| (*place).clone())
                .unwrap_or_default());
            faults.push(
                match closest(by, event.fields.iter().map(|field| &*field.name)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                },
            );
        }
        self.faults.extend(faults);
    }

    // ---- rules ---------------------------------------------------------------

    fn signatures(&mut self, raw: &[Rc<RawSignature>], concerned: &Concerned) {
        for one in raw.iter().filter(|raw| concerned.has(&raw.rule)) {
            let place = &one.origin.place;
            if let Some(there) = self.rules.get(&one.rule) {
                let other = there.place.clone();
                self.fault(
                    place,
                    FaultCode::Duplicate,
                    format!(
                        "rule `{}` is defined twice; the first is in {other}",
                        one.rule
                    ),
                );
                continue;
            }
            let signature = one.read.get_or_init(|| self.signature(one)).clone();
            let Some(signature) = self.keep(place, signature) else {
                self.reported.insert(one.rule.clone());
                continue;
            };
            signature
                .args
                .iter()
                .for_each(|field| self.knows_kinds(&field.ty, place));
            if let Returns::Value(ty) | Returns::Domain(ty) = &signature.returns {
                self.knows_kinds(ty, place);
            }
            if one.is_step {
                self.book
                    .steps
                    .insert(one.rule.clone(), signature.args.iter().cloned().collect());
            }
            let entry = RuleEntry {
                id: one.rule.clone(),
                signature,
                is_reason: one.is_reason,
                doc: one.doc.clone(),
                place: place.clone(),
                layers: Vec::new(),
                functions: Vec::new(),
            };
            self.rules.insert(one.rule.clone(), Rc::new(entry));
        }
    }

    fn signature(&self, raw: &RawSignature) -> Result<Signature, Fault> {
        let resolved = |text| self.names.resolved(owner_of(&raw.rule), text);
        let args = parse_fields(&resolved(&raw.args)?, &self.records)?;
        if args.len() > MOST_ARGUMENTS {
            let message = format!(
                "expected at most {MOST_ARGUMENTS} arguments, found {}",
                args.len()
            );
            return Err(Fault::new(FaultCode::BadSignature, message).hint("put them in a record"));
        }
        let returns = match raw.returns.as_deref() {
            None => Returns::Nothing,
            Some(text) => match text.strip_prefix("domain ") {
                Some(ty) => Returns::Domain(parse_type(ty, &self.records)?),
                None => Returns::Value(parse_type(&resolved(text)?, &self.records)?),
            },
        };
        let effects = parse_effects(&raw.effects)?;
        Ok(Signature {
            args: args.into(),
            returns,
            effects,
        })
    }

    fn layers(&mut self, raw: &[Rc<RawLayer>], concerned: &Concerned) {
        let mut by_rule: BTreeMap<Name, Vec<&RawLayer>> = BTreeMap::new();
        for layer in raw.iter().filter(|raw| concerned.has(&raw.rule)) {
            by_rule.entry(layer.rule.clone()).or_default().push(layer);
        }
        for (rule, layers) in by_rule {
            if !self.rules.contains_key(&rule) {
                // A rule whose signature is wrong has its own fault.
                if layers.iter().all(|layer| layer.kind != LayerKind::Define) {
                    self.unknown_rule(&rule, &layers);
                }
                continue;
            }
            if let Some(layers) = self.in_order(&rule, layers) {
                self.add_layers(&rule, layers);
            }
        }
    }

    fn unknown_rule(&mut self, rule: &Name, layers: &[&RawLayer]) {
        let (why, hint) = self.why_not_there(rule);
        for layer in layers {
            let verb = if layer.kind == LayerKind::Replace {
                "replace"
            } else {
                "wrap"
            };
            let message = format!("cannot {verb} `{rule}`: {why}");
            let fault = Fault::new(FaultCode::UnknownRule, message);
            let fault = hint.iter().fold(fault, Fault::hint);
            self.faults.push(fault.at(layer.origin.place.clone()));
        }
    }

    /// The functions of a rule that count, innermost first.
    fn in_order<'l>(
        &mut self,
        rule: &Name,
        layers: Vec<&'l RawLayer>,
    ) -> Option<Vec<&'l RawLayer>> {
        let of = |kind| {
            layers
                .iter()
                .copied()
                .filter(move |layer| layer.kind == kind)
        };
        let replaces: Vec<&RawLayer> = of(LayerKind::Replace).collect();
        for pair in replaces.windows(2) {
            let (a, b) = (&pair[0].origin, &pair[1].origin);
            if a.module == b.module || !(self.recipe.stated)(&a.module, &b.module) {
                let fault =
                    Fault::new(FaultCode::Conflict, replaced_twice(rule, a, b)).at(a.place.clone());
                self.faults.push(fault.hint(which_wins(a, b)));
                return None;
            }
        }
        let base = replaces
            .last()
            .copied()
            .or_else(|| of(LayerKind::Define).next())?;
        let wraps: Vec<&RawLayer> = of(LayerKind::Wrap).collect();
        let wraps = self.wraps_in_order(rule, wraps)?;
        Some(std::iter::once(base).chain(wraps).collect())
    }

    /// Wraps in the order of their mods, moved as little as their stated
    /// orders ask.
    fn wraps_in_order<'l>(
        &mut self,
        rule: &Name,
        mut left: Vec<&'l RawLayer>,
    ) -> Option<Vec<&'l RawLayer>> {
        let goes_inside = |inner: &RawLayer, outer: &RawLayer| {
            outer.after.contains(&inner.origin.module)
                || inner.before.contains(&outer.origin.module)
        };
        let mut ordered = Vec::new();
        while !left.is_empty() {
            let free = left
                .iter()
                .position(|layer| !left.iter().any(|other| goes_inside(other, layer)));
            let Some(free) = free else {
                let names: Vec<&str> = left.iter().map(|layer| &*layer.origin.module).collect();
                let message = format!(
                    "the stated orders of the wraps of `{rule}` go round: {}",
                    names.join(", ")
                );
                self.fault(&left[0].origin.place, FaultCode::Cycle, message);
                return None;
            };
            ordered.push(left.remove(free));
        }
        Some(ordered)
    }

    fn add_layers(&mut self, rule: &Name, layers: Vec<&RawLayer>) {
        let Some(entry) = self.rules.get_mut(rule).map(Rc::make_mut) else {
            return;
        };
        let declared = self.revealing.get(rule);
        for raw in &layers {
            entry.layers.push(LayerEntry {
                kind: raw.kind,
                module: raw.origin.module.clone(),
                place: raw.origin.place.clone(),
                cites: raw.origin.cites.to_vec(),
                line: None,
            });
        }
        let effects = entry.signature.effects;
        let layer = |raw: &&RawLayer| Layer {
            rule: rule.clone(),
            kind: raw.kind,
            cites: raw.origin.cites.clone(),
            module: raw.origin.module.clone(),
            place: raw.origin.place.clone(),
            effects,
            reveals: match raw.kind {
                LayerKind::Define => raw.reveals.as_ref().or(declared).cloned(),
                _ => raw.reveals.clone(),
            },
            body: raw.body.clone(),
            registered: raw.registered,
        };
        entry.functions = layers.iter().map(layer).collect();
    }

    // ---- the sequence --------------------------------------------------------

    fn windows(&mut self, registered: &Registrations) {
        for raw in &registered.windows {
            let place = &raw.origin.place;
            let fields = parse_fields(&raw.carries, &self.records);
            let Some(fields) = self.keep(place, fields) else {
                continue;
            };
            fields
                .iter()
                .for_each(|field| self.knows_kinds(&field.ty, place));
            let text = window_text(raw);
            let checked = moment::check(&raw.id, &text, &fields, &self.schema);
            if self.keep(place, checked).is_none() {
                continue;
            }
            let window = Window {
                id: raw.id.clone(),
                title: moment::title_of(&text).into(),
                text,
                carries: fields.into(),
                order: raw.order,
                is_uniform: raw.is_uniform,
                module: raw.origin.module.clone(),
            };
            if self.book.windows.insert(raw.id.clone(), window).is_some() {
                self.fault(
                    place,
                    FaultCode::Duplicate,
                    format!("window `{}` is declared twice", raw.id),
                );
            }
        }
    }

    fn phases(&mut self, registered: &Registrations) {
        for raw in &registered.phases {
            let place = &raw.origin.place;
            if raw.is_root {
                self.claim_root(&raw.id, place);
            }
            if self
                .book
                .phases
                .insert(raw.id.clone(), phase_of(raw))
                .is_some()
            {
                self.fault(
                    place,
                    FaultCode::Duplicate,
                    format!("phase `{}` is declared twice", raw.id),
                );
            }
        }
        let wrapping = wrapping_phases(registered);
        for raw in &registered.phases {
            let (other, ahead) = match &raw.placement {
                Some(Placement::Before(other)) => (other, 0),
                Some(Placement::After(other)) => (other, 1),
                Some(Placement::Around(_)) | None => continue,
            };
            if !self.insert_phase(&raw.id, other, ahead, &wrapping) {
                let message = format!(
                    "cannot put `{}` beside `{other}`: no phase holds that one",
                    raw.id
                );
                self.no_such_phase(&raw.origin.place, other, message);
            }
        }
        for (core, wrapping) in wrapping {
            self.wrap_phase(core, &wrapping);
        }
        for (id, origin) in &registered.removed_phases {
            if !self.remove_phase(id) {
                let message = format!("cannot remove the phase `{id}`: no phase holds it");
                self.no_such_phase(&origin.place, id, message);
            }
        }
        self.check_phases(registered);
    }

    /// A phase that says that it is the whole game. Where another one is that
    /// already, it counts as a phase still: what stands in it has its place.
    fn claim_root(&mut self, id: &Name, place: &Place) {
        let Some(other) = &self.book.root else {
            self.book.root = Some(id.clone());
            return;
        };
        let message = format!("`{id}` and `{other}` both claim to be the whole game");
        self.fault(place, FaultCode::Conflict, message);
    }

    /// A phase is named that no other holds: perhaps for want of a letter.
    fn no_such_phase(&mut self, place: &Place, id: &Name, message: String) {
        let fault = match self.off_phase(id) {
            Some(fault) => fault,
            None => {
                let fault = Fault::new(FaultCode::UnknownPhase, message);
                match closest(id, self.book.phases.keys().map(|id| &**id)) {
                    _ if self.book.root.as_ref() == Some(id) => {
                        fault.hint("it is the whole game: name a phase that stands in it")
                    }
                    Some(near) if *near != **id => fault.hint(format!("did you mean `{near}`?")),
                    _ => fault,
                }
            }
        };
        self.faults.push(fault.at(place.clone()));
    }

    /// Puts a phase before or after another one, outside of what goes around that.
    fn insert_phase(
        &mut self,
        id: &Name,
        other: &Name,
        ahead: usize,
        wrapping: &WrappingPhases<'_>,
    ) -> bool {
        let around = wrapping.get(other).map_or(&[][..], Vec::as_slice);
        let mut found = false;
        for (_, list) in self
            .lists_of_phases()
            .filter(|(holder, _)| around.iter().all(|outer| outer.id != **holder))
        {
            if let Some(place) = list.iter().position(|inner| inner == other) {
                list.insert(place + ahead, id.clone());
                found = true;
            }
        }
        found
    }

    /// Lets each wrapping phase hold the one before it in the place of the core,
    /// and the last one take that place.
    fn wrap_phase(&mut self, core: &Name, wrapping: &[&RawPhase]) {
        let mut outermost = core.clone();
        let mut holders = BTreeSet::new();
        for raw in wrapping {
            holders.insert(&raw.id);
            let held = self.lists_of_phases().find(|(id, _)| **id == raw.id);
            if !held.is_some_and(|(_, list)| replaced(list, core, &outermost)) {
                let message = format!(
                    "expected `{core}` among the phases of `{}`, which goes around it",
                    raw.id
                );
                let fault = Fault::new(FaultCode::BadSignature, message);
                let fault = match closest(core, self.book.phases.keys().map(|id| &**id)) {
                    Some(near) if *near != **core => fault.hint(format!("did you mean `{near}`?")),
                    _ => fault,
                };
                self.faults.push(fault.at(raw.origin.place.clone()));
            }
            outermost = raw.id.clone();
        }
        let others = self
            .lists_of_phases()
            .filter(|(id, _)| !holders.contains(id));
        let places = others
            .filter_map(|(_, list)| replaced(list, core, &outermost).then_some(()))
            .count();
        if let (0, true, Some(first)) = (
            places,
            self.book.phases.contains_key(core),
            wrapping.first(),
        ) {
            let message = format!(
                "cannot put `{}` around `{core}`: no phase holds that one",
                first.id
            );
            self.fault(&first.origin.place, FaultCode::UnknownPhase, message);
        }
    }

    /// The phases that hold others, and what they hold.
    fn lists_of_phases(&mut self) -> impl Iterator<Item = (&Name, &mut Vec<Name>)> {
        self.book
            .phases
            .iter_mut()
            .filter_map(|(id, phase)| match &mut phase.body {
                PhaseBody::Sequence(list) | PhaseBody::Loop { phases: list, .. } => {
                    Some((id, list))
                }
                PhaseBody::Automatic { .. } | PhaseBody::Acts(_) => None,
            })
    }

    fn remove_phase(&mut self, id: &Name) -> bool {
        let mut found = false;
        for (_, list) in self.lists_of_phases() {
            let count = list.len();
            list.retain(|inner| inner != id);
            found |= list.len() < count;
        }
        found
    }

    fn needs_rule(&mut self, rule: &Name, place: &Place) {
        if self.rules.contains_key(rule) || self.reported.contains(rule) {
            return;
        }
        let fault = match self.off_rule(rule) {
            Some(fault) => fault,
            None => {
                let message = format!("no mod defines the rule `{rule}`");
                let fault = Fault::new(FaultCode::UnknownRule, message);
                match closest(rule, self.rules.keys().map(|id| &**id)) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                }
            }
        };
        self.faults.push(fault.at(place.clone()));
    }

    fn actions(&mut self, raw: &[Rc<RawAction>]) {
        for declared in raw {
            let place = &declared.origin.place;
            let Some(action) = self.action(declared) else {
                continue;
            };
            if declared.is_reaction && declared.is_compulsory {
                let message = format!(
                    "`{}`: expected a reaction that its side may decline, found `compulsory`",
                    declared.id
                );
                self.faults.push(
                    Fault::new(FaultCode::BadSignature, message)
                        .hint("what must happen in a window is no choice: push it as a step")
                        .at(place.clone()),
                );
            }
            if action.at.is_empty() {
                let what = if declared.is_reaction {
                    "a window"
                } else {
                    "a phase, or several"
                };
                let message = format!(
                    "`{}`: expected {what} in which it can be taken, found none",
                    declared.id
                );
                self.fault(place, FaultCode::BadSignature, message);
            }
            for at in &action.at {
                if declared.is_reaction {
                    let found = self.book.window(at).map(|_| ());
                    self.keep(place, found);
                } else {
                    self.acts_at(&declared.id, at, place);
                }
            }
            let list = if declared.is_reaction {
                &mut self.book.reactions
            } else {
                &mut self.book.actions
            };
            if list.insert(action.id.clone(), action).is_some() {
                self.fault(
                    place,
                    FaultCode::Duplicate,
                    format!("`{}` is declared twice", declared.id),
                );
            }
        }
    }

    /// Every kind that a type names must be declared.
    fn knows_kinds(&mut self, ty: &Type, place: &Place) {
        match ty {
            Type::Entity(Some(kind)) => {
                let found = self.schema.require(kind).map(|_| ());
                self.keep(place, found);
            }
            Type::List(inner) | Type::Map(inner) | Type::Optional(inner) => {
                self.knows_kinds(inner, place)
            }
            Type::Record(fields) => fields
                .iter()
                .for_each(|field| self.knows_kinds(&field.ty, place)),
            _ => {}
        }
    }

    fn action(&mut self, raw: &RawAction) -> Option<Action> {
        self.check_members(raw);
        let mut params = Vec::new();
        for param in &raw.params {
            let ty = parse_type(&param.ty, &self.records);
            params.push(Param {
                name: Arc::from(param.name.as_str()),
                title: Arc::from(param.title.as_str()),
                ty: self.keep(&raw.origin.place, ty)?,
                domain: param.domain.clone(),
                share: param.share,
                reveals: param.reveals.clone(),
            });
        }
        let (actor, listed) = self.actor_of(raw)?;
        Some(Action {
            id: raw.id.clone(),
            title: Arc::from(raw.title.as_str()),
            at: raw.at.clone(),
            actor,
            listed,
            params,
            allowed: raw.allowed.clone(),
            perform: raw.perform.clone(),
            score: raw.score.clone(),
            outlook: raw.outlook.clone(),
            is_compulsory: raw.is_compulsory,
            is_narrated: raw.is_narrated,
            share: raw.share,
            module: raw.origin.module.clone(),
        })
    }

    /// The kind of those who do it, and the rule that lists who might, if the
    /// mod names a rule where others name the kind.
    fn actor_of(&mut self, raw: &RawAction) -> Option<(Option<Name>, Option<Name>)> {
        let Some(named) = &raw.actor else {
            return Some((None, None));
        };
        let rule = self
            .rules
            .get(named)
            .filter(|_| self.schema.kinds().iter().all(|kind| kind.id != *named));
        let Some(rule) = rule else {
            let kind = self.schema.require(named).map(|_| named.clone());
            return Some((Some(self.keep(&raw.origin.place, kind)?), None));
        };
        let expected = if raw.is_reaction {
            "(side: text, window: any)"
        } else {
            "(side: text)"
        };
        let count = if raw.is_reaction { 2 } else { 1 };
        match &rule.signature.returns {
            Returns::Value(Type::List(inner)) if rule.signature.args.len() == count => {
                if let Type::Entity(Some(kind)) = &**inner {
                    return Some((Some(kind.clone()), Some(named.clone())));
                }
            }
            _ => {}
        }
        let message = format!(
            "`{}`, `actor`: expected a kind, or a rule {expected} that returns a list of entities of one kind, \
             found the rule `{named}` of another shape",
            raw.id
        );
        self.fault(&raw.origin.place, FaultCode::BadSignature, message);
        None
    }

    fn check_listeners(&mut self, registered: &Registrations) {
        for (event, _, origin) in &registered.listeners {
            let found = self.book.event(event).map(|_| ());
            self.keep(&origin.place, found);
        }
    }

    // ---- the end -------------------------------------------------------------

    fn finish(
        mut self,
        registrations: Rc<Registrations>,
        registered: Registrations,
        templates: Rc<Templates>,
    ) -> Result<Rulebook, Vec<Fault>> {
        self.book.schema = std::mem::take(&mut self.schema);
        self.host.bind(&self.rules).map_err(|fault| vec![fault])?;
        self.host
            .set_tables(&self.tables, &self.held.tables)
            .map_err(|fault| vec![fault])?;
        let data = self
            .recipe
            .mods
            .iter()
            .map(|module| module.data.cited().clone())
            .collect();
        Ok(Rulebook {
            book: Arc::new(self.book),
            host: self.host,
            rules: self.rules,
            tables: self.tables,
            templates,
            mix_changes: self.mix_changes,
            records: self.records,
            clauses: self.recipe.clauses.clone(),
            options: self.recipe.options.clone(),
            table_rows: self.table_rows,
            data_in_force: self.data_in_force,
            citations: Citations::new(registered, data),
            mods: self
                .recipe
                .mods
                .iter()
                .map(|module| module.id.clone())
                .collect(),
            registrations,
            printed: self.recipe.printed.clone(),
            notes_dependencies: Cell::default(),
            layers: OnceCell::default(),
        })
    }
}

/// The phases that go around others, by those, in their order.
type WrappingPhases<'a> = BTreeMap<&'a Name, Vec<&'a RawPhase>>;

/// What actions and phases say that they give away, by the rule that carries them out.
fn revealing(registered: &Registrations) -> BTreeMap<Name, Name> {
    let actions = registered.actions.iter();
    let of_actions = actions.map(|raw| (&raw.perform, &raw.reveals));
    let of_phases = registered.phases.iter().filter_map(|raw| match &raw.body {
        RawBody::Automatic(rule) => Some((rule, &raw.reveals)),
        _ => None,
    });
    let all = of_actions.chain(of_phases);
    all.filter_map(|(rule, reveals)| Some((rule.clone(), reveals.clone()?)))
        .collect()
}

fn wrapping_phases(registered: &Registrations) -> WrappingPhases<'_> {
    let mut wrapping = WrappingPhases::new();
    for raw in &registered.phases {
        if let Some(Placement::Around(core)) = &raw.placement {
            wrapping.entry(core).or_default().push(raw);
        }
    }
    wrapping
}

/// Puts a phase in the place of another one in a list; whether that was there.
fn replaced(list: &mut [Name], other: &Name, by: &Name) -> bool {
    let mut found = false;
    for phase in list.iter_mut().filter(|phase| *phase == other) {
        *phase = by.clone();
        found = true;
    }
    found
}

fn phase_of(raw: &RawPhase) -> Phase {
    let body = match &raw.body {
        RawBody::Sequence(list) => PhaseBody::Sequence(list.clone()),
        RawBody::Loop(list, until) => PhaseBody::Loop {
            phases: list.clone(),
            until: until.clone(),
        },
        RawBody::Automatic(rule) => PhaseBody::Automatic { rule: rule.clone() },
        RawBody::Acts(acts) => PhaseBody::Acts(acts.clone()),
    };
    Phase {
        id: raw.id.clone(),
        title: Arc::from(raw.title.as_str()),
        body,
        is_announced: raw.is_announced,
        module: raw.origin.module.clone(),
    }
}

fn replaced_twice(rule: &Name, a: &Origin, b: &Origin) -> String {
    if a.module == b.module {
        return format!(
            "`{rule}` is replaced twice by mod `{}`, again in {}",
            a.module, b.place
        );
    }
    format!(
        "`{rule}` is replaced by mod `{}` and by mod `{}` ({}), and no order is stated",
        a.module, b.module, b.place
    )
}

fn which_wins(a: &Origin, b: &Origin) -> String {
    let (a, b) = (&a.module, &b.module);
    if a == b {
        return "leave one of them out, or wrap".into();
    }
    format!(
        "the later one wins: `after: [\"{a}\"]` in the `mod.ron` of `{b}`, or `after: [\"{b}\"]` in that of `{a}`"
    )
}

/// How a moment reads when it comes; where nobody says, the words of its id.
fn window_text(raw: &RawWindow) -> Name {
    match &*raw.title {
        "" => {
            let rest = raw.id.split_once('.').map_or(&*raw.id, |(_, rest)| rest);
            rest.replace('.', ": ").replace('_', " ").into()
        }
        title => title.into(),
    }
}
