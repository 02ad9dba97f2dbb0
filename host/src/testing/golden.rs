//! Goldens: what a scenario's report was when a person last read it.
//!
//! The files have insta's format and are compared by our own code, so that
//! nothing but the engine is needed to test a mod.

use std::path::{Path, PathBuf};

use kernel::engine::Wanted;
use kernel::error::{Fault, FaultCode};
use kernel::world::Viewer;
use similar::TextDiff;

use crate::play::{Bot, Match};
use crate::report::{Phrases, Report, ReportLine, ReportOptions, Told, result_lines};
use crate::scenario::{Scenario, chance_of, run_script};
use crate::types::Unit;
use crate::workshop::{Found, Wishes, Workshop};

/// Lines of a golden are this wide.
const WIDTH: usize = 110;

/// More inputs than this from bots are a game that does not end.
const MOST_INPUTS: usize = 20_000;

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
    let first = |faults: Vec<Fault>| {
        faults.into_iter().next().unwrap_or_else(|| Fault::new(FaultCode::BadScenario, "it does not load"))
    };
    let (chosen, mut setup) = workshop.prepare(found, &Wishes::default()).map_err(first)?;
    let scenario = &found.scenario;
    if let Some(chance) = chance_of(&scenario.script) {
        setup.game.set_chance(chance);
    }
    let mut game = Match::start(chosen.rulebook, setup)?;
    game.check_twice();
    if scenario.script.is_empty() {
        play_bots(&mut game, scenario)?;
    } else {
        run_script(&mut game, &scenario.script)?;
    }
    Ok((game, chosen.active.line))
}

fn play_bots(game: &mut Match, scenario: &Scenario) -> Result<(), Fault> {
    let seed = game.header().seed;
    let world = game.game().world();
    let bots = scenario.bots.iter().filter_map(|(name, kind)| Some((world.side(name)?, *kind)));
    let mut bots = bots.map(|(side, kind)| (side, Bot::new(kind, seed, side))).collect();
    game.play_bots(&mut bots, |game| game.inputs().len() >= MOST_INPUTS)
}

fn unit_of(scenario: &Scenario) -> Unit {
    if scenario.is_metric { Unit::Centimetres } else { Unit::Inches }
}

/// The report of a match as a golden holds it.
pub fn golden_text(game: &mut Match, line: &str, scenario: &Scenario) -> String {
    let unit = unit_of(scenario);
    let mut text =
        format!("scenario  {}   format 1   seed {}\nrules     {line}\n\n", scenario.id, scenario.seed);
    let mut report = Report::new(ReportOptions { unit, causes: true }, game.rulebook().book());
    let names = |entity| game.game().label(Viewer::Referee, entity);
    for event in game.events_for(Viewer::Referee) {
        for line in report.event(&event, &names) {
            text.push_str(line.plain(WIDTH).trim_end());
            text.push('\n');
        }
    }
    if let Some(result) = game.game().finished() {
        text.push('\n');
        for line in result_lines(result, &Phrases { unit, names: &names }) {
            text.push_str(line.plain(WIDTH).trim_end());
            text.push('\n');
        }
    }
    let hash = game.hash().short();
    text.push_str(&format!("\nend       {} inputs   state {hash}\n", game.inputs().len()));
    text
}

/// What one viewer is told of a match, as a golden holds it: no seed, and the
/// hash of the view alone.
struct ViewText {
    told: Told,
    text: String,
    /// How many events of the match were told or passed over.
    passed: usize,
}

impl ViewText {
    fn new(game: &Match, viewer: Viewer, view: &str, line: &str, scenario: &Scenario) -> ViewText {
        let told = Told::new(game.rulebook().book(), viewer, unit_of(scenario));
        let text = format!("scenario  {}   format 1   view of {view}\nrules     {line}\n\n", scenario.id);
        ViewText { told, text, passed: 0 }
    }

    /// Tells what is new; in the middle of an action nothing.
    fn tell(&mut self, game: &Match) {
        if !matches!(game.wanted(), Wanted::Act { .. } | Wanted::Over) {
            return;
        }
        let fresh = game.told().get(self.passed..).unwrap_or_default();
        self.passed = game.told().len();
        for event in self.told.show(game.game(), fresh) {
            self.lines(&mut |told| told.lines(&event));
        }
    }

    fn lines(&mut self, lines: &mut dyn FnMut(&mut Told) -> Vec<ReportLine>) {
        for line in lines(&mut self.told) {
            self.text.push_str(line.plain(WIDTH).trim_end());
            self.text.push('\n');
        }
    }

    fn finish(mut self, game: &Match) -> String {
        let viewer = self.told.viewer();
        if let Some(result) = game.view(viewer).result {
            self.text.push('\n');
            self.lines(&mut |told| told.result(game.game(), &result));
        }
        let hash = game.game().view_hash(viewer).short();
        self.text.push_str(&format!("\nend       view {hash}\n"));
        self.text
    }
}

/// Compares what was played with what was accepted.
pub fn compare(accepted: Option<&str>, found: &str, file: PathBuf) -> Option<Golden> {
    let body = accepted.map(body_of);
    if body.as_deref() == Some(found.trim_end()) {
        return None;
    }
    let old = body.clone().unwrap_or_default();
    let diff = TextDiff::from_lines(format!("{old}\n"), format!("{}\n", found.trim_end()))
        .unified_diff()
        .context_radius(2)
        .header("accepted", "played")
        .to_string();
    Some(Golden { file, accepted: body, found: found.to_string(), diff })
}

/// The text of a golden file without its header.
fn body_of(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let body = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
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
    let stem = golden.file.file_stem().map(|stem| stem.to_string_lossy().to_string()).unwrap_or_default();
    // Ids hold no dot: what follows one is the view.
    let name = stem.split('.').next().unwrap_or_default();
    let text = format!(
        "---\nsource: scenarios/{name}.ron\ndescription: {}\nexpression: scenario\n---\n{}\n",
        serde_json::Value::String(title.to_string()),
        golden.found.trim_end()
    );
    std::fs::write(path, text)
}

/// Plays the inputs of a match again under rules that were composed afresh,
/// and gives what each of the scenario's views was told.
///
/// # Errors
/// When an input is refused now, or the end is another.
pub fn replay(workshop: &Workshop, found: &Found, played: &mut Match) -> Result<Vec<String>, Fault> {
    let wrong = |message: String| Fault::new(FaultCode::BadGolden, message);
    let first =
        |faults: Vec<Fault>| faults.into_iter().next().unwrap_or_else(|| wrong("it does not load".into()));
    let (chosen, mut setup) = workshop.prepare(found, &Wishes::default()).map_err(first)?;
    if let Some(chance) = chance_of(&found.scenario.script) {
        setup.game.set_chance(chance);
    }
    let mut again = Match::start(chosen.rulebook, setup)?;
    let mut views: Vec<ViewText> = Vec::new();
    for view in &found.scenario.views {
        let viewer = again.game().world().side(view).map_or(Viewer::Spectator, Viewer::Side);
        views.push(ViewText::new(&again, viewer, view, &chosen.active.line, &found.scenario));
    }
    views.iter_mut().for_each(|view| view.tell(&again));
    for (i, input) in played.inputs().to_vec().iter().enumerate() {
        again.submit(input).map_err(|refused| {
            wrong(format!("replayed from its inputs, input {} is not taken: {refused}", i + 1))
        })?;
        views.iter_mut().for_each(|view| view.tell(&again));
    }
    if again.hash() != played.hash() || again.events() != played.events() {
        return Err(wrong("replayed from its inputs, it comes out differently".into()));
    }
    Ok(views.into_iter().map(|view| view.finish(&again)).collect())
}
