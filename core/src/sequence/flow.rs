//! The agenda and the frames on it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::digest::{Names, StateHasher};
use crate::past::Past;
use crate::sequence::Pad;
use crate::sequence::pad::PadEntry;
use crate::stamp::{Stamp, Unseen};
use crate::value::{EntityId, Name, Side, Value};
use crate::world::Viewer;

/// A phase on the agenda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseFrame {
    /// The phase.
    pub id: Name,
    /// What its rules were given.
    pub data: Value,
    /// Which of its phases comes next.
    pub next: u32,
    /// How many rounds a loop has begun.
    pub rounds: u32,
    /// Whether it has begun.
    pub has_begun: bool,
    /// Whose go it is.
    pub turn: Option<Side>,
    /// The sides that are done, one bit each.
    pub done: u32,
    /// How many goes were let pass since something was done, where that can end it.
    pub passes: u32,
    /// The pads of a secret phase, one a side, while it runs; none otherwise.
    pub pads: Vec<Pad>,
    /// The stamp of what rules can read of it.
    pub(crate) stamp: Unseen,
}

/// A window on the agenda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowFrame {
    /// The window.
    pub id: Name,
    /// What it carries.
    pub data: Value,
    /// The side in whose action it was opened.
    pub acting: Option<Side>,
    /// The sides that let it go by since the last reaction, one bit each.
    pub passed: u32,
    /// The side that is being asked.
    pub asking: Option<Side>,
    /// How many reactions were taken in it.
    pub(crate) taken: u32,
}

impl PhaseFrame {
    /// Whether it is a secret phase that runs: each side decides for itself, and
    /// nobody sees what the others did.
    pub fn is_secret(&self) -> bool {
        !self.pads.is_empty()
    }
}

impl WindowFrame {
    pub(crate) fn new(id: Name, data: Value, acting: Option<Side>) -> WindowFrame {
        WindowFrame {
            id,
            data,
            acting,
            passed: 0,
            asking: None,
            taken: 0,
        }
    }
}

/// One thing on the agenda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// A phase.
    Phase(Box<PhaseFrame>),
    /// A step: a rule to run.
    Step {
        /// The rule.
        rule: Name,
        /// Its arguments.
        args: Arc<[Value]>,
        /// The side whose action or reaction it belongs to.
        by: Option<Side>,
    },
    /// A window.
    Window(WindowFrame),
    /// Takes the phase of that id off the agenda, with all above it.
    Leave {
        /// The phase.
        phase: Name,
    },
}

impl Frame {
    pub(crate) fn phase(id: Name, data: Value) -> Frame {
        Frame::Phase(Box::new(PhaseFrame {
            id,
            data,
            next: 0,
            rounds: 0,
            has_begun: false,
            turn: None,
            done: 0,
            passes: 0,
            pads: Vec::new(),
            stamp: Unseen(Stamp::fresh()),
        }))
    }
}

/// Where the sequence of play stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    /// What is to be done; the last frame comes first.
    pub(crate) agenda: Vec<Frame>,
    /// How many actions have begun.
    pub(crate) action: u32,
    /// How many steps have begun in this action.
    pub(crate) step: u16,
    /// How many draws were made in this action.
    pub(crate) drawn: u32,
    /// Whose pad is written: 0 the table, 1 + s side s in a secret phase.
    pub(crate) lane: u8,
    /// How many actions each side has begun in secret phases.
    pub(crate) lanes: Vec<u32>,
    /// Windows that a side lets go by for the rest of this action.
    pub(crate) standing: BTreeSet<(Side, Name)>,
    /// The result, once a rule has ended the game.
    pub(crate) finished: Option<Value>,
    /// Whether any phase may be secret: nobody looks through the agenda where none is.
    may_be_secret: bool,
}

impl Flow {
    pub(crate) fn new(root: Option<&Name>, sides: usize) -> Flow {
        Flow {
            agenda: root
                .map(|id| Frame::phase(id.clone(), Value::None))
                .into_iter()
                .collect(),
            action: 0,
            step: 0,
            drawn: 0,
            lane: 0,
            lanes: vec![0; sides],
            standing: BTreeSet::new(),
            finished: None,
            may_be_secret: false,
        }
    }

    /// The frame that comes first.
    pub fn top(&self) -> Option<&Frame> {
        self.agenda.last()
    }

    /// Whether steps are left to run.
    pub fn has_steps(&self) -> bool {
        self.agenda
            .iter()
            .any(|frame| matches!(frame, Frame::Step { .. }))
    }

    /// Whether a die is among what lies on the agenda.
    pub(crate) fn holds_die(&self) -> bool {
        self.agenda.iter().any(|frame| match frame {
            Frame::Phase(phase) => phase.data.holds_die(),
            Frame::Step { args, .. } => args.iter().any(Value::holds_die),
            Frame::Window(window) => window.data.holds_die(),
            Frame::Leave { .. } => false,
        })
    }

    /// The phases that are open, outermost first.
    pub fn phases(&self) -> impl DoubleEndedIterator<Item = &PhaseFrame> {
        self.agenda.iter().filter_map(|frame| match frame {
            Frame::Phase(phase) => Some(&**phase),
            _ => None,
        })
    }

    /// The windows that are open, outermost first.
    pub fn windows(&self) -> impl DoubleEndedIterator<Item = &WindowFrame> {
        self.agenda.iter().filter_map(|frame| match frame {
            Frame::Window(window) => Some(window),
            _ => None,
        })
    }

    /// The innermost open phase of that id.
    pub fn phase(&self, id: &str) -> Option<&PhaseFrame> {
        self.phases().rev().find(|phase| &*phase.id == id)
    }

    /// How many actions have begun.
    pub fn actions(&self) -> u32 {
        self.action
    }

    /// The number of the action that runs: in a secret phase, on its side's pad.
    pub(crate) fn numbering(&self) -> u32 {
        match self.lane {
            0 => self.action,
            lane => self.lanes.get(lane as usize - 1).copied().unwrap_or(0),
        }
    }

    /// The side whose go it is in the innermost phase where players act.
    pub fn acting(&self) -> Option<Side> {
        self.phases().rev().find_map(|phase| phase.turn)
    }

    /// Puts a step on the agenda, which comes first.
    pub(crate) fn push_step(&mut self, rule: &Name, args: &[Value], by: Option<Side>) {
        self.agenda.push(Frame::Step {
            rule: rule.clone(),
            args: args.into(),
            by,
        });
    }

    pub(crate) fn top_phase(&mut self) -> Option<&mut PhaseFrame> {
        match self.agenda.last_mut() {
            Some(Frame::Phase(phase)) => Some(phase),
            _ => None,
        }
    }

    pub(crate) fn top_window(&mut self) -> Option<&mut WindowFrame> {
        match self.agenda.last_mut() {
            Some(Frame::Window(window)) => Some(window),
            _ => None,
        }
    }

    fn pads(&self) -> &[Pad] {
        let open = self.phases().rev().find(|phase| phase.is_secret());
        open.map_or(&[], |phase| &phase.pads)
    }

    fn pads_mut(&mut self) -> Option<&mut Vec<Pad>> {
        self.agenda.iter_mut().rev().find_map(|frame| match frame {
            Frame::Phase(phase) if phase.is_secret() => Some(&mut phase.pads),
            _ => None,
        })
    }

    /// Begins a stretch of play with numbers of its own.
    pub(crate) fn begin_action(&mut self) {
        self.action += 1;
        self.step = 0;
        self.drawn = 0;
        self.standing.clear();
    }

    /// Whether a secret phase is open, and so anything may differ from what
    /// lies on the table.
    pub(crate) fn is_secret(&self) -> bool {
        self.may_be_secret && self.phases().any(PhaseFrame::is_secret)
    }

    /// Gives each side a pad in the phase that comes first: it is secret.
    pub(crate) fn open_pads(&mut self, sides: usize) {
        if let Some(phase) = self.top_phase() {
            phase.pads = vec![Pad::default(); sides];
            self.may_be_secret = true;
        }
    }

    /// Takes the pads of the phase that comes first away.
    pub(crate) fn close_pads(&mut self) {
        if let Some(phase) = self.top_phase() {
            phase.pads.clear();
        }
        let is_secret = self.is_secret();
        self.may_be_secret = is_secret;
    }

    /// The pads that a viewer may not look at, each with its side.
    pub(crate) fn foreign_pads(&self, viewer: Viewer) -> impl Iterator<Item = (Side, &Pad)> {
        let pads = (0u8..).map(Side).zip(self.pads());
        pads.filter(move |(side, _)| viewer != Viewer::Referee && viewer != Viewer::Side(*side))
    }

    /// What an attribute held before another side's secret phase began.
    pub(crate) fn before_pads(
        &self,
        viewer: Viewer,
        entity: EntityId,
        slot: u16,
    ) -> Option<&Value> {
        self.foreign_pads(viewer)
            .find_map(|(side, pad)| pad.value_before(side, entity, slot))
    }

    /// Whether another side made what it owns in the secret phase that is open.
    pub(crate) fn is_new_on_a_pad(
        &self,
        viewer: Viewer,
        entity: EntityId,
        owner: Option<Side>,
    ) -> bool {
        let is_after = |past: &Past| entity.0 as usize >= past.world.slots();
        self.foreign_pads(viewer)
            .any(|(side, pad)| owner == Some(side) && pad.before().is_some_and(is_after))
    }

    /// The states that lie on pads.
    pub(crate) fn pasts(&mut self) -> impl Iterator<Item = &mut Past> {
        self.pads_mut().into_iter().flatten().flat_map(Pad::pasts)
    }

    /// The entry on a side's pad for the action that runs.
    pub(crate) fn pad_entry(&mut self, side: Side) -> Option<&mut PadEntry> {
        self.pads_mut()?.get_mut(side.0 as usize)?.entry()
    }

    pub(crate) fn write(&self, writer: &mut StateHasher, names: &dyn Names) {
        writer.number(u64::from(self.action));
        writer.number(u64::from(self.step));
        writer.number(self.agenda.len() as u64);
        for frame in &self.agenda {
            write_frame(frame, self.lanes.len(), writer, names);
        }
        self.lanes
            .iter()
            .for_each(|count| writer.number(u64::from(*count)));
        writer.number(self.standing.len() as u64);
        for (side, window) in &self.standing {
            writer.number(u64::from(side.0));
            writer.text(window);
        }
        writer.value(self.finished.as_ref().unwrap_or(&Value::None), names);
    }
}

fn write_side(side: Option<Side>, writer: &mut StateHasher) {
    writer.number(side.map_or(0, |side| u64::from(side.0) + 1));
}

fn write_frame(frame: &Frame, sides: usize, writer: &mut StateHasher, names: &dyn Names) {
    match frame {
        Frame::Phase(phase) => {
            writer.text("phase");
            writer.text(&phase.id);
            writer.value(&phase.data, names);
            writer.number(u64::from(phase.next));
            writer.number(u64::from(phase.rounds));
            writer.number(u64::from(phase.has_begun));
            write_side(phase.turn, writer);
            writer.number(u64::from(phase.passes) << 32 | u64::from(phase.done));
            for (side, pad) in (0u8..).map(Side).zip(&phase.pads) {
                pad.write(side, writer);
            }
            // Where no secret phase runs, each side has a pad without anything.
            if phase.pads.is_empty() {
                (0..2 * sides).for_each(|_| writer.number(0));
            }
        }
        Frame::Step { rule, args, by } => {
            writer.text("step");
            writer.text(rule);
            write_side(*by, writer);
            writer.number(args.len() as u64);
            args.iter().for_each(|arg| writer.value(arg, names));
        }
        Frame::Window(window) => {
            writer.text("window");
            writer.text(&window.id);
            writer.value(&window.data, names);
            write_side(window.acting, writer);
            writer.number(u64::from(window.passed));
            write_side(window.asking, writer);
        }
        Frame::Leave { phase } => {
            writer.text("leave");
            writer.text(phase);
        }
    }
}
