//! Places, areas and maps as functions of the contract take them. Where an
//! entity is given, it is the place at its attribute `at`.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::dice::Die;
use kernel::error::{Fault, FaultCode};
use kernel::geometry::{
    self as geo, Angle, Direction, Disc, Eye, Hex, HexCosts, Length, Obstacle, Point, Polygon,
    Ribbon, Ring, Sector, Segment, Shape, Strip,
};
use kernel::value::{EntityId, Name, Value};

use super::function::Call;
use crate::hosting::Running;
use crate::limits::cost;
use crate::types::Unit;

/// A point, or an entity that stands there.
#[derive(Clone, Copy, Debug)]
pub enum Where {
    /// A point.
    At(Point),
    /// An entity.
    Of(EntityId),
}

/// A hex, or an entity that stands in it.
#[derive(Clone, Copy, Debug)]
pub enum HexWhere {
    /// A hex.
    At(Hex),
    /// An entity.
    Of(EntityId),
}

/// What one of a list that is given costs, before the list is read.
pub trait Priced {
    /// So many of them.
    fn price(count: usize) -> u64;
}

impl Priced for Where {
    fn price(count: usize) -> u64 {
        cost::places(count)
    }
}

impl Priced for HexWhere {
    fn price(count: usize) -> u64 {
        cost::places(count)
    }
}

impl Priced for Area {
    fn price(count: usize) -> u64 {
        cost::rows(count)
    }
}

impl Priced for Die {
    fn price(count: usize) -> u64 {
        cost::rows(count)
    }
}

impl Priced for Name {
    fn price(count: usize) -> u64 {
        cost::items(count)
    }
}

/// A row of some table that is given: a cost, a height, an obstacle.
pub struct RowOf<T>(pub T);

impl<T> Priced for RowOf<T> {
    fn price(count: usize) -> u64 {
        cost::rows(count)
    }
}

/// A list that was paid for before it was read.
#[derive(Clone, Debug)]
pub struct Paid<T>(Vec<T>);

impl<T> Default for Paid<T> {
    fn default() -> Paid<T> {
        Paid(Vec::new())
    }
}

impl<T: Priced> Paid<T> {
    /// Pays for so many, then reads them.
    ///
    /// # Errors
    /// When it cannot be paid, or one of them does not fit.
    pub fn read(
        running: &Running,
        count: usize,
        items: impl Iterator<Item = Result<T, Fault>>,
    ) -> Result<Paid<T>, Fault> {
        running.spend(T::price(count))?;
        items.collect::<Result<Vec<T>, Fault>>().map(Paid)
    }
}

impl<T> Paid<T> {
    /// The list.
    pub fn all(&self) -> &[T] {
        &self.0
    }
}

/// An area that is given.
pub enum Area {
    /// One that was measured before.
    Measured(Rc<Shape>),
    /// One that is described. What it comes to is kept in the cell, if the
    /// language has one for it.
    Described(Outline, Option<Rc<OnceCell<Rc<Shape>>>>),
}

/// What describes an area.
pub enum Outline {
    /// Three or more corners in order.
    Polygon(Corners),
    /// A centre and a radius.
    Disc(Where, Length),
    /// A line with half its width.
    Line(Paid<Where>, Length),
}

/// The corners of a polygon, paid for: every edge is held against every other.
pub struct Corners(Paid<Where>);

impl Corners {
    /// Pays for so many corners, then reads them.
    ///
    /// # Errors
    /// When it cannot be paid, or one of them does not fit.
    pub fn read(
        running: &Running,
        count: usize,
        items: impl Iterator<Item = Result<Where, Fault>>,
    ) -> Result<Corners, Fault> {
        running.spend(cost::polygon(count))?;
        Paid::read(running, count, items).map(Corners)
    }
}

/// Areas with the heights from which and up to which something stands there.
pub struct Obstacles(pub Paid<RowOf<(Area, Length, Length)>>);

/// A template laid on the table.
pub enum LaidTemplate {
    /// A centre and a radius.
    Disc(Where, Length),
    /// A centre, the inner and the outer radius.
    Ring(Where, Length, Length),
    /// From one point to another, with half its width.
    Strip(Where, Where, Length),
    /// An origin, a direction, half the angle, a length.
    Sector(Where, Direction, Angle, Length),
}

/// The side between two hexes.
pub type Crossing = (HexWhere, HexWhere);

/// What moves over a map cost; without a cost there is no way.
#[derive(Default)]
pub struct Costs {
    /// To enter a hex that is not listed.
    pub otherwise: Option<u32>,
    /// To enter a hex.
    pub enter: Paid<RowOf<(HexWhere, Option<u32>)>>,
    /// More, to cross a side.
    pub cross: Paid<RowOf<(Crossing, Option<u32>)>>,
    /// Instead of both.
    pub along: Paid<RowOf<(Crossing, u32)>>,
}

/// How high hexes rise.
pub struct Tops {
    /// These hexes.
    pub heights: Paid<RowOf<(HexWhere, Length)>>,
    /// All others.
    pub otherwise: Length,
}

/// A length that something is wide or long by, which is not below nothing.
fn measure(name: &str, length: Length) -> Result<Length, Fault> {
    match length.is_negative() {
        false => Ok(length),
        true => {
            let found = Unit::AsWritten.print(length);
            let message = format!("expected `{name}` of 0 or more, found {found}");
            let fault = Fault::new(FaultCode::OutOfRange, message);
            Err(fault.hint("one length less another may come to less than 0: look at it first"))
        }
    }
}

/// What is paid for a shape as it is read and made: see [`Corners::read`] and
/// [`Paid::read`].
fn described(shape: &Shape) -> u64 {
    let count = corners(shape);
    match shape {
        Shape::Polygon(_) => cost::polygon(count) + Where::price(count),
        Shape::Ribbon(_) => Where::price(count),
        Shape::Disc(_) => 0,
    }
}

/// How many corners an area has, or bends a line.
pub(super) fn corners(shape: &Shape) -> usize {
    match shape {
        Shape::Polygon(polygon) => polygon.corners().len(),
        Shape::Disc(_) => 1,
        Shape::Ribbon(ribbon) => ribbon.points().len(),
    }
}

impl Call<'_> {
    /// The point of a place.
    pub(super) fn point(&self, place: Where) -> Result<Point, Fault> {
        match place {
            Where::At(point) => Ok(point),
            Where::Of(entity) => match self.game.get_place(entity)? {
                Value::Point(point) => Ok(*point),
                _ => Err(
                    wrong("expected an entity that is on the table, found an entity")
                        .hint("its attribute `at` holds nothing: test it before you measure"),
                ),
            },
        }
    }

    /// The hex of a place on a map.
    pub(super) fn hex(&self, place: HexWhere) -> Result<Hex, Fault> {
        match place {
            HexWhere::At(hex) => Ok(hex),
            HexWhere::Of(entity) => match self.game.get_place(entity) {
                Ok(Value::Hex(hex)) => Ok(*hex),
                Ok(_) => Err(
                    wrong("expected an entity that stands in a hex, found an entity")
                        .hint("its attribute `at` holds no hex: test it before you measure"),
                ),
                Err(fault) if fault.code == FaultCode::UnknownAttribute => {
                    self.hex_of_ground(entity, fault)
                }
                Err(fault) => Err(fault),
            },
        }
    }

    /// The hex of ground, which has no place of its own and is called after its hex.
    fn hex_of_ground(&self, entity: EntityId, placeless: Fault) -> Result<Hex, Fault> {
        let name = self.game.known_name(entity)?;
        Hex::named(&name).ok_or_else(|| {
            placeless.hint("without `at` it would have to be called after its hex, `h0304`")
        })
    }

    /// The points of places.
    pub(super) fn points(&self, places: &Paid<Where>) -> Result<Vec<Point>, Fault> {
        places
            .all()
            .iter()
            .map(|place| self.point(*place))
            .collect()
    }

    /// The hexes of places on a map.
    pub(super) fn hexes(&self, places: &Paid<HexWhere>) -> Result<Vec<Hex>, Fault> {
        places.all().iter().map(|place| self.hex(*place)).collect()
    }

    /// The line between two places.
    pub(super) fn segment(&self, a: Where, b: Where) -> Result<Segment, Fault> {
        Ok(Segment {
            a: self.point(a)?,
            b: self.point(b)?,
        })
    }

    /// An eye at a height above a place.
    pub(super) fn eye(&self, at: Where, height: Option<Length>) -> Result<Eye, Fault> {
        Ok(Eye {
            at: self.point(at)?,
            height: height.unwrap_or(Length::ZERO),
        })
    }

    /// The shape of an area; measuring it is paid each time. Whether that was done
    /// before does not follow from the game, so one that was measured is paid as
    /// one that is described.
    pub(super) fn shape(&self, area: &Area) -> Result<Rc<Shape>, Fault> {
        let shape = match area {
            Area::Measured(shape) => {
                self.spend(described(shape))?;
                shape.clone()
            }
            Area::Described(outline, kept) => {
                let shape = Rc::new(self.measured(outline)?);
                kept.as_ref().map(|kept| kept.set(shape.clone()));
                shape
            }
        };
        self.spend(cost::area(corners(&shape)))?;
        Ok(shape)
    }

    fn measured(&self, outline: &Outline) -> Result<Shape, Fault> {
        Ok(match outline {
            Outline::Polygon(Corners(corners)) => Polygon::new(self.points(corners)?)
                .map(Shape::from)
                .map_err(|error| Fault::new(FaultCode::BadGeometry, error.to_string()))?,
            Outline::Disc(centre, radius) => {
                Disc::new(self.point(*centre)?, measure("radius", *radius)?).into()
            }
            Outline::Line(line, half_width) => {
                Ribbon::new(self.points(line)?, measure("half_width", *half_width)?).into()
            }
        })
    }

    /// The shapes of areas.
    pub(super) fn shapes(&self, areas: &Paid<Area>) -> Result<Vec<Shape>, Fault> {
        areas
            .all()
            .iter()
            .map(|area| self.shape(area).map(|shape| Shape::clone(&shape)))
            .collect()
    }

    /// What may stand between two eyes.
    pub(super) fn obstacles(&self, Obstacles(list): &Obstacles) -> Result<Vec<Obstacle>, Fault> {
        let one = |RowOf((area, base, top)): &RowOf<(Area, Length, Length)>| {
            let shape = Shape::clone(&*self.shape(area)?);
            Ok(Obstacle {
                shape,
                base: *base,
                top: *top,
            })
        };
        list.all().iter().map(one).collect()
    }

    /// A template.
    pub(super) fn template(&self, template: &LaidTemplate) -> Result<geo::Template, Fault> {
        Ok(match *template {
            LaidTemplate::Disc(centre, radius) => {
                Disc::new(self.point(centre)?, measure("radius", radius)?).into()
            }
            LaidTemplate::Ring(centre, inner, radius) => {
                let (inner, radius) = (measure("inner", inner)?, measure("radius", radius)?);
                Ring::new(self.point(centre)?, inner, radius).into()
            }
            LaidTemplate::Strip(from, to, half_width) => {
                let half_width = measure("half_width", half_width)?;
                Strip::new(self.segment(from, to)?, half_width).into()
            }
            LaidTemplate::Sector(origin, direction, half_angle, length) => {
                let length = measure("length", length)?;
                Sector::new(self.point(origin)?, direction, half_angle, length).into()
            }
        })
    }

    /// What moves over a map cost.
    pub(super) fn hex_costs(&self, costs: &Costs) -> Result<HexCosts, Fault> {
        let mut made = HexCosts {
            otherwise: costs.otherwise,
            ..HexCosts::default()
        };
        let side = |(from, to): Crossing| Ok::<_, Fault>((self.hex(from)?, self.hex(to)?));
        for RowOf((at, cost)) in costs.enter.all() {
            made.enter.insert(self.hex(*at)?, *cost);
        }
        for RowOf((crossing, cost)) in costs.cross.all() {
            made.cross.insert(side(*crossing)?, *cost);
        }
        for RowOf((crossing, cost)) in costs.along.all() {
            made.along.insert(side(*crossing)?, *cost);
        }
        Ok(made)
    }

    /// How high hexes rise.
    pub(super) fn heights(&self, tops: &Tops) -> Result<BTreeMap<Hex, Length>, Fault> {
        tops.heights
            .all()
            .iter()
            .map(|RowOf((at, top))| Ok((self.hex(*at)?, *top)))
            .collect()
    }
}

fn wrong(message: &str) -> Fault {
    Fault::new(FaultCode::WrongType, message)
}
