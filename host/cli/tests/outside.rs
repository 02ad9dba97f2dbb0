//! What comes from outside: a mod whose every text would steer a terminal,
//! lists without end, and in `files` what cannot be read.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may unwrap and panic"
)]

#[allow(dead_code, reason = "other tests use the rest")]
mod common;
#[path = "outside/files.rs"]
mod files;

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Output, Stdio};

use common::Scratch;
use houserule::printable::is_hidden;
use serde_json::Value as Json;

// ---- a mod whose every text steers ---------------------------------------------

/// Escapes, C1 controls, marks of direction, letters without width, markup.
const HOSTILE: &str = "</title><script>alert('x')</script>\" onload=\"&\u{202e}\u{1b}[31mE\u{1b}]0;t\u{7}\
                       \u{9b}2J\u{2066}\u{200f}\u{61c}\u{200b}a\u{200d}b\u{85}\u{2028}\n\r\u{8}\u{7f}";

/// The same in quotes, as RON and Luau both read it.
fn quoted() -> String {
    let letter = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        '\n' => "\\n".to_string(),
        letter if is_hidden(letter) => letter.escape_unicode().to_string(),
        letter => letter.to_string(),
    };
    format!("\"{}\"", HOSTILE.chars().map(letter).collect::<String>())
}

const MANIFEST: &str = r#"#![enable(implicit_some)]
Mod(id: "evil", version: "1.0.0", title: H, authors: [H], license: H, doc: H, engine: "0.1",
    groups: [Group(id: "g", title: H, doc: H, clauses: [
        Clause(id: "evil.g.c", title: H, text: H, source: H, effect: Adds),
        Clause(id: "evil.g.off", title: H, text: H, source: H, effect: Advises, default: false),
    ])],
    options: [Option(id: "evil.g.o", title: H, text: H, type: "text", default: H)])"#;

const DATA: &str = r#"[
    Kind(id: "evil.man", title: H, existence: All, naming: All, attributes: [
        (name: "hp", type: "integer 0..99", default: 60, viewers: All, doc: H),
        (name: "at", type: "point?", viewers: All, doc: H),
        (name: "note", type: "text", default: "", viewers: All, doc: H),
        (name: "secret", type: "text", default: "", viewers: Owner, doc: H),
    ]),
    Kind(id: "evil.hill", title: H, existence: All, naming: All, attributes: [
        (name: "shape", type: "evil.shape", default: {}, viewers: All, doc: H),
        (name: "type", type: "text", default: H, viewers: All, doc: H),
    ]),
    Record(id: "evil.shape", fields: "centre: point?, radius: length?"),
    Event(id: "evil.hit", heading: "hit", text: HT, fields: "by: entity, words: text, list: list(text)"),
    Event(id: "evil.bare", heading: "bare", text: "", fields: "words: text"),
    Table(id: "evil.blows", title: H, source: H, key: [("weapon", "text")], columns: [("points", "integer"), ("words", "text")], rows: [
        ("sword", 3, H), (H, 1, H),
    ]),
]"#;

const RULES: &str = r#"--!strict
-- Texts of every sort.

g.turn = rules.phase { title = H, acts = { order = "alternating" } }
g.game = rules.phase { title = H, root = true, loop = { g.turn } }
--- [c] DOC
function g.points(game: Reads, face: Integer, words: string): string
    return words .. rules.table("evil.blows"):get("sword").words .. tostring(face) .. options.g_o(game)
end
function map.rings(_game: Reads, _man: Man): { any }
    return { { title = H, radius = 25400 * 3 } }
end
--- [c] DOC
g.strike = rules.action {
    title = H, phase = g.turn, actor = kinds.Man,
    params = { { name = "words", title = H, type = "text" } },
}
function g.strike_words_domain(_game: Reads, _man: Man, _params: any): Domain
    return domain.choices { { value = H, label = H }, { value = "plain", label = H } }
end
function g.strike_perform(game: Acts, man: Man, params: any)
    ask.yes(man.side, "evil.sure", H)
    local die = rules.die(6):up(1, H)
    local points = g.points(game, math.min(6, game:roll(die, H)), params.words)
    man.note = H
    man.secret = H
    game:emit("evil.hit", { by = man, words = points, list = { H, H } })
    game:emit("evil.bare", { words = H })
end
g.never = rules.action { title = H, phase = g.turn, actor = kinds.Man }
function g.never_allowed(_game: Reads, _man: Man): Reason?
    return rules.reason(H)
end
function g.never_perform(_game: Acts, _man: Man, _params: any)
end
g.fail = rules.action { title = H, phase = g.turn }
function g.fail_perform(_game: Acts, _side: string, _params: any)
    error(H)
end
function g.fail_score(_game: Reads, _side: string, _params: any): Integer
    return 0
end
g.finish = rules.action { title = H, phase = g.turn }
function g.finish_perform(game: Acts, _side: string, _params: any)
    game:finish({ winner = "red", reason = H, score = { red = H } })
end
function g.finish_score(_game: Reads, _side: string, _params: any): Integer
    return 2
end
"#;

const SCENARIO: &str = r#"Scenario(format: 1, id: "yard", title: H, text: H, mods: ["evil"], seed: 11,
    table: (width: "24in", depth: "12in"), sides: [(id: "red", title: H), (id: "blue", title: H)],
    entities: [
        (kind: "evil.man", id: "rufus", side: "red", attributes: { "at": "(6in, 6in)", "note": H, "secret": H }),
        (kind: "evil.man", id: "bruno", side: "blue", attributes: { "at": "(18in, 6in)", "note": H, "secret": H }),
        (kind: "evil.hill", id: "knoll", attributes: { "shape": {"centre": "(9in, 6in)", "radius": "2in"} }),
    ])"#;

const CASES: &str = r#"--!strict
local test = require("@test")
test.case(H, { cites = { "evil.g.c" } }, function(t)
    t:scenario("yard")
    t:eq(H, "something else")
end)
"#;

/// The folder of the hostile mod.
const EVIL: &str = "mods/ev\u{1b}[31mil\u{202e}";

/// A folder with the hostile mod, whose folder and files are called as it is.
fn evil() -> Scratch {
    let scratch = Scratch::new();
    let _ = std::fs::remove_dir_all(scratch.0.join("mods"));
    let words = quoted();
    let write = |path: &str, text: &str| {
        let text = text
            .replace("DOC", &HOSTILE.replace(['\n', '\r'], " "))
            .replace(
                "HT",
                &format!(
                    "\"{} {{by}}: {{words}} {{list}}\"",
                    &words[1..words.len() - 1]
                ),
            );
        // `H` where a value stands, and nowhere else.
        let mut filled = String::new();
        let mut letters = text.chars().peekable();
        let mut before = ' ';
        while let Some(letter) = letters.next() {
            let is_alone = |other: char| !other.is_alphanumeric() && other != '_' && other != '"';
            match letter {
                'H' if is_alone(before) && letters.peek().is_none_or(|next| is_alone(*next)) => {
                    filled.push_str(&words);
                }
                letter => filled.push(letter),
            }
            before = letter;
        }
        scratch.write(&format!("{EVIL}/{path}"), &filled);
    };
    write("mod.ron", MANIFEST);
    write("data/evil.ron", DATA);
    write("rules/evil.luau", RULES);
    write("scenarios/yard.ron", SCENARIO);
    write("tests/evil.luau", CASES);
    write("golden/yard.snap", "---\nsource: x\n---\n");
    scratch.write(&format!("{EVIL}/golden/yard.snap"), HOSTILE);
    // Files that are broken in their names, their bytes and their text.
    write("scenarios/n\u{1b}[2J\u{202e}.ron", SCENARIO);
    scratch.write(
        &format!("{EVIL}/scenarios/broken.ron"),
        &format!(
            "Scenario(\n    // {}\n    title: !{}\n",
            HOSTILE.replace('\n', " "),
            HOSTILE.replace('\n', " ")
        ),
    );
    let bytes = scratch
        .0
        .join(EVIL)
        .join("scenarios")
        .join(OsStr::from_bytes(b"\xff\x1b[2J.ron"));
    std::fs::write(bytes, "").unwrap();
    symlink("nowhere", scratch.0.join("mods/stray\u{1b}[2J\u{202e}")).unwrap();
    scratch
}

/// Both outputs of a command, with something typed into it.
fn output(scratch: &Scratch, words: &[&str], typed: &[u8]) -> Output {
    let mut child = scratch
        .command("")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who does not listen has ended already.
    let _ = child.stdin.take().unwrap().write_all(typed);
    child.wait_with_output().unwrap()
}

/// What must hold of every byte that is printed.
fn clean(what: &str, bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap_or_else(|error| panic!("{what}: {error}"));
    for (number, line) in text.split('\n').enumerate() {
        let mut before = ' ';
        for letter in line.chars() {
            let is_joined = matches!(letter, '\u{200d}' | '\u{fe0f}') && !before.is_ascii();
            assert!(
                !is_hidden(letter) || is_joined,
                "{what}: line {number} has {letter:?}: {line:?}"
            );
            before = letter;
        }
        assert!(
            line.len() < 40_000,
            "{what}: line {number} has {} bytes",
            line.len()
        );
    }
    text
}

/// A text without the colours that are ours.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap().to_string();
    for part in parts {
        let (code, rest) = part.split_once('m').unwrap_or(("?", part));
        assert!(
            code.chars().all(|c| c.is_ascii_digit() || c == ';'),
            "no colour: {code:?} before {rest:?}"
        );
        plain.push_str(rest);
    }
    plain
}

/// Every command, and what a player may say on the command line.
const COMMANDS: &[&[&str]] = &[
    &["scenarios"],
    &["check"],
    &["run", "yard", "--journal", "a.journal", "--why"],
    &[
        "run", "yard", "--bots", "random", "--view", "blue", "--turns", "2",
    ],
    &["run", "yard", "--tally", "--games", "2"],
    &[
        "run", "yard", "--bots", "random", "--quiet", "--log", "trace",
    ],
    &["rules"],
    &["rules", "evil"],
    &["rules", "evil.g.points"],
    &["rules", "evil.strike"],
    &["rules", "evil.blows"],
    &["rules", "evil.g.c"],
    &["rules", "evil.man"],
    &["rules", "--coverage"],
    &["types"],
    &["test"],
    &["test", "--with", "evil"],
    &[
        "eval",
        "evil.g.points",
        "--arg",
        "face=3",
        "--arg",
        "words=x",
    ],
    &["eval", "evil.g.points", "--arg", "face=3"],
    &["replay", "a.journal", "--report"],
    &["why", "a.journal", "1"],
    &["why", "a.journal", "a"],
    &["design", "evil.none"],
    &[
        "run", "yard", "--bots", "random", "--turns", "2", "--format", "html",
    ],
    &[
        "run", "yard", "--bots", "random", "--turns", "2", "--format", "md", "--detail", "full",
    ],
    &[
        "replay",
        "a.journal",
        "--format",
        "html",
        "--detail",
        "volley",
    ],
    &[
        "odds",
        "yard",
        "--rule",
        "evil.g.points",
        "--arg",
        "face=3",
        "--arg",
        "words=x",
    ],
    &[
        "odds",
        "yard",
        "--rule",
        "evil.g.points",
        "--arg",
        "face=3",
        "--arg",
        "words=x",
        "--format",
        "svg",
    ],
    &[
        "odds",
        "yard",
        "--rule",
        "evil.g.points",
        "--arg",
        "face=3",
        "--arg",
        "words=x",
        "--format",
        "csv",
    ],
    &[
        "play",
        "yard",
        "--view",
        "referee",
        "--journal",
        "b.journal",
    ],
    &["play", "yard", "--no-journal", "--bot", "red=greedy"],
    // What a player says on the command line.
    &["run", HOSTILE],
    &["run", "yard", "--with", HOSTILE],
    &["run", "yard", "--option", HOSTILE],
    &["run", "yard", "--bots", HOSTILE],
    &["run", "yard", "--view", HOSTILE],
    &["run", "yard", "--journal", HOSTILE],
    &["rules", HOSTILE],
    &["eval", HOSTILE],
    &["test", HOSTILE],
    &["test", "--filter", HOSTILE],
    &["check", HOSTILE],
    &["replay", HOSTILE],
    &["design", HOSTILE],
    &["new", HOSTILE, "--extends", HOSTILE],
    &["play", "--load", HOSTILE],
    &["--mods", HOSTILE, "scenarios"],
    &[HOSTILE],
];

/// All that a player may type in a game, and bytes that are no text.
fn typed() -> Vec<u8> {
    let typed = format!(
        "\u{feff}legal all\nlook\nlook rufus\nlook rufus all\nmap rufus\nsvg table.svg rufus\nhelp strike\n{HOSTILE}\n\
         do {HOSTILE}\nstrike rufus {HOSTILE}\nstrike rufus\n{HOSTILE}\n1\n{HOSTILE}\nyes\nreport\nhistory\nwhy\n\
         why {HOSTILE}\nfail\nnever bruno\nview {HOSTILE}\nbot red {HOSTILE}\nsave {HOSTILE}\nload {HOSTILE}\n\
         svg {HOSTILE}/x\nundo\nredo\nabout\nfinish\nquit\n"
    );
    let mut typed = typed.into_bytes();
    let at = typed.len() - 5;
    typed.splice(at..at, b"\xff\xfe look\n".iter().copied());
    typed
}

#[test]
fn whatever_a_mod_says_steers_no_terminal() {
    let scratch = evil();
    scratch.ok("run yard --bots greedy");
    let typed = typed();
    let mut shown = 0;
    for words in COMMANDS {
        let command = format!("{words:?}");
        let ran = output(&scratch, words, &typed);
        let (out, err) = (clean(&command, &ran.stdout), clean(&command, &ran.stderr));
        assert!(!err.contains("panicked"), "{command}: {err}");
        shown += usize::from(format!("{out}{err}").contains("\\u{202e}"));
        // With colours, as on a terminal: they are all that is obeyed.
        let ran = output(&scratch, &[&["--color", "always"], *words].concat(), &typed);
        for bytes in [&ran.stdout, &ran.stderr] {
            clean(
                &command,
                without_colours(std::str::from_utf8(bytes).unwrap()).as_bytes(),
            );
        }
        if !words.is_empty() && !matches!(words[0], "play" | "types") {
            let ran = output(&scratch, &[&["--format", "json"], *words].concat(), &typed);
            clean(&command, &ran.stdout);
            clean(&command, &ran.stderr);
        }
    }
    assert!(
        shown > COMMANDS.len() * 3 / 4,
        "only {shown} of {} commands printed it",
        COMMANDS.len()
    );
    let page = output(
        &scratch,
        &[
            "run", "yard", "--bots", "random", "--turns", "2", "--format", "html",
        ],
        b"",
    );
    let page = clean("html", &page.stdout);
    assert!(page.contains("&lt;script&gt;alert("), "{page}");
    assert!(
        !page.contains("<script>alert(") && !page.contains("\" onload=\""),
        "{page}"
    );
    let ran = output(
        &scratch,
        &["play", "yard", "--no-journal", "--view", "referee"],
        b"svg table.svg rufus\n",
    );
    let svg = std::fs::read(scratch.0.join("table.svg"));
    let svg = clean(
        "svg",
        &svg.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr))),
    );
    assert!(svg.contains("alert(&#39;x&#39;)"), "{svg}");
    well_formed(&svg);
}

/// Elements are closed in order, and hold nothing that is not drawn.
fn well_formed(svg: &str) {
    let known = [
        "svg", "clipPath", "rect", "polygon", "circle", "polyline", "title", "g", "text", "path",
    ];
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("<{part}"));
        let entities = text.split('&').skip(1).all(|after| {
            ["amp;", "lt;", "gt;", "quot;", "#39;"]
                .iter()
                .any(|entity| after.starts_with(entity))
        });
        assert!(entities && !text.contains(['"', '\'', '>']), "{text}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        let (tag, is_closed) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(known.contains(&name), "<{tag}>");
        assert_eq!(attributes.matches('"').count() % 2, 0, "{tag}");
        assert!(!attributes.contains("onload"), "{tag}");
        if !is_closed {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

// ---- lists without end -------------------------------------------------------------

#[test]
fn a_long_list_of_faults_ends_with_a_count() {
    let scratch = Scratch::new();
    let row = "        (\"gun\", \"x\"),\n".repeat(8_000);
    let table = "Table(id: \"duel.long\", title: \"L\", key: [(\"a\", \"text\")], columns: [(\"b\", \"integer\")], rows: [\n";
    scratch.write(
        "mods/duel/data/long.ron",
        &format!("[\n    {table}{row}    ]),\n]\n"),
    );
    // For programs none is left out.
    let json = scratch.fails(1, "check duel --format json").document();
    let is_error = |one: &&serde_json::Value| one["severity"] == "error";
    assert_eq!(
        json["problems"]
            .as_array()
            .unwrap()
            .iter()
            .filter(is_error)
            .count(),
        8_000
    );
    let ran = scratch.fails(1, "check duel");
    ran.says(&["… and 7,960 more", "1 mod, 8000 problems in 1 file\n"]);
    assert!(ran.out.len() < 40_000, "{}", ran.out.len());
    let ran = scratch.fails(1, "run noon");
    ran.says(&["… and 7,960 more", "8,000 faults in 1 file\n"]);
    assert!(ran.err.len() < 40_000, "{}", ran.err.len());
}

#[test]
fn titles_and_lines_without_end_are_clipped() {
    let scratch = Scratch::new();
    let long = "x".repeat(1 << 17);
    scratch.edit(
        "mods/duel/scenarios/noon.ron",
        "title: \"Noon\"",
        &format!("title: \"{long}\""),
    );
    scratch.edit(
        "mods/snipers/mod.ron",
        "title: \"",
        &format!("title: \"{long}"),
    );
    for line in [
        "scenarios",
        "run noon",
        "rules",
        "rules snipers",
        "play noon --no-journal",
        "run noon --tally",
    ] {
        let ran = scratch.ok(line);
        assert!(
            ran.out.len() + ran.err.len() < 100_000,
            "{line}: {} {}",
            ran.out.len(),
            ran.err.len()
        );
    }
    // A fault far to the right, and one whose message holds all of it.
    for text in [
        format!("[{} \"oops ]", " ".repeat(80_000)),
        format!("[Tabel{long}(id: \"duel.x\")]"),
        format!("[Table(id: \"{long}\", title: \"\", key: [], columns: [], rows: [])]"),
    ] {
        scratch.write("mods/duel/data/wide.ron", &text);
        let ran = scratch.fails(1, "check duel");
        assert!(
            ran.out.len() < 20_000 && ran.out.contains("duel/data/wide.ron"),
            "{}",
            ran.out.len()
        );
        clean("check", ran.out.as_bytes());
    }
}

/// Programs get texts as they are, on lines that can be looked at: what a mod
/// says is escaped in the JSON, and the same when it is read.
#[test]
fn programs_get_what_a_mod_says_as_it_is() {
    let scratch = evil();
    let calls = [
        r#"{"jsonrpc":"2.0","id":1,"method":"start","params":{"scenario":"yard"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"about","params":{"viewer":"red"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"view","params":{"viewer":"referee"}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"legal","params":{"side":"red"}}"#,
    ];
    let ran = output(&scratch, &["rpc"], calls.join("\n").as_bytes());
    let replies = clean("rpc", &ran.stdout);
    let replies: Vec<Json> = replies
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(replies.len(), calls.len(), "{replies:?}");
    let about = &replies[1]["result"];
    assert_eq!(
        [&about["title"], &about["text"], &about["sides"][0]["title"]],
        [HOSTILE; 3]
    );
    let men = replies[2]["result"]["entities"].as_array().unwrap();
    assert!(
        men.iter().any(|man| man["attributes"]["note"] == HOSTILE),
        "{men:?}"
    );
    assert!(
        replies[3]["result"]["actions"]
            .as_array()
            .unwrap()
            .iter()
            .any(|action| action["title"] == HOSTILE)
    );
}
