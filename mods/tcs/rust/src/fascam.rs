//! Mines that batteries scatter.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::{FascamGone, FascamLaid};
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::art::Prize;
use crate::bindings::tcsbase::r#gen::clock_time;
use crate::bindings::tcsbase::kinds::{Battery, Field, Mission, Unit};
use crate::bindings::tcsbase::unit::is_vehicle;
use crate::bindings::tcsbase::{art, carry, mines, r#move as movement, seq};
use crate::bindings::words::{ByDay, Mode, Pattern, Shape, State};
use crate::{aboard, bomblets, clock, is_helicopter, on_map, turns_left, units};

chapter!(tcs.fascam);

const ROUND: &str = "fascam";

/// Six hours, and the least: a turn.
const LONGEST: i64 = 6 * 60;

/// When mines go that do not destroy themselves.
const FOR_EVER: i64 = 0;

/// How many times its cost whoever takes his time pays for a hex.
const SLOWLY: i64 = 3;

/// Costs of moves are counted in sixths of a point.
const POINT: i64 = 6;

/// What a pattern is worth to a bot, and what more for each whom it meets.
const LAID: i64 = 3;
const MET: i64 = 3;

/// [auto] It has a shape of its own.
#[wrap(art::patterns)]
fn none(base: art::patterns::Base, game: &Reads, battery: Battery, rounds: &str) -> Vec<Pattern> {
    match rounds {
        ROUND => Vec::new(),
        _ => base(game, battery, rounds),
    }
}

/// [auto] It lands as it was plotted.
#[wrap(art::exact)]
fn as_plotted(base: art::exact::Base, game: &Reads, mission: Mission) -> bool {
    mission.rounds() == ROUND || base(game, mission)
}

/// [auto] Never as immediate suppression.
#[wrap(art::may_suppress_with)]
fn not_at_once(
    base: art::may_suppress_with::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
) -> Verdict {
    if rounds == ROUND {
        refuse!("mines are called for beforehand");
    }
    base(game, battery, rounds)
}

/// [ammo] One battery fire makes one pattern.
#[wrap(art::most)]
fn one_pattern(base: art::most::Base, game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let most = base(game, battery, rounds);
    if rounds == ROUND { most.min(1) } else { most }
}

/// [pattern] With the call it is said to which side of the plotted hex the pattern lies, and in which shape.
#[wrap(art::record)]
fn shaped(base: art::record::Base, game: &Acts, battery: Battery, plot: &art::Plot) -> Mission {
    if plot.rounds != ROUND {
        return base(game, battery, plot);
    }
    // What bots answer, they take from what stands first: where most of the enemy is.
    let marks = marks(game, &battery.side());
    let caught = |way: i64, shape: Shape| count(&marks, &laid(plot.at, way, shape));
    let mut ways: Vec<(i64, &str)> = (1..=6).zip(WAYS).collect();
    let most = |way: i64| Shape::ALL.iter().map(|shape| caught(way, *shape)).max();
    ways.sort_by_key(|(way, _)| std::cmp::Reverse(most(*way)));
    let question =
        Question::new("tcs.fascam.way", "Which way does the pattern lie?").about(*battery);
    let way = game.ask(&battery.side(), question.secret(), Domain::labelled(ways));
    let mut shapes = SHAPES.to_vec();
    shapes.sort_by_key(|(shape, _)| std::cmp::Reverse(caught(way, *shape)));
    let question = Question::new("tcs.fascam.shape", "In which shape?").about(*battery);
    let shape = game.ask(&battery.side(), question.secret(), Domain::labelled(shapes));
    let mission = base(game, battery, plot);
    mission.set_way(game, way);
    mission.set_shape(game, shape);
    mission
}

/// The ways in which a pattern may lie, from the first to the last.
const WAYS: [&str; 6] = [
    "north to north-east",
    "north-east to south-east",
    "south-east to south",
    "south to south-west",
    "south-west to north-west",
    "north-west to north",
];

const SHAPES: [(Shape, &str); 6] = [
    (Shape::Sharp, "a rhombus, the hex at a sharp corner"),
    (Shape::Blunt, "a rhombus, the hex at a blunt corner"),
    (
        Shape::Right,
        "a square to the right, its middle row forward",
    ),
    (
        Shape::RightBack,
        "a square to the right, its middle row back",
    ),
    (Shape::Left, "a square to the left, its middle row forward"),
    (Shape::LeftBack, "a square to the left, its middle row back"),
];

/// The nine hexes of a pattern that lies a way and in a shape, of which this is a corner.
fn laid(at: Hex, way: i64, shape: Shape) -> Vec<Hex> {
    let way = way.max(1) as usize - 1;
    let line = |from: Hex, way: usize| {
        std::iter::successors(Some(from), move |hex| Some(hex.neighbours()[way % 6])).take(3)
    };
    let [second, third] = steps(shape);
    let beside = |hex: Hex, step: usize| hex.neighbours()[(way + step) % 6];
    let rows = [at, beside(at, second), beside(beside(at, second), third)];
    rows.into_iter().flat_map(|hex| line(hex, way)).collect()
}

/// Those on the ground whom mines would meet: of the enemy who is about to move one for each, of a side itself three less.
fn marks(game: &Reads, side: &str) -> Vec<(Hex, i64)> {
    let ground = units(game).into_iter().filter(|unit| !is_helicopter(*unit));
    let mark = |unit: Unit| match unit.side() == side {
        true => (unit.at(), -3),
        false => (unit.at(), i64::from(unit.mode() != Mode::Fire)),
    };
    ground.map(mark).collect()
}

fn count(marks: &[(Hex, i64)], hexes: &[Hex]) -> i64 {
    let met = marks.iter().filter(|(hex, _)| hexes.contains(hex));
    met.map(|(_, mark)| mark).sum()
}

/// [ammo] To a bot mines are worth something under those of the enemy who are about to move, the more of them the better.
#[wrap(art::prizes)]
fn under_movers(
    base: art::prizes::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
) -> Vec<Prize> {
    if rounds != ROUND {
        return base(game, battery, rounds);
    }
    let marks = marks(game, &battery.side());
    let mut corners: Vec<Hex> = marks
        .iter()
        .filter(|(_, mark)| *mark > 0)
        .map(|(hex, _)| *hex)
        .collect();
    corners.sort();
    corners.dedup();
    let most = |at: Hex| {
        let of = |way: i64| Shape::ALL.iter().map(move |shape| (way, *shape));
        let patterns = (1..=6).flat_map(of);
        patterns
            .map(|(way, shape)| count(&marks, &laid(at, way, shape)))
            .max()
            .unwrap_or(0)
    };
    let met = corners.into_iter().map(|at| (at, most(at)));
    met.filter(|(_, met)| *met > 0)
        .map(|(at, met)| Prize {
            at,
            worth: LAID + MET * met,
        })
        .collect()
}

/// How far round from the first row, in sixths of a turn, the second row lies from it, and the third from that.
fn steps(shape: Shape) -> [usize; 2] {
    match shape {
        Shape::Sharp => [1, 1],
        Shape::Blunt => [2, 2],
        Shape::Right => [1, 2],
        Shape::RightBack => [2, 1],
        Shape::Left => [5, 4],
        Shape::LeftBack => [4, 5],
    }
}

/// [destruct] And in how many turns the mines are to go.
#[wrap(art::record)]
fn timed(base: art::record::Base, game: &Acts, battery: Battery, plot: &art::Plot) -> Mission {
    if plot.rounds != ROUND {
        return base(game, battery, plot);
    }
    let turn = if clock(game).is_night() { 60 } else { 20 };
    let question = Question::new("tcs.fascam.life", "For how many turns?").about(*battery);
    // What bots answer, they take from what stands first: as long as there is a game.
    let most = LONGEST / turn;
    let best = turns_left(game).unwrap_or(most).clamp(1, most);
    let others = (1..=most).filter(|turns| *turns != best);
    let choices = std::iter::once(best).chain(others);
    let domain = Domain::labelled(choices.map(|turns| (turns, turns.to_string())));
    let turns: i64 = game.ask(&battery.side(), question.secret(), domain);
    let mission = base(game, battery, plot);
    mission.set_life(game, turns * turn);
    mission
}

/// [ammo] They do not burst.
#[wrap(art::scatter)]
fn lies(base: art::scatter::Base, game: &Acts, mission: Mission, at: Hex) {
    if mission.rounds() == ROUND {
        lay::push(game, mission, at);
    } else {
        base(game, mission, at);
    }
}

/// [ammo] The hexes that a mission mines: one.
#[rule]
pub fn hexes(_game: &Reads, _mission: Mission, at: Hex) -> Vec<Hex> {
    vec![at]
}

/// [pattern] Three by three, of which this is a corner.
#[wrap(hexes)]
fn nine(_base: hexes::Base, _game: &Reads, mission: Mission, at: Hex) -> Vec<Hex> {
    laid(at, mission.way(), mission.shape())
}

/// [ammo] Mines lie in all hexes of the pattern.
/// cites: on_landing
/// @reveals(what falls is seen by all)
#[step]
pub fn lay(game: &Acts, mission: Mission, at: Hex) {
    let Some(battery) = mission.battery() else {
        return;
    };
    let found: Vec<Hex> = hexes(game, mission, at)
        .into_iter()
        .filter(|hex| on_map(game, *hex))
        .collect();
    let expires = expiry(game, mission.life());
    for hex in &found {
        let field = Field::create(
            game,
            None,
            [Field::SIDE.is(battery.side()), Field::AT.is(*hex)],
        );
        field.set_is_scattered(game, true);
        field.set_expires(game, expires);
        catches(game, *hex);
    }
    let until = match expires {
        FOR_EVER => "the end".into(),
        minute => clock_time(game, minute),
    };
    FascamLaid {
        battery,
        hexes: &in_words(&found),
        expires: &until,
    }
    .tell(game);
    bomblets::strew(game, &found);
}

/// [destruct else 0] The minute at which mines go that are laid now: the end of a turn, also where the clock stands between two.
#[rule]
pub fn expiry(game: &Reads, life: i64) -> i64 {
    let clock = clock(game);
    let (now, turn) = (clock.minutes(), if clock.is_night() { 60 } else { 20 });
    let this_turn = now / turn + 1;
    this_turn.max((now + life) / turn) * turn
}

/// [ammo] What mines do to those on whom they fall: nothing.
#[rule]
pub fn catches(_game: &Writes, _at: Hex) {}

/// [leave_attack] They are caught: whoever leaves is attacked.
#[wrap(catches)]
fn caught(_base: catches::Base, game: &Writes, at: Hex) {
    let here = units(game)
        .into_iter()
        .filter(|unit| unit.at() == at && !is_helicopter(*unit));
    for unit in here {
        unit.set_is_caught(game, true);
        aboard(game, unit)
            .into_iter()
            .for_each(|passenger| passenger.set_is_caught(game, true));
    }
}

/// [leave_attack] Whoever has come out of the hex, on his own or aboard, has left them.
#[wrap(carry::put)]
fn left_behind(base: carry::put::Base, game: &Writes, unit: Unit, at: Hex) {
    if unit.at() != at {
        unit.set_is_caught(game, false);
    }
    base(game, unit, at);
}

/// [leave_attack] Before it leaves.
#[wrap(movement::caught_leaving)]
fn leaves(base: movement::caught_leaving::Base, game: &Writes, unit: Unit) -> bool {
    if !unit.is_caught() {
        return base(game, unit);
    }
    unit.set_is_caught(game, false);
    // Several may overlap, and a lane lead through one of them alone.
    let here = Field::all(game)
        .into_iter()
        .filter(|field| field.is_scattered() && field.at() == unit.at());
    match here
        .into_iter()
        .find(|field| mines::harms(game, unit, *field))
    {
        Some(field) => {
            mines::attack::push(game, unit, field);
            true
        }
        None => base(game, unit),
    }
}

/// [both_sides] They know no friends.
#[wrap(mines::is_own)]
fn nobodys(base: mines::is_own::Base, game: &Reads, unit: Unit, field: Field) -> bool {
    !field.is_scattered() && base(game, unit, field)
}

/// [open] Everybody sees them.
#[wrap(mines::bury)]
fn in_the_open(base: mines::bury::Base, game: &Acts) {
    base(game);
    let scattered = Field::all(game)
        .into_iter()
        .filter(|field| field.is_scattered());
    scattered.for_each(|field| field.reveal(game, None, None));
}

/// [destruct] Their time is over.
#[step]
pub fn expire(game: &Acts) {
    let now = clock(game).minutes();
    let mut gone = Field::all(game);
    gone.retain(|field| field.is_scattered() && field.expires() <= now);
    if gone.is_empty() {
        return;
    }
    // Several may overlap.
    let mut hexes: Vec<Hex> = Vec::new();
    for field in &gone {
        if !hexes.contains(&field.at()) {
            hexes.push(field.at());
        }
    }
    FascamGone {
        hexes: &in_words(&hexes),
    }
    .tell(game);
    gone.into_iter().for_each(|field| field.remove(game));
}

/// Hexes in words.
fn in_words(hexes: &[Hex]) -> String {
    let list: Vec<String> = hexes.iter().map(Hex::to_string).collect();
    list.join(" ")
}

/// [destruct] Mines that destroy themselves
#[automatic(after = seq::cleanup)]
fn expired(game: &Acts) {
    expire::push(game);
}

/// Whether a unit passes scattered mines on foot: by day, where no lane makes that needless, and if it takes its time.
fn steps_over(game: &Reads, unit: Unit, field: Field) -> bool {
    let is_day = !clock(game).is_night() || game.option(options::fascam::BY_DAY) == ByDay::Always;
    let is_slow = !is_vehicle(game, unit) && !unit.hurries();
    field.is_scattered() && !field.has_lane() && is_day && is_slow
}

/// [foot_ignore] On foot they are passed for three times the cost,
#[wrap(mines::cost)]
fn slowly(base: mines::cost::Base, game: &Reads, unit: Unit, field: Field, without: i64) -> i64 {
    if steps_over(game, unit, field) {
        SLOWLY * without
    } else {
        base(game, unit, field, without)
    }
}

/// [foot_ignore] so that it counts whether a unit hurries,
#[wrap(movement::moves_like)]
fn as_slowly(base: movement::moves_like::Base, game: &Reads, unit: Unit, other: Unit) -> bool {
    unit.hurries() == other.hurries() && base(game, unit, other)
}

/// [foot_ignore] also by whoever leaves those that fell on him,
#[wrap(movement::leaving)]
fn slowly_out(base: movement::leaving::Base, game: &Reads, unit: Unit) -> i64 {
    let at = unit.at();
    let mut here = Field::all(game)
        .into_iter()
        .filter(|field| field.at() == at);
    if unit.is_caught() && here.any(|field| steps_over(game, unit, field)) {
        SLOWLY
    } else {
        base(game, unit)
    }
}

/// [foot_ignore] and do nothing to whoever has paid that.
#[wrap(mines::harms)]
fn safely(base: mines::harms::Base, game: &Reads, unit: Unit, field: Field) -> bool {
    let is_spared = steps_over(game, unit, field) && has_paid(game, unit);
    !is_spared && base(game, unit, field)
}

/// Whether a unit pays in full for the hex that it enters: not in an assault, which costs nothing, nor for the one hex that
/// it may always go. The points of whoever falls back are those of his retreat.
fn has_paid(game: &Reads, unit: Unit) -> bool {
    let is_assault = clock(game).assaulting() == unit.side();
    unit.state() == State::Paralyzed || !is_assault && !unit.is_short()
}

/// [foot_ignore] The one hex that a unit may always go it may go without the points for it.
#[wrap(movement::pay)]
fn falls_short(base: movement::pay::Base, game: &Writes, unit: Unit, to: Hex, cost: i64) {
    base(game, unit, to, cost);
    // What a unit has used is its own side's to know; these mines lie open to all.
    let mut all = Field::all(game).into_iter();
    if all.any(|field| field.is_scattered() && [unit.at(), to].contains(&field.at())) {
        unit.set_is_short(game, unit.used() > movement::allowance(game, unit) * POINT);
    }
}

// What it has chosen holds for its moves in this turn until it chooses anew.
/// [foot_ignore] Hurry through scattered mines, or take its time again
#[action(at = seq::action, actor = Unit)]
mod hurry {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        movement::may(game, unit)?;
        if is_vehicle(game, unit) {
            refuse!("it does not go on foot");
        }
        let side = unit.side();
        let is_known = |field: &Field| field.is_scattered() && field.is_seen_by(game, &side);
        if !Field::all(game).iter().any(is_known) {
            refuse!("no mines have been scattered");
        }
        Ok(())
    }

    pub fn score(_game: &Reads, _unit: Unit) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, unit: Unit) {
        unit.set_hurries(game, !unit.hurries());
    }
}

/// [foot_ignore] A new turn.
#[wrap(seq::refresh)]
fn refreshed(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_hurries(game, false);
    unit.set_is_short(game, false);
}

/// [enter_attack] Whoever was not under them is attacked as he enters, by day and night, as by any mines.
#[wrap(mines::harms)]
fn as_any(base: mines::harms::Base, game: &Reads, unit: Unit, field: Field) -> bool {
    base(game, unit, field)
}
