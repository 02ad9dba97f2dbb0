//! One copy of a game, run step by step.

use std::cell::Cell;
use std::rc::Rc;

use kernel::chance::{Chance, Enumeration, HandfulOrder};
use kernel::decision::{Choice, Domain, Input, Question};
use kernel::engine::{MOST_STEPS, Rejected, Wanted};
use kernel::error::{Fault, Refusal};
use kernel::event::Event;
use kernel::game::Game;
use kernel::sequence::Frame;
use kernel::value::{Name, Side, Value};
use kernel::world::Viewer;

use super::by::FinalState;
use super::{GivenAnswer, OddsQuery, Unanswered, What};

/// More answers than this are not tried at one question.
const MOST_ANSWERS: usize = 256;
/// More questions than this on one way ask for ever.
const MOST_QUESTIONS: u32 = 1_000;
/// So much of a trail is told.
const LONGEST_TRAIL: usize = 40;
/// A step that draws more often than this on one way goes on for as long as chance has it: of such ways there
/// are ever more, each less likely than the one before.
const MOST_DRAWS: usize = 200;
/// So many checks a way costs beside the rules: a copy of the game, and what it is like.
const A_WAY: u64 = 128;
/// So many parts of an expression are told in the time of a check.
const PARTS_OF_A_CHECK: u64 = 2;
/// So many answers that are given are looked through in the time of a check.
const GIVEN_OF_A_CHECK: u64 = 8;
/// A way that has made so many steps without a draw does not end for lack of luck.
const LONG_WITHOUT_LUCK: u32 = MOST_STEPS / 4;

/// The dice and chits that led somewhere, the last first.
#[derive(Debug)]
struct DrawTrail {
    before: Option<Rc<DrawTrail>>,
    text: String,
}

/// A copy of the game on its way.
#[derive(Clone)]
pub(super) struct GameWay {
    /// The copy.
    pub game: Game,
    /// The rule that is yet to be called.
    to_call: bool,
    /// What it gave.
    pub result: Value,
    /// What was noted of events.
    pub noted: Vec<Value>,
    steps: u32,
    /// How many steps were made when dice or chits last fell, among ways that are counted.
    drew_at: Option<u32>,
    questions: u32,
    waits: bool,
    trail: Option<Rc<DrawTrail>>,
}

/// What comes next on a way.
pub(super) enum NextOnWay {
    /// It has come to its end.
    Ends,
    /// A question is asked of a side.
    Asks(Side, Question),
    /// Something runs.
    Runs,
}

/// What is asked, with what every way needs of it.
pub(super) struct Ways<'a> {
    pub asked: &'a OddsQuery<'a>,
    stop: &'a dyn Fn() -> bool,
    /// What lay on the agenda before: a way ends when no more lies there.
    base: usize,
    viewer: Viewer,
    /// How many runs of steps were made.
    pub runs: u64,
    /// The work that was done, in checks.
    pub work: u64,
    /// So much of it may be done.
    most_work: u64,
    /// The parts of expressions that were told, and those that were paid for.
    told: Cell<u64>,
    paid: u64,
    /// Whether a handful was handed over whose order somebody may have looked at.
    pub has_mixed_handful: bool,
    /// The events that happened, where outcomes are told by them, in the order in which they were first seen.
    pub happened: Vec<Name>,
}

impl<'a> Ways<'a> {
    /// What is asked, and the way on which nothing has happened yet.
    pub fn begin(
        asked: &'a OddsQuery<'a>,
        order: HandfulOrder,
        most_work: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Result<(Ways<'a>, GameWay), Unanswered> {
        let viewer = asked.eyes.map_or(Viewer::Referee, Viewer::Side);
        let chance = Enumeration::in_order(order).chance();
        let mut game = asked.game.apart(chance, asked.eyes);
        if asked.eyes.is_some() && game.is_in_secret() {
            return Err(Unanswered::Hidden);
        }
        match &asked.what {
            What::Rule(..) => game.leave_step(),
            What::Input(_) if matches!(game.wanted(), Wanted::Answer { .. }) => {
                let reason = "a question waits for an answer; odds are told between actions";
                return Err(Unanswered::Refused(Refusal::new("odds", reason)));
            }
            What::Input(_) => {}
        }
        let base = game.agenda_len();
        let mut to_call = false;
        match &asked.what {
            What::Input(input) => game.begin(asked.rules, input).map_err(rejected)?,
            What::Rule(rule, args) if game.book().steps.contains_key(rule) => {
                game.begin_step_of(rule, args)
            }
            What::Rule(..) => to_call = true,
        }
        game.take_events();
        let noted = asked.by.nothing_noted();
        let way = GameWay {
            game,
            to_call,
            result: Value::None,
            noted,
            steps: 0,
            drew_at: None,
            questions: 0,
            waits: false,
            trail: None,
        };
        Ok((
            Ways {
                asked,
                stop,
                base,
                viewer,
                runs: 0,
                work: 0,
                most_work,
                told: Cell::default(),
                paid: 0,
                has_mixed_handful: false,
                happened: Vec::new(),
            },
            way,
        ))
    }

    /// What comes next. Windows are let go by on the way.
    pub fn next(&self, way: &mut GameWay) -> Result<NextOnWay, Unanswered> {
        loop {
            match way.game.wanted() {
                Wanted::Answer { sides, question } => match sides.first() {
                    Some(side) if way.questions < MOST_QUESTIONS => {
                        return Ok(NextOnWay::Asks(*side, (*question).clone()));
                    }
                    _ => return Err(way.endless(&question.id)),
                },
                _ if !way.to_call && way.game.agenda_len() <= self.base => {
                    return Ok(NextOnWay::Ends);
                }
                _ if way.game.finished().is_some() => return Ok(NextOnWay::Ends),
                Wanted::React { side, .. } if way.waits => {
                    let decline = Input::Decline {
                        by: side,
                        standing: false,
                    };
                    way.game
                        .begin(self.asked.rules, &decline)
                        .map_err(rejected)?;
                    way.waits = false;
                }
                _ if way.waits => return Ok(NextOnWay::Ends),
                _ if self.asked.eyes.is_some() && !way.to_call && way.game.is_at_phase() => {
                    // Rules of a phase look with the eyes of the referee.
                    return Err(Unanswered::Hidden);
                }
                _ => return Ok(NextOnWay::Runs),
            }
        }
    }

    /// One more way was made: it costs what the rules have spent since then, and a copy of
    /// the game.
    ///
    /// # Errors
    /// When more work was done than may be.
    fn pay_since(&mut self, spent: u64) -> Result<(), Unanswered> {
        self.work += A_WAY + self.asked.rules.spent().wrapping_sub(spent);
        self.pay_told()
    }

    /// Whether more work was done than may be.
    pub fn is_spent(&self) -> bool {
        self.work > self.most_work
    }

    /// What was told since it was last paid for.
    fn pay_told(&mut self) -> Result<(), Unanswered> {
        self.work += (self.told.get() - self.paid) / PARTS_OF_A_CHECK;
        self.paid = self.told.get();
        match self.is_spent() {
            true => Err(Unanswered::TooMany { runs: self.runs }),
            false => Ok(()),
        }
    }

    /// Counts a step of a way, of which one that ends has not too many.
    fn go_on(&self, way: &mut GameWay) -> Result<(), Unanswered> {
        way.steps += 1;
        match way.steps > MOST_STEPS {
            true if way.is_up_to_luck() => Err(Unanswered::TooMany { runs: self.runs }),
            true => Err(way.endless(&way.top())),
            false => Ok(()),
        }
    }

    /// Runs what comes next, under a source of chance.
    pub fn run(&mut self, way: &mut GameWay, chance: Chance) -> Result<(), Unanswered> {
        self.runs += 1;
        if (self.stop)() {
            return Err(Unanswered::Stopped { runs: self.runs });
        }
        self.go_on(way)?;
        way.game.set_chance(chance);
        let made = (
            way.game.entities_made(),
            self.asked.eyes.map(|_| way.game.clone()),
        );
        let spent = self.asked.rules.spent();
        let made_step = self.step(way);
        self.pay_since(spent)?;
        self.has_mixed_handful |= way.game.chance().has_mixed_handful();
        let forks = way.game.chance().forks();
        let draws = forks.iter().filter(|fork| fork.total() > 1).count();
        if draws > MOST_DRAWS {
            return Err(Unanswered::TooMany { runs: self.runs });
        }
        if draws > 0 {
            way.drew_at = Some(way.steps);
        }
        match made_step {
            Ok(waits) => way.waits = waits,
            Err(fault) => {
                let mut events = way.game.take_events();
                events.extend(way.game.open_events().iter().cloned());
                way.mark(&events);
                return Err(Unanswered::Fault {
                    fault,
                    trail: way.trail(),
                });
            }
        }
        let events = way.game.take_events();
        if let (entities, Some(before)) = made {
            self.within_sight(way, entities, &before, &events)?;
        }
        self.see(&events);
        let (rules, noted) = (self.asked.rules, &mut way.noted);
        if let Err(reason) = self.asked.by.note(
            &mut way.game,
            rules,
            (self.viewer, &self.told),
            &events,
            noted,
        ) {
            way.mark(&events);
            return Err(Unanswered::Outcome {
                reason,
                trail: way.trail(),
            });
        }
        way.mark(&events);
        Ok(())
    }

    /// Keeps in which order events come, for those who are told of them.
    fn see(&mut self, events: &[Event]) {
        if !self.asked.by.is_events() {
            return;
        }
        for event in events
            .iter()
            .filter(|event| event.audience.contains(self.viewer))
        {
            if event.kind.contains('.') && !self.happened.contains(&event.kind) {
                self.happened.push(event.kind.clone());
            }
        }
    }

    /// Runs what comes next; whether the game waits then.
    fn step(&self, way: &mut GameWay) -> Result<bool, Fault> {
        let rules = self.asked.rules;
        match &self.asked.what {
            What::Rule(rule, args) if way.to_call => {
                if let Some(result) = way.game.call_as_step(rules, rule, args)? {
                    way.result = result;
                    way.to_call = false;
                }
                Ok(false)
            }
            _ => Ok(!way.game.go_on(rules)?),
        }
    }

    /// What reads no attribute and yet rests on what a side may not know: how new things are called depends on
    /// what is there, what is drawn depends on what was drawn before.
    fn within_sight(
        &self,
        way: &GameWay,
        entities: usize,
        before: &Game,
        events: &[Event],
    ) -> Result<(), Unanswered> {
        let draws = events
            .iter()
            .chain(way.game.open_events())
            .filter(|event| &*event.kind == "chits");
        let mut pots = draws.filter_map(|event| event.field("pot").and_then(Value::as_text));
        let is_hidden = way.game.entities_made() != entities
            || !way.game.has_decks_of(before)
            || pots.any(|pot| before.has_chits_out(pot));
        if is_hidden {
            Err(Unanswered::Hidden)
        } else {
            Ok(())
        }
    }

    /// The outcome at the end of a way.
    pub fn outcome(&mut self, way: &mut GameWay) -> Result<Value, Unanswered> {
        let spent = self.asked.rules.spent();
        let value = self.told_of(way)?;
        self.work += self.asked.rules.spent().wrapping_sub(spent);
        self.pay_told()?;
        Ok(value)
    }

    fn told_of(&self, way: &mut GameWay) -> Result<Value, Unanswered> {
        let GameWay {
            game,
            result,
            noted,
            ..
        } = way;
        let mut end = FinalState {
            game,
            rules: self.asked.rules,
            viewer: self.viewer,
            result,
            noted,
            told: &self.told,
        };
        self.asked
            .by
            .of(&mut end)
            .map_err(|reason| Unanswered::Outcome {
                reason,
                trail: way.trail(),
            })
    }

    /// The answer that is given to a question of a side, if one is.
    pub fn given_to(
        &self,
        way: &GameWay,
        side: Side,
        question: &Question,
    ) -> Option<&(Name, GivenAnswer)> {
        let name = way.game.side_name(side);
        self.asked.policy.given_to(&name, &question.id)
    }

    /// The answers to try at a question: the one that is given, or all there are, and the way on after each.
    pub fn answers(
        &mut self,
        way: &GameWay,
        side: Side,
        question: &Question,
    ) -> Result<Vec<GameWay>, Unanswered> {
        let wrong = |reason: String| Unanswered::Question {
            id: question.id.clone(),
            reason,
        };
        let domain = question
            .to
            .iter()
            .find(|(to, _)| *to == side)
            .map(|(_, domain)| domain);
        let Some(domain) = domain else {
            return Err(wrong("nobody is asked".into()));
        };
        let values = match self.given_to(way, side, question) {
            Some((_, answer)) => vec![meant(domain, answer).map_err(wrong)?],
            None => all_of(domain).map_err(wrong)?,
        };
        self.work += self.asked.policy.given.len() as u64 / GIVEN_OF_A_CHECK;
        let mut ways = Vec::new();
        let mut objection = None;
        for value in values {
            let mut on = GameWay {
                questions: way.questions + 1,
                waits: false,
                ..way.clone()
            };
            let input = Input::Answer {
                by: side,
                question: question.id.clone(),
                value,
            };
            let spent = self.asked.rules.spent();
            let begun = on.game.begin(self.asked.rules, &input);
            self.pay_since(spent)?;
            match begun {
                Ok(()) => ways.push(on),
                Err(Rejected::Refusal(refusal)) => objection = Some(refusal),
                Err(fault) => return Err(rejected(fault)),
            }
        }
        match (ways.is_empty(), objection) {
            (true, Some(refusal)) => Err(wrong(refusal.reason)),
            (true, None) => Err(wrong("there is no answer to try: give one".into())),
            (false, _) => Ok(ways),
        }
    }
}

impl GameWay {
    /// Whether its rule is yet to be called.
    pub fn is_to_call(&self) -> bool {
        self.to_call
    }

    /// What comes next on it, in a word.
    fn top(&self) -> Name {
        match self.game.flow().top() {
            Some(Frame::Step { rule, .. }) => rule.clone(),
            Some(Frame::Phase(phase)) => phase.id.clone(),
            Some(Frame::Window(window)) => window.id.clone(),
            Some(Frame::Leave { phase }) => phase.clone(),
            None => Name::from("nothing"),
        }
    }

    /// Whether dice or chits fell not long ago, so that others might have ended it.
    fn is_up_to_luck(&self) -> bool {
        self.drew_at
            .is_some_and(|last| self.steps - last <= LONG_WITHOUT_LUCK)
    }

    fn endless(&self, next: &str) -> Unanswered {
        Unanswered::Endless {
            next: next.into(),
            trail: self.trail(),
        }
    }

    /// Adds what has fallen to the trail.
    fn mark(&mut self, events: &[Event]) {
        for event in events {
            if let Some(text) = fallen(event) {
                self.trail = Some(Rc::new(DrawTrail {
                    before: self.trail.take(),
                    text,
                }));
            }
        }
    }

    /// The dice and chits that led here, first to last.
    pub fn trail(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut at = self.trail.as_ref();
        while let Some(trail) = at.filter(|_| found.len() < LONGEST_TRAIL) {
            found.push(trail.text.clone());
            at = trail.before.as_ref();
        }
        found.reverse();
        found
    }
}

/// Trails share their beginnings, and may be long: they are let go of link by link.
impl Drop for DrawTrail {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(Ok(mut link)) = before.map(Rc::try_unwrap) {
            before = link.before.take();
        }
    }
}

/// What an event says of dice or chits.
fn fallen(event: &Event) -> Option<String> {
    let items = |name: &str| match event.field(name) {
        Some(Value::List(items)) => items.to_vec(),
        _ => Vec::new(),
    };
    match &*event.kind {
        "roll" => {
            let (dice, faces) = (items("dice"), items("faces"));
            let one = |(die, face): (&Value, &Value)| match (die, face) {
                (Value::Die(die), Value::Int(face)) => format!("d{}={face}", die.sides()),
                _ => "?".into(),
            };
            let all: Vec<String> = dice.iter().zip(&faces).map(one).collect();
            let purpose = event
                .field("purpose")
                .and_then(Value::as_text)
                .unwrap_or_default();
            Some(if purpose.is_empty() {
                all.join(" ")
            } else {
                format!("{} ({purpose})", all.join(" "))
            })
        }
        "chits" => {
            let chits = items("chits");
            let all: Vec<&str> = chits.iter().filter_map(Value::as_text).collect();
            Some(all.join(" "))
        }
        _ => None,
    }
}

fn rejected(rejected: Rejected) -> Unanswered {
    match rejected {
        Rejected::Refusal(refusal) => Unanswered::Refused(refusal),
        Rejected::Fault { fault, .. } => Unanswered::Fault {
            fault,
            trail: Vec::new(),
        },
    }
}

/// The value of an answer that is given: words mean what they name among the choices, and are no answer where
/// that is several things.
///
/// # Errors
/// When words name several answers; in words.
pub fn meant(domain: &Domain, answer: &GivenAnswer) -> Result<Value, String> {
    let (text, read) = match answer {
        GivenAnswer::Value(value) => return Ok(by_label(domain, value)),
        GivenAnswer::Words(text, read) => (text, read),
    };
    let Domain::Choices { of, .. } = domain else {
        return Ok(by_label(domain, read));
    };
    let is_named = |choice: &&Choice| {
        choice.label == *text || choice.value == *read || choice.value.as_text() == Some(&**text)
    };
    let mut named: Vec<&Choice> = of.iter().filter(is_named).collect();
    named.dedup_by(|one, other| one.value == other.value);
    match named.as_slice() {
        [] => Ok(read.clone()),
        [one] => Ok(one.value.clone()),
        several => Err(format!(
            "`{text}` may be any of {} answers here: give the value of one",
            several.len()
        )),
    }
}

/// An answer that may be given by its label.
fn by_label(domain: &Domain, value: &Value) -> Value {
    let (Domain::Choices { of, .. } | Domain::Several { of, .. }) = domain else {
        return value.clone();
    };
    let one = |value: &Value| match (of.iter().any(|choice| choice.value == *value), value) {
        (false, Value::Text(label)) => of
            .iter()
            .find(|choice| choice.label == *label)
            .map_or(value.clone(), |choice| choice.value.clone()),
        _ => value.clone(),
    };
    match (domain, value) {
        (Domain::Several { .. }, Value::List(many)) => Value::list(many.iter().map(one)),
        (_, value) => one(value),
    }
}

/// Every answer of a domain that can be listed.
fn all_of(domain: &Domain) -> Result<Vec<Value>, String> {
    let too_many =
        || format!("expected at most {MOST_ANSWERS} answers to try, found more: give one");
    let values: Vec<Value> = match domain {
        Domain::Choices { of, .. } => of.iter().map(|choice| choice.value.clone()).collect(),
        Domain::Several { of, min, max, .. } => some_of(of, *min, *max).ok_or_else(too_many)?,
        Domain::Integer { min, max } => {
            let span = max
                .checked_sub(*min)
                .and_then(|span| usize::try_from(span).ok());
            match span {
                Some(span) if span < MOST_ANSWERS => (*min..=*max).map(Value::Int).collect(),
                _ => return Err(too_many()),
            }
        }
        Domain::Place { candidates, .. } => candidates
            .iter()
            .map(|point| Value::Point(*point))
            .collect(),
        Domain::Route { candidates, .. } => {
            let path = |path: &std::sync::Arc<[_]>| {
                Value::list(path.iter().map(|point| Value::Point(*point)))
            };
            candidates.iter().map(path).collect()
        }
    };
    if values.len() > MOST_ANSWERS {
        Err(too_many())
    } else {
        Ok(values)
    }
}

/// Every choice of some, in the order in which they are offered.
fn some_of(of: &[Choice], min: u32, max: u32) -> Option<Vec<Value>> {
    let mut sets: Vec<Vec<Value>> = vec![Vec::new()];
    for choice in of {
        let with = |set: &Vec<Value>| [&set[..], std::slice::from_ref(&choice.value)].concat();
        let more: Vec<Vec<Value>> = sets
            .iter()
            .filter(|set| set.len() < max as usize)
            .map(with)
            .collect();
        sets.extend(more);
        if sets.len() > 4 * MOST_ANSWERS {
            return None;
        }
    }
    sets.retain(|set| set.len() >= min as usize);
    (sets.len() <= MOST_ANSWERS).then(|| sets.into_iter().map(Value::list).collect())
}
