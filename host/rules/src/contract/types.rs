//! What functions of the contract take and give, with the names that a type has
//! in each language, and how a language hands it over.

use std::fmt;

use kernel::chits::Worths;
use kernel::deck::End;
use kernel::dice::Die;
use kernel::error::{Fault, FaultCode};
use kernel::game::Listed;
use kernel::geometry::{Angle, Direction, Hex, Length, Point};
use kernel::value::{EntityId, Mismatch, Name, Type, Value};

use super::places::{Area, Costs, HexWhere, LaidTemplate, Obstacles, Paid, Tops, Where};
use crate::types::typed;

/// What a type is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractName {
    /// In `houserule.d.luau`.
    pub luau: String,
    /// In the WIT.
    pub wit: String,
}

/// A type of the contract.
pub trait Typed {
    /// What it is called.
    fn names() -> ContractName;
}

/// What a function can take.
pub trait Take: Typed + Sized {
    /// Takes the next argument.
    ///
    /// # Errors
    /// When it does not fit.
    fn take(from: &mut dyn Arguments) -> Result<Self, Fault>;
}

/// What a function can give.
pub trait Give: Sized {
    /// Its type; `None` for nothing.
    fn result() -> Option<ContractName>;

    /// Hands it over.
    fn give(self) -> Given;
}

/// All that a function takes, as a tuple.
pub trait TakeAll: Sized {
    /// The types, in order.
    fn names() -> Vec<ContractName>;

    /// Takes all arguments.
    ///
    /// # Errors
    /// When one does not fit.
    fn take(from: &mut dyn Arguments) -> Result<Self, Fault>;
}

/// The arguments of a call in the form of a language; each function hands over
/// the next one.
pub trait Arguments {
    /// Whether the next is nothing; then it is passed over.
    fn is_nothing(&mut self) -> bool;
    /// A text.
    fn text(&mut self) -> Result<Name, Fault>;
    /// A whole number, which is what the words say.
    fn whole(&mut self, what: &str) -> Result<i64, Fault>;
    /// A number that counts something.
    fn count(&mut self, what: &str) -> Result<u32, Fault>;
    /// An entity.
    fn entity(&mut self) -> Result<EntityId, Fault>;
    /// A length.
    fn length(&mut self) -> Result<Length, Fault>;
    /// A direction.
    fn direction(&mut self) -> Result<Direction, Fault>;
    /// An angle.
    fn angle(&mut self) -> Result<Angle, Fault>;
    /// A point, or an entity.
    fn place(&mut self) -> Result<Where, Fault>;
    /// Several of these.
    fn places(&mut self) -> Result<Paid<Where>, Fault>;
    /// An area.
    fn area(&mut self) -> Result<Area, Fault>;
    /// Several of these.
    fn areas(&mut self) -> Result<Paid<Area>, Fault>;
    /// What may stand between two eyes.
    fn obstacles(&mut self) -> Result<Obstacles, Fault>;
    /// A template.
    fn template(&mut self) -> Result<LaidTemplate, Fault>;
    /// A hex, or an entity.
    fn hex(&mut self) -> Result<HexWhere, Fault>;
    /// Several of these.
    fn hexes(&mut self) -> Result<Paid<HexWhere>, Fault>;
    /// What moves over a map cost.
    fn costs(&mut self) -> Result<Costs, Fault>;
    /// How high hexes rise.
    fn tops(&mut self) -> Result<Tops, Fault>;
    /// A die.
    fn die(&mut self) -> Result<Die, Fault>;
    /// Several of these.
    fn dice(&mut self) -> Result<Paid<Die>, Fault>;
    /// To whom something is told.
    fn audience(&mut self) -> Result<AudienceSpec, Fault>;
    /// To whom a draw is told, and from which end the cards are.
    fn drawing(&mut self) -> Result<Drawing, Fault>;
    /// An end of the stock of a deck.
    fn end(&mut self) -> Result<End, Fault>;
    /// A deck.
    fn deck(&mut self) -> Result<DeckRef, Fault>;
    /// Cards by their names.
    fn cards(&mut self) -> Result<Paid<Name>, Fault>;
    /// What each chit is worth.
    fn worths(&mut self) -> Result<Worths, Fault>;
    /// A value whose type is not known yet.
    fn untyped(&mut self) -> Result<Untyped, Fault>;
    /// All arguments that are left.
    fn rest(&mut self) -> Result<Vec<Untyped>, Fault>;
    /// Values by name.
    fn fields(&mut self) -> Result<Vec<(Name, Untyped)>, Fault>;
    /// A record, as a value whose type is not known yet.
    fn record(&mut self) -> Result<Untyped, Fault>;
    /// A question to players.
    fn asking(&mut self) -> Result<QuestionSpec, Fault>;
}

/// What a function has given, for a language to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Given {
    /// A value; lists and records of the game are read-only.
    Value(Value),
    /// One of the words of a function, such as where a point lies.
    Word(&'static str),
    /// A list of the caller's own.
    List(Vec<Given>),
    /// A list of the caller's own, as others are given it too.
    Listed(Listed),
    /// A record of the caller's own.
    Record(Vec<(&'static str, Given)>),
    /// The place of something in a list that was given.
    Place(usize),
    /// These places of the list that was given last.
    Chosen(Vec<usize>),
    /// Two results.
    Both(Box<(Given, Given)>),
}

/// A value that has been handed over and not been held against a type.
pub trait Loose {
    /// The value as one of a type.
    ///
    /// # Errors
    /// When it does not fit.
    fn fit(&self, ty: &Type) -> Result<Value, Mismatch>;
}

impl Loose for Value {
    fn fit(&self, ty: &Type) -> Result<Value, Mismatch> {
        typed(self.clone(), ty)
    }
}

/// Such a value.
pub struct Untyped(pub Box<dyn Loose>);

impl Untyped {
    /// The value as one of a type, for a place.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn fit(&self, ty: &Type, what: fmt::Arguments<'_>) -> Result<Value, Fault> {
        self.0
            .fit(ty)
            .map_err(|mismatch| Fault::mismatch(&what.to_string(), &mismatch))
    }
}

impl From<Value> for Untyped {
    fn from(value: Value) -> Untyped {
        Untyped(Box::new(value))
    }
}

/// An id.
pub struct Id(pub Name);

/// The name of a side.
pub struct SideName(pub Name);

/// A side if there is one, and one there is in nearly every game.
pub struct OtherSide(pub Option<Name>);

/// An attribute of an entity.
pub struct AttributeValue(pub Value);

/// The data of a phase.
pub struct PhaseData(pub Value);

/// A row of a table, if there is one.
pub struct MaybeRow(pub Option<Value>);

/// Rows of a table.
pub struct Rows(pub Vec<Value>);

/// Values by name, each of a type of its own.
pub struct Fields(pub Vec<(Name, Untyped)>);

/// A record of a type that the function finds; an empty one for nothing.
pub struct Record(pub Untyped);

/// The arguments of a rule.
pub struct Rest(pub Vec<Untyped>);

/// A number of hexes.
pub struct Radius(pub u32);

/// A direction on a map of hexes.
pub struct HexWay(pub u32);

/// The most that a way may cost.
pub struct MostCost(pub u32);

/// How many chits to draw.
pub struct ChitCount(pub u32);

/// How many cards to draw.
pub struct CardCount(pub u32);

/// Steps along a ladder.
pub struct Steps(pub i64);

/// Why a die is shifted.
pub struct ShiftReason(pub Name);
/// What a handful is worth.
pub struct TallyWorth(pub Value);

/// What players have answered; nothing while an answer is missing.
pub struct Answers(pub Option<Vec<Value>>);

/// Which of a list, by their places.
pub struct Indices(pub Vec<usize>);

/// Groups of a list, by their places.
pub struct Groups(pub Vec<Vec<usize>>);

/// To whom something is told, by the names of sides.
#[derive(Clone, Debug, Default)]
pub struct AudienceSpec {
    /// Those who learn of it; everybody without it.
    pub to: Option<Vec<Name>>,
    /// Those who see a field.
    pub only: Vec<(Name, Vec<Name>)>,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
}

/// How cards are drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// From which end of the stock; the top without one.
    pub from: Option<End>,
    /// To whom it is told.
    pub audience: AudienceSpec,
}

/// A deck by its id: the table's, or that of a side.
#[derive(Clone, Debug)]
pub struct DeckRef {
    /// Its id.
    pub id: Name,
    /// Whose it is, where each side has its own.
    pub of: Option<Name>,
}

/// A question to players.
pub struct QuestionSpec {
    /// Its full id.
    pub id: Name,
    /// What the player reads.
    pub text: Name,
    /// Sides, each with its domain.
    pub to: Vec<(Name, Untyped)>,
    /// Whether the others may not know the answer.
    pub is_secret: bool,
    /// What it is about.
    pub about: Vec<EntityId>,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
}

fn names(luau: &str, wit: &str) -> ContractName {
    ContractName {
        luau: luau.to_string(),
        wit: wit.to_string(),
    }
}

/// Says what types are called: in Luau, in the WIT.
macro_rules! named {
    ($($ty:ty: $luau:literal, $wit:literal;)*) => {
        $(impl Typed for $ty {
            fn names() -> ContractName {
                names($luau, $wit)
            }
        })*
    };
}

named! {
    bool: "boolean", "bool";
    u16: "number", "u16";
    u32: "number", "u32";
    Name: "string", "string";
    Id: "Id", "string";
    SideName: "Side", "string";
    OtherSide: "Side", "option<string>";
    EntityId: "Entity", "entity";
    Length: "Length", "s64";
    Angle: "Angle", "s32";
    Direction: "Direction", "s32";
    Point: "Point", "point";
    Hex: "Hex", "hex";
    Where: "Where", "where";
    Area: "Shape", "shape";
    Obstacles: "List<Obstacle>", "list<obstacle>";
    LaidTemplate: "Template", "template";
    HexWhere: "HexWhere", "hex";
    Costs: "HexCosts", "costs";
    Tops: "HexTops", "tops";
    Die: "Die | string | number", "die";
    AudienceSpec: "Audience", "audience";
    Drawing: "DrawSpec", "drawing";
    DeckRef: "Deck", "deck";
    End: "\"top\" | \"bottom\"", "end";
    Untyped: "any", "value";
    AttributeValue: "any", "value";
    PhaseData: "{ [string]: any }", "value";
    MaybeRow: "any", "option<value>";
    Rows: "{ Row }", "value";
    Fields: "{ [string]: any }?", "value";
    Record: "{ [string]: any }?", "value";
    Rest: "...any", "value";
    Radius: "number", "u32";
    HexWay: "number", "u8";
    MostCost: "number", "u32";
    ChitCount: "number", "u32";
    CardCount: "number", "u32";
    Steps: "number", "s32";
    ShiftReason: "string", "string";
    Worths: "{ [string]: { [string]: any } }", "value";
    TallyWorth: "any", "value";
    QuestionSpec: "", "question";
}

impl<T: Typed> Typed for Option<T> {
    fn names() -> ContractName {
        let names = T::names();
        let luau = if names.luau.contains(" | ") {
            format!("({})", names.luau)
        } else {
            names.luau
        };
        ContractName {
            luau: format!("{luau}?"),
            wit: format!("option<{}>", names.wit),
        }
    }
}

impl<T: Typed> Typed for Paid<T> {
    fn names() -> ContractName {
        let names = T::names();
        ContractName {
            luau: format!("List<{}>", names.luau),
            wit: format!("list<{}>", names.wit),
        }
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn names() -> ContractName {
        let names = T::names();
        ContractName {
            luau: format!("{{ {} }}", names.luau),
            wit: format!("list<{}>", names.wit),
        }
    }
}

/// Says by which function of [`Arguments`] types are taken.
macro_rules! taken {
    ($($ty:ty: |$from:ident| $take:expr;)*) => {
        $(impl Take for $ty {
            fn take($from: &mut dyn Arguments) -> Result<Self, Fault> {
                $take
            }
        })*
    };
}

taken! {
    Name: |from| from.text();
    Id: |from| from.text().map(Id);
    SideName: |from| from.text().map(SideName);
    EntityId: |from| from.entity();
    Length: |from| from.length();
    Angle: |from| from.angle();
    Direction: |from| from.direction();
    Where: |from| from.place();
    Paid<Where>: |from| from.places();
    Area: |from| from.area();
    Paid<Area>: |from| from.areas();
    Obstacles: |from| from.obstacles();
    LaidTemplate: |from| from.template();
    HexWhere: |from| from.hex();
    Paid<HexWhere>: |from| from.hexes();
    Costs: |from| from.costs();
    Tops: |from| from.tops();
    Die: |from| from.die();
    Paid<Die>: |from| from.dice();
    AudienceSpec: |from| from.audience();
    Drawing: |from| from.drawing();
    DeckRef: |from| from.deck();
    Paid<Name>: |from| from.cards();
    Untyped: |from| from.untyped();
    Fields: |from| from.fields().map(Fields);
    Record: |from| from.record().map(Record);
    Rest: |from| from.rest().map(Rest);
    Radius: |from| from.count("a number of hexes").map(Radius);
    HexWay: |from| from.count("a direction from 0 to 5").map(HexWay);
    MostCost: |from| from.count("the most that the way may cost").map(MostCost);
    ChitCount: |from| from.count("how many chits to draw").map(ChitCount);
    CardCount: |from| from.count("how many cards to draw").map(CardCount);
    Worths: |from| from.worths();
    Steps: |from| from.whole("the steps of the shift").map(Steps);
    ShiftReason: |from| from.text().map(ShiftReason).map_err(|_| no_reason());
    End: |from| from.end();
    QuestionSpec: |from| from.asking();
}

fn no_reason() -> Fault {
    Fault::new(
        FaultCode::BadDie,
        "expected the reason of the shift as a text",
    )
}

impl<T: Take> Take for Option<T> {
    fn take(from: &mut dyn Arguments) -> Result<Option<T>, Fault> {
        if from.is_nothing() {
            Ok(None)
        } else {
            T::take(from).map(Some)
        }
    }
}

/// Tuples of arguments.
macro_rules! tuples {
    ($(($($ty:ident)*))*) => {
        $(impl<$($ty: Take),*> TakeAll for ($($ty,)*) {
            fn names() -> Vec<ContractName> {
                vec![$($ty::names()),*]
            }

            #[allow(unused_variables, reason = "a function without arguments takes none")]
            fn take(from: &mut dyn Arguments) -> Result<Self, Fault> {
                Ok(($($ty::take(from)?,)*))
            }
        })*
    };
}

tuples! { () (A) (A B) (A B C) (A B C D) (A B C D E) }

/// Says which value of the kernel a result is.
macro_rules! given {
    ($($ty:ty: |$it:ident| $value:expr;)*) => {
        $(impl Give for $ty {
            fn result() -> Option<ContractName> {
                Some(Self::names())
            }

            fn give(self) -> Given {
                let $it = self;
                Given::Value($value)
            }
        })*
    };
}

given! {
    bool: |it| Value::Bool(it);
    u16: |it| Value::Int(i64::from(it));
    u32: |it| Value::Int(i64::from(it));
    Name: |it| Value::Text(it);
    SideName: |it| Value::Text(it.0);
    OtherSide: |it| it.0.map_or(Value::None, Value::Text);
    EntityId: |it| Value::Entity(it);
    Length: |it| Value::Length(it);
    Direction: |it| Value::Direction(it);
    Point: |it| Value::Point(it);
    Hex: |it| Value::Hex(it);
    AttributeValue: |it| it.0;
    TallyWorth: |it| it.0;
    MaybeRow: |it| it.0.unwrap_or_default();
    Rows: |it| Value::list(it.0);
}

impl Give for () {
    fn result() -> Option<ContractName> {
        None
    }

    fn give(self) -> Given {
        Given::Value(Value::None)
    }
}

impl Give for PhaseData {
    fn result() -> Option<ContractName> {
        Some(PhaseData::names())
    }

    fn give(self) -> Given {
        match self.0 {
            Value::None => Given::Record(Vec::new()),
            data => Given::Value(data),
        }
    }
}

impl Give for Answers {
    fn result() -> Option<ContractName> {
        Some(names("{ any }", "list<value>"))
    }

    fn give(self) -> Given {
        match self.0 {
            Some(answers) => Given::List(answers.into_iter().map(Given::Value).collect()),
            None => Given::Value(Value::None),
        }
    }
}

impl Give for Listed {
    fn result() -> Option<ContractName> {
        <Vec<EntityId>>::result()
    }

    fn give(self) -> Given {
        Given::Listed(self)
    }
}

impl Give for Indices {
    fn result() -> Option<ContractName> {
        Some(names("{ any }", "list<u32>"))
    }

    fn give(self) -> Given {
        Given::Chosen(self.0)
    }
}

impl Give for Groups {
    fn result() -> Option<ContractName> {
        Some(names("{ { number } }", "list<list<u32>>"))
    }

    fn give(self) -> Given {
        Given::List(self.0.into_iter().map(places).collect())
    }
}

/// Places in a list that was given.
pub(super) fn places(list: Vec<usize>) -> Given {
    Given::List(list.into_iter().map(Given::Place).collect())
}

impl<T: Give + Typed> Give for Option<T> {
    fn result() -> Option<ContractName> {
        Some(Self::names())
    }

    fn give(self) -> Given {
        self.map_or(Given::Value(Value::None), Give::give)
    }
}

impl<T: Give + Typed> Give for Vec<T> {
    fn result() -> Option<ContractName> {
        Some(Self::names())
    }

    fn give(self) -> Given {
        Given::List(self.into_iter().map(Give::give).collect())
    }
}
