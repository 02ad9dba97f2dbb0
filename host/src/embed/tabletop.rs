//! The match that people sit round: starting it, and what it is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use kernel::error::Fault;
use kernel::value::{Name, Side};
use kernel::world::Viewer;

use super::acting::MOST_DECISIONS;
use super::former::FormerRules;
use super::numbers::ViewerNumbers;
use super::plain::EntityRef;
use super::undoing::Proposals;
use super::{About, BotSort, MatchStatus, ModAbout, Others, SideAbout, Start, Trouble, UndoPolicy};
use crate::modset::selector::{Active, Request};
use crate::play::{Bot, BotKind, Match, RecordedInput, Recording, Setup};
use crate::record::{Durability, ENGINE, Journal, JournalHeader, KeptSources, ModRecord};
use crate::scenario::{set_up, some_turns};
use crate::types::Unit;
use crate::workshop::{ComposedRules, Found, Overrides, Workshop};
use lint::invalidation::Outlines;

/// A match in play, with all that belongs to it: its mods, who plays, its
/// record. See [the module](super).
pub struct Tabletop {
    pub(super) folders: Vec<PathBuf>,
    pub(super) workshop: Rc<Workshop>,
    pub(super) game: Match,
    pub(super) found: Found,
    pub(super) request: Request,
    pub(super) active: Active,
    /// What the match was made from when it started.
    pub(super) header: JournalHeader,
    /// The mods that it is played by now.
    pub(super) mods: Vec<ModRecord>,
    /// The sources of everything that took part, by hash: whose, and what.
    pub(super) kept: KeptSources,
    pub(super) durability: Durability,
    pub(super) bots: BTreeMap<Side, Bot>,
    pub(super) policy: UndoPolicy,
    pub(super) proposals: Proposals,
    pub(super) numbers: ViewerNumbers,
    /// Bots stop when so many decisions stand.
    pub(super) most_decisions: usize,
    /// What a seat was told only in part.
    pub(super) unreported: Option<Trouble>,
    /// Inputs that were taken back, the next to make again last.
    pub(super) redo: Vec<RecordedInput>,
    /// How many of those a reload has set aside.
    pub(super) set_aside: usize,
    /// What is known of the texts of rules, to tell what a change touches.
    pub(super) outlines: Outlines,
    /// What a reload has put out of use, until there is time to let go of it.
    pub(super) retired: Vec<Box<dyn std::any::Any>>,
    /// The rules before those of now, in whose machine the next are composed.
    pub(super) former: FormerRules,
    /// Whether reloads are expected, and there is no machine for the next one.
    pub(super) is_cold: bool,
}

impl Tabletop {
    /// Starts a match with mods from these folders, each of mods or itself one.
    ///
    /// # Errors
    /// Everything that is wrong in the scenario or its mods, sides that are
    /// not there, a journal that cannot be written.
    pub fn start(folders: &[PathBuf], start: &Start) -> Result<Tabletop, Trouble> {
        let (workshop, broken) = Workshop::open(folders);
        let workshop = Rc::new(workshop);
        Tabletop::start_in(workshop, folders, start).map_err(|trouble| trouble.after(&broken))
    }

    /// Starts a match with mods that were read already; the folders are where
    /// a reload looks for them.
    ///
    /// # Errors
    /// As [`Tabletop::start`].
    pub fn start_in(
        workshop: Rc<Workshop>,
        folders: &[PathBuf],
        start: &Start,
    ) -> Result<Tabletop, Trouble> {
        Tabletop::start_changed(workshop, folders, start, |_| ())
    }

    /// The same, with something changed in what the scenario set up, before
    /// anything happens: to see what becomes of a game that is another in one
    /// thing. Its journal does not know of the change.
    ///
    /// # Errors
    /// As [`Tabletop::start`].
    pub fn start_changed(
        workshop: Rc<Workshop>,
        folders: &[PathBuf],
        start: &Start,
        change: impl FnOnce(&mut Setup),
    ) -> Result<Tabletop, Trouble> {
        let found = workshop.scenario(&start.scenario)?;
        let overrides = overrides(start)?;
        let (chosen, mut setup) = workshop.prepare(&found, &overrides)?;
        change(&mut setup);
        Tabletop::begun(
            MatchRules {
                workshop,
                folders: folders.to_vec(),
                chosen,
            },
            found,
            start,
            setup,
        )
    }

    /// Another match by the rules of this one, which are not composed anew: for
    /// a start that chooses the same ones. Something may be changed in what the
    /// scenario set up, as in [`Tabletop::start_changed`].
    ///
    /// # Errors
    /// As [`Tabletop::start`].
    pub fn start_beside(
        &self,
        start: &Start,
        change: impl FnOnce(&mut Setup),
    ) -> Result<Tabletop, Trouble> {
        let found = self.workshop.scenario(&start.scenario)?;
        let chosen = ComposedRules {
            rulebook: self.game.rulebook().clone(),
            active: self.active.clone(),
        };
        let seed = start.seed.unwrap_or(found.scenario.seed);
        let turns = some_turns(start.turns)?;
        let mut setup = set_up(&found.scenario, &chosen.rulebook, seed, turns)?;
        change(&mut setup);
        let (workshop, folders) = (self.workshop.clone(), self.folders.clone());
        Tabletop::begun(
            MatchRules {
                workshop,
                folders,
                chosen,
            },
            found,
            start,
            setup,
        )
    }

    fn begun(
        rules: MatchRules,
        found: Found,
        start: &Start,
        setup: Setup,
    ) -> Result<Tabletop, Trouble> {
        let MatchRules {
            workshop,
            folders,
            chosen,
        } = rules;
        let (game, active) = (Match::start(chosen.rulebook, setup)?, chosen.active);
        // As its journal says it, so that who loads that goes on by the same.
        let request = Request::parse(&active.asked)?;
        let bots = bots(&game, &all_bots(start, &found, &game))?;
        let recording = Recording {
            bots: bots
                .iter()
                .map(|(side, bot)| (game.game().side_name(*side), bot.kind()))
                .collect(),
            turns: start.turns,
            is_agreed: start.undo == UndoPolicy::Agreed,
        };
        let (header, kept) = workshop.header(&found, &active, game.header().seed, &recording);
        let durability = Durability::of(start.durable);
        let mut table = Tabletop {
            folders,
            workshop,
            game,
            found,
            request,
            active,
            mods: header.mods.clone(),
            header,
            kept,
            durability,
            bots,
            policy: start.undo,
            proposals: Proposals::default(),
            numbers: ViewerNumbers::default(),
            most_decisions: MOST_DECISIONS,
            unreported: None,
            redo: Vec::new(),
            set_aside: 0,
            outlines: Outlines::default(),
            retired: Vec::new(),
            former: FormerRules::default(),
            is_cold: false,
        };
        if let Some(path) = &start.journal {
            table.keep_journal(path)?;
        }
        table.count_again();
        Ok(table)
    }

    /// What the match is, as far as a viewer may know it.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn about(&self, viewer: &str) -> Result<About, Trouble> {
        let viewer = self.viewer(viewer)?;
        let (header, scenario) = (self.game.header(), &self.found.scenario);
        let sides = self
            .sides()
            .zip(&header.side_titles)
            .map(|((side, id), title)| SideAbout {
                id: id.to_string(),
                title: title.clone(),
                bot: self.bots.get(&side).map(|bot| bot.kind().into()),
            });
        let (width, depth) = self.game.game().table();
        Ok(About {
            scenario: header.scenario.to_string(),
            title: scenario.title.clone(),
            text: scenario.text.clone(),
            selector: self.active.line.clone(),
            notes: self.active.notes.clone(),
            mods: self.mods.iter().map(ModAbout::from).collect(),
            sides: sides.collect(),
            table: [width.um(), depth.um()],
            metric: scenario.is_metric,
            turns: self.game.game().turns(),
            secrets: self.may_have_secrets(),
            undo: self.policy,
            engine: ENGINE.to_string(),
            seed: (viewer == Viewer::Referee).then_some(header.seed),
            journal: self
                .game
                .journal()
                .map(|journal| journal.path().to_path_buf()),
        })
    }

    /// Whether the rules know of anything that not everybody sees, or those did that
    /// some of the past was left under: what was hidden then is so yet.
    pub(super) fn may_have_secrets(&self) -> bool {
        self.game.rulebook().book().has_secrets() || self.game.has_left_secrets()
    }

    /// Where the match stands, for the referee.
    pub fn standing(&self) -> MatchStatus {
        let sides = self.game.wanted().sides();
        MatchStatus {
            decisions: self.game.recorded_inputs().len(),
            ask: self.ask_of(Viewer::Referee),
            over: sides.is_empty(),
            waiting_for: sides.into_iter().map(|side| self.side_name(side)).collect(),
            redoable: self.redo.len(),
        }
    }

    /// Where the match stands, as a viewer may know it: whom else the game
    /// waits for, and how much the others decided, may be secret.
    ///
    /// # Errors
    /// When there is no such viewer.
    pub fn standing_of(&self, viewer: &str) -> Result<MatchStatus, Trouble> {
        let viewer = self.viewer(viewer)?;
        let all = self.standing();
        let own = |side: &String| match viewer {
            Viewer::Side(viewer) => self.side_name(viewer) == *side,
            Viewer::Referee => true,
            Viewer::Spectator => false,
        };
        Ok(MatchStatus {
            decisions: self.numbers.own(viewer, all.decisions),
            ask: self.ask_of(viewer),
            waiting_for: all.waiting_for.into_iter().filter(own).collect(),
            over: all.over,
            redoable: if viewer == Viewer::Referee {
                all.redoable
            } else {
                0
            },
        })
    }

    /// The hash of the whole state: equal states have equal hashes.
    pub fn hash(&self) -> String {
        self.game.hash().to_string()
    }

    /// The hash of all that was told, to whomever: equal games have both this
    /// and [`Tabletop::hash`] in common.
    pub fn events_hash(&self) -> String {
        self.game.mark().events.to_string()
    }

    /// Whether what is decided is kept in a journal.
    pub fn has_journal(&self) -> bool {
        self.game.journal().is_some()
    }

    /// The mods as they were last read, for showing faults with their lines.
    pub fn workshop(&self) -> &Rc<Workshop> {
        &self.workshop
    }

    /// The folders in which a reload looks for mods.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The sides that bots play, and how these decide.
    pub(super) fn sides_of_bots(&self) -> BTreeMap<String, BotSort> {
        let game = self.game.game();
        let all = self.bots.iter();
        all.map(|(side, bot)| (game.side_name(*side).to_string(), bot.kind().into()))
            .collect()
    }

    /// Lets a bot play a side from now on, or (`None`) people. The journal says so,
    /// so that it is the same when the match is taken up again.
    ///
    /// # Errors
    /// When there is no such side, or the journal cannot be written.
    pub fn set_bot(&mut self, side: &str, sort: Option<BotSort>) -> Result<(), Trouble> {
        let side = self.side(side)?;
        let kind = sort.map(BotKind::from);
        if self.bots.get(&side).map(Bot::kind) != kind {
            self.game.note_player(side, kind)?;
            // Others must agree now than those who were asked.
            self.proposals.lapse();
        }
        self.has_moved();
        match sort {
            Some(sort) => {
                self.bots
                    .insert(side, Bot::new(sort.into(), self.game.header().seed, side));
            }
            None => {
                self.bots.remove(&side);
            }
        }
        Ok(())
    }

    // ---- names -------------------------------------------------------------

    pub(super) fn timeline(&self) -> u32 {
        self.game.cuts().len() as u32
    }

    pub(super) fn unit(&self) -> Unit {
        if self.found.scenario.is_metric {
            Unit::Centimetres
        } else {
            Unit::Inches
        }
    }

    pub(super) fn sides(&self) -> impl Iterator<Item = (Side, &Name)> {
        (0u8..)
            .map(Side)
            .zip(self.game.game().world().sides().iter())
    }

    pub(super) fn side_name(&self, side: Side) -> String {
        self.game.game().side_name(side).to_string()
    }

    pub(super) fn side(&self, name: &str) -> Result<Side, Trouble> {
        let found = self
            .sides()
            .find(|(_, side)| ***side == *name)
            .map(|(side, _)| side);
        found.ok_or_else(|| Trouble::unknown("a side", name, self.sides().map(|(_, side)| &**side)))
    }

    pub(super) fn viewer(&self, name: &str) -> Result<Viewer, Trouble> {
        match name {
            "referee" => Ok(Viewer::Referee),
            "spectator" => Ok(Viewer::Spectator),
            side => self.side(side).map(Viewer::Side),
        }
    }

    /// The entity that somebody means: only what they know of is there.
    pub(super) fn find(
        &self,
        viewer: Viewer,
        named: &EntityRef,
    ) -> Option<kernel::value::EntityId> {
        let game = self.game.game();
        let by_handle = |handle: u32| game.by_handle(viewer, handle);
        let by_name = |name: &str| match name
            .strip_prefix('#')
            .and_then(|number| number.parse().ok())
        {
            Some(handle) => by_handle(handle),
            None => game
                .world()
                .find(name)
                .filter(|entity| *game.label(viewer, *entity) == *name),
        };
        let found = match named {
            EntityRef::Number(handle)
            | EntityRef::Seen {
                entity: Some(handle),
                ..
            } => by_handle(*handle),
            EntityRef::Name(name)
            | EntityRef::Seen {
                entity: None,
                label: name,
            } => by_name(name),
        };
        found.filter(|entity| game.is_seen(viewer, *entity))
    }
}

/// The rules of a match, and where they come from.
struct MatchRules {
    workshop: Rc<Workshop>,
    folders: Vec<PathBuf>,
    chosen: ComposedRules,
}

/// What a player says beside the scenario.
fn overrides(start: &Start) -> Result<Overrides, Vec<Fault>> {
    let request = Request::gather(&start.with, &start.without, &start.options)?;
    Ok(Overrides {
        with: request.with.iter().map(ToString::to_string).collect(),
        without: request.without.iter().map(ToString::to_string).collect(),
        options: request.options,
        amends: request.amends,
        force_without: request.force_without,
        seed: start.seed,
        turns: start.turns,
    })
}

impl From<&ModRecord> for ModAbout {
    fn from(record: &ModRecord) -> ModAbout {
        ModAbout {
            id: record.id.clone(),
            version: record.version.clone(),
            hash: record.hash.to_string(),
        }
    }
}

impl Trouble {
    /// The same trouble after faults that may be why something is not there.
    fn after(self, broken: &[Fault]) -> Trouble {
        match self {
            Trouble::Faults { mut faults, undone } => {
                let more = broken.iter().map(super::FaultAbout::from);
                let more: Vec<_> = more.filter(|fault| !faults.contains(fault)).collect();
                faults.splice(0..0, more);
                Trouble::Faults { faults, undone }
            }
            other => other,
        }
    }
}

/// Who plays what, as it is asked for and as the scenario says.
fn all_bots(start: &Start, found: &Found, game: &Match) -> BTreeMap<String, BotSort> {
    let mut all = start.bots.clone();
    for side in game.game().world().sides().iter() {
        let sort = match start.others {
            Others::People => continue,
            Others::Scenario => found
                .scenario
                .bots
                .get(side)
                .copied()
                .map_or(BotSort::Greedy, BotSort::from),
            Others::Random => BotSort::Random,
            Others::Greedy => BotSort::Greedy,
        };
        all.entry(side.to_string()).or_insert(sort);
    }
    all
}

pub(super) fn bots(
    game: &Match,
    sorts: &BTreeMap<String, BotSort>,
) -> Result<BTreeMap<Side, Bot>, Trouble> {
    let world = game.game().world();
    let bot = |(name, sort): (&String, &BotSort)| {
        let side = world.side(name);
        let side = side.ok_or_else(|| {
            Trouble::unknown("a side", name, world.sides().iter().map(|side| &**side))
        })?;
        Ok((
            side,
            Bot::new(BotKind::from(*sort), game.header().seed, side),
        ))
    };
    sorts.iter().map(bot).collect()
}

impl Tabletop {
    /// Keeps a journal in a new file from now on; all that was decided so far
    /// goes into it at once.
    ///
    /// # Errors
    /// When it cannot be written or is no new file, or another process writes it. Then
    /// nothing is kept beside it either.
    pub fn keep_journal(&mut self, path: &std::path::Path) -> Result<(), Trouble> {
        let (header, kept) = (&self.header, &self.kept);
        let journal = Journal::begin(path, header, kept, self.game.lines(), self.durability);
        self.game.keep(journal.map_err(unwritten)?);
        Ok(())
    }
}

pub(super) fn unwritten(fault: Fault) -> Trouble {
    Trouble::Unwritten {
        fault: super::FaultAbout::from(&fault),
    }
}
