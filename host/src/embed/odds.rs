//! The odds of what might be done, as far as whoever asks may know them.
//!
//! A side is told odds by the law by which it is told what is legal: the rules
//! run in its eyes, and read what it may see. Where they read more there are no
//! odds, in the same words whatever it was. So the answer is a function of what
//! the side sees already, and so is it whether there is one.

use std::collections::BTreeMap;

use kernel::game::{Game, Guard};
use kernel::value::{EntityId, Field, Name, Type, Value};
use kernel::world::{Viewer, closest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{Labelled, labels_of};
use super::{EntityRef, Plain, Tabletop, Trouble, WireInput};
use crate::odds::{
    By, DefaultAnswer, Distribution, EventWords, GivenAnswer, Limits, Policy, Unanswered, What,
};
use crate::play::OddsOf;
use crate::printable::{clipped, counted};
use crate::scenario::run_script_to;
use crate::types::{Unit, parse_value};
use rules::rulebook::Returns;

/// A side is told no odds that take more runs than this, or more work (some seconds), nor
/// larger samples.
const OF_SEATS: Limits = Limits {
    runs: 20_000,
    work: 100_000_000,
    samples: 2_000,
    seed: 1,
};

/// So much of an expression is said again in what is wrong with it.
const LONGEST_SAID: usize = 200;

/// What a client asks.
#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OddsQuestion {
    /// The action or reaction whose odds are asked.
    pub input: WireInput,
    /// What counts as its outcome: an expression such as `red-1.status`; which
    /// events happen, if it is left out.
    #[serde(default)]
    pub by: Option<String>,
    /// Answers to questions that the rules ask, by question: values as `submit` takes
    /// them. A text may be the label of a choice; where it could be several of them it
    /// is none.
    #[serde(default)]
    pub answers: BTreeMap<String, Plain>,
    /// How all others are answered: `split`, `best` or `worst`.
    #[serde(default)]
    pub others: Option<String>,
}

/// What the host asks.
#[derive(Clone, PartialEq, Debug)]
pub enum OddsSubject {
    /// An action or a reaction.
    Input(WireInput),
    /// A rule, with arguments as they are typed.
    Rule {
        /// Its id.
        rule: String,
        /// Its arguments by name.
        args: Vec<(String, String)>,
    },
}

/// Odds for whoever asked.
#[derive(Clone, PartialEq, Debug)]
pub struct OddsAnswer {
    /// The odds.
    pub odds: Distribution,
    /// What each outcome is called, for programs: events by their ids.
    pub texts: Vec<String>,
    /// The same for people: events in the words of a report.
    pub told: Vec<String>,
    /// What lengths are told in.
    pub unit: Unit,
    /// An expression that asks for less than all that happens; none where one was asked.
    pub example: Option<String>,
}

/// Odds as a client gets them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OddsAbout {
    /// What may come of it.
    pub outcomes: Vec<OutcomeAbout>,
    /// Whether every way was counted; else games were sampled.
    pub exact: bool,
    /// How they were found, in a sentence.
    pub how: String,
    /// The mean, where outcomes are whole numbers, with six digits; where they are
    /// lengths, with their unit.
    pub mean: Option<String>,
    /// The questions that were asked and to which no answer was given.
    pub questions: Vec<String>,
    /// An expression for `by` that asks for less than all that happens; none where one
    /// was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// One outcome with its odds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeAbout {
    /// What it is called.
    pub outcome: String,
    /// The odds as a fraction: `127/288`.
    pub odds: String,
    /// The same with six digits.
    pub decimal: String,
    /// The range of a sample, in which the odds lie 95 times in a hundred.
    pub range: Option<String>,
}

impl From<OddsAnswer> for OddsAbout {
    fn from(answer: OddsAnswer) -> OddsAbout {
        let OddsAnswer {
            odds,
            told,
            unit,
            example,
            ..
        } = answer;
        let outcomes = odds
            .outcomes
            .iter()
            .zip(told)
            .map(|(one, outcome)| OutcomeAbout {
                outcome,
                odds: one.odds.to_string(),
                decimal: one.decimal(),
                range: one.range_text(),
            });
        OddsAbout {
            outcomes: outcomes.collect(),
            exact: odds.is_exact(),
            how: odds.how_text(),
            mean: odds.mean().map(|mean| mean.text(unit)),
            questions: odds.questions.iter().map(ToString::to_string).collect(),
            example,
        }
    }
}

impl From<Unanswered> for Trouble {
    fn from(why: Unanswered) -> Trouble {
        match why {
            Unanswered::Refused(refusal) => refusal.into(),
            Unanswered::Fault { fault, trail } if trail.is_empty() => fault.into(),
            Unanswered::Fault { mut fault, trail } => {
                fault.message = format!("{} (after {})", fault.message, trail.join(", "));
                fault.into()
            }
            // The reason says what it is about.
            other => Trouble::refusal("", other.to_string()),
        }
    }
}

impl Tabletop {
    /// The odds of an action for a viewer: a side of what it might do itself,
    /// as far as it may know them; the referee of anything.
    ///
    /// # Errors
    /// What the rules refuse; in the same words, whatever it is, what rests on
    /// something that the side may not see.
    pub fn odds(&self, viewer: &str, of: &OddsQuestion) -> Result<OddsAbout, Trouble> {
        let policy = self.policy(viewer, of)?;
        let subject = OddsSubject::Input(of.input.clone());
        let answer = self.odds_of(
            viewer,
            &subject,
            of.by.as_deref(),
            policy,
            OF_SEATS,
            &[],
            &|| false,
        )?;
        Ok(answer.into())
    }

    fn policy(&self, viewer: &str, of: &OddsQuestion) -> Result<Policy, Trouble> {
        let others = of.others.as_deref().unwrap_or("split");
        let others = DefaultAnswer::from_word(others).ok_or_else(|| {
            Trouble::unknown("how to answer", others, DefaultAnswer::WORDS.into_iter())
        })?;
        let given = of.answers.iter();
        let given = given.map(|(question, plain)| self.given_answer(viewer, question, plain));
        Ok(Policy {
            given: given.collect::<Result<_, Trouble>>()?,
            others,
        })
    }

    /// An answer as a client gives it.
    fn given_answer(
        &self,
        viewer: &str,
        question: &str,
        plain: &Plain,
    ) -> Result<(Name, GivenAnswer), Trouble> {
        if let Some(text) = plain.as_text() {
            return self.typed_answer(viewer, question, text);
        }
        let viewer = self.viewer(viewer)?;
        let value = plain.to_value(&Type::Any, &|named| self.find(viewer, named));
        let value = value.map_err(|reason| Trouble::Unknown {
            message: format!("the answer to `{question}`: {reason}"),
            hint: None,
        })?;
        Ok((Name::from(question), value.into()))
    }

    /// An answer as it is typed, with its question.
    ///
    /// # Errors
    /// When nobody is called as the viewer is.
    pub fn typed_answer(
        &self,
        viewer: &str,
        question: &str,
        text: &str,
    ) -> Result<(Name, GivenAnswer), Trouble> {
        let viewer = self.viewer(viewer)?;
        let find = |name: &str| self.find(viewer, &EntityRef::from(name));
        let value = parse_value(&Type::Any, text, &find);
        // A label of several words is a text like any other.
        let value = value.unwrap_or_else(|_| Value::text(text));
        Ok((
            Name::from(question),
            GivenAnswer::Words(Name::from(text), value),
        ))
    }

    /// The odds of an action or a rule, as far as a viewer may know them, with
    /// attributes set before for the referee (`thing.attribute`, value). `stop`
    /// is asked now and then.
    ///
    /// # Errors
    /// As [`Tabletop::odds`].
    #[expect(
        clippy::too_many_arguments,
        reason = "each is one thing that a command line says"
    )]
    pub fn odds_of(
        &self,
        viewer: &str,
        subject: &OddsSubject,
        by: Option<&str>,
        policy: Policy,
        limits: Limits,
        set: &[(String, String)],
        stop: &dyn Fn() -> bool,
    ) -> Result<OddsAnswer, Trouble> {
        let eyes = match self.viewer(viewer)? {
            Viewer::Referee => None,
            Viewer::Side(side) => Some(side),
            Viewer::Spectator => return Err(Trouble::Forbidden {}),
        };
        let what = match subject {
            OddsSubject::Input(input) if eyes.is_some() && input.by() != viewer => {
                return Err(Trouble::Forbidden {});
            }
            OddsSubject::Rule { .. } if eyes.is_some() => return Err(Trouble::Forbidden {}),
            OddsSubject::Input(input) => {
                // Whoever waits hears that, and nothing of what others decide.
                eyes.map_or(Ok(()), |side| self.may_decide(side))?;
                What::Input(self.inner(input)?)
            }
            OddsSubject::Rule { rule, args } => self.rule_with(rule, args)?,
        };
        let viewer = self.viewer(viewer)?;
        let changed = self.changed(set)?;
        let find = |name: &str| self.find(viewer, &EntityRef::from(name));
        let is_asked = by.is_some();
        let by = match (by, &what) {
            (Some(text), what) => self.outcome(text, what, &find)?,
            (None, What::Rule(rule, _)) if self.gives(rule) => By::result(),
            (None, _) => By::events(),
        };
        let of = OddsOf {
            what,
            by,
            policy,
            eyes,
            limits,
        };
        let odds = self.game.odds(changed.as_ref(), of, stop)?;
        let labels = labels_of(self.game.game(), viewer);
        let label = |entity| labels(entity).1;
        let (names, book) = (Labelled(&label), self.game.game().book());
        let words = EventWords::of(book, &[&odds]);
        Ok(OddsAnswer {
            texts: odds.texts(&names, self.unit()),
            told: odds.readable_texts(&words, &names, self.unit()),
            unit: self.unit(),
            example: if is_asked { None } else { odds.example(book) },
            odds,
        })
    }

    /// What counts as an outcome, as it is typed.
    fn outcome(
        &self,
        text: &str,
        what: &What,
        find: &dyn Fn(&str) -> Option<EntityId>,
    ) -> Result<By, Trouble> {
        let wrong = |reason: String| Trouble::Unknown {
            message: format!("`{}`: {reason}", clipped(text, LONGEST_SAID)),
            hint: None,
        };
        let by = By::read(text, self.game.game(), find).map_err(|error| wrong(error.reason))?;
        if matches!(what, What::Input(_)) && by.asks_result() {
            let reason = "`result` is what a rule gives, and an action gives none: ask for an attribute or for events";
            return Err(wrong(reason.into()));
        }
        let rules = self.game.rulebook().rules();
        for (rule, given) in by.rules_asked() {
            let Some(entry) = rules.get(&rule) else {
                let near = closest(&rule, rules.keys().map(|id| &**id));
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return Err(wrong(format!("no mod defines the rule `{rule}`{near}")));
            };
            let most = entry.signature.args.len();
            if given > most {
                return Err(wrong(format!(
                    "expected at most {most} arguments of `{rule}`, found {given}"
                )));
            }
        }
        by.fitted(self.game.game(), what, self.game.rulebook())
            .map_err(wrong)
    }

    /// Whether a rule gives something back.
    fn gives(&self, rule: &Name) -> bool {
        let rules = self.game.rulebook().rules();
        rules
            .get(rule)
            .is_some_and(|entry| entry.signature.returns != Returns::Nothing)
    }

    fn rule_with(&self, rule: &str, args: &[(String, String)]) -> Result<What, Trouble> {
        let rules = self.game.rulebook().rules();
        let Some(entry) = rules.get(rule) else {
            let hint = closest(rule, rules.keys().map(|id| &**id))
                .map(|near| format!("did you mean `{near}`?"));
            return Err(Trouble::Unknown {
                message: format!("no mod defines the rule `{rule}`"),
                hint,
            });
        };
        let fields = &entry.signature.args;
        if let Some((name, _)) = args
            .iter()
            .find(|(name, _)| fields.iter().all(|field| *field.name != **name))
        {
            let there = fields.iter().map(|field| &*field.name);
            return Err(Trouble::unknown(
                &format!("an argument of `{rule}`"),
                name,
                there,
            ));
        }
        let world = self.game.game().world();
        let find = |name: &str| world.find(name);
        let value = |field: &Field| {
            let given = args.iter().rev().find(|(name, _)| **name == *field.name);
            let wrong = |message: String| Trouble::Unknown {
                message,
                hint: None,
            };
            match given {
                Some((name, text)) => parse_value(&field.ty, text, &find)
                    .map_err(|mismatch| wrong(format!("`{name}={text}`: {mismatch}"))),
                None if matches!(field.ty, Type::Optional(_)) => Ok(Value::None),
                None => Err(Trouble::Unsaid {
                    message: format!(
                        "expected `{}=…`, an argument of `{rule}`, found none: it takes {}",
                        field.name,
                        reported(fields)
                    ),
                }),
            }
        };
        let values = fields.iter().map(value).collect::<Result<_, _>>()?;
        Ok(What::Rule(entry.id.clone(), values))
    }

    /// A copy of the game in which attributes hold something else.
    fn changed(&self, set: &[(String, String)]) -> Result<Option<Game>, Trouble> {
        if set.is_empty() {
            return Ok(None);
        }
        let mut game = self.game.game().clone();
        game.set_guard(Guard::STEP);
        for (what, text) in set {
            let wrong = |message: String| Trouble::Unknown {
                message,
                hint: None,
            };
            let Some((name, attribute)) = what.split_once('.') else {
                return Err(wrong(format!(
                    "expected a thing and its attribute, `thing.attribute`, found `{what}`"
                )));
            };
            let world = game.world();
            let find = |name: &str| world.find(name);
            let Some(entity) = find(name) else {
                let names: Vec<Name> = world.all().map(|entity| world.name(entity)).collect();
                return Err(Trouble::unknown_thing(name, &names));
            };
            let ty = attribute_type(&game, entity, attribute)?;
            let value = parse_value(&ty, text, &find)
                .map_err(|mismatch| wrong(format!("`{what}={text}`: {mismatch}")))?;
            game.set(entity, attribute, value)?;
        }
        Ok(Some(game))
    }

    /// Plays the script of the scenario, and then bots, until so many decisions
    /// stand.
    ///
    /// # Errors
    /// A decision that cannot be made, or a game that is over before.
    pub fn play_to(&mut self, decisions: usize) -> Result<(), Trouble> {
        let script = self.found.scenario.script.clone();
        run_script_to(&mut self.game, &script, decisions)?;
        self.count_again();
        while script.is_empty()
            && self.game.recorded_inputs().len() < decisions
            && self.bot_turn()?.is_some()
        {}
        match self.game.recorded_inputs().len() {
            stand if stand == decisions => Ok(()),
            stand => {
                let ends = match script.is_empty() {
                    true => "the game is over",
                    false => "the script ends",
                };
                let message = format!(
                    "expected {} before, found that {ends} after {stand}",
                    counted(decisions, "decision")
                );
                Err(Trouble::Unknown {
                    message,
                    hint: None,
                })
            }
        }
    }
}

/// The names of arguments in a row; those that may be left out in brackets.
fn reported(fields: &[Field]) -> String {
    let name = |field: &Field| match field.ty {
        Type::Optional(_) => format!("[{}]", field.name),
        _ => format!("`{}`", field.name),
    };
    fields.iter().map(name).collect::<Vec<_>>().join(", ")
}

impl Trouble {
    fn unknown_thing(name: &str, names: &[Name]) -> Trouble {
        let near = closest(name, names.iter().map(|name| &**name));
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        Trouble::Unknown {
            message: format!("there is no `{name}`"),
            hint,
        }
    }
}

fn attribute_type(game: &Game, entity: EntityId, attribute: &str) -> Result<Type, Trouble> {
    let slot = game.world().attribute(entity, attribute)?;
    let kind = game.world().kind(entity)?;
    Ok(kind
        .attributes
        .get(usize::from(slot))
        .map_or(Type::Any, |attribute| attribute.ty.clone()))
}
