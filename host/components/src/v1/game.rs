//! The game for components: what each function of the contract takes and gives,
//! in the values of components.

use std::sync::Arc;

use kernel::chits::Worths;
use kernel::deck::End;
use kernel::error::{Fault, FaultCode};
use kernel::game::{Game, Listed};
use kernel::geometry::Length;
use kernel::value::{EntityId, Name, Value};

use super::bindings::houserule::contract::data::{self, Node};
use super::bindings::houserule::contract::game as wit;
use super::{CallResult, die_in, die_out, fault_of, leaf_of, list_of, nodes_of};
use crate::faults::with_word;
use crate::state::{InstanceState, stopped};
use rules::contract::places::{Paid, Priced};
use rules::contract::types::{
    AudienceSpec, CardCount, ChitCount, DeckRef, Drawing, Fields, Id, QuestionSpec, Record, Rest,
    ShiftReason, SideName, Steps, TallyWorth, Untyped,
};
use rules::contract::{
    Function, call_at_load, chance, decks, entities, lookup, over_game, questions, sequence,
};

/// A name for what is shared between threads of the kernel.
fn name(text: &str) -> Name {
    Arc::from(text)
}

fn id(text: &str) -> Id {
    Id(name(text))
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn sides(names: Vec<SideName>) -> Vec<String> {
    names.into_iter().map(|side| side.0.to_string()).collect()
}

fn all_names(texts: &[String]) -> Vec<Name> {
    texts.iter().map(|text| name(text)).collect()
}

fn numbers(entities: Listed) -> Vec<u32> {
    entities.iter().map(|entity| entity.0).collect()
}

fn audience_spec(audience: wit::Audience) -> AudienceSpec {
    let only = audience
        .only
        .iter()
        .map(|(field, sides)| (name(field), all_names(sides)));
    AudienceSpec {
        to: audience.to.as_deref().map(all_names),
        only: only.collect(),
        reveals: audience.reveals.as_deref().map(name),
    }
}

fn deck(deck: &wit::Deck) -> DeckRef {
    DeckRef {
        id: name(&deck.id),
        of: deck.of.as_deref().map(name),
    }
}

fn end(end: wit::End) -> End {
    match end {
        wit::End::Top => End::Top,
        wit::End::Bottom => End::Bottom,
    }
}

/// Values by name.
fn fields(value: Value) -> Fields {
    match value {
        Value::Map(map) => Fields(
            map.iter()
                .map(|(name, item)| (name.clone(), item.clone().into()))
                .collect(),
        ),
        _ => Fields(Vec::new()),
    }
}

/// A record; an empty one for nothing.
fn record(value: Value) -> Record {
    Record(Untyped::from(if value.is_none() {
        Value::record([])
    } else {
        value
    }))
}

/// What each chit is worth, by its name.
fn worths(value: Value) -> Result<Worths, Fault> {
    let bad = |message: String| Fault::new(FaultCode::WrongType, message);
    match value {
        Value::None => Worths::new([] as [(Name, Value); 0]),
        Value::Map(chits) => Worths::new(
            chits
                .iter()
                .map(|(chit, worth)| (chit.clone(), worth.clone())),
        ),
        other => {
            return Err(bad(format!(
                "expected worths by the names of chits, found {}",
                other.type_word()
            )));
        }
    }
    .map_err(|uneven| bad(uneven.to_string()))
}

fn rest(args: Value) -> Rest {
    Rest(list_of(args).into_iter().map(Untyped::from).collect())
}

impl InstanceState {
    /// Calls a function of the contract.
    pub(super) fn run<A, R>(
        &self,
        function: &Function<A, R>,
        args: impl FnOnce() -> Result<A, Fault>,
    ) -> CallResult<R> {
        self.stopped()?;
        self.registered()
            .and_then(|()| function.call(&self.shared, args))
            .map_err(|fault| self.fault(fault))
    }

    /// Does something over the game, as a function of the contract that reads.
    fn over_game<T>(&self, work: impl FnOnce(&mut Game) -> Result<T, Fault>) -> CallResult<T> {
        self.stopped()?;
        self.registered()
            .and_then(|()| over_game(&self.shared, work))
            .map_err(|fault| self.fault(fault))
    }

    /// Whoever registers does not run, even if another rule does.
    fn registered(&self) -> Result<(), Fault> {
        if self.registrar.is_some() {
            Err(call_at_load())
        } else {
            Ok(())
        }
    }

    /// Calls a function of the contract with arguments that fit.
    fn fitting<A, R>(&self, function: &Function<A, R>, args: A) -> CallResult<R> {
        self.run(function, || Ok(args))
    }

    /// A list that is paid for before it is read.
    pub(super) fn paid<T, U: Priced>(
        &self,
        list: Vec<T>,
        read: impl Fn(T) -> Result<U, Fault>,
    ) -> Result<Paid<U>, Fault> {
        Paid::read(&self.shared, list.len(), list.into_iter().map(read))
    }

    /// The row of a key.
    pub(crate) fn row_of(&self, table: &str, key: Value) -> CallResult<Option<Value>> {
        let row = self.fitting(&lookup::ROW, (id(table), rest(key)))?;
        Ok(row.0)
    }

    /// All rows of a table.
    pub(crate) fn rows_of(&self, table: &str) -> CallResult<Value> {
        self.fitting(&lookup::ROWS, (id(table),))
            .map(|rows| Value::list(rows.0))
    }

    /// Whoever has a name.
    pub(crate) fn whoever_is(&self, name: &str) -> CallResult<Option<u32>> {
        let found = self.fitting(&entities::FIND, (self::name(name),))?;
        Ok(found.map(|entity| entity.0))
    }

    /// All of a kind.
    pub(crate) fn entities_of(&self, kind: &str) -> CallResult<Vec<u32>> {
        self.fitting(&entities::ENTITIES, (id(kind),)).map(numbers)
    }

    /// An attribute, by its name.
    pub(crate) fn attribute(&self, of: u32, attribute: &str) -> CallResult<Value> {
        self.over_game(|game| entities::attribute(game, EntityId(of), attribute))
    }

    /// An attribute as one node; nothing where it is a list or a record.
    pub(super) fn leaf_of(&self, of: u32, attribute: &str) -> CallResult<Option<Node>> {
        let value = self.attribute(of, attribute)?;
        Ok((!matches!(value, Value::List(_) | Value::Map(_))).then(|| leaf_of(&value)))
    }

    fn text_of(&self, of: u32, attribute: &str) -> CallResult<String> {
        let value = self.attribute(of, attribute)?;
        Ok(value.as_text().unwrap_or_default().to_string())
    }
}

impl wit::Host for InstanceState {
    fn clause(&mut self, id: String) -> CallResult<bool> {
        self.shared.asks(&id);
        self.fitting(&lookup::CLAUSE, (self::id(&id),))
    }

    fn option_value(&mut self, id: String) -> CallResult<Vec<Node>> {
        self.shared.asks(&id);
        self.fitting(&lookup::OPTION, (self::id(&id),))
            .map(|value| nodes_of(&value.0))
    }

    fn row(&mut self, table: String, key: Vec<Node>) -> CallResult<Option<Vec<Node>>> {
        let key = self.value(key)?;
        Ok(self.row_of(&table, key)?.map(|row| nodes_of(&row)))
    }

    fn rows(&mut self, table: String) -> CallResult<Vec<Node>> {
        Ok(nodes_of(&self.rows_of(&table)?))
    }

    fn get(&mut self, of: u32, attribute: String) -> CallResult<Vec<Node>> {
        self.attribute(of, &attribute).map(|value| nodes_of(&value))
    }

    fn leaf(&mut self, of: u32, attribute: String) -> CallResult<Option<Node>> {
        self.leaf_of(of, &attribute)
    }

    fn set(&mut self, of: u32, attribute: String, to: Vec<Node>) -> CallResult<()> {
        let value = self.value(to)?;
        self.fitting(
            &entities::WRITE,
            (EntityId(of), self::name(&attribute), value.into()),
        )
    }

    fn name(&mut self, of: u32) -> CallResult<String> {
        self.text_of(of, "name")
    }

    fn kind(&mut self, of: u32) -> CallResult<String> {
        self.text_of(of, "kind")
    }

    fn label(&mut self, of: u32) -> CallResult<String> {
        self.fitting(&entities::LABEL, (EntityId(of),))
            .map(|label| label.to_string())
    }

    fn find(&mut self, name: String) -> CallResult<Option<u32>> {
        self.whoever_is(&name)
    }

    fn named(&mut self, name: String) -> CallResult<u32> {
        self.fitting(&entities::GET, (self::name(&name),))
            .map(|entity| entity.0)
    }

    fn exists(&mut self, entity: u32) -> CallResult<bool> {
        self.fitting(&entities::EXISTS, (EntityId(entity),))
    }

    fn entities(&mut self, kind: String) -> CallResult<Vec<u32>> {
        self.entities_of(&kind)
    }

    fn all_with(
        &mut self,
        kind: String,
        attribute: String,
        holds: Vec<Node>,
    ) -> CallResult<Vec<u32>> {
        let holds = self.value(holds)?;
        self.fitting(
            &entities::ALL_WITH,
            (id(&kind), name(&attribute), holds.into()),
        )
        .map(numbers)
    }

    fn create(
        &mut self,
        kind: String,
        values: Vec<Node>,
        called: Option<String>,
    ) -> CallResult<u32> {
        let values = fields(self.value(values)?);
        let called = called.as_deref().map(name);
        self.fitting(&entities::CREATE, (id(&kind), values, called))
            .map(|entity| entity.0)
    }

    fn remove(&mut self, entity: u32) -> CallResult<()> {
        self.fitting(&entities::REMOVE, (EntityId(entity),))
    }

    fn reveal(
        &mut self,
        entity: u32,
        attribute: Option<String>,
        to: Option<String>,
    ) -> CallResult<()> {
        let (attribute, to) = (attribute.as_deref().map(name), to.as_deref().map(name));
        self.fitting(
            &entities::REVEAL,
            (EntityId(entity), attribute, to.map(SideName)),
        )
    }

    fn hide(&mut self, entity: u32, attribute: Option<String>) -> CallResult<()> {
        self.fitting(
            &entities::HIDE,
            (EntityId(entity), attribute.as_deref().map(name)),
        )
    }

    fn sees_entity(&mut self, side: String, entity: u32) -> CallResult<bool> {
        self.fitting(
            &entities::SEES_ENTITY,
            (SideName(name(&side)), EntityId(entity)),
        )
    }

    fn sides(&mut self) -> CallResult<Vec<String>> {
        self.fitting(&sequence::SIDES, ()).map(self::sides)
    }

    fn opponent(&mut self, side: String) -> CallResult<Option<String>> {
        let other = self.fitting(&sequence::OPPONENT, (SideName(name(&side)),))?;
        Ok(other.0.map(|side| side.to_string()))
    }

    fn opponents(&mut self, side: String) -> CallResult<Vec<String>> {
        self.fitting(&sequence::OPPONENTS, (SideName(name(&side)),))
            .map(self::sides)
    }

    fn turns(&mut self) -> CallResult<Option<u32>> {
        self.fitting(&sequence::TURNS, ())
    }

    fn width(&mut self) -> CallResult<i64> {
        self.fitting(&sequence::WIDTH, ()).map(Length::um)
    }

    fn depth(&mut self) -> CallResult<i64> {
        self.fitting(&sequence::DEPTH, ()).map(Length::um)
    }

    fn roll(
        &mut self,
        die: data::Die,
        purpose: Option<String>,
        how: Option<wit::Audience>,
    ) -> CallResult<u16> {
        self.run(&chance::ROLL, || {
            Ok((
                die_in(die)?,
                purpose.as_deref().map(name),
                how.map(audience_spec),
            ))
        })
    }

    fn roll_all(
        &mut self,
        dice: Vec<data::Die>,
        purpose: Option<String>,
        how: Option<wit::Audience>,
    ) -> CallResult<Vec<u16>> {
        let dice = || self.paid(dice, die_in);
        self.run(&chance::ROLL_ALL, || {
            Ok((
                dice()?,
                purpose.as_deref().map(name),
                how.map(audience_spec),
            ))
        })
    }

    fn shift(
        &mut self,
        die: data::Die,
        by: i32,
        reason: String,
        ladder: Option<String>,
    ) -> CallResult<(data::Die, i32)> {
        let ladder = ladder.as_deref().map(id);
        let args = || {
            Ok((
                die_in(die)?,
                Steps(i64::from(by)),
                ShiftReason(name(&reason)),
                ladder,
            ))
        };
        let shifted = self.run(&chance::SHIFT, args)?;
        Ok((die_out(&shifted.die), shifted.surplus))
    }

    fn can_shift(&mut self, die: data::Die, by: i32, ladder: Option<String>) -> CallResult<bool> {
        let ladder = ladder.as_deref().map(id);
        self.run(&chance::CAN_SHIFT, || {
            Ok((die_in(die)?, Steps(i64::from(by)), ladder))
        })
    }

    fn draw(
        &mut self,
        pot: String,
        count: u32,
        how: Option<wit::Audience>,
    ) -> CallResult<Vec<String>> {
        self.fitting(
            &chance::DRAW,
            (id(&pot), ChitCount(count), how.map(audience_spec)),
        )
        .map(|chits| texts(&chits))
    }

    fn tally(
        &mut self,
        pot: String,
        count: u32,
        each: Vec<Node>,
        how: Option<wit::Audience>,
    ) -> CallResult<Vec<Node>> {
        let each = self.value(each)?;
        let args = || {
            Ok((
                id(&pot),
                ChitCount(count),
                worths(each)?,
                how.map(audience_spec),
            ))
        };
        self.run(&chance::TALLY, args)
            .map(|TallyWorth(sum)| nodes_of(&sum))
    }

    fn take(
        &mut self,
        pot: String,
        count: u32,
        how: Option<wit::Audience>,
    ) -> CallResult<Vec<String>> {
        self.fitting(
            &chance::TAKE,
            (id(&pot), ChitCount(count), how.map(audience_spec)),
        )
        .map(|chits| texts(&chits))
    }

    fn put_back(&mut self, pot: String, chit: String) -> CallResult<()> {
        self.fitting(&chance::PUT_BACK, (id(&pot), name(&chit)))
    }

    fn deck_size(&mut self, of: wit::Deck) -> CallResult<u32> {
        self.fitting(&decks::SIZE, (deck(&of),))
    }

    fn deck_cards(&mut self, of: wit::Deck) -> CallResult<Vec<String>> {
        self.fitting(&decks::CARDS, (deck(&of),))
            .map(|cards| texts(&cards))
    }

    fn deck_discard_size(&mut self, of: wit::Deck) -> CallResult<u32> {
        self.fitting(&decks::DISCARD_SIZE, (deck(&of),))
    }

    fn deck_discarded(&mut self, of: wit::Deck) -> CallResult<Vec<String>> {
        self.fitting(&decks::DISCARDED, (deck(&of),))
            .map(|cards| texts(&cards))
    }

    fn draw_cards(
        &mut self,
        of: wit::Deck,
        count: u32,
        how: Option<wit::Drawing>,
    ) -> CallResult<Vec<String>> {
        let how = how.map(|how| Drawing {
            from: how.from.map(end),
            audience: audience_spec(how.told),
        });
        self.fitting(&decks::DRAW, (deck(&of), CardCount(count), how))
            .map(|cards| texts(&cards))
    }

    fn search_deck(
        &mut self,
        of: wit::Deck,
        card: String,
        how: Option<wit::Audience>,
    ) -> CallResult<()> {
        self.fitting(
            &decks::SEARCH,
            (deck(&of), name(&card), how.map(audience_spec)),
        )
    }

    fn put_cards(
        &mut self,
        of: wit::Deck,
        cards: Vec<String>,
        onto: Option<wit::End>,
    ) -> CallResult<()> {
        let cards = || self.paid(cards, |card| Ok(name(&card)));
        self.run(&decks::PUT, || Ok((deck(&of), cards()?, onto.map(end))))
    }

    fn discard_cards(&mut self, of: wit::Deck, cards: Vec<String>) -> CallResult<()> {
        let cards = || self.paid(cards, |card| Ok(name(&card)));
        self.run(&decks::DISCARD, || Ok((deck(&of), cards()?)))
    }

    fn gather_cards(&mut self, of: wit::Deck) -> CallResult<()> {
        self.fitting(&decks::GATHER, (deck(&of),))
    }

    fn shuffle_deck(&mut self, of: wit::Deck) -> CallResult<()> {
        self.fitting(&decks::SHUFFLE, (deck(&of),))
    }

    fn push(&mut self, step: String, args: Vec<Node>) -> CallResult<()> {
        let args = rest(self.value(args)?);
        self.fitting(&sequence::PUSH, (id(&step), args))
    }

    fn open(&mut self, window: String, data: Vec<Node>) -> CallResult<()> {
        let data = record(self.value(data)?);
        self.fitting(&sequence::OPEN, (id(&window), data))
    }

    fn enter(&mut self, phase: String, data: Vec<Node>) -> CallResult<()> {
        let data = record(self.value(data)?);
        self.fitting(&sequence::ENTER, (id(&phase), data))
    }

    fn leave(&mut self, phase: String) -> CallResult<()> {
        self.fitting(&sequence::LEAVE, (id(&phase),))
    }

    fn finish(&mut self, result: Vec<Node>) -> CallResult<()> {
        let result = record(self.value(result)?);
        self.fitting(&sequence::FINISH, (result,))
    }

    fn phase(&mut self, id: String) -> CallResult<Option<Vec<Node>>> {
        let data = self.fitting(&sequence::PHASE, (self::id(&id),))?;
        Ok(data.map(|data| {
            nodes_of(&if data.0.is_none() {
                Value::record([])
            } else {
                data.0
            })
        }))
    }

    fn round(&mut self, id: String) -> CallResult<u32> {
        self.fitting(&sequence::ROUND, (self::id(&id),))
    }

    fn emit(
        &mut self,
        event: String,
        fields: Vec<Node>,
        how: Option<wit::Audience>,
    ) -> CallResult<()> {
        let fields = record(self.value(fields)?);
        self.fitting(
            &sequence::EMIT,
            (id(&event), fields, how.map(audience_spec)),
        )
    }

    fn ask(&mut self, question: wit::Question) -> CallResult<Vec<Vec<Node>>> {
        let mut to = Vec::new();
        for (side, domain) in question.to {
            to.push((name(&side), self.value(domain)?.into()));
        }
        let asking = QuestionSpec {
            id: name(&question.id),
            text: name(&question.text),
            to,
            is_secret: question.secret,
            about: question.about.into_iter().map(EntityId).collect(),
            reveals: question.reveals.as_deref().map(name),
        };
        let answers = self
            .fitting(&questions::ASK, (asking,))?
            .0
            .ok_or_else(stopped)?;
        Ok(answers.iter().map(nodes_of).collect())
    }

    fn fail(&mut self, fault: data::Fault) -> CallResult<()> {
        let module = &self.source.module;
        let fault = with_word(&self.shared, fault_of(fault, module), module);
        Err(self.fault(fault))
    }
}
