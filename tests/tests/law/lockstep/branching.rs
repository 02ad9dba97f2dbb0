//! How twins part from a game: in its set-up, in a decision, in the order of
//! decisions, in a draw.

use std::collections::{BTreeMap, BTreeSet};

use kernel::chance::DrawPosition;
use kernel::value::Value;
use kernel::world::Viewers;
use serde_json::{Value as Json, json};

use super::{JOURNAL, Lockstep, Step, view_in, view_of};
use crate::LEAST;
use crate::door::{Change, Door, HOST, Sent};
use crate::parting::{self, Secret, SetUp};
use crate::player::{Line, named, own_domain};
use crate::probes::Names;

/// So many ways of deciding otherwise are tried.
const TRIES: usize = 4;
/// What has parted seldom parts in so many ways at once.
const WAYS: usize = 3;
/// What has parted often enough parts so many times less.
const OFTEN: usize = 8;
/// So many draws of before the first decision part.
const FIRST_DRAWS: usize = 2;

impl Lockstep<'_> {
    pub(super) fn part_set_up(&mut self) {
        let viewers = self.base.viewers.clone();
        let names = Names::of(&mut self.base);
        let given = self.given_to_all(0, &names);
        self.views = given
            .iter()
            .map(|(viewer, given)| (viewer.clone(), view_in(given).to_string()))
            .collect();
        let line = Line {
            seat: HOST.into(),
            method: "standing".into(),
            params: json!({}),
        };
        let sent = self.base.begun();
        let step = Step {
            place: 0,
            phase: String::new(),
            line,
            sent,
            given,
            names,
        };
        if self.plan.journals {
            let twin = self.twin(
                Change::Journal,
                0,
                JOURNAL,
                viewers.iter().cloned().collect(),
            );
            let twin = self.compare(twin, &step, (&step.sent, &step.sent));
            self.twins.extend(twin);
        }
        if !self.plan.is_set_up_only {
            self.part_first_draws(&step);
        }
        if !self.plan.is_set_up_apart || self.plan.is_set_up_only {
            self.part_cells(&step);
        }
    }

    /// Parts in hidden cells of the set-up, first in those that have parted
    /// least; each game goes on in the list of them where the one before stopped.
    fn part_cells(&mut self, step: &Step) {
        let views: BTreeMap<String, Json> = self
            .views
            .iter()
            .map(|(viewer, view)| (viewer.clone(), view_of(view)))
            .collect();
        let mut changes: BTreeMap<String, Vec<SetUp>> = BTreeMap::new();
        for change in self
            .base
            .set_ups
            .clone()
            .into_iter()
            .chain(self.concealed(&views))
        {
            changes.entry(change.what.clone()).or_default().push(change);
        }
        self.tally.seen.extend(changes.keys().cloned());
        changes.retain(|what, _| self.plan.known.is_wanted(what));
        let mut changes: Vec<Vec<SetUp>> = changes.into_values().collect();
        let most = self.plan.most_twins() - 1;
        let from = self.plan.seed as usize / self.plan.subject.scenarios.len() * most
            % changes.len().max(1);
        changes.rotate_left(from);
        changes.sort_by_key(|like| {
            let names = cells_of(&like[0].what)
                .into_iter()
                .chain([like[0].what.clone()]);
            names
                .map(|what| self.count(&what))
                .min()
                .unwrap_or(0)
                .min(LEAST)
        });
        // Where little is wanted it is tried in more ways.
        let turns = if changes.is_empty() {
            0
        } else {
            changes.len().max(self.plan.known.least_turns(most))
        };
        let mut made = 0;
        for turn in 0..turns * TRIES {
            if made == most || !self.has_room() {
                return;
            }
            let like = &changes[turn % changes.len()];
            let looked_at: Vec<SetUp> = like
                .iter()
                .filter(|change| self.plan.known.looks_at(change))
                .cloned()
                .collect();
            // Another now and then: what rules read in passing does not stand there.
            let of = if looked_at.is_empty() || self.player.once_in(TRIES) {
                like
            } else {
                &looked_at
            };
            if let Some(change) = self.player.one_of(of).cloned()
                && self.set_up_otherwise(step, change, &views)
            {
                made += 1;
            }
        }
    }

    /// How what some viewer does not see at all could be otherwise.
    fn concealed(&mut self, views: &BTreeMap<String, Json>) -> Vec<SetUp> {
        let all = named_in(&self.base.ask(HOST, "view", json!({ "viewer": HOST })));
        let seen = views.values().map(named_in);
        let unseen: BTreeSet<String> = seen
            .flat_map(|seen| all.difference(&seen).cloned().collect::<Vec<_>>())
            .collect();
        if unseen.is_empty() {
            Vec::new()
        } else {
            self.base.concealed(&self.spec, &unseen)
        }
    }

    /// Adds a twin that was set up otherwise, if that can be.
    fn set_up_otherwise(
        &mut self,
        step: &Step,
        change: SetUp,
        views: &BTreeMap<String, Json>,
    ) -> bool {
        let blind = |viewer: &&String| {
            let knows = |known: &Viewers| known.contains(self.base.viewer(viewer));
            let is_seen = |name: &String| named_in(&views[*viewer]).contains(name);
            let is_known = change
                .missing
                .as_ref()
                .is_some_and(|(one, known)| knows(known) || is_seen(one));
            let is_named = change
                .renamed
                .as_ref()
                .is_some_and(|renamed| knows(&renamed.known));
            !is_known
                && !is_named
                && change
                    .cells
                    .iter()
                    .all(|cell| is_blind(&views[*viewer], cell))
        };
        let watchers: BTreeSet<String> = self.base.viewers.iter().filter(blind).cloned().collect();
        let what = change.what.clone();
        let change = Change::SetUp(change);
        if watchers.is_empty() {
            return false;
        }
        let Ok(door) = self.base.try_twin(&self.spec, &change) else {
            return false;
        };
        let mut twin = self.twin_of(door, change, 0, &what, watchers);
        let sent = twin.door.begun();
        let twin = self.compare(twin, step, (&step.sent, &sent));
        self.twins.extend(twin);
        true
    }

    /// Parts in what has just been decided, if somebody may not know it.
    pub(super) fn part_decision(&mut self, step: &Step) {
        let is_decision = step.line.method == "submit";
        if !is_decision {
            return;
        }
        let is_secret_phase = self.secret_phases.contains(&step.phase);
        let mut secrets: BTreeMap<String, (Secret, BTreeSet<String>)> = BTreeMap::new();
        for viewer in self
            .base
            .viewers
            .iter()
            .filter(|viewer| **viewer != step.line.seat)
        {
            let is_acted_out = |action: &str, param: &str| self.base.is_acted_out(action, param);
            let (line, sent) = (&step.line, &step.sent);
            for secret in parting::secrets_of(line, sent, viewer, is_secret_phase, is_acted_out) {
                self.tally.seen.extend(names_of(line, &secret));
                let (_, watchers) = secrets
                    .entry(format!("{secret:?}"))
                    .or_insert((secret, BTreeSet::new()));
                watchers.insert(viewer.clone());
            }
        }
        let alone = |(secret, watchers): (Secret, BTreeSet<String>)| {
            single(secret)
                .into_iter()
                .map(move |secret| (secret, watchers.clone()))
        };
        let mut secrets: Vec<(Secret, BTreeSet<String>)> =
            secrets.into_values().flat_map(alone).collect();
        let seldom = |names: &[String]| {
            names
                .iter()
                .map(|what| self.count(what))
                .min()
                .unwrap_or(0)
                .min(LEAST)
        };
        secrets.sort_by_key(|(secret, _)| seldom(&names_of(&step.line, secret)));
        for (secret, watchers) in secrets {
            let names = names_of(&step.line, &secret);
            let mut tried: Vec<Line> = Vec::new();
            while tried.len() < self.ways(&names)
                && self.has_room_for(&names)
                && self.is_wanted(&names)
            {
                let Some(other) = self.decide_otherwise(step, &secret, &watchers, &tried) else {
                    break;
                };
                tried.push(other);
            }
        }
    }

    /// In so many ways the same decision is taken otherwise: what has parted
    /// often, or seldom comes up in these games, in one; the rest in several, each
    /// in a twin of its own.
    fn ways(&self, names: &[String]) -> usize {
        let least = names.iter().map(|what| self.count(what)).min().unwrap_or(0);
        WAYS.min(LEAST.saturating_sub(least)).max(1)
    }

    /// Whether something was parted so seldom that it is worth a pair.
    fn is_wanted(&mut self, names: &[String]) -> bool {
        let here = names
            .iter()
            .map(|what| self.tally.count(what))
            .min()
            .unwrap_or(0);
        let has_parted = names.iter().all(|what| self.count(what) >= LEAST);
        self.player
            .below(here / WAYS + 1 + OFTEN * usize::from(has_parted))
            == 0
    }

    /// Adds a twin in which something else is decided than was, and than has been
    /// tried; what that was.
    fn decide_otherwise(
        &mut self,
        step: &Step,
        secret: &Secret,
        watchers: &BTreeSet<String>,
        tried: &[Line],
    ) -> Option<Line> {
        let names = names_of(&step.line, secret);
        let mut twin = self.twin(
            Change::Nothing,
            step.place,
            &names.join(" and "),
            watchers.clone(),
        );
        for _ in 0..TRIES {
            let other = self.otherwise(&mut twin.door, &step.line, secret);
            let Some(line) = other.filter(|other| !tried.contains(other)) else {
                continue;
            };
            let other = twin
                .door
                .send(&line.seat, &line.method, line.params.clone());
            if !other.is_granted() {
                continue;
            }
            twin.pair.instead.insert(step.place, line.clone());
            twin.parted = names.into_iter().collect();
            if let Some(twin) = self.compare(twin, step, (&step.sent, &other)) {
                self.twins.push(twin);
            }
            return Some(line);
        }
        if tried.is_empty()
            && *secret == Secret::Whole
            && is_forced(&mut twin.door, &step.line.seat)
        {
            for what in names {
                *self.tally.forced.entry(what).or_default() += 1;
            }
        }
        None
    }

    /// Another decision, the same to those who do not know the secret.
    fn otherwise(&mut self, door: &mut Door, line: &Line, secret: &Secret) -> Option<Line> {
        let (side, input) = (line.seat.as_str(), line.input());
        match secret {
            Secret::Params(hidden) => {
                let id = if input["input"] == "react" {
                    &input["reaction"]
                } else {
                    &input["action"]
                };
                let action = json!({ "id": id, "actor": input["actor"] });
                let kept = parting::params_of(line);
                let params = self.player.params(door, side, &action, &kept, hidden)?;
                let mut input = input.clone();
                input["params"] = params;
                Some(Line::decision(side, input)).filter(|other| other != line)
            }
            Secret::Answer => {
                let prompt = door.ask(side, "prompt", json!({ "viewer": side }));
                let domain = own_domain(&prompt["question"], side)?.clone();
                let mut input = input.clone();
                input["value"] = self.player.another(&domain, &input["value"])?;
                Some(Line::decision(side, input))
            }
            Secret::Actor => self.player.another_actor(door, line, false),
            // Who acts alone, if another can do the same: less of it shows.
            Secret::ActorAndParams => {
                let alone = self.player.another_actor(door, line, false);
                alone.or_else(|| self.player.another_actor(door, line, true))
            }
            Secret::Whole => self.player.decide(door, side).filter(|other| other != line),
        }
    }

    /// Parts in how many decisions a side takes in secret: in the twin it takes
    /// one more, of which nobody else may learn.
    pub(super) fn part_number(&mut self, step: &Step) {
        let side = &step.line.seat;
        let is_open = self.secret_phases.contains(&step.phase) && !step.sent.ends_secrets();
        if step.line.method != "submit" || !is_open {
            return;
        }
        let what = format!("number of decisions in {}", step.phase);
        self.tally.seen.insert(what.clone());
        let names = std::slice::from_ref(&what);
        if !self.has_room_for(names) || !self.is_wanted(names) {
            return;
        }
        let watchers = self
            .base
            .viewers
            .iter()
            .filter(|viewer| *viewer != side)
            .cloned()
            .collect();
        let mut twin = self.twin(Change::Nothing, step.place, &what, watchers);
        let line = &step.line;
        let first = twin
            .door
            .send(&line.seat, &line.method, line.params.clone());
        let Some(more) = self.player.decide(&mut twin.door, side) else {
            return;
        };
        let second = twin
            .door
            .send(&more.seat, &more.method, more.params.clone());
        if !second.is_granted() || second.ends_secrets() {
            return;
        }
        twin.pair.also.insert(step.place, more);
        let sent = Sent {
            reply: first.reply,
            notifications: merged(first.notifications, second.notifications),
        };
        if let Some(twin) = self.compare(twin, step, (&step.sent, &sent)) {
            self.twins.push(twin);
        }
    }

    /// Parts in the order of what two sides decide at once: neither may notice
    /// whether the other has decided.
    pub(super) fn part_order(&mut self, waiting: &BTreeSet<String>, step: &Step) {
        let Some((before, last)) = self.before.take() else {
            return;
        };
        let (one, other) = (last.line.seat.clone(), step.line.seat.clone());
        let is_at_once = one != other && before.contains(&one) && before.contains(&other);
        let are_decisions = [&last, step]
            .iter()
            .all(|step| step.line.method == "submit");
        if !is_at_once || !are_decisions || !last.sent.is_granted() || !waiting.contains(&other) {
            return;
        }
        let phase = if last.phase.is_empty() {
            "questions"
        } else {
            &last.phase
        };
        let what = format!("order of decisions in {phase}");
        if !last.sent.to(&other).is_empty() {
            let lines = last.sent.to(&other).join("\n");
            self.tally.leaks.push(format!(
                "{}: {other} hears that another has decided: {lines}",
                self.at(last.place)
            ));
        }
        // Whoever decides last sees at once what comes of it: that is no secret.
        let mut left = waiting.clone();
        left.remove(&other);
        let goes_on = match last.phase.is_empty() {
            true => !left.is_empty() && self.waiting() == left,
            false => !step.sent.ends_secrets() && self.waiting().contains(&other),
        };
        if !goes_on {
            return;
        }
        self.tally.seen.insert(what.clone());
        let names = std::slice::from_ref(&what);
        if !self.has_room_for(names) || !self.is_wanted(names) {
            return;
        }
        let mut twin = self.twin(
            Change::Nothing,
            last.place,
            &what,
            BTreeSet::from([other.clone()]),
        );
        let lines = [&step.line, &last.line];
        let [mut first, second] = lines.map(|line| {
            twin.door
                .send(&line.seat, &line.method, line.params.clone())
        });
        twin.pair.instead.insert(last.place, step.line.clone());
        twin.pair.instead.insert(step.place, last.line.clone());
        first.notifications = merged(first.notifications, second.notifications);
        let sent = Sent {
            reply: step.sent.reply.clone(),
            notifications: merged(last.sent.notifications, step.sent.notifications.clone()),
        };
        if let Some(twin) = self.compare(twin, step, (&sent, &first)) {
            self.twins.push(twin);
        }
    }

    /// Parts in a draw of a step whose outcome somebody does not know.
    pub(super) fn part_draw(&mut self, step: &Step, drawn: usize) {
        let host = step.sent.events(HOST);
        if !host.iter().any(|event| !event["draws"].is_null()) {
            return;
        }
        let shown = |viewer: &String| step.sent.events(viewer);
        let viewers = self.base.viewers.clone();
        let is_blind = |viewer: &&String| outcomes(&shown(viewer)) != outcomes(&host);
        let blind: BTreeSet<String> = viewers.iter().filter(is_blind).cloned().collect();
        if blind.is_empty() {
            return;
        }
        let is_unshown = |event: &&Json| {
            blind
                .iter()
                .any(|viewer| !is_any_shown(&shown(viewer), &[(*event).clone()]))
        };
        let is_draw = |event: &&Json| !event["draws"].is_null();
        let names: Vec<String> = host
            .iter()
            .filter(is_draw)
            .filter(is_unshown)
            .map(draw_name)
            .collect();
        self.tally.seen.extend(names.iter().cloned());
        if names.is_empty() || !self.has_room_for(&names) || !self.is_wanted(&names) {
            return;
        }
        // What was taken back since may have been drawn in the same place.
        let before: BTreeSet<DrawPosition> =
            self.base.places_after(0).into_iter().take(drawn).collect();
        let mut places = distinct(self.base.places_after(drawn));
        places.retain(|place| !before.contains(place));
        for _ in 0..TRIES {
            let Some(place) = self.player.one_of(&places).copied() else {
                return;
            };
            let mut twin = self.twin(Change::Draw(place), step.place, "draw", blind.clone());
            let line = &step.line;
            let other = twin
                .door
                .send(&line.seat, &line.method, line.params.clone());
            let parted = others(&host, &other.events(HOST));
            // Whoever is shown one of these is told of the draw by the rules.
            twin.watchers
                .retain(|viewer| !is_any_shown(&shown(viewer), &parted));
            let Some(first) = parted.first().filter(|_| !twin.watchers.is_empty()) else {
                continue;
            };
            twin.is_called(draw_name(first));
            if let Some(twin) = self.compare(twin, step, (&step.sent, &other)) {
                self.twins.push(twin);
            }
            return;
        }
    }

    /// Parts in a draw that was made before the first decision.
    fn part_first_draws(&mut self, step: &Step) {
        let places = distinct(self.base.places_after(0));
        let news = |door: &mut Door, viewer: &str| {
            let news = door.ask(viewer, "news", json!({ "viewer": viewer }));
            news["events"].as_array().cloned().unwrap_or_default()
        };
        let viewers = self.base.viewers.clone();
        let host = news(&mut self.base, HOST);
        for _ in 0..FIRST_DRAWS {
            let Some(place) = self
                .player
                .one_of(&places)
                .copied()
                .filter(|_| self.has_room())
            else {
                return;
            };
            let mut twin = self.twin(Change::Draw(place), 0, "draw", BTreeSet::new());
            let parted = others(&host, &news(&mut twin.door, HOST));
            for viewer in &viewers {
                if !is_any_shown(&news(&mut self.base, viewer), &parted) {
                    twin.watchers.insert(viewer.clone());
                }
            }
            let Some(first) = parted.first().filter(|_| !twin.watchers.is_empty()) else {
                continue;
            };
            twin.is_called(draw_name(first));
            let sent = twin.door.begun();
            if let Some(twin) = self.compare(twin, step, (&step.sent, &sent)) {
                self.twins.push(twin);
            }
        }
    }
}

/// The names of all that stands in a view.
fn named_in(view: &Json) -> BTreeSet<String> {
    let all = view["entities"].as_array().into_iter().flatten();
    all.filter_map(|entity| entity["label"].as_str())
        .map(ToString::to_string)
        .collect()
}

/// What the tally calls that is otherwise as long as a part of the set-up is.
fn cells_of(set_up: &str) -> Option<String> {
    let of = set_up.strip_prefix("set-up ")?;
    match of.strip_prefix("existence of ") {
        _ if SetUp::is_concealed(of) => None,
        Some(kind) => Some(format!("existence {kind}")),
        None if of.starts_with("name of ") => None,
        None => Some(format!("attribute {of}")),
    }
}

fn distinct(mut places: Vec<DrawPosition>) -> Vec<DrawPosition> {
    places.sort_unstable();
    places.dedup();
    places
}

/// The events that are others in another game.
fn others(events: &[Json], others: &[Json]) -> Vec<Json> {
    let both = std::iter::zip(events, others).filter(|(one, other)| outcome(one) != outcome(other));
    both.map(|(one, _)| one.clone()).collect()
}

/// Whether any of these is among what somebody was told.
fn is_any_shown(shown: &[Json], events: &[Json]) -> bool {
    let shown = outcomes(shown);
    events.iter().any(|event| shown.contains(&outcome(event)))
}

fn draw_name(event: &Json) -> String {
    let rule = event["rule"].as_str().unwrap_or("the engine");
    format!(
        "draw {} of {rule}",
        event["kind"].as_str().unwrap_or_default()
    )
}

/// Whether a viewer sees nothing of a cell.
fn is_blind(view: &Json, (name, attribute, _): &(String, String, Value)) -> bool {
    let mut entities = view["entities"].as_array().into_iter().flatten();
    let Some(entity) = entities.find(|entity| entity["label"] == **name) else {
        return true;
    };
    entity["hidden"]
        .as_array()
        .is_some_and(|hidden| hidden.iter().any(|hidden| hidden == attribute.as_str()))
}

/// What happened, as far as it was shown.
fn outcomes(events: &[Json]) -> Vec<Json> {
    events.iter().map(outcome).collect()
}

fn outcome(event: &Json) -> Json {
    json!([event["kind"], named(&event["fields"]), event["rule"]])
}

fn merged(
    mut one: BTreeMap<String, Vec<String>>,
    other: BTreeMap<String, Vec<String>>,
) -> BTreeMap<String, Vec<String>> {
    for (viewer, lines) in other {
        one.entry(viewer).or_default().extend(lines);
    }
    one
}

/// A secret of several parameters is parted in each by itself.
fn single(secret: Secret) -> Vec<Secret> {
    match secret {
        Secret::Params(names) => names
            .into_iter()
            .map(|name| Secret::Params(vec![name]))
            .collect(),
        other => vec![other],
    }
}

/// Whether a side can decide one thing alone: one action, without parameters.
fn is_forced(door: &mut Door, side: &str) -> bool {
    let legal = door.ask(side, "legal", json!({ "side": side }));
    let mut allowed = legal["actions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|action| action["refused"].is_null());
    let (Some(action), None) = (allowed.next(), allowed.next()) else {
        return false;
    };
    let ask = json!({ "side": side, "action": action["id"], "actor": named(&action["actor"]), "params": {} });
    !legal["done_refused"].is_null() && door.ask(side, "next_param", ask)["name"].is_null()
}

/// What the tally calls what was decided.
fn names_of(line: &Line, secret: &Secret) -> Vec<String> {
    let input = line.input();
    let id = ["action", "reaction", "question", "input"]
        .iter()
        .find_map(|key| input[*key].as_str());
    let id = id.unwrap_or_default();
    match secret {
        Secret::Params(names) => names
            .iter()
            .map(|name| format!("parameter {id}.{name}"))
            .collect(),
        Secret::Actor | Secret::ActorAndParams => vec![format!("actor of {id}")],
        Secret::Whole => vec![format!("decision {id}")],
        Secret::Answer => vec![format!("answer {id}")],
    }
}
