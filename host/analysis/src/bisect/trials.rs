//! What can be tried: a game, a case, a golden.

use kernel::error::{Fault, FaultCode};
use kernel::event::{Event, EventContent};
use kernel::value::Value;
use matches::odds::By;
use matches::play::{Match, take_line};
use matches::scenario::{Act, chance_of};
use matches::tally::{Players, play_out};
use matches::workshop::{Found, Overrides, Workshop};
use rules::modset::selector::{Active, Request};
use rules::types::print_value;
use testing::{TrialCase, Trials, golden_file, golden_text, play_by};

use super::{NotFound, Observation, Trial};

/// What is held to be bad in a game.
pub enum Symptom<'a> {
    /// An expression over the end of a game that comes out yes.
    Holds(&'a str),
    /// That the game tells something else than by the good rules.
    Differs,
}

/// A scenario, by its script or by bots.
pub struct GameTrial<'a> {
    /// All mods.
    pub workshop: &'a Workshop,
    /// The scenario.
    pub found: &'a Found,
    /// Who decides where there is no script.
    pub players: &'a Players,
    /// What is held to be bad.
    pub symptom: Symptom<'a>,
}

impl Trial for GameTrial<'_> {
    fn active(&mut self, overrides: &Overrides) -> Result<Active, Vec<Fault>> {
        self.workshop
            .request(&self.found.scenario, overrides)?
            .resolve(self.workshop.manifests())
    }

    fn seen(
        &mut self,
        overrides: &Overrides,
        well: Option<&Observation>,
    ) -> Result<Observation, NotFound> {
        let (chosen, mut setup) = self.workshop.prepare(self.found, overrides)?;
        let script = &self.found.scenario.script;
        if let Some(chance) = chance_of(script) {
            setup.game.set_chance(chance);
        }
        let mut game = match Match::start(chosen.rulebook, setup) {
            Ok(game) => game,
            Err(fault) => return Ok(Observation::broken(&fault)),
        };
        if script.is_empty() {
            return match play_out(&mut game, self.found, self.players) {
                Ok(()) => self.judged(&game, well),
                Err(fault) => Ok(Observation::broken(&fault)),
            };
        }
        // Dice that are left over are no matter here: it is the game that is looked at.
        for act in script {
            if let Err(fault) = take_line(&mut game, act) {
                return self.broken_off(&game, well, act, &fault);
            }
        }
        self.judged(&game, well)
    }
}

/// What was seen of a game that is no further along.
struct SeenSoFar {
    told: Vec<EventContent>,
    /// What it tells first that is otherwise than by the good rules.
    other: Option<String>,
}

/// Whether a script does not fit, and no rule is broken.
pub(super) fn is_of_script(fault: &Fault) -> bool {
    matches!(fault.code, FaultCode::BadScenario | FaultCode::ScriptedDice)
}

impl GameTrial<'_> {
    /// A script that goes no farther than one of its lines: because that is not allowed any
    /// more, or because something is rolled for that it has no die for.
    fn broken_off(
        &self,
        game: &Match,
        well: Option<&Observation>,
        act: &Act,
        fault: &Fault,
    ) -> Result<Observation, NotFound> {
        if !is_of_script(fault) {
            return Ok(Observation::broken(fault));
        }
        let why = format!(
            "its script goes no farther than line {}: {}",
            act.place.line, fault.message
        );
        let Some(well) = well else {
            return Err(NotFound::NoTrial(format!("by the good rules {why}")));
        };
        if let Symptom::Holds(text) = self.symptom {
            let reason = format!(
                "`{text}` is asked of the end of the game, to which these rules do not bring it: {why}; without \
                 `--if` the change is found from which on"
            );
            return Err(NotFound::NoTrial(reason));
        }
        let SeenSoFar { told, other } = self.seen_so_far(game, well);
        Ok(Observation {
            told,
            outcome: other.unwrap_or(why),
            is_bad: true,
        })
    }

    /// What a game that was broken off tells, and what of it is otherwise.
    fn seen_so_far(&self, game: &Match, well: &Observation) -> SeenSoFar {
        let told: Vec<EventContent> = game.settled_events().iter().map(Event::content).collect();
        let place = first_other(&well.told, &told).filter(|place| *place < told.len());
        let unit = self.found.scenario.unit();
        SeenSoFar {
            other: place.map(|place| game.event_words(place, unit).trim().to_string()),
            told,
        }
    }

    fn judged(&self, game: &Match, well: Option<&Observation>) -> Result<Observation, NotFound> {
        let told: Vec<EventContent> = game.settled_events().iter().map(Event::content).collect();
        match self.symptom {
            Symptom::Differs => {
                let differs = well.and_then(|well| first_other(&well.told, &told));
                let outcome = match differs {
                    Some(place) if place < told.len() => {
                        game.event_words(place, self.found.scenario.unit())
                    }
                    Some(_) => "it ends there".into(),
                    None => "as by the good rules".into(),
                };
                Ok(Observation {
                    told,
                    outcome: outcome.trim().to_string(),
                    is_bad: differs.is_some(),
                })
            }
            Symptom::Holds(text) => {
                let find = |name: &str| game.game().world().find(name);
                let by = By::read(text, game.game(), &find);
                let by = by.map_err(|error| NotFound::Expression(error.to_string()))?;
                let found = by.at_end(game.game(), &**game.rulebook(), game.settled_events());
                let found =
                    found.map_err(|reason| NotFound::Expression(format!("`{text}`: {reason}")))?;
                let outcome = format!(
                    "{text}: {}",
                    print_value(&found, game.game(), self.found.scenario.unit())
                );
                match found {
                    Value::Bool(is_bad) => Ok(Observation {
                        told,
                        outcome,
                        is_bad,
                    }),
                    other => Err(NotFound::Expression(format!(
                        "`{text}`: expected yes or no, found {}",
                        other.type_word()
                    ))),
                }
            }
        }
    }
}

/// A case: it is bad that it fails.
pub struct CaseTrial<'a> {
    trials: Trials<'a>,
    case: TrialCase,
}

impl<'a> CaseTrial<'a> {
    /// The one case of a mod with these words in its title, `mod/words`.
    ///
    /// # Errors
    /// When there is none, or several; a file of cases that does not load.
    pub fn find(workshop: &'a Workshop, wanted: &str) -> Result<CaseTrial<'a>, NotFound> {
        let Some((module, words)) = wanted
            .split_once('/')
            .filter(|(_, words)| !words.is_empty())
        else {
            let reason = format!(
                "expected a mod and words of the title of a case, `mod/words`, found `{wanted}`"
            );
            return Err(NotFound::NoTrial(reason));
        };
        let module = workshop
            .manifest(module)
            .map_err(|fault| vec![fault])?
            .id
            .clone();
        let mut trials = Trials::new(workshop);
        let mut cases = trials.cases(&module).map_err(|fault| vec![fault])?;
        // Whose title is just that is meant, also where others hold it.
        if cases.iter().any(|case| case.title() == words) {
            cases.retain(|case| case.title() == words);
        }
        cases.retain(|case| case.title().contains(words));
        match cases.len() {
            1 => Ok(CaseTrial {
                trials,
                case: cases.remove(0),
            }),
            0 => Err(NotFound::NoTrial(format!(
                "expected a case of `{module}` with `{words}` in its title, found none"
            ))),
            count => {
                let titles: Vec<String> = cases
                    .iter()
                    .take(3)
                    .map(|case| format!("`{}`", case.title()))
                    .collect();
                let reason = format!(
                    "expected one case with `{words}` in its title, found {count}: {}",
                    titles.join(", ")
                );
                Err(NotFound::NoTrial(reason))
            }
        }
    }

    /// Its title.
    pub fn title(&self) -> &str {
        self.case.title()
    }
}

impl Trial for CaseTrial<'_> {
    fn active(&mut self, overrides: &Overrides) -> Result<Active, Vec<Fault>> {
        let house = request_of(overrides)?;
        self.trials.active(&self.case, house)
    }

    fn seen(
        &mut self,
        overrides: &Overrides,
        _well: Option<&Observation>,
    ) -> Result<Observation, NotFound> {
        match self.trials.run(&self.case, request_of(overrides)?) {
            Err(fault) => Ok(Observation::broken(&fault)),
            Ok(tried) => Ok(match tried.failure {
                None => Observation {
                    told: Vec::new(),
                    outcome: "it passes".into(),
                    is_bad: false,
                },
                Some(fault) => {
                    let outcome = format!("it fails: {}", fault.message);
                    Observation {
                        told: Vec::new(),
                        outcome,
                        is_bad: true,
                    }
                }
            }),
        }
    }
}

/// The golden of a scenario: it is bad that the game is told otherwise.
pub struct GoldenTrial<'a> {
    workshop: &'a Workshop,
    found: &'a Found,
    accepted: &'a str,
    /// The selector line that it was accepted with; what is tried has others.
    line: String,
}

impl<'a> GoldenTrial<'a> {
    /// The golden of a scenario.
    ///
    /// # Errors
    /// When it has none.
    pub fn of(workshop: &'a Workshop, found: &'a Found) -> Result<GoldenTrial<'a>, NotFound> {
        let file = golden_file(&found.scenario.id);
        let sources = found
            .module
            .as_ref()
            .and_then(|module| workshop.sources().get(module));
        let Some(accepted) = sources.and_then(|sources| sources.get(&file)) else {
            let reason = format!(
                "expected a golden `{file}` of `{}`, found none",
                found.scenario.id
            );
            return Err(NotFound::NoTrial(reason));
        };
        let line = accepted
            .lines()
            .find_map(|line| line.strip_prefix("rules     "))
            .unwrap_or_default();
        Ok(GoldenTrial {
            workshop,
            found,
            accepted,
            line: line.to_string(),
        })
    }
}

impl Trial for GoldenTrial<'_> {
    fn active(&mut self, overrides: &Overrides) -> Result<Active, Vec<Fault>> {
        self.workshop
            .request(&self.found.scenario, overrides)?
            .resolve(self.workshop.manifests())
    }

    fn seen(
        &mut self,
        overrides: &Overrides,
        _well: Option<&Observation>,
    ) -> Result<Observation, NotFound> {
        let game = match play_by(self.workshop, self.found, overrides) {
            Ok((game, _)) => game,
            Err(fault) => return Ok(Observation::broken(&fault)),
        };
        let text = golden_text(&game, &self.line, &self.found.scenario);
        let (accepted, found): (Vec<String>, Vec<String>) = (lines(self.accepted), lines(&text));
        let differs = first_other(&accepted, &found);
        let outcome = match differs {
            None => "as the golden says".to_string(),
            Some(place) => found
                .get(place)
                .map_or_else(|| "it ends there".into(), |line| line.trim().to_string()),
        };
        Ok(Observation {
            told: Vec::new(),
            outcome,
            is_bad: differs.is_some(),
        })
    }
}

/// The lines of a transcript, without the heading that accepting has put above it.
fn lines(text: &str) -> Vec<String> {
    let all = text
        .lines()
        .skip_while(|line| !line.starts_with("scenario  "));
    all.map(|line| line.trim_end().to_string()).collect()
}

/// The overrides as house rules of a case.
fn request_of(overrides: &Overrides) -> Result<Request, Vec<Fault>> {
    let mut request = Request::gather(&overrides.with, &overrides.without, [])?;
    request.options.extend(overrides.options.iter().cloned());
    request.amends.extend(overrides.amends.iter().cloned());
    request
        .force_without
        .extend(overrides.force_without.iter().cloned());
    Ok(request)
}

/// The place of the first that is another.
fn first_other<T: PartialEq>(well: &[T], found: &[T]) -> Option<usize> {
    let same = well
        .iter()
        .zip(found)
        .take_while(|(one, other)| one == other)
        .count();
    (same < well.len().max(found.len())).then_some(same)
}
