//! What is reached while rules run: layers, clauses and rows, each by its mark.
//!
//! An answer that is kept carries what was reached as it was found, so that it
//! counts for whoever is given it later. What an answer rests on in turn is not
//! copied into it: it holds what those answers have reached, and all of it is
//! gathered once, at the end.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

/// What was reached as an answer was found.
#[derive(Debug, Default)]
pub(crate) struct AnswerReach {
    /// By itself, as numbers of marks.
    own: Box<[u32]>,
    /// By answers that it was given.
    inner: Box<[Rc<AnswerReach>]>,
    /// The call that it was last counted for.
    counted: Cell<u64>,
}

/// A call whose answer is to be kept, or all that is noted.
#[derive(Debug)]
struct ReachFrame {
    /// No other call has it.
    id: u64,
    /// How many rules were open before it.
    depth: usize,
    /// Where in the marks of all open calls its own begin.
    from: usize,
    inner: Vec<Rc<AnswerReach>>,
}

/// A mark.
#[derive(Debug)]
struct ReachedMark {
    text: Box<[u8]>,
    /// The call that it was last noted for.
    noted: u64,
}

/// Notes what is reached.
#[derive(Debug, Default)]
pub(crate) struct Reaching {
    is_on: Cell<bool>,
    /// Whether answers carry it.
    is_carried: Cell<bool>,
    /// The last call or answer that was counted, so that no other has its number.
    last: Cell<u64>,
    noted: RefCell<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    numbers: FxHashMap<Box<[u8]>, u32>,
    marks: Vec<ReachedMark>,
    /// The marks of all open calls, one after another.
    own: Vec<u32>,
    frames: Vec<ReachFrame>,
}

impl Reaching {
    /// Notes from now on; `is_carried`: answers that are kept carry it.
    pub fn begin(&self, is_carried: bool) {
        self.is_on.set(true);
        self.is_carried.set(is_carried);
        let mut noted = self.noted.borrow_mut();
        noted.own.clear();
        noted.frames.clear();
        noted.frames.push(ReachFrame {
            id: self.next(),
            depth: 0,
            from: 0,
            inner: Vec::new(),
        });
    }

    /// Notes no longer, and gives all marks.
    pub fn end(&self) -> Vec<Box<[u8]>> {
        self.is_on.set(false);
        self.is_carried.set(false);
        let mut noted = self.noted.borrow_mut();
        noted.fall_to(0);
        let Some(all) = noted.frames.pop() else {
            return Vec::new();
        };
        let (mut left, turn) = (all.inner, self.next());
        let mut numbers = std::mem::take(&mut noted.own);
        while let Some(one) = left.pop() {
            if one.counted.replace(turn) != turn {
                numbers.extend_from_slice(&one.own);
                left.extend(one.inner.iter().cloned());
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let text = |number: &u32| noted.marks[*number as usize].text.clone();
        numbers.iter().map(text).collect()
    }

    /// Whether it is noted.
    pub fn is_on(&self) -> bool {
        self.is_on.get()
    }

    /// Whether an answer that carries this counts.
    pub fn fits(&self, reached: Option<&Rc<AnswerReach>>) -> bool {
        !self.is_on.get() || reached.is_some()
    }

    fn next(&self) -> u64 {
        self.last.set(self.last.get() + 1);
        self.last.get()
    }

    /// Something was reached.
    pub fn note(&self, mark: &[u8]) {
        let Ok(mut noted) = self.noted.try_borrow_mut() else {
            return;
        };
        let noted = &mut *noted;
        let Some(frame) = noted.frames.last() else {
            return;
        };
        let number = match noted.numbers.get(mark) {
            Some(number) => *number,
            None => {
                let number = noted.marks.len() as u32;
                noted.numbers.insert(mark.into(), number);
                noted.marks.push(ReachedMark {
                    text: mark.into(),
                    noted: 0,
                });
                number
            }
        };
        let mark = &mut noted.marks[number as usize];
        if std::mem::replace(&mut mark.noted, frame.id) != frame.id {
            noted.own.push(number);
        }
    }

    /// A call begins whose answer is to be kept; so many rules were open before.
    pub fn open(&self, depth: usize) {
        if !self.is_carried.get() {
            return;
        }
        let mut noted = self.noted.borrow_mut();
        noted.fall_to(depth + 1);
        let frame = ReachFrame {
            id: self.next(),
            depth: depth + 1,
            from: noted.own.len(),
            inner: Vec::new(),
        };
        noted.frames.push(frame);
    }

    /// It is over: what it has reached, if that is carried.
    pub fn close(&self, depth: usize) -> Option<Rc<AnswerReach>> {
        if !self.is_carried.get() {
            return None;
        }
        let mut noted = self.noted.borrow_mut();
        noted.fall_to(depth + 2);
        if noted.frames.last()?.depth != depth + 1 {
            return None;
        }
        let frame = noted.frames.pop()?;
        let reached = Rc::new(AnswerReach {
            own: noted.own.drain(frame.from..).collect(),
            inner: frame.inner.into(),
            counted: Cell::new(0),
        });
        noted.given(&reached);
        Some(reached)
    }

    /// Calls are over, with so many rules open, whose answers are not kept: what they
    /// have reached counts for whoever called them.
    pub fn fall_to(&self, depth: usize) {
        if self.is_carried.get() {
            self.noted.borrow_mut().fall_to(depth + 1);
        }
    }

    /// An answer is given that was kept.
    pub fn give(&self, reached: Option<&Rc<AnswerReach>>) {
        if let (true, Some(reached)) = (self.is_on.get(), reached) {
            self.noted.borrow_mut().given(reached);
        }
    }
}

impl Noted {
    /// Lets frames of that depth and more fall into the one below.
    fn fall_to(&mut self, depth: usize) {
        let stays = |frame: &ReachFrame| frame.depth < depth.max(1);
        while self.frames.last().is_some_and(|frame| !stays(frame)) {
            let above = self.frames.pop().map(|frame| frame.inner);
            if let Some(below) = self.frames.last_mut() {
                below.inner.extend(above.unwrap_or_default());
            }
        }
    }

    fn given(&mut self, reached: &Rc<AnswerReach>) {
        if let Some(frame) = self.frames.last_mut()
            && reached.counted.replace(frame.id) != frame.id
        {
            frame.inner.push(reached.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reaching;

    fn all(reaching: &Reaching) -> Vec<String> {
        let marks = reaching.end();
        let mut texts: Vec<_> = marks
            .iter()
            .map(|mark| String::from_utf8_lossy(mark).into_owned())
            .collect();
        texts.sort();
        texts
    }

    #[test]
    fn an_answer_carries_what_it_and_its_answers_have_reached() {
        let reaching = Reaching::default();
        reaching.begin(true);
        reaching.note(b"outside");
        reaching.open(0);
        reaching.note(b"outer");
        reaching.open(1);
        reaching.note(b"inner");
        let inner = reaching.close(1);
        // Whoever was given it notes the same mark for itself too.
        reaching.note(b"inner");
        let outer = reaching.close(0);
        assert_eq!(all(&reaching), ["inner", "outer", "outside"]);

        reaching.begin(true);
        assert!(reaching.fits(outer.as_ref()) && !reaching.fits(None));
        reaching.give(inner.as_ref());
        assert_eq!(all(&reaching), ["inner"]);
        reaching.begin(true);
        reaching.open(0);
        reaching.give(outer.as_ref());
        reaching.give(outer.as_ref());
        let around = reaching.close(0);
        assert_eq!(all(&reaching), ["inner", "outer"]);
        reaching.begin(true);
        reaching.give(around.as_ref());
        assert_eq!(all(&reaching), ["inner", "outer"]);
        assert!(reaching.fits(None), "nothing is noted");
    }

    #[test]
    fn what_is_broken_off_counts_for_whoever_called_it() {
        let reaching = Reaching::default();
        reaching.begin(true);
        reaching.open(0);
        reaching.open(1);
        reaching.note(b"lost");
        reaching.open(2);
        reaching.note(b"deep");
        // Two calls end by an error, and the first goes on.
        reaching.note(b"deep");
        let first = reaching.close(0);
        assert!(first.is_some());
        assert_eq!(all(&reaching), ["deep", "lost"]);
        reaching.begin(true);
        reaching.give(first.as_ref());
        assert_eq!(all(&reaching), ["deep", "lost"]);

        reaching.begin(true);
        reaching.open(0);
        reaching.note(b"fell");
        reaching.fall_to(0);
        assert!(reaching.close(0).is_none(), "it fell");
        assert_eq!(all(&reaching), ["fell"]);
    }

    #[test]
    fn nothing_is_carried_where_answers_are_compared() {
        let reaching = Reaching::default();
        reaching.begin(false);
        reaching.open(0);
        reaching.note(b"case");
        assert!(reaching.close(0).is_none());
        assert_eq!(all(&reaching), ["case"]);
    }
}
