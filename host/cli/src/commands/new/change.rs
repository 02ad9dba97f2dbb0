//! `houserule new NAME --wrap RULE` and `--line RULE`: one real change of a rule,
//! and a case in a scenario in which it matters.

mod values;

use houserule::analysis::opening::ScenarioOpening;
use houserule::kernel::game::{Effects, Game, Guard};
use houserule::kernel::geometry::Length;
use houserule::kernel::rules::Rules as _;
use houserule::kernel::value::{Name, Type, Value, owner_of};
use houserule::kernel::world::closest;
use houserule::lines::Law;
use houserule::modset::selector::Request;
use houserule::rulebook::{Returns, RuleEntry, Rulebook, Signature};
use houserule::workshop::{Overrides, Workshop};

use crate::failure::Failure;
use values::ValueSource;

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
struct ValueChange {
    /// The body of a wrap.
    wrap: String,
    /// The verb of a line and what follows the clause.
    line: Option<(&'static str, String)>,
    /// What a case expects.
    expected: String,
    text: &'static str,
}

impl ValueChange {
    /// What a wrap says of itself: one that does not ask its base says so.
    fn cites(&self) -> &'static str {
        match self.wrap.contains("base(") {
            true => "\"change.rule\"",
            false => "{ cites = { \"change.rule\" }, instead = true }",
        }
    }
}

const REASON: &str = "the club does not allow it";

/// What no rule says by itself.
const WORD: &str = "club";

/// Finds a change of a rule, arguments and a scenario with which it shows.
///
/// # Errors
/// A rule that is not there, not open for lines, does more than read, or gives
/// nothing that could be changed without knowing what it means.
pub(super) fn find(
    workshop: &Workshop,
    rule: &str,
    way: ChangeKind,
) -> Result<RuleChange, Failure> {
    let owner = workshop.manifest(owner_of(rule))?.id.clone();
    let (mut is_known, mut nearest, mut by_hand) = (false, None, String::new());
    // The same selection makes the same rules: where they lack it once, they are not made again.
    let mut lacking: Vec<Request> = Vec::new();
    for (path, found) in scenarios(workshop, &owner) {
        let Ok(found) = found else { continue };
        let Ok(request) = workshop.request(&found.scenario, &Overrides::default()) else {
            continue;
        };
        if lacking.contains(&request) {
            continue;
        }
        let Some(ScenarioOpening { play, .. }) = ScenarioOpening::of(workshop, &found) else {
            continue;
        };
        let rulebook = play.rulebook().clone();
        let Some(entry) = rulebook.rules().get(rule) else {
            if let Some(text) = no_rule(rule, &rulebook) {
                return Err(Failure::Usage(text));
            }
            nearest = closest(rule, rulebook.rules().keys().map(|id| &**id))
                .map(str::to_string)
                .or(nearest);
            lacking.push(request);
            continue;
        };
        if !is_known {
            fits(entry, law_of(entry, &rulebook), way)?;
            is_known = true;
            by_hand = written_by_hand(entry);
        }
        let sides: Vec<Name> = found
            .scenario
            .sides
            .iter()
            .map(|side| Name::from(&*side.id))
            .collect();
        let law = law_of(entry, &rulebook).filter(|_| way == ChangeKind::Line);
        let (rule, is_reason) = (&entry.id, entry.is_reason);
        let attempt = Attempt {
            rulebook: &rulebook,
            game: play.game(),
            rule,
            sides,
            law,
            is_reason,
        };
        if let Some((args, made)) = attempt.tried(&entry.signature) {
            return Ok(attempt.written(&entry.signature, path, &args, &made));
        }
    }
    Err(Failure::Usage(match is_known {
        true => {
            format!("no scenario of `{owner}` begins so that a change of `{rule}` shows: {by_hand}")
        }
        false => unplayed(&owner, rule, nearest),
    }))
}

/// What to say of a rule by which no scenario of a mod plays; `nearest` is called much like it.
fn unplayed(owner: &str, rule: &str, nearest: Option<String>) -> String {
    let meant = nearest
        .map(|id| format!("; did you mean `{id}`?"))
        .unwrap_or_default();
    format!(
        "no scenario of `{owner}` plays by a rule `{rule}`: `houserule rules {owner}` lists them{meant}"
    )
}

type FoundScenario = (
    String,
    Result<houserule::workshop::Found, Vec<houserule::kernel::error::Fault>>,
);

/// The scenarios of a mod, the smallest first.
fn scenarios(workshop: &Workshop, owner: &Name) -> Vec<FoundScenario> {
    let size = |path: &str| {
        workshop
            .sources()
            .get(owner)
            .and_then(|all| all.get(path))
            .map_or(0, |text| text.len())
    };
    let mut all = workshop.scenarios_of(owner);
    all.sort_by_key(|(path, _)| size(path));
    all.into_iter()
        .map(|(path, found)| (path.to_string(), found))
        .collect()
}

/// How lines combine in a rule, if it is open for some.
fn law_of(entry: &RuleEntry, rulebook: &Rulebook) -> Option<Law> {
    let is_open = rulebook
        .registrations()
        .opened
        .iter()
        .any(|(id, ..)| *id == entry.id);
    is_open.then(|| Law::of(&entry.signature.returns, entry.is_reason))
}

/// What stands under an id that is no rule: what of it can be wrapped instead.
fn no_rule(id: &str, rulebook: &Rulebook) -> Option<String> {
    let book = rulebook.book();
    let action = book.actions.get(id).map(|action| ("an action", action));
    if let Some((sort, action)) =
        action.or_else(|| book.reactions.get(id).map(|action| ("a reaction", action)))
    {
        let rules = [
            Some(&action.perform),
            action.allowed.as_ref(),
            action.score.as_ref(),
            action.outlook.as_ref(),
        ];
        let rules: Vec<String> = rules
            .into_iter()
            .flatten()
            .map(|rule| format!("`{rule}`"))
            .collect();
        return Some(format!(
            "`{id}` is {sort}: wrap one of its rules: {}",
            rules.join(", ")
        ));
    }
    let sort = match () {
        () if book.windows.contains_key(id) => "a window: what happens in it are reactions",
        () if book.phases.contains_key(id) => {
            "a phase: what happens in it are actions, or a rule that it names"
        }
        () if book.events.contains_key(id) => "an event, which rules tell",
        () if rulebook.tables().contains_key(id) => "a table: a row of yours changes it, no wrap",
        () => return None,
    };
    Some(format!(
        "`{id}` is {sort}; `houserule rules {id}` prints it"
    ))
}

/// How a rule is changed by one who knows what it means.
fn written_by_hand(entry: &RuleEntry) -> String {
    let (owner, path) = (owner_of(&entry.id), path_of(&entry.id));
    let names = entry.signature.args.iter().map(|field| &*field.name);
    let args = std::iter::once("game")
        .chain(names)
        .collect::<Vec<_>>()
        .join(", ");
    let gives = match entry.signature.returns {
        Returns::Value(Type::Verdict) => {
            ", which gives two values, whether it allows it and why not,"
        }
        _ => ",",
    };
    format!(
        "begin with `houserule new NAME --extends {owner}`, write in its rules `rules.wrap({owner}.{path}, \"first.bonus\", function(base, {args}) … end)`, in which `base({args})` is the rule as it was{gives} and a case of your own"
    )
}

fn fits(entry: &RuleEntry, law: Option<Law>, way: ChangeKind) -> Result<(), Failure> {
    let RuleEntry {
        id: rule,
        signature,
        ..
    } = entry;
    let is_closed = way == ChangeKind::Line && law.is_none();
    let closed = if is_closed {
        format!("`{rule}` is not open for lines, and ")
    } else {
        String::new()
    };
    if signature.effects != Effects::READS {
        let closed = if is_closed {
            closed
        } else {
            format!("`{rule}` ")
        };
        return Err(Failure::Usage(format!(
            "{closed}does more than read: no case can show a change of it without dice or a question: {}",
            written_by_hand(entry)
        )));
    }
    match &signature.returns {
        Returns::Value(ty) if can_change(ty, way) && is_closed => Err(Failure::Usage(format!(
            "`{rule}` is not open for lines: say `--wrap {rule}`"
        ))),
        Returns::Value(ty) if can_change(ty, way) => Ok(()),
        returns => {
            let gives = match returns {
                Returns::Value(ty) => format!("gives {ty}"),
                Returns::Domain(_) => "gives what can be chosen".into(),
                Returns::Nothing => "gives nothing".into(),
            };
            let closed = if is_closed {
                closed
            } else {
                format!("`{rule}` ")
            };
            Err(Failure::Usage(format!(
                "{closed}{gives}, which has no change that fits every rule of that sort; there is one for a number, a length, yes or no, a reason, a die, a word or a list: {}",
                written_by_hand(entry)
            )))
        }
    }
}

fn can_change(ty: &Type, way: ChangeKind) -> bool {
    match ty {
        Type::Int { .. } | Type::Bool | Type::Length | Type::List(_) => true,
        Type::Die | Type::Text | Type::Enum(_) | Type::Verdict => true,
        Type::Optional(inner) => match **inner {
            Type::Text | Type::Die | Type::Enum(_) => true,
            _ => way == ChangeKind::Line && can_change(inner, way),
        },
        _ => false,
    }
}

/// What a change makes of a value; nothing if it would stay as it is.
fn changed(ty: &Type, value: &Value, law: Option<Law>, is_reason: bool) -> Option<ValueChange> {
    match (law, ty) {
        (Some(Law::Choice | Law::Dice), _) => chosen(ty, value),
        (Some(Law::Sum | Law::Truth | Law::List), Type::Optional(inner)) => {
            changed(inner, value, law, is_reason)
        }
        (None, Type::Die | Type::Text | Type::Enum(_)) => chosen(ty, value),
        (None, Type::Optional(_)) if !is_reason => chosen(ty, value),
        _ => shifted(ty, value),
    }
}

/// The change that needs only what the rule gives: a number is one more, what was
/// allowed is not.
fn shifted(ty: &Type, value: &Value) -> Option<ValueChange> {
    let made = |wrap: &str, line, expected: String, text| {
        Some(ValueChange {
            wrap: wrap.to_string(),
            line,
            expected,
            text,
        })
    };
    match (ty, value) {
        (Type::Int { max, .. }, Value::Int(n)) if n < max => made(
            "base(ARGS) + 1",
            Some(("add", "1".into())),
            (n + 1).to_string(),
            "A number is one more.",
        ),
        (Type::Int { min, .. }, Value::Int(n)) if n > min => made(
            "base(ARGS) - 1",
            Some(("add", "-1".into())),
            (n - 1).to_string(),
            "A number is one less.",
        ),
        (Type::Bool, Value::Bool(true)) => made(
            "not base(ARGS)",
            Some(("deny", String::new())),
            "false".into(),
            "What held does not.",
        ),
        (Type::Bool, Value::Bool(false)) => made(
            "not base(ARGS)",
            Some(("allow", String::new())),
            "true".into(),
            "What did not hold does.",
        ),
        (Type::Optional(_) | Type::Verdict, Value::None) => {
            let reason = format!("\"{REASON}\"");
            // A verdict gives two values: whether it allows it, and why not.
            let wrap = match ty {
                Type::Verdict => format!("false, {reason}"),
                _ => format!("base(ARGS) or rules.reason({reason})"),
            };
            let line = Some(("refuse", reason.clone()));
            made(&wrap, line, reason, "What was allowed is not.")
        }
        (Type::Length, Value::Length(length)) => {
            let inch = Length::tenths_of_inch(10);
            let more = length.um() + inch.um();
            let line = Some(("add", "rules.inches(1)".into()));
            made(
                "base(ARGS) + rules.inches(1)",
                line,
                more.to_string(),
                "A length is an inch more.",
            )
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
fn chosen(ty: &Type, value: &Value) -> Option<ValueChange> {
    let made = |set: String, expected: String, text| {
        Some(ValueChange {
            wrap: set.clone(),
            line: Some(("set", set)),
            expected,
            text,
        })
    };
    match (ty, value) {
        (Type::Optional(inner), _) => chosen(inner, value),
        (Type::Die, Value::Die(die)) if die.reasons().is_empty() => {
            let sides = if die.sides() == 6 { 8 } else { 6 };
            made(
                format!("rules.die({sides})"),
                format!("\"d{sides}\""),
                "A die is another.",
            )
        }
        (Type::Enum(tags), Value::Text(there)) => {
            let other = tags.iter().find(|tag| *tag != there)?;
            made(
                format!("\"{other}\""),
                format!("\"{other}\""),
                "One word is another.",
            )
        }
        (Type::Text, Value::Text(there)) if **there != *WORD => made(
            format!("\"{WORD}\""),
            format!("\"{WORD}\""),
            "One word is another.",
        ),
        (Type::Text, Value::None) => made(
            format!("\"{WORD}\""),
            format!("\"{WORD}\""),
            "There is a word where none was.",
        ),
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
    /// Whether what it gives is why not.
    is_reason: bool,
}

impl Attempt<'_> {
    /// Arguments with which the rule can be called, and with which the change shows.
    fn tried(&self, signature: &Signature) -> Option<(Vec<Value>, ValueChange)> {
        let Returns::Value(ty) = &signature.returns else {
            return None;
        };
        let found = ValueSource::new(self.rulebook, self.game, &self.sides);
        let values: Vec<Vec<Value>> = signature
            .args
            .iter()
            .map(|field| found.some(&field.ty))
            .collect();
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
            let made = changed(ty, &value, self.law, self.is_reason)?;
            (self.law.is_none() || made.line.is_some()).then_some((args, made))
        })
    }

    fn written(
        &self,
        signature: &Signature,
        scenario: String,
        args: &[Value],
        made: &ValueChange,
    ) -> RuleChange {
        let owner = owner_of(self.rule);
        let path = path_of(self.rule);
        let names: Vec<&str> = signature.args.iter().map(|field| &*field.name).collect();
        let list = |first: &str| [&[first], names.as_slice()].concat().join(", ");
        let change = match (self.law, &made.line) {
            (Some(_), Some((verb, value))) => {
                let value = if value.is_empty() {
                    String::new()
                } else {
                    format!(", {value}")
                };
                format!("{owner}.over.{path}:{verb}(\"change.rule\"{value})\n")
            }
            _ => format!(
                "rules.wrap({owner}.{path}, {}, function(base, {})\n    return {}\nend)\n",
                made.cites(),
                list("game"),
                made.wrap.replace("ARGS", &list("game"))
            ),
        };
        let values: Vec<String> = std::iter::once("game".into())
            .chain(args.iter().map(|value| self.luau(value)))
            .collect();
        let call = format!("{owner}.{path}({})", values.join(", "));
        let case = match &signature.returns {
            Returns::Value(Type::Verdict) => format!(
                "    local _, why = {call}\n    t:eq(why, {})\n",
                made.expected
            ),
            _ => format!("    t:eq({call}, {})\n", made.expected),
        };
        RuleChange {
            rules: format!(
                "--!strict\n-- {} `houserule rules {}` says who else changes that rule.\n\n{change}",
                made.text, self.rule
            ),
            case,
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
                format!(
                    "{{ {} }}",
                    items
                        .iter()
                        .map(|item| self.luau(item))
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            Value::Map(fields) => {
                let given = fields.iter().filter(|(_, value)| !value.is_none());
                let field =
                    |(name, value): (&Name, &Value)| format!("{name} = {}", self.luau(value));
                format!("{{ {} }}", given.map(field).collect::<Vec<_>>().join(", "))
            }
            _ => "nil".into(),
        }
    }
}

/// Chapter and name of a rule, as Luau reaches them.
fn path_of(rule: &str) -> String {
    let rest = rule.split_once('.').map_or(rule, |(_, rest)| rest);
    match rest.split_once('.') {
        Some((chapter, name)) => format!(
            "{}.{}",
            chapter.replace('-', "_"),
            name.replace(['.', '-'], "_")
        ),
        None => rest.to_string(),
    }
}
