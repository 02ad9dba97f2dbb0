//! `houserule test MOD --with SELECTOR`: what house rules change, and whether
//! they can be taken in parts.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use houserule::kernel::value::owner_of;
use houserule::modset::selector::{Pick, Request, Selector};
use houserule::testing::{CaseDifference, Filter, Plan, SubsetResult, audit_subsets};
use serde_json::json;

use super::{TestArgs, bar};
use crate::desk::{Desk, Failure};
use crate::paint::Paint;

/// Runs the cases of the mods under house rules, and tells what changes.
///
/// # Errors
/// When something changes that no clause accounts for, or a game breaks off.
pub(super) fn audit(
    args: &TestArgs,
    house: &str,
    filters: &[Filter],
    desk: &mut Desk,
) -> Result<(), Failure> {
    let mut house = Selector::parse(house)?;
    if !args.without.is_empty() {
        house = left_of(&house, &args.without, desk)?;
    }
    let plan = Plan {
        random: args.subsets,
        seed: args.seed,
        games: args.games,
        turns: args.turns,
    };
    let bar = bar(desk, "selections");
    let mut results: Vec<SubsetResult> = Vec::new();
    for filter in filters {
        let mut mods = filter.mods.clone();
        if mods.is_empty() {
            mods = desk
                .workshop
                .sources()
                .keys()
                .filter(|id| **id != house.module)
                .cloned()
                .collect();
        }
        for module in mods {
            let done = |_: &str| bar.inc(1);
            results.extend(audit_subsets(
                &desk.workshop,
                filter,
                &module,
                &house,
                &plan,
                &done,
            )?);
        }
    }
    bar.finish_and_clear();
    tell(&results, args.subsets.is_none(), desk)?;
    summary(&results, desk)?;
    if results.iter().all(SubsetResult::is_sound) {
        Ok(())
    } else {
        Err(Failure::Told)
    }
}

/// House rules with some of them left out: the clauses that then hold.
fn left_of(house: &Selector, without: &[String], desk: &Desk) -> Result<Selector, Failure> {
    for text in without {
        let Selector { module, .. } = Selector::parse(text)?;
        if module != house.module {
            return Err(Failure::Usage(format!("`{text}` is no part of `{house}`")));
        }
    }
    let none = std::iter::empty::<(&String, &String)>();
    let request = Request::gather(&[house.to_string()], without, none)?;
    let chosen = desk.workshop.compose(&request)?;
    let on = chosen
        .rulebook
        .clauses()
        .iter()
        .filter(|(_, is_on)| **is_on)
        .map(|(id, _)| id);
    let own = on.filter(|id| owner_of(id) == &*house.module);
    let picks: Vec<Pick> = own.cloned().map(Pick::Clause).collect();
    if picks.is_empty() {
        return Err(Failure::Usage(format!(
            "without {} nothing of `{house}` is left",
            without.join(", ")
        )));
    }
    Ok(Selector {
        module: house.module.clone(),
        picks,
    })
}

/// Tells of what is wrong, and of each difference if there is one selection.
fn tell(results: &[SubsetResult], is_one: bool, desk: &mut Desk) -> io::Result<()> {
    for result in results {
        if desk.is_json() {
            desk.json(&json!({ "type": "subset", "sound": result.is_sound(), "subset": result }))?;
            continue;
        }
        if let Some(fault) = &result.fault {
            desk.line(format!(
                "{}  {}: {}",
                "FAILED".red().bold(),
                result.name,
                fault
            ))?;
        }
        for one in result
            .differences
            .iter()
            .filter(|one| is_one || one.made_by.is_empty())
        {
            difference(result, one, desk)?;
        }
        for game in &result.games {
            let Some(fault) = &game.fault else { continue };
            let what = format!(
                "{}, seed {}, under {}",
                game.scenario, game.seed, result.name
            );
            desk.line(format!("{}  {what}: {}", "BROKE OFF".red().bold(), fault))?;
            desk.line(format!("    {}", result.line.dimmed()))?;
        }
    }
    if is_one || desk.is_json() {
        Ok(())
    } else {
        counts(results, desk)
    }
}

fn difference(result: &SubsetResult, one: &CaseDifference, desk: &mut Desk) -> io::Result<()> {
    let says = one.says.lines().next().unwrap_or_default();
    if one.made_by.is_empty() {
        let met = if one.met.is_empty() {
            "nothing of it".to_string()
        } else {
            one.met.join(", ")
        };
        let head = format!(
            "{}  {} ({}), under {}",
            "NOBODY'S".red().bold(),
            one.case,
            one.file,
            result.name
        );
        desk.line(head)?;
        desk.line(format!("    {says}"))?;
        desk.line(format!("    it met {met}"))?;
        return desk.line(format!("    {}", result.line.dimmed()));
    }
    desk.line(format!(
        "{}  {} ({})",
        "differs".yellow(),
        one.case,
        one.file
    ))?;
    desk.line(format!("    {}", says.dimmed()))?;
    desk.line(format!("    made by {}", one.made_by.join(", ")))
}

/// How many cases each clause changes.
fn counts(results: &[SubsetResult], desk: &mut Desk) -> io::Result<()> {
    let mut cases: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for one in results.iter().flat_map(|result| &result.differences) {
        for clause in &one.made_by {
            cases
                .entry(clause)
                .or_default()
                .insert((&one.file, &one.case));
        }
    }
    for (clause, cases) in cases {
        let word = if cases.len() == 1 { "case" } else { "cases" };
        desk.line(format!("{:>4} {word} changed by {clause}", cases.len()))?;
    }
    Ok(())
}

fn summary(results: &[SubsetResult], desk: &mut Desk) -> io::Result<()> {
    let runs: usize = results.iter().map(|result| result.cases).sum();
    let differences: Vec<&CaseDifference> = results
        .iter()
        .flat_map(|result| &result.differences)
        .collect();
    let nobodys = differences
        .iter()
        .filter(|one| one.made_by.is_empty())
        .count();
    let games: Vec<_> = results.iter().flat_map(|result| &result.games).collect();
    let broken = games.iter().filter(|game| game.fault.is_some()).count();
    let failed = results
        .iter()
        .filter(|result| result.fault.is_some())
        .count();
    if desk.is_json() {
        return desk.json(&json!({
            "type": "summary", "selections": results.len(), "failed": failed, "cases": runs,
            "differences": differences.len(), "unexplained": nobodys, "games": games.len(), "broken": broken,
        }));
    }
    desk.line(format!(
        "{} selections, {failed} of which do not compose; {runs} cases run, {} otherwise, {nobodys} of these \
         by no clause; {} games, {broken} broken off",
        results.len(),
        differences.len(),
        games.len()
    ))
}
