//! `houserule run --games`: many games, and what happened in them.

use std::io;

use houserule::kernel::error::{Fault, FaultCode};
use houserule::play::{Tally, tally};
use houserule::workshop::Found;
use serde_json::{Value as Json, json};

use super::run::RunArgs;
use crate::diagnostics::Severity;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::paint::Paint;
use crate::players::players;
use crate::progress::bar;
use crate::reporter::{fact, print_line, section};
use crate::ui::Ui;
use houserule::printable::counted;

/// Plays the games and prints what happened.
///
/// # Errors
/// What is wrong with a scenario or its mods; a game that broke off.
pub fn run(args: &RunArgs, games: u32, ui: &mut Ui) -> Result<(), Failure> {
    let stop = interrupted();
    let workshop = ui.workshop.clone();
    let found = match args.scenario.strip_suffix("/*") {
        Some(module) => all_of(module, ui)?,
        None => vec![workshop.scenario(&args.scenario)?],
    };
    let mut overrides = args.selection.overrides()?;
    overrides.turns = args.turns;
    let wanted = u64::from(games) * found.len() as u64;
    let bar = bar(ui, wanted);
    let mut all = Tally::default();
    let mut line = String::new();
    for one in &found {
        let first = args.seed.unwrap_or(one.scenario.seed);
        let seeds: Vec<u64> = (0..u64::from(games))
            .map(|n| first.wrapping_add(n))
            .collect();
        line = workshop
            .request(&one.scenario, &overrides)?
            .resolve(workshop.manifests())?
            .line;
        let players = players(args.bots, &args.bot, one)?;
        all.add(tally(
            &workshop,
            one,
            &overrides,
            &seeds,
            &players,
            &|| stop.is_set(),
            &|| bar.inc(1),
        )?);
    }
    bar.finish_and_clear();
    if ui.is_json() {
        ui.document(&as_json(args, games, &found, &line, &all))?;
    } else if all.games > 0 {
        print(args, games, &found, &line, &all, ui)?;
    }
    let told = broken(&all, ui);
    if stop.is_set() && (all.games as u64) < wanted {
        ui.note(&stopped_at(all.games, wanted));
        return Err(Failure::Stopped);
    }
    told
}

/// How far it had come when it was stopped.
fn stopped_at(over: usize, wanted: u64) -> String {
    match over {
        0 => "stopped before a game was over: there is nothing to tell yet".into(),
        some => format!("stopped after {some} of {wanted} games"),
    }
}

/// All scenarios of a mod; those that cannot be read are told, and left out.
fn all_of(module: &str, ui: &mut Ui) -> Result<Vec<Found>, Failure> {
    let id = ui.workshop.manifest(module)?.id.clone();
    let mut found = Vec::new();
    for (_, scenario) in ui.workshop.scenarios_of(&id) {
        found.push(scenario?);
    }
    let unread: Vec<Fault> = ui.workshop.unread_scenarios(&id).cloned().collect();
    ui.note_left_out(&unread);
    if found.is_empty() {
        let fault = Fault::new(
            FaultCode::BadScenario,
            format!("mod `{module}` has no scenarios"),
        );
        return Err(fault.into());
    }
    Ok(found)
}

/// Least, median and most.
fn spread(sorted: &[usize]) -> [usize; 3] {
    let at = |place: usize| sorted.get(place).copied().unwrap_or_default();
    [
        at(0),
        at(sorted.len() / 2),
        at(sorted.len().saturating_sub(1)),
    ]
}

/// What came most often first.
fn by_count<K: Clone + Ord>(counts: impl Iterator<Item = (K, usize)>) -> Vec<(K, usize)> {
    let mut all: Vec<(K, usize)> = counts.collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}

fn winners(all: &Tally) -> Vec<(String, usize)> {
    let name = |winner: &Option<String>| winner.clone().unwrap_or_else(|| "nobody".into());
    by_count(
        all.winners
            .iter()
            .map(|(winner, count)| (name(winner), *count)),
    )
}

fn print(
    args: &RunArgs,
    games: u32,
    found: &[Found],
    line: &str,
    all: &Tally,
    ui: &mut Ui,
) -> io::Result<()> {
    let title = match found {
        [one] => format!("{}: {}", one.scenario.title, counted(all.games, "game")),
        many => format!(
            "{}: {}",
            counted(many.len(), "scenario"),
            counted(all.games, "game")
        ),
    };
    print_line(&section(title), ui)?;
    if let [one] = found {
        let first = args.seed.unwrap_or(one.scenario.seed);
        print_line(&fact("rules", line), ui)?;
        // Of games that were stopped those are told that were played.
        let played = u64::from(games).min(all.games as u64);
        let last = first.wrapping_add(played.saturating_sub(1));
        print_line(&fact("seeds", format!("{first} to {last}")), ui)?;
    }
    ui.line("")?;
    let rows = |counts: Vec<(String, usize)>| {
        counts
            .into_iter()
            .map(|(what, count)| [count.to_string(), what])
    };
    table("won by", rows(winners(all)).collect(), ui)?;
    let reasons = by_count(
        all.reasons
            .iter()
            .map(|(reason, count)| (reason.clone(), *count)),
    );
    table("ended by", rows(reasons).collect(), ui)?;
    let [least, median, most] = spread(&all.decisions);
    print_line(
        &fact(
            "decisions",
            format!("{least} to {most}, half of the games up to {median}"),
        ),
        ui,
    )?;
    ui.line("")?;
    let taken = by_count(
        all.actions
            .iter()
            .map(|(id, count)| ((id, count.games), count.times)),
    );
    let taken = taken.into_iter().filter(|(_, times)| *times > 0);
    let rows: Vec<[String; 2]> = taken
        .map(|((id, games), times)| {
            [
                times.to_string(),
                format!("{id}, in {}", counted(games, "game")),
            ]
        })
        .collect();
    table("taken", rows, ui)?;
    let never: Vec<[String; 2]> = all
        .never()
        .map(|id| ["0".to_string(), id.to_string()])
        .collect();
    table("never", never, ui)
}

/// Rows of a count and what was counted, under a heading.
fn table(heading: &str, rows: Vec<[String; 2]>, ui: &mut Ui) -> io::Result<()> {
    let width = rows
        .iter()
        .map(|[count, _]| count.len())
        .max()
        .unwrap_or_default();
    for (place, [count, what]) in rows.iter().enumerate() {
        let heading = format!("{:<9}", if place == 0 { heading } else { "" });
        ui.line(format!("{} {count:>width$}  {what}", heading.cyan()))?;
    }
    if rows.is_empty() { Ok(()) } else { ui.line("") }
}

fn as_json(args: &RunArgs, games: u32, found: &[Found], line: &str, all: &Tally) -> Json {
    let actions = all.actions.iter().map(|(id, count)| {
        (
            id.to_string(),
            json!({ "times": count.times, "games": count.games }),
        )
    });
    let [least, median, most] = spread(&all.decisions);
    let broken = all.broken.iter().map(
        |(scenario, seed, fault)| json!({ "scenario": scenario, "seed": seed, "fault": fault.to_string() }),
    );
    let scenarios: Vec<Json> = found
        .iter()
        .map(|one| {
            let first = args.seed.unwrap_or(one.scenario.seed);
            json!({ "id": &*one.scenario.id, "title": one.scenario.title, "seed": first, "games": games })
        })
        .collect();
    json!({
        "scenarios": scenarios,
        "selector": if found.len() == 1 { json!(line) } else { Json::Null },
        "games": all.games,
        "winners": winners(all).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "reasons": all.reasons,
        "decisions": { "least": least, "median": median, "most": most },
        "actions": actions.collect::<serde_json::Map<_, _>>(),
        "never": all.never().map(|id| id.to_string()).collect::<Vec<_>>(),
        "broken": broken.collect::<Vec<_>>(),
    })
}

/// What a fault says, whatever it names: of ten games that break off in a line, each over another piece, one is told.
fn without_names(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').step_by(2)
}

fn is_same(one: &Fault, other: &Fault) -> bool {
    let is_in_one_line = one.code == other.code
        && one.place.is_some()
        && one.place == other.place
        && without_names(&one.message).eq(without_names(&other.message));
    is_in_one_line || one == other
}

/// Faults that are the same, told once, each with its scenario and its seeds, in
/// the order in which they came.
fn grouped(broken: &[(String, u64, Fault)]) -> Vec<(&str, Vec<u64>, &Fault)> {
    let mut groups: Vec<(&str, Vec<u64>, &Fault)> = Vec::new();
    for (scenario, seed, fault) in broken {
        let is_it =
            |group: &&mut (&str, Vec<u64>, &Fault)| group.0 == scenario && is_same(group.2, fault);
        match groups.iter_mut().find(is_it) {
            Some(group) => group.1.push(*seed),
            None => groups.push((scenario, vec![*seed], fault)),
        }
    }
    groups
}

/// Numbers in words, those that follow each other by the first and the last: `5 to 8, 11`.
fn in_runs(seeds: &[u64]) -> String {
    let mut sorted = seeds.to_vec();
    sorted.sort_unstable();
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for seed in sorted {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(seed) => *last = seed,
            _ => runs.push((seed, seed)),
        }
    }
    let run = |(first, last): &(u64, u64)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// Games that broke off are told at the end.
fn broken(all: &Tally, ui: &mut Ui) -> Result<(), Failure> {
    if all.broken.is_empty() {
        return Ok(());
    }
    if !ui.is_json() {
        for (scenario, seeds, fault) in grouped(&all.broken) {
            let seeds = match seeds.as_slice() {
                [seed] => format!("seed {seed}"),
                several => format!("seeds {}", in_runs(several)),
            };
            ui.note(&format!("{scenario} with {seeds} broke off:"));
            ui.faults(std::slice::from_ref(fault), Severity::Error)?;
        }
    }
    Err(Failure::Reported)
}

#[cfg(test)]
mod tests {
    use houserule::kernel::error::Place;

    use super::*;

    #[test]
    fn a_fault_of_a_line_is_told_once_whichever_piece_it_names() {
        let one = |seed: u64, line: u32, piece: &str| {
            let fault = Fault::new(FaultCode::Script, format!("`{piece}` is gone"));
            let place = Place::new("raid", "rules/move.luau", line);
            ("raid".to_string(), seed, fault.at(place))
        };
        let broken = [one(5, 3, "blue-1"), one(6, 3, "red-1"), one(7, 9, "red-1")];
        let seeds: Vec<Vec<u64>> = grouped(&broken).into_iter().map(|group| group.1).collect();
        assert_eq!(seeds, [vec![5, 6], vec![7]]);
    }

    #[test]
    fn faults_that_are_the_same_are_told_once_with_their_seeds() {
        let fault = |message: &str| Fault::new(FaultCode::Script, message);
        let one = |seed: u64, message: &str| ("raid".to_string(), seed, fault(message));
        let broken = [
            one(5, "a"),
            one(6, "b"),
            one(7, "a"),
            one(8, "a"),
            one(9, "a"),
        ];
        let groups = grouped(&broken);
        let told: Vec<(String, &str)> = groups
            .iter()
            .map(|(_, seeds, fault)| (in_runs(seeds), &*fault.message))
            .collect();
        assert_eq!(told, [("5, 7 to 9".into(), "a"), ("6".into(), "b")]);
        assert_eq!(in_runs(&[3, 2]), "2, 3");
    }
}
