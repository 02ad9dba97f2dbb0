//! The play sheet: what lies beside the table while people play, on one page.

use super::grid::of_table;
use super::{Page, Piece, RulesInForce, heading, sequence};

/// The play sheet alone.
pub fn sheet(rules: RulesInForce<'_>) -> Page {
    Page {
        title: rules.title(),
        selector: rules.active.line.clone(),
        pieces: vec![Piece::Sheet {
            pieces: pieces(rules),
        }],
    }
}

/// The sequence of play, and the tables that their mods put on the sheet.
pub(super) fn pieces(rules: RulesInForce<'_>) -> Vec<Piece> {
    let mut pieces = vec![
        heading(2, format!("{}: play sheet", rules.title())),
        sequence::of_game(rules.rulebook.book()),
    ];
    // Those of the base first, as its book has them.
    for manifest in rules.mods() {
        let own = |id: &str| kernel::value::owner_of(id) == &*manifest.id;
        let tables = rules
            .tables()
            .filter(|table| table.on_sheet && own(&table.id));
        pieces.extend(tables.map(|table| Piece::Grid(of_table(rules, table))));
    }
    pieces
}
