//! Names that a file of rules has without saying so: the modules of the host,
//! the mods that its own depends on, its own mod, the chapters and lists of
//! that, what its other files return, and the types of its kinds and records.
//!
//! What a file uses of them and does not declare is declared for it, in front
//! of the first comment or blank line, or else of the first code: no line moves,
//! and whoever reads the file reads it as if its author had written it.
//!
//! ```text
//! --!strict
//! --[[names]] local dsii = require("@dsii") local fire = dsii.fire type Shot = dsii.Shot -- Direct fire: …
//! ```
//!
//! ```text
//! --- The die of a shot.
//! --[[names]] local dsii = require("@dsii") local fire = dsii.fire --[[/names]]function fire.die(…
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::kept;
use crate::tokens::{NAMES_END, NAMES_MARK, Token, TokenKind, comment, tokens, words_in};

/// Modules of the host.
const OF_THE_HOST: [&str; 4] = ["rules", "ask", "domain", "list"];

/// The module of cases, which only they have.
const OF_CASES: &str = "test";

/// What every mod has besides chapters: lists of what its data and its files
/// declare.
const OF_EVERY_MOD: [&str; 9] = [
    "tables", "options", "clauses", "kinds", "events", "phases", "windows", "push", "over",
];

/// The published types, none of which is a mod's own.
const PUBLISHED: &str = include_str!("../../../../schemas/luau/v1/houserule.d.luau");

/// What headers know besides.
const OF_HEADERS: [&str; 8] = [
    "Integer", "Path", "LineSpec", "Reason", "Reads", "Draws", "Writes", "Acts",
];

static KNOWN_TYPES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let named = PUBLISHED.lines().filter_map(|line| {
        let rest = line
            .strip_prefix("export type ")
            .or_else(|| line.strip_prefix("declare extern type "))?;
        rest.split(|c: char| !c.is_ascii_alphanumeric()).next()
    });
    named.chain(OF_HEADERS).collect()
});

/// The types that every file has.
pub fn published_types<'a>() -> impl Iterator<Item = &'a str> {
    KNOWN_TYPES.iter().map(|name| -> &'a str { name })
}

/// The folder of rules, and that of cases.
pub(super) const RULES: &str = "rules/";
pub(super) const CASES: &str = "tests/";

/// The Luau files in one of the folders of a mod that use names of their mod
/// without declaring them, each as it is read.
pub(super) fn with_names(
    module: &str,
    depends: &[String],
    files: &BTreeMap<String, Arc<str>>,
    folder: &str,
) -> BTreeMap<String, Arc<str>> {
    let read = read_in(files, folder);
    put_all(files, declarations(module, depends, &read, folder))
}

/// The same of files that stand in a folder: what is declared in front of them
/// is kept for the next process.
pub(super) fn with_kept_names(
    module: &str,
    depends: &[String],
    files: &BTreeMap<String, Arc<str>>,
    folder: &str,
) -> BTreeMap<String, Arc<str>> {
    if !kept::is_on() {
        return with_names(module, depends, files, folder);
    }
    let read = read_in(files, folder);
    let hash = hash_of(depends, &read);
    let name = format!("names of {module} in {folder}");
    let before = kept::read(&name).and_then(|bytes| postcard::from_bytes::<KeptNames>(&bytes).ok());
    if let Some((_, stored)) = before.filter(|(of, _)| *of == hash) {
        return put_all(files, stored);
    }
    let found = (hash, declarations(module, depends, &read, folder));
    postcard::to_allocvec::<KeptNames>(&found)
        .into_iter()
        .for_each(|bytes| kept::write(&name, bytes));
    put_all(files, found.1)
}

/// The files of a mod that say what is declared in those of a folder: rules are
/// looked through for cases too, for they say which chapters there are.
fn read_in<'a>(
    files: &'a BTreeMap<String, Arc<str>>,
    folder: &str,
) -> Vec<(&'a String, &'a Arc<str>)> {
    let is_luau = |path: &&String| {
        path.ends_with(".luau") && (path.starts_with(RULES) || path.starts_with(folder))
    };
    files.iter().filter(|(path, _)| is_luau(path)).collect()
}

/// The files with what is declared in front of them.
fn put_all(
    files: &BTreeMap<String, Arc<str>>,
    declarations: BTreeMap<String, String>,
) -> BTreeMap<String, Arc<str>> {
    let put = |(path, declaration): (String, String)| {
        let text = Arc::from(put_in(files.get(&path)?, &declaration));
        Some((path, text))
    };
    declarations.into_iter().filter_map(put).collect()
}

/// The hash of what it follows from what is declared.
fn hash_of(depends: &[String], read: &[(&String, &Arc<str>)]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(depends.len() as u64).to_le_bytes());
    let files = read.iter().flat_map(|(path, text)| [&***path, &***text]);
    for text in depends.iter().map(String::as_str).chain(files) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// The hash of what it follows from, and what is declared by path.
type KeptNames = ([u8; 32], BTreeMap<String, String>);

/// What is declared in front of each file of a folder.
fn declarations(
    module: &str,
    depends: &[String],
    files: &[(&String, &Arc<str>)],
    folder: &str,
) -> BTreeMap<String, String> {
    let read: Vec<(&String, Arc<FileNames>)> = files
        .iter()
        .map(|(path, text)| (*path, FileNames::of(text)))
        .collect();
    let of_rules = read.iter().filter(|(path, _)| path.starts_with(RULES));
    let chapters: BTreeSet<&str> = of_rules
        .flat_map(|(_, names)| names.chapters(module))
        .collect();
    let helpers = helpers(module, &read);
    let of_folder = read.iter().filter(|(path, _)| path.starts_with(folder));
    let declared = of_folder.filter_map(|(path, names)| {
        let mut required: BTreeMap<&str, String> = match path.starts_with(CASES) {
            true => BTreeMap::from([(OF_CASES, format!("@{OF_CASES}"))]),
            false => helpers.clone(),
        };
        required.retain(|_, wanted| *wanted != wanted_of(module, path));
        let others = OF_THE_HOST
            .iter()
            .copied()
            .chain(depends.iter().map(String::as_str));
        required.extend(others.map(|name| (name, format!("@{name}"))));
        Some((
            (*path).clone(),
            names.declaration(module, &required, &chapters)?,
        ))
    });
    declared.collect()
}

/// Files of rules that give something to those who require them, by their
/// names; of two that are called alike neither.
fn helpers<'a>(module: &str, files: &[(&'a String, Arc<FileNames>)]) -> BTreeMap<&'a str, String> {
    let mut found: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for (path, names) in files.iter().filter(|(path, _)| path.starts_with(RULES)) {
        let stem = path
            .trim_end_matches(".luau")
            .rsplit('/')
            .next()
            .unwrap_or_default();
        if names.is_helper {
            let wanted = Some(wanted_of(module, path));
            found
                .entry(stem)
                .and_modify(|one| *one = None)
                .or_insert(wanted);
        }
    }
    found
        .into_iter()
        .filter_map(|(stem, wanted)| Some((stem, wanted?)))
        .collect()
}

/// As what a file of a mod is required.
fn wanted_of(module: &str, path: &str) -> String {
    format!("@{module}/{}", path.trim_end_matches(".luau"))
}

/// The text with the names before its first comment, blank line or code; a doc
/// comment stays right before what it is over.
fn put_in(text: &str, declaration: &str) -> String {
    let mut at = 0;
    loop {
        let (before, rest) = text.split_at(at);
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        let is_long = line.starts_with("--[");
        let is_kept = line.starts_with("--!") || line.starts_with("---");
        if line.trim().is_empty() || line.starts_with("--") && !is_long && !is_kept {
            return format!("{before}{declaration}{rest}");
        } else if !line.starts_with("--") {
            return format!("{before}{declaration}{NAMES_END}{rest}");
        }
        at += if is_long { comment(rest).0 } else { line.len() };
    }
}

/// The names of a file.
#[derive(Default)]
struct FileNames {
    /// Those that the file declares anywhere at its start of lines.
    declared: BTreeSet<String>,
    /// Locals that are chapters: `local fire = dsii.fire`.
    locals: BTreeMap<String, String>,
    /// Those of which something is looked up.
    used: BTreeSet<String>,
    /// Types that it names and does not declare.
    types: BTreeSet<String>,
    /// What something is given to: `function fire.die(`, `fire.die = `.
    given: BTreeSet<String>,
    /// Whether it gives something to those who require it.
    is_helper: bool,
}

/// The names of texts that were met, by what is in them: after a save one file
/// of a mod is another, and its others are as they were.
static CACHE: LazyLock<Mutex<FxHashMap<Arc<str>, Arc<FileNames>>>> = LazyLock::new(Mutex::default);

/// More texts than this are not remembered.
const MOST_CACHED: usize = 1_024;

impl FileNames {
    /// The names of a text, as they were read when it was first met.
    fn of(text: &Arc<str>) -> Arc<FileNames> {
        let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(text) {
            return known.clone();
        }
        let read = Arc::new(FileNames::read(text));
        let mut cache = cache();
        if cache.len() >= MOST_CACHED {
            cache.clear();
        }
        cache.insert(text.clone(), read.clone());
        read
    }

    fn read(text: &str) -> FileNames {
        let found = tokens(text).all;
        let mut names = FileNames::default();
        let word = |at: usize| found.get(at).map_or("", |token: &Token<'_>| token.text);
        for (at, token) in found.iter().enumerate() {
            let before = if at == 0 { "" } else { word(at - 1) };
            match token.sort {
                // After a colon stands a type, `unit: Unit` and `unit: dsii.Unit`, or what
                // is called.
                TokenKind::Name
                    if !matches!(before, "." | ":")
                        || before == ":" && (is_type(token.text) || word(at + 1) == ".") =>
                {
                    names.name(at, token, &word);
                }
                TokenKind::Interpolated => {
                    let is_path = |name: &&str| token.text.contains(&format!("{name}."));
                    let paths = words_in(token.text).filter(is_path);
                    names.used.extend(paths.map(str::to_string));
                }
                _ => {}
            }
            if token.is_first {
                names.statement(at, &word);
            }
        }
        let last = found.iter().rfind(|token| token.is_first);
        names.is_helper = last.is_some_and(|token| token.text == "return");
        let declared = &names.declared;
        names
            .types
            .retain(|name| !declared.contains(name) && !KNOWN_TYPES.contains(&name.as_str()));
        names
    }

    fn name<'t>(&mut self, at: usize, token: &Token<'t>, word: &impl Fn(usize) -> &'t str) {
        if is_type(token.text) {
            self.types.insert(token.text.to_string());
        } else if word(at + 1) == "." {
            self.used.insert(token.text.to_string());
        }
    }

    fn statement<'t>(&mut self, at: usize, word: &impl Fn(usize) -> &'t str) {
        match word(at) {
            "local" if word(at + 1) == "function" => {
                self.declared.insert(word(at + 2).to_string());
            }
            "local" => {
                let mut next = at + 1;
                loop {
                    self.declared.insert(word(next).to_string());
                    if word(next + 1) != "," {
                        break;
                    }
                    next += 2;
                }
                if word(at + 2) == "=" && word(at + 4) == "." {
                    self.locals
                        .insert(word(at + 1).to_string(), word(at + 5).to_string());
                }
            }
            "type" => {
                self.declared.insert(word(at + 1).to_string());
            }
            "export" if word(at + 1) == "type" => {
                self.declared.insert(word(at + 2).to_string());
            }
            "function" if word(at + 2) == "." && word(at + 4) == "(" => {
                self.given.insert(word(at + 1).to_string());
            }
            name if word(at + 1) == "." && word(at + 3) == "=" && word(at + 4) == "rules" => {
                self.given.insert(name.to_string());
            }
            _ => {}
        }
    }

    /// The chapters of its mod to which it gives something.
    fn chapters(&self, module: &str) -> impl Iterator<Item = &str> {
        self.given
            .iter()
            .filter(move |name| **name != module)
            .filter_map(|name| match self.declared.contains(name) {
                true => self.locals.get(name).map(String::as_str),
                false => Some(name.as_str()),
            })
    }

    /// What the file would have to declare; nothing if that is nothing.
    fn declaration(
        &self,
        module: &str,
        required: &BTreeMap<&str, String>,
        chapters: &BTreeSet<&str>,
    ) -> Option<String> {
        let open = self.used.iter().map(String::as_str);
        let used: Vec<&str> = open.filter(|name| !self.declared.contains(*name)).collect();
        let is_own = |name: &&str| {
            !required.contains_key(name) && (chapters.contains(name) || OF_EVERY_MOD.contains(name))
        };
        let own: Vec<&str> = used.iter().copied().filter(is_own).collect();
        let outside: Vec<(&str, &String)> = used
            .iter()
            .filter_map(|name| Some((*name, required.get(name)?)))
            .collect();
        let is_wanted = self.used.contains(module) && !self.declared.contains(module);
        let is_named = !own.is_empty() || !self.types.is_empty() || is_wanted;
        // A mod that has no chapters has its lists all the same: who asks them for
        // what is another mod's is told so. Chapters that a component gives stand in
        // no text, and are said with the mod.
        let has_own = !chapters.is_empty() || !own.is_empty() || is_wanted;
        if outside.is_empty() && (!is_named || !has_own) {
            return None;
        }
        let mut text = format!("{NAMES_MARK} ");
        for (name, wanted) in outside {
            let _ = write!(text, "local {name} = require(\"{wanted}\") ");
        }
        if is_named && has_own {
            // A file that says so itself does after this.
            let _ = write!(text, "local {module} = require(\"@{module}\") ");
            for name in own {
                let _ = write!(text, "local {name} = {module}.{name} ");
            }
            for name in &self.types {
                let _ = write!(text, "type {name} = {module}.{name} ");
            }
        }
        Some(text)
    }
}

/// Whether a name is one of a type: `Element`, but not `RANGES`.
fn is_type(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::declared_before;

    fn read(module: &str, files: &[(&str, &str)]) -> BTreeMap<String, Arc<str>> {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_string(), Arc::from(*text)))
            .collect();
        let depends = ["base".to_string()];
        let mut found = with_names(module, &depends, &files, RULES);
        found.extend(with_names(module, &depends, &files, CASES));
        found
    }

    #[test]
    fn a_mod_whose_chapters_no_text_gives_is_there_by_its_id() {
        let text = "--!strict\n-- The bonus.\n\nlocal two = club.first.bonus(game, 1)\n";
        let found = read("club", &[("tests/first.luau", text)]);
        assert!(
            found["tests/first.luau"].contains("local club = require(\"@club\") "),
            "{found:?}"
        );
    }

    #[test]
    fn a_mod_without_chapters_has_its_lists() {
        let text = "--!strict\n-- Aim.\n\nover.fire.die:shift(\"aim.snap\", -1)\n";
        let found = read("club", &[("rules/aim.luau", text)]);
        assert!(
            found["rules/aim.luau"].contains("local over = club.over "),
            "{found:?}"
        );
    }

    const FIRE: &str = "--!strict
-- Fire.

local FAR = rules.inches(6)

--- [range] Whether it reaches.
function fire.reaches(game: Reads, gun: Gun, _at: Point?): boolean
    local close = aim.close(game, gun)
    return close and gun.range > FAR
end
";

    #[test]
    fn a_file_has_the_names_of_its_mod() {
        let aim = "--!strict\n-- Aim.\nlocal aim = m.aim\nfunction aim.close(game: Reads, gun: Gun): boolean\nend\n";
        let found = read("m", &[("rules/fire.luau", FIRE), ("rules/aim.luau", aim)]);
        let line = |path: &str| found[path].lines().nth(1).unwrap().to_string();
        assert_eq!(
            line("rules/fire.luau"),
            "--[[names]] local rules = require(\"@rules\") local m = require(\"@m\") local aim = m.aim local fire = m.fire type Gun = m.Gun -- Fire."
        );
        assert_eq!(
            line("rules/aim.luau"),
            "--[[names]] local m = require(\"@m\") type Gun = m.Gun -- Aim."
        );
        assert_eq!(
            found["rules/fire.luau"].lines().count(),
            FIRE.lines().count()
        );
    }

    #[test]
    fn a_file_that_opens_with_code_has_them_too() {
        let of =
            |text: &str| read("m", &[("rules/fire.luau", text)])["rules/fire.luau"].to_string();
        let line = "--[[names]] local m = require(\"@m\") local fire = m.fire type Gun = m.Gun --[[/names]]";
        let code = "function fire.die(game: Reads, gun: Gun): Die\nend\n";
        assert_eq!(of(code), format!("{line}{code}"));
        for before in [
            "--!strict\n",
            "--- [range] The die\n--- of a gun.\n",
            "--!strict\n--- The die.\n",
        ] {
            assert_eq!(
                of(&format!("{before}{code}")),
                format!("{before}{line}{code}")
            );
        }
        let whole = of(code);
        let first: Vec<&str> = tokens(&whole)
            .all
            .iter()
            .filter(|token| token.is_first)
            .map(|token| token.text)
            .collect();
        assert_eq!(first, ["local", "local", "type", "function", "end"]);
        assert_eq!(declared_before(&whole), line.len());
        assert_eq!(declared_before(code), 0);
        let long = "--[[ Fire.\n\n  And more. ]]\n";
        let (head, tail) = long.split_at(long.len() - 1);
        let named = line.replace("--[[/names]]", "");
        assert_eq!(
            of(&format!("{long}{code}")),
            format!("{head}{named}{tail}{code}")
        );
    }

    #[test]
    fn what_is_declared_stays() {
        let whole = "--!strict\n-- Fire.\nlocal rules = require(\"@rules\")\nlocal m = require(\"@m\")\nlocal fire = m.fire\ntype Gun = m.Gun\nfunction fire.die(game: Reads, gun: Gun): Die\n    return rules.die(6)\nend\n";
        assert_eq!(read("m", &[("rules/fire.luau", whole)]), BTreeMap::new());
        let none = "-- Numbers.\nlocal out = {}\nreturn out\n";
        assert!(read("m", &[("rules/none.luau", none)]).is_empty());
    }

    #[test]
    fn a_file_has_the_mods_that_its_own_depends_on() {
        let text = "-- Lines.\nbase.over.fire.die:shift(\"m.a\", 1, \"a\", other.fire.die)\n";
        let found = read("m", &[("rules/lines.luau", text)]);
        let whole = format!("--[[names]] local base = require(\"@base\") {text}");
        assert_eq!(*found["rules/lines.luau"], *whole);
    }

    #[test]
    fn a_mod_may_stand_in_a_header_alone() {
        let text = "-- Twice.\nfunction call.twice(_game: Reads, _unit: base.Unit): Integer\n    return 2\nend\n";
        let found = read("m", &[("rules/call.luau", text)]);
        assert!(found["rules/call.luau"].contains("local base = require(\"@base\") "));
        let called =
            "-- Twice.\nfunction call.twice(game: Reads): Integer\n    return game:base(1)\nend\n";
        let found = read("m", &[("rules/call.luau", called)]);
        assert!(!found["rules/call.luau"].contains("@base"));
    }

    #[test]
    fn a_file_has_what_others_return() {
        let words = "-- Words.\nlocal words = {}\nfunction words.of(x)\n    return words.of(x)\nend\nreturn words\n";
        let text = "-- Says.\nfunction say.how(game: Reads): string\n    return words.of(1)\nend\n";
        let found = read(
            "m",
            &[("rules/deep/words.luau", words), ("rules/say.luau", text)],
        );
        assert!(
            found["rules/say.luau"].contains("local words = require(\"@m/rules/deep/words\") ")
        );
        assert!(!found.contains_key("rules/deep/words.luau"));
    }

    #[test]
    fn names_in_texts_are_found() {
        let text = "-- Words.\nfunction say.how(game: Reads): string\n    return `{fire.word(game)}`\nend\nfunction fire.word(game: Reads): string\nend\n";
        let found = read("m", &[("rules/say.luau", text)]);
        assert!(found["rules/say.luau"].contains("local fire = m.fire local say = m.say"));
    }
}
