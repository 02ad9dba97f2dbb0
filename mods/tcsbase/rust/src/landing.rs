//! Where rounds fall, and what they do.

use std::collections::BTreeMap;

use houserule_guest::prelude::*;

use crate::area::{Blow, exposed, fpmod, suffer};
use crate::art::{DIRECT, are_mortars, role};
use crate::art::{count, effect, finish, worth};
use crate::bindings::tcsbase::events::{
    ArtAdjusted, ArtChecked, ArtDesignated, ArtFell, ArtVehicleHit,
};
use crate::bindings::tcsbase::kinds::{Battery, Mission, Reference, Unit};
use crate::bindings::tcsbase::tables::{ArtPattern, ArtPointNumbers, ArtRounds, ArtStrays};
use crate::bindings::words::{Armour, Class, Effect, Pattern, State};
use crate::fire::{SHELL, Table, defence, terrain};
use crate::map::{is_on_map, place_of};
use crate::mode::is_moving;
use crate::unit::{is_vehicle, lose};
use crate::{clock, die, illum, los, signed, smoke, two_dice, units};

chapter!(tcsbase.art);

/// More rounds than this in a hex add nothing.
const MOST_MORE: i64 = 3;

/// The fire for effect may be put so far from the hex that was plotted.
const SHIFT: u32 = 3;

/// Observers see so far by day.
const OBSERVED: i64 = 30;

/// From so many rounds on they are drawn together.
const MANY: i64 = 12;

/// [designator] Whether a mission needs no designator.
#[rule]
pub fn exact(_game: &Reads, _mission: Mission) -> bool {
    false
}

/// [observer, night.observe, los.smoke, los.visibility] Whether a unit observes the fall of shot in a hex.
#[rule]
pub fn sees(game: &Reads, unit: Unit, at: Hex) -> bool {
    let from = unit.at();
    let clock = clock(game);
    let by_light = if clock.is_night() && !illum::lit(game, at) {
        clock.limit()
    } else {
        OBSERVED
    };
    unit.state() == State::Ready
        && i64::from(from.distance(at)) <= by_light.min(los::sky_limit(game))
        && los::is_free_of_smoke(game, from, at)
        && los::clear(game, from, los::height_of(game, unit), at, 0)
}

/// [observer, assign] Whether a unit may observe for a battery: a battery in direct support works for its own force.
#[rule]
pub fn serves(_game: &Reads, battery: Battery, unit: Unit) -> bool {
    let is_bound = role(battery) == DIRECT && !battery.force().is_empty();
    unit.side() == battery.side() && (!is_bound || unit.force() == battery.force())
}

/// [mortars] Mortars work for their own force in any role.
#[wrap(serves)]
fn of_their_own(base: serves::Base, game: &Reads, battery: Battery, unit: Unit) -> bool {
    let is_bound = are_mortars(battery) && !battery.force().is_empty();
    base(game, battery, unit) && (!is_bound || unit.force() == battery.force())
}

/// [observer, gen.map_edge] Who observes a hex for a battery, if anybody: nobody sees what falls off the map.
#[rule]
pub fn observer(game: &Reads, battery: Battery, at: Hex) -> Option<Unit> {
    if !is_on_map(game, at) {
        return None;
    }
    units(game)
        .into_iter()
        .find(|unit| serves(game, battery, *unit) && sees(game, *unit, at))
}

/// [designator, adjust] The designator falls, and the fire for effect follows it, or not.
/// @reveals(what falls is seen by all)
#[step]
pub fn land(game: &Acts, mission: Mission) {
    let Some(battery) = mission.battery() else {
        return;
    };
    let centre = match exact(game, mission) {
        true => Some(mission.at()),
        false => aimed(game, mission, battery),
    };
    match centre {
        Some(centre) => {
            scatter::push(game, mission, centre);
            finish::push(game, mission);
        }
        // Fire that is checked costs nothing.
        None => mission.remove(game),
    }
}

/// The designator round, and the adjustment: where the fire for effect falls,
/// or nothing where it is checked.
fn aimed(game: &Acts, mission: Mission, battery: Battery) -> Option<Hex> {
    let plotted = mission.at();
    let fell = if registered(game, battery, plotted) {
        plotted
    } else {
        strayed(game, plotted)
    };
    let observer = if mission.is_sudden() {
        None
    } else {
        observer(game, battery, fell)
    };
    // Where it fell, and who sees it, is known before anybody says what he wants.
    ArtDesignated {
        battery,
        at: fell,
        place: &place_of(game, fell),
        observer: observer.map(|unit| *unit),
        result: &match observer {
            _ if mission.is_sudden() => "fire for effect".to_string(),
            Some(unit) => format!("{unit} sees it"),
            None => "nobody sees it".to_string(),
        },
    }
    .tell(game);
    match observer {
        _ if mission.is_sudden() => Some(fell),
        Some(_) => adjusted(game, mission, battery, fell),
        None => kept(game, mission, battery, fell, "nobody sees the designator"),
    }
}

/// The adjustment: dice of five and the distance, or more, put the fire for effect on the hex that is wanted.
fn adjusted(game: &Acts, mission: Mission, battery: Battery, fell: Hex) -> Option<Hex> {
    let wanted = wanted(game, mission, battery);
    let needed = 5 + i64::from(wanted.distance(fell));
    let dice = two_dice(game, "adjustment");
    let is_on_target = dice >= needed;
    ArtAdjusted {
        battery,
        at: wanted,
        dice,
        needed,
        result: if is_on_target { "on target" } else { "failed" },
    }
    .tell(game);
    if is_on_target {
        return Some(wanted);
    }
    let missed = format!("not adjusted, {dice} against {needed}");
    kept(game, mission, battery, fell, &missed)
}

/// Where a designator falls: a die for the direction, one for the distance.
fn strayed(game: &Draws, plotted: Hex) -> Hex {
    let faces = game.roll_all(&[Die::new(6), Die::new(6)], "designator");
    let distance = ArtStrays::get(game, faces[1]).hexes;
    (0..distance).fold(plotted, |hex, _| hex.neighbours()[faces[0] as usize - 1])
}

/// The hex that is wanted: within three of the one that was plotted.
fn wanted(game: &Acts, mission: Mission, battery: Battery) -> Hex {
    let near = mission
        .at()
        .area(SHIFT)
        .into_iter()
        .filter(|hex| is_on_map(game, *hex));
    let question =
        Question::new("tcsbase.art.wanted", "Where is the fire for effect wanted?").about(*battery);
    game.ask(&battery.side(), question, Domain::one_of(near))
}

/// Whether the fire for effect follows the designator; what bots answer, they
/// take from what stands first: rounds on nobody are kept for another turn.
fn kept(game: &Acts, mission: Mission, battery: Battery, fell: Hex, why: &str) -> Option<Hex> {
    let question = Question::new(
        "tcsbase.art.check_fire",
        "Fire for effect where the designator fell?",
    );
    let rounds = mission.rounds();
    let is_worth_it = match effect(game, &rounds) {
        // A screen that lies beside its place still hides somebody.
        Effect::Smoke => fell.distance(mission.at()) <= 1,
        _ => worth(game, battery, &rounds, fell) >= 0,
    };
    let answers = Domain::one_of([is_worth_it, !is_worth_it]);
    if game.ask(&battery.side(), question.about(*battery), answers) {
        return Some(fell);
    }
    ArtChecked {
        battery,
        at: fell,
        place: &place_of(game, fell),
        reason: why,
    }
    .tell(game);
    None
}

/// [art.adjust.registered else false] Whether the batteries of a side are registered at a hex.
#[rule]
pub fn registered(game: &Reads, battery: Battery, at: Hex) -> bool {
    let own = Reference::all(game)
        .into_iter()
        .filter(|point| point.side() == battery.side());
    own.into_iter().any(|point| point.at() == at)
}

/// How far a round falls from the centre, by a die.
fn distance(game: &Reads, pattern: Pattern, die: i64) -> i64 {
    let row = ArtPattern::get(game, die);
    match pattern {
        Pattern::A => row.a,
        Pattern::B => row.b,
        Pattern::C => row.c,
    }
}

/// [patterns] How rounds fall: for each a die for the distance, and one for the direction if it is not nothing.
#[rule]
pub fn spread(game: &Draws, pattern: Pattern, count: i64) -> Vec<Stray> {
    let dice = vec![Die::new(6); usize::try_from(count).unwrap_or(0)];
    let faces = game.roll_all(&dice, "pattern, distances");
    let distances: Vec<i64> = faces
        .into_iter()
        .map(|die| distance(game, pattern, die))
        .collect();
    let astray = distances.iter().filter(|distance| **distance > 0).count();
    let ways = if astray == 0 {
        Vec::new()
    } else {
        game.roll_all(&vec![Die::new(6); astray], "pattern, directions")
    };
    let mut ways = ways.into_iter();
    let one = |distance| Stray {
        distance,
        way: if distance > 0 {
            ways.next().unwrap_or(1)
        } else {
            1
        },
    };
    distances.into_iter().map(one).collect()
}

/// How a round falls beside the centre.
#[record]
pub struct Stray {
    pub distance: i64,
    pub way: i64,
}

/// [mass] Many rounds are each drawn with one die that stands for both: the same chances, in one throw.
#[wrap(spread)]
fn at_a_throw(base: spread::Base, game: &Draws, pattern: Pattern, count: i64) -> Vec<Stray> {
    if count < MANY {
        return base(game, pattern, count);
    }
    let dice = vec![Die::new(36); usize::try_from(count).unwrap_or(0)];
    let faces = game
        .roll_all(&dice, "pattern, many rounds")
        .into_iter()
        .map(|face| face - 1);
    faces
        .map(|face| Stray {
            distance: distance(game, pattern, face / 6 + 1),
            way: face % 6 + 1,
        })
        .collect()
}

/// Rounds that struck a hex.
#[record]
pub struct Struck {
    pub at: Hex,
    pub count: i64,
}

/// [patterns, gen.map_edge] Each round falls by the pattern; off the map it is lost.
/// @reveals(what falls is seen by all)
#[step]
pub fn scatter(game: &Acts, mission: Mission, at: Hex) {
    let Some(battery) = mission.battery() else {
        return;
    };
    let struck = strikes(game, mission.pattern(), count(game, mission), at);
    ArtFell {
        battery,
        hexes: &in_words(game, &struck),
    }
    .tell(game);
    fell::push(game, mission, struck);
}

/// [patterns, gen.map_edge] Which hexes rounds have struck, in words.
#[rule]
pub fn in_words(_game: &Reads, struck: &[Struck]) -> String {
    let list: Vec<String> = struck
        .iter()
        .map(|one| format!("{} at {}", one.count, one.at))
        .collect();
    match list.as_slice() {
        [] => "all off the map".into(),
        _ => list.join(", "),
    }
}

/// [patterns, gen.map_edge] The hexes that rounds strike by a pattern round a centre.
#[rule]
pub fn strikes(game: &Draws, pattern: Pattern, count: i64, at: Hex) -> Vec<Struck> {
    let mut struck: BTreeMap<Hex, i64> = BTreeMap::new();
    for stray in spread(game, pattern, count) {
        let hex = (0..stray.distance).fold(at, |hex, _| hex.neighbours()[stray.way as usize - 1]);
        if is_on_map(game, hex) {
            *struck.entry(hex).or_default() += 1;
        }
    }
    struck
        .into_iter()
        .map(|(at, count)| Struck { at, count })
        .collect()
}

/// [area] What the losses by a mission in a hex come from, a word as for `tcsbase.unit.lose`.
#[rule]
pub fn cause(_game: &Reads, _mission: Mission, _at: Hex) -> String {
    "shells".into()
}

/// [area, smoke.mission, tcsbase.illum] What the rounds of a mission do in the hexes that they struck.
#[step]
pub fn fell(game: &Acts, mission: Mission, struck: Vec<Struck>) {
    let Some(battery) = mission.battery() else {
        return;
    };
    let rounds = mission.rounds();
    match effect(game, &rounds) {
        Effect::Burst => {
            for Struck { at, count } in &struck {
                let (rounds, caliber) = (rounds.clone(), battery.caliber());
                let (at, count, cause) = (*at, *count, cause(game, mission, *at));
                let shells = Shells {
                    rounds,
                    caliber,
                    at,
                    count,
                    is_beside: false,
                    cause,
                };
                let under = softs(game, &shells);
                burst::push(game, shells, under);
            }
            smokes(game, &struck);
        }
        Effect::Smoke => struck
            .iter()
            .for_each(|one| smoke::place::push(game, one.at)),
        Effect::Light => struck
            .iter()
            .for_each(|one| illum::burn::push(game, one.at)),
        Effect::Special => {}
    }
}

/// [smoke_from_he] Two rounds of a mission or more in a hex leave smoke. @never_draws
#[rule]
pub fn smokes(game: &Writes, struck: &[Struck]) {
    struck
        .iter()
        .filter(|one| one.count >= 2)
        .for_each(|one| smoke::place::push(game, one.at));
}

/// Rounds that burst in a hex, or beside it where that counts.
#[record]
pub struct Shells {
    pub rounds: String,
    pub caliber: String,
    pub at: Hex,
    pub count: i64,
    pub is_beside: bool,
    /// As for `tcsbase.unit.lose`.
    pub cause: String,
}

/// [art.fp] The firepower of a round.
#[rule]
pub fn fp(game: &Reads, burst: &Shells) -> i64 {
    ArtRounds::find(game, &burst.rounds, &burst.caliber).map_or(0, |row| row.fp)
}

/// [area, fire.area.rounds] The units in a hex that rounds attack on the Area Fire Table: troops and light vehicles.
#[rule]
pub fn softs(game: &Reads, burst: &Shells) -> Vec<Unit> {
    exposed(game, burst.at)
        .into_iter()
        .filter(|unit| unit.class() != Class::Helicopter)
        .collect()
}

/// [area, fire.area.rounds] One attack on each soft unit that was in a hex as the mission fell, wherever others have fallen
/// back to, and one round after the other on vehicles.
#[step]
pub fn burst(game: &Acts, burst: Shells, under: Vec<Unit>) {
    if let Some(power) = fpmod(game, fp(game, &burst)) {
        let power = power + (burst.count - 1).min(MOST_MORE);
        for unit in under.into_iter().filter(|unit| unit.exists(game)) {
            let modifier = power + terrain(game, unit, Table::Area);
            let dice = two_dice(game, &format!("shells on {unit}"));
            suffer::push(
                game,
                unit,
                dice,
                Blow {
                    power,
                    modifier,
                    cause: burst.cause.clone(),
                },
            );
        }
    }
    let here = units(game).into_iter().filter(|unit| unit.at() == burst.at);
    let hard: Vec<Unit> = here
        .filter(|unit| is_vehicle(game, *unit) && unit.class() != Class::Helicopter)
        .collect();
    for round in 0..if hard.is_empty() { 0 } else { burst.count } {
        let chosen = match hard.len() {
            1 => 0,
            all => {
                game.roll(
                    &Die::new(all as u16),
                    &format!("which vehicle, round {}", round + 1),
                ) - 1
            }
        };
        vehicle::push(game, burst.clone(), hard[chosen as usize]);
    }
}

/// [art.point.table] What a vehicle defends itself against, under rounds of a sort.
#[rule]
pub fn against(_game: &Reads, _burst: &Shells) -> String {
    SHELL.into()
}

/// [art.point.table] What the dice of a round must come to against a vehicle; nothing where it cannot hurt it.
#[rule]
pub fn vehicle_needed(game: &Reads, burst: &Shells, target: Unit) -> Option<i64> {
    let armour = if defence(game, target, &against(game, burst)) <= 1 {
        Armour::Light
    } else {
        Armour::Heavy
    };
    ArtPointNumbers::find(game, &burst.caliber, armour)?.needed
}

/// [art.point.table] One round at a vehicle.
#[step]
pub fn vehicle(game: &Acts, burst: Shells, target: Unit) {
    if target.exists(game) {
        let power = fpmod(game, fp(game, &burst));
        at_vehicle(game, &burst, target, power);
    }
}

/// Dice of a round at a vehicle; those aboard it suffer the power of the weapon.
pub fn at_vehicle(game: &Acts, burst: &Shells, target: Unit, power: Option<i64>) {
    target.set_is_engaged(game, true);
    let needed = vehicle_needed(game, burst, target);
    let (Some(needed), Some(modifier)) = (needed, vehicle_modifier(game, burst, target)) else {
        return;
    };
    let dice = two_dice(game, &format!("a round at {target}"));
    let is_lost = dice + modifier >= needed;
    let result = if is_lost { "destroyed" } else { "no effect" };
    ArtVehicleHit {
        target,
        dice,
        modifier: &signed(modifier),
        needed,
        result,
    }
    .tell(game);
    if is_lost {
        lose(game, target, &burst.cause, power);
    }
}

/// [art.point.table] What is added to the dice of a round against a vehicle; nothing where it cannot hurt it.
#[rule]
pub fn vehicle_modifier(game: &Reads, _burst: &Shells, target: Unit) -> Option<i64> {
    Some(i64::from(is_moving(game, target)))
}

/// Which of several a player chooses.
pub fn chosen(game: &Acts, side: &str, question: Question, all: &[Unit]) -> Option<Unit> {
    match all {
        [] => None,
        [only] => Some(*only),
        several => Some(game.ask(side, question, Domain::one_of(several.iter().copied()))),
    }
}

/// A die that one comes up on only if there is something to fear.
pub fn unlucky(game: &Draws, is_feared: bool, purpose: &str) -> bool {
    is_feared && die(game, purpose) == 1
}
