//! Goldens: what a scenario's report was when a person last read it.
//!
//! The files have insta's format and are compared by our own code, so that
//! nothing but the engine is needed to test a mod.

use std::path::{Path, PathBuf};

use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::event::Event;
use kernel::world::Viewer;
use similar::{ChangeTag, TextDiff};

use matches::play::{Bot, Match, run_script};
use matches::report::{Narrator, ReportLine, ReportOptions};
use matches::scenario::{Scenario, Setup, chance_of};
use matches::workshop::{ComposedRules, Found, Overrides, Workshop};
use rules::printable::clipped;
use rules::types::Unit;

/// Lines of a golden are this wide.
const WIDTH: usize = 110;

/// More inputs than this from bots are a game that does not end.
const MOST_INPUTS: usize = 20_000;

/// So many lines around a change are shown.
const CONTEXT: usize = 2;

/// More lines than this are not compared each with each.
const MOST_COMPARED: usize = 4_000;

/// More lines of a difference than this are counted.
const MOST_SHOWN: usize = 400;

/// Longer lines are clipped where they are compared for a person.
const LONGEST_SHOWN: usize = 400;

/// A golden that differs from what was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Golden {
    /// The mod's folder and the file in it.
    pub file: PathBuf,
    /// What the file holds now, if it is there.
    pub accepted: Option<String>,
    /// What was played.
    pub found: String,
    /// The difference, line by line.
    pub diff: String,
}

/// Where the golden of a scenario is kept, within its mod.
pub fn golden_file(scenario: &str) -> String {
    format!("golden/{scenario}.snap")
}

/// Where the golden of one view is kept, within its mod.
pub fn view_file(scenario: &str, view: &str) -> String {
    format!("golden/{scenario}.{view}.snap")
}

/// Plays a scenario for its golden: its script, or its bots to the end. Every
/// input is taken twice, and both must do the same.
///
/// # Errors
/// The first thing that goes wrong.
pub fn play(workshop: &Workshop, found: &Found) -> Result<(Match, String), Fault> {
    play_by(workshop, found, &Overrides::default())
}

/// The same with overrides of the scenario.
///
/// # Errors
/// As [`play`].
pub fn play_by(
    workshop: &Workshop,
    found: &Found,
    overrides: &Overrides,
) -> Result<(Match, String), Fault> {
    play_in(found, workshop.prepare(found, overrides))
}

/// A scenario made ready: its rules, and its game before it begins.
pub(crate) type PreparedScenario = Result<(ComposedRules, Setup), Vec<Fault>>;

/// The same with what is ready.
pub(crate) fn play_in(found: &Found, prepared: PreparedScenario) -> Result<(Match, String), Fault> {
    let (chosen, mut setup) = prepared.map_err(first)?;
    let scenario = &found.scenario;
    if let Some(chance) = chance_of(&scenario.script) {
        setup.game.set_chance(chance);
    }
    setup.game.watch_audiences();
    let mut game = Match::start(chosen.rulebook, setup)?;
    game.check_twice();
    if scenario.script.is_empty() {
        play_bots(&mut game, scenario)?;
    } else {
        run_script(&mut game, &scenario.script)?;
    }
    Ok((game, chosen.active.line))
}

fn first(faults: Vec<Fault>) -> Fault {
    faults
        .into_iter()
        .next()
        .unwrap_or_else(|| Fault::new(FaultCode::BadScenario, "it does not load"))
}

fn play_bots(game: &mut Match, scenario: &Scenario) -> Result<(), Fault> {
    let seed = game.header().seed;
    let world = game.game().world();
    let bots = scenario
        .bots
        .iter()
        .filter_map(|(name, kind)| Some((world.side(name)?, *kind)));
    let mut bots = bots
        .map(|(side, kind)| (side, Bot::new(kind, seed, side)))
        .collect();
    game.play_bots(&mut bots, |game| game.inputs().len() >= MOST_INPUTS)
}

fn unit_of(scenario: &Scenario) -> Unit {
    if scenario.is_metric {
        Unit::Centimetres
    } else {
        Unit::Inches
    }
}

/// The report of a match as a golden holds it.
pub fn golden_text(game: &Match, line: &str, scenario: &Scenario) -> String {
    let head = format!("seed {}", scenario.seed);
    let mut transcript = Transcript::new(game, Viewer::Referee, &head, line, scenario);
    transcript.tell(game, &game.events());
    let hash = game.hash().short();
    transcript.finish(
        game,
        &format!("{} inputs   state {hash}", game.inputs().len()),
    )
}

/// What one viewer is told of a match, as a golden holds it; a side no seed,
/// and the hash of the view alone.
struct Transcript {
    narrator: Narrator,
    text: String,
    /// How many events of the match were told or passed over.
    passed: usize,
}

impl Transcript {
    fn new(
        game: &Match,
        viewer: Viewer,
        head: &str,
        line: &str,
        scenario: &Scenario,
    ) -> Transcript {
        let options = ReportOptions {
            unit: unit_of(scenario),
            causes: true,
        };
        let narrator = Narrator::new(game.rulebook().book(), viewer, options);
        let text = format!(
            "scenario  {}   format 1   {head}\nrules     {line}\n\n",
            scenario.id
        );
        Transcript {
            narrator,
            text,
            passed: 0,
        }
    }

    /// Tells what is new; in the middle of an action nothing.
    fn tell_new(&mut self, game: &Match) {
        if !matches!(game.wanted(), Wanted::Act { .. } | Wanted::Over) {
            return;
        }
        let fresh = game.settled_events().get(self.passed..).unwrap_or_default();
        self.passed = game.settled_events().len();
        self.tell(game, fresh);
    }

    fn tell(&mut self, game: &Match, events: &[Event]) {
        for event in self.narrator.show(game.game(), events) {
            let lines = self.narrator.lines(&event);
            self.write(&lines);
        }
    }

    fn write(&mut self, lines: &[ReportLine]) {
        for line in lines {
            self.text.push_str(line.plain(WIDTH).trim_end());
            self.text.push('\n');
        }
    }

    fn finish(mut self, game: &Match, end: &str) -> String {
        if let Some(result) = game.view(self.narrator.viewer()).result {
            self.text.push('\n');
            self.write(&self.narrator.result(game.game(), &result));
        }
        self.text.push_str(&format!("\nend       {end}\n"));
        self.text
    }
}

/// Compares what was played with what was accepted.
pub fn compare(accepted: Option<&str>, found: &str, file: PathBuf) -> Option<Golden> {
    let body = accepted.map(body_of);
    if body.as_deref() == Some(found.trim_end()) {
        return None;
    }
    let diff = difference(body.as_deref().unwrap_or_default(), found.trim_end());
    Some(Golden {
        file,
        accepted: body,
        found: found.to_string(),
        diff,
    })
}

/// The difference of two texts, line by line, as far as a person reads it.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    // What is the same at the beginning and at the end is not compared again.
    let same = std::iter::zip(&old, &new)
        .take_while(|(a, b)| a == b)
        .count();
    let first = same.saturating_sub(CONTEXT);
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let same = std::iter::zip(old_rest.iter().rev(), new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let end = same.saturating_sub(CONTEXT);
    let (old, new) = (&old[first..old.len() - end], &new[first..new.len() - end]);
    let lines = match old.len() + new.len() <= MOST_COMPARED {
        true => hunks(old, new, first),
        // To find what moved where would take longer than anybody waits.
        false => {
            let head = [format!(
                "@@ {} lines for {} from line {} @@",
                new.len(),
                old.len(),
                first + 1
            )];
            let gone = old
                .iter()
                .take(MOST_SHOWN / 4)
                .map(|line| format!("-{line}"));
            let come = new
                .iter()
                .take(MOST_SHOWN / 4)
                .map(|line| format!("+{line}"));
            head.into_iter().chain(gone).chain(come).collect()
        }
    };
    let rest = lines.len().saturating_sub(MOST_SHOWN);
    let mut text = String::from("--- accepted\n+++ played\n");
    for line in lines.iter().take(MOST_SHOWN) {
        text.push_str(&clipped(line, LONGEST_SHOWN));
        text.push('\n');
    }
    if rest > 0 {
        text.push_str(&format!("… and {rest} more lines\n"));
    }
    text
}

/// The difference in hunks, with some lines around each change.
fn hunks(old: &[&str], new: &[&str], before: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for group in TextDiff::from_slices(old, new).grouped_ops(CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let range = |from: usize, to: usize| match to - from {
            0 => format!("{},0", before + from),
            1 => format!("{}", before + from + 1),
            count => format!("{},{count}", before + from + 1),
        };
        let (olds, news) = (
            first.old_range().start..last.old_range().end,
            first.new_range().start..last.new_range().end,
        );
        lines.push(format!(
            "@@ -{} +{} @@",
            range(olds.start, olds.end),
            range(news.start, news.end)
        ));
        for change in group.iter().flat_map(|op| op.iter_changes(old, new)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            lines.push(format!("{sign}{}", change.value()));
        }
    }
    lines
}

/// The text of a golden file without its header.
fn body_of(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let body = match text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
    {
        Some((_, body)) => body,
        None => &text,
    };
    body.trim_end().to_string()
}

/// Writes a golden that a person has read.
///
/// # Errors
/// When the file cannot be written.
pub fn accept(folder: &Path, golden: &Golden, title: &str) -> std::io::Result<()> {
    let path = folder.join(&golden.file);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let stem = golden
        .file
        .file_stem()
        .map(|stem| stem.to_string_lossy().to_string())
        .unwrap_or_default();
    // Ids hold no dot: what follows one is the view.
    let name = stem.split('.').next().unwrap_or_default();
    let text = format!(
        "---\nsource: scenarios/{name}.ron\ndescription: {}\nexpression: scenario\n---\n{}\n",
        serde_json::Value::String(title.to_string()),
        golden.found.trim_end()
    );
    std::fs::write(path, text)
}

/// Plays the inputs of a match again under rules of another machine, and gives
/// what each of the scenario's views was told.
///
/// # Errors
/// When an input is refused now, or the end is another.
pub(crate) fn replay_in(
    found: &Found,
    prepared: PreparedScenario,
    played: &Match,
) -> Result<Vec<String>, Fault> {
    let wrong = |message: String| Fault::new(FaultCode::BadGolden, message);
    let (chosen, mut setup) = prepared.map_err(first)?;
    if let Some(chance) = chance_of(&found.scenario.script) {
        setup.game.set_chance(chance);
    }
    let mut again = Match::start(chosen.rulebook, setup)?;
    let mut views: Vec<Transcript> = Vec::new();
    for view in &found.scenario.views {
        let viewer = again
            .game()
            .world()
            .side(view)
            .map_or(Viewer::Spectator, Viewer::Side);
        let head = format!("view of {view}");
        views.push(Transcript::new(
            &again,
            viewer,
            &head,
            &chosen.active.line,
            &found.scenario,
        ));
    }
    views.iter_mut().for_each(|view| view.tell_new(&again));
    for (i, input) in played.recorded_inputs().iter().enumerate() {
        let refused = again.repeat(input)?;
        if let Some(reason) = refused {
            return Err(wrong(format!(
                "replayed from its inputs, input {} is not taken: {reason}",
                i + 1
            )));
        }
        views.iter_mut().for_each(|view| view.tell_new(&again));
    }
    if again.hash() != played.hash() || again.events() != played.events() {
        return Err(wrong(
            "replayed from its inputs, it comes out differently".into(),
        ));
    }
    let end = |view: &Transcript| {
        format!(
            "view {}",
            again.game().view_hash(view.narrator.viewer()).short()
        )
    };
    let finish = |view: Transcript| {
        let end = end(&view);
        view.finish(&again, &end)
    };
    Ok(views.into_iter().map(finish).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        compare(Some(old), new, PathBuf::new()).map_or_else(String::new, |golden| golden.diff)
    }

    #[test]
    fn a_difference_shows_what_is_around_it() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl";
        let new = "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nL";
        let shown = "--- accepted\n+++ played\n@@ -3,5 +3,5 @@\n c\n d\n-e\n+E\n f\n g\n\
                     @@ -10,3 +10,3 @@\n j\n k\n-l\n+L\n";
        assert_eq!(diff(old, new), shown);
        assert_eq!(diff("a\r\nb", "a\nb"), "");
        assert_eq!(
            diff("", "a"),
            "--- accepted\n+++ played\n@@ -1 +1 @@\n-\n+a\n"
        );
    }

    #[test]
    fn a_difference_of_any_size_is_shown_at_once_and_is_short() {
        let lines = |words: &[&str]| {
            let line = |n: usize| format!("{}{n}\n", words[n % words.len()]);
            (0..200_000).map(line).collect::<String>()
        };
        let (old, new) = (lines(&["a", "b"]), lines(&["b", "c", "d"]));
        let shown = diff(&old, &new);
        assert!(
            shown.contains("@@ 200000 lines for 200000 from line 1 @@\n-a0\n"),
            "{}",
            &shown[..200]
        );
        assert!(shown.len() < 10_000);
        // One change in much that is the same.
        let shown = diff(&old, &old.replace("a100000\n", "x\n"));
        assert!(
            shown.contains("@@ -99999,5 +99999,5 @@\n a99998\n"),
            "{shown}"
        );
        let wide = diff(&"a".repeat(2_000_000), &"b".repeat(2_000_000));
        assert!(
            wide.len() < 2_000 && wide.contains("… (2000001 letters)"),
            "{wide}"
        );
    }
}
