//! A game in play: takes inputs, runs what follows from them, says who must
//! decide next.
//!
//! An input is taken whole or not at all. A refusal changes nothing; a fault
//! takes the game back to where the action that hit it began.

mod adopt;
mod advance;
mod audience;
mod branch;
mod follow;
mod glance;
mod legal;
mod notice;
mod reader;
pub(crate) mod remarks;
mod take;
mod view;

pub use glance::Glance;
pub use legal::{Legal, Occasion, Prospect, Stopping};
use reader::ReadingCopy;
pub use view::{Seen, SeenDeck, SeenEvent, SeenFrame, SeenPile, View};

use std::sync::Arc;

use crate::decision::{Input, Question};
use crate::digest::StateHash;
use crate::error::{Fault, FaultCode, Refusal};
use crate::event::Event;
use crate::game::Game;
use crate::rules::Rules;
use crate::sequence::Frame;
use crate::value::{Name, Side, Value};

/// More steps than this from one input are a fault: rules that push each
/// other without end.
pub const MOST_STEPS: u32 = 20_000;

/// More reactions than this cannot be taken in one window.
pub const MOST_REACTIONS: u32 = 1_000;

/// Why an input was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// The rules do not allow it.
    Refusal(Refusal),
    /// A mod is broken. The action that hit it is undone, with its inputs.
    Fault {
        /// What is broken.
        fault: Fault,
        /// How many inputs that were taken before are undone with it.
        undone: u32,
    },
}

impl From<Refusal> for Rejected {
    fn from(refusal: Refusal) -> Rejected {
        Rejected::Refusal(refusal)
    }
}

impl From<Fault> for Rejected {
    fn from(fault: Fault) -> Rejected {
        Rejected::Fault { fault, undone: 0 }
    }
}

/// What the game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// One of these sides acts in a phase (several only in a secret phase).
    Act {
        /// Who may act.
        sides: Vec<Side>,
        /// The phase.
        phase: Name,
    },
    /// A side may react in a window.
    React {
        /// Who is asked.
        side: Side,
        /// The window.
        window: Name,
        /// What it carries.
        data: Value,
    },
    /// A question waits for answers.
    Answer {
        /// Who has yet to answer.
        sides: Vec<Side>,
        /// The question.
        question: Arc<Question>,
    },
    /// Nothing: the game is over.
    Over,
}

impl Wanted {
    /// The sides that must decide.
    pub fn sides(&self) -> Vec<Side> {
        match self {
            Wanted::Act { sides, .. } | Wanted::Answer { sides, .. } => sides.clone(),
            Wanted::React { side, .. } => vec![*side],
            Wanted::Over => Vec::new(),
        }
    }
}

/// A game in play.
///
/// What changes it takes it by exclusive reference, what only reads by a shared
/// one, rules that only read among it.
#[derive(Clone, Debug)]
pub struct Play {
    game: Game,
    /// Where rules read; see [`reader`].
    reader: ReadingCopy,
    /// The game before the action that runs, or ran last.
    action_start: Game,
    /// How many inputs were taken since.
    inputs_in_action: u32,
}

impl Play {
    /// Starts a game that was set up, and runs it to the first decision.
    ///
    /// # Errors
    /// A fault of the rules that run before anybody acts.
    pub fn start(mut game: Game, rules: &dyn Rules) -> Result<Play, Fault> {
        let everything: Vec<_> = game.world.all().collect();
        game.unnoticed.extend(everything);
        let sides = game.world.sides().len();
        if sides > 32 {
            let message = format!("expected at most 32 sides, found {sides}");
            return Err(Fault::new(FaultCode::BadScenario, message));
        }
        game.advance(rules)?;
        Ok(Play {
            action_start: game.clone(),
            game,
            reader: ReadingCopy::default(),
            inputs_in_action: 0,
        })
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game for whoever embeds the kernel: marks, scripted dice, probes.
    pub fn game_mut(&mut self) -> &mut Game {
        self.reader.hand_over(&mut self.game);
        &mut self.game
    }

    /// How many inputs were taken since the action that runs, or ran last,
    /// began: what a fault would undo.
    pub fn inputs_in_action(&self) -> u32 {
        self.inputs_in_action
    }

    /// The hash of the state.
    pub fn hash(&self) -> StateHash {
        self.game.hash()
    }

    /// Keeps what the hash is made of, so that the next one costs what changes
    /// from now on.
    pub fn keep_digests(&mut self) {
        self.game_mut().keep_digests();
    }

    /// Everything that happened since this was last called.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.game_mut().take_events()
    }

    /// Puts events back that were taken to be looked at.
    pub fn put_events_back(&mut self, events: Vec<Event>) {
        self.game_mut().happened.splice(0..0, events);
    }

    /// Takes an input and runs what follows, to the next decision.
    ///
    /// # Errors
    /// A refusal, which changes nothing, or a fault, after which the game is
    /// as it was before the action that hit it.
    pub fn submit(&mut self, rules: &dyn Rules, input: &Input) -> Result<(), Rejected> {
        self.reader.hand_over(&mut self.game);
        let before = self.game.clone();
        // All but these begin something; they go on with it.
        let begins = !matches!(
            input,
            Input::React { .. } | Input::Decline { .. } | Input::Answer { .. }
        );
        let taken = self
            .game
            .take(rules, input)
            .and_then(|()| Ok(self.game.advance(rules)?));
        match taken {
            Ok(()) => {
                if begins {
                    self.action_start = before;
                    self.inputs_in_action = 0;
                }
                self.inputs_in_action += 1;
                Ok(())
            }
            Err(Rejected::Refusal(refusal)) => {
                self.game = before;
                Err(Rejected::Refusal(refusal))
            }
            Err(Rejected::Fault { fault, .. }) => {
                if begins {
                    self.game = before;
                    return Err(Rejected::Fault { fault, undone: 0 });
                }
                let undone = self.take_action_back();
                Err(Rejected::Fault { fault, undone })
            }
        }
    }

    /// Takes the action back that goes on, as a fault in it does, with how many
    /// inputs were taken for it.
    pub fn take_action_back(&mut self) -> u32 {
        *self.game_mut() = self.action_start.clone();
        std::mem::take(&mut self.inputs_in_action)
    }

    /// What the game waits for.
    pub fn wanted(&self) -> Wanted {
        self.game.wanted()
    }

    /// Runs a step at once, with what it pushes, before whatever lies on the
    /// agenda: for tests and probes, not for play.
    ///
    /// # Errors
    /// A fault of the step, or of what follows from it.
    pub fn run_step(
        &mut self,
        rules: &dyn Rules,
        rule: &Name,
        args: &[Value],
    ) -> Result<(), Fault> {
        self.reader.hand_over(&mut self.game);
        self.settle(rules)?;
        self.game.begin_step_of(rule, args);
        self.game.advance(rules)
    }

    /// Runs what was pushed outside of a step: for tests and probes.
    ///
    /// # Errors
    /// A fault of what was pushed.
    pub fn settle(&mut self, rules: &dyn Rules) -> Result<(), Fault> {
        let pushed = std::mem::take(&mut self.game_mut().running.pushed);
        if pushed.is_empty() {
            return Ok(());
        }
        self.game.flow.agenda.extend(pushed.into_iter().rev());
        self.game.advance(rules)
    }
}

impl Game {
    /// Whether the game waits for a side.
    pub(crate) fn waits_for(&self, side: Side) -> bool {
        if let Some((question, given)) = &self.running.asking {
            let mut asked = question.to.iter().zip(given);
            return asked.any(|((asked, _), answer)| *asked == side && answer.is_none());
        }
        match self.flow.top() {
            Some(Frame::Phase(phase)) if phase.is_secret() => {
                let pad = phase.pads.get(side.0 as usize);
                pad.is_some_and(|pad| !pad.is_ready())
            }
            Some(Frame::Phase(phase)) => phase.turn == Some(side),
            Some(Frame::Window(window)) => window.asking == Some(side),
            _ => false,
        }
    }

    /// What the game waits for.
    pub fn wanted(&self) -> Wanted {
        let is_waited_for = |side: &Side| self.waits_for(*side);
        if let Some((question, _)) = &self.running.asking {
            let asked = question.to.iter().map(|(side, _)| *side);
            return Wanted::Answer {
                sides: asked.filter(is_waited_for).collect(),
                question: Arc::new(question.clone()),
            };
        }
        match self.flow.top() {
            Some(Frame::Phase(phase)) => {
                let everybody = (0..self.world.sides().len() as u8).map(Side);
                Wanted::Act {
                    sides: everybody.filter(is_waited_for).collect(),
                    phase: phase.id.clone(),
                }
            }
            Some(Frame::Window(window)) => match window.asking {
                Some(side) => Wanted::React {
                    side,
                    window: window.id.clone(),
                    data: window.data.clone(),
                },
                None => Wanted::Over,
            },
            _ => Wanted::Over,
        }
    }
}
