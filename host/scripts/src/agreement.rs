//! The two ways into the contract agree: what is read off the stack, and shown
//! without the binding, is what the binding reads and shows, for the same price.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::dice::Die;
use kernel::game::{Effects, Guard};
use kernel::geometry::{Angle, Direction, Hex, Length, Point};
use kernel::value::{EntityId, Name, Type, Value};
use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rules::contract::{self, Entry, entities};

use crate::answers::{Entrance, game_with, reading, writer};
use crate::values::{Metatables, entity_to_lua, to_lua};
use crate::vm::Shared;

/// More than any function costs that is asked here.
const BUDGET: u64 = 10_000_000;

/// How often each function is asked.
const TIMES: u32 = 400;

/// What a script may give.
#[derive(Clone, Debug)]
enum Form {
    Nil,
    Bool(bool),
    Number(f64),
    Text(&'static str),
    Entity(usize),
    Point(f64, f64),
    Hex(f64, f64),
    /// Entries in a row, fields by name, and which metatable.
    Table(Vec<Form>, Vec<(&'static str, Form)>, Meta),
    /// What was given before it.
    Again,
}

#[derive(Clone, Copy, Debug)]
enum Meta {
    None,
    Point,
    Hex,
    /// One of a mod's own, which answers for fields that are not there.
    Own,
}

const NAMES: [&str; 14] = [
    "rifles", "guns", "m.unit", "red", "blue", "armour", "weapon", "at", "mates", "m.turn", "",
    "no", "top", "side",
];

/// Numbers that fit nearly everywhere, and such as fit nowhere.
fn number() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        6 => (-4_i32..12).prop_map(f64::from),
        4 => (-600_000_i32..600_000).prop_map(f64::from),
        1 => prop::sample::select(vec![
            0.5, -0.0, 1e300, f64::NAN, f64::INFINITY, 9_007_199_254_740_993.0, -2_147_483_649.0,
            4_294_967_296.0, 65_536.0, 1e18,
        ]),
    ]
}

fn place() -> BoxedStrategy<Form> {
    prop_oneof![
        4 => (number(), number()).prop_map(|(x, y)| Form::Point(x, y)),
        2 => (0_usize..4).prop_map(Form::Entity),
    ]
    .boxed()
}

fn hex() -> BoxedStrategy<Form> {
    let near = || (-6_i32..7).prop_map(f64::from);
    prop_oneof![
        6 => (near(), near()).prop_map(|(q, r)| Form::Hex(q, r)),
        1 => (number(), number()).prop_map(|(q, r)| Form::Hex(q, r)),
        2 => (0_usize..4).prop_map(Form::Entity),
    ]
    .boxed()
}

fn length() -> BoxedStrategy<Form> {
    number().prop_map(Form::Number).boxed()
}

fn list(of: BoxedStrategy<Form>) -> BoxedStrategy<Form> {
    prop::collection::vec(of, 0..6)
        .prop_map(|items| Form::Table(items, Vec::new(), Meta::None))
        .boxed()
}

fn shape() -> BoxedStrategy<Form> {
    let disc = (place(), length())
        .prop_map(|(centre, radius)| vec![("centre", centre), ("radius", radius)]);
    let line = (list(place()), length())
        .prop_map(|(line, width)| vec![("line", line), ("half_width", width)]);
    let polygon = list(place()).prop_map(|corners| vec![("polygon", corners)]);
    prop_oneof![disc, line, polygon]
        .prop_map(|fields| Form::Table(Vec::new(), fields, Meta::None))
        .boxed()
}

fn obstacle() -> BoxedStrategy<Form> {
    (shape(), prop::option::of(length()), length())
        .prop_map(|(shape, base, top)| {
            let mut fields = vec![("shape", shape), ("top", top)];
            fields.extend(base.map(|base| ("base", base)));
            Form::Table(Vec::new(), fields, Meta::None)
        })
        .boxed()
}

/// Anything at all.
fn anything() -> BoxedStrategy<Form> {
    let leaf = prop_oneof![
        Just(Form::Nil),
        prop::bool::ANY.prop_map(Form::Bool),
        length(),
        prop::sample::select(&NAMES[..]).prop_map(Form::Text),
        place(),
        hex(),
        Just(Form::Again),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let field = (
            prop::sample::select(vec![
                "x", "y", "q", "r", "shape", "top", "centre", "polygon",
            ]),
            inner.clone(),
        );
        let meta = prop::sample::select(vec![Meta::None, Meta::Point, Meta::Hex, Meta::Own]);
        let items = prop::collection::vec(inner, 0..4);
        (items, prop::collection::vec(field, 0..3), meta)
            .prop_map(|(items, fields, meta)| Form::Table(items, fields, meta))
    })
    .boxed()
}

/// What mostly fits an argument of a type, by its name in Luau.
fn fitting(ty: &str) -> BoxedStrategy<Form> {
    if let Some(of) = ty.strip_suffix('?') {
        let of = fitting(of.trim_matches(['(', ')']));
        return prop_oneof![1 => Just(Form::Nil), 4 => of].boxed();
    }
    if let Some(of) = ty.strip_prefix("List<").and_then(|of| of.strip_suffix('>')) {
        return list(fitting(of));
    }
    let fits = match ty {
        "Where" => place(),
        "HexWhere" => hex(),
        "Shape" => shape(),
        "Obstacle" => obstacle(),
        "Entity" => (0_usize..4).prop_map(Form::Entity).boxed(),
        "string" | "Id" | "Side" => prop::sample::select(&NAMES[..])
            .prop_map(Form::Text)
            .boxed(),
        "any" => prop_oneof![
            place(),
            hex(),
            length(),
            list((0_usize..4).prop_map(Form::Entity).boxed()),
            prop::sample::select(&NAMES[..]).prop_map(Form::Text),
        ]
        .boxed(),
        _ => length(),
    };
    prop_oneof![8 => fits, 1 => anything()].boxed()
}

/// A game in the machine, with what both ways into the contract need.
struct TwoWays {
    lua: Lua,
    shared: Rc<Shared>,
    tables: Rc<Metatables>,
    own: Table,
    shown: Table,
    /// What stands for the binding, and how often it was asked.
    left: Function,
    asked: Rc<Cell<u32>>,
}

/// What a function has come to: in words that tell all that a script can, and
/// what was paid, in checks and in parts of values.
type SeenAndPaid = (String, u64, u64);

impl TwoWays {
    fn new(place: Type, here: [Value; 3]) -> TwoWays {
        let (lua, shared) = (Lua::new(), crate::vm::fresh());
        let entities = Type::List(Type::Entity(None).into());
        let attributes = [
            ("at", Type::Optional(place.into()), here[0].clone()),
            ("armour", Type::INT, Value::Int(4)),
            ("weapon", Type::Text, Value::text("rifle")),
            ("mates", entities, Value::List([].into())),
            ("note", Type::Optional(Type::Any.into()), Value::None),
        ];
        let mut game = game_with(&attributes);
        for (name, at) in ["guns", "scouts"].into_iter().zip(&here[1..]) {
            let at = [(Name::from("at"), at.clone())];
            game.world_mut().create(0, name, &at).unwrap();
        }
        game.set_guard(Guard::STEP);
        *shared.game.borrow_mut() = game;
        let table = || lua.create_table().unwrap();
        let tables = Rc::new(Metatables {
            point: table(),
            hex: table(),
            die: table(),
            budget: shared.budget.clone(),
        });
        let address = |table: &Table| table.to_pointer().addr();
        let forms = [&tables.point, &tables.hex, &tables.die].map(address);
        shared.answers.metatables.set(forms);
        *shared.tables.borrow_mut() = Some(tables.clone());
        shared.is_running.set(true);
        let own = table();
        let answers = lua.load("return function(_, name) return 7 end").eval();
        own.set("__index", answers.unwrap_or(LuaValue::Nil))
            .unwrap();
        let asked = Rc::new(Cell::new(0));
        let count = asked.clone();
        let left = lua.create_function(move |_, _: MultiValue| {
            count.set(count.get() + 1);
            Ok(())
        });
        let (shown, left) = (table(), left.unwrap());
        TwoWays {
            lua,
            shared,
            tables,
            own,
            shown,
            left,
            asked,
        }
    }

    /// A value of a form; tables are its own each time.
    fn value(&self, form: &Form, before: &LuaValue) -> LuaValue {
        let with = |table: Table, meta: Option<&Table>| {
            table.set_metatable(meta.cloned()).unwrap();
            LuaValue::Table(table)
        };
        let pair = |names: [&str; 2], numbers: [f64; 2], meta| {
            let table = self.lua.create_table_from(names.into_iter().zip(numbers));
            with(table.unwrap(), Some(meta))
        };
        match form {
            Form::Nil => LuaValue::Nil,
            Form::Bool(yes) => LuaValue::Boolean(*yes),
            Form::Number(number) => LuaValue::Number(*number),
            Form::Text(text) => LuaValue::String(self.lua.create_string(text).unwrap()),
            Form::Entity(place) => entity_to_lua(EntityId(*place as u32)),
            Form::Point(x, y) => pair(["x", "y"], [*x, *y], &self.tables.point),
            Form::Hex(q, r) => pair(["q", "r"], [*q, *r], &self.tables.hex),
            Form::Again => before.clone(),
            Form::Table(items, fields, meta) => {
                let table = self.lua.create_table().unwrap();
                for (i, item) in items.iter().enumerate() {
                    table.raw_set(i + 1, self.value(item, before)).unwrap();
                }
                for (name, field) in fields {
                    table.raw_set(*name, self.value(field, before)).unwrap();
                }
                with(
                    table,
                    match meta {
                        Meta::None => None,
                        Meta::Point => Some(&self.tables.point),
                        Meta::Hex => Some(&self.tables.hex),
                        Meta::Own => Some(&self.own),
                    },
                )
            }
        }
    }

    fn values(&self, forms: &[Form]) -> Vec<LuaValue> {
        let mut values = Vec::new();
        let mut before = LuaValue::Nil;
        for form in forms {
            before = self.value(form, &before);
            values.push(before.clone());
        }
        values
    }

    /// All that a script can tell of a value; tables that were given by where
    /// they were.
    fn as_scripts_see(&self, value: &LuaValue, given: &BTreeMap<usize, usize>) -> String {
        let table = match value {
            LuaValue::Table(table) => table,
            // A whole number is a number like any, to a script.
            LuaValue::Integer(whole) => return format!("{:?}", LuaValue::Number(*whole as f64)),
            other => return format!("{other:?}"),
        };
        if let Some(place) = given.get(&table.to_pointer().addr()) {
            return format!("what was given as number {place}");
        }
        let meta = table.metatable().map(|meta| meta.to_pointer().addr());
        let forms = self.shared.answers.metatables.get();
        let form = meta.map(|meta| forms.iter().position(|form| *form == meta));
        let entries: Vec<String> = table
            .pairs::<LuaValue, LuaValue>()
            .map(|pair| pair.unwrap())
            .map(|(key, value)| {
                format!(
                    "{}: {}",
                    self.as_scripts_see(&key, given),
                    self.as_scripts_see(&value, given)
                )
            })
            .collect();
        let (length, is_fixed) = (table.raw_len(), table.is_readonly());
        format!("{form:?} {length} {is_fixed} {{{}}}", entries.join(", "))
    }

    /// Calls a function over its handle.
    fn call(&self, function: &Function, args: &[LuaValue]) -> SeenAndPaid {
        self.shared.budget.set(BUDGET);
        let parts = self.shared.budget.parts();
        let mut list = vec![LuaValue::Nil];
        list.extend_from_slice(args);
        let given = tables_of(args);
        let told = match function.call::<LuaValue>(MultiValue::from_vec(list)) {
            Ok(value) => self.as_scripts_see(&value, &given),
            Err(error) => format!("fault: {error}"),
        };
        self.shared.stop.replace(None);
        let paid = BUDGET - self.shared.budget.get();
        (told, paid, self.shared.budget.parts() - parts)
    }

    /// Whether the binding was asked since it was last asked about.
    fn is_left(&self) -> bool {
        self.asked.take() > 0
    }
}

/// All tables in what is given, by address, with the place of each.
fn tables_of(args: &[LuaValue]) -> BTreeMap<usize, usize> {
    fn walk(value: &LuaValue, found: &mut BTreeMap<usize, usize>) {
        let LuaValue::Table(table) = value else {
            return;
        };
        let next = found.len();
        if found.insert(table.to_pointer().addr(), next).is_none() {
            for pair in table.pairs::<LuaValue, LuaValue>() {
                walk(&pair.unwrap().1, found);
            }
        }
    }
    let mut found = BTreeMap::new();
    args.iter().for_each(|value| walk(value, &mut found));
    found
}

/// A stream of chance that is the same in each run.
fn runner() -> TestRunner {
    let config = Config {
        cases: TIMES,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Asks a function both ways with the same arguments, and says how often the
/// shorter way was taken.
fn compare(machine: &TwoWays, entry: &'static dyn Entry) -> u32 {
    let (lua, shared) = (&machine.lua, &machine.shared);
    let handles = (&machine.tables.point, &machine.tables.hex, &machine.shown);
    let slow = crate::contract::function(lua, shared, entry, entry.spec().luau, 1).unwrap();
    let fast = reading(lua, shared, entry, machine.left.clone(), handles).unwrap();
    let takes: Vec<_> = entry
        .takes()
        .iter()
        .map(|names| fitting(&names.luau))
        .collect();
    let taken = Cell::new(0);
    let outcome = runner().run(&takes, |forms| {
        let args = machine.values(&forms);
        let short = machine.call(&fast, &args);
        if !machine.is_left() {
            taken.set(taken.get() + 1);
            prop_assert_eq!(short, machine.call(&slow, &args));
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("`{}`: {error}", entry.spec().luau);
    }
    taken.get()
}

fn over_points() -> TwoWays {
    let at = |x, y| Value::Point(Point::new(Length::from_um(x), Length::from_um(y)));
    TwoWays::new(Type::Point, [at(0, 0), at(3, -4), Value::None])
}

fn over_hexes() -> TwoWays {
    let at = |q, r| Value::Hex(Hex::new(q, r));
    TwoWays::new(Type::Hex, [at(0, 0), at(3, -1), Value::None])
}

/// What is asked in forms that can be read off the stack, and so seldom is left.
#[test]
fn what_is_read_off_the_stack_is_what_the_binding_reads() {
    let mut taken: BTreeMap<&str, u32> = BTreeMap::new();
    for machine in [over_points(), over_hexes()] {
        let entries = contract::all().filter(|entry| {
            let spec = entry.spec();
            spec.effect == Effects::READS && !spec.is_native && spec.luau.starts_with("game:")
        });
        for entry in entries {
            *taken.entry(entry.spec().luau).or_default() += compare(&machine, entry);
        }
    }
    // Templates, costs and heights are left to the binding.
    const LEFT: [&str; 4] = [
        "game:covers",
        "game:hex_path_cost",
        "game:hex_reach",
        "game:hex_sight",
    ];
    for (function, taken) in taken {
        let is_left = LEFT.contains(&function);
        assert_eq!(taken == 0, is_left, "`{function}`: {taken} times");
    }
}

/// Values of the kernel's, some deeper than is shown without the binding.
fn value() -> BoxedStrategy<Value> {
    let whole = || -600_000_i64..600_000;
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        prop::sample::select(&NAMES[..]).prop_map(Value::text),
        (0_u32..4).prop_map(|id| Value::Entity(EntityId(id))),
        whole().prop_map(|um| Value::Length(Length::from_um(um))),
        (-9_000_i32..9_000).prop_map(|minutes| Value::Angle(Angle::from_minutes(minutes))),
        (-9_000_i32..30_000).prop_map(|minutes| Value::Direction(Direction::from_minutes(minutes))),
        (whole(), whole())
            .prop_map(|(x, y)| Value::Point(Point::new(Length::from_um(x), Length::from_um(y)))),
        (-40_i64..40, -40_i64..40).prop_map(|(q, r)| Value::Hex(Hex::new(q, r))),
        Just(Value::Die(Die::new(8).unwrap())),
    ];
    leaf.prop_recursive(10, 30, 3, |inner| {
        let field = (prop::sample::select(&NAMES[..]), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::list),
            prop::collection::vec(field, 0..4).prop_map(Value::record),
        ]
    })
    .boxed()
}

#[test]
fn what_a_rule_is_given_is_what_the_binding_shows() {
    let machine = over_points();
    let tables = (&machine.tables.point, &machine.tables.hex, &machine.shown);
    let shown = &machine.shown;
    let more = (shown, shown, shown);
    let entrance = Entrance::of(&machine.lua, &machine.shared, tables, more).unwrap();
    let (given, told) = (BTreeMap::new(), Cell::new(0));
    let outcome = runner().run(&value(), |value| {
        let args = [value];
        let Some(shown) = entrance.shown(&machine.shared, &args) else {
            return Ok(());
        };
        told.set(told.get() + 1);
        let by_binding = to_lua(&machine.lua, &machine.tables, &args[0]).unwrap();
        let shown = shown.unwrap().pop_back().unwrap_or_default();
        let told = |value| machine.as_scripts_see(value, &given);
        prop_assert_eq!(told(&shown), told(&by_binding));
        Ok(())
    });
    outcome.unwrap();
    assert!(told.get() > TIMES / 2, "{} of {TIMES}", told.get());
}

#[test]
fn what_is_written_without_the_binding_is_what_the_binding_writes() {
    for machine in [over_points(), over_hexes()] {
        let (lua, shared) = (&machine.lua, &machine.shared);
        let slow = crate::contract::function(lua, shared, &entities::WRITE, "__newindex", 0);
        let (slow, fast) = (slow.unwrap(), writer(lua, shared, machine.left.clone()));
        let fast = fast.unwrap();
        const WRITTEN: [&str; 7] = ["at", "armour", "weapon", "mates", "note", "side", "no"];
        let value = prop_oneof![
            place(),
            hex(),
            list((0_usize..4).prop_map(Form::Entity).boxed()),
            anything(),
        ];
        let before = shared.game.borrow().clone();
        let at_all = Cell::new(0);
        let write = |function: &Function, args: &[LuaValue]| {
            *shared.game.borrow_mut() = before.clone();
            shared.budget.set(BUDGET);
            let parts = shared.budget.parts();
            let outcome = function.call::<LuaValue>(MultiValue::from_vec(args.to_vec()));
            shared.stop.replace(None);
            let paid = (BUDGET - shared.budget.get(), shared.budget.parts() - parts);
            let state = shared.game.borrow().hash();
            (outcome.map_err(|error| error.to_string()), paid, state)
        };
        let asked = (prop::sample::select(&WRITTEN[..]), value);
        let outcome = runner().run(&asked, |(name, form)| {
            let name = LuaValue::String(lua.create_string(name).unwrap());
            let entity = entity_to_lua(EntityId(0));
            let args = [entity, name, machine.value(&form, &LuaValue::Nil)];
            let short = write(&fast, &args);
            if !machine.is_left() {
                at_all.set(at_all.get() + 1);
                let (outcome, paid, state) = write(&slow, &args);
                prop_assert_eq!(outcome, Ok(LuaValue::Nil));
                prop_assert_eq!((short.1, short.2), (paid, state));
            }
            Ok(())
        });
        outcome.unwrap();
        assert!(at_all.get() > TIMES / 20, "{} of {TIMES}", at_all.get());
    }
}
