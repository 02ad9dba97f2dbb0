//! The types of the contract, as they lie in memory: `schemas/wit/v1`, letter
//! for letter.

use wasmtime::{Val, ValType};

use super::abi::{Abi, Flat, Lift, Lower};
use super::shapes::{Placed, joined, laid, most, next_place, no_case, parted, record, variant};
use crate::v1::CallResult;
use crate::v1::bindings::houserule::contract::data::{
    Die, Fault, FaultCode, Hex, Node, Place, Point, Shift, Span,
};
use crate::v1::bindings::houserule::contract::{game, geometry, hexes, registration};

record!(Point { x: i64, y: i64 });
record!(Hex { q: i32, r: i32 });
record!(Shift {
    by: i8,
    was: u16,
    is: u16,
    reason: String
});
record!(Die { sides: u16, shifts: Vec<Shift> });
record!(Span {
    first: u32,
    count: u32
});
variant!(Node {
    0 => Node::Nothing,
    1 => Node::Truth(held: bool),
    2 => Node::Whole(held: i64),
    3 => Node::Text(held: String),
    4 => Node::Entity(held: u32),
    5 => Node::Length(held: i64),
    6 => Node::Angle(held: i32),
    7 => Node::Direction(held: i32),
    8 => Node::Point(held: Point),
    9 => Node::Hex(held: Hex),
    10 => Node::Die(held: Die),
    11 => Node::Items(held: Span),
    12 => Node::Fields(held: Span),
});
record!(Place {
    file: String,
    line: u32
});
variant!(FaultCode {
    0 => FaultCode::Unreadable,
    1 => FaultCode::Syntax,
    2 => FaultCode::BadManifest,
    3 => FaultCode::MissingDependency,
    4 => FaultCode::Cycle,
    5 => FaultCode::Conflict,
    6 => FaultCode::WrongOwner,
    7 => FaultCode::Duplicate,
    8 => FaultCode::UnknownClause,
    9 => FaultCode::UnknownMod,
    10 => FaultCode::UnknownOption,
    11 => FaultCode::UnknownKind,
    12 => FaultCode::UnknownAttribute,
    13 => FaultCode::UnknownEvent,
    14 => FaultCode::UnknownTable,
    15 => FaultCode::UnknownPhase,
    16 => FaultCode::UnknownWindow,
    17 => FaultCode::UnknownAction,
    18 => FaultCode::UnknownPot,
    19 => FaultCode::UnknownTemplate,
    20 => FaultCode::UnknownRule,
    21 => FaultCode::WrongType,
    22 => FaultCode::OutOfRange,
    23 => FaultCode::BadSignature,
    24 => FaultCode::BadRow,
    25 => FaultCode::BadReturn,
    26 => FaultCode::NotAllowed,
    27 => FaultCode::HiddenRead,
    28 => FaultCode::Script,
    29 => FaultCode::TooLong,
    30 => FaultCode::TooMuchMemory,
    31 => FaultCode::TooDeep,
    32 => FaultCode::TooManyQuestions,
    33 => FaultCode::TooManySteps,
    34 => FaultCode::NoSuchEntity,
    35 => FaultCode::NameTaken,
    36 => FaultCode::BadDie,
    37 => FaultCode::BadPot,
    38 => FaultCode::ScriptedDice,
    39 => FaultCode::BadScenario,
    40 => FaultCode::BadJournal,
    41 => FaultCode::JournalBusy,
    42 => FaultCode::JournalUnwritten,
    43 => FaultCode::HiddenState,
    44 => FaultCode::BadQuestion,
    45 => FaultCode::NotYours,
    46 => FaultCode::BadGeometry,
    47 => FaultCode::BadGolden,
    48 => FaultCode::BadCase,
    49 => FaultCode::BadExport,
    50 => FaultCode::BadComponent,
});
record!(Fault { code: FaultCode, message: String, hint: Option<String>, at: Option<Place> });

record!(game::Audience {
    to: Option<Vec<String>>,
    only: Vec<(String, Vec<String>)>,
    reveals: Option<String>,
});
record!(game::Deck { id: String, of: Option<String> });
variant!(game::End { 0 => game::End::Top, 1 => game::End::Bottom });
record!(game::Drawing { from: Option<game::End>, told: game::Audience });
record!(game::Question {
    id: String,
    text: String,
    to: Vec<(String, Vec<Node>)>,
    secret: bool,
    about: Vec<u32>,
    reveals: Option<String>,
});

variant!(geometry::Where { 0 => geometry::Where::At(held: Point), 1 => geometry::Where::Of(held: u32) });
record!(geometry::Disc {
    centre: geometry::Where,
    radius: i64
});
record!(geometry::Ribbon { line: Vec<geometry::Where>, half_width: i64 });
variant!(geometry::Shape {
    0 => geometry::Shape::Polygon(held: Vec<geometry::Where>),
    1 => geometry::Shape::Disc(held: geometry::Disc),
    2 => geometry::Shape::Line(held: geometry::Ribbon),
});
variant!(geometry::Contact {
    0 => geometry::Contact::Apart,
    1 => geometry::Contact::Touches,
    2 => geometry::Contact::Crosses,
});
variant!(geometry::SideOf {
    0 => geometry::SideOf::Inside,
    1 => geometry::SideOf::Edge,
    2 => geometry::SideOf::Outside,
});
variant!(geometry::Quarter {
    0 => geometry::Quarter::Front,
    1 => geometry::Quarter::Right,
    2 => geometry::Quarter::Rear,
    3 => geometry::Quarter::Left,
});
record!(geometry::Stretch { from: i64, to: i64, length: i64, areas: Vec<u32> });
record!(geometry::Obstacle {
    shape: geometry::Shape,
    base: i64,
    top: i64
});
record!(geometry::Met {
    obstacle: u32,
    plan: geometry::Contact,
    solid: geometry::Contact,
    length: i64
});
record!(geometry::Ring {
    centre: geometry::Where,
    inner: i64,
    radius: i64
});
record!(geometry::Strip {
    from: geometry::Where,
    to: geometry::Where,
    half_width: i64
});
record!(geometry::Sector {
    origin: geometry::Where,
    direction: i32,
    half_angle: i32,
    length: i64
});
variant!(geometry::Template {
    0 => geometry::Template::Disc(held: geometry::Disc),
    1 => geometry::Template::Ring(held: geometry::Ring),
    2 => geometry::Template::Strip(held: geometry::Strip),
    3 => geometry::Template::Sector(held: geometry::Sector),
});

record!(hexes::ToEnter { at: Hex, cost: Option<u32> });
record!(hexes::ToCross { from: Hex, to: Hex, cost: Option<u32> });
record!(hexes::Road {
    from: Hex,
    to: Hex,
    cost: u32
});
record!(hexes::Costs {
    otherwise: Option<u32>,
    enter: Vec<hexes::ToEnter>,
    cross: Vec<hexes::ToCross>,
    along: Vec<hexes::Road>,
});
record!(hexes::Reached {
    hex: Hex,
    cost: u32,
    from: Hex
});
record!(hexes::Top { at: Hex, top: i64 });
record!(hexes::Tops { heights: Vec<hexes::Top>, otherwise: i64 });
record!(hexes::Met { hexes: (Hex, Option<Hex>), distance: u32, blocks_both: bool, blocks_either: bool });

record!(registration::Signature { args: String, returns: Option<String>, effects: String, doc: String });
record!(registration::Origin { cites: Vec<String>, stays: bool, at: Place });
record!(registration::Param {
    name: String,
    title: String,
    type_: String,
    domain: u32
});
record!(registration::ActionDeclaration {
    id: String,
    title: String,
    at: Vec<String>,
    actor: Option<String>,
    params: Vec<registration::Param>,
    allowed: Option<u32>,
    perform: u32,
    score: Option<u32>,
    compulsory: bool,
    told: bool,
});
variant!(registration::AskedFirst {
    0 => registration::AskedFirst::OthersFirst,
    1 => registration::AskedFirst::ActingFirst,
    2 => registration::AskedFirst::OthersOnly,
});
variant!(registration::Acting {
    0 => registration::Acting::OneAfterAnother,
    1 => registration::Acting::Alternating,
    2 => registration::Acting::Secret,
    3 => registration::Acting::Given,
});
record!(registration::Acts {
    order: registration::Acting,
    first: Option<String>,
    may_pass: Option<String>,
    may_end: Option<String>,
    ends: Option<String>,
    ends_when_idle: bool,
    ends_after_passes: Option<u32>,
});
record!(registration::Rounds { phases: Vec<String>, ends: Option<String> });
variant!(registration::Body {
    0 => registration::Body::Sequence(held: Vec<String>),
    1 => registration::Body::Rounds(held: registration::Rounds),
    2 => registration::Body::Automatic(held: u32),
    3 => registration::Body::Acts(held: registration::Acts),
});
variant!(registration::Beside {
    0 => registration::Beside::Nowhere,
    1 => registration::Beside::Before(held: String),
    2 => registration::Beside::After(held: String),
    3 => registration::Beside::Around(held: String),
});
record!(registration::Phase {
    id: String,
    title: String,
    root: bool,
    announced: bool,
    beside: registration::Beside,
    body: registration::Body,
});
variant!(registration::End {
    0 => registration::End::Stop,
    1 => registration::End::Refuse,
    2 => registration::End::Convert,
});
variant!(registration::Edit {
    0 => registration::Edit::Add,
    1 => registration::Edit::Amend,
    2 => registration::Edit::Remove,
});
