//! Bots: they play any ruleset, and see only what their side sees.
//!
//! Everything they know comes from what is legal for their side and from
//! scores, both computed in its eyes; their own chance is apart from the
//! game's.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use kernel::chance::BotChance;
use kernel::decision::{Choice, Domain, Input, Region};
use kernel::engine::{Legal, Play, Wanted};
use kernel::error::{Fault, FaultCode};
use kernel::geometry::{Length, Point};
use kernel::rules::Rules;
use kernel::value::{EntityId, Name, Side, Value};

/// How a bot decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BotKind {
    /// Any legal thing.
    Random,
    /// What the rules' scores call best.
    Greedy,
}

impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BotKind::Random => "random",
            BotKind::Greedy => "greedy",
        })
    }
}

impl FromStr for BotKind {
    type Err = String;

    fn from_str(text: &str) -> Result<BotKind, String> {
        match text {
            "random" => Ok(BotKind::Random),
            "greedy" => Ok(BotKind::Greedy),
            other => Err(format!("expected random or greedy, found `{other}`")),
        }
    }
}

/// A player without hands.
#[derive(Clone, Debug)]
pub struct Bot {
    kind: BotKind,
    side: Side,
    chance: BotChance,
}

/// Combinations of parameters that a greedy bot looks at for one actor.
const MOST_COMBINATIONS: usize = 48;
/// Tries at a point or path that the rules accept.
const MOST_TRIES: u32 = 12;
/// Numbers that a greedy bot tries of a range.
const MOST_NUMBERS: i64 = 8;

type Params = BTreeMap<Name, Value>;

/// One thing that a bot might do.
struct BotOption {
    score: i64,
    legal: Legal,
    params: Params,
}

impl Bot {
    /// A bot for a side; its chance follows from the seed.
    pub fn new(kind: BotKind, seed: u64, side: Side) -> Bot {
        Bot {
            kind,
            side,
            chance: BotChance::new(seed, side.0),
        }
    }

    /// How it decides.
    pub fn kind(&self) -> BotKind {
        self.kind
    }

    /// What it does now.
    ///
    /// # Errors
    /// A fault of the rules that tell what is legal, or a game that waits for
    /// something that cannot be given.
    pub fn decide(&mut self, play: &Play, rules: &dyn Rules) -> Result<Input, Fault> {
        match play.wanted() {
            Wanted::Act { .. } => self.act(play, rules),
            Wanted::React { .. } => self.react(play, rules),
            Wanted::Answer { question, .. } => {
                let by = self.side;
                let domain = question
                    .to
                    .iter()
                    .find(|(side, _)| *side == by)
                    .map(|(_, domain)| domain);
                let value = match domain {
                    Some(domain) => self.pick(play, rules, domain)?,
                    None => None,
                };
                let Some(value) = value else {
                    return Err(stuck(&question.id));
                };
                Ok(Input::Answer {
                    by,
                    question: question.id.clone(),
                    value,
                })
            }
            Wanted::Over => Err(stuck("a game that is over")),
        }
    }

    /// Whether there is anything to do that the rules' scores don't call a loss.
    ///
    /// # Errors
    /// A fault of the rules that tell what is legal or what it is worth.
    pub fn has_prospects(&mut self, play: &Play, rules: &dyn Rules) -> Result<bool, Fault> {
        for legal in self.options(play, rules)? {
            let mut plans = Vec::new();
            self.plans_of(play, rules, &legal, &mut plans)?;
            if plans.iter().any(|plan| plan.score >= 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn act(&mut self, play: &Play, rules: &dyn Rules) -> Result<Input, Fault> {
        let by = self.side;
        let options = self.options(play, rules)?;
        let stopping = play.may_stop(rules, by)?;
        let plan = match self.kind {
            BotKind::Random => {
                // Now and then it stops though it could go on.
                let stops = stopping.end.is_ok() && self.chance.below(8) == 0;
                if stops {
                    None
                } else {
                    self.random_plan(play, rules, options)?
                }
            }
            BotKind::Greedy => {
                let must = stopping.end.is_err() && stopping.pass.is_err();
                self.best_plan(play, rules, options, must)?
            }
        };
        match plan {
            Some(plan) => Ok(Input::Act {
                by,
                action: plan.legal.action,
                actor: plan.legal.actor,
                params: Value::Map(Arc::new(plan.params)),
            }),
            None if stopping.end.is_ok() => Ok(Input::Done { by }),
            None if stopping.pass.is_ok() => Ok(Input::Pass { by }),
            None => Err(stuck("a phase that a side can neither act in nor leave")),
        }
    }

    fn react(&mut self, play: &Play, rules: &dyn Rules) -> Result<Input, Fault> {
        let by = self.side;
        let options = self.options(play, rules)?;
        let plan = match self.kind {
            BotKind::Random if self.chance.below(2) == 0 => None,
            BotKind::Random => self.random_plan(play, rules, options)?,
            BotKind::Greedy => self.best_plan(play, rules, options, false)?,
        };
        Ok(match plan {
            Some(plan) => Input::React {
                by,
                reaction: plan.legal.action,
                actor: plan.legal.actor,
                params: Value::Map(Arc::new(plan.params)),
            },
            None => Input::Decline {
                by,
                standing: false,
            },
        })
    }

    fn options(&self, play: &Play, rules: &dyn Rules) -> Result<Vec<Legal>, Fault> {
        play.allowed(rules, self.side)
    }

    // ---- random ------------------------------------------------------------

    fn random_plan(
        &mut self,
        play: &Play,
        rules: &dyn Rules,
        mut options: Vec<Legal>,
    ) -> Result<Option<BotOption>, Fault> {
        while !options.is_empty() {
            let place = self.chance.below(options.len() as u32) as usize;
            let legal = options.swap_remove(place);
            if let Some(params) = self.random_params(play, rules, &legal)? {
                return Ok(Some(BotOption {
                    score: 0,
                    legal,
                    params,
                }));
            }
        }
        Ok(None)
    }

    fn random_params(
        &mut self,
        play: &Play,
        rules: &dyn Rules,
        legal: &Legal,
    ) -> Result<Option<Params>, Fault> {
        let mut params = Params::new();
        loop {
            let next = play.next_param(rules, self.side, &legal.action, legal.actor, &params)?;
            let Some((name, _, domain)) = next else {
                return Ok(Some(params));
            };
            match self.pick(play, rules, &domain)? {
                Some(value) => params.insert(name, value),
                None => return Ok(None),
            };
        }
    }

    /// One value of a domain that the rules accept, if it finds one: a greedy
    /// bot takes the first that the rules list, a random one any.
    fn pick(
        &mut self,
        play: &Play,
        rules: &dyn Rules,
        domain: &Domain,
    ) -> Result<Option<Value>, Fault> {
        if self.kind == BotKind::Greedy {
            for value in candidates(domain) {
                if play.may_answer(rules, self.side, domain, &value)? {
                    return Ok(Some(value));
                }
            }
        }
        for _ in 0..MOST_TRIES {
            let Some(value) = self.sample(domain) else {
                return Ok(None);
            };
            if play.may_answer(rules, self.side, domain, &value)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn sample(&mut self, domain: &Domain) -> Option<Value> {
        match domain {
            Domain::Choices { of: choices, .. } => {
                self.one_of(choices).map(|choice| choice.value.clone())
            }
            Domain::Several { of, min, max, .. } => Some(self.some_of(of, *min, *max)),
            Domain::Integer { min, max } => {
                let span = u32::try_from(max.checked_sub(*min)?.checked_add(1)?).ok()?;
                Some(Value::Int(min + i64::from(self.chance.below(span))))
            }
            Domain::Place {
                regions,
                candidates,
                ..
            } => {
                if !candidates.is_empty() && self.chance.below(4) > 0 {
                    return self.one_of(candidates).map(|point| Value::Point(*point));
                }
                let region = self.one_of(regions)?.clone();
                Some(Value::Point(self.point_in(&region)))
            }
            Domain::Route { candidates, .. } => {
                let path = self.one_of(candidates)?;
                Some(Value::list(path.iter().map(|point| Value::Point(*point))))
            }
        }
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() {
            None
        } else {
            list.get(self.chance.below(list.len() as u32) as usize)
        }
    }

    fn some_of(&mut self, of: &[Choice], min: u32, max: u32) -> Value {
        let count = min + self.chance.below(max.saturating_sub(min) + 1);
        let mut left: Vec<&Choice> = of.iter().collect();
        let mut chosen = Vec::new();
        for _ in 0..count.min(left.len() as u32) {
            let place = self.chance.below(left.len() as u32) as usize;
            chosen.push(left.swap_remove(place).value.clone());
        }
        Value::list(chosen)
    }

    fn point_in(&mut self, region: &Region) -> Point {
        let (min, max) = match region {
            Region::Rectangle { min, max } => (*min, *max),
            Region::Disc { centre, radius } => (
                Point::new(centre.x() - *radius, centre.y() - *radius),
                Point::new(centre.x() + *radius, centre.y() + *radius),
            ),
        };
        Point::new(
            self.between(min.x(), max.x()),
            self.between(min.y(), max.y()),
        )
    }

    /// A length between two, in steps of a thousandth of the span.
    fn between(&mut self, low: Length, high: Length) -> Length {
        let step = i64::from(self.chance.below(1001));
        (high - low)
            .part_down(step, 1000)
            .map_or(low, |part| low + part)
    }

    // ---- greedy ------------------------------------------------------------

    /// The plan with the highest score above zero; any at all if it `must`.
    fn best_plan(
        &mut self,
        play: &Play,
        rules: &dyn Rules,
        options: Vec<Legal>,
        must: bool,
    ) -> Result<Option<BotOption>, Fault> {
        let mut plans = Vec::new();
        for legal in options {
            self.plans_of(play, rules, &legal, &mut plans)?;
        }
        plans.sort_by_key(|plan| std::cmp::Reverse(plan.score));
        self.shuffle_best(&mut plans);
        for plan in plans {
            if plan.score <= 0 && !must {
                return Ok(None);
            }
            if self.is_accepted(play, rules, &plan)? {
                return Ok(Some(plan));
            }
        }
        Ok(None)
    }

    /// Plans that are worth as much as the best come in any order, so that nobody
    /// who has seen one game of a bot has seen them all.
    fn shuffle_best(&mut self, plans: &mut [BotOption]) {
        let Some(best) = plans.first().map(|plan| plan.score) else {
            return;
        };
        let alike = plans.iter().take_while(|plan| plan.score == best).count();
        for last in (1..alike).rev() {
            let other = self.chance.below(last as u32 + 1) as usize;
            plans.swap(last, other);
        }
    }

    fn plans_of(
        &mut self,
        play: &Play,
        rules: &dyn Rules,
        legal: &Legal,
        plans: &mut Vec<BotOption>,
    ) -> Result<(), Fault> {
        let mut open = vec![Params::new()];
        let mut looked = 0;
        while let Some(params) = open.pop() {
            looked += 1;
            if looked > MOST_COMBINATIONS {
                return Ok(());
            }
            let next = play.next_param(rules, self.side, &legal.action, legal.actor, &params)?;
            match next {
                None => {
                    let record = Value::Map(Arc::new(params.clone()));
                    let score =
                        play.score(rules, self.side, &legal.action, legal.actor, &record)?;
                    plans.push(BotOption {
                        score,
                        legal: legal.clone(),
                        params,
                    });
                }
                Some((name, _, domain)) => {
                    let mut values = candidates(&domain);
                    if values.is_empty() {
                        values.extend(self.sample(&domain));
                    }
                    for value in values.into_iter().rev() {
                        let mut more = params.clone();
                        more.insert(name.clone(), value);
                        open.push(more);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the rules' last word on each parameter is yes.
    fn is_accepted(
        &mut self,
        play: &Play,
        rules: &dyn Rules,
        plan: &BotOption,
    ) -> Result<bool, Fault> {
        let mut given = Params::new();
        let (action, actor): (&Name, Option<EntityId>) = (&plan.legal.action, plan.legal.actor);
        while let Some((name, _, domain)) =
            play.next_param(rules, self.side, action, actor, &given)?
        {
            let Some(value) = plan.params.get(&name) else {
                return Ok(false);
            };
            if domain.check().is_some() && !play.may_answer(rules, self.side, &domain, value)? {
                return Ok(false);
            }
            given.insert(name, value.clone());
        }
        Ok(true)
    }
}

/// The values of a domain that are worth a look, in the rules' own order.
fn candidates(domain: &Domain) -> Vec<Value> {
    match domain {
        Domain::Choices { of: choices, .. } => {
            choices.iter().map(|choice| choice.value.clone()).collect()
        }
        Domain::Several { of, min, max, .. } => {
            let first = |n: u32| {
                Value::list(
                    of.iter()
                        .take(n as usize)
                        .map(|choice| choice.value.clone()),
                )
            };
            if min == max {
                vec![first(*min)]
            } else {
                vec![first(*max), first(*min)]
            }
        }
        Domain::Integer { min, max } => {
            let step = ((max - min) / MOST_NUMBERS).max(1);
            (0..)
                .map(|i| min + i * step)
                .take_while(|n| n <= max)
                .map(Value::Int)
                .collect()
        }
        Domain::Place { candidates, .. } => candidates
            .iter()
            .map(|point| Value::Point(*point))
            .collect(),
        Domain::Route { candidates, .. } => candidates
            .iter()
            .map(|path| Value::list(path.iter().map(|point| Value::Point(*point))))
            .collect(),
    }
}

fn stuck(what: &str) -> Fault {
    Fault::new(
        FaultCode::BadQuestion,
        format!("expected something that a bot can decide, found `{what}`"),
    )
}
