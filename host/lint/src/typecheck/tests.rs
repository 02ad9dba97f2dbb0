use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::types::names::KindNames;
use crate::{Looker, look};
use rules::modset::files::Sources;

const MANIFEST: &str = r#"
Mod(id: "planted", version: "0.1.0", title: "Planted", authors: ["Houserule"], engine: "0.1",
    depends: [], conflicts: [], after: [], exports: [], groups: [
    Group(id: "play", title: "Play", doc: "", default: true, clauses: [
        Clause(id: "planted.play.all", title: "All", text: "Everything.", source: "chosen", effect: Adds,
            default: true, core: true, requires: [], touches: []),
    ]),
])"#;

const DATA: &str = r#"[
    Kind(id: "planted.tank", title: "Tank", existence: All, naming: All, cites: ["planted.play.all"], attributes: [
        (name: "armour", type: "integer", default: 3, viewers: All, doc: "its armour"),
        (name: "state", type: "fit|hit", default: "fit", viewers: All, doc: "how it is"),
        (name: "at", type: "point?", viewers: All, doc: "where it stands"),
        (name: "mate", type: "entity(planted.tank)?", viewers: All, doc: "who comes along"),
    ]),
]"#;

const LIBRARY: &str = r"--!strict
local lib = {}
function lib.double(n: number): number
    return n * 2
end
return lib
";

/// Lines that end in `-- !` are wrong, all others are right.
const RULES: &str = r#"--!strict
local lib = require("./lib")
local planted = require("@planted")
local rules = require("@rules")
local play = planted.play
type Tank = planted.Tank

--- [all]
function play.second(_game: Reads, tank: Tank): { damage: Integer }
    return { damage = tank.armour }
end

local function helper(tank: Tank)
    return tank.armour
end

local function is_any(items: { Integer }, is_it: (Integer) -> boolean): boolean
    return #items > 0 and is_it(items[1])
end

--- [all]
function play.asked(_game: Reads, tank: Tank): Integer
    if is_any({ 1 }, function(n) return n == tank.armour end) then
        return 1
    elseif is_any({ 2 }, function(n)
        return n > tank.armor -- !
    end) then
        return "one" -- !
    end
    for _, item in { is_any({ 3 }, function(n) return n > 3 end) } do
        return if item then 1 else 2
    end
    for count = 1, if is_any({ 4 }, function(n) return n > 4 end) then 1 else 2 do
        return count
    end
    if is_any({ 6 }, function(_n): boolean
        return "many" -- !
    end) then
        return 6
    elseif is_any({ 7 }, function(n): boolean return n > 7 end) then
        return 7
    end
    if is_any({ 5 }, function(n) return n > 5 end) then
        return 5
    else
        return "none" -- !
    end
end

local function loose(game, thing, list)
    if list == nil then
        return nil
    end
    table.insert(list, { thing.anything + 1, game:distance(thing, list[1]) })
    return list, "two"
end

--- [all]
function play.right(game: Writes, tank: Tank): Integer
    local odd = game:get("odd")
    odd.whatever = { 1, "two" }
    tank.mate, tank.at, tank.state = odd, nil, "hit"
    local more, what = loose(game, tank, {})
    local near = game:nearest(tank, game:entities("planted.tank"))[1]
    if tank.mate and tank.mate.state == "fit" and more and what == "two" then
        return helper(odd) + helper(tank.mate) + near.armour
    end
    if tank.state == "hit" then
        tank.state = "fit"
        play.mended(game, tank)
        if tank.state == "hit" then
            return 0
        end
        local later = tank.state
        local latest = if what == "two" then later else tank.state or "none"
        if later == "hit" or latest == "hit" or latest == "none" then
            return 0
        end
    end
    local state = tank.state
    if state == "fit" or state ~= "hit" then
        state = "hit"
    end
    local names = { fit = "sound", hit = "holed", none = "" }
    local name = names[tank.state] or names.none
    if name == "any" or what == "other" then
        return 1
    end
    local score = { fit = 1, hit = 2 }
    return score[tank.state] + lib.double(game:roll("d6")) + play.second(game, tank).damage
end

--- [all]
function play.mended(_game: Writes, tank: Tank)
    tank.state = "hit"
end

--- [all] Of whatever kind they are, entities can be compared.
function play.same(_game: Reads, one: Entity, other: Tank): boolean
    if tostring(one) == "tank" or one == other.mate then
        return false
    end
    return one == other or other ~= one
end

--- [all]
function play.never(_game: Reads, tank: Tank): Integer
    local state = tank.state
    if state == "fti" then -- !
        return 1
    elseif tank.state ~= "hitt" then -- !
        return 2
    end
    local score = { fit = 1, htt = 2 } -- !
    return score[state]
end

--- [all]
function play.wrong(game: Writes, tank: Tank): Integer
    local sum = tank.armuor -- !
    sum = game:rol("d6") -- !
    sum = game:roll(true) -- !
    local turns = game:turns()
    sum += turns + 1 -- !
    local twice = lib.double("two") -- !
    local box = { width = 1 }
    local height = box.height -- !
    tank.state = "destroyed" -- !
    local there = tank.mate.armuor -- !
    local harm = play.second(game, tank).damge -- !
    for _, other in game:entities("planted.tank") do
        other.aramour = 1 -- !
        other.armour = "thick" -- !
    end
    if tank.state == "hit" then
        return "many" -- !
    end
    return sum + twice + height + there + harm
end

rules.wrap(play.second, "play.all", function(base, game, tank)
    local damage = base(game, tank)
    damage.damage += if tank.fast then 1 else 0 -- !
    return damage
end)
"#;

const CASES: &str = r#"--!strict
local test = require("@test")

local function start(t)
    return t:scenaro("none"), t -- !
end

test.case("nothing", function(t)
    local game = start(t)
    t:dice { 6 }
    t:eq(game:call("planted.play.right", game:get("tank")), 3)
    t:chits { 6 } -- !
end)
"#;

fn games() -> Workshop {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (workshop, faults) = Workshop::open(&[root.join("mods"), root.join("docs/examples")]);
    assert_eq!(faults, []);
    workshop
}

fn planted(rules: &str) -> Workshop {
    let files = [
        ("mod.ron", MANIFEST),
        ("data/tanks.ron", DATA),
        ("rules/lib.luau", LIBRARY),
        ("rules/play.luau", rules),
        ("tests/play.luau", CASES),
    ];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    let sources = Sources::from_memory("planted", files);
    let (workshop, faults) =
        Workshop::from_sources(BTreeMap::from([(sources.id.clone(), sources)]));
    assert_eq!(faults, []);
    let composed = workshop.compose(&Request::parse("planted").unwrap());
    assert_eq!(composed.err(), None);
    workshop
}

fn shown(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(|finding| format!("{}: {}\n", finding.place, finding.message))
        .collect()
}

#[test]
fn a_typo_in_the_rules_of_a_game_is_found() {
    let mut sources = games().sources().clone();
    let (path, right, wrong) = (
        "rules/core_end.luau",
        "detachment.is_scored = true",
        "detachment.is_scord = true",
    );
    let text = sources["netepic"]
        .as_written(path)
        .unwrap()
        .replacen(right, wrong, 1);
    let line = text.lines().position(|line| line.contains(wrong)).unwrap() as u32 + 1;
    sources.get_mut("netepic").unwrap().put(path, &text);
    let found = typecheck(&Workshop::from_sources(sources).0, &Name::from("netepic"));
    let places: Vec<(&str, u32)> = found
        .iter()
        .map(|it| (&*it.place.file, it.place.line))
        .collect();
    assert_eq!(places, [(path, line)], "{}", shown(&found));
}

#[test]
fn planted_errors_are_found_where_they_stand_and_nothing_else_is() {
    let found = typecheck(&planted(RULES), &Name::from("planted"));
    for (file, text) in [
        ("rules/play.luau", RULES),
        ("tests/play.luau", CASES),
        ("rules/lib.luau", LIBRARY),
    ] {
        let wrong: Vec<u32> = (1..)
            .zip(text.lines())
            .filter(|(_, line)| line.ends_with("-- !"))
            .map(|(n, _)| n)
            .collect();
        let mut lines: Vec<u32> = found
            .iter()
            .filter(|finding| *finding.place.file == *file)
            .map(|finding| finding.place.line)
            .collect();
        lines.dedup();
        assert_eq!(lines, wrong, "in {file}:\n{}", shown(&found));
    }
}

#[test]
fn a_finding_tells_the_column_of_the_file_as_it_is() {
    let found = typecheck(&planted(RULES), &Name::from("planted"));
    let typo = found
        .iter()
        .find(|finding| finding.message.contains("armuor"))
        .unwrap();
    let line = RULES.lines().nth(typo.place.line as usize - 1).unwrap();
    assert_eq!(
        line.find("tank.armuor").map(|at| at as u32 + 1),
        Some(typo.place.column),
        "{}",
        shown(&found)
    );
}

#[test]
fn files_that_are_not_strict_are_left_alone() {
    let found = typecheck(
        &planted(&RULES.replacen("--!strict", "--", 1)),
        &Name::from("planted"),
    );
    assert!(
        found
            .iter()
            .all(|finding| &*finding.place.file != "rules/play.luau"),
        "{}",
        shown(&found)
    );
}

/// The same in the newer form. Lines that end in `-- !` are wrong.
const CHAPTER: &str = r#"--!strict
-- Play, with names that it declares and names that it does not.
local planted = require("@planted")
local rules = require("@rules")
local play = planted.play
type Tank = planted.Tank

export type Harm = { damage: Integer, why: Reason? }

--- [all] What a hit does.
function play.harm(game: Reads, tank: Tank, times: Integer): Harm
    return { damage = times * tank.armour, why = nil }
end

--- [all] The next tank, or nothing.
function play.next(game: Reads, tank: Tank): Tank?
    return planted.kinds.Tank.where(game, "state", "fit")[1]
end

--- [all] Why not.
function play.barred(game: Reads, tank: Tank): Reason?
    if tank.state == "hit" then
        return "it is hit" -- !
    end
    return rules.reason("it is {tank}", { tank = tank })
end

--- [all] Shoots. @open
function play.shoot(game: Draws, tank: Tank): Integer
    local harm = play.harm(game, tank, game:roll("d6"))
    local other = play.next(game, tank)
    return harm.damage + harm.damge -- !
        + other.armour -- !
        + play.harm(game, tank).damage -- !
end

--- [all] Counts.
function play.count(game: Reads, tank: Tank): Integer
    local tanks = planted.kinds.Tank.all(game)
    tanks[1].armuor = 1 -- !
    play.shoot(game, tank) -- !
    game:roll("d6") -- !
    return "many" -- !
end

--- [all] Asks of lists.
function play.of_lists(game: Reads, tank: Tank): boolean
    local fit = list.filter(kinds.Tank.all(game), function(other)
        return other ~= tank and other.armuor > 0 -- !
    end)
    local thick = list.sum(fit, function(other)
        return 2 * other.armour
    end)
    return thick > 3 and list.any(fit, function(other)
        return other.stat == "hit" -- !
    end)
end

planted.over.play.shoot:add("play.all", "one") -- !
planted.over.play.shoot:add("play.all", 1, function(game, tank)
    return tank.armuor > 1 -- !
end)

rules.wrap(play.shoot, "play.all", function(base, game, tank)
    local harm = base(game, tank) + tank.armuor -- !
    return harm + base(tank) -- !
end)
"#;

fn wrong_lines(text: &str) -> Vec<u32> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.ends_with("-- !"))
        .map(|(number, _)| number)
        .collect()
}

#[test]
fn planted_errors_in_functions_of_chapters_are_found_and_nothing_else_is() {
    let found = typecheck(&planted(CHAPTER), &Name::from("planted"));
    let mut lines: Vec<u32> = found
        .iter()
        .filter(|one| &*one.place.file == "rules/play.luau")
        .map(|one| one.place.line)
        .collect();
    lines.dedup();
    assert_eq!(lines, wrong_lines(CHAPTER), "{}", shown(&found));
}

#[test]
fn an_editor_shows_the_sentence_of_a_rule_and_of_its_clauses() {
    let workshop = planted(CHAPTER);
    let chosen = workshop
        .compose(&Request::parse("planted").unwrap())
        .unwrap();
    let types = Types::of(&workshop, &chosen.rulebook);
    let text = types.definitions.concat();
    let harm = "\t--- What a hit does.\n\t--- `planted.play.all`: Everything.\n\tharm: (game: Reads, tank: PlantedTank, times: Integer) -> PlantedHarm\n";
    assert!(text.contains(harm), "{text}");
    assert!(types.modules["planted"].contains("export type Tank = PlantedTank\n"));
}

/// A file of the mod that opens with code, or with comments, and uses types
/// without declaring them.
const OWN: &str = "local seen: { Tnak } = {}
--- Counts. @open
function own.count(game: Reads, tank: Tank): Integer
    return #seen + tank.armuor
end
";

#[test]
fn a_misspelt_type_is_told_where_and_as_its_author_wrote_it() {
    let folder = std::env::temp_dir().join(format!("houserule-misspelt-{}", std::process::id()));
    let wanted = LintRequest {
        kept_in: Some(&folder),
        ..LintRequest::default()
    };
    for before in ["--!strict\n", "--!strict\n-- Own.\n\n"] {
        let text = format!("{before}{OWN}");
        let first = before.lines().count() as u32 + 1;
        // The second time it is read from what was kept.
        for _ in 0..2 {
            let found = look(&planted(&text), &Name::from("planted"), wanted);
            let reported: Vec<String> = found
                .iter()
                .map(|one| {
                    let place = one.place.clone().unwrap();
                    let hint = one.hint.clone().unwrap_or_default();
                    format!("{}:{} {} / {hint}", place.line, place.column, one.message)
                })
                .collect();
            assert!(
                reported.contains(&format!(
                    "{first}:15 Unknown type 'Tnak' / did you mean `Tank`?"
                )),
                "{reported:#?}"
            );
            assert!(
                reported
                    .iter()
                    .any(|one| one.starts_with(&format!("{}:25 ", first + 3))
                        && one.contains("armuor")),
                "{reported:#?}"
            );
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_was_found_is_kept_until_something_changes() {
    let folder = std::env::temp_dir().join(format!("houserule-checked-{}", std::process::id()));
    let wanted = LintRequest {
        kept_in: Some(&folder),
        ..LintRequest::default()
    };
    let look = |text: &str| look(&planted(text), &Name::from("planted"), wanted);
    let first = look(CHAPTER);
    let kept = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(look(CHAPTER), first);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), kept);
    assert!(look(&CHAPTER.replace("return \"many\"", "return 1")).len() < first.len());
    assert!(std::fs::read_dir(&folder).unwrap().count() > kept);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn who_looks_again_finds_what_was_edited_and_what_was_mended() {
    let mut looker = Looker::default();
    let set = [vec![Name::from("planted")]];
    let mut look = |text: &str| looker.look(&planted(text), &set, LintRequest::default());
    let first = look(CHAPTER);
    let mended = CHAPTER.replace("return \"many\"", "return 1");
    let second = look(&mended);
    assert_eq!(second.len() + 1, first.len());
    assert_eq!(look(CHAPTER), first);
    // Another header changes what others may write.
    let other = mended.replace(
        "tank: Tank, times: Integer): Harm",
        "tank: Tank, times: string): Harm",
    );
    let third = look(&other);
    assert!(
        third.iter().any(|fault| fault.message.contains("'number'")),
        "{third:#?}"
    );
    assert_eq!(look(&mended), second);
}

#[test]
fn kinds_are_printed_for_editors() {
    let chosen = planted(RULES)
        .compose(&Request::parse("planted").unwrap())
        .unwrap();
    let kinds = chosen.rulebook.book().schema.kinds();
    let types: String = kinds
        .iter()
        .map(|kind| KindNames::new(kinds).kind(kind))
        .collect();
    assert_eq!(
        types,
        "--- The kind `planted.tank`.\n\
         declare extern type PlantedTank extends Entity with\n\
         \t--- `integer`: its armour\n\tarmour: number\n\
         \t--- `fit|hit`: how it is\n\tstate: (\"fit\" | \"hit\")\n\
         \t--- `point?`: where it stands\n\tread at: Point\n\twrite at: (Point)?\n\
         \t--- `entity(planted.tank)?`: who comes along\n\tread mate: PlantedTank\n\twrite mate: (Entity)?\n\
         end\n"
    );
}
