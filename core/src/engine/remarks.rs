//! What somebody chose, in the words in which it was offered, and who may read them.
//!
//! A choice is offered to whoever decides, and its words may say more than the value
//! that is chosen: they go with it to those alone who may know all that they rest on.
//! The words of a parameter rest on what its domain and those before it have read,
//! and on what was chosen before. What the words of an answer rest on nobody notes,
//! so that only the side that was asked reads them, and the referee.

use crate::book::{Action, Param};
use crate::decision::{Choice, Domain, Question};
use crate::event::{Event, Remark};
use crate::game::Game;
use crate::value::{Name, Side, Value};
use crate::world::{Viewer, Viewers};

/// A parameter that was checked: to whom it is told, and in which words.
pub(crate) struct SharedParam {
    /// Its name.
    pub(crate) name: Name,
    /// To whom its value is told.
    pub(crate) viewers: Viewers,
    /// What was chosen, as it was offered, and to whom that is told.
    pub(crate) offered: Option<Remark>,
}

impl Game {
    /// To whom a parameter is told that was just checked, and its words, after those before it.
    pub(crate) fn share_param(
        &mut self,
        by: Side,
        (action, param): (&Action, &Param),
        words: Option<Name>,
        before: &[SharedParam],
    ) -> SharedParam {
        let viewers = self.param_audience(by, action, param);
        let is_chosen = |other: &SharedParam| other.viewers;
        let known = before.iter().map(is_chosen).fold(viewers, Viewers::both);
        let rests_on = self.narrowest_read().and(Viewers::side(by));
        let offered = words.map(|words| Remark {
            place: Name::from(format!("params.{}", param.name)),
            words,
            viewers: known.both(rests_on),
        });
        SharedParam {
            name: param.name.clone(),
            viewers,
            offered,
        }
    }

    /// What a side chose from a domain, in the words in which it was offered: nothing where the
    /// value says as much, as a place does, and an entity that is offered by its name.
    pub fn offered_words(&self, by: Side, domain: &Domain, value: &Value) -> Option<Name> {
        match (domain, value) {
            (Domain::Choices { of, .. }, one) => self.words_among(by, of, one),
            (Domain::Several { of, .. }, Value::List(chosen)) if !chosen.is_empty() => {
                let each = chosen.iter().map(|one| self.words_among(by, of, one));
                let each = each.collect::<Option<Vec<Name>>>()?;
                let is_long = each.iter().any(|words| words.contains(','));
                Some(Name::from(each.join(if is_long { "; " } else { ", " })))
            }
            _ => None,
        }
    }

    /// What a side answers to a question, in the words in which it is offered.
    pub fn offered_answer(&self, question: &Question, by: Side, value: &Value) -> Option<Name> {
        let (_, domain) = question.to.iter().find(|(side, _)| *side == by)?;
        self.offered_words(by, domain, value)
    }

    fn words_among(&self, by: Side, of: &[Choice], value: &Value) -> Option<Name> {
        let is_said = match value {
            Value::Entity(entity) => {
                let name = self.label(Viewer::Side(by), *entity);
                return words_of(of, value).filter(|words| **words != *name);
            }
            Value::Text(_) | Value::Int(_) | Value::Bool(_) | Value::Map(_) | Value::None => true,
            _ => false,
        };
        words_of(of, value).filter(|_| is_said)
    }
}

/// The words of the choice that has a value.
fn words_of(of: &[Choice], value: &Value) -> Option<Name> {
    let choice = of.iter().find(|choice| choice.value == *value)?;
    Some(choice.label.clone()).filter(|label| !label.is_empty())
}

/// The words beside the values of an event that a viewer may read, of values that it sees.
pub(super) fn shown_remarks(
    viewer: Viewer,
    event: &Event,
    fields: &[(Name, Option<Value>)],
) -> Vec<(Name, Name)> {
    let is_seen = |place: &str| {
        let (field, part) = place.split_once('.').unwrap_or((place, ""));
        let shown = fields.iter().find(|(name, _)| &**name == field);
        match shown.and_then(|(_, value)| value.as_ref()) {
            Some(value) => part.is_empty() || value.field(part).is_some(),
            None => false,
        }
    };
    let readable = event
        .remarks
        .iter()
        .filter(|remark| remark.viewers.contains(viewer) && is_seen(&remark.place));
    let told = |remark: &Remark| (remark.place.clone(), remark.words.clone());
    readable.map(told).collect()
}
