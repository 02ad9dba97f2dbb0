//! The game as a running rule meets it: it reads and writes entities, rolls,
//! draws, asks, emits, and pushes what comes next; nothing else exists.
//!
//! What a rule may do is set in the [`Guard`] before it is called. Everything
//! that it does can be taken back to the start of its step.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

mod answers;
mod chits;
mod decks;
mod listing;
mod naming;
mod reading;
mod step;

use crate::audience::{Audience, Reads, WideningWatch};
use crate::book::{Book, Order, PhaseBody};
use crate::cells::Tracked;
use crate::chance::{Chance, DrawPosition, Draws};
use crate::chits::Pot;
use crate::decision::Question;
use crate::deck::{Deck, DeckId};
use crate::dice::Die;
use crate::digest::{Names, StateHash, StateHasher};
use crate::error::{Fault, FaultCode};
use crate::event::{Cause, Event, EventField, KERNEL_EVENTS, Remark};
use crate::geometry::Length;
use crate::query::Graph;
use crate::sequence::{Flow, Frame, WindowFrame};
use crate::stamp::Stamp;
use crate::value::{EntityId, Name, Side, Type, Value};
use crate::world::{SIDE, Viewer, Viewers, World};

use answers::RuleAnswers;
pub(crate) use decks::ids as deck_ids;
pub use decks::{CardPick, Onto};
pub use listing::Listed;
pub(crate) use listing::Lists;
pub(crate) use step::{Answered, RunningStep, StepStart};

/// More questions than this in one step are a fault.
pub const MOST_QUESTIONS: usize = 64;

/// What a rule does beyond computing: the effects of its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects(u8);

impl Effects {
    /// Reads entities. Every rule may.
    pub const READS: Effects = Effects(1);
    /// Rolls dice and draws chits.
    pub const DRAWS: Effects = Effects(2);
    /// Writes entities, emits events, pushes steps.
    pub const WRITES: Effects = Effects(4);
    /// Asks players.
    pub const ASKS: Effects = Effects(8);
    /// Everything.
    pub const ALL: Effects = Effects(15);

    /// These and those.
    #[must_use]
    pub fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Whether all of those are among these.
    pub fn include(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// The effects in words, for messages: `reads, draws`.
    pub fn words(self) -> String {
        let all = [
            (Effects::READS, "reads"),
            (Effects::DRAWS, "draws"),
            (Effects::WRITES, "writes"),
            (Effects::ASKS, "asks"),
        ];
        let words: Vec<&str> = all
            .into_iter()
            .filter(|(e, _)| self.include(*e))
            .map(|(_, w)| w)
            .collect();
        words.join(", ")
    }
}

/// What the rule that runs now may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The effects that it may have.
    pub effects: Effects,
    /// In whose eyes it looks: what they may not see, it may not read.
    pub scope: Viewer,
    /// The only side whose entities it may write, in a secret phase.
    pub owner: Option<Side>,
}

impl Guard {
    /// A step: everything is open to it.
    pub const STEP: Guard = Guard {
        effects: Effects::ALL,
        scope: Viewer::Referee,
        owner: None,
    };

    /// A rule that answers for a viewer: it only reads, and only what they see.
    pub fn answering(viewer: Viewer) -> Guard {
        Guard {
            effects: Effects::READS,
            scope: viewer,
            owner: None,
        }
    }
}

/// What notes what rules read, while it is lent to a game. A copy has none.
#[derive(Debug, Default)]
pub(crate) struct Lent(pub Option<Box<Graph>>);

impl Clone for Lent {
    fn clone(&self) -> Lent {
        Lent::default()
    }
}

/// A game: all its state, and what the running rule is doing to it.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) book: Arc<Book>,
    // What is large lies apart: whoever is lent a game exchanges it for another.
    pub(crate) world: Box<World>,
    pub(crate) pots: Arc<BTreeMap<Name, Pot>>,
    pub(crate) decks: Arc<BTreeMap<DeckId, Deck>>,
    pub(crate) chance: Chance,
    pub(crate) epoch: u32,
    pub(crate) salt: u64,
    pub(crate) flow: Box<Flow>,
    pub(crate) guard: Guard,
    pub(crate) running: Box<RunningStep>,
    pub(crate) happened: Vec<Event>,
    pub(crate) queued_answers: VecDeque<(Name, Value)>,
    pub(crate) table: (Length, Length),
    pub(crate) turns: Option<u32>,
    pub(crate) named: Arc<BTreeMap<Name, u32>>,
    pub(crate) sightings: Vec<Arc<Vec<EntityId>>>,
    pub(crate) unnoticed: Vec<EntityId>,
    /// Whether it has ever waited for anybody: before that nobody looks.
    pub(crate) is_looked_at: bool,
    pub(crate) answers: RuleAnswers,
    /// The stamp of what changes rarely: whatever was read, it counts no longer.
    pub(crate) era: Stamp,
    pub(crate) sighted_at: Stamp,
    pub(crate) decks_at: Stamp,
    pub(crate) graph: Lent,
    /// What is read and written while an input is taken, if somebody wants to know.
    pub(crate) tracked: Tracked,
    pub(crate) reads: Option<Box<Reads>>,
    pub(crate) watch: Option<Box<WideningWatch>>,
    /// In whose eyes steps look, where a copy is played to find out what a side may know of it.
    pub(crate) eyes: Option<Side>,
}

impl Game {
    /// A game before its first phase, with an empty world.
    pub fn new(
        book: Arc<Book>,
        sides: Arc<[Name]>,
        table: (Length, Length),
        chance: Chance,
    ) -> Game {
        let pots = book
            .pots
            .iter()
            .map(|(id, made_of)| (id.clone(), Pot::full(made_of.clone())))
            .collect();
        let flow = Box::new(Flow::new(book.root.as_ref(), sides.len()));
        Game {
            world: Box::new(World::new(book.schema.clone(), sides.clone())),
            pots: Arc::new(pots),
            decks: Arc::new(decks::full_decks(&book.decks, sides.len())),
            chance,
            epoch: 0,
            salt: 0,
            flow,
            guard: Guard::STEP,
            running: Box::default(),
            happened: Vec::new(),
            queued_answers: VecDeque::new(),
            table,
            turns: None,
            named: Arc::default(),
            sightings: vec![Arc::default(); sides.len() + 1],
            unnoticed: Vec::new(),
            is_looked_at: false,
            answers: RuleAnswers::default(),
            era: Stamp::fresh(),
            sighted_at: Stamp::fresh(),
            decks_at: Stamp::fresh(),
            graph: Lent::default(),
            tracked: Tracked::default(),
            reads: None,
            watch: None,
            eyes: None,
            book,
        }
    }

    /// A placeholder without rules, sides or entities.
    pub fn empty() -> Game {
        Game::new(
            Arc::default(),
            Arc::from([]),
            (Length::default(), Length::default()),
            Chance::seeded(0),
        )
    }

    /// What the composed mods declare.
    pub fn book(&self) -> &Arc<Book> {
        &self.book
    }

    /// The world, read without a guard: for whoever embeds the kernel.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world for setting a scenario up, before the first phase.
    pub fn world_mut(&mut self) -> &mut World {
        self.begin_era();
        &mut self.world
    }

    /// The width and depth of the table.
    pub fn table(&self) -> (Length, Length) {
        self.table
    }

    /// How many turns the game is to last, if the scenario says so; what a
    /// turn is, and what happens then, is for the rules.
    pub fn turns(&self) -> Option<u32> {
        self.turns
    }

    /// Sets how many turns the game is to last, before the first phase.
    pub fn set_turns(&mut self, turns: Option<u32>) {
        self.begin_era();
        self.turns = turns;
    }

    /// Where the sequence of play stands.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The source of chance, to see what a script has left over.
    pub fn chance(&self) -> &Chance {
        &self.chance
    }

    /// Puts another source of chance in place: a script, for a test.
    pub fn set_chance(&mut self, chance: Chance) {
        self.chance = chance;
    }

    /// Adds results to the end of a scripted source of chance: for a test that
    /// goes on.
    pub fn extend_chance(&mut self, script: crate::chance::Script) {
        self.chance.extend(script);
    }

    /// The guard of the rule that runs.
    pub fn guard(&self) -> Guard {
        self.guard
    }

    /// Sets what the next rule may do, and tells what the last one might.
    pub fn set_guard(&mut self, guard: Guard) -> Guard {
        std::mem::replace(&mut self.guard, guard)
    }

    /// Queues answers for the questions to come, in this order.
    pub fn queue_answers(&mut self, answers: impl IntoIterator<Item = (Name, Value)>) {
        self.queued_answers.extend(answers);
    }

    /// Queued answers that no question has used.
    pub fn queued_answers(&self) -> impl Iterator<Item = &(Name, Value)> {
        self.queued_answers.iter()
    }

    /// The state of a pot.
    ///
    /// # Errors
    /// When no mod declares it.
    pub fn pot(&self, id: &str) -> Result<&Pot, Fault> {
        self.pots.get(id).ok_or_else(|| {
            Fault::new(
                FaultCode::UnknownPot,
                format!("no mod declares the pot `{id}`"),
            )
        })
    }

    /// How many questions were answered in the step that waits for an answer.
    pub fn answered(&self) -> usize {
        let part = self
            .running
            .asking
            .iter()
            .flat_map(|(_, given)| given)
            .filter(|given| given.is_some());
        self.running.answers.len() + part.count()
    }

    /// Whether a rule has ended the game, and with what result.
    pub fn finished(&self) -> Option<&Value> {
        self.flow.finished.as_ref()
    }

    // ---- what rules do -------------------------------------------------

    /// Whether the rule that runs may do that, which changes the game.
    /// Whatever is open while it does is not kept.
    fn permit(&self, effect: Effects, what: &str) -> Result<(), Fault> {
        if self.guard.effects.include(effect) {
            self.spoil_answers();
            return Ok(());
        }
        Err(Fault::new(
            FaultCode::NotAllowed,
            format!(
                "expected a rule that only {}, found one that {what}",
                self.guard.effects.words()
            ),
        )
        .hint(
            "what tells whether something is allowed, or what there is to choose, must only read",
        ))
    }

    /// Reads an attribute.
    ///
    /// # Errors
    /// When it is not there, or hidden from those in whose eyes the rule looks.
    pub fn get(&self, entity: EntityId, name: &str) -> Result<&Value, Fault> {
        let slot = self.world.attribute(entity, name)?;
        self.get_slot(entity, slot)
    }

    /// Reads where an entity is: its attribute `at`.
    ///
    /// # Errors
    /// As [`Game::get`].
    pub fn get_place(&self, entity: EntityId) -> Result<&Value, Fault> {
        let slot = self.world.kind(entity)?.place()?;
        self.get_slot(entity, slot)
    }

    /// Reads an attribute by slot.
    ///
    /// # Errors
    /// As [`Game::get`].
    pub fn get_slot(&self, entity: EntityId, slot: u16) -> Result<&Value, Fault> {
        let scope = self.guard.scope;
        let row = match self.world.row(entity) {
            Ok(row) => row,
            Err(gone) => {
                self.note_attribute(entity, slot);
                return Err(gone);
            }
        };
        let cell = &row.cells[usize::from(slot)];
        self.note_cell(entity, slot, cell);
        if scope == Viewer::Referee {
            return Ok(&cell.value);
        }
        let is_secret = self.flow.is_secret();
        if !is_secret && row.existence.both(cell.viewers).contains(scope) {
            return Ok(&cell.value);
        }
        self.see(entity, slot, is_secret)?;
        let before = if is_secret {
            self.flow.before_pads(scope, entity, slot)
        } else {
            None
        };
        before.map_or_else(|| self.world.get(entity, slot), Ok)
    }

    fn see(&self, entity: EntityId, slot: u16, is_secret: bool) -> Result<(), Fault> {
        let scope = self.guard.scope;
        let is_shown = self.world.viewers(entity, slot)?.contains(scope);
        if is_shown && !(is_secret && self.is_new_on_a_pad(scope, entity)) {
            return Ok(());
        }
        let name = &self.world.kind(entity)?.attributes[slot as usize].name;
        let fault = Fault::new(
            FaultCode::HiddenRead,
            format!(
                "expected only what {} may see, found a read of `{name}`, which is hidden from them",
                self.viewer_word(self.guard.scope)
            ),
        );
        Err(fault.hint(match self.guard.effects == Effects::READS {
            true => "ask in a step, which may read everything, or reveal the attribute first",
            false => {
                "in a secret phase a step sees only what its side may see: let a step after the phase look"
            }
        }))
    }

    /// A viewer in words.
    pub fn viewer_word(&self, viewer: Viewer) -> String {
        match viewer {
            Viewer::Referee => "the referee".into(),
            Viewer::Spectator => "a spectator".into(),
            Viewer::Side(side) => format!("side `{}`", self.side_name(side)),
        }
    }

    /// The name of a side.
    pub fn side_name(&self, side: Side) -> Name {
        self.world
            .sides()
            .get(side.0 as usize)
            .cloned()
            .unwrap_or_else(|| Arc::from("?"))
    }

    /// Whether the rule that runs may know of an entity.
    pub fn knows_of(&self, entity: EntityId) -> bool {
        self.note_existence(entity);
        self.is_seen(self.guard.scope, entity)
    }

    /// Writes an attribute.
    ///
    /// # Errors
    /// When the rule may not write, the attribute is not there, or the value does not fit.
    pub fn set(&mut self, entity: EntityId, name: &str, value: Value) -> Result<(), Fault> {
        let slot = self.world.attribute(entity, name)?;
        self.permit(Effects::WRITES, "writes")?;
        self.own(entity)?;
        if slot == SIDE && self.guard.owner.is_some() {
            return Err(Fault::new(
                FaultCode::NotAllowed,
                "nothing may change sides in a secret phase",
            ));
        }
        // What is written in vain would not be, if another value were there.
        self.track(entity, slot);
        self.world.set(entity, slot, value)
    }

    /// Refuses what the others would notice while a secret phase is on.
    fn not_in_secret(&self, what: &str) -> Result<(), Fault> {
        match self.guard.owner {
            Some(_) => Err(
                Fault::new(FaultCode::NotAllowed, format!("{what} in a secret phase"))
                    .hint("do it in the phase that follows, when all is revealed"),
            ),
            None => Ok(()),
        }
    }

    fn own(&self, entity: EntityId) -> Result<(), Fault> {
        match self.guard.owner {
            Some(side) if self.world.owner(entity) != Some(side) => Err(Fault::new(
                FaultCode::NotYours,
                format!(
                    "expected only what side `{}` owns to be written in a secret phase, found `{}`",
                    self.side_name(side),
                    self.world.name(entity)
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Makes an entity. Without a name it gets the kind's last word and a number;
    /// where not all may know of it at first, the name of its side goes before
    /// these, and each side counts its own; of what has no side the number is drawn
    /// by lot.
    ///
    /// # Errors
    /// When the rule may not write, or the entity cannot be made.
    pub fn create(
        &mut self,
        kind: &str,
        name: Option<&str>,
        attributes: &[(Name, Value)],
    ) -> Result<EntityId, Fault> {
        self.permit(Effects::WRITES, "makes an entity")?;
        let slot = self.world.schema().require(kind)?;
        let name = match name {
            Some(name) => self.free_to_use(name)?,
            None => self.next_name(slot, kind, attributes),
        };
        let entity = self.world.create(slot, &name, attributes)?;
        self.own(entity)?;
        self.unnoticed.push(entity);
        Ok(entity)
    }

    /// Takes an entity out of the world.
    ///
    /// # Errors
    /// When the rule may not write, or the entity is not there.
    pub fn remove(&mut self, entity: EntityId) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "removes an entity")?;
        self.not_in_secret("nothing may be removed")?;
        self.world.remove(entity)
    }

    /// Changes who sees an attribute (`None`: that the entity exists).
    ///
    /// # Errors
    /// When the rule may not write, or there is no such attribute.
    pub fn show(
        &mut self,
        entity: EntityId,
        attribute: Option<&str>,
        viewers: Viewers,
    ) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "changes who sees what")?;
        self.not_in_secret("nothing may be revealed or hidden")?;
        let slot = attribute
            .map(|name| self.world.attribute(entity, name))
            .transpose()?;
        self.world.set_viewers(entity, slot, viewers)?;
        self.unnoticed.push(entity);
        Ok(())
    }

    /// Rolls dice, in order. The roll is an event (`dice`, `faces`, `purpose`)
    /// for its audience, in a secret phase only for the side that rolls.
    ///
    /// # Errors
    /// When the rule may not draw, or scripted dice do not fit.
    pub fn roll(
        &mut self,
        dice: &[Die],
        purpose: &str,
        audience: &Audience,
        mut cause: Cause,
    ) -> Result<Vec<u16>, Fault> {
        self.permit(Effects::DRAWS, "rolls dice")?;
        known_fields("roll", audience, &["dice", "faces", "purpose"])?;
        let first = self.flow.drawn + 1;
        let mut faces = Vec::with_capacity(dice.len());
        for die in dice {
            let face = self.draws().die(die.sides());
            faces.push(
                face.map_err(|error| Fault::new(FaultCode::ScriptedDice, error.to_string()))?,
            );
            self.running.draws += 1;
            self.flow.drawn += 1;
        }
        cause.draws = (!dice.is_empty()).then_some((first, self.flow.drawn));
        self.note_draws(dice.len());
        let fields = vec![
            ("dice", Value::list(dice.iter().cloned().map(Value::Die))),
            (
                "faces",
                Value::list(faces.iter().map(|face| Value::Int(i64::from(*face)))),
            ),
            ("purpose", Value::text(purpose)),
        ];
        self.announce_to("roll", fields, cause, audience);
        Ok(faces)
    }

    /// What was drawn on a pad cannot be taken back.
    fn note_draws(&mut self, count: usize) {
        let entry = self
            .guard
            .owner
            .filter(|_| count > 0)
            .and_then(|side| self.flow.pad_entry(side));
        if let Some(entry) = entry {
            entry.has_drawn = true;
        }
    }

    fn draws(&mut self) -> Draws<'_> {
        let place = DrawPosition {
            action: self.flow.numbering(),
            lane: self.flow.lane,
            epoch: self.epoch,
            step: self.flow.step,
            draw: self.running.draws,
        };
        Draws::new(&mut self.chance, place).after_shuffles(self.running.shuffles)
    }

    /// Emits a declared event. Fields that are left out hold nothing.
    ///
    /// # Errors
    /// When the rule may not write, no mod declares it, a field does not fit,
    /// or the audience names one that is not there.
    pub fn emit(
        &mut self,
        kind: &str,
        fields: BTreeMap<Name, Value>,
        audience: &Audience,
        cause: Cause,
    ) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "emits an event")?;
        let book = self.book.clone();
        let declared = book.event(kind)?;
        let names: Vec<&str> = declared.fields.iter().map(|field| &*field.name).collect();
        known_fields(kind, audience, &names)?;
        let record = Value::Map(Arc::new(fields));
        Type::Record(declared.fields.clone())
            .check(&record, &*self.world)
            .map_err(|mismatch| Fault::mismatch(&format!("event `{kind}`"), &mismatch))?;
        let mut ordered = Vec::with_capacity(declared.fields.len());
        for field in declared.fields.iter() {
            let value = record.field(&field.name).cloned().unwrap_or_default();
            ordered.push(EventField::new(
                field.name.clone(),
                value,
                audience.of(&field.name),
            ));
        }
        self.announce_fields(&declared.id, ordered, cause, audience);
        Ok(())
    }

    /// Those who may know what happens now: in a secret phase, its side.
    fn lane_audience(&self) -> Viewers {
        match self.guard.owner {
            Some(side) => Viewers::side(side),
            None => Viewers::ALL,
        }
    }

    /// An event of the kernel's own, for everybody.
    pub(crate) fn announce(&mut self, kind: &str, fields: Vec<(&str, Value)>, cause: Cause) {
        self.announce_to(kind, fields, cause, &Audience::default());
    }

    pub(crate) fn announce_to(
        &mut self,
        kind: &str,
        fields: Vec<(&str, Value)>,
        cause: Cause,
        audience: &Audience,
    ) {
        let field = |(name, value)| EventField::new(name, value, audience.of(name));
        self.announce_fields(
            kind,
            fields.into_iter().map(field).collect(),
            cause,
            audience,
        );
    }

    pub(crate) fn announce_fields(
        &mut self,
        kind: &str,
        fields: Vec<EventField>,
        cause: Cause,
        audience: &Audience,
    ) {
        self.announce_remarked(kind, (fields, Vec::new()), cause, audience);
    }

    /// An event with words beside its values. A field is for those alone who know, now, of
    /// every entity in it: what is revealed later does not tell its past.
    pub(crate) fn announce_remarked(
        &mut self,
        kind: &str,
        (mut fields, remarks): (Vec<EventField>, Vec<Remark>),
        cause: Cause,
        audience: &Audience,
    ) {
        debug_assert!(
            self.book.events.contains_key(kind) || KERNEL_EVENTS.contains(&kind),
            "`{kind}` is neither declared nor an event of the kernel"
        );
        for field in &mut fields {
            self.narrow(field);
        }
        let action = self.flow.numbering();
        let to = self.lane_audience().both(audience.to);
        let cause = Cause {
            reveals: audience.reveals.clone().or(cause.reveals),
            ..cause
        };
        let event = Event {
            kind: Arc::from(kind),
            fields,
            remarks,
            audience: to,
            cause,
            action,
        };
        self.watch_event(&event);
        if self.running.start.is_some() {
            self.running.events.push(event);
        } else {
            self.happened.push(event);
        }
    }

    /// Takes those out of the viewers of a field who do not know of an entity
    /// in it; where its parts have viewers of their own, of each part.
    fn narrow(&self, field: &mut EventField) {
        let knowing = |value: &Value| {
            let mut named = Vec::new();
            value.entities(&mut named);
            named.iter().fold(Viewers::ALL, |all, entity| {
                all.both(self.world.last_existence(*entity))
            })
        };
        if field.parts.is_empty() {
            field.viewers = field.viewers.both(knowing(&field.value));
        }
        for (name, viewers) in &mut field.parts {
            *viewers = viewers.both(field.value.field(name).map_or(Viewers::ALL, knowing));
        }
    }

    /// Asks a question. `None` means that no answer is queued: the rule
    /// must stop at once, and runs again from its start when it is.
    ///
    /// # Errors
    /// When the rule may not ask, asks too much, or asks what has no answer.
    pub fn ask(&mut self, question: Question) -> Result<Option<Vec<Value>>, Fault> {
        self.not_in_secret("nobody may be asked")?;
        self.permit(Effects::ASKS, "asks a player")?;
        if self.running.asked >= MOST_QUESTIONS {
            return Err(Fault::new(
                FaultCode::TooManyQuestions,
                format!("expected at most {MOST_QUESTIONS} questions in one step, found one more"),
            )
            .hint("push the rest as a step of its own"));
        }
        if let Some((open, _)) = &self.running.asking {
            let message = format!(
                "expected the rule to stop at the question `{}`, found that it went on",
                open.id
            );
            return Err(Fault::new(FaultCode::BadQuestion, message));
        }
        self.check_question(&question)?;
        // Numbers for what is new are given at each question, whether or not
        // an answer is queued, so that they do not depend on that.
        self.notice();
        let index = self.running.asked;
        self.running.asked += 1;
        if self
            .running
            .answers
            .get(index)
            .is_some_and(|answered| answered.question != question)
        {
            self.running.answers.truncate(index);
        }
        if index == self.running.answers.len() && !self.answer_from_queue(&question) {
            let nothing = vec![None; question.to.len()];
            self.running.asking = Some((question, nothing));
            return Ok(None);
        }
        let values = self.running.answers[index].values.clone();
        self.announce_answers(&question, &values);
        Ok(Some(values))
    }

    /// A question is put to sides of the game, each once, and offers each
    /// only what there is and what it may know of.
    fn check_question(&self, question: &Question) -> Result<(), Fault> {
        let bad = |expected: &str, found: &str| {
            let message = format!("expected {expected}, found `{}` {found}", question.id);
            Err(Fault::new(FaultCode::BadQuestion, message))
        };
        if question.to.is_empty() || question.to.iter().any(|(_, domain)| domain.is_empty()) {
            return bad("a question with a possible answer", "without one");
        }
        let mut asked = 0u32;
        for (side, domain) in &question.to {
            if usize::from(side.0) >= self.world.sides().len().min(32) || asked & (1 << side.0) != 0
            {
                return bad("a question to sides of the game, each once", "to others");
            }
            asked |= 1 << side.0;
            let mut offered = Vec::new();
            domain
                .choices()
                .iter()
                .for_each(|choice| choice.value.entities(&mut offered));
            if let Some(hidden) = offered
                .iter()
                .find(|entity| !self.is_seen(Viewer::Side(*side), **entity))
            {
                let (id, name) = (&question.id, self.world.name(*hidden));
                let who = self.viewer_word(Viewer::Side(*side));
                let message =
                    format!("expected only what {who} may see, found `{name}` offered in `{id}`");
                return Err(Fault::new(FaultCode::HiddenRead, message));
            }
        }
        Ok(())
    }

    fn answer_from_queue(&mut self, question: &Question) -> bool {
        let has_last_word = question
            .to
            .iter()
            .any(|(_, domain)| domain.check().is_some());
        let fits = !has_last_word && self.fits_queued(question);
        if fits {
            self.take_queued(question);
        }
        fits
    }

    /// Whether the queued answers are to this question, as far as can be
    /// told without a rule.
    pub(crate) fn fits_queued(&self, question: &Question) -> bool {
        self.queued_answers.len() >= question.to.len()
            && self
                .queued_answers
                .iter()
                .zip(&question.to)
                .all(|((id, value), (_, domain))| {
                    *id == question.id && domain.accepts(value).is_ok()
                })
    }

    pub(crate) fn take_queued(&mut self, question: &Question) {
        let values = self
            .queued_answers
            .drain(..question.to.len())
            .map(|(_, value)| value)
            .collect();
        self.running.answers.push(Answered {
            question: question.clone(),
            values,
        });
    }

    fn announce_answers(&mut self, question: &Question, values: &[Value]) {
        for ((side, domain), value) in question.to.iter().zip(values) {
            let fields = [
                ("by", Value::Text(self.side_name(*side))),
                ("question", Value::Text(question.id.clone())),
                ("text", Value::Text(question.text.clone())),
                ("value", value.clone()),
            ];
            let to = if question.is_secret {
                Viewers::side(*side)
            } else {
                Viewers::ALL
            };
            let audience = Audience {
                reveals: question.reveals.clone(),
                ..Audience::to(to)
            };
            let field = |(name, value)| EventField::new(name, value, audience.of(name));
            let words = self.offered_words(*side, domain, value);
            let remark = words.map(|words| Remark {
                place: Name::from("value"),
                words,
                viewers: Viewers::side(*side),
            });
            let told = (
                fields.into_iter().map(field).collect(),
                remark.into_iter().collect(),
            );
            self.announce_remarked("answer", told, Cause::default(), &audience);
        }
    }

    /// Pushes a step; it runs after the present one, in the order written.
    ///
    /// # Errors
    /// When the rule may not write, or the arguments do not fit.
    pub fn push(&mut self, rule: &str, args: Vec<Value>) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "pushes a step")?;
        let book = self.book.clone();
        let Some((id, fields)) = book.steps.get_key_value(rule) else {
            return Err(Fault::new(
                FaultCode::UnknownRule,
                format!("no mod defines the step `{rule}`"),
            ));
        };
        for (field, value) in fields
            .iter()
            .zip(args.iter().chain(std::iter::repeat(&Value::None)))
        {
            field.ty.check(value, &*self.world).map_err(|m| {
                Fault::mismatch(&format!("step `{rule}`, argument `{}`", field.name), &m)
            })?;
        }
        if args.len() > fields.len() {
            let message = format!(
                "step `{rule}`: expected {} arguments, found {}",
                fields.len(),
                args.len()
            );
            return Err(Fault::new(FaultCode::WrongType, message));
        }
        let by = self.running.by;
        self.running.pushed.push(Frame::Step {
            rule: id.clone(),
            args: args.into(),
            by,
        });
        Ok(())
    }

    /// Opens a window after the present step.
    ///
    /// # Errors
    /// When the rule may not write, or the window or what it carries is wrong.
    pub fn open(&mut self, window: &str, data: Value) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "opens a window")?;
        self.not_in_secret("no window may be opened")?;
        let book = self.book.clone();
        let declared = book.window(window)?;
        Type::Record(declared.carries.clone())
            .check(&data, &*self.world)
            .map_err(|mismatch| Fault::mismatch(&format!("window `{window}`"), &mismatch))?;
        // In a reaction it is the one who reacts that others react to.
        let acting = self.running.by.or_else(|| self.flow.acting());
        self.running.pushed.push(Frame::Window(WindowFrame::new(
            declared.id.clone(),
            data,
            acting,
        )));
        Ok(())
    }

    /// Enters a phase after the present step, with data for its rules.
    ///
    /// # Errors
    /// When the rule may not write, or no mod declares the phase.
    pub fn enter(&mut self, phase: &str, data: Value) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "enters a phase")?;
        self.not_in_secret("no phase may be entered")?;
        let declared = self.book.phase(phase)?;
        if matches!(&declared.body, PhaseBody::Acts(acts) if acts.order == Order::Given) {
            self.side_given(phase, &data)?;
        }
        let id = declared.id.clone();
        self.running.pushed.push(Frame::phase(id, data));
        Ok(())
    }

    /// Leaves a phase that is open, with all that lies above it, after the
    /// present step.
    ///
    /// # Errors
    /// When the rule may not write, or the phase is not open.
    pub fn leave(&mut self, phase: &str) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "leaves a phase")?;
        self.not_in_secret("no phase may be left")?;
        if self.flow.phase(phase).is_none() {
            return Err(Fault::new(
                FaultCode::UnknownPhase,
                format!("the phase `{phase}` is not open"),
            ));
        }
        self.running.pushed.push(Frame::Leave {
            phase: Arc::from(phase),
        });
        Ok(())
    }

    /// Ends the game after the present step.
    ///
    /// # Errors
    /// When the rule may not write.
    pub fn finish(&mut self, result: Value) -> Result<(), Fault> {
        self.permit(Effects::WRITES, "ends the game")?;
        self.not_in_secret("the game may not end")?;
        self.flow.finished = Some(result);
        Ok(())
    }

    /// Sets what the viewers' own numbers for things that look alike are drawn
    /// from. Players must not know it: derive it from the seed, before play
    /// starts. Otherwise the order in a scenario tells what is what.
    pub fn set_salt(&mut self, salt: u64) {
        self.begin_era();
        self.salt = salt;
    }

    /// Sets how often play was rewound between players: from then on all
    /// draws are others, so that nobody rewinds to peek at dice.
    pub fn set_epoch(&mut self, epoch: u32) {
        self.begin_era();
        self.epoch = epoch;
    }

    /// How often play was rewound between players.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    // ---- marks and hashes ----------------------------------------------

    /// Everything that happened since this was last called.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.happened)
    }

    /// How many events were noted and not yet taken, those of the step that
    /// runs among them.
    pub fn noted(&self) -> usize {
        self.happened.len() + self.running.events.len()
    }

    /// What has happened so far in the step that waits for an answer.
    pub fn open_events(&self) -> &[Event] {
        &self.running.events
    }

    /// The hash of the whole state.
    pub fn hash(&self) -> StateHash {
        self.hash_with(self.world.digest())
    }

    /// Keeps what the hash is made of, so that the next one costs what changes
    /// from now on.
    pub fn keep_digests(&mut self) {
        self.world.keep_digests();
    }

    /// The same hash computed from nothing, for tests.
    pub fn hash_afresh(&self) -> StateHash {
        self.hash_with(self.world.digest_afresh())
    }

    fn hash_with(&self, world: StateHash) -> StateHash {
        let mut writer = StateHasher::new("game");
        writer.number(self.turns.map_or(0, |turns| u64::from(turns) + 1));
        writer.hash(&world);
        writer.number(self.pots.len() as u64);
        for (id, pot) in self.pots.iter() {
            writer.text(id);
            writer.number(pot.entries().count() as u64);
            for (chit, inside, out) in pot.entries() {
                writer.text(chit);
                writer.number(u64::from(inside));
                writer.number(u64::from(out));
            }
        }
        self.flow.write(&mut writer, &*self.world);
        self.write_answers(&mut writer);
        self.write_rare(&mut writer);
        writer.sum()
    }

    /// What few games have: decks, an epoch, and what is kept aside since a reload.
    fn write_rare(&self, writer: &mut StateHasher) {
        for (id, deck) in self.decks.iter() {
            writer.text("deck");
            writer.text(&id.deck);
            writer.number(id.of.map_or(0, |side| u64::from(side.0) + 1));
            deck.write(writer);
        }
        if self.epoch > 0 {
            writer.text("epoch");
            writer.number(u64::from(self.epoch));
        }
        for (entity, attribute, value) in self.world.kept_aside() {
            writer.text("aside");
            writer.text(&entity);
            writer.text(attribute);
            writer.value(value, &*self.world);
        }
    }

    /// What was answered so far in a step that waits.
    fn write_answers(&self, writer: &mut StateHasher) {
        let mut write = |question: &Question, answers: &mut dyn Iterator<Item = Option<&Value>>| {
            writer.text(&question.id);
            for answer in answers {
                writer.number(u64::from(answer.is_some()));
                writer.value(answer.unwrap_or(&Value::None), &*self.world);
            }
        };
        for answered in &self.running.answers {
            write(&answered.question, &mut answered.values.iter().map(Some));
        }
        if let Some((question, given)) = &self.running.asking {
            write(question, &mut given.iter().map(Option::as_ref));
        }
    }
}

/// Whether something has every field that its audience names.
fn known_fields(kind: &str, audience: &Audience, names: &[&str]) -> Result<(), Fault> {
    let Some(stranger) = audience.only.keys().find(|name| !names.contains(&&***name)) else {
        return Ok(());
    };
    let message = format!("`only`: expected fields of `{kind}`, found `{stranger}`");
    Err(Fault::new(FaultCode::WrongType, message).hint(format!("it has `{}`", names.join("`, `"))))
}

impl Names for Game {
    fn name_of(&self, entity: EntityId) -> Name {
        self.world.name(entity)
    }
}
