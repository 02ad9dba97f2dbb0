//! Chance that is a function of the place.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use super::{DrawPosition, ScriptedOrder, ShufflePosition};

/// The number in `0..bound` at each place, and who is told of orders.
#[derive(Clone)]
pub(super) struct GivenNumbers {
    pub(super) by: Arc<dyn Fn(DrawPosition, NonZeroU32) -> u32 + Send + Sync>,
    pub(super) orders: Option<Arc<dyn Fn(ShufflePosition, ScriptedOrder) + Send + Sync>>,
}

impl fmt::Debug for GivenNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Given(..)")
    }
}
