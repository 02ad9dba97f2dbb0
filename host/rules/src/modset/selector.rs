//! Selectors: which mods, groups and clauses a game uses, as one line that can
//! be pasted.
//!
//! | written | takes |
//! |---|---|
//! | `iceburg` | the mod: the default clauses of its default groups |
//! | `iceburg:rfac,sam` | of the mod only these groups: their default clauses |
//! | `iceburg:rfac.cost`, `iceburg.rfac.cost` | of the mod only this clause |
//! | `dsii.apfc` | of the mod only the clause of that id; if there is none, the group |
//! | `-iceburg.rfac.cost`, `-iceburg:sam`, `-iceburg` | away, with all that requires it |
//! | `dsii.fire.hel_band=medium` | that option set |
//! | `dsii.fire.ranges[RFAC,1].close=10in` | that cell of a table changed |
//!
//! Mods that a mod depends on come along whole, unless they are named
//! themselves. What a clause requires comes along too. Core clauses are always
//! on; only the test runner can take one away (`-!iceburg.rfac.cost`).

mod amendment;
mod choose;
mod line;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value, is_word};

use super::files::is_mod_id;
use super::group::is_clause_id;
use super::manifest::check_requires;
use super::manifests::Manifests;
use super::order::LoadOrder;

pub use amendment::Amendment;

/// A mod, or some of its groups and clauses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Selector {
    /// The mod.
    pub module: Name,
    /// The groups and clauses; none for the mod as a whole.
    pub picks: Vec<Pick>,
}

/// A part of a mod.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pick {
    /// A group, by its name within the mod.
    Group(Name),
    /// A clause, by its full id.
    Clause(Name),
}

impl Selector {
    /// Reads `iceburg`, `iceburg:rfac,sam.range` or `iceburg.rfac.cost`.
    ///
    /// ```
    /// use rules::modset::selector::Selector;
    /// let selector = Selector::parse("iceburg:rfac,sam.range").unwrap();
    /// assert_eq!(selector.to_string(), "iceburg:rfac,sam.range");
    /// assert!(Selector::parse("iceburg:").is_err());
    /// ```
    ///
    /// # Errors
    /// When it has another form. Whether the mod has such a clause is checked
    /// by [`Request::resolve`].
    pub fn parse(text: &str) -> Result<Selector, Fault> {
        Selector::read(text).ok_or_else(|| {
            let message = format!(
                "expected a selector such as `mod`, `mod:group` or a clause id, found `{text}`"
            );
            Fault::new(FaultCode::UnknownMod, message)
        })
    }

    fn read(text: &str) -> Option<Selector> {
        let (module, picks) = match text.split_once(':') {
            Some((module, picks)) => (module, Some(picks.split(',').collect::<Vec<_>>())),
            None => match text.split_once('.') {
                Some((module, pick)) => (module, Some(vec![pick])),
                None => (text, None),
            },
        };
        let is_listed = text.contains(':');
        let pick = |pick: &str| {
            if is_word(pick) && is_listed {
                return Some(Pick::Group(pick.into()));
            }
            let id = format!("{module}.{pick}");
            is_clause_id(&id).then(|| Pick::Clause(id.into()))
        };
        let picks: Vec<Pick> = picks
            .into_iter()
            .flatten()
            .map(pick)
            .collect::<Option<_>>()?;
        is_mod_id(module).then(|| Selector {
            module: module.into(),
            picks,
        })
    }

    fn whole(module: &Name) -> Selector {
        Selector {
            module: module.clone(),
            picks: Vec::new(),
        }
    }

    fn of(module: &Name, picks: Vec<Pick>) -> Option<Selector> {
        (!picks.is_empty()).then(|| Selector {
            module: module.clone(),
            picks,
        })
    }

    /// What is left of it without what others name in the same words; nothing if that is all of it.
    ///
    /// ```
    /// use rules::modset::selector::Selector;
    /// let selector = |text| Selector::parse(text).unwrap();
    /// let left = selector("iceburg:rfac,sam").but_for(&[selector("iceburg:sam")]);
    /// assert_eq!(left.unwrap().to_string(), "iceburg:rfac");
    /// assert_eq!(selector("iceburg").but_for(&[selector("iceburg")]), None);
    /// ```
    pub fn but_for(mut self, others: &[Selector]) -> Option<Selector> {
        let of_mod = || others.iter().filter(|other| other.module == self.module);
        if self.picks.is_empty() {
            return of_mod()
                .all(|other| !other.picks.is_empty())
                .then_some(self);
        }
        let named: Vec<&Pick> = of_mod().flat_map(|other| &other.picks).collect();
        self.picks.retain(|pick| !named.contains(&pick));
        (!self.picks.is_empty()).then_some(self)
    }
}

impl Selector {
    /// The words that say it: one, and one more for each clause that is called
    /// as its group, which in a list would be the group.
    fn words(&self) -> Vec<String> {
        if let [Pick::Clause(id)] = self.picks.as_slice() {
            return vec![id.to_string()];
        }
        let (mut listed, mut words) = (Vec::new(), Vec::new());
        for pick in &self.picks {
            match pick {
                Pick::Group(name) => listed.push(&**name),
                Pick::Clause(id) => match id.get(self.module.len() + 1..) {
                    Some(rest) if !is_word(rest) => listed.push(rest),
                    _ => words.push(id.to_string()),
                },
            }
        }
        if self.picks.is_empty() {
            words.push(self.module.to_string());
        } else if !listed.is_empty() {
            words.insert(0, format!("{}:{}", self.module, listed.join(",")));
        }
        words
    }

    /// The group, where a clause is named that is none.
    fn settled(&self, manifests: &Manifests) -> Selector {
        let Some(manifest) = manifests.get(&self.module) else {
            return self.clone();
        };
        let settle = |pick: &Pick| match pick {
            Pick::Clause(id) if manifest.clauses().all(|(_, clause)| clause.id != *id) => {
                match id.get(self.module.len() + 1..).filter(|rest| is_word(rest)) {
                    Some(group) => Pick::Group(group.into()),
                    None => pick.clone(),
                }
            }
            _ => pick.clone(),
        };
        Selector {
            module: self.module.clone(),
            picks: self.picks.iter().map(settle).collect(),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(" "))
    }
}

/// What somebody asks for: a selector line in parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// What to take.
    pub with: Vec<Selector>,
    /// What to take away.
    pub without: Vec<Selector>,
    /// Options with their values as text.
    pub options: Vec<(Name, String)>,
    /// Cells of tables to change.
    pub amends: Vec<Amendment>,
    /// Clauses to take away even if they are core: for tests that show what a
    /// clause does.
    pub force_without: Vec<Name>,
}

impl Request {
    /// Puts together what a player says in pieces: lines of what to take,
    /// lines of what to leave out, options.
    ///
    /// # Errors
    /// Every line that does not parse.
    pub fn gather<'a>(
        with: impl IntoIterator<Item = &'a String>,
        without: impl IntoIterator<Item = &'a String>,
        options: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> Result<Request, Vec<Fault>> {
        let mut request = Request::default();
        let mut faults = Vec::new();
        let mut parse = |line: &str| match Request::parse(line) {
            Ok(part) => part,
            Err(more) => {
                faults.extend(more);
                Request::default()
            }
        };
        for line in with {
            let part = parse(line);
            request.with.extend(part.with);
            request.without.extend(part.without);
            request.options.extend(part.options);
            request.amends.extend(part.amends);
            request.force_without.extend(part.force_without);
        }
        for line in without {
            request.without.extend(parse(line).with);
        }
        for (id, value) in options {
            request
                .options
                .push((Name::from(id.as_str()), value.clone()));
        }
        if faults.is_empty() {
            Ok(request)
        } else {
            Err(faults)
        }
    }

    /// Reads a selector line.
    ///
    /// ```
    /// use rules::modset::selector::Request;
    /// let line = "dsii iceburg:rfac,sam -iceburg.rfac.cost dsii.fire.hel_band=medium";
    /// assert_eq!(Request::parse(line).unwrap().to_string(), line);
    /// ```
    ///
    /// # Errors
    /// Every part that has another form.
    pub fn parse(line: &str) -> Result<Request, Vec<Fault>> {
        let mut request = Request::default();
        let mut faults = Vec::new();
        for part in split(line) {
            faults.extend(request.take(part).err());
        }
        if faults.is_empty() {
            Ok(request)
        } else {
            Err(faults)
        }
    }

    fn take(&mut self, part: &str) -> Result<(), Fault> {
        if Amendment::is_meant(part) {
            self.amends.push(Amendment::parse(part)?);
        } else if let Some((id, value)) = part.split_once('=') {
            if !kernel::value::is_id(id) {
                let message = format!("expected the id of an option before `=`, found `{id}`");
                return Err(Fault::new(FaultCode::UnknownOption, message));
            }
            self.options.push((id.into(), value.into()));
        } else if let Some(id) = part.strip_prefix("-!") {
            if !is_clause_id(id) {
                let message = format!("expected a clause id after `-!`, found `{id}`");
                return Err(Fault::new(FaultCode::UnknownClause, message));
            }
            self.force_without.push(id.into());
        } else if let Some(selector) = part.strip_prefix('-') {
            self.without.push(Selector::parse(selector)?);
        } else {
            self.with.push(Selector::parse(part)?);
        }
        Ok(())
    }

    /// Chooses mods, clauses and option values.
    ///
    /// # Errors
    /// Everything that is asked for and not there or cannot be: unknown mods,
    /// groups, clauses and options, values that do not fit, core clauses taken
    /// away, mods that cannot be put in order.
    pub fn resolve(&self, manifests: &Manifests) -> Result<Active, Vec<Fault>> {
        let (request, mut active) = self.settle(manifests)?;
        active.line = line::shortest(&request, &active, manifests).to_string();
        active.asked = line::lasting(&request, &active).to_string();
        Ok(active)
    }

    /// The same without the selector line, which takes most of the time: for
    /// those who compose hundreds of times.
    ///
    /// # Errors
    /// As [`Request::resolve`].
    pub fn resolve_unnamed(&self, manifests: &Manifests) -> Result<Active, Vec<Fault>> {
        self.settle(manifests).map(|(_, active)| active)
    }

    fn settle(&self, manifests: &Manifests) -> Result<(Request, Active), Vec<Fault>> {
        let settled = |list: &[Selector]| list.iter().map(|one| one.settled(manifests)).collect();
        let request = Request {
            with: settled(&self.with),
            without: settled(&self.without),
            ..self.clone()
        };
        let choice = choose::choose(&request, manifests)?;
        let taken = choice.order.mods.iter().filter_map(|id| manifests.get(id));
        let broken = check_requires(manifests, taken);
        if !broken.is_empty() {
            return Err(broken);
        }
        let choose::Selected {
            order,
            clauses,
            options,
            notes,
        } = choice;
        let amends = sorted(&request.amends);
        Ok((
            request,
            Active {
                order,
                clauses,
                options,
                amends,
                line: String::new(),
                asked: String::new(),
                notes,
            },
        ))
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = self.with.iter().flat_map(Selector::words);
        let without = self
            .without
            .iter()
            .flat_map(Selector::words)
            .map(|word| format!("-{word}"));
        let forced = self.force_without.iter().map(|id| format!("-!{id}"));
        let options = self
            .options
            .iter()
            .map(|(id, value)| format!("{id}={value}"));
        let amends = self.amends.iter().map(Amendment::to_string);
        let parts: Vec<String> = with
            .chain(without)
            .chain(forced)
            .chain(options)
            .chain(amends)
            .collect();
        f.write_str(&parts.join(" "))
    }
}

/// What a game uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// The mods, in order.
    pub order: LoadOrder,
    /// The clauses that are on.
    pub clauses: BTreeSet<Name>,
    /// Every option of the mods, with its value.
    pub options: BTreeMap<Name, Value>,
    /// Cells of tables that are changed.
    pub amends: Vec<Amendment>,
    /// The selector line: the shortest that gives the same again.
    pub line: String,
    /// What was asked for, as far as mods in play are concerned: it goes on to ask
    /// for that when manifests say otherwise what comes by itself.
    pub asked: String,
    /// What came along or fell away because of what clauses require, in words.
    pub notes: Vec<String>,
}

/// The same in one order, whoever said them in which; once, where the same is
/// said twice.
fn sorted(amends: &[Amendment]) -> Vec<Amendment> {
    let mut amends = amends.to_vec();
    amends.sort();
    amends.dedup();
    amends
}

/// The parts of a line, split at spaces that are not within quotes or brackets.
fn split(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0usize, 0usize);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (i, c) in line.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '(' | '[' | '{' if !is_quoted => depth += 1,
            ')' | ']' | '}' if !is_quoted => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && !is_quoted && depth == 0 => {
                parts.extend(line.get(start..i));
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(line.get(start..));
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests;
