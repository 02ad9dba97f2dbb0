//! A whole game of this program against a bot.
//!
//! `cargo run -p houserule --example bot_game`
#![allow(clippy::print_stdout, reason = "it tells the game")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use houserule::embed::{BotSort, Plain, Prompt, Start, Tabletop, Trouble, WireDomain, WireInput};

const ME: &str = "blue";

fn main() -> Result<(), Trouble> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let bots = [("red".into(), BotSort::Greedy)].into();
    let start = Start {
        scenario: "drill/range".into(),
        bots,
        ..Start::default()
    };
    let mut table = Tabletop::start(&[root.join("mods"), root.join("docs/examples")], &start)?;
    let (mut timeline, mut last) = (0, 0);
    loop {
        while table.bot_turn()?.is_some() {}
        let news = table.news(ME, timeline, last)?;
        (timeline, last) = (news.timeline, news.last);
        news.events
            .iter()
            .flat_map(|event| &event.text)
            .for_each(|line| println!("{line}"));
        let input = match table.prompt(ME)? {
            Prompt::Act { .. } | Prompt::React { .. } => decide(&mut table)?,
            Prompt::Answer { question } => {
                let value = choose(&question.asked[0].domain);
                WireInput::Answer {
                    by: ME.into(),
                    question: question.id,
                    value,
                }
            }
            Prompt::Wait | Prompt::Over { .. } => return Ok(()),
        };
        table.submit(&input)?;
    }
}

/// The first action that is allowed, with the first value for each parameter.
fn decide(table: &mut Tabletop) -> Result<WireInput, Trouble> {
    let legal = table.legal(ME)?;
    let by = ME.to_string();
    let Some(action) = legal.actions.iter().find(|action| action.refused.is_none()) else {
        let stop = if legal.decline {
            WireInput::Decline {
                by,
                standing: false,
            }
        } else {
            WireInput::Done { by }
        };
        return Ok(stop);
    };
    let mut params = BTreeMap::new();
    while let Some(next) = table.next_param(ME, &action.id, action.actor_ref().as_ref(), &params)? {
        params.insert(next.name, choose(&next.domain));
    }
    Ok(legal.input(ME, action, params))
}

fn choose(domain: &WireDomain) -> Plain {
    domain.first().unwrap_or_default()
}
