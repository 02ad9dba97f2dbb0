//! Dual mode: able to fire accurately on the move.

use houserule_guest::prelude::*;

const DUAL: &[&str] = &["tcs.dual.def", "tcs.dual.sides"];

fn is_dual(unit: Entity) -> bool {
    unit.get::<String>("mode") == "dual"
}

pub fn register(rules: &mut Rules) {
    rules.wrap(
        Rule::over("tcsbase.mode.choices").cites(DUAL),
        |game: Game, (unit,): (Entity,)| -> Vec<String> {
            let under: Vec<String> = game.base([unit.into()]);
            match unit.get("has_dual") {
                true => vec!["fire".to_string(), "dual".to_string()],
                false => under,
            }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.mode.choices").cites(&["tcs.dual.owmarked_no_change"]),
        |game: Game, (unit,): (Entity,)| -> Vec<String> {
            let mut modes: Vec<String> = game.base([unit.into()]);
            modes.retain(|mode| mode != "dual" || !unit.get::<bool>("is_marked"));
            modes
        },
    );
    for rule in ["tcsbase.mode.fires", "tcsbase.mode.moves"] {
        rules.wrap(Rule::over(rule).cites(&["tcs.dual.fire_then_move"]), |game: Game, (unit,): (Entity,)| {
            if is_dual(unit) { Ok(()) } else { under(game, unit) }
        });
    }
    rules.wrap(
        Rule::over("tcsbase.mode.watches").cites(&["tcs.dual.no_overwatch"]),
        |game: Game, (unit,): (Entity,)| -> Verdict {
            if is_dual(unit) { Err("nobody fires overwatch in dual mode".into()) } else { under(game, unit) }
        },
    );
    rules.wrap(
        Rule::over("tcsbase.mode.is_moving").cites(&["tcs.dual.as_move"]),
        |game: Game, (unit,): (Entity,)| -> bool { is_dual(unit) || game.base([unit.into()]) },
    );
    rules.wrap(
        Rule::over("tcsbase.mode.is_moving").cites(&["tcs.dual.firemode_normal"]),
        |game: Game, (unit,): (Entity,)| -> bool {
            unit.get::<String>("mode") != "fire" && game.base::<bool>([unit.into()])
        },
    );
    rules.wrap(
        Rule::over("tcs.atgm.ready").cites(&["tcs.dual.no_atgm"]),
        |game: Game, (unit,): (Entity,)| -> Verdict {
            if is_dual(unit) { Err("nobody fires missiles in dual mode".into()) } else { under(game, unit) }
        },
    );
}

fn under(game: Game, unit: Entity) -> Verdict {
    game.base([unit.into()])
}
