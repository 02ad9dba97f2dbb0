//! What a player should know before a choice is made: what the rules note of it
//! and warn of, and the chance, counted by running the rules.
//!
//! There is no second model: the rule that the outlook names is run through all
//! ways in which dice and chits can fall, as [`Tabletop::odds`] does, in the
//! eyes of the side. Where it rests on what the side may not know, there is no
//! chance to show.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::value::{Field, Name, Side, Value};
use kernel::world::{Viewer, closest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{Labelled, labels_of};
use super::{EntityRef, OddsAbout, OddsAnswer, Plain, Tabletop, Trouble};
use crate::odds::{By, Limits, Policy, What};
use crate::play::OddsOf;
use crate::printable::counted;
use crate::rulebook::Rulebook;
use crate::types::typed;

/// Beside each choice of a list little time is spent.
const BESIDE_A_CHOICE: Limits = Limits {
    runs: 5_000,
    work: 10_000_000,
    samples: 1_000,
    seed: 1,
};

/// What a player should know of a choice.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Outlook {
    /// The choice in a sentence, once all of it is said.
    pub summary: Option<String>,
    /// A few words each: the range, the dice, what it costs.
    pub notes: Vec<String>,
    /// What a careful player would think of.
    pub warnings: Vec<String>,
    /// What may come of it, and how often, as far as the side may know.
    pub odds: Option<OddsAbout>,
}

/// What a rule says of a choice.
struct ChoiceOutlook {
    summary: Option<String>,
    notes: Vec<String>,
    warnings: Vec<String>,
    odds: Option<OutlookQuery>,
}

/// What is counted, and what its outcomes are called.
struct OutlookQuery {
    rule: Name,
    args: Vec<Value>,
    by: String,
    words: BTreeMap<String, String>,
}

impl Tabletop {
    /// What a side should know of an action or reaction, with what it has given
    /// of its parameters; none where the rules say nothing.
    ///
    /// # Errors
    /// As [`Tabletop::next_param`].
    pub fn outlook(
        &self,
        side: &str,
        action: &str,
        actor: Option<&EntityRef>,
        given: &BTreeMap<String, Plain>,
    ) -> Result<Option<Outlook>, Trouble> {
        let side = self.side(side)?;
        self.may_decide(side)?;
        let actor = self.actor(side, actor)?;
        let declared = self.open_action(action)?;
        self.game.check_begun(side, action, actor)?;
        let given = Value::Map(Arc::new(self.given(side, &declared, actor, given)?));
        let value = self.game.outlook(side, action, actor, &given)?;
        if let Some(rule) = &declared.outlook {
            says_only_known(&value, self.game.rulebook())
                .map_err(|fault| self.of_outlook(rule, fault))?;
        }
        let Some(ChoiceOutlook {
            summary,
            notes,
            warnings,
            odds,
        }) = choice_of(&value)?
        else {
            return Ok(None);
        };
        let odds = odds.and_then(|asked| self.chance(side, asked));
        Ok(Some(Outlook {
            summary,
            notes,
            warnings,
            odds,
        }))
    }

    /// A fault of what an outlook says, where its rule is written.
    fn of_outlook(&self, rule: &Name, fault: Fault) -> Fault {
        let entry = self.game.rulebook().rules().get(rule);
        let fault = fault.in_rule(rule);
        match entry {
            Some(entry) => fault.at(entry.place.clone()),
            None => fault,
        }
    }

    /// The odds of what an outlook names; none where they are not for the side.
    fn chance(
        &self,
        side: Side,
        OutlookQuery {
            rule,
            args,
            by,
            words,
        }: OutlookQuery,
    ) -> Option<OddsAbout> {
        let game = self.game.game();
        let find = |name: &str| game.world().find(name);
        let by = By::read(&by, game, &find);
        let by = by
            .inspect_err(|error| tracing::debug!(target: "houserule::embed", %error, "an outlook without odds"))
            .ok()?;
        let of = OddsOf {
            what: What::Rule(rule, args),
            by,
            policy: Policy::default(),
            eyes: Some(side),
            limits: BESIDE_A_CHOICE,
        };
        let odds = self.game.odds(None, of, &|| false).ok()?;
        let labels = labels_of(game, Viewer::Side(side));
        let texts = odds.texts(&Labelled(&|entity| labels(entity).1), self.unit());
        let worded = |text: String| words.get(&text).cloned().unwrap_or(text);
        let told = texts.iter().cloned().map(worded).collect();
        let answer = OddsAnswer {
            odds,
            texts,
            told,
            unit: self.unit(),
            example: None,
        };
        Some(answer.into())
    }
}

/// An outlook says nothing that nobody shows: its fields are known, and what is to be
/// counted is a rule with arguments that it takes.
fn says_only_known(value: &Value, rulebook: &Rulebook) -> Result<(), Fault> {
    let Value::Map(fields) = value else {
        return Ok(());
    };
    only(
        "an outlook",
        fields,
        &["summary", "notes", "warnings", "odds"],
    )?;
    let Some(Value::Map(odds)) = fields.get("odds") else {
        return Ok(());
    };
    only(
        "the `odds` of an outlook",
        odds,
        &["rule", "args", "by", "words"],
    )?;
    let (Some(rule), Some(Value::List(args))) =
        (odds.get("rule").and_then(Value::as_text), odds.get("args"))
    else {
        return Ok(());
    };
    let Some(entry) = rulebook.rules().get(rule) else {
        let message = format!("the `odds` of an outlook: no mod defines the rule `{rule}`");
        let fault = Fault::new(FaultCode::UnknownRule, message);
        return Err(
            match closest(rule, rulebook.rules().keys().map(|id| &**id)) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            },
        );
    };
    takes(rule, &entry.signature.args, args)
}

/// The fields of a record that is shown are those.
fn only(what: &str, fields: &BTreeMap<Name, Value>, known: &[&str]) -> Result<(), Fault> {
    let Some(strange) = fields.keys().find(|name| !known.contains(&&***name)) else {
        return Ok(());
    };
    let message = format!(
        "expected `{}` in {what}, found `{strange}`",
        known.join("`, `")
    );
    let fault = Fault::new(FaultCode::BadReturn, message);
    Err(match closest(strange, known.iter().copied()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    })
}

/// Whether a rule takes some arguments.
fn takes(rule: &str, fields: &[Field], args: &[Value]) -> Result<(), Fault> {
    let wrong = |message: String| Err(Fault::new(FaultCode::WrongType, message));
    if args.len() > fields.len() {
        return wrong(format!(
            "the `odds` of an outlook: expected {} for `{rule}`, found {}",
            counted(fields.len(), "argument"),
            args.len()
        ));
    }
    for (place, field) in fields.iter().enumerate() {
        let value = args.get(place).cloned().unwrap_or_default();
        if let Err(mismatch) = typed(value, &field.ty) {
            return wrong(format!(
                "the `odds` of an outlook: `{rule}`, argument `{}`: {mismatch}",
                field.name
            ));
        }
    }
    Ok(())
}

/// What a rule gave, taken apart.
fn choice_of(value: &Value) -> Result<Option<ChoiceOutlook>, Fault> {
    let Value::Map(fields) = value else {
        return Ok(None);
    };
    let texts = |name: &str| match fields.get(name) {
        Some(Value::List(items)) => items
            .iter()
            .filter_map(Value::as_text)
            .map(ToString::to_string)
            .collect(),
        _ => Vec::new(),
    };
    let odds = match fields.get("odds") {
        Some(Value::Map(odds)) => Some(rule_of(odds)?),
        _ => None,
    };
    let summary = fields
        .get("summary")
        .and_then(Value::as_text)
        .map(ToString::to_string);
    Ok(Some(ChoiceOutlook {
        summary,
        notes: texts("notes"),
        warnings: texts("warnings"),
        odds,
    }))
}

fn rule_of(odds: &BTreeMap<Name, Value>) -> Result<OutlookQuery, Fault> {
    let text = |name: &str| odds.get(name).and_then(Value::as_text);
    let words = match odds.get("words") {
        Some(Value::Map(words)) => words
            .iter()
            .filter_map(|(outcome, word)| Some((outcome.to_string(), word.as_text()?.to_string())))
            .collect(),
        _ => BTreeMap::new(),
    };
    match (text("rule"), odds.get("args"), text("by")) {
        (Some(rule), Some(Value::List(args)), Some(by)) => Ok(OutlookQuery {
            rule: Name::from(rule),
            args: args.to_vec(),
            by: by.to_string(),
            words,
        }),
        _ => {
            let message =
                "expected `odds` of an outlook with `rule`, `args` and `by`, found something else";
            Err(Fault::new(FaultCode::BadSignature, message))
        }
    }
}
