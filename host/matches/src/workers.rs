//! Work shared out among all threads, where each thread has something of its
//! own that it works with: rulebooks take long to make and cannot change hands.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does each job with the things of one of the threads; what comes of them is in
/// the order of the jobs.
pub fn share_out<J: Sync, W, R: Send>(
    jobs: &[J],
    things: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &J) -> R + Sync,
) -> Vec<R> {
    share_out_and_leave(jobs, things, work, drop)
}

/// The same; when a thread has done its last job `leave` gets its things.
pub fn share_out_and_leave<J: Sync, W, R: Send>(
    jobs: &[J],
    things: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &J) -> R + Sync,
    leave: impl Fn(W) + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let parts = rayon::broadcast(|_| {
        // A thread that comes too late for a job needs nothing.
        let mut mine = None;
        let mut done = Vec::new();
        while let place = next.fetch_add(1, Ordering::Relaxed)
            && let Some(job) = jobs.get(place)
        {
            done.push((place, work(mine.get_or_insert_with(&things), job)));
        }
        if let Some(mine) = mine {
            leave(mine);
        }
        done
    });
    let mut all: Vec<(usize, R)> = parts.into_iter().flatten().collect();
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Does something once on each of these threads.
pub fn on_each_thread(work: impl Fn() + Sync) {
    rayon::broadcast(|_| work());
}
