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
use kernel::value::{Name, Side, Value};
use kernel::world::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::convert::{Labelled, labels_of};
use super::{EntityRef, OddsAbout, OddsAnswer, Plain, Tabletop, Trouble};
use crate::odds::{By, Limits, Policy, What};
use crate::play::OddsOf;

/// Beside each choice of a list little time is spent.
const BESIDE_A_CHOICE: Limits = Limits {
    runs: 5_000,
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
        let actor = self.actor(side, action, actor)?;
        let declared = self.open_action(action)?;
        self.game.check_begun(side, action, actor)?;
        let given = Value::Map(Arc::new(self.given(side, &declared, actor, given)?));
        let value = self.game.outlook(side, action, actor, &given)?;
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
