//! What mods register while they load, whatever they are written in: kept as
//! it comes, with the place it comes from, until composition.
//!
//! Read [`Registrations`], then [`Registrar`], which checks what is registered.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use kernel::audience::Share;
use kernel::book::Acts;
use kernel::error::{Fault, FaultCode, Place};
use kernel::value::{Name, Value, is_id, owner_of};

use crate::data::brief::RawBrief;
use crate::hosting::Running;
use crate::hosting::listeners::listener_prefix;
use crate::hosting::registry::{LayerBody, LayerKind, Signature};
use crate::lines::Open;

mod again;
mod amend;
mod clause;
mod line;
mod window;

pub use clause::unknown_clause;
pub use line::RawLine;
pub use window::RawWindow;

/// Where something was registered, and for which clauses.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The mod.
    pub module: Name,
    /// The place in its files.
    pub place: Place,
    /// The clauses that it carries out.
    pub cites: Rc<[Name]>,
    /// Whether it is there when some of them are off, for those that are on.
    pub stays: bool,
    /// Clauses that it is cited for besides, whether they are on or off.
    pub mentions: Rc<[Name]>,
}

/// What is left of something when only some clauses hold.
pub enum Remainder {
    /// All of it.
    Whole,
    /// It stays for those of its clauses that hold.
    Part(Origin),
    /// Nothing: a clause is off without which it does not exist.
    Gone,
}

impl Origin {
    /// What is left of something from there when these clauses hold.
    pub fn standing(&self, holds: &dyn Fn(&Name) -> bool) -> Remainder {
        if self.cites.iter().all(holds) {
            return match self.mentions.is_empty() {
                true => Remainder::Whole,
                false => Remainder::Part(self.with_mentions(holds)),
            };
        }
        if !self.stays {
            return Remainder::Gone;
        }
        let cites = self
            .cites
            .iter()
            .filter(|clause| holds(clause))
            .cloned()
            .collect();
        Remainder::Part(Origin {
            cites,
            ..self.clone()
        })
    }

    /// Cited for what else it is about, as far as that holds.
    fn with_mentions(&self, holds: &dyn Fn(&Name) -> bool) -> Origin {
        let besides = self.mentions.iter().filter(|clause| holds(clause));
        let cites = self.cites.iter().chain(besides).cloned().collect();
        Origin {
            cites,
            mentions: Rc::from([]),
            ..self.clone()
        }
    }
}

/// A function for a rule.
#[derive(Clone, Debug)]
pub struct RawLayer {
    /// The rule.
    pub rule: Name,
    /// How the function takes its place.
    pub kind: LayerKind,
    /// Where it comes from.
    pub origin: Origin,
    /// Stated order.
    pub after: Rc<[Name]>,
    /// Stated order.
    pub before: Rc<[Name]>,
    /// What the rules mean it to give away of what others may not see.
    pub reveals: Option<Name>,
    /// What runs.
    pub body: LayerBody,
    /// Its place among all functions that were registered.
    pub registered: usize,
}

/// The signature of a rule as written.
#[derive(Clone, Debug)]
pub struct RawSignature {
    /// The rule.
    pub rule: Name,
    /// `shot: skirmish.shot, band: close|long`.
    pub args: String,
    /// The type of the result; a domain begins with `domain `.
    pub returns: Option<String>,
    /// `reads draws`.
    pub effects: String,
    /// Whether what it gives is why not.
    pub is_reason: bool,
    /// Whether it may be pushed.
    pub is_step: bool,
    /// One sentence.
    pub doc: Name,
    /// Where it comes from.
    pub origin: Origin,
    /// What it says, once it was read: the same for every selection.
    pub read: OnceCell<Result<Signature, Fault>>,
}

/// An action or a reaction as written.
#[derive(Clone, Debug)]
pub struct RawAction {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: String,
    /// Phases, or the window.
    pub at: Vec<Name>,
    /// Whether it is a reaction.
    pub is_reaction: bool,
    /// The kind that acts.
    pub actor: Option<Name>,
    /// Its parameters.
    pub params: Vec<RawParam>,
    /// The rule that says whether, if there is one.
    pub allowed: Option<Name>,
    /// The rule that does it.
    pub perform: Name,
    /// The rule that says how good it is, if there is one.
    pub score: Option<Name>,
    /// The rule that says what a player should know before it is done, if any.
    pub outlook: Option<Name>,
    /// Whether the phase cannot end before it.
    pub is_compulsory: bool,
    /// Whether its own events tell it.
    pub is_narrated: bool,
    /// To whom it is told.
    pub share: Option<Share>,
    /// What doing it gives away by the rules.
    pub reveals: Option<Name>,
    /// Where it comes from.
    pub origin: Origin,
}

/// A parameter of an action or a reaction as written.
#[derive(Clone, Debug)]
pub struct RawParam {
    /// Its name.
    pub name: String,
    /// What the player is asked.
    pub title: String,
    /// What fits in it.
    pub ty: String,
    /// The rule that says what can be chosen.
    pub domain: Name,
    /// To whom it is told.
    pub share: Option<Share>,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
}

/// After so many passes of each side running a phase may end.
pub const PASSES: RangeInclusive<u32> = 1..=1000;

/// What is wrong with another number of them.
pub fn wrong_passes(found: impl fmt::Display) -> String {
    let (least, most) = (PASSES.start(), PASSES.end());
    format!("`ends_after_passes`: expected a whole number from {least} to {most}, found {found}")
}

/// A phase as written.
#[derive(Clone, Debug)]
pub struct RawPhase {
    /// Its id.
    pub id: Name,
    /// What players call it.
    pub title: String,
    /// What it is made of.
    pub body: RawBody,
    /// Whether it is the whole game.
    pub is_root: bool,
    /// Whether its beginning is an event.
    pub is_announced: bool,
    /// Where it goes; nowhere if other phases or rules name it.
    pub placement: Option<Placement>,
    /// What its step gives away by the rules.
    pub reveals: Option<Name>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a phase goes among those that are there.
#[derive(Clone, Debug)]
pub enum Placement {
    /// Before another one.
    Before(Name),
    /// After another one.
    After(Name),
    /// In the place of another one, which it holds itself.
    Around(Name),
}

/// What a phase is made of, as written.
#[derive(Clone, Debug)]
pub enum RawBody {
    /// Phases in order.
    Sequence(Vec<Name>),
    /// Phases in order, again and again until the rule says so.
    Loop(Vec<Name>, Option<Name>),
    /// A step of its own.
    Automatic(Name),
    /// Players act.
    Acts(Acts),
}

/// An event as written.
#[derive(Clone, Debug)]
pub struct RawEvent {
    /// Its id.
    pub id: Name,
    /// Its fields.
    pub fields: String,
    /// How it reads.
    pub text: String,
    /// Its heading.
    pub heading: String,
    /// What it gives away of what others may not see.
    pub reveals: Option<Name>,
    /// How it reads in short reports.
    pub brief: RawBrief,
    /// Where it comes from.
    pub origin: Origin,
}

/// A change to a table made by a rules file.
#[derive(Clone, Debug)]
pub struct RawEdit {
    /// The table.
    pub table: Name,
    /// `add`, `amend` or `remove`.
    pub verb: String,
    /// The rows or keys.
    pub rows: RawRows,
    /// Where it comes from.
    pub origin: Origin,
}

/// Rows of a table as a mod gives them.
#[derive(Clone, Debug)]
pub enum RawRows {
    /// What a script gave: only the machine of scripts knows what it holds.
    Script(Rc<dyn Any>),
    /// Records, whose values have no types yet.
    Values(Vec<Value>),
}

/// Everything that the rules files of all mods registered, whether its clauses
/// are on or not: files say the same again and again, so they are run once for
/// many selections.
#[derive(Clone, Debug, Default)]
pub struct Registrations {
    /// Functions.
    pub layers: Vec<Rc<RawLayer>>,
    /// Signatures.
    pub signatures: Vec<Rc<RawSignature>>,
    /// Actions and reactions.
    pub actions: Vec<Rc<RawAction>>,
    /// Phases.
    pub phases: Vec<Rc<RawPhase>>,
    /// Phases that are taken out.
    pub removed_phases: Vec<(Name, Origin)>,
    /// Windows.
    pub windows: Vec<Rc<RawWindow>>,
    /// Events.
    pub events: Vec<Rc<RawEvent>>,
    /// Named records.
    pub records: Vec<(Name, String, Origin)>,
    /// Changes to tables.
    pub edits: Vec<Rc<RawEdit>>,
    /// Events with their listeners: the rule that listens.
    pub listeners: Vec<(Name, Name, Origin)>,
    /// Ladders of dice.
    pub ladders: Vec<(Name, Origin)>,
    /// Lines of rules.
    pub lines: Vec<Rc<RawLine>>,
    /// Rules that are open for lines: how those combine, and whether what the
    /// rule gives is why not.
    pub opened: Vec<(Name, (Open, bool), Origin)>,
    /// Rules that are not there, of which that or what is wrong with their
    /// headers is told already.
    pub reported: BTreeSet<Name>,
    /// Everything that is wrong so far.
    pub faults: Vec<Fault>,
}

impl Registrations {
    /// What is there when these clauses hold, and no others.
    pub fn in_force(&self, holds: &dyn Fn(&Name) -> bool) -> Registrations {
        Registrations {
            layers: in_force(&self.layers, holds),
            signatures: in_force(&self.signatures, holds),
            actions: in_force(&self.actions, holds),
            phases: in_force(&self.phases, holds),
            removed_phases: in_force(&self.removed_phases, holds),
            windows: in_force(&self.windows, holds),
            events: in_force(&self.events, holds),
            records: in_force(&self.records, holds),
            edits: in_force(&self.edits, holds),
            listeners: in_force(&self.listeners, holds),
            ladders: in_force(&self.ladders, holds),
            lines: in_force(&self.lines, holds),
            opened: in_force(&self.opened, holds),
            reported: self.reported.clone(),
            faults: self.faults.clone(),
        }
    }

    /// Says of what a mod registered last under an id what it gives away;
    /// whether there is such a thing.
    pub fn reveals(&mut self, id: &str, module: &str, reason: Name) -> bool {
        if let Some(event) = self.events.iter_mut().rfind(|raw| *raw.id == *id) {
            Rc::make_mut(event).reveals = Some(reason);
            return true;
        }
        let listener = id.strip_suffix(".on").and_then(|event| {
            let is_meant =
                |raw: &&(Name, Name, Origin)| *raw.0 == *event && *raw.2.module == *module;
            self.listeners
                .iter()
                .rfind(is_meant)
                .map(|(_, rule, _)| rule.clone())
        });
        if let Some((action, word)) = id.rsplit_once('.')
            && let Some(raw) = self.actions.iter_mut().rfind(|raw| *raw.id == *action)
            && let Some(param) = Rc::make_mut(raw)
                .params
                .iter_mut()
                .find(|raw| raw.name == word)
        {
            param.reveals = Some(reason);
            return true;
        }
        let is_action = self.actions.iter().any(|raw| *raw.id == *id);
        let rule = match listener {
            Some(rule) => rule.to_string(),
            None if is_action => format!("{id}.perform"),
            None => id.to_string(),
        };
        let is_meant =
            |raw: &&mut Rc<RawLayer>| *raw.rule == *rule && *raw.origin.module == *module;
        match self.layers.iter_mut().rfind(is_meant) {
            Some(layer) => Rc::make_mut(layer).reveals = Some(reason),
            None => return false,
        }
        true
    }

    /// Keeps a function, and gives it its place among all.
    pub fn add_layer(&mut self, mut layer: RawLayer) {
        layer.registered = self.layers.len();
        self.layers.push(Rc::new(layer));
    }
}

/// Something that was registered.
trait Registered: Clone {
    fn origin(&self) -> &Origin;
    fn at(&self, origin: Origin) -> Self;
}

macro_rules! registered {
    ($($raw:ty),*) => {$(
        impl Registered for Rc<$raw> {
            fn origin(&self) -> &Origin {
                &self.origin
            }
            fn at(&self, origin: Origin) -> Self {
                let mut raw = <$raw>::clone(self);
                raw.origin = origin;
                Rc::new(raw)
            }
        }
    )*};
}

registered!(
    RawLayer,
    RawSignature,
    RawAction,
    RawPhase,
    RawWindow,
    RawEvent,
    RawEdit,
    RawLine
);

impl Registered for (Name, Origin) {
    fn origin(&self) -> &Origin {
        &self.1
    }
    fn at(&self, origin: Origin) -> Self {
        (self.0.clone(), origin)
    }
}

impl<T: Clone> Registered for (Name, T, Origin) {
    fn origin(&self) -> &Origin {
        &self.2
    }
    fn at(&self, origin: Origin) -> Self {
        (self.0.clone(), self.1.clone(), origin)
    }
}

/// Those of a list that are there when these clauses hold.
fn in_force<T: Registered>(list: &[T], holds: &dyn Fn(&Name) -> bool) -> Vec<T> {
    let as_it_is = |one: &T| match one.origin().standing(holds) {
        Remainder::Whole => Some(one.clone()),
        Remainder::Part(origin) => Some(one.at(origin)),
        Remainder::Gone => None,
    };
    list.iter().filter_map(as_it_is).collect()
}

/// What a registration is checked against while it is made.
pub struct Registrar {
    /// What everything that runs rules shares.
    pub shared: Rc<Running>,
    /// What was registered so far.
    pub registrations: RefCell<Registrations>,
    /// Whether each known clause is on.
    pub clauses: BTreeMap<Name, bool>,
    /// Those that only confirm: what cites them is made anyhow.
    pub confirming: BTreeSet<Name>,
    /// Whether registration is still open.
    pub is_open: std::cell::Cell<bool>,
}

impl Registrar {
    /// Ends registration and hands over what was registered.
    pub fn close(&self) -> Rc<Registrations> {
        self.is_open.set(false);
        Rc::new(self.registrations.take())
    }

    /// Whether a clause takes nothing away: it is on, or only confirms.
    fn holds(&self, clause: &Name) -> bool {
        self.clauses.get(clause).is_some_and(|on| *on) || self.confirming.contains(clause)
    }

    /// Whether what comes from there is in force, for something that files can
    /// count on while they are loaded: they are run again when that changes.
    pub fn is_in_force(&self, origin: &Origin) -> bool {
        origin
            .cites
            .iter()
            .for_each(|clause| self.shared.asks(clause));
        !matches!(
            origin.standing(&|clause| self.holds(clause)),
            Remainder::Gone
        )
    }

    /// The origin for a place and clauses that are known.
    pub fn origin_of(&self, place: Place, cites: Vec<Name>, stays: bool) -> Origin {
        for clause in cites
            .iter()
            .filter(|clause| !self.clauses.contains_key(*clause))
        {
            self.report(self.unknown_clause(clause).at(place.clone()));
        }
        let mentions = Rc::from([]);
        Origin {
            module: place.module.clone(),
            place,
            cites: cites.into(),
            stays,
            mentions,
        }
    }

    /// The fault of a clause that no manifest lists.
    pub fn unknown_clause(&self, clause: &str) -> Fault {
        unknown_clause(clause, self.clauses.keys())
    }

    /// Notes something that is wrong.
    pub fn report(&self, fault: Fault) {
        self.registrations.borrow_mut().faults.push(fault);
    }

    /// Checks that an id is one, and the mod's own.
    pub fn own_id(&self, origin: &Origin, id: &str, word: &str) -> bool {
        let fault = if !is_id(id) {
            Fault::new(
                FaultCode::BadSignature,
                format!(
                    "expected the full id, such as `{}.fire.{word}`, found `{id}`",
                    origin.module
                ),
            )
        } else if owner_of(id) != &*origin.module {
            Fault::new(
                FaultCode::WrongOwner,
                format!(
                    "expected the {word} `{id}` to begin with `{}.`",
                    origin.module
                ),
            )
            .hint("wrap or replace what another mod defines")
        } else {
            return true;
        };
        self.report(fault.at(origin.place.clone()));
        false
    }

    /// Keeps the rule of a phase that no player starts; its id.
    pub fn automatic(
        &self,
        id: &str,
        origin: &Origin,
        body: LayerBody,
        reveals: Option<Name>,
    ) -> Name {
        let rule = format!("{id}.run");
        let mut list = self.registrations.borrow_mut();
        list.signatures.push(Rc::new(RawSignature {
            rule: Arc::from(rule.as_str()),
            args: String::new(),
            returns: None,
            effects: "reads draws writes asks".into(),
            is_reason: false,
            is_step: false,
            doc: Arc::from(""),
            origin: origin.clone(),
            read: OnceCell::new(),
        }));
        list.add_layer(RawLayer {
            reveals,
            ..base_layer(&rule, origin.clone(), body)
        });
        Name::from(rule)
    }

    /// Keeps a listener.
    pub fn listener(&self, event: &str, origin: Origin, body: LayerBody, reveals: Option<Name>) {
        let mut list = self.registrations.borrow_mut();
        let is_like = |(other, _, from): &&(Name, Name, Origin)| {
            **other == *event && from.module == origin.module
        };
        let count = list.listeners.iter().filter(is_like).count() + 1;
        let rule: Name = Arc::from(format!(
            "{}{}-{count}",
            listener_prefix(event),
            origin.module
        ));
        list.signatures.push(Rc::new(RawSignature {
            rule: rule.clone(),
            args: "event: any".into(),
            returns: None,
            effects: "reads draws writes asks".into(),
            is_reason: false,
            is_step: true,
            doc: format!("listens to `{event}`").into(),
            origin: origin.clone(),
            read: OnceCell::new(),
        }));
        list.add_layer(RawLayer {
            reveals,
            ..base_layer(&rule, origin.clone(), body)
        });
        list.listeners.push((Arc::from(event), rule, origin));
    }
}

/// The rules that an action or reaction brings with it, each by its own id.
pub struct ActionRules<'a> {
    /// Who keeps them.
    pub registrar: &'a Registrar,
    /// Its id.
    pub id: &'a str,
    /// Where it comes from.
    pub origin: &'a Origin,
    /// Whether it is a reaction.
    pub is_reaction: bool,
    /// What doing it gives away by the rules.
    pub reveals: Option<Name>,
}

impl ActionRules<'_> {
    /// Adds one of them.
    pub fn add(
        &self,
        word: &str,
        more: &str,
        returns: Option<&str>,
        effects: &str,
        body: LayerBody,
    ) {
        let context = if self.is_reaction {
            "actor: any, window: any"
        } else {
            "actor: any"
        };
        let rule = format!("{}.{word}", self.id);
        let mut list = self.registrar.registrations.borrow_mut();
        list.signatures.push(Rc::new(RawSignature {
            rule: Arc::from(rule.as_str()),
            args: format!("{context}{more}"),
            returns: returns.map(str::to_string),
            effects: effects.to_string(),
            is_reason: false,
            is_step: false,
            doc: Arc::from(""),
            origin: self.origin.clone(),
            read: OnceCell::new(),
        }));
        let reveals = self.reveals.clone().filter(|_| word == "perform");
        list.add_layer(RawLayer {
            reveals,
            ..base_layer(&rule, self.origin.clone(), body)
        });
    }

    /// The rule that a function of it becomes.
    pub fn rule(&self, word: &str) -> Name {
        Name::from(format!("{}.{word}", self.id))
    }
}

/// The audience that a word means.
///
/// # Errors
/// When it means none.
pub fn share_of(what: &str, word: &str) -> Result<Share, Fault> {
    Share::from_word(word).ok_or_else(|| {
        let words = Share::WORDS;
        let message = format!(
            "{what}, `audience`: expected one of `{}`, found `{word}`",
            words.join("`, `")
        );
        let fault = Fault::new(FaultCode::BadSignature, message);
        match kernel::world::closest(word, words.into_iter()) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault.hint("`owner` is the side that acts"),
        }
    })
}

/// A function that defines a rule.
pub fn base_layer(id: &str, origin: Origin, body: LayerBody) -> RawLayer {
    RawLayer {
        rule: Arc::from(id),
        kind: LayerKind::Define,
        origin,
        after: Rc::from([]),
        before: Rc::from([]),
        reveals: None,
        body,
        registered: 0,
    }
}
