use super::*;

fn kinds(source: &str) -> Vec<(Does, bool)> {
    let outline = FileOutline::of(source);
    outline
        .statements
        .iter()
        .map(|one| (one.does, one.is_lively))
        .collect()
}

const FILE: &str = "--!strict
local rules = require(\"@rules\")
local lib = require(\"./lib\")

local FAR: number, NEAR = rules.inches(6), { 1, 2 }
local made = lib.make(3)

local function helper(a)
    if a then
        return if a == 1 then 2 elseif a == 2 then 3 else 4
    end
    for i = 1, 2 do
        lib.call(i)
    end
end

type Shot = { gun: number }

rules.on(\"m.a\", function(game, x)
    repeat
        local y = if x then helper(x) else `{NEAR} of {lib.z}`
    until y
    return FAR
end)

function lib.extra(a)
    return a
end
lib.more = 5

for _, id in { \"m.b\", \"m.c\" } do
    rules.action { id = id }
end

rules.table(\"m.t\"):add {
    { a = 1 },
}
rules.wrap(\"m.a\", lib.make(2))
return { helper = helper }
";

#[test]
fn statements_are_told_apart() {
    use Does::{Declares, Else, Fills, Registers, Returns, Types};
    assert_eq!(
        kinds(FILE),
        [
            (Declares, false),
            (Declares, false),
            (Declares, false),
            (Declares, true),
            (Declares, false),
            (Types, false),
            (Registers, false),
            (Fills, false),
            (Fills, false),
            (Else, true),
            (Registers, false),
            (Registers, true),
            (Returns, false),
        ]
    );
    let outline = FileOutline::of(FILE);
    assert!(outline.is_clear && !outline.catches);
    assert_eq!(
        outline.statements[2].names,
        [Rc::from("FAR"), Rc::from("NEAR")]
    );
    assert_eq!(outline.statements[1].requires, [Rc::from("./lib")]);
    let define = &outline.statements[6];
    assert_eq!((define.first, define.last), (19, 24));
    for name in ["FAR", "NEAR", "helper", "lib"] {
        assert!(define.mentions.contains(name), "{name}");
    }
    assert!(!define.mentions.contains("on"));
    assert_eq!(outline.at(20), Some(6));
}

#[test]
fn rules_of_chapters_register() {
    use Does::{Declares, Else, Fills, Registers};
    let file = "local dsii = require(\"@dsii\")
local rules = require(\"@rules\")
local lib = require(\"./lib\")
local fire = dsii.fire
local BANDS = dsii.tables.bands
--- [band] The band of a shot.
function fire.band(game: Reads, shot: Shot): string?
    if shot then
        lib.call()
    end
    return lib.band(game, BANDS:find(shot.range))
end
function dsii.design.cost(game: Reads): Integer
    return 1
end
fire.shot = rules.event { heading = \"fire\", text = \"{firer}\" }
fire.made = rules.event(lib.make())
function lib.extra() end
function dsii.loose() end
fire.usable:refuse(\"moving\", \"it moves\", fire.is_fast)
local over = dsii.over
over.fire.usable:refuse(\"moving\", \"it moves\", fire.is_fast)
over.fire.usable:refuse(\"moving\", \"it moves\", lib.made())
";
    assert_eq!(
        kinds(file)[3..],
        [
            (Declares, false),
            (Declares, false),
            (Registers, false),
            (Registers, false),
            (Registers, false),
            (Fills, true),
            (Fills, false),
            (Fills, false),
            (Else, true),
            (Declares, false),
            (Registers, false),
            (Else, true),
        ]
    );
    let outline = FileOutline::of(file);
    assert!(outline.is_clear);
    assert!(outline.statements[5].mentions.contains("BANDS"));
}

#[test]
fn what_is_not_understood_is_not_clear() {
    for source in [
        "local rules = require(\"@other\")\n",
        "local rules = 1\nlocal rules = require(\"@rules\")\n",
        "local a = (1\nrules.on(\"m.a\", f)",
        "local a = \"abc\n",
        "if a then\nlocal b = 1\n",
    ] {
        assert!(!FileOutline::of(source).is_clear, "{source}");
    }
    assert!(FileOutline::of("local ok = pcall(f)").catches);
    // A function whose body stands in the first column is one statement.
    assert_eq!(
        kinds("local function f()\nlocal a = 1\nreturn a\nend\n"),
        [(Does::Declares, false)]
    );
    assert_eq!(kinds("rules.on(\"a\", f) print(1)"), [(Does::Else, true)]);
}

#[test]
fn a_comment_or_a_blank_changes_no_statement() {
    let texts = |source: &str| {
        FileOutline::of(source)
            .statements
            .into_iter()
            .map(|one| one.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        texts("local a = 1\n"),
        texts("-- more\nlocal  a = --[[ x ]] 1 -- y\n")
    );
    assert_ne!(texts("local a = 1"), texts("local a = 2"));
    let steering = |source: &str| FileOutline::of(source).steering;
    assert_eq!(
        steering("--- [a] What. @open(sum)"),
        ["--- [a] What. @open(sum)"]
    );
}
