//! Nothing of a game lives in a script: what files have made while they were
//! loaded stays as it is from then on.
//!
//! A rule can hold on to something between two calls in two ways only. It can
//! write into a table that outlives the call: so every table that registered
//! functions can reach is frozen, and writing to it is a fault on that line.
//! Or it can assign to a local of a function around it: the compiled code says
//! which functions do, and those that registered functions can reach are
//! refused when the mods are composed. A function that rules make for
//! themselves while they run, and its locals, are gone when they end.

use kernel::error::{Fault, FaultCode, Place};
use mlua::{Function, Table, Value as LuaValue};

use crate::lua::code::Assigner;
use crate::lua::registration::{RawRows, Registrations};
use crate::lua::registry::Body;
use crate::lua::vm::unlimited;
use crate::lua::{LuaHost, load, upvalues};

/// What to do about a local that is assigned.
const HINT: &str = "state lives in entities: keep it in an attribute of one";

/// What to do about a table that cannot be written to.
pub(super) const HINT_OF_TABLE: &str =
    "what files have made stays as it is: keep state in attributes of entities, or change a `table.clone`";

/// More of the name of a file than this the machine does not tell.
const LONGEST_NAME: usize = 255;

impl LuaHost {
    /// Freezes all that registered functions can reach, when all files of the
    /// mods have been loaded.
    ///
    /// # Errors
    /// Functions among it that assign to locals outside of them, with the line.
    pub(crate) fn freeze(&self, heard: &Registrations) -> Result<(), Vec<Fault>> {
        #[cfg(test)]
        if tests::LEAVES_OPEN.get() {
            return Ok(());
        }
        let failed = |error: mlua::Error| {
            vec![Fault::new(FaultCode::Script, format!("what mods have made cannot be frozen: {error}"))]
        };
        let mut found = self.uncharged(|| self.frozen(heard)).map_err(failed)?;
        found.sort();
        found.dedup();
        if found.is_empty() { Ok(()) } else { Err(found.iter().map(assigned).collect()) }
    }

    /// Runs what is the host's own, whatever mods have left of their budget.
    pub(super) fn uncharged<T>(&self, run: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
        let budget = self.shared.budget.replace(u64::MAX);
        let outcome = unlimited(&self.lua, run);
        self.shared.budget.set(budget);
        outcome
    }

    fn frozen(&self, heard: &Registrations) -> mlua::Result<Vec<Found>> {
        let roots = self.lua.create_table()?;
        for layer in &heard.layers {
            if let Body::Luau(function) = &layer.body {
                roots.push(function)?;
            }
        }
        heard.lines.iter().try_for_each(|line| roots.push(&line.spec))?;
        for edit in &heard.edits {
            match &edit.rows {
                RawRows::Luau(rows) => roots.push(rows)?,
                #[cfg(feature = "wasm")]
                RawRows::Values(_) => {}
            }
        }
        self.files.loaded_values().iter().try_for_each(|value| roots.push(value))?;
        let (assigns, places) = self.assigns()?;
        let metatable = self.lua.create_function(|_, table: Table| Ok(table.metatable()))?;
        let freeze = self.lua.create_function(|_, table: Table| {
            table.set_readonly(true);
            Ok(())
        })?;
        let info: Function = self.lua.named_registry_value("houserule.info")?;
        let name = "=[houserule]/frozen.luau".to_string();
        let walk: Function = load::chunk(&self.lua, include_str!("frozen.luau"), name).call((
            info,
            upvalues::reader(&self.lua)?,
            metatable,
            freeze,
        ))?;
        let found: Vec<usize> = walk.call((roots, assigns))?;
        Ok(found.into_iter().filter_map(|number| places.get(number).cloned()).collect())
    }

    /// Functions that assign to upvalues by source, line and shape, each with
    /// numbers; and by number what is assigned where.
    fn assigns(&self) -> mlua::Result<(Table, Vec<Found>)> {
        let assigns = self.lua.create_table()?;
        let mut places = Vec::new();
        for (module, path, assigners) in self.files.assigners() {
            let mut source = format!("{module}/{path}");
            source.truncate(source.floor_char_boundary(LONGEST_NAME));
            let lines = entry(&self.lua, &assigns, source)?;
            for Assigner { line, shape, assigned } in assigners.iter() {
                let shapes = entry(&self.lua, &lines, *line)?;
                let numbers = entry(&self.lua, &shapes, shape.as_str())?;
                for (name, line) in assigned {
                    numbers.push(places.len())?;
                    let place = Place::new(module.clone(), path.as_str(), *line);
                    places.push((place, name.clone()));
                }
            }
        }
        Ok((assigns, places))
    }
}

/// A place at which a local is assigned, and its name.
type Found = (Place, String);

/// The table under a key, made if it is not there.
fn entry(lua: &mlua::Lua, table: &Table, key: impl mlua::IntoLua + Clone) -> mlua::Result<Table> {
    if let LuaValue::Table(found) = table.raw_get(key.clone())? {
        return Ok(found);
    }
    let made = lua.create_table()?;
    table.raw_set(key, &made)?;
    Ok(made)
}

fn assigned((place, name): &Found) -> Fault {
    let message = format!(
        "expected rules to keep nothing between two calls, found that `{name}`, a local outside of this function, is assigned"
    );
    Fault::new(FaultCode::HiddenState, message).at(place.clone()).hint(HINT)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::sync::Arc;

    use kernel::decision::Input;
    use kernel::error::{Fault, FaultCode};
    use kernel::value::Value;

    use crate::modset::files::Sources;
    use crate::play::{Match, Refused};
    use crate::workshop::{Wishes, Workshop};

    thread_local! {
        /// Whether nothing is frozen: what else finds hidden state is tested so.
        pub(super) static LEAVES_OPEN: Cell<bool> = const { Cell::new(false) };
    }

    /// A match of the field of `base` with one action, `m.act`.
    fn started(state: &str, act: &str) -> Result<Match, Vec<Fault>> {
        let manifest = "Mod(id: \"m\", version: \"1.0.0\", title: \"M\", authors: [], engine: \"0.1\", groups: [], depends: [(\"base\", \"^1\")])";
        let rules = format!(
            "local rules = require(\"@rules\")\n{state}\nrules.action {{ id = \"m.act\", title = \"Act\", phase = \"base.turn\", perform = function(game)\n{act}\nend }}\n"
        );
        let files = [("mod.ron", manifest), ("rules/x.luau", &rules)];
        let files = files.into_iter().map(|(path, text)| (path.to_string(), Arc::from(text))).collect();
        let base = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/base");
        let sources = BTreeMap::from([
            ("base".into(), Sources::read(&base).unwrap()),
            ("m".into(), Sources::from_memory("m", files)),
        ]);
        let (workshop, faults) = Workshop::from_sources(sources);
        assert!(faults.is_empty(), "{faults:?}");
        let found = workshop.scenario("base/field").unwrap();
        let wishes = Wishes { with: vec!["m".into()], ..Wishes::default() };
        Ok(workshop.start(&found, &wishes)?.0)
    }

    fn act(game: &mut Match) -> Result<(), FaultCode> {
        let by = game.wanted().sides()[0];
        let input =
            Input::Act { by, action: "m.act".into(), actor: None, params: Value::Map(Arc::default()) };
        match game.submit(&input) {
            Ok(()) => Ok(()),
            Err(Refused::Fault { fault, .. }) => Err(fault.code),
            Err(other) => panic!("{other}"),
        }
    }

    const COUNTS: (&str, &str) =
        ("local count = 0", "count += 1\ngame:emit(\"base.note\", { text = `{count}` })");
    const FILLS: (&str, &str) = ("local seen = {}", "table.insert(seen, 1)\ngame:get(\"r1\").hp = #seen");

    #[test]
    fn what_a_script_keeps_is_found_before_it_does_harm() {
        let faults = started(COUNTS.0, COUNTS.1).err().unwrap();
        assert_eq!((faults.len(), faults[0].code), (1, FaultCode::HiddenState));
        assert_eq!(faults[0].place.as_ref().unwrap().line, 4);
        let mut game = started(FILLS.0, FILLS.1).unwrap();
        let before = game.mark();
        assert_eq!(act(&mut game), Err(FaultCode::Script));
        assert_eq!(game.mark(), before);
    }

    #[test]
    fn what_was_not_found_before_is_found_when_an_input_is_taken_twice() {
        LEAVES_OPEN.set(true);
        for (state, text) in [COUNTS, FILLS] {
            let mut game = started(state, text).unwrap();
            assert_eq!(act(&mut game), Ok(()));
            game.check_twice();
            let before = game.mark();
            assert_eq!(act(&mut game), Err(FaultCode::HiddenState));
            assert_eq!(game.mark(), before);
        }
        LEAVES_OPEN.set(false);
    }
}
