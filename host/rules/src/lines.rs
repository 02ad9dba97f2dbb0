//! Lines: what others may add to a rule that is open for them, instead of a
//! wrap. How lines of one rule combine is said by the law of the rule, which
//! follows from its result; see `docs/decisions/0076-lines.md`.
//!
//! Registered lines are checked against their rule when mods are composed; what
//! folds them into what is under them is a part of the machine of scripts.

use std::any::Any;
use std::rc::Rc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::geometry::Length;
use kernel::value::{Name, Type, Value};
use serde::{Deserialize, Serialize};

use crate::hosting::registry::{Layer, Returns};
use crate::types::{Unit, parse_length};

/// What a rule that is open for lines says of how they combine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Open {
    /// How what was scaled is rounded.
    pub round: Round,
    /// The rule's own limits.
    pub least: Option<i64>,
    /// The rule's own limits.
    pub most: Option<i64>,
    /// What the sum of terms can be at most, either way.
    pub cap: Option<i64>,
    /// Whether terms are added before they are scaled.
    pub adds_first: bool,
    /// Whether `least` wins where it crosses `most`.
    pub least_wins: bool,
    /// The ladder of dice; none for the game's own.
    pub ladder: Option<Name>,
}

impl Open {
    /// What it says otherwise than others, as it stands in brackets: `round up, most 12in`.
    pub fn words(&self, returns: &Returns) -> String {
        let is_length = matches!(returns, Returns::Value(Type::Length));
        let number = |n: i64| match is_length {
            true => Unit::AsWritten.print(Length::from_um(n)),
            false => n.to_string(),
        };
        let limit = |word: &str, n: Option<i64>| n.map(|n| format!("{word} {}", number(n)));
        let round = match self.round {
            Round::Down => None,
            Round::Nearest => Some("round nearest".to_string()),
            Round::Up => Some("round up".to_string()),
        };
        let said = |is_said: bool, words: &str| is_said.then(|| words.to_string());
        let all = [
            round,
            said(self.adds_first, "add first"),
            limit("cap", self.cap),
            limit("least", self.least),
            limit("most", self.most),
            said(self.least_wins, "least wins"),
            self.ladder
                .as_ref()
                .map(|ladder| format!("ladder {ladder}")),
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// How what was scaled is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Round {
    /// To the next lower whole number.
    #[default]
    Down,
    /// To the next higher one.
    Up,
    /// To the nearest; halves up.
    Nearest,
}

impl Round {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Round::Down => "down",
            Round::Up => "up",
            Round::Nearest => "nearest",
        }
    }
}

impl Open {
    /// Reads what stands in the brackets of `@open`: `round up, most 6in`.
    ///
    /// # Errors
    /// What is wrong, and a hint.
    pub fn read(text: &str) -> Result<Open, (String, Option<String>)> {
        let mut open = Open::default();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let words: Vec<&str> = part.split_whitespace().collect();
            match words.as_slice() {
                ["round", "down"] => open.round = Round::Down,
                ["round", "up"] => open.round = Round::Up,
                ["round", "nearest"] => open.round = Round::Nearest,
                ["least", "wins"] => open.least_wins = true,
                ["least", n] => open.least = Some(number(n)?),
                ["most", n] => open.most = Some(number(n)?),
                ["cap", n] => open.cap = Some(number(n)?),
                ["add", "first"] => open.adds_first = true,
                ["ladder", id] if kernel::value::is_id(id) => open.ladder = Some(Name::from(*id)),
                _ => {
                    let hint = "`round up`, `round nearest`, `least 0`, `most 6in`, `cap 3`, `add first`, `least wins` or `ladder game.dice`";
                    return Err((format!("`@open`: found `{part}`"), Some(hint.into())));
                }
            }
        }
        Ok(open)
    }
}

fn number(text: &str) -> Result<i64, (String, Option<String>)> {
    let length = || parse_length(text).ok().map(|length| length.um());
    text.parse().ok().or_else(length).ok_or_else(|| {
        (
            format!("`@open`: expected a whole number or a length, found `{text}`"),
            None,
        )
    })
}

/// What a line does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verb {
    /// Lines of a kind take no part.
    Ignore,
    /// The value, whatever it was.
    Set,
    /// The value in this case.
    Case,
    /// The value times a fraction.
    Scale,
    /// A term of the sum.
    Add,
    /// Steps of a die.
    Shift,
    /// A lower bound.
    Least,
    /// An upper bound.
    Most,
    /// It holds.
    Always,
    /// It does not hold.
    Never,
    /// It holds.
    Allow,
    /// It does not hold.
    Deny,
    /// A reason why not.
    Refuse,
    /// More items.
    Append,
    /// Fewer items.
    Drop,
    /// What happens afterwards.
    After,
}

/// All of them, with their words.
pub const VERBS: [(&str, Verb); 16] = [
    ("ignore", Verb::Ignore),
    ("set", Verb::Set),
    ("case", Verb::Case),
    ("scale", Verb::Scale),
    ("add", Verb::Add),
    ("shift", Verb::Shift),
    ("least", Verb::Least),
    ("most", Verb::Most),
    ("always", Verb::Always),
    ("never", Verb::Never),
    ("allow", Verb::Allow),
    ("deny", Verb::Deny),
    ("refuse", Verb::Refuse),
    ("append", Verb::Append),
    ("drop", Verb::Drop),
    ("after", Verb::After),
];

impl Verb {
    /// The word for it.
    pub fn word(self) -> &'static str {
        VERBS
            .iter()
            .find(|(_, verb)| *verb == self)
            .map_or("", |(word, _)| word)
    }

    /// The line that a word means.
    pub fn of(word: &str) -> Option<Verb> {
        VERBS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, verb)| *verb)
    }
}

/// How lines of a rule combine: by what the rule gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// A number or a measure.
    Sum,
    /// A die.
    Dice,
    /// Yes or no.
    Truth,
    /// Why not.
    Reasons,
    /// A list.
    List,
    /// Anything else.
    Choice,
    /// Nothing: something happens.
    Step,
}

impl Law {
    /// The law of a rule that gives this. Why not is a text that need not be.
    pub fn of(returns: &Returns, is_reason: bool) -> Law {
        let ty = match returns {
            Returns::Nothing => return Law::Step,
            Returns::Domain(_) => return Law::Choice,
            Returns::Value(Type::Verdict) => return Law::Reasons,
            Returns::Value(_) if is_reason => return Law::Reasons,
            Returns::Value(Type::Optional(inner)) => inner,
            Returns::Value(ty) => ty,
        };
        match ty {
            Type::Int { .. } | Type::Length | Type::Angle => Law::Sum,
            Type::Die => Law::Dice,
            Type::Bool => Law::Truth,
            Type::List(_) => Law::List,
            _ => Law::Choice,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Law::Sum => "sum",
            Law::Dice => "dice",
            Law::Truth => "truth",
            Law::Reasons => "reasons",
            Law::List => "list",
            Law::Choice => "choice",
            Law::Step => "step",
        }
    }

    /// The lines that it knows, in the order of their stages.
    pub fn verbs(self) -> &'static [Verb] {
        match self {
            Law::Sum => &[
                Verb::Ignore,
                Verb::Set,
                Verb::Case,
                Verb::Scale,
                Verb::Add,
                Verb::Least,
                Verb::Most,
            ],
            Law::Dice => &[
                Verb::Ignore,
                Verb::Set,
                Verb::Case,
                Verb::Shift,
                Verb::Least,
                Verb::Most,
            ],
            Law::Truth => &[
                Verb::Ignore,
                Verb::Set,
                Verb::Case,
                Verb::Always,
                Verb::Never,
                Verb::Allow,
                Verb::Deny,
            ],
            Law::Reasons => &[Verb::Ignore, Verb::Refuse],
            Law::List => &[Verb::Set, Verb::Case, Verb::Append, Verb::Drop],
            Law::Choice => &[Verb::Set, Verb::Case],
            Law::Step => &[Verb::After],
        }
    }
}

/// The fault of two lines that set a rule to values that differ, while nobody says which of them goes first.
pub fn set_at_once(first: &Layer, second: &Layer) -> Fault {
    let who = |layer: &Layer| layer.cites.first().unwrap_or(&layer.module).clone();
    let message = format!(
        "`{}` is set by `{}` and by `{}` ({}) at once, to values that differ",
        first.rule,
        who(first),
        who(second),
        second.place
    );
    let fault = Fault::new(FaultCode::Conflict, message).at(first.place.clone());
    fault.hint(format!(
        "let one go before the other: `{{ over = \"{}\" }}`",
        who(second)
    ))
}

/// What of a line can be read without calling it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineWords {
    /// Its value, where a number, a truth value or a text stands there.
    pub value: Option<Value>,
    /// By what it divides.
    pub divisor: Option<i64>,
    /// Its reason, or the kind of lines that it ignores.
    pub reason: Option<Name>,
    /// Whether it says of no case that it holds there alone.
    pub is_always: bool,
}

impl LineWords {
    /// What a line does, in words: `+2`, `1 up`, `at most 6 in`.
    pub fn effect(&self, verb: Verb, returns: &Returns) -> String {
        let is_length = matches!(returns, Returns::Value(Type::Length));
        let value = match &self.value {
            Some(Value::Int(um)) if is_length && verb != Verb::Scale => {
                Some(Unit::AsWritten.print(Length::from_um(*um)))
            }
            Some(Value::Bool(yes)) => Some(if *yes { "yes" } else { "no" }.to_string()),
            Some(Value::Int(number)) => Some(number.to_string()),
            Some(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        };
        let with = |before: &str, what: &str| match &value {
            Some(value) => format!("{before}{value}"),
            None => format!("{before}{what}"),
        };
        let reason = self.reason.as_deref().unwrap_or_default();
        match verb {
            Verb::Ignore => format!("no {reason}"),
            Verb::Set | Verb::Case => with("", "what the clause says"),
            Verb::Scale => match self.divisor {
                Some(divisor) if divisor != 1 => {
                    with("\u{d7} ", "a number") + &format!("/{divisor}")
                }
                _ => with("\u{d7} ", "a number"),
            },
            Verb::Add => match &value {
                Some(value) if value.starts_with('-') => value.replacen('-', "\u{2212}", 1),
                Some(value) => format!("+{value}"),
                None => "adds".into(),
            },
            Verb::Shift => match self.value {
                Some(Value::Int(steps)) if steps < 0 => format!("{} down", -steps),
                Some(Value::Int(steps)) => format!("{steps} up"),
                _ => "shifted".into(),
            },
            Verb::Least => with("at least ", "so much"),
            Verb::Most => with("at most ", "so much"),
            Verb::Always | Verb::Allow => "yes".into(),
            Verb::Never | Verb::Deny => "no".into(),
            Verb::Refuse if reason.is_empty() => "no".into(),
            Verb::Refuse => format!("no: {reason}"),
            Verb::Append => with("in addition ", "others"),
            Verb::Drop => "without some".into(),
            Verb::After => "afterwards something happens".into(),
        }
    }
}

/// The lines of a rule that are in force.
#[derive(Debug)]
pub struct Column {
    /// How they combine.
    pub law: Law,
    /// What the rule says of it.
    pub open: Open,
    /// The lines, those that decide first before others.
    pub lines: Vec<Line>,
}

impl Column {
    /// The lines that a value went through, for the fault of what came out.
    pub fn origins(&self) -> String {
        const MOST: usize = 4;
        let of_line = |line: &Line| format!("`{}` ({})", line.layer.label(), line.layer.place);
        let named: Vec<String> = self.lines.iter().take(MOST).map(of_line).collect();
        let rest = self.lines.len().saturating_sub(MOST);
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        format!(
            "its lines are {}{more}; `why` tells what each gave",
            named.join(", ")
        )
    }
}

/// A line of a column.
#[derive(Debug)]
pub struct Line {
    /// What the stack tells it by.
    pub layer: Layer,
    /// What it does.
    pub verb: Verb,
    /// What of it can be read.
    pub words: LineWords,
    /// Its condition, its value, its reason: only the machine of scripts knows
    /// what it holds.
    pub spec: Rc<dyn Any>,
    /// The lines that must not decide otherwise, by their places.
    pub rivals: Vec<usize>,
    /// Its place among all lines that were registered.
    pub registered: usize,
}

/// What a line may do, by its verb: conditions only read.
pub fn effects_of(verb: Verb, of_rule: Effects) -> Effects {
    if verb == Verb::After {
        of_rule
    } else {
        Effects::READS
    }
}
