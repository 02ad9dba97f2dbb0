//! `mod.ron`: what a mod is, needs and offers.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Type, Value};
use kernel::world::closest;
use semver::{Version, VersionReq};
use serde::Deserialize;

use super::files::{Sources, is_mod_id};
use super::group;
use super::manifests::Manifests;
use crate::data::item::Checked;
use crate::data::reader::{RawRon, RonReader};

/// The version of this engine, which manifests are checked against.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// A checked manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The mod's id, the first part of every id that it owns.
    pub id: Name,
    /// Its version.
    pub version: Version,
    /// What people call it.
    pub title: Name,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Its licence, if it says.
    pub license: Option<String>,
    /// The engine versions that it is written for.
    pub engine: VersionReq,
    /// The mods that must be there, and come before it.
    pub depends: Vec<Dependency>,
    /// Mods that it cannot be used with.
    pub conflicts: Vec<Name>,
    /// Mods that it comes after, where they are used.
    pub after: Vec<Name>,
    /// Files under `rules/` that other mods may require, without `.luau`.
    pub exports: Vec<Name>,
    /// A paragraph about it.
    pub doc: Name,
    /// Its clauses, in groups.
    pub groups: Vec<Group>,
    /// What can be set before a game.
    pub options: Vec<ModOption>,
}

/// A mod that another one needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// Its id.
    pub id: Name,
    /// The versions that will do.
    pub version: VersionReq,
    /// Where it is written.
    pub place: Place,
}

/// A group of clauses: the unit of files and of switching.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its full id: `iceburg.rfac`.
    pub id: Name,
    /// Its name within the mod: `rfac`.
    pub name: Name,
    /// What people call it.
    pub title: Name,
    /// A sentence about it.
    pub doc: Name,
    /// Whether naming the mod takes it.
    pub default: bool,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// Where it is written.
    pub place: Place,
}

/// What a clause does to the rules under it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// Something new.
    Adds,
    /// Something becomes different.
    Changes,
    /// It says again what holds already.
    Confirms,
    /// Advice to players, without effect on play.
    Advises,
}

/// One fact of a printed rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Its id: `iceburg.rfac.cost`.
    pub id: Name,
    /// What people call it.
    pub title: Name,
    /// One plain sentence for players.
    pub text: Name,
    /// The printed source.
    pub source: Name,
    /// What it does to the rules under it.
    pub effect: Effect,
    /// Whether taking its group takes it.
    pub default: bool,
    /// Whether the mod makes no sense without it.
    pub core: bool,
    /// What must be on for it to be on.
    pub requires: Vec<Requirement>,
    /// The rules, tables or clauses that it changes.
    pub touches: Vec<Name>,
    /// Where it is written.
    pub place: Place,
}

/// What a clause requires.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Requirement {
    /// One clause.
    Clause(Name),
    /// Every clause of a group that is on by default.
    Group {
        /// The mod.
        module: Name,
        /// The group's name within the mod.
        group: Name,
    },
}

/// Something that can be set before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModOption {
    /// Its id: `dsii.fire.hel_band`.
    pub id: Name,
    /// What people call it.
    pub title: Name,
    /// A sentence for players.
    pub text: Name,
    /// What it can be.
    pub ty: Type,
    /// What it is when nothing is said.
    pub default: Value,
    /// The clause without which it has no meaning.
    pub clause: Option<Name>,
    /// Where it is written.
    pub place: Place,
}

#[derive(Deserialize)]
#[serde(rename = "Mod", deny_unknown_fields)]
struct RawMod<'a> {
    #[serde(borrow)]
    id: RawRon<'a>,
    #[serde(borrow)]
    version: RawRon<'a>,
    title: String,
    #[serde(default)]
    authors: Vec<String>,
    #[serde(default)]
    license: Option<String>,
    #[serde(borrow)]
    engine: RawRon<'a>,
    #[serde(default, borrow)]
    depends: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    conflicts: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    after: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    exports: Vec<RawRon<'a>>,
    #[serde(default)]
    doc: String,
    #[serde(default, borrow)]
    groups: Vec<RawRon<'a>>,
    #[serde(default, borrow)]
    options: Vec<RawRon<'a>>,
}

/// The id of a manifest, however broken the rest of it is.
pub(super) fn peek_id(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename = "Mod")]
    struct Peek {
        id: String,
    }
    // Nearly always it stands first: what follows need not be read to know it.
    let id = id_in_front(text).map(str::to_string);
    id.or_else(|| {
        let peek: Peek = RonReader::new("", "mod.ron", text).whole().ok()?;
        is_mod_id(&peek.id).then_some(peek.id)
    })
}

/// The id that stands before all else in a manifest, of which this is the front.
pub(super) fn id_in_front(text: &str) -> Option<&str> {
    let inside = without_attributes(text).strip_prefix("Mod")?;
    let named = blank(blank(inside).strip_prefix('(')?).strip_prefix("id")?;
    let text = blank(blank(named).strip_prefix(':')?).strip_prefix('"')?;
    let (id, _) = text.split_once('"')?;
    is_mod_id(id).then_some(id)
}

/// What follows after the attributes in front, such as `#![enable(implicit_some)]`.
fn without_attributes(text: &str) -> &str {
    let mut left = blank(text);
    while let Some(attribute) = left.strip_prefix('#') {
        left = attribute
            .split_once(']')
            .map_or("", |(_, rest)| blank(rest));
    }
    left
}

/// What follows after spaces and remarks that end with their line.
fn blank(text: &str) -> &str {
    let mut left = text.trim_start();
    while let Some(remark) = left.strip_prefix("//") {
        left = remark
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    left
}

/// The ids of the mods that a manifest depends on, as far as it can be read.
pub(super) fn peek_depends(text: &str) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    #[serde(rename = "Mod")]
    struct Peek<'a> {
        #[serde(default, borrow)]
        depends: Vec<RawRon<'a>>,
    }
    let peek: Peek<'_> = RonReader::new("", "mod.ron", text).whole().ok()?;
    let first = |piece: &RawRon<'_>| piece.get_ron().split('"').nth(1).map(str::to_string);
    Some(peek.depends.iter().filter_map(first).collect())
}

impl Manifest {
    /// Reads the manifest of a mod.
    ///
    /// # Errors
    /// Everything that is wrong in it, as far as it can be told without other
    /// mods; [`check_requires`] tells the rest.
    pub fn read(sources: &Sources) -> Result<Manifest, Vec<Fault>> {
        let Some(text) = sources.get("mod.ron") else {
            let unread = sources.why_unread("mod.ron");
            if !unread.is_empty() {
                return Err(unread);
            }
            let fault = Fault::new(
                FaultCode::BadManifest,
                "expected a file `mod.ron`, found none",
            );
            return Err(vec![fault.at(Place::new(&*sources.id, "mod.ron", 0))]);
        };
        let reader = RonReader::new(&sources.id, "mod.ron", text);
        // What is no data at all is told as such, and not as what a mod lacks.
        let no_data = || reader.whole::<RawRon<'_>>().err();
        let raw: RawMod<'_> = reader
            .whole()
            .map_err(|fault| vec![no_data().unwrap_or(fault)])?;
        let mut faults = Vec::new();
        let manifest = check(raw, sources, &mut Checked::of_file(&reader, &mut faults));
        faults.sort_by(|a, b| a.place.cmp(&b.place));
        match manifest {
            Some(manifest) if faults.is_empty() => Ok(manifest),
            _ => Err(faults),
        }
    }

    /// Its clauses in order, each with its group.
    pub fn clauses(&self) -> impl Iterator<Item = (&Group, &Clause)> {
        self.groups
            .iter()
            .flat_map(|group| group.clauses.iter().map(move |clause| (group, clause)))
    }

    /// The group of a name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| *group.name == *name)
    }

    /// The clause of an id.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses()
            .map(|(_, clause)| clause)
            .find(|clause| *clause.id == *id)
    }

    /// The option of an id.
    pub fn option(&self, id: &str) -> Option<&ModOption> {
        self.options.iter().find(|option| *option.id == *id)
    }
}

fn check<'a>(
    raw: RawMod<'a>,
    sources: &Sources,
    checked: &mut Checked<'a, '_>,
) -> Option<Manifest> {
    let id: Option<String> = checked.read(raw.id);
    if let Some(id) = id.as_ref().filter(|id| !is_mod_id(id)) {
        let message = format!("expected a mod id of lower case letters, digits, `_`, found `{id}`");
        checked.fault_at(raw.id, FaultCode::BadManifest, message);
    }
    let version = semver::<Version>(raw.version, "a version such as `1.0.0`", checked);
    let engine = semver::<VersionReq>(raw.engine, "engine versions such as `0.1`", checked);
    if let (Some(engine), Ok(this)) = (&engine, Version::parse(ENGINE))
        && !engine.matches(&this)
    {
        let message = format!("expected a mod for engine {this}, found one for {engine}");
        checked.fault_at(raw.engine, FaultCode::BadManifest, message);
    }
    let depends: Vec<Dependency> = raw
        .depends
        .iter()
        .filter_map(|piece| dependency(piece, checked))
        .collect();
    let mut seen = BTreeSet::new();
    for (dependency, piece) in depends
        .iter()
        .zip(&raw.depends)
        .filter(|(dependency, _)| !seen.insert(&dependency.id))
    {
        let message = format!(
            "expected each dependency once, found `{}` again",
            dependency.id
        );
        checked.fault_at(piece, FaultCode::Duplicate, message);
    }
    let exports = raw
        .exports
        .iter()
        .filter_map(|piece| export(piece, sources, checked))
        .collect();
    let id = id?;
    let conflicts = others(&id, &raw.conflicts, checked);
    let after = others(&id, &raw.after, checked);
    let groups = group::read_groups(&id, &raw.groups, checked);
    let options = group::read_options(&id, &raw.options, &groups, checked);
    Some(Manifest {
        version: version?,
        title: raw.title.into(),
        authors: raw.authors,
        license: raw.license,
        engine: engine?,
        depends,
        conflicts,
        after,
        exports,
        doc: raw.doc.into(),
        groups,
        options,
        id: id.into(),
    })
}

fn semver<'a, T: std::str::FromStr<Err = semver::Error>>(
    piece: RawRon<'a>,
    expected: &str,
    checked: &mut Checked<'a, '_>,
) -> Option<T> {
    let text: String = checked.read(piece)?;
    match text.parse() {
        Ok(version) => Some(version),
        Err(error) => {
            checked.fault_at(
                piece,
                FaultCode::BadManifest,
                format!("expected {expected}, found `{text}`: {error}"),
            );
            None
        }
    }
}

fn dependency<'a>(piece: RawRon<'a>, checked: &mut Checked<'a, '_>) -> Option<Dependency> {
    let (id, version): (String, String) = checked.read(piece)?;
    if !is_mod_id(&id) {
        checked.fault_at(
            piece,
            FaultCode::BadManifest,
            format!("expected the id of a mod, found `{id}`"),
        );
    }
    match version.parse() {
        Ok(version) => Some(Dependency {
            id: id.into(),
            version,
            place: checked.place(piece),
        }),
        Err(error) => {
            let message =
                format!("expected versions of `{id}` such as `^1`, found `{version}`: {error}");
            checked.fault_at(piece, FaultCode::BadManifest, message);
            None
        }
    }
}

/// Ids of mods other than this one.
fn others<'a>(own: &str, pieces: &[RawRon<'a>], checked: &mut Checked<'a, '_>) -> Vec<Name> {
    let mut ids = Vec::new();
    for piece in pieces {
        let Some(id) = checked.read::<String>(piece) else {
            continue;
        };
        if !is_mod_id(&id) || id == own {
            checked.fault_at(
                piece,
                FaultCode::BadManifest,
                format!("expected the id of another mod, found `{id}`"),
            );
        }
        ids.push(Name::from(id));
    }
    ids
}

fn export<'a>(piece: RawRon<'a>, sources: &Sources, checked: &mut Checked<'a, '_>) -> Option<Name> {
    let path: String = checked.read(piece)?;
    if !path.starts_with("rules/") || !sources.has(&format!("{path}.luau")) {
        let message = format!(
            "expected a file of this mod such as `rules/shapes`, without `.luau`, found `{path}`"
        );
        checked.fault_at(piece, FaultCode::BadExport, message);
    }
    Some(path.into())
}

/// What some of these manifests say of each other: that every requirement is
/// there, and in a mod that comes along.
pub fn check_requires<'m>(
    manifests: &'m Manifests,
    some: impl Iterator<Item = &'m Manifest>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for manifest in some {
        let reach = reach(manifest, manifests);
        for (_, clause) in manifest.clauses() {
            for requirement in &clause.requires {
                let checked = check_requirement(requirement, manifest, &reach, manifests);
                faults.extend(checked.err().map(|fault| fault.at(clause.place.clone())));
            }
        }
    }
    faults
}

/// The mods that come along with a mod, itself among them.
fn reach<'m>(manifest: &'m Manifest, manifests: &'m Manifests) -> BTreeSet<&'m Name> {
    let mut reach = BTreeSet::from([&manifest.id]);
    let mut open = vec![manifest];
    while let Some(manifest) = open.pop() {
        for dependency in &manifest.depends {
            if reach.insert(&dependency.id) {
                open.extend(manifests.get(&dependency.id));
            }
        }
    }
    reach
}

fn check_requirement(
    requirement: &Requirement,
    own: &Manifest,
    reach: &BTreeSet<&Name>,
    manifests: &Manifests,
) -> Result<(), Fault> {
    let (module, what) = match requirement {
        Requirement::Clause(id) => (Name::from(kernel::value::owner_of(id)), id.to_string()),
        Requirement::Group { module, group } => (module.clone(), format!("{module}:{group}")),
    };
    if !reach.contains(&module) {
        let message =
            format!("expected to require only of this mod and those it depends on, found `{what}`");
        let fault = Fault::new(FaultCode::MissingDependency, message);
        // A clause of its own that is said without the mod.
        return Err(fault.hint(match own.group(&module) {
            Some(_) => format!("say it in full: `{}.{what}`", own.id),
            None => format!("add `{module}` to `depends`"),
        }));
    }
    // A dependency that is not there has a fault of its own.
    let Some(manifest) = manifests.get(&module) else {
        return Ok(());
    };
    match requirement {
        Requirement::Clause(id) => require_clause(manifests, id).map(|_| ()),
        Requirement::Group { group, .. } => require_group(manifest, group).map(|_| ()),
    }
}

/// The clause of an id.
///
/// # Errors
/// When no manifest lists it.
pub fn require_clause<'m>(manifests: &'m Manifests, id: &str) -> Result<&'m Clause, Fault> {
    let owner = manifests.get(kernel::value::owner_of(id));
    owner
        .and_then(|manifest| manifest.clause(id))
        .ok_or_else(|| {
            let fault = Fault::new(
                FaultCode::UnknownClause,
                format!("expected a clause, found `{id}`"),
            );
            let known = manifests
                .values()
                .flat_map(Manifest::clauses)
                .map(|(_, clause)| &*clause.id);
            hinted(fault, closest(id, known))
        })
}

/// The group of a name in a mod.
///
/// # Errors
/// When it has no such group.
pub fn require_group<'m>(manifest: &'m Manifest, name: &str) -> Result<&'m Group, Fault> {
    manifest.group(name).ok_or_else(|| {
        let message = format!(
            "expected a group of the mod `{}`, found `{name}`",
            manifest.id
        );
        let known = manifest.groups.iter().map(|group| &*group.name);
        hinted(
            Fault::new(FaultCode::UnknownMod, message),
            closest(name, known),
        )
    })
}

pub(super) fn hinted(fault: Fault, near: Option<&str>) -> Fault {
    match near {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

/// A manifest in memory, for tests.
#[cfg(test)]
pub(super) fn manifest_of(text: &str) -> Result<Manifest, Vec<Fault>> {
    use std::sync::Arc;
    let files = [("mod.ron", text), ("rules/shapes.luau", "")];
    let files = files
        .into_iter()
        .map(|(path, text)| (path.to_string(), Arc::from(text)))
        .collect();
    Manifest::read(&Sources::from_memory("folder", files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ICEBURG: &str = r#"#![enable(implicit_some)]
// House rules.
Mod(
    id: "iceburg",
    version: "1.2.0",
    title: "Iceburg",
    authors: ["Somebody"],
    license: "MIT",
    engine: "0.1",
    depends: [("dsii", "^1")],
    conflicts: ["steady"],
    after: ["netepic"],
    exports: ["rules/shapes"],
    doc: "House rules of 1996.",
    groups: [
        Group(id: "rfac", title: "Rapid fire autocannon", clauses: [
            Clause(id: "iceburg.rfac.cost", title: "Cost", text: "It costs six times its class.", source: "p.3",
                effect: Changes, touches: ["dsii.points.weapons"]),
            (id: "iceburg.rfac.ads", title: "ADS", text: "It follows all of them.", effect: Adds, default: false,
                requires: ["iceburg.rfac.cost", "dsii:fire"]),
        ]),
    ],
    options: [
        Option(id: "iceburg.rfac.chits", title: "Chits", type: "integer 0..5", default: 3, clause: "iceburg.rfac.cost"),
    ],
)"#;

    #[test]
    fn the_front_of_a_manifest_says_which_mod_it_is() {
        let front = &ICEBURG[..ICEBURG.find("version").unwrap()];
        assert_eq!(id_in_front(front), Some("iceburg"));
        let fronts = [
            "Mod(id:\"a\"",
            "// x\n#![enable(implicit_some)] #![enable(unwrap_newtypes)]\nMod ( id : \"a\"",
        ];
        assert!(fronts.iter().all(|front| id_in_front(front) == Some("a")));
        let others = [
            "#![enable",
            "#",
            "(id: \"a\")",
            "Mod(title: \"\", id: \"a\")",
        ];
        assert!(others.iter().all(|front| id_in_front(front).is_none()));
    }

    #[test]
    fn a_good_manifest_is_read_whole() {
        let manifest = manifest_of(ICEBURG).unwrap();
        assert_eq!(manifest.version, Version::new(1, 2, 0));
        assert_eq!(&*manifest.depends[0].id, "dsii");
        assert_eq!(manifest.depends[0].place.line, 10);
        let ads = manifest.clause("iceburg.rfac.ads").unwrap();
        let group = Requirement::Group {
            module: "dsii".into(),
            group: "fire".into(),
        };
        assert_eq!(
            ads.requires,
            [Requirement::Clause("iceburg.rfac.cost".into()), group]
        );
        assert!(!ads.default && !ads.core && manifest.groups[0].default);
        assert_eq!(&*manifest.group("rfac").unwrap().id, "iceburg.rfac");
        assert_eq!(
            manifest.option("iceburg.rfac.chits").unwrap().default,
            Value::Int(3)
        );
    }

    #[test]
    fn every_problem_is_reported_at_its_line() {
        let text = ICEBURG
            .replace("version: \"1.2.0\"", "version: \"1.2\"")
            .replace("engine: \"0.1\"", "engine: \"9\"")
            .replace("[(\"dsii\", \"^1\")]", "[(\"dsii\", \"^^\")]")
            .replace("[\"netepic\"]", "[\"iceburg\"]")
            .replace("rules/shapes", "rules/nothing")
            .replace(
                "Clause(id: \"iceburg.rfac.cost\"",
                "Clause(id: \"iceburg.sam.cost\"",
            )
            .replace("requires: [\"iceburg.rfac.cost\"", "requires: [\"rfac\"")
            .replace("default: 3", "default: 9");
        let faults = manifest_of(&text).unwrap_err();
        let lines: Vec<(u32, FaultCode)> = faults
            .iter()
            .map(|f| (f.place.as_ref().unwrap().line, f.code))
            .collect();
        use FaultCode as C;
        assert_eq!(
            lines,
            [
                (5, C::BadManifest),
                (9, C::BadManifest),
                (10, C::BadManifest),
                (12, C::BadManifest),
                (13, C::BadExport),
                (17, C::BadManifest),
                (20, C::BadManifest),
                (24, C::UnknownClause),
                (24, C::WrongType)
            ]
        );
    }

    #[test]
    fn what_is_there_twice_or_cannot_be_is_refused() {
        let count =
            |from: &str, to: &str| manifest_of(&ICEBURG.replace(from, to)).unwrap_err().len();
        assert_eq!(count("iceburg.rfac.ads\"", "iceburg.rfac.cost\""), 1);
        assert_eq!(count("default: false", "default: false, core: true"), 1);
        assert_eq!(
            count(
                "(\"dsii\", \"^1\")",
                "(\"dsii\", \"^1\"), (\"dsii\", \"^2\")"
            ),
            1
        );
        assert_eq!(
            count("text: \"It costs six times its class.\"", "text: \" \""),
            1
        );
        assert_eq!(count("effect: Adds", "effect: Ads"), 1);
        assert_eq!(count("doc: ", "dog: "), 1);
        assert_eq!(count("integer 0..5", "integr"), 1);
        assert_eq!(count("id: \"rfac\"", "id: \"RFAC\""), 3);
        assert!(manifest_of(&ICEBURG.replace("id: \"iceburg\"", "id: \"Ice Burg\"")).is_err());
        let none = Sources::from_memory("x", Default::default());
        assert_eq!(
            Manifest::read(&none).unwrap_err()[0].code,
            FaultCode::BadManifest
        );
    }

    #[test]
    fn requirements_must_be_there_and_come_along() {
        let dsii = r#"Mod(id: "dsii", version: "1.0.0", title: "D", engine: "0.1", groups: [
            (id: "fire", title: "Fire", clauses: [
                (id: "dsii.fire.range", title: "R", text: "t", effect: Adds, requires: ["iceburg.rfac.cost"])])])"#;
        let set = |ice: &str, dsii: &str| {
            let manifests = [manifest_of(ice).unwrap(), manifest_of(dsii).unwrap()];
            let all = manifests.map(|manifest| (manifest.id.clone(), manifest));
            let all: Manifests = all.into_iter().collect();
            check_requires(&all, all.values())
        };
        let faults = set(ICEBURG, dsii);
        assert_eq!(
            faults.iter().map(|fault| fault.code).collect::<Vec<_>>(),
            [FaultCode::MissingDependency]
        );
        // A clause of its own is said with the mod.
        let faults = set(ICEBURG, &dsii.replace("iceburg.rfac.cost", "fire.range"));
        let hint = faults[0].hint.as_deref();
        assert_eq!(hint, Some("say it in full: `dsii.fire.range`"));
        let dsii = dsii.replace("iceburg.rfac.cost", "dsii.fire.range");
        assert_eq!(set(ICEBURG, &dsii), []);
        let faults = set(&ICEBURG.replace("dsii:fire", "dsii:fires"), &dsii);
        assert_eq!(faults[0].hint.as_deref(), Some("did you mean `fire`?"));
        let faults = set(
            &ICEBURG.replace("\"dsii:fire\"", "\"iceburg.rfac.costs\""),
            &dsii,
        );
        assert_eq!(
            faults[0].hint.as_deref(),
            Some("did you mean `iceburg.rfac.cost`?")
        );
    }

    proptest! {
        #[test]
        fn a_cut_or_changed_manifest_never_panics(at in 0..ICEBURG.len(), other in "\\PC{0,2}", len in 0usize..4) {
            let mut text = ICEBURG.to_string();
            text.replace_range(at..(at + len).min(ICEBURG.len()), &other);
            let _ = manifest_of(&text);
            let _ = manifest_of(&ICEBURG[..at]);
        }

        #[test]
        fn any_text_is_a_manifest_or_faults(text in "\\PC*") {
            let _ = manifest_of(&text);
        }
    }
}
