//! What clients have said and is not done yet: each seat's in its order, and seats in
//! turns, so that nobody waits for more than one message of another.

use std::collections::VecDeque;

use houserule::embed::rpc::{ConnectionId, LARGEST_BATCH};
use serde_json::Value as Json;
use tokio::sync::oneshot;

/// Who speaks: whoever holds a seat, by however many connections, or who holds none yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// Whoever holds the seat of that number.
    Seat(u32),
    /// Nobody yet.
    Stranger(ConnectionId),
}

/// Where the reply to a line goes.
pub type ReplyTo = Option<oneshot::Sender<Option<String>>>;

/// A line that is being done, message by message.
pub struct WaitingLine {
    /// Whose it is.
    pub id: ConnectionId,
    /// Who waits for its reply, if that is not the connection itself.
    pub given: ReplyTo,
    left: VecDeque<LinePart>,
    /// The replies so far, of a batch.
    replies: Option<Vec<String>>,
}

/// One message, or a line that is no batch to be parted.
pub enum LinePart {
    /// A message of a batch.
    Message(Json),
    /// A line as it came.
    Line(Vec<u8>),
}

impl WaitingLine {
    /// A line of a connection.
    pub fn new(id: ConnectionId, line: Vec<u8>, given: ReplyTo) -> WaitingLine {
        let is_batch = line.trim_ascii_start().starts_with(b"[");
        let batch = is_batch.then(|| serde_json::from_slice::<Vec<Json>>(&line).ok());
        let batch = batch
            .flatten()
            .filter(|batch| (1..=LARGEST_BATCH).contains(&batch.len()));
        let (left, replies) = match batch {
            Some(batch) => (
                batch.into_iter().map(LinePart::Message).collect(),
                Some(Vec::new()),
            ),
            None => (VecDeque::from([LinePart::Line(line)]), None),
        };
        WaitingLine {
            id,
            given,
            left,
            replies,
        }
    }

    /// What is to be done next.
    pub fn next(&mut self) -> Option<LinePart> {
        self.left.pop_front()
    }

    /// Whether all of it is done.
    pub fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    /// Notes the reply to what was done: that to the line, when all of it is.
    pub fn replied(&mut self, reply: Option<String>) -> Option<String> {
        match &mut self.replies {
            None => reply,
            Some(replies) => {
                replies.extend(reply);
                let is_last = self.left.is_empty() && !replies.is_empty();
                is_last.then(|| format!("[{}]", replies.join(",")))
            }
        }
    }
}

/// All that waits.
#[derive(Default)]
pub struct Turns(VecDeque<(Speaker, VecDeque<WaitingLine>)>);

impl Turns {
    /// Somebody has said something. What one connection says stays in its order, also
    /// where it takes a seat meanwhile.
    pub fn push(&mut self, speaker: Speaker, said: WaitingLine) {
        let of_connection = |(_, lines): &&mut (Speaker, VecDeque<WaitingLine>)| {
            lines.iter().any(|line| line.id == said.id)
        };
        let found = match self.0.iter_mut().find(of_connection) {
            Some(found) => Some(found),
            None => self.0.iter_mut().find(|(other, _)| *other == speaker),
        };
        match found {
            Some((_, lines)) => lines.push_back(said),
            None => self.0.push_back((speaker, VecDeque::from([said]))),
        }
    }

    /// Whose turn it is, and what is said.
    pub fn next(&mut self) -> Option<(Speaker, WaitingLine)> {
        let (speaker, mut lines) = self.0.pop_front()?;
        let said = lines.pop_front()?;
        if !lines.is_empty() {
            self.0.push_back((speaker, lines));
        }
        Some((speaker, said))
    }

    /// Puts back what is not done, before all else that its speaker says; others come first.
    pub fn put_back(&mut self, speaker: Speaker, said: WaitingLine) {
        match self.0.iter().position(|(other, _)| *other == speaker) {
            Some(at) => {
                if let Some((_, mut lines)) = self.0.remove(at) {
                    lines.push_front(said);
                    self.0.push_back((speaker, lines));
                }
            }
            None => self.0.push_back((speaker, VecDeque::from([said]))),
        }
    }

    /// Somebody is gone: nobody waits for what it has said.
    pub fn forget(&mut self, id: ConnectionId) {
        for (_, lines) in &mut self.0 {
            lines.retain(|said| said.id != id);
        }
        self.0.retain(|(_, lines)| !lines.is_empty());
    }

    /// How many lines wait.
    pub fn len(&self) -> usize {
        self.0.iter().map(|(_, lines)| lines.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use houserule::embed::rpc::Server;

    use super::*;

    /// Does all that waits: what is done, by the texts of the messages.
    fn done(turns: &mut Turns) -> Vec<String> {
        let mut done = Vec::new();
        while let Some((speaker, mut said)) = turns.next() {
            match said.next().unwrap() {
                LinePart::Message(message) => done.push(message.to_string()),
                LinePart::Line(line) => done.push(String::from_utf8(line).unwrap()),
            }
            if !said.is_done() {
                turns.put_back(speaker, said);
            }
        }
        done
    }

    #[test]
    fn seats_take_turns_and_each_is_heard_in_its_order() {
        let mut server = Server::new(Vec::<PathBuf>::new());
        let [red, other, blue, guest] = [(); 4].map(|()| server.connect());
        let say = |turns: &mut Turns, speaker, id, line: &str| {
            turns.push(
                speaker,
                WaitingLine::new(id, line.as_bytes().to_vec(), None),
            );
        };
        let mut turns = Turns::default();
        say(&mut turns, Speaker::Seat(1), red, "[1,2,3]");
        say(&mut turns, Speaker::Seat(1), other, "4");
        say(&mut turns, Speaker::Seat(2), blue, "b");
        say(&mut turns, Speaker::Stranger(guest), guest, "g");
        // It has sat down beside blue by now, and its line before that is not done.
        say(&mut turns, Speaker::Seat(2), guest, "h");
        say(&mut turns, Speaker::Seat(2), blue, "c");
        assert_eq!(turns.len(), 6);
        assert_eq!(done(&mut turns), ["1", "b", "g", "2", "c", "h", "3", "4"]);
        assert_eq!(turns.len(), 0);
        say(&mut turns, Speaker::Seat(1), red, "[1,2]");
        say(&mut turns, Speaker::Seat(1), other, "3");
        turns.forget(red);
        assert_eq!(done(&mut turns), ["3"]);
    }

    #[test]
    fn replies_to_a_batch_come_together_and_in_order() {
        let id = Server::new(Vec::<PathBuf>::new()).connect();
        let mut said = WaitingLine::new(id, b" [1,2,3]".to_vec(), None);
        let mut replies = Vec::new();
        for reply in [Some("a".to_string()), None, Some("c".to_string())] {
            assert!(matches!(said.next(), Some(LinePart::Message(_))));
            replies.push(said.replied(reply));
        }
        assert_eq!(replies, [None, None, Some("[a,c]".to_string())]);
        for whole in ["[]", "[1", "{}"] {
            let mut said = WaitingLine::new(id, whole.as_bytes().to_vec(), None);
            assert!(matches!(said.next(), Some(LinePart::Line(_))) && said.is_done());
            assert_eq!(
                said.replied(Some("r".into())),
                Some("r".to_string()),
                "{whole}"
            );
        }
    }
}
