//! What the rules of `tcsbase` can name. Written by `houserule types tcsbase --lang rust`.
#![allow(dead_code, missing_docs, unused_imports, clippy::all)]

mod known {
    pub use houserule_guest::prelude::*;
    pub use houserule_guest::{
        Angle, Clause, Direction, Length, Path, Setting, kind, table,
    };
    pub use std::collections::BTreeMap;
    pub use super::words::*;
    pub use super::tcsbase::kinds::*;
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
    pub enum Role {
        Ds,
        Gs,
    }
    #[words]
    pub enum System {
        Gun,
        Mortar,
    }
    #[words]
    pub enum Pattern {
        A,
        B,
        C,
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
}

/// Tactical Combat Series, the base.
pub mod tcsbase {
    pub mod clauses {
        use crate::bindings::known::*;
        pub use crate::bindings::tcsbase::clauses as tcsbase;
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
        }
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
}
