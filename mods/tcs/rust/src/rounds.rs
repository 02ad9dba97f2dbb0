//! Improved rounds.

use houserule_guest::prelude::*;

/// Armour beyond this keeps bomblets out.
const THICK: i64 = 8;

pub fn register(rules: &mut Rules) {
    let row = |rounds: &str, caliber: &str, fp: i64| {
        record([("rounds", rounds.into()), ("caliber", caliber.into()), ("fp", fp.into())])
    };
    let calibers = [("105", 15), ("155", 20), ("203", 36), ("mlrs", 50)];
    let rows = ["dpicm", "icm"]
        .into_iter()
        .flat_map(|rounds| calibers.map(|(caliber, fp)| row(rounds, caliber, fp)));
    rules.add_rows("tcsbase.art.rounds", rows.collect(), &["tcs.tbl.rounds"]);
    let wraps: [(&[&str], &str); 2] =
        [(&["tcs.icm.vehicle.icm"], "icm"), (&["tcs.icm.vehicle.dpicm"], "dpicm")];
    for (cites, kind) in wraps {
        rules.wrap(
            Rule::over("tcsbase.art.vehicle_modifier").cites(cites),
            move |game: Game, (rounds, target): (String, Entity)| -> Option<i64> {
                let under: Option<i64> = game.base([rounds.as_str().into(), target.into()]);
                if rounds == kind {
                    under.and_then(|under| bomblets(game, kind, target, under))
                } else {
                    under
                }
            },
        );
    }
}

fn bomblets(game: Game, kind: &str, target: Entity, under: i64) -> Option<i64> {
    let defence: i64 = game.call("tcsbase.fire.defence", [target.into(), "shell".into()]);
    match kind {
        "icm" if defence >= 2 => None,
        "icm" => Some(under + 3),
        _ => Some(under + 3 - (defence - THICK).max(0)),
    }
}
