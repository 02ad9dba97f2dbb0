//! Every part of the contract, in Rust; its twin is `luau/both.luau`.

use houserule_guest::bindings::houserule::contract::{data, hexes as raw};
use houserule_guest::geometry::{Contact, SideOf, Template};
use houserule_guest::prelude::*;
use houserule_guest::rules::{Acting, AskedFirst, End};
use houserule_guest::{INCH, Region, Shape, Where, geometry};

houserule_guest::module!(register);

const PIECE: &str = "both.piece";
const CORE: &[&str] = &["both.play.core"];
const BY_NIGHT: &[&str] = &["both.play.core", "both.play.night"];

fn register(rules: &mut Rules) {
    declarations(rules);
    phases(rules);
    sums(rules);
    rules.define(
        Rule::new("both.play.measure", "a: entity(both.piece), b: entity(both.piece)").returns("any"),
        measure,
    );
    rules.define(
        Rule::new(
            "both.play.resolve",
            "piece: entity(both.piece), target: entity(both.piece), force: integer 1..9",
        )
        .returns("both.play.outcome")
        .effects("draws")
        .cites(CORE),
        resolve,
    );
    rules.step(
        Rule::new("both.play.land", "piece: entity(both.piece), target: entity(both.piece), force: integer")
            .cites(CORE),
        land,
    );
    strike(rules);
    counter(rules);
    survey(rules);
    cards(rules);
    if rules.active("both.play.night") {
        parley(rules);
    }
    rules.on(Rule::over("both.play.struck").cites(CORE), |game, event| {
        game.emit(
            "both.play.noted",
            record([("text", format!("{} fell", event.get::<i64>("fallen")).into())]),
        );
    });
}

fn declarations(rules: &mut Rules) {
    rules.record("both.play.outcome", "hit: bool, fallen: integer, chit: text?");
    rules.ladder("both.play.dice", &[4, 6, 8, 10], End::Stop, End::Convert, CORE);
    rules.event(
        "both.play.struck",
        "strike",
        "{piece} strikes {target}: {fallen} fall",
        "piece: entity, target: entity, fallen: integer, why: text",
        CORE,
    );
    rules.event("both.play.noted", "note", "{text}", "text: text", CORE);
    rules.amend_rows("both.play.costs", vec![record([("ground", "wood".into()), ("cost", 3.into())])], CORE);
    rules.remove_rows("both.play.costs", vec![record([("ground", "lake".into())])], &["both.play.night"]);
    rules.window(
        "both.play.aimed",
        "piece: entity(both.piece), target: entity(both.piece)",
        AskedFirst::OthersOnly,
        CORE,
    );
}

fn phases(rules: &mut Rules) {
    let inner = ["both.play.start", "both.play.turn", "both.play.extra"];
    rules.phase(Phase::rounds("both.play.game", &inner, Some("both.play.over")).title("Game").root());
    rules.phase(
        Phase::acts("both.play.turn", Acting::OneAfterAnother)
            .title("Turn")
            .announced()
            .first("both.play.first")
            .may_end("both.play.may_end")
            .ends_when_idle(),
    );
    rules.phase(Phase::sequence("both.play.extra", &[]));
    rules.automatic(Phase::sequence("both.play.dusk", &[]).after("both.play.turn"), |game| {
        let round = game.round("both.play.game");
        game.emit("both.play.noted", record([("text", format!("dusk of round {round}").into())]));
        if round >= 2 {
            let men: i64 = game.named("blue-1").get("men");
            game.finish(record([("winner", "blue".into()), ("men", men.into())]));
        }
    });
    rules.remove_phase("both.play.extra", &[]);
    rules.automatic(Phase::sequence("both.play.start", &[]), |game| {
        for piece in game.entities(PIECE) {
            piece.set("has_acted", false);
        }
    });
    rules.define(Rule::new("both.play.over", "").returns("bool"), |game: Game, ()| {
        game.turns().is_some_and(|turns| game.round("both.play.game") > turns)
    });
    rules.define(Rule::new("both.play.first", "").returns("text"), |game: Game, ()| {
        game.sides().swap_remove(0)
    });
    rules.define(
        Rule::new("both.play.may_end", "side: text").returns("verdict"),
        |_: Game, (side,): (String,)| -> Verdict {
            if side.is_empty() { Err("nobody".into()) } else { Ok(()) }
        },
    );
}

fn sums(rules: &mut Rules) {
    let sum = Rule::new("both.play.sum", "a: integer, b: integer").returns("integer").doc("a sum");
    rules.define(sum, |_: Game, (a, b): (i64, i64)| a + b);
    rules.wrap(Rule::over("both.play.sum").cites(&["both.play.luck"]), |game: Game, (a, b): (i64, i64)| {
        game.base::<i64>([a.into(), b.into()]) + 1
    });
    let reads = Rule::new("both.play.reads", "piece: entity(both.piece), count: integer").returns("integer");
    rules.define(reads, |_: Game, (piece, count): (Entity, i64)| {
        (0..count).map(|_| piece.get::<i64>("men")).sum::<i64>()
    });
    let asked = Rule::new("both.play.asked", "n: integer").returns("integer").effects("asks");
    rules.define(asked, |game: Game, (n,): (i64,)| {
        let question = Question::new("both.play.really", "Really?");
        if game.ask(&game.sides()[1], question, Domain::yes()) { n } else { -n }
    });
    rules.define(
        Rule::new("both.play.stars", "").returns("integer").kept().stays().cites(BY_NIGHT),
        |game: Game, ()| if game.clause("both.play.night") { 7 } else { 0 },
    );
    rules.define(Rule::new("both.play.names", "").returns("text"), |_: Game, ()| "base");
    rules.replace(Rule::over("both.play.names"), |_: Game, ()| "replaced");
}

fn cost(game: Game, ground: &str) -> Option<u32> {
    game.row("both.play.costs", [ground.into()]).and_then(|row| row.get("cost"))
}

fn measure(game: Game, (a, b): (Entity, Entity)) -> Record {
    let (from, to): (Hex, Hex) = (a.get("hex"), b.get("hex"));
    let (here, there) = (Where::from(a), Where::from(b));
    let line: Vec<i64> = from.line(to).iter().map(|(_, beside)| 1 + i64::from(beside.is_some())).collect();
    let costs = HexCosts {
        otherwise: cost(game, "open"),
        enter: vec![(Hex::new(1, 0), cost(game, "wood"))],
        ..HexCosts::default()
    };
    let reached: u32 = from.reach(3, &costs).iter().map(|(_, cost, _)| cost).sum();
    let most: i64 = game.row("both.play.costs", ["open".into()]).map_or(0, |row| row.get("most"));
    let quadrant = match here.quadrant(a.get("facing"), b) {
        geometry::Quarter::Front => "front",
        geometry::Quarter::Right => "right",
        geometry::Quarter::Rear => "rear",
        geometry::Quarter::Left => "left",
    };
    let disc = Shape::Disc(Where::At(Point { x: 4 * INCH, y: 8 * INCH }), INCH);
    record([
        ("distance", here.distance(there).into()),
        ("within", here.within(there, most).into()),
        ("bearing", here.bearing(there).into()),
        ("quadrant", quadrant.into()),
        ("toward", here.toward(there, INCH).into()),
        ("blocked", geometry::is_blocked(a, 1, b, 1, &[(disc, 0, 5)]).into()),
        ("hexes", from.distance(to).into()),
        ("direction", from.direction(Hex::new(0, 3)).into()),
        ("line", line.into()),
        ("reached", reached.into()),
        ("way", Hex::path_cost(&[from, Hex::new(1, 0), Hex::new(2, 0)], &costs).into()),
        ("met", from.is_blocked(0, Hex::new(2, 0), 10, &[(Hex::new(1, 0), 8)], 0, false).into()),
        ("beside", Hex::at(3, 4).into()),
        ("sides", game.sides().len().into()),
        ("width", game.size().0.into()),
    ])
}

fn resolve(game: Game, (piece, _, force): (Entity, Entity, i64)) -> Record {
    let die: Die = piece.get("die");
    let face = game.roll(&die, "the strike");
    let (better, surplus) = game.shift(&die, 1, "it is close", None);
    let second = game.roll_all(&[better], "")[0];
    let chit = game.draw("both.play.chits", 1).swap_remove(0);
    let total: i64 =
        game.call("both.play.sum", [(face + second).into(), (force + i64::from(surplus)).into()]);
    record([
        ("hit", (total >= game.option("both.play.most")).into()),
        ("fallen", total.div_euclid(4).into()),
        ("chit", chit.into()),
    ])
}

fn land(game: Game, (piece, target, force): (Entity, Entity, i64)) {
    let outcome: Record = game.call("both.play.resolve", [piece.into(), target.into(), force.into()]);
    let question = Question::new("both.play.give_way", "Give way?").about(&[target]);
    let gives_way: bool = game.ask(&target.side(), question, Domain::yes());
    let fallen = outcome.get::<i64>("fallen") / if gives_way { 2 } else { 1 };
    target.set("men", target.get::<i64>("men") - fallen);
    let word = if outcome.get("hit") { "hit" } else { "missed" };
    target.set("notes", vec![outcome.get::<String>("chit"), word.to_string()]);
    target.set("plan", record([("to", Hex::new(1, 1).into()), ("how", "back".into())]));
    target.set("mood", "angry");
    let why: String = game.call("both.play.names", []);
    let told = record([
        ("piece", piece.into()),
        ("target", target.into()),
        ("fallen", fallen.into()),
        ("why", why.into()),
    ]);
    game.emit_to("both.play.struck", told, None, &[("why", &[&target.side()])]);
    game.open("both.play.aimed", record([("piece", piece.into()), ("target", target.into())]));
}

fn strike(rules: &mut Rules) {
    rules
        .action("both.play.strike")
        .title("Strike")
        .at("both.play.turn")
        .actor(PIECE)
        .cites(CORE)
        .allowed(|_, piece| if piece.get("has_acted") { Err("it has acted".into()) } else { Ok(()) })
        .param("target", "Whom?", "entity(both.piece)", |game, piece, _| {
            let others = game.entities(PIECE).into_iter().filter(move |other| other.side() != piece.side());
            Some(Domain::entities(others))
        })
        .param("force", "How hard?", "integer 1..9", |_, _, _| Some(Domain::integer(1, 9)))
        .score(|_, _, params| params.get("force"))
        .perform(|game, piece, params| {
            let target: Entity = params.get("target");
            piece.set("has_acted", true);
            piece.set("target", target);
            game.push("both.play.land", [piece.into(), target.into(), params.get("force")]);
        });
}

fn counter(rules: &mut Rules) {
    rules
        .reaction("both.play.counter")
        .title("Counter")
        .at("both.play.aimed")
        .actor(PIECE)
        .cites(CORE)
        .allowed(|_, piece, window| {
            match (piece == window.get("target"), piece.get::<String>("mood").as_str()) {
                (false, _) => Err("it was not struck".into()),
                (true, "angry") => Ok(()),
                (true, _) => Err("it is calm".into()),
            }
        })
        .param("how", "", "hard|soft", |_, _, _, _| Some(Domain::words(["hard", "soft"])))
        .perform(|game, piece, window, params| {
            piece.set("mood", "calm");
            let by: Entity = window.get("piece");
            let fewer = if params.get::<String>("how") == "hard" { 2 } else { 1 };
            by.set("men", by.get::<i64>("men") - fewer);
            game.reveal(piece, Some("secret"), None);
            let made =
                record([("side", piece.side().into()), ("hex", Hex::new(5, 5).into()), ("men", 1.into())]);
            let spare = game.create(PIECE, made, Some("spare"));
            if game.find("spare") == Some(spare) && game.exists(spare) {
                game.remove(spare);
            }
        });
}

/// What is left of measuring, and of looking things up.
fn survey(rules: &mut Rules) {
    let most: i64 = rules.option("both.play.most");
    rules.define(
        Rule::new("both.play.survey", "a: entity(both.piece), b: entity(both.piece)").returns("any"),
        move |game: Game, (a, b): (Entity, Entity)| -> Record {
            let mut found = shapes(a, b);
            let rows = game.rows("both.play.costs");
            let named = [
                ("most", most.into()),
                ("is_night", game.clause("both.play.night").into()),
                ("rows", rows.iter().map(|row| row.get::<String>("ground")).collect::<Vec<_>>().into()),
                ("name", a.name().into()),
                ("kind", a.kind().into()),
                ("label", a.label().into()),
                ("calm", game.all(PIECE, "mood", "calm").into()),
                ("sees", game.sees_entity("red", a).into()),
                ("shifts", game.can_shift(&a.get("die"), 3, None).into()),
                ("round", game.round("both.play.game").into()),
            ];
            found.0.extend(record(named).0);
            found
        },
    );
}

fn cards(rules: &mut Rules) {
    rules.define(
        Rule::new("both.play.cards", "side: text").returns("any").effects("draws"),
        |game: Game, (side,): (String,)| -> Record {
            let deck = game.deck("both.play.deck", Some(&side));
            deck.shuffle();
            let dealt = || Audience::everybody().only("cards", &[&side]);
            let drawn = deck.draw(2, dealt());
            let last = deck.draw_bottom(1, Audience::everybody());
            deck.put(&last);
            deck.search(&last[0], dealt());
            deck.put_bottom(&last);
            deck.discard(&drawn);
            let found = record([
                ("drawn", drawn.into()),
                ("left", i64::from(deck.size()).into()),
                ("stock", deck.cards().into()),
                ("laid", i64::from(deck.discard_size()).into()),
                ("discarded", deck.discarded().into()),
            ]);
            deck.gather();
            record([("found", found.into()), ("whole", deck.cards().into())])
        },
    );
}

fn shapes(a: Entity, b: Entity) -> Record {
    let point = |x: i64, y: i64| Point { x: x * INCH, y: y * INCH };
    let (here, there) = (Where::from(a), Where::from(b));
    let square = [point(2, 6), point(6, 6), point(6, 10), point(2, 10)].map(Where::At);
    let square = Shape::Polygon(square.to_vec());
    let ribbon = Shape::Line(vec![point(0, 8).into(), point(8, 8).into()], INCH);
    let wall = [(square.clone(), 0, 3)];
    let all = [here, there, point(5, 4).into()];
    let stretch = &geometry::stretches(a, b, std::slice::from_ref(&square))[1];
    let met = &geometry::sight(a, 1, b, 1, &wall)[0];
    let hexes = |hexes: Vec<Hex>| hexes.iter().map(|hex| i64::from(hex.q * 10 + hex.r)).sum::<i64>();
    let beside = Hex::new(0, 0).sight(0, Hex::new(1, 1), 0, &[(Hex::new(1, 0), 5)], 0);
    record([
        ("nearest", here.nearest(&[there, point(5, 4).into()]).into()),
        ("offset", here.offset(90 * 60, INCH).into()),
        ("in_arc", here.in_arc(a.get("facing"), b, 0, 45 * 60).into()),
        ("groups", geometry::connected(&all, 2 * INCH).len().into()),
        ("path", geometry::path_length(&all).into()),
        ("inside", (square.locate(point(4, 8)) == SideOf::Inside).into()),
        ("near", ribbon.is_near(a, 3 * INCH).into()),
        ("near_edge", square.is_near_edge(point(4, 7), INCH).into()),
        ("crosses", (square.meets(a, b) == Contact::Crosses).into()),
        ("from", stretch.from.into()),
        ("to", stretch.to.into()),
        ("areas", stretch.areas.len().into()),
        ("through", met.length.into()),
        ("solid", (met.solid == Contact::Crosses).into()),
        ("disc", Template::Disc(here, INCH).covers(b).into()),
        ("ring", Template::Ring(here, INCH, 9 * INCH).covers(b).into()),
        ("strip", Template::Strip(here, there, INCH).covers(point(4, 8)).into()),
        ("sector", Template::Sector(here, 0, 10 * 60, 9 * INCH).covers(b).into()),
        ("around", hexes(Hex::new(1, 1).ring(2)).into()),
        ("within_two", hexes(Hex::new(1, 1).area(2)).into()),
        // Mods in Rust count hexes without the host: `Hex::distance`.
        ("steps", raw::distance(data::Hex { q: 0, r: 0 }, data::Hex { q: 2, r: 1 }).into()),
        ("along", beside[0].beside.is_some().into()),
        ("either", beside[0].blocks_either.into()),
    ])
}

/// By night sides talk: a phase that is entered and left, places, routes, a
/// secret, chits that stay out.
fn parley(rules: &mut Rules) {
    let dawn = ["both.play.cockcrow", "both.play.start"];
    rules.phase(Phase::sequence("both.play.dawn", &dawn).around("both.play.start"));
    rules.automatic(Phase::sequence("both.play.cockcrow", &[]), |game| {
        game.emit("both.play.noted", record([("text", "the cock crows".into())]));
    });
    rules.phase(
        Phase::acts("both.play.council", Acting::Alternating)
            .may_pass("both.play.may_end")
            .ends("both.play.settled"),
    );
    rules.define(
        Rule::new("both.play.settled", "data: any").returns("bool"),
        |_: Game, (data,): (Record,)| data.get::<i64>("words") == 0,
    );
    rules.define(
        Rule::new("both.play.mighty", "side: text").returns("list(entity(both.piece))"),
        |game: Game, (side,): (String,)| -> Vec<Entity> {
            let mut idle = game.all(PIECE, "has_acted", false);
            idle.retain(|piece| piece.side() == side);
            idle
        },
    );
    rules.define(
        Rule::new("both.play.short", "most: integer, way: path").returns("verdict"),
        |_: Game, (most, way): (i64, Vec<Point>)| -> Verdict {
            if way.len() as i64 > most { Err("it is too long".into()) } else { Ok(()) }
        },
    );
    rules
        .action("both.play.parley")
        .title("Parley")
        .at("both.play.turn")
        .actor("both.play.mighty")
        .told()
        .reveals("who parleys shows what it has in mind")
        .param("where", "Where?", "point", |_, piece, _| {
            let at: Point = piece.get("at");
            let far = Point { x: at.x + 9 * INCH, y: at.y + 9 * INCH };
            Some(Domain::place([Region::Disc(at, INCH), Region::Rectangle(at, far)], vec![at]))
        })
        .param("way", "Which way?", "path", |_, piece, params| {
            let to: Point = params.get("where");
            Some(Domain::route(piece.get("at"), 4, vec![vec![to]]).checked("both.play.short", vec![2.into()]))
        })
        .audience("owner")
        .perform(|game, piece, params| {
            let (side, die): (String, Die) = (piece.side(), piece.get("die"));
            let face = game.roll_to(&[die], "a whisper", Audience::to(&[&side]))[0];
            let peek = Audience::to(&[&side]).reveals("it is a peek");
            let seen = game.draw_to("both.play.chits", 1, peek).swap_remove(0);
            let held = Audience::everybody().only("chits", &[&side]);
            let chit = game.take_to("both.play.chits", 1, held).swap_remove(0);
            let spare = game.take("both.play.chits", 1).swap_remove(0);
            game.put_back("both.play.chits", &spare);
            let way: Vec<Point> = params.get("way");
            game.hide(piece, Some("men"));
            let asked = Question::new("both.play.whisper", "How many come?").secret();
            let heard: i64 = game.ask(&game.opponent(&piece.side()), asked, Domain::integer(1, 3));
            game.put_back("both.play.chits", &chit);
            game.emit_to(
                "both.play.noted",
                record([("text", format!("{chit} for {}: {heard}, {face}, {seen}", way.len()).into())]),
                Some(&["blue"]),
                &[],
            );
            game.enter("both.play.council", record([("words", heard.into())]));
        });
    rules.action("both.play.speak").at("both.play.council").perform(|game, _, _| {
        let data = game.phase("both.play.council").unwrap_or_default();
        let text = format!("{} hears {}", game.acting(), data.get::<i64>("words"));
        game.emit("both.play.noted", record([("text", text.into())]));
        game.leave("both.play.council");
    });
}
