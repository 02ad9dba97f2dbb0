//! Guided shells.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::{CopperheadHeld, CopperheadLanded};
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::art::{self, Prize, Shells};
use crate::bindings::tcsbase::kinds::{Battery, Mission, Unit};
use crate::bindings::tcsbase::unit::is_vehicle;
use crate::bindings::words::{Helicopters, Pattern, Salvo, Target};
use crate::{is_helicopter, on_map, units};

chapter!(tcs.copperhead);

const ROUND: &str = "copperhead";

/// What one is worth to a bot.
const WORTH: i64 = 12;

/// It looks at so many hexes, those nearest to its own side, and asks so many who are nearest whether they see one.
const HEXES: usize = 16;
const WATCHERS: usize = 6;

/// It may be put so far from the hex that was plotted.
const SHIFT: u32 = 3;

/// [ammo] Each is a mission of its own.
#[wrap(art::most)]
fn one_by_one(base: art::most::Base, game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let most = base(game, battery, rounds);
    if rounds == ROUND { most.min(1) } else { most }
}

/// [ammo] It makes no pattern.
#[wrap(art::patterns)]
fn none(base: art::patterns::Base, game: &Reads, battery: Battery, rounds: &str) -> Vec<Pattern> {
    match rounds {
        ROUND => Vec::new(),
        _ => base(game, battery, rounds),
    }
}

/// [ammo] To a bot it is worth more than all else, where somebody sees whom it can hit, one for each of them.
#[wrap(art::prizes)]
fn on_the_seen(
    base: art::prizes::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
) -> Vec<Prize> {
    if rounds != ROUND {
        return base(game, battery, rounds);
    }
    let side = battery.side();
    let (own, enemies): (Vec<Unit>, Vec<Unit>) = units(game)
        .into_iter()
        .partition(|unit| unit.side() == side);
    let mut hexes: Vec<Hex> = enemies.into_iter().map(Unit::at).collect();
    hexes.sort();
    hexes.dedup();
    hexes.sort_by_cached_key(|at| own.iter().map(|unit| unit.at().distance(*at)).min());
    hexes.truncate(HEXES);
    let called = Mission::all_with(game, Mission::SIDE, battery.side());
    let is_open = |at: &Hex| {
        let coming = called
            .iter()
            .filter(|mission| mission.rounds() == ROUND && mission.at() == *at);
        coming.count() < targets(game, battery, *at).len() && is_hoped(game, battery, *at)
    };
    hexes.retain(is_open);
    hexes.sort();
    let prize = |at| Prize { at, worth: WORTH };
    hexes.into_iter().map(prize).collect()
}

/// [rate] A tube that fires one fires nothing else; the others may.
#[wrap(art::tubes)]
fn one_tube(
    base: art::tubes::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
    size: i64,
) -> i64 {
    if rounds == ROUND {
        size
    } else {
        base(game, battery, rounds, size)
    }
}

/// [rate] A tube that has fired one fires nothing after it either,
#[wrap(art::ready_tubes)]
fn others_alone(base: art::ready_tubes::Base, game: &Reads, battery: Battery) -> i64 {
    base(game, battery) - battery.guided_now()
}

/// [ammo] They are no battery fires: for who looks for their battery all those of a turn are one, a round a tube.
#[wrap(art::fires)]
fn one_salvo(
    base: art::fires::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
    size: i64,
) -> i64 {
    let together = game.option(options::copperhead::SALVO) == Salvo::One;
    if rounds == ROUND && together && battery.guided_now() > 1 {
        0
    } else {
        base(game, battery, rounds, size)
    }
}

/// [rate] nor do they keep the others from suppressing,
#[wrap(art::fires_before)]
fn others_suppress(base: art::fires_before::Base, game: &Reads, battery: Battery) -> i64 {
    let guided = battery.guided_now();
    let counted = match game.option(options::copperhead::SALVO) {
        Salvo::One => guided.min(1),
        Salvo::Each => guided,
    };
    base(game, battery) - counted
}

/// [rate] until a new turn.
#[wrap(art::refresh)]
fn refreshed(base: art::refresh::Base, game: &Writes, battery: Battery) {
    base(game, battery);
    battery.set_guided_now(game, 0);
}

/// [ammo] Whether a battery that has called for one may call for another. @open
#[rule]
pub fn again(_game: &Reads, _battery: Battery) -> Verdict {
    refuse!("they are fired at one hex")
}

/// [targets] Each may have a hex of its own.
#[wrap(again)]
fn elsewhere(_base: again::Base, _game: &Reads, _battery: Battery) -> Verdict {
    Ok(())
}

/// [ammo] One after the other, where that is played.
#[wrap(art::may_load)]
fn not_again(base: art::may_load::Base, game: &Reads, battery: Battery, rounds: &str) -> Verdict {
    base(game, battery, rounds)?;
    let called = Mission::all_with(game, Mission::BATTERY, Some(battery));
    if rounds == ROUND && called.into_iter().any(|mission| mission.rounds() == ROUND) {
        again(game, battery)?;
    }
    Ok(())
}

/// [call] Never as immediate suppression.
#[wrap(art::may_suppress_with)]
fn not_at_once(
    base: art::may_suppress_with::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
) -> Verdict {
    if rounds == ROUND {
        refuse!("they are called for beforehand");
    }
    base(game, battery, rounds)
}

/// [ammo] It does not scatter.
#[wrap(art::land)]
fn comes_down(base: art::land::Base, game: &Acts, mission: Mission) {
    if mission.rounds() == ROUND {
        strike::push(game, mission);
    } else {
        base(game, mission);
    }
}

/// [ammo] It comes down, if somebody sees where, on what is there.
/// @reveals(what falls is seen by all)
#[step]
pub fn strike(game: &Acts, mission: Mission) {
    let Some(battery) = mission.battery() else {
        return;
    };
    let at = place(game, mission);
    if !is_seen(game, battery, at) {
        CopperheadHeld { battery }.tell(game);
        mission.remove(game);
        return;
    }
    CopperheadLanded { battery, at }.tell(game);
    battery.set_guided_now(game, battery.guided_now() + 1);
    let (rounds, caliber, cause) = (mission.rounds(), battery.caliber(), "shells".to_string());
    let burst = Shells {
        rounds,
        caliber,
        at,
        count: 1,
        is_beside: false,
        cause,
    };
    for target in chosen(game, battery, &targets(game, battery, at)) {
        art::vehicle::push(game, &burst, target);
    }
    art::finish::push(game, mission);
}

/// [ammo] Where it lands: as it was plotted.
#[rule]
pub fn place(_game: &Acts, mission: Mission) -> Hex {
    mission.at()
}

/// [placement] Anywhere within three hexes of that.
#[wrap(place)]
fn near_by(_base: place::Base, game: &Acts, mission: Mission) -> Hex {
    let near = mission
        .at()
        .area(SHIFT)
        .into_iter()
        .filter(|hex| on_map(game, *hex));
    let question = Question::new("tcs.copperhead.where", "Where does it land?").about(*mission);
    game.ask(&mission.side(), question, Domain::one_of(near))
}

/// [ammo] Whether somebody of a side sees the fall of shot.
#[rule]
pub fn is_seen(_game: &Reads, _battery: Battery, _at: Hex) -> bool {
    true
}

/// [observer] Somebody must.
#[wrap(is_seen)]
fn by_somebody(_base: is_seen::Base, game: &Reads, battery: Battery, at: Hex) -> bool {
    let own = units(game)
        .into_iter()
        .filter(|unit| unit.side() == battery.side());
    own.into_iter().any(|unit| observes(game, unit, at))
}

/// [ammo] Whether a bot counts on somebody of a side to see the fall of shot.
#[rule]
pub fn is_hoped(_game: &Reads, _battery: Battery, _at: Hex) -> bool {
    true
}

/// [observer] On those who are named for it first, then on those who are nearest.
#[wrap(is_hoped)]
fn by_the_nearest(_base: is_hoped::Base, game: &Reads, battery: Battery, at: Hex) -> bool {
    let side = battery.side();
    let mut own: Vec<Unit> = units(game)
        .into_iter()
        .filter(|unit| unit.side() == side)
        .collect();
    own.sort_by_cached_key(|unit| (!unit.designates(), unit.at().distance(at), *unit));
    own.into_iter()
        .take(WATCHERS)
        .any(|unit| observes(game, unit, at))
}

/// [observer] Whether a unit can guide it to a hex.
#[rule]
pub fn observes(game: &Reads, unit: Unit, at: Hex) -> bool {
    art::sees(game, unit, at)
}

/// [designators] Few can.
#[wrap(observes)]
fn the_few(base: observes::Base, game: &Reads, unit: Unit, at: Hex) -> bool {
    unit.designates() && base(game, unit, at)
}

/// [ammo] Whom it can hit in a hex.
#[rule]
pub fn targets(game: &Reads, battery: Battery, at: Hex) -> Vec<Unit> {
    let enemies = units(game)
        .into_iter()
        .filter(|unit| unit.at() == at && unit.side() != battery.side());
    enemies.filter(|unit| !is_helicopter(*unit)).collect()
}

/// [area] No troops, and nothing else that is a target for area fire alone.
#[wrap(targets)]
fn no_troops(base: targets::Base, game: &Reads, battery: Battery, at: Hex) -> Vec<Unit> {
    let mut found = base(game, battery, at);
    found.retain(|unit| is_vehicle(game, *unit) && unit.target() != Target::Area);
    found
}

/// [helo] Helicopters too, high or low.
#[wrap(targets)]
fn helicopters_too(base: targets::Base, game: &Reads, battery: Battery, at: Hex) -> Vec<Unit> {
    let mut found = base(game, battery, at);
    if game.option(options::copperhead::HELICOPTERS) == Helicopters::Allowed {
        let here =
            |unit: &Unit| is_helicopter(*unit) && unit.at() == at && unit.side() != battery.side();
        found.extend(units(game).into_iter().filter(here));
    }
    found
}

/// [ammo] Whom of them it hits: all.
#[rule]
pub fn chosen(_game: &Acts, _battery: Battery, all: &[Unit]) -> Vec<Unit> {
    all.to_vec()
}

/// [single_target] One, whom its owner chooses.
#[wrap(chosen)]
fn one(_base: chosen::Base, game: &Acts, battery: Battery, all: &[Unit]) -> Vec<Unit> {
    if all.len() < 2 {
        return all.to_vec();
    }
    let question = Question::new("tcs.copperhead.target", "Which one?").about(*battery);
    vec![game.ask(
        &battery.side(),
        question,
        Domain::one_of(all.iter().copied()),
    )]
}

/// [copperhead.mod] Seven more on the dice, four at helicopters.
#[wrap(art::vehicle_modifier)]
fn guided(
    base: art::vehicle_modifier::Base,
    game: &Reads,
    burst: &Shells,
    target: Unit,
) -> Option<i64> {
    let under = base(game, burst, target)?;
    let more = if is_helicopter(target) { 4 } else { 7 };
    Some(if burst.rounds == ROUND {
        under + more
    } else {
        under
    })
}

/// [area] Those aboard what it hits are attacked as by a shell.
#[wrap(art::fp)]
fn as_a_shell(base: art::fp::Base, game: &Reads, burst: &Shells) -> i64 {
    match burst.rounds.as_str() {
        ROUND => base(
            game,
            &Shells {
                rounds: "he".into(),
                ..burst.clone()
            },
        ),
        _ => base(game, burst),
    }
}
