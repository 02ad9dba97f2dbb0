//! Chemical attacks.

use houserule_guest::prelude::*;

use crate::bindings::tcs::events::{ChemCleared, ChemCrew, ChemFell};
use crate::bindings::tcs::options;
use crate::bindings::tcsbase::art::{self, Plot, Prize, Struck};
use crate::bindings::tcsbase::fire::area::{Blow, suffer, under as under_what};
use crate::bindings::tcsbase::kinds::{Battery, Ground, Mission, Unit};
use crate::bindings::tcsbase::tables::ArtKinds;
use crate::bindings::tcsbase::unit::{is_vehicle, lose};
use crate::bindings::tcsbase::{carry, morale, r#move as movement, seq};
use crate::bindings::words::{
    Agent, BothKinds, Effect, Height, InCover, Mopp, OtherColumn, Sky, Target,
};
use crate::mopp::row;
use crate::rounds::around_of;
use crate::{aboard, clock, is_helicopter, mopp, perish, two_dice, units};

chapter!(tcs.chem);

const ROUND: &str = "chem";

/// Chemicals alone, and with shells, as causes.
pub const ALONE: &str = "chem";
const MIXED: &str = "mixed";

/// Shells with chemicals, as a cause.
const AMONG: &str = "shells among chemicals";

/// More rounds than these in a hex do no more.
const MOST: i64 = 3;

/// Battery fires of one mission, all rounds together.
const FIRES: i64 = 3;

/// More markers than these lie in no hex.
const MARKERS: i64 = 999;

/// A crew is lost on this.
const KILLS: i64 = 10;

fn is_chemical(cause: &str) -> bool {
    [ALONE, MIXED].contains(&cause)
}

fn is_mixed(cause: &str) -> bool {
    [MIXED, AMONG].contains(&cause)
}

/// [plot] A chemical attack has been resolved.
#[window(others_first)]
pub struct Resolved {
    pub hexes: Vec<Hex>,
}

/// [plot] With the call the agent is plotted, and rounds that are mixed in.
#[wrap(art::record)]
fn plotted(base: art::record::Base, game: &Acts, battery: Battery, plot: &Plot) -> Mission {
    let mixed = mixed_in(game, battery, plot);
    if plot.rounds != ROUND && mixed == 0 {
        return base(game, battery, plot);
    }
    let agent = agent(game, battery);
    let mission = base(game, battery, plot);
    mission.set_agent(game, agent);
    mission.set_chem(game, mixed);
    mission
}

/// How many battery fires of chemical rounds are mixed into a mission of shells, which has three at most with them; one
/// that is fired at once has a single one.
fn mixed_in(game: &Acts, battery: Battery, plot: &Plot) -> i64 {
    let bursts = ArtKinds::find(game, &plot.rounds).is_some_and(|row| row.effect == Effect::Burst);
    let room = if plot.is_sudden { 0 } else { FIRES - plot.size };
    if !bursts || room <= 0 || art::may_load(game, battery, ROUND).is_err() {
        return 0;
    }
    let question = Question::new(
        "tcs.chem.mixed_in",
        "How many battery fires of chemical rounds besides?",
    );
    game.ask(
        &battery.side(),
        question.about(*battery).secret(),
        Domain::between(0, art::uncalled(game, battery, ROUND).min(room)),
    )
}

/// [plot] Those that are mixed in are called too.
#[wrap(art::uncalled)]
fn but_mixed(base: art::uncalled::Base, game: &Reads, battery: Battery, rounds: &str) -> i64 {
    let left = base(game, battery, rounds);
    if rounds != ROUND {
        return left;
    }
    let called = Mission::all_with(game, Mission::BATTERY, Some(battery)).into_iter();
    left - called.map(Mission::chem).sum::<i64>()
}

/// [plot] Which agent it is: one that is gone at once,
#[rule]
pub fn agent(_game: &Acts, _battery: Battery) -> Agent {
    Agent::Passing
}

/// [types] or, if its owner wants, one that stays.
#[wrap(agent)]
fn either(_base: agent::Base, game: &Acts, battery: Battery) -> Agent {
    let question = Question::new("tcs.chem.agent", "Which agent?").about(*battery);
    let agents = Domain::labelled([
        (Agent::Passing, "non-persistent: gone at once"),
        (Agent::Persistent, "persistent: stays where it falls"),
    ]);
    game.ask(&battery.side(), question.secret(), agents)
}

/// [plot] Chemical rounds that are mixed in fall by the same pattern.
/// @reveals(what falls is seen by all)
#[wrap(art::scatter)]
fn falls_too(base: art::scatter::Base, game: &Acts, mission: Mission, at: Hex) {
    base(game, mission, at);
    if mission.chem() > 0 {
        let struck = art::strikes(
            game,
            mission.pattern(),
            mission.chem() * mission.tubes(),
            at,
        );
        mission.set_gassed(game, struck.iter().map(|one| one.at).collect());
        let under = under(game, &struck);
        gas::push(game, mission, &struck, under);
    }
}

/// [plot] No more chemical rounds are mixed in than are left.
#[wrap(art::fire)]
fn as_many_as_are_left(base: art::fire::Base, game: &Acts, mission: Mission) {
    if let Some(battery) = mission.battery().filter(|_| mission.chem() > 0) {
        mission.set_chem(game, mission.chem().min(left(battery)));
    }
    base(game, mission);
}

/// How many battery fires of chemical rounds a battery has left.
fn left(battery: Battery) -> i64 {
    battery.stock().get(ROUND).copied().unwrap_or(0)
}

/// [plot] Rounds of a mission of chemicals alone do nothing else.
#[wrap(art::fell)]
fn bursts(base: art::fell::Base, game: &Acts, mission: Mission, struck: &[Struck]) {
    if mission.rounds() == ROUND {
        gas::push(game, mission, struck, under(game, struck));
        return;
    }
    if mission.chem() > 0 {
        let mut shelled: Vec<Hex> = struck.iter().map(|one| one.at).collect();
        shelled.extend(around_of(game, mission, struck));
        mission.set_shelled(game, shelled);
    }
    base(game, mission, struck);
}

/// [plot] To a bot they are worth what shells are.
#[wrap(art::prizes)]
fn like_shells(
    base: art::prizes::Base,
    game: &Reads,
    battery: Battery,
    rounds: &str,
) -> Vec<Prize> {
    base(game, battery, if rounds == ROUND { "he" } else { rounds })
}

/// [plot] Chemical rounds that were mixed in are used up, and are battery fires like the others.
#[wrap(art::finish)]
fn used_up(base: art::finish::Base, game: &Acts, mission: Mission) {
    if let Some(battery) = mission.battery().filter(|_| mission.chem() > 0) {
        let mut stock = battery.stock();
        stock.insert(ROUND.into(), (left(battery) - mission.chem()).max(0));
        battery.set_stock(game, stock);
        battery.set_fired_now(game, battery.fired_now() + mission.chem());
    }
    base(game, mission);
}

/// [mixed] Shells among chemicals are no ordinary shells.
#[wrap(art::cause)]
fn among_gas(base: art::cause::Base, game: &Reads, mission: Mission, at: Hex) -> String {
    if mission.gassed().contains(&at) {
        AMONG.into()
    } else {
        base(game, mission, at)
    }
}

/// [plot] What chemicals in a hex are, as a cause.
#[rule]
pub fn cause(_game: &Reads, _mission: Mission, _at: Hex) -> String {
    ALONE.into()
}

/// [mixed] With shells they are mixed.
#[wrap(cause)]
fn among_shells(base: cause::Base, game: &Reads, mission: Mission, at: Hex) -> String {
    if mission.shelled().contains(&at) {
        MIXED.into()
    } else {
        base(game, mission, at)
    }
}

/// A unit on which chemical rounds have come down, and how many of them.
#[record]
pub struct Gassed {
    pub unit: Unit,
    pub at: Hex,
    pub rounds: i64,
}

/// Whom chemical rounds attack that come down now.
fn under(game: &Reads, struck: &[Struck]) -> Vec<Gassed> {
    let of = |one: &Struck| {
        let (at, rounds) = (one.at, one.count);
        victims(game, at)
            .into_iter()
            .map(move |unit| Gassed { unit, at, rounds })
    };
    struck.iter().flat_map(of).collect()
}

/// [plot] Chemical rounds attack all who were in the hexes that they struck as they came down: shells that came with them
/// drive nobody out of the gas. What stays lies there before anybody runs.
/// cites: noregular, delivery, nbc.scope
/// @reveals(what falls is seen by all)
#[step]
pub fn gas(game: &Acts, mission: Mission, struck: &[Struck], under: Vec<Gassed>) {
    let Some(battery) = mission.battery() else {
        return;
    };
    ChemFell {
        battery,
        agent: in_words(mission.agent()),
        hexes: &art::in_words(game, struck),
    }
    .tell(game);
    for Struck { at, count } in struck {
        settle::push(game, mission.agent(), *at, *count);
    }
    let left = under.into_iter().filter(|one| one.unit.exists(game));
    for Gassed { unit, at, rounds } in left {
        attack::push(game, unit, rounds, &cause(game, mission, at));
    }
    resolved::push(game, &struck.iter().map(|one| one.at).collect::<Vec<Hex>>());
}

/// An agent as people call it.
fn in_words(agent: Agent) -> &'static str {
    match agent {
        Agent::Passing => "non-persistent",
        Agent::Persistent => "persistent",
    }
}

/// [plot] Whom chemicals in a hex attack.
#[rule]
pub fn victims(game: &Reads, at: Hex) -> Vec<Unit> {
    units(game)
        .into_iter()
        .filter(|unit| unit.at() == at && !is_helicopter(*unit))
        .collect()
}

/// [passengers else {}] Those aboard of a unit who are attacked for themselves: whoever is not enclosed.
#[rule]
pub fn open_to_it(game: &Reads, carrier: Unit) -> Vec<Unit> {
    aboard(game, carrier)
        .into_iter()
        .filter(|rider| rider.is_outside() || rider.is_towed() || !carrier.is_enclosed())
        .collect()
}

/// [passengers] Those aboard who are not enclosed too.
#[wrap(victims)]
fn riders_too(base: victims::Base, game: &Reads, at: Hex) -> Vec<Unit> {
    let mut found = base(game, at);
    let carriers: Vec<Unit> = found.clone();
    for carrier in carriers {
        found.extend(open_to_it(game, carrier));
    }
    found
}

/// [chem.helo] And helicopters in the nap of the earth; those that are low never.
#[wrap(victims)]
fn helicopters_too(base: victims::Base, game: &Reads, at: Hex) -> Vec<Unit> {
    let mut found = base(game, at);
    let is_near =
        |unit: &Unit| is_helicopter(*unit) && unit.height() == Height::Noe && unit.at() == at;
    found.extend(units(game).into_iter().filter(is_near));
    found
}

/// [plot] A unit is attacked, as a vehicle or as troops.
#[step]
pub fn attack(game: &Acts, unit: Unit, rounds: i64, cause: &str) {
    if !unit.exists(game) {
        return;
    }
    let all_both = game.option(options::chem::BOTH_KINDS) == BothKinds::Both;
    if is_vehicle(game, unit) || all_both && unit.target() == Target::Both {
        on_crew(game, unit);
    } else {
        on_troops(game, unit, rounds, cause);
    }
}

/// [area else nil] Dice, protection and rounds on the Area Fire Table; nothing else counts.
#[rule]
pub fn on_troops(game: &Writes, unit: Unit, rounds: i64, cause: &str) {
    let modifier = row(game, level(game, unit)).area + rounds.min(MOST);
    let dice = two_dice(game, &format!("chemicals on {unit}"));
    suffer::push(
        game,
        unit,
        dice,
        &Blow {
            power: 0,
            modifier,
            cause: cause.into(),
        },
    );
}

/// [point else nil] One roll for a vehicle, however many rounds there are.
#[rule]
pub fn on_crew(game: &Writes, unit: Unit) {
    unit.set_is_engaged(game, true);
    let modifier = row(game, level(game, unit)).point;
    let dice = two_dice(game, &format!("chemicals on {unit}"));
    let is_lost = dice + modifier >= KILLS;
    let result = if is_lost { "crew lost" } else { "no effect" };
    ChemCrew {
        unit,
        dice,
        modifier: &format!("{modifier:+}"),
        result,
    }
    .tell(game);
    if is_lost {
        lose(game, unit, ALONE, None);
    }
}

/// [point] With the crew all inside are lost.
#[wrap(lose)]
fn and_inside(base: lose::Base, game: &Writes, unit: Unit, cause: &str, power: Option<i64>) {
    if cause == ALONE {
        let inside = aboard(game, unit)
            .into_iter()
            .filter(|one| !one.is_outside() && !one.is_towed() && unit.is_enclosed());
        inside.for_each(|one| perish(game, one));
    }
    base(game, unit, cause, power);
}

/// [plot] Chemicals are a weapon like others, and so are shells among them.
#[wrap(carry::by_weapon)]
fn a_weapon_still(base: carry::by_weapon::Base, game: &Reads, cause: &str) -> bool {
    [ALONE, AMONG].contains(&cause) || base(game, cause)
}

/// [plot] Whoever is attacked by chemicals is in them.
#[wrap(under_what)]
fn in_gas(base: under_what::Base, game: &Reads, cause: &str) -> String {
    match cause {
        AMONG => base(game, "shells"),
        _ if is_chemical(cause) => "in chemicals".into(),
        _ => base(game, cause),
    }
}

/// [plot] The protection of a unit against chemicals.
#[rule]
pub fn level(game: &Reads, unit: Unit) -> Mopp {
    mopp::level(game, unit)
}

/// [nbcprot] A protected vehicle has one level more.
#[wrap(level)]
fn protected(base: level::Base, game: &Reads, unit: Unit) -> Mopp {
    let under = base(game, unit);
    match under {
        _ if !unit.has_nbc() || !is_vehicle(game, unit) => under,
        Mopp::Low => Mopp::Medium,
        Mopp::Medium | Mopp::High => Mopp::High,
    }
}

/// [chem.markers else nil] What stays is marked, round by round.
#[step]
pub fn settle(game: &Acts, agent: Agent, at: Hex, count: i64) {
    if agent == Agent::Persistent {
        let (column, row) = at.column_row();
        let name = format!("h{column:02}{row:02}");
        let ground =
            Ground::find(game, &name).unwrap_or_else(|| Ground::create(game, Some(&name), []));
        ground.set_chem(game, (ground.chem() + count).min(MARKERS));
    }
}

/// [plot else nil] All has been resolved.
#[step]
fn resolved(game: &Acts, hexes: &[Hex]) {
    Resolved {
        hexes: hexes.to_vec(),
    }
    .open(game);
}

/// [types] What stays attacks whoever comes, and those aboard who are not enclosed.
#[wrap(movement::arrive)]
fn enters(base: movement::arrive::Base, game: &Acts, unit: Unit, from: Hex) {
    base(game, unit, from);
    if unit.exists(game) && !is_helicopter(unit) {
        let with = open_to_it(game, unit);
        meets(game, unit, with);
    }
}

/// [types] So does whoever gets off in it who was safe aboard: enclosed, or in the air.
#[wrap(carry::get_off)]
fn gets_off(base: carry::get_off::Base, game: &Acts, carrier: Unit, unit: Unit) {
    let are_there = carrier.exists(game) && unit.exists(game);
    let was_safe =
        are_there && (is_helicopter(carrier) || !open_to_it(game, carrier).contains(&unit));
    base(game, carrier, unit);
    if was_safe && unit.exists(game) && unit.carrier().is_none() {
        meets(game, unit, Vec::new());
    }
}

/// [types] And whoever is thrown into it out of a carrier that is lost there, in which he was safe.
#[wrap(lose)]
fn thrown_into_it(base: lose::Base, game: &Writes, unit: Unit, cause: &str, power: Option<i64>) {
    let open = open_to_it(game, unit);
    let mut safe = aboard(game, unit);
    safe.retain(|one| !open.contains(one));
    base(game, unit, cause, power);
    for one in safe {
        if one.exists(game) && one.carrier().is_none() {
            meets(game, one, Vec::new());
        }
    }
}

/// A unit has come, with some who are aboard it, to where chemicals may have stayed.
fn meets(game: &Writes, unit: Unit, with: Vec<Unit>) {
    let (column, row) = unit.at().column_row();
    let markers = Ground::find(game, &format!("h{column:02}{row:02}")).map_or(0, Ground::chem);
    if markers > 0 {
        for one in std::iter::once(unit).chain(with) {
            attack::push(game, one, markers, ALONE);
        }
        resolved::push(game, &[unit.at()]);
    }
}

/// [chem.morale.company] Chemicals worsen company morale twice as much.
#[wrap(morale::worsen)]
fn twice(base: morale::worsen::Base, game: &Writes, unit: Unit, by: i64, cause: &str) {
    base(
        game,
        unit,
        if is_chemical(cause) { 2 * by } else { by },
        cause,
    );
}

/// [chem.morale.mod] Checks have their own column in addition to the rest, without artillery or cover.
#[wrap(morale::modifier)]
fn gassed(base: morale::modifier::Base, game: &Reads, unit: Unit, cause: &str) -> i64 {
    let row = row(game, mopp::level(game, unit));
    let always = game.option(options::chem::OTHER_COLUMN) == OtherColumn::Always;
    let more = match cause {
        ALONE if always => row.chem_check + row.other_check,
        ALONE => row.chem_check,
        _ => 0,
    };
    let cover = match cause {
        ALONE if game.option(options::chem::IN_COVER) == InCover::Ignored => {
            morale::cover(game, unit)
        }
        _ => 0,
    };
    base(game, unit, cause) + more - cover
}

/// [mixed] Among shells both columns count, and the artillery.
#[wrap(morale::modifier)]
fn gassed_and_shelled(base: morale::modifier::Base, game: &Reads, unit: Unit, cause: &str) -> i64 {
    let row = row(game, mopp::level(game, unit));
    if is_mixed(cause) {
        base(game, unit, "shells") + row.chem_check
    } else {
        base(game, unit, cause)
    }
}

/// [area] Whoever gives up finds nobody to give up to, and need not.
#[wrap(morale::gives_up)]
fn anyhow(base: morale::gives_up::Base, game: &Reads, unit: Unit, cause: &str) -> bool {
    is_chemical(cause) || is_mixed(cause) || base(game, unit, cause)
}

/// [chem.remove] What a die must show to remove a marker.
#[rule]
pub fn clears(_game: &Reads) -> i64 {
    6
}

/// [rain] Rain washes them away.
#[wrap(clears)]
fn in_rain(base: clears::Base, game: &Reads) -> i64 {
    if clock(game).sky() == Sky::Rain {
        4
    } else {
        base(game)
    }
}

/// [chem.remove] Each marker is rolled for; it never drifts.
#[step]
pub fn clear(game: &Acts, at: Ground) {
    let dice = vec![Die::new(6); usize::try_from(at.chem()).unwrap_or(0)];
    let needed = clears(game);
    let faces = game.roll_all(&dice, &format!("chemicals at {at}"));
    at.set_chem(
        game,
        faces.into_iter().filter(|face| *face < needed).count() as i64,
    );
    let name = at.name();
    let number = |from: usize| {
        name.get(from..from + 2)
            .and_then(|digits| digits.parse().ok())
            .unwrap_or(0)
    };
    ChemCleared {
        at: Hex::at(number(1), number(3)),
        left: at.chem(),
    }
    .tell(game);
}

/// [chem.remove] Persistent chemicals
#[automatic(after = seq::cleanup)]
fn cleared(game: &Acts) {
    Ground::all(game)
        .into_iter()
        .filter(|ground| ground.chem() > 0)
        .for_each(|ground| clear::push(game, ground));
}
