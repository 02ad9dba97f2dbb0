//! The loop at the table: bots play, what is new is told, somebody decides.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

use houserule::embed::{EntityRef, Prompt, ReloadMode, Tabletop, Trouble, WireInput};
use houserule::kernel::brief::Depth;

use houserule::printable;

use super::actions::{Begun, Progress, action_called, begin, continue_with};
use super::domains::{is_choice, resolve};
use super::hearing::{Signal, listen, next_signal, soon};
use super::looking::BackgroundCheck;
use super::seen::SeenFiles;
use super::words::{Word, is_looking, parts, word, word_beginning};
use super::{screen, watcher};
use crate::commands::run;
use crate::failure::Failure;
use crate::reporter::Reporter;
use crate::ui::Ui;

/// So many lines push what was on the screen out of sight.
const SCREENFUL: usize = 60;

/// What is said to a spectator who wants to act.
const LOOKS_ON: &str = "no: whoever looks on decides nothing; `view SIDE` takes a seat";

/// A match, and who looks at it.
pub struct Session<'a> {
    pub(super) table: Tabletop,
    pub(super) ui: &'a mut Ui,
    /// Who looks.
    pub(super) seat: String,
    /// Whether it is the same all the time.
    pub(super) is_fixed: bool,
    /// Whether everybody looks at an open table, since nothing is hidden and nobody
    /// chose another view.
    pub(super) is_open: bool,
    /// Whether sides may not see each other's screens.
    pub(super) has_secrets: bool,
    pub(super) past: ReloadMode,
    pub(super) reporters: BTreeMap<String, Reporter>,
    pub(super) svg: Option<PathBuf>,
    pub(super) chosen: Option<EntityRef>,
    pub(super) metric: bool,
    /// How much is told, and whether with the rules behind it.
    pub(super) detail: (Depth, bool),
    /// Whether a game that is loaded is kept in a journal.
    pub(super) keeps_journals: bool,
    pub(super) is_terminal: bool,
    /// What was begun and not finished.
    pub(super) begun: Option<Begun>,
    /// To whom the screen is being handed.
    pub(super) handing: Option<String>,
    /// Whether a bot met a fault.
    pub(super) is_stuck: bool,
    /// Why the mods on the disk are not taken over, if that was told.
    pub(super) reported_broken: Option<Trouble>,
    /// The decision that no longer fits and why, as it was told last.
    pub(super) reported_aside: Option<String>,
    pub(super) seen: SeenFiles,
    /// What was prompted last: the number of the prompt, and to whom.
    pub(super) prompted: Option<(u32, String)>,
    /// What others ask to take back, as it was told last: its number, and whom.
    pub(super) proposed: Option<(u32, String)>,
    /// Who looks at mods as they are saved.
    pub(super) looking: Option<BackgroundCheck>,
    /// Whether bots decide afresh from where a save makes the first difference.
    pub(super) is_afresh: bool,
    /// Where signals come in, while it plays, and those that wait.
    signals: Option<Receiver<Signal>>,
    waiting: VecDeque<Signal>,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Next {
    GoesOn,
    Leaves,
}

impl<'a> Session<'a> {
    /// Sits down at a table.
    ///
    /// # Errors
    /// When there is no such viewer, or nobody reads what is printed.
    pub fn new(
        table: Tabletop,
        view: Option<String>,
        svg: Option<PathBuf>,
        past: ReloadMode,
        ui: &'a mut Ui,
    ) -> Result<Session<'a>, Failure> {
        let about = table.about("referee")?;
        let people: Vec<&str> = about
            .sides
            .iter()
            .filter(|side| side.bot.is_none())
            .map(|side| &*side.id)
            .collect();
        let (seat, is_fixed) = match (&view, people.as_slice()) {
            (Some(view), _) => (view.clone(), true),
            (None, [only]) => (only.to_string(), true),
            (None, []) => ("referee".to_string(), true),
            (None, [first, ..]) if about.secrets => (first.to_string(), false),
            (None, _) => ("referee".to_string(), true),
        };
        let is_open = view.is_none() && people.len() > 1 && !about.secrets;
        let shown = table.about(&seat)?;
        run::introduce(&shown, ui)?;
        shown.notes.iter().for_each(|note| ui.note(note));
        if let Some(path) = &about.journal {
            ui.note(&format!("this game is kept in {}", path.display()));
        }
        Ok(Session {
            table,
            ui,
            seat,
            is_fixed,
            is_open,
            has_secrets: about.secrets,
            past,
            reporters: BTreeMap::new(),
            svg,
            chosen: None,
            metric: about.metric,
            detail: (Depth::Full, false),
            keeps_journals: true,
            is_terminal: io::stdin().is_terminal() && io::stdout().is_terminal(),
            begun: None,
            handing: None,
            is_stuck: false,
            reported_broken: None,
            reported_aside: None,
            seen: SeenFiles::default(),
            prompted: None,
            proposed: None,
            looking: None,
            is_afresh: false,
            signals: None,
            waiting: VecDeque::new(),
        })
    }

    /// Plays until somebody leaves; while it watches, also when nobody says
    /// anything any more.
    ///
    /// # Errors
    /// When nobody reads what is printed.
    pub fn play(&mut self, is_watching: bool) -> Result<(), Failure> {
        let (sender, signals) = channel();
        listen(sender.clone());
        if is_watching {
            self.looking = Some(BackgroundCheck::begin(
                self.table.folders().to_vec(),
                sender.clone(),
            ));
            watcher::watch(self.table.folders(), sender)
                .map_err(|reason| Failure::Plain(format!("cannot watch the mods: {reason}")))?;
        } else {
            drop(sender);
        }
        let mut doubtful: Option<u32> = None;
        self.signals = Some(signals);
        self.settle()?;
        if is_watching {
            let folders: Vec<String> = self
                .table
                .folders()
                .iter()
                .map(|folder| folder.display().to_string())
                .collect();
            self.ui.line(format!(
                "watching {}; save a file of a mod in play",
                folders.join(", ")
            ))?;
            self.look_at_mods()?;
        }
        loop {
            let Some(signal) = self.next_signal(doubtful.is_some())? else {
                return Ok(());
            };
            let outcome = match signal {
                Signal::End => self.ended().map(|()| match is_watching {
                    true => Next::GoesOn,
                    false => Next::Leaves,
                }),
                Signal::Line(line) => self.line(&line),
                Signal::Found(found) => self.found(found).map(|()| Next::GoesOn),
                Signal::Saved(files) => {
                    let looks = doubtful.take().unwrap_or(0);
                    self.saved(files, looks).map(|is_doubtful| {
                        doubtful = is_doubtful.then_some(looks + 1);
                        Next::GoesOn
                    })
                }
            };
            match outcome.and_then(|next| self.settle_unless(next)) {
                Ok(Next::GoesOn) => {}
                Ok(Next::Leaves) => return self.leave(),
                Err(failure) => self.survive(failure)?,
            }
        }
    }

    /// What comes next: what is urgent, then what has waited longest.
    fn next_signal(&mut self, is_doubtful: bool) -> Result<Option<Signal>, Failure> {
        self.hears();
        let urgent = self.waiting.iter().position(Signal::is_urgent).unwrap_or(0);
        if let Some(signal) = self.waiting.remove(urgent) {
            return Ok(Some(signal));
        }
        self.invite()?;
        let Some(signals) = &self.signals else {
            return Ok(None);
        };
        if self.table.is_cold() && !is_doubtful {
            if let Some(signal) = soon(signals) {
                return Ok(Some(signal));
            }
            self.table.warm_up();
        }
        Ok(next_signal(signals, is_doubtful))
    }

    /// Takes in what has been signalled; whether something of it is urgent.
    fn hears(&mut self) -> bool {
        self.waiting
            .extend(self.signals.iter().flat_map(Receiver::try_iter));
        self.waiting.iter().any(Signal::is_urgent)
    }

    /// Settles, unless somebody leaves.
    fn settle_unless(&mut self, next: Next) -> Result<Next, Failure> {
        if next == Next::GoesOn {
            self.settle()?;
        }
        Ok(next)
    }

    /// Tells what went wrong, and goes on: a rule that breaks while it is asked
    /// what is legal ends no game.
    fn survive(&mut self, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::Output(_) => Err(failure),
            failure => {
                self.ui.tell(failure);
                Ok(self.ui.flush()?)
            }
        }
    }

    /// Lets bots play, hands the screen over, tells what is new.
    fn settle(&mut self) -> Result<(), Failure> {
        self.bots()?;
        if self.waiting.iter().any(Signal::is_urgent) {
            return self.tell();
        }
        let standing = self.table.standing();
        if let Some(path) = self.svg.clone() {
            self.draw(&path)?;
        }
        let about = self.table.about("referee")?;
        let is_person = |side: &&String| {
            about
                .sides
                .iter()
                .any(|s| s.id == **side && s.bot.is_none())
        };
        let person = standing.waiting_for.iter().find(is_person).cloned();
        if let Some(side) = person.filter(|side| !self.is_fixed && *side != self.seat)
            && self.begun.is_none()
        {
            return self.hand_over(side);
        }
        if self.handing.is_none() {
            self.tell()?;
            self.prompt()?;
            self.tell_proposal()?;
        }
        Ok(())
    }

    fn bots(&mut self) -> Result<(), Failure> {
        while !self.is_stuck && !self.hears() {
            match self.table.bot_turn() {
                Ok(None) => return Ok(()),
                Ok(Some(_)) if self.is_fixed => self.tell()?,
                Ok(Some(_)) => {}
                Err(trouble) => {
                    self.is_stuck = true;
                    self.trouble(trouble)?;
                    self.ui.line(
                        "a bot cannot go on: mend the rule, `undo`, or take its side: `bot SIDE nobody`",
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Nobody may see what the one before saw.
    fn hand_over(&mut self, side: String) -> Result<(), Failure> {
        if !self.has_secrets {
            self.seat = side;
            self.tell()?;
            return self.prompt();
        }
        if self.is_terminal {
            if self.handing.as_ref() != Some(&side) {
                self.clear()?;
                self.ui
                    .line(format!("hand over to {side}, who presses Enter"))?;
                self.handing = Some(side);
            }
            return Ok(());
        }
        self.ui.line(format!("== {side} =="))?;
        self.seat = side;
        self.tell()?;
        self.prompt()
    }

    pub(super) fn clear(&mut self) -> io::Result<()> {
        for _ in 0..SCREENFUL {
            self.ui.line("")?;
        }
        self.ui.flush()
    }

    fn reporter(&mut self) -> Result<&mut Reporter, Trouble> {
        if !self.reporters.contains_key(&self.seat) {
            let (depth, causes) = self.detail;
            let reporter = Reporter::in_depth(&self.table, &self.seat, false, depth, causes)?;
            self.reporters.insert(self.seat.clone(), reporter);
        }
        self.reporters
            .get_mut(&self.seat)
            .ok_or_else(|| Trouble::Unknown {
                message: format!("expected a viewer, found `{}`", self.seat),
                hint: None,
            })
    }

    fn tell(&mut self) -> Result<(), Failure> {
        self.reporter()?;
        if let Some(reporter) = self.reporters.get_mut(&self.seat) {
            // Whoever decides now must know what has happened so far.
            reporter.tell_all(&self.table, self.ui)?;
        }
        Ok(())
    }

    /// Passes over what is new: it was told in another way.
    pub(super) fn skip_narration(&mut self) -> Result<(), Failure> {
        self.reporter()?;
        for reporter in self.reporters.values_mut() {
            reporter.skip(&self.table);
        }
        Ok(())
    }

    fn prompt(&mut self) -> Result<(), Failure> {
        let standing = self.table.standing_of(&self.seat)?;
        let now = (standing.ask, self.seat.clone());
        if self.prompted.as_ref() == Some(&now) {
            return Ok(());
        }
        self.prompted = Some(now);
        let prompt = self.table.prompt(&self.seat)?;
        if let (Prompt::Over { .. }, Some(reporter)) = (&prompt, self.reporters.get_mut(&self.seat))
        {
            // A story still holds the last turn back, and its table.
            reporter.finish(&mut self.table, self.ui)?;
        }
        if let (Prompt::Answer { .. }, Some(reporter)) =
            (&prompt, self.reporters.get_mut(&self.seat))
        {
            reporter.tell_heading(self.ui)?;
        }
        match &prompt {
            Prompt::React { side, text, .. } if *side == self.decider() => {
                self.offer_reactions(side, text)?;
            }
            _ => screen::prompt(&prompt, self.decisions_so_far()?, self.metric, self.ui)?,
        }
        if let Prompt::Over { .. } = prompt {
            let about = self.table.about(&self.seat)?;
            run::end(&about, &self.seat, &mut self.table, self.ui)?;
        }
        Ok(self.ui.flush()?)
    }

    /// How many decisions stand, as far as whoever looks may count them: of a side its own.
    fn decisions_so_far(&self) -> Result<Option<usize>, Failure> {
        Ok(run::decisions_of(
            &self.table,
            &self.seat,
            self.has_secrets,
        )?)
    }

    /// The mark after which something can be typed.
    fn invite(&mut self) -> Result<(), Failure> {
        self.ui.flush()?;
        if self.is_terminal {
            let mut out = io::stdout();
            let mark = match (&self.begun, &self.handing) {
                (_, Some(_)) => String::new(),
                (Some(begun), _) => format!("{} > ", printable::line(&begun.next.name)),
                _ => format!("{} > ", printable::line(&self.seat)),
            };
            let _ = out.write_all(mark.as_bytes()).and_then(|()| out.flush());
        }
        Ok(())
    }

    /// Nothing more is typed. At a terminal that ends no line: what comes begins one.
    fn ended(&mut self) -> Result<(), Failure> {
        if self.is_terminal {
            self.ui.line("")?;
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Failure> {
        match self.table.about("referee")?.journal {
            Some(path) => self
                .ui
                .note(&format!("the game is kept in {}", path.display())),
            None => self.ui.note("no journal was kept; `save` would have"),
        }
        Ok(())
    }

    // ---- what was said ------------------------------------------------------

    fn line(&mut self, line: &str) -> Result<Next, Failure> {
        if let Some(side) = self.handing.take() {
            self.seat = side;
            self.clear()?;
            return Ok(Next::GoesOn);
        }
        let words = parts(line);
        let Some(first) = words.first().filter(|first| !first.starts_with("//")) else {
            return Ok(Next::GoesOn);
        };
        let rest = &words[1..];
        if let Some(begun) = self.begun.take() {
            return self.chosen_value(begun, &words, line);
        }
        let known = word(first);
        if known == Some(Word::Quit) {
            return Ok(Next::Leaves);
        }
        let is_asked = matches!(self.table.prompt(&self.seat)?, Prompt::Answer { .. });
        match known {
            // `no` is an answer like any other while a question is open.
            Some(known) if !(is_asked && known == Word::Decline) => {
                self.word(known, rest, line)?;
                return Ok(Next::GoesOn);
            }
            _ if is_asked => {
                self.answer(line.trim())?;
                return Ok(Next::GoesOn);
            }
            _ => {}
        }
        match word_beginning(first) {
            Some(Word::Quit) => Ok(Next::Leaves),
            found => {
                let is_action = self.is_action(first);
                match found.filter(|_| !is_action) {
                    Some(known) => self.word(known, rest, line)?,
                    None => self.begin_action(first, rest)?,
                }
                Ok(Next::GoesOn)
            }
        }
    }

    /// What is said while an action waits for its next choice: the choice, or a
    /// look at something. What does not fit leaves the action as far as it was.
    fn chosen_value(
        &mut self,
        begun: Begun,
        words: &[String],
        line: &str,
    ) -> Result<Next, Failure> {
        let known = words.first().and_then(|first| word(first));
        match known.filter(|_| !is_choice(&begun.next.domain, line.trim())) {
            // What is not done yet is what a player means to take back first.
            Some(Word::Cancel | Word::Undo) => self.ui.line("left")?,
            Some(Word::Quit) => return Ok(Next::Leaves),
            Some(known) if is_looking(known) => {
                self.begun = Some(begun);
                self.word(known, &words[1..], line)?;
            }
            Some(_) => {
                let word = printable::line(line.trim());
                self.ui
                    .line(format!("no: choose this first, then `{word}`"))?;
                self.ask_again(begun)?;
            }
            None => {
                let progress =
                    continue_with(&mut self.table, begun.clone(), line.trim(), self.metric);
                let is_left_open = !matches!(progress, Ok(Progress::Whole(_) | Progress::Begun(_)));
                self.progress(progress)?;
                if is_left_open {
                    self.ask_again(begun)?;
                }
            }
        }
        Ok(Next::GoesOn)
    }

    /// Leaves an action as far as it was begun, and says what is chosen next.
    fn ask_again(&mut self, begun: Begun) -> Result<(), Failure> {
        self.ui
            .line(format!("  {}  (`cancel` leaves)", begun.next.title))?;
        self.begun = Some(begun);
        Ok(())
    }

    fn word(&mut self, word: Word, rest: &[String], line: &str) -> Result<(), Failure> {
        let by = self.decider();
        match word {
            Word::Help => self.help(rest.first().map(String::as_str)),
            Word::Legal => self.legal(rest.first().is_some_and(|word| word == "all")),
            Word::Do => match rest.split_first() {
                Some((name, rest)) => self.begin_action(name, rest),
                None => self.legal(false),
            },
            Word::Answer => {
                self.answer(line.trim().split_once(' ').map_or("", |(_, answer)| answer))
            }
            Word::Pass => self.submit(&WireInput::Pass { by }),
            Word::Done => self.submit(&WireInput::Done { by }),
            Word::Decline => {
                let standing = rest.first().is_some_and(|word| word == "all");
                self.submit(&WireInput::Decline { by, standing })
            }
            Word::Back => self.submit(&WireInput::TakeBack { by }),
            Word::Cancel => Ok(self.ui.line("nothing was begun")?),
            Word::Undo => self.undo(rest.first()),
            Word::Redo => self.redo(rest.first()),
            Word::History => self.history(),
            Word::Map => self.map(rest),
            Word::Svg => self.svg(rest),
            Word::Look => self.look(rest),
            Word::Report => self.report(rest.first()),
            Word::Why => self.why(rest),
            Word::Odds => self.odds(line),
            Word::Record => self.record(rest),
            Word::View => self.view(rest.first()),
            Word::Bot => self.bot(rest),
            Word::Reload => match rest.first().map(String::as_str) {
                None => self.reload(self.past),
                Some("now") => self.reload(ReloadMode::FromNow),
                Some(other) => {
                    let other = printable::line(other);
                    let reason = format!("no: expected `reload` or `reload now`, found `{other}`");
                    Ok(self.ui.line(reason)?)
                }
            },
            Word::Save => self.save(rest.first()),
            Word::Load => self.load(rest.first()),
            Word::About => {
                let about = self.table.about(&self.seat)?;
                Ok(run::introduce(&about, self.ui)?)
            }
            Word::Quit => Ok(()),
        }
    }

    /// The side that decides on this screen: its own, or the one that the game
    /// waits for when the whole table is seen.
    pub(super) fn decider(&self) -> String {
        let sees_all = self.seat == "referee" || (self.seat == "spectator" && !self.has_secrets);
        match self.table.standing().waiting_for.first() {
            Some(first) if sees_all => first.clone(),
            _ => self.seat.clone(),
        }
    }

    fn submit(&mut self, input: &WireInput) -> Result<(), Failure> {
        match self.table.submit(input) {
            Ok(_) => Ok(()),
            Err(trouble) => self.trouble(trouble),
        }
    }

    fn legal(&mut self, all: bool) -> Result<(), Failure> {
        let by = self.decider();
        let asked = self.table.prompt(&self.seat)?;
        if let Prompt::Answer { .. } = asked {
            // There is nothing to do but to answer.
            let decisions = self.decisions_so_far()?;
            return Ok(screen::prompt(&asked, decisions, self.metric, self.ui)?);
        }
        if by == "spectator" {
            return Ok(self.ui.line(LOOKS_ON)?);
        }
        if by == self.seat && matches!(asked, Prompt::Wait) {
            return Ok(self.ui.line("somebody else decides")?);
        }
        match self.table.legal(&by) {
            Ok(legal) => {
                let view = self.table.view(&by)?;
                Ok(screen::legal(
                    &legal,
                    &screen::titles(&view.entities),
                    all,
                    self.ui,
                )?)
            }
            Err(trouble) => self.trouble(trouble),
        }
    }

    fn is_action(&mut self, name: &str) -> bool {
        let by = self.decider();
        self.table
            .legal(&by)
            .is_ok_and(|legal| action_called(&legal, name).is_some())
    }

    /// What can be said: all, a word, or an action that is on the list now.
    fn help(&mut self, what: Option<&str>) -> Result<(), Failure> {
        let by = self.decider();
        let legal = what
            .filter(|what| !screen::is_word(what))
            .and_then(|_| self.table.legal(&by).ok());
        if let (Some(name), Some(legal)) = (what, legal)
            && let Some(id) = action_called(&legal, name)
            && let Some(action) = legal.actions.iter().find(|action| action.id == id)
        {
            return Ok(screen::help_of(action, name, self.ui)?);
        }
        Ok(screen::help(what, self.ui)?)
    }

    fn begin_action(&mut self, name: &str, rest: &[String]) -> Result<(), Failure> {
        let by = self.decider();
        if by == "spectator" {
            return Ok(self.ui.line(LOOKS_ON)?);
        }
        let legal = match self.table.legal(&by) {
            Ok(legal) => legal,
            Err(trouble) => return self.trouble(trouble),
        };
        match action_called(&legal, name) {
            Some(id) => {
                let progress = begin(&mut self.table, &by, legal, &id, rest, self.metric);
                self.progress(progress)
            }
            None => {
                let reason = self.why_not_here(name)?;
                Ok(self.ui.line(reason)?)
            }
        }
    }

    /// Why nothing that can be done now is called so: it can be done at another time, or never.
    fn why_not_here(&self, name: &str) -> Result<String, Failure> {
        let wanted = name.to_lowercase();
        let catalogue = self.table.catalogue(&self.seat)?;
        let is_meant = |(id, title): &(&String, &String)| {
            title.to_lowercase() == wanted || id.rsplit('.').next() == Some(&wanted)
        };
        Ok(match catalogue.actions.iter().find(is_meant) {
            Some((_, title)) => {
                format!("no: {title} is not for now; `legal` lists what can be done")
            }
            None => format!("no: nothing is called `{name}` here; try `legal` or `help`"),
        })
    }

    fn progress(&mut self, progress: Result<Progress, Trouble>) -> Result<(), Failure> {
        match progress {
            Ok(Progress::Whole(input)) => self.declare(&input),
            Ok(Progress::Begun(begun)) => {
                self.offer(&begun)?;
                self.begun = Some(*begun);
                Ok(())
            }
            Ok(Progress::Unclear(reason)) => Ok(self.ui.line(format!("no: {reason}"))?),
            Err(trouble) => self.trouble(trouble),
        }
    }

    fn answer(&mut self, typed: &str) -> Result<(), Failure> {
        let Prompt::Answer { question } = self.table.prompt(&self.seat)? else {
            return Ok(self
                .ui
                .line("no: no question waits for an answer from you")?);
        };
        let by = self.decider();
        let asked = question
            .asked
            .iter()
            .find(|asked| asked.side == by)
            .or(question.asked.first());
        let Some(side) = asked.map(|asked| asked.side.clone()) else {
            return Ok(());
        };
        // Whoever looks, an answer numbers things as its side does.
        let Prompt::Answer { question } = self.table.prompt(&side)? else {
            return Ok(());
        };
        let Some(asked) = question.asked.iter().find(|asked| asked.side == side) else {
            return Ok(());
        };
        let value = resolve(&asked.domain, typed, self.metric);
        self.submit(&WireInput::Answer {
            by: side,
            question: question.id.clone(),
            value,
        })
    }
}
