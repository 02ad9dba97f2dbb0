//! The graph of all ways, and the odds of its ends.
//!
//! It is built layer by layer, from the game on. A layer is what one more step that draws, or one more
//! question, comes to; what is alike in a layer is one node. The odds go through it in the same order, and the
//! worth of answers from the ends back.

use std::collections::{BTreeMap, BTreeSet};

use kernel::chance::{Enumeration, Fork, HandfulOrder};
use kernel::digest::{StateHash, StateHasher};
use kernel::value::{Name, Value};
use rustc_hash::FxHashMap;

use super::answer::{Distribution, How, Outcome};
use super::fraction::{Fraction, Weight};
use super::ways::{GameWay, NextOnWay, Ways};
use super::{DefaultAnswer, OddsQuery, Unanswered};

/// A node: how it goes on.
enum Node {
    /// It was not looked at yet.
    Open,
    /// It ends with an outcome.
    End(usize),
    /// Dice or chits decide.
    Chance(Vec<(Fraction, usize)>),
    /// A player decides.
    Choice(Vec<usize>),
}

/// All ways.
pub(super) struct WayGraph {
    nodes: Vec<Node>,
    outcomes: Vec<Value>,
    /// How many runs of steps were made.
    pub runs: u64,
    /// The work that was done, in checks.
    pub work: u64,
    /// Questions to which no answer was given.
    questions: BTreeSet<Name>,
    /// Questions to which one was given.
    answered: BTreeSet<Name>,
    /// The events that happened, in the order in which they were first seen.
    happened: Vec<Name>,
    /// Whether somebody stopped it, so that some nodes were not looked at, or not at all that may fall there.
    pub is_stopped: bool,
    /// Whether there was a handful whose order a rule may have looked at.
    pub has_mixed_handful: bool,
}

/// A graph that is being built.
struct Builder<'a> {
    ways: Ways<'a>,
    graph: WayGraph,
    ends: BTreeMap<Value, usize>,
    /// The node of each of them.
    end_nodes: FxHashMap<usize, usize>,
    /// The nodes of the next layer, by what they are like.
    next: FxHashMap<StateHash, usize>,
    waiting: Vec<(usize, GameWay)>,
}

impl WayGraph {
    /// Walks every way, with handfuls in this order, where so much work was done before.
    pub fn of<'a>(
        asked: &'a OddsQuery<'a>,
        order: HandfulOrder,
        done: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Result<WayGraph, Unanswered> {
        let left = asked.limits.work.saturating_sub(done);
        let (ways, way) = Ways::begin(asked, order, left, stop)?;
        let graph = WayGraph {
            nodes: vec![Node::Open],
            outcomes: Vec::new(),
            runs: 0,
            work: 0,
            questions: BTreeSet::new(),
            answered: BTreeSet::new(),
            happened: Vec::new(),
            is_stopped: false,
            has_mixed_handful: false,
        };
        let mut builder = Builder {
            ways,
            graph,
            ends: BTreeMap::new(),
            end_nodes: FxHashMap::default(),
            next: FxHashMap::default(),
            waiting: vec![(0, way)],
        };
        while !builder.waiting.is_empty() && !builder.graph.is_stopped {
            builder.next.clear();
            builder.layer()?;
        }
        builder.graph.runs = builder.ways.runs;
        builder.graph.work = done + builder.ways.work;
        builder.graph.happened = builder.ways.happened;
        builder.graph.has_mixed_handful = builder.ways.has_mixed_handful;
        Ok(builder.graph)
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The odds of each outcome.
    ///
    /// # Errors
    /// Outcomes of which none is better than another, where the best answer is looked for.
    pub fn odds(&self, asked: &OddsQuery<'_>) -> Result<Distribution, Unanswered> {
        self.can_choose(asked.policy.others)?;
        let chosen = self.chosen(asked.policy.others);
        let mut odds = vec![Fraction::zero(); self.nodes.len()];
        if let Some(first) = odds.first_mut() {
            *first = Fraction::one();
        }
        let mut of_outcomes = vec![Fraction::zero(); self.outcomes.len()];
        for place in self.order() {
            let here = odds[place].clone();
            match &self.nodes[place] {
                Node::Open => {}
                Node::End(outcome) => of_outcomes[*outcome] = of_outcomes[*outcome].plus(&here),
                Node::Chance(edges) => {
                    for (weight, to) in edges {
                        odds[*to] = odds[*to].plus(&here.times(weight));
                    }
                }
                Node::Choice(answers) => match chosen.get(&place) {
                    Some(to) => odds[*to] = odds[*to].plus(&here),
                    None => {
                        let each = here.shared_by(answers.len());
                        answers
                            .iter()
                            .for_each(|to| odds[*to] = odds[*to].plus(&each));
                    }
                },
            }
        }
        let outcomes = self
            .outcomes
            .iter()
            .zip(of_outcomes)
            .filter(|(_, odds)| *odds != Fraction::zero());
        if self.is_stopped {
            return self.partial(outcomes.collect(), asked.policy.others);
        }
        let outcomes = outcomes
            .map(|(value, odds)| Outcome::exact(value.clone(), odds))
            .collect();
        let how = How::Exact {
            runs: self.runs,
            nodes: self.nodes.len(),
        };
        Ok(
            Distribution::new(outcomes, how, self.questions.iter().cloned().collect()).with_seen(
                self.answered.iter().cloned().collect(),
                self.happened.clone(),
            ),
        )
    }

    /// What is known of ways that were counted before somebody stopped it.
    fn partial(
        &self,
        known: Vec<(&Value, Fraction)>,
        others: DefaultAnswer,
    ) -> Result<Distribution, Unanswered> {
        // Which answer is the best, nobody can tell before all of them were looked at.
        let is_open = others != DefaultAnswer::Split && !self.questions.is_empty();
        if known.is_empty() || is_open {
            return Err(Unanswered::Stopped { runs: self.runs });
        }
        let counted = known
            .iter()
            .fold(Fraction::zero(), |sum, (_, odds)| sum.plus(odds));
        let outcome =
            |(value, odds): (&Value, Fraction)| Outcome::at_least(value.clone(), odds, &counted);
        let outcomes = known.into_iter().map(outcome).collect();
        let how = How::Partial {
            runs: self.runs,
            counted,
        };
        Ok(
            Distribution::new(outcomes, how, self.questions.iter().cloned().collect()).with_seen(
                self.answered.iter().cloned().collect(),
                self.happened.clone(),
            ),
        )
    }

    /// Whether one outcome can be better than another, if that matters.
    fn can_choose(&self, others: DefaultAnswer) -> Result<(), Unanswered> {
        let matters = others != DefaultAnswer::Split && !self.questions.is_empty();
        match self
            .outcomes
            .iter()
            .find(|value| !has_worth(value))
            .filter(|_| matters)
        {
            None => Ok(()),
            Some(value) => Err(Unanswered::Outcome {
                reason: format!(
                    "expected a number, a length, or yes or no to find the {others} answer by, found {}",
                    value.type_word()
                ),
                trail: Vec::new(),
            }),
        }
    }

    /// The nodes so that each comes after all that lead to it: ends last.
    fn order(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let is_end = |place: &usize| matches!(self.nodes[*place], Node::End(_));
        let all = 0..self.nodes.len();
        all.clone()
            .filter(move |place| !is_end(place))
            .chain(all.filter(is_end))
    }

    /// Which answer is the best, or the worst, by place; none where each is as likely.
    fn chosen(&self, others: DefaultAnswer) -> BTreeMap<usize, usize> {
        let mut chosen = BTreeMap::new();
        if others == DefaultAnswer::Split {
            return chosen;
        }
        let mut worth = vec![Fraction::zero(); self.nodes.len()];
        for place in self.order().rev() {
            worth[place] = match &self.nodes[place] {
                Node::Open => Fraction::zero(),
                Node::End(outcome) => worth_of(&self.outcomes[*outcome]),
                Node::Chance(edges) => {
                    let add = |sum: Fraction, (weight, to): &(Fraction, usize)| {
                        sum.plus(&worth[*to].times(weight))
                    };
                    edges.iter().fold(Fraction::zero(), add)
                }
                Node::Choice(answers) => {
                    // Of equal answers the first counts.
                    let best = answers.iter().rev().max_by_key(|to| &worth[**to]);
                    let worst = answers.iter().min_by_key(|to| &worth[**to]);
                    let to = if others == DefaultAnswer::Best {
                        best
                    } else {
                        worst
                    };
                    let Some(to) = to else { continue };
                    chosen.insert(place, *to);
                    worth[*to].clone()
                }
            };
        }
        chosen
    }
}

/// What an outcome is worth: yes is 1, no is 0.
pub(super) fn worth_of(value: &Value) -> Fraction {
    match value {
        Value::Bool(yes) => Fraction::whole(i64::from(*yes)),
        Value::Int(number) => Fraction::whole(*number),
        Value::Length(length) => Fraction::whole(length.um()),
        Value::Die(die) => Fraction::whole(i64::from(die.sides())),
        _ => Fraction::zero(),
    }
}

/// Whether it can be told of an outcome whether it is better than another.
fn has_worth(value: &Value) -> bool {
    matches!(
        value,
        Value::Bool(_) | Value::Int(_) | Value::Length(_) | Value::Die(_)
    )
}

impl Builder<'_> {
    /// How all ways go on that have come as far; as many as there is time for.
    fn layer(&mut self) -> Result<(), Unanswered> {
        for (place, way) in std::mem::take(&mut self.waiting) {
            match self.expand(way) {
                Ok(node) => self.graph.nodes[place] = node,
                Err(Unanswered::Stopped { .. }) => self.graph.is_stopped = true,
                Err(why) => return Err(why),
            }
            if self.graph.is_stopped {
                return Ok(());
            }
        }
        Ok(())
    }

    /// How a way goes on, with what comes of it.
    fn expand(&mut self, mut way: GameWay) -> Result<Node, Unanswered> {
        loop {
            match self.ways.next(&mut way)? {
                NextOnWay::Ends => return Ok(Node::End(self.end(&mut way)?)),
                NextOnWay::Asks(side, question) => {
                    match self.ways.given_to(&way, side, &question) {
                        Some((id, _)) => self.graph.answered.insert(id.clone()),
                        None => self.graph.questions.insert(question.id.clone()),
                    };
                    let ways = self.ways.answers(&way, side, &question)?;
                    let nodes = ways.into_iter().map(|way| self.node(way));
                    return Ok(Node::Choice(nodes.collect::<Result<_, _>>()?));
                }
                NextOnWay::Runs => {}
            }
            let mut walk = way.game.ways_on();
            let mut first = way.clone();
            self.run(&mut first, &walk)?;
            match first.game.chance().forks().len() == walk.fixed() {
                // Nothing was drawn: there is only one way to go on.
                true => way = first,
                false => return self.fork(&way, first, &mut walk),
            }
        }
    }

    fn run(&mut self, way: &mut GameWay, walk: &Enumeration) -> Result<(), Unanswered> {
        let most = self.ways.asked.limits.runs;
        if self.ways.runs >= most {
            return Err(Unanswered::TooMany { runs: most });
        }
        self.ways.run(way, walk.chance())
    }

    /// Whether what a step draws can be walked at all: a large handful is known not to before it is tried.
    fn is_within(&self, first: &GameWay, walk: &Enumeration) -> Result<(), Unanswered> {
        let most = self.ways.asked.limits.runs;
        let left = u128::from(most.saturating_sub(self.ways.runs)) + 1;
        let drawn = &first.game.chance().forks()[walk.fixed()..];
        match drawn.iter().any(|fork| fork.paths() > left) {
            true => Err(Unanswered::TooMany { runs: most }),
            false => Ok(()),
        }
    }

    /// Every way in which a step can go that draws.
    fn fork(
        &mut self,
        before: &GameWay,
        first: GameWay,
        walk: &mut Enumeration,
    ) -> Result<Node, Unanswered> {
        self.is_within(&first, walk)?;
        let mut weights: BTreeMap<usize, Weight> = BTreeMap::new();
        let mut hope = Hope::default();
        let mut way = first;
        loop {
            let chance = way.game.chance().clone();
            let to = self.node(way)?;
            let forks = &chance.forks()[walk.fixed()..];
            weights.entry(to).or_default().add(forks);
            if !walk.advance(&chance) {
                break;
            }
            hope.after(forks, self.ways.asked.limits.runs)?;
            way = before.clone();
            match self.run(&mut way, walk) {
                Ok(()) => {}
                // What has fallen until then weighs what it weighs.
                Err(Unanswered::Stopped { .. }) => {
                    self.graph.is_stopped = true;
                    break;
                }
                Err(why) => return Err(why),
            }
        }
        Ok(Node::Chance(
            weights
                .into_iter()
                .map(|(to, weight)| (weight.fraction(), to))
                .collect(),
        ))
    }

    /// The node of a way: one that is alike, or a new one.
    fn node(&mut self, mut way: GameWay) -> Result<usize, Unanswered> {
        if matches!(self.ways.next(&mut way)?, NextOnWay::Ends) {
            let outcome = self.end(&mut way)?;
            return Ok(self.end_node(outcome));
        }
        let like = like(&mut way);
        if let Some(place) = self.next.get(&like) {
            return Ok(*place);
        }
        let place = self.graph.nodes.len();
        self.graph.nodes.push(Node::Open);
        self.next.insert(like, place);
        self.waiting.push((place, way));
        Ok(place)
    }

    /// The one node in which all ways end that have an outcome.
    fn end_node(&mut self, outcome: usize) -> usize {
        let next = self.graph.nodes.len();
        let place = *self.end_nodes.entry(outcome).or_insert(next);
        if place == next {
            self.graph.nodes.push(Node::End(outcome));
        }
        place
    }

    /// The outcome in which a way ends, by its place.
    fn end(&mut self, way: &mut GameWay) -> Result<usize, Unanswered> {
        let value = self.ways.outcome(way)?;
        let next = self.graph.outcomes.len();
        let place = *self.ends.entry(value.clone()).or_insert(next);
        if place == next {
            self.graph.outcomes.push(value);
        }
        Ok(place)
    }
}

/// Whether all ways of a step can be walked, by how much of chance is behind after some of them.
#[derive(Default)]
struct Hope {
    ways: u64,
    behind: f64,
}

impl Hope {
    /// After so many ways it is looked at.
    const LOOKS_AFTER: u64 = 5_000;
    /// So many times as many as are allowed must be ahead: ways weigh unlike, and those that come first may
    /// weigh little.
    const FAR_TOO_MANY: f64 = 100.0;

    /// One more way is behind.
    ///
    /// # Errors
    /// Where there is no hope that as many as are allowed are enough.
    fn after(&mut self, forks: &[Fork], most: u64) -> Result<(), Unanswered> {
        let odds = |odds: f64, fork: &Fork| odds * fork.weight() as f64 / fork.total() as f64;
        self.behind += forks.iter().fold(1.0, odds);
        self.ways += 1;
        let enough = self.behind * Hope::FAR_TOO_MANY * most as f64;
        match self.ways == Hope::LOOKS_AFTER && enough < self.ways as f64 {
            true => Err(Unanswered::TooMany { runs: self.ways }),
            false => Ok(()),
        }
    }
}

/// What a way is like: equal for two only if the same follows, and counts the same.
fn like(way: &mut GameWay) -> StateHash {
    let mut writer = StateHasher::new("way");
    writer.hash(&way.game.likeness());
    let game = &way.game;
    writer.value(&way.result, game.world());
    writer.number(u64::from(way.is_to_call()));
    way.noted
        .iter()
        .for_each(|noted| writer.value(noted, game.world()));
    writer.sum()
}
