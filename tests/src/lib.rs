//! What the tests of broken and hostile mods share: mods written into one text
//! file, with what must go wrong said in comments on the very line.
//!
//! ```text
//! # any words about the test, and settings: `with m:night`, `option base.core.most=12`
//! //// rules/x.luau
//! rules.wrap("base.twise", f) -- fault F021: no mod defines / hint: did you mean
//! //// other:mod.ron
//! …
//! ```
//!
//! Sections belong to the mod `m` unless they name another. A mod without a
//! `mod.ron` gets one that depends on `base`, which is in `tests/base`. Several
//! faults of one line are parted by ` || `; `fault-file` stands for a fault
//! that names the file alone. The setting `also F039 base:rules/base.luau:51:
//! message` announces one in a file that is not the fixture's, and
//! `also F010 -: message` one without a place.

#[cfg(feature = "wasm")]
pub mod raw;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use houserule::modset::files::Sources;
use houserule::modset::selector::{Request, Selector};
use houserule::workshop::Workshop;
use kernel::error::Fault;
use kernel::value::Name;

/// The mod that sections belong to when they do not say.
const OWN: &str = "m";

/// The file of Dirtside II that [`RAID_SAVES`] are made in.
pub const SAVED_FILE: &str = "mods/dsii/rules/conf/3_test.luau";
/// What is saved under a raid to see how long a reload takes: what it is, the
/// text that gives way, and what takes its place, with `@` for a number that
/// is another each time.
pub const RAID_SAVES: [(&str, &str, &str); 3] = [
    ("a remark", "--!strict", "--!strict\n-- @"),
    (
        "a rule that comes out the same",
        "return unit.leadership + threat",
        "return unit.leadership + threat + 0 * @",
    ),
    (
        "a rule that comes out otherwise",
        "2 * score <= target",
        "2 * score <= target + @ % 3",
    ),
];

/// A folder of this package.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Copies a folder with all that is in it.
///
/// # Errors
/// When something cannot be read or written.
pub fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The mods of the repository that this build can play: without a machine for
/// components, those with one are left out, and those that depend on them.
pub fn mods() -> (Workshop, Vec<Fault>) {
    let (whole, faults) = Workshop::open(&[root().join("mods")]);
    if cfg!(feature = "wasm") {
        return (whole, faults);
    }
    let mut sources = whole.sources().clone();
    let is_component = |path: &&str| path.ends_with(".wasm");
    sources.retain(|_, sources| !sources.all().keys().any(is_component));
    loop {
        let there: Vec<Name> = sources.keys().cloned().collect();
        let fits = |id: &Name| {
            let manifest = whole.manifest(id);
            manifest
                .is_ok_and(|manifest| manifest.depends.iter().all(|one| there.contains(&one.id)))
        };
        sources.retain(|id, _| fits(id));
        if sources.len() == there.len() {
            break;
        }
    }
    let (workshop, more) = Workshop::from_sources(sources);
    (workshop, faults.into_iter().chain(more).collect())
}

/// Whether a mod is in `mods`: those in Rust may come and go.
pub fn ships(id: &str) -> bool {
    root().join("mods").join(id).is_dir()
}

/// Whether this build can play a mod of `mods`: it is there, and nothing of it asks
/// for a machine that this build has not.
pub fn plays(id: &str) -> bool {
    mods().0.manifest(id).is_ok()
}

/// The root of the repository.
pub fn root() -> PathBuf {
    folder("..")
}

/// Every file under a folder with one of these endings, sorted, by its path.
pub fn files_under(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && name != "target" && name != "node_modules" {
                    left.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Which line of a loop a limit is met in depends on what each costs: most are so
/// near, some in the function that is called or the one that calls.
const NEAR: u32 = 3;

/// A fault that a comment announces.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Expected {
    /// The mod.
    pub module: String,
    /// The file in it.
    pub file: String,
    /// The line, or 0 for the file alone.
    pub line: u32,
    /// The code, as in `F021`.
    pub code: String,
    /// A part of the message.
    pub message: String,
    /// A part of the hint; none if there must be none.
    pub hint: Option<String>,
}

impl Expected {
    fn is_met_by(&self, fault: &Fault, slack: u32) -> bool {
        let place = fault.place.clone().unwrap_or_default();
        let hint_fits = match (&self.hint, &fault.hint) {
            (None, None) => true,
            (Some(wanted), Some(found)) => found.contains(wanted.as_str()),
            _ => false,
        };
        let found = fault.code.to_string();
        let is_limit = |code: &str| matches!(code, "F030" | "F031");
        let slack = if is_limit(&self.code) { slack } else { 0 };
        let is_placed = (&*place.module, &*place.file)
            == (self.module.as_str(), self.file.as_str())
            && place.line.abs_diff(self.line) <= slack;
        // When memory is tidied is the machine's affair, so a script that eats
        // memory may first meet the limit of its instructions.
        if self.code == "F031" && found == "F030" {
            return is_placed;
        }
        is_placed && found == self.code && fault.message.contains(&self.message) && hint_fits
    }
}

/// A test in one text file.
pub struct Fixture {
    /// Where it is.
    pub path: PathBuf,
    /// What the file says before its first section.
    pub settings: Vec<String>,
    /// Texts by mod and path.
    pub texts: BTreeMap<(String, String), String>,
    /// What must go wrong.
    pub expected: Vec<Expected>,
}

impl Fixture {
    /// Reads a fixture.
    ///
    /// # Errors
    /// When the file cannot be read or has no section.
    pub fn read(path: &Path) -> Result<Fixture, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Fixture::parse(path, &text))
    }

    fn parse(path: &Path, text: &str) -> Fixture {
        let mut fixture = Fixture {
            path: path.to_path_buf(),
            settings: Vec::new(),
            texts: BTreeMap::new(),
            expected: Vec::new(),
        };
        let mut section: Option<(String, String)> = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("//// ") {
                let (module, file) = name.trim().split_once(':').unwrap_or((OWN, name.trim()));
                let key = (module.to_string(), file.to_string());
                fixture.texts.entry(key.clone()).or_default();
                section = Some(key);
            } else if let Some(key) = &section {
                let text = fixture.texts.entry(key.clone()).or_default();
                text.push_str(line);
                text.push('\n');
                let number = text.lines().count() as u32;
                fixture
                    .expected
                    .extend(
                        announced(line).map(|(code, message, hint, is_file)| Expected {
                            module: key.0.clone(),
                            file: key.1.clone(),
                            line: if is_file { 0 } else { number },
                            code,
                            message,
                            hint,
                        }),
                    );
            } else {
                fixture
                    .settings
                    .push(line.trim_start_matches("# ").to_string());
            }
        }
        fixture.expected.extend(
            fixture
                .setting("also")
                .filter_map(elsewhere)
                .collect::<Vec<_>>(),
        );
        fixture
    }

    /// What a setting says, each time that it is made.
    pub fn setting<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a str> {
        self.settings
            .iter()
            .filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
    }

    /// The mods of the fixture, and `base`.
    pub fn sources(&self) -> BTreeMap<Name, Sources> {
        let mut mods: BTreeMap<String, BTreeMap<String, Arc<str>>> = BTreeMap::new();
        for ((module, path), text) in &self.texts {
            mods.entry(module.clone())
                .or_default()
                .insert(path.clone(), Arc::from(text.as_str()));
        }
        mods.entry(OWN.into()).or_default();
        let mut sources = BTreeMap::new();
        for (id, mut files) in mods {
            files
                .entry("mod.ron".into())
                .or_insert_with(|| Arc::from(manifest(&id)));
            sources.insert(Arc::from(id.as_str()), Sources::from_memory(&id, files));
        }
        if let Ok(base) = Sources::read(&folder("base")) {
            sources.entry(Arc::from("base")).or_insert(base);
        }
        sources
    }

    /// A workshop of these mods, and what is wrong with their manifests.
    pub fn workshop(&self) -> (Workshop, Vec<Fault>) {
        Workshop::from_sources(self.sources())
    }

    /// The rules that the settings ask for: all that is on by default of `m`.
    ///
    /// # Errors
    /// When a setting does not parse.
    pub fn request(&self) -> Result<Request, Fault> {
        let mut request = Request::default();
        request.with.push(Selector::parse(OWN)?);
        for text in self.setting("with") {
            request.with.push(Selector::parse(text)?);
        }
        for text in self.setting("without") {
            request.without.push(Selector::parse(text)?);
        }
        for text in self.setting("option") {
            let (id, value) = text.split_once('=').unwrap_or((text, ""));
            request.options.push((Arc::from(id), value.to_string()));
        }
        Ok(request)
    }

    /// Compares what went wrong with what the comments say.
    ///
    /// # Errors
    /// What is missing, and what nobody announced.
    pub fn compare(&self, faults: &[Fault]) -> Result<(), String> {
        let mut left: Vec<&Fault> = faults.iter().collect();
        let mut text = String::new();
        // Those on the very line first: limits may be met in another.
        let mut missing: Vec<&Expected> = self.expected.iter().collect();
        for slack in [0, NEAR, u32::MAX] {
            missing.retain(|expected| {
                let met = left
                    .iter()
                    .position(|fault| expected.is_met_by(fault, slack));
                met.map(|place| left.remove(place)).is_none()
            });
        }
        for expected in missing {
            let _ = writeln!(text, "  missing: {expected:?}");
        }
        for fault in left {
            let _ = writeln!(text, "  extra: {fault}");
        }
        if text.is_empty() {
            Ok(())
        } else if std::env::var_os("HOUSERULE_BLESS").is_some() {
            self.bless(faults)
        } else {
            Err(format!("{}:\n{text}", self.path.display()))
        }
    }

    /// Writes the comments anew, for a person to read.
    fn bless(&self, faults: &[Fault]) -> Result<(), String> {
        let text = std::fs::read_to_string(&self.path).map_err(|error| error.to_string())?;
        let mut out = String::new();
        let mut section: Option<(String, String)> = None;
        let mut number = 0;
        let own = |fault: &&Fault| {
            let place = fault.place.clone().unwrap_or_default();
            let text = self
                .texts
                .get(&(place.module.to_string(), place.file.to_string()));
            text.is_some_and(|text| place.line as usize <= text.lines().count())
        };
        for line in text.lines().filter(|line| !line.starts_with("# also ")) {
            let mut line = line.to_string();
            if section.is_none() && line.starts_with("//// ") {
                for fault in faults.iter().filter(|fault| !own(fault)) {
                    let _ = writeln!(out, "# also {}", also(fault));
                }
            }
            if let Some(name) = line.strip_prefix("//// ") {
                let (module, file) = name.trim().split_once(':').unwrap_or((OWN, name.trim()));
                section = Some((module.to_string(), file.to_string()));
                number = 0;
            } else if let Some((module, file)) = &section {
                number += 1;
                line.truncate(comment_start(&line).unwrap_or(line.len()));
                line.truncate(line.trim_end().len());
                let notes = notes_at(faults, module, file, number);
                if !notes.is_empty() {
                    let mark = if file.ends_with(".luau") { "--" } else { "//" };
                    let _ = write!(line, " {mark} {}", notes.join(" || "));
                }
            }
            out.push_str(&line);
            out.push('\n');
        }
        std::fs::write(&self.path, out).map_err(|error| error.to_string())
    }
}

/// What the comment of a line must announce.
fn notes_at(faults: &[Fault], module: &str, file: &str, line: u32) -> Vec<String> {
    let mut notes = Vec::new();
    for fault in faults {
        let place = fault.place.clone().unwrap_or_default();
        if (&*place.module, &*place.file) == (module, file) {
            if place.line == line {
                notes.push(note("fault", fault));
            } else if place.line == 0 && line == 1 {
                notes.push(note("fault-file", fault));
            }
        }
    }
    notes
}

/// How a setting announces a fault that is not in the fixture's own files.
fn also(fault: &Fault) -> String {
    let place = match &fault.place {
        Some(place) => format!("{}:{}:{}", place.module, place.file, place.line),
        None => "-".into(),
    };
    note("also", fault)
        .replacen("also ", "", 1)
        .replacen(": ", &format!(" {place}: "), 1)
}

fn elsewhere(text: &str) -> Option<Expected> {
    let (head, rest) = text.split_once(": ")?;
    let (code, place) = head.split_once(' ')?;
    let mut parts = place.split(':');
    let module = parts.next().filter(|module| *module != "-").unwrap_or("");
    let (message, hint) = message_and_hint(rest);
    Some(Expected {
        module: module.to_string(),
        file: parts.next().unwrap_or("").to_string(),
        line: parts.next().and_then(|line| line.parse().ok()).unwrap_or(0),
        code: code.to_string(),
        message,
        hint,
    })
}

fn message_and_hint(text: &str) -> (String, Option<String>) {
    match text.split_once(" / hint: ") {
        Some((message, hint)) => (message.trim().to_string(), Some(hint.trim().to_string())),
        None => (text.trim().to_string(), None),
    }
}

fn note(word: &str, fault: &Fault) -> String {
    let hint = fault
        .hint
        .as_ref()
        .map_or(String::new(), |hint| format!(" / hint: {hint}"));
    format!("{word} {}: {}{hint}", fault.code, fault.message)
}

/// Where the comment of a line that announces faults begins.
fn comment_start(line: &str) -> Option<usize> {
    [
        "-- fault F",
        "// fault F",
        "-- fault-file F",
        "// fault-file F",
    ]
    .iter()
    .find_map(|mark| line.find(mark))
}

type Announced = (String, String, Option<String>, bool);

/// The faults that a line announces: code, message, hint, whether they name
/// the file alone.
fn announced(line: &str) -> impl Iterator<Item = Announced> {
    let notes = comment_start(line).map_or("", |at| line.get(at + 3..).unwrap_or(""));
    notes.split(" || ").filter_map(|note| {
        let is_file = note.starts_with("fault-file ");
        let note = note
            .strip_prefix("fault-file ")
            .or_else(|| note.strip_prefix("fault "))?;
        let (code, rest) = note.split_once(": ")?;
        let (message, hint) = message_and_hint(rest);
        Some((code.to_string(), message, hint, is_file))
    })
}

/// The manifest of a mod of a test that brings none of its own.
fn manifest(id: &str) -> String {
    format!(
        "Mod(id: \"{id}\", version: \"1.0.0\", title: \"{id}\", authors: [], engine: \"0.1\", depends: [(\"base\", \"^1\")], groups: [])"
    )
}

/// Runs a check over every fixture of a folder, and tells all that fail.
///
/// # Errors
/// What every fixture that fails says.
pub fn check_all(name: &str, check: impl Fn(&Fixture) -> Result<(), String>) -> Result<(), String> {
    let mut text = String::new();
    let files = files_under(&folder(name), &[".txt"]);
    for path in &files {
        let outcome = Fixture::read(path).and_then(|fixture| check(&fixture));
        if let Err(message) = outcome {
            text.push_str(&message);
            text.push('\n');
        }
    }
    if files.is_empty() {
        text.push_str("there are no fixtures");
    }
    if text.is_empty() { Ok(()) } else { Err(text) }
}
