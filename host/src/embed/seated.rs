//! The match as it is played from one seat: what the seat may not do is
//! refused here, whatever stands in front.

use std::collections::BTreeMap;
use std::path::Path;

use super::{
    About, Accepted, Around, BotSort, CaseRequest, Catalogue, Choosing, Decision, EntityRef,
    KeptAsCase, KeptTest, LegalMoves, MatchStatus, ModRules, News, NextParam, NumberedPrompt,
    OddsAbout, OddsQuestion, Outlook, Plain, ReloadMode, Reloaded, Role, Seat, Submission,
    Tabletop, TestRequest, Trouble, UndoPolicy, UndoProposal, Undone, WhyAbout, WireView,
};

/// A match, from one seat.
///
/// Where a method takes a viewer or a side, `None` means the seat's only one.
/// What is refused because it is for another seat is refused before anything
/// is looked up, and always in the same words.
///
/// ```
/// use houserule::embed::{Seat, Start, Tabletop, Trouble};
/// # let mods = ["../mods".into(), "../docs/examples".into()];
/// # let start = Start { scenario: "drill/range".into(), ..Start::default() };
/// let mut table = Tabletop::start(&mods, &start)?;
/// let blue = Seat::of_side("blue");
/// assert_eq!(table.seated(&blue).view(None)?.viewer, "blue");
/// assert_eq!(table.seated(&blue).view(Some("red")).unwrap_err(), Trouble::Forbidden {});
/// # Ok::<(), Trouble>(())
/// ```
pub struct Seated<'a> {
    table: &'a mut Tabletop,
    seat: &'a Seat,
}

impl Tabletop {
    /// The match, from one seat. The methods of [`Tabletop`] itself are for the
    /// host.
    pub fn seated<'a>(&'a mut self, seat: &'a Seat) -> Seated<'a> {
        Seated { table: self, seat }
    }

    /// The last trouble that was told to a seat only in part, since this was
    /// last asked: it is for the host.
    pub fn unreported(&mut self) -> Option<Trouble> {
        self.unreported.take()
    }
}

/// What a seat gets: trouble is told as it may hear it.
type SeatResult<T> = Result<T, Trouble>;

impl Seated<'_> {
    /// Looks as a viewer that this seat may look as.
    fn look<T>(
        &mut self,
        viewer: Option<&str>,
        get: impl FnOnce(&Tabletop, &str) -> SeatResult<T>,
    ) -> SeatResult<T> {
        self.seat.needs(Role::Seat)?;
        let viewer = self.seat.viewer(viewer)?;
        let outcome = get(self.table, &viewer);
        self.redacted(outcome)
    }

    /// Looks at what a side can do: at whose, whoever may look as anybody must say.
    fn look_for<T>(
        &mut self,
        side: Option<&str>,
        get: impl FnOnce(&Tabletop, &str) -> SeatResult<T>,
    ) -> SeatResult<T> {
        if side.is_none() && self.seat.role() >= Role::Referee {
            let sides: Vec<&str> = self.table.sides().map(|(_, side)| &**side).collect();
            return Err(Trouble::Unsaid {
                message: format!("expected `side`: one of {}", sides.join(", ")),
            });
        }
        self.look(side, get)
    }

    /// Does what takes a role.
    fn rule<T>(
        &mut self,
        role: Role,
        get: impl FnOnce(&mut Tabletop) -> SeatResult<T>,
    ) -> SeatResult<T> {
        self.seat.needs(role)?;
        let outcome = get(self.table);
        self.redacted(outcome)
    }

    /// Trouble as the seat may hear it; what it may not is kept for the host.
    fn redacted<T>(&mut self, outcome: SeatResult<T>) -> SeatResult<T> {
        outcome.map_err(|trouble| {
            let shown = self.seat.may_hear(trouble.clone());
            if shown != trouble {
                self.table.unreported = Some(trouble);
            }
            shown
        })
    }

    /// What the match is. Where its journal is kept only the host learns.
    ///
    /// # Errors
    /// When there is no such viewer, or it is another seat's.
    pub fn about(&mut self, viewer: Option<&str>) -> SeatResult<About> {
        let is_host = self.seat.role() == Role::Host;
        let about = self.look(viewer, |table, viewer| table.about(viewer))?;
        Ok(About {
            journal: about.journal.filter(|_| is_host),
            ..about
        })
    }

    /// Where it stands.
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn standing(&mut self, viewer: Option<&str>) -> SeatResult<MatchStatus> {
        self.look(viewer, |table, viewer| table.standing_of(viewer))
    }

    /// What must be decided.
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn asking(&mut self, viewer: Option<&str>) -> SeatResult<NumberedPrompt> {
        self.look(viewer, |table, viewer| table.asking(viewer))
    }

    /// All that a side might do.
    ///
    /// # Errors
    /// As [`Tabletop::legal`]; when it is another seat's side.
    pub fn legal(&mut self, side: Option<&str>) -> SeatResult<LegalMoves> {
        self.look_for(side, |table, side| table.legal(side))
    }

    /// The same of one actor alone, or only what is allowed.
    ///
    /// # Errors
    /// As [`Seated::legal`].
    pub fn some_legal(
        &mut self,
        side: Option<&str>,
        actor: Option<&EntityRef>,
        is_allowed: bool,
    ) -> SeatResult<LegalMoves> {
        self.look_for(side, |table, side| {
            table.some_legal(side, actor, is_allowed)
        })
    }

    /// The words and shapes of the match.
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn catalogue(&mut self, viewer: Option<&str>) -> SeatResult<Catalogue> {
        self.look(viewer, |table, viewer| table.catalogue(viewer))
    }

    /// What the rules draw around a piece.
    ///
    /// # Errors
    /// As [`Tabletop::around`]; when the viewer is another seat's.
    pub fn around(&mut self, viewer: Option<&str>, piece: &EntityRef) -> SeatResult<Around> {
        self.look(viewer, |table, viewer| table.around(viewer, piece))
    }

    /// The game as a viewer might see it after one of its events.
    ///
    /// # Errors
    /// As [`Tabletop::view_at`]; when the viewer is another seat's.
    pub fn view_at(&mut self, viewer: Option<&str>, event: u32) -> SeatResult<WireView> {
        self.look(viewer, |table, viewer| table.view_at(viewer, event))
    }

    /// The next parameter of an action.
    ///
    /// # Errors
    /// As [`Tabletop::next_param`]; when it is another seat's side.
    pub fn next_param(
        &mut self,
        side: Option<&str>,
        action: &str,
        actor: Option<&EntityRef>,
        given: &BTreeMap<String, Plain>,
    ) -> SeatResult<Option<NextParam>> {
        self.look_for(side, |table, side| {
            table.next_param(side, action, actor, given)
        })
    }

    /// What a side should know of a choice before it is made.
    ///
    /// # Errors
    /// As [`Tabletop::outlook`]; when it is another seat's side.
    pub fn outlook(
        &mut self,
        side: Option<&str>,
        action: &str,
        actor: Option<&EntityRef>,
        given: &BTreeMap<String, Plain>,
    ) -> SeatResult<Option<Outlook>> {
        self.look_for(side, |table, side| {
            table.outlook(side, action, actor, given)
        })
    }

    /// The odds of an action, as far as a viewer may know them.
    ///
    /// # Errors
    /// As [`Tabletop::odds`]; when it is another seat's side.
    pub fn odds(&mut self, viewer: Option<&str>, of: &OddsQuestion) -> SeatResult<OddsAbout> {
        self.look(viewer, |table, viewer| table.odds(viewer, of))
    }

    /// Takes a decision of a side that is played from here.
    ///
    /// # Errors
    /// As [`Tabletop::submit_as`]; when another seat decides for that side.
    pub fn submit(&mut self, submission: &Submission) -> SeatResult<Accepted> {
        self.seat.decider(Some(submission.input.by()))?;
        let outcome = self.table.submit_as(submission);
        self.redacted(outcome)
    }

    /// The game as a viewer may see it.
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn view(&mut self, viewer: Option<&str>) -> SeatResult<WireView> {
        self.look(viewer, |table, viewer| table.view(viewer))
    }

    /// What has happened: see [`Tabletop::some_news`].
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn news(
        &mut self,
        viewer: Option<&str>,
        timeline: u32,
        since: u32,
        limit: Option<u32>,
    ) -> SeatResult<News> {
        self.look(viewer, |table, viewer| {
            table.some_news(viewer, timeline, since, limit)
        })
    }

    /// The decisions of a viewer's own.
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn decisions(&mut self, viewer: Option<&str>) -> SeatResult<Vec<Decision>> {
        self.look(viewer, |table, viewer| table.decisions_of(viewer))
    }

    /// Why something came out as it did: see [`Tabletop::why`].
    ///
    /// # Errors
    /// As [`Tabletop::why`]; when the viewer is another seat's.
    pub fn why(
        &mut self,
        viewer: Option<&str>,
        event: u32,
        whole: bool,
    ) -> SeatResult<Vec<WhyAbout>> {
        self.look(viewer, |table, viewer| table.why(viewer, event, whole))
    }

    /// Takes play back, or asks the others to: to where so many decisions of
    /// whoever asks stand; without a number, all but the last. Whoever asks is
    /// a side of the seat, or the referee.
    ///
    /// # Errors
    /// As [`Tabletop::undo`]; when another seat plays that side.
    pub fn undo(&mut self, by: Option<&str>, keep: Option<usize>) -> SeatResult<Undone> {
        self.seat.needs(Role::Seat)?;
        let rules = self.seat.role() >= Role::Referee;
        let by = match (by, self.table.policy) {
            (None | Some("referee"), _) if rules => "referee".to_string(),
            (_, UndoPolicy::Umpire) if !rules => return Err(Trouble::Forbidden {}),
            (by, _) => self.seat.decider(by)?,
        };
        let keep = match (keep, &*by) {
            (Some(keep), _) => Some(keep),
            (None, "referee") => self.table.decisions_before_last(1),
            (None, side) => self.table.standing_of(side)?.decisions.checked_sub(1),
        };
        let Some(keep) = keep else {
            let reason = "there is no decision to take back";
            return Err(Trouble::refusal("taking back", reason));
        };
        let outcome = self.table.undo(&by, keep);
        self.redacted(outcome)
    }

    /// Agrees to what a side has asked to take back under a number.
    ///
    /// # Errors
    /// As [`Tabletop::agree_to_undo`]; when another seat plays that side.
    pub fn agree_to_undo(&mut self, by: Option<&str>, number: u32) -> SeatResult<Undone> {
        let by = self.speaker_on_undo(by)?;
        let outcome = self.table.agree_to_undo(&by, number);
        self.redacted(outcome)
    }

    /// Declines what another side has asked to take back, or withdraws what a side
    /// of the seat has.
    ///
    /// # Errors
    /// As [`Tabletop::decline_undo`]; when another seat plays that side.
    pub fn decline_undo(&mut self, by: Option<&str>, number: Option<u32>) -> SeatResult<()> {
        let by = self.speaker_on_undo(by)?;
        let outcome = self.table.decline_undo(&by, number);
        self.redacted(outcome)
    }

    /// The side that speaks where players take play back together; where an umpire
    /// rules, none does.
    fn speaker_on_undo(&self, by: Option<&str>) -> SeatResult<String> {
        self.seat.needs(Role::Seat)?;
        match self.table.policy {
            UndoPolicy::Umpire => Err(Trouble::Forbidden {}),
            UndoPolicy::Agreed => self.seat.decider(by),
        }
    }

    /// What a side has asked to take back.
    ///
    /// # Errors
    /// As [`Seated::about`].
    pub fn undo_proposal(&mut self, viewer: Option<&str>) -> SeatResult<Option<UndoProposal>> {
        self.look(viewer, |table, viewer| table.undo_proposal(viewer))
    }

    /// Makes the next decision again that was taken back; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::redo`].
    pub fn redo(&mut self) -> SeatResult<Accepted> {
        self.rule(Role::Referee, Tabletop::redo)
    }

    /// Lets a bot decide; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::bot_turn`].
    pub fn bot_turn(&mut self) -> SeatResult<Option<Accepted>> {
        self.rule(Role::Referee, Tabletop::bot_turn)
    }

    /// Lets bots decide until people must; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::bots`].
    pub fn bots(&mut self) -> SeatResult<MatchStatus> {
        self.rule(Role::Referee, Tabletop::bots)
    }

    /// Lets a bot play a side, or people; for the referee.
    ///
    /// # Errors
    /// When there is no such side.
    pub fn set_bot(&mut self, side: &str, sort: Option<BotSort>) -> SeatResult<()> {
        self.rule(Role::Referee, |table| table.set_bot(side, sort))
    }

    /// Goes on by the mods as they are in their folders now; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::reload`].
    pub fn reload(&mut self, past: ReloadMode, viewer: Option<&str>) -> SeatResult<Reloaded> {
        self.seat.needs(Role::Referee)?;
        let viewer = self.seat.viewer(viewer)?;
        self.rule(Role::Referee, |table| table.reload(past, &viewer))
    }

    /// The clauses and options of the match, which everybody may know.
    ///
    /// # Errors
    /// When this is no seat.
    pub fn rules(&mut self) -> SeatResult<Vec<ModRules>> {
        self.rule(Role::Seat, |table| Ok(table.rules()))
    }

    /// Goes on by other clauses and options; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::choose`].
    pub fn choose(&mut self, choosing: &Choosing) -> SeatResult<Reloaded> {
        self.rule(Role::Referee, |table| table.choose(choosing, "referee"))
    }

    /// A moment as a case; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::as_case`].
    pub fn as_case(&mut self, request: &CaseRequest) -> SeatResult<KeptAsCase> {
        self.rule(Role::Referee, |table| table.as_case(request))
    }

    /// All that was decided so far as a test; for the referee.
    ///
    /// # Errors
    /// As [`Tabletop::as_test`].
    pub fn as_test(&mut self, request: &TestRequest) -> SeatResult<KeptTest> {
        self.rule(Role::Referee, |table| table.as_test(request))
    }

    /// Writes all that was decided into a file; for the host.
    ///
    /// # Errors
    /// As [`Tabletop::save`].
    pub fn save(&mut self, path: &Path) -> SeatResult<()> {
        self.rule(Role::Host, |table| table.save(path))
    }

    /// The hash of the whole state; for the referee.
    ///
    /// # Errors
    /// When this is another seat.
    pub fn hash(&mut self) -> SeatResult<String> {
        self.rule(Role::Referee, |table| Ok(table.hash()))
    }
}
