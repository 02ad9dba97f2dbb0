//! Batteries and missions: assigned, called, fired, complete.

use std::collections::BTreeMap;

use houserule_guest::kind;
use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::{ArtDropped, ArtFired};
use crate::bindings::tcsbase::kinds::{Battery, Mission, Unit};
use crate::bindings::tcsbase::options;
use crate::bindings::tcsbase::tables::ArtKinds;
use crate::bindings::words::{Class, Delayed, Effect, Pattern, Plots, Target};
use crate::map::hexes;
use crate::ow::{self, Entered};
use crate::unit::from_the_ground;
use crate::{clock, landing, los, seq, smoke, units};

chapter!(tcsbase.art);

/// More battery fires than these are never fired at once.
const MOST: i64 = 3;

/// The roles of the series, and the weapons of which it knows more than that they fire.
pub const DIRECT: &str = "ds";
const GENERAL: &str = "gs";
const MORTAR: &str = "mortar";

/// A battery by the words for its role and weapons: other mods have more of them.
#[kind("tcsbase.battery")]
struct InRole {
    role: String,
    next_role: Option<String>,
    system: String,
}

/// The role of a battery.
pub fn role(battery: Battery) -> String {
    InRole::of(*battery).role()
}

pub fn are_mortars(battery: Battery) -> bool {
    InRole::of(*battery).system() == MORTAR
}

/// [battery] A mission is complete.
#[window(others_only)]
pub struct Complete {
    pub battery: Battery,
    pub number: i64,
}

/// How many rounds of a sort a battery has left.
pub fn left(battery: Battery, rounds: &str) -> i64 {
    battery.stock().get(rounds).copied().unwrap_or(0)
}

/// The sorts of rounds that a battery has.
pub fn stock(battery: Battery) -> Vec<String> {
    battery
        .stock()
        .into_iter()
        .filter(|(_, left)| *left > 0)
        .map(|(rounds, _)| rounds)
        .collect()
}

/// [battery] What rounds of a sort do where they fall.
pub fn effect(game: &Reads, rounds: &str) -> Effect {
    ArtKinds::find(game, rounds).map_or(Effect::Special, |row| row.effect)
}

/// [battery] Whether rounds of a sort are counted one by one.
#[rule]
pub fn is_single(game: &Reads, rounds: &str) -> bool {
    ArtKinds::find(game, rounds).is_some_and(|row| row.is_single)
}

/// [battery] What reports call rounds of a sort.
#[rule]
pub fn title(game: &Reads, rounds: &str) -> String {
    ArtKinds::find(game, rounds).map_or_else(|| rounds.into(), |row| row.title)
}

/// [battery] What a battery fires, in words: so many battery fires, or single rounds, of a sort.
#[rule]
pub fn load(game: &Reads, rounds: &str, size: i64) -> String {
    let what = match (is_single(game, rounds), size) {
        (true, 1) => "round",
        (true, _) => "rounds",
        (false, 1) => "battery fire",
        (false, _) => "battery fires",
    };
    format!("{size} {what} of {}", title(game, rounds))
}

/// [assign, call] Turns from a call to the fire: one more in general support.
#[rule]
pub fn delay(_game: &Reads, battery: Battery) -> i64 {
    battery.delay() + i64::from(role(battery) == GENERAL)
}

/// [mortars] Mortars have none.
#[wrap(delay)]
fn at_once(base: delay::Base, game: &Reads, battery: Battery) -> i64 {
    if are_mortars(battery) {
        0
    } else {
        base(game, battery)
    }
}

/// [battery] Tubes of a battery that no mission needs which would be fired with one called now.
#[rule]
pub fn free_tubes(game: &Reads, battery: Battery) -> i64 {
    let due = delay(game, battery);
    let missions = Mission::all_with(game, Mission::BATTERY, Some(battery));
    let needed: i64 = missions
        .into_iter()
        .filter(|mission| mission.due() == due)
        .map(Mission::tubes)
        .sum();
    battery.tubes() - needed
}

/// [battery] Tubes of a battery with which a mission that is due can be fired: all.
#[rule]
pub fn ready_tubes(_game: &Reads, battery: Battery) -> i64 {
    battery.tubes()
}

/// [battery, size] Tubes that a mission needs: all of them.
#[rule]
pub fn tubes(game: &Reads, battery: Battery, _rounds: &str, _size: i64) -> i64 {
    free_tubes(game, battery)
}

/// [battery] How many rounds of a sort a battery has left for which no mission has been called.
#[rule]
pub fn uncalled(game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let called = Mission::all_with(game, Mission::BATTERY, Some(battery)).into_iter();
    let called: i64 = called
        .filter(|mission| mission.rounds() == rounds)
        .map(Mission::size)
        .sum();
    left(battery, rounds) - called
}

/// [size] How many battery fires, or single rounds, a mission can be at most.
#[rule]
pub fn most(game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let tubes = free_tubes(game, battery);
    uncalled(game, battery, rounds).min(if is_single(game, rounds) { tubes } else { MOST })
}

/// [battery] How many rounds of a mission fall.
#[rule]
pub fn count(game: &Reads, mission: Mission) -> i64 {
    if is_single(game, &mission.rounds()) {
        mission.size()
    } else {
        mission.size() * mission.tubes()
    }
}

/// [call] The patterns that a mission may have: none where there is nothing to choose.
#[rule]
pub fn patterns(_game: &Reads, _battery: Battery, _rounds: &str) -> Vec<Pattern> {
    vec![Pattern::B, Pattern::A, Pattern::C]
}

/// [seq.sfp, size, call, battery] A battery fires its mission, when it is due; single rounds are one for each tube that is left.
#[step]
pub fn fire(game: &Acts, mission: Mission) {
    if mission.due() > 0 {
        mission.set_due(game, mission.due() - 1);
        return;
    }
    let Some(battery) = mission.battery().filter(|battery| battery.exists(game)) else {
        mission.remove(game);
        return;
    };
    let rounds = mission.rounds();
    let tubes = mission.tubes().min(ready_tubes(game, battery));
    let most = if is_single(game, &rounds) && tubes > 0 {
        tubes
    } else {
        mission.size()
    };
    let size = mission.size().min(left(battery, &rounds)).min(most);
    if size == 0 || tubes <= 0 {
        let reason = match size {
            0 => format!("it has no {} left", title(game, &rounds)),
            _ => "it has no tube left for it".into(),
        };
        call_off(game, mission, &reason);
        return;
    }
    // Where it is to fall all may know from now on.
    mission.reveal(game, None, None);
    mission.set_size(game, size);
    mission.set_tubes(game, tubes);
    ArtFired {
        battery,
        size,
        rounds: &rounds,
        load: &load(game, &rounds, size),
        at: mission.at(),
    }
    .tell(game);
    landing::land::push(game, mission);
}

/// [call] A mission that is not fired is told to its own side, which alone knew of it.
#[rule]
pub fn call_off(game: &Writes, mission: Mission, reason: &str) {
    if let Some(battery) = mission.battery() {
        let at = mission.at();
        ArtDropped {
            battery,
            at,
            reason,
        }
        .tell_to(game, Some(&[&battery.side()]), &[]);
    }
    mission.remove(game);
}

/// [battery] A mission has been fired: its rounds are gone, and it is complete.
#[step]
pub fn finish(game: &Acts, mission: Mission) {
    let Some(battery) = mission.battery() else {
        return;
    };
    let (rounds, size) = (mission.rounds(), mission.size());
    mission.remove(game);
    spend::push(game, battery, &rounds, size);
}

/// [battery] As how many battery fires of a turn a mission counts: rounds that are issued singly as one.
#[rule]
pub fn fires(game: &Reads, _battery: Battery, rounds: &str, size: i64) -> i64 {
    if is_single(game, rounds) { 1 } else { size }
}

/// [battery] Takes rounds that were fired; then the mission is complete.
#[step]
pub fn spend(game: &Acts, battery: Battery, rounds: &str, size: i64) {
    let mut stock = battery.stock();
    stock.insert(rounds.into(), (left(battery, rounds) - size).max(0));
    battery.set_stock(game, stock);
    let fires = fires(game, battery, rounds, size);
    battery.set_fired_now(game, battery.fired_now() + fires);
    let clock = clock(game);
    let number = clock.missions() + 1;
    clock.set_missions(game, number);
    Complete { battery, number }.open(game);
}

/// [seq.cleanup, assign] What the Clean Up Phase does for a battery. @never_draws
#[rule]
pub fn refresh(game: &Writes, battery: Battery) {
    battery.set_fired_last(game, battery.fired_now());
    battery.set_fired_now(game, 0);
    battery.set_has_suppressed(game, false);
    battery.set_has_watched(game, false);
    let assigned = InRole::of(*battery);
    if let Some(role) = assigned.next_role() {
        assigned.set_role(game, role);
        assigned.set_next_role(game, None);
    }
}

/// [assign] The roles that a battery may be assigned.
#[rule]
pub fn roles(_game: &Reads, _battery: Battery) -> Vec<String> {
    [DIRECT, GENERAL].map(String::from).to_vec()
}

/// [call, battery] Whether a battery may be called for fire. @open
#[rule]
pub fn may_call(game: &Reads, battery: Battery) -> Verdict {
    if battery.tubes() == 0 {
        refuse!("it has nothing left to fire with");
    }
    if stock(battery).is_empty() {
        refuse!("it has no rounds left");
    }
    if free_tubes(game, battery) <= 0 {
        refuse!("it has a mission");
    }
    Ok(())
}

/// [call] Whether rounds of a sort may be called from a battery. @open
#[rule]
pub fn may_load(game: &Reads, battery: Battery, rounds: &str) -> Verdict {
    match most(game, battery, rounds) {
        ..=0 => refuse!("it has none left"),
        _ => Ok(()),
    }
}

/// [call] The hexes at which rounds of a sort may be plotted: all of the map, first those of the enemy, or those at which
/// rounds that do not burst are worth most.
#[rule]
pub fn plots(game: &Reads, battery: Battery, rounds: &str) -> Vec<Hex> {
    let mut found: Vec<Hex> = if effect(game, rounds) == Effect::Burst {
        Vec::new()
    } else {
        let mut prizes = prizes(game, battery, rounds);
        prizes.sort_by_key(|prize| (std::cmp::Reverse(prize.worth), prize.at));
        prizes.into_iter().map(|prize| prize.at).collect()
    };
    let enemies = units(game)
        .into_iter()
        .filter(|unit| unit.side() != battery.side());
    let ground = enemies.filter(|unit| unit.class() != Class::Helicopter);
    let mut held: Vec<Hex> = ground.map(Unit::at).collect();
    held.sort();
    held.dedup();
    held.retain(|hex| !found.contains(hex));
    found.extend(held);
    let others: Vec<Hex> = hexes(game)
        .into_iter()
        .filter(|hex| !found.contains(hex))
        .collect();
    found.extend(others);
    found
}

/// [call] Records a mission.
#[rule]
pub fn record(game: &Acts, battery: Battery, plot: Plot) -> Mission {
    let tubes = tubes(game, battery, &plot.rounds, plot.size);
    let made = Mission::create(
        game,
        None,
        [Mission::SIDE.is(battery.side()), Mission::AT.is(plot.at)],
    );
    if game.option(options::art::PLOTS) == Plots::Open {
        made.reveal(game, None, None);
    }
    made.set_battery(game, Some(battery));
    made.set_tubes(game, tubes);
    made.set_rounds(game, plot.rounds);
    made.set_size(game, plot.size);
    made.set_pattern(game, plot.pattern);
    made.set_is_sudden(game, plot.is_sudden);
    made.set_due(
        game,
        if plot.is_sudden {
            0
        } else {
            delay(game, battery)
        },
    );
    made
}

/// What is recorded of a mission.
#[record]
pub struct Plot {
    pub rounds: String,
    pub size: i64,
    pub pattern: Pattern,
    pub at: Hex,
    pub is_sudden: bool,
}

/// [seq.command, assign] Assign a battery
#[action(at = seq::command, actor = Battery)]
mod assign {
    use super::*;

    pub fn allowed(_game: &Reads, battery: Battery) -> Verdict {
        match InRole::of(*battery).next_role() {
            Some(_) => refuse!("it has been assigned"),
            None => Ok(()),
        }
    }

    /// To which role, from the next turn on?
    #[param]
    pub fn role(game: &Reads, battery: Battery) -> Domain<String> {
        let now = super::role(battery);
        Domain::one_of(roles(game, battery).into_iter().filter(|role| *role != now))
    }

    pub fn score(_game: &Reads, _battery: Battery) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, battery: Battery, role: String) {
        InRole::of(*battery).set_next_role(game, Some(role));
    }
}

/// [seq.call, call, size] Call for fire
#[action(at = seq::call, actor = Battery, audience = "owner")]
mod call {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery) -> Verdict {
        may_call(game, battery)
    }

    /// Which rounds?
    #[param(audience = "owner")]
    pub fn rounds(game: &Reads, battery: Battery) -> Domain<String> {
        Domain::one_of(
            best_first(game, battery)
                .into_iter()
                .filter(|rounds| may_load(game, battery, rounds).is_ok()),
        )
    }

    /// How many?
    #[param(audience = "owner")]
    pub fn size(game: &Reads, battery: Battery, rounds: String) -> Domain<i64> {
        Domain::between(1, most(game, battery, &rounds))
    }

    /// In which pattern?
    #[param(audience = "owner")]
    pub fn pattern(game: &Reads, battery: Battery, rounds: String) -> Option<Domain<Pattern>> {
        let found = patterns(game, battery, &rounds);
        (!found.is_empty()).then(|| Domain::one_of(found))
    }

    /// At which hex?
    #[param(audience = "owner")]
    pub fn at(game: &Reads, battery: Battery, rounds: String) -> Domain<Hex> {
        Domain::one_of(plots(game, battery, &rounds))
    }

    pub fn score(
        game: &Reads,
        battery: Battery,
        rounds: String,
        at: Hex,
        size: i64,
        pattern: Option<Pattern>,
    ) -> i64 {
        let is_usual = pattern.is_none_or(|pattern| pattern == Pattern::B);
        worth(game, battery, &rounds, at) - size - i64::from(!is_usual)
    }

    pub fn perform(
        game: &Acts,
        battery: Battery,
        rounds: String,
        size: i64,
        pattern: Option<Pattern>,
        at: Hex,
    ) {
        record(
            game,
            battery,
            Plot {
                rounds,
                size,
                pattern: pattern.unwrap_or(Pattern::B),
                at,
                is_sudden: false,
            },
        );
    }
}

/// A hex, and what a mission at it is worth to a bot.
#[record]
pub struct Prize {
    pub at: Hex,
    pub worth: i64,
}

/// The sorts of rounds that a battery has, those first that are worth most to a bot, which does not look at all.
fn best_first(game: &Reads, battery: Battery) -> Vec<String> {
    let most = |rounds: &String| {
        let prizes = prizes(game, battery, rounds).into_iter();
        prizes.map(|prize| prize.worth).max()
    };
    let mut found = stock(battery);
    found.sort_by_cached_key(|rounds| std::cmp::Reverse(most(rounds)));
    found
}

/// The hexes at which a mission is worth something to a bot: shells on the enemy alone, most of all on troops; smoke
/// before the eyes of those who see its own side come.
#[rule]
pub fn prizes(game: &Reads, battery: Battery, rounds: &str) -> Vec<Prize> {
    match effect(game, rounds) {
        Effect::Burst => targets(game, battery),
        Effect::Smoke => smoke::screens(game, &battery.side()),
        Effect::Light | Effect::Special => Vec::new(),
    }
}

/// The hexes of the enemy on the ground in which nobody of the own side is.
fn targets(game: &Reads, battery: Battery) -> Vec<Prize> {
    let side = battery.side();
    let (own, enemies): (Vec<Unit>, Vec<Unit>) = units(game)
        .into_iter()
        .partition(|unit| unit.side() == side);
    let ground = enemies
        .into_iter()
        .filter(|unit| unit.class() != Class::Helicopter);
    let mut worths: BTreeMap<Hex, i64> = BTreeMap::new();
    for enemy in ground {
        let worth = if enemy.target() == Target::Point {
            4
        } else {
            9
        };
        let most = worths.entry(enemy.at()).or_insert(worth);
        *most = worth.max(*most);
    }
    for unit in own {
        worths.remove(&unit.at());
    }
    worths
        .into_iter()
        .map(|(at, worth)| Prize { at, worth })
        .collect()
}

/// What a mission at a hex is worth to a bot.
pub fn worth(game: &Reads, battery: Battery, rounds: &str, at: Hex) -> i64 {
    prizes(game, battery, rounds)
        .into_iter()
        .find(|prize| prize.at == at)
        .map_or(-1, |prize| prize.worth)
}

/// [is else nil] Whether a battery is one that fires immediate suppression at all. @open
#[rule]
pub fn suppresses(game: &Reads, battery: Battery) -> Verdict {
    if role(battery) != DIRECT && !are_mortars(battery) {
        refuse!("it does not support anybody directly");
    }
    if game.option(options::art::DELAYED) == Delayed::Waits && delay(game, battery) > 0 {
        refuse!("its fire is delayed");
    }
    Ok(())
}

/// [is else 0] The battery fires of this turn after which a battery fires no immediate suppression.
#[rule]
pub fn fires_before(_game: &Reads, battery: Battery) -> i64 {
    battery.fired_now()
}

/// [is else nil] Whether a battery may fire immediate suppression. @open
#[rule]
pub fn may_suppress(game: &Reads, battery: Battery) -> Verdict {
    suppresses(game, battery)?;
    if battery.has_suppressed() || fires_before(game, battery) > 0 {
        refuse!("it has fired in this turn");
    }
    if ready_tubes(game, battery) <= 0 {
        refuse!("it has no tube left for it");
    }
    may_call(game, battery)
}

/// [is else nil] Whether a battery may fire rounds of a sort as immediate suppression. @open
#[rule]
pub fn may_suppress_with(game: &Reads, battery: Battery, rounds: &str) -> Verdict {
    may_load(game, battery, rounds)
}

/// [is] Immediate suppression
#[action(at = seq::direct, actor = Battery)]
mod suppress {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery) -> Verdict {
        may_suppress(game, battery)
    }

    /// With which rounds? @reveals(they are fired at once)
    #[param(audience = "all")]
    pub fn rounds(game: &Reads, battery: Battery) -> Domain<String> {
        Domain::one_of(
            best_first(game, battery)
                .into_iter()
                .filter(|rounds| may_suppress_with(game, battery, rounds).is_ok()),
        )
    }

    /// At which hex? @reveals(it is fired at at once)
    #[param(audience = "all")]
    pub fn at(game: &Reads, battery: Battery, rounds: String) -> Domain<Hex> {
        Domain::one_of(plots(game, battery, &rounds))
    }

    /// What strays as far as this can is worth it only where it bursts.
    pub fn score(game: &Reads, battery: Battery, rounds: String, at: Hex) -> i64 {
        match effect(game, &rounds) {
            Effect::Burst => worth(game, battery, &rounds, at) - 4,
            _ => -1,
        }
    }

    pub fn perform(game: &Acts, battery: Battery, rounds: String, at: Hex) {
        battery.set_has_suppressed(game, true);
        suddenly(game, battery, rounds, at);
    }
}

/// A mission that is called and fired at once: one battery fire in the open pattern.
fn suddenly(game: &Acts, battery: Battery, rounds: String, at: Hex) {
    let mission = record(
        game,
        battery,
        Plot {
            rounds,
            size: 1,
            pattern: Pattern::C,
            at,
            is_sudden: true,
        },
    );
    fire::push(game, mission);
}

/// [mortars] Fire mortars from overwatch
#[reaction(at = Entered, actor = Battery)]
mod mortar_watch {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery, entered: Entered) -> Verdict {
        if !entered.mover.exists(game) {
            refuse!("it is out of play");
        }
        if !are_mortars(battery) {
            refuse!("those are no mortars");
        }
        from_the_ground(game, entered.mover)?;
        // What they have fired in the Suppressive Fire Phase is no overwatch.
        if battery.has_watched() || left(battery, "he") == 0 || battery.tubes() == 0 {
            refuse!("they have fired all that they can");
        }
        if observers(game, battery, entered).is_empty() {
            refuse!("nobody who watches sees it");
        }
        Ok(())
    }

    /// Through which observer?
    #[param]
    pub fn observer(game: &Reads, battery: Battery, entered: Entered) -> Domain<Unit> {
        Domain::one_of(observers(game, battery, entered))
    }

    pub fn score(game: &Reads, battery: Battery, entered: Entered) -> i64 {
        worth(game, battery, "he", entered.mover.at()) - 5
    }

    pub fn perform(game: &Acts, battery: Battery, entered: Entered, observer: Unit) {
        if ow::ask(game, observer, entered.mover) {
            battery.set_has_watched(game, true);
            suddenly(game, battery, "he".into(), entered.mover.at());
        }
    }

    fn observers(game: &Reads, battery: Battery, entered: Entered) -> Vec<Unit> {
        let mover = entered.mover;
        let own = units(game)
            .into_iter()
            .filter(|unit| landing::serves(game, battery, *unit) && unit.side() != mover.side());
        // It is seen, and so is the hex in which the rounds are to fall.
        let sees =
            |unit: &Unit| los::sees(game, *unit, mover) && landing::sees(game, *unit, mover.at());
        own.filter(|unit| ow::may(game, *unit, mover).is_ok() && sees(unit))
            .collect()
    }
}
