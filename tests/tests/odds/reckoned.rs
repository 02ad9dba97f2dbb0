//! Odds against figures that were found without the rules: by a library for
//! dice, and by counting every draw.

use std::fs;

use houserule::odds::{By, Distribution, Fraction, How, Limits, Mean, OddsQuery, Policy, What};
use houserule::play::Match;
use houserule_tests::folder;
use kernel::value::{Name, Value};

use super::{Of, of, start};

// ---- an independent library --------------------------------------------------------

/// Figures of a dice library, which knows nothing of these rules.
#[test]
fn the_odds_are_those_of_an_independent_library() {
    let game = start("../mods", "dsii/duel");
    let vectors = fs::read_to_string(folder("vectors/odds.txt")).unwrap();
    let mut checked = 0;
    let mut known: Option<(String, Distribution)> = None;
    for line in vectors.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [sort, what, outcome, above, below] = parts[..] else {
            panic!("{line}")
        };
        let key = format!("{sort} {what}");
        if known.as_ref().is_none_or(|(before, _)| *before != key) {
            let odds = if sort == "hits" {
                hits(&game, what)
            } else {
                drawn(&game, what)
            };
            known = odds.map(|odds| (key, odds));
        }
        let Some((_, odds)) = &known else { continue };
        let expected = Fraction::of(above.parse().unwrap(), below.parse().unwrap());
        assert_eq!(
            odds.of(&Value::Int(outcome.parse().unwrap())),
            expected,
            "{line}"
        );
        checked += 1;
    }
    assert!(checked > 100, "only {checked} figures were compared");
}

/// Hits of a shot: dice of the firer against dice of the target, by the tables
/// of the book where it has such dice.
fn hits(game: &Match, dice: &str) -> Option<Distribution> {
    let (mine, theirs) = dice.split_once(" v ").unwrap();
    let (mine, theirs): (Vec<&str>, Vec<&str>) =
        (mine.split(' ').collect(), theirs.split(' ').collect());
    let (firecon, band) = match mine[0] {
        "4" => ("basic", "long"),
        "6" => ("enhanced", "long"),
        "8" => ("enhanced", "medium"),
        "10" => ("superior", "medium"),
        _ => ("superior", "close"),
    };
    let size = ["12", "10", "8", "6", "4"]
        .iter()
        .position(|die| *die == theirs[0])
        .unwrap() as i64
        + 1;
    let mut copy = game.game().clone();
    let world = copy.world().clone();
    let (firer, target) = (
        world.find("blue-a-1").unwrap(),
        world.find("red-a-1").unwrap(),
    );
    copy.set(firer, "firecon", Value::text(firecon)).unwrap();
    copy.set(target, "size", Value::Int(size)).unwrap();
    match theirs.get(1) {
        None => {}
        Some(&"10") => copy.set(target, "is_dug_in", Value::Bool(true)).unwrap(),
        // Soft cover takes terrain; cases of the mod have it.
        Some(_) => return None,
    }
    let weapon = Value::record([
        ("type", Value::text("HKP")),
        ("class", Value::Int(3)),
        ("barrels", Value::Int(mine.len() as i64)),
        ("mount", Value::text("turret")),
        ("guidance", Value::text("none")),
    ]);
    let shot = Value::record([
        ("firer", Value::Entity(firer)),
        ("weapon", weapon),
        ("target", Value::Entity(target)),
        ("band", Value::text(band)),
    ]);
    let args = vec![shot];
    let asked = OddsQuery {
        game: &copy,
        rules: &**game.rulebook(),
        what: What::Rule(Name::from("dsii.fire.roll"), args),
        by: By::read("result.hits", &copy, &|_| None).unwrap(),
        policy: Policy::default(),
        eyes: None,
        limits: Limits::default(),
    };
    Some(asked.answer(&|| false).unwrap())
}

/// Half points of a draw.
fn drawn(game: &Match, what: &str) -> Option<Distribution> {
    let (count, colours) = what.split_once(' ').unwrap();
    let factor = |colour| Value::Int(if colours.contains(colour) { 2 } else { 0 });
    let factors = Value::record([
        ("red", factor('R')),
        ("yellow", factor('Y')),
        ("green", factor('G')),
    ]);
    let args = [Value::Int(count.parse().unwrap()), factors];
    Some(
        Of::new(game, "dsii.dmg.draw", &args, "result.halves")
            .ask()
            .unwrap(),
    )
}

// ---- a whole shot, reckoned by itself ------------------------------------------

/// The pot of Dirtside, as the printed list has it: red, yellow and green from 0 to 3, then what is special.
const POT: [(&str, u64); 16] = [
    ("R0", 5),
    ("R1", 20),
    ("R2", 15),
    ("R3", 10),
    ("Y0", 3),
    ("Y1", 10),
    ("Y2", 7),
    ("Y3", 5),
    ("G0", 3),
    ("G1", 10),
    ("G2", 7),
    ("G3", 5),
    ("BOOM", 5),
    ("M", 7),
    ("T", 5),
    ("F", 2),
];

/// In how many of all ordered draws of `n` single chits red and yellow ones come to more than an armour, or a
/// BOOM is among them, and no F is.
fn kills(n: u32, armour: u64) -> (u128, u128) {
    let chits: Vec<&str> = POT
        .iter()
        .flat_map(|(chit, count)| (0..*count).map(move |_| *chit))
        .collect();
    let (mut kills, mut all) = (0, 0);
    let mut hand: Vec<usize> = Vec::new();
    draw(&chits, n as usize, &mut hand, &mut |hand| {
        let has = |chit: &str| hand.iter().any(|place| chits[*place] == chit);
        let points = |chit: &str| match chit.as_bytes() {
            [b'R' | b'Y', digit] => u64::from(digit - b'0'),
            _ => 0,
        };
        let sum: u64 = hand.iter().map(|place| points(chits[*place])).sum();
        all += 1;
        kills += u128::from(!has("F") && (has("BOOM") || sum > armour));
    });
    (kills, all)
}

/// Every set of `n` single chits, one after another.
fn draw(chits: &[&str], n: usize, hand: &mut Vec<usize>, each: &mut dyn FnMut(&[usize])) {
    if hand.len() == n {
        return each(hand);
    }
    let first = hand.last().map_or(0, |last| last + 1);
    for place in first..chits.len() {
        hand.push(place);
        draw(chits, n, hand, each);
        hand.pop();
    }
}

#[test]
fn a_whole_shot_comes_out_as_it_does_by_hand() {
    let game = start("../mods", "dsii/duel");
    let world = game.game().world();
    let (firer, target) = (
        world.find("blue-a-1").unwrap(),
        world.find("red-a-1").unwrap(),
    );
    let weapon = Value::record([
        ("type", Value::text("HKP")),
        ("class", Value::Int(3)),
        ("barrels", Value::Int(1)),
        ("mount", Value::text("turret")),
        ("guidance", Value::text("none")),
    ]);
    let shot = [
        ("firer", Value::Entity(firer)),
        ("weapon", weapon),
        ("target", Value::Entity(target)),
        ("band", Value::text("medium")),
    ];
    let args = [Value::record(shot)];
    // A d8 against a d6: to hit is to roll more.
    let hits = (1..=8)
        .flat_map(|mine| (1..=6).map(move |theirs| mine > theirs))
        .filter(|hit| *hit)
        .count();
    let rolled = Of::new(&game, "dsii.fire.roll", &args, "result.hits")
        .ask()
        .unwrap();
    assert_eq!(of(&rolled, 1), Fraction::of(hits as u128, 48).to_string());
    // Three chits, of which red and yellow count at medium range, against the armour of its front.
    let armour = Of::new(
        &game,
        "dsii.dmg.hit",
        &args,
        "dsii.design.armour(red-a-1, front)",
    )
    .ask()
    .unwrap();
    let Value::Int(armour) = armour.outcomes[0].value else {
        panic!("{armour:?}")
    };
    let (kills, all) = kills(3, armour as u64);
    let odds = Of::new(&game, "dsii.dmg.hit", &args, "red-a-1.status = knocked_out")
        .ask()
        .unwrap();
    assert_eq!(odds.of(&Value::Bool(true)), Fraction::of(kills, all));
    let How::Exact { runs, .. } = odds.how else {
        panic!("{:?}", odds.how)
    };
    assert!(
        runs < 200,
        "handfuls of the same sum are one way on: {runs} runs"
    );
}

#[test]
fn five_chits_are_walked_by_their_sums() {
    let game = start("../mods", "dsii/duel");
    let factors = Value::record(["red", "yellow", "green"].map(|colour| (colour, Value::Int(2))));
    let args = [Value::Int(5), factors];
    let odds = Of::new(&game, "dsii.dmg.draw", &args, "result.halves")
        .ask()
        .unwrap();
    let How::Exact { runs, .. } = odds.how else {
        panic!("{:?}", odds.how)
    };
    assert!(runs < 600, "{runs} runs");
    let all = odds
        .outcomes
        .iter()
        .fold(Fraction::zero(), |sum, one| sum.plus(&one.odds));
    assert_eq!(all, Fraction::one());
    // The mean of a sum is the sum of means, whatever is drawn with it: five chits of 119 with 202 points in all.
    let points: u64 = POT
        .iter()
        .map(|(chit, count)| chit[1..].parse().unwrap_or(0) * count)
        .sum();
    assert_eq!(
        odds.mean(),
        Some(Mean::Number(Fraction::of(u128::from(2 * 5 * points), 119)))
    );
}
