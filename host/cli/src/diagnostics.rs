//! Faults as text for a terminal, with the lines that they are about.
//!
//! A fault may be about any file, at any place in it, and hold any text: what
//! is shown is small, and is made printable before it is laid out.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use houserule::kernel::error::{Fault, Place};
use houserule::modset::files::read_text;
use houserule::printable;
use houserule::workshop::Workshop;
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use serde_json::{Value as Json, json};

use houserule::printable::counted;

/// No message has more letters.
const LONGEST_MESSAGE: usize = 2_000;

/// No hint, name of a file or id has more letters.
const LONGEST_NAME: usize = 500;

/// So many faults of a list are shown; the rest is counted.
const MOST_SHOWN: usize = 40;

/// A line of a file that is shown has at least so many letters, if it has them.
const NARROWEST: usize = 30;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It kept the command from doing what was asked.
    Error,
    /// It did not.
    Warning,
}

/// Text of several lines that is printable already, and has only our colours.
pub struct Picture(String);

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A list of faults for a terminal: the first of them, how many more there
/// are, and in how many files, if there are several.
pub fn pictures(
    faults: &[Fault],
    severity: Severity,
    workshop: &Workshop,
    width: usize,
) -> Vec<Picture> {
    let mut pictures = shown(faults, severity, workshop, width);
    if faults.len() > 1 {
        let word = if severity == Severity::Warning {
            "warnings"
        } else {
            "faults"
        };
        pictures.push(Picture(in_files(
            &format!("{} {word}", thousands(faults.len())),
            faults,
        )));
    }
    pictures
}

/// The first of a list of faults, and how many more there are.
pub fn shown(
    faults: &[Fault],
    severity: Severity,
    workshop: &Workshop,
    width: usize,
) -> Vec<Picture> {
    let shown = faults
        .iter()
        .take(MOST_SHOWN)
        .map(|fault| render(fault, severity, workshop, width));
    let rest = faults.len().saturating_sub(MOST_SHOWN);
    let more = (rest > 0).then(|| Picture(format!("… and {} more", thousands(rest))));
    shown.chain(more).collect()
}

/// So many faults, and in how many files they are.
pub fn in_files(what: &str, faults: &[Fault]) -> String {
    let place = |fault: &Fault| {
        fault
            .place
            .as_ref()
            .map(|place| (place.module.clone(), place.file.clone()))
    };
    let files: BTreeSet<_> = faults.iter().filter_map(place).collect();
    match files.len() {
        0 => what.to_string(),
        files => format!("{what} in {}", counted(files, "file")),
    }
}

/// A number with commas between its thousands.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let parts = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(String::from_utf8_lossy);
    parts.collect::<Vec<_>>().join(",")
}

/// A fault on one line, where it is only a remark.
pub fn one_line(fault: &Fault) -> String {
    let place = fault
        .place
        .as_ref()
        .map(ToString::to_string)
        .filter(|place| !place.is_empty());
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    short(
        &format!("{} {place}{}", fault.code, fault.message),
        LONGEST_NAME,
    )
}

/// A fault for a terminal, without a last line break.
pub fn render(fault: &Fault, severity: Severity, workshop: &Workshop, width: usize) -> Picture {
    let excerpt = fault
        .place
        .as_ref()
        .and_then(|place| excerpt(place, workshop, width));
    let shown = laid_out(fault, severity, excerpt);
    // Colours are always written: whoever prints takes them out again.
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode())
        .with_width(width)
        .with_context_lines(1)
        .with_links(false);
    let mut text = String::new();
    match handler.render_report(&mut text, &shown) {
        Ok(()) => Picture(text.trim_end().to_string()),
        Err(_) => Picture(one_line(fault)),
    }
}

/// A text of one line, of at most so many letters.
fn short(text: &str, most: usize) -> String {
    printable::clipped(&printable::line(text), most).into_owned()
}

// ---- as miette wants it --------------------------------------------------------

/// A fault as miette wants it.
#[derive(Debug)]
struct ShownFault {
    message: String,
    code: String,
    hint: Option<String>,
    excerpt: Option<Excerpt>,
    label: String,
    is_warning: bool,
}

fn laid_out(fault: &Fault, severity: Severity, excerpt: Option<Excerpt>) -> ShownFault {
    let mut message = fault.message.clone();
    let label = match (fault.within(), &excerpt) {
        (Some(within), Some(_)) => within,
        (Some(within), None) => {
            message.push_str(&format!(" ({})", short(&within, LONGEST_NAME)));
            String::new()
        }
        (None, _) => "here".to_string(),
    };
    let place = fault
        .place
        .as_ref()
        .map(ToString::to_string)
        .filter(|place| !place.is_empty());
    if let (None, Some(place)) = (&excerpt, place) {
        message = format!("{}: {message}", short(&place, LONGEST_NAME));
    }
    ShownFault {
        message: printable::clipped(&printable::lines(&message), LONGEST_MESSAGE).into_owned(),
        code: format!("{} {}", fault.code, fault.code.slug()),
        hint: fault.hint.as_ref().map(|hint| short(hint, LONGEST_NAME)),
        excerpt,
        label: short(&label, LONGEST_NAME),
        is_warning: severity == Severity::Warning,
    }
}

impl fmt::Display for ShownFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ShownFault {}

impl Diagnostic for ShownFault {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(if self.is_warning {
            miette::Severity::Warning
        } else {
            miette::Severity::Error
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.hint
            .as_ref()
            .map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt
            .as_ref()
            .map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let label = LabeledSpan::new_primary_with_span(Some(self.label.clone()), excerpt.span);
        Some(Box::new(std::iter::once(label)))
    }
}

// ---- the lines around a place ------------------------------------------------------

/// The line that a fault is about and those around it, clipped: printable, and
/// never wider than the screen by much, however long the lines of the file are.
#[derive(Debug)]
struct Excerpt {
    /// What the file is called.
    name: String,
    /// The lines, each with its end.
    text: String,
    /// The first of them in the file, from 0.
    first: usize,
    /// How many they are.
    count: usize,
    /// The line that it is about, and the column in the file, from 0.
    at: (usize, usize),
    /// What it is about, in the text.
    span: (usize, usize),
}

impl SourceCode for Excerpt {
    /// All of it, whatever is asked for: it is no more than the lines around
    /// its place. Asked for the place alone, it says where that is.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (line, column) = if lines_before == 0 {
            self.at
        } else {
            (self.first, 0)
        };
        let span = if lines_before == 0 {
            *span
        } else {
            (0, self.text.len()).into()
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            self.text.as_bytes(),
            span,
            line,
            column,
            self.count,
        )))
    }
}

/// The lines around a place, if its file can be shown and has that line.
fn excerpt(place: &Place, workshop: &Workshop, width: usize) -> Option<Excerpt> {
    let number = (place.line as usize).checked_sub(1)?;
    let name = short(&name_of(place), LONGEST_NAME);
    if place.module.is_empty() {
        // A file of no mod is on the disk.
        return excerpt_of(
            &read_text(Path::new(&*place.file)).ok()?,
            number,
            place.column,
            name,
            width,
        );
    }
    excerpt_of(
        workshop
            .sources()
            .get(&place.module)?
            .as_written(&place.file)?,
        number,
        place.column,
        name,
        width,
    )
}

fn name_of(place: &Place) -> String {
    if place.module.is_empty() {
        place.file.to_string()
    } else {
        format!("{}/{}", place.module, place.file)
    }
}

fn excerpt_of(
    text: &str,
    number: usize,
    column: u32,
    name: String,
    width: usize,
) -> Option<Excerpt> {
    let first = number.saturating_sub(1);
    let mut lines = text
        .split('\n')
        .skip(first)
        .map(|line| line.strip_suffix('\r').unwrap_or(line));
    let before = if first < number {
        Some(lines.next()?)
    } else {
        None
    };
    let line = lines.next()?;
    let after = lines.next();
    // After the last line break there is no line.
    let is_line = after.is_some_and(|after| !after.is_empty()) || lines.next().is_some();
    let after = after.filter(|_| is_line);
    let (from, length) = span_of(line, column);
    let room = width.saturating_sub(12).max(NARROWEST);
    let clip = Clip::around(line, from, room);
    let mut shown = String::new();
    let mut push = |line: &str| {
        shown.push_str(line);
        shown.push('\n');
    };
    before.iter().for_each(|line| push(&clip.of(line)));
    let head = clip.head(&line[..from]);
    let word = clip.word(&line[from..from + length], &head);
    let tail = match word.len() == length {
        true => clip.tail(&line[from + length..], letters(&head) + letters(word)),
        false => "…".into(),
    };
    let word = printable::lines(word);
    push(&format!("{head}{word}{tail}"));
    after.iter().for_each(|line| push(&clip.of(line)));
    let start = before.map_or(0, |line| clip.of(line).len() + 1) + head.len();
    let count = 1 + before.iter().len() + after.iter().len();
    let at = (
        number,
        if column == 0 {
            letters(&line[..from])
        } else {
            column as usize - 1
        },
    );
    Some(Excerpt {
        name,
        text: shown,
        first,
        count,
        at,
        span: (start, word.len().max(1)),
    })
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// The part of each line that is shown: so many letters from one on.
struct Clip {
    skipped: usize,
    room: usize,
}

impl Clip {
    /// A part that shows what stands at a place in a line, with what is before.
    fn around(line: &str, from: usize, room: usize) -> Clip {
        let column = letters(&line[..from]);
        let skipped = if column > room * 2 / 3 {
            column - room / 3
        } else {
            0
        };
        Clip { skipped, room }
    }

    /// What is shown of a line beside the place.
    fn of(&self, line: &str) -> String {
        let head = self.head("");
        let rest = self.after_skipped(line);
        if rest.is_empty() {
            String::new()
        } else {
            format!("{head}{}", self.tail(rest, letters(&head)))
        }
    }

    fn after_skipped<'a>(&self, line: &'a str) -> &'a str {
        line.char_indices()
            .nth(self.skipped)
            .map_or("", |(at, _)| &line[at..])
    }

    /// What is shown before the place.
    fn head(&self, before: &str) -> String {
        let mark = if self.skipped > 0 { "…" } else { "" };
        format!("{mark}{}", printable::lines(self.after_skipped(before)))
    }

    /// What is shown of the word at the place.
    fn word<'a>(&self, word: &'a str, head: &str) -> &'a str {
        let room = self.room.saturating_sub(letters(head)).max(1);
        word.char_indices()
            .nth(room)
            .map_or(word, |(end, _)| &word[..end])
    }

    /// What is shown after that, when so many letters are taken.
    fn tail(&self, after: &str, taken: usize) -> String {
        match after.char_indices().nth(self.room.saturating_sub(taken)) {
            Some((end, _)) => format!("{}…", printable::lines(&after[..end])),
            None => printable::lines(after).into_owned(),
        }
    }
}

/// The bytes of a line that a column points at: from there to the end of its
/// word, or the whole line where no column is known.
fn span_of(line: &str, column: u32) -> (usize, usize) {
    let line = line.trim_end();
    let indent = line.len() - line.trim_start().len();
    let Some(column) = (column as usize).checked_sub(1) else {
        return (indent, line.len() - indent);
    };
    let from = line
        .char_indices()
        .nth(column)
        .map_or(line.len(), |(at, _)| at);
    let rest = &line[from..];
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let quoted = rest
        .strip_prefix('"')
        .and_then(|inner| inner.find('"'))
        .map(|end| end + 2);
    let word = quoted.unwrap_or_else(|| rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
    // What is no word is one letter.
    (
        from,
        if word == 0 {
            rest.chars().next().map_or(0, char::len_utf8)
        } else {
            word
        },
    )
}

/// A fault for programs.
pub fn fault_json(fault: &Fault, severity: Severity) -> Json {
    let place = fault.place.clone().unwrap_or_default();
    let known = |text: &str| (!text.is_empty()).then(|| text.to_string());
    let number = |number: u32| (number > 0).then_some(number);
    json!({
        "type": "fault",
        "severity": if severity == Severity::Warning { "warning" } else { "error" },
        "code": fault.code.to_string(),
        "name": fault.code.slug(),
        "message": fault.message,
        "mod": known(&place.module),
        "file": known(&place.file),
        "line": number(place.line),
        "column": number(place.column),
        "rule": fault.rule.as_deref(),
        "clause": fault.clause.as_deref(),
        "caller": fault.caller.as_deref(),
        "hint": fault.hint,
    })
}

#[cfg(test)]
mod tests;
