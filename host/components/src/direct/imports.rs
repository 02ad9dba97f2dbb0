//! The functions of the contract, as a module imports them.

use std::rc::Rc;

use kernel::value::Value;
use wasmtime::{AsContextMut, Caller, FuncType, Linker, StoreContextMut};

use super::abi::{Abi, Lift, Lower, handed, place_of_result, placed, signature};
use super::values;
use crate::state::{Ends, InstanceState};
use crate::v1::bindings::houserule::contract as bindings;
use crate::v1::bindings::houserule::contract::data::Node;
use crate::v1::{self, CallResult, GuestArgs, GuestValue};
use rules::hosting::chain::Chain;

/// A module that calls the host.
type Calling<'a> = Caller<'a, InstanceState>;

/// All that a module may import.
///
/// # Errors
/// Never, unless the contract names something twice.
pub(super) fn link(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    registration(linker)?;
    calls(linker)?;
    reads(linker)?;
    finds(linker)?;
    game(linker)?;
    geometry(linker)?;
    hexes(linker)
}

/// A function of the contract: what it takes is read from the module, what it
/// gives is written to it.
fn import<A, R, F>(
    linker: &mut Linker<InstanceState>,
    interface: &str,
    name: &str,
    run: F,
) -> CallResult<()>
where
    A: Abi,
    R: Abi,
    F: Fn(&mut StoreContextMut<'_, InstanceState>, A) -> CallResult<R> + Send + Sync + 'static,
{
    let (takes, gives) = signature::<A, R>();
    let ty = FuncType::new(linker.engine(), takes, gives);
    linker.func_new(interface, name, ty, move |mut caller, args, results| {
        let mut store = caller.as_context_mut();
        let ends = store.data().ends()?;
        let given = handed::<A>(&Lift::new(ends.memory.data(&store)), args)?;
        let outcome = run(&mut store, given)?;
        if let Some(result) = results.first_mut() {
            *result = outcome.single();
        } else if size_of::<R>() > 0 {
            Lower::new(&mut store, &ends).write(place_of_result(args)?, &outcome)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Functions by their names in the contract, and those that do it.
macro_rules! functions {
    ($linker:ident, $interface:literal, { $($name:literal => $method:ident($($arg:ident),*);)* }) => {{
        $(import($linker, $interface, $name, |store, ($($arg,)*)| Host::$method(store.data_mut(), $($arg),*))?;)*
        Ok(())
    }};
}

/// Functions of `calls`. They, [`reads`] and [`finds`] are the commonest by far,
/// and are spared what the others have in common.
fn calls(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    const CALLS: &str = "houserule:contract/calls@1.0.0";
    type Ask<'a> = (Calling<'a>, (u32, u32), (u32, u32));
    fn rule((mut caller, name, args): Ask<'_>, to: u32, enters: bool) -> CallResult<()> {
        let ends = caller.data().ends()?;
        let mut store = caller.as_context_mut();
        let chain = named(&mut store, &ends, name, |state, name| state.chain(name))?;
        let args = Lift::new(ends.memory.data(&store)).args(args)?;
        give(&mut store, &ends, to, (chain, args), enters)
    }
    fn base(mut caller: Calling<'_>, args: (u32, u32), to: u32, enters: bool) -> CallResult<()> {
        let ends = caller.data().ends()?;
        let mut store = caller.as_context_mut();
        let chain = store.data().under()?;
        let args = Lift::new(ends.memory.data(&store)).args(args)?;
        give(&mut store, &ends, to, (chain, args), enters)
    }
    fn give(
        store: &mut StoreContextMut<'_, InstanceState>,
        ends: &Ends,
        to: u32,
        ((chain, level), args): ((Rc<Chain>, usize), GuestArgs),
        enters: bool,
    ) -> CallResult<()> {
        if enters {
            let went = v1::entered(store, &chain, level, args)?;
            Lower::new(store, ends).write(to, &went)
        } else {
            let given = v1::nested(store, &chain, level, args)?;
            Lower::new(store, ends).write(to, &given)
        }
    }
    linker.func_wrap(
        CALLS,
        "call",
        |caller: Calling<'_>, a: u32, b: u32, c: u32, d: u32, to: u32| {
            rule((caller, (a, b), (c, d)), to, false)
        },
    )?;
    linker.func_wrap(
        CALLS,
        "enter",
        |caller: Calling<'_>, a: u32, b: u32, c: u32, d: u32, to: u32| {
            rule((caller, (a, b), (c, d)), to, true)
        },
    )?;
    linker.func_wrap(
        CALLS,
        "base",
        |caller: Calling<'_>, a: u32, b: u32, to: u32| base(caller, (a, b), to, false),
    )?;
    linker.func_wrap(
        CALLS,
        "enter-base",
        |caller: Calling<'_>, a: u32, b: u32, to: u32| base(caller, (a, b), to, true),
    )?;
    linker.func_wrap(CALLS, "leave", leave)?;
    Ok(())
}

/// `leave` of the contract.
fn leave(mut caller: Calling<'_>, at: u32, len: u32, to: u32) -> CallResult<()> {
    let ends = caller.data().ends()?;
    let mut store = caller.as_context_mut();
    let given = Lift::new(ends.memory.data(&store)).data((at, len))?;
    let fitted = v1::left(&mut store, given)?;
    Lower::new(&mut store, &ends).write(to, &fitted)
}

/// The game, in the contract.
const GAME: &str = "houserule:contract/game@1.0.0";

/// The commonest functions of `game`: a name is looked up where it lies, and
/// what it gives is written at once.
fn reads(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    fn read(caller: &mut Calling<'_>, ends: &Ends, of: u32, name: (u32, u32)) -> CallResult<Value> {
        named(&mut caller.as_context_mut(), ends, name, |state, name| {
            state.attribute(of, name)
        })
    }
    linker.func_wrap(
        GAME,
        "leaf",
        |mut caller: Calling<'_>, of: u32, at: u32, len: u32, to: u32| {
            let ends = caller.data().ends()?;
            let value = read(&mut caller, &ends, of, (at, len))?;
            let to = placed::<Option<Node>>(to)?;
            values::leaf(
                &mut Lower::new(&mut caller.as_context_mut(), &ends),
                to,
                &value,
            )
        },
    )?;
    linker.func_wrap(
        GAME,
        "get",
        |mut caller: Calling<'_>, of: u32, at: u32, len: u32, to: u32| {
            let ends = caller.data().ends()?;
            let value = read(&mut caller, &ends, of, (at, len))?;
            Lower::new(&mut caller.as_context_mut(), &ends).write(to, &GuestValue(Ok(value)))
        },
    )?;
    linker.func_wrap(
        GAME,
        "row",
        |mut caller: Calling<'_>, at: u32, len: u32, key: u32, parts: u32, to: u32| {
            let ends = caller.data().ends()?;
            let mut store = caller.as_context_mut();
            store.data().charge(u64::from(parts))?;
            let key = Lift::new(ends.memory.data(&store)).data((key, parts))?;
            let key = store.data().given(key)?;
            let row = named(&mut store, &ends, (at, len), |state, table| {
                state.row_of(table, key)
            })?;
            Lower::new(&mut store, &ends).write(to, &row.map(|row| GuestValue(Ok(row))))
        },
    )?;
    by_name(linker, "rows", |state, table| {
        state.rows_of(table).map(|rows| GuestValue(Ok(rows)))
    })
}

/// Functions of `game` that find entities, in the same way.
fn finds(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    use bindings::game::Host;
    by_name(linker, "find", InstanceState::whoever_is)?;
    by_name(linker, "entities", InstanceState::entities_of)?;
    linker.func_wrap(GAME, "exists", |mut caller: Calling<'_>, of: u32| {
        caller.data().ends()?;
        caller.data_mut().exists(of).map(u32::from)
    })?;
    Ok(())
}

/// A function of `game` that takes a name, which is looked up where it lies.
fn by_name<T: Abi + 'static>(
    linker: &mut Linker<InstanceState>,
    function: &str,
    find: fn(&InstanceState, &str) -> CallResult<T>,
) -> CallResult<()> {
    linker.func_wrap(
        GAME,
        function,
        move |mut caller: Calling<'_>, at: u32, len: u32, to: u32| {
            let ends = caller.data().ends()?;
            let mut store = caller.as_context_mut();
            let found = named(&mut store, &ends, (at, len), find)?;
            Lower::new(&mut store, &ends).write(to, &found)
        },
    )?;
    Ok(())
}

/// What a name stands for, which lies in the module.
fn named<T>(
    store: &mut StoreContextMut<'_, InstanceState>,
    ends: &Ends,
    (at, len): (u32, u32),
    find: impl FnOnce(&InstanceState, &str) -> CallResult<T>,
) -> CallResult<T> {
    let (memory, state) = ends.memory.data_and_store_mut(store);
    find(state, Lift::new(memory).text(at, len)?)
}

/// Functions of `registration`.
fn registration(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    use bindings::registration::Host;
    functions!(linker, "houserule:contract/registration@1.0.0", {
        "define" => define(id, signature, origin, function);
        "step" => step(id, args, doc, origin, function);
        "wrap" => wrap(id, before, after, origin, function);
        "replace" => replace(id, before, after, origin, function);
        "action" => action(declaration, origin);
        "reaction" => reaction(declaration, origin);
        "audience" => audience(action, param, audience);
        "reveals" => reveals(id, what);
        "mention" => mention(rule, clauses);
        "otherwise" => otherwise(rule, gives);
        "open-rule" => open_rule(rule, how);
        "window" => window(id, title, carries, order, uniform, origin);
        "event" => event(id, heading, text, fields, origin);
        "listen" => listen(event, origin, function);
        "record" => record(id, fields, origin);
        "declare-phase" => declare_phase(phase, origin);
        "remove-phase" => remove_phase(id, origin);
        "ladder" => ladder(id, steps, bottom, top, origin);
        "edit-table" => edit_table(table, edit, rows, origin);
        "active" => active(clause);
        "option-value" => option_value(id);
    })
}

/// Functions of `game`.
fn game(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    use bindings::game::Host;
    functions!(linker, "houserule:contract/game@1.0.0", {
        "clause" => clause(id);
        "option-value" => option_value(id);
        "set" => set(of, attribute, to);
        "name" => name(of);
        "kind" => kind(of);
        "label" => label(of);
        "named" => named(name);
        "all-with" => all_with(kind, attribute, holds);
        "create" => create(kind, attributes, name);
        "remove" => remove(entity);
        "reveal" => reveal(entity, attribute, to);
        "hide" => hide(entity, attribute);
        "sees-entity" => sees_entity(side, entity);
        "sides" => sides();
        "opponent" => opponent(side);
        "opponents" => opponents(side);
        "turns" => turns();
        "width" => width();
        "depth" => depth();
        "roll" => roll(die, purpose, how);
        "roll-all" => roll_all(dice, purpose, how);
        "shift" => shift(die, by, reason, ladder);
        "can-shift" => can_shift(die, by, ladder);
        "draw" => draw(pot, count, how);
        "tally" => tally(pot, count, worths, how);
        "take" => take(pot, count, how);
        "put-back" => put_back(pot, chit);
        "deck-size" => deck_size(of);
        "deck-cards" => deck_cards(of);
        "deck-discard-size" => deck_discard_size(of);
        "deck-discarded" => deck_discarded(of);
        "draw-cards" => draw_cards(of, count, how);
        "search-deck" => search_deck(of, card, how);
        "put-cards" => put_cards(of, cards, onto);
        "discard-cards" => discard_cards(of, cards);
        "gather-cards" => gather_cards(of);
        "shuffle-deck" => shuffle_deck(of);
        "push" => push(step, args);
        "open" => open(window, data);
        "enter" => enter(phase, data);
        "leave" => leave(phase);
        "finish" => finish(result);
        "phase" => phase(id);
        "round" => round(id);
        "emit" => emit(event, fields, how);
        "ask" => ask(question);
        "fail" => fail(fault);
    })
}

/// Functions of `geometry`.
fn geometry(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    use bindings::geometry::Host;
    functions!(linker, "houserule:contract/geometry@1.0.0", {
        "distance" => distance(a, b);
        "within" => within(a, b, reach);
        "beyond" => beyond(a, b, reach);
        "nearest" => nearest(from, among);
        "bearing" => bearing(a, b);
        "toward" => toward(a, b, distance);
        "offset" => offset(a, direction, distance);
        "in-arc" => in_arc(a, facing, b, centre, half_width);
        "quadrant" => quadrant(a, facing, b);
        "connected" => connected(among, link);
        "locate" => locate(shape, at);
        "near" => near(shape, at, reach);
        "near-edge" => near_edge(shape, at, reach);
        "meets" => meets(shape, a, b);
        "stretches" => stretches(a, b, shapes);
        "sight" => sight(a, b, obstacles, height_a, height_b);
        "blocked" => blocked(a, b, obstacles, height_a, height_b);
        "path-length" => path_length(points);
        "covers" => covers(template, at);
    })
}

/// Functions of `hexes`.
fn hexes(linker: &mut Linker<InstanceState>) -> CallResult<()> {
    use bindings::hexes::Host;
    functions!(linker, "houserule:contract/hexes@1.0.0", {
        "distance" => distance(a, b);
        "direction" => direction(a, b);
        "neighbour" => neighbour(from, direction);
        "ring" => ring(centre, radius);
        "area" => area(centre, radius);
        "line" => line(a, b);
        "path-cost" => path_cost(path, costs);
        "reach" => reach(from, most, costs);
        "sight" => sight(a, height_a, b, height_b, tops);
    })
}
