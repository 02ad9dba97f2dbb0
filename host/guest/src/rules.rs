//! What a mod registers.

use std::panic::Location;

use crate::bindings::houserule::contract::data::Place;
use crate::bindings::houserule::contract::registration as wit;
use crate::value::nodes;
use crate::value::read;
use crate::{Action, Answer, Fault, FromArgs, FromValue, Game, Reaction, Record, Value};

pub use wit::{Acting, AskedFirst, End};

type Function = Box<dyn Fn(Game, &mut [Value]) -> Result<Value, Fault>>;

/// The functions of a mod, in the order in which it registers them.
///
/// The same function registers when the mod is loaded and finds the functions
/// again when they are called: it must come to the same ones each time.
pub struct Rules {
    pub(crate) is_registering: bool,
    functions: Vec<Function>,
}

/// What a rule takes, gives and does.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    id: &'static str,
    args: &'static str,
    returns: Option<&'static str>,
    effects: &'static str,
    cites: &'static [&'static str],
    kept: bool,
    stays: bool,
    doc: &'static str,
    before: &'static [&'static str],
    after: &'static [&'static str],
    reveals: &'static str,
}

impl Rule {
    /// A rule of this mod by its full id, with the fields that it takes:
    /// `shot: skirmish.shot, band: close|medium|long`.
    pub const fn new(id: &'static str, args: &'static str) -> Rule {
        Rule {
            id,
            args,
            returns: None,
            effects: "",
            cites: &[],
            kept: false,
            stays: false,
            doc: "",
            before: &[],
            after: &[],
            reveals: "",
        }
    }

    /// A rule of any mod, to go around it or to take its place.
    pub const fn over(id: &'static str) -> Rule {
        Rule::new(id, "")
    }

    /// The type of the result; nothing without it.
    #[must_use]
    pub const fn returns(mut self, ty: &'static str) -> Rule {
        self.returns = Some(ty);
        self
    }

    /// What it does beside reading: `draws writes asks`.
    #[must_use]
    pub const fn effects(mut self, effects: &'static str) -> Rule {
        self.effects = effects;
        self
    }

    /// The clauses that it carries out; it is there only if all are on.
    #[must_use]
    pub const fn cites(mut self, clauses: &'static [&'static str]) -> Rule {
        self.cites = clauses;
        self
    }

    /// It has no effect: answers of all rules of scripts that only read are kept.
    #[must_use]
    pub const fn kept(mut self) -> Rule {
        self.kept = true;
        self
    }

    /// It stays when clauses that it cites are off, for rules of other clauses
    /// call it.
    #[must_use]
    pub const fn stays(mut self) -> Rule {
        self.stays = true;
        self
    }

    /// What it gives away, by the printed rule, of what others may not see.
    #[must_use]
    pub const fn reveals(mut self, what: &'static str) -> Rule {
        self.reveals = what;
        self
    }

    /// One sentence.
    #[must_use]
    pub const fn doc(mut self, doc: &'static str) -> Rule {
        self.doc = doc;
        self
    }

    /// A wrap that goes around those of these mods.
    #[must_use]
    pub const fn after(mut self, mods: &'static [&'static str]) -> Rule {
        self.after = mods;
        self
    }

    /// A wrap that goes inside of those of these mods.
    #[must_use]
    pub const fn before(mut self, mods: &'static [&'static str]) -> Rule {
        self.before = mods;
        self
    }
}

/// What is registered of a rule.
#[derive(Clone, Copy)]
enum How {
    Define,
    Step,
    Wrap,
    Replace,
    Listen,
}

/// A phase.
#[derive(Clone, Debug)]
pub struct Phase {
    phase: wit::Phase,
    cites: &'static [&'static str],
}

impl Phase {
    fn with(id: &str, body: wit::Body) -> Phase {
        let phase = wit::Phase {
            id: id.into(),
            title: String::new(),
            root: false,
            announced: false,
            beside: wit::Beside::Nowhere,
            body,
        };
        Phase { phase, cites: &[] }
    }

    /// Phases in order.
    pub fn sequence(id: &str, phases: &[&str]) -> Phase {
        Phase::with(id, wit::Body::Sequence(texts(phases)))
    }

    /// Phases in order, again and again until a rule says so.
    pub fn rounds(id: &str, phases: &[&str], ends: Option<&str>) -> Phase {
        let ends = ends.map(str::to_string);
        Phase::with(id, wit::Body::Rounds(wit::Rounds { phases: texts(phases), ends }))
    }

    /// A phase in which players act. The rules are ids: who is first, whether
    /// a side may pass, whether it may end, when the phase ends.
    pub fn acts(id: &str, order: Acting) -> Phase {
        let acts = wit::Acts {
            order,
            first: None,
            may_pass: None,
            may_end: None,
            ends: None,
            ends_when_idle: false,
        };
        Phase::with(id, wit::Body::Acts(acts))
    }

    fn acting(mut self, change: impl FnOnce(&mut wit::Acts)) -> Phase {
        if let wit::Body::Acts(acts) = &mut self.phase.body {
            change(acts);
        }
        self
    }

    /// The rule that names the side that starts.
    #[must_use]
    pub fn first(self, rule: &str) -> Phase {
        self.acting(|acts| acts.first = Some(rule.into()))
    }

    /// The rule that tells whether a side may pass.
    #[must_use]
    pub fn may_pass(self, rule: &str) -> Phase {
        self.acting(|acts| acts.may_pass = Some(rule.into()))
    }

    /// The rule that tells whether a side may say that it is done.
    #[must_use]
    pub fn may_end(self, rule: &str) -> Phase {
        self.acting(|acts| acts.may_end = Some(rule.into()))
    }

    /// The rule that ends the phase at once.
    #[must_use]
    pub fn ends(self, rule: &str) -> Phase {
        self.acting(|acts| acts.ends = Some(rule.into()))
    }

    /// A side that can do nothing is done without being asked.
    #[must_use]
    pub fn ends_when_idle(self) -> Phase {
        self.acting(|acts| acts.ends_when_idle = true)
    }

    /// What players call it.
    #[must_use]
    pub fn title(mut self, title: &str) -> Phase {
        self.phase.title = title.into();
        self
    }

    /// It is the whole game.
    #[must_use]
    pub fn root(mut self) -> Phase {
        self.phase.root = true;
        self
    }

    /// Its beginning is an event.
    #[must_use]
    pub fn announced(mut self) -> Phase {
        self.phase.announced = true;
        self
    }

    /// It goes right before another phase.
    #[must_use]
    pub fn before(mut self, other: &str) -> Phase {
        self.phase.beside = wit::Beside::Before(other.into());
        self
    }

    /// It goes right after another phase.
    #[must_use]
    pub fn after(mut self, other: &str) -> Phase {
        self.phase.beside = wit::Beside::After(other.into());
        self
    }

    /// It goes in the place of another phase, which it holds itself.
    #[must_use]
    pub fn around(mut self, other: &str) -> Phase {
        self.phase.beside = wit::Beside::Around(other.into());
        self
    }

    /// The clauses that it carries out.
    #[must_use]
    pub fn cites(mut self, clauses: &'static [&'static str]) -> Phase {
        self.cites = clauses;
        self
    }
}

pub(crate) fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| text.to_string()).collect()
}

#[track_caller]
pub(crate) fn origin(cites: &[&str]) -> wit::Origin {
    origin_at(cites, Location::caller())
}

pub(crate) fn origin_at(cites: &[&str], at: &Location<'_>) -> wit::Origin {
    wit::Origin { cites: texts(cites), stays: false, at: Place { file: at.file().into(), line: at.line() } }
}

impl Rules {
    pub(crate) fn registering() -> Rules {
        Rules { is_registering: true, functions: Vec::new() }
    }

    pub(crate) fn running() -> Rules {
        Rules { is_registering: false, functions: Vec::new() }
    }

    pub(crate) fn run(&self, function: u32, mut args: Vec<Value>) -> Result<Value, Fault> {
        crate::game::note_actor(args.first());
        match self.functions.get(function as usize) {
            Some(function) => function(Game(()), &mut args),
            None => Err(Fault::new("expected the same functions as at load, found fewer")),
        }
    }

    /// Keeps a function and gives its number.
    pub(crate) fn keep<A: FromArgs, R: Answer>(&mut self, function: impl Fn(Game, A) -> R + 'static) -> u32 {
        self.add(Box::new(move |game, args| function(game, A::from_args(args)).answer()))
    }

    fn add(&mut self, function: Function) -> u32 {
        self.functions.push(function);
        self.functions.len() as u32 - 1
    }

    /// Tells the game of a rule, or of what goes around one or in its place.
    fn tell(&self, how: How, rule: &Rule, number: u32, at: &Location<'_>) {
        if !self.is_registering {
            return;
        }
        let origin = wit::Origin { stays: rule.stays, ..origin_at(rule.cites, at) };
        match how {
            How::Define => {
                let signature = wit::Signature {
                    args: rule.args.into(),
                    returns: rule.returns.map(str::to_string),
                    effects: rule.effects.into(),
                    kept: rule.kept,
                    doc: rule.doc.into(),
                };
                wit::define(rule.id, &signature, &origin, number);
            }
            How::Step => wit::step(rule.id, rule.args, rule.doc, &origin, number),
            How::Wrap => wit::wrap(rule.id, &texts(rule.before), &texts(rule.after), &origin, number),
            How::Replace => wit::replace(rule.id, &texts(rule.before), &texts(rule.after), &origin, number),
            How::Listen => wit::listen(rule.id, &origin, number),
        }
        match how {
            _ if rule.reveals.is_empty() => {}
            How::Listen => wit::reveals(&format!("{}.on", rule.id), rule.reveals),
            _ => wit::reveals(rule.id, rule.reveals),
        }
    }

    /// Defines a rule of this mod.
    #[track_caller]
    pub fn define<A: FromArgs, R: Answer>(&mut self, rule: Rule, function: impl Fn(Game, A) -> R + 'static) {
        let number = self.keep(function);
        self.tell(How::Define, &rule, number, Location::caller());
    }

    /// Defines a step, which rules can push.
    #[track_caller]
    pub fn step<A: FromArgs, R: Answer>(&mut self, rule: Rule, function: impl Fn(Game, A) -> R + 'static) {
        let number = self.keep(function);
        self.tell(How::Step, &rule, number, Location::caller());
    }

    /// Goes around a rule of any mod: [`Game::base`] calls what is under it.
    #[track_caller]
    pub fn wrap<A: FromArgs, R: Answer>(&mut self, rule: Rule, function: impl Fn(Game, A) -> R + 'static) {
        let number = self.keep(function);
        self.tell(How::Wrap, &rule, number, Location::caller());
    }

    /// Takes the place of a rule of any mod; the wraps stay around it.
    #[track_caller]
    pub fn replace<A: FromArgs, R: Answer>(&mut self, rule: Rule, function: impl Fn(Game, A) -> R + 'static) {
        let number = self.keep(function);
        self.tell(How::Replace, &rule, number, Location::caller());
    }

    /// Declares what a side may do in a phase.
    pub fn action(&mut self, id: &'static str) -> Action<'_> {
        Action::new(self, id)
    }

    /// Declares what a side may do in a window.
    pub fn reaction(&mut self, id: &'static str) -> Reaction<'_> {
        Reaction::new(self, id)
    }

    /// Declares a window, with the fields of what it carries.
    #[track_caller]
    pub fn window(&mut self, id: &str, carries: &str, order: AskedFirst, cites: &[&str]) {
        if self.is_registering {
            wit::window(id, carries, order, false, &origin(cites));
        }
    }

    /// Declares a window at which every side is asked, so that the question
    /// itself tells nothing.
    #[track_caller]
    pub fn uniform_window(&mut self, id: &str, carries: &str, order: AskedFirst, cites: &[&str]) {
        if self.is_registering {
            wit::window(id, carries, order, true, &origin(cites));
        }
    }

    /// Declares an event: its heading, how it reads, its fields.
    #[track_caller]
    pub fn event(&mut self, id: &str, heading: &str, text: &str, fields: &str, cites: &[&str]) {
        if self.is_registering {
            wit::event(id, heading, text, fields, &origin(cites));
        }
    }

    /// Says what an event that was declared gives away, by the printed rule, of
    /// what others may not see.
    pub fn reveals(&mut self, event: &str, what: &str) {
        if self.is_registering {
            wit::reveals(event, what);
        }
    }

    /// Listens to an event: runs after the step that emitted it.
    #[track_caller]
    pub fn on<R: Answer>(&mut self, event: Rule, function: impl Fn(Game, Record) -> R + 'static) {
        let number = self.keep(move |game, (event,): (Record,)| function(game, event));
        self.tell(How::Listen, &event, number, Location::caller());
    }

    /// Declares a phase.
    #[track_caller]
    pub fn phase(&mut self, phase: Phase) {
        if self.is_registering {
            wit::declare_phase(&phase.phase, &origin(phase.cites));
        }
    }

    /// Declares a phase that no player starts: the function runs.
    #[track_caller]
    pub fn automatic<R: Answer>(&mut self, phase: Phase, function: impl Fn(Game) -> R + 'static) {
        let number = self.keep(move |game, ()| function(game));
        if self.is_registering {
            let phase =
                Phase { phase: wit::Phase { body: wit::Body::Automatic(number), ..phase.phase }, ..phase };
            wit::declare_phase(&phase.phase, &origin(phase.cites));
        }
    }

    /// Takes a phase of any mod out of the phases that hold it.
    #[track_caller]
    pub fn remove_phase(&mut self, id: &str, cites: &[&str]) {
        if self.is_registering {
            wit::remove_phase(id, &origin(cites));
        }
    }

    /// Names a record type.
    #[track_caller]
    pub fn record(&mut self, id: &str, fields: &str) {
        if self.is_registering {
            wit::record(id, fields, &origin(&[]));
        }
    }

    /// Declares a ladder of dice, from the worst to the best.
    #[track_caller]
    pub fn ladder(&mut self, id: &str, steps: &[u16], bottom: End, top: End, cites: &[&str]) {
        if self.is_registering {
            wit::ladder(id, steps, bottom, top, &origin(cites));
        }
    }

    /// Adds rows to a table of any mod.
    #[track_caller]
    pub fn add_rows(&mut self, table: &str, rows: Vec<Record>, cites: &[&str]) {
        self.edit(table, wit::Edit::Add, rows, origin(cites));
    }

    /// Changes cells of rows, which the cells of the key find.
    #[track_caller]
    pub fn amend_rows(&mut self, table: &str, rows: Vec<Record>, cites: &[&str]) {
        self.edit(table, wit::Edit::Amend, rows, origin(cites));
    }

    /// Removes rows by their key.
    #[track_caller]
    pub fn remove_rows(&mut self, table: &str, rows: Vec<Record>, cites: &[&str]) {
        self.edit(table, wit::Edit::Remove, rows, origin(cites));
    }

    fn edit(&mut self, table: &str, edit: wit::Edit, rows: Vec<Record>, origin: wit::Origin) {
        if self.is_registering {
            wit::edit_table(table, edit, &nodes(&rows.into()), &origin);
        }
    }

    /// Whether a clause is on: fixed before registration.
    pub fn active(&self, clause: &str) -> bool {
        if self.is_registering { wit::active(clause) } else { Game(()).clause(clause) }
    }

    /// The value of an option: fixed before registration.
    #[track_caller]
    pub fn option<T: FromValue>(&self, id: &str) -> T {
        if self.is_registering { T::from_value(read(wit::option_value(id))) } else { Game(()).option(id) }
    }
}
