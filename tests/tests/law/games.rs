//! The games that the law is tried on.

/// A game of hidden things.
pub struct Subject {
    /// What the tally calls it.
    pub name: &'static str,
    /// What is played, by the seed of the game.
    pub scenarios: &'static [&'static str],
    /// So many lines are sent in a game.
    pub steps: usize,
    /// What its players do rather than anything else: whatever else they could
    /// do, they soon have done.
    pub seeks: &'static [&'static str],
}

impl Subject {
    /// What is played with a seed.
    pub fn scenario(&self, seed: u64) -> &'static str {
        self.scenarios[seed as usize % self.scenarios.len()]
    }
}

/// Every game.
pub const GAMES: &[Subject] = &[VEIL, HEARTS, COUNTRY, SNIPERS, STRIKE, DUEL, RAID, AMBUSH];

/// What is played besides in a long run: what comes up seldom in the others,
/// near to where it does and in a few lines.
pub const SELDOM: &[Subject] = &[
    Subject {
        name: "plots",
        steps: 22,
        ..VEIL
    },
    Subject {
        name: "streets",
        steps: 50,
        ..VEIL
    },
    Subject {
        name: "votes",
        steps: 40,
        seeks: VOTES,
        ..VEIL
    },
    Subject {
        name: "signs",
        steps: 24,
        seeks: SIGNS,
        ..VEIL
    },
    Subject {
        name: "hoards",
        scenarios: &["veil/hoards"],
        steps: 18,
        seeks: SIGNS,
    },
    Subject {
        name: "ballots",
        scenarios: &["veil/ballots"],
        steps: 26,
        seeks: &["veil.core.vote"],
    },
    Subject {
        name: "lots",
        scenarios: &["veil/ballots"],
        steps: 20,
        seeks: &["veil.core.draw", "veil.core.listen"],
    },
    Subject {
        name: "passes",
        steps: 18,
        ..HEARTS
    },
    Subject {
        name: "marksmen",
        scenarios: &["hunts/marksmen", "hunts/sections"],
        steps: 46,
        seeks: SHOTS,
    },
    Subject {
        name: "nest",
        scenarios: &["hunts/nest"],
        steps: 22,
        seeks: &["netepic.sniper.fire"],
    },
    Subject {
        name: "crossing",
        scenarios: &["hunts/crossing"],
        steps: 26,
        seeks: CROSSING,
    },
    Subject {
        name: "pickets",
        scenarios: &["hunts/pickets"],
        steps: 22,
        seeks: &["netepic.core.fire"],
    },
    Subject {
        name: "drills",
        scenarios: &["hunts/drills"],
        steps: 34,
        seeks: &["netepic.core.order"],
    },
    Subject {
        name: "blips",
        scenarios: &["netepic/infiltration"],
        steps: 34,
        seeks: &[],
    },
    Subject {
        name: "scrum",
        scenarios: &["hunts/scrum"],
        steps: 30,
        seeks: &[HURRY],
    },
    Subject {
        name: "volleys",
        scenarios: &["hunts/volleys"],
        steps: 24,
        seeks: &[],
    },
    Subject {
        name: "salvo",
        scenarios: &["hunts/salvo"],
        steps: 24,
        seeks: &["iceburg.cruise.launch"],
    },
    Subject {
        name: "inbound",
        scenarios: &["hunts/inbound"],
        steps: 20,
        seeks: &["iceburg.cruise.arrive"],
    },
    Subject {
        name: "letters",
        scenarios: &["hunts/letters", "hunts/counters"],
        steps: 24,
        seeks: &["dsii.ca.launch"],
    },
    Subject {
        name: "dummies",
        scenarios: &["hunts/dummies"],
        steps: 22,
        seeks: HIDING,
    },
    Subject {
        name: "trenches",
        scenarios: &["hunts/dummies"],
        steps: 22,
        seeks: &["dsii.setup.deploy"],
    },
    Subject {
        name: "reviews",
        scenarios: &["hunts/reviews"],
        steps: 22,
        seeks: &[HURRY],
    },
    Subject {
        name: "mournings",
        scenarios: &["hunts/mournings"],
        steps: 22,
        seeks: &[HURRY],
    },
    Subject {
        name: "wagons",
        scenarios: &["hunts/wagons"],
        steps: 18,
        seeks: &[HURRY],
    },
    Subject {
        name: "fuses",
        scenarios: &["hunts/fuses"],
        steps: 18,
        seeks: &[HURRY],
    },
    Subject {
        name: "schooling",
        scenarios: &["hunts/schooling"],
        steps: 22,
        seeks: &[],
    },
    Subject {
        name: "coffers",
        scenarios: &["hunts/coffers"],
        steps: 18,
        seeks: &[],
    },
    Subject {
        name: "remnants",
        scenarios: &["hunts/remnants"],
        steps: 24,
        seeks: &[],
    },
    Subject {
        name: "calls",
        scenarios: &["hunts/calls", "hunts/kindling"],
        steps: 34,
        seeks: CALLS,
    },
    Subject {
        name: "stores",
        scenarios: &["hunts/calls", "hunts/kindling"],
        steps: 20,
        seeks: STORES,
    },
    Subject {
        name: "dumps",
        scenarios: &["hunts/dumps"],
        steps: 22,
        seeks: STORES,
    },
    Subject {
        name: "radars",
        scenarios: &["hunts/radars"],
        steps: 20,
        seeks: ANSWERS,
    },
    Subject {
        name: "mortars",
        scenarios: &["hunts/mortars", "hunts/sheaves"],
        steps: 24,
        seeks: SHEAVES,
    },
    Subject {
        name: "assaults",
        scenarios: &["hunts/assaults"],
        steps: 20,
        seeks: &[],
    },
    Subject {
        name: "successions",
        scenarios: &["hunts/successions"],
        steps: 30,
        seeks: FIRE,
    },
    Subject {
        name: "landings",
        scenarios: &["hunts/landings"],
        steps: 24,
        seeks: &[],
    },
    Subject {
        name: "sorties",
        scenarios: &["hunts/sorties"],
        steps: 24,
        seeks: SORTIES,
    },
    Subject {
        name: "strafers",
        scenarios: &["hunts/strafers"],
        steps: 24,
        seeks: SORTIES,
    },
    Subject {
        name: "returns",
        scenarios: &["hunts/returns"],
        steps: 44,
        seeks: SORTIES,
    },
    Subject {
        name: "missiles",
        scenarios: &["iceburg/missile-strike"],
        ..STRIKE
    },
    Subject {
        name: "aircraft",
        scenarios: &["dsii/air-strike"],
        steps: 50,
        seeks: &[],
    },
];

/// Nothing is sought but what comes when all are done.
const HURRY: &str = "done";
const HIDING: &[&str] = &["dsii.hid.hide", "dsii.hid.bluff"];
const VOTES: &[&str] = &[
    "veil.core.vote",
    "veil.core.talk",
    "veil.core.tempt",
    "veil.core.listen",
    "veil.core.draw",
];
const SIGNS: &[&str] = &["veil.core.boast", "veil.core.foretell"];
const SHOTS: &[&str] = &[
    "netepic.core.order",
    "netepic.sniper.fire",
    "netepic.sniper.snap",
];
const CROSSING: &[&str] = &[
    "netepic.core.activate",
    "netepic.core.move",
    "netepic.sniper.snap",
    "netepic.sniper.fire",
];
const CALLS: &[&str] = &[
    "dsii.act.activate",
    "dsii.arty.request",
    "dsii.arty.reload",
    "dsii.arty.transfer",
];
const STORES: &[&str] = &[
    "dsii.act.activate",
    "dsii.arty.reload",
    "dsii.arty.transfer",
];
const ANSWERS: &[&str] = &["dsii.act.activate", "dsii.arty.strike"];
const SHEAVES: &[&str] = &["dsii.act.activate", "iceburg.artillery.fire"];
const FIRE: &[&str] = &["dsii.act.activate", "dsii.fire.declare", "dsii.fire.volley"];
const SORTIES: &[&str] = &["dsii.air.send", "dsii.air.strafe", "dsii.air.bomb"];

/// Every way to hide something.
const VEIL: Subject = Subject {
    name: "veil",
    scenarios: &["veil/town"],
    steps: 120,
    seeks: &[],
};

/// Hidden hands, cards that are passed in secret, a widow that nobody sees.
const HEARTS: Subject = Subject {
    name: "hearts",
    scenarios: &["hearts/table"],
    steps: 120,
    seeks: &[],
};

/// Stealth, blips, snipers, orders face down.
const COUNTRY: Subject = Subject {
    name: "netepic",
    scenarios: &[
        "netepic/close-country",
        "netepic/sniper-hunt",
        "netepic/infiltration",
        "netepic/broken-line",
        "netepic/colossus",
    ],
    steps: 90,
    seeks: &[],
};

/// Teams that fire unseen.
const SNIPERS: Subject = Subject {
    name: "snipers",
    scenarios: &["netepic/sniper-hunt"],
    steps: 110,
    seeks: &[],
};

/// Cruise missiles on their way, among dummies.
const STRIKE: Subject = Subject {
    name: "strike",
    scenarios: &["iceburg/missile-strike", "iceburg/missile-site"],
    steps: 60,
    seeks: &[],
};

/// Batteries: fake barrages, what is loaded, what lies in stock.
const DUEL: Subject = Subject {
    name: "artillery",
    scenarios: &[
        "iceburg/artillery-duel",
        "dsii/barrage",
        "dsii/fire-mission",
        "dsii/counter-battery",
    ],
    steps: 90,
    seeks: &[],
};

/// Markers whose worth only their owner knows.
const RAID: Subject = Subject {
    name: "raid",
    scenarios: &["dsii/border-raid", "dsii/meeting"],
    steps: 90,
    seeks: &[],
};

/// Hidden units, and what hides in the sky.
const AMBUSH: Subject = Subject {
    name: "ambush",
    scenarios: &[
        "dsii/ambush",
        "dsii/hidden-guns",
        "dsii/first-contact",
        "dsii/air-strike",
    ],
    steps: 90,
    seeks: &[],
};

/// Missions of artillery that are plotted, by rules in components.
#[cfg(feature = "wasm")]
pub const PLOTS: Subject = Subject {
    name: "missions",
    scenarios: &["tcs/battery-duel", "tcs/strike", "tcs/batteries"],
    steps: 70,
    seeks: &[],
};
