//! The header is that of the code, and a program in C plays a game by it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests stop where they go wrong"
)]
#![expect(unsafe_code, reason = "the functions are called as C calls them")]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::{null, null_mut};

use houserule_c::{
    houserule_close, houserule_connect, houserule_disconnect, houserule_free, houserule_look,
    houserule_next, houserule_open, houserule_say,
};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A text with one space wherever there is any.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A type of ours as C writes it.
fn in_c(ours: &str) -> &str {
    match ours {
        "*const *const c_char" => "const char *const *",
        "*const c_char" => "const char *",
        "*mut c_char" => "char *",
        "*const HouseruleServer" => "const struct HouseruleServer *",
        "*mut HouseruleServer" => "struct HouseruleServer *",
        "usize" => "size_t",
        "u64" => "uint64_t",
        "bool" => "bool",
        "" => "void",
        other => panic!("a type that the header has no word for: {other}"),
    }
}

fn declared(kind: &str, name: &str) -> String {
    let space = if kind.ends_with('*') { "" } else { " " };
    format!("{kind}{space}{name}")
}

/// The functions of the source, as the header declares them.
fn functions() -> Vec<String> {
    let source = std::fs::read_to_string(here("src/lib.rs")).unwrap();
    let function = |text: &str| {
        let (name, rest) = text.split_once('(').unwrap();
        let (params, rest) = rest.split_once(')').unwrap();
        let given = rest
            .split_once('{')
            .unwrap()
            .0
            .trim()
            .trim_start_matches("->")
            .trim();
        let params = params
            .split(',')
            .map(str::trim)
            .filter(|param| !param.is_empty());
        let params: Vec<String> = params
            .map(|param| {
                param
                    .split_once(": ")
                    .map(|(name, ours)| declared(in_c(ours), name))
                    .unwrap()
            })
            .collect();
        format!("{}({});", declared(in_c(given), name), params.join(", "))
    };
    source
        .split("pub unsafe extern \"C\" fn ")
        .skip(1)
        .map(function)
        .collect()
}

#[test]
fn the_header_declares_what_there_is() {
    let header = std::fs::read_to_string(here("houserule.h")).unwrap();
    let lines = header
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let header = spaced(&lines.collect::<Vec<_>>().join(" "));
    let functions = functions();
    assert_eq!(functions.len(), 8);
    for function in &functions {
        assert!(
            header.contains(function),
            "expected `{function}`: `cargo run` in host/c/header writes it"
        );
    }
    assert_eq!(
        header.matches("houserule_").count(),
        functions.len(),
        "and nothing else"
    );
}

/// Where cargo has put the library that this test is linked to.
fn library_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.parent().unwrap().to_path_buf();
    let name = format!("{DLL_PREFIX}houserule_c{DLL_SUFFIX}");
    assert!(
        folder.join(&name).exists(),
        "{name} is in {}",
        folder.display()
    );
    folder
}

/// It is compiled by the command that it begins with.
#[test]
fn a_program_in_c_plays_a_game() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("left out: there is no C compiler `cc`");
        return;
    }
    let folder = library_folder();
    let program = std::env::temp_dir().join(format!("houserule-c-{}", std::process::id()));
    let source = std::fs::read_to_string(here("examples/play.c")).unwrap();
    let command = source
        .lines()
        .find_map(|line| line.strip_prefix("//     cc "));
    let built = folder.to_string_lossy();
    let arguments = command.unwrap().strip_suffix(" -o play").unwrap();
    let arguments = arguments
        .split(' ')
        .map(|word| word.replace("target/release", &built));
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .args(arguments)
        .current_dir(here("../.."))
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let played = Command::new(&program)
        .arg(here("../../docs/examples"))
        .output()
        .unwrap();
    std::fs::remove_file(&program).unwrap();
    let output = String::from_utf8_lossy(&played.stdout);
    assert!(
        played.status.success(),
        "{output}{}",
        String::from_utf8_lossy(&played.stderr)
    );
    assert!(
        output
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("over after ")),
        "{output}"
    );
}

/// What comes in wrong does nothing.
#[test]
fn pointers_and_numbers_that_are_nothing_do_nothing() {
    let folder = CString::new(here("../../docs/examples").to_str().unwrap()).unwrap();
    let folders = [folder.as_ptr()];
    // SAFETY: pointers are null, or what the functions gave; texts end with zeros.
    unsafe {
        assert!(houserule_open(null(), 0).is_null());
        assert!(houserule_open([null()].as_ptr(), 1).is_null());
        assert_eq!(houserule_connect(null(), true), 0);
        assert!(
            !houserule_say(null(), 1, c"{}".as_ptr(), 2) && houserule_next(null(), 1).is_null()
        );
        assert!(!houserule_look(null()) && !houserule_close(null_mut()));
        houserule_free(null_mut());
        houserule_disconnect(null(), 1);
        let server = houserule_open(folders.as_ptr(), 1);
        assert!(
            !houserule_say(server, 7, c"{}".as_ptr(), 2),
            "nobody is connected"
        );
        let guest = houserule_connect(server, false);
        assert!(!houserule_say(server, guest, null(), 2));
        assert!(houserule_say(server, guest, c"\xff{".as_ptr(), 2));
        let reply = houserule_next(server, guest);
        assert!(CStr::from_ptr(reply).to_str().unwrap().contains("-32700"));
        houserule_free(reply);
        assert!(houserule_next(server, guest).is_null());
        let elsewhere = server as usize;
        let other = std::thread::spawn(move || {
            let server = elsewhere as *mut houserule_c::HouseruleServer;
            (houserule_connect(server, true), houserule_close(server))
        });
        assert_eq!(
            other.join().unwrap(),
            (0, false),
            "it belongs to the thread that opened it"
        );
        houserule_disconnect(server, guest);
        assert!(!houserule_say(server, guest, c"{}".as_ptr(), 2));
        assert!(houserule_close(server));
    }
}
