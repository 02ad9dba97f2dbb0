//! From what steps noted to the tree behind one event.

use std::rc::Rc;

use kernel::error::Place;
use kernel::game::Effects;
use kernel::value::{Name, Value};

use rules::hosting::registry::{Layer, LayerBody, LayerKind};
use rules::rulebook::Rulebook;
use rules::trace::{Note, StepTrace};

/// Why an event happened: the steps that led to it, the first one first.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// The event, by its place among all events of the match.
    pub event: usize,
    /// The input that set it off, by its place among all inputs; none for what
    /// happened before the first.
    pub input: Option<usize>,
    /// The steps, up to the one that told it.
    pub steps: Vec<WhyStep>,
}

/// A step on the way to an event.
#[derive(Clone, PartialEq, Debug)]
pub struct WhyStep {
    /// The rule that ran as a step.
    pub rule: Name,
    /// What it did, up to what led on.
    pub inside: Vec<TraceItem>,
}

/// One thing that a rule did.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceItem {
    /// It called a rule.
    Call(TracedCall),
    /// It told an event, rolled dice or drew chits: by its place among all
    /// events of the match.
    Event(usize),
    /// It asked whether a clause is on.
    Clause(Name, bool),
    /// It read an option.
    Option(Name, Value),
    /// It read a row of a table.
    Row(Name),
    /// It put a step on the agenda.
    Push(Name),
}

/// A function of a rule that was called.
#[derive(Clone, PartialEq, Debug)]
pub struct TracedCall {
    /// The rule.
    pub rule: Name,
    /// How the function takes its place in the rule.
    pub kind: LayerKind,
    /// The mod that it is from.
    pub module: Name,
    /// Where it is written.
    pub place: Place,
    /// The clauses that it carries out.
    pub cites: Vec<Name>,
    /// What it was given, by name.
    pub args: Vec<(Name, Value)>,
    /// What it gave; none while it was still running.
    pub result: Option<Value>,
    /// What it did.
    pub inside: Vec<TraceItem>,
}

impl TracedCall {
    /// The function under it in the same rule, if it called that.
    pub fn base(&self) -> Option<&TracedCall> {
        self.inside.iter().find_map(|one| match one {
            TraceItem::Call(call) if call.rule == self.rule && call.kind != LayerKind::Line => {
                Some(call)
            }
            _ => None,
        })
    }
}

/// What the steps of one input did.
#[derive(Clone, Debug)]
pub struct InputTrace {
    /// The steps, in order.
    pub steps: Rc<[StepTrace]>,
    /// The functions of the rulebook that they ran under, by number.
    pub layers: Rc<[Layer]>,
}

impl InputTrace {
    /// Whether an event, by its place among those of the input, is the last that
    /// its step told: its tree then is the tree of the whole step.
    pub fn ends_step(&self, event: usize) -> bool {
        let last = |step: &StepTrace| {
            let events = step.notes.iter().filter_map(|note| match note {
                Note::Event(at) => Some(*at),
                _ => None,
            });
            events.max() == Some(event)
        };
        self.steps.iter().rev().any(last)
    }
}

/// A step, and where it belongs.
#[derive(Debug)]
struct Traced {
    of: InputTrace,
    /// Its place among the steps of the input.
    at: usize,
    input: Option<usize>,
    /// The events of the match before the input.
    before: usize,
    /// The step that put it on the agenda.
    parent: Option<usize>,
}

impl Traced {
    fn trace(&self) -> &StepTrace {
        &self.of.steps[self.at]
    }
}

/// What inputs one after another did, from one before which no step was left to
/// run.
#[derive(Debug, Default)]
pub struct Trail {
    steps: Vec<Traced>,
    /// What was put on the agenda and has not run, and by which step.
    agenda: Vec<(Name, usize)>,
}

impl Trail {
    /// Adds what an input did, which came after so many events.
    pub fn add(&mut self, input: Option<usize>, before: usize, of: &InputTrace) {
        for (at, trace) in of.steps.iter().enumerate() {
            let place = self
                .agenda
                .iter()
                .rposition(|(rule, _)| *rule == trace.rule);
            let parent = place.map(|place| self.agenda.remove(place).1);
            let pushed = trace.notes.iter().rev().filter_map(|note| match note {
                Note::Push(rule) => Some((rule.clone(), self.steps.len())),
                _ => None,
            });
            self.agenda.extend(pushed);
            let of = of.clone();
            self.steps.push(Traced {
                of,
                at,
                input,
                before,
                parent,
            });
        }
    }

    /// The tree behind an event; none if no step told it.
    pub fn why(&self, rulebook: &Rulebook, event: usize) -> Option<Why> {
        let tells = |step: &Traced| {
            step.before <= event
                && step
                    .trace()
                    .notes
                    .contains(&Note::Event(event - step.before))
        };
        let last = self.steps.iter().rposition(tells)?;
        let mut chain = vec![(last, CutOff::Event(event - self.steps[last].before))];
        let mut at = last;
        while let Some(parent) = self.steps[at].parent {
            chain.push((parent, CutOff::Push(self.steps[at].trace().rule.clone())));
            at = parent;
        }
        let step = |(at, stop): (usize, CutOff)| {
            let traced = &self.steps[at];
            let (before, notes) = (traced.before, &traced.trace().notes);
            let mut reading = NotesReader {
                rulebook,
                layers: &traced.of.layers,
                before,
                notes,
                at: 0,
            };
            WhyStep {
                rule: traced.trace().rule.clone(),
                inside: reading.all(&stop),
            }
        };
        Some(Why {
            event,
            input: self.steps[last].input,
            steps: chain.into_iter().rev().map(step).collect(),
        })
    }
}

/// Where a step is cut: what comes after did not lead to the event.
enum CutOff {
    Event(usize),
    Push(Name),
}

impl CutOff {
    fn is_at(&self, note: &Note) -> bool {
        match (self, note) {
            (CutOff::Event(event), Note::Event(at)) => event == at,
            (CutOff::Push(rule), Note::Push(pushed)) => rule == pushed,
            _ => false,
        }
    }
}

/// What stands for a layer of another rulebook.
fn nameless() -> Layer {
    Layer {
        rule: Name::from("?"),
        kind: LayerKind::Define,
        cites: Rc::new([]),
        module: Name::from("?"),
        place: Place::default(),
        effects: Effects::READS,
        reveals: None,
        body: LayerBody::Nothing,
        registered: 0,
    }
}

/// The notes of a step, read from first to last.
struct NotesReader<'a> {
    rulebook: &'a Rulebook,
    layers: &'a [Layer],
    before: usize,
    notes: &'a [Note],
    at: usize,
}

impl NotesReader<'_> {
    /// Everything up to where it is cut.
    fn all(&mut self, stop: &CutOff) -> Vec<TraceItem> {
        let (inside, _, _) = self.until_left(stop);
        inside
    }

    /// What a function did, what it gave, and whether it is cut within it.
    fn until_left(&mut self, stop: &CutOff) -> (Vec<TraceItem>, Option<Value>, bool) {
        let mut inside = Vec::new();
        while let Some(note) = self.notes.get(self.at) {
            self.at += 1;
            match note {
                Note::Enter { layer, args } => {
                    let (did, result, is_cut) = self.until_left(stop);
                    inside.push(TraceItem::Call(self.call(*layer, args, result, did)));
                    if is_cut {
                        return (inside, None, true);
                    }
                }
                Note::Leave { result } => return (inside, Some(result.clone()), false),
                Note::Event(at) => inside.push(TraceItem::Event(self.before + at)),
                Note::Clause(id, is_on) => inside.push(TraceItem::Clause(id.clone(), *is_on)),
                Note::Option(id, value) => {
                    inside.push(TraceItem::Option(id.clone(), value.clone()))
                }
                Note::Row(row) => inside.push(TraceItem::Row(row.clone())),
                Note::Push(rule) => inside.push(TraceItem::Push(rule.clone())),
                // The window tells itself, and a die its shifts.
                Note::Open(_) | Note::Ladder(_) => {}
            }
            if stop.is_at(note) {
                return (inside, None, true);
            }
        }
        (inside, None, false)
    }

    fn call(
        &self,
        layer: u32,
        args: &[Value],
        result: Option<Value>,
        inside: Vec<TraceItem>,
    ) -> TracedCall {
        let layer = self
            .layers
            .get(layer as usize)
            .cloned()
            .unwrap_or_else(nameless);
        let names = self
            .rulebook
            .rules()
            .get(&layer.rule)
            .map(|entry| entry.signature.args.clone());
        let names = names
            .iter()
            .flat_map(|fields| fields.iter())
            .map(|field| field.name.clone());
        TracedCall {
            args: names.zip(args.iter().cloned()).collect(),
            rule: layer.rule,
            kind: layer.kind,
            module: layer.module,
            place: layer.place,
            cites: layer.cites.to_vec(),
            result,
            inside,
        }
    }
}
