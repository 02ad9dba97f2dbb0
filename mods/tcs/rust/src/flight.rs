//! How helicopters fly.

use houserule_guest::prelude::*;

use crate::aa::{aa, aa_by, able};
use crate::arithmetic::checks;
use crate::bindings::tcs::events::HeloChanged;
use crate::bindings::tcs::tables::HeloCosts;
use crate::bindings::tcsbase::kinds::Unit;
use crate::bindings::tcsbase::stack::{self, grounds};
use crate::bindings::tcsbase::{cmd, mode, ow, seq};
use crate::bindings::words::{CostsWhat, Height, State};
use crate::station::is_due;
use crate::{at_edge, clock, enemies, hexes, is_helicopter, on_map};

chapter!(tcs.helo);

/// [mp, tbl.helo_mp] Movement points: of a hex at a height, or of a change of height.
#[rule]
pub fn cost(game: &Reads, what: CostsWhat) -> i64 {
    HeloCosts::get(game, what).cost
}

/// What a hex costs at a height.
pub fn cost_at(game: &Reads, height: Height) -> i64 {
    cost(
        game,
        if height == Height::Low {
            CostsWhat::Low
        } else {
            CostsWhat::Noe
        },
    )
}

/// [move_and_fire] It flies instead of moving.
#[wrap(mode::moves)]
fn on_the_ground(base: mode::moves::Base, game: &Reads, unit: Unit) -> Verdict {
    if is_helicopter(unit) {
        refuse!("it flies");
    }
    base(game, unit)
}

/// [low] In the air it takes up no room, but for a moment's pop-up: its place is kept.
#[wrap(stack::takes_room)]
fn high_above(base: stack::takes_room::Base, game: &Reads, unit: Unit) -> bool {
    let is_low = is_helicopter(unit) && unit.height() == Height::Low && !unit.is_up();
    !is_low && base(game, unit)
}

/// Those of some hexes in which a helicopter finds room at a height: in the nap of the earth it is on the ground, where no
/// enemy is.
pub fn room_at(game: &Reads, unit: Unit, height: Height, hexes: Vec<Hex>) -> Vec<Hex> {
    match height {
        Height::Low => hexes,
        Height::Noe => grounds(game, unit, &hexes),
    }
}

/// Whether a helicopter can do something of its own.
pub fn is_free(unit: Unit) -> Verdict {
    if !is_helicopter(unit) {
        refuse!("it is no helicopter");
    }
    if unit.state() != State::Ready {
        refuse!("it is kept down");
    }
    if unit.carrier().is_some() {
        refuse!("it is carried");
    }
    if unit.is_off_map() {
        refuse!("it is off the map");
    }
    Ok(())
}

/// [mp, change, move_and_fire] Fly
#[action(at = seq::action, actor = Unit)]
mod fly {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        is_free(unit)?;
        if unit.spent() >= unit.allowance() {
            refuse!("it has no points left");
        }
        may_fly(game, unit, Height::Low)
            .or_else(|why| may_fly(game, unit, Height::Noe).map_err(|_| why))
    }

    /// At which height?
    #[param]
    pub fn height(game: &Reads, unit: Unit) -> Domain<Height> {
        let mut heights = vec![Height::Noe, Height::Low];
        heights.retain(|height| may_fly(game, unit, *height).is_ok());
        Domain::labelled(heights.into_iter().map(|height| (height, in_words(height))))
    }

    /// Where to?
    #[param]
    pub fn to(game: &Reads, unit: Unit, height: Height) -> Domain<Hex> {
        let goals = cmd::goals(game, unit, &reach(game, unit, height));
        let mut found = room_at(game, unit, height, goals);
        if is_due(game, unit) {
            // Those first from which it leaves the map.
            let at = unit.at();
            found.sort_by_cached_key(|to| (!at_edge(game, *to), to.distance(at)));
        }
        Domain::one_of(found)
    }

    /// A bot flies to the edge where it must be off the map, and fights from where it is until then.
    pub fn score(game: &Reads, unit: Unit, height: Height, to: Hex) -> i64 {
        let is_on_way = is_due(game, unit) && !at_edge(game, unit.at()) && at_edge(game, to);
        match is_on_way {
            true => 100 - i64::from(to.distance(unit.at())) + i64::from(height == Height::Noe),
            false => -1,
        }
    }

    pub fn perform(game: &Acts, unit: Unit, height: Height, to: Hex) {
        fly_to(game, unit, height, to);
    }
}

/// [change] Change height
#[action(at = seq::action, actor = Unit)]
mod change_height {
    use super::*;

    pub fn allowed(game: &Reads, unit: Unit) -> Verdict {
        is_free(unit)?;
        if unit.spent() + cost(game, CostsWhat::Change) > unit.allowance() {
            refuse!("it has not points enough");
        }
        if room_at(game, unit, other(unit), vec![unit.at()]).is_empty() {
            refuse!("there is no room in the hex");
        }
        // Going down is no flight in the nap of the earth.
        may_fly(game, unit, Height::Low)
    }

    pub fn score(_game: &Reads, _unit: Unit) -> i64 {
        -1
    }

    pub fn perform(game: &Acts, unit: Unit) {
        change_to(game, unit, other(unit));
    }

    fn other(unit: Unit) -> Height {
        if unit.height() == Height::Low {
            Height::Noe
        } else {
            Height::Low
        }
    }
}

/// A height as people say it.
fn in_words(height: Height) -> &'static str {
    match height {
        Height::Low => "low",
        Height::Noe => "in the nap of the earth",
    }
}

/// A helicopter changes its height, if it must.
fn change_to(game: &Writes, unit: Unit, height: Height) {
    if unit.height() != height {
        unit.set_height(game, height);
        HeloChanged {
            helicopter: unit,
            height: in_words(height),
        }
        .tell(game);
        pay::push(game, unit, cost(game, CostsWhat::Change), false);
    }
}

/// A helicopter changes its height, if it must, and flies straight to a hex.
pub fn fly_to(game: &Writes, unit: Unit, height: Height, to: Hex) {
    let way = straight(game, unit.at(), to);
    change_to(game, unit, height);
    leg::push(game, unit, &way);
}

/// The hexes on the line to another.
pub fn straight(game: &Reads, from: Hex, to: Hex) -> Vec<Hex> {
    // Along the edge of the map the line has two ways, one of them beyond it.
    let ways = from.line(to).into_iter().skip(1);
    ways.map(|(hex, beside)| beside.filter(|_| !on_map(game, hex)).unwrap_or(hex))
        .collect()
}

/// Those of some hexes to which a helicopter flies past nobody whom its orders let it go no nearer to.
fn past_nobody(game: &Reads, unit: Unit, mut hexes: Vec<Hex>) -> Vec<Hex> {
    let (at, shunned) = (unit.at(), cmd::shunned(game, unit));
    if shunned.is_empty() {
        return hexes;
    }
    hexes.retain(|to| {
        let mut last = at;
        straight(game, at, *to).into_iter().all(|next| {
            let from = std::mem::replace(&mut last, next);
            shunned
                .iter()
                .all(|enemy| enemy.distance(next) >= enemy.distance(from))
        })
    });
    hexes
}

/// The hexes of the map that a helicopter can still fly to.
pub fn reach(game: &Reads, unit: Unit, height: Height) -> Vec<Hex> {
    let change = if unit.height() == height {
        0
    } else {
        cost(game, CostsWhat::Change)
    };
    let left = unit.allowance() - unit.spent() - change;
    let most = left / cost_at(game, height).max(1);
    let at = unit.at();
    let near = hexes(game)
        .into_iter()
        .filter(|hex| *hex != at && i64::from(hex.distance(at)) <= most);
    past_nobody(game, unit, near.collect())
}

/// [mp] Whether a helicopter may fly at a height, over the map or back to it. @open
/// cites: helo.observe
#[rule]
pub fn may_fly(game: &Reads, unit: Unit, _height: Height) -> Verdict {
    still_moves(game, unit)
}

/// Whether the assaults of the side of a unit, which end its moves, have not begun.
pub fn still_moves(game: &Reads, unit: Unit) -> Verdict {
    if clock(game).assaulting() == unit.side() {
        refuse!("the assaults of its side have begun");
    }
    Ok(())
}

/// [mp] A helicopter flies into the next hex of its way.
#[step]
fn leg(game: &Acts, helicopter: Unit, way: &[Hex]) {
    let Some((next, rest)) = way.split_first() else {
        return;
    };
    if !helicopter.exists(game) || helicopter.state() != State::Ready {
        return;
    }
    enter(game, helicopter, *next);
    leg::push(game, helicopter, rest);
}

/// A helicopter enters a hex at its height, pays for it, and may be fired at there.
pub fn enter(game: &Writes, helicopter: Unit, at: Hex) {
    ow::enter(game, helicopter, at);
    pay::push(game, helicopter, cost_at(game, helicopter.height()), true);
    ow::Entered { mover: helicopter }.open(game);
}

/// [aa10] It pays; at every tenth point all who can fire at it.
#[step]
pub fn pay(game: &Acts, helicopter: Unit, cost: i64, entered: bool) {
    if !helicopter.exists(game) {
        return;
    }
    let before = helicopter.spent();
    helicopter.set_spent(game, before + cost);
    let halts = checks(before, before + cost);
    for _ in 0..halts {
        aa::push(game, helicopter);
    }
    if entered && halts == 0 {
        overflown(game, helicopter);
    }
}

/// [mp] What those do over whom a helicopter flies. @never_draws
#[rule]
pub fn overflown(_game: &Writes, _helicopter: Unit) {}

/// [helo.aa.overfly, overfly] Those right below may fire at once.
#[wrap(overflown)]
fn from_below(_base: overflown::Base, game: &Writes, helicopter: Unit) {
    // Those whom it overruns fire in their segment.
    if helicopter.strafes() == Some(helicopter.at()) {
        return;
    }
    let able = able(game, helicopter);
    let under = enemies(game, helicopter)
        .into_iter()
        .filter(|enemy| enemy.at() == helicopter.at());
    let under: Vec<Unit> = under.filter(|enemy| able.contains(enemy)).collect();
    if !under.is_empty() {
        aa_by::push(game, &under, helicopter);
    }
}

/// [aa10] A new turn, new points.
#[wrap(seq::refresh)]
fn refreshed(base: seq::refresh::Base, game: &Writes, unit: Unit) {
    base(game, unit);
    unit.set_spent(game, 0);
}
