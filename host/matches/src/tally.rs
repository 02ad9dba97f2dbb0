//! Many games of one scenario, and what happened in them: who won, why they
//! ended, how long they took, and what was done how often.

use std::collections::{BTreeMap, BTreeSet};

use kernel::decision::Input;
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Side, Value};

use crate::bot::{Bot, BotKind};
use crate::play::{Match, mark, marks_behind};
use crate::scenario::set_up;
use crate::workers::share_out;
use crate::workshop::{ComposedRules, Found, Overrides, Workshop};
use rules::modset::selector::Active;

/// A game with more decisions than this does not end.
const MOST_DECISIONS: usize = 100_000;

/// What happened in some games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many games were played.
    pub games: usize,
    /// Which game each is: the scenario and the seed, with the fault that
    /// ended it, for those that broke off.
    pub broken: Vec<(String, u64, Fault)>,
    /// How many games each side has won; those without a winner count for
    /// nobody.
    pub winners: BTreeMap<Option<String>, usize>,
    /// Why games ended, in the words of the rules.
    pub reasons: BTreeMap<String, usize>,
    /// How many decisions each game took, the shortest first.
    pub decisions: Vec<usize>,
    /// What was done, by action or reaction.
    pub actions: BTreeMap<Name, ActionCounts>,
}

/// How often something was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActionCounts {
    /// How often in all games.
    pub times: usize,
    /// In how many games.
    pub games: usize,
}

/// Who decides in the games.
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// What plays every side for which nothing else is said; without it what
    /// the scenario says, and else greedy.
    pub every: Option<BotKind>,
    /// What plays a side.
    pub sides: BTreeMap<Name, BotKind>,
}

impl Tally {
    /// Adds what happened in other games.
    pub fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.broken.extend(other.broken);
        self.decisions.extend(other.decisions);
        self.decisions.sort_unstable();
        for (winner, count) in other.winners {
            *self.winners.entry(winner).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        for (id, counts) in other.actions {
            let mine = self.actions.entry(id).or_default();
            mine.times += counts.times;
            mine.games += counts.games;
        }
    }

    /// Actions and reactions that were never taken.
    pub fn never(&self) -> impl Iterator<Item = &Name> {
        self.actions
            .iter()
            .filter(|(_, counts)| counts.times == 0)
            .map(|(id, _)| id)
    }
}

/// One scenario by one selection of rules, played again and again: the rules
/// are composed once.
pub struct Series<'a> {
    found: &'a Found,
    chosen: ComposedRules,
    turns: Option<u32>,
    players: &'a Players,
}

/// A game that bots have played to its end, or as far as it went.
pub struct PlayedOut {
    /// The game.
    pub game: Match,
    /// What broke it off.
    pub fault: Option<Fault>,
    /// The marks of all that it reached, if that was noted.
    pub reached: Option<BTreeSet<Name>>,
}

impl<'a> Series<'a> {
    /// Composes the rules.
    ///
    /// # Errors
    /// What is wrong in the scenario or its mods.
    pub fn of(
        workshop: &Workshop,
        found: &'a Found,
        overrides: &Overrides,
        players: &'a Players,
    ) -> Result<Series<'a>, Vec<Fault>> {
        let (chosen, _) = workshop.prepare(found, overrides)?;
        Ok(Series {
            found,
            chosen,
            turns: overrides.turns,
            players,
        })
    }

    /// The mods, clauses and options that it is played by.
    pub fn active(&self) -> &Active {
        &self.chosen.active
    }

    /// The game under a seed, before its first decision.
    ///
    /// # Errors
    /// What is wrong in the scenario, or breaks as it begins.
    pub fn start(&self, seed: u64) -> Result<Match, Vec<Fault>> {
        self.chosen.rulebook.forget_answers();
        let setup = set_up(
            &self.found.scenario,
            &self.chosen.rulebook,
            seed,
            self.turns,
        )?;
        let started = Match::start(self.chosen.rulebook.clone(), setup);
        let mut game = started.map_err(|fault| vec![fault])?;
        game.stop_recording();
        Ok(game)
    }

    /// Plays the game under a seed. One that breaks off is played as far as it
    /// went.
    ///
    /// # Errors
    /// As [`Series::start`], and the fault of the watchdog.
    pub fn play(&self, seed: u64) -> Result<PlayedOut, Vec<Fault>> {
        self.play_on(self.start(seed)?)
    }

    /// The same, of which only the end counts: the states before it are let go of.
    ///
    /// # Errors
    /// As [`Series::play`].
    fn play_for_end(&self, seed: u64) -> Result<PlayedOut, Vec<Fault>> {
        let mut game = self.start(seed)?;
        game.keep_no_past();
        self.play_on(game)
    }

    fn play_on(&self, mut game: Match) -> Result<PlayedOut, Vec<Fault>> {
        match play_out(&mut game, self.found, self.players) {
            Err(fault) if fault.code == FaultCode::TooSlow => Err(vec![fault]),
            outcome => Ok(PlayedOut {
                game,
                fault: outcome.err(),
                reached: None,
            }),
        }
    }

    /// The same, and what the game has reached from its setting up to its end, with all that bots looked at:
    /// by rules in which nothing of that is other it is the same game.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn play_noting(&self, seed: u64) -> Result<PlayedOut, Vec<Fault>> {
        let (played, reached) = marks_behind(&self.chosen.rulebook, || self.play(seed));
        let mut played = played?;
        played.reached = reached.map(|mut marks| {
            // Windows that are open are noted by nobody: reactions hang on them.
            marks.extend(
                played
                    .game
                    .rulebook()
                    .book()
                    .windows
                    .keys()
                    .map(|id| mark::window(id)),
            );
            marks
        });
        Ok(played)
    }
}

/// Lets bots play a game to its end.
///
/// # Errors
/// What broke it off; a game that goes on for ever.
pub fn play_out(game: &mut Match, found: &Found, players: &Players) -> Result<(), Fault> {
    let seed = game.header().seed;
    let mut bots = BTreeMap::new();
    for (place, id) in (0u8..).zip(game.game().world().sides().iter()) {
        let of_scenario = || {
            found
                .scenario
                .bots
                .get(id)
                .copied()
                .unwrap_or(BotKind::Greedy)
        };
        let kind = players
            .sides
            .get(id)
            .copied()
            .or(players.every)
            .unwrap_or_else(of_scenario);
        bots.insert(Side(place), Bot::new(kind, seed, Side(place)));
    }
    game.play_bots(&mut bots, |game| game.inputs().len() >= MOST_DECISIONS)?;
    if game.game().finished().is_none() && game.inputs().len() >= MOST_DECISIONS {
        let message = format!(
            "expected the game to end, found that it goes on after {MOST_DECISIONS} decisions"
        );
        return Err(Fault::new(FaultCode::TooManySteps, message));
    }
    Ok(())
}

impl PlayedOut {
    /// The side that has won, if one has.
    pub fn winner(&self) -> Option<String> {
        let winner = self
            .result_text("winner")
            .or_else(|| self.result_text("victor"));
        let sides = self.game.game().world().sides();
        winner.filter(|winner| sides.iter().any(|side| **side == **winner))
    }

    /// Why it ended, in the words of the rules.
    pub fn reason(&self) -> String {
        self.result_text("reason")
            .unwrap_or_else(|| "no reason told".into())
    }

    /// What the result says under a name.
    fn result_text(&self, name: &str) -> Option<String> {
        match self
            .game
            .game()
            .finished()
            .and_then(|result| result.field(name))?
        {
            Value::Text(text) => Some(text.to_string()),
            Value::Entity(entity) => Some(self.game.game().world().name(*entity).to_string()),
            _ => None,
        }
    }
}

/// Plays games of a scenario, one for each seed, on all cores, and counts.
/// `stop` is asked before each, those that run are played to their end, and
/// `done` is told of each that is over. A game that breaks off counts with
/// what happened until then; one that the watchdog broke off counts for
/// nothing, and neither do the others.
///
/// # Errors
/// What is wrong in the scenario or its mods; the fault of the watchdog.
pub fn tally(
    workshop: &Workshop,
    found: &Found,
    overrides: &Overrides,
    seeds: &[u64],
    players: &Players,
    stop: &(dyn Fn() -> bool + Sync),
    done: &(dyn Fn() + Sync),
) -> Result<Tally, Vec<Fault>> {
    // One rulebook for each thread, and not for each part into which the games might be split.
    let series = || Series::of(workshop, found, overrides, players);
    let games = share_out(seeds, series, |series, seed| {
        let counted = match series {
            _ if stop() => return None,
            Ok(series) => series.play_for_end(*seed).map(counted),
            Err(faults) => Err(faults.clone()),
        };
        done();
        Some(counted)
    });
    let mut all = Tally::default();
    for game in games.into_iter().flatten() {
        all.add(game?);
    }
    Ok(all)
}

fn counted(played: PlayedOut) -> Tally {
    let game = &played.game;
    let header = game.header();
    let mut tally = Tally {
        games: 1,
        decisions: vec![game.inputs().len()],
        ..Tally::default()
    };
    match &played.fault {
        Some(fault) => tally
            .broken
            .push((header.scenario.to_string(), header.seed, fault.clone())),
        None => {
            tally.winners.insert(played.winner(), 1);
            tally.reasons.insert(played.reason(), 1);
        }
    }
    let book = game.rulebook().book();
    for id in book.actions.keys().chain(book.reactions.keys()) {
        tally.actions.insert(id.clone(), ActionCounts::default());
    }
    let mut seen = BTreeSet::new();
    for input in game.inputs() {
        if let Input::Act { action: id, .. } | Input::React { reaction: id, .. } = input {
            let counts = tally.actions.entry(id.clone()).or_default();
            counts.times += 1;
            counts.games += usize::from(seen.insert(id.clone()));
        }
    }
    tally
}
