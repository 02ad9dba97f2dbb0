//! A page as HTML that reads nothing from anywhere else, with a style for
//! print.

use super::{Grid, Page, Piece, PrintedCell, PrintedClause, Step};
use crate::printable::markup;

const STYLE: &str = include_str!("book.css");

/// The page.
pub fn write(page: &Page) -> String {
    let title = markup(&page.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style></head>\n<body>\n"
    );
    let is_sheet = matches!(page.pieces.as_slice(), [Piece::Sheet { .. }]);
    if !is_sheet {
        out += &format!(
            "<header><h1>{title}</h1>\n<p class=\"rules\">{}</p></header>\n",
            markup(&page.selector)
        );
        out += &contents(&page.pieces);
    }
    pieces(&page.pieces, &mut HeadingNumbers::default(), &mut out);
    out + "</body></html>\n"
}

/// The parts and chapters so far, by which headings are found.
#[derive(Default)]
struct HeadingNumbers(usize);

impl HeadingNumbers {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }
}

fn contents(pieces: &[Piece]) -> String {
    let mut numbers = HeadingNumbers::default();
    let mut lines = String::new();
    for piece in pieces {
        let Piece::Heading { level, text } = piece else {
            continue;
        };
        let number = numbers.next();
        if *level <= 2 {
            lines += &format!(
                "<li class=\"l{level}\"><a href=\"#h{number}\">{}</a></li>\n",
                markup(text)
            );
        }
    }
    format!("<nav><ul>\n{lines}</ul></nav>\n")
}

fn pieces(all: &[Piece], numbers: &mut HeadingNumbers, out: &mut String) {
    for piece in all {
        match piece {
            Piece::Heading { level, text } => {
                let (level, number) = (level + 1, numbers.next());
                *out += &format!("<h{level} id=\"h{number}\">{}</h{level}>\n", markup(text));
            }
            Piece::Words { text } => *out += &format!("<p>{}</p>\n", markup(text)),
            Piece::Clause(one) => clause(one, out),
            Piece::Grid(one) => grid(one, out),
            Piece::Steps { steps } => {
                *out += "<ol class=\"steps\">\n";
                steps.iter().for_each(|one| step(one, out));
                *out += "</ol>\n";
            }
            Piece::Change { what, was, is, by } => {
                change(what, was.as_deref(), is.as_deref(), by, out)
            }
            Piece::Picture { svg, .. } => *out += &format!("<figure>{svg}</figure>\n"),
            Piece::Sheet { pieces: inner } => {
                *out += "<section class=\"sheet\">\n";
                pieces(inner, numbers, out);
                *out += "</section>\n";
            }
        }
    }
}

fn clause(clause: &PrintedClause, out: &mut String) {
    let source = if clause.source.is_empty() {
        String::new()
    } else {
        format!(", {}", markup(&clause.source))
    };
    let id = markup(&clause.id);
    *out += &format!(
        "<p class=\"clause\" id=\"{id}\"><b>{}.</b> {} <small>{id}{source}</small></p>\n",
        markup(&clause.title),
        markup(&clause.text)
    );
    for note in &clause.notes {
        *out += &format!("<p class=\"note\">{}</p>\n", markup(note));
    }
}

fn step(step: &Step, out: &mut String) {
    let how = if step.how.is_empty() {
        String::new()
    } else {
        format!(" <i>{}</i>", markup(&step.how))
    };
    let actions = match step.actions.is_empty() {
        true => String::new(),
        false => format!("<br><span>{}</span>", markup(&step.actions.join("; "))),
    };
    *out += &format!(
        "<li class=\"d{}\">{}{how}{actions}</li>\n",
        step.depth.min(6),
        markup(&step.title)
    );
}

fn change(what: &str, was: Option<&str>, is: Option<&str>, by: &[String], out: &mut String) {
    let was = was.map_or_else(String::new, |was| format!(" <del>{}</del>", markup(was)));
    let is = is.map_or_else(String::new, |is| format!(" <ins>{}</ins>", markup(is)));
    let by = if by.is_empty() {
        String::new()
    } else {
        format!(" <small>{}</small>", markup(&by.join(", ")))
    };
    *out += &format!(
        "<p class=\"change\"><b>{}</b>{was}{is}{by}</p>\n",
        markup(what)
    );
}

fn grid(grid: &Grid, out: &mut String) {
    let source = if grid.source.is_empty() {
        String::new()
    } else {
        format!(", {}", markup(&grid.source))
    };
    let id = if grid.id.is_empty() {
        String::new()
    } else {
        format!(" <small>{}{source}</small>", markup(&grid.id))
    };
    *out += &format!(
        "<figure><figcaption>{}{id}</figcaption>\n<table><thead><tr>",
        markup(&grid.title)
    );
    for text in &grid.head {
        *out += &format!("<th>{}</th>", markup(text));
    }
    *out += "</tr></thead>\n<tbody>\n";
    for row in &grid.rows {
        *out += "<tr>";
        for (place, cell) in row.iter().enumerate() {
            *out += &cell_text(cell, place < grid.keys);
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table>\n";
    for (note, number) in grid.notes.iter().zip(1..) {
        *out += &format!(
            "<p class=\"note\"><sup>{number}</sup> {}</p>\n",
            markup(note)
        );
    }
    *out += "</figure>\n";
}

fn cell_text(cell: &PrintedCell, is_key: bool) -> String {
    let word = if is_key { "th" } else { "td" };
    let note = cell
        .note
        .map_or_else(String::new, |number| format!("<sup>{number}</sup>"));
    format!("<{word}>{}{note}</{word}>", markup(&cell.text))
}
