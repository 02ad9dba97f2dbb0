//! Properties of whole games, played by random bots over the mods of the
//! repository: the same inputs give the same game, however they are given.

use std::collections::BTreeMap;
use std::sync::Arc;

use houserule::analysis::health::health;
use houserule::analysis::series::Programme;
use houserule::play::{Bot, BotKind, Match, Players, Setup, SubmitError};
use houserule::report::{Narrator, ReportOptions};
use houserule::workshop::{ComposedRules, Found, Overrides, Workshop};
use kernel::decision::Input;
use kernel::engine::Wanted;
use kernel::error::FaultCode;
use kernel::value::{Side, Value};
use kernel::world::Viewer;

/// Seeds of the games that are played.
const SEEDS: std::ops::Range<u64> = 100..120;

/// Inputs of one game: short games, in a profile that is not fast.
const INPUTS: usize = 120;

fn workshop() -> Workshop {
    let (workshop, faults) = houserule_tests::mods();
    assert!(faults.is_empty(), "{faults:?}");
    workshop
}

fn scenario(workshop: &Workshop) -> Found {
    workshop.scenario("dsii/skirmish").unwrap()
}

fn overrides(seed: u64) -> Overrides {
    Overrides {
        seed: Some(seed),
        ..Overrides::default()
    }
}

fn start(workshop: &Workshop, seed: u64) -> Match {
    Rules::of(workshop).start(seed)
}

/// Rules that were composed once, for one game after another: a machine of its
/// own, so that nothing it has answered serves a game of other rules.
struct Rules<'a> {
    workshop: &'a Workshop,
    found: Found,
    composed: ComposedRules,
}

impl Rules<'_> {
    fn of(workshop: &Workshop) -> Rules<'_> {
        let found = scenario(workshop);
        let (composed, _) = workshop.prepare(&found, &overrides(0)).unwrap();
        Rules {
            workshop,
            found,
            composed,
        }
    }

    fn set_up(&self, seed: u64) -> Setup {
        let ComposedRules { rulebook, active } = &self.composed;
        let known = ComposedRules {
            rulebook: rulebook.clone(),
            active: active.clone(),
        };
        self.workshop
            .prepare_by(&self.found, &overrides(seed), |_| Ok(known))
            .unwrap()
            .1
    }

    fn start(&self, seed: u64) -> Match {
        Match::start(self.composed.rulebook.clone(), self.set_up(seed)).unwrap()
    }

    fn play(&self, seed: u64) -> Match {
        let mut game = self.start(seed);
        game.play_bots(&mut bots(seed), |game| game.inputs().len() >= INPUTS)
            .unwrap();
        game
    }
}

fn bots(seed: u64) -> BTreeMap<Side, Bot> {
    [Side(0), Side(1)]
        .map(|side| (side, Bot::new(BotKind::Random, seed, side)))
        .into()
}

fn report(game: &Match) -> String {
    let mut narrator = Narrator::new(
        game.rulebook().book(),
        Viewer::Referee,
        ReportOptions::default(),
    );
    let mut text = String::new();
    for event in narrator.show(game.game(), &game.events()) {
        for line in narrator.lines(&event) {
            text.push_str(&line.plain(110));
            text.push('\n');
        }
    }
    text
}

#[test]
fn a_replay_equals_the_live_game() {
    let workshop = workshop();
    let (first, second) = (Rules::of(&workshop), Rules::of(&workshop));
    for seed in SEEDS {
        let live = first.play(seed);
        assert!(
            live.inputs().len() > 10,
            "seed {seed}: the game is too short to tell anything"
        );
        let mut again = second.start(seed);
        for input in live.inputs() {
            again.submit(input).unwrap();
        }
        assert_eq!(again.hash(), live.hash(), "seed {seed}");
        assert_eq!(again.events(), live.events(), "seed {seed}");
        assert_eq!(report(&again), report(&live), "seed {seed}");
        assert_eq!(live.hash(), live.game().hash_afresh(), "seed {seed}");
        for viewer in [
            Viewer::Side(Side(0)),
            Viewer::Side(Side(1)),
            Viewer::Spectator,
        ] {
            assert_eq!(again.view(viewer), live.view(viewer), "seed {seed}");
        }
    }
}

#[test]
fn two_threads_play_the_same_game() {
    let play = |seed: u64| {
        let game = Rules::of(&workshop()).play(seed);
        (format!("{:?}", game.hash()), report(&game))
    };
    for seed in [SEEDS.start, SEEDS.start + 1] {
        let other = std::thread::spawn(move || {
            let game = Rules::of(&workshop()).play(seed);
            (format!("{:?}", game.hash()), report(&game))
        });
        let here = play(seed);
        assert_eq!(other.join().unwrap(), here, "seed {seed}");
    }
}

#[test]
fn taken_twice_every_input_does_the_same() {
    let workshop = workshop();
    let seed = SEEDS.start;
    let mut game = start(&workshop, seed);
    game.check_twice();
    game.play_bots(&mut bots(seed), |game| game.inputs().len() >= INPUTS)
        .unwrap();
}

/// What rules answer may be kept, asked anew, or forgotten now and then: the
/// game and its journal are the same.
#[test]
fn kept_answers_change_nothing() {
    let workshop = workshop();
    let [kept, anew, dropped] = [(); 3].map(|()| Rules::of(&workshop));
    for seed in SEEDS {
        let mut game = kept.start(seed);
        let (mut anew, mut dropped) = (anew.start(seed), dropped.start(seed));
        game.rulebook().count_answers(true);
        anew.rulebook().keep_answers(false);
        dropped.rulebook().drop_answers(Some(2 + seed % 5));
        for one in [&mut anew, &mut dropped, &mut game] {
            one.play_bots(&mut bots(seed), |game| game.inputs().len() >= INPUTS)
                .unwrap();
        }
        for one in [&mut anew, &mut dropped] {
            assert_eq!(one.lines(), game.lines(), "seed {seed}");
            assert_eq!(one.hash(), game.hash(), "seed {seed}");
        }
        let counts = game.rulebook().answer_counts();
        assert!(counts.hits > counts.calls / 2, "seed {seed}: {counts:?}");
    }
}

/// Inputs that nobody may give: they are refused, and change nothing.
fn nonsense(game: &Match) -> Vec<Input> {
    let nothing = || Value::Map(Arc::default());
    let mut list = Vec::new();
    for by in [Side(0), Side(1), Side(9)] {
        list.push(Input::Act {
            by,
            action: "dsii.no.such".into(),
            actor: None,
            params: nothing(),
        });
        list.push(Input::React {
            by,
            reaction: "dsii.no.such".into(),
            actor: None,
            params: nothing(),
        });
        list.push(Input::Answer {
            by,
            question: "dsii.no.such".into(),
            value: Value::Int(7),
        });
        list.push(Input::TakeBack { by });
        for action in game.game().book().actions.keys() {
            let params = Value::record([("no-such", Value::Int(1))]);
            list.push(Input::Act {
                by,
                action: action.clone(),
                actor: None,
                params,
            });
        }
    }
    list
}

#[test]
fn what_is_refused_changes_nothing() {
    let workshop = workshop();
    let seed = SEEDS.start;
    let mut game = start(&workshop, seed);
    let mut bots = bots(seed);
    while game.inputs().len() < 20 && game.wanted() != Wanted::Over {
        let before = (
            game.hash(),
            game.events(),
            game.inputs().len(),
            game.wanted(),
        );
        for input in nonsense(&game) {
            match game.submit(&input) {
                Err(SubmitError::Refusal(_)) => {}
                other => panic!("{input:?}: {other:?}"),
            }
        }
        assert_eq!(
            (
                game.hash(),
                game.events(),
                game.inputs().len(),
                game.wanted()
            ),
            before
        );
        let count = game.inputs().len();
        game.play_bots(&mut bots, |game| game.inputs().len() > count)
            .unwrap();
        assert!(game.inputs().len() > count);
    }
    assert_eq!(game.hash(), {
        let mut fresh = start(&workshop, seed);
        for input in game.inputs() {
            fresh.submit(input).unwrap();
        }
        fresh.hash()
    });
}

#[test]
fn an_unknown_action_is_told() {
    let workshop = workshop();
    let game = start(&workshop, SEEDS.start);
    let fault = game
        .next_param(Side(0), "dsii.no.such", None, &BTreeMap::new())
        .unwrap_err();
    assert_eq!(fault.code, FaultCode::UnknownAction);
}

/// Answers that are at hand when the question comes give the same game as
/// answers that come later.
#[test]
fn answered_at_once_equals_answered_later() {
    let workshop = workshop();
    let (first, second) = (Rules::of(&workshop), Rules::of(&workshop));
    let mut count = 0;
    for seed in SEEDS {
        let later = first.play(seed);
        let answers: Vec<_> = later
            .inputs()
            .iter()
            .filter_map(|input| match input {
                Input::Answer {
                    question, value, ..
                } => Some((question.clone(), value.clone())),
                _ => None,
            })
            .collect();
        count += answers.len();
        let mut setup = second.set_up(seed);
        setup.game.queue_answers(answers);
        let rulebook = second.composed.rulebook.clone();
        let mut at_once = Match::start(rulebook, setup).unwrap();
        for input in later
            .inputs()
            .iter()
            .filter(|input| !matches!(input, Input::Answer { .. }))
        {
            at_once.submit(input).unwrap();
        }
        assert_eq!(at_once.hash(), later.hash(), "seed {seed}");
        assert_eq!(at_once.events(), later.events(), "seed {seed}");
    }
    assert!(
        count > 20,
        "only {count} questions were asked in all these games"
    );
}

// ---- what scenarios say of themselves -------------------------------------------

/// Twenty games prove no balance; they show when it is gone, and when a side
/// does nothing, or always the same.
fn is_plausible(id: &str) {
    let workshop = workshop();
    let found = workshop.scenario(id).unwrap();
    assert!(
        found.scenario.balance.is_some() && !found.scenario.ends.is_empty(),
        "{id} claims nothing"
    );
    let programme = Programme {
        workshop: &workshop,
        found: &found,
        overrides: &Overrides::default(),
        players: &Players::default(),
        variants: &[Vec::new()],
        jobs: None,
        notes: false,
    };
    let (health, _) = health(&programme, found.scenario.seed, 20, &|| false, &mut || {}).unwrap();
    assert_eq!(health.games, 20);
    assert!(health.is_plausible(), "{id}: {:#?}", health.signs);
}

#[test]
fn the_skirmish_is_what_it_says() {
    is_plausible("dsii/skirmish");
}

#[test]
fn the_border_raid_is_what_it_says() {
    is_plausible("dsii/border-raid");
}

#[test]
fn the_spaceport_is_what_it_says() {
    is_plausible("dsii/spaceport");
}

#[test]
fn the_crossroads_are_what_they_say() {
    is_plausible("netepic/crossroads");
}

#[test]
fn the_two_depots_are_what_they_say() {
    is_plausible("iceburg/two-depots");
}

#[test]
fn the_meeting_engagement_is_what_it_says() {
    is_plausible("dsii/meeting");
}

#[test]
fn the_hamlet_is_what_it_says() {
    is_plausible("dsii/hamlet");
}

#[test]
fn the_river_line_is_what_it_says() {
    is_plausible("dsii/river-line");
}

#[test]
fn the_close_country_is_what_it_says() {
    is_plausible("netepic/close-country");
}

#[test]
#[cfg(feature = "wasm")]
fn the_village_is_what_it_says() {
    if houserule_tests::ships("tcs") {
        is_plausible("tcs/bridgehead");
    }
}
