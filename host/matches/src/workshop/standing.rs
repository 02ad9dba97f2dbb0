//! What a scenario stands on: its rules composed and the game set up by them, or who
//! left out what it needs.

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::owner_of;

use super::{ComposedRules, Found, Overrides, Workshop};
use crate::play::Setup;
use crate::scenario::{Scenario, set_up, some_turns};
use rules::modset::selector::{Active, Amendment, Request, Selector};

impl Workshop {
    /// Composes the rules of a scenario and sets it up.
    ///
    /// # Errors
    /// Everything that is wrong in the scenario or its mods.
    pub fn prepare(
        &self,
        found: &Found,
        overrides: &Overrides,
    ) -> Result<(ComposedRules, Setup), Vec<Fault>> {
        self.prepare_by(found, overrides, |request| self.compose(request))
    }

    /// The same with rules that somebody else composes: who has such a rulebook
    /// already.
    ///
    /// # Errors
    /// As [`Workshop::prepare`].
    pub fn prepare_by(
        &self,
        found: &Found,
        overrides: &Overrides,
        compose: impl FnOnce(&Request) -> Result<ComposedRules, Vec<Fault>>,
    ) -> Result<(ComposedRules, Setup), Vec<Fault>> {
        let chosen = self
            .request(&found.scenario, overrides)
            .and_then(|request| compose(&request));
        let chosen = chosen.map_err(|faults| self.whose(found, overrides, faults))?;
        let setup = self.set_up(found, overrides, &chosen)?;
        Ok((chosen, setup))
    }

    /// Sets a scenario up by rules that were chosen for it. Where it does not fit
    /// them only because of what a player asked for, it is said so.
    fn set_up(
        &self,
        found: &Found,
        overrides: &Overrides,
        chosen: &ComposedRules,
    ) -> Result<Setup, Vec<Fault>> {
        let turns = some_turns(overrides.turns).map_err(|fault| vec![fault])?;
        let seed = overrides.seed.unwrap_or(found.scenario.seed);
        let setup = set_up(&found.scenario, &chosen.rulebook, seed, turns);
        setup.map_err(|faults| {
            let missing = self.left_out(found, overrides, &chosen.active);
            match missing.is_empty() {
                true => self.unfit(found, overrides, faults),
                // What else is wrong comes of that.
                false => missing,
            }
        })
    }

    /// The mods that a scenario stands on and that take no part, each with who left
    /// it out.
    fn left_out(&self, found: &Found, overrides: &Overrides, active: &Active) -> Vec<Fault> {
        let scenario = &found.scenario;
        let mut missing: Vec<(&str, &Place)> = Vec::new();
        for item in &scenario.entities {
            let declared = item.kind.iter().chain(&item.template);
            for module in declared.map(|id| owner_of(id)) {
                if !self.takes_part(module, active)
                    && missing.iter().all(|(known, _)| *known != module)
                {
                    missing.push((module, &item.place));
                }
            }
        }
        let fault = |(module, place): (&str, &Place)| {
            let message = format!(
                "expected the mod `{module}`, which the scenario `{}` stands on, found it left out",
                scenario.id
            );
            Fault::new(FaultCode::BadScenario, message)
                .at(place.clone())
                .hint(self.who_left_out(module, scenario, overrides))
        };
        missing.into_iter().map(fault).collect()
    }

    /// Whether a mod takes part with anything at all.
    fn takes_part(&self, module: &str, active: &Active) -> bool {
        let manifest = self.library.manifests.get(module);
        let has_clauses = manifest.is_some_and(|manifest| manifest.clauses().next().is_some());
        let is_any_on = active.clauses.iter().any(|id| *owner_of(id) == *module);
        active.order.mods.iter().any(|id| **id == *module) && (is_any_on || !has_clauses)
    }

    /// By what a mod does not take part.
    fn who_left_out(&self, module: &str, scenario: &Scenario, overrides: &Overrides) -> String {
        if !self.library.manifests.contains_key(module) {
            return self.library.manifests.why_absent(module);
        }
        let is_of = |text: &&String| {
            Selector::parse(text)
                .is_ok_and(|selector| *selector.module == *module && selector.picks.is_empty())
        };
        if let Some(text) = overrides.without.iter().find(is_of) {
            return format!("the command leaves out `{text}`; the scenario does not");
        }
        if scenario.without.iter().any(|text| is_of(&text)) {
            return format!("the scenario itself has `{module}` in its list `without`");
        }
        if overrides
            .force_without
            .iter()
            .any(|id| *owner_of(id) == *module)
        {
            return format!("by these rules all clauses of `{module}` are off");
        }
        match overrides.without.first() {
            Some(_) => format!(
                "`{module}` came along with what the command leaves out: {}; `--with {module}` keeps it",
                words(&overrides.without)
            ),
            None => format!("the scenario has to name `{module}` in its list `mods`"),
        }
    }

    /// What does not fit because of what a player left out, and would fit without
    /// that: then nothing near is offered.
    fn unfit(&self, found: &Found, overrides: &Overrides, faults: Vec<Fault>) -> Vec<Fault> {
        let own = Overrides {
            with: overrides.with.clone(),
            ..Overrides::default()
        };
        let is_asked = !overrides.without.is_empty();
        if !is_asked || self.prepare(found, &own).is_err() {
            return faults;
        }
        let hint = format!(
            "the command leaves out {}; with it the scenario can be set up",
            words(&overrides.without)
        );
        faults.into_iter().map(|fault| fault.hint(&*hint)).collect()
    }

    /// What is wrong in a selection is at the scenario, but for what is wrong
    /// only because of what a player asked for beside it.
    fn whose(&self, found: &Found, overrides: &Overrides, faults: Vec<Fault>) -> Vec<Fault> {
        let selectors = overrides.with.iter().chain(&overrides.without).cloned();
        let options = overrides
            .options
            .iter()
            .map(|(id, value)| format!("{id}={value}"));
        let amends = overrides.amends.iter().map(Amendment::to_string);
        let asked: Vec<String> = selectors
            .chain(options)
            .chain(amends)
            .map(|word| format!("`{word}`"))
            .collect();
        let own = match asked.is_empty() {
            true => None,
            false => {
                let alone = self.request(&found.scenario, &Overrides::default());
                let alone = alone.and_then(|request| request.resolve(&self.library.manifests));
                Some(alone.err().unwrap_or_default())
            }
        };
        let place = |fault: Fault| match &own {
            Some(own) if fault.place.is_none() && !own.contains(&fault) => asked_for(
                fault,
                &format!("{}; the scenario does not", asked.join(", ")),
            ),
            _ => {
                let place = found.scenario.place_of(&found.source, &fault);
                fault.at(place)
            }
        };
        faults.into_iter().map(place).collect()
    }
}

/// A fault with what the command asked for that it came of, behind the hint that it has.
pub fn asked_for(fault: Fault, what: &str) -> Fault {
    let asked = format!("the command asked for {what}");
    let hint = match &fault.hint {
        Some(hint) if hint.ends_with(['.', '?']) => format!("{hint} {asked}"),
        Some(hint) => format!("{hint}; {asked}"),
        None => asked,
    };
    fault.hint(hint)
}

/// Selectors in words.
fn words(selectors: &[String]) -> String {
    let each: Vec<String> = selectors.iter().map(|text| format!("`{text}`")).collect();
    each.join(", ")
}
