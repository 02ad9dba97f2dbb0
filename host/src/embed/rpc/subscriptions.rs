//! Those who asked to be told news and prompts, and how far they have been.

use kernel::stamp::Stamp;
use serde_json::json;

use super::Right;
use super::messages::notification;
use crate::embed::{NumberedPrompt, Tabletop, UndoProposal};

/// A notification tells at most so many events; more come in the next.
const MOST_NEWS: u32 = 500;

/// Who wants to be told, and how far they have been.
pub(super) struct Subscription {
    pub viewer: String,
    pub right: Right,
    pub timeline: u32,
    pub since: u32,
    pub prompt: Option<NumberedPrompt>,
    pub proposal: Option<UndoProposal>,
    /// When it was last told.
    pub moment: Stamp,
}

impl Subscription {
    /// One who has been told nothing yet.
    pub fn new(viewer: String, right: Right) -> Subscription {
        let (timeline, since, moment) = (0, 0, Stamp::NONE);
        Subscription {
            viewer,
            right,
            timeline,
            since,
            prompt: None,
            proposal: None,
            moment,
        }
    }

    /// Another game begins.
    pub fn begin(&mut self) {
        *self = Subscription::new(std::mem::take(&mut self.viewer), self.right);
    }

    /// Tells what is new.
    pub fn tell(&mut self, table: &Tabletop, out: &mut Vec<String>) {
        if self.moment == table.moment() {
            return;
        }
        self.moment = table.moment();
        loop {
            let news = table.some_news(&self.viewer, self.timeline, self.since, Some(MOST_NEWS));
            let Ok(news) = news else { return };
            let is_new = !news.events.is_empty() || news.timeline != self.timeline;
            (self.timeline, self.since) = (news.timeline, news.last);
            if is_new {
                out.push(notification(
                    "news",
                    &json!({ "viewer": self.viewer, "news": news }),
                ));
            }
            if !news.more {
                break;
            }
        }
        let (Ok(prompt), Ok(proposal)) = (
            table.asking(&self.viewer),
            table.undo_proposal(&self.viewer),
        ) else {
            return;
        };
        if self.prompt.as_ref() != Some(&prompt) {
            out.push(notification(
                "prompt",
                &json!({ "viewer": self.viewer, "prompt": prompt }),
            ));
            self.prompt = Some(prompt);
        }
        if self.proposal != proposal {
            let mut told = json!({ "viewer": self.viewer, "wish": proposal });
            if let (None, Some(end)) = (&proposal, table.undo_proposal_end()) {
                told["ended"] = json!(end);
            }
            out.push(notification("undo", &told));
            self.proposal = proposal;
        }
    }
}
