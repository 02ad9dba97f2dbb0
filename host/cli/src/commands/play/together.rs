//! Taking play back where players agree on it: what is asked, and no to it.

use houserule::embed::{ProposalOutcome, UndoProposal};
use houserule::printable::counted;

use super::session::Session;
use crate::failure::Failure;

impl Session<'_> {
    /// Tells whoever decides on this screen what others ask to take back: once, and
    /// before it says a word to that.
    pub(super) fn tell_proposal(&mut self) -> Result<(), Failure> {
        let by = self.decider();
        if matches!(&*by, "referee" | "spectator") {
            return Ok(());
        }
        let asked = self.table.undo_proposal(&by)?;
        let Some(asked) = asked.filter(|asked| asked.waiting_for.contains(&by)) else {
            return Ok(());
        };
        let told = (asked.number, by);
        if self.proposed.as_ref() == Some(&told) {
            return Ok(());
        }
        let lines = proposal_lines(&asked);
        lines.iter().try_for_each(|line| self.ui.line(line))?;
        self.proposed = Some(told);
        Ok(self.ui.flush()?)
    }

    /// Declines what others ask to take back, or withdraws what this side asks.
    pub(super) fn decline_undo(&mut self) -> Result<(), Failure> {
        let by = self.decider();
        if matches!(&*by, "referee" | "spectator") {
            return Ok(self.ui.line("no: nobody asks you to take anything back")?);
        }
        if let Err(trouble) = self.table.decline_undo(&by, None) {
            return self.trouble(trouble);
        }
        let ended = self.table.undo_proposal_end().map(|ended| ended.outcome);
        let what = match ended {
            Some(ProposalOutcome::Withdrawn) => "withdrawn: nobody is asked any longer",
            _ => "declined: all stands as it was",
        };
        Ok(self.ui.line(what)?)
    }
}

/// What would go, in the words in which the side was told of it, and what to say.
fn proposal_lines(asked: &UndoProposal) -> Vec<String> {
    let mut lines = vec![format!("{} asks to take back:", asked.by)];
    lines.extend(asked.what.iter().map(|line| format!("  {line}")));
    if asked.more > 0 {
        lines.push(format!("  and {}", counted(asked.more, "more decision")));
    }
    lines.push("  `undo` agrees, `undo no` declines".into());
    lines
}
