//! The game for components: the same that scripts get.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::audience::Audience;
use kernel::decision::{Domain, Question};
use kernel::deck::{DeckId, End, Pile};
use kernel::dice::{DiceError, Ladder};
use kernel::error::{Fault, FaultCode};
use kernel::game::{Effects, Game, Onto, Taken};
use kernel::geometry::Length;
use kernel::rules::Stop;
use kernel::value::{EntityId, Field, Name, Side, Type, Value};
use kernel::world::Viewers;

use super::bindings::houserule::contract::data::{self, Node};
use super::bindings::houserule::contract::game as wit;
use super::{State, die_in, die_out, fault_of, leaf_of, nodes_of, stopped};
use crate::run::{list_of, name};
use rules::hosting::game::{cost_of, deck_named, listeners, near_step, side_named, viewers_of};
use rules::hosting::rows::{RowIndex, ScriptRow};
use rules::trace::Note;
use rules::types::typed;

type Made<T> = wasmtime::Result<T>;

/// A value for a place, with what the place is called.
fn fit(value: Value, ty: &Type, what: &str) -> Result<Value, Fault> {
    typed(value, ty).map_err(|mismatch| Fault::mismatch(what, &mismatch))
}

/// Attributes of a kind, each by its type.
fn attributes(game: &Game, kind: &str, values: &Value) -> Result<Vec<(Name, Value)>, Fault> {
    let schema = game.world().schema();
    let declared = schema.kind(schema.require(kind)?);
    let mut list = Vec::new();
    if let Value::Map(values) = values {
        for (attribute, value) in values.iter() {
            let ty = &declared.attributes[declared.require(attribute)? as usize].ty;
            list.push((attribute.clone(), fit(value.clone(), ty, &format!("`{kind}.{attribute}`"))?));
        }
    }
    Ok(list)
}

fn viewers(game: &Game, sides: &[String]) -> Result<Viewers, Fault> {
    let mut viewers = Viewers::NONE;
    for side in sides {
        viewers = viewers.and(Viewers::side(side_named(game, side)?));
    }
    Ok(viewers)
}

/// The audience of what is told to everybody.
const EVERYBODY: wit::Audience = wit::Audience { to: None, only: Vec::new(), reveals: None };

fn audience(game: &Game, given: &wit::Audience) -> Result<Audience, Fault> {
    let mut audience = Audience::default();
    if let Some(sides) = &given.to {
        audience.to = viewers(game, sides)?;
    }
    for (field, sides) in &given.only {
        audience = audience.only(field, viewers(game, sides)?);
    }
    audience.reveals = given.reveals.as_deref().map(name);
    Ok(audience)
}

fn record_of(value: Value) -> Value {
    match value {
        Value::None => Value::Map(Arc::default()),
        other => other,
    }
}

impl State {
    fn rows_of(&self, table: &str) -> Made<std::rc::Rc<RowIndex>> {
        let found = self.shared.rows.borrow().get(table).cloned();
        found.ok_or_else(|| {
            let fault = Fault::new(FaultCode::UnknownTable, format!("no mod declares the table `{table}`"));
            self.fault(match self.shared.nearest("table", table) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            })
        })
    }

    /// An attribute as one node; nothing where it is a list or a record.
    pub(super) fn leaf_of(&self, of: u32, attribute: &str) -> Made<Option<Node>> {
        self.with(|game| match attribute {
            "name" => Ok(Some(leaf_of(&Value::Text(game.known_name(EntityId(of))?)))),
            "kind" => Ok(Some(leaf_of(&Value::Text(game.world().kind(EntityId(of))?.id.clone())))),
            attribute => match game.get(EntityId(of), attribute)? {
                Value::List(_) | Value::Map(_) => Ok(None),
                leaf => Ok(Some(leaf_of(leaf))),
            },
        })
    }

    fn reach(&self, mark: &str) {
        if let Some(scripts) = self.shared.scripts() {
            scripts.reach(mark);
        }
    }

    fn ladder_of(&self, id: Option<&str>) -> Made<(Name, Ladder)> {
        let ladders = self.shared.ladders.borrow();
        let found = match id {
            Some(id) => ladders.iter().find(|(name, _)| **name == *id),
            None => ladders.first(),
        };
        let Some((id, ladder)) = found.cloned() else {
            let message = match id {
                Some(id) => format!("no mod declares the ladder \"{id}\""),
                None => "no mod declares a ladder of dice".into(),
            };
            return Err(self.fault(Fault::new(FaultCode::BadDie, message)));
        };
        self.reach(&id);
        Ok((id, ladder))
    }

    fn drawn(&self, pot: &str, count: u32, keep: bool, to: &wit::Audience) -> Made<Vec<String>> {
        let cause = self.cause(Effects::DRAWS, "draws chits")?;
        let drawn = self.with(|game| {
            let audience = audience(game, to)?;
            game.draw(pot, count, keep, &audience, cause)
        })?;
        Ok(drawn.iter().map(|chit| chit.to_string()).collect())
    }

    fn rolled(&self, dice: Vec<data::Die>, purpose: &str, to: &wit::Audience) -> Made<Vec<u16>> {
        let cause = self.cause(Effects::DRAWS, "rolls dice")?;
        let dice: Result<Vec<_>, Fault> = dice.into_iter().map(die_in).collect();
        let dice = dice.map_err(|fault| self.fault(fault))?;
        self.charge(dice.len() as u64)?;
        self.with(|game| {
            let audience = audience(game, to)?;
            game.roll(&dice, purpose, &audience, cause)
        })
    }

    /// The deck that a component works with; what is done to it is paid first.
    fn opened(&self, of: &wit::Deck) -> Made<DeckId> {
        let (deck, cost) = self.with(|game| {
            let deck = deck_of(game, of)?;
            let cost = cost_of(game, &deck)?;
            Ok((deck, cost))
        })?;
        self.charge(cost)?;
        Ok(deck)
    }

    fn cards_taken(&self, of: &wit::Deck, taken: Taken<'_>, to: &wit::Audience) -> Made<Vec<Name>> {
        let cause = self.cause(Effects::DRAWS, "draws cards")?;
        let deck = self.opened(of)?;
        self.with(|game| {
            let audience = audience(game, to)?;
            game.take_cards(&deck, taken, &audience, cause)
        })
    }

    fn cards_put(&self, of: &wit::Deck, cards: &[String], onto: Onto) -> Made<()> {
        self.permit(Effects::DRAWS, "puts cards back")?;
        let deck = self.opened(of)?;
        self.charge(cards.len() as u64)?;
        let cards: Vec<Name> = cards.iter().map(|card| name(card)).collect();
        self.with(|game| game.put_cards(&deck, &cards, onto))
    }

    fn bad_die(&self, error: &DiceError) -> wasmtime::Error {
        self.fault(Fault::new(FaultCode::BadDie, error.to_string()))
    }
}

fn deck_of(game: &Game, deck: &wit::Deck) -> Result<DeckId, Fault> {
    deck_named(game, &deck.id, deck.of.as_deref())
}

fn pile_of(pile: wit::Pile) -> Pile {
    match pile {
        wit::Pile::Stock => Pile::Stock,
        wit::Pile::Discard => Pile::Discard,
    }
}

fn end_of(end: wit::End) -> End {
    match end {
        wit::End::Top => End::Top,
        wit::End::Bottom => End::Bottom,
    }
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn row_value(row: &ScriptRow) -> Value {
    let cells = row.cells.iter().filter(|(_, cell)| !cell.is_none());
    Value::Map(Arc::new(cells.map(|(name, cell)| (name.clone(), cell.clone())).collect()))
}

/// A key as the table has it: a number stands for a length, a text for a die.
fn like(key: Vec<Value>, model: &[Value]) -> Vec<Value> {
    let one = |(value, model): (Value, &Value)| {
        let ty = match model {
            Value::Length(_) => Type::Length,
            Value::Angle(_) => Type::Angle,
            Value::Direction(_) => Type::Direction,
            Value::Die(_) => Type::Die,
            Value::Int(_) => Type::INT,
            _ => return value,
        };
        typed(value.clone(), &ty).unwrap_or(value)
    };
    key.into_iter().zip(model.iter().chain(std::iter::repeat(&Value::None))).map(one).collect()
}

impl wit::Host for State {
    fn clause(&mut self, id: String) -> Made<bool> {
        self.shared.asks(&id);
        let found = self.shared.clauses.borrow().get(id.as_str()).copied();
        self.reach(&id);
        found.ok_or_else(|| {
            let fault = Fault::new(FaultCode::UnknownClause, format!("no mod lists the clause `{id}`"));
            self.fault(match self.shared.nearest("clause", &id) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            })
        })
    }

    fn option_value(&mut self, id: String) -> Made<Vec<Node>> {
        self.option_of(&id).map(|value| nodes_of(&value))
    }

    fn row(&mut self, table: String, key: Vec<Node>) -> Made<Option<Vec<Node>>> {
        let key = list_of(self.value(key)?);
        let index = self.rows_of(&table)?;
        let Some(first) = index.rows.first() else { return Ok(None) };
        let place = index.by_key.get(&like(key, &first.key)).copied();
        Ok(place.map(|place| {
            self.reach(&index.rows[place].mark);
            self.note(Note::Row(index.rows[place].mark.clone()));
            nodes_of(&row_value(&index.rows[place]))
        }))
    }

    fn rows(&mut self, table: String) -> Made<Vec<Node>> {
        let index = self.rows_of(&table)?;
        self.charge(index.rows.len() as u64 * 4)?;
        index.rows.iter().for_each(|row| self.reach(&row.mark));
        Ok(nodes_of(&Value::list(index.rows.iter().map(row_value))))
    }

    fn get(&mut self, of: u32, attribute: String) -> Made<Vec<Node>> {
        self.with(|game| match attribute.as_str() {
            "name" => Ok(nodes_of(&Value::Text(game.known_name(EntityId(of))?))),
            "kind" => Ok(nodes_of(&Value::Text(game.world().kind(EntityId(of))?.id.clone()))),
            attribute => Ok(nodes_of(game.get(EntityId(of), attribute)?)),
        })
    }

    fn leaf(&mut self, of: u32, attribute: String) -> Made<Option<Node>> {
        self.leaf_of(of, &attribute)
    }

    fn set(&mut self, of: u32, attribute: String, to: Vec<Node>) -> Made<()> {
        self.permit(Effects::WRITES, "writes")?;
        let value = self.value(to)?;
        self.with(|game| {
            let kind = game.world().kind(EntityId(of))?;
            let ty = kind.attributes[kind.require(&attribute)? as usize].ty.clone();
            let what = format!("`{}.{attribute}`", kind.id);
            game.set(EntityId(of), &attribute, fit(value, &ty, &what)?)
        })
    }

    fn name(&mut self, of: u32) -> Made<String> {
        self.with(|game| Ok(game.known_name(EntityId(of))?.to_string()))
    }

    fn kind(&mut self, of: u32) -> Made<String> {
        self.with(|game| Ok(game.world().kind(EntityId(of))?.id.to_string()))
    }

    fn label(&mut self, of: u32) -> Made<String> {
        self.with(|game| {
            game.world().row(EntityId(of))?;
            Ok(game.label(game.guard().scope, EntityId(of)).to_string())
        })
    }

    fn find(&mut self, name: String) -> Made<Option<u32>> {
        self.with(|game| Ok(game.world().find(&name).filter(|e| game.knows_of(*e)).map(|entity| entity.0)))
    }

    fn named(&mut self, name: String) -> Made<u32> {
        self.with(|game| {
            game.world().find(&name).filter(|e| game.knows_of(*e)).map(|entity| entity.0).ok_or_else(|| {
                Fault::new(FaultCode::NoSuchEntity, format!("expected an entity named `{name}`, found none"))
            })
        })
    }

    fn exists(&mut self, entity: u32) -> Made<bool> {
        self.with(|game| Ok(game.world().row(EntityId(entity)).is_ok()))
    }

    fn entities(&mut self, kind: String) -> Made<Vec<u32>> {
        let found = self.with(|game| game.entities(&kind))?;
        self.charge(found.len() as u64)?;
        Ok(found.into_iter().map(|entity| entity.0).collect())
    }

    fn all_with(&mut self, kind: String, attribute: String, holds: Vec<Node>) -> Made<Vec<u32>> {
        let holds = self.value(holds)?;
        let found = self.with(|game| {
            let schema = game.world().schema().clone();
            let declared = schema.kind(schema.require(&kind)?);
            let slot = declared.require(&attribute)?;
            let ty = Type::Optional(Arc::new(declared.attributes[slot as usize].ty.clone()));
            let wanted = fit(holds, &ty, &format!("`{kind}.{attribute}`"))?;
            let mut found = Vec::new();
            for entity in game.entities(&kind)? {
                if *game.get_slot(entity, slot)? == wanted {
                    found.push(entity.0);
                }
            }
            Ok(found)
        })?;
        self.charge(found.len() as u64)?;
        Ok(found)
    }

    fn create(&mut self, kind: String, values: Vec<Node>, called: Option<String>) -> Made<u32> {
        self.permit(Effects::WRITES, "makes an entity")?;
        let values = self.value(values)?;
        self.with(|game| {
            if let Some(called) = called.as_deref().filter(|called| !kernel::value::is_word(called)) {
                let message =
                    format!("expected the name of an entity as one lower case word, found `{called}`");
                return Err(Fault::new(FaultCode::WrongType, message));
            }
            let values = attributes(game, &kind, &values)?;
            game.create(&kind, called.as_deref(), &values).map(|entity| entity.0)
        })
    }

    fn remove(&mut self, entity: u32) -> Made<()> {
        self.permit(Effects::WRITES, "removes an entity")?;
        self.with(|game| game.remove(EntityId(entity)))
    }

    fn reveal(&mut self, entity: u32, attribute: Option<String>, to: Option<String>) -> Made<()> {
        self.permit(Effects::WRITES, "reveals something")?;
        self.with(|game| {
            let before = viewers_of(game, EntityId(entity), attribute.as_deref())?;
            let more = match to {
                Some(side) => Viewers::side(side_named(game, &side)?),
                None => Viewers::ALL,
            };
            game.show(EntityId(entity), attribute.as_deref(), before.and(more))
        })
    }

    fn hide(&mut self, entity: u32, attribute: Option<String>) -> Made<()> {
        self.permit(Effects::WRITES, "hides something")?;
        self.with(|game| {
            let owner = game.world().owner(EntityId(entity)).map_or(Viewers::NONE, Viewers::side);
            game.show(EntityId(entity), attribute.as_deref(), owner)
        })
    }

    fn sees_entity(&mut self, side: String, entity: u32) -> Made<bool> {
        self.with(|game| {
            let side = side_named(game, &side)?;
            Ok(game.sees_entity(side, EntityId(entity)))
        })
    }

    fn sides(&mut self) -> Made<Vec<String>> {
        self.with(|game| Ok(game.world().sides().iter().map(|side| side.to_string()).collect()))
    }

    fn turns(&mut self) -> Made<Option<u32>> {
        self.with(|game| Ok(game.turns()))
    }

    fn size(&mut self) -> Made<(i64, i64)> {
        let um = |length: Length| length.um();
        self.with(|game| Ok((um(game.table().0), um(game.table().1))))
    }

    fn roll(&mut self, dice: Vec<data::Die>, purpose: String) -> Made<Vec<u16>> {
        self.rolled(dice, &purpose, &EVERYBODY)
    }

    fn roll_to(&mut self, dice: Vec<data::Die>, purpose: String, audience: wit::Audience) -> Made<Vec<u16>> {
        self.rolled(dice, &purpose, &audience)
    }

    fn shift(
        &mut self,
        die: data::Die,
        by: i32,
        reason: String,
        ladder: Option<String>,
    ) -> Made<(data::Die, i32)> {
        let die = die_in(die).map_err(|fault| self.fault(fault))?;
        let (_, ladder) = self.ladder_of(ladder.as_deref())?;
        let by = i8::try_from(by).unwrap_or(if by < 0 { i8::MIN } else { i8::MAX });
        let shifted = ladder.shift(&die, by, reason).map_err(|error| self.bad_die(&error))?;
        Ok((die_out(&shifted.die), shifted.surplus))
    }

    fn can_shift(&mut self, die: data::Die, by: i32, ladder: Option<String>) -> Made<bool> {
        let (_, ladder) = self.ladder_of(ladder.as_deref())?;
        let rungs = ladder.rungs();
        let Ok(place) = rungs.binary_search(&die.sides) else {
            let message = format!("expected a die of the ladder, found d{}", die.sides);
            return Err(self.fault(Fault::new(FaultCode::BadDie, message)));
        };
        let reached = place as i64 + i64::from(by);
        Ok(reached >= 0 && reached < rungs.len() as i64)
    }

    fn draw(&mut self, pot: String, count: u32) -> Made<Vec<String>> {
        self.drawn(&pot, count, false, &EVERYBODY)
    }

    fn draw_to(&mut self, pot: String, count: u32, audience: wit::Audience) -> Made<Vec<String>> {
        self.drawn(&pot, count, false, &audience)
    }

    fn take(&mut self, pot: String, count: u32) -> Made<Vec<String>> {
        self.drawn(&pot, count, true, &EVERYBODY)
    }

    fn take_to(&mut self, pot: String, count: u32, audience: wit::Audience) -> Made<Vec<String>> {
        self.drawn(&pot, count, true, &audience)
    }

    fn put_back(&mut self, pot: String, chit: String) -> Made<()> {
        self.permit(Effects::DRAWS, "puts chits back")?;
        self.with(|game| game.put_back(&pot, &chit))
    }

    fn deck_size(&mut self, of: wit::Deck, pile: wit::Pile) -> Made<u32> {
        self.with(|game| game.deck_size(&deck_of(game, &of)?, pile_of(pile)))
    }

    fn deck_cards(&mut self, of: wit::Deck, pile: wit::Pile) -> Made<Vec<String>> {
        let deck = self.opened(&of)?;
        let cards = self.with(|game| game.deck_cards(&deck, pile_of(pile)))?;
        Ok(texts(&cards))
    }

    fn draw_cards(
        &mut self,
        of: wit::Deck,
        count: u32,
        from: wit::End,
        audience: wit::Audience,
    ) -> Made<Vec<String>> {
        let cards = self.cards_taken(&of, Taken::Drawn(count, end_of(from)), &audience)?;
        Ok(texts(&cards))
    }

    fn search_deck(&mut self, of: wit::Deck, card: String, audience: wit::Audience) -> Made<()> {
        self.cards_taken(&of, Taken::Found(&card), &audience).map(|_| ())
    }

    fn put_cards(&mut self, of: wit::Deck, cards: Vec<String>, onto: wit::End) -> Made<()> {
        self.cards_put(&of, &cards, Onto::Stock(end_of(onto)))
    }

    fn discard_cards(&mut self, of: wit::Deck, cards: Vec<String>) -> Made<()> {
        self.cards_put(&of, &cards, Onto::Discard)
    }

    fn gather_cards(&mut self, of: wit::Deck) -> Made<()> {
        self.permit(Effects::DRAWS, "gathers a discard pile")?;
        let deck = self.opened(&of)?;
        self.with(|game| game.gather_cards(&deck))
    }

    fn shuffle_deck(&mut self, of: wit::Deck) -> Made<()> {
        let cause = self.cause(Effects::DRAWS, "shuffles a deck")?;
        let deck = self.opened(&of)?;
        self.with(|game| game.shuffle_deck(&deck, cause))
    }

    fn push(&mut self, step: String, args: Vec<Node>) -> Made<()> {
        self.permit(Effects::WRITES, "pushes a step")?;
        let mut args = list_of(self.value(args)?);
        self.with(|game| {
            let fields: Arc<[Field]> = game.book().steps.get(&*step).cloned().unwrap_or_default();
            args.resize(fields.len().max(args.len()), Value::None);
            for (arg, field) in args.iter_mut().zip(fields.iter()) {
                let what = format!("step `{step}`, argument `{}`", field.name);
                *arg = fit(std::mem::take(arg), &field.ty, &what)?;
            }
            game.push(&step, args).map_err(|fault| near_step(fault, game, &step))
        })?;
        self.note(Note::Push(Name::from(step)));
        Ok(())
    }

    fn open(&mut self, window: String, data: Vec<Node>) -> Made<()> {
        self.permit(Effects::WRITES, "opens a window")?;
        let data = record_of(self.value(data)?);
        self.with(|game| {
            let ty = Type::Record(game.book().window(&window)?.carries.clone());
            game.open(&window, fit(data, &ty, &format!("window `{window}`"))?)
        })
    }

    fn enter(&mut self, phase: String, data: Vec<Node>) -> Made<()> {
        self.permit(Effects::WRITES, "enters a phase")?;
        let data = record_of(self.value(data)?);
        self.with(|game| game.enter(&phase, fit(data, &Type::Any, &format!("phase `{phase}`"))?))
    }

    fn leave(&mut self, phase: String) -> Made<()> {
        self.permit(Effects::WRITES, "leaves a phase")?;
        self.with(|game| game.leave(&phase))
    }

    fn finish(&mut self, result: Vec<Node>) -> Made<()> {
        self.permit(Effects::WRITES, "ends the game")?;
        let result = record_of(self.value(result)?);
        self.with(|game| game.finish(fit(result, &Type::Any, "the result of the game")?))
    }

    fn phase(&mut self, id: String) -> Made<Option<Vec<Node>>> {
        let data = self.with(|game| Ok(game.flow().phase(&id).map(|phase| phase.data.clone())))?;
        Ok(data.map(|data| nodes_of(&record_of(data))))
    }

    fn round(&mut self, id: String) -> Made<u32> {
        self.with(|game| Ok(game.flow().phase(&id).map_or(0, |phase| phase.rounds)))
    }

    fn emit(
        &mut self,
        event: String,
        fields: Vec<Node>,
        to: Option<Vec<String>>,
        only: Vec<(String, Vec<String>)>,
    ) -> Made<()> {
        let cause = self.cause(Effects::WRITES, "emits an event")?;
        let fields = record_of(self.value(fields)?);
        self.with(|game| {
            let declared = game.book().event(&event)?.fields.clone();
            let record = fit(fields, &Type::Record(declared), &format!("event `{event}`"))?;
            let fields = match &record {
                Value::Map(fields) => (**fields).clone(),
                _ => BTreeMap::new(),
            };
            let audience = audience(game, &wit::Audience { to, only, reveals: None })?;
            game.emit(&event, fields, &audience, cause)?;
            for listener in listeners(game, &event) {
                game.push(&listener, vec![record.clone()])?;
            }
            Ok(())
        })
    }

    fn ask(&mut self, question: wit::Question) -> Made<Vec<Vec<Node>>> {
        let running = self.permit(Effects::ASKS, "asks a player")?;
        let mut domains = Vec::new();
        for (side, domain) in question.to {
            domains.push((side, self.value(domain)?));
        }
        let answers = self.with(|game| {
            if !kernel::value::is_id(&question.id) {
                let message = format!("expected the full id of a question, found `{}`", question.id);
                return Err(Fault::new(FaultCode::BadQuestion, message));
            }
            let mut to: Vec<(Side, Domain)> = Vec::new();
            for (side, domain) in domains {
                let domain = fit(domain, &Type::Any, &format!("domain of `{}`", question.id))?;
                to.push((side_named(game, &side)?, Domain::from_value(&domain)?));
            }
            game.ask(Question {
                id: name(&question.id),
                text: name(&question.text),
                to,
                is_secret: question.secret,
                about: question.about.into_iter().map(EntityId).collect(),
                reveals: self.shared.cause_of(&running).reveals,
            })
        })?;
        match answers {
            Some(answers) => Ok(answers.iter().map(nodes_of).collect()),
            None => {
                self.shared.stop.borrow_mut().get_or_insert(Stop::Asked);
                Err(stopped())
            }
        }
    }

    fn fail(&mut self, fault: data::Fault) -> Made<()> {
        Err(self.fault(fault_of(fault, &self.guest.module)))
    }
}
