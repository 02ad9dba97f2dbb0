//! Games on many machines, as the book has them played, and what others read of
//! the games that are kept.

use std::ffi::OsString;
#[cfg(unix)]
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use super::common::Ran;
use super::common::Scratch;

/// A file beside the page on many games.
fn of_the_book(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/examples/many_games")
        .join(file)
}

/// The folders of programs, with that of `houserule` before them.
fn with_houserule() -> OsString {
    let ours = Path::new(env!("CARGO_BIN_EXE_houserule"))
        .parent()
        .unwrap()
        .to_path_buf();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([ours].into_iter().chain(std::env::split_paths(&others))).unwrap()
}

/// Runs a program that must do what it is for.
fn done(command: &mut Command) -> String {
    let out = command.output().unwrap();
    let output = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        out.status.success(),
        "{output}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    output
}

/// Whether Python is there with these; what is left out without them is said.
fn has_python_with(modules: &str, left_out: &str) -> bool {
    let line = format!("import {modules}");
    let has = Command::new("python3")
        .args(["-c", &line])
        .output()
        .is_ok_and(|out| out.status.success());
    if !has {
        eprintln!("left out: {left_out}: there is no Python with {modules}");
    }
    has
}

/// Forty games in sixteen shards, each by this, are one run.
#[cfg(unix)]
fn sixteen_shards(scratch: &Scratch, shard: &dyn Fn(u64) -> Command) {
    for part in 1..=16 {
        done(
            shard(part)
                .current_dir(&scratch.0)
                .env("PATH", with_houserule()),
        );
    }
    let parts: Vec<String> = std::fs::read_dir(scratch.0.join("raid"))
        .unwrap()
        .map(|entry| format!("raid/{}", entry.unwrap().file_name().display()))
        .collect();
    assert_eq!(parts.len(), 16);
    // What is put together needs no mods.
    let merged = format!(
        "simulate --mods nowhere --merge {} --out raid.jsonl",
        parts.join(" ")
    );
    assert_eq!(scratch.ok(&merged).err, "");
    scratch.ok("simulate noon --games 40 --out one.jsonl");
    assert_eq!(scratch.read("raid.jsonl"), scratch.read("one.jsonl"));
}

/// What was packed comes through a pipe, which is read once.
#[cfg(unix)]
#[test]
fn a_part_may_come_through_a_pipe() {
    let scratch = Scratch::new();
    for part in 1..=2 {
        scratch.ok(&format!(
            "simulate noon --games 4 --shard {part}/2 --out part-{part}.jsonl"
        ));
    }
    scratch.ok("simulate noon --games 4 --out one.jsonl");
    let merged = |text: &str, line: &str| {
        let mut command = scratch.command(line);
        command.stdin(Stdio::piped());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Who does not read it to its end has said why.
        let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
        Ran::of(child.wait_with_output().unwrap())
    };
    let part = scratch.read("part-2.jsonl");
    let ran = merged(
        &part,
        "simulate --merge part-1.jsonl /dev/stdin --out raid.jsonl",
    );
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_eq!(scratch.read("raid.jsonl"), scratch.read("one.jsonl"));
    let ran = merged(
        &"no game\n".repeat(1 << 16),
        "simulate --merge part-1.jsonl /dev/stdin",
    );
    assert_eq!(ran.code, 1);
    ran.says(&["/dev/stdin: "]);
    // What is gone on with is read, made shorter and written: that needs a file.
    merged(&part, "simulate noon --games 4 --resume --out /dev/stdin")
        .says(&["expected a file, found a folder or a device"]);
}

/// The script of the book, as the tasks of an array run it; one of them twice.
#[cfg(unix)]
#[test]
fn the_tasks_of_slurm_are_one_run() {
    let scratch = Scratch::new();
    let task = |part: u64| {
        let mut task = Command::new("bash");
        task.arg(of_the_book("slurm.sh"))
            .env("SLURM_ARRAY_TASK_ID", part.to_string());
        task.envs([
            ("SCENARIO", "noon"),
            ("GAMES", "40"),
            ("SLURM_ARRAY_TASK_COUNT", "1"),
        ]);
        task
    };
    done(
        task(3)
            .current_dir(&scratch.0)
            .env("PATH", with_houserule()),
    );
    sixteen_shards(&scratch, &task);
}

/// The command of the book's pods, with another scenario in the place of its own.
#[cfg(unix)]
#[test]
fn the_pods_of_kubernetes_are_one_run() {
    let scratch = Scratch::new();
    let manifest = std::fs::read_to_string(of_the_book("kubernetes.yaml")).unwrap();
    let (_, script) = manifest.split_once("- |\n").unwrap();
    let script = script.split_once("          resources:").unwrap().0;
    let other = script.replace("border-raid --games 10000", "noon --games 40");
    assert_ne!(other, script);
    sixteen_shards(&scratch, &|part| {
        let mut pod = Command::new("/bin/sh");
        pod.args(["-ec", &other])
            .env("JOB_COMPLETION_INDEX", (part - 1).to_string());
        pod
    });
    if has_python_with(
        "kubernetes_validate",
        "the manifest against the schema of Kubernetes",
    ) {
        let mut check = Command::new("python3");
        let program = "import kubernetes_validate, sys, yaml; \
            kubernetes_validate.validate(yaml.safe_load(open(sys.argv[1])), '1.31', strict=True)";
        done(
            check
                .args(["-c", program])
                .arg(of_the_book("kubernetes.yaml")),
        );
    }
}

/// Two machines of which one dies, and a worker of the other.
#[test]
fn the_driver_for_ray_gives_one_run() {
    let driver = std::fs::read_to_string(of_the_book("ray_shards.py")).unwrap();
    assert!(driver.lines().count() < 80);
    if !has_python_with("ray", "games on a cluster of Ray") {
        return;
    }
    let scratch = Scratch::new();
    let cluster = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ray_cluster.py");
    let mut run = Command::new("python3");
    run.arg(cluster)
        .arg(env!("CARGO_BIN_EXE_houserule"))
        .arg(scratch.0.join("mods"));
    let output = done(run.args(["noon", "60000", "6"]));
    assert!(output.ends_with("the same bytes as one run\n"), "{output}");
}

/// Ten games, counted by us and by others.
#[test]
fn others_read_what_is_kept() {
    let scratch = Scratch::new();
    let counted = scratch
        .ok("simulate noon --games 10 --out noon.jsonl --format json")
        .document();
    let read = |file: &str, rest: &[&str]| {
        let mut python = Command::new("python3");
        done(
            python
                .arg(of_the_book(file))
                .arg("noon.jsonl")
                .args(rest)
                .current_dir(&scratch.0),
        )
    };
    if has_python_with("duckdb", "games read by DuckDB") {
        let output = read("read_duckdb.py", &["noon.parquet"]);
        for (winner, share) in counted["variants"][0]["winners"].as_object().unwrap() {
            let mut games = Command::new("python3");
            let sum = "import duckdb, sys; print(duckdb.sql(\"select count(*) from 'noon.parquet' where winner = '\" \
                + sys.argv[1] + \"'\").fetchall()[0][0])";
            let found = done(games.args(["-c", sum, winner]).current_dir(&scratch.0));
            assert_eq!(
                found.trim(),
                share["games"].to_string(),
                "{winner}: {output}"
            );
        }
        assert!(output.contains("duel.fire.shoot"), "{output}");
    }
    if has_python_with("pandas", "games read by pandas") {
        let output = read("read_pandas.py", &[]);
        assert!(
            output.starts_with("noon: 10 games by duel\n") && output.contains("duel.fire.shoot"),
            "{output}"
        );
    }
}
