//! The registrar at which scripts register: who keeps what they say, where it is from,
//! and how the tables are read in which they say it.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, owner_of};
use mlua::{Function, Lua, Table, Value as LuaValue};

use crate::chapters::{Chapters, dotted};
use crate::taking::describe;
use crate::vm::{Shared, caller};
use rules::hosting::registry::LayerBody;
use rules::limits::CHECKS_A_REGISTRATION;
use rules::registration::{Origin, Registrar};

/// The registrar, and the machine from whose scripts things are registered.
pub(crate) struct ScriptRegistrar {
    /// What running functions share.
    pub shared: Rc<Shared>,
    /// Who checks and keeps what is registered.
    pub common: Rc<Registrar>,
    /// What is known of chapters.
    pub chapters: Chapters,
    /// All clauses by their ids with one separator, once somebody looks for one.
    plain_clauses: OnceCell<BTreeMap<String, Name>>,
    /// What makes functions that give what a header says instead of a rule, once
    /// there is one.
    pub(crate) neutral: OnceCell<Function>,
}

impl Deref for ScriptRegistrar {
    type Target = Registrar;

    fn deref(&self) -> &Registrar {
        &self.common
    }
}

/// So many registrations of a game may be wrong before a file is not run on.
const MOST_NOTED: usize = 100;

impl ScriptRegistrar {
    /// Of a machine and a registrar, with no chapters yet.
    pub fn new(shared: Rc<Shared>, registrar: Rc<Registrar>) -> ScriptRegistrar {
        let (chapters, plain_clauses, neutral) = Default::default();
        ScriptRegistrar {
            shared,
            common: registrar,
            chapters,
            plain_clauses,
            neutral,
        }
    }

    /// The clause of an id, with whatever separators.
    fn clause_like(&self, id: &str) -> Option<&Name> {
        let all = self.plain_clauses.get_or_init(|| {
            let mut all = BTreeMap::new();
            for clause in self.clauses.keys() {
                all.entry(clause.replace('-', "_"))
                    .or_insert_with(|| clause.clone());
            }
            all
        });
        all.get(&id.replace('-', "_"))
    }

    /// The origin of a registration.
    pub fn origin(&self, lua: &Lua, spec: Option<&Table>) -> mlua::Result<Origin> {
        self.shared.charge(lua, CHECKS_A_REGISTRATION)?;
        let place = caller(lua).unwrap_or_default();
        self.still_open()
            .map_err(|fault| self.shared.fault(lua, fault))?;
        let cites = spec.map_or(Ok(Vec::new()), |spec| names(spec, "cites"))?;
        Ok(self.origin_of(place, cites, false))
    }

    /// Whether something may be registered yet.
    ///
    /// # Errors
    /// When all files were loaded.
    pub fn still_open(&self) -> Result<(), Fault> {
        if self.is_open.get() {
            return Ok(());
        }
        Err(Fault::new(
            FaultCode::NotAllowed,
            "expected registrations at the top level of a rules file, found one inside a rule",
        ))
    }

    /// The id and the origin of what is declared, by the header of the chapter to
    /// which it is assigned: it may cite clauses beside those without which it is
    /// not there. An action may say both itself.
    pub fn declared(
        &self,
        lua: &Lua,
        header: &Table,
        word: &str,
    ) -> mlua::Result<Option<(String, Origin)>> {
        let origin = self.origin(lua, Some(header))?;
        let id = needed(header, "id", "the full id")?;
        let origin = Origin {
            mentions: names(header, "mentions")?.into(),
            ..origin
        };
        Ok(self.own_id(&origin, &id, word).then_some((id, origin)))
    }

    /// The clauses that a doc comment or a line means: short ones within a
    /// chapter or the mod, full ones, with whatever separators.
    pub(crate) fn clause_of(
        &self,
        module: &str,
        chapter: Option<&str>,
        written: &str,
    ) -> Result<Name, Fault> {
        let wanted = match chapter.filter(|_| !written.contains('.')) {
            Some(chapter) => vec![dotted([module, chapter, written])],
            None => vec![written.to_string(), [module, ".", written].concat()],
        };
        for id in &wanted {
            let exact = self.clauses.get_key_value(&**id).map(|(clause, _)| clause);
            if let Some(clause) = exact.or_else(|| self.clause_like(id)) {
                return Ok(clause.clone());
            }
        }
        // What begins with a mod is meant in full.
        let is_full = self
            .clauses
            .keys()
            .any(|clause| owner_of(clause) == owner_of(written));
        let meant = if is_full {
            written
        } else {
            wanted.last().map_or(written, String::as_str)
        };
        Err(self.unknown_clause(meant))
    }

    /// The origin of a line, or of a wrap by name.
    pub(crate) fn origin_of_line(&self, lua: &Lua, clauses: &LuaValue) -> Result<Origin, Fault> {
        let origin = self.origin(lua, None).map_err(|_| self.taken())?;
        let cites = self.clause_list(&origin.module, clauses)?;
        Ok(Origin {
            cites: cites.into(),
            ..origin
        })
    }

    /// The fault that was raised already.
    pub(crate) fn taken(&self) -> Fault {
        match &*self.shared.stop.borrow() {
            Some(kernel::rules::Stop::Fault(fault)) => fault.clone(),
            _ => Fault::new(
                FaultCode::NotAllowed,
                "expected registrations at the top level of a rules file",
            ),
        }
    }

    pub(crate) fn clause_list(&self, module: &str, clauses: &LuaValue) -> Result<Vec<Name>, Fault> {
        let written: Vec<String> = match clauses {
            LuaValue::String(one) => vec![one.to_string_lossy().to_string()],
            LuaValue::Table(list) => list.sequence_values::<String>().flatten().collect(),
            other => {
                let message = format!(
                    "expected a clause first, or a list of them, found {}",
                    describe(other)
                );
                return Err(Fault::new(FaultCode::BadSignature, message));
            }
        };
        if written.is_empty() {
            return Err(Fault::new(
                FaultCode::BadSignature,
                "expected a clause first, found none",
            ));
        }
        written
            .iter()
            .map(|one| self.clause_of(module, None, one))
            .collect()
    }

    /// Notes what is wrong with a registration on which nothing else in the file
    /// stands: it goes on, so that all that is wrong in it is told at once.
    ///
    /// # Errors
    /// Where it may not go on.
    pub fn note(&self, lua: &Lua, fault: Fault) -> mlua::Result<()> {
        let is_misdeclared = matches!(
            fault.code,
            FaultCode::BadSignature | FaultCode::UnknownClause
        );
        let is_noted = is_misdeclared && self.shared.stop.borrow().is_none();
        if !is_noted || self.registrations.borrow().faults.len() >= MOST_NOTED {
            return Err(self.shared.fault(lua, fault));
        }
        let place = fault
            .place
            .clone()
            .or_else(|| caller(lua))
            .unwrap_or_default();
        self.report(fault.at(place));
        Ok(())
    }
}

/// What runs when a layer is called: a function of a script.
pub(crate) fn script(function: Function) -> LayerBody {
    LayerBody::Script(Rc::new(function))
}

/// The function of a script that runs when a layer is called.
pub(crate) fn function_of(body: &LayerBody) -> Option<&Function> {
    match body {
        LayerBody::Script(function) => function.downcast_ref(),
        LayerBody::Nothing | LayerBody::Lines(_) | LayerBody::Component(_) => None,
    }
}

pub(crate) fn names(table: &Table, field: &str) -> mlua::Result<Vec<Name>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(Vec::new()),
        LuaValue::String(one) => Ok(vec![Arc::from(&*one.to_str()?)]),
        LuaValue::Table(list) => {
            let name = |name: mlua::Result<String>| match name {
                Ok(name) => Ok(Arc::from(name)),
                Err(_) => Err(mlua::Error::runtime(format!(
                    "`{field}`: expected a list of ids"
                ))),
            };
            list.sequence_values::<String>().map(name).collect()
        }
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected a list of ids, found {}",
            describe(&other)
        ))),
    }
}

pub(crate) fn text(table: &Table, field: &str) -> mlua::Result<Option<String>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::String(text) => Ok(Some(text.to_str()?.to_string())),
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected a text, found {}",
            describe(&other)
        ))),
    }
}

pub(crate) fn name(table: &Table, field: &str) -> mlua::Result<Option<Name>> {
    Ok(text(table, field)?.map(Arc::from))
}

pub(crate) fn needed(table: &Table, field: &str, what: &str) -> mlua::Result<String> {
    text(table, field)?.ok_or_else(|| mlua::Error::runtime(format!("`{field}` is missing: {what}")))
}

pub(crate) fn function(table: &Table, field: &str) -> mlua::Result<Option<Function>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::Function(function) => Ok(Some(function)),
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected a function, found {}",
            describe(&other)
        ))),
    }
}

pub(crate) fn list(table: &Table, field: &str) -> mlua::Result<Option<Table>> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(None),
        LuaValue::Table(list) => Ok(Some(list)),
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected a table, found {}",
            describe(&other)
        ))),
    }
}

pub(crate) fn flag(table: &Table, field: &str) -> mlua::Result<bool> {
    match table.get::<LuaValue>(field)? {
        LuaValue::Nil => Ok(false),
        LuaValue::Boolean(yes) => Ok(yes),
        other => Err(mlua::Error::runtime(format!(
            "`{field}`: expected true or false, found {}",
            describe(&other)
        ))),
    }
}

/// The fields that a specification may have; anything else is a slip.
pub(crate) fn only(table: &Table, allowed: &[&str]) -> mlua::Result<()> {
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (LuaValue::String(key), _) = pair? else {
            return Err(mlua::Error::runtime(
                "expected fields by name, found a list",
            ));
        };
        let key = key.to_str()?;
        if !allowed.contains(&&*key) {
            let hint = match kernel::world::closest(&key, allowed.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected one of `{}`", allowed.join("`, `")),
            };
            return Err(mlua::Error::runtime(format!(
                "unknown field `{key}`; {hint}"
            )));
        }
    }
    Ok(())
}
