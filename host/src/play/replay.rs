//! Recording a match, and playing a record again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::error::{Fault, FaultCode, Place};
use kernel::record::decode;
use kernel::value::Name;

use crate::modset::files::Sources;
use crate::modset::selector::{Active, Request};
use crate::play::{BotKind, Match};
use crate::record::{
    Durability, ENGINE, Files, Journal, JournalFile, JournalHeader, ModRecord, Store, content_hash,
    state_mark,
};
use crate::scenario::{Scenario, set_up};
use crate::workshop::{Found, Workshop};

/// How a match is recorded.
#[derive(Clone, Debug)]
pub struct Recording<'a> {
    /// The journal.
    pub path: &'a Path,
    /// When a line counts as written.
    pub durability: Durability,
    /// The bots that play: a side, and how it decides.
    pub bots: Vec<(Name, BotKind)>,
    /// The number of turns, where it was wished.
    pub turns: Option<u32>,
}

/// A record that was played again.
pub struct Replayed {
    /// The match, as it stands after its last input.
    pub game: Match,
    /// The mods, clauses and options of it.
    pub active: Active,
    /// The scenario.
    pub scenario: Scenario,
    /// The file.
    pub file: JournalFile,
    /// Whether all of it was played, or only up to a wished input.
    pub is_whole: bool,
}

/// How a journal is played again.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplayWishes {
    /// Stop after this many inputs.
    pub up_to: Option<usize>,
    /// Note what steps do, so that the match can say why.
    pub is_explaining: bool,
}

impl Workshop {
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
        recording: &Recording<'_>,
    ) -> Result<(), Fault> {
        let store = Store::beside(recording.path);
        let scenario = Files::from([("scenario.ron".to_string(), found.source.clone())]);
        let mut mods = Vec::new();
        for id in &active.order.mods {
            let (Some(sources), Some(manifest)) = (self.sources().get(id), self.manifests().get(id)) else {
                continue;
            };
            let hash = store.put(id, &that_count(sources))?;
            mods.push(ModRecord { id: id.to_string(), version: manifest.version.to_string(), hash });
        }
        let header = JournalHeader {
            selector: active.line.clone(),
            scenario: found.scenario.id.to_string(),
            scenario_hash: store.put(&found.scenario.id, &scenario)?,
            seed: game.header().seed,
            turns: recording.turns,
            mods,
            engine: ENGINE.to_string(),
            bots: recording.bots.iter().map(|(side, kind)| (side.to_string(), kind.to_string())).collect(),
        };
        game.keep(Journal::create(recording.path, &header, recording.durability)?);
        Ok(())
    }
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
fn that_count(sources: &Sources) -> Files {
    let counts = |path: &str| path == "mod.ron" || path.starts_with("data/") || path.starts_with("rules/");
    sources.files.iter().filter(|(path, _)| counts(path)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Plays a journal again by the sources that are kept beside it, up to an
/// input (all of them if none is wished), and checks the state after each.
///
/// # Errors
/// A journal that is broken, sources that are missing, or an input after which
/// the state is another than the journal says, with its line.
pub fn replay(path: &Path, wishes: ReplayWishes) -> Result<Replayed, Vec<Fault>> {
    let file = JournalFile::read(path).map_err(|fault| vec![fault])?;
    let name = path.display().to_string();
    let store = Store::beside(path);
    let (mut game, active, scenario) = start_again(&store, &file.header, wishes.is_explaining)?;
    let played = file.played();
    let count = wishes.up_to.map_or(played.len(), |count| count.min(played.len()));
    for input in &played[..count] {
        let wrong = |reason: String| {
            vec![Fault::new(FaultCode::BadJournal, reason).at(Place::new("", name.clone(), input.line))]
        };
        let decoded = decode(input.text, game.game().world()).map_err(wrong)?;
        game.submit(&decoded).map_err(|refused| wrong(format!("the input is not taken: {refused}")))?;
        let mark = state_mark(&game.hash());
        if mark != input.state {
            return Err(wrong(format!("expected the state {} after it, found {mark}", input.state)));
        }
    }
    let is_whole = count == played.len();
    Ok(Replayed { game, active, scenario, is_whole, file })
}

fn start_again(
    store: &Store,
    header: &JournalHeader,
    is_explaining: bool,
) -> Result<(Match, Active, Scenario), Vec<Fault>> {
    let one = |fault: Fault| vec![fault];
    let mut sources = BTreeMap::new();
    for record in &header.mods {
        let files = store.get(&record.hash).map_err(one)?;
        let read = Sources::from_memory(&record.id, files);
        sources.insert(read.id.clone(), read);
    }
    let (workshop, faults) = Workshop::from_sources(sources);
    if !faults.is_empty() {
        return Err(faults);
    }
    let files = store.get(&header.scenario_hash).map_err(one)?;
    let text = files.get("scenario.ron").ok_or_else(|| {
        vec![Fault::new(FaultCode::BadJournal, "the scenario that is kept beside the journal is empty")]
    })?;
    let scenario = Scenario::read("", &header.scenario, text)?;
    let chosen = workshop.compose(&Request::parse(&header.selector)?)?;
    let setup = set_up(&scenario, &chosen.rulebook, header.seed, header.turns)?;
    chosen.rulebook.explain(is_explaining);
    let game = Match::start(chosen.rulebook, setup).map_err(one)?;
    Ok((game, chosen.active, scenario))
}

/// Where a journal keeps its sources.
pub fn store_of(path: &Path) -> PathBuf {
    Store::beside(path).folder().to_path_buf()
}
