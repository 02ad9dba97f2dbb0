//! The clauses and options of a match, each with its sentence, and choosing
//! others while it is played.

use std::collections::{BTreeMap, BTreeSet};

use kernel::value::{Name, owner_of};
use kernel::world::NoEntities;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ReloadMode, Reloaded, Tabletop, Trouble};
use crate::modset::manifest::{Clause, Effect, Group, Manifest, ModOption, Requirement};
use crate::modset::selector::{Active, Amendment, Pick, Request, Selector};
use crate::types::write_value;

/// The rules of one mod, as players switch them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModRules {
    /// The mod's id.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// A paragraph about it.
    pub text: String,
    /// Whether the match is played by it. What is not could be taken up.
    pub on: bool,
    /// Its clauses, in groups.
    pub groups: Vec<GroupAbout>,
    /// Its options.
    pub options: Vec<OptionAbout>,
}

/// A group of clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GroupAbout {
    /// Its id: `iceburg.rfac`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// A sentence about it.
    pub text: String,
    /// Its clauses.
    pub clauses: Vec<ClauseAbout>,
}

/// A clause: one fact of a printed rulebook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClauseAbout {
    /// Its id: `iceburg.rfac.cost`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// One plain sentence.
    pub text: String,
    /// The printed source.
    pub source: String,
    /// What it does to the rules under it.
    pub effect: ClauseEffect,
    /// Whether it is in force.
    pub on: bool,
    /// Whether the mod makes no sense without it: it cannot be left out.
    pub core: bool,
    /// The clauses and groups (`mod:group`) that come along with it.
    pub requires: Vec<String>,
}

/// What a clause does to the rules under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClauseEffect {
    /// Something new.
    Adds,
    /// Something becomes different.
    Changes,
    /// It says again what holds already.
    Confirms,
    /// Advice to players, without effect on play.
    Advises,
}

/// Something that can be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OptionAbout {
    /// Its id: `dsii.fire.hel_band`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// A sentence for players.
    pub text: String,
    /// What it can be, as mods write types: `bool`, `close|medium|long`,
    /// `integer 1..6`.
    #[serde(rename = "type")]
    pub ty: String,
    /// What it is, as `choose` takes it.
    pub value: String,
    /// What it is when nothing is said.
    pub default: String,
    /// The clause without which it has no meaning.
    pub clause: Option<String>,
}

/// Other clauses and options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choosing {
    /// Clauses to take, groups (`iceburg:rfac`), and mods.
    #[serde(default)]
    pub on: Vec<String>,
    /// Clauses, groups and mods to leave out, with all that requires them.
    #[serde(default)]
    pub off: Vec<String>,
    /// Options to set.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// What becomes of the game so far.
    #[serde(default)]
    pub past: ReloadMode,
}

impl Tabletop {
    /// The clauses and options of the mods in play, and of those that could be
    /// taken up: they need no mod that is not in play.
    pub fn rules(&self) -> Vec<ModRules> {
        let now = self.all_mods_now();
        let is_on = |id: &str| self.active.order.mods.iter().any(|module| **module == *id);
        let own = self
            .active
            .order
            .mods
            .iter()
            .filter_map(|id| self.workshop.manifests().get(id));
        let fits = |manifest: &&Manifest| {
            let needs_on = manifest
                .depends
                .iter()
                .all(|dependency| is_on(&dependency.id));
            !is_on(&manifest.id) && needs_on && !manifest.depends.is_empty()
        };
        let others = now.workshop.manifests().values().filter(fits);
        own.chain(others)
            .map(|manifest| self.mod_rules(manifest, is_on(&manifest.id)))
            .collect()
    }

    fn mod_rules(&self, manifest: &Manifest, is_on: bool) -> ModRules {
        let group = |group: &Group| GroupAbout {
            id: group.id.to_string(),
            title: group.title.to_string(),
            text: group.doc.to_string(),
            clauses: group
                .clauses
                .iter()
                .map(|clause| clause_about(clause, &self.active))
                .collect(),
        };
        ModRules {
            id: manifest.id.to_string(),
            title: manifest.title.to_string(),
            text: manifest.doc.to_string(),
            on: is_on,
            groups: manifest.groups.iter().map(group).collect(),
            options: manifest
                .options
                .iter()
                .map(|option| option_about(option, &self.active))
                .collect(),
        }
    }

    /// Goes on by other clauses and options, with the mods as they are in their
    /// folders now, as [`Tabletop::reload`] does: all of it or nothing.
    ///
    /// # Errors
    /// What is named and not there, a core clause that is left out, and what
    /// a reload may come to.
    pub fn choose(&mut self, choosing: &Choosing, viewer: &str) -> Result<Reloaded, Trouble> {
        let now = self.all_mods_now();
        let request = self.chosen(choosing, &now.workshop)?;
        self.reload_to_request(&now, Some(&request), choosing.past, viewer)
    }

    /// All that is in force, clause by clause, but for what is chosen now.
    fn chosen(
        &self,
        choosing: &Choosing,
        workshop: &crate::workshop::Workshop,
    ) -> Result<Request, Trouble> {
        let asked = Request::gather(&choosing.on, &choosing.off, &choosing.options)?;
        let left_out: BTreeSet<&Name> = asked.without.iter().flat_map(clauses_of).collect();
        let mut request = Request {
            without: asked.without.clone(),
            ..Request::default()
        };
        for id in &self.active.order.mods {
            let Some(manifest) = workshop.manifests().get(id) else {
                continue;
            };
            self.keep_clauses(manifest, &left_out, &mut request);
        }
        request.with.extend(asked.with);
        let is_set = |id: &Name| asked.options.iter().any(|(asked, _)| asked == id);
        let is_gone = |id: &Name| {
            let whole = asked
                .without
                .iter()
                .filter(|selector| selector.picks.is_empty());
            whole
                .into_iter()
                .any(|selector| *selector.module == *owner_of(id))
        };
        for (id, value) in self
            .active
            .options
            .iter()
            .filter(|(id, _)| !is_set(id) && !is_gone(id))
        {
            request
                .options
                .push((id.clone(), write_value(value, &NoEntities)));
        }
        request.options.extend(asked.options);
        let is_amended = |one: &Amendment| asked.amends.iter().any(|asked| asked.is_of_cell(one));
        let kept = self
            .active
            .amends
            .iter()
            .filter(|one| !is_amended(one) && !is_gone(&one.table))
            .cloned();
        request.amends = kept.chain(asked.amends.iter().cloned()).collect();
        Ok(request)
    }

    /// Asks for the clauses of a mod that are in force and are not left out. By
    /// its name alone a mod brings along clauses: where none is kept, all that
    /// can be left out are.
    fn keep_clauses(&self, manifest: &Manifest, left_out: &BTreeSet<&Name>, request: &mut Request) {
        let is_kept = |clause: &Clause| {
            self.active.clauses.contains(&clause.id) && !left_out.contains(&clause.id)
        };
        let kept = manifest.clauses().filter(|(_, clause)| is_kept(clause));
        let picks: Vec<Pick> = kept
            .map(|(_, clause)| Pick::Clause(clause.id.clone()))
            .collect();
        if picks.is_empty() {
            let off = manifest.clauses().filter(|(_, clause)| !clause.core);
            let off = off
                .map(|(_, clause)| Pick::Clause(clause.id.clone()))
                .collect::<Vec<_>>();
            request.without.extend((!off.is_empty()).then(|| Selector {
                module: manifest.id.clone(),
                picks: off,
            }));
        }
        request.with.push(Selector {
            module: manifest.id.clone(),
            picks,
        });
    }
}

fn clauses_of(selector: &Selector) -> impl Iterator<Item = &Name> {
    selector.picks.iter().filter_map(|pick| match pick {
        Pick::Clause(id) => Some(id),
        Pick::Group(_) => None,
    })
}

fn clause_about(clause: &Clause, active: &Active) -> ClauseAbout {
    let requirement = |one: &Requirement| match one {
        Requirement::Clause(id) => id.to_string(),
        Requirement::Group { module, group } => format!("{module}:{group}"),
    };
    ClauseAbout {
        id: clause.id.to_string(),
        title: clause.title.to_string(),
        text: clause.text.to_string(),
        source: clause.source.to_string(),
        effect: match clause.effect {
            Effect::Adds => ClauseEffect::Adds,
            Effect::Changes => ClauseEffect::Changes,
            Effect::Confirms => ClauseEffect::Confirms,
            Effect::Advises => ClauseEffect::Advises,
        },
        on: active.clauses.contains(&clause.id),
        core: clause.core,
        requires: clause.requires.iter().map(requirement).collect(),
    }
}

fn option_about(option: &ModOption, active: &Active) -> OptionAbout {
    let value = active.options.get(&option.id).unwrap_or(&option.default);
    OptionAbout {
        id: option.id.to_string(),
        title: option.title.to_string(),
        text: option.text.to_string(),
        ty: option.ty.to_string(),
        value: write_value(value, &NoEntities),
        default: write_value(&option.default, &NoEntities),
        clause: option.clause.as_ref().map(ToString::to_string),
    }
}
