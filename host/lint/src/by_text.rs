//! What was made of texts, kept by the texts: whoever looks again after an edit
//! reads the one file that was edited.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// When so many are kept, all are forgotten.
const MOST: usize = 4096;

/// What was made of texts.
pub(crate) struct ByText<T>(Mutex<BTreeMap<[u8; 32], Arc<T>>>);

impl<T> ByText<T> {
    /// Nothing yet.
    pub const fn new() -> ByText<T> {
        ByText(Mutex::new(BTreeMap::new()))
    }

    /// What was made of these texts, or is now.
    pub fn get(&self, texts: &[&str], make: impl FnOnce() -> T) -> Arc<T> {
        let key = key(texts);
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept().get(&key) {
            return found.clone();
        }
        let made = Arc::new(make());
        let mut all = kept();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, made.clone());
        made
    }
}

/// Each text with its length, so that no two run together.
fn key(texts: &[&str]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::ByText;

    #[test]
    fn what_was_made_of_a_text_is_made_once() {
        let kept = ByText::new();
        let made = |texts: &[&str]| *kept.get(texts, || texts.concat().len());
        assert_eq!((made(&["ab", "c"]), made(&["a", "bc"])), (3, 3));
        assert_eq!(*kept.get(&["ab", "c"], || 0), 3);
        assert_eq!(*kept.get(&["abc"], || 0), 0);
    }
}
