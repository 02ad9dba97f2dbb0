//! Counterbattery, in chains.

use houserule_guest::prelude::*;

use crate::arithmetic::tubes_lost;
use crate::bindings::tcs::events::{CbHit, CbSearched};
use crate::bindings::tcs::options;
use crate::bindings::tcs::tables::{CbDivisors, CbNumbers};
use crate::bindings::tcsbase::art::{Complete, load, spend};
use crate::bindings::tcsbase::r#gen::time;
use crate::bindings::tcsbase::kinds::{Battery, Mission};
use crate::bindings::tcsbase::{art, seq};
use crate::bindings::words::{Attempts, Lenders, Role, System};

chapter!(tcs.cb);

/// More points than these no battery holds.
const MOST: i64 = 999;

/// Why a battery in the counterbattery role fires no mission.
const IN_ROLE: &str = "it fires at batteries only";

/// [role] A battery in this role fires at batteries, and at nothing else.
#[wrap(art::roles)]
fn one_more(base: art::roles::Base, game: &Reads, battery: Battery) -> Vec<String> {
    let mut roles = base(game, battery);
    roles.push(Role::Cb.to_string());
    roles
}

/// [role, unplanned] Nobody calls for its fire.
#[wrap(art::may_call)]
fn not_called(base: art::may_call::Base, game: &Reads, battery: Battery) -> Verdict {
    if battery.role() == Role::Cb {
        refuse!("{IN_ROLE}");
    }
    base(game, battery)
}

/// [role, unplanned] Nor does it fire what was called for before it had this role.
#[wrap(art::fire)]
fn not_fired(base: art::fire::Base, game: &Acts, mission: Mission) {
    match mission
        .battery()
        .is_some_and(|battery| battery.role() == Role::Cb)
    {
        true => art::call_off(game, mission, IN_ROLE),
        false => base(game, mission),
    }
}

/// [role, unplanned] Its missions end as it is given the role, and its tubes are free.
#[wrap(art::refresh)]
fn called_off(base: art::refresh::Base, game: &Writes, battery: Battery) {
    base(game, battery);
    if battery.role() == Role::Cb {
        let called = Mission::all_with(game, Mission::BATTERY, Some(battery));
        called
            .into_iter()
            .for_each(|mission| art::call_off(game, mission, IN_ROLE));
    }
}

/// [role, ammo] Whether a battery may look for one that has fired. @open
#[rule]
pub fn may(game: &Reads, battery: Battery, target: Battery, number: i64) -> Verdict {
    if !target.exists(game) || target.tubes() == 0 {
        refuse!("it is out of play");
    }
    if battery.side() == target.side() {
        refuse!("that is a friend");
    }
    if battery.role() != Role::Cb {
        refuse!("that is not its role");
    }
    if battery.tubes() == 0 {
        refuse!("it has no tubes left");
    }
    if stock(game, battery).is_empty() {
        refuse!("it has no rounds left");
    }
    if battery.tried().contains(&number) && game.option(options::cb::ATTEMPTS) == Attempts::Once {
        refuse!("it has looked for that one");
    }
    Ok(())
}

/// [rate] Once in a turn.
#[wrap(may)]
fn once_a_turn(
    base: may::Base,
    game: &Reads,
    battery: Battery,
    target: Battery,
    number: i64,
) -> Verdict {
    if battery.has_countered() {
        refuse!("it has fired counterbattery in this turn");
    }
    base(game, battery, target, number)
}

/// [mortars] Mortars take no part.
#[wrap(may)]
fn no_mortars(
    base: may::Base,
    game: &Reads,
    battery: Battery,
    target: Battery,
    number: i64,
) -> Verdict {
    if [battery, target]
        .into_iter()
        .any(|battery| battery.system() == System::Mortar)
    {
        refuse!("mortars take no part");
    }
    base(game, battery, target, number)
}

/// [mortars] Nor are they given the role.
#[wrap(art::roles)]
fn not_for_mortars(base: art::roles::Base, game: &Reads, battery: Battery) -> Vec<String> {
    let mut roles = base(game, battery);
    roles.retain(|role| role != Role::Cb.word() || battery.system() != System::Mortar);
    roles
}

/// [rate] A new turn.
#[wrap(art::refresh)]
fn refreshed(base: art::refresh::Base, game: &Writes, battery: Battery) {
    base(game, battery);
    battery.set_has_countered(game, false);
    battery.set_tried(game, Vec::new());
}

/// [acquire, tbl.acquire] What a die must show, by how often the target has fired.
#[rule]
pub fn needed(game: &Reads, target: Battery) -> i64 {
    let fires = target.fired_now() + target.fired_last();
    let rows = CbNumbers::all(game);
    rows.iter()
        .rev()
        .find(|row| row.fires <= fires)
        .map_or(7, |row| row.needed)
}

/// [acquire] How many dice batteries roll together.
#[rule]
pub fn net(game: &Reads, batteries: &[Battery], target: Battery) -> i64 {
    let points = |list: &[Battery]| list.iter().map(|battery| battery.cb()).sum::<i64>();
    let lent = match game.option(options::cb::LENDERS) {
        Lenders::All => points(&idle(game, batteries, target)),
        Lenders::Able => 0,
    };
    points(batteries) + lent
}

/// [ew] Points of electronic warfare come off.
#[wrap(net)]
fn jammed(base: net::Base, game: &Reads, batteries: &[Battery], target: Battery) -> i64 {
    (base(game, batteries, target) - target.ew()).max(0)
}

/// The batteries of the side, in this role, that cannot fire themselves.
fn idle(game: &Reads, batteries: &[Battery], target: Battery) -> Vec<Battery> {
    let side = batteries[0].side();
    let own = Battery::all_with(game, Battery::ROLE, Role::Cb).into_iter();
    own.filter(|other| other.side() == side)
        .filter(|other| !batteries.contains(other) && may(game, *other, target, -1).is_err())
        .collect()
}

/// [trigger, many] Counterbattery
#[reaction(at = Complete, actor = Battery, told)]
mod answer {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery, complete: Complete) -> Verdict {
        may(game, battery, complete.battery, complete.number)?;
        let mut all = others(game, battery, &complete);
        all.insert(0, battery);
        if net(game, &all, complete.battery) == 0 {
            refuse!("they have no die against its electronic warfare");
        }
        Ok(())
    }

    /// Those who may look for it together with a battery.
    fn others(game: &Reads, battery: Battery, complete: &Complete) -> Vec<Battery> {
        let able = |other: &Battery| {
            *other != battery
                && other.side() == battery.side()
                && may(game, *other, complete.battery, complete.number).is_ok()
        };
        Battery::all(game).into_iter().filter(able).collect()
    }

    /// With which others? @reveals(who looks for a battery is told to all)
    #[param(audience = "all")]
    pub fn with(
        game: &Reads,
        battery: Battery,
        complete: Complete,
    ) -> Option<Domain<Vec<Battery>>> {
        Domain::some_of(others(game, battery, &complete))
    }

    pub fn score(game: &Reads, battery: Battery, complete: Complete, with: Vec<Battery>) -> i64 {
        let mut all = with;
        all.insert(0, battery);
        match net(game, &all, complete.battery) {
            0 => -1,
            _ => 9 + all.len() as i64,
        }
    }

    pub fn perform(game: &Acts, battery: Battery, complete: Complete, with: Vec<Battery>) {
        let mut all = vec![battery];
        all.extend(with);
        // Without a die there is no attempt.
        if net(game, &all, complete.battery) == 0 {
            return;
        }
        for one in &all {
            let mut tried = one.tried();
            tried.push(complete.number);
            one.set_tried(game, tried);
        }
        if search(game, &all, complete.battery) {
            // Whoever waits for its fire answers nobody meanwhile.
            all.iter().for_each(|one| one.set_has_countered(game, true));
            all.into_iter()
                .for_each(|one| fire::push(game, one, complete.battery));
        }
    }
}

/// Rolls all dice of an acquisition; whether one of them found the target.
fn search(game: &Writes, batteries: &[Battery], target: Battery) -> bool {
    let (net, needed) = (net(game, batteries, target), needed(game, target));
    let dice: Vec<Die> = (0..net).map(|_| Die::new(6)).collect();
    let faces = if dice.is_empty() {
        Vec::new()
    } else {
        game.roll_all(&dice, "acquisition")
    };
    let is_found = faces.iter().any(|face| *face >= needed);
    let result = if is_found { "found" } else { "not found" };
    CbSearched {
        by: batteries.to_vec(),
        battery: target,
        net,
        needed,
        dice: faces,
        result,
    }
    .tell(game);
    is_found
}

/// [resolve, ammo, commit] A battery fires at one that was found, if it has not lost its last tube meanwhile.
/// @reveals(what it fires is told to all)
#[step]
fn fire(game: &Acts, battery: Battery, target: Battery) {
    if !target.exists(game) || battery.tubes() == 0 {
        return;
    }
    let rounds = match stock(game, battery).as_slice() {
        [] => return,
        [only] => only.clone(),
        several => {
            let question = Question::new("tcs.cb.rounds", "Which rounds?").about(*battery);
            game.ask(
                &battery.side(),
                question,
                Domain::one_of(several.iter().cloned()),
            )
        }
    };
    battery.set_has_countered(game, true);
    let die = game.roll(&Die::new(6), "counterbattery");
    let divisor = CbDivisors::get(game, &rounds).divisor;
    let lost = tubes_lost(die, less(game, battery), divisor).min(most(game, target));
    let left = target.tubes() - lost;
    target.set_tubes(game, left);
    target.set_lost_now(game, target.lost_now() + lost);
    CbHit {
        battery,
        target,
        rounds: &rounds,
        load: &load(game, &rounds, 1),
        die,
        lost,
        losses: &in_words(target, lost),
        left,
    }
    .tell(game);
    silenced::push(game, target);
    spend::push(game, battery, &rounds, 1);
}

/// Tubes, or launchers, that a battery loses, in words.
fn in_words(target: Battery, lost: i64) -> String {
    let what = match target.system() {
        System::Launcher => "launcher",
        _ => "tube",
    };
    match lost {
        0 => "nothing".into(),
        1 => format!("1 {what}"),
        _ => format!("{lost} {what}s"),
    }
}

/// What a battery can answer with, the best first; chemicals by an option.
fn stock(game: &Reads, battery: Battery) -> Vec<String> {
    let has_chem = game.option(options::cb::CHEM);
    let sorts = ["dpicm", "icm", "he", "chem"]
        .into_iter()
        .filter(|rounds| *rounds != "chem" || has_chem);
    sorts
        .filter(|rounds| art::may_load(game, battery, rounds).is_ok())
        .map(String::from)
        .collect()
}

/// [resolve] What comes off the die of a battery before it is divided.
#[rule]
pub fn less(_game: &Reads, _battery: Battery) -> i64 {
    0
}

/// [twotubes] Two tubes or fewer do less.
#[wrap(less)]
fn few_tubes(base: less::Base, game: &Reads, battery: Battery) -> i64 {
    let is_few = battery.tubes() <= 2 && battery.system() != System::Launcher;
    base(game, battery) + if is_few { 2 } else { 0 }
}

/// [resolve] How many tubes a battery can lose.
#[rule]
pub fn most(_game: &Reads, target: Battery) -> i64 {
    target.tubes()
}

/// [mlrs.cb_loss] Of launchers only those that have fired, by all answers of a turn together.
#[wrap(most)]
fn launchers(base: most::Base, game: &Reads, target: Battery) -> i64 {
    let under = base(game, target);
    if target.system() == System::Launcher {
        under.min((target.fired_now() - target.lost_now()).max(0))
    } else {
        under
    }
}

/// [resolve] A new turn.
#[wrap(art::refresh)]
fn counted_anew(base: art::refresh::Base, game: &Writes, battery: Battery) {
    base(game, battery);
    battery.set_lost_now(game, 0);
}

/// [onmap else nil] A battery on the map without tubes leaves it; its points are never lost, and wait for another at
/// midnight.
#[step]
fn silenced(game: &Acts, target: Battery) {
    if target.tubes() == 0 && target.at().is_some() {
        target.set_at(game, None);
    }
}

/// What a battery has been given to find others, and not to be found.
#[words]
pub enum Points {
    Cb,
    Ew,
}

// Points go from battery to battery in the turn at midnight, and no other.
/// [points] Assign points to another battery
#[action(at = seq::command, actor = Battery)]
mod shift_points {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery) -> Verdict {
        if time(game) != 0 {
            refuse!("points change hands at midnight only");
        }
        if battery.cb() + battery.ew() == 0 {
            refuse!("it has no points");
        }
        Ok(())
    }

    /// Which points?
    #[param]
    pub fn which(_game: &Reads, battery: Battery) -> Domain<Points> {
        Domain::one_of(
            [Points::Cb, Points::Ew]
                .into_iter()
                .filter(|which| held(battery, *which) > 0),
        )
    }

    /// To which battery?
    #[param]
    pub fn to(game: &Reads, battery: Battery) -> Domain<Battery> {
        let own = Battery::all(game)
            .into_iter()
            .filter(|other| other.side() == battery.side());
        Domain::one_of(own.filter(|other| *other != battery))
    }

    /// How many?
    #[param]
    pub fn points(_game: &Reads, battery: Battery, which: Points, to: Battery) -> Domain<i64> {
        Domain::between(1, held(battery, which).min(MOST - held(to, which)))
    }

    pub fn score(_game: &Reads, _battery: Battery) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, battery: Battery, which: Points, to: Battery, points: i64) {
        give(game, battery, which, held(battery, which) - points);
        give(game, to, which, held(to, which) + points);
    }

    fn held(battery: Battery, which: Points) -> i64 {
        match which {
            Points::Cb => battery.cb(),
            Points::Ew => battery.ew(),
        }
    }

    fn give(game: &Writes, battery: Battery, which: Points, points: i64) {
        match which {
            Points::Cb => battery.set_cb(game, points),
            Points::Ew => battery.set_ew(game, points),
        }
    }
}
