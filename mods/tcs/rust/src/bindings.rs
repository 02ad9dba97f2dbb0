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
    pub enum Role {
        Ds,
        Gs,
        Cb,
    }
    #[words]
    pub enum System {
        Gun,
        Launcher,
        Mortar,
    }
    #[words]
    pub enum Rounds {
        He,
        Dpicm,
        Icm,
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
    pub enum Effect {
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
        DugIn,
    }
    #[words]
    pub enum Cover {
        None,
        Part,
        Full,
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
    pub enum Weapon {
        Gun,
        Area,
    }
    #[words]
    pub enum Against {
        Point,
        Missile,
        Tip,
        Shell,
    }
    #[words]
    pub enum Table {
        Point,
        Area,
    }
    #[words]
    pub enum What {
        Low,
        Noe,
        Change,
    }
    #[words]
    pub enum DivisorsMode {
        Fire,
        Move,
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
    pub mod art {
        use crate::bindings::known::*;
        #[window("tcsbase.art.complete")]
        pub struct Complete {
            pub battery: Battery,
            pub number: i64,
        }
        /// A battery fires its mission.
        #[step("tcsbase.art.fire")]
        pub fn fire(game: &Acts, battery: Battery);
        /// Takes the rounds of a mission that was fired; then the mission is complete.
        #[step("tcsbase.art.spend")]
        pub fn spend(game: &Acts, battery: Battery, rounds: Rounds, size: i64);
        /// What the Clean Up Phase does for a battery.
        #[rule("tcsbase.art.refresh")]
        pub fn refresh(game: &Writes, battery: Battery);
        /// The roles that a battery may be assigned.
        #[rule("tcsbase.art.roles")]
        pub fn roles(game: &Reads, battery: Battery) -> Vec<Role>;
        /// Whether a battery may be called for fire.
        #[rule("tcsbase.art.may_call")]
        pub fn may_call(game: &Reads, battery: Battery) -> Verdict;
        /// Whether the rounds of a battery need no designator.
        #[rule("tcsbase.art.exact")]
        pub fn exact(game: &Reads, battery: Battery, rounds: Rounds) -> bool;
        /// Whether a unit observes the fall of shot in a hex.
        #[rule("tcsbase.art.sees")]
        pub fn sees(game: &Reads, unit: Unit, at: Hex) -> bool;
        /// The designator falls, and the fire for effect follows it, or not.
        #[step("tcsbase.art.land")]
        pub fn land(game: &Acts, battery: Battery, rounds: Rounds, size: i64, at: Hex);
        /// Each round falls by the pattern; hexes with two or more smoke.
        #[step("tcsbase.art.scatter")]
        pub fn scatter(game: &Acts, battery: Battery, rounds: Rounds, count: i64, at: Hex);
        /// One attack on each soft unit of a hex, and one round after the other on vehicles.
        #[step("tcsbase.art.hit")]
        pub fn hit(game: &Acts, battery: Battery, rounds: Rounds, count: i64, at: Hex);
        /// One round at a vehicle.
        #[step("tcsbase.art.vehicle")]
        pub fn vehicle(game: &Acts, battery: Battery, rounds: Rounds, target: Unit);
        /// What is added to the dice of a round against a vehicle; nothing where it cannot hurt it.
        #[rule("tcsbase.art.vehicle_modifier")]
        pub fn vehicle_modifier(game: &Reads, rounds: Rounds, target: Unit) -> Option<i64>;
    }
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::tcsbase::clauses as tcsbase;
        pub use crate::bindings::tcs::clauses as tcs;
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
            /// Somebody must see it fall to adjust
            pub const OBSERVER: Clause = Clause::new("tcsbase.art.observer");
            /// Dice of five and the distance, or more, put the rest on the target; else it follows the first, or is checked and saved
            pub const ADJUST: Clause = Clause::new("tcsbase.art.adjust");
            /// Each round falls by a die for distance and one for direction
            pub const PATTERNS: Clause = Clause::new("tcsbase.art.patterns");
            /// Each caliber has a firepower
            pub const FP: Clause = Clause::new("tcsbase.art.fp");
            /// Every soft unit of a hex that was struck is attacked
            pub const AREA: Clause = Clause::new("tcsbase.art.area");
            /// Two rounds in a hex leave smoke
            pub const SMOKE_FROM_HE: Clause = Clause::new("tcsbase.art.smoke_from_he");
            pub mod point {
                use crate::bindings::known::*;
                /// Each round in a hex attacks one of its vehicles
                pub const TABLE: Clause = Clause::new("tcsbase.art.point.table");
            }
        }
        pub mod fire {
            pub mod area {
                use crate::bindings::known::*;
                /// Units fire together at a hex; each of its soft units is attacked
                pub const WHO: Clause = Clause::new("tcsbase.fire.area.who");
                /// Firepower adds to the dice, about a tenth of it
                pub const FPMOD: Clause = Clause::new("tcsbase.fire.area.fpmod");
                /// They have half their firepower
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
                /// Dice against a number, by range and by how much the gun beats the armour
                pub const HOW: Clause = Clause::new("tcsbase.fire.point.how");
                /// The numbers
                pub const TABLE: Clause = Clause::new("tcsbase.fire.point.table");
                /// Terrain, mode, smoke and night
                pub const MODS: Clause = Clause::new("tcsbase.fire.point.mods");
            }
        }
        pub mod r#gen {
            use crate::bindings::known::*;
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
        pub mod illum {
            use crate::bindings::known::*;
            /// A round lights all within three hexes until the Clean Up Phase
            pub const LIGHT: Clause = Clause::new("tcsbase.illum.light");
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
        }
        pub mod morale {
            use crate::bindings::known::*;
            /// After results that call for one, for units with a rating
            pub const WHEN: Clause = Clause::new("tcsbase.morale.when");
            /// Dice and modifiers: suppressed, paralyzed, retreat, surrender
            pub const TABLE: Clause = Clause::new("tcsbase.morale.table");
            /// Artillery two more; village or dug in one less
            pub const MODS: Clause = Clause::new("tcsbase.morale.mods");
            /// Half the firepower and no point fire, until the Clean Up Phase
            pub const SUPPRESSED: Clause = Clause::new("tcsbase.morale.suppressed");
            /// Nothing at all; a die of 4 or more makes it suppressed
            pub const PARALYZED: Clause = Clause::new("tcsbase.morale.paralyzed");
            /// Up to five points away from the enemy, then paralyzed; whoever cannot is lost
            pub const SYR: Clause = Clause::new("tcsbase.morale.syr");
            /// Losses and surrenders worsen it for the whole company
            pub const COMPANY: Clause = Clause::new("tcsbase.morale.company");
            /// A third of it, at least one, on each full hour
            pub const RECOVERY: Clause = Clause::new("tcsbase.morale.recovery");
        }
        pub mod r#move {
            use crate::bindings::known::*;
            /// Units in move mode, each up to its allowance
            pub const WHO: Clause = Clause::new("tcsbase.move.who");
            /// Nobody enters the hex of an enemy
            pub const ENEMY: Clause = Clause::new("tcsbase.move.enemy");
            /// Each hex entered may trigger overwatch
            pub const OW: Clause = Clause::new("tcsbase.move.ow");
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
        }
        pub mod seq {
            use crate::bindings::known::*;
            /// Batteries are assigned; on full hours companies recover
            pub const COMMAND: Clause = Clause::new("tcsbase.seq.command");
            /// Each unit's mode is set; then overwatch markers come off
            pub const MODE: Clause = Clause::new("tcsbase.seq.mode");
            /// Both players call missions
            pub const CALL: Clause = Clause::new("tcsbase.seq.call");
            /// Missions first, then direct fires by turns
            pub const SFP: Clause = Clause::new("tcsbase.seq.sfp");
            /// One player moves while the other watches, then the other way round
            pub const ACTION: Clause = Clause::new("tcsbase.seq.action");
            /// Smoke and suppression are rolled for, and the clock goes on
            pub const CLEANUP: Clause = Clause::new("tcsbase.seq.cleanup");
            pub mod sfp {
                use crate::bindings::known::*;
                /// A player names one target and fires at it, then the other does
                pub const ALTERNATE: Clause = Clause::new("tcsbase.seq.sfp.alternate");
                /// Each weapon fires once in the phase
                pub const ONCE: Clause = Clause::new("tcsbase.seq.sfp.once");
                /// Results apply at once
                pub const EFFECT: Clause = Clause::new("tcsbase.seq.sfp.effect");
            }
        }
        pub mod smoke {
            use crate::bindings::known::*;
            /// Several markers may lie in a hex
            pub const MISSION: Clause = Clause::new("tcsbase.smoke.mission");
            /// A die of 4 or more removes a marker
            pub const REMOVE: Clause = Clause::new("tcsbase.smoke.remove");
        }
        pub mod spot {
            use crate::bindings::known::*;
            /// Who is in fire mode in cover must be spotted before he is fired at, unless he has fired or moved in view
            pub const OPT: Clause = Clause::new("tcsbase.spot.opt");
        }
        pub mod stack {
            use crate::bindings::known::*;
            /// Each unit in a hex is rolled for
            pub const FIRE: Clause = Clause::new("tcsbase.stack.fire");
        }
        pub mod terrain {
            use crate::bindings::known::*;
            /// Each terrain has a cost for each class of movement; a change of height costs one more
            pub const MOVEMENT: Clause = Clause::new("tcsbase.terrain.movement");
            /// The target's terrain and mode change the dice
            pub const COMBAT: Clause = Clause::new("tcsbase.terrain.combat");
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
        }
        pub mod weather {
            use crate::bindings::known::*;
            /// Haze, fog and rain limit sight
            pub const LIMIT: Clause = Clause::new("tcsbase.weather.limit");
        }
    }
    pub mod events {
        use crate::bindings::known::*;
        /// the round of {battery} falls at {at}: {result}.
        #[event("tcsbase.art.designated")]
        pub struct ArtDesignated<'t> {
            pub battery: Battery,
            pub at: Hex,
            pub observer: Option<Entity>,
            pub result: &'t str,
        }
        /// of {battery}: {hexes}.
        #[event("tcsbase.art.fell")]
        pub struct ArtFell<'t> {
            pub battery: Battery,
            pub hexes: &'t str,
        }
        /// {battery} fires {size} of {rounds} at {at}.
        #[event("tcsbase.art.fired")]
        pub struct ArtFired<'t> {
            pub battery: Battery,
            pub size: i64,
            pub rounds: &'t str,
            pub at: Hex,
        }
        /// a round at {target}: {dice}{modifier} against {needed}: {result}.
        #[event("tcsbase.art.vehicle_hit")]
        pub struct ArtVehicleHit<'t> {
            pub battery: Battery,
            pub target: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub needed: i64,
            pub result: &'t str,
        }
        /// {target} under fire: {dice}{modifier}: {result}.
        #[event("tcsbase.fire.area_hit")]
        pub struct FireAreaHit<'t> {
            pub target: Unit,
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
        /// {unit}: {dice}{modifier}: {result}.
        #[event("tcsbase.morale.checked")]
        pub struct MoraleChecked<'t> {
            pub unit: Unit,
            pub dice: i64,
            pub modifier: &'t str,
            pub result: &'t str,
        }
        /// {unit} has nowhere to go and is lost.
        #[event("tcsbase.morale.overrun")]
        pub struct MoraleOverrun {
            pub unit: Unit,
        }
        /// {unit} falls back to {at}.
        #[event("tcsbase.morale.retreated")]
        pub struct MoraleRetreated {
            pub unit: Unit,
            pub at: Hex,
        }
        /// {unit} enters {at}.
        #[event("tcsbase.move.entered_hex")]
        pub struct MoveEnteredHex {
            pub unit: Unit,
            pub at: Hex,
        }
        /// {what}: {die} against {needed}: {result}.
        #[event("tcsbase.ow.die")]
        pub struct OwDie<'t> {
            pub what: &'t str,
            pub die: i64,
            pub needed: i64,
            pub result: &'t str,
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
        /// The defence value of a unit against a kind of weapon.
        #[rule("tcsbase.fire.defence")]
        pub fn defence(game: &Reads, target: Unit, against: Against) -> i64;
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
        /// Rolls two dice against a number.
        #[rule("tcsbase.fire.roll")]
        pub fn roll(game: &Draws, firer: Unit, target: Unit, weapon: &str, needed: i64) -> crate::bindings::tcsbase::fire::Outcome;
        /// Tells a shot, and removes what it killed.
        #[rule("tcsbase.fire.apply")]
        pub fn apply(game: &Writes, firer: Unit, target: Unit, weapon: &str, outcome: &crate::bindings::tcsbase::fire::Outcome);
        /// The gun of a unit fires at another.
        #[step("tcsbase.fire.gun")]
        pub fn gun(game: &Acts, firer: Unit, target: Unit);
        pub mod area {
            use crate::bindings::known::*;
            /// The firepower of a unit as it is.
            #[rule("tcsbase.fire.area.strength")]
            pub fn strength(game: &Reads, firer: Unit) -> i64;
            /// What firepower adds to the dice; nothing where there is too little to attack with.
            #[rule("tcsbase.fire.area.fpmod")]
            pub fn fpmod(game: &Reads, fp: i64) -> Option<i64>;
            /// The row of the Area Fire Table.
            #[rule("tcsbase.fire.area.result")]
            pub fn result(game: &Reads, total: i64) -> Record;
            /// Whether the area fire of a unit can reach another, whatever the phase.
            #[rule("tcsbase.fire.area.may")]
            pub fn may(game: &Reads, firer: Unit, target: Unit) -> Verdict;
            /// Units fire together at a hex: each soft unit in it is attacked.
            #[step("tcsbase.fire.area.volley")]
            pub fn volley(game: &Acts, firers: &[Unit], at: Hex);
            /// Two dice on the Area Fire Table.
            #[step("tcsbase.fire.area.attack")]
            pub fn attack(game: &Acts, firer: Unit, target: Unit, fp: i64);
            /// What a result of the Area Fire Table does to a unit.
            #[step("tcsbase.fire.area.suffer")]
            pub fn suffer(game: &Acts, target: Unit, dice: i64, modifier: i64, is_artillery: bool);
        }
        pub mod atroll {
            use crate::bindings::known::*;
            /// Whether a unit can make an AT roll at another, in whatever mode it is.
            #[rule("tcsbase.fire.atroll.may")]
            pub fn may(game: &Reads, unit: Unit, target: Unit) -> Verdict;
            /// What the dice must come to, before modifiers.
            #[rule("tcsbase.fire.atroll.needed")]
            pub fn needed(game: &Reads, unit: Unit, target: Unit) -> i64;
            /// What the target's terrain and mode, and the night, add to the dice.
            #[rule("tcsbase.fire.atroll.modifier")]
            pub fn modifier(game: &Reads, target: Unit) -> i64;
            /// Two dice against the number.
            #[step("tcsbase.fire.atroll.roll")]
            pub fn roll(game: &Acts, unit: Unit, target: Unit);
        }
        pub mod point {
            use crate::bindings::known::*;
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
    }
    pub mod illum {
        use crate::bindings::known::*;
        /// Whether an illumination round lights a hex.
        #[rule("tcsbase.illum.lit")]
        pub fn lit(game: &Reads, at: Hex) -> bool;
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
        }
        /// The kind `tcsbase.light`.
        #[kind("tcsbase.light")]
        pub struct Light {
            /// where it burns
            at: Hex,
        }
        /// The kind `tcsbase.clock`.
        #[kind("tcsbase.clock")]
        pub struct Clock {
            /// hexes that units see at most at night
            limit: i64,
            /// hexes that units see at most in the weather, 0 for any
            weather: i64,
            is_night: bool,
            /// since midnight of the first day
            minutes: i64,
            /// fire missions so far
            missions: i64,
            /// hexes entered so far
            trigger: i64,
            /// minutes since the conflict began
            conflict: i64,
        }
        /// The kind `tcsbase.company`.
        #[kind("tcsbase.company")]
        pub struct Company {
            /// company morale: high is bad
            morale: i64,
        }
        /// The kind `tcsbase.unit`.
        #[kind("tcsbase.unit")]
        pub struct Unit {
            /// where it is
            at: Hex,
            /// what it is to those who fire at it
            target: Target,
            class: Class,
            company: Option<Company>,
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
            /// area firepower
            fp: i64,
            /// range of its area fire in hexes
            area_reach: i64,
            /// movement points
            allowance: i64,
            mode: Mode,
            state: State,
            is_dug_in: bool,
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
            /// it has moved in this phase
            has_moved: bool,
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
            /// what it needs against aircraft, 0 if it cannot
            aa: i64,
            /// how far it reaches aircraft
            aa_reach: i64,
            /// its modes are fire and dual
            has_dual: bool,
            /// the type of its missiles
            missile: Option<String>,
            /// shots left, where they are counted
            missiles: i64,
            /// its missile has been fired in this phase
            has_launched: bool,
            /// the trigger at which its missile was last fired from overwatch
            missile_trigger: i64,
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
            /// it has popped up in this phase
            has_popped: bool,
            /// it has fired at a helicopter in this phase
            has_fired_up: bool,
            /// points that it has flown in this phase
            spent: i64,
            /// what it sees with at night
            sight: Sight,
        }
        /// The kind `tcsbase.battery`.
        #[kind("tcsbase.battery")]
        pub struct Battery {
            /// where it is, if it is on the map
            at: Option<Hex>,
            /// direct support, general support, counterbattery
            role: Role,
            /// its role from the next turn on
            next_role: Option<Role>,
            system: System,
            caliber: String,
            tubes: i64,
            /// battery fires left
            he: i64,
            dpicm: i64,
            icm: i64,
            /// battery fires in this turn
            fired_now: i64,
            /// battery fires in the last turn
            fired_last: i64,
            mission: Option<BatteryMission>,
            /// counterbattery points
            cb: i64,
            /// electronic warfare points
            ew: i64,
            /// it has fired counterbattery in this turn
            has_countered: bool,
            /// the last mission whose battery it looked for
            tried: i64,
        }
        #[fields]
        pub struct BatteryMission {
            pub at: Hex,
            pub rounds: Rounds,
            pub size: i64,
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
        /// Whether nothing rises above the line between two heights, given in metres above the ground.
        #[rule("tcsbase.los.clear")]
        pub fn clear(game: &Reads, a: Hex, above_a: i64, b: Hex, above_b: i64) -> bool;
        /// How many metres above the ground a unit is.
        #[rule("tcsbase.los.height_of")]
        pub fn height_of(game: &Reads, unit: Unit) -> i64;
        /// Whether smoke between them does not hide the target.
        #[rule("tcsbase.los.through_smoke")]
        pub fn through_smoke(game: &Reads, unit: Unit, target: Unit) -> bool;
        /// How many hexes a unit sees at most in the dark.
        #[rule("tcsbase.los.night_limit")]
        pub fn night_limit(game: &Reads, unit: Unit, target: Unit) -> i64;
        /// How many hexes a unit sees at most in the weather.
        #[rule("tcsbase.los.weather_limit")]
        pub fn weather_limit(game: &Reads, unit: Unit) -> i64;
        /// Whether a unit sees another.
        #[rule("tcsbase.los.sees")]
        pub fn sees(game: &Reads, unit: Unit, target: Unit) -> bool;
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
        pub fn choices(game: &Reads, unit: Unit) -> Vec<Mode>;
    }
    pub mod morale {
        use crate::bindings::known::*;
        /// What losses, company and rating add to a morale check.
        #[rule("tcsbase.morale.crossref")]
        pub fn crossref(game: &Reads, unit: Unit) -> i64;
        /// What artillery and cover add to a morale check.
        #[rule("tcsbase.morale.modifier")]
        pub fn modifier(game: &Reads, unit: Unit, is_artillery: bool) -> i64;
        /// The row of the Morale Table.
        #[rule("tcsbase.morale.result")]
        pub fn result(game: &Reads, total: i64) -> Effect;
        /// A unit checks its morale.
        #[step("tcsbase.morale.check")]
        pub fn check(game: &Acts, unit: Unit, is_artillery: bool);
        /// Up to five points of movement away, to end farther from the nearest enemy and beside none; whoever cannot is lost.
        #[step("tcsbase.morale.retreat")]
        pub fn retreat(game: &Acts, unit: Unit);
        /// What becomes of those who were kept down, in the Clean Up Phase.
        #[rule("tcsbase.morale.rally")]
        pub fn rally(game: &Writes, unit: Unit);
        /// Takes steps of a unit, and morale of its company.
        #[rule("tcsbase.morale.lose")]
        pub fn lose(game: &Writes, unit: Unit, steps: i64, company: i64);
        /// Worsens the morale of the company of a unit.
        #[rule("tcsbase.morale.worsen")]
        pub fn worsen(game: &Writes, unit: Unit, by: i64);
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
        }
        /// The hexes that a unit can move to, each with the one before it.
        #[rule("tcsbase.move.reach")]
        pub fn reach(game: &Reads, unit: Unit) -> Vec<crate::bindings::tcsbase::r#move::Reached>;
        /// Whether a unit may move.
        #[rule("tcsbase.move.may")]
        pub fn may(game: &Reads, unit: Unit) -> Verdict;
        /// A unit enters the next hex of its way; whoever watches may fire.
        #[step("tcsbase.move.walk")]
        pub fn walk(game: &Acts, unit: Unit, way: &[Hex]);
    }
    pub mod options {
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
            /// What marked units need within three hexes: their own die, or permission too.
            pub const NEAR_MARKED: Setting<NearMarked> = Setting::new("tcsbase.ow.near_marked");
        }
    }
    pub mod ow {
        use crate::bindings::known::*;
        #[window("tcsbase.ow.entered")]
        pub struct Entered {
            pub mover: Unit,
        }
        /// Puts a unit into the next hex of its way: fire at it there has not been permitted yet.
        #[rule("tcsbase.ow.enter")]
        pub fn enter(game: &Writes, mover: Unit, at: Hex);
        /// Whether a unit may fire its gun from overwatch at this trigger.
        #[rule("tcsbase.ow.gun")]
        pub fn gun(game: &Reads, unit: Unit, mover: Unit) -> Verdict;
        /// Whether a unit needs no permission to fire at a mover.
        #[rule("tcsbase.ow.free")]
        pub fn free(game: &Reads, unit: Unit, mover: Unit) -> bool;
        /// Whether a unit may try to fire overwatch, whatever its weapon.
        #[rule("tcsbase.ow.may")]
        pub fn may(game: &Reads, unit: Unit, mover: Unit) -> Verdict;
        /// Rolls for permission where it is needed; marks the unit if it fires.
        #[rule("tcsbase.ow.ask")]
        pub fn ask(game: &Writes, unit: Unit, mover: Unit) -> bool;
    }
    pub mod seq {
        use crate::bindings::known::*;
        /// Game.
        pub mod game {
            pub const ID: &str = "tcsbase.seq.game";
        }
        /// Command.
        pub mod command {
            pub const ID: &str = "tcsbase.seq.command";
        }
        /// Mode Determination.
        pub mod mode {
            pub const ID: &str = "tcsbase.seq.mode";
        }
        /// tcsbase.seq.markers.
        pub mod markers {
            pub const ID: &str = "tcsbase.seq.markers";
        }
        /// Call for Fire.
        pub mod call {
            pub const ID: &str = "tcsbase.seq.call";
        }
        /// Missions.
        pub mod missions {
            pub const ID: &str = "tcsbase.seq.missions";
        }
        /// Suppressive Fire.
        pub mod direct {
            pub const ID: &str = "tcsbase.seq.direct";
        }
        /// Action.
        pub mod action {
            pub const ID: &str = "tcsbase.seq.action";
        }
        /// Clean Up.
        pub mod cleanup {
            pub const ID: &str = "tcsbase.seq.cleanup";
        }
        /// What the Clean Up Phase does for a unit.
        #[rule("tcsbase.seq.refresh")]
        pub fn refresh(game: &Writes, unit: Unit);
        /// The clock goes on; companies recover on the full hour.
        #[step("tcsbase.seq.hour")]
        pub fn hour(game: &Acts);
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
    }
    pub mod spot {
        use crate::bindings::known::*;
        /// Behind what a unit is hidden, if it has not been spotted.
        #[rule("tcsbase.spot.cover")]
        pub fn cover(game: &Reads, target: Unit) -> Cover;
        /// Whoever fires or moves in view of an enemy has been spotted.
        #[rule("tcsbase.spot.show")]
        pub fn show(game: &Writes, unit: Unit);
    }
    pub mod tables {
        use crate::bindings::known::*;
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
            pub rounds: Rounds,
            #[key]
            pub caliber: String,
            pub fp: i64,
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
            pub effect: Effect,
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
    }
}
/// Tactical Combat Series: Modern.
pub mod tcs {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::tcsbase::clauses as tcsbase;
        pub use crate::bindings::tcs::clauses as tcs;
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
        pub mod helo {
            use crate::bindings::known::*;
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
            pub mod aa {
                use crate::bindings::known::*;
                /// Its defence comes off the dice
                pub const DEF: Clause = Clause::new("tcs.helo.aa.def");
                /// Those right below may fire at once
                pub const OVERFLY: Clause = Clause::new("tcs.helo.aa.overfly");
            }
            pub mod air {
                use crate::bindings::known::*;
                /// Three less on the dice, whatever the ground
                pub const HELO: Clause = Clause::new("tcs.helo.air.helo");
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
        }
        pub mod icm {
            pub mod vehicle {
                use crate::bindings::known::*;
                /// Nothing against a defence of 2 or more; three more on the dice against less
                pub const ICM: Clause = Clause::new("tcs.icm.vehicle.icm");
                /// Three more on the dice, one less for each point of defence above 8
                pub const DPICM: Clause = Clause::new("tcs.icm.vehicle.dpicm");
            }
        }
        pub mod mlrs {
            use crate::bindings::known::*;
            /// No more launchers are lost than fired
            pub const CB_LOSS: Clause = Clause::new("tcs.mlrs.cb_loss");
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
        /// {firer} loses its missile.
        #[event("tcs.atgm.lost")]
        pub struct AtgmLost {
            pub firer: Unit,
        }
        /// {battery} fires {rounds}: {die}; {target} loses {lost}, {left} left.
        #[event("tcs.cb.hit")]
        pub struct CbHit<'t> {
            pub battery: Battery,
            pub target: Battery,
            pub rounds: &'t str,
            pub die: i64,
            pub lost: i64,
            pub left: i64,
        }
        /// {by} look for {battery}: {net} dice, needs {needed}: {result}.
        #[event("tcs.cb.searched")]
        pub struct CbSearched<'t> {
            pub by: Vec<Battery>,
            pub battery: Battery,
            pub net: i64,
            pub needed: i64,
            pub dice: Vec<i64>,
            pub result: &'t str,
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
        /// {helicopter} is {height} now.
        #[event("tcs.helo.changed")]
        pub struct HeloChanged<'t> {
            pub helicopter: Unit,
            pub height: &'t str,
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
            /// How often a battery may look for the one that fired a mission.
            pub const ATTEMPTS: Setting<Attempts> = Setting::new("tcs.cb.attempts");
            /// Whose points count: of those that can fire, or of all in the role.
            pub const LENDERS: Setting<Lenders> = Setting::new("tcs.cb.lenders");
        }
        pub mod helo {
            use crate::bindings::known::*;
            /// Whether units on the ground fire guns and missiles at helicopters.
            pub const GROUND_FIRE: Setting<GroundFire> = Setting::new("tcs.helo.ground_fire");
            /// What a counter-pop-up needs: nothing, or the state and marker of overwatch.
            pub const COUNTER_PERMISSION: Setting<CounterPermission> = Setting::new("tcs.helo.counter_permission");
            /// Which pop-ups cannot be countered: those with any fire-and-forget missile, or with Hellfire.
            pub const FORGETFUL: Setting<Forgetful> = Setting::new("tcs.helo.forgetful");
            /// When Soviet helicopters pop up.
            pub const SOVIET: Setting<Soviet> = Setting::new("tcs.helo.soviet");
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
        }
        /// Counterbattery effect.
        #[table("tcs.cb.divisors")]
        pub struct CbDivisors {
            #[key]
            pub rounds: Rounds,
            pub divisor: i64,
        }
        /// Target acquisition.
        #[table("tcs.cb.numbers")]
        pub struct CbNumbers {
            #[key]
            pub fires: i64,
            pub needed: i64,
        }
        /// Points of helicopters.
        #[table("tcs.helo.costs")]
        pub struct HeloCosts {
            #[key]
            pub what: What,
            pub cost: i64,
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
