//! What Luau has elsewhere and mods do not: what would know the machine, the
//! clock or chance, and what would let one script into another.

/// A global that mods do not have, and what to take instead.
pub struct Absent {
    /// Its name, `math.random` if it stands in a table.
    pub name: &'static str,
    /// What rules have in its place, if it is anything that a mod could want.
    pub instead: Option<&'static str>,
}

const fn absent(name: &'static str) -> Absent {
    Absent {
        name,
        instead: None,
    }
}

const fn instead(name: &'static str, instead: &'static str) -> Absent {
    Absent {
        name,
        instead: Some(instead),
    }
}

const DICE: &str = "chance comes from the game: `game:roll(die, reason)` in a rule that draws";
const CLOCK: &str = "a game has no clock: count turns, or keep what happened in an attribute";
const PRINT: &str =
    "a rule tells what happens by an event of `rules.event`, and `why` shows what it read";
const MODULES: &str =
    "a file has other files by `require` with a text, such as `require(\"@dsii\")`";

/// All of them. `require` is there while a file is loaded, and then no more.
pub const ABSENT: [Absent; 20] = [
    instead("os", CLOCK),
    instead("io", "rules read and write nothing but the game"),
    instead("print", PRINT),
    instead("math.random", DICE),
    instead("math.randomseed", DICE),
    instead("math.noise", DICE),
    instead("loadstring", MODULES),
    absent("debug"),
    absent("coroutine"),
    absent("getfenv"),
    absent("setfenv"),
    absent("collectgarbage"),
    absent("gcinfo"),
    absent("newproxy"),
    absent("require"),
    absent("_VERSION"),
    absent("buffer"),
    absent("vector"),
    absent("integer"),
    absent("class"),
];

/// The same of one name.
pub fn absent_of(name: &str) -> Option<&'static Absent> {
    ABSENT.iter().find(|one| one.name == name)
}
