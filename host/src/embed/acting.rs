//! Decisions: by people, and by bots.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::book::Action;
use kernel::decision::{Choice, Domain, Input, are_hexes};
use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::game::Game;
use kernel::record::encode_for;
use kernel::value::{EntityId, Name, Side, Type, Value};
use kernel::world::Viewer;

use super::convert::{Labelled, labels_of};
use super::plain::EntityRef;
use super::{Accepted, MatchStatus, Plain, Submission, Tabletop, Trouble, WireInput};
use crate::play::RecordedInput;

/// A match with more decisions than this does not end: bots stop there.
pub const MOST_DECISIONS: usize = 100_000;

/// A key may be this long, in bytes.
const LONGEST_KEY: usize = 64;

impl Tabletop {
    /// From now on no record is made of decisions, nor the state hashed after each
    /// of them, unless a journal is kept: for games that are only played to their
    /// end.
    pub fn stop_recording(&mut self) {
        self.game.stop_recording();
    }

    /// Takes a decision: all of it, written to the journal, or nothing.
    ///
    /// # Errors
    /// A refusal of the rules, something that is not there, a fault of a mod,
    /// a journal that cannot be written.
    pub fn submit(&mut self, input: &WireInput) -> Result<Accepted, Trouble> {
        let inner = self.inner(input)?;
        self.take(&inner, None)
    }

    /// Takes a decision as a client sends it: only if the prompt that it decides
    /// on still stands, and once, however often it is sent with the same key.
    ///
    /// # Errors
    /// As [`Tabletop::submit`]; stale, if the side must decide something else by
    /// now.
    pub fn submit_as(&mut self, submission: &Submission) -> Result<Accepted, Trouble> {
        let Submission { ask, key, input } = submission;
        let by = self.side(input.by())?;
        if let Some(key) = key {
            if key.len() > LONGEST_KEY {
                let reason = format!(
                    "expected a key of at most {LONGEST_KEY} bytes, found {}",
                    key.len()
                );
                return Err(Trouble::Unsaid { message: reason });
            }
            if let Some(taken) = self.taken_with(by, key) {
                return Ok(taken);
            }
        }
        let found = self.ask_of(Viewer::Side(by));
        if let Some(expected) = ask.filter(|ask| *ask != found) {
            return Err(Trouble::Stale { expected, found });
        }
        // What it names is looked up only then: whether that can be read hangs on what others decide.
        self.may_decide(by)?;
        let inner = self.inner(input)?;
        self.take(&inner, key.as_deref().map(Name::from).as_ref())?;
        Ok(self.last_taken(Viewer::Side(by)))
    }

    /// Whether a side has to decide anything now.
    pub(super) fn may_decide(&self, side: Side) -> Result<(), Trouble> {
        self.game
            .game()
            .refused_now(side)
            .map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    /// What a side has taken with a key and what stands, as it was told then.
    fn taken_with(&self, by: Side, key: &str) -> Option<Accepted> {
        let is_it = |input: &RecordedInput| input.by == by && input.key.as_deref() == Some(key);
        let place = self.game.recorded_inputs().iter().rposition(is_it)?;
        Some(self.taken(Viewer::Side(by), place))
    }

    /// Lets a bot decide, if one must: what it decided.
    ///
    /// # Errors
    /// A fault of the rules, a journal that cannot be written, or a game that
    /// does not end.
    pub fn bot_turn(&mut self) -> Result<Option<Accepted>, Trouble> {
        let has_decided = self.uncounted_bot_turn();
        // After a fault the action may be undone, with what was decided in it.
        if !matches!(has_decided, Ok(false)) {
            self.count_again();
        }
        Ok(has_decided?.then(|| self.last_taken(Viewer::Referee)))
    }

    /// Lets a bot decide, if one must: whether one did. Who must decide what is yet to be
    /// counted again.
    fn uncounted_bot_turn(&mut self) -> Result<bool, Trouble> {
        let stand = self.game.recorded_inputs().len();
        let is_bots = self
            .game
            .wanted()
            .sides()
            .iter()
            .any(|side| self.bots.contains_key(side));
        if is_bots && stand >= self.most_decisions {
            let message =
                format!("expected the game to end, found that it goes on after {stand} decisions");
            let fault = Fault::new(FaultCode::TooManySteps, message);
            return Err(fault
                .hint("give it an end with `turns`, if the rules count turns")
                .into());
        }
        let has_decided = self.game.bot_turn(&mut self.bots)?;
        if has_decided {
            self.redo_nothing();
        }
        Ok(has_decided)
    }

    /// Bots stop when so many decisions stand, instead of [`MOST_DECISIONS`].
    pub fn stop_bots_at(&mut self, decisions: usize) {
        self.most_decisions = decisions;
    }

    /// Lets bots decide until people must, or the game is over.
    ///
    /// # Errors
    /// As [`Tabletop::bot_turn`]: what they decided before stands.
    pub fn bots(&mut self) -> Result<MatchStatus, Trouble> {
        let mut last = self.uncounted_bot_turn();
        let is_as_before = matches!(last, Ok(false));
        while let Ok(true) = last {
            last = self.uncounted_bot_turn();
        }
        // Nobody has looked in between.
        if !is_as_before {
            self.count_again();
        }
        last?;
        Ok(self.standing())
    }

    /// Takes an input, under a key if it has one, and forgets what could be made
    /// again.
    pub(super) fn take(&mut self, input: &Input, key: Option<&Name>) -> Result<Accepted, Trouble> {
        let is_secret = self.is_in_secret();
        if let Err(refused) = self.game.submit_keyed(input, key) {
            self.count_again();
            return Err(refused.into());
        }
        self.moved_on(is_secret);
        Ok(self.last_taken(Viewer::Referee))
    }

    /// Somebody has decided. What is done in secret does not show in what
    /// became of a proposal to take play back.
    fn moved_on(&mut self, was_secret: bool) {
        self.redo_nothing();
        let stand = self.game.recorded_inputs().len();
        if !(was_secret && self.goes_on_in_secret(stand)) {
            self.proposals.lapse();
        }
        self.count_again();
    }

    /// What was taken back is not made again after another decision.
    fn redo_nothing(&mut self) {
        self.redo.clear();
        self.set_aside = 0;
    }

    fn last_taken(&self, viewer: Viewer) -> Accepted {
        self.taken(viewer, self.game.recorded_inputs().len().saturating_sub(1))
    }

    /// A decision, as a viewer that may know it counted and read it when it was
    /// taken.
    fn taken(&self, viewer: Viewer, place: usize) -> Accepted {
        let recorded = self.game.recorded_inputs();
        Accepted {
            decision: self.numbers.own(viewer, place + 1),
            by: recorded
                .get(place)
                .map_or_else(String::new, |input| self.side_name(input.by)),
            text: self.text_at(viewer, place, self.game.game_before(place + 1)),
            over: place + 1 >= recorded.len() && self.game.wanted() == Wanted::Over,
        }
    }

    /// A decision in the form that journals write, with what a viewer calls
    /// things now.
    pub(super) fn decision_text(&self, viewer: Viewer, place: usize) -> String {
        self.text_at(viewer, place, self.game.game())
    }

    /// The same, with what a viewer calls things in a state of the game.
    fn text_at(&self, viewer: Viewer, place: usize, game: &Game) -> String {
        match (viewer, self.game.inputs().get(place)) {
            (Viewer::Referee, _) | (_, None) => self
                .game
                .recorded_inputs()
                .get(place)
                .map_or_else(String::new, |input| input.text.clone()),
            (_, Some(input)) => {
                let labels = labels_of(game, viewer);
                encode_for(input, game.world(), &Labelled(&|entity| labels(entity).1))
            }
        }
    }

    // ---- from the edge ------------------------------------------------------

    pub(super) fn inner(&self, input: &WireInput) -> Result<Input, Trouble> {
        let by = self.side(input.by())?;
        Ok(match input {
            WireInput::Act {
                action,
                actor,
                params,
                ..
            } => {
                let id = Name::from(action.as_str());
                let actor = self.actor(by, actor.as_ref())?;
                let declared = self.game.rulebook().book().actions.get(&id).cloned();
                let params = self.params(by, declared.as_ref(), actor, params)?;
                Input::Act {
                    by,
                    action: id,
                    actor,
                    params,
                }
            }
            WireInput::React {
                reaction,
                actor,
                params,
                ..
            } => {
                let id = Name::from(reaction.as_str());
                let actor = self.actor(by, actor.as_ref())?;
                let declared = self.game.rulebook().book().reactions.get(&id).cloned();
                let params = self.params(by, declared.as_ref(), actor, params)?;
                Input::React {
                    by,
                    reaction: id,
                    actor,
                    params,
                }
            }
            WireInput::Decline { standing, .. } => Input::Decline {
                by,
                standing: *standing,
            },
            WireInput::Answer {
                question, value, ..
            } => Input::Answer {
                by,
                question: Name::from(question.as_str()),
                value: self.answer(by, question, value)?,
            },
            WireInput::Pass { .. } => Input::Pass { by },
            WireInput::Done { .. } => Input::Done { by },
            WireInput::TakeBack { .. } => Input::TakeBack { by },
        })
    }

    /// Who acts, as far as the side knows of him; whatever it asks for, it is refused in
    /// the same words where it knows of nobody of that name.
    pub(super) fn actor(
        &self,
        by: Side,
        actor: Option<&EntityRef>,
    ) -> Result<Option<EntityId>, Trouble> {
        let find = |actor| {
            self.find(Viewer::Side(by), actor)
                .ok_or_else(|| Trouble::refusal("", format!("there is no {}", shown(actor))))
        };
        actor.map(find).transpose()
    }

    /// By their types, and where that does not fit by the labels of what there
    /// is to choose.
    fn params(
        &self,
        by: Side,
        action: Option<&Action>,
        actor: Option<EntityId>,
        given: &BTreeMap<String, Plain>,
    ) -> Result<Value, Trouble> {
        let params = match (self.params_map(by, action, given), action) {
            (Err(trouble), Some(action)) => {
                self.given(by, action, actor, given).map_err(|_| trouble)?
            }
            (params, _) => params?,
        };
        Ok(Value::Map(Arc::new(params)))
    }

    /// The parameters that are given in order, each as one of what there is to
    /// choose: by its value or by its label. What is not asked for here is left
    /// to the rules to refuse.
    pub(super) fn given(
        &self,
        by: Side,
        action: &Action,
        actor: Option<EntityId>,
        given: &BTreeMap<String, Plain>,
    ) -> Result<BTreeMap<Name, Value>, Trouble> {
        let mut left = given.clone();
        let mut chosen = BTreeMap::new();
        while let Some((name, _, domain)) = self.game.next_param(by, &action.id, actor, &chosen)? {
            let Some(plain) = left.remove(&*name) else {
                break;
            };
            let value = self.of_domain(by, &domain, &plain);
            let value = value.map_err(|reason| {
                Trouble::refusal(&*action.title, format!("`{name}`: {reason}"))
            })?;
            self.game
                .check_value(by, (&action.title, &name), &domain, &value)?;
            chosen.insert(name, value);
        }
        chosen.extend(self.params_map(by, Some(action), &left)?);
        Ok(chosen)
    }

    pub(super) fn params_map(
        &self,
        by: Side,
        action: Option<&Action>,
        given: &BTreeMap<String, Plain>,
    ) -> Result<BTreeMap<Name, Value>, Trouble> {
        let mut params = BTreeMap::new();
        for (name, plain) in given {
            let param =
                action.and_then(|action| action.params.iter().find(|param| *param.name == **name));
            let ty = param.map_or(&Type::Any, |param| &param.ty);
            let title = action.map_or("that input", |action| &*action.title);
            let value = self.value(by, ty, plain);
            let value =
                value.map_err(|reason| Trouble::refusal(title, format!("`{name}`: {reason}")))?;
            params.insert(Name::from(name.as_str()), value);
        }
        Ok(params)
    }

    pub(super) fn value(&self, by: Side, ty: &Type, plain: &Plain) -> Result<Value, String> {
        plain.to_value(ty, &|named| self.find(Viewer::Side(by), named))
    }

    /// An answer: a choice may be given by its label.
    fn answer(&self, by: Side, question: &str, plain: &Plain) -> Result<Value, Trouble> {
        let domain = match self.game.wanted() {
            Wanted::Answer { question: open, .. } if *open.id == *question => open
                .to
                .iter()
                .find(|(side, _)| *side == by)
                .map(|(_, domain)| domain.clone()),
            _ => None,
        };
        let value = match domain {
            Some(domain) => self.of_domain(by, &domain, plain),
            None => self.value(by, &Type::Any, plain),
        };
        value.map_err(|reason| Trouble::refusal(question, reason))
    }

    /// A value of a domain, as players write it.
    pub(super) fn of_domain(
        &self,
        by: Side,
        domain: &Domain,
        plain: &Plain,
    ) -> Result<Value, String> {
        let read = |ty: &Type| self.value(by, ty, plain);
        match domain {
            Domain::Choices { of: choices, .. } => match self.value(by, &Type::Any, plain) {
                Ok(value) if choices.iter().any(|choice| choice.value == value) => Ok(value),
                other => self.other_choice(by, choices, plain).map_or(other, Ok),
            },
            Domain::Several { of, .. } => match plain {
                Plain::List(items) => {
                    let item = |item: &Plain| match self.value(by, &Type::Any, item) {
                        Ok(value) if of.iter().any(|choice| choice.value == value) => Ok(value),
                        other => self.other_choice(by, of, item).map_or(other, Ok),
                    };
                    Ok(Value::list(
                        items.iter().map(item).collect::<Result<Vec<_>, _>>()?,
                    ))
                }
                _ => self.value(by, &Type::Any, plain),
            },
            Domain::Integer { .. } => read(&Type::INT),
            Domain::Place { .. } => read(&Type::Point),
            Domain::Route { .. } => read(&Type::List(Arc::new(Type::Point))),
        }
    }
}

impl Tabletop {
    /// The choice that a text names by its label; or, where there are entities
    /// or hexes to choose from, the entity or hex of that name, so that the
    /// rules say why it is none of them.
    fn other_choice(&self, by: Side, choices: &[Choice], plain: &Plain) -> Option<Value> {
        let ty = match choices.first()?.value {
            Value::Entity(_) => Some(Type::Entity(None)),
            _ => are_hexes(choices).then_some(Type::Hex),
        };
        let named = || self.value(by, &ty?, plain).ok();
        labelled(choices, plain).or_else(named)
    }
}

/// The choice that a text names by its label.
fn labelled(choices: &[Choice], plain: &Plain) -> Option<Value> {
    let text = plain.as_text()?;
    choices
        .iter()
        .find(|choice| *choice.label == *text)
        .map(|choice| choice.value.clone())
}

fn shown(named: &EntityRef) -> String {
    match named {
        EntityRef::Number(number)
        | EntityRef::Seen {
            entity: Some(number),
            ..
        } => format!("`#{number}`"),
        EntityRef::Name(name) | EntityRef::Seen { label: name, .. } => format!("`{name}`"),
    }
}
