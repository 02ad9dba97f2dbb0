//! The open table for components.

use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::geometry::{
    self as geo, Angle, Arc, Contact, Direction, Disc, Eye, Length, Obstacle, Path, Place, Point, Polygon,
    Ribbon, Ring, Sector, Segment, Shape, Strip, Template,
};
use kernel::value::{EntityId, Value};

use rules::hosting::game::corners;
use rules::limits::cost;

use super::bindings::houserule::contract::data;
use super::bindings::houserule::contract::geometry as wit;
use super::{State, length, point_in, point_out};

type Made<T> = wasmtime::Result<T>;

fn point(game: &Game, at: wit::Where) -> Result<Point, Fault> {
    match at {
        wit::Where::At(point) => point_in(point),
        wit::Where::Of(entity) => match game.get(EntityId(entity), "at")? {
            Value::Point(point) => Ok(*point),
            other => {
                let message =
                    format!("expected an entity that is on the table, found one at {}", other.type_word());
                Err(Fault::new(FaultCode::WrongType, message)
                    .hint("its attribute `at` holds no point: test it before you measure"))
            }
        },
    }
}

fn points(game: &Game, list: Vec<wit::Where>) -> Result<Vec<Point>, Fault> {
    list.into_iter().map(|at| point(game, at)).collect()
}

fn segment(game: &Game, a: wit::Where, b: wit::Where) -> Result<Segment, Fault> {
    Ok(Segment { a: point(game, a)?, b: point(game, b)? })
}

fn shape(game: &Game, shape: wit::Shape) -> Result<Shape, Fault> {
    Ok(match shape {
        wit::Shape::Polygon(corners) => Polygon::new(points(game, corners)?)
            .map(Shape::from)
            .map_err(|error| Fault::new(FaultCode::BadGeometry, error.to_string()))?,
        wit::Shape::Disc(disc) => Disc::new(point(game, disc.centre)?, length(disc.radius)?).into(),
        wit::Shape::Line(ribbon) => {
            Ribbon::new(points(game, ribbon.line)?, length(ribbon.half_width)?).into()
        }
    })
}

fn shapes(game: &Game, list: Vec<wit::Shape>) -> Result<Vec<Shape>, Fault> {
    list.into_iter().map(|one| shape(game, one)).collect()
}

fn obstacles(game: &Game, list: Vec<wit::Obstacle>) -> Result<Vec<Obstacle>, Fault> {
    let one = |one: wit::Obstacle| {
        Ok(Obstacle { shape: shape(game, one.shape)?, base: length(one.base)?, top: length(one.top)? })
    };
    list.into_iter().map(one).collect()
}

fn eye(game: &Game, at: wit::Where, height: i64) -> Result<Eye, Fault> {
    Ok(Eye { at: point(game, at)?, height: length(height)? })
}

fn contact(contact: Contact) -> wit::Contact {
    match contact {
        Contact::Apart => wit::Contact::Apart,
        Contact::Touches => wit::Contact::Touches,
        Contact::Crosses => wit::Contact::Crosses,
    }
}

fn places(list: Vec<usize>) -> Vec<u32> {
    list.into_iter().map(|place| place as u32).collect()
}

fn direction(minutes: i32) -> Direction {
    Direction::from_minutes(minutes)
}

fn template(game: &Game, template: wit::Template) -> Result<Template, Fault> {
    Ok(match template {
        wit::Template::Disc(disc) => Disc::new(point(game, disc.centre)?, length(disc.radius)?).into(),
        wit::Template::Ring(ring) => {
            Ring::new(point(game, ring.centre)?, length(ring.inner)?, length(ring.radius)?).into()
        }
        wit::Template::Strip(strip) => {
            Strip::new(segment(game, strip.from, strip.to)?, length(strip.half_width)?).into()
        }
        wit::Template::Sector(sector) => Sector::new(
            point(game, sector.origin)?,
            direction(sector.direction),
            Angle::from_minutes(sector.half_angle),
            length(sector.length)?,
        )
        .into(),
    })
}

/// What an area costs: it is made anew each time.
fn cost_of(shape: &wit::Shape) -> u64 {
    match shape {
        wit::Shape::Polygon(corners) => cost::polygon(corners.len()) + edges(corners.len()),
        wit::Shape::Disc(_) => edges(1),
        wit::Shape::Line(ribbon) => edges(ribbon.line.len()),
    }
}

fn edges(corners: usize) -> u64 {
    cost::places(corners) + cost::area(corners)
}

fn cost_of_all<'a>(shapes: impl Iterator<Item = &'a wit::Shape>) -> u64 {
    shapes.map(cost_of).fold(0, u64::saturating_add)
}

impl wit::Host for State {
    fn distance(&mut self, a: wit::Where, b: wit::Where) -> Made<i64> {
        self.with(|game| Ok(geo::distance(point(game, a)?, point(game, b)?).um()))
    }

    fn within(&mut self, a: wit::Where, b: wit::Where, reach: i64) -> Made<bool> {
        self.with(|game| Ok(geo::within(point(game, a)?, point(game, b)?, length(reach)?)))
    }

    fn nearest(&mut self, from: wit::Where, among: Vec<wit::Where>) -> Made<Vec<u32>> {
        self.charge(cost::places(among.len()))?;
        self.with(|game| Ok(places(geo::nearest(point(game, from)?, &points(game, among)?))))
    }

    fn bearing(&mut self, a: wit::Where, b: wit::Where) -> Made<Option<i32>> {
        self.with(|game| Ok(geo::bearing(point(game, a)?, point(game, b)?).map(|found| found.minutes())))
    }

    fn toward(&mut self, a: wit::Where, b: wit::Where, distance: i64) -> Made<data::Point> {
        self.with(|game| Ok(point_out(geo::toward(point(game, a)?, point(game, b)?, length(distance)?))))
    }

    fn offset(&mut self, a: wit::Where, along: i32, distance: i64) -> Made<data::Point> {
        self.with(|game| Ok(point_out(geo::offset(point(game, a)?, direction(along), length(distance)?))))
    }

    fn in_arc(&mut self, a: wit::Where, facing: i32, b: wit::Where, centre: i32, half: i32) -> Made<bool> {
        self.with(|game| {
            let arc = Arc::new(Angle::from_minutes(centre), Angle::from_minutes(half));
            Ok(arc.contains(point(game, a)?, direction(facing), point(game, b)?))
        })
    }

    fn quadrant(&mut self, a: wit::Where, facing: i32, b: wit::Where) -> Made<wit::Quarter> {
        self.with(|game| {
            let (a, b) = (point(game, a)?, point(game, b)?);
            Ok(match geo::first_arc_holding(a, direction(facing), &geo::QUADRANTS, b) {
                Some(1) => wit::Quarter::Right,
                Some(2) => wit::Quarter::Rear,
                Some(3) => wit::Quarter::Left,
                _ => wit::Quarter::Front,
            })
        })
    }

    fn connected(&mut self, among: Vec<wit::Where>, link: i64) -> Made<Vec<Vec<u32>>> {
        self.charge(cost::connected(among.len()) + cost::places(among.len()))?;
        self.with(|game| {
            let groups = geo::connected(&points(game, among)?, length(link)?);
            Ok(groups.into_iter().map(places).collect())
        })
    }

    fn locate(&mut self, area: wit::Shape, at: wit::Where) -> Made<wit::SideOf> {
        self.charge(cost_of(&area))?;
        self.with(|game| {
            Ok(match shape(game, area)?.locate(point(game, at)?) {
                Place::Inside => wit::SideOf::Inside,
                Place::Edge => wit::SideOf::Edge,
                Place::Outside => wit::SideOf::Outside,
            })
        })
    }

    fn near(&mut self, area: wit::Shape, at: wit::Where, reach: i64) -> Made<bool> {
        self.charge(cost_of(&area))?;
        self.with(|game| Ok(shape(game, area)?.is_within(point(game, at)?, length(reach)?)))
    }

    fn near_edge(&mut self, area: wit::Shape, at: wit::Where, reach: i64) -> Made<bool> {
        self.charge(cost_of(&area))?;
        self.with(|game| {
            let (at, reach) = (point(game, at)?, length(reach)?);
            match &shape(game, area)? {
                Shape::Polygon(polygon) => Ok(polygon.has_edge_within(at, reach)),
                Shape::Disc(disc) => Ok(disc.has_edge_within(at, reach)),
                Shape::Ribbon(_) => {
                    Err(Fault::new(FaultCode::BadGeometry, "expected a polygon or a disc, found a line"))
                }
            }
        })
    }

    fn meets(&mut self, area: wit::Shape, a: wit::Where, b: wit::Where) -> Made<wit::Contact> {
        self.charge(cost_of(&area))?;
        self.with(|game| Ok(contact(shape(game, area)?.meets(segment(game, a, b)?))))
    }

    fn stretches(&mut self, a: wit::Where, b: wit::Where, areas: Vec<wit::Shape>) -> Made<Vec<wit::Stretch>> {
        self.charge(cost_of_all(areas.iter()))?;
        let shared = self.shared.clone();
        self.with(|game| {
            let areas = shapes(game, areas)?;
            shared.spend(cost::stretches(areas.len(), areas.iter().map(corners).sum()))?;
            let found = geo::stretches(segment(game, a, b)?, &areas);
            shared.spend(cost::items(found.iter().map(|stretch| stretch.areas.len()).sum()))?;
            let one = |part: geo::Stretch| wit::Stretch {
                from: part.from.um(),
                to: part.to.um(),
                areas: places(part.areas),
            };
            Ok(found.into_iter().map(one).collect())
        })
    }

    fn sight(
        &mut self,
        a: wit::Where,
        height_a: i64,
        b: wit::Where,
        height_b: i64,
        list: Vec<wit::Obstacle>,
    ) -> Made<Vec<wit::Met>> {
        self.charge(cost_of_all(list.iter().map(|one| &one.shape)))?;
        self.with(|game| {
            let met = geo::sight(eye(game, a, height_a)?, eye(game, b, height_b)?, &obstacles(game, list)?);
            let one = |met: geo::Met| wit::Met {
                obstacle: met.obstacle as u32,
                plan: contact(met.plan),
                solid: contact(met.solid),
                length: met.length_inside().um(),
            };
            Ok(met.into_iter().map(one).collect())
        })
    }

    fn blocked(
        &mut self,
        a: wit::Where,
        height_a: i64,
        b: wit::Where,
        height_b: i64,
        list: Vec<wit::Obstacle>,
    ) -> Made<bool> {
        self.charge(cost_of_all(list.iter().map(|one| &one.shape)))?;
        self.with(|game| {
            Ok(geo::is_blocked(eye(game, a, height_a)?, eye(game, b, height_b)?, &obstacles(game, list)?))
        })
    }

    fn path_length(&mut self, list: Vec<wit::Where>) -> Made<i64> {
        self.charge(cost::places(list.len()))?;
        self.with(|game| {
            let length: Length = Path::new(points(game, list)?).length();
            Ok(length.um())
        })
    }

    fn covers(&mut self, area: wit::Template, at: wit::Where) -> Made<bool> {
        self.with(|game| Ok(template(game, area)?.covers(point(game, at)?)))
    }
}
