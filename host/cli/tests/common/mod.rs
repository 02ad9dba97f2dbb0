//! A scratch folder with the mods of the fixtures, and the binary to run there.

// These helpers are tests too, though no attribute says so.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value as Json;

/// A folder that goes when it is dropped.
pub struct Scratch(pub PathBuf);

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Scratch {
    /// A new folder, with the fixtures under `mods`.
    pub fn new() -> Scratch {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("houserule-cli-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        copy(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"),
            &folder.join("mods"),
        );
        Scratch(folder)
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.join(path)).unwrap()
    }

    /// Puts a text in place of another in a file.
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from}");
        self.write(path, &text.replace(from, to));
    }

    /// The command with its arguments, in this folder.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        command
            .args(line.split_whitespace())
            .current_dir(&self.0)
            .env_remove("CI")
            .stdin(Stdio::null());
        command
    }

    /// What the command says that is interrupted after so many milliseconds.
    #[cfg(unix)]
    pub fn interrupted_after(&self, line: &str, wait: u64) -> Ran {
        let child = self
            .command(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let sent = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs the command.
    pub fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).output().unwrap())
    }

    /// Runs the command, which must exit with 0.
    pub fn ok(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "{line}\n{}\n{}", ran.out, ran.err);
        ran
    }

    /// Runs the command, which must exit with this code.
    pub fn fails(&self, code: i32, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, code, "{line}\n{}\n{}", ran.out, ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command printed, and how it ended.
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// From the output of a process.
    pub fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The output as one JSON object a line.
    pub fn lines(&self) -> Vec<Json> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).expect(line))
            .collect()
    }

    /// The output as one JSON document.
    pub fn document(&self) -> Json {
        serde_json::from_str(&self.out).expect(&self.out)
    }

    /// Both outputs together must hold these.
    pub fn says(&self, wanted: &[&str]) {
        for text in wanted {
            assert!(
                self.out.contains(text) || self.err.contains(text),
                "no `{text}` in\n{}\n{}",
                self.out,
                self.err
            );
        }
    }
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
