//! Dedicated missions.

use houserule_guest::prelude::*;

use crate::bindings::tcs::options;
use crate::bindings::tcsbase::art::{self, Plot};
use crate::bindings::tcsbase::kinds::{Battery, Mission, Sheet, Unit};
use crate::bindings::tcsbase::{cmd, seq};
use crate::bindings::words::{Pattern, Role};
use crate::hexes;

chapter!(tcs.dedicated);

/// [def] Whether a battery may hold a dedicated target. @open
/// cites: no_adjust
#[rule]
pub fn may(_game: &Reads, battery: Battery) -> Verdict {
    match battery.role() {
        Role::Ds => Ok(()),
        _ => refuse!("it does not support anybody directly"),
    }
}

/// [who] Not with a delay, nor where it cannot suppress.
#[wrap(may)]
fn at_once(base: may::Base, game: &Reads, battery: Battery) -> Verdict {
    if art::delay(game, battery) > 0 {
        refuse!("its fire is delayed");
    }
    if art::suppresses(game, battery).is_err() {
        refuse!("it cannot fire immediate suppression");
    }
    base(game, battery)
}

/// [def] Whether it may be given one now. @open
#[rule]
pub fn may_assign(game: &Reads, battery: Battery) -> Verdict {
    may(game, battery)
}

/// [assign] As an op sheet is prepared, once.
#[wrap(may_assign)]
fn with_a_sheet(base: may_assign::Base, game: &Reads, battery: Battery) -> Verdict {
    base(game, battery)?;
    if prepared(game, battery).is_empty() {
        refuse!("no op sheet of its force is prepared");
    }
    if battery
        .dedicated_sheet()
        .is_some_and(|sheet| sheet.exists(game))
    {
        refuse!("its target is recorded");
    }
    Ok(())
}

/// [def] Gives a battery its target. @never_draws
#[rule]
pub fn set(game: &Writes, battery: Battery, at: Hex, _sheet: Option<Sheet>) {
    battery.set_dedicated(game, Some(at));
}

/// Whether a sheet is for the force that a battery supports; a battery without one supports all of its side.
fn is_for(game: &Reads, battery: Battery, sheet: Sheet) -> bool {
    let force = battery.force();
    let serves = |unit: &Unit| unit.force() == force;
    sheet.side() == battery.side()
        && (force.is_empty() || cmd::members(game, sheet).iter().any(serves))
}

/// [assign else {}] The sheets that are prepared for the force that a battery supports: with one of them comes its target.
#[rule]
pub fn prepared(game: &Reads, battery: Battery) -> Vec<Sheet> {
    Sheet::all(game)
        .into_iter()
        .filter(|sheet| !sheet.is_in_force() && is_for(game, battery, *sheet))
        .collect()
}

/// [assign] It comes with the sheet, and goes with it if that is cancelled.
#[wrap(set)]
fn later(_base: set::Base, game: &Writes, battery: Battery, at: Hex, sheet: Option<Sheet>) {
    battery.set_next_dedicated(game, Some(at));
    battery.set_dedicated_sheet(game, sheet);
}

/// [assign] The sheet is in force, and so are its targets.
#[wrap(cmd::bring_into_force)]
fn with_it(base: cmd::bring_into_force::Base, game: &Writes, sheet: Sheet) {
    let supported = Battery::all(game)
        .into_iter()
        .filter(|battery| battery.dedicated_sheet() == Some(sheet));
    let supported: Vec<Battery> = supported.collect();
    base(game, sheet);
    for battery in supported {
        battery.set_dedicated(game, battery.next_dedicated());
        battery.set_next_dedicated(game, None);
        battery.set_dedicated_sheet(game, None);
    }
}

/// [def] Record a dedicated target
#[action(at = seq::command, actor = Battery, audience = "owner")]
mod record {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery) -> Verdict {
        may_assign(game, battery)
    }

    /// Which hex?
    #[param(audience = "owner")]
    pub fn at(game: &Reads, _battery: Battery) -> Domain<Hex> {
        Domain::one_of(hexes(game))
    }

    pub fn score(_game: &Reads, _battery: Battery) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, battery: Battery, at: Hex) {
        let sheet = match prepared(game, battery).as_slice() {
            [] => None,
            [only] => Some(*only),
            several => {
                let question = Question::new("tcs.dedicated.sheet", "With which op sheet?");
                let domain = Domain::one_of(several.iter().copied());
                Some(game.ask(&battery.side(), question.about(*battery).secret(), domain))
            }
        };
        set(game, battery, at, sheet);
    }
}

/// [dedicated.fire] Fire a dedicated mission
#[action(at = seq::direct, actor = Battery)]
mod r#fire {
    use super::*;

    pub fn allowed(game: &Reads, battery: Battery) -> Verdict {
        may(game, battery)?;
        if battery.dedicated().is_none() {
            refuse!("it has no dedicated target");
        }
        if battery.has_dedicated() {
            refuse!("it has fired at it in this turn");
        }
        if rounds_of(game, battery).is_empty() || art::ready_tubes(game, battery) <= 0 {
            refuse!("it has nothing to fire");
        }
        Ok(())
    }

    /// With which rounds? @reveals(they are fired at once)
    #[param(audience = "all")]
    pub fn rounds(game: &Reads, battery: Battery) -> Domain<String> {
        Domain::one_of(rounds_of(game, battery))
    }

    /// How many battery fires? @reveals(they are fired at once)
    #[param(audience = "all")]
    pub fn size(game: &Reads, battery: Battery, rounds: String) -> Domain<i64> {
        let left = battery.stock().get(&rounds).copied().unwrap_or(0);
        Domain::between(1, left.min(game.option(options::dedicated::SIZE)))
    }

    /// In which pattern? @reveals(they are fired at once)
    #[param(audience = "all")]
    pub fn pattern(_game: &Reads, _battery: Battery) -> Domain<Pattern> {
        Domain::one_of([Pattern::A, Pattern::B, Pattern::C])
    }

    pub fn score(_game: &Reads, _battery: Battery) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, battery: Battery, rounds: String, size: i64, pattern: Pattern) {
        let Some(at) = battery.dedicated() else {
            return;
        };
        battery.set_has_dedicated(game, true);
        let mission = art::record(
            game,
            battery,
            &Plot {
                rounds,
                size,
                pattern,
                at,
                is_sudden: true,
            },
        );
        mission.set_tubes(game, art::ready_tubes(game, battery));
        mission.set_is_dedicated(game, true);
        art::fire::push(game, mission);
    }

    /// Those that can be fired at once.
    fn rounds_of(game: &Reads, battery: Battery) -> Vec<String> {
        let left = battery.stock().into_iter().filter(|(_, left)| *left > 0);
        left.map(|(rounds, _)| rounds)
            .filter(|rounds| art::may_suppress_with(game, battery, rounds).is_ok())
            .collect()
    }
}

/// [dedicated.fire] It falls on its hex, and nowhere else.
#[wrap(art::exact)]
fn nowhere_else(base: art::exact::Base, game: &Reads, mission: Mission) -> bool {
    mission.is_dedicated() || base(game, mission)
}

/// [dedicated.fire] Its battery fires are counted,
#[wrap(art::finish)]
fn counted(base: art::finish::Base, game: &Acts, mission: Mission) {
    if let Some(battery) = mission.battery().filter(|_| mission.is_dedicated()) {
        let fires = mission.size() + mission.chem();
        battery.set_dedicated_now(game, battery.dedicated_now() + fires);
    }
    base(game, mission);
}

/// [who] for they hinder no other mission.
#[wrap(art::fires_before)]
fn hinders_nothing(base: art::fires_before::Base, game: &Reads, battery: Battery) -> i64 {
    base(game, battery) - battery.dedicated_now()
}

/// [dedicated.fire] Once in a turn.
#[wrap(art::refresh)]
fn refreshed(base: art::refresh::Base, game: &Writes, battery: Battery) {
    base(game, battery);
    battery.set_has_dedicated(game, false);
    battery.set_dedicated_now(game, 0);
}
