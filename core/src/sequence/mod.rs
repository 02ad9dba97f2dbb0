//! The sequence of play as state: an agenda of frames, the top of which says
//! what happens next or who must decide.

mod flow;
mod pad;

pub use flow::{Flow, Frame, PhaseFrame, WindowFrame};
pub use pad::Pad;
