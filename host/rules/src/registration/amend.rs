//! What is said of a rule after it was defined.

use std::rc::Rc;

use kernel::value::Name;

use super::{Origin, RawLayer, RawSignature, Registrations, base_layer};
use crate::hosting::registry::LayerBody;
use crate::lines::Open;

impl Registrations {
    /// Cites clauses besides for a rule that a mod defined last; whether there is
    /// such a rule.
    pub fn mention(&mut self, rule: &str, module: &str, clauses: &[Name]) -> bool {
        let besides = |origin: &mut Origin| {
            origin.mentions = origin.mentions.iter().chain(clauses).cloned().collect();
        };
        let is_own = |origin: &Origin| *origin.module == *module;
        let is_meant = |raw: &&mut Rc<RawLayer>| *raw.rule == *rule && is_own(&raw.origin);
        let Some(layer) = self.layers.iter_mut().rfind(is_meant) else {
            return false;
        };
        besides(&mut Rc::make_mut(layer).origin);
        let is_meant = |raw: &&mut Rc<RawSignature>| *raw.rule == *rule && is_own(&raw.origin);
        if let Some(signature) = self.signatures.iter_mut().rfind(is_meant) {
            besides(&mut Rc::make_mut(signature).origin);
        }
        true
    }

    /// Says what a rule that a mod defined last gives without its clauses;
    /// whether there is such a rule.
    pub fn otherwise(&mut self, rule: &str, module: &str, body: LayerBody) -> bool {
        let is_meant =
            |raw: &&mut Rc<RawSignature>| *raw.rule == *rule && *raw.origin.module == *module;
        let Some(signature) = self.signatures.iter_mut().rfind(is_meant) else {
            return false;
        };
        let none = || Rc::from([]);
        let always = Origin {
            cites: none(),
            mentions: none(),
            ..signature.origin.clone()
        };
        Rc::make_mut(signature).origin = always.clone();
        self.add_layer(base_layer(rule, always, body));
        true
    }

    /// Opens a rule that a mod defined last for lines; whether there is such a
    /// rule.
    pub fn open(&mut self, rule: &str, module: &str, open: Open) -> bool {
        let is_meant =
            |raw: &&Rc<RawSignature>| *raw.rule == *rule && *raw.origin.module == *module;
        let Some(signature) = self.signatures.iter().rfind(is_meant) else {
            return false;
        };
        let origin = Origin {
            cites: Rc::from([]),
            ..signature.origin.clone()
        };
        self.opened.push((Name::from(rule), (open, false), origin));
        true
    }
}
