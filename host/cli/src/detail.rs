//! How much of a game is told, and on what page.

use std::io;

use clap::{Args, ValueEnum};
use houserule::kernel::brief::Depth;
use houserule::printable::markup;
use houserule::printed::markdown::{percent, plain};
use houserule::report::{LineKind, ReportLine};

use crate::failure::Failure;
use crate::globals::Format;
use crate::ui::Ui;

/// How much a report tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Much {
    /// What became of each turn, and who did how much at the end
    Story,
    /// A line for each volley, move and test
    Volley,
    /// Every roll
    Full,
}

/// How much of a game is told.
#[derive(Args, Clone, Copy)]
pub struct DetailArgs {
    /// How much the report tells
    #[arg(long, value_name = "DEPTH")]
    detail: Option<Much>,
    /// Say which rule caused each line, and with which draws; tells everything
    #[arg(long = "rules", conflicts_with = "detail")]
    causes: bool,
}

impl DetailArgs {
    /// The depth, where one that was not chosen is this.
    ///
    /// # Errors
    /// When a page for a story should tell more than a story.
    pub fn depth(self, usual: Depth, format: Format) -> Result<Depth, Failure> {
        if is_page(format) {
            return match (self.detail, self.causes) {
                (None | Some(Much::Story), false) => Ok(Depth::Story),
                _ => Err(Failure::Usage(
                    "`--format md` and `--format html` tell the story of a game".into(),
                )),
            };
        }
        Ok(match self.detail {
            // Rules stand beside what they caused, line by line.
            None if self.causes => Depth::Full,
            None => usual,
            Some(Much::Story) => Depth::Story,
            Some(Much::Volley) => Depth::Volley,
            Some(Much::Full) => Depth::Full,
        })
    }

    /// Whether a report of some depth is asked for.
    pub fn is_asked(self) -> bool {
        self.causes || self.detail.is_some()
    }

    /// Whether the rule behind each line is told.
    pub fn causes(self) -> bool {
        self.causes
    }
}

/// Whether a format is a page to read, with headings and maps.
pub fn is_page(format: Format) -> bool {
    matches!(format, Format::Md | Format::Html)
}

/// Opens a page.
///
/// # Errors
/// When nobody reads it.
pub fn open(title: &str, ui: &mut Ui) -> io::Result<()> {
    if ui.format == Format::Html {
        let title = markup(title);
        ui.line("<!doctype html>")?;
        ui.line(format!(
            "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>"
        ))?;
        ui.line(
            "<style>body{font:16px/1.5 serif;max-width:52rem;margin:2rem auto;padding:0 1rem}",
        )?;
        ui.line(
            "p{margin:.2rem 0}pre{font-size:14px}svg{width:100%;height:auto}</style></head><body>",
        )?;
    }
    Ok(())
}

/// Closes it.
///
/// # Errors
/// When nobody reads it.
pub fn close(ui: &mut Ui) -> io::Result<()> {
    if ui.format == Format::Html {
        ui.line("</body></html>")
    } else {
        Ok(())
    }
}

/// Puts a line of a report on a page.
///
/// # Errors
/// When nobody reads it.
pub fn line(line: &ReportLine, ui: &mut Ui) -> io::Result<()> {
    let heading = line.heading.as_deref().map(str::trim).unwrap_or_default();
    let is_html = ui.format == Format::Html;
    let escaped = |text: &str| if is_html { markup(text) } else { plain(text) };
    let (heading, text) = (escaped(heading), escaped(&line.text));
    match (line.sort, is_html) {
        (LineKind::Blank, _) => ui.line(""),
        (LineKind::Section, true) => ui.line(format!("<h2>{text}</h2>")),
        (LineKind::Section, false) => ui.line(format!("## {text}\n")),
        (_, true) if heading.is_empty() => ui.line(format!("<p>{text}</p>")),
        (_, false) if heading.is_empty() => ui.line(format!("- {text}")),
        (_, true) => ui.line(format!("<p><b>{heading}</b> {text}</p>")),
        (_, false) => ui.line(format!("- **{heading}** {text}")),
    }
}

/// Puts a table of fixed width on a page.
///
/// # Errors
/// When nobody reads it.
pub fn table(lines: &[ReportLine], ui: &mut Ui) -> io::Result<()> {
    let (open, close) = if ui.format == Format::Html {
        ("<pre>", "</pre>")
    } else {
        ("```text", "```")
    };
    ui.line(open)?;
    for line in lines {
        let text = line.plain(0);
        let text = if ui.format == Format::Html {
            markup(&text)
        } else {
            text
        };
        ui.line(text)?;
    }
    ui.line(close)
}

/// Puts a map on a page, whole: nothing is read from anywhere else.
///
/// # Errors
/// When nobody reads it.
pub fn map(svg: &str, ui: &mut Ui) -> io::Result<()> {
    if ui.format == Format::Html {
        return ui.page(svg);
    }
    ui.line("")?;
    ui.page(&format!(
        "![The table](data:image/svg+xml,{})",
        percent(svg)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rules_wrote_cannot_leave_the_text() {
        assert_eq!(
            markup("<script>\"a\" & b"),
            "&lt;script&gt;&quot;a&quot; &amp; b"
        );
        assert_eq!(plain("a_b [c](d) <e>"), "a\\_b \\[c\\](d) \\<e\\>");
        assert_eq!(percent("<svg a=\"1\"/>"), "%3Csvg%20a%3D%221%22%2F%3E");
    }
}
