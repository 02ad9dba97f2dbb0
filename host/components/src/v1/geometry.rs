//! The open table for components.

use kernel::error::Fault;
use kernel::geometry::{self as geo, Angle, Contact, Containment, Direction, Length};
use kernel::value::EntityId;

use rules::contract::geometry::{self, Looking, Quarter};
use rules::contract::places::{
    Area, Corners, LaidTemplate, Obstacles, Outline, Paid, RowOf, Where,
};

use super::bindings::houserule::contract::data;
use super::bindings::houserule::contract::geometry as wit;
use super::{CallResult, length, point_in, point_out};
use crate::state::InstanceState;

fn place(at: wit::Where) -> Result<Where, Fault> {
    match at {
        wit::Where::At(point) => point_in(point).map(Where::At),
        wit::Where::Of(entity) => Ok(Where::Of(EntityId(entity))),
    }
}

fn direction(minutes: i32) -> Direction {
    Direction::from_minutes(minutes)
}

fn template(template: wit::Template) -> Result<LaidTemplate, Fault> {
    Ok(match template {
        wit::Template::Disc(disc) => LaidTemplate::Disc(place(disc.centre)?, length(disc.radius)?),
        wit::Template::Ring(ring) => LaidTemplate::Ring(
            place(ring.centre)?,
            length(ring.inner)?,
            length(ring.radius)?,
        ),
        wit::Template::Strip(strip) => LaidTemplate::Strip(
            place(strip.from)?,
            place(strip.to)?,
            length(strip.half_width)?,
        ),
        wit::Template::Sector(sector) => LaidTemplate::Sector(
            place(sector.origin)?,
            direction(sector.direction),
            Angle::from_minutes(sector.half_angle),
            length(sector.length)?,
        ),
    })
}

fn contact(contact: Contact) -> wit::Contact {
    match contact {
        Contact::Apart => wit::Contact::Apart,
        Contact::Touches => wit::Contact::Touches,
        Contact::Crosses => wit::Contact::Crosses,
    }
}

fn numbers(list: Vec<usize>) -> Vec<u32> {
    list.into_iter().map(|place| place as u32).collect()
}

impl InstanceState {
    fn places(&self, list: Vec<wit::Where>) -> Result<Paid<Where>, Fault> {
        self.paid(list, place)
    }

    fn area_of(&self, shape: wit::Shape) -> Result<Area, Fault> {
        let outline = match shape {
            wit::Shape::Polygon(corners) => {
                let count = corners.len();
                Outline::Polygon(Corners::read(
                    &self.shared,
                    count,
                    corners.into_iter().map(place),
                )?)
            }
            wit::Shape::Disc(disc) => Outline::Disc(place(disc.centre)?, length(disc.radius)?),
            wit::Shape::Line(ribbon) => {
                Outline::Line(self.places(ribbon.line)?, length(ribbon.half_width)?)
            }
        };
        Ok(Area::Described(outline, None))
    }

    fn obstacles(&self, list: Vec<wit::Obstacle>) -> Result<Obstacles, Fault> {
        let row = |one: wit::Obstacle| {
            Ok(RowOf((
                self.area_of(one.shape)?,
                length(one.base)?,
                length(one.top)?,
            )))
        };
        self.paid(list, row).map(Obstacles)
    }

    fn looking(
        &self,
        (a, b): (wit::Where, wit::Where),
        past: Vec<wit::Obstacle>,
        (height_a, height_b): (Option<i64>, Option<i64>),
    ) -> Result<Looking, Fault> {
        let (height_a, height_b) = (
            height_a.map(length).transpose()?,
            height_b.map(length).transpose()?,
        );
        Ok((
            place(a)?,
            place(b)?,
            self.obstacles(past)?,
            height_a,
            height_b,
        ))
    }
}

impl wit::Host for InstanceState {
    fn distance(&mut self, a: wit::Where, b: wit::Where) -> CallResult<i64> {
        self.run(&geometry::DISTANCE, || Ok((place(a)?, place(b)?)))
            .map(Length::um)
    }

    fn within(&mut self, a: wit::Where, b: wit::Where, reach: i64) -> CallResult<bool> {
        self.run(&geometry::WITHIN, || {
            Ok((place(a)?, place(b)?, length(reach)?))
        })
    }

    fn beyond(&mut self, a: wit::Where, b: wit::Where, reach: i64) -> CallResult<bool> {
        self.run(&geometry::BEYOND, || {
            Ok((place(a)?, place(b)?, length(reach)?))
        })
    }

    fn nearest(&mut self, from: wit::Where, among: Vec<wit::Where>) -> CallResult<Vec<u32>> {
        self.run(&geometry::NEAREST, || {
            Ok((place(from)?, self.places(among)?))
        })
        .map(|list| numbers(list.0))
    }

    fn bearing(&mut self, a: wit::Where, b: wit::Where) -> CallResult<Option<i32>> {
        let found = self.run(&geometry::BEARING, || Ok((place(a)?, place(b)?)))?;
        Ok(found.map(|found| found.minutes()))
    }

    fn toward(&mut self, a: wit::Where, b: wit::Where, distance: i64) -> CallResult<data::Point> {
        self.run(&geometry::TOWARD, || {
            Ok((place(a)?, place(b)?, length(distance)?))
        })
        .map(point_out)
    }

    fn offset(&mut self, a: wit::Where, along: i32, distance: i64) -> CallResult<data::Point> {
        self.run(&geometry::OFFSET, || {
            Ok((place(a)?, direction(along), length(distance)?))
        })
        .map(point_out)
    }

    fn in_arc(
        &mut self,
        a: wit::Where,
        facing: i32,
        b: wit::Where,
        centre: i32,
        half: i32,
    ) -> CallResult<bool> {
        let (centre, half) = (Angle::from_minutes(centre), Angle::from_minutes(half));
        self.run(&geometry::IN_ARC, || {
            Ok((place(a)?, direction(facing), place(b)?, centre, half))
        })
    }

    fn quadrant(&mut self, a: wit::Where, facing: i32, b: wit::Where) -> CallResult<wit::Quarter> {
        let found = self.run(&geometry::QUADRANT, || {
            Ok((place(a)?, direction(facing), place(b)?))
        })?;
        Ok(match found {
            Quarter::Front => wit::Quarter::Front,
            Quarter::Right => wit::Quarter::Right,
            Quarter::Rear => wit::Quarter::Rear,
            Quarter::Left => wit::Quarter::Left,
        })
    }

    fn connected(&mut self, among: Vec<wit::Where>, link: i64) -> CallResult<Vec<Vec<u32>>> {
        let groups = self.run(&geometry::CONNECTED, || {
            Ok((self.places(among)?, length(link)?))
        })?;
        Ok(groups.0.into_iter().map(numbers).collect())
    }

    fn locate(&mut self, area: wit::Shape, at: wit::Where) -> CallResult<wit::SideOf> {
        let found = self.run(&geometry::LOCATE, || Ok((self.area_of(area)?, place(at)?)))?;
        Ok(match found {
            Containment::Inside => wit::SideOf::Inside,
            Containment::Edge => wit::SideOf::Edge,
            Containment::Outside => wit::SideOf::Outside,
        })
    }

    fn near(&mut self, area: wit::Shape, at: wit::Where, reach: i64) -> CallResult<bool> {
        self.run(&geometry::NEAR, || {
            Ok((self.area_of(area)?, place(at)?, length(reach)?))
        })
    }

    fn near_edge(&mut self, area: wit::Shape, at: wit::Where, reach: i64) -> CallResult<bool> {
        self.run(&geometry::NEAR_EDGE, || {
            Ok((self.area_of(area)?, place(at)?, length(reach)?))
        })
    }

    fn meets(
        &mut self,
        area: wit::Shape,
        a: wit::Where,
        b: wit::Where,
    ) -> CallResult<wit::Contact> {
        self.run(&geometry::MEETS, || {
            Ok((self.area_of(area)?, place(a)?, place(b)?))
        })
        .map(contact)
    }

    fn stretches(
        &mut self,
        a: wit::Where,
        b: wit::Where,
        areas: Vec<wit::Shape>,
    ) -> CallResult<Vec<wit::Stretch>> {
        let areas = || self.paid(areas, |area| self.area_of(area));
        let found = self.run(&geometry::STRETCHES, || {
            Ok((place(a)?, place(b)?, areas()?))
        })?;
        let one = |part: geo::Stretch| wit::Stretch {
            from: part.from.um(),
            to: part.to.um(),
            length: part.length().um(),
            areas: numbers(part.areas),
        };
        Ok(found.into_iter().map(one).collect())
    }

    fn sight(
        &mut self,
        a: wit::Where,
        b: wit::Where,
        list: Vec<wit::Obstacle>,
        height_a: Option<i64>,
        height_b: Option<i64>,
    ) -> CallResult<Vec<wit::Met>> {
        let met = self.run(&geometry::SIGHT, || {
            self.looking((a, b), list, (height_a, height_b))
        })?;
        let one = |met: geo::Met| wit::Met {
            obstacle: met.obstacle as u32,
            plan: contact(met.plan),
            solid: contact(met.solid),
            length: met.length_inside().um(),
        };
        Ok(met.into_iter().map(one).collect())
    }

    fn blocked(
        &mut self,
        a: wit::Where,
        b: wit::Where,
        list: Vec<wit::Obstacle>,
        height_a: Option<i64>,
        height_b: Option<i64>,
    ) -> CallResult<bool> {
        self.run(&geometry::BLOCKED, || {
            self.looking((a, b), list, (height_a, height_b))
        })
    }

    fn path_length(&mut self, list: Vec<wit::Where>) -> CallResult<i64> {
        self.run(&geometry::PATH_LENGTH, || Ok((self.places(list)?,)))
            .map(Length::um)
    }

    fn covers(&mut self, area: wit::Template, at: wit::Where) -> CallResult<bool> {
        self.run(&geometry::COVERS, || Ok((template(area)?, place(at)?)))
    }
}
