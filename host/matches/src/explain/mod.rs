//! Why something came out as it did: the tree of rules behind an event, with
//! the clauses that changed them, the rows, options, dice and chits.

mod narration;
mod tree;

pub use narration::{Scene, WhyLine};
pub use tree::{InputTrace, TraceItem, TracedCall, Trail, Why, WhyStep};
