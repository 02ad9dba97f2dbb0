//! Why something came out as it did.

use kernel::value::{Name, owner_of};
use kernel::world::{Viewer, Viewers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::numbers::event_at;
use super::{Tabletop, Trouble, WireEvent};
use crate::explain::WhyLine;
use crate::rulebook::{LayerEntry, LayerKind};

/// One line of the tree behind an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WhyAbout {
    /// How far it is from the root.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// The printed source, or nothing.
    pub source: String,
}

impl From<WhyLine> for WhyAbout {
    fn from(line: WhyLine) -> WhyAbout {
        WhyAbout {
            depth: line.depth,
            text: line.text,
            source: line.source,
        }
    }
}

impl Tabletop {
    /// The tree behind an event, by the viewer's own number for it: rules with
    /// what they were given and gave, clauses that changed them, tables,
    /// options, dice and chits. `whole` shows every rule that was called.
    ///
    /// Who is not the referee, in a game with secrets, is told what the
    /// rulebook says of the rule that told the event: what it was given, what
    /// it looked up and what it called may depend on what that viewer may not
    /// know.
    ///
    /// # Errors
    /// When there is no such event, or no rule told it.
    pub fn why(&self, viewer: &str, event: u32, whole: bool) -> Result<Vec<WhyAbout>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let (place, seen, count) = self.history(viewer, |history| {
            let index = (event as usize).checked_sub(1);
            let place = index.and_then(|index| history.place(index));
            let seen = index.and_then(|index| {
                let mut told = self.told_between(viewer, history, index, index + 1);
                told.pop()
            });
            (place, seen, history.len())
        });
        let Some(place) = place else {
            return Err(Trouble::refusal(
                "why",
                format!("expected an event from 1 to {count}, found {event}"),
            ));
        };
        if viewer != Viewer::Referee && self.has_secrets() {
            return Ok(self.printed_why(&seen));
        }
        if place >= self.game.settled_events().len() {
            return Err(Trouble::refusal(
                "why",
                format!("event {event} is part of a step that still goes on"),
            ));
        }
        let mut lines = self.game.why_lines(place, self.unit(), whole);
        if lines.is_empty() {
            let reason = self.game.told_by_nobody(place, event as usize, self.unit());
            return Err(Trouble::refusal("why", reason));
        }
        if viewer != Viewer::Referee
            && let Some(head) = lines.first_mut()
        {
            head.source = format!("event {event}");
        }
        Ok(lines.into_iter().map(WhyAbout::from).collect())
    }

    /// Whether the game has, or had so far, anything that not everybody sees.
    fn has_secrets(&self) -> bool {
        let everybody = Viewers::ALL;
        let is_open = |event: &kernel::event::Event| {
            event.audience == everybody
                && event.fields.iter().all(|field| field.viewers == everybody)
        };
        self.may_have_secrets()
            || !self
                .game
                .settled_events()
                .iter()
                .chain(self.game.game().open_events())
                .all(is_open)
    }

    /// What the rulebook says of the rule that told an event.
    fn printed_why(&self, event: &Option<WireEvent>) -> Vec<WhyAbout> {
        let Some(event) = event else {
            return Vec::new();
        };
        let line = |depth, text: String, source: String| WhyAbout {
            depth,
            text,
            source,
        };
        let text = if event.text.is_empty() {
            event.kind.clone()
        } else {
            event.text.join("; ")
        };
        let mut lines = vec![line(0, text, format!("event {}", event.number))];
        let Some(rule) = &event.rule else {
            return lines;
        };
        let rulebook = self.game.rulebook();
        let Some(entry) = rulebook.rules().get(rule.as_str()) else {
            lines.extend(self.words_of([Name::from(event.kind.as_str())].iter()));
            lines.push(line(
                2,
                format!("by {rule}"),
                self.sources_of(&[Name::from(rule.as_str())]),
            ));
            return lines;
        };
        let own = Name::from(event.kind.as_str());
        // What wraps and lines did here may rest on what the viewer may not know:
        // they are named, and their sentences are not said of this event.
        let (over, deciding): (Vec<&LayerEntry>, Vec<&LayerEntry>) = entry
            .layers
            .iter()
            .partition(|layer| !matches!(layer.kind, LayerKind::Define | LayerKind::Replace));
        let cites = deciding.iter().flat_map(|layer| &layer.cites);
        lines.extend(self.words_of([&own].into_iter().chain(cites)));
        for layer in deciding {
            let who = layer.cites.first().unwrap_or(&layer.module);
            let text = match layer.kind {
                LayerKind::Replace => format!("{who} replaces {rule}"),
                _ => format!("by {rule}"),
            };
            lines.push(line(2, text, self.sources_of(&layer.cites)));
        }
        lines.extend(self.named_over(&over));
        lines
    }

    /// The printed sources of clauses, of those that have one.
    fn sources_of(&self, cites: &[Name]) -> String {
        let rulebook = self.game.rulebook();
        let sources = cites.iter().filter_map(|clause| rulebook.printed(clause));
        sources
            .map(|source| source.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A line that names what stands over a rule, each once; none where nothing
    /// does.
    fn named_over(&self, over: &[&LayerEntry]) -> Option<WhyAbout> {
        let mut names: Vec<String> = Vec::new();
        for layer in over {
            let name = layer
                .cites
                .first()
                .map_or(layer.module.to_string(), |clause| self.called(clause));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (!names.is_empty()).then(|| WhyAbout {
            depth: 2,
            text: format!("where they apply, also: {}", names.join(", ")),
            source: String::new(),
        })
    }

    /// A clause by its title and id.
    fn called(&self, id: &Name) -> String {
        let manifest = self.workshop.manifests().get(owner_of(id));
        match manifest.and_then(|manifest| manifest.clauses().find(|(_, clause)| clause.id == *id))
        {
            Some((_, clause)) => format!("{} ({id})", clause.title),
            None => id.to_string(),
        }
    }

    /// What the rulebook says: the sentences of clauses, each once.
    fn words_of<'a>(&self, cites: impl Iterator<Item = &'a Name>) -> Vec<WhyAbout> {
        let mut cited: Vec<&Name> = Vec::new();
        let mut lines = Vec::new();
        for id in cites {
            let manifest = self.workshop.manifests().get(owner_of(id));
            let clause = manifest
                .and_then(|manifest| manifest.clauses().find(|(_, clause)| clause.id == *id));
            if let Some((_, clause)) = clause.filter(|_| !cited.contains(&id)) {
                let text = format!("{}: {}", clause.title, clause.text);
                lines.push(WhyAbout {
                    depth: 1,
                    text,
                    source: clause.source.to_string(),
                });
                cited.push(id);
            }
        }
        lines
    }

    /// What the rules mean an event to give away of what others may not see, in
    /// the words of their `reveals`; by the viewer's own number for the event.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn reveals(&self, viewer: &str, event: u32) -> Result<Option<String>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let index = (event as usize).checked_sub(1);
        let place = self.history(viewer, |history| {
            index.and_then(|index| history.place(index))
        });
        let Some(event) = place.and_then(|place| event_at(&self.game, place)) else {
            return Ok(None);
        };
        let kind = self.game.rulebook().book().events.get(&event.kind);
        let reason = event
            .cause
            .reveals
            .as_ref()
            .or_else(|| kind?.reveals.as_ref());
        Ok(reason.map(ToString::to_string))
    }

    /// What a parameter of an action or reaction gives away of what others may
    /// not see, in the words of its `reveals`.
    pub fn param_reveals(&self, action: &str, param: &str) -> Option<String> {
        let book = self.game.rulebook().book();
        let declared = book
            .actions
            .get(action)
            .or_else(|| book.reactions.get(action))?;
        let param = declared.params.iter().find(|one| *one.name == *param)?;
        param.reveals.as_ref().map(ToString::to_string)
    }

    /// The tree behind the step that told an event, if that was its last one.
    pub fn why_step(&self, event: u32) -> Vec<WhyAbout> {
        let Some(place) = (event as usize).checked_sub(1) else {
            return Vec::new();
        };
        if place >= self.game.settled_events().len() || !self.game.ends_step(place) {
            return Vec::new();
        }
        self.game
            .step_lines(place, self.unit())
            .into_iter()
            .map(WhyAbout::from)
            .collect()
    }
}
