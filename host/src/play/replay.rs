//! Recording a match, and playing a record again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::error::{Fault, FaultCode, Place};
use kernel::record::decode;
use kernel::value::Name;

use crate::limits::PATIENCE;
use crate::modset::files::Sources;
use crate::modset::selector::{Active, Request};
use crate::play::{BotKind, Match, Refused, Said, Touched};
use crate::record::{
    ContentHash, Durability, ENGINE, Files, Journal, JournalFile, JournalHeader, Line, ModRecord, Store,
    content_hash, state_mark,
};
use crate::scenario::{Scenario, set_up};
use crate::workshop::{Found, Workshop};

/// How a match is recorded.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The bots that play: a side, and how it decides.
    pub bots: Vec<(Name, BotKind)>,
    /// The number of turns, where it was wished.
    pub turns: Option<u32>,
    /// Whether the players must agree to take play back.
    pub is_agreed: bool,
}

/// Sources by hash: whose, and what.
pub type Kept = BTreeMap<ContentHash, (String, Files)>;

/// A record that was played again.
pub struct Replayed {
    /// The match, as it stands after its last input.
    pub game: Match,
    /// The mods that it is played by at its end, as they were kept.
    pub workshop: Workshop,
    /// The mods, clauses and options of it.
    pub active: Active,
    /// The mods that it is played by at its end.
    pub mods: Vec<ModRecord>,
    /// The scenario.
    pub found: Found,
    /// Everything that took part.
    pub kept: Kept,
    /// The file.
    pub file: JournalFile,
    /// Whether all of it was played, or only up to a wished input.
    pub is_whole: bool,
}

/// How a journal is played again.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplayWishes {
    /// Stop after this many of the inputs that stand.
    pub up_to: Option<usize>,
    /// Note what steps do, so that the match can say why.
    pub is_explaining: bool,
}

impl Workshop {
    /// The head of a journal of a match, and the sources that it names.
    pub fn header(
        &self,
        found: &Found,
        active: &Active,
        seed: u64,
        recording: &Recording,
    ) -> (JournalHeader, Kept) {
        let scenario = Files::from([("scenario.ron".to_string(), found.source.clone())]);
        let mods = mod_records(self, active);
        let mut kept = self.sources_that_count(active);
        let scenario_hash = content_hash(&scenario);
        kept.insert(scenario_hash, (found.scenario.id.to_string(), scenario));
        let header = JournalHeader {
            selector: active.line.clone(),
            scenario: found.scenario.id.to_string(),
            scenario_hash,
            seed,
            turns: recording.turns,
            mods,
            engine: ENGINE.to_string(),
            bots: recording.bots.iter().map(|(side, kind)| (side.to_string(), kind.to_string())).collect(),
            is_agreed: recording.is_agreed,
        };
        (header, kept)
    }

    /// The sources of the mods of a match, by hash.
    pub fn sources_that_count(&self, active: &Active) -> Kept {
        let of_mod = |id: &Name| {
            let files = that_count(self.sources().get(id)?);
            Some((content_hash(&files), (id.to_string(), files)))
        };
        active.order.mods.iter().filter_map(of_mod).collect()
    }

    /// Keeps a journal of a match that has just been started, and beside it
    /// the sources of its mods and of its scenario.
    ///
    /// # Errors
    /// When either cannot be written, or another process writes the journal.
    pub fn record(
        &self,
        game: &mut Match,
        found: &Found,
        active: &Active,
        path: &Path,
        durability: Durability,
    ) -> Result<(), Fault> {
        let (header, kept) = self.header(found, active, game.header().seed, &Recording::default());
        let store = Store::beside(path);
        for (id, files) in kept.values() {
            store.put(id, files)?;
        }
        game.keep(Journal::create(path, &header, durability)?);
        Ok(())
    }
}

/// The same as [`mod_records`] after some mods have changed, where most have
/// not: hashes that are known are not reckoned again.
pub(crate) fn mod_records_after(
    workshop: &Workshop,
    active: &Active,
    before: &Workshop,
    known: &[ModRecord],
) -> Vec<ModRecord> {
    let record = |id: &Name| {
        let (sources, manifest) = (workshop.sources().get(id)?, workshop.manifests().get(id)?);
        let same = before.sources().get(id).filter(|old| old.hash == sources.hash);
        let hash = match same.and_then(|_| known.iter().find(|record| *record.id == **id)) {
            Some(record) => record.hash,
            None => content_hash(&that_count(sources)),
        };
        Some(ModRecord { id: id.to_string(), version: manifest.version.to_string(), hash })
    };
    active.order.mods.iter().filter_map(record).collect()
}

/// The mods of a match with versions and content hashes, in order, as its
/// journal names them.
pub fn mod_records(workshop: &Workshop, active: &Active) -> Vec<ModRecord> {
    let record = |id: &Name| {
        let (sources, manifest) = (workshop.sources().get(id)?, workshop.manifests().get(id)?);
        let hash = content_hash(&that_count(sources));
        Some(ModRecord { id: id.to_string(), version: manifest.version.to_string(), hash })
    };
    active.order.mods.iter().filter_map(record).collect()
}

/// The files of a mod that can change play.
pub(crate) fn that_count(sources: &Sources) -> Files {
    let counts = |path: &str| path == "mod.ron" || path.starts_with("data/") || path.starts_with("rules/");
    sources.files.iter().filter(|(path, _)| counts(path)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// A match in which decisions were made again, and the first that did not
/// fit: its place, from 0, and why.
pub type PlayedAgain = (Match, Option<(usize, String)>);

/// Decisions made again in a match that has just begun, as far as they fit.
///
/// # Errors
/// The place of a decision in which a rule breaks, and its fault.
pub fn play_again(mut game: Match, said: &[Said]) -> Result<PlayedAgain, (usize, Box<Fault>)> {
    for (place, said) in said.iter().enumerate() {
        match said_again(&mut game, said) {
            Ok(None) => {}
            Ok(Some(reason)) => return Ok((game, Some((place, reason)))),
            Err(fault) => return Err((place, fault)),
        }
    }
    Ok((game, None))
}

/// Makes a decision again, or tells why it does not fit.
///
/// # Errors
/// The fault of a rule that breaks in it.
pub(super) fn said_again(game: &mut Match, said: &Said) -> Result<Option<String>, Box<Fault>> {
    if game.game().epoch() != said.epoch {
        game.set_epoch(said.epoch);
    }
    let input = match decode(&said.text, game.game().world()) {
        Ok(input) => input,
        Err(reason) => return Ok(Some(reason)),
    };
    match game.submit(&input) {
        Ok(()) => Ok(None),
        Err(Refused::Refusal(refusal)) => Ok(Some(refusal.to_string())),
        Err(Refused::Fault { fault, .. } | Refused::Unwritten(fault)) => Err(fault),
    }
}

/// Plays a journal again by the sources that are kept beside it, up to an
/// input that stands (all of it if none is wished), and checks the state after
/// each.
///
/// # Errors
/// A journal that is broken, sources that are missing, or an input after which
/// the state is another than the journal says, with its line.
pub fn replay(path: &Path, wishes: ReplayWishes) -> Result<Replayed, Vec<Fault>> {
    let file = JournalFile::read(path).map_err(|fault| vec![fault])?;
    replay_file(path, file, wishes)
}

/// The same of a journal that was read already.
///
/// # Errors
/// As [`replay`].
pub fn replay_file(path: &Path, file: JournalFile, wishes: ReplayWishes) -> Result<Replayed, Vec<Fault>> {
    let store = Store::beside(path);
    let played = file.played();
    let last = match wishes.up_to {
        Some(0) => Some(0),
        Some(count) if count < played.len() => Some(played[count - 1].line),
        _ => None,
    };
    let mut again = Again::start(&store, &file.header, wishes.is_explaining)?;
    for (line, number) in file.lines.iter().zip(file.first_line..) {
        if last.is_some_and(|last| number > last) {
            break;
        }
        let place = Place::new("", path.display().to_string(), number);
        again.line(line).map_err(|faults| again.located(faults, &place))?;
    }
    again.game.rulebook().host().watch(Some(PATIENCE));
    let Again { game, workshop, active, mods, found, kept, .. } = again;
    Ok(Replayed { game, workshop, active, mods, found, kept, is_whole: last.is_none(), file })
}

/// A journal on its way through.
struct Again<'a> {
    store: &'a Store,
    header: &'a JournalHeader,
    game: Match,
    workshop: Workshop,
    active: Active,
    mods: Vec<ModRecord>,
    found: Found,
    kept: Kept,
    is_explaining: bool,
}

impl<'a> Again<'a> {
    fn start(
        store: &'a Store,
        header: &'a JournalHeader,
        is_explaining: bool,
    ) -> Result<Again<'a>, Vec<Fault>> {
        let mut kept = Kept::new();
        let workshop = workshop_of(store, &header.mods, &mut kept)?;
        let files = store.get(&header.scenario_hash).map_err(|fault| vec![fault])?;
        let text = files.get("scenario.ron").cloned().ok_or_else(|| {
            vec![Fault::new(FaultCode::BadJournal, "the scenario that is kept beside the journal is empty")]
        })?;
        let scenario = Scenario::read("", &header.scenario, &text)?;
        let chosen = workshop.compose(&Request::parse(&header.selector)?)?;
        let setup = set_up(&scenario, &chosen.rulebook, header.seed, header.turns)?;
        chosen.rulebook.explain(is_explaining);
        // What the journal says was done in time.
        chosen.rulebook.host().watch(None);
        let game = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
        kept.insert(header.scenario_hash, (header.scenario.clone(), files));
        let found = Found { module: None, scenario, source: text };
        let (active, mods) = (chosen.active, header.mods.clone());
        Ok(Again { store, header, game, workshop, active, mods, found, kept, is_explaining })
    }

    /// Does what a line says, and checks the state after it.
    fn line(&mut self, line: &Line) -> Result<(), Vec<Fault>> {
        match line {
            Line::Input { text, state } => {
                let input = decode(text, self.game.game().world()).map_err(bad)?;
                self.game
                    .submit(&input)
                    .map_err(|refused| bad(format!("the input is not taken: {refused}")))?;
                self.check(state)
            }
            Line::Fault { code, undone, message } => {
                let text = format!("fault {code} undone {undone} {message}");
                self.game.obey_fault(*undone as usize, &text);
                Ok(())
            }
            Line::Undo { undone, epoch, state } => {
                let keep = self.game.said().len().saturating_sub(*undone as usize);
                let undone = self.game.undo(keep, *epoch);
                undone.map_err(|refused| bad(format!("it cannot be taken back: {refused}")))?;
                self.check(state)
            }
            Line::Reload { kept, mods, state } => {
                self.reload(*kept, mods)?;
                self.check(state)
            }
            // Whoever asked for the whole looks at the last state.
            Line::End { .. } => Ok(()),
        }
    }

    fn reload(&mut self, kept: Option<u32>, mods: &[ModRecord]) -> Result<(), Vec<Fault>> {
        let workshop = workshop_of(self.store, mods, &mut self.kept)?;
        let chosen = workshop.compose(&Request::parse(&self.header.selector)?)?;
        chosen.rulebook.explain(self.is_explaining);
        chosen.rulebook.host().watch(None);
        let reloaded = match kept {
            None => self.game.go_on_by(chosen.rulebook, mods, &Touched::Everything),
            Some(kept) => {
                let setup =
                    set_up(&self.found.scenario, &chosen.rulebook, self.header.seed, self.header.turns)?;
                let fresh = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
                let said: Vec<Said> = self.game.said().iter().take(kept as usize).cloned().collect();
                match play_again(fresh, &said) {
                    Ok((other, None)) => self.game.put_in_place(other, mods).map(drop),
                    Ok((_, Some((_, reason)))) => {
                        return Err(bad(format!("the input is not taken: {reason}")));
                    }
                    Err((_, fault)) => return Err(vec![*fault]),
                }
            }
        };
        reloaded.map_err(|refused| bad(format!("the rules cannot be changed: {refused}")))?;
        (self.workshop, self.active, self.mods) = (workshop, chosen.active, mods.to_vec());
        Ok(())
    }

    fn check(&mut self, state: &str) -> Result<(), Vec<Fault>> {
        match state_mark(&self.game.hash()) {
            mark if mark == state => Ok(()),
            mark => Err(bad(format!("expected the state {state} after it, found {mark}"))),
        }
    }

    fn located(&self, faults: Vec<Fault>, place: &Place) -> Vec<Fault> {
        faults.into_iter().map(|fault| fault.at(place.clone())).collect()
    }
}

fn bad(reason: String) -> Vec<Fault> {
    vec![Fault::new(FaultCode::BadJournal, reason)]
}

fn workshop_of(store: &Store, mods: &[ModRecord], kept: &mut Kept) -> Result<Workshop, Vec<Fault>> {
    let mut sources = BTreeMap::new();
    for record in mods {
        let files = store.get(&record.hash).map_err(|fault| vec![fault])?;
        kept.insert(record.hash, (record.id.clone(), files.clone()));
        let read = Sources::from_memory(&record.id, files);
        sources.insert(read.id.clone(), read);
    }
    let (workshop, faults) = Workshop::from_sources(sources);
    if faults.is_empty() { Ok(workshop) } else { Err(faults) }
}

/// Where a journal keeps its sources.
pub fn store_of(path: &Path) -> PathBuf {
    Store::beside(path).folder().to_path_buf()
}
