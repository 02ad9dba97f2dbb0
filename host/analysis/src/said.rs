//! What a game or a case says, for comparison.

use kernel::event::ToldEvent;

/// One thing that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// An event, without why it came about.
    Event(ToldEvent),
    /// Words: a line of a transcript, or why there is no more.
    Words(String),
}
