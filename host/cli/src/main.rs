//! The houserule command.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anstream::println;
use houserule::play::{Bot, BotKind};
use houserule::workshop::{Wishes, Workshop};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (workshop, faults) = Workshop::open(&[PathBuf::from("mods")]);
    for fault in faults {
        println!("{fault}");
    }
    match args.get(1).map(String::as_str) {
        Some("check") => {
            for id in workshop.manifests().keys() {
                let request = houserule::modset::selector::Request::parse(id);
                match request.and_then(|request| workshop.compose(&request)) {
                    Ok(chosen) => println!("{id}: {} rules", chosen.rulebook.rules().len()),
                    Err(faults) => faults.iter().for_each(|fault| println!("{fault}")),
                }
            }
        }
        Some("run") => {
            let found = match workshop.scenario(&args[2]) {
                Ok(found) => found,
                Err(faults) => return faults.iter().for_each(|fault| println!("{fault}")),
            };
            let (mut game, active) = match workshop.start(&found, &Wishes::default()) {
                Ok(started) => started,
                Err(faults) => return faults.iter().for_each(|fault| println!("{fault}")),
            };
            let kind: BotKind = args.get(3).and_then(|k| k.parse().ok()).unwrap_or(BotKind::Greedy);
            let seed = game.header().seed;
            let sides = game.game().world().sides().len() as u8;
            let mut bots: BTreeMap<_, _> = (0..sides)
                .map(|s| (kernel::value::Side(s), Bot::new(kind, seed, kernel::value::Side(s))))
                .collect();
            if let Err(fault) = game.play_bots(&mut bots, |game| game.inputs().len() > 5000) {
                println!("{fault}");
            }
            println!("{}", houserule::testing::golden_text(&mut game, &active.line, &found.scenario));
            println!("{} inputs, {:?}, {}, {}", game.inputs().len(), game.wanted(), active.line, game.hash());
        }
        Some("test") => {
            let filter = houserule::testing::Filter { mods: vec![], text: args.get(2).cloned() };
            let results = houserule::testing::run_suite(&workshop, &filter, &|_| {});
            let mut failed = 0;
            for one in &results {
                if let Some(fault) = &one.failure {
                    failed += 1;
                    println!("{:?} {} {}: {fault}", one.sort, one.module, one.name);
                    if let Some(golden) = &one.golden {
                        println!("{}", golden.diff);
                    }
                }
            }
            println!("{} passed, {failed} failed", results.len() - failed);
        }
        Some("coverage") => {
            let results = houserule::testing::run_suite(&workshop, &Default::default(), &|_| {});
            for one in houserule::testing::coverage(&workshop, &args[2].as_str().into(), &results)
                .unwrap_or_default()
            {
                if !one.implemented || !one.cited || one.cases.is_empty() {
                    println!("{} {} {} {:?}", one.clause, one.implemented, one.effect, one.cases);
                }
            }
        }
        _ => println!("check | run ID"),
    }
}
