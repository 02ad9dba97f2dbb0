//! Which clauses, and in cases which actions, fit where a cursor stands.

use kernel::value::Name;
use matches::workshop::Workshop;
use rules::modset::manifest::Clause;
use rules::tokens::declared_before;

use super::{
    At, Places, SymbolKind, Thing, chapter_below, clauses_of_doc, is_in_string, is_of_id,
    is_of_name,
};

/// Fields of data and rules that hold clauses.
const OF_CLAUSES: [&str; 3] = ["cites", "requires", "touches"];

/// So far up the list is looked for that a line stands in.
const FARTHEST: usize = 40;

/// A clause that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What is written of it so far.
    pub typed: String,
    /// Where that begins, in bytes of the line.
    pub start: usize,
    how: OfferForm,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum OfferForm {
    /// By its id.
    Whole,
    /// Own ones without their mod.
    OfMod,
    /// Those of a chapter by their last word.
    OfChapter(Option<String>),
    /// No clause, but an action or a reaction by its id.
    Action,
}

/// A clause that fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer<'a> {
    /// How it is written here.
    pub word: String,
    /// The clause.
    pub clause: &'a Clause,
}

/// Methods of a case that take an action or a reaction after the side.
const OF_ACTIONS: [&str; 4] = ["act", "react", "refuses", "refuses_reaction"];

/// The clause or action that is being written at a place, if one is. The text is
/// read with what is declared for the file; the place is one of its author's.
pub fn completion(path: &str, text: &str, at: At) -> Option<Completion> {
    let line = text.lines().nth(at.line)?;
    let line = line.get(declared_before(line)..)?;
    let before = line.get(..at.byte)?;
    let start = before.trim_end_matches(is_of_id).len();
    let typed = before.get(start..)?.to_string();
    let is_luau = path.ends_with(".luau");
    let how = if let Some(list) = clauses_of_doc(line).filter(|_| is_luau) {
        (list.start <= at.byte && at.byte <= list.end)
            .then(|| OfferForm::OfChapter(chapter_below(text, at.line)))?
    } else if (is_luau || path.ends_with(".ron")) && is_in_string(line, at.byte) {
        let is_first = before.get(..start)?.ends_with('"');
        let holder = holder(text, at.line, before.get(..start)?.strip_suffix('"')?);
        let fits = OF_CLAUSES.contains(&&*holder.name) || is_luau && takes_clause(&holder.name);
        let is_action = path.starts_with("tests/") && holder.is_action();
        (is_first && (fits || is_action || typed.contains('.'))).then_some(())?;
        match is_luau && fits {
            _ if is_action => OfferForm::Action,
            true => OfferForm::OfMod,
            false => OfferForm::Whole,
        }
    } else {
        return None;
    };
    Some(Completion { typed, start, how })
}

impl Completion {
    /// Whether it is an action or a reaction that is being written.
    pub fn is_action(&self) -> bool {
        self.how == OfferForm::Action
    }

    /// The actions and reactions that begin as what was written.
    pub fn actions<'p>(&self, places: &'p Places) -> Vec<&'p Thing> {
        let all = places
            .things()
            .filter(|thing| thing.sort == SymbolKind::Action);
        all.filter(|thing| self.is_action() && thing.id.starts_with(&self.typed))
            .collect()
    }

    /// The clauses of a mod and of all that it stands on, as they are written
    /// here; nothing that does not begin as what was written.
    pub fn offers<'a>(&self, workshop: &'a Workshop, module: &Name) -> Vec<Offer<'a>> {
        let mut offers = Vec::new();
        if self.is_action() {
            return offers;
        }
        for id in with_bases(workshop, module) {
            let manifest = workshop.manifests().get(&id).into_iter();
            for (_, clause) in manifest.flat_map(|manifest| manifest.clauses()) {
                let short = self.short(module, &clause.id);
                let words = short.into_iter().chain([clause.id.to_string()]);
                offers.extend(
                    words
                        .filter(|word| word.starts_with(&self.typed))
                        .take(1)
                        .map(|word| Offer { word, clause }),
                );
            }
        }
        offers
    }

    fn short(&self, module: &str, clause: &str) -> Option<String> {
        let rest = clause.strip_prefix(module)?.strip_prefix('.')?;
        match &self.how {
            OfferForm::Whole | OfferForm::Action => None,
            OfferForm::OfMod => Some(rest.to_string()),
            OfferForm::OfChapter(chapter) => {
                let own = rest
                    .split_once('.')
                    .filter(|(one, _)| Some(*one) == chapter.as_deref());
                Some(own.map_or(rest, |(_, last)| last).to_string())
            }
        }
    }
}

/// A mod and all that it stands on, each once, itself first.
pub fn with_bases(workshop: &Workshop, module: &Name) -> Vec<Name> {
    let mut all = vec![module.clone()];
    let mut next = 0;
    while let Some(id) = all.get(next) {
        let on: Vec<Name> = workshop
            .manifests()
            .get(id)
            .map(|manifest| manifest.depends.iter().map(|on| on.id.clone()).collect())
            .unwrap_or_default();
        let new: Vec<Name> = on.into_iter().filter(|id| !all.contains(id)).collect();
        all.extend(new);
        next += 1;
    }
    all
}

/// Whether what is called takes clauses as text.
fn takes_clause(called: &str) -> bool {
    let verb = called.rsplit(['.', ':']).next().unwrap_or_default();
    matches!(verb, "wrap" | "replace") || called.split('.').any(|part| part == "over")
}

/// The list or call in which a place stands.
#[derive(Default)]
struct Holder {
    /// What it is named: `cites`, `rules.wrap`.
    name: String,
    /// So many stand before the place.
    before: usize,
}

impl Holder {
    /// Whether an action stands there.
    fn is_action(&self) -> bool {
        let verb = self.name.rsplit_once(':').map_or("", |(_, verb)| verb);
        self.before == 1 && OF_ACTIONS.contains(&verb)
    }
}

fn holder(text: &str, line: usize, before: &str) -> Holder {
    let mut depth = 0i32;
    let mut commas = 0;
    let lines: Vec<&str> = text.lines().take(line).collect();
    for one in std::iter::once(before).chain(lines.into_iter().rev().take(FARTHEST)) {
        for (at, letter) in one.char_indices().rev() {
            match letter {
                ')' | ']' | '}' => depth += 1,
                '(' | '[' | '{' if depth > 0 => depth -= 1,
                '(' | '[' | '{' => {
                    let name = name_at_end(one.get(..at).unwrap_or_default());
                    return Holder {
                        name,
                        before: commas,
                    };
                }
                ',' if depth == 0 => commas += 1,
                _ => {}
            }
        }
    }
    Holder::default()
}

/// The name that a text ends in, before a `:` or `=`.
fn name_at_end(text: &str) -> String {
    let text = text.trim_end().trim_end_matches([':', '=']).trim_end();
    let start = text
        .trim_end_matches(|c| is_of_name(c) || matches!(c, '.' | ':'))
        .len();
    text.get(start..).unwrap_or_default().to_string()
}
