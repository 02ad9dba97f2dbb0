//! What is written of the contract for authors is what the contract says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kernel::game::Effects;

use super::{Entry, all};

/// Functions of handles that are made of others, each with what makes them.
const MADE_OF_OTHERS: &[(&str, &str)] = &[
    ("game:call", "the functions of composed rules"),
    ("game:deck", "a handle for the functions of decks"),
    ("die:down", "`die:up`, with fewer steps"),
    ("table:find", "`table:get`, without its fault"),
    ("table:add", "registration"),
    ("table:amend", "registration"),
    ("table:remove", "registration"),
];

/// The types in `houserule.d.luau` whose functions the contract has.
const HANDLES: [(&str, &str); 4] = [
    ("game", "Game"),
    ("deck", "Deck"),
    ("die", "Die"),
    ("table", "Table"),
];

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(file(path)).unwrap()
}

/// The effect that a signature must list, in words; nothing for reading.
fn effect_of(entry: &dyn Entry) -> Option<String> {
    let effect = entry.spec().effect;
    (effect != Effects::READS).then(|| effect.words())
}

/// A sentence as comment lines.
fn comment(indent: &str, mark: &str, text: &str) -> String {
    let (mut lines, width) = (String::new(), 118 - indent.len() - mark.len());
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + word.len() >= width {
            lines += &format!("{indent}{mark} {line}\n");
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines + &format!("{indent}{mark} {line}\n")
}

fn doc_of(entry: &dyn Entry) -> String {
    match effect_of(entry) {
        Some(effect) => format!("{} (effect: {effect})", entry.spec().doc),
        None => entry.spec().doc.to_string(),
    }
}

/// The arguments in Luau, with their handle.
fn luau_arguments(entry: &dyn Entry, is_handle_first: bool) -> String {
    let spec = entry.spec();
    assert_eq!(spec.args.len(), entry.takes().len(), "{}", spec.luau);
    let one = |(name, ty): (&&str, super::types::ContractName)| match ty.luau.as_str() {
        "...any" => "...: any".to_string(),
        luau => format!("{name}: {luau}"),
    };
    let args: Vec<String> = spec.args.iter().zip(entry.takes()).map(one).collect();
    let args = if is_handle_first {
        &args[1..]
    } else {
        &args[..]
    };
    std::iter::once("self")
        .chain(args.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A function as `houserule.d.luau` has it; nothing for those that scripts
/// reach by the syntax of Luau or by a module.
fn in_luau(entry: &dyn Entry) -> Option<(&'static str, String)> {
    let (handle, name) = entry.spec().luau.split_once(':')?;
    let args = luau_arguments(entry, handle != "game");
    let gives = entry.gives().map_or("()".to_string(), |names| names.luau);
    Some((
        handle,
        format!(
            "{}\tfunction {name}({args}): {gives}\n",
            comment("\t", "---", &doc_of(entry))
        ),
    ))
}

/// The files in which interfaces stand.
const INTERFACES: [&str; 3] = ["game", "geometry", "hexes"];

/// Functions that components have besides, each with its reason.
const COMPONENTS_ALONE: [(&str, &str); 4] = [
    ("game.leaf", "a cheaper form of `get`"),
    ("game.name", "`get` of the name"),
    ("game.kind", "`get` of the kind"),
    ("game.fail", "what `error` is in Luau"),
];

/// A function as the WIT has it, without the names of its arguments.
fn signature_in_wit(entry: &dyn Entry) -> String {
    let spec = entry.spec();
    let args: Vec<String> = entry.takes().into_iter().map(|names| names.wit).collect();
    let gives = entry
        .gives()
        .map_or(String::new(), |names| format!(" -> {}", names.wit));
    format!(
        "{}: func({}){gives}",
        spec.wit.split_once('.').unwrap().1,
        args.join(", ")
    )
}

/// A line of the WIT without the names of arguments.
fn nameless(line: &str) -> Option<String> {
    let (name, rest) = line.trim().trim_end_matches(';').split_once(": func(")?;
    let (args, gives) = match rest.split_once(") -> ") {
        Some((args, gives)) => (args, format!(" -> {gives}")),
        None => (rest.trim_end_matches(')'), String::new()),
    };
    let mut types = Vec::new();
    for part in args.split(", ").filter(|part| !part.is_empty()) {
        match part.split_once(": ") {
            Some((_, ty)) => types.push(ty.to_string()),
            // Within the brackets of the type before.
            None => *types.last_mut()? += &format!(", {part}"),
        }
    }
    Some(format!("{name}: func({}){gives}", types.join(", ")))
}

/// The interface that a file is about.
fn interface(name: &str) -> String {
    let text = text(&format!("schemas/wit/v1/{name}.wit"));
    let start = text.find(&format!("interface {name} {{\n")).unwrap();
    let end = text[start..].find("\n}\n").unwrap();
    text[start..start + end + 1].to_string()
}

/// The functions of an interface, each with the comment before it.
fn functions_of(interface: &str) -> Vec<(String, String)> {
    let (mut comment, mut found) = (String::new(), Vec::new());
    for line in interface.lines() {
        match nameless(line) {
            Some(function) => found.push((function, std::mem::take(&mut comment))),
            None if line.trim().starts_with("///") => comment += &format!("{line}\n"),
            None => comment.clear(),
        }
    }
    found
}

/// What the WIT says before a function.
fn wit_comment(entry: &dyn Entry) -> String {
    comment("    ", "///", &doc_of(entry))
}

/// The reference page.
fn page() -> String {
    let mut page = PAGE_HEAD.to_string();
    for chapter in super::CHAPTERS {
        page += &format!("\n## {}\n", chapter.title);
        for entry in chapter.functions {
            page += &in_page(*entry);
        }
    }
    page
}

const PAGE_HEAD: &str = "\
# The functions of the game

Every function that a rule can call on the game, in Luau and in components.
This page is written from `host/rules/src/contract`, where each of them is defined once.

A call costs 4 checks, and 64 more and 6 for each rule that is running where it changes something; what is said under \
*cost* comes on top ([Limits](../modding/limits.md)).
Without an effect named here a function only reads, and every rule may call it.
Those whom an `Audience` names are told of it, and everybody without one ([Secrets](../modding/secrets.md)).
";

fn in_page(entry: &dyn Entry) -> String {
    let spec = entry.spec();
    let mut text = format!(
        "\n### `{}`\n\n{}\n\n",
        spec.luau,
        spec.doc.replace(". ", ".\n")
    );
    let luau = spec.luau.split_once(':').map(|(handle, _)| {
        let args = luau_arguments(entry, handle != "game")
            .replacen("self, ", "", 1)
            .replacen("self", "", 1);
        let gives = entry.gives().map_or("()".to_string(), |names| names.luau);
        format!("{}({args}): {gives}", spec.luau)
    });
    if let Some(luau) = luau {
        text += &format!("- Luau: `{luau}`\n");
    }
    let (interface, _) = spec.wit.split_once('.').unwrap();
    text += &format!(
        "- Components, `{interface}`: `{}`\n",
        signature_in_wit(entry)
    );
    if let Some(effect) = effect_of(entry) {
        text += &format!("- Effect: {effect}\n");
    }
    if !spec.cost.is_empty() {
        text += &format!("- Cost: {}\n", spec.cost);
    }
    text
}

/// The part of `houserule.d.luau` that declares a type.
fn declared<'a>(definitions: &'a str, ty: &str) -> &'a str {
    let start = definitions
        .find(&format!("declare extern type {ty} with\n"))
        .unwrap();
    let end = definitions[start..].find("\nend\n").unwrap();
    &definitions[start..start + end + 1]
}

#[test]
fn scripts_are_told_of_every_function_as_the_contract_has_it() {
    if is_to_be_written() {
        write_definitions();
    }
    let definitions = text("schemas/luau/v1/houserule.d.luau");
    for entry in all() {
        let Some((handle, wanted)) = in_luau(entry) else {
            continue;
        };
        let ty = HANDLES
            .iter()
            .find(|(short, _)| *short == handle)
            .unwrap()
            .1;
        assert!(
            declared(&definitions, ty).contains(&wanted),
            "expected in `{ty}`:\n{wanted}"
        );
    }
}

/// A part of a file with a function as the contract has it, in the place of the
/// one of that name, or at the end.
fn with_function(file: &str, part: &str, wanted: &str, mark: &str) -> String {
    let head = wanted.lines().last().unwrap().split('(').next().unwrap();
    let lines: Vec<&str> = part.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.split('(').next() == Some(head))
        .unwrap_or(lines.len());
    let from = lines[..at]
        .iter()
        .rposition(|line| !line.trim().starts_with(mark))
        .map_or(at, |at| at + 1);
    let joined = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    let made = joined(&lines[..from]) + wanted + &joined(lines.get(at + 1..).unwrap_or_default());
    file.replacen(part, &made, 1)
}

/// A file of the WIT with the comments of functions as the contract has them.
fn commented(text: &str, name: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let of = nameless(line).and_then(|function| {
            let has = |entry: &&dyn Entry| {
                entry.spec().wit.starts_with(&format!("{name}."))
                    && signature_in_wit(*entry) == function
            };
            all().find(has).map(wit_comment)
        });
        if let Some(comment) = of {
            while lines
                .last()
                .is_some_and(|last| last.trim().starts_with("///"))
            {
                lines.pop();
            }
            lines.extend(comment.lines().map(str::to_string));
        }
        lines.push(line.to_string());
    }
    lines.join("\n") + "\n"
}

/// Whether what is written of the contract shall be written anew.
fn is_to_be_written() -> bool {
    std::env::var_os("WRITE_CONTRACT").is_some()
}

fn write_definitions() {
    let path = "schemas/luau/v1/houserule.d.luau";
    let mut definitions = text(path);
    for (handle, wanted) in all().filter_map(in_luau) {
        let ty = HANDLES
            .iter()
            .find(|(short, _)| *short == handle)
            .unwrap()
            .1;
        definitions = with_function(&definitions, declared(&definitions, ty), &wanted, "---");
    }
    std::fs::write(file(path), definitions).unwrap();
}

fn write_wit() {
    for name in INTERFACES {
        let path = file(&format!("schemas/wit/v1/{name}.wit"));
        std::fs::write(
            &path,
            commented(&std::fs::read_to_string(&path).unwrap(), name),
        )
        .unwrap();
    }
}

const PAGE: &str = "docs/reference/contract.md";

#[test]
fn the_reference_says_what_the_contract_says() {
    if is_to_be_written() {
        std::fs::write(file(PAGE), page()).unwrap();
    }
    assert!(
        text(PAGE) == page(),
        "{PAGE} is not as the contract is: run with WRITE_CONTRACT=1"
    );
}

#[test]
fn components_are_told_of_every_function_as_the_contract_has_it() {
    if is_to_be_written() {
        write_wit();
    }
    for entry in all() {
        let spec = entry.spec();
        let (name, _) = spec
            .wit
            .split_once('.')
            .unwrap_or_else(|| panic!("{} has no name there", spec.luau));
        let wanted = signature_in_wit(entry);
        let functions = functions_of(&interface(name));
        let Some((_, comment)) = functions.iter().find(|(function, _)| *function == wanted) else {
            panic!("expected in `{name}`: {wanted}")
        };
        assert_eq!(*comment, wit_comment(entry), "before `{}`", spec.wit);
    }
}

#[test]
fn components_are_told_of_nothing_that_the_contract_has_not() {
    let known: BTreeSet<&str> = all().map(|entry| entry.spec().wit).collect();
    for name in INTERFACES {
        for (function, _) in functions_of(&interface(name)) {
            let function = format!("{name}.{}", function.split(':').next().unwrap());
            let is_alone = COMPONENTS_ALONE.iter().any(|(other, _)| *other == function);
            assert!(is_alone != known.contains(function.as_str()), "{function}");
        }
    }
}

#[test]
fn scripts_are_told_of_nothing_that_the_contract_has_not() {
    let definitions = text("schemas/luau/v1/houserule.d.luau");
    let known: BTreeSet<&str> = all().map(|entry| entry.spec().luau).collect();
    for (short, ty) in HANDLES {
        for line in declared(&definitions, ty).lines() {
            let Some(name) = line.trim().strip_prefix("function ") else {
                continue;
            };
            let name = format!("{short}:{}", name.split('(').next().unwrap());
            let is_made = MADE_OF_OTHERS.iter().any(|(other, _)| *other == name);
            assert!(is_made != known.contains(name.as_str()), "{name}");
        }
    }
}

#[test]
fn no_function_stands_twice_in_the_contract() {
    let names: BTreeSet<&str> = all().map(|entry| entry.spec().luau).collect();
    let in_wit: BTreeSet<&str> = all().map(|entry| entry.spec().wit).collect();
    assert_eq!((names.len(), in_wit.len()), (all().count(), all().count()));
    assert!(names.len() > 70, "{}", names.len());
}
