//! Overwatch: fire at those who move.

use houserule_guest::prelude::*;
use houserule_guest::rules::AskedFirst;

use crate::{UNIT, range, trigger};

const WATCH: &str = "unit: entity(tcsbase.unit), mover: entity(tcsbase.unit)";

/// To this range unmarked units need no permission.
const NEAR: i64 = 3;

pub fn register(rules: &mut Rules) {
    rules.window(
        "tcsbase.ow.entered",
        "mover: entity(tcsbase.unit)",
        AskedFirst::OthersOnly,
        &["tcsbase.ow.trigger"],
    );
    rules.define(
        Rule::new("tcsbase.ow.enter", "mover: entity(tcsbase.unit), at: hex")
            .effects("writes")
            .cites(&["tcsbase.ow.trigger", "tcsbase.move.ow"])
            .doc("puts a unit into the next hex of its way: fire at it there has not been permitted yet"),
        |game: Game, (mover, at): (Entity, Hex)| {
            let clock = game.named("clock");
            clock.set("trigger", clock.get::<i64>("trigger") + 1);
            mover.set("trigger", "new");
            mover.set("at", at);
            game.emit("tcsbase.move.entered_hex", record([("unit", mover.into()), ("at", at.into())]));
        },
    );
    permission(rules);
    rules.define(
        Rule::new("tcsbase.ow.with", "unit: entity(tcsbase.unit), mover: entity(tcsbase.unit), weapon: id")
            .returns("verdict")
            .cites(&["tcsbase.ow.trigger", "tcsbase.ow.resolve"])
            .doc("whether a unit may fire overwatch with the weapon that has this rule of its own"),
        |game: Game, (unit, mover, weapon): (Entity, Entity, String)| -> Verdict {
            if !game.exists(mover) {
                return Err("it is out of play".into());
            }
            game.call::<Verdict>("tcsbase.ow.may", [unit.into(), mover.into()])?;
            game.call(&weapon, [unit.into(), mover.into()])
        },
    );
    rules
        .reaction("tcsbase.ow.fire")
        .title("Fire overwatch")
        .at("tcsbase.ow.entered")
        .actor(UNIT)
        .cites(&["tcsbase.ow.trigger", "tcsbase.ow.resolve"])
        .allowed(|game, unit, window| {
            game.call("tcsbase.ow.with", [unit.into(), window.get("mover"), "tcsbase.ow.gun".into()])
        })
        .score(|game, unit, window, _| {
            let mover: Entity = window.get("mover");
            let needed: Option<i64> = game.call("tcsbase.fire.point.needed", [unit.into(), mover.into()]);
            // A shot in a hundred is not worth a marker.
            11 - needed.unwrap_or(13)
        })
        .perform(|game, unit, window, _| {
            let mover: Entity = window.get("mover");
            unit.set("gun_trigger", trigger(game));
            if game.call("tcsbase.ow.ask", [unit.into(), mover.into()]) {
                game.push("tcsbase.fire.gun", [unit.into(), mover.into()]);
            }
        });
}

fn permission(rules: &mut Rules) {
    rules.define(
        Rule::new("tcsbase.ow.gun", WATCH)
            .returns("verdict")
            .cites(&["tcsbase.ow.resolve"])
            .doc("whether a unit may fire its gun from overwatch at this trigger"),
        |game: Game, (unit, mover): (Entity, Entity)| -> Verdict {
            if unit.get::<i64>("gun_trigger") == trigger(game) {
                return Err("it has fired at this trigger".into());
            }
            game.call::<Verdict>("tcsbase.fire.may", [unit.into(), mover.into()])
        },
    );
    rules.define(
        Rule::new("tcsbase.ow.free", WATCH)
            .returns("bool")
            .cites(&["tcsbase.ow.permission", "tcsbase.ow.marked"])
            .doc("whether a unit needs no permission to fire at a mover"),
        |game: Game, (unit, mover): (Entity, Entity)| {
            let own_only = game.option::<String>("tcsbase.ow.near_marked") == "own";
            range(unit, mover) <= NEAR && (own_only || !unit.get::<bool>("is_marked"))
        },
    );
    rules.define(
        Rule::new("tcsbase.ow.may", WATCH)
            .returns("verdict")
            .cites(&["tcsbase.ow.who", "tcsbase.ow.permission", "tcsbase.ow.marked"])
            .doc("whether a unit may try to fire overwatch, whatever its weapon"),
        |game: Game, (unit, mover): (Entity, Entity)| -> Verdict {
            if unit.side() == mover.side() {
                return Err("it is a friend".into());
            }
            game.call::<Verdict>("tcsbase.mode.watches", [unit.into()])?;
            let is_free: bool = game.call("tcsbase.ow.free", [unit.into(), mover.into()]);
            match () {
                () if !is_free && mover.get::<String>("trigger") == "refused" => {
                    Err("the fire was not permitted".into())
                }
                () if unit.get::<i64>("asked") == trigger(game) && !unit.get::<bool>("may_again") => {
                    Err("its roll has failed".into())
                }
                () => Ok(()),
            }
        },
    );
    rules.define(
        Rule::new("tcsbase.ow.ask", WATCH)
            .returns("bool")
            .effects("draws writes")
            .cites(&["tcsbase.ow.permission", "tcsbase.ow.marked", "tcsbase.ow.marker"])
            .doc("rolls for permission where it is needed; marks the unit if it fires"),
        ask,
    );
}

fn ask(game: Game, (unit, mover): (Entity, Entity)) -> bool {
    let is_free: bool = game.call("tcsbase.ow.free", [unit.into(), mover.into()]);
    if !is_free && mover.get::<String>("trigger") == "new" {
        let given = die(game, "permission", 5);
        mover.set("trigger", if given { "given" } else { "refused" });
    }
    if !is_free && mover.get::<String>("trigger") != "given" {
        return false;
    }
    // One marker, and one roll at a trigger, cover all weapons.
    if unit.get::<i64>("asked") != trigger(game) {
        let may = !unit.get::<bool>("is_marked") || die(game, "additional overwatch", 6);
        unit.set("asked", trigger(game));
        unit.set("may_again", may);
    }
    let fires: bool = unit.get("may_again");
    if fires {
        unit.set("is_marked", true);
    }
    fires
}

fn die(game: Game, what: &str, needed: i64) -> bool {
    let face = game.roll(&Die::new(6), what);
    let result = if face >= needed { "given" } else { "refused" };
    game.emit(
        "tcsbase.ow.die",
        record([
            ("what", what.into()),
            ("die", face.into()),
            ("needed", needed.into()),
            ("result", result.into()),
        ]),
    );
    face >= needed
}
