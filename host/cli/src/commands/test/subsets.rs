//! `houserule test MOD --with SELECTOR`: what house rules change, and whether
//! they can be taken in parts.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use houserule::kernel::value::{Name, owner_of};
use houserule::modset::selector::{Pick, Request, Selector};
use houserule::testing::{CaseDifference, Filter, Plan, SubsetResult, audit_subsets};
use serde_json::json;

use super::{TestArgs, bar};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;
use houserule::printable::counted;

/// Runs the cases of the mods under house rules, and tells what changes.
///
/// # Errors
/// When something changes that no clause accounts for, or a game breaks off.
pub(super) fn audit(args: &TestArgs, filters: &[Filter], ui: &mut Ui) -> Result<(), Failure> {
    let options = args.option.iter().map(|(id, value)| (id, value));
    let mut house = Request::gather(&args.with, std::iter::empty(), options)?;
    if !args.without.is_empty() {
        house = left_of(house, &args.without, ui)?;
    }
    let is_house = |id: &&Name| house.with.iter().any(|one| one.module == **id);
    let plan = Plan {
        random: args.subsets,
        seed: args.seed,
        games: args.games,
        turns: args.turns,
    };
    let bar = bar(ui, "selections");
    let mut results: Vec<SubsetResult> = Vec::new();
    for filter in filters {
        let mut mods = filter.mods.clone();
        if mods.is_empty() {
            mods = ui
                .workshop
                .sources()
                .keys()
                .filter(|id| !is_house(id))
                .cloned()
                .collect();
        }
        for module in mods {
            let done = |_: &str| bar.inc(1);
            results.extend(audit_subsets(
                &ui.workshop,
                filter,
                &module,
                &house,
                &plan,
                &done,
            )?);
        }
    }
    bar.finish_and_clear();
    tell(&results, args.subsets.is_none(), ui)?;
    summary(&results, ui)?;
    if results.iter().all(SubsetResult::is_sound) {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

/// House rules with some of them left out: the clauses that then hold.
fn left_of(house: Request, without: &[String], ui: &Ui) -> Result<Request, Failure> {
    let words = |all: &[Selector]| all.iter().map(Selector::to_string).collect::<Vec<_>>();
    let named = words(&house.with).join(" ");
    for text in without {
        let Selector { module, .. } = Selector::parse(text)?;
        if house.with.iter().all(|one| one.module != module) {
            return Err(Failure::Usage(format!("`{text}` is no part of `{named}`")));
        }
    }
    let none = std::iter::empty::<(&String, &String)>();
    let request = Request::gather(&words(&house.with), without, none)?;
    let chosen = ui.workshop.compose(&request)?;
    let clauses = chosen.rulebook.clauses();
    let mut with: Vec<Selector> = Vec::new();
    for Selector { module, .. } in &house.with {
        let on = clauses.iter().filter(|(_, is_on)| **is_on);
        let own = on.filter(|(id, _)| owner_of(id) == &**module);
        let picks: Vec<Pick> = own.map(|(id, _)| Pick::Clause(id.clone())).collect();
        if !picks.is_empty() && with.iter().all(|one| one.module != *module) {
            let module = module.clone();
            with.push(Selector { module, picks });
        }
    }
    if with.is_empty() {
        return Err(Failure::Usage(format!(
            "without {} nothing of `{named}` is left",
            without.join(", ")
        )));
    }
    Ok(Request { with, ..house })
}

/// Tells of what is wrong, and of each difference if there is one selection.
fn tell(results: &[SubsetResult], is_one: bool, ui: &mut Ui) -> io::Result<()> {
    for result in results {
        if ui.is_json() {
            ui.json(&json!({ "type": "subset", "sound": result.is_sound(), "subset": result }))?;
            continue;
        }
        if let Some(fault) = &result.fault {
            ui.line(format!(
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
            difference(result, one, ui)?;
        }
        for game in &result.games {
            let Some(fault) = &game.fault else { continue };
            let what = format!(
                "{}, seed {}, under {}",
                game.scenario, game.seed, result.name
            );
            ui.line(format!("{}  {what}: {}", "BROKE OFF".red().bold(), fault))?;
            ui.line(format!("    {}", result.line.dimmed()))?;
        }
    }
    if is_one || ui.is_json() {
        Ok(())
    } else {
        counts(results, ui)
    }
}

fn difference(result: &SubsetResult, one: &CaseDifference, ui: &mut Ui) -> io::Result<()> {
    let says = one.says.lines().next().unwrap_or_default();
    if one.made_by.is_empty() {
        let reached = if one.reached.is_empty() {
            "nothing of it".to_string()
        } else {
            one.reached.join(", ")
        };
        let head = format!(
            "{}  {} ({}), under {}",
            "NOBODY'S".red().bold(),
            one.case,
            one.file,
            result.name
        );
        ui.line(head)?;
        ui.line(format!("    {says}"))?;
        ui.line(format!("    it met {reached}"))?;
        return ui.line(format!("    {}", result.line.dimmed()));
    }
    ui.line(format!(
        "{}  {} ({})",
        "differs".yellow(),
        one.case,
        one.file
    ))?;
    ui.line(format!("    {}", says.dimmed()))?;
    ui.line(format!("    made by {}", one.made_by.join(", ")))
}

/// How many cases each clause changes.
fn counts(results: &[SubsetResult], ui: &mut Ui) -> io::Result<()> {
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
        ui.line(format!("{:>4} {word} changed by {clause}", cases.len()))?;
    }
    Ok(())
}

fn summary(results: &[SubsetResult], ui: &mut Ui) -> io::Result<()> {
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
    if ui.is_json() {
        return ui.json(&json!({
            "type": "summary", "selections": results.len(), "failed": failed, "cases": runs,
            "differences": differences.len(), "unexplained": nobodys, "games": games.len(), "broken": broken,
        }));
    }
    ui.line(format!(
        "{}, {failed} of which {} not compose; {} run, {} otherwise, {nobodys} of these \
         by no clause; {}, {broken} broken off",
        counted(results.len(), "selection"),
        if failed == 1 { "does" } else { "do" },
        counted(runs, "case"),
        differences.len(),
        counted(games.len(), "game")
    ))
}
