//! Recording a match, and playing a record again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;

use crate::bot::BotKind;
use crate::play::{Invalidation, Match, PlayedAgain, RecordedInput, play_again};
use crate::record::{
    ContentHash, Durability, ENGINE, Files, Journal, JournalFile, JournalHeader, JournalLine,
    KeptSources, ModRecord, RulesRecord, ShownMark, Store, content_hash, fault_line_of,
};
use crate::scenario::{Scenario, set_up};
use crate::workshop::{Found, Workshop};
use rules::limits::PATIENCE;
use rules::modset::files::Sources;
use rules::modset::selector::{Active, Request};
use rules::rulebook::Rulebook;

/// How a match is recorded.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The bots that play: a side, and how it decides.
    pub bots: Vec<(Name, BotKind)>,
    /// The number of turns, where it was asked for.
    pub turns: Option<u32>,
    /// Whether the players must agree to take play back.
    pub is_agreed: bool,
}

/// A record that was played again.
pub struct Replayed {
    /// The match, as it stands after its last input.
    pub game: Match,
    /// The mods that it is played by at its end, as they were kept.
    pub workshop: Workshop,
    /// The clauses and options that were chosen for it last, as a selector line.
    pub selector: String,
    /// The mods, clauses and options of it.
    pub active: Active,
    /// The mods that it is played by at its end.
    pub mods: Vec<ModRecord>,
    /// The scenario.
    pub found: Found,
    /// Everything that took part.
    pub kept: KeptSources,
    /// The bots that decide at its end: each side with how its bot decides.
    pub bots: BTreeMap<String, String>,
    /// The file.
    pub file: JournalFile,
    /// Whether all of it was played, or only up to an input asked for.
    pub is_whole: bool,
}

impl Workshop {
    /// The head of a journal of a match, and the sources that it names.
    pub fn header(
        &self,
        found: &Found,
        active: &Active,
        seed: u64,
        recording: &Recording,
    ) -> (JournalHeader, KeptSources) {
        let scenario = scenario_files(found.source.clone());
        let mut kept = self.sources_that_count(active);
        let mods = records_of(self, active, |id, _| {
            kept.iter()
                .find(|(_, (of, _))| **of == **id)
                .map(|(hash, _)| *hash)
        });
        let scenario_hash = content_hash(&scenario);
        kept.insert(scenario_hash, (found.scenario.id.to_string(), scenario));
        let header = JournalHeader {
            selector: active.asked.clone(),
            scenario: found.scenario.id.to_string(),
            scenario_hash,
            seed,
            turns: recording.turns,
            mods,
            engine: ENGINE.to_string(),
            bots: recording
                .bots
                .iter()
                .map(|(side, kind)| (side.to_string(), kind.to_string()))
                .collect(),
            is_agreed: recording.is_agreed,
        };
        (header, kept)
    }

    /// The sources of the mods of a match, by hash.
    pub fn sources_that_count(&self, active: &Active) -> KeptSources {
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
        game.keep(Journal::begin(
            path,
            &header,
            &kept,
            game.lines(),
            durability,
        )?);
        Ok(())
    }
}

/// The same as [`mod_records`] after some mods have changed, where most have
/// not: hashes that are known are not reckoned again.
pub fn mod_records_after(
    workshop: &Workshop,
    active: &Active,
    before: &Workshop,
    known: &[ModRecord],
) -> Vec<ModRecord> {
    records_of(workshop, active, |id, sources| {
        let same = before
            .sources()
            .get(id)
            .filter(|old| old.hash() == sources.hash());
        Some(
            match same.and_then(|_| known.iter().find(|record| *record.id == **id)) {
                Some(record) => record.hash,
                None => content_hash(&that_count(sources)),
            },
        )
    })
}

/// The mods of a match with versions and content hashes, in order, as its
/// journal names them.
pub fn mod_records(workshop: &Workshop, active: &Active) -> Vec<ModRecord> {
    records_of(workshop, active, |_, sources| {
        Some(content_hash(&that_count(sources)))
    })
}

fn records_of(
    workshop: &Workshop,
    active: &Active,
    hash_of: impl Fn(&Name, &Sources) -> Option<ContentHash>,
) -> Vec<ModRecord> {
    let record = |id: &Name| {
        let (sources, manifest) = (workshop.sources().get(id)?, workshop.manifests().get(id)?);
        let hash = hash_of(id, sources)?;
        Some(ModRecord {
            id: id.to_string(),
            version: manifest.version.to_string(),
            hash,
        })
    };
    active.order.mods.iter().filter_map(record).collect()
}

/// The files of a mod that can change play.
pub fn that_count(sources: &Sources) -> Files {
    let counts =
        |path: &str| path == "mod.ron" || path.starts_with("data/") || path.starts_with("rules/");
    let files = sources.all().into_iter().filter(|(path, _)| counts(path));
    files
        .map(|(path, text)| (path.to_string(), text.clone()))
        .collect()
}

/// A scenario as it is kept beside a journal.
fn scenario_files(text: Arc<str>) -> Files {
    Files::from([(SCENARIO_FILE.to_string(), text)])
}

/// The one file of a scenario that is kept beside a journal.
const SCENARIO_FILE: &str = "scenario.ron";

/// Plays a journal again by the sources that are kept beside it, up to an
/// input that stands (all of it if none is asked for), and checks after each what
/// it came to.
///
/// # Errors
/// A journal that is broken, sources that are missing, or the first input that
/// comes out otherwise than the journal says, with its line.
pub fn replay(path: &Path, up_to: Option<usize>) -> Result<Replayed, Vec<Fault>> {
    let file = JournalFile::read(path).map_err(|fault| vec![fault])?;
    replay_file(path, file, up_to, Notes::None)
}

/// What is noted while a record is played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notes {
    /// Nothing.
    None,
    /// What each decision reaches, for rules that will change: it takes a
    /// quarter longer.
    Dependencies,
}

/// The same of a journal that was read already.
///
/// # Errors
/// As [`replay`].
pub fn replay_file(
    path: &Path,
    file: JournalFile,
    up_to: Option<usize>,
    notes: Notes,
) -> Result<Replayed, Vec<Fault>> {
    let played = file.played();
    let last = match up_to {
        Some(0) => Some(0),
        Some(count) if count < played.len() => Some(played[count - 1].line),
        _ => None,
    };
    let count = last.map_or(file.lines.len(), |last| {
        last.saturating_sub(file.first_line - 1) as usize
    });
    let beside = SourceFolders {
        store: Store::beside(path),
        mods: &[],
    };
    let count = count.min(file.lines.len());
    let (again, parting) = Again::through(path, &beside, &file, count, notes)?;
    match parting {
        Some(parting) => Err(parting.faults),
        None => {
            let bots = file.bots_after(count);
            Ok(again.finish(file, bots, last.is_none()))
        }
    }
}

/// Where a journal and what is played part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The line of the file, from 1.
    pub line: u32,
    /// The number of the decision, from 1: those before it came out as recorded.
    pub decision: usize,
    /// What was expected there, and what was found.
    pub faults: Vec<Fault>,
}

/// The good part of a journal.
pub struct Salvaged {
    /// The match as far as it came out as recorded.
    pub replayed: Replayed,
    /// Where it parts; `None` if all of it came out.
    pub parting: Option<Parting>,
    /// How many decisions stood in what could be read, with those lost.
    pub decisions: usize,
}

/// Plays of a journal what comes out as it was recorded, up to the first line
/// that was changed, cannot be played, or comes to something else. Sources
/// that are not kept beside the journal are looked for, by their hash, among
/// some mods and their scenarios.
///
/// # Errors
/// When nothing can be saved: its head is broken, what it was begun with is
/// missing, or it parts before the first decision.
pub fn salvage(path: &Path, mods: &[&Sources]) -> Result<Salvaged, Vec<Fault>> {
    let (mut file, damage) = JournalFile::read_good(path).map_err(|fault| vec![fault])?;
    let beside = SourceFolders {
        store: Store::beside(path),
        mods,
    };
    let decisions = file.played().len();
    let (mut again, mut parting) =
        Again::through(path, &beside, &file, file.lines.len(), Notes::None)?;
    if let Some(at) = &parting {
        let good = at.line.saturating_sub(file.first_line) as usize;
        if good == 0 {
            return Err(at.faults.clone());
        }
        // The line at which it parts may be half done: the good ones once more.
        again = Again::through(path, &beside, &file, good, Notes::None)?.0;
        file.lines.truncate(good);
    }
    if let (None, Some(fault)) = (&parting, damage) {
        let line = fault.place.as_ref().map_or(0, |place| place.line);
        parting = Some(Parting {
            line,
            decision: again.game.recorded_inputs().len() + 1,
            faults: vec![fault],
        });
    }
    let bots = file.bots_after(file.lines.len());
    Ok(Salvaged {
        replayed: again.finish(file, bots, true),
        parting,
        decisions,
    })
}

/// Where the sources of a match are looked for.
struct SourceFolders<'a> {
    store: Store,
    mods: &'a [&'a Sources],
}

impl SourceFolders<'_> {
    /// The files of a hash.
    fn files(&self, hash: &ContentHash, what: &str) -> Result<Files, Fault> {
        let mut fault = match self.store.get(hash) {
            Ok(files) => return Ok(files),
            Err(fault) => fault,
        };
        let mods = self.mods.iter().map(|sources| that_count(sources));
        let scenarios = self.mods.iter().flat_map(|sources| {
            let texts = sources.under("scenarios");
            texts.map(|(_, text)| scenario_files(text.clone()))
        });
        let found = mods
            .chain(scenarios)
            .find(|files| content_hash(files) == *hash);
        found.ok_or_else(|| {
            fault.message = format!(
                "the sources of {what} are not as they were: {}",
                fault.message
            );
            fault.hint(format!(
                "a journal and its folder go together: bring `{}` back",
                self.folder()
            ))
        })
    }

    fn folder(&self) -> String {
        self.store.folder().display().to_string()
    }
}

/// A journal on its way through.
struct Again<'a> {
    beside: &'a SourceFolders<'a>,
    notes: Notes,
    header: JournalHeader,
    /// The clauses and options in force.
    selector: String,
    game: Match,
    workshop: Workshop,
    active: Active,
    mods: Vec<ModRecord>,
    found: Found,
    kept: KeptSources,
}

impl<'a> Again<'a> {
    /// Plays the first lines of a journal, up to the first that does not come
    /// out.
    fn through(
        path: &Path,
        beside: &'a SourceFolders<'a>,
        file: &JournalFile,
        count: usize,
        notes: Notes,
    ) -> Result<(Again<'a>, Option<Parting>), Vec<Fault>> {
        let mut again = Again::start(beside, &file.header, notes)?;
        for (line, number) in file.lines.iter().take(count).zip(file.first_line..) {
            let decision = again.game.recorded_inputs().len() + 1;
            if let Err(faults) = again.line(line) {
                let place = Place::new("", path.display().to_string(), number);
                let faults = faults
                    .into_iter()
                    .map(|fault| fault.at(place.clone()))
                    .collect();
                return Ok((
                    again,
                    Some(Parting {
                        line: number,
                        decision,
                        faults,
                    }),
                ));
            }
        }
        Ok((again, None))
    }

    fn finish(self, file: JournalFile, bots: BTreeMap<String, String>, is_whole: bool) -> Replayed {
        self.game.rulebook().running().watch(Some(PATIENCE));
        let Again {
            game,
            workshop,
            selector,
            active,
            mods,
            found,
            kept,
            ..
        } = self;
        Replayed {
            game,
            workshop,
            selector,
            active,
            mods,
            found,
            kept,
            bots,
            file,
            is_whole,
        }
    }

    fn start(
        beside: &'a SourceFolders<'a>,
        header: &JournalHeader,
        notes: Notes,
    ) -> Result<Again<'a>, Vec<Fault>> {
        let mut kept = KeptSources::new();
        let workshop = workshop_of(beside, &header.mods, &mut kept)?;
        let what = format!("the scenario `{}`", header.scenario);
        let files = beside
            .files(&header.scenario_hash, &what)
            .map_err(|fault| vec![fault])?;
        let text = files.get(SCENARIO_FILE).cloned().ok_or_else(|| {
            vec![Fault::new(
                FaultCode::BadJournal,
                "the scenario that is kept beside the journal is empty",
            )]
        })?;
        let name = format!(
            "the scenario `{}` kept in {}",
            header.scenario,
            beside.folder()
        );
        let scenario = Scenario::read("", &name, &text)?;
        let chosen = workshop.compose(&Request::parse(&header.selector)?)?;
        let setup = set_up(&scenario, &chosen.rulebook, header.seed, header.turns)?;
        make_ready(&chosen.rulebook, notes);
        let game = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
        kept.insert(header.scenario_hash, (header.scenario.clone(), files));
        let found = Found {
            module: None,
            scenario,
            source: text,
        };
        let (active, mods) = (chosen.active, header.mods.clone());
        let header = header.clone();
        let selector = header.selector.clone();
        Ok(Again {
            beside,
            notes,
            header,
            selector,
            game,
            workshop,
            active,
            mods,
            found,
            kept,
        })
    }

    /// Does what a line says, and checks what it came to.
    fn line(&mut self, line: &JournalLine) -> Result<(), Vec<Fault>> {
        let before = self.game.settled_events().len();
        match line {
            JournalLine::Begin { mark } => self.check(mark, 0, "before the first decision"),
            JournalLine::Input { key, text, mark } => {
                let after = format!("after decision {}", self.game.recorded_inputs().len() + 1);
                match self.game.repeat_text(text, key.as_ref()) {
                    Ok(None) => self.check(mark, before, &after),
                    Ok(Some(reason)) => Err(otherwise(format!("the input is not taken: {reason}"))),
                    Err(fault) => Err(otherwise(format!("the input is not taken: {fault}"))),
                }
            }
            JournalLine::Fault {
                code,
                undone,
                message,
            } => {
                let line = fault_line_of(code, *undone, message);
                self.game.obey_fault(*undone as usize, line);
                Ok(())
            }
            JournalLine::Undo {
                undone,
                epoch,
                mark,
            } => {
                let keep = self
                    .game
                    .recorded_inputs()
                    .len()
                    .saturating_sub(*undone as usize);
                let undone = self.game.undo(keep, *epoch);
                undone
                    .map_err(|refused| otherwise(format!("it cannot be taken back: {refused}")))?;
                self.check(mark, before, "after what was taken back")
            }
            JournalLine::Reload {
                kept,
                mods,
                selector,
                mark,
            } => {
                self.reload(*kept, mods, selector.as_deref())?;
                self.check(mark, before, "under the rules that were changed")
            }
            JournalLine::Player { side, bot } => {
                self.game.obey_player(side, bot.as_deref());
                Ok(())
            }
            JournalLine::End { state, events } => self.check_end(state, events),
        }
    }

    /// Whether the game has ended in what its last line says.
    fn check_end(&self, state: &str, events: &str) -> Result<(), Vec<Fault>> {
        let found = self.game.mark();
        if found.state.to_string() == state && found.events.to_string() == events {
            return Ok(());
        }
        Err(otherwise(format!(
            "expected the game to end in {state} {events}, found {found}"
        )))
    }

    fn reload(
        &mut self,
        kept: Option<u32>,
        mods: &[ModRecord],
        selector: Option<&str>,
    ) -> Result<(), Vec<Fault>> {
        let workshop = workshop_of(self.beside, mods, &mut self.kept)?;
        if let Some(selector) = selector {
            self.selector = selector.to_string();
        }
        let chosen = workshop.compose(&Request::parse(&self.selector)?)?;
        let rules = RulesRecord { mods, selector };
        make_ready(&chosen.rulebook, self.notes);
        let reloaded = match kept {
            None => self
                .game
                .go_on_by(chosen.rulebook, rules, &Invalidation::Everything),
            Some(kept) => {
                let setup = set_up(
                    &self.found.scenario,
                    &chosen.rulebook,
                    self.header.seed,
                    self.header.turns,
                )?;
                let fresh = Match::start(chosen.rulebook, setup).map_err(|fault| vec![fault])?;
                let course: Vec<RecordedInput> = self
                    .game
                    .recorded_inputs()
                    .iter()
                    .take(kept as usize)
                    .cloned()
                    .collect();
                match play_again(fresh, &course) {
                    Ok(PlayedAgain {
                        mismatch: Some((_, reason)),
                        ..
                    }) => {
                        return Err(otherwise(format!("the input is not taken: {reason}")));
                    }
                    Ok(PlayedAgain { game, .. }) => self.game.put_in_place(game, rules).map(drop),
                    Err((_, fault)) => return Err(vec![fault]),
                }
            }
        };
        reloaded.map_err(|refused| otherwise(format!("the rules cannot be changed: {refused}")))?;
        (self.workshop, self.active, self.mods) = (workshop, chosen.active, mods.to_vec());
        Ok(())
    }

    /// Whether the match has come to what a line says; `events` is how many
    /// there were before.
    fn check(&mut self, expected: &ShownMark, events: usize, when: &str) -> Result<(), Vec<Fault>> {
        let found = self.game.mark().shown();
        if found == *expected {
            return Ok(());
        }
        if found.state != expected.state {
            let (expected, found) = (&expected.state, &found.state);
            let reason = "the rules in force come to another state";
            return Err(otherwise(format!(
                "{reason}: expected {expected} {when}, found {found}"
            )));
        }
        let (expected, found) = (&expected.events, &found.events);
        let reason = "the rules in force tell something else";
        let fault = otherwise(format!(
            "{reason}: expected events {expected} {when}, found {found}"
        ));
        let kinds: Vec<String> = self
            .game
            .events()
            .iter()
            .skip(events)
            .map(|event| format!("`{}`", event.kind))
            .collect();
        let hint = match kinds.as_slice() {
            [] => "nothing is told there now".to_string(),
            kinds if kinds.len() > MOST_NAMED => {
                format!(
                    "what is told there now: {} and {} more",
                    kinds[..MOST_NAMED].join(", "),
                    kinds.len() - MOST_NAMED
                )
            }
            kinds => format!("what is told there now: {}", kinds.join(", ")),
        };
        Err(fault
            .into_iter()
            .map(|fault| fault.hint(hint.clone()))
            .collect())
    }
}

/// Makes rules ready to play a record again: what it says was done in time.
fn make_ready(rulebook: &Rulebook, notes: Notes) {
    rulebook.running().watch(None);
    rulebook.note_dependencies(notes == Notes::Dependencies);
}

/// More events than this are counted, not named.
const MOST_NAMED: usize = 6;

fn otherwise(reason: String) -> Vec<Fault> {
    vec![Fault::new(FaultCode::PlaysOtherwise, reason)]
}

fn workshop_of(
    beside: &SourceFolders<'_>,
    mods: &[ModRecord],
    kept: &mut KeptSources,
) -> Result<Workshop, Vec<Fault>> {
    let (mut sources, mut missing) = (BTreeMap::new(), Vec::new());
    for record in mods {
        let what = format!("mod `{}` {}", record.id, record.version);
        let files = match beside.files(&record.hash, &what) {
            Ok(files) => files,
            Err(fault) => {
                missing.push(fault);
                continue;
            }
        };
        kept.insert(record.hash, (record.id.clone(), files.clone()));
        let read = Sources::from_memory(&record.id, files);
        sources.insert(read.id.clone(), read);
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let (workshop, faults) = Workshop::from_sources(sources);
    if faults.is_empty() {
        Ok(workshop)
    } else {
        Err(faults)
    }
}

/// Where a journal keeps its sources.
pub fn store_of(path: &Path) -> PathBuf {
    Store::beside(path).folder().to_path_buf()
}
