//! What the invented game declares, and its rules.

use std::sync::Arc;

use kernel::audience::Audience;
use kernel::book::{
    Action, Acts, AskOrder, Book, EventKind, Order, Param, Phase, PhaseBody, Window,
};
use kernel::chits::Composition;
use kernel::decision::{Choice, Domain, Question};
use kernel::deck::{DeckId, DeckKind, End, Pile};
use kernel::dice::Die;
use kernel::error::Fault;
use kernel::event::Cause;
use kernel::game::{CardPick, Game, Onto};
use kernel::rules::Stop;
use kernel::value::{EntityId, Field, Side, Type, Value};
use kernel::world::{Attribute, FirstViewers, Kind, Schema, Viewers};

use super::{Toy, name};

const ROUNDS: i64 = 3;

fn attribute(text: &str, ty: Type, default: Value, viewers: FirstViewers) -> Attribute {
    Attribute {
        name: name(text),
        ty,
        default,
        viewers,
        doc: name(""),
        is_bookkeeping: false,
        until: Arc::from([]),
        module: name("toy"),
    }
}

fn field(text: &str, ty: Type) -> Field {
    Field {
        name: name(text),
        ty,
    }
}

fn schema() -> Schema {
    use FirstViewers::{All, Nobody, Owner};
    let small = || Type::Int { min: 0, max: 1000 };
    let mut piece = Kind::new("toy.piece", "toy");
    for a in [
        attribute("at", small(), Value::Int(0), All),
        attribute("is_watching", Type::Bool, Value::Bool(true), All),
        attribute("plan", small(), Value::Int(0), Owner),
        attribute("secret", small(), Value::Int(0), Owner),
        attribute(
            "hand",
            Type::List(Arc::new(Type::Text)),
            Value::list([]),
            Owner,
        ),
        attribute("worn", small(), Value::Int(0), Nobody),
        attribute(
            "foe",
            Type::Optional(Arc::new(Type::Entity(None))),
            Value::None,
            All,
        ),
    ] {
        piece.extend(a).unwrap();
    }
    let mut shadow = Kind::new("toy.shadow", "toy");
    shadow.existence = Owner;
    shadow.naming = Owner;
    shadow
        .extend(attribute("at", small(), Value::Int(0), All))
        .unwrap();
    let mut flag = Kind::new("toy.flag", "toy");
    flag.naming = Nobody;
    flag.extend(attribute("worth", small(), Value::Int(0), Nobody))
        .unwrap();
    flag.extend(attribute("turn", small(), Value::Int(0), All))
        .unwrap();
    let mut schema = Schema::default();
    for kind in [piece, shadow, flag] {
        schema.declare(kind).unwrap();
    }
    schema
}

fn phase(id: &str, body: PhaseBody) -> Phase {
    Phase {
        id: name(id),
        title: name(id),
        body,
        is_announced: true,
        module: name("toy"),
    }
}

fn acts(order: Order) -> Acts {
    Acts {
        order,
        first: Some(name("toy.first")),
        may_pass: Some(name("toy.may")),
        may_end: Some(name("toy.may")),
        until: None,
        ends_when_idle: true,
        ends_after_passes: None,
    }
}

pub fn action(id: &str, at: &str, actor: Option<&str>, params: Vec<(&str, Type, &str)>) -> Action {
    let param = |(text, ty, domain): (&str, Type, &str)| Param {
        name: name(text),
        title: name(text),
        ty,
        domain: name(domain),
        share: None,
        reveals: None,
    };
    Action {
        id: name(id),
        title: name(id),
        at: vec![name(at)],
        actor: actor.map(name),
        listed: None,
        params: params.into_iter().map(param).collect(),
        allowed: Some(name(&format!("{id}.allowed"))),
        perform: name(&format!("{id}.perform")),
        score: None,
        outlook: None,
        is_compulsory: false,
        is_narrated: false,
        share: None,
        module: name("toy"),
    }
}

fn window(id: &str, order: AskOrder, carries: Vec<Field>) -> Window {
    Window {
        id: name(id),
        title: name(""),
        text: name(""),
        carries: carries.into(),
        order,
        is_uniform: false,
        module: name("toy"),
    }
}

pub fn book() -> Arc<Book> {
    Arc::new(plain_book())
}

pub fn plain_book() -> Book {
    let mut book = Book {
        schema: Arc::new(schema()),
        root: Some(name("toy.game")),
        ..Book::default()
    };
    declare_phases(&mut book);
    declare_actions(&mut book);
    declare_windows(&mut book);
    declare_events(&mut book);
    book.pots.insert(
        name("toy.pot"),
        Composition::new([("a", 60), ("b", 30), ("c", 10)]).unwrap(),
    );
    declare_decks(&mut book);
    let leg = vec![field("mover", Type::Entity(None)), field("left", Type::INT)];
    book.steps.insert(name("toy.leg.walk"), leg.into());
    let hit = vec![
        field("shooter", Type::Entity(None)),
        field("target", Type::Entity(None)),
    ];
    book.steps.insert(name("toy.hit.apply"), hit.into());
    book
}

/// One deck for the table, which only the second side deals from; and one for
/// each side, of which the others do not even know how many cards are left.
fn declare_decks(book: &mut Book) {
    let kind = |cards: [(&str, u32); 3]| DeckKind::new(Composition::new(cards).unwrap()).unwrap();
    let mut pack = kind([("a", 3), ("b", 3), ("c", 2)]);
    pack.discard = FirstViewers::Nobody;
    let mut own = kind([("x", 2), ("y", 2), ("z", 1)]);
    own.is_each = true;
    (own.discard, own.size) = (FirstViewers::Owner, FirstViewers::Owner);
    book.decks.insert(name("toy.pack"), pack);
    book.decks.insert(name("toy.own"), own);
}

/// All learn that cards are dealt, and these which.
pub fn dealt(to: Viewers) -> Audience {
    Audience::default().only("cards", to)
}

pub fn pack() -> DeckId {
    DeckId {
        deck: name("toy.pack"),
        of: None,
    }
}

pub fn own(side: Side) -> DeckId {
    DeckId {
        deck: name("toy.own"),
        of: Some(side),
    }
}

fn declare_phases(book: &mut Book) {
    let given = Acts {
        ends_when_idle: false,
        first: None,
        ..acts(Order::Given)
    };
    let rounds = ["toy.planning", "toy.moving", "toy.firing", "toy.end"]
        .map(name)
        .to_vec();
    for phase in [
        phase(
            "toy.game",
            PhaseBody::Sequence(vec![name("toy.opening"), name("toy.rounds")]),
        ),
        phase(
            "toy.opening",
            PhaseBody::Automatic {
                rule: name("toy.open"),
            },
        ),
        phase(
            "toy.rounds",
            PhaseBody::Loop {
                phases: rounds,
                until: Some(name("toy.over")),
            },
        ),
        phase(
            "toy.planning",
            PhaseBody::Acts(Acts {
                ends_when_idle: false,
                ..acts(Order::Secret)
            }),
        ),
        phase("toy.moving", PhaseBody::Acts(acts(Order::Alternating))),
        phase("toy.firing", PhaseBody::Acts(acts(Order::OneAfterAnother))),
        phase("toy.duel", PhaseBody::Acts(given)),
        phase(
            "toy.end",
            PhaseBody::Automatic {
                rule: name("toy.end"),
            },
        ),
    ] {
        book.phases.insert(phase.id.clone(), phase);
    }
}

fn declare_actions(book: &mut Book) {
    let piece = Some("toy.piece");
    let walk = vec![
        ("to", Type::INT, "toy.small"),
        ("how", Type::Any, "toy.how"),
    ];
    for mut action in [
        action(
            "toy.plan",
            "toy.planning",
            piece,
            vec![("n", Type::INT, "toy.small")],
        ),
        action("toy.scout", "toy.planning", None, vec![]),
        action("toy.hide", "toy.planning", None, vec![]),
        action("toy.fetch", "toy.planning", None, vec![]),
        action("toy.drop", "toy.planning", piece, vec![]),
        action("toy.deal", "toy.moving", None, vec![]),
        action("toy.walk", "toy.moving", piece, walk),
        action(
            "toy.raid",
            "toy.moving",
            None,
            vec![("who", Type::Entity(None), "toy.who")],
        ),
        action(
            "toy.shoot",
            "toy.firing",
            piece,
            vec![("at", Type::Entity(None), "toy.target")],
        ),
        action("toy.strike", "toy.duel", piece, vec![]),
    ] {
        action.is_compulsory = &*action.id == "toy.shoot";
        book.actions.insert(action.id.clone(), action);
    }
    for reaction in [
        action("toy.snap", "toy.leg", piece, vec![]),
        action("toy.counter", "toy.shot", piece, vec![]),
        action(
            "toy.dodge",
            "toy.shot",
            piece,
            vec![("by", Type::INT, "toy.small_here")],
        ),
    ] {
        book.reactions.insert(reaction.id.clone(), reaction);
    }
}

fn declare_windows(book: &mut Book) {
    let any_entity = || Type::Entity(None);
    let leg = vec![field("mover", any_entity()), field("left", Type::INT)];
    let shot = vec![
        field("shooter", any_entity()),
        field("target", any_entity()),
    ];
    for window in [
        window("toy.leg", AskOrder::OthersFirst, leg),
        window("toy.shot", AskOrder::OthersOnly, shot),
    ] {
        book.windows.insert(window.id.clone(), window);
    }
}

fn declare_events(book: &mut Book) {
    for (id, fields) in [
        (
            "toy.moved",
            vec![field("who", Type::Entity(None)), field("to", Type::INT)],
        ),
        (
            "toy.hit",
            vec![field("who", Type::Any), field("secret", Type::Any)],
        ),
    ] {
        let kind = EventKind {
            id: name(id),
            fields: fields.into(),
            text: name(""),
            heading: name("x"),
            reveals: None,
            brief: kernel::brief::Brief::default(),
            module: name("toy"),
        };
        book.events.insert(kind.id.clone(), kind);
    }
}

/// Three pieces a side, a shadow each, and flags that nobody can name.
pub fn deploy(game: &mut Game, side_count: usize) {
    let world = game.world_mut();
    let sides = world.sides().clone();
    let kind = |world: &kernel::world::World, id| world.schema().require(id).unwrap();
    let (piece, shadow, flag) = (
        kind(world, "toy.piece"),
        kind(world, "toy.shadow"),
        kind(world, "toy.flag"),
    );
    for (i, side) in sides.iter().enumerate().take(side_count) {
        let owner = (name("side"), Value::Text(side.clone()));
        for n in 1..=3 {
            let at = (name("at"), Value::Int(100 + 10 * i as i64 + n));
            world
                .create(piece, &format!("{side}-{n}"), &[owner.clone(), at])
                .unwrap();
        }
        world
            .create(
                shadow,
                &format!("dark-{side}"),
                std::slice::from_ref(&owner),
            )
            .unwrap();
    }
    for n in 1..=2 {
        world.create(flag, &format!("flag-{n}"), &[]).unwrap();
    }
}

pub fn yes() -> Result<Value, Stop> {
    Ok(Value::None)
}

pub fn no(reason: &str) -> Result<Value, Stop> {
    Ok(Value::text(reason))
}

pub fn entity(value: &Value) -> EntityId {
    value.as_entity().unwrap()
}

pub fn int(game: &Game, entity: EntityId, attribute: &str) -> Result<i64, Fault> {
    Ok(game.get(entity, attribute)?.as_int().unwrap())
}

fn is_foe(game: &Game, a: EntityId, b: EntityId) -> Result<bool, Fault> {
    Ok(game.get(a, "side")? != game.get(b, "side")?)
}

fn is_here(game: &Game, entity: EntityId) -> bool {
    game.knows_of(entity)
}

pub fn integer(min: i64, max: i64) -> Value {
    Value::record([
        ("domain", Value::text("integer")),
        ("min", Value::Int(min)),
        ("max", Value::Int(max)),
    ])
}

pub fn choices(game: &Game, entities: &[EntityId]) -> Value {
    let viewer = game.guard().scope;
    let choice = |entity: &EntityId| {
        let label = Value::Text(game.label(viewer, *entity));
        Value::record([("value", Value::Entity(*entity)), ("label", label)])
    };
    Value::record([
        ("domain", Value::text("choices")),
        ("choices", Value::list(entities.iter().map(choice))),
    ])
}

pub fn side_of(game: &Game, value: &Value) -> Side {
    match value {
        Value::Text(side) => game.world().side(side).unwrap(),
        other => game.world().owner(entity(other)).unwrap(),
    }
}

pub fn ask(
    game: &mut Game,
    id: &str,
    to: Vec<(Side, Domain)>,
    is_secret: bool,
) -> Result<Vec<Value>, Stop> {
    let question = Question {
        id: name(id),
        text: name(id),
        to,
        is_secret,
        about: vec![],
        reveals: None,
    };
    game.ask(question)?.ok_or(Stop::Asked)
}

fn d(sides: u16) -> Die {
    Die::new(sides).unwrap()
}

pub fn write(toy: &mut Toy) {
    write_sequence(toy);
    write_planning(toy);
    write_cards(toy);
    write_pack(toy);
    write_moving(toy);
    write_raid(toy);
    write_shots(toy);
    write_hits(toy);
}

fn write_sequence(toy: &mut Toy) {
    toy.rule("toy.first", |game, _| {
        let turn = game
            .entities("toy.flag")?
            .first()
            .map_or(Ok(0), |flag| int(game, *flag, "turn"))?;
        let sides = game.world().sides();
        Ok(Value::Text(sides[turn as usize % sides.len()].clone()))
    });
    toy.rule("toy.may", |_, _| yes());
    // Already the first automatic step asks, before anybody acts.
    toy.rule("toy.open", |game, _| {
        game.roll(&[d(6)], "opening", &Audience::default(), Cause::default())?;
        let decks: Vec<DeckId> = game.decks().map(|(id, _)| id.clone()).collect();
        decks
            .iter()
            .try_for_each(|deck| game.shuffle_deck(deck, Cause::default()))?;
        ask(game, "toy.sure", vec![(Side(0), Domain::yes_no())], false)?;
        yes()
    });
    toy.rule("toy.over", |game, _| {
        let flag = game.entities("toy.flag")?[0];
        Ok(Value::Bool(int(game, flag, "turn")? > ROUNDS))
    });
    toy.rule("toy.end", |game, _| {
        let flag = game.entities("toy.flag")?[0];
        let turn = int(game, flag, "turn")? + 1;
        game.set(flag, "turn", Value::Int(turn))?;
        for piece in game.entities("toy.piece")? {
            game.set(piece, "is_watching", Value::Bool(true))?;
            game.set(piece, "worn", Value::Int(0))?;
        }
        if game.entities("toy.piece")?.len() < 2 {
            game.finish(Value::Int(turn))?;
        }
        yes()
    });
}

fn write_planning(toy: &mut Toy) {
    toy.rule("toy.small", |_, _| Ok(integer(1, 3)));
    toy.rule("toy.small_here", |_, _| Ok(integer(1, 3)));
    toy.rule("toy.plan.allowed", |game, args| {
        match int(game, entity(&args[0]), "plan")? {
            9 => no("it plans no more"),
            _ => yes(),
        }
    });
    toy.rule("toy.plan.perform", |game, args| {
        let n = args[1].field("n").cloned().unwrap();
        // It looks at everybody: of the others it sees what was there before.
        let mut sum = 0;
        for piece in game.entities("toy.piece")? {
            sum += int(game, piece, "at")?;
        }
        game.set(entity(&args[0]), "plan", n)?;
        game.set(entity(&args[0]), "at", Value::Int(sum % 97))?;
        yes()
    });
    toy.rule("toy.scout.allowed", |_, _| yes());
    toy.rule("toy.scout.perform", |game, args| {
        let face = game.roll(
            &[d(6), d(8)],
            "scouting",
            &Audience::default(),
            Cause::default(),
        )?[0];
        game.draw("toy.pot", 2, false, &Audience::default(), Cause::default())?;
        let side = (name("side"), args[0].clone());
        game.create(
            "toy.shadow",
            None,
            &[side, (name("at"), Value::Int(face.into()))],
        )?;
        yes()
    });
    toy.rule("toy.hide.allowed", |_, _| yes());
    toy.rule("toy.hide.perform", |game, args| {
        let made = game.create("toy.piece", None, &[(name("side"), args[0].clone())])?;
        game.set(made, "plan", Value::Int(9))?;
        game.push("toy.leg.walk", vec![Value::Entity(made), Value::Int(0)])?;
        yes()
    });
}

pub fn hand(game: &Game, entity: EntityId) -> Result<Vec<Value>, Fault> {
    match game.get(entity, "hand")? {
        Value::List(cards) => Ok(cards.to_vec()),
        _ => Ok(vec![]),
    }
}

fn write_cards(toy: &mut Toy) {
    // In secret, from its own: the one who holds it is the first of the side.
    toy.rule("toy.fetch.allowed", |game, args| {
        match game.deck_size(&own(side_of(game, &args[0])), Pile::Stock)? {
            0 => no("all are out"),
            _ => yes(),
        }
    });
    toy.rule("toy.fetch.perform", |game, args| {
        let side = side_of(game, &args[0]);
        let mut pieces = game.entities("toy.piece")?;
        pieces.retain(|piece| game.world().owner(*piece) == Some(side));
        let to = dealt(Viewers::side(side));
        let drawn = game.take_cards(
            &own(side),
            CardPick::Drawn(1, End::Top),
            &to,
            Cause::default(),
        )?;
        match pieces.first() {
            Some(piece) => {
                let mut cards = hand(game, *piece)?;
                cards.extend(drawn.into_iter().map(Value::Text));
                game.set(*piece, "hand", Value::list(cards))?;
            }
            None => game.put_cards(&own(side), &drawn, Onto::Discard)?,
        }
        yes()
    });
    toy.rule("toy.drop.allowed", |game, args| {
        match hand(game, entity(&args[0]))?.as_slice() {
            [] => no("it holds nothing"),
            _ => yes(),
        }
    });
    toy.rule("toy.drop.perform", |game, args| {
        let side = side_of(game, &args[0]);
        let mut cards = hand(game, entity(&args[0]))?;
        let dropped: Vec<_> = cards
            .drain(..1)
            .filter_map(|card| card.as_text().map(name))
            .collect();
        game.set(entity(&args[0]), "hand", Value::list(cards))?;
        game.put_cards(&own(side), &dropped, Onto::Discard)?;
        yes()
    });
}

/// The pack of the table, from which only blue deals.
fn write_pack(toy: &mut Toy) {
    toy.rule("toy.deal.allowed", |game, args| {
        let left = game.deck_size(&pack(), Pile::Stock)?;
        match (side_of(game, &args[0]), left) {
            (Side(1), 1..) => yes(),
            (_, 0) => no("all are out"),
            _ => no("they are not yours"),
        }
    });
    toy.rule("toy.deal.perform", |game, _| {
        let to = dealt(Viewers::side(Side(1)));
        let drawn =
            game.take_cards(&pack(), CardPick::Drawn(1, End::Top), &to, Cause::default())?;
        match game.deck_size(&pack(), Pile::Stock)? {
            0 => {
                game.put_cards(&pack(), &drawn, Onto::Discard)?;
                game.gather_cards(&pack())?;
                game.shuffle_deck(&pack(), Cause::default())?;
            }
            5.. => game.put_cards(&pack(), &drawn, Onto::Discard)?,
            _ => game.put_cards(&pack(), &drawn, Onto::Stock(End::Bottom))?,
        }
        yes()
    });
}

fn write_moving(toy: &mut Toy) {
    toy.rule("toy.how", |game, args| match args[1].field("to") {
        Some(Value::Int(1)) => yes(),
        _ => {
            let pieces = game.entities("toy.piece")?;
            Ok(choices(game, &pieces))
        }
    });
    toy.rule("toy.walk.allowed", |game, args| {
        match int(game, entity(&args[0]), "at")? {
            at if at > 900 => no("it is at the edge"),
            _ => match game.get(entity(&args[0]), "is_watching")? {
                Value::Bool(true) => yes(),
                _ => no("it is tired"),
            },
        }
    });
    toy.rule("toy.walk.perform", |game, args| {
        let to = args[1].field("to").cloned().unwrap();
        game.set(entity(&args[0]), "is_watching", Value::Bool(false))?;
        game.push("toy.leg.walk", vec![args[0].clone(), to])?;
        yes()
    });
    toy.rule("toy.leg.walk", |game, args| {
        let (mover, left) = (entity(&args[0]), args[1].as_int().unwrap());
        if left == 0 || !is_here(game, mover) {
            return yes();
        }
        let at = int(game, mover, "at")? + 1;
        game.set(mover, "at", Value::Int(at))?;
        let fields = [(name("who"), args[0].clone()), (name("to"), Value::Int(at))].into();
        game.emit("toy.moved", fields, &Audience::default(), Cause::default())?;
        let data = Value::record([("mover", args[0].clone()), ("left", Value::Int(left))]);
        game.open("toy.leg", data)?;
        game.push("toy.leg.walk", vec![args[0].clone(), Value::Int(left - 1)])?;
        yes()
    });
}

fn write_raid(toy: &mut Toy) {
    toy.rule("toy.raid.allowed", |game, _| {
        let flag = game.entities("toy.flag")?[1];
        if int(game, flag, "turn")? > 12 {
            no("the raiders are gone")
        } else {
            yes()
        }
    });
    toy.rule("toy.who", |game, args| {
        let by = side_of(game, &args[0]);
        let mut foes = game.entities("toy.piece")?;
        foes.retain(|piece| game.world().owner(*piece) != Some(by));
        Ok(choices(game, &foes))
    });
    toy.rule("toy.raid.perform", raid);
    toy.rule("toy.strike.allowed", |_, _| yes());
    toy.rule("toy.strike.perform", |game, args| {
        if game.roll(&[d(6)], "strike", &Audience::default(), Cause::default())?[0] > 4 {
            game.remove(entity(&args[0]))?;
        }
        game.leave("toy.duel")?;
        yes()
    });
}

/// A step that does a little of everything, and asks three times in between.
fn raid(game: &mut Game, args: &[Value]) -> Result<Value, Stop> {
    let (by, who) = (
        side_of(game, &args[0]),
        entity(args[1].field("who").unwrap()),
    );
    let flag = game.entities("toy.flag")?[1];
    let raids = int(game, flag, "turn")?;
    game.set(flag, "turn", Value::Int(raids + 1))?;
    let kept = game.draw("toy.pot", 1, true, &Audience::default(), Cause::default())?;
    let mark = game.create("toy.piece", None, &[(name("foe"), Value::Entity(who))])?;
    let sure = ask(game, "toy.sure", vec![(by, Domain::yes_no())], false)?;
    let everybody = (0..game.world().sides().len() as u8)
        .map(|s| (Side(s), Domain::Integer { min: 0, max: 9 }));
    game.create("toy.piece", None, &[])?;
    let bids = ask(game, "toy.bid", everybody.collect(), raids % 2 == 0)?;
    game.roll(&[d(6)], "raid", &Audience::default(), Cause::default())?;
    game.set(mark, "at", bids[0].clone())?;
    if raids % 3 == 1 {
        game.put_back("toy.pot", &kept[0])?;
    }
    let choice = |entity: EntityId| Choice {
        value: Value::Entity(entity),
        label: name("it"),
    };
    let of: Arc<[Choice]> = [mark, who].map(choice).into();
    let taken = ask(
        game,
        "toy.take",
        vec![(
            by,
            Domain::Several {
                of,
                min: 0,
                max: 2,
                check: None,
            },
        )],
        true,
    )?;
    match &taken[0] {
        Value::List(items) if items.len() == 1 => {
            let side = game.world().owner(who).map(|side| game.side_name(side));
            let data = Value::record([("side", side.map_or(Value::text("red"), Value::Text))]);
            game.enter("toy.duel", data)?;
        }
        Value::List(items) if items.len() == 2 && sure[0] == Value::Bool(true) => {
            game.remove(who)?
        }
        _ => game.show(who, Some("secret"), Viewers::ALL)?,
    }
    yes()
}

fn write_shots(toy: &mut Toy) {
    let reacts = |game: &mut Game, args: &[Value], against: &str| {
        let (actor, foe) = (entity(&args[0]), entity(args[1].field(against).unwrap()));
        if !is_here(game, foe) {
            return no("there is nothing to react to");
        }
        match (is_foe(game, actor, foe)?, game.get(actor, "is_watching")?) {
            (true, Value::Bool(true)) => yes(),
            _ => no("it is not on watch"),
        }
    };
    toy.rule("toy.snap.allowed", move |game, args| {
        reacts(game, args, "mover")
    });
    toy.rule("toy.counter.allowed", move |game, args| {
        reacts(game, args, "shooter")
    });
    toy.rule("toy.dodge.allowed", move |game, args| {
        match entity(args[1].field("target").unwrap()) == entity(&args[0]) {
            true => reacts(game, args, "shooter"),
            false => no("it is not shot at"),
        }
    });
    fn shoot(game: &mut Game, shooter: &Value, target: &Value) -> Result<Value, Stop> {
        game.set(entity(shooter), "is_watching", Value::Bool(false))?;
        let data = Value::record([("shooter", shooter.clone()), ("target", target.clone())]);
        game.open("toy.shot", data)?;
        game.push("toy.hit.apply", vec![shooter.clone(), target.clone()])?;
        yes()
    }
    toy.rule("toy.snap.perform", |game, args| {
        shoot(game, &args[0], args[1].field("mover").unwrap())
    });
    toy.rule("toy.counter.perform", |game, args| {
        shoot(game, &args[0], args[1].field("shooter").unwrap())
    });
    toy.rule("toy.dodge.perform", |game, args| {
        let by = args[2].field("by").and_then(Value::as_int).unwrap();
        let at = int(game, entity(&args[0]), "at")?;
        game.set(entity(&args[0]), "at", Value::Int(at + by))?;
        game.set(entity(&args[0]), "is_watching", Value::Bool(false))?;
        yes()
    });
    toy.rule("toy.target", |game, args| {
        let by = side_of(game, &args[0]);
        let mut foes = game.entities("toy.piece")?;
        foes.retain(|piece| game.world().owner(*piece).is_some_and(|owner| owner != by));
        Ok(choices(game, &foes))
    });
    toy.rule("toy.shoot.allowed", |game, args| {
        match game.get(entity(&args[0]), "is_watching")? {
            Value::Bool(true) => yes(),
            _ => no("it has no shot left"),
        }
    });
    toy.rule("toy.shoot.perform", |game, args| {
        shoot(game, &args[0], args[1].field("at").unwrap())
    });
}

fn write_hits(toy: &mut Toy) {
    toy.rule("toy.hit.apply", |game, args| {
        let (shooter, target) = (entity(&args[0]), entity(&args[1]));
        if !is_here(game, shooter) || !is_here(game, target) {
            return yes();
        }
        let face = game.roll(&[d(6)], "shot", &Audience::default(), Cause::default())?[0];
        let owner = game
            .world()
            .owner(target)
            .map_or(Viewers::NONE, Viewers::side);
        let secret = game.get(target, "secret")?.clone();
        let fields = [(name("who"), args[1].clone()), (name("secret"), secret)].into();
        let audience = Audience::default().only("secret", owner);
        game.emit("toy.hit", fields, &audience, Cause::default())?;
        match face {
            1 | 2 => game.remove(target)?,
            3 => game.set(target, "at", Value::Int(0))?,
            _ => {
                let worn = int(game, target, "worn")?;
                game.set(target, "worn", Value::Int(worn + 1))?;
            }
        }
        yes()
    });
}
