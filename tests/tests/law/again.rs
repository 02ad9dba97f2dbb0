//! A pair that is compared once more, in other circumstances: by mods or an
//! engine that leak. Until when nobody may notice is known from the first time.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use houserule::workshop::Workshop;
use serde_json::{Value as Json, json};

use crate::door::{Door, HOST, Sent};
use crate::lockstep::Pair;
use crate::mutations::Sabotage;
use crate::player::Line;
use crate::probes::{GRANTED, Got, Names, given};

/// What a watcher got, over some lines.
type Received = BTreeMap<String, Vec<String>>;

/// At which line somebody notices that two games have parted, before it may;
/// `None` where nobody does.
pub fn noticed(pair: &Pair, workshop: &Rc<Workshop>, sabotage: Option<Sabotage>) -> Option<usize> {
    let mut base = Door::open(workshop, &pair.spec, sabotage);
    let mut twin = base.twin(&pair.spec, &pair.change);
    // Lines that change places are heard together.
    let together = pair.instead.keys().max().copied().unwrap_or(pair.born);
    if pair.born == 0 {
        // What all were told before the first line is theirs too.
        let [one, other] = [&mut base, &mut twin].map(|door| door.begun().notifications);
        let mut watching = pair.watchers.iter().filter(|(_, end)| **end > 0);
        if watching.any(|(viewer, _)| one.get(viewer) != other.get(viewer)) {
            return Some(0);
        }
    }
    let (mut one, mut other) = (Received::new(), Received::new());
    for (place, line) in pair.lines.iter().enumerate() {
        let watching: Vec<&String> = pair
            .watchers
            .iter()
            .filter(|(_, end)| place < **end)
            .map(|(viewer, _)| viewer)
            .collect();
        if watching.is_empty() {
            return None;
        }
        receive(&mut one, line, &send(&mut base, line));
        let line = pair.instead.get(&place).unwrap_or(line);
        receive(&mut other, line, &send(&mut twin, line));
        if let Some(more) = pair.also.get(&place) {
            receive(&mut other, more, &send(&mut twin, more));
        }
        if place < pair.born {
            (one, other) = (Received::new(), Received::new());
        }
        if place < pair.born {
            for viewer in base.viewers.clone() {
                base.report(&viewer);
                twin.report(&viewer);
            }
        }
        if place < together {
            continue;
        }
        let names = Names::of(&mut base);
        for viewer in watching {
            let received = (one.remove(viewer), other.remove(viewer));
            if received.0 != received.1 {
                return Some(place);
            }
            let got = (
                given(&mut base, viewer, place, &names),
                given(&mut twin, viewer, place, &names),
            );
            let is_leak = |(one, other): &(Got, Got)| one != other || one.bytes == GRANTED;
            if std::iter::zip(got.0, got.1).any(|both| is_leak(&both)) {
                return Some(place);
            }
        }
    }
    None
}

/// Whether somebody who may not know that another has decided once more learns it
/// by asking the others, at the end, to take its own last decision back.
pub fn noticed_in_a_proposal(
    pair: &Pair,
    workshop: &Rc<Workshop>,
    sabotage: Option<Sabotage>,
) -> bool {
    let mut base = Door::open(workshop, &pair.spec, sabotage);
    let sides = base.sides.clone();
    let Some((viewer, end)) = pair
        .watchers
        .iter()
        .find(|(viewer, _)| sides.contains(viewer))
    else {
        return false;
    };
    let mut twin = base.twin(&pair.spec, &pair.change);
    for (place, line) in pair.lines[..(*end).min(pair.lines.len())]
        .iter()
        .enumerate()
    {
        send(&mut base, line);
        send(&mut twin, line);
        if let Some(more) = pair.also.get(&place) {
            send(&mut twin, more);
        }
    }
    let own = base.ask(viewer, "standing", json!({}))["decisions"]
        .as_u64()
        .unwrap_or(0);
    let proposal = json!({ "by": viewer, "keep": own.saturating_sub(1) });
    let [one, other] =
        [&mut base, &mut twin].map(|door| door.send(viewer, "undo", proposal.clone()));
    one.is_granted() && one.reply != other.reply
}

/// The lines of a game after which somebody gets something otherwise by other
/// mods, in what it is told and sees without asking for more; the first of all
/// where that is so before any.
pub fn shows_otherwise(pair: &Pair, [one, other]: [&Rc<Workshop>; 2]) -> BTreeSet<usize> {
    let [mut one, mut other] = [one, other].map(|mods| Door::open(mods, &pair.spec, None));
    let viewers = one.viewers.clone();
    let begun = [&mut one, &mut other].map(|door| door.begun().notifications);
    let differs = |viewer: &String| begun[0].get(viewer) != begun[1].get(viewer);
    let mut shown = BTreeSet::from_iter(viewers.iter().any(differs).then_some(0));
    for (place, line) in pair.lines.iter().enumerate() {
        let received = [&mut one, &mut other].map(|door| send(door, line).notifications);
        let mut sees = |viewer: &String| {
            let seen = [&mut one, &mut other].map(|door| {
                ["view", "prompt"]
                    .map(|method| door.ask(viewer, method, json!({ "viewer": viewer })))
            });
            seen[0] != seen[1]
        };
        let hears = |viewer: &String| received[0].get(viewer) != received[1].get(viewer);
        shown.extend(
            viewers
                .iter()
                .any(|viewer| hears(viewer) || sees(viewer))
                .then_some(place),
        );
    }
    shown
}

/// Whether all who may not know an answer in which a pair parts are told what it
/// was, by the rules, no later than the engine would tell them that it was given;
/// `None` where the pair ended before that.
pub fn is_disclosed_with_the_answer(pair: &Pair) -> Option<bool> {
    let mut base = Door::open(&crate::honest(), &pair.spec, None);
    let question = pair.what.rsplit(' ').next().unwrap_or_default();
    let is_it = |event: &Json| event["kind"] == "answer" && event["fields"]["question"] == question;
    let mut given = None;
    for (place, line) in pair.lines.iter().enumerate() {
        let sent = send(&mut base, line);
        if place >= pair.born && given.is_none() && sent.events(HOST).iter().any(is_it) {
            given = Some(place);
        }
    }
    let given = given.filter(|given| pair.watchers.values().any(|end| end >= given))?;
    Some(pair.watchers.values().all(|end| *end <= given))
}

fn send(door: &mut Door, line: &Line) -> Sent {
    door.send(&line.seat, &line.method, line.params.clone())
}

fn receive(received: &mut Received, line: &Line, sent: &Sent) {
    for (viewer, lines) in &sent.notifications {
        received
            .entry(viewer.clone())
            .or_default()
            .extend(lines.iter().cloned());
    }
    received
        .entry(line.seat.clone())
        .or_default()
        .push(sent.reply.clone());
}
