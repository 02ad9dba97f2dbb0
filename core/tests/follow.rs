//! What an input did in one course of a game is what it does in another that
//! differs only in attributes which it has neither read nor written.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop where they go wrong"
)]

mod support;

use std::sync::Arc;

use kernel::cells::CellSet;
use kernel::chance::{BotChance, Chance};
use kernel::decision::Input;
use kernel::engine::{Play, Wanted};
use kernel::event::Event;
use kernel::game::Game;
use kernel::geometry::Length;
use kernel::value::{EntityId, Side, Value};
use kernel::world::{SIDE, Viewers};
use proptest::prelude::*;

use support::rulebook::{action, deploy, plain_book, yes};
use support::{Toy, choose, everything, name, show_events, show_view, sides, start, viewers};

/// What everybody is told of events.
fn told(play: &Play, events: &[Event]) -> Vec<String> {
    let game = play.game();
    let all = viewers(game).into_iter();
    all.map(|viewer| show_events(game, viewer, events))
        .collect()
}

/// Another value for an attribute of an entity that is there.
fn alter(play: &mut Play, bot: &mut BotChance) {
    let world = play.game_mut().world_mut();
    let all: Vec<EntityId> = world.all().collect();
    let entity = all[bot.below(all.len() as u32) as usize];
    let slots = world.kind(entity).unwrap().attributes.len() as u32;
    let slot = (SIDE + 1) + bot.below(slots - 1) as u16;
    let value = match world.get(entity, slot).unwrap() {
        Value::Int(n) => Value::Int((n + 1 + i64::from(bot.below(5))) % 900),
        Value::Bool(yes) => Value::Bool(!yes),
        _ => return,
    };
    world.set(entity, slot, value).unwrap();
}

/// Two copies of another course: one does what was done in the first course, the
/// other takes the inputs.
struct Other {
    follower: Play,
    twin: Play,
}

impl Other {
    /// One that differs in some attribute.
    fn of(play: &Play, bot: &mut BotChance) -> Other {
        let mut follower = play.clone();
        alter(&mut follower, bot);
        Other {
            twin: follower.clone(),
            follower,
        }
    }

    /// Goes on with an input, if it touched nothing that is another here; whether
    /// it did.
    fn goes_on(
        &mut self,
        toy: &Toy,
        input: &Input,
        (before, after): (&Play, &Play),
        (cells, events): (&CellSet, &[Event]),
    ) -> bool {
        let differing = self.follower.differing_cells(before, None);
        if differing.is_none_or(|differing| cells.meets(&differing))
            || !self.follower.follow(before, after)
        {
            return false;
        }
        self.twin.submit(toy, input).unwrap();
        let own_events = self.twin.take_events();
        assert_eq!(
            told(&self.follower, events),
            told(&self.twin, &own_events),
            "{input:?}"
        );
        assert_eq!(
            everything(&mut self.follower),
            everything(&mut self.twin),
            "{input:?}"
        );
        assert_eq!(self.follower.wanted(), self.twin.wanted(), "{input:?}");
        true
    }
}

/// Plays a game with another course beside it, and tells how often that could follow.
fn followed(seed: u64) -> u32 {
    let (toy, mut bot) = (Toy::new(), BotChance::new(seed, 3));
    let mut play = start(&toy, seed, 2);
    play.take_events();
    let (mut other, mut count) = (None, 0);
    for _ in 0..200 {
        let Some(input) = choose(&mut play, &toy, &mut bot) else {
            break;
        };
        let before = play.clone();
        // A step that waits goes back to its start, which is not altered.
        if other.is_none() && !matches!(play.wanted(), Wanted::Answer { .. }) {
            other = Some(Other::of(&play, &mut bot));
        }
        let cells = play.submit_tracked(&toy, &input).unwrap().unwrap();
        let events = play.take_events();
        other = other.take().and_then(|mut other: Other| {
            let courses = (&before, &play);
            other
                .goes_on(&toy, &input, courses, (&cells, &events))
                .then_some(other)
        });
        count += u32::from(other.is_some());
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn an_input_does_the_same_where_nothing_that_it_touched_is_another(seed in any::<u64>()) {
        followed(seed);
    }
}

#[test]
fn other_courses_can_follow_most_inputs() {
    let count: u32 = (0..4).map(followed).sum();
    assert!(count > 50, "only {count} times");
}

/// A game in which red has two shadows, which come to light together; one of them
/// stands at some place.
fn two_shadows(toy: &mut Toy, place: i64) -> Play {
    let mut book = plain_book();
    let lift = action("toy.lift", "toy.moving", None, vec![]);
    book.actions.insert(lift.id.clone(), lift);
    book.root = Some(name("toy.moving"));
    toy.rule("toy.lift.allowed", |_, _| yes());
    toy.rule("toy.lift.perform", |game, _| {
        for shadow in game.entities("toy.shadow")? {
            game.show(shadow, None, Viewers::ALL)?;
        }
        yes()
    });
    let table = (Length::inches(48), Length::inches(48));
    let mut game = Game::new(Arc::new(book), sides(2), table, Chance::seeded(1));
    deploy(&mut game, 2);
    let world = game.world_mut();
    let first = world.find("dark-red").unwrap();
    let (kind, at) = (
        world.row(first).unwrap().kind,
        world.attribute(first, "at").unwrap(),
    );
    let red = (name("side"), Value::text("red"));
    let second = world.create(kind, "dark-red-too", &[red]).unwrap();
    world.set(second, at, Value::Int(500)).unwrap();
    world.set(first, at, Value::Int(place)).unwrap();
    let mut play = Play::start(game, toy).unwrap();
    play.take_events();
    play
}

/// In which order those are numbered that come to light together follows from what
/// they hold: who shows them has read it.
#[test]
fn what_comes_to_light_rests_on_what_it_holds() {
    let mut toy = Toy::new();
    let before = two_shadows(&mut toy, 0);
    let input = Input::Act {
        by: Side(0),
        action: name("toy.lift"),
        actor: None,
        params: Value::None,
    };
    let mut after = before.clone();
    let cells = after.submit_tracked(&toy, &input).unwrap().unwrap();
    after.take_events();
    for place in 1..20 {
        let mut other = before.clone();
        let world = other.game_mut().world_mut();
        let first = world.find("dark-red").unwrap();
        let at = world.attribute(first, "at").unwrap();
        world.set(first, at, Value::Int(place)).unwrap();
        let differing = other.differing_cells(&before, None).unwrap();
        let mut twin = other.clone();
        twin.submit(&toy, &input).unwrap();
        if !cells.meets(&differing) && other.follow(&before, &after) {
            for viewer in viewers(twin.game()) {
                let seen = |play: &Play| show_view(play.game(), viewer);
                assert_eq!(seen(&other), seen(&twin), "at {place}");
            }
        }
    }
}
