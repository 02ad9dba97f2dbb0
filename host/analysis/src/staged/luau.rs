//! A staged moment as the text of a case.

use std::collections::{BTreeMap, BTreeSet};

use kernel::decision::Input;
use kernel::event::Event;
use kernel::geometry::Length;
use kernel::value::{EntityId, Name, Value};

use super::change::StateChange;
use super::revealed::Revealed;
use super::{CaseScene, Staged};
use crate::moment::{labelled, rolled, texts};
use rules::printable::line;

/// Words that cannot be names of locals: those of the language, and those that a case has already.
const TAKEN: [&str; 27] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "event", "false", "for", "function",
    "game", "if", "in", "local", "nil", "not", "or", "other", "repeat", "return", "rules", "t",
    "test", "then", "true", "until",
];

/// How a case is called, and by which rules it runs.
pub struct CaseHeading<'a> {
    /// Its title.
    pub title: &'a str,
    /// The scenario, as `t:scenario` finds it.
    pub scenario: &'a str,
    /// The clauses that it shows.
    pub cites: &'a [Name],
    /// What comes to the rules of its mod.
    pub with: &'a [String],
    /// What goes from them.
    pub without: &'a [String],
    /// Options that are set.
    pub options: &'a [(Name, String)],
}

/// A case that is being written.
struct CaseWriter<'a> {
    scene: &'a CaseScene,
    /// The local of each thing that is named.
    locals: BTreeMap<Name, String>,
    lines: Vec<String>,
}

impl Staged {
    /// The file of a case that shows the event. It is not laid out yet.
    pub fn text(&self, heading: &CaseHeading<'_>) -> String {
        let scene = &self.scene;
        let mut writer = CaseWriter {
            scene,
            locals: locals(scene),
            lines: Vec::new(),
        };
        writer.set_up(heading.scenario);
        writer.step();
        writer.expect();
        let body = writer.lines.join("\n");
        let needs_rules = body.contains("rules.");
        let rules = if needs_rules {
            "local rules = require(\"@rules\")\n"
        } else {
            ""
        };
        format!(
            "--!strict\n-- From a game of `{}` under seed {}, decision {}.\n{rules}local test = require(\"@test\")\n\n\
             test.case({}, {}function(t)\n{body}\nend)\n",
            line(heading.scenario),
            scene.seed,
            scene.decision,
            quoted(heading.title),
            heading.fields(),
        )
    }
}

impl CaseHeading<'_> {
    fn fields(&self) -> String {
        let list = |name: &str, items: Vec<String>| match items.is_empty() {
            true => None,
            false => Some(format!("{name} = {{ {} }}", items.join(", "))),
        };
        let texts = |all: &[String]| all.iter().map(|one| quoted(one)).collect::<Vec<_>>();
        let options = self
            .options
            .iter()
            .map(|(id, value)| format!("[{}] = {}", quoted(id), quoted(value)));
        let fields = [
            list("cites", self.cites.iter().map(|id| quoted(id)).collect()),
            list("with", texts(self.with)),
            list("without", texts(self.without)),
            list("options", options.collect()),
        ];
        let fields: Vec<String> = fields.into_iter().flatten().collect();
        if fields.is_empty() {
            String::new()
        } else {
            format!("{{ {} }}, ", fields.join(", "))
        }
    }
}

/// A local for each thing that a case names, in the order of their names.
fn locals(scene: &CaseScene) -> BTreeMap<Name, String> {
    let mut named: BTreeSet<Name> = BTreeSet::new();
    let mut add = |value: &Value| {
        let mut found = Vec::new();
        value.entities(&mut found);
        named.extend(
            found
                .into_iter()
                .map(|entity| scene.game.world().name(entity)),
        );
    };
    scene.args.iter().for_each(&mut add);
    scene
        .shown
        .fields
        .iter()
        .for_each(|field| add(&field.value));
    scene.answers.iter().for_each(|(_, value)| add(value));
    for (input, _) in &scene.opening {
        if let Input::Answer { value, .. } = input {
            add(value);
        }
    }
    for change in &scene.changes {
        if let StateChange::Set(_, _, value) = change {
            add(value);
        }
    }
    for change in &scene.changes {
        match change {
            StateChange::Set(name, ..) | StateChange::New(name, _) => {
                named.insert(name.clone());
            }
            StateChange::Only(_, names) => named.extend(names.iter().cloned()),
            StateChange::Gone(_) => {}
        }
    }
    let some = scene.reveals.iter().filter(|one| !one.is_in_a_row());
    named.extend(some.flat_map(|one| one.things.iter().cloned()));
    let mut found: BTreeMap<Name, String> = BTreeMap::new();
    for name in named {
        let mut word: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        if TAKEN.contains(&&*word) || word.starts_with(|c: char| c.is_ascii_digit()) {
            word.insert_str(0, "the_");
        }
        while found.values().any(|known| *known == word) {
            word.push('_');
        }
        found.insert(name, word);
    }
    found
}

impl CaseWriter<'_> {
    /// The scenario, the answers with which it begins, and what has become otherwise.
    fn set_up(&mut self, scenario: &str) {
        self.dealt(&self.scene.start);
        self.lines
            .push(format!("local game = t:scenario({})", quoted(scenario)));
        let new: BTreeMap<&Name, &Name> = (self.scene.changes.iter())
            .filter_map(|change| match change {
                StateChange::New(name, kind) => Some((name, kind)),
                _ => None,
            })
            .collect();
        let (made, there): (Vec<_>, Vec<_>) =
            (self.locals.clone().into_iter()).partition(|(name, _)| new.contains_key(name));
        for (name, local) in there {
            self.lines
                .push(format!("local {local} = game:get({})", quoted(&name)));
        }
        for (input, events) in &self.scene.opening {
            let Input::Answer {
                by,
                question,
                value,
            } = input
            else {
                continue;
            };
            self.dealt(events);
            let by = quoted(&self.scene.game.side_name(*by));
            self.lines.push(format!(
                "t:give({by}, {}, {})",
                quoted(question),
                self.value(value)
            ));
        }
        // Nothing may be written while a question is open.
        for (name, local) in made {
            let kind = quoted(new[&name]);
            self.lines.push(format!(
                "local {local} = game:create({kind}, nil, {})",
                quoted(&name)
            ));
        }
        self.only();
        for change in &self.scene.changes {
            match change {
                StateChange::Set(name, attribute, value) => {
                    let local = &self.locals[name];
                    self.lines
                        .push(format!("{local}.{attribute} = {}", self.value(value)));
                }
                StateChange::Gone(name) => self
                    .lines
                    .push(format!("game:remove(game:get({}))", quoted(name))),
                StateChange::New(..) | StateChange::Only(..) => {}
            }
        }
        for one in &self.scene.reveals {
            self.reveal(one);
        }
    }

    /// Reveals what had been revealed: of all things of a kind in one go.
    fn reveal(&mut self, one: &Revealed) {
        let attribute = match (&one.attribute, one.to.is_empty()) {
            (Some(attribute), _) => format!(", {}", quoted(attribute)),
            (None, true) => String::new(),
            (None, false) => ", nil".into(),
        };
        let sides: Vec<String> = match one.to.is_empty() {
            true => vec![String::new()],
            false => one
                .to
                .iter()
                .map(|side| format!(", {}", quoted(side)))
                .collect(),
        };
        let calls = |thing: &str| {
            let call = |side: &String| format!("game:reveal({thing}{attribute}{side})");
            sides.iter().map(call).collect::<Vec<_>>().join("\n")
        };
        if one.is_in_a_row() {
            let (kind, calls) = (quoted(&one.kind), calls("other"));
            self.lines.push(format!(
                "for _, other in game:entities({kind}) do\n{calls}\nend"
            ));
            return;
        }
        let each: Vec<String> = one
            .things
            .iter()
            .map(|name| calls(&self.locals[name]))
            .collect();
        self.lines.extend(each);
    }

    /// Takes what is not needed off the table.
    fn only(&mut self) {
        for change in &self.scene.changes {
            let StateChange::Only(kind, names) = change else {
                continue;
            };
            let here: Vec<&str> = names
                .iter()
                .filter_map(|name| self.locals.get(name))
                .map(|local| &**local)
                .collect();
            let kind = quoted(kind);
            self.lines.push(match here.is_empty() {
                true => format!("for _, other in game:entities({kind}) do\ngame:remove(other)\nend"),
                false => format!(
                    "for _, other in game:entities({kind}) do\nif not table.find({{ {} }}, other) then\n\
                     game:remove(other)\nend\nend",
                    here.join(", ")
                ),
            });
        }
    }

    /// What falls, and the step.
    fn step(&mut self) {
        let scene = self.scene;
        self.dealt(&scene.events);
        for (question, value) in &scene.answers {
            self.lines.push(format!(
                "t:answer({}, {})",
                quoted(question),
                self.value(value)
            ));
        }
        let args: Vec<String> = scene
            .args
            .iter()
            .map(|arg| format!(", {}", self.value(arg)))
            .collect();
        self.lines
            .push(format!("t:step({}{})", quoted(&scene.rule), args.concat()));
    }

    /// What must have come of it.
    fn expect(&mut self) {
        let shown = &self.scene.shown;
        self.lines.push(format!(
            "local event = t:events({})[{}]",
            quoted(&shown.kind),
            self.scene.place
        ));
        self.lines.push(format!(
            "t:ok(event, {})",
            quoted(&format!("it comes to {}", shown.kind))
        ));
        for field in &shown.fields {
            self.lines.push(format!(
                "t:eq(event{}, {})",
                key(&field.name),
                self.value(&field.value)
            ));
        }
    }

    /// Dice and chits, under lines that say what they were for.
    fn dealt(&mut self, events: &[Event]) {
        let (mut dice, mut chits): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for event in events {
            let field = |name: &str| event.field(name).cloned().unwrap_or_default();
            match &*event.kind {
                "roll" => {
                    let rolled = rolled(&field("dice"), &field("faces"));
                    self.lines.push(format!(
                        "-- {}",
                        line(&labelled(&field("purpose"), &rolled))
                    ));
                    dice.extend(rolled);
                }
                "chits" => chits.extend(texts(&field("chits"))),
                _ => {}
            }
        }
        for (name, all) in [("dice", dice), ("chits", chits)] {
            if !all.is_empty() {
                let all: Vec<String> = all.iter().map(|one| quoted(one)).collect();
                self.lines
                    .push(format!("t:{name}({{ {} }})", all.join(", ")));
            }
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::None => "nil".into(),
            Value::Bool(yes) => yes.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Text(text) => quoted(text),
            Value::Entity(entity) => self.thing(*entity),
            Value::Length(length) => length_text(*length),
            Value::Angle(angle) => minutes(i64::from(angle.minutes())),
            Value::Direction(direction) => minutes(i64::from(direction.minutes())),
            Value::Point(point) => {
                format!(
                    "rules.point({}, {})",
                    length_text(point.x()),
                    length_text(point.y())
                )
            }
            Value::Hex(hex) => format!("rules.hex({}, {})", hex.q(), hex.r()),
            Value::Die(die) => format!("rules.die({})", die.sides()),
            Value::List(items) if items.is_empty() => "{}".into(),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                format!("{{ {} }}", items.join(", "))
            }
            Value::Map(fields) => {
                let there = fields.iter().filter(|(_, item)| !item.is_none());
                let fields: Vec<String> = there
                    .map(|(name, item)| match is_name(name) {
                        true => format!("{name} = {}", self.value(item)),
                        false => format!("[{}] = {}", quoted(name), self.value(item)),
                    })
                    .collect();
                if fields.is_empty() {
                    "{}".into()
                } else {
                    format!("{{ {} }}", fields.join(", "))
                }
            }
        }
    }

    fn thing(&self, entity: EntityId) -> String {
        let name = self.scene.game.world().name(entity);
        self.locals
            .get(&name)
            .cloned()
            .unwrap_or_else(|| format!("game:get({})", quoted(&name)))
    }
}

/// Whether a word can be written as a name in Luau.
fn is_name(word: &str) -> bool {
    let is_word = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // `event`, `game` and the like are names of fields as any other.
    let is_taken =
        TAKEN.contains(&word) && !["event", "game", "other", "rules", "t", "test"].contains(&word);
    is_word && !word.is_empty() && !is_taken && !word.starts_with(|c: char| c.is_ascii_digit())
}

/// How a field is read.
fn key(name: &str) -> String {
    if is_name(name) {
        format!(".{name}")
    } else {
        format!("[{}]", quoted(name))
    }
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        line(text).replace('\\', "\\\\").replace('"', "\\\"")
    )
}

/// A length in the unit in which it is whole, or in tenths of an inch; else in micrometres.
fn length_text(length: Length) -> String {
    let um = length.um();
    let whole =
        |unit: i64, name: &str| (um % unit == 0).then(|| format!("rules.{name}({})", um / unit));
    let tenths = || {
        let text = format!(
            "{}{}.{}",
            if um < 0 { "-" } else { "" },
            um.abs() / 25_400,
            um.abs() % 25_400 / 2_540
        );
        (um % 2_540 == 0).then(|| format!("rules.inches({text})"))
    };
    let found = whole(Length::INCH.um(), "inches").or_else(|| whole(10_000, "cm"));
    found.or_else(tenths).unwrap_or_else(|| um.to_string())
}

/// An angle in degrees, where they are whole.
fn minutes(minutes: i64) -> String {
    if minutes % 60 == 0 {
        format!("rules.degrees({})", minutes / 60)
    } else {
        minutes.to_string()
    }
}
