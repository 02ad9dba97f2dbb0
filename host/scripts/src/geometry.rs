//! The kernel's geometry for scripts. Points are given as points or as
//! entities, which stand at their attribute `at`.

use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::geometry::{
    self as geo, Angle, Arc, Contact, Direction, Disc, Eye, Length, Obstacle, Path, Place, Point, Polygon,
    Ribbon, Ring, Sector, Segment, Shape, Strip, Template,
};
use kernel::value::Value;
use mlua::{FromLuaMulti, IntoLua, Lua, Table, Value as LuaValue};

use crate::values::{describe, entity_from_lua, point_of, point_to_lua, whole};
use crate::vm::{Shared, unlimited};
use rules::hosting::game::corners;
use rules::limits::cost;

type Me = LuaValue;

fn bad(message: String) -> Fault {
    Fault::new(FaultCode::BadGeometry, message)
}

pub(super) fn wrong(what: &str, found: &LuaValue) -> Fault {
    Fault::new(FaultCode::WrongType, format!("expected {what}, found {}", describe(found)))
}

/// The point that a value stands for.
fn point(game: &Game, value: &LuaValue) -> Result<Point, Fault> {
    match value {
        LuaValue::LightUserData(data) => match game.get(entity_from_lua(*data), "at")? {
            Value::Point(point) => Ok(*point),
            _ => Err(wrong("an entity that is on the table", value)
                .hint("its attribute `at` holds nothing: test it before you measure")),
        },
        LuaValue::Table(table) => point_of(table).ok_or_else(|| wrong("a point or an entity", value)),
        _ => Err(wrong("a point or an entity", value)),
    }
}

pub(super) fn length(value: &LuaValue) -> Result<Length, Fault> {
    whole(value)
        .map(Length::from_um)
        .ok_or_else(|| wrong("a length in whole micrometres", value).hint("round it: `math.floor(length)`"))
}

fn direction(value: &LuaValue) -> Result<Direction, Fault> {
    let minutes = whole(value).and_then(|n| i32::try_from(n).ok());
    minutes.map(Direction::from_minutes).ok_or_else(|| wrong("a direction in whole minutes of arc", value))
}

fn angle(value: &LuaValue) -> Result<Angle, Fault> {
    let minutes = whole(value).and_then(|n| i32::try_from(n).ok());
    minutes.map(Angle::from_minutes).ok_or_else(|| wrong("an angle in whole minutes of arc", value))
}

fn points(shared: &Shared, game: &Game, table: &Table) -> Result<Vec<Point>, Fault> {
    shared.spend(cost::places(table.raw_len()))?;
    let mut list = Vec::with_capacity(table.raw_len());
    for item in table.sequence_values::<LuaValue>() {
        list.push(point(game, &item.unwrap_or(LuaValue::Nil))?);
    }
    Ok(list)
}

pub(super) fn field(table: &Table, name: &str) -> LuaValue {
    table.get(name).unwrap_or(LuaValue::Nil)
}

/// The shape of a record: a polygon, a disc, or a line with a width. A record
/// of the kernel's is measured once.
fn shape(shared: &Shared, game: &Game, value: &LuaValue) -> Result<Rc<Shape>, Fault> {
    let LuaValue::Table(table) = value else { return Err(wrong("a shape", value)) };
    if let Some(shape) = shared.kept.borrow().shape(table) {
        shared.spend(cost::area(corners(&shape)))?;
        return Ok(shape);
    }
    let shape = Rc::new(measured(shared, game, table, value)?);
    shared.kept.borrow_mut().keep_shape(table, &shape);
    shared.spend(cost::area(corners(&shape)))?;
    Ok(shape)
}

fn measured(shared: &Shared, game: &Game, table: &Table, value: &LuaValue) -> Result<Shape, Fault> {
    if let LuaValue::Table(corners) = field(table, "polygon") {
        shared.spend(cost::polygon(corners.raw_len()))?;
        let polygon = Polygon::new(points(shared, game, &corners)?);
        return polygon.map(Shape::from).map_err(|error| bad(error.to_string()));
    }
    if let LuaValue::Table(line) = field(table, "line") {
        return Ok(Ribbon::new(points(shared, game, &line)?, length(&field(table, "half_width"))?).into());
    }
    if let LuaValue::Nil = field(table, "centre") {
        return Err(wrong(
            "a shape with `polygon`, `centre` and `radius`, or `line` and `half_width`",
            value,
        ));
    }
    Ok(Disc::new(point(game, &field(table, "centre"))?, length(&field(table, "radius"))?).into())
}

fn shapes(shared: &Shared, game: &Game, table: &Table) -> Result<Vec<Shape>, Fault> {
    let one = |item: mlua::Result<LuaValue>| {
        shape(shared, game, &item.unwrap_or(LuaValue::Nil)).map(|shape| Shape::clone(&shape))
    };
    shared.spend(cost::rows(table.raw_len()))?;
    table.sequence_values::<LuaValue>().map(one).collect()
}

fn template(game: &Game, table: &Table) -> Result<Template, Fault> {
    let get = |name| field(table, name);
    if !get("origin").is_nil() {
        let sector = Sector::new(
            point(game, &get("origin"))?,
            direction(&get("direction"))?,
            angle(&get("half_angle"))?,
            length(&get("length"))?,
        );
        return Ok(sector.into());
    }
    if !get("from").is_nil() {
        let middle = Segment { a: point(game, &get("from"))?, b: point(game, &get("to"))? };
        return Ok(Strip::new(middle, length(&get("half_width"))?).into());
    }
    let centre = point(game, &get("centre"))?;
    match get("inner") {
        LuaValue::Nil => Ok(Disc::new(centre, length(&get("radius"))?).into()),
        inner => Ok(Ring::new(centre, length(&inner)?, length(&get("radius"))?).into()),
    }
}

fn contact_word(contact: Contact) -> &'static str {
    match contact {
        Contact::Apart => "apart",
        Contact::Touches => "touches",
        Contact::Crosses => "crosses",
    }
}

fn obstacles(shared: &Shared, game: &Game, table: &Table) -> Result<Vec<Obstacle>, Fault> {
    shared.spend(cost::rows(table.raw_len()))?;
    let mut list = Vec::new();
    for item in table.sequence_values::<Table>() {
        let item =
            item.map_err(|_| bad("expected obstacles as records with `shape`, `base` and `top`".into()))?;
        let base = match field(&item, "base") {
            LuaValue::Nil => Length::ZERO,
            base => length(&base)?,
        };
        let top = length(&field(&item, "top"))?;
        let shape = shape(shared, game, &field(&item, "shape"))?;
        list.push(Obstacle { shape: Shape::clone(&shape), base, top });
    }
    Ok(list)
}

fn eye(game: &Game, at: &LuaValue, height: &LuaValue) -> Result<Eye, Fault> {
    let height = if height.is_nil() { Length::ZERO } else { length(height)? };
    Ok(Eye { at: point(game, at)?, height })
}

macro_rules! methods {
    ($lua:expr, $table:expr, $state:expr; $($name:literal => |$shared:ident, $game:ident, $args:pat_param, $types:ty| $body:expr;)*) => {
        $({
            let state = $state.clone();
            $table.set($name, $lua.create_function(move |lua: &Lua, $args: $types| {
                let $shared: &Shared = &state;
                unlimited(lua, || $shared.with(lua, |$game| $body)?.into_lua(lua))
            })?)?;
        })*
    };
}

/// Adds the functions of geometry to the game handle and the host table.
///
/// # Errors
/// When the machine has no memory for them.
pub(crate) fn functions(lua: &Lua, table: &Table, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    measures(lua, table, host, shared)?;
    areas(lua, table, shared)?;
    lists(lua, table, shared)
}

fn measures(lua: &Lua, table: &Table, host: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Two = (Me, LuaValue, LuaValue);
    type Three = (Me, LuaValue, LuaValue, LuaValue);
    methods! { lua, table, shared;
        "distance" => |shared, game, (_, a, b), Two|
            Ok(geo::distance(point(game, &a)?, point(game, &b)?).um() as f64);
        "within" => |shared, game, (_, a, b, reach), Three|
            Ok(geo::within(point(game, &a)?, point(game, &b)?, length(&reach)?));
        "beyond" => |shared, game, (_, a, b, reach), Three|
            Ok(geo::beyond(point(game, &a)?, point(game, &b)?, length(&reach)?));
        "bearing" => |shared, game, (_, a, b), Two|
            Ok(geo::bearing(point(game, &a)?, point(game, &b)?).map(|d| f64::from(d.minutes())));
        "in_arc" => |shared, game, (_, from, facing, target, centre, half), (Me, LuaValue, LuaValue, LuaValue, LuaValue, LuaValue)|
            Ok(Arc::new(angle(&centre)?, angle(&half)?).contains(point(game, &from)?, direction(&facing)?, point(game, &target)?));
    }
    methods! { lua, host, shared;
        "quadrant" => |shared, game, (of, facing, from), (LuaValue, LuaValue, LuaValue)|
            Ok(geo::first_arc_holding(point(game, &of)?, direction(&facing)?, &geo::QUADRANTS, point(game, &from)?).unwrap_or(0) + 1);
    }
    make(lua, table, shared, "toward", |lua, shared, (_, a, b, reach): Three| {
        let found =
            shared.with(lua, |game| Ok(geo::toward(point(game, &a)?, point(game, &b)?, length(&reach)?)))?;
        point_to_lua(lua, &*shared.tables()?, found)
    })?;
    make(lua, table, shared, "offset", |lua, shared, (_, a, along, reach): Three| {
        let found = shared
            .with(lua, |game| Ok(geo::offset(point(game, &a)?, direction(&along)?, length(&reach)?)))?;
        point_to_lua(lua, &*shared.tables()?, found)
    })
}

/// Adds a function that makes tables.
pub(super) fn make<A: FromLuaMulti>(
    lua: &Lua,
    table: &Table,
    shared: &Rc<Shared>,
    name: &str,
    body: impl Fn(&Lua, &Shared, A) -> mlua::Result<Table> + 'static,
) -> mlua::Result<()> {
    let shared = shared.clone();
    table.set(name, lua.create_function(move |lua, args: A| unlimited(lua, || body(lua, &shared, args)))?)
}

fn areas(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    type Two = (Me, LuaValue, LuaValue);
    type Three = (Me, LuaValue, LuaValue, LuaValue);
    type Sight = (Me, LuaValue, LuaValue, Table, LuaValue, LuaValue);
    methods! { lua, table, shared;
        "locate" => |shared, game, (_, area, at), Two|
            Ok(match shape(shared, game, &area)?.locate(point(game, &at)?) {
                Place::Inside => "inside",
                Place::Edge => "edge",
                Place::Outside => "outside",
            });
        "near" => |shared, game, (_, area, at, reach), Three|
            Ok(shape(shared, game, &area)?.is_within(point(game, &at)?, length(&reach)?));
        "near_edge" => |shared, game, (_, area, at, reach), Three| {
            let (at, reach) = (point(game, &at)?, length(&reach)?);
            match &*shape(shared, game, &area)? {
                Shape::Polygon(polygon) => Ok(polygon.has_edge_within(at, reach)),
                Shape::Disc(disc) => Ok(disc.has_edge_within(at, reach)),
                Shape::Ribbon(_) => Err(bad("expected a polygon or a disc, found a line".into())),
            }
        };
        "meets" => |shared, game, (_, area, a, b), Three|
            Ok(contact_word(shape(shared, game, &area)?.meets(Segment { a: point(game, &a)?, b: point(game, &b)? })));
        "blocked" => |shared, game, (_, a, b, list, high_a, high_b), Sight|
            Ok(geo::is_blocked(eye(game, &a, &high_a)?, eye(game, &b, &high_b)?, &obstacles(shared, game, &list)?));
        "path_length" => |shared, game, (_, list), (Me, Table)|
            Ok(Path::new(points(shared, game, &list)?).length().um() as f64);
        "covers" => |shared, game, (_, area, at), (Me, Table, LuaValue)|
            Ok(template(game, &area)?.covers(point(game, &at)?));
    }
    make(lua, table, shared, "sight", |lua, shared, (_, a, b, list, high_a, high_b): Sight| {
        let met = shared.with(lua, |game| {
            let obstacles = obstacles(shared, game, &list)?;
            Ok(geo::sight(eye(game, &a, &high_a)?, eye(game, &b, &high_b)?, &obstacles))
        })?;
        let result = lua.create_table()?;
        for one in met {
            let row = lua.create_table()?;
            row.set("obstacle", one.obstacle + 1)?;
            row.set("plan", contact_word(one.plan))?;
            row.set("solid", contact_word(one.solid))?;
            row.set("length", one.length_inside().um() as f64)?;
            result.push(row)?;
        }
        Ok(result)
    })
}

fn lists(lua: &Lua, table: &Table, shared: &Rc<Shared>) -> mlua::Result<()> {
    make(lua, table, shared, "nearest", |lua, shared, (_, from, list): (Me, LuaValue, Table)| {
        let places =
            shared.with(lua, |game| Ok(geo::nearest(point(game, &from)?, &points(shared, game, &list)?)))?;
        let found = lua.create_table()?;
        for place in places {
            found.push(list.get::<LuaValue>(place + 1)?)?;
        }
        Ok(found)
    })?;
    make(lua, table, shared, "connected", |lua, shared, (_, list, link): (Me, Table, LuaValue)| {
        let groups = shared.with(lua, |game| {
            shared.spend(cost::connected(list.raw_len()))?;
            Ok(geo::connected(&points(shared, game, &list)?, length(&link)?))
        })?;
        let groups = groups.into_iter().map(|group| group.into_iter().map(|i| i + 1).collect::<Vec<_>>());
        lua.create_sequence_from(groups)
    })?;
    make(lua, table, shared, "stretches", |lua, shared, (_, a, b, list): (Me, LuaValue, LuaValue, Table)| {
        let found = shared.with(lua, |game| {
            let leg = Segment { a: point(game, &a)?, b: point(game, &b)? };
            let areas = shapes(shared, game, &list)?;
            shared.spend(cost::stretches(areas.len(), areas.iter().map(corners).sum()))?;
            let found = geo::stretches(leg, &areas);
            shared.spend(cost::items(found.iter().map(|stretch| stretch.areas.len()).sum()))?;
            Ok(found)
        })?;
        let result = lua.create_table()?;
        for stretch in found {
            let row = lua.create_table()?;
            row.set("from", stretch.from.um() as f64)?;
            row.set("to", stretch.to.um() as f64)?;
            row.set("length", stretch.length().um() as f64)?;
            row.set("areas", stretch.areas.iter().map(|i| i + 1).collect::<Vec<_>>())?;
            result.push(row)?;
        }
        Ok(result)
    })
}
