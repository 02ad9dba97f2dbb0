//! Every harm that a component could try to do.

use std::hint::black_box;

use houserule_guest::bindings::houserule::contract::{calls, game as raw};
use houserule_guest::prelude::*;

houserule_guest::module!(register);

fn register(rules: &mut Rules) {
    harm(rules, "harm.do.loop", |_| {
        while black_box(true) {
            black_box(0);
        }
    });
    harm(rules, "harm.do.grow", |_| {
        let mut kept: Vec<Vec<u8>> = Vec::new();
        while black_box(true) {
            kept.push(vec![1; 1 << 20]);
        }
        black_box(kept);
    });
    harm(rules, "harm.do.deep", |_| {
        black_box(deep(black_box(1 << 30)));
    });
    harm(rules, "harm.do.nested", |game| game.call::<Value>("harm.do.again", [0.into()]).pass());
    rules.define(Rule::new("harm.do.again", "n: integer"), |game: Game, (n,): (i64,)| {
        game.call::<Value>("harm.do.again", [(n + 1).into()]).pass();
    });
    harm(rules, "harm.do.flood", |game| {
        while black_box(true) {
            game.sides();
        }
    });
    harm(rules, "harm.do.huge", |game| {
        let text = "x".repeat(30 << 20);
        game.emit("both.play.noted", record([("text", text.into())]));
    });
    harm(rules, "harm.do.parts", |game| {
        let many: Vec<i64> = (0..70_000).collect();
        game.named("blue-1").set("notes", many);
    });
    harm(rules, "harm.do.trap", |_| panic!("this mod gives up"));
    harm(rules, "harm.do.write_then_trap", |game| {
        game.named("blue-1").set("men", 77);
        game.push("both.play.land", [game.named("blue-1").into(), game.named("red-1").into(), 1.into()]);
        panic!("half of it is done");
    });
    harm(rules, "harm.do.forge", |_| {
        black_box(raw::get(4_000_000, "men"));
    });
    harm(rules, "harm.do.late", |_| {
        let mut late = Late;
        late.register();
    });
    harm(rules, "harm.do.base", |_| {
        black_box(calls::base(&[]));
    });
    harm(rules, "harm.do.unknown", |game| game.call::<Value>("both.play.summ", []).pass());
    arguments(rules);
}

/// Other arguments than a rule lists: called, and under a wrap.
fn arguments(rules: &mut Rules) {
    harm(rules, "harm.do.many", |game| {
        game.call::<Value>("both.play.sum", [1.into(), 2.into(), 3.into()]).pass();
    });
    harm(rules, "harm.do.wrong", |game| {
        game.call::<Value>("both.play.sum", [1.into(), "two".into()]).pass();
    });
    rules.wrap(Rule::over("both.play.first"), |game: Game, ()| -> Value {
        if game.named("blue-1").get::<i64>("men") == 77 { game.base([1.into()]) } else { game.base([]) }
    });
    harm(rules, "harm.do.many_under", |game| {
        game.named("blue-1").set("men", 77);
        game.call::<Value>("both.play.first", []).pass();
    });
    rules.wrap(Rule::over("both.play.asked"), |game: Game, (_,): (i64,)| -> Value {
        game.base(["many".into()])
    });
    harm(rules, "harm.do.wrong_under", |game| game.call::<Value>("both.play.asked", [1.into()]).pass());
}

fn harm(rules: &mut Rules, id: &'static str, perform: fn(Game)) {
    rules.action(id).at("both.play.turn").perform(move |game, _, _| perform(game));
}

/// Not a loop: what comes back is used.
fn deep(n: u64) -> u64 {
    if n == 0 { 0 } else { deep(black_box(n - 1)).wrapping_mul(black_box(3)) + n }
}

trait Pass {
    fn pass(self);
}

impl Pass for Value {
    fn pass(self) {
        black_box(self);
    }
}

/// Registers when it is too late.
struct Late;

impl Late {
    fn register(&mut self) {
        use houserule_guest::bindings::houserule::contract::registration;
        black_box(registration::active("both.play.core"));
    }
}
