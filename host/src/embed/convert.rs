//! From the engine's types to those of the edge, and from faults and
//! refusals to [`Trouble`].

use std::collections::BTreeMap;
use std::fmt;

use kernel::decision::{Domain, Region};
use kernel::digest::Names;
use kernel::error::{Fault, FaultCode, Place, Refusal};
use kernel::game::Game;
use kernel::value::{EntityId, Name, Value};
use kernel::world::{Viewer, closest};

use super::plain::{Labels, pair};
use super::{BotSort, FaultAbout, Plain, Trouble, WireChoice, WireDomain, WireRegion};
use crate::play::{BotKind, SubmitError};

impl From<BotSort> for BotKind {
    fn from(sort: BotSort) -> BotKind {
        match sort {
            BotSort::Random => BotKind::Random,
            BotSort::Greedy => BotKind::Greedy,
        }
    }
}

impl From<BotKind> for BotSort {
    fn from(kind: BotKind) -> BotSort {
        match kind {
            BotKind::Random => BotSort::Random,
            BotKind::Greedy => BotSort::Greedy,
        }
    }
}

impl fmt::Display for BotSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BotKind::from(*self).fmt(f)
    }
}

impl std::str::FromStr for BotSort {
    type Err = String;

    fn from_str(text: &str) -> Result<BotSort, String> {
        text.parse::<BotKind>().map(BotSort::from)
    }
}

impl From<&Fault> for FaultAbout {
    fn from(fault: &Fault) -> FaultAbout {
        let place = fault.place.clone().unwrap_or_default();
        let text = |text: Name| (!text.is_empty()).then(|| text.to_string());
        let number = |number: u32| (number > 0).then_some(number);
        FaultAbout {
            code: fault.code.to_string(),
            slug: fault.code.slug().to_string(),
            message: fault.message.clone(),
            module: text(place.module),
            file: text(place.file),
            line: number(place.line),
            column: number(place.column),
            rule: fault.rule.as_ref().map(ToString::to_string),
            clause: fault.clause.as_ref().map(ToString::to_string),
            caller: fault.caller.as_ref().map(ToString::to_string),
            hint: fault.hint.clone(),
        }
    }
}

impl From<&FaultAbout> for Fault {
    fn from(about: &FaultAbout) -> Fault {
        let code = FaultCode::ALL
            .iter()
            .copied()
            .find(|code| code.to_string() == about.code);
        let mut fault = Fault::new(code.unwrap_or(FaultCode::Script), about.message.clone());
        let place = Place {
            module: about.module.as_deref().unwrap_or_default().into(),
            file: about.file.as_deref().unwrap_or_default().into(),
            line: about.line.unwrap_or_default(),
            column: about.column.unwrap_or_default(),
        };
        fault.place = (place != Place::default()).then_some(place);
        fault.rule = about.rule.as_deref().map(Name::from);
        fault.clause = about.clause.as_deref().map(Name::from);
        fault.caller = about.caller.as_deref().map(Name::from);
        fault.hint = about.hint.clone();
        fault
    }
}

impl FaultAbout {
    /// A journal that could not be written, without saying where it is.
    pub(crate) fn unwritten(code: String, slug: String) -> FaultAbout {
        FaultAbout {
            code,
            slug,
            message: "the journal cannot be written".into(),
            module: None,
            file: None,
            line: None,
            column: None,
            rule: None,
            clause: None,
            caller: None,
            hint: None,
        }
    }
}

impl fmt::Display for FaultAbout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fault::from(self).fmt(f)
    }
}

impl Trouble {
    /// A refusal.
    pub(crate) fn refusal(what: impl Into<String>, reason: impl Into<String>) -> Trouble {
        Trouble::Refusal {
            what: what.into(),
            reason: reason.into(),
            clause: None,
        }
    }

    /// Something that is not there, with what comes near.
    pub(crate) fn unknown<'a>(
        sort: &str,
        found: &str,
        there: impl Iterator<Item = &'a str>,
    ) -> Trouble {
        let there: Vec<&str> = there.collect();
        let hint =
            closest(found, there.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let message = match there.as_slice() {
            [] => format!("expected {sort}, found `{found}`"),
            _ => format!("expected {sort} ({}), found `{found}`", there.join(", ")),
        };
        Trouble::Unknown { message, hint }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Faults {
            faults: vec![FaultAbout::from(&fault)],
            undone: 0,
        }
    }
}

impl From<Vec<Fault>> for Trouble {
    fn from(faults: Vec<Fault>) -> Trouble {
        Trouble::Faults {
            faults: faults.iter().map(FaultAbout::from).collect(),
            undone: 0,
        }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        let clause = refusal.clause.map(|clause| clause.to_string());
        Trouble::Refusal {
            what: refusal.what,
            reason: refusal.reason,
            clause,
        }
    }
}

impl From<SubmitError> for Trouble {
    fn from(refused: SubmitError) -> Trouble {
        match refused {
            SubmitError::Refusal(refusal) => refusal.into(),
            SubmitError::Fault { fault, undone } => Trouble::Faults {
                faults: vec![FaultAbout::from(&fault)],
                undone,
            },
            SubmitError::Unwritten(fault) => Trouble::Unwritten {
                fault: FaultAbout::from(&fault),
            },
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Refusal {
                what,
                reason,
                clause: None,
            } if what.is_empty() => f.write_str(reason),
            Trouble::Refusal {
                what,
                reason,
                clause: None,
            } => write!(f, "{what}: {reason}"),
            Trouble::Refusal {
                what,
                reason,
                clause: Some(clause),
            } => {
                write!(f, "{what}: {reason} ({clause})")
            }
            Trouble::Unknown {
                message,
                hint: None,
            } => f.write_str(message),
            Trouble::Unknown {
                message,
                hint: Some(hint),
            } => write!(f, "{message}\n  hint: {hint}"),
            Trouble::Unsaid { message } => f.write_str(message),
            Trouble::Stale { expected, found } => {
                write!(
                    f,
                    "expected the prompt {expected}, found that {found} stands"
                )
            }
            Trouble::Forbidden {} => f.write_str("that is not for this seat"),
            Trouble::Broken {} => {
                f.write_str("a rule is broken; what it was asked for was not done")
            }
            Trouble::Faults { faults, undone } => {
                let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
                f.write_str(&all.join("\n"))?;
                match undone {
                    0 => Ok(()),
                    undone => write!(f, "\n  the action is undone, with {undone} decisions"),
                }
            }
            Trouble::Unwritten { fault } => fault.fmt(f),
        }
    }
}

impl std::error::Error for Trouble {}

/// What a viewer calls entities of a game.
pub(crate) fn labels_of(
    game: &Game,
    viewer: Viewer,
) -> impl Fn(EntityId) -> (Option<u32>, Name) + '_ {
    move |entity| match viewer {
        Viewer::Referee => (game.handle(viewer, entity), game.world().name(entity)),
        _ => (game.handle(viewer, entity), game.label(viewer, entity)),
    }
}

/// Entities by what somebody calls them.
pub(crate) struct Labelled<'a>(pub &'a dyn Fn(EntityId) -> Name);

impl Names for Labelled<'_> {
    fn name_of(&self, entity: EntityId) -> Name {
        (self.0)(entity)
    }
}

/// Fields by name, and the names of those that are hidden.
pub(crate) fn fields(
    fields: &[(Name, Option<Value>)],
    labels: &Labels<'_>,
) -> (BTreeMap<String, Plain>, Vec<String>) {
    let shown = |(name, value): &(Name, Option<Value>)| {
        (
            name.to_string(),
            value
                .as_ref()
                .map_or(Plain::Nothing, |value| Plain::of(value, labels)),
        )
    };
    let hidden = fields
        .iter()
        .filter(|(_, value)| value.is_none())
        .map(|(name, _)| name.to_string());
    (fields.iter().map(shown).collect(), hidden.collect())
}

/// A domain for a viewer.
pub(crate) fn domain(domain: &Domain, labels: &Labels<'_>) -> WireDomain {
    let choices = |of: &[kernel::decision::Choice]| {
        let choice = |choice: &kernel::decision::Choice| WireChoice {
            value: Plain::of(&choice.value, labels),
            label: choice.label.to_string(),
        };
        of.iter().map(choice).collect()
    };
    match domain {
        Domain::Choices { of, .. } => WireDomain::Choices {
            choices: choices(of),
        },
        Domain::Several { of, min, max, .. } => WireDomain::Several {
            choices: choices(of),
            min: *min,
            max: *max,
        },
        Domain::Integer { min, max } => WireDomain::Integer {
            min: *min,
            max: *max,
        },
        Domain::Place {
            regions,
            candidates,
            check,
        } => WireDomain::Place {
            regions: regions.iter().map(region).collect(),
            candidates: candidates.iter().copied().map(pair).collect(),
            checked: check.is_some(),
        },
        Domain::Route {
            from,
            legs,
            candidates,
            check,
        } => WireDomain::Route {
            from: pair(*from),
            legs: *legs,
            candidates: candidates
                .iter()
                .map(|path| path.iter().copied().map(pair).collect())
                .collect(),
            checked: check.is_some(),
        },
    }
}

fn region(region: &Region) -> WireRegion {
    match region {
        Region::Disc { centre, radius } => WireRegion::Disc {
            centre: pair(*centre),
            radius: radius.um(),
        },
        Region::Rectangle { min, max } => WireRegion::Rectangle {
            min: pair(*min),
            max: pair(*max),
        },
    }
}
