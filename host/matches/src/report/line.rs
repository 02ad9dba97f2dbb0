//! Lines of a report, and how they are laid out in columns.

use std::fmt;

use rules::printable;

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// Nothing.
    Blank,
    /// The heading of a turn or phase.
    Section,
    /// What a side does.
    Action,
    /// What came of it.
    Fact,
}

/// A line of a report, in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportLine {
    /// What it is.
    pub sort: LineKind,
    /// How far it is set in, in steps.
    pub indent: u8,
    /// What it is about, in a word: the first column.
    pub heading: Option<String>,
    /// What it says: the second column.
    pub text: String,
    /// The rule or clause that caused it.
    pub cause: Option<String>,
    /// The first and last draw that it used.
    pub draws: Option<(u32, u32)>,
}

/// What a piece of a row is, for whoever colours it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Space between the others.
    Space,
    /// The first column.
    Heading,
    /// The text.
    Text,
    /// The rule or clause.
    Cause,
    /// The draws.
    Draws,
}

/// A row of the screen: its pieces, left to right.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScreenRow {
    /// Each piece, and what it is.
    pub pieces: Vec<(Part, String)>,
}

const STEP: usize = 2;
const HEADING_WIDTH: usize = 10;
const DRAWS_WIDTH: usize = 11;
/// No part of a line has more letters.
const LONGEST: usize = 4_000;
/// Text is never squeezed into less than this.
const LEAST_TEXT: usize = 24;

impl ReportLine {
    pub(super) fn blank() -> ReportLine {
        ReportLine {
            sort: LineKind::Blank,
            indent: 0,
            heading: None,
            text: String::new(),
            cause: None,
            draws: None,
        }
    }

    /// A heading.
    pub fn section(text: String) -> ReportLine {
        ReportLine {
            sort: LineKind::Section,
            text: shown(&text),
            ..ReportLine::blank()
        }
    }

    pub(super) fn action(text: String) -> ReportLine {
        ReportLine {
            sort: LineKind::Action,
            indent: 1,
            text: shown(&text),
            ..ReportLine::blank()
        }
    }

    /// What there is to say about something.
    pub fn fact(indent: u8, heading: String, text: String) -> ReportLine {
        let heading = Some(shown(&heading));
        ReportLine {
            sort: LineKind::Fact,
            indent,
            heading,
            text: shown(&text),
            ..ReportLine::blank()
        }
    }

    /// The line as one text of rows, without colours or a last line break.
    pub fn plain(&self, width: usize) -> String {
        self.rows(width)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The line in rows of at most `width` columns, if words allow it: the
    /// text wrapped under itself, the cause at the right of its last row.
    /// Width 0 is without end.
    pub fn rows(&self, width: usize) -> Vec<ScreenRow> {
        let first = self.left();
        let left = first.width();
        let right = self.right(width == 0);
        let right_width = if right.is_empty() {
            0
        } else {
            right.width() + STEP
        };
        let is_short = width == 0 || left + printable::width(&self.text) + right_width <= width;
        let room = if is_short {
            usize::MAX
        } else {
            width.saturating_sub(left).max(LEAST_TEXT)
        };
        let mut rows: Vec<ScreenRow> = Vec::new();
        for text in printable::wrapped(&self.text, room) {
            let mut row = if rows.is_empty() {
                first.clone()
            } else {
                ScreenRow::space(left)
            };
            row.push(Part::Text, text);
            rows.push(row);
        }
        if !right.is_empty() {
            match rows.last_mut() {
                Some(last) if width == 0 => last.join(3, right),
                Some(last) if last.width() + right_width <= width => {
                    last.join(width - last.width() - right.width(), right);
                }
                _ => {
                    let mut row = ScreenRow::default();
                    row.join(width.saturating_sub(right.width()), right);
                    rows.push(row);
                }
            }
        }
        rows.iter_mut().for_each(ScreenRow::trim);
        rows
    }

    /// The space before a line, and its heading.
    fn left(&self) -> ScreenRow {
        let mut row = ScreenRow::space(usize::from(self.indent) * STEP);
        if let Some(heading) = &self.heading {
            row.push(Part::Heading, heading.clone());
            row.push(
                Part::Space,
                " ".repeat(
                    HEADING_WIDTH
                        .saturating_sub(printable::width(heading))
                        .max(1),
                ),
            );
        }
        row
    }

    /// The cause and the draws, which have a column of their own.
    fn right(&self, is_endless: bool) -> ScreenRow {
        let mut row = ScreenRow::default();
        let draws = match self.draws {
            None => String::new(),
            Some((first, last)) if first == last => format!("draw {first}"),
            Some((first, last)) => format!("draws {first}-{last}"),
        };
        if self.cause.is_none() && draws.is_empty() {
            return row;
        }
        row.push(
            Part::Cause,
            shown(self.cause.as_deref().unwrap_or_default()),
        );
        row.push(Part::Space, " ".repeat(STEP));
        let fill = if is_endless {
            0
        } else {
            DRAWS_WIDTH.saturating_sub(draws.len())
        };
        row.push(Part::Draws, draws);
        row.push(Part::Space, " ".repeat(fill));
        row
    }
}

impl ScreenRow {
    fn space(width: usize) -> ScreenRow {
        let mut row = ScreenRow::default();
        row.push(Part::Space, " ".repeat(width));
        row
    }

    fn push(&mut self, part: Part, text: String) {
        if !text.is_empty() {
            self.pieces.push((part, text));
        }
    }

    fn join(&mut self, gap: usize, right: ScreenRow) {
        self.push(Part::Space, " ".repeat(gap));
        self.pieces.extend(right.pieces);
    }

    fn trim(&mut self) {
        while self
            .pieces
            .last()
            .is_some_and(|(part, _)| *part == Part::Space)
        {
            self.pieces.pop();
        }
    }

    fn width(&self) -> usize {
        let pieces = self.pieces.iter();
        pieces.map(|(_, text)| printable::width(text)).sum()
    }

    fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

impl fmt::Display for ScreenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces
            .iter()
            .try_for_each(|(_, text)| f.write_str(text))
    }
}

/// What rules, scenarios and players wrote, as a report may hold it.
pub(super) fn shown(text: &str) -> String {
    printable::clipped(&printable::line(text), LONGEST).into_owned()
}
