//! A large mod by its chapters: which there are, and what one holds.

use std::collections::BTreeMap;
use std::io;

use houserule::kernel::error::{Fault, FaultCode};
use houserule::kernel::world::closest;
use houserule::modset::manifest::Group;

use super::{ClauseLibrary, called, whole_book};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;
use houserule::printable::{self, counted};

/// What a chapter holds.
#[derive(Default)]
struct IndexChapter<'a> {
    title: &'a str,
    clauses: usize,
    rules: usize,
    tables: usize,
    templates: usize,
}

/// The chapters of a mod in the order of its manifest; after them those that
/// only rules or templates are named for.
fn chapters<'a>(
    library: &ClauseLibrary<'_>,
    groups: &'a [Group],
    module: &str,
) -> Vec<(String, IndexChapter<'a>)> {
    let name_of = |id: &str| id.split('.').nth(1).unwrap_or_default().to_string();
    let mut all: BTreeMap<String, IndexChapter<'a>> = BTreeMap::new();
    for rule in library
        .rules_of(Some(module))
        .iter()
        .filter(|rule| super::is_within(&rule.id, module))
    {
        all.entry(name_of(&rule.id)).or_default().rules += 1;
    }
    for table in library
        .tables_of(Some(module))
        .iter()
        .filter(|table| super::is_within(&table.id, module))
    {
        all.entry(name_of(&table.id)).or_default().tables += 1;
    }
    for template in library.templates_of(Some(module)) {
        all.entry(name_of(&template.id)).or_default().templates += 1;
    }
    let mut found = Vec::new();
    for group in groups {
        let mut chapter = all.remove(&*group.name).unwrap_or_default();
        chapter.title = &group.title;
        chapter.clauses = group.clauses.len();
        found.push((group.name.to_string(), chapter));
    }
    found.extend(all);
    found
}

/// Prints which chapters a mod has, with what they hold.
///
/// # Errors
/// When nobody reads it.
pub(super) fn index(library: &ClauseLibrary<'_>, module: &str, ui: &mut Ui) -> io::Result<()> {
    let workshop = ui.workshop.clone();
    let Some(manifest) = workshop.manifests().get(module) else {
        return Ok(());
    };
    ui.line(format!(
        "{}  {}",
        manifest.title.bold(),
        manifest.version.to_string().dimmed()
    ))?;
    ui.line("")?;
    let all = chapters(library, &manifest.groups, module);
    let width = all
        .iter()
        .map(|(name, _)| printable::width(name))
        .max()
        .unwrap_or_default();
    let titles = all
        .iter()
        .map(|(_, chapter)| printable::width(chapter.title))
        .max()
        .unwrap_or_default();
    for (name, chapter) in &all {
        let gap = " ".repeat(width - printable::width(name));
        let title = match (chapter.title, chapter.rules + chapter.tables) {
            ("", 0) => "(what scenarios place)",
            ("", _) => "(rules that others share)",
            (title, _) => title,
        };
        let held = [
            (chapter.clauses, "clause"),
            (chapter.rules, "rule"),
            (chapter.tables, "table"),
            (chapter.templates, "template"),
        ];
        let held = held
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| counted(*count, word));
        let held = held.collect::<Vec<_>>().join(", ");
        let room = width + titles + held.len() + 6;
        if ui.columns().is_some_and(|columns| columns < room) {
            ui.line(format!("  {}{gap}  {title}", name.bold()))?;
            ui.line(format!("  {:width$}  {}", "", held.dimmed()))?;
            continue;
        }
        ui.line(format!(
            "  {}{gap}  {}  {}",
            name.bold(),
            printable::padded(title, titles),
            held.dimmed()
        ))?;
    }
    ui.line("")?;
    ui.line(sum(&all, manifest.options.len()))?;
    let first = all.first().map_or("CHAPTER", |(name, _)| &**name);
    ui.line(
        format!("`houserule rules {module} {first}` prints a chapter, `rules {module} --all` everything, `rules {module} --find WORDS` looks for words.")
            .dimmed(),
    )
}

/// What all chapters hold together.
fn sum(all: &[(String, IndexChapter<'_>)], options: usize) -> String {
    let count = |held: fn(&IndexChapter<'_>) -> usize| -> usize {
        all.iter().map(|(_, chapter)| held(chapter)).sum()
    };
    let counts = [
        (count(|one| one.clauses), "clause"),
        (count(|one| one.rules), "rule"),
        (options, "option"),
        (count(|one| one.templates), "template"),
    ];
    counts.map(|(count, word)| counted(count, word)).join(", ")
}

/// Prints one chapter of a mod, or what games call so of it.
///
/// # Errors
/// When there is neither.
pub(super) fn chapter(
    library: &ClauseLibrary<'_>,
    module: &str,
    chapter: &str,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let workshop = ui.workshop.clone();
    let groups = workshop
        .manifests()
        .get(module)
        .map_or(&[][..], |manifest| &manifest.groups);
    let all = chapters(library, groups, module);
    if all.iter().all(|(name, _)| name != chapter) {
        if called::in_mod(library, module, chapter, ui)? {
            return Ok(());
        }
        let fault = Fault::new(
            FaultCode::UnknownRule,
            format!("expected a chapter of the mod `{module}`, found `{chapter}`"),
        );
        let near = closest(chapter, all.iter().map(|(name, _)| &**name));
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`houserule rules {module}` lists them"),
        };
        return Err(fault.hint(hint).into());
    }
    whole_book(library, Some(format!("{module}.{chapter}").as_str()), ui)
}
