//! `t:odds`: what an action or a rule comes to, and how often, in a case.

use std::sync::Arc;

use kernel::decision::Input;
use kernel::game::Game;
use kernel::value::{Name, Value};
use kernel::world::closest;
use mlua::{LightUserData, Lua, Table, Value as LuaValue};

use crate::library::{Bench, typed_params};
use matches::odds::{
    By, DefaultAnswer, Distribution, Fraction, GivenAnswer, Limits, OddsQuery, Policy, What,
};
use rules::rulebook::Rulebook;
use rules::types::Unit;
use scripts::taking::from_lua;
use scripts::values::entity_from_lua;

/// The fields of what is asked.
const FIELDS: [&str; 6] = ["rule", "args", "act", "by", "answers", "others"];

/// Asks for odds, compares them with what is expected, and gives them all: the
/// fraction of each outcome, by what it is called.
pub(super) fn odds(
    lua: &Lua,
    bench: &Bench,
    spec: &Table,
    expected: Option<Table>,
) -> mlua::Result<Table> {
    for pair in spec.pairs::<String, LuaValue>() {
        let (name, _) = pair?;
        if !FIELDS.contains(&&*name) {
            return bench.fail(
                lua,
                format!("expected {}, found `{name}`", FIELDS.join(", ")),
            );
        }
    }
    let what = what(lua, bench, spec)?;
    let policy = policy(lua, bench, spec)?;
    let text = spec.get::<Option<String>>("by")?;
    let rulebook = bench.context.rulebook()?;
    let answer = bench.play(lua, |play, rules| {
        let game = play.game();
        let by = match (&text, &what) {
            (Some(text), _) => {
                let find = |name: &str| game.world().find(name);
                let by = By::read(text, game, &find).map_err(|error| error.to_string())?;
                known_rules(&by, &rulebook).map_err(|reason| format!("`{text}`: {reason}"))?;
                let fitted = by.fitted(game, &what, &rulebook);
                fitted.map_err(|reason| format!("`{text}`: {reason}"))?
            }
            (None, What::Rule(rule, _)) if !game.book().steps.contains_key(rule) => By::result(),
            (None, _) => By::events(),
        };
        let limits = Limits::default();
        let asked = OddsQuery {
            game,
            rules,
            what,
            by,
            policy,
            eyes: None,
            limits,
        };
        let odds = asked.answer(&|| false).map_err(|why| why.to_string())?;
        let texts = odds.texts(game as &Game, Unit::Inches);
        Ok::<_, String>((odds, texts))
    })?;
    let (odds, texts) = match answer {
        Ok(answer) => answer,
        Err(reason) => return bench.fail(lua, reason),
    };
    if let Some(expected) = expected {
        compare(lua, bench, &expected, &odds, &texts)?;
    }
    let found = lua.create_table()?;
    for (outcome, text) in odds.outcomes.iter().zip(&texts) {
        found.set(&**text, outcome.odds.to_string())?;
    }
    Ok(found)
}

/// Whether there is every rule that an outcome asks.
fn known_rules(by: &By, rulebook: &Rulebook) -> Result<(), String> {
    let rules = rulebook.rules();
    for (rule, _) in by.rules_asked() {
        if !rules.contains_key(&rule) {
            let near = closest(&rule, rules.keys().map(|id| &**id));
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(format!("no mod defines the rule `{rule}`{near}"));
        }
    }
    Ok(())
}

fn what(lua: &Lua, bench: &Bench, spec: &Table) -> mlua::Result<What> {
    let rule = spec.get::<Option<String>>("rule")?;
    let act = spec.get::<Option<Table>>("act")?;
    match (rule, act) {
        (Some(rule), None) => {
            let args = spec.get::<Option<Table>>("args")?;
            let args: Vec<LuaValue> = match &args {
                Some(args) => (1..=args.raw_len())
                    .map(|place| args.raw_get(place))
                    .collect::<mlua::Result<_>>()?,
                None => Vec::new(),
            };
            of_rule(lua, bench, &Name::from(rule), &args)
        }
        (None, Some(act)) => {
            let by = bench.side(lua, &act.get::<String>(1)?)?;
            let action = Name::from(act.get::<String>(2)?);
            let actor = act.get::<Option<LightUserData>>(3)?.map(entity_from_lua);
            let params = typed_params(lua, bench, &action, act.get::<Option<Table>>(4)?, false)?;
            Ok(What::Input(Input::Act {
                by,
                action,
                actor,
                params,
            }))
        }
        _ => bench.fail(
            lua,
            "expected either `rule` with `args`, or `act = { side, action, actor, params }`",
        ),
    }
}

fn of_rule(lua: &Lua, bench: &Bench, rule: &Name, args: &[LuaValue]) -> mlua::Result<What> {
    let rulebook = bench.context.rulebook()?;
    let Some(signature) = rulebook
        .rules()
        .get(rule)
        .map(|entry| entry.signature.clone())
    else {
        return bench.fail(lua, format!("no mod defines the rule `{rule}`"));
    };
    let most = signature.args.len();
    if args.len() > most {
        let found = args.len();
        return bench.fail(
            lua,
            format!("expected at most {most} arguments of `{rule}`, found {found}"),
        );
    }
    let tables = bench.shared.tables()?;
    let mut values = Vec::new();
    for (place, field) in signature.args.iter().enumerate() {
        let arg = args.get(place).cloned().unwrap_or(LuaValue::Nil);
        match from_lua(&tables, &arg, &field.ty) {
            Ok(value) => values.push(value),
            Err(mismatch) => {
                return bench.fail(lua, format!("argument `{}`: {mismatch}", field.name));
            }
        }
    }
    Ok(What::Rule(rule.clone(), values))
}

fn policy(lua: &Lua, bench: &Bench, spec: &Table) -> mlua::Result<Policy> {
    let word = spec.get::<Option<String>>("others")?;
    let Some(others) = DefaultAnswer::from_word(word.as_deref().unwrap_or("split")) else {
        let found = word.unwrap_or_default();
        return bench.fail(
            lua,
            format!(
                "`others`: expected {}, found `{found}`",
                DefaultAnswer::WORDS.join(", ")
            ),
        );
    };
    let mut given = Vec::new();
    if let Some(answers) = spec.get::<Option<Table>>("answers")? {
        for pair in answers.pairs::<String, LuaValue>() {
            let (question, value) = pair?;
            given.push((Arc::from(question), bench.any(lua, &value)?));
        }
    }
    given.sort();
    let given = given
        .into_iter()
        .map(|(id, value)| (id, GivenAnswer::Value(value)));
    Ok(Policy {
        given: given.collect(),
        others,
    })
}

/// Each outcome that is named must be as likely as is said: as a fraction
/// exactly, with digits after the point to so many digits.
fn compare(
    lua: &Lua,
    bench: &Bench,
    expected: &Table,
    odds: &Distribution,
    texts: &[String],
) -> mlua::Result<()> {
    if !odds.is_exact() {
        return bench.fail(
            lua,
            format!("expected exact odds, found {}", odds.how_text()),
        );
    }
    let mut wrong = Vec::new();
    for pair in expected.pairs::<LuaValue, String>() {
        let (name, wanted) = pair?;
        let name = match bench.any(lua, &name)? {
            Value::Text(text) => text.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            other => {
                return bench.fail(
                    lua,
                    format!(
                        "expected the name of an outcome, found {}",
                        other.type_word()
                    ),
                );
            }
        };
        let place = texts.iter().position(|text| *text == name);
        let found = place.map_or_else(Fraction::zero, |place| odds.outcomes[place].odds.clone());
        match is_as(&wanted, &found) {
            Some(true) => {}
            Some(false) => wrong.push(format!(
                "{name}: expected {wanted}, found {found} ({})",
                found.decimal(6)
            )),
            None => {
                return bench.fail(
                    lua,
                    format!("expected odds such as `127/288` or `0.44`, found `{wanted}`"),
                );
            }
        }
    }
    wrong.sort();
    match wrong.is_empty() {
        true => Ok(()),
        false => bench.fail(
            lua,
            format!(
                "{}; the outcomes are {}",
                wrong.join("; "),
                texts.join(", ")
            ),
        ),
    }
}

/// Whether odds are as they are written; `None` where that is no number.
fn is_as(wanted: &str, found: &Fraction) -> Option<bool> {
    match wanted.split_once('.') {
        None => Fraction::read(wanted).map(|wanted| wanted == *found),
        Some((whole, digits)) => {
            let are_digits =
                |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let places = u32::try_from(digits.len())
                .ok()
                .filter(|places| *places <= 30)?;
            (are_digits(whole) && are_digits(digits)).then(|| found.decimal(places) == wanted)
        }
    }
}
