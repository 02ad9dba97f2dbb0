//! A composed rule as all languages call it.

use kernel::game::Effects;
use kernel::value::Name;

use crate::hosting::registry::{LayerBody, Signature};

/// A composed rule.
pub struct Chain {
    /// Its id.
    pub rule: Name,
    /// What it takes and gives.
    pub signature: Signature,
    /// Its layers, innermost first.
    pub links: Vec<Link>,
    /// The number by which its answers are told from those of other rules, if
    /// they are kept.
    pub number: Option<u32>,
}

impl Chain {
    /// Whether it only reads.
    pub fn only_reads(&self) -> bool {
        Effects::READS.include(self.signature.effects)
    }

    /// Whether its outermost layer is a function of a component.
    pub fn is_component(&self) -> bool {
        self.links
            .last()
            .is_some_and(|link| matches!(link.body, LayerBody::Component(_)))
    }
}

/// One layer of a composed rule.
pub struct Link {
    /// Its number among all layers.
    pub number: u32,
    /// What runs.
    pub body: LayerBody,
}

/// The rule that runs has been stopped: [`super::Running::stop`] says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;
