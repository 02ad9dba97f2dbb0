//! Chapters: what `require("@mod")` gives, and the rules that files assign to
//! them, each by its header.
//!
//! The headers of all files are read before the first one runs, so that every
//! name is known from the beginning: files may call each other's rules in any
//! order, and what nobody gives is a fault of the file that asks for it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, owner_of};
use kernel::world::closest;
use mlua::{Function, Value as LuaValue};
use rustc_hash::FxHashMap;

use crate::headers::{HeaderKind, Headers, MemberHeader, RESERVED};
use crate::texts;
use rules::registration::{RawSignature, Registrar, Registrations};
use rules::rulebook::host::ExportedType;
use rules::types::camel;

/// Whether a file requires the chapters of a mod; others have no headers.
pub(crate) fn uses_chapters(source: &str) -> bool {
    source.split("require(\"@").skip(1).any(|rest| {
        let wanted = rest.split('"').next().unwrap_or_default();
        !wanted.contains('/') && !matches!(wanted, "rules" | "ask" | "domain" | "list" | "test")
    })
}

/// A file of rules with its headers.
struct FileOf {
    headers: Arc<Headers>,
    /// Which of them were given, by their places.
    given: RefCell<BTreeSet<usize>>,
}

/// A name that a file has asked for.
struct RequiredName {
    what: &'static str,
    module: Name,
    name: String,
    place: Place,
}

/// What stands behind a name: its number of arguments where a header says it,
/// the id of what is no rule, the id of a rule that was registered before.
type Member = (Option<usize>, Option<String>, Option<String>);

/// Ids by what they are and the mod, then by their plain names.
type KnownIds = BTreeMap<(&'static str, Name), BTreeMap<String, Name>>;

/// What is known of chapters while files are loaded.
#[derive(Default)]
pub(crate) struct Chapters {
    files: RefCell<BTreeMap<(Name, String), FileOf>>,
    /// The mods that each mod stands on.
    depends: RefCell<BTreeMap<Name, BTreeSet<Name>>>,
    /// Ids of data, by what they are and the mod, then by their plain names.
    known: RefCell<KnownIds>,
    asked: RefCell<Vec<RequiredName>>,
    /// Declarations that are made, and where; given once they have a name.
    pub declared: RefCell<Vec<Option<(String, Place)>>>,
    /// The mods whose chapters were required.
    required: RefCell<BTreeSet<Name>>,
    /// Whether all files were loaded.
    pub is_sealed: Cell<bool>,
    /// All rules, once all files were loaded.
    registered: RefCell<Vec<Name>>,
    /// Rules that are registered, by what they are called.
    rules: RefCell<RulesByName>,
    /// Where the headers of each mod are, by what they give; found out when it is
    /// first asked.
    headers: RefCell<Option<HeaderPlaces>>,
    /// What of the machine gives the chapters of a mod.
    pub module: OnceCell<Function>,
}

/// Where headers stand, by mod, chapter and name: the file, and which of its
/// headers it is.
type HeaderPlaces = FxHashMap<String, ((Name, String), usize)>;

/// Where the headers stand that mods give in files of their own.
fn places_of(files: &BTreeMap<(Name, String), FileOf>) -> HeaderPlaces {
    let mut places = HeaderPlaces::default();
    for (key, file) in files {
        let own = file
            .headers
            .all
            .iter()
            .enumerate()
            .filter(|(_, header)| header.module == *key.0);
        for (place, header) in own {
            let name = dotted([&header.module, &header.chapter, &header.name]);
            places.entry(name).or_insert_with(|| (key.clone(), place));
        }
    }
    places
}

/// Rules by mod, chapter and name, as far as they were registered when it was
/// last looked: a mod has hundreds, and each is asked for by each of them.
#[derive(Default)]
struct RulesByName {
    ids: FxHashMap<String, Name>,
    seen: usize,
}

impl RulesByName {
    /// Takes those in that were registered since.
    fn keep_up(&mut self, all: &[Rc<RawSignature>]) {
        for raw in all.get(self.seen..).unwrap_or_default() {
            if let Some((chapter, name)) = chapter_and_name(&raw.rule) {
                let called = dotted([owner_of(&raw.rule), &chapter, &name]);
                self.ids.entry(called).or_insert_with(|| raw.rule.clone());
            }
        }
        self.seen = all.len();
    }

    /// The first that is called so.
    fn id(&self, called: &str) -> Option<&Name> {
        self.ids.get(called)
    }
}

/// The id of something that no file has given yet: its chapter ends at the
/// first underscore.
pub(crate) fn guess(module: &str, name: &str) -> String {
    format!("{module}.{}", name.replacen('_', ".", 1))
}

/// Why a file may not have the chapters of a mod.
fn not_required(from: &str, module: &str, depends: &BTreeMap<Name, BTreeSet<Name>>) -> Fault {
    if depends.contains_key(module) {
        let message =
            format!("cannot require `@{module}`: mod `{from}` does not depend on `{module}`");
        return Fault::new(FaultCode::BadExport, message).hint(format!(
            "list it under `depends` in `mod.ron`, or require `@{module}?`, which may be nil"
        ));
    }
    let expected = "expected `@rules`, `@ask`, `@domain`, a mod or `@mod/path/of/a/file`";
    let fault = Fault::new(
        FaultCode::BadExport,
        format!("cannot require `@{module}`: {expected}"),
    );
    match closest(module, depends.keys().map(|id| &**id)) {
        Some(near) => fault.hint(format!("did you mean `@{near}`?")),
        None => fault,
    }
}

/// The name of something in its mod, with one separator: `fire_ranges` for
/// `dsii.fire.ranges`.
pub(crate) fn plain(id: &str) -> String {
    id.split_once('.')
        .map_or(id, |(_, rest)| rest)
        .replace(['.', '-'], "_")
}

/// The id of what a mod gives under a chapter and a name.
pub(crate) fn dotted([module, chapter, name]: [&str; 3]) -> String {
    [module, ".", chapter, ".", name].concat()
}

/// The chapter and the name in it of an id of three parts or more.
fn chapter_and_name(id: &str) -> Option<(String, String)> {
    let (_, rest) = id.split_once('.')?;
    let (chapter, name) = rest.split_once('.')?;
    Some((chapter.replace('-', "_"), name.replace(['.', '-'], "_")))
}

/// What goes around a rule, or listens: the id, the file and the line. If the id is
/// not there, composition says so.
fn reported_by_composition(list: &Registrations) -> BTreeSet<(Name, Name, u32)> {
    let wraps = list.layers.iter().map(|layer| (&layer.rule, &layer.origin));
    let listeners = list
        .listeners
        .iter()
        .map(|(event, _, origin)| (event, origin));
    wraps
        .chain(listeners)
        .map(|(id, origin)| (id.clone(), origin.place.file.clone(), origin.place.line))
        .collect()
}

impl Chapters {
    /// Reads the headers of a file.
    pub fn read_headers(
        &self,
        registrar: &Registrar,
        module: &Name,
        path: &str,
        source: &Arc<str>,
    ) {
        if !path.starts_with("rules/") || !uses_chapters(source) {
            return;
        }
        let headers = texts::of(source).headers().clone();
        for (line, (message, hint)) in &headers.slips {
            let fault = Fault::new(FaultCode::BadSignature, message.clone());
            let fault = hint.iter().fold(fault, |fault, hint| fault.hint(hint));
            registrar.report(fault.at(Place::new(&**module, path, *line)));
        }
        let file = FileOf {
            headers,
            given: RefCell::default(),
        };
        self.files
            .borrow_mut()
            .insert((module.clone(), path.to_string()), file);
        *self.headers.borrow_mut() = None;
    }

    /// Takes in the headers of a file as they are now; whether it gives the same
    /// members of the same shapes as before, and the same types, so that nothing
    /// is otherwise for files that name them.
    pub fn take_headers(&self, module: &Name, path: &str, source: &Arc<str>) -> bool {
        let is_read = path.starts_with("rules/") && uses_chapters(source);
        let mut files = self.files.borrow_mut();
        let known = files.get_mut(&(module.clone(), path.to_string()));
        let Some(file) = known.filter(|_| is_read) else {
            return false;
        };
        let headers = texts::of(source).headers().clone();
        let is_like = |(mine, other): (&MemberHeader, &MemberHeader)| {
            mine.is_like(other) && mine.what == other.what
        };
        let is_same = headers.slips.is_empty()
            && headers.exported == file.headers.exported
            && headers.all.len() == file.headers.all.len()
            && headers.all.iter().zip(&file.headers.all).all(is_like);
        file.headers = headers;
        file.given.take();
        *self.headers.borrow_mut() = None;
        is_same
    }

    /// Opens chapters for files that are run once more: what they asked for is
    /// asked for by them again.
    pub fn reopen(&self, files: &BTreeSet<(Name, String)>) {
        self.is_sealed.set(false);
        let is_of_others = |asked: &RequiredName| {
            let place = &asked.place;
            !files.contains(&(place.module.clone(), place.file.to_string()))
        };
        self.asked.borrow_mut().retain(is_of_others);
    }

    /// Makes known on which mods one stands, and what its data declare.
    pub fn introduce(&self, module: &Name, depends: &[&Name], data: &[(&'static str, &Name)]) {
        let mut all = BTreeSet::new();
        for other in depends {
            all.insert(Name::clone(other));
            all.extend(
                self.depends
                    .borrow()
                    .get(*other)
                    .into_iter()
                    .flatten()
                    .cloned(),
            );
        }
        self.depends.borrow_mut().insert(module.clone(), all);
        for (word, id) in data {
            self.know(word, id);
        }
    }

    /// Makes an id known.
    pub fn know(&self, word: &'static str, id: &Name) {
        let name = if word == "kind" { camel(id) } else { plain(id) };
        let key = (word, Name::from(owner_of(id)));
        self.known
            .borrow_mut()
            .entry(key)
            .or_default()
            .insert(name, id.clone());
    }

    /// Types that files export: mod, name and how signatures write it.
    pub fn exported(&self) -> Vec<ExportedType> {
        let files = self.files.borrow();
        let of = |((module, _), file): (&(Name, String), &FileOf)| {
            let exported = file.headers.exported.clone().into_iter();
            let module = module.clone();
            exported
                .map(move |(name, ty)| (module.clone(), name, ty))
                .collect::<Vec<_>>()
        };
        files.iter().flat_map(of).collect()
    }

    /// What `require("@mod")` gives, if the file may have it.
    pub fn require(&self, from: &Name, wanted: &str) -> Result<Option<LuaValue>, Fault> {
        let (module, is_optional) = match wanted.strip_suffix('?') {
            Some(module) => (module, true),
            None => (wanted, false),
        };
        let depends = self.depends.borrow();
        let stands_on = depends.get(from).is_some_and(|all| all.contains(module));
        if !depends.contains_key(module) && is_optional {
            return Ok(None);
        }
        if !is_optional && !stands_on && **from != *module {
            return Err(not_required(from, module, &depends));
        }
        self.required.borrow_mut().insert(Name::from(module));
        let give = || self.module.get().map(|give| give.call::<LuaValue>(module));
        match give() {
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(error)) => Err(Fault::new(FaultCode::Script, error.to_string())),
            None => Ok(None),
        }
    }

    /// The id of a rule by mod, chapter and name: one that is registered, with
    /// whatever separators, or else the one that a header gives.
    pub fn rule_id(&self, registrar: &Registrar, path: [&str; 3]) -> Name {
        let exact = dotted(path);
        let mut rules = self.rules.borrow_mut();
        rules.keep_up(&registrar.registrations.borrow().signatures);
        rules
            .id(&exact)
            .cloned()
            .unwrap_or_else(|| Name::from(exact))
    }

    /// Whatever a header gives under a name.
    pub fn header<T>(&self, path: [&str; 3], of: impl Fn(&MemberHeader) -> Option<T>) -> Option<T> {
        let files = self.files.borrow();
        let mut places = self.headers.borrow_mut();
        let places = places.get_or_insert_with(|| places_of(&files));
        let (file, place) = places.get(&dotted(path))?;
        of(files.get(file)?.headers.all.get(*place)?)
    }

    /// Whether the header of a rule has this id.
    pub fn gives(&self, id: &str) -> bool {
        let mut parts = id.splitn(3, '.');
        let (Some(module), Some(chapter), Some(name)) = (parts.next(), parts.next(), parts.next())
        else {
            return false;
        };
        let is_rule = |header: &MemberHeader| (header.what != HeaderKind::Thing).then_some(());
        self.header([module, chapter, name], is_rule).is_some()
    }

    /// The header that a function was written with.
    pub fn header_at(
        &self,
        file: &(Name, String),
        line: u32,
        path: [&str; 3],
    ) -> Option<MemberHeader> {
        let files = self.files.borrow();
        let file = files.get(file)?;
        let is_it = |header: &MemberHeader| {
            header.line == line && [&*header.module, &*header.chapter, &*header.name] == path
        };
        let place = file.headers.all.iter().position(is_it)?;
        file.given.borrow_mut().insert(place);
        Some(file.headers.all[place].clone())
    }

    /// A member that is first asked for when all files were loaded: its number of
    /// arguments, its id if it is no rule, and its id if it is one.
    pub fn registered_member(&self, path: [&str; 3]) -> Result<Member, Fault> {
        let thing = self.header(path, |header| {
            (header.what == HeaderKind::Thing).then_some(())
        });
        let full = dotted(path);
        if thing.is_some() {
            return Ok((None, Some(full), None));
        }
        if let Some(id) = self.rules.borrow().id(&full) {
            return Ok((None, None, Some(id.to_string())));
        }
        let registered = self.registered.borrow();
        let fault = Fault::new(
            FaultCode::UnknownRule,
            format!("no mod defines the rule `{full}`"),
        );
        Err(match closest(&full, registered.iter().map(|id| &**id)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        })
    }

    pub fn ask(&self, what: &'static str, module: &str, name: String, place: Option<Place>) {
        let place = place.unwrap_or_default();
        self.asked.borrow_mut().push(RequiredName {
            what,
            module: Name::from(module),
            name,
            place,
        });
    }

    /// The id that something has by its plain name, from data, from what is
    /// registered, or from headers.
    pub fn find(
        &self,
        registrar: &Registrar,
        word: &str,
        module: &str,
        name: &str,
    ) -> Option<Name> {
        let known = self.known.borrow();
        let here = known
            .iter()
            .find(|((of, owner), _)| *of == word && **owner == *module);
        if let Some(id) = here.and_then(|(_, names)| names.get(name)) {
            return Some(id.clone());
        }
        let list = registrar.registrations.borrow();
        let is_it = |id: &Name| owner_of(id) == module && plain(id) == name;
        let registered = match word {
            "event" => list
                .events
                .iter()
                .map(|raw| &raw.id)
                .find(|id| is_it(id))
                .cloned(),
            "phase" => list
                .phases
                .iter()
                .map(|raw| &raw.id)
                .find(|id| is_it(id))
                .cloned(),
            "window" => list
                .windows
                .iter()
                .map(|raw| &raw.id)
                .find(|id| is_it(id))
                .cloned(),
            _ => None,
        };
        if registered.is_some() {
            return registered;
        }
        let files = self.files.borrow();
        let mut headers = files.values().flat_map(|file| file.headers.all.iter());
        let is_it = |header: &&MemberHeader| {
            header.module == module
                && header.what == HeaderKind::Thing
                && format!("{}_{}", header.chapter, header.name) == name
        };
        headers
            .find(is_it)
            .map(|header| Name::from(format!("{module}.{}.{}", header.chapter, header.name)))
    }

    /// What was meant by a name that a file has not: a module of the host, a
    /// mod, a chapter, or what every mod has.
    pub fn near_name(&self, module: &Name, name: &str) -> Option<String> {
        let files = self.files.borrow();
        let own = files.iter().filter(|((owner, _), _)| owner == module);
        let mut names: BTreeSet<&str> = own
            .flat_map(|(_, file)| &file.headers.all)
            .map(|header| header.chapter.as_str())
            .collect();
        let depends = self.depends.borrow();
        let mods = depends.get(module).into_iter().flatten().chain([module]);
        names.extend(mods.map(|id| &**id));
        names.extend(
            RESERVED
                .into_iter()
                .chain(["rules", "ask", "domain", "list"]),
        );
        closest(name, names.into_iter()).map(str::to_string)
    }

    /// What comes nearest to a name.
    pub fn near(&self, word: &str, module: &str, name: &str) -> Option<String> {
        let known = self.known.borrow();
        let mut of_word = known.iter().filter(|((of, _), _)| *of == word);
        let own = of_word.clone().find(|((_, owner), _)| **owner == *module);
        let names = own.into_iter().flat_map(|(_, names)| names.keys());
        if let Some(near) = closest(name, names.map(String::as_str)) {
            return Some(near.to_string());
        }
        // `kinds.Unit` stands for one's own.
        let ((_, owner), _) = of_word.find(|(_, names)| names.contains_key(name))?;
        Some(format!("{owner}.{word}s.{name}"))
    }

    /// All files were loaded: reports what was asked for and is not there, and
    /// gives what the machine is to look up at once.
    pub fn close(
        &self,
        registrar: &Registrar,
        is_whole: bool,
    ) -> Vec<(Name, String, String, Name, Option<usize>)> {
        self.is_sealed.set(true);
        if is_whole {
            self.report_left(registrar);
        }
        let required = self.required.borrow();
        let list = registrar.registrations.borrow();
        list.events
            .iter()
            .for_each(|raw| self.know("event", &raw.id));
        list.phases
            .iter()
            .for_each(|raw| self.know("phase", &raw.id));
        list.windows
            .iter()
            .for_each(|raw| self.know("window", &raw.id));
        self.rules.borrow_mut().keep_up(&list.signatures);
        *self.registered.borrow_mut() =
            list.signatures.iter().map(|raw| raw.rule.clone()).collect();
        let mut found = BTreeMap::new();
        for id in list.signatures.iter().map(|raw| &raw.rule) {
            let module = Name::from(owner_of(id));
            if required.contains(&module)
                && let Some((chapter, name)) = chapter_and_name(id)
            {
                let path = [&*module, &*chapter, &*name];
                let count = self.header(path, |header| match &header.what {
                    HeaderKind::Rule(signature) => Some(signature.count),
                    _ => None,
                });
                found.insert((module, chapter, name), (id.clone(), count));
            }
        }
        found
            .into_iter()
            .map(|((module, chapter, name), (id, count))| (module, chapter, name, id, count))
            .collect()
    }

    /// Headers that nothing was given under when their files ran.
    fn passed_over(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for ((module, path), file) in self.files.borrow().iter() {
            let given = file.given.borrow();
            for (place, header) in file.headers.all.iter().enumerate() {
                if given.contains(&place) || header.module != **module {
                    continue;
                }
                // What is declared twice is told as that.
                let before = &file.headers.all[..place];
                if before.iter().any(|first| first.is_like(header)) {
                    continue;
                }
                let name = format!("{}.{}", header.chapter, header.name);
                let message = format!(
                    "expected `{name}` to be given when the file is run, found that its header is passed over"
                );
                let fault = Fault::new(FaultCode::BadSignature, message);
                faults.push(fault.at(Place::new(&**module, path.as_str(), header.line)));
            }
        }
        faults
    }

    /// Declarations that were assigned to no chapter, and so have no name.
    fn nameless(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (word, place) in self.declared.borrow().iter().flatten() {
            let message = format!("expected a name for what `rules.{word}` declares, found none");
            let fault = Fault::new(FaultCode::BadSignature, message).at(place.clone());
            let or = if word == "action" {
                ", or say its `id`"
            } else {
                ""
            };
            let hint = format!("assign it to a chapter: `chapter.name = rules.{word} {{ … }}`{or}");
            faults.push(fault.hint(hint));
        }
        faults
    }

    /// Reports headers that were passed over, declarations without a name, and names
    /// that files have asked for and nobody gives.
    fn report_left(&self, registrar: &Registrar) {
        let mut faults = self.passed_over();
        faults.extend(self.nameless());
        let list = registrar.registrations.borrow();
        // Found out once something is missing, which hardly ever is.
        let mut reported: Option<BTreeSet<(Name, Name, u32)>> = None;
        let rules: BTreeSet<String> = list
            .signatures
            .iter()
            .filter_map(|raw| {
                let (chapter, name) = chapter_and_name(&raw.rule)?;
                Some(dotted([owner_of(&raw.rule), &chapter, &name]))
            })
            .collect();
        drop(list);
        for asked in self.asked.borrow().iter() {
            let is_there = match asked.what {
                "rule" => {
                    rules.contains(&format!("{}.{}", asked.module, asked.name))
                        || self.is_thing(asked)
                }
                word => {
                    let found = self.find(registrar, word, &asked.module, &asked.name);
                    found.is_some_and(|id| {
                        word == "event" || *id == *guess(&asked.module, &asked.name)
                    })
                }
            };
            if is_there {
                continue;
            }
            let id = match asked.what {
                "rule" => format!("{}.{}", asked.module, asked.name),
                _ => guess(&asked.module, &asked.name),
            };
            let reported = reported
                .get_or_insert_with(|| reported_by_composition(&registrar.registrations.borrow()));
            let is_reported =
                reported.contains(&(Name::from(id), asked.place.file.clone(), asked.place.line));
            if !is_reported && !self.is_broken(asked) {
                faults.push(self.unknown(asked, &rules));
            }
            if asked.what == "rule" {
                let rule = Name::from(format!("{}.{}", asked.module, asked.name));
                registrar.registrations.borrow_mut().reported.insert(rule);
            }
        }
        faults.into_iter().for_each(|fault| registrar.report(fault));
    }

    fn is_thing(&self, asked: &RequiredName) -> bool {
        self.is_given_as(asked, &HeaderKind::Thing)
    }

    /// Whether what is wrong with the header of a rule is told.
    fn is_broken(&self, asked: &RequiredName) -> bool {
        self.is_given_as(asked, &HeaderKind::Broken)
    }

    fn is_given_as(&self, asked: &RequiredName, what: &HeaderKind) -> bool {
        let Some((chapter, name)) = asked.name.split_once('.') else {
            return false;
        };
        self.header([&asked.module, chapter, name], |header| {
            (header.what == *what).then_some(())
        })
        .is_some()
    }

    fn unknown(&self, asked: &RequiredName, rules: &BTreeSet<String>) -> Fault {
        let full = format!("{}.{}", asked.module, asked.name);
        let near = match asked.what {
            "rule" => closest(&full, rules.iter().map(String::as_str)).map(str::to_string),
            word => self.near(word, &asked.module, &asked.name),
        };
        let code = match asked.what {
            "rule" => FaultCode::UnknownRule,
            "event" => FaultCode::UnknownEvent,
            "window" => FaultCode::UnknownWindow,
            _ => FaultCode::UnknownPhase,
        };
        let fault = Fault::new(code, format!("no mod defines the {} `{full}`", asked.what));
        let fault = near.iter().fold(fault, |fault, near| {
            fault.hint(format!("did you mean `{near}`?"))
        });
        fault.at(asked.place.clone())
    }
}
