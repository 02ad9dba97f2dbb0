//! A composed rule as all languages call it: its layers, innermost first, each
//! with what runs and with the function by which scripts call it.

use kernel::error::{Fault, FaultCode};
use kernel::rules::Stop;
use kernel::value::{Name, Value};
use mlua::{Function, Lua, MultiValue, Value as LuaValue};

use crate::lua::registry::{Body, Returns, Signature};
use crate::lua::values::{from_lua, result_from_lua, to_lua};
use crate::lua::vm::{Shared, limited};

/// A composed rule.
pub(crate) struct Chain {
    /// Its id.
    pub rule: Name,
    /// What it takes and gives.
    pub signature: Signature,
    /// Its layers, innermost first.
    pub links: Vec<Link>,
}

/// One layer of a composed rule.
pub(crate) struct Link {
    /// Its number among all layers.
    pub number: u32,
    /// The address of what runs, by which the stack tells it.
    pub address: usize,
    /// What runs.
    pub body: Body,
    /// It and all under it, as scripts call them.
    pub function: Function,
}

/// The rule that runs has been stopped: [`Shared::stop`] says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

impl Shared {
    /// Stops what runs with a fault.
    pub(crate) fn stop_with(&self, fault: Fault) -> Stopped {
        self.stop.borrow_mut().get_or_insert(Stop::Fault(Box::new(fault)));
        Stopped
    }

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
            Err(error) => Err(self.stop_with(self.fault_of(&error).in_rule(&chain.rule))),
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
        list.push_back(LuaValue::Nil);
        for arg in args {
            list.push_back(to_lua(lua, &tables, arg)?);
        }
        chain.links[level].function.call(list)
    }

    fn result_of(&self, chain: &Chain, first: &LuaValue, second: &LuaValue) -> Result<Value, Stopped> {
        let tables = self.tables().map_err(|error| self.stop_with(self.fault_of(&error)))?;
        let value = match &chain.signature.returns {
            Returns::Nothing => return Ok(Value::None),
            Returns::Value(ty) => result_from_lua(&tables, first, second, ty),
            Returns::Domain(_) => from_lua(&tables, first, &kernel::value::Type::Any),
        };
        value.map_err(|mismatch| {
            let message = format!("`{}` returns: {mismatch}", chain.rule);
            self.stop_with(Fault::new(FaultCode::BadReturn, message).in_rule(&chain.rule))
        })
    }

    /// Notes for every running function of a component that has not called a
    /// script yet how many scripts run outside of it.
    fn mark_outside(&self, lua: &Lua) {
        if self.frames.borrow().last().is_none_or(|frame| frame.outside.is_some()) {
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
