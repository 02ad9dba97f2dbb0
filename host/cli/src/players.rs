//! Who decides in games that bots play.

use std::collections::BTreeMap;

use clap::Args;
use houserule::embed::BotSort;
use houserule::kernel::value::Name;
use houserule::play::Players;
use houserule::workshop::Found;

use crate::failure::Failure;
use crate::selection::id_and_value;

/// Who decides.
#[derive(Args)]
#[command(next_help_heading = "Players")]
pub struct Bots {
    /// What plays every side: random or greedy
    ///
    /// Without it, what the scenario says; where it says nothing, greedy.
    #[arg(long, value_name = "KIND")]
    pub bots: Option<BotSort>,
    /// What plays one side; can be given again
    #[arg(long, value_name = "SIDE=KIND", value_parser = side_and_kind)]
    pub bot: Vec<(String, BotSort)>,
}

impl Bots {
    /// The players of a scenario.
    ///
    /// # Errors
    /// A bot for a side that is not there.
    pub fn of(&self, found: &Found) -> Result<Players, Failure> {
        players(self.bots, &self.bot, found)
    }
}

/// Parts `side=kind`.
pub fn side_and_kind(text: &str) -> Result<(String, BotSort), String> {
    let (side, kind) =
        id_and_value(text).map_err(|_| "expected `side=random` or `side=greedy`".to_string())?;
    Ok((side, kind.parse()?))
}

/// The players of a scenario.
///
/// # Errors
/// A bot for a side that is not there: it would be forgotten in silence.
pub fn players(
    every: Option<BotSort>,
    sides: &[(String, BotSort)],
    found: &Found,
) -> Result<Players, Failure> {
    let is_there = |side: &str| found.scenario.sides.iter().any(|known| *known.id == *side);
    if let Some((side, _)) = sides.iter().find(|(side, _)| !is_there(side)) {
        let known: Vec<&str> = found.scenario.sides.iter().map(|side| &*side.id).collect();
        return Err(Failure::Plain(format!(
            "expected a side of `{}`, {}, found `{side}`",
            found.scenario.id,
            known.join(" and ")
        )));
    }
    let sides: BTreeMap<Name, _> = sides
        .iter()
        .map(|(side, kind)| (Name::from(side.as_str()), (*kind).into()))
        .collect();
    Ok(Players {
        every: every.map(BotSort::into),
        sides,
    })
}
