//! What is said at the table beside decisions: back and again, looking,
//! keeping.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use houserule::embed::{
    BotSort, EntityRef, Loaded, NarratedEvent, Tabletop, TestRequest, UndoPolicy, Undone,
};
use houserule::kernel::brief::Depth;
use houserule::report::ReportLine;

use super::screen::PieceSheet;
use super::session::Session;
use super::{free_journal, screen};
use crate::commands::record::{USUAL_TRIES, is_free, summary, summary_of_case};
use crate::commands::run;
use crate::failure::Failure;
use crate::interrupt::keeps_what_it_has;
use crate::reporter::{Reporter, tree};

impl Session<'_> {
    // ---- back and again -----------------------------------------------------

    pub(super) fn undo(&mut self, count: Option<&String>) -> Result<(), Failure> {
        if count.is_some_and(|word| word == "no") {
            return self.decline_undo();
        }
        let Some(count) = counted(count, 1) else {
            let reason = "no: say how many to take back, such as `undo 2`";
            return Ok(self.ui.line(reason)?);
        };
        let (by, keep) = match self.point_before(count)? {
            Ok(point) => point,
            Err(made) => {
                let reason = match made {
                    0 => "no: there is nothing of yours to take back".into(),
                    1 => "no: people have decided only once".into(),
                    made => format!("no: people have decided only {made} times"),
                };
                return Ok(self.ui.line(reason)?);
            }
        };
        match self.table.undo(&by, keep) {
            Ok(Undone::Done {
                decisions,
                taken_back,
                ..
            }) => {
                self.is_stuck = false;
                let stand = match decisions {
                    1 => "1 decision stands".to_string(),
                    many => format!("{many} decisions stand"),
                };
                match self.keeps_to_viewer() && by == "referee" {
                    true => Ok(self.ui.line("taken back")?),
                    false => Ok(self.ui.line(format!("{taken_back} taken back; {stand}"))?),
                }
            }
            Ok(Undone::Proposed(proposal)) => {
                let others = proposal.waiting_for.join(" and ");
                Ok(self.ui.line(format!(
                    "{others} must agree, by the same word; `undo no` withdraws it"
                ))?)
            }
            Err(trouble) => self.trouble(trouble),
        }
    }

    /// Who takes play back to before the last decisions, and how many stand
    /// then as they count. Where an umpire rules it is the host at the
    /// keyboard. Who plays one side all the time means decisions of that side;
    /// else those of people are meant. If there are fewer: how many.
    fn point_before(&mut self, count: usize) -> Result<Result<(String, usize), usize>, Failure> {
        let (by, keeps_to_viewer) = (self.decider(), self.keeps_to_viewer());
        let is_agreed = self.table.about(&self.seat)?.undo == UndoPolicy::Agreed;
        if !is_agreed && !keeps_to_viewer {
            let most = count.min(self.table.standing().decisions);
            return Ok(match self.table.decisions_before_last(count) {
                Some(keep) => Ok(("referee".to_string(), keep)),
                None => Err((1..=most)
                    .rev()
                    .find(|n| self.table.decisions_before_last(*n).is_some())
                    .unwrap_or(0)),
            });
        }
        if matches!(&*by, "referee" | "spectator") {
            return Ok(Err(0));
        }
        // What another asks for is agreed to by the same word.
        let proposal = self
            .table
            .undo_proposal(&by)?
            .filter(|proposal| proposal.waiting_for.contains(&by));
        let own = self.table.standing_of(&by)?.decisions;
        let keep = proposal.map_or(own.checked_sub(count), |proposal| Some(proposal.decisions));
        let Some(keep) = keep else {
            return Ok(Err(own));
        };
        Ok(
            match (is_agreed, self.table.decisions_after_own(&by, keep)?) {
                (true, _) => Ok((by, keep)),
                (false, Some(all)) => Ok(("referee".to_string(), all)),
                (false, None) => Err(own),
            },
        )
    }

    /// Whether somebody looks all the time from whom there is something to
    /// hide: then nothing is printed that this viewer may not know.
    pub(super) fn keeps_to_viewer(&self) -> bool {
        self.is_fixed && self.has_secrets && self.seat != "referee"
    }

    pub(super) fn redo(&mut self, count: Option<&String>) -> Result<(), Failure> {
        let Some(count) = counted(count, 1) else {
            let reason = "no: say how many to make again, such as `redo 2`";
            return Ok(self.ui.line(reason)?);
        };
        for _ in 0..count {
            match self.table.redo() {
                Ok(taken) => {
                    // In the words of whoever looks, and only what is its own.
                    let viewer = self.chronicled();
                    let own = self.table.decisions_in_words(viewer)?.pop();
                    let own = own.filter(|_| viewer == "referee" || taken.by == viewer);
                    self.ui
                        .line(own.map_or("again".into(), |own| format!("again: {}", own.text)))?;
                }
                Err(trouble) => return self.trouble(trouble),
            }
        }
        Ok(())
    }

    /// Whose decisions are shown: all of them, unless whoever looks may not know the others'.
    fn chronicled(&self) -> &str {
        match self.has_secrets {
            true => &self.seat,
            false => "referee",
        }
    }

    pub(super) fn history(&mut self) -> Result<(), Failure> {
        for decision in self.table.decisions_in_words(self.chronicled())? {
            self.ui
                .line(format!("{:>4} {}", decision.number, decision.text))?;
        }
        Ok(())
    }

    /// Keeps an event as a test, in a file of its own.
    pub(super) fn record(&mut self, rest: &[String]) -> Result<(), Failure> {
        if self.has_secrets && self.seat != "referee" {
            let reason = "no: a test shows what is hidden: `view referee`, then record";
            return Ok(self.ui.line(reason)?);
        }
        let (Some(name), event) = (
            rest.first(),
            rest.get(1).map(|event| event.parse::<usize>()),
        ) else {
            return Ok(self
                .ui
                .line("no: say what the test is called: `record NAME [EVENT]`")?);
        };
        let event = match event {
            None => None,
            Some(Ok(event)) => Some(event),
            Some(Err(_)) => {
                return Ok(self
                    .ui
                    .line("no: say an event by its number, such as `record NAME 212`")?);
            }
        };
        if let Err(reason) = is_free(name) {
            return Ok(self.ui.line(format!("no: {reason}"))?);
        }
        let request = TestRequest {
            id: name.clone(),
            title: None,
        };
        if let Ok(kept) = self.table.record_case(&request, event, USUAL_TRIES) {
            let file = format!("{name}.luau");
            std::fs::write(&file, &kept.text)
                .map_err(|error| Failure::Plain(format!("{file}: {error}")))?;
            self.ui
                .line(format!("{file}: {}", summary_of_case(&kept)))?;
            return Ok(self
                .ui
                .line("  put it into `tests/` of a mod, and `houserule test` runs it")?);
        }
        match self.table.record(&request, event, USUAL_TRIES) {
            Ok(kept) => {
                let file = format!("{name}.ron");
                std::fs::write(&file, &kept.text)
                    .map_err(|error| Failure::Plain(format!("{file}: {error}")))?;
                self.ui.line(format!("{}: {}", file, summary(&kept)))?;
                Ok(self.ui.line(
                    "  put it into `scenarios/` of a mod, and `houserule test` keeps its golden",
                )?)
            }
            Err(trouble) => self.trouble(trouble),
        }
    }

    // ---- looking -------------------------------------------------------------

    pub(super) fn map(&mut self, rest: &[String]) -> Result<(), Failure> {
        let piece = rest.first().map(|piece| EntityRef::from(&**piece));
        match self
            .table
            .map_text(&self.seat, piece.as_ref(), self.ui.width)
        {
            Ok(map) => {
                self.chosen = piece;
                Ok(self.ui.lines(map)?)
            }
            Err(trouble) => self.trouble(trouble),
        }
    }

    pub(super) fn svg(&mut self, rest: &[String]) -> Result<(), Failure> {
        let Some(file) = rest.first() else {
            return Ok(self.ui.line("no: say which file to draw into")?);
        };
        if let Some(piece) = rest.get(1) {
            let view = self.table.view(&self.seat)?;
            if !view.entities.iter().any(|seen| seen.label == *piece) {
                return Ok(self.ui.line(format!("no: there is no `{piece}`"))?);
            }
        }
        self.chosen = rest.get(1).map(|piece| EntityRef::from(&**piece));
        match self.draw(&PathBuf::from(file))? {
            true => Ok(self.ui.line(format!("drawn into {file}"))?),
            false => Ok(()),
        }
    }

    /// Draws into a file; whether it could.
    pub(super) fn draw(&mut self, path: &Path) -> Result<bool, Failure> {
        let drawn = match self.table.map_svg(&self.seat, self.chosen.as_ref()) {
            // What was chosen may be gone by now.
            Err(_) if self.chosen.take().is_some() => self.table.map_svg(&self.seat, None),
            other => other,
        };
        match drawn {
            Ok(svg) => {
                let written = refuse_other(path).and_then(|()| std::fs::write(path, svg));
                if let Err(error) = &written {
                    self.ui
                        .note(&format!("cannot draw into {}: {error}", path.display()));
                }
                Ok(written.is_ok())
            }
            Err(trouble) => self.trouble(trouble).map(|()| false),
        }
    }

    pub(super) fn look(&mut self, rest: &[String]) -> Result<(), Failure> {
        let (piece, is_whole) = (rest.first(), rest.get(1).is_some_and(|word| word == "all"));
        let view = self.table.view(&self.seat)?;
        let Some(piece) = piece else {
            let catalogue = self.table.catalogue(&self.seat)?;
            return Ok(screen::pieces(&view, &catalogue, self.metric, self.ui)?);
        };
        match view.entities.iter().find(|seen| seen.label == *piece) {
            Some(seen) => {
                let about = self.table.attributes(&seen.kind);
                let catalogue = self.table.catalogue(&self.seat)?;
                let kind = catalogue
                    .kinds
                    .get(&seen.kind)
                    .map_or(&*seen.kind, |kind| &*kind.title);
                let words = match is_whole {
                    true => BTreeMap::new(),
                    false => self
                        .table
                        .words_for(&self.seat, &EntityRef::from(&**piece))?,
                };
                let sheet = PieceSheet {
                    about: &about,
                    words: &words,
                    is_whole,
                };
                Ok(screen::piece(seen, kind, &sheet, self.metric, self.ui)?)
            }
            None => Ok(self.ui.line(format!("no: there is no `{piece}`"))?),
        }
    }

    pub(super) fn report(&mut self, count: Option<&String>) -> Result<(), Failure> {
        let Some(count) = counted(count, 20) else {
            let reason = "no: say how many lines, such as `report 5`";
            return Ok(self.ui.line(reason)?);
        };
        let mut reporter =
            Reporter::in_depth(&self.table, &self.seat, false, Depth::Full, self.detail.1)?;
        Ok(reporter.tell_last(&self.table, count, self.ui)?)
    }

    /// What brought something about: an event by its number, the last one that
    /// is told with these words, or the last of all.
    pub(super) fn why(&mut self, rest: &[String]) -> Result<(), Failure> {
        let mut narration = self.table.narration_in(&self.seat, Depth::Full, false)?;
        let narrated = self.table.tell_all(&mut narration);
        let wanted = rest.join(" ").to_lowercase();
        // The word before a line is as much of it as what follows.
        let reads = |line: &ReportLine| {
            let heading = line.heading.as_deref().unwrap_or_default();
            format!("{heading} {}", line.text)
                .to_lowercase()
                .contains(&wanted)
        };
        let is_meant = |narrated: &&NarratedEvent| match wanted.parse::<u32>() {
            Ok(number) => narrated.event.number == number,
            Err(_) => narrated.lines.iter().any(reads),
        };
        let Some(NarratedEvent { event, .. }) = narrated.iter().rev().find(is_meant) else {
            return Ok(self.ui.line("no: nothing like that has happened")?);
        };
        match self.table.why(&self.seat, event.number, false) {
            Ok(lines) => tree(&lines, self.ui)?,
            Err(trouble) => return self.trouble(trouble),
        }
        if self.has_secrets && self.seat != "referee" {
            let more = "  all that is behind it is for the referee: `view referee`, then ask again";
            self.ui.line(more)?;
        }
        Ok(())
    }

    pub(super) fn view(&mut self, viewer: Option<&String>) -> Result<(), Failure> {
        let Some(viewer) = viewer else {
            return Ok(self.ui.line(format!("you look as {}", self.seat))?);
        };
        if let Err(trouble) = self.table.about(viewer) {
            return self.trouble(trouble);
        }
        (self.is_fixed, self.is_open) = (true, false);
        self.prompted = None;
        if self.is_terminal && self.has_secrets && *viewer != self.seat {
            self.clear()?;
            self.ui
                .line(format!("hand over to {viewer}, who presses Enter"))?;
            self.handing = Some(viewer.clone());
        } else {
            self.seat = viewer.clone();
        }
        Ok(())
    }

    pub(super) fn bot(&mut self, rest: &[String]) -> Result<(), Failure> {
        let [side, kind] = rest else {
            return Ok(self
                .ui
                .line("no: say a side, and random, greedy or nobody")?);
        };
        let sort = match kind.as_str() {
            "nobody" => None,
            kind => match kind.parse::<BotSort>() {
                Ok(sort) => Some(sort),
                Err(reason) => return Ok(self.ui.line(format!("no: {reason}, or nobody"))?),
            },
        };
        self.is_stuck = false;
        match self.table.set_bot(side, sort) {
            Ok(()) => Ok(self.ui.line(match sort {
                Some(_) => format!("a bot plays {side} now: {kind}"),
                None => format!("people decide for {side} now"),
            })?),
            Err(trouble) => self.trouble(trouble),
        }
    }

    // ---- keeping -------------------------------------------------------------

    pub(super) fn save(&mut self, path: Option<&String>) -> Result<(), Failure> {
        let Some(path) = path else {
            return Ok(self.ui.line("no: say which file to save into")?);
        };
        match self.table.save(Path::new(path)) {
            Ok(()) => Ok(self.ui.line(format!(
                "saved in {path}; `load {path}` or `--load {path}` goes on"
            ))?),
            Err(trouble) => self.trouble(trouble),
        }
    }

    /// Another game in place of this one, which its journal keeps. The file
    /// that is loaded stays as it is.
    pub(super) fn load(&mut self, path: Option<&String>) -> Result<(), Failure> {
        let Some(path) = path else {
            return Ok(self.ui.line("no: say which file to load")?);
        };
        let folders = self.table.folders().to_vec();
        match Tabletop::load_expecting_reloads(Path::new(path), &folders, None) {
            Ok(Loaded {
                mut table, is_torn, ..
            }) => {
                self.keep(&mut table)?;
                table.expect_reloads()?;
                self.table = table;
                self.reporters.clear();
                (self.begun, self.prompted, self.chosen, self.is_stuck) = (None, None, None, false);
                self.proposed = None;
                if is_torn {
                    self.ui
                        .note("the last line was torn off in the middle, and is left out");
                }
                let about = self.table.about(&self.seat)?;
                (self.metric, self.has_secrets) = (about.metric, about.secrets);
                run::introduce(&about, self.ui)?;
                match self.table.about("referee")?.journal {
                    Some(journal) => self.ui.note(&format!(
                        "this game goes on in {}; {path} stays as it is",
                        journal.display()
                    )),
                    None => self
                        .ui
                        .note(&format!("no journal is kept; {path} stays as it is")),
                }
                self.skip_narration()
            }
            Err(trouble) => self.trouble(trouble),
        }
    }

    /// Keeps a game that was loaded in a journal of its own.
    fn keep(&mut self, table: &mut Tabletop) -> Result<(), Failure> {
        if self.keeps_journals {
            let journal = free_journal(&table.about("referee")?.scenario)?;
            table.keep_journal(journal.path())?;
            keeps_what_it_has(Some(journal.path()));
        }
        Ok(())
    }
}

/// How many are meant, from 1; without a word, as many as usual.
fn counted(word: Option<&String>, usual: usize) -> Option<usize> {
    match word.map(|word| word.parse::<usize>()) {
        None => Some(usual),
        Some(count) => count.ok().filter(|count| *count > 0),
    }
}

/// Refuses to draw over a file with something in it that is no picture. What is no file, as a terminal or a pipe,
/// is drawn into.
fn refuse_other(path: &Path) -> io::Result<()> {
    let is_written = std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0);
    if !is_written {
        return Ok(());
    }
    let mut begins = [0; PICTURE_BEGINS.len()];
    let read = std::fs::File::open(path)?.read_exact(&mut begins);
    match read.is_ok() && begins == *PICTURE_BEGINS {
        true => Ok(()),
        false => Err(io::Error::other("it is there already, and is no picture")),
    }
}

/// What a picture begins with.
const PICTURE_BEGINS: &[u8; 4] = b"<svg";
