//! A moment of a game as a test: the decisions that lead to an event, shrunk to
//! those, and to those pieces, without which it does not come about.
//!
//! What is left out is tried in ever smaller parts, by delta debugging. Dice
//! stay with the decision and the step that they were rolled for, whatever is
//! left out before them; in the end those that came up are written down, with
//! what each was for, and how decks lay after a shuffle, as far as it matters.

mod scripts;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::chance::{Chance, DrawPosition, ScriptedOrder, ShufflePosition, uniform};
use kernel::error::{Fault, FaultCode};
use kernel::record::decode;
use kernel::value::Value;
use matches::play::{Match, RecordedInput, run_script, take_line};
use matches::scenario::{
    Act, Heading, Scenario, chance_of, count_entities, line_of, set_up, with_script,
};
use rules::modset::selector::Request;
use rules::printable::line;
use rules::types::Unit;

use scripts::ChanceScript;

/// What is to be kept.
pub struct Moment<'a> {
    /// The game, from which its rules and its decisions are taken.
    pub game: &'a Match,
    /// The text of the scenario that it began with.
    pub source: &'a str,
    /// The selector line of its rules.
    pub selector: &'a str,
    /// How many turns it lasts, if that was said.
    pub turns: Option<u32>,
    /// The place of the event, from 0.
    pub event: usize,
    /// In what lengths are told.
    pub unit: Unit,
}

/// How it is kept.
pub struct Keeping<'a> {
    /// The id of the test: one word.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// How many games may be played to shrink it; none keeps it whole.
    pub tries: usize,
    /// Asked before each of them whether somebody has had enough: then it is kept as small as it has become.
    pub stop: &'a dyn Fn() -> bool,
}

/// A moment as a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptMoment {
    /// The text of the scenario.
    pub text: String,
    /// The event, as a report tells it.
    pub shows: String,
    /// How many decisions it makes, and how many the game had made by then.
    pub decisions: [usize; 2],
    /// How many pieces stand on the table, and how many there were.
    pub entities: [usize; 2],
    /// How many games were played.
    pub tries: usize,
    /// Whether its dice, chits and shuffles are written down; else they come from its seed.
    pub is_scripted: bool,
}

/// Why it cannot be kept.
#[derive(Debug)]
pub enum NotKept {
    /// Something is wrong with the scenario or the rules.
    Faults(Vec<Fault>),
    /// By the rules in force the game does not come to that event again.
    Otherwise,
    /// It happened before the first decision.
    NoDecision,
    /// There is no such event.
    NoEvent(usize),
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotKept::Faults(faults) => {
                faults.iter().enumerate().try_for_each(|(place, fault)| {
                    if place > 0 { write!(f, "; {fault}") } else { write!(f, "{fault}") }
                })
            }
            NotKept::Otherwise => f.write_str(
                "by the rules in force the game does not come to that event again from its first decision on: \
                 rules were changed on the way and the past was left as it was",
            ),
            NotKept::NoDecision => f.write_str("it happened before the first decision: no decision leads to it"),
            NotKept::NoEvent(count) => write!(f, "expected an event from 1 to {count}, found none of that number"),
        }
    }
}

impl From<Fault> for NotKept {
    fn from(fault: Fault) -> NotKept {
        NotKept::Faults(vec![fault])
    }
}

impl From<Vec<Fault>> for NotKept {
    fn from(faults: Vec<Fault>) -> NotKept {
        NotKept::Faults(faults)
    }
}

/// A decision as a line of a script, and where in the game its dice come from.
#[derive(Clone)]
struct ScriptLine {
    text: String,
    action: u32,
    epoch: u32,
    /// What the game waited for before it: in which phases, and for whom.
    at: String,
}

/// What is left of the game: which pieces, and which decisions.
#[derive(Clone)]
struct RemainingGame {
    entities: Vec<bool>,
    lines: Vec<usize>,
}

/// The search: the game, its lines, and how many games were played.
struct Search<'a> {
    moment: &'a Moment<'a>,
    keeping: &'a Keeping<'a>,
    request: Request,
    lines: Vec<ScriptLine>,
    /// The lines as they are taken.
    acts: Vec<Act>,
    shows: String,
    /// From where in the game the dice of the decision come that is being made.
    shift: DiceShift,
    /// In which orders shuffles have put decks.
    orders: NotedOrders,
    /// The smallest game that was found so far.
    known: RefCell<Option<KnownGame>>,
    tries: Cell<usize>,
}

/// A game that shows the event, with its state before each line: what begins as it does goes on from there.
struct KnownGame {
    rest: RemainingGame,
    before: Vec<Rc<Match>>,
}

impl KnownGame {
    /// How many lines another begins with as this one does.
    fn shared(&self, other: &RemainingGame) -> usize {
        if self.rest.entities != other.entities {
            return 0;
        }
        self.rest
            .lines
            .iter()
            .zip(&other.lines)
            .take_while(|(one, two)| one == two)
            .count()
    }
}

/// Keeps a moment of a game as a test. `tried` is told of each game that is
/// played for it: how many, and how many decisions and pieces are left.
///
/// # Errors
/// Why it cannot be kept.
pub fn keep(
    moment: &Moment<'_>,
    keeping: &Keeping<'_>,
    tried: &mut dyn FnMut(usize, usize, usize),
) -> Result<KeptMoment, NotKept> {
    let count = moment.game.settled_events().len();
    if moment.event >= count {
        return Err(NotKept::NoEvent(count));
    }
    let mut search = Search {
        moment,
        keeping,
        request: Request::parse(moment.selector)?,
        lines: lines(moment)?,
        acts: Vec::new(),
        shows: moment
            .game
            .event_text(moment.event, moment.unit)
            .trim()
            .to_string(),
        shift: DiceShift::default(),
        orders: NotedOrders::default(),
        known: RefCell::default(),
        tries: Cell::new(0),
    };
    let whole = RemainingGame {
        entities: vec![true; count_entities(moment.source)?],
        lines: (0..search.lines.len()).collect(),
    };
    search.acts = Scenario::read(
        "",
        "scenario.ron",
        &search.text(&whole, &search.bare(&whole))?,
    )?
    .script;
    if !search.shows_by(&whole)? {
        return Err(NotKept::Otherwise);
    }
    let rest = search.shrunk(whole.clone(), tried);
    match search.written(&rest)? {
        Some(text) => Ok(search.kept(&rest, text, true)),
        // By what a script can say it does not come out the same.
        None => {
            let text = search.text(&whole, &search.bare(&whole))?;
            match search.shows_again(&text)? {
                true => Ok(search.kept(&whole, text, false)),
                false => Err(NotKept::Otherwise),
            }
        }
    }
}

/// The decisions up to the one in which the event happened.
fn lines(moment: &Moment<'_>) -> Result<Vec<ScriptLine>, NotKept> {
    let game = moment.game;
    let until = (0..game.inputs().len())
        .rev()
        .find(|input| game.events_before(*input) <= moment.event);
    let until = until.ok_or(NotKept::NoDecision)?;
    let mut again = begun(
        moment,
        &Scenario::read("", "scenario.ron", moment.source)?,
        None,
    )?;
    let mut lines = Vec::new();
    for recorded in &game.recorded_inputs()[..=until] {
        let action = again.game().flow().actions();
        let at = waits_at(&again);
        let Ok(input) = decode(&recorded.text, again.game().world()) else {
            return Err(NotKept::Otherwise);
        };
        lines.push(ScriptLine {
            text: line_of(&mut again, &input)?,
            action,
            epoch: recorded.epoch,
            at,
        });
        if !repeated(&mut again, recorded) {
            return Err(NotKept::Otherwise);
        }
    }
    Ok(lines)
}

/// In which phases a game waits, and for whom: where it waits so again, what lies
/// between may perhaps go.
fn waits_at(game: &Match) -> String {
    let phases: Vec<&str> = game
        .game()
        .flow()
        .phases()
        .map(|phase| &*phase.id)
        .collect();
    format!("{} {:?}", phases.join(" "), game.game().flow().acting())
}

fn repeated(game: &mut Match, input: &RecordedInput) -> bool {
    matches!(game.repeat(input), Ok(None))
}

/// A game before its first decision.
fn begun(
    moment: &Moment<'_>,
    scenario: &Scenario,
    chance: Option<Chance>,
) -> Result<Match, NotKept> {
    let rulebook = moment.game.rulebook().clone();
    let mut setup = set_up(scenario, &rulebook, moment.game.header().seed, moment.turns)?;
    if let Some(chance) = chance {
        setup.game.set_chance(chance);
    }
    Ok(Match::start(rulebook, setup)?)
}

/// The game as it stands, without its past.
fn copy(game: &Match) -> Option<Match> {
    game.beside(game.inputs().len(), game.rulebook()).ok()
}

/// Where the dice of a decision come from: how far its action's number is from
/// that of the game, and in which epoch it was taken there.
type DiceShift = Arc<Mutex<(i64, u32)>>;

/// The orders that shuffles have brought, each with where it stands.
type NotedOrders = Arc<Mutex<Vec<(ShufflePosition, ScriptedOrder)>>>;

/// The chance of the game, as far as it is about the same decisions; it tells of orders.
fn shifted(seed: u64, shift: &DiceShift, orders: &NotedOrders) -> Chance {
    let (shift, orders) = (shift.clone(), orders.clone());
    let chance = Chance::given(move |place: DrawPosition, bound: NonZeroU32| {
        let (by, epoch) = *shift.lock().unwrap_or_else(PoisonError::into_inner);
        let action = match place.lane {
            0 => u32::try_from(i64::from(place.action) + by).unwrap_or_default(),
            _ => place.action,
        };
        uniform(
            seed,
            DrawPosition {
                action,
                epoch,
                ..place
            },
            bound,
        )
    });
    chance.telling_orders(move |place, order| {
        let mut orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
        // A step that was asked something runs again, and shuffles again.
        orders.retain(|(other, _)| *other != place);
        orders.push((place, order));
    })
}

impl Search<'_> {
    /// The game of some pieces before its first line.
    fn begun(&self, rest: &RemainingGame) -> Result<Option<Match>, NotKept> {
        let scenario = Scenario::read("", "scenario.ron", &self.text(rest, &[])?)?;
        let seed = self.moment.game.header().seed;
        let chance = shifted(seed, &self.shift, &self.orders);
        Ok(begun(self.moment, &scenario, Some(chance)).ok())
    }

    /// Takes a line with the dice that it had in the game; whether it was taken.
    fn takes(&self, game: &mut Match, line: usize) -> bool {
        let ScriptLine { action, epoch, .. } = self.lines[line];
        let by = i64::from(action) - i64::from(game.game().flow().actions());
        *self.shift.lock().unwrap_or_else(PoisonError::into_inner) = (by, epoch);
        self.acts
            .get(line)
            .is_some_and(|act| take_line(game, act).is_ok())
    }

    /// Plays what is left from its first line on; the game, if it shows the event.
    fn played(&self, rest: &RemainingGame) -> Result<Option<Match>, NotKept> {
        let Some(mut game) = self.begun(rest)? else {
            return Ok(None);
        };
        let is_whole = rest.lines.iter().all(|line| self.takes(&mut game, *line));
        Ok((is_whole && self.is_shown(&game)).then_some(game))
    }

    /// Whether what is left shows the event. It goes on from where it first differs from the smallest game that
    /// was found so far, and takes its place if it does.
    fn shows_by(&self, rest: &RemainingGame) -> Result<bool, NotKept> {
        self.tries.set(self.tries.get() + 1);
        let known = self.known.borrow();
        // Its last line at least is played: the event comes of it.
        let shared = known
            .as_ref()
            .map_or(0, |known| known.shared(rest))
            .min(rest.lines.len().saturating_sub(1));
        let (mut before, from) = match known.as_ref().filter(|_| shared > 0) {
            Some(known) => (known.before[..shared].to_vec(), copy(&known.before[shared])),
            None => (Vec::new(), self.begun(rest)?),
        };
        drop(known);
        let Some(mut game) = from else {
            return Ok(false);
        };
        for line in &rest.lines[before.len()..] {
            let Some(copied) = copy(&game) else {
                return Ok(false);
            };
            before.push(Rc::new(copied));
            if !self.takes(&mut game, *line) {
                return Ok(false);
            }
        }
        let is_shown = self.is_shown(&game);
        if is_shown {
            self.known.replace(Some(KnownGame {
                rest: rest.clone(),
                before,
            }));
        }
        Ok(is_shown)
    }

    /// Whether the last decision of a game brings the event about.
    fn is_shown(&self, game: &Match) -> bool {
        let from = game
            .inputs()
            .len()
            .checked_sub(1)
            .map_or(0, |last| game.events_before(last));
        let kind = &self.moment.game.settled_events()[self.moment.event].kind;
        let events = game.settled_events().iter().enumerate().skip(from);
        events
            .filter(|(_, event)| event.kind == *kind)
            .any(|(place, _)| game.event_text(place, self.moment.unit).trim() == self.shows)
    }

    /// Lines without dice.
    fn bare(&self, rest: &RemainingGame) -> Vec<String> {
        rest.lines
            .iter()
            .map(|line| self.lines[*line].text.clone())
            .collect()
    }

    fn text(&self, rest: &RemainingGame, script: &[String]) -> Result<String, NotKept> {
        let heading = Heading {
            id: self.keeping.id,
            title: self.keeping.title,
            text: &format!("Shows: {}", line(&self.shows)),
            request: &self.request,
            seed: self.moment.game.header().seed,
            turns: self.moment.game.game().turns(),
            kept: Some(&rest.entities),
        };
        Ok(with_script(self.moment.source, &heading, script)?)
    }

    /// What cannot be made smaller, or what is left when all tries are used up.
    fn shrunk(
        &self,
        mut rest: RemainingGame,
        tried: &mut dyn FnMut(usize, usize, usize),
    ) -> RemainingGame {
        // Windows that are let go by need not be mentioned.
        let mut quiet = rest.clone();
        let last = quiet.lines.last().copied();
        quiet
            .lines
            .retain(|line| Some(*line) == last || !self.lines[*line].text.starts_with("Decline("));
        if self.may_try() && self.is_enough(&quiet, tried) {
            rest = quiet;
        }
        loop {
            let before = rest.size();
            rest = self.without_rounds(rest, tried);
            rest = self.fewer(
                rest,
                tried,
                &RemainingGame::lines_of,
                &RemainingGame::without_lines,
            );
            rest = self.fewer(
                rest,
                tried,
                &RemainingGame::entities_of,
                &RemainingGame::without_entities,
            );
            if rest.size() == before || !self.may_try() {
                return rest;
            }
        }
    }

    /// Leaves out what lies between two moments in which the game waits in the same
    /// phases for the same side: turns and activations as a whole, the longest first.
    fn without_rounds(
        &self,
        mut rest: RemainingGame,
        tried: &mut dyn FnMut(usize, usize, usize),
    ) -> RemainingGame {
        // A long game has more of them than may be tried: half of the tries are for what is smaller.
        let most_tries = self.tries.get() + self.keeping.tries.saturating_sub(self.tries.get()) / 2;
        let mut length = rest.lines.len().saturating_sub(1);
        while length > 1 {
            let at = |place: usize| rest.lines.get(place).map(|line| &self.lines[*line].at);
            let is_round = |from: &usize| at(*from).is_some() && at(*from) == at(*from + length);
            let rounds: Vec<usize> = (0..rest.lines.len()).filter(is_round).collect();
            let mut is_shorter = false;
            for from in rounds {
                if !self.may_try() || self.tries.get() >= most_tries {
                    return rest;
                }
                let part = rest.lines[from..from + length].to_vec();
                let smaller = rest.without_lines(&part);
                if self.is_enough(&smaller, tried) {
                    rest = smaller;
                    is_shorter = true;
                    break;
                }
            }
            let most = rest.lines.len().saturating_sub(1);
            length = if is_shorter {
                length.min(most)
            } else {
                length - 1
            };
        }
        rest
    }

    fn may_try(&self) -> bool {
        self.tries.get() < self.keeping.tries && !(self.keeping.stop)()
    }

    fn is_enough(&self, rest: &RemainingGame, tried: &mut dyn FnMut(usize, usize, usize)) -> bool {
        let is_enough = matches!(self.shows_by(rest), Ok(true));
        let [entities, lines] = rest.size();
        tried(self.tries.get(), lines, entities);
        is_enough
    }

    /// Leaves parts out, first halves, then ever smaller ones, from the end: what
    /// came last was built on what came first.
    fn fewer(
        &self,
        mut rest: RemainingGame,
        tried: &mut dyn FnMut(usize, usize, usize),
        of: &dyn Fn(&RemainingGame) -> Vec<usize>,
        without: &dyn Fn(&RemainingGame, &[usize]) -> RemainingGame,
    ) -> RemainingGame {
        let mut size = of(&rest).len().div_ceil(2);
        while size > 0 {
            let mut end = of(&rest).len();
            while end > 0 {
                let part: Vec<usize> = of(&rest)[end.saturating_sub(size)..end].to_vec();
                if !self.may_try() {
                    return rest;
                }
                let smaller = without(&rest, &part);
                if self.is_enough(&smaller, tried) {
                    rest = smaller;
                }
                end = end.saturating_sub(size);
            }
            size /= 2;
        }
        rest
    }

    /// The test with its dice, chits and shuffles written down; nothing if it does not
    /// come out the same by them.
    fn written(&self, rest: &RemainingGame) -> Result<Option<String>, NotKept> {
        self.orders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let Some(game) = self.played(rest)? else {
            return Ok(None);
        };
        let mut script = self.came_up(rest, &game);
        let mut text = self.text(rest, &script.lines())?;
        if !self.shows_again(&text)? {
            return Ok(None);
        }
        // Of an order as much is said as the event hangs on.
        for shuffle in 0..script.orders.len() {
            let whole = script.orders[shuffle].clone();
            let (mut least, mut enough) = (0, whole.len());
            while least < enough && self.may_try() {
                let most = usize::midpoint(least, enough);
                script.orders[shuffle] = whole[..most].into();
                self.tries.set(self.tries.get() + 1);
                let shorter = self.text(rest, &script.lines())?;
                if matches!(self.shows_again(&shorter), Ok(true)) {
                    (enough, text) = (most, shorter);
                } else {
                    least = most + 1;
                }
            }
            script.orders[shuffle] = whole[..enough].into();
        }
        Ok(Some(text))
    }

    /// What came up in each line of a game that was played.
    fn came_up<'g>(&self, rest: &RemainingGame, game: &'g Match) -> ChanceScript<'g> {
        let mut lines = Vec::new();
        let (mut from, mut input) = (0, 0);
        for (place, bare) in self.bare(rest).into_iter().enumerate() {
            // Windows that went by without a line of their own belong to the line before.
            let is_last = place + 1 == rest.lines.len();
            input = match is_last {
                true => game.inputs().len(),
                false => input_after(game, input, &bare),
            };
            let until = match is_last {
                true => game.settled_events().len(),
                false => game.events_before(input),
            };
            lines.push((bare, &game.settled_events()[from..until]));
            from = until;
        }
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        ChanceScript {
            lines,
            orders: orders.iter().map(|(_, order)| order.clone()).collect(),
        }
    }

    /// Whether a test, played as it will be, shows the event.
    fn shows_again(&self, text: &str) -> Result<bool, NotKept> {
        let scenario = Scenario::read("", "scenario.ron", text)?;
        let mut game = match begun(self.moment, &scenario, chance_of(&scenario.script)) {
            // Something falls before the first line that no script can say.
            Err(NotKept::Faults(faults)) if faults.iter().all(is_of_script) => return Ok(false),
            begun => begun?,
        };
        Ok(run_script(&mut game, &scenario.script).is_ok() && self.is_shown(&game))
    }

    fn kept(&self, rest: &RemainingGame, text: String, is_scripted: bool) -> KeptMoment {
        let [entities, lines] = rest.size();
        KeptMoment {
            text,
            shows: self.shows.clone(),
            decisions: [lines, self.lines.len()],
            entities: [entities, rest.entities.len()],
            tries: self.tries.get(),
            is_scripted,
        }
    }
}

/// Whether a fault is of the dice that a script holds, not of the rules.
fn is_of_script(fault: &Fault) -> bool {
    fault.code == FaultCode::ScriptedDice
}

/// The number of decisions that a game had made when a line of its script was
/// over, from those that it had made before: windows that were let go by, and
/// the line itself.
fn input_after(game: &Match, from: usize, bare: &str) -> usize {
    use kernel::decision::Input;
    let is_own_decline = bare.starts_with("Decline(");
    let rest = game.inputs().iter().skip(from);
    let passed = rest
        .take_while(|input| !is_own_decline && matches!(input, Input::Decline { .. }))
        .count();
    from + passed + 1
}

impl RemainingGame {
    fn size(&self) -> [usize; 2] {
        [
            self.entities.iter().filter(|is_there| **is_there).count(),
            self.lines.len(),
        ]
    }

    /// The lines that may go: the last brings the event about.
    fn lines_of(&self) -> Vec<usize> {
        self.lines[..self.lines.len().saturating_sub(1)].to_vec()
    }

    fn entities_of(&self) -> Vec<usize> {
        (0..self.entities.len())
            .filter(|entity| self.entities[*entity])
            .collect()
    }

    fn without_lines(&self, part: &[usize]) -> RemainingGame {
        let lines = self
            .lines
            .iter()
            .copied()
            .filter(|line| !part.contains(line));
        RemainingGame {
            lines: lines.collect(),
            entities: self.entities.clone(),
        }
    }

    fn without_entities(&self, part: &[usize]) -> RemainingGame {
        let mut entities = self.entities.clone();
        part.iter().for_each(|entity| entities[*entity] = false);
        RemainingGame {
            entities,
            lines: self.lines.clone(),
        }
    }
}

/// What dice were for, and what they showed: `to hit: d8=5`.
pub(crate) fn labelled(purpose: &Value, rolled: &[String]) -> String {
    match purpose.as_text() {
        Some(purpose) if !purpose.is_empty() => format!("{purpose}: {}", rolled.join(" ")),
        _ => rolled.join(" "),
    }
}

/// Dice and faces as a script has them.
pub(crate) fn rolled(dice: &Value, faces: &Value) -> Vec<String> {
    let (Value::List(dice), Value::List(faces)) = (dice, faces) else {
        return Vec::new();
    };
    let pair = |(die, face): (&Value, &Value)| match (die, face) {
        (Value::Die(die), Value::Int(face)) => format!("d{}={face}", die.sides()),
        (_, face) => face
            .as_int()
            .map_or_else(String::new, |face| face.to_string()),
    };
    dice.iter().zip(faces.iter()).map(pair).collect()
}

/// The texts of a list.
pub(crate) fn texts(list: &Value) -> Vec<String> {
    let Value::List(items) = list else {
        return Vec::new();
    };
    items
        .iter()
        .filter_map(Value::as_text)
        .map(ToString::to_string)
        .collect()
}
