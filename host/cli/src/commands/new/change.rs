//! `houserule new NAME --wrap RULE` and `--line RULE`: one real change of a rule,
//! and a case in a scenario in which it matters.

mod values;

use houserule::kernel::game::{Effects, Game, Guard};
use houserule::kernel::geometry::Length;
use houserule::kernel::rules::Rules as _;
use houserule::kernel::value::{Name, Type, Value, owner_of};
use houserule::kernel::world::closest;
use houserule::lines::Law;
use houserule::rulebook::{Returns, Rulebook, Signature};
use houserule::workshop::{Overrides, Workshop};

use crate::desk::Failure;
use values::Found;

/// So many calls are tried.
const MOST_CALLS: usize = 3000;

/// How the rule is changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeKind {
    /// By a wrap around it.
    Wrap,
    /// By a line, which it must be open for.
    Line,
}

/// A change that was found to matter.
pub(super) struct RuleChange {
    /// The file of rules, the name of the mod left open.
    pub rules: String,
    /// The case.
    pub case: String,
    /// The path of the scenario in which it matters, in the mod that is changed.
    pub scenario: String,
    /// What it does, for players.
    pub text: String,
}

/// What becomes of a value.
struct Made {
    /// The body of a wrap.
    wrap: Option<&'static str>,
    /// The verb of a line and what follows the clause.
    line: Option<(&'static str, String)>,
    /// What a case expects.
    expected: String,
    text: &'static str,
}

const REASON: &str = "the club does not allow it";

/// What no rule says by itself.
const WORD: &str = "club";

/// Finds a change of a rule, arguments and a scenario with which it shows.
///
/// # Errors
/// A rule that is not there, not open for lines, does more than read, or gives
/// nothing that could be changed without knowing what it means.
pub(super) fn find(workshop: &Workshop, rule: &str, way: ChangeKind) -> Result<RuleChange, Failure> {
    let owner = workshop.manifest(owner_of(rule))?.id.clone();
    let (mut is_known, mut nearest) = (false, None);
    for (path, found) in scenarios(workshop, &owner) {
        let Ok(found) = found else { continue };
        let Ok((play, _)) = workshop.start(&found, &Overrides::default()) else { continue };
        let rulebook = play.rulebook().clone();
        let Some(entry) = rulebook.rules().get(rule) else {
            nearest = closest(rule, rulebook.rules().keys().map(|id| &**id)).map(str::to_string).or(nearest);
            continue;
        };
        if !is_known {
            fits(rule, &entry.signature, law_of(rule, &entry.signature, &rulebook), way)?;
            is_known = true;
        }
        let sides: Vec<Name> = found.scenario.sides.iter().map(|side| Name::from(&*side.id)).collect();
        let law = law_of(rule, &entry.signature, &rulebook);
        let law = law.filter(|_| way == ChangeKind::Line);
        let attempt = Attempt { rulebook: &rulebook, game: play.game(), rule: &entry.id, sides, law };
        if let Some((args, made)) = attempt.tried(&entry.signature) {
            return Ok(attempt.written(&entry.signature, path, &args, &made));
        }
    }
    let meant = nearest.map(|id| format!("; did you mean `{id}`?")).unwrap_or_default();
    Err(Failure::Usage(match is_known {
        true => format!(
            "no scenario of `{owner}` begins so that a change of `{rule}` shows: `houserule new NAME --extends {owner}`, and write it by hand"
        ),
        false => {
            format!(
                "no scenario of `{owner}` plays by a rule `{rule}`: `houserule rules {owner}` lists them{meant}"
            )
        }
    }))
}

type FoundScenario = (String, Result<houserule::workshop::Found, Vec<houserule::kernel::error::Fault>>);

/// The scenarios of a mod, the smallest first.
fn scenarios(workshop: &Workshop, owner: &Name) -> Vec<FoundScenario> {
    let size =
        |path: &str| workshop.sources().get(owner).and_then(|all| all.get(path)).map_or(0, |text| text.len());
    let mut all = workshop.scenarios_of(owner);
    all.sort_by_key(|(path, _)| size(path));
    all.into_iter().map(|(path, found)| (path.to_string(), found)).collect()
}

/// How lines combine in a rule, if it is open for some.
fn law_of(rule: &str, signature: &Signature, rulebook: &Rulebook) -> Option<Law> {
    let opened = &rulebook.heard().opened;
    let (_, (_, is_reason), _) = opened.iter().find(|(id, ..)| **id == *rule)?;
    Some(Law::of(&signature.returns, *is_reason))
}

fn fits(rule: &str, signature: &Signature, law: Option<Law>, way: ChangeKind) -> Result<(), Failure> {
    if way == ChangeKind::Line && law.is_none() {
        return Err(Failure::Usage(format!("`{rule}` is not open for lines: say `--wrap {rule}`")));
    }
    if signature.effects != Effects::READS {
        let text = format!(
            "`{rule}` does more than read: no case can show a change of it without dice or a question: `houserule new NAME --extends {}`, and write it by hand",
            owner_of(rule)
        );
        return Err(Failure::Usage(text));
    }
    match &signature.returns {
        Returns::Value(ty) if can_change(ty, way) => Ok(()),
        returns => {
            let gives = match returns {
                Returns::Value(ty) => format!("gives {ty}"),
                Returns::Domain(_) => "gives what can be chosen".into(),
                Returns::Nothing => "gives nothing".into(),
            };
            let sorts = match way {
                ChangeKind::Wrap => "a number, a length, yes or no, a reason or a list",
                ChangeKind::Line => "a number, a length, yes or no, a reason, a die, a word or a list",
            };
            Err(Failure::Usage(format!(
                "`{rule}` {gives}, which has no change that fits every rule of that sort; there is one for {sorts}: `houserule new NAME --extends {}`, and write it by hand",
                owner_of(rule)
            )))
        }
    }
}

fn can_change(ty: &Type, way: ChangeKind) -> bool {
    match ty {
        Type::Int { .. } | Type::Bool | Type::Length => true,
        Type::Optional(inner) if **inner == Type::Text => true,
        Type::Optional(inner) => way == ChangeKind::Line && can_change(inner, way),
        Type::List(_) => true,
        Type::Die | Type::Text | Type::Enum(_) => way == ChangeKind::Line,
        _ => false,
    }
}

/// What a change makes of a value; nothing if it would stay as it is.
fn changed(ty: &Type, value: &Value, law: Option<Law>) -> Option<Made> {
    match (law, ty) {
        (Some(Law::Choice | Law::Dice), _) => return chosen(ty, value),
        (Some(Law::Sum | Law::Truth | Law::List), Type::Optional(inner)) => {
            return changed(inner, value, law);
        }
        _ => {}
    }
    let made = |wrap, line, expected: String, text| Some(Made { wrap: Some(wrap), line, expected, text });
    match (ty, value) {
        (Type::Int { max, .. }, Value::Int(n)) if n < max => {
            made("base(ARGS) + 1", Some(("add", "1".into())), (n + 1).to_string(), "A number is one more.")
        }
        (Type::Int { min, .. }, Value::Int(n)) if n > min => {
            made("base(ARGS) - 1", Some(("add", "-1".into())), (n - 1).to_string(), "A number is one less.")
        }
        (Type::Bool, Value::Bool(true)) => {
            made("not base(ARGS)", Some(("deny", String::new())), "false".into(), "What held does not.")
        }
        (Type::Bool, Value::Bool(false)) => {
            made("not base(ARGS)", Some(("allow", String::new())), "true".into(), "What did not hold does.")
        }
        (Type::Optional(_), Value::None) => made(
            "base(ARGS) or rules.reason(\"the club does not allow it\")",
            Some(("refuse", format!("\"{REASON}\""))),
            format!("\"{REASON}\""),
            "What was allowed is not.",
        ),
        (Type::Length, Value::Length(length)) => {
            let inch = Length::tenths_of_inch(10);
            let more = length.um() + inch.um();
            let line = Some(("add", "rules.inches(1)".into()));
            made("base(ARGS) + rules.inches(1)", line, more.to_string(), "A length is an inch more.")
        }
        (Type::List(_), Value::List(items)) if !items.is_empty() => {
            let none = "function() return true end".to_string();
            made("{}", Some(("drop", none)), "{}".into(), "A list is empty.")
        }
        _ => None,
    }
}

/// Another value instead of the rule's own, where a line must say which. A die
/// that others have shifted is left, for they shift the other one as well.
fn chosen(ty: &Type, value: &Value) -> Option<Made> {
    let made = |set: String, expected: String, text| {
        Some(Made { wrap: None, line: Some(("set", set)), expected, text })
    };
    match (ty, value) {
        (Type::Optional(inner), _) => chosen(inner, value),
        (Type::Die, Value::Die(die)) if die.reasons().is_empty() => {
            let sides = if die.sides() == 6 { 8 } else { 6 };
            made(format!("rules.die({sides})"), format!("\"d{sides}\""), "A die is another.")
        }
        (Type::Enum(tags), Value::Text(there)) => {
            let other = tags.iter().find(|tag| *tag != there)?;
            made(format!("\"{other}\""), format!("\"{other}\""), "One word is another.")
        }
        (Type::Text, Value::Text(there)) if **there != *WORD => {
            made(format!("\"{WORD}\""), format!("\"{WORD}\""), "One word is another.")
        }
        (Type::Text, Value::None) => {
            made(format!("\"{WORD}\""), format!("\"{WORD}\""), "There is a word where none was.")
        }
        _ => None,
    }
}

/// A rule in a game that has begun.
struct Attempt<'a> {
    rulebook: &'a Rulebook,
    game: &'a Game,
    rule: &'a Name,
    sides: Vec<Name>,
    /// How lines combine in it, if it is changed by one.
    law: Option<Law>,
}

impl Attempt<'_> {
    /// Arguments with which the rule can be called, and with which the change shows.
    fn tried(&self, signature: &Signature) -> Option<(Vec<Value>, Made)> {
        let Returns::Value(ty) = &signature.returns else { return None };
        let found = Found::new(self.rulebook, self.game, &self.sides);
        let values: Vec<Vec<Value>> = signature.args.iter().map(|field| found.some(&field.ty)).collect();
        let all = values.iter().map(Vec::len).fold(1, usize::saturating_mul);
        (0..all.min(MOST_CALLS)).find_map(|number| {
            let mut left = number;
            let mut args = Vec::new();
            for some in &values {
                args.push(some.get(left % some.len())?.clone());
                left /= some.len();
            }
            let mut game = self.game.clone();
            game.set_guard(Guard::STEP);
            let value = self.rulebook.call(&mut game, self.rule, &args).ok()?;
            let made = changed(ty, &value, self.law)?;
            let is_made = if self.law.is_some() { made.line.is_some() } else { made.wrap.is_some() };
            is_made.then_some((args, made))
        })
    }

    fn written(&self, signature: &Signature, scenario: String, args: &[Value], made: &Made) -> RuleChange {
        let owner = owner_of(self.rule);
        let path = path_of(self.rule);
        let names: Vec<&str> = signature.args.iter().map(|field| &*field.name).collect();
        let list = |first: &str| [&[first], names.as_slice()].concat().join(", ");
        let change = match (self.law, &made.line) {
            (Some(_), Some((verb, value))) => {
                let value = if value.is_empty() { String::new() } else { format!(", {value}") };
                format!("{owner}.over.{path}:{verb}(\"change.rule\"{value})\n")
            }
            _ => format!(
                "rules.wrap({owner}.{path}, \"change.rule\", function(base, {})\n    return {}\nend)\n",
                list("game"),
                made.wrap.unwrap_or("base(ARGS)").replace("ARGS", &list("game"))
            ),
        };
        let values: Vec<String> =
            std::iter::once("game".into()).chain(args.iter().map(|value| self.luau(value))).collect();
        RuleChange {
            rules: format!(
                "--!strict\n-- {} `houserule rules {}` says who else changes that rule.\n\n{change}",
                made.text, self.rule
            ),
            case: format!("    t:eq({owner}.{path}({}), {})\n", values.join(", "), made.expected),
            scenario,
            text: made.text.into(),
        }
    }

    /// An argument as a case writes it.
    fn luau(&self, value: &Value) -> String {
        match value {
            Value::Entity(entity) => format!("game:get(\"{}\")", self.game.world().name(*entity)),
            Value::Text(text) => format!("\"{text}\""),
            Value::Int(n) => n.to_string(),
            Value::Bool(yes) => yes.to_string(),
            Value::Length(length) => length.um().to_string(),
            Value::List(items) => {
                format!("{{ {} }}", items.iter().map(|item| self.luau(item)).collect::<Vec<_>>().join(", "))
            }
            Value::Map(fields) => {
                let said = fields.iter().filter(|(_, value)| !value.is_none());
                let field = |(name, value): (&Name, &Value)| format!("{name} = {}", self.luau(value));
                format!("{{ {} }}", said.map(field).collect::<Vec<_>>().join(", "))
            }
            _ => "nil".into(),
        }
    }
}

/// Chapter and name of a rule, as Luau reaches them.
fn path_of(rule: &str) -> String {
    let rest = rule.split_once('.').map_or(rule, |(_, rest)| rest);
    match rest.split_once('.') {
        Some((chapter, name)) => format!("{}.{}", chapter.replace('-', "_"), name.replace(['.', '-'], "_")),
        None => rest.to_string(),
    }
}
