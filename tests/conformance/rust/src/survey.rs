//! Measuring, and looking things up.

use houserule_guest::bindings::houserule::contract::{data, hexes as raw};
use houserule_guest::geometry::{self, Contact, Quarter, SideOf, Template};
use houserule_guest::prelude::*;
use houserule_guest::{Shape, Where};

use crate::bindings::both::kinds::Piece;
use crate::bindings::both::tables::PlayCosts;
use crate::bindings::both::{clauses, decks, options};
use crate::bindings::words::{Ground, Mood};
use crate::play::game;

chapter!(both.play);

fn cost(game: &Reads, ground: Ground) -> Option<u32> {
    PlayCosts::find(game, ground)
        .and_then(|row| row.cost)
        .and_then(|cost| u32::try_from(cost).ok())
}

#[rule]
fn measure(game: &Reads, a: Piece, b: Piece) -> Record {
    let (from, to) = (a.hex(), b.hex());
    let (here, there) = (Where::from(a), Where::from(b));
    let line: Vec<i64> = from
        .line(to)
        .iter()
        .map(|(_, beside)| 1 + i64::from(beside.is_some()))
        .collect();
    let costs = HexCosts {
        otherwise: cost(game, Ground::Open),
        enter: vec![(Hex::new(1, 0), cost(game, Ground::Wood))],
        ..HexCosts::default()
    };
    let reached: u32 = from.reach(3, &costs).iter().map(|(_, cost, _)| cost).sum();
    let most = PlayCosts::get(game, Ground::Open).most.0;
    let quadrant = match here.quadrant(a.facing().0, b) {
        Quarter::Front => "front",
        Quarter::Right => "right",
        Quarter::Rear => "rear",
        Quarter::Left => "left",
    };
    let disc = Shape::Disc(
        Where::At(Point {
            x: 4 * INCH,
            y: 8 * INCH,
        }),
        INCH,
    );
    record([
        ("distance", here.distance(there).into()),
        ("within", here.within(there, most).into()),
        ("beyond", here.beyond(there, most).into()),
        ("bearing", here.bearing(there).into()),
        ("quadrant", quadrant.into()),
        ("toward", here.toward(there, INCH).into()),
        (
            "blocked",
            geometry::is_blocked(a, 1, b, 1, &[(disc, 0, 5)]).into(),
        ),
        ("hexes", from.distance(to).into()),
        ("direction", from.direction(Hex::new(0, 3)).into()),
        ("line", line.into()),
        ("reached", reached.into()),
        (
            "way",
            Hex::path_cost(&[from, Hex::new(1, 0), Hex::new(2, 0)], &costs).into(),
        ),
        (
            "met",
            from.is_blocked(0, Hex::new(2, 0), 10, &[(Hex::new(1, 0), 8)], 0, false)
                .into(),
        ),
        ("beside", Hex::at(3, 4).into()),
        ("next", from.neighbour(2).into()),
        ("others", game.opponents(&a.side()).len().into()),
        ("sides", game.sides().len().into()),
        ("width", game.size().0.into()),
    ])
}

#[rule]
fn survey(game: &Reads, a: Piece, b: Piece) -> Record {
    let mut found = shapes(a, b);
    let rows = PlayCosts::all(game);
    let named = [
        ("most", game.option(options::play::MOST).into()),
        ("is_night", game.clause(clauses::play::NIGHT).into()),
        (
            "rows",
            rows.iter()
                .map(|row| row.ground.word())
                .collect::<Vec<_>>()
                .into(),
        ),
        ("name", a.name().into()),
        ("kind", a.kind().into()),
        ("label", a.label().into()),
        (
            "calm",
            Piece::all_with(game, Piece::MOOD, Mood::Calm).into(),
        ),
        ("sees", a.is_seen_by(game, "red").into()),
        ("shifts", game.can_shift(&a.die(), 3, None).into()),
        ("round", game.round(self::game::ID).into()),
    ];
    found.extend(record(named));
    found
}

fn shapes(a: Piece, b: Piece) -> Record {
    let point = |x: i64, y: i64| Point {
        x: x * INCH,
        y: y * INCH,
    };
    let (here, there) = (Where::from(a), Where::from(b));
    let square = [point(2, 6), point(6, 6), point(6, 10), point(2, 10)].map(Where::At);
    let square = Shape::Polygon(square.to_vec());
    let ribbon = Shape::Line(vec![point(0, 8).into(), point(8, 8).into()], INCH);
    let wall = [(square.clone(), 0, 3)];
    let all = [here, there, point(5, 4).into()];
    let stretch = &geometry::stretches(a, b, std::slice::from_ref(&square))[1];
    let met = &geometry::sight(a, 1, b, 1, &wall)[0];
    let hexes = |hexes: Vec<Hex>| {
        hexes
            .iter()
            .map(|hex| i64::from(hex.q * 10 + hex.r))
            .sum::<i64>()
    };
    let beside = Hex::new(0, 0).sight(0, Hex::new(1, 1), 0, &[(Hex::new(1, 0), 5)], 0);
    record([
        ("nearest", here.nearest(&[there, point(5, 4).into()]).into()),
        ("offset", here.offset(90 * 60, INCH).into()),
        ("in_arc", here.in_arc(a.facing().0, b, 0, 45 * 60).into()),
        ("groups", geometry::connected(&all, 2 * INCH).len().into()),
        ("path", geometry::path_length(&all).into()),
        (
            "inside",
            (square.locate(point(4, 8)) == SideOf::Inside).into(),
        ),
        ("near", ribbon.is_near(a, 3 * INCH).into()),
        ("near_edge", square.is_near_edge(point(4, 7), INCH).into()),
        ("crosses", (square.meets(a, b) == Contact::Crosses).into()),
        ("from", stretch.from.into()),
        ("to", stretch.to.into()),
        ("areas", stretch.areas.len().into()),
        ("through", met.length.into()),
        ("solid", (met.solid == Contact::Crosses).into()),
        ("disc", Template::Disc(here, INCH).covers(b).into()),
        (
            "ring",
            Template::Ring(here, INCH, 9 * INCH).covers(b).into(),
        ),
        (
            "strip",
            Template::Strip(here, there, INCH)
                .covers(point(4, 8))
                .into(),
        ),
        (
            "sector",
            Template::Sector(here, 0, 10 * 60, 9 * INCH)
                .covers(b)
                .into(),
        ),
        ("around", hexes(Hex::new(1, 1).ring(2)).into()),
        ("within_two", hexes(Hex::new(1, 1).area(2)).into()),
        // Mods in Rust count hexes without the host: `Hex::distance`.
        (
            "steps",
            raw::distance(data::Hex { q: 0, r: 0 }, data::Hex { q: 2, r: 1 }).into(),
        ),
        ("along", beside[0].beside.is_some().into()),
        ("either", beside[0].blocks_either.into()),
    ])
}

#[rule]
fn cards(game: &Draws, side: &str) -> Record {
    let deck = game.deck(decks::play::DECK, Some(side));
    deck.shuffle(game);
    let dealt = || Audience::everybody().only("cards", &[side]);
    let drawn = deck.draw(game, 2, dealt());
    let last = deck.draw_bottom(game, 1, Audience::everybody());
    deck.put(game, &last);
    deck.search(game, &last[0], dealt());
    deck.put_bottom(game, &last);
    deck.discard(game, &drawn);
    let found = record([
        ("drawn", drawn.into()),
        ("left", i64::from(deck.size()).into()),
        ("stock", deck.cards().into()),
        ("laid", i64::from(deck.discard_size()).into()),
        ("discarded", deck.discarded().into()),
    ]);
    deck.gather(game);
    record([("found", found.into()), ("whole", deck.cards().into())])
}
