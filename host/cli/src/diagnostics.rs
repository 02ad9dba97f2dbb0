//! Faults as text for a terminal, with the lines that they are about.

use std::fmt;

use houserule::kernel::error::{Fault, Place};
use houserule::workshop::Workshop;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use serde_json::{Value as Json, json};

/// A larger file is not shown.
const LARGEST: u64 = 4 << 20;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It kept the command from doing what was asked.
    Error,
    /// It did not.
    Warning,
}

/// A fault as miette wants it.
#[derive(Debug)]
struct Shown {
    message: String,
    code: String,
    hint: Option<String>,
    source: Option<NamedSource<String>>,
    label: Option<LabeledSpan>,
    is_warning: bool,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(if self.is_warning { miette::Severity::Warning } else { miette::Severity::Error })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.hint.as_ref().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.label.clone().map(|label| Box::new(std::iter::once(label)) as Box<dyn Iterator<Item = _>>)
    }
}

/// A fault for a terminal, without a last line break.
pub fn render(fault: &Fault, severity: Severity, workshop: &Workshop, width: usize) -> String {
    let shown = shown(fault, severity, workshop);
    // Colours are always written: whoever prints takes them out again.
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode())
        .with_width(width)
        .with_context_lines(1)
        .with_links(false);
    let mut text = String::new();
    match handler.render_report(&mut text, &shown) {
        Ok(()) => text.trim_end().to_string(),
        Err(_) => fault.to_string(),
    }
}

fn shown(fault: &Fault, severity: Severity, workshop: &Workshop) -> Shown {
    let text = fault.place.as_ref().filter(|place| place.line > 0).and_then(|place| text_of(place, workshop));
    let span = fault.place.as_ref().zip(text.as_deref()).and_then(|(place, text)| span_of(place, text));
    let mut message = fault.message.clone();
    let label = match (&fault.rule, span) {
        (Some(rule), Some(_)) => format!("in rule `{rule}`"),
        (Some(rule), None) => {
            message.push_str(&format!(" (in rule `{rule}`)"));
            String::new()
        }
        (None, _) => "here".to_string(),
    };
    let name = fault.place.as_ref().map(name_of);
    let (source, label) = match (span, text, &name) {
        (Some((from, length)), Some(text), Some(name)) => (
            Some(NamedSource::new(name, text)),
            Some(LabeledSpan::new_primary_with_span(Some(label), (from, length))),
        ),
        _ => {
            if let Some(place) =
                fault.place.as_ref().map(ToString::to_string).filter(|place| !place.is_empty())
            {
                message = format!("{place}: {message}");
            }
            (None, None)
        }
    };
    Shown {
        message,
        code: format!("{} {}", fault.code, fault.code.slug()),
        hint: fault.hint.clone(),
        source,
        label,
        is_warning: severity == Severity::Warning,
    }
}

fn name_of(place: &Place) -> String {
    if place.module.is_empty() { place.file.to_string() } else { format!("{}/{}", place.module, place.file) }
}

/// The text of the file that a place is in: of a mod, or of the disk.
fn text_of(place: &Place, workshop: &Workshop) -> Option<String> {
    if !place.module.is_empty() {
        return workshop.sources().get(&place.module)?.get(&place.file).map(ToString::to_string);
    }
    let about = std::fs::metadata(&*place.file).ok()?;
    if !about.is_file() || about.len() > LARGEST {
        return None;
    }
    std::fs::read_to_string(&*place.file).ok()
}

/// The bytes that a place points at: from its column to the end of its word,
/// or its whole line where no column is known.
fn span_of(place: &Place, text: &str) -> Option<(usize, usize)> {
    let line = text.split('\n').nth((place.line as usize).checked_sub(1)?)?;
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let line = line.trim_end();
    let indent = line.len() - line.trim_start().len();
    if place.column == 0 {
        return Some((start + indent, (line.len() - indent).max(1)));
    }
    let column = place.column as usize - 1;
    let from = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let rest = &line[from..];
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let quoted = rest.strip_prefix('"').and_then(|inner| inner.find('"')).map(|end| end + 2);
    let length = quoted.unwrap_or_else(|| rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
    Some((start + from, length.max(1)))
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
        "hint": fault.hint,
    })
}
