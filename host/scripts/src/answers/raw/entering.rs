//! Calling a rule from the kernel: what it is given goes from the kernel to the
//! stack of the machine in one call, without the binding, and what the function
//! around its outermost layer would do besides is done here.

use std::ffi::c_int;
use std::rc::Rc;

use kernel::value::Value;
use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};

use super::asking::{AskedCall, asked, keep_at, pay, push_answer};
use super::calls::{SHOWN, show_value, upvalues};
use super::{
    Functions, closure, houserule_freeze, houserule_limit, houserule_pass, houserule_turn,
    shared_of,
};
use crate::layer::LayerShape;
use crate::seen::SeenValue;
use crate::taking::result_from_seen;
use crate::vm::Shared;
use rules::hosting::registry::Returns;

/// The upvalues of [`enter`] that are the handle of the game, the table of answers and
/// that of the texts in keys.
const GAME: c_int = SHOWN + 1;
const PLACED: c_int = SHOWN + 2;
const TEXTS: c_int = SHOWN + 3;

/// The functions by which the kernel comes in.
pub(crate) struct Entrance {
    enter: Function,
    show: Function,
}

/// The outermost layer of a rule, for the kernel.
pub(crate) struct EnteredRule {
    /// Its function, and what that goes around.
    pub body: Function,
    pub base: Option<Function>,
    /// What it takes and gives.
    pub shape: LayerShape,
    pub returns: Returns,
    /// The number by which its answers are told from those of others, if they are kept.
    pub number: Option<u32>,
}

/// What came of entering a rule.
pub(crate) enum Entered {
    /// What it gave, as a value of its type.
    Taken(Value),
    /// What it gave, and its reason.
    Given(LuaValue, LuaValue),
    /// It gave what it may not give.
    Misfit(LuaValue),
}

/// How what a rule gave comes out of the machine.
#[derive(Debug, Default)]
pub(in crate::answers) enum CameOut {
    /// By the stack.
    #[default]
    Left,
    /// By the stack; the rule may not give it.
    Misfit,
    /// Here.
    Taken(Value),
}

/// What the kernel gives a rule, until a function of the machine takes it.
#[derive(Clone, Copy, Debug)]
pub(in crate::answers) struct OfferedCall {
    args: *const [Value],
    /// None where the rule is not entered.
    rule: *const EnteredRule,
}

impl Entrance {
    /// Those of a machine with the metatables of points and hexes, the table of what was
    /// shown, the handle of the game, and the tables of answers and of texts in keys.
    ///
    /// # Errors
    /// When the machine has no memory for them.
    pub fn of(
        lua: &Lua,
        shared: &Rc<Shared>,
        tables: (&Table, &Table, &Table),
        (game, placed, texts): (&Table, &Table, &Table),
    ) -> mlua::Result<Entrance> {
        let held = shared.clone();
        let owner = lua.create_function(move |_, ()| Ok(Rc::strong_count(&held)))?;
        let functions = Functions {
            address: Rc::as_ptr(shared),
            owner,
        };
        // It is no function of the contract, and looks at no number.
        let mut all = upvalues(lua, 0, tables)?;
        let show = closure(lua, &functions, show, all.clone())?;
        for more in [game, placed, texts] {
            all.push_back(LuaValue::Table(more.clone()));
        }
        let enter = closure(lua, &functions, enter, all)?;
        Ok(Entrance { enter, show })
    }

    /// Calls a rule with the handle of the game and these arguments, which fit, and
    /// counts its work from there on; nothing where one of them cannot be shown here.
    pub fn call(
        &self,
        shared: &Shared,
        rule: &EnteredRule,
        args: &[Value],
    ) -> Option<mlua::Result<Entered>> {
        let call = OfferedCall { args, rule };
        let outcome = offered(shared, call, || match &rule.base {
            Some(base) => self.enter.call((&rule.body, base)),
            None => self.enter.call(&rule.body),
        })?;
        let came = shared.answers.came.take();
        Some(outcome.map(|(first, second)| match came {
            CameOut::Taken(value) => Entered::Taken(value),
            CameOut::Misfit => Entered::Misfit(first),
            CameOut::Left => Entered::Given(first, second),
        }))
    }

    /// What a rule is called with: the handle of the game and these arguments;
    /// nothing where one of them cannot be shown here.
    pub fn shown(&self, shared: &Shared, args: &[Value]) -> Option<mlua::Result<MultiValue>> {
        let rule = std::ptr::null();
        offered(shared, OfferedCall { args, rule }, || self.show.call(()))
    }
}

/// Lets one of the functions take the arguments; nothing if it left them.
fn offered<T>(
    shared: &Shared,
    call: OfferedCall,
    work: impl FnOnce() -> mlua::Result<T>,
) -> Option<mlua::Result<T>> {
    shared.answers.offered.set(Some(call));
    let outcome = work();
    shared.answers.offered.take().is_none().then_some(outcome)
}

/// `enter(body, base?)`: what the rule gives, and its reason.
unsafe extern "C-unwind" fn enter(state: *mut lua_State) -> c_int {
    unsafe {
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(GAME));
        let first = ffi::lua_gettop(state) + 1;
        let Some((shared, call, count)) = arguments(state) else {
            return 0;
        };
        // Whoever offers it waits until the function is over.
        let Some(rule) = call.rule.as_ref() else {
            return 0;
        };
        houserule_limit(state, 1);
        let fits = match rule.number {
            Some(number) => enter_kept(state, shared, rule, number, (first, count)),
            None => pass(state, rule),
        };
        let taken = fits.then(|| take(state, shared, rule)).flatten();
        let is_taken = taken.is_some();
        shared.answers.came.set(match (fits, taken) {
            (false, _) => CameOut::Misfit,
            (true, None) => CameOut::Left,
            (true, Some(value)) => CameOut::Taken(value),
        });
        if is_taken { 0 } else { 2 }
    }
}

/// Runs the body with all that lies over it, and leaves what it gives there; whether
/// that fits.
///
/// # Safety
/// Within a call of [`enter`].
unsafe fn pass(state: *mut lua_State, rule: &EnteredRule) -> bool {
    unsafe {
        let count = ffi::lua_gettop(state) - 1;
        // What it raises passes through: nothing here is held.
        houserule_pass(state, count, rule.shape.results());
        ffi::lua_settop(state, 2);
        rule.shape.may_give(SeenValue::at(state, 1))
    }
}

/// The same of a rule whose answers are kept: asks for one before, and keeps what it
/// gives.
///
/// # Safety
/// Within a call of [`enter`], with so many arguments from one place of the stack on.
unsafe fn enter_kept(
    state: *mut lua_State,
    shared: &Shared,
    rule: &EnteredRule,
    number: u32,
    arguments: (c_int, c_int),
) -> bool {
    let (placed, texts) = (ffi::lua_upvalueindex(PLACED), ffi::lua_upvalueindex(TEXTS));
    unsafe {
        houserule_turn(state);
        let depth = match asked(state, shared, number, arguments, texts) {
            AskedCall::Pass => None,
            AskedCall::Run(depth) => Some(depth),
            AskedCall::Hit(answer, result, why) => {
                ffi::lua_settop(state, 0);
                push_answer(state, answer, (result, why), placed);
                houserule_turn(state);
                return true;
            }
        };
        if !pass(state, rule) {
            return false;
        }
        let is_data = houserule_freeze(state, 1) != 0;
        if let Some(depth) = depth {
            // The kernel gives nothing that a rule could change.
            keep_at(state, shared, depth, is_data, (1, placed));
        }
        pay(state, shared);
        houserule_turn(state);
        true
    }
}

/// Takes what lies on the stack as the rule gives it, unless that is a domain or is of
/// another type: then the binding takes it, and says what is wrong.
///
/// # Safety
/// Within a call of [`enter`], with what the rule gave on the stack.
unsafe fn take(state: *mut lua_State, shared: &Shared, rule: &EnteredRule) -> Option<Value> {
    let ty = match &rule.returns {
        Returns::Nothing => return Some(Value::None),
        Returns::Domain(_) => return None,
        Returns::Value(ty) => ty,
    };
    let tables = shared.tables.try_borrow().ok()?;
    let parts = shared.budget.parts();
    // It lies there until the function is over, and nothing is called meanwhile.
    let (first, second) = unsafe { (SeenValue::at(state, 1), SeenValue::at(state, 2)) };
    let taken = result_from_seen(tables.as_ref()?, first, second, ty);
    if taken.is_err() {
        shared.budget.set_parts(parts);
    }
    taken.ok()
}

/// `show()`: what the rule is called with.
unsafe extern "C-unwind" fn show(state: *mut lua_State) -> c_int {
    unsafe {
        ffi::lua_pushnil(state);
        arguments(state).map_or(0, |(_, _, count)| count + 1)
    }
}

/// Puts the arguments on the stack; how many there are. Nothing where one cannot be
/// shown; then they are still offered.
///
/// # Safety
/// Within a call of [`enter`] or [`show`].
unsafe fn arguments<'a>(state: *mut lua_State) -> Option<(&'a Shared, OfferedCall, c_int)> {
    unsafe {
        let shared = shared_of(state)?;
        let offered = shared.answers.offered.take()?;
        // Whoever offers them waits until the function is over.
        let args: &[Value] = offered.args.as_ref()?;
        let count = c_int::try_from(args.len()).ok()?;
        // What it raises passes through: nothing here is held.
        if ffi::lua_checkstack(state, count + 8) != 0
            && args.iter().all(|arg| show_value(state, arg, 0))
        {
            return Some((shared, offered, count));
        }
        shared.answers.offered.set(Some(offered));
        None
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::Arc;

    use kernel::dice::Die;
    use kernel::game::Effects;
    use kernel::geometry::{Length, Point};
    use kernel::value::{EntityId, Field, Type, Value};
    use mlua::{Lua, Table};

    use super::{Entered, EnteredRule, Entrance};
    use crate::layer::LayerShape;
    use crate::values::Metatables;
    use crate::vm::Shared;
    use rules::hosting::registry::{Returns, Signature};

    /// A rule of this code, which takes anything.
    fn rule(lua: &Lua, code: &str, count: usize, returns: Type) -> EnteredRule {
        let args = (0..count).map(|_| Field {
            name: "x".into(),
            ty: Type::Any,
        });
        let signature = Signature {
            args: args.collect(),
            returns: Returns::Value(returns),
            effects: Effects::READS,
        };
        EnteredRule {
            body: lua.load(code).eval().unwrap(),
            base: None,
            shape: LayerShape::of(&signature, false, false),
            returns: signature.returns,
            number: None,
        }
    }

    /// By what is shared, values are taken out of the machine.
    fn tell_metatables(shared: &Shared, point: &Table, hex: &Table) {
        let (point, hex, budget) = (point.clone(), hex.clone(), shared.budget.clone());
        let die = point.clone();
        *shared.tables.borrow_mut() = Some(Rc::new(Metatables {
            point,
            hex,
            die,
            budget,
        }));
    }

    /// What it gave, as the kernel takes it.
    fn taken(entered: Option<mlua::Result<Entered>>) -> Value {
        match entered.unwrap().unwrap() {
            Entered::Taken(value) => value,
            Entered::Given(found, _) => panic!("{found:?} is left to the binding"),
            Entered::Misfit(found) => panic!("{found:?} does not fit"),
        }
    }

    #[test]
    fn arguments_go_in_without_the_binding_and_dice_are_left_to_it() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        let [point, hex, shown, game] = [(); 4].map(|()| lua.create_table().unwrap());
        let tables = (&point, &hex, &shown);
        tell_metatables(&shared, &point, &hex);
        let entrance = Entrance::of(&lua, &shared, tables, (&game, &shown, &shown)).unwrap();
        game.set("is_handle", true).unwrap();
        let code = "return function(game, unit, at, way, record)
                assert(game.is_handle and at.x == 3 and #way == 2 and record.names[1] == 'one')
                assert(table.isfrozen(way) and table.isfrozen(record.names))
                return { unit = unit, at = at }, 'why'
            end";
        let at = Value::Point(Point::new(Length::from_um(3), Length::from_um(-4)));
        let way = Value::list([at.clone(), at.clone()]);
        let record = Value::record([("names", Value::list([Value::text("one")]))]);
        let args = [Value::Entity(EntityId(7)), at, way, record];
        let list = rule(&lua, code, 4, Type::Any);
        let given = Value::record([("at", args[1].clone()), ("unit", args[0].clone())]);
        assert_eq!(taken(entrance.call(&shared, &list, &args)), given);
        let code = "return function() return false, 'why' end";
        let verdict = rule(&lua, code, 4, Type::Verdict);
        let why = taken(entrance.call(&shared, &verdict, &args));
        assert_eq!(why, Value::text("why"));
        assert_eq!(entrance.shown(&shared, &args).unwrap().unwrap().len(), 5);

        // What fails in the rule is told; then others come in as before.
        let failing = rule(&lua, "return function() error('no') end", 4, Type::Any);
        assert!(entrance.call(&shared, &failing, &args).unwrap().is_err());
        let dice = [
            Value::Die(Die::new(8).unwrap()),
            Value::List(Arc::from([Value::Bool(true)])),
        ];
        assert!(entrance.call(&shared, &failing, &dice).is_none());
        assert!(entrance.shown(&shared, &dice).is_none());
        assert!(entrance.call(&shared, &list, &args).unwrap().is_ok());
    }

    #[test]
    fn what_does_not_fit_the_signature_is_told_apart_and_a_wrap_is_given_what_it_goes_around() {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        let tables = [(); 4].map(|()| lua.create_table().unwrap());
        let [point, hex, shown, game] = &tables;
        tell_metatables(&shared, point, hex);
        let entrance =
            Entrance::of(&lua, &shared, (point, hex, shown), (game, shown, shown)).unwrap();
        let code = "return function(base, game, n) return base(game, n) + 1 end";
        let mut wrap = rule(&lua, code, 1, Type::INT);
        let under = lua.load("return function(_, n) return n * 2 end").eval();
        wrap.base = Some(under.unwrap());
        let args = [Value::Int(4)];
        assert_eq!(taken(entrance.call(&shared, &wrap, &args)), Value::Int(9));
        // A half is no whole number.
        wrap.base = Some(lua.load("return function() return 1.5 end").eval().unwrap());
        let misfit = entrance.call(&shared, &wrap, &args);
        assert!(matches!(misfit, Some(Ok(Entered::Misfit(found))) if found.as_f64() == Some(2.5)));
        wrap.base = Some(lua.load("return function() return 1 end").eval().unwrap());
        assert_eq!(taken(entrance.call(&shared, &wrap, &args)), Value::Int(2));
    }
}
