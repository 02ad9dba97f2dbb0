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
use kernel::value::Value;
use matches::odds::quoted;
use matches::play::Match;
use matches::record::{ENGINE, Files, ModRecord, content_hash};
use matches::replay::mod_records;
use matches::tally::{PlayedOut, Series};
use rules::types::{Unit, print_value};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::error::Category;

use crate::series::{Programme, Seeded};

/// The format that this version writes and reads.
const FORMAT: u32 = 1;

/// The largest number of games of a variant.
pub const MOST_GAMES: u64 = 10_000_000;

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
            let overrides = programme.overrides_of(place);
            let series = Series::of(
                programme.workshop,
                programme.found,
                &overrides,
                programme.players,
            )?;
            let options = options
                .iter()
                .map(|(id, value)| (id.to_string(), value.clone()))
                .collect();
            variants.push(VariantHead {
                options,
                selector: series.active().line.clone(),
            });
            mods.extend(
                mod_records(programme.workshop, series.active())
                    .into_iter()
                    .map(ModHead::from),
            );
        }
        let players = programme.players;
        let mut bots: BTreeMap<String, String> = players
            .sides
            .iter()
            .map(|(side, kind)| (side.to_string(), kind.to_string()))
            .collect();
        bots.extend(
            players
                .every
                .map(|kind| ("every".to_string(), kind.to_string())),
        );
        let text = Files::from([("scenario.ron".to_string(), programme.found.source.clone())]);
        Ok(SimulationHead {
            format: FORMAT,
            engine: ENGINE.to_string(),
            scenario: programme.found.scenario.id.to_string(),
            scenario_hash: content_hash(&text).to_string(),
            variants,
            mods: mods.into_iter().collect(),
            bots,
            turns: programme.overrides.turns,
            seed,
            games,
            shard,
        })
    }

    /// The games of this part, in order.
    pub fn seeded(&self) -> impl Iterator<Item = Seeded> + '_ {
        let Shard { part, of } = self.dealt();
        // Games are dealt out: each of the parts has one in turn.
        let places = (0..self.count()).map(move |place| part - 1 + place * of);
        places.map(move |place| Seeded {
            variant: (place / self.games) as usize,
            seed: self.seed.wrapping_add(place % self.games),
        })
    }

    /// How many games this part has.
    pub fn count(&self) -> u64 {
        let Shard { part, of } = self.dealt();
        let all = self.games.saturating_mul(self.variants.len() as u64);
        all.saturating_add(of - part) / of
    }

    /// Which part of the games is here; the whole is one of one.
    fn dealt(&self) -> Shard {
        self.shard.unwrap_or(Shard { part: 1, of: 1 })
    }

    /// In what another run differs, the first of it, in words.
    pub fn difference(&self, other: &SimulationHead) -> Option<String> {
        let ours = self
            .facts()
            .into_iter()
            .zip(other.facts())
            .find(|(ours, theirs)| ours != theirs);
        let words = ours
            .map(|((what, ours), (_, theirs))| format!("expected {what} {ours}, found {theirs}"));
        words.or_else(|| (self != other).then(|| self.other_files(other)))
    }

    /// What is played, by what the command calls it.
    fn facts(&self) -> [(&'static str, String); 8] {
        let bots = serde_json::to_string(&self.bots).unwrap_or_default();
        let rules: Vec<&str> = self
            .variants
            .iter()
            .map(|variant| variant.selector.as_str())
            .collect();
        let turns = self
            .turns
            .map_or("as the scenario says".to_string(), |turns| {
                turns.to_string()
            });
        let Shard { part, of } = self.dealt();
        [
            ("the engine", self.engine.clone()),
            ("the scenario", self.scenario.clone()),
            ("games of each variant:", self.games.to_string()),
            ("the first seed", self.seed.to_string()),
            ("turns:", turns),
            ("bots", bots),
            ("the rules", format!("`{}`", rules.join("`, `"))),
            ("shard", format!("{part}/{of}")),
        ]
    }

    /// Which files are others, where the same is asked of them.
    fn other_files(&self, other: &SimulationHead) -> String {
        if self.scenario_hash != other.scenario_hash {
            return format!(
                "expected `{}` as it is, found the scenario as it was then",
                self.scenario
            );
        }
        let is_other = |ours: &&ModHead| !other.mods.contains(ours);
        match self.mods.iter().find(is_other) {
            Some(ours) => format!(
                "expected the mod `{}` as it is, found it as it was then",
                ours.id
            ),
            None => "expected other variants".to_string(),
        }
    }

    /// The line of the file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl From<ModRecord> for ModHead {
    fn from(record: ModRecord) -> ModHead {
        ModHead {
            id: record.id,
            version: record.version,
            hash: record.hash.to_string(),
        }
    }
}

/// The result of a game for tables: its fields, numbers and truth values as
/// such, everything else in words.
fn result_json(result: &Value, game: &Match) -> Json {
    let cell = |value: &Value| match value {
        Value::None => Json::Null,
        Value::Bool(yes) => Json::from(*yes),
        Value::Int(number) => Json::from(*number),
        other => Json::from(print_value(other, game.game(), Unit::AsWritten)),
    };
    match result {
        Value::Map(fields) => fields
            .iter()
            .map(|(name, value)| (name.to_string(), cell(value)))
            .collect(),
        other => cell(other),
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
        GameRow {
            variant: seeded.variant,
            seed: seeded.seed,
            winner: played.winner().filter(|_| played.fault.is_none()),
            reason: played.reason(),
            decisions: game.inputs().len(),
            actions,
            result: game
                .game()
                .finished()
                .map_or(Json::Null, |result| result_json(result, game)),
            state: game.hash().to_string(),
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
                Some(_) => rows.push(read_game(line, number)?),
            }
            good += line.len();
        }
        let head = head
            .ok_or_else(|| Unfit("expected the first line of a simulation, found none".into()))?;
        let is_it = |(row, seeded): (&GameRow, Seeded)| {
            row.variant == seeded.variant && row.seed == seeded.seed
        };
        let are_they = rows.iter().zip(head.seeded()).all(is_it);
        match rows.len() as u64 <= head.count() && are_they {
            true => Ok(SimulationFile { head, rows, good }),
            false => Err(Unfit(
                "expected the games that its first line tells of, in order, found others".into(),
            )),
        }
    }

    /// Whether all games are in it.
    pub fn is_whole(&self) -> bool {
        self.rows.len() as u64 == self.head.count()
    }
}

impl Unfit {
    /// A line behind the first that is no game, and what to do about it.
    pub fn no_game(number: u32, why: &str) -> Unfit {
        let good = number - 1;
        Unfit(format!(
            "line {number}: expected a game, found {why}; lines 1 to {good} are good: in a file of those alone \
             `--resume` plays the rest again"
        ))
    }
}

fn read_game(line: &str, number: u32) -> Result<GameRow, Unfit> {
    serde_json::from_str(line).map_err(|error| {
        let why = match error.classify() {
            Category::Data => "a line of another form",
            Category::Eof if line.trim().is_empty() => "an empty line",
            Category::Eof => "a line that breaks off",
            Category::Syntax | Category::Io => "something else",
        };
        Unfit::no_game(number, why)
    })
}

fn read_line<T: for<'a> Deserialize<'a>>(line: &str, number: u32) -> Result<T, Unfit> {
    serde_json::from_str(line).map_err(|error| Unfit(format!("line {number}: {error}")))
}

fn read_head(line: &str) -> Result<SimulationHead, Unfit> {
    if !line.trim_start().starts_with('{') {
        return Err(Unfit(
            "expected a file that `simulate --out` has written, found something else".into(),
        ));
    }
    let head: SimulationHead = read_line(line, 1)?;
    let is_part = head
        .shard
        .is_none_or(|shard| shard.part >= 1 && shard.part <= shard.of);
    if head.format != FORMAT || !is_part {
        return Err(Unfit(format!(
            "expected a simulation of format {FORMAT}, found another"
        )));
    }
    if head.variants.is_empty() || !(1..=MOST_GAMES).contains(&head.games) {
        return Err(Unfit(format!(
            "expected 1 to {MOST_GAMES} games by some rules, found {}",
            head.games
        )));
    }
    Ok(head)
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
    let whole = SimulationHead {
        shard: None,
        ..first.head.clone()
    };
    let of = first.head.dealt().of;
    let mut parts: BTreeMap<u64, Vec<GameRow>> = BTreeMap::new();
    for (name, shard) in shards {
        let part = shard.head.dealt();
        let found = SimulationHead {
            shard: None,
            ..shard.head.clone()
        };
        if let Some(difference) = whole.difference(&found) {
            return Err(Unfit(format!(
                "{name} is a shard of another run: {difference}"
            )));
        }
        if part.of != of {
            let reason = format!("{name}: expected a part of {of}, found one of {}", part.of);
            return Err(Unfit(reason));
        }
        if !shard.is_whole() {
            let (wanted, found) = (shard.head.count(), shard.rows.len());
            let reason =
                format!("{name}: expected {wanted} games, found {found}: go on with it first");
            return Err(Unfit(reason));
        }
        if parts.insert(part.part, shard.rows).is_some() {
            return Err(Unfit(format!(
                "{name}: shard {} of {of} is given twice",
                part.part
            )));
        }
    }
    if let Some(missing) = (1..=of).find(|part| !parts.contains_key(part)) {
        return Err(Unfit(format!(
            "expected all {of} shards, found that shard {missing} is missing"
        )));
    }
    let mut parts: Vec<_> = parts.into_values().map(Vec::into_iter).collect();
    let mut rows = Vec::new();
    // One game from each in turn, as they were dealt out.
    while let Some(row) = parts[rows.len() % of as usize].next() {
        rows.push(row);
    }
    Ok(SimulationFile {
        head: whole,
        rows,
        good: 0,
    })
}

/// The games as a table with commas: options, seed, winner, reason, decisions,
/// state, fault, and each action with how often it was taken.
pub fn csv(head: &SimulationHead, rows: &[GameRow]) -> String {
    let options: BTreeSet<&String> = head
        .variants
        .iter()
        .flat_map(|variant| variant.options.keys())
        .collect();
    let actions: BTreeSet<&String> = rows.iter().flat_map(|row| row.actions.keys()).collect();
    let fixed = ["seed", "winner", "reason", "decisions", "state", "fault"].map(String::from);
    let names = options.iter().chain(&actions).map(|name| (*name).clone());
    let mut names: Vec<String> = names.collect();
    names.splice(options.len()..options.len(), fixed);
    let mut text = line_of(names.into_iter());
    for row in rows {
        let of_variant = head
            .variants
            .get(row.variant)
            .map(|variant| &variant.options);
        let option = |name: &&String| {
            of_variant
                .and_then(|of| of.get(*name))
                .cloned()
                .unwrap_or_default()
        };
        let fixed = [
            row.seed.to_string(),
            row.winner.clone().unwrap_or_default(),
            row.reason.clone(),
            row.decisions.to_string(),
            row.state.clone(),
            row.fault.clone().unwrap_or_default(),
        ];
        let times = |name: &&String| {
            row.actions
                .get(*name)
                .copied()
                .unwrap_or_default()
                .to_string()
        };
        text += &line_of(
            options
                .iter()
                .map(option)
                .chain(fixed)
                .chain(actions.iter().map(times)),
        );
    }
    text
}

/// A line of a table with commas.
fn line_of(cells: impl Iterator<Item = String>) -> String {
    cells
        .map(|cell| quoted(&cell))
        .collect::<Vec<_>>()
        .join(",")
        + "\n"
}
