//! Taking play back, and making it again.
//!
//! Whoever asks counts decisions of its own; what is told of it to others is
//! counted in theirs. Players never go back into the middle of what sides did
//! in secret: where one of them began would tell who was first.

use kernel::decision::Input;
use kernel::engine::Wanted;
use kernel::record::decode;
use kernel::value::Side;
use kernel::world::Viewer;

use super::{Accepted, Tabletop, Trouble, UndoPolicy, UndoProposal, Undone};

/// What sides have agreed to take back.
#[derive(Clone)]
pub(super) struct Proposal {
    /// How many decisions would stand.
    pub keep: usize,
    /// Who asked first.
    by: Side,
    /// Who wants it, one bit each.
    agreed: u32,
}

impl Tabletop {
    /// Takes play back to where so many decisions had been taken: of the side
    /// that asks, or of all if the referee does.
    ///
    /// Where an umpire rules, `by` must be the `referee`, and the dice stay the
    /// same. Where players agree, each side that no bot plays must say it; then
    /// all dice from there on are new.
    ///
    /// # Errors
    /// When there are not so many decisions, when it is for others to say, or
    /// when the rules in force no longer fit.
    pub fn undo(&mut self, by: &str, keep: usize) -> Result<Undone, Trouble> {
        match (self.policy, by) {
            (UndoPolicy::Umpire, "referee") => {
                self.refuse_ahead(Viewer::Referee, keep)?;
                self.rewind(keep)
            }
            (UndoPolicy::Umpire, side) => {
                self.side(side)?;
                Err(Trouble::refusal(
                    "taking back",
                    "the referee alone takes play back in this game",
                ))
            }
            (UndoPolicy::Agreed, side) => {
                let side = self.side(side)?;
                self.agree(side, keep)
            }
        }
    }

    fn refuse_ahead(&self, viewer: Viewer, keep: usize) -> Result<(), Trouble> {
        let found = self.numbers.own(viewer, self.game.recorded_inputs().len());
        if keep < found {
            return Ok(());
        }
        let reason = match found {
            0 => "there is no decision to take back".to_string(),
            _ if keep == found => format!("{found} decisions stand already"),
            _ => format!("{found} decisions stand, and {keep} would be no fewer"),
        };
        Err(Trouble::refusal("taking back", reason))
    }

    /// How many decisions stand before the last `count` that people made: what
    /// bots did after them goes too. `None` if people made fewer.
    pub fn decisions_before_last(&self, count: usize) -> Option<usize> {
        let recorded = self.game.recorded_inputs();
        let of_people = recorded
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, input)| !self.bots.contains_key(&input.by));
        of_people.map(|(place, _)| place).nth(count.checked_sub(1)?)
    }

    /// How many decisions of all stand when so many of one side do, and not
    /// one more. `None` if it never took so many.
    ///
    /// # Errors
    /// When there is no such side.
    pub fn decisions_after_own(&self, side: &str, own: usize) -> Result<Option<usize>, Trouble> {
        let side = self.side(side)?;
        Ok(self.numbers.place_of(Viewer::Side(side), own))
    }

    fn rewind(&mut self, keep: usize) -> Result<Undone, Trouble> {
        let gone = self.game.recorded_inputs()[keep..].to_vec();
        let count = gone.len();
        // The epoch of then, so that the dice are those of then.
        let epoch = gone.first().map_or(0, |input| input.epoch);
        self.game.undo(keep, epoch)?;
        self.redo.extend(gone.into_iter().rev());
        self.proposal = None;
        self.count_again();
        Ok(Undone::Done {
            decisions: keep,
            taken_back: count,
            epoch,
        })
    }

    fn agree(&mut self, side: Side, keep: usize) -> Result<Undone, Trouble> {
        let viewer = Viewer::Side(side);
        let stand = self.game.recorded_inputs().len();
        let point = match &self.proposal {
            // What another asks for, as this side counts it.
            Some(proposal) if self.numbers.own(viewer, proposal.keep) == keep => proposal.keep,
            _ => {
                self.refuse_ahead(viewer, keep)?;
                let own = self.numbers.place_of(viewer, keep).unwrap_or(stand);
                self.before_secrets(own)
            }
        };
        if point < stand && point == self.before_secrets(stand) {
            let reason = "what is still secret is not taken back together: take it back in its phase, \
                          or wait until it is shown";
            return Err(Trouble::refusal("taking back", reason));
        }
        let proposal = self
            .proposal
            .take()
            .filter(|proposal| proposal.keep == point);
        let (by, agreed) = proposal.map_or((side, 0), |proposal| (proposal.by, proposal.agreed));
        let proposal = Proposal {
            keep: point,
            by,
            agreed: agreed | 1 << side.0,
        };
        if !self.lacking(&proposal).is_empty() {
            let proposed = Undone::Proposed(self.proposal_for(viewer, &proposal));
            self.proposal = Some(proposal);
            self.has_moved();
            return Ok(proposed);
        }
        let before = self.numbers.own(viewer, stand);
        self.game.undo(point, self.game.next_epoch())?;
        // With other dice they would not be the same decisions.
        self.redo.clear();
        self.count_again();
        let decisions = self.numbers.own(viewer, point);
        Ok(Undone::Done {
            decisions,
            taken_back: before - decisions,
            epoch: self.game.game().epoch(),
        })
    }

    /// The sides that have yet to agree.
    fn lacking(&self, proposal: &Proposal) -> Vec<String> {
        let lacks =
            |side: &Side| proposal.agreed & (1 << side.0) == 0 && !self.bots.contains_key(side);
        self.sides()
            .map(|(side, _)| side)
            .filter(lacks)
            .map(|side| self.side_name(side))
            .collect()
    }

    fn proposal_for(&self, viewer: Viewer, proposal: &Proposal) -> UndoProposal {
        UndoProposal {
            by: self.side_name(proposal.by),
            decisions: self.numbers.own(viewer, proposal.keep),
            waiting_for: self.lacking(proposal),
        }
    }

    /// What a side has asked to take back, and others have not agreed to yet,
    /// in decisions of the viewer's own.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn undo_proposal(&self, viewer: &str) -> Result<Option<UndoProposal>, Trouble> {
        let viewer = self.viewer(viewer)?;
        Ok(self
            .proposal
            .as_ref()
            .map(|proposal| self.proposal_for(viewer, proposal)))
    }

    /// Where what sides do in secret began, if a place lies in the middle of
    /// it; the place itself otherwise.
    fn before_secrets(&self, place: usize) -> usize {
        let mut at = place;
        while at > 0 && self.goes_on_in_secret(at) {
            at -= 1;
        }
        at
    }

    /// Whether what is open before a decision was open before the one ahead of
    /// it too: a secret phase, or a question that several must answer.
    fn goes_on_in_secret(&self, place: usize) -> bool {
        let (Some(before), Some(last)) = (place.checked_sub(1), self.game.inputs().get(place - 1))
        else {
            return false;
        };
        let (then, now) = (self.game.game_before(before), self.game.game_before(place));
        if let Wanted::Answer { sides, question } = now.wanted()
            && sides.len() < question.to.len()
        {
            return true;
        }
        // The last who says that he is ready closes the phase.
        let is_closed = matches!(last, Input::Done { by } if then.wanted().sides() == [*by]);
        is_secret(then) && is_secret(now) && !is_closed
    }

    /// Whether sides decide in secret now, each for itself.
    pub(super) fn is_in_secret(&self) -> bool {
        let several =
            |wanted| matches!(wanted, Wanted::Answer { question, .. } if question.to.len() > 1);
        is_secret(self.game.game()) || several(self.game.wanted())
    }

    /// Makes the next decision again that was taken back.
    ///
    /// # Errors
    /// When nothing was taken back since the last decision, or the rules in
    /// force do not allow it any more.
    pub fn redo(&mut self) -> Result<Accepted, Trouble> {
        let Some(next) = self.redo.last().cloned() else {
            return Err(Trouble::refusal(
                "making it again",
                "nothing was taken back",
            ));
        };
        let input = decode(&next.text, self.game.game().world())
            .map_err(|reason| Trouble::refusal(next.text.clone(), reason))?;
        let (mut left, aside) = (std::mem::take(&mut self.redo), self.set_aside);
        match self.take(&input, next.key.as_ref()) {
            Ok(taken) => {
                left.pop();
                self.redo = left;
                self.set_aside = aside.min(self.redo.len());
                Ok(taken)
            }
            Err(trouble) => {
                self.redo = left;
                self.set_aside = aside;
                Err(trouble)
            }
        }
    }
}

fn is_secret(game: &kernel::game::Game) -> bool {
    game.flow()
        .phases()
        .any(kernel::sequence::PhaseFrame::is_secret)
}
