//! What the attributes make of functions; mods do not name it.

use crate::value::FaultCode;
use crate::{
    Acts, Answer, Clause, Domain, Entity, Fault, FromValue, Reads, Record, Registrar, Typed, Value,
    Writes,
};

pub use inventory;

/// What a function gives the host.
pub type Outcome = Result<Value, Fault>;

/// A function that the host can call by its number.
pub type Function = fn(&Acts, &mut [Value]) -> Outcome;

/// Something that a mod registers.
pub struct Piece {
    /// Where it stands.
    pub file: &'static str,
    /// Where it stands.
    pub line: u32,
    /// Registers it.
    pub register: fn(&Registrar),
    /// The functions that it runs.
    pub functions: &'static [Function],
}

inventory::collect!(Piece);

/// Registers everything, file by file, line by line.
pub fn register() {
    let mut pieces: Vec<&Piece> = inventory::iter::<Piece>.into_iter().collect();
    pieces.sort_by_key(|piece| (piece.file, piece.line));
    for piece in pieces {
        (piece.register)(&Registrar::at(piece.functions));
    }
}

/// The number of a function: its place in the table of functions, which is the
/// same in every instance. So nothing is looked for when it is called, and the
/// pieces are gathered only where they register.
pub(crate) fn number_of(function: Function) -> u32 {
    function as usize as u32
}

/// Runs a function by its number.
///
/// # Errors
/// What the function gives.
pub fn run(number: u32, args: &mut [Value]) -> Outcome {
    let function = std::ptr::with_exposed_provenance::<()>(number as usize);
    // SAFETY: the host knows no numbers but those of `number_of`, and has them
    // of this component; another one would trap.
    let function = unsafe { std::mem::transmute::<*const (), Function>(function) };
    let before = crate::game::note_actor(args.first());
    let outcome = function(&crate::game::GAME, args);
    crate::game::restore_actor(before);
    outcome
}

/// Where and for what something is registered.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Without all of these it is not there.
    pub gates: &'static [Clause],
    /// These are cited besides.
    pub cites: &'static [Clause],
    /// What it gives away of what others may not see.
    pub reveals: Option<&'static str>,
    /// Where it stands.
    pub file: &'static str,
    /// Where it stands.
    pub line: u32,
}

/// An action or a reaction.
pub struct Action<'a> {
    /// Its id.
    pub id: &'a str,
    /// What players call it.
    pub title: &'a str,
    /// Phases, or the window.
    pub at: &'a [&'a str],
    /// The kind that acts, or a rule that lists who might.
    pub actor: Option<&'a str>,
    /// Its parameters.
    pub params: &'a [Param<'a>],
    /// The function that does it.
    pub perform: u32,
    /// The function that says whether somebody may.
    pub allowed: Option<u32>,
    /// The function that says what it is worth to a bot.
    pub score: Option<u32>,
    /// The phase cannot end before it.
    pub is_compulsory: bool,
    /// Its own events tell it.
    pub is_narrated: bool,
    /// It answers a window.
    pub is_reaction: bool,
    /// To whom it is told.
    pub audience: Option<&'a str>,
    /// Where it stands.
    pub origin: Origin,
}

/// A parameter.
pub struct Param<'a> {
    /// Its name.
    pub name: &'a str,
    /// What the player is asked.
    pub title: &'a str,
    /// What fits in it.
    pub ty: String,
    /// The function that says what can be chosen.
    pub domain: u32,
    /// To whom it is told.
    pub audience: Option<&'a str>,
    /// What it gives away.
    pub reveals: Option<&'a str>,
}

/// What a rule can give back.
pub trait Given {
    /// The name of its type; none where it gives nothing.
    fn name() -> Option<String>;
}

impl Given for () {
    fn name() -> Option<String> {
        None
    }
}

impl<T: Typed> Given for T {
    fn name() -> Option<String> {
        Some(T::name())
    }
}

/// What the function of a parameter gives: a domain, or none where nothing is
/// asked.
pub trait Chosen {
    /// The type of the parameter.
    fn name() -> String;
}

impl<T: Typed> Chosen for Domain<T> {
    fn name() -> String {
        T::name()
    }
}

impl<T: Typed> Chosen for Option<Domain<T>> {
    fn name() -> String {
        T::name()
    }
}

/// A value as a type.
#[track_caller]
pub fn read<T: FromValue>(value: Value) -> T {
    T::from_value(value)
}

/// An argument by its place; one that was left out is nothing.
pub fn taken(args: &mut [Value], place: usize) -> Value {
    args.get_mut(place)
        .map_or(Value::Nothing, |arg| std::mem::replace(arg, Value::Nothing))
}

/// A field of the argument at a place.
pub fn field(args: &[Value], place: usize, name: &str) -> Value {
    match args.get(place) {
        Some(Value::Map(record)) => record.field(name).cloned().unwrap_or(Value::Nothing),
        _ => Value::Nothing,
    }
}

/// A field taken out of a record.
#[track_caller]
pub fn part<T: FromValue>(record: &mut Record, name: &str) -> T {
    T::from_value(record.take(name))
}

/// A text of a record.
pub fn text<'t>(record: &'t Record, name: &str) -> &'t str {
    match record.field(name) {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}

/// Names and types as the contract writes them.
pub fn fields(list: &[(&str, String)]) -> String {
    list.iter()
        .map(|(name, ty)| format!("{name}: {ty}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// What a function gives, for the host.
///
/// # Errors
/// The fault, if it is one.
pub fn answer(given: impl Answer) -> Outcome {
    given.answer()
}

/// Calls a rule with its lines and wraps.
#[track_caller]
pub fn called<T: FromValue>(_: &Reads, rule: &str, args: Vec<Value>) -> T {
    T::from_value(crate::calls::called(rule, args))
}

/// In a wrap: calls the rule under it.
#[track_caller]
pub fn under<T: FromValue>(_: &Reads, args: Vec<Value>) -> T {
    T::from_value(crate::calls::under(args))
}

/// Pushes a step.
pub fn pushed(_: &Writes, step: &str, args: Vec<Value>) {
    crate::game::push(step, args);
}

/// Opens a window.
pub fn opened(_: &Writes, window: &str, data: Value) {
    crate::game::open(window, data);
}

/// Tells an event.
pub fn announced(
    _: &Writes,
    event: &str,
    fields: Record,
    to: Option<&[&str]>,
    only: &[(&str, &[&str])],
) {
    crate::game::tell(event, fields, to, only);
}

/// Writes an attribute.
pub fn set(_: &Writes, entity: Entity, attribute: &str, to: Value) {
    crate::game::set(entity, attribute, to);
}

/// The row of a key.
#[track_caller]
#[expect(
    clippy::manual_map,
    reason = "a fault is told where the rule is, which `map` would hide"
)]
pub fn row<T: FromValue>(_: &Reads, table: &str, key: Vec<Value>) -> Option<T> {
    match crate::game::row(table, key) {
        Some(row) => Some(T::from_value(row)),
        None => None,
    }
}

/// All rows of a table.
#[track_caller]
pub fn rows<T: FromValue>(_: &Reads, table: &str) -> Vec<T> {
    FromValue::from_value(crate::game::rows(table))
}

/// A row that must be there.
#[track_caller]
pub fn row_or_fault<T>(table: &str, row: Option<T>) -> T {
    match row {
        Some(row) => row,
        None => Fault::coded(
            FaultCode::BadRow,
            &format!("expected a row in `{table}`, found none"),
        )
        .raise(),
    }
}

/// The word of an enum; another one is a fault.
#[track_caller]
pub fn known<T>(known: Option<T>, all: &str, word: &str) -> T {
    match known {
        Some(known) => known,
        None => {
            let message = format!("expected one of `{all}`, found `{word}`");
            Fault::coded(FaultCode::WrongType, &message).raise()
        }
    }
}
