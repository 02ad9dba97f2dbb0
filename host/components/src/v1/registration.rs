//! What a component registers.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use kernel::book::{Acts, AskOrder, Order};
use kernel::dice::{Ladder, LadderEnd};
use kernel::error::{Fault, FaultCode};
use kernel::value::{Name, Value};

use super::bindings::houserule::contract::data::Node;
use super::bindings::houserule::contract::registration as wit;
use super::{CallResult, list_of, nodes_of, source_place};
use crate::state::{Export, InstanceState};
use rules::hosting::chain::{Chain, Stopped};
use rules::hosting::registry::{LayerBody, LayerKind};
use rules::hosting::{Component, Running};
use rules::lines::Open;
use rules::registration::{
    ActionRules, Origin, Placement, RawAction, RawBody, RawEdit, RawEvent, RawLayer, RawParam,
    RawPhase, RawRows, RawSignature, RawWindow, Registrar, base_layer, share_of,
};

fn name(text: String) -> Name {
    Arc::from(text)
}

fn names(list: Vec<String>) -> Vec<Name> {
    list.into_iter().map(name).collect()
}

impl InstanceState {
    fn body(&self, function: u32) -> LayerBody {
        LayerBody::Component(Rc::new(Export {
            source: self.source.clone(),
            function,
        }))
    }

    fn registrar(&self) -> wasmtime::Result<Rc<Registrar>> {
        self.charge(64)?;
        self.registrar.clone().ok_or_else(|| {
            let message = "expected registrations while the mod is loaded, found one inside a rule";
            self.fault(Fault::new(FaultCode::NotAllowed, message))
        })
    }

    /// The registrar and the origin.
    fn origin(&self, origin: wit::Origin) -> wasmtime::Result<(Rc<Registrar>, Origin)> {
        let registrar = self.registrar()?;
        let place = source_place(&self.source.module, &origin.at.file, origin.at.line);
        let found = registrar.origin_of(place, names(origin.cites), origin.stays);
        Ok((registrar, found))
    }

    /// The same for something with an id of the mod's own.
    fn own(
        &self,
        origin: wit::Origin,
        id: &str,
        word: &str,
    ) -> wasmtime::Result<Option<(Rc<Registrar>, Origin)>> {
        let (registrar, origin) = self.origin(origin)?;
        Ok(registrar
            .own_id(&origin, id, word)
            .then_some((registrar, origin)))
    }

    fn rule(
        &self,
        id: String,
        raw: RuleSignature,
        origin: wit::Origin,
        function: u32,
    ) -> CallResult<()> {
        let Some((registrar, origin)) = self.own(origin, &id, "rule")? else {
            return Ok(());
        };
        let mut list = registrar.registrations.borrow_mut();
        list.signatures.push(Rc::new(RawSignature {
            rule: Arc::from(id.as_str()),
            args: raw.args,
            returns: raw.returns,
            effects: raw.effects,
            is_reason: false,
            is_step: raw.is_step,
            doc: raw.doc.into(),
            origin: origin.clone(),
            read: OnceCell::new(),
        }));
        list.add_layer(base_layer(&id, origin, self.body(function)));
        Ok(())
    }

    fn over(
        &self,
        id: String,
        kind: LayerKind,
        order: [Vec<String>; 2],
        origin: wit::Origin,
        function: u32,
    ) -> CallResult<()> {
        let (registrar, origin) = self.origin(origin)?;
        let [before, after] = order.map(names);
        let layer = RawLayer {
            rule: name(id),
            kind,
            origin,
            after: after.into(),
            before: before.into(),
            reveals: None,
            body: self.body(function),
            registered: 0,
        };
        registrar.registrations.borrow_mut().add_layer(layer);
        Ok(())
    }

    fn declare_action(
        &self,
        declaration: wit::ActionDeclaration,
        origin: wit::Origin,
        is_reaction: bool,
    ) -> CallResult<()> {
        let word = if is_reaction { "reaction" } else { "action" };
        let Some((registrar, origin)) = self.own(origin, &declaration.id, word)? else {
            return Ok(());
        };
        let rules = ActionRules {
            registrar: &registrar,
            id: &declaration.id,
            origin: &origin,
            is_reaction,
            reveals: None,
        };
        let allowed = declaration.allowed.map(|allowed| {
            rules.add("allowed", "", Some("verdict"), "", self.body(allowed));
            rules.rule("allowed")
        });
        let score = declaration.score.map(|score| {
            rules.add(
                "score",
                ", params: any",
                Some("integer"),
                "",
                self.body(score),
            );
            rules.rule("score")
        });
        let params = self.params_of(&rules, declaration.params);
        let every = "reads draws writes asks";
        rules.add(
            "perform",
            ", params: any",
            None,
            every,
            self.body(declaration.perform),
        );
        let raw = RawAction {
            title: titled(declaration.title, &declaration.id),
            at: names(declaration.at),
            is_reaction,
            actor: declaration.actor.map(name),
            params,
            allowed,
            perform: rules.rule("perform"),
            score,
            outlook: None,
            is_compulsory: declaration.compulsory,
            is_narrated: declaration.told,
            share: None,
            reveals: None,
            origin: origin.clone(),
            id: Arc::from(declaration.id.as_str()),
        };
        registrar
            .registrations
            .borrow_mut()
            .actions
            .push(Rc::new(raw));
        Ok(())
    }

    /// The parameters of an action or a reaction; the domain of each becomes a rule of its own.
    fn params_of(&self, rules: &ActionRules<'_>, declared: Vec<wit::Param>) -> Vec<RawParam> {
        let mut params = Vec::new();
        for param in declared {
            let ty = if param.type_.is_empty() {
                "any".to_string()
            } else {
                param.type_
            };
            let returns = format!("domain {ty}");
            rules.add(
                &param.name,
                ", params: any",
                Some(&returns),
                "",
                self.body(param.domain),
            );
            let title = if param.title.is_empty() {
                param.name.clone()
            } else {
                param.title
            };
            let domain = rules.rule(&param.name);
            params.push(RawParam {
                name: param.name,
                title,
                ty,
                domain,
                share: None,
                reveals: None,
            });
        }
        params
    }

    fn phase_body(
        &self,
        registrar: &Registrar,
        id: &str,
        body: wit::Body,
        origin: &Origin,
    ) -> RawBody {
        match body {
            wit::Body::Sequence(list) => RawBody::Sequence(names(list)),
            wit::Body::Rounds(rounds) => RawBody::Loop(names(rounds.phases), rounds.ends.map(name)),
            wit::Body::Automatic(function) => {
                RawBody::Automatic(registrar.automatic(id, origin, self.body(function), None))
            }
            wit::Body::Acts(acts) => RawBody::Acts(Acts {
                order: match acts.order {
                    wit::Acting::OneAfterAnother => Order::OneAfterAnother,
                    wit::Acting::Alternating => Order::Alternating,
                    wit::Acting::Secret => Order::Secret,
                    wit::Acting::Given => Order::Given,
                },
                first: acts.first.map(name),
                may_pass: acts.may_pass.map(name),
                may_end: acts.may_end.map(name),
                until: acts.ends.map(name),
                ends_when_idle: acts.ends_when_idle,
                ends_after_passes: acts.ends_after_passes,
            }),
        }
    }
}

/// A signature with whether the rule may be pushed.
struct RuleSignature {
    args: String,
    returns: Option<String>,
    effects: String,
    doc: String,
    is_step: bool,
}

impl wit::Host for InstanceState {
    fn define(
        &mut self,
        id: String,
        signature: wit::Signature,
        origin: wit::Origin,
        function: u32,
    ) -> CallResult<()> {
        let wit::Signature {
            args,
            returns,
            effects,
            doc,
        } = signature;
        let signature = RuleSignature {
            args,
            returns,
            effects,
            doc,
            is_step: false,
        };
        self.rule(id, signature, origin, function)
    }

    fn step(
        &mut self,
        id: String,
        args: String,
        doc: String,
        origin: wit::Origin,
        function: u32,
    ) -> CallResult<()> {
        let effects = "reads draws writes asks".to_string();
        let signature = RuleSignature {
            args,
            returns: None,
            effects,
            doc,
            is_step: true,
        };
        self.rule(id, signature, origin, function)
    }

    fn wrap(
        &mut self,
        id: String,
        before: Vec<String>,
        after: Vec<String>,
        origin: wit::Origin,
        function: u32,
    ) -> CallResult<()> {
        self.over(id, LayerKind::Wrap, [before, after], origin, function)
    }

    fn replace(
        &mut self,
        id: String,
        before: Vec<String>,
        after: Vec<String>,
        origin: wit::Origin,
        function: u32,
    ) -> CallResult<()> {
        self.over(id, LayerKind::Replace, [before, after], origin, function)
    }

    fn action(
        &mut self,
        declaration: wit::ActionDeclaration,
        origin: wit::Origin,
    ) -> CallResult<()> {
        self.declare_action(declaration, origin, false)
    }

    fn reaction(
        &mut self,
        declaration: wit::ActionDeclaration,
        origin: wit::Origin,
    ) -> CallResult<()> {
        self.declare_action(declaration, origin, true)
    }

    fn audience(&mut self, action: String, param: String, audience: String) -> CallResult<()> {
        let registrar = self.registrar()?;
        let what = if param.is_empty() {
            format!("`{action}`")
        } else {
            format!("parameter `{param}`")
        };
        let share = share_of(&what, &audience).map_err(|fault| self.fault(fault))?;
        let mut list = registrar.registrations.borrow_mut();
        let found = list
            .actions
            .iter_mut()
            .rfind(|raw| *raw.id == *action)
            .map(Rc::make_mut);
        let found = found.and_then(|raw| match param.as_str() {
            "" => Some(&mut raw.share),
            name => raw
                .params
                .iter_mut()
                .find(|raw| raw.name == name)
                .map(|raw| &mut raw.share),
        });
        match found {
            Some(slot) => *slot = Some(share),
            None => return Err(self.unregistered(&format!("{action}.{param}"))),
        }
        Ok(())
    }

    fn reveals(&mut self, id: String, what: String) -> CallResult<()> {
        let registrar = self.registrar()?;
        let reason = Some(name(what)).filter(|what| !what.trim().is_empty());
        let reason = reason.ok_or_else(|| {
            let message =
                format!("`{id}`: expected a sentence that says what is revealed, found none");
            self.fault(Fault::new(FaultCode::BadSignature, message))
        })?;
        let mut list = registrar.registrations.borrow_mut();
        match list.reveals(&id, &self.source.module, reason) {
            true => Ok(()),
            false => Err(self.unregistered(&id)),
        }
    }

    fn mention(&mut self, rule: String, clauses: Vec<String>) -> CallResult<()> {
        let registrar = self.registrar()?;
        let clauses = names(clauses);
        for clause in clauses
            .iter()
            .filter(|clause| !registrar.clauses.contains_key(*clause))
        {
            registrar.report(registrar.unknown_clause(clause).at(self.source.place()));
        }
        let mut list = registrar.registrations.borrow_mut();
        self.found(&rule, list.mention(&rule, &self.source.module, &clauses))
    }

    fn otherwise(&mut self, rule: String, gives: Vec<Node>) -> CallResult<()> {
        let gives = self.value(gives)?;
        let registrar = self.registrar()?;
        let body = LayerBody::Component(Rc::new(Constant(gives)));
        let mut list = registrar.registrations.borrow_mut();
        self.found(&rule, list.otherwise(&rule, &self.source.module, body))
    }

    fn open_rule(&mut self, rule: String, how: String) -> CallResult<()> {
        let registrar = self.registrar()?;
        let open = Open::read(&how).map_err(|(message, hint)| {
            let fault = Fault::new(FaultCode::BadSignature, message);
            self.fault(hint.into_iter().fold(fault, Fault::hint))
        })?;
        let mut list = registrar.registrations.borrow_mut();
        self.found(&rule, list.open(&rule, &self.source.module, open))
    }

    fn window(
        &mut self,
        id: String,
        title: String,
        carries: String,
        order: wit::AskedFirst,
        is_uniform: bool,
        origin: wit::Origin,
    ) -> CallResult<()> {
        let Some((registrar, origin)) = self.own(origin, &id, "window")? else {
            return Ok(());
        };
        let order = match order {
            wit::AskedFirst::OthersFirst => AskOrder::OthersFirst,
            wit::AskedFirst::ActingFirst => AskOrder::ActingFirst,
            wit::AskedFirst::OthersOnly => AskOrder::OthersOnly,
        };
        let raw = RawWindow {
            id: name(id),
            title,
            carries,
            order,
            is_uniform,
            origin,
        };
        registrar
            .registrations
            .borrow_mut()
            .windows
            .push(Rc::new(raw));
        Ok(())
    }

    fn event(
        &mut self,
        id: String,
        heading: String,
        text: String,
        fields: String,
        origin: wit::Origin,
    ) -> CallResult<()> {
        let Some((registrar, origin)) = self.own(origin, &id, "event")? else {
            return Ok(());
        };
        let raw = RawEvent {
            id: name(id),
            fields,
            text,
            heading,
            reveals: None,
            brief: Default::default(),
            origin,
        };
        registrar
            .registrations
            .borrow_mut()
            .events
            .push(Rc::new(raw));
        Ok(())
    }

    fn listen(&mut self, event: String, origin: wit::Origin, function: u32) -> CallResult<()> {
        let (registrar, origin) = self.origin(origin)?;
        registrar.listener(&event, origin, self.body(function), None);
        Ok(())
    }

    fn record(&mut self, id: String, fields: String, origin: wit::Origin) -> CallResult<()> {
        let Some((registrar, origin)) = self.own(origin, &id, "record")? else {
            return Ok(());
        };
        registrar
            .registrations
            .borrow_mut()
            .records
            .push((name(id), fields, origin));
        Ok(())
    }

    fn declare_phase(&mut self, phase: wit::Phase, origin: wit::Origin) -> CallResult<()> {
        let Some((registrar, origin)) = self.own(origin, &phase.id, "phase")? else {
            return Ok(());
        };
        let body = self.phase_body(&registrar, &phase.id, phase.body, &origin);
        let raw = RawPhase {
            title: titled(phase.title, &phase.id),
            body,
            is_root: phase.root,
            is_announced: phase.announced,
            reveals: None,
            placement: match phase.beside {
                wit::Beside::Nowhere => None,
                wit::Beside::Before(other) => Some(Placement::Before(name(other))),
                wit::Beside::After(other) => Some(Placement::After(name(other))),
                wit::Beside::Around(other) => Some(Placement::Around(name(other))),
            },
            origin,
            id: name(phase.id),
        };
        registrar
            .registrations
            .borrow_mut()
            .phases
            .push(Rc::new(raw));
        Ok(())
    }

    fn remove_phase(&mut self, id: String, origin: wit::Origin) -> CallResult<()> {
        let (registrar, origin) = self.origin(origin)?;
        registrar
            .registrations
            .borrow_mut()
            .removed_phases
            .push((name(id), origin));
        Ok(())
    }

    fn ladder(
        &mut self,
        id: String,
        steps: Vec<u16>,
        bottom: wit::End,
        top: wit::End,
        origin: wit::Origin,
    ) -> CallResult<()> {
        let Some((registrar, origin)) = self.own(origin, &id, "ladder")? else {
            return Ok(());
        };
        if !registrar.is_in_force(&origin) {
            return Ok(());
        }
        let end = |end: wit::End| match end {
            wit::End::Stop => LadderEnd::Stop,
            wit::End::Refuse => LadderEnd::Refuse,
            wit::End::Convert => LadderEnd::Convert,
        };
        let ladder = Ladder::new(steps, end(bottom), end(top)).map_err(|error| {
            let fault = Fault::new(FaultCode::BadSignature, format!("`steps`: {error}"));
            self.fault(fault.at(origin.place.clone()))
        })?;
        let id = name(id);
        self.shared.ladders.borrow_mut().push((id.clone(), ladder));
        registrar
            .registrations
            .borrow_mut()
            .ladders
            .push((id, origin));
        Ok(())
    }

    fn edit_table(
        &mut self,
        table: String,
        edit: wit::Edit,
        rows: Vec<Node>,
        origin: wit::Origin,
    ) -> CallResult<()> {
        let rows = self.value(rows)?;
        let (registrar, origin) = self.origin(origin)?;
        let verb = match edit {
            wit::Edit::Add => "add",
            wit::Edit::Amend => "amend",
            wit::Edit::Remove => "remove",
        };
        let edit = RawEdit {
            table: name(table),
            verb: verb.into(),
            rows: RawRows::Values(list_of(rows)),
            origin,
        };
        registrar
            .registrations
            .borrow_mut()
            .edits
            .push(Rc::new(edit));
        Ok(())
    }

    fn active(&mut self, clause: String) -> wasmtime::Result<bool> {
        let registrar = self.registrar()?;
        self.shared.asks(&clause);
        let found = registrar.clauses.get(clause.as_str()).copied();
        found.ok_or_else(|| self.fault(registrar.unknown_clause(&clause)))
    }

    fn option_value(&mut self, id: String) -> wasmtime::Result<Vec<Node>> {
        self.option_of(&id).map(|value| nodes_of(&value))
    }
}

/// A rule without its clauses: it always gives the same.
#[derive(Debug)]
struct Constant(Value);

impl Component for Constant {
    fn run(&self, _: &Rc<Running>, _: &Rc<Chain>, _: usize, _: &[Value]) -> Result<Value, Stopped> {
        Ok(self.0.clone())
    }
}

impl InstanceState {
    fn found(&self, id: &str, is_there: bool) -> CallResult<()> {
        if is_there {
            Ok(())
        } else {
            Err(self.unregistered(id))
        }
    }

    fn unregistered(&self, id: &str) -> wasmtime::Error {
        let message = format!("expected something that was registered before, found `{id}`");
        self.fault(Fault::new(FaultCode::BadSignature, message))
    }

    /// The value of an option.
    pub(super) fn option_of(&self, id: &str) -> wasmtime::Result<Value> {
        self.shared.asks(id);
        self.shared
            .options
            .borrow()
            .get(id)
            .cloned()
            .ok_or_else(|| {
                let fault = Fault::new(
                    FaultCode::UnknownOption,
                    format!("no mod lists the option `{id}`"),
                );
                self.fault(match self.shared.nearest("option", id) {
                    Some(near) => fault.hint(format!("did you mean `{near}`?")),
                    None => fault,
                })
            })
    }
}

/// A title, or the id of what has none.
fn titled(title: String, id: &str) -> String {
    if title.is_empty() { id.into() } else { title }
}
