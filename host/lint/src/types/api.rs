//! The published definitions as functions of chapters need them: the handle of
//! the game parted by what a rule may do with it.

use std::fmt::Write as _;

/// The published type definitions.
const PUBLISHED: &str = include_str!("../../../../schemas/luau/v1/houserule.d.luau");

/// The handles, each with what it may do that those before it may not.
const HANDLES: [(&str, &str, Option<&str>); 4] = [
    ("Reads", "", None),
    ("Draws", " extends Reads", Some("draws")),
    ("Writes", " extends Draws", Some("writes")),
    ("Acts", " extends Writes", Some("asks")),
];

/// The registering functions as they are checked: what a specification names is a
/// rule, whose header is held against it when it is registered.
const REGISTERING: [(&str, &str); 8] = [
    (
        "wrap",
        "<A..., R...>(rule: (A...) -> R..., clauses: Clauses | LayerSpec, wrap: (base: (A...) -> R..., A...) -> R...) -> ()",
    ),
    (
        "replace",
        "<A..., R...>(rule: (A...) -> R..., clauses: Clauses | LayerSpec, instead: (A...) -> R...) -> ()",
    ),
    ("on", "(event: any, spec: any, listener: any?) -> ()"),
    ("action", "(spec: any) -> Declared"),
    ("reaction", "(spec: any) -> Declared"),
    ("window", "(spec: any) -> Declared"),
    ("event", "(spec: any) -> Declared"),
    ("phase", "(spec: any) -> Declared"),
];

/// The published definitions with the handles, and without `require`, which
/// follows the files.
pub(super) fn api() -> String {
    let mut text = String::new();
    let mut methods: Vec<(&str, String)> = Vec::new();
    let mut doc = String::new();
    let mut place = ApiPlace::Outside;
    for line in PUBLISHED.lines() {
        if line == "declare extern type Game with" {
            place = ApiPlace::Game;
            continue;
        }
        if line.starts_with("declare require") {
            place = ApiPlace::Require;
        }
        match place {
            ApiPlace::Game if line == "end" => {
                text.push_str(&handles(&methods));
                place = ApiPlace::Outside;
            }
            ApiPlace::Game if line.trim_start().starts_with("---") => writeln_to(&mut doc, line),
            ApiPlace::Game if line.trim().is_empty() => {}
            ApiPlace::Game => {
                let handle = handle_of(line, &doc);
                methods.push((handle, format!("{}{line}\n", std::mem::take(&mut doc))));
            }
            // The handles are types of their own here.
            ApiPlace::Outside if HANDLES.iter().any(|(handle, ..)| is_alias(line, handle)) => {}
            ApiPlace::Require if line.starts_with("declare require") || line.starts_with('\t') => {}
            _ => {
                place = ApiPlace::Outside;
                writeln_to(&mut text, &registering(line));
            }
        }
    }
    text
}

/// Whether a line says that a handle is the game.
fn is_alias(line: &str, handle: &str) -> bool {
    line.strip_prefix("export type ")
        .and_then(|rest| rest.strip_prefix(handle))
        == Some(" = Game")
}

/// The side of an entity as it is published: it may have none, and rules know which
/// ones have one.
const SIDE: &str = "\tside: any";

/// The definitions without generic functions, and with the side of an entity as a text,
/// so that one which is given where an entity is wanted is found.
pub(super) fn loosened(api: &str) -> String {
    let one = |line: &str| match line.split_once(": <A..., R...>(rule: ") {
        None if line == SIDE => "\tread side: Side\n\twrite side: any\n".into(),
        Some((word, _)) => format!("{word}: (rule: any, clauses: any, wrap: any?) -> (),\n"),
        None => format!("{line}\n"),
    };
    api.lines().map(one).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ApiPlace {
    Outside,
    Game,
    Require,
}

fn writeln_to(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// What a rule must be to use a method, by what the published text says of it.
fn handle_of(line: &str, doc: &str) -> &'static str {
    let words: Vec<&str> = doc
        .split_whitespace()
        .filter(|word| *word != "---")
        .collect();
    let doc = words.join(" ");
    let says = |effect: &str| doc.contains(&format!("(effect: {effect})"));
    let is_drawn = line.trim_start().starts_with("function roll_all");
    let found = HANDLES
        .iter()
        .find(|(_, _, effect)| effect.is_some_and(says));
    match found {
        Some((handle, ..)) => handle,
        None if is_drawn => "Draws",
        None => "Reads",
    }
}

fn handles(methods: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (handle, base, _) in HANDLES {
        let _ = writeln!(text, "declare extern type {handle}{base} with");
        methods
            .iter()
            .filter(|(of, _)| *of == handle)
            .for_each(|(_, method)| text.push_str(method));
        text.push_str("end\n");
    }
    text.push_str("export type Game = Acts\n");
    text
}

/// A line of the module `@rules`, as it is checked.
fn registering(line: &str) -> String {
    // A rule, by its id or by its name.
    if line.trim_start().starts_with("check: Id?") {
        return line.replacen("Id?", "any", 1);
    }
    let is_it = |word: &str| line.starts_with(&format!("\t{word}: ("));
    let is_of_rules = line.ends_with("-> (),") || line.ends_with("-> Declared,");
    match REGISTERING
        .iter()
        .find(|(word, _)| is_of_rules && is_it(word))
    {
        Some((word, ty)) => format!("\t{word}: {ty},"),
        None => line.to_string(),
    }
}
