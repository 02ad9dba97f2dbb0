//! What is read of a text alone: its code and its headers. A suite composes the
//! same texts hundreds of times, and each process those of the process before,
//! so both are found once in a process and kept for the next one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::prelude::*;
use rules::kept;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::code::{Assigner, assigners};
use crate::headers::{self, Headers};
use crate::vm::compiler;

/// A text, and what was read of it so far.
#[derive(Default)]
pub(crate) struct ScriptText {
    source: Arc<str>,
    code: OnceLock<Option<Box<[u8]>>>,
    headers: OnceLock<Arc<Headers>>,
    assigners: OnceLock<Result<Vec<Assigner>, String>>,
}

/// Code and headers, by the hash of their text.
type KeptTexts = FxHashMap<[u8; 32], (Box<[u8]>, Option<Headers>)>;

/// All texts that were met, by what is in them.
#[derive(Default)]
struct Texts {
    met: FxHashMap<Arc<str>, Arc<ScriptText>>,
    /// What the process before has kept, by the hash of its text, as long as
    /// nobody has met that.
    kept: KeptTexts,
    /// Whether one was met of which nothing was kept.
    is_new: bool,
}

static TEXTS: Mutex<Option<Texts>> = Mutex::new(None);

/// When so many are met, all are forgotten: long sessions of editing must not
/// fill the memory.
const MOST: usize = 4096;

fn with<T>(work: impl FnOnce(&mut Texts) -> T) -> T {
    // Another thread that broke while it held the lock has left whole entries.
    let mut texts: MutexGuard<'_, Option<Texts>> =
        TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    work(texts.get_or_insert_default())
}

/// A text and what is known of it.
pub(crate) fn of(source: &Arc<str>) -> Arc<ScriptText> {
    let (found, may_be_kept) =
        with(|texts| (texts.met.get(&**source).cloned(), !texts.kept.is_empty()));
    if let Some(found) = found {
        return found;
    }
    let hash = may_be_kept.then(|| *blake3::hash(source.as_bytes()).as_bytes());
    with(|texts| {
        if let Some(found) = texts.met.get(&**source) {
            return found.clone();
        }
        let (code, headers) = (OnceLock::new(), OnceLock::new());
        match hash.and_then(|hash| texts.kept.remove(&hash)) {
            Some((kept_code, kept_headers)) => {
                let _ = code.set(Some(kept_code));
                kept_headers
                    .into_iter()
                    .for_each(|kept| drop(headers.set(Arc::new(kept))));
            }
            None => texts.is_new = true,
        }
        let text = ScriptText {
            source: source.clone(),
            code,
            headers,
            assigners: OnceLock::new(),
        };
        if texts.met.len() >= MOST {
            texts.met.clear();
        }
        let text = Arc::new(text);
        texts.met.insert(source.clone(), text.clone());
        text
    })
}

impl ScriptText {
    /// Its code; none if it does not compile.
    pub fn code(&self) -> Option<&[u8]> {
        let compile = || {
            compiler()
                .compile(&*self.source)
                .ok()
                .map(Vec::into_boxed_slice)
        };
        self.code.get_or_init(compile).as_deref()
    }

    pub fn headers(&self) -> &Arc<Headers> {
        self.headers
            .get_or_init(|| Arc::new(headers::read(&self.source)))
    }

    /// Its functions that assign to locals outside of them, or why that cannot
    /// be told.
    pub fn assigners(&self) -> &Result<Vec<Assigner>, String> {
        self.assigners
            .get_or_init(|| assigners(self.code().unwrap_or_default()))
    }
}

/// Fewer files than this are read on one core: to wake others takes longer.
const FEW: usize = 8;

/// Reads all that can be read of texts, on all cores.
pub(crate) fn look_ahead(sources: &[&Arc<str>]) {
    let read = |source: &&Arc<str>| {
        let text = of(source);
        text.headers();
        if text.code().is_some() {
            let _ = text.assigners();
        }
    };
    match sources.len() {
        ..FEW => sources.iter().for_each(read),
        _ => sources.par_iter().for_each(read),
    }
}

/// What is kept of a text; its code stands behind all of these, in their order.
#[derive(Serialize, Deserialize)]
struct KeptText {
    hash: [u8; 32],
    code: usize,
    headers: Option<Headers>,
}

/// The texts of one process, kept for the next that plays the same mods.
pub(crate) struct TextCache {
    name: String,
}

impl TextCache {
    /// Takes what was kept of the texts of some mods, if this is the first time
    /// that this process needs any.
    pub fn open(mods: &BTreeSet<&str>) -> Option<TextCache> {
        static IS_OPENED: AtomicBool = AtomicBool::new(false);
        if !kept::is_on() || IS_OPENED.swap(true, Ordering::Relaxed) {
            return None;
        }
        let name = mods
            .iter()
            .fold("texts of".to_string(), |name, module| name + " " + module);
        let all = kept::read(&name)
            .and_then(|bytes| taken_apart(&bytes))
            .unwrap_or_default();
        with(|texts| texts.kept = all);
        Some(TextCache { name })
    }

    /// Keeps what is known now, unless that was kept before. What was kept and
    /// nobody has met stays, for other clauses of the same mods may need it, as
    /// long as it is not more than what was met.
    pub fn close(self) {
        let bytes = with(|texts| {
            let unmet = std::mem::take(&mut texts.kept);
            let is_kept = !std::mem::take(&mut texts.is_new);
            if is_kept {
                None
            } else {
                put_together(texts.met.values(), unmet)
            }
        });
        bytes
            .into_iter()
            .for_each(|bytes| kept::write(&self.name, bytes));
    }
}

fn put_together<'t>(
    met: impl Iterator<Item = &'t Arc<ScriptText>>,
    unmet: KeptTexts,
) -> Option<Vec<u8>> {
    let of_met = |text: &Arc<ScriptText>| {
        let code: Box<[u8]> = text.code.get()?.as_deref()?.into();
        let headers = text.headers.get().map(|headers| Headers::clone(headers));
        Some((
            *blake3::hash(text.source.as_bytes()).as_bytes(),
            (code, headers),
        ))
    };
    let mut parts: Vec<_> = met.filter_map(of_met).collect();
    if unmet.len() <= parts.len() {
        parts.extend(unmet);
    }
    parts.sort_by_key(|(hash, _)| *hash);
    let part = |(hash, (code, headers)): ([u8; 32], (Box<[u8]>, _))| {
        (
            KeptText {
                hash,
                code: code.len(),
                headers,
            },
            code,
        )
    };
    let (texts, codes): (Vec<KeptText>, Vec<Box<[u8]>>) = parts.into_iter().map(part).unzip();
    let mut bytes = postcard::to_allocvec(&texts).ok()?;
    codes.iter().for_each(|code| bytes.extend_from_slice(code));
    Some(bytes)
}

fn taken_apart(bytes: &[u8]) -> Option<KeptTexts> {
    let (texts, mut codes): (Vec<KeptText>, &[u8]) = postcard::take_from_bytes(bytes).ok()?;
    let part = |text: KeptText| {
        let (code, rest) = codes.split_at_checked(text.code)?;
        codes = rest;
        Some((text.hash, (code.into(), text.headers)))
    };
    texts.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "local dsii = require(\"@dsii\")\nlocal fire = dsii.fire\n\n--- [aim] The die of a shot.\n\
                        function fire.die(game: Reads, range: Integer): Die\n    return dice.d8\nend\n";

    #[test]
    fn what_is_kept_of_a_text_is_what_it_comes_to() {
        let of = |source: &str| {
            Arc::new(ScriptText {
                source: source.into(),
                ..ScriptText::default()
            })
        };
        let (one, other, broken) = (of(TEXT), of("return 1"), of("return ("));
        for text in [&one, &other, &broken] {
            text.headers();
            text.code();
        }
        let all = put_together([&one, &broken, &other].into_iter(), KeptTexts::default()).unwrap();
        let again = put_together([&other, &other].into_iter(), taken_apart(&all).unwrap()).unwrap();
        assert_eq!(
            taken_apart(&again),
            taken_apart(&all),
            "what nobody has met stays"
        );
        let more = put_together([&other].into_iter(), taken_apart(&all).unwrap()).unwrap();
        assert_eq!(
            taken_apart(&more).unwrap().len(),
            1,
            "but not if it is more than that"
        );
        let mut parts = taken_apart(&all).unwrap();
        for text in [one, other] {
            let (code, headers) = parts
                .remove(blake3::hash(text.source.as_bytes()).as_bytes())
                .unwrap();
            assert_eq!(Some(&*code), text.code());
            assert_eq!(
                format!("{:?}", headers.unwrap()),
                format!("{:?}", text.headers())
            );
        }
        // What does not compile is read again, for its error.
        assert!(parts.is_empty());
        assert!((0..all.len()).all(|end| taken_apart(&all[..end]).is_none()));
    }
}
