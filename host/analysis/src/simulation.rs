//! What is kept of many games: a file of lines, one a game, that can be gone on
//! with, and parts of it that were played elsewhere.
//!
//! The first line says what is played; each of the others is a game, in order.
//! The same question gives the same bytes, whether it was played at once, in
//! pieces one after another, or in shards side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kernel::decision::Input;
use kernel::error::Fault;
use kernel::world::Viewer;
use matches::odds::quoted;
use matches::record::{ENGINE, Files, ModRecord, content_hash};
use matches::replay::mod_records;
use matches::report::value_json;
use matches::tally::{PlayedOut, Series};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::series::{Programme, Seeded};

/// The format that this version writes and reads.
const FORMAT: u32 = 1;

/// What is played: the first line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SimulationHead {
    /// The format of the file.
    pub format: u32,
    /// The version of the engine.
    pub engine: String,
    /// The scenario.
    pub scenario: String,
    /// The hash of its text.
    pub scenario_hash: String,
    /// The options by which games differ.
    pub variants: Vec<VariantHead>,
    /// The mods with the hashes of what counts in them.
    pub mods: Vec<ModHead>,
    /// Who decides, where it is not as the scenario says: a side, or `every`.
    pub bots: BTreeMap<String, String>,
    /// The number of turns, where it is not as the scenario says.
    pub turns: Option<u32>,
    /// The seed of the first game of each variant.
    pub seed: u64,
    /// How many games each variant has.
    pub games: u64,
    /// Which part of the games is here, from 1, and of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// A variant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VariantHead {
    /// Its options.
    pub options: BTreeMap<String, String>,
    /// The selector line of its rules.
    pub selector: String,
}

/// A mod that takes part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ModHead {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The hash of what counts in it.
    pub hash: String,
}

/// A part of the games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRow {
    /// The place of its variant.
    pub variant: usize,
    /// Its seed.
    pub seed: u64,
    /// The side that has won, if one has.
    pub winner: Option<String>,
    /// Why it ended.
    pub reason: String,
    /// How many decisions it took.
    pub decisions: usize,
    /// What was done how often, actions and reactions.
    pub actions: BTreeMap<String, u64>,
    /// What the rules say of its end.
    pub result: Json,
    /// The hash of the state at its end.
    pub state: String,
    /// Why it broke off, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit(pub String);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl SimulationHead {
    /// What is played. The rules of every variant are composed, so that what is
    /// wrong in one of them is told before the first game.
    ///
    /// # Errors
    /// What is wrong in the scenario or its mods.
    pub fn of(
        programme: &Programme<'_>,
        seed: u64,
        games: u64,
        shard: Option<Shard>,
    ) -> Result<SimulationHead, Vec<Fault>> {
        let (mut variants, mut mods) = (Vec::new(), BTreeSet::new());
        for (place, options) in programme.variants.iter().enumerate() {
            let wishes = programme.wishes_of(place);
            let series = Series::of(programme.workshop, programme.found, &wishes, programme.players)?;
            let options = options.iter().map(|(id, value)| (id.to_string(), value.clone())).collect();
            variants.push(VariantHead { options, selector: series.active().line.clone() });
            mods.extend(mod_records(programme.workshop, series.active()).into_iter().map(ModHead::from));
        }
        let players = programme.players;
        let mut bots: BTreeMap<String, String> =
            players.sides.iter().map(|(side, kind)| (side.to_string(), kind.to_string())).collect();
        bots.extend(players.every.map(|kind| ("every".to_string(), kind.to_string())));
        let text = Files::from([("scenario.ron".to_string(), programme.found.source.clone())]);
        Ok(SimulationHead {
            format: FORMAT,
            engine: ENGINE.to_string(),
            scenario: programme.found.scenario.id.to_string(),
            scenario_hash: content_hash(&text).to_string(),
            variants,
            mods: mods.into_iter().collect(),
            bots,
            turns: programme.wishes.turns,
            seed,
            games,
            shard,
        })
    }

    /// The games of this part, in order.
    pub fn seeded(&self) -> Vec<Seeded> {
        let all = (0..self.variants.len()).flat_map(|variant| {
            (0..self.games).map(move |game| Seeded { variant, seed: self.seed.wrapping_add(game) })
        });
        match self.shard {
            None => all.collect(),
            Some(Shard { part, of }) => {
                let is_here = |place: &(u64, Seeded)| place.0 % of.max(1) == part - 1;
                (0u64..).zip(all).filter(is_here).map(|(_, seeded)| seeded).collect()
            }
        }
    }

    /// The line of the file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl From<ModRecord> for ModHead {
    fn from(record: ModRecord) -> ModHead {
        ModHead { id: record.id, version: record.version, hash: record.hash.to_string() }
    }
}

impl GameRow {
    /// What is kept of a game.
    pub fn of(seeded: &Seeded, played: &PlayedOut) -> GameRow {
        let game = &played.game;
        let mut actions: BTreeMap<String, u64> = BTreeMap::new();
        for input in game.inputs() {
            if let Input::Act { action: id, .. } | Input::React { reaction: id, .. } = input {
                *actions.entry(id.to_string()).or_default() += 1;
            }
        }
        let name = |entity| (None, game.game().label(Viewer::Referee, entity));
        GameRow {
            variant: seeded.variant,
            seed: seeded.seed,
            winner: played.winner().filter(|_| played.fault.is_none()),
            reason: played.reason(),
            decisions: game.inputs().len(),
            actions,
            result: game.game().finished().map_or(Json::Null, |result| value_json(result, &name)),
            state: game.game().clone().hash().to_string(),
            fault: played.fault.as_ref().map(ToString::to_string),
        }
    }

    /// The line of the file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// A file as it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulationFile {
    /// What is played.
    pub head: SimulationHead,
    /// The games that are in it.
    pub rows: Vec<GameRow>,
    /// How many bytes of it are good: a last line that was broken off is not.
    pub good: usize,
}

impl SimulationFile {
    /// Reads a file; a last line that was broken off is left out.
    ///
    /// # Errors
    /// A file of something else, a line that cannot be read, games that are not
    /// those that its first line tells of.
    pub fn read(text: &str) -> Result<SimulationFile, Unfit> {
        let (mut head, mut rows, mut good) = (None, Vec::new(), 0);
        for (line, number) in text.split_inclusive('\n').zip(1u32..) {
            if !line.ends_with('\n') {
                break;
            }
            match head {
                None => head = Some(read_head(line)?),
                Some(_) => rows.push(read_line(line, number)?),
            }
            good += line.len();
        }
        let head = head.ok_or_else(|| Unfit("expected the first line of a simulation, found none".into()))?;
        let wanted = head.seeded();
        let is_it =
            |(row, seeded): (&GameRow, &Seeded)| row.variant == seeded.variant && row.seed == seeded.seed;
        match rows.len() <= wanted.len() && rows.iter().zip(&wanted).all(is_it) {
            true => Ok(SimulationFile { head, rows, good }),
            false => {
                Err(Unfit("expected the games that its first line tells of, in order, found others".into()))
            }
        }
    }

    /// Whether all games are in it.
    pub fn is_whole(&self) -> bool {
        self.rows.len() == self.head.seeded().len()
    }
}

fn read_line<T: for<'a> Deserialize<'a>>(line: &str, number: u32) -> Result<T, Unfit> {
    serde_json::from_str(line).map_err(|error| Unfit(format!("line {number}: {error}")))
}

fn read_head(line: &str) -> Result<SimulationHead, Unfit> {
    let head: SimulationHead = read_line(line, 1)?;
    let is_part = head.shard.is_none_or(|shard| shard.part >= 1 && shard.part <= shard.of);
    match head.format == FORMAT && is_part {
        true => Ok(head),
        false => Err(Unfit(format!("expected a simulation of format {FORMAT}, found another"))),
    }
}

/// Puts shards together: what one run would have written.
///
/// # Errors
/// Shards of different runs, one given twice or not played to its end, one that
/// is missing.
pub fn merge(shards: Vec<(String, SimulationFile)>) -> Result<SimulationFile, Unfit> {
    let Some((_, first)) = shards.first() else {
        return Err(Unfit("expected shards to put together, found none".into()));
    };
    let whole = SimulationHead { shard: None, ..first.head.clone() };
    let of = first.head.shard.map_or(1, |shard| shard.of);
    let mut parts: BTreeMap<u64, Vec<GameRow>> = BTreeMap::new();
    for (name, shard) in shards {
        let part = shard.head.shard.unwrap_or(Shard { part: 1, of: 1 });
        if (SimulationHead { shard: None, ..shard.head.clone() }) != whole || part.of != of {
            return Err(Unfit(format!("{name}: expected a shard of the same run, found one of another")));
        }
        if !shard.is_whole() {
            let wanted = shard.head.seeded().len();
            let found = shard.rows.len();
            return Err(Unfit(format!(
                "{name}: expected {wanted} games, found {found}: go on with it first"
            )));
        }
        if parts.insert(part.part, shard.rows).is_some() {
            return Err(Unfit(format!("{name}: shard {} of {of} is given twice", part.part)));
        }
    }
    if let Some(missing) = (1..=of).find(|part| !parts.contains_key(part)) {
        return Err(Unfit(format!("expected all {of} shards, found that shard {missing} is missing")));
    }
    let mut parts: Vec<_> = parts.into_values().map(Vec::into_iter).collect();
    let mut rows = Vec::new();
    // One game from each in turn, as they were dealt out.
    while let Some(row) = parts[rows.len() % of as usize].next() {
        rows.push(row);
    }
    Ok(SimulationFile { head: whole, rows, good: 0 })
}

/// The games as a table with commas: options, seed, winner, reason, decisions,
/// state, fault, and each action with how often it was taken.
pub fn csv(head: &SimulationHead, rows: &[GameRow]) -> String {
    let options: BTreeSet<&String> =
        head.variants.iter().flat_map(|variant| variant.options.keys()).collect();
    let actions: BTreeSet<&String> = rows.iter().flat_map(|row| row.actions.keys()).collect();
    let fixed = ["seed", "winner", "reason", "decisions", "state", "fault"].map(String::from);
    let names = options.iter().chain(&actions).map(|name| (*name).clone());
    let mut names: Vec<String> = names.collect();
    names.splice(options.len()..options.len(), fixed);
    let mut text = line_of(names.into_iter());
    for row in rows {
        let of_variant = head.variants.get(row.variant).map(|variant| &variant.options);
        let option = |name: &&String| of_variant.and_then(|of| of.get(*name)).cloned().unwrap_or_default();
        let fixed = [
            row.seed.to_string(),
            row.winner.clone().unwrap_or_default(),
            row.reason.clone(),
            row.decisions.to_string(),
            row.state.clone(),
            row.fault.clone().unwrap_or_default(),
        ];
        let times = |name: &&String| row.actions.get(*name).copied().unwrap_or_default().to_string();
        text += &line_of(options.iter().map(option).chain(fixed).chain(actions.iter().map(times)));
    }
    text
}

/// A line of a table with commas.
fn line_of(cells: impl Iterator<Item = String>) -> String {
    cells.map(|cell| quoted(&cell)).collect::<Vec<_>>().join(",") + "\n"
}
