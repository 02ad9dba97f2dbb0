//! Reads types, lists of fields and sets of effects.

use std::sync::Arc;

use kernel::error::{Fault, FaultCode};
use kernel::game::Effects;
use kernel::value::{Field, LARGEST_INT, Name, Type, is_word};
use kernel::world::closest;

use super::{DEEPEST, Records, is_tag, is_tag_letter, quoted};

const PLAIN: [(&str, Type); 14] = [
    ("any", Type::Any),
    ("domain", Type::Any),
    ("bool", Type::Bool),
    ("text", Type::Text),
    ("id", Type::Id),
    ("entity", Type::Entity(None)),
    ("length", Type::Length),
    ("angle", Type::Angle),
    ("direction", Type::Direction),
    ("point", Type::Point),
    ("hex", Type::Hex),
    ("die", Type::Die),
    ("path", Type::Path),
    ("verdict", Type::Verdict),
];

/// What types are called in headers and elsewhere, and what they are called here.
const ELSEWHERE: [(&str, &str); 7] = [
    ("boolean", "bool"),
    ("string", "text"),
    ("str", "text"),
    ("int", "integer"),
    ("number", "integer"),
    ("float", "integer"),
    ("dice", "die"),
];

/// Reads a type.
///
/// ```
/// use rules::types::{Records, parse_type};
/// let ty = parse_type("list({band: close|medium, chits: integer 0..9?})", &Records::new()).unwrap();
/// assert_eq!(ty.to_string(), "list({band: close|medium, chits: integer 0..9?})");
/// ```
///
/// # Errors
/// When the text is no type, or names a record that no mod declares.
pub fn parse_type(text: &str, records: &Records) -> Result<Type, Fault> {
    let mut reader = Grammar {
        whole: text,
        rest: text,
        records,
    };
    let ty = reader.ty(0)?;
    reader.finish()?;
    Ok(ty)
}

/// Reads named types in their order: the arguments of a rule, the fields of an
/// event or a record.
///
/// ```
/// use rules::types::{Records, parse_fields};
/// let fields = parse_fields("mover: entity(dsii.element), leg: integer", &Records::new()).unwrap();
/// assert_eq!(&*fields[1].name, "leg");
/// ```
///
/// # Errors
/// When a name is missing, not a word or given twice, or a type does not parse.
pub fn parse_fields(text: &str, records: &Records) -> Result<Vec<Field>, Fault> {
    let mut reader = Grammar {
        whole: text,
        rest: text,
        records,
    };
    let fields = reader.fields("", 0)?;
    reader.finish()?;
    Ok(fields)
}

/// Reads the effects of a rule; every rule reads.
///
/// ```
/// use rules::types::parse_effects;
/// use kernel::game::Effects;
/// assert_eq!(parse_effects("draws, asks").unwrap(), Effects::READS.and(Effects::DRAWS).and(Effects::ASKS));
/// ```
///
/// # Errors
/// When a word is no effect.
pub fn parse_effects(text: &str) -> Result<Effects, Fault> {
    const WORDS: [(&str, Effects); 4] = [
        ("reads", Effects::READS),
        ("draws", Effects::DRAWS),
        ("writes", Effects::WRITES),
        ("asks", Effects::ASKS),
    ];
    let mut effects = Effects::READS;
    let words = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty());
    for word in words {
        match WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, effect)) => effects = effects.and(*effect),
            None => {
                let message = format!(
                    "expected `reads`, `draws`, `writes` or `asks`, found {}",
                    quoted(word)
                );
                let fault = Fault::new(FaultCode::BadSignature, message);
                return Err(hinted(fault, word, WORDS.iter().map(|(known, _)| *known)));
            }
        }
    }
    Ok(effects)
}

/// Reads the record types that mods declare, which may name each other in any
/// order, and enums that are known.
///
/// # Errors
/// Every declaration that does not parse, by its place in `declared`; among
/// them those that go round in a circle.
pub fn named_records(
    declared: &[(Name, &str)],
    enums: Records,
) -> Result<Records, Vec<(usize, Fault)>> {
    let mut records = enums;
    let mut left: Vec<usize> = (0..declared.len()).collect();
    loop {
        let mut faults = Vec::new();
        let before = left.len();
        left.retain(|&i| {
            let (id, text) = &declared[i];
            match parse_fields(text, &records) {
                Ok(fields) => {
                    records.insert(id.clone(), Type::Record(fields.into()));
                    false
                }
                Err(fault) => {
                    faults.push((i, fault));
                    true
                }
            }
        });
        if left.is_empty() {
            return Ok(records);
        }
        if left.len() == before {
            return Err(faults
                .into_iter()
                .map(|(i, fault)| (i, in_circle(i, fault, declared, &left)))
                .collect());
        }
    }
}

/// A record that cannot be resolved because it holds itself.
fn in_circle(i: usize, fault: Fault, declared: &[(Name, &str)], left: &[usize]) -> Fault {
    let holds = |i: usize, j: usize| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        declared[i]
            .1
            .split(|c| !is_part(c))
            .any(|word| *word == *declared[j].0)
    };
    let (mut reached, mut next) = (Vec::new(), vec![i]);
    while let Some(from) = next.pop() {
        for &to in left {
            if holds(from, to) && !reached.contains(&to) {
                reached.push(to);
                next.push(to);
            }
        }
    }
    if !reached.contains(&i) {
        return fault;
    }
    let message = format!(
        "expected a record that does not hold itself, found `{}` inside itself",
        declared[i].0
    );
    Fault::new(FaultCode::Cycle, message)
}

fn hinted<'a>(fault: Fault, found: &str, known: impl Iterator<Item = &'a str>) -> Fault {
    match closest(found, known) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

struct Grammar<'a> {
    whole: &'a str,
    rest: &'a str,
    records: &'a Records,
}

impl<'a> Grammar<'a> {
    fn fail(&self, expected: &str) -> Fault {
        let found = match self.rest.trim_start() {
            "" => "the end".to_string(),
            rest => quoted(rest),
        };
        let message = format!(
            "expected {expected}, found {found} in the type {}",
            quoted(self.whole)
        );
        Fault::new(FaultCode::BadSignature, message)
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), Fault> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.fail(&format!("`{token}`")))
        }
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.space();
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.fail("nothing more"))
        }
    }

    fn word(&mut self) -> &'a str {
        self.space();
        let end = self
            .rest
            .find(|c| !is_tag_letter(c) && c != '.')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn ty(&mut self, depth: usize) -> Result<Type, Fault> {
        if depth > DEEPEST {
            return Err(self.fail("types nested less deep"));
        }
        let ty = self.bare(depth)?;
        Ok(if self.eat("?") {
            Type::Optional(Arc::new(ty))
        } else {
            ty
        })
    }

    fn bare(&mut self, depth: usize) -> Result<Type, Fault> {
        if self.eat("{") {
            return Ok(Type::Record(self.fields("}", depth)?.into()));
        }
        self.space();
        let before = self.rest;
        let word = self.word();
        self.space();
        if self.rest.starts_with('|') {
            return self.tags(word);
        }
        match word {
            "integer" => self.range(),
            "list" => Ok(Type::List(self.inner(depth)?)),
            "map" => Ok(Type::Map(self.inner(depth)?)),
            "entity" if self.eat("(") => {
                let kind = self.word();
                if !kernel::value::is_id(kind) {
                    return Err(self.fail("the id of a kind before"));
                }
                self.expect(")")?;
                Ok(Type::Entity(Some(Arc::from(kind))))
            }
            _ => match PLAIN.iter().find(|(name, _)| *name == word) {
                Some((_, ty)) => Ok(ty.clone()),
                None => {
                    self.rest = before;
                    self.named(word)
                }
            },
        }
    }

    fn inner(&mut self, depth: usize) -> Result<Arc<Type>, Fault> {
        self.expect("(")?;
        let inner = self.ty(depth + 1)?;
        self.expect(")")?;
        Ok(Arc::new(inner))
    }

    fn named(&mut self, word: &str) -> Result<Type, Fault> {
        if let Some(record) = self.records.get(word) {
            self.rest = self.rest.get(word.len()..).unwrap_or_default();
            return Ok(record.clone());
        }
        let known = PLAIN
            .iter()
            .map(|(name, _)| *name)
            .chain(["integer", "list", "map"]);
        let fault = self.fail("a type");
        if let Some((_, here)) = ELSEWHERE
            .iter()
            .find(|(elsewhere, _)| elsewhere.eq_ignore_ascii_case(word))
        {
            return Err(fault.hint(format!("it is called `{here}` here")));
        }
        Err(hinted(
            fault,
            word,
            known.chain(self.records.keys().map(|id| &**id)),
        ))
    }

    fn tags(&mut self, first: &'a str) -> Result<Type, Fault> {
        let mut tags: Vec<Name> = Vec::new();
        let mut tag = first;
        loop {
            if !is_tag(tag) {
                return Err(
                    self.fail("a tag of letters, digits, `_`, `-`, `+` or `/` on each side of `|`")
                );
            }
            if tags.iter().any(|there| **there == *tag) {
                return Err(self.fail(&format!("each tag once, found `{tag}` twice, before")));
            }
            tags.push(Arc::from(tag));
            if !self.eat("|") {
                return Ok(Type::Enum(tags.into()));
            }
            tag = self.word();
        }
    }

    fn range(&mut self) -> Result<Type, Fault> {
        if !self
            .rest
            .starts_with(|c: char| c == '-' || c.is_ascii_digit())
        {
            return Ok(Type::INT);
        }
        let min = self.number()?;
        self.expect("..")?;
        let max = self.number()?;
        if min > max {
            let whole = quoted(self.whole);
            let message = format!(
                "expected a range from low to high, found {min}..{max} in the type {whole}"
            );
            return Err(Fault::new(FaultCode::BadSignature, message));
        }
        Ok(Type::Int { min, max })
    }

    fn number(&mut self) -> Result<i64, Fault> {
        self.space();
        let sign = usize::from(self.rest.starts_with('-'));
        let digits = self
            .rest
            .bytes()
            .skip(sign)
            .take_while(u8::is_ascii_digit)
            .count();
        let (number, rest) = self.rest.split_at(sign + digits);
        match number.parse::<i64>() {
            Ok(number) if (-LARGEST_INT..=LARGEST_INT).contains(&number) => {
                self.rest = rest;
                Ok(number)
            }
            _ => Err(self.fail("a whole number within 2^53")),
        }
    }

    /// Fields up to the closing token, or to the end where that is empty.
    fn fields(&mut self, close: &str, depth: usize) -> Result<Vec<Field>, Fault> {
        let mut fields: Vec<Field> = Vec::new();
        loop {
            self.space();
            if close.is_empty() {
                if self.rest.is_empty() {
                    break;
                }
            } else if self.eat(close) {
                break;
            }
            if !fields.is_empty() {
                self.expect(",")?;
                self.space();
            }
            let before = self.rest;
            let name = self.word();
            if !is_word(name) {
                self.rest = before;
                return Err(self.fail("the name of a field: lower case letters, digits, `_`"));
            }
            if fields.iter().any(|field| *field.name == *name) {
                self.rest = before;
                return Err(self.fail("each field once"));
            }
            self.expect(":")?;
            let ty = self.ty(depth + 1)?;
            fields.push(Field {
                name: Arc::from(name),
                ty,
            });
        }
        Ok(fields)
    }
}
