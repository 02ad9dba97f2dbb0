//! Which statements of rules files do something else than they did.
//!
//! A statement that was written otherwise taints the names that it declares;
//! a statement that uses a tainted name is tainted; a file whose result is
//! tainted taints those who require it. A tainted statement that might do
//! anything when it is run, such as a call of a function of the mod, taints
//! everything.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::Place;
use kernel::value::Name;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Edition;
use super::outline::{Does, FileOutline};
use rules::modset::relative;

/// A rules file: its mod and its path there.
type RulesFile = (Name, String);

/// A text with its outline.
type OutlinedText = (Arc<str>, Rc<FileOutline>);

/// The outlines of files, as long as their texts are in use.
#[derive(Default)]
pub struct Outlines {
    kept: BTreeMap<RulesFile, Vec<OutlinedText>>,
}

/// Of each file those of before and of now.
const KEPT: usize = 2;

impl Outlines {
    /// Reads the files of an edition, so that it is quickly compared with the
    /// next one.
    pub fn know(&mut self, edition: &Edition<'_>) {
        for (file, text) in texts(edition) {
            self.of(&file, &text);
        }
    }

    fn of(&mut self, file: &RulesFile, text: &Arc<str>) -> Rc<FileOutline> {
        let kept = self.kept.entry(file.clone()).or_default();
        if let Some((_, outline)) = kept.iter().find(|(known, _)| known == text) {
            return outline.clone();
        }
        let outline = Rc::new(FileOutline::of(text));
        kept.insert(0, (text.clone(), outline.clone()));
        kept.truncate(KEPT);
        outline
    }
}

/// One of the two editions that are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum When {
    Before,
    Now,
}

const BOTH: [When; 2] = [When::Before, When::Now];

/// Which statements are the same in two editions.
pub(super) struct Statements {
    files: BTreeMap<(When, RulesFile), Rc<FileOutline>>,
    tainted: BTreeSet<(When, RulesFile, usize)>,
    /// In files that were written to: the statement of before for each of now.
    partners: BTreeMap<RulesFile, BTreeMap<usize, usize>>,
    /// Whether any file was written to.
    is_other: bool,
}

impl Statements {
    /// Compares two editions; `None` if it cannot be told what is the same.
    pub fn compare(
        old: &Edition<'_>,
        new: &Edition<'_>,
        outlines: &mut Outlines,
    ) -> Option<Statements> {
        let texts = BTreeMap::from([(When::Before, texts(old)), (When::Now, texts(new))]);
        let (before, now) = (&texts[&When::Before], &texts[&When::Now]);
        let mut found = Statements {
            files: BTreeMap::new(),
            tainted: BTreeSet::new(),
            partners: BTreeMap::new(),
            is_other: before != now,
        };
        for (when, texts) in &texts {
            for (file, text) in texts {
                found
                    .files
                    .insert((*when, file.clone()), outlines.of(file, text));
            }
        }
        // The message of an error that is caught names a line, and lines move.
        if found.is_other && found.files.values().any(|outline| outline.catches) {
            return None;
        }
        let mut taint = Taint {
            found,
            names: BTreeMap::new(),
            open: Vec::new(),
        };
        for file in before.keys().chain(now.keys()).collect::<BTreeSet<_>>() {
            if before.get(file) != now.get(file) {
                taint.written(file)?;
            }
        }
        taint.spread()?;
        Some(taint.found)
    }

    /// Whether a function that was registered in one place is the same as one
    /// that is registered in another now.
    pub fn is_same(&self, before: &Place, now: &Place) -> bool {
        let (before, now) = (
            self.registering(When::Before, before),
            self.registering(When::Now, now),
        );
        match (before, now) {
            (Some((file, old)), Some((other, new))) => {
                let partner = match self.partners.get(&other) {
                    Some(partners) => partners.get(&new).copied(),
                    None => Some(new),
                };
                let is_tainted = self.tainted.contains(&(When::Before, file.clone(), old))
                    || self.tainted.contains(&(When::Now, other.clone(), new));
                file == other && partner == Some(old) && !is_tainted
            }
            // What a loop or a function of the mod has registered may hang on
            // any file.
            (None, None) => !self.is_other,
            _ => false,
        }
    }

    /// The statement at a place, if it registers and does nothing else.
    fn registering(&self, when: When, place: &Place) -> Option<(RulesFile, usize)> {
        let file = (place.module.clone(), place.file.to_string());
        let outline = self.files.get(&(when, file.clone()))?;
        let at = outline.at(place.line)?;
        (outline.is_clear && outline.statements[at].does == Does::Registers).then_some((file, at))
    }
}

fn texts(edition: &Edition<'_>) -> BTreeMap<RulesFile, Arc<str>> {
    let mut found = BTreeMap::new();
    for id in &edition.active.order.mods {
        let Some(sources) = edition.workshop.sources().get(id) else {
            continue;
        };
        let files = sources
            .under("rules")
            .filter(|(path, _)| path.ends_with(".luau"));
        found.extend(files.map(|(path, text)| ((id.clone(), path.to_string()), text.clone())));
    }
    found
}

struct Taint {
    found: Statements,
    names: BTreeMap<RulesFile, BTreeSet<Rc<str>>>,
    open: Vec<(When, RulesFile, usize)>,
}

impl Taint {
    /// A file that was written to, is new, or gone.
    fn written(&mut self, file: &RulesFile) -> Option<()> {
        let outline = |when| self.found.files.get(&(when, file.clone())).cloned();
        let (before, now) = (outline(When::Before), outline(When::Now));
        if before.iter().chain(&now).any(|outline| !outline.is_clear) {
            return None;
        }
        if let (Some(before), Some(now)) = (&before, &now)
            && before.steering != now.steering
        {
            return None;
        }
        let texts = |outline: &Option<Rc<FileOutline>>| {
            let statements = outline.iter().flat_map(|outline| &outline.statements);
            statements
                .map(|statement| statement.text.clone())
                .collect::<Vec<_>>()
        };
        let (old, new) = (texts(&before), texts(&now));
        let mut partners = BTreeMap::new();
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = op
            {
                partners.extend((0..len).map(|i| (new_index + i, old_index + i)));
            }
        }
        let kept: BTreeSet<usize> = partners.values().copied().collect();
        for place in (0..old.len()).filter(|place| !kept.contains(place)) {
            self.add(When::Before, file, place);
        }
        for place in (0..new.len()).filter(|place| !partners.contains_key(place)) {
            self.add(When::Now, file, place);
        }
        self.found.partners.insert(file.clone(), partners);
        Some(())
    }

    fn add(&mut self, when: When, file: &RulesFile, place: usize) {
        if self.found.tainted.insert((when, file.clone(), place)) {
            self.open.push((when, file.clone(), place));
        }
    }

    /// Follows what hangs on tainted statements, until nothing more does.
    fn spread(&mut self) -> Option<()> {
        while let Some((when, file, place)) = self.open.pop() {
            let outline = self.found.files.get(&(when, file.clone())).cloned()?;
            let statement = &outline.statements[place];
            if statement.does == Does::Types {
                continue;
            }
            if statement.is_lively {
                return None;
            }
            match statement.does {
                Does::Registers | Does::Types => {}
                Does::Declares => self.taint_names(&file, &statement.names),
                Does::Fills if is_of_file(&outline, &statement.names) => {
                    self.taint_names(&file, &statement.names);
                }
                Does::Returns => self.taint_result(&file),
                Does::Fills | Does::Else => return None,
            }
        }
        Some(())
    }

    fn taint_names(&mut self, file: &RulesFile, names: &[Rc<str>]) {
        for name in names {
            if !self
                .names
                .entry(file.clone())
                .or_default()
                .insert(name.clone())
            {
                continue;
            }
            for when in BOTH {
                let Some(outline) = self.found.files.get(&(when, file.clone())).cloned() else {
                    continue;
                };
                for (place, statement) in outline.statements.iter().enumerate() {
                    if statement.mentions.contains(name) && statement.does != Does::Types {
                        self.add(when, file, place);
                    }
                }
            }
        }
    }

    /// Taints what requires a file.
    fn taint_result(&mut self, file: &RulesFile) {
        let mut found = Vec::new();
        for ((when, other), outline) in &self.found.files {
            for (place, statement) in outline.statements.iter().enumerate() {
                if statement
                    .requires
                    .iter()
                    .any(|path| required(other, path).as_ref() == Some(file))
                {
                    found.push((*when, other.clone(), place));
                }
            }
        }
        for (when, other, place) in found {
            self.add(when, &other, place);
        }
    }
}

/// Whether a name that is filled belongs to a table of the file's own, and not
/// to one that another file has made.
fn is_of_file(outline: &FileOutline, names: &[Rc<str>]) -> bool {
    let is_own = |name: &Rc<str>| {
        let mut declared = outline
            .statements
            .iter()
            .filter(|statement| statement.does == Does::Declares && statement.names.contains(name));
        match (declared.next(), declared.next()) {
            (Some(one), None) => one.names.len() == 1 && is_plain_table(&one.text),
            _ => false,
        }
    };
    names.iter().all(is_own)
}

/// Whether a declaration makes a new table.
fn is_plain_table(text: &str) -> bool {
    text.split_once(" = ")
        .is_some_and(|(_, value)| value.starts_with('{') && value.ends_with('}'))
}

/// The file that is meant where one is required.
fn required(from: &RulesFile, wanted: &str) -> Option<RulesFile> {
    match wanted.strip_prefix('@') {
        Some(name) => {
            let (module, path) = name.split_once('/')?;
            Some((Name::from(module), format!("{path}.luau")))
        }
        None => Some((from.0.clone(), relative(&from.1, wanted)?)),
    }
}
