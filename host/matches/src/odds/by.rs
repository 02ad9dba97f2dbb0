//! Outcomes: what counts as the same end.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use kernel::event::Event;
use kernel::game::{Game, Guard};
use kernel::rules::Rules;
use kernel::value::{EntityId, Name, Value};
use kernel::world::Viewer;
use rules::rulebook::{Returns, Rulebook};

use super::What;
use super::expression::{EventNote, Expression, Operator, read, record};
use super::likeness::{are_equal, fit};

/// An event that is shown to whoever asks takes as long as so many parts of an expression.
const PARTS_OF_AN_EVENT: usize = 16;

/// An outcome: what is asked of each end.
#[derive(Clone, PartialEq, Debug)]
pub struct By(Sort);

#[derive(Clone, PartialEq, Debug)]
enum Sort {
    /// What the rule gave.
    Result,
    /// Which events of the rules happened, and how often each.
    Events,
    /// An expression.
    Expression {
        expression: Expression,
        notes: Vec<EventNote>,
    },
}

/// Why an expression cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByError {
    /// The expression.
    pub text: String,
    /// What was expected.
    pub reason: String,
}

impl fmt::Display for ByError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.text, self.reason)
    }
}

/// What an end is, for an outcome to be told from it.
pub(super) struct FinalState<'a> {
    /// The game.
    pub game: &'a mut Game,
    /// The rules.
    pub rules: &'a dyn Rules,
    /// Who asks.
    pub viewer: Viewer,
    /// What the rule gave.
    pub result: &'a Value,
    /// What was noted of events.
    pub noted: &'a [Value],
    /// The parts of expressions that were told so far.
    pub told: &'a Cell<u64>,
}

impl By {
    /// By what the rule gives.
    pub fn result() -> By {
        By(Sort::Result)
    }

    /// By the events that rules emit: which, and how often.
    pub fn events() -> By {
        By(Sort::Events)
    }

    /// Whether outcomes are told by the events that happen.
    pub fn is_events(&self) -> bool {
        self.0 == Sort::Events
    }

    /// Whether it asks for what a rule gives.
    pub fn asks_result(&self) -> bool {
        match &self.0 {
            Sort::Result => true,
            Sort::Events => false,
            Sort::Expression { expression, notes } => {
                each_part(expression, notes).any(|part| *part == Expression::Result)
            }
        }
    }

    /// The rules that it asks, each with how many arguments it is given.
    pub fn rules_asked(&self) -> Vec<(Name, usize)> {
        let Sort::Expression { expression, notes } = &self.0 else {
            return Vec::new();
        };
        let asked = each_part(expression, notes).filter_map(|part| match part {
            Expression::Rule(rule, args) => Some((rule.clone(), args.len())),
            _ => None,
        });
        asked.collect()
    }

    /// By an expression, in which things are called as `find` knows them.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn read(
        text: &str,
        game: &Game,
        find: &dyn Fn(&str) -> Option<EntityId>,
    ) -> Result<By, ByError> {
        let wrong = |reason: String| ByError {
            text: text.into(),
            reason,
        };
        let (mut expression, mut notes) = read(text, game, find).map_err(wrong)?;
        fit(&mut expression, &mut notes, game, &|_| None).map_err(wrong)?;
        if expression.is_settled() {
            let reason = "expected something that depends on what happens, such as `red-1.status`, `result` or \
                          `events(…)`";
            return Err(wrong(reason.into()));
        }
        Ok(By(Sort::Expression { expression, notes }))
    }

    /// With what is compared with what rules give made to fit that; of the rule that is asked of with its result.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub fn fitted(self, game: &Game, what: &What, rulebook: &Rulebook) -> Result<By, String> {
        let Sort::Expression {
            mut expression,
            mut notes,
        } = self.0
        else {
            return Ok(self);
        };
        let asked = match what {
            What::Rule(rule, _) => Some(rule),
            What::Input(_) => None,
        };
        let returns = |rule: Option<&Name>| {
            let entry = rulebook.rules().get(rule.or(asked)?)?;
            match &entry.signature.returns {
                Returns::Value(ty) => Some(ty.clone()),
                Returns::Domain(_) | Returns::Nothing => None,
            }
        };
        fit(&mut expression, &mut notes, game, &returns)?;
        Ok(By(Sort::Expression { expression, notes }))
    }

    /// The outcome of a game that has been played, with all events that were told in it.
    ///
    /// # Errors
    /// Why it cannot be told.
    pub fn at_end(
        &self,
        game: &Game,
        rules: &dyn Rules,
        events: &[Event],
    ) -> Result<Value, String> {
        let (mut game, viewer) = (game.clone(), Viewer::Referee);
        let (mut noted, told) = (self.nothing_noted(), Cell::default());
        self.note(&mut game, rules, (viewer, &told), events, &mut noted)?;
        let result = game.finished().cloned().unwrap_or_default();
        self.of(&mut FinalState {
            game: &mut game,
            rules,
            viewer,
            result: &result,
            noted: &noted,
            told: &told,
        })
    }

    /// What is noted before anything has happened.
    pub(super) fn nothing_noted(&self) -> Vec<Value> {
        match &self.0 {
            Sort::Result => Vec::new(),
            Sort::Events => vec![Value::Map(Arc::default())],
            Sort::Expression { notes, .. } => notes
                .iter()
                .map(|note| {
                    if note.is_last {
                        Value::None
                    } else {
                        Value::Int(0)
                    }
                })
                .collect(),
        }
    }

    /// Notes what has happened, and counts what is told for it.
    ///
    /// # Errors
    /// A condition that cannot be told.
    pub(super) fn note(
        &self,
        game: &mut Game,
        rules: &dyn Rules,
        (viewer, told): (Viewer, &Cell<u64>),
        events: &[Event],
        noted: &mut [Value],
    ) -> Result<(), String> {
        match &self.0 {
            Sort::Result => {}
            Sort::Events => {
                if let Some(Value::Map(counts)) = noted.first_mut() {
                    let counts = Arc::make_mut(counts);
                    let seen = events
                        .iter()
                        .filter(|event| event.audience.contains(viewer));
                    seen.filter(|event| event.kind.contains('.'))
                        .for_each(|event| count(counts, &event.kind));
                }
            }
            Sort::Expression { notes, .. } => {
                for (note, value) in notes.iter().zip(noted) {
                    note.take(game, rules, (viewer, told), events, value)?;
                }
            }
        }
        Ok(())
    }

    /// The outcome at an end.
    ///
    /// # Errors
    /// Why it cannot be told.
    pub(super) fn of(&self, end: &mut FinalState<'_>) -> Result<Value, String> {
        match &self.0 {
            Sort::Result => Ok(end.result.clone()),
            Sort::Events => Ok(end.noted.first().cloned().unwrap_or_default()),
            Sort::Expression { expression, .. } => end.tell(expression, None),
        }
    }
}

/// All parts of an expression and of what it wants to be noted.
fn each_part<'a>(
    expression: &'a Expression,
    notes: &'a [EventNote],
) -> impl Iterator<Item = &'a Expression> {
    let conditions = notes.iter().filter_map(|note| note.of.as_ref());
    std::iter::once(expression)
        .chain(conditions)
        .flat_map(Expression::parts)
}

fn count(counts: &mut BTreeMap<Name, Value>, kind: &Name) {
    let before = counts.get(kind).and_then(Value::as_int).unwrap_or(0);
    counts.insert(kind.clone(), Value::Int(before + 1));
}

impl EventNote {
    fn take(
        &self,
        game: &mut Game,
        rules: &dyn Rules,
        (viewer, told): (Viewer, &Cell<u64>),
        events: &[Event],
        value: &mut Value,
    ) -> Result<(), String> {
        let ours: Vec<Event> = events
            .iter()
            .filter(|event| event.kind == self.kind)
            .cloned()
            .collect();
        told.set(told.get() + (events.len() + ours.len() * PARTS_OF_AN_EVENT) as u64);
        for seen in game.show_events(viewer, &ours) {
            let it = record(&seen.fields);
            let nothing = Value::None;
            let mut now = FinalState {
                game: &mut *game,
                rules,
                viewer,
                result: &nothing,
                noted: &[],
                told,
            };
            let holds = match &self.of {
                Some(condition) => now.holds(condition, Some(&it))?,
                None => true,
            };
            match (holds, self.is_last) {
                (false, _) => {}
                (true, true) => *value = it,
                (true, false) => *value = Value::Int(value.as_int().unwrap_or(0) + 1),
            }
        }
        Ok(())
    }
}

impl FinalState<'_> {
    fn tell(&mut self, expression: &Expression, it: Option<&Value>) -> Result<Value, String> {
        self.told.set(self.told.get() + 1);
        match expression {
            Expression::Value(value) => Ok(value.clone()),
            Expression::Result => Ok(self.result.clone()),
            Expression::It => Ok(it.cloned().unwrap_or_default()),
            Expression::Noted(place) => Ok(self.noted.get(*place).cloned().unwrap_or_default()),
            Expression::Field(of, name) => {
                let of = self.tell(of, it)?;
                self.field(&of, name)
            }
            Expression::Rule(rule, args) => {
                let args: Vec<Value> =
                    args.iter()
                        .map(|arg| self.tell(arg, it))
                        .collect::<Result<_, String>>()?;
                let answer = self.game.ask_rule(self.rules, self.viewer, rule, &args);
                answer.map_err(|fault| fault.to_string())
            }
            Expression::Count(kind, of) => self.count(kind, of.as_deref()),
            Expression::Not(one) => Ok(Value::Bool(!self.holds(one, it)?)),
            Expression::Both(operator, one, other) => self.both(*operator, one, other, it),
        }
    }

    /// A field of a record, an attribute of a thing; nothing of what is gone.
    fn field(&mut self, of: &Value, name: &Name) -> Result<Value, String> {
        match of {
            Value::None => Ok(Value::None),
            Value::Map(fields) => Ok(fields.get(name).cloned().unwrap_or_default()),
            Value::Entity(entity) if self.game.world().row(*entity).is_err() => Ok(Value::None),
            Value::Entity(entity) => {
                let before = self.game.set_guard(Guard::answering(self.viewer));
                let value = self
                    .game
                    .get(*entity, name)
                    .cloned()
                    .map_err(|fault| fault.into_words());
                self.game.set_guard(before);
                value
            }
            other => Err(format!(
                "expected a record or a thing with `{name}`, found {}",
                other.type_word()
            )),
        }
    }

    fn count(&mut self, kind: &Name, of: Option<&Expression>) -> Result<Value, String> {
        let before = self.game.set_guard(Guard::answering(self.viewer));
        let all = self.game.entities(kind).map_err(|fault| fault.into_words());
        self.game.set_guard(before);
        let mut found = 0;
        for entity in all? {
            let holds = match of {
                Some(condition) => self.holds(condition, Some(&Value::Entity(entity)))?,
                None => true,
            };
            found += i64::from(holds);
        }
        Ok(Value::Int(found))
    }

    fn holds(&mut self, expression: &Expression, it: Option<&Value>) -> Result<bool, String> {
        match self.tell(expression, it)? {
            Value::Bool(yes) => Ok(yes),
            other => Err(format!("expected yes or no, found {}", other.type_word())),
        }
    }

    fn both(
        &mut self,
        operator: Operator,
        one: &Expression,
        other: &Expression,
        it: Option<&Value>,
    ) -> Result<Value, String> {
        match operator {
            Operator::Or => return Ok(Value::Bool(self.holds(one, it)? || self.holds(other, it)?)),
            Operator::And => {
                return Ok(Value::Bool(self.holds(one, it)? && self.holds(other, it)?));
            }
            _ => {}
        }
        let (one, other) = (self.tell(one, it)?, self.tell(other, it)?);
        let order = || match (&one, &other) {
            (Value::Int(_), Value::Int(_))
            | (Value::Length(_), Value::Length(_))
            | (Value::Angle(_), Value::Angle(_)) => Ok(one.cmp(&other)),
            (Value::Die(one), Value::Die(other)) => Ok(one.sides().cmp(&other.sides())),
            _ => Err(unlike(&one, &other)),
        };
        Ok(match operator {
            Operator::Equal => Value::Bool(are_equal(&one, &other)?),
            Operator::Unequal => Value::Bool(!are_equal(&one, &other)?),
            Operator::Less => Value::Bool(order()?.is_lt()),
            Operator::AtMost => Value::Bool(order()?.is_le()),
            Operator::More => Value::Bool(order()?.is_gt()),
            Operator::AtLeast => Value::Bool(order()?.is_ge()),
            _ => return sum(&one, &other, operator == Operator::Minus),
        })
    }
}

fn sum(one: &Value, other: &Value, is_difference: bool) -> Result<Value, String> {
    match (one, other) {
        (Value::Int(a), Value::Int(b)) => {
            let sum = if is_difference {
                a.checked_sub(*b)
            } else {
                a.checked_add(*b)
            };
            sum.map(Value::Int)
                .ok_or_else(|| "expected a number that fits, found a larger one".into())
        }
        (Value::Length(a), Value::Length(b)) => {
            Ok(Value::Length(if is_difference { *a - *b } else { *a + *b }))
        }
        _ => Err(unlike(one, other)),
    }
}

fn unlike(one: &Value, other: &Value) -> String {
    format!(
        "expected two numbers or two lengths, found {} and {}",
        one.type_word(),
        other.type_word()
    )
}
