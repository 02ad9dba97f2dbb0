//! Taking play back, and making it again.
//!
//! Whoever asks counts decisions of its own; what is told of it to others is
//! counted in theirs. Players never go back into the middle of what sides did
//! in secret: where one of them began would tell who was first.

use analysis::refused;
use kernel::decision::Input;
use kernel::engine::Wanted;
use kernel::record::decode;
use kernel::value::Side;
use kernel::world::Viewer;

use super::{
    Accepted, ProposalEnd, ProposalOutcome, Tabletop, Trouble, UndoPolicy, UndoProposal, Undone,
};

/// Of what would be taken back so many decisions are told; how many more there
/// are is said.
const MOST_LINES: usize = 12;

/// What sides ask each other to take back.
#[derive(Default)]
pub(super) struct Proposals {
    open: Option<Proposal>,
    /// How many there were so far.
    count: u32,
    /// How the last one came to its end.
    ended: Option<ProposalEnd>,
}

/// What a side has asked to take back.
#[derive(Clone)]
struct Proposal {
    number: u32,
    /// How many decisions would stand.
    keep: usize,
    /// Who asked first.
    by: Side,
    /// Who wants it, one bit each.
    agreed: u32,
}

impl Proposals {
    /// The game goes on, or is another: what was asked is asked no longer.
    pub fn lapse(&mut self) {
        self.end(ProposalOutcome::Lapsed, None);
    }

    /// So few decisions stand that nothing is left to be taken back.
    pub fn lapse_at(&mut self, stand: usize) {
        if self.open.as_ref().is_some_and(|open| open.keep >= stand) {
            self.lapse();
        }
    }

    fn end(&mut self, outcome: ProposalOutcome, by: Option<String>) {
        if self.open.take().is_some() {
            self.ended = Some(ProposalEnd { outcome, by });
        }
    }

    /// What a side would ask: it is not asked yet.
    fn next(&self, by: Side, keep: usize) -> Proposal {
        Proposal {
            number: self.count + 1,
            keep,
            by,
            agreed: 0,
        }
    }

    /// What is asked from now on, in place of what was.
    fn ask(&mut self, proposal: Proposal) {
        self.count = proposal.number;
        self.open = Some(proposal);
    }
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
                self.propose(side, keep)
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
        self.proposals.lapse();
        self.count_again();
        Ok(Undone::Done {
            decisions: keep,
            taken_back: count,
            epoch,
        })
    }

    /// Asks the others for a point, or agrees to it if another asks for that.
    fn propose(&mut self, side: Side, keep: usize) -> Result<Undone, Trouble> {
        let viewer = Viewer::Side(side);
        let stand = self.game.recorded_inputs().len();
        let asked = self.proposals.open.clone();
        // What another asks for, as this side counts it.
        if let Some(open) = &asked
            && self.numbers.own(viewer, open.keep) == keep
        {
            return self.agree_to(side, open.clone());
        }
        self.refuse_ahead(viewer, keep)?;
        let own = self.numbers.place_of(viewer, keep).unwrap_or(stand);
        let keep = self.before_secrets(own);
        let proposal = match asked.filter(|open| open.keep == keep) {
            Some(open) => open,
            None => self.proposals.next(side, keep),
        };
        self.agree_to(side, proposal)
    }

    /// Agrees to what was asked under a number, and to nothing else.
    ///
    /// # Errors
    /// When it is asked no longer, or where an umpire rules.
    pub fn agree_to_undo(&mut self, by: &str, number: u32) -> Result<Undone, Trouble> {
        let side = self.side(by)?;
        let asked = self.asked_under(Some(number))?;
        self.agree_to(side, asked)
    }

    /// Declines what another side has asked to take back, or withdraws what this
    /// one has: under a number, or whatever is asked now.
    ///
    /// # Errors
    /// When nothing of the kind is asked, or the side has no say in it.
    pub fn decline_undo(&mut self, by: &str, number: Option<u32>) -> Result<(), Trouble> {
        let side = self.side(by)?;
        let asked = self.asked_under(number)?;
        let outcome = match side == asked.by {
            true => ProposalOutcome::Withdrawn,
            false => ProposalOutcome::Declined,
        };
        self.proposals.end(outcome, Some(self.side_name(side)));
        self.has_moved();
        Ok(())
    }

    fn asked_under(&self, number: Option<u32>) -> Result<Proposal, Trouble> {
        let open = self.proposals.open.clone();
        open.filter(|open| number.is_none_or(|number| number == open.number))
            .ok_or_else(|| Trouble::refusal("taking back", "nobody asks for that any longer"))
    }

    fn agree_to(&mut self, side: Side, proposal: Proposal) -> Result<Undone, Trouble> {
        let viewer = Viewer::Side(side);
        let stand = self.game.recorded_inputs().len();
        let point = proposal.keep;
        if point < stand && point == self.before_secrets(stand) {
            let reason = "what is still secret is not taken back together: take it back in its phase, \
                          or wait until it is shown";
            return Err(Trouble::refusal("taking back", reason));
        }
        let proposal = Proposal {
            agreed: proposal.agreed | 1 << side.0,
            ..proposal
        };
        if !self.lacking(&proposal).is_empty() {
            let proposed = Undone::Proposed(self.proposal_for(viewer, &proposal));
            self.proposals.ask(proposal);
            self.has_moved();
            return Ok(proposed);
        }
        let before = self.numbers.own(viewer, stand);
        self.game.undo(point, self.game.next_epoch())?;
        self.proposals.end(ProposalOutcome::Agreed, None);
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
        let mut what = self.told_of_decisions_from(viewer, proposal.keep);
        let more = what.len().saturating_sub(MOST_LINES);
        what.truncate(MOST_LINES);
        UndoProposal {
            number: proposal.number,
            by: self.side_name(proposal.by),
            decisions: self.numbers.own(viewer, proposal.keep),
            waiting_for: self.lacking(proposal),
            what,
            more,
        }
    }

    /// How a viewer was told of the decisions from a place on: a line for each
    /// that it was told of.
    fn told_of_decisions_from(&self, viewer: Viewer, place: usize) -> Vec<String> {
        // What an open step had told by then stays told.
        let from =
            self.game.events_before(place) + self.game.game_before(place).open_events().len();
        let mut lines = Vec::new();
        let mut is_untold = false;
        for event in self.told_from(viewer, from) {
            let is_decision = is_of_decision(&event.kind);
            is_untold |= is_decision;
            let Some(line) = event.text.first().filter(|_| is_untold) else {
                continue;
            };
            if is_decision || event.kind != "phase" {
                lines.push(line.trim().to_string());
                is_untold = false;
            }
        }
        lines
    }

    /// What a side has asked to take back, and others have not agreed to yet,
    /// in decisions of the viewer's own and in the words of its log.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn undo_proposal(&self, viewer: &str) -> Result<Option<UndoProposal>, Trouble> {
        let viewer = self.viewer(viewer)?;
        let open = self.proposals.open.as_ref();
        Ok(open.map(|proposal| self.proposal_for(viewer, proposal)))
    }

    /// How what was asked last came to its end; nothing if it is asked still, or
    /// nothing ever was.
    pub fn undo_proposal_end(&self) -> Option<&ProposalEnd> {
        let ended = self.proposals.ended.as_ref();
        ended.filter(|_| self.proposals.open.is_none())
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
    pub(super) fn goes_on_in_secret(&self, place: usize) -> bool {
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
            .map_err(|reason| Trouble::refusal("making it again", refused::in_words(&reason)))?;
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

/// Whether an event tells of a decision by itself.
fn is_of_decision(kind: &str) -> bool {
    matches!(
        kind,
        "action" | "reaction" | "answer" | "pass" | "done" | "taken_back"
    )
}

fn is_secret(game: &kernel::game::Game) -> bool {
    game.flow()
        .phases()
        .any(kernel::sequence::PhaseFrame::is_secret)
}
