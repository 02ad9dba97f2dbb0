//! The chart as SVG.

use std::fmt::Write as _;

use super::{Area, Caption, Chart, Piece, Shape, floats, measure};
use crate::printable::markup;

/// The picture is so many units wide.
const WIDTH: f64 = 1000.0;
/// What surrounds the table.
const MARGIN: f64 = 20.0;
/// How far the middle of a piece is from its edge.
const PIECE: f64 = 7.0;

/// A colour for each side; others are grey.
const SIDES: [&str; 6] = ["#1f5fbf", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16807a"];
/// A colour for each sort of ground.
const GROUND: [&str; 8] =
    ["#a9c99a", "#6f9c63", "#d8c9a3", "#c4b7a6", "#b9c7d6", "#e0b8a8", "#cfd3a0", "#b7a9c9"];

pub(super) fn draw(chart: &Chart) -> String {
    let scale = WIDTH / chart.width.um().max(1) as f64;
    let page = Page { scale, depth: chart.depth.um() as f64 };
    let height = page.depth * scale;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0} {:.0} {:.0} {:.0}\" font-family=\"sans-serif\">",
        -MARGIN,
        -MARGIN,
        WIDTH + 2.0 * MARGIN,
        height + 2.0 * MARGIN
    );
    let _ =
        writeln!(svg, "<rect width=\"{WIDTH:.0}\" height=\"{height:.1}\" fill=\"#eef2e2\" stroke=\"#555\"/>");
    for outline in &chart.outlines {
        let points = page.points(outline);
        let _ = writeln!(svg, "<polygon points=\"{points}\" fill=\"none\" stroke=\"#bbb\"/>");
    }
    let mut sorts: Vec<&str> = Vec::new();
    for area in &chart.areas {
        let place = sorts.iter().position(|sort| *sort == area.sort).unwrap_or_else(|| {
            sorts.push(&area.sort);
            sorts.len() - 1
        });
        page.area(area, GROUND[place % GROUND.len()], &mut svg);
    }
    for caption in &chart.captions {
        page.caption(caption, &mut svg);
    }
    if let Some(chosen) = chart.chosen.and_then(|chosen| chart.pieces.get(chosen)) {
        page.rings(chart, chosen, &mut svg);
    }
    for (place, piece) in chart.pieces.iter().enumerate() {
        page.piece(piece, chart.chosen == Some(place), &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// From the table to the picture: the near edge is at the bottom.
struct Page {
    scale: f64,
    depth: f64,
}

impl Page {
    fn at(&self, point: kernel::geometry::Point) -> (f64, f64) {
        let (x, y) = floats(point);
        (x * self.scale, (self.depth - y) * self.scale)
    }

    fn points(&self, points: &[kernel::geometry::Point]) -> String {
        let pairs = points.iter().map(|point| {
            let (x, y) = self.at(*point);
            format!("{x:.1},{y:.1}")
        });
        pairs.collect::<Vec<_>>().join(" ")
    }

    fn area(&self, area: &Area, colour: &str, svg: &mut String) {
        let title = format!("<title>{} ({})</title>", markup(&area.label), markup(&area.sort));
        let _ = match &area.shape {
            Shape::Polygon(corners) => writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.8\" stroke=\"#777\">{title}</polygon>",
                self.points(corners)
            ),
            Shape::Disc(centre, radius) => {
                let ((x, y), r) = (self.at(*centre), radius.um() as f64 * self.scale);
                writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{colour}\" fill-opacity=\"0.8\" stroke=\"#777\">{title}</circle>"
                )
            }
            Shape::Band(line, half_width) => writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.1}\" stroke-linecap=\"round\">{title}</polyline>",
                self.points(line),
                (2.0 * half_width.um() as f64 * self.scale).max(2.0)
            ),
        };
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

    fn rings(&self, chart: &Chart, piece: &Piece, svg: &mut String) {
        let (x, y) = self.at(piece.at);
        let word = if chart.is_metric { "cm" } else { "in" };
        for ring in &chart.rings {
            let r = ring.radius.um() as f64 * self.scale;
            let label = format!("{} {} {word}", ring.title, measure(ring.radius, chart.is_metric));
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"none\" stroke=\"#444\" stroke-dasharray=\"6 4\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
                y - r - 3.0,
                markup(&label)
            );
        }
    }

    fn piece(&self, piece: &Piece, is_chosen: bool, svg: &mut String) {
        let (x, y) = self.at(piece.at);
        let colour = piece.side.map_or("#666", |side| SIDES[side % SIDES.len()]);
        let edge = if is_chosen { "#000\" stroke-width=\"3" } else { "#fff" };
        let words = [&[piece.label.clone()][..], &piece.state].concat().join(", ");
        let _ = writeln!(svg, "<g><title>{}</title>", markup(&words));
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
        if piece.is_group {
            // Its pieces lie there: only its name is written among them.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\" font-style=\"italic\" text-anchor=\"middle\" fill=\"{colour}\">{}</text></g>",
                markup(&piece.label)
            );
            return;
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{PIECE}\" fill=\"{colour}\" stroke=\"{edge}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" text-anchor=\"middle\">{}</text>",
            y + PIECE + 9.0,
            markup(&piece.label)
        );
        // Where there are hexes there is no room for more, but under the pointer.
        if !piece.state.is_empty() && piece.hex.is_none() {
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"7\" text-anchor=\"middle\" fill=\"#a00\">{}</text>",
                y + PIECE + 17.0,
                markup(&piece.state.join(", "))
            );
        }
        svg.push_str("</g>\n");
    }
}
