//! The game and its entities.

use crate::bindings::houserule::contract::game as wit;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::value::{nodes, read, texts};
use crate::{Die, Domain, FromValue, Record, Value, border};

/// The game, for a rule that only looks.
///
/// The handle is the first argument of every rule, and says what it may do;
/// each stands for those before it: [`Draws`], [`Writes`], [`Acts`].
#[derive(Debug)]
pub struct Reads(());

/// The game, for a rule that rolls and draws besides.
#[derive(Debug)]
pub struct Draws(Reads);

/// The game, for a rule that writes and tells besides.
#[derive(Debug)]
pub struct Writes(Draws);

/// The game, for a rule that asks players besides.
#[derive(Debug)]
pub struct Acts(Writes);

pub(crate) static GAME: Acts = Acts(Writes(Draws(Reads(()))));

impl Deref for Draws {
    type Target = Reads;
    fn deref(&self) -> &Reads {
        &self.0
    }
}

impl Deref for Writes {
    type Target = Draws;
    fn deref(&self) -> &Draws {
        &self.0
    }
}

impl Deref for Acts {
    type Target = Writes;
    fn deref(&self) -> &Writes {
        &self.0
    }
}

/// A clause of a mod; bindings list them.
#[derive(Clone, Copy, Debug)]
pub struct Clause(&'static str);

impl Clause {
    /// The clause of an id; bindings make them.
    pub const fn new(id: &'static str) -> Clause {
        Clause(id)
    }

    /// Its id.
    pub const fn id(self) -> &'static str {
        self.0
    }
}

/// An option of a mod with the type of its values; bindings list them.
#[derive(Clone, Copy, Debug)]
pub struct Setting<T> {
    id: &'static str,
    of: PhantomData<T>,
}

impl<T> Setting<T> {
    /// The option of an id; bindings make them.
    pub const fn new(id: &'static str) -> Setting<T> {
        Setting {
            id,
            of: PhantomData,
        }
    }

    /// Its id.
    pub const fn id(&self) -> &'static str {
        self.id
    }
}

/// A kind of entities, with a type of its own.
pub trait Kind: Copy {
    /// Its id.
    const ID: &str;

    /// An entity that is known to be of this kind.
    fn of(entity: Entity) -> Self;

    /// Every one that the rule may know of, by name.
    fn all(_: &Reads) -> Vec<Self> {
        wit::entities(Self::ID)
            .into_iter()
            .map(|entity| Self::of(Entity(entity)))
            .collect()
    }

    /// Those whose attribute holds a value.
    fn all_with<T: Into<Value>>(_: &Reads, attribute: Attribute<Self, T>, holds: T) -> Vec<Self> {
        let found = border::all_with(Self::ID, attribute.name, &holds.into());
        found
            .into_iter()
            .map(|entity| Self::of(Entity(entity)))
            .collect()
    }

    /// The one of a name, if there is one that the rule may know of.
    fn find(_: &Reads, name: &str) -> Option<Self> {
        wit::find(name).map(|entity| Self::of(Entity(entity)))
    }

    /// The one of a name; a fault if there is none.
    fn named(_: &Reads, name: &str) -> Self {
        Self::of(Entity(wit::named(name)))
    }

    /// Makes one; without a name it is called after its kind.
    fn create(
        _: &Writes,
        name: Option<&str>,
        attributes: impl IntoIterator<Item = Holding<Self>>,
    ) -> Self {
        let mut fields = Record::default();
        for held in attributes {
            fields.set(held.name, held.value);
        }
        Self::of(Entity(wit::create(Self::ID, &nodes(&fields.into()), name)))
    }
}

/// An attribute of a kind: `Unit::STATE`.
#[derive(Debug)]
pub struct Attribute<K, T> {
    name: &'static str,
    of: PhantomData<(K, T)>,
}

/// An attribute with what it holds.
#[derive(Debug)]
pub struct Holding<K> {
    name: &'static str,
    value: Value,
    of: PhantomData<K>,
}

impl<K, T: Into<Value>> Attribute<K, T> {
    /// The attribute of a name; bindings make them.
    pub const fn new(name: &'static str) -> Attribute<K, T> {
        Attribute {
            name,
            of: PhantomData,
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// It holding a value, for something that is made.
    pub fn is(self, value: T) -> Holding<K> {
        Holding {
            name: self.name,
            value: value.into(),
            of: PhantomData,
        }
    }
}

std::thread_local! {
    /// The side that acts where nobody else does.
    static ACTING: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Keeps the side that acts, where an action comes without an actor; gives the
/// one that was kept for the function that has called this one.
pub(crate) fn note_actor(first: Option<&Value>) -> String {
    let side = match first {
        Some(Value::Text(side)) => side.clone(),
        _ => String::new(),
    };
    ACTING.replace(side)
}

/// The function is over for which it was noted.
pub(crate) fn restore_actor(before: String) {
    ACTING.set(before);
}

/// To whom a roll or a draw is told.
#[derive(Clone, Debug)]
pub struct Audience(wit::Audience);

impl Audience {
    /// Everybody.
    pub fn everybody() -> Audience {
        Audience(wit::Audience {
            to: None,
            only: Vec::new(),
            reveals: None,
        })
    }

    /// These sides alone.
    pub fn to(sides: &[&str]) -> Audience {
        Audience(wit::Audience {
            to: Some(texts(sides)),
            ..Audience::everybody().0
        })
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
    /// An attribute, as the type that is wanted.
    #[doc(hidden)]
    #[track_caller]
    pub fn get<T: FromValue>(self, attribute: &str) -> T {
        T::from_value(attribute_of(self, attribute))
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

    /// Whether it is in the world still.
    pub fn exists(self, _: &Reads) -> bool {
        wit::exists(self.0)
    }

    /// Whether a side knows that it exists.
    pub fn is_seen_by(self, _: &Reads, side: &str) -> bool {
        wit::sees_entity(side, self.0)
    }

    /// Takes it out of the world.
    pub fn remove(self, _: &Writes) {
        wit::remove(self.0);
    }

    /// Lets a side (or all) see an attribute, or that it exists.
    pub fn reveal(self, _: &Writes, attribute: Option<&str>, to: Option<&str>) {
        wit::reveal(self.0, attribute, to);
    }

    /// Hides an attribute, or the entity, from all but its owner.
    pub fn hide(self, _: &Writes, attribute: Option<&str>) {
        wit::hide(self.0, attribute);
    }
}

/// A deck of cards. Cards lie in the stock, lie on the discard pile, or are
/// out.
#[derive(Clone, Debug)]
pub struct Deck(wit::Deck);

impl Deck {
    /// How many cards are left in the stock: ask before you draw.
    pub fn size(&self) -> u32 {
        wit::deck_size(&self.0)
    }

    /// The cards of the stock, the uppermost first.
    pub fn cards(&self) -> Vec<String> {
        wit::deck_cards(&self.0)
    }

    /// How many lie on the discard pile.
    pub fn discard_size(&self) -> u32 {
        wit::deck_discard_size(&self.0)
    }

    /// The cards on the discard pile, the uppermost first.
    pub fn discarded(&self) -> Vec<String> {
        wit::deck_discarded(&self.0)
    }

    /// Takes cards out from the top of the stock, told to an audience. Who sees
    /// which ones: those of its field `cards`, or else those whom it names for
    /// all of it, or else those who see the stock.
    pub fn draw(&self, _: &Draws, count: u32, audience: Audience) -> Vec<String> {
        self.drawn(count, None, audience)
    }

    /// The same from the bottom of the stock.
    pub fn draw_bottom(&self, _: &Draws, count: u32, audience: Audience) -> Vec<String> {
        self.drawn(count, Some(wit::End::Bottom), audience)
    }

    fn drawn(
        &self,
        count: u32,
        from: Option<wit::End>,
        Audience(audience): Audience,
    ) -> Vec<String> {
        wit::draw_cards(
            &self.0,
            count,
            Some(&wit::Drawing {
                from,
                told: audience,
            }),
        )
    }

    /// Takes the uppermost card of that name out of the stock.
    pub fn search(&self, _: &Draws, card: &str, audience: Audience) {
        wit::search_deck(&self.0, card, Some(&audience.0));
    }

    /// Puts cards that are out back on top; the first of them comes to lie
    /// uppermost.
    pub fn put(&self, _: &Draws, cards: &[String]) {
        wit::put_cards(&self.0, cards, None);
    }

    /// The same under the stock.
    pub fn put_bottom(&self, _: &Draws, cards: &[String]) {
        wit::put_cards(&self.0, cards, Some(wit::End::Bottom));
    }

    /// Lays cards that are out on the discard pile.
    pub fn discard(&self, _: &Draws, cards: &[String]) {
        wit::discard_cards(&self.0, cards);
    }

    /// Puts the discard pile under the stock, as it lies.
    pub fn gather(&self, _: &Draws) {
        wit::gather_cards(&self.0);
    }

    /// Puts the stock in an order that chance makes.
    pub fn shuffle(&self, _: &Draws) {
        wit::shuffle_deck(&self.0);
    }
}

// What follows is once for all types: each copy of the code must be compiled.

pub(crate) fn row(table: &str, key: Vec<Value>) -> Option<Value> {
    border::row(table, &key)
}

pub(crate) fn rows(table: &str) -> Value {
    border::rows(table)
}

pub(crate) fn push(step: &str, args: Vec<Value>) {
    wit::push(step, &nodes(&Value::List(args)));
}

pub(crate) fn open(window: &str, data: Value) {
    wit::open(window, &nodes(&data));
}

pub(crate) fn tell(event: &str, fields: Record, to: Option<&[&str]>, only: &[(&str, &[&str])]) {
    let audience = only.iter().fold(
        to.map_or_else(Audience::everybody, Audience::to),
        |audience, (field, sides)| audience.only(field, sides),
    );
    wit::emit(event, &nodes(&fields.into()), Some(&audience.0));
}

fn attribute_of(entity: Entity, attribute: &str) -> Value {
    border::attribute(entity.0, attribute)
}

pub(crate) fn set(entity: Entity, attribute: &str, to: Value) {
    wit::set(entity.0, attribute, &nodes(&to));
}

fn rolled(dice: &[Die], purpose: &str, how: Option<&wit::Audience>) -> Vec<i64> {
    let dice: Vec<_> = dice.iter().map(Die::wit).collect();
    wit::roll_all(&dice, Some(purpose), how)
        .into_iter()
        .map(i64::from)
        .collect()
}

/// A question to players.
#[derive(Clone, Debug)]
pub struct Question {
    id: String,
    text: String,
    secret: bool,
    about: Vec<Entity>,
    reveals: Option<String>,
}

impl Question {
    /// A question by its id, with what the player reads.
    pub fn new(id: &str, text: &str) -> Question {
        Question {
            id: id.into(),
            text: text.into(),
            secret: false,
            about: Vec::new(),
            reveals: None,
        }
    }

    /// The same, of which the others may not know the answer.
    #[must_use]
    pub fn secret(mut self) -> Question {
        self.secret = true;
        self
    }

    /// The same with something that it is about, for a front-end to show.
    #[must_use]
    pub fn about(mut self, entity: Entity) -> Question {
        self.about.push(entity);
        self
    }

    /// The same with what it gives away, by the printed rule, of what others
    /// may not see.
    #[must_use]
    pub fn reveals(mut self, what: &str) -> Question {
        self.reveals = Some(what.into());
        self
    }
}

impl std::fmt::Display for Entity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.label())
    }
}

impl Reads {
    /// In an action or reaction that has no actor: the side that takes it.
    pub fn acting(&self) -> String {
        ACTING.with_borrow(String::clone)
    }

    /// Whether a clause is on.
    pub fn clause(&self, clause: Clause) -> bool {
        wit::clause(clause.id())
    }

    /// The value of an option.
    #[track_caller]
    pub fn option<T: FromValue>(&self, option: Setting<T>) -> T {
        T::from_value(border::option(option.id()))
    }

    /// All sides, in the order of the scenario.
    pub fn sides(&self) -> Vec<String> {
        wit::sides()
    }

    /// The other side; with more than two, the first of the others.
    pub fn opponent(&self, side: &str) -> String {
        wit::opponent(side).unwrap_or_default()
    }

    /// All other sides.
    pub fn opponents(&self, side: &str) -> Vec<String> {
        wit::opponents(side)
    }

    /// How many turns the scenario gives the game.
    pub fn turns(&self) -> Option<u32> {
        wit::turns()
    }

    /// The width and depth of the table, in micrometres.
    pub fn size(&self) -> (i64, i64) {
        (wit::width(), wit::depth())
    }

    /// The die so many steps along a ladder (the first one declared without an
    /// id), and how many steps were too many.
    pub fn shift(&self, die: &Die, by: i32, reason: &str, ladder: Option<&str>) -> (Die, i32) {
        let (die, surplus) = wit::shift(&die.wit(), by, reason, ladder);
        (Die::from_wit(die), surplus)
    }

    /// Whether so many steps stay on the ladder.
    pub fn can_shift(&self, die: &Die, by: i32, ladder: Option<&str>) -> bool {
        wit::can_shift(&die.wit(), by, ladder)
    }

    /// A deck of the table; with a side, that side's own.
    pub fn deck(&self, id: &str, side: Option<&str>) -> Deck {
        Deck(wit::Deck {
            id: id.into(),
            of: side.map(Into::into),
        })
    }

    /// The data of an open phase.
    pub fn phase(&self, id: &str) -> Option<Record> {
        wit::phase(id).map(|data| Record::from_value(read(data)))
    }

    /// How many rounds an open loop has begun.
    pub fn round(&self, id: &str) -> u32 {
        wit::round(id)
    }
}

impl Draws {
    /// Rolls a die.
    pub fn roll(&self, die: &Die, purpose: &str) -> i64 {
        i64::from(wit::roll(&die.wit(), Some(purpose), None))
    }

    /// Rolls dice in order.
    pub fn roll_all(&self, dice: &[Die], purpose: &str) -> Vec<i64> {
        rolled(dice, purpose, None)
    }

    /// Rolls dice in order, told to an audience.
    pub fn roll_to(&self, dice: &[Die], purpose: &str, audience: Audience) -> Vec<i64> {
        rolled(dice, purpose, Some(&audience.0))
    }

    /// Draws chits and puts them all back at once.
    pub fn draw(&self, pot: &str, count: u32) -> Vec<String> {
        wit::draw(pot, count, None)
    }

    /// Draws chits and puts them all back at once, told to an audience.
    pub fn draw_to(&self, pot: &str, count: u32, audience: Audience) -> Vec<String> {
        wit::draw(pot, count, Some(&audience.0))
    }

    /// Draws chits, puts them all back at once, and gives what they are worth
    /// together, by a record for each chit.
    pub fn tally(&self, pot: &str, count: u32, worths: Record) -> Record {
        Record::from_value(read(wit::tally(pot, count, &nodes(&worths.into()), None)))
    }

    /// The same, told to an audience.
    pub fn tally_to(&self, pot: &str, count: u32, worths: Record, audience: Audience) -> Record {
        Record::from_value(read(wit::tally(
            pot,
            count,
            &nodes(&worths.into()),
            Some(&audience.0),
        )))
    }

    /// Draws chits and keeps them out of the pot, told to an audience.
    pub fn take_to(&self, pot: &str, count: u32, audience: Audience) -> Vec<String> {
        wit::take(pot, count, Some(&audience.0))
    }

    /// Draws chits and keeps them out of the pot.
    pub fn take(&self, pot: &str, count: u32) -> Vec<String> {
        wit::take(pot, count, None)
    }

    /// Puts back a chit that was taken.
    pub fn put_back(&self, pot: &str, chit: &str) {
        wit::put_back(pot, chit);
    }
}

impl Writes {
    /// Enters a phase after this step.
    pub fn enter(&self, phase: &str, data: Record) {
        wit::enter(phase, &nodes(&data.into()));
    }

    /// Leaves an open phase after this step.
    pub fn leave(&self, phase: &str) {
        wit::leave(phase);
    }

    /// Ends the game after this step.
    pub fn finish(&self, result: Record) {
        wit::finish(&nodes(&result.into()));
    }
}

impl Acts {
    /// Asks a side.
    #[track_caller]
    pub fn ask<T: FromValue>(&self, side: &str, question: Question, domain: Domain<T>) -> T {
        self.ask_all(question, vec![(side.to_string(), domain)])
            .swap_remove(0)
    }

    /// Asks several sides at once; their answers in the same order.
    #[track_caller]
    pub fn ask_all<T: FromValue>(
        &self,
        question: Question,
        to: Vec<(String, Domain<T>)>,
    ) -> Vec<T> {
        let to: Vec<_> = to
            .into_iter()
            .map(|(side, domain)| (side, nodes(&domain.into())))
            .collect();
        let question = wit::Question {
            id: question.id,
            text: question.text,
            to,
            secret: question.secret,
            about: question.about.iter().map(|entity| entity.0).collect(),
            reveals: question.reveals,
        };
        let mut answers = Vec::new();
        for answer in wit::ask(&question) {
            answers.push(T::from_value(read(answer)));
        }
        answers
    }
}
