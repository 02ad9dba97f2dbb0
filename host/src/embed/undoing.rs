//! Taking play back, and making it again.

use kernel::record::decode;
use kernel::value::Side;

use super::{Tabletop, Taken, Trouble, UndoPolicy, Undone};

/// What sides have agreed to take back.
pub(super) struct Wish {
    /// How many decisions would stand.
    keep: usize,
    /// Who wants it, one bit each.
    agreed: u32,
}

impl Tabletop {
    /// Takes play back to where so many decisions had been taken.
    ///
    /// Where an umpire rules, anybody may say so (`by` is a side or
    /// `referee`), and the dice stay the same. Where players agree, each side
    /// that no bot plays must say it; then all dice from there on are new.
    ///
    /// # Errors
    /// When there are not so many decisions, when play is between players and
    /// no side says it, or when the rules in force no longer fit.
    pub fn undo(&mut self, by: &str, keep: usize) -> Result<Undone, Trouble> {
        let found = self.game.said().len();
        if keep >= found {
            let reason = match found {
                0 => "the game is at its start".to_string(),
                _ if keep == found => format!("{found} decisions stand already"),
                _ => format!("{found} decisions stand, and {keep} would be no fewer"),
            };
            return Err(Trouble::refusal("taking back", reason));
        }
        match self.policy {
            UndoPolicy::Umpire => {
                if by != "referee" {
                    self.side(by)?;
                }
                self.rewind(keep)
            }
            UndoPolicy::Agreed => self.agree(by, keep),
        }
    }

    /// How many decisions stand before the last `count` that people made: what
    /// bots did after them goes too. `None` if people made fewer.
    pub fn decisions_before_last(&self, count: usize) -> Option<usize> {
        let said = self.game.said();
        let of_people = said.iter().enumerate().rev().filter(|(_, said)| !self.bots.contains_key(&said.by));
        of_people.map(|(place, _)| place).nth(count.checked_sub(1)?)
    }

    fn rewind(&mut self, keep: usize) -> Result<Undone, Trouble> {
        let gone = self.game.said()[keep..].to_vec();
        let count = gone.len();
        // The epoch of then, so that the dice are those of then.
        let epoch = gone.first().map_or(0, |said| said.epoch);
        self.game.undo(keep, epoch)?;
        self.redo.extend(gone.into_iter().rev());
        self.wish = None;
        Ok(self.undone(keep, count))
    }

    fn agree(&mut self, by: &str, keep: usize) -> Result<Undone, Trouble> {
        let side = self.side(by)?;
        let wish = self.wish.take().filter(|wish| wish.keep == keep);
        let agreed = wish.map_or(0, |wish| wish.agreed) | 1 << side.0;
        let lacks = |side: &Side| agreed & (1 << side.0) == 0 && !self.bots.contains_key(side);
        let waiting: Vec<String> =
            self.sides().map(|(side, _)| side).filter(lacks).map(|side| self.side_name(side)).collect();
        if !waiting.is_empty() {
            self.wish = Some(Wish { keep, agreed });
            return Ok(Undone::Proposed { decisions: keep, waiting_for: waiting });
        }
        let count = self.game.said().len() - keep;
        self.game.undo(keep, self.game.next_epoch())?;
        // With other dice they would not be the same decisions.
        self.redo.clear();
        Ok(self.undone(keep, count))
    }

    fn undone(&self, keep: usize, taken_back: usize) -> Undone {
        Undone::Done { decisions: keep, taken_back, epoch: self.game.game().epoch() }
    }

    /// Makes the next decision again that was taken back.
    ///
    /// # Errors
    /// When nothing was taken back since the last decision, or the rules in
    /// force do not allow it any more.
    pub fn redo(&mut self) -> Result<Taken, Trouble> {
        let Some(next) = self.redo.last().cloned() else {
            return Err(Trouble::refusal("making it again", "nothing was taken back"));
        };
        let input = decode(&next.text, self.game.game().world())
            .map_err(|reason| Trouble::refusal(next.text.clone(), reason))?;
        let (mut left, aside) = (std::mem::take(&mut self.redo), self.set_aside);
        match self.take(&input) {
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
