//! `houserule serve` as others meet it: clients in other languages play a game
//! from their seats, a disk is full, a server is killed between journal and
//! reply.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests stop where they go wrong"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value as Json, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of a test's own, until it is dropped.
struct Yard(PathBuf);

impl Yard {
    fn new(name: &str) -> Yard {
        let folder = std::env::temp_dir().join(format!("houserule-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Yard(folder)
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A table that is served beside the test, until it is dropped.
struct Served {
    child: Child,
    links: BTreeMap<String, String>,
    /// It goes on printing, to somebody.
    output: Lines<BufReader<ChildStdout>>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves in a folder; files may grow to so many blocks of 512 bytes, if it is said.
fn serve(yard: &Yard, blocks: Option<u64>, words: &[&str]) -> Served {
    let limit = blocks.map_or(String::new(), |blocks| {
        format!("trap '' XFSZ; ulimit -f {blocks} || exit 9; ")
    });
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("{limit}exec \"$0\" serve \"$@\""),
        env!("CARGO_BIN_EXE_houserule"),
    ]);
    command
        .args(words)
        .arg("--mods")
        .arg(root().join("mods"))
        .args(yard.0.join("mods").is_dir().then_some("--mods=mods"))
        .current_dir(&yard.0)
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut served = Served {
        child,
        links: BTreeMap::new(),
        output,
    };
    let is_open = served.output.by_ref().map_while(Result::ok).any(|line| {
        if let Some((seat, link)) = line.trim().split_once(char::is_whitespace) {
            served
                .links
                .insert(seat.to_string(), link.trim().to_string());
        }
        line.contains("Ctrl-C ends it")
    });
    assert!(is_open, "it ended: {:?}", served.links);
    served
}

/// A seat, by its link.
struct Seat {
    host: String,
    token: String,
}

impl Seat {
    fn of(served: &Served, seat: &str) -> Seat {
        let link = served.links[seat].strip_prefix("http://").unwrap();
        let (host, token) = link.split_once("/#").unwrap();
        Seat {
            host: host.into(),
            token: token.into(),
        }
    }

    /// Posts a request, and does not wait for its reply.
    fn say(&self, method: &str, params: &Json) -> TcpStream {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let head = format!(
            "POST /rpc HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n",
            self.host,
            self.token,
            body.len()
        );
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .unwrap();
        stream
    }

    fn call(&self, method: &str, params: Json) -> Json {
        let mut reply = String::new();
        self.say(method, &params)
            .read_to_string(&mut reply)
            .unwrap();
        let (_, content) = reply
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("{reply}"));
        serde_json::from_str(content).unwrap_or_else(|error| panic!("{error}: {reply}"))
    }
}

/// Plays a skirmish from a seat with a client, and tries a link that opens none.
fn plays_from_its_seat(yard: &Yard, client: impl Fn(&str) -> Command) {
    let served = serve(
        yard,
        None,
        &[
            "skirmish",
            "--bot",
            "red=greedy",
            "--pause",
            "0",
            "--at",
            "127.0.0.1:0",
        ],
    );
    let run = |link: &str| {
        let out = client(link).output().unwrap();
        let output = String::from_utf8_lossy(&out.stdout).into_owned();
        (
            out.status.success(),
            output + &String::from_utf8_lossy(&out.stderr),
        )
    };
    let blue = &served.links["blue"];
    let (is_played, output) = run(blue);
    let has_ended =
        output.contains("Which side activates first?") && output.contains("The game is over: ");
    assert!(is_played && has_ended, "{output}");
    let (is_let_in, output) = run(&format!("{blue}0"));
    assert!(
        !is_let_in && output.contains("the token opens no seat"),
        "{output}"
    );
}

/// The client in Java, compiled and run over a web socket with the token of a
/// seat; where there is no Java it cannot be.
#[test]
fn the_client_in_java_plays_a_game_from_its_seat() {
    if Command::new("javac").arg("-version").output().is_err() {
        eprintln!("left out: the client in Java: there is no `javac`");
        return;
    }
    let yard = Yard::new("java");
    let source = root().join("docs/examples/terminal");
    let files = ["Json.java", "Line.java", "Terminal.java"].map(|file| source.join(file));
    let mut compile = Command::new("javac");
    let compiled = compile
        .args(["-Xlint:all", "-Werror", "-d"])
        .arg(&yard.0)
        .args(files)
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    plays_from_its_seat(&yard, |link| {
        let mut java = Command::new("java");
        java.arg("-cp")
            .arg(&yard.0)
            .args(["Terminal", link, "--chance", "7"]);
        java
    });
}

/// The client in Go, over plain HTTP; where there is no Go it cannot be.
#[test]
fn the_client_in_go_plays_a_game_from_its_seat() {
    if Command::new("go").arg("version").output().is_err() {
        eprintln!("left out: the client in Go: there is no `go`");
        return;
    }
    let yard = Yard::new("go");
    let (source, program) = (
        root().join("docs/examples/over_http/player.go"),
        yard.0.join("player"),
    );
    for words in [vec!["vet"], vec!["build", "-o", program.to_str().unwrap()]] {
        let ran = Command::new("go")
            .args(words)
            .arg(&source)
            .env("GOCACHE", yard.0.join("go"))
            .output()
            .unwrap();
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    plays_from_its_seat(&yard, |link| {
        let mut player = Command::new(&program);
        player.args([link, "7"]);
        player
    });
}

/// A game in which two sides let their goes pass for as long as they like.
const PARLEY: [(&str, &str); 3] = [
    (
        "mod.ron",
        r#"Mod(id: "parley", version: "1.0.0", title: "Parley", authors: [], engine: "0.1", groups: [])"#,
    ),
    (
        "rules/talks.luau",
        r#"--!strict
talks.go_on = rules.phase {
    root = true,
    acts = { order = "alternating", may_pass = talks.may_pass },
}

function talks.may_pass(_game: Reads, _side: Side): Reason?
    return nil
end
"#,
    ),
    (
        "scenarios/tent.ron",
        r#"Scenario(
    format: 1, id: "tent", title: "In the tent", mods: ["parley"], seed: 1,
    table: (width: "1in", depth: "1in"), entities: [],
    sides: [(id: "blue", title: "Blue"), (id: "red", title: "Red")],
)
"#,
    ),
];

/// Puts that game where `serve` finds it.
fn with_parley(yard: &Yard) {
    for (file, text) in PARLEY {
        let path = yard.0.join("mods/parley").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The pass of the side whose go comes after so many, under a key.
fn pass_after<'a>(passes: usize, key: &str, seats: &'a [(&str, Seat); 2]) -> (&'a Seat, Json) {
    let (side, seat) = &seats[passes % 2];
    (
        seat,
        json!({ "key": key, "input": { "input": "pass", "by": side } }),
    )
}

/// A disk that is full: what cannot be written is not done, and those who wait
/// are told so; with more room the game goes on where it was.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_nothing_is_done_and_nothing_is_lost() {
    let yard = Yard::new("full");
    with_parley(&yard);
    let begun = serve(
        &yard,
        None,
        &["tent", "--journal", "game.journal", "--at", "127.0.0.1:0"],
    );
    let seats = ["blue", "red"].map(|side| (side, Seat::of(&begun, side)));
    let referee = Seat::of(&begun, "referee");
    drop(begun);
    let blocks = std::fs::metadata(yard.0.join("game.journal"))
        .unwrap()
        .len()
        / 512
        + 2;
    let again = ["--load", "game.journal", "--at", &referee.host];
    let served = serve(&yard, Some(blocks), &again);
    let mut taken = 0;
    let (refused, seat, pass) = loop {
        let key = format!("{taken} {}", "k".repeat(50));
        let (seat, pass) = pass_after(taken, &key, &seats);
        let reply = seat.call("submit", pass.clone());
        if reply["error"].is_object() {
            break (reply, seat, pass);
        }
        taken += 1;
        assert!(taken < 100, "the disk is never full");
    };
    assert_eq!(refused["error"]["code"], -32005, "{refused}");
    assert!(
        !refused.to_string().contains("game.journal"),
        "paths are for the host: {refused}"
    );
    let hash = referee.call("hash", json!({}))["result"].clone();
    assert_eq!(
        referee.call("standing", json!({ "viewer": "referee" }))["result"]["decisions"],
        taken
    );
    drop(served);

    let _served = serve(&yard, None, &again);
    assert_eq!(
        referee.call("hash", json!({}))["result"],
        hash,
        "what was told is what stands"
    );
    assert!(
        seat.call("submit", pass)["result"].is_object(),
        "what was not done can be done now"
    );
}

/// Links that have run out: those of before open nothing once there are new ones,
/// and hold for as long as there are none.
#[test]
fn links_that_have_run_out_open_nothing() {
    let yard = Yard::new("links");
    let begun = serve(
        &yard,
        None,
        &[
            "skirmish",
            "--journal",
            "game.journal",
            "--at",
            "127.0.0.1:0",
        ],
    );
    let old = Seat::of(&begun, "blue");
    drop(begun);
    let again = ["--load", "game.journal", "--at", &old.host];
    let held = serve(&yard, None, &again);
    assert_eq!(old.call("hello", json!({}))["result"]["viewer"], "blue");
    drop(held);
    let served = serve(&yard, None, &[&again[..], &["--new-links"]].concat());
    let mut reply = String::new();
    old.say("prompt", &json!({}))
        .read_to_string(&mut reply)
        .unwrap();
    assert!(
        reply.starts_with("HTTP/1.1 403") && reply.ends_with("the token opens no seat\n"),
        "{reply}"
    );
    assert_eq!(
        Seat::of(&served, "blue").call("hello", json!({}))["result"]["viewer"],
        "blue"
    );
    let kept = std::fs::read_dir(&yard.0)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file());
    for path in kept {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(&old.token), "{} has a token", path.display());
    }
}

/// A server that is killed at any moment between a request and its reply: said
/// again under its key, a decision is taken once.
#[test]
fn killed_between_journal_and_reply_a_decision_is_taken_once() {
    let yard = Yard::new("killed");
    with_parley(&yard);
    let mut served = serve(
        &yard,
        None,
        &["tent", "--journal", "game.journal", "--at", "127.0.0.1:0"],
    );
    let seats = ["blue", "red"].map(|side| (side, Seat::of(&served, side)));
    let host = seats[0].1.host.clone();
    let again = ["--load", "game.journal", "--at", &host];
    let mut was_written = 0;
    for round in 0..6 {
        let (seat, pass) = pass_after(round, &format!("round {round}"), &seats);
        let waiting = seat.say("submit", &pass);
        // From before it is read to after it is written.
        std::thread::sleep(Duration::from_millis(round as u64 * 8));
        drop(served);
        drop(waiting);
        let journal = std::fs::read_to_string(yard.0.join("game.journal")).unwrap();
        was_written += u32::from(journal.contains(&format!("round {round}")));
        served = serve(&yard, None, &again);
        // A seat is told how many of the decisions were its own.
        let own = round / 2 + 1;
        for _ in 0..2 {
            let reply = seat.call("submit", pass.clone());
            assert_eq!(reply["result"]["decision"], own, "{reply}");
        }
        assert_eq!(seat.call("standing", json!({}))["result"]["decisions"], own);
    }
    assert!(
        was_written > 0,
        "some decision was in the journal without a reply"
    );
}
