//! Hedgerows along hexsides, and soft ground.

use houserule_guest::prelude::*;

use crate::bindings::tcsbase::events::TerrainBogged;
use crate::bindings::tcsbase::kinds::{Border, Unit};
use crate::bindings::words::{Class, Terrain, What};
use crate::fire::{self, Table};
use crate::los::passed;
use crate::map::terrain_of;
use crate::movement::arrive;
use crate::unit::{is_vehicle, lose};
use crate::{area, die};

chapter!(tcsbase.terrain);

/// [hedgerow else false] Whether there are hedgerows anywhere.
#[rule]
pub fn has_hedgerows(game: &Reads) -> bool {
    !Border::all_with(game, Border::WHAT, What::Hedgerow).is_empty()
}

/// [hedgerow else {}] The hedgerows that a line crosses, each by the hexes before and behind it.
#[rule]
pub fn crossed(game: &Reads, a: Hex, b: Hex) -> Vec<Crossing> {
    let hedges = Border::all_with(game, Border::WHAT, What::Hedgerow);
    let is_hedge = |a: Hex, b: Hex| {
        hedges
            .iter()
            .any(|one| [(one.at(), one.to()), (one.to(), one.at())].contains(&(a, b)))
    };
    let steps = passed(game, a, b);
    let crossing = |pair: &[(Hex, Option<Hex>)]| {
        // Where the line runs along a hexside it has two ways, and both must be closed.
        let ways =
            |step: (Hex, Option<Hex>)| std::iter::once(step.0).chain(step.1).collect::<Vec<Hex>>();
        let (from, to) = (ways(pair[0]), ways(pair[1]));
        let pairs = from
            .iter()
            .flat_map(|a| to.iter().map(move |b| (*a, *b)))
            .filter(|(a, b)| a.distance(*b) == 1);
        let mut pairs = pairs.peekable();
        let first = pairs.peek().copied()?;
        pairs.all(|(a, b)| is_hedge(a, b)).then_some(Crossing {
            before: first.0,
            behind: first.1,
        })
    };
    steps.windows(2).filter_map(crossing).collect()
}

/// The hedgerows between two hexes: where there are none, it does not matter which hexes those are.
fn hedgerows(game: &Reads, a: Hex, b: Hex) -> Vec<Crossing> {
    if has_hedgerows(game) {
        crossed(game, a, b)
    } else {
        Vec::new()
    }
}

/// Where a line crosses a hedgerow.
#[record]
pub struct Crossing {
    pub before: Hex,
    pub behind: Hex,
}

/// [hedgerow else nil] Whether direct fire of a unit at another goes through all hedgerows between them: it does beside
/// the firer or the target. @open
#[rule]
pub fn hedgerow(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    let (a, b) = (firer.at(), target.at());
    if hedgerows(game, a, b)
        .into_iter()
        .any(|hedge| hedge.before != a && hedge.behind != b)
    {
        refuse!("a hedgerow is in the way");
    }
    Ok(())
}

/// [hedgerow else nil] Whether no hedgerow is in the way of direct fire.
#[rule]
pub fn past_hedgerows(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    gets_past(game, firer, target)
}

/// The same: where there are none, nobody's place matters, and nobody need be asked.
fn gets_past(game: &Reads, firer: Unit, target: Unit) -> Verdict {
    if has_hedgerows(game) {
        hedgerow(game, firer, target)?;
    }
    Ok(())
}

/// [hedgerow] Guns and area fire are stopped by them.
#[wrap(fire::may, area::may)]
fn beside_it(base: fire::may::Base, game: &Reads, firer: Unit, target: Unit) -> Verdict {
    gets_past(game, firer, target)?;
    base(game, firer, target)
}

/// [hedgerow] One that is crossed into the target's hex makes one less.
#[wrap(fire::modifier)]
fn harder(
    base: fire::modifier::Base,
    game: &Reads,
    firer: Unit,
    target: Unit,
    table: Table,
) -> i64 {
    let at = target.at();
    let flies = target.class() == Class::Helicopter;
    let behind = !flies
        && hedgerows(game, firer.at(), at)
            .into_iter()
            .any(|hedge| hedge.behind == at);
    base(game, firer, target, table) - i64::from(behind)
}

/// [slowgo] A vehicle that enters soft ground is lost on a 1; those aboard get off.
#[wrap(arrive)]
fn bogs_down(base: arrive::Base, game: &Acts, unit: Unit, from: Hex) {
    base(game, unit, from);
    let drives = unit.exists(game) && is_vehicle(game, unit) && unit.class() != Class::Helicopter;
    if drives && terrain_of(game, unit.at()) == Terrain::SlowGo {
        bog::push(game, unit);
    }
}

/// [slowgo] The die.
#[step]
fn bog(game: &Acts, unit: Unit) {
    if !unit.exists(game) {
        return;
    }
    let die = die(game, &format!("{unit} in soft ground"));
    TerrainBogged {
        unit,
        die,
        result: if die == 1 { "lost" } else { "it gets through" },
    }
    .tell(game);
    if die == 1 {
        lose(game, unit, "soft ground", None);
    }
}
