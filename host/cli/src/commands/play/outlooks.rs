//! What a player should know beside each choice of a list, and the line that
//! confirms what was declared.

use std::collections::BTreeMap;

use houserule::embed::{LegalAction, OddsAbout, Outlook, Plain, WireInput};
use houserule::printable::width;

use super::actions::{Begun, label_of, short_names};
use super::domains::{lines, offered};
use super::screen::{LET_GO, titles, with_title};
use super::session::Session;
use crate::failure::Failure;
use crate::paint::Paint;

/// What belongs to a choice stands under it, so far in.
const INDENT: &str = "       ";

impl Session<'_> {
    /// What there is to choose next, each choice with what the rules say of it.
    pub(super) fn offer(&mut self, begun: &Begun) -> Result<(), Failure> {
        self.ui
            .line(format!("{}  (`cancel` leaves)", begun.next.title))?;
        let choices = offered(&begun.next.domain);
        for (place, line) in lines(&begun.next.domain, self.metric)
            .into_iter()
            .enumerate()
        {
            self.ui.line(line)?;
            if let Some(value) = choices.get(place) {
                self.tell_outlook(begun, value)?;
            }
        }
        Ok(())
    }

    /// What can be done against what is happening, and what the rules say of
    /// each reaction that needs nothing more to be said.
    pub(super) fn offer_reactions(&mut self, side: &str, moment: &str) -> Result<(), Failure> {
        let legal = self.table.legal(side);
        // Some windows ask everybody, so that being asked tells nothing.
        let is_idle = legal.as_ref().is_ok_and(|legal| {
            let mut actions = legal.actions.iter();
            actions.all(|action| action.refused.is_some())
        });
        let may = match is_idle {
            true => "is asked, and can do nothing here",
            false => "may react",
        };
        self.ui.line(format!("[{moment}] {} {may}", side.bold()))?;
        let legal = match legal {
            Ok(legal) => legal,
            Err(trouble) => return self.trouble(trouble),
        };
        let view = self.table.view(side)?;
        let titles = titles(&view.entities);
        let names = short_names(&legal);
        for action in legal
            .actions
            .iter()
            .filter(|action| action.refused.is_none())
        {
            let name = names
                .iter()
                .find(|(id, _)| *id == action.id)
                .map_or(&*action.id, |(_, name)| name);
            let who = label_of(action).map_or(String::new(), |who| {
                format!(" {}", with_title(who, &titles))
            });
            self.ui
                .line(format!("  {}{who}  {}", name.bold(), action.title.dimmed()))?;
            self.tell_reaction(side, action)?;
        }
        match legal.decline {
            true => Ok(self
                .ui
                .line(format!("  {}  {}", "decline".bold(), LET_GO.dimmed()))?),
            false => Ok(()),
        }
    }

    fn tell_reaction(&mut self, side: &str, action: &LegalAction) -> Result<(), Failure> {
        let actor = action.actor_ref();
        let told = self
            .table
            .outlook(side, &action.id, actor.as_ref(), &BTreeMap::new());
        match told {
            Ok(Some(outlook)) => outlook_lines(&outlook, self.ui.width)
                .into_iter()
                .try_for_each(|line| self.ui.line(line))
                .map_err(Failure::from),
            Ok(None) => Ok(()),
            Err(trouble) => self.trouble(trouble),
        }
    }

    fn tell_outlook(&mut self, begun: &Begun, value: &Plain) -> Result<(), Failure> {
        match begun.outlook(&self.table, value) {
            Ok(Some(outlook)) => {
                for line in outlook_lines(&outlook, self.ui.width) {
                    self.ui.line(line)?;
                }
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(trouble) => self.trouble(trouble),
        }
    }

    /// Takes an action or a reaction, and says in a line what was declared.
    pub(super) fn declare(&mut self, input: &WireInput) -> Result<(), Failure> {
        let outlook = self.outlook_of(input);
        if let Err(trouble) = self.table.submit(input) {
            return self.trouble(trouble);
        }
        if let Some(Outlook {
            summary: Some(summary),
            notes,
            odds,
            ..
        }) = outlook
        {
            let rest = if notes.is_empty() {
                String::new()
            } else {
                format!(": {}", notes.join("; "))
            };
            self.ui.line(format!("  {}{rest}", summary.bold()))?;
            if let Some(odds) = &odds {
                self.ui.line(format!("  {}", chance(odds)))?;
            }
        }
        Ok(())
    }

    /// What the rules say of a whole decision; nothing, where they are broken:
    /// that is told when it is taken.
    fn outlook_of(&self, input: &WireInput) -> Option<Outlook> {
        let (by, id, actor, params) = match input {
            WireInput::Act {
                by,
                action,
                actor,
                params,
            } => (by, action, actor, params),
            WireInput::React {
                by,
                reaction,
                actor,
                params,
            } => (by, reaction, actor, params),
            _ => return None,
        };
        self.table
            .outlook(by, id, actor.as_ref(), params)
            .ok()
            .flatten()
    }
}

/// An outlook in lines under its choice.
fn outlook_lines(outlook: &Outlook, width: usize) -> Vec<String> {
    let room = width.saturating_sub(INDENT.len());
    let mut all: Vec<String> = joined(&outlook.notes, room)
        .into_iter()
        .map(|line| format!("{INDENT}{}", line.dimmed()))
        .collect();
    all.extend(
        outlook
            .odds
            .as_ref()
            .map(|odds| format!("{INDENT}{}", chance(odds))),
    );
    all.extend(
        outlook
            .warnings
            .iter()
            .map(|warning| format!("{INDENT}{} {warning}", "!".yellow())),
    );
    all
}

/// Notes with semicolons between, in lines of so much room.
fn joined(notes: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for note in notes {
        match lines.last_mut() {
            Some(line) if width(line) + width(note) + 2 <= room => {
                line.push_str("; ");
                line.push_str(note);
            }
            _ => lines.push(note.clone()),
        }
    }
    lines
}

/// The odds in a line: `chance  fit 54 %, damaged 15 %, knocked out 31 %`.
fn chance(odds: &OddsAbout) -> String {
    let about = if odds.exact { "" } else { "about " };
    let all = odds.outcomes.iter().map(|one| {
        format!(
            "{} {about}{}",
            one.outcome.replace('_', " "),
            percent(&one.decimal).bold()
        )
    });
    format!(
        "{}  {}",
        "chance".cyan(),
        all.collect::<Vec<_>>().join(", ")
    )
}

/// A decimal with six digits in per cent: whole from ten on, to a tenth below.
fn percent(decimal: &str) -> String {
    let millionths: u64 = decimal.replace('.', "").parse().unwrap_or(0);
    match millionths {
        0 => "0 %".into(),
        1..=999 => "under 0.1 %".into(),
        1_000..=99_499 => {
            let tenths = (millionths + 500) / 1_000;
            format!("{}.{} %", tenths / 10, tenths % 10)
        }
        _ => format!("{} %", (millionths + 5_000) / 10_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_told_in_per_cent() {
        assert_eq!(percent("0.538838"), "54 %");
        assert_eq!(percent("0.016522"), "1.7 %");
        assert_eq!(percent("0.000400"), "under 0.1 %");
        assert_eq!(percent("1.000000"), "100 %");
        assert_eq!(percent("0.000000"), "0 %");
    }

    #[test]
    fn notes_share_a_line_while_there_is_room() {
        let notes = [
            "26 in, medium".to_string(),
            "d8 against d6".into(),
            "3 chits".into(),
        ];
        assert_eq!(
            joined(&notes, 80),
            ["26 in, medium; d8 against d6; 3 chits"]
        );
        assert_eq!(
            joined(&notes, 30),
            ["26 in, medium; d8 against d6", "3 chits"]
        );
    }
}
