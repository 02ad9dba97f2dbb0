use super::*;
use crate::chance::{Chance, DrawPosition, Enumeration, Odds, Script, ScriptedOrder, uniform};
use proptest::prelude::*;

fn kind(cards: &[(&str, u32)]) -> DeckKind {
    DeckKind::new(Composition::new(cards.iter().copied()).unwrap()).unwrap()
}

fn names(deck: &Deck, pile: Pile) -> Vec<&str> {
    deck.cards(pile).map(|card| &**card).collect()
}

fn shuffled(deck: &Deck, chance: &mut Chance) -> Result<Deck, DeckError> {
    let mut deck = deck.clone();
    deck.shuffle(&mut Draws::new(chance, DrawPosition::default()))?;
    Ok(deck)
}

/// Every outcome of a run that begins with a shuffle, with its odds.
fn enumerated<T: PartialEq>(deck: &Deck, outcome: impl Fn(Deck) -> T) -> Vec<(T, Odds)> {
    let mut outcomes: Vec<(T, Odds)> = Vec::new();
    let mut enumeration = Enumeration::new();
    loop {
        let mut chance = enumeration.chance();
        let found = outcome(shuffled(deck, &mut chance).unwrap());
        let odds = Odds::of(chance.forks()).unwrap();
        match outcomes.iter_mut().find(|(seen, _)| *seen == found) {
            Some((_, sum)) => *sum = sum.checked_add(odds).unwrap(),
            None => outcomes.push((found, odds)),
        }
        if !enumeration.advance(&chance) {
            return outcomes;
        }
    }
}

fn script(orders: &[&[&str]]) -> Chance {
    let order =
        |cards: &&[&str]| -> ScriptedOrder { cards.iter().map(|card| Name::from(*card)).collect() };
    Chance::scripted(Script::new([], [""; 0]).with_orders(orders.iter().map(order)))
}

#[test]
fn every_order_is_equally_likely() {
    let deck = Deck::full(&kind(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]));
    let orders = enumerated(&deck, |deck| {
        deck.cards(Pile::Stock).cloned().collect::<Vec<_>>()
    });
    assert_eq!(orders.len(), 24);
    assert!(
        orders
            .iter()
            .all(|(_, odds)| *odds == Odds::new(1, 24).unwrap())
    );
}

/// Equal cards are one choice: 12 orders instead of 24 ways, and as likely.
#[test]
fn orders_of_equal_cards_are_told_once() {
    let deck = Deck::full(&kind(&[("a", 2), ("b", 1), ("c", 1)]));
    let mut walks = 0;
    let orders = enumerated(&deck, |deck| {
        deck.cards(Pile::Stock).cloned().collect::<Vec<_>>()
    });
    let mut enumeration = Enumeration::new();
    loop {
        let mut chance = enumeration.chance();
        shuffled(&deck, &mut chance).unwrap();
        walks += 1;
        if !enumeration.advance(&chance) {
            break;
        }
    }
    assert_eq!((orders.len(), walks), (12, 12));
    assert!(
        orders
            .iter()
            .all(|(_, odds)| *odds == Odds::new(1, 12).unwrap())
    );
}

#[test]
fn odds_of_a_hand_are_hypergeometric() {
    let deck = Deck::full(&kind(&[("ace", 2), ("king", 3)]));
    let aces = enumerated(&deck, |mut deck| {
        let hand = deck.draw(2, End::Top).unwrap();
        hand.iter().filter(|card| &***card == "ace").count()
    });
    let odds = |aces_in_hand| {
        aces.iter()
            .find(|(count, _)| *count == aces_in_hand)
            .unwrap()
            .1
    };
    // Of ten hands of two, three have no ace, six have one, one has both.
    assert_eq!(
        [0, 1, 2].map(odds),
        [(3, 10), (6, 10), (1, 10)].map(|(n, d)| Odds::new(n, d).unwrap())
    );
}

/// The seed draws as the enumeration does: each choice once, by its number.
#[test]
fn a_seeded_shuffle_takes_each_order_about_as_often() {
    let deck = Deck::full(&kind(&[("a", 1), ("b", 1), ("c", 1)]));
    let mut seen = std::collections::BTreeMap::new();
    for action in 0..6000 {
        let mut chance = Chance::seeded(11);
        let mut deck = deck.clone();
        deck.shuffle(&mut Draws::new(
            &mut chance,
            DrawPosition {
                action,
                ..DrawPosition::default()
            },
        ))
        .unwrap();
        *seen
            .entry(names(&deck, Pile::Stock).concat())
            .or_insert(0u32) += 1;
    }
    assert_eq!(seen.len(), 6);
    assert!(
        seen.values().all(|count| count.abs_diff(1000) < 130),
        "{seen:?}"
    );
}

#[test]
fn a_shuffle_takes_one_draw_fewer_than_there_are_cards() {
    for (count, expected) in [(0, 0), (1, 0), (2, 1), (52, 51)] {
        let deck = Deck::full(&kind(&[("a", count)]));
        for mut chance in [Chance::seeded(1), script(&[&[]])] {
            let mut draws = Draws::new(&mut chance, DrawPosition::default());
            deck.clone().shuffle(&mut draws).unwrap();
            assert_eq!(draws.place().draw, expected);
        }
    }
}

#[test]
fn shuffles_that_take_no_draw_stand_apart() {
    let (told, tells) = std::sync::mpsc::channel();
    let chance = Chance::given(|place, bound| uniform(7, place, bound));
    let mut chance = chance.telling_orders(move |place, order| told.send((place, order)).unwrap());
    let mut draws = Draws::new(&mut chance, DrawPosition::default());
    for count in [1, 1, 3, 2] {
        let mut deck = Deck::full(&kind(&[("a", count)]));
        deck.shuffle(&mut draws).unwrap();
    }
    let places: Vec<(u32, u32)> = tells
        .try_iter()
        .map(|(place, _)| (place.shuffle, place.draw.draw))
        .collect();
    assert_eq!(places, [(0, 0), (1, 0), (2, 0), (3, 2)]);
}

#[test]
fn a_script_names_what_comes_to_the_top() {
    let deck = Deck::full(&kind(&[("a", 2), ("b", 1), ("c", 1)]));
    let mut chance = script(&[&["c", "a"], &[]]);
    assert_eq!(
        names(&shuffled(&deck, &mut chance).unwrap(), Pile::Stock),
        ["c", "a", "a", "b"]
    );
    assert_eq!(chance.left_over().to_string(), "[]");
    let start = chance.mark();
    assert_eq!(
        names(&shuffled(&deck, &mut chance).unwrap(), Pile::Stock),
        ["a", "a", "b", "c"]
    );
    assert!(chance.left_over().is_empty());
    chance.rewind(start);
    assert!(shuffled(&deck, &mut chance).is_ok());
    let error = shuffled(&deck, &mut chance).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a scripted order for a shuffle, found none left"
    );
}

#[test]
fn a_script_that_does_not_fit_leaves_the_deck_and_stays_unused() {
    let full = Deck::full(&kind(&[("a", 2), ("b", 1)]));
    for wrong in [&["q"][..], &["b", "b"], &["a", "b", "a", "a"]] {
        let mut chance = script(&[wrong]);
        let mut deck = full.clone();
        let error = deck
            .shuffle(&mut Draws::new(&mut chance, DrawPosition::default()))
            .unwrap_err();
        let card = wrong.last().unwrap();
        let expected =
            format!("expected a scripted order of cards that are shuffled, found `{card}`");
        assert_eq!(error.to_string(), expected);
        assert_eq!((&deck, chance.left_over().orders.len()), (&full, 1));
    }
}

#[test]
fn cards_are_drawn_from_the_end_that_is_named() {
    let mut deck = Deck::full(&kind(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]));
    assert_eq!(deck.draw(1, End::Top).unwrap().concat(), "a");
    assert_eq!(deck.draw(2, End::Bottom).unwrap().concat(), "dc");
    let before = deck.clone();
    assert_eq!(
        deck.draw(2, End::Top),
        Err(DeckError::TooFew {
            wanted: 2,
            found: 1
        })
    );
    assert_eq!(
        deck.draw(u32::MAX, End::Bottom),
        Err(DeckError::TooFew {
            wanted: u32::MAX,
            found: 1
        })
    );
    assert_eq!(deck, before);
    assert_eq!(deck.draw(0, End::Bottom), Ok(vec![]));
}

#[test]
fn the_first_of_a_list_comes_to_lie_uppermost() {
    let mut deck = Deck::full(&kind(&[("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]));
    deck.draw(4, End::Top).unwrap();
    deck.put(&["c", "b"], End::Top).unwrap();
    deck.put(&["a"], End::Bottom).unwrap();
    assert_eq!(names(&deck, Pile::Stock), ["c", "b", "e", "a"]);
    deck.discard(&["d"]).unwrap();
    let drawn = deck.draw(2, End::Top).unwrap();
    deck.discard(&drawn).unwrap();
    assert_eq!(names(&deck, Pile::Discard), ["c", "b", "d"]);
    deck.gather();
    assert_eq!(names(&deck, Pile::Stock), ["e", "a", "c", "b", "d"]);
    assert_eq!((deck.size(Pile::Discard), deck.out()), (0, 0));
}

#[test]
fn what_is_not_there_is_not_found_and_what_is_not_out_does_not_come_back() {
    let mut deck = Deck::full(&kind(&[("a", 2), ("b", 1)]));
    deck.search("b").unwrap();
    let before = deck.clone();
    assert_eq!(
        deck.search("b"),
        Err(DeckError::NotThere { card: "b".into() })
    );
    assert_eq!(
        deck.search("q"),
        Err(DeckError::Unknown { card: "q".into() })
    );
    assert_eq!(
        deck.put(&["a"], End::Top),
        Err(DeckError::NotOut { card: "a".into() })
    );
    assert_eq!(
        deck.put(&["b", "b"], End::Top),
        Err(DeckError::NotOut { card: "b".into() })
    );
    assert_eq!(
        deck.discard(&["b", "q"]),
        Err(DeckError::Unknown { card: "q".into() })
    );
    assert_eq!(deck, before);
    let lying = Deck::lying(&kind(&[("a", 2), ("b", 1)]), ["a", "a"], []);
    assert_eq!(lying, Ok(deck));
    assert!(Deck::lying(&kind(&[("a", 2), ("b", 1)]), ["b"], ["b"]).is_err());
}

#[test]
fn a_deck_has_its_limit() {
    let new = |count| DeckKind::new(Composition::new([("a", count)]).unwrap());
    assert_eq!(new(MOST_CARDS).unwrap().cards().total(), MOST_CARDS);
    let error = new(1_000_000).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a deck of at most 10000 cards, found 1000000"
    );
}

#[test]
fn a_deck_of_other_cards_keeps_what_it_can() {
    let old = kind(&[("a", 2), ("b", 2), ("c", 1)]);
    let mut deck = Deck::lying(&old, ["c", "b", "a"], ["b"]).unwrap();
    // One `a` is out. What was there keeps its place; what is new goes under it.
    let more = deck.remade(&kind(&[("a", 2), ("b", 3), ("d", 1)])).unwrap();
    assert_eq!(names(&more, Pile::Stock), ["b", "a", "b", "d"]);
    assert_eq!((names(&more, Pile::Discard), more.out()), (vec!["b"], 1));
    let fewer = deck.remade(&kind(&[("a", 1), ("b", 1)])).unwrap();
    assert_eq!(
        (names(&fewer, Pile::Stock), names(&fewer, Pile::Discard)),
        (vec![], vec!["b"])
    );
    assert_eq!(deck.remade(&old).unwrap(), deck);
    assert_eq!(deck.remade(&kind(&[("b", 2)])), Err("a".into()));
    deck.draw(3, End::Top).unwrap();
    assert_eq!(
        deck.remade(&kind(&[("a", 1), ("b", 2), ("c", 1)])),
        Err("a".into())
    );
}

#[test]
fn whose_a_deck_is_says_who_sees_it() {
    let (red, blue) = (Side(0), Side(1));
    let own = DeckKind {
        is_each: true,
        stock: FirstViewers::Owner,
        ..kind(&[("a", 1)])
    };
    assert_eq!(own.viewers(Pile::Stock, Some(red)), Viewers::side(red));
    assert_eq!(own.viewers(Pile::Discard, Some(red)), Viewers::ALL);
    assert_ne!(own.viewers(Pile::Stock, Some(blue)), Viewers::side(red));
    assert_eq!(own.counters(Some(blue)), Viewers::ALL);
    assert_eq!(kind(&[("a", 1)]).viewers(Pile::Stock, None), Viewers::NONE);
}

fn sum(deck: &Deck) -> crate::digest::StateHash {
    let mut writer = StateHasher::new("deck");
    deck.write(&mut writer);
    writer.sum()
}

proptest! {
    /// Cards in the stock, on the discard pile and out add up to the
    /// composition; the hands of a player who keeps count agree; and how a
    /// deck came to lie as it does leaves no trace.
    #[test]
    fn cards_are_conserved(
        seed: u64,
        counts in proptest::collection::vec(0u32..5, 1..6),
        acts in proptest::collection::vec((0u8..8, 0usize..6), 0..50),
    ) {
        let name = |index: usize| ["a", "b", "c", "d", "e", "f"][index];
        let cards: Vec<(&str, u32)> = counts.iter().enumerate().map(|(i, n)| (name(i), *n)).collect();
        let kind = kind(&cards);
        let mut deck = Deck::full(&kind);
        let mut hand: Vec<Name> = Vec::new();
        let mut chance = Chance::seeded(seed);
        let mut draws = Draws::new(&mut chance, DrawPosition::default());
        for (act, n) in acts {
            let before = deck.clone();
            let (held, some) = (hand.clone(), n.min(hand.len()));
            let is_done = match act {
                0 | 1 => match deck.draw(n as u32, if act == 0 { End::Top } else { End::Bottom }) {
                    Ok(drawn) => { hand.extend(drawn); true }
                    Err(_) => false,
                },
                2 => match deck.search(name(n)) {
                    Ok(()) => { hand.push(name(n).into()); true }
                    Err(_) => false,
                },
                3 | 4 => deck.put(&hand.split_off(hand.len() - some), if act == 3 { End::Top } else { End::Bottom }).is_ok(),
                5 => deck.discard(&hand.split_off(hand.len() - some)).is_ok(),
                6 => { deck.gather(); true }
                _ => deck.shuffle(&mut draws).is_ok(),
            };
            if !is_done {
                prop_assert_eq!((&deck, &hand), (&before, &held));
            }
            for (card, stock, discard, out) in deck.entries() {
                let all = cards.iter().find(|(name, _)| *name == card).unwrap().1;
                prop_assert_eq!(stock + discard + out, all);
                prop_assert_eq!(out as usize, hand.iter().filter(|held| &***held == card).count());
            }
            let again = Deck::lying(&kind, names(&deck, Pile::Stock), names(&deck, Pile::Discard)).unwrap();
            prop_assert_eq!((sum(&again), &again), (sum(&deck), &deck));
            prop_assert_eq!(&deck.remade(&kind).unwrap(), &deck);
        }
    }

    /// Whoever knew the order before knows nothing of the one after.
    #[test]
    fn a_shuffle_forgets_the_order_before(seed: u64, first: u64, counts in proptest::collection::vec(0u32..5, 1..6)) {
        let name = |index: usize| ["a", "b", "c", "d", "e", "f"][index];
        let cards: Vec<(&str, u32)> = counts.iter().enumerate().map(|(i, n)| (name(i), *n)).collect();
        let full = Deck::full(&kind(&cards));
        let other = shuffled(&full, &mut Chance::seeded(first)).unwrap();
        let after = |deck: &Deck| shuffled(deck, &mut Chance::seeded(seed)).unwrap();
        prop_assert_eq!(after(&full), after(&other));
        prop_assert_eq!(sum(&after(&full)), sum(&after(&other)));
    }

    /// Two decks of one order, and no others, leave the same trace.
    #[test]
    fn another_order_leaves_another_trace(seed: u64) {
        let full = Deck::full(&kind(&[("a", 3), ("b", 3)]));
        let other = shuffled(&full, &mut Chance::seeded(seed)).unwrap();
        prop_assert_eq!(full == other, sum(&full) == sum(&other));
    }
}
