//! Taking saved mods over, and saying what they change.

use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use houserule::embed::{Difference, ModsNow, ReloadMode, Reloaded, Trouble};
use houserule::kernel::error::Fault;

use super::session::Session;
use crate::diagnostics::Severity;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::ui::Ui;
use houserule::printable::counted;

/// What a side that does not know everything was told, and the hash of what it saw.
struct SideKnowledge {
    timeline: u32,
    last: u32,
    view: String,
    /// How many of its own decisions stood.
    decisions: usize,
}

/// A save that looks broken or half done is looked at again so often, before
/// it is told: editors write in several steps.
const MOST_LOOKS: u32 = 6;

/// More changes or files than this are counted, not listed.
const LISTED: usize = 12;

/// The names of files; of many, as of a folder that was copied, the first ones.
fn in_few_words(files: &[String]) -> String {
    match files.get(..LISTED) {
        Some(first) if files.len() > LISTED => {
            let rest = files.len() - LISTED;
            format!("{} and {}", first.join(", "), counted(rest, "more file"))
        }
        _ => files.join(", "),
    }
}

impl Session<'_> {
    /// Something was written in the folders of mods. Whether to look again
    /// soon, since it may not be finished.
    ///
    /// # Errors
    /// When nobody reads what is printed.
    pub(super) fn saved(&mut self, files: Vec<PathBuf>, looks: u32) -> Result<bool, Failure> {
        let news = self.seen.news(&files);
        if looks == 0 {
            self.first_word(files)?;
        }
        let now = self.table.mods_now();
        if !self.table.is_outdated(&now) {
            if self.reported_broken.take().is_some() {
                self.ui
                    .line("the mods are again as the game goes by them")?;
            } else if !news.is_empty() {
                let news = in_few_words(&news);
                self.ui
                    .line(format!("seen: {news}, with nothing that changes this game").dimmed())?;
                self.ui.flush()?;
            }
            // What a save has not changed in play may be a case.
            self.look_at_mods()?;
            return Ok(false);
        }
        if looks < MOST_LOOKS && self.table.is_half_saved(&now) {
            return Ok(true);
        }
        let (viewer, known) = (self.seat.clone(), self.known()?);
        match self.table.reload_to(&now, self.past, &viewer) {
            Ok(reloaded) => {
                self.live(&reloaded, known)?;
                Ok(false)
            }
            Err(_) if looks == 0 => Ok(true),
            Err(trouble) => {
                self.refused_reload(trouble, &now)?;
                Ok(false)
            }
        }
    }

    /// Takes the mods over because somebody said so.
    ///
    /// # Errors
    /// When nobody reads what is printed.
    pub(super) fn reload(&mut self, past: ReloadMode) -> Result<(), Failure> {
        self.reported_broken = None;
        let now = self.table.mods_now();
        let (viewer, known) = (self.seat.clone(), self.known()?);
        match self.table.reload_to(&now, past, &viewer) {
            Ok(reloaded) => self.live(&reloaded, known),
            Err(trouble) => self.refused_reload(trouble, &now),
        }
    }

    /// Tells why mods are not taken over, with the lines that they have now.
    fn refused_reload(&mut self, trouble: Trouble, now: &ModsNow) -> Result<(), Failure> {
        if self.reported_broken.as_ref() == Some(&trouble) {
            return Ok(());
        }
        self.reported_broken = Some(trouble.clone());
        self.ui.line(
            "not taken over; the game goes by the old rules"
                .yellow()
                .to_string(),
        )?;
        self.ui.workshop = Rc::clone(&now.workshop);
        let printed = self.trouble(trouble);
        // What goes wrong in play is in the lines of the rules in play.
        self.ui.workshop = Rc::clone(self.table.workshop());
        printed
    }

    fn live(&mut self, reloaded: &Reloaded, known: Option<SideKnowledge>) -> Result<(), Failure> {
        self.reported_broken = None;
        self.seen.taken();
        self.is_stuck = false;
        let is_left = self.begun.take().is_some();
        self.ui.workshop = Rc::clone(self.table.workshop());
        self.has_secrets = self.table.about("referee")?.secrets;
        if self.has_secrets && std::mem::take(&mut self.is_open) {
            // Who decides next is handed the screen.
            self.is_fixed = false;
        }
        let rules_alone = self.knows_its_own();
        tell(reloaded, rules_alone, self.ui)?;
        if let Some(known) = known {
            self.tell_own(&known)?;
        }
        if is_left {
            let notice = "  what you began is left, and nothing of it is done: begin it again";
            self.ui.line(notice)?;
        }
        if !rules_alone {
            self.tell_aside(reloaded)?;
        }
        self.decide_afresh(reloaded)?;
        self.table.tidy();
        // The course as it is now is there for whoever asks.
        self.skip_narration()?;
        self.look_at_mods()
    }

    /// Whether a side looks which may know of the game only what it was told.
    fn knows_its_own(&self) -> bool {
        self.has_secrets && self.seat != "referee"
    }

    /// What such a side knows.
    fn known(&self) -> Result<Option<SideKnowledge>, Failure> {
        if !self.knows_its_own() {
            return Ok(None);
        }
        let news = self.table.news(&self.seat, 0, 0)?;
        Ok(Some(SideKnowledge {
            timeline: news.timeline,
            last: news.last,
            view: self.table.view(&self.seat)?.hash,
            decisions: self.table.standing_of(&self.seat)?.decisions,
        }))
    }

    /// Tells such a side what has become of its own.
    fn tell_own(&mut self, known: &SideKnowledge) -> Result<(), Failure> {
        if self.is_otherwise(known) {
            let notice =
                "  what you were told or see is otherwise now: `report` and `look` tell it anew";
            self.ui.line(notice)?;
        }
        let standing = self.table.standing_of(&self.seat)?.decisions;
        let aside = known.decisions.saturating_sub(standing);
        if aside > 0 {
            let is = if aside == 1 { "is" } else { "are" };
            let aside = counted(aside, "decision");
            self.ui.line(format!(
                "  from one that no longer fits on, {aside} of yours {is} set aside; `redo` tries again, and tells why"
            ))?;
        }
        Ok(())
    }

    /// Whether that came out otherwise. It is the side's own, so it tells nothing of what others do.
    fn is_otherwise(&self, known: &SideKnowledge) -> bool {
        let news = self.table.news(&self.seat, known.timeline, known.last);
        let is_as_told =
            news.is_ok_and(|news| news.from == known.last + 1 && news.events.is_empty());
        let view = self.table.view(&self.seat);
        !is_as_told || view.is_ok_and(|view| view.hash != known.view)
    }

    /// Tells which decisions no longer fit, unless that was told already.
    fn tell_aside(&mut self, reloaded: &Reloaded) -> io::Result<()> {
        let notice = reloaded.set_aside.as_ref().map(|aside| {
            format!(
                "  decision {} ({}) no longer fits: {}",
                aside.decision, aside.words, aside.reason
            )
        });
        if self.reported_aside == notice {
            return Ok(());
        }
        if let (Some(notice), Some(aside)) = (&notice, &reloaded.set_aside) {
            self.ui.line(notice)?;
            let count = aside.count;
            self.ui.line(format!(
                "  it and those after it are set aside ({count}); `redo` tries them again"
            ))?;
        }
        self.reported_aside = notice;
        self.ui.flush()
    }

    /// Takes play back to before the first difference, where bots are to decide
    /// afresh from there.
    fn decide_afresh(&mut self, reloaded: &Reloaded) -> Result<(), Failure> {
        let first = reloaded
            .difference
            .as_ref()
            .map(|difference| difference.decision);
        let Some(first) = first.filter(|first| self.is_afresh && *first > 0) else {
            return Ok(());
        };
        match self.table.undo("referee", first - 1) {
            Ok(_) => Ok(self
                .ui
                .line(format!("  from decision {first} on the bots decide afresh"))?),
            Err(trouble) => self.trouble(trouble),
        }
    }

    /// Tells trouble: faults with their lines.
    ///
    /// # Errors
    /// When nobody reads it.
    pub(super) fn trouble(&mut self, trouble: Trouble) -> Result<(), Failure> {
        match trouble {
            Trouble::Faults { faults, undone } => {
                let faults: Vec<Fault> = faults.iter().map(Fault::from).collect();
                self.ui.faults(&faults, Severity::Error)?;
                if undone > 0 && !self.keeps_to_viewer() {
                    let undone = counted(undone as usize, "decision");
                    self.ui
                        .line(format!("the action is undone, with {undone}"))?;
                }
            }
            Trouble::Unwritten { fault } => {
                self.ui.faults(&[Fault::from(&fault)], Severity::Error)?
            }
            Trouble::Refusal {
                what,
                reason,
                clause,
            } => self.ui.line(refused(&what, &reason, clause.as_deref()))?,
            other => self.ui.lines(format!("no: {other}"))?,
        }
        Ok(())
    }
}

/// A refusal in a line. What a word of the table says needs no name, for it stands in the line
/// above; a question is a sentence of its own.
fn refused(what: &str, reason: &str, clause: Option<&str>) -> String {
    let what = match what {
        "" | "that input" | "being done" | "passing" | "taking back" => String::new(),
        question if question.ends_with(['?', '.', '!', ':']) => format!("{question} "),
        action => format!("{action}: "),
    };
    let clause = clause.map_or(String::new(), |clause| format!(" ({clause})"));
    format!("no: {what}{reason}{clause}")
}

/// Tells what a reload did; to who may not know that, by which rules the game
/// goes now.
fn tell(reloaded: &Reloaded, rules_alone: bool, ui: &mut Ui) -> io::Result<()> {
    let changes = reloaded.changes.lines();
    let mods = match reloaded.changes.mods.as_slice() {
        [] => "the mods".to_string(),
        mods => mods.join(", "),
    };
    ui.line(format!("reloaded {mods}").green().bold().to_string())?;
    for line in changes.iter().take(LISTED) {
        ui.line(format!("  {line}"))?;
    }
    if changes.len() > LISTED {
        ui.line(format!("  … {} more", changes.len() - LISTED))?;
    }
    if changes.is_empty() {
        ui.line("  nothing that could change play")?;
    }
    if reloaded.past == ReloadMode::FromNow {
        ui.line("  the game so far stays as it was; the rules hold from now on")?;
    }
    if rules_alone {
        return ui.flush();
    }
    if let Some(difference) = &reloaded.difference {
        tell_difference(difference, ui)?;
    } else if reloaded.past == ReloadMode::AsAlways {
        let so_far = match reloaded.decisions {
            0 => "the game so far comes".to_string(),
            1 => "the one decision so far comes".to_string(),
            many => format!("the {many} decisions so far come"),
        };
        let again = match reloaded.made_again {
            0 => "no rule that they met was changed".to_string(),
            1 => "one of them was worked out anew".to_string(),
            many => format!("{many} of them were worked out anew"),
        };
        ui.line(format!("  {so_far} out the same: {again}"))?;
    }
    if reloaded.asked_again {
        ui.line("  the open question is put in another way now: what was answered is asked again")?;
    }
    ui.flush()
}

/// Tells where the game takes another course now.
fn tell_difference(difference: &Difference, ui: &mut Ui) -> io::Result<()> {
    match &difference.words {
        Some(words) => {
            let heading = difference.heading.as_ref();
            let when = heading.map_or_else(String::new, |heading| format!("{heading}, "));
            let number = difference.decision;
            ui.line(format!(
                "  first difference in {when}decision {number}: {words}"
            ))?;
        }
        None => ui.line("  the game differs from its beginning")?,
    }
    for (when, sign, lines) in [
        ("before", '-', &difference.before),
        ("now", '+', &difference.after),
    ] {
        if !lines.is_empty() {
            ui.line(format!("    {when}"))?;
        }
        lines
            .iter()
            .try_for_each(|line| ui.line(format!("      {sign} {line}")))?;
    }
    if !difference.before.is_empty() || !difference.after.is_empty() {
        return Ok(());
    }
    let pieces = difference.pieces.iter().map(|piece| &*piece.label);
    let pieces: Vec<&str> = pieces.take(LISTED).collect();
    match pieces.as_slice() {
        [] => ui.line("    in what no report tells"),
        some => ui.line(format!("    on the table: {}", some.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::{LISTED, in_few_words};

    #[test]
    fn of_many_files_the_first_are_named() {
        let files: Vec<String> = (1..=LISTED + 1).map(|n| format!("{n}.luau")).collect();
        assert_eq!(in_few_words(&files[..2]), "1.luau, 2.luau");
        assert!(in_few_words(&files).ends_with(", 12.luau and 1 more file"));
        let many: Vec<String> = [&files[..], &files[..]].concat();
        assert!(in_few_words(&many).ends_with(", 12.luau and 14 more files"));
    }
}
