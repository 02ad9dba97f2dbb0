//! Equal games are equal: random programs over tables, texts and sorts come to
//! the same in two processes, whose addresses differ, whatever ran before.
//!
//! The suite runs some; `HOUSERULE_PROGRAMS=1000 cargo test --workspace --test
//! order` runs as many as you like.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::play::{Match, SubmitError};
use houserule::workshop::{Overrides, Workshop};
use houserule_tests::folder;
use kernel::decision::Input;
use kernel::value::{Name, Side, Value};

/// Programs of one mod.
const AT_ONCE: u64 = 20;

/// A small generator of its own: the programs are the same everywhere.
struct Rolls(u64);

impl Rolls {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// A key of any kind that has an order.
    fn key(&mut self) -> String {
        match self.below(7) {
            0 => format!("{}", 1 + self.below(40)),
            1 => format!("{}.5", self.below(20)),
            2 => format!("-{}", 1 + self.below(9)),
            3 => ["true", "false", "game:get(\"r1\")", "game:get(\"b1\")"][self.below(4) as usize]
                .into(),
            4 => format!("\"name{}\" .. {}", self.below(30), self.below(3)),
            _ => format!("\"n{}\"", self.below(60)),
        }
    }

    fn table(&mut self) -> String {
        format!("t{}", 1 + self.below(3))
    }
}

/// One statement; `depth` says how many loops are around it.
fn statement(rolls: &mut Rolls, text: &mut String, depth: u32) {
    let (a, b) = (rolls.table(), rolls.table());
    let (key, other) = (rolls.key(), rolls.key());
    let line = match rolls.below(18) {
        0..=3 => format!("{a}[{key}] = {}", rolls.below(100)),
        4 | 5 => format!("{a}[{key}] = nil"),
        6 => format!(
            "{a}[{key}] = nil; churn({}); {a}[{key}] = {}",
            rolls.below(400),
            rolls.below(100)
        ),
        7 => format!("for k, v in {a} do tell(k, v) end"),
        8 => format!(
            "for k, v in pairs({a}) do tell(k, v) if {} then {a}[k] = nil end end",
            rolls.below(2) == 0
        ),
        9 => format!("do local k = next({a}) tell(k, {a}[{other}]) end"),
        10 => format!("{a} = table.clone({b})"),
        11 => format!("tell(#{a}, table.find({b}, {}))", rolls.below(50)),
        12 => format!(
            "do local list = {{}} for k in {a} do table.insert(list, tostring(k)) end table.sort(list) tell(table.concat(list, \",\"), #list) end"
        ),
        13 => format!(
            "do local list = {{}} for _, v in {a} do table.insert(list, v) end tell(pcall(table.sort, list, function(x, y) return x * {} % 7 <= y % 5 end)) for _, v in list do tell(v, 0) end end",
            1 + rolls.below(9)
        ),
        14 => format!(
            "objects[{{}}] = {}; objects[rules.point({}, 1)] = 2; tell(#objects, objects[{key}])",
            rolls.below(9),
            rolls.below(9)
        ),
        15 => format!("tell(tostring({a}), string.format(\"%s %*\", objects :: any, {a} :: any))"),
        16 => format!(
            "for i = 1, {} do {a}[\"g\" .. i] = i end for i = 1, {} do {a}[\"g\" .. i] = nil end",
            rolls.below(90),
            rolls.below(90)
        ),
        _ => format!("table.clear({a})"),
    };
    let _ = writeln!(text, "    {line}");
    if depth < 2 && rolls.below(6) == 0 {
        let _ = writeln!(text, "    for i = 1, {} do", 1 + rolls.below(6));
        for _ in 0..1 + rolls.below(4) {
            statement(rolls, text, depth + 1);
        }
        text.push_str("    end\n");
    }
}

fn program(seed: u64) -> String {
    let mut rolls = Rolls(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
    let mut text = format!("run(\"p{seed:06}\", function(game)\n");
    text.push_str("    local t1: any, t2: any, t3: any, objects: any = {}, {}, {}, {}\n    local tell, total = checksum()\n");
    for _ in 0..10 + rolls.below(40) {
        statement(&mut rolls, &mut text, 0);
    }
    text.push_str("    for _, t in { t1, t2, t3 } do for k, v in t do tell(k, v) end end\n");
    if rolls.below(12) == 0 {
        text.push_str("    for k in objects do tell(k, 1) end\n");
    }
    text.push_str("    game:emit(\"base.note\", { text = total() })\nend)\n");
    text
}

const HEAD: &str = r#"local rules = require("@rules")
local function run(id, what)
    rules.action { id = "m." .. id, title = id, phase = "base.core.turn", perform = what }
end
-- What is told goes into a sum, in its order.
local function checksum()
    local sum, count = 0, 0
    local function add(value)
        for _, byte in { string.byte(tostring(value), 1, 20) } do
            sum = (sum * 31 + byte) % 2147483647
        end
        count += 1
    end
    return function(a, b)
        add(a)
        add(b)
    end, function()
        return `{sum} of {count}`
    end
end
-- Rubbish, so that memory is tidied at other moments.
local function churn(n)
    for i = 1, n do
        local _ = { tostring(i) .. "x", {} }
    end
end
run("noise", function(game)
    churn(40000)
    game:emit("base.note", { text = "noise" })
end)
"#;

fn started(from: u64) -> Match {
    let mut text = HEAD.to_string();
    (from..from + AT_ONCE).for_each(|seed| text.push_str(&program(seed)));
    let fixture = houserule_tests::Fixture {
        path: folder("programs"),
        settings: Vec::new(),
        texts: BTreeMap::from([(("m".to_string(), "rules/x.luau".to_string()), text)]),
        expected: Vec::new(),
    };
    let sources: BTreeMap<Name, Sources> = fixture.sources();
    let (workshop, faults) = Workshop::from_sources(sources);
    assert!(faults.is_empty(), "{faults:?}");
    let found = workshop.scenario("base/field").unwrap();
    let overrides = Overrides {
        with: vec!["m".into()],
        ..Overrides::default()
    };
    workshop.start(&found, &overrides).unwrap().0
}

fn take(game: &mut Match, action: &str) -> String {
    let by = game.wanted().sides().first().copied().unwrap_or(Side(0));
    let input = Input::Act {
        by,
        action: Arc::from(action),
        actor: None,
        params: Value::Map(Arc::default()),
    };
    match game.submit(&input) {
        Ok(()) => format!(
            "{:?}",
            game.events().last().map(|event| event.fields.clone())
        ),
        Err(SubmitError::Fault { fault, .. }) => fault.to_string(),
        Err(other) => format!("{other}"),
    }
}

/// What the programs come to, a line each. A noisy run takes them in another
/// order, with rubbish between them.
fn outcomes(count: u64, is_noisy: bool) -> String {
    let mut text = String::new();
    for from in (0..count).step_by(AT_ONCE as usize) {
        let mut game = started(from);
        let mut lines = BTreeMap::new();
        for step in 0..AT_ONCE {
            let seed = if is_noisy {
                from + AT_ONCE - 1 - step
            } else {
                from + step
            };
            if is_noisy {
                take(&mut game, "m.noise");
            }
            lines.insert(seed, take(&mut game, &format!("m.p{seed:06}")));
        }
        lines.iter().for_each(|(seed, line)| {
            let _ = writeln!(text, "{seed}: {line}");
        });
    }
    text
}

/// Runs the programs in a process of their own.
#[test]
fn programs_come_to_the_same_in_two_processes() {
    if let Some(part) = std::env::var_os("HOUSERULE_PROGRAMS_PART") {
        let part = part.into_string().unwrap();
        let (count, how) = part.split_once(' ').unwrap();
        let path = std::env::var_os("HOUSERULE_PROGRAMS_TO").unwrap();
        std::fs::write(path, outcomes(count.parse().unwrap(), how == "noisy")).unwrap();
        return;
    }
    let requested =
        std::env::var_os("HOUSERULE_PROGRAMS").and_then(|count| count.to_str()?.parse().ok());
    let count: u64 = requested.unwrap_or(100);
    let ran: Vec<String> = ["quiet", "noisy"]
        .iter()
        .map(|how| in_a_process(count, how))
        .collect();
    assert!(ran[0].lines().count() as u64 >= count);
    // Some programs walk through what has no order, and most do not.
    let faults = ran[0]
        .lines()
        .filter(|line| line.contains("fault F059"))
        .count() as u64;
    assert!(faults > 0 && faults < count / 2, "{faults} of {count}");
    assert_eq!(
        faults,
        ran[0].matches("fault ").count() as u64,
        "{}",
        ran[0]
    );
    for (one, other) in ran[0].lines().zip(ran[1].lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(ran[0], ran[1]);
}

fn in_a_process(count: u64, how: &str) -> String {
    let path =
        std::env::temp_dir().join(format!("houserule-programs-{}-{how}", std::process::id()));
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "programs_come_to_the_same_in_two_processes"])
        .env("HOUSERULE_PROGRAMS_PART", format!("{count} {how}"))
        .env("HOUSERULE_PROGRAMS_TO", &path)
        .status()
        .unwrap();
    assert!(status.success());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    text
}
