//! House rules for the drill: squads fire again where they missed, and
//! stragglers fall in.

use houserule_guest::prelude::*;

houserule_guest::module!(register);

const SQUAD: &str = "drill.squad";

fn register(rules: &mut Rules) {
    rules.wrap(
        Rule::over("drill.fire.resolve").cites(&["echo.fire.again"]),
        |game: Game, (squad, target): (Entity, Entity)| -> Record {
            let first: Record = game.base([squad.into(), target.into()]);
            if first.get("is_hit") { first } else { game.base([squad.into(), target.into()]) }
        },
    );
    rules.define(
        Rule::new("echo.rally.room", "squad: entity(drill.squad)")
            .returns("integer")
            .cites(&["echo.rally.fall-in"])
            .doc("how many men may join a squad"),
        |_: Game, (squad,): (Entity,)| room(squad.get("strength")),
    );
    rules
        .action("echo.rally.fall-in")
        .title("Fall in")
        .at("drill.fire.volley")
        .actor(SQUAD)
        .cites(&["echo.rally.fall-in"])
        .allowed(|game, squad| {
            if squad.get("has_acted") {
                return Err("it has acted".into());
            }
            match game.call::<i64>("echo.rally.room", [squad.into()]) {
                0 => Err("it has no room".into()),
                _ => Ok(()),
            }
        })
        .param("men", "How many?", "integer 1..3", |game, squad, _| {
            Some(Domain::integer(1, game.call("echo.rally.room", [squad.into()])))
        })
        .score(|_, _, params| params.get("men"))
        .perform(|_, squad, params| {
            squad.set("has_acted", true);
            squad.set("strength", squad.get::<i64>("strength") + params.get::<i64>("men"));
        });
}

/// What needs no game is a function like any, and is tested like any.
fn room(strength: i64) -> i64 {
    (10 - strength).clamp(0, 3)
}

#[cfg(test)]
mod tests {
    #[test]
    fn ten_men_are_all() {
        assert_eq!([3, 8, 10].map(super::room), [3, 2, 0]);
    }
}
