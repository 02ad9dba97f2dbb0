//! A moment of a game as a case in Luau: written, laid out, run by the mods as they are now, and held against the
//! clauses that it reaches.

use std::collections::BTreeSet;

use analysis::moment::{Keeping, Moment};
use analysis::staged::{CaseHeading, Staged, stage};
use kernel::error::{Fault, FaultCode};
use kernel::value::Name;
use lint::format::formatted;
use matches::workshop::Workshop;
use rules::modset::manifest::Effect;
use rules::modset::selector::Request;
use testing::{Filter, TrialCase, Trials, run_for_audiences};

/// More clauses than this are not tried: each is a rulebook without it.
const MOST_CLAUSES: usize = 40;

/// A case that passes, and fails without the clauses that it cites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptCase {
    /// Where it belongs in its mod: `tests/NAME.luau`.
    pub path: String,
    /// The text of that file.
    pub text: String,
    /// The event, as a report tells it.
    pub shows: String,
    /// The rule of the step that it runs.
    pub step: Name,
    /// How much it sets, and how much had become otherwise since the game began.
    pub changes: [usize; 2],
    /// The clauses without which it fails.
    pub cites: Vec<Name>,
    /// How many times the step was run to shrink it.
    pub tries: usize,
}

/// What a case needs to be written, but for what it cites.
struct Draft<'a> {
    workshop: &'a Workshop,
    home: Name,
    path: String,
    title: String,
    scenario: String,
    with: Vec<String>,
    without: Vec<String>,
    request: Request,
}

/// Keeps a moment as a case of a mod; of the mod whose scenario it was, without one. `tried` is told of each run of its
/// step: how many, and how much is left to be set.
///
/// # Errors
/// Why it cannot be a case, in words that come after "no case:".
pub fn case_of(
    workshop: &Workshop,
    home: Option<&str>,
    moment: &Moment<'_>,
    keeping: &Keeping<'_>,
    tried: &mut dyn FnMut(usize, usize),
) -> Result<KeptCase, String> {
    let draft = draft(workshop, home, moment, keeping)?;
    let Some(mut staged) = stage(moment, keeping, tried) else {
        return Err("no step of its decision shows the event by itself".into());
    };
    let passes = |why: String| format!("by the mods as they are now it does not pass: {why}");
    let mut text = draft.text(&staged, &[])?;
    let cites = draft.cites(&staged, &text, keeping).map_err(passes)?;
    if !cites.is_empty() {
        text = draft.text(&staged, &cites)?;
        draft.still_passes(&text).map_err(passes)?;
    }
    if let Err(why) = draft.tells_no_more(&text) {
        staged.reveal(&why);
        text = draft.text(&staged, &cites)?;
        draft.still_passes(&text).map_err(passes)?;
        draft.tells_no_more(&text).map_err(passes)?;
    }
    Ok(KeptCase {
        path: draft.path,
        text,
        shows: staged.shows,
        step: staged.step,
        changes: staged.changes,
        tries: staged.tries,
        cites,
    })
}

/// What a case is called where nobody says: its id, and what it shows.
pub fn title_of(id: &str, moment: &Moment<'_>) -> String {
    if moment.event >= moment.game.settled_events().len() {
        return id.to_string();
    }
    let text = moment.game.event_text(moment.event, moment.unit);
    let first: Vec<&str> = text
        .trim()
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    format!("{id}: {}", first.join(" "))
}

fn draft<'a>(
    workshop: &'a Workshop,
    home: Option<&str>,
    moment: &Moment<'_>,
    keeping: &Keeping<'_>,
) -> Result<Draft<'a>, String> {
    let request =
        Request::parse(moment.selector).map_err(|_| "its rules cannot be read".to_string())?;
    if !request.amends.is_empty() {
        return Err("cells of tables were changed for it, which a case cannot say".into());
    }
    let (owner, scenario) = scenario_of(workshop, moment.source)
        .ok_or("no mod has its scenario as it was, so that a case could name it")?;
    let home = home.map_or_else(|| owner.clone(), Name::from);
    let manifest = workshop
        .manifest(&home)
        .map_err(|fault| fault.into_message())?;
    let is_on = |id: &Name| {
        moment
            .game
            .rulebook()
            .clauses()
            .get(id)
            .copied()
            .unwrap_or_default()
    };
    // What the mod has on of itself, and the game had not.
    let off = manifest
        .clauses()
        .filter(|(group, clause)| group.default && clause.default && !is_on(&clause.id));
    let off: BTreeSet<String> = off.map(|(_, clause)| clause.id.to_string()).collect();
    let with = request
        .with
        .iter()
        .filter(|one| one.module != home || !one.picks.is_empty());
    Ok(Draft {
        workshop,
        path: format!("tests/{}.luau", keeping.id),
        title: keeping.title.to_string(),
        scenario: if home == owner {
            scenario
        } else {
            format!("{owner}/{scenario}")
        },
        with: with.map(ToString::to_string).collect(),
        without: request
            .without
            .iter()
            .map(ToString::to_string)
            .chain(off)
            .collect(),
        request,
        home,
    })
}

/// The mod with a scenario of that text, and the scenario's id.
fn scenario_of(workshop: &Workshop, source: &str) -> Option<(Name, String)> {
    workshop.sources().iter().find_map(|(owner, sources)| {
        let mut scenarios = sources.under("scenarios");
        let (path, _) = scenarios.find(|(_, text)| &***text == source)?;
        let file = path.rsplit('/').next().unwrap_or(path);
        Some((owner.clone(), file.trim_end_matches(".ron").to_string()))
    })
}

impl Draft<'_> {
    fn text(&self, staged: &Staged, cites: &[Name]) -> Result<String, String> {
        let text = staged.text(&CaseHeading {
            title: &self.title,
            scenario: &self.scenario,
            cites,
            with: &self.with,
            without: &self.without,
            options: &self.request.options,
        });
        formatted(&self.home, &self.path, &text).map_err(|fault| fault.to_string())
    }

    /// The clauses that a case reaches, and without which it fails.
    fn cites(
        &self,
        staged: &Staged,
        text: &str,
        keeping: &Keeping<'_>,
    ) -> Result<Vec<Name>, String> {
        let workshop = self.with_case(text)?;
        let mut trials = Trials::new(&workshop);
        let case = self.passing(&mut trials)?;
        let mut needed = Vec::new();
        for clause in self.that_matter(staged).into_iter().take(MOST_CLAUSES) {
            if (keeping.stop)() {
                break;
            }
            let off = Request {
                force_without: vec![clause.clone()],
                ..Request::default()
            };
            if trials
                .run(&case, off)
                .is_ok_and(|tried| tried.failure.is_some_and(is_otherwise))
            {
                needed.push(clause);
            }
        }
        Ok(needed)
    }

    /// Runs it as it stands.
    fn still_passes(&self, text: &str) -> Result<(), String> {
        let workshop = self.with_case(text)?;
        self.passing(&mut Trials::new(&workshop)).map(|_| ())
    }

    /// Looks whether it tells anything to more than may see it: of what was hidden it sets what it holds, and not to
    /// whom the game had revealed it.
    fn tells_no_more(&self, text: &str) -> Result<(), String> {
        let filter = Filter {
            mods: vec![self.home.clone()],
            text: Some(self.path.clone()),
        };
        let found = run_for_audiences(&self.with_case(text)?, &filter);
        let faults = found.into_iter().filter_map(|result| result.failure);
        let why: Vec<String> = faults.map(Fault::into_message).collect();
        if why.is_empty() {
            Ok(())
        } else {
            Err(why.join("; "))
        }
    }

    /// All mods, with the case among the tests of its own.
    fn with_case(&self, text: &str) -> Result<Workshop, String> {
        let mut sources = self.workshop.sources().clone();
        let home = sources
            .get_mut(&self.home)
            .ok_or_else(|| format!("there is no mod `{}`", self.home))?;
        home.put(&self.path, text);
        Ok(Workshop::from_sources(sources).0)
    }

    /// The case, if it passes.
    fn passing(&self, trials: &mut Trials<'_>) -> Result<TrialCase, String> {
        let cases = trials
            .cases_of(&self.home, &self.path)
            .map_err(|fault| fault.to_string())?;
        let case = cases.into_iter().next().ok_or("its file has no case")?;
        let tried = trials
            .run(&case, Request::default())
            .map_err(|fault| fault.to_string())?;
        tried
            .failure
            .map_or(Ok(case), |fault| Err(fault.into_message()))
    }

    /// The clauses that it reaches and that add or change something.
    fn that_matter(&self, staged: &Staged) -> Vec<Name> {
        let matters = |id: &Name| {
            let mut all = self
                .workshop
                .manifests()
                .values()
                .flat_map(|manifest| manifest.clauses());
            all.any(|(_, clause)| {
                clause.id == *id && matches!(clause.effect, Effect::Adds | Effect::Changes)
            })
        };
        staged
            .reached
            .iter()
            .filter(|id| matters(id))
            .cloned()
            .collect()
    }
}

/// Whether something comes out otherwise. Where rules break without a clause, nothing is seen of what it does.
fn is_otherwise(failure: Fault) -> bool {
    matches!(failure.code, FaultCode::BadCase | FaultCode::ScriptedDice)
}
