//! The block function, and how a number below a bound is made of a block.

use std::num::NonZeroU32;

/// The number in `0..bound` that `key` holds at the first counter whose block is not rejected.
pub(super) fn below(key: [u32; 2], bound: NonZeroU32, counter: impl Fn(u16) -> [u32; 4]) -> u32 {
    let attempt = |retry: u16| fit(philox(key, counter(retry))[0], bound);
    // Fewer than half of all blocks are ever rejected: the default stands for 65,536 rejections in a row.
    (0..=u16::MAX).find_map(attempt).unwrap_or(0)
}

/// The low word, then the high one.
pub(super) fn key_of(seed: u64) -> [u32; 2] {
    [seed as u32, (seed >> 32) as u32]
}

/// Scales a random word to `0..bound`, or rejects it where that would favour some numbers.
///
/// Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29 (2019).
pub(super) fn fit(word: u32, bound: NonZeroU32) -> Option<u32> {
    let bound = bound.get();
    let product = u64::from(word) * u64::from(bound);
    let low = product as u32;
    // The remainder costs a division, and `low` is below `bound`, and so in question, only rarely.
    let is_fair = low >= bound || low >= bound.wrapping_neg() % bound;
    is_fair.then_some((product >> 32) as u32)
}

/// Philox4x32-10. Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC11.
pub(super) fn philox(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    const ROUNDS: u32 = 10;
    const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
    const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];

    let wide = |multiplier: u32, word: u32| {
        let product = u64::from(multiplier) * u64::from(word);
        ((product >> 32) as u32, product as u32)
    };
    let ([mut k0, mut k1], mut block) = (key, counter);
    for _ in 0..ROUNDS {
        let (high0, low0) = wide(MULTIPLIERS[0], block[0]);
        let (high1, low1) = wide(MULTIPLIERS[1], block[2]);
        block = [high1 ^ block[1] ^ k0, low1, high0 ^ block[3] ^ k1, low0];
        (k0, k1) = (k0.wrapping_add(WEYL[0]), k1.wrapping_add(WEYL[1]));
    }
    block
}
