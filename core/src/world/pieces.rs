//! Things by slot, in pieces that copies share.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Things by slot, so many in a piece. A copy counts up once for each piece, and the
/// first write into a piece copies that piece alone.
#[derive(Clone, Debug)]
pub struct Pieces<T, const PIECE: usize> {
    /// All are full but the last.
    pieces: Vec<Arc<[T]>>,
}

impl<T, const PIECE: usize> Default for Pieces<T, PIECE> {
    fn default() -> Pieces<T, PIECE> {
        Pieces { pieces: Vec::new() }
    }
}

impl<T, const PIECE: usize> Pieces<T, PIECE> {
    /// How many there are.
    pub fn len(&self) -> usize {
        let full = self.pieces.len().saturating_sub(1) * PIECE;
        full + self.pieces.last().map_or(0, |piece| piece.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// What is at a slot, if there is something.
    pub fn get(&self, slot: usize) -> Option<&T> {
        self.pieces.get(slot / PIECE)?.get(slot % PIECE)
    }

    /// All, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.pieces.iter().flat_map(|piece| piece.iter())
    }
}

impl<T: Clone, const PIECE: usize> Pieces<T, PIECE> {
    /// All for writing, in the order of their slots.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let pieces = self.pieces.iter_mut();
        pieces.flat_map(|piece| Arc::make_mut(piece).iter_mut())
    }

    /// One more.
    pub fn push(&mut self, thing: T) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < PIECE => {
                *last = last.iter().cloned().chain([thing]).collect();
            }
            _ => self.pieces.push(Arc::new([thing])),
        }
    }

    /// The slots of the pieces that are others than in an earlier copy, or there in one
    /// alone.
    pub fn in_other_pieces(&self, before: &Self) -> impl Iterator<Item = usize> {
        let pieces = 0..self.pieces.len().max(before.pieces.len());
        let is_other = |piece: &usize| match (self.pieces.get(*piece), before.pieces.get(*piece)) {
            (Some(now), Some(then)) => !Arc::ptr_eq(now, then),
            _ => true,
        };
        pieces
            .filter(is_other)
            .flat_map(|piece| piece * PIECE..(piece + 1) * PIECE)
    }
}

impl<T, const PIECE: usize> Index<usize> for Pieces<T, PIECE> {
    type Output = T;

    /// What is at a slot; there must be something.
    fn index(&self, slot: usize) -> &T {
        &self.pieces[slot / PIECE][slot % PIECE]
    }
}

impl<T: Clone, const PIECE: usize> IndexMut<usize> for Pieces<T, PIECE> {
    /// The same for writing; whoever shares it keeps what was there.
    fn index_mut(&mut self, slot: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.pieces[slot / PIECE])[slot % PIECE]
    }
}

impl<T: Clone, const PIECE: usize> FromIterator<T> for Pieces<T, PIECE> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let all: Vec<T> = things.into_iter().collect();
        let pieces = all.chunks(PIECE).map(Arc::from).collect();
        Pieces { pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: u32) -> Pieces<u32, 8> {
        (0..count).collect()
    }

    #[test]
    fn what_is_collected_stands_at_its_slot() {
        for count in [0, 1, 7, 8, 9, 16, 17] {
            let mut all = numbers(count);
            assert_eq!((all.len(), all.is_empty()), (count as usize, count == 0));
            assert!(all.iter().copied().eq(0..count));
            all.push(count);
            assert_eq!(all[count as usize], count);
            assert!(all.get(count as usize + 1).is_none());
        }
    }

    #[test]
    fn a_copy_keeps_what_was_there() {
        let mut all = numbers(20);
        let before = all.clone();
        all[9] = 0;
        assert_eq!((before[9], all[9]), (9, 0));
        let others: Vec<usize> = all.in_other_pieces(&before).collect();
        assert_eq!(others, (8..16).collect::<Vec<_>>());
        all.iter_mut().for_each(|number| *number += 1);
        assert!(all.iter().skip(10).copied().eq(11..21) && before.iter().copied().eq(0..20));
    }
}
