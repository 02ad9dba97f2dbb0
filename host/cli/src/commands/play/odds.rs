//! The odds of an action at the table, before it is done.

use std::collections::BTreeMap;

use houserule::embed::{OddsAbout, OddsQuestion, Trouble};

use super::actions::{Progress, action_called, begin};
use super::session::Session;
use super::words::parts;
use crate::commands::odds::print;
use crate::failure::Failure;

/// What comes before the outcome that is asked for.
const BY: &str = " by ";

impl Session<'_> {
    /// Prints odds, and how to ask for less than all that happens.
    fn tell_odds(&mut self, act: &str, odds: &OddsAbout) -> Result<(), Failure> {
        print(act, odds, self.ui)?;
        let Some(example) = &odds.example else {
            return Ok(());
        };
        let act = act.trim();
        let hint = format!("  for an outcome: `odds {act} by {example}`");
        Ok(self.ui.line(hint)?)
    }

    /// `odds fire blue-1 red-1 by red-1.status`: as whoever looks may know them.
    pub(super) fn odds(&mut self, line: &str) -> Result<(), Failure> {
        let question = line
            .trim()
            .split_once(' ')
            .map_or("", |(_, question)| question);
        let (act, by) = match question.split_once(BY) {
            Some((act, by)) => (act, Some(by.trim().to_string())),
            None => (question, None),
        };
        let words = parts(act);
        let Some((name, rest)) = words.split_first() else {
            return Ok(self
                .ui
                .line("no: say of what: `odds ACTION WHO … [by OUTCOME]`")?);
        };
        let decider = self.decider();
        let legal = match self.table.legal(&decider) {
            Ok(legal) => legal,
            Err(trouble) => return self.trouble(trouble),
        };
        let Some(id) = action_called(&legal, name) else {
            return Ok(self
                .ui
                .line(format!("no: nothing is called `{name}` here; try `legal`"))?);
        };
        match begin(&mut self.table, &decider, legal, &id, rest, self.metric) {
            Ok(Progress::Whole(input)) => {
                let asks = OddsQuestion {
                    input,
                    by,
                    answers: BTreeMap::new(),
                    others: None,
                };
                match self.table.odds(&self.seat, &asks) {
                    Ok(odds) => self.tell_odds(act, &odds),
                    Err(trouble) => {
                        // Whatever else is wrong, the referee is told no more of it.
                        let is_hidden =
                            matches!(&trouble, Trouble::Refusal { what, .. } if what.is_empty());
                        self.trouble(trouble)?;
                        if is_hidden && self.has_secrets && self.seat != "referee" {
                            self.ui.line(
                                "  the referee may know more: `view referee`, then ask again",
                            )?;
                        }
                        Ok(())
                    }
                }
            }
            Ok(Progress::Begun(begun)) => Ok(self.ui.line(format!(
                "no: say all of it; `{}` is missing",
                begun.next.name
            ))?),
            Ok(Progress::Unclear(reason)) => Ok(self.ui.line(format!("no: {reason}"))?),
            Err(trouble) => self.trouble(trouble),
        }
    }
}
