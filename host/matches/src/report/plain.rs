//! Events and decisions in a line each, also those that a report leaves to others.

use kernel::decision::Input;
use kernel::engine::{SeenEvent, Wanted};
use kernel::game::Game;
use kernel::value::{EntityId, Name, Value};

use super::line::shown;
use super::{NarratedParts, Phrases, Report, capital};

impl Report {
    /// An event in words, also one without a line of its own in a report: what is done,
    /// though what comes of it tells that, and which phase begins.
    pub fn plainly(&self, event: &SeenEvent, names: &dyn Fn(EntityId) -> Name) -> String {
        let say = Phrases {
            unit: self.options.unit,
            names,
        };
        let seen = NarratedParts { event, say };
        shown(&match &*event.kind {
            "action" | "reaction" => seen.action(&self.book),
            "done" => seen.stop(),
            "phase" => {
                let mut ahead = self.clone();
                ahead.begin_phase(&seen);
                let heading = ahead.pending.map(|heading| heading.text);
                format!("{} begins", heading.as_deref().unwrap_or("a phase"))
            }
            _ => seen.declared(&self.book).1,
        })
    }
}

/// A decision in the words of a report, in the state in which it is made, for the side that makes
/// it and for the referee: where journals and programs have its text.
/// What was chosen in it reads as it was offered: an answer as the question stands, parameters by
/// the remarks of the event that told them.
pub fn decision_words(
    input: &Input,
    game: &Game,
    mut remarks: Vec<(Name, Name)>,
    say: Phrases<'_>,
) -> String {
    let by = game.side_name(input.by());
    let (kind, fields) = match input {
        Input::Decline { standing, .. } => {
            let how_long = match standing {
                true => " for the rest of the action",
                false => "",
            };
            return format!("{} lets it go by{how_long}", capital(&by));
        }
        Input::Act { .. } => ("action", done_in(input, game)),
        Input::React { .. } => ("reaction", done_in(input, game)),
        Input::Answer {
            by,
            question,
            value,
        } => {
            let asked = match game.wanted() {
                Wanted::Answer { question, .. } => {
                    let words = game.offered_answer(&question, *by, value);
                    remarks.extend(words.map(|words| (Name::from("value"), words)));
                    question.text.clone()
                }
                _ => question.clone(),
            };
            (
                "answer",
                vec![("text", Value::Text(asked)), ("value", value.clone())],
            )
        }
        Input::Pass { .. } => ("pass", Vec::new()),
        Input::Done { .. } => ("done", Vec::new()),
        Input::TakeBack { .. } => ("taken_back", Vec::new()),
    };
    let field = |(name, value): (&str, Value)| (Name::from(name), Some(value));
    let fields = [("by", Value::Text(by))].into_iter().chain(fields);
    let event = SeenEvent {
        number: 0,
        kind: kind.into(),
        fields: fields.map(field).collect(),
        remarks,
        rule: None,
        draws: None,
    };
    let seen = NarratedParts { event: &event, say };
    shown(&match kind {
        "action" | "reaction" => seen.action(game.book()),
        "answer" => seen.answer(),
        _ => seen.stop(),
    })
}

/// What an action or reaction is, as its event would tell it.
fn done_in(input: &Input, game: &Game) -> Vec<(&'static str, Value)> {
    let (known, id, actor, params) = match input {
        Input::Act {
            action,
            actor,
            params,
            ..
        } => (&game.book().actions, action, actor, params),
        Input::React {
            reaction,
            actor,
            params,
            ..
        } => (&game.book().reactions, reaction, actor, params),
        _ => return Vec::new(),
    };
    let title = known.get(id).map_or(id, |declared| &declared.title);
    vec![
        ("action", Value::Text(id.clone())),
        ("title", Value::Text(title.clone())),
        ("actor", actor.map_or(Value::None, Value::Entity)),
        ("params", params.clone()),
    ]
}
