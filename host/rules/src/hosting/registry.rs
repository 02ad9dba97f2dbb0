//! Rules and the functions that they are made of.

use std::any::Any;
use std::rc::Rc;

use kernel::error::Place;
use kernel::game::Effects;
use kernel::value::{Field, Name, Type};

use crate::hosting::Component;

use crate::lines::Column;

/// How a function takes its place in a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerKind {
    /// The rule itself.
    Define,
    /// Around what is under it.
    Wrap,
    /// In place of what is under it.
    Replace,
    /// Around what is under it: the lines of others.
    Lines,
    /// One of those lines.
    Line,
}

/// One function of a rule: its definition, or a wrap.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The rule.
    pub rule: Name,
    /// How it takes its place.
    pub kind: LayerKind,
    /// The clauses that it carries out.
    pub cites: Rc<[Name]>,
    /// The mod.
    pub module: Name,
    /// Where it is written.
    pub place: Place,
    /// The effects that the rule's signature lists.
    pub effects: Effects,
    /// What the rules mean it to give away of what others may not see.
    pub reveals: Option<Name>,
    /// What runs.
    pub body: LayerBody,
    /// Its place among all functions that the files registered.
    pub registered: usize,
}

/// What runs when a layer is called.
#[derive(Clone, Debug)]
pub enum LayerBody {
    /// Nothing: a layer that only stands for its rule.
    Nothing,
    /// A function of a script: only the machine of scripts knows what it holds.
    Script(Rc<dyn Any>),
    /// Lines, which are folded into what is under them.
    Lines(Rc<Column>),
    /// A function of a component.
    Component(Rc<dyn Component>),
}

impl Layer {
    /// What a report names as the cause: the rule for its definition, the
    /// clause for a wrap.
    pub fn label(&self) -> Name {
        match (self.kind, self.cites.first()) {
            (LayerKind::Define, _) | (_, None) => self.rule.clone(),
            (_, Some(clause)) => clause.clone(),
        }
    }
}

/// What a rule takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its arguments, in order.
    pub args: Rc<[Field]>,
    /// Its result.
    pub returns: Returns,
    /// What it does.
    pub effects: Effects,
}

/// What a rule gives back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Returns {
    /// A value of a type.
    Value(Type),
    /// A domain of values of a type, or nothing.
    Domain(Type),
    /// Nothing.
    Nothing,
}
