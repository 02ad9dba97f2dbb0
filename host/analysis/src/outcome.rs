//! What a game or a case comes to, for comparison.

use kernel::event::EventContent;

/// One thing that it tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutcomePart {
    /// An event, without why it came about.
    Event(EventContent),
    /// Words: a line of a transcript, or why there is no more.
    Words(String),
}
