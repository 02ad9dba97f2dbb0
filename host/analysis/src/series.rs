//! Many games of a scenario, on many cores, told one after another in order.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use matches::tally::{PlayedOut, Players, Series};
use matches::workshop::{Found, Overrides, Workshop};
use rayon::iter::{ParallelBridge, ParallelIterator};

/// What is played.
#[derive(Clone, Copy)]
pub struct Programme<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// The scenario.
    pub found: &'a Found,
    /// The rules that every variant has.
    pub overrides: &'a Overrides,
    /// Who decides.
    pub players: &'a Players,
    /// Options by which games differ; one without any where they do not.
    pub variants: &'a [Variant],
    /// How many games at once; as many as there are cores without it.
    pub jobs: Option<usize>,
    /// Whether it is noted what each game reaches.
    pub notes: bool,
}

/// Options that games of a kind have in common.
pub type Variant = Vec<(Name, String)>;

/// One game: which options, and its seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeded {
    /// The place of its variant.
    pub variant: usize,
    /// Its seed.
    pub seed: u64,
}

/// How far it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// All games were played.
    All,
    /// Somebody stopped it.
    Stopped,
}

/// Why games could not be played, or not be told of.
#[derive(Debug)]
pub enum SeriesError {
    /// Something is wrong in the scenario or its mods.
    Faults(Vec<Fault>),
    /// What was played could not be written.
    Unwritten(std::io::Error),
}

impl From<std::io::Error> for SeriesError {
    fn from(error: std::io::Error) -> SeriesError {
        SeriesError::Unwritten(error)
    }
}

impl From<Vec<Fault>> for SeriesError {
    fn from(faults: Vec<Fault>) -> SeriesError {
        SeriesError::Faults(faults)
    }
}

/// Every combination of the values of options, the last option changing first.
pub fn variants_of(varied: &[(Name, Vec<String>)]) -> Vec<Variant> {
    varied
        .iter()
        .fold(vec![Vec::new()], |variants, (option, values)| {
            let with = |variant: &Variant, value: &String| {
                let mut more = variant.clone();
                more.push((option.clone(), value.clone()));
                more
            };
            variants
                .iter()
                .flat_map(|variant| values.iter().map(move |value| with(variant, value)))
                .collect()
        })
}

impl<'a> Programme<'a> {
    /// The overrides for the games of a variant.
    pub fn overrides_of(&self, variant: usize) -> Overrides {
        let mut overrides = self.overrides.clone();
        for (option, value) in self.variants.get(variant).into_iter().flatten() {
            overrides.options.retain(|(known, _)| known != option);
            overrides.options.push((option.clone(), value.clone()));
        }
        overrides
    }

    /// Plays games, `look`s at each as it ends, and hands over what was seen in
    /// the order of the games. `stop` is asked before each: those that run are
    /// played to their end.
    ///
    /// # Errors
    /// What is wrong in the scenario or its mods, and what `take` cannot take.
    pub fn play<T: Send>(
        &self,
        games: &[Seeded],
        look: &(dyn Fn(&Seeded, &PlayedOut) -> T + Sync),
        stop: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(T) -> std::io::Result<()>,
    ) -> Result<Reached, SeriesError> {
        let one = |variants: &mut VariantSeries<'a>, seeded: &Seeded| {
            let played = variants.play(self, seeded)?;
            Ok(look(seeded, &played))
        };
        in_turn(self.jobs, games, &one, stop, take)
    }
}

/// Does pieces of work on many cores, and hands over what came of them in their
/// order. `stop` is asked before each: those that are begun are done to their end.
///
/// # Errors
/// What one of them cannot do, and what `take` cannot take.
pub(crate) fn in_turn<W, S, T, E>(
    jobs: Option<usize>,
    work: &[W],
    one: &(dyn Fn(&mut S, &W) -> Result<T, E> + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    take: &mut dyn FnMut(T) -> std::io::Result<()>,
) -> Result<Reached, E>
where
    W: Sync,
    S: Default,
    T: Send,
    E: From<SeriesError> + Send,
{
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .build();
    let pool = pool.map_err(|error| {
        SeriesError::Faults(vec![Fault::new(FaultCode::Unreadable, error.to_string())])
    })?;
    let is_over = AtomicBool::new(false);
    let (done, seen) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let done = done;
            pool.install(|| {
                let work = work.iter().enumerate().par_bridge();
                work.for_each_init(S::default, |state, (place, piece)| {
                    if is_over.load(Ordering::Relaxed) || stop() {
                        is_over.store(true, Ordering::Relaxed);
                        return;
                    }
                    // Who no longer listens has what is needed.
                    let _ = done.send((place, one(state, piece)));
                });
            });
        });
        let taken = in_order(&seen, take);
        if taken.is_err() {
            is_over.store(true, Ordering::Relaxed);
        }
        Ok(if taken? == work.len() {
            Reached::All
        } else {
            Reached::Stopped
        })
    })
}

/// Hands over what comes, in order; how much there was without a gap.
fn in_order<T, E: From<SeriesError>>(
    seen: &Receiver<(usize, Result<T, E>)>,
    take: &mut dyn FnMut(T) -> std::io::Result<()>,
) -> Result<usize, E> {
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    for (place, done) in seen {
        waiting.insert(place, done?);
        while let Some(done) = waiting.remove(&next) {
            take(done).map_err(SeriesError::from)?;
            next += 1;
        }
    }
    Ok(next)
}

/// The rules of each variant, composed once for each worker.
#[derive(Default)]
struct VariantSeries<'a>(BTreeMap<usize, Series<'a>>);

impl<'a> VariantSeries<'a> {
    fn play(
        &mut self,
        programme: &Programme<'a>,
        seeded: &Seeded,
    ) -> Result<PlayedOut, Vec<Fault>> {
        let series = match self.0.entry(seeded.variant) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let overrides = programme.overrides_of(seeded.variant);
                free.insert(Series::of(
                    programme.workshop,
                    programme.found,
                    &overrides,
                    programme.players,
                )?)
            }
        };
        if programme.notes {
            series.play_noting(seeded.seed)
        } else {
            series.play(seeded.seed)
        }
    }
}
