//! The chart in letters.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::geometry::Direction;

use super::{Chart, ChartPiece, HexCell, floats, measure};

/// A letter is about twice as high as it is wide.
const STRETCH: f64 = 2.0;

/// Narrower maps tell nothing.
const LEAST: usize = 24;

pub(super) fn draw(chart: &Chart, columns: usize) -> String {
    let columns = columns.saturating_sub(6).max(LEAST);
    let cell = (chart.width.um().max(1) as f64) / columns as f64;
    let rows = ((chart.depth.um().max(1) as f64) / (cell * STRETCH))
        .ceil()
        .max(1.0) as usize;
    let mut grid = CharGrid {
        cell,
        columns,
        rows,
        letters: vec![vec![' '; columns]; rows],
    };
    dot_hexes(chart, &mut grid);
    fill_areas(chart, &mut grid);
    name_areas(chart, &mut grid);
    let rings = ring_cells(chart, &mut grid);
    let marks = mark_pieces(chart, &mut grid);
    let mut groups: Vec<&ChartPiece> = Vec::new();
    let mut text = frame(chart, &grid);
    for (sort, look) in chart.sorts.iter().zip(&chart.looks) {
        let names: Vec<&str> = chart
            .areas
            .iter()
            .filter(|area| area.sort == *sort)
            .map(|area| &*area.label)
            .collect();
        let _ = writeln!(text, "  {} {sort}: {}", look.letter, names.join(", "));
    }
    for (piece, mark) in chart.pieces.iter().zip(&marks) {
        match mark {
            Some(mark) => {
                let _ = writeln!(text, "  {mark} {}", piece_line(chart, piece));
            }
            None => groups.push(piece),
        }
    }
    for piece in groups {
        let _ = writeln!(text, "    {}", piece_line(chart, piece));
    }
    if let Some(chosen) = chart.chosen {
        for (ring, mark) in chart.rings.iter().zip(rings) {
            let unit = if chart.is_metric { "cm" } else { "in" };
            let radius = measure(ring.radius, chart.is_metric);
            let _ = writeln!(
                text,
                "  {mark} {} {radius} {unit} around {}",
                ring.title, chart.pieces[chosen].label
            );
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn piece_line(chart: &Chart, piece: &ChartPiece) -> String {
    let at = place_words(chart, piece);
    let facing = piece
        .facing
        .filter(|_| !piece.is_wreck)
        .map(|facing| format!(", facing {}", compass(facing)));
    let facing = facing.unwrap_or_default();
    let state = if piece.state.is_empty() {
        String::new()
    } else {
        format!(": {}", piece.state.join(", "))
    };
    let side = piece
        .side
        .map_or(String::new(), |side| format!("{} ", chart.sides[side]));
    format!(
        "{} ({side}{}) {at}{facing}{state}",
        piece.label, piece.title
    )
}

/// Where a piece is: in its hex, or at a point; a group is round the middle of its pieces, which
/// on hexes is near one.
fn place_words(chart: &Chart, piece: &ChartPiece) -> String {
    if let Some(hex) = piece.hex {
        return format!("in {}", hex.name());
    }
    let word = if piece.is_group { "round" } else { "at" };
    let (x, y) = (piece.at.x(), piece.at.y());
    let apart = |cell: &&HexCell| {
        let [across, along] = [(cell.centre.x(), x), (cell.centre.y(), y)]
            .map(|(one, other)| i128::from(one.um()) - i128::from(other.um()));
        across * across + along * along
    };
    match chart.hexes.iter().min_by_key(apart) {
        Some(cell) => format!("{word} {}", cell.name()),
        None => {
            let [x, y] = [x, y].map(|length| measure(length, chart.is_metric));
            format!("{word} ({x}, {y})")
        }
    }
}

/// The nearest of eight winds, north being up the table.
fn compass(facing: Direction) -> &'static str {
    const WINDS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    WINDS[(facing.minutes().unsigned_abs() as usize + 1350) / 2700 % 8]
}

struct CharGrid {
    cell: f64,
    columns: usize,
    rows: usize,
    letters: Vec<Vec<char>>,
}

impl CharGrid {
    /// The middle of a cell; rows count from the far edge.
    fn middle(&self, column: usize, row: usize) -> (f64, f64) {
        let up = (self.rows - 1 - row) as f64;
        (
            (column as f64 + 0.5) * self.cell,
            (up + 0.5) * self.cell * STRETCH,
        )
    }

    fn cell_of(&self, x: f64, y: f64) -> (usize, usize) {
        let column = (x / self.cell).clamp(0.0, self.columns as f64 - 1.0) as usize;
        let up = (y / (self.cell * STRETCH)).clamp(0.0, self.rows as f64 - 1.0) as usize;
        (column, self.rows - 1 - up)
    }
}

/// A dot in the middle of each hex: there are no letters for outlines.
fn dot_hexes(chart: &Chart, grid: &mut CharGrid) {
    for hex in &chart.hexes {
        let (x, y) = floats(hex.centre);
        let (column, row) = grid.cell_of(x, y);
        grid.letters[row][column] = '\u{b7}';
    }
}

/// Fills every cell of which an area covers a part: what is thin has no holes.
/// What lies above other ground comes after it.
fn fill_areas(chart: &Chart, grid: &mut CharGrid) {
    for (place, area) in chart.by_level() {
        for row in 0..grid.rows {
            for column in 0..grid.columns {
                let (x, y) = grid.middle(column, row);
                if area
                    .shape
                    .meets(x, y, grid.cell / 2.0, grid.cell * STRETCH / 2.0)
                {
                    grid.letters[row][column] = chart.looks[place].letter;
                }
            }
        }
    }
}

/// Writes the names of areas that pieces are in.
fn name_areas(chart: &Chart, grid: &mut CharGrid) {
    for area in &chart.areas {
        let Some((x, y)) = area.name_at() else {
            continue;
        };
        let (column, row) = grid.cell_of(x, y);
        let name = format!(" {} ", area.label);
        let length = name.chars().count();
        let from = column
            .saturating_sub(length / 2)
            .min(grid.columns.saturating_sub(length));
        let places = grid.letters[row].iter_mut().skip(from);
        places
            .zip(name.chars())
            .for_each(|(place, letter)| *place = letter);
    }
}

/// The mark of each ring: rings around one piece are told apart.
fn ring_cells(chart: &Chart, grid: &mut CharGrid) -> Vec<char> {
    const MARKS: [char; 6] = ['o', '.', '\'', '\u{b0}', '*', '\u{b7}'];
    let marks: Vec<char> = (0..chart.rings.len())
        .map(|place| MARKS[place % MARKS.len()])
        .collect();
    let Some(chosen) = chart.chosen else {
        return marks;
    };
    let (cx, cy) = floats(chart.pieces[chosen].at);
    let (width, depth) = (chart.width.um() as f64, chart.depth.um() as f64);
    for (ring, mark) in chart.rings.iter().zip(&marks) {
        for minute in 0..720 {
            let angle = f64::from(minute) * std::f64::consts::TAU / 720.0;
            let radius = ring.radius.um() as f64;
            let (x, y) = (cx + radius * angle.cos(), cy + radius * angle.sin());
            if (0.0..width).contains(&x) && (0.0..depth).contains(&y) {
                let (column, row) = grid.cell_of(x, y);
                grid.letters[row][column] = *mark;
            }
        }
    }
    marks
}

/// Puts a letter for each piece: capitals for the first side, small ones for
/// the second, digits for the rest; `x` for wrecks, `+` where several stand in
/// one cell, `*` when there are no letters left. A group has no letter: its pieces have.
fn mark_pieces(chart: &Chart, grid: &mut CharGrid) -> Vec<Option<char>> {
    let mut used: BTreeMap<Option<usize>, u8> = BTreeMap::new();
    let mut taken = BTreeMap::new();
    let mut marks = Vec::new();
    for piece in &chart.pieces {
        if piece.is_group {
            marks.push(None);
            continue;
        }
        let (column, row) = grid.cell_of(floats(piece.at).0, floats(piece.at).1);
        if piece.is_wreck {
            // Whoever stands on it is seen.
            if !taken.contains_key(&(column, row)) {
                grid.letters[row][column] = 'x';
            }
            marks.push(Some('x'));
            continue;
        }
        let group = piece.side.filter(|side| *side < 2);
        let count = used.entry(group).or_default();
        let (first, most) = match group {
            Some(0) => (b'A', 26),
            Some(_) => (b'a', 26),
            None => (b'0', 10),
        };
        let mark = if *count < most {
            char::from(first + *count)
        } else {
            '*'
        };
        *count = count.saturating_add(1);
        let is_alone = taken.insert((column, row), ()).is_none();
        grid.letters[row][column] = if is_alone { mark } else { '+' };
        marks.push(Some(mark));
    }
    marks
}

/// The grid in a frame, with measures along its edges; where there are hexes,
/// with the rows of the first column and the numbers of all columns.
fn frame(chart: &Chart, grid: &CharGrid) -> String {
    let unit = if chart.is_metric { 10_000.0 } else { 25_400.0 };
    let edge = format!("     +{}+\n", "-".repeat(grid.columns));
    let mut text = edge.clone();
    let rows = hex_rows(chart, grid);
    for (row, letters) in grid.letters.iter().enumerate() {
        let (_, y) = grid.middle(0, row);
        let line: String = letters.iter().collect();
        let label = match rows.get(&row) {
            Some(number) => format!("{number:>4}"),
            None if chart.hexes.is_empty() && row % 4 == 0 => format!("{:>4.0}", y / unit),
            None => "    ".into(),
        };
        let _ = writeln!(text, "{label} |{line}|");
    }
    text.push_str(&edge);
    text.push_str(&if chart.hexes.is_empty() {
        ruler(chart, grid, unit)
    } else {
        hex_columns(&chart.hexes, grid)
    });
    text
}

/// The numbers of rows by the rows of letters in which the hexes of the first
/// column have their middle.
fn hex_rows(chart: &Chart, grid: &CharGrid) -> BTreeMap<usize, String> {
    let first = chart.hexes.iter().filter(|hex| hex.column == 1);
    first
        .map(|hex| {
            (
                grid.cell_of(0.0, floats(hex.centre).1).1,
                format!("{:02}", hex.row),
            )
        })
        .collect()
}

/// The numbers of columns along the near edge; what would run into another is left out.
fn hex_columns(hexes: &[HexCell], grid: &CharGrid) -> String {
    let mut line = vec![' '; grid.columns + 2];
    let mut free = 0;
    for hex in hexes.iter().filter(|hex| hex.row == 1) {
        let (at, _) = grid.cell_of(floats(hex.centre).0, 0.0);
        let label = format!("{:02}", hex.column);
        let end = at + label.len();
        if at >= free && end <= line.len() {
            let places = line.iter_mut().skip(at);
            places
                .zip(label.chars())
                .for_each(|(place, letter)| *place = letter);
            free = end;
        }
    }
    let line: String = line.into_iter().collect();
    format!("      {}\n", line.trim_end())
}

/// The measures along the near edge: a number every foot, or every half metre.
fn ruler(chart: &Chart, grid: &CharGrid, unit: f64) -> String {
    let (step, word) = if chart.is_metric {
        (50, "cm")
    } else {
        (12, "in")
    };
    let width = (chart.width.um() as f64 / unit).round() as usize;
    let mut line = vec![' '; grid.columns + 1];
    let mut free = line.len() + 1;
    // From the last, which has the unit and ends with the frame: what would run into it is left out.
    for measure in (0..width + 1).step_by(step).rev() {
        let label = if measure + step > width {
            format!("{measure} {word}")
        } else {
            measure.to_string()
        };
        let at = (measure as f64 * unit / grid.cell) as usize;
        let at = at.min(line.len().saturating_sub(label.len()));
        if at + label.len() < free {
            let places = line.iter_mut().skip(at);
            places
                .zip(label.chars())
                .for_each(|(place, letter)| *place = letter);
            free = at;
        }
    }
    let line: String = line.into_iter().collect();
    format!("      {}\n", line.trim_end())
}

#[cfg(test)]
mod tests {
    use kernel::geometry::Point;

    use super::*;

    #[test]
    fn the_numbers_of_a_thousand_columns_stay_within_the_frame() {
        const INCH: i64 = 25_400;
        let row = |columns: i64| -> Vec<HexCell> {
            let cell = |column| HexCell {
                column,
                row: 1,
                centre: Point::from_um(column * INCH - INCH / 2, 0),
                corners: Vec::new(),
            };
            (1..=columns).map(cell).collect()
        };
        let numbers = |columns: i64| {
            let grid = CharGrid {
                cell: (columns * INCH) as f64 / 60.0,
                columns: 60,
                rows: 1,
                letters: vec![vec![' '; 60]],
            };
            hex_columns(&row(columns), &grid)
        };
        assert!(
            numbers(12)
                .split_whitespace()
                .eq((1..=12).map(|n| format!("{n:02}")))
        );
        let line = numbers(1_200);
        assert!(line.trim_end().chars().count() <= 6 + 62, "{line}");
        assert!(line.starts_with("      01"), "{line}");
    }
}
