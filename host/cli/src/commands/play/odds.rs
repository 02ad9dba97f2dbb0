//! The odds of an action at the table, before it is done.

use std::collections::BTreeMap;

use houserule::embed::OddsQuestion;

use super::actions::{Progress, action_called, begin};
use super::session::Session;
use super::words::parts;
use crate::commands::odds::print;
use crate::ui::Failure;

/// What comes before the outcome that is asked for.
const BY: &str = " by ";

impl Session<'_> {
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
                    Ok(odds) => Ok(print(act, &odds, self.ui)?),
                    Err(trouble) => {
                        self.trouble(trouble)?;
                        if self.has_secrets && self.seat != "referee" {
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
