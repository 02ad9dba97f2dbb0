//! `houserule impact`: what house rules do to a scenario.

mod journals;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use clap::Args;
use houserule::analysis::conflicts::Party;
use houserule::analysis::impact::chances::{Between, ChancesMonitor, MOST_RUNS, chances};
use houserule::analysis::impact::{
    Baseline, Games, Impact, ImpactQuery, PairError, PairQuery, PairSide, report,
};
use houserule::invalidation::{Edition, Outlines, invalidation, selected};
use houserule::kernel::error::{Fault, FaultCode};
use houserule::play::Invalidation;
use houserule::printed::{Page, Piece, html, markdown};
use houserule::workshop::{ComposedRules, Found, Overrides, Workshop};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use super::play::hearing::Signal;
use super::play::watcher::watch;
use super::simulate::{can_be_written, count_of_jobs};
use crate::failure::Failure;
use crate::globals::Format;
use crate::interrupt::{Interrupted, interrupted};
use crate::players::Bots;
use crate::progress::{GAMES, bar, tells};
use crate::selection::Selection;
use crate::ui::Ui;
use houserule::printable::counted;

/// How often it is looked whether somebody has had enough.
const TICK: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  houserule impact iceburg:rfac --scenario skirmish
  houserule impact iceburg --scenario border-raid --games 400 --out iceburg.html
  houserule impact iceburg:rfac --each --scenario street-sweep        each of its clauses
  houserule impact my_rules --scenario skirmish --journals evenings   your games, by the new rule
  houserule impact my_rules --scenario skirmish --out now.html --watch";

/// Plays a scenario with and without house rules, and tells what they do.
///
/// Pairs of games have one seed, and bots decide afresh in both. Told are who wins
/// how much more often, how long games last, what happens more or less often, each
/// with the interval that chance leaves open; decisions that became illegal; and
/// the odds of what the house rule stands behind.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ImpactArgs {
    /// A mod, a group or a clause, in quotes also with options of it; several are asked of one by one
    #[arg(value_name = "SELECTOR", required = true)]
    pub subjects: Vec<String>,
    /// The scenario
    #[arg(long, value_name = "SCENARIO")]
    pub scenario: String,
    /// Ask of each clause by itself
    #[arg(long)]
    pub each: bool,
    /// How many pairs of games
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// How many games at once; without it, as many as there are cores
    #[arg(long, value_name = "N", value_parser = count_of_jobs)]
    pub jobs: Option<usize>,
    /// The seed of the first pair, instead of the scenario's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::selection::seed)]
    pub seed: Option<u64>,
    /// How many turns games last, instead of the scenario's number
    #[arg(long, value_name = "N", value_parser = crate::selection::turns)]
    pub turns: Option<u32>,
    /// A folder of journals, whose decisions are made again by the new rules
    #[arg(long, value_name = "DIR")]
    pub journals: Option<PathBuf>,
    /// Write the report into a file: `.html`, `.md` or `.json`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write it anew whenever something in the mods is saved
    #[arg(long, requires = "out")]
    pub watch: bool,
    /// Who decides.
    #[command(flatten)]
    pub players: Bots,
    /// Which other house rules to use, in both games of a pair.
    #[command(flatten)]
    pub selection: Selection,
}

/// Runs the command.
///
/// # Errors
/// What is wrong with the scenario, its mods or a journal; a file that cannot be
/// written.
pub fn run(args: &ImpactArgs, ui: &mut Ui) -> Result<(), Failure> {
    ui.note_broken();
    let format = super::book::format_of(args.out.as_deref(), ui)?;
    if let Some(folder) = &args.journals {
        journals::are_in(folder)?;
    }
    if let Some(path) = &args.out {
        can_be_written(path)?;
    }
    let (sender, saved) = channel();
    if args.watch {
        watch(&ui.folders, sender).map_err(Failure::Plain)?;
    }
    let stop = interrupted();
    let mut memory = PlayedMemory::default();
    loop {
        let workshop = ui.workshop.clone();
        let outcome = impacts(args, &workshop, &mut memory, ui);
        let outcome = outcome.and_then(|asked| tell_all(&asked, format, args, ui));
        if let Some(played) = memory.played.take() {
            ui.note(&played);
        }
        match outcome {
            Err(Failure::Stopped) => return Err(Failure::Stopped),
            outcome if !args.watch => return outcome,
            Err(failure) => _ = ui.tell(failure),
            Ok(()) => {}
        }
        if !is_saved(&saved, &stop) {
            if !stop.is_set() {
                return Ok(());
            }
            ui.note(&format!("stopped watching{}", kept_in(args)));
            return Err(Failure::Stopped);
        }
        let (workshop, broken) = Workshop::open(&ui.folders);
        ui.workshop = workshop.into();
        ui.note_left_out(&broken);
    }
}

/// Where the last report stands.
fn kept_in(args: &ImpactArgs) -> String {
    let out = args.out.iter().filter(|path| path.exists());
    out.map(|path| format!(": the last report is in {}", path.display()))
        .collect()
}

/// Waits until something is saved; no once somebody has had enough, or nothing can be watched any more.
fn is_saved(saved: &Receiver<Signal>, stop: &Interrupted) -> bool {
    loop {
        match saved.recv_timeout(TICK) {
            Ok(_) => {
                while saved.try_recv().is_ok() {}
                return true;
            }
            Err(RecvTimeoutError::Timeout) if !stop.is_set() => {}
            Err(_) => return false,
        }
    }
}

/// Games of one set of rules, with what they were played by.
struct RuleSide {
    workshop: Rc<Workshop>,
    chosen: ComposedRules,
    games: Games,
}

impl RuleSide {
    fn edition(&self) -> Edition<'_> {
        edition(&self.workshop, &self.chosen)
    }
}

fn edition<'a>(workshop: &'a Workshop, chosen: &'a ComposedRules) -> Edition<'a> {
    Edition {
        workshop,
        active: &chosen.active,
        rulebook: &chosen.rulebook,
    }
}

/// What was played before a file was saved, by selector lines.
#[derive(Default)]
struct PlayedMemory {
    scenario: Option<Arc<str>>,
    sides: BTreeMap<String, RuleSide>,
    outlines: Outlines,
    /// How many games were played for the last report, for whoever watches.
    played: Option<String>,
}

impl PlayedMemory {
    /// Games of another scenario are of no use.
    fn is_about(&mut self, found: &Found) {
        if self.scenario.as_ref() != Some(&found.source) {
            self.sides.clear();
            self.scenario = Some(found.source.clone());
        }
    }
}

/// How games are played of which some may be known.
struct Playing<'a> {
    question: &'a ImpactQuery<'a>,
    workshop: &'a Rc<Workshop>,
    stop: &'a (dyn Fn() -> bool + Sync),
    done: &'a (dyn Fn() + Sync),
}

impl Playing<'_> {
    fn chosen(&self, overrides: &Overrides) -> Result<ComposedRules, Vec<Fault>> {
        self.workshop
            .request(&self.question.found.scenario, overrides)
            .and_then(|all| self.workshop.compose(&all))
    }

    /// What was played by the same selection before a file was saved, with what is other since; nothing where all
    /// of it may be.
    fn played_before(
        &self,
        chosen: &ComposedRules,
        memory: &mut PlayedMemory,
    ) -> Option<(RuleSide, Invalidation)> {
        let old = memory.sides.remove(&chosen.active.line)?;
        let now = edition(self.workshop, chosen);
        let since = invalidation(&old.edition(), &now, &mut memory.outlines);
        (since != Invalidation::Everything).then_some((old, since))
    }

    /// Plays pairs without a house rule and with it, where so many are asked of at once.
    /// `known` are the games that were played without the one before.
    fn both(
        &self,
        party: &Party,
        args: &ImpactArgs,
        asked: usize,
        known: Option<RuleSide>,
        memory: &mut PlayedMemory,
    ) -> Result<RuleGames, Failure> {
        let without = self.question.overrides_with(party, false);
        let with = self.question.overrides_with(party, true);
        let house = self.chosen(&with)?;
        if party.clauses.is_disjoint(&house.active.clauses) {
            return Err(Failure::Usage(format!(
                "expected a house rule that one side of each pair has, found that `{party}` is left out on both"
            )));
        }
        let base = self
            .chosen(&without)
            .map_err(|faults| needed(party, faults))?;
        // To note what games reach is worth it where some need not be played again for it.
        let between = selected(
            &edition(self.workshop, &base),
            &edition(self.workshop, &house),
        );
        let notes = args.watch || asked > 1 || between != Invalidation::Everything;
        // Games by the same rules need not be played again.
        let known = known.filter(|side| side.chosen.active.line == base.active.line);
        let old_base = match known {
            Some(_) => None,
            None => self.played_before(&base, memory),
        };
        let old_house = self.played_before(&house, memory);
        let query = PairQuery {
            question: self.question,
            before: PairSide {
                overrides: &without,
                known: known.as_ref().map(all_of).or(old_base.as_ref().map(since)),
                notes,
            },
            after: PairSide {
                overrides: &with,
                known: old_house.as_ref().map(since),
                notes: args.watch,
            },
            beside: Some(&between),
        };
        let pairs = query
            .play(self.stop, self.done)
            .map_err(|error| match error {
                PairError::Before(faults) => needed(party, faults),
                PairError::After(faults) => faults,
            })?;
        let side = |chosen, games| RuleSide {
            workshop: self.workshop.clone(),
            chosen,
            games,
        };
        Ok(RuleGames {
            before: known.unwrap_or_else(|| side(base, pairs.before)),
            after: side(house, pairs.after),
            without,
            with,
        })
    }
}

/// Games of which nothing is other.
fn all_of(side: &RuleSide) -> Baseline<'_> {
    Baseline {
        games: &side.games,
        invalidation: None,
    }
}

/// Games, with what is other since they were played.
fn since((side, other): &(RuleSide, Invalidation)) -> Baseline<'_> {
    Baseline {
        games: &side.games,
        invalidation: Some(other),
    }
}

/// Faults of games without a house rule, with what they come to: a scenario can stand on the rule itself.
fn needed(party: &Party, mut faults: Vec<Fault>) -> Vec<Fault> {
    let message = format!("the scenario cannot be played without `{}`", party.selector);
    let fault = Fault::new(FaultCode::BadScenario, message).hint(
        "nothing can be held against it there: ask of a scenario of the game that it changes",
    );
    faults.push(fault);
    faults
}

/// Games without a house rule and with it, and the overrides of both.
struct RuleGames {
    without: Overrides,
    with: Overrides,
    before: RuleSide,
    after: RuleSide,
}

/// What was asked, and what it came to until somebody had enough.
struct AskedImpacts {
    impacts: Vec<Impact>,
    /// How many house rules were to be asked of.
    wanted: usize,
    is_stopped: bool,
}

/// Asks of each house rule.
fn impacts(
    args: &ImpactArgs,
    workshop: &Rc<Workshop>,
    memory: &mut PlayedMemory,
    ui: &mut Ui,
) -> Result<AskedImpacts, Failure> {
    let found = workshop.scenario(&args.scenario)?;
    memory.is_about(&found);
    let parties = parties(args, workshop)?;
    let players = args.players.of(&found)?;
    let overrides = Overrides {
        turns: args.turns,
        ..args.selection.overrides()?
    };
    let question = ImpactQuery {
        workshop,
        found: &found,
        overrides: &overrides,
        players: &players,
        jobs: args.jobs,
        seed: args.seed.unwrap_or(found.scenario.seed),
        games: args.games,
    };
    let stop = interrupted();
    let bar = bar(ui, args.games * 2 * parties.len() as u64);
    let (is_stopped, done) = (|| stop.is_set(), || bar.inc(1));
    let playing = Playing {
        question: &question,
        workshop,
        stop: &is_stopped,
        done: &done,
    };
    let asked = parties.len();
    let (mut impacts, mut sides) = (Vec::new(), Vec::new());
    let mut known: Option<RuleSide> = None;
    for party in &parties {
        let compared = playing.both(party, args, asked, known.take(), memory)?;
        let about = AskedAbout {
            party,
            asked,
            bar: &bar,
        };
        impacts.push(impact_of(&about, &compared, &playing, args, ui)?);
        sides.push(compared.after);
        known = Some(compared.before);
        if stop.is_set() {
            break;
        }
    }
    bar.finish_and_clear();
    let is_stopped = stop.is_set();
    if args.watch {
        sides.extend(known);
        remember(sides, memory);
    }
    Ok(AskedImpacts {
        impacts,
        wanted: asked,
        is_stopped,
    })
}

/// Tells what was asked; of what was stopped the pairs that were played, and how many they are.
fn tell_all(
    asked: &AskedImpacts,
    format: Format,
    args: &ImpactArgs,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let told: &[Impact] = match asked.impacts.split_last() {
        // Of the last house rule there may be no pair yet.
        Some((last, others)) if asked.is_stopped && last.played == 0 => others,
        _ => &asked.impacts,
    };
    if !told.is_empty() {
        tell(told, format, args, ui)?;
    }
    if asked.is_stopped {
        ui.note(&stopped_at(told, asked.wanted));
        return Err(Failure::Stopped);
    }
    match told.iter().all(|one| one.broken.is_empty()) {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// How far it had come when it was stopped.
fn stopped_at(told: &[Impact], wanted: usize) -> String {
    let Some(last) = told.last() else {
        return "stopped before a pair of games was over: there is nothing to tell yet".into();
    };
    let pairs = match last.is_stopped() {
        true => format!(
            "stopped after {} of {} pairs of games",
            last.played, last.wanted
        ),
        false => format!(
            "stopped after all {} of games: of what is counted after them it tells what there is",
            counted(last.wanted as usize, "pair")
        ),
    };
    let of = match wanted {
        1 => String::new(),
        _ => format!(
            " of `{}`, house rule {} of {wanted}",
            last.subject,
            told.len()
        ),
    };
    format!("{pairs}{of}")
}

/// What is asked of, beside how many others, and where it is told how far it has come.
struct AskedAbout<'a> {
    party: &'a Party,
    asked: usize,
    bar: &'a ProgressBar,
}

/// What a house rule does to the games; decisions of before and the odds are left
/// out once somebody has had enough.
fn impact_of(
    about: &AskedAbout<'_>,
    compared: &RuleGames,
    playing: &Playing<'_>,
    args: &ImpactArgs,
    ui: &mut Ui,
) -> Result<Impact, Vec<Fault>> {
    let question = playing.question;
    let (before, after) = (&compared.before.games, &compared.after.games);
    let mut impact = Impact::of(question, about.party, about.asked, before, after);
    if (playing.stop)() {
        return Ok(impact);
    }
    impact.past = journals::again(args, playing, about.party, compared, ui)?;
    if (playing.stop)() {
        return Ok(impact);
    }
    let between = Between {
        workshop: playing.workshop,
        found: question.found,
        before: &compared.without,
        after: &compared.with,
    };
    let Some(first) = after.games.first() else {
        return Ok(impact);
    };
    tells(about.bar, "{pos} of {len} games, {msg}");
    let ran = |runs: u64| {
        let message = format!("odds: {runs} of at most {MOST_RUNS} runs");
        about.bar.set_message(message);
    };
    ran(0);
    let watch = ChancesMonitor {
        stop: playing.stop,
        ran: &ran,
    };
    let seed = first.row.seed;
    let counted = chances(&between, about.party, seed, &first.course, watch)?;
    tells(about.bar, GAMES);
    impact.chances = counted.found;
    impact.uncounted = counted.uncounted;
    Ok(impact)
}

/// Keeps games until a file is saved, and how many were played for this report.
fn remember(sides: Vec<RuleSide>, memory: &mut PlayedMemory) {
    let all: u64 = sides.iter().map(|side| side.games.games.len() as u64).sum();
    let reused: u64 = sides.iter().map(|side| side.games.reused).sum();
    memory.played = Some(format!(
        "{} of {} were played, the others are the same as before",
        all - reused,
        counted(all as usize, "game")
    ));
    memory.sides = sides
        .into_iter()
        .map(|side| (side.chosen.active.line.clone(), side))
        .collect();
}

fn parties(args: &ImpactArgs, workshop: &Workshop) -> Result<Vec<Party>, Failure> {
    let mut found: Vec<Party> = Vec::new();
    for text in &args.subjects {
        let party = Party::read(workshop, text)?;
        if party.clauses.is_empty() {
            return Err(Failure::Plain(format!(
                "expected house rules, found that no clause of `{text}` is on by default: name those that are meant"
            )));
        }
        let is_same = |one: &&Party| {
            one.clauses == party.clauses
                && one.options == party.options
                && one.amends == party.amends
        };
        if let Some(before) = found.iter().find(is_same) {
            return Err(Failure::Usage(format!(
                "expected house rules that differ, found `{text}` beside `{before}`"
            )));
        }
        found.push(party);
    }
    if args.each {
        // A clause of two of them is one.
        let mut names = BTreeSet::new();
        found = found
            .iter()
            .flat_map(|party| party.parts(workshop))
            .filter(|part| names.insert(part.to_string()))
            .collect();
    }
    Ok(found)
}

fn tell(impacts: &[Impact], format: Format, args: &ImpactArgs, ui: &mut Ui) -> Result<(), Failure> {
    let page = report::page(impacts);
    let text = match format {
        Format::Json => format!("{:#}\n", as_json(impacts)),
        Format::Html => html::write(&page),
        // On a terminal a picture is a line of thousands of letters.
        Format::Text => markdown::write(&without_pictures(page)),
        _ => markdown::write(&page),
    };
    super::book::put(&text, args.out.as_deref(), ui)
}

fn without_pictures(mut page: Page) -> Page {
    page.pieces
        .retain(|piece| !matches!(piece, Piece::Picture { .. }));
    page
}

fn as_json(impacts: &[Impact]) -> Json {
    let each = impacts.iter().map(|one| {
        let past: Vec<Json> = one
            .past
            .iter()
            .map(|past| {
                let refused = past.refused.as_ref().map(|refused| {
                json!({ "decision": refused.decision, "text": refused.text, "reason": refused.reason })
            });
                json!({ "of": past.of, "decisions": past.decisions, "refused": refused })
            })
            .collect();
        let broken: Vec<Json> =
            one.broken.iter().map(|(seed, fault)| json!({ "seed": seed, "fault": fault })).collect();
        let mut json = json!({
            "subject": one.subject, "scenario": one.scenario[0], "without": one.selectors[0],
            "with": one.selectors[1], "seed": one.seed, "pairs": one.pairs, "asked": one.asked, "spared": one.spared,
            "differing": one.differing, "turned": one.turned, "broken": broken, "wins": one.wins,
            "measures": one.measures, "happenings": one.happenings, "past": past, "chances": one.chances,
            "uncounted": one.uncounted.iter().map(|id| &**id).collect::<Vec<_>>(),
        });
        if one.is_stopped() {
            json["stopped"] = json!({ "played": one.played, "of": one.wanted });
        }
        json
    });
    json!({ "impacts": each.collect::<Vec<_>>() })
}
