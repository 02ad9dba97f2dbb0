//! The chart as SVG.

use std::fmt::Write as _;

use super::labels::{TakenSpace, TextAnchor};
use super::{Caption, Chart, ChartArea, ChartPiece, ChartShape, floats, measure};
use crate::printable::markup;

/// The picture is so many units wide.
const WIDTH: f64 = 1000.0;
/// What surrounds the table.
const MARGIN: f64 = 20.0;
/// How far the middle of a piece is from its edge.
const PIECE: f64 = 7.0;
/// The height of names.
const FONT: f64 = 10.0;
/// A row of the legend.
const ROW: f64 = 18.0;
/// What a sort of ground, or a side, takes of a row.
const COLUMN: f64 = 200.0;

/// A colour for each side, with the name of a side that must have it; others
/// are grey.
const SIDES: [(&str, &str); 6] = [
    ("blue", "#1f5fbf"),
    ("red", "#c0392b"),
    ("green", "#2e8b57"),
    ("purple", "#8e44ad"),
    ("orange", "#d68910"),
    ("teal", "#16807a"),
];
/// What nobody owns.
const NOBODY: &str = "#666";
/// A colour and dashes for each range around a piece.
const RINGS: [(&str, &str); 6] = [
    ("#333333", "none"),
    ("#7a3e9d", "8 4"),
    ("#b03a2e", "2 3"),
    ("#1a6f8a", "12 4 2 4"),
    ("#8a6d1a", "5 5"),
    ("#3d7a3d", "1 5"),
];

pub(super) fn draw(chart: &Chart) -> String {
    let scale = WIDTH / chart.width.um().max(1) as f64;
    let page = Projection {
        scale,
        depth: chart.depth.um() as f64,
        sides: colours(&chart.sides),
    };
    let height = page.depth * scale;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0} {:.0} {:.0} {:.0}\" font-family=\"sans-serif\">",
        -MARGIN,
        -MARGIN,
        WIDTH + 2.0 * MARGIN,
        height + 2.0 * MARGIN + legend_height(chart)
    );
    let _ = writeln!(
        svg,
        "<rect width=\"{WIDTH:.0}\" height=\"{height:.1}\" fill=\"#eef2e2\" stroke=\"#555\"/>"
    );
    for hex in &chart.hexes {
        let points = page.points(&hex.corners);
        let _ = writeln!(
            svg,
            "<polygon points=\"{points}\" fill=\"none\" stroke=\"#bbb\"/>"
        );
    }
    for (sort, area) in chart.by_level() {
        page.area(area, chart.looks[sort].colour, &mut svg);
    }
    page.numbers(chart, &mut svg);
    let mut labels = TakenSpace::on(WIDTH, height);
    page.keep_pieces_free(chart, &mut labels);
    for caption in &chart.captions {
        page.caption(caption, &mut svg);
    }
    if let Some(chosen) = chart.chosen.and_then(|chosen| chart.pieces.get(chosen)) {
        let _ = writeln!(
            svg,
            "<clipPath id=\"houserule-table\"><rect width=\"{WIDTH:.0}\" height=\"{height:.1}\"/></clipPath><g clip-path=\"url(#houserule-table)\">"
        );
        page.rings(chart, chosen, &mut labels, &mut svg);
        svg.push_str("</g>\n");
    }
    page.area_names(chart, &mut labels, &mut svg);
    page.pieces(chart, &mut labels, &mut svg);
    legend(chart, height, scale, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// What the legend shows: colours with their words.
fn entries(chart: &Chart) -> Vec<(&str, &str, bool)> {
    let sides = colours(&chart.sides)
        .into_iter()
        .zip(&chart.sides)
        .map(|(colour, side)| (colour, &**side, true));
    let ground = chart
        .sorts
        .iter()
        .zip(&chart.looks)
        .map(|(sort, look)| (look.colour, &**sort, false));
    sides.chain(ground).collect()
}

fn columns() -> usize {
    (WIDTH / COLUMN) as usize
}

fn legend_height(chart: &Chart) -> f64 {
    // The scale has a row of its own.
    (entries(chart).len().div_ceil(columns()) + 1) as f64 * ROW + 10.0
}

/// Sides, sorts of ground and the scale, under the table.
fn legend(chart: &Chart, height: f64, scale: f64, svg: &mut String) {
    let (unit, step, word) = if chart.is_metric {
        (10_000.0, 20, "cm")
    } else {
        (25_400.0, 6, "in")
    };
    let (left, top) = (0.0, height + 18.0);
    let length = unit * f64::from(step) * scale;
    let _ = writeln!(
        svg,
        "<path d=\"M {left} {:.1} v 6 h {length:.1} v -6\" fill=\"none\" stroke=\"#333\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{step} {word}</text>",
        top - 6.0,
        left + length + 6.0,
        top
    );
    for (place, (colour, words, is_side)) in entries(chart).into_iter().enumerate() {
        let x = (place % columns()) as f64 * COLUMN;
        let y = top + ROW * (1 + place / columns()) as f64;
        let mark = match is_side {
            true => {
                format!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"6\" fill=\"{colour}\"/>",
                    x + 7.0,
                    y - 4.0
                )
            }
            false => format!(
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"14\" height=\"11\" fill=\"{colour}\" stroke=\"#777\"/>",
                y - 10.0
            ),
        };
        let _ = writeln!(
            svg,
            "{mark}<text x=\"{:.1}\" y=\"{y:.1}\" font-size=\"11\">{}</text>",
            x + 20.0,
            markup(words)
        );
    }
}

/// The colours of sides: a side that is called by a colour has it, all others
/// take what is left, in their order.
fn colours<S: AsRef<str>>(sides: &[S]) -> Vec<&'static str> {
    let own = |side: &S| {
        SIDES
            .iter()
            .find(|(name, _)| *name == side.as_ref())
            .map(|(_, colour)| *colour)
    };
    let taken: Vec<&str> = sides.iter().filter_map(own).collect();
    let mut free = SIDES
        .iter()
        .map(|(_, colour)| *colour)
        .filter(|colour| !taken.contains(colour));
    sides
        .iter()
        .map(|side| own(side).or_else(|| free.next()).unwrap_or(NOBODY))
        .collect()
}

/// From the table to the picture: the near edge is at the bottom.
struct Projection {
    scale: f64,
    depth: f64,
    sides: Vec<&'static str>,
}

impl Projection {
    fn at(&self, point: kernel::geometry::Point) -> (f64, f64) {
        let (x, y) = floats(point);
        (x * self.scale, (self.depth - y) * self.scale)
    }

    fn colour_of(&self, piece: &ChartPiece) -> &'static str {
        piece
            .side
            .and_then(|side| self.sides.get(side))
            .copied()
            .unwrap_or(NOBODY)
    }

    fn points(&self, points: &[kernel::geometry::Point]) -> String {
        let pairs = points.iter().map(|point| {
            let (x, y) = self.at(*point);
            format!("{x:.1},{y:.1}")
        });
        pairs.collect::<Vec<_>>().join(" ")
    }

    fn area(&self, area: &ChartArea, colour: &str, svg: &mut String) {
        let title = format!(
            "<title>{} ({})</title>",
            markup(&area.label),
            markup(&area.sort)
        );
        let _ = match &area.shape {
            ChartShape::Polygon(corners) => writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.8\" stroke=\"#777\">{title}</polygon>",
                self.points(corners)
            ),
            ChartShape::Disc(centre, radius) => {
                let ((x, y), r) = (self.at(*centre), radius.um() as f64 * self.scale);
                writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{colour}\" fill-opacity=\"0.8\" stroke=\"#777\">{title}</circle>"
                )
            }
            ChartShape::Band(line, half_width) => writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.1}\" stroke-linecap=\"butt\" stroke-linejoin=\"round\">{title}</polyline>",
                self.points(line),
                (2.0 * half_width.um() as f64 * self.scale).max(3.0)
            ),
        };
    }

    /// The names of areas that pieces are in.
    fn area_names(&self, chart: &Chart, labels: &mut TakenSpace, svg: &mut String) {
        for area in &chart.areas {
            let Some((x, y)) = area.name_at() else {
                continue;
            };
            let at = (x * self.scale, (self.depth - y) * self.scale);
            if let Some(found) = labels.place(at, 0.0, &area.label, FONT) {
                text(svg, found, "#444", " font-weight=\"bold\"", &area.label);
            }
        }
    }

    /// The number of each hex, at its near edge: column, then row.
    fn numbers(&self, chart: &Chart, svg: &mut String) {
        let inch = f64::from(25_400) * self.scale;
        for hex in &chart.hexes {
            let (x, y) = self.at(hex.centre);
            let (down, size) = (y + 0.45 * inch, 0.13 * inch);
            let (column, row) = (hex.column, hex.row);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{down:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\" fill=\"#777\">{column:02}{row:02}</text>"
            );
        }
    }

    /// What is in a hex, at its far edge.
    fn caption(&self, caption: &Caption, svg: &mut String) {
        let (x, y) = self.at(caption.at);
        let up = 0.35 * f64::from(25_400) * self.scale;
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
            y - up,
            markup(&caption.text)
        );
    }

    fn rings(&self, chart: &Chart, piece: &ChartPiece, labels: &mut TakenSpace, svg: &mut String) {
        let (x, y) = self.at(piece.at);
        let word = if chart.is_metric { "cm" } else { "in" };
        for (place, ring) in chart.rings.iter().enumerate() {
            let r = ring.radius.um() as f64 * self.scale;
            let (colour, dashes) = RINGS[place % RINGS.len()];
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{dashes}\"/>"
            );
            let label = format!(
                "{} {} {word}",
                ring.title,
                measure(ring.radius, chart.is_metric)
            );
            // Around the ring from its top, until there is room on the table.
            let found = (0..24).find_map(|turn| {
                let angle = f64::from(turn) * std::f64::consts::TAU / 24.0;
                labels.place(
                    (x + r * angle.sin(), y - r * angle.cos()),
                    1.0,
                    &label,
                    FONT,
                )
            });
            if let Some(found) = found {
                text(svg, found, colour, "", &label);
            }
        }
    }

    /// Keeps names off the pieces.
    fn keep_pieces_free(&self, chart: &Chart, labels: &mut TakenSpace) {
        for piece in chart.pieces.iter().filter(|piece| !piece.is_group) {
            let (x, y) = self.at(piece.at);
            labels.keep_free((x, y), PIECE);
            if let Some(facing) = piece.facing.filter(|_| !piece.is_wreck) {
                // Where it looks is as much of it as where it stands.
                let angle = (f64::from(facing.minutes()) / 60.0).to_radians();
                labels.keep_free(
                    (
                        x + (PIECE + 4.0) * angle.sin(),
                        y - (PIECE + 4.0) * angle.cos(),
                    ),
                    4.0,
                );
            }
        }
    }

    /// All pieces, then their names over them.
    fn pieces(&self, chart: &Chart, labels: &mut TakenSpace, svg: &mut String) {
        // Wrecks lie under those who still fight, and their names come last.
        let mut order: Vec<usize> = (0..chart.pieces.len()).collect();
        order.sort_by_key(|place| !chart.pieces[*place].is_wreck);
        for place in &order {
            self.piece(&chart.pieces[*place], chart.chosen == Some(*place), svg);
        }
        order.reverse();
        for place in order {
            self.name(&chart.pieces[place], labels, svg);
        }
    }

    fn piece(&self, piece: &ChartPiece, is_chosen: bool, svg: &mut String) {
        if piece.is_group {
            return;
        }
        let (x, y) = self.at(piece.at);
        let colour = self.colour_of(piece);
        let edge = if is_chosen {
            "#000\" stroke-width=\"3"
        } else {
            "#fff"
        };
        let words = [
            &[piece.label.clone(), piece.title.clone()][..],
            &piece.state,
        ]
        .concat()
        .join(", ");
        let _ = writeln!(svg, "<g><title>{}</title>", markup(&words));
        if piece.is_wreck {
            let _ = writeln!(
                svg,
                "<path d=\"M -5 -5 L 5 5 M -5 5 L 5 -5\" transform=\"translate({x:.1} {y:.1})\" stroke=\"{colour}\" stroke-width=\"3\" stroke-opacity=\"0.7\"/></g>"
            );
            return;
        }
        if piece.is_marker {
            let _ = writeln!(
                svg,
                "<path d=\"M 0 -8 L 8 0 L 0 8 L -8 0 Z\" transform=\"translate({x:.1} {y:.1})\" fill=\"{colour}\" fill-opacity=\"0.7\" stroke=\"#222\"/></g>"
            );
            return;
        }
        if let Some(facing) = piece.facing {
            let angle = f64::from(facing.minutes()) / 60.0;
            let _ = writeln!(
                svg,
                "<path d=\"M 0 {:.1} L 5 {:.1} L -5 {:.1} Z\" transform=\"translate({x:.1} {y:.1}) rotate({angle:.2})\" fill=\"{colour}\"/>",
                -PIECE - 8.0,
                -PIECE + 1.0,
                -PIECE + 1.0
            );
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{PIECE}\" fill=\"{colour}\" stroke=\"{edge}\"/></g>"
        );
    }

    /// The name of a piece beside it, with what became of it if there is room.
    fn name(&self, piece: &ChartPiece, labels: &mut TakenSpace, svg: &mut String) {
        let at = self.at(piece.at);
        if piece.is_group {
            // Its pieces lie there: only its name is written among them.
            if let Some(found) = labels.place(at, 0.0, &piece.label, FONT) {
                text(
                    svg,
                    found,
                    self.colour_of(piece),
                    " font-style=\"italic\"",
                    &piece.label,
                );
            }
            return;
        }
        let label = piece.caption.as_ref().unwrap_or(&piece.label);
        if let Some(found) = labels.place(at, PIECE, label, FONT) {
            let colour = if piece.is_wreck { "#777" } else { "#111" };
            if !found.is_near {
                lead(svg, at, found);
            }
            text(svg, found, colour, "", label);
        }
        // Where there are hexes there is no room for more, but under the pointer.
        let state = if piece.hex.is_some() {
            String::new()
        } else {
            piece.state.join(", ")
        };
        if state.is_empty() || piece.is_wreck {
            return;
        }
        if let Some(found) = labels.place_near(at, PIECE, &state, FONT) {
            text(svg, found, "#a00", "", &state);
        }
    }
}

/// A line from a piece to its name, where that had no room beside it.
fn lead(svg: &mut String, (x, y): (f64, f64), name: TextAnchor) {
    // To the edge of the name that is turned to the piece.
    let edge = if name.y > y {
        name.y - 0.8 * FONT
    } else {
        name.y + 0.25 * FONT
    };
    let _ = writeln!(
        svg,
        "<path d=\"M {x:.1} {y:.1} L {:.1} {edge:.1}\" stroke=\"#777\" stroke-width=\"0.8\"/>",
        name.x
    );
}

fn text(
    svg: &mut String,
    TextAnchor { x, y, .. }: TextAnchor,
    colour: &str,
    style: &str,
    words: &str,
) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{FONT}\" text-anchor=\"middle\" fill=\"{colour}\" stroke=\"#eef2e2\" stroke-width=\"2.5\" paint-order=\"stroke\"{style}>{}</text>",
        markup(words)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_that_is_called_by_a_colour_has_it() {
        assert_eq!(colours(&["red", "blue"]), ["#c0392b", "#1f5fbf"]);
        assert_eq!(
            colours(&["orks", "blue", "elves"]),
            ["#c0392b", "#1f5fbf", "#2e8b57"]
        );
        assert_eq!(colours(&["a"; 8])[6..], [NOBODY, NOBODY]);
    }
}
