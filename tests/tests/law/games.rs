//! The games that the law is tried on.

/// A game of hidden things.
pub struct Subject {
    /// What the tally calls it.
    pub name: &'static str,
    /// What is played, by the seed of the game.
    pub scenarios: &'static [&'static str],
    /// So many lines are sent in a game.
    pub steps: usize,
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
    Subject { name: "plots", steps: 22, ..VEIL },
    Subject { name: "streets", steps: 50, ..VEIL },
    Subject { name: "passes", steps: 18, ..HEARTS },
    Subject { name: "marksmen", scenarios: &["hunts/marksmen"], steps: 40 },
    Subject { name: "blips", scenarios: &["netepic/infiltration"], steps: 34 },
    Subject { name: "scrum", scenarios: &["hunts/scrum"], steps: 24 },
    Subject { name: "volleys", scenarios: &["hunts/volleys"], steps: 24 },
    Subject { name: "salvo", scenarios: &["hunts/salvo"], steps: 24 },
    Subject { name: "letters", scenarios: &["hunts/letters"], steps: 24 },
    Subject { name: "dummies", scenarios: &["hunts/dummies"], steps: 22 },
    Subject { name: "schooling", scenarios: &["hunts/schooling"], steps: 22 },
    Subject { name: "remnants", scenarios: &["hunts/remnants"], steps: 24 },
    Subject { name: "calls", scenarios: &["hunts/calls"], steps: 34 },
    Subject { name: "mortars", scenarios: &["hunts/mortars"], steps: 24 },
    Subject { name: "assaults", scenarios: &["hunts/assaults"], steps: 20 },
    Subject { name: "successions", scenarios: &["hunts/successions"], steps: 26 },
    Subject { name: "landings", scenarios: &["hunts/landings"], steps: 24 },
    Subject { name: "sorties", scenarios: &["hunts/sorties"], steps: 24 },
    Subject { name: "missiles", scenarios: &["iceburg/missile-strike"], ..STRIKE },
    Subject { name: "aircraft", scenarios: &["dsii/air-strike"], steps: 50 },
];

/// What comes up hidden and cannot part, and why.
pub const CANNOT_PART: &[(&str, &str)] = &[
    ("decision dsii.setup.call_up", "it is all that a side can do before it is done"),
    ("existence netepic.sheet", "all see who is a sniper, and each detachment of snipers has one"),
];

/// Every way to hide something.
const VEIL: Subject = Subject { name: "veil", scenarios: &["veil/town"], steps: 120 };

/// Hidden hands, cards that are passed in secret, a widow that nobody sees.
const HEARTS: Subject = Subject { name: "hearts", scenarios: &["hearts/table"], steps: 120 };

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
};

/// Teams that fire unseen.
const SNIPERS: Subject = Subject { name: "snipers", scenarios: &["netepic/sniper-hunt"], steps: 110 };

/// Cruise missiles on their way, among dummies.
const STRIKE: Subject =
    Subject { name: "strike", scenarios: &["iceburg/missile-strike", "iceburg/missile-site"], steps: 60 };

/// Batteries: fake barrages, what is loaded, what lies in stock.
const DUEL: Subject = Subject {
    name: "artillery",
    scenarios: &["iceburg/artillery-duel", "dsii/barrage", "dsii/fire-mission", "dsii/counter-battery"],
    steps: 90,
};

/// Markers whose worth only their owner knows.
const RAID: Subject = Subject { name: "raid", scenarios: &["dsii/border-raid", "dsii/meeting"], steps: 90 };

/// Hidden units, and what hides in the sky.
const AMBUSH: Subject = Subject {
    name: "ambush",
    scenarios: &["dsii/ambush", "dsii/hidden-guns", "dsii/first-contact", "dsii/air-strike"],
    steps: 90,
};
