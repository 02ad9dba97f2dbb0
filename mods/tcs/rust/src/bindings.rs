//! What the rules of `tcs` can name. Written by `houserule types tcs --lang rust`.
#![allow(dead_code, missing_docs, unused_imports, clippy::all)]

mod known {
    pub use houserule_guest::prelude::*;
    pub use houserule_guest::{
        Angle, Clause, Direction, Length, Path, Setting, kind, table,
    };
    pub use std::collections::BTreeMap;
    pub use super::words::*;
    pub use super::tcsbase::kinds::*;
    pub use super::tcs::kinds::*;
}

/// Words of which one holds.
pub mod words {
    use super::known::*;
    #[words]
    pub enum Terrain {
        Open,
        Orchard,
        Woods,
        Forest,
        Village,
        Buildings,
        SlowGo,
        Cutting,
        Embankment,
    }
    #[words]
    pub enum What {
        Stream,
        River,
        Bridge,
        Hedgerow,
    }
    #[words]
    pub enum Sort {
        Primary,
        Secondary,
        Trail,
    }
    #[words]
    pub enum Sky {
        Clear,
        Haze,
        Fog,
        Rain,
    }
    #[words]
    pub enum SheetMission {
        Prepared,
        Attack,
        Hasty,
        Move,
    }
    #[words]
    pub enum Target {
        Area,
        Point,
        Both,
    }
    #[words]
    pub enum Class {
        Foot,
        Tracked,
        Wheeled,
        Helicopter,
    }
    #[words]
    pub enum Mode {
        Fire,
        Move,
        Dual,
    }
    #[words]
    pub enum State {
        Ready,
        Suppressed,
        Paralyzed,
    }
    #[words]
    pub enum Trigger {
        New,
        Given,
        Refused,
    }
    #[words]
    pub enum Height {
        Noe,
        Low,
    }
    #[words]
    pub enum Sight {
        None,
        Night,
        Thermal,
    }
    #[words]
    pub enum Mopp {
        Low,
        Medium,
        High,
    }
    #[words]
    pub enum Plates {
        None,
        Reactive,
        Dua,
    }
    #[words]
    pub enum Role {
        Ds,
        Gs,
        Cb,
    }
    #[words]
    pub enum System {
        Gun,
        Mortar,
        Launcher,
    }
    #[words]
    pub enum Pattern {
        A,
        B,
        C,
    }
    #[words]
    pub enum Agent {
        Passing,
        Persistent,
    }
    #[words]
    pub enum Shape {
        Sharp,
        Blunt,
        Right,
        RightBack,
        Left,
        LeftBack,
    }
    #[words]
    pub enum Effect {
        Burst,
        Smoke,
        Light,
        Special,
    }
    #[words]
    pub enum Armour {
        Light,
        Heavy,
    }
    #[words]
    pub enum Place {
        Same,
        Adjacent,
    }
    #[words]
    pub enum NumbersArmour {
        Light,
        Medium,
        Heavy,
    }
    #[words]
    pub enum ResultsEffect {
        None,
        Suppressed,
        Paralyzed,
        Retreat,
        Surrender,
    }
    #[words]
    pub enum EffectsTerrain {
        Open,
        Orchard,
        Woods,
        Forest,
        Village,
        Buildings,
        SlowGo,
        Cutting,
        Embankment,
        DugIn,
    }
    #[words]
    pub enum Cover {
        None,
        Part,
        Full,
    }
    #[words]
    pub enum ReturnFire {
        Never,
        Once,
    }
    #[words]
    pub enum Hexsides {
        Both,
        Either,
    }
    #[words]
    pub enum NearMarked {
        Own,
        Both,
    }
    #[words]
    pub enum Delayed {
        Fires,
        Waits,
    }
    #[words]
    pub enum Plots {
        Secret,
        Open,
    }
    #[words]
    pub enum Overwatch {
        Never,
        Others,
    }
    #[words]
    pub enum Weapon {
        Gun,
        Area,
    }
    #[words]
    pub enum Table {
        Point,
        Area,
    }
    #[words]
    pub enum StepsSort {
        Platoon,
        Section,
        Squad,
        Mortar,
        Other,
    }
    #[words]
    pub enum CostsWhat {
        Low,
        Noe,
        Change,
        Load,
        Sling,
    }
    #[words]
    pub enum DivisorsMode {
        Fire,
        Move,
    }
    #[words]
    pub enum AdjacentFp {
        Rounded,
        Floor,
    }
    #[words]
    pub enum Hunted {
        Tenth,
        Table,
    }
    #[words]
    pub enum Overruns {
        Hex,
        Unit,
    }
    #[words]
    pub enum Helicopters {
        Allowed,
        Never,
    }
    #[words]
    pub enum Salvo {
        One,
        Each,
    }
    #[words]
    pub enum ByDay {
        Day,
        Always,
    }
    #[words]
    pub enum BothKinds {
        Vehicles,
        Both,
    }
    #[words]
    pub enum InCover {
        Counts,
        Ignored,
    }
    #[words]
    pub enum OtherColumn {
        Mixed,
        Always,
    }
    #[words]
    pub enum Recovery {
        Highest,
        Lowest,
    }
    #[words]
    pub enum Attempts {
        Once,
        Often,
    }
    #[words]
    pub enum Lenders {
        Able,
        All,
    }
    #[words]
    pub enum GroundFire {
        Never,
        Allowed,
    }
    #[words]
    pub enum AaSuppressive {
        Each,
        Once,
    }
    #[words]
    pub enum Hedgerows {
        Height,
        Always,
    }
    #[words]
    pub enum CounterPermission {
        None,
        Overwatch,
    }
    #[words]
    pub enum Forgetful {
        Flagged,
        Hellfire,
    }
    #[words]
    pub enum Soviet {
        TwelveHours,
        Never,
    }
    #[words]
    pub enum ThermalArea {
        Free,
        Night,
    }
    #[words]
    pub enum ThermalObserve {
        Night,
        Always,
    }
}

/// Tactical Combat Series, the base.
pub mod tcsbase {
    pub mod air {
        use crate::bindings::known::*;
        /// Why `tcsbase.air.send` may not be done, if it may not.
        #[rule("tcsbase.air.send.allowed")]
        pub fn send_allowed(game: &Reads, actor: Sortie) -> Verdict;
        /// What `tcsbase.air.send` is worth to a bot.
        #[rule("tcsbase.air.send.score")]
        pub fn send_score(game: &Reads, actor: Sortie, params: &Record) -> i64;
        /// What can be chosen as `at` of `tcsbase.air.send`.
        #[rule("tcsbase.air.send.at")]
        pub fn send_at(game: &Reads, actor: Sortie, params: &Record) -> Value;
        /// Does `tcsbase.air.send`.
        #[rule("tcsbase.air.send.perform")]
        pub fn send_perform(game: &Acts, actor: Sortie, params: &Record);
        /// A sortie comes to the hex to which it was sent, attack by attack.
        #[step("tcsbase.air.come")]
        pub fn come(game: &Acts, sortie: Sortie);
        /// One attack of a sortie: it is fired at first.
        #[step("tcsbase.air.pass")]
        pub fn pass(game: &Acts, sortie: Sortie, at: Hex);
        /// It flies home.
        #[step("tcsbase.air.leave")]
        pub fn leave(game: &Acts, sortie: Sortie);
        /// A sortie comes near.
        #[step("tcsbase.air.approach")]
        pub fn approach(game: &Acts, sortie: Sortie, at: Hex);
        /// Whether a unit can fire at aircraft over a hex, in whatever mode. Fire at helicopters, and theirs, is for other mods.
        #[rule("tcsbase.air.may_fire")]
        pub fn may_fire(game: &Reads, unit: Unit, at: Hex) -> Verdict;
        /// A sortie attacks all that is soft on the ground of a hex, and one vehicle; a friend near by may be taken for the enemy.
        #[step("tcsbase.air.strike")]
        pub fn strike(game: &Acts, sortie: Sortie, at: Hex);
        /// The vehicle that a sortie attacks is hit as by a heavy shell; those aboard suffer the bombs.
        #[step("tcsbase.air.bombed")]
        pub fn bombed(game: &Acts, target: Unit, fp: i64);
    }
    pub mod art {
        use crate::bindings::known::*;
        #[record("tcsbase.art.plot")]
        pub struct Plot {
            pub rounds: String,
            pub size: i64,
            pub pattern: Pattern,
            pub at: Hex,
            pub is_sudden: bool,
        }
        #[record("tcsbase.art.prize")]
        pub struct Prize {
            pub at: Hex,
            pub worth: i64,
        }
        #[record("tcsbase.art.stray")]
        pub struct Stray {
            pub distance: i64,
            pub way: i64,
        }
        #[record("tcsbase.art.struck")]
        pub struct Struck {
            pub at: Hex,
            pub count: i64,
        }
        #[record("tcsbase.art.shells")]
        pub struct Shells {
            pub rounds: String,
            pub caliber: String,
            pub at: Hex,
            pub count: i64,
            pub is_beside: bool,
            pub cause: String,
        }
        #[window("tcsbase.art.complete")]
        pub struct Complete {
            pub battery: Battery,
            pub number: i64,
        }
        /// Whether rounds of a sort are counted one by one.
        #[rule("tcsbase.art.is_single")]
        pub fn is_single(game: &Reads, rounds: &str) -> bool;
        /// What reports call rounds of a sort.
        #[rule("tcsbase.art.title")]
        pub fn title(game: &Reads, rounds: &str) -> String;
        /// What a battery fires, in words: so many battery fires, or single rounds, of a sort.
        #[rule("tcsbase.art.load")]
        pub fn load(game: &Reads, rounds: &str, size: i64) -> String;
        /// Turns from a call to the fire: one more in general support.
        #[rule("tcsbase.art.delay")]
        pub fn delay(game: &Reads, battery: Battery) -> i64;
        /// Tubes of a battery that no mission needs which would be fired with one called now.
        #[rule("tcsbase.art.free_tubes")]
        pub fn free_tubes(game: &Reads, battery: Battery) -> i64;
        /// Tubes of a battery with which a mission that is due can be fired: all.
        #[rule("tcsbase.art.ready_tubes")]
        pub fn ready_tubes(game: &Reads, battery: Battery) -> i64;
        /// Tubes that a mission needs: all of them.
        #[rule("tcsbase.art.tubes")]
        pub fn tubes(game: &Reads, battery: Battery, rounds: &str, size: i64) -> i64;
        /// How many rounds of a sort a battery has left for which no mission has been called.
        #[rule("tcsbase.art.uncalled")]
        pub fn uncalled(game: &Reads, battery: Battery, rounds: &str) -> i64;
        /// How many battery fires, or single rounds, a mission can be at most.
        #[rule("tcsbase.art.most")]
        pub fn most(game: &Reads, battery: Battery, rounds: &str) -> i64;
        /// How many rounds of a mission fall.
        #[rule("tcsbase.art.count")]
        pub fn count(game: &Reads, mission: Mission) -> i64;
        /// The patterns that a mission may have: none where there is nothing to choose.
        #[rule("tcsbase.art.patterns")]
        pub fn patterns(game: &Reads, battery: Battery, rounds: &str) -> Vec<Pattern>;
        /// A battery fires its mission, when it is due; single rounds are one for each tube that is left.
        #[step("tcsbase.art.fire")]
        pub fn fire(game: &Acts, mission: Mission);
        /// A mission that is not fired is told to its own side, which alone knew of it.
        #[rule("tcsbase.art.call_off")]
        pub fn call_off(game: &Writes, mission: Mission, reason: &str);
        /// A mission has been fired: its rounds are gone, and it is complete.
        #[step("tcsbase.art.finish")]
        pub fn finish(game: &Acts, mission: Mission);
        /// As how many battery fires of a turn a mission counts: rounds that are issued singly as one.
        #[rule("tcsbase.art.fires")]
        pub fn fires(game: &Reads, battery: Battery, rounds: &str, size: i64) -> i64;
        /// Takes rounds that were fired; then the mission is complete.
        #[step("tcsbase.art.spend")]
        pub fn spend(game: &Acts, battery: Battery, rounds: &str, size: i64);
        /// What the Clean Up Phase does for a battery.
        #[rule("tcsbase.art.refresh")]
        pub fn refresh(game: &Writes, battery: Battery);
        /// The roles that a battery may be assigned.
        #[rule("tcsbase.art.roles")]
        pub fn roles(game: &Reads, battery: Battery) -> Vec<String>;
        /// Whether a battery may be called for fire.
        #[rule("tcsbase.art.may_call")]
        pub fn may_call(game: &Reads, battery: Battery) -> Verdict;
        /// Whether rounds of a sort may be called from a battery.
        #[rule("tcsbase.art.may_load")]
        pub fn may_load(game: &Reads, battery: Battery, rounds: &str) -> Verdict;
        /// The hexes at which rounds of a sort may be plotted: all of the map, first those of the enemy, or those at which rounds that do not burst are worth most.
        #[rule("tcsbase.art.plots")]
        pub fn plots(game: &Reads, battery: Battery, rounds: &str) -> Vec<Hex>;
        /// Records a mission.
        #[rule("tcsbase.art.record")]
        pub fn record(game: &Acts, battery: Battery, plot: &crate::bindings::tcsbase::art::Plot) -> Mission;
        /// Why `tcsbase.art.assign` may not be done, if it may not.
        #[rule("tcsbase.art.assign.allowed")]
        pub fn assign_allowed(game: &Reads, actor: Battery) -> Verdict;
        /// What `tcsbase.art.assign` is worth to a bot.
        #[rule("tcsbase.art.assign.score")]
        pub fn assign_score(game: &Reads, actor: Battery, params: &Record) -> i64;
        /// What can be chosen as `role` of `tcsbase.art.assign`.
        #[rule("tcsbase.art.assign.role")]
        pub fn assign_role(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// Does `tcsbase.art.assign`.
        #[rule("tcsbase.art.assign.perform")]
        pub fn assign_perform(game: &Acts, actor: Battery, params: &Record);
        /// Why `tcsbase.art.call` may not be done, if it may not.
        #[rule("tcsbase.art.call.allowed")]
        pub fn call_allowed(game: &Reads, actor: Battery) -> Verdict;
        /// What `tcsbase.art.call` is worth to a bot.
        #[rule("tcsbase.art.call.score")]
        pub fn call_score(game: &Reads, actor: Battery, params: &Record) -> i64;
        /// What can be chosen as `rounds` of `tcsbase.art.call`.
        #[rule("tcsbase.art.call.rounds")]
        pub fn call_rounds(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// What can be chosen as `size` of `tcsbase.art.call`.
        #[rule("tcsbase.art.call.size")]
        pub fn call_size(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// What can be chosen as `pattern` of `tcsbase.art.call`.
        #[rule("tcsbase.art.call.pattern")]
        pub fn call_pattern(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// What can be chosen as `at` of `tcsbase.art.call`.
        #[rule("tcsbase.art.call.at")]
        pub fn call_at(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// Does `tcsbase.art.call`.
        #[rule("tcsbase.art.call.perform")]
        pub fn call_perform(game: &Acts, actor: Battery, params: &Record);
        /// The hexes at which a mission is worth something to a bot: shells on the enemy alone, most of all on troops; smoke before the eyes of those who see its own side come.
        #[rule("tcsbase.art.prizes")]
        pub fn prizes(game: &Reads, battery: Battery, rounds: &str) -> Vec<crate::bindings::tcsbase::art::Prize>;
        /// Whether a battery is one that fires immediate suppression at all.
        #[rule("tcsbase.art.suppresses")]
        pub fn suppresses(game: &Reads, battery: Battery) -> Verdict;
        /// The battery fires of this turn after which a battery fires no immediate suppression.
        #[rule("tcsbase.art.fires_before")]
        pub fn fires_before(game: &Reads, battery: Battery) -> i64;
        /// Whether a battery may fire immediate suppression.
        #[rule("tcsbase.art.may_suppress")]
        pub fn may_suppress(game: &Reads, battery: Battery) -> Verdict;
        /// Whether a battery may fire rounds of a sort as immediate suppression.
        #[rule("tcsbase.art.may_suppress_with")]
        pub fn may_suppress_with(game: &Reads, battery: Battery, rounds: &str) -> Verdict;
        /// Why `tcsbase.art.suppress` may not be done, if it may not.
        #[rule("tcsbase.art.suppress.allowed")]
        pub fn suppress_allowed(game: &Reads, actor: Battery) -> Verdict;
        /// What `tcsbase.art.suppress` is worth to a bot.
        #[rule("tcsbase.art.suppress.score")]
        pub fn suppress_score(game: &Reads, actor: Battery, params: &Record) -> i64;
        /// What can be chosen as `rounds` of `tcsbase.art.suppress`.
        #[rule("tcsbase.art.suppress.rounds")]
        pub fn suppress_rounds(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// What can be chosen as `at` of `tcsbase.art.suppress`.
        #[rule("tcsbase.art.suppress.at")]
        pub fn suppress_at(game: &Reads, actor: Battery, params: &Record) -> Value;
        /// Does `tcsbase.art.suppress`.
        #[rule("tcsbase.art.suppress.perform")]
        pub fn suppress_perform(game: &Acts, actor: Battery, params: &Record);
        /// Why `tcsbase.art.mortar_watch` may not be done, if it may not.
        #[rule("tcsbase.art.mortar_watch.allowed")]
        pub fn mortar_watch_allowed(game: &Reads, actor: Battery, window: &crate::bindings::tcsbase::ow::Entered) -> Verdict;
        /// What `tcsbase.art.mortar_watch` is worth to a bot.
        #[rule("tcsbase.art.mortar_watch.score")]
        pub fn mortar_watch_score(game: &Reads, actor: Battery, window: &crate::bindings::tcsbase::ow::Entered, params: &Record) -> i64;
        /// What can be chosen as `observer` of `tcsbase.art.mortar_watch`.
        #[rule("tcsbase.art.mortar_watch.observer")]
        pub fn mortar_watch_observer(game: &Reads, actor: Battery, window: &crate::bindings::tcsbase::ow::Entered, params: &Record) -> Value;
        /// Does `tcsbase.art.mortar_watch`.
        #[rule("tcsbase.art.mortar_watch.perform")]
        pub fn mortar_watch_perform(game: &Acts, actor: Battery, window: &crate::bindings::tcsbase::ow::Entered, params: &Record);
        /// Whether a mission needs no designator.
        #[rule("tcsbase.art.exact")]
        pub fn exact(game: &Reads, mission: Mission) -> bool;
        /// Whether a unit observes the fall of shot in a hex.
        #[rule("tcsbase.art.sees")]
        pub fn sees(game: &Reads, unit: Unit, at: Hex) -> bool;
        /// Whether a unit may observe for a battery: a battery in direct support works for its own force.
        #[rule("tcsbase.art.serves")]
        pub fn serves(game: &Reads, battery: Battery, unit: Unit) -> bool;
        /// Who observes a hex for a battery, if anybody: nobody sees what falls off the map.
        #[rule("tcsbase.art.observer")]
        pub fn observer(game: &Reads, battery: Battery, at: Hex) -> Option<Unit>;
        /// The designator falls, and the fire for effect follows it, or not.
        #[step("tcsbase.art.land")]
        pub fn land(game: &Acts, mission: Mission);
        /// Whether the batteries of a side are registered at a hex.
        #[rule("tcsbase.art.registered")]
        pub fn registered(game: &Reads, battery: Battery, at: Hex) -> bool;
        /// How rounds fall: for each a die for the distance, and one for the direction if it is not nothing.
        #[rule("tcsbase.art.spread")]
        pub fn spread(game: &Draws, pattern: Pattern, count: i64) -> Vec<crate::bindings::tcsbase::art::Stray>;
        /// Each round falls by the pattern; off the map it is lost.
        #[step("tcsbase.art.scatter")]
        pub fn scatter(game: &Acts, mission: Mission, at: Hex);
        /// Which hexes rounds have struck, in words.
        #[rule("tcsbase.art.in_words")]
        pub fn in_words(game: &Reads, struck: &[crate::bindings::tcsbase::art::Struck]) -> String;
        /// The hexes that rounds strike by a pattern round a centre.
        #[rule("tcsbase.art.strikes")]
        pub fn strikes(game: &Draws, pattern: Pattern, count: i64, at: Hex) -> Vec<crate::bindings::tcsbase::art::Struck>;
        /// What the losses by a mission in a hex come from, a word as for `tcsbase.unit.lose`.
        #[rule("tcsbase.art.cause")]
        pub fn cause(game: &Reads, mission: Mission, at: Hex) -> String;
        /// What the rounds of a mission do in the hexes that they struck.
        #[step("tcsbase.art.fell")]
        pub fn fell(game: &Acts, mission: Mission, struck: &[crate::bindings::tcsbase::art::Struck]);
        /// Two rounds of a mission or more in a hex leave smoke.
        #[rule("tcsbase.art.smokes")]
        pub fn smokes(game: &Writes, struck: &[crate::bindings::tcsbase::art::Struck]);
        /// The firepower of a round.
        #[rule("tcsbase.art.fp")]
        pub fn fp(game: &Reads, burst: &crate::bindings::tcsbase::art::Shells) -> i64;
        /// The units in a hex that rounds attack on the Area Fire Table: troops and light vehicles.
        #[rule("tcsbase.art.softs")]
        pub fn softs(game: &Reads, burst: &crate::bindings::tcsbase::art::Shells) -> Vec<Unit>;
        /// One attack on each soft unit that was in a hex as the mission fell, wherever others have fallen back to, and one round after the other on vehicles.
        #[step("tcsbase.art.burst")]
        pub fn burst(game: &Acts, burst: &crate::bindings::tcsbase::art::Shells, under: &[Unit]);
        /// What a vehicle defends itself against, under rounds of a sort.
        #[rule("tcsbase.art.against")]
        pub fn against(game: &Reads, burst: &crate::bindings::tcsbase::art::Shells) -> String;
        /// What the dice of a round must come to against a vehicle; nothing where it cannot hurt it.
        #[rule("tcsbase.art.vehicle_needed")]
        pub fn vehicle_needed(game: &Reads, burst: &crate::bindings::tcsbase::art::Shells, target: Unit) -> Option<i64>;
        /// One round at a vehicle.
        #[step("tcsbase.art.vehicle")]
        pub fn vehicle(game: &Acts, burst: &crate::bindings::tcsbase::art::Shells, target: Unit);
        /// What is added to the dice of a round against a vehicle; nothing where it cannot hurt it.
        #[rule("tcsbase.art.vehicle_modifier")]
        pub fn vehicle_modifier(game: &Reads, burst: &crate::bindings::tcsbase::art::Shells, target: Unit) -> Option<i64>;
    }
    pub mod assault {
        use crate::bindings::known::*;
        #[record("tcsbase.assault.attacker")]
        pub struct Attacker {
            pub unit: Unit,
            pub home: Hex,
        }
        /// Whether a unit may assault a hex beside it.
        #[rule("tcsbase.assault.may")]
        pub fn may(game: &Reads, unit: Unit) -> Verdict;
        /// Whether the ground, and what a unit is to do, let it into a hex beside it.
        #[rule("tcsbase.assault.can_enter")]
        pub fn can_enter(game: &Reads, unit: Unit, at: Hex) -> bool;
        /// Why `tcsbase.assault.go` may not be done, if it may not.
        #[rule("tcsbase.assault.go.allowed")]
        pub fn go_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.assault.go` is worth to a bot.
        #[rule("tcsbase.assault.go.score")]
        pub fn go_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `at` of `tcsbase.assault.go`.
        #[rule("tcsbase.assault.go.at")]
        pub fn go_at(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// What can be chosen as `with` of `tcsbase.assault.go`.
        #[rule("tcsbase.assault.go.with")]
        pub fn go_with(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.assault.go`.
        #[rule("tcsbase.assault.go.perform")]
        pub fn go_perform(game: &Acts, actor: Unit, params: &Record);
        /// Whoever got off a carrier that was lost in the hex of the enemy does not stay there.
        #[step("tcsbase.assault.thrown_back")]
        pub fn thrown_back(game: &Acts, carried: &[crate::bindings::tcsbase::assault::Attacker], at: Hex);
        /// An attacker goes in, if what lies on its way lets it.
        #[step("tcsbase.assault.go_in")]
        pub fn go_in(game: &Acts, attacker: &crate::bindings::tcsbase::assault::Attacker, at: Hex);
        /// By an option those who watch it go in may fire, but for the defender: he does as it is fought.
        #[step("tcsbase.assault.seen")]
        pub fn seen(game: &Acts, unit: Unit);
        /// A round: the defender fires, then the attacker at double, each also by AT rolls; then both check their morale.
        #[step("tcsbase.assault.round")]
        pub fn round(game: &Acts, attackers: &[crate::bindings::tcsbase::assault::Attacker], at: Hex, number: i64);
        /// All defenders fire, at attackers who move in the open, or make AT rolls.
        #[step("tcsbase.assault.defend")]
        pub fn defend(game: &Acts, defenders: &[Unit], attackers: &[Unit]);
        /// What a defender has at those on foot who come in: his small arms, or, where he has none, his gun.
        #[rule("tcsbase.assault.in_defence")]
        pub fn in_defence(game: &Reads, unit: Unit) -> i64;
        /// Where nobody on foot comes in, such a gun fires at a vehicle, which moves in the open: whichever its player chooses.
        #[step("tcsbase.assault.point_blank")]
        pub fn point_blank(game: &Acts, firer: Unit, targets: &[Unit]);
        /// Those attackers who are left fire at double, or make AT rolls.
        #[step("tcsbase.assault.attack")]
        pub fn attack(game: &Acts, attackers: &[Unit], at: Hex);
        /// An AT roll at one of the vehicles that are left: whichever its player chooses.
        #[step("tcsbase.assault.tackle")]
        pub fn tackle(game: &Acts, unit: Unit, targets: &[Unit]);
        /// Both sides check, riders as well, and whoever got off a carrier that was lost there.
        #[step("tcsbase.assault.test")]
        pub fn test(game: &Acts, attackers: &[Unit], at: Hex);
        /// Whichever side has nobody standing loses, and gives way, also if both do; after the last round the attackers go back.
        #[step("tcsbase.assault.judge")]
        pub fn judge(game: &Acts, attackers: &[crate::bindings::tcsbase::assault::Attacker], at: Hex, number: i64);
    }
    pub mod carry {
        use crate::bindings::known::*;
        /// Puts a unit into a hex with all whom it carries. Whoever comes into another hex leaves his holes behind.
        #[rule("tcsbase.carry.put")]
        pub fn put(game: &Writes, unit: Unit, at: Hex);
        /// Whether a unit can be carried by another: inside, or in tow.
        #[rule("tcsbase.carry.fits_inside")]
        pub fn fits_inside(game: &Reads, carrier: Unit, unit: Unit) -> Verdict;
        /// Whether a carrier takes troops and tows a gun too.
        #[rule("tcsbase.carry.takes_both")]
        pub fn takes_both(game: &Reads, carrier: Unit) -> bool;
        /// Whether a unit can ride outside on another.
        #[rule("tcsbase.carry.fits_outside")]
        pub fn fits_outside(game: &Reads, carrier: Unit, unit: Unit) -> Verdict;
        /// Whether a carrier can load a unit beside it.
        #[rule("tcsbase.carry.may_load")]
        pub fn may_load(game: &Reads, carrier: Unit, unit: Unit) -> Verdict;
        /// What a carrier pays in sixths to load or unload a unit: half of its points.
        #[rule("tcsbase.carry.price")]
        pub fn price(game: &Reads, carrier: Unit, unit: Unit) -> i64;
        /// Whether a carrier can load or unload now.
        #[rule("tcsbase.carry.may_stop")]
        pub fn may_stop(game: &Reads, carrier: Unit) -> Verdict;
        /// Whether a carrier can pay for a unit.
        #[rule("tcsbase.carry.may_pay")]
        pub fn may_pay(game: &Reads, carrier: Unit, unit: Unit) -> Verdict;
        /// A carrier pays.
        #[rule("tcsbase.carry.pay")]
        pub fn pay(game: &Writes, carrier: Unit, unit: Unit);
        /// Whether a unit aboard can get off where its carrier is.
        #[rule("tcsbase.carry.may_leave")]
        pub fn may_leave(game: &Reads, carrier: Unit, unit: Unit) -> Verdict;
        /// Why `tcsbase.carry.load` may not be done, if it may not.
        #[rule("tcsbase.carry.load.allowed")]
        pub fn load_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.carry.load` is worth to a bot.
        #[rule("tcsbase.carry.load.score")]
        pub fn load_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `unit` of `tcsbase.carry.load`.
        #[rule("tcsbase.carry.load.unit")]
        pub fn load_unit(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.carry.load`.
        #[rule("tcsbase.carry.load.perform")]
        pub fn load_perform(game: &Acts, actor: Unit, params: &Record);
        /// A unit gets on, and its carrier pays for it.
        #[step("tcsbase.carry.get_on")]
        pub fn get_on(game: &Acts, carrier: Unit, unit: Unit);
        /// Why `tcsbase.carry.unload` may not be done, if it may not.
        #[rule("tcsbase.carry.unload.allowed")]
        pub fn unload_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.carry.unload` is worth to a bot.
        #[rule("tcsbase.carry.unload.score")]
        pub fn unload_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `unit` of `tcsbase.carry.unload`.
        #[rule("tcsbase.carry.unload.unit")]
        pub fn unload_unit(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.carry.unload`.
        #[rule("tcsbase.carry.unload.perform")]
        pub fn unload_perform(game: &Acts, actor: Unit, params: &Record);
        /// A unit gets off when its carrier has paid for it, if nothing that comes of that has destroyed them.
        #[step("tcsbase.carry.get_off")]
        pub fn get_off(game: &Acts, carrier: Unit, unit: Unit);
        /// Those aboard of some units who fire with them in close combat: nobody.
        #[rule("tcsbase.carry.firing_inside")]
        pub fn firing_inside(game: &Reads, carriers: &[Unit]) -> Vec<Unit>;
        /// Whether a cause of losses is a weapon, a word as for `tcsbase.unit.lose`.
        #[rule("tcsbase.carry.by_weapon")]
        pub fn by_weapon(game: &Reads, cause: &str) -> bool;
        /// A gun in tow.
        #[step("tcsbase.carry.tow")]
        pub fn tow(game: &Acts, unit: Unit);
        /// A passenger is attacked, and kept down.
        #[step("tcsbase.carry.thrown_out")]
        pub fn thrown_out(game: &Acts, unit: Unit, power: i64, cause: &str);
        /// Survivors are suppressed at least.
        #[step("tcsbase.carry.keep_down")]
        pub fn keep_down(game: &Acts, unit: Unit);
    }
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::tcsbase::clauses as tcsbase;
        pub use crate::bindings::tcs::clauses as tcs;
        /// A round lights all within three hexes until the Clean Up Phase
        pub const ILLUM: Clause = Clause::new("tcsbase.illum");
        /// Haze, fog and rain limit sight; a game may have it change on full hours
        pub const WEATHER: Clause = Clause::new("tcsbase.weather");
        pub mod air {
            use crate::bindings::known::*;
            /// They are called in the Call for Fire Phase, at a hex
            pub const SORTIE: Clause = Clause::new("tcsbase.air.sortie");
            /// Before each attack every enemy who sees the hex rolls at it
            pub const AA: Clause = Clause::new("tcsbase.air.aa");
            /// Its firepower at all that is soft, and a heavy shell at one vehicle; near friends it may go wrong
            pub const ATTACK: Clause = Clause::new("tcsbase.air.attack");
            /// They are for others to add
            pub const HELO: Clause = Clause::new("tcsbase.air.helo");
        }
        pub mod art {
            use crate::bindings::known::*;
            /// A battery has tubes, and battery fires of each kind of round
            pub const BATTERY: Clause = Clause::new("tcsbase.art.battery");
            /// A mission is one to three battery fires at once
            pub const SIZE: Clause = Clause::new("tcsbase.art.size");
            /// Batteries support one force or all; a change is in force next turn
            pub const ASSIGN: Clause = Clause::new("tcsbase.art.assign");
            /// Missions are recorded in the Call for Fire Phase
            pub const CALL: Clause = Clause::new("tcsbase.art.call");
            /// The first round falls by two dice
            pub const DESIGNATOR: Clause = Clause::new("tcsbase.art.designator");
            /// Somebody must see it fall to adjust, through neither smoke nor weather
            pub const OBSERVER: Clause = Clause::new("tcsbase.art.observer");
            /// Dice of five and the distance, or more, put the rest on the target; else it follows the first, or is checked and saved
            pub const ADJUST: Clause = Clause::new("tcsbase.art.adjust");
            /// Batteries in direct support and mortars fire at once: one battery fire, the open pattern, no adjustment
            pub const IS: Clause = Clause::new("tcsbase.art.is");
            /// Each round falls by a die for distance and one for direction
            pub const PATTERNS: Clause = Clause::new("tcsbase.art.patterns");
            /// Twelve rounds or more are each drawn with one die of thirty-six faces
            pub const MASS: Clause = Clause::new("tcsbase.art.mass");
            /// Each caliber has a firepower
            pub const FP: Clause = Clause::new("tcsbase.art.fp");
            /// Every soft unit of a hex that was struck is attacked
            pub const AREA: Clause = Clause::new("tcsbase.art.area");
            /// Two rounds in a hex leave smoke
            pub const SMOKE_FROM_HE: Clause = Clause::new("tcsbase.art.smoke_from_he");
            /// They work for their own force without a delay, and fire overwatch through an observer
            pub const MORTARS: Clause = Clause::new("tcsbase.art.mortars");
            pub mod adjust {
                use crate::bindings::known::*;
                /// At a reference point the designator falls where it is meant to
                pub const REGISTERED: Clause = Clause::new("tcsbase.art.adjust.registered");
            }
            pub mod point {
                use crate::bindings::known::*;
                /// Each round in a hex attacks one of its vehicles
                pub const TABLE: Clause = Clause::new("tcsbase.art.point.table");
            }
        }
        pub mod assault {
            use crate::bindings::known::*;
            /// Troops beside the enemy enter his hex after all movement: up to three rounds of fire and morale
            pub const HOW: Clause = Clause::new("tcsbase.assault.how");
        }
        pub mod carry {
            use crate::bindings::known::*;
            /// A carrier has room for so many squads, a platoon counting two, or tows one gun
            pub const CAPACITY: Clause = Clause::new("tcsbase.carry.capacity");
            /// Carriers pay half their points to load or unload, passengers all of theirs, both in move mode
            pub const LOAD: Clause = Clause::new("tcsbase.carry.load");
            /// They do not fire
            pub const FIRE: Clause = Clause::new("tcsbase.carry.fire");
            /// Those aboard suffer an attack of the same weapon and are kept down; a gun in tow is lost on 8
            pub const LOSS: Clause = Clause::new("tcsbase.carry.loss");
            /// A tank or carrier takes a platoon outside; area fire at either finds them there, and its gun is silent
            pub const VEHICLES: Clause = Clause::new("tcsbase.carry.vehicles");
        }
        pub mod cmd {
            use crate::bindings::known::*;
            /// Nobody needs an op sheet
            pub const OFF: Clause = Clause::new("tcsbase.cmd.off");
            /// A sheet says who does what and where; units on one that is in force follow it
            pub const OPSHEET: Clause = Clause::new("tcsbase.cmd.opsheet");
            /// A sheet that is prepared gains up to three a turn
            pub const WEIGHTED: Clause = Clause::new("tcsbase.cmd.weighted");
            /// Two dice read as tens and units against a number, by type, preparation, staff and size
            pub const IMPLEMENT: Clause = Clause::new("tcsbase.cmd.implement");
            /// They do not move nearer to an enemy that is known, at any step of their way
            pub const UNASSIGNED: Clause = Clause::new("tcsbase.cmd.unassigned");
            /// A reserve mission comes into force on a 5
            pub const RESERVE: Clause = Clause::new("tcsbase.cmd.reserve");
            /// A unit is on one sheet that is prepared, and on one that is in force
            pub const MISSIONS: Clause = Clause::new("tcsbase.cmd.missions");
        }
        pub mod fire {
            use crate::bindings::known::*;
            /// Guns fire at one vehicle at a time
            pub const POINT: Clause = Clause::new("tcsbase.fire.point");
            /// Infantry fights vehicles beside it with what it carries
            pub const ATROLL: Clause = Clause::new("tcsbase.fire.atroll");
            pub mod area {
                use crate::bindings::known::*;
                /// Units fire together at a hex; each of its soft units is attacked
                pub const WHO: Clause = Clause::new("tcsbase.fire.area.who");
                /// Firepower adds to the dice, about a tenth of it
                pub const FPMOD: Clause = Clause::new("tcsbase.fire.area.fpmod");
                /// They have half their firepower; all that divides it is rounded once
                pub const MULTIPLIERS: Clause = Clause::new("tcsbase.fire.area.multipliers");
                /// Terrain, mode, smoke and night
                pub const MODS: Clause = Clause::new("tcsbase.fire.area.mods");
                /// Steps lost, company morale, and whether to check
                pub const TABLE: Clause = Clause::new("tcsbase.fire.area.table");
                /// Losses, company morale and rating add to the check
                pub const CROSSREF: Clause = Clause::new("tcsbase.fire.area.crossref");
                /// One step destroys those of a defence of 1 or less, two steps those of 3 or less
                pub const BOTH: Clause = Clause::new("tcsbase.fire.area.both");
                /// Armour is immune to direct area fire
                pub const POINT: Clause = Clause::new("tcsbase.fire.area.point");
                /// One attack for all rounds of a mission, one more on the dice for each further round, up to three
                pub const ROUNDS: Clause = Clause::new("tcsbase.fire.area.rounds");
            }
            pub mod atroll {
                use crate::bindings::known::*;
                /// Infantry in either mode rolls at a vehicle in its hex or the next: once in the Suppressive Fire Phase, and whenever one enters a hex
                pub const WHO: Clause = Clause::new("tcsbase.fire.atroll.who");
                /// Dice against a number, by distance and armour; terrain, mode and night change them
                pub const TABLE: Clause = Clause::new("tcsbase.fire.atroll.table");
            }
            pub mod point {
                use crate::bindings::known::*;
                /// Dice against a number, by range and by how much the gun beats the armour; at troops to half its range, with half its value as firepower
                pub const HOW: Clause = Clause::new("tcsbase.fire.point.how");
                /// The numbers
                pub const TABLE: Clause = Clause::new("tcsbase.fire.point.table");
                /// Terrain, mode, smoke and night
                pub const MODS: Clause = Clause::new("tcsbase.fire.point.mods");
                /// What a game says of a gun is added to its dice
                pub const WEAPONDIFF: Clause = Clause::new("tcsbase.fire.point.weapondiff");
            }
        }
        pub mod r#gen {
            use crate::bindings::known::*;
            /// A hex is 125 m, and a turn of daylight twenty minutes
            pub const SCALE: Clause = Clause::new("tcsbase.gen.scale");
            /// There are two sides; the one whose Action Phase it is is phasing
            pub const SIDES: Clause = Clause::new("tcsbase.gen.sides");
            /// A die has six sides; dice are the sum of two
            pub const DICE: Clause = Clause::new("tcsbase.gen.dice");
            /// One half and more is rounded up
            pub const ROUNDING: Clause = Clause::new("tcsbase.gen.rounding");
            /// Turns that end on the hour bring hourly checks
            pub const HOUR: Clause = Clause::new("tcsbase.gen.hour");
            /// A turn is twenty minutes by day and an hour by night
            pub const NIGHT_TURN: Clause = Clause::new("tcsbase.gen.night_turn");
            /// Nobody moves off the map, and rounds that fall off it are lost
            pub const MAP_EDGE: Clause = Clause::new("tcsbase.gen.map_edge");
        }
        pub mod los {
            use crate::bindings::known::*;
            /// A line goes from the middle of a hex to the middle of another; both ends never block
            pub const LINE: Clause = Clause::new("tcsbase.los.line");
            /// A hex is as high as its ground and what grows on it
            pub const HEIGHT: Clause = Clause::new("tcsbase.los.height");
            /// A hex that is higher than the line blocks it
            pub const BLOCK: Clause = Clause::new("tcsbase.los.block");
            /// A line along a hexside is blocked if both hexes block
            pub const HEXSIDE: Clause = Clause::new("tcsbase.los.hexside");
            /// A line may begin or end in smoke, but not pass through it
            pub const SMOKE: Clause = Clause::new("tcsbase.los.smoke");
            /// Nobody sees beyond the limit of night or weather
            pub const VISIBILITY: Clause = Clause::new("tcsbase.los.visibility");
            /// Whoever sees a hex is seen from it
            pub const RECIPROCAL: Clause = Clause::new("tcsbase.los.reciprocal");
        }
        pub mod mines {
            use crate::bindings::known::*;
            /// Whoever enters a mined hex is attacked: vehicles are lost on 9, troops take a firepower of ten
            pub const ATTACK: Clause = Clause::new("tcsbase.mines.attack");
            /// Mines cost one point more on foot, two in vehicles
            pub const COST: Clause = Clause::new("tcsbase.mines.cost");
            /// They do not attack their own side, which pays double for the hex
            pub const FRIENDLY: Clause = Clause::new("tcsbase.mines.friendly");
            /// The enemy does not know of a field until it attacks
            pub const HIDDEN: Clause = Clause::new("tcsbase.mines.hidden");
            /// Engineers beside a field spend all their points, are watched, and open a lane on a 5
            pub const BREACH: Clause = Clause::new("tcsbase.mines.breach");
        }
        pub mod mode {
            use crate::bindings::known::*;
            /// A unit is in fire mode or in move mode
            pub const TWO: Clause = Clause::new("tcsbase.mode.two");
            /// Who is suppressed, or marked for overwatch and wants to move, keeps his mode
            pub const SET: Clause = Clause::new("tcsbase.mode.set");
            /// Units in fire mode fire and watch, and do not move
            pub const FIRE: Clause = Clause::new("tcsbase.mode.fire");
            /// Units in move mode move, and do not fire
            pub const MOVE: Clause = Clause::new("tcsbase.mode.move");
            /// Terrain protects by mode
            pub const COVER: Clause = Clause::new("tcsbase.mode.cover");
            /// Vehicles may change mode while they move, for half their points
            pub const IN_MOVE: Clause = Clause::new("tcsbase.mode.in_move");
        }
        pub mod morale {
            use crate::bindings::known::*;
            /// After results that call for one, for units with a rating
            pub const WHEN: Clause = Clause::new("tcsbase.morale.when");
            /// Dice and modifiers: suppressed, paralyzed, retreat, surrender
            pub const TABLE: Clause = Clause::new("tcsbase.morale.table");
            /// Artillery two more, an overrun or assault two more; village or dug in one less
            pub const MODS: Clause = Clause::new("tcsbase.morale.mods");
            /// Half the firepower, no point fire, and no move nearer to an enemy in view, until the Clean Up Phase
            pub const SUPPRESSED: Clause = Clause::new("tcsbase.morale.suppressed");
            /// Nothing at all; a die of 4 or more makes it suppressed
            pub const PARALYZED: Clause = Clause::new("tcsbase.morale.paralyzed");
            /// Up to five points away from the enemy, then paralyzed; whoever cannot is lost
            pub const SYR: Clause = Clause::new("tcsbase.morale.syr");
            /// Losses and surrenders worsen it for the whole company
            pub const COMPANY: Clause = Clause::new("tcsbase.morale.company");
            /// A third of it, at least one, on each full hour
            pub const RECOVERY: Clause = Clause::new("tcsbase.morale.recovery");
            /// Vehicles with a rating check when one of their platoon is lost; suppressed ones are buttoned up
            pub const ARMOR: Clause = Clause::new("tcsbase.morale.armor");
        }
        pub mod r#move {
            use crate::bindings::known::*;
            /// Units in move mode, each up to its allowance
            pub const WHO: Clause = Clause::new("tcsbase.move.who");
            /// Nobody enters the hex of an enemy
            pub const ENEMY: Clause = Clause::new("tcsbase.move.enemy");
            /// Each hex entered may trigger overwatch
            pub const OW: Clause = Clause::new("tcsbase.move.ow");
            /// A unit may always move one hex that is not prohibited
            pub const MIN: Clause = Clause::new("tcsbase.move.min");
        }
        pub mod night {
            use crate::bindings::known::*;
            /// By night units see two hexes
            pub const LIMIT: Clause = Clause::new("tcsbase.night.limit");
            /// Two less on the dice at night
            pub const FIRE: Clause = Clause::new("tcsbase.night.fire");
            /// By night to the limit
            pub const OBSERVE: Clause = Clause::new("tcsbase.night.observe");
        }
        pub mod overrun {
            use crate::bindings::known::*;
            /// Vehicles drive over the enemy: he fires first, then they do at double, and go on if nobody is left standing
            pub const HOW: Clause = Clause::new("tcsbase.overrun.how");
            /// Troops are overrun in the open and on roads, vehicles anywhere
            pub const TERRAIN: Clause = Clause::new("tcsbase.overrun.terrain");
        }
        pub mod ow {
            use crate::bindings::known::*;
            /// Units in fire mode that nothing keeps down
            pub const WHO: Clause = Clause::new("tcsbase.ow.who");
            /// An enemy that enters a hex in view may be fired at
            pub const TRIGGER: Clause = Clause::new("tcsbase.ow.trigger");
            /// Beyond three hexes a die of 5 or 6 lets unmarked units fire
            pub const PERMISSION: Clause = Clause::new("tcsbase.ow.permission");
            /// Who has fired overwatch needs a 6 of his own to do so again
            pub const MARKED: Clause = Clause::new("tcsbase.ow.marked");
            /// It is fired at where it is, and goes on if it can
            pub const RESOLVE: Clause = Clause::new("tcsbase.ow.resolve");
            /// Markers come off after the next Mode Determination Phase
            pub const MARKER: Clause = Clause::new("tcsbase.ow.marker");
            /// A 5 lets unmarked units fire; a 6 lets as many marked ones fire too as another die says
            pub const SIMPLIFIED: Clause = Clause::new("tcsbase.ow.simplified");
        }
        pub mod seq {
            use crate::bindings::known::*;
            /// Op sheets and batteries are seen to; on full hours companies recover and the weather is looked at
            pub const COMMAND: Clause = Clause::new("tcsbase.seq.command");
            /// Each unit's mode is set; then overwatch markers come off
            pub const MODE: Clause = Clause::new("tcsbase.seq.mode");
            /// Both players call missions
            pub const CALL: Clause = Clause::new("tcsbase.seq.call");
            /// A die says who fires first; sorties, missions, then direct fires by turns
            pub const SFP: Clause = Clause::new("tcsbase.seq.sfp");
            /// A die says who is first; he moves and assaults while the other watches, then the other way round
            pub const ACTION: Clause = Clause::new("tcsbase.seq.action");
            /// Smoke and suppression are rolled for, and the clock goes on
            pub const CLEANUP: Clause = Clause::new("tcsbase.seq.cleanup");
            pub mod sfp {
                use crate::bindings::known::*;
                /// A player names one target and fires at it, then the other does; when both pass twice running, the phase ends
                pub const ALTERNATE: Clause = Clause::new("tcsbase.seq.sfp.alternate");
                /// Each weapon fires once in the phase
                pub const ONCE: Clause = Clause::new("tcsbase.seq.sfp.once");
                /// Results apply at once
                pub const EFFECT: Clause = Clause::new("tcsbase.seq.sfp.effect");
            }
        }
        pub mod smoke {
            use crate::bindings::known::*;
            /// Each hex that one strikes gets a marker; several may lie in it
            pub const MISSION: Clause = Clause::new("tcsbase.smoke.mission");
            /// A die of 4 or more removes a marker
            pub const REMOVE: Clause = Clause::new("tcsbase.smoke.remove");
            /// On a 5 what is left of the smoke goes a hex with the wind
            pub const ADVANCED: Clause = Clause::new("tcsbase.smoke.advanced");
        }
        pub mod spot {
            use crate::bindings::known::*;
            /// Who is in fire mode in cover must be spotted before he is fired at, unless he has fired, at aircraft too, or moved in view
            pub const OPT: Clause = Clause::new("tcsbase.spot.opt");
        }
        pub mod stack {
            use crate::bindings::known::*;
            /// Each unit in a hex is rolled for
            pub const FIRE: Clause = Clause::new("tcsbase.stack.fire");
            /// Fifteen steps of troops and ten vehicles of a side fit into a hex at the end of a move, all of a stack together; what is carried counts nothing
            pub const LIMIT: Clause = Clause::new("tcsbase.stack.limit");
        }
        pub mod terrain {
            use crate::bindings::known::*;
            /// Each terrain has a cost for each class of movement; each contour costs one more
            pub const MOVEMENT: Clause = Clause::new("tcsbase.terrain.movement");
            /// The target's terrain and mode change the dice
            pub const COMBAT: Clause = Clause::new("tcsbase.terrain.combat");
            /// Direct fire through one needs the firer or the target beside it, and is harder
            pub const HEDGEROW: Clause = Clause::new("tcsbase.terrain.hedgerow");
            /// A vehicle that enters it is lost on a 1
            pub const SLOWGO: Clause = Clause::new("tcsbase.terrain.slowgo");
        }
        pub mod unit {
            use crate::bindings::known::*;
            /// Units fire as area, as point, or with missiles
            pub const FIRE_KIND: Clause = Clause::new("tcsbase.unit.fire_kind");
            /// Troops are area targets, armour is a point target, light vehicles are both
            pub const TARGET_KIND: Clause = Clause::new("tcsbase.unit.target_kind");
            /// Ranges, attack and defence are those of the unit
            pub const VALUES: Clause = Clause::new("tcsbase.unit.values");
            /// A platoon has five steps, a vehicle one
            pub const STEPS: Clause = Clause::new("tcsbase.unit.steps");
            /// Losses lower no value; with the last step the unit is gone
            pub const LOSSES: Clause = Clause::new("tcsbase.unit.losses");
            /// A vehicle that is hit is out of the battle
            pub const VEHICLE_HIT: Clause = Clause::new("tcsbase.unit.vehicle_hit");
            /// Units belong to a company
            pub const COMPANY: Clause = Clause::new("tcsbase.unit.company");
            /// Whatever has wheels, tracks or rotors is a vehicle; all else goes on foot
            pub const CLASS: Clause = Clause::new("tcsbase.unit.class");
        }
        pub mod victory {
            use crate::bindings::known::*;
            /// Where a scenario has objectives, each counts at the end for the side that was last alone in it, and a side without a unit has lost
            pub const OBJECTIVES: Clause = Clause::new("tcsbase.victory.objectives");
            /// Where a scenario says so, each so many steps that a side has lost are a point for its enemy
            pub const LOSSES: Clause = Clause::new("tcsbase.victory.losses");
        }
    }
    pub mod cmd {
        use crate::bindings::known::*;
        /// Op sheets in force.
        pub mod reviewed {
            pub const ID: &str = "tcsbase.cmd.reviewed";
        }
        /// Op sheets that are prepared.
        pub mod accrued {
            pub const ID: &str = "tcsbase.cmd.accrued";
        }
        /// Whether a unit needs no op sheet for what it does.
        #[rule("tcsbase.cmd.is_free")]
        pub fn is_free(game: &Reads, unit: Unit) -> bool;
        /// Of some hexes those to which the orders of a unit let it go, on the ground or in the air.
        #[rule("tcsbase.cmd.goals")]
        pub fn goals(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex>;
        /// Of some hexes of the enemy those that the orders of a unit let it overrun.
        #[rule("tcsbase.cmd.prey")]
        pub fn prey(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex>;
        /// Where the enemies are to whom its orders let a unit go no nearer, on its way either.
        #[rule("tcsbase.cmd.shunned")]
        pub fn shunned(game: &Reads, unit: Unit) -> Vec<Hex>;
        /// Where the enemies are whom a side sees.
        #[rule("tcsbase.cmd.known")]
        pub fn known(game: &Reads, side: &str) -> Vec<Hex>;
        /// The units of a sheet: those who follow it, or for whom it is prepared.
        #[rule("tcsbase.cmd.members")]
        pub fn members(game: &Reads, sheet: Sheet) -> Vec<Unit>;
        /// Whether a unit may be put on a sheet that is written now.
        #[rule("tcsbase.cmd.may_join")]
        pub fn may_join(game: &Reads, unit: Unit) -> Verdict;
        /// Why `tcsbase.cmd.write` may not be done, if it may not.
        #[rule("tcsbase.cmd.write.allowed")]
        pub fn write_allowed(game: &Reads, actor: &str) -> Verdict;
        /// What `tcsbase.cmd.write` is worth to a bot.
        #[rule("tcsbase.cmd.write.score")]
        pub fn write_score(game: &Reads, actor: &str, params: &Record) -> i64;
        /// What can be chosen as `mission` of `tcsbase.cmd.write`.
        #[rule("tcsbase.cmd.write.mission")]
        pub fn write_mission(game: &Reads, actor: &str, params: &Record) -> Value;
        /// What can be chosen as `goal` of `tcsbase.cmd.write`.
        #[rule("tcsbase.cmd.write.goal")]
        pub fn write_goal(game: &Reads, actor: &str, params: &Record) -> Value;
        /// What can be chosen as `members` of `tcsbase.cmd.write`.
        #[rule("tcsbase.cmd.write.members")]
        pub fn write_members(game: &Reads, actor: &str, params: &Record) -> Value;
        /// Does `tcsbase.cmd.write`.
        #[rule("tcsbase.cmd.write.perform")]
        pub fn write_perform(game: &Acts, actor: &str, params: &Record);
        /// Those of a side who may be put on a sheet that is written now, those who are carried too.
        #[rule("tcsbase.cmd.candidates")]
        pub fn candidates(game: &Reads, side: &str) -> Vec<Unit>;
        /// What `tcsbase.cmd.cancel` is worth to a bot.
        #[rule("tcsbase.cmd.cancel.score")]
        pub fn cancel_score(game: &Reads, actor: Sheet, params: &Record) -> i64;
        /// Does `tcsbase.cmd.cancel`.
        #[rule("tcsbase.cmd.cancel.perform")]
        pub fn cancel_perform(game: &Acts, actor: Sheet, params: &Record);
        /// What a sheet gains in a turn: three; two if a unit of it follows another or at night; one if a unit of it has fired or was fired at in the last turn.
        #[rule("tcsbase.cmd.gain")]
        pub fn gain(game: &Reads, sheet: Sheet) -> i64;
        /// Sheets that are prepared gain weighted turns.
        #[step("tcsbase.cmd.accrue")]
        pub fn accrue(game: &Acts);
        /// What was tried may be tried anew. A sheet is done when one of its units holds the objective of its attack or move: its units are free for another. One whose units are all gone is dropped.
        #[step("tcsbase.cmd.review")]
        pub fn review(game: &Acts);
        /// Runs `tcsbase.cmd.reviewed`.
        #[rule("tcsbase.cmd.reviewed.run")]
        pub fn reviewed_run(game: &Acts);
        /// Runs `tcsbase.cmd.accrued`.
        #[rule("tcsbase.cmd.accrued.run")]
        pub fn accrued_run(game: &Acts);
        /// How large a sheet is: one for a company, two for more, three for a battalion.
        #[rule("tcsbase.cmd.size")]
        pub fn size(game: &Reads, sheet: Sheet) -> i64;
        /// What the dice, read as tens and units, must come to; nothing where it is impossible.
        #[rule("tcsbase.cmd.needed")]
        pub fn needed(game: &Reads, sheet: Sheet) -> Option<i64>;
        /// Why `tcsbase.cmd.implement` may not be done, if it may not.
        #[rule("tcsbase.cmd.implement.allowed")]
        pub fn implement_allowed(game: &Reads, actor: Sheet) -> Verdict;
        /// What `tcsbase.cmd.implement` is worth to a bot.
        #[rule("tcsbase.cmd.implement.score")]
        pub fn implement_score(game: &Reads, actor: Sheet, params: &Record) -> i64;
        /// Does `tcsbase.cmd.implement`.
        #[rule("tcsbase.cmd.implement.perform")]
        pub fn implement_perform(game: &Acts, actor: Sheet, params: &Record);
        /// A sheet comes into force: its units leave those that they followed.
        #[rule("tcsbase.cmd.bring_into_force")]
        pub fn bring_into_force(game: &Writes, sheet: Sheet);
        /// Why `tcsbase.cmd.call_reserve` may not be done, if it may not.
        #[rule("tcsbase.cmd.call_reserve.allowed")]
        pub fn call_reserve_allowed(game: &Reads, actor: Sheet) -> Verdict;
        /// What `tcsbase.cmd.call_reserve` is worth to a bot.
        #[rule("tcsbase.cmd.call_reserve.score")]
        pub fn call_reserve_score(game: &Reads, actor: Sheet, params: &Record) -> i64;
        /// Does `tcsbase.cmd.call_reserve`.
        #[rule("tcsbase.cmd.call_reserve.perform")]
        pub fn call_reserve_perform(game: &Acts, actor: Sheet, params: &Record);
    }
    pub mod events {
        use crate::bindings::known::*;
        /// {unit} at {sortie}: {dice} against {needed}: {result}.
        #[event("tcsbase.air.aa_fire")]
        pub struct AirAaFire<'t> {
            pub unit: Unit,
            pub sortie: Sortie,
            pub dice: i64,
            pub needed: i64,
            pub result: &'t str,
        }
        /// {sortie} over {at}.
        #[event("tcsbase.air.came")]
        pub struct AirCame {
            pub sortie: Sortie,
            pub at: Hex,
        }
        /// {sortie} takes {target} for the enemy.
        #[event("tcsbase.air.strayed")]
        pub struct AirStrayed {
            pub sortie: Sortie,
            pub target: Unit,
        }
        /// {battery} to {at}: {dice} against {needed}: {result}.
        #[event("tcsbase.art.adjusted")]
        pub struct ArtAdjusted<'t> {
            pub battery: Battery,
            pub at: Hex,
            pub dice: i64,
            pub needed: i64,
            pub result: &'t str,
        }
        /// {battery} checks its fire {place}: {reason}; nothing falls.
        #[event("tcsbase.art.checked")]
        pub struct ArtChecked<'t> {
            pub battery: Battery,
            pub at: Hex,
            pub place: &'t str,
            pub reason: &'t str,
        }
        /// the round of {battery} falls {place}: {result}.
        #[event("tcsbase.art.designated")]
        pub struct ArtDesignated<'t> {
            pub battery: Battery,
            pub at: Hex,
            pub place: &'t str,
            pub observer: Option<Entity>,
            pub result: &'t str,
        }
        /// {battery} does not fire at {at}: {reason}.
        #[event("tcsbase.art.dropped")]
        pub struct ArtDropped<'t> {
            pub battery: Battery,
            pub at: Hex,
            pub reason: &'t str,
        }
        /// of {battery}: {hexes}.
        #[event("tcsbase.art.fell")]
        pub struct ArtFell<'t> {
            pub battery: Battery,
            pub hexes: &'t str,
        }
        /// {battery} fires {load} at {at}.
        #[event("tcsbase.art.fired")]
        pub struct ArtFired<'t> {
            pub battery: Battery,
            pub size: i64,
            pub rounds: &'t str,
            pub load: &'t str,
            pub at: Hex,
        }
        /// a round at {target}: {dice}{modifier} against {needed}: {result}.
        #[event("tcsbase.art.vehicle_hit")]
        pub struct ArtVehicleHit<'t> {
            pub target: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub needed: i64,
            pub result: &'t str,
        }
        /// round {number} in {at}: {result}.
        #[event("tcsbase.assault.round")]
        pub struct AssaultRound<'t> {
            pub number: i64,
            pub at: Hex,
            pub result: &'t str,
        }
        /// {unit}, thrown out: suppressed.
        #[event("tcsbase.carry.kept_down")]
        pub struct CarryKeptDown {
            pub unit: Unit,
        }
        /// {unit} goes aboard {carrier}.
        #[event("tcsbase.carry.loaded")]
        pub struct CarryLoaded {
            pub unit: Unit,
            pub carrier: Unit,
        }
        /// {unit} is lost with {carrier}.
        #[event("tcsbase.carry.lost")]
        pub struct CarryLost {
            pub unit: Unit,
            pub carrier: Unit,
        }
        /// {unit}, in tow: {dice}, {result}.
        #[event("tcsbase.carry.tow")]
        pub struct CarryTow<'t> {
            pub unit: Unit,
            pub dice: i64,
            pub result: &'t str,
        }
        /// {unit} gets off {carrier}.
        #[event("tcsbase.carry.unloaded")]
        pub struct CarryUnloaded {
            pub unit: Unit,
            pub carrier: Unit,
        }
        /// the reserve of {sheet}: {die}, {result}.
        #[event("tcsbase.cmd.reserve_called")]
        pub struct CmdReserveCalled<'t> {
            pub sheet: Sheet,
            pub die: i64,
            pub result: &'t str,
        }
        /// {sheet}, {turns} weighted turns: {roll} against {needed}: {result}.
        #[event("tcsbase.cmd.tried")]
        pub struct CmdTried<'t> {
            pub sheet: Sheet,
            pub turns: i64,
            pub roll: i64,
            pub needed: &'t str,
            pub result: &'t str,
        }
        /// {target} {under}: {dice}{modifier}: {result}.
        #[event("tcsbase.fire.area_hit")]
        pub struct FireAreaHit<'t> {
            pub target: Unit,
            pub under: &'t str,
            pub dice: i64,
            pub modifier: &'t str,
            pub result: &'t str,
        }
        /// {firer} at {target} with {weapon}, range {range}: {dice}{modifier} against {needed}: {result}.
        #[event("tcsbase.fire.shot")]
        pub struct FireShot<'t> {
            pub firer: Unit,
            pub weapon: &'t str,
            pub target: Unit,
            pub range: i64,
            pub dice: i64,
            pub modifier: &'t str,
            pub needed: i64,
            pub result: &'t str,
        }
        /// {firers} at {at} with {weapon}.
        #[event("tcsbase.fire.volley")]
        pub struct FireVolley<'t> {
            pub firers: Vec<Unit>,
            pub at: Hex,
            pub weapon: &'t str,
        }
        /// {unit} at the mines in {at}: {die}, {result}.
        #[event("tcsbase.mines.breached")]
        pub struct MinesBreached<'t> {
            pub unit: Unit,
            pub at: Hex,
            pub die: i64,
            pub result: &'t str,
        }
        /// {unit} in mines: {dice}, {result}.
        #[event("tcsbase.mines.went_off")]
        pub struct MinesWentOff<'t> {
            pub unit: Unit,
            pub dice: i64,
            pub result: &'t str,
        }
        /// {unit}: {dice}{modifier}: {result}.
        #[event("tcsbase.morale.checked")]
        pub struct MoraleChecked<'t> {
            pub unit: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub result: &'t str,
        }
        /// company morale of {company}: {before} to {after}.
        #[event("tcsbase.morale.company_changed")]
        pub struct MoraleCompanyChanged {
            pub company: Company,
            pub before: i64,
            pub after: i64,
        }
        /// {unit} has nowhere to go and is lost.
        #[event("tcsbase.morale.overrun")]
        pub struct MoraleOverrun {
            pub unit: Unit,
        }
        /// {unit} rolls {die} to recover: {result}.
        #[event("tcsbase.morale.rallied")]
        pub struct MoraleRallied<'t> {
            pub unit: Unit,
            pub die: i64,
            pub result: &'t str,
        }
        /// {unit} falls back to {at}.
        #[event("tcsbase.morale.retreated")]
        pub struct MoraleRetreated {
            pub unit: Unit,
            pub at: Hex,
        }
        /// {unit} gives up.
        #[event("tcsbase.morale.surrendered")]
        pub struct MoraleSurrendered {
            pub unit: Unit,
        }
        /// {unit} enters {at}.
        #[event("tcsbase.move.entered_hex")]
        pub struct MoveEnteredHex {
            pub unit: Unit,
            pub at: Hex,
        }
        /// {unit} at {at}: {result}.
        #[event("tcsbase.overrun.done")]
        pub struct OverrunDone<'t> {
            pub unit: Unit,
            pub at: Hex,
            pub result: &'t str,
        }
        /// {what}: {die} against {needed}: {result}.
        #[event("tcsbase.ow.die")]
        pub struct OwDie<'t> {
            pub what: &'t str,
            pub die: i64,
            pub needed: i64,
            pub result: &'t str,
        }
        /// {die}: {side} {what} first.
        #[event("tcsbase.seq.first")]
        pub struct SeqFirst<'t> {
            pub die: i64,
            pub side: &'t str,
            pub what: &'t str,
        }
        /// in {at} {cleared} gone, {left} left.
        #[event("tcsbase.smoke.cleared")]
        pub struct SmokeCleared {
            pub at: Hex,
            pub cleared: i64,
            pub left: i64,
        }
        /// {die}: from {at} to {to}.
        #[event("tcsbase.smoke.drifted")]
        pub struct SmokeDrifted {
            pub die: i64,
            pub at: Hex,
            pub to: Hex,
        }
        /// in {at}.
        #[event("tcsbase.smoke.placed")]
        pub struct SmokePlaced {
            pub at: Hex,
        }
        /// {unit} looks for {target}: {dice}{modifier} against {needed}: {result}.
        #[event("tcsbase.spot.looked")]
        pub struct SpotLooked<'t> {
            pub unit: Unit,
            pub target: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub needed: i64,
            pub result: &'t str,
        }
        /// {unit} in soft ground: {die}, {result}.
        #[event("tcsbase.terrain.bogged")]
        pub struct TerrainBogged<'t> {
            pub unit: Unit,
            pub die: i64,
            pub result: &'t str,
        }
        /// {reason}: {score}: {result}.
        #[event("tcsbase.victory.ended")]
        pub struct VictoryEnded<'t> {
            pub reason: &'t str,
            pub score: &'t str,
            pub result: &'t str,
        }
        /// {side} takes {objective} at {at}.
        #[event("tcsbase.victory.taken")]
        pub struct VictoryTaken<'t> {
            pub objective: Objective,
            pub at: Hex,
            pub side: &'t str,
        }
        /// {dice}: {sky}, sight {sight}.
        #[event("tcsbase.weather.changed")]
        pub struct WeatherChanged<'t> {
            pub dice: i64,
            pub sky: &'t str,
            pub limit: i64,
            pub sight: &'t str,
        }
    }
    pub mod fire {
        use crate::bindings::known::*;
        #[record("tcsbase.fire.outcome")]
        pub struct Outcome {
            pub needed: i64,
            pub modifier: i64,
            pub dice: i64,
            pub killed: bool,
        }
        /// How far a weapon of a unit reaches, 0 without one.
        #[rule("tcsbase.fire.reach")]
        pub fn reach(game: &Reads, firer: Unit, weapon: Weapon) -> i64;
        /// The defence value of a unit against a kind of weapon: `point`, `shell`, `area`, or what a mod adds.
        #[rule("tcsbase.fire.defence")]
        pub fn defence(game: &Reads, target: Unit, against: &str) -> i64;
        /// What the target's terrain and mode add to the dice.
        #[rule("tcsbase.fire.terrain")]
        pub fn terrain(game: &Reads, target: Unit, table: Table) -> i64;
        /// What night and smoke add to the dice.
        #[rule("tcsbase.fire.sight")]
        pub fn sight(game: &Reads, firer: Unit, target: Unit, table: Table) -> i64;
        /// All that is added to the dice of direct fire.
        #[rule("tcsbase.fire.modifier")]
        pub fn modifier(game: &Reads, firer: Unit, target: Unit, table: Table) -> i64;
        /// Whether the gun of a unit can hit another, whatever the phase.
        #[rule("tcsbase.fire.may")]
        pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict;
        /// Whether a unit that fires finds what it fires at: whom it sees, it finds.
        #[rule("tcsbase.fire.finds")]
        pub fn finds(game: &Writes, firer: Unit, target: Unit) -> bool;
        /// Whether the gun of a unit can be used.
        #[rule("tcsbase.fire.gun_ready")]
        pub fn gun_ready(game: &Reads, firer: Unit) -> Verdict;
        /// What a game says of the gun of a unit, and of no other weapon: added to the dice of its shots.
        #[rule("tcsbase.fire.accuracy")]
        pub fn accuracy(game: &Reads, firer: Unit, weapon: &str) -> i64;
        /// What a weapon that kills a vehicle adds to the dice at those aboard it.
        #[rule("tcsbase.fire.power")]
        pub fn power(game: &Reads, firer: Unit, weapon: &str) -> Option<i64>;
        /// Rolls two dice against a number.
        #[rule("tcsbase.fire.roll")]
        pub fn roll(game: &Draws, firer: Unit, target: Unit, weapon: &str, needed: i64) -> crate::bindings::tcsbase::fire::Outcome;
        /// Tells a shot, and removes what it killed.
        #[rule("tcsbase.fire.apply")]
        pub fn apply(game: &Writes, firer: Unit, target: Unit, weapon: &str, outcome: &crate::bindings::tcsbase::fire::Outcome);
        /// The gun of a unit fires at another.
        #[step("tcsbase.fire.gun")]
        pub fn gun(game: &Acts, firer: Unit, target: Unit);
        /// Why `tcsbase.fire.shoot` may not be done, if it may not.
        #[rule("tcsbase.fire.shoot.allowed")]
        pub fn shoot_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.fire.shoot` is worth to a bot.
        #[rule("tcsbase.fire.shoot.score")]
        pub fn shoot_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `target` of `tcsbase.fire.shoot`.
        #[rule("tcsbase.fire.shoot.target")]
        pub fn shoot_target(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// What can be chosen as `with` of `tcsbase.fire.shoot`.
        #[rule("tcsbase.fire.shoot.with")]
        pub fn shoot_with(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.fire.shoot`.
        #[rule("tcsbase.fire.shoot.perform")]
        pub fn shoot_perform(game: &Acts, actor: Unit, params: &Record);
        pub mod area {
            use crate::bindings::known::*;
            #[record("tcsbase.fire.area.effect")]
            pub struct Effect {
                pub steps: i64,
                pub company: i64,
                pub check: bool,
            }
            #[record("tcsbase.fire.area.blow")]
            pub struct Blow {
                pub power: i64,
                pub modifier: i64,
                pub cause: String,
            }
            /// By what the firepower of a unit is divided.
            #[rule("tcsbase.fire.area.divisor")]
            pub fn divisor(game: &Reads, firer: Unit) -> i64;
            /// The firepower of a unit as it is, rounded once for all that divides it.
            #[rule("tcsbase.fire.area.strength")]
            pub fn strength(game: &Reads, firer: Unit) -> i64;
            /// The same at double, as in close combat: it is doubled first, and rounded then.
            #[rule("tcsbase.fire.area.doubled")]
            pub fn doubled(game: &Reads, firer: Unit) -> i64;
            /// The firepower of several together: what divides it is applied to each, and rounded once.
            #[rule("tcsbase.fire.area.combined")]
            pub fn combined(game: &Reads, firers: &[Unit]) -> i64;
            /// The same at double.
            #[rule("tcsbase.fire.area.combined_doubled")]
            pub fn combined_doubled(game: &Reads, firers: &[Unit]) -> i64;
            /// What firepower adds to the dice; nothing where there is too little to attack with.
            #[rule("tcsbase.fire.area.fpmod")]
            pub fn fpmod(game: &Reads, fp: i64) -> Option<i64>;
            /// The row of the Area Fire Table.
            #[rule("tcsbase.fire.area.result")]
            pub fn result(game: &Reads, total: i64) -> crate::bindings::tcsbase::fire::area::Effect;
            /// Whether area fire at a unit can hurt anybody.
            #[rule("tcsbase.fire.area.hurts")]
            pub fn hurts(game: &Reads, target: Unit) -> Verdict;
            /// Whether the area fire of a unit can reach another, whatever the phase.
            #[rule("tcsbase.fire.area.may")]
            pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict;
            /// Units fire together at a hex: each soft unit in it is attacked by all who may be turned on it, by the modifiers of whoever of them is placed worst, if the nearest of them finds it.
            #[step("tcsbase.fire.area.volley")]
            pub fn volley(game: &Acts, firers: &[Unit], at: Hex);
            /// All who have fired together have been in action.
            #[rule("tcsbase.fire.area.engage")]
            pub fn engage(game: &Writes, firers: &[Unit]);
            /// Those in a hex whom the fire of a unit attacks: nobody of its own side, and of those whom it may not be turned on, none.
            #[rule("tcsbase.fire.area.under_fire")]
            pub fn under_fire(game: &Reads, firer: Unit, at: Hex) -> Vec<Unit>;
            /// All in a hex that area fire attacks.
            #[rule("tcsbase.fire.area.exposed")]
            pub fn exposed(game: &Reads, at: Hex) -> Vec<Unit>;
            /// Area fire from overwatch attacks those who move, and no other in their hex.
            #[step("tcsbase.fire.area.at_movers")]
            pub fn at_movers(game: &Acts, firer: Unit, mover: Unit, fp: i64);
            /// What a gun has at troops: half its attack value as firepower, at all who are exposed in the hex.
            #[step("tcsbase.fire.area.shell")]
            pub fn shell(game: &Acts, firer: Unit, at: Hex);
            /// What a gun has at troops from overwatch: the same, at those who move.
            #[step("tcsbase.fire.area.shell_at_movers")]
            pub fn shell_at_movers(game: &Acts, firer: Unit, mover: Unit);
            /// Two dice on the Area Fire Table.
            #[step("tcsbase.fire.area.attack")]
            pub fn attack(game: &Acts, firer: Unit, target: Unit, fp: i64);
            /// Whether a unit checks its morale after a result that calls for it.
            #[rule("tcsbase.fire.area.checks")]
            pub fn checks(game: &Reads, unit: Unit, cause: &str) -> bool;
            /// What a unit is under that is rolled for on the Area Fire Table, in words, by what its losses come from, a word as for `tcsbase.unit.lose`.
            #[rule("tcsbase.fire.area.under")]
            pub fn under(game: &Reads, cause: &str) -> String;
            /// What a result of the Area Fire Table does to a unit.
            #[step("tcsbase.fire.area.suffer")]
            pub fn suffer(game: &Acts, target: Unit, dice: i64, blow: &crate::bindings::tcsbase::fire::area::Blow);
            /// Why `tcsbase.fire.area.shoot` may not be done, if it may not.
            #[rule("tcsbase.fire.area.shoot.allowed")]
            pub fn shoot_allowed(game: &Reads, actor: Unit) -> Verdict;
            /// What `tcsbase.fire.area.shoot` is worth to a bot.
            #[rule("tcsbase.fire.area.shoot.score")]
            pub fn shoot_score(game: &Reads, actor: Unit, params: &Record) -> i64;
            /// What can be chosen as `target` of `tcsbase.fire.area.shoot`.
            #[rule("tcsbase.fire.area.shoot.target")]
            pub fn shoot_target(game: &Reads, actor: Unit, params: &Record) -> Value;
            /// What can be chosen as `with` of `tcsbase.fire.area.shoot`.
            #[rule("tcsbase.fire.area.shoot.with")]
            pub fn shoot_with(game: &Reads, actor: Unit, params: &Record) -> Value;
            /// Does `tcsbase.fire.area.shoot`.
            #[rule("tcsbase.fire.area.shoot.perform")]
            pub fn shoot_perform(game: &Acts, actor: Unit, params: &Record);
        }
        pub mod atroll {
            use crate::bindings::known::*;
            /// Whether a unit can make an AT roll at another, in whatever mode it is.
            #[rule("tcsbase.fire.atroll.may")]
            pub fn may(game: &Reads, unit: Unit, target: Unit) -> Verdict;
            /// Those of a side who can make an AT roll at whoever has entered a hex.
            #[rule("tcsbase.fire.atroll.beside")]
            pub fn beside(game: &Reads, side: &str, entered: &Value) -> Vec<Unit>;
            /// Whether a unit can make an AT roll at an enemy who has entered a hex.
            #[rule("tcsbase.fire.atroll.ow_may")]
            pub fn ow_may(game: &Reads, unit: Unit, mover: Unit) -> Verdict;
            /// What the dice must come to, before modifiers.
            #[rule("tcsbase.fire.atroll.needed")]
            pub fn needed(game: &Reads, unit: Unit, target: Unit) -> i64;
            /// What the target's terrain and mode, and the night where nothing lights it, add to the dice.
            #[rule("tcsbase.fire.atroll.modifier")]
            pub fn modifier(game: &Reads, target: Unit) -> i64;
            /// Two dice against the number.
            #[step("tcsbase.fire.atroll.roll")]
            pub fn roll(game: &Acts, unit: Unit, target: Unit);
            /// Why `tcsbase.fire.atroll.try` may not be done, if it may not.
            #[rule("tcsbase.fire.atroll.try.allowed")]
            pub fn try_allowed(game: &Reads, actor: Unit) -> Verdict;
            /// What `tcsbase.fire.atroll.try` is worth to a bot.
            #[rule("tcsbase.fire.atroll.try.score")]
            pub fn try_score(game: &Reads, actor: Unit, params: &Record) -> i64;
            /// What can be chosen as `target` of `tcsbase.fire.atroll.try`.
            #[rule("tcsbase.fire.atroll.try.target")]
            pub fn try_target(game: &Reads, actor: Unit, params: &Record) -> Value;
            /// Does `tcsbase.fire.atroll.try`.
            #[rule("tcsbase.fire.atroll.try.perform")]
            pub fn try_perform(game: &Acts, actor: Unit, params: &Record);
            /// Why `tcsbase.fire.atroll.watch` may not be done, if it may not.
            #[rule("tcsbase.fire.atroll.watch.allowed")]
            pub fn watch_allowed(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered) -> Verdict;
            /// What `tcsbase.fire.atroll.watch` is worth to a bot.
            #[rule("tcsbase.fire.atroll.watch.score")]
            pub fn watch_score(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered, params: &Record) -> i64;
            /// Does `tcsbase.fire.atroll.watch`.
            #[rule("tcsbase.fire.atroll.watch.perform")]
            pub fn watch_perform(game: &Acts, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered, params: &Record);
        }
        pub mod point {
            use crate::bindings::known::*;
            /// Whether the gun of a unit can hurt another at any range.
            #[rule("tcsbase.fire.point.pierces")]
            pub fn pierces(game: &Reads, firer: Unit, target: Unit) -> bool;
            /// What the dice must come to, before modifiers; nothing where there is no shot.
            #[rule("tcsbase.fire.point.needed")]
            pub fn needed(game: &Reads, firer: Unit, target: Unit) -> Option<i64>;
        }
    }
    pub mod r#gen {
        use crate::bindings::known::*;
        /// Minutes since midnight.
        #[rule("tcsbase.gen.time")]
        pub fn time(game: &Reads) -> i64;
        /// A minute as people say it: the time of day, and which day it is after the first.
        #[rule("tcsbase.gen.clock_time")]
        pub fn clock_time(game: &Reads, minutes: i64) -> String;
        /// Whether the present turn is one of the full hour, which has hourly checks.
        #[rule("tcsbase.gen.is_full")]
        pub fn is_full(game: &Reads) -> bool;
        /// The clock goes on: to the next full hour by night, by day to the next third of one. So a night that falls at any minute has its full hours, and its midnight.
        #[step("tcsbase.gen.go_on")]
        pub fn go_on(game: &Acts);
        /// Companies recover, and the weather is looked at.
        #[step("tcsbase.gen.hourly")]
        pub fn hourly(game: &Acts);
    }
    pub mod illum {
        use crate::bindings::known::*;
        /// Whether an illumination round lights a hex.
        #[rule("tcsbase.illum.lit")]
        pub fn lit(game: &Reads, at: Hex) -> bool;
        /// A round burns over a hex.
        #[step("tcsbase.illum.burn")]
        pub fn burn(game: &Acts, at: Hex);
    }
    pub mod kinds {
        use crate::bindings::known::*;
        /// The kind `tcsbase.ground`.
        #[kind("tcsbase.ground")]
        pub struct Ground {
            /// what is on it
            terrain: Terrain,
            /// its height in contours of 20 m
            level: i64,
            /// smoke markers
            smoke: i64,
            /// markers of a persistent agent
            chem: i64,
        }
        /// The kind `tcsbase.border`.
        #[kind("tcsbase.border")]
        pub struct Border {
            /// one of them
            at: Hex,
            /// the other
            to: Hex,
            /// what lies there
            what: What,
        }
        /// The kind `tcsbase.road`.
        #[kind("tcsbase.road")]
        pub struct Road {
            /// how good it is
            sort: Sort,
            /// its hexes, one after the other
            along: Vec<Hex>,
        }
        /// The kind `tcsbase.light`.
        #[kind("tcsbase.light")]
        pub struct Light {
            /// where it burns
            at: Hex,
        }
        /// The kind `tcsbase.field`.
        #[kind("tcsbase.field")]
        pub struct Field {
            /// where they lie
            at: Hex,
            /// a lane leads through them
            has_lane: bool,
            /// it has gone off before the eyes of the enemy
            is_known: bool,
            /// FASCAM
            is_scattered: bool,
            /// of FASCAM: the minute at which it destroys itself
            expires: i64,
        }
        /// The kind `tcsbase.reference`.
        #[kind("tcsbase.reference")]
        pub struct Reference {
            /// where it is
            at: Hex,
        }
        /// The kind `tcsbase.clock`.
        #[kind("tcsbase.clock")]
        pub struct Clock {
            /// hexes that units see at most at night
            limit: i64,
            /// hexes that units see at most in the weather, 0 for any
            weather: i64,
            /// what the weather is
            sky: Sky,
            /// the weather is looked at on full hours
            is_changeable: bool,
            /// where the wind blows to, from 1 in the north clockwise; 0 for none
            wind: i64,
            /// it is night
            is_night: bool,
            /// the minute of the day at which night begins; the same as dawn where a game says nothing
            dusk: i64,
            /// and at which it ends
            dawn: i64,
            /// since midnight of the first day
            minutes: i64,
            /// fire missions so far
            missions: i64,
            /// hexes entered so far
            trigger: i64,
            /// the trigger at which fire was last returned
            returned: i64,
            /// the side that fires first in this turn
            first_fire: String,
            /// the side that moves first in this turn
            first_action: String,
            /// the side whose assaults have begun
            assaulting: String,
            /// steps that a side loses for each point of its enemy; 0 where losses do not count
            steps_a_point: i64,
            /// steps that each side has lost, where losses count
            losses: BTreeMap<String, i64>,
            /// minutes since the conflict began
            conflict: i64,
        }
        /// The kind `tcsbase.objective`.
        #[kind("tcsbase.objective")]
        pub struct Objective {
            at: Hex,
            /// points for who holds it at the end
            worth: i64,
            /// the side that was last alone in it; empty for none
            holder: String,
        }
        /// The kind `tcsbase.company`.
        #[kind("tcsbase.company")]
        pub struct Company {
            /// company morale: high is bad
            morale: i64,
        }
        /// The kind `tcsbase.sheet`.
        #[kind("tcsbase.sheet")]
        pub struct Sheet {
            /// a prepared defence, an attack, a hasty defence, a move
            mission: SheetMission,
            /// its objective
            goal: Hex,
            /// the objective of its reserve or alternate mission
            reserve: Option<Hex>,
            /// the command prep rating of the force
            staff: i64,
            /// weighted turns of preparation
            turns: i64,
            /// its units follow it
            is_in_force: bool,
            /// it has been tried in this turn
            has_tried: bool,
        }
        /// The kind `tcsbase.unit`.
        #[kind("tcsbase.unit")]
        pub struct Unit {
            /// where it is
            at: Hex,
            /// it is not on the map now
            is_off_map: bool,
            /// what it is to those who fire at it
            target: Target,
            /// how it moves
            class: Class,
            /// the company that it belongs to
            company: Option<Company>,
            /// the battalion or task force that it belongs to
            force: String,
            /// the platoon that a vehicle or squad belongs to
            platoon: String,
            /// steps of the whole unit
            steps: i64,
            /// steps lost
            lost: i64,
            /// its rating, 1 the best; 0 for those that have none
            morale: i64,
            /// defence value
            dv: i64,
            /// attack value of its gun
            av: i64,
            /// range of its gun in hexes, 0 without one
            reach: i64,
            /// minor differences of its gun
            accuracy: i64,
            /// area firepower
            fp: i64,
            /// range of its area fire in hexes
            area_reach: i64,
            /// movement points
            allowance: i64,
            /// the mode that it is in
            mode: Mode,
            /// what fire has done to it
            state: State,
            /// its hatches are shut
            is_buttoned: bool,
            /// it is in holes or behind earth
            is_dug_in: bool,
            /// it opens lanes through mines
            is_engineer: bool,
            /// bots move it at the enemy
            advances: bool,
            /// it has fired overwatch
            is_marked: bool,
            /// the trigger at which it last asked to fire overwatch
            asked: i64,
            /// whether it may fire at that trigger
            may_again: bool,
            /// the trigger at which its gun last fired overwatch
            gun_trigger: i64,
            /// its gun has fired in this phase
            has_fired: bool,
            /// it has ended its move in this phase
            has_moved: bool,
            /// sixths of a movement point that it has used in this phase
            used: i64,
            /// it has fired or been fired at in this turn
            is_engaged: bool,
            /// and in the last turn
            was_engaged: bool,
            /// it makes AT rolls at vehicles beside it
            is_infantry: bool,
            /// it has made its AT roll in this phase
            has_rolled: bool,
            /// the trigger at which it last made an AT roll
            roll_trigger: i64,
            /// the enemy has spotted it in this turn, where that is played
            is_spotted: bool,
            /// whether fire at it, where it is now, was permitted
            trigger: Trigger,
            /// how many marked units may still fire at it there, by the simplified rule
            marked_left: i64,
            /// what it needs against aircraft, 0 if it cannot
            aa: i64,
            /// how far it reaches aircraft
            aa_reach: i64,
            /// squads that it takes up aboard another, a platoon two; 0 if it cannot be carried
            bulk: i64,
            /// squads that it carries inside
            room: i64,
            /// troops may ride outside on it
            takes_riders: bool,
            /// it can tow a gun
            tows: bool,
            /// it is a gun that is towed
            is_towed: bool,
            /// what carries it
            carrier: Option<Unit>,
            /// it rides outside
            is_outside: bool,
            /// the op sheet that it follows
            sheet: Option<Sheet>,
            /// the op sheet that is prepared for it
            next_sheet: Option<Sheet>,
            /// its modes are fire and dual
            has_dual: bool,
            /// the type of its missiles
            missile: Option<String>,
            /// shots left, where they are counted
            missiles: i64,
            /// shots that it has fired, where they are counted; of a helicopter since it last rested
            missiles_spent: i64,
            /// its missile has been fired in this phase
            has_launched: bool,
            /// the trigger at which its missile was last fired from overwatch
            missile_trigger: i64,
            /// of a launcher of supersonic missiles: the trigger at which its gun was last fired
            main_gun_trigger: i64,
            /// it has tried to fire back before a missile arrives
            has_countered: bool,
            /// the enemy has fired between its missile and its gun
            is_answered: bool,
            /// of a helicopter
            height: Height,
            /// of a helicopter: its crew learns to pop up late, or never
            is_soviet: bool,
            /// it is in a pop-up
            is_up: bool,
            /// in its pop-up it fires something else than its missile
            keeps_missile: bool,
            /// it has popped up in this phase
            has_popped: bool,
            /// it has popped up in this phase in answer to a pop-up
            has_countered_up: bool,
            /// it fires at helicopters that it does not see, as FOG-M does
            aims_unseeing: bool,
            /// the helicopters that it has fired at in this phase
            fired_up_at: Vec<Unit>,
            /// points that it has flown in this phase
            spent: i64,
            /// what it sees with at night
            sight: Sight,
            /// it can observe Copperhead, where few can
            designates: bool,
            /// mines fell on it, and it has not left the hex
            is_caught: bool,
            /// on foot, where scattered mines are passed for three times the cost: it pays the usual one, and is attacked
            hurries: bool,
            /// on foot: it had not the points for the hex with scattered mines that it went to, or left
            is_short: bool,
            /// how far its crew or men are protected from chemicals
            mopp: Mopp,
            /// of a vehicle: it is protected itself
            has_nbc: bool,
            /// of a vehicle: those inside are under armour
            is_enclosed: bool,
            /// a carrier of mechanized infantry
            is_micv: bool,
            /// of a carrier: Dragons can be fired from inside
            has_hatch: bool,
            /// of a vehicle: its row in the table of AT rolls at modern armour
            model: String,
            /// advanced armour
            plates: Plates,
            /// of a helicopter: it can carry a sling load
            slings: bool,
            /// of a vehicle, or what is towed: it can hang under a helicopter
            is_slingable: bool,
            /// of a helicopter: minutes over the map since it rested
            station: i64,
            /// of a helicopter: minutes off the map
            rest: i64,
            /// of a helicopter: it has been over the map, and flown off it
            has_left: bool,
            /// of a helicopter: the hex that it is on its way to overrun
            strafes: Option<Hex>,
            /// of a helicopter: hexes that it has overrun in this phase
            overran: Vec<Hex>,
            /// and the units in them
            overran_units: Vec<Unit>,
        }
        /// The kind `tcsbase.battery`.
        #[kind("tcsbase.battery")]
        pub struct Battery {
            /// where it is, if it is on the map
            at: Option<Hex>,
            /// direct or general support
            role: Role,
            /// its role from the next turn on
            next_role: Option<Role>,
            /// the force that it supports directly; empty for all
            force: String,
            /// turns from a call to the fire
            delay: i64,
            /// what it fires with
            system: System,
            /// of its tubes, in millimetres, or `rocket`
            caliber: String,
            /// tubes that it has left, or what else it fires with
            tubes: i64,
            /// battery fires, or single rounds, left of each sort
            stock: BTreeMap<String, i64>,
            /// battery fires in this turn
            fired_now: i64,
            /// battery fires in the last turn
            fired_last: i64,
            /// it has fired immediate suppression in this turn
            has_suppressed: bool,
            /// it has fired overwatch in this turn
            has_watched: bool,
            /// counterbattery points
            cb: i64,
            /// electronic warfare points
            ew: i64,
            /// it has fired counterbattery in this turn
            has_countered: bool,
            /// tubes that it has lost to counterbattery in this turn
            lost_now: i64,
            /// the missions of this turn whose batteries it has looked for
            tried: Vec<i64>,
            /// Copperhead rounds that it has fired in this turn
            guided_now: i64,
            /// its dedicated target
            dedicated: Option<Hex>,
            /// the one that comes with the next op sheet
            next_dedicated: Option<Hex>,
            /// the op sheet that it comes with
            dedicated_sheet: Option<Sheet>,
            /// it has fired at it in this turn
            has_dedicated: bool,
            /// battery fires at it in this turn
            dedicated_now: i64,
        }
        /// The kind `tcsbase.mission`.
        #[kind("tcsbase.mission")]
        pub struct Mission {
            /// the battery that fires it
            battery: Option<Battery>,
            /// the sort of rounds
            rounds: String,
            /// battery fires, or single rounds
            size: i64,
            /// tubes that fire it
            tubes: i64,
            /// how its rounds are spread: tight, normal or open
            pattern: Pattern,
            /// the hex that was plotted
            at: Hex,
            /// turns until it is fired
            due: i64,
            /// it is immediate suppression
            is_sudden: bool,
            /// of chemical rounds: gone at once, or not
            agent: Agent,
            /// battery fires of chemical rounds that are mixed into it
            chem: i64,
            /// hexes that chemical rounds of it have struck
            gassed: Vec<Hex>,
            /// hexes that shells of it have struck, where it is mixed
            shelled: Vec<Hex>,
            /// of FASCAM: where the pattern lies from its corner
            way: i64,
            /// of FASCAM: how its rows lie beside the first
            shape: Shape,
            /// of FASCAM: minutes until it destroys itself
            life: i64,
            /// it is fired at a dedicated target
            is_dedicated: bool,
        }
        /// The kind `tcsbase.sortie`.
        #[kind("tcsbase.sortie")]
        pub struct Sortie {
            /// its firepower
            fp: i64,
            /// attacks left
            attacks: i64,
            /// the hex that it was sent to in this turn
            at: Option<Hex>,
            /// the helicopter that it hunts
            prey: Option<Unit>,
        }
    }
    pub mod los {
        use crate::bindings::known::*;
        /// The height of the ground of a hex, in metres.
        #[rule("tcsbase.los.ground")]
        pub fn ground(game: &Reads, at: Hex) -> i64;
        /// Smoke markers in a hex.
        #[rule("tcsbase.los.smoke_at")]
        pub fn smoke_at(game: &Reads, at: Hex) -> i64;
        /// Whether the line between two hexes runs along hexsides. Any other line that is on a hexside goes from one hex of it into the other, and passes both.
        #[rule("tcsbase.los.runs_along")]
        pub fn runs_along(game: &Reads, a: Hex, b: Hex) -> bool;
        /// Whether nothing rises above the line between two heights, given in metres above the ground.
        #[rule("tcsbase.los.clear")]
        pub fn clear(game: &Reads, a: Hex, above_a: i64, b: Hex, above_b: i64) -> bool;
        /// How many metres above the ground a unit is.
        #[rule("tcsbase.los.height_of")]
        pub fn height_of(game: &Reads, unit: Unit) -> i64;
        /// Whether smoke between them does not hide the target.
        #[rule("tcsbase.los.through_smoke")]
        pub fn through_smoke(game: &Reads, unit: Unit, target: Unit) -> bool;
        /// Whether there is smoke anywhere.
        #[rule("tcsbase.los.is_smoky")]
        pub fn is_smoky(game: &Reads) -> bool;
        /// Whether no smoke lies between two hexes, on both sides where the line runs along a hexside.
        #[rule("tcsbase.los.is_free_of_smoke")]
        pub fn is_free_of_smoke(game: &Reads, a: Hex, b: Hex) -> bool;
        /// How many hexes a unit sees at most in the dark.
        #[rule("tcsbase.los.night_limit")]
        pub fn night_limit(game: &Reads, unit: Unit, target: Unit) -> i64;
        /// How many hexes a unit sees where it is dark.
        #[rule("tcsbase.los.dark_limit")]
        pub fn dark_limit(game: &Reads, unit: Unit) -> i64;
        /// How many hexes a unit sees at most in the weather.
        #[rule("tcsbase.los.weather_limit")]
        pub fn weather_limit(game: &Reads, unit: Unit) -> i64;
        /// How many hexes the weather lets anybody see who has nothing to help him.
        #[rule("tcsbase.los.sky_limit")]
        pub fn sky_limit(game: &Reads) -> i64;
        /// Whether a unit sees another.
        #[rule("tcsbase.los.sees")]
        pub fn sees(game: &Reads, unit: Unit, target: Unit) -> bool;
        /// Whether another unit sees from its place what a unit sees: what else a rule has it depend on is added here.
        #[rule("tcsbase.los.sees_like")]
        pub fn sees_like(game: &Reads, unit: Unit, other: Unit) -> bool;
        /// Whether a unit sees a hex, or what flies over it.
        #[rule("tcsbase.los.sees_hex")]
        pub fn sees_hex(game: &Reads, unit: Unit, at: Hex) -> bool;
    }
    pub mod map {
        use crate::bindings::known::*;
        #[record("tcsbase.map.ring")]
        pub struct Ring {
            pub title: String,
            pub radius: Length,
        }
        #[record("tcsbase.map.words")]
        pub struct Words {
            pub attribute: String,
            pub text: String,
        }
        /// How far the weapons of a unit reach: its gun to a quarter and a half of its range, too. A hex is an inch.
        #[rule("tcsbase.map.rings")]
        pub fn rings(game: &Reads, piece: Entity) -> Vec<crate::bindings::tcsbase::map::Ring>;
        /// What players read in place of the minutes of the clock: times of the day.
        #[rule("tcsbase.map.words")]
        pub fn words(game: &Reads, piece: Entity) -> Vec<crate::bindings::tcsbase::map::Words>;
    }
    pub mod mines {
        use crate::bindings::known::*;
        /// Hidden fields.
        pub mod buried {
            pub const ID: &str = "tcsbase.mines.buried";
        }
        /// What a hex with mines costs a unit in sixths, which costs so much without them; a lane costs a point.
        #[rule("tcsbase.mines.cost")]
        pub fn cost(game: &Reads, unit: Unit, field: Field, without: i64) -> i64;
        /// Whether a field attacks a unit.
        #[rule("tcsbase.mines.harms")]
        pub fn harms(game: &Reads, unit: Unit, field: Field) -> bool;
        /// Whether a field is one that the side of a unit has laid itself.
        #[rule("tcsbase.mines.is_own")]
        pub fn is_own(game: &Reads, unit: Unit, field: Field) -> bool;
        /// Vehicles by dice, troops on the Area Fire Table without modifiers of terrain.
        #[step("tcsbase.mines.attack")]
        pub fn attack(game: &Acts, unit: Unit, field: Field);
        /// Runs `tcsbase.mines.buried`.
        #[rule("tcsbase.mines.buried.run")]
        pub fn buried_run(game: &Acts);
        /// Hides them.
        #[step("tcsbase.mines.bury")]
        pub fn bury(game: &Acts);
        /// Why `tcsbase.mines.open_lane` may not be done, if it may not.
        #[rule("tcsbase.mines.open_lane.allowed")]
        pub fn open_lane_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.mines.open_lane` is worth to a bot.
        #[rule("tcsbase.mines.open_lane.score")]
        pub fn open_lane_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `at` of `tcsbase.mines.open_lane`.
        #[rule("tcsbase.mines.open_lane.at")]
        pub fn open_lane_at(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.mines.open_lane`.
        #[rule("tcsbase.mines.open_lane.perform")]
        pub fn open_lane_perform(game: &Acts, actor: Unit, params: &Record);
        /// Engineers who are still there open it on a 5.
        #[step("tcsbase.mines.clear_lane")]
        pub fn clear_lane(game: &Acts, unit: Unit, at: Hex);
    }
    pub mod mode {
        use crate::bindings::known::*;
        /// Whether the mode of a unit lets it fire in the Suppressive Fire Phase.
        #[rule("tcsbase.mode.fires")]
        pub fn fires(game: &Reads, unit: Unit) -> Verdict;
        /// Whether the mode and state of a unit let it fire overwatch.
        #[rule("tcsbase.mode.watches")]
        pub fn watches(game: &Reads, unit: Unit) -> Verdict;
        /// Whether the mode of a unit lets it move.
        #[rule("tcsbase.mode.moves")]
        pub fn moves(game: &Reads, unit: Unit) -> Verdict;
        /// Whether a unit counts as moving to those who fire at it.
        #[rule("tcsbase.mode.is_moving")]
        pub fn is_moving(game: &Reads, unit: Unit) -> bool;
        /// The modes that a unit may be in, now and by a change.
        #[rule("tcsbase.mode.choices")]
        pub fn choices(game: &Reads, unit: Unit) -> Vec<String>;
        /// Why `tcsbase.mode.change` may not be done, if it may not.
        #[rule("tcsbase.mode.change.allowed")]
        pub fn change_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.mode.change` is worth to a bot.
        #[rule("tcsbase.mode.change.score")]
        pub fn change_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `mode` of `tcsbase.mode.change`.
        #[rule("tcsbase.mode.change.mode")]
        pub fn change_mode(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.mode.change`.
        #[rule("tcsbase.mode.change.perform")]
        pub fn change_perform(game: &Acts, actor: Unit, params: &Record);
        /// Whether a bot stands still for somebody at whom it may fire.
        #[rule("tcsbase.mode.has_target")]
        pub fn has_target(game: &Reads, unit: Unit) -> bool;
        /// Why `tcsbase.mode.switch` may not be done, if it may not.
        #[rule("tcsbase.mode.switch.allowed")]
        pub fn switch_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.mode.switch` is worth to a bot.
        #[rule("tcsbase.mode.switch.score")]
        pub fn switch_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `mode` of `tcsbase.mode.switch`.
        #[rule("tcsbase.mode.switch.mode")]
        pub fn switch_mode(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.mode.switch`.
        #[rule("tcsbase.mode.switch.perform")]
        pub fn switch_perform(game: &Acts, actor: Unit, params: &Record);
    }
    pub mod morale {
        use crate::bindings::known::*;
        /// What losses, company and rating add to a morale check.
        #[rule("tcsbase.morale.crossref")]
        pub fn crossref(game: &Reads, unit: Unit) -> i64;
        /// What the cause of a morale check and cover add to it: artillery two, and close combat two.
        #[rule("tcsbase.morale.modifier")]
        pub fn modifier(game: &Reads, unit: Unit, cause: &str) -> i64;
        /// What houses and holes add to a morale check.
        #[rule("tcsbase.morale.cover")]
        pub fn cover(game: &Reads, unit: Unit) -> i64;
        /// The row of the Morale Table.
        #[rule("tcsbase.morale.result")]
        pub fn result(game: &Reads, total: i64) -> ResultsEffect;
        /// A unit checks its morale.
        #[step("tcsbase.morale.check")]
        pub fn check(game: &Acts, unit: Unit, cause: &str);
        /// What a result of the Morale Table does to a unit.
        #[rule("tcsbase.morale.falter")]
        pub fn falter(game: &Writes, unit: Unit, effect: ResultsEffect, cause: &str);
        /// Whether a unit that would surrender finds somebody to do it to: an enemy on the ground within three hexes.
        #[rule("tcsbase.morale.gives_up")]
        pub fn gives_up(game: &Reads, unit: Unit, cause: &str) -> bool;
        /// Up to five points of movement away, to end farther from the nearest enemy and beside none; whoever cannot is lost.
        #[step("tcsbase.morale.retreat")]
        pub fn retreat(game: &Acts, unit: Unit);
        /// Of some hexes those in which a unit that falls back may end.
        #[rule("tcsbase.morale.havens")]
        pub fn havens(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex>;
        /// It falls back hex by hex: what lies there has its effect.
        #[step("tcsbase.morale.fall_back")]
        pub fn fall_back(game: &Acts, unit: Unit, from: Hex, way: &[Hex]);
        /// What becomes of those who were kept down, in the Clean Up Phase.
        #[rule("tcsbase.morale.rally")]
        pub fn rally(game: &Writes, unit: Unit);
        /// Takes steps of a unit, and morale of its company.
        #[rule("tcsbase.morale.losses")]
        pub fn losses(game: &Writes, unit: Unit, steps: i64, company: i64, cause: &str);
        /// What the loss of a whole unit by fire adds to company morale: two for a platoon.
        #[rule("tcsbase.morale.grief")]
        pub fn grief(game: &Reads, unit: Unit) -> i64;
        /// Worsens the morale of the company of a unit.
        #[rule("tcsbase.morale.worsen")]
        pub fn worsen(game: &Writes, unit: Unit, by: i64, cause: &str);
        /// Which fraction of its morale a company recovers in an hour, as a divisor.
        #[rule("tcsbase.morale.share")]
        pub fn share(game: &Reads, company: Company) -> i64;
        /// Recovers morale of a company on the full hour.
        #[rule("tcsbase.morale.recover")]
        pub fn recover(game: &Writes, company: Company);
    }
    pub mod r#move {
        use crate::bindings::known::*;
        #[record("tcsbase.move.reached")]
        pub struct Reached {
            pub hex: Hex,
            pub before: Hex,
            pub cost: i64,
        }
        /// How many times what the next hex costs a unit pays to leave its own.
        #[rule("tcsbase.move.leaving")]
        pub fn leaving(game: &Reads, unit: Unit) -> i64;
        /// The movement points of a unit as it is.
        #[rule("tcsbase.move.allowance")]
        pub fn allowance(game: &Reads, unit: Unit) -> i64;
        /// The hexes that a unit can move to, each with the one before it.
        #[rule("tcsbase.move.reach")]
        pub fn reach(game: &Reads, unit: Unit) -> Vec<crate::bindings::tcsbase::r#move::Reached>;
        /// Whether a unit can move to a hex, for who asks about one alone: what it says of all is `reach`.
        #[rule("tcsbase.move.reaches")]
        pub fn reaches(game: &Reads, unit: Unit, to: Hex) -> bool;
        /// Whether a unit may move one hex, whatever it costs: it has not moved.
        #[rule("tcsbase.move.one_at_least")]
        pub fn one_at_least(game: &Reads, unit: Unit) -> bool;
        /// Whether another of its stack reaches and may enter what a unit does, for nothing parts them that counts there: what else a rule has it depend on is added here.
        #[rule("tcsbase.move.moves_like")]
        pub fn moves_like(game: &Reads, unit: Unit, other: Unit) -> bool;
        /// Those of the stack of a unit who may move.
        #[rule("tcsbase.move.companions")]
        pub fn companions(game: &Reads, unit: Unit) -> Vec<Unit>;
        /// Where a bot of a side goes that advances: to what the enemy holds, and to the enemy.
        #[rule("tcsbase.move.goals")]
        pub fn goals(game: &Reads, side: &str) -> Vec<Hex>;
        /// Where a bot takes a unit: nowhere if it does not advance.
        #[rule("tcsbase.move.aims")]
        pub fn aims(game: &Reads, unit: Unit) -> Vec<Hex>;
        /// Of some hexes those in which a unit may end its move.
        #[rule("tcsbase.move.stops")]
        pub fn stops(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex>;
        /// How many of others may end their move in a hex together with a unit, whichever they are.
        #[rule("tcsbase.move.company")]
        pub fn company(game: &Reads, unit: Unit, to: Hex, others: &[Unit]) -> i64;
        /// Whether a unit may move.
        #[rule("tcsbase.move.may")]
        pub fn may(game: &Reads, unit: Unit) -> Verdict;
        /// A unit enters the next hex of its way; whoever watches may fire.
        #[step("tcsbase.move.walk")]
        pub fn walk(game: &Acts, unit: Unit, way: &[Hex]);
        /// Whether what keeps a unit down lets it go into the next hex: no nearer to an enemy whom it sees, and nowhere if it is paralyzed.
        #[rule("tcsbase.move.dares")]
        pub fn dares(game: &Reads, unit: Unit, next: Hex) -> bool;
        /// Whether nobody has come into the way of a unit.
        #[rule("tcsbase.move.goes_on")]
        pub fn goes_on(game: &Reads, unit: Unit, next: Hex) -> bool;
        /// Whether what lies in its hex has an effect on a unit as it leaves: then it tries anew when that is over.
        #[rule("tcsbase.move.caught_leaving")]
        pub fn caught_leaving(game: &Writes, unit: Unit) -> bool;
        /// A unit has arrived in a hex from another one: what lies there has its effect.
        #[step("tcsbase.move.arrive")]
        pub fn arrive(game: &Acts, unit: Unit, from: Hex);
        /// Whoever watches may fire at it there.
        #[step("tcsbase.move.watched")]
        pub fn watched(game: &Acts, unit: Unit);
        /// A unit pays for its move to a hex, in sixths.
        #[rule("tcsbase.move.pay")]
        pub fn pay(game: &Writes, unit: Unit, to: Hex, cost: i64);
        /// Why `tcsbase.move.go` may not be done, if it may not.
        #[rule("tcsbase.move.go.allowed")]
        pub fn go_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.move.go` is worth to a bot.
        #[rule("tcsbase.move.go.score")]
        pub fn go_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `to` of `tcsbase.move.go`.
        #[rule("tcsbase.move.go.to")]
        pub fn go_to(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// What can be chosen as `with` of `tcsbase.move.go`.
        #[rule("tcsbase.move.go.with")]
        pub fn go_with(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.move.go`.
        #[rule("tcsbase.move.go.perform")]
        pub fn go_perform(game: &Acts, actor: Unit, params: &Record);
    }
    pub mod options {
        pub mod art {
            use crate::bindings::known::*;
            /// Whether a battery with a delay, which is one of called fire, suppresses at once like any other.
            pub const DELAYED: Setting<Delayed> = Setting::new("tcsbase.art.delayed");
            /// Whether missions that were called are known to their own side alone until they are fired, or to all.
            pub const PLOTS: Setting<Plots> = Setting::new("tcsbase.art.plots");
        }
        pub mod assault {
            use crate::bindings::known::*;
            /// Whether others than the defender may fire overwatch at those who go into an assault.
            pub const OVERWATCH: Setting<Overwatch> = Setting::new("tcsbase.assault.overwatch");
        }
        pub mod cmd {
            use crate::bindings::known::*;
            /// By how much the weighted turns of a sheet with vehicles alone are multiplied.
            pub const VEHICLE_TURNS: Setting<i64> = Setting::new("tcsbase.cmd.vehicle_turns");
        }
        pub mod fire {
            pub mod atroll {
                use crate::bindings::known::*;
                /// What night adds to an AT roll.
                pub const NIGHT: Setting<i64> = Setting::new("tcsbase.fire.atroll.night");
            }
        }
        pub mod los {
            use crate::bindings::known::*;
            /// A line along a hexside is blocked if this many block.
            pub const HEXSIDES: Setting<Hexsides> = Setting::new("tcsbase.los.hexsides");
        }
        pub mod night {
            use crate::bindings::known::*;
            /// The night modifier on the fire tables.
            pub const MODIFIER: Setting<i64> = Setting::new("tcsbase.night.modifier");
        }
        pub mod ow {
            use crate::bindings::known::*;
            /// Whether the moving side may fire back at a unit that fires overwatch.
            pub const RETURN_FIRE: Setting<ReturnFire> = Setting::new("tcsbase.ow.return_fire");
            /// What marked units need within three hexes: their own die, or permission too.
            pub const NEAR_MARKED: Setting<NearMarked> = Setting::new("tcsbase.ow.near_marked");
        }
    }
    pub mod overrun {
        use crate::bindings::known::*;
        #[record("tcsbase.overrun.chance")]
        pub struct Chance {
            pub at: Hex,
            pub from: Hex,
            pub cost: i64,
        }
        /// What an overrun costs in sixths besides the hex.
        #[rule("tcsbase.overrun.price")]
        pub fn price(game: &Reads, unit: Unit) -> i64;
        /// Whether a unit may overrun anybody.
        #[rule("tcsbase.overrun.may")]
        pub fn may(game: &Reads, unit: Unit) -> Verdict;
        /// Whether an enemy can be overrun where it is.
        #[rule("tcsbase.overrun.may_target")]
        pub fn may_target(game: &Reads, unit: Unit, target: Unit) -> Verdict;
        /// The enemies in a hex whom a unit drives over, if they can be overrun at all.
        #[rule("tcsbase.overrun.victims")]
        pub fn victims(game: &Reads, unit: Unit, at: Hex) -> Vec<Unit>;
        /// Of some hexes those from which a unit may drive in: one that is stopped ends its move there.
        #[rule("tcsbase.overrun.posts")]
        pub fn posts(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex>;
        /// The hexes that a unit can reach and overrun.
        #[rule("tcsbase.overrun.chances")]
        pub fn chances(game: &Reads, unit: Unit) -> Vec<crate::bindings::tcsbase::overrun::Chance>;
        /// Why `tcsbase.overrun.go` may not be done, if it may not.
        #[rule("tcsbase.overrun.go.allowed")]
        pub fn go_allowed(game: &Reads, actor: Unit) -> Verdict;
        /// What `tcsbase.overrun.go` is worth to a bot.
        #[rule("tcsbase.overrun.go.score")]
        pub fn go_score(game: &Reads, actor: Unit, params: &Record) -> i64;
        /// What can be chosen as `at` of `tcsbase.overrun.go`.
        #[rule("tcsbase.overrun.go.at")]
        pub fn go_at(game: &Reads, actor: Unit, params: &Record) -> Value;
        /// Does `tcsbase.overrun.go`.
        #[rule("tcsbase.overrun.go.perform")]
        pub fn go_perform(game: &Acts, actor: Unit, params: &Record);
        /// Whoever has come to the side of the enemy drives in: the defender fires, then the attacker.
        #[step("tcsbase.overrun.drive_in")]
        pub fn drive_in(game: &Acts, unit: Unit, from: Hex, at: Hex);
        /// Defender's Fire Segment: all in the hex fire, whatever their mode; not those who have fired from overwatch as it came in.
        #[step("tcsbase.overrun.defend")]
        pub fn defend(game: &Acts, unit: Unit, at: Hex);
        /// Attacker's Fire Segment: area fire at double, then the gun at one vehicle.
        #[step("tcsbase.overrun.attack")]
        pub fn attack(game: &Acts, unit: Unit, at: Hex);
        /// Whoever got off a carrier that the area fire has destroyed checks his morale, also where he has cover and could not be overrun himself: else he does with the other defenders.
        #[step("tcsbase.overrun.shaken")]
        pub fn shaken(game: &Acts, unit: Unit, at: Hex, carried: &[Unit]);
        /// The gun, at one of the vehicles that the area fire has left: whichever its player chooses.
        #[step("tcsbase.overrun.aim")]
        pub fn aim(game: &Acts, unit: Unit, at: Hex);
        /// The defenders check their morale, riders as well, if it has not been driven out of their hex.
        #[step("tcsbase.overrun.check")]
        pub fn check(game: &Acts, unit: Unit, at: Hex);
        /// If a defender is left standing, in cover or not, the attacker stops where it came from; else it may go on, and whoever is kept down in the hex falls back.
        #[step("tcsbase.overrun.settle")]
        pub fn settle(game: &Acts, unit: Unit, from: Hex, at: Hex);
        /// A unit that was stopped is where it came from, and moves no more.
        #[rule("tcsbase.overrun.stop")]
        pub fn stop(game: &Writes, unit: Unit, from: Hex);
    }
    pub mod ow {
        use crate::bindings::known::*;
        #[window("tcsbase.ow.entered")]
        pub struct Entered {
            pub mover: Unit,
        }
        #[window("tcsbase.ow.fired")]
        pub struct Fired {
            pub firer: Unit,
            pub mover: Unit,
        }
        /// Puts a unit into the next hex of its way: fire at it there has not been permitted yet.
        #[rule("tcsbase.ow.enter")]
        pub fn enter(game: &Writes, mover: Unit, at: Hex);
        /// Whether a unit may fire its gun from overwatch at this trigger.
        #[rule("tcsbase.ow.gun")]
        pub fn gun(game: &Reads, unit: Unit, mover: Unit) -> Verdict;
        /// Whether a unit may fire at a mover with area fire from overwatch at this trigger.
        #[rule("tcsbase.ow.volley")]
        pub fn volley(game: &Reads, unit: Unit, mover: Unit) -> Verdict;
        /// Whether a unit needs no permission to fire at a mover.
        #[rule("tcsbase.ow.free")]
        pub fn free(game: &Reads, unit: Unit, mover: Unit) -> bool;
        /// Whether a unit may try to fire overwatch, whatever its weapon.
        #[rule("tcsbase.ow.may")]
        pub fn may(game: &Reads, unit: Unit, mover: Unit) -> Verdict;
        /// Those of a side who may try to fire overwatch at whoever has entered a hex, whatever their weapons.
        #[rule("tcsbase.ow.watchers")]
        pub fn watchers(game: &Reads, side: &str, entered: &Value) -> Vec<Unit>;
        /// Of these those whose guns may fire at it: nobody else is asked.
        #[rule("tcsbase.ow.gunners")]
        pub fn gunners(game: &Reads, side: &str, entered: &Value) -> Vec<Unit>;
        /// Of these those who may fire at it with area fire: nobody else is asked.
        #[rule("tcsbase.ow.shooters")]
        pub fn shooters(game: &Reads, side: &str, entered: &Value) -> Vec<Unit>;
        /// Rolls for permission where it is needed; marks the unit if it fires.
        #[rule("tcsbase.ow.ask")]
        pub fn ask(game: &Writes, unit: Unit, mover: Unit) -> bool;
        /// Why `tcsbase.ow.fire` may not be done, if it may not.
        #[rule("tcsbase.ow.fire.allowed")]
        pub fn fire_allowed(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered) -> Verdict;
        /// What `tcsbase.ow.fire` is worth to a bot.
        #[rule("tcsbase.ow.fire.score")]
        pub fn fire_score(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered, params: &Record) -> i64;
        /// Does `tcsbase.ow.fire`.
        #[rule("tcsbase.ow.fire.perform")]
        pub fn fire_perform(game: &Acts, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered, params: &Record);
        /// Why `tcsbase.ow.fire_area` may not be done, if it may not.
        #[rule("tcsbase.ow.fire_area.allowed")]
        pub fn fire_area_allowed(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered) -> Verdict;
        /// What `tcsbase.ow.fire_area` is worth to a bot.
        #[rule("tcsbase.ow.fire_area.score")]
        pub fn fire_area_score(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered, params: &Record) -> i64;
        /// Does `tcsbase.ow.fire_area`.
        #[rule("tcsbase.ow.fire_area.perform")]
        pub fn fire_area_perform(game: &Acts, actor: Unit, window: &crate::bindings::tcsbase::ow::Entered, params: &Record);
        /// By an option the moving side may fire back, once at a trigger: where somebody has fired from inside a vehicle, at that.
        #[rule("tcsbase.ow.answered")]
        pub fn answered(game: &Writes, firer: Unit, mover: Unit);
        /// Whether a unit of the moving side may fire back at who has fired, whatever its weapon.
        #[rule("tcsbase.ow.may_return")]
        pub fn may_return(game: &Reads, unit: Unit, firer: Unit) -> Verdict;
        /// Why `tcsbase.ow.return` may not be done, if it may not.
        #[rule("tcsbase.ow.return.allowed")]
        pub fn return_allowed(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Fired) -> Verdict;
        /// What `tcsbase.ow.return` is worth to a bot.
        #[rule("tcsbase.ow.return.score")]
        pub fn return_score(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Fired, params: &Record) -> i64;
        /// Does `tcsbase.ow.return`.
        #[rule("tcsbase.ow.return.perform")]
        pub fn return_perform(game: &Acts, actor: Unit, window: &crate::bindings::tcsbase::ow::Fired, params: &Record);
        /// Why `tcsbase.ow.return_area` may not be done, if it may not.
        #[rule("tcsbase.ow.return_area.allowed")]
        pub fn return_area_allowed(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Fired) -> Verdict;
        /// What `tcsbase.ow.return_area` is worth to a bot.
        #[rule("tcsbase.ow.return_area.score")]
        pub fn return_area_score(game: &Reads, actor: Unit, window: &crate::bindings::tcsbase::ow::Fired, params: &Record) -> i64;
        /// Does `tcsbase.ow.return_area`.
        #[rule("tcsbase.ow.return_area.perform")]
        pub fn return_area_perform(game: &Acts, actor: Unit, window: &crate::bindings::tcsbase::ow::Fired, params: &Record);
    }
    pub mod seq {
        use crate::bindings::known::*;
        /// Game.
        pub mod game {
            pub const ID: &str = "tcsbase.seq.game";
        }
        /// Turn.
        pub mod turn {
            pub const ID: &str = "tcsbase.seq.turn";
        }
        /// Command.
        pub mod command {
            pub const ID: &str = "tcsbase.seq.command";
        }
        /// What the full hour brings.
        pub mod hour {
            pub const ID: &str = "tcsbase.seq.hour";
        }
        /// Mode Determination.
        pub mod mode {
            pub const ID: &str = "tcsbase.seq.mode";
        }
        /// Overwatch markers come off.
        pub mod markers {
            pub const ID: &str = "tcsbase.seq.markers";
        }
        /// Call for Fire.
        pub mod call {
            pub const ID: &str = "tcsbase.seq.call";
        }
        /// Who fires first.
        pub mod first_fire {
            pub const ID: &str = "tcsbase.seq.first_fire";
        }
        /// Sorties.
        pub mod sorties {
            pub const ID: &str = "tcsbase.seq.sorties";
        }
        /// Missions.
        pub mod missions {
            pub const ID: &str = "tcsbase.seq.missions";
        }
        /// Suppressive Fire.
        pub mod direct {
            pub const ID: &str = "tcsbase.seq.direct";
        }
        /// Who moves first.
        pub mod first_action {
            pub const ID: &str = "tcsbase.seq.first_action";
        }
        /// Action.
        pub mod action {
            pub const ID: &str = "tcsbase.seq.action";
        }
        /// Clean Up.
        pub mod cleanup {
            pub const ID: &str = "tcsbase.seq.cleanup";
        }
        /// Runs `tcsbase.seq.hour`.
        #[rule("tcsbase.seq.hour.run")]
        pub fn hour_run(game: &Acts);
        /// Runs `tcsbase.seq.markers`.
        #[rule("tcsbase.seq.markers.run")]
        pub fn markers_run(game: &Acts);
        /// Runs `tcsbase.seq.first_fire`.
        #[rule("tcsbase.seq.first_fire.run")]
        pub fn first_fire_run(game: &Acts);
        /// Runs `tcsbase.seq.sorties`.
        #[rule("tcsbase.seq.sorties.run")]
        pub fn sorties_run(game: &Acts);
        /// Runs `tcsbase.seq.missions`.
        #[rule("tcsbase.seq.missions.run")]
        pub fn missions_run(game: &Acts);
        /// Runs `tcsbase.seq.first_action`.
        #[rule("tcsbase.seq.first_action.run")]
        pub fn first_action_run(game: &Acts);
        /// The side that the die has named for the Suppressive Fire Phase.
        #[rule("tcsbase.seq.fires_first")]
        pub fn fires_first(game: &Reads, data: &Value) -> String;
        /// The side that the die has named for the Action Phase.
        #[rule("tcsbase.seq.moves_first")]
        pub fn moves_first(game: &Reads, data: &Value) -> String;
        /// Runs `tcsbase.seq.cleanup`.
        #[rule("tcsbase.seq.cleanup.run")]
        pub fn cleanup_run(game: &Acts);
        /// What the Clean Up Phase does for a unit.
        #[rule("tcsbase.seq.refresh")]
        pub fn refresh(game: &Writes, unit: Unit);
        /// tcsbase.seq.may_end.
        #[rule("tcsbase.seq.may_end")]
        pub fn may_end(game: &Reads, side: &str) -> Verdict;
        /// tcsbase.seq.over.
        #[rule("tcsbase.seq.over")]
        pub fn over(game: &Reads) -> bool;
    }
    pub mod smoke {
        use crate::bindings::known::*;
        /// A marker of smoke.
        #[step("tcsbase.smoke.place")]
        pub fn place(game: &Acts, at: Hex);
        /// Each marker goes on a die of 4 or more.
        #[step("tcsbase.smoke.clear")]
        pub fn clear(game: &Acts, at: Ground);
        /// Whether smoke hides others from a unit.
        #[rule("tcsbase.smoke.blinds")]
        pub fn blinds(game: &Reads, unit: Unit) -> bool;
        /// How far a unit could fire at those who come.
        #[rule("tcsbase.smoke.threat")]
        pub fn threat(game: &Reads, unit: Unit) -> i64;
        /// The hexes in which smoke hides those of a side who come from enemies who could fire at them, right before these: what it is worth there to a bot.
        #[rule("tcsbase.smoke.screens")]
        pub fn screens(game: &Reads, side: &str) -> Vec<crate::bindings::tcsbase::art::Prize>;
        /// What all dice have left drifts on a 5, where there is a wind; off the map it is lost.
        #[step("tcsbase.smoke.drift")]
        pub fn drift(game: &Acts);
    }
    pub mod spot {
        use crate::bindings::known::*;
        /// Behind what a unit is hidden, if it has not been spotted.
        #[rule("tcsbase.spot.cover")]
        pub fn cover(game: &Reads, target: Unit) -> Cover;
        /// Whoever fires, at aircraft too, or moves in view of an enemy has been spotted, and with him what he fires from.
        #[rule("tcsbase.spot.show")]
        pub fn show(game: &Writes, unit: Unit);
    }
    pub mod stack {
        use crate::bindings::known::*;
        /// Of some hexes those in which a unit may come down to the ground: where no enemy stands.
        #[rule("tcsbase.stack.grounds")]
        pub fn grounds(game: &Reads, unit: Unit, hexes: &[Hex]) -> Vec<Hex>;
        /// Whether a unit takes up room in its hex: what is on the ground does.
        #[rule("tcsbase.stack.takes_room")]
        pub fn takes_room(game: &Reads, unit: Unit) -> bool;
    }
    pub mod tables {
        use crate::bindings::known::*;
        /// Sorts of rounds.
        #[table("tcsbase.art.kinds")]
        pub struct ArtKinds {
            #[key]
            pub rounds: String,
            pub is_single: bool,
            pub effect: Effect,
            pub title: String,
        }
        /// Patterns.
        #[table("tcsbase.art.pattern")]
        pub struct ArtPattern {
            #[key]
            pub die: i64,
            pub a: i64,
            pub b: i64,
            pub c: i64,
        }
        /// Artillery and Mortars against Point Targets.
        #[table("tcsbase.art.point.numbers")]
        pub struct ArtPointNumbers {
            #[key]
            pub caliber: String,
            #[key]
            pub armour: Armour,
            pub needed: Option<i64>,
        }
        /// Rounds.
        #[table("tcsbase.art.rounds")]
        pub struct ArtRounds {
            #[key]
            pub rounds: String,
            #[key]
            pub caliber: String,
            pub fp: i64,
        }
        /// Designator.
        #[table("tcsbase.art.strays")]
        pub struct ArtStrays {
            #[key]
            pub die: i64,
            pub hexes: i64,
        }
        /// Command Prep Table.
        #[table("tcsbase.cmd.numbers")]
        pub struct CmdNumbers {
            #[key]
            pub row: i64,
            pub c1: Option<i64>,
            pub c2: Option<i64>,
            pub c3: Option<i64>,
            pub c4: Option<i64>,
            pub c5: Option<i64>,
            pub c6: i64,
            pub c7: i64,
            pub c8: i64,
            pub c9: i64,
            pub c10: i64,
            pub c11: i64,
        }
        /// Weighted turns.
        #[table("tcsbase.cmd.thresholds")]
        pub struct CmdThresholds {
            #[key]
            pub column: i64,
            pub prepared: i64,
            pub attack: i64,
            pub hasty: i64,
            pub r#move: i64,
        }
        /// Area Fire Table.
        #[table("tcsbase.fire.area.results")]
        pub struct FireAreaResults {
            #[key]
            pub from: i64,
            pub steps: i64,
            pub company: i64,
            pub check: bool,
        }
        /// AT Roll Table.
        #[table("tcsbase.fire.atroll.numbers")]
        pub struct FireAtrollNumbers {
            #[key]
            pub place: Place,
            #[key]
            pub armour: NumbersArmour,
            pub needed: i64,
        }
        /// Point Fire Table.
        #[table("tcsbase.fire.point.numbers")]
        pub struct FirePointNumbers {
            #[key]
            pub row: i64,
            #[key]
            pub column: i64,
            pub needed: i64,
        }
        /// Morale Table.
        #[table("tcsbase.morale.results")]
        pub struct MoraleResults {
            #[key]
            pub from: i64,
            pub effect: ResultsEffect,
        }
        /// Terrain.
        #[table("tcsbase.terrain.effects")]
        pub struct TerrainEffects {
            #[key]
            pub terrain: EffectsTerrain,
            pub height: i64,
            pub foot: Option<i64>,
            pub tracked: Option<i64>,
            pub wheeled: Option<i64>,
            pub still: i64,
            pub moving: i64,
            pub area_still: i64,
            pub area_moving: i64,
            pub at_roll_still: i64,
            pub at_roll_moving: i64,
            pub cover: Cover,
        }
        /// Roads.
        #[table("tcsbase.terrain.roads")]
        pub struct TerrainRoads {
            #[key]
            pub sort: Sort,
            pub foot: i64,
            pub tracked: i64,
            pub wheeled: i64,
        }
        /// Hexsides.
        #[table("tcsbase.terrain.sides")]
        pub struct TerrainSides {
            #[key]
            pub what: What,
            pub foot: Option<i64>,
            pub tracked: Option<i64>,
            pub wheeled: Option<i64>,
            pub takes_all: bool,
        }
        /// Weather.
        #[table("tcsbase.weather.hourly")]
        pub struct WeatherHourly {
            #[key]
            pub from: i64,
            pub sky: Sky,
            pub limit: i64,
        }
    }
    pub mod terrain {
        use crate::bindings::known::*;
        #[record("tcsbase.terrain.crossing")]
        pub struct Crossing {
            pub before: Hex,
            pub behind: Hex,
        }
        /// Whether there are hedgerows anywhere.
        #[rule("tcsbase.terrain.has_hedgerows")]
        pub fn has_hedgerows(game: &Reads) -> bool;
        /// The hedgerows that a line crosses, each by the hexes before and behind it.
        #[rule("tcsbase.terrain.crossed")]
        pub fn crossed(game: &Reads, a: Hex, b: Hex) -> Vec<crate::bindings::tcsbase::terrain::Crossing>;
        /// Whether direct fire of a unit at another goes through all hedgerows between them: it does beside the firer or the target.
        #[rule("tcsbase.terrain.hedgerow")]
        pub fn hedgerow(game: &Reads, firer: Unit, target: Unit) -> Verdict;
        /// Whether no hedgerow is in the way of direct fire.
        #[rule("tcsbase.terrain.past_hedgerows")]
        pub fn past_hedgerows(game: &Reads, firer: Unit, target: Unit) -> Verdict;
        /// The die.
        #[step("tcsbase.terrain.bog")]
        pub fn bog(game: &Acts, unit: Unit);
    }
    pub mod unit {
        use crate::bindings::known::*;
        /// Whether a unit is a vehicle; all else goes on foot.
        #[rule("tcsbase.unit.is_vehicle")]
        pub fn is_vehicle(game: &Reads, unit: Unit) -> bool;
        /// Whether those on the ground may turn their weapons on a unit at all.
        #[rule("tcsbase.unit.from_the_ground")]
        pub fn from_the_ground(game: &Reads, target: Unit) -> Verdict;
        /// All units on the map that nobody carries.
        #[rule("tcsbase.unit.units")]
        pub fn units(game: &Reads) -> Vec<Unit>;
        /// Those of a side.
        #[rule("tcsbase.unit.of_side")]
        pub fn of_side(game: &Reads, side: &str) -> Vec<Unit>;
        /// Those of all others.
        #[rule("tcsbase.unit.against")]
        pub fn against(game: &Reads, side: &str) -> Vec<Unit>;
        /// Takes a unit out of play. The cause is a word: `fire`, `shells`, `mines`, `soft ground`, `close combat`, `surrender`, `retreat`. Its power is what the weapon adds to the dice of area fire, for what else it may do; whoever is aboard gets off.
        #[rule("tcsbase.unit.lose")]
        pub fn lose(game: &Writes, unit: Unit, cause: &str, power: Option<i64>);
        /// Steps that a unit has left.
        #[rule("tcsbase.unit.left")]
        pub fn left(game: &Reads, unit: Unit) -> i64;
    }
    pub mod victory {
        use crate::bindings::known::*;
        /// Victory.
        pub mod decide {
            pub const ID: &str = "tcsbase.victory.decide";
        }
        /// An objective goes to the side that is alone in it, and stays with it until the other is.
        #[rule("tcsbase.victory.take")]
        pub fn take(game: &Writes, objective: Objective);
        /// What the objectives are worth that a side holds.
        #[rule("tcsbase.victory.held")]
        pub fn held(game: &Reads, side: &str) -> i64;
        /// What a side has for the steps that its enemy has lost.
        #[rule("tcsbase.victory.toll")]
        pub fn toll(game: &Reads, side: &str) -> i64;
        /// Steps that a unit loses count, where losses do.
        #[rule("tcsbase.victory.count")]
        pub fn count(game: &Writes, unit: Unit, steps: i64);
        /// Runs `tcsbase.victory.decide`.
        #[rule("tcsbase.victory.decide.run")]
        pub fn decide_run(game: &Acts);
    }
    pub mod weather {
        use crate::bindings::known::*;
        /// The hourly look at the weather, where a game has it change.
        #[step("tcsbase.weather.look")]
        pub fn look(game: &Acts);
    }
}
/// Tactical Combat Series: Modern.
pub mod tcs {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::tcsbase::clauses as tcsbase;
        pub use crate::bindings::tcs::clauses as tcs;
        pub mod armor {
            use crate::bindings::known::*;
            /// Modern tanks take from the dice of AT rolls
            pub const ATROLL: Clause = Clause::new("tcs.armor.atroll");
            /// Whoever knows better changes them
            pub const HOMEBREW: Clause = Clause::new("tcs.armor.homebrew");
            /// Eight more against everything
            pub const DUA: Clause = Clause::new("tcs.armor.dua");
            /// Each game says who has it
            pub const OPT: Clause = Clause::new("tcs.armor.opt");
            pub mod atroll {
                use crate::bindings::known::*;
                /// And from nothing else
                pub const NOTARTY: Clause = Clause::new("tcs.armor.atroll.notarty");
            }
            pub mod reactive {
                use crate::bindings::known::*;
                /// Five more against missiles and bomblets
                pub const HEAT: Clause = Clause::new("tcs.armor.reactive.heat");
                /// Two more against all else, tip charges too
                pub const OTHER: Clause = Clause::new("tcs.armor.reactive.other");
                /// Nobody rides on it
                pub const NOCARRY: Clause = Clause::new("tcs.armor.reactive.nocarry");
            }
        }
        pub mod atgm {
            use crate::bindings::known::*;
            /// Missiles have a table of their own, with the modifiers of point fire
            pub const TABLE: Clause = Clause::new("tcs.atgm.table");
            /// Each type has an attack value, a nominal and a minimum range
            pub const VALUES: Clause = Clause::new("tcs.atgm.values");
            /// Missiles are fired in addition to other weapons
            pub const EXTRA_FIRE: Clause = Clause::new("tcs.atgm.extra_fire");
            /// Not into the own hex, not by the suppressed
            pub const LIMITS: Clause = Clause::new("tcs.atgm.limits");
            /// A tenth of the attack value as firepower
            pub const AREA: Clause = Clause::new("tcs.atgm.area");
            /// Each shot is counted
            pub const SUPPLY: Clause = Clause::new("tcs.atgm.supply");
            /// Infantry with missiles makes AT rolls like any other
            pub const ATROLL_UNCHANGED: Clause = Clause::new("tcs.atgm.atroll_unchanged");
            /// No fire at the minimum range or less
            pub const MINRANGE: Clause = Clause::new("tcs.atgm.minrange");
            /// One overwatch marker and one roll cover all weapons
            pub const OW_ONE_MARKER: Clause = Clause::new("tcs.atgm.ow_one_marker");
            /// The weapons of a unit may go to different targets, each once a phase
            pub const SPLIT: Clause = Clause::new("tcs.atgm.split");
            /// To half the nominal range, to it, to twice it
            pub const ROWS: Clause = Clause::new("tcs.atgm.rows");
            /// By attack against defence; at -6 there is no fire
            pub const COLS: Clause = Clause::new("tcs.atgm.cols");
            pub mod at8 {
                use crate::bindings::known::*;
                /// When a missile is fired at it, a 6 lets it fire first
                pub const COUNTER: Clause = Clause::new("tcs.atgm.at8.counter");
                /// If it is marked, a second 6 is needed
                pub const MARKED: Clause = Clause::new("tcs.atgm.at8.marked");
                /// Its shot is resolved first; if the firer is destroyed or suppressed, the other missile is lost
                pub const ORDER: Clause = Clause::new("tcs.atgm.at8.order");
                /// Not against missiles that need nobody, nor helicopters
                pub const CANNOT: Clause = Clause::new("tcs.atgm.at8.cannot");
                /// Where spotting is played, the firer must be spotted first; the missile that it has just fired does not show it
                pub const SPOT: Clause = Clause::new("tcs.atgm.at8.spot");
                /// From overwatch it fires its missile or its gun, not both
                pub const OW_EXCLUSIVE: Clause = Clause::new("tcs.atgm.at8.ow_exclusive");
            }
            pub mod split {
                use crate::bindings::known::*;
                /// Between two targets of one unit the enemy has a fire
                pub const ALTERNATE: Clause = Clause::new("tcs.atgm.split.alternate");
                /// Both weapons may fire at one target; the enemy may make one fire between them
                pub const SAME: Clause = Clause::new("tcs.atgm.split.same");
            }
        }
        pub mod cb {
            use crate::bindings::known::*;
            /// A battery in the counterbattery role fires at batteries only
            pub const ROLE: Clause = Clause::new("tcs.cb.role");
            /// Right after a mission of the enemy, its battery may be looked for; the answer can be answered in turn
            pub const TRIGGER: Clause = Clause::new("tcs.cb.trigger");
            /// One counterbattery fire per battery per turn; failed attempts do not count
            pub const RATE: Clause = Clause::new("tcs.cb.rate");
            /// Any number of batteries may join; each resolves its own die
            pub const MANY: Clause = Clause::new("tcs.cb.many");
            /// Points change hands in the turn at midnight only
            pub const POINTS: Clause = Clause::new("tcs.cb.points");
            /// A die for each net point, against a number by how often the target fired
            pub const ACQUIRE: Clause = Clause::new("tcs.cb.acquire");
            /// Who rolled must fire once the target is found
            pub const COMMIT: Clause = Clause::new("tcs.cb.commit");
            /// The target's own points are taken off once
            pub const EW: Clause = Clause::new("tcs.cb.ew");
            /// A die halved for improved rounds, a third for high explosive: so many tubes are lost
            pub const RESOLVE: Clause = Clause::new("tcs.cb.resolve");
            /// Two tubes or fewer take two off the die; a launcher does not
            pub const TWOTUBES: Clause = Clause::new("tcs.cb.twotubes");
            /// Each answer costs a battery fire
            pub const AMMO: Clause = Clause::new("tcs.cb.ammo");
            /// Guns on the map leave play with their last tube; nothing else in the hex is touched
            pub const ONMAP: Clause = Clause::new("tcs.cb.onmap");
            /// It is never called beforehand
            pub const UNPLANNED: Clause = Clause::new("tcs.cb.unplanned");
            /// Mortars take no part
            pub const MORTARS: Clause = Clause::new("tcs.cb.mortars");
        }
        pub mod chem {
            use crate::bindings::known::*;
            /// The game says who has what means; batteries are the usual one
            pub const DELIVERY: Clause = Clause::new("tcs.chem.delivery");
            /// The agent is plotted; chemical rounds may be mixed into a mission, three battery fires with them at most, and into none that is fired at once
            pub const PLOT: Clause = Clause::new("tcs.chem.plot");
            /// They attack in no ordinary way
            pub const NOREGULAR: Clause = Clause::new("tcs.chem.noregular");
            /// One is gone at once, the other stays and attacks whoever comes
            pub const TYPES: Clause = Clause::new("tcs.chem.types");
            /// They show hexes and rounds
            pub const MARKERS: Clause = Clause::new("tcs.chem.markers");
            /// Dice, protection and up to three for rounds, on the Area Fire Table; then morale
            pub const AREA: Clause = Clause::new("tcs.chem.area");
            /// Dice and protection: on 10 the crew is lost, and all inside
            pub const POINT: Clause = Clause::new("tcs.chem.point");
            /// Whoever is not enclosed is attacked for himself
            pub const PASSENGERS: Clause = Clause::new("tcs.chem.passengers");
            /// Two rolls; checks have both columns and the artillery
            pub const MIXED: Clause = Clause::new("tcs.chem.mixed");
            /// Each marker goes on a 6
            pub const REMOVE: Clause = Clause::new("tcs.chem.remove");
            /// On 4 in rain
            pub const RAIN: Clause = Clause::new("tcs.chem.rain");
            /// In the nap of the earth they are vehicles, low they are safe; in High they go down there and up again, and fly no hex of it
            pub const HELO: Clause = Clause::new("tcs.chem.helo");
            /// A protected vehicle is one level higher, at no price
            pub const NBCPROT: Clause = Clause::new("tcs.chem.nbcprot");
            pub mod morale {
                use crate::bindings::known::*;
                /// Every change is doubled
                pub const COMPANY: Clause = Clause::new("tcs.chem.morale.company");
                /// Six, four or two more, by protection; no cover, no artillery
                pub const MOD: Clause = Clause::new("tcs.chem.morale.mod");
            }
        }
        pub mod copperhead {
            use crate::bindings::known::*;
            /// Issued as single rounds
            pub const AMMO: Clause = Clause::new("tcs.copperhead.ammo");
            /// Seven more on the dice against a vehicle
            pub const MOD: Clause = Clause::new("tcs.copperhead.mod");
            /// Somebody must see where it falls, or it is not fired
            pub const OBSERVER: Clause = Clause::new("tcs.copperhead.observer");
            /// Only units that are named for it can observe it
            pub const DESIGNATORS: Clause = Clause::new("tcs.copperhead.designators");
            /// A tube fires one in a turn, and nothing else; other tubes fire what they like
            pub const RATE: Clause = Clause::new("tcs.copperhead.rate");
            /// Those of a battery may go to different hexes
            pub const TARGETS: Clause = Clause::new("tcs.copperhead.targets");
            /// Never as immediate suppression
            pub const CALL: Clause = Clause::new("tcs.copperhead.call");
            /// No designator, no adjustment: it lands in any hex within three of the plot
            pub const PLACEMENT: Clause = Clause::new("tcs.copperhead.placement");
            /// It does nothing to troops, but as passengers
            pub const AREA: Clause = Clause::new("tcs.copperhead.area");
            /// It attacks one unit of a stack
            pub const SINGLE_TARGET: Clause = Clause::new("tcs.copperhead.single_target");
            /// It may be fired at them, at four more
            pub const HELO: Clause = Clause::new("tcs.copperhead.helo");
        }
        pub mod dedicated {
            use crate::bindings::known::*;
            /// A battery in direct support may hold one target
            pub const DEF: Clause = Clause::new("tcs.dedicated.def");
            /// It is set as an op sheet is prepared, and comes with it
            pub const ASSIGN: Clause = Clause::new("tcs.dedicated.assign");
            /// It is fired as immediate suppression, right there, in any pattern
            pub const FIRE: Clause = Clause::new("tcs.dedicated.fire");
            /// It falls on that hex and no other
            pub const NO_ADJUST: Clause = Clause::new("tcs.dedicated.no_adjust");
            /// Neither batteries with a delay nor those that cannot suppress
            pub const WHO: Clause = Clause::new("tcs.dedicated.who");
        }
        pub mod dual {
            use crate::bindings::known::*;
            /// A third mode: able to fire accurately on the move
            pub const DEF: Clause = Clause::new("tcs.dual.def");
            /// A unit with dual mode is in fire or dual mode, and has no move mode
            pub const SIDES: Clause = Clause::new("tcs.dual.sides");
            /// It may fire in the Suppressive Fire Phase and move in the Action Phase
            pub const FIRE_THEN_MOVE: Clause = Clause::new("tcs.dual.fire_then_move");
            /// Nobody fires overwatch in dual mode
            pub const NO_OVERWATCH: Clause = Clause::new("tcs.dual.no_overwatch");
            /// In all else it counts as move mode
            pub const AS_MOVE: Clause = Clause::new("tcs.dual.as_move");
            /// In fire mode nothing is different
            pub const FIREMODE_NORMAL: Clause = Clause::new("tcs.dual.firemode_normal");
            /// Who carries an overwatch marker cannot change to dual mode
            pub const OWMARKED_NO_CHANGE: Clause = Clause::new("tcs.dual.owmarked_no_change");
            /// Nobody fires missiles in dual mode
            pub const NO_ATGM: Clause = Clause::new("tcs.dual.no_atgm");
        }
        pub mod fascam {
            use crate::bindings::known::*;
            /// Each makes one pattern of mines
            pub const AMMO: Clause = Clause::new("tcs.fascam.ammo");
            /// They lie in the open
            pub const OPEN: Clause = Clause::new("tcs.fascam.open");
            /// They know no friends
            pub const BOTH_SIDES: Clause = Clause::new("tcs.fascam.both_sides");
            /// Nine hexes, three by three, the plotted one at a corner
            pub const PATTERN: Clause = Clause::new("tcs.fascam.pattern");
            /// No designator, no immediate suppression
            pub const AUTO: Clause = Clause::new("tcs.fascam.auto");
            /// They go at the end of a turn, after one turn to six hours, as was planned
            pub const DESTRUCT: Clause = Clause::new("tcs.fascam.destruct");
            /// Nobody on the ground is attacked as they land
            pub const ON_LANDING: Clause = Clause::new("tcs.fascam.on_landing");
            /// Whoever was under them is attacked as he leaves
            pub const LEAVE_ATTACK: Clause = Clause::new("tcs.fascam.leave_attack");
            /// All others are attacked as they enter
            pub const ENTER_ATTACK: Clause = Clause::new("tcs.fascam.enter_attack");
            /// By day units on foot may pass and leave them for three times the cost, and are not attacked
            pub const FOOT_IGNORE: Clause = Clause::new("tcs.fascam.foot_ignore");
        }
        pub mod r#gen {
            use crate::bindings::known::*;
            /// It is played with the series rules, from 1945 on; where they disagree it wins
            pub const SCOPE: Clause = Clause::new("tcs.gen.scope");
            /// Who has thermal sights, NBC protection, advanced armour or sling loads is for each game to say
            pub const GAME_OVER_EXPANSION: Clause = Clause::new("tcs.gen.game_over_expansion");
            /// A platoon has five, sections, squads and mortars two, all else one
            pub const STEPS: Clause = Clause::new("tcs.gen.steps");
            pub mod steps {
                use crate::bindings::known::*;
                /// Where that is in doubt the game says it
                pub const CHART: Clause = Clause::new("tcs.gen.steps.chart");
            }
        }
        pub mod helo {
            use crate::bindings::known::*;
            /// Carriers and gunships; either may have weapons, or carry
            pub const KINDS: Clause = Clause::new("tcs.helo.kinds");
            /// No AT rolls, no assaults, no mines, no landing in mines
            pub const CANNOT: Clause = Clause::new("tcs.helo.cannot");
            /// Its modes are two heights
            pub const MODES: Clause = Clause::new("tcs.helo.modes");
            /// 100 m above the ground
            pub const LOW: Clause = Clause::new("tcs.helo.low");
            /// As if on the ground
            pub const NOE: Clause = Clause::new("tcs.helo.noe");
            /// For five points, or for a moment by a pop-up
            pub const CHANGE: Clause = Clause::new("tcs.helo.change");
            /// It does both in either mode
            pub const MOVE_AND_FIRE: Clause = Clause::new("tcs.helo.move_and_fire");
            /// 200: one a hex when low, five in the nap of the earth
            pub const MP: Clause = Clause::new("tcs.helo.mp");
            /// At every tenth point all who can fire at it
            pub const AA10: Clause = Clause::new("tcs.helo.aa10");
            /// Every unit that can rolls once at each, also after a kill
            pub const AA_HOW: Clause = Clause::new("tcs.helo.aa_how");
            /// It flies over any unit, at that price
            pub const OVERFLY: Clause = Clause::new("tcs.helo.overfly");
            /// It fires like others, from its height
            pub const FIRES: Clause = Clause::new("tcs.helo.fires");
            /// In the nap of the earth it need not see the trigger if it pops up
            pub const OW: Clause = Clause::new("tcs.helo.ow");
            /// They destroy a helicopter on 10, in one roll however many strike it; shells do nothing
            pub const ARTY: Clause = Clause::new("tcs.helo.arty");
            /// Helicopters observe artillery, without a pop-up
            pub const OBSERVE: Clause = Clause::new("tcs.helo.observe");
            pub mod aa {
                use crate::bindings::known::*;
                /// Its defence comes off the dice
                pub const DEF: Clause = Clause::new("tcs.helo.aa.def");
                /// Those right below may fire at once
                pub const OVERFLY: Clause = Clause::new("tcs.helo.aa.overfly");
            }
            pub mod air {
                use crate::bindings::known::*;
                /// A sortie may hunt a helicopter: dice and a tenth of its firepower, 8 or more
                pub const SORTIE: Clause = Clause::new("tcs.helo.air.sortie");
                /// Three less on the dice, whatever the ground
                pub const HELO: Clause = Clause::new("tcs.helo.air.helo");
                /// Helicopters do not engage sorties, nor sorties each other
                pub const NO: Clause = Clause::new("tcs.helo.air.no");
            }
            pub mod carry {
                use crate::bindings::known::*;
                /// Ten points in the nap of the earth; passengers pay as ever
                pub const LOAD: Clause = Clause::new("tcs.helo.carry.load");
                /// Twenty points each time
                pub const SLING: Clause = Clause::new("tcs.helo.carry.sling");
                /// What is carried does not fire
                pub const NOFIRE: Clause = Clause::new("tcs.helo.carry.nofire");
                /// With the helicopter goes all that it carries
                pub const LOSS: Clause = Clause::new("tcs.helo.carry.loss");
                /// Not with a sling load
                pub const NOPOP: Clause = Clause::new("tcs.helo.carry.nopop");
            }
            pub mod overrun {
                use crate::bindings::known::*;
                /// In either mode, at no more points, once a hex in a phase
                pub const HOW: Clause = Clause::new("tcs.helo.overrun.how");
                /// Everybody who can fires at it first, some weapons without seeing it
                pub const AA: Clause = Clause::new("tcs.helo.overrun.aa");
                /// Anybody in the open, vehicles elsewhere, helicopters anywhere
                pub const WHO: Clause = Clause::new("tcs.helo.overrun.who");
            }
            pub mod popup {
                use crate::bindings::known::*;
                /// From the nap of the earth, to fire, once a phase
                pub const WHEN: Clause = Clause::new("tcs.helo.popup.when");
                /// Up, fire at it, its fire, down
                pub const SEQ: Clause = Clause::new("tcs.helo.popup.seq");
                /// Several may pop up together, at one target
                pub const ONETARGET: Clause = Clause::new("tcs.helo.popup.onetarget");
                /// Nobody observes artillery by a pop-up
                pub const NO_OBSERVE: Clause = Clause::new("tcs.helo.popup.no_observe");
                /// An enemy helicopter may pop up in answer; to that there is no answer
                pub const COUNTER: Clause = Clause::new("tcs.helo.popup.counter");
                /// They never pop up, or only from the twelfth hour on, at -2
                pub const SOVIET: Clause = Clause::new("tcs.helo.popup.soviet");
                /// A fire-and-forget missile cannot be countered, and fire at its helicopter is at -1
                pub const FF: Clause = Clause::new("tcs.helo.popup.ff");
                pub mod counter {
                    use crate::bindings::known::*;
                    /// It is fired at, fires and goes down before the first is fired at
                    pub const SEQ: Clause = Clause::new("tcs.helo.popup.counter.seq");
                }
            }
            pub mod sling {
                use crate::bindings::known::*;
                /// Guns and light vehicles, as the game says; mortars ride inside
                pub const WHAT: Clause = Clause::new("tcs.helo.sling.what");
            }
            pub mod station {
                use crate::bindings::known::*;
                /// Six hours over the map, then they fly off
                pub const MAX: Clause = Clause::new("tcs.helo.station.max");
                /// Three hours off the map give six new ones; nobody comes back sooner
                pub const REST: Clause = Clause::new("tcs.helo.station.rest");
                /// Whoever stays longer is lost
                pub const LOSS: Clause = Clause::new("tcs.helo.station.loss");
                /// Short trips to arm and refuel need no play
                pub const FAARP: Clause = Clause::new("tcs.helo.station.faarp");
            }
        }
        pub mod icm {
            use crate::bindings::known::*;
            /// DPICM and ICM differ against vehicles alone
            pub const KINDS: Clause = Clause::new("tcs.icm.kinds");
            /// They have more firepower than shells; vehicles are attacked as vehicles alone
            pub const AREA: Clause = Clause::new("tcs.icm.area");
            /// Launchers and the heaviest guns reach all six hexes round about, with a fifth of their firepower
            pub const ADJACENT: Clause = Clause::new("tcs.icm.adjacent");
            /// They are fired like shells
            pub const MISSION: Clause = Clause::new("tcs.icm.mission");
            /// Only hexes that are struck smoke
            pub const SMOKE: Clause = Clause::new("tcs.icm.smoke");
            /// All rounds are found before any attack, so that no hex is attacked twice
            pub const MILLER: Clause = Clause::new("tcs.icm.miller");
            pub mod vehicle {
                use crate::bindings::known::*;
                /// Nothing against a defence of 2 or more; three more on the dice against less, two from an adjacent hex
                pub const ICM: Clause = Clause::new("tcs.icm.vehicle.icm");
                /// Three more on the dice, two from an adjacent hex, one less for each point of defence above 8
                pub const DPICM: Clause = Clause::new("tcs.icm.vehicle.dpicm");
            }
        }
        pub mod micv {
            use crate::bindings::known::*;
            /// They are vehicles like others, with their own fire
            pub const SINGLE: Clause = Clause::new("tcs.micv.single");
            /// A squad, and one thing in tow; platoons ride outside
            pub const CARRY: Clause = Clause::new("tcs.micv.carry");
            /// Squads of two steps, teams of one
            pub const SQUADS: Clause = Clause::new("tcs.micv.squads");
            /// Two more for platoons, or the last squad of one, and for nobody else
            pub const MORALE2: Clause = Clause::new("tcs.micv.morale2");
            /// Squads of a platoon need not stay together
            pub const NOSTACK: Clause = Clause::new("tcs.micv.nostack");
            /// Squads fire at half from inside; Dragons only from an open hatch, other missiles not at all
            pub const MOUNTED_FIRE: Clause = Clause::new("tcs.micv.mounted_fire");
            /// Whoever is enclosed dies with the vehicle, but not in soft ground
            pub const LOSS: Clause = Clause::new("tcs.micv.loss");
            /// Enclosed passengers of one that lives are untouched
            pub const SAFE: Clause = Clause::new("tcs.micv.safe");
        }
        pub mod mlrs {
            use crate::bindings::known::*;
            /// These clauses stand in the place of those for rocket artillery
            pub const REPLACES: Clause = Clause::new("tcs.mlrs.replaces");
            /// A launcher fires twelve rounds, one battery fire, once in a turn
            pub const VOLLEY: Clause = Clause::new("tcs.mlrs.volley");
            /// A battery has eight launchers, each counted
            pub const BATTERY: Clause = Clause::new("tcs.mlrs.battery");
            /// They fire nothing else
            pub const DPICM_ONLY: Clause = Clause::new("tcs.mlrs.dpicm_only");
            /// They hit what they are plotted at, in the tight or the normal pattern
            pub const PLACEMENT: Clause = Clause::new("tcs.mlrs.placement");
            /// They never fire immediate suppression
            pub const NO_IS: Clause = Clause::new("tcs.mlrs.no_is");
            /// Several launchers at a hex are one mission
            pub const COMBINE: Clause = Clause::new("tcs.mlrs.combine");
            /// No more launchers are lost than fired
            pub const CB_LOSS: Clause = Clause::new("tcs.mlrs.cb_loss");
        }
        pub mod mopp {
            use crate::bindings::known::*;
            /// Low, Medium, High, for forces or single units
            pub const LEVELS: Clause = Clause::new("tcs.mopp.levels");
            /// In each Command Phase, and after a chemical attack
            pub const CHANGE: Clause = Clause::new("tcs.mopp.change");
            /// Preparation, movement on foot, weapons of troops, recovery and morale suffer
            pub const EFFECTS: Clause = Clause::new("tcs.mopp.effects");
        }
        pub mod nbc {
            use crate::bindings::known::*;
            /// Chemical weapons alone are in the game
            pub const SCOPE: Clause = Clause::new("tcs.nbc.scope");
        }
        pub mod nv {
            use crate::bindings::known::*;
            /// Modern units see beyond the limit of the night
            pub const WHO: Clause = Clause::new("tcs.nv.who");
            /// By night weapons on foot reach half as far
            pub const INFANTRY: Clause = Clause::new("tcs.nv.infantry");
            /// Hexes beyond the limit are counted, a fifth or a fourth comes off the dice, and the night does not
            pub const VEHICLE: Clause = Clause::new("tcs.nv.vehicle");
            /// Night vision sees through neither
            pub const NOSEE: Clause = Clause::new("tcs.nv.nosee");
            /// Of a target in the light of a round the dark is not counted
            pub const ILLUM: Clause = Clause::new("tcs.nv.illum");
            /// They see through smoke and weather too
            pub const THERMAL: Clause = Clause::new("tcs.nv.thermal");
            /// By night nobody observes beyond eight hexes
            pub const OBSERVE: Clause = Clause::new("tcs.nv.observe");
            pub mod thermal {
                use crate::bindings::known::*;
                /// Each marker on the line counts as a hex
                pub const COUNT: Clause = Clause::new("tcs.nv.thermal.count");
                /// Along a hexside it counts once
                pub const HEXSIDE: Clause = Clause::new("tcs.nv.thermal.hexside");
            }
            pub mod vehicle {
                use crate::bindings::known::*;
                /// Area fire has the usual night modifier, at the longer range
                pub const AREA: Clause = Clause::new("tcs.nv.vehicle.area");
            }
        }
        pub mod tbl {
            use crate::bindings::known::*;
            /// The numbers
            pub const ATGM: Clause = Clause::new("tcs.tbl.atgm");
            /// The missiles
            pub const ATGM_VALUES: Clause = Clause::new("tcs.tbl.atgm_values");
            /// The numbers
            pub const ACQUIRE: Clause = Clause::new("tcs.tbl.acquire");
            /// Their firepower
            pub const ROUNDS: Clause = Clause::new("tcs.tbl.rounds");
            /// The costs
            pub const HELO_MP: Clause = Clause::new("tcs.tbl.helo_mp");
            /// The divisors
            pub const NIGHT: Clause = Clause::new("tcs.tbl.night");
            /// The numbers
            pub const MOPP: Clause = Clause::new("tcs.tbl.mopp");
            /// The numbers
            pub const ATROLL_ARMOR: Clause = Clause::new("tcs.tbl.atroll_armor");
            /// The numbers
            pub const ADVARMOR: Clause = Clause::new("tcs.tbl.advarmor");
        }
    }
    pub mod events {
        use crate::bindings::known::*;
        /// {unit}: {die}, {result}.
        #[event("tcs.atgm.at8.rolled")]
        pub struct AtgmAt8Rolled<'t> {
            pub unit: Unit,
            pub die: i64,
            pub result: &'t str,
        }
        /// {firer} launches its {weapon} at {target}.
        #[event("tcs.atgm.launched")]
        pub struct AtgmLaunched<'t> {
            pub firer: Unit,
            pub weapon: &'t str,
            pub target: Unit,
        }
        /// {firer} loses its missile.
        #[event("tcs.atgm.lost")]
        pub struct AtgmLost {
            pub firer: Unit,
        }
        /// {battery} fires {load}: {die}; {target} loses {losses}, {left} left.
        #[event("tcs.cb.hit")]
        pub struct CbHit<'t> {
            pub battery: Battery,
            pub target: Battery,
            pub rounds: &'t str,
            pub load: &'t str,
            pub die: i64,
            pub lost: i64,
            pub losses: &'t str,
            pub left: i64,
        }
        /// search for {battery} by {by}: {net} dice, needs {needed}: {result}.
        #[event("tcs.cb.searched")]
        pub struct CbSearched<'t> {
            pub by: Vec<Battery>,
            pub battery: Battery,
            pub net: i64,
            pub needed: i64,
            pub dice: Vec<i64>,
            pub result: &'t str,
        }
        /// {left} left in {at}.
        #[event("tcs.chem.cleared")]
        pub struct ChemCleared {
            pub at: Hex,
            pub left: i64,
        }
        /// {unit}: {dice}{modifier} against 10: {result}.
        #[event("tcs.chem.crew")]
        pub struct ChemCrew<'t> {
            pub unit: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub result: &'t str,
        }
        /// of {battery}, {agent}: {hexes}.
        #[event("tcs.chem.fell")]
        pub struct ChemFell<'t> {
            pub battery: Battery,
            pub agent: &'t str,
            pub hexes: &'t str,
        }
        /// {battery}: nobody sees the fall of shot, and it is not fired.
        #[event("tcs.copperhead.held")]
        pub struct CopperheadHeld {
            pub battery: Battery,
        }
        /// of {battery} at {at}.
        #[event("tcs.copperhead.landed")]
        pub struct CopperheadLanded {
            pub battery: Battery,
            pub at: Hex,
        }
        /// those in {hexes} destroy themselves.
        #[event("tcs.fascam.gone")]
        pub struct FascamGone<'t> {
            pub hexes: &'t str,
        }
        /// {battery} lays {hexes} until {expires}.
        #[event("tcs.fascam.laid")]
        pub struct FascamLaid<'t> {
            pub battery: Battery,
            pub hexes: &'t str,
            pub expires: &'t str,
        }
        /// {unit} at {helicopter}: {dice}{modifier} against {needed}: {result}.
        #[event("tcs.helo.aa_fire")]
        pub struct HeloAaFire<'t> {
            pub unit: Unit,
            pub helicopter: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub needed: i64,
            pub result: &'t str,
        }
        /// bomblets on {helicopter}: {dice} against 10: {result}.
        #[event("tcs.helo.bomblets")]
        pub struct HeloBomblets<'t> {
            pub helicopter: Unit,
            pub dice: i64,
            pub result: &'t str,
        }
        /// {helicopter} is {height} now.
        #[event("tcs.helo.changed")]
        pub struct HeloChanged<'t> {
            pub helicopter: Unit,
            pub height: &'t str,
        }
        /// {sortie} at {helicopter}: {dice}{modifier} against 8: {result}.
        #[event("tcs.helo.hunted_down")]
        pub struct HeloHuntedDown<'t> {
            pub sortie: Sortie,
            pub helicopter: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub result: &'t str,
        }
        /// {helicopter} {result}.
        #[event("tcs.helo.left")]
        pub struct HeloLeft<'t> {
            pub helicopter: Unit,
            pub result: &'t str,
        }
        /// {helicopter} pops up.
        #[event("tcs.helo.rose")]
        pub struct HeloRose {
            pub helicopter: Unit,
        }
        /// {helicopter} goes down again.
        #[event("tcs.helo.sank")]
        pub struct HeloSank {
            pub helicopter: Unit,
        }
        /// {helicopter} finds mines in {at}, and does not land.
        #[event("tcs.helo.turned_away")]
        pub struct HeloTurnedAway {
            pub helicopter: Unit,
            pub at: Hex,
        }
        /// {units} in {level}.
        #[event("tcs.mopp.changed")]
        pub struct MoppChanged<'t> {
            pub units: Vec<Unit>,
            pub level: &'t str,
        }
    }
    pub mod kinds {
    }
    pub mod options {
        pub mod atgm {
            use crate::bindings::known::*;
            /// The attack value of TOW 1: the table, or the printed example.
            pub const TOW_1: Setting<i64> = Setting::new("tcs.atgm.tow_1");
            /// The least firepower of a missile at troops.
            pub const AREA_MINIMUM: Setting<i64> = Setting::new("tcs.atgm.area_minimum");
        }
        pub mod cb {
            use crate::bindings::known::*;
            /// Whether chemical rounds may be fired in counterbattery.
            pub const CHEM: Setting<bool> = Setting::new("tcs.cb.chem");
            /// How often a battery may look for the one that fired a mission.
            pub const ATTEMPTS: Setting<Attempts> = Setting::new("tcs.cb.attempts");
            /// Whose points count: of those that can fire, or of all in the role.
            pub const LENDERS: Setting<Lenders> = Setting::new("tcs.cb.lenders");
        }
        pub mod chem {
            use crate::bindings::known::*;
            /// Whom the roll for vehicles is for: vehicles, or all targets of both kinds too.
            pub const BOTH_KINDS: Setting<BothKinds> = Setting::new("tcs.chem.both_kinds");
            /// Whether houses and holes count in checks that chemicals alone cause.
            pub const IN_COVER: Setting<InCover> = Setting::new("tcs.chem.in_cover");
            /// When the column for other checks counts too: in mixed attacks, or in all.
            pub const OTHER_COLUMN: Setting<OtherColumn> = Setting::new("tcs.chem.other_column");
        }
        pub mod copperhead {
            use crate::bindings::known::*;
            /// Whether Copperhead may be fired at helicopters in spite of what is said of artillery.
            pub const HELICOPTERS: Setting<Helicopters> = Setting::new("tcs.copperhead.helicopters");
            /// As how many battery fires the guided shells of a battery count in a turn, for who looks for it: as one together, or each as one.
            pub const SALVO: Setting<Salvo> = Setting::new("tcs.copperhead.salvo");
        }
        pub mod dedicated {
            use crate::bindings::known::*;
            /// Battery fires of a dedicated mission at most.
            pub const SIZE: Setting<i64> = Setting::new("tcs.dedicated.size");
        }
        pub mod fascam {
            use crate::bindings::known::*;
            /// Whether units on foot pass FASCAM by day alone, or always.
            pub const BY_DAY: Setting<ByDay> = Setting::new("tcs.fascam.by_day");
        }
        pub mod helo {
            use crate::bindings::known::*;
            /// What a sortie adds to its dice at a helicopter: a tenth of its firepower, or its modifier on the Area Fire Table.
            pub const HUNTED: Setting<Hunted> = Setting::new("tcs.helo.hunted");
            /// What a helicopter overruns once in a phase: each hex, or each unit.
            pub const OVERRUNS: Setting<Overruns> = Setting::new("tcs.helo.overruns");
            /// Whether units on the ground fire guns and missiles at helicopters.
            pub const GROUND_FIRE: Setting<GroundFire> = Setting::new("tcs.helo.ground_fire");
            /// How often a unit fires at helicopters in the Suppressive Fire Phase: once at each, or once.
            pub const AA_SUPPRESSIVE: Setting<AaSuppressive> = Setting::new("tcs.helo.aa_suppressive");
            /// Whether a hedgerow stops direct fire from and at a helicopter that is low: as far as it stands in its way, or always.
            pub const HEDGEROWS: Setting<Hedgerows> = Setting::new("tcs.helo.hedgerows");
            /// What a counter-pop-up needs: nothing, or the state and marker of overwatch.
            pub const COUNTER_PERMISSION: Setting<CounterPermission> = Setting::new("tcs.helo.counter_permission");
            /// Which pop-ups cannot be countered: those with any fire-and-forget missile, or with Hellfire.
            pub const FORGETFUL: Setting<Forgetful> = Setting::new("tcs.helo.forgetful");
            /// When Soviet helicopters pop up.
            pub const SOVIET: Setting<Soviet> = Setting::new("tcs.helo.soviet");
        }
        pub mod icm {
            use crate::bindings::known::*;
            /// The firepower in adjacent hexes: rounded, or rounded down.
            pub const ADJACENT_FP: Setting<AdjacentFp> = Setting::new("tcs.icm.adjacent_fp");
        }
        pub mod mopp {
            use crate::bindings::known::*;
            /// Whose level slows the recovery of a company: the highest, or the lowest.
            pub const RECOVERY: Setting<Recovery> = Setting::new("tcs.mopp.recovery");
        }
        pub mod nv {
            use crate::bindings::known::*;
            /// Area fire with thermal sights: free of night and smoke, or as others.
            pub const THERMAL_AREA: Setting<ThermalArea> = Setting::new("tcs.nv.thermal_area");
            /// When the limit of eight hexes for observers holds.
            pub const THERMAL_OBSERVE: Setting<ThermalObserve> = Setting::new("tcs.nv.thermal_observe");
        }
    }
    pub mod tables {
        use crate::bindings::known::*;
        /// AT rolls at modern armour.
        #[table("tcs.armor.models")]
        pub struct ArmorModels {
            #[key]
            pub model: String,
            pub modifier: i64,
        }
        /// Advanced armour.
        #[table("tcs.armor.plates")]
        pub struct ArmorPlates {
            #[key]
            pub plates: Plates,
            pub heat: i64,
            pub tip: i64,
            pub other: i64,
        }
        /// ATGM Table.
        #[table("tcs.atgm.numbers")]
        pub struct AtgmNumbers {
            #[key]
            pub row: i64,
            #[key]
            pub column: i64,
            pub needed: i64,
        }
        /// ATGM Values.
        #[table("tcs.atgm.types")]
        pub struct AtgmTypes {
            #[key]
            pub missile: String,
            pub av: i64,
            pub nominal: i64,
            pub minimum: i64,
            pub forgets: bool,
            pub tip: bool,
            pub supersonic: bool,
            pub title: String,
        }
        /// Counterbattery effect.
        #[table("tcs.cb.divisors")]
        pub struct CbDivisors {
            #[key]
            pub rounds: String,
            pub divisor: i64,
        }
        /// Target acquisition.
        #[table("tcs.cb.numbers")]
        pub struct CbNumbers {
            #[key]
            pub fires: i64,
            pub needed: i64,
        }
        /// Steps.
        #[table("tcs.gen.steps")]
        pub struct GenSteps {
            #[key]
            pub sort: StepsSort,
            pub steps: i64,
        }
        /// Points of helicopters.
        #[table("tcs.helo.costs")]
        pub struct HeloCosts {
            #[key]
            pub what: CostsWhat,
            pub cost: i64,
        }
        /// Effects of MOPP.
        #[table("tcs.mopp.rows")]
        pub struct MoppRows {
            #[key]
            pub level: Mopp,
            pub turns: Option<i64>,
            pub movement: i64,
            pub fire: i64,
            pub area: i64,
            pub point: i64,
            pub recovery: i64,
            pub chem_check: i64,
            pub other_check: i64,
        }
        /// Night sights.
        #[table("tcs.nv.divisors")]
        pub struct NvDivisors {
            #[key]
            pub mode: DivisorsMode,
            pub divisor: i64,
        }
    }
}
