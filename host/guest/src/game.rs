//! The game and its entities.

use crate::bindings::houserule::contract::{calls, game as wit};
use crate::rules::texts;
use crate::value::{leaf, nodes, read};
use crate::{Die, Domain, FromValue, Record, Value};

/// The handle of the game, the first argument of every rule; it keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Game(pub(crate) ());

std::thread_local! {
    /// The side that acts where nobody else does.
    static ACTING: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Keeps the side that acts, where an action comes without an actor.
pub(crate) fn note_actor(first: Option<&Value>) {
    if let Some(Value::Text(side)) = first {
        ACTING.set(side.clone());
    }
}

/// To whom a roll or a draw is told.
#[derive(Clone, Debug)]
pub struct Audience(wit::Audience);

impl Audience {
    /// Everybody.
    pub fn everybody() -> Audience {
        Audience(wit::Audience { to: None, only: Vec::new(), reveals: None })
    }

    /// These sides alone.
    pub fn to(sides: &[&str]) -> Audience {
        Audience(wit::Audience { to: Some(texts(sides)), ..Audience::everybody().0 })
    }

    /// A field that only these sides see.
    #[must_use]
    pub fn only(mut self, field: &str, sides: &[&str]) -> Audience {
        self.0.only.push((field.into(), texts(sides)));
        self
    }

    /// What it gives away, by the printed rule, of what others may not see.
    #[must_use]
    pub fn reveals(mut self, what: &str) -> Audience {
        self.0.reveals = Some(what.into());
        self
    }
}

/// An entity of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(pub(crate) u32);

impl Entity {
    /// No entity: the actor of an action that has none.
    pub const NOBODY: Entity = Entity(u32::MAX);

    /// An attribute, as the type that is wanted.
    #[track_caller]
    pub fn get<T: FromValue>(self, attribute: &str) -> T {
        T::from_value(attribute_of(self, attribute))
    }

    /// Writes an attribute.
    pub fn set(self, attribute: &str, to: impl Into<Value>) {
        set(self, attribute, to.into());
    }

    /// Its name.
    pub fn name(self) -> String {
        wit::name(self.0)
    }

    /// The id of its kind.
    pub fn kind(self) -> String {
        wit::kind(self.0)
    }

    /// What the rule that runs may call it.
    pub fn label(self) -> String {
        wit::label(self.0)
    }

    /// The side that owns it; empty if none does.
    pub fn side(self) -> String {
        self.get::<Option<String>>("side").unwrap_or_default()
    }
}

/// A deck of cards. Cards lie in the stock, lie on the discard pile, or are
/// out.
#[derive(Clone, Debug)]
pub struct Deck(wit::Deck);

impl Deck {
    /// How many cards are left in the stock: ask before you draw.
    pub fn size(&self) -> u32 {
        wit::deck_size(&self.0, wit::Pile::Stock)
    }

    /// The cards of the stock, the uppermost first.
    pub fn cards(&self) -> Vec<String> {
        wit::deck_cards(&self.0, wit::Pile::Stock)
    }

    /// How many lie on the discard pile.
    pub fn discard_size(&self) -> u32 {
        wit::deck_size(&self.0, wit::Pile::Discard)
    }

    /// The cards on the discard pile, the uppermost first.
    pub fn discarded(&self) -> Vec<String> {
        wit::deck_cards(&self.0, wit::Pile::Discard)
    }

    /// Takes cards out from the top of the stock, told to an audience. Who sees
    /// which ones: those of its field `cards`, or else those whom it names for
    /// all of it, or else those who see the stock.
    pub fn draw(&self, count: u32, audience: Audience) -> Vec<String> {
        wit::draw_cards(&self.0, count, wit::End::Top, &audience.0)
    }

    /// The same from the bottom of the stock.
    pub fn draw_bottom(&self, count: u32, audience: Audience) -> Vec<String> {
        wit::draw_cards(&self.0, count, wit::End::Bottom, &audience.0)
    }

    /// Takes the uppermost card of that name out of the stock.
    pub fn search(&self, card: &str, audience: Audience) {
        wit::search_deck(&self.0, card, &audience.0);
    }

    /// Puts cards that are out back on top; the first of them comes to lie
    /// uppermost.
    pub fn put(&self, cards: &[String]) {
        wit::put_cards(&self.0, cards, wit::End::Top);
    }

    /// The same under the stock.
    pub fn put_bottom(&self, cards: &[String]) {
        wit::put_cards(&self.0, cards, wit::End::Bottom);
    }

    /// Lays cards that are out on the discard pile.
    pub fn discard(&self, cards: &[String]) {
        wit::discard_cards(&self.0, cards);
    }

    /// Puts the discard pile under the stock, as it lies.
    pub fn gather(&self) {
        wit::gather_cards(&self.0);
    }

    /// Puts the stock in an order that chance makes.
    pub fn shuffle(&self) {
        wit::shuffle_deck(&self.0);
    }
}

// What follows is once for all types: each copy of the code must be compiled.

fn called(rule: &str, args: Vec<Value>) -> Value {
    read(calls::call(rule, &nodes(&Value::List(args))))
}

fn under(args: Vec<Value>) -> Value {
    read(calls::base(&nodes(&Value::List(args))))
}

fn row(table: &str, key: Vec<Value>) -> Option<Record> {
    wit::row(table, &nodes(&Value::List(key))).map(|row| Record::from_value(read(row)))
}

fn push(step: &str, args: Vec<Value>) {
    wit::push(step, &nodes(&Value::List(args)));
}

fn attribute_of(entity: Entity, attribute: &str) -> Value {
    match wit::leaf(entity.0, attribute) {
        Some(node) => leaf(node),
        None => read(wit::get(entity.0, attribute)),
    }
}

fn set(entity: Entity, attribute: &str, to: Value) {
    wit::set(entity.0, attribute, &nodes(&to));
}

/// A question to players.
#[derive(Clone, Debug)]
pub struct Question {
    id: String,
    text: String,
    secret: bool,
    about: Vec<Entity>,
}

impl Question {
    /// A question by its id, with what the player reads.
    pub fn new(id: &str, text: &str) -> Question {
        Question { id: id.into(), text: text.into(), secret: false, about: Vec::new() }
    }

    /// The same, of which the others may not know the answer.
    #[must_use]
    pub fn secret(mut self) -> Question {
        self.secret = true;
        self
    }

    /// The same with what it is about, for a front-end to show.
    #[must_use]
    pub fn about(mut self, entities: &[Entity]) -> Question {
        self.about = entities.to_vec();
        self
    }
}

impl Game {
    /// In an action or reaction that has no actor: the side that takes it.
    pub fn acting(self) -> String {
        ACTING.with_borrow(String::clone)
    }

    /// Calls a rule with its wraps.
    #[track_caller]
    pub fn call<T: FromValue>(self, rule: &str, args: impl IntoIterator<Item = Value>) -> T {
        T::from_value(called(rule, args.into_iter().collect()))
    }

    /// In a wrap: calls the rule under it.
    #[track_caller]
    pub fn base<T: FromValue>(self, args: impl IntoIterator<Item = Value>) -> T {
        T::from_value(under(args.into_iter().collect()))
    }

    /// Whether a clause is on.
    pub fn clause(self, id: &str) -> bool {
        wit::clause(id)
    }

    /// The value of an option.
    #[track_caller]
    pub fn option<T: FromValue>(self, id: &str) -> T {
        T::from_value(read(wit::option_value(id)))
    }

    /// The row of a key.
    pub fn row(self, table: &str, key: impl IntoIterator<Item = Value>) -> Option<Record> {
        row(table, key.into_iter().collect())
    }

    /// All rows of a table, by key.
    pub fn rows(self, table: &str) -> Vec<Record> {
        FromValue::from_value(read(wit::rows(table)))
    }

    /// The entity of a name, if there is one that the rule may know of.
    pub fn find(self, name: &str) -> Option<Entity> {
        wit::find(name).map(Entity)
    }

    /// The entity of a name; a fault if there is none.
    pub fn named(self, name: &str) -> Entity {
        Entity(wit::named(name))
    }

    /// Whether an entity is in the world still.
    pub fn exists(self, entity: Entity) -> bool {
        wit::exists(entity.0)
    }

    /// Every entity of a kind that the rule may know of, by name.
    pub fn entities(self, kind: &str) -> Vec<Entity> {
        wit::entities(kind).into_iter().map(Entity).collect()
    }

    /// Those whose attribute holds a value.
    pub fn all(self, kind: &str, attribute: &str, holds: impl Into<Value>) -> Vec<Entity> {
        wit::all_with(kind, attribute, &nodes(&holds.into())).into_iter().map(Entity).collect()
    }

    /// Makes an entity; without a name it is called after its kind.
    pub fn create(self, kind: &str, attributes: Record, name: Option<&str>) -> Entity {
        Entity(wit::create(kind, &nodes(&attributes.into()), name))
    }

    /// Takes an entity out of the world.
    pub fn remove(self, entity: Entity) {
        wit::remove(entity.0);
    }

    /// Lets a side (or all) see an attribute, or that the entity exists.
    pub fn reveal(self, entity: Entity, attribute: Option<&str>, to: Option<&str>) {
        wit::reveal(entity.0, attribute, to);
    }

    /// Hides an attribute, or the entity, from all but its owner.
    pub fn hide(self, entity: Entity, attribute: Option<&str>) {
        wit::hide(entity.0, attribute);
    }

    /// Whether a side knows that an entity exists.
    pub fn sees_entity(self, side: &str, entity: Entity) -> bool {
        wit::sees_entity(side, entity.0)
    }

    /// All sides, in the order of the scenario.
    pub fn sides(self) -> Vec<String> {
        wit::sides()
    }

    /// The other side; with more than two, the first of the others.
    pub fn opponent(self, side: &str) -> String {
        self.sides().into_iter().find(|other| other != side).unwrap_or_default()
    }

    /// How many turns the scenario gives the game.
    pub fn turns(self) -> Option<u32> {
        wit::turns()
    }

    /// The width and depth of the table, in micrometres.
    pub fn size(self) -> (i64, i64) {
        wit::size()
    }

    /// Rolls a die.
    pub fn roll(self, die: &Die, purpose: &str) -> i64 {
        self.roll_all(std::slice::from_ref(die), purpose)[0]
    }

    /// Rolls dice in order.
    pub fn roll_all(self, dice: &[Die], purpose: &str) -> Vec<i64> {
        let dice: Vec<_> = dice.iter().map(Die::wit).collect();
        wit::roll(&dice, purpose).into_iter().map(i64::from).collect()
    }

    /// Rolls dice in order, told to an audience.
    pub fn roll_to(self, dice: &[Die], purpose: &str, audience: Audience) -> Vec<i64> {
        let dice: Vec<_> = dice.iter().map(Die::wit).collect();
        wit::roll_to(&dice, purpose, &audience.0).into_iter().map(i64::from).collect()
    }

    /// The die so many steps along a ladder (the first one declared without an
    /// id), and how many steps were too many.
    pub fn shift(self, die: &Die, by: i32, reason: &str, ladder: Option<&str>) -> (Die, i32) {
        let (die, surplus) = wit::shift(&die.wit(), by, reason, ladder);
        (Die::from_wit(die), surplus)
    }

    /// Whether so many steps stay on the ladder.
    pub fn can_shift(self, die: &Die, by: i32, ladder: Option<&str>) -> bool {
        wit::can_shift(&die.wit(), by, ladder)
    }

    /// Draws chits and puts them all back at once.
    pub fn draw(self, pot: &str, count: u32) -> Vec<String> {
        wit::draw(pot, count)
    }

    /// Draws chits and puts them all back at once, told to an audience.
    pub fn draw_to(self, pot: &str, count: u32, audience: Audience) -> Vec<String> {
        wit::draw_to(pot, count, &audience.0)
    }

    /// Draws chits and keeps them out of the pot, told to an audience.
    pub fn take_to(self, pot: &str, count: u32, audience: Audience) -> Vec<String> {
        wit::take_to(pot, count, &audience.0)
    }

    /// Draws chits and keeps them out of the pot.
    pub fn take(self, pot: &str, count: u32) -> Vec<String> {
        wit::take(pot, count)
    }

    /// Puts back a chit that was taken.
    pub fn put_back(self, pot: &str, chit: &str) {
        wit::put_back(pot, chit);
    }

    /// A deck of the table; with a side, that side's own.
    pub fn deck(self, id: &str, side: Option<&str>) -> Deck {
        Deck(wit::Deck { id: id.into(), of: side.map(Into::into) })
    }

    /// Pushes a step: it runs after this one.
    pub fn push(self, step: &str, args: impl IntoIterator<Item = Value>) {
        push(step, args.into_iter().collect());
    }

    /// Opens a window after this step.
    pub fn open(self, window: &str, data: Record) {
        wit::open(window, &nodes(&data.into()));
    }

    /// Enters a phase after this step.
    pub fn enter(self, phase: &str, data: Record) {
        wit::enter(phase, &nodes(&data.into()));
    }

    /// Leaves an open phase after this step.
    pub fn leave(self, phase: &str) {
        wit::leave(phase);
    }

    /// Ends the game after this step.
    pub fn finish(self, result: Record) {
        wit::finish(&nodes(&result.into()));
    }

    /// The data of an open phase.
    pub fn phase(self, id: &str) -> Option<Record> {
        wit::phase(id).map(|data| Record::from_value(read(data)))
    }

    /// How many rounds an open loop has begun.
    pub fn round(self, id: &str) -> u32 {
        wit::round(id)
    }

    /// Tells all that something happened.
    pub fn emit(self, event: &str, fields: Record) {
        wit::emit(event, &nodes(&fields.into()), None, &[]);
    }

    /// Tells some sides that something happened, some fields to some only.
    pub fn emit_to(self, event: &str, fields: Record, to: Option<&[&str]>, only: &[(&str, &[&str])]) {
        let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        let to = to.map(texts);
        let only: Vec<(String, Vec<String>)> =
            only.iter().map(|(field, sides)| (field.to_string(), texts(sides))).collect();
        wit::emit(event, &nodes(&fields.into()), to.as_deref(), &only);
    }

    /// Asks a side.
    #[track_caller]
    pub fn ask<T: FromValue>(self, side: &str, question: Question, domain: Domain) -> T {
        let mut answers = self.ask_all(question, vec![(side.to_string(), domain)]);
        T::from_value(answers.pop().unwrap_or(Value::Nothing))
    }

    /// Asks several sides at once; their answers in the same order.
    pub fn ask_all(self, question: Question, to: Vec<(String, Domain)>) -> Vec<Value> {
        let to: Vec<_> = to.into_iter().map(|(side, domain)| (side, nodes(&domain.into()))).collect();
        let question = wit::Question {
            id: question.id,
            text: question.text,
            to,
            secret: question.secret,
            about: question.about.iter().map(|entity| entity.0).collect(),
        };
        wit::ask(&question).into_iter().map(read).collect()
    }
}
