#[cfg(feature = "internal-span-substring-test")]
pub mod span_substring;
