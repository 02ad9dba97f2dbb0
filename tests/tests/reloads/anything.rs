//! Anything is done to the files of a game that goes on, in whatever order: what is
//! taken over and what is not comes to the same for whoever loads its journal.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use houserule::embed::{BotSort, Choosing, ReloadMode, Start, Tabletop};

use super::{EDITS, Edit, Yard, events};

const GAMES: u64 = 14;
const STEPS: usize = 16;

const MANIFEST: &str = r#"Mod(id: "duel", version: "1.0.0", title: "Duel", authors: [], engine: "0.1", groups: [
    Group(id: "core", title: "Core", clauses: [
        Clause(id: "duel.core.far", title: "Far", text: "They reach far.", effect: Adds),
        Clause(id: "duel.core.near", title: "Near", text: "They reach near.", effect: Adds, default: false),
    ]),
], options: [
    Option(id: "duel.core.reach", title: "Reach", text: "How far.", type: "integer", default: 1, clause: "duel.core.far"),
])"#;

/// Edits beside those of rules: of manifests, kinds and questions.
const MORE: [Edit; 9] = [
    ("duel/mod.ron", "default: 1,", "default: 3,"),
    ("duel/mod.ron", ", default: false", ""),
    ("duel/mod.ron", "\"1.0.0\"", "\"1.2.0\""),
    (
        "club/mod.ron",
        "groups: []",
        "after: [\"duel\"], groups: []",
    ),
    (
        "duel/data/duel.ron",
        "(name: \"hp\"",
        "(name: \"luck\", type: \"integer\", default: 7, viewers: Owner, doc: \"luck\"), (name: \"hp\"",
    ),
    (
        "duel/data/duel.ron",
        "\"calm|shaken\"",
        "\"calm|grim|shaken\"",
    ),
    ("duel/data/duel.ron", "viewers: Owner", "viewers: All"),
    ("duel/data/duel.ron", "naming: All", "naming: Owner"),
    (
        "duel/rules/duel.luau",
        "ask.yes(foe.side, \"duel.parry\", \"Parry?\")",
        "foe.hp > 50",
    ),
];

/// Files that are broken and mended.
const FILES: [&str; 4] = [
    "duel/mod.ron",
    "duel/data/duel.ron",
    "duel/rules/duel.luau",
    "club/rules/sums.luau",
];

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % most
    }
}

/// All that there is to be seen of a match.
fn shown(table: &Tabletop) -> String {
    let viewers = ["red", "blue", "spectator"].map(|viewer| {
        let (view, prompt) = (table.view(viewer), table.prompt(viewer));
        format!(
            "{viewer}\n{view:?}\n{prompt:?}\n{:?}\n",
            table.legal(viewer)
        )
    });
    let (about, rules) = (table.about("referee").unwrap(), table.rules());
    let rest = (table.hash(), about.selector, about.mods, rules);
    format!("{viewers:?}\n{rest:?}\n{}", events(table))
}

/// A match, and what was done to its files.
struct Game {
    yard: Yard,
    table: Tabletop,
    chance: Chance,
    /// Files that are broken, with what they said before.
    broken: BTreeMap<&'static str, String>,
}

impl Game {
    fn begin(seed: u64) -> Game {
        let mut chance = Chance(seed);
        let yard = Yard::new();
        yard.write("duel/mod.ron", MANIFEST);
        let counts = (
            "duel/rules/duel.luau",
            ".points + face",
            ".points + face + options.core_reach(_game)",
        );
        yard.edit(counts);
        let bots = ["red", "blue"].map(|side| (side.to_string(), BotSort::Random));
        let reach = chance.below(3);
        let is_asked = chance.below(2) == 0;
        let start = Start {
            scenario: "yard".into(),
            with: vec!["club".into()],
            without: match chance.below(2) {
                0 => vec!["duel.core.near".into()],
                _ => Vec::new(),
            },
            options: is_asked
                .then(|| ("duel.core.reach".to_string(), reach.to_string()))
                .into_iter()
                .collect(),
            seed: Some(seed),
            bots: bots.into(),
            journal: Some(yard.0.join("game.journal")),
            ..Start::default()
        };
        let mut table = Tabletop::start(&yard.folders(), &start).unwrap();
        if chance.below(2) == 0 {
            table.expect_reloads().unwrap();
        }
        Game {
            yard,
            table,
            chance,
            broken: BTreeMap::new(),
        }
    }

    fn journal(&self) -> std::path::PathBuf {
        self.yard.0.join("game.journal")
    }

    /// Plays on, or back. What rules that were edited break, stays undone.
    fn play(&mut self) {
        for _ in 0..self.chance.below(7) {
            if !matches!(self.table.bot_turn(), Ok(Some(_))) {
                break;
            }
        }
        let stand = self.table.standing().decisions;
        match self.chance.below(6) {
            0 if stand > 3 => {
                let keep = stand - 1 - self.chance.below(3);
                let _ = self.table.undo("referee", keep);
            }
            1 => while self.table.redo().is_ok() {},
            2 => self.table.warm_up(),
            _ => {}
        }
    }

    /// Does something to a file.
    fn edit(&mut self) {
        match self.chance.below(8) {
            0 | 1 => self.break_or_mend(),
            2..=4 => self.yard.edit(MORE[self.chance.below(MORE.len())]),
            _ => self.yard.edit(EDITS[self.chance.below(EDITS.len())]),
        }
    }

    fn break_or_mend(&mut self) {
        let file = FILES[self.chance.below(FILES.len())];
        if let Some(whole) = self.broken.remove(file) {
            return self.yard.write(file, &whole);
        }
        let path = self.yard.path(file);
        let whole = fs::read_to_string(&path).unwrap();
        match self.chance.below(4) {
            0 => fs::remove_file(path).unwrap(),
            1 => self.yard.write(file, "(\n"),
            _ => self
                .yard
                .write(file, &whole[..self.chance.below(whole.len())]),
        }
        self.broken.insert(file, whole);
    }

    /// Takes the files over, or other rules; whether that was taken.
    fn reload(&mut self) -> bool {
        let past = match self.chance.below(4) {
            0 => ReloadMode::FromNow,
            _ => ReloadMode::AsAlways,
        };
        if self.chance.below(8) == 0 {
            let reach = self.chance.below(4).to_string();
            let choosing = Choosing {
                options: [("duel.core.reach".to_string(), reach)].into(),
                past,
                ..Choosing::default()
            };
            return self.table.choose(&choosing, "referee").is_ok();
        }
        self.table.reload(past, "referee").is_ok()
    }

    /// Whoever loads the journal has the same game.
    fn check(&self, step: usize, done: &str) {
        let loaded = Tabletop::load(&self.journal(), &self.yard.folders(), None);
        let loaded = match loaded {
            Ok(loaded) => loaded.table,
            Err(trouble) => panic!("step {step}, {done}: {trouble:?}"),
        };
        assert_eq!(shown(&loaded), shown(&self.table), "step {step}, {done}");
    }
}

/// A file of rules that is edited where another is broken may be gone.
fn can_edit(game: &Game) -> bool {
    let is_there = |file: &&str| Path::new(&game.yard.path(file)).is_file();
    FILES.iter().all(is_there)
}

#[test]
fn whatever_is_done_to_files_the_journal_plays_again_and_refusals_leave_no_trace() {
    let (mut taken, mut refused) = (0, 0);
    for seed in 1..=GAMES {
        let mut game = Game::begin(seed);
        for step in 0..STEPS {
            game.play();
            match can_edit(&game) {
                true => game.edit(),
                false => game.break_or_mend(),
            }
            let (before, written) = (shown(&game.table), fs::read(game.journal()).unwrap());
            if game.reload() {
                taken += 1;
            } else {
                refused += 1;
                assert_eq!(shown(&game.table), before, "seed {seed}, step {step}");
                assert_eq!(fs::read(game.journal()).unwrap(), written);
            }
            game.check(step, &format!("seed {seed}"));
        }
    }
    assert!(taken > 60 && refused > 30, "{taken} and {refused}");
}
