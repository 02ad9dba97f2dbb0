//! Rocket launchers.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::art;
use crate::bindings::tcsbase::kinds::{Battery, Mission};
use crate::bindings::words::{Pattern, System};

chapter!(tcs.mlrs);

/// Rounds of a volley.
const VOLLEY: i64 = 12;

fn are_launchers(battery: Battery) -> bool {
    battery.system() == System::Launcher
}

/// [volley] A launcher fires twelve rounds, and that is a battery fire.
#[wrap(art::count)]
fn volleys(base: art::count::Base, game: &Reads, mission: Mission) -> i64 {
    match mission.battery().is_some_and(are_launchers) {
        true => VOLLEY * mission.size(),
        false => base(game, mission),
    }
}

/// [volley] So many launchers as are left fire a volley each as the mission is due; with none left nothing is fired.
#[wrap(art::fire)]
fn as_many_as_are_left(base: art::fire::Base, game: &Acts, mission: Mission) {
    let launchers = mission.battery().filter(|battery| are_launchers(*battery));
    let ready = launchers.map_or(0, |battery| art::ready_tubes(game, battery));
    if ready > 0 && mission.due() == 0 {
        mission.set_size(game, mission.size().min(ready));
    }
    base(game, mission);
}

/// [volley] Whoever has fired in this turn fires no volley of another mission; those that were lost in it had fired.
#[wrap(art::ready_tubes)]
fn unfired(base: art::ready_tubes::Base, game: &Reads, battery: Battery) -> i64 {
    let under = base(game, battery);
    if are_launchers(battery) {
        under - (battery.fired_now() - battery.lost_now()).max(0)
    } else {
        under
    }
}

/// [volley] Each launcher is counted.
#[wrap(art::tubes)]
fn one_by_one(
    base: art::tubes::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
    size: i64,
) -> i64 {
    if are_launchers(battery) {
        size
    } else {
        base(game, battery, rounds, size)
    }
}

/// [volley] Once in a turn each; a mission is the volley of one.
#[wrap(art::most)]
fn alone(base: art::most::Base, game: &Reads, battery: Battery, rounds: &str) -> i64 {
    if are_launchers(battery) {
        together(game, battery, rounds)
    } else {
        base(game, battery, rounds)
    }
}

/// [volley] How many launchers of a battery fire together at most.
/// cites: replaces, battery
#[rule]
pub fn together(game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let left = art::uncalled(game, battery, rounds);
    left.min(art::free_tubes(game, battery)).min(1)
}

/// [combine] As many as are free.
#[wrap(together)]
fn all_together(_base: together::Base, game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let left = art::uncalled(game, battery, rounds);
    left.min(art::free_tubes(game, battery))
}

/// [dpicm_only] They fire nothing else.
#[wrap(art::may_load)]
fn dpicm_only(base: art::may_load::Base, game: &Reads, battery: Battery, rounds: &str) -> Verdict {
    if are_launchers(battery) && rounds != "dpicm" {
        refuse!("launchers fire DPICM alone");
    }
    base(game, battery, rounds)
}

/// [placement] They need no designator,
#[wrap(art::exact)]
fn as_plotted(base: art::exact::Base, game: &Reads, mission: Mission) -> bool {
    mission.battery().is_some_and(are_launchers) || base(game, mission)
}

/// [placement] and have no open pattern.
#[wrap(art::patterns)]
fn two_patterns(
    base: art::patterns::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
) -> Vec<Pattern> {
    let mut found = base(game, battery, rounds);
    found.retain(|pattern| !are_launchers(battery) || *pattern != Pattern::C);
    found
}

/// [no_is] They never fire at once.
#[wrap(art::suppresses)]
fn never_at_once(base: art::suppresses::Base, game: &Reads, battery: Battery) -> Verdict {
    if are_launchers(battery) {
        refuse!("launchers are called for beforehand");
    }
    base(game, battery)
}
