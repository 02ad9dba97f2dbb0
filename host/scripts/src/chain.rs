//! Calls out of the machine and into it: the layers of one rule may be written
//! in several languages.

use std::cell::OnceCell;
use std::rc::{Rc, Weak};

use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Type, Value};
use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Value as LuaValue};

use crate::profiling::Profiler;
use crate::taking::{from_lua, result_from_lua};
use crate::values::to_lua;
use crate::vm::{Shared, limited, unlimited};
use rules::hosting::calls::{bad_argument, direct};
use rules::hosting::chain::{Chain, Stopped};
use rules::hosting::registry::Returns;
use rules::hosting::{Lookup, Scripts, layer_mark};

/// The machine, for those outside of it.
pub(super) struct Outside {
    /// The machine.
    pub lua: Lua,
    /// What its running functions share.
    pub shared: Rc<Shared>,
}

impl Scripts for Outside {
    fn call(&self, chain: &Chain, level: usize, args: &[Value]) -> Result<Value, Stopped> {
        self.shared.call_script(&self.lua, chain, level, args)
    }

    fn layers_running(&self) -> Vec<u32> {
        self.shared.running(&self.lua)
    }

    fn tidy_answers(&self) {
        self.shared.answers.tidy(&self.lua);
    }

    fn apart(
        &self,
        chain: &Chain,
        args: &[Value],
        run: &dyn Fn() -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        self.shared.apart(chain, args, run)
    }

    fn spoil_nested(&self) {
        self.shared.spoil_nested();
    }

    fn reach(&self, mark: &str) {
        let reaching = &self.shared.answers.reaching;
        if reaching.is_on() {
            reaching.note(mark.as_bytes());
        }
    }

    fn layer_entered(&self, layer: u32) {
        if self.shared.answers.reaching.is_on() {
            self.reach(&layer_mark(layer));
        }
        self.shared.measure(layer, Profiler::enter);
    }

    fn layer_left(&self, layer: u32) {
        self.shared.measure(layer, Profiler::leave);
    }

    fn looked_up(&self, lookup: Lookup, id: &Name) {
        self.shared.profiler.looked_up(lookup, id);
    }
}

/// The function by which scripts call a layer of a component.
///
/// # Errors
/// When the machine has no memory for it.
pub(super) fn component_function(
    lua: &Lua,
    shared: &Rc<Shared>,
    rule: &Name,
    level: usize,
) -> mlua::Result<Function> {
    // Found at the first call. The chain holds this function, not the other way round.
    let found = OnceCell::<Weak<Chain>>::new();
    let (shared, rule) = (shared.clone(), rule.clone());
    lua.create_function(move |lua, list: MultiValue| {
        let look = || {
            let chain = shared.chains.borrow().get(&rule).cloned()?;
            let _ = found.set(Rc::downgrade(&chain));
            Some(chain)
        };
        let chain = found.get().and_then(Weak::upgrade).or_else(look);
        let Some(chain) = chain else {
            return Err(mlua::Error::runtime("the rule is not bound"));
        };
        let tables = shared.tables()?;
        // A wrap gets the rule under it first, then all get the game.
        let before = if level > 0 { 2 } else { 1 };
        let mut args = Vec::with_capacity(chain.signature.args.len());
        for (i, field) in chain.signature.args.iter().enumerate() {
            let value = from_lua(
                &tables,
                list.get(before + i).unwrap_or(&LuaValue::Nil),
                &field.ty,
            );
            let value = value.map_err(|m| {
                shared.fault(lua, bad_argument(&chain, field, &m).in_rule(&chain.rule))
            })?;
            args.push(value);
        }
        let outcome = unlimited(lua, || direct(&shared.running, &chain, level, &args));
        let Ok(value) = outcome else {
            return Err(mlua::Error::runtime("this rule has been stopped"));
        };
        match (&chain.signature.returns, value) {
            (Returns::Value(Type::Verdict), Value::Text(why)) => (false, &*why).into_lua_multi(lua),
            (Returns::Value(Type::Verdict), _) => true.into_lua_multi(lua),
            (_, value) => to_lua(lua, &tables, &value)?.into_lua_multi(lua),
        }
    })
}

impl Shared {
    /// Calls a layer of a rule that is a function of a script, with all under
    /// it, from outside of the machine.
    pub(crate) fn call_script(
        &self,
        lua: &Lua,
        chain: &Chain,
        level: usize,
        args: &[Value],
    ) -> Result<Value, Stopped> {
        self.mark_outside(lua);
        let outcome = limited(lua, || self.pass(lua, chain, level, args));
        match outcome {
            Ok((first, second)) => self.result_of(chain, &first, &second),
            Err(_) if self.stop.borrow().is_some() => Err(Stopped),
            Err(error) => Err(self.stop_with(self.raised(&error, &chain.rule))),
        }
    }

    fn pass(
        &self,
        lua: &Lua,
        chain: &Chain,
        level: usize,
        args: &[Value],
    ) -> mlua::Result<(LuaValue, LuaValue)> {
        let tables = self.tables()?;
        let mut list = MultiValue::with_capacity(args.len() + 1);
        // Whoever is outside of the machine has asked for an answer itself.
        list.push_back(LuaValue::Boolean(false));
        for arg in args {
            list.push_back(to_lua(lua, &tables, arg)?);
        }
        let function = self.built.borrow().get(&chain.links[level].number).cloned();
        let function = function.ok_or_else(|| mlua::Error::runtime("the rule is not bound"))?;
        function.call(list)
    }

    fn result_of(
        &self,
        chain: &Chain,
        first: &LuaValue,
        second: &LuaValue,
    ) -> Result<Value, Stopped> {
        let tables = self
            .tables()
            .map_err(|error| self.stop_with(self.fault_of(&error)))?;
        let value = match &chain.signature.returns {
            Returns::Nothing => return Ok(Value::None),
            Returns::Value(ty) => result_from_lua(&tables, first, second, ty),
            Returns::Domain(_) => from_lua(&tables, first, &Type::Any),
        };
        value.map_err(|mismatch| {
            let message = format!("`{}` returns: {mismatch}", chain.rule);
            self.stop_with(Fault::new(FaultCode::BadReturn, message).in_rule(&chain.rule))
        })
    }

    /// Notes for every running function of a component that has not called a
    /// script yet how many scripts run outside of it.
    fn mark_outside(&self, lua: &Lua) {
        if self
            .frames
            .borrow()
            .last()
            .is_none_or(|frame| frame.outside.is_some())
        {
            return;
        }
        let outside = self.running(lua).len() - self.frames.borrow().len();
        for frame in self.frames.borrow_mut().iter_mut().rev() {
            if frame.outside.is_some() {
                break;
            }
            frame.outside = Some(outside);
        }
    }
}
