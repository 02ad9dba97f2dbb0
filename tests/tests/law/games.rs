//! The games that the law is tried on.

/// A parameter of an action: the action's id, and its name.
pub type Param = (&'static str, &'static str);

/// A game of hidden things.
pub struct Subject {
    /// What the tally calls it.
    pub name: &'static str,
    /// What is played, by the seed of the game.
    pub scenarios: &'static [&'static str],
    /// Events by which the rules tell a secret to those who hear of them.
    pub reveals: &'static [&'static str],
    /// Parameters that are kept from others, since what there is to choose
    /// rests on hidden things, and that all see acted out at once.
    pub acted_out: &'static [Param],
    /// So many lines are sent in a game.
    pub steps: usize,
}

/// Every game.
pub const GAMES: &[Subject] = &[VEIL, HEARTS, COUNTRY, SNIPERS, STRIKE, DUEL, RAID, AMBUSH];

/// Where somebody goes is seen, whatever the way rests on.
const ACTED_OUT: &[Param] = &[("netepic.core.march", "route"), ("dsii.move", "route")];

/// Every way to hide something.
const VEIL: Subject = Subject {
    name: "veil",
    scenarios: &["veil/town"],
    reveals: &["veil.unmasked"],
    acted_out: ACTED_OUT,
    steps: 120,
};

/// Hidden hands, cards that are passed in secret, a widow that nobody sees.
const HEARTS: Subject = Subject {
    name: "hearts",
    scenarios: &["hearts/table"],
    reveals: &[],
    acted_out: &[("hearts.play.play", "card")],
    steps: 120,
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
    // Who halts before an enemy does not charge: of an order that stays face
    // down the other side learns what the action shows.
    reveals: &[
        "netepic.stealth.revealed",
        "netepic.blip.false-one",
        "netepic.core.order-shown",
        "netepic.core.stopped",
        "netepic.qhth.allotted",
    ],
    acted_out: ACTED_OUT,
    steps: 90,
};

/// Teams that fire unseen.
const SNIPERS: Subject =
    Subject { name: "snipers", scenarios: &["netepic/sniper-hunt"], steps: 110, ..COUNTRY };

/// Cruise missiles on their way, among dummies.
const STRIKE: Subject = Subject {
    name: "strike",
    scenarios: &["iceburg/missile-strike", "iceburg/missile-site"],
    reveals: &["iceburg.cruise.exploded", "iceburg.cruise.unmasked"],
    acted_out: ACTED_OUT,
    steps: 60,
};

/// Batteries: fake barrages, what is loaded, what lies in stock.
const DUEL: Subject = Subject {
    name: "artillery",
    scenarios: &["iceburg/artillery-duel", "dsii/barrage", "dsii/fire-mission", "dsii/counter-battery"],
    reveals: &[],
    acted_out: ACTED_OUT,
    steps: 90,
};

/// Markers whose worth only their owner knows.
const RAID: Subject = Subject {
    name: "raid",
    scenarios: &["dsii/border-raid", "dsii/meeting"],
    reveals: &[],
    acted_out: ACTED_OUT,
    steps: 90,
};

/// Hidden units, and what hides in the sky.
const AMBUSH: Subject = Subject {
    name: "ambush",
    scenarios: &["dsii/ambush", "dsii/hidden-guns", "dsii/first-contact", "dsii/air-strike"],
    reveals: &["dsii.hid.revealed"],
    acted_out: ACTED_OUT,
    steps: 90,
};
