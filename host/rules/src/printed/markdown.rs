//! A page as Markdown.

use super::{Grid, Page, Piece, PrintedCell, PrintedClause, Step};
use crate::printable;

/// The page.
pub fn write(page: &Page) -> String {
    let mut out = format!("# {}\n\n`{}`\n", plain(&page.title), page.selector);
    pieces(&page.pieces, 0, &mut out);
    out
}

fn pieces(all: &[Piece], deeper: usize, out: &mut String) {
    for piece in all {
        match piece {
            Piece::Heading { level, text } => {
                let marks = "#".repeat(usize::from(*level) + 1 + deeper);
                *out += &format!("\n{marks} {}\n\n", plain(text));
            }
            Piece::Words { text } => *out += &format!("{}\n\n", plain(text)),
            Piece::Clause(one) => clause(one, out),
            Piece::Grid(one) => grid(one, out),
            Piece::Steps { steps } => steps.iter().for_each(|one| step(one, out)),
            Piece::Change { what, was, is, by } => {
                let was = was
                    .as_ref()
                    .map_or_else(String::new, |was| format!(" ~~{}~~", plain(was)));
                let is = is
                    .as_ref()
                    .map_or_else(String::new, |is| format!(" {}", plain(is)));
                let by = if by.is_empty() {
                    String::new()
                } else {
                    format!(" *({})*", plain(&by.join(", ")))
                };
                *out += &format!("- **{}**:{was}{is}{by}\n", plain(what));
            }
            Piece::Picture { svg, text } => {
                *out += &format!(
                    "\n![{}](data:image/svg+xml,{})\n\n",
                    plain(text),
                    percent(svg)
                );
            }
            Piece::Sheet { pieces: inner } => pieces(inner, 0, out),
        }
    }
}

fn clause(clause: &PrintedClause, out: &mut String) {
    let source = if clause.source.is_empty() {
        String::new()
    } else {
        format!(", {}", plain(&clause.source))
    };
    let (title, text) = (plain(&clause.title), plain(&clause.text));
    *out += &format!("- **{title}.** {text} *({}{source})*\n", plain(&clause.id));
    for note in &clause.notes {
        *out += &format!("  - {}\n", plain(note));
    }
}

fn step(step: &Step, out: &mut String) {
    let how = if step.how.is_empty() {
        String::new()
    } else {
        format!(" ({})", plain(&step.how))
    };
    let actions: Vec<String> = step.actions.iter().map(|action| plain(action)).collect();
    let actions = if actions.is_empty() {
        String::new()
    } else {
        format!(": {}", actions.join("; "))
    };
    *out += &format!(
        "{}- {}{how}{actions}\n",
        "  ".repeat(step.depth),
        plain(&step.title)
    );
}

fn grid(grid: &Grid, out: &mut String) {
    let source = if grid.source.is_empty() {
        String::new()
    } else {
        format!(", {}", plain(&grid.source))
    };
    let id = if grid.id.is_empty() {
        String::new()
    } else {
        format!(" *({}{source})*", plain(&grid.id))
    };
    *out += &format!("\n**{}**{id}\n\n", plain(&grid.title));
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    *out += &row(grid.head.iter().map(|text| plain(text)).collect());
    *out += &row(vec!["---".to_string(); grid.head.len()]);
    let text = |cell: &PrintedCell| match cell.note {
        Some(number) => format!("{} \\[{number}\\]", plain(&cell.text)),
        None => plain(&cell.text),
    };
    for cells in &grid.rows {
        *out += &row(cells.iter().map(text).collect());
    }
    for (note, number) in grid.notes.iter().zip(1..) {
        *out += &format!("\n\\[{number}\\] {}\n", plain(note));
    }
    out.push('\n');
}

/// A text inside an address.
pub fn percent(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Text as a page of Markdown may hold it.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in printable::line(text).chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|'
        ) {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}
