//! Where rules that only read run, so that a game in play is read by a shared
//! reference.
//!
//! Whoever runs rules needs a game of its own while they run: it is lent to a
//! machine, and indexes and what was found out are kept in it. Such a game is a
//! copy, which costs a counter an entity, made when somebody first asks in a
//! state and used until the state changes. Rules that only read leave the state
//! as it is; so the copy then becomes the game, and nothing that was found out
//! is lost. This is the one place in which a game that is shared changes, and
//! all that changes in it is what is known about it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::decision::Domain;
use crate::engine::{Legal, Occasion, Play, Prospect, Rejected, Stopping};
use crate::error::Fault;
use crate::game::Game;
use crate::rules::Rules;
use crate::value::{EntityId, Name, Side, Value};
use crate::world::Viewer;

/// A copy of a game in which rules read.
#[derive(Debug, Default)]
pub(super) struct ReadingCopy(RefCell<Option<Box<Game>>>);

/// A copy of a game in play reads in one of its own.
impl Clone for ReadingCopy {
    fn clone(&self) -> ReadingCopy {
        ReadingCopy::default()
    }
}

impl ReadingCopy {
    /// Reads in the copy. Whoever asks while somebody reads gets another one.
    fn over<T>(&self, game: &Game, read: impl FnOnce(&mut Game) -> T) -> T {
        let mut reader = self.0.take().unwrap_or_else(|| Box::new(game.clone()));
        let found = read(&mut reader);
        self.0.replace(Some(reader));
        found
    }

    /// The game is about to change: it goes on with what was found out.
    pub(super) fn hand_over(&mut self, game: &mut Game) {
        if let Some(reader) = self.0.take() {
            *game = *reader;
        }
    }
}

impl Play {
    fn reading<T>(&self, read: impl FnOnce(&mut Game) -> T) -> T {
        self.reader.over(&self.game, read)
    }

    /// Everything that a side might do now, allowed or not, by id and actor;
    /// nothing while others decide, whatever that is.
    ///
    /// # Errors
    /// A fault of the rules that tell.
    pub fn legal(&self, rules: &dyn Rules, side: Side) -> Result<Vec<Legal>, Fault> {
        self.reading(|game| game.legal(rules, side))
    }

    /// What of that is allowed.
    ///
    /// # Errors
    /// As [`Play::legal`].
    pub fn allowed(&self, rules: &dyn Rules, side: Side) -> Result<Vec<Legal>, Fault> {
        self.reading(|game| game.allowed(rules, side))
    }

    /// Everything that a side might do now, or as if an occasion were open,
    /// with the clauses behind what is not allowed.
    ///
    /// # Errors
    /// A fault of the rules that tell; a phase or window that is not there.
    pub fn prospects(
        &self,
        rules: &dyn Rules,
        side: Side,
        as_if: Option<&Occasion>,
    ) -> Result<Vec<Prospect>, Fault> {
        self.reading(|game| game.prospects(rules, side, as_if))
    }

    /// Whether a side may begin an action or reaction with somebody, before it is
    /// asked for parameters: that it can be taken here, that this is one of those who
    /// might do it, and that the rules allow it.
    ///
    /// # Errors
    /// A refusal with the reason, as for the input itself; a fault of the rules.
    pub fn check_begun(
        &self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
    ) -> Result<(), Rejected> {
        self.reading(|game| game.check_begun(rules, side, action, actor))
    }

    /// The next parameter that a side must give for an action or reaction,
    /// with its domain, after those that it gave; `None` when all are given,
    /// or while others decide.
    ///
    /// # Errors
    /// When there is no such action, or a rule is broken.
    pub fn next_param(
        &self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        given: &BTreeMap<Name, Value>,
    ) -> Result<Option<(Name, Name, Domain)>, Fault> {
        self.reading(|game| game.next_param(rules, side, action, actor, given))
    }

    /// What an action or reaction is worth to a greedy bot, in the eyes of its
    /// side; 0 where the rules do not say.
    ///
    /// # Errors
    /// When there is no such action, or its rule is broken.
    pub fn score(
        &self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        params: &Value,
    ) -> Result<i64, Fault> {
        self.reading(|game| game.score(rules, side, action, actor, params))
    }

    /// What a side should know before it goes on with an action or reaction, with
    /// the parameters that it has given so far, in its own eyes; none where the
    /// rules say nothing.
    ///
    /// # Errors
    /// When there is no such action, or its rule is broken.
    pub fn outlook(
        &self,
        rules: &dyn Rules,
        side: Side,
        action: &str,
        actor: Option<EntityId>,
        given: &Value,
    ) -> Result<Value, Fault> {
        self.reading(|game| game.outlook(rules, side, action, actor, given))
    }

    /// Whether a side may give an answer to a domain, with the rules' last word.
    ///
    /// # Errors
    /// When the rule is broken.
    pub fn may_answer(
        &self,
        rules: &dyn Rules,
        side: Side,
        domain: &Domain,
        value: &Value,
    ) -> Result<bool, Fault> {
        self.reading(|game| game.may_answer(rules, side, domain, value))
    }

    /// Whether a side may choose a value for a parameter of something (its
    /// title, the parameter), whose domain it was told.
    ///
    /// # Errors
    /// A refusal with the reason, a fault of the rules.
    pub fn check_value(
        &self,
        rules: &dyn Rules,
        by: Side,
        of: (&str, &str),
        domain: &Domain,
        value: &Value,
    ) -> Result<(), Rejected> {
        self.reading(|game| game.check_value(rules, by, of, domain, value))
    }

    /// Why a side may not pass, and why it may not say that it is done.
    ///
    /// # Errors
    /// When a rule is broken.
    pub fn may_stop(&self, rules: &dyn Rules, side: Side) -> Result<Stopping, Fault> {
        self.reading(|game| game.may_stop(rules, side))
    }

    /// Calls a rule that only reads, in the eyes of a viewer: for whoever
    /// embeds the kernel.
    ///
    /// # Errors
    /// When there is no such rule, or it is broken, or asks.
    pub fn ask_rule(
        &self,
        rules: &dyn Rules,
        viewer: Viewer,
        rule: &Name,
        args: &[Value],
    ) -> Result<Value, Fault> {
        self.reading(|game| game.ask_rule(rules, viewer, rule, args))
    }
}
