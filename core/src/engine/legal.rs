//! What is legal, and why not: computed in the eyes of the side that asks.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use crate::book::{Action, Acts, Book, Order, PhaseBody};
use crate::decision::{Check, Domain};
use crate::error::Fault;
use crate::game::Game;
use crate::rules::Rules;
use crate::sequence::{Frame, WindowFrame};
use crate::value::{EntityId, Name, Side, Value};
use crate::world::Viewer;

/// Something that a side might do now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Legal {
    /// The action or reaction.
    pub action: Name,
    /// What players call it.
    pub title: Name,
    /// The one who would act.
    pub actor: Option<EntityId>,
    /// Why it is not allowed; `None` where it is.
    pub refused: Option<Name>,
}

/// The same, without names of its own.
struct Judged<'a> {
    action: &'a Action,
    actor: Option<EntityId>,
    refused: Option<Name>,
}

impl Judged<'_> {
    fn named(self) -> Legal {
        Legal {
            action: self.action.id.clone(),
            title: self.action.title.clone(),
            actor: self.actor,
            refused: self.refused,
        }
    }
}

/// Where it is said who might do something: by a rule, of a kind.
struct ActorSource {
    listed: Option<Name>,
    actor: Option<Name>,
}

/// Who might do what shares a source, in the order of asking.
#[derive(Default)]
struct ActorLists(Vec<(ActorSource, Rc<[Option<EntityId>]>)>);

/// Where a side might do something.
#[derive(Clone, PartialEq, Debug)]
pub enum Occasion {
    /// In a phase.
    Phase(Name),
    /// In a window that carries this.
    Window(Name, Value),
}

impl Occasion {
    /// What may be done there, and what its window carries.
    fn offers<'a>(&'a self, book: &'a Book) -> Result<(Vec<&'a Action>, Option<&'a Value>), Fault> {
        Ok(match self {
            Occasion::Phase(id) => (book.actions_in(&book.phase(id)?.id).collect(), None),
            Occasion::Window(id, data) => (
                book.reactions_at(&book.window(id)?.id).collect(),
                Some(data),
            ),
        })
    }
}

/// Something that a side might do on an occasion, and the clause behind a
/// refusal, if a rule gave the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prospect {
    /// What, by whom, and why not.
    pub legal: Legal,
    /// The clause, or the rule where it cites none.
    pub clause: Option<Name>,
}

/// Why a value may not be chosen, and which rule said so, given what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Objection {
    pub reason: String,
    pub source: Option<(Name, Vec<Value>)>,
}

/// Whether a side may let its go pass, and whether it may say that it is
/// done; with the reason where it may not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopping {
    /// Letting its go pass.
    pub pass: Result<(), String>,
    /// Being done with the phase.
    pub end: Result<(), String>,
}

impl Stopping {
    /// It may do neither, for one reason.
    fn neither(reason: &str) -> Stopping {
        Stopping {
            pass: Err(reason.to_string()),
            end: Err(reason.to_string()),
        }
    }
}

/// The arguments of a rule of an action, in no memory of their own: they are made
/// at each look at what somebody may do.
pub(crate) struct ActionArgs {
    all: [Value; 3],
    count: usize,
}

impl Deref for ActionArgs {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.all[..self.count]
    }
}

impl Game {
    /// Everything that a side might do now, allowed or not, by id and actor;
    /// nothing while others decide, whatever that is.
    ///
    /// # Errors
    /// A fault of the rules that tell.
    pub(crate) fn legal(&mut self, rules: &dyn Rules, side: Side) -> Result<Vec<Legal>, Fault> {
        let mut found = Vec::new();
        self.each_legal(rules, side, |legal| found.push(legal.named()))?;
        Ok(found)
    }

    /// The same of what is allowed alone.
    ///
    /// # Errors
    /// As [`Game::legal`].
    pub(crate) fn allowed(&mut self, rules: &dyn Rules, side: Side) -> Result<Vec<Legal>, Fault> {
        let mut found = Vec::new();
        self.each_legal(rules, side, |legal| {
            if legal.refused.is_none() {
                found.push(legal.named());
            }
        })?;
        Ok(found)
    }

    fn each_legal(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        take: impl FnMut(Judged<'_>),
    ) -> Result<(), Fault> {
        if !self.waits_for(side) {
            return Ok(());
        }
        let Some(open) = self.open_occasion() else {
            return Ok(());
        };
        let book = self.book.clone();
        let (actions, window) = open.offers(&book)?;
        self.judge_each(rules, side, (&actions, window), take)
    }

    /// The phase or window on top, where there is one.
    fn open_occasion(&self) -> Option<Occasion> {
        match self.flow.top()? {
            Frame::Phase(phase) => Some(Occasion::Phase(phase.id.clone())),
            Frame::Window(window) => Some(Occasion::Window(window.id.clone(), window.data.clone())),
            _ => None,
        }
    }

    /// Whether a side may do each of some things, in the window that carries this.
    fn judge_each(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        (actions, window): (&[&Action], Option<&Value>),
        mut take: impl FnMut(Judged<'_>),
    ) -> Result<(), Fault> {
        let mut listed = ActorLists::default();
        for action in actions {
            let actors = self.actors_listed(rules, action, side, window, &mut listed)?;
            for actor in actors.iter().copied() {
                let refused = self.verdict(rules, side, action, actor, window)?;
                take(Judged {
                    action,
                    actor,
                    refused,
                });
            }
        }
        Ok(())
    }

    /// Everything that a side might do now, or as if an occasion were open,
    /// with the clauses behind what is not allowed.
    ///
    /// # Errors
    /// A fault of the rules that tell; a phase or window that is not there.
    pub(crate) fn prospects(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        as_if: Option<&Occasion>,
    ) -> Result<Vec<Prospect>, Fault> {
        let open = match as_if {
            Some(occasion) => Some(occasion.clone()),
            None if self.waits_for(side) => self.open_occasion(),
            None => None,
        };
        let Some(open) = open else {
            return Ok(Vec::new());
        };
        let book = self.book.clone();
        let (actions, window) = open.offers(&book)?;
        let mut legal = Vec::new();
        self.judge_each(rules, side, (&actions, window), |one| {
            legal.push(one.named());
        })?;
        Ok(legal
            .into_iter()
            .map(|legal| self.prospect(rules, side, &actions, window, legal))
            .collect())
    }

    fn prospect(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        actions: &[&Action],
        window: Option<&Value>,
        legal: Legal,
    ) -> Prospect {
        let action = actions.iter().find(|action| action.id == legal.action);
        let rule = action.and_then(|action| action.allowed.clone());
        let clause = rule.zip(legal.refused.clone()).and_then(|(rule, reason)| {
            let args = self.action_args(side, legal.actor, window, None);
            self.clause_behind(rules, side, &rule, &args, &reason)
        });
        Prospect { legal, clause }
    }

    /// Those who could ever do something: nobody in particular, or each entity
    /// of the kind that the side owns, and knows that it owns.
    pub(crate) fn everybody(
        &mut self,
        action: &Action,
        side: Side,
    ) -> Result<Vec<Option<EntityId>>, Fault> {
        let Some(kind) = &action.actor else {
            return Ok(vec![None]);
        };
        let kind = self.world.schema().require(kind)?;
        Ok(self.owned(side, kind).iter().copied().map(Some).collect())
    }

    /// Those who might do something now: of everybody, whom its rule lists, if
    /// it has one.
    pub(crate) fn actors(
        &mut self,
        rules: &dyn Rules,
        action: &Action,
        side: Side,
        window: Option<&Value>,
    ) -> Result<Vec<Option<EntityId>>, Fault> {
        let listed = match &action.listed {
            Some(rule) => self.reads(
                rules,
                Viewer::Side(side),
                rule,
                &self.action_args(side, None, window, None),
            )?,
            None => Value::None,
        };
        let mut actors = self.everybody(action, side)?;
        if let Value::List(listed) = listed {
            let mut listed: Vec<EntityId> = listed.iter().filter_map(Value::as_entity).collect();
            listed.sort_unstable();
            actors
                .retain(|actor| actor.is_some_and(|entity| listed.binary_search(&entity).is_ok()));
        }
        Ok(actors)
    }

    /// The same on one pass through actions, on which nothing changes: many of
    /// them have one list.
    fn actors_listed(
        &mut self,
        rules: &dyn Rules,
        action: &Action,
        side: Side,
        window: Option<&Value>,
        listed: &mut ActorLists,
    ) -> Result<Rc<[Option<EntityId>]>, Fault> {
        let known = listed
            .0
            .iter()
            .find(|(like, _)| like.listed == action.listed && like.actor == action.actor);
        if let Some((_, actors)) = known {
            return Ok(actors.clone());
        }
        let actors: Rc<[Option<EntityId>]> = self.actors(rules, action, side, window)?.into();
        listed.0.push((
            ActorSource {
                listed: action.listed.clone(),
                actor: action.actor.clone(),
            },
            actors.clone(),
        ));
        Ok(actors)
    }

    /// Whether a side can do anything at all in the phase on top.
    pub(crate) fn may_act(&mut self, rules: &dyn Rules, side: Side) -> Result<bool, Fault> {
        let Some(Frame::Phase(phase)) = self.flow.top() else {
            return Ok(false);
        };
        let (id, book) = (phase.id.clone(), self.book.clone());
        let found = self.first_allowed(rules, side, book.actions_in(&id), None)?;
        Ok(found.is_some())
    }

    /// Whether a side can react at all in a window.
    pub(crate) fn may_react(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        window: &WindowFrame,
    ) -> Result<bool, Fault> {
        let book = self.book.clone();
        let reactions = book.reactions_at(&window.id);
        let found = self.first_allowed(rules, side, reactions, Some(&window.data))?;
        Ok(found.is_some())
    }

    /// The first of some actions or reactions that a side may do, by whomever.
    fn first_allowed<'a>(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        actions: impl Iterator<Item = &'a Action>,
        window: Option<&Value>,
    ) -> Result<Option<&'a Action>, Fault> {
        let mut listed = ActorLists::default();
        for action in actions {
            let actors = self.actors_listed(rules, action, side, window, &mut listed)?;
            for actor in actors.iter().copied() {
                if self.verdict(rules, side, action, actor, window)?.is_none() {
                    return Ok(Some(action));
                }
            }
        }
        Ok(None)
    }

    /// Why a side may not do something; `None` if it may.
    pub(crate) fn verdict(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        action: &Action,
        actor: Option<EntityId>,
        window: Option<&Value>,
    ) -> Result<Option<Name>, Fault> {
        let args = self.action_args(side, actor, window, None);
        if let Some(rule) = &action.allowed
            && let Value::Text(reason) = self.reads(rules, Viewer::Side(side), rule, &args)?
        {
            return Ok(Some(reason));
        }
        let Some(param) = action.params.first() else {
            return Ok(None);
        };
        let nothing = Value::Map(Arc::default());
        match self.domain(rules, side, actor, window, &param.domain, &nothing)? {
            Some(domain) if domain.is_empty() => Ok(Some(Arc::from(format!(
                "there is nothing to choose for: {}",
                param.title
            )))),
            _ => Ok(None),
        }
    }

    /// The arguments that the rules of an action get: who, in which window,
    /// with which parameters.
    pub(crate) fn action_args(
        &self,
        side: Side,
        actor: Option<EntityId>,
        window: Option<&Value>,
        params: Option<&Value>,
    ) -> ActionArgs {
        let by = match actor {
            Some(entity) => Value::Entity(entity),
            None => Value::Text(self.side_name(side)),
        };
        let (all, count) = match (window.cloned(), params.cloned()) {
            (Some(window), Some(params)) => ([by, window, params], 3),
            (Some(one), None) | (None, Some(one)) => ([by, one, Value::None], 2),
            (None, None) => ([by, Value::None, Value::None], 1),
        };
        ActionArgs { all, count }
    }

    pub(crate) fn domain(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        actor: Option<EntityId>,
        window: Option<&Value>,
        rule: &Name,
        params: &Value,
    ) -> Result<Option<Domain>, Fault> {
        let args = self.action_args(side, actor, window, Some(params));
        let answer = self.reads(rules, Viewer::Side(side), rule, &args)?;
        if answer.is_none() {
            Ok(None)
        } else {
            Domain::from_value(&answer).map(Some)
        }
    }

    /// The next parameter that a side must give for an action or reaction,
    /// with its domain, after those that it gave; `None` when all are given,
    /// or while others decide.
    ///
    /// # Errors
    /// When there is no such action, or a rule is broken.
    pub(crate) fn next_param(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        given: &BTreeMap<Name, Value>,
    ) -> Result<Option<(Name, Name, Domain)>, Fault> {
        if !self.waits_for(side) {
            return Ok(None);
        }
        let book = self.book.clone();
        let (declared, window) = self.open_action(&book, action)?;
        let mut so_far = BTreeMap::new();
        for param in &declared.params {
            if let Some(value) = given.get(&param.name) {
                so_far.insert(param.name.clone(), value.clone());
                continue;
            }
            let params = Value::Map(Arc::new(so_far.clone()));
            let domain =
                self.domain(rules, side, actor, window.as_ref(), &param.domain, &params)?;
            if let Some(domain) = domain {
                return Ok(Some((param.name.clone(), param.title.clone(), domain)));
            }
        }
        Ok(None)
    }

    /// The reaction of that id in an open window, with what the window
    /// carries; elsewhere the action of that id.
    fn open_action<'a>(
        &self,
        book: &'a Book,
        id: &str,
    ) -> Result<(&'a Action, Option<Value>), Fault> {
        match self.flow.top() {
            Some(Frame::Window(window)) => Ok((book.reaction(id)?, Some(window.data.clone()))),
            _ => Ok((book.action(id)?, None)),
        }
    }

    /// What an action or reaction is worth to a greedy bot, in the eyes of
    /// its side; 0 where the rules do not say.
    ///
    /// # Errors
    /// When there is no such action, or its rule is broken.
    pub(crate) fn score(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        params: &Value,
    ) -> Result<i64, Fault> {
        if !self.waits_for(side) {
            return Ok(0);
        }
        let book = self.book.clone();
        let (declared, window) = self.open_action(&book, action)?;
        let Some(rule) = &declared.score else {
            return Ok(0);
        };
        let args = self.action_args(side, actor, window.as_ref(), Some(params));
        Ok(self
            .reads(rules, Viewer::Side(side), rule, &args)?
            .as_int()
            .unwrap_or(0))
    }

    /// What a side should know before it goes on with an action or reaction, with
    /// the parameters that it has given so far, in its own eyes; none where the
    /// rules say nothing.
    ///
    /// # Errors
    /// When there is no such action, or its rule is broken.
    pub(crate) fn outlook(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        given: &Value,
    ) -> Result<Value, Fault> {
        if !self.waits_for(side) {
            return Ok(Value::None);
        }
        let book = self.book.clone();
        let (declared, window) = self.open_action(&book, action)?;
        let Some(rule) = &declared.outlook else {
            return Ok(Value::None);
        };
        let args = self.action_args(side, actor, window.as_ref(), Some(given));
        self.reads(rules, Viewer::Side(side), rule, &args)
    }

    /// Calls a rule that only reads, in the eyes of a viewer: for whoever plays
    /// a copy of a game; a game in play is asked by [`Play::ask_rule`].
    ///
    /// [`Play::ask_rule`]: super::Play::ask_rule
    ///
    /// # Errors
    /// When there is no such rule, or it is broken, or asks.
    pub fn ask_rule(
        &mut self,
        rules: &dyn Rules,
        viewer: Viewer,
        rule: &Name,
        args: &[Value],
    ) -> Result<Value, Fault> {
        self.reads(rules, viewer, rule, args)
    }

    /// Whether an answer satisfies the rule with the last word on a domain.
    pub(crate) fn checked(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        domain: &Domain,
        value: &Value,
    ) -> Result<Result<(), Objection>, Fault> {
        if let Err(reason) = domain.accepts(value) {
            let better = self.why_unlisted(rules, side, domain, value)?;
            return Ok(Err(better.unwrap_or(Objection {
                reason,
                source: None,
            })));
        }
        let Some(check) = domain.check() else {
            return Ok(Ok(()));
        };
        Ok(self
            .objection(rules, side, check, value)?
            .map_or(Ok(()), Err))
    }

    /// What the rule behind a list says of something that is not on it.
    fn why_unlisted(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        domain: &Domain,
        value: &Value,
    ) -> Result<Option<Objection>, Fault> {
        let Some((check, stranger)) = domain.unlisted(value) else {
            return Ok(None);
        };
        let kind = |value: &Value| {
            value
                .as_entity()
                .map(|entity| self.world.kind(entity).map(|kind| &kind.id))
        };
        let of = domain
            .choices()
            .first()
            .and_then(|choice| kind(&choice.value))
            .transpose()?;
        if of != kind(stranger).transpose()? {
            return Ok(None);
        }
        self.objection(rules, side, check, stranger)
    }

    fn objection(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        check: &Check,
        value: &Value,
    ) -> Result<Option<Objection>, Fault> {
        let mut args = check.args.to_vec();
        args.push(value.clone());
        Ok(
            match self.reads(rules, Viewer::Side(side), &check.rule, &args)? {
                Value::Text(reason) => Some(Objection {
                    reason: reason.to_string(),
                    source: Some((check.rule.clone(), args)),
                }),
                _ => None,
            },
        )
    }

    /// Whether a side may give an answer to a domain, with the rules' last word.
    ///
    /// # Errors
    /// When the rule is broken.
    pub(crate) fn may_answer(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        domain: &Domain,
        value: &Value,
    ) -> Result<bool, Fault> {
        Ok(self.checked(rules, side, domain, value)?.is_ok())
    }

    /// Why a side may not pass, and why it may not say that it is done.
    ///
    /// # Errors
    /// When a rule is broken.
    pub(crate) fn may_stop(&mut self, rules: &dyn Rules, side: Side) -> Result<Stopping, Fault> {
        let (true, Some(Frame::Phase(phase))) = (self.waits_for(side), self.flow.top()) else {
            return Ok(Stopping::neither("it is not your go"));
        };
        let id = phase.id.clone();
        let book = self.book.clone();
        let PhaseBody::Acts(acts) = &book.phase(&id)?.body else {
            return Ok(Stopping::neither("nobody acts in this phase"));
        };
        if let Some(title) = self.compulsory(rules, side, &id)? {
            let reason = format!("this must be done first: {title}");
            return Ok(Stopping::neither(&reason));
        }
        Ok(Stopping {
            pass: self.may_pass(rules, acts, side)?,
            end: self.may_end(rules, acts, side)?,
        })
    }

    fn may_pass(
        &mut self,
        rules: &dyn Rules,
        acts: &Acts,
        side: Side,
    ) -> Result<Result<(), String>, Fault> {
        match &acts.may_pass {
            _ if acts.order != Order::Alternating => Ok(Err(
                "nobody waits for this go to pass: the phase ends when this side is done".into(),
            )),
            None => Ok(Err("nobody may pass in this phase".into())),
            _ if self.is_last_to_act(side) => Ok(Err(
                "every other side is done: nobody is there to go on instead".into(),
            )),
            Some(rule) => self.permission(rules, rule, side),
        }
    }

    /// Whether all other sides have said that they are done with the phase.
    fn is_last_to_act(&self, side: Side) -> bool {
        let Some(Frame::Phase(phase)) = self.flow.top() else {
            return false;
        };
        let mut others = (0..self.world.sides().len()).filter(|other| *other != side.0 as usize);
        others.all(|other| phase.done & (1 << other) != 0)
    }

    fn may_end(
        &mut self,
        rules: &dyn Rules,
        acts: &Acts,
        side: Side,
    ) -> Result<Result<(), String>, Fault> {
        match &acts.may_end {
            None => Ok(Ok(())),
            Some(rule) => self.permission(rules, rule, side),
        }
    }

    fn permission(
        &mut self,
        rules: &dyn Rules,
        rule: &Name,
        side: Side,
    ) -> Result<Result<(), String>, Fault> {
        let by = Value::Text(self.side_name(side));
        Ok(match self.reads(rules, Viewer::Side(side), rule, &[by])? {
            Value::Text(reason) => Err(reason.to_string()),
            _ => Ok(()),
        })
    }

    fn compulsory(
        &mut self,
        rules: &dyn Rules,
        side: Side,
        phase: &str,
    ) -> Result<Option<Name>, Fault> {
        let book = self.book.clone();
        let actions = book.actions_in(phase).filter(|action| action.is_compulsory);
        let found = self.first_allowed(rules, side, actions, None)?;
        Ok(found.map(|action| action.title.clone()))
    }
}
