//! Pots of chits and decks of cards, with how many there are of each.

use std::collections::BTreeMap;

use kernel::chits::Composition;
use kernel::value::Name;

use super::grid::{chapter_of, spoken};
use super::{Grid, PrintedCell, RulesInForce};

/// A pot or a deck.
pub(super) struct Mix<'a> {
    id: &'a Name,
    /// What one of what it holds is called.
    each: &'static str,
    holds: &'a Composition,
    /// Whether each side has one of its own.
    is_each: bool,
}

/// The pots and decks in force, by id.
pub(super) fn all(rules: RulesInForce<'_>) -> Vec<Mix<'_>> {
    let book = rules.rulebook.book();
    let pots = book.pots.iter().map(|(id, holds)| Mix {
        id,
        each: "chit",
        holds,
        is_each: false,
    });
    let decks = book.decks.iter().map(|(id, deck)| Mix {
        id,
        each: "card",
        holds: deck.cards(),
        is_each: deck.is_each,
    });
    pots.chain(decks).collect()
}

impl Mix<'_> {
    /// Its id.
    pub fn id(&self) -> &Name {
        self.id
    }

    /// The chapter of the clause that it cites first, beside which it stands; without one,
    /// that of its id.
    pub fn chapter(&self, rules: RulesInForce<'_>) -> Name {
        let cites = rules.rulebook.marks().get(self.id);
        chapter_of(cites.and_then(|cites| cites.first()).unwrap_or(self.id))
    }

    /// How many there are of each, by name.
    pub fn counts(&self) -> BTreeMap<&str, u32> {
        self.holds.entries().collect()
    }

    /// What people call it.
    pub fn title(&self, rules: RulesInForce<'_>) -> String {
        let titled = rules.rulebook.book().titles.get(self.id);
        let title = titled.map_or_else(
            || spoken(self.id.rsplit('.').next().unwrap_or(self.id)),
            ToString::to_string,
        );
        match self.is_each {
            true => format!("{title}, one for each side"),
            false => title,
        }
    }

    /// It as a table, with how many there are in all.
    pub fn grid(&self, rules: RulesInForce<'_>) -> Grid {
        let row = |cells: [String; 2]| cells.map(PrintedCell::plain).to_vec();
        let counts = self.holds.entries();
        let mut rows: Vec<Vec<PrintedCell>> = counts
            .map(|(name, count)| row([name.to_string(), count.to_string()]))
            .collect();
        rows.push(row(["in all".into(), self.holds.total().to_string()]));
        Grid {
            id: self.id.to_string(),
            title: self.title(rules),
            source: String::new(),
            head: [self.each, "how many"].map(String::from).to_vec(),
            keys: 1,
            rows,
            notes: Vec::new(),
        }
    }
}
