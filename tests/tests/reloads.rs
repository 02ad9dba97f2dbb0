//! Rules that change under a game: what is made again is only what may have
//! come out in another way, and comes out as if all had been made again.

#[path = "reloads/anything.rs"]
mod anything;
#[path = "reloads/otherwise.rs"]
mod otherwise;
#[path = "reloads/served.rs"]
mod served;
#[path = "reloads/sharing.rs"]
mod sharing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use houserule::embed::rpc::{ConnectionId, Server};
use houserule::embed::{BotSort, ReloadMode, Reloaded, Start, Tabletop, Trouble};
use houserule::play::{Bot, BotKind, Match, marks_behind};
use houserule::workshop::Overrides;
use houserule_tests::{RAID_SAVES, SAVED_FILE, copy_folder, folder, mods, plays, root};
use kernel::value::{Name, Side};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};

/// Folders of mods that are removed at the end of the test.
struct Yard(PathBuf);

impl Drop for Yard {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CLUB: &str = r#"--!strict
-- The club's own customs.
local ask = require("@ask")
local club = require("@club")
local duel = require("@duel")
local rules = require("@rules")
local sums = require("./sums")

local MORE = 0
local BLOWS = rules.table("duel.blows")
local customs = {}
customs.most = 40

local function shy(man)
    return man.hp < 20
end

rules.wrap(duel.core.points, {}, function(base, game, face, parried)
    local axe = BLOWS:get("axe")
    local more = if axe then axe.points else 0
    return math.min(customs.most, sums.add(base(game, face, parried), MORE + more))
end)

club.duels.after = rules.window { carries = "by: entity(duel.man)" }

rules.wrap(duel.core.strike_perform, {}, function(base, game, man, params)
    base(game, man, params)
    if shy(man) and ask.yes(man.side, "club.shy", "Step back?") then
        man.nerve = "shaken"
    end
    game:open(club.duels.after, { by = man })
end)

for _, id in { "club.low", "club.high" } do
    local title = if sums.ONE > 0 then "A custom" else ""
    local function barred()
        return "it is for nobody"
    end
    rules.action { id = id, title = title, phase = duel.phases.core_turn, allowed = barred, perform = function() end }
end
-- jeers
"#;

const SUMS: &str = r#"local sums = {}

sums.ONE = 1
local NOUGHT = 0

function sums.add(a: number, b: number): number
    return a + b + NOUGHT
end

function sums.unused(a: number): number
    return a
end

return sums
"#;

const JEERS: &str = r#"
club.duels.jeer = rules.reaction { title = "Jeer", at = club.duels.after, actor = duel.kinds.Man }
function club.duels.jeer_allowed(_game: Reads, man: duel.Man, window: any): Reason?
    return rules.refuse(man == window.by or man.hp <= 30, "he has no breath")
end
function club.duels.jeer_perform(game: Acts, man: duel.Man, _window: any, _params: any)
    man.grudge = man.grudge + game:roll(rules.die(4), "jeer")
end"#;

/// An edit of a file: it puts the second text in place of the first, or the
/// first in place of the second.
type Edit = (&'static str, &'static str, &'static str);

const EDITS: [Edit; 17] = [
    ("duel/rules/duel.luau", "points - 2 else", "points - 3 else"),
    (
        "duel/rules/duel.luau",
        "    local points = BLOWS",
        "    -- a remark\n    local points = BLOWS",
    ),
    (
        "duel/rules/duel.luau",
        "function core.strike_perform",
        "function core.strike_allowed(_game: Reads, man: Man): Reason?\n    return rules.refuse(man.hp <= 25, \"he is too weak\")\nend\nfunction core.strike_perform",
    ),
    (
        "duel/rules/duel.luau",
        "title = \"Turn\"",
        "title = \"Round\"",
    ),
    ("duel/data/duel.ron", "(\"sword\", 3)", "(\"sword\", 4)"),
    (
        "duel/data/duel.ron",
        "(\"sword\"",
        "(\"pike\", 5), (\"sword\"",
    ),
    ("duel/data/duel.ron", "default: 60", "default: 61"),
    ("club/rules/club.luau", "local MORE = 0", "local MORE = 1"),
    ("club/rules/club.luau", "man.hp < 20", "man.hp < 45"),
    (
        "club/rules/club.luau",
        "customs.most = 40",
        "customs.most = 7",
    ),
    ("club/rules/club.luau", "-- jeers", JEERS),
    ("club/rules/club.luau", "\"club.low\", ", ""),
    (
        "club/rules/club.luau",
        "window { carries = \"by: entity(duel.man)\"",
        "window { carries = \"by: entity(duel.man)\", order = \"acting_first\"",
    ),
    (
        "club/rules/sums.luau",
        "return a + b + NOUGHT",
        "return b + a + NOUGHT",
    ),
    ("club/rules/sums.luau", "NOUGHT = 0", "NOUGHT = 2"),
    (
        "club/rules/sums.luau",
        "    return a\n",
        "    return a + 1\n",
    ),
    (
        "club/rules/more.luau",
        "1 -- axe",
        "1\nrules.table(\"duel.blows\"):add { { weapon = \"axe\", points = 2 } }",
    ),
];

impl Yard {
    fn new() -> Yard {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let yard = Yard(
            std::env::temp_dir().join(format!("houserule-reloads-{}-{n}", std::process::id())),
        );
        copy_folder(&folder("duel"), &yard.path("duel")).unwrap();
        yard.write(
            "club/mod.ron",
            "Mod(id: \"club\", version: \"1.0.0\", title: \"Club\", authors: [], engine: \"0.1\", depends: [(\"duel\", \"^1\")], groups: [])",
        );
        yard.write("club/rules/club.luau", CLUB);
        yard.write("club/rules/sums.luau", SUMS);
        yard.write(
            "club/rules/more.luau",
            "local rules = require(\"@rules\")\nlocal _ = 1 -- axe\n",
        );
        yard
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join("mods").join(file)
    }

    fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    fn folders(&self) -> Vec<PathBuf> {
        vec![self.0.join("mods")]
    }

    fn edit(&self, (file, from, to): Edit) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        let other = match text.contains(to)
            && (to.contains(from) || !text.contains(from))
            && !to.is_empty()
        {
            true => text.replacen(to, from, 1),
            false => text.replacen(from, to, 1),
        };
        self.write(file, &other);
    }

    fn start(&self, seed: u64) -> Tabletop {
        let mut table = self.unprepared(seed);
        table.expect_reloads().unwrap();
        table
    }

    /// A match of which nobody has said that its mods will change.
    fn unprepared(&self, seed: u64) -> Tabletop {
        let start = Start {
            scenario: "yard".into(),
            with: vec!["club".into()],
            seed: Some(seed),
            bots: [
                ("red".into(), BotSort::Random),
                ("blue".into(), BotSort::Random),
            ]
            .into(),
            ..Start::default()
        };
        Tabletop::start(&self.folders(), &start).unwrap()
    }

    /// The same match, of which nothing is known but its decisions.
    fn copy(&self, table: &mut Tabletop) -> Tabletop {
        let path = self.0.join("copy.save");
        table.save(&path).unwrap();
        Tabletop::load(&path, &self.folders(), None).unwrap().table
    }

    /// The same match, loaded for mods that will be edited.
    fn loaded(&self, table: &mut Tabletop) -> Tabletop {
        let path = self.0.join("loaded.save");
        table.save(&path).unwrap();
        let loaded = Tabletop::load_expecting_reloads(&path, &self.folders(), None);
        loaded.unwrap().table
    }
}

fn play(table: &mut Tabletop, decisions: usize) {
    for _ in 0..decisions {
        if table.bot_turn().unwrap().is_none() {
            break;
        }
    }
}

/// What a reload did, but for how much of it was made again.
fn outcome(done: Result<Reloaded, Trouble>) -> Result<Reloaded, Trouble> {
    done.map(|reloaded| Reloaded {
        made_again: 0,
        ..reloaded
    })
}

fn events(table: &Tabletop) -> String {
    format!("{:?}", table.news("referee", 0, 0).unwrap().events)
}

/// A reload of a match, and of the same match of which nothing is known: both
/// do the same.
fn reloads_alike(yard: &Yard, table: &mut Tabletop, past: ReloadMode) -> Option<Reloaded> {
    // A save keeps no decisions that were taken back or set aside, and these
    // may come back.
    let is_all_there = table.standing().redoable == 0;
    let mut other = yard.copy(table);
    let whole = outcome(other.reload(past, "referee"));
    let done = table.reload(past, "referee");
    if is_all_there && table.standing().redoable == 0 && other.standing().redoable == 0 {
        assert_eq!(outcome(done.clone()), whole);
    }
    if is_all_there && done.as_ref().is_ok_and(|done| done.set_aside.is_none()) && whole.is_ok() {
        assert_eq!(table.standing().decisions, other.standing().decisions);
        assert_eq!(events(table), events(&other));
        assert_eq!(table.hash(), other.hash());
    }
    done.ok()
}

/// A course: an edit, another, how many decisions come before them, and how
/// the game goes on.
type Leg = (usize, usize, usize, u8);

/// Plays a match with edits on the way, each taken over as it should be.
fn alike_all_the_way(seed: u64, course: Vec<Leg>) {
    let yard = Yard::new();
    let mut table = yard.start(seed);
    for (edit, more, decisions, how) in course {
        if how == 4 && table.standing().redoable == 0 {
            table = yard.loaded(&mut table);
        }
        play(&mut table, decisions);
        if how % 2 == 1 {
            table.warm_up();
        }
        yard.edit(EDITS[edit]);
        if how % 3 == 0 {
            yard.edit(EDITS[more]);
        }
        let past = if how == 9 {
            ReloadMode::FromNow
        } else {
            ReloadMode::AsAlways
        };
        reloads_alike(&yard, &mut table, past);
        if how == 8 && table.standing().decisions > 2 {
            table
                .undo("referee", table.standing().decisions - 2)
                .unwrap();
        }
    }
    // The journal of it all plays again.
    let copy = yard.copy(&mut table);
    assert_eq!(copy.hash(), table.hash());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_left_out_would_have_come_out_the_same(
        seed in 0u64..1000,
        course in prop::collection::vec((0..EDITS.len(), 0..EDITS.len(), 0usize..14, 0u8..10), 4..9),
    ) {
        alike_all_the_way(seed, course);
    }
}

/// What a reload had set aside is taken after the next one, and is in the save.
#[test]
fn decisions_that_come_back_are_saved() {
    alike_all_the_way(
        64,
        vec![(9, 0, 4, 0), (9, 0, 2, 0), (8, 0, 3, 0), (8, 0, 0, 0)],
    );
}

/// How many of 40 decisions an edit makes again.
fn made_again(edit: Edit) -> usize {
    let yard = Yard::new();
    let mut table = yard.start(7);
    play(&mut table, 40);
    assert_eq!(table.standing().decisions, 40);
    yard.edit(edit);
    reloads_alike(&yard, &mut table, ReloadMode::AsAlways)
        .unwrap()
        .made_again
}

#[test]
fn only_what_may_differ_is_made_again() {
    let of =
        |file: &'static str, from: &'static str, to: &'static str| made_again((file, from, to));
    assert_eq!(
        of(
            "duel/rules/duel.luau",
            "    local points = BLOWS",
            "    -- so\n    local points = BLOWS"
        ),
        0
    );
    assert_eq!(
        of("club/rules/sums.luau", "return a\n", "return a + 1\n"),
        40,
        "a file gives one table"
    );
    assert_eq!(
        of(
            "club/rules/club.luau",
            "-- jeers",
            "function club.duels.new(_game: Reads)\nend"
        ),
        0
    );
    let answers = of("club/rules/club.luau", "MORE + more)", "more + MORE)");
    assert!(
        (15..=20).contains(&answers),
        "each answer comes to blows: {answers}"
    );
    assert_eq!(
        of(
            "duel/rules/duel.luau",
            "title = \"Turn\"",
            "title = \"Round\""
        ),
        40
    );
    assert_eq!(
        of(
            "duel/data/duel.ron",
            "(\"sword\"",
            "(\"pike\", 5), (\"sword\""
        ),
        answers,
        "what is not there was looked for"
    );
}

#[test]
fn a_file_is_named_where_more_than_its_rules_is_otherwise() {
    let files = |edit: Edit| {
        let yard = Yard::new();
        let mut table = yard.start(7);
        yard.edit(edit);
        let reloaded = table.reload(ReloadMode::AsAlways, "referee").unwrap();
        reloaded.changes.files
    };
    let club = "club/rules/club.luau";
    assert!(files((club, "MORE + more)", "more + MORE)")).is_empty());
    assert!(files(("duel/rules/duel.luau", "points - 2", "points - 3")).is_empty());
    let turn = (
        "duel/rules/duel.luau",
        "title = \"Turn\"",
        "title = \"Round\"",
    );
    assert!(files(turn).is_empty(), "of the phase it is told");
    assert_eq!(files((club, "man.hp < 20", "man.hp < 30")), [club]);
    let sums = "club/rules/sums.luau";
    assert_eq!(files((sums, "NOUGHT = 0", "NOUGHT = 2")), [sums]);
}

#[test]
fn a_game_of_dirtside_is_reloaded_by_what_it_reached() {
    let yard = Yard::new();
    let mods = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods/dsii");
    copy_folder(&mods, &yard.path("dsii")).unwrap();
    let start = Start {
        scenario: "dsii/skirmish".into(),
        bots: [
            ("red".into(), BotSort::Greedy),
            ("blue".into(), BotSort::Greedy),
        ]
        .into(),
        ..Start::default()
    };
    let mut table = Tabletop::start(&yard.folders(), &start).unwrap();
    table.expect_reloads().unwrap();
    play(&mut table, 60);
    let same = (
        "dsii/rules/conf/3_test.luau",
        "then 0 elseif",
        "then 0 + 0 elseif",
    );
    yard.edit(same);
    let reloaded = reloads_alike(&yard, &mut table, ReloadMode::AsAlways).unwrap();
    assert_eq!(reloaded.changes.rules.changed, ["dsii.conf.levels_lost"]);
    assert!(reloaded.changes.files.is_empty(), "{:?}", reloaded.changes);
    assert!(
        (1..30).contains(&reloaded.made_again),
        "{}",
        reloaded.made_again
    );
    yard.edit((
        "dsii/rules/conf/3_test.luau",
        "2 * score <= target",
        "3 * score <= target",
    ));
    reloads_alike(&yard, &mut table, ReloadMode::AsAlways).unwrap();
}

/// Two tables at which all is the same, and was after every few decisions.
fn are_alike_all_the_way_back(mut one: Tabletop, mut other: Tabletop) {
    loop {
        let decisions = one.standing().decisions;
        assert_eq!(decisions, other.standing().decisions);
        assert_eq!(one.hash(), other.hash(), "after decision {decisions}");
        assert_eq!(events(&one), events(&other), "after decision {decisions}");
        let Some(earlier) = decisions.checked_sub(7) else {
            break;
        };
        one.undo("referee", earlier).unwrap();
        other.undo("referee", earlier).unwrap();
    }
}

#[test]
fn why_tells_what_changed_nothing_in_one_line() {
    let yard = Yard::new();
    let mut table = yard.start(7);
    play(&mut table, 40);
    let news = table.news("referee", 0, 0).unwrap();
    let hit = news
        .events
        .iter()
        .rev()
        .find(|event| event.kind == "duel.hit")
        .unwrap();
    let lines = table.why("referee", hit.number, false).unwrap();
    let count = |text: &str| lines.iter().filter(|line| line.text.contains(text)).count();
    assert_eq!(count("table duel.blows[sword]"), 1, "{lines:?}");
    assert_eq!(count("leaves"), 0, "{lines:?}");
    let last = &lines.last().unwrap().text;
    assert_eq!(last, "also asked, and changed nothing: club", "{lines:?}");
    // After a reload it is told as before, by the rules of then.
    yard.edit(("club/rules/club.luau", "-- jeers", "rules.wrap(duel.core.points, {}, function(base, game, face, parried)\n    return base(game, face, parried)\nend)"));
    table.reload(ReloadMode::FromNow, "referee").unwrap();
    assert_eq!(table.why("referee", hit.number, false).unwrap(), lines);
}

/// A game of a shipped scenario between greedy bots; whether answers are kept in it.
fn shipped(scenario: &str, is_kept: bool) -> (Match, BTreeMap<Side, Bot>) {
    let (workshop, _) = mods();
    let found = workshop.scenario(scenario).unwrap();
    let (game, _) = workshop.start(&found, &Overrides::default()).unwrap();
    game.rulebook().host().answers().keep(is_kept);
    let sides = [Side(0), Side(1)].into_iter();
    let bots = sides.map(|side| (side, Bot::new(BotKind::Greedy, 1, side)));
    (game, bots.collect())
}

/// What one decision of bots reaches, and what they looked at for it.
fn reached(game: &mut Match, bots: &mut BTreeMap<Side, Bot>) -> BTreeSet<Name> {
    let rulebook = game.rulebook().clone();
    let (turn, marks) = marks_behind(&rulebook, || game.bot_turn(bots));
    turn.unwrap();
    marks.unwrap()
}

#[test]
fn what_a_decision_reaches_does_not_depend_on_what_is_kept() {
    for (scenario, decisions) in [("dsii/skirmish", 60), ("tcs/night-attack", 12)] {
        if !scenario.split('/').next().is_some_and(plays) {
            continue;
        }
        let (mut kept, mut bots) = shipped(scenario, true);
        let (mut plain, mut others) = shipped(scenario, false);
        for decision in 1..=decisions {
            let (one, other) = (
                reached(&mut kept, &mut bots),
                reached(&mut plain, &mut others),
            );
            assert!(one.len() > 1, "{scenario}, decision {decision}");
            assert_eq!(one, other, "{scenario}, decision {decision}");
        }
    }
}

/// Why each event of a table happened, those that no rule told left out.
fn all_why(table: &Tabletop) -> BTreeMap<u32, Vec<String>> {
    let events = table.news("referee", 0, 0).unwrap().events;
    let why = |number| {
        let lines = table.why("referee", number, true).ok()?;
        Some((number, lines.into_iter().map(|line| line.text).collect()))
    };
    events
        .iter()
        .filter_map(|event| why(event.number))
        .collect()
}

#[test]
fn why_of_the_past_is_told_by_the_rules_of_then_however_often_they_change() {
    let yard = Yard::new();
    let (mut table, mut asked) = (yard.start(7), yard.start(7));
    let file = "duel/rules/duel.luau";
    let text = fs::read_to_string(yard.path(file)).unwrap();
    let mut told = BTreeMap::new();
    for round in 0..8 {
        play(&mut table, 12);
        play(&mut asked, 12);
        // Who asks at once is told the same as who asks much later.
        told.extend(all_why(&asked));
        yard.write(
            file,
            &text.replacen(
                "points - 2 else",
                &format!("points - {} else", round % 5),
                1,
            ),
        );
        for one in [&mut table, &mut asked] {
            one.reload(ReloadMode::FromNow, "referee").unwrap();
        }
    }
    assert!(told.len() > 50, "{}", told.len());
    assert_eq!(all_why(&table), told);
    // What is taken back is forgotten, also by whom it was asked of.
    for one in [&mut table, &mut asked] {
        one.undo("referee", 20).unwrap();
        play(one, 10);
    }
    assert_eq!(all_why(&table), all_why(&asked));
}

// ---- saves that are cut off ------------------------------------------------------

/// A game that a server watches.
struct Watched {
    yard: Yard,
    server: Server,
    host: ConnectionId,
}

impl Watched {
    /// Without a game yet.
    fn new() -> Watched {
        let yard = Yard::new();
        let mut server = Server::new(yard.folders());
        let host = server.connect_host();
        Watched { yard, server, host }
    }

    /// In the middle of a question.
    fn start(past: &str) -> Watched {
        let mut watched = Watched::new();
        let mut table = watched.yard.start(3);
        play(&mut table, 12);
        table.set_bot("red", None).unwrap();
        table.set_bot("blue", None).unwrap();
        watched.server.serve(table);
        watched.ask("watch", json!({ "on": true, "past": past }));
        watched
    }

    fn ask(&mut self, method: &str, params: Json) -> Json {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.server.line(self.host, line.to_string().as_bytes());
        let reply = self.server.drain(self.host).pop().unwrap();
        serde_json::from_str::<Json>(&reply).unwrap()["result"].take()
    }

    /// What there is to be seen of the game.
    fn shown(&mut self) -> Vec<Json> {
        let of_red = json!({ "viewer": "red" });
        let asked = [
            ("hash", json!({})),
            ("decisions", json!({})),
            ("standing", json!({})),
            ("prompt", of_red),
        ];
        asked
            .into_iter()
            .map(|(method, params)| self.ask(method, params))
            .collect()
    }

    /// Looks at the files until there is nothing more to look for.
    fn look(&mut self) {
        while self.server.files_changed() {}
        self.server.drain(self.host);
    }
}

/// The files that are cut, and what is saved in them.
const SAVES: [Edit; 4] = [
    ("club/rules/club.luau", "MORE = 0", "MORE = 1"),
    ("club/rules/club.luau", "", ""),
    ("duel/rules/duel.luau", "points - 2", "points - 1"),
    ("duel/data/duel.ron", "(\"sword\", 3)", "(\"sword\", 4)"),
];

/// A save is written in two parts, at whatever byte it is cut, the second at
/// once or a good while later: the game never ends of it, and comes to what the
/// whole file brings about.
#[test]
fn a_save_that_is_cut_anywhere_leaves_no_trace() {
    let mut runner = TestRunner::new(Config {
        cases: 60,
        failure_persistence: None,
        ..Config::default()
    });
    let cut = (
        prop::sample::select(SAVES.to_vec()),
        any::<prop::sample::Index>(),
        any::<bool>(),
    );
    runner
        .run(&cut, |((file, from, to), at, is_quick)| {
            let mut game = Watched::start("as_always");
            game.server.warm_up();
            let before = game.shown();
            let whole = fs::read_to_string(game.yard.path(file))
                .unwrap()
                .replacen(from, to, 1);
            let at = at.index(whole.len());
            game.yard.write(file, &whole[..at]);
            if is_quick && game.server.files_changed() {
                prop_assert_eq!(game.shown(), before);
            } else {
                game.look();
                prop_assert_eq!(&game.ask("standing", json!({}))["over"], &json!(false));
            }
            game.yard.write(file, &whole);
            game.look();
            let mut other = Watched::start("as_always");
            other.yard.write(file, &whole);
            other.look();
            prop_assert_eq!(game.shown(), other.shown(), "{} cut at {}", file, at);
            Ok(())
        })
        .unwrap();
}

/// In play from now on nothing is made again, so that half a file of rules
/// would leave its mark: it is not taken as long as it may not be all.
#[test]
fn half_a_save_changes_nothing_from_now() {
    for (file, ..) in SAVES {
        let mut game = Watched::start("from_now");
        let before = game.shown();
        let whole = fs::read_to_string(game.yard.path(file)).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 40) {
            game.yard.write(file, &whole[..at]);
            assert!(game.server.files_changed(), "{file} cut at {at}");
            assert_eq!(game.shown(), before, "{file} cut at {at}");
            game.yard.write(file, &whole);
            game.look();
            assert_eq!(game.shown(), before, "{file} whole again after {at}");
        }
    }
}

/// The saves that the bench makes under a raid: each finds what it replaces,
/// once, and what comes of it composes.
#[test]
fn the_saves_that_are_measured_are_of_the_rules_as_they_are() {
    let yard = Yard(std::env::temp_dir().join(format!("houserule-saves-{}", std::process::id())));
    copy_folder(&root().join("mods/dsii"), &yard.0.join("mods/dsii")).unwrap();
    let file = yard.0.join(SAVED_FILE);
    let text = fs::read_to_string(&file).unwrap();
    for (what, from, to) in RAID_SAVES {
        assert_eq!(text.matches(from).count(), 1, "{what}: {from}");
        fs::write(&file, text.replacen(from, &to.replace('@', "1"), 1)).unwrap();
        let start = Start {
            scenario: "border-raid".into(),
            ..Start::default()
        };
        if let Err(trouble) = Tabletop::start(&[yard.0.join("mods/dsii")], &start) {
            panic!("{what}: {trouble:?}");
        }
    }
}
