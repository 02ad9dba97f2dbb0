//! Going on by the mods as they are now: all of them, or not at all.

use std::rc::Rc;

use analysis::refused;
use kernel::error::{Fault, FaultCode};
use kernel::world::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::changes::{Changes, changes};
use super::former::FormerRules;
use super::tabletop::unwritten;
use super::{Difference, FaultAbout, ModAbout, Tabletop, Trouble};
use crate::modset::files::Sources;
use crate::modset::selector::Request;
use crate::play::{
    Invalidation, Match, PlayedAgain, RecordedInput, mod_records_after, play_again, that_count,
};
use crate::record::{ModRecord, RulesRecord, Store};
use crate::rulebook::Rulebook;
use crate::scenario::set_up;
use crate::workshop::{ComposedRules, Workshop};
use lint::invalidation::{Edition, invalidation};

/// What becomes of the game so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Past")]
pub enum ReloadMode {
    /// It is played again, as if the rules had always been so.
    #[default]
    AsAlways,
    /// It stays as it was; the rules hold from now on.
    FromNow,
}

/// What a reload did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Reloaded {
    /// What became of the game so far.
    pub past: ReloadMode,
    /// The mods that it is played by now.
    pub mods: Vec<ModAbout>,
    /// What changed; nothing if the files are what they were.
    pub changes: Changes,
    /// How many decisions stand now; for the referee, as all below.
    pub decisions: usize,
    /// How many decisions were made again: those whose outcome might have been
    /// another under the new rules.
    #[serde(default)]
    pub made_again: usize,
    /// The first decision that the new rules do not allow, when the game was
    /// played again: it and those after it are set aside. [`Tabletop::redo`]
    /// tries them, and the next reload.
    pub set_aside: Option<SetAside>,
    /// Where the game first takes another course, when it was played again.
    pub difference: Option<Difference>,
    /// Whether answers to an open question were dropped, since it is put in
    /// another way now.
    pub asked_again: bool,
}

/// Decisions that no longer fit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetAside {
    /// The number of the first.
    pub decision: usize,
    /// What was decided, in the form that journals write.
    pub text: String,
    /// The same in the words of a report.
    #[serde(default)]
    pub words: String,
    /// Why it does not fit.
    pub reason: String,
    /// How many there are, with it.
    pub count: usize,
}

/// The mods as they are in their folders at one moment.
pub struct ModsNow {
    /// Those that can be read, to show the lines of faults.
    pub workshop: Rc<Workshop>,
    /// What is wrong with the others.
    broken: Vec<Fault>,
}

/// The rules that a reload puts in force.
struct NewRules<'a> {
    /// The mods that they are made from.
    workshop: &'a Workshop,
    rulebook: Rc<Rulebook>,
    /// What the journal says of them.
    record: RulesRecord<'a>,
}

impl Reloaded {
    /// What everybody may know of it: by which rules the game goes now. What
    /// became of decisions, and where the game takes another course, a viewer
    /// learns from its own news.
    pub(super) fn rules_alone(&self) -> Reloaded {
        Reloaded {
            past: self.past,
            mods: self.mods.clone(),
            changes: self.changes.clone(),
            ..Reloaded::default()
        }
    }
}

impl Tabletop {
    /// Goes on by the mods as they are in their folders now. Nothing changes
    /// if one of those in play is broken or gone, if the state does not fit
    /// the new rules, or if they break in the game so far.
    ///
    /// The difference is told as a viewer may know it. In a game with secrets,
    /// who is not the referee is told only by which rules the game goes now.
    ///
    /// # Errors
    /// What is broken, with the mods that were tried.
    pub fn reload(&mut self, past: ReloadMode, viewer: &str) -> Result<Reloaded, Trouble> {
        self.reload_to(&self.mods_now(), past, viewer)
    }

    /// Makes ready for mods that change: from now on it is noted what each
    /// decision reaches, so that a reload plays only those again whose outcome
    /// may be another. A table that was reloaded once is ready too.
    ///
    /// # Errors
    /// A fault of the rules that run before anybody acts.
    pub fn expect_reloads(&mut self) -> Result<(), Trouble> {
        self.is_cold = matches!(self.former, FormerRules::None);
        self.game.note_dependencies();
        // What was left as it was has not begun by the rules in force.
        if self.game.recorded_inputs().is_empty() && !self.game.has_left_past() {
            let rulebook = self.game.rulebook().clone();
            let setup = set_up(
                &self.found.scenario,
                &rulebook,
                self.header.seed,
                self.header.turns,
            )?;
            self.game.knows_start(&Match::start(rulebook, setup)?);
        }
        Ok(())
    }

    /// Whether mods are expected to change, and a reload would compose all of
    /// them: before the first one, and after one that was refused.
    pub fn is_cold(&self) -> bool {
        self.is_cold
    }

    /// Makes ready for the next reload, which is the quicker for it: composes the
    /// rules in force once more, in a machine of their own. It takes about as long as a
    /// start: for when nobody waits.
    pub fn warm_up(&mut self) {
        if !std::mem::take(&mut self.is_cold) {
            return;
        }
        // What is in force composes; where it does not, the next reload takes longer.
        if let Ok(rulebook) = self.workshop.compose_chosen(&self.active) {
            let machine = Box::new(rulebook.into_warm_host());
            self.former = FormerRules::Warm(machine, self.workshop.clone());
        }
        self.outlines.know(&Edition {
            workshop: &self.workshop,
            active: &self.active,
            rulebook: self.game.rulebook(),
        });
    }

    /// Reads the mods in their folders: those in play, unless so much has
    /// changed that all must be read.
    pub fn mods_now(&self) -> ModsNow {
        if let Some(workshop) = self.workshop.read_again(&self.active.order.mods) {
            return ModsNow {
                workshop: Rc::new(workshop),
                broken: Vec::new(),
            };
        }
        self.all_mods_now()
    }

    /// Reads all mods in their folders, also those that have come since the match
    /// began.
    pub(super) fn all_mods_now(&self) -> ModsNow {
        let in_play = &self.active.order.mods;
        let (workshop, broken) = self.workshop.read_in_place(in_play, &self.folders);
        ModsNow {
            workshop: Rc::new(workshop),
            broken,
        }
    }

    /// Whether the mods in play are other than those that the game goes by:
    /// whether a reload would do anything. Contents count, not times.
    pub fn is_outdated(&self, now: &ModsNow) -> bool {
        let of = |workshop: &Workshop| {
            let ids = self.active.order.mods.iter();
            ids.map(|id| workshop.sources().get(id).map(Sources::hash))
                .collect::<Vec<_>>()
        };
        of(&now.workshop) != of(&self.workshop)
    }

    /// What is told where mods that were broken are again as the match goes by them.
    pub(super) fn as_before(&self, past: ReloadMode) -> Reloaded {
        Reloaded {
            past,
            mods: self.mods.iter().map(ModAbout::from).collect(),
            decisions: self.game.recorded_inputs().len(),
            ..Reloaded::default()
        }
    }

    /// Whether a file of a mod in play looks as editors leave it for a moment
    /// while they save: empty or gone, or broken off.
    pub fn is_half_saved(&self, now: &ModsNow) -> bool {
        self.active.order.mods.iter().any(|id| {
            let Some(before) = self.workshop.sources().get(id) else {
                return false;
            };
            let after = now.workshop.sources().get(id);
            let is_half =
                |path: &str, text: &str| match after.and_then(|after| after.as_written(path)) {
                    Some(now) => is_broken_off(now, text),
                    None => !text.trim().is_empty(),
                };
            before.all().iter().any(|(path, text)| is_half(path, text))
        })
    }

    /// Lets go of the rules and the course of before the last reload, which
    /// takes a while: for when a player has been told. The next reload does it
    /// too. Of the rules the machine stays, for the next ones.
    pub fn tidy(&mut self) {
        self.retired.clear();
        self.former.warm();
    }

    /// Goes on by mods that were read just now.
    ///
    /// # Errors
    /// As [`Tabletop::reload`].
    pub fn reload_to(
        &mut self,
        now: &ModsNow,
        past: ReloadMode,
        viewer: &str,
    ) -> Result<Reloaded, Trouble> {
        self.reload_to_request(now, None, past, viewer)
    }

    /// The same, by other clauses and options if they are asked for.
    pub(super) fn reload_to_request(
        &mut self,
        now: &ModsNow,
        request: Option<&Request>,
        past: ReloadMode,
        viewer: &str,
    ) -> Result<Reloaded, Trouble> {
        let reloaded = self.reload_from(now, request, past, viewer);
        self.count_again();
        let is_open = viewer == "referee" || !self.may_have_secrets();
        reloaded.map(|reloaded| {
            if is_open {
                reloaded
            } else {
                reloaded.rules_alone()
            }
        })
    }

    fn reload_from(
        &mut self,
        ModsNow { workshop, broken }: &ModsNow,
        request: Option<&Request>,
        past: ReloadMode,
        viewer: &str,
    ) -> Result<Reloaded, Trouble> {
        let _span = tracing::info_span!(target: "houserule::embed", "reload").entered();
        self.tidy();
        let viewer = self.viewer(viewer)?;
        self.refuse_broken(workshop, broken)?;
        self.found = workshop.at_home(&self.found);
        let ComposedRules { rulebook, active } = self.composed(workshop, request)?;
        rulebook.note_dependencies(true);
        let mods = mod_records_after(workshop, &active, &self.workshop, &self.mods);
        let mut outlines = std::mem::take(&mut self.outlines);
        let old = Edition {
            workshop: &self.workshop,
            active: &self.active,
            rulebook: self.game.rulebook(),
        };
        let new = Edition {
            workshop,
            active: &active,
            rulebook: &rulebook,
        };
        let mut reloaded = Reloaded {
            past,
            mods: mods.iter().map(ModAbout::from).collect(),
            changes: changes(&old, &new),
            decisions: self.game.recorded_inputs().len(),
            ..Reloaded::default()
        };
        let is_same_choice = request.is_none()
            || (active.clauses == self.active.clauses && active.options == self.active.options);
        let is_to_do_again = past == ReloadMode::AsAlways && self.game.has_left_past();
        if mods == self.mods && is_same_choice && !is_to_do_again && self.redo_course().is_none() {
            self.outlines = outlines;
            self.workshop = workshop.clone();
            return Ok(reloaded);
        }
        let invalidation = invalidation(&old, &new, &mut outlines);
        self.outlines = outlines;
        let (answered, before) = (self.game.game().answered(), self.game.rulebook().clone());
        let new = NewRules {
            workshop,
            rulebook,
            record: RulesRecord {
                mods: &mods,
                selector: request.map(|_| active.line.as_str()),
            },
        };
        self.put_in_force(new, &invalidation, viewer, &mut reloaded)?;
        self.former = FormerRules::Needed(before, self.workshop.clone());
        self.is_cold = false;
        reloaded.asked_again =
            self.game.game().answered() < answered && reloaded.set_aside.is_none();
        if request.is_some() {
            self.request = Request::parse(&active.line)?;
        }
        (self.workshop, self.active, self.mods) = (workshop.clone(), active, mods);
        self.proposals.lapse();
        Ok(reloaded)
    }

    /// Lets the game go by new rules, and does with its past what was asked for;
    /// notes what became of it.
    fn put_in_force(
        &mut self,
        new: NewRules<'_>,
        invalidation: &Invalidation,
        viewer: Viewer,
        reloaded: &mut Reloaded,
    ) -> Result<(), Trouble> {
        let NewRules {
            workshop,
            rulebook,
            record,
        } = new;
        match reloaded.past {
            ReloadMode::FromNow => {
                self.keep_sources(workshop, record.mods)?;
                self.game.go_on_by(rulebook, record, invalidation)?;
                self.game.note_dependencies();
                self.redo.clear();
                self.set_aside = 0;
            }
            ReloadMode::AsAlways if self.set_aside == 0 && self.game.stands(invalidation) => {
                self.keep_sources(workshop, record.mods)?;
                self.game.stand_by(rulebook, record)?;
                self.redo.clear();
            }
            ReloadMode::AsAlways => {
                let (other, left) = self.played_again(rulebook, invalidation, reloaded)?;
                reloaded.difference = self.first_difference(&other, viewer);
                self.keep_sources(workshop, record.mods)?;
                self.retired
                    .push(Box::new(self.game.put_in_place(other, record)?));
                self.set_aside = left.len();
                self.redo = left;
            }
        }
        Ok(())
    }

    /// The rules that are asked for, or those of now by other files.
    fn composed(
        &mut self,
        workshop: &Workshop,
        request: Option<&Request>,
    ) -> Result<ComposedRules, Trouble> {
        let former = std::mem::take(&mut self.former);
        self.is_cold = true;
        if let Some(request) = request {
            return Ok(workshop.compose(request)?);
        }
        // What is chosen follows from the manifests of now, whatever those were from
        // which the machine has its rules.
        let is_chosen_so = workshop.has_manifests_of(&self.workshop);
        let warm = is_chosen_so.then(|| former.composed(workshop, &self.active));
        match warm.flatten() {
            Some(composed) => Ok(composed),
            None => Ok(workshop.compose_after(&self.request, &self.workshop, &self.active)?),
        }
    }

    /// Mods in play that cannot be read stop a reload; others may be broken.
    fn refuse_broken(&self, workshop: &Workshop, broken: &[Fault]) -> Result<(), Trouble> {
        let is_missing = |id: &&kernel::value::Name| !workshop.manifests().contains_key(id);
        let missing: Vec<_> = self.active.order.mods.iter().filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let concerns = |fault: &&Fault| match &fault.place {
            Some(place) => missing
                .iter()
                .any(|id| ***id == *place.module || place.module.is_empty()),
            None => true,
        };
        let mut faults: Vec<Fault> = broken.iter().filter(concerns).cloned().collect();
        if faults.is_empty() {
            let gone = |id: &&kernel::value::Name| {
                let message = format!("expected the mod `{id}`, which is in play, found it gone");
                Fault::new(FaultCode::UnknownMod, message)
                    .hint("put its folder back: the game waits for it")
            };
            faults.extend(missing.iter().map(gone));
        }
        Err(faults.into())
    }

    /// All decisions of the course that an earlier reload cut short.
    fn redo_course(&self) -> Option<Vec<RecordedInput>> {
        // Dice that were agreed to be thrown anew would fall otherwise for them.
        let is_thrown_anew = self.game.game().epoch() != 0;
        if is_thrown_anew || self.set_aside == 0 || self.set_aside != self.redo.len() {
            return None;
        }
        Some(
            self.game
                .recorded_inputs()
                .iter()
                .chain(self.redo.iter().rev())
                .cloned()
                .collect(),
        )
    }

    /// The game so far by other rules; what no longer fits comes back
    /// reversed.
    fn played_again(
        &mut self,
        rulebook: Rc<Rulebook>,
        invalidation: &Invalidation,
        reloaded: &mut Reloaded,
    ) -> Result<(Match, Vec<RecordedInput>), Trouble> {
        let course = self
            .redo_course()
            .unwrap_or_else(|| self.game.recorded_inputs().to_vec());
        let made =
            match self
                .game
                .made_again(&rulebook, &course, invalidation, &mut reloaded.made_again)
            {
                Some(made) => made,
                None => {
                    reloaded.made_again = course.len();
                    self.all_made_again(rulebook, &course)?
                }
            };
        let PlayedAgain {
            game: other,
            mismatch,
            left,
        } = made.map_err(|(place, fault)| {
            let decision = place + 1;
            let mut about = FaultAbout::from(&fault);
            about.message = format!(
                "{} (in decision {decision} of the game so far)",
                about.message
            );
            Trouble::Faults {
                faults: vec![about],
                undone: 0,
            }
        })?;
        reloaded.decisions = other.recorded_inputs().len();
        reloaded.set_aside = mismatch.map(|(place, reason)| {
            let text = course
                .get(place)
                .map_or_else(String::new, |input| input.text.clone());
            SetAside {
                decision: place + 1,
                words: self.words_of_refused(&other, place, &text),
                text,
                reason: refused::in_words(&reason),
                count: left.len(),
            }
        });
        Ok((other, left.into_iter().rev().collect()))
    }

    /// What was decided that another course of the game does not take, in the words of
    /// a report; that of now may have to say what is there no longer.
    fn words_of_refused(&self, other: &Match, place: usize, text: &str) -> String {
        let (unit, stands) = (self.unit(), self.game.inputs().len());
        refused::decision(other, text, unit, || match place < stands {
            true => self.game.decision_words(place, unit),
            false => self.game.recorded_words(text, unit),
        })
    }

    /// All decisions of a course made again, from the start.
    fn all_made_again(
        &self,
        rulebook: Rc<Rulebook>,
        course: &[RecordedInput],
    ) -> Result<Result<PlayedAgain, (usize, Fault)>, Trouble> {
        let setup = set_up(
            &self.found.scenario,
            &rulebook,
            self.header.seed,
            self.header.turns,
        )?;
        Ok(play_again(Match::start(rulebook, setup)?, course))
    }

    /// Keeps the sources of mods that are about to be played by, also beside
    /// the journal.
    fn keep_sources(&mut self, workshop: &Workshop, mods: &[ModRecord]) -> Result<(), Trouble> {
        let store = self
            .game
            .journal()
            .map(|journal| Store::beside(journal.path()));
        for record in mods
            .iter()
            .filter(|record| !self.kept.contains_key(&record.hash))
            .cloned()
            .collect::<Vec<_>>()
        {
            let Some(sources) = workshop.sources().get(record.id.as_str()) else {
                continue;
            };
            let files = that_count(sources);
            if let Some(store) = &store {
                store.put(&record.id, &files).map_err(unwritten)?;
            }
            self.kept.insert(record.hash, (record.id, files));
        }
        Ok(())
    }
}

/// Whether a text looks like the beginning of what is being written in the
/// place of another: it is the beginning of that, or its last line has no end.
fn is_broken_off(now: &str, before: &str) -> bool {
    let is_beginning = now.len() < before.len() && before.starts_with(now);
    let has_end = |text: &str| text.ends_with('\n');
    (is_beginning && !before[now.len()..].trim().is_empty()) || (has_end(before) && !has_end(now))
}
