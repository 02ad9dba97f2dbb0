//! What a game or a case says, for comparison.

use kernel::event::EventContent;

/// One thing that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// An event, without why it came about.
    Event(EventContent),
    /// Words: a line of a transcript, or why there is no more.
    Words(String),
}
