//! What is sent next in a game: decisions, wishes to take play back, and now
//! and then a bot that decides.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::Lockstep;
use crate::door::HOST;
use crate::player::Line;

impl Lockstep<'_> {
    /// What somebody sends next: a decision, or now and then a wish to take
    /// play back.
    pub(super) fn next_line(&mut self, waiting: &BTreeSet<String>) -> Option<Line> {
        if let Some(line) = self.agreement() {
            return Some(line);
        }
        if self.lines.len() > 6 && self.player.once_in(30) {
            return self.undo();
        }
        let sides: Vec<String> = waiting.iter().cloned().collect();
        if self.bot.is_some() || (!sides.is_empty() && self.player.once_in(24)) {
            return self.bot_line(&sides);
        }
        let side = self.player.one_of(&sides)?.clone();
        self.player.decide(&mut self.base, &side)
    }

    /// A bot decides for a side, once.
    fn bot_line(&mut self, sides: &[String]) -> Option<Line> {
        let line = |method: &str, params| Line {
            seat: HOST.into(),
            method: method.into(),
            params,
        };
        match self.bot.take() {
            None => {
                let side = self.player.one_of(sides)?.clone();
                self.bot = Some((side.clone(), false));
                Some(line("set_bot", json!({ "side": side, "bot": "random" })))
            }
            Some((side, false)) => {
                self.bot = Some((side, true));
                Some(line("bot_turn", json!({})))
            }
            Some((side, true)) => Some(line("set_bot", json!({ "side": side, "bot": null }))),
        }
    }

    fn undo(&mut self) -> Option<Line> {
        let standing = self.base.ask(HOST, "standing", json!({}));
        let decisions = standing["decisions"].as_u64()?;
        let keep = decisions.saturating_sub(1 + self.player.below(4) as u64);
        let line = |method: &str, params| Line {
            seat: HOST.into(),
            method: method.into(),
            params,
        };
        match standing["redoable"].as_u64() {
            Some(1..) if self.player.once_in(2) => Some(line("redo", json!({}))),
            _ if self.spec.is_agreed => {
                let sides = self.base.sides.clone();
                let seat = self.player.one_of(&sides)?.clone();
                let count = 1 + self.player.below(2) as u64;
                self.undo_of(seat, count)
            }
            _ => Some(line("undo", json!({ "by": HOST, "keep": keep }))),
        }
    }

    /// A side asks for so many decisions of its own to be taken back.
    fn undo_of(&mut self, seat: String, count: u64) -> Option<Line> {
        let own = self.base.ask(&seat, "standing", json!({}))["decisions"].as_u64()?;
        let params = json!({ "by": seat, "keep": own.saturating_sub(count) });
        Some(Line {
            seat,
            method: "undo".into(),
            params,
        })
    }

    /// Another side agrees to what one has asked to take back, more often than
    /// not.
    fn agreement(&mut self) -> Option<Line> {
        let last = self
            .before
            .as_ref()
            .map(|(_, step)| step)
            .filter(|step| step.line.method == "undo")?;
        let waiting = last.sent.result()["waiting_for"].as_array()?.clone();
        let seat = waiting.first()?.as_str()?.to_string();
        let messages = last
            .sent
            .to(&seat)
            .iter()
            .map(|line| serde_json::from_str::<Json>(line).unwrap());
        let proposal = messages.into_iter().find(|line| line["method"] == "undo")?;
        let keep = proposal["params"]["wish"]["decisions"].as_u64()?;
        if self.player.once_in(4) {
            return None;
        }
        let params = json!({ "by": seat, "keep": keep });
        Some(Line {
            seat,
            method: "undo".into(),
            params,
        })
    }
}
