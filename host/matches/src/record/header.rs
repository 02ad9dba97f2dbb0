//! The head of a journal: what the match was made from.

use std::fmt::Write as _;

use super::ContentHash;

/// The version of this engine, as journals and reports print it.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// What the first line of every journal says before its format.
pub const FIRST_WORDS: &str = "houserule journal ";

/// The format of the journals that this version writes and plays.
pub(super) const FORMAT: u32 = 2;

/// The formats that are played no more, each with the last version that does.
pub(super) const EARLIER: &[(u32, &str)] = &[(1, "0.1.0 as it was on 22 November 2026")];

/// The first line of every journal of this format.
pub(super) fn first_line() -> String {
    format!("{FIRST_WORDS}{FORMAT}")
}

/// A mod that took part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModRecord {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The hash of its sources.
    pub hash: ContentHash,
}

impl std::fmt::Display for ModRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.id, self.version, self.hash)
    }
}

/// What a match was made from, as its journal says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalHeader {
    /// The selector: which mods and clauses, in one pasteable line.
    pub selector: String,
    /// The scenario's id.
    pub scenario: String,
    /// The hash of the scenario's source.
    pub scenario_hash: ContentHash,
    /// The seed of the game's chance.
    pub seed: u64,
    /// The number of turns, where it was given.
    pub turns: Option<u32>,
    /// The mods, in the order in which they were composed.
    pub mods: Vec<ModRecord>,
    /// The version of the engine.
    pub engine: String,
    /// The bots that play: a side, and how it decides.
    pub bots: Vec<(String, String)>,
    /// Whether the players must agree to take play back.
    pub is_agreed: bool,
}

impl JournalHeader {
    /// The lines, each with its line break.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\nselector {}\n", first_line(), self.selector);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "scenario {} {}", self.scenario, self.scenario_hash);
        let _ = writeln!(text, "seed {}", self.seed);
        if let Some(turns) = self.turns {
            let _ = writeln!(text, "turns {turns}");
        }
        for record in &self.mods {
            let _ = writeln!(text, "mod {record}");
        }
        let _ = writeln!(text, "engine {}", self.engine);
        for (side, kind) in &self.bots {
            let _ = writeln!(text, "bot {side} {kind}");
        }
        if self.is_agreed {
            text.push_str("undo agreed\n");
        }
        text
    }

    /// Reads the lines after the first, up to the one of dashes.
    ///
    /// # Errors
    /// The place of the first bad line, from 0, and what was expected there.
    pub(super) fn from_lines(lines: &[&str]) -> Result<JournalHeader, (usize, String)> {
        let mut draft = Draft::default();
        for (at, line) in lines.iter().enumerate() {
            draft.take(line).map_err(|reason| (at, reason))?;
        }
        draft.finish().map_err(|reason| (lines.len(), reason))
    }
}

/// A header of which some lines are still to come.
#[derive(Default)]
struct Draft {
    selector: Option<String>,
    scenario: Option<(String, ContentHash)>,
    seed: Option<u64>,
    turns: Option<u32>,
    mods: Vec<ModRecord>,
    engine: Option<String>,
    bots: Vec<(String, String)>,
    undo: Option<()>,
}

impl Draft {
    fn take(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "selector" => once(&mut self.selector, key, value.to_string()),
            "scenario" => once(&mut self.scenario, key, scenario(value)?),
            "seed" => once(&mut self.seed, key, number(key, value)?),
            "turns" => once(&mut self.turns, key, number(key, value)?),
            "engine" => once(&mut self.engine, key, value.to_string()),
            "mod" => {
                self.mods.push(mod_record(value)?);
                Ok(())
            }
            "undo" if value == "agreed" => once(&mut self.undo, key, ()),
            "undo" => Err("expected `agreed` after `undo`".into()),
            "bot" => {
                let bot = value
                    .rsplit_once(' ')
                    .ok_or("expected `bot`, a side and how it decides")?;
                self.bots.push((bot.0.to_string(), bot.1.to_string()));
                Ok(())
            }
            other => Err(format!(
                "expected selector, scenario, seed, turns, mod, engine, bot or undo, found `{}`",
                super::one_line(&other.chars().take(40).collect::<String>())
            )),
        }
    }

    fn finish(self) -> Result<JournalHeader, String> {
        let missing = |key: &str| format!("expected a line `{key}`, found none");
        let (scenario, scenario_hash) = self.scenario.ok_or_else(|| missing("scenario"))?;
        Ok(JournalHeader {
            selector: self.selector.ok_or_else(|| missing("selector"))?,
            scenario,
            scenario_hash,
            seed: self.seed.ok_or_else(|| missing("seed"))?,
            turns: self.turns,
            mods: self.mods,
            engine: self.engine.ok_or_else(|| missing("engine"))?,
            bots: self.bots,
            is_agreed: self.undo.is_some(),
        })
    }
}

fn once<T>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("expected `{key}` once, found it twice")),
    }
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| {
        format!(
            "expected a number after `{key}`, found `{}`",
            super::one_line(value)
        )
    })
}

fn scenario(value: &str) -> Result<(String, ContentHash), String> {
    let (id, hash) = value
        .rsplit_once(' ')
        .ok_or("expected `scenario`, its id and its hash")?;
    Ok((id.to_string(), hash.parse()?))
}

pub(super) fn mod_record(value: &str) -> Result<ModRecord, String> {
    let parts: Vec<&str> = value.split(' ').collect();
    match parts[..] {
        [id, version, hash] => Ok(ModRecord {
            id: id.to_string(),
            version: version.to_string(),
            hash: hash.parse()?,
        }),
        _ => Err("expected `mod`, its id, its version and its hash".into()),
    }
}
