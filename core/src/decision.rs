//! Decisions: what a player may be asked, and what comes in as an answer.
//! An [`Input`] is the only way in.

use std::sync::Arc;

use crate::error::{Fault, FaultCode};
use crate::geometry::{Length, Point};
use crate::value::{EntityId, Name, Side, Value};

/// One of several things to choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What is answered.
    pub value: Value,
    /// What the player reads.
    pub label: Name,
}

/// Whether hexes are to be chosen, and nothing else.
pub fn are_hexes(choices: &[Choice]) -> bool {
    let is_hex = |choice: &Choice| matches!(choice.value, Value::Hex(_));
    !choices.is_empty() && choices.iter().all(is_hex)
}

/// A rule that has the last word on an answer: it is called with these
/// arguments and the answer, and returns a verdict. Where the answers are
/// listed, the list has the last word, and the rule says why something that is
/// not on it may not be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The rule.
    pub rule: Name,
    /// Its first arguments.
    pub args: Arc<[Value]>,
}

/// Where a point may lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Region {
    /// Anywhere within a distance of a point, the edge included.
    Disc {
        /// The middle.
        centre: Point,
        /// The distance.
        radius: Length,
    },
    /// Anywhere in a rectangle, its edges included.
    Rectangle {
        /// The lower left corner.
        min: Point,
        /// The upper right corner.
        max: Point,
    },
}

/// Which answers there are to a question, or values for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// One of these.
    Choices {
        /// What there is to choose from.
        of: Arc<[Choice]>,
        /// The rule that knows why others are not among them.
        check: Option<Check>,
    },
    /// A list of some of these, each at most once, in the order chosen.
    Several {
        /// What there is to choose from.
        of: Arc<[Choice]>,
        /// At least so many.
        min: u32,
        /// At most so many.
        max: u32,
        /// The rule that knows why others are not among them.
        check: Option<Check>,
    },
    /// A whole number.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A point of the table.
    Place {
        /// Where it may lie: in any one of these.
        regions: Arc<[Region]>,
        /// Points that the rules suggest; a bot picks among them first.
        candidates: Arc<[Point]>,
        /// The rule with the last word.
        check: Option<Check>,
    },
    /// A path: points walked in order from a given start.
    Route {
        /// Where it starts.
        from: Point,
        /// How many legs at most.
        legs: u32,
        /// Paths that the rules suggest, each without its start.
        candidates: Arc<[Arc<[Point]>]>,
        /// The rule with the last word.
        check: Option<Check>,
    },
}

impl Domain {
    /// One of these.
    pub fn choices_of(of: impl Into<Arc<[Choice]>>) -> Domain {
        Domain::Choices {
            of: of.into(),
            check: None,
        }
    }

    /// Yes or no.
    pub fn yes_no() -> Domain {
        let choice = |yes, label: &str| Choice {
            value: Value::Bool(yes),
            label: Arc::from(label),
        };
        Domain::choices_of([choice(true, "yes"), choice(false, "no")])
    }

    /// Whether there is any answer at all.
    pub fn is_empty(&self) -> bool {
        match self {
            Domain::Choices { of, .. } => of.is_empty(),
            Domain::Several { of, min, max, .. } => *min > *max || (*min as usize) > of.len(),
            Domain::Integer { min, max } => min > max,
            Domain::Place { regions, .. } => regions.is_empty(),
            Domain::Route { legs, .. } => *legs == 0,
        }
    }

    /// What there is to choose from, where that can be listed.
    pub(crate) fn choices(&self) -> &[Choice] {
        match self {
            Domain::Choices { of, .. } | Domain::Several { of, .. } => of,
            _ => &[],
        }
    }

    /// The rule with the last word, if there is one.
    pub fn check(&self) -> Option<&Check> {
        match self {
            Domain::Place { check, .. } | Domain::Route { check, .. } => check.as_ref(),
            _ => None,
        }
    }

    /// What is chosen and not listed, with the rule that knows why not. The
    /// rule is asked only about what could have been listed: a value of the
    /// same sort as those that are.
    pub(crate) fn unlisted<'a>(&'a self, value: &'a Value) -> Option<(&'a Check, &'a Value)> {
        let (of, chosen, check) = match (self, value) {
            (
                Domain::Choices {
                    of,
                    check: Some(check),
                },
                one,
            ) => (of, std::slice::from_ref(one), check),
            (
                Domain::Several {
                    of,
                    check: Some(check),
                    ..
                },
                Value::List(many),
            ) => (of, &**many, check),
            _ => return None,
        };
        let stranger = chosen
            .iter()
            .find(|one| of.iter().all(|choice| choice.value != **one))?;
        let is_alike = of
            .first()
            .is_some_and(|choice| choice.value.type_word() == stranger.type_word());
        is_alike.then_some((check, stranger))
    }

    /// Whether a value is in the domain, as far as can be told without a rule.
    ///
    /// # Errors
    /// Why it is not, in words for the player.
    pub fn accepts(&self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Domain::Choices { of: choices, .. }, value) => {
                if choices.iter().any(|choice| choice.value == *value) {
                    Ok(())
                } else {
                    Err(format!("expected one of {}", labels(choices)))
                }
            }
            (Domain::Several { of, min, max, .. }, Value::List(chosen)) => {
                several(of, *min, *max, chosen)
            }
            (Domain::Integer { min, max }, Value::Int(n)) if (min..=max).contains(&n) => Ok(()),
            (Domain::Integer { min, max }, _) => {
                Err(format!("expected a number from {min} to {max}"))
            }
            (Domain::Place { regions, .. }, Value::Point(point)) => {
                if regions.iter().any(|region| region.contains(*point)) {
                    Ok(())
                } else {
                    Err("that point is outside the region to choose from".into())
                }
            }
            (Domain::Place { .. }, _) => Err("expected a point".into()),
            (Domain::Route { legs, .. }, Value::List(points)) => route(*legs, points),
            (Domain::Route { .. } | Domain::Several { .. }, _) => Err("expected a list".into()),
        }
    }
}

fn several(of: &[Choice], min: u32, max: u32, chosen: &[Value]) -> Result<(), String> {
    if chosen
        .iter()
        .any(|value| of.iter().all(|choice| choice.value != *value))
    {
        return Err(format!("expected some of {}", labels(of)));
    }
    let offered = |value: &Value| of.iter().filter(|choice| choice.value == *value).count();
    let taken = |value: &Value| chosen.iter().filter(|other| *other == value).count();
    if let Some(value) = chosen.iter().find(|value| taken(value) > offered(value)) {
        return Err(match offered(value) {
            1 => "each may be chosen only once".into(),
            times => format!("it is offered only {times} times"),
        });
    }
    if (min..=max).contains(&(chosen.len() as u32)) {
        Ok(())
    } else {
        Err(format!(
            "expected {min} to {max} of them, found {}",
            chosen.len()
        ))
    }
}

fn route(legs: u32, points: &[Value]) -> Result<(), String> {
    if points.iter().any(|point| point.as_point().is_none()) {
        return Err("expected a list of points".into());
    }
    if points.is_empty() || points.len() as u32 > legs {
        return Err(format!(
            "expected a path of 1 to {legs} legs, found {}",
            points.len()
        ));
    }
    Ok(())
}

fn labels(choices: &[Choice]) -> String {
    if choices.is_empty() {
        return "nothing: there is no choice".into();
    }
    choices
        .iter()
        .map(|choice| format!("`{}`", choice.label))
        .collect::<Vec<_>>()
        .join(", ")
}

impl Region {
    /// Whether a point lies in it, edges included.
    pub fn contains(&self, point: Point) -> bool {
        match self {
            Region::Disc { centre, radius } => crate::geometry::within(*centre, point, *radius),
            Region::Rectangle { min, max } => {
                (min.x()..=max.x()).contains(&point.x()) && (min.y()..=max.y()).contains(&point.y())
            }
        }
    }
}

/// A question that a rule asks of one player, or of several at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Its id, by which a script or a record answers it.
    pub id: Name,
    /// The question, a full sentence.
    pub text: Name,
    /// Who must answer, and from which domain.
    pub to: Vec<(Side, Domain)>,
    /// Whether the others may not know that it is asked, nor the answer.
    pub is_secret: bool,
    /// What the question is about, for a front-end to show.
    pub about: Vec<EntityId>,
    /// What it gives away of what those who learn of it may not see.
    pub reveals: Option<Name>,
}

/// Everything that can come in. A match is a list of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A side does something in the phase that is open to it.
    Act {
        /// The side.
        by: Side,
        /// The action.
        action: Name,
        /// The one who acts, for actions that have an actor.
        actor: Option<EntityId>,
        /// Its parameters, by name.
        params: Value,
    },
    /// A side reacts in an open window.
    React {
        /// The side.
        by: Side,
        /// The reaction.
        reaction: Name,
        /// The one who reacts, for reactions that have an actor.
        actor: Option<EntityId>,
        /// Its parameters, by name.
        params: Value,
    },
    /// A side lets a window go by.
    Decline {
        /// The side.
        by: Side,
        /// Also the same window for the rest of this action.
        standing: bool,
    },
    /// A side answers a question.
    Answer {
        /// The side.
        by: Side,
        /// The question.
        question: Name,
        /// The answer.
        value: Value,
    },
    /// A side lets its go in an alternating phase pass.
    Pass {
        /// The side.
        by: Side,
    },
    /// A side is done with the phase; in a secret phase, it is ready.
    Done {
        /// The side.
        by: Side,
    },
    /// A side takes its last action in a secret phase back.
    TakeBack {
        /// The side.
        by: Side,
    },
}

impl Input {
    /// The side whose input it is.
    pub fn by(&self) -> Side {
        match self {
            Input::Act { by, .. }
            | Input::React { by, .. }
            | Input::Decline { by, .. }
            | Input::Answer { by, .. }
            | Input::Pass { by }
            | Input::Done { by }
            | Input::TakeBack { by } => *by,
        }
    }

    /// The value that comes in with it, if any does.
    pub(crate) fn value(&self) -> Option<&Value> {
        match self {
            Input::Act { params, .. } | Input::React { params, .. } => Some(params),
            Input::Answer { value, .. } => Some(value),
            _ => None,
        }
    }
}

impl Domain {
    /// Reads a domain from a record, as rules return it. Its field `domain`
    /// says which sort it is: `choices`, `several`, `integer`, `place`,
    /// `route`.
    ///
    /// # Errors
    /// When the record is none of these.
    pub fn from_value(value: &Value) -> Result<Domain, Fault> {
        let sort = value.field("domain").and_then(Value::as_text).unwrap_or("");
        let record = DomainRecord { value, sort };
        match sort {
            "choices" => Ok(Domain::Choices {
                of: record.choices()?,
                check: record.check()?,
            }),
            "several" => {
                let of = record.choices()?;
                let most = of.len() as i64;
                let (min, max) = (record.number("min", 0)?, record.number("max", most)?);
                Ok(Domain::Several {
                    of,
                    min: u32::try_from(min.max(0)).unwrap_or(u32::MAX),
                    max: max.clamp(0, most) as u32,
                    check: record.check()?,
                })
            }
            "integer" => Ok(Domain::Integer {
                min: record.number("min", 0)?,
                max: record.number("max", 0)?,
            }),
            "place" => Ok(Domain::Place {
                regions: record.regions()?,
                candidates: record.points("candidates")?.into(),
                check: record.check()?,
            }),
            "route" => Ok(Domain::Route {
                from: record.point("from")?,
                legs: record.number("legs", 1)?.clamp(0, 1000) as u32,
                candidates: record.paths()?,
                check: record.check()?,
            }),
            other => Err(Fault::new(
                FaultCode::BadQuestion,
                format!(
                    "expected a domain (choices, several, integer, place or route), found `{other}`"
                ),
            )),
        }
    }
}

/// A record that should be a domain.
struct DomainRecord<'a> {
    value: &'a Value,
    sort: &'a str,
}

impl DomainRecord<'_> {
    fn wrong(&self, field: &str, expected: &str) -> Fault {
        let found = self.value.field(field).map_or("nothing", Value::type_word);
        Fault::new(
            FaultCode::BadQuestion,
            format!(
                "`{field}` of the domain `{}`: expected {expected}, found {found}",
                self.sort
            ),
        )
    }

    fn number(&self, field: &str, default: i64) -> Result<i64, Fault> {
        match self.value.field(field) {
            None | Some(Value::None) => Ok(default),
            Some(Value::Int(n)) => Ok(*n),
            Some(_) => Err(self.wrong(field, "an integer")),
        }
    }

    fn point(&self, field: &str) -> Result<Point, Fault> {
        self.value
            .field(field)
            .and_then(Value::as_point)
            .ok_or_else(|| self.wrong(field, "a point"))
    }

    fn items(&self, field: &str) -> Result<Arc<[Value]>, Fault> {
        match self.value.field(field) {
            None | Some(Value::None) => Ok(Arc::from([])),
            Some(Value::List(items)) => Ok(items.clone()),
            Some(Value::Map(map)) if map.is_empty() => Ok(Arc::from([])),
            Some(_) => Err(self.wrong(field, "a list")),
        }
    }

    fn choices(&self) -> Result<Arc<[Choice]>, Fault> {
        let choice = |item: &Value| {
            let value = item.field("value").cloned();
            match (value, item.field("label")) {
                (Some(value), Some(Value::Text(label))) => Ok(Choice {
                    value,
                    label: label.clone(),
                }),
                _ => Err(self.wrong("choices", "a list of records with `value` and `label`")),
            }
        };
        self.items("choices")?.iter().map(choice).collect()
    }

    fn points(&self, field: &str) -> Result<Vec<Point>, Fault> {
        let point = |item: &Value| {
            item.as_point()
                .ok_or_else(|| self.wrong(field, "a list of points"))
        };
        self.items(field)?.iter().map(point).collect()
    }

    fn paths(&self) -> Result<Arc<[Arc<[Point]>]>, Fault> {
        let expected = "a list of lists of points";
        let path = |item: &Value| match item {
            Value::List(points) => points
                .iter()
                .map(|point| {
                    point
                        .as_point()
                        .ok_or_else(|| self.wrong("candidates", expected))
                })
                .collect::<Result<Arc<[Point]>, Fault>>(),
            _ => Err(self.wrong("candidates", expected)),
        };
        self.items("candidates")?.iter().map(path).collect()
    }

    fn regions(&self) -> Result<Arc<[Region]>, Fault> {
        let region = |item: &Value| {
            let point = |name| item.field(name).and_then(Value::as_point);
            let radius = item.field("radius");
            let radius = match radius {
                Some(Value::Length(radius)) => Some(*radius),
                Some(Value::Int(um)) => Some(Length::from_um(*um)),
                _ => None,
            };
            match (point("centre"), radius, point("min"), point("max")) {
                (Some(centre), Some(radius), _, _) => Ok(Region::Disc { centre, radius }),
                (_, _, Some(min), Some(max)) => Ok(Region::Rectangle { min, max }),
                _ => Err(self.wrong(
                    "regions",
                    "records with `centre` and `radius`, or `min` and `max`",
                )),
            }
        };
        self.items("regions")?.iter().map(region).collect()
    }

    fn check(&self) -> Result<Option<Check>, Fault> {
        match self.value.field("check") {
            None | Some(Value::None) => Ok(None),
            Some(Value::Text(rule)) => Ok(Some(Check {
                rule: rule.clone(),
                args: self.items("check_args")?,
            })),
            Some(_) => Err(self.wrong("check", "the id of a rule")),
        }
    }
}
