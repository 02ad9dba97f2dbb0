//! Looking at a match: prompts, what is legal, views, and what has happened.

use std::collections::BTreeMap;

use kernel::book::Action;
use kernel::brief::Depth;
use kernel::engine::{SeenEvent, Wanted};
use kernel::event::Event;
use kernel::value::{Name, Side, Value};
use kernel::world::Viewer;
use rules::data::moment;

use super::convert::{domain, fields, labels_of};
use super::narration::narrated_by;
use super::numbers::{ViewerHistory, event_at};
use super::plain::{EntityRef, Labels};
use super::{
    AttributeAbout, Decision, LegalAction, LegalMoves, News, NextParam, NumberedPrompt, ParamAbout,
    PhaseAbout, Plain, Prompt, Respondent, Tabletop, Trouble, WireDeck, WireEntity, WireEvent,
    WirePile, WireQuestion, WireView,
};
use crate::report::{LineKind, Phrases, ReportLine, decision_words, is_numbered};

impl Tabletop {
    /// What a viewer must decide, as far as it may know it: sides wait while
    /// others decide, whatever that is; the referee sees all.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn prompt(&self, viewer: &str) -> Result<Prompt, Trouble> {
        Ok(self.prompt_of(self.viewer(viewer)?))
    }

    /// The same with its number, by which a decision on it is told from one on
    /// another.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn asking(&self, viewer: &str) -> Result<NumberedPrompt, Trouble> {
        let viewer = self.viewer(viewer)?;
        Ok(NumberedPrompt {
            ask: self.ask_of(viewer),
            prompt: self.prompt_of(viewer),
        })
    }

    pub(super) fn prompt_of(&self, viewer: Viewer) -> Prompt {
        let game = self.game.game();
        let labels = labels_of(game, viewer);
        let plain = |value: &Value| Plain::of(value, &labels);
        let names = |sides: Vec<Side>| sides.into_iter().map(|side| self.side_name(side)).collect();
        match game.prompt(viewer) {
            None => Prompt::Wait,
            Some(Wanted::Over) => Prompt::Over {
                result: game
                    .view(viewer)
                    .result
                    .as_ref()
                    .map_or(Plain::Nothing, plain),
            },
            Some(Wanted::Act { sides, phase }) => Prompt::Act {
                sides: names(sides),
                title: self.numbered_title(game, &phase),
                phase: phase.to_string(),
            },
            Some(Wanted::React { side, window, data }) => Prompt::React {
                side: self.side_name(side),
                title: self.window_title(&window),
                text: self.moment_text(viewer, &window, &data),
                window: window.to_string(),
                about: match &data {
                    Value::Map(map) => map.iter().map(|(k, v)| (k.to_string(), plain(v))).collect(),
                    _ => BTreeMap::new(),
                },
            },
            Some(Wanted::Answer { sides, question }) => {
                let open = question.to.iter().filter(|(side, _)| sides.contains(side));
                let asked = open.map(|(side, inner)| Respondent {
                    side: self.side_name(*side),
                    domain: domain(inner, &labels),
                });
                Prompt::Answer {
                    question: WireQuestion {
                        id: question.id.to_string(),
                        text: question.text.to_string(),
                        secret: question.is_secret,
                        about: question
                            .about
                            .iter()
                            .map(|entity| plain(&Value::Entity(*entity)))
                            .collect(),
                        asked: asked.collect(),
                    },
                }
            }
        }
    }

    fn phase_about(&self, (id, round): (Name, Option<u32>)) -> PhaseAbout {
        PhaseAbout {
            title: self.phase_title(&id),
            id: id.to_string(),
            round,
        }
    }

    /// The phases that are open in a game, outermost first, and which round it
    /// is of those that come again and again. Only of one that is announced is
    /// that said: everybody was told when it began.
    pub(super) fn open_phases(&self, game: &kernel::game::Game) -> Vec<(Name, Option<u32>)> {
        let book = self.game.rulebook().book();
        let mut rounds = 0;
        let about = |frame: &kernel::sequence::PhaseFrame| {
            let of_outer = std::mem::replace(&mut rounds, frame.rounds);
            let is_counted = book.phases.get(&frame.id).is_some_and(|phase| {
                phase.is_announced && is_numbered(book, &phase.id, &phase.title)
            });
            let round = (is_counted && of_outer > 0).then_some(of_outer);
            (frame.id.clone(), round)
        };
        game.flow().phases().map(about).collect()
    }

    /// What players call a phase that is open, with its number where it comes again and again and that was told.
    fn numbered_title(&self, game: &kernel::game::Game, id: &Name) -> String {
        let title = self.phase_title(id);
        let open = self.open_phases(game).into_iter().rev();
        match open.filter(|(of, _)| of == id).find_map(|(_, round)| round) {
            Some(round) => format!("{title} {round}"),
            None => title,
        }
    }

    fn phase_title(&self, id: &str) -> String {
        let phase = self.game.rulebook().book().phases.get(id);
        match phase.map(|phase| &*phase.title) {
            Some(title) if !title.is_empty() => title.to_string(),
            _ => id.to_string(),
        }
    }

    fn window_title(&self, id: &str) -> String {
        let window = self.game.rulebook().book().windows.get(id);
        window.map_or_else(|| id.to_string(), |window| window.title.to_string())
    }

    /// The moment at which a window is open, as a player would say it; `data` is what it carries as far as the viewer
    /// may know it. Where the rule does not say how it reads, that is the title and what the moment is about.
    fn moment_text(&self, viewer: Viewer, id: &str, data: &Value) -> String {
        let Some(window) = self.game.rulebook().book().windows.get(id) else {
            return id.to_string();
        };
        let game = self.game.game();
        let labels = labels_of(game, viewer);
        let names = |entity| labels(entity).1;
        let say = Phrases {
            unit: self.unit(),
            names: &names,
        };
        let carried = |name: &str| match data {
            Value::Map(fields) => fields.get(name).filter(|value| **value != Value::None),
            _ => None,
        };
        let known = |name: &str, attribute: Option<&str>| {
            let carried = carried(name)?;
            let value = match attribute {
                None => carried.clone(),
                Some(attribute) => game.attribute_seen(viewer, carried.as_entity()?, attribute)?,
            };
            (value != Value::None).then(|| say.value(&value))
        };
        if window.text.contains('[') {
            return moment::narrated(&window.text, &known)
                .unwrap_or_else(|| window.title.to_string());
        }
        let about = window.carries.iter().filter_map(|field| {
            let entity = carried(&field.name)?.as_entity()?;
            Some(names(entity).to_string())
        });
        let about: Vec<String> = about.collect();
        match about.is_empty() {
            true => window.title.to_string(),
            false => format!("{}: {}", window.title, about.join(", ")),
        }
    }

    /// All that a side might do now, allowed or not; nothing while others
    /// decide.
    ///
    /// # Errors
    /// When there is no such side, or a rule that tells is broken.
    pub fn legal(&self, side: &str) -> Result<LegalMoves, Trouble> {
        let side = self.side(side)?;
        let found = self.game.legal(side)?;
        let stopping = self.game.may_stop(side)?;
        let game = self.game.game();
        let labels = labels_of(game, Viewer::Side(side));
        let wanted = self.game.wanted();
        let is_window = matches!(wanted, Wanted::React { .. });
        let book = self.game.rulebook().book();
        let action = |legal: kernel::engine::Legal| LegalAction {
            params: params_of(
                if is_window {
                    &book.reactions
                } else {
                    &book.actions
                }
                .get(&legal.action),
            ),
            id: legal.action.to_string(),
            title: legal.title.to_string(),
            actor: legal
                .actor
                .map(|actor| Plain::of(&Value::Entity(actor), &labels)),
            refused: legal.refused.map(|reason| reason.to_string()),
        };
        let pad = game
            .flow()
            .phases()
            .last()
            .and_then(|phase| phase.pads.get(side.0 as usize));
        Ok(LegalMoves {
            actions: found.into_iter().map(action).collect(),
            pass_refused: stopping.pass.err(),
            done_refused: stopping.end.err(),
            decline: is_window && wanted.sides().contains(&side),
            take_back: pad.is_some_and(|pad| !pad.is_ready() && !pad.is_empty()),
        })
    }

    /// The same of one actor alone, or only what is allowed.
    ///
    /// # Errors
    /// As [`Tabletop::legal`]; when the side knows of no such actor.
    pub fn some_legal(
        &self,
        side: &str,
        actor: Option<&EntityRef>,
        is_allowed: bool,
    ) -> Result<LegalMoves, Trouble> {
        let by = self.side(side)?;
        let actor = self.actor(by, actor)?;
        let mut legal = self.legal(side)?;
        if let Some(actor) = actor {
            let handle = self.game.game().handle(Viewer::Side(by), actor);
            let is_it =
                |plain: &Plain| matches!(plain, Plain::Entity { entity, .. } if *entity == handle);
            legal
                .actions
                .retain(|action| handle.is_some() && action.actor.as_ref().is_some_and(is_it));
        }
        legal
            .actions
            .retain(|action| !is_allowed || action.refused.is_none());
        Ok(legal)
    }

    /// The next parameter that a side must give for an action or reaction,
    /// after those given; `None` when it has all.
    ///
    /// # Errors
    /// When the side has nothing to decide, whatever others decide; when the rules do
    /// not allow the action, with the reason; when there is no such side or action,
    /// something given does not fit, or a rule that tells is broken.
    pub fn next_param(
        &self,
        side: &str,
        action: &str,
        actor: Option<&EntityRef>,
        given: &BTreeMap<String, Plain>,
    ) -> Result<Option<NextParam>, Trouble> {
        let side = self.side(side)?;
        self.may_decide(side)?;
        let actor = self.actor(side, actor)?;
        let declared = self.open_action(action)?;
        self.game.check_begun(side, action, actor)?;
        let given = self.given(side, &declared, actor, given)?;
        let next = self.game.next_param(side, action, actor, &given)?;
        let labels = labels_of(self.game.game(), Viewer::Side(side));
        Ok(next.map(|(name, title, inner)| NextParam {
            name: name.to_string(),
            title: title.to_string(),
            domain: domain(&inner, &labels),
        }))
    }

    /// The reaction of that id while a window is open; elsewhere the action.
    pub(super) fn open_action(&self, action: &str) -> Result<Action, Trouble> {
        let book = self.game.rulebook().book();
        let declared = match self.game.wanted() {
            Wanted::React { .. } => &book.reactions,
            _ => &book.actions,
        };
        declared.get(action).cloned().ok_or_else(|| {
            let ids = declared.keys().map(|id| &**id);
            Trouble::unknown(
                "an action that can be taken here",
                action,
                near(action, ids).into_iter(),
            )
        })
    }

    /// The game as a viewer may see it.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn view(&self, viewer: &str) -> Result<WireView, Trouble> {
        Ok(self.view_in(self.game.game(), viewer, self.viewer(viewer)?))
    }

    /// The game as a viewer might see it after the decision that told one of
    /// its events, by the viewer's own number; 0 for how it began.
    ///
    /// # Errors
    /// When there is no such viewer or event.
    pub fn view_at(&self, viewer: &str, event: u32) -> Result<WireView, Trouble> {
        let inputs = self.decisions_at(viewer, event)?;
        Ok(self.view_in(self.game.game_before(inputs), viewer, self.viewer(viewer)?))
    }

    /// How many decisions stand once a viewer has been told one of its events.
    pub(super) fn decisions_at(&self, viewer: &str, event: u32) -> Result<usize, Trouble> {
        let viewer = self.viewer(viewer)?;
        let Some(index) = (event as usize).checked_sub(1) else {
            return Ok(0);
        };
        let (place, count) = self.history(viewer, |history| (history.place(index), history.len()));
        let Some(place) = place else {
            let reason = format!("expected an event from 0 to {count}, found {event}");
            return Err(Trouble::refusal("looking back", reason));
        };
        let stand = self.game.recorded_inputs().len();
        let after = (0..=stand).find(|inputs| self.game.events_before(*inputs) > place);
        Ok(after.unwrap_or(stand))
    }

    fn view_in(&self, game: &kernel::game::Game, name: &str, viewer: Viewer) -> WireView {
        let view = game.view(viewer);
        let labels = labels_of(game, viewer);
        let entity = |seen: &kernel::engine::Seen| {
            let (attributes, hidden) = fields(&seen.attributes, &labels);
            let (handle, label) = (seen.handle, labels(seen.entity).1.to_string());
            WireEntity {
                handle,
                kind: seen.kind.to_string(),
                label,
                attributes,
                hidden,
            }
        };
        WireView {
            viewer: name.to_string(),
            phases: self
                .open_phases(game)
                .into_iter()
                .map(|phase| self.phase_about(phase))
                .collect(),
            turn: view.turn.as_ref().map(ToString::to_string),
            wanted: view.wanted.to_string(),
            entities: view.entities.iter().map(entity).collect(),
            decks: view.decks.iter().map(deck_about).collect(),
            result: view
                .result
                .as_ref()
                .map_or(Plain::Nothing, |result| Plain::of(result, &labels)),
            hash: game.hash_of_view(viewer, &view).to_string(),
        }
    }

    /// What the attributes of a kind are, by name; nothing if no mod declares
    /// the kind.
    pub fn attributes(&self, kind: &str) -> BTreeMap<String, AttributeAbout> {
        let game = self.game.game();
        let labels = labels_of(game, Viewer::Referee);
        let schema = &self.game.rulebook().book().schema;
        let Ok(slot) = schema.require(kind) else {
            return BTreeMap::new();
        };
        let all = schema.kind(slot).attributes.iter();
        all.map(|attribute| {
            (
                attribute.name.to_string(),
                AttributeAbout::of(attribute, &labels),
            )
        })
        .collect()
    }

    /// The decisions that stand, in order: for an umpire, since they tell
    /// what sides did in secret.
    pub fn decisions(&self) -> Vec<Decision> {
        self.decisions_in(Viewer::Referee)
    }

    /// The decisions of a viewer's own, by numbers of its own: those of a side,
    /// none for spectators, all for the referee.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn decisions_of(&self, viewer: &str) -> Result<Vec<Decision>, Trouble> {
        Ok(self.decisions_in(self.viewer(viewer)?))
    }

    fn decisions_in(&self, viewer: Viewer) -> Vec<Decision> {
        self.own_decisions(viewer, &|place| self.decision_text(viewer, place))
    }

    /// The same decisions in the words of a report, for people.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn decisions_in_words(&self, viewer: &str) -> Result<Vec<Decision>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let labels = labels_of(self.game.game(), viewer);
        let names = |entity| labels(entity).1;
        let say = Phrases {
            unit: self.unit(),
            names: &names,
        };
        let inputs = self.game.inputs();
        let words = |place: usize| {
            let before = self.game.game_before(place);
            let input = inputs.get(place);
            input.map_or_else(String::new, |input| {
                decision_words(input, before, self.game.remarks_of(place), say)
            })
        };
        Ok(self.own_decisions(viewer, &words))
    }

    fn own_decisions(&self, viewer: Viewer, text: &dyn Fn(usize) -> String) -> Vec<Decision> {
        let is_own = |by: Side| match viewer {
            Viewer::Side(side) => side == by,
            Viewer::Referee => true,
            Viewer::Spectator => false,
        };
        let recorded = self.game.recorded_inputs().iter().enumerate();
        let own = recorded.filter(|(_, input)| is_own(input.by));
        own.enumerate()
            .map(|(number, (place, input))| Decision {
                number: number + 1,
                by: self.side_name(input.by),
                text: text(place),
            })
            .collect()
    }

    /// What has happened since an event, as a viewer may know it: 0 for all.
    /// The timeline is that of the news before (any for the first).
    ///
    /// What is told once is not told again, unless it was taken back or turned
    /// out otherwise.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn news(&self, viewer: &str, timeline: u32, since: u32) -> Result<News, Trouble> {
        self.some_news(viewer, timeline, since, None)
    }

    /// The same, but no more than so many events.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn some_news(
        &self,
        viewer: &str,
        timeline: u32,
        since: u32,
        limit: Option<u32>,
    ) -> Result<News, Trouble> {
        let viewer = self.viewer(viewer)?;
        self.history(viewer, |history| {
            let since = history.left(timeline, since);
            let last = since
                .saturating_add(limit.unwrap_or(u32::MAX))
                .min(history.len());
            Ok(News {
                timeline: history.timeline,
                from: since + 1,
                events: self.told_between(viewer, history, since as usize, last as usize),
                last,
                more: last < history.len(),
            })
        })
    }

    /// What a viewer was told from a place of the match on.
    pub(super) fn told_from(&self, viewer: Viewer, from: usize) -> Vec<WireEvent> {
        self.history(viewer, |history| {
            let since = history.before(from);
            self.told_between(viewer, history, since, history.len() as usize)
        })
    }

    /// What a viewer was told, from after one number up to another.
    pub(super) fn told_between(
        &self,
        viewer: Viewer,
        history: &ViewerHistory,
        since: usize,
        last: usize,
    ) -> Vec<WireEvent> {
        let Some(from) = history.place(since).filter(|_| since < last) else {
            return Vec::new();
        };
        let seen = self.events_between(viewer, &|index| history.place(index), since, last);
        let labels = labels_of(self.game.game(), viewer);
        let before = self.game.phases_before(from, viewer);
        let mut narrator = self.narrator(viewer, false).after(&before);
        seen.iter()
            .map(|event| narrated_by(&mut narrator, event, &labels).event)
            .collect()
    }

    /// How many events no fault can take back any more.
    pub(super) fn settled(&self) -> usize {
        match self.game.wanted() {
            Wanted::Act { .. } | Wanted::Over => self.game.settled_events().len(),
            _ => {
                let begun = self
                    .game
                    .recorded_inputs()
                    .len()
                    .saturating_sub(self.game.inputs_in_action());
                self.game
                    .events_before(begun)
                    .min(self.game.settled_events().len())
            }
        }
    }

    /// The events with numbers after one, as a viewer may see them, and the
    /// number of the last of all.
    pub(super) fn events_after(&self, viewer: Viewer, since: u32) -> (Vec<SeenEvent>, u32) {
        self.visible(viewer, |places, open| {
            let count = places.len() + open.len();
            let place = |index: usize| {
                let open = || open.get(index.checked_sub(places.len())?);
                places.get(index).or_else(open).copied()
            };
            let since = (since as usize).min(count);
            (
                self.events_between(viewer, &place, since, count),
                count as u32,
            )
        })
    }

    /// Some of the events that a viewer sees, by their places: those after one
    /// number up to another.
    fn events_between(
        &self,
        viewer: Viewer,
        place: &dyn Fn(usize) -> Option<usize>,
        since: usize,
        last: usize,
    ) -> Vec<SeenEvent> {
        let event = |index: usize| event_at(&self.game, place(index)?);
        let is_one = |a: usize, b: usize| {
            event(a).map(|event| event.action) == event(b).map(|event| event.action)
        };
        // The draws of an action are numbered together.
        let (mut start, mut end) = (since, last);
        while start > 0 && start < last && is_one(start - 1, start) {
            start -= 1;
        }
        while end > start && is_one(end - 1, end) {
            end += 1;
        }
        let fresh: Vec<Event> = (start..end)
            .filter_map(|index| event(index).cloned())
            .collect();
        let mut seen = self.game.game().show_events(viewer, &fresh);
        seen.iter_mut()
            .for_each(|event| event.number += start as u32);
        seen.retain(|event| (since..last).contains(&(event.number as usize - 1)));
        seen
    }
}

/// A deck as a viewer sees it.
pub(super) fn deck_about(seen: &kernel::engine::SeenDeck) -> WireDeck {
    let pile = |pile: &kernel::engine::SeenPile| WirePile {
        size: pile.size,
        cards: pile
            .cards
            .as_ref()
            .map(|cards| cards.iter().map(ToString::to_string).collect()),
    };
    WireDeck {
        deck: seen.deck.to_string(),
        of: seen.of.as_ref().map(ToString::to_string),
        stock: pile(&seen.stock),
        discard: pile(&seen.discard),
    }
}

/// An event with the lines that a report adds for it; of a phase, what that is called there.
pub(super) fn event_about(
    event: &SeenEvent,
    lines: &[ReportLine],
    phase: Option<&str>,
    depth: Depth,
    labels: &Labels<'_>,
) -> WireEvent {
    let (fields, hidden) = fields(&event.fields, labels);
    let text = lines
        .iter()
        .filter(|line| line.sort != LineKind::Section && !line.text.is_empty());
    WireEvent {
        number: event.number,
        kind: event.kind.to_string(),
        depth: depth.into(),
        text: match (&*event.kind, phase) {
            ("phase", Some(phase)) => vec![phase.to_string()],
            _ => text.map(|line| line.text.clone()).collect(),
        },
        fields,
        hidden,
        rule: event.rule.as_ref().map(ToString::to_string),
        draws: event.draws.map(|(first, last)| [first, last]),
    }
}

fn params_of(action: Option<&Action>) -> Vec<ParamAbout> {
    let about = |param: &kernel::book::Param| ParamAbout {
        name: param.name.to_string(),
        title: param.title.to_string(),
        ty: param.ty.to_string(),
    };
    action.map_or_else(Vec::new, |action| action.params.iter().map(about).collect())
}

/// The id that is nearest in spelling, if one is near.
fn near<'a>(wanted: &str, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    kernel::world::closest(wanted, ids)
}
