//! Chance that is a function of the place.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use super::DrawPosition;

/// The number in `0..bound` at each place.
#[derive(Clone)]
pub(super) struct GivenNumbers(
    pub(super) Arc<dyn Fn(DrawPosition, NonZeroU32) -> u32 + Send + Sync>,
);

impl fmt::Debug for GivenNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Given(..)")
    }
}
