//! What a mod registers.

use crate::bindings::houserule::contract::data::Place;
use crate::bindings::houserule::contract::registration as wit;
use crate::parts::{Action, Function, Origin, number_of};
use crate::value::{nodes, read, texts};
use crate::{Clause, FromValue, Record, Setting, Value};

pub use wit::{Acting, AskedFirst, End};

/// Where a mod registers: what the attributes make of its functions, and what
/// a function with `#[register]` says by itself.
#[derive(Debug)]
pub struct Registrar {
    /// The functions of what registers now.
    functions: &'static [Function],
    /// For which clauses it does.
    origin: Option<wit::Origin>,
}

/// A phase: what it is made of.
#[derive(Clone, Debug)]
pub struct Phase(wit::Phase);

impl Phase {
    fn with(body: wit::Body) -> Phase {
        Phase(wit::Phase {
            id: String::new(),
            title: String::new(),
            root: false,
            announced: false,
            beside: wit::Beside::Nowhere,
            body,
        })
    }

    /// Phases in order.
    pub fn sequence(phases: &[&str]) -> Phase {
        Phase::with(wit::Body::Sequence(texts(phases)))
    }

    /// Phases in order, again and again until a rule says so.
    pub fn rounds(phases: &[&str], ends: Option<&str>) -> Phase {
        let ends = ends.map(str::to_string);
        Phase::with(wit::Body::Rounds(wit::Rounds {
            phases: texts(phases),
            ends,
        }))
    }

    /// A phase in which players act.
    pub fn acts(order: Acting) -> Phase {
        let acts = wit::Acts {
            order,
            first: None,
            may_pass: None,
            may_end: None,
            ends: None,
            ends_when_idle: false,
            ends_after_passes: None,
        };
        Phase::with(wit::Body::Acts(acts))
    }

    /// A phase that runs a function.
    #[doc(hidden)]
    pub fn automatic(function: u32) -> Phase {
        Phase::with(wit::Body::Automatic(function))
    }

    fn acting(mut self, change: impl FnOnce(&mut wit::Acts)) -> Phase {
        if let wit::Body::Acts(acts) = &mut self.0.body {
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

    /// The phase ends when each side that is not done has let its go pass so many
    /// times, with nothing done between: in alternating phases.
    #[must_use]
    pub fn ends_after_passes(self, times: u32) -> Phase {
        self.acting(|acts| acts.ends_after_passes = Some(times))
    }

    /// It is the whole game.
    #[must_use]
    pub fn root(mut self) -> Phase {
        self.0.root = true;
        self
    }

    /// Its beginning is an event.
    #[must_use]
    pub fn announced(mut self) -> Phase {
        self.0.announced = true;
        self
    }

    /// It goes right before another phase.
    #[must_use]
    pub fn before(mut self, other: &str) -> Phase {
        self.0.beside = wit::Beside::Before(other.into());
        self
    }

    /// It goes right after another phase.
    #[must_use]
    pub fn after(mut self, other: &str) -> Phase {
        self.0.beside = wit::Beside::After(other.into());
        self
    }

    /// It goes in the place of another phase, which it holds itself.
    #[must_use]
    pub fn around(mut self, other: &str) -> Phase {
        self.0.beside = wit::Beside::Around(other.into());
        self
    }
}

/// What the attributes say of functions, as the contract wants it.
#[doc(hidden)]
impl Registrar {
    pub(crate) fn at(functions: &'static [Function]) -> Registrar {
        Registrar {
            functions,
            origin: None,
        }
    }

    /// What the host calls one of its functions.
    fn number(&self, function: u32) -> u32 {
        self.functions
            .get(function as usize)
            .map_or(0, |function| number_of(*function))
    }

    pub fn within(&self, origin: &Origin) -> Registrar {
        Registrar {
            functions: self.functions,
            origin: Some(origin_of(origin)),
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub fn rule(
        &self,
        id: &str,
        args: &[(&str, String)],
        returns: Option<String>,
        effects: &str,
        doc: &str,
        origin: &Origin,
        function: u32,
    ) {
        let (args, doc) = (fields(args), doc.into());
        let signature = wit::Signature {
            args,
            returns,
            effects: effects.into(),
            doc,
        };
        wit::define(id, &signature, &origin_of(origin), self.number(function));
        self.more(id, origin);
    }

    pub fn step(
        &self,
        id: &str,
        args: &[(&str, String)],
        doc: &str,
        origin: &Origin,
        function: u32,
    ) {
        wit::step(
            id,
            &fields(args),
            doc,
            &origin_of(origin),
            self.number(function),
        );
        self.more(id, origin);
    }

    pub fn wrap(&self, id: &str, before: &[&str], after: &[&str], origin: &Origin, function: u32) {
        wit::wrap(
            id,
            &texts(before),
            &texts(after),
            &origin_of(origin),
            self.number(function),
        );
        self.reveals(id, origin);
    }

    pub fn replace(
        &self,
        id: &str,
        before: &[&str],
        after: &[&str],
        origin: &Origin,
        function: u32,
    ) {
        wit::replace(
            id,
            &texts(before),
            &texts(after),
            &origin_of(origin),
            self.number(function),
        );
        self.reveals(id, origin);
    }

    pub fn otherwise(&self, rule: &str, gives: Value) {
        wit::otherwise(rule, &nodes(&gives));
    }

    pub fn open(&self, rule: &str, how: &str) {
        wit::open_rule(rule, how);
    }

    pub fn on(&self, event: &str, origin: &Origin, function: u32) {
        wit::listen(event, &origin_of(origin), self.number(function));
        self.reveals(&format!("{event}.on"), origin);
    }

    pub fn phase(&self, id: &str, title: &str, phase: Phase, origin: &Origin) {
        let mut phase = wit::Phase {
            id: id.into(),
            title: title.into(),
            ..phase.0
        };
        if let wit::Body::Automatic(function) = &mut phase.body {
            *function = self.number(*function);
        }
        wit::declare_phase(&phase, &origin_of(origin));
    }

    pub fn record(&self, id: &str, fields: &str, origin: &Origin) {
        wit::record(id, fields, &origin_of(origin));
    }

    pub fn window(
        &self,
        id: &str,
        title: &str,
        fields: &str,
        order: AskedFirst,
        is_uniform: bool,
        origin: &Origin,
    ) {
        wit::window(id, title, fields, order, is_uniform, &origin_of(origin));
    }

    pub fn event(&self, id: &str, heading: &str, text: &str, fields: &str, origin: &Origin) {
        wit::event(id, heading, text, fields, &origin_of(origin));
        self.reveals(id, origin);
    }

    pub fn action(&self, action: &Action<'_>) {
        let params = action.params.iter().map(|param| wit::Param {
            name: param.name.into(),
            title: param.title.into(),
            type_: param.ty.clone(),
            domain: self.number(param.domain),
        });
        let declaration = wit::ActionDeclaration {
            id: action.id.into(),
            title: action.title.into(),
            at: texts(action.at),
            actor: action.actor.map(str::to_string),
            params: params.collect(),
            allowed: action.allowed.map(|number| self.number(number)),
            perform: self.number(action.perform),
            score: action.score.map(|number| self.number(number)),
            compulsory: action.is_compulsory,
            told: action.is_narrated,
        };
        match action.is_reaction {
            true => wit::reaction(&declaration, &origin_of(&action.origin)),
            false => wit::action(&declaration, &origin_of(&action.origin)),
        }
        if let Some(audience) = action.audience {
            wit::audience(action.id, "", audience);
        }
        self.reveals(action.id, &action.origin);
        for param in action.params {
            if let Some(audience) = param.audience {
                wit::audience(action.id, param.name, audience);
            }
            if let Some(what) = param.reveals {
                wit::reveals(&format!("{}.{}", action.id, param.name), what);
            }
        }
    }

    /// What a rule gives away, and what else it is cited for.
    fn more(&self, id: &str, origin: &Origin) {
        self.reveals(id, origin);
        if !origin.cites.is_empty() {
            let clauses: Vec<String> = origin
                .cites
                .iter()
                .map(|clause| clause.id().to_string())
                .collect();
            wit::mention(id, &clauses);
        }
    }

    fn reveals(&self, id: &str, origin: &Origin) {
        if let Some(what) = origin.reveals {
            wit::reveals(id, what);
        }
    }
}

fn fields(list: &[(&str, String)]) -> String {
    crate::parts::fields(list)
}

fn origin_of(origin: &Origin) -> wit::Origin {
    wit::Origin {
        cites: origin
            .gates
            .iter()
            .map(|clause| clause.id().to_string())
            .collect(),
        stays: false,
        at: Place {
            file: origin.file.into(),
            line: origin.line,
        },
    }
}

impl Registrar {
    fn origin(&self) -> wit::Origin {
        let nowhere = || Place {
            file: String::new(),
            line: 0,
        };
        self.origin.clone().unwrap_or_else(|| wit::Origin {
            cites: Vec::new(),
            stays: false,
            at: nowhere(),
        })
    }

    /// Declares a ladder of dice, from the worst to the best.
    pub fn ladder(&self, id: &str, steps: &[u16], bottom: End, top: End) {
        wit::ladder(id, steps, bottom, top, &self.origin());
    }

    /// Takes a phase of any mod out of the phases that hold it.
    pub fn remove_phase(&self, id: &str) {
        wit::remove_phase(id, &self.origin());
    }

    /// Adds rows to a table of any mod.
    pub fn add_rows<T: Into<Value>>(&self, table: &str, rows: impl IntoIterator<Item = T>) {
        self.edit(
            table,
            wit::Edit::Add,
            rows.into_iter().map(Into::into).collect(),
        );
    }

    /// Changes cells of rows, which the cells of the key find.
    pub fn amend_rows(&self, table: &str, rows: impl IntoIterator<Item = Record>) {
        self.edit(
            table,
            wit::Edit::Amend,
            rows.into_iter().map(Into::into).collect(),
        );
    }

    /// Removes rows by their key.
    pub fn remove_rows(&self, table: &str, rows: impl IntoIterator<Item = Record>) {
        self.edit(
            table,
            wit::Edit::Remove,
            rows.into_iter().map(Into::into).collect(),
        );
    }

    fn edit(&self, table: &str, edit: wit::Edit, rows: Vec<Value>) {
        wit::edit_table(table, edit, &nodes(&Value::List(rows)), &self.origin());
    }

    /// Whether a clause is on: fixed before registration.
    pub fn active(&self, clause: Clause) -> bool {
        wit::active(clause.id())
    }

    /// The value of an option: fixed before registration.
    #[track_caller]
    pub fn option<T: FromValue>(&self, option: Setting<T>) -> T {
        T::from_value(read(wit::option_value(option.id())))
    }
}
