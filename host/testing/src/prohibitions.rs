//! The table of prohibitions: what each state leaves a piece to do, of all that
//! the rulebook offers, and which clause forbids the rest.
//!
//! Cases set the states up, and ask with `t:may`; so the table says what is
//! loaded and run, by house rules too.

use std::collections::{BTreeMap, BTreeSet};

use kernel::error::Fault;
use kernel::value::{Name, owner_of};
use matches::workshop::Workshop;
use rules::modset::selector::Request;
use rules::rulebook::Rulebook;

use crate::books::{Books, CaseAt};
use crate::case::{Situation, TestedOffer};

/// Whether something may be done in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leave {
    /// It may.
    Allowed,
    /// A clause forbids it.
    Forbidden {
        /// The clause.
        clause: Name,
        /// In the words of its rule.
        reason: Name,
    },
    /// A rule forbids it that cites no clause.
    Uncited {
        /// The rule.
        rule: Name,
        /// In its words.
        reason: Name,
    },
    /// No rule forbids it, but there is nothing to do it with or to.
    Nothing(Name),
    /// Nobody could do it at this point of the game.
    Absent,
}

/// One of the actions, in each of the states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProhibitionRow {
    /// The action or reaction.
    pub action: Name,
    /// What players call it.
    pub title: Name,
    /// Whether it may be done, state by state.
    pub cells: Vec<Leave>,
}

/// A state, and the case that sets it up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// What the state is called.
    pub title: String,
    /// The case.
    pub case: String,
    /// What the case expected otherwise, if it failed.
    pub failure: Option<String>,
}

/// All that is known of one sort of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProhibitionTable {
    /// Who: `a vehicle`.
    pub of: String,
    /// The file of its cases.
    pub file: String,
    /// The states, in the order of the cases.
    pub states: Vec<State>,
    /// What can be done in at least one of them, by id.
    pub rows: Vec<ProhibitionRow>,
}

/// The tables of a mod.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prohibitions {
    /// One for each sort of piece, in the order of the files.
    pub tables: Vec<ProhibitionTable>,
    /// The actions and reactions of the mod that nobody may take in any of them.
    pub unshown: Vec<Name>,
}

/// What was found in one state.
struct StateColumn {
    state: State,
    offers: Vec<TestedOffer>,
    clauses: BTreeSet<Name>,
}

/// Runs the cases of a mod that set up states, under house rules, and puts what
/// they asked together.
///
/// # Errors
/// When a file does not load, the rules do not compose, or a case cannot be run.
pub fn prohibitions(
    workshop: &Workshop,
    module: &Name,
    house: Request,
) -> Result<Prohibitions, Fault> {
    let mut found = Prohibitions::default();
    let Some(sources) = workshop.sources().get(module) else {
        return Ok(found);
    };
    let mut books = Books::new(workshop);
    books.under(house);
    let (mut known, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for (file, text) in sources.under("tests") {
        // Most files of cases set up none, and need not be loaded.
        if !text.contains("situation") {
            continue;
        }
        let mut columns: Vec<(String, Vec<StateColumn>)> = Vec::new();
        for at in books.listed(module, file)? {
            let Some(Situation { of, state }) = at.head.situation.clone() else {
                continue;
            };
            let column = column(&mut books, &at, state, &mut known)?;
            match columns.iter_mut().find(|(known, _)| *known == of) {
                Some((_, states)) => states.push(column),
                None => columns.push((of, vec![column])),
            }
        }
        let table = |(of, columns)| table_of(of, format!("{module}/{file}"), columns);
        found.tables.extend(columns.into_iter().map(table));
    }
    for table in &found.tables {
        shown.extend(table.rows.iter().map(|row| row.action.clone()));
    }
    let is_own = |action: &&Name| owner_of(action) == &**module;
    found.unshown = known.difference(&shown).filter(is_own).cloned().collect();
    Ok(found)
}

/// Runs the case of one state.
fn column(
    books: &mut Books<'_>,
    at: &CaseAt,
    title: String,
    known: &mut BTreeSet<Name>,
) -> Result<StateColumn, Fault> {
    let (rulebook, run) = books.run(at)?;
    known.extend(actions_of(&rulebook));
    let failure = run.fault.map(|fault| fault.message.to_string());
    let state = State {
        title,
        case: at.head.title.clone(),
        failure,
    };
    let clauses = rulebook.clauses().keys().cloned().collect();
    Ok(StateColumn {
        state,
        offers: run.offers,
        clauses,
    })
}

fn actions_of(rulebook: &Rulebook) -> impl Iterator<Item = Name> + '_ {
    let book = rulebook.book();
    book.actions.keys().chain(book.reactions.keys()).cloned()
}

fn table_of(of: String, file: String, columns: Vec<StateColumn>) -> ProhibitionTable {
    // What may be done somewhere, and by whom.
    let mut doers: BTreeMap<(Name, Name), BTreeSet<Option<Name>>> = BTreeMap::new();
    for offer in columns
        .iter()
        .flat_map(|column| &column.offers)
        .filter(|one| one.refused.is_none())
    {
        let key = (offer.action.clone(), offer.title.clone());
        doers.entry(key).or_default().insert(offer.actor.clone());
    }
    let row = |((action, title), doers): ((Name, Name), BTreeSet<_>)| {
        let cells = columns
            .iter()
            .map(|column| column.leave(&action, &doers))
            .collect();
        ProhibitionRow {
            action,
            title,
            cells,
        }
    };
    let rows = doers.into_iter().map(row).collect();
    ProhibitionTable {
        of,
        file,
        states: columns.into_iter().map(|column| column.state).collect(),
        rows,
    }
}

impl StateColumn {
    /// Whether one of those who may do it elsewhere may do it here.
    fn leave(&self, action: &Name, doers: &BTreeSet<Option<Name>>) -> Leave {
        let asked = || self.offers.iter().filter(|one| one.action == *action);
        if asked().any(|one| one.refused.is_none()) {
            return Leave::Allowed;
        }
        let of_doers = asked().filter(|one| doers.contains(&one.actor));
        let leaves: Vec<Leave> = of_doers.filter_map(|one| self.refused(one)).collect();
        // Where several are refused for different reasons, a clause says most.
        let best = leaves.iter().min_by_key(|leave| match leave {
            Leave::Forbidden { .. } => 0,
            Leave::Uncited { .. } => 1,
            _ => 2,
        });
        best.cloned().unwrap_or(Leave::Absent)
    }

    fn refused(&self, offer: &TestedOffer) -> Option<Leave> {
        let reason = offer.refused.clone()?;
        Some(match offer.clause.clone() {
            Some(clause) if self.clauses.contains(&clause) => Leave::Forbidden { clause, reason },
            Some(rule) => Leave::Uncited { rule, reason },
            None => Leave::Nothing(reason),
        })
    }
}

impl Leave {
    /// As a program reads it.
    pub fn word(&self) -> &'static str {
        match self {
            Leave::Allowed => "allowed",
            Leave::Forbidden { .. } => "forbidden",
            Leave::Uncited { .. } => "undecided",
            Leave::Nothing(_) => "nothing",
            Leave::Absent => "absent",
        }
    }
}
