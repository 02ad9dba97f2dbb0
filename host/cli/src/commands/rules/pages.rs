//! `houserule rules MOD --pages DIR`: the reference of a mod in Markdown, a page
//! a chapter: rules with their lines and wraps, tables, options, actions, windows,
//! events, templates, clauses. All of it comes from headers, data and the manifest.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use houserule::data::table::Table;
use houserule::data::template::EntityTemplate;
use houserule::kernel::book::{Action, Book, EventKind, Phase, PhaseBody, Window};
use houserule::kernel::game::Game;
use houserule::kernel::value::{Field, Name, Value, owner_of};
use houserule::kernel::world::{Edge, Kind, Until};
use houserule::modset::manifest::{Clause, Manifest, ModOption};
use houserule::printable;
use houserule::rulebook::{LayerEntry, LayerKind, RuleEntry};
use houserule::types::{Unit, print_value, write_value};

use super::{ClauseLibrary, effect_word, signature_text};
use crate::failure::Failure;
use crate::ui::Ui;

/// The page of what stands in no chapter.
const REST: &str = "all";

/// Writes the pages of a mod into a folder.
///
/// # Errors
/// When a page cannot be written.
pub(super) fn pages(
    library: &ClauseLibrary<'_>,
    manifest: &Manifest,
    folder: &Path,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let reference = Reference {
        library,
        manifest,
        book: library.chosen.rulebook.book(),
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritten(folder, &error))?;
    let chapters = reference.chapters();
    let mut written = vec![("index.md".to_string(), reference.index(&chapters))];
    written.push(("kinds.md".to_string(), reference.kinds()));
    written.extend(
        chapters
            .iter()
            .map(|chapter| (format!("{chapter}.md"), reference.page(chapter))),
    );
    for (name, text) in &written {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| Failure::unwritten(&path, &error))?;
    }
    ui.note(&format!(
        "{} pages of `{}` are in {}",
        written.len(),
        manifest.id,
        folder.display()
    ));
    Ok(())
}

/// What the reference says of all that has an id: rules, tables, options and so
/// on, in the order of its pages. The manifest is that of its mod.
pub(in crate::commands) fn entry(
    library: &ClauseLibrary<'_>,
    manifest: &Manifest,
    id: &str,
) -> Option<String> {
    let book = library.chosen.rulebook.book();
    let reference = Reference {
        library,
        manifest,
        book,
    };
    let rulebook = &library.chosen.rulebook;
    let mut parts: Vec<String> = Vec::new();
    parts.extend(rulebook.rules().get(id).map(|rule| reference.rule(rule)));
    parts.extend(rulebook.tables().get(id).map(|one| table(one)));
    parts.extend(manifest.option(id).map(option));
    parts.extend(
        book.actions
            .get(id)
            .or_else(|| book.reactions.get(id))
            .map(action),
    );
    parts.extend(book.phases.get(id).map(|one| phase(one, book)));
    parts.extend(book.windows.get(id).map(window));
    parts.extend(book.events.get(id).map(event));
    parts.extend(
        book.schema
            .kinds()
            .iter()
            .find(|kind| *kind.id == *id)
            .map(kind),
    );
    parts.extend(rulebook.templates().get(id).map(template));
    parts.extend(manifest.clause(id).map(clause));
    (!parts.is_empty()).then(|| parts.join("\n"))
}

struct Reference<'a> {
    library: &'a ClauseLibrary<'a>,
    manifest: &'a Manifest,
    book: &'a Book,
}

impl Reference<'_> {
    fn is_own(&self, id: &str) -> bool {
        *owner_of(id) == *self.manifest.id
    }

    /// Whether something belongs to a chapter of the mod.
    fn is_in(&self, id: &str, chapter: &str) -> bool {
        self.is_own(id) && chapter_of(id) == chapter
    }

    /// All chapters in which something stands, by name.
    fn chapters(&self) -> Vec<String> {
        let rulebook = &self.library.chosen.rulebook;
        let ids = rulebook.rules().keys().chain(rulebook.tables().keys());
        let ids = ids.chain(self.manifest.options.iter().map(|option| &option.id));
        let ids = ids.chain(self.manifest.clauses().map(|(_, clause)| &clause.id));
        let ids = ids
            .chain(self.book.events.keys())
            .chain(self.book.windows.keys());
        let ids = ids
            .chain(self.book.actions.keys())
            .chain(self.book.reactions.keys())
            .chain(rulebook.templates().keys());
        let found: BTreeSet<&str> = ids
            .filter(|id| self.is_own(id))
            .map(|id| chapter_of(id))
            .collect();
        found.into_iter().map(str::to_string).collect()
    }

    fn title_of(&self, chapter: &str) -> String {
        let group = self
            .manifest
            .groups
            .iter()
            .find(|group| *group.name == *chapter);
        group.map_or_else(|| chapter.to_string(), |group| plain(&group.title))
    }

    fn index(&self, chapters: &[String]) -> String {
        let mut text = format!("# {}\n\n", plain(&self.manifest.title));
        if !self.manifest.doc.is_empty() {
            let _ = writeln!(text, "{}\n", plain(&self.manifest.doc));
        }
        let _ = writeln!(
            text,
            "By the rules `{}`.\n",
            self.library.chosen.active.line
        );
        for chapter in chapters {
            let _ = writeln!(text, "- [{}]({chapter}.md)", self.title_of(chapter));
        }
        text.push_str("- [Kinds](kinds.md)\n");
        text
    }

    fn page(&self, chapter: &str) -> String {
        let rulebook = &self.library.chosen.rulebook;
        let mut text = format!("# {}\n", self.title_of(chapter));
        let rules = rulebook
            .rules()
            .values()
            .filter(|rule| self.is_in(&rule.id, chapter));
        section(&mut text, "Rules", rules.map(|rule| self.rule(rule)));
        let tables = rulebook
            .tables()
            .values()
            .filter(|table| self.is_in(&table.id, chapter));
        section(&mut text, "Tables", tables.map(|one| table(one)));
        let options = self
            .manifest
            .options
            .iter()
            .filter(|option| self.is_in(&option.id, chapter));
        section(&mut text, "Options", options.map(option));
        let actions = self
            .book
            .actions
            .values()
            .chain(self.book.reactions.values());
        let actions = actions.filter(|action| self.is_in(&action.id, chapter));
        section(&mut text, "Actions and reactions", actions.map(action));
        let windows = self
            .book
            .windows
            .values()
            .filter(|window| self.is_in(&window.id, chapter));
        section(&mut text, "Windows", windows.map(window));
        let events = self
            .book
            .events
            .values()
            .filter(|event| self.is_in(&event.id, chapter));
        section(&mut text, "Events", events.map(event));
        let templates = rulebook.templates().values();
        let templates = templates.filter(|one| self.is_in(&one.id, chapter));
        section(&mut text, "Templates", templates.map(template));
        let clauses = self.manifest.clauses().map(|(_, clause)| clause);
        let clauses = clauses.filter(|clause| self.is_in(&clause.id, chapter));
        section(&mut text, "Clauses", clauses.map(clause));
        text
    }

    /// A rule: what it takes and gives, why it is there, and who has a say in it.
    fn rule(&self, rule: &RuleEntry) -> String {
        let mut text = format!("### `{}`\n\n", rule.id);
        if !rule.doc.is_empty() {
            let _ = writeln!(text, "{}\n", plain(&rule.doc));
        }
        let effects = rule.signature.effects.words();
        let _ = writeln!(text, "```text\n{}\n{effects}\n```\n", signature_text(rule));
        for layer in &rule.layers {
            let _ = writeln!(text, "- {}", self.layer(layer));
        }
        text
    }

    fn layer(&self, layer: &LayerEntry) -> String {
        let word = match layer.kind {
            LayerKind::Define => "by",
            LayerKind::Wrap => "wrapped by",
            LayerKind::Replace => "replaced by",
            LayerKind::Lines | LayerKind::Line => "a line of",
        };
        let place = &layer.place;
        let cites: String = layer
            .cites
            .iter()
            .map(|id| format!("\n  - {}", self.cite(id)))
            .collect();
        format!(
            "{word} `{}`, {}:{}{cites}",
            place.module, place.file, place.line
        )
    }

    /// A clause with its sentence and its printed source.
    fn cite(&self, id: &Name) -> String {
        match self.library.clauses.get(id) {
            Some(found) if found.source.is_empty() => format!("`{id}`, {}", plain(&found.text)),
            Some(found) => format!("`{id}` ({}), {}", plain(&found.source), plain(&found.text)),
            None => format!("`{id}`"),
        }
    }

    /// All kinds of which the mod says something.
    fn kinds(&self) -> String {
        let mut text = String::from("# Kinds\n");
        let is_of = |kind: &&Kind| {
            self.is_own(&kind.id)
                || kind
                    .attributes
                    .iter()
                    .any(|one| one.module == self.manifest.id)
        };
        for one in self.book.schema.kinds().iter().filter(is_of) {
            text.push_str(&kind(one));
        }
        text
    }
}

/// What an attribute holds until, in words.
pub(super) fn until_text(until: &Until) -> String {
    let edge = match until.edge {
        Edge::Begins => "begins",
        Edge::Ends => "ends",
    };
    let of = until
        .of
        .as_ref()
        .map_or_else(String::new, |of| format!(" of its `{of}`"));
    format!("until `{}`{of} {edge}", until.phase)
}

fn chapter_of(id: &str) -> &str {
    let mut parts = id.split('.').skip(1);
    match (parts.next(), parts.next()) {
        (Some(chapter), Some(_)) => chapter,
        _ => REST,
    }
}

/// A section, if anything stands in it.
fn section(text: &mut String, title: &str, parts: impl Iterator<Item = String>) {
    let parts: Vec<String> = parts.collect();
    if !parts.is_empty() {
        let _ = write!(text, "\n## {title}\n\n{}", parts.join("\n"));
    }
}

/// A phase: the phases within it, and what can be done in it.
fn phase(phase: &Phase, book: &Book) -> String {
    let mut text = format!(
        "### `{}`\n\nThe phase {}.\n\n",
        phase.id,
        plain(&phase.title)
    );
    for inner in phase.body.phases() {
        let _ = writeln!(text, "- then `{inner}`");
    }
    if let PhaseBody::Automatic { rule } = &phase.body {
        let _ = writeln!(text, "- does `{rule}`");
    }
    for action in book.actions_in(&phase.id) {
        let _ = writeln!(text, "- in it `{}`, {}", action.id, plain(&action.title));
    }
    text
}

fn window(window: &Window) -> String {
    format!(
        "### `{}`\n\nCarries `{}`.\n",
        window.id,
        fields(&window.carries)
    )
}

fn event(event: &EventKind) -> String {
    let text = plain(&event.text);
    format!(
        "### `{}`\n\n{text}\n\nCarries `{}`.\n",
        event.id,
        fields(&event.fields)
    )
}

/// A kind with its attributes.
fn kind(kind: &Kind) -> String {
    let head = "| attribute | type | at first | says |\n|---|---|---|---|\n";
    let mut text = format!("\n## `{}`\n\n{head}", kind.id);
    for one in &kind.attributes {
        let until: Vec<String> = one.until.iter().map(until_text).collect();
        let says = [plain(&one.doc)]
            .into_iter()
            .chain(until)
            .filter(|part| !part.is_empty());
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            one.name,
            cell(&one.ty.to_string()),
            cell(&value(&one.default)),
            says.collect::<Vec<_>>().join("; ").replace('|', "\\|")
        );
    }
    text
}

fn table(table: &Table) -> String {
    let source = if table.source.is_empty() {
        String::new()
    } else {
        format!(" ({})", plain(&table.source))
    };
    let mut text = format!("### `{}`\n\n{}{source}\n\n", table.id, plain(&table.title));
    let heads = table.key.iter().map(|field| format!("**{}**", field.name));
    let heads = heads.chain(table.columns.iter().map(|field| field.name.to_string()));
    row(&mut text, heads);
    row(
        &mut text,
        (0..table.key.len() + table.columns.len()).map(|_| "---".to_string()),
    );
    for (key, cells) in table.rows() {
        row(
            &mut text,
            key.iter()
                .chain(&cells.cells)
                .map(|one| value(one).replace('|', "\\|")),
        );
    }
    text
}

/// A template, as lists have it: what it gives, `houserule rules ID` says.
fn template(template: &EntityTemplate) -> String {
    let title = plain(&template.title);
    format!("### `{}`\n\n{title}, a `{}`.\n", template.id, template.kind)
}

fn row(text: &mut String, cells: impl Iterator<Item = String>) {
    let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
}

fn option(option: &ModOption) -> String {
    let default = write_value(&option.default, &Game::empty());
    let (title, says) = (plain(&option.title), plain(&option.text));
    format!(
        "### `{}`\n\n{title}: {says}\n\n`{}`, `{default}` if nothing is said.\n",
        option.id, option.ty
    )
}

fn action(action: &Action) -> String {
    let mut text = format!(
        "### `{}`\n\n{}, in {}.\n\n",
        action.id,
        plain(&action.title),
        ids(&action.at)
    );
    if let Some(actor) = &action.actor {
        let _ = writeln!(text, "- by `{actor}`");
    }
    for param in &action.params {
        let _ = writeln!(
            text,
            "- asks `{}: {}`, {}",
            param.name,
            param.ty,
            plain(&param.title)
        );
    }
    let members = [("allowed", &action.allowed), ("score", &action.score)];
    for (word, rule) in members
        .into_iter()
        .filter_map(|(word, rule)| Some((word, rule.as_ref()?)))
    {
        let _ = writeln!(text, "- {word}: `{rule}`");
    }
    let _ = writeln!(text, "- perform: `{}`", action.perform);
    text
}

/// A clause with its sentence.
pub(in crate::commands) fn clause(clause: &Clause) -> String {
    let source = if clause.source.is_empty() {
        String::new()
    } else {
        format!(" ({})", plain(&clause.source))
    };
    let word = effect_word(clause.effect);
    format!(
        "### `{}`\n\n{}{source}: {} It {word}.\n",
        clause.id,
        plain(&clause.title),
        plain(&clause.text)
    )
}

fn fields(fields: &[Field]) -> String {
    let each: Vec<String> = fields
        .iter()
        .map(|field| format!("{}: {}", field.name, field.ty))
        .collect();
    each.join(", ")
}

fn ids(list: &[Name]) -> String {
    list.iter()
        .map(|id| format!("`{id}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn value(value: &Value) -> String {
    match value {
        Value::None => String::new(),
        other => print_value(other, &Game::empty(), Unit::AsWritten),
    }
}

fn cell(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("`{}`", text.replace('|', "\\|"))
    }
}

/// A text on one line, without what would steer who shows it.
fn plain(text: &str) -> String {
    printable::line(text).to_string()
}
