//! What nothing uses: files that are not read, clauses that no case, or no rule,
//! cites, rules whose wraps never ask them.

use std::collections::BTreeSet;

use kernel::error::{Fault, FaultCode, Place};
use kernel::value::Name;
use matches::workshop::Workshop;
use rules::modset::manifest::{Clause, Effect};

use crate::findings::baseless;
use crate::types::names::{plain, short};

/// What is unused in a mod, by place. Rules are none the worse for it.
pub fn unused(workshop: &Workshop, module: &Name) -> Vec<Fault> {
    let mut found = strays(workshop, module);
    found.extend(uncited(workshop, module));
    found.extend(without_rules(workshop, module));
    found.extend(
        workshop
            .sources()
            .get(module)
            .into_iter()
            .flat_map(|files| baseless(module, files)),
    );
    found.sort_by(|a, b| a.place.cmp(&b.place));
    found
}

fn strays(workshop: &Workshop, module: &Name) -> Vec<Fault> {
    let strays = workshop
        .sources()
        .get(module)
        .into_iter()
        .flat_map(|sources| sources.strays());
    let fault = |stray: &rules::modset::strays::Stray| {
        let fault = Fault::new(FaultCode::Unused, "nothing reads this");
        fault
            .at(Place::new(&**module, stray.path.as_str(), 0))
            .hint(stray.hint.as_str())
    };
    strays.map(fault).collect()
}

/// Clauses that do something, and stand in no case of their mod.
fn uncited(workshop: &Workshop, module: &Name) -> Vec<Fault> {
    let (Some(sources), Some(manifest)) = (
        workshop.sources().get(module),
        workshop.manifests().get(module),
    ) else {
        return Vec::new();
    };
    let cases: Vec<&str> = sources.under("tests").map(|(_, text)| &**text).collect();
    let is_cited = |clause: &Clause| cases.iter().any(|text| is_listed(text, &clause.id));
    let does = |clause: &&Clause| matches!(clause.effect, Effect::Adds | Effect::Changes);
    let clauses = manifest.clauses().map(|(_, clause)| clause).filter(does);
    let fault = |clause: &Clause| {
        let fault = Fault::new(FaultCode::Unused, format!("no case cites `{}`", clause.id));
        let hint = format!(
            "`test.case(\"…\", {{ cites = {{ \"{}\" }} }}, function(t) … end)`",
            clause.id
        );
        fault.at(clause.place.clone()).hint(hint)
    };
    clauses
        .filter(|clause| !is_cited(clause))
        .map(fault)
        .collect()
}

/// Clauses that do something, and that no rule and no data of their mod name: on or off,
/// they change nothing. Of mods in compiled languages nothing is known.
fn without_rules(workshop: &Workshop, module: &Name) -> Vec<Fault> {
    let (Some(sources), Some(manifest)) = (
        workshop.sources().get(module),
        workshop.manifests().get(module),
    ) else {
        return Vec::new();
    };
    let mut files = sources.under("rules").chain(sources.under("data"));
    if files.any(|(path, _)| path.ends_with(".wasm")) {
        return Vec::new();
    }
    let words: BTreeSet<&str> = sources
        .under("rules")
        .chain(sources.under("data"))
        .flat_map(|(_, text)| text.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c))))
        .collect();
    let is_named = |clause: &Clause| {
        let last = last_word(clause);
        let spellings = [last.to_string(), plain(last), short(&clause.id)];
        spellings.iter().any(|word| words.contains(word.as_str()))
    };
    let does = |clause: &&Clause| matches!(clause.effect, Effect::Adds | Effect::Changes);
    let clauses = manifest.clauses().map(|(_, clause)| clause).filter(does);
    let fault = |clause: &Clause| {
        let last = last_word(clause);
        let message = format!(
            "no rule and no data cite `{}`: on or off, it does nothing",
            clause.id
        );
        Fault::new(FaultCode::Unused, message)
            .at(clause.place.clone())
            .hint(format!(
                "`--- [{last}]` above a rule, the clause beside a wrap or a line, `cites: [\"{}\"]` in data",
                clause.id
            ))
    };
    clauses
        .filter(|clause| !is_named(clause))
        .map(fault)
        .collect()
}

/// The last word of the id of a clause, as headers of its own mod may call it.
fn last_word(clause: &Clause) -> &str {
    clause.id.rsplit('.').next().unwrap_or(&clause.id)
}

/// Whether an id stands in a list, as in `cites = { … }`: an action may have the
/// id of a clause, and stands among the arguments of a call.
fn is_listed(text: &str, id: &str) -> bool {
    let quoted = format!("\"{id}\"");
    text.match_indices(&quoted)
        .any(|(at, _)| bracket_around(&text[..at]) != Some('('))
}

/// The last bracket that is open at the end of a text.
fn bracket_around(text: &str) -> Option<char> {
    let mut closed = 0;
    text.chars().rev().find(|letter| {
        closed += i32::from(matches!(letter, ')' | '}' | ']'))
            - i32::from(matches!(letter, '(' | '{' | '['));
        closed < 0
    })
}

#[cfg(test)]
mod tests {
    use super::is_listed;

    #[test]
    fn a_clause_is_cited_where_it_stands_in_a_list() {
        let of = |text: &str| is_listed(text, "a.fire.duck");
        assert!(of(
            "test.case(\"x\", { cites = { \"a.fire.b\", \"a.fire.duck\" } }, f)"
        ));
        assert!(of("local ALL = { \"a.fire.duck\" }"));
        assert!(!of("t:react(\"red\", \"a.fire.duck\", squad)"));
        assert!(!of("{ cites = { \"a.fire.ducks\" } }"));
    }
}
